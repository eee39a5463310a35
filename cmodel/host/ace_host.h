/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_host.h -- software's driver of an engine: collectives by registers alone
 *
 *     ace_host h;
 *     const ace_host_bus bus = { board, read32, write32, wait_interrupt };
 *     if (ace_host_probe(&h, &bus) != ACE_OK) ...         is an engine on this bus?
 *     ace_host_start(&h, &config, 100000);                without epochs at every node, before any
 *     submit ace_host_submit(&h, &command);
 *     err = ace_host_wait(&h, 1000000, &done);            done.tag, done.code
 *     if (err) ace_host_error_read(&h, &error), ...       the error and its address
 *     ace_host_stop(&h, 1000);
 *
 * Rules
 *   Bus         Each callback returns ACE_OK, or an error, which the function that made the call
 *               returns at once: ACE_EPROTO for an access that the engine refused.
 *   Errors      After ACE_EFAILED no outstanding command completes.  An engine that has read a
 *               wrong row does not send it, so its neighbours wait and their watchdogs report a
 *               stall.  Stop all engines of the fabric, start them, submit again.
 *   Epochs      With another config.epoch at each start, each engine may stop and start at any
 *               time of its own (rtl/ace_link_sync.v).
 *   State       is in the engine; an ace_host only keeps what the probe found, and the tags of
 *               outstanding commands.
 *   Failures    With config.epoch and config.silence every engine whose links lead to a dead link
 *               or a dead engine reports LINK_FAILED or LINK_ENDED in bounded time.  Call
 *               ace_host_end() at each, then start each with the configuration of
 *               ace_plan_without_link() or ace_plan_without_node(), and submit again.
 *   Threads     One engine, one thread at a time.
 */
#ifndef ACE_HOST_H
#define ACE_HOST_H

#include <stddef.h>

#include "ace_core.h"
#include "ace_flit.h"
#include "ace_register_map.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ace_host_bus {
    void *self;
    /* A word of the registers, by its offset in bytes. */
    int (*read32)(void *self, uint32_t offset, uint32_t *value);
    int (*write32)(void *self, uint32_t offset, uint32_t value);
    /* Returns ACE_OK when the interrupt is high.  Returns ACE_ETIME when it stayed low for
     * `patience`, in a unit that the board chooses. */
    int (*wait_interrupt)(void *self, uint64_t patience);
} ace_host_bus;

enum {
    ACE_HOST_OUTSTANDING = 64,
    ACE_HOST_SLOTS = 16, /* the most that an engine has */
    ACE_HOST_ENDED = ACE_HOST_OUTSTANDING + ACE_HOST_SLOTS
};

typedef struct ace_host {
    ace_host_bus bus;
    ace_parameters built; /* as the registers report; sub_banks has no register and is 1 */
    unsigned version;     /* major << 16 | minor */
    unsigned completions; /* commands that may be outstanding */
    unsigned kinds, types, ops;
    unsigned triggers; /* slots of prepared commands; 0 before version 3.2 */
    /* tags of commands that were submitted and have not come back */
    uint16_t outstanding[ACE_HOST_OUTSTANDING];
    unsigned outstanding_count;
} ace_host;

typedef struct ace_host_completion {
    uint16_t tag;
    ace_code code; /* ACE_CODE_NONE: done; else it was refused, or its result is void */
} ace_host_completion;

typedef struct ace_host_error {
    bool valid;
    ace_code code;
    uint8_t response; /* of the memory: 2 SLVERR, 3 DECERR */
    uint16_t tag;     /* of a command that was refused */
    uint64_t address; /* of the burst with an error response, the row refused, the list's item */
} ace_host_error;

/* ACE_OK; ACE_EINVAL: no engine, or a version that this driver does not support. */
int ace_host_probe(ace_host *h, const ace_host_bus *bus);
/* Stops, configures, enables all interrupts and starts.  watchdog: cycles without progress after
 * which the engine reports a stall; 0: never.  ACE_EINVAL: the engine refuses the configuration.
 * ACE_EMEMORY: the memory was lost in a stop, and only rst helps.
 * The engine runs at once, unless a stop left bursts at the memory (ACE_ETIME).  In that case it
 * runs when STATUS.RUNNING is 1. */
int ace_host_start(ace_host *h, const ace_config *cfg, uint32_t watchdog);
/* Hands a command over.  ACE_EBUSY: no room now, or ACE_HOST_OUTSTANDING are outstanding;
 * complete something first; ACE_EFAILED: not before a stop.  A command with a field out of range
 * comes back as a completion.  So does a command that config.wire_format cannot carry, with
 * ACE_CODE_BAD_FORMAT: with a format the engine takes all-gathers of FP32, and sums, minima and
 * maxima of FP32. */
int ace_host_submit(ace_host *h, const ace_command *c);
/* The oldest completion.  ACE_EBUSY: there is none. */
int ace_host_poll(ace_host *h, ace_host_completion *c);
/* Waits for one.  ACE_ETIME: patience ran out; ACE_EFAILED: an error response, a mismatch or the
 * watchdog, see ace_host_error; after the watchdog, waiting again is allowed. */
