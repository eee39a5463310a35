/* SPDX-License-Identifier: Apache-2.0 */
/* pareto.h -- the Pareto front of points, where less is better in both coordinates, as a picture */
#ifndef PARETO_H
#define PARETO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct pareto_point {
    double x, y;
    const char *label;
    bool front; /* no other point is as good in both and better in one */
} pareto_point;

void pareto_mark(pareto_point *at, size_t count);
/* Draws all points as SVG. The front's points are filled, joined and numbered, and a list below
 * gives their labels. An axis begins at 0 unless all its values are in the upper half. */
void pareto_svg(FILE *to, const pareto_point *at, size_t count, const char *title, const char *x,
                const char *y);

#endif
