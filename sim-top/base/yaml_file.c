/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_file.c -- loads YAML documents and walks them by tables of keys
 *
 * The loader makes a document from libyaml's events itself, because it limits the depth and the
 * bytes that libyaml does not limit. Reading a mapping finds each key in the table, parses its
 * value, and reports an unknown key with the nearest known one. Aliases refer to the same node.
 */
#include "yaml_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input_file.h"
#include "message.h"

void yaml_error(const char *file, size_t line, size_t column, const char *found,
                const char *expected) {
    fprintf(stderr, "%s:%zu:%zu: found %s, expected %s\n", input_name(file), line, column, found,
            expected);
}

enum {
    MOST_KEYS = 63,       /* in a mapping */
    MOST_BYTES = 16 << 20 /* in a document, which takes some hundred times as much memory */
};

static void at(yaml_file *c, const yaml_node_t *n, const char *found, const char *expected) {
    yaml_error(c->file, n->start_mark.line + 1, n->start_mark.column + 1, found, expected);
    c->failed = true;
}

static const char *text(const yaml_node_t *n) { return (const char *)n->data.scalar.value; }

static void quoted(char *to, size_t room, const char *what, const char *s) {
    snprintf(to, room, "%s'%.80s'", what, s);
}

static void list_keys(char *to, size_t room, const yaml_key *keys) {
    size_t n = (size_t)snprintf(to, room, "one of");

    for (; keys->name && n < room; keys++)
        n += (size_t)snprintf(to + n, room - n, " %s", keys->name);
}

/* The same, with a suggestion if a word of `expected` is near. */
static void at_word(yaml_file *c, const yaml_node_t *n, const char *found, const char *expected) {
    char hint[MESSAGE_HINT], whole_text[700];

    snprintf(whole_text, sizeof whole_text, "%s%s", expected,
             message_hint_of_text(hint, text(n), expected));
    at(c, n, found, whole_text);
}

static bool has_no_nul(const yaml_node_t *n) { return strlen(text(n)) == n->data.scalar.length; }

static void read_mapping(yaml_file *c, yaml_node_t *n, const yaml_key *keys, const char *but);

/* Returns the value of a key in a mapping, or NULL. */
static const yaml_node_t *find(yaml_file *c, const yaml_node_t *n, const char *name) {
    for (yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top; p++) {
        const yaml_node_t *k = yaml_document_get_node(&c->doc, p->key);

        if (k->type == YAML_SCALAR_NODE && has_no_nul(k) && !strcmp(text(k), name))
            return yaml_document_get_node(&c->doc, p->value);
    }
    return NULL;
}

static void read_row(yaml_file *c, yaml_node_t *n, const yaml_items *items) {
    const yaml_node_t *kind = n->type == YAML_MAPPING_NODE ? find(c, n, "kind") : NULL;
    const yaml_key *keys;
    char found[128];

    if (!kind || kind->type != YAML_SCALAR_NODE) {
        at(c, kind ? kind : n,
           n->type != YAML_MAPPING_NODE ? "no mapping"
           : kind                       ? "a list or mapping"
                                        : "a mapping without 'kind'",
           items->rows->kinds);
        return;
    }
    keys = items->rows->keys(items->self, text(kind));
    if (!keys) {
        quoted(found, sizeof found, "", text(kind));
        at_word(c, kind, found, items->rows->kinds);
        return;
    }
    read_mapping(c, n, keys, "kind");
    if (!c->failed)
        c->failed =
            !items->rows->done(items->self, n->start_mark.line + 1, n->start_mark.column + 1);
}

/* Reads a single value or a list of values under the key k. */
static void read_items(yaml_file *c, const yaml_node_t *k, yaml_node_t *n, const yaml_key *key) {
    const yaml_items *items = key->to;
    const bool list = n->type == YAML_SEQUENCE_NODE;
    const unsigned count =
        list ? (unsigned)(n->data.sequence.items.top - n->data.sequence.items.start) : 1;

    if (!count) at(c, n, "an empty list", key->accepted);
    for (unsigned i = 0; i < count && !c->failed; i++) {
        yaml_node_t *v =
            list ? yaml_document_get_node(&c->doc, n->data.sequence.items.start[i]) : n;

        if (list && items->rows) {
            read_row(c, v, items);
            continue;
        }
        if (v->type != YAML_SCALAR_NODE || !has_no_nul(v)) {
            at(c, v, v->type == YAML_SCALAR_NODE ? "a zero byte" : "a list or mapping",
               key->accepted);
            return;
        }
        c->failed = !items->take(items->self,
                                 &(yaml_item){ text(k), text(v), i, k->start_mark.line + 1,
                                               k->start_mark.column + 1, v->start_mark.line + 1,
                                               v->start_mark.column + 1 });
    }
}

