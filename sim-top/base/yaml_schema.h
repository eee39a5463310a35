/* SPDX-License-Identifier: Apache-2.0 */
/* yaml_schema.h -- makes a JSON Schema from the table of keys that reads a YAML file */
#ifndef YAML_SCHEMA_H
#define YAML_SCHEMA_H

#include <cjson/cJSON.h>

#include "yaml_file.h"

/* Returns the schema of a value that key->parse reads, if it is more exact than key->accepted. */
typedef cJSON *yaml_value_schema(const yaml_key *key);

/* Returns the schema of a mapping with these keys and no others. value: NULL if nothing more exact
 * is known. Then a value is any scalar, described by `accepted`. */
cJSON *yaml_schema(const yaml_key *keys, yaml_value_schema *value);

/* Returns the schema of a single value, or a list of at least one. */
cJSON *yaml_schema_or_list(cJSON *one);

#endif
