/* SPDX-License-Identifier: Apache-2.0 */
/* command_lockstep.c -- acesim lockstep: RTL against its C twin under random work */
#include "acesim.h"

int command_lockstep(int argc, char **argv)
{
    (void)argc;
    fprintf(stderr, "acesim %s: not modelled yet\n", argv[0]);
    return EXIT_USAGE;
}
