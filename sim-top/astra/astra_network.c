/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_network.c -- reads ASTRA-sim's network files: see astra_files.h
 *
 * For 2.x that is the file of the analytical backends. For 1.0 it is the file of its analytical
 * backend "Hierarchical", in which each NPU has links-count links in a dimension that share its
 * messages. A file is taken as 1.0 when it has any key that only 1.0 has, because the public files
 * leave different keys out. A file of another backend is recognized by one of its keys. It is
 * refused with a message that shows the equivalent here.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "astra_bound.h"
#include "astra_files.h"
#include "exit_status.h"
#include "input_file.h"
#include "values.h"
#include "yaml_file.h"

static const double gib_in_GB = 1.073741824;

static const char *const blocks[] = { "Ring", "Switch", "FullyConnected", "Links", NULL };
static const uint8_t wirings[] = { WIRING_RING, WIRING_SWITCH, WIRING_DIRECT, WIRING_LINKS };

/* A list: its name, what its values may be, and how a value is taken. */
typedef struct network_list {
    const char *name, *accepted;
    bool (*take)(void *n, unsigned at, const char *s);
    bool optional;
    astra_position *at; /* set to the position of each value, or NULL */
    const char *file;
    void *n;
    unsigned count;
} network_list;

static bool take_block(void *to, unsigned at, const char *s) {
    int v;

    if (!parse_name(s, blocks, &v)) return false;
    ((astra_network *)to)->wiring[at] = wirings[v];
    return true;
}
static bool take_members(void *to, unsigned at, const char *s) {
    uint64_t v;

    if (!parse_unsigned(s, 2, ASTRA_NPUS, &v)) return false;
    ((astra_network *)to)->members[at] = (unsigned)v;
    return true;
}
static bool take_bandwidth(void *to, unsigned at, const char *s) {
    astra_network *n = to;

    if (!parse_positive(s, &n->GBps[at])) return false;
    n->GBps[at] *= gib_in_GB;
    return true;
}
static bool take_latency(void *to, unsigned at, const char *s) {
    return parse_not_negative(s, &((astra_network *)to)->latency_ns[at]);
}
static bool take_in_network(void *to, unsigned at, const char *s) {
    static const char *const names[] = { "none", ASTRA_IN_NETWORK, NULL };
    int v;

    if (!parse_name(s, names, &v)) return false;
    ((astra_network *)to)->in_network[at] = v;
    return true;
}
#define ACCEPTED_MEMBERS   "2 to 1048576 NPUs"
#define ACCEPTED_BANDWIDTH "GB/s of a link, above 0"
#define ACCEPTED_LATENCY   "ns of a link, 0 or more"

static bool take_item(void *self, const yaml_item *i) {
    network_list *l = self;
    char found[128];

    if (i->index < ASTRA_DIMENSIONS && l->take(l->n, i->index, i->value)) {
        l->count = i->index + 1;
        if (l->at) l->at[i->index] = (astra_position){ i->line, i->column };
        return true;
    }
    snprintf(found, sizeof found, i->index < ASTRA_DIMENSIONS ? "'%.90s'" : "a ninth dimension",
             i->value);
    yaml_error(l->file, i->line, i->column, found,
               i->index < ASTRA_DIMENSIONS ? l->accepted : "eight at most");
    return false;
}

enum { LISTS = 11 };

static void list_keys(network_list *l, unsigned lists, const char *file, void *n,
                      yaml_items items[LISTS], yaml_key *keys) {
    for (unsigned i = 0; i < lists; i++) {
        l[i].file = file;
        l[i].n = n;
        items[i] = (yaml_items){ .take = take_item, .self = &l[i] };
        keys[i] = (yaml_key){ l[i].name, !l[i].optional, NULL, &items[i], l[i].accepted, NULL };
    }
}

