/* SPDX-License-Identifier: Apache-2.0 */
/*
 * export.h -- a calibration in the forms of other simulators, each with the error of that form
 *
 *   astra-sim-2   a folder: network.yml, system.json, remote_memory.json
 *   astra-sim-1   a folder: network.json, system.txt
 *   loggops       a file: the parameters of each kind, for LogGOPSim
 *   csv           a file: a time for each kind and size, for spreadsheets and tables of bandwidth
 *
 * A form is fitted to the times of the calibrated node, of collectives over all dimensions with the
 * cluster's chunks and memory: on 1 MiB and each eightfold of it.  Its residual is of the sizes
 * between, |form / calibrated node - 1|; the calibrated node's own error, of what was measured and
 * held out, stands beside it and is not in it.
 */
#ifndef EXPORT_H
#define EXPORT_H

#include <cjson/cJSON.h>

#include "astra_form.h"
#include "calibration_file.h"

typedef enum export_format {
    EXPORT_ASTRA_2,
    EXPORT_ASTRA_1,
    EXPORT_LOGGOPS,
    EXPORT_CSV
} export_format;
extern const char *const export_names[]; /* ends with NULL */

enum { EXPORT_KINDS = 4, EXPORT_SIZES = 32, EXPORT_SPLITS = 8 };
extern const ace_kind export_kinds[EXPORT_KINDS];

/* A size of a kind: the calibrated node's time, and the form's; bytes: of the vector, of an
 * all-gather the result. */
typedef struct export_point {
    ace_kind kind;
    bool fitted;
    double bytes, ns, form_ns;
} export_point;

/* LogGOPS: L o g in ns, G O in ns a byte, S in bytes; all times whole numbers of logs_ns. */
typedef struct loggops {
    double L, o, g, G, O, S;
} loggops;

typedef struct export_fit {
    export_format format;
    const calibration *of;
    const char *file;
    ace_kind kind; /* that ASTRA-sim's forms are fitted to */
    export_point at[EXPORT_KINDS * EXPORT_SIZES];
    unsigned count;
    astra_form astra;
    double share; /* of the links' bandwidth: that of the active chunks together */
    double of_splits[EXPORT_SPLITS]; /* mean error of the kind with 1, 2, 4 ... splits */
    loggops logs[EXPORT_KINDS];
    double logs_ns; /* of a unit of LogGOPSim's time, which reads whole numbers of 31 bits */
    unsigned members, dims;
} export_fit;

bool export_has(ace_kind kind);

/* EXIT_OK, or after a message another status. */
int export_make(const calibration *c, const char *file, export_format format, ace_kind kind,
                export_fit *e);
/* Writes it to a folder or a file.  The same. */
int export_write(const export_fit *e, const char *to);
/* What was fitted and the errors, as an object, and as a table for people.  NULL: no memory. */
cJSON *export_object(const export_fit *e);
void export_print(const cJSON *object);

#endif
