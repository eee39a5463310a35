// SPDX-License-Identifier: Apache-2.0
//
// mutant_agreement.cc -- random commands and numbers into a Verilated ace_agreement with a planted
// bug, and into its twin
//
//     mutant_agreement NUMBER CYCLES SEED      NUMBER 0: no bug
//
// Exit status: 0 equal, 1 different; the last line says where.
#include "Vace_agreement.h"
#include "ace_rtl_pins.h"
#include "agreement_traffic.h"

unsigned ace_mutant; // read by the mutated RTL when it begins

namespace {

#define DRIVE_BIT(name) m.name = in.name;
// a word has a place for each of four dimensions, of which three are here
#define DRIVE_WORD(type, name, bits)         m.name = in.name & ((1u << (bits) / 4 * 3) - 1);
#define DRIVE_FIELD(type, name, bits, valid) m.name = in.name;
#define DRIVE_LANES(type, name, bits, count, mask) \
    for (unsigned i = 0; i < (count) / 4 * 3; i++) ace_rtl_set(m.name, i *(bits), bits, in.name[i]);
void drive(Vace_agreement &m, const ace_agreement_pins_in &in) {
    ACE_AGREEMENT_INPUTS(DRIVE_BIT, DRIVE_WORD, DRIVE_FIELD, , , DRIVE_LANES)
}

#define SAME_IF(name, when, found) \
    if ((when) && (found) != out.name) return #name;
#define SAME_BIT(name)                      SAME_IF(name, true, m.name)
#define SAME_FIELD(type, name, bits, valid) SAME_IF(name, out.valid, m.name)
const char *difference(const Vace_agreement &m, const ace_agreement_pins_out &out) {
    ACE_AGREEMENT_OUTPUTS(SAME_BIT, , SAME_FIELD, , , )
    return nullptr;
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 4) {
        std::fputs("mutant_agreement NUMBER CYCLES SEED\n", stderr);
        return 2;
    }
    ace_mutant = static_cast<unsigned>(std::strtoul(argv[1], nullptr, 0));
    const uint64_t cycles = std::strtoull(argv[2], nullptr, 0);
    constexpr unsigned COMMANDS = 2; // as tests/mutation/agreement.sh builds it
    for (const Mix &mix : mixes) {
        Random random{ std::strtoull(argv[3], nullptr, 0) };
        Vace_agreement rtl;
        ace_agreement_pins *twin = nullptr;
        if (ace_agreement_pins_create(3, COMMANDS, &twin) != ACE_OK) return 2;
        Environment environment(mix, COMMANDS, random.next());
        ace_agreement_pins_in in{};
        ace_agreement_pins_out out;
        for (uint64_t cycle = 0; cycle < cycles; cycle++) {
            const bool rst = cycle == 0 || random.below(10000) < mix.resets;
            ace_agreement_pins_eval(twin, &out);
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
            rst ? ace_agreement_pins_reset(twin) : ace_agreement_pins_tick(twin, &in);
            if (rst) {
                environment.reset();
                in = {};
            }
        }
        ace_agreement_pins_destroy(twin);
    }
    std::puts("equal");
    return 0;
}
