/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rtl_trace.h -- the waveform of a Verilated model, on the axis of ace_wave_time.h
 *
 *     ace_rtl_trace<Model> trace;
 *     trace.ask(wave);                     before the first cycle
 *     trace.time(cycle, model, payload);   a cycle comes: opens the file, and closes it
 *     trace.high(cycle); trace.low(cycle); with the clock high and low in it
 *     trace.rest(cycle);                   nothing is run from this cycle on
 *
 * Beside what Verilator traces of the model the file has
 *
 *   cycle    the number of the cycle, z while the model rests
 *   pins.*   the model's pins stream by stream, payload x while valid is low (ace_rtl_streams.h)
 *
 * A Verilated model knows no x: its own signals in node.* or engine.* have a value all the time.
 */
#ifndef ACE_RTL_TRACE_H
#define ACE_RTL_TRACE_H

#include <memory>
#include <string>
#include <vector>
#include <verilated_fst_c.h>

#include "ace_rtl_streams.h"
#include "ace_rtl_wave.h"
#include "ace_wave_file.h"
#include "ace_wave_time.h"

#include "gtkwave/fstapi.h"

// The FST writer of Verilator's trace, which it keeps to itself and which has signals with x and z.
// An explicit instantiation may name a private member: that is how this one is handed out.
template <auto member> struct ace_rtl_fst_of {
    friend auto *ace_rtl_fst(VerilatedFst &trace) { return trace.*member; }
};
template struct ace_rtl_fst_of<&VerilatedFst::m_fst>;
auto *ace_rtl_fst(VerilatedFst &trace);

template <class Model> class ace_rtl_trace {
public:
    ~ace_rtl_trace() { close(); }

    void ask(const ace_rtl_wave *wave) {
        asked_ = wave != nullptr;
        if (!asked_) return;
        file_ = wave->file;
        from_ = wave->from;
        to_ = wave->to;
        clock_ = wave->clock_MHz;
    }
    bool asked() const { return asked_; }
    bool shows(uint64_t cycle) const { return wave_ && cycle >= from_ && cycle < to_; }

    void time(uint64_t cycle, Model &model, bool payload) {
        if (asked_ && !wave_ && cycle >= from_) open(model, payload);
        if (wave_ && cycle >= to_) {
            close();
            asked_ = false;
        }
    }

    void high(uint64_t cycle) {
        wave_->dump(ace_wave_time(clock_, cycle));
        number(cycle);
        next_ = 0;
        ace_rtl_streams(
            *model_, payload_,
            [this](const char *, int, const char *, unsigned bits, bool defined, const auto &read) {
                std::string text(bits, 'x');
                for (unsigned i = 0; defined && i < bits; i++)
                    text[bits - 1 - i] = read(i) ? '1' : '0';
                emit(signals_[next_++], text);
            });
    }
    void low(uint64_t cycle) { wave_->dump(ace_wave_fall(clock_, cycle)); }

    void rest(uint64_t cycle) {
        if (!shows(cycle)) return;
        fstWriterEmitTimeChange(fst_, ace_wave_time(clock_, cycle));
        emit(cycle_, std::string(CYCLE_BITS, 'z'));
    }

    void close() {
        if (wave_) wave_->close();
        wave_.reset();
    }

private:
    enum { CYCLE_BITS = 64 };
    struct Signal {
        fstHandle handle;
        std::string shown;
    };

    bool asked_ = false, payload_ = false;
    std::string file_;
    uint64_t from_ = 0, to_ = 0;
    double clock_ = ACE_WAVE_CLOCK_MHZ;
    std::unique_ptr<VerilatedFstC> wave_;
    Model *model_ = nullptr;
    void *fst_ = nullptr;
    Signal cycle_{};
    std::vector<Signal> signals_;
    size_t next_ = 0;

    void open(Model &model, bool payload) {
        wave_ = std::make_unique<VerilatedFstC>();
        model.trace(wave_.get(), 99);
        wave_->open(file_.c_str());
        model_ = &model;
        payload_ = payload;
        fst_ = ace_rtl_fst(*wave_->spTrace());
        if (wave_->isOpen()) {
            declare();
        } else {
            wave_.reset();
            asked_ = false;
            ace_wave_failed();
        }
    }

    Signal declare(const char *name, unsigned bits) {
        std::string full = name;
        if (bits > 1) full += " [" + std::to_string(bits - 1) + ":0]";
        return { fstWriterCreateVar(fst_, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, bits, full.c_str(), 0),
                 "" };
    }

    // pins.tx.x_plus.context and the like.
    void declare() {
        static const char *const links[] = { "x_plus", "x_minus", "y_plus", "y_minus",
                                             "z_plus", "z_minus", "w_plus", "w_minus" };
        std::string scope;
        cycle_ = declare("cycle", CYCLE_BITS);
        signals_.clear();
        fstWriterSetScope(fst_, FST_ST_VCD_MODULE, "pins", nullptr);
        ace_rtl_streams(
            *model_, payload_,
            [&](const char *stream, int link, const char *pin, unsigned bits, bool, const auto &) {
                const std::string here =
                    link < 0 ? stream : std::string(stream) + "_" + links[link];
                if (here != scope) {
                    if (!scope.empty()) fstWriterSetUpscope(fst_);
                    fstWriterSetScope(fst_, FST_ST_VCD_MODULE, here.c_str(), nullptr);
                    scope = here;
                }
                signals_.push_back(declare(pin, bits));
            });
        fstWriterSetUpscope(fst_);
        fstWriterSetUpscope(fst_);
    }

    void number(uint64_t cycle) {
        std::string text(CYCLE_BITS, '0');
        for (unsigned b = 0; b < CYCLE_BITS; b++)
            if (cycle >> b & 1) text[CYCLE_BITS - 1 - b] = '1';
        emit(cycle_, text);
    }

    void emit(Signal &s, const std::string &text) {
        if (s.shown == text) return;
        s.shown = text;
        fstWriterEmitValueChange(fst_, s.handle, text.c_str());
    }
};

#endif
