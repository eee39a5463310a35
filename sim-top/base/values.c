/* SPDX-License-Identifier: Apache-2.0 */
/* values.c -- parses sizes, bandwidths, clocks and names */
#include "values.h"
#include "names.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const kind_names[] = { "all-reduce", "reduce-scatter", "all-gather", "all-to-all",
                                   "list",       "broadcast",      "reduce",     "gather",
                                   "scatter",    "send-receive",   "barrier",    "all-to-all-v",
                                   NULL };
const char *const type_names[] = { "fp32",     "fp16", "bf16",  "fp8-e4m3",
                                   "fp8-e5m2", "int8", "int32", NULL };
/* The first names are the operations' own, and synonyms follow. */
const char *const op_names[] = { "sum", "avg", "min", "max", "prod", "average", "product", NULL };
const char *const wire_format_names[] = { "none", "bf16", "fp8-e4m3", "fp8-e5m2", "mxfp8", NULL };
const char *const order_names[] = { "lifo", "fifo", "agreed", NULL };
const char *const endpoint_names[] = { "ace", "ideal", "comm-opt", "comp-opt", "no-overlap", NULL };
const char *const loop_names[] = { "plain", "optimised", NULL };
const char *const format_names[] = { "table", "json", "csv", NULL };

/* Parses a non-negative decimal number. *end is the first character after it and after blanks. */
static bool number(const char *s, double *v, const char **end) {
    char *e;

    if (!isdigit((unsigned char)*s) && *s != '.') return false;
    errno = 0;
    *v = strtod(s, &e);
    if (errno || e == s || !isfinite(*v)) return false;
    while (*e == ' ') e++;
    *end = e;
    return true;
}

const char *const quantity_names[QUANTITIES] = { "size", "bandwidth", "frequency", "rate", "time" };

const value_unit *quantity_units(quantity q) {
    static const value_unit units[QUANTITIES][11] = {
        [QUANTITY_SIZE] = { { "", 1 },
                            { "B", 1 },
                            { "KB", 1e3 },
                            { "MB", 1e6 },
                            { "GB", 1e9 },
                            { "TB", 1e12 },
                            { "KiB", 0x1p10 },
                            { "MiB", 0x1p20 },
                            { "GiB", 0x1p30 },
                            { "TiB", 0x1p40 } },
        [QUANTITY_BANDWIDTH] = { { "", 1 },
                                 { "GB/s", 1 },
                                 { "MB/s", 1e-3 },
                                 { "TB/s", 1e3 },
                                 { "GiB/s", 0x1p30 / 1e9 },
                                 { "Gbit/s", 0.125 } },
        [QUANTITY_CLOCK] = { { "MHz", 1 }, { "GHz", 1e3 } },
        [QUANTITY_RATE] = { { "", 1 }, { "TFLOPS", 1 }, { "GFLOPS", 1e-3 }, { "PFLOPS", 1e3 } },
        [QUANTITY_TIME] = { { "us", 1 }, { "ns", 1e-3 }, { "ms", 1e3 } },
    };

    return units[q];
}

static bool parse_quantity(const char *s, quantity q, double *v) {
    const char *rest;

    if (!number(s, v, &rest)) return false;
    for (const value_unit *u = quantity_units(q); u->name; u++) {
        if (strcmp(rest, u->name)) continue;
        *v *= u->factor;
        return true;
    }
    return false;
}

bool parse_size(const char *s, uint64_t *bytes) {
    double v;

    if (!parse_quantity(s, QUANTITY_SIZE, &v) || v < 1 || v > 0x1p40 || v != floor(v)) return false;
    *bytes = (uint64_t)v;
    return true;
}

bool parse_bandwidth(const char *s, double *GBps) {
    return parse_quantity(s, QUANTITY_BANDWIDTH, GBps) && *GBps > 0;
}

bool parse_clock(const char *s, double *MHz) {
    return parse_quantity(s, QUANTITY_CLOCK, MHz) && *MHz > 0;
}

bool parse_rate(const char *s, double *TFLOPS) {
    return parse_quantity(s, QUANTITY_RATE, TFLOPS) && *TFLOPS > 0;
}

bool parse_time(const char *s, double *us) {
    return parse_quantity(s, QUANTITY_TIME, us) && *us <= 1e6;
}

