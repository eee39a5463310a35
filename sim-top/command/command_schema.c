/* SPDX-License-Identifier: Apache-2.0 */
/* command_schema.c -- acesim schema: what a YAML file of each kind may hold, as JSON Schema */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "cluster_file.h"
#include "command.h"
#include "exit_status.h"
#include "figures.h"
#include "model.h"
#include "option_table.h"
#include "study_file.h"
#include "sweep_file.h"
#include "workload_read.h"

static const struct {
    const char *name, *title;
    cJSON *(*make)(void);
} kinds[] = {
    { "cluster", "A cluster of acesim run", cluster_schema },
    { "accelerator", "What a cluster's NPUs are", accelerator_schema },
    { "workload", "A workload of acesim run", workload_schema },
    { "model", "A model of acesim model, by its sizes", model_schema },
    { "sweep", "A sweep of acesim sweep", sweep_schema },
    { "study", "A study of acesim study: study.yaml", study_schema },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const option_table options = {
    .command = "schema",
    .about =
        "usage: acesim schema cluster|accelerator|workload|model|sweep|study\n\n"
        "Prints the JSON Schema of a YAML file of this kind, made from the tables that read it.\n"
        "An editor with a YAML language server checks a file that begins with\n\n"
        "  # yaml-language-server: $schema=cluster.schema.json\n\n",
    .tail = "\nexample: acesim schema cluster > cluster.schema.json\n",
    .most = -1,
};

int command_schema(int argc, char **argv) {
    unsigned k = 0;
    cJSON *made, *schema = NULL;
    int rc;

    if (!option_table_read(&options, argc, argv, NULL, &rc)) return rc;
    while (argc == 2 && k < KINDS && strcmp(argv[1], kinds[k].name)) k++;
    if (argc != 2 || k == KINDS) {
        fprintf(
            stderr,
            "acesim schema: found '%s', expected one of cluster accelerator workload model sweep study\n",
            argc > 1 ? argv[argc - 1] : "nothing");
        return EXIT_USAGE;
    }
    made = kinds[k].make();
    if (made) schema = cJSON_CreateObject();
    cJSON_AddStringToObject(schema, "$schema", "https://json-schema.org/draft/2020-12/schema");
    cJSON_AddStringToObject(schema, "title", kinds[k].title);
    while (made && made->child) { /* its members follow these two */
        cJSON *item = cJSON_DetachItemViaPointer(made, made->child);
        char name[64];

        snprintf(name, sizeof name, "%s", item->string);
        cJSON_AddItemToObject(schema, name, item);
    }
    cJSON_Delete(made);
    return json_print(schema);
}
