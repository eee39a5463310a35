/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_register_map.h -- control and status registers of rtl/ace_control.v
 *
 * Made by cmake/register_map.sh of rtl/registers.list; docs/reference/registers.md explains them.
 *
 *     ACE_MAP_STATUS                             offset in bytes
 *     ACE_MAP_GET(word, STATUS_ROOM)             a field of a word
 *     ACE_MAP_PUT(value, COMMAND_DOORBELL_TAG)   a field in its place
 */
#ifndef ACE_REGISTER_MAP_H
#define ACE_REGISTER_MAP_H

/* clang-format off */
#define ACE_MAP_GET(word, field) ((uint32_t)(word) >> ACE_MAP_##field##_LOW & ACE_MAP_##field##_MASK)
#define ACE_MAP_PUT(value, field) (((uint32_t)(value) & ACE_MAP_##field##_MASK) << ACE_MAP_##field##_LOW)

#define ACE_MAP_ID 0x000u /* ro: the letters "ACE " */
#define ACE_MAP_ID_VALUE_LOW 0
#define ACE_MAP_ID_VALUE_MASK 0xffffffffu

#define ACE_MAP_VERSION 0x004u /* ro: of this map */
#define ACE_MAP_VERSION_MINOR_LOW 0
#define ACE_MAP_VERSION_MINOR_MASK 0xffffu
#define ACE_MAP_VERSION_MAJOR_LOW 16
#define ACE_MAP_VERSION_MAJOR_MASK 0xffffu

#define ACE_MAP_BUILT_FSMS 0x008u /* ro: phases' programs */
#define ACE_MAP_BUILT_FSMS_FSMS_LOW 0
#define ACE_MAP_BUILT_FSMS_FSMS_MASK 0xffu
#define ACE_MAP_BUILT_FSMS_CONTEXTS_LOW 8
#define ACE_MAP_BUILT_FSMS_CONTEXTS_MASK 0xffu
#define ACE_MAP_BUILT_FSMS_COUNTERS_LOW 16
#define ACE_MAP_BUILT_FSMS_COUNTERS_MASK 0xffffu

#define ACE_MAP_BUILT_SCRATCHPAD 0x00cu /* ro: scratchpad */
#define ACE_MAP_BUILT_SCRATCHPAD_BANK_ROWS_LOW 0
#define ACE_MAP_BUILT_SCRATCHPAD_BANK_ROWS_MASK 0xffffu
#define ACE_MAP_BUILT_SCRATCHPAD_ROW_BYTES_LOW 16
#define ACE_MAP_BUILT_SCRATCHPAD_ROW_BYTES_MASK 0xffffu

#define ACE_MAP_BUILT_QUEUES 0x010u /* ro: commands and completions */
#define ACE_MAP_BUILT_QUEUES_COMMANDS_LOW 0
#define ACE_MAP_BUILT_QUEUES_COMMANDS_MASK 0xffffu
#define ACE_MAP_BUILT_QUEUES_COMPLETIONS_LOW 16
#define ACE_MAP_BUILT_QUEUES_COMPLETIONS_MASK 0xffffu

#define ACE_MAP_BUILT_LINKS 0x014u /* ro: buffers of a link */
#define ACE_MAP_BUILT_LINKS_INPUT_ROWS_LOW 0
#define ACE_MAP_BUILT_LINKS_INPUT_ROWS_MASK 0xffffu
#define ACE_MAP_BUILT_LINKS_OUTPUT_ROWS_LOW 16
#define ACE_MAP_BUILT_LINKS_OUTPUT_ROWS_MASK 0xffffu

#define ACE_MAP_BUILT_ROUTER 0x018u /* ro: buffers of a link for all-to-alls */
#define ACE_MAP_BUILT_ROUTER_INPUT_ROWS_LOW 0
#define ACE_MAP_BUILT_ROUTER_INPUT_ROWS_MASK 0xffffu
#define ACE_MAP_BUILT_ROUTER_OUTPUT_ROWS_LOW 16
#define ACE_MAP_BUILT_ROUTER_OUTPUT_ROWS_MASK 0xffffu

#define ACE_MAP_BUILT_EXCHANGE 0x01cu /* ro: the exchange */
#define ACE_MAP_BUILT_EXCHANGE_ROWS_LOW 0
#define ACE_MAP_BUILT_EXCHANGE_ROWS_MASK 0xffffu
#define ACE_MAP_BUILT_EXCHANGE_BURSTS_LOW 16
#define ACE_MAP_BUILT_EXCHANGE_BURSTS_MASK 0xffffu

#define ACE_MAP_BUILT_MEMORY 0x020u /* ro: the DMAs */
#define ACE_MAP_BUILT_MEMORY_BURSTS_LOW 0
#define ACE_MAP_BUILT_MEMORY_BURSTS_MASK 0xffffu

#define ACE_MAP_BUILT_COMMANDS 0x024u /* ro: what a command may say: numbers below these */
#define ACE_MAP_BUILT_COMMANDS_KINDS_LOW 0
#define ACE_MAP_BUILT_COMMANDS_KINDS_MASK 0xffu
#define ACE_MAP_BUILT_COMMANDS_TYPES_LOW 8
#define ACE_MAP_BUILT_COMMANDS_TYPES_MASK 0xffu
#define ACE_MAP_BUILT_COMMANDS_OPS_LOW 16
#define ACE_MAP_BUILT_COMMANDS_OPS_MASK 0xffu
#define ACE_MAP_BUILT_COMMANDS_DIMENSIONS_LOW 24
#define ACE_MAP_BUILT_COMMANDS_DIMENSIONS_MASK 0xffu

#define ACE_MAP_BUILT_ALU 0x028u /* ro: what the ALUs reduce: commands of kinds 0 and 1 of other types or operations are refused */
#define ACE_MAP_BUILT_ALU_TYPES_LOW 0
#define ACE_MAP_BUILT_ALU_TYPES_MASK 0x7fu
#define ACE_MAP_BUILT_ALU_OPS_LOW 8
#define ACE_MAP_BUILT_ALU_OPS_MASK 0x1fu
#define ACE_MAP_BUILT_ALU_FORMATS_LOW 16
#define ACE_MAP_BUILT_ALU_FORMATS_MASK 0x1u

#define ACE_MAP_BUILT_HUB 0x02cu /* ro: dimensions that are no rings */
#define ACE_MAP_BUILT_HUB_PEERS_LOW 0
#define ACE_MAP_BUILT_HUB_PEERS_MASK 0xffu

