/* SPDX-License-Identifier: Apache-2.0 */
/* report_page.c -- writes a page about results: side by side, then each by itself; see
 * report_page.h */
#include "report_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_file.h"
#include "exit_status.h"
#include "figures.h"
#include "html_page.h"
#include "machine.h"
#include "message.h"
#include "run_labels.h"
#include "values.h"

enum { WIDTH = 820, LEFT = 120 };

static const char *const dimension_names[] = { "x", "y", "z", "w", "u", "v" };
static const char *const class_names[CLASSES] = { "busy", "starved", "blocked", "idle" };
static const fill class_fills[CLASSES] = { FILL_SOLID, FILL_DIAGONAL, FILL_LINES, FILL_EMPTY };

/* Writes a number with its unit, such as "1,234 us", in a cell of a table. */
static void cell_real(FILE *f, double v, const char *format) {
    char text[64];

    snprintf(text, sizeof text, format, v);
    html_element(f, "td", text);
}

static void cell_count(FILE *f, double v) {
    fputs("<td>", f);
    html_count(f, v);
    fputs("</td>", f);
}

static void head(FILE *f, const char *const *names) {
    fputs("<thead><tr>", f);
    for (; *names; names++) html_element(f, "th", *names);
    fputs("</tr></thead>\n", f);
}

/* ---- iterations ----------------------------------------------------------------------- */

static void iterations(FILE *f, const saved_run *r) {
    static const char *const names[] = { "iteration", "cycles",     "compute", "exposed, cycles",
                                         "time, us",  "exposed, %", NULL };
    const cJSON *list = saved_item(r->root, "iterations"), *it;
    const int count = cJSON_GetArraySize(list), drawn = count < 40 ? count : 40;
    double longest = 0;
    int i = 0;

    if (!count) return;
    html_element(f, "h3", "Iterations");
    cJSON_ArrayForEach(it, list) {
        const double cycles = saved_number(it, "cycles");
        if (cycles > longest) longest = cycles;
    }
    html_figure(f, "Compute and exposed communication of each iteration", WIDTH, 26. * drawn + 34);
    cJSON_ArrayForEach(it, list) {
        const double scale = longest > 0 ? (WIDTH - LEFT - 150) / longest : 0;
        const double compute = saved_number(it, "compute_cycles") * scale;
        const double exposed = saved_number(it, "exposed_communication_cycles") * scale;
        const double y = 26. * i + 4;
        char text[64];

        if (i == drawn) break;
        snprintf(text, sizeof text, "iteration %d", i++);
        html_label(f, LEFT - 8, y + 14, "end", text);
        html_bar(f, LEFT, y, compute, 18, FILL_SOLID);
        html_bar(f, LEFT + compute, y, exposed, 18, FILL_DIAGONAL);
        snprintf(text, sizeof text, "%.1f %% exposed",
                 compute + exposed > 0 ? 100 * exposed / (compute + exposed) : 0);
        html_label(f, LEFT + compute + exposed + 6, y + 14, "start", text);
    }
    html_key(f, LEFT, 26. * drawn + 22, FILL_SOLID, "compute");
    html_key(f, LEFT + 130, 26. * drawn + 22, FILL_DIAGONAL, "exposed communication");
    html_figure_end(f);
    fputs("<table>", f);
    head(f, names);
    cJSON_ArrayForEach(it, list) {
        const double cycles = saved_number(it, "cycles");
        const double exposed = saved_number(it, "exposed_communication_cycles");

        fputs("<tr>", f);
        cell_count(f, saved_number(it, "iteration"));
        cell_count(f, cycles);
        cell_count(f, saved_number(it, "compute_cycles"));
        cell_count(f, exposed);
        cell_real(f, saved_number(it, "time_us"), "%.3f");
        cell_real(f, cycles > 0 ? 100 * exposed / cycles : 0, "%.1f");
        fputs("</tr>\n", f);
    }
    fputs("</table>\n", f);
}

/* ---- over time ----------------------------------------------------------------------- */

enum { STRIP = 84, PLOT = 56 };

