// SPDX-License-Identifier: Apache-2.0
//
// switch -- ace_switch: one reader and one writer a bank, one packet a link and a pipe
//
// Properties
//   banks     No two reads and no two writes of a cycle name the same bank.
//   grant     Pops, takes and grants go only to units that requested.  Each pipe takes at most one
//             packet.  A popped packet is looked up in the next cycle, and written.
//   links     A slot is taken only where one is free, and the row sent four cycles later fills it.
//   order     A request that is taken is read and sent unchanged, after the requests that its FSM
//             gave before, at most six.  Its context is held from the take until the row is being
//             read.
//   bound     A head that can be taken is passed over by at most five others.  A lone queue sends
//             at once if no bank and no link blocks it.  An empty queue takes at once.
//   rate      cover: a reduction, a store and both sends are taken in six cycles in a row

`default_nettype none

module switch #(
    parameter FSMS = 4,
    parameter FOLLOW = 0        // 1: a request, too
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
    input wire [5:0]         s_room,
    input wire [FSMS-1:0]    s_copy_valid,
    input wire [FSMS*5-1:0]  s_copy_index,
    input wire [FSMS*12-1:0] s_reduce_target,
    input wire [FSMS*12-1:0] s_store_target,
    input wire               s_load_valid,
    input wire [1:0]         s_load_bank,
    input wire               s_load_first,
    input wire [1:0]         s_unload_valid,
    input wire               s_unload_first,
    input wire [3:0]         s_unload_bank
);
    wire [5:0]      pop, reserve;
    wire [FSMS-1:0] crowded;
    wire [127:0]    held;
    wire [FSMS-1:0] send_take, copy_take, reduce_take, store_take;
    wire            load_grant;
    wire [1:0]      unload_grant;
    wire [1:0]      unload_bank = unload_grant[1] ? s_unload_bank[3:2] : s_unload_bank[1:0];
    wire            read_reduce_valid, write_reduce_valid, write_store_valid;
    wire [1:0]      read_reduce_bank, write_reduce_bank, write_store_bank;
    wire [1:0]      read_send_valid, out_valid;
    wire [3:0]      read_send_bank;
    wire [5:0]      out_link;
    wire [23:0]     read_send_row;
    wire [15:0]     out_context;
    wire [2:0]      storing_link, arrived_link;
    wire            alu_valid, arrived_valid, storing_valid;

    ace_switch #(.FSMS(FSMS)) dut (
        .clk(clk), .rst(rst), .s_head_valid(s_head_valid), .s_head_context(s_head_context),
        .s_head_reduce(s_head_reduce), .s_head_mark(48'd0), .m_head_pop(pop), .s_send_valid(s_send_valid), .s_send_link(s_send_link),
        .s_send_index(s_send_index), .s_send_row(s_send_row), .s_send_zero({FSMS{1'b0}}),
        .s_send_reduce({FSMS{1'b0}}), .s_send_mark({FSMS{8'd0}}), .s_send_peer({FSMS{8'd0}}), .s_send_begun(s_send_begun), .s_oldest(s_oldest),
        .m_send_take(send_take), .s_copy_valid(s_copy_valid), .s_copy_index(s_copy_index),
        .s_copy_source({FSMS{12'd0}}), .s_copy_target({FSMS{12'd0}}), .m_copy_take(copy_take),
        .s_reduce_source({FSMS{12'd0}}), .s_reduce_zero({FSMS{1'b0}}), .s_reduce_target(s_reduce_target),
        .m_reduce_take(reduce_take), .s_store_target(s_store_target), .m_store_take(store_take),
        .s_load_valid(s_load_valid), .s_load_bank(s_load_bank), .s_load_first(s_load_first), .m_load_grant(load_grant),
        .s_unload_valid(s_unload_valid), .s_unload_first(s_unload_first), .s_unload_bank(s_unload_bank), .m_unload_grant(unload_grant),
        .m_read_reduce_valid(read_reduce_valid), .m_read_reduce_bank(read_reduce_bank),
        .m_read_send_valid(read_send_valid), .m_read_send_bank(read_send_bank), .m_read_send_row(read_send_row),
        .m_alu_valid(alu_valid), .m_arrived_valid(arrived_valid), .m_arrived_link(arrived_link),
        .m_write_reduce_valid(write_reduce_valid), .m_write_reduce_bank(write_reduce_bank),
        .m_write_store_valid(write_store_valid), .m_storing_valid(storing_valid), .m_storing_link(storing_link),
        .m_write_store_bank(write_store_bank), .s_room(s_room), .m_crowded(crowded), .m_held(held), .m_reserve(reserve),
        .m_out_valid(out_valid), .m_out_link(out_link), .m_out_context(out_context));

    `include "live.vh"

    integer f;
    always @* for (f = 0; f < FSMS; f = f + 1) begin
        assume (s_send_link[f*3 +: 3] < 3'd6);
    end

    reg [2:0] takes, pops, reduces, ups, downs;
    always @* begin
        {takes, pops, reduces, ups, downs} = 15'd0;
        for (f = 0; f < FSMS; f = f + 1) takes = takes + reduce_take[f];
        for (f = 0; f < 6; f = f + 1) begin
            pops    = pops + pop[f];
            reduces = reduces + (pop[f] && s_head_reduce[f]);
            ups     = ups + (reserve[f] && f % 2 == 0);
            downs   = downs + (reserve[f] && f % 2 == 1);
        end
    end

    // One FSM and one link, chosen freely.
    (* anyconst *) reg [$clog2(FSMS)-1:0] at;
    (* anyconst *) reg [2:0] head;
    always @* assume (head < 3'd6);
    wire [2:0]  at_link  = s_send_link >> (at * 3);
    wire [4:0]  at_index = s_send_index >> (at * 5);
    wire [11:0] at_row   = s_send_row >> (at * 12);
    wire        at_taken = |(send_take & 1 << at);
    wire        popped   = |(pop & 6'd1 << head);
    wire        reduce   = |(s_head_reduce & 6'd1 << head);
    wire        valid    = |(s_head_valid & 6'd1 << head);
    wire [1:0]  head_bank = s_head_context >> {head, 3'd0};

    reg [3:0]   bank_then;              // of the last cycle, and the one before
    reg [1:0]   store_then;
    reg         reduce_then;
    reg [23:0]  reserve_then;           // a row whose place is taken is at its link four cycles later
    reg [71:0]  rows_then;              // and read in the next
    reg [11:0]  banks_then;
    reg [5:0]   read_then;
    always @(posedge clk) begin
        reduce_then  <= popped && reduce && !rst;
        store_then   <= rst ? 2'd0 : {store_then[0], popped && !reduce};
        bank_then    <= {bank_then[1:0], head_bank};
        reserve_then <= rst ? 24'd0 : {reserve_then[17:0], reserve};
        rows_then    <= {rows_then[47:0], read_send_row};
        banks_then   <= {banks_then[7:0], read_send_bank};
        read_then    <= rst ? 6'd0 : {read_then[3:0], read_send_valid};
    end
    wire [5:0] reserved = reserve_then[23:18];

    always @* if (live) begin
        // readers: reduce, unload, send +, send -
        assert (!(read_reduce_valid && unload_grant != 2'd0 && read_reduce_bank == unload_bank));
        assert (!(read_reduce_valid && read_send_valid[0] && read_reduce_bank == read_send_bank[1:0]));
        assert (!(read_reduce_valid && read_send_valid[1] && read_reduce_bank == read_send_bank[3:2]));
        assert (!(unload_grant != 2'd0 && read_send_valid[0] && unload_bank == read_send_bank[1:0]));
        assert (!(unload_grant != 2'd0 && read_send_valid[1] && unload_bank == read_send_bank[3:2]));
        assert (!(&read_send_valid && read_send_bank[1:0] == read_send_bank[3:2]));
        // writers: reduced, store, load
        assert (!(write_reduce_valid && write_store_valid && write_reduce_bank == write_store_bank));
        assert (!(write_reduce_valid && load_grant && write_reduce_bank == s_load_bank));
        assert (!(write_store_valid && load_grant && write_store_bank == s_load_bank));
        // sources that are taken
        assert ((pop & ~s_head_valid) == 6'd0);
        assert (reduces <= 3'd1 && pops - reduces <= 3'd1);
        assert ((send_take & ~s_send_valid) == 0 && (copy_take & ~s_copy_valid) == 0);
        assert (takes == {2'd0, arrived_valid} && (copy_take == 0 || reduces == 3'd0));
        assert (!(load_grant && !s_load_valid) && (unload_grant & ~s_unload_valid) == 2'd0);
        // one half of the RX DMA is taken; the second one goes before the first only from another
        // bank
        assert (unload_grant != 2'd3);
        assert (!(s_unload_valid == 2'd3 && unload_grant == 2'd1 && s_unload_first) || s_unload_bank[1:0] != s_unload_bank[3:2]);
        assert (!(s_unload_valid == 2'd3 && unload_grant == 2'd2 && !s_unload_first) || s_unload_bank[1:0] != s_unload_bank[3:2]);
        assert ((reserve & ~s_room) == 6'd0 && ups <= 3'd1 && downs <= 3'd1);
        assert (read_send_valid == {|(reserve_then[5:0] & 6'h2a), |(reserve_then[5:0] & 6'h15)});
        assert (out_valid == {|(reserved & 6'h2a), |(reserved & 6'h15)});
        assert (!out_valid[0] || |(reserved & 6'd1 << out_link[2:0]));
        assert (!out_valid[1] || |(reserved & 6'd1 << out_link[5:3]));
        assert (!reduce_then || (arrived_valid && arrived_link == head));
        assert (!store_then[0] || (storing_valid && storing_link == head));
        assert (!store_then[1] || (write_store_valid && write_store_bank == bank_then[3:2]));
    end

    // One request of the FSM.  `inside` requests are taken and not sent yet, `ahead` of these
    // before this one.
    (* anyseq *) reg follow;
    reg         active;
    reg [2:0]   inside, ahead;
    reg [2:0]   its_link;
    reg [4:0]   its_index;
    reg [11:0]  its_row;
    wire [1:0]  sent = {out_valid[1] && out_context[15:13] == at, out_valid[0] && out_context[7:5] == at};
    wire        arrives = active && |sent && ahead == 3'd0;
    always @(posedge clk) begin
        if (rst) begin
            inside <= 3'd0;
            active <= 1'b0;
        end else begin
            inside <= inside + {2'd0, at_taken} - {2'd0, |sent};
            if (at_taken && follow && !active) begin
                active    <= 1'b1;
                ahead     <= inside - {2'd0, |sent};
                its_link  <= at_link;
                its_index <= at_index;
                its_row   <= at_row;
            end else if (active && |sent) begin
                active <= ahead != 3'd0;
                ahead  <= ahead - 3'd1;
            end
        end
    end
    always @* if (live && FOLLOW) begin
        assert (inside <= 3'd6 && sent != 2'd3);
        assert (!arrives || (sent[1] ? out_link[5:3] == its_link && out_context[12:8] == its_index
                                     : out_link[2:0] == its_link && out_context[4:0] == its_index));
        assert (!arrives || (sent[1] ? read_then[5] && rows_then[71:60] == its_row
                                     : read_then[4] && rows_then[59:48] == its_row));
        assert (gone <= 3'd3);
    end
    // Its context is held while the request is in its queue, except in the last cycles.
    wire [31:0] at_held = held >> (at * 32);
    reg  [2:0]  gone;
    always @(posedge clk) gone <= rst || !active || arrives ? 3'd0 : gone + {2'd0, !at_held[its_index]};

    // A store waits while a reduction writes its bank in the same cycle, two cycles later.  It also
    // waits for the bank of a load that waited in the cycle before.
    localparam ALU = 7;                 // cycles from the read to that
    reg [ALU-1:0]   soon;
    reg [2*ALU-1:0] soon_banks;
    wire            write_soon = soon[ALU-1];
    wire [1:0]      soon_bank = soon_banks[2*ALU-1 -: 2];
    reg             waited;
    reg [1:0]       load_bank;
    wire            kept = (write_soon && soon_bank == head_bank) || (waited && load_bank == head_bank);
    always @(posedge clk) begin
        soon       <= rst ? {ALU{1'b0}} : {soon[ALU-2:0], read_reduce_valid};
        soon_banks <= {soon_banks[2*ALU-3:0], read_reduce_bank};
        waited     <= s_load_valid && s_load_first && !load_grant && !rst;
        load_bank  <= s_load_bank;
    end
    // How often the head is passed over while its pipe takes another head.
    reg [2:0] passed;
    reg       reduce_before;
    always @(posedge clk) begin
        reduce_before <= reduce;
        passed <= rst || !valid || popped ? 3'd0 :
                  (reduce == reduce_before ? passed : 3'd0) +
                  (reduce || (pops != reduces && !kept));
    end
    always @* if (live) begin
        assert (!(valid && reduce && reduce_before) || popped || passed < 3'd5);
        assert (!(valid && reduce) || reduces == 3'd1);
        assert (!(valid && !reduce && !kept) || pops != reduces);
        assert (!(waited && popped && !reduce && load_bank == head_bank));
    end

    // A lone queue sends if no bank blocks it; an empty queue takes.
    wire lone = crowded == 1 << at && s_room == 6'h3f;
    reg  lone_then;
    always @(posedge clk) lone_then <= lone && reserve == 6'd0 && !rst;
    always @* if (live) begin
        assert (!lone_then || read_reduce_valid);
        assert (!(|(s_send_valid & 1 << at)) || |(crowded & 1 << at) || at_taken);
    end

    reg [3:0] run;
    always @(posedge clk) run <= rst || !(alu_valid && write_store_valid && &out_valid) ? 4'd0 : run + (run != 4'd15);
    always @* if (live) cover (run == 4'd6);
endmodule

`default_nettype wire
