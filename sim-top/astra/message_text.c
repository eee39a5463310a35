/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message_text.c -- protobuf messages to and from YAML, driven by their descriptors
 *
 * No field is named here: names, types and enums come from protobuf-c's descriptors, so new fields
 * of a schema need no code. Values that would not come back unchanged are refused, such as unknown
 * fields and NaNs with a payload.
 */
#include "message_text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "values.h"

typedef ProtobufCFieldDescriptor field;

enum { NUMBER = 32, ALWAYS = 3 /* fields of the message itself that are never left out */ };

static bool is_list(const field *f) { return f->label == PROTOBUF_C_LABEL_REPEATED; }
static bool is_choice(const field *f) { return f->flags & PROTOBUF_C_FIELD_FLAG_ONEOF; }

static size_t bytes_of(const field *f) {
    switch (f->type) {
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_DOUBLE: return sizeof(uint64_t);
    case PROTOBUF_C_TYPE_BOOL: return sizeof(protobuf_c_boolean);
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_MESSAGE: return sizeof(void *);
    case PROTOBUF_C_TYPE_BYTES: return sizeof(ProtobufCBinaryData);
    default: return sizeof(uint32_t);
    }
}

/* ---- a message to text ----------------------------------------------------------------------- */

typedef struct writer {
    yaml_document_t *to;
    const char *whose;
} writer;

static int put_message(const writer *w, const ProtobufCMessage *m, bool root);

static int refuse(const writer *w, const field *f, const char *found, const char *expected) {
    fprintf(stderr, "acesim: %s: %s: found %s, expected %s\n", w->whose, f->name, found, expected);
    return 0;
}

static int put_text(const writer *w, const char *text, bool quoted) {
    return yaml_document_add_scalar(w->to, NULL, (const yaml_char_t *)text, (int)strlen(text),
                                    quoted ? YAML_DOUBLE_QUOTED_SCALAR_STYLE
                                           : YAML_PLAIN_SCALAR_STYLE);
}

/* Writes as many digits as give the same number again. */
static int put_real(const writer *w, const field *f, double v, int digits, bool same) {
    char text[NUMBER];

    if (!same) return refuse(w, f, "a NaN with bits of its own", "a number, or .nan");
    if (isnan(v)) return put_text(w, ".nan", false);
    if (isinf(v)) return put_text(w, v > 0 ? ".inf" : "-.inf", false);
    snprintf(text, sizeof text, "%.*g", digits, v);
    return put_text(w, text, false);
}

static int put_float(const writer *w, const field *f, float v) {
    const float nan = strtof("nan", NULL);

    return put_real(w, f, (double)v, 9, !isnan(v) || !memcmp(&v, &nan, sizeof v));
}

static int put_double(const writer *w, const field *f, double v) {
    const double nan = strtod("nan", NULL);

    return put_real(w, f, v, 17, !isnan(v) || !memcmp(&v, &nan, sizeof v));
}

static int put_bytes(const writer *w, const ProtobufCBinaryData *b) {
    char *text = malloc(2 * b->len + 1);
    int at;

    if (!text) return (void)message_no_memory(), 0;
    for (size_t i = 0; i < b->len; i++) snprintf(text + 2 * i, 3, "%02x", b->data[i]);
    text[2 * b->len] = '\0';
    at = put_text(w, text, true);
    free(text);
    return at;
}

static int put_enum(const writer *w, const field *f, int v) {
    const ProtobufCEnumValue *named = protobuf_c_enum_descriptor_get_value(f->descriptor, v);
    char text[NUMBER];

    if (named) return put_text(w, named->name, false);
    snprintf(text, sizeof text, "%d", v);
    return put_text(w, text, false);
}

static int put_string(const writer *w, const field *f, const char *s) {
    const int at = put_text(w, s, true);

    return at ? at : refuse(w, f, "bytes that are no text", "UTF-8");
}

