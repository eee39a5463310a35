// SPDX-License-Identifier: Apache-2.0
//
// mutant_agreement.cc -- random commands and numbers into an ace_agreement with a planted bug, and
// into its twin; see mutant_unit.h
#include "Vace_agreement.h"
#include "ace_rtl_pins.h"
#include "agreement_traffic.h"
#include "mutant_unit.h"

namespace {

constexpr unsigned COMMANDS = 2; // as unit.sh builds it

#define DRIVE_BIT(name) m.name = in.name;
// a word has a place for each of four dimensions, of which three are here
#define DRIVE_WORD(type, name, bits)         m.name = in.name & ((1u << (bits) / 4 * 3) - 1);
#define DRIVE_FIELD(type, name, bits, valid) m.name = in.name;
#define DRIVE_LANES(type, name, bits, count, mask) \
    for (unsigned i = 0; i < (count) / 4 * 3; i++) ace_rtl_set(m.name, i *(bits), bits, in.name[i]);
#define SAME_IF(name, when, found) \
    if ((when) && (found) != out.name) return #name;
#define SAME_BIT(name)                      SAME_IF(name, true, m.name)
#define SAME_FIELD(type, name, bits, valid) SAME_IF(name, out.valid, m.name)
struct Unit {
    using Rtl = Vace_agreement;
    using In = ace_agreement_pins_in;
    using Out = ace_agreement_pins_out;

    Unit(const Mix &mix, Random &random) : environment(mix, COMMANDS, random.next()) {
        if (ace_agreement_pins_create(3, COMMANDS, &twin) != ACE_OK) std::abort();
    }
    ~Unit() { ace_agreement_pins_destroy(twin); }
    void eval(Out *out) { ace_agreement_pins_eval(twin, out); }
    void tick(const In *in) { ace_agreement_pins_tick(twin, in); }
    void reset() { ace_agreement_pins_reset(twin); }
    static void drive(Vace_agreement &m, const ace_agreement_pins_in &in) {
        ACE_AGREEMENT_INPUTS(DRIVE_BIT, DRIVE_WORD, DRIVE_FIELD, , , DRIVE_LANES)
    }
    static const char *difference(const Vace_agreement &m, const ace_agreement_pins_out &out) {
        ACE_AGREEMENT_OUTPUTS(SAME_BIT, , SAME_FIELD, , , )
        return nullptr;
    }

    ace_agreement_pins *twin = nullptr;
    Environment environment;
};

} // namespace

int main(int argc, char **argv) { return MutantMain<Unit>(argc, argv); }
