/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_text.c -- streams traces to YAML documents and back
 *
 * A graph file is read twice. The first pass only checks it, and the second writes the traces, so
 * a faulty file leaves no traces behind. A node count precedes each trace, so that neither
 * direction keeps a trace in memory.
 */
#include "chakra_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_file.h"
#include "chakra_file.h"
#include "chakra_process_groups.h"
#include "exit_status.h"
#include "message.h"
#include "message_text.h"
#include "values.h"

enum { NAME = 4096 + 32, RANKS = 1 << 20 };

unsigned chakra_text_ranks(const char *prefix) {
    unsigned ranks = 0;

    for (FILE *f = NULL; ranks < RANKS; ranks++) {
        char name[NAME];

        snprintf(name, sizeof name, "%s.%u.et", prefix, ranks);
        f = fopen(name, "rb");
        if (!f) break;
        fclose(f);
    }
    return ranks;
}

/* ---- traces to text -------------------------------------------------------------------------- */

/* Writes a message as a document. `whose`: the start of an error message. */
static int put_message(FILE *to, const char *whose, const ProtobufCMessage *m) {
    yaml_document_t doc;
    yaml_emitter_t yaml;
    int rc = EXIT_USAGE;

    if (!yaml_document_initialize(&doc, NULL, NULL, NULL, 1, 1)) return message_no_memory();
    if (!message_text_put(&doc, whose, m)) {
        yaml_document_delete(&doc);
        return rc;
    }
    if (!yaml_emitter_initialize(&yaml)) {
        yaml_document_delete(&doc);
        return message_no_memory();
    }
    yaml_emitter_set_output_file(&yaml, to);
    yaml_emitter_set_width(&yaml, -1);
    yaml_emitter_set_unicode(&yaml, 1);
    rc = yaml_emitter_dump(&yaml, &doc) && yaml_emitter_flush(&yaml) ? EXIT_OK : EXIT_CHECK;
    yaml_emitter_delete(&yaml);
    return rc;
}

/* Counts the nodes of a trace, and goes back to the first one. */
static int count_nodes(chakra_file *f, uint64_t *nodes) {
    const Chakra__Node *n;
    int more;

    for (*nodes = 0; (more = chakra_file_next(f, &n)) > 0;) ++*nodes;
    return more < 0 ? EXIT_USAGE : chakra_file_rewind(f);
}

static int put_nodes(FILE *to, chakra_file *f) {
    const Chakra__Node *n;
    int rc = EXIT_OK, more = 0;

    while (rc == EXIT_OK && (more = chakra_file_next(f, &n)) > 0) {
        char whose[NAME + 32];

        snprintf(whose, sizeof whose, "%s: node %" PRIu64, chakra_file_name(f), n->id);
        fprintf(to, "---\n");
        rc = put_message(to, whose, &n->base);
    }
    return rc == EXIT_OK && more < 0 ? EXIT_USAGE : rc;
}

static int put_trace(FILE *to, const chakra_text *t, unsigned rank) {
    char name[NAME];
    chakra_file *f;
    uint64_t nodes;
    int rc;

    snprintf(name, sizeof name, "%s.%u.et", t->prefix, rank);
    rc = chakra_file_open(name, &f);
    if (rc != EXIT_OK) return rc;
    rc = count_nodes(f, &nodes);
    if (rc == EXIT_OK) {
        fprintf(to, "---\nrank: %u\nnodes: %" PRIu64 "\n---\n", rank, nodes);
        rc = put_message(to, name, &chakra_file_metadata(f)->base);
    }
    if (rc == EXIT_OK) rc = put_nodes(to, f);
    chakra_file_close(f);
    return rc;
}

