/* SPDX-License-Identifier: Apache-2.0 */
/* command_lockstep.c -- acesim rtl lockstep: RTL against its C twin under random work */
#include "command.h"
#include "exit_status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ace_rtl_node.h"
#include "ace_rtl_set.h"
#include "figures.h"
#include "first_difference.h"
#include "names.h"
#include "option_table.h"
#include "rtl_sets.h"
#include "soak.h"
#include "values.h"

static int make_rtl(const ace_parameters *p, const ace_config *cfg, uint32_t seed,
                    ace_core **core) {
    return ace_rtl_core_create(p, cfg, true, seed, NULL, core);
}

/* Finds the number of a built set of parameters. Returns false after a message that lists the
 * sets. */
static bool find_set(const char *word, unsigned *set, const char **name) {
    for (*set = 0; ace_rtl_parameters(*set, name); (*set)++)
        if (!strcmp(word, *name)) return true;
    fprintf(stderr, "acesim rtl lockstep: --parameters: found '%s', expected", word);
    for (*set = 0; ace_rtl_parameters(*set, name); (*set)++)
        fprintf(stderr, "%s %s", *set ? " or" : "", *name);
    fprintf(stderr, *set ? "\n" : " a program with RTL\n");
    return false;
}

/* Loads the set that --rtl names; --parameters may not be given with it. Without --rtl, at least
 * one set must be built. Returns false after a message. */
static bool find_rtl(const char *rtl, const char *parameters,
                     const ace_rtl_parameter_set **loaded) {
    *loaded = NULL;
    if (rtl && parameters) {
        fprintf(stderr,
                "acesim rtl lockstep: --rtl: found --parameters %s with it, expected one of "
                "the two\n",
                parameters);
        return false;
    }
    if (rtl && !(*loaded = rtl_set_load(rtl))) return false;
    if (rtl && !(*loaded)->payload) {
        fprintf(stderr,
                "acesim rtl lockstep: --rtl: found %s, whose rows have no values, expected one "
                "made without PAYLOAD=0\n",
                rtl);
        return false;
    }
    if (rtl) return true;
    if (ace_rtl_parameters(0, &parameters)) return true;
    fprintf(stderr,
            "acesim rtl lockstep: found no RTL in this program, expected some, or --rtl NAME\n");
    return false;
}

/* ---- cases that the soak reached ---------------------------------------------------------- */

static const char *const unit_labels[] = {
#define LABEL(name) name,
    ACE_UNIT_MAP(LABEL)
#undef LABEL
};
static const char *const link_labels[] = { "x+", "x-", "y+", "y-", "z+", "z-", "w+", "w-" };
static const char *const dims_labels[] = { "0", "1", "2", "3", "4" };
static const char *const end_labels[] = { "within a row", "with a row", "with a row of each" };
static const char *const wiring_labels[] = { "ring", "switch", "fully connected" };
static const char *const members_labels[] = { NULL, NULL, "2", "3", "4", "5", "6", "7", "8", "9" };
static const char *const class_labels[] = { "busy", "starved", "blocked", "idle" };
static const char *const retry_labels[] = { "sent again", "wrong CRC", "dropped" };
static const char *const fault_labels[] = { "scratchpad", "memory", "parity" };
static const char *const over_labels[] = { "well", "reset", "row lost" };

typedef struct cross_labels {
    const char *name, *const *row, *const *column;
    unsigned rows, columns;
} cross_labels;
static const cross_labels crosses[SOAK_CROSSES] = {
    [CROSS_KIND_TYPE] = { "kind x type", kind_names, type_names, ACE_MESSAGES, ACE_TYPES },
    [CROSS_KIND_DIMS] = { "kind x dimensions", kind_names, dims_labels, ACE_MESSAGES, 5 },
    [CROSS_OP_TYPE] = { "op x type", op_names, type_names, ACE_OPS, ACE_TYPES },
    [CROSS_KIND_END] = { "kind x end of vector", kind_names, end_labels, ACE_MESSAGES, 3 },
    [CROSS_WIRING_MEMBERS] = { "wiring x members", wiring_labels, members_labels, 3, 10 },
    [CROSS_UNIT_CYCLE] = { "unit x cycle", unit_labels, class_labels, ACE_UNITS, ACE_CLASSES },
    [CROSS_LINK_RETRY] = { "link x retry", link_labels, retry_labels, ACE_LINKS, ACE_LINK_COUNTS },
    [CROSS_FAULT_UNIT] = { "fault x unit at work", fault_labels, unit_labels, 3, ACE_UNITS },
    [CROSS_END_KIND] = { "end of run x kind", over_labels, kind_names, 3, ACE_MESSAGES },
};

