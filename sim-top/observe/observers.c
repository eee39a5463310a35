/* SPDX-License-Identifier: Apache-2.0 */
/* observers.c -- creates the observers that the options request, in a fixed order */
#include "observers.h"

#include <stdio.h>

#include "exit_status.h"
#include "message.h"

int observers_create(const machine *of, const output *request, observers *w) {
    *w = (observers){ 0 };
    if (request->record) {
        w->pins = (pin_recorder){ .folder = request->record,
                                  .node = request->record_node,
                                  .clock_MHz = of->cluster.clock_MHz };
        w->list[w->count++] = pin_recorder_observer(&w->pins);
    }
    if (request->timeline || request->folder) {
        const int rc = timeline_create(of, request, &w->timeline);

        if (rc != EXIT_OK) return rc;
        w->list[w->count++] = timeline_observer(w->timeline);
    }
    if (request->samples) {
        w->samples = traffic_samples_create(request->samples);
        if (!w->samples) {
            return message_no_memory();
        }
        w->list[w->count++] = traffic_samples_observer(w->samples);
    }
    return EXIT_OK;
}

void observers_destroy(observers *w) {
    timeline_destroy(w->timeline);
    traffic_samples_destroy(w->samples);
    *w = (observers){ 0 };
}
