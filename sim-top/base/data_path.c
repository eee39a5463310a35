/* SPDX-License-Identifier: Apache-2.0 */
/*
 * data_path.c -- builds the list of folders from the environment and the program's own path
 *
 * The folders are computed again at each call. The source tree is recognised by a folder that
 * only the tree has. A file that is not found is reported with all folders that were tried.
 */
#include "data_path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLACES = 3 };

typedef struct folders {
    char at[PLACES][DATA_PATH];
    unsigned count;
} folders;

/* Adds base/below if there is such a folder. Too long a path counts as missing. */
static void add_folder(folders *p, const char *base, const char *below) {
    char *const to = p->at[p->count];
    const int n = snprintf(to, DATA_PATH, "%s%s", base, below);

    if (n > 0 && n < DATA_PATH && !access(to, X_OK)) p->count++;
}

/* Removes the last name of an absolute path. */
static void go_up(char *path) {
    char *const slash = strrchr(path, '/');

    if (slash) *slash = '\0';
}

static void find_folders(folders *p) {
    const char *const named = getenv("ACESIM_DATA");
    char program[DATA_PATH], probe[DATA_PATH + 16];
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);

    p->count = 0;
    if (named && *named) add_folder(p, named, "");
    if (n <= 0) return;
    program[n] = '\0';
    go_up(program); /* PREFIX/bin, or build/PRESET */
    go_up(program);
    add_folder(p, program, "/share/acesim");
    go_up(program);
    /* The folder two levels up need not be the source tree. Only the source tree has sim-top. */
    snprintf(probe, sizeof probe, "%s/sim-top", program);
    if (!access(probe, X_OK)) add_folder(p, program, "");
}

static bool is_fixed(const char *name) {
    return *name == '/' || *name == '.' || !strcmp(name, "-") || !*name;
}

static bool search_in(const char *folder, const char *below, const char *name, char to[DATA_PATH]) {
    const int n = snprintf(to, DATA_PATH, "%s%s/%s", folder, below, name);

    return n > 0 && n < DATA_PATH && !access(to, R_OK);
}

static bool search(const char *name, const folders *p, char to[DATA_PATH]) {
    bool found = !strcmp(name, "-") || !access(name, R_OK);

    for (unsigned i = 0; !found && !is_fixed(name) && i < p->count; i++)
        if (search_in(p->at[i], "", name, to) || search_in(p->at[i], "/workloads", name, to))
            return true;
    if (strlen(name) >= DATA_PATH) return false;
    strcpy(to, name);
    return found;
}

bool data_path_look(const char *name, char to[DATA_PATH]) {
    folders p;

    find_folders(&p);
    return search(name, &p, to);
}

/* Prints each folder that was searched, once. */
static void print_folders(const folders *p) {
    char at[2 * PLACES][DATA_PATH];
    unsigned count = 0;

    for (unsigned i = 0; i < 2 * p->count; i++) {
        bool seen = false;

        if (!search_in(p->at[i / 2], i & 1 ? "/workloads" : "", "", at[count])) continue;
        at[count][strlen(at[count]) - 1] = '\0'; /* the slash */
        for (unsigned k = 0; k < count; k++) seen = seen || !strcmp(at[k], at[count]);
        if (!seen) fprintf(stderr, "%s%s", count ? ", " : ", from here or from ", at[count]);
        count += !seen;
    }
}

bool data_path_find(const char *name, char to[DATA_PATH]) {
    folders p;

    find_folders(&p);
    if (search(name, &p, to)) return true;
    fprintf(stderr, "%s:1:1: found %s, expected a file that can be read", name,
            strerror(access(name, R_OK) ? errno : ENAMETOOLONG));
    if (!is_fixed(name)) {
        print_folders(&p);
        fprintf(stderr, " (ACESIM_DATA %s)",
                getenv("ACESIM_DATA") ? "is set" : "may name another folder");
    }
    fprintf(stderr, "\n");
    return false;
}