#define ACE_MAP_BUILT_TRIGGERS 0x030u /* ro: prepared commands */
#define ACE_MAP_BUILT_TRIGGERS_SLOTS_LOW 0
#define ACE_MAP_BUILT_TRIGGERS_SLOTS_MASK 0xffu

#define ACE_MAP_CONTROL 0x040u /* rw: start and stop */
#define ACE_MAP_CONTROL_RUN_LOW 0
#define ACE_MAP_CONTROL_RUN_MASK 0x1u

#define ACE_MAP_STATUS 0x044u /* ro: now */
#define ACE_MAP_STATUS_RUNNING_LOW 0
#define ACE_MAP_STATUS_RUNNING_MASK 0x1u
#define ACE_MAP_STATUS_IDLE_LOW 1
#define ACE_MAP_STATUS_IDLE_MASK 0x1u
#define ACE_MAP_STATUS_ROOM_LOW 2
#define ACE_MAP_STATUS_ROOM_MASK 0x1u
#define ACE_MAP_STATUS_COMPLETION_LOW 3
#define ACE_MAP_STATUS_COMPLETION_MASK 0x1u
#define ACE_MAP_STATUS_FAILED_LOW 4
#define ACE_MAP_STATUS_FAILED_MASK 0x1u
#define ACE_MAP_STATUS_MEMORY_BUSY_LOW 5
#define ACE_MAP_STATUS_MEMORY_BUSY_MASK 0x1u
#define ACE_MAP_STATUS_WAITING_LOW 6
#define ACE_MAP_STATUS_WAITING_MASK 0x1u
#define ACE_MAP_STATUS_MEMORY_LOST_LOW 7
#define ACE_MAP_STATUS_MEMORY_LOST_MASK 0x1u
#define ACE_MAP_STATUS_OUTSTANDING_LOW 16
#define ACE_MAP_STATUS_OUTSTANDING_MASK 0xffffu

#define ACE_MAP_INTERRUPT_STATUS 0x048u /* w1c: what has happened; a new event sets its bit again */
#define ACE_MAP_INTERRUPT_STATUS_COMPLETION_LOW 0
#define ACE_MAP_INTERRUPT_STATUS_COMPLETION_MASK 0x1u
#define ACE_MAP_INTERRUPT_STATUS_REFUSED_LOW 1
#define ACE_MAP_INTERRUPT_STATUS_REFUSED_MASK 0x1u
#define ACE_MAP_INTERRUPT_STATUS_READ_ERROR_LOW 2
#define ACE_MAP_INTERRUPT_STATUS_READ_ERROR_MASK 0x1u
#define ACE_MAP_INTERRUPT_STATUS_WRITE_ERROR_LOW 3
#define ACE_MAP_INTERRUPT_STATUS_WRITE_ERROR_MASK 0x1u
#define ACE_MAP_INTERRUPT_STATUS_WATCHDOG_LOW 4
#define ACE_MAP_INTERRUPT_STATUS_WATCHDOG_MASK 0x1u
#define ACE_MAP_INTERRUPT_STATUS_MISMATCH_LOW 5
#define ACE_MAP_INTERRUPT_STATUS_MISMATCH_MASK 0x1u
#define ACE_MAP_INTERRUPT_STATUS_LINK_FAILED_LOW 6
#define ACE_MAP_INTERRUPT_STATUS_LINK_FAILED_MASK 0x1u
#define ACE_MAP_INTERRUPT_STATUS_SCRATCHPAD_ERROR_LOW 7
#define ACE_MAP_INTERRUPT_STATUS_SCRATCHPAD_ERROR_MASK 0x1u
#define ACE_MAP_INTERRUPT_STATUS_TRANSFER_LOW 8
#define ACE_MAP_INTERRUPT_STATUS_TRANSFER_MASK 0x1u
#define ACE_MAP_INTERRUPT_STATUS_PARITY_ERROR_LOW 9
#define ACE_MAP_INTERRUPT_STATUS_PARITY_ERROR_MASK 0x1u
#define ACE_MAP_INTERRUPT_STATUS_MEMORY_PROTOCOL_LOW 10
#define ACE_MAP_INTERRUPT_STATUS_MEMORY_PROTOCOL_MASK 0x1u
#define ACE_MAP_INTERRUPT_STATUS_MEMORY_LOST_LOW 11
#define ACE_MAP_INTERRUPT_STATUS_MEMORY_LOST_MASK 0x1u

#define ACE_MAP_INTERRUPT_ENABLE 0x04cu /* rw: irq is high while a bit is set here and in INTERRUPT_STATUS */
#define ACE_MAP_INTERRUPT_ENABLE_BITS_LOW 0
#define ACE_MAP_INTERRUPT_ENABLE_BITS_MASK 0xfffu

#define ACE_MAP_WATCHDOG 0x050u /* rw: patience */
#define ACE_MAP_WATCHDOG_CYCLES_LOW 0
#define ACE_MAP_WATCHDOG_CYCLES_MASK 0xffffffffu

#define ACE_MAP_CONFIG_SHARE 0x054u /* cfg: share of the links, see decision 0092 */
#define ACE_MAP_CONFIG_SHARE_ROWS_LOW 0
#define ACE_MAP_CONFIG_SHARE_ROWS_MASK 0xffu
#define ACE_MAP_CONFIG_SHARE_WIRE_LOW 8
#define ACE_MAP_CONFIG_SHARE_WIRE_MASK 0x7u

#define ACE_MAP_CONFIG_RETRY 0x058u /* cfg: the links' protection */
#define ACE_MAP_CONFIG_RETRY_CYCLES_LOW 0
#define ACE_MAP_CONFIG_RETRY_CYCLES_MASK 0xffffu

#define ACE_MAP_CONFIG_MEMORY_LATENCY 0x05cu /* cfg: the memory's latency */
#define ACE_MAP_CONFIG_MEMORY_LATENCY_CYCLES_LOW 0
#define ACE_MAP_CONFIG_MEMORY_LATENCY_CYCLES_MASK 0xffffu

#define ACE_MAP_CONFIG_HUB 0x060u /* cfg: dimensions that are no rings: both links lead to all members */
#define ACE_MAP_CONFIG_HUB_DIMENSIONS_LOW 0
#define ACE_MAP_CONFIG_HUB_DIMENSIONS_MASK 0xfu

