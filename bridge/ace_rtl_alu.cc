/* SPDX-License-Identifier: Apache-2.0 */
/* ace_rtl_alu.cc -- the verilated ALU's class, which never leaves this file */
#include "ace_rtl_alu.h"

#include <algorithm>
#include <memory>
#include <new>

#include "Vace_alu.h"
#include "ace_rtl_record.h"

struct ace_rtl_alu {
    VerilatedContext context; /* before the model, which it outlives */
    std::unique_ptr<Vace_alu> model;
    std::unique_ptr<ace_rtl_record<Vace_alu>> record;
};

ace_rtl_alu *ace_rtl_alu_create(int seed) try {
    auto alu = std::make_unique<ace_rtl_alu>();
    ace_rtl_prepare(alu->context, seed, false);
    alu->model = std::make_unique<Vace_alu>(&alu->context, "ace_alu");
    alu->model->clk = 0;
    alu->model->eval();
    alu->record = std::make_unique<ace_rtl_record<Vace_alu>>(alu->context, *alu->model);
    return alu.release();
} catch (const std::bad_alloc &) {
    return nullptr;
}

void ace_rtl_alu_destroy(ace_rtl_alu *alu) {
    if (alu) alu->model->final();
    delete alu;
}

void ace_rtl_alu_tick(ace_rtl_alu *alu, const ace_alu_in *in) {
    Vace_alu &m = *alu->model;
    m.rst = in->rst;
    m.s_valid = in->s_valid;
    m.s_bypass = in->s_bypass;
    m.s_type = in->s_type;
    m.s_op = in->s_op;
    m.s_scale = in->s_scale;
    std::copy_n(in->s_a, ACE_ALU_WORDS, &m.s_a[0]);
    std::copy_n(in->s_b, ACE_ALU_WORDS, &m.s_b[0]);
    m.clk = 0;
    m.eval();
    alu->record->pins();
    m.clk = 1;
    m.eval();
}

const uint32_t *ace_rtl_alu_data(const ace_rtl_alu *alu) { return &alu->model->m_data[0]; }
