-- SPDX-License-Identifier: Apache-2.0
-- Composed beside its run, in percent of the run's iteration: the iteration, activity by NPU, and all events' starts and ends.
SELECT strategy, run_cycles, batch, activity, worst_NPU, half AS half_of_events_below, nine_tenths AS nine_tenths_below,
       all_but_a_hundredth AS all_but_a_hundredth_below, all_events AS worst_event
FROM errors WHERE sweep = 'links' ORDER BY point
