// SPDX-License-Identifier: Apache-2.0
//
// ace_axi_checker -- reports the first broken rule of AXI4 between a master and a memory
//
//   every pin of the five channels is an input; rule is 0 until one is broken, then its number
//
// The checker covers INCR bursts of one ID whose answers come in order.  It has these rules of AMBA
// AXI4, in our words (Arm IHI 0022, chapters A3 and A5):
//   1, 2, 3  a request or row that is shown and not taken stays unchanged (ar, aw, w)
//   4, 5     an answer of the memory stays unchanged, too (r, b)
//   6, 7     a burst (ar, aw) is INCR, of SIZE, and stays within 4 KiB; a beat has BEAT_BYTES
//   8        w_last comes with the last beat of a burst, and with no other.  Data may come before
//            its address; the rule is then checked when both have come
//   9, 10    r comes only for a read that was taken before, r_last with its last beat and no other
//   11       b comes only for a write whose address and last row were taken before
//   12       no more than BURSTS reads, addresses or data of writes are taken and not answered
//   13       right after a reset nothing is valid
//   14       no control pin is unknown (x or z; only simulators with these values see it)
//   15       a row or an address that is shown is taken within PATIENCE cycles (0: no limit).  A
//            write that shows its address or data shows the other without waiting for an answer
//
// Contract
//   Binding     `bind` it, or make one beside the design, as tests/axi/memory_interface.v does.
//   Language    Verilog-2005 that Icarus Verilog, Verilator and Yosys read; no assertion is needed:
//               a proof asserts rule == 0.
//   Reset       rst is synchronous, active high.

