/* SPDX-License-Identifier: Apache-2.0 */
/*
 * refusal.h -- the reason why a request is refused: what was found, and what is accepted
 *
 * A check fills in a refusal and returns EXIT_USAGE. It does not print. setup_refuse() prints all
 * refusals, because it has the position of each field.
 */
#ifndef REFUSAL_H
#define REFUSAL_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum refusal_form {
    REFUSAL_NONE,  /* no refusal, or a message about a file was already printed */
    REFUSAL_TEXT,  /* acesim: TEXT */
    REFUSAL_AT,    /* FILE:4:9: TEXT, where the field was written */
    REFUSAL_VALUE, /* FILE:4:9: found 'VALUE', expected TEXT */
    REFUSAL_OPTION /* acesim: --OPTION: TEXT */
} refusal_form;

typedef struct refusal {
    refusal_form form;
    unsigned field;   /* enum setup_id */
    unsigned instead; /* the field to name if `field` was not given; or the same one */
    char text[2000];
} refusal;

/* Each returns EXIT_USAGE. */
int refuse(refusal *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
int refuse_at(refusal *to, unsigned field, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int refuse_value(refusal *to, unsigned field, const char *expected, ...)
    __attribute__((format(printf, 3, 4)));
int refuse_option(refusal *to, unsigned field, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Appends more text to a refusal. */
int refuse_more(refusal *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif

#endif
