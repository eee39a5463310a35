/* SPDX-License-Identifier: Apache-2.0 */
/* yaml_schema.h -- the keys of a YAML file as a JSON Schema, made from the table that reads them */
#ifndef YAML_SCHEMA_H
#define YAML_SCHEMA_H

#include <cjson/cJSON.h>

#include "yaml_file.h"

/* The schema of a value that key->parse reads, where more is known of it than key->accepted says.
 */
typedef cJSON *yaml_value_schema(const yaml_key *key);

/* Of a mapping with these keys and no others.  value: NULL where nothing more is known.  A value is
 * then any scalar, and `accepted` its description. */
cJSON *yaml_schema(const yaml_key *keys, yaml_value_schema *value);

/* One value, or a list of one or more. */
cJSON *yaml_schema_or_list(cJSON *one);

#endif
