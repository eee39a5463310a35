// SPDX-License-Identifier: Apache-2.0
//
// ace_rtl_placed.h -- where the registers of a Verilated model lie
//
//     ace_rtl_each_register(*model, see, self);
#ifndef ACE_RTL_PLACED_H
#define ACE_RTL_PLACED_H

#include <cstddef>
#include <verilated.h>

#include "ace_rtl_registers.h"

template <class Model> struct Registers; // each() and settle(): cmake/registers.sh

namespace {

// A register as it lies in a model: one number, words, or an array of either.
template <class T> ace_rtl_register placed(const char *name, unsigned top_bit, T &at) {
    return { name, top_bit + 1, 1, sizeof at, sizeof at, &at };
}
template <class T, std::size_t n>
ace_rtl_register placed(const char *name, unsigned top_bit, VlUnpacked<T, n> &at) {
    return { name, top_bit + 1, n, sizeof at[0], sizeof at[0], &at[0] };
}

template <class Model>
void ace_rtl_each_register(Model &model, ace_rtl_register_see *see, void *self) {
    Registers<Model>::each(model, [&](const char *name, unsigned top_bit, auto &member) {
        const ace_rtl_register r = placed(name, top_bit, member);
        see(self, &r);
    });
}

} // namespace

#endif
