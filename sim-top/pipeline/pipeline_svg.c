/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pipeline_svg.c -- a picture of a pipeline
 *
 * Passes differ in height and position as well as in colour, so a print without colours shows them,
 * too. F is in the upper part of its row, B fills the row, and W is in the lower part. A gap
 * between passes is a thin bar in the middle of the row, with a colour for each reason. The key
 * names the reasons.
 */
#include <string.h>

#include "html_page.h"
#include "pipeline.h"

enum {
    LEFT = 70,
    TOP = 46, /* of the picture, if the key has one line */
    WIDTH = 900,
    ROW = 26,
    GAP = 6,
    BELOW = 40,
    RIGHT = 20,
    TICKS = 10,
    KEY = 20,        /* height of a line of the key */
    KEY_WIDTH = 225, /* width of an entry of the key: four in a line */
    KEYS = 16        /* maximum number of entries */
};

static const char *const gap_colours[] = { "#d96a4b", "#7b6fb0", "#4d9a8f", "#b58900",
                                           "#8c564b", "#5f87c0", "#a05195", "#6b8e23" };
enum { GAP_COLOURS = sizeof gap_colours / sizeof *gap_colours };

static const struct {
    const char *colour, *what;
    double from, to; /* share of the row's height */
} look[PIPELINE_PASSES] = {
    { "#bcd0ea", "forward", 0, 0.7 },
    { "#f6c98f", "backward", 0, 1 },
    { "#cfe3c2", "weight gradient", 0.3, 1 },
};

static void bar(FILE *to, double x, double y, double width, double height, const char *colour,
                double opacity) {
    fprintf(to,
            "<rect class=\"b\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\" fill=\"%s\" "
            "fill-opacity=\"%.2f\"/>\n",
            x, y, width, height, colour, opacity);
}

/* Returns 1 for the first chunk; the last one is nearly white. */
static double opacity_of(const pipeline *p, uint32_t chunk) {
    return p->chunks > 1 ? 1 - 0.75 * chunk / (p->chunks - 1) : 1;
}

/* Letters of the style are at most 6.5 wide. */
static bool fits(const char *text, double width) { return width > 6.5 * (double)strlen(text) + 2; }

static void entry(FILE *to, const pipeline *p, const pipeline_entry *e, double x, double width,
                  double y) {
    char text[32];
    const double top = y + look[e->pass].from * ROW;
    const double height = (look[e->pass].to - look[e->pass].from) * ROW;

    bar(to, x, top, width, height, look[e->pass].colour, opacity_of(p, e->chunk));
    snprintf(text, sizeof text, "%u.%u", e->micro_batch, e->chunk);
    if (p->chunks == 1 || !fits(text, width)) snprintf(text, sizeof text, "%u", e->micro_batch);
    if (fits(text, width)) html_label(to, x + width / 2, top + height / 2 + 4, "middle", text);
}

/* Lists the reasons of the gaps, each once, in the order in which they come. */
static unsigned reasons_of(const pipeline_result *r, const char *list[KEYS]) {
    unsigned n = 0;

    for (size_t i = 0; i < r->gaps; i++) {
        unsigned k = 0;

        while (k < n && list[k] != r->gap[i].what) k++;
        if (k == n && n < KEYS) list[n++] = r->gap[i].what;
    }
    return n;
}

/* The bubble is pale in every picture, because the stage has nothing to do. */
static const char *gap_colour(const char *const *reasons, unsigned reason) {
    return strcmp(reasons[reason], "bubble") ? gap_colours[reason % GAP_COLOURS] : "#dcdcdc";
}

static void gap_bar(FILE *to, double x, double y, double width, double height, const char *colour) {
    fprintf(to,
            "<rect class=\"g\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\" "
            "fill=\"%s\"/>\n",
            x, y, width, height, colour);
}

static void draw_gaps(FILE *to, const pipeline_result *r, const char *const *reasons, double scale,
                      double top) {
    for (size_t i = 0; i < r->gaps; i++) {
        const pipeline_gap *g = &r->gap[i];
        unsigned k = 0;

        while (k + 1 < KEYS && reasons[k] != g->what) k++;
        gap_bar(to, LEFT + g->start * scale, top + g->stage * (double)(ROW + GAP) + ROW * 0.36,
                (g->end - g->start) * scale, ROW * 0.28, gap_colour(reasons, k));
    }
}