bool parse_unsigned(const char *s, uint64_t low, uint64_t high, uint64_t *v) {
    char *e;

    if (!isdigit((unsigned char)*s)) return false;
    errno = 0;
    *v = strtoull(s, &e, 0);
    return !errno && !*e && *v >= low && *v <= high;
}

bool parse_positive(const char *s, double *v) {
    const char *rest;

    return number(s, v, &rest) && !*rest && *v > 0;
}

bool parse_not_negative(const char *s, double *v) {
    const char *rest;

    return number(s, v, &rest) && !*rest && *v >= 0;
}

bool parse_fraction(const char *s, double *v) {
    const char *rest;

    return number(s, v, &rest) && !*rest && *v > 0 && *v <= 1;
}

bool parse_factor(const char *s, double *v) {
    const char *rest;

    return number(s, v, &rest) && !*rest && *v >= 0.001 && *v <= 1000;
}

bool parse_switch(const char *s, bool *v) {
    if (strcmp(s, "on") != 0 && strcmp(s, "off") != 0) return false;
    *v = !strcmp(s, "on");
    return true;
}

bool parse_dims(const char *s, uint8_t dims[ACE_CLUSTER_DIMENSIONS], uint8_t *count) {
    unsigned seen = 0;

    *count = 0;
    for (;;) {
        const char *const at = *s ? strchr(ACE_DIMENSION_LETTERS, *s) : NULL;
        if (!at || *count == ACE_CLUSTER_DIMENSIONS) return false;
        const unsigned d = (unsigned)(at - ACE_DIMENSION_LETTERS);
        if (seen >> d & 1) return false;
        seen |= 1U << d;
        dims[(*count)++] = (uint8_t)d;
        if (!s[1]) return true;
        if (s[1] != ',') return false;
        s += 2;
    }
}

bool parse_name(const char *s, const char *const *names, int *v) {
    for (int i = 0; names[i]; i++) {
        if (strcmp(s, names[i])) continue;
        *v = i;
        return true;
    }
    return false;
}

bool parse_op(const char *s, int *op) {
    if (!parse_name(s, op_names, op)) return false;
    if (*op >= ACE_OPS) *op = *op == ACE_OPS ? ACE_AVERAGE : ACE_PRODUCT;
    return true;
}

/* Reads "5" or "5-7" behind the sign at *s. */
static bool node_range(const char **s, unsigned long *first, unsigned long *last) {
    char *end;

    if (!isdigit((unsigned char)(*s)[1])) return false;
    *first = *last = strtoul(*s + 1, &end, 10);
    if (*end == '-') {
        if (!isdigit((unsigned char)end[1])) return false;
        *last = strtoul(end + 1, &end, 10);
    }
    *s = end;
    return *first <= *last;
}

bool parse_node_list(const char *s, unsigned nodes,
                     bool (*set_node)(void *self, unsigned node, const char *word, size_t length),
                     void *self) {
    bool *given = calloc(nodes, sizeof *given);
    bool ok = given != NULL;

    while (ok) {
        const char *word = s;
        const size_t n = strcspn(s, ":;");

        s += n;
        if (*s != ':' || !strncmp(s, ":rest", 5)) {
            if (*s == ':') s += 5;
            for (unsigned i = 0; ok && i < nodes; i++) {
                ok = given[i] || set_node(self, i, word, n);
                given[i] = true;
            }
        } else {
            do {
                unsigned long i, last;

                ok = node_range(&s, &i, &last) && last < nodes;
                for (; ok && i <= last; i++) {
                    ok = !given[i] && set_node(self, (unsigned)i, word, n);
                    given[i] = true;
                }
                if (!ok) break;
            } while (*s == ',');
        }
        if (!ok || !*s) break;
        ok = *s++ == ';';
    }
    free(given);
    return ok;
}

/* ---- values programs read ---------------------------------------------------- */

const char *real_text(double v, char to[REAL_TEXT]) {
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(to, REAL_TEXT, "%.*g", digits, v);
        if (!memcmp(&v, &(double){ strtod(to, NULL) }, sizeof v)) break;
    }
    return to;
}

void csv_cell(FILE *to, const char *s) {
    const bool quoted = strpbrk(s, "\",\n") != NULL;

    if (quoted) fputc('"', to);
    for (size_t n; *s; s += n ? n : 1) {
        n = utf8_character(s);
        if (*s == '"') fputc('"', to);
        if (n)
            fwrite(s, 1, n, to);
        else
            fputs(UTF8_INSTEAD, to);
    }
    if (quoted) fputc('"', to);
}
