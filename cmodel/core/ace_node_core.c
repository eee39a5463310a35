/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_node_core.c -- the C twin of rtl/ace_node.v, module by module
 *
 * A cycle has two halves: what the units ask and grant, from state alone, and the rising
 * edge.  What a unit shows to the others (pins, heads, room, requests) is kept, and renewed
 * where the unit changes.  What rarely happens (operations of the scheduler, commands, bursts)
 * is behind a branch; what happens in about every other cycle (rows at links and memory) is
 * done without, since no branch could be guessed.  What serves all-to-alls, the exchange, the
 * router and the links' second ports, is left alone while none is about; and so are the
 * links' guards, but for the numbers of frames, while they send nothing again and nothing goes
 * wrong.
 *
 * Beside it: ace_node_core_create.c makes a node, ace_node_core_state.c looks at a node between two
 * cycles.
 */
#include <string.h>

#include "ace_alu.h"
#include "ace_node_core.h"

const ace_row ace_node_zero_row;

static ace_cycle_core *self(ace_core *c) { return (ace_cycle_core *)c; }

static bool is_sending(const ace_cycle_core *n) {
    bool sends = false;
    for (unsigned i = 0; i < ACE_SENT_CYCLES; i++)
        sends |= n->outgoing[i][0].valid | n->outgoing[i][1].valid;
    return sends;
}

static bool is_idle(const ace_cycle_core *n) {
    return ace_program_ram_idle(&n->program[0]) && !ace_scheduler_busy(&n->scheduler) &&
           !n->scheduler.done_valid && ace_dispatcher_idle(&n->dispatcher) &&
           ace_agreement_idle(&n->agreement) && !is_sending(n) && !n->asked.head_valid &&
           ace_switch_idle(&n->switch_) && ace_nic_idle(&n->nic) &&
           ace_memory_port_idle(&n->memory_port);
}

void ace_node_show_memory(ace_cycle_core *n) {
    ace_memory_port_show(&n->memory_port, &n->out, n->scratchpad.banks.rows != NULL);
}

static void show_scratchpad(ace_cycle_core *n) {
    const ace_scratchpad *s = &n->scratchpad;
    n->out.scratchpad_failed = s->failed;
    n->out.scratchpad_failed_bank = s->failed_at.bank;
    n->out.scratchpad_failed_row = s->failed_at.row;
    n->out.count_corrected = s->corrected;
    n->out.count_failed = s->failures;
}

/* The scheduler's completions last a cycle; those of the exchange wait for one without. */
static void show_done(ace_cycle_core *n) {
    const bool chunks = n->scheduler.done_valid;
    n->out.done_valid = chunks || (n->nic.exchanging && ace_exchange_done(n->nic.exchange));
    n->out.done_tag = chunks ? n->scheduler.done_tag : n->nic.exchange->tag;
}

static void show_ready(ace_cycle_core *n) {
    n->out.cmd_ready =
        (ace_agreement_is_on(&n->agreement) ? ace_agreement_cmd_ready(&n->agreement)
                                            : ace_dispatcher_cmd_ready(&n->dispatcher)) &&
        ace_exchange_cmd_ready(n->nic.exchange);
}

/* All but the memory interface. */
static void reset_units(ace_cycle_core *n) {
    ace_agreement_reset(&n->agreement);
    ace_dispatcher_reset(&n->dispatcher);
    ace_scheduler_reset(&n->scheduler);
    for (unsigned f = 0; f < n->p.fsms; f++) ace_fsm_reset(&n->fsm[f]);
    ace_switch_init(&n->switch_, n->p.dimensions, n->p.fsms);
    ace_nic_reset(&n->nic, &n->cfg, &n->out);
    ace_memory_port_reset(&n->memory_port);
    for (unsigned i = 0; i < ACE_SENT_CYCLES; i++)
        for (unsigned pipe = 0; pipe < 2; pipe++)
            n->outgoing[i][pipe] = (ace_outgoing){ .request.send.link = (uint8_t)pipe };
    n->oldest = 0;
    n->asked = (ace_switch_in){ 0 };
    memset(n->served, 0, sizeof n->served);
    n->ready = n->mixed = n->copies = n->granting = 0;
    n->fetching = n->working = n->turning = n->closing = 0;
    for (unsigned p = 0; p < ACE_PHASES; p++) ace_program_ram_reset(&n->program[p]);
    n->looking = n->out.parity_failed = false;
    n->wrongs = 0;
    n->unfit = 0;
    n->out.count_parity = 0;
    n->wake = true;
    ace_scratchpad_reset(&n->scratchpad);
    show_scratchpad(n);
    n->out.mismatch = false;
    show_done(n);
    show_ready(n);
}

/* Reset, but that a memory which was lost remains so. */
static void clear(ace_cycle_core *n) {
    reset_units(n);
    for (unsigned i = 0; i < ACE_PROGRAM_WORDS; i++) {
        n->words[i] = n->cfg.program[i];
        n->codes[i] = ace_word_code(n->words[i]);
    }
    ace_memory_interface_clear(n->memory_port.memory);
    ace_memory_interface_set_costs(n->memory_port.memory, n->cfg.read_cost, n->cfg.write_cost);
    ace_memory_port_show_failures(&n->memory_port, &n->out);
    ace_node_show_memory(n);
    n->out.idle = is_idle(n);
}

void ace_cycle_core_reset(ace_core *core) {
    ace_cycle_core *n = self(core);
    ace_memory_interface_reset(n->memory_port.memory);
    clear(n);
}

