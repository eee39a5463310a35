/* SPDX-License-Identifier: Apache-2.0 */
/* command_alu.c -- acesim alu: hex operand pairs on stdin, hex results on stdout */
#include <stdlib.h>
#include <string.h>

#include "ace_rtl_alu.h"
#include "ace_scale.h"
#include "command.h"
#include "exit_status.h"
#include "message.h"
#include "option_table.h"
#include "standard_output.h"
#include "values.h"
#include "yaml_file.h"

enum { MEMBERS_MAX = 128 * 128 * 128 };

/* Reads a hex number of at most `digits` digits, with or without 0x. */
static bool hex(const char **p, size_t digits, uint32_t *v) {
    const char *s = *p;
    char word[9];
    size_t n;

    if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) s += 2;
    n = strspn(s, "0123456789abcdefABCDEF");
    if (!n || n > digits || !strchr(" \t\r\n", s[n])) return false;
    memcpy(word, s, n);
    word[n] = 0;
    *v = (uint32_t)strtoul(word, NULL, 16);
    *p = s + n;
    return true;
}

static uint32_t on_rtl(ace_rtl_alu *alu, ace_reduction how, uint32_t a, uint32_t b) {
    ace_alu_in in = { .s_valid = true,
                      .s_type = how.type,
                      .s_op = how.op,
                      .s_scale = how.scale,
                      .s_a = { a },
                      .s_b = { b } };

    for (int i = 0; i < ACE_ALU_LATENCY; i++) {
        ace_rtl_alu_tick(alu, &in);
        in.s_valid = false;
    }
    return ace_rtl_alu_data(alu)[0];
}

/* alu: the RTL model, or NULL for the C twin. */
static int reduce(ace_reduction how, ace_rtl_alu *alu) {
    const unsigned digits = 2 * ace_type_bytes((ace_type)how.type);
    char expected[64], line[256];

    snprintf(expected, sizeof expected, "a hex operand of 1 to %u digits", digits);
    for (size_t n = 1; !standard_output_lost() && fgets(line, sizeof line, stdin); n++) {
        uint32_t operand[2] = { 0 }, result;
        const char *p = line;

        p += strspn(p, " \t\r\n");
        if (!*p) continue;
        for (int i = 0; i < 2; i++) {
            p += strspn(p, " \t");
            if (hex(&p, digits, &operand[i])) continue;
            yaml_error("<stdin>", n, (size_t)(p - line) + 1,
                       *p && *p != '\n' ? "something else" : "the end of the line", expected);
            return EXIT_USAGE;
        }
        p += strspn(p, " \t\r\n");
        if (*p) {
            yaml_error("<stdin>", n, (size_t)(p - line) + 1, "more", "two operands a line");
            return EXIT_USAGE;
        }
        if (alu)
            result = on_rtl(alu, how, operand[0], operand[1]);
        else
            ace_reduce_row(how, &operand[0], &operand[1], &result, 1);
        printf("%0*x\n", (int)digits, result & UINT32_MAX >> (32 - 4 * digits));
    }
    return EXIT_OK;
}

/* ---- the command --------------------------------------------------------------------------- */

typedef struct question {
    int op, type, rung;
    uint64_t members; /* whose average is computed; 0: not given */
} question;

static bool take_op(void *q, unsigned row, const char *value) {
    (void)row;
    return parse_op(value, &((question *)q)->op);
}

static const char *const rungs[] = { "cycle", "rtl", NULL };
static const option_row rows[] = {
    { "op", "OP", OPTION_OWN, 0, .text = OPS_ACCEPTED " [sum]", .accepted = OPS_ACCEPTED,
      .take = take_op },
    { "type", "TYPE", OPTION_WORD, offsetof(question, type), .text = TYPES_ACCEPTED " [fp32]",
      .accepted = TYPES_ACCEPTED, .names = type_names },
    { "rung", "NAME", OPTION_WORD, offsetof(question, rung), .text = "cycle or rtl [cycle]",
      .accepted = "cycle or rtl", .names = rungs },
    { "members", "N", OPTION_COUNT, offsetof(question, members),
      .text = "divisor of an average, 1 to 2097152 [2]",
      .accepted = "1 to 2097152, all nodes there can be", .low = 1, .high = MEMBERS_MAX },
};
static const option_table options = {
    .command = "rtl alu",
    .about = "usage: acesim rtl alu [OPTIONS]\n\n"
             "Reads pairs of hex operands, a pair a line, and prints the results in hex.\n\n",
    .tail = "\nexample: echo 3f800000 40000000 | acesim rtl alu --type fp32 --rung rtl\n",
    .expected = "options only",
    .group = { OPTION_GROUP(rows) },
};

int command_alu(int argc, char **argv) {
    question q = { .op = ACE_SUM, .type = ACE_FP32 };
    ace_reduction how;
    ace_rtl_alu *alu = NULL;
    int rc;

    if (!option_table_read(&options, argc, argv, &q, &rc)) return rc;
    if (q.members && q.op != ACE_AVERAGE) {
        fprintf(stderr,
                "acesim rtl alu: --members: found op '%s', which needs none, expected --op avg\n",
                op_names[q.op]);
        return EXIT_USAGE;
    }
    if (!q.members) q.members = 2;
    how = (ace_reduction){ .type = (uint8_t)q.type,
                           .op = (uint8_t)q.op,
                           .scale = (uint64_t)ace_scale_shift(q.members) << 32 |
                                    ace_scale((ace_type)q.type, q.members) };
    if (q.rung == 1) {
        const ace_alu_in reset = { .rst = true };

        alu = ace_rtl_alu_create(1);
        if (!alu) return message_no_memory();
        ace_rtl_alu_tick(alu, &reset);
    }
    rc = reduce(how, alu);
    ace_rtl_alu_destroy(alu);
    return rc;
}
