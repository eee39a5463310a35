/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_core.h -- the pins of rtl/ace_node.v, and the class of cores that drive them
 *
 * A core is the hardware alone: the C twin or the Verilated RTL.  ace_node_driver.c adds wires,
 * memory and a command queue to a core and so makes an ace_node.  The lockstep test compares two
 * cores pin by pin.
 *
 *     const ace_pins_out *out = core->class_->out(core);   outputs of this cycle
 *     core->class_->tick(core, &in);                       rising edge
 *
 * A field with a valid bit is meaningless while the bit is 0.  Rows are pointers to
 * ACE_ROW_WORDS words, valid until the next tick; NULL in a timing-only run.
 */
#ifndef ACE_CORE_H
#define ACE_CORE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ace_flit.h"
#include "ace_state.h"
#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The rx_* pins except the rows.  A flipped frame has a changed bit; its CRC pin, rx_crc, still
 * belongs to the frame as it was sent. */
typedef struct ace_rx_pins {
    uint8_t valid, reduce, credit, grant_valid; /* a bit a link */
    uint8_t routed, routed_credit, frame, resend;
    struct {
        uint8_t context, mark, grant_context, grant_mark;
    } link[ACE_LINKS];
    uint8_t grant_peer[ACE_LINKS];
    uint8_t flipped;          /* links whose frame has a bit that changed, a bit each */
    uint16_t flip[ACE_LINKS]; /* for each flipped link: the bit, as ace_flit.flip names it */
    uint16_t number[ACE_LINKS], ack[ACE_LINKS];
} ace_rx_pins;

typedef struct ace_pins_in {
    bool drain; /* of a node: reset, but bursts at the memory are carried out */
    bool cmd_valid;
    ace_command cmd;
    ace_rx_pins rx;
    const uint32_t *rx_data[ACE_LINKS];
    uint64_t rx_route[ACE_LINKS]; /* of links that are rx.valid */
    bool ar_ready, r_valid, r_last, aw_ready, w_ready, b_valid;
    uint8_t r_resp, b_resp; /* AXI responses; 2 and 3 are errors */
    const uint32_t *r_data;
    bool fault_valid; /* an upset of the scratchpad */
    ace_fault fault;
} ace_pins_in;

/* parity_failed_at for a row: this bit, plus the use (ace_row_use) in which the row failed its
 * parity check. */
enum { ACE_ROW_WRONG = 4096 };
/* (clang-format 14 gives this list another form each time it runs.) */
/* clang-format off */
#define ACE_ROW_USE_MAP(X)                                                        \
    X(STORED, "received, to the scratchpad")                                      \
    X(ARRIVED, "received, to the ALUs")                                           \
    X(LOCAL, "of the scratchpad, to the ALUs")                                    \
    X(COPIED, "copied in the scratchpad")                                         \
    X(LOADED, "from memory to the scratchpad")                                    \
    X(SENT_PLUS, "of the scratchpad, to a + link")                                \
    X(SENT_MINUS, "of the scratchpad, to a - link")                               \
    X(ROUTED_PLUS, "routed to a + link")                                          \
    X(ROUTED_MINUS, "routed to a - link")                                         \
    X(WRITTEN, "to memory")                                                       \
    X(LISTED, "of a list of transfers")
/* clang-format on */
#define ACE_ROW_USE(name, text) ACE_ROW_##name,
typedef enum ace_row_use { ACE_ROW_USE_MAP(ACE_ROW_USE) ACE_ROW_USES } ace_row_use;
#undef ACE_ROW_USE
const char *ace_row_use_text(unsigned use); /* "?" of none */