static int put_value(const writer *w, const field *f, const void *v) {
    char text[NUMBER];

    switch (f->type) {
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SINT32:
    case PROTOBUF_C_TYPE_SFIXED32:
        snprintf(text, sizeof text, "%" PRId32, *(const int32_t *)v);
        break;
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
        snprintf(text, sizeof text, "%" PRId64, *(const int64_t *)v);
        break;
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_FIXED32:
        snprintf(text, sizeof text, "%" PRIu32, *(const uint32_t *)v);
        break;
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
        snprintf(text, sizeof text, "%" PRIu64, *(const uint64_t *)v);
        break;
    case PROTOBUF_C_TYPE_FLOAT: return put_float(w, f, *(const float *)v);
    case PROTOBUF_C_TYPE_DOUBLE: return put_double(w, f, *(const double *)v);
    case PROTOBUF_C_TYPE_BOOL:
        return put_text(w, *(const protobuf_c_boolean *)v ? "true" : "false", false);
    case PROTOBUF_C_TYPE_ENUM: return put_enum(w, f, *(const int *)v);
    case PROTOBUF_C_TYPE_STRING: return put_string(w, f, *(char *const *)v);
    case PROTOBUF_C_TYPE_BYTES: return put_bytes(w, v);
    case PROTOBUF_C_TYPE_MESSAGE: return put_message(w, *(const ProtobufCMessage *const *)v, false);
    }
    return put_text(w, text, false);
}

/* Sub-messages of the outer message are written one per line. */
static int put_list(const writer *w, const field *f, const void *values, size_t count, bool root) {
    const bool below = root && f->type == PROTOBUF_C_TYPE_MESSAGE;
    const int list = yaml_document_add_sequence(
        w->to, NULL, below ? YAML_BLOCK_SEQUENCE_STYLE : YAML_FLOW_SEQUENCE_STYLE);

    for (size_t i = 0; list && i < count; i++) {
        const int v = put_value(w, f, (const char *)values + i * bytes_of(f));

        if (!v || !yaml_document_append_sequence_item(w->to, list, v)) return 0;
    }
    return list;
}

/* In proto3, a field that is 0 or empty cannot be distinguished from a missing one. */
static bool is_zero(const field *f, const void *v) {
    static const uint64_t zero;

    if (f->type == PROTOBUF_C_TYPE_STRING) return !**(char *const *)v;
    if (f->type == PROTOBUF_C_TYPE_BYTES) return !((const ProtobufCBinaryData *)v)->len;
    return !memcmp(v, &zero, bytes_of(f));
}

static int put_message(const writer *w, const ProtobufCMessage *m, bool root) {
    const int map = yaml_document_add_mapping(
        w->to, NULL, root ? YAML_BLOCK_MAPPING_STYLE : YAML_FLOW_MAPPING_STYLE);

    if (m->n_unknown_fields) {
        fprintf(stderr, "acesim: %s: found field %u of %s, expected fields of Chakra 1.0.0 alone\n",
                w->whose, (unsigned)m->unknown_fields[0].tag, m->descriptor->short_name);
        return 0;
    }
    for (unsigned i = 0; map && i < m->descriptor->n_fields; i++) {
        const field *f = &m->descriptor->fields[i];
        const char *v = (const char *)m + f->offset, *many = (const char *)m + f->quantifier_offset;
        int key, value;

        if (is_list(f) ? !*(const size_t *)many
            : is_choice(f)
                ? *(const uint32_t *)many != f->id
                : is_zero(f, v) && !(root && f->id <= ALWAYS && f->type != PROTOBUF_C_TYPE_MESSAGE))
            continue;
        value = is_list(f) ? put_list(w, f, *(void *const *)v, *(const size_t *)many, root)
                           : put_value(w, f, v);
        key = value ? put_text(w, f->name, false) : 0;
        if (!key || !yaml_document_append_mapping_pair(w->to, map, key, value)) return 0;
    }
    return map;
}

int message_text_put(yaml_document_t *to, const char *whose, const ProtobufCMessage *m) {
    return put_message(&(writer){ .to = to, .whose = whose }, m, true);
}

/* ---- text to a message ----------------------------------------------------------------------- */

static bool get_fields(const yaml_documents *d, const yaml_node_t *from, ProtobufCMessage *m);

static yaml_node_t *node(const yaml_documents *d, int number) {
    return d->doc.nodes.start + number - 1;
}
static const char *text(const yaml_node_t *n) { return (const char *)n->data.scalar.value; }

