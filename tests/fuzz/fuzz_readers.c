/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_readers.c -- what acesim reads from outside, given whatever libFuzzer thinks of
 *
 * One program for all readers.  It runs the reader that its own name ends with: fuzz_READER is a
 * link to it.  A reader may refuse or accept the input.  It must end within libFuzzer's limits and
 * without a report of AddressSanitizer or UndefinedBehaviorSanitizer.
 */
#define _GNU_SOURCE /* memfd_create */
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>
#include <zlib.h>

#include "ace_composition.h"
#include "ace_node.h"
#include "ace_program.h"
#include "astra_files.h"
#include "astra_jobs.h"
#include "calibration_file.h"
#include "chakra_file.h"
#include "chakra_text.h"
#include "cluster.h"
#include "cluster_file.h"
#include "collective_rows.h"
#include "command.h"
#include "constants_file.h"
#include "digest.h"
#include "exchange_counts.h"
#include "exit_status.h"
#include "faults.h"
#include "gemm_table.h"
#include "link_graph.h"
#include "measured_rows.h"
#include "model.h"
#include "msccl_contents.h"
#include "npu.h"
#include "pin_recording.h"
#include "pipeline.h"
#include "refusal.h"
#include "result_read.h"
#include "setup.h"
#include "strategy.h"
#include "sweep_file.h"
#include "workload.h"
#include "workload_read.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
const char *__asan_default_options(void);

/* Freed memory is kept for a while, so that its use is detected. With the usual 256 MiB each input
 * would have new pages, and most of the time would be spent clearing them. */
const char *__asan_default_options(void) { return "quarantine_size_mb=8:malloc_context_size=6"; }

typedef struct input {
    const char *text; /* ends with a zero byte behind its bytes */
    size_t bytes;
} input;

/* ---- an input as a file ---------------------------------------------------------------------- */

/* Files for all inputs, in memory: making new ones takes longer than most readers do. */
enum { FILES = 3 };
static int file[FILES] = { -1, -1, -1 };

static const char *name_of_file(unsigned i) {
    static char name[FILES][64];

    if (!*name[i]) {
        file[i] = memfd_create("input", 0);
        if (file[i] < 0) abort();
        snprintf(name[i], sizeof name[i], "/proc/self/fd/%d", file[i]);
    }
    return name[i];
}

/* The name of the i-th, and it holds these bytes. */
static const char *hold_in(unsigned i, const void *bytes, size_t count) {
    const char *const name = name_of_file(i);

    if (ftruncate(file[i], 0) || pwrite(file[i], bytes, count, 0) != (ssize_t)count) abort();
    return name;
}
static const char *hold(const void *bytes, size_t count) { return hold_in(0, bytes, count); }

static const char *in_file(const input *in) { return hold(in->text, in->bytes); }

static char folder[64]; /* in memory, where there is such a place */

static void remove_folder(void) {
    char command[sizeof folder + 16];

    snprintf(command, sizeof command, "rm -rf %s", folder);
    (void)!system(command);
}

