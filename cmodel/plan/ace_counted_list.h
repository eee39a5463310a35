/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_counted_list.h -- all-to-alls whose counts the NPU writes: lists with counts of peers
 *
 *     const ace_counted_group g = { &command, &config, LIST, INBOX, rows };
 *     uint32_t image[ace_counted_list_bytes(&g) / 4];
 *     ace_counted_list l;
 *     ace_counted_list_begin(&l, &g, turn, image);
 *     ace_counted_list_blocks(&l, &blocks);                or ..._tokens(), or ..._send() for each
 *     if (!ace_counted_list_end(&l)) ...                   more items than `rows` hold
 *     store the image at LIST, then one store to the slot of the prepared command
 *
 * This is software of the NPU: no function calls the engine or allocates memory.  The engine's
 * command is an ACE_LIST at LIST of rows * ACE_ROW_BYTES bytes, prepared once.  Each member does
 * the following:
 *
 *   1. It sends each member a *count row*: the receives for what it will send there, and the bytes.
 *   2. It sends the data.
 *   3. It waits for the count rows of all members, which lie in its inbox.
 *   4. It walks the inbox (ACE_LIST_PEERS), so it waits for what the count rows announce.
 *
 * Memory at each member
 *   LIST    the image: rows of the list, then a count row for each member.  No window may hold it.
 *   INBOX   a row for each member, twice: for even and odd turns.  It lies at the same address at
 *           all members, below 2^40, in the list window.
 *
 * Turns alternate 0, 1, 0, 1, at all members alike, each with a list, a slot and an inbox of its
 * own.  A member may be one turn ahead of another, never two: its turn ends when all count rows
 * of that turn have come.  So targets of the data alternate too.
 *
 * The image belongs to the engine while the command runs.  After the end, row m of the inbox holds
 * how many bytes member m has sent: ace_counted_list_bytes_from().
 */
#ifndef ACE_COUNTED_LIST_H
#define ACE_COUNTED_LIST_H

#include "ace_composition.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ACE_COUNTED_KEY = ACE_MESSAGE_KEY - 2
}; /* of count rows in turn 0; the next one in turn 1 */

typedef struct ace_counted_group {
    const ace_command *members; /* dim_count and dims name them; the rest is not used */
    const ace_config *config;
    uint64_t list, inbox; /* addresses, multiples of ACE_ROW_BYTES */
    uint32_t rows;        /* of the list: ace_counted_list_rows() */
} ace_counted_group;

typedef struct ace_counted_list {
    const ace_counted_group *group;
    uint32_t *words; /* the image */
    uint64_t members;
    uint32_t items;
    unsigned turn;
    bool failed;
} ace_counted_list;

/* Rows of a list of so many sends.  A send to a member with two routes counts twice. */
uint32_t ace_counted_list_rows(const ace_command *members, const ace_config *cfg, uint64_t sends);
/* Bytes of the image. */
uint64_t ace_counted_list_bytes(const ace_counted_group *g);
/* Begins the image for turn 0 or 1. */
void ace_counted_list_begin(ace_counted_list *l, const ace_counted_group *g, unsigned turn,
                            uint32_t *image);
/* Bytes from address `source` here to address `target` at a member, this one included; both are
 * multiples of ACE_ROW_BYTES.  0 bytes: nothing is sent. */
void ace_counted_list_send(ace_counted_list *l, uint64_t member, uint64_t source, uint64_t target,
                           uint64_t bytes);

/* An all-to-all with a block for each pair of members, `pitch` bytes apart: block m at the source
 * goes to member m, and block m at the target comes from member m.  The addresses and the pitch are
 * multiples of ACE_ROW_BYTES.  Each block has so many bytes, at most `pitch`. */
typedef struct ace_counted_blocks {
    uint64_t source, target, pitch;
    const uint64_t *bytes; /* members */
} ace_counted_blocks;
/* Most sends of such blocks, for ace_counted_list_rows(). */
uint64_t ace_counted_list_block_sends(const ace_command *members, const ace_config *cfg,
                                      uint64_t pitch);
/* Each member gets a slice before any member gets its next one, as in an all-to-all-v. */
void ace_counted_list_blocks(ace_counted_list *l, const ace_counted_blocks *b);

/* Tokens that go to experts.  A token goes once to each member that has one of its experts. */
typedef struct ace_counted_tokens {
    uint64_t tokens, bytes;  /* of one token; each begins at a row */
    const uint16_t *expert;  /* tokens x top */
    const uint16_t *home;    /* the member that has an expert */
    unsigned top;            /* experts of a token */
    uint64_t source, target; /* of the first token, here and at each member */
    uint32_t *sent;          /* members, all 0: tokens sent to each */
} ace_counted_tokens;
/* The tokens of a member lie at its target one after the other, in the order of their numbers. */
void ace_counted_list_tokens(ace_counted_list *l, const ace_counted_tokens *t);

/* False: there are more sends than the list holds, or too few keys for the group's routes. */
bool ace_counted_list_end(ace_counted_list *l);
/* Returns the bytes that the sender of a count row has announced. */
uint64_t ace_counted_list_bytes_from(const uint32_t row[ACE_ROW_BYTES / 4]);

#ifdef __cplusplus
}
#endif
#endif
