/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_schema.c -- walks the table of keys that the reader uses, and writes a JSON Schema
 *
 * Scalars are typed loosely, since the reader parses them as text. A caller may describe values
 * more exactly.
 */
#include "yaml_schema.h"

static cJSON *scalar(const char *description) {
    static const char *const types[] = { "string", "number", "boolean" };
    cJSON *o = cJSON_CreateObject();

    cJSON_AddItemToObject(o, "type", cJSON_CreateStringArray(types, 3));
    if (description) cJSON_AddStringToObject(o, "description", description);
    return o;
}

cJSON *yaml_schema_or_list(cJSON *one) {
    cJSON *o = cJSON_CreateObject(), *either = cJSON_AddArrayToObject(o, "anyOf");
    cJSON *list = cJSON_CreateObject();

    cJSON_AddItemToArray(either, cJSON_Duplicate(one, true));
    cJSON_AddStringToObject(list, "type", "array");
    cJSON_AddItemToObject(list, "items", one);
    cJSON_AddNumberToObject(list, "minItems", 1);
    cJSON_AddItemToArray(either, list);
    return o;
}

/* Returns the schema of a list of mappings, one alternative for each kind. */
static cJSON *rows_schema(const yaml_items *items) {
    cJSON *list = cJSON_CreateObject(), *row = cJSON_CreateObject();
    cJSON *one_of = cJSON_AddArrayToObject(row, "oneOf");

    for (const char *const *kind = items->rows->names; *kind; kind++) {
        cJSON *keys = yaml_schema(items->rows->keys(items->self, *kind), NULL);
        cJSON *is = cJSON_CreateObject();

        cJSON_AddStringToObject(is, "const", *kind);
        cJSON_AddItemToObject(cJSON_GetObjectItem(keys, "properties"), "kind", is);
        if (!cJSON_GetObjectItem(keys, "required")) cJSON_AddArrayToObject(keys, "required");
        cJSON_AddItemToArray(cJSON_GetObjectItem(keys, "required"), cJSON_CreateString("kind"));
        cJSON_AddItemToArray(one_of, keys);
    }
    cJSON_AddStringToObject(list, "type", "array");
    cJSON_AddItemToObject(list, "items", row);
    cJSON_AddNumberToObject(list, "minItems", 1);
    return list;
}

/* Returns the schema of a single value, a list, a mapping of names to either, or a list of
 * mappings. */
static cJSON *items_schema(const yaml_key *key) {
    const yaml_items *const items = key->to;
    cJSON *o = cJSON_CreateObject(), *any = cJSON_AddArrayToObject(o, "anyOf"), *named;

    cJSON_AddStringToObject(o, "description", key->accepted);
    if (items->rows) {
        cJSON_AddItemToArray(any, scalar(NULL));
        cJSON_AddItemToArray(any, rows_schema(items));
        return o;
    }
    cJSON_AddItemToArray(any, yaml_schema_or_list(scalar(NULL)));
    named = cJSON_CreateObject();
    cJSON_AddStringToObject(named, "type", "object");
    cJSON_AddItemToObject(named, "additionalProperties", yaml_schema_or_list(scalar(NULL)));
    cJSON_AddItemToArray(any, named);
    return o;
}

cJSON *yaml_schema(const yaml_key *keys, yaml_value_schema *value) {
    cJSON *o = cJSON_CreateObject(), *properties, *required = NULL;

    cJSON_AddStringToObject(o, "type", "object");
    properties = cJSON_AddObjectToObject(o, "properties");
    for (const yaml_key *k = keys; k->name; k++) {
        cJSON_AddItemToObject(properties, k->name,
                              k->map      ? yaml_schema(k->map, value)
                              : !k->parse ? items_schema(k)
                              : value     ? value(k)
                                          : scalar(k->accepted));
        if (!k->required) continue;
        if (!required) required = cJSON_AddArrayToObject(o, "required");
        cJSON_AddItemToArray(required, cJSON_CreateString(k->name));
    }
    cJSON_AddFalseToObject(o, "additionalProperties");
    return o;
}