int ace_host_wait(ace_host *h, uint64_t patience, ace_host_completion *c);
/* The first error since the last that was read, which makes room for the next. */
int ace_host_error_read(ace_host *h, ace_host_error *e);
/* Return the text of a code: static, never NULL. */
const char *ace_code_text(unsigned code);
/* Print the error as text into `to`.  Return what snprintf returns. */
int ace_host_error_text(const ace_host_error *e, char *to, size_t size);
/* May the error response concern this command? */
bool ace_host_concerns(const ace_host_error *e, const ace_command *c);
/* Stops the engine at any time.  Reads the status at most `polls` times until the bursts at the
 * memory have finished.  ACE_ETIME: some bursts are left; a start then waits for them.
 * ACE_EMEMORY: the memory was lost. */
int ace_host_stop(ace_host *h, unsigned polls);
/* Stops an engine that has failed, and returns every command that has not come back in `to`.
 * Queued completions are first.  All other outstanding commands follow, and all slots that are
 * armed or whose command runs, with the error's code and the tag of the command or of the slot.
 * So a command that waits for stores or for its chain has the code, too.  *count: how many.
 * `error` gets the first error since the last that was read; of LINK_FAILED and LINK_ENDED
 * `error->address` has a bit for each link that failed first.  With no error the code is
 * ACE_CODE_STOPPED.  Otherwise as ace_host_stop().
 * A slot with the code may have its flag: the command was done, and the flag on its way. */
int ace_host_end(ace_host *h, unsigned polls, ace_host_error *error,
                 ace_host_completion to[ACE_HOST_ENDED], unsigned *count);
/* Reads the state of each link; all are ACE_LINK_DOWN while the engine is stopped. */
int ace_host_links(ace_host *h, ace_link_life state[ACE_LINKS]);
/* Cycles of each unit in each class. */
int ace_host_counts(ace_host *h, ace_counts counts);

/* ---- prepared commands ---- */

/* A command that the engine keeps in a slot and starts by itself.  Its tag is not used: completions
 * have the tag that ace_host_triggers() gave, with the slot's number in the low bits. */
typedef struct ace_host_trigger {
    ace_command command;
    uint16_t threshold; /* stores that start it, 1..65535 */
    bool repeats;       /* the slot stays armed, and further stores count for the next time */
    bool queues;        /* a completion is queued, too; a completion with an error always is */
    bool writes_flag;
    uint64_t flag;  /* address of four bytes, a multiple of 4 */
    uint32_t value; /* written there when the command is done; each later time one more */
    bool chains;    /* the slot `next` then gets a store */
    uint8_t next;
} ace_host_trigger;

/* Enables the slots, with flags in the bytes first..last, both in whole rows of 256 bytes.  Call it
 * while the engine is stopped; it lasts until rst.  The low bits of the tag, as many as the slots
 * need, are ignored; no command of ace_host_submit() may have a tag of a slot.
 * ACE_EINVAL: there are no slots. */
int ace_host_triggers(ace_host *h, uint16_t tag, uint64_t first, uint64_t last);
/* Keeps a command in a slot, below h->triggers, and arms it.  ACE_EINVAL: no such slot.
 * ACE_EFAILED: not before a stop.  A field out of range, a flag outside its window and a slot whose
 * command runs come back as a completion. */
int ace_host_prepare(ace_host *h, unsigned slot, const ace_host_trigger *t);
/* Arms a prepared slot again, or disarms it.  Its count of stores becomes 0. */
int ace_host_arm(ace_host *h, unsigned slot, bool armed);
/* Adds stores (1..65535) to the count of an armed slot: one register write.  A store to a slot that
 * is not armed comes back as a completion with ACE_CODE_BAD_TRIGGER. */
int ace_host_store(ace_host *h, unsigned slot, unsigned stores);
/* The word at the flag's address is `value` or a later one.  Software reads it from memory. */
static inline bool ace_host_flag_reached(uint32_t word, uint32_t value) {
    return (int32_t)(word - value) >= 0;
}

/* ---- the register writes of start and submit, for callers with a bus of their own ---- */

typedef struct ace_register_write {
    uint32_t offset, value;
} ace_register_write;
enum {
    ACE_HOST_CONFIG_WRITES = 158,
    ACE_HOST_COMMAND_WRITES = 10,
    ACE_HOST_TRIGGERS_WRITES = 3,
    ACE_HOST_PREPARE_WRITES = 14
};
void ace_host_config_writes(const ace_config *cfg, uint32_t watchdog,
                            ace_register_write to[ACE_HOST_CONFIG_WRITES]);
void ace_host_command_writes(const ace_command *c, ace_register_write to[ACE_HOST_COMMAND_WRITES]);
void ace_host_triggers_writes(uint16_t tag, uint64_t first, uint64_t last,
                              ace_register_write to[ACE_HOST_TRIGGERS_WRITES]);
void ace_host_prepare_writes(unsigned slot, const ace_host_trigger *t,
                             ace_register_write to[ACE_HOST_PREPARE_WRITES]);
/* The write of ace_host_store(). */
ace_register_write ace_host_store_write(unsigned slot, unsigned stores);

#ifdef __cplusplus
}
#endif
#endif
