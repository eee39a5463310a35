// SPDX-License-Identifier: Apache-2.0
//
// alu_built -- compares an ALU of some types and operations with a full one, on the same beats
//
// Types and operations that both have give the same result in every cycle.  A type or operation
// that is left out does not, which shows that the comparison can fail.  The last line is "N passed,
// N failed".
//
//   iverilog -g2005 -P alu_built.TYPES=3 -P alu_built.OPS=1 -y rtl -I rtl -s alu_built tests/icarus/alu_built.v

`default_nettype none

module alu_built;

    parameter TYPES = 3, OPS = 1, BEATS = 400;

    reg          clk = 1'b0, rst = 1'b1;
    reg          valid = 1'b0, bypass = 1'b0;
    reg  [2:0]   type_ = 3'd0, op = 3'd0;
    reg  [36:0]  scale = 37'd0;
    reg  [511:0] a, b;
    wire [511:0] whole, part;
    always #1 clk = !clk;

    ace_alu u_whole (
        .clk(clk), .rst(rst), .s_valid(valid), .s_bypass(bypass), .s_type(type_), .s_op(op), .s_scale(scale),
        .s_a(a), .s_b(b), .m_data(whole)
    );
    ace_alu #(.TYPES(TYPES), .OPS(OPS)) u_part (
        .clk(clk), .rst(rst), .s_valid(valid), .s_bypass(bypass), .s_type(type_), .s_op(op), .s_scale(scale),
        .s_a(a), .s_b(b), .m_data(part)
    );

    integer seed = 7, beat, i, equal = 0, unequal = 0, told = 0;
    reg [6:0] types;
    reg [4:0] ops;
    reg       missing;

    // Words of all kinds: any bits, and the small numbers and units that sums stay exact with.
    function [31:0] word;
        input integer how;
        case (how & 3)
            0: word = $random(seed);
            1: word = 32'h3f800000 + ($random(seed) & 32'h00ff0000);
            2: word = {16'h3c00 + ($random(seed) & 16'h03ff), 16'h3c00 + ($random(seed) & 16'h83ff)};
            default: word = {4{8'h38}} ^ ($random(seed) & 32'h87878787);
        endcase
    endfunction

    task draw;
        input from_missing;
        begin
            type_ = $random(seed);
            op    = $random(seed);
            while (type_ > 3'd6 || op > 3'd4 || (types[type_] && ops[op]) == from_missing) begin
                type_ = $random(seed);
                op    = $random(seed);
            end
            for (i = 0; i < 16; i = i + 1) begin
                a[32*i +: 32] = word($random(seed));
                b[32*i +: 32] = word($random(seed));
            end
            scale = {5'd1, 32'h3f000000};
        end
    endtask

    initial begin
        types = TYPES;
        ops   = OPS;
        repeat (2) @(posedge clk);
        rst <= 1'b0;
        // Types and operations of both, with gaps and copies.
        for (beat = 0; beat < BEATS; beat = beat + 1) begin
            draw(1'b0);
            valid  = beat < 8 || ($random(seed) & 3) != 0;
            bypass = ($random(seed) & 7) == 0;
            @(posedge clk);
            #0 if (beat > 8) begin
                if (whole === part) equal = equal + 1;
                else begin
                    unequal = unequal + 1;
                    if (unequal == 1) $display("FAIL beat %0d: type %0d op %0d\n%h\n%h", beat, type_, op, whole, part);
                end
            end
        end
        // Types and operations that are left out: the results must differ.
        bypass = 1'b0;
        valid  = 1'b1;
        for (beat = 0; beat < 20 && (types != 7'h7f || ops != 5'h1f); beat = beat + 1) begin
            draw(1'b1);
            repeat (7) @(posedge clk);
            #0 if (whole !== part) told = told + 1;
        end
        missing = types != 7'h7f || ops != 5'h1f;
        $display("%0d passed, %0d failed", equal + told, unequal + (missing && told == 0 ? 1 : 0));
        $finish;
    end

endmodule

`default_nettype wire
