// SPDX-License-Identifier: Apache-2.0
//
// ace_cycle_classes -- counts each cycle of a unit in exactly one class
//
// Contract
//   Classes     Busy goes before blocked, and blocked before starved.  A cycle with none of the
//               three is idle.  The counts sum to the cycles since reset.
//   Twin        cmodel/parts/ace_cycle_classes.h, equal at every port, every cycle
//               (tests/lockstep/lockstep_cycle_classes_test.cc).

`default_nettype none

module ace_cycle_classes (
    input  wire         clk,
    input  wire         rst,
    input  wire         busy,
    input  wire         blocked,
    input  wire         starved,
    output wire [191:0] count               // {idle, blocked, starved, busy}, 48 bits each
);

    reg [47:0] busy_q, starved_q, blocked_q, idle_q;
    assign count = {idle_q, blocked_q, starved_q, busy_q};

    always @(posedge clk) begin
        if (rst) begin
            busy_q    <= 48'd0;
            starved_q <= 48'd0;
            blocked_q <= 48'd0;
            idle_q    <= 48'd0;
        end else if (busy)  busy_q    <= busy_q + 48'd1;
        else if (blocked)   blocked_q <= blocked_q + 48'd1;
        else if (starved)   starved_q <= starved_q + 48'd1;
        else                idle_q    <= idle_q + 48'd1;
    end

endmodule

`default_nettype wire
