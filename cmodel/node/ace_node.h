/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_node.h -- the one interface behind which every rung and endpoint stands
 *
 *     ace_wire *in[ACE_LINKS], *out[ACE_LINKS];    the fabric's links
 *     ace_node *node = ...create(...);             rtl, cycle, or an endpoint
 *     ace_node_submit(node, &command, cycle);      NPU hands over a collective
 *     ace_node_run(node, until);                   cycles [now, until)
 *     while (ace_node_completion(node, &done)) ...
 *     ace_node_destroy(node);
 *
 * Rules that hold for every call
 *   Moore       What a node puts on its out-wires in cycle t depends on its state at
 *               the start of t.  A wire takes >= 1 cycle, so a node may run alone for
 *               as many cycles as the shortest latency of its in-wires.
 *   Ownership   Wires and memory belong to the caller and outlive the node.
 *   Threads     One node, one thread at a time.  Distinct nodes share only wires.
 *   Payload     With memory == NULL the run is timing-only: wires carry headers
 *               without bits.  Timing is the same.
 */
#ifndef ACE_NODE_H
#define ACE_NODE_H

#include <stddef.h>
#include <stdio.h>

#include "ace_state.h"
#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- wires: one direction of one link, with its latency ------------------ */

/* How packets and grants name a context: by its phase, and by its index among those of the phase. */
static inline uint8_t ace_context_name(unsigned phase, unsigned index) {
    return (uint8_t)(phase << 5 | index);
}
static inline unsigned ace_context_phase(uint8_t name) { return name >> 5; }
static inline unsigned ace_context_index(uint8_t name) { return name & 31; }

/* What crosses a link in one cycle: a packet, a credit for each virtual channel, a grant.
 * Any of them may be present; where none is, the frame acknowledges others (ace_link_guard.h).  Packets of all-to-alls are routed; their channel has buffers of
 * its own. */
typedef struct ace_flit {
    uint64_t cycle; /* in which the receiver sees it */
    bool data;
    bool reduce; /* data: the receiver reduces it (else it stores it) */
    bool credit, grant;
    bool routed, routed_credit; /* data: it is routed; a credit for routed ones */
    bool frame, ask;            /* always; all from `ack` on is asked for again */
    uint8_t context;            /* data: receiver's context, as ace_context_name(); routed: bytes to
                              write, with reduce above */
    uint8_t tag;                /* data: chunk identity, checked by the receiver; routed: key */
    uint8_t grant_context;      /* grant: sender of the grant is ready for this context */
    uint8_t grant_tag;
    uint8_t grant_peer;   /* on a hub: where it goes, and from there on where it came from */
    uint16_t number, ack; /* of the frame; of the one expected from the receiver */
    uint16_t flip;        /* a bit that changed on the way, by its number in ace_frame_bit, and
                             1; 0: none */
    uint64_t route; /* data: on a hub the place it goes to, else 0; routed: see ace_router.h */
} ace_flit;

/* The bits of a frame on a link, by number: head, numbers, CRC, route, row. */
enum ace_frame_bit {
    ACE_BIT_HEAD,
    ACE_BIT_NUMBER = ACE_BIT_HEAD + 48,
    ACE_BIT_ACK = ACE_BIT_NUMBER + 16,
    ACE_BIT_CRC = ACE_BIT_ACK + 16,
    ACE_BIT_ROUTE = ACE_BIT_CRC + 32,
    ACE_BIT_ROW = ACE_BIT_ROUTE + 64,
    ACE_BITS = ACE_BIT_ROW + 8 * ACE_ROW_BYTES
};
/* Of each link: packets sent again; frames with a wrong CRC; those dropped for their number. */
enum { ACE_LINK_COUNTS = 3 };
/* Is the bit one of those that are sent in such a frame? */
bool ace_flit_has(const ace_flit *f, unsigned bit);

typedef struct ace_wire ace_wire;

/* A wire of `latency` >= 1 cycles, with room for `slack` >= 1 cycles of sending ahead of
 * the receiver: the fabric's window, and at least the shortest latency of the receiver's
 * wires, since a node gives room back that often.  payload: carries bits.  NULL: no memory. */
ace_wire *ace_wire_create(uint32_t latency, uint32_t slack, bool payload);
void ace_wire_destroy(ace_wire *w);
uint32_t ace_wire_latency(const ace_wire *w);
/* Sends in cycle `now` (f->cycle is set to now + latency).  row: ACE_ROW_BYTES, or NULL. */
void ace_wire_send(ace_wire *w, uint64_t now, const ace_flit *f, const uint32_t *row);
/* Which bit of what is sent is to change on the way: ace_flit.flip.  Called for each frame,
 * f->cycle set, on the sender's thread. */
