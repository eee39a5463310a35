/* SPDX-License-Identifier: Apache-2.0 */
/* main.cc -- runs a bench of tests/icarus/bench.awk, verilated for coverage:  bench OUT.dat */
#include <verilated.h>
#include <verilated_cov.h>

#include "Vbench.h"

int main(int, char **argv) {
    VerilatedContext context;
    Vbench bench(&context);
    while (!context.gotFinish()) {
        bench.eval();
        if (!bench.eventsPending()) break;
        context.time(bench.nextTimeSlot());
    }
    bench.final();
    context.coveragep()->write(argv[1]);
    return 0;
}
