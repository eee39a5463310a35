/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_phases.c -- the phases of a node in what is not part of every cycle: resets, segments, failed
 * checks
 *
 * The edge of all other cycles is in ace_phases.h, as part of the node's loop.
 */
#include "ace_phases.h"

void ace_phases_init(ace_phases *p, const ace_parameters *of) {
    p->fsms = of->fsms;
    p->per_phase = of->fsms / (of->dimensions + 1);
    p->sibling = p->per_phase == 4 ? 2 : 0;
}

void ace_phases_reset(ace_phases *p, ace_pins_out *out) {
    for (unsigned f = 0; f < p->fsms; f++) ace_fsm_reset(&p->fsm[f]);
    memset(p->served, 0, sizeof p->served);
    p->ready = p->mixed = p->copies = p->granting = 0;
    p->fetching = p->working = p->turning = p->closing = p->exchanging = 0;
    p->alone = false;
    for (unsigned f = 0; f < p->fsms; f++) p->fsm[f].alone = false;
    for (unsigned i = 0; i < ACE_PHASES; i++) ace_program_ram_reset(&p->program[i]);
    p->looking = out->parity_failed = false;
    p->wrongs = 0;
    p->unfit = 0;
    out->count_parity = 0;
    out->mismatch = false;
}

void ace_phases_take_program(ace_phases *p, const ace_config *cfg) {
    for (unsigned i = 0; i < ACE_PROGRAM_WORDS; i++) {
        p->words[i] = cfg->program[i];
        p->codes[i] = ace_word_code(p->words[i]);
    }
}

/* Updates FSM f's sets, after it has taken or released a context.  While its contexts and its
 * sibling's have one link, the FSM that sends next requests whenever the link has room. */
static void update_fsm(ace_phases *p, const ace_front *front, unsigned f) {
    const unsigned both[] = { f, ace_phases_sibling(p, f) };
    int link = -1;
    bool mixed = false;
    for (unsigned i = 0; i < 2; i++) {
        const ace_fsm *fsm = &p->fsm[both[i]];
        for (unsigned at = 0; at < fsm->contexts; at++) {
            const ace_fsm_context *c = &fsm->context[at];
            if (!c->valid) continue;
            mixed |= c->two_links || (link >= 0 && (int)ace_fsm_context_m_link(c) != link);
            link = (int)ace_fsm_context_m_link(c);
        }
    }
    for (unsigned i = 0; i < 2 && link >= 0; i++) ace_phases_set_link(p, both[i], (unsigned)link);
    for (unsigned i = 0; i < 2; i++) p->mixed = ace_phases_with(p->mixed, both[i], mixed);
    ace_phases_touch(p, front, f);
}

/* Returns whether FSM f requests in this cycle and sends next.  For FSMs that are mixed. */
static bool leads(const ace_phases *p, const ace_front *front, unsigned f, unsigned room,
                  ace_send *to) {
    const unsigned g = ace_phases_sibling(p, f), oldest = ace_phases_oldest(p, front, f);
    ace_send other;
    if (!ace_fsm_request(&p->fsm[f], room, to)) return false;
    if (g == f) return true;
    const bool goes_on = (p->fsm[f].ready & p->fsm[f].begun) != 0;
    if (goes_on != ((p->fsm[g].ready & p->fsm[g].begun) != 0)) return goes_on;
    return !ace_fsm_request(&p->fsm[g], room, &other) ||
           ace_switch_age(to->index, oldest) < ace_switch_age(other.index, oldest);
}

uint32_t ace_phases_mixed(ace_phases *p, const ace_front *front, const ace_switch *s,
                          const ace_link_port *links) {
    uint32_t ready = p->ready;
    for (unsigned set = p->mixed; set; set &= set - 1) {
        const unsigned f = (unsigned)__builtin_ctz(set);
        ace_send to;
        const unsigned room =
            s->crowded >> f & 1 ? ace_link_port_room_two(links) : (unsigned)links->s_room;
        const bool requests = leads(p, front, f, room, &to);
        if (requests) ace_phases_set_link(p, f, to.link);
        ready = ace_phases_with(ready, f, requests);
    }
    return ready;
}

unsigned ace_phases_waiting_heads(const ace_phases *p, const ace_switch *s,
                                  const ace_switch_in *requests) {
    unsigned waits = 0;
    for (unsigned set = requests->head_valid; set; set &= set - 1) {
        const unsigned link = (unsigned)__builtin_ctz(set);
        const uint8_t context = requests->head_context[link];
        const ace_fsm *fsm = &p->fsm[ace_switch_fsm(s, context)];
        waits |= (unsigned)ace_fsm_must_wait(fsm, ace_context_index(context), link) << link;
    }
    return waits;
}

