/* SPDX-License-Identifier: Apache-2.0 */
/*
 * command_wave.c -- acesim wave: the waveform of a moment of a recorded run
 *
 * The C twin replays the recorded pins from the checkpoint before the moment. Shortly before the
 * moment, a Verilated node takes over the twin's state (ace_rtl_registers.h) and replays the same
 * pins. Both are compared with the recorded pins in every cycle.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ace_registers.h"
#include "ace_rtl_node.h"
#include "ace_rtl_registers.h"
#include "ace_wave_file.h"
#include "atomic_file.h"
#include "command.h"
#include "exit_status.h"
#include "gtkwave_view.h"
#include "message.h"
#include "names.h"
#include "option_table.h"
#include "pin_recording.h"
#include "run_cost.h"
#include "values.h"

enum { LEAD = 32 /* minimum cycles that the Verilated node runs before the window */ };

typedef struct question {
    const char *folder, *slice, *output;
    uint64_t node, from, to, chunk;
    uint32_t number; /* of the chunk, counted from the reset */
    uint64_t context;
    bool by_node, by_from, by_to, by_chunk, by_context, quiet;
} question;

typedef struct replay {
    pin_recording *r;
    ace_core *twin, *rtl;
} replay;

/* ---- running --------------------------------------------------------------------------- */

/* Returns the segment that contains the cycle, or the first one if the saved state cannot be
 * used. */
static unsigned segment_before(const pin_recording *r, uint64_t cycle) {
    unsigned at = 0;
    if (!r->this_build) return 0;
    while (at + 1 < r->segments && r->segment[at + 1].cycle <= cycle) at++;
    return at;
}

static int seek(replay *p, unsigned segment) {
    const pin_recording_header *h = &p->r->about;
    if (p->twin) p->twin->class_->destroy(p->twin);
    p->twin = NULL;
    if (ace_cycle_core_create(&h->parameters, &h->config, h->payload, &p->twin) != ACE_OK)
        return message_no_memory();
    if (!p->r->this_build && p->r->segment[0].cycle && p->r->segment[0].entered) {
        fprintf(stderr, "acesim: found a recording that another build began in the middle of a "
                        "run, expected one of this build or from a run's beginning\n");
        return EXIT_USAGE;
    }
    return pin_recording_seek(p->r, segment, p->r->this_build ? p->twin : NULL);
}

static bool as_recorded(const replay *p, ace_core *core, const char *who) {
    pin_difference d;
    if (pin_image_same(&p->r->image, core->class_->out(core), &d)) return true;
    printf("cycle %" PRIu64 ", pin %s[%u]: %s %#" PRIx64 ", recorded %#" PRIx64 "\n", p->r->cycle,
           d.pin, d.at, who, d.found, d.recorded);
    return false;
}

/* Advances to the next tick, up to its edge. Returns false at the end. */
static bool advance(replay *p, int *rc) {
    if (!pin_recording_next(p->r, rc)) return false;
    if (p->r->between) {
        p->twin->class_->skip(p->twin, p->r->between);
        if (p->rtl) p->rtl->class_->skip(p->rtl, p->r->between);
    }
    if (p->rtl) p->rtl->class_->time(p->rtl, p->r->cycle);
    return true;
}

static void edge(replay *p) {
    if (!p->r->image.frames) ace_cycle_core_due(p->twin, p->r->in.rx.number);
    p->twin->class_->tick(p->twin, &p->r->in);
    if (p->rtl) p->rtl->class_->tick(p->rtl, &p->r->in);
}

/* ---- the window ------------------------------------------------------------------------- */

static int slice(question *q) {
    char name[NAME_MOST + 16], line[256], *end;
    const uint64_t number = strtoull(q->slice, &end, 10);
    const bool by_number = *q->slice && !*end;
    FILE *f;
    snprintf(name, sizeof name, "%s/slices", q->folder);
    f = fopen(name, "r");
    while (f && fgets(line, sizeof line, f)) {
        uint64_t n, from, to;
        int at = 0;
        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %n", &n, &from, &to, &at) < 3)
            continue;
        if (by_number ? n != number : strcmp(line + at, q->slice) != 0) continue;
        q->from = from;
        q->to = to;
        fclose(f);
        return EXIT_OK;
    }
    if (f) fclose(f);
    fprintf(
        stderr,
        "acesim wave: --slice: found '%s', expected a number or a name of %s, such as 'all-reduce "
        "top0'\n",
        q->slice, name);
    return EXIT_USAGE;
}

