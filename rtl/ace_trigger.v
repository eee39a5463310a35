// SPDX-License-Identifier: Apache-2.0
//
// ace_trigger -- prepared commands that a store starts, and flags in memory that say they are done
//
//   s_prepare --> [ slots: command, threshold, flag ]     s_stores --> [ count of each slot ]
//                        |  count >= threshold                              ^ 1 more: chain
//                        '--> m_cmd --> engine --> s_done --> m_flag AW, W, B --> m_retire
//
// Contract
//   Slots       SLOTS commands are kept.  s_prepare fills the slot s_slot and arms it with a count of 0.
//               s_arm arms or disarms a prepared slot and sets its count to 0.  s_store adds s_stores to the
//               count of an armed slot.  m_code names the reason to refuse such a write, or is ACE_CODE_NONE;
//               a refused write must not set s_prepare, s_arm or s_store.
//   Refused     ACE_CODE_BAD_TRIGGER: a slot or chained slot that does not exist, a threshold of 0, an arm of a slot
//               that was not prepared, a store to a slot that is not armed, or a count above 65535.
//               ACE_CODE_BAD_FLAG: a flag outside its window, or an address that is no multiple of 4.
//               ACE_CODE_TRIGGER_BUSY: a prepare of a slot whose command runs.  A refused write changes nothing.
//   Fires       A slot fires when it is armed, its last command has retired, and its count has reached the
//               threshold.  The count then falls by the threshold, and the slot stays armed, if the slot is
//               one that repeats.  Else the count becomes 0, and the slot is not armed.  So stores that come
//               early, or while the command runs, count for the next time, or are refused.
//   Command     m_fires is high for one cycle, in which s_room must be high.  m_cmd holds the slot's
//               command from the next cycle on, until s_cmd_ready.  Its tag is cfg_tag with the slot's number in
//               its low bits.  m_mine says that s_done_tag is of a slot.
//   Order       Slots fire in the order in which they became ready (m_ready), so that all members of a group can
//               start their commands in one order.  Of two that became ready in one cycle, the lower fires first.
//               Slots write flags and retire in turn: one that waits is served after each other slot at most
//               once.
//   Flag        After s_done the value goes to the flag's address, and grows by one for the next time.
//               One write is outstanding at a time, one beat of four bytes.  After its answer, or at once where the
//               slot has no flag, the slot retires.  No flag is written while s_failed is high at s_done.
//   Retire      A slot retires when s_retire_ready is high.  In that cycle its chained slot gets one store, if
//               nothing went wrong.  m_retire_lost says that the chained slot could not count the store.
//               No slot fires in a cycle with m_retire_valid.
//   Writes      s_prepare, s_arm and s_store exclude each other, s_room and s_retire_ready.
//   Memory      AXI4.  AW and W are shown together and stay until they are taken; an answer is taken at any
//               time.  An error response and EXOKAY last in m_failed and m_protocol until s_run is low, with
//               the address.
//               An answer that no write waits for is a protocol fault, with address 0.
//   Stop        s_run = 0 clears all slots.  A write that is shown is carried out, and m_busy says so.
//               If nothing moves for DRAIN_LIMIT cycles, the write is forgotten, and m_lost is high until rst.
//   Moore       Outputs depend on state alone, but m_code on the s_ inputs of a write, m_fires on s_room, m_mine
//               on s_done_tag, and m_write_error on the answer.
//   Reset       rst is synchronous, active high; data that a valid bit guards is not reset.
//   Twin        cmodel/twin/ace_trigger.c, equal at every port, every cycle
//               (tests/lockstep/lockstep_trigger_test.cc).

`default_nettype none

`include "ace_register_map.vh"