/* A folder of this process, made when it is first asked for. */
static const char *own_folder(void) {
    if (*folder) return folder;
    snprintf(folder, sizeof folder, "%s/acesim-fuzz-XXXXXX",
             access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    if (!mkdtemp(folder)) abort();
    atexit(remove_folder);
    return folder;
}

/* The i-th file by a name in that folder, which `to` has room for. */
static const char *linked(unsigned i, const char *name, char to[96]) {
    snprintf(to, 96, "%s/%s", own_folder(), name);
    if (access(to, F_OK) && symlink(name_of_file(i), to)) abort();
    return to;
}

/* Every algorithm as text: a program of the state machines. */
static void program(const input *in) {
    uint32_t words[ACE_PROGRAM_WORDS];
    ace_program_error e;

    (void)ace_program_assemble(in->text, 15, words, &e);
}

static void result(const input *in) {
    double share[CLASSES];
    saved_run r;

    if (saved_run_parse("result", in->text, &r) == EXIT_OK) (void)saved_classes(&r, "alu", share);
    saved_run_free(&r);
}

/* The first byte chooses the field, the rest is its value; what is taken can be printed. */
static void field(const input *in) {
    const setup_field *const f = &setup_fields[(unsigned char)*in->text % SETUP_FIELDS];
    char printed[300];
    setup o;

    if (!*in->text) return;
    setup_initial(&o);
    if (setup_take(f, in->text + 1, &o)) setup_print(f, &o, printed, sizeof printed);
}

static void cluster_file(const input *in) {
    setup o;

    setup_initial(&o);
    if (cluster_read(in_file(in), &o) == EXIT_OK) (void)setup_check(&o);
}

static void accelerator_file(const input *in) {
    setup o;

    setup_initial(&o);
    if (accelerator_read(in_file(in), &o) == EXIT_OK) (void)setup_check(&o);
}

/* A workload may name a table of layers and a file of their shapes. An input that begins with
 * "DATA" or "MICRO" is a table alone. Otherwise "table" and "shapes" are the text after the first
 * and the second line of "%%". */
static void workload_file(const input *in) {
    static const char *const names[FILES] = { "workload.yaml", "table", "shapes" };
    const bool table = !strncmp(in->text, "DATA", 4) || !strncmp(in->text, "MICRO", 5);
    static char link[FILES][96];
    const char *part = in->text, *const end = in->text + in->bytes;
    setup o;
    workload w;

    setup_initial(&o);
    for (unsigned i = 0; i < FILES; i++) {
        const char *const mark = i + 1 < FILES && !table ? strstr(part, "\n%%\n") : NULL;
        const char *const past = mark ? mark + 1 : end;

        hold_in(i, part, (size_t)(past - part));
        part = mark ? past + 3 : end;
        if (!*link[i]) linked(i, names[i], link[i]);
    }
    (void)workload_read(table ? name_of_file(0) : link[0], &o.machine.cluster.npu, 1000, &w);
    workload_free(&w);
}

static void table_text(const input *in) {
    layer_table t;

    (void)layer_table_read(in_file(in), true, &t);
    layer_table_free(&t);
}

static void sweep_yaml(const input *in) {
    sweep s;

    (void)sweep_read(in_file(in), false, &s);
    sweep_free(&s);
}

static void counts(const input *in) {
    uint64_t *matrix = NULL;
    setup o;

    setup_initial(&o);
    o.machine.counts_file = in_file(in);
    if (exchange_counts_make(&o.machine, 3, &matrix) == EXIT_OK) {
        (void)ace_exchange_vector(matrix, 3);
        free(matrix);
    }
}

static void fault_list(const input *in) {
    const cluster c = cluster_default();
    refusal why;
    faults f;

    if (faults_read(in->text, &f)) {
        faults_free(&f);
        (void)faults_make(in->text, &c, cluster_nodes(&c), NULL, &f, &why);
    }
    faults_free(&f);
}

/* ---- ASTRA-sim's files --------------------------------------------------------------------------
 */
static void chakra(const input *in) {
    chakra_file *f;
    const Chakra__Node *node;
    int status = 1;

    if (chakra_file_open(in_file(in), &f) != EXIT_OK) return;
    while (status == 1) status = chakra_file_next(f, &node);
    if (status == 0 && chakra_file_rewind(f) != EXIT_OK)
        abort(); /* what was read once is read again */
    chakra_file_close(f);
}

/* It is read to its end, and then nothing can be written there. */
static void graph_file(const input *in) { (void)chakra_text_read(in_file(in), "/dev/null/none"); }

static void astra_network_yaml(const input *in) {
    astra_network n;

    (void)astra_network_read(in_file(in), &n);
}

static void astra_system_json(const input *in) {
    static const astra_network square = { .dims = 2, .members = { 4, 4 }, .npus = 16 };
    astra_system s;

    if (astra_system_read(in_file(in), &square, true, &s) == EXIT_OK)
        (void)astra_system_choose("system", ASTRA_ALL_REDUCTIONS, &s);
}

static void link_graph_yaml(const input *in) {
    static const link_defaults of = {
        .GBps = 25, .efficiency = 0.94, .clock_MHz = 1245, .latency = 500, .npus = 4
    };
    link_graph *g = NULL;

    if (link_graph_read(in_file(in), &of, &g) == EXIT_OK) link_graph_destroy(g);
}

static void astra_memory_json(const input *in) {
    astra_memory m;

    (void)astra_memory_read(in_file(in), 4, &m);
}

static void astra_groups_json(const input *in) {
    astra_groups g;

    if (astra_groups_read(in_file(in), 16, &g) == EXIT_OK) (void)astra_groups_find(&g, 0, "1");
    astra_groups_free(&g);
}

static void astra_jobs_yaml(const input *in) {
    astra_jobs j;
    astra_groups g;

    (void)astra_jobs_read(in_file(in), 16, &j, &g);
    astra_groups_free(&g);
    astra_jobs_free(&j);
}

/* Checks what was read as before a run. */
static void msccl_xml(const input *in) {
    msccl_algorithm a;
    msccl_order o = { 0 };

    if (msccl_read(in_file(in), &a) == EXIT_OK && msccl_connect(&a) == EXIT_OK &&
        msccl_order_make(&a, &o) == EXIT_OK)
        (void)msccl_contents_check(&a, &o, 0);
    msccl_order_free(&o);
    msccl_free(&a);
}

/* Tables stay for good, each by its name: turns of some 100,000 inputs are not too much. */
static void gemm_table_csv(const input *in) {
    static unsigned tables;
    const gemm_table *t;
    char name[16], link[96];

    in_file(in);
    snprintf(name, sizeof name, "%u.csv", tables++);
    if (gemm_table_of(linked(0, name, link), &t) == EXIT_OK)
        (void)gemm_table_us(t, &(gemm_launch){ GEMM_NN, 2, 3, 1000, 1e6 });
    (void)unlink(link);
}

/* ---- models, strategies, measurements -------------------------------------------------------- */

/* A strategy, on a model it may fit. */
static void strategy_text(const input *in) {
    static training_model model;
    char printed[STRATEGY_TEXT];
    strategy_fault why;
    strategy s, again;

    if (!model.layers) {
        static const char text[] = "name: m\narchitecture: decoder\nlayers: 96\nhidden: 12288\n"
                                   "heads: 96\nsequence: 2048\nvocabulary: 51200\n";
        if (model_read(hold(text, sizeof text - 1), &model) != EXIT_OK) abort();
    }
    if (!strategy_parse(in->text, &s, &why)) return;
    strategy_print(&s, printed);
    if (!strategy_parse(printed, &again, &why)) abort(); /* what is printed can be read */
    if (strategy_fits(&s, &model, &why)) (void)strategy_stage(&s, &model, 0);
}

static void model_file(const input *in) {
    model_part parts[MODEL_PARTS];
    training_model m;

    if (model_read(in_file(in), &m) == EXIT_OK) (void)model_parts(&m, parts);
}

static void pipeline_file(const input *in) {
    pipeline p = { 0 };

    (void)pipeline_read(in_file(in), &p);
    pipeline_free(&p);
}

static void measured_csv(const input *in) {
    measured_rows r = { 0 };

    (void)measured_read(in_file(in), &r);
    measured_free(&r);
}

static void collective_csv(const input *in) {
    collective_rows r = { 0 };

    (void)collective_rows_read(in_file(in), 8, 1, ACE_ALL_REDUCE, &r);
    collective_rows_free(&r);
}

static void constants(const input *in) {
    constants_file c;

    (void)constants_read(in_file(in), &c);
}

static void calibration_text(const input *in) {
    calibration c;

    if (calibration_read(in_file(in), &c) == EXIT_OK)
        (void)calibration_error(&c, "all-reduce", 65536, false);
    calibration_free(&c);
}

/* ---- what acesim itself wrote ---------------------------------------------------------------- */

/* Moves up to `count` bytes of the input; what is missing is zero. */
static void take(input *in, void *to, size_t count) {
    const size_t n = count < in->bytes ? count : in->bytes;

    memset(to, 0, count);
    memcpy(to, in->text, n);
    in->text += n;
    in->bytes -= n;
}

/* The form of a recording before it is compressed and given its sums: a header, then heads of
 * segments, each with its bytes behind it.  An input whose first byte is odd is the file as it
 * stands instead. */
static void recording(const input *whole) {
    enum { RAW = 1 << 13 };
    static unsigned char text[1 << 18];
    input in = *whole;
    pin_recording_header header;
    pin_recording r;
    size_t n = 0;
    char link[96];
    int rc;

    if (!*folder) linked(0, "pins", link);
    if (!in.bytes) return;
    if (*in.text++ & 1) {
        hold(in.text, in.bytes - 1);
    } else {
        in.bytes--;
        take(&in, &header, sizeof header);
        memcpy(header.magic, pin_recording_magic, sizeof header.magic);
        header.sum = pin_recording_sum(&header, offsetof(pin_recording_header, sum));
        memcpy(text, &header, n = sizeof header);
        while (in.bytes && n + sizeof(pin_recording_segment) + 2 * RAW < sizeof text) {
            pin_recording_segment s;
            unsigned char *const to = text + n + sizeof s;
            uLongf packed = 2 * RAW;

            take(&in, &s, sizeof s);
            if (s.raw > in.bytes) s.raw = (uint32_t)in.bytes;
            if (compress2(to, &packed, (const void *)in.text, s.raw, 1) != Z_OK) abort();
            in.text += s.raw;
            in.bytes -= s.raw;
            s.mark = RECORDING_MARK;
            s.packed = (uint32_t)packed;
            s.sum = (uint32_t)crc32(0, to, s.packed);
            s.head = pin_recording_sum(&s, offsetof(pin_recording_segment, head));
            memcpy(text + n, &s, sizeof s);
            n += sizeof s + packed;
        }
        hold(text, n);
    }
    if (pin_recording_open(folder, &r) != EXIT_OK) return;
    if (pin_recording_seek(&r, 0, NULL) == EXIT_OK)
        for (unsigned tick = 0; tick < 10000 && pin_recording_next(&r, &rc); tick++) continue;
    pin_recording_close(&r);
}

/* A file of this name and these bytes, in SQLite's memory, for all its connections until it is
 * closed. */
static sqlite3_file *hold_in_memory(const char *name, const input *in) {
    sqlite3_vfs *const memory = sqlite3_vfs_find("memdb");
    sqlite3_file *const f = memory ? calloc(1, (size_t)memory->szOsFile) : NULL;
    unsigned char *const bytes = malloc(in->bytes + 1);
    int flags;

    if (!f || !bytes || sqlite3_vfs_register(memory, 1) != SQLITE_OK ||
        memory->xOpen(memory, name, f,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MAIN_DB,
                      &flags) != SQLITE_OK)
        abort();
    memcpy(bytes, in->text, in->bytes);
    if (in->bytes >= 20) bytes[18] = bytes[19] = 1; /* in memory there is no log of writes */
    if (in->bytes && f->pMethods->xWrite(f, bytes, (int)in->bytes, 0) != SQLITE_OK) abort();
    free(bytes);
    return f;
}

/* Results of a sweep of two points, in an SQLite file. The database is in memory, because opening
 * one on a disk, real or virtual, would take most of the time. */
static void database(const input *in) {
    static const char name[] = "/fuzzed"; /* with a slash: it is not of one connection alone */
    static const sweep_outcome done = { EXIT_OK, "", "{\"cycles\": 7}", 0.5 };
    static char word[] = "collective", *words[] = { word, NULL };
    static sweep_point points[] = { { words, 1, "0000000000000001" },
                                    { words, 1, "0000000000000002" } };
    static const sweep s = { .points = points, .count = 2 };
    sqlite3_file *const held = hold_in_memory(name, in);
    sweep_store *t;
    sweep_row row;

    if (sweep_store_open(name, &s, &t) == EXIT_OK) {
        for (unsigned i = 0; i < s.count; i++) {
            if (sweep_look(t, i, &row) && row.state && row.message) (void)strlen(row.message);
            if (sweep_claim(t, i) == CLAIMED) (void)sweep_record(t, i, &done);
        }
        (void)sweep_forget_failures(t);
    }
    sweep_store_close(t);
    held->pMethods->xClose(held);
    free(held);
}

/* ---- the state of a node
 *
 * A checkpoint is the state of nodes, and its bytes are those of their structs: an input changes
 * some of a state that a node was in.  What is loaded must be refused, or be a state to go on from.
 */

enum { STATES = 8, STATE_LINKS = 6, STATE_LATENCY = 24, STATE_BYTES = 1 << 19 };

typedef struct lone {
    ace_wire *wire[STATE_LINKS];
    ace_node *node;
} lone;

/* One node for all of a torus of 3x2: it hears what it sends. */
static void lone_make(lone *n) {
    ace_node_setup setup = { .parameters = { .dimensions = 3,
                                             .fsms = 8,
                                             .contexts = 2,
                                             .bank_rows = 256,
                                             .sub_banks = 1,
                                             .link_input_rows = 12,
                                             .link_output_rows = 4,
                                             .commands = 4,
                                             .memory_bursts = 4,
                                             .router_input_rows = 6,
                                             .router_output_rows = 4,
                                             .exchange_rows = 4,
                                             .exchange_bursts = 6,
                                             .alu_types = 127,
                                             .peers = 16,
                                             .alu_ops = 31 } };
    ace_config *const c = &setup.config;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        c->ring[d] = (uint16_t)(d < 2 ? 3 - d : 1);
        c->link_cost[d] = (2 + d) * ACE_COST_ONE;
    }
    c->chunk_rows = 24;
    for (unsigned p = 0; p < 5; p++) c->partition_rows[p] = 51;
    c->read_cost = c->write_cost = 655;
    c->memory_latency = 40;
    c->retry = 300;
    for (unsigned l = 0; l < STATE_LINKS; l++) {
        n->wire[l] = ace_wire_create(STATE_LATENCY, STATE_LATENCY, false);
        if (!n->wire[l]) abort();
    }
    for (unsigned l = 0; l < STATE_LINKS; l++) {
        setup.out[l] = n->wire[l];
        setup.in[l] = n->wire[l ^ 1];
    }
    if (ace_cycle_node_create(&setup, &n->node) != ACE_OK) abort();
}