/* Sets the window from the dispatch of a chunk to its completion, as the twin reports them. */
static int chunk(question *q, replay *p) {
    pin_recording *r = p->r;
    uint32_t entered = 0, left = 0, first = 0;
    unsigned segment = 0;
    bool inside = false;
    int rc;
    if (q->slice) {
        segment = segment_before(r, q->from);
    } else {
        while (r->this_build && segment + 1 < r->segments &&
               r->segment[segment + 1].entered <= q->chunk)
            segment++;
    }
    rc = seek(p, segment);
    if (rc != EXIT_OK) return rc;
    const uint64_t begin = q->slice ? q->from : 0, end = q->slice ? q->to : UINT64_MAX;
    bool begun = !q->slice;
    while (advance(p, &rc)) {
        if (!begun && r->cycle >= begin) {
            ace_cycle_core_chunks(p->twin, &first, &left);
            begun = true;
        }
        if (!inside && r->cycle >= end) break;
        edge(p);
        ace_cycle_core_chunks(p->twin, &entered, &left);
        if (begun && !inside && entered - first > q->chunk) {
            q->from = r->cycle;
            q->number = first + (uint32_t)q->chunk;
            inside = true;
        }
        if (inside && (int32_t)(left - first - (uint32_t)q->chunk) > 0) {
            q->to = r->cycle + 1;
            return EXIT_OK;
        }
    }
    if (rc != EXIT_OK) return rc;
    if (entered == first) {
        fprintf(stderr,
                "acesim wave: --chunk: found %s that is cut into no chunks, expected another "
                "one: the rows of all-to-alls and lists go straight\n",
                q->slice ? "a collective" : "a run");
        return EXIT_USAGE;
    }
    fprintf(stderr, "acesim wave: --chunk: found %" PRIu64 ", expected one below %u\n", q->chunk,
            entered - first);
    return EXIT_USAGE;
}

/* Finds the last cycle, at or before `cycle`, in which a node with payload holds no row. A node
 * that is idle there is in such a cycle. Otherwise it is the first cycle of the recording. */
static int last_rest(replay *p, uint64_t cycle, uint64_t *rest) {
    uint32_t entered = 0, left = 0;
    int rc = EXIT_OK;
    for (unsigned s = segment_before(p->r, cycle);; s--) {
        bool found = false;
        rc = seek(p, s);
        if (rc != EXIT_OK) return rc;
        ace_cycle_core_chunks(p->twin, &entered, &left);
        while (advance(p, &rc) && p->r->cycle <= cycle) {
            if (p->twin->class_->out(p->twin)->idle ||
                (!s && !found && entered == left && !ace_cycle_core_exchanges(p->twin))) {
                *rest = p->r->cycle;
                found = true;
            }
            edge(p);
        }
        if (rc != EXIT_OK || found) return rc;
        if (s) continue;
        fprintf(stderr,
                "acesim wave: found a recording that begins with rows in the node, expected "
                "a window after the node has rested\n");
        return EXIT_USAGE;
    }
}

static int start_rtl(replay *p, const question *q, const char *file) {
    const pin_recording_header *h = &p->r->about;
    ace_registers *both;
    if (h->parameters.wire_formats) {
        fprintf(stderr, "acesim wave: found a node with wire_formats, expected one without: its "
                        "encoders cannot go on from a twin's state\n");
        return EXIT_USAGE;
    }
    const ace_rtl_wave wave = { file, q->from, q->to, h->clock_MHz };
    const int e = ace_rtl_core_create(&h->parameters, &h->config, h->payload, 1, &wave, &p->rtl);
    if (e == ACE_EINVAL) {
        fprintf(stderr,
                "acesim wave: found parameters the RTL is not built with, expected a set of "
                "cmake/node_sets\n");
        return EXIT_USAGE;
    }
    if (e != ACE_OK || ace_registers_create(p->rtl, p->twin, &both) != ACE_OK)
        return message_no_memory();
    ace_registers_load(both);
    ace_registers_destroy(both);
    p->rtl->class_->time(p->rtl, p->r->cycle);
    return EXIT_OK;
}