/* A cycle with `drain`: bursts at the memory are carried out, all else is in reset. */
__attribute__((noinline)) static void draining_tick(ace_cycle_core *n, const ace_pins_in *in) {
    const ace_memory_interface *m = n->memory_port.memory;
    if (!ace_memory_interface_busy(m) || m->lost) {
        clear(n);
        return;
    }
    ace_memory_port_drain(&n->memory_port, &n->cfg, in);
    reset_units(n);
    ace_memory_port_show_failures(&n->memory_port, &n->out);
    ace_node_show_memory(n);
    if (ace_memory_interface_fills(m)) { /* beats that write nothing */
        n->out.w_data = n->scratchpad.banks.rows ? ace_node_zero_row : NULL;
        n->out.w_bytes = 0;
        n->out.w_last = ace_memory_interface_m_w_last(m);
    }
    n->out.idle = is_idle(n);
}

const ace_pins_out *ace_cycle_core_out(ace_core *core) { return &self(core)->out; }

static uint32_t with_bit(uint32_t set, unsigned at, bool bit) {
    return (set & ~(1u << at)) | (unsigned)bit << at;
}

/* FSM f would send to this link. */
static void place(ace_cycle_core *n, unsigned f, unsigned link) {
    const unsigned half = link / HALF_LINKS, at = link % HALF_LINKS;
    for (unsigned room = 0; room < ROOMS; room++) {
        n->served[half][room] = with_bit(n->served[half][room], f, room >> at & 1);
        n->served[!half][room] = with_bit(n->served[!half][room], f, false);
    }
}

/* The other FSM of f's phase whose chunks are as even, or odd; f itself when there is none. */
static unsigned sibling(const ace_cycle_core *n, unsigned f) { return f ^ n->sibling; }

static unsigned oldest_of(const ace_cycle_core *n, unsigned f) {
    return ace_scheduler_oldest(&n->scheduler, f >> n->fsm[f].shift);
}

/* What FSM f can send may have changed, and so whose turn it is. */
static void touch(ace_cycle_core *n, unsigned f) {
    const unsigned g = sibling(n, f);
    const ace_fsm *a = &n->fsm[f], *b = &n->fsm[g];
    const unsigned set = ace_fsm_turn(a->ready | b->ready, a->begun | b->begun);
    const unsigned from = (oldest_of(n, f) + !(f & 1)) / 2; /* the first as even, or odd */
    const unsigned leads = set && a->ready >> ace_first(set, from) & 1;
    n->ready = (n->ready & ~(1u << f | 1u << g)) | (unsigned)(set != 0) << (leads ? f : g);
}

/* FSM f has taken or released a context.  While its contexts and its sibling's are alike in
 * link, the one whose turn it is asks whenever the link has room. */
static void update_fsm(ace_cycle_core *n, unsigned f) {
    const unsigned both[] = { f, sibling(n, f) };
    int link = -1;
    bool mixed = false;
    for (unsigned i = 0; i < 2; i++) {
        const ace_fsm *fsm = &n->fsm[both[i]];
        for (unsigned at = 0; at < fsm->contexts; at++) {
            const ace_fsm_context *c = &fsm->context[at];
            if (!c->valid) continue;
            mixed |= link >= 0 && (int)ace_fsm_context_m_link(c) != link;
            link = (int)ace_fsm_context_m_link(c);
        }
    }
    for (unsigned i = 0; i < 2 && link >= 0; i++) place(n, both[i], (unsigned)link);
    for (unsigned i = 0; i < 2; i++) n->mixed = with_bit(n->mixed, both[i], mixed);
    touch(n, f);
}

/* Does FSM f ask in this cycle, and is it its turn?  For FSMs that are mixed. */
static bool leads(const ace_cycle_core *n, unsigned f, unsigned room, ace_send *to) {
    const unsigned g = sibling(n, f), oldest = oldest_of(n, f);
    ace_send other;
    if (!ace_fsm_request(&n->fsm[f], room, to)) return false;
    if (g == f) return true;
    const bool goes_on = (n->fsm[f].ready & n->fsm[f].begun) != 0;
    if (goes_on != ((n->fsm[g].ready & n->fsm[g].begun) != 0)) return goes_on;
    return !ace_fsm_request(&n->fsm[g], room, &other) ||
           ace_switch_age(to->index, oldest) < ace_switch_age(other.index, oldest);
}

/* The links with the room that FSM f asks for: two places while the switch holds a request of its
 * queue. */
static unsigned room_of(const ace_cycle_core *n, unsigned f) {
    const ace_link_port *p = n->nic.links.plain;
    return n->switch_.crowded >> f & 1 ? ace_link_port_room_two(p) : p->s_room;
}

static uint32_t served(const ace_cycle_core *n, unsigned room) {
    return n->served[0][room % ROOMS] | n->served[1][room / ROOMS % ROOMS];
}

/* The FSMs whose requests the switch takes in this cycle.  room: links with a place, and with two.
 */
static uint32_t gather_requests(ace_cycle_core *n, unsigned room[2]) {
    const ace_switch *s = &n->switch_;
    for (unsigned set = n->mixed; set; set &= set - 1) {
        const unsigned f = (unsigned)__builtin_ctz(set);
        ace_send to;
        const bool asks = leads(n, f, room_of(n, f), &to);
        if (asks) place(n, f, to.link);
        n->ready = with_bit(n->ready, f, asks);
    }
    n->asked.room = n->nic.links.plain->s_room;
    room[0] = room[1] = n->nic.links.plain->s_room;
    if (!n->ready) return 0;
    uint32_t roomy = served(n, room[0]);
    if (n->ready & s->crowded) {
        room[1] = ace_link_port_room_two(n->nic.links.plain);
        roomy = (roomy & ~s->crowded) | (served(n, room[1]) & s->crowded);
    }
    return n->ready & roomy & ~s->full;
}

