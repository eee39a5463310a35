/* SPDX-License-Identifier: Apache-2.0 */
/* refusal.c -- formats a refusal, with a function for each form */
#include "refusal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "exit_status.h"

static int fill(refusal *to, refusal_form form, unsigned field, const char *format,
                va_list values) {
    to->form = form;
    to->field = to->instead = field;
    (void)vsnprintf(to->text, sizeof to->text, format, values);
    return EXIT_USAGE;
}

int refuse(refusal *to, const char *format, ...) {
    va_list values;

    va_start(values, format);
    (void)fill(to, REFUSAL_TEXT, 0, format, values);
    va_end(values);
    return EXIT_USAGE;
}

int refuse_at(refusal *to, unsigned field, const char *format, ...) {
    va_list values;

    va_start(values, format);
    (void)fill(to, REFUSAL_AT, field, format, values);
    va_end(values);
    return EXIT_USAGE;
}

int refuse_value(refusal *to, unsigned field, const char *expected, ...) {
    va_list values;

    va_start(values, expected);
    (void)fill(to, REFUSAL_VALUE, field, expected, values);
    va_end(values);
    return EXIT_USAGE;
}

int refuse_option(refusal *to, unsigned field, const char *format, ...) {
    va_list values;

    va_start(values, format);
    (void)fill(to, REFUSAL_OPTION, field, format, values);
    va_end(values);
    return EXIT_USAGE;
}

int refuse_more(refusal *to, const char *format, ...) {
    const size_t length = strlen(to->text);
    va_list values;

    va_start(values, format);
    (void)vsnprintf(to->text + length, sizeof to->text - length, format, values);
    va_end(values);
    return EXIT_USAGE;
}