static void lone_free(lone *n) {
    ace_node_destroy(n->node);
    for (unsigned l = 0; l < STATE_LINKS; l++) ace_wire_destroy(n->wire[l]);
}

/* A state as bytes. */
typedef struct held_state {
    unsigned char bytes[STATE_BYTES];
    size_t count, at;
} held_state;

static bool put_state(void *self, void *from, size_t bytes) {
    held_state *const h = self;

    if (bytes > sizeof h->bytes - h->count) abort();
    memcpy(h->bytes + h->count, from, bytes);
    h->count += bytes;
    return true;
}
static bool get_state(void *self, void *to, size_t bytes) {
    held_state *const h = self;

    if (bytes > h->count - h->at) return false;
    memcpy(to, h->bytes + h->at, bytes);
    h->at += bytes;
    return true;
}

static void lone_state(lone *n, uint64_t now, ace_state *s) {
    ace_node_state(n->node, now, s);
    for (unsigned l = 0; l < STATE_LINKS; l++) ace_wire_state(n->wire[l], now, s);
}

/* States of a run of several collectives. */
static void make_states(held_state states[STATES]) {
    static const ace_kind kinds[] = { ACE_ALL_REDUCE, ACE_ALL_TO_ALL, ACE_ALL_REDUCE, ACE_SCATTER };
    uint64_t now = 0;
    lone n;

    lone_make(&n);
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const ace_command c = { .kind = kinds[i],
                                .dim_count = 2,
                                .dims = { 0, 1 },
                                .source = (uint64_t)i << 20,
                                .destination = (uint64_t)(i + 9) << 20,
                                .bytes = 60000,
                                .tag = (uint16_t)(i + 5) };
        if (ace_node_submit(n.node, &c, i * 300) != ACE_OK) abort();
    }
    for (unsigned i = 0; i < STATES; i++) {
        ace_state save = { .move = put_state, .self = &states[i] };

        for (unsigned k = 0; k < 10 + 3 * i; k++) ace_node_run(n.node, now += STATE_LATENCY);
        lone_state(&n, now, &save);
        if (save.failed) abort();
    }
    lone_free(&n);
}