/* What FSM f would grant may have changed. */
static void may_grant(ace_cycle_core *n, unsigned f) {
    n->granting = with_bit(n->granting, f, n->fsm[f].granting != 0);
}

/* What FSM f asks of the program, and which rows must wait, may have changed. */
static void turned(ace_cycle_core *n, unsigned f) {
    n->fetching = with_bit(n->fetching, f, ace_fsm_fetches(&n->fsm[f]));
    n->turning = with_bit(n->turning, f, n->fsm[f].turning != 0);
    n->closing = with_bit(n->closing, f, n->fsm[f].closing != 0);
}

/* FSM f has received a row: what it asks for and what must wait may have become more. */
static void may_turn(ace_cycle_core *n, unsigned f) {
    n->fetching |= (unsigned)(n->fsm[f].wants[ACE_FETCH_RECEIVE] != 0) << f;
    n->turning |= (unsigned)(n->fsm[f].turning != 0) << f;
    n->closing = with_bit(n->closing, f, n->fsm[f].closing != 0);
}

/* A context may have become done: the scheduler looks. */
static void progress(ace_cycle_core *n, unsigned f, unsigned index) {
    if (ace_fsm_done(&n->fsm[f], index)) n->wake = true;
}

/* A row has been written. */
static void written(ace_cycle_core *n, const ace_pipe_stage *s) {
    const unsigned f = ace_switch_fsm(&n->switch_, s->context);
    const unsigned index = ace_context_index(s->context);
    ace_fsm *fsm = &n->fsm[f];
    const uint16_t ready = fsm->ready;
    if (s->copy)
        ace_fsm_copied(fsm, index);
    else
        ace_fsm_written(fsm, index);
    if (fsm->ready != ready) touch(n, f);
    if (fsm->granting) may_grant(n, f);
    progress(n, f, index);
}

/* A number of a round goes in place of a grant. */
__attribute__((noinline)) static bool send_number(const ace_cycle_core *n, ace_tx_step *to) {
    ace_number a;
    if (!ace_agreement_m_number(&n->agreement, &a) || n->nic.links.tight || n->out.parity_failed)
        return false;
    to->grant_valid = (uint8_t)(1u << a.link);
    to->grant[a.link].context = ACE_NUMBER_CONTEXT;
    to->grant[a.link].mark = a.value;
    to->grant_peer[a.link] = a.peer;
    return true;
}

/* One grant a cycle, of the latest phase first, behind the number of a round: as it was asked
 * before the edge.  True: the number has gone. */
static bool grant_peer(ace_cycle_core *n) {
    ace_tx_step *const to = ace_link_leaving(&n->nic.links);
    ace_leaving_grant a;
    to->grant_valid = 0;
    if (n->agreement.left && send_number(n, to)) return true;
    if (!n->granting || n->nic.links.tight || n->out.parity_failed) return false;
    const unsigned f = 31u - (unsigned)__builtin_clz(n->granting);
    const unsigned at = ace_fsm_leaving(&n->fsm[f], &a);
    ace_fsm_leaving_take(&n->fsm[f], at);
    may_grant(n, f);
    to->grant_valid = (uint8_t)(1u << a.link);
    to->grant[a.link].context = ace_context_name(f >> n->fsm[f].shift, a.index);
    to->grant[a.link].mark = a.mark;
    to->grant_peer[a.link] = a.peer;
    return false;
}

/* Who reads the program in this cycle: the job of each FSM that does. */
typedef struct ace_fetched {
    uint32_t fsms;
    uint8_t job[ACE_SWITCH_FSMS];
} ace_fetched;

/* Words and rows that do not fit their code, found in the cycle before: how many, and the first. */
typedef struct ace_wrongs {
    unsigned count;
    uint16_t at;
} ace_wrongs;

/* What was found, and what was read in the cycle before. */
__attribute__((noinline)) static ace_wrongs check_words(ace_cycle_core *n) {
    ace_wrongs found = { 0 };
    n->looking = false;
    for (unsigned p = 0; p < ACE_PHASES; p++) {
        ace_program_ram *const ram = &n->program[p];
        if (ram->wrong && !found.count++)
            found.at = (uint16_t)(p * ACE_PROGRAM_WORDS + ram->wrong_at);
        n->looking |= ace_program_ram_check(ram, n->words, n->codes);
    }
    return found;
}

/* Rows that did not fit when they were used, two cycles later. */
__attribute__((noinline)) static void check_rows(ace_cycle_core *n, ace_wrongs *found) {
    const unsigned wrong = ace_row_uses_take(&n->unfit);
    if (wrong && !found->count)
        found->at = (uint16_t)(ACE_ROW_WRONG + (unsigned)__builtin_ctz(wrong));
    found->count += (unsigned)__builtin_popcount(wrong);
}

__attribute__((noinline)) static void report_wrongs(ace_cycle_core *n, const ace_wrongs *w) {
    n->out.count_parity += n->wrongs;
    n->wrongs = (uint8_t)w->count;
    if (!w->count) return;
    if (!n->out.parity_failed) n->out.parity_failed_at = w->at;
    n->out.parity_failed = true;
}

