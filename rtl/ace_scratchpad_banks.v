// SPDX-License-Identifier: Apache-2.0
//
// ace_scratchpad_banks -- four banks of stored rows, each one read and one write a cycle
//
//   s_write --> [ which bank ] --> four ace_bank --> [ a register each ] --> [ which port ] --> m_data
//
// Contract
//   Latency     A row requested in cycle t is at m_data in t+2 only, with m_valid, as it was before
//               the writes of t.  Without a row m_data is 0.  A row written in t can be read in
//               t+1.  The memory's access has the first of the two cycles to itself.
//   Conflicts   No two read ports, and no two write ports, name the same bank in a cycle.
//   Pause       m_pause is high while a bank pauses, see ace_bank.  With SUB_BANKS 1 it is never
//               high.
//   Upsets      s_fault_valid inverts the bits s_fault_mask of word s_fault_word of a row.  The row
//               is read in a cycle in which its bank is idle, and written again two cycles later.
//               If the bank was written meanwhile, the upset starts again.  So an upset needs no
//               port of its own.  Only one upset can be in progress; a second one is lost.
//   Reset       rst is synchronous, active high, and drops reads in flight and the upset.  Rows
//               keep their contents, except rows that wait in a bank.
//   Twin        cmodel/twin/ace_scratchpad_banks.h, equal inside ace_scratchpad
//               (tests/lockstep/lockstep_scratchpad_test.cc).