/* Records the window. Returns EXIT_CHECK at the first difference; the waveform ends some cycles
 * later. */
static int window(replay *p, question *q, const char *file) {
    enum { AFTERMATH = 20 };
    uint64_t start = q->from > LEAD ? q->from - LEAD : 0, loaded = 0, shown = 0;
    bool differs = false;
    int rc = p->r->about.payload ? last_rest(p, start, &start) : EXIT_OK;
    if (rc == EXIT_OK) rc = seek(p, segment_before(p->r, start));
    if (rc != EXIT_OK) return rc;
    const uint64_t checkpoint = p->r->segment[p->r->present].cycle;
    while (advance(p, &rc) && p->r->cycle < q->to) {
        if (!p->rtl && p->r->cycle >= start && !ace_cycle_core_divides(p->twin)) {
            rc = start_rtl(p, q, file);
            if (rc != EXIT_OK) return rc;
            loaded = p->r->cycle;
        }
        if (!differs &&
            (!as_recorded(p, p->twin, "cycle") || (p->rtl && !as_recorded(p, p->rtl, "rtl")))) {
            differs = true;
            if (!p->rtl) return EXIT_CHECK;
            if (p->r->cycle + AFTERMATH < q->to) q->to = p->r->cycle + AFTERMATH;
            if (q->from > p->r->cycle) q->from = p->r->cycle;
        }
        shown += p->r->cycle >= q->from;
        edge(p);
    }
    if (rc != EXIT_OK) return rc;
    if (!p->rtl || !shown) {
        fprintf(stderr,
                "acesim wave: found cycles %" PRIu64 " to %" PRIu64
                ", in which the node rests, expected some of its work\n",
                q->from, q->to);
        return EXIT_USAGE;
    }
    printf("checkpoint of cycle %" PRIu64 ", RTL from cycle %" PRIu64 ", window %" PRIu64
           " to %" PRIu64 ": %" PRIu64 " cycles with work\n",
           checkpoint, loaded, q->from, q->to, shown);
    printf("pins: %s\n", differs ? "DIFFERENT" : "as recorded");
    return differs ? EXIT_CHECK : EXIT_OK;
}

/* ---- the command ------------------------------------------------------------------------ */

/* Writes the view of the requested chunk or context, or of the node. */
static int write_view(const question *q, const replay *p, const char *file) {
    const pin_recording_header *h = &p->r->about;
    const gtkwave_window w = { q->from, q->to, h->clock_MHz };
    const gtkwave_chunk shown = { .number = q->by_context ? (uint32_t)q->context : q->number,
                                  .parameters = h->parameters,
                                  .any = q->by_context };
    char *body = q->by_chunk || q->by_context ? gtkwave_view_chunk(&shown) : NULL;
    const int rc = gtkwave_view_write(file, body, &w);
    free(body);
    return rc;
}

static bool check_context(const question *q, const replay *p) {
    const ace_parameters *h = &p->r->about.parameters;
    const unsigned contexts = h->fsms / (h->dimensions + 1) * h->contexts;
    if (q->context < contexts) return true;
    fprintf(stderr, "acesim wave: --context: found %" PRIu64 ", expected one below %u\n",
            q->context, contexts);
    return false;
}

static int answer(question *q, replay *p) {
    const unsigned failures = ace_wave_failures();
    char file[NAME_MOST + 80];
    atomic_file wave;
    int written, rc = pin_recording_open(q->folder, p->r);
    if (rc != EXIT_OK) return rc;
    if (q->by_node && q->node != p->r->about.node) {
        fprintf(stderr, "acesim wave: --node: found %" PRIu64 ", expected %u, which was recorded\n",
                q->node, p->r->about.node);
        return EXIT_USAGE;
    }
    if (!p->r->this_build)
        fprintf(stderr, "acesim wave: recorded by another build: replayed from the beginning\n");
    if (q->by_context && !check_context(q, p)) return EXIT_USAGE;
    if (q->slice) rc = slice(q);
    if (rc == EXIT_OK && q->by_chunk) rc = chunk(q, p);
    if (rc != EXIT_OK) return rc;
    if (q->output)
        snprintf(file, sizeof file, "%s", q->output);
    else
        snprintf(file, sizeof file, "%s/node%u-%" PRIu64 "-%" PRIu64 ".fst", q->folder,
                 p->r->about.node, q->from, q->to);
    rc = atomic_file_reserve(&wave, file);
    if (rc != EXIT_OK) return rc;
    rc = window(p, q, wave.part);
    if (rc == EXIT_USAGE || !p->rtl) {
        atomic_file_drop(&wave);
        return rc;
    }
    p->rtl->class_->destroy(p->rtl); /* closes the waveform */
    p->rtl = NULL;
    written = ace_wave_failures() == failures ? atomic_file_close(&wave) : atomic_file_fail(&wave);
    if (written == EXIT_OK) written = write_view(q, p, file);
    return written == EXIT_OK ? rc : written;
}