#define ACE_MAP_CONFIG_WINDOW_FIRST 0x064u /* cfg: where all-to-alls of other members may write: nowhere, after reset */
#define ACE_MAP_CONFIG_WINDOW_FIRST_ROW_LOW 0
#define ACE_MAP_CONFIG_WINDOW_FIRST_ROW_MASK 0xffffffffu

#define ACE_MAP_CONFIG_WINDOW_LAST 0x068u /* cfg: where all-to-alls of other members may write */
#define ACE_MAP_CONFIG_WINDOW_LAST_ROW_LOW 0
#define ACE_MAP_CONFIG_WINDOW_LAST_ROW_MASK 0xffffffffu

#define ACE_MAP_CONFIG_LIST_WINDOW_FIRST 0x06cu /* cfg: where lists of other members may write: nowhere, after reset */
#define ACE_MAP_CONFIG_LIST_WINDOW_FIRST_ROW_LOW 0
#define ACE_MAP_CONFIG_LIST_WINDOW_FIRST_ROW_MASK 0xffffffffu

#define ACE_MAP_CONFIG_LIST_WINDOW_LAST 0x070u /* cfg: where lists of other members may write */
#define ACE_MAP_CONFIG_LIST_WINDOW_LAST_ROW_LOW 0
#define ACE_MAP_CONFIG_LIST_WINDOW_LAST_ROW_MASK 0xffffffffu

#define ACE_MAP_CONFIG_LINK_EPOCH 0x074u /* cfg: the life that the links begin when the engine starts */
#define ACE_MAP_CONFIG_LINK_EPOCH_VALUE_LOW 0
#define ACE_MAP_CONFIG_LINK_EPOCH_VALUE_MASK 0xffffu
#define ACE_MAP_CONFIG_LINK_EPOCH_LINKS_LOW 16
#define ACE_MAP_CONFIG_LINK_EPOCH_LINKS_MASK 0xffu
#define ACE_MAP_CONFIG_LINK_EPOCH_SILENCE_LOW 24
#define ACE_MAP_CONFIG_LINK_EPOCH_SILENCE_MASK 0xffu

#define ACE_MAP_CONFIG_LOCK 0x078u /* w1s: what software may change no more, until rst */
#define ACE_MAP_CONFIG_LOCK_WINDOWS_LOW 0
#define ACE_MAP_CONFIG_LOCK_WINDOWS_MASK 0x1u

#define ACE_MAP_CONFIG_CLASSES 0x07cu /* cfg: classes of commands that are neither all-to-alls nor lists; alike at all engines that share work */
#define ACE_MAP_CONFIG_CLASSES_TAG_LOW 0
#define ACE_MAP_CONFIG_CLASSES_TAG_MASK 0xffffu
#define ACE_MAP_CONFIG_CLASSES_WEIGHT_0_LOW 16
#define ACE_MAP_CONFIG_CLASSES_WEIGHT_0_MASK 0xfu
#define ACE_MAP_CONFIG_CLASSES_WEIGHT_1_LOW 20
#define ACE_MAP_CONFIG_CLASSES_WEIGHT_1_MASK 0xfu
#define ACE_MAP_CONFIG_CLASSES_WINDOW_LOW 24
#define ACE_MAP_CONFIG_CLASSES_WINDOW_MASK 0x7fu

#define ACE_MAP_CONFIG_ORDER 0x080u /* cfg: order of collectives */
#define ACE_MAP_CONFIG_ORDER_FIFO_LOW 0
#define ACE_MAP_CONFIG_ORDER_FIFO_MASK 0x1u
#define ACE_MAP_CONFIG_ORDER_AGREED_LOW 8
#define ACE_MAP_CONFIG_ORDER_AGREED_MASK 0xfu

#define ACE_MAP_CONFIG_RING 0x084u /* cfg: nodes on each ring, 1..128; 1 of a dimension that the engine has not */
#define ACE_MAP_CONFIG_RING_X_LOW 0
#define ACE_MAP_CONFIG_RING_X_MASK 0xffu
#define ACE_MAP_CONFIG_RING_Y_LOW 8
#define ACE_MAP_CONFIG_RING_Y_MASK 0xffu
#define ACE_MAP_CONFIG_RING_Z_LOW 16
#define ACE_MAP_CONFIG_RING_Z_MASK 0xffu
#define ACE_MAP_CONFIG_RING_W_LOW 24
#define ACE_MAP_CONFIG_RING_W_MASK 0xffu

#define ACE_MAP_CONFIG_RANK 0x088u /* cfg: this node's place on each ring, from 0 */
#define ACE_MAP_CONFIG_RANK_X_LOW 0
#define ACE_MAP_CONFIG_RANK_X_MASK 0xffu
#define ACE_MAP_CONFIG_RANK_Y_LOW 8
#define ACE_MAP_CONFIG_RANK_Y_MASK 0xffu
#define ACE_MAP_CONFIG_RANK_Z_LOW 16
#define ACE_MAP_CONFIG_RANK_Z_MASK 0xffu
#define ACE_MAP_CONFIG_RANK_W_LOW 24
#define ACE_MAP_CONFIG_RANK_W_MASK 0xffu

#define ACE_MAP_CONFIG_CHUNK 0x08cu /* cfg: chunks */
#define ACE_MAP_CONFIG_CHUNK_ROWS_LOW 0
#define ACE_MAP_CONFIG_CHUNK_ROWS_MASK 0x7ffu

#define ACE_MAP_CONFIG_PARTITION_0 0x090u /* cfg: scratchpad of phase 0 */
#define ACE_MAP_CONFIG_PARTITION_0_ROWS_LOW 0
#define ACE_MAP_CONFIG_PARTITION_0_ROWS_MASK 0xfffu

#define ACE_MAP_CONFIG_PARTITION_1 0x094u /* cfg: scratchpad of phase 1 */
#define ACE_MAP_CONFIG_PARTITION_1_ROWS_LOW 0
#define ACE_MAP_CONFIG_PARTITION_1_ROWS_MASK 0xfffu

#define ACE_MAP_CONFIG_PARTITION_2 0x098u /* cfg: scratchpad of phase 2 */
#define ACE_MAP_CONFIG_PARTITION_2_ROWS_LOW 0
#define ACE_MAP_CONFIG_PARTITION_2_ROWS_MASK 0xfffu