/* Draws ticks of time under the chart. */
static void time_axis(FILE *f, const saved_run *r, double y) {
    const double all = report_us(r, r->cycles), step = html_step(all, 8);
    char text[32];

    for (unsigned i = 0; i * step <= all * 1.0001; i++) {
        const double x = LEFT + (WIDTH - LEFT - 20) * i * step / all;

        html_line(f, x, y, x, y + 4, 0);
        snprintf(text, sizeof text, "%.6g", i * step);
        html_label(f, x, y + 16, "middle", text);
    }
    html_label(f, LEFT - 8, y + 16, "end", "us");
}

/* Returns the GB/s of an NPU in the cycles of a sample. */
static double sample_rate(const saved_run *r, const cJSON *sample, double from, double *to) {
    *to = from + saved_number(r->root, "samples.cycles_per_sample");
    if (*to > r->cycles) *to = r->cycles;
    return *to > from ? sample->valuedouble / (*to - from) * r->clock_MHz / (1e3 * r->nodes) : 0;
}

/* Draws a step for each sample, and a dashed line at the limit if it is in the range of the
 * chart. */
static void strip(FILE *f, const saved_run *r, const char *name, const cJSON *series, double limit,
                  double y) {
    const double scale = (WIDTH - LEFT - 20) / r->cycles, base = y + PLOT + 14;
    double from = 0, peak = 0, top, to;
    const cJSON *v;
    char text[64];

    cJSON_ArrayForEach(v, series) {
        const double rate = sample_rate(r, v, from, &to);

        if (rate > peak) peak = rate;
        from = to;
    }
    top = peak > 0 && peak < limit / 4 ? html_step(peak, 1) : limit;
    fprintf(f, "<path fill=\"#b9c9dc\" stroke=\"#111\" stroke-width=\"0.8\" d=\"M%d %.1f", LEFT,
            base);
    from = 0;
    cJSON_ArrayForEach(v, series) {
        const double rate = sample_rate(r, v, from, &to);

        fprintf(f, "V%.1fH%.1f", base - PLOT * (rate < top ? rate / top : 1), LEFT + to * scale);
        from = to;
    }
    fprintf(f, "V%.1fZ\"/>\n", base);
    html_line(f, LEFT, base, WIDTH - 20, base, 0);
    html_line(f, LEFT, base - PLOT, WIDTH - 20, base - PLOT, top >= limit);
    html_label(f, LEFT - 8, base - 16, "end", name);
    snprintf(text, sizeof text, "at most %.4g", limit);
    html_label(f, LEFT - 8, base - 3, "end", text);
    snprintf(text, sizeof text, "%.4g", top);
    html_label(f, LEFT - 8, base - PLOT + 4, "end", text);
    snprintf(text, sizeof text, "peak %.4g", peak);
    html_label(f, WIDTH - 20, base - PLOT - 3, "end", text);
}

/* Writes the name of the layer, with the kind if it is not all-reduce. Without a layer, writes the
 * kind. */
static void collective_name(const cJSON *v, char *to, size_t room) {
    const char *kind = saved_text(v, "kind"), *name = saved_text(v, "name");
    const bool both = *name && strcmp(kind, "all-reduce") != 0;

    snprintf(to, room, "%s%s%s", both || !*name ? kind : "", both ? " " : "", name);
}

/* Draws a line for each collective of node 0, from issue to completion. */
static void collectives(FILE *f, const saved_run *r) {
    const cJSON *list = saved_item(r->root, "samples.collectives"), *v;
    const double left_out = saved_number(r->root, "samples.collectives_left_out");
    const int count = cJSON_GetArraySize(list);
    const double row = count > 40 ? 4 : 12;
    char text[96];
    double y = 4;

    if (!count) return;
    snprintf(text, sizeof text, "Collectives of node 0, from issue to completion: %d%s", count,
             left_out > 0 ? " (the first ones)" : "");
    html_element(f, "h3", text);
    html_figure(f, text, WIDTH, row * count + 30);
    cJSON_ArrayForEach(v, list) {
        const double scale = (WIDTH - LEFT - 20) / r->cycles;
        const double from = saved_number(v, "issued"), to = saved_number(v, "completed");

        html_bar(f, LEFT + from * scale, y, (to - from) * scale, row - 1, FILL_SOLID);
        collective_name(v, text, sizeof text);
        if (row > 10) html_label(f, LEFT - 8, y + 9, "end", text);
        y += row;
    }
    time_axis(f, r, y + 2);
    html_figure_end(f);
}

