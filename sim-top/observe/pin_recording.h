/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pin_recording.h -- what crosses a node's pins, in a file, to be replayed from the middle
 *
 * A recorder is a core around the core it records.  It writes each cycle in which the node
 * does not rest: inputs in full, outputs but for their rows, which are there as checksums.
 * The file is a chain of segments, each compressed on its own and beginning with the state
 * of the C twin, so a replay begins with the segment before the cycle it is to show.  A node
 * on the rtl rung has a C twin run beside it for that.
 *
 *     DIR/pins      header, then segments; whole up to where a run was stopped
 *     DIR/slices    a line for each collective of the node: number, first cycle, cycle after
 *                   the last, name; as in the timeline
 *
 * The state belongs to the build that wrote it.  Another build replays from reset.
 */
#ifndef PIN_RECORDING_H
#define PIN_RECORDING_H

#include <stdio.h>

#include "fabric_observer.h"
#include "pin_image.h"
#include "spans.h"

/* ---- writing ------------------------------------------------------------------------- */

enum { RECORDING_MARK = 0x73656770, RECORDING_WORDS = sizeof(pin_image) / sizeof(uint64_t) };

typedef struct pin_recording_header {
    char magic[16];
    uint64_t program; /* digest of the build */
    uint32_t node, payload;
    double clock_MHz; /* a waveform shows real time */
    ace_parameters parameters;
    ace_config config;
    uint32_t sum; /* CRC-32 of what is before it */
} pin_recording_header;

extern const char pin_recording_magic[sizeof((pin_recording_header *)0)->magic];

typedef struct pin_recording_segment {
    uint64_t cycle; /* of its first tick */
    uint32_t mark;
    uint32_t entered, left; /* chunks, then */
    uint32_t ticks;
    uint32_t state, raw, packed; /* bytes: of the state, with the ticks, compressed */
    uint32_t sum;                /* CRC-32 of what is compressed */
    uint32_t head;               /* and of this, what is before it */
} pin_recording_segment;

/* CRC-32 of the first bytes of either. */
uint32_t pin_recording_sum(const void *head, size_t bytes);

/* Observes a node (fabric_observer.h): stands before its core until the node is destroyed. */
typedef struct pin_recorder {
    const char *folder;
    unsigned node;
    double clock_MHz;
    struct recording_core *at; /* that core, or NULL */
} pin_recorder;
fabric_observer pin_recorder_observer(pin_recorder *p);
/* EXIT_OK, or EXIT_USAGE after a message. */
int pin_recording_slices(const char *folder, const spans *s);

/* ---- reading -------------------------------------------------------------------------- */

typedef struct pin_recording {
    pin_recording_header about;
    bool this_build; /* its states can be loaded */
    pin_recording_segment *segment;
    long *place; /* of each in the file */
    unsigned segments;
    FILE *file;
    /* the present segment */
    unsigned present;
    unsigned char *bytes;
    size_t room, position;
    uint32_t left_ticks;
    /* the present tick */
    pin_image image;
    uint64_t cycle, between; /* cycles at rest since the tick before */
    ace_pins_in in;
    uint32_t rows[ACE_LINKS + 1][ACE_ROW_WORDS];
} pin_recording;

/* EXIT_OK, or EXIT_USAGE after a message. */
int pin_recording_open(const char *folder, pin_recording *r);
void pin_recording_close(pin_recording *r);
/* Goes to the beginning of a segment; its state goes to `twin`, when that is not NULL.  EXIT_OK,
 * or EXIT_USAGE after a message. */
int pin_recording_seek(pin_recording *r, unsigned segment, ace_core *twin);
/* The next tick, of the next segment where one ends: image, cycle and in are its.  False at
 * the end; *rc: EXIT_USAGE after a message when the file is damaged. */
bool pin_recording_next(pin_recording *r, int *rc);

#endif
