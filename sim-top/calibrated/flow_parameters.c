/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow_parameters.c -- the list of parameters, expanded from FLOW
 *
 * The fit and the file reach a value by its index in the struct, so a new parameter is one new
 * line.
 */
#include "flow_parameters.h"

#include <stddef.h>

#define FLOW_COUNT_1 ACE_CLUSTER_DIMENSIONS
#define FLOW_COUNT_0 1
const flow_parameter flow_parameter_list[] = {
#define FLOW(name, each, beside, initial, least, most, unit, fitted_on, text) \
    { #name,                                                                  \
      unit,                                                                   \
      fitted_on,                                                              \
      text,                                                                   \
      (unsigned)(offsetof(flow_parameters, name) / sizeof(double)),           \
      FLOW_COUNT_##each,                                                      \
      (beside),                                                               \
      (initial),                                                              \
      (least),                                                                \
      (most) },
#include "flow_parameters.def"
#undef FLOW
};
const unsigned flow_parameter_count = sizeof flow_parameter_list / sizeof *flow_parameter_list;

flow_parameters flow_parameters_initial(void) {
    flow_parameters p;
    double *value = (double *)&p;

    for (unsigned i = 0; i < flow_parameter_count; i++)
        for (unsigned k = 0; k < flow_parameter_list[i].count; k++)
            value[flow_parameter_list[i].at + k] = flow_parameter_list[i].initial;
    return p;
}