static void read_named_items(yaml_file *c, const yaml_node_t *k, yaml_node_t *n,
                             const yaml_key *key) {
    if (n->type != YAML_MAPPING_NODE) {
        read_items(c, k, n, key);
        return;
    }
    for (yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top; p++) {
        const yaml_node_t *name = yaml_document_get_node(&c->doc, p->key);

        if (c->failed) return;
        if (name->type == YAML_SCALAR_NODE && has_no_nul(name))
            read_items(c, name, yaml_document_get_node(&c->doc, p->value), key);
        else
            at(c, name, "a key that is not a word", "a key");
    }
}

/* Says which kind of file has a key, if one kind alone has it: a file may stand where one of
 * another kind belongs. */
static void add_owner(char *found, size_t size, const char *key) {
    static const struct {
        const char *key, *kind;
    } owners[] = {
        { "topology", "cluster files" }, { "npu", "cluster files" },     { "minibatch", "models" },
        { "architecture", "models" },    { "decoder_layers", "models" }, { "grid", "sweeps" },
        { "cells", "studies" },
    };
    const size_t length = strlen(found);

    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
        if (!strcmp(owners[i].key, key))
            snprintf(found + length, size - length, ", which %s have", owners[i].kind);
}

/* but: a key that was read before and is skipped, or NULL. */
static void read_mapping(yaml_file *c, yaml_node_t *n, const yaml_key *keys, const char *but) {
    char found[128], expected[512];
    uint64_t seen = 0;

    if (n->type != YAML_MAPPING_NODE) {
        list_keys(expected, sizeof expected, keys);
        at(c, n, n->type == YAML_SCALAR_NODE ? "a single value" : "a list", "a mapping of keys");
        return;
    }
    for (yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top; p++) {
        yaml_node_t *k = yaml_document_get_node(&c->doc, p->key);
        yaml_node_t *v = yaml_document_get_node(&c->doc, p->value);
        unsigned i = 0;

        if (c->failed) return;
        if (k->type != YAML_SCALAR_NODE) {
            at(c, k, "a key that is not a word", "a key");
            return;
        }
        if (but && !strcmp(but, text(k)))
            i = MOST_KEYS;
        else
            while (keys[i].name && strcmp(keys[i].name, text(k))) i++;
        if (i < MOST_KEYS && !keys[i].name) {
            quoted(found, sizeof found, "unknown key ", text(k));
            add_owner(found, sizeof found, text(k));
            list_keys(expected, sizeof expected, keys);
            at_word(c, k, found, expected);
            return;
        }
        if (seen >> i & 1) {
            quoted(found, sizeof found, "a second ", text(k));
            at(c, k, found, "each key once");
            return;
        }
        seen |= UINT64_C(1) << i;
        if (i == MOST_KEYS) continue;
        if (!keys[i].parse && keys[i].map) {
            read_mapping(c, v, keys[i].map, NULL);
        } else if (!keys[i].parse) {
            read_named_items(c, k, v, &keys[i]);
        } else if (v->type != YAML_SCALAR_NODE) {
            at(c, v, "a list or mapping", keys[i].accepted);
        } else if (!has_no_nul(v) || !keys[i].parse(keys[i].to, text(v))) {
            quoted(found, sizeof found, "", text(v));
            at_word(c, v, found, keys[i].accepted);
        } else if (c->seen) {
            c->seen(keys[i].to, v->start_mark.line + 1, v->start_mark.column + 1);
        }
    }
    for (unsigned i = 0; keys[i].name && !c->failed; i++) {
        if (!keys[i].required || seen >> i & 1) continue;
        quoted(expected, sizeof expected, "the key ", keys[i].name);
        at(c, n, "a mapping without it", expected);
    }
}

