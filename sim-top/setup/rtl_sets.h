/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl_sets.h -- finds and loads the RTL that `acesim rtl build` has made
 *
 * Each set is a folder FOLDER/named/NAME with the object and set.txt, which lists its sources and
 * parameters. FOLDER is the environment variable ACESIM_RTL, or else acesim/rtl in XDG_CACHE_HOME
 * or ~/.cache.
 */
#ifndef RTL_SETS_H
#define RTL_SETS_H

#include <stdbool.h>
#include <stdint.h>

#include "data_path.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RTL_NAME = 64, RTL_WORD = 64, RTL_PARAMETERS = 512 };

/* The contents of set.txt. */
typedef struct rtl_set {
    char name[RTL_NAME];
    /* 16 digits of the SHA-256 of the Verilog, as acesim --version prints them */
    char rtl[RTL_WORD];
    char digest[RTL_WORD]; /* 16 digits of the SHA-256 of everything that it was made from */
    char date[RTL_WORD];   /* 2026-01-31T12:00Z */
    char engine[RTL_WORD]; /* "with-engine" or "no-engine" */
    char source[DATA_PATH];
    char parameters[RTL_PARAMETERS]; /* "FSMS=16 CONTEXTS=4 ..." */
} rtl_set;

/* Returns whether a name has only letters, digits, '.', '_' and '-', begins with a letter or digit,
 * and is shorter than RTL_NAME. */
bool rtl_set_is_name(const char *name);
/* Gives the folder of all sets. Returns false after a message if no variable determines it. */
bool rtl_set_folder(char to[DATA_PATH]);
/* Lists all sets by name; the caller frees the list. Returns EXIT_OK, or EXIT_USAGE or EXIT_CHECK
 * after a message. */
int rtl_set_list(rtl_set **sets, unsigned *count);
/* Finds the object of a name, or of a path, which contains a '/'. Returns false after a message
 * that lists the existing sets. */
bool rtl_set_object(const char *word, char to[DATA_PATH]);
/* Makes the rung `rtl` use the set. Returns NULL after a message. */
struct ace_rtl_parameter_set;
const struct ace_rtl_parameter_set *rtl_set_load(const char *word);
/* Adds the object's contents to the hash. Returns false after a message. */
bool rtl_set_digest(const char *word, uint64_t *hash);

#ifdef __cplusplus
}
#endif

#endif
