/* SPDX-License-Identifier: Apache-2.0 */
/* main.c -- acesim, and acesim-mpi: finds the command that the first arguments name, and runs it */
#include <inttypes.h>
#include <string.h>

#include "build_info.h"
#include "cluster_file.h"
#include "command.h"
#include "command_plan.h"
#include "digest.h"
#include "exit_status.h"
#include "message.h"
#include "processes.h"
#include "program_digest.h"
#include "result_members.h"
#include "standard_output.h"

typedef struct command {
    const char *name,
        /* acesim NAME, or acesim NAME VIEW; a view is also a command of its own, acesim VIEW */
        *view;
    int (*run)(int, char **);
    const char *text;
} command;

/* A task of the user, and the commands for it. */
typedef struct subject {
    const char *title;
    struct {
        const char *name, *text;
    } at[6];
} subject;
static const subject subjects[] = {
    { "run it",
      { { "collective", "one collective on any topology" },
        { "run", "training iterations of a workload on a cluster" },
        { "train", "an iteration of a model under a strategy, on a cluster" },
        { "astra", "Chakra traces, with the flags and files of ASTRA-sim 2.x" },
        { "msccl", "an algorithm of MSCCL or MSCCL++, checked, and run as messages" } } },
    { "choose before running",
      { { "plan", "a model and its division before a run: five subcommands" },
        { "search", "which strategy divides a model best over a cluster" },
        { "study", "a sweep or a study: tables and figures, such as those of the paper" } } },
    { "understand a result",
      { { "explain", "what bounded a run, and which changes help" },
        { "report", "results as one page of HTML" },
        { "diff", "what differs between two results" },
        { "wave", "the waveform of a moment of a recorded run" } } },
    { "compare with measurements",
      { { "calibrate", "fit a fast approximate node to a cluster, and measure its error" },
        { "fit", "measured iterations and kernels, against the models: three subcommands" } } },
    { "exchange files",
      { { "convert", "a cluster file from the files of ASTRA-sim 2.x, and back" } } },
    { "work on the hardware",
      { { "rtl", "your own RTL, and RTL against its C twin: six subcommands" } } },
};
enum {
    SUBJECTS = sizeof subjects / sizeof *subjects,
    LISTED = sizeof subjects->at / sizeof *subjects->at
};

