// SPDX-License-Identifier: Apache-2.0
//
// ace_exchange -- all-to-alls, and lists of transfers: rows go to other members' memory
//
//   s_cmd --> [ 4 commands ] --> { set up } --> { walk } --+--> m_ar    one row a request
//                         \--> { ace_list_walk } ----------+
//   s_r ----> [ a queue a first link, and the own block's ] --> m_head, s_pop
//   s_row --> [ 8 rows ] --> m_aw, m_w        s_b --> { arrived } --> m_done
//
// Contract
//   Command     MPI_Alltoall over s_cmd_dims: member j (x counts fastest, over these
//               dimensions) gets block j, and block i is that of member i.  A block is
//               ceil(bytes / (256 * members)) rows.  All members give the same command, with
//               the same destination address: a row brings the address it is written to, so
//               it can be written whether or not this node has the command yet.
//   List        With s_cmd_list, s_cmd_source is the address of a list of transfers and
//               s_cmd_bytes its length, 0 or more: see ace_list_walk.  The rest of s_cmd_* but
//               the tag means nothing then.
//   Padding     is read, sent and counted like the rest; what lies beyond s_cmd_bytes at
//               either end is not written.  So the timing does not depend on the rank.
//   Walk        row by row of all blocks.  The offsets to the other members are visited in
//               an order that changes every coordinate at each step, each offset first with
//               a row, then mirrored with the next row: what goes up a ring is followed by
//               as much that goes down.  A member halfway round a ring is sent to upwards,
//               and when mirrored downwards.
//   Queues      A row is asked for when its queue has a place.  Head q shows while m_head_valid
//               bit q is 1.  There are three groups of queues: the + queues (even), the - queues
//               (odd) and the own block's (behind the last link's).  The row popped last of each is
//               on m_plus_data, m_minus_data and m_own_data from the cycle after the pop on.  No
//               two pops of one group in a cycle.
//   Note        17 bits that go with a row: bytes to write (0..256) in the high 9, key below.
//   Codes       A row comes with its code (ace_row_code), which goes with it wherever it goes.  Those of lists
//               end here: m_list_wrong, see ace_list_walk.
//   Arrivals    s_reserve only while m_room; each is followed by one s_row_valid later.
//   Window      A row brings the address it is written to.  It is written only if its address is one of
//               cfg_window_first..cfg_window_last: two windows, that of all-to-alls and that of lists,
//               by the row's key.  A row of 0 bytes, padding or a send of nothing, writes nothing: m_aw_pad
//               says so, m_aw_addr is 0, and it is no access of the memory.  Any other row is refused:
//               it is dropped, counted in count_refused and under no key.  So is a row of 0 bytes while the
//               window of its key is closed, first above last.
//   Failed      from the cycle after the first row that was refused or item of a list that was illegal until
//               reset.  failed_list says that an item was; failed_addr is the address of the first item,
//               and before there is one that of the first row.  An illegal item in rows of peers counts as
//               a row that was refused, with the item's address.
//   Done        m_done when all rows were read, and as many as the blocks have, of this
//               command, were written and, a cycle ago, answered; of a list, those it receives.  One
//               command at a time, in order.
//   Counters    each cycle outside reset in exactly one, for the read and for the write side:
//               busy (a row moved), blocked (a request or row waits), starved (a command or
//               writes outstanding), idle.
//   Reset       rst is synchronous, active high; only control state is reset.
//   Twin        cmodel/nic/ace_exchange.c, equal at every port, every cycle
//               (tests/lockstep/lockstep_exchange_test.cc).
//
// Arrivals are counted by key.  The key of an all-to-all is the dimensions of the command with
// more than one member, above one bit that alternates with each command on these dimensions.  One
// bit is enough: members over the same dimensions are the same nodes each time, and a member that
// is done with a command has all of this node's rows of it.  So while this node counts its n-th
// command on these dimensions, no member has ended its own (n+1)-th, which needs rows that this
// node sends only after its n-th.  Rows of no other than the n-th and the (n+1)-th arrive.
//
// Rows of lists have keys of 16 and more, of 32 and more where the fourth ring has more than one node:
// one key for each way that rows come here, that is a sender and its route.  They are counted without
// end, and a receive takes off what it has waited for.  That is exact however far a sender runs
// ahead: every queue and buffer on a way keeps the order in which its rows were asked for, so the
// first rows that are counted are the first ones sent.  Lists are carried out in the same order
// everywhere.

