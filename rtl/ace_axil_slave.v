// SPDX-License-Identifier: Apache-2.0
//
// ace_axil_slave -- AXI4-Lite, as registers see it: one write and one read at a time
//
//   s_axil_aw, s_axil_w ---> [ a half each ] ---> m_write_*   what of a register changes, in one cycle
//   s_axil_b <-------------- [ answer ] <-------- s_write_known
//   s_axil_ar ---> m_read_addr,  s_axil_r <------ [ word ] <-- s_read_word, s_read_known
//
// Contract
//   Writes      Address and data come in any order.  When both are here, the last answer was taken and
//               s_hold is 0, m_write is 1 for a cycle if the register is known and a byte is written.
//               The answer, OKAY or SLVERR, is there in the next cycle.
//   Reads       s_read_word and s_read_known follow m_read_addr in the same cycle; the answer is
//               there in the next one.
//   Protection  An access whose PROT differs from PROT in a bit of PROT_MASK does nothing, and its answer is SLVERR.
//   Moore       Every output of AXI4-Lite depends on state alone.
//   Reset       rst is synchronous, active high; data that a valid bit guards is not reset.
//   Twin        cmodel/twin/ace_axil_slave.c, equal at the pins of ace_control
//               (tests/lockstep/lockstep_control_test.cc).

`default_nettype none

module ace_axil_slave #(
    parameter PROT_MASK = 1,        // bits of AxPROT that are checked: 1 privileged, 2 non-secure, 4 instruction
    parameter PROT      = 1         // and what they must be
) (
    input  wire        clk,
    input  wire        rst,

    // AXI4-Lite
    input  wire        s_axil_awvalid,
    output wire        s_axil_awready,
    input  wire [11:0] s_axil_awaddr,
    input  wire [2:0]  s_axil_awprot,
    input  wire        s_axil_wvalid,
    output wire        s_axil_wready,
    input  wire [31:0] s_axil_wdata,
    input  wire [3:0]  s_axil_wstrb,
    output wire        s_axil_bvalid,
    input  wire        s_axil_bready,
    output wire [1:0]  s_axil_bresp,
    input  wire        s_axil_arvalid,
    output wire        s_axil_arready,
    input  wire [11:0] s_axil_araddr,
    input  wire [2:0]  s_axil_arprot,
    output wire        s_axil_rvalid,
    input  wire        s_axil_rready,
    output wire [31:0] s_axil_rdata,
    output wire [1:0]  s_axil_rresp,

    // Registers
    input  wire        s_hold,          // writes wait
    output wire [11:0] m_write_addr,
    input  wire        s_write_known,   // it may be written now
    output wire        m_write,
    output wire [31:0] m_write_set,     // bits that become 1
    output wire [31:0] m_write_keep,    // bits that stay as they are
    output wire [11:0] m_read_addr,
    input  wire        s_read_known,
    input  wire [31:0] s_read_word,

    output wire        idle             // nothing is here
);

    localparam [1:0] OKAY = 2'b00, SLVERR = 2'b10;
    localparam [31:0] MASK_ = PROT_MASK, PROT_ = PROT;

    // Illegal parameters stop elaboration at a module that is nowhere, whose name is the rule.
    generate
        if (PROT_MASK < 0 || PROT_MASK > 7) begin : g_illegal_prot_mask PROT_MASK_must_be_0_to_7 stop (); end
        if (PROT < 0 || PROT > 7) begin : g_illegal_prot PROT_must_be_0_to_7 stop (); end
    endgenerate

    function allowed;
        input [2:0] prot;
        allowed = ((prot ^ PROT_[2:0]) & MASK_[2:0]) == 3'd0;
    endfunction

    // ---- writes: the two halves of one, and its answer ----

    reg         aw_full_q, w_full_q, b_valid_q;
    reg         aw_allowed_q;
    reg  [11:0] aw_addr_q;
    reg  [31:0] w_data_q;           // of the bytes that are written, 0 elsewhere
    reg  [3:0]  w_strb_q;
    reg  [1:0]  b_resp_q;

    wire        write = aw_full_q && w_full_q && !b_valid_q && !s_hold;

    function [31:0] bits;
        input [3:0] bytes;
        bits = {{8{bytes[3]}}, {8{bytes[2]}}, {8{bytes[1]}}, {8{bytes[0]}}};
    endfunction

    assign m_write_addr = aw_addr_q;
    assign m_write      = write && s_write_known && aw_allowed_q && w_strb_q != 4'd0;
    assign m_write_set  = w_data_q;
    assign m_write_keep = ~bits(w_strb_q);

    assign s_axil_awready = !aw_full_q;
    assign s_axil_wready  = !w_full_q;
    assign s_axil_bvalid  = b_valid_q;
    assign s_axil_bresp   = b_resp_q;

    always @(posedge clk) begin
        if (rst) begin
            aw_full_q <= 1'b0;
            w_full_q  <= 1'b0;
            b_valid_q <= 1'b0;
        end else begin
            if (write)
                aw_full_q <= 1'b0;
            else if (s_axil_awvalid)
                aw_full_q <= 1'b1;
            if (write)
                w_full_q <= 1'b0;
            else if (s_axil_wvalid)
                w_full_q <= 1'b1;
            if (write)
                b_valid_q <= 1'b1;
            else if (s_axil_bready)
                b_valid_q <= 1'b0;
        end
    end

    always @(posedge clk) begin
        if (!aw_full_q) begin
            aw_addr_q    <= s_axil_awaddr;
            aw_allowed_q <= allowed(s_axil_awprot);
        end
        if (!w_full_q) begin
            w_data_q <= s_axil_wdata & bits(s_axil_wstrb);
            w_strb_q <= s_axil_wstrb;
        end
        if (write)
            b_resp_q <= s_write_known && aw_allowed_q ? OKAY : SLVERR;
    end

    // ---- reads ----

    reg         r_valid_q;
    reg  [31:0] r_data_q;
    reg  [1:0]  r_resp_q;

    assign m_read_addr    = s_axil_araddr;
    assign s_axil_arready = !r_valid_q;
    assign s_axil_rvalid  = r_valid_q;
    assign s_axil_rdata   = r_data_q;
    assign s_axil_rresp   = r_resp_q;

    always @(posedge clk) begin
        if (rst)
            r_valid_q <= 1'b0;
        else if (!r_valid_q)
            r_valid_q <= s_axil_arvalid;
        else if (s_axil_rready)
            r_valid_q <= 1'b0;
    end

    always @(posedge clk) begin
        if (!r_valid_q) begin
            r_data_q <= allowed(s_axil_arprot) ? s_read_word : 32'd0;
            r_resp_q <= s_read_known && allowed(s_axil_arprot) ? OKAY : SLVERR;
        end
    end

    assign idle = !aw_full_q && !w_full_q && !b_valid_q && !r_valid_q;

    // a number is narrower than the parameter it comes from
    wire unused = &{1'b0, MASK_, PROT_};

endmodule

`default_nettype wire