typedef struct ace_pins_out {
    bool cmd_ready, done_valid;
    uint16_t done_tag;
    uint8_t tx_valid, tx_reduce, tx_credit, tx_grant_valid; /* a bit a link */
    uint8_t tx_routed, tx_routed_credit, tx_frame, tx_resend;
    struct {
        uint8_t context, mark;
    } tx[ACE_LINKS];
    struct {
        uint8_t context, mark;
    } tx_grant[ACE_LINKS];
    uint8_t tx_grant_peer[ACE_LINKS];
    uint16_t tx_number[ACE_LINKS], tx_ack[ACE_LINKS];
    uint32_t tx_crc[ACE_LINKS]; /* of a core that has them: RTL with payload */
    bool has_crc;
    const uint32_t *tx_data[ACE_LINKS];
    uint64_t tx_route[ACE_LINKS]; /* of links that are tx_valid */
    bool ar_valid, r_ready, aw_valid, w_valid, w_last, b_ready;
    uint8_t ar_len, aw_len;
    uint64_t ar_addr, aw_addr;
    const uint32_t *w_data;
    uint16_t w_bytes; /* the strobes are a prefix of the row: how many are set */
    bool memory_busy; /* bursts were taken and are not finished */
    bool idle;        /* nothing changes without input */
    bool mismatch;
    uint8_t link_failed; /* a bit a link, sticky */
    uint16_t link_state; /* an ace_link_life a link, two bits each */
    uint32_t link_count[ACE_LINKS][ACE_LINK_COUNTS];
    bool read_failed, write_failed; /* an error response was seen; the first one: */
    uint8_t read_failed_resp, write_failed_resp;
    uint64_t read_failed_addr, write_failed_addr; /* of its burst */
    bool protocol_failed;                         /* an answer fits no burst; the first one: */
    uint64_t protocol_failed_addr;                /* of its burst, or 0 */
    bool memory_lost;                             /* a drain was ended without the memory */
    bool scratchpad_failed;                       /* a row could not be corrected; the first one: */
    uint8_t scratchpad_failed_bank;
    uint16_t scratchpad_failed_row;
    uint32_t count_corrected, count_failed; /* rows of the scratchpad */
    bool transfer_failed;                   /* a transfer was refused; the first one: */
    bool transfer_failed_list;              /* an item of a list, not a row that arrived */
    uint64_t transfer_failed_addr;
    uint32_t count_refused;    /* rows */
    bool parity_failed;        /* a word or a row did not fit its code; the first one: */
    uint16_t parity_failed_at; /* of a program: phase * 128 + word; or of a row */
    uint32_t count_parity;     /* words and rows */
} ace_pins_out;

/* Units whose cycles are counted, in the order of the `count` pins.
 * (clang-format 14 gives this list another form each time it runs.) */
/* clang-format off */
#define ACE_UNIT_MAP(X)                                                               \
    X("link.x+") X("link.x-") X("link.y+") X("link.y-") X("link.z+") X("link.z-")     \
    X("link.w+") X("link.w-")                                                         \
    X("memory.read") X("memory.write") X("tx_dma") X("rx_dma") X("reduce") X("store") \
    X("send.plus") X("send.minus") X("exchange.read") X("exchange.write") X("router")
/* clang-format on */
enum { ACE_UNITS = ACE_LINKS + 11, ACE_CLASSES = 4 }; /* classes: busy, starved, blocked, idle */
enum { ACE_UNIT_MEMORY_WRITE = ACE_LINKS + 1 };       /* of the list above */
typedef uint64_t ace_counts[ACE_UNITS][ACE_CLASSES];  /* 0 of links that are not there */
static inline bool ace_unit_is_there(unsigned unit, unsigned dimensions) {
    return unit < 2 * dimensions || unit >= ACE_LINKS;
}

typedef struct ace_core ace_core;
typedef struct ace_core_class {
    const char *rung;
    void (*destroy)(ace_core *);
    void (*reset)(ace_core *);
    const ace_pins_out *(*out)(ace_core *);
    void (*tick)(ace_core *, const ace_pins_in *);
    void (*skip)(ace_core *, uint64_t cycles); /* ticks without input, while idle */
    void (*counts)(const ace_core *, ace_counts);
    void (*dump)(const ace_core *, FILE *);
    void (*time)(ace_core *, uint64_t cycle); /* cycle number for waves; may be NULL */
    void (*state)(ace_core *, ace_state *);   /* between two cycles */
} ace_core_class;
struct ace_core {
    const ace_core_class *class_;
};

/* The C twin of rtl/ace_node.v.  ACE_OK, ACE_EINVAL, ACE_ENOMEM. */
int ace_cycle_core_create(const ace_parameters *p, const ace_config *cfg, bool payload,
                          ace_core **core);

/* Resets the C twin with other cfg_* pins.  ACE_OK; or ACE_EINVAL or ACE_ENOMEM, and the core can
 * go on with its old configuration. */
int ace_cycle_core_configure(ace_core *core, const ace_config *cfg);

/* Packets that the input buffers of one link hold, both channels together. */
enum { ACE_LINK_PLACES_MAX = 4096 };
/* Checks parameters and configuration: ACE_OK or ACE_EINVAL. */
int ace_parameters_check(const ace_parameters *p, const ace_config *cfg);
#ifdef __cplusplus
}
#endif

#endif