#define ACE_MAP_CONFIG_PARTITION_3 0x09cu /* cfg: scratchpad of phase 3 */
#define ACE_MAP_CONFIG_PARTITION_3_ROWS_LOW 0
#define ACE_MAP_CONFIG_PARTITION_3_ROWS_MASK 0xfffu

#define ACE_MAP_CONFIG_PARTITION_4 0x0a0u /* cfg: scratchpad of phase 4; with three dimensions, of results */
#define ACE_MAP_CONFIG_PARTITION_4_ROWS_LOW 0
#define ACE_MAP_CONFIG_PARTITION_4_ROWS_MASK 0xfffu

#define ACE_MAP_CONFIG_PARTITION_5 0x0a4u /* cfg: with four dimensions, scratchpad of results */
#define ACE_MAP_CONFIG_PARTITION_5_ROWS_LOW 0
#define ACE_MAP_CONFIG_PARTITION_5_ROWS_MASK 0xfffu

#define ACE_MAP_CONFIG_LINK_COST_X 0x0a8u /* cfg: links of the first dimension */
#define ACE_MAP_CONFIG_LINK_COST_X_CYCLES_LOW 0
#define ACE_MAP_CONFIG_LINK_COST_X_CYCLES_MASK 0xffffffu

#define ACE_MAP_CONFIG_LINK_COST_Y 0x0acu /* cfg: links of the second dimension */
#define ACE_MAP_CONFIG_LINK_COST_Y_CYCLES_LOW 0
#define ACE_MAP_CONFIG_LINK_COST_Y_CYCLES_MASK 0xffffffu

#define ACE_MAP_CONFIG_LINK_COST_Z 0x0b0u /* cfg: links of the third dimension */
#define ACE_MAP_CONFIG_LINK_COST_Z_CYCLES_LOW 0
#define ACE_MAP_CONFIG_LINK_COST_Z_CYCLES_MASK 0xffffffu

#define ACE_MAP_CONFIG_LINK_COST_W 0x0b4u /* cfg: links of the fourth dimension */
#define ACE_MAP_CONFIG_LINK_COST_W_CYCLES_LOW 0
#define ACE_MAP_CONFIG_LINK_COST_W_CYCLES_MASK 0xffffffu

#define ACE_MAP_CONFIG_READ_COST 0x0b8u /* cfg: share of the memory's reads */
#define ACE_MAP_CONFIG_READ_COST_CYCLES_LOW 0
#define ACE_MAP_CONFIG_READ_COST_CYCLES_MASK 0xffffffu

#define ACE_MAP_CONFIG_WRITE_COST 0x0bcu /* cfg: share of the memory's writes */
#define ACE_MAP_CONFIG_WRITE_COST_CYCLES_LOW 0
#define ACE_MAP_CONFIG_WRITE_COST_CYCLES_MASK 0xffffffu

#define ACE_MAP_COMMAND_OPERATION 0x0c0u /* rw: what the next command does */
#define ACE_MAP_COMMAND_OPERATION_KIND_LOW 0
#define ACE_MAP_COMMAND_OPERATION_KIND_MASK 0x7u
#define ACE_MAP_COMMAND_OPERATION_TYPE_LOW 8
#define ACE_MAP_COMMAND_OPERATION_TYPE_MASK 0x7u
#define ACE_MAP_COMMAND_OPERATION_OP_LOW 16
#define ACE_MAP_COMMAND_OPERATION_OP_MASK 0x7u

#define ACE_MAP_COMMAND_DIMENSIONS 0x0c4u /* rw: the dimensions it works on, in order */
#define ACE_MAP_COMMAND_DIMENSIONS_COUNT_LOW 0
#define ACE_MAP_COMMAND_DIMENSIONS_COUNT_MASK 0x7u
#define ACE_MAP_COMMAND_DIMENSIONS_FIRST_LOW 8
#define ACE_MAP_COMMAND_DIMENSIONS_FIRST_MASK 0x3u
#define ACE_MAP_COMMAND_DIMENSIONS_SECOND_LOW 10
#define ACE_MAP_COMMAND_DIMENSIONS_SECOND_MASK 0x3u
#define ACE_MAP_COMMAND_DIMENSIONS_THIRD_LOW 12
#define ACE_MAP_COMMAND_DIMENSIONS_THIRD_MASK 0x3u
#define ACE_MAP_COMMAND_DIMENSIONS_FOURTH_LOW 14
#define ACE_MAP_COMMAND_DIMENSIONS_FOURTH_MASK 0x3u

#define ACE_MAP_COMMAND_SCALE 0x0c8u /* rw: factor of an average */
#define ACE_MAP_COMMAND_SCALE_VALUE_LOW 0
#define ACE_MAP_COMMAND_SCALE_VALUE_MASK 0xffffffffu

#define ACE_MAP_COMMAND_SOURCE_LOW 0x0ccu /* rw: source */
#define ACE_MAP_COMMAND_SOURCE_LOW_ADDRESS_LOW 0
#define ACE_MAP_COMMAND_SOURCE_LOW_ADDRESS_MASK 0xffffffffu

#define ACE_MAP_COMMAND_SOURCE_HIGH 0x0d0u /* rw: source */
#define ACE_MAP_COMMAND_SOURCE_HIGH_ADDRESS_LOW 0
#define ACE_MAP_COMMAND_SOURCE_HIGH_ADDRESS_MASK 0xffffffffu

#define ACE_MAP_COMMAND_DESTINATION_LOW 0x0d4u /* rw: destination */
#define ACE_MAP_COMMAND_DESTINATION_LOW_ADDRESS_LOW 0
#define ACE_MAP_COMMAND_DESTINATION_LOW_ADDRESS_MASK 0xffffffffu

#define ACE_MAP_COMMAND_DESTINATION_HIGH 0x0d8u /* rw: destination */
#define ACE_MAP_COMMAND_DESTINATION_HIGH_ADDRESS_LOW 0
#define ACE_MAP_COMMAND_DESTINATION_HIGH_ADDRESS_MASK 0xffffffffu

#define ACE_MAP_COMMAND_BYTES_LOW 0x0dcu /* rw: size of the whole vector */
#define ACE_MAP_COMMAND_BYTES_LOW_BYTES_LOW 0
#define ACE_MAP_COMMAND_BYTES_LOW_BYTES_MASK 0xffffffffu

#define ACE_MAP_COMMAND_BYTES_HIGH 0x0e0u /* rw: size of the whole vector */
#define ACE_MAP_COMMAND_BYTES_HIGH_BYTES_LOW 0
#define ACE_MAP_COMMAND_BYTES_HIGH_BYTES_MASK 0xffffffffu

