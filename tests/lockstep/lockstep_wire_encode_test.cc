/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_wire_encode.v against cmodel/parts/ace_wire_encode.c, cycle by cycle, in each format.
 *
 * Verilated: Vace_wire_encode, which has no parameters.
 */
#include "wire_rows.h"

namespace {

struct Environment {
    unsigned format, offer; /* offer: chance in a cycle, per mille */
    ace_row row{};
    uint64_t rows = 0;

    void configure(ace_wire_encode_in &in) const { in.cfg_format = static_cast<uint8_t>(format); }
    void reset() {}
    void drive(const ace_wire_encode_out &, ace_wire_encode_in &in, Random &r) {
        in.s_valid = r.permille(offer);
        if (in.s_valid) wire_row(r, row);
        in.s_data = row;
        rows += in.s_valid;
    }
};

class WireEncode : public testing::TestWithParam<std::tuple<unsigned, unsigned>> {};

TEST_P(WireEncode, EqualsTwin) {
    const auto &[format, offer] = GetParam();
    Lockstep<wire_encode_unit> run(0, format * 1000 + offer);
    ASSERT_EQ(ace_wire_encode_create(&run.twin), ACE_OK);
    ASSERT_EQ(ace_wire_encode_create(&run.timing), ACE_OK);
    Environment environment{ format, offer };
    run.go(environment, 5000, 0);
    EXPECT_GT(environment.rows, 800u);
}

INSTANTIATE_TEST_SUITE_P(Formats, WireEncode,
                         testing::Combine(testing::Range(0U, 8U), testing::Values(1000U, 300U)),
                         [](const auto &info) {
                             return "format_" + std::to_string(std::get<0>(info.param)) + "_" +
                                    std::to_string(std::get<1>(info.param));
                         });

} // namespace
