// SPDX-License-Identifier: Apache-2.0
//
// mutant_control.cc -- random register traffic on a Verilated ace_control with a planted bug,
// and on its twin
//
//     mutant_control NUMBER CYCLES SEED      NUMBER 0: no bug
//
// Exit status: 0 equal, 1 different; the last line says where.
#include "Vace_control.h"
#include "ace_rtl_pins.h"
#include "control_traffic.h"

unsigned ace_mutant; // read by the mutated RTL when it begins

namespace {

#define DRIVE_BIT(name)                      m.name = in.name;
#define DRIVE_WORD(type, name, bits)         m.name = in.name;
#define DRIVE_FIELD(type, name, bits, valid) m.name = in.name;
void drive(Vace_control &m, const ace_control_in &in) {
    ACE_CONTROL_INPUTS(DRIVE_BIT, DRIVE_WORD, DRIVE_FIELD, , , )
}

#define SAME_IF(name, when, found) \
    if ((when) && (found) != out.name) return #name;
#define SAME_BIT(name)                      SAME_IF(name, true, m.name)
#define SAME_WORD(type, name, bits)         SAME_IF(name, true, m.name)
#define SAME_FIELD(type, name, bits, valid) SAME_IF(name, out.valid, m.name)
#define SAME_LANES(type, name, bits, count, mask) \
    for (unsigned i = 0; i < (count); i++)        \
    SAME_IF(name[i], true, ace_rtl_get(m.name, i *(bits), bits))
const char *difference(const Vace_control &m, const ace_control_out &out) {
    ACE_CONTROL_OUTPUTS(SAME_BIT, SAME_WORD, SAME_FIELD, , , SAME_LANES)
    return nullptr;
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 4) {
        std::fputs("mutant_control NUMBER CYCLES SEED\n", stderr);
        return 2;
    }
    ace_mutant = static_cast<unsigned>(std::strtoul(argv[1], nullptr, 0));
    const uint64_t cycles = std::strtoull(argv[2], nullptr, 0);
    ace_parameters parameters = ACE_PARAMETERS_DEFAULT;
    parameters.dimensions = 3;
    for (const Mix &mix : mixes) {
        Random random{ std::strtoull(argv[3], nullptr, 0) };
        Vace_control rtl;
        ace_control *twin = nullptr;
        if (ace_control_create(&parameters, 4, &twin) != ACE_OK) return 2;
        Environment environment(mix);
        environment.software.dimensions = parameters.dimensions;
        ace_control_in in{};
        ace_control_out out;
        for (uint64_t cycle = 0; cycle < cycles; cycle++) {
            const bool rst = cycle == 0 || random.below(10000) < mix.resets;
            ace_control_eval(twin, &out);
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
            rst ? ace_control_reset(twin) : ace_control_tick(twin, &in);
            if (rst) {
                environment.reset();
                in = {};
            }
        }
        ace_control_destroy(twin);
    }
    std::puts("equal");
    return 0;
}
