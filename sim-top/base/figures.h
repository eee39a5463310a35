/* SPDX-License-Identifier: Apache-2.0 */
/*
 * figures.h -- formats numbers for people, as in 1,234,567 and 143.436 us, and JSON with 64 bits
 *
 * Separators and units are only for tables and messages. JSON and CSV hold plain numbers, because
 * programs read them.
 *
 * cJSON keeps a number as a double and writes fifteen digits. The json_ functions keep whole
 * numbers of 64 bits exact: such an item also has its digits in valuestring. All JSON of acesim is
 * read by json_parse() and written by json_text(). Whole numbers are added by json_count().
 */
#ifndef FIGURES_H
#define FIGURES_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FIGURE = 48 }; /* size of the buffer for each text */

/* Each writes to `to` and returns it. */
const char *figure_unsigned(uint64_t v, char to[FIGURE]);         /* 1,234,567, of any size */
const char *figure_count(double v, char to[FIGURE]);              /* 1,234,567 */
const char *figure_real(double v, int decimals, char to[FIGURE]); /* 12,345.678 */
const char *figure_bytes(double v, char to[FIGURE]);              /* 16 MiB, or 1,234 bytes */

/* A unit of time in which a time has few digits before the point. */
typedef struct time_unit {
    const char *name;
    double us;
} time_unit;
time_unit figure_time_unit(double us);
const char *figure_time(double us, time_unit in, char to[FIGURE]); /* 143.436 us */

/* Returns the product, rounded to a whole number, with all 64 bits of v. */
uint64_t figure_scaled(uint64_t v, double by);

/* Adds a whole number to an object, or to an array.  NULL: no memory. */
cJSON *json_count(cJSON *to, const char *name, uint64_t v);
cJSON *json_count_item(cJSON *to, uint64_t v);
/* Return a member that the object must have, as a number or a text. */
double json_number(const cJSON *o, const char *name);
const char *json_string(const cJSON *o, const char *name);
/* Reads an item as a whole number. Returns false if it is none that fits in 64 bits. */
bool json_unsigned(const cJSON *item, uint64_t *v);
/* Returns whether two items have the same value. */
bool json_equal(const cJSON *a, const cJSON *b);
/* Parses the document at the beginning of `text`. With `whole`, nothing may follow it. Returns NULL
 * on an error. *end is then the position of the error, else the end of the document (`end` may be
 * NULL). */
cJSON *json_parse(const char *text, const char **end, bool whole);
/* Returns the text of an item in UTF-8, with line breaks if `lines`. The caller frees it with
 * cJSON_free(). NULL: no memory. */
char *json_text(const cJSON *item, bool lines);
/* Prints a document to standard output, with line breaks, and deletes it. Returns EXIT_OK, or
 * EXIT_CHECK after a message when there is no memory. */
int json_print(cJSON *root);
/* Prints the objects of an array as CSV: a line of names, then one line for each object. Members
 * that are no scalars are left out. */
void json_print_csv(const cJSON *array);

#ifdef __cplusplus
}
#endif

#endif