static void axis(FILE *to, double makespan, double y, const char *unit) {
    const double step = html_step(makespan, TICKS);
    char text[48];

    for (double t = 0; t <= makespan * (1 + 1e-9); t += step) {
        const double x = LEFT + t / makespan * WIDTH;

        html_line(to, x, y, x, y + 4, 0);
        snprintf(text, sizeof text, "%g", t);
        html_label(to, x, y + 16, "middle", text);
    }
    html_label(to, LEFT + WIDTH / 2, y + 32, "middle", unit);
}

/* Return where the bar of entry i of the key begins. */
static double key_x(unsigned i) { return LEFT + i % (WIDTH / KEY_WIDTH) * (double)KEY_WIDTH; }
static double key_y(unsigned i) { return TOP - 20 + i / (WIDTH / KEY_WIDTH) * (double)KEY; }

static unsigned passes_of(const pipeline *p) { return p->split ? PIPELINE_PASSES : PIPELINE_W; }

/* Returns the number of entries of the key. */
static unsigned key_entries(const pipeline *p, unsigned reasons) {
    return passes_of(p) + (p->chunks > 1) + reasons;
}

static void key(FILE *to, const pipeline *p, const char *const *reasons, unsigned count) {
    unsigned i = 0;

    for (pipeline_pass pass = PIPELINE_F; pass < passes_of(p); pass++, i++) {
        bar(to, key_x(i), key_y(i) + look[pass].from * 12, 22,
            (look[pass].to - look[pass].from) * 12, look[pass].colour, 1);
        html_label(to, key_x(i) + 28, key_y(i) + 10, "start", look[pass].what);
    }
    if (p->chunks > 1) html_label(to, key_x(i), key_y(i) + 10, "start", "later chunks are paler");
    i += p->chunks > 1;
    for (unsigned k = 0; k < count; k++, i++) {
        gap_bar(to, key_x(i), key_y(i) + 3, 22, ROW * 0.28, gap_colour(reasons, k));
        html_label(to, key_x(i) + 28, key_y(i) + 10, "start", reasons[k]);
    }
}

void pipeline_svg(FILE *to, const pipeline *p, const pipeline_result *r, const char *title,
                  double scale_of_axis, const char *unit) {
    const char *reasons[KEYS] = { 0 };
    const unsigned count = reasons_of(r, reasons), lines = WIDTH / KEY_WIDTH;
    const double top = TOP + (key_entries(p, count) - 1) / lines * (double)KEY;
    const double bottom = top + (double)p->stages * (ROW + GAP), scale = WIDTH / r->makespan;
    char text[48];

    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
            "viewBox=\"0 0 %d %.0f\" role=\"img\">\n<title>",
            LEFT + WIDTH + RIGHT, bottom + BELOW, LEFT + WIDTH + RIGHT, bottom + BELOW);
    html_text(to, title);
    fputs("</title>\n<style>text{font:11px 'DejaVu Sans',Arial,sans-serif;fill:#111}"
          ".b{stroke:#111;stroke-width:.5}.t{font-weight:bold;font-size:13px}</style>\n"
          "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
          "<text class=\"t\" x=\"70\" y=\"17\">",
          to);
    html_text(to, title);
    fputs("</text>\n", to);
    key(to, p, reasons, count);
    draw_gaps(to, r, reasons, scale, top);
    for (uint32_t s = 0; s < p->stages; s++) {
        const double y = top + (double)s * (ROW + GAP);

        snprintf(text, sizeof text, "stage %u", s);
        html_label(to, LEFT - 8, y + ROW / 2.0 + 4, "end", text);
        for (size_t n = p->first[s]; n < p->first[s + 1]; n++)
            entry(to, p, &p->entry[n], LEFT + r->span[n].start * scale,
                  (r->span[n].end - r->span[n].start) * scale, y);
    }
    axis(to, r->makespan / scale_of_axis, bottom, unit);
    fputs("</svg>\n", to);
}
