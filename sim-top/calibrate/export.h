/* SPDX-License-Identifier: Apache-2.0 */
/*
 * export.h -- exports a calibration to the forms of other simulators, with each form's error
 *
 *   astra-sim-2   a folder: network.yml, system.json, remote_memory.json
 *   astra-sim-1   a folder: network.json, system.txt
 *   loggops       a file: the parameters of each kind, for LogGOPSim
 *   csv           a file: a time for each kind and size, for spreadsheets and tables of bandwidth
 *
 * A form is fitted to the calibrated node's times of collectives over all dimensions, with the
 * cluster's chunk size and memory. The fitted sizes are 1 MiB, 8 MiB and so on. The residual |form
 * / calibrated node - 1| is taken at the sizes between. The calibrated node's own error on held-out
 * experiments is reported separately, and is not part of the residual.
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

/* A size of a kind: the calibrated node's time and the form's. bytes: of the vector, or of an
 * all-gather's result. */
typedef struct export_point {
    ace_kind kind;
    bool fitted;
    double bytes, ns, form_ns;
} export_point;

/* LogGOPS parameters: L o g in ns, G O in ns a byte, S in bytes. All times are multiples of
 * logs_ns. */
typedef struct loggops {
    double L, o, g, G, O, S;
} loggops;

typedef struct export_fit {
    export_format format;
    const calibration *of;
    const char *file;
    ace_kind kind; /* the kind to which ASTRA-sim's forms are fitted */
    export_point at[EXPORT_KINDS * EXPORT_SIZES];
    unsigned count;
    astra_form astra;
    double share; /* share of the links' bandwidth that the active chunks use together */
    double of_splits[EXPORT_SPLITS]; /* mean error of the kind with 1, 2, 4 ... splits */
    loggops logs[EXPORT_KINDS];
    double logs_ns; /* unit of LogGOPSim's times, which are whole numbers of 31 bits, in ns */
    unsigned members, dims;
} export_fit;

bool export_has(ace_kind kind);

/* Fits a form. Returns EXIT_OK, or another status after a message. */
int export_make(const calibration *c, const char *file, export_format format, ace_kind kind,
                export_fit *e);
/* Writes the form to a folder or a file. Returns EXIT_OK, or another status after a message. */
int export_write(const export_fit *e, const char *to);
/* export_object() returns the parameters and the errors as an object (NULL: no memory), and
 * export_print() prints it as a table. */
cJSON *export_object(const export_fit *e);
void export_print(const cJSON *object);

#endif
