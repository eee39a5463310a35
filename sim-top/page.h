/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page.h -- a report as one page of HTML: no scripts, nothing fetched
 *
 * Figures are SVG that is readable on paper and without colour: what differs has another
 * pattern or place, and its number beside it.  Text is escaped here, and only here.
 */
#ifndef PAGE_H
#define PAGE_H

#include <stdio.h>

/* Patterns a bar may be filled with, from full to empty. */
typedef enum fill { FILL_SOLID, FILL_DIAGONAL, FILL_LINES, FILL_EMPTY, FILLS } fill;

void page_begin(FILE *f, const char *title);
void page_end(FILE *f);
void page_text(FILE *f, const char *s);                     /* escaped */
void page_element(FILE *f, const char *tag, const char *s); /* <tag>s</tag> */
void page_count(FILE *f, double v);                         /* 1,234,567 */

void page_figure(FILE *f, const char *title, double width, double height);
void page_figure_end(FILE *f);
/* anchor: "start", "middle" or "end", at x; y is the base line. */
void page_label(FILE *f, double x, double y, const char *anchor, const char *s);
void page_bar(FILE *f, double x, double y, double width, double height, fill fill);
void page_key(FILE *f, double x, double y, fill fill, const char *s);
/* A cell shaded by v in 0..1, with v in percent in it. */
void page_cell(FILE *f, double x, double y, double size, double v);
void page_line(FILE *f, double x1, double y1, double x2, double y2, int dashed);
/* A power of ten times 1, 2 or 5: at most `most` steps make up `range`. */
double page_step(double range, unsigned most);

#endif
