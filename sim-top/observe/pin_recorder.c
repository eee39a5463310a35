/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pin_recorder.c -- wraps a core and writes the pins that change in each cycle
 *
 * A segment begins with the twin's state. Each tick then adds the words of the image that have
 * changed, as a mask and their changed bytes. A segment of enough ticks or bytes is compressed and
 * written. A core that is not a C twin gets a twin that ticks with the same inputs and provides the
 * state.
 */
#include "message.h"
#include "pin_recording.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "ace_registers.h"
#include "atomic_file.h"
#include "digest.h"
#include "exit_status.h"
#include "fabric.h"
#include "processes.h"
#include "program_digest.h"
#include "spans.h"

const char pin_recording_magic[sizeof((pin_recording_header *)0)->magic] = "acesim pins 4";

enum {
    SEGMENT_TICKS = 16384,
    SEGMENT_BYTES = 16 << 20 /* of rows, in a run with payload */
};
_Static_assert(sizeof(pin_image) % sizeof(uint64_t) == 0 && RECORDING_WORDS <= 64,
               "words, a bit each");

uint32_t pin_recording_sum(const void *head, size_t bytes) {
    return (uint32_t)crc32(0, head, (uInt)bytes);
}

typedef struct recording_core {
    ace_core base;
    ace_core *core;
    ace_core *twin; /* provides the state: the core itself, or a twin that ticks with it */
    ace_core_class class_;
    atomic_file file;
    char name[1100];
    bool payload, retry, failed;
    uint64_t now, next; /* current cycle; the cycle after the last tick */
    pin_image image;
    pin_recording_segment segment;
    unsigned char *bytes;
    size_t count, room;
} recording_core;

static recording_core *self(ace_core *c) { return (recording_core *)c; }

static void put(recording_core *r, const void *from, size_t bytes) {
    if (r->count + bytes > r->room) {
        const size_t room = 2 * (r->count + bytes) + 65536;
        unsigned char *more = realloc(r->bytes, room);
        if (!more) {
            r->failed = true;
            return;
        }
        r->bytes = more;
        r->room = room;
    }
    memcpy(r->bytes + r->count, from, bytes);
    r->count += bytes;
}

static bool put_state(void *to, void *at, size_t bytes) {
    put(to, at, bytes);
    return true;
}

static void begin_segment(recording_core *r) {
    ace_state save = { .move = put_state, .self = r };
    pin_recording_segment *h = &r->segment;
    r->count = 0;
    memset(h, 0, sizeof *h); /* includes the padding */
    h->mark = RECORDING_MARK;
    h->cycle = r->now;
    ace_cycle_core_chunks(r->twin, &h->entered, &h->left);
    r->twin->class_->state(r->twin, &save);
    h->state = (uint32_t)r->count;
    memset(&r->image, 0, sizeof r->image);
    r->next = r->now;
}

static void end_segment(recording_core *r) {
    pin_recording_segment *h = &r->segment;
    uLongf packed = compressBound((uLong)r->count);
    unsigned char *to;
    if (!h->ticks) return;
    to = malloc(packed);
    if (!to || compress2(to, &packed, r->bytes, (uLong)r->count, 1) != Z_OK) r->failed = true;
    if (!r->failed) {
        h->raw = (uint32_t)r->count;
        h->packed = (uint32_t)packed;
        h->sum = (uint32_t)crc32(0, to, (uInt)packed);
        h->head = pin_recording_sum(h, offsetof(pin_recording_segment, head));
        (void)fwrite(h, sizeof *h, 1, r->file.to); /* recorder_end() reports failures */
        (void)fwrite(to, packed, 1, r->file.to);
    }
    free(to);
    h->ticks = 0;
}

/* Writes what has changed since the last tick: a mask of words, a mask of bytes for each, and
 * values. */
