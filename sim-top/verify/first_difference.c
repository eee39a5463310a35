/* SPDX-License-Identifier: Apache-2.0 */
/*
 * first_difference.c -- runs a failed cluster again, and compares all registers
 *
 * The first repetition finds the cycle and the register. If a waveform is requested, a second one
 * writes the registers around that cycle. Both start from the dice of the failed run, so they are
 * equal to it.
 */
#include "first_difference.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "ace_register_wave.h"
#include "ace_registers.h"
#include "ace_wave_file.h"
#include "atomic_file.h"
#include "exit_status.h"
#include "gtkwave_view.h"

enum {
    BEFORE = 60,      /* cycles of the waveform before the first difference ... */
    AFTER = 60,       /* ... and after it; the run ends with the pin */
    OTHERS_SHOWN = 6, /* maximum number of reported registers that differ in the same cycle */
    NEIGHBOURS = 24   /* maximum number of registers of the same unit in the view */
};

typedef struct finder {
    ace_watch before;
    ace_registers *both;
    const ace_core *twin;
    uint64_t cycle;
    first_difference *d;
    unsigned differing;
    char others[1024];
    char chunk[256];
    /* The second repetition. */
    uint64_t from, to;
    atomic_file *wave_file;
    ace_register_wave *wave;
    char unit[96];
    FILE *view;
    unsigned shown;
    int failed;
} finder;

static void name_of(const ace_register_pair *p, char *to, size_t size) {
    if (p->array)
        snprintf(to, size, "%s[%u]", p->name, p->at);
    else
        snprintf(to, size, "%s", p->name);
}

/* ---- the chunk concerned ------------------------------------------------------------- */

/* Finds the chunk of an FSM's register: of the FSM's current context, or of the register's
 * entry. */
static bool context_chunk(const finder *f, const ace_register_pair *p, uint32_t *chunk) {
    unsigned phase, fsm, at = p->at;
    unsigned shift = 0;
    const int in =
        sscanf(p->name, "u_phases.g_phase[%u].g_fsm[%u].u_fsm.g_context[%u]", &phase, &fsm, &at);
    if (in < 2 || (in == 2 && !p->array)) return false;
    while (1u << shift < ace_cycle_core_phase_fsms(f->twin)) shift++;
    return ace_cycle_core_context_chunk(f->twin, phase, at << shift | fsm, chunk);
}

static void chunk_text(finder *f, uint32_t chunk) {
    snprintf(f->chunk, sizeof f->chunk, "chunk %" PRIu32 ", of the collective with tag %u", chunk,
             ace_cycle_core_chunk_tag(f->twin, chunk));
}

static bool begins(const char *name, const char *with) {
    return !strncmp(name, with, strlen(with));
}

/* Returns whether a register serves only all-to-alls. */
static bool exchanges(const char *name) {
    return begins(name, "u_nic.u_exchange.") || begins(name, "u_nic.u_router.") ||
           strstr(name, ".u_routed.");
}

static void inside_text(finder *f, const char *name) {
    uint32_t entered, left;
    uint16_t all_to_all;
    if (exchanges(name)) {
        if (ace_cycle_core_exchange_tag(f->twin, &all_to_all))
            snprintf(f->chunk, sizeof f->chunk, "the all-to-all with tag %u", all_to_all);
        else
            snprintf(f->chunk, sizeof f->chunk, "an all-to-all of others");
        return;
    }
    ace_cycle_core_chunks(f->twin, &entered, &left);
    if (entered == left) {
        snprintf(f->chunk, sizeof f->chunk, "no chunk is inside");
        return;
    }
    int n = snprintf(f->chunk, sizeof f->chunk,
                     "one of chunks %" PRIu32 " to %" PRIu32 ", of the collectives with tags", left,
                     entered - 1);
    for (uint32_t c = left; c != entered && n < (int)sizeof f->chunk - 8; c++) {
        const unsigned tag = ace_cycle_core_chunk_tag(f->twin, c);
        if (c == left || tag != ace_cycle_core_chunk_tag(f->twin, c - 1))
            n += snprintf(f->chunk + n, sizeof f->chunk - (size_t)n, " %u", tag);
    }
}

static void concerned(finder *f, const ace_register_pair *p) {
    static const char scheduler[] = "u_front.u_scheduler.";
    uint32_t chunk;
    if (context_chunk(f, p, &chunk) ||
        (begins(p->name, scheduler) && p->array &&
         ace_cycle_core_chunk_of_slot(f->twin, p->name + strlen(scheduler), p->at, &chunk)))
        chunk_text(f, chunk);
    else
        inside_text(f, p->name);
}