int chakra_text_write(const char *file, const chakra_text *t) {
    atomic_file f;
    int rc = atomic_file_open(&f, file);

    if (rc != EXIT_OK) return rc;
    fprintf(f.to, "# Of the Chakra traces %s.\nranks: %u\n", t->prefix, t->ranks);
    if (t->groups.count) {
        fprintf(f.to, "groups: ");
        astra_groups_write(f.to, &t->groups);
        fprintf(f.to, "\n");
    }
    if (t->memory.type != ASTRA_MEMORY_NONE) {
        fprintf(f.to, "remote_memory: ");
        astra_memory_write(f.to, &t->memory);
        fprintf(f.to, "\n");
    }
    for (unsigned i = 0; rc == EXIT_OK && i < t->ranks; i++) rc = put_trace(f.to, t, i);
    if (rc == EXIT_OK) return atomic_file_close(&f);
    atomic_file_drop(&f);
    return rc;
}

/* ---- text to traces -------------------------------------------------------------------------- */

typedef struct reader {
    yaml_documents d;
    const char *file, *prefix;
    bool writes; /* in the second pass; the first one only checks */
    uint64_t ranks, rank, nodes;
    bool *seen; /* for each rank: its trace was read */
    astra_groups groups;
    astra_memory memory;
} reader;

static bool read_ranks(void *to, const char *s) { return parse_unsigned(s, 1, RANKS, to); }
static bool read_number(void *to, const char *s) { return parse_unsigned(s, 0, UINT64_MAX, to); }

/* The position in the message is where the current document begins. */
static int fail(const reader *r, const char *found, const char *expected) {
    const yaml_mark_t at = r->d.parser.mark;
    const yaml_node_t *n =
        r->d.loaded ? yaml_document_get_root_node((yaml_document_t *)&r->d.doc) : NULL;

    yaml_error(r->d.file, (n ? n->start_mark.line : at.line) + 1, n ? n->start_mark.column + 1 : 1,
               found, expected);
    return EXIT_USAGE;
}

static int read_head(reader *r) {
    astra_groups_reader groups = { .file = r->d.file, .npus = &r->ranks, .to = &r->groups };
    yaml_items items = astra_groups_items(&groups);
    yaml_key memory[ASTRA_MEMORY_KEYS];
    const yaml_key keys[] = {
        { "ranks", true, read_ranks, &r->ranks, "how many traces there are, 1 to 2^20", NULL },
        { "groups", false, NULL, &items, "lists of ranks below 'ranks', which stands first", NULL },
        { "remote_memory", false, NULL, NULL, "the keys of ASTRA-sim 2.x's file", memory },
        { 0 }
    };
    const int more = yaml_documents_next(&r->d);

    astra_groups_free(&r->groups);
    astra_memory_keys(&r->memory, memory);
    if (!more) return fail(r, "an empty file", "a graph file, which begins with 'ranks'");
    if (more < 0 || yaml_documents_read(&r->d, keys, NULL)) return EXIT_USAGE;
    free(r->seen);
    r->seen = calloc(r->ranks, sizeof *r->seen);
    if (!r->seen) return message_no_memory();
    return astra_memory_check(r->d.file, (unsigned)r->ranks, &r->memory);
}

/* Reads the next document as a message, and writes it to the trace. */
static int read_message(reader *r, FILE *to, const ProtobufCMessageDescriptor *what) {
    const int more = yaml_documents_next(&r->d);
    ProtobufCMessage *m;

    if (!more) return fail(r, "the end inside a trace", "as many nodes as 'nodes' says");
    if (more < 0) return EXIT_USAGE;
    m = message_text_get(&r->d, yaml_document_get_root_node(&r->d.doc), what);
    if (!m) return EXIT_USAGE;
    if (to) chakra_file_put(to, m);
    protobuf_c_message_free_unpacked(m, NULL);
    return EXIT_OK;
}

static int read_trace(reader *r) {
    char name[NAME];
    atomic_file f = { 0 };
    int rc = EXIT_OK;

    snprintf(name, sizeof name, "%s.%" PRIu64 ".et", r->prefix, r->rank);
    if (r->writes) rc = atomic_file_open(&f, name);
    if (rc != EXIT_OK) return rc;
    rc = read_message(r, f.to, &chakra__global_metadata__descriptor);
    for (uint64_t i = 0; rc == EXIT_OK && i < r->nodes; i++)
        rc = read_message(r, f.to, &chakra__node__descriptor);
    if (!r->writes) return rc;
    if (rc == EXIT_OK) return atomic_file_close(&f);
    atomic_file_drop(&f);
    return rc;
}

