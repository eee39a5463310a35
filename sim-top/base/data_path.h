/* SPDX-License-Identifier: Apache-2.0 */
/*
 * data_path.h -- finds clusters, models, studies and views wherever acesim was put
 *
 *     char file[DATA_PATH];
 *     if (!data_path_find("clusters/torus-4x2x2.yaml", file)) return EXIT_USAGE;
 *
 * A relative name is searched in this order:
 *
 *   as it is written     from the current folder
 *   in ACESIM_DATA       a folder that the environment names
 *   in the installation  PREFIX/share/acesim, if the program is PREFIX/bin/acesim
 *   in the source tree   if the program is build/PRESET/acesim
 *
 * In each of the last three, workloads/ is searched, too. A name that begins with / or . is not
 * searched for elsewhere. Nor is "-", which means standard input.
 *
 * The prefix is found from the running program, so that an installed tree can be moved.
 */
#ifndef DATA_PATH_H
#define DATA_PATH_H

#include <stdbool.h>

enum { DATA_PATH = 4096 };

/* Writes the path of the file or folder. Returns false, after a message that lists the folders
 * searched, if it is in none. `to` must not be `name`. */
bool data_path_find(const char *name, char to[DATA_PATH]);

/* The same without a message. */
bool data_path_look(const char *name, char to[DATA_PATH]);

#endif
