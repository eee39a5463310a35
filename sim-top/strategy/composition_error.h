/* SPDX-License-Identifier: Apache-2.0 */
/*
 * composition_error.h -- the error of an iteration composed of separately measured events
 *
 *     rc = composition_error_make(composed, run, f, &e);      before fabric_destroy() of the run
 *     composition_error_free(&e);
 *
 * DistSim (Lu et al., CF'23) gives an error of the iteration's time and one of each device's
 * activity, without an exact definition of the latter. Here a device's error is the mean of
 * |start - start'| and |end - end'| over its computations, collectives and sends, divided by the
 * iteration's time. Both clocks start with the iteration. A stage's error is the median of its
 * devices.
 */
#ifndef COMPOSITION_ERROR_H
#define COMPOSITION_ERROR_H

#include "fabric.h"
#include "strategy_times.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum composition_quantile {
    QUANTILE_HALF,
    QUANTILE_90,
    QUANTILE_99,
    QUANTILE_WORST,
    QUANTILES
} composition_quantile;
extern const double composition_quantiles[QUANTILES];

typedef struct composition_device {
    unsigned npu;  /* one of the NPUs that do the same */
    unsigned like; /* the number of these NPUs */
    uint32_t stage;
    double mean, worst;
} composition_device;

/* Errors are shares of the run's iteration. */
typedef struct composition_error {
    uint64_t run_cycles;
    double batch; /* above 0: the composed iteration takes longer */
    composition_device *device;
    unsigned devices;
    double *stage; /* the median of its devices */
    uint32_t stages;
    double mean, worst;         /* over the devices */
    double quantile[QUANTILES]; /* of starts and ends of all devices' events */
    uint64_t events;
} composition_error;

/* Returns EXIT_OK, or EXIT_CHECK after a message when there is no memory. The caller frees the
 * result in either case. */
int composition_error_make(const strategy_times *composed, const strategy_times *run,
                           const strategy_graph *g, const strategy_plan *p, const fabric *f,
                           composition_error *e);
void composition_error_free(composition_error *e);

#ifdef __cplusplus
}
#endif

#endif
