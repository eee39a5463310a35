/* SPDX-License-Identifier: Apache-2.0 */
/* compat_csv.c -- writes the tables of a run as files in a folder */
#include "compat_csv.h"

#include <inttypes.h>
#include <string.h>

#include "exit_status.h"
#include "figures.h"
#include "values.h"

int compat_csv_open(compat_csv *c, const char *folder, const char *name, const char *columns) {
    int rc;

    if ((size_t)snprintf(c->path, sizeof c->path, "%s/%s", folder, name) >= sizeof c->path) {
        fprintf(stderr,
                "acesim: --csv: found a name of %zu letters and more, expected a shorter one\n",
                sizeof c->path);
        return EXIT_USAGE;
    }
    rc = atomic_file_folder_take(folder);
    if (rc == EXIT_OK) rc = atomic_file_open(&c->file, c->path);
    if (rc == EXIT_OK) fprintf(c->file.to, "# 1 tick = 1 ns\n%s\n", columns);
    return rc;
}

int compat_csv_close(compat_csv *c) { return atomic_file_close(&c->file); }

static void put_time(FILE *to, uint64_t v, double ns) {
    fprintf(to, ",%" PRIu64, figure_scaled(v, ns));
}

int compat_csv_end_to_end(const char *folder, const compat_time *time, unsigned npus, double ns,
                          bool whole) {
    compat_csv c;
    int rc = compat_csv_open(
        &c, folder, "EndToEnd.csv",
        whole ? "npu,finished,exposed_communication,communication,computing,memory,cpu,idle"
              : "npu,finished,exposed_communication,communication,computing");

    if (rc != EXIT_OK) return rc;
    for (unsigned i = 0; i < npus; i++) {
        const compat_time *t = &time[i];
        const uint64_t counted = t->computing + t->exposed + t->memory + t->host;

        fprintf(c.file.to, "%u", i);
        put_time(c.file.to, t->finished, ns);
        put_time(c.file.to, t->exposed, ns);
        put_time(c.file.to, t->communication, ns);
        put_time(c.file.to, t->computing, ns);
        if (whole) {
            put_time(c.file.to, t->memory, ns);
            put_time(c.file.to, t->host, ns);
            put_time(c.file.to, t->finished - counted, ns);
        }
        fprintf(c.file.to, "\n");
    }
    return compat_csv_close(&c);
}

int compat_csv_links(const char *folder, const fabric_link_count *of, unsigned npus,
                     unsigned dimensions, double ns) {
    compat_csv c;
    const int rc = compat_csv_open(&c, folder, "links.csv", "npu,link,bytes,busy,starved,blocked");

    if (rc != EXIT_OK) return rc;
    for (unsigned i = 0; i < npus; i++)
        for (unsigned l = 0; l < 2 * dimensions; l++, of++) {
            fprintf(c.file.to, "%u,%c%c,%" PRIu64, i, ACE_DIMENSION_LETTERS[l / 2], "+-"[l % 2],
                    of -> bytes);
            put_time(c.file.to, of->busy, ns);
            put_time(c.file.to, of->starved, ns);
            put_time(c.file.to, of->blocked, ns);
            fprintf(c.file.to, "\n");
        }
    return compat_csv_close(&c);
}

const char compat_csv_collectives[] =
    "npu,node,kind,size,dimension,messages,bytes,latency,serial,endpoint,reduction,waiting,time";

static void put_row(FILE *to, unsigned npu, const graph_node *n, const char *dim, uint64_t messages,
                    uint64_t bytes, const uint64_t ns[COMPAT_CAUSES]) {
    uint64_t all = 0;

    fprintf(to, "%u,%" PRIu64 ",%s,%" PRIu64 ",%s,%" PRIu64 ",%" PRIu64, npu, n->id,
            kind_names[n->command.kind], n->command.bytes, dim, messages, bytes);
    for (unsigned i = 0; i < COMPAT_CAUSES; i++) {
        fprintf(to, ",%" PRIu64, ns[i]);
        all += ns[i];
    }
    fprintf(to, ",%" PRIu64 "\n", all);
}

void compat_csv_collective(FILE *to, unsigned npu, const graph_node *n, unsigned dims,
                           const compat_breakdown *b) {
    uint64_t ns[COMPAT_CAUSES] = { 0 }, messages = 0, bytes = 0;

    for (unsigned d = 0; d < dims; d++) {
        char dim[4];

        for (unsigned i = 0; i < COMPAT_CAUSES; i++) ns[i] += b->ns[d][i];
        messages += b->messages[d];
        bytes += b->bytes[d];
        snprintf(dim, sizeof dim, "%u", d);
        if (b->messages[d]) put_row(to, npu, n, dim, b->messages[d], b->bytes[d], b->ns[d]);
    }
    put_row(to, npu, n, "all", messages, bytes, ns);
}
