/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_file.c -- a trace as a stream of length-prefixed protobuf messages
 *
 * zlib reads plain and compressed files alike. Each node is unpacked into an arena that is reset
 * before the next node, so memory does not grow with the trace. A file is closed as soon as it has
 * been read to its end, because a run has a reader for each NPU.
 */
#define _GNU_SOURCE /* memmem */
#include "chakra_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "exit_status.h"
#include "message.h"

enum { BLOCK = 65536, MESSAGE_MOST = 1 << 26 };

/* Memory for one message: allocated from one block, and released all at once. */
typedef struct arena {
    unsigned char *block;
    size_t size, used, more; /* of the block; and bytes that did not fit into the block */
    void **other;            /* allocations that did not fit into the block */
    size_t others, other_room;
} arena;

struct chakra_file {
    char *name;
    gzFile file;
    unsigned char *message;
    size_t room;
    uint64_t at; /* position in the file, bytes */
    arena arena;
    ProtobufCAllocator allocator;
    const Chakra__GlobalMetadata *metadata; /* valid before the first node is read */
};

/* ---- memory ------------------------------------------------------------------------------ */

static void *take(void *self, size_t bytes) {
    arena *a = self;
    void *p;

    bytes = (bytes + 15) & ~(size_t)15;
    if (bytes <= a->size - a->used) {
        p = a->block + a->used;
        a->used += bytes;
        return p;
    }
    if (a->others == a->other_room) {
        const size_t room = a->other_room ? 2 * a->other_room : 16;
        void **other = realloc(a->other, room * sizeof *other);

        if (!other) return NULL;
        a->other = other;
        a->other_room = room;
    }
    p = malloc(bytes ? bytes : 1);
    if (p) {
        a->other[a->others++] = p;
        a->more += bytes;
    }
    return p;
}

static void keep(void *self, void *p) {
    (void)self;
    (void)p;
}

/* Releases the message. The block grows to the size of the largest message so far. */
static bool reset(arena *a) {
    const size_t size = a->used + a->more < BLOCK ? BLOCK : 2 * (a->used + a->more);

    while (a->others) free(a->other[--a->others]);
    if (!a->block || a->more) {
        unsigned char *block = realloc(a->block, size);

        if (!block) return false;
        a->block = block;
        a->size = size;
    }
    a->used = a->more = 0;
    return true;
}

/* ---- reading ------------------------------------------------------------------------------- */

static int fail(const chakra_file *f, const char *found, const char *expected) {
    fprintf(stderr, "acesim: %s: byte %llu: found %s, expected %s\n", f->name,
            (unsigned long long)f->at, found, expected);
    return -1;
}

/* Reads a varint. Returns 1; 0 at the end of the file; -1 after a message. */
static int read_length(chakra_file *f, uint64_t *length) {
    *length = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const int byte = gzgetc(f->file);

        if (byte < 0 && !shift && gzeof(f->file)) return 0;
        if (byte < 0) return fail(f, "the end inside a length", "a whole trace");
        *length |= (uint64_t)(byte & 127) << shift;
        f->at++;
        if (!(byte & 128)) return 1;
    }
    return fail(f, "a length of more than 64 bits", "a trace of Chakra");
}

/* Reads a message and its length. Returns 1; 0 at the end of the file; -1 after a message. */
static int read_message(chakra_file *f, uint64_t *length) {
    const int more = read_length(f, length);

    if (more <= 0) return more;
    if (*length > MESSAGE_MOST)
        return fail(f, "a message of more than 64 MiB", "a trace of Chakra");
    if (*length > f->room) {
        unsigned char *at = realloc(f->message, *length);

        if (!at) return (void)message_no_memory(), -1;
        f->message = at;
        f->room = *length;
    }
    if (*length && gzread(f->file, f->message, (unsigned)*length) != (int)*length)
        return fail(f, "the end inside a message", "a whole trace");
    f->at += *length;
    return 1;
}

/* Reads the file's metadata, the first message. */
static int read_metadata(chakra_file *f) {
    Chakra__GlobalMetadata *m;
    uint64_t length;
    int more = read_message(f, &length);

    if (more < 0) return EXIT_USAGE;
    if (!more) {
        (void)fail(f, "an empty file", "a trace of Chakra");
        return EXIT_USAGE;
    }
    if (length && f->message[0] == 0x08) { /* a node's first field is a number */
        (void)fail(f, "a node where the metadata begins, as Chakra 0.0.1 writes it",
                   "a trace of Chakra 0.0.4 or later");
        return EXIT_USAGE;
    }
    if (!reset(&f->arena)) return message_no_memory();
    m = chakra__global_metadata__unpack(&f->allocator, length, f->message);
    if (!m) {
        (void)fail(f, "no metadata",
                   length == '{' ? "a trace of Chakra in protobuf, which JSON is not: Chakra's "
                                   "converters make one of it"
                                 : "a trace of Chakra");
        return EXIT_USAGE;
    }
    if (!strcmp(m->version, "0.0.2") || !strcmp(m->version, "0.0.3")) {
        (void)fail(f, "a trace of Chakra 0.0.2 or 0.0.3, whose fields have other numbers",
                   "one of 0.0.4 or later");
        return EXIT_USAGE;
    }
    f->metadata = m;
    return EXIT_OK;
}

