/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.c -- the command lines of collective, run and msccl
 *
 * Their options are the fields of a setup (setup_rows.h).  Each command adds its arguments: a kind
 * of collective, two files, or a plan.
 */
#include "options.h"

#include <string.h>

#include "cluster_file.h"
#include "exit_status.h"
#include "message.h"
#include "setup_rows.h"
#include "values.h"

/* An algorithm of MSCCL only moves messages and has no payload. It does not take fields about
 * collectives of the engine, about data, or about the form of their results. */
static const setup_id not_of_msccl[] = {
    SETUP_ALGORITHM, SETUP_FROM,        SETUP_TO,          SETUP_COUNTS,  SETUP_EXPERTS,
    SETUP_TRANSPOSE, SETUP_SKEW,        SETUP_OP,          SETUP_DIMS,    SETUP_CALIBRATION,
    SETUP_INTERVAL,  SETUP_CONTROL,     SETUP_ORDER,       SETUP_CHUNK,   SETUP_LAZY_LAST_REDUCTION,
    SETUP_PAYLOAD,   SETUP_CHECK,       SETUP_FAULTS,      SETUP_SEED,    SETUP_ALL,
    SETUP_COMPARE,   SETUP_JOBS,        SETUP_REPORT,      SETUP_SAMPLES, SETUP_OUTPUT,
    SETUP_RECORD,    SETUP_RECORD_NODE, SETUP_FAST_FORWARD
};

static bool of_collective(const setup_field *f) { return f->where & SETUP_COLLECTIVE; }
bool options_of_run(const setup_field *f) { return f->where & SETUP_RUN; }
static bool of_msccl(const setup_field *f) {
    for (size_t i = 0; i < sizeof not_of_msccl / sizeof *not_of_msccl; i++)
        if (f == &setup_fields[not_of_msccl[i]]) return false;
    return of_collective(f);
}

/* Values that are not fields of a setup: the file of the cluster, and the loops of msccl. */
typedef struct question {
    const char *cluster;
    unsigned loops;
    setup_rows r;
} question;
#define CLUSTER_ROW                                                      \
    OPTION_TEXT_ROW(question, cluster, "cluster", "FILE",                \
                    "cluster file; options replace single values of it", \
                    OPTION_COMMON(OPTION_CLUSTER))
static const option_row collective_rows[] = { CLUSTER_ROW };
static const option_row msccl_rows[] = {
    CLUSTER_ROW,
    { "loops", "N", OPTION_UNSIGNED, offsetof(question, loops),
      .text = "parts into which a chunk is cut, 1 to 1024 [1]", .accepted = "1 to 1024", .low = 1,
      .high = OPTIONS_LOOPS },
};

static const option_table collective_options = {
    .command = "collective",
    .about = "usage: acesim collective KIND [OPTIONS]\n\nKIND is all-reduce, reduce-scatter, "
             "all-gather, all-to-all,\nall-to-all-v, broadcast, reduce, gather, scatter, "
             "send-receive or barrier.\n\n",
    .tail = "\nexample: acesim collective all-reduce --topology 4x4x4 --size 64MiB --threads 4\n",
    .most = -1, /* the kind is checked first */
    .group = { OPTION_GROUP(collective_rows) },
};
static const option_table run_options = {
    .command = "run",
    .about =
        "usage: acesim run CLUSTER.yaml WORKLOAD [OPTIONS]\n\nWORKLOAD is a YAML file or a "
        "layer table of ASTRA-sim 1.0.  Each file is looked for\nas it is written, then in the "
        "folder that ACESIM_DATA names, the installation and\nthe source tree.  One of the two "
        "may be -, standard input.\n\n",
    .tail = "\nexample: acesim run workloads/clusters/torus-4x2x2.yaml workloads/resnet50.yaml\n",
    .least = 2,
    .most = 2,
    .expected = "CLUSTER.yaml and WORKLOAD",
};
static const option_table msccl_options = {
    .command = "msccl",
    .about =
        "usage: acesim msccl FILE [OPTIONS]\n\nRuns an algorithm in MSCCL's XML, or a plan of "
        "MSCCL++ in JSON, as messages between\nthe NPUs, after it was found to do what it says.  "
        "FILE is looked for as it is written, then\nin the folder that ACESIM_DATA names, the "
        "installation and the source tree.\n\n",
    .tail = "\nexample: acesim msccl algorithms/allreduce-ring-8.xml --topology 8 --size 16MiB\n",
    .least = 1,
    .most = 1,
    .expected = "FILE",
    .group = { OPTION_GROUP(msccl_rows) },
};