#define CYCLE(name, argument, member, help)                          \
    {                                                                \
        name, argument, OPTION_COUNT, offsetof(question, member),    \
            .text = help, .accepted = "a number", .high = UINT64_MAX \
    }
static const option_row rows[] = {
    { "slice", "NAME|NUMBER", OPTION_TEXT, offsetof(question, slice),
      .text = "a collective, by its number in DIR/slices, or the first of a name" },
    CYCLE("chunk", "K", chunk,
          "from the dispatch of the node's chunk K to its completion,\n"
          "counted from 0, or from where the slice begins; the view shows\n"
          "the FSM and context that hold it in each phase"),
    CYCLE("context", "N", context,
          "the view shows this context of each phase, as the timeline\nnumbers them"),
    CYCLE("from", "CYCLE", from, "first cycle"),
    CYCLE("to", "CYCLE", to, "cycle the window ends before"),
    CYCLE("node", "N", node, "node, which must be the recorded one"),
    { "output", "FILE", OPTION_TEXT, offsetof(question, output),
      .text = "the waveform [DIR/nodeN-FROM-TO.fst]" },
    { "quiet", NULL, OPTION_FLAG, offsetof(question, quiet), .text = "no cost on standard error" },
};
static const option_table options = {
    .command = "wave",
    .about =
        "usage: acesim wave DIR [OPTIONS]\n\n"
        "Replays a window of a run that was recorded with --record DIR. The Verilated node\n"
        "starts at the nearest checkpoint. The command writes a waveform, and a view for\n"
        "GTKWave with the window's beginning at marker A and its end at marker B. The replay is\n"
        "compared with the recorded pins in every cycle; exit status 1 means a difference.\n"
        "--slice, --chunk or both choose the window, or else --from and --to.\n\n",
    .tail =
        "\nexample: acesim run workloads/clusters/torus-4x2x2.yaml workloads/resnet50.yaml --record run\n"
        "         acesim wave run --slice 12\n",
    .least = 1,
    .most = 1,
    .expected = "one folder of --record",
    .group = { OPTION_GROUP(rows) },
};
int command_wave(int argc, char **argv) {
    const uint64_t none = UINT64_MAX; /* no cycle, node, chunk or context has this number */
    question q = { .node = none, .from = none, .to = none, .chunk = none, .context = none };
    pin_recording r = { 0 };
    replay p = { .r = &r };
    double start;
    int rc;
    char **const folder = option_table_read(&options, argc, argv, &q, &rc);

    if (!folder) return rc;
    q.by_node = q.node != none;
    q.by_from = q.from != none;
    q.by_to = q.to != none;
    q.by_chunk = q.chunk != none;
    q.by_context = q.context != none;
    if (q.by_from != q.by_to || (q.by_from && (q.slice || q.by_chunk)) ||
        !(q.by_from || q.slice || q.by_chunk) || (q.by_from && q.from >= q.to)) {
        fprintf(stderr, "acesim wave: found no window, expected --slice, --chunk, or --from below "
                        "--to\n");
        return EXIT_USAGE;
    }
    q.folder = *folder;
    if (!name_check("wave", q.folder) || (q.output && !name_check("wave: --output", q.output)))
        return EXIT_USAGE;
    start = run_cost_start();
    rc = answer(&q, &p);
    if (p.rtl) p.rtl->class_->destroy(p.rtl);
    if (p.twin) p.twin->class_->destroy(p.twin);
    pin_recording_close(&r);
    if (!q.quiet) run_cost_print(start, rc);
    return rc;
}