static int open_file(chakra_file *f) {
    f->file = gzopen(f->name, "rb");
    if (!f->file) {
        fprintf(stderr, "acesim: %s: %s, expected a trace of Chakra\n", f->name, strerror(errno));
        return EXIT_USAGE;
    }
    (void)gzbuffer(f->file, BLOCK);
    return EXIT_OK;
}

/* Closes the file and frees all memory but the name. A run keeps a reader for each NPU until its
 * end, and many readers have read their whole trace early. A system allows fewer open files than
 * some networks have NPUs. */
static void release(chakra_file *f) {
    if (f->file) (void)gzclose(f->file);
    while (f->arena.others) free(f->arena.other[--f->arena.others]);
    free(f->arena.other);
    free(f->arena.block);
    free(f->message);
    f->file = NULL;
    f->message = NULL;
    f->room = 0;
    f->arena = (arena){ 0 };
}

int chakra_file_open(const char *name, chakra_file **to) {
    chakra_file *f = calloc(1, sizeof *f);
    int rc;

    *to = NULL;
    if (f) f->name = strdup(name);
    if (!f || !f->name) {
        chakra_file_close(f);
        return message_no_memory();
    }
    f->allocator = (ProtobufCAllocator){ .alloc = take, .free = keep, .allocator_data = &f->arena };
    rc = open_file(f);
    if (rc == EXIT_OK) rc = read_metadata(f);
    if (rc == EXIT_OK)
        *to = f;
    else
        chakra_file_close(f);
    return rc;
}

void chakra_file_close(chakra_file *f) {
    if (!f) return;
    release(f);
    free(f->name);
    free(f);
}

int chakra_file_next(chakra_file *f, const Chakra__Node **node) {
    const uint64_t at = f->at;
    uint64_t length;
    const int more = f->file ? read_message(f, &length) : 0;

    if (!more) release(f);
    if (more <= 0) return more;
    if (!reset(&f->arena)) return (void)message_no_memory(), -1;
    *node = chakra__node__unpack(&f->allocator, length, f->message);
    if (*node) return 1;
    f->at = at;
    return fail(f, "what is no node", "a trace of Chakra");
}

int chakra_file_rewind(chakra_file *f) {
    int rc = EXIT_OK;

    f->at = 0;
    if (!f->file) rc = open_file(f);
    if (rc != EXIT_OK) return rc;
    if (gzrewind(f->file)) {
        fprintf(stderr, "acesim: %s: cannot be read again\n", f->name);
        return EXIT_USAGE;
    }
    return read_metadata(f);
}

const Chakra__GlobalMetadata *chakra_file_metadata(const chakra_file *f) { return f->metadata; }

const char *chakra_file_name(const chakra_file *f) { return f->name; }

bool chakra_file_has(const char *name, const char *text) {
    const size_t length = strlen(text);
    char *at = malloc(BLOCK + length);
    gzFile file = at ? gzopen(name, "rb") : NULL;
    size_t kept = 0; /* bytes kept of the previous block: the text may span both */
    bool has = false;
    int more;

    while (file && !has && (more = gzread(file, at + kept, BLOCK)) > 0) {
        const size_t bytes = kept + (size_t)more;

        has = memmem(at, bytes, text, length) != NULL;
        kept = bytes < length ? bytes : length - 1;
        memmove(at, at + bytes - kept, kept);
    }
    if (file) (void)gzclose(file);
    free(at);
    return has;
}

/* ---- writing ------------------------------------------------------------------------------- */

typedef struct buffer {
    ProtobufCBuffer base;
    FILE *to;
} buffer;

static void put_bytes(ProtobufCBuffer *self, size_t bytes, const uint8_t *at) {
    (void)fwrite(at, 1, bytes, ((buffer *)self)->to);
}

void chakra_file_put(FILE *to, const ProtobufCMessage *m) {
    buffer b = { .base = { .append = put_bytes }, .to = to };
    uint64_t length = protobuf_c_message_get_packed_size(m);

    for (; length > 127; length >>= 7) (void)putc((int)(length & 127) | 128, to);
    (void)putc((int)length, to);
    (void)protobuf_c_message_pack_to_buffer(m, &b.base);
}