/* Reads the document that begins a trace. Returns 1; 0 at the end; -1 after a message. */
static int read_rank(reader *r) {
    const yaml_key keys[] = { { "rank", true, read_number, &r->rank, "the number of an NPU", NULL },
                              { "nodes", true, read_number, &r->nodes,
                                "how many nodes the trace has", NULL },
                              { 0 } };
    const int more = yaml_documents_next(&r->d);

    if (more <= 0) return more;
    if (yaml_documents_read(&r->d, keys, NULL)) return -1;
    if (r->rank >= r->ranks || r->seen[r->rank]) {
        (void)fail(r, "a rank twice, or one that is not below 'ranks'", "each rank once");
        return -1;
    }
    r->seen[r->rank] = true;
    return 1;
}

static int read_all(reader *r) {
    char found[80];
    int rc, more = 0;

    if (yaml_documents_open(r->file, &r->d)) return EXIT_USAGE;
    rc = read_head(r);
    while (rc == EXIT_OK && (more = read_rank(r)) > 0) rc = read_trace(r);
    if (more < 0) rc = EXIT_USAGE;
    for (uint64_t i = 0; rc == EXIT_OK && i < r->ranks; i++) {
        if (r->seen[i]) continue;
        snprintf(found, sizeof found, "no trace of rank %" PRIu64, i);
        rc = fail(r, found, "one of each below 'ranks'");
    }
    yaml_documents_close(&r->d);
    return rc;
}

/* Writes the groups or the remote memory to a file next to the traces. */
static int write_beside(const reader *r, const char *end) {
    char name[NAME];
    atomic_file f;
    int rc;

    snprintf(name, sizeof name, "%s.%s.json", r->prefix, end);
    rc = atomic_file_open(&f, name);
    if (rc != EXIT_OK) return rc;
    if (!strcmp(end, "groups"))
        astra_groups_write(f.to, &r->groups);
    else
        astra_memory_write(f.to, &r->memory);
    fprintf(f.to, "\n");
    return atomic_file_close(&f);
}

/* If the file lists no groups, writes those in the traces, for readers that do not read them there.
 * A group file has one group of a name, and none named 0. */
static int find_groups(reader *r) {
    const chakra_setup s = { .prefix = r->prefix };
    astra_groups *g = &r->groups;
    unsigned kept = 0;
    int rc = chakra_process_groups(&s, (unsigned)r->ranks, g);

    for (unsigned i = 0; rc == EXIT_OK && i < g->count; i++)
        for (unsigned k = 0; k < i; k++) {
            if (strcmp(g->at[i].name, g->at[k].name) != 0) continue;
            fprintf(stderr,
                    "acesim: %s: the traces have several groups of the name %s: there is no "
                    "%s.groups.json, which could hold one\n",
                    r->d.file, g->at[i].name, r->prefix);
            astra_groups_free(g);
            return EXIT_OK;
        }
    for (unsigned i = 0; i < g->count; i++) {
        if (strcmp(g->at[i].name, "0") != 0) {
            g->at[kept++] = g->at[i];
            continue;
        }
        free(g->at[i].name);
        free(g->at[i].npu);
    }
    g->count = kept;
    return rc;
}

int chakra_text_read(const char *file, const char *prefix) {
    reader r = { .file = file, .prefix = prefix };
    int rc = read_all(&r);

    r.writes = true;
    if (rc == EXIT_OK) rc = read_all(&r);
    if (rc == EXIT_OK && !r.groups.count) rc = find_groups(&r);
    if (rc == EXIT_OK && r.groups.count) rc = write_beside(&r, "groups");
    if (rc == EXIT_OK && r.memory.type != ASTRA_MEMORY_NONE) rc = write_beside(&r, "memory");
    astra_groups_free(&r.groups);
    free(r.seen);
    return rc;
}