static void traffic(FILE *f, const saved_run *r) {
    static const char *const links[] = { "samples.sent_bytes_x", "samples.sent_bytes_y",
                                         "samples.sent_bytes_z", "samples.sent_bytes_w" };
    static const char *const directions[] = { "samples.memory_read_bytes",
                                              "samples.memory_written_bytes" };
    const cJSON *bandwidth = saved_item(r->root, "configuration.link_bandwidth_GBps");
    const double efficiency = saved_number(r->root, "configuration.link_efficiency");
    unsigned strips = 2;
    double y = 0;

    html_element(f, "h3", "Bandwidth over time, GB/s of an NPU");
    if (!saved_item(r->root, "samples")) {
        html_element(f, "p",
                     strcmp(saved_text(r->root, "endpoint"), "ideal")
                         ? "Not recorded: run it with --samples 256."
                         : "The ideal endpoint puts nothing on links or memory.");
        return;
    }
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) strips += r->ring[d] > 1;
    html_figure(f, "Bandwidth over time", WIDTH, (double)STRIP * strips + 30);
    for (int d = 0; d < ACE_DIMENSIONS; d++) {
        const cJSON *one = cJSON_GetArrayItem(bandwidth, d);
        char text[32];

        if (r->ring[d] == 1 || !cJSON_IsNumber(one)) continue;
        snprintf(text, sizeof text, "sent on %s", dimension_names[d]);
        strip(f, r, text, saved_item(r->root, links[d]), 2 * one->valuedouble * efficiency, y);
        y += STRIP;
    }
    for (int i = 0; i < 2; i++, y += STRIP)
        strip(f, r, i ? "memory written" : "memory read", saved_item(r->root, directions[i]),
              saved_number(r->root, "memory_bandwidth_GBps"), y);
    time_axis(f, r, y);
    html_figure_end(f);
    collectives(f, r);
}

/* ---- links -------------------------------------------------------------------------- */

enum { MAP_NODES = 512, MAP_COLUMNS = 32, CELL = 23 };

/* Returns the share of the run in which a node's link was busy. */
static double link_busy(const saved_run *r, unsigned node, const char *link) {
    const cJSON *g;

    cJSON_ArrayForEach(g, saved_item(r->root, "node_groups")) {
        if (saved_nodes_have(saved_text(g, "nodes"), node)) {
            const cJSON *v = cJSON_GetArrayItem(saved_item(saved_item(g, "cycles"), link), 0);

            return cJSON_IsNumber(v) && v->valuedouble <= r->cycles ? v->valuedouble / r->cycles
                                                                    : 0;
        }
    }
    return 0;
}

/* Draws the nodes with x to the right, y down, and a plane for each z. */
static void link_map(FILE *f, const saved_run *r, const char *link, double top) {
    for (unsigned node = 0; node < r->nodes; node++) {
        const unsigned x = node % r->ring[0], y = node / r->ring[0] % r->ring[1];
        const unsigned z = node / r->ring[0] / r->ring[1];

        html_cell(f, LEFT + z * (r->ring[0] * CELL + 14.) + x * (double)CELL,
                  top + y * (double)CELL, CELL, link_busy(r, node, link));
    }
}

static void link_table(FILE *f, const saved_run *r) {
    const char *names[] = { "nodes", "x+", "x-", "y+", "y-", "z+", "z-",
                            "w+",    "w-", "u+", "u-", "v+", "v-", NULL };
    const cJSON *g = cJSON_GetArrayItem(saved_item(r->root, "node_groups"), 0), *v;
    const int counted = cJSON_GetArraySize(saved_item(g, "link_bytes"));
    unsigned rows = 0;

    /* the hardware may have fewer dimensions */
    if (counted < ACE_CLUSTER_LINKS) names[1 + counted] = NULL;

    html_element(f, "p", "Bytes sent on each link, for each group of nodes that counted alike:");
    fputs("<table>", f);
    head(f, names);
    cJSON_ArrayForEach(g, saved_item(r->root, "node_groups")) {
        if (rows++ == 64) break;
        fputs("<tr>", f);
        html_element(f, "td", saved_text(g, "nodes"));
        cJSON_ArrayForEach(v, saved_item(g, "link_bytes")) cell_count(f, v->valuedouble);
        fputs("</tr>\n", f);
    }
    fputs("</table>\n", f);
    if (rows > 64) html_element(f, "p", "(the first 64 groups)");
}

