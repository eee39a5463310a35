/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kill_at_checkpoint.c -- preloaded, ends a program at its KILL_AT-th rename to KILL_FILE
 *
 * As by kill -9: before the file has its name when KILL_BEFORE is set, else just after.  What
 * is killed is so the same on a slow and on a fast machine.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int rename(const char *from, const char *to) {
    static int seen;
    const char *file = getenv("KILL_FILE"), *at = getenv("KILL_AT");
    const int now = file && at && !strcmp(to, file) && ++seen == atoi(at);
    if (now && getenv("KILL_BEFORE")) raise(SIGKILL);
    const int result = renameat(AT_FDCWD, from, AT_FDCWD, to);
    if (now) raise(SIGKILL);
    return result;
}
