/* SPDX-License-Identifier: Apache-2.0 */
/* pareto.c -- draws points and their front. The front's points have numbers, and a list below the
 * axes gives the label and the values of each number. Labels at the points themselves would
 * overlap. */
#include "pareto.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html_page.h"

enum {
    LEFT = 70,
    TOP = 50,
    WIDTH = 620,
    HEIGHT = 340,
    RIGHT = 30,
    BELOW = 60, /* the x axis, above the list of the front */
    LINE = 16,  /* height of a line of that list */
    STEPS = 8
};

/* The range of an axis. `low` is a multiple of `step`. */
typedef struct range {
    double low, high, step;
} range;

/* Begins at 0, unless all values are in the upper half. Then the axis begins closer to the
 * values. */
static range range_of(double least, double most) {
    range r = { .low = 0, .high = most > 0 ? most : 1 };

    if (least > most / 2) r.low = least - (most - least) / 4;
    if (most > 0 && least >= most) r.low = most / 2; /* one value */
    r.step = html_step(r.high - r.low, STEPS);
    r.low = floor(r.low / r.step) * r.step;
    r.high = r.low + ceil((r.high - r.low) / r.step * 1.02) * r.step;
    return r;
}

static double x_of(range r, double v) { return LEFT + (v - r.low) / (r.high - r.low) * WIDTH; }

static double y_of(range r, double v) {
    return TOP + HEIGHT - (v - r.low) / (r.high - r.low) * HEIGHT;
}

static bool beats(const pareto_point *a, const pareto_point *b) {
    return a->x <= b->x && a->y <= b->y && (a->x < b->x || a->y < b->y);
}

void pareto_mark(pareto_point *at, size_t count) {
    for (size_t i = 0; i < count; i++) {
        at[i].front = true;
        for (size_t k = 0; k < count && at[i].front; k++) at[i].front = !beats(&at[k], &at[i]);
    }
}

static void axes(FILE *to, range x, range y) {
    char text[48];

    html_line(to, LEFT, TOP, LEFT, TOP + HEIGHT, 0);
    html_line(to, LEFT, TOP + HEIGHT, LEFT + WIDTH, TOP + HEIGHT, 0);
    for (unsigned i = 0; x.low + i * x.step <= x.high * (1 + 1e-9); i++) {
        snprintf(text, sizeof text, "%.6g", x.low + i * x.step);
        html_label(to, x_of(x, x.low + i * x.step), TOP + HEIGHT + 16, "middle", text);
    }
    for (unsigned i = 0; y.low + i * y.step <= y.high * (1 + 1e-9); i++) {
        snprintf(text, sizeof text, "%.6g", y.low + i * y.step);
        html_label(to, LEFT - 6, y_of(y, y.low + i * y.step) + 4, "end", text);
    }
}

static int by_x(const void *a, const void *b) {
    const pareto_point *p = a, *q = b;

    if (p->x < q->x || p->x > q->x) return p->x < q->x ? -1 : 1;
    return (p->y < q->y) - (p->y > q->y); /* where x is equal, the line goes down */
}

/* ---- numbers next to the front's points ----------------------------------------------------- */

/* Candidate positions of a number's middle, relative to its point. A number has at most three
 * digits. The first position is used that is not too near to another point or number. */
static const struct {
    double x, y;
} positions[] = { { -10, 13 },  { -12, 4 },  { 0, 17 },  { -13, -8 }, { 13, -8 }, { 12, 4 },
                  { 13, 15 },   { 0, -9 },   { -26, 4 }, { -26, 21 }, { 0, 29 },  { 26, 4 },
                  { -26, -14 }, { 26, -14 }, { 26, 21 }, { 0, -21 } };
enum { POSITIONS = sizeof positions / sizeof *positions };

typedef struct mark {
    double x, y;
} mark;

static bool taken(const mark *of, size_t count, double x, double y, double wide, double high) {
    for (size_t i = 0; i < count; i++)
        if (fabs(of[i].x - x) < wide && fabs(of[i].y - y) < high) return true;
    return false;
}

/* Draws a number. points: all points; labels: the positions of earlier numbers, to which this one
 * is added. */
