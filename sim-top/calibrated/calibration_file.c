/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calibration_file.c -- writes and reads the YAML file of a calibration
 *
 * Parameters are written from the list in flow_parameters.c, with units and comments. The
 * cluster's text is kept in the file and becomes a temporary file when it is needed. The error of
 * a size is taken from the eight nearest held-out sizes.
 */
#include "calibration_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_file.h"
#include "exit_status.h"
#include "message.h"
#include "values.h"
#include "yaml_file.h"

enum { NEAREST = 8 };

static const char header[] =
    "# The calibrated node of a cluster, made by acesim calibrate; --rung calibrated --calibration FILE\n"
    "# runs with it, acesim calibrate --check FILE looks at its errors.\n"
    "#\n"
    "# Form: a chunk goes through its phases as through pipelined servers, admitted where the scratchpad\n"
    "# and the contexts have room, as the scheduler has it.  On a link a phase has work and the most of the\n"
    "# link that it can use, so several chunks wait for each other as they do in the engine.  A curve of time\n"
    "# over size would say nothing of two collectives at a time, nor of nodes that are not alike; here both\n"
    "# follow from who waits for what, and no pair of collectives has a number of its own.\n"
    "# See docs/design/calibrated.md.\n";

/* ---- writing ----------------------------------------------------------------------------- */

static void write_parameters(FILE *to, const calibration *c) {
    const double *value = (const double *)&c->flow;

    fprintf(to, "\nparameters:\n");
    for (unsigned i = 0; i < flow_parameter_count; i++) {
        const flow_parameter *f = &flow_parameter_list[i];

        fprintf(to, "  # %s (%s): %s.  Decided by: %s.\n  %s: ", f->name, f->unit, f->text,
                f->fitted_on, f->name);
        if (f->count == 1)
            fprintf(to, "%.10g\n", value[f->at]);
        else
            for (unsigned k = 0; k < c->dimensions; k++)
                fprintf(to, "%s%.10g%s", k ? ", " : "[", value[f->at + k],
                        k + 1 < c->dimensions ? "" : "]");
        if (f->count == 1) continue;
        for (unsigned k = 0; k < c->dimensions; k++)
            fprintf(to, "%s%c", k ? ", " : "    # ", ACE_DIMENSION_LETTERS[k]);
        fprintf(to, "\n");
    }
}