static void put_image(recording_core *r, const pin_image *now) {
    unsigned char to[8 + RECORDING_WORDS * 9], *at = to + 8;
    const unsigned char *was = (const unsigned char *)&r->image;
    const unsigned char *is = (const unsigned char *)now;
    uint64_t words = 0;
    for (unsigned w = 0; w < RECORDING_WORDS; w++, was += 8, is += 8) {
        unsigned char *const mask = at;
        if (!memcmp(was, is, 8)) continue;
        words |= UINT64_C(1) << w;
        *at++ = 0;
        for (unsigned b = 0; b < 8; b++)
            if (was[b] != is[b]) {
                *mask = (unsigned char)(*mask | 1u << b);
                *at++ = is[b];
            }
    }
    memcpy(to, &words, sizeof words);
    put(r, to, (size_t)(at - to));
    r->image = *now;
}

static void record(recording_core *r, const ace_pins_in *in) {
    pin_image now;
    if (r->segment.ticks == SEGMENT_TICKS || r->count > SEGMENT_BYTES) end_segment(r);
    if (!r->segment.ticks) begin_segment(r);
    now = r->image;
    now.frames = r->retry;
    now.skipped = r->now - r->next;
    pin_image_outputs(&now, r->core->class_->out(r->core));
    pin_image_inputs(&now, in);
    put_image(r, &now);
    for (unsigned set = r->payload ? in->rx.valid : 0; set; set &= set - 1)
        put(r, in->rx_data[__builtin_ctz(set)], ACE_ROW_BYTES);
    if (now.r_row) put(r, in->r_data, ACE_ROW_BYTES);
    r->next = r->now + 1;
    r->segment.ticks++;
}

static const ace_pins_out *recorder_out(ace_core *core) {
    return self(core)->core->class_->out(self(core)->core);
}
static void recorder_tick(ace_core *core, const ace_pins_in *in) {
    recording_core *r = self(core);
    record(r, in);
    r->core->class_->tick(r->core, in);
    if (r->twin != r->core) r->twin->class_->tick(r->twin, in);
    r->now++;
}
static void recorder_skip(ace_core *core, uint64_t cycles) {
    recording_core *r = self(core);
    r->core->class_->skip(r->core, cycles);
    if (r->twin != r->core) r->twin->class_->skip(r->twin, cycles);
    r->now += cycles;
}
static void recorder_reset(ace_core *core) {
    recording_core *r = self(core);
    end_segment(r);
    r->core->class_->reset(r->core);
    if (r->twin != r->core) r->twin->class_->reset(r->twin);
}
static void recorder_destroy(ace_core *core) {
    recording_core *r = self(core);
    if (r->twin && r->twin != r->core) r->twin->class_->destroy(r->twin);
    if (r->core) r->core->class_->destroy(r->core);
    if (r->file.to) atomic_file_drop(&r->file);
    free(r->bytes);
    free(r);
}
static void recorder_counts(const ace_core *core, ace_counts to) {
    const recording_core *r = (const recording_core *)core;
    r->core->class_->counts(r->core, to);
}
static void recorder_dump(const ace_core *core, FILE *to) {
    const recording_core *r = (const recording_core *)core;
    r->core->class_->dump(r->core, to);
}
static void recorder_time(ace_core *core, uint64_t cycle) {
    recording_core *r = self(core);
    r->now = cycle;
    if (r->core->class_->time) r->core->class_->time(r->core, cycle);
}
/* A resumed run starts a new segment, whether it was recorded before or not. A twin next to the
 * core must have been in the checkpoint, however. */
static void recorder_state(ace_core *core, ace_state *s) {
    recording_core *r = self(core);
    r->core->class_->state(r->core, s);
    if (r->twin != r->core) r->twin->class_->state(r->twin, s);
    if (s->loading) r->segment.ticks = 0;
}

