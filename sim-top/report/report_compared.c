/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report_compared.c -- the first part of a report: all runs next to each other
 *
 * It has a chart of their times, and a table with a row for each setting and result that one of the
 * runs has. Each run has a label with its differences.
 */
#include <math.h>

#include "figures.h"
#include "html_page.h"
#include "report_page.h"

double report_us(const saved_run *r, double cycles) {
    return r->clock_MHz > 0 ? cycles / r->clock_MHz
                            : saved_number(r->root, "time_us") * cycles / r->cycles;
}

/* Runs next to each other, each with a label of its differences. */
typedef struct compared {
    const saved_run *runs;
    const run_label *labels;
    unsigned count;
} compared;

/* Writes a cell of run i. A narrow page has no columns, so it shows the label in the cell. */
static void compared_cell(FILE *f, const compared *c, unsigned i, const char *text) {
    fputs("<td data-run=\"", f);
    html_text(f, c->labels[i].text);
    fputs("\">", f);
    html_text(f, text);
    fputs("</td>", f);
}

typedef enum form { TEXT, COUNT, REAL, SOME, PERCENT } form; /* SOME: a count; 0 is shown as none */

static void comparison_row(FILE *f, const compared *c, const char *name, const char *path,
                           form form, const char *format) {
    bool any = false;

    for (unsigned i = 0; i < c->count; i++) any = any || saved_item(c->runs[i].root, path);
    if (!any) return;
    fputs("<tr>", f);
    html_element(f, "td", name);
    for (unsigned i = 0; i < c->count; i++) {
        const double v = saved_number(c->runs[i].root, path);
        char text[FIGURE] = "–";

        if (saved_item(c->runs[i].root, path) && !(form == SOME && !(v > 0))) {
            if (form == COUNT)
                figure_count(round(v), text);
            else if (form != TEXT)
                snprintf(text, sizeof text, format, form == PERCENT ? 100 * v : v);
            compared_cell(f, c, i, form == TEXT ? saved_text(c->runs[i].root, path) : text);
        } else {
            compared_cell(f, c, i, text);
        }
    }
    fputs("</tr>\n", f);
}

/* Returns the number of iterations, or 0 if the run has none. */
static int iterations_of(const saved_run *r) {
    return cJSON_GetArraySize(saved_item(r->root, "iterations"));
}

/* Returns the mean time of an iteration in us if the run has iterations, as in the terminal's
 * answer. Otherwise returns the time of the run. */
static double us_shown(const saved_run *r) {
    const int n = iterations_of(r);

    return report_us(r, r->cycles) / (n ? n : 1);
}

static void iteration_row(FILE *f, const compared *c) {
    bool any = false;

    for (unsigned i = 0; i < c->count; i++) any = any || iterations_of(&c->runs[i]);
    if (!any) return;
    fputs("<tr>", f);
    html_element(f, "td", "time of an iteration, us");
    for (unsigned i = 0; i < c->count; i++) {
        char text[FIGURE] = "–";

        if (iterations_of(&c->runs[i])) snprintf(text, sizeof text, "%.3f", us_shown(&c->runs[i]));
        compared_cell(f, c, i, text);
    }
    fputs("</tr>\n", f);
}

enum { NARROW = 540, RUN = 44 /* a line of text and a bar */ };

/* Draws compute, exposed communication and the pipeline's waiting time, or only the total time if
 * nothing was computed. The text is above its bar, so that a narrow page has room for both. */
