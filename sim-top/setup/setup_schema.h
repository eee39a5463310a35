/* SPDX-License-Identifier: Apache-2.0 */
/* setup_schema.h -- the fields of setup_fields.def as JSON Schema */
#ifndef SETUP_SCHEMA_H
#define SETUP_SCHEMA_H

#include "setup_fields.h"
#include "yaml_schema.h"

/* Returns the schema of a field's value in a cluster file. */
cJSON *setup_schema(const setup_field *f);
/* Returns the schema of a mapping of options that sweeps may set to a value or a list. */
cJSON *setup_options_schema(int where);

#endif
