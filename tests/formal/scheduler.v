// SPDX-License-Identifier: Apache-2.0
//
// scheduler -- ace_scheduler reserves room before it gives work, and never more than there is
//
// Chunks are free; they come and finish their work at any time.  The proof checks partition 1 of
// bank BANK.  It is a partition that is filled by a load or a phase, and emptied by a phase.
//
// Properties
//   one       There is at most one job, admission or release in five cycles.
//   order     A stage never admits a chunk that the stage before has not finished, nor finishes one
//             that it did not admit.  At most 64 chunks are in flight, and one where it is alone.
//   window    Where m_hold lets the dispatcher begin one chunk at a time, no more chunks are inside,
//             entering or begun than the window has.
//   used      The used count of a bank is the sum of the needs of the chunks in flight there.  It
//             never exceeds the partition.  It is updated before the job or admission that fills it
//             is seen.
//   rate      cover: a chunk is loaded, admitted to a phase and released
//
// The sum is proven with two counts since reset: rows reserved and rows freed.  A new chunk's block
// begins at the present count of reserved rows.  The oldest block begins at the freed rows, each
// other block at the end of the one before.  The newest ends at the reserved rows.

`default_nettype none

// what a chunk brings and takes along is any number
// cut: dut.read_q
// inside: admitted_q finished_q used_q *needs_q

module scheduler #(
    parameter BANK = 0
) (
    input wire        clk,
    input wire        rst,
    input wire        offers,               // the dispatcher begins a chunk, if it may
    input wire        s_chunk_valid,
    input wire [7:0]  s_chunk_kinds,
    input wire [43:0] s_chunk_shards,
    input wire [10:0] s_chunk_rows,
    input wire        m_load_ready,
    input wire        m_store_ready,
    input wire        s_loaded_valid,
    input wire [5:0]  s_loaded_id,
    input wire        s_stored_valid,
    input wire [5:0]  s_stored_id,
    input wire [15:0] s_context_done
);
    (* anyconst *) reg [59:0] rows;
    (* anyconst *) reg [7:0]  ring;
    (* anyconst *) reg        alone;
    (* anyconst *) reg [6:0]  window;
    wire hold;
    wire load, store, admit, release_, done, ready, busy;
    wire [2:0] phase;

    ace_scheduler #(.DIMENSIONS(3), .CONTEXTS(4)) dut (
        .clk(clk), .rst(rst), .cfg_alone(alone), .cfg_window(window), .cfg_ring({3{ring}}), .cfg_rank(24'd0),
        .cfg_partition_rows(rows), .m_hold(hold),
        .s_chunk_valid(s_chunk_valid), .s_chunk_ready(ready), .s_chunk_kinds(s_chunk_kinds), .s_chunk_dims(8'd0),
        .s_chunk_shards(s_chunk_shards), .s_chunk_valids(44'd0), .s_chunk_type(3'd0), .s_chunk_op(3'd0),
        .s_chunk_scale(37'd0), .s_chunk_mark(8'd0), .s_chunk_load_address(48'd0), .s_chunk_load_rows(s_chunk_rows),
        .s_chunk_store_address(48'd0), .s_chunk_store_rows(11'd0), .s_chunk_limit(48'd0), .s_chunk_load_burst(3'd0),
        .s_chunk_store_burst(3'd0), .s_chunk_last(1'b1), .s_chunk_tag(16'd0),
        .m_load_valid(load), .m_load_ready(m_load_ready), .m_store_valid(store), .m_store_ready(m_store_ready),
        .s_loaded_valid(s_loaded_valid), .s_loaded_id(s_loaded_id), .s_stored_valid(s_stored_valid),
        .s_stored_id(s_stored_id), .m_admit_valid(admit), .m_release_valid(release_), .m_context_phase(phase),
        .s_context_done(s_context_done), .m_done_valid(done), .busy(busy));

    `include "live.vh"

    // ---- one ----
    wire       strobe = load || store || admit || release_;
    reg  [2:0] since;                       // cycles since the last one, 5 and more: 5
    always @(posedge clk) since <= rst ? 3'd5 : strobe ? 3'd1 : since + (since != 3'd5);
    always @* if (live) begin
        assert (load + store + admit + release_ <= 3'd1);
        assert (since <= 3'd5 && (!strobe || since == 3'd5));
        assert (!done || !strobe);
    end

    // ---- window: a chunk is begun, then offered ----
    reg begun;
    always @(posedge clk)
        if (rst)                         begun <= 1'b0;
        else if (offers && !hold)        begun <= 1'b1;
        else if (s_chunk_valid && ready) begun <= 1'b0;
    always @* begin
        assume (!s_chunk_valid || begun);
        assume (!offers || !begun);         // the next one after it was taken
    end

    // ---- order ----
    (* hierconn *) wire [2:0] \dut.step_q , \dut.stage_q , \dut.enter_q ;
    (* hierconn *) wire [5:0] \dut.at_q , \dut.over_q , \dut.may_q , \dut.asks_q , \dut.can_admit_q ;
    (* hierconn *) wire       \dut.finish_q , \dut.load_q , \dut.store_q , \dut.admit_q , \dut.release_q ;
    (* hierconn *) wire [6:0] \dut.dispatched_q ;
    (* hierconn *) wire [6:0] \dut.admitted_q[0]  , \dut.admitted_q[1]  , \dut.admitted_q[2]  , \dut.admitted_q[3]  , \dut.admitted_q[4]  , \dut.admitted_q[5] ;
    (* hierconn *) wire [6:0] \dut.finished_q[0]  , \dut.finished_q[1]  , \dut.finished_q[2]  , \dut.finished_q[3]  , \dut.finished_q[4]  , \dut.finished_q[5] ;
    (* hierconn *) wire [12:0] \dut.used_q[0]  , \dut.used_q[1]  , \dut.used_q[2]  , \dut.used_q[3]  , \dut.used_q[4]  , \dut.used_q[5]  , \dut.used_q[6]  , \dut.used_q[7]  , \dut.used_q[8]  , \dut.used_q[9]  , \dut.used_q[10]  , \dut.used_q[11]  , \dut.used_q[12]  , \dut.used_q[13]  , \dut.used_q[14]  , \dut.used_q[15]  , \dut.used_q[16]  , \dut.used_q[17]  , \dut.used_q[18]  , \dut.used_q[19] ;
    wire [2:0]  step = \dut.step_q , stage = \dut.stage_q ;
    wire        finish = \dut.finish_q ;
    wire [5:0]  at = \dut.at_q ;
    wire [41:0] admitted = {\dut.admitted_q[5] , \dut.admitted_q[4] , \dut.admitted_q[3] , \dut.admitted_q[2] , \dut.admitted_q[1] , \dut.admitted_q[0] };
    wire [41:0] finished = {\dut.finished_q[5] , \dut.finished_q[4] , \dut.finished_q[3] , \dut.finished_q[2] , \dut.finished_q[1] , \dut.finished_q[0] };
    wire [6:0]  last = finished[35 +: 7];
    wire [6:0]  all  = \dut.dispatched_q - last;        // chunks in flight
    wire        still = step != 3'd2;                   // pointers did not move a cycle ago
    wire [41:0] pointers = finish ? finished : admitted;
    wire [6:0]  pointer  = pointers[stage*7 +: 7];
    genvar g;
    always @* if (live) begin
        assert (all <= 7'd64);
        assert (!alone || (all <= 7'd1 && (\dut.enter_q == 3'd0 || all == 7'd0)));
        assert (\dut.enter_q == 3'd0 || all <= 7'd63);
        assert (window == 7'd0 ? !hold : {1'b0, all} + (\dut.enter_q != 3'd0) + begun <= {1'b0, window});
        assert (\dut.enter_q <= 3'd4 && step <= 3'd4);
        assert (step == 3'd0 || stage < 3'd6);
        assert (step != 3'd1 || at == pointer[5:0]);
        assert (step != 3'd2 || at == pointer[5:0] - 6'd1);
        assert (strobe == 1'b0 || step == 3'd3);
        assert (since >= (step == 3'd0 ? 3'd2 : step == 3'd1 ? 3'd3 : step == 3'd2 ? 3'd4 : step == 3'd3 ? 3'd5 : 3'd1));
    end
    generate
        for (g = 0; g < 6; g = g + 1) begin : g_stage
            wire [6:0] in    = (g == 0 ? \dut.dispatched_q : finished[(g == 0 ? 0 : g - 1)*7 +: 7]) - last;
            wire [6:0] begun = admitted[g*7 +: 7] - last;
            wire [6:0] ended = finished[g*7 +: 7] - last;
            wire [6:0] next  = admitted[(g == 5 ? 5 : g + 1)*7 +: 7] - last;
            always @* if (live) begin
                assert (begun <= in && ended <= begun);
                assert (!(\dut.over_q [g] && still) || ended != begun);
                assert (!(\dut.may_q [g] && still) || begun != in);
                assert (!(\dut.asks_q [g] && (step == 3'd4 || step <= 3'd1)) || begun != in);
                assert (!(\dut.can_admit_q [g] && step <= 3'd1) || begun != in);
                assert (!(step == 3'd1 && stage == g) || (finish ? ended != begun : begun != in));
                // the chunk that moved a cycle ago is there, and went no further
                assert (!(step == 3'd2 && stage == g) || (finish ? g == 5 || ended != next : begun != ended));
            end
        end
    endgenerate

    // ---- used ----
    (* hierconn *) wire [11:0] \dut.g_stage[1].g_partition.needs_q[0]  , \dut.g_stage[1].g_partition.needs_q[1]  , \dut.g_stage[1].g_partition.needs_q[2]  , \dut.g_stage[1].g_partition.needs_q[3]  , \dut.g_stage[1].g_partition.needs_q[4]  , \dut.g_stage[1].g_partition.needs_q[5]  , \dut.g_stage[1].g_partition.needs_q[6]  , \dut.g_stage[1].g_partition.needs_q[7]  , \dut.g_stage[1].g_partition.needs_q[8]  , \dut.g_stage[1].g_partition.needs_q[9]  , \dut.g_stage[1].g_partition.needs_q[10]  , \dut.g_stage[1].g_partition.needs_q[11]  , \dut.g_stage[1].g_partition.needs_q[12]  , \dut.g_stage[1].g_partition.needs_q[13]  , \dut.g_stage[1].g_partition.needs_q[14]  , \dut.g_stage[1].g_partition.needs_q[15]  , \dut.g_stage[1].g_partition.needs_q[16]  , \dut.g_stage[1].g_partition.needs_q[17]  , \dut.g_stage[1].g_partition.needs_q[18]  , \dut.g_stage[1].g_partition.needs_q[19]  , \dut.g_stage[1].g_partition.needs_q[20]  , \dut.g_stage[1].g_partition.needs_q[21]  , \dut.g_stage[1].g_partition.needs_q[22]  , \dut.g_stage[1].g_partition.needs_q[23]  , \dut.g_stage[1].g_partition.needs_q[24]  , \dut.g_stage[1].g_partition.needs_q[25]  , \dut.g_stage[1].g_partition.needs_q[26]  , \dut.g_stage[1].g_partition.needs_q[27]  , \dut.g_stage[1].g_partition.needs_q[28]  , \dut.g_stage[1].g_partition.needs_q[29]  , \dut.g_stage[1].g_partition.needs_q[30]  , \dut.g_stage[1].g_partition.needs_q[31]  , \dut.g_stage[1].g_partition.needs_q[32]  , \dut.g_stage[1].g_partition.needs_q[33]  , \dut.g_stage[1].g_partition.needs_q[34]  , \dut.g_stage[1].g_partition.needs_q[35]  , \dut.g_stage[1].g_partition.needs_q[36]  , \dut.g_stage[1].g_partition.needs_q[37]  , \dut.g_stage[1].g_partition.needs_q[38]  , \dut.g_stage[1].g_partition.needs_q[39]  , \dut.g_stage[1].g_partition.needs_q[40]  , \dut.g_stage[1].g_partition.needs_q[41]  , \dut.g_stage[1].g_partition.needs_q[42]  , \dut.g_stage[1].g_partition.needs_q[43]  , \dut.g_stage[1].g_partition.needs_q[44]  , \dut.g_stage[1].g_partition.needs_q[45]  , \dut.g_stage[1].g_partition.needs_q[46]  , \dut.g_stage[1].g_partition.needs_q[47]  , \dut.g_stage[1].g_partition.needs_q[48]  , \dut.g_stage[1].g_partition.needs_q[49]  , \dut.g_stage[1].g_partition.needs_q[50]  , \dut.g_stage[1].g_partition.needs_q[51]  , \dut.g_stage[1].g_partition.needs_q[52]  , \dut.g_stage[1].g_partition.needs_q[53]  , \dut.g_stage[1].g_partition.needs_q[54]  , \dut.g_stage[1].g_partition.needs_q[55]  , \dut.g_stage[1].g_partition.needs_q[56]  , \dut.g_stage[1].g_partition.needs_q[57]  , \dut.g_stage[1].g_partition.needs_q[58]  , \dut.g_stage[1].g_partition.needs_q[59]  , \dut.g_stage[1].g_partition.needs_q[60]  , \dut.g_stage[1].g_partition.needs_q[61]  , \dut.g_stage[1].g_partition.needs_q[62]  , \dut.g_stage[1].g_partition.needs_q[63] ;
    (* hierconn *) wire [11:0] \dut.g_stage[1].g_partition.need_q ;
    (* hierconn *) wire [12:0] \dut.g_stage[1].g_partition.sum_q , \dut.chunk_used_q ;
    wire [767:0] needs = {\dut.g_stage[1].g_partition.needs_q[63] , \dut.g_stage[1].g_partition.needs_q[62] , \dut.g_stage[1].g_partition.needs_q[61] , \dut.g_stage[1].g_partition.needs_q[60] , \dut.g_stage[1].g_partition.needs_q[59] , \dut.g_stage[1].g_partition.needs_q[58] , \dut.g_stage[1].g_partition.needs_q[57] , \dut.g_stage[1].g_partition.needs_q[56] , \dut.g_stage[1].g_partition.needs_q[55] , \dut.g_stage[1].g_partition.needs_q[54] , \dut.g_stage[1].g_partition.needs_q[53] , \dut.g_stage[1].g_partition.needs_q[52] , \dut.g_stage[1].g_partition.needs_q[51] , \dut.g_stage[1].g_partition.needs_q[50] , \dut.g_stage[1].g_partition.needs_q[49] , \dut.g_stage[1].g_partition.needs_q[48] , \dut.g_stage[1].g_partition.needs_q[47] , \dut.g_stage[1].g_partition.needs_q[46] , \dut.g_stage[1].g_partition.needs_q[45] , \dut.g_stage[1].g_partition.needs_q[44] , \dut.g_stage[1].g_partition.needs_q[43] , \dut.g_stage[1].g_partition.needs_q[42] , \dut.g_stage[1].g_partition.needs_q[41] , \dut.g_stage[1].g_partition.needs_q[40] , \dut.g_stage[1].g_partition.needs_q[39] , \dut.g_stage[1].g_partition.needs_q[38] , \dut.g_stage[1].g_partition.needs_q[37] , \dut.g_stage[1].g_partition.needs_q[36] , \dut.g_stage[1].g_partition.needs_q[35] , \dut.g_stage[1].g_partition.needs_q[34] , \dut.g_stage[1].g_partition.needs_q[33] , \dut.g_stage[1].g_partition.needs_q[32] , \dut.g_stage[1].g_partition.needs_q[31] , \dut.g_stage[1].g_partition.needs_q[30] , \dut.g_stage[1].g_partition.needs_q[29] , \dut.g_stage[1].g_partition.needs_q[28] , \dut.g_stage[1].g_partition.needs_q[27] , \dut.g_stage[1].g_partition.needs_q[26] , \dut.g_stage[1].g_partition.needs_q[25] , \dut.g_stage[1].g_partition.needs_q[24] , \dut.g_stage[1].g_partition.needs_q[23] , \dut.g_stage[1].g_partition.needs_q[22] , \dut.g_stage[1].g_partition.needs_q[21] , \dut.g_stage[1].g_partition.needs_q[20] , \dut.g_stage[1].g_partition.needs_q[19] , \dut.g_stage[1].g_partition.needs_q[18] , \dut.g_stage[1].g_partition.needs_q[17] , \dut.g_stage[1].g_partition.needs_q[16] , \dut.g_stage[1].g_partition.needs_q[15] , \dut.g_stage[1].g_partition.needs_q[14] , \dut.g_stage[1].g_partition.needs_q[13] , \dut.g_stage[1].g_partition.needs_q[12] , \dut.g_stage[1].g_partition.needs_q[11] , \dut.g_stage[1].g_partition.needs_q[10] , \dut.g_stage[1].g_partition.needs_q[9] , \dut.g_stage[1].g_partition.needs_q[8] , \dut.g_stage[1].g_partition.needs_q[7] , \dut.g_stage[1].g_partition.needs_q[6] , \dut.g_stage[1].g_partition.needs_q[5] , \dut.g_stage[1].g_partition.needs_q[4] , \dut.g_stage[1].g_partition.needs_q[3] , \dut.g_stage[1].g_partition.needs_q[2] , \dut.g_stage[1].g_partition.needs_q[1] , \dut.g_stage[1].g_partition.needs_q[0] };
    wire [51:0]  used_all = {\dut.used_q[7] , \dut.used_q[6] , \dut.used_q[5] , \dut.used_q[4] };
    wire [12:0]  used   = used_all[BANK*13 +: 13];
    wire [12:0]  most   = {1'b0, rows[12 +: 12]};
    wire [11:0]  need   = \dut.g_stage[1].g_partition.need_q ;
    wire [5:0]   newest = admitted[7 +: 6];
    wire         ours   = newest[1:0] == BANK;          // the chunk that is next
    wire         acts   = at[1:0] == BANK;              // the one that is moved
    wire         comes  = step == 3'd2 && acts && stage == 3'd1 && !finish;
    wire         goes   = step == 3'd2 && acts && stage == 3'd2 && finish;
    // in flight there, as of what is counted: the pointers move a cycle before
    wire [6:0]   to     = admitted[7 +: 7] - (step == 3'd2 && stage == 3'd1 && !finish);
    wire [6:0]   from   = finished[14 +: 7] - (step == 3'd2 && stage == 3'd2 && finish);
    wire [6:0]   here   = to - from;

    reg  [12:0]  reserved, freed;
    reg  [12:0]  begins [0:15];             // of each chunk of the bank
    integer n;
    always @(posedge clk) begin
        if (rst) {reserved, freed} <= 26'd0;
        else begin
            if (comes) begin
                reserved <= reserved + {1'b0, needs[at*12 +: 12]};
                begins[at[5:2]] <= reserved;
            end
            if (goes) freed <= freed + {1'b0, needs[at*12 +: 12]};
        end
    end
    wire [15:0] in_flight;
    generate
        for (g = 0; g < 16; g = g + 1) begin : g_chunk
            wire [5:0]  id     = 4 * g + BANK;
            wire [5:0]  behind = id - from[5:0];
            wire        is     = {1'b0, behind} < here;
            wire [12:0] at_    = begins[g] - freed;             // what lies before it
            wire [12:0] next   = begins[(g + 1) % 16] - freed;
            wire [13:0] ends   = {1'b0, at_} + {2'd0, needs[id*12 +: 12]};
            assign in_flight[g] = is;
            always @* if (live && is) begin
                assert (behind >= 6'd4 || at_ == 13'd0);
                assert (ends == {1'b0, {1'b0, behind} + 7'd4 >= here ? used : next});
            end
        end
    endgenerate
    always @* if (live) begin
        assert (used == reserved - freed);
        assert (in_flight != 16'd0 || reserved == freed);
        assert (used <= most);
        // inputs of a decision
        assert (!(\dut.may_q [1] && still && ours) || need == needs[newest*12 +: 12]);
        assert (!(\dut.asks_q [1] && (step == 3'd4 || step <= 3'd1) && ours) ||
                \dut.g_stage[1].g_partition.sum_q == used + {1'b0, needs[newest*12 +: 12]});
        assert (!(\dut.can_admit_q [1] && step <= 3'd1 && ours) || used + {1'b0, needs[newest*12 +: 12]} <= most);
        assert (!(step == 3'd1 && acts && stage == 3'd1 && !finish) || used + {1'b0, needs[at*12 +: 12]} <= most);
        assert (!(comes || goes) || (need == needs[at*12 +: 12] && \dut.chunk_used_q == used));
        assert (!comes || used + {1'b0, need} <= most);
    end

    reg [3:0] seen;
    always @(posedge clk) seen <= rst ? 4'd0 : seen | {store, release_, admit, load};
    always @* if (live) cover (seen[2:0] == 3'b111);
endmodule

`default_nettype wire
