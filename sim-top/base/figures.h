/* SPDX-License-Identifier: Apache-2.0 */
/*
 * figures.h -- numbers as people read them, 1,234,567 and 143.436 us, and whole numbers in full
 *
 * Texts with separators and units are for tables and messages alone: JSON and CSV hold plain
 * numbers, which programs read.
 *
 * cJSON keeps a number as a double and writes fifteen digits of it.  The json_ functions carry
 * whole numbers of 64 bits through it in full: such an item has its digits in valuestring, too. All
 * JSON of acesim is read by json_parse() and written by json_text(); whole numbers are added by
 * json_count().
 */
#ifndef FIGURES_H
#define FIGURES_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FIGURE = 48 }; /* room that each text needs */

/* Each writes to `to`, which it returns. */
const char *figure_whole(uint64_t v, char to[FIGURE]);            /* 1,234,567, of any size */
const char *figure_count(double v, char to[FIGURE]);              /* 1,234,567 */
const char *figure_real(double v, int decimals, char to[FIGURE]); /* 12,345.678 */
const char *figure_bytes(double v, char to[FIGURE]);              /* 16 MiB, or 1,234 bytes */

/* A unit of time in which a number of microseconds has few digits before its point. */
typedef struct time_unit {
    const char *name;
    double us;
} time_unit;
time_unit figure_time_unit(double us);
const char *figure_time(double us, time_unit in, char to[FIGURE]); /* 143.436 us */

/* The product, rounded to a whole number; 64 bits of v count. */
uint64_t figure_scaled(uint64_t v, double by);

/* Adds a whole number to an object, or to an array.  NULL: no memory. */
cJSON *json_count(cJSON *to, const char *name, uint64_t v);
cJSON *json_count_item(cJSON *to, uint64_t v);
/* A member that the object has: a number, or a text. */
double json_number(const cJSON *o, const char *name);
const char *json_word(const cJSON *o, const char *name);
/* The whole number that an item is; false: it is none that fits in 64 bits. */
bool json_whole(const cJSON *item, uint64_t *v);
/* Do two items have the same value? */
bool json_equal(const cJSON *a, const cJSON *b);
/* The document at the beginning of `text`, and with `whole` nothing behind it; NULL: there is none,
 * and *end is where it ends being JSON (`end` may be NULL). */
cJSON *json_parse(const char *text, const char **end, bool whole);
/* The text of an item, UTF-8, with line breaks if `lines`, for cJSON_free().  NULL: no memory. */
char *json_text(const cJSON *item, bool lines);
/* Prints a document to standard output, with line breaks, and deletes it.  EXIT_OK, or EXIT_CHECK
 * after a message: no memory. */
int json_print(cJSON *root);
/* The objects of an array as CSV: a line of names, then one for each; members that are no scalars
 * left out. */
void json_print_csv(const cJSON *array);

#ifdef __cplusplus
}
#endif

#endif
