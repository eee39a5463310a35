/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_files.c -- keys of ASTRA-sim's system, memory and group files
 *
 * Each file is a table of keys, and each key has a function that parses its value. Keys without
 * effect here go into `notes` and are reported after the file is read. Algorithm lists are taken
 * in the form of 1.0 and of 2.x, and must have a word for each dimension.
 */
#include "astra_files.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "figures.h"
#include "input_file.h"
#include "message.h"
#include "names.h"
#include "values.h"
#include "yaml_file.h"

/* ---- the system --------------------------------------------------------------------------- */

/* A key that changes no cycle here, and what it does in ASTRA-sim. */
typedef struct note {
    const char *name, *meaning;
    const char *harmless; /* the value without effect in ASTRA-sim, or NULL */
    char value[64];
} note;

static const note notes[] = {
    { "endpoint-delay", "a delay before each message; here the endpoint is simulated", "0", "" },
    { "preferred-dataset-splits",
      "chunks a collective is cut into; here --chunk gives the bytes of one", NULL, "" },
    { "local-reduction-delay", "of its shared bus; here the memory is simulated", NULL, "" },
    { "boost-mode", "is not read by ASTRA-sim 2.x either", "0", "" },
    { "trace-enabled", "a line for each node; here --timeline draws them", "0", "" },
    { "track-local-mem", "lifetimes of tensors; not modelled", "0", "" },
    { "local-mem-trace-filename", "of lifetimes of tensors; not modelled", NULL, "" },
};
enum { NOTES = sizeof notes / sizeof *notes };

enum { KINDS_OF_LISTS = ASTRA_KINDS };
static const char *const list_names[KINDS_OF_LISTS] = { "all-reduce-implementation",
                                                        "reduce-scatter-implementation",
                                                        "all-gather-implementation",
                                                        "all-to-all-implementation" };
static const char *const custom_names[KINDS_OF_LISTS] = { "all-reduce-implementation-custom",
                                                          "reduce-scatter-implementation-custom",
                                                          "all-gather-implementation-custom",
                                                          "all-to-all-implementation-custom" };
typedef struct algorithm_list {
    const char *file;
    bool routed;    /* for all-to-all */
    bool forwarded; /* some entry is not direct */
    unsigned count;
    astra_algorithms word;
} algorithm_list;

typedef struct system_reader {
    note note[NOTES];
    algorithm_list list[KINDS_OF_LISTS];
    yaml_items items[KINDS_OF_LISTS], custom_items[KINDS_OF_LISTS];
    struct custom_list {
        const char *file;
        char *to;
    } custom[KINDS_OF_LISTS];
    char per_node[ASTRA_PREFIX]; /* a file, or "" */
    yaml_key keys[40];
    const char *file;
    char optimization[ASTRA_WORD];
    bool smallest_first;
    uint64_t active; /* 0: not in the file */
} system_reader;

static bool read_note(void *to, const char *s) {
    snprintf(((note *)to)->value, sizeof((note *)to)->value, "%s", s);
    return true;
}
static bool read_order(void *to, const char *s) {
    static const char *const names[] = { "LIFO", "FIFO", NULL };
    int v;

    if (!parse_name(s, names, &v)) return false;
    *(ace_order *)to = v ? ACE_FIFO : ACE_LIFO;
    return true;
}
static bool read_number(void *to, const char *s) { return parse_positive(s, to); }
static bool read_zero_or_one(void *to, const char *s) {
    if (strcmp(s, "0") && strcmp(s, "1")) return false;
    *(bool *)to = *s == '1';
    return true;
}
static bool read_zero(void *to, const char *s) {
    (void)to;
    return !strcmp(s, "0");
}
static bool read_optimization(void *to, const char *s) {
    (void)to;
    return !strcmp(s, "localBWAware");
}

static bool read_prefix(void *to, const char *s) {
    return *s && (size_t)snprintf(to, ASTRA_PREFIX, "%s", s) < ASTRA_PREFIX;
}
static bool read_balanced(void *to, const char *s) {
    *(bool *)to = !strcmp(s, "themis");
    return *(bool *)to || !strcmp(s, "baseline");
}
static bool read_smallest_first(void *to, const char *s) {
    *(bool *)to = !strcmp(s, "SCF");
    return *(bool *)to || !strcmp(s, "FIFO");
}
static bool read_active(void *to, const char *s) { return parse_unsigned(s, 1, 65535, to); }
static bool read_bytes(void *to, const char *s) {
    return parse_unsigned(s, 1, UINT64_C(1) << 40, to);
}

