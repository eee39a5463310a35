// SPDX-License-Identifier: Apache-2.0
//
// ace_doorbell_check -- finds the first rule that a new command breaks
//
//   s_*, the command as it was written ---> { rules, the first that is broken } ---> m_code
//
// Contract
//   Code        ACE_CODE_NONE, or the code of the broken rule that stands first below.
//   Addresses   The rule for addresses of an all-to-all has a margin for the largest padding, so that no
//               division is needed.
//   Timing      m_code follows s_running, s_failed and s_full in the same cycle, and the command a cycle later: a
//               command must stand for a cycle before its code is used.  Two writes of registers act two cycles
//               apart at least, so it does in ace_control.
//   Twin        cmodel/twin/ace_doorbell_check.c, equal at the pins of ace_control
//               (tests/lockstep/lockstep_control_test.cc).

`default_nettype none

`include "ace_register_map.vh"

module ace_doorbell_check #(
    parameter KINDS      = 5,       // numbers below these are known
    parameter TYPES      = 7,
    parameter OPS        = 5,
    parameter DIMENSIONS = 3,       // 3 or 4
    parameter ALU_TYPES  = 7,       // a bit a type that was built
    parameter ALU_OPS    = 13,
    parameter WIRE_FORMATS = 0      // 1: s_wire may be a format
) (
    input  wire        clk,

    // The engine
    input  wire        s_running,
    input  wire        s_failed,        // it has to be stopped first
    input  wire        s_full,          // the command queue or the completion queue is full
    input  wire [2:0]  s_wire,          // format of rows on the links, 0: none

    // The command
    input  wire [2:0]  s_kind,
    input  wire [2:0]  s_type,
    input  wire [2:0]  s_op,
    input  wire [2:0]  s_dim_count,
    input  wire [7:0]  s_dims,
    input  wire [63:0] s_source,
    input  wire [63:0] s_destination,
    input  wire [63:0] s_bytes,

    output wire [7:0]  m_code
);

    localparam [31:0] KINDS_ = KINDS, TYPES_ = TYPES, OPS_ = OPS, DIMENSIONS_ = DIMENSIONS;
    localparam [31:0] TYPE_BITS = ALU_TYPES, OP_BITS = ALU_OPS;
    localparam [63:0] ADDRESS_END  = 64'h0000_ffff_fffe_0000;   // 2^48 - 128 KiB
    localparam [63:0] EXCHANGE_END = 64'h0000_fff0_0000_0000;   // 2^48 - 64 GiB
    localparam [63:0] ROUTED_END   = 64'h0000_00f0_0000_0000;   // 2^40 - 64 GiB: routes hold 2^32 rows
    localparam [63:0] BYTES_MOST   = 64'h0000_0100_0000_0000;   // 2^40

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (KINDS < 1 || KINDS > 8) begin : g_illegal_kinds KINDS_must_be_1_to_8 stop (); end
        if (TYPES < 1 || TYPES > 8) begin : g_illegal_types TYPES_must_be_1_to_8 stop (); end
        if (OPS < 1 || OPS > 8) begin : g_illegal_ops OPS_must_be_1_to_8 stop (); end
        if (DIMENSIONS != 3 && DIMENSIONS != 4) begin : g_illegal_dimensions
            DIMENSIONS_must_be_3_or_4 stop ();
        end
        if (ALU_TYPES < 1 || ALU_TYPES > 127) begin : g_illegal_alu_types ALU_TYPES_must_be_1_to_127 stop (); end
        if (ALU_OPS < 1 || ALU_OPS > 31) begin : g_illegal_alu_ops ALU_OPS_must_be_1_to_31 stop (); end
        if (WIRE_FORMATS != 0 && WIRE_FORMATS != 1) begin : g_illegal_wire_formats
            WIRE_FORMATS_must_be_0_or_1 stop ();
        end
    endgenerate

    wire [64:0] source_end      = {1'b0, s_source} + {1'b0, s_bytes};
    wire [64:0] destination_end = {1'b0, s_destination} + {1'b0, s_bytes};
    wire        routed          = s_kind == 3'd3;
    wire [64:0] source_last      = {1'b0, routed ? EXCHANGE_END : ADDRESS_END};
    wire [64:0] destination_last = {1'b0, routed ? ROUTED_END : ADDRESS_END};
    reg         dims_bad;
    reg  [3:0]  seen;
    integer     d;
    always @(*) begin
        dims_bad = s_dim_count > DIMENSIONS_[2:0];
        seen     = 4'd0;
        for (d = 0; d < 4; d = d + 1)
            if (s_dim_count > d[2:0]) begin
                if ({30'd0, s_dims[2*d +: 2]} >= DIMENSIONS_ || seen[s_dims[2*d +: 2]]) dims_bad = 1'b1;
                seen[s_dims[2*d +: 2]] = 1'b1;
            end
    end
    wire        list = s_kind == 3'd4;      // whole rows of transfers, maybe none; no destination
    wire        reduces = s_kind < 3'd2;    // kinds that need an ALU's type and operation
    // A format holds FP32 alone.  The ALUs round sums, minima and maxima to the format: no averages, no products.
    wire        formatted   = WIRE_FORMATS != 0 && s_wire != 3'd0 && s_kind < 3'd3;
    wire        format_bad  = formatted && (s_type != 3'd0 || (reduces && (s_op == 3'd1 || s_op == 3'd4)));
    reg  [7:0]  command_q;              // the first rule that the command itself breaks
    assign m_code =
        !s_running ? `ACE_CODE_STOPPED    :
        s_failed   ? `ACE_CODE_FAILED     :
        s_full     ? `ACE_CODE_QUEUE_FULL : command_q;
    always @(posedge clk) command_q <=
        {29'd0, s_kind} >= KINDS_                                ? `ACE_CODE_BAD_KIND       :
        {29'd0, s_type} >= TYPES_ || (reduces && !TYPE_BITS[{2'd0, s_type}])
                                                                 ? `ACE_CODE_BAD_TYPE       :
        {29'd0, s_op} >= OPS_ || (reduces && !OP_BITS[{2'd0, s_op}])
                                                                 ? `ACE_CODE_BAD_OP         :
        format_bad                                               ? `ACE_CODE_BAD_FORMAT     :
        dims_bad                                                 ? `ACE_CODE_BAD_DIMENSIONS :
        s_source[7:0] != 8'd0 || (!list && (s_source[11:8] != 4'd0 || s_destination[11:0] != 12'd0))
                                                                 ? `ACE_CODE_BAD_ALIGNMENT  :
        (s_bytes == 64'd0 && !list) || s_bytes > BYTES_MOST      ? `ACE_CODE_BAD_SIZE       :
        source_end > source_last || (!list && destination_end > destination_last)
                                                                 ? `ACE_CODE_BAD_RANGE      :
        s_kind == 3'd3 && source_end > {1'b0, s_destination} &&
            destination_end > {1'b0, s_source}                   ? `ACE_CODE_OVERLAP        : `ACE_CODE_NONE;

    // a number is narrower than the parameter it comes from
    wire unused = &{1'b0, KINDS_, TYPES_, OPS_, DIMENSIONS_, TYPE_BITS, OP_BITS, s_wire};

endmodule

`default_nettype wire
