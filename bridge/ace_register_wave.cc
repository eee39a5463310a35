// SPDX-License-Identifier: Apache-2.0
//
// ace_register_wave.cc -- both twins' registers through the FST writer that Verilator brings

#include "ace_register_wave.h"

#include <new>
#include <string>
#include <vector>

#include "gtkwave/fstapi.h"

struct ace_register_wave {
    ace_registers *both;
    void *fst;
    fstHandle differ, cycle;
    unsigned differing, shown; // in this dump, and as written
    std::vector<fstHandle> handle[2];
    std::vector<std::string> value[2];
};

namespace {

enum Side { kRtl, kTwin };

// Leaves the scopes of the last name and enters the scopes of this one.
void enter(void *fst, std::vector<std::string> &scopes, const std::string &path) {
    std::vector<std::string> to;
    for (size_t at = 0, dot; (dot = path.find('.', at)) != std::string::npos; at = dot + 1)
        to.push_back(path.substr(at, dot - at));
    size_t same = 0;
    while (same < to.size() && same < scopes.size() && to[same] == scopes[same]) same++;
    for (size_t i = scopes.size(); i > same; i--) fstWriterSetUpscope(fst);
    for (size_t i = same; i < to.size(); i++)
        fstWriterSetScope(fst, FST_ST_VCD_MODULE, to[i].c_str(), nullptr);
    scopes = to;
}

std::string binary(uint64_t value, unsigned bits) {
    std::string text(bits, '0');
    for (unsigned b = 0; b < bits && b < 64; b++)
        if (value >> b & 1) text[bits - 1 - b] = '1';
    return text;
}

struct Declaration {
    ace_register_wave *wave;
    Side side;
    std::vector<std::string> scopes;
};

void declare(void *self, const ace_register_pair *p) {
    auto *d = static_cast<Declaration *>(self);
    const std::string path = std::string(d->side == kRtl ? "rtl." : "twin.") + p->name;
    enter(d->wave->fst, d->scopes, path);
    std::string name = path.substr(path.rfind('.') + 1);
    if (p->array) name += "[" + std::to_string(p->from_oldest) + "]";
    if (p->bits > 1) name += " [" + std::to_string(p->bits - 1) + ":0]";
    d->wave->handle[d->side].push_back(fstWriterCreateVar(
        d->wave->fst, FST_VT_VCD_REG, FST_VD_IMPLICIT, p->bits, name.c_str(), 0));
    d->wave->value[d->side].emplace_back();
}

void emit(ace_register_wave *w, Side side, const ace_register_pair *p, uint64_t value,
          uint64_t mask) {
    std::string text(p->bits, 'x');
    for (unsigned b = 0; b < p->bits; b++)
        if (b < 64 && (mask >> b & 1)) text[p->bits - 1 - b] = char('0' + (value >> b & 1));
    std::string &was = w->value[side][p->number];
    if (was == text) return;
    was = text;
    fstWriterEmitValueChange(w->fst, w->handle[side][p->number], text.c_str());
}

void dump(void *self, const ace_register_pair *p) {
    auto *w = static_cast<ace_register_wave *>(self);
    emit(w, kRtl, p, p->rtl, UINT64_MAX);
    emit(w, kTwin, p, p->twin, p->mask);
    w->differing += !p->may_differ && ((p->rtl ^ p->twin) & p->mask) != 0;
}

} // namespace

extern "C" int ace_register_wave_open(const char *file, ace_registers *both,
                                      ace_register_wave **wave) try {
    void *fst = fstWriterCreate(file, 1);
    if (!fst) return ACE_EINVAL;
    auto *w = new ace_register_wave{ both, fst, 0, 0, 0, ~0u, {}, {} };
    fstWriterSetPackType(fst, FST_WR_PT_LZ4);
    fstWriterSetTimescaleFromString(fst, "1ps");
    fstWriterSetDate(fst, ""); // the same bytes each time
    w->differ = fstWriterCreateVar(fst, FST_VT_VCD_REG, FST_VD_IMPLICIT, 16, "differ [15:0]", 0);
    w->cycle = fstWriterCreateVar(fst, FST_VT_VCD_REG, FST_VD_IMPLICIT, 64, "cycle [63:0]", 0);
    for (Side side : { kRtl, kTwin }) {
        Declaration d{ w, side, {} };
        ace_registers_each(both, declare, &d);
        enter(fst, d.scopes, "");
    }
    *wave = w;
    return ACE_OK;
} catch (const std::bad_alloc &) {
    return ACE_ENOMEM;
}

extern "C" void ace_register_wave_dump(ace_register_wave *w, uint64_t cycle) {
    fstWriterEmitTimeChange(w->fst, ace_wave_time(ACE_WAVE_CLOCK_MHZ, cycle));
    fstWriterEmitValueChange(w->fst, w->cycle, binary(cycle, 64).c_str());
    w->differing = 0;
    ace_registers_each(w->both, dump, w);
    if (w->differing == w->shown) return;
    w->shown = w->differing;
    fstWriterEmitValueChange(w->fst, w->differ, binary(w->differing, 16).c_str());
}

extern "C" void ace_register_wave_close(ace_register_wave *w) {
    if (!w) return;
    fstWriterClose(w->fst);
    delete w;
}
