// SPDX-License-Identifier: Apache-2.0
//
// hub_table -- ace_hub_reducer: what its registers say twice they say alike, in any run
//
// Ports send what they like, with any code, and are held at will: they need not keep to the contract.
//
// Properties
//   table     what says that something is there is the inverse of its second register, names that are in use
//             have their parity, and an entry is picked in one way: m_wrong never tells of the table
//   counts    of each port and entry head, tail and count of rows fit each other, no more than there are slots
//             are in use, and only an entry that is open has any: none are lost, and none are there twice
//   cover     a port's slots of an entry are full, while another entry is picked

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