/* The first byte chooses the state, and in one of four cases a longer run from it, each six a place
 * in it, how many bytes, and what they become.  A node that took a state may take the next: it
 * leaves nothing behind. */
static void node_state(const input *in) {
    static held_state states[STATES], changed;
    static lone n;
    ace_state load = { .loading = true, .move = get_state, .self = &changed };
    const unsigned first = *(const unsigned char *)in->text;

    if (!states->count) make_states(states);
    if (!in->bytes) return;
    changed.count = states[first % STATES].count;
    changed.at = 0;
    memcpy(changed.bytes, states[first % STATES].bytes, changed.count);
    for (size_t i = 1; i + 6 <= in->bytes; i += 6) {
        const unsigned char *const b = (const unsigned char *)in->text + i;
        const size_t at = ((size_t)b[0] << 16 | (size_t)b[1] << 8 | b[2]) % changed.count;

        for (size_t k = 0; k < 1u + b[3] % 2 && at + k < changed.count; k++)
            changed.bytes[at + k] = b[4 + k];
    }
    if (!n.node) lone_make(&n);
    uint64_t now;
    memcpy(&now, changed.bytes, sizeof now); /* the driver's first member of its state */
    lone_state(&n, now, &load);
    if (!load.failed && changed.at == changed.count) {
        for (unsigned i = 0; i < (first / STATES % 4 ? 2 : 20) && now < UINT64_MAX - 1000; i++)
            ace_node_run(n.node, now += STATE_LATENCY);
    } else {
        lone_free(&n);
        n.node = NULL;
    }
}

