/* SPDX-License-Identifier: Apache-2.0 */
/*
 * observers.h -- creates and owns the observers of a run that the options request
 *
 *     observers_create(of, &w);
 *     fabric_create(of, cfg, w.list, w.count, &f); ... the run and its report ...
 *     fabric_destroy(f);
 *     observers_destroy(&w);
 */
#ifndef OBSERVERS_H
#define OBSERVERS_H

#include "fabric_observer.h"
#include "pin_recording.h"
#include "timeline.h"
#include "traffic_samples.h"

typedef struct observers {
    fabric_observer list[3];
    unsigned count;
    pin_recorder pins;
    timeline *timeline;       /* or NULL */
    traffic_samples *samples; /* or NULL */
} observers;

/* `w` must not move until it is destroyed. It can be destroyed after a failure, too. Returns
 * EXIT_OK, or EXIT_CHECK after a message. */
int observers_create(const machine *of, const output *request, observers *w);
void observers_destroy(observers *w);

#endif