/* ---- the first time: when, and which --------------------------------------------------- */

static void compare(void *self, const ace_register_pair *p) {
    finder *f = self;
    char name[112];
    if (p->may_differ || !((p->rtl ^ p->twin) & p->mask)) return;
    name_of(p, name, sizeof name);
    if (!f->differing++) {
        *f->d = (first_difference){ .found = true,
                                    .array = p->array,
                                    .at = p->at,
                                    .number = p->number,
                                    .cycle = f->cycle,
                                    .rtl = p->rtl & p->mask,
                                    .twin = p->twin & p->mask };
        snprintf(f->d->name, sizeof f->d->name, "%s", p->name);
        concerned(f, p);
    } else if (f->differing <= OTHERS_SHOWN) {
        const size_t n = strlen(f->others);
        snprintf(f->others + n, sizeof f->others - n,
                 "  and %s: rtl %#" PRIx64 ", twin %#" PRIx64 "\n", name, p->rtl & p->mask,
                 p->twin & p->mask);
    }
}

/* Returns whether this is a memory of the scratchpad. */
static bool is_bank(const char *name) { return begins(name, "u_datapath.u_scratchpad.u_banks."); }

/* Compares a row. Rows come after registers, because control registers decide what is moved. */
static void compare_row(void *self, const ace_row_pair *p) {
    finder *f = self;
    unsigned word = 0;
    uint32_t chunk;
    if (f->differing++) return;
    while (p->rtl[word] == p->twin[word]) word++;
    *f->d = (first_difference){ .found = true,
                                .array = p->array,
                                .at = p->at,
                                .number = UINT_MAX,
                                .cycle = f->cycle,
                                .rtl = p->rtl[word],
                                .twin = p->twin[word] };
    snprintf(f->d->name, sizeof f->d->name, "%s", p->name);
    snprintf(f->others, sizeof f->others, "  a row: its word %u\n", word);
    if (is_bank(p->name) && ace_cycle_core_context_chunk(f->twin, ace_context_phase(p->context),
                                                         ace_context_index(p->context), &chunk))
        chunk_text(f, chunk);
    else
        inside_text(f, p->name);
}

static bool attach(finder *f, ace_core *twin, ace_core *rtl) {
    if (!f->both && ace_registers_create(rtl, twin, &f->both) != ACE_OK) f->failed = EXIT_CHECK;
    f->twin = twin;
    return !f->failed;
}

static void look(void *self, uint64_t cycle, ace_core *twin, ace_core *rtl, const ace_pins_in *in) {
    finder *f = self;
    if (f->before.check) f->before.check(f->before.self, cycle, twin, rtl, in);
    if (f->differing || !attach(f, twin, rtl)) return;
    f->cycle = cycle;
    ace_registers_each(f->both, compare, f);
    ace_registers_rows(f->both, compare_row, f);
}

/* ---- the second time: the waveform ------------------------------------------------------ */

static void look_again(void *self, uint64_t cycle, ace_core *twin, ace_core *rtl,
                       const ace_pins_in *in) {
    finder *f = self;
    if (f->before.check) f->before.check(f->before.self, cycle, twin, rtl, in);
    if (cycle < f->from || cycle > f->to || !attach(f, twin, rtl)) return;
    if (!f->wave && ace_register_wave_open(f->wave_file->part, f->both, &f->wave) != ACE_OK) {
        fprintf(stderr, "acesim: --wave: found '%s', expected a file that can be written\n",
                f->wave_file->name);
        f->failed = EXIT_USAGE;
        return;
    }
    ace_register_wave_dump(f->wave, cycle);
}

static void show_pair(FILE *to, const ace_register_pair *p, bool culprit) {
    static const char *const sides[] = { "rtl", "twin" };
    const char *const leaf = strrchr(p->name, '.') ? strrchr(p->name, '.') + 1 : p->name;
    for (unsigned side = 0; side < 2; side++) {
        fprintf(to, "@%s\n[color] %d\n+{%s ", p->bits > 1 ? "22" : "28",
                culprit ? 1
                : side  ? 3
                        : 2,
                leaf);
        if (p->array) fprintf(to, "%u ", p->from_oldest);
        fprintf(to, "%s} %s.%s", sides[side], sides[side], p->name);
        if (p->array) fprintf(to, "[%u]", p->from_oldest);
        if (p->bits > 1) fprintf(to, "[%u:0]", p->bits - 1);
        fprintf(to, "\n");
    }
}

static void show_culprit(void *self, const ace_register_pair *p) {
    finder *f = self;
    if (p->number == f->d->number) show_pair(f->view, p, true);
}

