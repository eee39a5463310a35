// SPDX-License-Identifier: Apache-2.0
//
// hub_reducer -- ace_hub_reducer: each row of a context leaves in exactly one sum
//
// Ports number the rows of each context, and send them at any time.  With WINDOW they keep to the
// contract: a port has no more rows of a context in flight than there are slots.  Without WINDOW
// they send as long as rows are let in.  There is no ALU; the proof checks which rows are summed.
// With UNFIT one row, chosen freely, has a wrong code or a wrong header.
//
// Properties
//   slots     No row overwrites a waiting row.  The sum of a context has the number of the rows
//             that are next at every member, and these rows all have the same number.
//   once      So no row leaves twice, and none is left out.  No sum of a context comes before every
//             member has sent its row.
//   credits   With WINDOW a row is let in after a few cycles at most, whatever else waits, since
//             slots are not shared.  The rows that were let in and have not left are never more
//             than the window.
//   codes     m_wrong reports only that row.  No sum with that row is valid, nor any sum after the
//             report.  A wrong header is reported in the fourth cycle after the row was let in.
//   rest      idle is high only when all waiting rows wait for a member that has sent none of its
//             rows.
//   rate      cover: sums of two contexts, in turn, in eight cycles in a row

`default_nettype none

module hub_reducer #(
    parameter PORTS = 2,
    parameter CONTEXTS = 2,
    parameter ROWS = 2,
    parameter WINDOW = 1,
    parameter HELD = 1,         // 0: s_hold stays low
    parameter UNFIT = 0
) (
    input wire               clk,
    input wire               rst,
    input wire [PORTS-1:0]   s_valid,
    input wire [PORTS-1:0]   s_name,        // which of two contexts
    input wire               hold
);
    localparam N_W = 4;                     // of the number of a row
    (* anyconst *) reg [PORTS-1:0] members; // ports 0, 1, ... take part
    wire [PORTS-1:0]    ready;
    wire                m_valid, mismatch, refused, idle;
    wire [7:0]          m_context, m_mark;
    wire [2:0]          wrong;
    wire                s_hold = hold && HELD != 0;
    (* anyconst *) reg [PORTS-1:0] unfit_port;  // whose row does not fit
    (* anyconst *) reg             unfit_name;
    (* anyconst *) reg [N_W-1:0]   unfit_row;
    (* anyconst *) reg             unfit_header;

    reg [N_W-1:0]  sent [0:2*PORTS-1];      // rows let in, of a context at a port
    reg [N_W-1:0]  left [0:1];              // sums of a context
    reg [8*PORTS-1:0]  context, mark;
    reg [4*PORTS-1:0]  header_code;
    reg [32*PORTS-1:0] code;
    reg [PORTS-1:0]    is_unfit;
    integer i, j;
    always @* begin
        context     = {8*PORTS{1'b0}};
        mark        = {8*PORTS{1'b0}};
        header_code = {4*PORTS{1'b0}};
        code        = {32*PORTS{1'b0}};
        for (i = 0; i < PORTS; i = i + 1) begin
            context[8*i]       = s_name[i];
            mark[8*i +: N_W]   = s_name[i] ? sent[2*i+1] : sent[2*i];
            is_unfit[i]        = UNFIT != 0 && unfit_port[i] && s_name[i] == unfit_name && mark[8*i +: N_W] == unfit_row;
            // of {6'b010110, 7'b0, name, 4'b0, number}
            header_code[4*i +: 4] = mark[8*i +: 4] ^ {3'd0, s_name[i]} ^ 4'b0110 ^ 4'b0001;
            if (is_unfit[i] && unfit_header) header_code[4*i+2] = !header_code[4*i+2];
            if (is_unfit[i] && !unfit_header) code[32*i+7] = 1'b1;
        end
    end

    ace_hub_reducer #(.PORTS(PORTS), .CONTEXTS(CONTEXTS), .ROWS(ROWS), .TYPES(64), .OPS(4)) dut (
        .clk(clk), .rst(rst), .cfg_members(members), .s_valid(s_valid), .s_ready(ready), .s_context(context),
        .s_mark(mark), .s_how({PORTS{6'b010110}}), .s_header_code(header_code), .s_data({2048*PORTS{1'b0}}), .s_code(code),
        .s_hold(s_hold),
        .m_valid(m_valid), .m_context(m_context), .m_mark(m_mark), .m_mismatch(mismatch), .m_refused(refused),
        .m_wrong(wrong), .idle(idle));

    `include "live.vh"

    always @* begin
        assume (members[0] && (members & (members + 1'b1)) == {PORTS{1'b0}});
        assume ((s_valid & ~members) == {PORTS{1'b0}});
        assume ((unfit_port & (unfit_port - 1'b1)) == {PORTS{1'b0}});
    end

    // Rows that were let in and have no sum yet.  Without a window there are no more than the
    // numbers can distinguish.
    reg [N_W-1:0] under_way [0:2*PORTS-1];
    reg           all_sent [0:1];
    always @* begin
        all_sent[0] = 1'b1;
        all_sent[1] = 1'b1;
        for (i = 0; i < PORTS; i = i + 1)
            for (j = 0; j < 2; j = j + 1) begin
                under_way[2*i+j] = sent[2*i+j] - left[j];
                if (members[i] && under_way[2*i+j] == {N_W{1'b0}}) all_sent[j] = 1'b0;
                assume (!(s_valid[i] && s_name[i] == j) || under_way[2*i+j] < (WINDOW != 0 ? ROWS : 14));
            end
    end
    // A row that is not let in stays.
    reg [PORTS-1:0] waits_then, name_then;
    always @(posedge clk) begin
        waits_then <= rst ? {PORTS{1'b0}} : s_valid & ~ready;
        name_then  <= s_name;
    end
    always @* for (i = 0; i < PORTS; i = i + 1)
        assume (!waits_then[i] || (s_valid[i] && s_name[i] == name_then[i]));

    always @(posedge clk)
        if (rst) begin
            for (i = 0; i < 2 * PORTS; i = i + 1) sent[i] <= {N_W{1'b0}};
            for (j = 0; j < 2; j = j + 1) left[j] <= {N_W{1'b0}};
        end else begin
            for (i = 0; i < PORTS; i = i + 1)
                for (j = 0; j < 2; j = j + 1)
                    if (s_valid[i] && ready[i] && s_name[i] == j) sent[2*i+j] <= sent[2*i+j] + 1'b1;
            for (j = 0; j < 2; j = j + 1)
                if (m_valid && m_context[0] == j) left[j] <= left[j] + 1'b1;
        end

    // Cycles in which a port has not been let in.
    reg [3:0] shut [0:PORTS-1];
    always @(posedge clk)
        for (i = 0; i < PORTS; i = i + 1)
            shut[i] <= rst || !waits_then[i] ? 4'd0 : shut[i] + (shut[i] != 4'd15);

    // Cycles since the row that does not fit was let in.
    reg [3:0] since;
    always @(posedge clk)
        if (rst) since <= 4'd0;
        else if (since != 4'd0) since <= since + (since != 4'd15);
        else if ((s_valid & ready & is_unfit) != {PORTS{1'b0}}) since <= 4'd1;

    always @* if (live) begin
        assert (!mismatch && !refused);
        assert (wrong == 3'd0 || (since != 4'd0 && wrong == (unfit_header ? 3'd2 : 3'd1)));
        if (unfit_header) assert ((since >= 4'd4) == (wrong != 3'd0));
        if (UNFIT != 0 && unfit_port != {PORTS{1'b0}} && m_valid && members == {PORTS{1'b1}})
            assert (m_context[0] != unfit_name || left[unfit_name] != unfit_row || since == 4'd0);
        if (m_valid) begin
            assert (wrong == 3'd0);
            assert (m_context[7:1] == 7'd0);
            assert (m_mark == {4'd0, m_context[0] ? left[1] : left[0]});
            assert (m_context[0] ? all_sent[1] : all_sent[0]);
        end
        for (i = 0; i < PORTS; i = i + 1)
            if (WINDOW != 0 && members[i] && wrong == 3'd0) begin
                assert (under_way[2*i] <= ROWS && under_way[2*i+1] <= ROWS);
                assert (shut[i] < 4'd8);
            end
        if (idle && wrong == 3'd0) assert (!all_sent[0] && !all_sent[1]);
    end

    reg [3:0] run;
    reg       before;
    always @(posedge clk) begin
        run    <= rst || !m_valid || (m_context[0] == before && run != 4'd0) ? 4'd0 : run + (run != 4'd15);
        before <= m_context[0];
    end
    always @* if (live) cover (run == 4'd8 || (UNFIT != 0 && wrong[0]));
endmodule

`default_nettype wire
