/* SPDX-License-Identifier: Apache-2.0 */
/* command_calibrate.c -- acesim calibrate: the calibrated node of a cluster, and its errors */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"
#include "cluster.h"
#include "collective_fit.h"
#include "command.h"
#include "data_path.h"
#include "exit_status.h"
#include "export.h"
#include "figures.h"
#include "iterations.h"
#include "message.h"
#include "names.h"
#include "residuals.h"
#include "run_cost.h"
#include "setup.h"
#include "sweep_file.h"
#include "values.h"

static const char help[] =
    "usage: acesim calibrate CLUSTER.yaml --output FILE [OPTIONS]\n"
    "       acesim calibrate --check FILE [OPTIONS]\n"
    "       acesim calibrate --export FORMAT FILE --output TO [OPTIONS]\n"
    "       acesim calibrate --measured FILE --fabric WORDS [OPTIONS]\n\n"
    "Measures collectives of a cluster on its exact nodes, alone and several at a time, fits the\n"
    "calibrated node to them, and writes it with its errors on others that were not fitted.\n"
    "Stopped, it goes on with the same command.  --rung calibrated --calibration FILE runs with it.\n"
    "--export writes a calibration in the form of another simulator, with the error of that form.\n"
    "--measured fits NCCL's own estimate to three sizes of collectives that others measured, and predicts\n"
    "the other sizes.\n\n"
    "  --output FILE               the calibration; of --export the folder or file that is written\n"
    "  --check FILE                errors of a calibration on a held-out grid of another seed\n"
    "  --export FORMAT             astra-sim-2, astra-sim-1 (folders), loggops or csv (files)\n"
    "  --jobs N                    experiments at a time, 1 to 256 [1]\n"
    "  --rung NAME                 cycle or rtl: where all are measured [cycle]\n"
    "  --seed N                    of the held-out grid [1, with --check 2]\n"
    "  --points N                  experiments of the held-out grid, 4 to 1000 [96]\n"
    "  --quick                     fewer experiments, and none above 16 MiB\n"
    "  --database FILE             what was measured, SQLite [of FILE.sqlite]\n"
    "  --iterations A,B            with --check: training of these workloads too, two iterations of each\n"
    "  --experiment TEXT           with --check: this in place of a grid, kind:bytes:dimensions@cycle of up to\n"
    "                              three joined by +; may be given 16 times\n"
    "  --limit PERCENT             with --check: exit 1 where the mean error of a group is larger\n"
    "  --measured FILE             times of collectives: a CSV, or a log or JSON of nccl-tests or rccl-tests\n"
    "  --fabric WORDS              of --measured, such as 'Switch(8)_Switch(4)': within a node, then between\n"
    "  --collective NAME           of --measured, where the log does not name it; of --export, the kind\n"
    "                              that ASTRA-sim's numbers are fitted to [all-reduce]\n"
    "  --fit-sizes A,B,C           of --measured: the sizes fitted, each the nearest [ends of\n"
    "                              4KiB to 4GiB, and their middle]\n"
    "  --rows                      of --measured: a line for each size, too\n"
    "  --format NAME               table or json\n"
    "  --quiet                     no progress and no cost on standard error\n"
    "  --help                      this text\n"
    "\nexample: acesim calibrate clusters/torus-4x2x2.yaml --output 4x2x2.calibrated --jobs 2\n"
    "         acesim calibrate --export astra-sim-2 4x2x2.calibrated --output 4x2x2.astra\n"
    "         acesim calibrate --measured measured/nccl/nccl_8xa100_sxm40.csv --fabric 'Switch(8)'\n";

enum { GIVEN_MOST = 16 };

typedef struct question {
    calibrate_order order;
    const char *output, *check, *exported;
    collective_question measured; /* file NULL: not asked for */
    const char *of_measured;      /* an option that goes with it alone */
    bool rows, seeded;
    iteration_check iterations[ITERATIONS_MOST];
    char workloads[DATA_PATH], workload[ITERATIONS_MOST][DATA_PATH]; /* their names, their files */
    unsigned iteration_count;
    experiment given[GIVEN_MOST];
    double limit;          /* of a mean error; 0: none */
    int format, to_export; /* to_export: an export_format, or -1 */
    char database[4096];
} question;

static int bad(const char *option, const char *value, const char *expected) {
    fprintf(stderr, "acesim calibrate: --%s: found '%s', expected %s\n", option, value, expected);
    return EXIT_USAGE;
}