/* Shows the registers of the same unit. In arrays it shows the same entry. */
static void show_unit(void *self, const ace_register_pair *p) {
    finder *f = self;
    const size_t unit = strlen(f->unit);
    if (strncmp(p->name, f->unit, unit) || strchr(p->name + unit, '.') || p->may_differ) return;
    if (!strcmp(p->name, f->d->name)) return;
    if (p->array && (!f->d->array || p->at != f->d->at)) return;
    if (f->shown++ < NEIGHBOURS) show_pair(f->view, p, false);
}

/* Writes the view from the registers of the last compared cycle, while the cores exist. */
static char *view_body(finder *f) {
    char *body = NULL;
    size_t size;
    const char *const dot = strrchr(f->d->name, '.');
    f->view = open_memstream(&body, &size);
    if (!f->view) return NULL;
    if (is_bank(f->d->name)) /* an option of the build makes memories visible */
        snprintf(f->unit, sizeof f->unit, "u_datapath.u_switch.");
    else
        snprintf(f->unit, sizeof f->unit, "%.*s", dot ? (int)(dot + 1 - f->d->name) : 0,
                 f->d->name);
    fprintf(f->view,
            "[sst_width] 0\n[signals_width] 300\n[sst_expanded] 0\n@24\n+{cycle} cycle[63:0]\n"
            "@200\n-First difference\n");
    ace_registers_each(f->both, show_culprit, f);
    fprintf(f->view, "@24\n+{registers that differ} differ[15:0]\n@200\n-Registers beside it\n");
    ace_registers_each(f->both, show_unit, f);
    fclose(f->view);
    return body;
}

/* The names belong to the cores, which end with the run. The view is therefore made in the run's
 * last cycle. */
typedef struct second {
    finder *f;
    char *body;
} second;

static void look_and_view(void *self, uint64_t cycle, ace_core *twin, ace_core *rtl,
                          const ace_pins_in *in) {
    second *s = self;
    look_again(s->f, cycle, twin, rtl, in);
    if (s->f->wave && !s->body) s->body = view_body(s->f);
}

/* ---- both ------------------------------------------------------------------------------- */

static soak_work again(const soak_work *failed,
                       void (*at)(void *, uint64_t, ace_core *, ace_core *, const ace_pins_in *),
                       void *self) {
    soak_work s = *failed;
    s.dice = failed->began;
    s.cycles = 1; /* runs only that cluster */
    s.busy_cycles = s.runs = 0;
    s.log = NULL;
    s.watch = (ace_watch){ at, self };
    return s;
}

int first_difference_find(const soak_work *failed, const char *wave, FILE *to,
                          first_difference *d) {
    const unsigned failures = ace_wave_failures();
    atomic_file file;
    finder f = { .before = failed->watch, .d = d, .wave_file = &file };
    second s = { .f = &f };
    soak_work soak = again(failed, look, &f);
    *d = (first_difference){ .cycle = failed->differs };
    (void)soak_run(&soak);
    ace_registers_destroy(f.both);
    f.both = NULL;
    if (f.failed) return f.failed;
    if (d->found) {
        fprintf(to, "first register: cycle %" PRIu64 ", %s", d->cycle, d->name);
        if (d->array) fprintf(to, "[%u]", d->at);
        fprintf(to, ": rtl %#" PRIx64 ", twin %#" PRIx64 "\n%s", d->rtl, d->twin, f.others);
        if (f.differing > OTHERS_SHOWN) fprintf(to, "  and %u more\n", f.differing - OTHERS_SHOWN);
        fprintf(to, "concerned: %s\n", f.chunk);
    } else {
        fprintf(to, "first register: none that the twin names differs before the pin: it lies "
                    "between registers\n");
    }
    if (!wave) return EXIT_OK;
    f.failed = atomic_file_reserve(&file, wave);
    if (f.failed) return f.failed;
    f.from = d->cycle > BEFORE ? d->cycle - BEFORE : 0;
    f.to = d->cycle + AFTER;
    soak = again(failed, look_and_view, &s);
    (void)soak_run(&soak);
    ace_register_wave_close(f.wave);
    ace_registers_destroy(f.both);
    if (f.failed || !f.wave)
        atomic_file_drop(&file);
    else
        f.failed =
            ace_wave_failures() == failures ? atomic_file_close(&file) : atomic_file_fail(&file);
    if (!f.failed && f.wave)
        f.failed = gtkwave_view_write(
            wave, s.body, &(gtkwave_window){ d->cycle, d->cycle + AFTER, ACE_WAVE_CLOCK_MHZ });
    free(s.body);
    return f.failed;
}