/* True if a combination can occur. The soak draws no lists, and barriers have no vector. Links and
 * units of a fourth dimension exist only if a set has one. */
static bool possible(soak_cross cross, unsigned row, unsigned column, unsigned dimensions) {
    const cross_labels *w = &crosses[cross];

    if (!w->row[row] || !w->column[column]) return false;
    if ((w->row == kind_names && row == ACE_LIST) ||
        (w->column == kind_names && column == ACE_LIST))
        return false;
    if (cross == CROSS_KIND_END && row == ACE_BARRIER) return false;
    if (cross == CROSS_KIND_DIMS && column > dimensions) return false;
    if (cross == CROSS_UNIT_CYCLE) return ace_unit_is_there(row, dimensions);
    if (cross == CROSS_FAULT_UNIT) return ace_unit_is_there(column, dimensions);
    return cross != CROSS_LINK_RETRY || row < 2 * dimensions;
}

static void print_cover(const soak_cover *cover) {
    for (soak_cross cross = 0; cross < SOAK_CROSSES; cross++) {
        const cross_labels *w = &crosses[cross];
        unsigned met = 0, all = 0;

        for (unsigned r = 0; r < w->rows; r++)
            for (unsigned c = 0; c < w->columns; c++)
                if (possible(cross, r, c, cover->dimensions)) {
                    met += cover->met[cross][r][c] != 0;
                    all++;
                }
        printf("%-22s %4u of %4u\n", w->name, met, all);
        for (unsigned r = 0; r < w->rows; r++)
            for (unsigned c = 0; c < w->columns; c++)
                if (possible(cross, r, c, cover->dimensions) && !cover->met[cross][r][c])
                    printf("  never: %s, %s\n", w->row[r], w->column[c]);
    }
}

/* Busy cycles that three seeds each need until a planted error shows in tests/mutation/run.sh. */
enum { PLANTED = 3000000 };

/* Prints how much an equal run proves: random work finds only the errors that it reaches. */
static void print_worth(uint64_t cycles) {
    char text[FIGURE], most[FIGURE];

    printf("Every pin was equal in %s cycles in which the pair was busy. ",
           figure_unsigned(cycles, text));
    if (cycles < PLANTED)
        printf("An error in a rare case may need more:\nthe planted errors of tests/mutation get ");
    else
        printf("The planted errors of\ntests/mutation get ");
    printf("%s cycles and three seeds to show.\n", figure_unsigned(PLANTED, most));
}

/* Prints whether the pair was equal, and the work that the runs did. */
static void print_verdict(const soak_work *soak, bool equal) {
    printf("%s: %" PRIu64 " busy cycles, %" PRIu64 " clusters, %" PRIu64 " with hubs, %" PRIu64
           " collectives, %" PRIu64 " packets, %" PRIu64 " resets\n",
           equal ? "equal" : "DIFFERENT", soak->busy_cycles, soak->runs, soak->runs_on_hubs,
           soak->collectives, soak->packets, soak->resets);
    if (equal) print_worth(soak->busy_cycles);
    if (soak->cover) print_cover(soak->cover);
}

/* ---- the command -------------------------------------------------------------------------- */

typedef struct question {
    uint64_t cycles, seed;
    const char *parameters, *rtl, *wave;
    unsigned set; /* index of the set of parameters */
    bool cover, quiet;
} question;

static bool take_parameters(void *question_, unsigned row, const char *word) {
    question *const q = question_;

    (void)row;
    return find_set(word, &q->set, &q->parameters);
}

static bool take_wave(void *question_, unsigned row, const char *name) {
    (void)row;
    ((question *)question_)->wave = name;
    return name_check("lockstep: --wave", name);
}

