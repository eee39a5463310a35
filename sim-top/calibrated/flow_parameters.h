/* SPDX-License-Identifier: Apache-2.0 */
/* flow_parameters.h -- the parameters of a calibrated node, as a struct and as a list */
#ifndef FLOW_PARAMETERS_H
#define FLOW_PARAMETERS_H

#include "ace_types.h"

typedef struct flow_parameters {
/* clang-format off */
#define FLOW_1(name) double name[ACE_CLUSTER_DIMENSIONS];
#define FLOW_0(name) double name;
/* clang-format on */
#define FLOW(name, each, beside, initial, least, most, unit, fitted_on, text) FLOW_##each(name)
#include "flow_parameters.def"
#undef FLOW
#undef FLOW_0
#undef FLOW_1
} flow_parameters;

/* The struct has only doubles, in the order of the list. */
enum { FLOW_VALUES = sizeof(flow_parameters) / sizeof(double) };

typedef struct flow_parameter {
    const char *name, *unit, *fitted_on, *text;
    /* index of the first value among FLOW_VALUES; number of values: 1, or one for each dimension */
    unsigned at, count;
    unsigned beside; /* 1: only experiments with several collectives decide it; 2: never fitted */
    double initial, least, most;
} flow_parameter;

extern const flow_parameter flow_parameter_list[];
extern const unsigned flow_parameter_count;

/* Returns the values at which a fit begins. */
flow_parameters flow_parameters_initial(void);

#endif
