// SPDX-License-Identifier: Apache-2.0
//
// ace_hub_reducer -- sums up, in a switch, what its ports send of a chunk, row by row
//
//   s, a port ---> { row } ---> [ slots: contexts x rows ] --+
//   s, a port ---> { row } ---> [ slots: contexts x rows ] --+--> { rows of one place } --> ALUs --> m
//   ...                ^              ^                      |        of all members      a tree
//                      `--- table: which entry a context has-'
//
// Rows of a context come from a port in the order of the chunk, so no row says where it belongs: the
// first of a port belongs to the first of any other.  A slot is a place in an entry of the table; each
// port has a row for it.  When all members have theirs the slot's rows are read together, and a tree of
// ALUs reduces port 0 with 1, 2 with 3 and so on, then these likewise.  So neither the bits of a sum nor
// its time in the tree depend on the order in which ports came.
//
// Contract
//   Handshake   A row of a port moves when s_valid && s_ready of that port; s_ready comes from state.  A
//               row waits before the table while its context has no entry, or the entry no place.
//   Table       A context has an entry from two cycles after its first row came, if one is free, until no
//               port has a row of it.  Nothing can wait for ever where no more than CONTEXTS contexts are
//               under way, and of each port no more than ROWS rows of one: who sends sees to that.
//   Members     cfg_members is 0..01..1 and constant; other ports send nothing.
//   Latency     a row that completes a slot: taken at edge t, then 4 cycles and 6 for each level of the
//               tree up to m_valid, when no other slot is before it.
//   Throughput  a sum a cycle, of one context one in two cycles.  While s_hold no slot is read; sums
//               that were under way come all the same.
//   Order       of a context as the rows came; contexts take turns.
//   Values      those of ace_alu, port by port as above; averages are refused.
//   Errors      m_mismatch: rows of a slot are of different chunks (marks), types or operations; the
//               sum is of no use.  m_refused: a type or an operation that is not built, or an average.
//               Both stay until reset.  A port that sends a chunk twice meets the others' next one,
//               and is told so by its mark.
//   Code        a row comes with s_code, ace_row_code's, and what it says of itself with four bits of parity,
//               s_header_code: bit i is that of bits i, i+4, .. of {how, context, mark}.  Rows are looked at as
//               they are read, headers while they stand before the table, as they are read and as the sum
//               leaves.  What says that something is there is kept twice, the second time inverted; names of
//               entries have parity; heads, tails and counts of rows must fit each other.  All are looked at
//               in each cycle.  What is wrong in cycle t is told by m_wrong from t+3 on, the first by its
//               kind, until reset; no sum is valid from then on, and none of a row that did not fit ever is.
//               Sums in the ALUs have no code.  Attributes keep synthesis from merging what is kept twice:
//               tests/source/kept_twice.sh counts it in gates.
//   Idle        nothing changes without input, but counters.
//   Reset       rst is synchronous, active high; all rows are forgotten.
//   Twin        cmodel/nic/ace_hub_reducer.c, equal at every port, every cycle
//               (tests/lockstep/lockstep_hub_reducer_test.cc).