/* ---- the state of a run
 *
 * The same of a whole checkpoint: fabric, hubs, endpoints, graphs, observers.  Whoever changed it
 * gave it its checksum. */

typedef struct kept_run {
    const char *words; /* after "acesim"; %: a file */
    const char *every; /* cycles: one checkpoint, about in its middle */
    unsigned char *bytes;
    size_t count;
} kept_run;

static kept_run kept_runs[] = {
    { "collective all-reduce --topology Switch(4) --size 64KiB --chunk 4KiB --bank-rows 256 "
      "--algorithm direct",
      "2055", NULL, 0 },
    { "collective all-to-all --topology Switch(4) --size 64KiB", "705", NULL, 0 },
    { "collective all-reduce --topology FullyConnected(4) --size 24KiB --payload random "
      "--bank-rows 64 --fsms 4 --chunk 2KiB --algorithm direct",
      "2592", NULL, 0 },
    { "collective all-reduce --topology Switch(4) --size 64KiB --chunk 4KiB --switch-buffer 3 "
      "--switch-bandwidth 60GB/s --fold off",
      "5078", NULL, 0 },
    { "collective all-to-all --topology Switch(4) --size 64KiB --switch-buffer 3 --faults "
      "link:0.002",
      "816", NULL, 0 },
    { "collective all-reduce --topology Switch(4) --algorithm in-network --size 64KiB --chunk 4KiB",
      "1010", NULL, 0 },
    { "collective all-reduce --topology Links(8) --links fabrics/dgx-1.yaml --size 24KiB", "8022",
      NULL, 0 },
    { "collective all-reduce --topology Switch(4) --size 64KiB --endpoint comm-opt", "1441", NULL,
      0 },
    { "collective all-to-all --topology 4x2 --size 64KiB --endpoint comp-opt", "938", NULL, 0 },
    { "collective all-reduce --topology 4x2 --size 24KiB --endpoint ideal", "852", NULL, 0 },
    { "collective all-reduce --topology 4x2 --size 24KiB --samples 16 --timeline %", "2057", NULL,
      0 },
    { "run clusters/torus-4x2x2.yaml resnet50.yaml --topology 2x2 --endpoint ideal --iterations 1",
      "23719298", NULL, 0 },
    { "run clusters/torus-4x2x2.yaml resnet50.yaml --topology Switch(4) --endpoint comm-opt "
      "--iterations 1",
      "23752072", NULL, 0 },
    { "run clusters/torus-4x2x2.yaml resnet50.yaml --topology 2x2 --endpoint ideal --speed 0.5:1 "
      "--iterations 1 --timeline %",
      "47437944", NULL, 0 },
};
enum { KEPT_RUNS = sizeof kept_runs / sizeof *kept_runs, KEPT_WORDS = 40, KEPT_HEADER = 56 };