static void links(FILE *f, const saved_run *r) {
    static const char *const units[] = { "link.x+", "link.x-", "link.y+", "link.y-",
                                         "link.z+", "link.z-", "link.w+", "link.w-" };
    const double height = r->ring[1] * (double)CELL + 24;
    double share[CLASSES], top = 18;
    unsigned maps = 0;

    html_element(f, "h3", "Links: cycles in which each is busy, %");
    for (unsigned l = 0; l < ACE_LINKS; l++)
        maps += r->ring[l / 2] > 1 && saved_classes(r, units[l], share);
    if (!maps) {
        html_element(f, "p", "This endpoint counts no cycles of links.");
        return;
    }
    const unsigned planes = r->ring[2] * r->ring[3];

    if (r->nodes <= MAP_NODES && r->ring[0] * planes <= MAP_COLUMNS) {
        html_element(f, "p",
                     "A cell is a node: x to the right, y down, a plane for each z, and all of "
                     "them for each w.");
        html_figure(f, "Heat map of the links",
                    LEFT + planes * (r->ring[0] * (double)CELL + 14) + 10, height * maps + 6);
        for (unsigned l = 0; l < ACE_LINKS; l++) {
            if (r->ring[l / 2] == 1) continue;
            html_label(f, LEFT - 8, top + CELL / 2. + 4, "end", units[l]);
            link_map(f, r, units[l], top);
            for (unsigned z = 0; z < planes && top < height; z++) {
                char text[32];

                snprintf(text, sizeof text, r->ring[3] > 1 ? "z%u w%u" : "z = %u", z % r->ring[2],
                         z / r->ring[2]);
                html_label(f, LEFT + z * (r->ring[0] * CELL + 14.), top - 4, "start", text);
            }
            top += height;
        }
        html_figure_end(f);
    }
    link_table(f, r);
}

/* ---- units ----------------------------------------------------------------------------- */

/* Returns the share of the cycles in which rows of a group of nodes wait for memory bandwidth. */
static double memory_waits(const saved_run *r, const cJSON *group) {
    double read[CLASSES] = { 0 }, written[CLASSES] = { 0 };

    (void)saved_unit(group, "memory.read", read);
    (void)saved_unit(group, "memory.write", written);
    return fmax(read[CLASS_BLOCKED], written[CLASS_BLOCKED]) / r->cycles;
}

/* Sums over all nodes hide a slow node. Where nodes differ in speed, the node that waits longest
 * for its memory is therefore named. */
static void slow_nodes_of(FILE *f, const saved_run *r) {
    const cJSON *g, *slowest = NULL;
    double most = 0, others = 0;
    char text[256];

    if (!*saved_text(r->root, "node_speeds")) return;
    cJSON_ArrayForEach(g, saved_item(r->root, "node_groups")) {
        const double waits = memory_waits(r, g);

        if (!slowest || waits > most) {
            others = fmax(others, most);
            most = waits;
            slowest = g;
        } else {
            others = fmax(others, waits);
        }
    }
    if (!slowest || !(most > others)) return;
    snprintf(
        text, sizeof text,
        "Nodes differ in speed (%.80s). Rows wait longest for memory on node %.40s: %.1f %% of "
        "the cycles, on the others at most %.1f %%.",
        saved_text(r->root, "node_speeds"), saved_text(slowest, "nodes"), 100 * most, 100 * others);
    html_element(f, "p", text);
}

