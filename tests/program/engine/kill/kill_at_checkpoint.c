/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kill_at_checkpoint.c -- preloaded, ends a program at its KILL_AT-th rename to KILL_FILE
 *
 * As by kill -9: before the file has its name when KILL_BEFORE is set, else just after.  What
 * is killed is so the same on a slow and on a fast machine.  A file that gets that name and was not
 * brought to the disk as it is, which a kill alone would not show, ends the program with status 3.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct stat settled; /* what was brought to the disk last, as it then was */

int fsync(int file) {
    const int result = fdatasync(file);
    if (!result) (void)fstat(file, &settled);
    return result;
}

static int is_settled(const char *name) {
    struct stat now;
    return !stat(name, &now) && now.st_dev == settled.st_dev && now.st_ino == settled.st_ino &&
           now.st_size == settled.st_size;
}

int rename(const char *from, const char *to) {
    static int seen;
    const char *file = getenv("KILL_FILE"), *at = getenv("KILL_AT");
    if (file && !strcmp(to, file) && !is_settled(from)) {
        fprintf(stderr, "%s gets its name before it is on the disk\n", to);
        _exit(3);
    }
    const int now = file && at && !strcmp(to, file) && ++seen == atoi(at);
    if (now && getenv("KILL_BEFORE")) raise(SIGKILL);
    const int result = renameat(AT_FDCWD, from, AT_FDCWD, to);
    if (now) raise(SIGKILL);
    return result;
}
