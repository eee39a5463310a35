/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl_sets.c -- finds, lists and loads the RTL sets that a user has built
 *
 * An argument with a slash is a path. Any other argument is a name in the folder of sets. A set
 * made for another build is refused when it is loaded.
 */
#include "rtl_sets.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ace_rtl_set.h"
#include "build_info.h"
#include "digest.h"
#include "exit_status.h"
#include "message.h"

bool rtl_set_is_name(const char *name) {
    if (!isalnum((unsigned char)*name) || strlen(name) >= RTL_NAME) return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && !strchr("._-", *name)) return false;
    return true;
}

static bool join(char to[DATA_PATH], const char *folder, const char *below) {
    const int n = snprintf(to, DATA_PATH, "%s%s", folder, below);

    return n > 0 && n < DATA_PATH;
}

bool rtl_set_folder(char to[DATA_PATH]) {
    const char *const named = getenv("ACESIM_RTL"), *const cache = getenv("XDG_CACHE_HOME"),
                      *const home = getenv("HOME");

    if (named && *named) {
        if (join(to, named, "")) return true;
    } else if (cache && *cache == '/') {
        if (join(to, cache, "/acesim/rtl")) return true;
    } else if (home && *home && join(to, home, "/.cache/acesim/rtl")) {
        return true;
    }
    fprintf(stderr, "acesim: found no folder for RTL that is built, expected ACESIM_RTL or HOME to "
                    "name one\n");
    return false;
}

/* ---- what there is ---------------------------------------------------------------------- */

/* Reads a line with a key and a text. */
static void take_line(rtl_set *s, const char *line) {
    const struct {
        const char *key;
        char *to;
        size_t room;
    } keys[] = { { "rtl ", s->rtl, sizeof s->rtl },
                 { "digest ", s->digest, sizeof s->digest },
                 { "date ", s->date, sizeof s->date },
                 { "engine ", s->engine, sizeof s->engine },
                 { "source ", s->source, sizeof s->source },
                 { "parameters ", s->parameters, sizeof s->parameters } };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const size_t n = strlen(keys[i].key);

        if (!strncmp(line, keys[i].key, n))
            snprintf(keys[i].to, keys[i].room, "%.*s", (int)strcspn(line + n, "\n"), line + n);
    }
}

static bool read_set(const char *folder, const char *name, rtl_set *s) {
    char file[DATA_PATH], line[DATA_PATH + 16];
    FILE *f;

    *s = (rtl_set){ 0 };
    if (!rtl_set_is_name(name)) return false;
    snprintf(s->name, sizeof s->name, "%s", name);
    if (snprintf(file, sizeof file, "%s/named/%s/set.txt", folder, name) >= DATA_PATH) return false;
    f = fopen(file, "r");
    if (!f) return false;
    while (fgets(line, sizeof line, f)) take_line(s, line);
    fclose(f);
    return true;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const rtl_set *)a)->name, ((const rtl_set *)b)->name);
}

int rtl_set_list(rtl_set **sets, unsigned *count) {
    char folder[DATA_PATH], named[DATA_PATH];
    struct dirent *entry;
    int rc = EXIT_OK;
    DIR *all;

    *sets = NULL;
    *count = 0;
    if (!rtl_set_folder(folder) || !join(named, folder, "/named")) return EXIT_USAGE;
    all = opendir(named);
    while (all && rc == EXIT_OK && (entry = readdir(all))) {
        rtl_set s, *more;

        if (!read_set(folder, entry->d_name, &s)) continue;
        more = realloc(*sets, (*count + 1) * sizeof *more);
        if (more) {
            *sets = more;
            more[(*count)++] = s;
        } else {
            rc = message_no_memory();
        }
    }
    if (all) closedir(all);
    if (*count) qsort(*sets, *count, sizeof **sets, by_name);
    return rc;
}

/* ---- of a run --------------------------------------------------------------------------- */

static void refuse(const char *word) {
    unsigned count;
    rtl_set *sets;

    if (rtl_set_list(&sets, &count) == EXIT_OK) {
        fprintf(stderr, "acesim: --rtl: found '%s', expected", word);
        for (unsigned i = 0; i < count; i++) fprintf(stderr, " %s,", sets[i].name);
        fprintf(stderr, "%s a path such as ./ace_set.so; acesim rtl build --name %s makes one\n",
                count ? " or" : "", rtl_set_is_name(word) ? word : "NAME");
    }
    free(sets);
}

/* A FIFO or a device would block the program, so it is refused. */
static bool is_readable_file(const char *name) {
    struct stat s;

    return !stat(name, &s) && S_ISREG(s.st_mode) && !access(name, R_OK);
}

bool rtl_set_object(const char *word, char to[DATA_PATH]) {
    char folder[DATA_PATH];
    bool ok;

    if (strchr(word, '/'))
        ok = join(to, word, "");
    else if (!rtl_set_folder(folder))
        return false;
    else
        ok = rtl_set_is_name(word) &&
             snprintf(to, DATA_PATH, "%s/named/%s/ace_set.so", folder, word) < DATA_PATH;
    if (ok && is_readable_file(to)) return true;
    refuse(word);
    return false;
}

const ace_rtl_parameter_set *rtl_set_load(const char *word) {
    char object[DATA_PATH];
    const char *why;

    if (!rtl_set_object(word, object)) return NULL;
    why = ace_rtl_set_load(object, word, build_interface);
    if (!why) return ace_rtl_set_loaded();
    fprintf(stderr, "acesim: --rtl: found %s, expected it built anew by acesim rtl build\n", why);
    return NULL;
}

bool rtl_set_digest(const char *word, uint64_t *hash) {
    char object[DATA_PATH];

    if (!rtl_set_object(word, object)) return false;
    if (digest_file(object, hash)) return true;
    fprintf(stderr, "acesim: --rtl: found %s, expected a file that can be read: %s\n", object,
            strerror(errno));
    return false;
}
