/* SPDX-License-Identifier: Apache-2.0 */
/* yaml_file.h -- reads YAML files, with errors that name file, line and column */
#ifndef YAML_FILE_H
#define YAML_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <yaml.h>

/* Called for each value that `parse` of a key accepted: with the key's `to`, and the value's
 * position. */
typedef void yaml_seen(void *to, size_t line, size_t column);

typedef struct yaml_file {
    const char *file;
    yaml_document_t doc;
    bool failed;     /* a message was printed; later calls have no effect */
    yaml_seen *seen; /* or NULL */
} yaml_file;

/* A value whose name is not known beforehand, with the positions of both (from 1). */
typedef struct yaml_item {
    const char *key, *value;
    unsigned index; /* index in the list of its key; 0 for a single value */
    size_t key_line, key_column, line, column;
} yaml_item;
/* Takes such values in the order of the file. If `take` returns false, after a message, reading
 * ends. */
typedef struct yaml_items {
    bool (*take)(void *self, const yaml_item *item);
    void *self;
    const struct yaml_rows *rows; /* or NULL: a list of mappings is refused */
} yaml_items;
/* A list of mappings. The key `kind` in each mapping determines which other keys it may have.
 * done() is called after each mapping, with its position. */
typedef struct yaml_rows {
    const char *kinds; /* what `kind` may be, for messages */
    const struct yaml_key *(*keys)(void *self, const char *kind); /* NULL: no such kind */
    bool (*done)(void *self, size_t line, size_t column);
    const char *const *names; /* of the kinds, followed by NULL */
} yaml_rows;

/* A key that a mapping may have. `parse` gets the value's text. Without `parse` the value is a
 * mapping, read by `map`. Without `parse` and `map`, `to` points to yaml_items. The value is then a
 * single value, a list, a mapping of names to values or lists, or a list of mappings. */
typedef struct yaml_key {
    const char *name;
    bool required;
    bool (*parse)(void *to, const char *s);
    void *to;
    const char *accepted;       /* what the value may be, for messages */
    const struct yaml_key *map; /* ends with a NULL name */
} yaml_key;

/* Reads a file whose root is a mapping with these keys. If the first key has the name "", it takes
 * any names and values as yaml_items. Returns 0, or -1 after a message. */
int yaml_read(const char *file, const yaml_key *keys);
/* The same, with a call of `seen` for each value. */
int yaml_read_seen(const char *file, const yaml_key *keys, yaml_seen *seen);

enum { YAML_DEEPEST = 100 }; /* nested levels of lists and mappings */
/* Loads the next document like yaml_parser_load(). At the end of the file the document has no root.
 * A document with more than YAML_DEEPEST levels is an error, because the parser's time grows with
 * the square of the depth. No file that is read here has ten levels. Returns false with the error
 * in the parser's problem and problem_mark; then there is nothing to delete. */
bool yaml_load(yaml_parser_t *parser, yaml_document_t *to);

/* The documents of a file, read one after the other. */
typedef struct yaml_documents {
    const char *file;
    yaml_document_t doc; /* the last document loaded */
    bool loaded;
    yaml_parser_t parser;
    FILE *from;
    size_t left; /* bytes of the document that may still be read */
    bool too_long;
} yaml_documents;
/* Returns 0, or -1 after a message; then there is nothing to close. */
int yaml_documents_open(const char *file, yaml_documents *d);
void yaml_documents_close(yaml_documents *d);
/* Returns 1: d->doc is the next document, with a root; 0: end of file; -1 after a message. */
int yaml_documents_next(yaml_documents *d);
/* Like yaml_read_seen(), for the current document. */
int yaml_documents_read(yaml_documents *d, const yaml_key *keys, yaml_seen *seen);

/* file:line:column: found ..., expected ... */
void yaml_error(const char *file, size_t line, size_t column, const char *found,
                const char *expected);

#endif