/* The run, with one more option and its value, and another. */
static int run_words(const kept_run *k, const char *option, const char *value, const char *every) {
    char text[512], drawn[96], *words[KEPT_WORDS];
    int n = 0;

    snprintf(text, sizeof text, "%s --quiet %s %s%s%s", k->words, option, value,
             every ? " --checkpoint-every " : "", every ? every : "");
    snprintf(drawn, sizeof drawn, "%s/drawn", own_folder());
    for (char *rest = text, *word; (word = strtok_r(rest, " ", &rest)) && n < KEPT_WORDS - 1;)
        words[n++] = *word == '%' ? drawn : word;
    words[n] = NULL;
    return (*words[0] == 'r' ? command_run : command_collective)(n, words);
}

/* A deadlock is detected after ten million cycles, which take minutes with all checks. The run is
 * therefore told to stop after a second, as a user would do. */
static struct sigaction before_run;

static void tire(int number) {
    struct sigaction now;

    (void)number;
    if (!sigaction(SIGTERM, NULL, &now) && now.sa_handler != before_run.sa_handler) raise(SIGTERM);
}

static void time_run(long seconds) {
    const struct itimerval timer = { .it_value.tv_sec = seconds };

    if (sigaction(SIGTERM, NULL, &before_run) || signal(SIGPROF, tire) == SIG_ERR ||
        setitimer(ITIMER_PROF, &timer, NULL))
        abort();
}