static void fetch_words(ace_cycle_core *n, ace_fetched *fetched) {
    const unsigned each = (1u << n->per_phase) - 1;
    for (unsigned p = 0, f = 0; f < n->p.fsms; p++, f += n->per_phase) {
        const int place = ace_program_ram_grant(&n->program[p], n->fetching >> f & each);
        if (place < 0) continue;
        const unsigned reader = f + (unsigned)place;
        const unsigned at = ace_fsm_fetch(&n->fsm[reader], &fetched->job[reader]);
        fetched->fsms |= 1u << reader;
        ace_program_ram_take(&n->program[p], (unsigned)place, at);
        n->looking = true;
    }
}

/* Pieces are worked out. */
__attribute__((noinline)) static void work_segments(ace_cycle_core *n, const ace_fetched *fetched) {
    for (unsigned set = n->working | fetched->fsms; set; set &= set - 1) {
        const unsigned f = (unsigned)__builtin_ctz(set);
        ace_fsm *fsm = &n->fsm[f];
        const int came =
            ace_fsm_segments(fsm, fetched->fsms >> f & 1 ? fetched->job[f] : ACE_NO_JOB);
        n->working = with_bit(n->working, f, fsm->working != 0);
        turned(n, f);
        if (came < 0) continue;
        n->copies = with_bit(n->copies, f, fsm->copies != 0);
        touch(n, f);
        may_grant(n, f);
        progress(n, f, (unsigned)came << fsm->shift | fsm->place);
    }
}

/* Heads behind a row with which the piece of its context ends, as far as is known. */
static unsigned last_rows(const ace_cycle_core *n, const ace_pipe_stage *s) {
    const ace_fsm *fsm = &n->fsm[ace_switch_fsm(&n->switch_, s->context)];
    return s->valid && !s->copy && ace_fsm_closing(fsm, ace_context_index(s->context))
               ? ~ace_switch_other(&n->asked, s->context, 255)
               : 0;
}

/* Heads of links whose context waits for its next piece. */
__attribute__((noinline)) static unsigned waiting_heads(const ace_cycle_core *n) {
    unsigned waits = 0;
    for (unsigned set = n->asked.head_valid; set; set &= set - 1) {
        const unsigned link = (unsigned)__builtin_ctz(set);
        const uint8_t context = n->asked.head_context[link];
        const ace_fsm *fsm = &n->fsm[ace_switch_fsm(&n->switch_, context)];
        waits |= (unsigned)(fsm->turning >> ace_fsm_number(fsm, ace_context_index(context)) & 1)
                 << link;
    }
    return waits;
}

/* The chunk that the packet at a link's head belongs to; anything for link -1. */
static uint8_t head_mark(const ace_cycle_core *n, int link) {
    return ace_link_port_head(n->nic.links.plain, (unsigned)link % ACE_LINKS)->mark;
}

/* Does it matter which rows are read?  Without payload only where there have been upsets. */
ACE_INLINE bool reads_matter(const ace_cycle_core *n, bool payload) {
    return payload || ace_scratchpad_banks_watched(&n->scratchpad.banks);
}

/* Rows that are given to the scratchpad in this cycle: before the edge. */
static unsigned rows_written(const ace_cycle_core *n, const ace_switch_out *grant,
                             ace_row_index to[ACE_SCRATCHPAD_WRITES]) {
    const ace_switch *s = &n->switch_;
    const ace_receiving *r = &n->receiving;
    const ace_pipe_stage *stored = &s->store[ace_switch_stage(s, ACE_STORE_STAGE)];
    unsigned count = 0;
    const unsigned done = ace_switch_stage(s, ACE_DONE_STAGE);
    if (s->reduce[done].valid)
        to[count++] = (ace_row_index){ s->reduce[done].context % ACE_BANKS, r->reduce_row[done] };
    if (stored->valid) to[count++] = (ace_row_index){ stored->context % ACE_BANKS, r->store_row };
    if (grant->load_grant)
        to[count++] = (ace_row_index){ n->memory_port.tx_dma->jobs.row_bank,
                                       n->memory_port.tx_dma->jobs.row };
    return count;
}

__attribute__((noinline)) static void upset(ace_cycle_core *n, const ace_pins_in *in,
                                            const ace_row_index written[], unsigned count) {
    ace_scratchpad_edge(&n->scratchpad, in->fault_valid ? &in->fault : NULL, written, count);
    show_scratchpad(n);
}

/* Stage 2 of the reduce pipe: the row here is read, and what becomes of it is known. */
ACE_INLINE void reduce_row(ace_cycle_core *n, bool payload) {
    const ace_switch *s = &n->switch_;
    const ace_receiving *r = &n->receiving;
    const unsigned stage = ace_switch_stage(s, 2), bank = s->reduce[stage].context % ACE_BANKS;
    if (!reads_matter(n, payload) || !s->reduce[stage].valid) return;
    const uint32_t *local =
        r->zero ? ace_node_zero_row
                : ace_scratchpad_read(&n->scratchpad, ACE_READ_REDUCE, bank, r->source);
    if (!payload) return;
    uint32_t *to = ace_scratchpad_row(&n->scratchpad, bank, r->reduce_row[stage]);
    if (s->reduce[stage].copy) {
        ace_row_copy(to, local);
        return;
    }
    ace_row_uses_check(&n->unfit, ACE_ROW_ARRIVED, ACE_DATA_STAGE - 2, n->arrived, n->arrived_code);
    ace_reduce_row(r->how, n->arrived, local, to, ACE_ROW_WORDS);
}

