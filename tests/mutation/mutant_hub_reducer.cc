// SPDX-License-Identifier: Apache-2.0
//
// mutant_hub_reducer.cc -- random rows into an ace_hub_reducer with a planted bug, and into its
// twin; see mutant_unit.h
#include "Vace_hub_reducer.h"
#include "ace_rtl_pins.h"
#include "hub_reducer_traffic.h"
#include "mutant_unit.h"

namespace {

const ace_rtl_hub_parameters &of = sets[1]; // as unit.sh builds it

#define DRIVE_BIT(name)              m.name = in.name;
#define DRIVE_WORD(type, name, bits) m.name = static_cast<decltype(+m.name)>(in.name);
#define DRIVE_LANES(type, name, bits, count, mask) \
    for (unsigned i = 0; i < (count); i++) ace_rtl_set(m.name, i *(bits), bits, in.name[i]);
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
struct Unit {
    using Rtl = Vace_hub_reducer;
    using In = ace_hub_reducer_in;
    using Out = ace_hub_reducer_out;

    Unit(const Mix &mix, Random &)
        : environment(mix, of, mix.hold == 100 ? of.ports - 1 : of.ports) {
        if (ace_hub_reducer_create(of.ports, of.contexts, of.rows, true, &twin) != ACE_OK)
            std::abort();
        twin->types = of.types;
        twin->ops = of.ops;
    }
    ~Unit() { ace_hub_reducer_destroy(twin); }
    void eval(Out *out) { ace_hub_reducer_eval(twin, out); }
    void tick(const In *in) { ace_hub_reducer_tick(twin, in); }
    void reset() { ace_hub_reducer_reset(twin); }
    static void drive(Vace_hub_reducer &m, const ace_hub_reducer_in &in) {
        ACE_HUB_REDUCER_INPUTS(DRIVE_BIT, DRIVE_WORD, , , , DRIVE_LANES)
    }
    static const char *difference(const Vace_hub_reducer &m, const ace_hub_reducer_out &out) {
        ACE_HUB_REDUCER_OUTPUTS(SAME_BIT, SAME_WORD, SAME_FIELD, SAME_ROW, , SAME_LANES)
        return nullptr;
    }

    ace_hub_reducer *twin = nullptr;
    Environment environment;
};

} // namespace

int main(int argc, char **argv) { return MutantMain<Unit>(argc, argv); }
