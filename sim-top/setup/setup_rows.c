/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup_rows.c -- makes option rows from the setup's fields, and sets the fields that were given
 *
 * Fields are read in the order of their list, not of the command line. The first bad value that is
 * reported therefore does not depend on the order of the options.
 */
#include "setup_rows.h"

#include <stdio.h>
#include <string.h>

#include "cluster_file.h"
#include "exit_status.h"
#include "message.h"
#include "names.h"
#include "setup_fields.h"

static bool keep(void *rows, unsigned row, const char *value) {
    setup_rows *const r = rows;

    r->at[r->field[row]] = value ? value : "";
    return true;
}

option_group setup_rows_group(setup_rows *r, bool (*takes)(const setup_field *f), size_t offset) {
    unsigned n = 0;

    for (unsigned i = 0; i < SETUP_FIELDS; i++) {
        const setup_field *const f = &setup_fields[i];

        if (!takes(f)) continue;
        setup_help(f, r->text[n], SETUP_ROW_TEXT);
        r->field[n] = (setup_id)i;
        r->row[n] =
            (option_row){ .name = f->option,
                          .argument = f->argument,
                          .type = OPTION_OWN,
                          .text = r->text[n],
                          .heading = f->heading,
                          .common = f->common,
                          .aside = f->part != SETUP_PART_RESULT && f->part != SETUP_PART_CHECK,
                          .take = keep };
        n++;
    }
    return (option_group){ .row = r->row, .rows = n, .at = offset };
}

/* Sets one field by its option, and reports a value that is not accepted. */
static int take(const setup_field *f, const char *value, setup *o) {
    char text[SETUP_ROW_TEXT], hint[MESSAGE_HINT];

    o->source[f - setup_fields] = (setup_source){ .text = value };
    if (setup_take(f, value, o))
        return f == &setup_fields[SETUP_ACCELERATOR] ? accelerator_take(value, o) : EXIT_OK;
    if (f->type == SETUP_TYPE_STRING || f->type == SETUP_TYPE_FILE) {
        fprintf(stderr, "acesim: --%s: found %s, expected " NAME_ACCEPTED "\n", f->option,
                name_fault(value));
        return EXIT_USAGE;
    }
    setup_help(f, text, sizeof text);
    if (f->names)
        message_hint(hint, value, f->names);
    else
        message_hint_of_text(hint, value, text);
    fprintf(stderr, "acesim: --%s: found '%s', expected %s%s\n", f->option, value, text, hint);
    return EXIT_USAGE;
}

/* Keeps the arguments that give the same result again, and returns their number. Output files and
 * threads are left out. */
static unsigned keep_arguments(const setup_rows *r, const char *const *arguments, unsigned count,
                               setup_argument to[SETUP_ARGUMENTS]) {
    setup_argument *w = to;

    for (unsigned i = 0; i < count; i++) *w++ = (setup_argument){ NULL, arguments[i] };
    for (unsigned i = 0; i < SETUP_FIELDS; i++) {
        const setup_field *const f = &setup_fields[i];

        if (r->at[i] && (f->part == SETUP_PART_RESULT || f->part == SETUP_PART_CHECK))
            *w++ = (setup_argument){ f->option, f->argument ? r->at[i] : NULL };
    }
    return (unsigned)(w - to);
}
_Static_assert(SETUP_FIELDS + 3 <= SETUP_ARGUMENTS, "room for every option and the arguments");

int setup_rows_take(const setup_rows *r, const char *const *arguments, unsigned count, setup *o) {
    int rc = EXIT_OK;

    for (unsigned i = 0; i < SETUP_FIELDS && rc == EXIT_OK; i++)
        if (r->at[i]) rc = take(&setup_fields[i], r->at[i], o);
    if (rc == EXIT_OK) rc = setup_check(o);
    o->argument_count = keep_arguments(r, arguments, count, o->arguments);
    return rc;
}
