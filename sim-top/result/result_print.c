/* SPDX-License-Identifier: Apache-2.0 */
/* result_print.c -- prints results as a table, JSON or CSV, for all commands */
#include "result_print.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "build_info.h"
#include "exit_status.h"
#include "figures.h"
#include "message.h"
#include "result_members.h"

cJSON *result_begin(void) {
    cJSON *const root = cJSON_CreateObject();

    cJSON_AddStringToObject(root, "tool", "acesim");
    cJSON_AddStringToObject(root, "version", acesim_version);
    return root;
}

/* Prints a line for each object of a list. A result that is not a list is the only line. */
static int print_csv(const cJSON *result, const char *rows) {
    const cJSON *const list = rows ? cJSON_GetObjectItem(result, rows) : result;
    cJSON *line;

    if (cJSON_IsArray(list)) {
        json_print_csv(list);
        return EXIT_OK;
    }
    line = cJSON_CreateArray();
    if (!line || !cJSON_AddItemReferenceToArray(line, (cJSON *)(uintptr_t)list)) {
        cJSON_Delete(line);
        return message_no_memory();
    }
    json_print_csv(line);
    cJSON_Delete(line);
    return EXIT_OK;
}

/* Returns an object with the tool, its version and the command line, followed by the result. */
static cJSON *begun(cJSON *result, const option_line *line) {
    cJSON *const root = result_begin();

    cJSON_AddItemToObject(root, "command", option_line_arguments(line));
    while (root && result->child) {
        cJSON *const item = cJSON_DetachItemViaPointer(result, result->child);
        char *const name = item->string;

        item->string = NULL; /* the new object copies the name */
        cJSON_AddItemToObject(root, name, item);
        cJSON_free(name);
    }
    cJSON_Delete(result);
    return root;
}

int result_print(cJSON *result, format how, const result_form *form) {
    int rc = EXIT_OK;

    if (how == FORMAT_JSON) return json_print(form->line ? begun(result, form->line) : result);
    if (how == FORMAT_CSV)
        rc = print_csv(result, form->rows);
    else
        form->table(result, form->self);
    cJSON_Delete(result);
    return rc;
}

/* Prints counts with separators, and text as it is. */
static void print_value(const cJSON *v) {
    char text[FIGURE], *plain;
    uint64_t whole;

    if (cJSON_IsString(v)) {
        fputs(v->valuestring, stdout);
    } else if (json_unsigned(v, &whole)) {
        fputs(figure_unsigned(whole, text), stdout);
    } else if (cJSON_IsNumber(v) && v->valuedouble == floor(v->valuedouble)) {
        fputs(figure_count(v->valuedouble, text), stdout);
    } else {
        plain = json_text(v, false);
        fputs(plain ? plain : "?", stdout);
        cJSON_free(plain);
    }
}

void result_print_members(const char *command, const cJSON *result) {
    const cJSON *v;

    cJSON_ArrayForEach(v, result) {
        const result_member *m;

        if (cJSON_IsObject(v) || cJSON_IsArray(v)) continue;
        printf("%-32s", v->string);
        print_value(v);
        m = result_member_find(command, v->string);
        if (m && *m->unit) printf(" %s", m->unit);
        printf("\n");
    }
}