int yaml_read(const char *file, const yaml_key *keys) { return yaml_read_seen(file, keys, NULL); }

/* ---- loading, level by level --------------------------------------------------------- */

typedef struct anchor {
    char *name;
    int node;
} anchor;

/* A document that is being loaded. Nodes are numbered from 1; 0: none. */
typedef struct loader {
    yaml_parser_t *parser;
    yaml_document_t *to;
    struct {
        int node, key; /* key: in a mapping, the key whose value comes next */
    } level[YAML_DEEPEST];
    unsigned depth;
    anchor *anchors;
    size_t count, room;
} loader;

static bool load_error(loader *l, const yaml_event_t *e, const char *problem) {
    l->parser->error = YAML_COMPOSER_ERROR;
    l->parser->problem = problem;
    l->parser->problem_mark = e->start_mark;
    return false;
}

static bool name_node(loader *l, const yaml_event_t *e, const yaml_char_t *name, int node) {
    if (!name) return true;
    for (size_t i = 0; i < l->count; i++)
        if (!strcmp(l->anchors[i].name, (const char *)name))
            return load_error(l, e, "found duplicate anchor");
    if (l->count == l->room) {
        const size_t room = 2 * l->room + 16;
        anchor *const more = realloc(l->anchors, room * sizeof *more);

        if (!more) return load_error(l, e, "no memory");
        l->anchors = more;
        l->room = room;
    }
    l->anchors[l->count] = (anchor){ strdup((const char *)name), node };
    return l->anchors[l->count].name ? l->count++, true : load_error(l, e, "no memory");
}

/* Adds a node to the innermost open list or mapping. Without one it is the root. */
static bool put_node(loader *l, const yaml_event_t *e, int node) {
    int ok = 1;

    if (!node) return load_error(l, e, "no memory");
    if (!l->depth) return true;
    const int in = l->level[l->depth - 1].node;
    int *const key = &l->level[l->depth - 1].key;

    if (yaml_document_get_node(l->to, in)->type == YAML_SEQUENCE_NODE) {
        ok = yaml_document_append_sequence_item(l->to, in, node);
    } else if (!*key) {
        *key = node;
    } else {
        ok = yaml_document_append_mapping_pair(l->to, in, *key, node);
        *key = 0;
    }
    return ok || load_error(l, e, "no memory");
}

static bool take_alias(loader *l, const yaml_event_t *e) {
    for (size_t i = 0; i < l->count; i++)
        if (!strcmp(l->anchors[i].name, (const char *)e->data.alias.anchor))
            return put_node(l, e, l->anchors[i].node);
    return load_error(l, e, "found undefined alias");
}

/* Adds a node and its position. A list or a mapping stays open for its members. */
static bool take_node(loader *l, const yaml_event_t *e, int node, const yaml_char_t *name) {
    if (node) {
        l->to->nodes.start[node - 1].start_mark = e->start_mark;
        l->to->nodes.start[node - 1].end_mark = e->end_mark;
    }
    if (!put_node(l, e, node) || !name_node(l, e, name, node)) return false;
    if (e->type == YAML_SCALAR_EVENT) return true;
    if (l->depth == YAML_DEEPEST)
        return load_error(l, e, "lists and mappings more than 100 levels deep");
    l->level[l->depth].node = node;
    l->level[l->depth++].key = 0;
    return true;
}

static bool take_event(loader *l, const yaml_event_t *e) {
    const yaml_char_t *const tag = NULL; /* tags are not used */

    switch (e->type) {
    case YAML_ALIAS_EVENT: return take_alias(l, e);
    case YAML_SCALAR_EVENT:
        return take_node(l, e,
                         yaml_document_add_scalar(l->to, tag, e->data.scalar.value,
                                                  (int)e->data.scalar.length, e->data.scalar.style),
                         e->data.scalar.anchor);
    case YAML_SEQUENCE_START_EVENT:
        return take_node(l, e, yaml_document_add_sequence(l->to, tag, e->data.sequence_start.style),
                         e->data.sequence_start.anchor);
    case YAML_MAPPING_START_EVENT:
        return take_node(l, e, yaml_document_add_mapping(l->to, tag, e->data.mapping_start.style),
                         e->data.mapping_start.anchor);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: l->depth--; return true;
    default: return true; /* beginnings of the stream and of the document */
    }
}

