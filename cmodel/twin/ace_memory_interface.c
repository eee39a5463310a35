/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_memory_interface.c -- the rare parts of rtl/ace_memory_interface.v's twin
 *
 * The tick is inline in the header, because it runs in every cycle with memory traffic. This file
 * has creation, reset, the check of a loaded state, and error responses. An error finds its
 * address by counting back from the newest burst to the oldest one that is open.
 */
#include "ace_memory_interface.h"

#include <stdlib.h>

int ace_memory_interface_create(unsigned bursts, unsigned drain_limit, bool payload,
                                ace_memory_interface **interface_) {
    if (bursts < 1 || bursts > ACE_MEMORY_BURSTS_MAX) return ACE_EINVAL;
    ace_memory_interface *m = calloc(1, sizeof *m);
    if (!m) return ACE_ENOMEM;
    m->bursts = bursts;
    m->drain_limit = drain_limit;
    ace_memory_interface_set_costs(m, ACE_COST_ONE, ACE_COST_ONE);
    /* rows of a list are read in timing-only runs, too */
    if (ace_row_fifo_init(&m->r, ACE_MEMORY_FIFO_ROWS, true) != ACE_OK ||
        ace_row_fifo_init(&m->w, ACE_MEMORY_FIFO_ROWS, payload) != ACE_OK) {
        ace_memory_interface_destroy(m);
        return ACE_ENOMEM;
    }
    ace_memory_interface_reset(m);
    *interface_ = m;
    return ACE_OK;
}

void ace_memory_interface_destroy(ace_memory_interface *m) {
    if (!m) return;
    ace_row_fifo_free(&m->r);
    ace_row_fifo_free(&m->w);
    free(m);
}

void ace_memory_interface_reset(ace_memory_interface *m) {
    m->now = 0;
    m->read_tokens = m->write_tokens = 0;
    m->ar_head = m->ar_next = m->ar_tail = m->ar_ripe = m->ar_waiting = m->reads = 0;
    m->aw_head = m->aw_tail = m->aw_count = m->unanswered = 0;
    m->turn_head = m->turn_tail = m->writes = 0;
    m->w_beat = 0;
    m->aw_new = m->draining = false;
    m->w_open = m->b_next = m->b_tail = m->b_waiting = m->b_ripe = m->b_got = 0;
    m->read_failed = m->write_failed = m->protocol_failed = m->lost = false;
    m->quiet = 0;
    m->asked = m->r_at = m->r_beat = m->sent = 0;
    m->read_failed_resp = m->write_failed_resp = 0;
    m->read_failed_addr = m->write_failed_addr = m->protocol_failed_addr = 0;
    ace_row_fifo_reset(&m->r);
    ace_row_fifo_reset(&m->w);
    m->read = m->write = (ace_cycle_classes){ 0 };
}

void ace_memory_interface_clear(ace_memory_interface *m) {
    const bool lost = m->lost;
    ace_memory_interface_reset(m);
    m->lost = lost;
}

void ace_memory_interface_quiet(ace_memory_interface *m, bool moves) {
    m->quiet = moves ? 0 : m->quiet + 1;
    m->lost = m->drain_limit != 0 && m->quiet == m->drain_limit;
}

uint32_t ace_memory_interface_b_at(const ace_memory_interface *m) {
    return (m->aw_tail + m->bursts - m->unanswered) % m->bursts;
}

bool ace_memory_interface_owed_last(const ace_memory_interface *m) {
    return m->w_beat == m->turn_len[m->b_tail];
}

void ace_memory_interface_answers(ace_memory_interface *m, const ace_memory_answers *a) {
    const bool r_asked = m->asked != 0, b_asked = ace_memory_interface_b_asked(m);
    const uint64_t r_addr = r_asked ? m->ar[m->r_at].addr : 0;
    const uint64_t b_addr = b_asked ? m->aw[ace_memory_interface_b_at(m)].addr : 0;
    const bool r_odd = a->s_r && ace_memory_interface_r_odd(m, a->r_last, a->r_resp);
    const bool b_odd = a->s_b && ace_memory_interface_b_odd(m, a->b_resp);

    if (a->s_r && r_asked && a->r_resp & 2 && !m->read_failed) {
        m->read_failed = true;
        m->read_failed_resp = a->r_resp;
        m->read_failed_addr = r_addr;
    }
    if (a->s_b && b_asked && a->b_resp & 2 && !m->write_failed) {
        m->write_failed = true;
        m->write_failed_resp = a->b_resp;
        m->write_failed_addr = b_addr;
    }
    if ((r_odd || b_odd) && !m->protocol_failed) {
        m->protocol_failed = true;
        m->protocol_failed_addr = r_odd ? r_addr : b_addr;
    }
}

/* Returns whether `head`, `held` and `tail` of a ring of entries fit each other. */
static bool is_behind(uint32_t tail, uint32_t head, uint32_t held, uint32_t slots) {
    return head < slots && tail < slots && held <= slots && (head + held) % slots == tail;
}

