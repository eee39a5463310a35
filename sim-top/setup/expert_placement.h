/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expert_placement.h -- which member of a group has which expert of a MoE layer
 *
 * Each member has as many experts as the others, or one fewer.
 */
#ifndef EXPERT_PLACEMENT_H
#define EXPERT_PLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Neighbours in number are at one member: expert e is at member e x members / experts. */
void expert_placement_in_order(unsigned experts, unsigned members, unsigned *home);

/* Longest processing time first: the experts with most tokens choose first, each the member with
 * the fewest tokens so far that has room.  If the busiest member would get more tokens than in
 * order, the placement is in order.  load: tokens of each expert.  Returns false if there is no
 * memory. */
bool expert_placement_balanced(const uint64_t *load, unsigned experts, unsigned members,
                               unsigned *home);

/* The most tokens that any member gets; UINT64_MAX if there is no memory. */
uint64_t expert_placement_most(const uint64_t *load, unsigned experts, unsigned members,
                               const unsigned *home);

#ifdef __cplusplus
}
#endif

#endif
