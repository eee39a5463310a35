/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup_fields.h -- the fields of a run's setup, by number: setup_fields.def is their list
 *
 *   setup_initial(&o);                                       all as where nothing else is said
 *   setup_take(&setup_fields[SETUP_CHUNK], "16KiB", &o);     a value as a person writes it
 *   setup_print(&setup_fields[SETUP_CHUNK], &o, text, n);    and back, the same text for the same
 *   value
 *
 * A field is set by its option, or by its key in a cluster file; where from is kept (setup_source),
 * so that a message about two values that do not go together can say where they stand.
 */
#ifndef SETUP_FIELDS_H
#define SETUP_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "option_table.h"
#include "values.h"

typedef enum setup_id {
#define FIELD(id, ...) SETUP_##id,
#include "setup_fields.def"
#undef FIELD
    SETUP_FIELDS
} setup_id;

/* How a person writes a value, and how struct setup holds it. */
typedef enum setup_type {
    SETUP_TYPE_FLAG,      /* an option without a value                        bool */
    SETUP_TYPE_SWITCH,    /* on, off                                          bool */
    SETUP_TYPE_CHOICE,    /* the first of .names, or the second               bool */
    SETUP_TYPE_WORD,      /* one of .names                                    an enum */
    SETUP_TYPE_OP,        /* likewise, with other words for some              ace_op */
    SETUP_TYPE_COUNT,     /* a whole number                                   unsigned */
    SETUP_TYPE_COUNT64,   /* a whole number                                   uint64_t */
    SETUP_TYPE_SIZE,      /* bytes: 64MiB                                     uint64_t */
    SETUP_TYPE_BANDWIDTH, /* 128GB/s                                          double, GB/s */
    SETUP_TYPE_CLOCK,     /* 1245MHz                                          double, MHz */
    SETUP_TYPE_RATE,      /* 120 TFLOPS                                       double, TFLOPS */
    SETUP_TYPE_TIME,      /* 2 us                                             double, us */
    SETUP_TYPE_FRACTION,  /* above 0, at most 1                               double */
    SETUP_TYPE_SHARE,     /* 0 to 1                                           double */
    SETUP_TYPE_FACTOR,    /* 0.001 to 1000                                    double */
    SETUP_TYPE_TEXT,      /* .low to .high characters                         char[] */
    SETUP_TYPE_STRING,    /* any; the caller's                                const char * */
    SETUP_TYPE_FILE,      /* likewise, a file that is read                    const char * */
    SETUP_TYPE_FAULTS,    /* likewise, a list of faults (faults.h)            const char * */
    SETUP_TYPE_TOPOLOGY,  /* 4x4x4, Switch(8)                                 cluster */
    SETUP_TYPE_DIMS, /* x,z                                              uint8_t[], and dim_count */
    SETUP_TYPE_BANDWIDTHS, /* of a dimension each, or one of all               double[] */
    SETUP_TYPE_COUNTS      /* likewise                                         uint32_t[] */
} setup_type;

typedef enum setup_part {
    SETUP_PART_RESULT,
    SETUP_PART_CHECK,
    SETUP_PART_WAY,
    SETUP_PART_OUTPUT
} setup_part;

/* The commands that take an option. */
enum { SETUP_NEITHER = 0, SETUP_COLLECTIVE = 1, SETUP_RUN = 2, SETUP_BOTH = 3 };

/* See setup_fields.def. */
typedef struct setup_field {
    const char *id; /* "MEMORY_LATENCY" */
    setup_type type;
    size_t at, bytes; /* where in struct setup, and how long */
    int where;
    setup_part part;
    const char *option, *argument, *key, *json, *unit, *of, *initial, *example, *accepted, *text;
    uint64_t low, high;
    bool power_of_two, common;
    option_heading heading;
    const char *const *names;
} setup_field;
extern const setup_field setup_fields[SETUP_FIELDS];

/* Where a field's value was written. */
typedef struct setup_source {
    const char *text; /* of an option, as it was written; NULL: not by an option */
    const char *file; /* of a key, and where in it; NULL: not by a file */
    size_t line, column;
    unsigned values; /* of a list with a value a dimension; 0: each by a key of its own */
} setup_source;

struct setup;
/* All fields as where nothing else is said. */
void setup_initial(struct setup *o);
/* The cluster of these. */
struct cluster cluster_default(void);
/* Sets a field.  False: no such value, and the field is as before or anything. */
bool setup_take(const setup_field *f, const char *value, struct setup *o);
/* The same, of one dimension of a BANDWIDTHS or COUNTS. */
bool setup_take_one(const setup_field *f, const char *value, unsigned dimension, struct setup *o);
/* The value, with all its digits.  "" where there is none. */
void setup_print(const setup_field *f, const struct setup *o, char *to, size_t room);
/* What a person may write for the key of a cluster file. */
void setup_accepted(const setup_field *f, char *to, size_t room);
/* The quantity of the value, whose units a person may write; QUANTITIES: none. */
quantity setup_quantity(const setup_field *f);
/* The line of --help. */
void setup_help(const setup_field *f, char *to, size_t room);
/* FNV-1a of all that the result depends on (SETUP_PART_RESULT), files by their contents. */
uint64_t setup_digest(const struct setup *o);
/* FNV-1a of the cluster's part of that which a calibration is made for: not the rung, nor the chunk
 * and the memory's bandwidth, of which it has a range, nor what only computes. */
uint64_t setup_cluster_digest(const struct setup *o);
/* Is it of an accelerator's file? */
bool setup_of_machine(const setup_field *f);
bool setup_given(const struct setup *o, setup_id id);
/* Where the value stands, for the beginning of a message: "FILE:4:9", or "acesim". */
void setup_place(const struct setup *o, setup_id id, char *to, size_t room);
/* Where and what, for a message: "acesim: --fsms: found '3'", or "FILE:4:9: found '3'", or, of a
 * value that nobody wrote, "acesim: fsms: found '16'". */
void setup_found(const struct setup *o, setup_id id, char *to, size_t room);

/* An option as a sweep may set it: none that writes files or chooses the format. */
typedef struct option_value {
    int number;         /* of the option, in the order of --help; -1: no such option */
    bool flag;          /* takes no value: "true" gives it, "false" does not */
    bool accepted;      /* the value, by itself */
    char expected[400]; /* what a person may write */
} option_value;
option_value options_value(const char *command, const char *name, const char *value);

#endif
