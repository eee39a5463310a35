/* SPDX-License-Identifier: Apache-2.0 */
/* values.h -- parses values that users write, and lists the names of enumerations */
#ifndef VALUES_H
#define VALUES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The quantities that people write with a unit. */
typedef enum quantity {
    QUANTITY_SIZE,
    QUANTITY_BANDWIDTH,
    QUANTITY_CLOCK,
    QUANTITY_RATE,
    QUANTITY_TIME,
    QUANTITIES
} quantity;
typedef struct value_unit {
    const char *name;
    double factor; /* 1 for the unit in which the program keeps the quantity */
} value_unit;
/* The units of a quantity. The list ends with a NULL name. An empty name stands first where a
 * number without a unit is accepted. */
const value_unit *quantity_units(quantity q);
extern const char *const quantity_names[QUANTITIES];

bool parse_size(const char *s, uint64_t *bytes);   /* 64MiB, 4 KB, 100 */
bool parse_bandwidth(const char *s, double *GBps); /* 128GB/s, 128 */
bool parse_clock(const char *s, double *MHz);      /* 1245 MHz, 1 GHz */
bool parse_rate(const char *s, double *TFLOPS);    /* 120 TFLOPS, 120 */
bool parse_time(const char *s, double *us);        /* 2 us, 500 ns; at most 1 s */
bool parse_unsigned(const char *s, uint64_t low, uint64_t high, uint64_t *v);
bool parse_positive(const char *s, double *v);     /* a number above 0 */
bool parse_not_negative(const char *s, double *v); /* 0 or above */
bool parse_fraction(const char *s, double *v);     /* (0, 1] */
bool parse_factor(const char *s, double *v);       /* 0.001 to 1000 */
bool parse_switch(const char *s, bool *v);         /* on, off */
bool parse_dims(const char *s, uint8_t dims[ACE_CLUSTER_DIMENSIONS], uint8_t *count);
bool parse_name(const char *s, const char *const *names, int *v); /* NULL-ended list */
bool parse_op(const char *s, int *op);                            /* an ace_op */
#define TYPES_ACCEPTED "fp32, fp16, bf16, fp8-e4m3, fp8-e5m2, int8 or int32"
#define OPS_ACCEPTED   "sum, avg, min, max or prod"
/* Parses "WORD" or "WORD:0,5-7;WORD:rest". set() is called once for each node that is named, and
 * returns whether it accepts the word. Returns false if the text is malformed, or a node is named
 * twice. */
bool parse_node_list(const char *s, unsigned nodes,
                     bool (*set_node)(void *self, unsigned node, const char *word, size_t length),
                     void *self);

/* Prints a number with the fewest digits, 15 to 17, that give the same double again. */
enum { REAL_TEXT = 32 /* bytes that hold any such number */ };
const char *real_text(double v, char to[REAL_TEXT]);

/* Writes a CSV cell, quoted if its characters require it. */
void csv_cell(FILE *to, const char *s);

/* The names of enumerations, in the order of their values; each list ends with NULL. */
extern const char *const kind_names[];
extern const char *const type_names[];
extern const char *const op_names[];
extern const char *const wire_format_names[]; /* of ace_wire_format */
extern const char *const order_names[];
extern const char *const endpoint_names[];
extern const char *const loop_names[];
/* The format in which a result is written. */
typedef enum format { FORMAT_TABLE, FORMAT_JSON, FORMAT_CSV } format;
extern const char *const format_names[];

#ifdef __cplusplus
}
#endif

#endif
