/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl_sets.h -- the RTL that `acesim rtl build` made: where it is kept, what it is, how a run takes
 * it
 *
 * Each is a folder FOLDER/named/NAME with the object and set.txt, which says what it was made of.
 * FOLDER is that of ACESIM_RTL, or else acesim/rtl below XDG_CACHE_HOME or ~/.cache.
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

/* What set.txt says. */
typedef struct rtl_set {
    char name[RTL_NAME];
    char rtl[RTL_WORD];    /* 16 digits of the SHA-256 of the Verilog, as acesim --version has it */
    char digest[RTL_WORD]; /* likewise, of all that it was made of */
    char date[RTL_WORD];   /* 2026-01-31T12:00Z */
    char engine[RTL_WORD]; /* "with-engine" or "no-engine" */
    char source[DATA_PATH];
    char parameters[RTL_PARAMETERS]; /* "FSMS=16 CONTEXTS=4 ..." */
} rtl_set;

/* Letters, digits, '.', '_' and '-', the first no sign; fewer than RTL_NAME. */
bool rtl_set_is_name(const char *name);
/* The folder that all are below.  False, after a message: nothing says where. */
bool rtl_set_folder(char to[DATA_PATH]);
/* All there are, by name; the caller frees it.  EXIT_OK, or EXIT_USAGE or EXIT_CHECK after a
 * message. */
int rtl_set_list(rtl_set **sets, unsigned *count);
/* The object of a name, or of a path to it: a word with a '/' in it.  False, after a message that
 * names those there are. */
bool rtl_set_object(const char *word, char to[DATA_PATH]);
/* Has the rung `rtl` be what the word names.  NULL after a message. */
struct ace_rtl_parameter_set;
const struct ace_rtl_parameter_set *rtl_set_load(const char *word);
/* Adds the object's contents to the hash.  False, after a message. */
bool rtl_set_digest(const char *word, uint64_t *hash);

#ifdef __cplusplus
}
#endif

#endif