static void keep_run(kept_run *k) {
    char link[96];
    FILE *f;
    long end;

    snprintf(link, sizeof link, "%s/kept", own_folder());
    if (setenv("ACESIM_DATA", WORKLOADS, 0)) abort();
    (void)unlink(link);
    (void)run_words(k, "--checkpoint", link, k->every);
    f = fopen(link, "rb");
    if (!f || fseek(f, 0, SEEK_END) || (end = ftell(f)) < KEPT_HEADER + 8) abort();
    rewind(f);
    k->count = (size_t)end;
    k->bytes = malloc(k->count);
    if (!k->bytes || fread(k->bytes, 1, k->count, f) != k->count) abort();
    fclose(f);
}

/* The first byte chooses the run. Each further seven bytes choose a position in its state and the
 * new value. Positions are counted from the beginning or within the last 65,536 bytes, where the
 * state outside nodes is. */
static void checkpoint_file(const input *in) {
    kept_run *const k = &kept_runs[*(const unsigned char *)in->text % KEPT_RUNS];
    const size_t past = k->count ? k->count - 8 : 0;
    unsigned char *bytes;
    uint64_t sum;

    if (!in->bytes) return;
    if (!k->bytes) {
        keep_run(k);
        checkpoint_file(in);
        return;
    }
    bytes = malloc(k->count);
    if (!bytes) abort();
    memcpy(bytes, k->bytes, k->count);
    for (size_t i = 1; i + 7 <= in->bytes; i += 7) {
        const unsigned char *const b = (const unsigned char *)in->text + i;
        const size_t number = (size_t)b[1] << 16 | (size_t)b[2] << 8 | b[3],
                     room = past - KEPT_HEADER;
        const size_t last = room < 1 << 16 ? room : 1 << 16;
        const size_t at = b[0] & 1 ? past - 1 - number % last : KEPT_HEADER + number % room;

        switch (b[4] % 4) {
        case 0: bytes[at] ^= (unsigned char)(1 << b[5] % 8); break;
        case 1: bytes[at] = b[5]; break;
        case 2: bytes[at] = 0xff; break;
        default:
            bytes[at] = b[5];
            if (at + 1 < past) bytes[at + 1] = b[6];
        }
    }
    sum = fnv1a(FNV1A_START, bytes, past);
    memcpy(bytes + past, &sum, sizeof sum);
    time_run(1);
    (void)run_words(k, "--resume", hold(bytes, k->count), NULL);
    time_run(0);
    free(bytes);
}

/* ---- inputs from inputs
 *
 * Texts are made of lines and words.  libFuzzer changes bytes, which mostly ends a word that is
 * known; half of the inputs are made of whole ones instead. */