/* Writes the cluster's text as a block of lines. */
static void write_cluster(FILE *to, const calibration *c) {
    fprintf(to, "cluster: '%s'    # a name; what it said is below\ncluster_text: |\n", c->cluster);
    for (const char *line = c->cluster_text; *line;) {
        const size_t length = strcspn(line, "\n");

        fprintf(to, "  %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static void write_beyond(FILE *to, const calibration *c) {
    if (!c->beyond.dimensions) return;
    fprintf(
        to,
        "# Measured on smaller clusters with its dimensions, as engines can be no larger ones, and held out\n"
        "# on the largest: so many dimensions together, and of each so many members.\n"
        "measured_dimensions: %u\nmeasured_members: ",
        c->beyond.dimensions);
    for (unsigned d = 0; d < c->dimensions; d++)
        fprintf(to, "%s%u", d ? ", " : "[", c->beyond.members[d]);
    fprintf(to, "]\n");
}

int calibration_write(const char *file, const calibration *c) {
    char memory[2][REAL_TEXT];
    atomic_file f;
    int rc = atomic_file_open(&f, file);

    if (rc != EXIT_OK) return rc;
    fprintf(f.to, "%s\n", header);
    write_cluster(f.to, c);
    fprintf(f.to, "cluster_digest: '%s'\nprogram: '%s'\nrtl: '%s'\n", c->cluster_digest, c->program,
            c->rtl);
    fprintf(f.to,
            "rung: %s    # the measurements'\n"
            "points: %.0f    # experiments that were fitted\n"
            "rtl_points: %.0f    # of these, measured on the rung rtl, too, and equal\n"
            "seed: %.0f    # of the held-out grid\n"
            "bytes: [%.0f, %.0f]    # of a collective: the least and the most measured\n"
            "chunk_bytes: [%.0f, %.0f]\n"
            "memory_GBps: [%s, %s]\n"
            "at_once: %.0f    # collectives, at most\n",
            c->rung, c->points, c->rtl_points, c->seed, c->bytes[0], c->bytes[1], c->chunk_bytes[0],
            c->chunk_bytes[1], real_text(c->memory_GBps[0], memory[0]),
            real_text(c->memory_GBps[1], memory[1]), c->at_once);
    write_beyond(f.to, c);
    write_parameters(f.to, c);
    fprintf(f.to, "\n# Never fitted: experiment | which of its collectives | cycles measured | "
                  "predicted | at least | at most\nheld_out:\n");
    for (unsigned i = 0; i < c->held_count; i++) {
        const held_out *h = &c->held[i];

        fprintf(f.to, "  - '%s | %u | %.0f | %.0f | %.0f | %.0f'\n", h->text, h->work, h->measured,
                h->predicted, h->low, h->high);
    }
    return atomic_file_close(&f);
}

/* ---- reading ----------------------------------------------------------------------------- */

static bool read_text(void *to, const char *s) {
    if (strlen(s) >= CALIBRATION_TEXT) return false;
    memcpy(to, s, strlen(s) + 1);
    return true;
}
static bool read_cluster(void *to, const char *s) {
    char **text = to;

    free(*text);
    *text = strdup(s);
    return *text != NULL;
}
static bool read_digest(void *to, const char *s) {
    if (strlen(s) >= CALIBRATION_DIGEST) return false;
    memcpy(to, s, strlen(s) + 1);
    return true;
}
static bool read_rung(void *to, const char *s) {
    if (strcmp(s, "cycle") && strcmp(s, "rtl")) return false;
    memcpy(to, s, strlen(s) + 1);
    return true;
}
static bool number(const char *s, double *v) {
    char *end;

    *v = strtod(s, &end);
    return end != s && !*end && *v >= 0 && *v < 1e15;
}
static bool read_number(void *to, const char *s) { return number(s, to); }

static bool read_beyond_dimensions(void *to, const char *s) {
    double v;

    if (!number(s, &v) || v < 1 || v > ACE_CLUSTER_DIMENSIONS) return false;
    *(unsigned *)to = (unsigned)v;
    return true;
}

static bool read_beyond_members(void *self, const yaml_item *item) {
    unsigned *members = self;
    double v;

    if (item->index >= ACE_CLUSTER_DIMENSIONS || !number(item->value, &v) || v < 1 ||
        v > ACE_CLUSTER_MEMBERS)
        return false;
    members[item->index] = (unsigned)v;
    return true;
}

static bool read_range(void *self, const yaml_item *item) {
    double *range = self;

    return item->index < 2 && number(item->value, &range[item->index]);
}

typedef struct reading {
    const char *file;
    calibration *c;
    unsigned seen; /* number of parameter values read */
} reading;

static bool take_parameter(void *self, const yaml_item *item) {
    reading *r = self;
    double *value = (double *)&r->c->flow;

    for (unsigned i = 0; i < flow_parameter_count; i++) {
        const flow_parameter *p = &flow_parameter_list[i];
        char expected[120];

        if (strcmp(p->name, item->key)) continue;
        snprintf(expected, sizeof expected, "%u numbers%s from %g to %g",
                 p->count > 1 ? ACE_DIMENSIONS : 1,
                 p->count > 1 ? ", or one more for each dimension," : "", p->least, p->most);
        if (item->index < p->count && number(item->value, &value[p->at + item->index]) &&
            value[p->at + item->index] >= p->least && value[p->at + item->index] <= p->most) {
            r->seen++;
            if (p->count > 1 && item->index >= r->c->dimensions)
                r->c->dimensions = (unsigned)item->index + 1;
            return true;
        }
        yaml_error(r->file, item->line, item->column, item->value, expected);
        return false;
    }
    yaml_error(r->file, item->key_line, item->key_column, item->key, "a parameter of the form");
    return false;
}

/* Parses a line such as "all-reduce:4096:xyz@0+all-to-all:512:xy@10 chunk=16384 | 1 | 5000 | 5010 |
 * 4990 | 6020". */
static bool parse_held(const char *text, held_out *h) {
    const char *bar = strstr(text, " | "), *at = text;
    char line[CALIBRATION_TEXT];

    *h = (held_out){ .works = 1 };
    if (!bar || bar - text >= CALIBRATION_TEXT ||
        sscanf(bar, " | %u | %lf | %lf | %lf | %lf", &h->work, &h->measured, &h->predicted, &h->low,
               &h->high) != 5 ||
        !(h->measured > 0 && h->low > 0 && h->low <= h->predicted && h->predicted <= h->high))
        return false;
    memcpy(h->text, text, (size_t)(bar - text));
    memcpy(line, h->text, sizeof line);
    line[strcspn(line, " ")] = '\0';
    for (const char *p = line; (p = strchr(p, '+')); p++) h->works++;
    at = line;
    for (unsigned i = 0; i < h->work; i++) {
        at = strchr(at, '+');
        if (!at) return false;
        at++;
    }
    return sscanf(at, "%31[a-z-]:%lf:", h->kind, &h->bytes) == 2;
}

bool calibration_hold(calibration *c, const held_out *h) {
    held_out *to = c->held;

    if (!(c->held_count & (c->held_count - 1))) {
        to = realloc(c->held, (c->held_count ? 2 * c->held_count : 1) * sizeof *to);
        if (!to) return false;
        c->held = to;
    }
    to[c->held_count++] = *h;
    return true;
}

static bool take_held(void *self, const yaml_item *item) {
    reading *r = self;
    held_out h;

    if (!parse_held(item->value, &h)) {
        yaml_error(r->file, item->line, item->column, item->value,
                   "experiment | number | cycles measured | predicted | at least | at most");
        return false;
    }
    if (calibration_hold(r->c, &h)) return true;
    (void)message_no_memory();
    return false;
}

/* Returns the number of values of all parameters, for so many dimensions. */
static unsigned values_of(unsigned dimensions) {
    unsigned values = 0;

    for (unsigned i = 0; i < flow_parameter_count; i++)
        values += flow_parameter_list[i].count > 1 ? dimensions : 1;
    return values;
}

int calibration_read(const char *file, calibration *c) {
    reading r = { .file = file, .c = c };
    yaml_items parameters = { take_parameter, &r, NULL }, held = { take_held, &r, NULL };
    yaml_items bytes = { read_range, c->bytes, NULL }, chunk = { read_range, c->chunk_bytes, NULL },
               memory = { read_range, c->memory_GBps, NULL },
               members = { read_beyond_members, c->beyond.members, NULL };
    const yaml_key keys[] = {
        { "cluster", true, read_text, c->cluster, "the name of a cluster file", NULL },
        { "cluster_text", true, read_cluster, &c->cluster_text, "what a cluster file says", NULL },
        { "cluster_digest", true, read_digest, c->cluster_digest, "a digest", NULL },
        { "program", true, read_digest, c->program, "a digest", NULL },
        { "rtl", true, read_digest, c->rtl, "a digest", NULL },
        { "rung", true, read_rung, c->rung, "cycle or rtl", NULL },
        { "points", true, read_number, &c->points, "a number", NULL },
        { "rtl_points", true, read_number, &c->rtl_points, "a number", NULL },
        { "seed", true, read_number, &c->seed, "a number", NULL },
        { "bytes", true, NULL, &bytes, "the least and the most", NULL },
        { "chunk_bytes", true, NULL, &chunk, "the least and the most", NULL },
        { "memory_GBps", true, NULL, &memory, "the least and the most", NULL },
        { "at_once", true, read_number, &c->at_once, "a number", NULL },
        { "measured_dimensions", false, read_beyond_dimensions, &c->beyond.dimensions,
          "a number of dimensions", NULL },
        { "measured_members", false, NULL, &members, "members of each dimension", NULL },
        { "parameters", true, NULL, &parameters, "the parameters of the form", NULL },
        { "held_out", true, NULL, &held, "a list", NULL },
        { NULL, false, NULL, NULL, NULL, NULL },
    };

    *c = (calibration){ .flow = flow_parameters_initial() };
    if (yaml_read(file, keys)) return EXIT_USAGE;
    if (c->dimensions >= ACE_DIMENSIONS && r.seen == values_of(c->dimensions)) return EXIT_OK;
    yaml_error(file, 1, 1, "too few parameters", "all that acesim calibrate writes");
    return EXIT_USAGE;
}

void calibration_forget(calibration *c) {
    free(c->held);
    c->held = NULL;
    c->held_count = 0;
}

void calibration_free(calibration *c) {
    calibration_forget(c);
    free(c->cluster_text);
    c->cluster_text = NULL;
    if (c->kept) fclose(c->kept);
    c->kept = NULL;
}

int calibration_cluster(calibration *c) {
    if (!c->kept) c->kept = tmpfile();
    if (!c->kept || fputs(c->cluster_text, c->kept) == EOF || fflush(c->kept)) {
        fprintf(
            stderr,
            "acesim: found no room for a temporary file, expected some for the cluster of a calibration\n");
        return EXIT_CHECK;
    }
    snprintf(c->cluster_file, sizeof c->cluster_file, "/proc/self/fd/%d", fileno(c->kept));
    return EXIT_OK;
}

/* ---- errors ------------------------------------------------------------------------------ */

expected_error calibration_error(const calibration *c, const char *kind, double bytes,
                                 bool at_once) {
    double far[NEAREST], error[NEAREST], sum = 0;
    unsigned all = 0;
    expected_error e = { 0 };

    for (unsigned i = 0; i < c->held_count; i++) {
        const held_out *h = &c->held[i];
        const double away = fabs(log(h->bytes / bytes));
        unsigned at = e.count;

        if ((kind && strcmp(h->kind, kind)) || (h->works > 1) != at_once) continue;
        if (!kind) {
            sum += fabs(h->predicted / h->measured - 1);
            e.worst = fmax(e.worst, fabs(h->predicted / h->measured - 1));
            all++;
            continue;
        }
        if (e.count == NEAREST && away >= far[NEAREST - 1]) continue;
        if (e.count == NEAREST) at = --e.count;
        for (; at && far[at - 1] > away; at--) {
            far[at] = far[at - 1];
            error[at] = error[at - 1];
        }
        far[at] = away;
        error[at] = fabs(h->predicted / h->measured - 1);
        e.count++;
    }
    for (unsigned i = 0; kind && i < e.count; i++) {
        sum += error[i];
        e.worst = fmax(e.worst, error[i]);
    }
    if (!kind) e.count = all;
    if (e.count) e.mean = sum / e.count;
    return e;
}
