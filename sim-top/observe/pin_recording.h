/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pin_recording.h -- records what crosses a node's pins in a file, and replays it from any cycle
 *
 * A recorder wraps the core that it records. It writes each cycle in which the node is not idle:
 * all inputs, and the outputs with checksums instead of rows. The file is a chain of segments. Each
 * is compressed separately and begins with the state of the C twin. A replay therefore starts with
 * the segment before the cycle that it shows. For this state, a node at the rtl rung runs with a C
 * twin next to it.
 *
 *     DIR/pins      header, then segments; complete up to where a run was stopped
 *     DIR/slices    a line for each collective of the node: number, first cycle, cycle after
 *                   the last, name; as in the timeline
 *
 * The state belongs to the build that wrote it. Another build replays from reset.
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
    double clock_MHz; /* so that a waveform shows real time */
    ace_parameters parameters;
    ace_config config;
    uint32_t sum; /* CRC-32 of the members above */
} pin_recording_header;

extern const char pin_recording_magic[sizeof((pin_recording_header *)0)->magic];

typedef struct pin_recording_segment {
    uint64_t cycle; /* of its first tick */
    uint32_t mark;
    uint32_t entered, left; /* chunks that have entered and left by then */
    uint32_t ticks;
    uint32_t state, raw, packed; /* bytes: of the state; of state and ticks; of these compressed */
    uint32_t sum;                /* CRC-32 of the compressed bytes */
    uint32_t head;               /* CRC-32 of the members above */
} pin_recording_segment;

/* Returns the CRC-32 of the first bytes of a header or segment. */
uint32_t pin_recording_sum(const void *head, size_t bytes);

/* Observes a node (fabric_observer.h): wraps its core until the node is destroyed. */
typedef struct pin_recorder {
    const char *folder;
    unsigned node;
    double clock_MHz;
    struct recording_core *at; /* the wrapper, or NULL */
} pin_recorder;
fabric_observer pin_recorder_observer(pin_recorder *p);
/* Writes the file of slices. Returns EXIT_OK, or EXIT_USAGE after a message. */
int pin_recording_slices(const char *folder, const spans *s);

/* ---- reading -------------------------------------------------------------------------- */

typedef struct pin_recording {
    pin_recording_header about;
    bool this_build; /* written by this build, so its states can be loaded */
    pin_recording_segment *segment;
    long *offset; /* offset of each segment in the file */
    unsigned segments;
    FILE *file;
    /* the present segment */
    unsigned present;
    unsigned char *bytes;
    size_t room, position;
    uint32_t left_ticks;
    /* the present tick */
    pin_image image;
    uint64_t cycle, between; /* idle cycles since the previous tick */
    ace_pins_in in;
    uint32_t rows[ACE_LINKS + 1][ACE_ROW_WORDS];
} pin_recording;

/* Opens the recording in a folder. Returns EXIT_OK, or EXIT_USAGE after a message. */
int pin_recording_open(const char *folder, pin_recording *r);
void pin_recording_close(pin_recording *r);
/* Goes to the beginning of a segment, and loads its state into `twin` unless that is NULL. Returns
 * EXIT_OK, or EXIT_USAGE after a message. */
int pin_recording_seek(pin_recording *r, unsigned segment, ace_core *twin);
/* Reads the next tick into image, cycle and in, from the next segment if one ends. Returns false at
 * the end. *rc becomes EXIT_USAGE, after a message, if the file is damaged. */
bool pin_recording_next(pin_recording *r, int *rc);

#endif
