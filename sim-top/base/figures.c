/* SPDX-License-Identifier: Apache-2.0 */
/*
 * figures.c -- numbers for people, and 64-bit numbers in JSON
 *
 * A number of more than fifteen digits keeps its digits as text in the JSON item. Reading walks
 * the items and the text in parallel to copy these digits. Writing converts such items to raw text
 * for the time of the call.
 */
#include "figures.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"
#include "names.h"
#include "values.h"

/* cJSON writes whole numbers below this limit exactly. */
#define JSON_PLAIN UINT64_C(1000000000000000)

/* Inserts separators between thousands. */
static const char *separated(const char *plain, char to[FIGURE]) {
    size_t left = strcspn(plain, "."), n = 0;

    for (const char *s = plain; *s && n + 2 < FIGURE; s++) {
        to[n++] = *s;
        if (!left) continue; /* after the point */
        left--;
        if (left && left % 3 == 0 && isdigit((unsigned char)*s)) to[n++] = ',';
    }
    to[n] = '\0';
    return to;
}

const char *figure_real(double v, int decimals, char to[FIGURE]) {
    char plain[FIGURE];

    snprintf(plain, sizeof plain, "%.*f", decimals, v);
    return separated(plain, to);
}

const char *figure_unsigned(uint64_t v, char to[FIGURE]) {
    char plain[FIGURE];

    snprintf(plain, sizeof plain, "%" PRIu64, v);
    return separated(plain, to);
}

const char *figure_count(double v, char to[FIGURE]) { return figure_real(v, 0, to); }

const char *figure_bytes(double v, char to[FIGURE]) {
    static const char *const names[] = { "bytes", "KiB", "MiB", "GiB", "TiB" };
    unsigned i = 0;
    char number[FIGURE];

    while (i < 4 && v >= 1024 && fmod(v, 1024) == 0) {
        v /= 1024;
        i++;
    }
    snprintf(to, FIGURE, "%.30s %s", figure_count(v, number), names[i]);
    return to;
}

time_unit figure_time_unit(double us) {
    return us < 1e4   ? (time_unit){ "us", 1 }
           : us < 1e7 ? (time_unit){ "ms", 1e3 }
                      : (time_unit){ "s", 1e6 };
}

const char *figure_time(double us, time_unit in, char to[FIGURE]) {
    char number[FIGURE];

    snprintf(to, FIGURE, "%.40s %s", figure_real(us / in.us, 3, number), in.name);
    return to;
}

uint64_t figure_scaled(uint64_t v, double by) {
    return by == 1 ? v : (uint64_t)roundl((long double)v * (long double)by);
}

/* ---- whole numbers of JSON ------------------------------------------------------------------ */

/* Makes a number that also has its digits as text, if a double cannot hold them. */
static cJSON *count_item(uint64_t v) {
    char digits[24];
    cJSON *item = cJSON_CreateNumber((double)v);

    if (!item || v < JSON_PLAIN) return item;
    snprintf(digits, sizeof digits, "%" PRIu64, v);
    item->valuestring = cJSON_malloc(strlen(digits) + 1);
    if (item->valuestring) return strcpy(item->valuestring, digits), item;
    cJSON_Delete(item);
    return NULL;
}

cJSON *json_count(cJSON *to, const char *name, uint64_t v) {
    cJSON *item = count_item(v);

    if (cJSON_AddItemToObject(to, name, item)) return item;
    cJSON_Delete(item);
    return NULL;
}

cJSON *json_count_item(cJSON *to, uint64_t v) {
    cJSON *item = count_item(v);

    if (cJSON_AddItemToArray(to, item)) return item;
    cJSON_Delete(item);
    return NULL;
}

bool json_unsigned(const cJSON *item, uint64_t *v) {
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0) ||
        item->valuedouble != floor(item->valuedouble))
        return false;
    if (item->valuestring) {
        errno = 0;
        *v = strtoull(item->valuestring, NULL, 10);
        return !errno;
    }
    if (item->valuedouble >= 0x1p64) return false;
    *v = (uint64_t)item->valuedouble;
    return true;
}

