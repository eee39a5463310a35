/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_page.c -- the style sheet and the SVG shapes of a report page
 *
 * Patterns are drawn as lines and not as SVG patterns, because printers convert patterns to
 * pictures. Every text goes through html_text(), which escapes it and replaces bytes that are not
 * UTF-8.
 */
#include "html_page.h"

#include <math.h>

#include "figures.h"
#include "names.h"

static const char style[] =
    "body{font:15px/1.45 'DejaVu Sans',Arial,sans-serif;color:#111;background:#fff;"
    "max-width:60em;margin:1.5em auto;padding:0 1em}\n"
    "h1{font-size:1.6em}h2{font-size:1.3em;border-top:2px solid #111;padding-top:.5em;"
    "margin-top:2em}h3{font-size:1.05em;margin-bottom:.4em}\n"
    "table{border-collapse:collapse;margin:.5em 0}th,td{border-bottom:1px solid #999;"
    "padding:.15em .7em;text-align:right;font-variant-numeric:tabular-nums}"
    "th:first-child,td:first-child{text-align:left}thead th{border-bottom:2px solid #111}\n"
    "code{font:13px 'DejaVu Sans Mono',monospace;overflow-wrap:anywhere}\n"
    "figure{margin:.5em 0}svg{max-width:100%;height:auto}"
    "svg text{font:11px 'DejaVu Sans',Arial,sans-serif;fill:#111}\n"
    ".b{stroke:#111;stroke-width:.6}.c{stroke:#888;stroke-width:.5}"
    ".d{stroke:#a04000;stroke-width:1.6}.l{stroke:#1f3a6e;stroke-width:1}"
    "svg .m{text-anchor:middle}svg .w{fill:#fff}\n"
    ".wide{overflow-x:auto}\n"
    /* A phone: a row of the table of runs is a list, with the label of each run. */
    "@media screen and (max-width:40em){td,code{overflow-wrap:anywhere}.runs,.runs tbody,.runs tr,"
    ".runs td{display:block}.runs thead{display:none}.runs tr{border-bottom:1px solid #999;"
    "padding:.3em 0}.runs td{border:0;padding:.05em .2em}.runs td:first-child{font-weight:bold}"
    ".runs td[data-run]::before{content:attr(data-run);float:left;color:#555;padding-right:1em}"
    "figure.wide svg{max-width:none}figure.wide svg[width='540']{max-width:100%}}\n"
    "@media print{body{font-size:10pt;margin:0;max-width:none}figure,tr,table.whole,h2,h3"
    "{break-inside:avoid}h2,h3{break-after:avoid}.wide{overflow:visible}}\n";

static const char *const fills[FILLS] = { "#1f4e79", "#fde3c0", "#e3e8f2", "#fff" };

void html_text(FILE *f, const char *s) {
    for (size_t n; *s; s += n ? n : 1) {
        n = utf8_character(s);
        switch (*s) {
        case '&': fputs("&amp;", f); break;
        case '<': fputs("&lt;", f); break;
        case '>': fputs("&gt;", f); break;
        case '"': fputs("&quot;", f); break;
        case '\'': fputs("&#39;", f); break;
        default:
            /* characters that XML does not allow */
            if (!n)
                fputs(UTF8_INSTEAD, f);
            else if ((unsigned char)*s >= 32 || *s == '\n' || *s == '\t')
                fwrite(s, 1, n, f);
        }
    }
}

void html_element(FILE *f, const char *tag, const char *s) {
    fprintf(f, "<%s>", tag);
    html_text(f, s);
    fprintf(f, "</%s>", tag);
}

void html_count(FILE *f, double v) {
    char text[FIGURE];

    fputs(figure_count(round(v), text), f);
}

void html_begin(FILE *f, const char *title) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
          f);
    html_text(f, title);
    fprintf(f, "</title>\n<style>\n%s</style></head>\n<body>\n", style);
    html_element(f, "h1", title);
    fputc('\n', f);
}

void html_end(FILE *f) { fputs("</body></html>\n", f); }

void html_figure(FILE *f, const char *title, double width, double height) {
    fprintf(f,
            "<figure class=\"wide\"><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
            "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"",
            width, height, width, height);
    html_text(f, title);
    fputs("\">\n", f);
}

void html_figure_end(FILE *f) { fputs("</svg></figure>\n", f); }

void html_label(FILE *f, double x, double y, const char *anchor, const char *s) {
    fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    html_text(f, s);
    fputs("</text>\n", f);
}

/* Lines rather than SVG patterns, which become pictures in a printed file. */
static void hatch(FILE *f, double x, double y, double width, double height, fill fill) {
    fprintf(f, "<path class=\"%s\" d=\"", fill == FILL_DIAGONAL ? "d" : "l");
    for (double at = 4; fill == FILL_LINES && at < height; at += 4)
        fprintf(f, "M%.1f %.1fh%.1f", x, y + at, width);
    for (double at = 8 - height; fill == FILL_DIAGONAL && at < width; at += 8) {
        const double from = at > 0 ? at : 0, to = at + height < width ? at + height : width;

        fprintf(f, "M%.1f %.1fl%.1f %.1f", x + from, y + height - (from - at), to - from,
                from - to);
    }
    fputs("\"/>\n", f);
}

void html_bar(FILE *f, double x, double y, double width, double height, fill fill) {
    if (width < 0.05) return;
    fprintf(f,
            "<rect class=\"b\" x=\"%.1f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\" "
            "fill=\"%s\"/>\n",
            x, y, width, height, fills[fill]);
    if (fill == FILL_DIAGONAL || fill == FILL_LINES) hatch(f, x, y, width, height, fill);
}

void html_key(FILE *f, double x, double y, fill fill, const char *s) {
    html_bar(f, x, y - 10, 22, 12, fill);
    html_label(f, x + 28, y, "start", s);
}

void html_cell(FILE *f, double x, double y, double size, double v) {
    const unsigned grey = 255 - (unsigned)(v * 225 + 0.5);

    fprintf(f,
            "<rect class=\"c\" x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" "
            "fill=\"#%02x%02x%02x\"/><text class=\"%s\" x=\"%.1f\" y=\"%.0f\">%.0f</text>\n",
            x, y, size, size, grey, grey, grey, v > 0.5 ? "m w" : "m", x + size / 2,
            y + size / 2 + 4, v * 100);
}

void html_line(FILE *f, double x1, double y1, double x2, double y2, int dashed) {
    fprintf(f, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#111\" stroke-width=\"%s\"%s/>\n", x1, y1,
            x2, y2, dashed ? "1" : "0.6", dashed ? " stroke-dasharray=\"5 3\"" : "");
}

double html_step(double range, unsigned most) {
    const double rough = range / most, power = pow(10, floor(log10(rough)));
    const double f = rough / power;

    return power * (f <= 1 ? 1 : f <= 2 ? 2 : f <= 5 ? 5 : 10);
}
