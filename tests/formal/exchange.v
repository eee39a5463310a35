// SPDX-License-Identifier: Apache-2.0
//
// exchange -- ace_exchange: an all-to-all reads each row once and sends it to its member
//
// One command follows reset, at any rank, with any vector whose blocks have BLOCK rows at most.
// The memory takes a request every EVERY cycles and answers in the next cycle.  Sent rows are
// popped at once, and the expected number of rows arrives.  Each queue has one slot, so a request
// waits for the row before it on its queue.
//
// Properties
//   within    Every requested row is a row of the blocks.
//   once      Any row of any member's block, chosen freely, is requested at most once, and at
//             m_done exactly once.
//   way       The row leaves with its data on the queue of its first link.  Its hops are the
//             shorter path to the member.  To a member halfway round, even rows go upwards and odd
//             rows downwards.
//   target    The row goes to the position of the sender's block, under the command's key.  It has
//             as many bytes as both vectors have there.
//   whole     cover: a command of the largest blocks is done
//
// The proof computes a row from its member's number; the module sums products of one byte.

`default_nettype none

module exchange #(
    parameter X = 3,                // nodes on the rings, 1..4
    parameter Y = 2,
    parameter Z = 2,
    parameter COUNT = 3,            // dimensions of the command: so many of
    parameter ORDER = 36,           // these, 2 bits each: x, y, z
    parameter BLOCK = 3,            // rows of a block, at most
    parameter EVERY = 1             // cycles from one request that the memory takes to the next, at least
) (
    input wire clk
);
    localparam [31:0] X_ = X, Y_ = Y, Z_ = Z, COUNT_ = COUNT, ORDER_ = ORDER;
    wire [8:0] rings = {Z_[2:0], Y_[2:0], X_[2:0]};     // 3 bits a dimension
    wire [1:0] dim_count = COUNT_[1:0];
    wire [5:0] dims = ORDER_[5:0];

    // Free constants.
    (* anyconst *) reg [5:0]  ranks;        // 2 bits a dimension
    (* anyconst *) reg [12:0] bytes;
    (* anyconst *) reg [3:0]  source, destination;  // in 4 KiB
    (* anyconst *) reg [5:0]  block;
    (* anyconst *) reg [5:0]  places;       // of a member, 2 bits a dimension
    (* anyconst *) reg [5:0]  its_row;      // of its block

    reg live = 1'b0;                        // reset in the first cycle alone
    always @(posedge clk) live <= 1'b1;
    wire rst = !live;

    // ---- the command, written down directly ----------------------------------

    reg  [2:0] part;
    reg  [8:0] sizes;
    integer    d;
    always @* begin
        for (d = 0; d < 3; d = d + 1) begin
            part[d] = (dims[1:0] == d || (dim_count > 2'd1 && dims[3:2] == d) ||
                       (dim_count == 2'd3 && dims[5:4] == d)) && rings[3*d +: 3] != 3'd1;
            sizes[3*d +: 3] = part[d] ? rings[3*d +: 3] : 3'd1;
            assume ({1'b0, ranks[2*d +: 2]} < rings[3*d +: 3]);
            assume ({1'b0, places[2*d +: 2]} < sizes[3*d +: 3]);
        end
        assume (bytes != 13'd0 && block != 6'd0 && block <= BLOCK && (block - 6'd1) * members < rows &&
                rows <= block * members);
        assume (its_row < block);
    end
    wire [6:0]  members = sizes[2:0] * sizes[5:3] * sizes[8:6];
    wire [12:0] rows = {8'd0, bytes[12:8]} + (bytes[7:0] != 8'd0);
    wire [8:0]  tail = bytes[7:0] == 8'd0 ? 9'd256 : {1'b0, bytes[7:0]};
    function [6:0] number;                  // of the member at these places, x counting fastest
        input [5:0] at;
        number = at[1:0] * part[0] + sizes[2:0] * (at[3:2] * part[1] + sizes[5:3] * (at[5:4] * part[2]));
    endfunction
    wire [12:0] there = number(places) * block + its_row;   // the row, in this node's vector
    wire [12:0] here  = number(ranks) * block + its_row;    // and in the other's
    wire [12:0] far   = there > here ? there : here;

    // ---- memory, links and the other members ----------------------------------

    wire         done, ar_valid, aw_valid, w_valid, room;
    wire [47:0]  ar_addr;
    wire [6:0]   head_valid;
    wire [447:0] head_route;
    wire [118:0] head_note;
    reg  [3:0]   waits;
    localparam [31:0] EVERY_ = EVERY;
    wire         ar_ready = waits == 4'd0;
    wire         ar = ar_valid && ar_ready;
    reg          given, r_valid, row_valid, b_valid;
    reg  [6:0]   came;                      // rows that arrived, or have a place
    wire         comes = room && came != block * members && live;
    always @(posedge clk) begin
        given     <= live;
        waits     <= ar ? EVERY_[3:0] - 4'd1 : waits - !ar_ready;
        r_valid   <= ar && live;
        row_valid <= comes;
        b_valid   <= w_valid && live;
        came      <= live ? came + {6'd0, comes} : 7'd0;
    end

    ace_exchange #(.ROWS(1), .BURSTS(2), .SENDS(1), .CODED(0)) dut (
        .clk(clk), .rst(rst),
        .cfg_ring({5'd0, rings[8:6], 5'd0, rings[5:3], 5'd0, rings[2:0]}),
        .cfg_rank({6'd0, ranks[5:4], 6'd0, ranks[3:2], 6'd0, ranks[1:0]}),
        .cfg_window_first(64'd0), .cfg_window_last(64'd0),
        .s_cmd_valid(live && !given), .s_cmd_list(1'b0), .s_cmd_dim_count({1'b0, dim_count}),
        .s_cmd_dims(dims), .s_cmd_source({32'd0, source, 12'd0}), .s_cmd_destination({32'd0, destination, 12'd0}),
        .s_cmd_bytes({28'd0, bytes}), .s_cmd_tag(16'd0), .m_done_valid(done), .m_done_ready(1'b0),
        .m_ar_valid(ar_valid), .m_ar_ready(ar_ready), .m_ar_addr(ar_addr), .s_r_valid(r_valid), .s_r_data(2048'd0),
        .s_r_code(32'd0),
        .m_aw_valid(aw_valid), .m_aw_ready(1'b1), .m_w_valid(w_valid), .m_w_ready(1'b1), .s_b_valid(b_valid),
        .m_head_valid(head_valid), .m_head_route(head_route), .m_head_note(head_note), .s_pop(head_valid),
        .m_room(room), .s_reserve(comes), .s_row_valid(row_valid), .s_row_address(32'd0),
        .s_row_note({13'd0, part, 1'b0}), .s_row_data(2048'd0), .s_row_code(32'd0));

    // ---- asked for once --------------------------------------------------------

    wire [47:0] begins = {32'd0, source, 12'd0};
    wire [47:0] ends   = begins + {27'd0, block * members, 8'd0};
    wire        hit    = ar && ar_addr == begins + {27'd0, there, 8'd0};
    reg         asked, answered, leaves;
    always @(posedge clk) begin
        asked    <= live && (asked || hit);
        answered <= live && hit;
        leaves   <= live && answered;
    end
    always @* if (live) begin
        assert (!ar_valid || (ar_addr >= begins && ar_addr < ends && ar_addr[7:0] == 8'd0));
        assert (!hit || !asked);
        assert (!done || asked);
    end

    // ---- the row is sent ---------------------------------------------------------

    reg  [63:0] route;
    reg  [16:0] note;
    reg  [6:0]  queue;
    reg  [2:0]  hops;
    reg  [3:0]  to;                         // where they lead on a ring, up to twice round
    reg  [2:0]  right;
    integer     q;
    always @* begin
        {route, note} = 81'd0;
        for (q = 0; q < 7; q = q + 1)
            if (head_valid[q]) {route, note} = {route | head_route[64*q +: 64], note | head_note[17*q +: 17]};
        queue = 7'd64;
        for (d = 2; d >= 0; d = d - 1) begin
            hops = route[8*d +: 3];
            to   = ranks[2*d +: 2] + (route[8*d+7] ? rings[3*d +: 3] - hops : hops);
            if (to >= {1'b0, rings[3*d +: 3]}) to = to - {1'b0, rings[3*d +: 3]};
            right[d] = route[8*d+3 +: 4] == 4'd0 && (hops == 3'd0 ? !route[8*d+7] : part[d]) &&
                       {1'b0, hops} + {1'b0, hops} <= {1'b0, rings[3*d +: 3]} &&
                       ({1'b0, hops} + {1'b0, hops} != {1'b0, rings[3*d +: 3]} || route[8*d+7] == its_row[0]) &&
                       (!part[d] || to == {2'b00, places[2*d +: 2]});
            if (hops != 3'd0) queue = 7'd1 << 2 * d + route[8*d+7];
        end
    end
    always @* if (live && leaves) begin
        assert (head_valid == queue && right == 3'd7 && route[31:24] == 8'd0);
        assert (route[63:32] == {24'd0, destination, 4'd0} + {19'd0, here});
        assert (note == {far >= rows ? 9'd0 : far + 13'd1 == rows ? tail : 9'd256, 4'd0, part, 1'b0});
    end

    always @* if (live) cover (done && block == BLOCK);
endmodule

`default_nettype wire
