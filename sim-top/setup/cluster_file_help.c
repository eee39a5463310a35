/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cluster_file_help.c -- prints the units and the keys of cluster files, for a terminal or as
 * tables in Markdown
 *
 * Every value comes from setup_fields.def, or from the units of values.c. The reference page
 * docs/reference/cluster-files.md is made of the tables.
 */
#include <stdio.h>
#include <string.h>

#include "cluster_file.h"
#include "setup_fields.h"

static void print_units(void) {
    printf("## Units\n\n| quantity | units | a number without a unit |\n|---|---|---|\n");
    for (int q = 0; q < QUANTITIES; q++) {
        const value_unit *const units = quantity_units((quantity)q);
        const value_unit *const base = units + !*units->name;

        printf("| %s | `%s`", quantity_names[q], base->name);
        for (const value_unit *u = base + 1; u->name; u++)
            printf(", `%s` (%.13g %s)", u->name, u->factor, base->name);
        printf(" | %s%s |\n", base != units ? "counts in " : "is refused",
               base != units ? base->name : "");
    }
}

/* Length of the mapping's name that the key begins with; 0: a key of the top level. */
static size_t mapping_of(const char *key) {
    const char *const dot = strchr(key, '.');

    return dot ? (size_t)(dot - key) : 0;
}

static bool same_mapping(const char *a, const char *b) {
    const size_t n = mapping_of(a);

    return n == mapping_of(b) && !strncmp(a, b, n);
}

/* The texts that describe a key. */
typedef struct key_text {
    char accepted[200], initial[120], meaning[400];
    const char *example;
} key_text;

/* The initial value. Where it depends on other keys, the text of the field ends with it in
 * brackets. quote: written before and after a value. */
static void describe_initial(const setup_field *f, const char *quote, key_text *k) {
    const char *const bracket = strstr(f->text, " [");

    if (f == &setup_fields[SETUP_TOPOLOGY])
        snprintf(k->initial, sizeof k->initial, "required");
    else if (bracket)
        snprintf(k->initial, sizeof k->initial, "%.*s", (int)strlen(bracket + 2) - 1, bracket + 2);
    else if (f->initial)
        snprintf(k->initial, sizeof k->initial, "%s%s%s", quote, f->initial, quote);
    else
        snprintf(k->initial, sizeof k->initial, "none");
}

/* The text of the field without its range and its initial value. */
static void describe_meaning(const setup_field *f, key_text *k) {
    const char *const end = strstr(f->text, " ["), *const range = strstr(f->text, ", {range}");
    const size_t whole = end ? (size_t)(end - f->text) : strlen(f->text);
    const size_t before = range ? (size_t)(range - f->text) : whole;
    const char *const rest = range ? range + strlen(", {range}") : "";
    const bool both =
        !mapping_of(f->key) && (setup_of_machine(f) || f == &setup_fields[SETUP_NAME]);

    snprintf(k->meaning, sizeof k->meaning, "%.*s%.*s%s", (int)before, f->text,
             range ? (int)(whole - (size_t)(rest - f->text)) : 0, rest,
             both ? "; also in an accelerator file" : "");
}

static void describe(const setup_field *f, const char *quote, key_text *k) {
    setup_accepted(f, k->accepted, sizeof k->accepted);
    describe_initial(f, quote, k);
    describe_meaning(f, k);
    k->example = f->example ? f->example : f->initial;
}

/* An example that is the default is not printed again. */
static void print_row(const setup_field *f) {
    char example[120];
    key_text k;

    describe(f, "`", &k);
    snprintf(example, sizeof example, "`%s`", k.example);
    printf("| `%s` | %s | %s | %s | %s |\n", f->key, k.accepted, k.initial, k.meaning,
           strcmp(example, k.initial) ? example : "");
}

static void print_mapping(const setup_field *first) {
    const size_t n = mapping_of(first->key);

    if (!n)
        printf("\n## Keys at the top\n\n");
    else
        printf("\n## Keys of `%.*s`\n\n", (int)n, first->key);
    if (n && setup_of_machine(first)) printf("These keys stand in an accelerator file, too.\n\n");
    printf("| key | accepted | default | meaning | example |\n|---|---|---|---|---|\n");
    for (const setup_field *f = setup_fields; f < setup_fields + SETUP_FIELDS; f++)
        if (f->key && same_mapping(f->key, first->key)) print_row(f);
}

void cluster_help_markdown(void) {
    print_units();
    for (const setup_field *f = setup_fields; f < setup_fields + SETUP_FIELDS; f++) {
        const setup_field *before = setup_fields;

        while (before < f && !(before->key && f->key && same_mapping(before->key, f->key)))
            before++;
        if (f->key && before == f) print_mapping(f);
    }
}

enum { COLUMN = 28, WIDTH = 100 };

/* Prints a text from COLUMN on, in as many lines as it takes. */
static void print_wrapped(const char *text) {
    while (strlen(text) > WIDTH - COLUMN) {
        size_t n = WIDTH - COLUMN;

        while (n > 0 && text[n] != ' ') n--;
        if (!n) n = strcspn(text, " ");
        printf("%.*s\n%*s", (int)n, text, COLUMN, "");
        text += n + strspn(text + n, " ");
    }
    printf("%s\n", text);
}

static void print_key(const setup_field *f) {
    char text[900];
    key_text k;

    describe(f, "", &k);
    snprintf(text, sizeof text, "%s; %s [%s]", k.meaning, k.accepted, k.initial);
    printf("%-*s", COLUMN, f->key);
    if (strlen(f->key) >= COLUMN) printf("\n%*s", COLUMN, "");
    print_wrapped(text);
}

/* Does the key have this name, or does its path begin with it? */
static bool begins(const char *key, const char *name) {
    const size_t n = strlen(name);

    return !strncmp(key, name, n) && (!key[n] || key[n] == '.');
}

static void print_quantities(void) {
    printf("units:\n");
    for (int q = 0; q < QUANTITIES; q++) {
        printf("  %-*s", COLUMN - 2, quantity_names[q]);
        for (const value_unit *u = quantity_units((quantity)q); u->name; u++)
            if (*u->name) printf(" %s", u->name);
        printf("\n");
    }
}

bool cluster_help_print(const char *name) {
    bool any = false;

    if (!name)
        printf(
            "Keys of a cluster file; npu.matrix is the key matrix of the mapping npu, and * is a\n"
            "dimension. Brackets show what holds without the key.\n\n");
    for (const setup_field *f = setup_fields; f < setup_fields + SETUP_FIELDS; f++) {
        if (!f->key || (name && !begins(f->key, name))) continue;
        print_key(f);
        any = true;
    }
    if (!name) printf("\n");
    if (any) print_quantities();
    return any;
}
