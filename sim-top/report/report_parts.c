/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report_parts.c -- the page of results of other commands than acesim collective and run
 *
 * A result of train, astra or msccl has a table of the parts of its time. A result of train also
 * has a table of its stages. A result of any other command has a table of its members, and a table
 * for each of its lists.
 */
#include <string.h>

#include "html_page.h"
#include "report_page.h"
#include "result_members.h"
#include "result_parts.h"

enum { ROWS = 200, COLUMNS = 16 }; /* of a table, maximum */

/* Writes two cells: a count, and its share of the run in percent. */
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
    for (const result_part *p = result_parts(r); p->key; p++) {
        const double cycles = saved_number(r->root, p->key);

        if (!(cycles > 0)) continue;
        fputs("<tr>", f);
        html_element(f, "td", p->name);
        part_cells(f, cycles, r->cycles);
        html_element(f, "td", p->help);
        fputs("</tr>\n", f);
    }
    fputs("</table>\n", f);
}

static void stages_table(FILE *f, const saved_run *r) {
    const result_part *const parts = result_parts(r), *p;
    const cJSON *stage;

    html_element(f, "h3", "Stages of the pipeline");
    fputs("<div class=\"wide\"><table><thead><tr><th>stage</th>", f);
    for (p = parts; p->key; p++)
        if (saved_number(r->root, p->key) > 0) {
            html_element(f, "th", p->name);
            fputs("<th>%</th>", f);
        }
    fputs("<th>memory, GiB</th></tr></thead>\n", f);
    cJSON_ArrayForEach(stage, saved_item(r->root, "stages")) {
        char text[32];

        snprintf(text, sizeof text, "%.0f", saved_number(stage, "stage"));
        fputs("<tr>", f);
        html_element(f, "td", text);
        for (p = parts; p->key; p++)
            if (saved_number(r->root, p->key) > 0)
                part_cells(f, saved_number(stage, p->key), r->cycles);
        snprintf(text, sizeof text, "%.2f", saved_number(stage, "memory_peak_bytes") / 0x1p30);
        html_element(f, "td", text);
        fputs("</tr>\n", f);
    }
    fputs("</table></div>\n", f);
}

/* ---- members of any result ------------------------------------------------------------------ */

static void value_cell(FILE *f, const cJSON *v) {
    char text[40] = "";

    fputs("<td>", f);
    if (cJSON_IsNumber(v))
        snprintf(text, sizeof text, "%.9g", v->valuedouble);
    else if (cJSON_IsBool(v))
        snprintf(text, sizeof text, "%s", cJSON_IsTrue(v) ? "yes" : "no");
    html_text(f, cJSON_IsString(v) ? v->valuestring : text);
    fputs("</td>", f);
}

/* Writes a meaning without its Markdown: `x` and [x](y) become x. */
static void meaning_cell(FILE *f, const char *meaning) {
    char text[400];
    size_t n = 0;

    for (const char *s = meaning; *s && n + 1 < sizeof text; s++) {
        if (s[0] == ']' && s[1] == '(')
            s += strcspn(s, ")");
        else if (*s != '`' && *s != '[')
            text[n++] = *s;
    }
    text[n] = '\0';
    html_element(f, "td", text);
}

static bool is_scalar(const cJSON *v) { return !cJSON_IsArray(v) && !cJSON_IsObject(v); }

/* Returns the member `name` of the list or object `path`. Its unit and meaning are "" if
 * unknown. */
static result_member member_of(const saved_run *r, const char *path, const char *name) {
    char whole[200];
    const result_member *m;

    snprintf(whole, sizeof whole, "%s%s%s", path, *path ? "." : "", name);
    m = result_member_find(*r->command ? r->command : NULL, whole);
    return m ? *m : (result_member){ .unit = "", .meaning = "" };
}

static void members_table(FILE *f, const saved_run *r, const cJSON *object, const char *path) {
    const cJSON *v;

    fputs("<table><thead><tr><th>member</th><th>value</th><th>unit</th><th>what it "
          "is</th></tr></thead>\n",
          f);
    cJSON_ArrayForEach(v, object) {
        const result_member m = member_of(r, path, v->string);

        if (!is_scalar(v)) continue;
        fputs("<tr>", f);
        html_element(f, "td", v->string);
        value_cell(f, v);
        html_element(f, "td", m.unit);
        meaning_cell(f, m.meaning);
        fputs("</tr>\n", f);
    }
    fputs("</table>\n", f);
}

/* Writes a list of objects with a row for each. The members of the first object are the columns. */
static void list_table(FILE *f, const saved_run *r, const cJSON *list) {
    const char *names[COLUMNS];
    const cJSON *v, *row;
    unsigned columns = 0, rows = 0;
    char text[80];

    html_element(f, "h3", list->string);
    fputs("<div class=\"wide\"><table><thead><tr>", f);
    cJSON_ArrayForEach(v, list->child) {
        const char *const unit = member_of(r, list->string, v->string).unit;

        if (!is_scalar(v) || columns == COLUMNS) continue;
        names[columns++] = v->string;
        snprintf(text, sizeof text, "%.40s%s%s", v->string, *unit ? ", " : "", unit);
        html_element(f, "th", text);
    }
    fputs("</tr></thead>\n", f);
    cJSON_ArrayForEach(row, list) {
        if (rows++ == ROWS) break;
        fputs("<tr>", f);
        for (unsigned c = 0; c < columns; c++) value_cell(f, saved_item(row, names[c]));
        fputs("</tr>\n", f);
    }
    fputs("</table></div>\n", f);
    if (cJSON_GetArraySize(list) <= ROWS) return;
    snprintf(text, sizeof text, "%d of %d rows are shown.", ROWS, cJSON_GetArraySize(list));
    html_element(f, "p", text);
}

static void all_members(FILE *f, const saved_run *r) {
    const cJSON *v;

    html_element(f, "h3", "The result");
    members_table(f, r, r->root, "");
    cJSON_ArrayForEach(v, r->root) {
        if (cJSON_IsArray(v) && cJSON_IsObject(v->child)) list_table(f, r, v);
        if (!cJSON_IsObject(v) || !v->child || !is_scalar(v->child)) continue;
        html_element(f, "h3", v->string);
        members_table(f, r, v, v->string);
    }
}

void report_parts(FILE *f, const saved_run *r) {
    if (result_parts(r)) parts_table(f, r);
    if (!strcmp(r->command, "train"))
        stages_table(f, r);
    else
        all_members(f, r);
}