/* A fabric's ranks and nodes: the first dimension is within a node, the others are between them. */
static int take_fabric(question *q, const char *value) {
    uint16_t ring[ACE_CLUSTER_DIMENSIONS];
    uint8_t wiring[ACE_CLUSTER_DIMENSIONS];
    collective_fabric *f = &q->measured.fabric;
    const unsigned sizes = parse_topology(value, ring, wiring);

    if (!sizes || ring[0] < 2)
        return bad("fabric", value, "words such as Switch(8) or Switch(8)_Switch(4)");
    f->nodes = 1;
    for (unsigned d = 1; d < sizes; d++) f->nodes *= ring[d];
    f->ranks = ring[0] * f->nodes;
    q->measured.fabric_text = value;
    return EXIT_OK;
}

static int take_sizes(question *q, const char *value) {
    static const char expected[] = "three sizes such as 4KiB,4MiB,4GiB, each above the one before";
    char text[96], *rest = NULL, *word;
    unsigned n = 0;

    if (strlen(value) >= sizeof text) return bad("fit-sizes", value, expected);
    strcpy(text, value);
    for (char *p = text; (word = strtok_r(p, ",", &rest)); p = NULL, n++) {
        uint64_t bytes;

        if (n == FORM_SIZES || !parse_size(word, &bytes) || !bytes)
            return bad("fit-sizes", value, expected);
        q->measured.size[n] = (double)bytes;
        if (n && q->measured.size[n] <= q->measured.size[n - 1])
            return bad("fit-sizes", value, expected);
    }
    return n == FORM_SIZES ? EXIT_OK : bad("fit-sizes", value, expected);
}

static int take_iterations(question *q, const char *value) {
    static const char expected[] =
        "up to 16 workloads such as models/resnet50.yaml,models/dlrm.yaml";
    char *rest = NULL, *word;

    q->iteration_count = 0;
    if (strlen(value) >= sizeof q->workloads) return bad("iterations", value, expected);
    strcpy(q->workloads, value);
    for (char *p = q->workloads; (word = strtok_r(p, ",", &rest)); p = NULL) {
        const unsigned at = q->iteration_count++;

        if (at == ITERATIONS_MOST) return bad("iterations", value, expected);
        if (!data_path_find(word, q->workload[at])) return EXIT_USAGE;
        q->iterations[at] = (iteration_check){ .name = word, .file = q->workload[at] };
    }
    return q->iteration_count ? EXIT_OK : bad("iterations", value, expected);
}

static int take_experiment(question *q, const char *value) {
    if (q->order.given_count == GIVEN_MOST)
        return bad("experiment", value, "16 of them at the most");
    if (!experiment_parse(value, &q->given[q->order.given_count]))
        return bad("experiment", value,
                   "collectives such as all-reduce:1048576:xy@0+all-to-all:65536:x@500");
    q->order.given = q->given;
    q->order.given_count++;
    return EXIT_OK;
}

/* Options of --measured. */
static int take_measured(question *q, int c, const char *value) {
    switch (c) {
    case 'm': q->measured.file = value; break;
    case 'F': return take_fabric(q, value);
    case 'S': q->of_measured = "fit-sizes"; return take_sizes(q, value);
    case 'R':
        q->of_measured = "rows";
        q->rows = true;
        break;
    case 'C':
        if (!parse_name(value, kind_names, &q->measured.kind))
            return bad("collective", value, "all-reduce, broadcast or another that was measured");
        break;
    default: return EXIT_USAGE;
    }
    return EXIT_OK;
}

static int take(question *q, int c, const char *value) {
    uint64_t v = 0;
    char *end;

    switch (c) {
    case 'o': q->output = value; break;
    case 'c': q->check = value; break;
    case 'd': q->order.database = value; break;
    case 'q': q->order.quick = true; break;
    case 'x':
        if (!parse_name(value, export_names, &q->to_export))
            return bad("export", value, "astra-sim-2, astra-sim-1, loggops or csv");
        break;
    case 'Q': q->order.quiet = true; break;
    case 'j':
        if (!parse_unsigned(value, 1, SWEEP_JOBS, &v)) return bad("jobs", value, "1 to 256");
        q->order.jobs = (unsigned)v;
        break;
    case 'r':
        if (strcmp(value, "cycle") && strcmp(value, "rtl"))
            return bad("rung", value, "cycle or rtl");
        q->order.rung = value;
        break;
    case 's':
        if (!parse_unsigned(value, 0, UINT32_MAX, &q->order.seed))
            return bad("seed", value, "0 to 4294967295");
        q->seeded = true;
        break;
    case 'p':
        if (!parse_unsigned(value, 4, 1000, &v)) return bad("points", value, "4 to 1000");
        q->order.held_out = (unsigned)v;
        break;
    case 'l':
        q->limit = strtod(value, &end);
        if (end == value || *end || !(q->limit > 0 && q->limit < 1000))
            return bad("limit", value, "a number above 0, below 1000");
        break;
    case 'i': return take_iterations(q, value);
    case 'e': return take_experiment(q, value);
    case 'f':
        if (!parse_name(value, format_names, &q->format) || q->format == FORMAT_CSV)
            return bad("format", value, "table or json");
        break;
    default: return take_measured(q, c, value);
    }
    return EXIT_OK;
}