`default_nettype none

module ace_axi_checker #(
    parameter ADDR_W     = 48,
    parameter DATA_W     = 2048,
    parameter BEAT_BYTES = DATA_W / 8,  // what an address steps from beat to beat
    parameter SIZE       = 7,           // AxSIZE
    parameter BURSTS     = 256,         // outstanding each way, a power of two
    parameter PATIENCE   = 0
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                ar_valid,
    input  wire                ar_ready,
    input  wire [ADDR_W-1:0]   ar_addr,
    input  wire [7:0]          ar_len,
    input  wire [2:0]          ar_size,
    input  wire [1:0]          ar_burst,
    input  wire [2:0]          ar_prot,
    input  wire                r_valid,
    input  wire                r_ready,
    input  wire [DATA_W-1:0]   r_data,
    input  wire                r_last,
    input  wire [1:0]          r_resp,
    input  wire                aw_valid,
    input  wire                aw_ready,
    input  wire [ADDR_W-1:0]   aw_addr,
    input  wire [7:0]          aw_len,
    input  wire [2:0]          aw_size,
    input  wire [1:0]          aw_burst,
    input  wire [2:0]          aw_prot,
    input  wire                w_valid,
    input  wire                w_ready,
    input  wire [DATA_W-1:0]   w_data,
    input  wire [DATA_W/8-1:0] w_strb,
    input  wire                w_last,
    input  wire                b_valid,
    input  wire                b_ready,
    input  wire [1:0]          b_resp,
    output reg  [3:0]          rule
);

    localparam AT_W = $clog2(BURSTS);
    localparam N_W  = AT_W + 2;         // numbers of bursts: differences up to BURSTS + 1
    localparam [N_W-1:0] MOST = BURSTS;
    localparam [31:0] WAITS = PATIENCE;

    wire ar = ar_valid && ar_ready;
    wire r  = r_valid && r_ready;
    wire aw = aw_valid && aw_ready;
    wire w  = w_valid && w_ready;
    wire b  = b_valid && b_ready;

    // ---- what was shown and not taken ----

    localparam A_W = ADDR_W + 16;
    wire [A_W-1:0] ar_now = {ar_addr, ar_len, ar_size, ar_burst, ar_prot};
    wire [A_W-1:0] aw_now = {aw_addr, aw_len, aw_size, aw_burst, aw_prot};
    wire [DATA_W+DATA_W/8:0] w_now = {w_data, w_strb, w_last};
    wire [DATA_W+2:0] r_now = {r_data, r_last, r_resp};
    reg            ar_waits, r_waits, aw_waits, w_waits, b_waits, fresh;
    reg [A_W-1:0]  ar_was, aw_was;
    reg [DATA_W+DATA_W/8:0] w_was;
    reg [DATA_W+2:0] r_was;
    reg [1:0]      b_was;

    always @(posedge clk) begin
        {ar_waits, r_waits, aw_waits, w_waits, b_waits} <= rst ? 5'd0 :
            {ar_valid && !ar_ready, r_valid && !r_ready, aw_valid && !aw_ready, w_valid && !w_ready,
             b_valid && !b_ready};
        fresh  <= rst;
        ar_was <= ar_now;
        aw_was <= aw_now;
        w_was  <= w_now;
        r_was  <= r_now;
        b_was  <= b_resp;
    end

    // ---- bursts: the numbers of those taken, and their lengths until they are answered ----

    reg [N_W-1:0] ars, rs, aws, ws, bs;         // taken; ended
    reg [7:0]     r_beat, w_beat;
    reg [7:0]     ar_lens [0:BURSTS-1];
    reg [7:0]     aw_lens [0:BURSTS-1];
    reg [7:0]     w_lens  [0:BURSTS-1];         // of data that came before its address

    wire [N_W-1:0] reads_open = ars - rs;
    wire [N_W-1:0] aw_open = aws - bs;
    wire [N_W-1:0] w_open = ws - bs;
    wire [N_W-1:0] lead = ws - aws;             // bursts of data ahead of addresses, or less than none
    wire           data_first = !lead[N_W-1] && lead != {N_W{1'b0}};
    wire           address_first = lead[N_W-1];
    // the length of the burst whose data comes now, when it is known
    wire           known = address_first || (aw && lead == {N_W{1'b0}});
    wire [7:0]     w_len = address_first ? aw_lens[ws[AT_W-1:0]] : aw_len;
    wire [8:0]     beats = {1'b0, w_beat};

    always @(posedge clk) begin
        if (rst) begin
            {ars, rs, aws, ws, bs} <= {5*N_W{1'b0}};
            {r_beat, w_beat} <= 16'd0;
        end else begin
            ars <= ars + {{N_W-1{1'b0}}, ar};
            rs  <= rs + {{N_W-1{1'b0}}, r && r_last};
            aws <= aws + {{N_W-1{1'b0}}, aw};
            ws  <= ws + {{N_W-1{1'b0}}, w && w_last};
            bs  <= bs + {{N_W-1{1'b0}}, b};
            if (r)
                r_beat <= r_last ? 8'd0 : r_beat + 8'd1;
            if (w)
                w_beat <= w_last ? 8'd0 : w_beat + 8'd1;
        end
        if (ar)
            ar_lens[ars[AT_W-1:0]] <= ar_len;
        if (aw)
            aw_lens[aws[AT_W-1:0]] <= aw_len;
        if (w && w_last)
            w_lens[ws[AT_W-1:0]] <= w_beat;
    end

    // ---- the rules ----

    function crosses;
        input [11:0] addr;
        input [7:0]  len;
        reg   [31:0] bytes;
        begin
            bytes   = ({24'd0, len} + 32'd1) * BEAT_BYTES;
            crosses = {20'd0, addr} + bytes > 32'd4096;
        end
    endfunction

    wire lost_ar = ar_waits && (!ar_valid || ar_now != ar_was);
    wire lost_aw = aw_waits && (!aw_valid || aw_now != aw_was);
    wire lost_w  = w_waits && (!w_valid || w_now != w_was);
    wire lost_r  = r_waits && (!r_valid || r_now != r_was);
    wire lost_b  = b_waits && (!b_valid || b_resp != b_was);
    wire bad_ar  = ar_valid && (ar_burst != 2'b01 || ar_size != SIZE || crosses(ar_addr[11:0], ar_len));
    wire bad_aw  = aw_valid && (aw_burst != 2'b01 || aw_size != SIZE || crosses(aw_addr[11:0], aw_len));
    wire bad_last = (w && known && w_last != (w_beat == w_len)) ||
                    (aw && data_first && w_lens[aws[AT_W-1:0]] != aw_len) ||
                    (aw && lead == {N_W{1'b0}} && w_beat > aw_len) || (w && beats > 9'd255);
    wire no_read  = r_valid && reads_open == {N_W{1'b0}};
    wire bad_r    = r_valid && !no_read && r_last != (r_beat == ar_lens[rs[AT_W-1:0]]);
    wire no_write = b_valid && (aw_open == {N_W{1'b0}} || w_open == {N_W{1'b0}});
    wire too_many = reads_open > MOST || aw_open > MOST || w_open > MOST;
    wire too_soon = fresh && (ar_valid || r_valid || aw_valid || w_valid || b_valid);

    // Icarus Verilog alone knows x; elsewhere the reduction is a bit like any other.
    wire unknown = (^{ar_valid, aw_valid, w_valid, r_valid, b_valid}) === 1'bx ||
                   (ar_valid && (^{ar_ready, ar_now}) === 1'bx) || (aw_valid && (^{aw_ready, aw_now}) === 1'bx) ||
                   (w_valid && (^{w_ready, w_strb, w_last}) === 1'bx) ||
                   (r_valid && (^{r_ready, r_last, r_resp}) === 1'bx) || (b_valid && (^{b_ready, b_resp}) === 1'bx);

    reg  [31:0] ar_for, aw_for, w_for;
    wire        late = WAITS != 32'd0 && (ar_for > WAITS || aw_for > WAITS || w_for > WAITS);
    always @(posedge clk) begin
        ar_for <= rst || !ar_valid || ar_ready ? 32'd0 : ar_for + 32'd1;
        aw_for <= rst || !aw_valid || aw_ready ? 32'd0 : aw_for + 32'd1;
        w_for  <= rst || !w_valid || w_ready ? 32'd0 : w_for + 32'd1;
    end

    always @(posedge clk) begin
        if (rst)
            rule <= 4'd0;
        else if (rule == 4'd0)
            rule <= unknown  ? 4'd14 :
                    too_soon ? 4'd13 :
                    lost_ar  ? 4'd1  :
                    lost_aw  ? 4'd2  :
                    lost_w   ? 4'd3  :
                    lost_r   ? 4'd4  :
                    lost_b   ? 4'd5  :
                    bad_ar   ? 4'd6  :
                    bad_aw   ? 4'd7  :
                    bad_last ? 4'd8  :
                    no_read  ? 4'd9  :
                    bad_r    ? 4'd10 :
                    no_write ? 4'd11 :
                    too_many ? 4'd12 :
                    late     ? 4'd15 : 4'd0;
    end

endmodule

`default_nettype wire
