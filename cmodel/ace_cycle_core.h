/* SPDX-License-Identifier: Apache-2.0 */
/* ace_cycle_core.h -- the units of the C twin of the node, for those that look inside */
#ifndef ACE_CYCLE_CORE_H
#define ACE_CYCLE_CORE_H

#include "ace_link_port.h"
#include "ace_memory_interface.h"
#include "ace_node_pins.h"
#include "ace_rx_dma.h"
#include "ace_scheduler.h"
#include "ace_scratchpad.h"
#include "ace_switch.h"
#include "ace_tx_dma.h"

/* A row a send pipe has read: it is at the link in the next cycle. */
typedef struct ace_outgoing {
    bool valid;
    ace_send send;
    uint8_t context;
    const uint32_t *row;
} ace_outgoing;

typedef struct ace_units {
    const ace_parameters *parameters;
    const ace_config *config;
    unsigned per_phase; /* FSMs */
    const ace_dispatcher *dispatcher;
    const ace_scheduler *scheduler;
    const ace_fsm *fsm;
    const ace_switch *switch_;
    const ace_link_port *links;
    const ace_tx_dma *tx_dma;
    const ace_rx_dma *rx_dma;
    const ace_memory_interface *memory;
    const ace_scratchpad *scratchpad;
    const ace_outgoing *outgoing; /* of the two send pipes */
    const ace_pins_out *out;
} ace_units;

/* Of a core of ace_cycle_core_create; they last as long as it. */
ace_units ace_cycle_core_units(const ace_core *core);

#endif