`default_nettype none

module ace_exchange #(
    parameter DIMENSIONS = 3,       // 3 or 4
    parameter ROWS   = 32,          // rows of each queue, 1..1024
    parameter BURSTS = 128,         // requests outstanding, each way, 1..256
    parameter SENDS  = 16,          // sends of a list under way, 1..64
    parameter ROW_W  = 2048,        // bits in a row
    parameter DATA_W = ROW_W,       // of which are carried: fewer where no payload is; lists are read whole
    parameter CODED  = 1            // 1: rows have a code
) (
    input  wire               clk,
    input  wire               rst,

    input  wire [8*DIMENSIONS-1:0] cfg_ring,        // 8 bits a dimension
    input  wire [8*DIMENSIONS-1:0] cfg_rank,
    input  wire [63:0]        cfg_window_first,     // in rows, of all-to-alls and of lists; first > last: none
    input  wire [63:0]        cfg_window_last,

    input  wire               s_cmd_valid,
    output wire               s_cmd_ready,
    input  wire               s_cmd_list,
    input  wire [2:0]         s_cmd_dim_count,
    input  wire [2*DIMENSIONS-1:0] s_cmd_dims,
    input  wire [47:0]        s_cmd_source,         // multiples of 4096; of a list, of 256
    input  wire [47:0]        s_cmd_destination,    // below 2^40
    input  wire [40:0]        s_cmd_bytes,
    input  wire [15:0]        s_cmd_tag,
    output wire               m_done_valid,
    input  wire               m_done_ready,
    output wire [15:0]        m_done_tag,

    // Memory: bursts of one row
    output wire               m_ar_valid,
    input  wire               m_ar_ready,
    output wire [47:0]        m_ar_addr,
    input  wire               s_r_valid,
    output wire               s_r_ready,
    input  wire [ROW_W-1:0]   s_r_data,
    input  wire [31:0]        s_r_code,
    output wire               m_list_wrong,         // a row of a list did not fit its code
    output wire               m_aw_valid,
    input  wire               m_aw_ready,
    output wire [47:0]        m_aw_addr,
    output wire               m_aw_pad,             // a row of 0 bytes: nothing is written
    output wire               m_w_valid,
    input  wire               m_w_ready,
    output wire [DATA_W-1:0]  m_w_data,
    output wire [31:0]        m_w_code,
    output wire [ROW_W/8-1:0] m_w_strb,
    input  wire               s_b_valid,

    // Rows to send
    output wire [2*DIMENSIONS:0]      m_head_valid,
    output wire [128*DIMENSIONS+63:0] m_head_route, // 64 bits a queue, see ace_router
    output wire [34*DIMENSIONS+16:0]  m_head_note,
    input  wire [2*DIMENSIONS:0]      s_pop,
    output wire [DATA_W-1:0]  m_plus_data,
    output wire [DATA_W-1:0]  m_minus_data,
    output wire [DATA_W-1:0]  m_own_data,
    output wire [31:0]        m_plus_code,
    output wire [31:0]        m_minus_code,
    output wire [31:0]        m_own_code,

    // Rows that arrived
    output wire               m_room,
    input  wire               s_reserve,
    input  wire               s_row_valid,
    input  wire [31:0]        s_row_address,        // in rows
    input  wire [16:0]        s_row_note,
    input  wire [DATA_W-1:0]  s_row_data,
    input  wire [31:0]        s_row_code,

    output wire [191:0]       count_read,           // cycles in each class
    output wire [191:0]       count_write,
    output wire               failed,               // sticky: a row that arrived was refused,
    output wire               failed_list,          // or an item of a list was illegal
    output wire [47:0]        failed_addr,
    output wire [31:0]        count_refused,        // rows, since reset, wraps
    output wire               idle                  // nothing changes without input
);

    localparam LINKS   = 2 * DIMENSIONS;
    localparam QUEUES  = LINKS + 1;
    localparam OWN     = LINKS;         // the own block's queue
    localparam MEMBERS_W = 7 * DIMENSIONS + 1;  // of a count of members: rings of 128
    localparam PTR_W   = ROWS > 1 ? $clog2(ROWS) : 1;
    localparam HELD_W  = $clog2(ROWS + 1);
    localparam AT_W    = BURSTS > 1 ? $clog2(BURSTS) : 1;
    localparam COUNT_W = $clog2(BURSTS + 1);
    localparam [31:0] LAST  = ROWS - 1;
    localparam [31:0] FULL  = ROWS;
    localparam [31:0] LAST_BURST  = BURSTS - 1;
    localparam [31:0] FULL_BURSTS = BURSTS;
    localparam [COUNT_W-1:0] NONE = {COUNT_W{1'b0}};

    // Illegal parameters stop elaboration at a module that is nowhere, whose name is the rule.
    generate
        if (DIMENSIONS != 3 && DIMENSIONS != 4) begin : g_illegal_dimensions
            DIMENSIONS_must_be_3_or_4 stop ();
        end
        if (ROWS < 1 || ROWS > 1024) begin : g_illegal_rows ROWS_must_be_1_to_1024 stop (); end
        if (BURSTS < 1 || BURSTS > 256) begin : g_illegal_bursts BURSTS_must_be_1_to_256 stop (); end
        if (SENDS < 1 || SENDS > 64) begin : g_illegal_sends SENDS_must_be_1_to_64 stop (); end
        if (ROW_W != 2048) begin : g_illegal_row_w ROW_W_must_be_2048 stop (); end
        if (CODED != 0 && CODED != 1) begin : g_illegal_coded CODED_must_be_0_or_1 stop (); end
        if (DATA_W < 1 || DATA_W > ROW_W) begin : g_illegal_data_w DATA_W_must_be_1_to_ROW_W stop (); end
    endgenerate

    function [AT_W-1:0] next_burst;
        input [AT_W-1:0] at;
        next_burst = at == LAST_BURST[AT_W-1:0] ? {AT_W{1'b0}} : at + 1'b1;
    endfunction

    function [COUNT_W-1:0] step;
        input [COUNT_W-1:0] held;
        input               up;
        input               down;
        step = up == down ? held : up ? held + 1'b1 : held - 1'b1;
    endfunction

    // ---- commands waiting --------------------------------------------------

    reg [2:0]  cmds_q;
    reg [1:0]  cmd_wr_q;
    reg [1:0]  cmd_rd_q;
    reg        cmd_list_q        [0:3];
    reg [DIMENSIONS-1:0] cmd_mask_q [0:3];  // dimensions that take part
    reg [47:0] cmd_source_q      [0:3];
    reg [31:0] cmd_destination_q [0:3];     // in rows
    reg [40:0] cmd_bytes_q       [0:3];
    reg [15:0] cmd_tag_q         [0:3];

    localparam [1:0] IDLE = 2'd0, SETUP = 2'd1, RUN = 2'd2;
    reg  [1:0] state_q;

    wire       take = s_cmd_valid && s_cmd_ready;
    wire       load = state_q == IDLE && cmds_q != 3'd0;
    reg [DIMENSIONS-1:0] given;
    integer              n;
    always @* begin
        given = {DIMENSIONS{1'b0}};
        for (n = 0; n < DIMENSIONS; n = n + 1)
            if (s_cmd_dim_count > n[2:0] && cfg_ring[s_cmd_dims[2*n +: 2]*8 +: 8] != 8'd1)
                given = given | {{(DIMENSIONS-1){1'b0}}, 1'b1} << s_cmd_dims[2*n +: 2];
    end

    assign s_cmd_ready = cmds_q != 3'd4;

    always @(posedge clk) begin
        if (rst) begin
            cmds_q   <= 3'd0;
            cmd_wr_q <= 2'd0;
            cmd_rd_q <= 2'd0;
        end else begin
            cmds_q   <= cmds_q + {2'd0, take} - {2'd0, load};
            cmd_wr_q <= cmd_wr_q + {1'b0, take};
            cmd_rd_q <= cmd_rd_q + {1'b0, load};
        end
    end

    always @(posedge clk) begin
        if (take) begin
            cmd_list_q[cmd_wr_q]        <= s_cmd_list;
            cmd_mask_q[cmd_wr_q]        <= given;
            cmd_source_q[cmd_wr_q]      <= s_cmd_source;
            cmd_destination_q[cmd_wr_q] <= s_cmd_destination[39:8];
            cmd_bytes_q[cmd_wr_q]       <= s_cmd_bytes;
            cmd_tag_q[cmd_wr_q]         <= s_cmd_tag;
        end
    end

    // ---- set up: members, the block, rows before a member's block ----------
    // The members are a product, a dimension a cycle; then the division, a bit a cycle, makes the block, and
    // blocks are multiplied by the dimensions again: how many rows lie between members next to each other on one.

    localparam [31:0] DIMENSIONS_ = DIMENSIONS;
    localparam [5:0] DIVIDEND = DIMENSIONS_[5:0], DIVIDE = DIVIDEND + 6'd1, DIVIDED = DIVIDE + 6'd33,
                     SET = DIVIDED + DIVIDEND;

    reg [5:0]  step_q;
    reg [1:0]  dim_q;           // whose turn it is
    reg        list_q;          // the command is a list
    reg [DIMENSIONS-1:0] mask_q;
    reg [15:0] tag_q;
    reg [39:0] source_q;        // in rows
    reg [31:0] target_q;        // where this node's block goes, in rows
    reg [32:0] last_q;          // the vector's last row
    reg [8:0]  tail_q;          // its bytes
    reg [8*DIMENSIONS-1:0] sizes_q; // members on each ring, 8 bits a dimension
    reg [8*DIMENSIONS-1:0] place_q; // this node's place among them
    reg [MEMBERS_W-1:0] members_q;  // the divisor
    reg [32:0] block_q;         // rows of a block; the dividend before
    reg [MEMBERS_W-1:0] remainder_q;
    reg [32:0] total_q;         // rows of all blocks; the products before
    reg [33*DIMENSIONS-1:0] strides_q;  // of each dimension: rows from a member's block to the next one's
    reg [32:0] own_rows_q;      // rows before the own block

    wire [MEMBERS_W:0] shifted = {remainder_q, block_q[32]};
    wire        divides = shifted >= {1'b0, members_q};
    wire [MEMBERS_W:0] reduced = shifted - {1'b0, members_q};
    wire        list_d  = cmd_list_q[cmd_rd_q];
    wire [DIMENSIONS-1:0] mask_d = cmd_mask_q[cmd_rd_q];
    wire [40:0] bytes_d = cmd_bytes_q[cmd_rd_q];
    wire [40:0] before_d = bytes_d - 41'd1;
    wire [40:0] padded_d = bytes_d + 41'd255;
    wire        done    = m_done_valid && m_done_ready;
    wire [32:0] set_size  = {25'd0, sizes_q[dim_q*8 +: 8]};
    wire [32:0] set_place = {25'd0, place_q[dim_q*8 +: 8]};
    wire        multiplies = step_q < DIVIDEND || (step_q >= DIVIDED && step_q != SET);
    wire [8*DIMENSIONS-1:0] sizes_d, place_d;
    genvar g;
    generate
        for (g = 0; g < DIMENSIONS; g = g + 1) begin : g_part
            assign sizes_d[8*g +: 8] = mask_d[g] ? cfg_ring[8*g +: 8] : 8'd1;
            assign place_d[8*g +: 8] = mask_d[g] ? cfg_rank[8*g +: 8] : 8'd0;
        end
    endgenerate

    always @(posedge clk) begin
        if (rst)
            state_q <= IDLE;
        else if (load)
            state_q <= list_d ? RUN : SETUP;
        else if (state_q == SETUP && step_q == SET)
            state_q <= RUN;
        else if (done)
            state_q <= IDLE;
    end

    always @(posedge clk) begin
        if (load) begin
            step_q   <= 6'd0;
            dim_q    <= 2'd0;
            list_q   <= list_d;
            mask_q   <= mask_d;
            tag_q    <= cmd_tag_q[cmd_rd_q];
            source_q <= cmd_source_q[cmd_rd_q][47:8];
            target_q <= cmd_destination_q[cmd_rd_q];
            last_q   <= before_d[40:8];
            tail_q   <= {1'b0, before_d[7:0]} + 9'd1;
            sizes_q  <= sizes_d;
            place_q  <= place_d;
            total_q    <= 33'd1;
            own_rows_q <= 33'd0;
        end else if (state_q == SETUP) begin
            step_q <= step_q + 6'd1;
            if (multiplies) begin
                dim_q   <= dim_q == DIMENSIONS_[1:0] - 2'd1 ? 2'd0 : dim_q + 2'd1;
                total_q <= total_q * set_size;
            end
            if (step_q == DIVIDEND) begin
                members_q   <= total_q[MEMBERS_W-1:0];
                block_q     <= last_q + total_q;
                remainder_q <= {MEMBERS_W{1'b0}};
            end else if (step_q >= DIVIDE && step_q < DIVIDED) begin
                block_q     <= {block_q[31:0], divides};
                total_q     <= {block_q[31:0], divides};
                remainder_q <= divides ? reduced[MEMBERS_W-1:0] : shifted[MEMBERS_W-1:0];
            end
            if (step_q >= DIVIDED && step_q != SET) begin
                strides_q[dim_q*33 +: 33] <= total_q;
                own_rows_q <= own_rows_q + total_q * set_place;
            end
            if (step_q == SET)
                target_q <= target_q + own_rows_q[31:0];
        end
    end

    // ---- walk: all coordinates step together; where x ends, the others take their next start ----
    // Counters count the members' offsets, x fastest, and a coordinate is the sum of the counters
    // up to its own, around its ring; start d, k is that of coordinate d without those below k.

    function [7:0] around;
        input [7:0] at;
        input [7:0] size;
        around = at + 8'd1 == size ? 8'd0 : at + 8'd1;
    endfunction

    reg         walking_q;
    reg  [32:0] row_q;          // even: the first of a pair of rows
    reg         mirror_q;       // the second of the pair, the other way round
    localparam AT = 8 * DIMENSIONS;
    reg  [AT*DIMENSIONS-1:0] starts_q;  // 8 bits for each d, k; k = 0: where the walk is
    reg  [DIMENSIONS-1:0]    ends;      // the counters of so many dimensions are at their ends
    reg  [AT*DIMENSIONS-1:0] starts_d;
    reg  [1:0]               up;        // the counter that steps: those below it end
    reg                      ending;
    reg  [7:0]               start_d;
    integer                  d, k;

    wire        advance;
    wire        begin_walk = state_q == SETUP && step_q == SET;
    always @* begin
        up     = 2'd0;
        ending = 1'b1;
        for (d = 0; d < DIMENSIONS; d = d + 1)
            ends[d] = starts_q[d*AT + d*8 +: 8] + 8'd1 == sizes_q[8*d +: 8];
        for (d = 1; d < DIMENSIONS; d = d + 1) begin
            ending = ending && ends[d-1];
            if (ending) up = d[1:0];
        end
        starts_d = starts_q;
        for (d = 0; d < DIMENSIONS; d = d + 1) begin
            start_d = around(d[1:0] < up ? starts_q[d*AT + d*8 +: 8] : starts_q[d*AT + up*8 +: 8], sizes_q[8*d +: 8]);
            for (k = 0; k <= d; k = k + 1)
                if (d[1:0] < up || k[1:0] <= up) starts_d[d*AT + k*8 +: 8] = start_d;
        end
    end
    wire [32:0] row = {row_q[32:1], mirror_q};
    wire        round_end = mirror_q && ends == {DIMENSIONS{1'b1}};
    wire        walk_end  = round_end && row_q + 33'd2 >= block_q;
    wire        visit = walking_q && row < block_q;

    always @(posedge clk) begin
        if (rst)
            walking_q <= 1'b0;
        else if (begin_walk)
            walking_q <= 1'b1;
        else if (advance && walk_end)
            walking_q <= 1'b0;
    end

    always @(posedge clk) begin
        if (begin_walk) begin
            row_q     <= 33'd0;
            mirror_q  <= 1'b0;
            starts_q  <= {AT*DIMENSIONS{1'b0}};
        end else if (walking_q && advance) begin
            mirror_q <= !mirror_q;
            if (mirror_q)
                starts_q <= starts_d;
            if (round_end)
                row_q <= row_q + 33'd2;
        end
    end

    // ---- lists -------------------------------------------------------------

    wire        pick_valid, pick_list;
    wire [39:0] pick_source;
    wire [31:0] pick_target, pick_hops;
    wire [8:0]  pick_bytes;
    wire [7:0]  pick_key;
    wire        list_row_valid;
    wire [7:0]  receive_key;
    wire        consume;
    wire [32:0] consume_rows;
    wire        list_busy;
    reg [255:0] counted_q;              // keys of which rows have arrived
    reg  [32:0] arrived_q [0:255];      // how many; means nothing where none has
    wire [32:0] arrived = counted_q[receive_key] ? arrived_q[receive_key] : 33'd0;

    wire        list_bad;
    wire [47:0] list_bad_addr;
    wire        list_peers;

    ace_list_walk #(.DIMENSIONS(DIMENSIONS), .SENDS(SENDS), .ROW_W(ROW_W), .CODED(CODED)) u_list (
        .clk(clk),
        .rst(rst),
        .cfg_ring(cfg_ring),
        .s_start(load && list_d),
        .s_row(cmd_source_q[cmd_rd_q][47:8]),
        .s_rows(padded_d[40:8]),
        .m_ask_valid(pick_valid),
        .m_ask_list(pick_list),
        .m_ask_source(pick_source),
        .m_ask_target(pick_target),
        .m_ask_hops(pick_hops),
        .m_ask_bytes(pick_bytes),
        .m_ask_key(pick_key),
        .s_take(advance),
        .s_list_valid(list_row_valid),
        .s_list_data(s_r_data),
        .s_list_code(s_r_code),
        .m_wrong(m_list_wrong),
        .m_receive_key(receive_key),
        .s_arrived(arrived),
        .m_consume(consume),
        .m_consume_rows(consume_rows),
        .m_bad(list_bad),
        .m_bad_addr(list_bad_addr),
        .m_peers(list_peers),
        .busy(list_busy)
    );

    // ---- rows on their way to be asked for -----------------------------------

    // The hops to an offset of a ring, {down, hops}: the shorter way, mirrored or not.
    function [7:0] hops;
        input [7:0] offset;
        input [7:0] size;
        input       mirror;
        reg         far;        // beyond half
        reg         half;
        begin
            far  = {offset, 1'b0} > {1'b0, size};
            half = {offset, 1'b0} == {1'b0, size};
            hops = offset == 8'd0 ? 8'd0 :
                   far ? ((size - offset) | {!mirror, 7'd0}) : (offset | {mirror, 7'd0});
            if (half)
                hops = offset | {mirror, 7'd0};
        end
    endfunction

    // The place on a ring at an offset, mirrored or not.
    function [7:0] place;
        input [7:0] from;
        input [7:0] offset;
        input [7:0] size;
        input       mirror;
        reg   [8:0] sum;
        begin
            sum   = {1'b0, from} + (mirror && offset != 8'd0 ? {1'b0, size} - {1'b0, offset} : {1'b0, offset});
            place = sum >= {1'b0, size} ? sum[7:0] - size : sum[7:0];
        end
    endfunction

    // where to
    reg         to_valid_q;
    reg  [32:0] to_row_q;
    reg  [8*DIMENSIONS-1:0] to_hops_q;
    reg  [8*DIMENSIONS-1:0] to_place_q;
    // rows before that member's block, for each dimension
    reg         parts_valid_q;
    reg  [32:0] parts_row_q;
    reg  [8*DIMENSIONS-1:0] parts_hops_q;
    reg  [33*DIMENSIONS-1:0] parts_q;
    // and together
    reg         from_valid_q;
    reg  [32:0] from_row_q;
    reg  [8*DIMENSIONS-1:0] from_hops_q;
    reg  [32:0] from_q;
    // the row here and there, and the further one of both in its vector
    reg         far_valid_q;
    reg  [8*DIMENSIONS-1:0] far_hops_q;
    reg  [32:0] far_source_q;
    reg  [31:0] far_target_q;
    reg  [32:0] far_q;
    // the request
    reg         ask_valid_q;
    reg         ask_list_q;             // a row of the list
    reg  [7:0]  ask_key_q;
    reg  [31:0] ask_hops_q;
    reg  [39:0] ask_source_q;
    reg  [31:0] ask_target_q;
    reg  [8:0]  ask_bytes_q;

    reg [(1<<DIMENSIONS)-1:0] odd_q;    // dimensions whose command now counted has an odd number
    wire [7:0] key = {{(7-DIMENSIONS){1'b0}}, mask_q, odd_q[mask_q]};

    always @(posedge clk) begin
        if (rst) begin
            to_valid_q    <= 1'b0;
            parts_valid_q <= 1'b0;
            from_valid_q  <= 1'b0;
            far_valid_q   <= 1'b0;
            ask_valid_q   <= 1'b0;
        end else if (advance) begin
            to_valid_q    <= visit;
            parts_valid_q <= to_valid_q;
            from_valid_q  <= parts_valid_q;
            far_valid_q   <= from_valid_q;
            ask_valid_q   <= far_valid_q || pick_valid;
        end
    end

    reg [32:0] together;
    integer    m, q;
    always @* begin
        together = 33'd0;
        for (q = 0; q < DIMENSIONS; q = q + 1) together = together + parts_q[33*q +: 33];
    end

    always @(posedge clk) begin
        if (advance && visit) begin
            to_row_q   <= row;
            for (m = 0; m < DIMENSIONS; m = m + 1) begin
                to_hops_q[8*m +: 8]  <= hops(starts_q[m*AT +: 8], sizes_q[8*m +: 8], mirror_q);
                to_place_q[8*m +: 8] <= place(place_q[8*m +: 8], starts_q[m*AT +: 8], sizes_q[8*m +: 8], mirror_q);
            end
        end
        if (advance && to_valid_q) begin
            parts_row_q  <= to_row_q;
            parts_hops_q <= to_hops_q;
            for (m = 0; m < DIMENSIONS; m = m + 1)
                parts_q[33*m +: 33] <= {25'd0, to_place_q[8*m +: 8]} * strides_q[33*m +: 33];
        end
        if (advance && parts_valid_q) begin
            from_row_q  <= parts_row_q;
            from_hops_q <= parts_hops_q;
            from_q      <= together;
        end
        if (advance && from_valid_q) begin
            far_hops_q   <= from_hops_q;
            far_source_q <= from_q + from_row_q;
            far_target_q <= target_q + from_row_q[31:0];
            far_q        <= (from_q > own_rows_q ? from_q : own_rows_q) + from_row_q;
        end
        if (advance && pick_valid) begin
            ask_list_q   <= pick_list;
            ask_key_q    <= pick_key;
            ask_hops_q   <= pick_hops;
            ask_source_q <= pick_source;
            ask_target_q <= pick_target;
            ask_bytes_q  <= pick_bytes;
        end else if (advance && far_valid_q) begin
            ask_list_q   <= 1'b0;
            ask_key_q    <= key;
            ask_hops_q   <= {{(32-8*DIMENSIONS){1'b0}}, far_hops_q};
            ask_source_q <= source_q + {7'd0, far_source_q};
            ask_target_q <= far_target_q;
            ask_bytes_q  <= far_q > last_q ? 9'd0 : far_q == last_q ? tail_q : 9'd256;
        end
    end

    // ---- requests, and the rows they bring ---------------------------------

    localparam [31:0] TO_OWN_ = OWN;
    localparam [3:0]  TO_OWN = TO_OWN_[3:0], LIST = TO_OWN + 4'd1;     // where a row goes, beside links

    // lint: below DIMENSIONS there are as many hops
    /* verilator lint_off UNUSEDSIGNAL */
    function [3:0] first_link;      // the queue of a row, the own block's without hops
        input [31:0] left;
        integer      i;
        begin
            first_link = TO_OWN;
            for (i = DIMENSIONS - 1; i >= 0; i = i - 1)
                if (left[8*i +: 7] != 7'd0) first_link = {1'b0, i[1:0], left[8*i+7]};
        end
    endfunction
    /* verilator lint_on UNUSEDSIGNAL */

    reg [AT_W-1:0]    ask_wr_q;
    reg [AT_W-1:0]    ask_rd_q;
    reg [COUNT_W-1:0] reads_q;
    reg [3:0]         read_queue_q [0:BURSTS-1];
    reg [63:0]        read_route_q [0:BURSTS-1];
    reg [16:0]        read_note_q  [0:BURSTS-1];

    wire [QUEUES-1:0] queue_room;
    wire [15:0]       rooms = {{(15-QUEUES){1'b0}}, 1'b1, queue_room};
    wire [3:0] ask_queue = ask_list_q ? LIST : first_link(ask_hops_q);
    wire       ask = m_ar_valid && m_ar_ready;
    wire [3:0] r_queue = read_queue_q[ask_rd_q];

    assign advance    = !ask_valid_q || ask;
    assign m_ar_valid = ask_valid_q && rooms[ask_queue] && reads_q < FULL_BURSTS[COUNT_W-1:0];
    assign m_ar_addr  = {ask_source_q, 8'd0};
    assign s_r_ready  = 1'b1;
    assign list_row_valid = s_r_valid && r_queue == LIST;

    always @(posedge clk) begin
        if (rst) begin
            ask_wr_q <= {AT_W{1'b0}};
            ask_rd_q <= {AT_W{1'b0}};
            reads_q  <= NONE;
        end else begin
            if (ask)
                ask_wr_q <= next_burst(ask_wr_q);
            if (s_r_valid)
                ask_rd_q <= next_burst(ask_rd_q);
            reads_q <= step(reads_q, ask, s_r_valid);
        end
    end

    always @(posedge clk) begin
        if (ask) begin
            read_queue_q[ask_wr_q] <= ask_queue;
            read_route_q[ask_wr_q] <= {ask_target_q, ask_hops_q};
            read_note_q[ask_wr_q]  <= {ask_bytes_q, ask_key_q};
        end
    end

    // ---- queues ------------------------------------------------------------

    wire [QUEUES*PTR_W-1:0] wr_at;
    wire [QUEUES*PTR_W-1:0] rd_at;
    wire [QUEUES-1:0]       queue_used;
    generate
        for (g = 0; g < QUEUES; g = g + 1) begin : g_queue
            reg [PTR_W-1:0]  wr_q;
            reg [PTR_W-1:0]  rd_q;
            reg [HELD_W-1:0] held_q;
            reg [HELD_W-1:0] used_q;        // held or asked for
            reg [80:0]       header_q [0:ROWS-1];
            wire asks = ask && ask_queue == g;
            wire comes = s_r_valid && r_queue == g;
            assign queue_room[g]   = used_q < FULL[HELD_W-1:0];
            assign queue_used[g]   = used_q != {HELD_W{1'b0}};
            assign m_head_valid[g] = held_q != {HELD_W{1'b0}};
            assign {m_head_note[g*17 +: 17], m_head_route[g*64 +: 64]} = header_q[rd_q];
            assign wr_at[g*PTR_W +: PTR_W] = wr_q;
            assign rd_at[g*PTR_W +: PTR_W] = rd_q;
            always @(posedge clk) begin
                if (rst) begin
                    wr_q   <= {PTR_W{1'b0}};
                    rd_q   <= {PTR_W{1'b0}};
                    held_q <= {HELD_W{1'b0}};
                    used_q <= {HELD_W{1'b0}};
                end else begin
                    if (comes)
                        wr_q <= wr_q == LAST[PTR_W-1:0] ? {PTR_W{1'b0}} : wr_q + 1'b1;
                    if (s_pop[g])
                        rd_q <= rd_q == LAST[PTR_W-1:0] ? {PTR_W{1'b0}} : rd_q + 1'b1;
                    if (comes != s_pop[g])
                        held_q <= comes ? held_q + 1'b1 : held_q - 1'b1;
                    if (asks != s_pop[g])
                        used_q <= asks ? used_q + 1'b1 : used_q - 1'b1;
                end
            end
            always @(posedge clk) begin
                if (comes)
                    header_q[wr_q] <= {read_note_q[ask_rd_q], read_route_q[ask_rd_q]};
            end
        end
    endgenerate

    reg [DATA_W-1:0] plus_q  [0:(DIMENSIONS<<PTR_W)-1];
    reg [DATA_W-1:0] minus_q [0:(DIMENSIONS<<PTR_W)-1];
    reg [DATA_W-1:0] own_row_q [0:ROWS-1];
    reg [DATA_W-1:0] plus_data_q;
    reg [DATA_W-1:0] minus_data_q;
    reg [DATA_W-1:0] own_data_q;
    reg [31:0]       plus_code_q  [0:(DIMENSIONS<<PTR_W)-1];
    reg [31:0]       minus_code_q [0:(DIMENSIONS<<PTR_W)-1];
    reg [31:0]       own_row_code_q [0:ROWS-1];
    reg [31:0]       plus_popped_q, minus_popped_q, own_popped_q;     // codes of the rows above
    assign m_plus_data  = plus_data_q;
    assign m_minus_data = minus_data_q;
    assign m_own_data   = own_data_q;
    assign m_plus_code  = plus_popped_q;
    assign m_minus_code = minus_popped_q;
    assign m_own_code   = own_popped_q;

    wire [DIMENSIONS-1:0] plus_pops, minus_pops;
    generate
        for (g = 0; g < DIMENSIONS; g = g + 1) begin : g_pops
            assign plus_pops[g]  = s_pop[2*g];
            assign minus_pops[g] = s_pop[2*g+1];
        end
    endgenerate
    function [1:0] which;               // the first of them
        input [DIMENSIONS-1:0] set;
        integer                i;
        begin
            which = 2'd0;
            for (i = DIMENSIONS - 1; i >= 0; i = i - 1)
                if (set[i]) which = i[1:0];
        end
    endfunction
    wire [1:0] plus_pop  = which(plus_pops);
    wire [1:0] minus_pop = which(minus_pops);
    wire [2:0] plus_of   = {plus_pop, 1'b0};
    wire [2:0] minus_of  = {minus_pop, 1'b1};
    wire [PTR_W+1:0] to_at    = {r_queue[2:1], wr_at[r_queue*PTR_W +: PTR_W]};
    wire [PTR_W+1:0] plus_at  = {plus_pop, rd_at[plus_of*PTR_W +: PTR_W]};
    wire [PTR_W+1:0] minus_at = {minus_pop, rd_at[minus_of*PTR_W +: PTR_W]};

    always @(posedge clk) begin
        if (s_r_valid && r_queue < TO_OWN && !r_queue[0]) begin
            plus_q[to_at]      <= s_r_data[DATA_W-1:0];
            plus_code_q[to_at] <= s_r_code;
        end
        if (s_r_valid && r_queue < TO_OWN && r_queue[0]) begin
            minus_q[to_at]      <= s_r_data[DATA_W-1:0];
            minus_code_q[to_at] <= s_r_code;
        end
        if (s_r_valid && r_queue == TO_OWN) begin
            own_row_q[wr_at[OWN*PTR_W +: PTR_W]]      <= s_r_data[DATA_W-1:0];
            own_row_code_q[wr_at[OWN*PTR_W +: PTR_W]] <= s_r_code;
        end
        if (|plus_pops) begin
            plus_data_q   <= plus_q[plus_at];
            plus_popped_q <= plus_code_q[plus_at];
        end
        if (|minus_pops) begin
            minus_data_q   <= minus_q[minus_at];
            minus_popped_q <= minus_code_q[minus_at];
        end
        if (s_pop[OWN]) begin
            own_data_q   <= own_row_q[rd_at[OWN*PTR_W +: PTR_W]];
            own_popped_q <= own_row_code_q[rd_at[OWN*PTR_W +: PTR_W]];
        end
    end

    // ---- rows that arrive --------------------------------------------------

    reg [3:0]         used_q;           // places of 8, reserved or held
    reg [3:0]         aw_waits_q;       // rows held whose address has not been taken
    reg [3:0]         w_waits_q;        // rows held whose address has
    reg [2:0]         wr_q;
    reg [2:0]         aw_q;
    reg [2:0]         w_q;
    reg [31:0]        address_q [0:7];
    reg [16:0]        note_q    [0:7];
    reg [DATA_W-1:0]  data_q    [0:7];
    reg [31:0]        code_q    [0:7];

    reg [COUNT_W-1:0] writes_q;
    reg [AT_W-1:0]    key_wr_q;
    reg [AT_W-1:0]    key_rd_q;
    reg [7:0]         key_q     [0:BURSTS-1];

    wire       aw = m_aw_valid && m_aw_ready;
    wire       w  = m_w_valid && m_w_ready;

    // The window that the row on s_row_* must be in.
    wire        fourth;
    generate
        if (DIMENSIONS == 4) begin : g_fourth
            assign fourth = cfg_ring[8*DIMENSIONS-1:8*DIMENSIONS-8] > 8'd1;
        end else begin : g_no_fourth
            assign fourth = 1'b0;
        end
    endgenerate
    wire        of_list = s_row_note[7:0] >= (fourth ? 8'd32 : 8'd16);
    wire [31:0] window_first = of_list ? cfg_window_first[63:32] : cfg_window_first[31:0];
    wire [31:0] window_last  = of_list ? cfg_window_last[63:32] : cfg_window_last[31:0];
    wire        in_window = s_row_address >= window_first && s_row_address <= window_last;
    wire        pads    = s_row_note[16:8] == 9'd0;
    wire        refuses = s_row_valid && (pads ? window_first > window_last : !in_window);
    wire        enters  = s_row_valid && !refuses;

    reg        b_valid_q;               // a row is counted a cycle after it was answered,
    reg  [7:0] b_key_q;                 // under this key
    wire [8:0] w_bytes = note_q[w_q][16:8];

    assign m_room     = used_q != 4'd8;
    assign m_aw_valid = aw_waits_q != 4'd0 && writes_q < FULL_BURSTS[COUNT_W-1:0];
    assign m_aw_pad   = note_q[aw_q][16:8] == 9'd0;
    assign m_aw_addr  = m_aw_pad ? 48'd0 : {8'd0, address_q[aw_q], 8'd0};
    assign m_w_valid  = w_waits_q != 4'd0;
    assign m_w_data   = data_q[w_q];
    assign m_w_code   = code_q[w_q];
    assign m_w_strb   = ~({ROW_W/8{1'b1}} << w_bytes);

    always @(posedge clk) begin
        if (rst) begin
            used_q     <= 4'd0;
            aw_waits_q <= 4'd0;
            w_waits_q  <= 4'd0;
            wr_q       <= 3'd0;
            aw_q       <= 3'd0;
            w_q        <= 3'd0;
            writes_q   <= NONE;
            key_wr_q   <= {AT_W{1'b0}};
            key_rd_q   <= {AT_W{1'b0}};
        end else begin
            used_q     <= used_q + {3'd0, s_reserve} - {3'd0, w} - {3'd0, refuses};
            aw_waits_q <= aw_waits_q + {3'd0, enters} - {3'd0, aw};
            w_waits_q  <= w_waits_q + {3'd0, aw} - {3'd0, w};
            wr_q       <= wr_q + {2'd0, enters};
            aw_q       <= aw_q + {2'd0, aw};
            w_q        <= w_q + {2'd0, w};
            writes_q   <= step(writes_q, aw, s_b_valid);
            if (aw)
                key_wr_q <= next_burst(key_wr_q);
            if (s_b_valid)
                key_rd_q <= next_burst(key_rd_q);
        end
    end

    always @(posedge clk) begin
        if (enters) begin
            address_q[wr_q] <= s_row_address;
            note_q[wr_q]    <= s_row_note;
            data_q[wr_q]    <= s_row_data;
            code_q[wr_q]    <= s_row_code;
        end
        if (aw)
            key_q[key_wr_q] <= note_q[aw_q][7:0];
        if (s_b_valid)
            b_key_q <= key_q[key_rd_q];
    end

    always @(posedge clk)
        b_valid_q <= s_b_valid && !rst;

    // ---- what was refused --------------------------------------------------

    reg        failed_q;
    reg        failed_list_q;
    reg [47:0] failed_addr_q;
    reg [31:0] refused_q;
    wire       own_bad   = list_bad && !list_peers;
    wire       peers_bad = list_bad && list_peers;  // what another node wrote: as a row that is refused
    assign failed        = failed_q;
    assign failed_list   = failed_list_q;
    assign failed_addr   = failed_addr_q;
    assign count_refused = refused_q;

    always @(posedge clk) begin
        if (rst) begin
            failed_q      <= 1'b0;
            failed_list_q <= 1'b0;
            refused_q     <= 32'd0;
        end else begin
            failed_q      <= failed_q || refuses || list_bad;
            failed_list_q <= failed_list_q || own_bad;
            refused_q     <= refuses ? refused_q + (peers_bad ? 32'd2 : 32'd1) :
                                       refused_q + (peers_bad ? 32'd1 : 32'd0);
        end
    end

    always @(posedge clk) begin
        if (own_bad ? !failed_list_q : peers_bad && !refuses && !failed_q)
            failed_addr_q <= list_bad_addr;
        else if (!failed_q)
            failed_addr_q <= {8'd0, s_row_address, 8'd0};
    end

    // ---- done --------------------------------------------------------------

    // Of a key that is counted and received in one cycle a row less is taken off, and the count stays
    // out of the difference.
    wire [32:0] b_arrived = (counted_q[b_key_q] ? arrived_q[b_key_q] : 33'd0) + 33'd1;
    wire [32:0] taken_off = b_valid_q && b_key_q == receive_key ? consume_rows - 33'd1 : consume_rows;
    wire [32:0] left = arrived - taken_off;

    // Of the vector's rows all have arrived, found a cycle early: m_done_valid is late in ace_control. total_q
    // and key are final in the cycle before RUN.
    reg         all_arrived_q;
    wire [32:0] own_arrived = counted_q[key] ? arrived_q[key] : 33'd0;
    always @(posedge clk)
        all_arrived_q <= (b_valid_q && b_key_q == key ? b_arrived : own_arrived) == total_q;

    always @(posedge clk) begin
        if (rst) begin
            odd_q     <= {1<<DIMENSIONS{1'b0}};
            counted_q <= 256'd0;
        end else begin
            if (b_valid_q)
                counted_q[b_key_q] <= 1'b1;
            if (consume)
                counted_q[receive_key] <= arrived != taken_off;
            if (done && !list_q) begin
                counted_q[key] <= 1'b0;
                odd_q[mask_q]  <= !odd_q[mask_q];
            end
        end
    end

    always @(posedge clk) begin
        if (b_valid_q)
            arrived_q[b_key_q] <= b_arrived;
        if (consume)
            arrived_q[receive_key] <= left;
    end

    assign m_done_valid = state_q == RUN && !walking_q && !to_valid_q && !parts_valid_q && !from_valid_q &&
                          !far_valid_q && !ask_valid_q && reads_q == NONE &&
                          (list_q ? !list_busy : all_arrived_q);
    assign m_done_tag   = tag_q;

    // ---- cycle classes -----------------------------------------------------

    ace_cycle_classes u_read (
        .clk(clk), .rst(rst),
        .busy(s_r_valid), .blocked(ask_valid_q && !ask), .starved(state_q != IDLE), .count(count_read)
    );
    ace_cycle_classes u_write (
        .clk(clk), .rst(rst),
        .busy(w), .blocked(m_aw_valid || m_w_valid), .starved(writes_q != NONE), .count(count_write)
    );

    assign idle = cmds_q == 3'd0 && state_q == IDLE && queue_used == {QUEUES{1'b0}} && used_q == 4'd0 &&
                  writes_q == NONE && !b_valid_q;

    // the low byte of an address is 0; a difference has no more bits than the divisor
    wire unused = &{1'b0, reduced[MEMBERS_W], row_q[0], padded_d[7:0], s_cmd_destination[47:40],
                    s_cmd_destination[7:0]};

endmodule

`default_nettype wire
