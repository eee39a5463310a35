// SPDX-License-Identifier: Apache-2.0
//
// ace_axi_lane -- beats of one AXI channel, between registers at both ends
//
//   s ---> { register } ---> [ ROWS beats ] ---> { register } ---> m
//               `------- when none is there ---------^
//
// Contract
//   Taking      A beat is taken when s_valid && s_ready.  s_ready is a register of the parent.  The
//               parent sets it for the next cycle only if m_room is 1; lanes that share a stream
//               must all have room.  m_room counts beats that are still coming, so each finds a
//               free slot.  s_data goes into a register without any logic.
//   Giving      m_some: a beat is here. s_load is given only then.  After s_load the oldest beat is
//               on m_data from the next cycle on, again from a register.  The parent keeps the
//               valid bit of that beat.
//   Latency     A beat taken in cycle t may be loaded in t + 1 and is on m_data in t + 2.
//   Throughput  A beat a cycle, if ROWS is three or more.
//   Order       as taken.
//   Reset       rst is synchronous, active high; only control state is reset.
//   Twin        cmodel/parts/ace_axi_lane.h, equal at the pins of ace_axi_split
//               (tests/lockstep/lockstep_axi_split_test.cc).

`default_nettype none

module ace_axi_lane #(
    parameter W    = 64,            // bits in a beat
    parameter ROWS = 4              // beats held, a power of two, 4..16
) (
    input  wire         clk,
    input  wire         rst,

    input  wire         s_valid,
    input  wire         s_ready,
    input  wire [W-1:0] s_data,
    output wire         m_room,     // s_ready may be 1 in the next cycle

    output wire         m_some,
    input  wire         s_load,
    output wire [W-1:0] m_data
);

    localparam PTR_W = $clog2(ROWS);
    localparam N_W   = PTR_W + 1;
    localparam [31:0] MOST = ROWS;
    localparam [N_W-1:0] NONE = {N_W{1'b0}};

    // Illegal parameters stop elaboration at an undefined module, whose name is the broken rule.
    generate
        if (W < 1) begin : g_illegal_w W_must_be_1_or_more stop (); end
        if (ROWS < 4 || ROWS > 16 || (ROWS & (ROWS - 1)) != 0) begin : g_illegal_rows
            ROWS_must_be_a_power_of_two_from_4_to_16 stop ();
        end
    endgenerate

    reg             took_q;         // a beat was taken in the cycle before, and is in taken_q
    reg [W-1:0]     taken_q;
    reg [N_W-1:0]   count_q;        // beats in held_q
    reg [PTR_W-1:0] wr_q, rd_q;
    reg [W-1:0]     held_q [0:ROWS-1];
    reg [W-1:0]     data_q;

    wire held = count_q != NONE;
    wire keep = took_q && !(s_load && !held);
    wire free = s_load && held;

    assign m_some = took_q || held;
    assign m_data = data_q;
    // Beats to count: the stored ones, one just taken that is not counted yet, and one that may be
    // taken in this cycle.
    assign m_room = count_q + {{PTR_W{1'b0}}, took_q} + {{PTR_W{1'b0}}, s_ready} < MOST[N_W-1:0];

    always @(posedge clk) begin
        if (rst) begin
            took_q  <= 1'b0;
            count_q <= NONE;
            wr_q    <= {PTR_W{1'b0}};
            rd_q    <= {PTR_W{1'b0}};
        end else begin
            took_q  <= s_valid && s_ready;
            count_q <= count_q + {{PTR_W{1'b0}}, keep} - {{PTR_W{1'b0}}, free};
            if (keep)
                wr_q <= wr_q + 1'b1;
            if (free)
                rd_q <= rd_q + 1'b1;
        end
    end

    always @(posedge clk) begin
        taken_q <= s_data;
        if (keep)
            held_q[wr_q] <= taken_q;
        if (s_load)
            data_q <= held ? held_q[rd_q] : taken_q;
    end

endmodule

`default_nettype wire
