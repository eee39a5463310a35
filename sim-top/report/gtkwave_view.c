/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "gtkwave_view.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ace_node.h"
#include "data_path.h"
#include "exit_status.h"

enum { WIDE = 1200 /* pixels of waves that the window is fitted to */ };

/* waves/ with its views, as data_path.h finds it; absolute, as the view that is written may be opened
 * from any folder. */
static bool find_waves(char folder[PATH_MAX]) {
    char view[DATA_PATH];

    if (!data_path_look("waves/ace_node.gtkw", view)) return false;
    *strrchr(view, '/') = '\0';
    return realpath(view, folder) != NULL;
}

/* The lines of waves/ace_node.gtkw but its beginning of the window. */
static bool copy_standard(FILE *to) {
    char folder[PATH_MAX], name[PATH_MAX + 32], line[1024];
    FILE *from;

    if (!find_waves(folder)) return false;
    snprintf(name, sizeof name, "%s/ace_node.gtkw", folder);
    from = fopen(name, "r");
    if (!from) return false;
    while (fgets(line, sizeof line, from)) {
        char *const filter = line[0] == '^' ? strstr(line, " waves/") : NULL;

        if (!strncmp(line, "[timestart]", 11) || !strncmp(line, "[*]", 3)) continue;
        if (filter)
            fprintf(to, "%.*s %s/%s", (int)(filter - line), line, folder, filter + 7);
        else
            fputs(line, to);
    }
    fclose(from);
    return true;
}

int gtkwave_view_write(const char *wave, const char *body, uint64_t from, uint64_t to) {
    const size_t stem = strlen(wave) > 4 && !strcmp(wave + strlen(wave) - 4, ".fst")
                            ? strlen(wave) - 4
                            : strlen(wave);
    const uint64_t lead = (to - from) / 20;
    char name[PATH_MAX], full[PATH_MAX];
    bool ok = true;
    FILE *f;

    snprintf(name, sizeof name, "%.*s.gtkw", (int)(stem < 4000 ? stem : 4000), wave);
    f = fopen(name, "w");
    if (!f) {
        fprintf(stderr, "acesim: %s: %s, expected a file that can be written\n", name,
                strerror(errno));
        return EXIT_USAGE;
    }
    fprintf(f, "[dumpfile] \"%s\"\n[timestart] %llu\n", realpath(wave, full) ? full : wave,
            2ull * (from - (lead < from ? lead : from)));
    /* two time units a cycle; GTKWave's zoom is of 200 pixels */
    fprintf(f, "*%f %llu %llu %llu", -log2(200. * 2. * (double)(to - from) * 1.1 / WIDE),
            2ull * from, 2ull * from, 2ull * to);
    for (int mark = 2; mark < 26; mark++) fprintf(f, " -1");
    fprintf(f, "\n");
    if (body)
        fputs(body, f);
    else
        ok = copy_standard(f);
    if (!ok)
        fprintf(stderr, "acesim: found no waves/ace_node.gtkw, expected it from here, in "
                        "ACESIM_DATA, or in share/acesim of the installation: the view shows "
                        "no signals\n");
    fclose(f);
    printf("gtkwave %s %s\n", wave, name);
    return EXIT_OK;
}
