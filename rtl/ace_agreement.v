// SPDX-License-Identifier: Apache-2.0
//
// ace_agreement -- holds commands back until all nodes have them; nodes agree in rounds
//
//   s_cmd ---> [ queue ] ---> m_cmd           as many as the rounds say
//   s_number --> { here, ahead } --> { least } --> m_number
//
// Contract
//   Handshake   A beat moves when valid && ready, or valid && take.  Valid and its payload hold
//               until then.  One exception: a waiting number may become less.
//   Round       A node counts its commands that are not agreed on, 255 at most.  In a round the
//               nodes find the least of these numbers.  A number goes up along the first agreed
//               dimension, once for each other member.  Each node passes on the least number it has
//               received so far.  The round then goes on along the next dimension.  At the end
//               every node has the least number of all nodes, which is the result.
//   Numbers     m_number goes to the next member up; s_number comes from the member below.  Numbers
//               arrive in order.  A number that follows the last of a round belongs to the next
//               round.  No number of a later round can arrive, since a round ends only after all
//               nodes have begun it.
//   Commands    The result is the number of commands that leave on m_cmd now, in the order in which
//               they came.  The dispatcher begins no chunk in the cycle after it has taken a
//               command.
//   Choice      After a result m_hold stays low while the dispatcher chooses ROUND_CHUNKS chunks.
//               s_chunk reports that a chunk was chosen and taken. m_hold rises earlier if the
//               dispatcher has no command (s_rests) and no command is agreed on.  The dispatcher
//               then waits for the next result.
//   Begin       The next round begins when a result is used.  If nothing is left to choose from,
//               the round begins only when a new command arrives.
//   Alike       Commands come in one order at all nodes.  The commands that the dispatcher has at
//               its k-th choice depend only on earlier results and choices.  So all nodes make the
//               same choice.
//   Reset       rst is synchronous, active high.  All nodes are reset together.
//   Twin        cmodel/nic/ace_agreement.h, equal at every port, every cycle
//               (tests/lockstep/lockstep_agreement_test.cc).
//
// All outputs come from registers, or from the memory, which is clocked.

