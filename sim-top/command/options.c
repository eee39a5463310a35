/* SPDX-License-Identifier: Apache-2.0 */
/* options.c -- the command line: one table for getopt, --help and the values */
#include "options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"
#include "names.h"
#include "setup_fields.h"
#include "values.h"

/* The words of a command line that set a field; NULL where none does. */
typedef struct values {
    const char *at[SETUP_FIELDS];
} values;

/* An algorithm of MSCCL moves messages alone and carries no payload: what is about collectives of the
 * engine, about data, or about the form of their results, it does not take. */
enum { SETUP_MSCCL = 4 };
static const setup_id not_of_msccl[] = { SETUP_ALGORITHM,
                                         SETUP_FROM,
                                         SETUP_TO,
                                         SETUP_COUNTS,
                                         SETUP_SKEW,
                                         SETUP_OP,
                                         SETUP_DIMS,
                                         SETUP_CALIBRATION,
                                         SETUP_INTERVAL,
                                         SETUP_CONTROL,
                                         SETUP_ORDER,
                                         SETUP_CHUNK,
                                         SETUP_LAZY_LAST_REDUCTION,
                                         SETUP_PAYLOAD,
                                         SETUP_CHECK,
                                         SETUP_FAULTS,
                                         SETUP_SEED,
                                         SETUP_ALL,
                                         SETUP_COMPARE,
                                         SETUP_JOBS,
                                         SETUP_REPORT,
                                         SETUP_SAMPLES,
                                         SETUP_OUTPUT,
                                         SETUP_RECORD,
                                         SETUP_RECORD_NODE,
                                         SETUP_FAST_FORWARD };

static bool takes(const setup_field *f, int where) {
    if (where != SETUP_MSCCL) return f->where & where;
    for (size_t i = 0; i < sizeof not_of_msccl / sizeof *not_of_msccl; i++)
        if (f == &setup_fields[not_of_msccl[i]]) return false;
    return f->where & SETUP_COLLECTIVE;
}

static void help(int where) {
    if (where == SETUP_MSCCL)
        printf(
            "usage: acesim msccl FILE [OPTIONS]\n\nRuns an algorithm in MSCCL's XML, or a plan of MSCCL++ "
            "in JSON, as messages between\nthe NPUs, after it was found to do what it says.  FILE is looked for as it is "
            "written, then in the folder that\nACESIM_DATA names, the installation and the source "
            "tree.\n\n  --loops N                   of a chunk, which is cut into N parts: 1 to 1024 "
            "[1]\n");
    else if (where == SETUP_COLLECTIVE)
        printf("usage: acesim collective KIND [OPTIONS]\n\nKIND is all-reduce, reduce-scatter, "
               "all-gather, all-to-all,\nall-to-all-v, broadcast, reduce, gather, scatter, "
               "send-receive or barrier.\n\n");
    else
        printf(
            "usage: acesim run CLUSTER.yaml WORKLOAD [OPTIONS]\n\nWORKLOAD is a YAML file or a layer "
            "table of ASTRA-sim 1.0.  Each file is looked for\nas it is written, then in the folder "
            "that ACESIM_DATA names, the installation and\nthe source tree.  One of the two may be "
            "-, standard input.\n\n");
    for (const setup_field *f = setup_fields; f < setup_fields + SETUP_FIELDS; f++) {
        char left[64], text[400];

        if (!takes(f, where)) continue;
        snprintf(left, sizeof left, "--%s%s%s", f->option, f->argument ? " " : "",
                 f->argument ? f->argument : "");
        setup_help(f, text, sizeof text);
        printf("  %-27s %s\n", left, text);
    }
    if (where == SETUP_MSCCL)
        printf(
            "\nexample: acesim msccl algorithms/allreduce-ring-8.xml --topology 8 --size 16MiB\n");
    else if (where == SETUP_COLLECTIVE)
        printf(
            "\nexample: acesim collective all-reduce --topology 4x4x4 --size 64MiB --threads 4\n");
    else
        printf(
            "\nexample: acesim run workloads/clusters/torus-4x2x2.yaml workloads/resnet50.yaml\n");
}

/* Collects the options; returns the number of the first positional argument, or -1. */
static int collect(int argc, char **argv, int where, values *v) {
    struct option longs[SETUP_FIELDS + 1];
    int n = 0, c;

    memset(longs, 0, sizeof longs);
    for (int i = 0; i < SETUP_FIELDS; i++) {
        if (!takes(&setup_fields[i], where)) continue;
        longs[n].name = setup_fields[i].option;
        longs[n].has_arg = setup_fields[i].argument ? required_argument : no_argument;
        longs[n++].val = i + 256;
    }
    optind = 1;
    while ((c = message_getopt(argc, argv, longs)) != -1) {
        if (c == 'h') c = SETUP_HELP + 256;
        if (c < 256) return -1;
        v->at[c - 256] = optarg ? optarg : "";
    }
    return optind;
}

