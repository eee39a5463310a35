/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_shares.c -- parses a comma-separated list of values for NPUs and ranges of NPUs
 *
 * Later entries of a list overwrite earlier ones, and NPUs that no entry names keep the initial
 * value.
 */
#include "astra_shares.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "values.h"

bool astra_share_scale(const char *s, double *v) {
    char *end;

    *v = strtod(s, &end);
    return end != s && !*end && *v > 0 && *v <= 1e6;
}

bool astra_share_delay(const char *s, double *ns) {
    static const struct {
        const char *unit;
        double ns;
    } units[] = { { "", 1 }, { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
    char *end;

    *ns = strtod(s, &end);
    for (unsigned i = 0; end != s && *ns >= 0 && i < sizeof units / sizeof *units; i++)
        if (!strcmp(end, units[i].unit)) return (*ns *= units[i].ns) <= 1e11;
    return false;
}

bool astra_shares_range(const char *text, unsigned npus, unsigned *first, unsigned *last) {
    char one[32];
    const char *const dash = strchr(text, '-');
    uint64_t a, b;

    if (dash && (size_t)(dash - text) >= sizeof one) return false;
    snprintf(one, sizeof one, "%.*s", dash ? (int)(dash - text) : (int)sizeof one, text);
    if (!parse_unsigned(one, 0, npus - 1, &a)) return false;
    b = a;
    if (dash && !parse_unsigned(dash + 1, a, npus - 1, &b)) return false;
    *first = (unsigned)a;
    *last = (unsigned)b;
    return true;
}

/* Parses NPUS:VALUE, where NPUS is like 3 or 4-7, or VALUE for all NPUs. */
static bool read_share(char *word, astra_share *parse, unsigned npus, double *to) {
    char *const colon = strchr(word, ':');
    unsigned first = 0, last = npus - 1;
    double v;

    if (!parse(colon ? colon + 1 : word, &v)) return false;
    if (colon) *colon = '\0';
    if (colon && !astra_shares_range(word, npus, &first, &last)) return false;
    for (unsigned i = first; i <= last; i++) to[i] = v;
    return true;
}

bool astra_shares_read(const char *text, unsigned npus, double initial, astra_share *parse,
                       double **to) {
    char *const copy = strdup(text), *rest = NULL, *word;
    bool ok;

    *to = malloc(npus * sizeof **to);
    if (!*to || !copy) {
        free(*to);
        free(copy);
        *to = NULL;
        (void)message_no_memory();
        return true;
    }
    for (unsigned i = 0; i < npus; i++) (*to)[i] = initial;
    word = strtok_r(copy, ",", &rest);
    ok = word != NULL;
    for (; ok && word; word = strtok_r(NULL, ",", &rest)) ok = read_share(word, parse, npus, *to);
    free(copy);
    return ok;
}
