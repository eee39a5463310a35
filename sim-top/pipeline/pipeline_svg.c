/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pipeline_svg.c -- a picture of a pipeline
 *
 * Passes differ in height and place as well as in colour, so that a print without colours tells
 * them apart: F is in the upper part of its row, B fills it, W is in the lower part.
 */
#include <string.h>

#include "html_page.h"
#include "pipeline.h"

enum { LEFT = 70, TOP = 46, WIDTH = 900, ROW = 26, GAP = 6, BELOW = 40, RIGHT = 20, TICKS = 10 };

static const struct {
    const char *colour, *what;
    double from, to; /* of the row's height */
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

/* The first chunk in full, the last one nearly white. */
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

static void key(FILE *to, const pipeline *p) {
    double x = LEFT;

    for (pipeline_pass pass = PIPELINE_F; pass < (p->split ? PIPELINE_PASSES : PIPELINE_W);
         pass++) {
        bar(to, x, TOP - 20 + look[pass].from * 12, 22, (look[pass].to - look[pass].from) * 12,
            look[pass].colour, 1);
        html_label(to, x + 28, TOP - 10, "start", look[pass].what);
        x += 150;
    }
    if (p->chunks > 1) html_label(to, x, TOP - 10, "start", "later chunks are paler");
}

void pipeline_svg(FILE *to, const pipeline *p, const pipeline_result *r, const char *title,
                  const char *unit) {
    const double bottom = TOP + (double)p->stages * (ROW + GAP), scale = WIDTH / r->makespan;
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
    key(to, p);
    for (uint32_t s = 0; s < p->stages; s++) {
        const double y = TOP + (double)s * (ROW + GAP);

        snprintf(text, sizeof text, "stage %u", s);
        html_label(to, LEFT - 8, y + ROW / 2.0 + 4, "end", text);
        for (size_t n = p->first[s]; n < p->first[s + 1]; n++)
            entry(to, p, &p->entry[n], LEFT + r->span[n].start * scale,
                  (r->span[n].end - r->span[n].start) * scale, y);
    }
    axis(to, r->makespan, bottom, unit);
    fputs("</svg>\n", to);
}
