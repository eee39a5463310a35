// SPDX-License-Identifier: Apache-2.0
//
// ace_scratchpad -- four banks of rows, protected by a code that corrects single bits
//
//   reduced, store, load --> [ encode, register ] --> [ banks ] --> [ decode ] --> reduce, unload, send +, send -
//                                3 of them                ^           4 of them, each a port's register
//                                                      upsets             '--> counters, failed
//
// ace_secded_encode makes the code, which adds an eighth more bits.  One wrong bit of a codeword is
// corrected, and two are reported.  Encoding takes a cycle.  The banks' access takes most of the
// next one, and bank selection and decoding take a third.
//
// Contract
//   Latency     A row read in cycle t is at its port's data in t+3, and stays until three cycles
//               after the port reads again.  A row written in t can be read in t+2.
//   Code        A row that is read comes with its code, see ace_secded_decode.
//   Padding     With s_reduce_zero the port reads no bank.  Zeros then come with the timing of a
//               row.
//   Conflicts   No two read ports, and no two write ports, name the same bank in a cycle:
//               ace_switch grants them so.
//   Rows        A row is written before it is read.  Before the first write a row is no codeword.
//   Corrected   count_corrected counts rows with corrected bits, each time they are read, since the
//               stored row stays wrong.  A row is overwritten within microseconds.  A second upset
//               of one codeword in that time is rarer by many orders than the first.  So writing
//               the corrected row back is not worth a port.
//   Failed      count_failed counts rows that could not be corrected, in the cycle in which they
//               are at their port.  failed is high from the first one on.  failed_bank and
//               failed_row name that row; of several in one cycle, the row of the port listed
//               first.  Both counters wrap.
//   Pause       m_pause is high in a cycle in which no read may begin, see ace_bank.
//   Upsets      Inputs to test the code and the reaction to errors, see ace_scratchpad_banks.
//   Reset       rst is synchronous, active high, and resets the counters and failed.  Rows keep
//               their contents, except rows that wait in a bank.
//   Twin        cmodel/twin/ace_scratchpad.h, equal at every port, every cycle
//               (tests/lockstep/lockstep_scratchpad_test.cc).

