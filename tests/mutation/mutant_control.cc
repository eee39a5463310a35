// SPDX-License-Identifier: Apache-2.0
//
// mutant_control.cc -- random register traffic into an ace_control with a planted bug, and into its
// twin; see mutant_unit.h
#include "Vace_control.h"
#include "ace_rtl_pins.h"
#include "control_traffic.h"
#include "mutant_unit.h"

namespace {

constexpr unsigned DIMENSIONS = 3, COMPLETIONS = 4,
                   TRIGGERS = 4; // the latter two as unit.sh builds it

#define DRIVE_BIT(name)                      m.name = in.name;
#define DRIVE_WORD(type, name, bits)         m.name = in.name;
#define DRIVE_FIELD(type, name, bits, valid) m.name = in.name;
#define SAME_IF(name, when, found) \
    if ((when) && (found) != out.name) return #name;
#define SAME_BIT(name)                      SAME_IF(name, true, m.name)
#define SAME_WORD(type, name, bits)         SAME_IF(name, true, m.name)
#define SAME_FIELD(type, name, bits, valid) SAME_IF(name, out.valid, m.name)
#define SAME_LANES(type, name, bits, count, mask) \
    for (unsigned i = 0; i < (count); i++)        \
    SAME_IF(name[i], true, ace_rtl_get(m.name, i *(bits), bits))
struct Unit {
    using Rtl = Vace_control;
    using In = ace_control_in;
    using Out = ace_control_out;

    Unit(const Mix &mix, Random &) : environment(mix) {
        ace_parameters parameters = ACE_PARAMETERS_DEFAULT;
        parameters.dimensions = DIMENSIONS;
        if (ace_control_create(&parameters, COMPLETIONS, TRIGGERS, true, &twin) != ACE_OK)
            std::abort();
        environment.software.dimensions = DIMENSIONS;
        environment.software.slots = TRIGGERS;
    }
    ~Unit() { ace_control_destroy(twin); }
    void eval(Out *out) { ace_control_eval(twin, out); }
    void tick(const In *in) { ace_control_tick(twin, in); }
    void reset() { ace_control_reset(twin); }
    static void drive(Vace_control &m, const ace_control_in &in) {
        ACE_CONTROL_INPUTS(DRIVE_BIT, DRIVE_WORD, DRIVE_FIELD, , , )
    }
    static const char *difference(const Vace_control &m, const ace_control_out &out) {
        ACE_CONTROL_OUTPUTS(SAME_BIT, SAME_WORD, SAME_FIELD, , , SAME_LANES)
        return nullptr;
    }

    ace_control *twin = nullptr;
    Environment environment;
};

} // namespace

int main(int argc, char **argv) { return MutantMain<Unit>(argc, argv); }
