/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_doorbell_check.h -- can the engine do what a doorbell hands over?
 *
 * The C twin of rtl/ace_doorbell_check.v: a function of the command and of the engine's state. The
 * RTL keeps what it found of the command for a cycle; the command stands for that long.
 */
#ifndef ACE_DOORBELL_CHECK_H
#define ACE_DOORBELL_CHECK_H

#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The command that a doorbell hands over. */
typedef struct ace_control_command {
    uint8_t kind, type, op, dim_count, dims; /* dims: two bits each */
    uint16_t tag;
    uint32_t scale;
    uint64_t source, destination, bytes;
} ace_control_command;

/* Kinds, types and operations there are: parameters of the RTL. */
enum { ACE_CONTROL_KINDS = ACE_LIST + 1, ACE_CONTROL_TYPES = ACE_TYPES, ACE_CONTROL_OPS = ACE_OPS };

/* The engine, when a doorbell rings. */
typedef struct ace_doorbell_check_in {
    bool s_running;
    bool s_failed;   /* it has to be stopped first */
    bool s_full;     /* no free slot for the command or for its completion */
    unsigned s_wire; /* format of rows on the links, an ace_wire_format */
} ace_doorbell_check_in;

/* Returns m_code: ACE_CODE_NONE, or the code of the first rule that the command breaks. */
unsigned ace_doorbell_check(const ace_parameters *p, const ace_doorbell_check_in *in,
                            const ace_control_command *s);

#ifdef __cplusplus
}
#endif
#endif
