// SPDX-License-Identifier: Apache-2.0
//
// hub_table -- ace_hub_reducer: its duplicated registers agree in any run
//
// Ports send anything, with any code, and stall at any time.  They need not keep to the contract.
//
// Properties
//   table     Each valid bit is the inverse of its second register, and names in use have their
//             parity.  An entry is picked consistently.  So m_wrong never reports the table.
//   counts    For each port and entry the head, tail and count of rows fit each other.  No more
//             slots are in use than there are.  Only an open entry has any.  So no slot is lost or
//             there twice.
//   cover     A port's slots of an entry are full, while another entry is picked.

`default_nettype none

module hub_table #(
    parameter PORTS = 2,
    parameter CONTEXTS = 2,
    parameter ROWS = 2
) (
    input wire               clk,
    input wire               rst,
    input wire [PORTS-1:0]   s_valid,
    input wire [2*PORTS-1:0] s_name,        // one of four contexts
    input wire [4*PORTS-1:0] s_header_code,
    input wire               hold
);
    (* anyconst *) reg [PORTS-1:0] members;
    reg [8*PORTS-1:0] context;
    integer i;
    always @* begin
        context = {8*PORTS{1'b0}};
        for (i = 0; i < PORTS; i = i + 1) context[8*i +: 2] = s_name[2*i +: 2];
    end

    ace_hub_reducer #(.PORTS(PORTS), .CONTEXTS(CONTEXTS), .ROWS(ROWS), .TYPES(64), .OPS(4)) dut (
        .clk(clk), .rst(rst), .cfg_members(members), .s_valid(s_valid), .s_context(context), .s_mark({PORTS{8'd0}}),
        .s_how({PORTS{6'b010110}}), .s_header_code(s_header_code), .s_data({2048*PORTS{1'b0}}),
        .s_code({32*PORTS{1'b0}}), .s_hold(hold));

    `include "live.vh"

    always @* begin
        assume (members[0] && (members & (members + 1'b1)) == {PORTS{1'b0}});
        assume ((s_valid & ~members) == {PORTS{1'b0}});
    end

    (* hierconn *) wire [PORTS-1:0] \dut.counts_unfit ;
    (* hierconn *) wire \dut.table_unfit , \dut.picked_q ;
    (* hierconn *) wire [6*$clog2(PORTS)-1:0] \dut.under_way_q , \dut.under_way_not_q ;
    (* hierconn *) wire [CONTEXTS-1:0] \dut.pick_q , \dut.g_port[0].g_there.full_q ;
    always @* if (live) begin
        assert (\dut.counts_unfit == {PORTS{1'b0}});
        assert (!\dut.table_unfit && \dut.under_way_q == ~\dut.under_way_not_q );
        cover (\dut.picked_q && (\dut.g_port[0].g_there.full_q & ~\dut.pick_q ) != {CONTEXTS{1'b0}});
    end
endmodule

`default_nettype wire