static bool take_custom(void *self, const yaml_item *i) {
    struct custom_list *l = self;
    char found[96];

    if (!i->index && read_prefix(l->to, i->value)) return true;
    snprintf(found, sizeof found, "'%.60s'", i->value);
    yaml_error(l->file, i->line, i->column, found, "one prefix, of a trace for each member");
    return false;
}

/* The prefixes for single nodes, by node id. */
typedef struct node_list {
    const char *file;
    astra_custom *to;
} node_list;

static bool take_node(void *self, const yaml_item *i) {
    const node_list *l = self;
    uint64_t id;

    if (i->index || l->to->nodes == ASTRA_CUSTOM_NODES ||
        !parse_unsigned(i->key, 0, INT64_MAX, &id) ||
        !read_prefix(l->to->node[l->to->nodes].prefix, i->value)) {
        char found[128];

        snprintf(found, sizeof found, "'%.40s: %.40s'", i->key, i->value);
        yaml_error(l->file, i->key_line, i->key_column, found,
                   "the id of a node and one prefix of traces, 64 times at most");
        return false;
    }
    l->to->node[l->to->nodes++].id = id;
    return true;
}

static int read_nodes(const char *file, astra_custom *to) {
    node_list l = { file, to };
    yaml_items items = { .take = take_node, .self = &l };
    const yaml_key keys[] = {
        { "", true, NULL, &items, "ids of nodes and prefixes of traces", NULL }, { 0 }
    };

    return *file && yaml_read(file, keys) ? EXIT_USAGE : EXIT_OK;
}

/* Adds an entry of a list. Either version also has "oneRing", which treats all NPUs as one
 * dimension. For routed packets that makes no difference. */
static bool add_algorithm(algorithm_list *l, const char *s) {
    const bool one = l->routed && !strncmp(s, "one", 3);
    const char *word = NULL;

    if (one) s += 3;
    if (!strcmp(s, one ? "Ring" : "ring")) word = "ring";
    if (!strncmp(s, one ? "Direct" : "direct", 6)) word = "direct";
    if (!strcmp(s, one ? "HalvingDoubling" : "halvingDoubling")) word = "halving-doubling";
    if (!strcmp(s, "doubleBinaryTree") && !l->routed) word = "double-binary-tree";
    if (!word || l->count == ACE_CLUSTER_DIMENSIONS) return false;
    if (strcmp(word, "direct") != 0) l->forwarded = true;
    if (!one) snprintf(l->word[l->count++], ASTRA_WORD, "%s", word);
    return true;
}

/* Takes one entry of 2.x, or the whole list of 1.0, as in "ring_ring". */
static bool take_algorithm(void *self, const yaml_item *i) {
    algorithm_list *l = self;
    char found[96], text[160], *rest;
    bool taken = *i->value && strlen(i->value) < sizeof text;

    snprintf(text, sizeof text, "%s", i->value);
    for (char *w = strtok_r(text, "_", &rest); taken && w; w = strtok_r(NULL, "_", &rest))
        taken = add_algorithm(l, w);
    if (taken) return true;
    snprintf(found, sizeof found, "'%.60s'", i->value);
    yaml_error(l->file, i->line, i->column, found,
               l->routed ? "ring, direct or halvingDoubling, for each of at most six dimensions"
                         : "ring, direct, halvingDoubling or doubleBinaryTree, for each of at most "
                           "six dimensions");
    return false;
}

