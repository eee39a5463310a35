/* SPDX-License-Identifier: Apache-2.0 */
/*
 * data_path.h -- finds clusters, models, studies and views wherever acesim was put
 *
 *     char file[DATA_PATH];
 *     if (!data_path_find("clusters/torus-4x2x2.yaml", file)) return EXIT_USAGE;
 *
 * A name that a person wrote is looked for, first to last,
 *
 *   as it is written     from the present folder
 *   in ACESIM_DATA       a folder that the environment names
 *   in the installation  PREFIX/share/acesim, of the program PREFIX/bin/acesim
 *   in the source tree   of the program build/PRESET/acesim
 *
 * and in each of the last three also below workloads/.  A name that begins with / or . says where
 * the file is, and is looked for nowhere else.  So is "-", which stands for standard input.
 *
 * The prefix is found from the running program, so that an installed tree can be moved.
 */
#ifndef DATA_PATH_H
#define DATA_PATH_H

#include <stdbool.h>

enum { DATA_PATH = 4096 };

/* Writes where the file or folder lies.  False, after a message that says where it was looked for:
 * nowhere.  to: may not be name. */
bool data_path_find(const char *name, char to[DATA_PATH]);

/* The same without a message. */
bool data_path_look(const char *name, char to[DATA_PATH]);

#endif