static bool fail(const yaml_documents *d, const yaml_node_t *n, const char *found,
                 const char *expected) {
    yaml_error(d->file, n->start_mark.line + 1, n->start_mark.column + 1, found, expected);
    return false;
}

static bool get_signed(const char *s, int64_t low, int64_t high, int64_t *v) {
    uint64_t size;

    if (!parse_unsigned(s + (*s == '-'), 0, (uint64_t)high + (*s == '-'), &size)) return false;
    *v = *s == '-' ? (int64_t)(0 - size) : (int64_t)size;
    return *v >= low;
}

static bool get_real(const char *s, bool single, void *to) {
    const bool below = *s == '-';
    const char *word = !strcmp(s, ".nan") ? "nan" : !strcmp(s + below, ".inf") ? "inf" : NULL;
    const double v = strtod(word ? word : s, NULL);
    const float w = strtof(word ? word : s, NULL);
    char *end;

    (void)strtod(s, &end);
    if (!word && (end == s || *end || !strchr("-.0123456789", *s))) return false;
    if (single)
        *(float *)to = word && below ? -w : w;
    else
        *(double *)to = word && below ? -v : v;
    return true;
}

static bool get_bytes(const char *s, ProtobufCBinaryData *b) {
    const size_t length = strlen(s);

    if (length % 2 || strspn(s, "0123456789abcdef") != length) return false;
    b->data = malloc(length / 2 + 1);
    if (!b->data) return (void)message_no_memory(), false;
    for (; b->len < length / 2; b->len++) {
        const char pair[] = { s[2 * b->len], s[2 * b->len + 1], '\0' };

        b->data[b->len] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return true;
}

static bool get_enum(const char *s, const field *f, int *to) {
    const ProtobufCEnumValue *named =
        protobuf_c_enum_descriptor_get_value_by_name(f->descriptor, s);
    int64_t v;

    if (!named && !get_signed(s, INT32_MIN, INT32_MAX, &v)) return false;
    *to = named ? named->value : (int)v;
    return true;
}

/* Parses a value that is no message. *expected: what the file may have there. */
static bool get_scalar(const char *s, const field *f, void *to, const char **expected) {
    int64_t v;
    uint64_t u;

    switch (f->type) {
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SINT32:
    case PROTOBUF_C_TYPE_SFIXED32:
        *expected = "a whole number, -2^31 to 2^31 - 1";
        if (!get_signed(s, INT32_MIN, INT32_MAX, &v)) return false;
        *(int32_t *)to = (int32_t)v;
        return true;
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
        *expected = "a whole number, -2^63 to 2^63 - 1";
        return get_signed(s, INT64_MIN, INT64_MAX, to);
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_FIXED32:
        *expected = "a whole number, 0 to 2^32 - 1";
        if (!parse_unsigned(s, 0, UINT32_MAX, &u)) return false;
        *(uint32_t *)to = (uint32_t)u;
        return true;
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
        *expected = "a whole number, 0 to 2^64 - 1";
        return parse_unsigned(s, 0, UINT64_MAX, to);
    case PROTOBUF_C_TYPE_FLOAT:
    case PROTOBUF_C_TYPE_DOUBLE:
        *expected = "a number, .inf, -.inf or .nan";
        return get_real(s, f->type == PROTOBUF_C_TYPE_FLOAT, to);
    case PROTOBUF_C_TYPE_BOOL:
        *expected = "true or false";
        *(protobuf_c_boolean *)to = !strcmp(s, "true");
        return !strcmp(s, "true") || !strcmp(s, "false");
    case PROTOBUF_C_TYPE_ENUM:
        *expected = "a type of Chakra, such as COMP_NODE, or its number";
        return get_enum(s, f, to);
    case PROTOBUF_C_TYPE_STRING:
        *expected = "a text";
        *(char **)to = strdup(s);
        return *(char **)to || ((void)message_no_memory(), false);
    case PROTOBUF_C_TYPE_BYTES:
        *expected = "two of 0 to 9 and a to f for each byte";
        return get_bytes(s, to);
    case PROTOBUF_C_TYPE_MESSAGE: break;
    }
    return false;
}

static bool get_value(const yaml_documents *d, const yaml_node_t *n, const field *f, void *to) {
    const char *expected = "a value";
    char found[120];

    if (f->type == PROTOBUF_C_TYPE_MESSAGE) {
        ProtobufCMessage *m = message_text_get(d, n, f->descriptor);

        *(ProtobufCMessage **)to = m;
        return m != NULL;
    }
    if (n->type != YAML_SCALAR_NODE) return fail(d, n, "a list or mapping", expected);
    if (strlen(text(n)) != n->data.scalar.length) return fail(d, n, "a zero byte", expected);
    if (get_scalar(text(n), f, to, &expected)) return true;
    snprintf(found, sizeof found, "'%.80s'", text(n));
    return fail(d, n, found, expected);
}

static bool get_list(const yaml_documents *d, const yaml_node_t *n, const field *f,
                     ProtobufCMessage *m) {
    size_t *count = (size_t *)(void *)((char *)m + f->quantifier_offset);
    void **values = (void **)(void *)((char *)m + f->offset);
    size_t all;

    if (n->type != YAML_SEQUENCE_NODE) return fail(d, n, "no list", "a list");
    all = (size_t)(n->data.sequence.items.top - n->data.sequence.items.start);
    *values = calloc(all + 1, bytes_of(f));
    if (!*values) return (void)message_no_memory(), false;
    for (; *count < all; ++*count)
        if (!get_value(d, node(d, n->data.sequence.items.start[*count]), f,
                       (char *)*values + *count * bytes_of(f)))
            return false;
    return true;
}

static bool unknown(const yaml_documents *d, const yaml_node_t *key,
                    const ProtobufCMessageDescriptor *what) {
    char found[120], expected[1000];
    size_t n = (size_t)snprintf(expected, sizeof expected, "one of");

    for (unsigned i = 0; i < what->n_fields && n < sizeof expected; i++)
        n += (size_t)snprintf(expected + n, sizeof expected - n, " %s", what->fields[i].name);
    snprintf(found, sizeof found, "unknown key '%.80s'",
             key->type == YAML_SCALAR_NODE ? text(key) : "");
    return fail(d, key, found, expected);
}

/* seen: one bit for each field that is present. */
static bool get_field(const yaml_documents *d, const yaml_node_t *key, const yaml_node_t *value,
                      ProtobufCMessage *m, uint64_t *seen) {
    const ProtobufCMessageDescriptor *what = m->descriptor;
    const field *f = key->type == YAML_SCALAR_NODE
                         ? protobuf_c_message_descriptor_get_field_by_name(what, text(key))
                         : NULL;
    uint32_t *which;

    if (!f) return unknown(d, key, what);
    if (*seen >> (f - what->fields) & 1) return fail(d, key, "a second of a key", "each key once");
    *seen |= UINT64_C(1) << (f - what->fields);
    if (is_list(f)) return get_list(d, value, f, m);
    if (is_choice(f)) {
        which = (uint32_t *)(void *)((char *)m + f->quantifier_offset);
        if (*which) return fail(d, key, "a second value", "one of a kind");
        *which = f->id;
    }
    return get_value(d, value, f, (char *)m + f->offset);
}

static bool get_fields(const yaml_documents *d, const yaml_node_t *from, ProtobufCMessage *m) {
    uint64_t seen = 0;

    if (from->type != YAML_MAPPING_NODE) return fail(d, from, "no mapping", "a mapping of keys");
    for (const yaml_node_pair_t *p = from->data.mapping.pairs.start;
         p < from->data.mapping.pairs.top; p++)
        if (!get_field(d, node(d, p->key), node(d, p->value), m, &seen)) return false;
    return true;
}

ProtobufCMessage *message_text_get(const yaml_documents *d, const yaml_node_t *from,
                                   const ProtobufCMessageDescriptor *what) {
    ProtobufCMessage *m = calloc(1, what->sizeof_message);

    if (!m) return (void)message_no_memory(), NULL;
    protobuf_c_message_init(what, m);
    if (get_fields(d, from, m)) return m;
    protobuf_c_message_free_unpacked(m, NULL);
    return NULL;
}
