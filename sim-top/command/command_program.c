/* SPDX-License-Identifier: Apache-2.0 */
/* command_program.c -- acesim program: assembles and disassembles algorithms, and checks that they
 * are right */
#include <stdlib.h>
#include <string.h>

#include "ace_program.h"
#include "algorithms.h"
#include "command.h"
#include "exit_status.h"
#include "message.h"
#include "option_table.h"
#include "values.h"

#define SHIPPED                                                                      \
    "ring, one-way-ring, direct, halving-doubling, double-binary-tree, in-network, " \
    "fibonacci-tree"

typedef struct question {
    uint64_t members, rank;
    int ring;
} question;

static const char *const wirings[] = { "hub", "ring", NULL };
static const option_row rows[] = {
    { "members", "N", OPTION_COUNT, offsetof(question, members),
      .text = "members of the dimension, 2 to 128 [8]", .accepted = "2 to 128 members", .low = 2,
      .high = 128 },
    { "rank", "R", OPTION_COUNT, offsetof(question, rank),
      .text = "member whose text is shown, 0 to 127 [0]", .accepted = "a rank, 0 to 127",
      .high = 127 },
    { "wiring", "NAME", OPTION_WORD, offsetof(question, ring),
      .text = "wiring between the members, ring or hub [hub]", .accepted = "ring or hub",
      .names = wirings },
};
static const option_table options = {
    .command = "rtl program",
    .about =
        "usage: acesim rtl program show NAME [OPTIONS]          text of a shipped program\n"
        "       acesim rtl program check NAME|FILE [OPTIONS]    checks a program\n"
        "       acesim rtl program assemble FILE                a line for each word: address, word\n"
        "       acesim rtl program disassemble < WORDS          text of such lines\n\n"
        "Shipped programs:\n" SHIPPED ".\n"
        "cmodel/isa/ace_program.h describes the format.\n\n",
    .tail =
        "\nexample: acesim rtl program show ring > mine.ace; acesim rtl program check mine.ace --members 8\n",
    .least = 1,
    .most = 2,
    .expected = "show, check, assemble or disassemble, and what it is of",
    .group = { OPTION_GROUP(rows) },
};

static int usage(const char *found, const char *expected) {
    char hint[MESSAGE_HINT];

    fprintf(stderr, "acesim rtl program: found '%s', expected %s%s\n", found, expected,
            message_hint_of_text(hint, found, SHIPPED));
    return EXIT_USAGE;
}

static bool is_file(const char *name) { return strchr(name, '/') || strchr(name, '.'); }

static int assemble(const char *file, uint32_t *program) {
    ace_program_error e;
    char *text = program_file(file);
    int err;

    if (!text) return EXIT_USAGE;
    err = ace_program_assemble(text, 1, program, &e);
    if (err != ACE_OK) fprintf(stderr, "acesim: %s:%u:%u: %s\n", file, e.line, e.column, e.message);
    free(text);
    return err == ACE_OK ? EXIT_OK : EXIT_USAGE;
}

static int show_program(const char *file) {
    uint32_t program[ACE_PROGRAM_WORDS] = { 0 };
    const int rc = assemble(file, program);

    for (unsigned i = 0; rc == EXIT_OK && i < ACE_PROGRAM_WORDS; i++)
        if (program[i]) printf("%3u %08x\n", i, program[i]);
    return rc;
}

static int show_text(void) {
    uint32_t program[ACE_PROGRAM_WORDS] = { 0 };
    char line[256], text[16384];

    for (unsigned n = 1; fgets(line, sizeof line, stdin); n++) {
        unsigned at, word;
        char rest;

        if (sscanf(line, "%u %x %c", &at, &word, &rest) != 2 || at >= ACE_PROGRAM_WORDS) {
            fprintf(stderr,
                    "acesim: <stdin>:%u: found '%.*s', expected a place from 0 to %d and a "
                    "word in hex\n",
                    n, (int)strcspn(line, "\n"), line, ACE_PROGRAM_WORDS - 1);
            return EXIT_USAGE;
        }
        program[at] = word;
    }
    ace_program_disassemble(program, 0, text, sizeof text);
    fputs(text, stdout);
    return EXIT_OK;
}

typedef struct group {
    uint32_t program[128][ACE_PROGRAM_WORDS];
} group;

static const uint32_t *program_of(void *self, unsigned member) {
    return ((group *)self)->program[member];
}

static int check(const char *name, unsigned members, bool ring) {
    static const char *const kinds[] = { "", "reduce-scatter", "all-reduce", "all-gather" };
    group *g = calloc(1, sizeof *g);
    int rc = g ? EXIT_OK : EXIT_CHECK;

    for (unsigned i = 0; g && i < members && rc == EXIT_OK; i++) {
        char text[4096];
        ace_program_error e;

        if (is_file(name))
            rc = assemble(name, g->program[i]);
        else if (ace_program_text(name, members, i, text, sizeof text) != ACE_OK ||
                 ace_program_assemble(text, 1, g->program[i], &e) != ACE_OK)
            rc = usage(name, "a shipped program that runs on so many members, or a file");
    }
    for (unsigned kind = ACE_PHASE_REDUCE_SCATTER; g && kind <= ACE_PHASE_ALL_GATHER; kind++)
        for (unsigned odd = 0; odd < 2 && rc != EXIT_USAGE; odd++) {
            char why[200];

            if (!g->program[0][ace_program_entry(kind, 0, odd)]) continue;
            if (ace_program_check(program_of, g, kind, 0, members, ring, odd, why, sizeof why)) {
                printf("%-14s %s chunks: WRONG: %s\n", kinds[kind], odd ? "odd " : "even", why);
                rc = EXIT_CHECK;
                continue;
            }
            printf("%-14s %s chunks: right; member 0 sends %u shards, each 1/%u of a block\n",
                   kinds[kind], odd ? "odd " : "even",
                   ace_program_shards(g->program[0], kind, 0, members, 0, odd), members);
        }
    free(g);
    return rc;
}

int command_program(int argc, char **argv) {
    question q = { .members = 8 };
    int rc;
    char **const given = option_table_read(&options, argc, argv, &q, &rc);

    if (!given) return rc;
    const char *const what = given[0], *const name = given[1];

    if (!strcmp(what, "disassemble") && !name) return show_text();
    if (name && !strcmp(what, "assemble")) return show_program(name);
    if (name && !strcmp(what, "check")) return check(name, (unsigned)q.members, q.ring);
    if (name && !strcmp(what, "show")) {
        char text[4096];

        if (ace_program_text(name, (unsigned)q.members, (unsigned)q.rank, text, sizeof text) !=
            ACE_OK)
            return usage(name, "a shipped program that runs on so many members");
        fputs(text, stdout);
        return EXIT_OK;
    }
    fprintf(stderr, "acesim rtl program: found '%s'%s, expected %s\n", what,
            name ? "" : " and no name", options.expected);
    return EXIT_USAGE;
}
