/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cluster_file_help.c -- prints the units and the keys of cluster files as tables in Markdown
 *
 * Every cell comes from setup_fields.def, or from the units of values.c. The reference page
 * docs/reference/cluster-files.md is made of this output.
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

/* Length of the mapping's name that the key begins with; 0: it stands at the top. */
static size_t mapping_of(const char *key) {
    const char *const dot = strchr(key, '.');

    return dot ? (size_t)(dot - key) : 0;
}

static bool same_mapping(const char *a, const char *b) {
    const size_t n = mapping_of(a);

    return n == mapping_of(b) && !strncmp(a, b, n);
}

static void print_unit(const setup_field *f) {
    const quantity q = setup_quantity(f);

    if (q == QUANTITIES)
        printf(" | %s", f->unit ? f->unit : "");
    else
        printf(" | [%s](#units)", quantity_names[q]);
}

/* The initial value as code. Where it depends on other keys, the text says so in brackets. */
static void print_default(const setup_field *f, const char *bracket) {
    if (f == &setup_fields[SETUP_TOPOLOGY])
        printf(" | required");
    else if (bracket)
        printf(" | %.*s", (int)strlen(bracket) - 1, bracket);
    else if (f->initial)
        printf(" | `%s`", f->initial);
    else
        printf(" | none");
}

static void print_row(const setup_field *f) {
    const char *const end = strstr(f->text, " ["), *const range = strstr(f->text, ", {range}");
    const size_t whole = end ? (size_t)(end - f->text) : strlen(f->text);
    const size_t before = range ? (size_t)(range - f->text) : whole;
    const char *const rest = range ? range + strlen(", {range}") : "";
    const char *const example = f->example ? f->example : f->initial;
    char accepted[200];

    setup_accepted(f, accepted, sizeof accepted);
    printf("| `%s`", f->key);
    print_unit(f);
    printf(" | %s", accepted);
    print_default(f, end ? end + 2 : NULL);
    printf(" | %.*s%.*s", (int)before, f->text, range ? (int)(whole - (size_t)(rest - f->text)) : 0,
           rest);
    if (!mapping_of(f->key) && (setup_of_machine(f) || f == &setup_fields[SETUP_NAME]))
        printf("; also in an accelerator file");
    printf(" | `%s` |\n", example);
}

static void print_mapping(const setup_field *first) {
    const size_t n = mapping_of(first->key);

    if (!n)
        printf("\n## Keys at the top\n\n");
    else
        printf("\n## Keys of `%.*s`\n\n", (int)n, first->key);
    if (n && setup_of_machine(first)) printf("These keys stand in an accelerator file, too.\n\n");
    printf("| key | unit | accepted | default | meaning | example |\n|---|---|---|---|---|---|\n");
    for (const setup_field *f = setup_fields; f < setup_fields + SETUP_FIELDS; f++)
        if (f->key && same_mapping(f->key, first->key)) print_row(f);
}

void cluster_help_print(void) {
    print_units();
    for (const setup_field *f = setup_fields; f < setup_fields + SETUP_FIELDS; f++) {
        const setup_field *before = setup_fields;

        while (before < f && !(before->key && f->key && same_mapping(before->key, f->key)))
            before++;
        if (f->key && before == f) print_mapping(f);
    }
}