#define ACE_MAP_COMMAND_DOORBELL 0x0e4u /* wo: hands the command over, as the registers above have it */
#define ACE_MAP_COMMAND_DOORBELL_TAG_LOW 0
#define ACE_MAP_COMMAND_DOORBELL_TAG_MASK 0xffffu

#define ACE_MAP_COMPLETION 0x0f0u /* ro: the oldest completion */
#define ACE_MAP_COMPLETION_TAG_LOW 0
#define ACE_MAP_COMPLETION_TAG_MASK 0xffffu
#define ACE_MAP_COMPLETION_CODE_LOW 16
#define ACE_MAP_COMPLETION_CODE_MASK 0xffu
#define ACE_MAP_COMPLETION_VALID_LOW 31
#define ACE_MAP_COMPLETION_VALID_MASK 0x1u

#define ACE_MAP_COMPLETION_TAKE 0x0f4u /* wo: takes the oldest completion out of the queue */
#define ACE_MAP_COMPLETION_TAKE_ANY_LOW 0
#define ACE_MAP_COMPLETION_TAKE_ANY_MASK 0x1u

#define ACE_MAP_ERROR 0x100u /* w1c: the first error */
#define ACE_MAP_ERROR_CODE_LOW 0
#define ACE_MAP_ERROR_CODE_MASK 0xffu
#define ACE_MAP_ERROR_RESPONSE_LOW 8
#define ACE_MAP_ERROR_RESPONSE_MASK 0x3u
#define ACE_MAP_ERROR_VALID_LOW 15
#define ACE_MAP_ERROR_VALID_MASK 0x1u
#define ACE_MAP_ERROR_TAG_LOW 16
#define ACE_MAP_ERROR_TAG_MASK 0xffffu

#define ACE_MAP_ERROR_ADDRESS_LOW 0x104u /* ro: where the first error was */
#define ACE_MAP_ERROR_ADDRESS_LOW_ADDRESS_LOW 0
#define ACE_MAP_ERROR_ADDRESS_LOW_ADDRESS_MASK 0xffffffffu

#define ACE_MAP_ERROR_ADDRESS_HIGH 0x108u /* ro: likewise */
#define ACE_MAP_ERROR_ADDRESS_HIGH_ADDRESS_LOW 0
#define ACE_MAP_ERROR_ADDRESS_HIGH_ADDRESS_MASK 0xffffu

#define ACE_MAP_COUNT_TAKEN 0x110u /* ro: counter, wraps; this and the next five are cleared by rst alone */
#define ACE_MAP_COUNT_TAKEN_VALUE_LOW 0
#define ACE_MAP_COUNT_TAKEN_VALUE_MASK 0xffffffffu

#define ACE_MAP_COUNT_COMPLETED 0x114u /* ro: counter */
#define ACE_MAP_COUNT_COMPLETED_VALUE_LOW 0
#define ACE_MAP_COUNT_COMPLETED_VALUE_MASK 0xffffffffu

#define ACE_MAP_COUNT_REFUSED 0x118u /* ro: counter */
#define ACE_MAP_COUNT_REFUSED_VALUE_LOW 0
#define ACE_MAP_COUNT_REFUSED_VALUE_MASK 0xffffffffu

#define ACE_MAP_COUNT_READ_ERRORS 0x11cu /* ro: counter */
#define ACE_MAP_COUNT_READ_ERRORS_VALUE_LOW 0
#define ACE_MAP_COUNT_READ_ERRORS_VALUE_MASK 0xffffffffu

#define ACE_MAP_COUNT_WRITE_ERRORS 0x120u /* ro: counter */
#define ACE_MAP_COUNT_WRITE_ERRORS_VALUE_LOW 0
#define ACE_MAP_COUNT_WRITE_ERRORS_VALUE_MASK 0xffffffffu

#define ACE_MAP_COUNT_WATCHDOG 0x124u /* ro: counter */
#define ACE_MAP_COUNT_WATCHDOG_VALUE_LOW 0
#define ACE_MAP_COUNT_WATCHDOG_VALUE_MASK 0xffffffffu

#define ACE_MAP_COUNT_SELECT 0x130u /* rw: chooses a counter of cycles and keeps its value of now */
#define ACE_MAP_COUNT_SELECT_INDEX_LOW 0
#define ACE_MAP_COUNT_SELECT_INDEX_MASK 0x7fu

#define ACE_MAP_COUNT_LOW 0x134u /* ro: the value kept */
#define ACE_MAP_COUNT_LOW_VALUE_LOW 0
#define ACE_MAP_COUNT_LOW_VALUE_MASK 0xffffffffu

#define ACE_MAP_COUNT_HIGH 0x138u /* ro: the value kept */
#define ACE_MAP_COUNT_HIGH_VALUE_LOW 0
#define ACE_MAP_COUNT_HIGH_VALUE_MASK 0xffffu

#define ACE_MAP_COUNT_CORRECTED 0x140u /* ro: counter, wraps; this and the next are cleared while CONTROL.RUN is 0 */
#define ACE_MAP_COUNT_CORRECTED_VALUE_LOW 0
#define ACE_MAP_COUNT_CORRECTED_VALUE_MASK 0xffffffffu

#define ACE_MAP_COUNT_UNCORRECTABLE 0x144u /* ro: counter */
#define ACE_MAP_COUNT_UNCORRECTABLE_VALUE_LOW 0
#define ACE_MAP_COUNT_UNCORRECTABLE_VALUE_MASK 0xffffffffu

#define ACE_MAP_COUNT_REMOTE 0x148u /* ro: counter, wraps, cleared while CONTROL.RUN is 0 */
#define ACE_MAP_COUNT_REMOTE_VALUE_LOW 0
#define ACE_MAP_COUNT_REMOTE_VALUE_MASK 0xffffffffu

#define ACE_MAP_COUNT_PARITY 0x14cu /* ro: counter, wraps, cleared while CONTROL.RUN is 0 */
#define ACE_MAP_COUNT_PARITY_VALUE_LOW 0
#define ACE_MAP_COUNT_PARITY_VALUE_MASK 0xffffffffu

