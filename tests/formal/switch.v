// SPDX-License-Identifier: Apache-2.0
//
// switch -- ace_switch: each bank one reader and one writer, each link and pipe one packet
//
// Properties
//   banks     no two reads and no two writes of a cycle name the same bank
//   grant     pops, takes and grants go only to who asks; each pipe takes at most one, a link
//             at most one, and what is taken is what is read, written and sent
//   bound     a head that can be taken is passed over by at most five others; a lone request
//             of a pipe that no bank holds up is taken at once
//   rate      cover: a reduction, a store and both sends are taken in six cycles in a row

`default_nettype none

module switch #(
    parameter FSMS = 4
) (
    input wire               clk,
    input wire               rst,
    input wire [5:0]         s_head_valid,
    input wire [47:0]        s_head_context,
    input wire [5:0]         s_head_reduce,
    input wire [FSMS-1:0]    s_send_valid,
    input wire [FSMS*3-1:0]  s_send_link,
    input wire [FSMS*5-1:0]  s_send_index,
    input wire [FSMS*12-1:0] s_send_row,
    input wire [FSMS*2-1:0]  s_send_begun,
    input wire [19:0]        s_oldest,
    input wire [FSMS-1:0]    s_copy_valid,
    input wire [FSMS*5-1:0]  s_copy_index,
    input wire [FSMS*12-1:0] s_reduce_target,
    input wire [FSMS*12-1:0] s_store_target,
    input wire               s_load_valid,
    input wire [1:0]         s_load_bank,
    input wire               s_unload_valid,
    input wire [1:0]         s_unload_bank
);
    wire [5:0]      pop, reserve;
    wire [FSMS-1:0] send_take, copy_take, reduce_take, store_take;
    wire            load_grant, unload_grant;
    wire            read_reduce_valid, write_reduce_valid, write_store_valid;
    wire [1:0]      read_reduce_bank, write_reduce_bank, write_store_bank;
    wire [1:0]      read_send_valid, out_valid;
    wire [3:0]      read_send_bank;
    wire [5:0]      out_link;
    wire [23:0]     read_send_row;
    wire [2:0]      write_store_link, arrived_link;
    wire            alu_valid, arrived_valid;

    ace_switch #(.FSMS(FSMS)) dut (
        .clk(clk), .rst(rst), .s_head_valid(s_head_valid), .s_head_context(s_head_context),
        .s_head_reduce(s_head_reduce), .s_head_mark(48'd0), .m_head_pop(pop), .s_send_valid(s_send_valid), .s_send_link(s_send_link),
        .s_send_index(s_send_index), .s_send_row(s_send_row), .s_send_zero({FSMS{1'b0}}),
        .s_send_reduce({FSMS{1'b0}}), .s_send_mark({FSMS{8'd0}}), .s_send_peer({FSMS{8'd0}}), .s_send_begun(s_send_begun), .s_oldest(s_oldest),
        .m_send_take(send_take), .s_copy_valid(s_copy_valid), .s_copy_index(s_copy_index),
        .s_copy_source({FSMS{12'd0}}), .s_copy_target({FSMS{12'd0}}), .m_copy_take(copy_take),
        .s_reduce_source({FSMS{12'd0}}), .s_reduce_zero({FSMS{1'b0}}), .s_reduce_target(s_reduce_target),
        .m_reduce_take(reduce_take), .s_store_target(s_store_target), .m_store_take(store_take),
        .s_load_valid(s_load_valid), .s_load_bank(s_load_bank), .m_load_grant(load_grant),
        .s_unload_valid(s_unload_valid), .s_unload_bank(s_unload_bank), .m_unload_grant(unload_grant),
        .m_read_reduce_valid(read_reduce_valid), .m_read_reduce_bank(read_reduce_bank),
        .m_read_send_valid(read_send_valid), .m_read_send_bank(read_send_bank), .m_read_send_row(read_send_row),
        .m_alu_valid(alu_valid), .m_arrived_valid(arrived_valid), .m_arrived_link(arrived_link),
        .m_write_reduce_valid(write_reduce_valid), .m_write_reduce_bank(write_reduce_bank),
        .m_write_store_valid(write_store_valid), .m_write_store_link(write_store_link),
        .m_write_store_bank(write_store_bank), .m_reserve(reserve), .m_out_valid(out_valid), .m_out_link(out_link));

    `include "live.vh"

    integer f;
    always @* for (f = 0; f < FSMS; f = f + 1) begin
        assume (s_send_link[f*3 +: 3] < 3'd6);
    end

    reg [2:0] sends, takes, pops, reduces;
    reg       sends_up, sends_down;
    always @* begin
        {sends, takes, pops, reduces} = 12'd0;
        {sends_up, sends_down} = 2'd0;
        for (f = 0; f < FSMS; f = f + 1) begin
            sends      = sends + send_take[f];
            takes      = takes + copy_take[f] + reduce_take[f];
            sends_up   = sends_up || (send_take[f] && !s_send_link[f*3]);
            sends_down = sends_down || (send_take[f] && s_send_link[f*3]);
        end
        for (f = 0; f < 6; f = f + 1) begin
            pops    = pops + pop[f];
            reduces = reduces + (pop[f] && s_head_reduce[f]);
        end
    end

    // One FSM and one link, chosen freely.
    (* anyconst *) reg [$clog2(FSMS)-1:0] at;
    (* anyconst *) reg [2:0] head;
    always @* assume (head < 3'd6);
    wire [2:0]  at_link  = s_send_link >> (at * 3);
    wire [1:0]  at_bank  = s_send_index >> (at * 5);
    wire [11:0] at_row   = s_send_row >> (at * 12);
    wire        at_taken = |(send_take & 1 << at);
    wire        popped   = |(pop & 6'd1 << head);
    wire        reduce   = |(s_head_reduce & 6'd1 << head);
    wire        valid    = |(s_head_valid & 6'd1 << head);
    wire [1:0]  head_bank = s_head_context >> {head, 3'd0};

    reg [1:0]   bank_then;
    wire [2:0]  link_then = links_then[8:6];
    reg         reduce_then, store_then;
    reg [2:0]   send_then;              // a row sent is at its link three cycles later
    reg [8:0]   links_then;
    always @(posedge clk) begin
        reduce_then <= popped && reduce && !rst;
        store_then  <= popped && !reduce && !rst;
        bank_then   <= head_bank;
        send_then   <= rst ? 3'd0 : {send_then[1:0], at_taken};
        links_then  <= {links_then[5:0], at_link};
    end

    always @* if (live) begin
        // readers: reduce, unload, send +, send -
        assert (!(read_reduce_valid && unload_grant && read_reduce_bank == s_unload_bank));
        assert (!(read_reduce_valid && read_send_valid[0] && read_reduce_bank == read_send_bank[1:0]));
        assert (!(read_reduce_valid && read_send_valid[1] && read_reduce_bank == read_send_bank[3:2]));
        assert (!(unload_grant && read_send_valid[0] && s_unload_bank == read_send_bank[1:0]));
        assert (!(unload_grant && read_send_valid[1] && s_unload_bank == read_send_bank[3:2]));
        assert (!(&read_send_valid && read_send_bank[1:0] == read_send_bank[3:2]));
        // writers: reduced, store, load
        assert (!(write_reduce_valid && write_store_valid && write_reduce_bank == write_store_bank));
        assert (!(write_reduce_valid && load_grant && write_reduce_bank == s_load_bank));
        assert (!(write_store_valid && load_grant && write_store_bank == s_load_bank));
        // who is taken
        assert ((pop & ~s_head_valid) == 6'd0);
        assert (reduces <= 3'd1 && pops - reduces <= 3'd1);
        assert ((send_take & ~s_send_valid) == 0 && (copy_take & ~s_copy_valid) == 0);
        assert (sends == sends_up + sends_down && read_send_valid == {sends_down, sends_up});
        assert (takes <= 3'd1 && read_reduce_valid == (takes != 3'd0));
        assert (!(load_grant && !s_load_valid) && !(unload_grant && !s_unload_valid));
        assert (!at_taken || |(reserve & 6'd1 << at_link));
        assert (reserve[0] + reserve[2] + reserve[4] == sends_up && reserve[1] + reserve[3] + reserve[5] == sends_down);
        assert (!at_taken || (at_link[0] ? read_send_bank[3:2] == at_bank && read_send_row[23:12] == at_row
                                         : read_send_bank[1:0] == at_bank && read_send_row[11:0] == at_row));
        assert (!send_then[2] || (link_then[0] ? out_valid[1] && out_link[5:3] == link_then
                                            : out_valid[0] && out_link[2:0] == link_then));
        assert (!reduce_then || (arrived_valid && arrived_link == head));
        assert (!store_then || (write_store_valid && write_store_link == head && write_store_bank == bank_then));
    end

    // How often the head is passed over while its pipe takes another.
    reg [2:0] passed;
    reg       reduce_before;
    always @(posedge clk) begin
        reduce_before <= reduce;
        passed <= rst || !valid || popped ? 3'd0 :
                  (reduce == reduce_before ? passed : 3'd0) +
                  (reduce || (pops != reduces && !(write_soon && soon_bank == head_bank)));
    end
    // A store waits for the bank that a reduction writes in the next cycle.
    localparam ALU = 8;                 // cycles from the read to the cycle before the write
    reg [ALU-1:0]   soon;
    reg [2*ALU-1:0] soon_banks;
    wire            write_soon = soon[ALU-1];
    wire [1:0]      soon_bank = soon_banks[2*ALU-1 -: 2];
    always @(posedge clk) begin
        soon       <= rst ? {ALU{1'b0}} : {soon[ALU-2:0], read_reduce_valid};
        soon_banks <= {soon_banks[2*ALU-3:0], read_reduce_bank};
    end
    always @* if (live) begin
        assert (!(valid && reduce && reduce_before) || popped || passed < 3'd5);
        assert (!(valid && reduce) || reduces == 3'd1);
        assert (!(valid && !reduce && !(write_soon && soon_bank == head_bank)) || pops != reduces);
    end

    // Who asks alone in a direction, with no bank in the way, goes.
    wire lone = s_send_valid == 1 << at && s_send_begun == 0;
    always @* if (live)
        assert (!lone || at_taken || (read_reduce_valid && read_reduce_bank == at_bank));

    reg [3:0] run;
    always @(posedge clk) run <= rst || !(alu_valid && write_store_valid && &out_valid) ? 4'd0 : run + (run != 4'd15);
    always @* if (live) cover (run == 4'd6);
endmodule

`default_nettype wire