/* Stage 1 of the receive pipes: rows go where the contexts say. */
ACE_INLINE void read_rows(ace_cycle_core *n, bool payload) {
    const ace_switch *s = &n->switch_;
    const ace_pipe_stage *reduced = &s->reduce[s->at], *stored = &s->store[s->at];
    ace_receiving *r = &n->receiving;
    if (reduced->copy) {
        r->source = r->copy_source;
        r->reduce_row[s->at] = r->copy_target;
        r->zero = false;
    } else if (reduced->valid) {
        const unsigned f = ace_switch_fsm(s, reduced->context);
        const unsigned index = ace_context_index(reduced->context);
        n->out.mismatch |= ace_fsm_foreign(&n->fsm[f], index, r->reduce_mark);
        ace_fsm_reduce_take(&n->fsm[f], index, &r->source, &r->zero, &r->reduce_row[s->at],
                            &r->how);
        if (n->fsm[f].granting) may_grant(n, f);
        may_turn(n, f);
        if (payload) {
            ace_row_copy(n->arrived, ace_link_port_popped_data(n->nic.links.plain, r->reduce_link));
            n->arrived_code = ace_link_port_popped_code(n->nic.links.plain, r->reduce_link);
        }
    }
    if (stored->valid) {
        const unsigned f = ace_switch_fsm(s, stored->context);
        const unsigned index = ace_context_index(stored->context);
        n->out.mismatch |= ace_fsm_foreign(&n->fsm[f], index, r->store_mark);
        ace_fsm_store_take(&n->fsm[f], index, &r->store_row);
        may_turn(n, f);
        if (payload) {
            const uint32_t *row = ace_link_port_popped_data(n->nic.links.plain, r->store_link);
            ace_row_uses_check(&n->unfit, ACE_ROW_STORED, ACE_STORE_STAGE - 1, row,
                               ace_link_port_popped_code(n->nic.links.plain, r->store_link));
            ace_row_copy(
                ace_scratchpad_row(&n->scratchpad, stored->context % ACE_BANKS, r->store_row), row);
        }
    }
}

/* The receive pipes: what is in their stages moves on, and what was granted enters. */
ACE_INLINE void receive_rows(ace_cycle_core *n, const ace_switch_out *grant, bool payload) {
    ace_receiving *r = &n->receiving;
    reduce_row(n, payload);
    read_rows(n, payload);
    if (grant->copy_fsm >= 0) {
        const unsigned f = (unsigned)grant->copy_fsm;
        const unsigned at = ace_fsm_copy(&n->fsm[f], &r->copy_source, &r->copy_target);
        ace_fsm_copy_take(&n->fsm[f], at);
        if (!n->fsm[f].copies) n->copies &= ~(1u << f);
    }
    r->reduce_link = (uint8_t)((unsigned)grant->reduce_link % ACE_LINKS);
    r->store_link = (uint8_t)((unsigned)grant->store_link % ACE_LINKS);
    r->reduce_mark = head_mark(n, grant->reduce_link);
    r->store_mark = head_mark(n, grant->store_link);
    if (grant->reduced.valid) written(n, &grant->reduced);
    if (grant->stored.valid) written(n, &grant->stored);
}

/* FSMs give requests to their queues.  room: of gather_requests(). */
ACE_INLINE void take_requests(ace_cycle_core *n, uint32_t takes, const unsigned room[2]) {
    for (; takes; takes &= takes - 1) {
        const unsigned f = (unsigned)__builtin_ctz(takes);
        ace_fsm *fsm = &n->fsm[f];
        ace_request r;
        /* Of a checkpoint that somebody changed an FSM may be said to be ready that is not. */
        if (!ace_fsm_request(fsm, room[n->switch_.crowded >> f & 1], &r.send)) continue;
        r.row = ace_fsm_send_row(fsm, &r.send);
        ace_switch_join(&n->switch_, f, &r);
        ace_fsm_send_take(fsm, r.send.context);
        n->fetching |= (unsigned)(fsm->wants[ACE_FETCH_SEND] != 0) << f;
        const unsigned goes_on = fsm->ready & fsm->begun; /* the same chunk: the turn stays */
        if (!(goes_on >> ace_fsm_bit(fsm, r.send.context) & 1)) touch(n, f);
    }
}

static ace_outgoing *chosen_before(ace_cycle_core *n, unsigned pipe) {
    return &n->outgoing[n->oldest ? n->oldest - 1 : ACE_SENT_CYCLES - 1][pipe];
}

/* The banks that the switch's pipes read in this cycle. */
static uint8_t banks_read(ace_cycle_core *n) {
    const ace_pipe_stage *reduced = &n->switch_.reduce[ace_switch_stage(&n->switch_, 2)];
    unsigned banks = (unsigned)reduced->valid << reduced->context % ACE_BANKS;
    for (unsigned pipe = 0; pipe < 2; pipe++) {
        const ace_outgoing *o = chosen_before(n, pipe);
        banks |= (unsigned)o->valid << o->context % ACE_BANKS;
    }
    return (uint8_t)banks;
}

/* The row that a send pipe reads. */
static const uint32_t *sent_row(ace_cycle_core *n, unsigned pipe, const ace_outgoing *o,
                                bool payload) {
    if (o->request.send.zero) return payload ? ace_node_zero_row : NULL;
    return ace_scratchpad_read(&n->scratchpad, pipe ? ACE_READ_MINUS : ACE_READ_PLUS,
                               o->context % ACE_BANKS, o->request.row);
}

