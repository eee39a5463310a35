/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_plan.h -- divides a command for the pins into chunks and phases
 *
 * Closed forms, without state.  They give the chunks of a command, and the resulting load of the
 * links and of the scratchpad's partitions.
 */
#ifndef ACE_PLAN_H
#define ACE_PLAN_H

#include <stdint.h>

#include "ace_flit.h"
#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ace_phase {
    ace_phase_kind kind; /* NONE: the chunk passes through; phases are right-aligned */
    uint8_t dim;
    uint16_t ring;       /* members of the dimension, ring or not */
    uint16_t shard_rows; /* rows of each of the dimension's equal shards (padding included) */
} ace_phase;
typedef struct ace_chunk_plan {
    ace_phase phase[ACE_CLUSTER_PHASES];
    uint16_t rows;      /* of the chunk in memory */
    uint16_t load_rows; /* the TX DMA reads, from source + load_offset */
    uint64_t load_offset;
    uint16_t store_rows; /* the RX DMA writes, to destination + store_offset */
    uint64_t store_offset;
} ace_chunk_plan;
/* Chunks of a command that has phases: ceil(bytes / (chunk_rows * 256)).  An all-to-all has
 * none: it sends one block to each other member, directly. */
uint64_t ace_plan_chunks(const ace_command *c, const ace_config *cfg);
/* The plan of chunk k (0-based).  The dispatcher in hardware has the same phases and offsets.  Rows
 * to load and store are without padding; the dispatcher moves whole shards, and masks the bytes
 * after m_chunk_limit. */
void ace_plan_chunk(const ace_command *c, const ace_config *cfg, uint64_t k, ace_chunk_plan *plan);
/* The number of nodes that take part in a command: the nodes whose positions differ only in the
 * command's dimensions. */
uint64_t ace_plan_members(const ace_command *c, const ace_config *cfg);
/* The factor of an average (ace_scale.h) over the command's members, for the command's `scale`. */
uint32_t ace_plan_scale(const ace_command *c, const ace_config *cfg);
/* Rows of the block an all-to-all sends to each member: ceil(bytes / (members * 256)). */
uint64_t ace_plan_block_rows(const ace_command *c, const ace_config *cfg);
/* Rows an all-to-all puts on each link of a node, its own rows and those it forwards.  By symmetry
 * a node forwards as many rows as its own blocks put on the links of others.  The odd rows of a
 * block take mirrored routes.  If a block has an odd number of rows, the links up carry one row
 * more for the member halfway round than the links down. */
void ace_plan_exchange_rows(const ace_command *c, const ace_config *cfg,
                            uint64_t rows[ACE_CLUSTER_LINKS]);
/* Bytes a command that is not composed puts on each dimension's links, per node, both directions
 * together: the closed form, padded to rows as the plan says.  An all-to-all's blocks take the
 * shorter direction round each ring and count on every link they cross, forwarded rows included.
 * For any kind of command use ace_command_bytes(). */
void ace_plan_bytes(const ace_command *c, const ace_config *cfg,
                    uint64_t bytes[ACE_CLUSTER_DIMENSIONS]);
/* Changes a node's configuration of a torus: the links between the coordinates `at` and at + 1 of
 * `dim` are not used.  Every ring of this dimension becomes a line (ace_program_line()), with
 * member 0 at coordinate at + 1.  The dimension has only all-reduces, so it is not the first of
 * several dimensions of a command.  All-to-alls, lists and `agreed` use the links and must not be
 * used. Programs of the configuration are dropped.  Unused links get no epoch, since a link that is
 * not up stops the grants of its node.  All nodes need the same call.  It changes the rank. ACE_OK,
 * ACE_ENOMEM, or ACE_EINVAL: no such links, a hub, `agreed`, or no retry; with retry, wrong frames
 * on an unused link are harmless. */
int ace_plan_without_link(ace_config *cfg, unsigned dim, unsigned at);
/* Likewise, without the nodes at coordinate `at` of `dim`.  ACE_EINVAL for these nodes, too. */
int ace_plan_without_node(ace_config *cfg, unsigned dim, unsigned at);
/* Splits the scratchpad: a partition's share follows the time that blocks stay in it (decision
 * 0004). Returns ACE_OK or ACE_EINVAL. */
int ace_plan_partitions(const ace_parameters *p, ace_config *cfg);

#ifdef __cplusplus
}
#endif
#endif