static void number_point(FILE *to, const mark *points, size_t count, mark *labels, size_t number,
                         mark at) {
    char text[24];
    unsigned i = 0;

    /* a number's middle is 4 above its base line */
    while (i + 1 < POSITIONS &&
           (taken(points, count, at.x + positions[i].x, at.y + positions[i].y - 4, 9, 8) ||
            taken(labels, number - 1, at.x + positions[i].x, at.y + positions[i].y, 16, 11)))
        i++;
    labels[number - 1] = (mark){ at.x + positions[i].x, at.y + positions[i].y };
    snprintf(text, sizeof text, "%zu", number);
    html_label(to, labels[number - 1].x, labels[number - 1].y, "middle", text);
}

/* ---- the picture ---------------------------------------------------------------------------- */

static void begin(FILE *to, double height, const char *title) {
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
            "viewBox=\"0 0 %d %.0f\" role=\"img\">\n<title>",
            LEFT + WIDTH + RIGHT, height, LEFT + WIDTH + RIGHT, height);
    html_text(to, title);
    fputs("</title>\n<style>text{font:11px 'DejaVu Sans',Arial,sans-serif;fill:#111}"
          ".t{font-weight:bold;font-size:13px}"
          ".p{stroke:#111;fill:#fff}.f{stroke:#111;fill:#111}"
          ".l{stroke:#111;stroke-width:.8}</style>\n"
          "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
          to);
    fprintf(to, "<text class=\"t\" x=\"%d\" y=\"20\">", LEFT);
    html_text(to, title);
    fputs("</text>\n", to);
}

/* Lists below the picture which point each number is. */
static void list_front(FILE *to, const pareto_point *at, size_t count, const char *x_name,
                       const char *y_name) {
    double y = TOP + HEIGHT + BELOW;
    size_t number = 0;
    char text[256];

    html_label(to, LEFT + 10, y, "start", "the front");
    snprintf(text, sizeof text, "%.100s, %.100s", x_name, y_name);
    html_label(to, LEFT + WIDTH, y, "end", text);
    y += LINE;
    for (size_t i = 0; i < count; i++) {
        if (!at[i].front) continue;
        snprintf(text, sizeof text, "%zu", ++number);
        html_label(to, LEFT, y, "end", text);
        html_label(to, LEFT + 10, y, "start", at[i].label);
        snprintf(text, sizeof text, "%.4g, %.4g", at[i].x, at[i].y);
        html_label(to, LEFT + WIDTH, y, "end", text);
        y += LINE;
    }
}

static void draw(FILE *to, const pareto_point *at, size_t count, mark *points, mark *labels,
                 range x, range y) {
    size_t number = 0;
    mark last = { 0, 0 };

    for (size_t i = 0; i < count; i++) points[i] = (mark){ x_of(x, at[i].x), y_of(y, at[i].y) };
    for (size_t i = 0; i < count; i++) {
        fprintf(to, "<circle class=\"%c\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n",
                at[i].front ? 'f' : 'p', points[i].x, points[i].y);
        if (!at[i].front) continue;
        if (number) html_line(to, last.x, last.y, points[i].x, points[i].y, 1);
        number_point(to, points, count, labels, ++number, points[i]);
        last = points[i];
    }
}

void pareto_svg(FILE *to, const pareto_point *given, size_t count, const char *title,
                const char *x_name, const char *y_name) {
    pareto_point *at = malloc((count + 1) * sizeof *at);
    mark *points = malloc((count + 1) * sizeof *points);
    mark *labels = malloc((count + 1) * sizeof *labels);
    double low[2] = { HUGE_VAL, HUGE_VAL }, high[2] = { 0, 0 };
    size_t front = 0;

    if (at && points && labels) { /* else an empty picture */
        memcpy(at, given, count * sizeof *at);
        qsort(at, count, sizeof *at, by_x);
        for (size_t i = 0; i < count; i++) {
            low[0] = fmin(low[0], at[i].x);
            low[1] = fmin(low[1], at[i].y);
            high[0] = fmax(high[0], at[i].x);
            high[1] = fmax(high[1], at[i].y);
            front += at[i].front;
        }
        const range x = range_of(low[0], high[0]), y = range_of(low[1], high[1]);

        begin(to, TOP + HEIGHT + BELOW + (double)(front + 1) * LINE, title);
        axes(to, x, y);
        html_label(to, LEFT + WIDTH / 2.0, TOP + HEIGHT + 36, "middle", x_name);
        html_label(to, LEFT - 6, TOP - 12, "start", y_name);
        draw(to, at, count, points, labels, x, y);
        list_front(to, at, count, x_name, y_name);
        fputs("</svg>\n", to);
    }
    free(at);
    free(points);
    free(labels);
}
