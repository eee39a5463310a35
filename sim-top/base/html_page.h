/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_page.h -- writes a report as one HTML page, without scripts or external files
 *
 * Figures are SVG that is readable on paper and without colour. Bars differ by pattern and
 * position, and have their number next to them. All text is escaped here.
 */
#ifndef HTML_PAGE_H
#define HTML_PAGE_H

#include <stdio.h>

/* Patterns a bar may be filled with, from full to empty. */
typedef enum fill { FILL_SOLID, FILL_DIAGONAL, FILL_LINES, FILL_EMPTY, FILLS } fill;

void html_begin(FILE *f, const char *title);
void html_end(FILE *f);
void html_text(FILE *f, const char *s);                     /* escaped */
void html_element(FILE *f, const char *tag, const char *s); /* <tag>s</tag> */
void html_count(FILE *f, double v);                         /* 1,234,567 */

void html_figure(FILE *f, const char *title, double width, double height);
void html_figure_end(FILE *f);
/* x is the "start", "middle" or "end" of the text, by `anchor`; y is the base line. */
void html_label(FILE *f, double x, double y, const char *anchor, const char *s);
void html_bar(FILE *f, double x, double y, double width, double height, fill fill);
void html_key(FILE *f, double x, double y, fill fill, const char *s);
/* Draws a cell shaded by v in 0..1, with v in percent as its text. */
void html_cell(FILE *f, double x, double y, double size, double v);
void html_line(FILE *f, double x1, double y1, double x2, double y2, int dashed);
/* Returns a power of ten times 1, 2 or 5, so that at most `most` steps make up `range`. */
double html_step(double range, unsigned most);

#endif