typedef uint16_t ace_wire_disturb(void *self, const ace_flit *f);
void ace_wire_set_disturb(ace_wire *w, ace_wire_disturb *disturb, void *self);
/* Flits under way with such a bit that arrive in cycle `now` or later; asked at the sender's end, which
 * is at rest. */
uint64_t ace_wire_disturbed(const ace_wire *w, uint64_t now);
/* The flit that arrives in exactly cycle `now`, or NULL; it is then consumed.
 * *row points into the wire until the next call (NULL when timing-only). */
const ace_flit *ace_wire_receive(ace_wire *w, uint64_t now, const uint32_t **row);
/* Arrival cycle of the next flit, UINT64_MAX when the wire is empty. */
uint64_t ace_wire_next(const ace_wire *w);
/* Packets (data flits) sent so far: ACE_ROW_BYTES each. */
uint64_t ace_wire_packets(const ace_wire *w);
/* What is under way arrives that much later, and that many more packets have been sent; both
 * ends at rest. */
void ace_wire_shift(ace_wire *w, uint64_t cycles, uint64_t packets);
void ace_wire_reset(ace_wire *w);
/* What is under way, and the count of packets; both ends at rest. */
void ace_wire_state(ace_wire *w, ace_state *s);

/* ---- memory: the bits behind the AXI pins -------------------------------- */

/* Where lists of transfers lie that a node makes for itself: they take no room in its memory. */
#define ACE_LISTS_ADDRESS ((UINT64_C(1) << 48) - (UINT64_C(1) << 32))

/* Sparse byte memory, zero where never written.  One node's, one thread's. */
typedef struct ace_memory ace_memory;
ace_memory *ace_memory_create(void);
void ace_memory_destroy(ace_memory *m);
void ace_memory_read(const ace_memory *m, uint64_t address, void *to, size_t bytes);
int ace_memory_write(ace_memory *m, uint64_t address, const void *from, size_t bytes);
void ace_memory_state(ace_memory *m, ace_state *s); /* what was there before is forgotten */

/* ---- node ---------------------------------------------------------------- */

typedef struct ace_completion {
    uint64_t cycle;
    uint16_t tag;
} ace_completion;

/* A counter by name, e.g. {"link.x+.busy", 123}. */
typedef struct ace_statistic {
    const char *name;
    uint64_t value;
} ace_statistic;

typedef struct ace_node ace_node;
typedef struct ace_node_class {
    const char *rung; /* "cycle", "rtl", "ideal", ... */
    void (*destroy)(ace_node *);
    void (*run)(ace_node *, uint64_t until);
    uint64_t (*quiet_until)(const ace_node *);
    int (*submit)(ace_node *, const ace_command *, uint64_t cycle);
    bool (*completion)(ace_node *, ace_completion *);
    size_t (*statistics)(const ace_node *, ace_statistic *to, size_t capacity);
    void (*dump)(const ace_node *, FILE *);
    int (*error)(const ace_node *);
    void (*state)(ace_node *, ace_state *);
} ace_node_class;
struct ace_node { /* every implementation begins with this */
    const ace_node_class *class_;
};

static inline void ace_node_destroy(ace_node *n) {
    if (n) n->class_->destroy(n);
}
/* Advances to cycle `until` (outputs of cycles now..until-1 are on the wires). */
static inline void ace_node_run(ace_node *n, uint64_t until) { n->class_->run(n, until); }
/* Nothing changes before this cycle unless a flit arrives: the caller may run()
 * straight to it.  The present cycle when busy, UINT64_MAX when at rest. */
static inline uint64_t ace_node_quiet_until(const ace_node *n) { return n->class_->quiet_until(n); }
/* Presents a command on the command pins from `cycle` (>= now) on; commands are taken
 * one after the other in the order of the calls.  ACE_EINVAL: a field out of range. */
static inline int ace_node_submit(ace_node *n, const ace_command *c, uint64_t cycle) {
    return n->class_->submit(n, c, cycle);
}
/* Takes the oldest completion not yet taken; false when there is none. */
static inline bool ace_node_completion(ace_node *n, ace_completion *c) {
    return n->class_->completion(n, c);
}
/* Fills at most `capacity` counters, returns how many there are.  Names are static. */
static inline size_t ace_node_statistics(const ace_node *n, ace_statistic *to, size_t capacity) {
    return n->class_->statistics(n, to, capacity);
}
/* Live state for a person: what each unit holds and waits for. */
static inline void ace_node_dump(const ace_node *n, FILE *f) { n->class_->dump(n, f); }
/* ACE_OK, or the first protocol error the node has seen (ACE_EPROTO, ACE_ENODE). */
static inline int ace_node_error(const ace_node *n) { return n->class_->error(n); }
/* The node's state (ace_state.h), between two runs; wires and memory are the caller's. */
static inline void ace_node_state(ace_node *n, ace_state *s) { n->class_->state(n, s); }
static inline const char *ace_node_rung(const ace_node *n) { return n->class_->rung; }