#define ACE_MAP_FAULT_PLACE 0x150u /* rw: for tests: where FAULT_FLIP acts; with the parameter FAULT_REGISTERS alone, as the next */
#define ACE_MAP_FAULT_PLACE_ROW_LOW 0
#define ACE_MAP_FAULT_PLACE_ROW_MASK 0xfffu
#define ACE_MAP_FAULT_PLACE_BANK_LOW 12
#define ACE_MAP_FAULT_PLACE_BANK_MASK 0x3u
#define ACE_MAP_FAULT_PLACE_WORD_LOW 16
#define ACE_MAP_FAULT_PLACE_WORD_MASK 0x7fu

#define ACE_MAP_FAULT_FLIP 0x154u /* wo: for tests: turns stored bits over, as an upset would; nothing happens while CONTROL.RUN is 0 */
#define ACE_MAP_FAULT_FLIP_MASK_LOW 0
#define ACE_MAP_FAULT_FLIP_MASK_MASK 0xffffffffu

#define ACE_MAP_LINK_STATE 0x158u /* ro: how far the links have come; 0 while the engine is stopped */
#define ACE_MAP_LINK_STATE_STATES_LOW 0
#define ACE_MAP_LINK_STATE_STATES_MASK 0xffffu

#define ACE_MAP_CONFIG_TRIGGER 0x160u /* cfg: commands of slots */
#define ACE_MAP_CONFIG_TRIGGER_TAG_LOW 0
#define ACE_MAP_CONFIG_TRIGGER_TAG_MASK 0xffffu
#define ACE_MAP_CONFIG_TRIGGER_ENABLE_LOW 16
#define ACE_MAP_CONFIG_TRIGGER_ENABLE_MASK 0x1u

#define ACE_MAP_CONFIG_FLAG_WINDOW_FIRST 0x164u /* cfg: where flags may lie: nowhere, after reset */
#define ACE_MAP_CONFIG_FLAG_WINDOW_FIRST_ROW_LOW 0
#define ACE_MAP_CONFIG_FLAG_WINDOW_FIRST_ROW_MASK 0xffffffffu

#define ACE_MAP_CONFIG_FLAG_WINDOW_LAST 0x168u /* cfg: where flags may lie */
#define ACE_MAP_CONFIG_FLAG_WINDOW_LAST_ROW_LOW 0
#define ACE_MAP_CONFIG_FLAG_WINDOW_LAST_ROW_MASK 0xffffffffu

#define ACE_MAP_TRIGGER_FLAG_LOW 0x16cu /* rw: flag of the slot that is prepared next */
#define ACE_MAP_TRIGGER_FLAG_LOW_ADDRESS_LOW 0
#define ACE_MAP_TRIGGER_FLAG_LOW_ADDRESS_MASK 0xffffffffu

#define ACE_MAP_TRIGGER_FLAG_HIGH 0x170u /* rw: likewise */
#define ACE_MAP_TRIGGER_FLAG_HIGH_ADDRESS_LOW 0
#define ACE_MAP_TRIGGER_FLAG_HIGH_ADDRESS_MASK 0xffffu

#define ACE_MAP_TRIGGER_VALUE 0x174u /* rw: what the first command of the slot writes there; each later one writes one more */
#define ACE_MAP_TRIGGER_VALUE_VALUE_LOW 0
#define ACE_MAP_TRIGGER_VALUE_VALUE_MASK 0xffffffffu

#define ACE_MAP_TRIGGER_RULE 0x178u /* rw: how the slot that is prepared next acts */
#define ACE_MAP_TRIGGER_RULE_THRESHOLD_LOW 0
#define ACE_MAP_TRIGGER_RULE_THRESHOLD_MASK 0xffffu
#define ACE_MAP_TRIGGER_RULE_NEXT_LOW 16
#define ACE_MAP_TRIGGER_RULE_NEXT_MASK 0xffu
#define ACE_MAP_TRIGGER_RULE_CHAIN_LOW 24
#define ACE_MAP_TRIGGER_RULE_CHAIN_MASK 0x1u
#define ACE_MAP_TRIGGER_RULE_REPEAT_LOW 25
#define ACE_MAP_TRIGGER_RULE_REPEAT_MASK 0x1u
#define ACE_MAP_TRIGGER_RULE_FLAG_LOW 26
#define ACE_MAP_TRIGGER_RULE_FLAG_MASK 0x1u
#define ACE_MAP_TRIGGER_RULE_QUEUE_LOW 27
#define ACE_MAP_TRIGGER_RULE_QUEUE_MASK 0x1u

#define ACE_MAP_TRIGGER_PREPARE 0x17cu /* wo: keeps the command of COMMAND_OPERATION to COMMAND_BYTES_HIGH in a slot, and arms the slot with a count of 0 */
#define ACE_MAP_TRIGGER_PREPARE_SLOT_LOW 0
#define ACE_MAP_TRIGGER_PREPARE_SLOT_MASK 0xffu

#define ACE_MAP_TRIGGER_ARM 0x180u /* wo: arms a prepared slot again, or disarms it; its count becomes 0 */
#define ACE_MAP_TRIGGER_ARM_SLOT_LOW 0
#define ACE_MAP_TRIGGER_ARM_SLOT_MASK 0xffu
#define ACE_MAP_TRIGGER_ARM_ARMED_LOW 8
#define ACE_MAP_TRIGGER_ARM_ARMED_MASK 0x1u

#define ACE_MAP_TRIGGER_STORE 0x184u /* wo: adds stores to the count of an armed slot */
#define ACE_MAP_TRIGGER_STORE_SLOT_LOW 0
#define ACE_MAP_TRIGGER_STORE_SLOT_MASK 0xffu
#define ACE_MAP_TRIGGER_STORE_COUNT_LOW 16
#define ACE_MAP_TRIGGER_STORE_COUNT_MASK 0xffffu

#define ACE_MAP_TRIGGER_STATE 0x188u /* ro: now, a bit a slot */
#define ACE_MAP_TRIGGER_STATE_ARMED_LOW 0
#define ACE_MAP_TRIGGER_STATE_ARMED_MASK 0xffffu
#define ACE_MAP_TRIGGER_STATE_BUSY_LOW 16
#define ACE_MAP_TRIGGER_STATE_BUSY_MASK 0xffffu

#define ACE_MAP_PROGRAM 0x800u /* cfg: of the FSMs: word 0 of 128, the last at 0x9fc; ace_program.h says what they mean */
#define ACE_MAP_PROGRAM_WORD_LOW 0
#define ACE_MAP_PROGRAM_WORD_MASK 0xffffffffu