#define NUMBER_ROW(member, name, argument, help)                                     \
    {                                                                                \
        name, argument, OPTION_COUNT, offsetof(question, member),                    \
            .text = help, .accepted = "a number such as 1000000", .high = UINT64_MAX \
    }
static const option_row rows[] = {
    NUMBER_ROW(cycles, "cycles", "N",
               "stop when the pair has been busy for this many cycles [1000000]"),
    NUMBER_ROW(seed, "seed", "S", "seed of all random choices [1]"),
    { "parameters", "NAME", OPTION_OWN, 0,
      .text = "default, four, odd or small [all that are built, in turn]",
      .take = take_parameters },
    OPTION_TEXT_ROW(question, rtl, "rtl", "NAME",
                    "RTL that acesim rtl build made, in place of those"),
    { "wave", "FILE", OPTION_OWN, 0,
      .text = "waveform of the first difference [first-difference.fst]", .take = take_wave },
    OPTION_FLAG_ROW(question, cover, "cover",
                    "print which cases were reached and which never were"),
    { "quiet", NULL, OPTION_FLAG, offsetof(question, quiet),
      .text = "no progress on standard error" },
};
static const option_table options = {
    .command = "rtl lockstep",
    .about =
        "usage: acesim rtl lockstep [OPTIONS]\n\n"
        "Runs the Verilated node and its C twin as a pair in random clusters of twins with\n"
        "rings, switches and full connections. Compares every pin in every cycle, with random\n"
        "collectives, back-pressure, errors and resets. At a difference, it finds the first\n"
        "register that differs, and writes the registers of both sides around that cycle with a\n"
        "view for GTKWave.\n\n",
    .tail = "\nexample: acesim rtl lockstep --cycles 10000000 --seed 7\n",
    .expected = "only options",
    .group = { OPTION_GROUP(rows) },
};

/* Runs in ten parts, to show progress. A part is left out if the parts before it ran long enough.
 * The RTL is `loaded`, or the requested set, or each set in turn. *name becomes the name of the
 * last set. */
static int run_parts(const question *q, const ace_rtl_parameter_set *loaded, soak_work *soak,
                     const char **name) {
    unsigned sets = 0, set = q->set;
    int err = ACE_OK;

    while (ace_rtl_parameters(sets, name)) sets++;
    for (uint64_t part = 1; part <= 10 && !err; part++) {
        soak->cycles = q->cycles / 10 * part + (part == 10 ? q->cycles % 10 : 0);
        if (soak->busy_cycles >= soak->cycles) continue;
        soak->seed += part > 1;
        if (!q->parameters && !loaded) set = (unsigned)(part - 1) % sets;
        soak->parameters = loaded ? loaded->parameters : *ace_rtl_parameters(set, name);
        err = soak_run(soak);
        if (!q->quiet)
            fprintf(stderr, "lockstep: %" PRIu64 " of %" PRIu64 " cycles\n",
                    soak->busy_cycles < q->cycles ? soak->busy_cycles : q->cycles, q->cycles);
    }
    return err;
}

int command_lockstep(int argc, char **argv) {
    question q = { .cycles = 1000000, .seed = 1, .wave = "first-difference.fst" };
    soak_cover cover = { 0 };
    soak_work soak = { .make_second = make_rtl, .faults = true, .upsets = true, .log = stderr };
    const ace_rtl_parameter_set *loaded;
    const char *name = NULL;
    first_difference d;
    int rc;

    if (!option_table_read(&options, argc, argv, &q, &rc)) return rc;
    if (!find_rtl(q.rtl, q.parameters, &loaded)) return EXIT_USAGE;
    soak.seed = q.seed;
    if (q.cover) soak.cover = &cover;
    rc = run_parts(&q, loaded, &soak, &name) ? EXIT_CHECK : EXIT_OK;
    print_verdict(&soak, rc == EXIT_OK);
    if (rc == EXIT_OK) return rc;
    printf("run %" PRIu64 ", %s\nrepeat: acesim rtl lockstep --%s %s --seed %" PRIu64
           " --cycles %" PRIu64 "\n",
           soak.runs, soak.difference, q.rtl ? "rtl" : "parameters", q.rtl ? q.rtl : name,
           soak.seed, q.cycles);
    (void)first_difference_find(&soak, q.wave, stdout, &d);
    return rc;
}