static void units(FILE *f, const saved_run *r) {
    static const char *const names[] = { "unit",       "busy, %", "starved, %",
                                         "blocked, %", "idle, %", NULL };
    const cJSON *first =
        saved_item(cJSON_GetArrayItem(saved_item(r->root, "node_groups"), 0), "cycles");
    const int count = cJSON_GetArraySize(first);
    const cJSON *unit;
    double share[CLASSES], y = 4;

    if (!count) return;
    html_element(f, "h3", "Units: every cycle in one class, over all nodes");
    html_element(f, "p",
                 "Blocked has something that may not move: at a link for want of a credit, at "
                 "the memory for want of bandwidth.  Starved waits for something that was "
                 "promised.");
    slow_nodes_of(f, r);
    html_figure(f, "Cycle classes of each unit", WIDTH, 20. * count + 36);
    cJSON_ArrayForEach(unit, first) {
        double x = LEFT;

        if (!saved_classes(r, unit->string, share)) continue;
        html_label(f, LEFT - 8, y + 12, "end", unit->string);
        for (int i = 0; i < CLASSES; i++) {
            html_bar(f, x, y, share[i] * (WIDTH - LEFT - 20), 16, class_fills[i]);
            x += share[i] * (WIDTH - LEFT - 20);
        }
        y += 20;
    }
    for (int i = 0; i < CLASSES; i++)
        html_key(f, LEFT + 120. * i, y + 22, class_fills[i], class_names[i]);
    html_figure_end(f);
    fputs("<table class=\"whole\">", f);
    head(f, names);
    cJSON_ArrayForEach(unit, first) {
        if (!saved_classes(r, unit->string, share)) continue;
        fputs("<tr>", f);
        html_element(f, "td", unit->string);
        for (int i = 0; i < CLASSES; i++) cell_real(f, 100 * share[i], "%.1f");
        fputs("</tr>\n", f);
    }
    fputs("</table>\n", f);
}

/* ---- configuration ----------------------------------------------------------------------- */

static void print_value(FILE *f, const cJSON *v) {
    char text[64] = "";

    if (cJSON_IsNumber(v)) snprintf(text, sizeof text, "%.9g", v->valuedouble);
    html_text(f, cJSON_IsString(v) ? v->valuestring : text);
}

static void configuration(FILE *f, const saved_run *r) {
    const cJSON *v, *item;

    html_element(f, "h3", "Configuration");
    fputs("<p><code>acesim", f);
    cJSON_ArrayForEach(v, saved_item(r->root, "command")) {
        fputc(' ', f);
        print_value(f, v);
    }
    fputs("</code></p>\n<table>", f);
    cJSON_ArrayForEach(v, saved_item(r->root, "configuration")) {
        fputs("<tr>", f);
        html_element(f, "td", v->string);
        fputs("<td>", f);
        if (cJSON_IsArray(v)) {
            cJSON_ArrayForEach(item, v) {
                print_value(f, item);
                if (item->next) fputs(", ", f);
            }
        } else {
            print_value(f, v);
        }
        fputs("</td></tr>\n", f);
    }
    fputs("</table>\n", f);
}

static void one_run(FILE *f, const saved_run *r, const char *label) {
    const char *const topology = saved_text(r->root, "topology");
    char text[256];

    snprintf(text, sizeof text, "%s%s%.80s%s%s", strcmp(label, r->what) ? label : "",
             strcmp(label, r->what) ? ": " : "", r->what, *topology ? " on " : "", topology);
    html_element(f, "h2", text);
    fputc('\n', f);
    if (!saved_run_is_run(r)) {
        report_parts(f, r);
    } else {
        iterations(f, r);
        traffic(f, r);
        links(f, r);
        units(f, r);
    }
    configuration(f, r);
}

int report_page_write(const char *file, const saved_run *runs, unsigned count) {
    run_label *labels = calloc(count + 1, sizeof *labels);
    atomic_file f;
    int rc;

    if (!labels) return message_no_memory();
    rc = atomic_file_open(&f, file);
    if (rc == EXIT_OK) {
        run_labels(runs, count, labels);
        html_begin(f.to, "acesim report");
        report_compared(f.to, runs, labels, count);
        for (unsigned i = 0; i < count; i++) one_run(f.to, &runs[i], labels[i].text);
        html_end(f.to);
        rc = atomic_file_close(&f);
    }
    free(labels);
    return rc;
}