/* Every register: name, offset, access, value after reset (0 where it is a parameter of
 * the hardware), the bits it has. */
#define ACE_MAP_LIST(X) \
    X(ID, 0x000u, ro, 0x41434520u, 0xffffffffu) \
    X(VERSION, 0x004u, ro, 0x00030005u, 0xffffffffu) \
    X(BUILT_FSMS, 0x008u, ro, 0x00000000u, 0xffffffffu) \
    X(BUILT_SCRATCHPAD, 0x00cu, ro, 0x00000000u, 0xffffffffu) \
    X(BUILT_QUEUES, 0x010u, ro, 0x00000000u, 0xffffffffu) \
    X(BUILT_LINKS, 0x014u, ro, 0x00000000u, 0xffffffffu) \
    X(BUILT_ROUTER, 0x018u, ro, 0x00000000u, 0xffffffffu) \
    X(BUILT_EXCHANGE, 0x01cu, ro, 0x00000000u, 0xffffffffu) \
    X(BUILT_MEMORY, 0x020u, ro, 0x00000000u, 0x0000ffffu) \
    X(BUILT_COMMANDS, 0x024u, ro, 0x00000000u, 0xffffffffu) \
    X(BUILT_ALU, 0x028u, ro, 0x00000000u, 0x00011f7fu) \
    X(BUILT_HUB, 0x02cu, ro, 0x00000000u, 0x000000ffu) \
    X(BUILT_TRIGGERS, 0x030u, ro, 0x00000000u, 0x000000ffu) \
    X(CONTROL, 0x040u, rw, 0x00000000u, 0x00000001u) \
    X(STATUS, 0x044u, ro, 0x00000002u, 0xffff00ffu) \
    X(INTERRUPT_STATUS, 0x048u, w1c, 0x00000000u, 0x00000fffu) \
    X(INTERRUPT_ENABLE, 0x04cu, rw, 0x00000000u, 0x00000fffu) \
    X(WATCHDOG, 0x050u, rw, 0x00000000u, 0xffffffffu) \
    X(CONFIG_SHARE, 0x054u, cfg, 0x00000000u, 0x000007ffu) \
    X(CONFIG_RETRY, 0x058u, cfg, 0x00000000u, 0x0000ffffu) \
    X(CONFIG_MEMORY_LATENCY, 0x05cu, cfg, 0x00000002u, 0x0000ffffu) \
    X(CONFIG_HUB, 0x060u, cfg, 0x00000000u, 0x0000000fu) \
    X(CONFIG_WINDOW_FIRST, 0x064u, cfg, 0xffffffffu, 0xffffffffu) \
    X(CONFIG_WINDOW_LAST, 0x068u, cfg, 0x00000000u, 0xffffffffu) \
    X(CONFIG_LIST_WINDOW_FIRST, 0x06cu, cfg, 0xffffffffu, 0xffffffffu) \
    X(CONFIG_LIST_WINDOW_LAST, 0x070u, cfg, 0x00000000u, 0xffffffffu) \
    X(CONFIG_LINK_EPOCH, 0x074u, cfg, 0x00000000u, 0xffffffffu) \
    X(CONFIG_LOCK, 0x078u, w1s, 0x00000000u, 0x00000001u) \
    X(CONFIG_CLASSES, 0x07cu, cfg, 0x00000000u, 0x7fffffffu) \
    X(CONFIG_ORDER, 0x080u, cfg, 0x00000000u, 0x00000f01u) \
    X(CONFIG_RING, 0x084u, cfg, 0x01010101u, 0xffffffffu) \
    X(CONFIG_RANK, 0x088u, cfg, 0x00000000u, 0xffffffffu) \
    X(CONFIG_CHUNK, 0x08cu, cfg, 0x00000100u, 0x000007ffu) \
    X(CONFIG_PARTITION_0, 0x090u, cfg, 0x00000000u, 0x00000fffu) \
    X(CONFIG_PARTITION_1, 0x094u, cfg, 0x00000000u, 0x00000fffu) \
    X(CONFIG_PARTITION_2, 0x098u, cfg, 0x00000000u, 0x00000fffu) \
    X(CONFIG_PARTITION_3, 0x09cu, cfg, 0x00000000u, 0x00000fffu) \
    X(CONFIG_PARTITION_4, 0x0a0u, cfg, 0x00000000u, 0x00000fffu) \
    X(CONFIG_PARTITION_5, 0x0a4u, cfg, 0x00000000u, 0x00000fffu) \
    X(CONFIG_LINK_COST_X, 0x0a8u, cfg, 0x00000100u, 0x00ffffffu) \
    X(CONFIG_LINK_COST_Y, 0x0acu, cfg, 0x00000100u, 0x00ffffffu) \
    X(CONFIG_LINK_COST_Z, 0x0b0u, cfg, 0x00000100u, 0x00ffffffu) \
    X(CONFIG_LINK_COST_W, 0x0b4u, cfg, 0x00000100u, 0x00ffffffu) \
    X(CONFIG_READ_COST, 0x0b8u, cfg, 0x00000100u, 0x00ffffffu) \
    X(CONFIG_WRITE_COST, 0x0bcu, cfg, 0x00000100u, 0x00ffffffu) \
    X(COMMAND_OPERATION, 0x0c0u, rw, 0x00000000u, 0x00070707u) \
    X(COMMAND_DIMENSIONS, 0x0c4u, rw, 0x00000000u, 0x0000ff07u) \
    X(COMMAND_SCALE, 0x0c8u, rw, 0x00000000u, 0xffffffffu) \
    X(COMMAND_SOURCE_LOW, 0x0ccu, rw, 0x00000000u, 0xffffffffu) \
    X(COMMAND_SOURCE_HIGH, 0x0d0u, rw, 0x00000000u, 0xffffffffu) \
    X(COMMAND_DESTINATION_LOW, 0x0d4u, rw, 0x00000000u, 0xffffffffu) \
    X(COMMAND_DESTINATION_HIGH, 0x0d8u, rw, 0x00000000u, 0xffffffffu) \
    X(COMMAND_BYTES_LOW, 0x0dcu, rw, 0x00000000u, 0xffffffffu) \
    X(COMMAND_BYTES_HIGH, 0x0e0u, rw, 0x00000000u, 0xffffffffu) \
    X(COMMAND_DOORBELL, 0x0e4u, wo, 0x00000000u, 0x0000ffffu) \
    X(COMPLETION, 0x0f0u, ro, 0x00000000u, 0x80ffffffu) \
    X(COMPLETION_TAKE, 0x0f4u, wo, 0x00000000u, 0x00000001u) \
    X(ERROR, 0x100u, w1c, 0x00000000u, 0xffff83ffu) \
    X(ERROR_ADDRESS_LOW, 0x104u, ro, 0x00000000u, 0xffffffffu) \
    X(ERROR_ADDRESS_HIGH, 0x108u, ro, 0x00000000u, 0x0000ffffu) \
    X(COUNT_TAKEN, 0x110u, ro, 0x00000000u, 0xffffffffu) \
    X(COUNT_COMPLETED, 0x114u, ro, 0x00000000u, 0xffffffffu) \
    X(COUNT_REFUSED, 0x118u, ro, 0x00000000u, 0xffffffffu) \
    X(COUNT_READ_ERRORS, 0x11cu, ro, 0x00000000u, 0xffffffffu) \
    X(COUNT_WRITE_ERRORS, 0x120u, ro, 0x00000000u, 0xffffffffu) \
    X(COUNT_WATCHDOG, 0x124u, ro, 0x00000000u, 0xffffffffu) \
    X(COUNT_SELECT, 0x130u, rw, 0x00000000u, 0x0000007fu) \
    X(COUNT_LOW, 0x134u, ro, 0x00000000u, 0xffffffffu) \
    X(COUNT_HIGH, 0x138u, ro, 0x00000000u, 0x0000ffffu) \
    X(COUNT_CORRECTED, 0x140u, ro, 0x00000000u, 0xffffffffu) \
    X(COUNT_UNCORRECTABLE, 0x144u, ro, 0x00000000u, 0xffffffffu) \
    X(COUNT_REMOTE, 0x148u, ro, 0x00000000u, 0xffffffffu) \
    X(COUNT_PARITY, 0x14cu, ro, 0x00000000u, 0xffffffffu) \
    X(FAULT_PLACE, 0x150u, rw, 0x00000000u, 0x007f3fffu) \
    X(FAULT_FLIP, 0x154u, wo, 0x00000000u, 0xffffffffu) \
    X(LINK_STATE, 0x158u, ro, 0x00000000u, 0x0000ffffu) \
    X(CONFIG_TRIGGER, 0x160u, cfg, 0x00000000u, 0x0001ffffu) \
    X(CONFIG_FLAG_WINDOW_FIRST, 0x164u, cfg, 0xffffffffu, 0xffffffffu) \
    X(CONFIG_FLAG_WINDOW_LAST, 0x168u, cfg, 0x00000000u, 0xffffffffu) \
    X(TRIGGER_FLAG_LOW, 0x16cu, rw, 0x00000000u, 0xffffffffu) \
    X(TRIGGER_FLAG_HIGH, 0x170u, rw, 0x00000000u, 0x0000ffffu) \
    X(TRIGGER_VALUE, 0x174u, rw, 0x00000000u, 0xffffffffu) \
    X(TRIGGER_RULE, 0x178u, rw, 0x00000000u, 0x0fffffffu) \
    X(TRIGGER_PREPARE, 0x17cu, wo, 0x00000000u, 0x000000ffu) \
    X(TRIGGER_ARM, 0x180u, wo, 0x00000000u, 0x000001ffu) \
    X(TRIGGER_STORE, 0x184u, wo, 0x00000000u, 0xffff00ffu) \
    X(TRIGGER_STATE, 0x188u, ro, 0x00000000u, 0xffffffffu) \
    X(PROGRAM, 0x800u, cfg, 0x00000000u, 0xffffffffu)

