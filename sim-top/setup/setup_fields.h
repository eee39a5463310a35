/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup_fields.h -- the fields of a run's setup, by number: setup_fields.def is their list
 *
 *   setup_initial(&o);                                       sets all fields to their defaults
 *   setup_take(&setup_fields[SETUP_CHUNK], "16KiB", &o);     reads a value as the user writes it
 *   setup_print(&setup_fields[SETUP_CHUNK], &o, text, n);    prints the same value as text
 *
 * A field is set by its option, or by its key in a cluster file. setup_source records which, so
 * that a message about contradicting values can name both positions.
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

/* How the user writes a value, and the type in struct setup. */
typedef enum setup_type {
    SETUP_TYPE_FLAG,      /* an option without a value                        bool */
    SETUP_TYPE_SWITCH,    /* on, off                                          bool */
    SETUP_TYPE_CHOICE,    /* the first of .names, or the second               bool */
    SETUP_TYPE_WORD,      /* one of .names                                    an enum */
    SETUP_TYPE_OP,        /* one of .names, some with other spellings         ace_op */
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
    SETUP_TYPE_STRING,    /* any text, which belongs to the caller            const char * */
    SETUP_TYPE_FILE,      /* the name of a file that is read                  const char * */
    SETUP_TYPE_FAULTS,    /* a list of faults (faults.h)                      const char * */
    SETUP_TYPE_TOPOLOGY,  /* 4x4x4, Switch(8)                                 cluster */
    SETUP_TYPE_DIMS, /* x,z                                              uint8_t[], and dim_count */
    SETUP_TYPE_BANDWIDTHS, /* one for each dimension, or one for all          double[] */
    SETUP_TYPE_COUNTS      /* one for each dimension, or one for all          uint32_t[] */
} setup_type;

typedef enum setup_part {
    SETUP_PART_RESULT,
    SETUP_PART_CHECK,
    SETUP_PART_WAY,
    SETUP_PART_OUTPUT
} setup_part;

/* The commands that take an option. */
enum { SETUP_NEITHER = 0, SETUP_COLLECTIVE = 1, SETUP_RUN = 2, SETUP_BOTH = 3 };

/* A row of setup_fields.def. */
typedef struct setup_field {
    const char *id; /* "MEMORY_LATENCY" */
    setup_type type;
    size_t at, bytes; /* offset and size in struct setup */
    size_t time_at;   /* of a count of cycles that may be given as a time: offset of that, us */
    int where;
    setup_part part;
    const char *option, *argument, *key, *json, *unit, *of, *initial, *example, *accepted, *text;
    uint64_t low, high;
    bool power_of_two, common;
    option_heading heading;
    const char *const *names;
} setup_field;
extern const setup_field setup_fields[SETUP_FIELDS];

/* Where a field's value was given. */
typedef struct setup_source {
    const char *text; /* of an option, as given; NULL: not by an option */
    const char *file; /* of a key, with its position; NULL: not by a file */
    size_t line, column;
    unsigned values; /* of a list with a value for each dimension; 0: each has its own key */
} setup_source;

struct setup;
/* Sets all fields to their defaults. */
void setup_initial(struct setup *o);
/* Returns the cluster of the defaults. */
struct cluster cluster_default(void);
/* Sets a field. Returns false if the value is not accepted; the field is then undefined. */
bool setup_take(const setup_field *f, const char *value, struct setup *o);
/* Does the same for one dimension of a field of type BANDWIDTHS or COUNTS. */
bool setup_take_one(const setup_field *f, const char *value, unsigned dimension, struct setup *o);
/* Prints the value with all its digits, or "" if there is none. */
void setup_print(const setup_field *f, const struct setup *o, char *to, size_t room);
/* Writes what the key of a cluster file accepts. */
void setup_accepted(const setup_field *f, char *to, size_t room);
/* The quantity of the value, whose units a person may write; QUANTITIES: none. */
quantity setup_quantity(const setup_field *f);
/* The line of --help. */
void setup_help(const setup_field *f, char *to, size_t room);
/* Returns an FNV-1a digest of everything that the result depends on (SETUP_PART_RESULT). Files
 * count by their contents. */
uint64_t setup_digest(const struct setup *o);
/* Returns an FNV-1a digest of the part of the cluster for which a calibration is made. This
 * excludes the rung, values that affect only compute, and the chunk and the memory's bandwidth, for
 * which a calibration has a range. */
uint64_t setup_cluster_digest(const struct setup *o);
/* Returns whether the field belongs to an accelerator's file. */
bool setup_of_machine(const setup_field *f);
/* Returns whether the field was given. from: the positions of all fields. */
bool setup_given(const setup_source *from, setup_id id);
/* Writes the position of a value for the beginning of a message: "FILE:4:9", or "acesim". */
void setup_position(const setup_source *from, char *to, size_t room);
/* Writes position and value for a message: "acesim: --fsms: found '3'" or "FILE:4:9: found '3'".
 * For a default it is "acesim: fsms: found '16'". */
void setup_found(const struct setup *o, setup_id id, char *to, size_t room);

/* An option that a sweep may set. This excludes options that write files or choose the format. */
typedef struct option_value {
    int number;         /* index of the option in --help; -1: no such option */
    bool flag;          /* takes no value: "true" sets it, "false" does not */
    bool accepted;      /* the value is valid by itself */
    char expected[400]; /* what the option accepts */
} option_value;
option_value options_value(const char *command, const char *name, const char *value);

#endif
