/* SPDX-License-Identifier: Apache-2.0 */
/* collective_reader.c -- checks a row of any form of measured collectives and keeps it, see
 * collective_reader.h */
#include "collective_reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"
#include "values.h"
#include "yaml_file.h"

double collective_rows_share(ace_kind kind, unsigned ranks) {
    const double n = ranks;

    switch (kind) {
    case ACE_ALL_REDUCE: return 2 * (n - 1) / n;
    case ACE_BROADCAST:
    case ACE_REDUCE: return 1;
    default: return (n - 1) / n;
    }
}

int collective_reader_refuse(const collective_reader *r, size_t column, const char *found,
                             const char *expected) {
    yaml_error(r->at.file, r->at.line, column, found, expected);
    return EXIT_USAGE;
}

int collective_reader_refuse_field(const collective_reader *r, const csv_field *f, const char *what,
                                   const char *expected) {
    return csv_refuse(&r->at, f, what, expected);
}

bool collective_reader_number(const char *text, double *v) {
    char *end;

    *v = strtod(text, &end);
    return end != text && !*end && *v >= 0 && *v < 1e15;
}

/* The programs of nccl-tests, and the names that rccl-tests' records have. */
static const struct program {
    const char *name, *record;
    ace_kind kind;
} programs[] = { { "all_reduce_perf", "AllReduce", ACE_ALL_REDUCE },
                 { "reduce_scatter_perf", "ReduceScatter", ACE_REDUCE_SCATTER },
                 { "all_gather_perf", "AllGather", ACE_ALL_GATHER },
                 { "alltoall_perf", "AlltoAll", ACE_ALL_TO_ALL },
                 { "broadcast_perf", "Broadcast", ACE_BROADCAST },
                 { "reduce_perf", "Reduce", ACE_REDUCE } };

void collective_reader_name(collective_reader *r, const char *program, size_t length) {
    snprintf(r->program, sizeof r->program, "%.*s", (int)(length < 47 ? length : 47), program);
    r->kind = -1;
    for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++)
        if (!strcmp(r->program, programs[i].name) || !strcmp(r->program, programs[i].record))
            r->kind = (int)programs[i].kind;
}

/* Checks that the rows name their collective, and that it is the one of --collective. */
static int check_kind(const collective_reader *r, const csv_field *f) {
    char found[120], expected[80];

    if (r->kind < 0 && *r->program) {
        snprintf(found, sizeof found, "rows of %s", r->program);
        return collective_reader_refuse(r, f->column, found,
                                        "all_reduce_perf, reduce_scatter_perf, all_gather_perf, "
                                        "alltoall_perf, broadcast_perf or reduce_perf");
    }
    if (r->kind < 0)
        return collective_reader_refuse(r, f->column, "rows that do not say of which collective",
                                        "--collective NAME beside them");
    if (r->expected_kind < 0 || r->expected_kind == r->kind) return EXIT_OK;
    snprintf(found, sizeof found, "rows of %s", *r->program ? r->program : kind_names[r->kind]);
    snprintf(expected, sizeof expected, "%s, which --collective says",
             kind_names[r->expected_kind]);
    return collective_reader_refuse(r, f->column, found, expected);
}

/* Each field is rounded: the time by half of its last digit, the bandwidth to two digits. */
static int check_bus(const collective_reader *r, const collective_row *row, const csv_field *bus) {
    const double is = collective_rows_share(row->kind, r->ranks) * row->bytes / row->us / 1000;
    char expected[120];
    double given;

    if (!collective_reader_number(bus->text, &given))
        return collective_reader_refuse_field(r, bus, "a bus bandwidth", "GB/s");
    if (fabs(given - is) <= 0.011 + 0.01 * is) return EXIT_OK;
    snprintf(expected, sizeof expected,
             "%.2f GB/s, which is what its bytes and microseconds say of %u ranks", is, r->ranks);
    return collective_reader_refuse_field(r, bus, "the bus bandwidth", expected);
}

int collective_reader_add(collective_reader *r, const csv_field *bytes, const csv_field *us,
                          const csv_field *bus, const csv_field *wrong) {
    collective_row row = { 0 };
    double elements = 0;
    int rc = check_kind(r, bytes);

    if (rc != EXIT_OK) return rc;
    row.kind = (ace_kind)r->kind;
    row.line = r->at.line;
    row.column = us->column;
    if (!collective_reader_number(bytes->text, &row.bytes) || (row.bytes > 0 && row.bytes < 1))
        return collective_reader_refuse_field(r, bytes, "bytes", "a whole number");
    if (!(row.bytes > 0)) return r->to->rows_of_0_bytes++, EXIT_OK;
    if (wrong && strcmp(wrong->text, "N/A") &&
        (!collective_reader_number(wrong->text, &elements) || elements > 0))
        return collective_reader_refuse_field(r, wrong, "wrong elements",
                                              "0 or N/A: times of wrong results are not fitted");
    if (!collective_reader_number(us->text, &row.us) || !(row.us > 0))
        return collective_reader_refuse_field(r, us, "a time", "microseconds above 0");
    if (bus) rc = check_bus(r, &row, bus);
    if (rc != EXIT_OK) return rc;
    for (unsigned i = 0; i < r->to->count; i++)
        if (r->to->at[i].kind == row.kind && r->to->at[i].bytes == row.bytes)
            return collective_reader_refuse_field(r, bytes, "bytes a second time",
                                                  "each size of a kind once");
    if (r->to->count == CSV_LINES)
        return collective_reader_refuse(r, bytes->column, "more than 100000 rows", "fewer");
    r->to->at[r->to->count++] = row;
    return EXIT_OK;
}

int collective_reader_devices(const collective_reader *r, unsigned ranks, unsigned hosts) {
    char found[80], expected[120];

    if (ranks == r->ranks && (!hosts || hosts == r->nodes)) return EXIT_OK;
    /* All programs print bus bandwidths.  Those of one rank are 0, except of these two kinds. */
    if (ranks == 1 && r->kind != ACE_BROADCAST && r->kind != ACE_REDUCE) return EXIT_OK;
    snprintf(found, sizeof found, "%u %s on %u %s in the list of devices", ranks,
             ranks == 1 ? "rank" : "ranks", hosts, hosts == 1 ? "host" : "hosts");
    snprintf(expected, sizeof expected, "%u ranks in %u %s, which --fabric has", r->ranks, r->nodes,
             r->nodes == 1 ? "node" : "nodes");
    return collective_reader_refuse(r, 1, found, expected);
}