`default_nettype none

module ace_scratchpad #(
    parameter BANK_ROWS = 4096,     // rows of a bank, any number up to 4096
    parameter SUB_BANKS = 1,        // of a bank, see ace_bank
    parameter ROW_W     = 2048      // bits in a row, a multiple of 64
) (
    input  wire             clk,
    input  wire             rst,

    input  wire             s_reduce_valid,
    input  wire [1:0]       s_reduce_bank,
    input  wire [11:0]      s_reduce_row,
    input  wire             s_reduce_zero,      // not with s_reduce_valid
    output wire [ROW_W-1:0] m_reduce_data,
    output wire [ROW_W/64-1:0] m_reduce_code,
    input  wire             s_unload_valid,
    input  wire [1:0]       s_unload_bank,
    input  wire [11:0]      s_unload_row,
    output wire [ROW_W-1:0] m_unload_data,
    output wire [ROW_W/64-1:0] m_unload_code,
    input  wire             s_plus_valid,
    input  wire [1:0]       s_plus_bank,
    input  wire [11:0]      s_plus_row,
    output wire [ROW_W-1:0] m_plus_data,
    output wire [ROW_W/64-1:0] m_plus_code,
    input  wire             s_minus_valid,
    input  wire [1:0]       s_minus_bank,
    input  wire [11:0]      s_minus_row,
    output wire [ROW_W-1:0] m_minus_data,
    output wire [ROW_W/64-1:0] m_minus_code,

    input  wire             s_reduced_valid,
    input  wire [1:0]       s_reduced_bank,
    input  wire [11:0]      s_reduced_row,
    input  wire [ROW_W-1:0] s_reduced_data,
    input  wire             s_store_valid,
    input  wire [1:0]       s_store_bank,
    input  wire [11:0]      s_store_row,
    input  wire [ROW_W-1:0] s_store_data,
    input  wire             s_load_valid,
    input  wire [1:0]       s_load_bank,
    input  wire [11:0]      s_load_row,
    input  wire [ROW_W-1:0] s_load_data,

    input  wire             s_fault_valid,
    input  wire [1:0]       s_fault_bank,
    input  wire [11:0]      s_fault_row,
    input  wire [6:0]       s_fault_word,       // 0..63 data, 64..71 check words
    input  wire [ROW_W/64-1:0] s_fault_mask,

    output wire             m_pause,
    output wire [31:0]      count_corrected,
    output wire [31:0]      count_failed,
    output wire             failed,
    output wire [1:0]       failed_bank,
    output wire [11:0]      failed_row
);

    localparam WORD_W = ROW_W / 64;
    localparam STORED = 72 * WORD_W;

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (BANK_ROWS < 2 || BANK_ROWS > 4096) begin : g_illegal_bank_rows
            BANK_ROWS_must_be_2_to_4096 stop ();
        end
        if (SUB_BANKS != 1 && SUB_BANKS != 2 && SUB_BANKS != 4 && SUB_BANKS != 8) begin : g_illegal_sub_banks
            SUB_BANKS_must_be_1_2_4_or_8 stop ();
        end
        if (ROW_W < 64 || ROW_W % 64 != 0) begin : g_illegal_row_w ROW_W_must_be_a_multiple_of_64 stop (); end
    endgenerate

    // ---- banks ----
    wire [STORED-1:0]   reduce_stored, unload_stored, plus_stored, minus_stored;
    wire                reduce_read, unload_read, plus_read, minus_read;
    reg  [1:0]          padding_q;              // s_reduce_zero of the last two cycles
    wire [8*WORD_W-1:0] reduced_check, store_check, load_check;
    reg  [2:0]          write_q;                // load, store, reduced: as they came, a cycle ago
    reg  [5:0]          write_bank_q;
    reg  [35:0]         write_row_q;
    reg  [STORED-1:0]   reduced_code, store_code, load_code;

    ace_scratchpad_banks #(.BANK_ROWS(BANK_ROWS), .SUB_BANKS(SUB_BANKS), .WORD_W(WORD_W), .WORDS(72)) u_banks (
        .clk(clk), .rst(rst),
        .s_reduce_valid(s_reduce_valid), .s_reduce_bank(s_reduce_bank),
        .s_reduce_row(s_reduce_row), .m_reduce_valid(reduce_read), .m_reduce_data(reduce_stored),
        .s_unload_valid(s_unload_valid), .s_unload_bank(s_unload_bank),
        .s_unload_row(s_unload_row), .m_unload_valid(unload_read), .m_unload_data(unload_stored),
        .s_plus_valid(s_plus_valid), .s_plus_bank(s_plus_bank),
        .s_plus_row(s_plus_row), .m_plus_valid(plus_read), .m_plus_data(plus_stored),
        .s_minus_valid(s_minus_valid), .s_minus_bank(s_minus_bank),
        .s_minus_row(s_minus_row), .m_minus_valid(minus_read), .m_minus_data(minus_stored),
        .s_reduced_valid(write_q[0]), .s_reduced_bank(write_bank_q[1:0]), .s_reduced_row(write_row_q[11:0]),
        .s_reduced_data(reduced_code),
        .s_store_valid(write_q[1]), .s_store_bank(write_bank_q[3:2]), .s_store_row(write_row_q[23:12]),
        .s_store_data(store_code),
        .s_load_valid(write_q[2]), .s_load_bank(write_bank_q[5:4]), .s_load_row(write_row_q[35:24]),
        .s_load_data(load_code),
        .s_fault_valid(s_fault_valid), .s_fault_bank(s_fault_bank), .s_fault_row(s_fault_row),
        .s_fault_word(s_fault_word), .s_fault_mask(s_fault_mask), .m_pause(m_pause)
    );

    // ---- the code ----
    wire [3:0] corrects, fails;     // minus, plus, unload, reduce: of the row at the port

    ace_secded_encode #(.WORD_W(WORD_W)) u_reduced (
        .s_valid(s_reduced_valid), .s_data(s_reduced_data), .m_check(reduced_check)
    );
    ace_secded_encode #(.WORD_W(WORD_W)) u_store (
        .s_valid(s_store_valid), .s_data(s_store_data), .m_check(store_check)
    );
    ace_secded_encode #(.WORD_W(WORD_W)) u_load (
        .s_valid(s_load_valid), .s_data(s_load_data), .m_check(load_check)
    );

    // The banks give zeros where nothing was read, and they are a codeword.
    ace_secded_decode #(.WORD_W(WORD_W)) u_reduce (
        .clk(clk), .rst(rst), .s_valid(reduce_read || padding_q[1]), .s_row(reduce_stored),
        .m_data(m_reduce_data), .m_code(m_reduce_code), .m_corrected(corrects[0]), .m_failed(fails[0])
    );
    ace_secded_decode #(.WORD_W(WORD_W)) u_unload (
        .clk(clk), .rst(rst), .s_valid(unload_read), .s_row(unload_stored),
        .m_data(m_unload_data), .m_code(m_unload_code), .m_corrected(corrects[1]), .m_failed(fails[1])
    );
    ace_secded_decode #(.WORD_W(WORD_W)) u_plus (
        .clk(clk), .rst(rst), .s_valid(plus_read), .s_row(plus_stored),
        .m_data(m_plus_data), .m_code(m_plus_code), .m_corrected(corrects[2]), .m_failed(fails[2])
    );
    ace_secded_decode #(.WORD_W(WORD_W)) u_minus (
        .clk(clk), .rst(rst), .s_valid(minus_read), .s_row(minus_stored),
        .m_data(m_minus_data), .m_code(m_minus_code), .m_corrected(corrects[3]), .m_failed(fails[3])
    );

    always @(posedge clk) begin
        padding_q    <= rst ? 2'd0 : {padding_q[0], s_reduce_zero};
        write_q      <= rst ? 3'd0 : {s_load_valid, s_store_valid, s_reduced_valid};
        write_bank_q <= {s_load_bank, s_store_bank, s_reduced_bank};
        write_row_q  <= {s_load_row, s_store_row, s_reduced_row};
        if (s_reduced_valid) reduced_code <= {reduced_check, s_reduced_data};
        if (s_store_valid)   store_code   <= {store_check, s_store_data};
        if (s_load_valid)    load_code    <= {load_check, s_load_data};
    end

    // ---- counters and the first failure ----
    reg  [31:0] corrected_q, failures_q;
    reg         failed_q;
    reg  [13:0] failed_at_q;        // {bank, row}
    reg  [55:0] read_1_q, read_2_q, read_3_q;       // {bank, row} that each port read n cycles ago
    wire [13:0] first = fails[0] ? read_3_q[13:0] : fails[1] ? read_3_q[27:14] :
                        fails[2] ? read_3_q[41:28] : read_3_q[55:42];

    function [31:0] ones;
        input [3:0] set;
        ones = {31'd0, set[0]} + {31'd0, set[1]} + {31'd0, set[2]} + {31'd0, set[3]};
    endfunction

    assign count_corrected = corrected_q + ones(corrects);
    assign count_failed    = failures_q + ones(fails);
    assign failed          = failed_q || fails != 4'd0;
    assign {failed_bank, failed_row} = failed_q ? failed_at_q : first;

    always @(posedge clk) begin
        if (rst) begin
            corrected_q <= 32'd0;
            failures_q  <= 32'd0;
            failed_q    <= 1'b0;
        end else begin
            corrected_q <= count_corrected;
            failures_q  <= count_failed;
            failed_q    <= failed;
        end
    end

    always @(posedge clk) begin
        read_1_q <= {s_minus_bank, s_minus_row, s_plus_bank, s_plus_row,
                     s_unload_bank, s_unload_row, s_reduce_bank, s_reduce_row};
        read_2_q <= read_1_q;
        read_3_q <= read_2_q;
        if (!failed_q)
            failed_at_q <= first;
    end

endmodule

`default_nettype wire
