/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pin_recording.c -- reads a recording: its segments, and images tick by tick
 *
 * Opening walks the chain of segments and stops at one that was cut short. A seek decompresses a
 * segment and loads the twin's state. A damaged header or segment ends the replay with a message.
 */
#include "pin_recording.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "digest.h"
#include "exit_status.h"
#include "message.h"
#include "program_digest.h"

enum { RAW_MOST = 1 << 28 /* bytes of a segment, which a recorder ends long before */ };

static int damaged(const char *where) {
    fprintf(stderr, "acesim: found a recording that is damaged (%s), expected a whole one\n",
            where);
    return EXIT_USAGE;
}

/* Finds the segments. If a run was stopped, the last segment may be incomplete and is ignored. */
static int read_segments(pin_recording *r) {
    unsigned room = 0;
    pin_recording_segment s;
    uint64_t before = 0; /* ticks of the previous segment */
    long size;
    if (fseek(r->file, 0, SEEK_END)) return damaged("no end");
    size = ftell(r->file);
    if (fseek(r->file, sizeof r->about, SEEK_SET)) return damaged("no header");
    while (fread(&s, sizeof s, 1, r->file) == 1) {
        const long offset = ftell(r->file);
        if (s.mark != RECORDING_MARK) return damaged("no segment where one begins");
        if (s.head != pin_recording_sum(&s, offsetof(pin_recording_segment, head)))
            return damaged("the head of a segment");
        if (!s.ticks || s.state > s.raw || s.raw > RAW_MOST)
            return damaged("a segment of impossible size");
        if (r->segments && s.cycle < r->segment[r->segments - 1].cycle + before)
            return damaged("segments out of order");
        before = s.ticks;
        if (offset + (long)s.packed > size) break;
        if (r->segments == room) {
            pin_recording_segment *segment = realloc(r->segment, (2 * room + 64) * sizeof *segment);
            long *offsets = realloc(r->offset, (2 * room + 64) * sizeof *offsets);
            if (segment) r->segment = segment;
            if (offsets) r->offset = offsets;
            if (!segment || !offsets) {
                (void)message_no_memory();
                return EXIT_USAGE;
            }
            room = 2 * room + 64;
        }
        r->segment[r->segments] = s;
        r->offset[r->segments++] = offset;
        if (fseek(r->file, (long)s.packed, SEEK_CUR)) break;
    }
    return r->segments ? EXIT_OK : damaged("no segments");
}

/* Checks what a correct checksum does not guarantee: that the header describes a valid node. */
static int check_header(const pin_recording_header *h) {
    if (h->sum != pin_recording_sum(h, offsetof(pin_recording_header, sum)))
        return damaged("its header");
    /* the byte of a bool in a file may be neither 0 nor 1 */
    unsigned char hub[sizeof h->config.hub];
    memcpy(hub, h->config.hub, sizeof hub);
    for (size_t d = 0; d < sizeof hub; d++)
        if (hub[d] > 1) return damaged("a node that there cannot be");
    if (ace_parameters_check(&h->parameters, &h->config) != ACE_OK || h->payload > 1 ||
        !(h->clock_MHz > 0 && h->clock_MHz < 1e9))
        return damaged("a node that there cannot be");
    return EXIT_OK;
}

int pin_recording_open(const char *folder, pin_recording *r) {
    char name[1100];
    uint64_t program = FNV1A_START;
    int rc;
    *r = (pin_recording){ 0 };
    snprintf(name, sizeof name, "%.1024s/pins", folder);
    r->file = fopen(name, "rb");
    if (!r->file) {
        fprintf(stderr, "acesim: %s: %s, expected a folder of --record\n", name, strerror(errno));
        return EXIT_USAGE;
    }
    if (fread(&r->about, sizeof r->about, 1, r->file) != 1 ||
        memcmp(r->about.magic, pin_recording_magic, sizeof r->about.magic)) {
        fprintf(stderr, "acesim: %s: found no recording, expected a file of --record\n", name);
        rc = EXIT_USAGE;
    } else {
        rc = check_header(&r->about);
        if (rc == EXIT_OK) rc = read_segments(r);
    }
    r->this_build = program_digest(&program) && program == r->about.program;
    if (rc != EXIT_OK) pin_recording_close(r);
    return rc;
}