bool json_equal(const cJSON *a, const cJSON *b) {
    const bool digits = cJSON_IsNumber(a) && cJSON_IsNumber(b) && a->valuestring && b->valuestring;

    return cJSON_Compare(a, b, true) && !(digits && strcmp(a->valuestring, b->valuestring));
}

/* A walk over an item and all items inside, in the order of the text. */
typedef struct walk {
    cJSON *item, *above[CJSON_NESTING_LIMIT + 1];
    unsigned depth;
} walk;

static void onward(walk *w) {
    cJSON *item = w->item;

    if (item->child && w->depth <= CJSON_NESTING_LIMIT) {
        w->above[w->depth++] = item;
        w->item = item->child;
        return;
    }
    while (!item->next && w->depth) item = w->above[--w->depth];
    w->item = w->depth ? item->next : NULL;
}

/* Returns where the next number of the text begins; NULL: there is none. */
static const char *next_number(const char *s) {
    for (bool quoted = false; *s; s++) {
        if (*s == '"')
            quoted = !quoted;
        else if (quoted && *s == '\\' && s[1])
            s++;
        else if (!quoted && (*s == '-' || isdigit((unsigned char)*s)))
            return s;
    }
    return NULL;
}

/* Copies the digits of whole numbers from the text to items whose double cannot hold them. */
static bool keep_digits(cJSON *root, const char *text) {
    const char *s = next_number(text);

    for (walk w = { .item = root }; w.item && s; onward(&w)) {
        size_t n;

        if (!cJSON_IsNumber(w.item)) continue;
        n = strspn(s, "+-.eE0123456789");
        if (n > 15 && strcspn(s, ".eE") >= n) {
            w.item->valuestring = cJSON_malloc(n + 1);
            if (!w.item->valuestring) return false;
            memcpy(w.item->valuestring, s, n);
            w.item->valuestring[n] = '\0';
        }
        s = next_number(s + n);
    }
    return true;
}

cJSON *json_parse(const char *text, const char **end, bool whole) {
    const char *at = NULL;
    cJSON *root = cJSON_ParseWithOpts(text, &at, whole);

    if (end) *end = at;
    if (!root || keep_digits(root, text)) return root;
    cJSON_Delete(root);
    return NULL;
}

/* Changes the type of numbers with digits. cJSON writes the digits of an item of type Raw. */
static void show_digits(const cJSON *root, int from, int to) {
    for (walk w = { .item = (cJSON *)root }; w.item; onward(&w))
        if ((w.item->type & 0xFF) == from && w.item->valuestring)
            w.item->type = (w.item->type & ~0xFF) | to;
}

char *json_text(const cJSON *item, bool lines) {
    char *text;

    show_digits(item, cJSON_Number, cJSON_Raw);
    text = utf8_text(lines ? cJSON_Print(item) : cJSON_PrintUnformatted(item));
    show_digits(item, cJSON_Raw, cJSON_Number);
    return text;
}

double json_number(const cJSON *o, const char *name) {
    return cJSON_GetObjectItem(o, name)->valuedouble;
}

const char *json_string(const cJSON *o, const char *name) {
    return cJSON_GetObjectItem(o, name)->valuestring;
}

int json_print(cJSON *root) {
    char *const text = json_text(root, true);

    if (text) printf("%s\n", text);
    cJSON_free(text);
    cJSON_Delete(root);
    return text ? EXIT_OK : message_no_memory();
}

/* Prints a value other than a string, as in JSON. */
static void print_plain(const cJSON *v) {
    char *const text = json_text(v, false);

    fputs(text ? text : "", stdout);
    cJSON_free(text);
}

void json_print_csv(const cJSON *array) {
    const cJSON *row, *v;
    bool head = true;

    cJSON_ArrayForEach(row, array) {
        for (int names = head; names >= 0; names--) {
            const char *before = "";

            cJSON_ArrayForEach(v, row) {
                if (cJSON_IsArray(v) || cJSON_IsObject(v)) continue;
                fputs(before, stdout);
                if (names)
                    csv_cell(stdout, v->string);
                else if (cJSON_IsString(v))
                    csv_cell(stdout, v->valuestring);
                else
                    print_plain(v);
                before = ",";
            }
            putchar('\n');
        }
        head = false;
    }
}