`default_nettype none

module ace_hub_reducer #(
    parameter PORTS    = 4,     // 2..64
    parameter CONTEXTS = 32,    // chunks under way at a time, a power of two, 2..32
    parameter ROWS     = 128,   // rows that a port holds of each, a power of two, 2..1024
    parameter TYPES    = 65,    // of the ALUs: a bit a type, FP32 is bit 0
    parameter OPS      = 5      // and a bit an operation, sum is bit 0
) (
    input  wire                  clk,
    input  wire                  rst,

    input  wire [PORTS-1:0]      cfg_members,   // ports that take part

    input  wire [PORTS-1:0]      s_valid,       // rows in, a bit or a lane a port
    output wire [PORTS-1:0]      s_ready,
    input  wire [8*PORTS-1:0]    s_context,     // {phase, index}, as packets name it
    input  wire [8*PORTS-1:0]    s_mark,        // chunk identity
    input  wire [6*PORTS-1:0]    s_how,         // {operation, type}, as of ace_alu
    input  wire [4*PORTS-1:0]    s_header_code, // of these three
    input  wire [2048*PORTS-1:0] s_data,
    input  wire [32*PORTS-1:0]   s_code,        // of s_data
    input  wire                  s_hold,        // no slot is read

    output wire                  m_valid,       // a sum, for all members
    output wire [7:0]            m_context,
    output wire [7:0]            m_mark,
    output wire [2047:0]         m_data,

    output wire                  m_mismatch,
    output wire                  m_refused,
    output wire [2:0]            m_wrong,       // {the table, a header, a row} does not fit
    output wire                  idle,
    output wire [191:0]          count          // {idle, blocked, starved, busy}, 48 bits each
);

    localparam LEVELS = $clog2(PORTS);
    localparam LEAVES = 1 << LEVELS;
    localparam STAGES = 6 * LEVELS;             // of the tree
    localparam C_W    = $clog2(CONTEXTS);
    localparam R_W    = $clog2(ROWS);
    localparam SIDE_W = 18;                     // {code of the header, how, mark}
    localparam HEAD_W = 26;                     // {code, how, context, mark}
    localparam [31:0] FULL = ROWS;
    localparam [31:0] TYPE_BITS = TYPES;
    localparam [31:0] OP_BITS   = OPS;
    localparam [2:0]  AVERAGE = 3'd1, OPERATIONS = 3'd5, KINDS = 3'd7;

    // Illegal parameters stop elaboration at a module that is nowhere, whose name is the rule.
    generate
        if (PORTS < 2 || PORTS > 64) begin : g_illegal_ports PORTS_must_be_2_to_64 stop (); end
        if (CONTEXTS < 2 || CONTEXTS > 32 || (CONTEXTS & (CONTEXTS - 1)) != 0) begin : g_illegal_contexts
            CONTEXTS_must_be_a_power_of_two_2_to_32 stop ();
        end
        if (ROWS < 2 || ROWS > 1024 || (ROWS & (ROWS - 1)) != 0) begin : g_illegal_rows
            ROWS_must_be_a_power_of_two_2_to_1024 stop ();
        end
        if (TYPES < 1 || TYPES > 127) begin : g_illegal_types TYPES_must_be_1_to_127 stop (); end
        if (OPS < 1 || OPS > 31) begin : g_illegal_ops OPS_must_be_1_to_31 stop (); end
    endgenerate

    // The code of a header, {how, context, mark}.
    function [3:0] code;
        input [21:0] of;
        code = {2'd0, of[21:20]} ^ of[19:16] ^ of[15:12] ^ of[11:8] ^ of[7:4] ^ of[3:0];
    endfunction

    // ---- the table: contexts that have an entry ----
    (* keep, dont_touch = "true" *)
    reg [CONTEXTS-1:0]       open_q, open_not_q;
    reg [8*CONTEXTS-1:0]     name_q;
    reg [CONTEXTS-1:0]       name_parity_q;
    (* keep, dont_touch = "true" *)
    reg                      opening_q, opening_not_q;  // an entry is asked for
    reg [7:0]                opening_name_q;
    reg                      opening_parity_q;
    wire [PORTS*CONTEXTS-1:0] match, has;       // of each port: the entry of its row; entries with rows
    wire [PORTS-1:0]         holds, takes;      // a row before the table; and it goes in
    wire [8*PORTS-1:0]       held_context;

    // ---- what is picked, what has come out of the slots' memories, and what is read of registers behind them ----
    (* keep, dont_touch = "true" *)
    reg                      picked_q, picked_not_q, fetched_q, fetched_not_q, reads_q, reads_not_q;
    reg [CONTEXTS-1:0]       pick_q, behind_q;  // the entry; those behind the last one, which go first
    reg [C_W-1:0]            pick_at_q;
    reg [R_W*CONTEXTS-1:0]   head_q;
    reg [7:0]                fetched_context_q, read_context_q;
    wire [R_W-1:0]           head = picked_q ? head_q[pick_at_q*R_W +: R_W] : {R_W{1'b0}};
    wire [SIDE_W*PORTS-1:0]  side;              // of the rows that are read
    wire [PORTS-1:0]         in_unfit, header_unfit, counts_unfit, row_unfit;   // of each port, see below

    reg [CONTEXTS-1:0] any_match, any_has, whole;
    reg                missed;
    reg [7:0]          missed_name;
    integer            p;
    always @(*) begin
        any_match   = {CONTEXTS{1'b0}};
        any_has     = {CONTEXTS{1'b0}};
        whole       = open_q;
        missed      = 1'b0;
        missed_name = 8'd0;
        for (p = PORTS - 1; p >= 0; p = p - 1) begin
            any_match = any_match | match[p*CONTEXTS +: CONTEXTS];
            any_has   = any_has | has[p*CONTEXTS +: CONTEXTS];
            whole     = whole & (has[p*CONTEXTS +: CONTEXTS] | {CONTEXTS{!cfg_members[p]}});
            if (holds[p] && match[p*CONTEXTS +: CONTEXTS] == {CONTEXTS{1'b0}}) begin
                missed      = 1'b1;
                missed_name = held_context[p*8 +: 8];
            end
        end
    end

    // The lowest of a set.
    function [CONTEXTS-1:0] lowest;
        input [CONTEXTS-1:0] set;
        integer              j;
        reg                  below;
        begin
            below = 1'b0;
            for (j = 0; j < CONTEXTS; j = j + 1) begin
                lowest[j] = set[j] && !below;
                below     = below || set[j];
            end
        end
    endfunction

    wire [CONTEXTS-1:0] grows  = opening_q ? lowest(~open_q) : {CONTEXTS{1'b0}};
    wire [CONTEXTS-1:0] ready  = s_hold ? {CONTEXTS{1'b0}} : whole & ~(picked_q ? pick_q : {CONTEXTS{1'b0}});
    wire [CONTEXTS-1:0] later  = ready & behind_q;
    wire [CONTEXTS-1:0] pick   = lowest(later != {CONTEXTS{1'b0}} ? later : ready);
    reg  [CONTEXTS-1:0] behind;
    reg  [C_W-1:0]      pick_at;
    integer             e;
    always @(*) begin
        behind  = {CONTEXTS{1'b0}};
        pick_at = {C_W{1'b0}};
        for (e = 0; e < CONTEXTS; e = e + 1) begin
            if (e > 0) behind[e] = behind[e-1] || pick[e-1];
            if (pick[e]) pick_at = pick_at | e[C_W-1:0];
        end
    end

    wire [CONTEXTS-1:0] open_next    = (open_q & (any_match | any_has)) | grows;
    wire                opening_next = opening_q ? grows == {CONTEXTS{1'b0}} : missed;
    integer i;
    always @(posedge clk) begin
        open_q     <= open_next;
        open_not_q <= ~open_next;
        for (i = 0; i < CONTEXTS; i = i + 1)
            if (grows[i]) begin
                name_q[i*8 +: 8] <= opening_name_q;
                name_parity_q[i] <= opening_parity_q;
            end
        opening_q     <= opening_next;
        opening_not_q <= !opening_next;
        if (!opening_q && missed) begin
            opening_name_q   <= missed_name;
            opening_parity_q <= ^missed_name;
        end
        picked_q     <= ready != {CONTEXTS{1'b0}};
        picked_not_q <= ready == {CONTEXTS{1'b0}};
        if (ready != {CONTEXTS{1'b0}}) begin
            pick_q    <= pick;
            behind_q  <= behind;
            pick_at_q <= pick_at;
        end
        fetched_q     <= picked_q;
        fetched_not_q <= !picked_q;
        reads_q       <= fetched_q;
        reads_not_q   <= !fetched_q;
        if (fetched_q) read_context_q <= fetched_context_q;
        if (picked_q) begin
            for (i = 0; i < CONTEXTS; i = i + 1)
                if (pick_q[i]) head_q[i*R_W +: R_W] <= head + 1'b1;
            fetched_context_q <= name_q[pick_at_q*8 +: 8];
        end
        if (rst) begin
            open_q        <= {CONTEXTS{1'b0}};
            open_not_q    <= {CONTEXTS{1'b1}};
            opening_q     <= 1'b0;
            opening_not_q <= 1'b1;
            picked_q      <= 1'b0;
            picked_not_q  <= 1'b1;
            fetched_q     <= 1'b0;
            fetched_not_q <= 1'b1;
            reads_q       <= 1'b0;
            reads_not_q   <= 1'b1;
            behind_q      <= ~{{(CONTEXTS-1){1'b0}}, 1'b1};
            head_q        <= {R_W*CONTEXTS{1'b0}};
        end
    end

    // What does not fit of the table: names in use, and the two ways in which an entry is picked.
    reg     names_unfit;
    integer d;
    always @(*) begin
        names_unfit = opening_q && ^opening_name_q != opening_parity_q;
        for (d = 0; d < CONTEXTS; d = d + 1)
            names_unfit = names_unfit || (open_q[d] && ^name_q[d*8 +: 8] != name_parity_q[d]);
    end
    wire table_unfit = open_q != ~open_not_q || opening_q == opening_not_q || picked_q == picked_not_q ||
                       fetched_q == fetched_not_q || reads_q == reads_not_q || names_unfit ||
                       (picked_q && pick_q != {{(CONTEXTS-1){1'b0}}, 1'b1} << pick_at_q);

    // ---- ports: a row before the table, and the slots ----
    wire [2048*LEAVES-1:0] row;                 // those that are read
    genvar g, k, b;
    generate
        for (g = 0; g < LEAVES; g = g + 1) begin : g_port
            if (g < PORTS) begin : g_there
                (* keep, dont_touch = "true" *)
                reg                 in_valid_q, in_valid_not_q;
                reg [7:0]           in_context_q, in_mark_q;
                reg [5:0]           in_how_q;
                reg [3:0]           in_header_code_q;
                reg [2047:0]        in_row_q;
                reg [31:0]          in_code_q;
                reg [CONTEXTS-1:0]  has_q, full_q;
                reg [(R_W+1)*CONTEXTS-1:0] count_q;
                reg [R_W*CONTEXTS-1:0]     tail_q;
                wire [CONTEXTS-1:0] own;
                for (k = 0; k < CONTEXTS; k = k + 1) begin : g_match
                    assign own[k] = in_valid_q && open_q[k] && name_q[k*8 +: 8] == in_context_q;
                end
                wire [CONTEXTS-1:0] take = own & ~full_q;
                wire [CONTEXTS-1:0] drop = picked_q && cfg_members[g] ? pick_q : {CONTEXTS{1'b0}};
                assign match[g*CONTEXTS +: CONTEXTS] = own;
                assign has[g*CONTEXTS +: CONTEXTS]   = has_q;
                assign holds[g]                      = in_valid_q;
                assign takes[g]                      = take != {CONTEXTS{1'b0}};
                assign held_context[g*8 +: 8]        = in_context_q;
                assign s_ready[g]                    = !in_valid_q || takes[g];

                reg [C_W-1:0] to;
                reg [R_W-1:0] tail;
                integer       t;
                always @(*) begin
                    to   = {C_W{1'b0}};
                    tail = {R_W{1'b0}};
                    if (takes[g])
                        for (t = 0; t < CONTEXTS; t = t + 1)
                            if (take[t]) begin
                                to   = to | t[C_W-1:0];
                                tail = tail | tail_q[t*R_W +: R_W];
                            end
                end

                integer n;
                always @(posedge clk) begin
                    if (s_ready[g]) begin
                        in_valid_q     <= s_valid[g];
                        in_valid_not_q <= !s_valid[g];
                    end
                    if (s_ready[g] && s_valid[g]) begin
                        in_context_q     <= s_context[g*8 +: 8];
                        in_mark_q        <= s_mark[g*8 +: 8];
                        in_how_q         <= s_how[g*6 +: 6];
                        in_header_code_q <= s_header_code[g*4 +: 4];
                        in_row_q         <= s_data[g*2048 +: 2048];
                        in_code_q        <= s_code[g*32 +: 32];
                    end
                    if (takes[g] || picked_q)
                        for (n = 0; n < CONTEXTS; n = n + 1) begin
                            if (take[n]) tail_q[n*R_W +: R_W] <= tail_q[n*R_W +: R_W] + 1'b1;
                            if (take[n] && !drop[n]) begin
                                count_q[n*(R_W+1) +: R_W+1] <= count_q[n*(R_W+1) +: R_W+1] + 1'b1;
                                has_q[n]  <= 1'b1;
                                full_q[n] <= count_q[n*(R_W+1) +: R_W+1] == FULL[R_W:0] - 1'b1;
                            end else if (drop[n] && !take[n]) begin
                                count_q[n*(R_W+1) +: R_W+1] <= count_q[n*(R_W+1) +: R_W+1] - 1'b1;
                                has_q[n]  <= count_q[n*(R_W+1) +: R_W+1] != {{R_W{1'b0}}, 1'b1};
                                full_q[n] <= 1'b0;
                            end
                        end
                    if (rst) begin
                        in_valid_q     <= 1'b0;
                        in_valid_not_q <= 1'b1;
                        has_q          <= {CONTEXTS{1'b0}};
                        full_q         <= {CONTEXTS{1'b0}};
                        count_q        <= {(R_W+1)*CONTEXTS{1'b0}};
                        tail_q         <= {R_W*CONTEXTS{1'b0}};
                    end
                end

                // A memory of so many rows takes most of a cycle: what it gives comes to registers first.
                wire [2048+SIDE_W+31:0] fetched;
                ace_ram_1r1w #(.DEPTH(CONTEXTS * ROWS), .WIDTH(2080 + SIDE_W)) u_slots (
                    .clk(clk), .s_read_valid(picked_q && cfg_members[g]), .s_read_at({pick_at_q, head}),
                    .m_data(fetched),
                    .s_write_valid(takes[g]), .s_write_at({to, tail}),
                    .s_write_data({in_code_q, in_header_code_q, in_how_q, in_mark_q, in_row_q}),
                    .test_on(1'b0), .test_read(1'b0), .test_write(1'b0),
                    .test_at({(C_W+R_W){1'b0}}), .test_data({(2080+SIDE_W){1'b0}}));
                reg [2047:0]       read_row_q;
                reg [31:0]         read_code_q;
                reg [SIDE_W-1:0]   read_side_q;
                always @(posedge clk)
                    if (fetched_q && cfg_members[g]) {read_code_q, read_side_q, read_row_q} <= fetched;
                assign row[g*2048 +: 2048]     = read_row_q;
                assign side[g*SIDE_W +: SIDE_W] = read_side_q;

                // Does what is kept of the port fit?
                wire               looks = reads_q && cfg_members[g];
                ace_row_check u_row_check (
                    .clk(clk), .rst(rst), .s_valid(looks), .s_data(read_row_q), .s_code(read_code_q),
                    .m_wrong(row_unfit[g]));
                assign header_unfit[g] = looks && side[g*SIDE_W+14 +: 4] !=
                                         code({side[g*SIDE_W+8 +: 6], read_context_q, side[g*SIDE_W +: 8]});
                assign in_unfit[g]     = in_valid_q && in_header_code_q != code({in_how_q, in_context_q, in_mark_q});
                reg                counts;
                reg [R_W:0]        rows;
                integer            c;
                always @(*) begin
                    counts = in_valid_q == in_valid_not_q;
                    rows   = {R_W+1{1'b0}};
                    for (c = 0; c < CONTEXTS; c = c + 1) begin
                        rows   = count_q[c*(R_W+1) +: R_W+1];
                        counts = counts || has_q[c] != (rows != {R_W+1{1'b0}}) || full_q[c] != (rows == FULL[R_W:0]) ||
                                 rows > FULL[R_W:0] || (has_q[c] && !open_q[c]) ||
                                 (cfg_members[g] && tail_q[c*R_W +: R_W] != head_q[c*R_W +: R_W] + rows[R_W-1:0]);
                    end
                end
                assign counts_unfit[g] = counts;
            end else begin : g_none
                assign row[g*2048 +: 2048] = 2048'd0;
            end
        end
    endgenerate

    // ---- what the rows that are read say ----
    wire [2:0] kind      = side[10:8], operation = side[13:11];
    wire       can       = kind < KINDS && operation < OPERATIONS && operation != AVERAGE && TYPE_BITS[{2'd0, kind}] &&
                           OP_BITS[{2'd0, operation}];
    reg        mismatch_q, refused_q, differs;
    integer    q;
    always @(*) begin
        differs = 1'b0;
        if (reads_q)
            for (q = 1; q < PORTS; q = q + 1)
                differs = differs || (cfg_members[q] && side[q*SIDE_W +: 14] != side[13:0]);
    end
    assign m_mismatch = mismatch_q;
    assign m_refused  = refused_q;

    // ---- the tree: a bit a stage that holds a sum, and what it is and what is to be done: its header ----
    (* keep, dont_touch = "true" *)
    reg [STAGES-1:0]        under_way_q, under_way_not_q;
    reg [HEAD_W*STAGES-1:0] header_q;           // the youngest in the low bits
    always @(posedge clk) begin
        under_way_q     <= {under_way_q[STAGES-2:0], reads_q};
        under_way_not_q <= {under_way_not_q[STAGES-2:0], !reads_q};
        if (reads_q || under_way_q != {STAGES{1'b0}})
            header_q <= {header_q[HEAD_W*(STAGES-1)-1:0], side[17:8], read_context_q, side[7:0]};
        if (reads_q && differs) mismatch_q <= 1'b1;
        if (reads_q && !can)    refused_q <= 1'b1;
        if (rst) begin
            under_way_q     <= {STAGES{1'b0}};
            under_way_not_q <= {STAGES{1'b1}};
            mismatch_q      <= 1'b0;
            refused_q       <= 1'b0;
        end
    end
    wire [HEAD_W-1:0] header = header_q[HEAD_W*STAGES-1 -: HEAD_W];
    wire              leaves = under_way_q[STAGES-1];
    assign m_context = header[15:8];
    assign m_mark    = header[7:0];

    // ---- what does not fit, in two cycles: rows are behind one of them when they are told ----
    reg [PORTS-1:0] in_unfit_q, header_unfit_q, counts_unfit_q;
    reg             sum_unfit_q, table_unfit_q;
    reg [1:0]       unfit_q;                    // {the table, a header}
    reg [2:0]       wrong_q;
    wire [2:0]      wrong   = {unfit_q, row_unfit != {PORTS{1'b0}}};
    wire            looking = in_unfit_q != {PORTS{1'b0}} || header_unfit_q != {PORTS{1'b0}} || sum_unfit_q ||
                              counts_unfit_q != {PORTS{1'b0}} || table_unfit_q || unfit_q != 2'd0;
    always @(posedge clk) begin
        in_unfit_q     <= in_unfit;
        header_unfit_q <= header_unfit;
        sum_unfit_q    <= leaves && header[25:22] != code(header[21:0]);
        counts_unfit_q <= counts_unfit;
        table_unfit_q  <= table_unfit || under_way_q != ~under_way_not_q;
        unfit_q        <= {table_unfit_q || counts_unfit_q != {PORTS{1'b0}},
                           sum_unfit_q || in_unfit_q != {PORTS{1'b0}} || header_unfit_q != {PORTS{1'b0}}};
        if (wrong_q == 3'd0) wrong_q <= wrong;
        if (rst) begin
            in_unfit_q     <= {PORTS{1'b0}};
            header_unfit_q <= {PORTS{1'b0}};
            sum_unfit_q    <= 1'b0;
            counts_unfit_q <= {PORTS{1'b0}};
            table_unfit_q  <= 1'b0;
            unfit_q        <= 2'd0;
            wrong_q        <= 3'd0;
        end
    end
    assign m_wrong = wrong_q;
    assign m_valid = leaves && wrong_q == 3'd0;

    // Nodes are numbered from the root, 1: those above node k are 2k and 2k+1, leaves are LEAVES and on.
    // The row of node k is at k-1.
    generate
        for (b = 0; b < 4; b = b + 1) begin : g_beat
            wire [512*(2*LEAVES-1)-1:0] node;
            wire                        unused_leaf = &{1'b0, node[512*(2*LEAVES-1)-1 -: 512]};  // without a port
            for (k = 0; k < LEAVES; k = k + 1) begin : g_leaf
                assign node[(LEAVES+k-1)*512 +: 512] = row[k*2048 + b*512 +: 512];
            end
            for (k = 1; k < LEAVES; k = k + 1) begin : g_node
                localparam LEVEL = LEVELS + 1 - $clog2(k + 1);  // 1: of leaves
                localparam LEFT  = (k << LEVEL) - LEAVES;       // the lowest port of each side
                localparam RIGHT = LEFT + (1 << (LEVEL - 1));
                if (RIGHT < PORTS) begin : g_there
                    wire       comes = LEVEL == 1 ? reads_q : under_way_q[6*(LEVEL-1) - (LEVEL > 1 ? 1 : 0)];
                    wire [5:0] how   = LEVEL == 1 ? side[13:8] : header_q[LEVEL > 1 ? HEAD_W*(6*LEVEL-7)+16 : 0 +: 6];
                    wire [512:0] early;
                    wire         unused = &{1'b0, early};
                    ace_alu #(.TYPES(TYPES), .OPS(OPS)) u_alu (
                        .clk(clk), .rst(rst), .s_valid(comes && cfg_members[LEFT]), .s_bypass(!cfg_members[RIGHT]),
                        .s_type(how[2:0]), .s_op(how[5:3]), .s_scale(37'd0),
                        .s_a(node[(2*k-1)*512 +: 512]), .s_b(node[2*k*512 +: 512]),
                        .m_data(node[(k-1)*512 +: 512]), .m_early_valid(early[512]), .m_early(early[511:0]));
                end else if (LEFT < PORTS) begin : g_passes     // nothing to reduce with: as long as others take
                    reg [6*512-1:0] pass_q;
                    always @(posedge clk)
                        if (reads_q || under_way_q != {STAGES{1'b0}})
                            pass_q <= {pass_q[5*512-1:0], node[(2*k-1)*512 +: 512]};
                    assign node[(k-1)*512 +: 512] = pass_q[6*512-1 -: 512];
                end else begin : g_none
                    assign node[(k-1)*512 +: 512] = 512'd0;
                end
            end
            assign m_data[b*512 +: 512] = node[511:0];
        end
    endgenerate

    // ---- what each cycle is, and whether there is anything to do ----
    ace_cycle_classes u_classes (
        .clk(clk), .rst(rst), .busy(picked_q), .blocked(s_hold && whole != {CONTEXTS{1'b0}}),
        .starved(any_has != {CONTEXTS{1'b0}}), .count(count));
    assign idle = holds == {PORTS{1'b0}} && !opening_q && !picked_q && !fetched_q && !reads_q &&
                  under_way_q == {STAGES{1'b0}} && open_q == any_has && whole == {CONTEXTS{1'b0}} && !looking;

endmodule

`default_nettype wire
