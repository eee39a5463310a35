/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gtkwave_view.c -- writes a save file from a template, for one chunk or for a window of time
 *
 * The templates are the views in the folder waves. A view of a chunk replaces the numbers of FSM,
 * context and phase in each line.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "gtkwave_view.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ace_node.h"
#include "ace_wave_time.h"
#include "atomic_file.h"
#include "data_path.h"
#include "exit_status.h"
#include "message.h"
#include "names.h"

enum { WIDE = 1200 /* pixels of waves that the window is fitted to */ };

/* Finds waves/ with its views as data_path.h does. The path is absolute, because the view that is
 * written may be opened from any folder. */
static bool find_waves(char folder[PATH_MAX]) {
    char view[DATA_PATH];

    if (!data_path_look("waves/ace_node.gtkw", view)) return false;
    *strrchr(view, '/') = '\0';
    return realpath(view, folder) != NULL && !name_fault(folder);
}

/* Opens a file of waves/. Returns NULL if there is none. */
static FILE *open_view(const char *view, char folder[PATH_MAX]) {
    char name[PATH_MAX + 32];

    if (!find_waves(folder)) return NULL;
    snprintf(name, sizeof name, "%s/%s", folder, view);
    return fopen(name, "r");
}

/* Copies a line of a view. Filters get their full path; lines that set the window are left out. */
static void copy_line(FILE *to, const char *line, const char *folder) {
    const char *const filter = line[0] == '^' ? strstr(line, " waves/") : NULL;

    if (!strncmp(line, "[timestart]", 11) || !strncmp(line, "[*]", 3)) return;
    if (filter)
        fprintf(to, "%.*s %s/%s", (int)(filter - line), line, folder, filter + 7);
    else
        fputs(line, to);
}

/* Copies waves/ace_node.gtkw without the lines that set the window. */
static bool copy_standard(FILE *to) {
    char folder[PATH_MAX], line[1024];
    FILE *from = open_view("ace_node.gtkw", folder);

    if (!from) return false;
    while (fgets(line, sizeof line, from)) copy_line(to, line, folder);
    fclose(from);
    return true;
}

/* ---- a chunk ---------------------------------------------------------------------------- */

/* Copies a line with the numbers of the wanted FSM, context and phase. The template shows the first
 * ones of phases 0 to 3. */
static void copy_for_fsm(FILE *to, const char *line, const char *folder, unsigned fsm,
                         unsigned context, unsigned phase) {
    char line_for_fsm[2048];
    size_t n = 0;
    const bool in_fsm = strstr(line, "u_fsm.") != NULL;

    while (*line && n + 32 < sizeof line_for_fsm) {
        static const struct {
            const char *text;
            bool in_fsm;
        } first[] = { { "g_fsm[0]", false },
                      { "_q[0]", true },
                      { "g_context[0]", true },
                      { "g_phase[3]", false },
                      { "Phase 3", false } };
        const unsigned number[] = { fsm, context, context, phase, phase };
        unsigned i = 0;

        while (i < 5 && ((first[i].in_fsm && !in_fsm) ||
                         strncmp(line, first[i].text, strlen(first[i].text)) != 0))
            i++;
        if (i == 5) {
            line_for_fsm[n++] = *line++;
            continue;
        }
        n += (size_t)snprintf(line_for_fsm + n, sizeof line_for_fsm - n,
                              i < 4 ? "%.*s%u]" : "%.*s%u",
                              (int)strcspn(first[i].text, "0123456789"), first[i].text, number[i]);
        line += strlen(first[i].text);
    }
    line_for_fsm[n] = '\0';
    copy_line(to, line_for_fsm, folder);
}

char *gtkwave_view_chunk(const gtkwave_chunk *c) {
    const unsigned phases = c->parameters.dimensions + 1, fsms = c->parameters.fsms / phases;
    /* Each chunk takes the next context of a phase, FSM after FSM. */
    const unsigned fsm = c->number % fsms, context = c->number / fsms % c->parameters.contexts;
    char folder[PATH_MAX], line[1024], *body = NULL, *last = NULL, *at;
    size_t size, last_size;
    bool inside = false;
    FILE *from = open_view("chunk.gtkw", folder), *to, *group;

    if (!from) return NULL;
    to = open_memstream(&body, &size);
    group = open_memstream(&last, &last_size); /* the lines of the last phase */
    if (to)
        fprintf(to, "@200\n-%s %u: FSM %u and context %u of each phase\n",
                c->any ? "Context" : "Chunk", c->number, fsm, context);
    while (to && group && fgets(line, sizeof line, from)) {
        copy_for_fsm(to, line, folder, fsm, context, 3);
        if (!strcmp(line, "-Phase 3\n")) inside = !inside;
        if (inside) fputs(line, group);
        if (inside || strcmp(line, "-Phase 3\n") != 0 || phases < 5) continue;
        fflush(group); /* a fourth dimension has one phase more */
        fputs("@800200\n", to);
        for (at = last; *at; at += strcspn(at, "\n") + 1) {
            snprintf(line, sizeof line, "%.*s\n", (int)strcspn(at, "\n"), at);
            copy_for_fsm(to, line, folder, fsm, context, 4);
        }
        fputs("-Phase 4\n", to);
    }
    if (group) fclose(group);
    if (to) fclose(to);
    fclose(from);
    free(last);
    return body;
}

/* ---- the file ----------------------------------------------------------------------------- */

/* Prints the command that shows the waveform, quoted for a shell. */
static int print_command(const char *wave, const char *view) {
    char *const a = name_of_file_in_shell(wave), *const b = name_of_file_in_shell(view);
    const bool ok = a && b;

    if (ok) printf("gtkwave %s %s\n", a, b);
    free(a);
    free(b);
    return ok ? EXIT_OK : message_no_memory();
}

int gtkwave_view_write(const char *wave, const char *body, const gtkwave_window *w) {
    const size_t stem = strlen(wave) > 4 && !strcmp(wave + strlen(wave) - 4, ".fst")
                            ? strlen(wave) - 4
                            : strlen(wave);
    const uint64_t lead = (w->to - w->from) / 20;
    const uint64_t from = ace_wave_time(w->clock_MHz, w->from);
    const uint64_t to = ace_wave_time(w->clock_MHz, w->to);
    char name[NAME_MOST + sizeof ".gtkw"], full[PATH_MAX];
    bool ok = true;
    atomic_file out;
    FILE *f;
    int rc;

    snprintf(name, sizeof name, "%.*s.gtkw", (int)stem, wave);
    rc = atomic_file_open(&out, name);
    if (rc != EXIT_OK) return rc;
    f = out.to;
    fprintf(f, "[dumpfile] \"%s\"\n[timestart] %llu\n", realpath(wave, full) ? full : wave,
            (unsigned long long)ace_wave_time(w->clock_MHz,
                                              w->from - (lead < w->from ? lead : w->from)));
    /* GTKWave's zoom counts in steps of 200 pixels. */
    fprintf(f, "*%f %llu %llu %llu", -log2(200. * (double)(to - from) * 1.1 / WIDE),
            (unsigned long long)from, (unsigned long long)from, (unsigned long long)to);
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
    rc = atomic_file_close(&out);
    return rc == EXIT_OK ? print_command(wave, name) : rc;
}
