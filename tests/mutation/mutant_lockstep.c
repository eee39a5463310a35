/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mutant_lockstep.c -- the lockstep soak against a node with one planted bug
 *
 *     mutant_lockstep NUMBER CYCLES SEED [WAVE.fst]      NUMBER 0: no bug
 *
 * Exit status: 0 equal, 1 different, a hang or a wrong value; the last line says which, the one
 * before it the first register that differs.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "ace_rtl_node.h"
#include "first_difference.h"
#include "soak.h"

unsigned ace_mutant; /* read by the mutated RTL when it begins */

static int make_rtl(const ace_parameters *p, const ace_config *cfg, uint32_t seed,
                    ace_core **core) {
    return ace_rtl_core_create(p, cfg, true, seed, NULL, core);
}

int main(int argc, char **argv) {
    if (argc != 4 && argc != 5) {
        fputs("mutant_lockstep NUMBER CYCLES SEED [WAVE.fst]\n", stderr);
        return 2;
    }
    ace_mutant = (unsigned)strtoul(argv[1], NULL, 0);
    const char *name; /* set 1 is the only one here */
    soak_work soak = { .faults = true,
                       .cycles = strtoull(argv[2], NULL, 0),
                       .seed = strtoull(argv[3], NULL, 0),
                       .parameters = *ace_rtl_parameters(0, &name),
                       .upsets = true,
                       .make_second = make_rtl };
    const int err = soak_run(&soak);
    if (err) {
        first_difference d;
        (void)first_difference_find(&soak, argc == 5 ? argv[4] : NULL, stdout, &d);
    }
    printf("%" PRIu64 " busy cycles, %s\n", soak.busy_cycles, err ? soak.difference : "equal");
    return err ? 1 : 0;
}
