/* SPDX-License-Identifier: Apache-2.0 */
/* run_fields.h -- the fields of a run as structs hold them: setup_fields.def is their list */
#ifndef RUN_FIELDS_H
#define RUN_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_node.h"
#include "cluster.h"
#include "setup_fields.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A word of a command line: an argument (no name), a flag (no value), or --name=value. */
typedef struct option_word {
    const char *name, *value;
} option_word;
enum { OPTION_WORDS = 128 };

typedef struct run_fields {
    cluster cluster;
    ace_kind kind;
    ace_type type;
    ace_op op;
    bool type_given;
    uint8_t dims[ACE_CLUSTER_DIMENSIONS], dim_count;
    uint64_t size;
    int schedule;        /* enum schedule */
    unsigned root, peer; /* members; of a send-receive: who sends, who receives */
    const char *counts;  /* file, or NULL: by skew */
    double skew;
    char rtl[256];           /* of the rung rtl: name or path, or "": what the program has */
    char rtl_digest[17];     /* of its Verilog, settled; "" likewise */
    uint64_t rtl_content;    /* of the object, settled */
    const char *calibration; /* of the rung calibrated: file, or NULL */
    bool interval;           /* and the interval of its result */
    bool registers;          /* commands go to ace_engine.v, not to the pins of ace_node.v */
    bool payload, check;
    unsigned threads;
    uint64_t seed;
    format format;
    bool all;            /* a table says everything, not only the answer */
    const char *compare; /* endpoints that run the same, or NULL: see compare.h */
    unsigned jobs;       /* of those at a time */
    const char *report;  /* page of HTML, or NULL */
    const char *timeline, *output;
    uint64_t timeline_limit; /* bytes */
    const char *wave_file;
    unsigned wave_node;
    uint64_t wave_from, wave_to;
    const char *record; /* folder, or NULL */
    unsigned record_node;
    const char *faults;              /* list, or NULL: see faults.h */
    const char *checkpoint, *resume; /* files, or NULL */
    bool quiet;                      /* no progress and no cost on standard error */
    uint64_t checkpoint_every;       /* cycles */
    unsigned iterations;
    const char *workload; /* file */
    bool contention;      /* communication takes its share from compute */
    int dlrm_loop;        /* 1: optimised, 0: plain, -1: as the workload says */
    unsigned
        smallest_first; /* collectives handed over at a time, the smallest first; 0: all, as they come */
    bool unfolded;      /* every node is simulated, also where one could stand for many */
    /* Why no node can stand for another, in words; NULL: nodes of one position can.  A driver's. */
    const char *unlike;
    /* Along each dimension nodes so far apart do the same, and no others; 0: all do.  A driver's. */
    uint16_t period[ACE_CLUSTER_DIMENSIONS];
    unsigned samples;                  /* points of the traffic over time, at most; 0: none */
    bool step_by_step;                 /* every cycle is, also where periods could be left out */
    bool messages;                     /* nodes send one another some (ACE_MESSAGES) */
    bool keep_numbers;                 /* link_defaults.keep_numbers.  A driver's. */
    setup_source source[SETUP_FIELDS]; /* where each of these was written */
    /* The command from which the same result comes again: no files, no threads. */
    option_word words[OPTION_WORDS];
    unsigned word_count;
} run_fields;

/* Looks at the fields together: what follows from them, and what does not go together.  EXIT_OK, or
 * EXIT_USAGE after a message. */
int setup_settle(run_fields *o);
/* Part of it: buffers that cover the round trip of every link, where no others are asked for.  Call it again after
 * a link's bandwidth or latency was changed.  False after a message about the file of links. */
bool setup_settle_rows(run_fields *o);

#ifdef __cplusplus
}
#endif

#endif
