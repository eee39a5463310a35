/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rtl_set.h -- one set of hardware parameters, Verilated
 *
 * The program holds the default set.  Any other is a shared object of its own, ace_set_NAME.so,
 * which ace_rtl_sets.cc finds in a folder beside the program: so the program is built without the
 * others, and a set can be added to a program that is there.  `acesim rtl build` makes such an
 * object of any parameters and of RTL that was changed (cmake/rtl_set.sh); it is loaded where a run
 * names it.
 */
#ifndef ACE_RTL_SET_H
#define ACE_RTL_SET_H

#include "ace_core.h"
#include "ace_engine.h"
#include "ace_rtl_wave.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Grows when the struct below, or what a set needs of the program, changes. */
enum { ACE_RTL_SET_VERSION = 3 };

typedef struct ace_rtl_parameter_set {
    /* "default", a name in cmake/node_sets/, or the name given to ace_rtl_set_load() */
    const char *name;
    const char *rtl;       /* 16 digits of the SHA-256 of its Verilog; "": the program's */
    const char *interface; /* build_interface of the program it was made for; "": built with it */
    ace_parameters parameters;
    unsigned completions; /* places of the engine's queue; 0: there is no engine of this set */
    bool payload; /* false: rows have no values (PAYLOAD=0), so node() refuses a run with payload */
    /* As ace_rtl_core_create and ace_rtl_engine_create, of these parameters. */
    int (*node)(const ace_config *cfg, bool payload, uint32_t seed, const ace_rtl_wave *wave,
                ace_core **core);
    int (*engine)(bool payload, uint32_t seed, const ace_rtl_wave *wave, ace_engine **engine);
} ace_rtl_parameter_set;

/* The type of the function that a shared object exports under this name. It returns the object's
 * set, or NULL for a program of another version. */
typedef const ace_rtl_parameter_set *ace_rtl_set_of(int version);
#define ACE_RTL_SET_SYMBOL "ace_rtl_set_of_object"

/* The set that the program holds. */
const ace_rtl_parameter_set *ace_rtl_set_default(void);

/* All sets, by number: the default one is 0, then those found, by name.  NULL past the last. */
const ace_rtl_parameter_set *ace_rtl_set_at(unsigned number);

/* Loads an object of `acesim rtl build`, instead of one that was loaded before. It then takes
 * precedence over other sets with its parameters. Returns NULL, or a text that says why it failed,
 * which is valid until the next call. interface: of this program. Do not call it while nodes run in
 * other threads. */
const char *ace_rtl_set_load(const char *file, const char *name, const char *interface);
/* Returns the set that was loaded last, or NULL. */
const ace_rtl_parameter_set *ace_rtl_set_loaded(void);

/* Returns the version of Verilator whose runtime the program holds: "5.006". */
const char *ace_rtl_verilator(void);

/* The folder in which other sets were looked for and the first of them was found, or NULL. */
const char *ace_rtl_set_folder(void);

#ifdef __cplusplus
}
#endif

#endif