/* The send pipes: the rows they read three cycles ago go to the links, those chosen in the last
 * cycle are read, and those granted are chosen.  Gives the links that are written and reserved.
 * Once a row could not be corrected, none is. */
ACE_INLINE void send_rows(ace_cycle_core *n, const ace_switch_out *grant, unsigned *write,
                          unsigned *reserve, bool payload) {
    *write = *reserve = 0;
    for (unsigned pipe = 0; pipe < 2; pipe++) {
        ace_outgoing *o = &n->outgoing[n->oldest][pipe], *reads = chosen_before(n, pipe);
        /* The place behind the last is free: what is put there counts only when it is written.
         * No link is both pipes': one has the plus links. */
        const ace_send *send = &o->request.send;
        const ace_link_header h = { o->context, send->mark, send->reduce, send->peer };
        ace_link_port_put_s(n->nic.links.plain, send->link, h, payload && o->valid ? o->row : NULL);
        *write |= (unsigned)(o->valid & !(n->out.scratchpad_failed | n->out.parity_failed))
                  << send->link;
        if (reads_matter(n, payload) && reads->valid)
            reads->row = sent_row(n, pipe, reads, payload);
        o->valid = grant->send_queue[pipe] >= 0;
        if (!o->valid) continue;
        const unsigned queue = (unsigned)grant->send_queue[pipe];
        o->request = *ace_switch_older(&n->switch_, queue);
        o->context = ace_switch_context(&n->switch_, queue, &o->request);
        *reserve |= 1u << o->request.send.link;
        progress(n, ace_switch_fsm(&n->switch_, o->context), o->request.send.index);
    }
    n->oldest = n->oldest == ACE_SENT_CYCLES - 1 ? 0 : n->oldest + 1;
}

static unsigned bit_of(int link) { return link >= 0 ? 1u << link : 0; }

ACE_INLINE void tick_links(ace_cycle_core *n, const ace_pins_in *in, const ace_switch_out *grant,
                           unsigned write, unsigned reserve, const ace_exchanging *e,
                           bool payload) {
    const ace_link_port *const p = n->nic.links.plain;
    ace_nic_plain(&n->nic, in, bit_of(grant->reduce_link) | bit_of(grant->store_link), reserve,
                  write, e, payload);
    n->asked.head_valid = p->m_head_valid;
    n->asked.head_reduce = ace_link_port_heads(p, n->asked.head_context);
}

/* The scheduler's job as a DMA takes it. */
static ace_dma_job scheduled_job(const ace_scheduler *s) {
    const ace_job *j = &s->job;
    const bool load = s->bus == ACE_ACT_LOAD;
    return (ace_dma_job){
        .address = j->address,
        .side = load ? j->id : ace_rx_half_side(j->limit, j->id),
        .rows = j->rows,
        .row = j->row,
        .base = j->base,
        .end = j->end,
        .burst = j->burst,
        .bank = j->bank,
    };
}

/* The row that was read for the RX DMA leaves the scratchpad's pipe; the one granted in this cycle
 * enters it. */
ACE_INLINE const uint32_t *unload_row(ace_cycle_core *n, unsigned unload, bool payload) {
    const ace_rx_dma *const u = n->memory_port.rx_dma;
    const uint32_t *const unloaded =
        payload && ace_rx_dma_comes(u) ? n->unloaded[ACE_READ_CYCLES - 1] : NULL;
    for (unsigned read = ACE_READ_CYCLES - 1; payload && read; read--)
        n->unloaded[read] = n->unloaded[read - 1];
    if (reads_matter(n, payload) && unload) {
        const ace_dma_jobs *const read = &u->half[unload >> 1].jobs;
        n->unloaded[0] =
            ace_scratchpad_read(&n->scratchpad, ACE_READ_UNLOAD, read->row_bank, read->row);
    }
    return unloaded;
}

ACE_INLINE void tick_memory(ace_cycle_core *n, const ace_pins_in *in, const ace_switch_out *grant,
                            ace_exchanging *e, bool payload) {
    const ace_action bus = n->scheduler.bus;
    const bool loads = bus == ACE_ACT_LOAD, stores = bus == ACE_ACT_STORE;
    ace_memory_port *const m = &n->memory_port;
    if (ace_memory_port_rests(m, loads || stores, e != NULL)) return;
    ace_dma_job job;
    if (loads || stores) job = scheduled_job(&n->scheduler);
    const ace_dma_jobs *const loaded = &m->tx_dma->jobs;
    const ace_memory_port_in to = {
        .latency = n->cfg.memory_latency,
        .loads = loads ? &job : NULL,
        .stores = stores ? &job : NULL,
        .load = grant->load_grant,
        .load_to = payload && grant->load_grant
                       ? ace_scratchpad_row(&n->scratchpad, loaded->row_bank, loaded->row)
                       : NULL,
        .unload = grant->unload_grant,
        .unloaded = unload_row(n, grant->unload_grant, payload),
        .x = e ? &e->out : NULL,
        .x_in = e ? &e->in : NULL,
    };
    n->wake |= ace_memory_port_tick(m, in, &to, &n->unfit, &n->out, payload);
}

/* The rising edge of the agreement, and of the dispatcher behind it.  chunk: one is taken; told: a
 * number has gone; numbers: links on which one has come. */