static int check_counts(const network_list *l, unsigned lists) {
    for (unsigned i = 1; i < lists; i++) {
        char found[96];

        if (l[i].count == l[0].count || (l[i].optional && !l[i].count)) continue;
        snprintf(found, sizeof found, "%u values of %s and %u of %s", l[i].count, l[i].name,
                 l[0].count, l[0].name);
        yaml_error(l->file, 1, 1, found, "as many of each");
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

static int count_npus(const char *file, astra_network *n, unsigned dims) {
    uint64_t npus = 1;
    char found[64];

    n->dims = dims;
    for (unsigned d = 0; d < dims; d++) {
        npus *= n->members[d];
        if (npus <= ASTRA_NPUS) continue;
        snprintf(found, sizeof found, "%" PRIu64 " NPUs in %u dimensions", npus, d + 1);
        yaml_error(file, n->members_at[d].line, n->members_at[d].column, found,
                   "1048576 at most in all");
        return EXIT_USAGE;
    }
    n->npus = (unsigned)npus;
    return EXIT_OK;
}

/* ---- of 2.x ------------------------------------------------------------------------------- */

static bool read_links(void *to, const char *s) {
    astra_network *n = to;

    return *s && (size_t)snprintf(n->links, sizeof n->links, "%s", s) < sizeof n->links;
}

static int read_2(const char *file, astra_network *n) {
    enum { LISTS_2 = 5 };
    network_list l[LISTS_2] = {
        { .name = "topology", "Ring, Switch, FullyConnected or Links", take_block },
        { .name = "npus_count", ACCEPTED_MEMBERS, take_members, .at = n->members_at },
        { .name = "bandwidth", ACCEPTED_BANDWIDTH, take_bandwidth },
        { .name = "latency", ACCEPTED_LATENCY, take_latency, .at = n->latency_at },
        { .name = "in-network", "none or " ASTRA_IN_NETWORK, take_in_network, .optional = true },
    };
    yaml_items items[LISTS];
    yaml_key keys[LISTS_2 + 2] = { 0 };
    unsigned listed = 0;

    list_keys(l, LISTS_2, file, n, items, keys);
    keys[LISTS_2] = (yaml_key){
        "links_file", false, read_links, n, "a file of at most 255 letters that lists links", NULL
    };
    if (yaml_read(file, keys) || check_counts(l, LISTS_2) || count_npus(file, n, l[0].count))
        return EXIT_USAGE;
    for (unsigned d = 0; d < n->dims; d++)
        if (n->in_network[d] && n->wiring[d] != WIRING_SWITCH) {
            yaml_error(file, 1, 1, "in-network of a dimension that is no Switch", "none there");
            return EXIT_USAGE;
        }
    for (unsigned d = 0; d < n->dims; d++) listed += n->wiring[d] == WIRING_LINKS;
    if (listed == (*n->links != 0)) return EXIT_OK;
    yaml_error(file, 1, 1,
               listed ? "Links without links_file, or twice" : "links_file without Links",
               "one dimension of Links and the file that lists them");
    return EXIT_USAGE;
}

/* ---- of 1.0 ------------------------------------------------------------------------------- */

typedef struct network_1 {
    /* the first member, because functions for values of 2.x take this struct, too */
    astra_network n;
    uint64_t dims;
    unsigned links[ASTRA_DIMENSIONS];
    double nic_ns[ASTRA_DIMENSIONS], router_ns[ASTRA_DIMENSIONS];
    double scale[ASTRA_DIMENSIONS]; /* of the memory's time; 0: no memory time */
} network_1;

static bool take_block_1(void *to, unsigned at, const char *s) {
    return strcmp(s, "Links") != 0 && take_block(to, at, s);
}
static bool take_links_1(void *to, unsigned at, const char *s) {
    uint64_t v;

    if (!parse_unsigned(s, 1, 1024, &v)) return false;
    ((network_1 *)to)->links[at] = (unsigned)v;
    return true;
}
static bool take_nic(void *to, unsigned at, const char *s) {
    return parse_not_negative(s, &((network_1 *)to)->nic_ns[at]);
}
static bool take_router(void *to, unsigned at, const char *s) {
    return parse_not_negative(s, &((network_1 *)to)->router_ns[at]);
}
static bool take_scale(void *to, unsigned at, const char *s) {
    return parse_not_negative(s, &((network_1 *)to)->scale[at]);
}
/* Checks a number that has no effect here: a memory time, since memory is simulated, or the price
 * of a dimension. */
static bool take_number(void *to, unsigned at, const char *s) {
    double v;

    (void)to;
    (void)at;
    return parse_not_negative(s, &v);
}
static bool take_type(void *to, unsigned at, const char *s) {
    static const char *const types[] = { "T", "N", "P", "PP", NULL };
    int v;

    (void)to;
    (void)at;
    return parse_name(s, types, &v);
}

static bool read_hierarchical(void *to, const char *s) {
    (void)to;
    return !strcmp(s, "Hierarchical");
}
static bool read_dims(void *to, const char *s) {
    return parse_unsigned(s, 1, ASTRA_DIMENSIONS, to);
}

static int error_1(const char *file, unsigned d, const char *found, const char *expected) {
    char text[160];

    snprintf(text, sizeof text, "%s in dimension %u", found, d);
    yaml_error(file, 1, 1, text, expected);
    return EXIT_USAGE;
}

/* Converts the links of an NPU in a dimension into this model's links: both directions of a ring,
 * one link to a switch, or one to each other member. The other waiting time of a message is added
 * to the latency of each link. */
static int settle_1(const char *file, network_1 *r) {
    astra_network *n = &r->n;

    for (unsigned d = 0; d < n->dims; d++) {
        const bool ring = n->wiring[d] == WIRING_RING, direct = n->wiring[d] == WIRING_DIRECT;
        const unsigned of = astra_network_links(n, d);
        char found[96];

        if (r->links[d] % of) {
            snprintf(found, sizeof found, "links-count %u of a %s", r->links[d],
                     ring ? "Ring" : "FullyConnected");
            return error_1(file, d, found,
                           ring ? "an even number" : "a multiple of the other members");
        }
        n->GBps[d] *= r->links[d] / of;
        if (ring && r->nic_ns[d] > 0)
            return error_1(file, d, "nic-latency of a Ring",
                           "0: a message passes NPUs, and waits at its ends alone");
        if (direct) n->latency_ns[d] += 2 * r->nic_ns[d];
        if (!ring && !direct) n->latency_ns[d] += r->nic_ns[d] + r->router_ns[d] / 2;
        if (r->scale[d] > 0)
            fprintf(stderr,
                    "acesim: %s: hbm-scale of dimension %u has no effect here: the memory of "
                    "hbm-latency and hbm-bandwidth; here the memory is simulated\n",
                    file, d);
    }
    return EXIT_OK;
}

/* A key that a file of 1.0 may lack is 0, as in a backend that does not know the key. */
static int read_1(const char *file, astra_network *n) {
    network_1 r = { .n = *n };
    network_list l[LISTS] = {
        { .name = "topologies-per-dim", "Ring, Switch or FullyConnected", take_block_1 },
        { .name = "units-count", ACCEPTED_MEMBERS, take_members, .at = r.n.members_at },
        { .name = "links-count", "1 to 1024 links of an NPU", take_links_1 },
        { .name = "link-latency", ACCEPTED_LATENCY, take_latency, .at = r.n.latency_at },
        { .name = "link-bandwidth", ACCEPTED_BANDWIDTH, take_bandwidth },
        { .name = "dimension-type", "T, N, P or PP", take_type, .optional = true },
        { .name = "nic-latency", "ns, 0 or more", take_nic, .optional = true },
        { .name = "router-latency", "ns, 0 or more", take_router, .optional = true },
        { .name = "hbm-latency", "ns, 0 or more", take_number, .optional = true },
        { .name = "hbm-bandwidth", "GB/s, 0 or more", take_number, .optional = true },
        { .name = "hbm-scale", "a factor, 0 or more", take_scale, .optional = true },
    };
    yaml_items items[LISTS];
    yaml_key keys[LISTS + 3] = { 0 };
    char found[96];

    list_keys(l, LISTS, file, &r, items, keys);
    keys[LISTS] =
        (yaml_key){ "topology-name", false, read_hierarchical, NULL, "Hierarchical", NULL };
    keys[LISTS + 1] =
        (yaml_key){ "dimensions-count", false, read_dims, &r.dims, "1 to 8 dimensions", NULL };
    if (yaml_read(file, keys) || check_counts(l, LISTS)) return EXIT_USAGE;
    if (r.dims && r.dims != l[0].count) {
        snprintf(found, sizeof found, "dimensions-count %u and %u of topologies-per-dim",
                 (unsigned)r.dims, l[0].count);
        yaml_error(file, 1, 1, found, "as many of each");
        return EXIT_USAGE;
    }
    if (count_npus(file, &r.n, l[0].count) || settle_1(file, &r) != EXIT_OK) return EXIT_USAGE;
    *n = r.n;
    return EXIT_OK;
}

/* Returns whether the file has a key that only files of 1.0 have. The file need not be valid
 * YAML. */
static bool is_of_1(const char *text) {
    static const char *const names[] = { "topology-name",      "dimensions-count",
                                         "topologies-per-dim", "dimension-type",
                                         "units-count",        "links-count",
                                         "link-latency",       "link-bandwidth",
                                         "nic-latency",        "router-latency",
                                         "hbm-latency",        "hbm-bandwidth",
                                         "hbm-scale",          NULL };
    yaml_parser_t parser;
    yaml_document_t doc;
    const yaml_node_t *root;
    bool of_1 = false;
    int key;

    if (!yaml_parser_initialize(&parser)) return false;
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
    if (yaml_parser_load(&parser, &doc)) {
        root = yaml_document_get_root_node(&doc);
        if (root && root->type == YAML_MAPPING_NODE)
            for (const yaml_node_pair_t *p = root->data.mapping.pairs.start;
                 p < root->data.mapping.pairs.top; p++) {
                const yaml_node_t *k = yaml_document_get_node(&doc, p->key);

                of_1 = of_1 || (k->type == YAML_SCALAR_NODE &&
                                parse_name((const char *)k->data.scalar.value, names, &key));
            }
        yaml_document_delete(&doc);
    }
    yaml_parser_delete(&parser);
    return of_1;
}

/* ---- whose file it is --------------------------------------------------------------------- */

/* A key that only the files of another backend have, at the beginning of a line. */
static const struct {
    const char *word, *found, *expected;
} others[] = {
    { "num-npus", "the network of Garnet, flits and virtual channels",
      "that of the analytical backend: topologies-per-dim and units-count, or topology and "
      "npus_count" },
    { "logical-dims", "the logical dimensions of ns-3, whose links are in another file",
      "topology, npus_count, bandwidth and latency of each dimension" },
    { "Nodes", "the tiers of htsim's fat tree",
      "topology, npus_count, bandwidth and latency; or Links and a links_file that lists the "
      "switches' links" },
};

/* Returns where the word begins a line, after blanks, quotes or an opening brace; NULL: nowhere. */
static const char *begins_line(const char *text, const char *word) {
    const size_t length = strlen(word);

    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += strspn(line, " \t\r\n{\"'");
        if (!strncmp(line, word, length) && strchr(" \t\"':", line[length])) return line;
    }
    return NULL;
}

int astra_network_read(const char *file, astra_network *n) {
    char *text = input_text(file, NULL);
    bool of_1 = false;

    *n = (astra_network){ .npus = 1 };
    for (unsigned i = 0; text && i < sizeof others / sizeof *others; i++) {
        const char *at = begins_line(text, others[i].word);
        size_t line = 1, column = 1;

        if (!at) continue;
        for (const char *c = text; c < at; c++) {
            column = *c == '\n' ? 1 : column + 1;
            line += *c == '\n';
        }
        yaml_error(input_name(file), line, column, others[i].found, others[i].expected);
        free(text);
        return EXIT_USAGE;
    }
    if (text) of_1 = is_of_1(text);
    free(text);
    return of_1 ? read_1(file, n) : read_2(file, n); /* both report a missing file */
}
