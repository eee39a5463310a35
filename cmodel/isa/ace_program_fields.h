/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_program_fields.h -- the words of the FSMs' programs
 *
 * Made by cmake/program_fields.sh of rtl/program.list; docs/reference/instruction-set.md explains
 * them.
 *
 *     ACE_PROGRAM_GET(word, LOOP)       a field of a word
 *     ACE_PROGRAM_SIGNED(word, BIAS)    likewise, of a number in two's complement
 *     ACE_PROGRAM_PUT(value, LOOP)      a field in its place
 */
#ifndef ACE_PROGRAM_FIELDS_H
#define ACE_PROGRAM_FIELDS_H

#include <stdint.h>

/* clang-format off */
#define ACE_PROGRAM_GET(word, field) \
    ((uint32_t)(word) >> ACE_PROGRAM_##field##_LOW & ACE_PROGRAM_##field##_MASK)
#define ACE_PROGRAM_SIGNED(word, field) \
    ((int)(ACE_PROGRAM_GET(word, field) ^ (ACE_PROGRAM_##field##_MASK + 1u) / 2u) - \
     (int)((ACE_PROGRAM_##field##_MASK + 1u) / 2u))
#define ACE_PROGRAM_PUT(value, field) \
    (((uint32_t)(value) & ACE_PROGRAM_##field##_MASK) << ACE_PROGRAM_##field##_LOW)

#define ACE_PROGRAM_ENTRY_THERE_LOW 31
#define ACE_PROGRAM_ENTRY_THERE_MASK 0x1u
#define ACE_PROGRAM_ENTRY_ONE_WAY_LOW 15
#define ACE_PROGRAM_ENTRY_ONE_WAY_MASK 0x1u
#define ACE_PROGRAM_ENTRY_COPY_LOW 14
#define ACE_PROGRAM_ENTRY_COPY_MASK 0x1u
#define ACE_PROGRAM_ENTRY_RECEIVE_LOW 7
#define ACE_PROGRAM_ENTRY_RECEIVE_MASK 0x7fu
#define ACE_PROGRAM_ENTRY_SEND_LOW 0
#define ACE_PROGRAM_ENTRY_SEND_MASK 0x7fu
#define ACE_PROGRAM_MODE_ALONE_LOW 0
#define ACE_PROGRAM_MODE_ALONE_MASK 0x1u
#define ACE_PROGRAM_OP_LOW 30
#define ACE_PROGRAM_OP_MASK 0x3u
#define ACE_PROGRAM_LOOP_LOW 28
#define ACE_PROGRAM_LOOP_MASK 0x3u
#define ACE_PROGRAM_PEER_LOW 26
#define ACE_PROGRAM_PEER_MASK 0x3u
#define ACE_PROGRAM_PEER_K_LOW 25
#define ACE_PROGRAM_PEER_K_MASK 0x1u
#define ACE_PROGRAM_NUMBER_LOW 18
#define ACE_PROGRAM_NUMBER_MASK 0x7fu
#define ACE_PROGRAM_FROM_LOW 16
#define ACE_PROGRAM_FROM_MASK 0x3u
#define ACE_PROGRAM_FROM_K_LOW 15
#define ACE_PROGRAM_FROM_K_MASK 0x1u
#define ACE_PROGRAM_ADD_LOW 13
#define ACE_PROGRAM_ADD_MASK 0x3u
#define ACE_PROGRAM_PIECE_LOW 11
#define ACE_PROGRAM_PIECE_MASK 0x3u
#define ACE_PROGRAM_TARGET_LOW 10
#define ACE_PROGRAM_TARGET_MASK 0x1u
#define ACE_PROGRAM_REDUCE_LOW 9
#define ACE_PROGRAM_REDUCE_MASK 0x1u
#define ACE_PROGRAM_LAST_LOW 8
#define ACE_PROGRAM_LAST_MASK 0x1u
#define ACE_PROGRAM_WAIT_LOW 6
#define ACE_PROGRAM_WAIT_MASK 0x3u
#define ACE_PROGRAM_BIAS_LOW 3
#define ACE_PROGRAM_BIAS_MASK 0x7u
#define ACE_PROGRAM_GRANT_LOW 1
#define ACE_PROGRAM_GRANT_MASK 0x3u

/* how often an instruction is carried out, and what k counts */
typedef enum ace_loop {
    ACE_LOOP_ONCE = 0, /* once; k is the number */
    ACE_LOOP_UP = 1, /* k = 1, 2, 3, ... up to n-1 of n members */
    ACE_LOOP_HALVE = 2, /* k = n/2, n/4, ... down to 1 */
    ACE_LOOP_DOUBLE = 3, /* k = 1, 2, 4, ... below n */
} ace_loop;

/* where from this node's place a place x away is */
typedef enum ace_place {
    ACE_AHEAD = 0, /* x further on */
    ACE_BEHIND = 1, /* x back */
    ACE_XOR = 2, /* the own place with the bits of x turned; on a ring it is the next member on either side */
    ACE_MEMBER = 3, /* place x itself */
} ace_place;

/* how much of the block a piece is */
typedef enum ace_piece {
    ACE_SHARD = 0, /* one of the n shards */
    ACE_SHARDS = 1, /* k of them, from a multiple of k on */
    ACE_BLOCK = 2, /* all n */
} ace_piece;

/* when a row may be sent */
typedef enum ace_wait {
    ACE_WAIT_NO = 0, /* at once */
    ACE_WAIT_ROWS = 1, /* when as many rows have been written as were sent, but for BIAS pieces */
    ACE_WAIT_STEP = 2, /* when as many have been written as were sent before this piece */
    ACE_WAIT_BEGIN = 3, /* when as many have been written as were sent before this loop */
} ace_wait;

/* before what a receiver says that it is ready, and its sender waits for that */
typedef enum ace_grant {
    ACE_GRANT_EACH = 0, /* each piece */
    ACE_GRANT_FIRST = 1, /* the first piece of the loop */
    ACE_GRANT_NONE = 2, /* none */
} ace_grant;

/* what an instruction is */
typedef enum ace_op_code {
    ACE_OP_END = 0, /* the thread is at its end; no other field counts */
    ACE_OP_SEND = 1, /* sends a piece */
    ACE_OP_RECEIVE = 2, /* receives a piece */
} ace_op_code;
/* clang-format on */

#endif