__attribute__((noinline)) static void agree(ace_cycle_core *n, const ace_command *cmd, bool chunk,
                                            bool told, unsigned numbers) {
    ace_agreement *const a = &n->agreement;
    ace_dispatcher *const d = &n->dispatcher;
    const bool gives = ace_agreement_m_cmd_valid(a), hold = ace_agreement_m_hold(a);
    ace_command c;
    ace_agreement_in in = { .cmd = cmd,
                            .cmd_taken = gives && ace_dispatcher_cmd_ready(d),
                            .chunk = chunk,
                            .rests = ace_dispatcher_idle(d),
                            .number_taken = told,
                            .number_valid = (uint8_t)numbers };
    const ace_rx_pins *rx = ace_link_accepted(&n->nic.links);
    for (unsigned l = 0; l < n->links_count; l++) in.number[l] = rx->link[l].grant_mark;
    if (gives) c = ace_agreement_m_cmd(a);
    ace_dispatcher_tick(d, gives ? &c : NULL, hold, chunk);
    ace_agreement_tick(a, &in);
    n->wake |= ace_dispatcher_chunk_valid(d);
    show_ready(n);
}

static bool for_exchange(const ace_command *c) {
    return c->kind == ACE_ALL_TO_ALL || c->kind == ACE_LIST;
}

/* In a pause of the scratchpad nobody is seen who would have the switch begin a read; nor are rows
 * to be stored. */
static void begin_no_read(ace_switch_in *asked) {
    asked->head_valid = asked->room = asked->unload_valid = 0;
    asked->copy_valid = 0;
}

/* payload: does the run carry bits?  exchanges: is an all-to-all about, or may be?  Each kind of
 * tick has its own code.  Long: the order of the calls is what makes it one edge. */
ACE_INLINE void tick(ace_cycle_core *n, const ace_pins_in *in, bool payload, bool exchanges) {
    /* ---- what is asked and granted ---- */
    const bool cmd = in->cmd_valid && n->out.cmd_ready; /* else it waits, for both */
    const bool to_exchange = exchanges && for_exchange(&in->cmd);
    const ace_command *const chunks_cmd = cmd && !to_exchange ? &in->cmd : NULL;
    ace_exchanging e;
    if (exchanges)
        ace_nic_offer(&n->nic, &e);
    else
        ace_nic_rest(&n->nic);
    unsigned room[2];
    const uint32_t takes = gather_requests(n, room);
    ace_switch_in *asked = &n->asked;
    asked->reading = banks_read(n);
    asked->copy_valid = n->copies;
    asked->load_valid = ace_tx_dma_m_write_valid(n->memory_port.tx_dma);
    asked->load_bank = n->memory_port.tx_dma->jobs.row_bank;
    asked->load_first = ace_scheduler_load_first(&n->scheduler);
    asked->unload_valid = (uint8_t)ace_rx_dma_m_read_valid(n->memory_port.rx_dma);
    asked->unload_first = n->memory_port.rx_dma->first;
    for (unsigned i = 0; i < ACE_RX_DMA_HALVES; i++)
        asked->unload_bank[i] = n->memory_port.rx_dma->half[i].jobs.row_bank;
    uint8_t copy_context = 0;
    if (n->copies) {
        uint16_t source, target;
        const unsigned f = (unsigned)__builtin_ctz(n->copies);
        const unsigned at = ace_fsm_copy(&n->fsm[f], &source, &target);
        copy_context =
            ace_context_name(f >> n->fsm[f].shift, at << n->fsm[f].shift | n->fsm[f].place);
    }
    if (n->turning) asked->head_valid = (uint8_t)(asked->head_valid & ~waiting_heads(n));
    if (n->closing) {
        const unsigned closes = last_rows(n, &n->switch_.reduce[n->switch_.at]) |
                                last_rows(n, &n->switch_.store[n->switch_.at]);
        asked->head_valid = (uint8_t)(asked->head_valid & ~closes);
    }
    if (ace_scratchpad_m_pause(&n->scratchpad)) begin_no_read(asked);
    ace_fetched fetched = { .fsms = 0 };
    ace_wrongs wrongs = { 0 };
    if (n->looking) wrongs = check_words(n);
    if (n->unfit) check_rows(n, &wrongs);
    if (n->program[0].loading)
        for (unsigned p = 0; p < ACE_PHASES; p++) ace_program_ram_load(&n->program[p]);
    else if (n->fetching)
        fetch_words(n, &fetched);
    ace_switch_out grant;
    ace_switch_decide(&n->switch_, asked, &grant);

    const bool wake = n->wake;
    bool enters = false, load_ready = false, store_ready = false;
    unsigned over = 0;
    int loaded = -1, stored = -1;
    if (wake) {
        over = ace_scheduler_over(&n->scheduler, n->fsm, n->per_phase, n->switch_.held);
        load_ready = ace_dma_jobs_s_job_ready(&n->memory_port.tx_dma->jobs);
        store_ready = ace_rx_dma_s_job_ready(n->memory_port.rx_dma);
        enters =
            ace_dispatcher_chunk_valid(&n->dispatcher) && ace_scheduler_chunk_ready(&n->scheduler);
        if (n->memory_port.tx_dma->done_valid) loaded = n->memory_port.tx_dma->done_id;
        if (ace_rx_dma_m_done_valid(n->memory_port.rx_dma))
            stored = ace_rx_dma_m_done_id(n->memory_port.rx_dma);
        n->wake = false;
    }

    /* ---- the rising edge ---- */
    const bool upsets = ace_scratchpad_banks_watched(&n->scratchpad.banks) || in->fault_valid;
    ace_row_index written[ACE_SCRATCHPAD_WRITES];
    const unsigned rows = upsets ? rows_written(n, &grant, written) : 0;
    const bool told = grant_peer(n);
    unsigned write, reserve;
    send_rows(n, &grant, &write, &reserve, payload);
    take_requests(n, takes, room);
    receive_rows(n, &grant, payload);
    ace_switch_tick(&n->switch_, asked, &grant, copy_context);
    tick_links(n, in, &grant, write, reserve, exchanges ? &e : NULL, payload);
    if (exchanges) ace_nic_routed(&n->nic, in, &e, payload, &n->unfit);
    tick_memory(n, in, &grant, exchanges ? &e : NULL, payload);
    if (exchanges)
        ace_nic_exchange(&n->nic, &n->cfg, cmd && to_exchange ? &in->cmd : NULL,
                         !n->scheduler.done_valid, &e, &n->unfit);
    if (exchanges) ace_nic_show_transfers(&n->nic, &n->out);
    if (upsets) upset(n, in, written, rows);
    if (wrongs.count | n->wrongs) report_wrongs(n, &wrongs);

    const ace_rx_pins *const rx = ace_link_accepted(&n->nic.links);
    unsigned numbers = 0; /* links on which one has come in place of a grant */
    for (unsigned l = rx->grant_valid; l; l &= l - 1) {
        const unsigned link = (unsigned)__builtin_ctz(l);
        const uint8_t context = rx->link[link].grant_context;
        if (context == ACE_NUMBER_CONTEXT) {
            numbers |= 1u << link;
            continue;
        }
        const unsigned f = ace_switch_fsm(&n->switch_, context);
        ace_fsm_grant(&n->fsm[f], ace_context_index(context), link, rx->grant_peer[link]);
        touch(n, f);
    }
    if (n->working | fetched.fsms) work_segments(n, &fetched);
    const ace_action bus = n->scheduler.bus;
    if (bus == ACE_ACT_ADMIT || bus == ACE_ACT_RELEASE) {
        const ace_admission *a = &n->scheduler.admission;
        const unsigned f = a->phase * n->per_phase + a->index % n->per_phase;
        if (bus == ACE_ACT_ADMIT) {
            ace_fsm_admit(&n->fsm[f], a);
            update_fsm(n, f);
            turned(n, f);
            may_grant(n, f);
        } else {
            ace_fsm_release(&n->fsm[f], a->index);
            update_fsm(n, f);
        }
        progress(n, f, a->index);
    }
    if (wake) {
        ace_scheduler_tick(&n->scheduler, over, load_ready, store_ready,
                           enters ? &n->dispatcher.chunk : NULL, loaded, stored);
        n->wake |= n->scheduler.dirty || n->scheduler.done_valid;
    }
    if (ace_agreement_is_on(&n->agreement)) {
        agree(n, chunks_cmd, enters, told, numbers);
    } else if (enters || chunks_cmd || ace_dispatcher_works(&n->dispatcher)) {
        ace_dispatcher_tick(&n->dispatcher, chunks_cmd, false, enters);
        n->wake |= ace_dispatcher_chunk_valid(&n->dispatcher);
        show_ready(n);
    }
    if (wake || exchanges) show_done(n);
    if (exchanges) show_ready(n);
    n->out.idle = is_idle(n);
}

