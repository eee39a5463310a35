/* SPDX-License-Identifier: Apache-2.0 */
/* main.c -- acesim, and acesim-mpi: one program, a subcommand for each question */
#include <inttypes.h>
#include <string.h>

#include "build_info.h"
#include "command.h"
#include "command_foreign.h"
#include "command_models.h"
#include "digest.h"
#include "exit_status.h"
#include "message.h"
#include "processes.h"
#include "program_digest.h"
#include "standard_output.h"
#include "version.h"

static const struct {
    const char *name;
    int (*run)(int, char **);
    const char *help;
} commands[] = {
    { "collective", command_collective, "one collective on a torus" },
    { "run", command_run, "training iterations of a workload on a cluster" },
    { "astra", command_astra, "Chakra traces, with the flags and files of ASTRA-sim 2.x" },
    { "msccl", command_msccl, "an algorithm of MSCCL or MSCCL++, checked, and run as messages" },
    { "convert", command_convert, "a cluster file from those of ASTRA-sim 2.x, and back" },
    { "workload", command_workload, "the layers of a workload, and what an NPU computes for them" },
    { "model", command_model, "a model by its sizes: parameters, products, FLOPs" },
    { "strategy", command_strategy, "how a model is divided: ranks, their nodes, their messages" },
    { "footprint", command_footprint, "what each stage of a strategy holds in memory" },
    { "pipeline", command_pipeline, "the schedule of a pipeline: lists, makespan, picture" },
    { "train", command_train, "an iteration of a model under a strategy, on a cluster" },
    { "search", command_search, "which strategy divides a model best over a cluster" },
    { "closed-form", command_closed_form, "seven constants against measured iterations" },
    { "measured", command_measured, "measured iterations, predicted from what they are made of" },
    { "npu", command_npu, "kernels timed on an accelerator, against the model of an NPU" },
    { "calibrate", command_calibrate, "the calibrated node of a cluster, and its errors" },
    { "sweep", command_sweep, "a grid of those, each point once, into a database" },
    { "study", command_study, "sweeps with their tables and figures, such as those of the paper" },
    { "report", command_report, "results as one page of HTML" },
    { "explain", command_explain, "what bounded a run, and what would help, tried" },
    { "diff", command_diff, "what differs between two results" },
    { "wave", command_wave, "the waveform of a moment of a recorded run" },
    { "schema", command_schema, "the JSON Schema of a YAML file, for editors that check it" },
    { "lockstep", command_lockstep, "RTL against its C twin under random work" },
    { "rtl", command_rtl, "RTL of other parameters, or edited, built for --rtl" },
    { "program", command_program, "algorithms: their text, their words, whether they are right" },
    { "alu", command_alu, "hex operand pairs on stdin, hex results on stdout" },
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void help(FILE *to) {
    fprintf(to, "usage: acesim COMMAND [OPTIONS]\n\ncommands:\n");
    for (int i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-12s%s\n", commands[i].name, commands[i].help);
    fprintf(to, "\nacesim COMMAND --help says more.\n"
                "example: acesim collective all-reduce --topology 4x4x4 --size 64MiB\n");
}

static void version(void) {
    uint64_t program = FNV1A_START;

    printf("acesim %s\n"
           "commit    %s\n"
           "compiler  %s, %s\n"
           "RTL       %.16s\n",
           acesim_version, build_commit, __VERSION__, build_type, build_rtl);
    if (program_digest(&program)) printf("program   %016" PRIx64 "\n", program);
}

/* Members are dealt out to all processes; anything else is the work of the first. */
static bool divided(int (*run)(int, char **)) {
    return run == command_collective || run == command_run || run == command_astra ||
           run == command_msccl || run == command_train;
}

static int command(int argc, char **argv) {
    const char *names[COMMANDS + 1] = { NULL };
    char hint[MESSAGE_HINT];

    if (argc < 2) {
        help(stderr);
        return EXIT_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        help(stdout);
        return EXIT_OK;
    }
    if (!strcmp(argv[1], "--version")) {
        version();
        return EXIT_OK;
    }
    for (int i = 0; i < COMMANDS; i++)
        if (!strcmp(argv[1], commands[i].name))
            return processes_rank() && !divided(commands[i].run)
                       ? EXIT_OK
                       : commands[i].run(argc - 1, argv + 1);
    fprintf(stderr, "acesim: found command '%s', expected one of", argv[1]);
    for (int i = 0; i < COMMANDS; i++) fprintf(stderr, " %s", names[i] = commands[i].name);
    fprintf(stderr, "%s\n", message_hint(hint, argv[1], names));
    return EXIT_USAGE;
}

int main(int argc, char **argv) {
    int status;

    standard_output_begin();
    processes_start(&argc, &argv);
    status = standard_output_end(command(argc, argv));
    return standard_output_leave(processes_end(status));
}
