/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_wire_decode.v against cmodel/parts/ace_wire_decode.c, cycle by cycle: any bits, and all
 * FP8 numbers with all scales.
 *
 * Verilated: Vace_wire_decode (default: TAKEN=1).
 */
#include "lockstep.h"

namespace {

struct Environment {
    unsigned format;
    ace_row row{};
    uint32_t next = 0; /* numbers, then scales, one after the other */
    uint64_t rows = 0;

    void configure(ace_wire_decode_in &in) const { in.cfg_format = static_cast<uint8_t>(format); }
    void reset() {}
    void drive(const ace_wire_decode_out &, ace_wire_decode_in &in, Random &r) {
        in.s_valid = r.permille(900);
        if (in.s_valid) {
            for (unsigned i = 0; i < ACE_ROW_WORDS; i++)
                row[i] = r.below(2) ? r.bits<uint32_t>(32) : row[i] + 0x01030507u * i;
            if (format > ACE_WIRE_E5M2) { /* four rows have all numbers, and the next a new scale */
                for (unsigned i = 0; i < 16; i++)
                    row[i] = 0x03020100u + (next % 4 * 16 + i) * 0x04040404u;
                const uint32_t scale = next / 4 % 256;
                row[16] = scale | (scale ^ 0x55) << 8;
                next++;
            }
        }
        in.s_data = row;
        rows += in.s_valid;
    }
};

class WireDecode : public testing::TestWithParam<unsigned> {};

TEST_P(WireDecode, EqualsTwin) {
    Lockstep<wire_decode_unit> run(0, GetParam());
    ASSERT_EQ(ace_wire_decode_create(&run.twin), ACE_OK);
    ASSERT_EQ(ace_wire_decode_create(&run.timing), ACE_OK);
    Environment environment{ GetParam() };
    run.go(environment, 5000, 0);
    EXPECT_GT(environment.rows, 1200u); /* 4 rows for each of 256 scales, and what was skipped */
}

INSTANTIATE_TEST_SUITE_P(Formats, WireDecode, testing::Range(0U, 8U),
                         [](const auto &info) { return "format_" + std::to_string(info.param); });

} // namespace