/* What ERROR and COMPLETION tell: name, number, text. */
#define ACE_CODE_LIST(X) \
    X(NONE, 0, "done") \
    X(BAD_KIND, 1, "no such kind of collective") \
    X(BAD_TYPE, 2, "no such type") \
    X(BAD_OP, 3, "no such operation") \
    X(BAD_DIMENSIONS, 4, "a dimension out of range, or twice") \
    X(BAD_ALIGNMENT, 5, "an address is no multiple of 4096") \
    X(BAD_SIZE, 6, "0 bytes, or more than 2^40") \
    X(BAD_RANGE, 7, "the vector ends beyond the last address") \
    X(OVERLAP, 8, "an all-to-all whose source and destination overlap") \
    X(QUEUE_FULL, 9, "no room: STATUS.ROOM was 0") \
    X(STOPPED, 10, "the engine is not running") \
    X(FAILED, 11, "refused: STATUS.FAILED is 1") \
    X(BAD_CONFIGURATION, 12, "not started: the configuration is out of range") \
    X(BAD_FORMAT, 13, "CONFIG_SHARE.WIRE is a format, and the command is not of FP32, or is an average or a product") \
    X(READ_ERROR, 16, "the memory answered a read with an error") \
    X(WRITE_ERROR, 17, "the memory answered a write with an error") \
    X(WATCHDOG, 18, "nothing moved for WATCHDOG cycles") \
    X(MISMATCH, 19, "a neighbour works on another order of chunks") \
    X(LINK_FAILED, 20, "frames on a link are lost for good") \
    X(SCRATCHPAD_ERROR, 21, "a row of the scratchpad could not be corrected") \
    X(BAD_REMOTE, 22, "another member sent a row outside its window, or of 0 bytes while it is closed, which was dropped; or an item of its in a list is no legal receive") \
    X(BAD_LIST, 23, "an item of a list is out of range") \
    X(PARITY_ERROR, 24, "a word of a program, or a row, did not fit its code") \
    X(LINK_ENDED, 25, "the neighbour on a link has begun another life, or has ended this one after a failure") \
    X(MEMORY_PROTOCOL, 26, "the memory gave an answer that no burst waited for, or that does not fit its burst") \
    X(MEMORY_LOST, 27, "a stop ended with bursts that the memory had not answered: rst is needed") \
    X(BAD_TRIGGER, 28, "no such slot, it was not prepared or is not armed, its threshold is 0, its count would exceed 65535, or a doorbell has the tag of a slot") \
    X(BAD_FLAG, 29, "a flag is outside its window, or its address is no multiple of 4") \
    X(TRIGGER_BUSY, 30, "the slot's command is not done")
#define ACE_CODE(name, number, text) ACE_CODE_##name = (number),
typedef enum ace_code { ACE_CODE_LIST(ACE_CODE) } ace_code;
#undef ACE_CODE
/* clang-format on */

#endif