module ace_trigger #(
    parameter SLOTS       = 8,      // prepared commands, a power of two, 2..16
    parameter PROT        = 2,      // AxPROT of flags: data, non-secure, unprivileged
    parameter DRAIN_LIMIT = 65536   // cycles that a stop waits for the memory, 2^24 at most; 0: any number
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        s_run,           // low: the slots are cleared

    input  wire        cfg_enable,      // stays as it is while s_run is high, as all cfg_*
    input  wire [15:0] cfg_tag,
    input  wire [31:0] cfg_flag_first,  // where flags may lie, in rows of 256 bytes
    input  wire [31:0] cfg_flag_last,

    // What software writes
    input  wire        s_write_prepare, // which register is written, for m_code
    input  wire        s_write_arm,     // none of these: a store
    input  wire        s_prepare,       // it is written, and not refused
    input  wire        s_arm,
    input  wire        s_store,
    input  wire [7:0]  s_slot,
    input  wire        s_armed,
    input  wire [15:0] s_stores,
    output wire [7:0]  m_code,

    // What is prepared
    input  wire [2:0]  s_kind,
    input  wire [2:0]  s_type,
    input  wire [2:0]  s_op,
    input  wire [31:0] s_scale,
    input  wire [2:0]  s_dim_count,
    input  wire [7:0]  s_dims,
    input  wire [47:0] s_source,
    input  wire [47:0] s_destination,
    input  wire [40:0] s_bytes,
    input  wire [47:0] s_flag,          // address
    input  wire [31:0] s_value,
    input  wire [15:0] s_threshold,
    input  wire [7:0]  s_next,
    input  wire        s_chains,        // s_next gets a store
    input  wire        s_repeats,
    input  wire        s_flags,         // a flag is written
    input  wire        s_queues,        // a completion is queued

    // Commands
    input  wire        s_room,
    output wire        m_fires,
    output wire [15:0] m_ready,         // a bit a slot: would fire
    output wire [3:0]  m_fires_slot,    // the slot that fires, or fires next
    output wire        m_cmd_valid,
    input  wire        s_cmd_ready,
    output wire [2:0]  m_cmd_kind,
    output wire [2:0]  m_cmd_type,
    output wire [2:0]  m_cmd_op,
    output wire [31:0] m_cmd_scale,
    output wire [2:0]  m_cmd_dim_count,
    output wire [7:0]  m_cmd_dims,
    output wire [47:0] m_cmd_source,
    output wire [47:0] m_cmd_destination,
    output wire [40:0] m_cmd_bytes,
    output wire [15:0] m_cmd_tag,
    input  wire        s_done_valid,
    input  wire [15:0] s_done_tag,
    output wire        m_mine,
    input  wire        s_failed,        // what is done now is void
    output wire        m_retire_valid,
    input  wire        s_retire_ready,
    output wire [15:0] m_retire_tag,
    output wire        m_retire_queues,
    output wire        m_retire_lost,

    // Flags
    output wire        m_flag_aw_valid,
    input  wire        m_flag_aw_ready,
    output wire [47:0] m_flag_aw_addr,
    output wire [7:0]  m_flag_aw_len,
    output wire [2:0]  m_flag_aw_size,
    output wire [1:0]  m_flag_aw_burst,
    output wire [2:0]  m_flag_aw_prot,
    output wire        m_flag_w_valid,
    input  wire        m_flag_w_ready,
    output wire [31:0] m_flag_w_data,
    output wire [3:0]  m_flag_w_strb,
    output wire        m_flag_w_last,
    input  wire        s_flag_b_valid,
    output wire        s_flag_b_ready,
    input  wire [1:0]  s_flag_b_resp,

    // What is going on
    output wire [15:0] m_slots_armed,   // a bit a slot
    output wire [15:0] m_slots_busy,
    output wire        m_busy,          // a write is not done with
    output wire        m_lost,
    output wire        m_write_error,   // an answer now is an error response
    output wire        m_failed,
    output wire [1:0]  m_failed_resp,
    output wire        m_protocol,
    output wire [47:0] m_failed_addr,   // of the first of both
    output wire        idle             // nothing changes without input
);

    localparam L = $clog2(SLOTS);
    localparam COMMAND_W = 189;
    localparam [31:0] PROT_ = PROT;
    localparam [31:0] QUIET = DRAIN_LIMIT - 1;  // with this cycle it is enough
    localparam [31:0] SLOTS_ = SLOTS;
    localparam [SLOTS-1:0] NONE = {SLOTS{1'b0}};

    // Illegal parameters stop elaboration at a module that is nowhere, whose name is the rule.
    generate
        if (SLOTS < 2 || SLOTS > 16 || (SLOTS & (SLOTS - 1)) != 0) begin : g_illegal_slots
            SLOTS_must_be_a_power_of_two_from_2_to_16 stop ();
        end
        if (PROT < 0 || PROT > 7) begin : g_illegal_prot PROT_must_be_0_to_7 stop (); end
        if (DRAIN_LIMIT < 0 || DRAIN_LIMIT > 16777216) begin : g_illegal_drain_limit
            DRAIN_LIMIT_must_be_0_to_16777216 stop ();
        end
    endgenerate

    function [L-1:0] pick;              // the next slot of a set after `last`
        input [SLOTS-1:0] set;
        input [L-1:0]     last;
        integer           k;
        reg   [SLOTS-1:0] above;
        begin
            pick = last;
            for (k = 0; k < SLOTS; k = k + 1) above[k] = set[k] && k[L-1:0] > last;
            for (k = SLOTS - 1; k >= 0; k = k - 1)
                if (above != NONE ? above[k] : set[k]) pick = k[L-1:0];
        end
    endfunction

    function [SLOTS-1:0] bit_of;
        input [L-1:0] slot;
        bit_of = {{(SLOTS-1){1'b0}}, 1'b1} << slot;
    endfunction

    // ---- slots ----

    reg  [COMMAND_W-1:0] command_q [0:SLOTS-1];
    reg  [45:0]          flag_q [0:SLOTS-1];            // address / 4
    reg  [32*SLOTS-1:0]  value_q;
    reg  [15:0]          threshold_q [0:SLOTS-1];
    reg  [L-1:0]         next_q [0:SLOTS-1];
    reg  [16*SLOTS-1:0]  count_q;                       // stores
    reg  [SLOTS-1:0]     chains_q, repeats_q, flags_q, queues_q;
    reg  [SLOTS-1:0]     known_q, armed_q;
    reg  [SLOTS-1:0]     busy_q;                        // fired, and not retired
    reg  [SLOTS-1:0]     done_q;                        // of these: waits for its flag
    reg  [SLOTS-1:0]     retires_q;                     // of these: waits to retire
    reg  [SLOTS-1:0]     void_q;                        // of these: there is nothing to chain

    wire [L-1:0]  slot = s_slot[L-1:0];
    reg  [SLOTS-1:0]     over;                          // slots whose count and s_stores have no room in 16 bits
    reg  [16*SLOTS-1:0]  sums;
    integer              i;
    always @*
        for (i = 0; i < SLOTS; i = i + 1)
            {over[i], sums[16*i +: 16]} = {1'b0, count_q[16*i +: 16]} + {1'b0, s_stores};
    wire          there = cfg_enable && {24'd0, s_slot} < SLOTS_;
    wire          next_there = {24'd0, s_next} < SLOTS_;
    wire          rule = s_threshold != 16'd0 && (!s_chains || next_there);
    wire [39:0]   flag_row = s_flag[47:8];
    wire          flag_bad = s_flag[1:0] != 2'd0 || flag_row < {8'd0, cfg_flag_first} ||
                             flag_row > {8'd0, cfg_flag_last};

    assign m_code = !there                                  ? `ACE_CODE_BAD_TRIGGER  :
                    s_write_prepare ? (!rule                ? `ACE_CODE_BAD_TRIGGER  :
                                       s_flags && flag_bad  ? `ACE_CODE_BAD_FLAG     :
                                       busy_q[slot]         ? `ACE_CODE_TRIGGER_BUSY : `ACE_CODE_NONE) :
                    s_write_arm     ? (!known_q[slot]       ? `ACE_CODE_BAD_TRIGGER  : `ACE_CODE_NONE) :
                    !armed_q[slot] || over[slot]            ? `ACE_CODE_BAD_TRIGGER  : `ACE_CODE_NONE;

    // ---- firing ----

    reg              cmd_valid_q;
    reg  [L-1:0]     fired_q;           // the slot whose command is shown, or was the last
    wire [SLOTS-1:0] ready;
    wire [SLOTS-1:0] below;             // slots whose count is below their threshold
    wire [16*SLOTS-1:0] left;           // of each slot its count less its threshold, before one is chosen
    genvar           g;
    generate
        for (g = 0; g < SLOTS; g = g + 1) begin : g_ready
            assign {below[g], left[16*g +: 16]} = {1'b0, count_q[16*g +: 16]} - {1'b0, threshold_q[g]};
            assign ready[g] = armed_q[g] && !busy_q[g] && !below[g];
        end
    endgenerate

    // was_q: ready in the cycle before, too.  older_q[SLOTS*i + j]: of two such, i was ready before j.
    reg  [SLOTS-1:0]       was_q;
    reg  [SLOTS*SLOTS-1:0] older_q, older;
    reg  [SLOTS-1:0]       oldest;
    integer                a, b;
    always @(*) begin
        oldest = ready;
        older  = older_q;
        for (a = 0; a < SLOTS; a = a + 1)
            for (b = 0; b < SLOTS; b = b + 1) begin
                if (!was_q[a] || !was_q[b])
                    older[SLOTS*a + b] = was_q[a] || (!was_q[b] && a < b);
                if (ready[a] && older[SLOTS*a + b] && a != b) oldest[b] = 1'b0;
            end
    end
    always @(posedge clk) begin
        was_q   <= rst ? NONE : ready;
        older_q <= older;
    end

    wire [L-1:0]     fires_slot = pick(oldest, fired_q);
    wire             fires      = s_room && !cmd_valid_q && !m_retire_valid && ready != NONE;

    wire [16:0]      ready_   = {{(17-SLOTS){1'b0}}, ready};
    wire [4:0]       fires_at = {{(5-L){1'b0}}, fires_slot};
    assign m_fires      = fires;
    assign m_ready      = ready_[15:0];
    assign m_fires_slot = fires_at[3:0];
    assign m_cmd_valid = cmd_valid_q;
    assign {m_cmd_kind, m_cmd_type, m_cmd_op, m_cmd_scale, m_cmd_dim_count, m_cmd_dims, m_cmd_source,
            m_cmd_destination, m_cmd_bytes} = command_q[fired_q];
    assign m_cmd_tag   = {cfg_tag[15:L], fired_q};

    always @(posedge clk) begin
        if (rst || !s_run) begin
            cmd_valid_q <= 1'b0;
            fired_q     <= {L{1'b0}};
        end else begin
            cmd_valid_q <= fires || (cmd_valid_q && !s_cmd_ready);
            if (fires) fired_q <= fires_slot;
        end
    end

    // ---- done, flag, retired ----

    reg              aw_valid_q, w_valid_q;
    reg              waits_q;           // for the answer
    reg              live_q;            // and the slot of the write still waits for it
    reg  [L-1:0]     at_q;              // that slot, or the last
    reg              lost_q;
    wire [L-1:0]     done_slot = s_done_tag[L-1:0];
    wire             done      = s_done_valid && m_mine && busy_q[done_slot];
    wire             to_flag   = done && !s_failed && flags_q[done_slot];
    wire             begins    = s_run && !waits_q && !lost_q && done_q != NONE;
    wire [L-1:0]     begins_slot = pick(done_q, at_q);
    wire             answer    = s_flag_b_valid && waits_q && !aw_valid_q && !w_valid_q;
    wire             answered  = answer && live_q && s_run;
    wire             wrong     = s_flag_b_resp != 2'd0;
    reg  [L-1:0]     retired_q;         // the last slot that retired
    wire [L-1:0]     retire_slot = pick(retires_q, retired_q);
    wire             retires     = m_retire_valid && s_retire_ready;
    wire [L-1:0]     next_slot   = next_q[retire_slot];
    wire             chains      = chains_q[retire_slot] && !void_q[retire_slot];
    wire [SLOTS-1:0] open;              // slots that can count one more store
    wire [SLOTS-1:0] reaches;           // slots whose chained slot can
    generate
        for (g = 0; g < SLOTS; g = g + 1) begin : g_chain
            assign open[g]    = armed_q[g] && count_q[16*g +: 16] != 16'hffff;
            assign reaches[g] = open[next_q[g]];
        end
    endgenerate
    wire             counts      = reaches[retire_slot];

    assign m_mine          = cfg_enable && s_done_tag[15:L] == cfg_tag[15:L];
    assign m_retire_valid  = retires_q != NONE;
    assign m_retire_tag    = {cfg_tag[15:L], retire_slot};
    assign m_retire_queues = queues_q[retire_slot];
    assign m_retire_lost   = chains && !counts;

    wire [SLOTS-1:0] at_slot   = bit_of(slot);
    wire [SLOTS-1:0] at_fires  = bit_of(fires_slot)  & {SLOTS{fires}};
    wire [SLOTS-1:0] at_done   = bit_of(done_slot)   & {SLOTS{done}};
    wire [SLOTS-1:0] at_begins = bit_of(begins_slot) & {SLOTS{begins}};
    wire [SLOTS-1:0] at_answer = bit_of(at_q)        & {SLOTS{answered}};
    wire [SLOTS-1:0] at_retire = bit_of(retire_slot) & {SLOTS{retires}};
    wire [SLOTS-1:0] at_next   = bit_of(next_slot)   & {SLOTS{retires && chains && counts}};

    always @(posedge clk) begin
        if (rst || !s_run) begin
            known_q   <= NONE;
            armed_q   <= NONE;
            busy_q    <= NONE;
            done_q    <= NONE;
            retires_q <= NONE;
            retired_q <= {L{1'b0}};
        end else begin
            if (s_prepare) known_q <= known_q | at_slot;
            armed_q   <= s_prepare || (s_arm && s_armed) ? armed_q | at_slot :
                         s_arm                           ? armed_q & ~at_slot :
                                                           armed_q & ~(at_fires & ~repeats_q);
            busy_q    <= (busy_q | at_fires) & ~at_retire;
            done_q    <= (done_q | (at_done & {SLOTS{to_flag}})) & ~at_begins;
            retires_q <= (retires_q | (at_done & {SLOTS{!to_flag}}) | at_answer) & ~at_retire;
            if (retires) retired_q <= retire_slot;
        end
    end

    // what went wrong, and the values: for slots that are busy
    always @(posedge clk) begin
        void_q <= (void_q & ~at_fires) | (at_done & {SLOTS{s_failed}}) | (at_answer & {SLOTS{wrong}});
        if (s_prepare) begin
            command_q[slot]   <= {s_kind, s_type, s_op, s_scale, s_dim_count, s_dims, s_source, s_destination, s_bytes};
            flag_q[slot]      <= s_flag[47:2];
            threshold_q[slot] <= s_threshold;
            next_q[slot]      <= s_next[L-1:0];
            chains_q          <= chains_q  & ~at_slot | at_slot & {SLOTS{s_chains}};
            repeats_q         <= repeats_q & ~at_slot | at_slot & {SLOTS{s_repeats}};
            flags_q           <= flags_q   & ~at_slot | at_slot & {SLOTS{s_flags}};
            queues_q          <= queues_q  & ~at_slot | at_slot & {SLOTS{s_queues}};
        end
    end

    wire [31:0] value      = value_q[{at_q, 5'd0} +: 32];
    wire [31:0] value_next = value + 32'd1;
    integer v;
    always @(posedge clk)
        for (v = 0; v < SLOTS; v = v + 1) begin
            if (s_prepare && at_slot[v])
                value_q[32*v +: 32] <= s_value;
            else if (at_answer[v])
                value_q[32*v +: 32] <= value_next;
        end

    // one event at most changes counts in a cycle
    integer c;
    always @(posedge clk)
        for (c = 0; c < SLOTS; c = c + 1) begin
            if ((s_prepare || s_arm) && at_slot[c])
                count_q[16*c +: 16] <= 16'd0;
            else if (s_store && at_slot[c])
                count_q[16*c +: 16] <= sums[16*c +: 16];
            else if (at_fires[c])
                count_q[16*c +: 16] <= repeats_q[c] ? left[16*c +: 16] : 16'd0;
            else if (at_next[c])
                count_q[16*c +: 16] <= count_q[16*c +: 16] + 16'd1;
        end

    // ---- the memory ----

    reg  [23:0] quiet_q;                // cycles of a stop since something moved
    reg         failed_q, protocol_q;
    reg  [1:0]  resp_q;
    reg  [47:0] addr_q;
    wire        moves = (m_flag_aw_valid && m_flag_aw_ready) || (m_flag_w_valid && m_flag_w_ready) || answer;
    wire        gives_up = DRAIN_LIMIT != 0 && !s_run && waits_q && !moves && quiet_q == QUIET[23:0];
    wire        odd   = s_flag_b_valid && s_run && !lost_q && (!answer || s_flag_b_resp == 2'b01);
    wire        error = answer && live_q && s_flag_b_resp[1];

    assign m_flag_aw_valid = aw_valid_q;
    assign m_flag_aw_addr  = {flag_q[at_q], 2'd0};
    assign m_flag_aw_len   = 8'd0;
    assign m_flag_aw_size  = 3'd2;      // four bytes
    assign m_flag_aw_burst = 2'b01;     // INCR
    assign m_flag_aw_prot  = PROT_[2:0];
    assign m_flag_w_valid  = w_valid_q;
    assign m_flag_w_data   = value;
    assign m_flag_w_strb   = 4'hf;
    assign m_flag_w_last   = 1'b1;
    assign s_flag_b_ready  = 1'b1;

    always @(posedge clk) begin
        if (rst || gives_up) begin
            aw_valid_q <= 1'b0;
            w_valid_q  <= 1'b0;
            waits_q    <= 1'b0;
        end else begin
            aw_valid_q <= begins || (aw_valid_q && !m_flag_aw_ready);
            w_valid_q  <= begins || (w_valid_q && !m_flag_w_ready);
            waits_q    <= begins || (waits_q && !answer);
        end
        if (rst)           at_q <= {L{1'b0}};
        else if (begins)   at_q <= begins_slot;
        live_q  <= s_run && (begins || live_q);
        lost_q  <= !rst && (lost_q || gives_up);
        quiet_q <= rst || s_run || moves || !waits_q ? 24'd0 : quiet_q + 24'd1;
    end

    always @(posedge clk) begin
        if (rst || !s_run) begin
            failed_q   <= 1'b0;
            protocol_q <= 1'b0;
        end else begin
            if (error) failed_q   <= 1'b1;
            if (odd)   protocol_q <= 1'b1;
        end
        if (!failed_q && !protocol_q) addr_q <= answer ? m_flag_aw_addr : 48'd0;
        if (!failed_q) resp_q <= s_flag_b_resp;
    end

    wire [16:0] armed = {{(17-SLOTS){1'b0}}, armed_q};
    wire [16:0] busy  = {{(17-SLOTS){1'b0}}, busy_q};

    assign m_busy        = waits_q;
    assign m_lost        = lost_q;
    assign m_write_error = error;
    assign m_failed      = failed_q;
    assign m_failed_resp = resp_q;
    assign m_protocol    = protocol_q;
    assign m_failed_addr = addr_q;
    assign m_slots_armed = armed[15:0];
    assign m_slots_busy  = busy[15:0];
    assign idle          = busy_q == NONE && ready == NONE && !waits_q;

    // a number is narrower than what it comes from
    wire unused = &{1'b0, PROT_, QUIET, armed[16], busy[16], ready_[16], fires_at[4], s_done_tag, cfg_tag, s_slot,
                    s_next};

endmodule

`default_nettype wire
