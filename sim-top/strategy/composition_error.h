/* SPDX-License-Identifier: Apache-2.0 */
/*
 * composition_error.h -- how far an iteration composed of events that were measured alone is off
 * the run
 *
 *     rc = composition_error_make(composed, run, f, &e);      before the fabric of the run goes
 *     composition_error_free(&e);
 *
 * DistSim (Lu et al., CF'23) gives an error of the iteration's time and one of each device's
 * activity. What the latter is exactly is not published; ours is the mean over the device's events,
 * computations, collectives and sends, of |start - start'| and |end - end'|, over the iteration's
 * time, both clocks being 0 where the iteration begins.  Of a stage, the median of its devices.
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
    unsigned npu; /* one of those that do the same, and how many these are */
    unsigned like;
    uint32_t stage;
    double mean, worst;
} composition_device;

/* Errors are shares of the run's iteration. */
typedef struct composition_error {
    uint64_t run_cycles;
    double batch; /* above 0: composed takes longer */
    composition_device *device;
    unsigned devices;
    double *stage; /* the median of its devices */
    uint32_t stages;
    double mean, worst;         /* over the devices */
    double quantile[QUANTILES]; /* of starts and ends of all devices' events */
    uint64_t events;
} composition_error;

/* EXIT_OK, or EXIT_CHECK after a message: no memory; free in either case. */
int composition_error_make(const strategy_times *composed, const strategy_times *run,
                           const strategy_graph *g, const strategy_plan *p, const fabric *f,
                           composition_error *e);
void composition_error_free(composition_error *e);

#ifdef __cplusplus
}
#endif

#endif
