/* SPDX-License-Identifier: Apache-2.0 */
/* command_alu.c -- acesim alu: hex operand pairs on stdin, hex results on stdout */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "ace_rtl_alu.h"
#include "ace_scale.h"
#include "command.h"
#include "exit_status.h"
#include "message.h"
#include "standard_output.h"
#include "values.h"
#include "yaml_file.h"

enum { MEMBERS_MAX = 128 * 128 * 128 };

static int usage(const char *option, const char *found, const char *expected) {
    char hint[MESSAGE_HINT];

    fprintf(stderr, "acesim alu: --%s: found '%s', expected %s%s\n", option, found, expected,
            message_hint_of_text(hint, found, expected));
    return EXIT_USAGE;
}

/* A hex number of at most `digits` digits, with or without 0x. */
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

/* alu: NULL for the twin. */
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

int command_alu(int argc, char **argv) {
    static const struct option longs[] = {
        { "op", required_argument, NULL, 'o' },   { "type", required_argument, NULL, 't' },
        { "rung", required_argument, NULL, 'r' }, { "members", required_argument, NULL, 'm' },
        { "help", no_argument, NULL, 'h' },       { NULL, 0, NULL, 0 }
    };
    const char *const rungs[] = { "cycle", "rtl", NULL };
    int op = ACE_SUM, type = ACE_FP32, rung = 0, c, rc;
    const char *of = NULL;
    uint64_t members = 2;
    ace_reduction how;
    ace_rtl_alu *alu = NULL;

    optind = 1;
    while ((c = message_getopt(argc, argv, longs)) != -1) {
        switch (c) {
        case 'o':
            if (!parse_op(optarg, &op)) return usage("op", optarg, OPS_ACCEPTED);
            break;
        case 't':
            if (!parse_name(optarg, type_names, &type))
                return usage("type", optarg, TYPES_ACCEPTED);
            break;
        case 'r':
            if (!parse_name(optarg, rungs, &rung)) return usage("rung", optarg, "cycle or rtl");
            break;
        case 'm':
            of = optarg;
            if (!parse_unsigned(of, 1, MEMBERS_MAX, &members))
                return usage("members", of, "1 to 2097152, all nodes there can be");
            break;
        case 'h':
            printf("usage: acesim alu [OPTIONS]\n\n"
                   "Reads pairs of hex operands, a pair a line, and prints the results in hex.\n\n"
                   "  --op OP                     " OPS_ACCEPTED " [sum]\n"
                   "  --type TYPE                 " TYPES_ACCEPTED " [fp32]\n"
                   "  --rung NAME                 cycle or rtl [cycle]\n"
                   "  --members N                 of an average: what the sum is divided by,\n"
                   "                              1 to 2097152 [2]\n"
                   "  --help                      this text\n\n"
                   "example: echo 3f800000 40000000 | acesim alu --type fp32 --rung rtl\n");
            return EXIT_OK;
        default: return EXIT_USAGE;
        }
    }
    if (optind != argc) return usage("help", argv[optind], "options only");
    if (of && op != ACE_AVERAGE) {
        fprintf(stderr,
                "acesim alu: --members: found op '%s', which needs none, expected --op avg\n",
                op_names[op]);
        return EXIT_USAGE;
    }
    how = (ace_reduction){ .type = (uint8_t)type,
                           .op = (uint8_t)op,
                           .scale = (uint64_t)ace_scale_shift(members) << 32 |
                                    ace_scale((ace_type)type, members) };
    if (rung == 1) {
        const ace_alu_in reset = { .rst = true };
        alu = ace_rtl_alu_create(1);
        if (!alu) {
            return message_no_memory();
        }
        ace_rtl_alu_tick(alu, &reset);
    }
    rc = reduce(how, alu);
    ace_rtl_alu_destroy(alu);
    return rc;
}