void pin_recording_close(pin_recording *r) {
    if (r->file) fclose(r->file);
    free(r->segment);
    free(r->offset);
    free(r->bytes);
    *r = (pin_recording){ 0 };
}

static bool get(pin_recording *r, void *to, size_t bytes) {
    if (r->position + bytes > r->segment[r->present].raw) return false;
    memcpy(to, r->bytes + r->position, bytes);
    r->position += bytes;
    return true;
}

static bool get_state(void *from, void *at, size_t bytes) { return get(from, at, bytes); }

int pin_recording_seek(pin_recording *r, unsigned segment, ace_core *twin) {
    const pin_recording_segment *s = &r->segment[segment];
    unsigned char *packed = malloc(s->packed);
    uLongf raw = s->raw;
    ace_state load = { .loading = true, .move = get_state, .self = r };
    bool ok = packed != NULL;
    if (ok && r->room < s->raw) {
        unsigned char *more = realloc(r->bytes, s->raw);
        ok = more != NULL;
        if (ok) {
            r->bytes = more;
            r->room = s->raw;
        }
    }
    ok = ok && !fseek(r->file, r->offset[segment], SEEK_SET) &&
         fread(packed, s->packed, 1, r->file) == 1 &&
         (uint32_t)crc32(0, packed, s->packed) == s->sum &&
         uncompress(r->bytes, &raw, packed, s->packed) == Z_OK && raw == s->raw;
    free(packed);
    if (!ok) return damaged("a segment");
    r->present = segment;
    r->position = 0;
    if (twin) twin->class_->state(twin, &load);
    if (load.failed) return damaged(load.impossible ? load.impossible : "a state");
    r->position = s->state;
    r->left_ticks = s->ticks;
    r->cycle = s->cycle - 1;
    memset(&r->image, 0, sizeof r->image);
    return EXIT_OK;
}

static bool get_image(pin_recording *r) {
    unsigned char *at = (unsigned char *)&r->image, bytes;
    uint64_t words;
    if (!get(r, &words, sizeof words)) return false;
    for (; words; words &= words - 1) {
        const unsigned w = (unsigned)__builtin_ctzll(words);
        if (w >= RECORDING_WORDS || !get(r, &bytes, 1)) return false;
        for (; bytes; bytes &= (unsigned char)(bytes - 1))
            if (!get(r, at + 8 * w + (unsigned)__builtin_ctz(bytes), 1)) return false;
    }
    return true;
}

static bool get_rows(pin_recording *r) {
    for (unsigned set = r->about.payload ? r->image.rx_valid : 0; set; set &= set - 1) {
        const unsigned l = (unsigned)__builtin_ctz(set);
        if (l >= ACE_LINKS || !get(r, r->rows[l], ACE_ROW_BYTES)) return false;
    }
    return !r->image.r_row || get(r, r->rows[ACE_LINKS], ACE_ROW_BYTES);
}

bool pin_recording_next(pin_recording *r, int *rc) {
    *rc = EXIT_OK;
    if (!r->left_ticks) {
        const uint64_t next_cycle = r->cycle + 1;
        if (r->present + 1 == r->segments) return false;
        *rc = pin_recording_seek(r, r->present + 1, NULL);
        if (*rc != EXIT_OK) return false;
        r->between = r->segment[r->present].cycle - next_cycle;
    } else {
        r->between = 0;
    }
    r->left_ticks--;
    if (!get_image(r) || !get_rows(r)) {
        *rc = damaged("a cycle");
        return false;
    }
    r->between += r->image.skipped;
    r->cycle += r->image.skipped + 1;
    pin_image_pins(&r->image, &r->in);
    for (unsigned l = 0; r->about.payload && l < ACE_LINKS; l++) r->in.rx_data[l] = r->rows[l];
    r->in.r_data = r->image.r_row ? r->rows[ACE_LINKS] : NULL;
    return true;
}