/* The mode is taken while the program is loaded. */
void ace_phases_load(ace_phases *p, ace_front *front) {
    for (unsigned i = 0; i < ACE_PHASES; i++) ace_program_ram_load(&p->program[i]);
    p->alone = front->scheduler.alone = ACE_PROGRAM_GET(p->words[0], MODE_ALONE);
    for (unsigned f = 0; f < p->fsms; f++) p->fsm[f].alone = p->alone;
}

/* Exchanges, before an edge and at its end: contexts whose next row may come. */
void ace_phases_watch(ace_phases *p, const ace_switch *s) {
    for (unsigned set = p->exchanging; set; set &= set - 1) {
        const unsigned f = (unsigned)__builtin_ctz(set);
        ace_fsm_watch(&p->fsm[f], s->held[f >> p->fsm[f].shift]);
    }
}
void ace_phases_exchange(ace_phases *p) {
    for (unsigned set = p->exchanging; set; set &= set - 1)
        ace_fsm_exchange(&p->fsm[__builtin_ctz(set)]);
}

/* Returns the words that failed, and takes over the words that were read in the cycle before. */
ace_wrongs ace_phases_check_words(ace_phases *p) {
    ace_wrongs found = { 0 };
    p->looking = false;
    for (unsigned i = 0; i < ACE_PHASES; i++) {
        ace_program_ram *const ram = &p->program[i];
        if (ram->wrong && !found.count++)
            found.at = (uint16_t)(i * ACE_PROGRAM_WORDS + ram->wrong_at);
        p->looking |= ace_program_ram_check(ram, p->words, p->codes);
    }
    return found;
}

/* Adds the rows that did not fit when they were used, two cycles later. */
void ace_phases_check_rows(ace_phases *p, ace_wrongs *found) {
    const unsigned wrong = ace_row_uses_take(&p->unfit);
    if (wrong && !found->count)
        found->at = (uint16_t)(ACE_ROW_WRONG + (unsigned)__builtin_ctz(wrong));
    found->count += (unsigned)__builtin_popcount(wrong);
}

void ace_phases_report(ace_phases *p, const ace_wrongs *w, ace_pins_out *out) {
    out->count_parity += p->wrongs;
    p->wrongs = (uint8_t)w->count;
    if (!w->count) return;
    if (!out->parity_failed) out->parity_failed_at = w->at;
    out->parity_failed = true;
}

void ace_phases_fetch(ace_phases *p, ace_phases_reads *reads) {
    const unsigned each = (1u << p->per_phase) - 1;
    for (unsigned i = 0, f = 0; f < p->fsms; i++, f += p->per_phase) {
        const int granted = ace_program_ram_grant(&p->program[i], p->fetching >> f & each);
        if (granted < 0) continue;
        const unsigned reader = f + (unsigned)granted;
        const unsigned at = ace_fsm_fetch(&p->fsm[reader], &reads->job[reader]);
        reads->fsms |= 1u << reader;
        ace_program_ram_take(&p->program[i], (unsigned)granted, at);
        p->looking = true;
    }
}

/* Segments are computed. */
void ace_phases_segments(ace_phases *p, ace_front *front, const ace_phases_reads *reads) {
    for (unsigned set = p->working | reads->fsms; set; set &= set - 1) {
        const unsigned f = (unsigned)__builtin_ctz(set);
        ace_fsm *fsm = &p->fsm[f];
        const int came = ace_fsm_segments(fsm, reads->fsms >> f & 1 ? reads->job[f] : ACE_NO_JOB);
        p->working = ace_phases_with(p->working, f, fsm->working != 0);
        ace_phases_update_waits(p, f);
        if (came < 0) continue;
        p->copies = ace_phases_with(p->copies, f, fsm->copies != 0);
        ace_phases_touch(p, front, f);
        ace_phases_may_grant(p, f);
        ace_phases_progress(p, front, f, (unsigned)came << fsm->shift | fsm->index);
    }
}

/* A number of the agreement leaves instead of a grant. */
bool ace_phases_send_number(const ace_agreement *agreement, ace_tx_step *to) {
    ace_number a;
    if (!ace_agreement_m_number(agreement, &a)) return false;
    to->grant_valid = (uint8_t)(1u << a.link);
    to->grant[a.link].context = ACE_NUMBER_CONTEXT;
    to->grant[a.link].mark = a.value;
    to->grant_peer[a.link] = a.peer;
    return true;
}

/* The scheduler admits a chunk to a phase, or releases one. */
void ace_phases_admit(ace_phases *p, ace_front *front) {
    const ace_admission *a = &front->scheduler.admission;
    const unsigned f = a->phase * p->per_phase + a->index % p->per_phase;
    if (front->scheduler.bus == ACE_ACT_ADMIT) {
        ace_fsm_admit(&p->fsm[f], a);
        update_fsm(p, front, f);
        ace_phases_update_waits(p, f);
        ace_phases_may_grant(p, f);
    } else {
        ace_fsm_release(&p->fsm[f], a->index);
        update_fsm(p, front, f);
    }
    ace_phases_progress(p, front, f, a->index);
}