static const command commands[] = {
    { "collective", NULL, command_collective, NULL },
    { "run", NULL, command_run, NULL },
    { "train", NULL, command_train, NULL },
    { "astra", NULL, command_astra, NULL },
    { "msccl", NULL, command_msccl, NULL },
    { "plan", "model", command_model, "a model by its sizes: parameters, products, FLOPs" },
    { "plan", "workload", command_workload,
      "the layers of a workload, and what an NPU computes for them" },
    { "plan", "strategy", command_strategy,
      "how a model is divided: ranks, their nodes, their messages" },
    { "plan", "footprint", command_footprint, "what each stage of a strategy holds in memory" },
    { "plan", "pipeline", command_pipeline,
      "the schedule of a pipeline: lists, makespan, picture" },
    { "search", NULL, command_search, NULL },
    { "study", NULL, command_study, NULL },
    { "study", "sweep", command_sweep, "a grid of runs, each point once, into a database" },
    { "explain", NULL, command_explain, NULL },
    { "report", NULL, command_report, NULL },
    { "diff", NULL, command_diff, NULL },
    { "wave", NULL, command_wave, NULL },
    { "calibrate", NULL, command_calibrate, NULL },
    { "fit", "measured", command_measured, "measured iterations, predicted from their parts" },
    { "fit", "closed-form", command_closed_form, "seven constants against measured iterations" },
    { "fit", "npu", command_npu, "kernels timed on an accelerator, against the model of an NPU" },
    { "convert", NULL, command_convert, NULL },
    { "rtl", NULL, command_rtl, NULL },
    { "rtl", "lockstep", command_lockstep, "RTL against its C twin under random work" },
    { "rtl", "program", command_program, "algorithms: their text, their binary, and a check" },
    { "rtl", "alu", command_alu, "hex operand pairs on stdin, hex results on stdout" },
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* The kinds of file that `acesim COMMAND --schema KIND` describes. */
static const struct {
    const char *name, *kind;
} schemas[] = {
    { "run", "cluster" }, { "run", "accelerator" }, { "run", "workload" },
    { "plan", "model" },  { "study", "sweep" },     { "study", "study" },
};
enum { SCHEMAS = sizeof schemas / sizeof *schemas };

/* ---- help ---------------------------------------------------------------------------------- */

static void help(FILE *to) {
    fprintf(to, "usage: acesim COMMAND [OPTIONS]\n");
    for (int s = 0; s < SUBJECTS; s++) {
        fprintf(to, "\n%s:\n", subjects[s].title);
        for (int i = 0; i < LISTED && subjects[s].at[i].name; i++)
            fprintf(to, "  %-12s%s\n", subjects[s].at[i].name, subjects[s].at[i].text);
    }
    fprintf(to, "\nacesim COMMAND --help        the options of a command\n"
                "acesim help commands         all commands and subcommands, such as plan model\n"
                "acesim help members COMMAND  the members of its result in JSON\n"
                "acesim help cluster [KEY]    the keys and units of a cluster file\n\n"
                "example: acesim collective all-reduce --topology 4x4x4 --size 64MiB\n");
}

static const char *text_of(const char *name) {
    for (int s = 0; s < SUBJECTS; s++)
        for (int i = 0; i < LISTED && subjects[s].at[i].name; i++)
            if (!strcmp(subjects[s].at[i].name, name)) return subjects[s].at[i].text;
    return "";
}

/* Prints a line for each command and view, or for those with one name. */
static void list(const char *name) {
    for (int i = 0; i < COMMANDS; i++) {
        const command *c = &commands[i];
        char both[40];

        if (name && strcmp(name, c->name)) continue;
        snprintf(both, sizeof both, "%s%s%s", c->name, c->view ? " " : "", c->view ? c->view : "");
        printf("  %-18s%s\n", both, c->view ? c->text : text_of(c->name));
    }
}

static void help_of_views(const char *name) {
    printf("usage: acesim %s VIEW [OPTIONS]\n\n", name);
    list(name);
    printf("\nacesim %s VIEW --help describes a view.\n", name);
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

/* ---- which command ------------------------------------------------------------------------- */

/* Returns true if all processes share the simulation. All other commands run on the first
 * process. */
static bool divided(int (*run)(int, char **)) {
    return run == command_collective || run == command_run || run == command_astra ||
           run == command_msccl || run == command_train;
}

static int start(const command *c, int argc, char **argv) {
    return processes_rank() && !divided(c->run) ? EXIT_OK : c->run(argc, argv);
}

static bool is_help(const char *word) { return !strcmp(word, "--help") || !strcmp(word, "-h"); }

/* Returns the command, or NULL if there is none. view: NULL, or a word that may be a view. */
static const command *find(const char *name, const char *view) {
    for (int i = 0; i < COMMANDS; i++) {
        const command *c = &commands[i];

        if (!strcmp(c->name, name) && (view ? c->view && !strcmp(c->view, view) : !c->view))
            return c;
    }
    return NULL;
}

/* Finds a view by the name of the former command. */
static const command *find_view(const char *word) {
    for (int i = 0; i < COMMANDS; i++)
        if (commands[i].view && !strcmp(commands[i].view, word)) return &commands[i];
    return NULL;
}

static bool has_views(const char *name) {
    for (int i = 0; i < COMMANDS; i++)
        if (commands[i].view && !strcmp(commands[i].name, name)) return true;
    return false;
}

/* Subjects of acesim help that are no commands. */
static const char *const topics[] = { "cluster", "commands", "members" };
enum { TOPICS = sizeof topics / sizeof *topics };

/* of_help: the word is a subject of acesim help. */
static int refuse(const char *found, bool of_help) {
    const char *names[2 * COMMANDS + TOPICS + 1] = { NULL };
    char hint[MESSAGE_HINT];
    int n = 0;

    for (int i = 0; of_help && i < TOPICS; i++) names[n++] = topics[i];
    for (int i = 0; i < COMMANDS; i++) {
        names[n++] = commands[i].name;
        if (commands[i].view) names[n++] = commands[i].view;
    }
    if (of_help)
        fprintf(
            stderr,
            "acesim help: found '%s', expected a command of acesim --help, or cluster (the keys "
            "of cluster files), members (of results in JSON) or commands%s\n",
            found, message_hint(hint, found, names));
    else
        fprintf(stderr, "acesim: found command '%s', expected one of acesim --help%s\n", found,
                message_hint(hint, found, names));
    return EXIT_USAGE;
}

/* Runs acesim NAME --schema [KIND]. KIND may be omitted if the command reads only one kind of
 * file. */
static int schema(const char *name, int argc, char **argv) {
    const char *kind = argc > 3 ? argv[3] : NULL;
    int kinds = 0;

    for (int i = 0; i < SCHEMAS; i++) {
        if (strcmp(schemas[i].name, name)) continue;
        kinds++;
        if (argc == 4 && !strcmp(schemas[i].kind, kind)) return command_schema(2, argv + 2);
    }
    fprintf(stderr, "acesim %s: --schema: found '%s', expected", name, kind ? kind : "nothing");
    for (int i = 0; i < SCHEMAS; i++)
        if (!kinds || !strcmp(schemas[i].name, name))
            fprintf(stderr, " %s%s%s", kinds ? "" : schemas[i].name, kinds ? "" : " --schema ",
                    schemas[i].kind);
    fprintf(stderr, "\n");
    return EXIT_USAGE;
}

/* Runs acesim help members [COMMAND], which describes results in JSON. */
static int help_of_members(const char *name) {
    if (result_members_print(name)) return EXIT_OK;
    fprintf(stderr, "acesim help members: found '%s', expected a command with a result\n", name);
    return EXIT_USAGE;
}

/* Runs acesim help cluster [KEY|--markdown]. */
static int help_of_cluster(const char *key) {
    if (key && !strcmp(key, "--markdown")) {
        cluster_help_markdown();
        return EXIT_OK;
    }
    if (cluster_help_print(key)) return EXIT_OK;
    fprintf(stderr,
            "acesim help cluster: found '%s', expected a key, or the first part of one, such as "
            "links\n",
            key);
    return EXIT_USAGE;
}

/* Runs acesim help, and acesim help COMMAND [VIEW]. */
static int help_of(int argc, char **argv) {
    const char *const name = argc > 2 ? argv[2] : NULL, *const view = argc > 3 ? argv[3] : NULL;
    char *arguments[] = { NULL, (char[]){ "--help" }, NULL };
    const command *c;

    if (!name) {
        help(stdout);
        return EXIT_OK;
    }
    if (!strcmp(name, "commands")) {
        list(NULL);
        return EXIT_OK;
    }
    if (!strcmp(name, "cluster")) return help_of_cluster(view);
    if (!strcmp(name, "members")) return help_of_members(view);
    c = find(name, view);
    if (!c) c = find_view(name);
    if (!c && has_views(name)) {
        help_of_views(name);
        return EXIT_OK;
    }
    if (!c) return refuse(name, true);
    arguments[0] = argv[view ? 3 : 2];
    return start(c, 2, arguments);
}

static int run(int argc, char **argv) {
    const command *c;

    if (argc < 2) {
        help(stderr);
        return EXIT_USAGE;
    }
    if (is_help(argv[1]) || !strcmp(argv[1], "help")) return help_of(argc, argv);
    if (!strcmp(argv[1], "--version")) {
        version();
        return EXIT_OK;
    }
    if (argc > 2 && !strcmp(argv[2], "--schema")) return schema(argv[1], argc, argv);
    c = argc > 2 ? find(argv[1], argv[2]) : NULL;
    if (c) return start(c, argc - 2, argv + 2);
    c = find(argv[1], NULL);
    if (!c) c = find_view(argv[1]);
    if (c) return start(c, argc - 1, argv + 1);
    if (!strcmp(argv[1], "schema")) return command_schema(argc - 1, argv + 1);
    if (!has_views(argv[1])) return refuse(argv[1], false);
    if (argc > 2 && !strcmp(argv[1], "fit") && strchr(argv[2], '.'))
        return command_measured(argc - 1, argv + 1); /* the argument is a file of rows */
    if (argc > 2 && !is_help(argv[2])) {
        fprintf(stderr,
                "acesim %s: found '%s', expected one of its subcommands, acesim %s --help\n",
                argv[1], argv[2], argv[1]);
        return EXIT_USAGE;
    }
    help_of_views(argv[1]);
    return argc > 2 ? EXIT_OK : EXIT_USAGE;
}

int main(int argc, char **argv) {
    int status;

    standard_output_begin();
    processes_start(&argc, &argv);
    status = standard_output_end(run(argc, argv));
    return standard_output_leave(processes_end(status));
}
