// SPDX-License-Identifier: Apache-2.0
//
// mutant_hub_reducer.cc -- random rows into a Verilated ace_hub_reducer with a planted bug, and into its twin
//
//     mutant_hub_reducer NUMBER CYCLES SEED      NUMBER 0: no bug
//
// Exit status: 0 equal, 1 different; the last line says where.
#include "Vace_hub_reducer.h"
#include "ace_rtl_pins.h"
#include "hub_reducer_traffic.h"

unsigned ace_mutant; // read by the mutated RTL when it begins

namespace {

#define DRIVE_BIT(name)              m.name = in.name;
#define DRIVE_WORD(type, name, bits) m.name = static_cast<decltype(+m.name)>(in.name);
#define DRIVE_LANES(type, name, bits, count, mask) \
    for (unsigned i = 0; i < (count); i++) ace_rtl_set(m.name, i *(bits), bits, in.name[i]);
void drive(Vace_hub_reducer &m, const ace_hub_reducer_in &in) {
    ACE_HUB_REDUCER_INPUTS(DRIVE_BIT, DRIVE_WORD, , , , DRIVE_LANES)
}

#define SAME_IF(name, when, found) \
    if ((when) && (found) != out.name) return #name;
#define SAME_BIT(name)                      SAME_IF(name, true, m.name)
#define SAME_WORD(type, name, bits)         SAME_IF(name, true, m.name)
#define SAME_FIELD(type, name, bits, valid) SAME_IF(name, out.valid, m.name)
#define SAME_ROW(name) \
    for (unsigned i = 0; out.name && i < ACE_ROW_WORDS; i++) SAME_IF(name[i], true, m.name[i])
#define SAME_LANES(type, name, bits, count, mask) \
    for (unsigned i = 0; i < (count); i++)        \
    SAME_IF(name[i], true, ace_rtl_get(m.name, i *(bits), bits))
const char *difference(const Vace_hub_reducer &m, const ace_hub_reducer_out &out) {
    ACE_HUB_REDUCER_OUTPUTS(SAME_BIT, SAME_WORD, SAME_FIELD, SAME_ROW, , SAME_LANES)
    return nullptr;
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 4) {
        std::fputs("mutant_hub_reducer NUMBER CYCLES SEED\n", stderr);
        return 2;
    }
    ace_mutant = static_cast<unsigned>(std::strtoul(argv[1], nullptr, 0));
    const uint64_t cycles = std::strtoull(argv[2], nullptr, 0);
    const ace_rtl_hub_parameters &of = sets[1];
    for (const Mix &mix : mixes) {
        Random random{ std::strtoull(argv[3], nullptr, 0) };
        Vace_hub_reducer rtl;
        ace_hub_reducer *twin = nullptr;
        if (ace_hub_reducer_create(of.ports, of.contexts, of.rows, true, &twin) != ACE_OK) return 2;
        twin->types = of.types;
        twin->ops = of.ops;
        Environment environment(mix, of, mix.hold == 100 ? of.ports - 1 : of.ports);
        ace_hub_reducer_in in{};
        ace_hub_reducer_out out;
        for (uint64_t cycle = 0; cycle < cycles; cycle++) {
            const bool rst = cycle == 0 || random.below(10000) < mix.resets;
            ace_hub_reducer_eval(twin, &out);
            const char *pin = cycle ? difference(rtl, out) : nullptr;
            if (pin) {
                std::printf("traffic %s, cycle %llu, pin %s\n", mix.name,
                            static_cast<unsigned long long>(cycle), pin);
                return 1;
            }
            environment.configure(in);
            environment.drive(out, in, random);
            drive(rtl, in);
            rtl.rst = rst;
            rtl.clk = 0;
            rtl.eval();
            rtl.clk = 1;
            rtl.eval();
            rst ? ace_hub_reducer_reset(twin) : ace_hub_reducer_tick(twin, &in);
            if (rst) {
                environment.reset();
                in = {};
            }
        }
        ace_hub_reducer_destroy(twin);
    }
    std::puts("equal");
    return 0;
}
