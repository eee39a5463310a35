/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rtl_set.h -- one set of hardware parameters, Verilated
 *
 * The program contains the default set.  Every other set is a shared object, ace_set_NAME.so, which
 * ace_rtl_sets.cc finds in a folder next to the program.  The program is thus built without the
 * other sets, and a set can be added later.  `acesim rtl build` makes such an object for any
 * parameters, and from changed RTL (cmake/rtl_set.sh); it is loaded when a run names it.
 */
#ifndef ACE_RTL_SET_H
#define ACE_RTL_SET_H

#include "ace_core.h"
#include "ace_engine.h"
#include "ace_rtl_wave.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Incremented when the struct below changes, or the functions that a set calls in the program. */
enum { ACE_RTL_SET_VERSION = 3 };

typedef struct ace_rtl_parameter_set {
    const char *name; /* "default", as in cmake/node_sets/, or the argument of ace_rtl_set_load() */
    const char *rtl;  /* 16 digits of the SHA-256 of its Verilog; "": the program's */
    const char *interface; /* build_interface of the program it was made for; "": built with it */
    ace_parameters parameters;
    unsigned completions; /* slots of the engine's queue; 0: the set has no engine */
    bool payload; /* false: rows have no values (PAYLOAD=0), so node() refuses a run with payload */
    /* Like ace_rtl_core_create() and ace_rtl_engine_create(), with the set's parameters. */
    int (*node)(const ace_config *cfg, bool payload, uint32_t seed, const ace_rtl_wave *wave,
                ace_core **core);
    int (*engine)(bool payload, uint32_t seed, const ace_rtl_wave *wave, ace_engine **engine);
} ace_rtl_parameter_set;

/* The function that a shared object exports under the name below.  It returns the object's set, or
 * NULL if `version` is not the one it was made for. */
typedef const ace_rtl_parameter_set *ace_rtl_set_of(int version);
#define ACE_RTL_SET_SYMBOL "ace_rtl_set_of_object"

/* The set that the program holds. */
const ace_rtl_parameter_set *ace_rtl_set_default(void);

/* The set with a number: 0 is the default set, then follow the sets found, sorted by name.  NULL
 * past the last. */
const ace_rtl_parameter_set *ace_rtl_set_at(unsigned number);

/* Loads an object of `acesim rtl build` and replaces the one loaded before.  For its parameters the
 * loaded set takes precedence over all others.  Returns NULL, or the reason of a failure as text
 * that stays until the next call.  interface: build_interface of this program.  Do not call it
 * while nodes run on other threads. */
const char *ace_rtl_set_load(const char *file, const char *name, const char *interface);
/* The set that was loaded last, or NULL. */
const ace_rtl_parameter_set *ace_rtl_set_loaded(void);

/* The version of the Verilator runtime in the program, such as "5.006". */
const char *ace_rtl_verilator(void);

/* The folder in which other sets were found, or NULL. */
const char *ace_rtl_set_folder(void);

#ifdef __cplusplus
}
#endif

#endif
