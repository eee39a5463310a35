// SPDX-License-Identifier: Apache-2.0
//
// ace_row_sum -- the contribution of a row to the CRC of its frame
//
//   s_data ---> { groups of eight words } ---> [ what each adds ] ---> { all of them } ---> m_sum
//
// Contract
//   Sum         The sum is of the row at its position in a frame: the first word high, followed by
//               five words of head and numbers and by the CRC (ace_link_crc).
//   Timing      m_sum belongs to the row that was s_valid a cycle ago, and is 0 if there was none.
//               With TAKEN it comes a cycle later.  TAKEN is for rows from far away, which go
//               through a register first.
//   Twin        cmodel/parts/ace_row_sum.c, equal at the pins of ace_node
//               (tests/lockstep/lockstep_node_test.cc).

`default_nettype none

module ace_row_sum #(
    parameter ROW_W = 2048,     // bits of a row
    parameter TAKEN = 0         // 1: into a register first
) (
    input  wire             clk,
    input  wire             s_valid,
    input  wire [ROW_W-1:0] s_data,
    output wire [31:0]      m_sum
);

    localparam WORDS  = ROW_W / 32;
    localparam GROUPS = (WORDS + 7) / 8;

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (ROW_W < 32 || ROW_W % 32 != 0) begin : g_illegal_row_w
            ROW_W_must_be_whole_words_of_32_bits stop ();
        end
        if (TAKEN != 0 && TAKEN != 1) begin : g_illegal_taken TAKEN_must_be_0_or_1 stop (); end
    endgenerate

    wire             valid;
    wire [ROW_W-1:0] row;
    generate
        if (TAKEN != 0) begin : g_taken
            reg             taken_q;
            reg [ROW_W-1:0] row_q;
            assign valid = taken_q;
            assign row   = row_q;
            always @(posedge clk) begin
                taken_q <= s_valid;
                if (s_valid) row_q <= s_data;
            end
        end else begin : g_at_once
            assign valid = s_valid;
            assign row   = s_data;
        end
    endgenerate

    // Words of zeros at the front add nothing.
    wire [256*GROUPS-1:0] words;
    generate
        if (8 * GROUPS == WORDS) begin : g_whole
            assign words = row;
        end else begin : g_filled
            assign words = {row, {(256*GROUPS-ROW_W){1'b0}}};
        end
    endgenerate

    wire [32*GROUPS-1:0] groups;
    reg                  valid_q;
    reg  [32*GROUPS-1:0] groups_q;
    genvar g;
    generate
        for (g = 0; g < GROUPS; g = g + 1) begin : g_group
            ace_crc_sum #(.WORDS(8), .STRIDE(1), .AFTER(0)) u_sum (
                .on(valid), .words(words[256*g +: 256]), .sum(groups[32*g +: 32]));
        end
    endgenerate
    ace_crc_sum #(.WORDS(GROUPS), .STRIDE(8), .AFTER(6)) u_sum (.on(valid_q), .words(groups_q), .sum(m_sum));

    always @(posedge clk) begin
        valid_q <= valid;
        if (valid) groups_q <= groups;
    end

endmodule

`default_nettype wire
