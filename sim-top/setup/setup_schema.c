/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup_schema.c -- makes the JSON Schema of a field, by its type
 *
 * Names become an enumeration, and quantities a pattern with their units. A command is an object
 * with a property for each option.
 */
#include "setup_schema.h"

#include <stdlib.h>
#include <string.h>

/* YAML reads some names as truth values, so these are accepted as well. */
static void add_names(cJSON *o, const setup_field *f) {
    cJSON *list = cJSON_AddArrayToObject(o, "enum");

    if (f->type == SETUP_TYPE_SWITCH || f->type == SETUP_TYPE_FLAG) {
        cJSON_AddItemToArray(list, cJSON_CreateString("on"));
        cJSON_AddItemToArray(list, cJSON_CreateString("off"));
        cJSON_AddItemToArray(list, cJSON_CreateTrue());
        cJSON_AddItemToArray(list, cJSON_CreateFalse());
        return;
    }
    for (unsigned i = 0; f->names[i]; i++)
        if (*f->names[i]) cJSON_AddItemToArray(list, cJSON_CreateString(f->names[i]));
}

/* Adds the pattern of a number with a unit. */
static void add_pattern(cJSON *o, quantity of) {
    const value_unit *const units = quantity_units(of);
    const bool bare = !*units->name;
    char pattern[120];
    size_t n =
        (size_t)snprintf(pattern, sizeof pattern, "^[0-9]+(\\.[0-9]*)?([eE][-+]?[0-9]+)? *(");

    for (const value_unit *u = units + bare; u->name; u++)
        n += (size_t)snprintf(pattern + n, sizeof pattern - n, "%s%s", u->name,
                              u[1].name ? "|" : "");
    snprintf(pattern + n, sizeof pattern - n, bare ? ")?$" : ")$");
    cJSON_AddStringToObject(o, "pattern", pattern);
}

static void add_numbers(cJSON *o, const setup_field *f) {
    static const char *const types[] = { "integer", "string" };
    cJSON *list = f->of ? cJSON_AddArrayToObject(o, "enum") : NULL;
    const char *at = f->of;

    if (f->time_at) {
        cJSON_AddItemToObject(o, "type", cJSON_CreateStringArray(types, 2));
        add_pattern(o, QUANTITY_TIME); /* of a text alone, as the range is of a number alone */
    } else {
        cJSON_AddStringToObject(o, "type", "integer");
    }
    while (at && *at) {
        char *end;

        cJSON_AddItemToArray(list, cJSON_CreateNumber((double)strtoull(at, &end, 10)));
        at = end;
    }
    if (list) return;
    cJSON_AddNumberToObject(o, "minimum", (double)f->low);
    cJSON_AddNumberToObject(o, "maximum", (double)f->high);
}

/* A number with a unit, or without one where the quantity's units have an empty name. */
static void add_quantity(cJSON *o, quantity of) {
    static const char *const types[] = { "string", "number" };

    if (!*quantity_units(of)->name)
        cJSON_AddItemToObject(o, "type", cJSON_CreateStringArray(types, 2));
    else
        cJSON_AddStringToObject(o, "type", "string");
    add_pattern(o, of);
}

static void add_topology(cJSON *o) {
    static const char *const types[] = { "string", "integer" };
    static const char one[] = "(Ring|Switch|FullyConnected|Links)\\([0-9]+\\)";
    char pattern[200];

    snprintf(pattern, sizeof pattern, "^([0-9]+(x[0-9]+){0,3}|%s(_%s){0,3})$", one, one);
    cJSON_AddItemToObject(o, "type", cJSON_CreateStringArray(types, 2));
    cJSON_AddStringToObject(o, "pattern", pattern);
}

static void add_type(cJSON *o, const setup_field *f) {
    switch (f->type) {
    case SETUP_TYPE_FLAG:
    case SETUP_TYPE_SWITCH:
    case SETUP_TYPE_CHOICE:
    case SETUP_TYPE_WORD:
    case SETUP_TYPE_OP: add_names(o, f); return;
    case SETUP_TYPE_COUNT:
    case SETUP_TYPE_COUNT64:
    case SETUP_TYPE_COUNTS: add_numbers(o, f); return;
    case SETUP_TYPE_SIZE:
    case SETUP_TYPE_BANDWIDTH:
    case SETUP_TYPE_BANDWIDTHS:
    case SETUP_TYPE_CLOCK:
    case SETUP_TYPE_RATE:
    case SETUP_TYPE_TIME: add_quantity(o, setup_quantity(f)); return;
    case SETUP_TYPE_FRACTION:
    case SETUP_TYPE_SHARE:
        cJSON_AddStringToObject(o, "type", "number");
        cJSON_AddNumberToObject(o, f->type == SETUP_TYPE_FRACTION ? "exclusiveMinimum" : "minimum",
                                0);
        cJSON_AddNumberToObject(o, "maximum", 1);
        return;
    case SETUP_TYPE_FACTOR:
        cJSON_AddStringToObject(o, "type", "number");
        cJSON_AddNumberToObject(o, "minimum", 0.001);
        cJSON_AddNumberToObject(o, "maximum", 1000);
        return;
    case SETUP_TYPE_TOPOLOGY: add_topology(o); return;
    case SETUP_TYPE_TEXT:
        cJSON_AddNumberToObject(o, "minLength", (double)f->low);
        cJSON_AddNumberToObject(o, "maxLength", (double)f->high);
        cJSON_AddStringToObject(o, "type", "string");
        return;
    case SETUP_TYPE_STRING:
    case SETUP_TYPE_FILE:
    case SETUP_TYPE_FAULTS:
    case SETUP_TYPE_DIMS: cJSON_AddStringToObject(o, "type", "string"); return;
    }
}

cJSON *setup_schema(const setup_field *f) {
    cJSON *o = cJSON_CreateObject();
    char text[200];

    setup_accepted(f, text, sizeof text);
    add_type(o, f);
    cJSON_AddStringToObject(o, "description", text);
    if (f->initial) cJSON_AddStringToObject(o, "$comment", f->initial);
    return o;
}

cJSON *setup_options_schema(int where) {
    static const char *const types[] = { "string", "number", "boolean" };
    cJSON *o = cJSON_CreateObject(), *properties;

    cJSON_AddStringToObject(o, "type", "object");
    properties = cJSON_AddObjectToObject(o, "properties");
    for (const setup_field *f = setup_fields; f < setup_fields + SETUP_FIELDS; f++) {
        cJSON *one;
        char text[400];

        if (!(f->where & where) || f->part == SETUP_PART_OUTPUT) continue;
        one = cJSON_CreateObject();
        setup_help(f, text, sizeof text);
        cJSON_AddItemToObject(one, "type", cJSON_CreateStringArray(types, 3));
        cJSON_AddStringToObject(one, "description", text);
        cJSON_AddItemToObject(properties, f->option, yaml_schema_or_list(one));
    }
    cJSON_AddFalseToObject(o, "additionalProperties");
    return o;
}