static void make_keys(system_reader *r, const char *file, astra_system *s) {
    yaml_key *k = r->keys;

    *r = (system_reader){ .file = file };
    *k++ = (yaml_key){ "scheduling-policy", false, read_order, &s->order, "LIFO or FIFO", NULL };
    *k++ = (yaml_key){ "local-mem-bw", false, read_number, &s->memory_GBps, "GB/s, above 0", NULL };
    *k++ = (yaml_key){ "peak-perf", false, read_number, &s->peak_TFLOPS, "TFLOPS, above 0", NULL };
    *k++ = (yaml_key){ "roofline-enabled", false, read_zero_or_one, &s->roofline, "0 or 1", NULL };
    *k++ = (yaml_key){ "replay-only", false, read_zero_or_one, &s->replay, "0 or 1", NULL };
    *k++ =
        (yaml_key){ "collective-optimization",
                    false,
                    read_optimization,
                    r->optimization,
                    "localBWAware: the engine reduces over the first dimension and gathers there "
                    "again last",
                    NULL };
    *k++ = (yaml_key){ "inter-dimension-scheduling",
                       false,
                       read_balanced,
                       &s->balanced,
                       "baseline, or themis: parts of an all-reduce even the dimensions' loads",
                       NULL };
    *k++ = (yaml_key){ "intra-dimension-scheduling",
                       false,
                       read_smallest_first,
                       &r->smallest_first,
                       "FIFO, or SCF: the smallest collective first",
                       NULL };
    *k++ = (yaml_key){
        "active-chunks-per-dimension", false, read_active, &r->active, "1 to 65535", NULL
    };
    for (unsigned i = 0; i < NOTES; i++) {
        r->note[i] = notes[i];
        *k++ = (yaml_key){ notes[i].name, false, read_note, &r->note[i], "a value", NULL };
    }
    for (unsigned i = 0; i < KINDS_OF_LISTS; i++) {
        r->list[i] = (algorithm_list){ .file = file, .routed = i == KINDS_OF_LISTS - 1 };
        r->items[i] = (yaml_items){ .take = take_algorithm, .self = &r->list[i] };
        *k++ = (yaml_key){
            list_names[i], false, NULL, &r->items[i], "a list of ring, direct, halvingDoubling",
            NULL
        };
    }
    *k++ = (yaml_key){ "model-shared-bus",
                       false,
                       read_zero,
                       NULL,
                       "0: the bus of LogGP is not modelled, the memory is simulated",
                       NULL };
    for (unsigned i = 0; i < KINDS_OF_LISTS; i++) {
        r->custom[i] = (struct custom_list){ file, s->custom.kind[i] };
        r->custom_items[i] = (yaml_items){ .take = take_custom, .self = &r->custom[i] };
        *k++ = (yaml_key){ custom_names[i], false, NULL, &r->custom_items[i], "one prefix", NULL };
    }
    *k++ = (yaml_key){ "per-node-custom-implementation", false, read_prefix, r->per_node,
                       "a file of at most 255 letters",  NULL };
    *k++ = (yaml_key){ "custom-collective-size",
                       false,
                       read_bytes,
                       &s->custom.bytes,
                       "bytes that custom collectives were made for, 2^40 at most",
                       NULL };
}

static int check_lists(const system_reader *r, const astra_network *n, astra_system *s) {
    for (unsigned i = 0; i < KINDS_OF_LISTS; i++) {
        const algorithm_list *l = &r->list[i];
        char found[160];

        if (!l->count) continue;
        if (l->count != n->dims) {
            snprintf(found, sizeof found, "%u words in %s and %u dimensions of the network",
                     l->count, list_names[i], n->dims);
            yaml_error(r->file, 1, 1, found, "a word for each");
            return EXIT_USAGE;
        }
        if (!l->routed) memcpy(s->list[i], l->word, sizeof l->word);
    }
    return EXIT_OK;
}

int astra_system_choose(const char *file, unsigned kinds, astra_system *s) {
    unsigned chosen = ASTRA_REDUCTIONS;

    for (unsigned i = 0; i < ASTRA_REDUCTIONS; i++) {
        char found[160];

        if (!*s->list[i][0] || !(kinds >> i & 1)) continue;
        if (chosen < ASTRA_REDUCTIONS && memcmp(s->list[chosen], s->list[i], sizeof s->list[i])) {
            snprintf(found, sizeof found, "another list in %s than in %s", list_names[i],
                     list_names[chosen]);
            yaml_error(
                file, 1, 1, found,
                "one for all reductions and gathers that there are: a dimension runs one program");
            return EXIT_USAGE;
        }
        chosen = i;
    }
    if (chosen < ASTRA_REDUCTIONS) memcpy(s->algorithms, s->list[chosen], sizeof s->algorithms);
    return EXIT_OK;
}

