// SPDX-License-Identifier: Apache-2.0
//
// agreement -- ace_agreement: a member's dispatcher gets only commands that all members have
//
// The members are on one dimension, a ring or a hub.  A second dimension is present, but not agreed
// over.  A number may take any time from member to member.  Each member gets its commands at any
// time, in one order.  A member's dispatcher takes a command before it begins a chunk, and
// otherwise at any time.  A command is one chunk.
//
// Properties
//   stable    An output stays until it is taken; only a number may become less.
//   once      Any one command, chosen freely, leaves once, with its data, after exactly the
//             commands that came before.
//   held      Each member has taken every command that leaves at one member.
//   alike     The dispatchers of all members take commands and begin chunks in the same order.
//   few       A result lets at most ROUND_CHUNKS chunks begin.
//   to        A number goes up the dimension; on a hub it goes with the next member's index.
//   rate      cover: both members begin one chunk more than there are slots for commands

`default_nettype none

module agreement #(
    parameter NODES        = 2,
    parameter COMMANDS     = 2,
    parameter ROUND_CHUNKS = 2,
    parameter BIT          = 0      // of the word of a command
) (
    input wire             clk,
    input wire             rst,
    input wire [NODES-1:0] cmd_valid,
    input wire [NODES-1:0] cmd_bit,
    input wire [NODES-1:0] take_command,    // the dispatcher
    input wire [NODES-1:0] take_chunk,
    input wire [NODES-1:0] take_number,     // the way up
    input wire [NODES-1:0] arrive,
    input wire [NODES-1:0] choose           // this command is followed
);
    localparam WORD_W = 202;
    localparam WAY = 2 * (NODES - 1);

    `include "live.vh"

    (* anyconst *) reg hub;

    wire [NODES-1:0]     cmd_ready, out_valid, out_ready, out_bit, hold, number_valid, chunk, rests;
    wire [NODES*3-1:0]   number_link;
    wire [NODES*8-1:0]   number_peer, number;
    wire [NODES-1:0]     came;
    wire [NODES*8-1:0]   came_number;
    wire [NODES-1:0]     takes = cmd_valid & cmd_ready, gives = out_valid & out_ready;

    genvar g;
    generate
        for (g = 0; g < NODES; g = g + 1) begin : node
            localparam BELOW = (g + NODES - 1) % NODES;
            wire [WORD_W-1:0] in = {{(WORD_W-1){1'b0}}, cmd_bit[g]} << BIT;
            wire [WORD_W-1:0] out;
            wire              idle;
            ace_agreement #(.DIMENSIONS(3), .COMMANDS(COMMANDS), .ROUND_CHUNKS(ROUND_CHUNKS)) dut (
                .clk(clk), .rst(rst), .cfg_agreed(3'b001), .cfg_hub({2'b00, hub}),
                .cfg_ring(24'h020200 + NODES), .cfg_rank({16'd0, 8'd0} + g),
                .s_cmd_valid(cmd_valid[g]), .s_cmd_ready(cmd_ready[g]), .s_cmd_kind(in[1:0]), .s_cmd_type(in[4:2]),
                .s_cmd_op(in[7:5]), .s_cmd_scale(in[39:8]), .s_cmd_dim_count(in[42:40]), .s_cmd_dims(in[48:43]),
                .s_cmd_source(in[96:49]), .s_cmd_destination(in[144:97]), .s_cmd_bytes(in[185:145]),
                .s_cmd_tag(in[201:186]),
                .m_cmd_valid(out_valid[g]), .m_cmd_ready(out_ready[g]), .m_cmd_kind(out[1:0]), .m_cmd_type(out[4:2]),
                .m_cmd_op(out[7:5]), .m_cmd_scale(out[39:8]), .m_cmd_dim_count(out[42:40]), .m_cmd_dims(out[48:43]),
                .m_cmd_source(out[96:49]), .m_cmd_destination(out[144:97]), .m_cmd_bytes(out[185:145]),
                .m_cmd_tag(out[201:186]),
                .m_hold(hold[g]), .s_chunk(chunk[g]), .s_rests(rests[g]),
                .s_number_valid({5'd0, came[g]}), .s_number({40'd0, came_number[g*8 +: 8]}),
                .m_number_valid(number_valid[g]), .s_number_take(number_valid[g] && take_number[g]),
                .m_number_link(number_link[g*3 +: 3]), .m_number_peer(number_peer[g*8 +: 8]),
                .m_number(number[g*8 +: 8]), .idle(idle));
            assign out_bit[g] = out[BIT];

            // ---- the dispatcher: commands of one chunk; none is begun where one can be taken, or was just taken ----
            reg [3:0] has;
            reg       took;
            assign out_ready[g] = take_command[g];
            assign chunk[g]     = take_chunk[g] && !hold[g] && has != 4'd0 && !out_valid[g] && !took;
            assign rests[g]     = has == 4'd0;
            always @(posedge clk) begin
                has  <= rst ? 4'd0 : has + gives[g] - chunk[g];
                took <= gives[g] && !rst;
            end

            // ---- the way from the member below: what it has said of a round and the next, at most ----
            reg [WAY*8-1:0] way;                // the oldest in the low bits
            reg [3:0]       many;
            wire            enters = number_valid[BELOW] && take_number[BELOW];
            assign came[g] = many != 4'd0 && arrive[g];
            assign came_number[g*8 +: 8] = way[7:0];
            wire [3:0]       stay = many - came[g];
            wire [WAY*8-1:0] rest = came[g] ? way >> 8 : way, keep = ~({WAY*8{1'b1}} << 8 * stay);
            always @(posedge clk) begin
                many <= rst ? 4'd0 : stay + enters;
                way  <= (rest & keep) | ({{(WAY-1)*8{1'b0}}, number[BELOW*8 +: 8]} << 8 * stay);
            end

            // ---- stable ----
            reg       was, bit_was, number_was;
            reg [7:0] least;
            reg [1:0] begun;            // chunks of this result
            always @(posedge clk) begin
                was        <= out_valid[g] && !out_ready[g] && !rst;
                bit_was    <= out_bit[g];
                number_was <= number_valid[g] && !take_number[g] && !rst;
                least      <= number[g*8 +: 8];
                begun      <= rst || hold[g] ? 2'd0 : begun + chunk[g];
            end

            // ---- once: the followed command, and those before it that are not given on ----
            reg       tracked, data;
            reg [3:0] inside, before;
            wire      due = tracked && before == 4'd0;
            always @(posedge clk) begin
                inside <= rst ? 4'd0 : inside + takes[g] - gives[g];
                if (rst) tracked <= 1'b0;
                else if (tracked) begin
                    if (gives[g] && due) tracked <= 1'b0;
                    before <= before - gives[g];
                end else if (takes[g] && choose[g]) begin
                    tracked <= 1'b1;
                    before  <= inside - gives[g];
                    data    <= cmd_bit[g];
                end
            end

            always @* if (live) begin
                assert (!was || (out_valid[g] && out_bit[g] == bit_was));
                assert (!number_was || (number_valid[g] && number[g*8 +: 8] <= least));
                assert (!out_valid[g] || inside != 4'd0);
                assert (!(out_valid[g] && due) || out_bit[g] == data);
                assert (inside <= COMMANDS && (cmd_ready[g] || inside == COMMANDS));
                assert (begun <= ROUND_CHUNKS);
                assert (many <= WAY);
                assert (!number_valid[g] || (number_link[g*3 +: 3] == 3'd0 &&
                                             number_peer[g*8 +: 8] == (hub ? (g + 1) % NODES : 0)));
            end
        end
    endgenerate

    // ---- held: of each two members, commands that the one has taken and the other has not given on ----
    // ---- alike: what the first has done and the last not yet, or the last and not the first:
    // 1: took a command, 0: began a chunk ----
    genvar a, b;
    generate
        for (a = 0; a < NODES; a = a + 1) begin : of
            for (b = 0; b < NODES; b = b + 1) if (a != b) begin : at
                reg [3:0] more;
                always @(posedge clk) more <= rst ? 4'd0 : more + takes[a] - gives[b];
                always @* if (live) assert (!out_valid[b] || more != 4'd0);
            end
        end
    endgenerate
    wire       did_0 = gives[0] || chunk[0], did_1 = gives[NODES-1] || chunk[NODES-1];
    reg  [3:0] lead;                    // of the first, or, with bit 3, less
    reg  [7:0] story;                   // what the one ahead did: the newest in bit 0
    wire       behind = lead[3];
    wire [3:0] far    = behind ? -lead : lead;
    wire       told   = story[far[2:0] - 3'd1];
    wire       ahead_did = behind ? did_1 : did_0, ahead_gives = behind ? gives[NODES-1] : gives[0];
    wire       late_did  = behind ? did_0 : did_1, late_gives  = behind ? gives[0] : gives[NODES-1];
    always @(posedge clk) begin
        lead <= rst ? 4'd0 : lead + did_0 - did_1;
        if (lead == 4'd0) begin
            if (did_0 != did_1) story <= {7'd0, did_0 ? gives[0] : gives[NODES-1]};
        end else if (ahead_did) story <= {story[6:0], ahead_gives};
    end
    always @* if (live) begin
        assert (lead != 4'd8);
        assert (!(lead == 4'd0 && did_0 && did_1) || gives[0] == gives[NODES-1]);
        assert (!(lead != 4'd0 && late_did) || late_gives == told);
    end

    reg [3:0] begun_0, begun_1;
    always @(posedge clk) begin
        begun_0 <= rst ? 4'd0 : begun_0 + (chunk[0] && begun_0 != 4'd15);
        begun_1 <= rst ? 4'd0 : begun_1 + (chunk[NODES-1] && begun_1 != 4'd15);
    end
    always @* if (live) cover (begun_0 > COMMANDS && begun_1 > COMMANDS);
endmodule

`default_nettype wire