static void times(FILE *f, const compared *c) {
    double longest = 0, y = 0;
    bool bubbles = false;

    for (unsigned i = 0; i < c->count; i++) longest = fmax(longest, us_shown(&c->runs[i]));
    html_element(f, "h3", "Time");
    html_figure(f, "Time of each run", NARROW, (double)RUN * c->count + 30);
    for (unsigned i = 0; i < c->count; i++, y += RUN) {
        const saved_run *r = &c->runs[i];
        const double all = us_shown(r) / longest * (NARROW - 4);
        const double compute = saved_number(r->root, "compute_cycles") / r->cycles * all;
        const double bubble = saved_number(r->root, "bubble_cycles") / r->cycles * all;
        char text[224], time[FIGURE];
        int n = snprintf(text, sizeof text, "%s: %s%s", c->labels[i].text,
                         figure_time(us_shown(r), figure_time_unit(longest), time),
                         iterations_of(r) ? " an iteration" : "");

        if (i)
            snprintf(text + n, sizeof text - (size_t)n, ", %.3f of the first",
                     us_shown(r) / us_shown(c->runs));
        html_label(f, 2, y + 14, "start", text);
        html_bar(f, 2, y + 19, compute, 18, FILL_SOLID);
        html_bar(f, 2 + compute, y + 19, all - compute - bubble, 18, FILL_DIAGONAL);
        if (bubble > 0) html_bar(f, 2 + all - bubble, y + 19, bubble, 18, FILL_LINES);
        bubbles = bubbles || bubble > 0;
    }
    html_key(f, 2, y + 20, FILL_SOLID, "compute");
    html_key(f, 112, y + 20, FILL_DIAGONAL, "exposed communication");
    if (bubbles) html_key(f, 302, y + 20, FILL_LINES, "bubble of the pipeline");
    html_figure_end(f);
}

/* The results of plan and fit have no cycles. */
static bool all_have_cycles(const compared *c) {
    for (unsigned i = 0; i < c->count; i++)
        if (!(c->runs[i].cycles > 0)) return false;
    return true;
}

void report_compared(FILE *f, const saved_run *runs, const run_label *labels, unsigned count) {
    const compared all = { .runs = runs, .labels = labels, .count = count };
    const compared *const c = &all;

    html_element(f, "h2", c->count > 1 ? "All runs" : "The run");
    if (all_have_cycles(c)) times(f, c);
    fputs("<div class=\"wide\"><table class=\"whole runs\"><thead><tr><th></th>", f);
    for (unsigned i = 0; i < c->count; i++) html_element(f, "th", c->labels[i].text);
    fputs("</tr></thead>\n<tr><td>file</td>", f);
    for (unsigned i = 0; i < c->count; i++) compared_cell(f, c, i, c->runs[i].file);
    fputs("</tr>\n<tr><td>of</td>", f);
    for (unsigned i = 0; i < c->count; i++) compared_cell(f, c, i, c->runs[i].what);
    fputs("</tr>\n", f);
#define ROW(name, path, form, format) comparison_row(f, c, name, path, form, format)
    ROW("topology", "topology", TEXT, NULL);
    ROW("size, bytes", "size_bytes", COUNT, NULL);
    ROW("strategy", "strategy", TEXT, NULL);
    ROW("endpoint", "endpoint", TEXT, NULL);
    ROW("rung", "rung", TEXT, NULL);
    ROW("memory bandwidth, GB/s", "memory_bandwidth_GBps", SOME, "%.3g");
    ROW("node speeds", "node_speeds", TEXT, NULL);
    ROW("cycles", "cycles", COUNT, NULL);
    ROW("time of the run, us", "time_us", REAL, "%.3f");
    iteration_row(f, c);
    ROW("compute cycles", "compute_cycles", COUNT, NULL);
    ROW("exposed communication, cycles", "exposed_communication_cycles", COUNT, NULL);
    ROW("bubble, cycles", "bubble_cycles", COUNT, NULL);
    ROW("tokens a second", "tokens_per_s", COUNT, NULL);
    ROW("model FLOPs utilization, %", "model_flops_utilization", PERCENT, "%.1f");
    ROW("memory of an NPU, bytes", "memory_peak_bytes", COUNT, NULL);
    ROW("bytes sent per NPU", "bytes_sent_per_npu", COUNT, NULL);
    ROW("network bandwidth, GB/s", "network_bandwidth_GBps", REAL, "%.2f");
    ROW("network bandwidth of full links, GB/s", "ideal_network_bandwidth_GBps", REAL, "%.2f");
    ROW("share of full links, %", "fraction_of_ideal", PERCENT, "%.1f");
    ROW("check", "check", TEXT, NULL);
    ROW("configuration digest", "config_digest", TEXT, NULL);
#undef ROW
    fputs("</table></div>\n", f);
}
