/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_doorbell_check.c -- the twin of rtl/ace_doorbell_check.v: the first reason to refuse
 *
 * The checks stand in the RTL's order, since the first one that fails gives the code. Ranges are
 * compared without adding, so a sum cannot wrap.
 */
#include "ace_doorbell_check.h"

#include "ace_register_map.h"

#define ADDRESS_END  ((1ull << 48) - (128u << 10))
#define EXCHANGE_END ((1ull << 48) - (64ull << 30))
#define ROUTED_END   ((1ull << 40) - (64ull << 30))

static bool dims_good(const ace_control_command *s, unsigned dimensions) {
    unsigned seen = 0;
    if (s->dim_count > dimensions) return false;
    for (unsigned i = 0; i < s->dim_count; i++) {
        const unsigned dim = s->dims >> 2 * i & 3;
        if (dim >= dimensions || seen >> dim & 1) return false;
        seen |= 1u << dim;
    }
    return true;
}

/* Addresses have 64 bits here: start + bytes may not wrap. */
static bool ends_after(uint64_t start, uint64_t bytes, uint64_t end) {
    return start > end || bytes > end - start;
}

/* A format holds FP32 alone, and the ALUs round sums, minima and maxima to it. */
static bool format_good(const ace_control_command *s) {
    if (s->kind == ACE_ALL_TO_ALL || s->kind == ACE_LIST) return true;
    if (s->type != ACE_FP32) return false;
    return s->kind == ACE_ALL_GATHER || (s->op != ACE_AVERAGE && s->op != ACE_PRODUCT);
}

unsigned ace_doorbell_check(const ace_parameters *p, const ace_doorbell_check_in *in,
                            const ace_control_command *s) {
    const bool routed = s->kind == ACE_ALL_TO_ALL;
    const bool list = s->kind == ACE_LIST; /* whole rows of transfers, maybe none; no destination */
    const bool reduces = s->kind < ACE_ALL_GATHER; /* needs the ALU's type and operation */
    const unsigned types = p->alu_types, ops = p->alu_ops;
    if (!in->s_running) return ACE_CODE_STOPPED;
    if (in->s_failed) return ACE_CODE_FAILED;
    if (in->s_full) return ACE_CODE_QUEUE_FULL;
    if (s->kind >= ACE_CONTROL_KINDS) return ACE_CODE_BAD_KIND;
    if (s->type >= ACE_CONTROL_TYPES || (reduces && !(types >> s->type & 1)))
        return ACE_CODE_BAD_TYPE;
    if (s->op >= ACE_CONTROL_OPS || (reduces && !(ops >> s->op & 1))) return ACE_CODE_BAD_OP;
    if (p->wire_formats && in->s_wire != ACE_WIRE_NONE && !format_good(s))
        return ACE_CODE_BAD_FORMAT;
    if (!dims_good(s, p->dimensions)) return ACE_CODE_BAD_DIMENSIONS;
    if (s->source % ACE_ROW_BYTES || (!list && (s->source | s->destination) % 4096))
        return ACE_CODE_BAD_ALIGNMENT;
    if ((s->bytes == 0 && !list) || s->bytes > 1ull << 40) return ACE_CODE_BAD_SIZE;
    if (ends_after(s->source, s->bytes, routed ? EXCHANGE_END : ADDRESS_END) ||
        (!list && ends_after(s->destination, s->bytes, routed ? ROUTED_END : ADDRESS_END)))
        return ACE_CODE_BAD_RANGE;
    if (s->kind == ACE_ALL_TO_ALL && s->source + s->bytes > s->destination &&
        s->destination + s->bytes > s->source)
        return ACE_CODE_OVERLAP;
    return ACE_CODE_NONE;
}
