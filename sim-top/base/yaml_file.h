/* SPDX-License-Identifier: Apache-2.0 */
/* yaml_file.h -- YAML files with errors that name file, line and column */
#ifndef YAML_FILE_H
#define YAML_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <yaml.h>

/* Told of each value that `parse` of a key took: `to` of that key, and where the value stands. */
typedef void yaml_seen(void *to, size_t line, size_t column);

typedef struct yaml_file {
    const char *file;
    yaml_document_t doc;
    bool failed;     /* a message was printed; later calls are harmless */
    yaml_seen *seen; /* or NULL */
} yaml_file;

/* A value whose name is not known beforehand, and where both stand (from 1). */
typedef struct yaml_item {
    const char *key, *value;
    unsigned index; /* in the list of its key; 0 for a single value */
    size_t key_line, key_column, line, column;
} yaml_item;
/* Takes such values in the order of the file; false, after a message, ends the reading. */
typedef struct yaml_items {
    bool (*take)(void *self, const yaml_item *item);
    void *self;
    const struct yaml_rows *rows; /* or NULL: a list of mappings is refused */
} yaml_items;
/* The mappings of a list.  What keys one may have depends on its `kind`, which is among them;
 * done() is called when it was read, with the place where it begins. */
typedef struct yaml_rows {
    const char *kinds; /* what a person may write for `kind` */
    const struct yaml_key *(*keys)(void *self, const char *kind); /* NULL: no such kind */
    bool (*done)(void *self, size_t line, size_t column);
    const char *const *names; /* of the kinds, ended by NULL */
} yaml_rows;

/* A key a mapping may have.  parse is called with the value as it is written.  Without
 * parse the value is a mapping, read by `map`; without map either, `to` is yaml_items and
 * the value is one value, a list, or a mapping of names to such; or a list of mappings. */
typedef struct yaml_key {
    const char *name;
    bool required;
    bool (*parse)(void *to, const char *s);
    void *to;
    const char *accepted;       /* what a person may write */
    const struct yaml_key *map; /* ended by a NULL name */
} yaml_key;

/* Reads a file whose root is a mapping with these keys, or of names to values, which a first key of
 * the name "" takes as yaml_items.  0, or -1 after a message. */
int yaml_read(const char *file, const yaml_key *keys);
/* The same, and `seen` is told of each value. */
int yaml_read_seen(const char *file, const yaml_key *keys, yaml_seen *seen);

enum { YAML_DEEPEST = 100 }; /* levels of lists and mappings, one in another */
/* Loads the next document as yaml_parser_load() does; without a root where there is no more.  A
 * document of more levels than YAML_DEEPEST is an error: the parser's time grows with the square
 * of the depth, and no file that is read here has ten.  False: the parser has problem and
 * problem_mark, and there is nothing to delete. */
bool yaml_load(yaml_parser_t *parser, yaml_document_t *to);

/* The documents of a file, one after the other. */
typedef struct yaml_documents {
    const char *file;
    yaml_document_t doc; /* the last that was asked for */
    bool loaded;
    yaml_parser_t parser;
    FILE *from;
    size_t left; /* bytes that are still read of it */
    bool too_long;
} yaml_documents;
/* 0, or -1 after a message: there is nothing to close. */
int yaml_documents_open(const char *file, yaml_documents *d);
void yaml_documents_close(yaml_documents *d);
/* 1: d->doc is the next, and has a root; 0: there is no more; -1: failed, after a message. */
int yaml_documents_next(yaml_documents *d);
/* As yaml_read_seen(), of this document. */
int yaml_documents_read(yaml_documents *d, const yaml_key *keys, yaml_seen *seen);

/* file:line:column: found ..., expected ... */
void yaml_error(const char *file, size_t line, size_t column, const char *found,
                const char *expected);

#endif