`default_nettype none

module ace_agreement #(
    parameter DIMENSIONS   = 3,     // 3 or 4
    parameter COMMANDS     = 64,    // that wait, a power of two
    parameter ROUND_CHUNKS = 16     // that are chosen by a result, 1 to 31
) (
    input  wire        clk,
    input  wire        rst,

    input  wire [DIMENSIONS-1:0]   cfg_agreed,  // dimensions that are agreed over, of several members each
    input  wire [DIMENSIONS-1:0]   cfg_hub,     // those that are no rings
    input  wire [8*DIMENSIONS-1:0] cfg_ring,    // 8 bits a dimension
    input  wire [8*DIMENSIONS-1:0] cfg_rank,

    input  wire        s_cmd_valid,             // as ace_dispatcher takes it
    output wire        s_cmd_ready,
    input  wire [1:0]  s_cmd_kind,
    input  wire [2:0]  s_cmd_type,
    input  wire [2:0]  s_cmd_op,
    input  wire [31:0] s_cmd_scale,
    input  wire [2:0]  s_cmd_dim_count,
    input  wire [2*DIMENSIONS-1:0] s_cmd_dims,
    input  wire [47:0] s_cmd_source,
    input  wire [47:0] s_cmd_destination,
    input  wire [40:0] s_cmd_bytes,
    input  wire [15:0] s_cmd_tag,

    output wire        m_cmd_valid,
    input  wire        m_cmd_ready,
    output wire [1:0]  m_cmd_kind,
    output wire [2:0]  m_cmd_type,
    output wire [2:0]  m_cmd_op,
    output wire [31:0] m_cmd_scale,
    output wire [2:0]  m_cmd_dim_count,
    output wire [2*DIMENSIONS-1:0] m_cmd_dims,
    output wire [47:0] m_cmd_source,
    output wire [47:0] m_cmd_destination,
    output wire [40:0] m_cmd_bytes,
    output wire [15:0] m_cmd_tag,
    output wire        m_hold,                  // no chunk is begun
    input  wire        s_chunk,
    input  wire        s_rests,

    input  wire [2*DIMENSIONS-1:0]  s_number_valid,     // a bit a link
    input  wire [16*DIMENSIONS-1:0] s_number,           // 8 bits a link
    output wire        m_number_valid,
    input  wire        s_number_take,
    output wire [2:0]  m_number_link,
    output wire [7:0]  m_number_peer,           // on a hub: the member that it is for
    output wire [7:0]  m_number,

    output wire        idle                     // nothing changes without input
);

    localparam COMMAND_W = $clog2(COMMANDS);
    localparam DIMS_W    = 2 * DIMENSIONS;
    localparam QUEUE_W   = 2 + 3 + 3 + 32 + 3 + DIMS_W + 48 + 48 + 41 + 16;
    localparam [COMMAND_W:0] NONE = {(COMMAND_W+1){1'b0}};
    localparam [7:0] MOST = 8'd255;             // the largest number, and more than any that has come

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (DIMENSIONS != 3 && DIMENSIONS != 4) begin : g_illegal_dimensions
            DIMENSIONS_must_be_3_or_4 stop ();
        end
        if (COMMANDS < 2 || COMMANDS > 32768 || (COMMANDS & (COMMANDS - 1)) != 0) begin : g_illegal_commands
            COMMANDS_must_be_a_power_of_two_from_2_to_32768 stop ();
        end
        if (ROUND_CHUNKS < 1 || ROUND_CHUNKS > 31) begin : g_illegal_round_chunks
            ROUND_CHUNKS_must_be_1_to_31 stop ();
        end
    endgenerate

    function [7:0] least;
        input [7:0] a, b;
        least = a < b ? a : b;
    endfunction

    // ---- commands that wait, in a memory ----
    reg [COMMAND_W:0] head_q, tail_q;
    reg [COMMAND_W:0] fresh_q;                  // that are not agreed on
    reg [COMMAND_W:0] agreed_q;                 // that are, and wait
    reg               popped_q;                 // what was read is the one before

    wire [COMMAND_W:0] held = tail_q - head_q;
    assign s_cmd_ready = held != COMMANDS[COMMAND_W:0];
    assign m_cmd_valid = agreed_q != NONE && !popped_q;
    wire [QUEUE_W-1:0] first;                   // as it was read
    assign {m_cmd_kind, m_cmd_type, m_cmd_op, m_cmd_scale, m_cmd_dim_count, m_cmd_dims, m_cmd_source,
            m_cmd_destination, m_cmd_bytes, m_cmd_tag} = first;
    wire take = s_cmd_valid && s_cmd_ready;
    wire pop  = m_cmd_valid && m_cmd_ready;

    // ---- the round under way ----
    reg                  ready_q;               // none is, and value_q is the result of the last
    reg [DIMENSIONS-1:0] left_q;                // dimensions that it has still to go along; 0: none is under way
    reg [7:0]            value_q;               // least number so far, the own included
    reg [6:0]            sent_q;                // along this one
    reg                  open_q;                // the dispatcher chooses
    reg [4:0]            chunks_q;              // that it still may

    // of each dimension
    reg [7*DIMENSIONS-1:0] here_q, ahead_q;     // numbers that have come of this round, and of the next
    reg [8*DIMENSIONS-1:0] here_least_q, ahead_least_q;

    reg [1:0] dim;                              // that it goes along
    integer   i;
    always @* begin
        dim = 2'd0;
        for (i = DIMENSIONS - 1; i >= 0; i = i - 1)
            if (left_q[i]) dim = i[1:0];
    end
    wire       goes    = left_q != {DIMENSIONS{1'b0}};
    wire [7:0] ring    = cfg_ring[dim*8 +: 8];
    wire [7:0] next    = cfg_rank[dim*8 +: 8] + 8'd1;
    wire [6:0] others  = ring[6:0] - 7'd1;      // 127 of a ring of 128
    wire [6:0] here    = here_q[dim*7 +: 7];
    wire [7:0] lowest  = least(value_q, here_least_q[dim*8 +: 8]);
    wire       all_out = sent_q == others;
    wire       pass    = goes && all_out && here == others;
    wire [DIMENSIONS-1:0] rest = left_q & (left_q - 1'b1);
    wire       begins  = !goes && !ready_q && (open_q || fresh_q != NONE);
    wire       uses    = ready_q && !open_q;
    wire       some    = !s_rests || agreed_q != NONE;

    assign m_number_valid = goes && !all_out && here >= sent_q;
    assign m_number_link  = {dim, 1'b0};
    assign m_number_peer  = !cfg_hub[dim] ? 8'd0 : next == ring ? 8'd0 : next;
    assign m_number       = lowest;
    assign m_hold         = !open_q;
    assign idle = agreed_q == NONE && !popped_q && !open_q && !ready_q && !begins && !pass && !m_number_valid;

    // The first command is read when it is agreed on, or when the command before it has left.  A
    // command written in that same cycle is not agreed on yet, and is read again later.
    ace_ram_1r1w #(.DEPTH(COMMANDS), .WIDTH(QUEUE_W)) u_queue (
        .clk(clk),
        .s_read_valid(uses || popped_q), .s_read_at(head_q[COMMAND_W-1:0]), .m_data(first),
        .s_write_valid(take), .s_write_at(tail_q[COMMAND_W-1:0]),
        .s_write_data({s_cmd_kind, s_cmd_type, s_cmd_op, s_cmd_scale, s_cmd_dim_count, s_cmd_dims, s_cmd_source,
                       s_cmd_destination, s_cmd_bytes, s_cmd_tag}),
        .test_on(1'b0), .test_read(1'b0), .test_write(1'b0), .test_at({COMMAND_W{1'b0}}),
        .test_data({QUEUE_W{1'b0}}));

    // A result is at most this node's number, and that is at most the number of commands here.
    wire [COMMAND_W+8:0] result = {{(COMMAND_W+1){1'b0}}, value_q};
    wire [COMMAND_W:0]   given  = uses ? result[COMMAND_W:0] : NONE;
    wire [31:0]          waits  = {{(31-COMMAND_W){1'b0}}, fresh_q};

    always @(posedge clk) begin
        if (rst) begin
            head_q   <= NONE;
            tail_q   <= NONE;
            fresh_q  <= NONE;
            agreed_q <= NONE;
            popped_q <= 1'b0;
            ready_q  <= 1'b0;
            left_q   <= {DIMENSIONS{1'b0}};
            sent_q   <= 7'd0;
            open_q   <= 1'b0;
        end else begin
            if (take) tail_q <= tail_q + 1'b1;
            if (pop)  head_q <= head_q + 1'b1;
            popped_q <= pop;
            fresh_q  <= fresh_q + {{COMMAND_W{1'b0}}, take} - given;
            agreed_q <= agreed_q + given - {{COMMAND_W{1'b0}}, pop};

            if (begins)    left_q <= cfg_agreed;
            else if (pass) left_q <= rest;
            if (pass)                                sent_q <= 7'd0;
            else if (m_number_valid && s_number_take) sent_q <= sent_q + 7'd1;
            if (pass && rest == {DIMENSIONS{1'b0}}) ready_q <= 1'b1;
            else if (uses)                          ready_q <= 1'b0;

            if (uses)        open_q <= some || value_q != 8'd0;
            else if (open_q) open_q <= !(s_chunk && chunks_q == 5'd1) && some;
        end
    end

    always @(posedge clk) begin
        if (begins)    value_q <= waits > {24'd0, MOST} ? MOST : waits[7:0];
        else if (pass) value_q <= lowest;
        if (uses)                   chunks_q <= ROUND_CHUNKS[4:0];
        else if (open_q && s_chunk) chunks_q <= chunks_q - 5'd1;
    end

    // ---- numbers that come ----
    genvar g;
    generate
        for (g = 0; g < DIMENSIONS; g = g + 1) begin : g_dimension
            localparam [31:0] G = g;
            wire [6:0] all    = cfg_ring[g*8 +: 7] - 7'd1;
            wire       came   = cfg_agreed[g] && s_number_valid[2*g +: 2] != 2'd0;
            wire [7:0] number = s_number_valid[2*g] ? s_number[16*g +: 8] : s_number[16*g+8 +: 8];
            wire       full   = here_q[g*7 +: 7] == all;
            wire       passed = pass && dim == G[1:0];
            wire [6:0] here_count  = came && !full ? here_q[g*7 +: 7] + 7'd1 : here_q[g*7 +: 7];
            wire [7:0] here_least  = came && !full ? least(here_least_q[g*8 +: 8], number) : here_least_q[g*8 +: 8];
            wire [6:0] ahead_count = came && full ? ahead_q[g*7 +: 7] + 7'd1 : ahead_q[g*7 +: 7];
            wire [7:0] ahead_least = came && full ? least(ahead_least_q[g*8 +: 8], number) : ahead_least_q[g*8 +: 8];
            always @(posedge clk)
                if (rst) begin
                    here_q[g*7 +: 7]        <= 7'd0;
                    ahead_q[g*7 +: 7]       <= 7'd0;
                    here_least_q[g*8 +: 8]  <= MOST;
                    ahead_least_q[g*8 +: 8] <= MOST;
                end else begin
                    here_q[g*7 +: 7]        <= passed ? ahead_count : here_count;
                    here_least_q[g*8 +: 8]  <= passed ? ahead_least : here_least;
                    ahead_q[g*7 +: 7]       <= passed ? 7'd0 : ahead_count;
                    ahead_least_q[g*8 +: 8] <= passed ? MOST : ahead_least;
                end
        end
    endgenerate

    wire unused = &{1'b0, result[COMMAND_W+8:COMMAND_W+1], ring[7]};     // rings of 128

endmodule

`default_nettype wire
