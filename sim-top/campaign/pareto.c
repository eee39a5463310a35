/* SPDX-License-Identifier: Apache-2.0 */
/* pareto.c -- points and their front as a picture: the front's points have numbers, and a list
 * below the axes says what each number is and where it stands.  Labels at the points themselves
 * would lie over one another. */
#include "pareto.h"

#include <stdlib.h>
#include <string.h>

#include "html_page.h"

enum { LEFT = 70, TOP = 30, WIDTH = 560, HEIGHT = 340, RIGHT = 20, BELOW = 50, STEPS = 8 };

static bool beats(const pareto_point *a, const pareto_point *b) {
    return a->x <= b->x && a->y <= b->y && (a->x < b->x || a->y < b->y);
}

void pareto_mark(pareto_point *at, size_t count) {
    for (size_t i = 0; i < count; i++) {
        at[i].front = true;
        for (size_t k = 0; k < count && at[i].front; k++) at[i].front = !beats(&at[k], &at[i]);
    }
}

static void axes(FILE *to, double x, double y) {
    char text[48];

    html_line(to, LEFT, TOP, LEFT, TOP + HEIGHT, 0);
    html_line(to, LEFT, TOP + HEIGHT, LEFT + WIDTH, TOP + HEIGHT, 0);
    for (double v = 0, step = html_step(x, STEPS); v <= x; v += step) {
        snprintf(text, sizeof text, "%g", v);
        html_label(to, LEFT + v / x * WIDTH, TOP + HEIGHT + 16, "middle", text);
    }
    for (double v = 0, step = html_step(y, STEPS); v <= y; v += step) {
        snprintf(text, sizeof text, "%g", v);
        html_label(to, LEFT - 6, TOP + HEIGHT - v / y * HEIGHT + 4, "end", text);
    }
}

static int by_x(const void *a, const void *b) {
    const pareto_point *p = a, *q = b;

    return (p->x > q->x) - (p->x < q->x);
}

void pareto_svg(FILE *to, const pareto_point *given, size_t count, const char *title,
                const char *x_name, const char *y_name) {
    pareto_point *at = malloc((count + 1) * sizeof *at);
    double x = 0, y = 0, last_x = -1, last_y = 0;

    if (!at) return; /* an empty picture */
    memcpy(at, given, count * sizeof *at);
    qsort(at, count, sizeof *at, by_x);
    for (size_t i = 0; i < count; i++) {
        if (at[i].x > x) x = at[i].x;
        if (at[i].y > y) y = at[i].y;
    }
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
            "%d\" role=\"img\">\n<title>",
            LEFT + WIDTH + RIGHT, TOP + HEIGHT + BELOW, LEFT + WIDTH + RIGHT, TOP + HEIGHT + BELOW);
    html_text(to, title);
    fputs("</title>\n<style>text{font:11px 'DejaVu Sans',Arial,sans-serif;fill:#111}"
          ".p{stroke:#111;fill:#fff}.f{stroke:#111;fill:#111}"
          ".l{stroke:#111;stroke-width:.8}</style>\n"
          "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
          to);
    html_label(to, LEFT, TOP - 12, "start", title);
    axes(to, x > 0 ? x : 1, y > 0 ? y : 1);
    html_label(to, LEFT + WIDTH / 2.0, TOP + HEIGHT + 36, "middle", x_name);
    html_label(to, LEFT + 6, TOP + 10, "start", y_name);
    for (size_t i = 0; i < count && x > 0 && y > 0; i++) {
        const double px = LEFT + at[i].x / x * WIDTH, py = TOP + HEIGHT - at[i].y / y * HEIGHT;

        fprintf(to, "<circle class=\"%c\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n",
                at[i].front ? 'f' : 'p', px, py);
        if (!at[i].front) continue;
        if (last_x >= 0) html_line(to, last_x, last_y, px, py, 1);
        html_label(to, px + 5, py - 5, px > LEFT + WIDTH * 0.7 ? "end" : "start", at[i].label);
        last_x = px;
        last_y = py;
    }
    fputs("</svg>\n", to);
    free(at);
}
