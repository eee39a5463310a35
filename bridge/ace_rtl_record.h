/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rtl_record.h -- records pins and coverage of a Verilated model, for tests/icarus and
 * tests/coverage
 *
 *     ace_rtl_record<Vace_router> record(context, *model);   after the model is made
 *     record.pins();                                         in each cycle, before the edge
 *
 * Environment variables select the records:
 *
 *   ACE_UNIT_WAVES        folder for the pins of the first cycles: CLASS-N.fst, with the pins of
 *                         cycle t at time t
 *   ACE_UNIT_WAVE_CYCLES  how many cycles, 400 by default
 *   ACE_COVERAGE          folder for lines and toggles reached, CLASS-N.dat
 *
 * A model must be Verilated with tracing or coverage for its record; other models record nothing.
 */
#ifndef ACE_RTL_RECORD_H
#define ACE_RTL_RECORD_H

#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>
#include <verilated.h>
#if VM_COVERAGE
#    include <verilated_cov.h>
#endif
#if VM_TRACE_FST
#    include <verilated_fst_c.h>
#endif

/* For a context's randReset: registers start at random, but where that would count as a toggle. */
constexpr int ace_rtl_first_values = VM_COVERAGE ? 0 : 2;

/* Are pins recorded?  Call it before a model is made. */
inline bool ace_rtl_records_pins() { return std::getenv("ACE_UNIT_WAVES") != nullptr; }

/* Prepares a context for its model.  traced: a waveform is written.  Models use no threads, yet a
 * context would by default start a thread for each further core of the machine.  Those threads
 * would only sleep, and the program would abort if too many nodes start them. */
inline void ace_rtl_prepare(VerilatedContext &context, int seed, bool traced) {
    context.threads(1);
    context.randReset(ace_rtl_first_values);
    context.randSeed(seed);
    context.traceEverOn(traced || ace_rtl_records_pins());
}

template <class Model> class ace_rtl_record {
public:
    ace_rtl_record(VerilatedContext &context, Model &model) : context_(context) {
        static std::atomic<unsigned> number;
        name_ = std::string("/") + model.modelName() + "-" + std::to_string(number++);
#if VM_TRACE_FST
        if (!ace_rtl_records_pins()) return;
        const char *cycles = std::getenv("ACE_UNIT_WAVE_CYCLES");
        if (cycles) cycles_ = std::strtoull(cycles, nullptr, 0);
        wave_ = std::make_unique<VerilatedFstC>();
        model.trace(wave_.get(), 1);
        wave_->open((std::getenv("ACE_UNIT_WAVES") + name_ + ".fst").c_str());
#endif
    }
    ~ace_rtl_record() {
#if VM_COVERAGE
        if (const char *folder = std::getenv("ACE_COVERAGE"))
            context_.coveragep()->write((folder + name_ + ".dat").c_str());
#endif
    }
    ace_rtl_record(const ace_rtl_record &) = delete;
    ace_rtl_record &operator=(const ace_rtl_record &) = delete;

    bool active() const { // the pins of this cycle are written
#if VM_TRACE_FST
        return wave_ && cycle_ < cycles_;
#else
        return false;
#endif
    }
    void pins() {
#if VM_TRACE_FST
        if (wave_ && cycle_ < cycles_) wave_->dump(cycle_++);
#endif
    }

private:
    [[maybe_unused]] VerilatedContext &context_;
    std::string name_;
#if VM_TRACE_FST
    std::unique_ptr<VerilatedFstC> wave_;
    uint64_t cycle_ = 0, cycles_ = 400;
#endif
};

#endif
