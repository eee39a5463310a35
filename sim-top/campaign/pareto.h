/* SPDX-License-Identifier: Apache-2.0 */
/* pareto.h -- points of which less is better in both coordinates, and their front */
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
/* A picture of all points.  The front's points are filled, joined and numbered; a list of their
 * labels is below.  An axis begins at 0 unless all its values are in the upper half. */
void pareto_svg(FILE *to, const pareto_point *at, size_t count, const char *title, const char *x,
                const char *y);

#endif