/* Checks the position of each burst, as in tests/formal/memory_interface.v. */
static void check(const ace_memory_interface *m, uint32_t bursts, uint32_t drain_limit,
                  ace_state *s) {
    ACE_STATE_BOOLS(s, "ace_memory_interface.draining", &m->aw_new, &m->draining, &m->read_failed,
                    &m->write_failed, &m->protocol_failed, &m->lost);
    ace_state_must(s, m->bursts == bursts, "ace_memory_interface.bursts");
    ace_state_must(s, m->drain_limit == drain_limit, "ace_memory_interface.drain_limit");
    ace_state_must(s, drain_limit == 0 || m->quiet <= drain_limit, "ace_memory_interface.quiet");
    ace_state_must(s,
                   m->read_cost >= ACE_COST_ONE && m->read_cost <= ACE_COST_MAX &&
                       m->write_cost >= ACE_COST_ONE && m->write_cost <= ACE_COST_MAX,
                   "ace_memory_interface.read_cost");
    ace_state_must(s, m->read_tokens <= 2 * m->read_cost, "ace_memory_interface.read_tokens");
    ace_state_must(s, m->write_tokens <= 2 * m->write_cost, "ace_memory_interface.write_tokens");
    ace_state_must(s, m->reads <= bursts, "ace_memory_interface.reads");
    ace_state_must(s, m->ar_waiting <= m->reads && m->ar_ripe <= m->reads - m->ar_waiting,
                   "ace_memory_interface.ar_ripe");
    ace_state_must(s, is_behind(m->ar_next, m->ar_head, m->ar_ripe, bursts),
                   "ace_memory_interface.ar_head");
    ace_state_must(s, is_behind(m->ar_tail, m->ar_next, m->ar_waiting, bursts),
                   "ace_memory_interface.ar_next");
    ace_state_must(s, m->writes <= bursts, "ace_memory_interface.writes");
    ace_state_must(s, m->unanswered <= m->writes, "ace_memory_interface.unanswered");
    ace_state_must(s, m->aw_count <= m->unanswered, "ace_memory_interface.aw_count");
    ace_state_must(s, m->sent <= m->unanswered, "ace_memory_interface.sent");
    ace_state_must(s,
                   m->asked <= m->reads - m->ar_waiting - m->ar_ripe &&
                       is_behind(m->ar_head, m->r_at, m->asked, bursts),
                   "ace_memory_interface.asked");
    ace_state_must(s, m->r_beat < 256, "ace_memory_interface.r_beat");
    ace_state_must(s, is_behind(m->turn_tail, m->turn_head, m->writes, bursts),
                   "ace_memory_interface.turn_head");
    for (unsigned i = 0; ace_state_loaded(s) && i < bursts; i++)
        ACE_STATE_BOOLS(s, "ace_memory_interface.turn_pad", &m->turn_pad[i]);
    ace_state_must(s, is_behind(m->aw_tail, m->aw_head, m->aw_count, bursts),
                   "ace_memory_interface.aw_head");
    ace_state_must(s, m->w_open + m->aw_new <= m->writes, "ace_memory_interface.w_open");
    ace_state_must(s, is_behind(m->turn_tail, m->b_tail, m->w_open + m->aw_new, bursts),
                   "ace_memory_interface.b_tail");
    ace_state_must(s, m->w_beat < 256, "ace_memory_interface.w_beat");
    ace_state_must(s, m->b_waiting <= m->writes && m->b_ripe <= m->writes - m->b_waiting,
                   "ace_memory_interface.b_ripe");
    ace_state_must(s, m->b_got <= m->writes, "ace_memory_interface.b_got");
    ace_state_must(s, is_behind(m->b_tail, m->b_next, m->b_waiting, bursts),
                   "ace_memory_interface.b_next");
    for (unsigned i = 0; ace_state_loaded(s) && i < m->ar_waiting; i++)
        ace_state_must(s, m->ar[(m->ar_next + i) % bursts].release > m->now,
                       "ace_memory_interface.ar");
    for (unsigned i = 0; ace_state_loaded(s) && i < m->b_waiting; i++)
        ace_state_must(s, m->b_release[(m->b_next + i) % bursts] > m->now,
                       "ace_memory_interface.b_release");
}

void ace_memory_interface_state(ace_memory_interface *m, ace_state *s) {
    const uint32_t bursts = m->bursts, drain_limit = m->drain_limit;
    ACE_STATE_BUT(s, *m, &m->r.rows, &m->w.rows);
    ace_row_fifo_rows_state(&m->r, ACE_MEMORY_FIFO_ROWS, s);
    ace_row_fifo_rows_state(&m->w, ACE_MEMORY_FIFO_ROWS, s);
    if (ace_state_loaded(s)) check(m, bursts, drain_limit, s);
}
