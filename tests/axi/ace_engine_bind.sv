// SPDX-License-Identifier: Apache-2.0
//
// ace_engine_bind.sv -- the checkers of an ace_engine's pins, bound to each one, and an assertion of them
//
// For simulators that know `bind` and `assert property`; with Verilator, --assert.  In others, see
// tests/icarus/engine_checks.v.

`default_nettype none

module ace_engine_asserts (
    input wire       clk,
    input wire       rst,
    input wire [7:0] rule
);
    pins: assert property (@(posedge clk) disable iff (rst) rule == 8'd0)
        else $error("%m: rule %0d of checker %0d, see tests/axi/ace_engine_checks.v", rule[3:0], rule[7:4]);
endmodule

// what is broken is looked at from inside
/* verilator lint_off PINCONNECTEMPTY */
bind ace_engine ace_engine_checks #(
    .LINKS(LINKS), .ROW_W(ROW_W), .LINK_INPUT_ROWS(LINK_INPUT_ROWS), .ROUTER_INPUT_ROWS(ROUTER_INPUT_ROWS)
) u_checks (.*, .rule());
/* verilator lint_on PINCONNECTEMPTY */

bind ace_engine_checks ace_engine_asserts u_asserts (.clk(clk), .rst(rst), .rule(rule));

`default_nettype wire