/* Wraps a core, as fabric_observer.wrap requests. */
static int recorder_create(const char *folder, const pin_recording_header *about, ace_core *core,
                           recording_core **to, ace_core **recorded) {
    recording_core *r = calloc(1, sizeof *r);
    pin_recording_header h;
    int rc;
    if (!r) {
        core->class_->destroy(core);
        return message_no_memory();
    }
    memset(&h, 0, sizeof h); /* padding included, so that equal headers have equal bytes */
    memcpy(h.magic, pin_recording_magic, sizeof h.magic);
    h.program = FNV1A_START;
    (void)program_digest(&h.program);
    h.node = about->node;
    h.payload = about->payload;
    h.clock_MHz = about->clock_MHz;
    h.parameters = about->parameters;
    h.config = about->config;
    h.sum = pin_recording_sum(&h, offsetof(pin_recording_header, sum));
    r->core = r->twin = core;
    r->payload = about->payload;
    r->retry = about->config.retry || about->config.epoch;
    r->class_ = (ace_core_class){ .rung = core->class_->rung,
                                  .destroy = recorder_destroy,
                                  .reset = recorder_reset,
                                  .out = recorder_out,
                                  .tick = recorder_tick,
                                  .skip = recorder_skip,
                                  .counts = recorder_counts,
                                  .dump = recorder_dump,
                                  .time = recorder_time,
                                  .state = recorder_state };
    r->base.class_ = &r->class_;
    if (strcmp(core->class_->rung, "cycle")) {
        r->twin = NULL;
        if (ace_cycle_core_create(&h.parameters, &h.config, r->payload, &r->twin) != ACE_OK) {
            (void)message_no_memory();
            recorder_destroy(&r->base);
            return EXIT_CHECK;
        }
    }
    snprintf(r->name, sizeof r->name, "%.1024s/pins", folder);
    /* A rank may record into a folder that another rank has created for the results. */
    rc = processes_count() > 1 ? atomic_file_folder(folder) : atomic_file_folder_take(folder);
    if (rc == EXIT_OK) rc = atomic_file_open(&r->file, r->name);
    if (rc != EXIT_OK) {
        recorder_destroy(&r->base);
        return rc;
    }
    (void)fwrite(&h, sizeof h, 1, r->file.to);
    *to = r;
    *recorded = &r->base;
    return EXIT_OK;
}

/* Writes the last segment before the core is destroyed. */
static int recorder_end(recording_core *r) {
    end_segment(r);
    return r->failed ? atomic_file_fail(&r->file) : atomic_file_close(&r->file);
}

/* ---- the observer ---------------------------------------------------------------------- */

static int wrap(void *observer, const ace_parameters *parameters, const ace_config *cfg,
                bool payload, ace_core *core, ace_core **wrapped) {
    pin_recorder *p = observer;
    const pin_recording_header about = { .node = p->node,
                                         .payload = payload,
                                         .clock_MHz = p->clock_MHz,
                                         .parameters = *parameters,
                                         .config = *cfg };

    return recorder_create(p->folder, &about, core, &p->at, wrapped);
}

static int end(void *observer, uint64_t now, bool failed) {
    pin_recorder *p = observer;

    (void)now;
    (void)failed;
    return p->at ? recorder_end(p->at) : EXIT_OK;
}

/* Includes a twin next to the core, because the twin is saved and loaded with the core. */
static uint64_t digest(const void *observer, const fabric *f, uint64_t digest_) {
    const pin_recorder *p = observer;
    const unsigned representative = fabric_representative_of(f, p->node);

    return p->at && p->at->twin != p->at->core
               ? fnv1a(digest_, &representative, sizeof representative)
               : digest_;
}

fabric_observer pin_recorder_observer(pin_recorder *p) {
    return (fabric_observer){
        .self = p, .wrapped_node = p->node, .wrap = wrap, .end = end, .digest = digest
    };
}

int pin_recording_slices(const char *folder, const spans *s) {
    char name[1100];
    atomic_file f;
    unsigned number = 0;
    int rc;
    snprintf(name, sizeof name, "%.1024s/slices", folder);
    rc = atomic_file_open(&f, name);
    if (rc != EXIT_OK) return rc;
    for (size_t i = 0; i < s->count; i++) {
        const span *v = &s->at[i];
        fprintf(f.to, "%u %llu %llu %s%s%s\n", number++, (unsigned long long)v->from,
                (unsigned long long)v->to, v->what, *v->name ? " " : "", v->name);
    }
    return atomic_file_close(&f);
}