static bool exchanges(const ace_cycle_core *n, const ace_pins_in *in) {
    return ace_nic_exchanges(&n->nic, in) || (in->cmd_valid && for_exchange(&in->cmd));
}

/* Out of the way of the others, which are most. */
__attribute__((noinline)) static void exchanging_tick(ace_cycle_core *n, const ace_pins_in *in) {
    if (n->scratchpad.banks.rows)
        tick(n, in, true, true);
    else
        tick(n, in, false, true);
}

ACE_INLINE void ports_tick(ace_cycle_core *n, const ace_pins_in *in, bool payload) {
    if (exchanges(n, in))
        exchanging_tick(n, in);
    else
        tick(n, in, payload, false);
}

/* ---- the links' guards ------------------------------------------------------------ */

/* A cycle in which more than their numbers may change. */
__attribute__((noinline)) static void tick_with_retry(ace_cycle_core *n, const ace_pins_in *in) {
    ace_link_receive(&n->nic.links);
    ports_tick(n, in, n->scratchpad.banks.rows != NULL);
    n->out.idle &= ace_link_send(&n->nic.links, &n->out);
}

ACE_INLINE void node_tick(ace_cycle_core *n, const ace_pins_in *in, bool payload) {
    if (__builtin_expect(in->drain, 0)) {
        draining_tick(n, in);
        return;
    }
    ace_link_arrive(&n->nic.links, in);
    if (__builtin_expect(ace_link_is_guarded(&n->nic.links, &n->out), 0)) {
        tick_with_retry(n, in);
        return;
    }
    ace_link_count(&n->nic.links);
    ports_tick(n, in, payload);
    ace_link_show(&n->nic.links, payload, &n->out);
}

void ace_cycle_core_tick_timing(ace_core *core, const ace_pins_in *in) {
    node_tick(self(core), in, false);
}

void ace_cycle_core_tick_payload(ace_core *core, const ace_pins_in *in) {
    node_tick(self(core), in, true);
}

void ace_cycle_core_skip(ace_core *core, uint64_t cycles) {
    ace_cycle_core *n = self(core);
    ace_nic_skip(&n->nic, cycles);
    ace_memory_port_skip(&n->memory_port, cycles);
    ace_switch_skip(&n->switch_, cycles);
    ace_scratchpad_skip(&n->scratchpad, cycles);
}