bool yaml_load(yaml_parser_t *parser, yaml_document_t *to) {
    loader l = { .parser = parser, .to = to };
    bool ok = yaml_document_initialize(to, NULL, NULL, NULL, 1, 1) != 0, over = false;

    if (!ok) {
        parser->problem = "no memory";
        return false;
    }
    while (ok && !over && !parser->stream_end_produced) {
        yaml_event_t e;

        ok = yaml_parser_parse(parser, &e) != 0;
        if (!ok) break;
        over = e.type == YAML_DOCUMENT_END_EVENT || e.type == YAML_STREAM_END_EVENT;
        ok = take_event(&l, &e);
        yaml_event_delete(&e);
    }
    for (size_t i = 0; i < l.count; i++) free(l.anchors[i].name);
    free(l.anchors);
    if (!ok) yaml_document_delete(to);
    return ok;
}

/* ---- the documents of a file ---------------------------------------------------------- */

/* Returns the next bytes of a file, at most as many as a document may have. */
static int next_bytes(void *self, unsigned char *to, size_t room, size_t *got) {
    yaml_documents *d = self;

    *got = fread(to, 1, room, d->from);
    d->too_long = *got > d->left;
    d->left -= d->too_long ? d->left : *got;
    return !d->too_long && !ferror(d->from);
}

int yaml_documents_open(const char *file, yaml_documents *d) {
    *d = (yaml_documents){ .file = input_name(file), .from = input_open(file) };
    if (!d->from) {
        yaml_error(d->file, 1, 1, strerror(errno), "a readable YAML file");
        return -1;
    }
    if (!yaml_parser_initialize(&d->parser)) {
        fclose(d->from);
        (void)message_no_memory();
        return -1;
    }
    yaml_parser_set_input(&d->parser, next_bytes, d);
    return 0;
}

static void forget(yaml_documents *d) {
    if (d->loaded) yaml_document_delete(&d->doc);
    d->loaded = false;
}

void yaml_documents_close(yaml_documents *d) {
    forget(d);
    yaml_parser_delete(&d->parser);
    fclose(d->from);
}

/* Writes what libyaml found, as text that follows "found". */
static const char *what_is_found(const char *problem, char *to, size_t size) {
    static const char *const found = "found ", *const missing = "did not find expected ";

    if (!problem) return "broken YAML";
    if (!strncmp(problem, found, strlen(found))) return problem + strlen(found);
    if (strncmp(problem, missing, strlen(missing))) return problem;
    snprintf(to, size, "no %s", problem + strlen(missing));
    return to;
}

int yaml_documents_next(yaml_documents *d) {
    const yaml_parser_t *p = &d->parser;
    char found[128];

    forget(d);
    d->left = MOST_BYTES;
    d->loaded = yaml_load(&d->parser, &d->doc);
    if (d->loaded) return yaml_document_get_root_node(&d->doc) != NULL;
    if (d->too_long)
        yaml_error(d->file, 1, 1, "more than 16 MiB", "a YAML file of at most 16 MiB");
    else
        yaml_error(d->file, p->problem_mark.line + 1, p->problem_mark.column + 1,
                   what_is_found(p->problem, found, sizeof found), "YAML");
    return -1;
}

int yaml_documents_read(yaml_documents *d, const yaml_key *keys, yaml_seen *seen) {
    yaml_file c = { .file = d->file, .doc = d->doc, .seen = seen };
    yaml_node_t *const root = yaml_document_get_root_node(&c.doc);

    if (*keys[0].name)
        read_mapping(&c, root, keys, NULL);
    else if (root->type == YAML_MAPPING_NODE)
        read_named_items(&c, root, root, &keys[0]);
    else
        at(&c, root, "no mapping", keys[0].accepted);
    return c.failed ? -1 : 0;
}

int yaml_read_seen(const char *file, const yaml_key *keys, yaml_seen *seen) {
    yaml_documents d;
    int more, rc = -1;

    if (yaml_documents_open(file, &d)) return -1;
    more = yaml_documents_next(&d);
    if (!more) yaml_error(d.file, 1, 1, "an empty file", "a mapping of keys");
    if (more > 0) rc = yaml_documents_read(&d, keys, seen);
    yaml_documents_close(&d);
    return rc;
}
