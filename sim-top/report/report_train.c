/* SPDX-License-Identifier: Apache-2.0 */
/* report_train.c -- of an iteration of acesim train: its parts and stages, for report_page.c */
#include "html_page.h"
#include "report_page.h"
#include "train_parts.h"

/* A cell of a count, and of its share of the iteration in percent. */
static void part_cells(FILE *f, double cycles, double whole) {
    char share[32];

    fputs("<td>", f);
    html_count(f, cycles);
    fputs("</td>", f);
    snprintf(share, sizeof share, "%.2f", 100 * cycles / whole);
    html_element(f, "td", share);
}

static void parts_table(FILE *f, const saved_run *r) {
    html_element(f, "h3", "Where the time goes");
    fputs("<table><thead><tr><th>part</th><th>cycles</th><th>share, %</th><th>what makes it "
          "shorter</th></tr></thead>\n",
          f);
    for (unsigned k = 0; k < TRAIN_PARTS; k++) {
        const double cycles = saved_number(r->root, train_parts[k].key);

        if (!(cycles > 0)) continue;
        fputs("<tr>", f);
        html_element(f, "td", train_parts[k].name);
        part_cells(f, cycles, r->cycles);
        html_element(f, "td", train_parts[k].help);
        fputs("</tr>\n", f);
    }
    fputs("</table>\n", f);
}

static void stages_table(FILE *f, const saved_run *r) {
    const cJSON *stage;

    html_element(f, "h3", "Stages of the pipeline");
    fputs("<div class=\"wide\"><table><thead><tr><th>stage</th>", f);
    for (unsigned k = 0; k < TRAIN_PARTS; k++)
        if (saved_number(r->root, train_parts[k].key) > 0) {
            html_element(f, "th", train_parts[k].name);
            fputs("<th>%</th>", f);
        }
    fputs("<th>memory, GiB</th></tr></thead>\n", f);
    cJSON_ArrayForEach(stage, saved_item(r->root, "stages")) {
        char text[32];

        snprintf(text, sizeof text, "%.0f", saved_number(stage, "stage"));
        fputs("<tr>", f);
        html_element(f, "td", text);
        for (unsigned k = 0; k < TRAIN_PARTS; k++)
            if (saved_number(r->root, train_parts[k].key) > 0)
                part_cells(f, saved_number(stage, train_parts[k].key), r->cycles);
        snprintf(text, sizeof text, "%.2f", saved_number(stage, "memory_peak_bytes") / 0x1p30);
        html_element(f, "td", text);
        fputs("</tr>\n", f);
    }
    fputs("</table></div>\n", f);
}

void report_train(FILE *f, const saved_run *r) {
    parts_table(f, r);
    stages_table(f, r);
}
