// SPDX-License-Identifier: Apache-2.0
//
// mutant_unit.h -- random traffic into a Verilated unit with a planted bug, and into its twin
//
//     mutant_UNIT NUMBER CYCLES SEED      NUMBER 0: no bug
//
// Exit status: 0 equal, 1 different; the last line says where.  A unit is a class with
//
//     Rtl, In, Out        the Verilated module, and the twin's pins
//     Unit(mix, random)   its twin and environment, for a kind of traffic
//     eval(out), tick(in), reset(), configure(in), drive(out, in, random)
//     drive(rtl, in), difference(rtl, out)    pins of the RTL; the first that differs, or nullptr
#ifndef MUTANT_UNIT_H
#define MUTANT_UNIT_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>

unsigned ace_mutant; // read by the mutated RTL when it begins

template <class Unit> int MutantMain(int argc, char **argv) {
    if (argc != 4) {
        std::fprintf(stderr, "%s NUMBER CYCLES SEED\n", argv[0]);
        return 2;
    }
    ace_mutant = static_cast<unsigned>(std::strtoul(argv[1], nullptr, 0));
    const uint64_t cycles = std::strtoull(argv[2], nullptr, 0);
    for (const Mix &mix : mixes) {
        Random random{ std::strtoull(argv[3], nullptr, 0) };
        typename Unit::Rtl rtl;
        Unit unit(mix, random);
        typename Unit::In in{};
        typename Unit::Out out;
        for (uint64_t cycle = 0; cycle < cycles; cycle++) {
            const bool rst = cycle == 0 || random.below(10000) < mix.resets;
            unit.eval(&out);
            const char *pin = cycle ? Unit::difference(rtl, out) : nullptr;
            if (pin) {
                std::printf("traffic %s, cycle %llu, pin %s\n", mix.name,
                            static_cast<unsigned long long>(cycle), pin);
                return 1;
            }
            unit.environment.configure(in);
            unit.environment.drive(out, in, random);
            Unit::drive(rtl, in);
            rtl.rst = rst;
            rtl.clk = 0;
            rtl.eval();
            rtl.clk = 1;
            rtl.eval();
            rst ? unit.reset() : unit.tick(&in);
            if (rst) {
                unit.environment.reset();
                in = {};
            }
        }
    }
    std::puts("equal");
    return 0;
}

#endif