static void print_notes(const system_reader *r) {
    const algorithm_list *routed = &r->list[KINDS_OF_LISTS - 1];

    for (unsigned i = 0; i < NOTES; i++) {
        const note *k = &r->note[i];

        if (!*k->value || (k->harmless && !strcmp(k->value, k->harmless))) continue;
        fprintf(stderr, "acesim: %s: %s %s has no effect here: %s\n", r->file, k->name, k->value,
                k->meaning);
    }
    if (r->active && !r->smallest_first)
        fprintf(
            stderr,
            "acesim: %s: active-chunks-per-dimension %" PRIu64
            " has no effect here: chunks a dimension runs at once; here the endpoint's contexts do "
            "that\n",
            r->file, r->active);
    if (routed->forwarded)
        fprintf(stderr,
                "acesim: %s: %s has no effect here: blocks were forwarded from member to member; "
                "here packets are routed\n",
                r->file, list_names[KINDS_OF_LISTS - 1]);
}

int astra_system_read(const char *file, const astra_network *n, bool quiet, astra_system *s) {
    system_reader r;
    int rc;

    *s = (astra_system){ .order = ACE_LIFO };
    make_keys(&r, file, s);
    if (yaml_read(file, r.keys)) return EXIT_USAGE;
    rc = check_lists(&r, n, s);
    if (rc == EXIT_OK && s->roofline && !(s->memory_GBps > 0 && s->peak_TFLOPS > 0)) {
        yaml_error(file, 1, 1, "roofline-enabled without local-mem-bw or peak-perf", "both");
        rc = EXIT_USAGE;
    }
    if (r.smallest_first) s->smallest_first = r.active ? r.active : 1;
    if (rc == EXIT_OK) rc = read_nodes(r.per_node, &s->custom);
    if (rc == EXIT_OK && !quiet) print_notes(&r);
    return rc;
}

/* ---- remote memory -------------------------------------------------------------------------- */

static const char *const memory_names[] = { "NO_MEMORY_EXPANSION",       "PER_NPU_MEMORY_EXPANSION",
                                            "PER_NODE_MEMORY_EXPANSION", "MEMORY_POOL",
                                            "HIERARCHICAL_POOL",         NULL };
#define MEMORY_TYPES                                                                         \
    "NO_MEMORY_EXPANSION, PER_NPU_MEMORY_EXPANSION, PER_NODE_MEMORY_EXPANSION, MEMORY_POOL " \
    "or HIERARCHICAL_POOL"

static bool read_memory_type(void *to, const char *s) {
    int v;

    if (!parse_name(s, memory_names, &v)) return false;
    ((astra_memory *)to)->type = (astra_memory_type)v;
    return true;
}
static bool read_any_number(void *to, const char *s) { return parse_not_negative(s, to); }
static bool read_count(void *to, const char *s) {
    uint64_t v;

    if (!parse_unsigned(s, 0, 1 << 20, &v)) return false;
    *(unsigned *)to = (unsigned)v;
    return true;
}
static bool read_truth(void *to, const char *s) {
    *(bool *)to = !strcmp(s, "true");
    return !strcmp(s, "true") || !strcmp(s, "false");
}

/* Returns the key that the memory type needs and the file lacks; NULL: none. */
static const char *memory_lacks(const astra_memory *m, unsigned npus, const char **expected) {
    const bool pool = m->type == ASTRA_MEMORY_HIERARCHICAL;

    *expected = "a number above 0";
    if (m->type == ASTRA_MEMORY_NONE) return NULL;
    if (!(m->bytes_per_ns > 0)) return "remote-mem-bw";
    if (pool && !m->groups) return "num-groups";
    if (pool && !m->switches) return "num-switches";
    if (pool && !(m->out_bytes_per_ns > 0)) return "switch-link-bw";
    if (pool && !(m->in_bytes_per_ns > 0)) return "npu-link-bw";
    if (pool && !(m->local_bytes_per_ns > 0)) return "local-mem-bw";
    if (pool && !(m->chunk_bytes > 0)) return "chunk-size";
    if (!pool && m->type != ASTRA_MEMORY_NODE) return NULL;
    *expected = "numbers whose product is that of the NPUs";
    return (uint64_t)m->nodes * m->npus_per_node == npus ? NULL : "num-nodes by num-npus-per-node";
}