/* What is asked, and whether all that belongs to it is there, and nothing else. */
static int settle(question *q, int argc, char **argv) {
    const bool measured = q->measured.file != NULL, exported = q->to_export >= 0;
    const bool made = !exported && q->output != NULL;

    if (!measured && (q->of_measured || q->measured.fabric_text))
        return bad(q->of_measured ? q->of_measured : "fabric", "no --measured", "it beside this");
    if (!measured && !exported && q->measured.kind >= 0)
        return bad("collective", kind_names[q->measured.kind], "--measured or --export beside it");
    if (exported && q->measured.kind >= 0 && !export_has((ace_kind)q->measured.kind))
        return bad("collective", kind_names[q->measured.kind],
                   "all-reduce, reduce-scatter, all-gather or all-to-all");
    if (measured && !q->measured.fabric_text)
        return bad("measured", q->measured.file, "--fabric WORDS beside it");
    if (exported && !q->output)
        return bad("export", export_names[q->to_export], "--output TO beside it");
    if ((measured || exported) && q->order.database)
        return bad("database", q->order.database, "a calibration that is made or checked");
    if (!!q->check + made + measured + exported != 1 || argc - optind != (made || exported)) {
        fprintf(stderr,
                "acesim calibrate: found %d arguments%s%s%s%s, expected CLUSTER.yaml and "
                "--output FILE, or --check FILE, or --export FORMAT FILE, or --measured FILE\n",
                argc - optind, q->output ? " and --output" : "", q->check ? " and --check" : "",
                exported ? " and --export" : "", measured ? " and --measured" : "");
        return EXIT_USAGE;
    }
    if (q->iteration_count && !q->check)
        return bad("iterations", q->iterations[0].name, "--check FILE beside it");
    if (q->order.given && (!q->check || q->seeded))
        return bad("experiment", "one", "--check FILE beside it, and no --seed");
    if (made) q->order.cluster = q->order.name = argv[optind];
    if (exported) q->exported = argv[optind];
    if (q->check && !q->seeded) q->order.seed = 2;
    if (!q->order.database) {
        snprintf(q->database, sizeof q->database, "%s.sqlite", q->check ? q->check : q->output);
        q->order.database = q->database;
    }
    return EXIT_OK;
}

static int read_options(int argc, char **argv, question *q, bool *helped) {
    static const struct option longs[] = { { "output", required_argument, NULL, 'o' },
                                           { "check", required_argument, NULL, 'c' },
                                           { "jobs", required_argument, NULL, 'j' },
                                           { "rung", required_argument, NULL, 'r' },
                                           { "seed", required_argument, NULL, 's' },
                                           { "points", required_argument, NULL, 'p' },
                                           { "quick", no_argument, NULL, 'q' },
                                           { "database", required_argument, NULL, 'd' },
                                           { "limit", required_argument, NULL, 'l' },
                                           { "iterations", required_argument, NULL, 'i' },
                                           { "experiment", required_argument, NULL, 'e' },
                                           { "export", required_argument, NULL, 'x' },
                                           { "measured", required_argument, NULL, 'm' },
                                           { "fabric", required_argument, NULL, 'F' },
                                           { "collective", required_argument, NULL, 'C' },
                                           { "fit-sizes", required_argument, NULL, 'S' },
                                           { "rows", no_argument, NULL, 'R' },
                                           { "format", required_argument, NULL, 'f' },
                                           { "quiet", no_argument, NULL, 'Q' },
                                           { "help", no_argument, NULL, 'h' },
                                           { 0 } };
    int c;

    *q = (question){ .order = { .jobs = 1, .rung = "cycle", .held_out = 96, .seed = 1 },
                     .to_export = -1,
                     .measured = { .kind = -1 } };
    optind = 1;
    while ((c = message_getopt(argc, argv, longs)) != -1) {
        if (c == 'h') {
            fputs(help, stdout);
            *helped = true;
            return EXIT_OK;
        }
        const int rc = take(q, c, optarg);
        if (rc != EXIT_OK) return rc;
    }
    return settle(q, argc, argv);
}

/* The group whose mean error is above the limit. */
static int compare(const question *q, const cJSON *object) {
    const cJSON *g;
    int rc = EXIT_OK;

    cJSON_ArrayForEach(g, cJSON_GetObjectItemCaseSensitive(object, "groups")) {
        const double mean = 100 * cJSON_GetObjectItemCaseSensitive(g, "mean")->valuedouble;

        if (!(q->limit > 0) || mean <= q->limit) continue;
        fprintf(stderr,
                "acesim calibrate: %s: found a mean error of %.2f %%, expected at most %g %%\n",
                cJSON_GetObjectItemCaseSensitive(g, "group")->valuestring, mean, q->limit);
        rc = EXIT_CHECK;
    }
    return rc;
}

