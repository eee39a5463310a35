// SPDX-License-Identifier: Apache-2.0
//
// ace_dispatcher -- holds the waiting collectives and cuts them into planned chunks
//
//   s_cmd ---> [ command store ] ---> [ pick, divide, plan ] ---> m_chunk
//                newest or oldest first      12 cycles a division
//
// Contract
//   Handshake   A beat moves when valid && ready; m_chunk holds until taken.
//   Order       LIFO: the newest collective with rows left gives the next chunk (it
//               belongs to the earliest layers); FIFO: the oldest.
//   Phases      All-reduce is reduce-scatter on the first ring, all-reduce on the
//               others, all-gather on the first; rings of one node are left out.
//               Phases are right-aligned: what is unused comes first, as kind 0.
//   Shards      A shard is ceil(rows / ring) rows, so every node does the same work.
//   Reset       rst is synchronous, active high; it forgets every command.
//   Twin        cmodel/twin/ace_dispatcher.h, equal at every port, every cycle
//               (tests/lockstep/lockstep_dispatcher_test.cc).

`default_nettype none

module ace_dispatcher #(
    parameter DIMENSIONS = 3,   // 3 or 4
    parameter COMMANDS   = 64   // collectives waiting, a power of two
) (
    input  wire        clk,
    input  wire        rst,

    input  wire        cfg_fifo,            // 0: LIFO   1: FIFO
    input  wire [8*DIMENSIONS-1:0] cfg_ring,    // 8 bits a dimension
    input  wire [8*DIMENSIONS-1:0] cfg_rank,
    input  wire [10:0] cfg_chunk_rows,

    input  wire        s_cmd_valid,
    output wire        s_cmd_ready,
    input  wire [1:0]  s_cmd_kind,          // 0 all-reduce 1 reduce-scatter 2 all-gather
    input  wire [2:0]  s_cmd_type,          // of the elements, and what is done to them: see ace_alu
    input  wire [2:0]  s_cmd_op,
    input  wire [31:0] s_cmd_scale,         // of an average, see ace_alu
    input  wire [2:0]  s_cmd_dim_count,
    input  wire [2*DIMENSIONS-1:0] s_cmd_dims,  // 2 bits each, first in the low bits
    input  wire [47:0] s_cmd_source,
    input  wire [47:0] s_cmd_destination,
    input  wire [40:0] s_cmd_bytes,
    input  wire [15:0] s_cmd_tag,

    output wire        m_chunk_valid,
    input  wire        m_chunk_ready,
    output wire [2*DIMENSIONS+1:0]   m_chunk_kinds,     // 2 bits a phase: 0 none 1 RS 2 AR 3 AG
    output wire [2*DIMENSIONS+1:0]   m_chunk_dims,      // 2 bits a phase
    output wire [11*DIMENSIONS+10:0] m_chunk_shards,    // 11 bits a phase: rows of a shard
    output wire [11*DIMENSIONS+10:0] m_chunk_valids,    // 11 bits a phase: source rows that are not padding
    output wire [2:0]  m_chunk_type,
    output wire [2:0]  m_chunk_op,
    output wire [36:0] m_chunk_scale,       // s_cmd_scale, and log2 of the members, rounded up
    output wire [7:0]  m_chunk_mark,        // identity checked between nodes
    output wire [47:0] m_chunk_load_address,
    output wire [10:0] m_chunk_load_rows,
    output wire [47:0] m_chunk_store_address,
    output wire [10:0] m_chunk_store_rows,
    output wire [47:0] m_chunk_limit,       // end of the payload at the destination
    output wire [2:0]  m_chunk_load_burst,  // log2 of rows in a burst
    output wire [2:0]  m_chunk_store_burst,
    output wire        m_chunk_last,        // last chunk of its collective
    output wire [15:0] m_chunk_tag,

    output wire        idle                 // no collective waits
);

    localparam COMMAND_W = $clog2(COMMANDS);
    localparam PHASES = DIMENSIONS + 1;
    localparam DIMS_W = 2 * DIMENSIONS;
    localparam MEMBERS_W = 7 * DIMENSIONS;      // rings of 128
    localparam IDLE = 2'd0, DIVIDE = 2'd1, EMIT = 2'd2;

    // Illegal parameters stop elaboration at a module that is nowhere, whose name is the rule.
    generate
        if (DIMENSIONS != 3 && DIMENSIONS != 4) begin : g_illegal_dimensions
            DIMENSIONS_must_be_3_or_4 stop ();
        end
        if (COMMANDS < 2 || COMMANDS > 32768 || (COMMANDS & (COMMANDS - 1)) != 0) begin : g_illegal_commands
            COMMANDS_must_be_a_power_of_two_from_2_to_32768 stop ();
        end
    endgenerate

    // ---- command store: a ring, taken from its newest or its oldest end ----
    reg [1:0]  state_q;
    reg [COMMAND_W:0] head_q, tail_q;
    reg [1:0]  kind_q   [0:COMMANDS-1];
    reg [2:0]  type_q   [0:COMMANDS-1];
    reg [2:0]  op_q     [0:COMMANDS-1];
    reg [36:0] scale_q  [0:COMMANDS-1];
    reg [2:0]  count_q  [0:COMMANDS-1];
    reg [DIMS_W-1:0] dims_q [0:COMMANDS-1];
    reg [47:0] source_q [0:COMMANDS-1];
    reg [47:0] dest_q   [0:COMMANDS-1];
    reg [47:0] limit_q  [0:COMMANDS-1];
    reg [32:0] rows_q   [0:COMMANDS-1];     // rows not yet cut
    reg [15:0] tag_q    [0:COMMANDS-1];
    reg [7:0]  mark_q   [0:COMMANDS-1];
    reg [7:0]  next_mark_q;

    wire [COMMAND_W:0] held = tail_q - head_q;
    assign idle = held == 0;
    assign s_cmd_ready = held != COMMANDS[COMMAND_W:0] && state_q == IDLE;

    // Rings of one node take no part: of each dimension of the command, last to first.
    reg [DIMS_W-1:0] kept;
    reg [2:0]        kept_count;
    reg [MEMBERS_W:0] members;
    reg [1:0]        given;
    integer          i;
    always @* begin
        kept       = {DIMS_W{1'b0}};
        kept_count = 3'd0;
        members    = {{MEMBERS_W{1'b0}}, 1'b1};
        for (i = DIMENSIONS - 1; i >= 0; i = i - 1) begin
            given = s_cmd_dims[2*i +: 2];
            if (s_cmd_dim_count > i[2:0] && cfg_ring[given*8 +: 8] > 8'd1) begin
                kept       = {kept[DIMS_W-3:0], given};
                kept_count = kept_count + 3'd1;
                members    = members * {{(MEMBERS_W-7){1'b0}}, cfg_ring[given*8 +: 8]};
            end
        end
    end
    wire [40:0] up = s_cmd_bytes + 41'd255;
    wire take = s_cmd_valid && s_cmd_ready;

    // Members of the collective, and how often 1 must be doubled to reach them.
    function [4:0] doublings;
        input [MEMBERS_W-1:0] last;         // members - 1
        integer               n;
        begin
            doublings = 5'd0;
            for (n = 0; n < MEMBERS_W; n = n + 1)
                if (last[n]) doublings = n[4:0] + 5'd1;
        end
    endfunction
    wire [MEMBERS_W:0] last_member = members - 1'b1;

    // ---- the chunk being planned ----
    reg [COMMAND_W-1:0] at_q;               // its command
    reg [10:0] rows_cut_q;
    reg [2:0]  step_q;                      // division under way
    reg [3:0]  bit_q;
    reg [11*DIMENSIONS-1:0] shards_q;       // per command dimension
    reg [11:0] numerator_q;
    reg [10:0] rest_q;
    reg [9:0]  quotient_q;

    wire [COMMAND_W-1:0] newest = tail_q[COMMAND_W-1:0] - 1'b1;
    wire [COMMAND_W-1:0] pick = cfg_fifo ? head_q[COMMAND_W-1:0] : newest;
    wire [32:0] pick_rows = rows_q[pick];
    wire [10:0] pick_cut  = pick_rows > {22'd0, cfg_chunk_rows} ? cfg_chunk_rows : pick_rows[10:0];

    wire [1:0] kind = kind_q[at_q];
    wire [2:0] count = count_q[at_q];
    wire [DIMS_W-1:0] dims = dims_q[at_q];
    wire [1:0] step_dim = dims[step_q*2 +: 2];
    wire [7:0] divisor = cfg_ring[step_dim*8 +: 8];

    wire [11:0] rest_in  = {rest_q, numerator_q[11]};
    wire        rest_fit = rest_in >= {4'd0, divisor};
    wire [11:0] rest_d   = rest_fit ? rest_in - {4'd0, divisor} : rest_in;
    wire [10:0] quotient_d = {quotient_q, rest_fit};
    // The other rings of an all-reduce split the first ring's shard; those of the
    // other kinds split one another's.
    wire [10:0] next_whole = kind == 2'd0 && step_q != 3'd0 ? shards_q[10:0] : quotient_d;
    wire [1:0]  next_dim   = dims[step_q*2+2 +: 2];     // of the last, any
    wire [11:0] next_numerator = {1'b0, next_whole} + {4'd0, cfg_ring[next_dim*8 +: 8]} - 12'd1;
    wire [11:0] first_numerator = {1'b0, pick_cut} +
                                  {4'd0, cfg_ring[dims_q[pick][1:0]*8 +: 8]} - 12'd1;

    wire done_command = {22'd0, rows_cut_q} == rows_q[at_q];
    wire emit = m_chunk_valid && m_chunk_ready;

    always @(posedge clk) begin
        if (rst) begin
            head_q      <= {(COMMAND_W+1){1'b0}};
            tail_q      <= {(COMMAND_W+1){1'b0}};
            next_mark_q <= 8'd0;
            state_q     <= IDLE;
        end else begin
            if (take) begin
                tail_q      <= tail_q + 1'b1;
                next_mark_q <= next_mark_q + 8'd53;
            end
            case (state_q)
            IDLE: if (held != 0 && !take)
                state_q <= count_q[pick] == 3'd0 ? EMIT : DIVIDE;
            DIVIDE: if (bit_q == 4'd0 && step_q + 3'd1 == count)
                state_q <= EMIT;
            default: if (emit) begin
                state_q <= IDLE;
                if (done_command) begin
                    if (cfg_fifo) head_q <= head_q + 1'b1;
                    else          tail_q <= tail_q - 1'b1;
                end
            end
            endcase
        end
    end

    always @(posedge clk) begin
        if (take) begin
            kind_q  [tail_q[COMMAND_W-1:0]] <= s_cmd_kind;
            type_q  [tail_q[COMMAND_W-1:0]] <= s_cmd_type;
            op_q    [tail_q[COMMAND_W-1:0]] <= s_cmd_op;
            scale_q [tail_q[COMMAND_W-1:0]] <= {doublings(last_member[MEMBERS_W-1:0]), s_cmd_scale};
            count_q [tail_q[COMMAND_W-1:0]] <= kept_count;
            dims_q  [tail_q[COMMAND_W-1:0]] <= kept;
            source_q[tail_q[COMMAND_W-1:0]] <= s_cmd_source;
            dest_q  [tail_q[COMMAND_W-1:0]] <= s_cmd_destination;
            limit_q [tail_q[COMMAND_W-1:0]] <= s_cmd_destination + {7'd0, s_cmd_bytes};
            rows_q  [tail_q[COMMAND_W-1:0]] <= up[40:8];
            tag_q   [tail_q[COMMAND_W-1:0]] <= s_cmd_tag;
            mark_q  [tail_q[COMMAND_W-1:0]] <= next_mark_q;
        end else if (state_q == IDLE && held != 0) begin
            at_q        <= pick;
            rows_cut_q  <= pick_cut;
            step_q      <= 3'd0;
            bit_q       <= 4'd11;
            rest_q      <= 11'd0;
            quotient_q  <= 10'd0;
            numerator_q <= first_numerator;
            shards_q    <= {11*DIMENSIONS{1'b0}};
        end
        if (state_q == DIVIDE) begin
            bit_q       <= bit_q - 4'd1;
            rest_q      <= rest_d[10:0];
            quotient_q  <= quotient_d[9:0];
            numerator_q <= {numerator_q[10:0], 1'b0};
            if (bit_q == 4'd0) begin
                shards_q[step_q*11 +: 11] <= quotient_d;
                step_q      <= step_q + 3'd1;
                bit_q       <= 4'd11;
                rest_q      <= 11'd0;
                quotient_q  <= 10'd0;
                numerator_q <= next_numerator;
            end
        end
        if (emit) begin
            rows_q  [at_q] <= rows_q[at_q] - {22'd0, rows_cut_q};
            source_q[at_q] <= source_q[at_q] + {29'd0, rows_cut_q, 8'd0};
            dest_q  [at_q] <= dest_q[at_q] + {29'd0, rows_cut_q, 8'd0};
            mark_q  [at_q] <= mark_q[at_q] + 8'd1;
        end
    end

    // ---- the plan: phases from the right ----
    // An all-reduce of several dimensions: RS of the first, AR of the others, AG of the first.
    localparam [1:0] RS = 2'd1, AR = 2'd2, AG = 2'd3;
    wire reduce = kind == 2'd0;
    wire [1:0] body = reduce ? AR : kind == 2'd1 ? RS : AG;
    wire [2:0] length = reduce && count > 3'd1 ? count + 3'd1 : count;
    genvar p;
    generate
        for (p = 0; p < PHASES; p = p + 1) begin : g_phase
            localparam [31:0] P = p, N = PHASES;
            wire       used  = P[3:0] + {1'b0, length} >= N[3:0];
            wire [2:0] place = P[2:0] + length - N[2:0];    // among the phases in use
            wire       first = reduce && count > 3'd1 && place == 3'd0;
            wire       last  = reduce && count > 3'd1 && place == count;
            wire [2:0] slot  = last || !used ? 3'd0 : kind == 2'd2 ? count - 3'd1 - place : place;
            wire [1:0] phase_kind = !used ? 2'd0 : first ? RS : last ? AG : body;
            wire [10:0] shard = shards_q[slot*11 +: 11];
            wire [1:0]  outer = slot[1:0] - 2'd1;           // cut from the shard of this one
            wire [10:0] whole = slot == 3'd0 ? rows_cut_q : reduce ? shards_q[10:0] : shards_q[outer*11 +: 11];
            assign m_chunk_kinds[p*2 +: 2]    = phase_kind;
            assign m_chunk_dims[p*2 +: 2]     = used ? dims[slot*2 +: 2] : 2'd0;
            assign m_chunk_shards[p*11 +: 11] = used ? shard : 11'd0;
            assign m_chunk_valids[p*11 +: 11] = !used ? 11'd0 : phase_kind == AG ? shard : whole;
        end
    endgenerate

    // Where the own shard begins and ends.  It ends with the shard it was cut from; what is
    // beyond is padding.  The end of the smallest is that of the rows stored.
    reg [18:0] own, shard_end;
    reg [10:0] own_rows;
    reg [3:0]  shares;
    integer    d;
    always @* begin
        own       = 19'd0;
        shard_end = {8'd0, rows_cut_q};
        own_rows  = rows_cut_q;
        shares    = 4'd0;
        for (d = 0; d < DIMENSIONS; d = d + 1) begin
            shares = shares | shards_q[11*d +: 4];
            if (count > d[2:0]) begin
                own      = own + {11'd0, cfg_rank[dims[2*d +: 2]*8 +: 8]} * {8'd0, shards_q[11*d +: 11]};
                own_rows = shards_q[11*d +: 11];
                if (d < DIMENSIONS - 1 && own + {8'd0, shards_q[11*d +: 11]} < shard_end)
                    shard_end = own + {8'd0, shards_q[11*d +: 11]};
            end
        end
    end
    wire [47:0] shard_limit = dest_q[at_q] + {21'd0, shard_end, 8'd0};
    wire [47:0] own_bytes = {21'd0, own, 8'd0};
    // Every address is a multiple of its burst, so none crosses 4 KiB.  Whole chunks begin
    // with a chunk, the share that an all-gather loads or a reduce-scatter stores with a shard.
    wire [3:0] load_grain  = cfg_chunk_rows[3:0] | (kind == 2'd2 ? shares : 4'd0);
    wire [3:0] store_grain = cfg_chunk_rows[3:0] | (kind == 2'd1 ? shares : 4'd0);

    assign m_chunk_valid         = state_q == EMIT;
    assign m_chunk_type          = type_q[at_q];
    assign m_chunk_op            = op_q[at_q];
    assign m_chunk_scale         = scale_q[at_q];
    assign m_chunk_mark          = mark_q[at_q];
    assign m_chunk_load_address  = source_q[at_q] + (kind == 2'd2 ? own_bytes : 48'd0);
    assign m_chunk_load_rows     = kind == 2'd2 ? own_rows : rows_cut_q;
    assign m_chunk_store_address = dest_q[at_q] + (kind == 2'd1 ? own_bytes : 48'd0);
    assign m_chunk_store_rows    = kind == 2'd1 ? own_rows : rows_cut_q;
    assign m_chunk_limit         = kind == 2'd1 && count != 3'd0 && shard_limit < limit_q[at_q]
                                 ? shard_limit : limit_q[at_q];
    assign m_chunk_load_burst    = load_grain[0] ? 3'd0 : load_grain[1] ? 3'd1 : load_grain[2] ? 3'd2 :
                                   load_grain[3] ? 3'd3 : 3'd4;
    assign m_chunk_store_burst   = store_grain[0] ? 3'd0 : store_grain[1] ? 3'd1 : store_grain[2] ? 3'd2 :
                                   store_grain[3] ? 3'd3 : 3'd4;
    assign m_chunk_last          = done_command;
    assign m_chunk_tag           = tag_q[at_q];

    // bytes inside the last row; a rest is below its divisor
    wire unused = &{1'b0, up[7:0], rest_d[11], last_member[MEMBERS_W]};

endmodule

`default_nettype wire
