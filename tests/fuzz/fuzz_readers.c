/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_readers.c -- what acesim reads from outside, given whatever libFuzzer thinks of
 *
 * Built once for each reader, which READER names.  A reader may refuse or accept; what counts is
 * that it ends, within libFuzzer's limits, without a word of AddressSanitizer or
 * UndefinedBehaviorSanitizer.
 */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ace_program.h"
#include "astra_files.h"
#include "chakra_file.h"
#include "cluster.h"
#include "exchange_counts.h"
#include "exit_status.h"
#include "faults.h"
#include "msccl_contents.h"
#include "npu.h"
#include "result_read.h"
#include "setup_fields.h"
#include "sweep_file.h"
#include "workload.h"
#include "workload_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

typedef struct input {
    const char *text; /* ends with a zero byte behind its bytes */
    const char *file; /* that holds them */
} input;

/* Every algorithm as text: a program of the state machines. */
__attribute__((unused)) static void program(const input *in) {
    uint32_t words[ACE_PROGRAM_WORDS];
    ace_program_error e;

    (void)ace_program_assemble(in->text, 15, words, &e);
}

__attribute__((unused)) static void result(const input *in) {
    double share[CLASSES];
    saved_run r;

    if (saved_run_parse("result", in->text, &r) == EXIT_OK) (void)saved_classes(&r, "alu", share);
    saved_run_free(&r);
}

/* The first byte chooses the field, the rest is its value; what is taken can be printed. */
__attribute__((unused)) static void field(const input *in) {
    const setup_field *const f = &setup_fields[(unsigned char)*in->text % SETUP_FIELDS];
    char printed[300];
    run_fields o;

    if (!*in->text) return;
    setup_initial(&o);
    if (setup_take(f, in->text + 1, &o)) setup_print(f, &o, printed, sizeof printed);
}

__attribute__((unused)) static void cluster_file(const input *in) {
    run_fields o;

    setup_initial(&o);
    if (cluster_read(in->file, &o) == EXIT_OK) (void)setup_settle(&o);
}

__attribute__((unused)) static void workload_file(const input *in) {
    run_fields o;
    workload w;

    setup_initial(&o);
    (void)workload_read(in->file, &o.cluster.npu, 1000, &w);
    workload_free(&w);
}

__attribute__((unused)) static void sweep_yaml(const input *in) {
    sweep s;

    (void)sweep_read(in->file, false, &s);
    sweep_free(&s);
}

__attribute__((unused)) static void counts(const input *in) {
    uint64_t *matrix = NULL;
    run_fields o;

    setup_initial(&o);
    o.counts = in->file;
    if (exchange_counts_make(&o, 3, &matrix) == EXIT_OK) {
        (void)exchange_counts_vector(matrix, 3);
        free(matrix);
    }
}

__attribute__((unused)) static void fault_list(const input *in) {
    run_fields o;
    faults f;

    setup_initial(&o);
    if (faults_read(in->text, &f)) (void)faults_check(&f, &o);
    faults_free(&f);
}

/* ---- ASTRA-sim's files -------------------------------------------------------------------------- */
__attribute__((unused)) static void chakra(const input *in) {
    chakra_file *f;
    const Chakra__Node *node;
    int status = 1;

    if (chakra_file_open(in->file, &f) != EXIT_OK) return;
    while (status == 1) status = chakra_file_next(f, &node);
    if (status == 0 && chakra_file_rewind(f) != EXIT_OK)
        abort(); /* what was read once is read again */
    chakra_file_close(f);
}

__attribute__((unused)) static void astra_network_yaml(const input *in) {
    astra_network n;

    (void)astra_network_read(in->file, &n);
}

__attribute__((unused)) static void astra_system_json(const input *in) {
    static const astra_network square = { .dims = 2, .members = { 4, 4 }, .npus = 16 };
    astra_system s;

    (void)astra_system_read(in->file, &square, &s);
}

__attribute__((unused)) static void astra_memory_json(const input *in) {
    astra_memory m;

    (void)astra_memory_read(in->file, &m);
}

__attribute__((unused)) static void astra_groups_json(const input *in) {
    astra_groups g;

    if (astra_groups_read(in->file, 16, &g) == EXIT_OK) (void)astra_groups_find(&g, "1");
    astra_groups_free(&g);
}

/* What is read is looked at as before a run. */
__attribute__((unused)) static void msccl_xml(const input *in) {
    msccl_algorithm a;
    msccl_order o = { 0 };

    if (msccl_read(in->file, &a) == EXIT_OK && msccl_connect(&a) == EXIT_OK &&
        msccl_order_make(&a, &o) == EXIT_OK)
        (void)msccl_contents_check(&a, &o, 0);
    msccl_order_free(&o);
    msccl_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    const int file = memfd_create("input", 0);
    char name[64], *text = malloc(bytes + 1);

    if (file < 0 || !text) abort();
    memcpy(text, data, bytes);
    text[bytes] = '\0';
    if (write(file, data, bytes) != (ssize_t)bytes) abort();
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    READER(&(input){ text, name });
    free(text);
    close(file);
    return 0;
}