`default_nettype none

module ace_scratchpad_banks #(
    parameter BANK_ROWS = 4096,     // rows of a bank, any number up to 4096
    parameter SUB_BANKS = 1,        // of a bank, see ace_bank
    parameter WORD_W    = 32,       // bits of a word
    parameter WORDS     = 72        // words of a row, any number up to 128
) (
    input  wire                    clk,
    input  wire                    rst,

    input  wire                    s_reduce_valid,
    input  wire [1:0]              s_reduce_bank,
    input  wire [11:0]             s_reduce_row,
    output wire                    m_reduce_valid,
    output wire [WORDS*WORD_W-1:0] m_reduce_data,
    input  wire                    s_unload_valid,
    input  wire [1:0]              s_unload_bank,
    input  wire [11:0]             s_unload_row,
    output wire                    m_unload_valid,
    output wire [WORDS*WORD_W-1:0] m_unload_data,
    input  wire                    s_plus_valid,
    input  wire [1:0]              s_plus_bank,
    input  wire [11:0]             s_plus_row,
    output wire                    m_plus_valid,
    output wire [WORDS*WORD_W-1:0] m_plus_data,
    input  wire                    s_minus_valid,
    input  wire [1:0]              s_minus_bank,
    input  wire [11:0]             s_minus_row,
    output wire                    m_minus_valid,
    output wire [WORDS*WORD_W-1:0] m_minus_data,

    input  wire                    s_reduced_valid,
    input  wire [1:0]              s_reduced_bank,
    input  wire [11:0]             s_reduced_row,
    input  wire [WORDS*WORD_W-1:0] s_reduced_data,
    input  wire                    s_store_valid,
    input  wire [1:0]              s_store_bank,
    input  wire [11:0]             s_store_row,
    input  wire [WORDS*WORD_W-1:0] s_store_data,
    input  wire                    s_load_valid,
    input  wire [1:0]              s_load_bank,
    input  wire [11:0]             s_load_row,
    input  wire [WORDS*WORD_W-1:0] s_load_data,

    input  wire                    s_fault_valid,
    input  wire [1:0]              s_fault_bank,
    input  wire [11:0]             s_fault_row,
    input  wire [6:0]              s_fault_word,
    input  wire [WORD_W-1:0]       s_fault_mask,

    output wire                    m_pause
);

    localparam W = $clog2(BANK_ROWS);
    localparam STORED = WORDS * WORD_W;
    localparam [STORED-1:0] NONE = {STORED{1'b0}};

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (BANK_ROWS < 2 || BANK_ROWS > 4096) begin : g_illegal_bank_rows
            BANK_ROWS_must_be_2_to_4096 stop ();
        end
        if (SUB_BANKS != 1 && SUB_BANKS != 2 && SUB_BANKS != 4 && SUB_BANKS != 8) begin : g_illegal_sub_banks
            SUB_BANKS_must_be_1_2_4_or_8 stop ();
        end
        if (WORD_W < 1) begin : g_illegal_word_w WORD_W_must_be_1_or_more stop (); end
        if (WORDS < 2 || WORDS > 128) begin : g_illegal_words WORDS_must_be_2_to_128 stop (); end
    endgenerate

    // ---- ports to banks ----
    // Banks are compared and not shifted.  A port without a request may have an undefined bank.
    // With a shift a simulator of four states would then lose every port's bank.
    wire [3:0] reduces, unloads, plusses, minusses, reduced, stored, loaded;    // a bit a bank
    genvar p;
    generate
        for (p = 0; p < 4; p = p + 1) begin : g_port
            assign reduces[p]  = s_reduce_valid && s_reduce_bank == p;
            assign unloads[p]  = s_unload_valid && s_unload_bank == p;
            assign plusses[p]  = s_plus_valid && s_plus_bank == p;
            assign minusses[p] = s_minus_valid && s_minus_bank == p;
            assign reduced[p]  = s_reduced_valid && s_reduced_bank == p;
            assign stored[p]   = s_store_valid && s_store_bank == p;
            assign loaded[p]   = s_load_valid && s_load_bank == p;
        end
    endgenerate
    wire [3:0] reads  = reduces | unloads | plusses | minusses;
    wire [3:0] writes = reduced | stored | loaded;

    // ---- an upset: its row is read and written with inverted bits while its bank is idle ----
    // step 0: nothing   1: to be read   2: in the bank   3: in the bank's register
    reg  [1:0]        fault_step_q;
    reg  [1:0]        fault_bank_q;
    reg  [11:0]       fault_row_q;
    reg  [6:0]        fault_word_q;
    reg  [WORD_W-1:0] fault_mask_q;
    wire       fault_rests = !writes[fault_bank_q];
    wire       fault_reads = fault_step_q == 2'd1 && fault_rests && !reads[fault_bank_q];
    wire       fault_lands = fault_step_q == 2'd3 && fault_rests;

    always @(posedge clk) begin
        if (rst)
            fault_step_q <= 2'd0;
        else case (fault_step_q)
            2'd0:    fault_step_q <= {1'b0, s_fault_valid};
            2'd1:    fault_step_q <= fault_reads ? 2'd2 : 2'd1;
            2'd2:    fault_step_q <= fault_rests ? 2'd3 : 2'd1;
            default: fault_step_q <= {1'b0, !fault_lands};
        endcase
    end

    always @(posedge clk) begin
        if (fault_step_q == 2'd0) begin
            fault_bank_q <= s_fault_bank;
            fault_row_q  <= s_fault_row;
            fault_word_q <= s_fault_word;
            fault_mask_q <= s_fault_mask;
        end
    end

    // ---- banks: a memory each, then a register, since its access takes most of a cycle ----
    wire [STORED-1:0] bank_row [0:3];
    wire [3:0]        pauses;
    assign m_pause = |pauses;
    genvar b;
    generate
        for (b = 0; b < 4; b = b + 1) begin : g_bank
            reg               read_q;
            reg  [STORED-1:0] row_q;
            wire              upsets = fault_lands && fault_bank_q == b;
            wire [STORED-1:0] data;
            wire [W-1:0]      read_at = reduces[b]  ? s_reduce_row[W-1:0] : unloads[b] ? s_unload_row[W-1:0] :
                                        plusses[b]  ? s_plus_row[W-1:0]   :
                                        minusses[b] ? s_minus_row[W-1:0]  : fault_row_q[W-1:0];
            wire [W-1:0]      write_at = reduced[b] ? s_reduced_row[W-1:0] : stored[b] ? s_store_row[W-1:0] :
                                         loaded[b]  ? s_load_row[W-1:0]    : fault_row_q[W-1:0];
            reg  [STORED-1:0] write_data;
            always @(*) begin
                write_data = reduced[b] ? s_reduced_data : stored[b] ? s_store_data : s_load_data;
                if (upsets) begin
                    write_data = row_q;
                    if (fault_word_q < WORDS[6:0] || WORDS == 128)
                        write_data[fault_word_q*WORD_W +: WORD_W] = row_q[fault_word_q*WORD_W +: WORD_W] ^ fault_mask_q;
                end
            end

            ace_bank #(.DEPTH(BANK_ROWS), .WIDTH(STORED), .SUB_BANKS(SUB_BANKS)) u_bank (
                .clk(clk), .rst(rst),
                .s_read_valid(reads[b] || (fault_reads && fault_bank_q == b)), .s_read_at(read_at), .m_data(data),
                .s_write_valid(writes[b] || upsets), .s_write_at(write_at), .s_write_data(write_data),
                .m_pause(pauses[b])
            );

            always @(posedge clk) begin
                read_q <= reads[b] || (fault_reads && fault_bank_q == b);
                if (read_q) row_q <= data;
            end
            assign bank_row[b] = row_q;
        end
    endgenerate

    // ---- banks to ports: which bank each port has read, two cycles ago; 0 where it has not ----
    reg [2:0] reduce_1_q, unload_1_q, plus_1_q, minus_1_q;
    reg [2:0] reduce_2_q, unload_2_q, plus_2_q, minus_2_q;
    always @(posedge clk) begin
        reduce_1_q <= {s_reduce_valid && !rst, s_reduce_bank};
        unload_1_q <= {s_unload_valid && !rst, s_unload_bank};
        plus_1_q   <= {s_plus_valid && !rst, s_plus_bank};
        minus_1_q  <= {s_minus_valid && !rst, s_minus_bank};
        reduce_2_q <= {reduce_1_q[2] && !rst, reduce_1_q[1:0]};
        unload_2_q <= {unload_1_q[2] && !rst, unload_1_q[1:0]};
        plus_2_q   <= {plus_1_q[2] && !rst, plus_1_q[1:0]};
        minus_2_q  <= {minus_1_q[2] && !rst, minus_1_q[1:0]};
    end
    assign m_reduce_valid = reduce_2_q[2];
    assign m_unload_valid = unload_2_q[2];
    assign m_plus_valid   = plus_2_q[2];
    assign m_minus_valid  = minus_2_q[2];
    assign m_reduce_data  = m_reduce_valid ? bank_row[reduce_2_q[1:0]] : NONE;
    assign m_unload_data  = m_unload_valid ? bank_row[unload_2_q[1:0]] : NONE;
    assign m_plus_data    = m_plus_valid ? bank_row[plus_2_q[1:0]] : NONE;
    assign m_minus_data   = m_minus_valid ? bank_row[minus_2_q[1:0]] : NONE;

    generate
        if (W < 12) begin : g_small
            wire unused = &{1'b0, s_reduce_row[11:W], s_unload_row[11:W], s_plus_row[11:W], s_minus_row[11:W],
                            s_reduced_row[11:W], s_store_row[11:W], s_load_row[11:W],
                            fault_row_q[11:W]};     // partitions end before
        end
    endgenerate

endmodule

`default_nettype wire