void astra_memory_keys(astra_memory *m, yaml_key to[ASTRA_MEMORY_KEYS]) {
    const yaml_key keys[ASTRA_MEMORY_KEYS] = {
        { "memory-type", true, read_memory_type, m, MEMORY_TYPES, NULL },
        { "remote-mem-latency", false, read_any_number, &m->latency_ns, "ns, 0 or more", NULL },
        { "remote-mem-bw", false, read_number, &m->bytes_per_ns, "B/ns, above 0", NULL },
        { "remote-mem-capacity", false, read_number, &m->capacity_bytes, "bytes, above 0", NULL },
        { "num-nodes", false, read_count, &m->nodes, "a number", NULL },
        { "num-npus-per-node", false, read_count, &m->npus_per_node, "a number", NULL },
        { "num-groups", false, read_count, &m->groups, "a number", NULL },
        { "num-switches", false, read_count, &m->switches, "a number", NULL },
        { "switch-link-bw", false, read_number, &m->out_bytes_per_ns, "B/ns, above 0", NULL },
        { "npu-link-bw", false, read_number, &m->in_bytes_per_ns, "B/ns, above 0", NULL },
        { "local-mem-bw", false, read_number, &m->local_bytes_per_ns, "B/ns, above 0", NULL },
        { "chunk-size", false, read_number, &m->chunk_bytes, "bytes, above 0", NULL },
        { "in-switch-collectives", false, read_truth, &m->in_switch, "true or false", NULL },
        { 0 }
    };
    memcpy(to, keys, sizeof keys);
}

int astra_memory_check(const char *file, unsigned npus, const astra_memory *m) {
    const char *expected, *lacks = memory_lacks(m, npus, &expected);
    char found[120];

    if (!lacks) return EXIT_OK;
    snprintf(found, sizeof found, "%s without %s", memory_names[m->type], lacks);
    yaml_error(file, 1, 1, found, expected);
    return EXIT_USAGE;
}

int astra_memory_read(const char *file, unsigned npus, astra_memory *m) {
    yaml_key keys[ASTRA_MEMORY_KEYS];

    *m = (astra_memory){ 0 };
    astra_memory_keys(m, keys);
    return yaml_read(file, keys) ? EXIT_USAGE : astra_memory_check(file, npus, m);
}

void astra_memory_write(FILE *to, const astra_memory *m) {
    astra_memory copy = *m;
    char text[REAL_TEXT];
    yaml_key keys[ASTRA_MEMORY_KEYS];

    astra_memory_keys(&copy, keys);
    fprintf(to, "{\"%s\": \"%s\"", keys[0].name, memory_names[m->type]);
    for (const yaml_key *k = &keys[1]; k->name; k++) {
        if (k->parse == read_truth && *(const bool *)k->to)
            fprintf(to, ", \"%s\": true", k->name);
        else if (k->parse == read_count && *(const unsigned *)k->to)
            fprintf(to, ", \"%s\": %u", k->name, *(const unsigned *)k->to);
        else if ((k->parse == read_number || k->parse == read_any_number) &&
                 *(const double *)k->to > 0)
            fprintf(to, ", \"%s\": %s", k->name, real_text(*(const double *)k->to, text));
    }
    fprintf(to, "}");
}

/* ---- groups ---------------------------------------------------------------------------------- */

static int group_error(const char *file, const char *group, const char *found,
                       const char *expected) {
    fprintf(stderr, "acesim: %s: group %s: found %s, expected %s\n", file, group, found, expected);
    return EXIT_USAGE;
}

/* Appends an NPU to a group's list, which has room for it. */
static int add_member(const char *file, double n, unsigned npus, astra_group *g) {
    if (!(n >= 0 && n < npus && n == floor(n)))
        return group_error(file, g->name, "what is no NPU of the network",
                           "numbers below the product of npus_count");
    for (unsigned i = 0; i < g->count; i++)
        if (g->npu[i] == (unsigned)n)
            return group_error(file, g->name, "an NPU twice", "each once");
    g->npu[g->count++] = (unsigned)n;
    return EXIT_OK;
}