/* Reads the options of one of the three commands into q. Returns NULL if the command ends. */
static char **read(const option_table *options, bool (*takes)(const setup_field *), int argc,
                   char **argv, question *q, int *status) {
    option_table t = *options;

    memset(q->r.at, 0, sizeof q->r.at);
    q->cluster = NULL;
    t.group[1] = setup_rows_group(&q->r, takes, offsetof(question, r));
    return option_table_read(&t, argc, argv, q, status);
}

/* Reads the file of the cluster, then the options, which replace single values from the file. */
static int take(const question *q, const char *const *arguments, unsigned count, setup *o) {
    int rc = q->cluster ? cluster_read(q->cluster, o) : EXIT_OK;

    if (rc == EXIT_OK) rc = setup_rows_take(&q->r, arguments, count, o);
    if (q->cluster) o->arguments[o->argument_count++] = (setup_argument){ "cluster", q->cluster };
    return rc;
}

bool options_collective(int argc, char **argv, setup *o, int *status) {
    return options_collective_over(argc, argv, NULL, o, status);
}

bool options_collective_over(int argc, char **argv, const setup_rows *over, setup *o, int *status) {
    question q;
    int kind;
    char **kind_word;

    setup_initial(o);
    kind_word = read(&collective_options, of_collective, argc, argv, &q, status);
    if (!kind_word) return false;
    const bool known =
        kind_word[0] && parse_name(*kind_word, kind_names, &kind) && kind != ACE_LIST;
    if (known && kind_word[1]) {
        fprintf(stderr,
                "acesim collective: found '%s' behind the KIND %s, expected options alone; a value "
                "is one word, such as 64MiB\n",
                kind_word[1], kind_word[0]);
        *status = EXIT_USAGE;
        return false;
    }
    if (!known) {
        const char *const found = kind_word[0] ? kind_word[0] : "nothing";
        char hint[MESSAGE_HINT];

        fprintf(stderr,
                "acesim collective: found '%s', expected one KIND of all-reduce reduce-scatter "
                "all-gather all-to-all all-to-all-v broadcast reduce gather scatter send-receive "
                "barrier%s\n",
                found, message_hint(hint, found, kind_names));
        *status = EXIT_USAGE;
        return false;
    }
    o->machine.kind = (ace_kind)kind;
    for (unsigned i = 0; over && i < SETUP_FIELDS; i++)
        if (over->at[i]) q.r.at[i] = over->at[i];
    *status = take(&q, (const char *[]){ argv[0], *kind_word }, 2, o);
    return *status == EXIT_OK;
}

bool options_run(int argc, char **argv, setup *o, int *status) {
    question q;
    char **files;

    setup_initial(o);
    files = read(&run_options, options_of_run, argc, argv, &q, status);
    if (!files) return false;
    *status = cluster_read(files[0], o);
    if (*status != EXIT_OK) return false;
    o->machine.workload = files[1];
    o->machine.kind = ACE_ALL_REDUCE;
    *status = setup_rows_take(&q.r, (const char *[]){ argv[0], files[0], files[1] }, 3, o);
    return *status == EXIT_OK;
}

bool options_msccl(int argc, char **argv, setup *o, unsigned *loops, int *status) {
    question q;
    char **file;

    q.loops = *loops;
    setup_initial(o);
    file = read(&msccl_options, of_msccl, argc, argv, &q, status);
    if (!file) return false;
    *loops = q.loops;
    o->machine.workload = *file;
    o->machine.kind = ACE_ALL_REDUCE;
    *status = take(&q, (const char *[]){ argv[0], *file }, 2, o);
    return *status == EXIT_OK;
}