static int print_json(const cJSON *object) {
    char *text = json_text(object, true);

    if (!text) return message_no_memory();
    printf("%s\n", text);
    cJSON_free(text);
    return EXIT_OK;
}

/* set: whose intervals are looked at, or NULL. */
static int print(const question *q, const calibration *c, const calibration *set) {
    cJSON *object = residuals_object(c, set);

    if (!object) return message_no_memory();
    if (set && !q->order.given) residuals_add_coverage(object, set, c);
    if (q->iteration_count) residuals_add_iterations(object, q->iterations, q->iteration_count);
    if (q->format == FORMAT_JSON) {
        cJSON_AddStringToObject(object, "cluster", c->cluster);
        cJSON_AddStringToObject(object, "cluster_digest", c->cluster_digest);
        cJSON_AddStringToObject(object, "program", c->program);
        cJSON_AddStringToObject(object, "rtl", c->rtl);
        cJSON_AddNumberToObject(object, "seed", c->seed);
        cJSON_AddNumberToObject(object, "fitted_experiments", c->points);
        (void)print_json(object);
    } else if (q->order.given) {
        residuals_print_points(object);
    } else {
        printf("%s: %.0f experiments fitted, seed %.0f of those held out\n", c->cluster, c->points,
               c->seed);
        residuals_print(object);
    }
    const int rc = compare(q, object);
    cJSON_Delete(object);
    return rc;
}

static int answer_measured(const question *q) {
    collective_question m = q->measured;
    char file[DATA_PATH];
    cJSON *object = NULL;

    if (!data_path_find(m.file, file)) return EXIT_USAGE;
    m.file = file;
    int rc = collective_fit(&m, &object);
    if (rc != EXIT_OK) return rc;
    cJSON_ReplaceItemInObjectCaseSensitive(object, "measured",
                                           cJSON_CreateString(q->measured.file));
    if (q->format == FORMAT_JSON)
        rc = print_json(object);
    else
        collective_fit_print(object, q->rows);
    cJSON_Delete(object);
    return rc;
}

static int answer_export(const question *q) {
    const ace_kind kind = q->measured.kind < 0 ? ACE_ALL_REDUCE : (ace_kind)q->measured.kind;
    calibration c;
    export_fit e;
    int rc = calibration_read(q->exported, &c);

    if (rc == EXIT_OK) rc = calibrate_match(q->exported, &c);
    if (rc == EXIT_OK) rc = export_make(&c, q->exported, (export_format)q->to_export, kind, &e);
    if (rc == EXIT_OK) rc = export_write(&e, q->output);
    cJSON *object = rc == EXIT_OK ? export_object(&e) : NULL;
    if (object && q->format == FORMAT_JSON)
        rc = print_json(object);
    else if (object)
        export_print(object);
    cJSON_Delete(object);
    calibration_free(&c);
    return rc;
}

static int answer(question *q) {
    calibration c, set = { 0 };
    int rc;

    if (q->output) {
        rc = calibrate(&q->order, &c);
        if (rc == EXIT_OK) rc = calibration_write(q->output, &c);
    } else {
        rc = calibration_read(q->check, &c);
        if (rc == EXIT_OK) rc = calibrate_match(q->check, &c);
        q->order.cluster = c.cluster_file;
        q->order.name = c.cluster;
        q->order.rung = c.rung;
        q->order.quick = c.bytes[1] < 1 << 30; /* the range that it was made for */
        if (rc == EXIT_OK && q->seeded && (double)q->order.seed == c.seed) {
            char seed[24];

            snprintf(seed, sizeof seed, "%.0f", c.seed);
            rc = bad("seed", seed, "another one: the file has the errors on this grid");
        }
        if (rc == EXIT_OK) rc = calibration_read(q->check, &set);
        if (rc == EXIT_OK) rc = calibrate_check(&q->order, &c);
        if (rc == EXIT_OK && q->iteration_count)
            rc = iterations_run(&q->order, q->check, command_point, q->iterations,
                                q->iteration_count);
    }
    if (rc == EXIT_OK) rc = print(q, &c, q->check ? &set : NULL);
    calibration_free(&set);
    calibration_free(&c);
    return rc;
}

int command_calibrate(int argc, char **argv) {
    const double start = run_cost_start();
    bool helped = false;
    question q;
    int rc = read_options(argc, argv, &q, &helped);

    if (rc != EXIT_OK || helped) return rc;
    if (q.measured.file) return answer_measured(&q);
    if (q.exported) return answer_export(&q);
    rc = answer(&q);
    if (!q.order.quiet) run_cost_print(start);
    return rc;
}