/* What a node is made with. */
typedef struct ace_node_setup {
    ace_parameters parameters;
    ace_config config;
    ace_wire *in[ACE_LINKS], *out[ACE_LINKS]; /* NULL where ring == 1 */
    ace_memory *memory;                       /* NULL: timing-only */
} ace_node_setup;

/* The `cycle` rung: the C twin.  ACE_OK, ACE_EINVAL, ACE_ENOMEM. */
int ace_cycle_node_create(const ace_node_setup *setup, ace_node **node);

/* ---- plans: how a command becomes chunks and phases ---------------------- */

/* Is the command made of others (ace_composition.h), which are what goes on the pins? */
static inline bool ace_composed(const ace_command *c) { return c->kind > ACE_LIST; }

typedef enum ace_phase_kind {
    ACE_PHASE_NONE,
    ACE_PHASE_REDUCE_SCATTER,
    ACE_PHASE_ALL_REDUCE,
    ACE_PHASE_ALL_GATHER
} ace_phase_kind;
typedef struct ace_phase {
    ace_phase_kind kind; /* NONE: the chunk passes through; phases are right-aligned */
    uint8_t dim;
    uint8_t ring;
    uint16_t shard_rows; /* rows of one of the ring's equal shards (padding included) */
} ace_phase;
typedef struct ace_chunk_plan {
    ace_phase phase[ACE_PHASES];
    uint16_t rows;      /* of the chunk in memory */
    uint16_t load_rows; /* the TX DMA reads, from source + load_offset */
    uint64_t load_offset;
    uint16_t store_rows; /* the RX DMA writes, to destination + store_offset */
    uint64_t store_offset;
} ace_chunk_plan;
/* Chunks of a command that has phases: ceil(bytes / (chunk_rows * 256)).  An all-to-all has
 * none: it sends one block to each other member, directly. */
uint64_t ace_plan_chunks(const ace_command *c, const ace_config *cfg);
/* The plan of chunk k (0-based): what the dispatcher works out in hardware. */
void ace_plan_chunk(const ace_command *c, const ace_config *cfg, uint64_t k, ace_chunk_plan *plan);
/* Nodes that take part in a command: those that differ in its dimensions alone. */
uint64_t ace_plan_members(const ace_command *c, const ace_config *cfg);
/* The factor that makes an average of a sum over 1..2^28 members, the `s_cmd_scale` pins:
 * of floating-point types FP32's nearest to 1 / members, of integers 2^(31 + shift) / members
 * rounded up; shift: log2 of members, rounded up. */
uint32_t ace_scale(ace_type type, uint64_t members);
unsigned ace_scale_shift(uint64_t members);
/* That of a command: what drives the pins sets `scale` to it. */
uint32_t ace_plan_scale(const ace_command *c, const ace_config *cfg);
/* Rows of the block an all-to-all sends to each member: ceil(bytes / (members * 256)). */
uint64_t ace_plan_block_rows(const ace_command *c, const ace_config *cfg);
/* Bytes this command puts on each dimension's links, per node, both directions together:
 * the closed form, padded to rows as the plan says.  An all-to-all's blocks take the shorter
 * way round each ring and count on every link they cross; by symmetry what a node forwards
 * is what its own blocks put on the links of others. */
void ace_plan_bytes(const ace_command *c, const ace_config *cfg, uint64_t bytes[ACE_DIMENSIONS]);
/* Of a command that is made of others, on each link. */
void ace_plan_link_bytes(const ace_command *c, const ace_config *cfg, uint64_t bytes[ACE_LINKS]);
/* Splits the scratchpad: a partition's share follows phase bandwidth x phase chunk size. */
int ace_plan_partitions(const ace_parameters *p, ace_config *cfg);

/* Reference reduction of a whole cluster: in[i], out[i] are node i's vectors, node index
 * i = x + ring_x * (y + ring_y * (z + ring_z * w)).  The same order of additions as the rings make, chunk by chunk (chunk
 * parity picks the direction).  No timing; independent of the twins. out[i] is all of `bytes`; only what the collective writes at that
 * node is changed. */
int ace_reference_collective(const ace_command *c, const ace_config *cfg, const uint8_t *const *in,
                             uint8_t *const *out);

/* One element, from the definition of rtl/ace_alu.v: a (op) b, of an average the sum. */
uint32_t ace_reduce(ace_type type, ace_op op, uint32_t a, uint32_t b);
/* The average of a sum over so many members. */
uint32_t ace_average(ace_type type, uint32_t sum, uint64_t members);

#ifdef __cplusplus
}
#endif

#endif