size_t LLVMFuzzerMutate(uint8_t *data, size_t bytes, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t most, unsigned seed);

typedef struct piece {
    size_t at, bytes;
} piece;

static bool in_word(uint8_t c) {
    return c == '_' || c == '.' || c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}

/* The line, with its end, or the word that stands there. */
static piece piece_at(const uint8_t *data, size_t bytes, size_t at, bool line) {
    size_t from = at, past = at;

    if (line) {
        while (from && data[from - 1] != '\n') from--;
        while (past < bytes && data[past++] != '\n') continue;
    } else {
        while (from < bytes && !in_word(data[from])) from++;
        while (from && in_word(data[from - 1])) from--;
        past = from;
        while (past < bytes && in_word(data[past])) past++;
    }
    return (piece){ from, past - from };
}

/* Puts `with` in the place of a piece; as it is, where there is no room. */
static size_t put(uint8_t *data, size_t bytes, size_t most, piece of, const void *with, size_t n) {
    if (bytes - of.bytes + n > most) return bytes;
    memmove(data + of.at + n, data + of.at + of.bytes, bytes - of.at - of.bytes);
    memcpy(data + of.at, with, n);
    return bytes - of.bytes + n;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t most, unsigned seed) {
    static const char *const numbers[] = { "0",
                                           "1",
                                           "2",
                                           "3",
                                           "4",
                                           "16",
                                           "-1",
                                           "0.5",
                                           "1e-9",
                                           "1e300",
                                           "nan",
                                           "255",
                                           "65536",
                                           "4294967295",
                                           "4294967296",
                                           "1099511627776",
                                           "9223372036854775808",
                                           "18446744073709551615",
                                           "99999999999999999999" };
    static uint8_t copy[1 << 13];
    const bool line = seed & 2;
    unsigned dice = seed >> 6;
    piece a, b;

    if (seed & 1 || !bytes || memchr(data, 0, bytes)) return LLVMFuzzerMutate(data, bytes, most);
    a = piece_at(data, bytes, dice % bytes, line);
    b = piece_at(data, bytes, (dice * 2654435761u >> 7) % bytes, line);
    if (b.bytes > sizeof copy) return LLVMFuzzerMutate(data, bytes, most);
    memcpy(copy, data + b.at, b.bytes);
    switch (seed >> 2 & 7) {
    case 0: return put(data, bytes, most, a, "", 0);         /* left out */
    case 1: return put(data, bytes, most, a, copy, b.bytes); /* replaced */
    case 2:
    case 3: return put(data, bytes, most, (piece){ a.at, 0 }, copy, b.bytes); /* repeated */
    case 4: {
        const char *const n = numbers[dice % (sizeof numbers / sizeof *numbers)];
        return put(data, bytes, most, piece_at(data, bytes, a.at, false), n, strlen(n));
    }
    default: { /* changed as bytes, but nothing around it */
        uint8_t word[64];
        size_t n = b.bytes < sizeof word ? b.bytes : sizeof word;

        memcpy(word, copy, n);
        n = LLVMFuzzerMutate(word, n, sizeof word);
        return put(data, bytes, most, b, word, n);
    }
    }
}

static void (*reader)(const input *);

/* The build lists the readers of readers.txt in READERS. */
int LLVMFuzzerInitialize(int *argc, char ***argv) {
#define READER(name) { "fuzz_" #name, name },
    static const struct {
        const char *program;
        void (*read)(const input *);
    } readers[] = { READERS };
#undef READER
    const char *slash = strrchr((*argv)[0], '/'), *own = slash ? slash + 1 : (*argv)[0];

    (void)argc;
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (!strcmp(own, readers[i].program)) reader = readers[i].read;
    if (reader) return 0;
    fprintf(stderr, "found the program %s, expected fuzz_ and a reader of readers.txt\n", own);
    exit(2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    char *text = malloc(bytes + 1); /* of its size, so that a step beyond its end is seen */

    if (!text) abort();
    memcpy(text, data, bytes);
    text[bytes] = '\0';
    reader(&(input){ text, bytes });
    free(text);
    return 0;
}
