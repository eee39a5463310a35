/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rtl_absent.c -- replaces the bridge in a build without RTL (ACE_RTL=OFF, ACE_UNITS=ON)
 *
 * Without RTL there is no set of hardware parameters.  The program therefore refuses the rung `rtl`
 * with the same error as for parameters that no set has, and calls nothing else of the bridge.
 * Such a program serves tests of the C code under sanitizers, which need no Verilator.
 */
#include <stddef.h>

#include "ace_register_wave.h"
#include "ace_rtl_alu.h"
#include "ace_rtl_engine.h"
#include "ace_rtl_node.h"
#include "ace_rtl_registers.h"
#include "ace_rtl_set.h"
#include "ace_wave_file.h"

const ace_rtl_parameter_set *ace_rtl_set_at(unsigned number) {
    (void)number;
    return NULL;
}

const char *ace_rtl_set_folder(void) { return NULL; }

const char *ace_rtl_set_load(const char *file, const char *name, const char *interface) {
    (void)file;
    (void)name;
    (void)interface;
    return "this program holds no RTL";
}

const ace_rtl_parameter_set *ace_rtl_set_loaded(void) { return NULL; }

const char *ace_rtl_verilator(void) { return ""; }

const ace_parameters *ace_rtl_parameters(unsigned set, const char **name) {
    (void)set;
    (void)name;
    return NULL;
}

const ace_parameters *ace_rtl_engine_parameters(unsigned set, unsigned *completions) {
    (void)set;
    (void)completions;
    return NULL;
}

int ace_rtl_core_create(const ace_parameters *p, const ace_config *cfg, bool payload, uint32_t seed,
                        const ace_rtl_wave *wave, ace_core **core) {
    (void)p;
    (void)cfg;
    (void)payload;
    (void)seed;
    (void)wave;
    (void)core;
    return ACE_EINVAL;
}

int ace_rtl_node_create(const ace_node_setup *setup, const ace_rtl_wave *wave, ace_node **node) {
    (void)setup;
    (void)wave;
    (void)node;
    return ACE_EINVAL;
}

int ace_rtl_engine_create(const ace_parameters *p, bool payload, uint32_t seed,
                          const ace_rtl_wave *wave, ace_engine **engine) {
    (void)p;
    (void)payload;
    (void)seed;
    (void)wave;
    (void)engine;
    return ACE_EINVAL;
}

unsigned ace_wave_failures(void) { return 0; }

/* ---- behind a core of the RTL, which there is none of --------------------------------------- */

int ace_registers_create(ace_core *rtl, const ace_core *twin, ace_registers **both) {
    (void)rtl;
    (void)twin;
    (void)both;
    return ACE_EINVAL;
}
void ace_registers_destroy(ace_registers *both) { (void)both; }
void ace_registers_load(ace_registers *both) { (void)both; }
void ace_registers_each(ace_registers *both, ace_register_pair_see *see, void *self) {
    (void)both;
    (void)see;
    (void)self;
}
void ace_registers_rows(ace_registers *both, ace_row_pair_see *see, void *self) {
    (void)both;
    (void)see;
    (void)self;
}

int ace_register_wave_open(const char *file, ace_registers *both, ace_register_wave **wave) {
    (void)file;
    (void)both;
    (void)wave;
    return ACE_EINVAL;
}
void ace_register_wave_dump(ace_register_wave *wave, uint64_t cycle) {
    (void)wave;
    (void)cycle;
}
void ace_register_wave_close(ace_register_wave *wave) { (void)wave; }

ace_rtl_alu *ace_rtl_alu_create(int seed) {
    (void)seed;
    return NULL;
}
void ace_rtl_alu_destroy(ace_rtl_alu *alu) { (void)alu; }
void ace_rtl_alu_tick(ace_rtl_alu *alu, const ace_alu_in *in) {
    (void)alu;
    (void)in;
}
const uint32_t *ace_rtl_alu_data(const ace_rtl_alu *alu) {
    (void)alu;
    return NULL;
}