static int read_group(const char *file, const cJSON *from, unsigned npus, astra_group *g) {
    const cJSON *v;
    int rc = EXIT_OK;

    g->name = strdup(from->string);
    g->npu = calloc((size_t)cJSON_GetArraySize(from) + 1, sizeof *g->npu);
    if (!g->name || !g->npu) return message_no_memory();
    if (!cJSON_IsArray(from) || !cJSON_GetArraySize(from))
        return group_error(file, g->name, "no list of NPUs", "one such as [0, 1]");
    cJSON_ArrayForEach(v, from) if (rc == EXIT_OK) rc =
        add_member(file, cJSON_IsNumber(v) ? v->valuedouble : -1, npus, g);
    return rc;
}

int astra_groups_read(const char *file, unsigned npus, astra_groups *g) {
    char *text;
    cJSON *root;
    const cJSON *v;
    int rc = EXIT_OK;

    *g = (astra_groups){ 0 };
    if (!file) return EXIT_OK;
    /* ASTRA-sim reads no file whose path has "empty"; here its name must have it, since a folder
     * may be called so by chance */
    const char *const slash = strrchr(file, '/');
    if (strstr(slash ? slash : file, "empty")) return EXIT_OK;
    text = input_text(file, NULL);
    if (!text) {
        fprintf(stderr, "acesim: %s: %s, expected a file of groups\n", file, strerror(errno));
        return EXIT_USAGE;
    }
    root = json_parse(text, NULL, false);
    free(text);
    if (!cJSON_IsObject(root)) {
        fprintf(stderr, "acesim: %s: found no JSON object, expected one such as {\"1\": [0, 1]}\n",
                file);
        cJSON_Delete(root);
        return EXIT_USAGE;
    }
    g->at = calloc((size_t)cJSON_GetArraySize(root) + 1, sizeof *g->at);
    if (!g->at) rc = message_no_memory();
    cJSON_ArrayForEach(v, root) if (rc == EXIT_OK) rc =
        read_group(file, v, npus, &g->at[g->count++]);
    g->listed = g->count;
    cJSON_Delete(root);
    if (rc != EXIT_OK) astra_groups_free(g);
    return rc;
}

/* Takes one value from the list of NPUs under a group's name. */
static bool take_member(void *self, const yaml_item *item) {
    astra_groups_reader *r = self;
    astra_groups *g = r->to;
    astra_group *at;
    uint64_t n;

    if (!item->index) {
        astra_group *more = realloc(g->at, (g->count + 1) * sizeof *g->at);

        if (!more) return (void)message_no_memory(), false;
        g->at = more;
        g->at[g->count++] = (astra_group){ .name = strdup(item->key),
                                           .npu = calloc(*r->npus + 1, sizeof *g->at->npu) };
    }
    at = &g->at[g->count - 1];
    if (!at->name || !at->npu) return (void)message_no_memory(), false;
    if (!parse_unsigned(item->value, 0, UINT32_MAX, &n)) n = UINT64_MAX;
    return add_member(r->file, (double)n, (unsigned)*r->npus, at) == EXIT_OK;
}

yaml_items astra_groups_items(astra_groups_reader *r) {
    return (yaml_items){ .take = take_member, .self = r };
}

void astra_groups_write(FILE *to, const astra_groups *g) {
    for (unsigned i = 0; i < g->count; i++) {
        cJSON *name = cJSON_CreateString(g->at[i].name);
        char *text = json_text(name, false);

        fprintf(to, "%s%s: [", i ? ", " : "{", text ? text : "");
        for (unsigned k = 0; k < g->at[i].count; k++)
            fprintf(to, "%s%u", k ? ", " : "", g->at[i].npu[k]);
        fprintf(to, "]");
        cJSON_free(text);
        cJSON_Delete(name);
    }
    fprintf(to, g->count ? "}" : "{}");
}

void astra_groups_free(astra_groups *g) {
    for (unsigned i = 0; i < g->count; i++) {
        free(g->at[i].name);
        free(g->at[i].npu);
    }
    free(g->at);
    for (unsigned i = 0; i < g->npus; i++) free(g->own[i].group);
    free(g->own);
    *g = (astra_groups){ 0 };
}

const astra_group *astra_groups_find(const astra_groups *g, unsigned npu, const char *name) {
    for (unsigned i = npu < g->npus ? g->own[npu].count : 0; i-- > 0;)
        if (!strcmp(g->at[g->own[npu].group[i]].name, name)) return &g->at[g->own[npu].group[i]];
    for (unsigned i = 0; i < g->listed; i++)
        if (!strcmp(g->at[i].name, name)) return &g->at[i];
    return NULL;
}
