/* SPDX-License-Identifier: Apache-2.0 */
/* train_words.c -- see train_words.h */
#include "train_words.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "exit_status.h"
#include "options.h"
#include "setup_fields.h"

/* The last ones are of a run alone. */
static const char *const shared[TRAIN_OPTIONS] = {
    "topology",        "type",
    "endpoint",        "rung",
    "calibration",     "rtl",
    "speed",           "fold",
    "fast-forward",    "sms",
    "shares",          "memory-bandwidth",
    "chunk",           "memory-latency",
    "clock",           "compute-scale",
    "link-bandwidth",  "link-latency",
    "shared-links",    "npu-matrix",
    "expanded-memory", "expanded-bandwidth",
    "expansion",       "fsms",
    "contexts",        "link-rows",
    "router-rows",     "interval",
    "threads",         "timeline",
    "timeline-limit",  "quiet",
};
enum { EVERYWHERE = 27 };

static unsigned count_of(bool kept) { return kept ? TRAIN_OPTIONS : EVERYWHERE; }

static const setup_field *field_of(const char *option) {
    for (const setup_field *f = setup_fields; f < setup_fields + SETUP_FIELDS; f++)
        if (f->where & SETUP_RUN && !strcmp(f->option, option)) return f;
    return NULL;
}

unsigned train_words_options(bool kept, struct option to[TRAIN_OPTIONS]) {
    for (unsigned i = 0; i < count_of(kept); i++)
        to[i] = (struct option){ shared[i],
                                 field_of(shared[i])->argument ? required_argument : no_argument,
                                 NULL, TRAIN_OWN + (int)i };
    return count_of(kept);
}

void train_words_help(bool kept) {
    for (unsigned i = 0; i < count_of(kept); i++) {
        const setup_field *f = field_of(shared[i]);
        char left[64], text[400];

        snprintf(left, sizeof left, "--%s%s%s", f->option, f->argument ? " " : "",
                 f->argument ? f->argument : "");
        setup_help(f, text, sizeof text);
        printf("  %-27s %s\n", left, text);
    }
}

int train_words_take(train_words *w, int c, const char *value) {
    if (w->count == TRAIN_GIVEN || (value && strlen(value) > TRAIN_WORD - 64)) {
        fprintf(stderr, "acesim %s: found too many or too long options, expected fewer\n",
                w->command);
        return EXIT_USAGE;
    }
    snprintf(w->word[w->count++], TRAIN_WORD, "--%s%s%s", shared[c - TRAIN_OWN], value ? "=" : "",
             value ? value : "");
    return EXIT_OK;
}

int train_words_fields(train_words *w, const char *cluster, const char *model, run_fields *o) {
    char *argv[TRAIN_GIVEN + 4], name[] = "run";
    int argc = 0;

    argv[argc++] = name;
    argv[argc++] = (char *)(uintptr_t)cluster; /* which getopt leaves as it is */
    argv[argc++] = (char *)(uintptr_t)model;
    for (unsigned i = 0; i < w->count; i++) argv[argc++] = w->word[i];
    argv[argc] = NULL;
    return options_run(argc, argv, o);
}