/* Each option's value, in the order of the list; the first bad one is told. */
static int take(const values *v, run_fields *o) {
    for (int i = 0; i < SETUP_FIELDS; i++) {
        const setup_field *const f = &setup_fields[i];
        char text[400], hint[MESSAGE_HINT];

        if (!v->at[i]) continue;
        o->source[i] = (setup_source){ .text = v->at[i] };
        if (setup_take(f, v->at[i], o)) continue;
        if (f->type == SETUP_TYPE_STRING || f->type == SETUP_TYPE_FILE) {
            fprintf(stderr, "acesim: --%s: found %s, expected " NAME_ACCEPTED "\n", f->option,
                    name_fault(v->at[i]));
            return EXIT_USAGE;
        }
        setup_help(f, text, sizeof text);
        if (f->names)
            message_hint(hint, v->at[i], f->names);
        else
            message_hint_of_text(hint, v->at[i], text);
        fprintf(stderr, "acesim: --%s: found '%s', expected %s%s\n", f->option, v->at[i], text,
                hint);
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

/* The words from which the same result comes again. */
static void keep_words(const values *v, char **argv, int positional, run_fields *o) {
    option_word *w = o->words;

    *w++ = (option_word){ NULL, argv[0] };
    for (int i = 0; i < positional; i++) *w++ = (option_word){ NULL, argv[optind + i] };
    for (int i = 0; i < SETUP_FIELDS; i++) {
        const setup_field *const f = &setup_fields[i];

        if (v->at[i] && (f->part == SETUP_PART_RESULT || f->part == SETUP_PART_CHECK))
            *w++ = (option_word){ f->option, f->argument ? v->at[i] : NULL };
    }
    o->word_count = (unsigned)(w - o->words);
}
_Static_assert(SETUP_FIELDS + 3 <= OPTION_WORDS, "room for every option and the arguments");

/* An end that both commands have: the values taken, looked at together, and remembered. */
static int settle(const values *v, char **argv, int positional, run_fields *o) {
    int rc = take(v, o);

    if (rc == EXIT_OK) rc = setup_settle(o);
    keep_words(v, argv, positional, o);
    return rc;
}

int options_collective(int argc, char **argv, run_fields *o) {
    values v = { 0 };
    const int first = collect(argc, argv, SETUP_COLLECTIVE, &v);
    int kind;

    setup_initial(o);
    if (first < 0) return EXIT_USAGE;
    if (v.at[SETUP_HELP]) {
        help(SETUP_COLLECTIVE);
        o->help = true;
        return EXIT_OK;
    }
    if (first + 1 != argc || !parse_name(argv[first], kind_names, &kind) || kind == ACE_LIST) {
        const char *const found = first < argc ? argv[argc - 1] : "nothing";
        char hint[MESSAGE_HINT];

        fprintf(stderr,
                "acesim collective: found '%s', expected one KIND of all-reduce reduce-scatter "
                "all-gather all-to-all all-to-all-v broadcast reduce gather scatter send-receive "
                "barrier%s\n",
                found, message_hint(hint, found, kind_names));
        return EXIT_USAGE;
    }
    o->kind = (ace_kind)kind;
    return settle(&v, argv, 1, o);
}

int options_run(int argc, char **argv, run_fields *o) {
    values v = { 0 };
    const int first = collect(argc, argv, SETUP_RUN, &v);

    setup_initial(o);
    if (first < 0) return EXIT_USAGE;
    if (v.at[SETUP_HELP]) {
        help(SETUP_RUN);
        o->help = true;
        return EXIT_OK;
    }
    if (first + 2 != argc) {
        fprintf(stderr, "acesim run: found %d arguments, expected CLUSTER.yaml and WORKLOAD\n",
                argc - first);
        return EXIT_USAGE;
    }
    if (cluster_read(argv[first], o) != EXIT_OK) return EXIT_USAGE;
    o->workload = argv[first + 1];
    o->kind = ACE_ALL_REDUCE;
    return settle(&v, argv, 2, o);
}

int options_msccl(int argc, char **argv, run_fields *o) {
    values v = { 0 };
    const int first = collect(argc, argv, SETUP_MSCCL, &v);

    setup_initial(o);
    if (first < 0) return EXIT_USAGE;
    if (v.at[SETUP_HELP]) {
        help(SETUP_MSCCL);
        o->help = true;
        return EXIT_OK;
    }
    if (first + 1 != argc) {
        fprintf(stderr, "acesim msccl: found %d arguments, expected FILE\n", argc - first);
        return EXIT_USAGE;
    }
    o->workload = argv[first];
    o->kind = ACE_ALL_REDUCE;
    return settle(&v, argv, 1, o);
}
