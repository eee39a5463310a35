/* SPDX-License-Identifier: Apache-2.0 */
/*
 * processes_mpi.c -- acesim-mpi: the run's processes are the ranks of an MPI job
 *
 * When an MPI call fails, MPI ends the job. When a rank dies, mpirun does. Both print a message.
 */
#include <limits.h>
#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "processes.h"

enum { TAG_EXCHANGE, TAG_TEXT, TEXT_PIECE = 1 << 20 };

static int rank, count = 1;
static bool over;            /* a message was agreed on: the run has failed */
static MPI_Request *request; /* two for each other process */
static MPI_Status *received;
static int *part;  /* bytes of each process, then the offset at which they begin */
static char *held; /* what a rank above 0 has written to stderr */
static size_t held_bytes;

_Noreturn static void give_up(const char *why) {
    dprintf(STDERR_FILENO, "acesim: process %d: %s\n", rank, why);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

/* ---- messages ---------------------------------------------------------------------- */

/* This also runs when the process aborts, so it may only call write(). */
static void speak(void) {
    for (size_t at = 0; at < held_bytes;) {
        const ssize_t n = write(STDERR_FILENO, held + at, held_bytes - at);
        if (n <= 0) return;
        at += (size_t)n;
    }
}

/* A failed assertion has printed its message. abort() continues when this returns. */
static void speak_on_abort(int signal_number) {
    (void)signal_number;
    speak();
}

/* After exit() without processes_end(), messages held back would be lost. */
static void speak_on_exit(void) {
    if (rank) fflush(stderr);
    speak();
}

static void forget(void) {
    if (!rank) return;
    rewind(stderr);
    fflush(stderr); /* sets held_bytes */
}

/* Replaces the streams stderr and stdout, not their file descriptors. So what the C library, a
 * sanitizer or MPI writes to descriptor 2 in a crash is still seen. */
static void hold_messages(void) {
    FILE *messages = open_memstream(&held, &held_bytes), *nowhere = fopen("/dev/null", "w");

    if (!messages || !nowhere) give_up("cannot hold messages back");
    stderr = messages;
    stdout = nowhere;
    signal(SIGABRT, speak_on_abort);
    atexit(speak_on_exit);
}

/* ---- the calls --------------------------------------------------------------------- */

void processes_start(int *argc, char ***argv) {
    int provided;

    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    if (provided < MPI_THREAD_FUNNELED) give_up("this MPI cannot be used beside threads");
    request = calloc(2 * (size_t)count, sizeof *request);
    received = calloc(2 * (size_t)count, sizeof *received);
    part = calloc(2 * (size_t)count, sizeof *part);
    if (!request || !received || !part) give_up("out of memory");
    if (rank) hold_messages();
}

int processes_end(int status) {
    if (!over) status = processes_agree(status);
    forget();
    fflush(NULL);
    free(request);
    free(received);
    free(part);
    MPI_Finalize();
    return status;
}

unsigned processes_rank(void) { return (unsigned)rank; }
unsigned processes_count(void) { return (unsigned)count; }

int processes_agree(int status) {
    /* the largest value has the largest status, and among equal ones the lowest rank */
    uint64_t worst = status ? (uint64_t)status << 32 | (uint32_t)(count - rank) : 0;

    processes_maximum(&worst, 1);
    if (!worst) return 0;
    over = true;
    if (rank && (uint32_t)worst == (uint32_t)(count - rank)) {
        fflush(stderr);
        speak();
    }
    forget();
    return (int)(worst >> 32);
}

void processes_maximum(uint64_t *v, unsigned values) {
    MPI_Allreduce(MPI_IN_PLACE, v, (int)values, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
}

void processes_exchange(message *m, unsigned messages) {
    for (unsigned i = 0; i < messages; i++) {
        const int room = m[i].room < INT_MAX ? (int)m[i].room : INT_MAX;
        MPI_Irecv(m[i].in, room, MPI_BYTE, (int)m[i].process, TAG_EXCHANGE, MPI_COMM_WORLD,
                  &request[i]);
    }
    for (unsigned i = 0; i < messages; i++) {
        if (m[i].out_bytes > INT_MAX) give_up("more than 2 GiB for one process in one window");
        MPI_Isend(m[i].out, (int)m[i].out_bytes, MPI_BYTE, (int)m[i].process, TAG_EXCHANGE,
                  MPI_COMM_WORLD, &request[messages + i]);
    }
    MPI_Waitall((int)(2 * messages), request, received);
    for (unsigned i = 0; i < messages; i++) {
        int bytes;
        MPI_Get_count(&received[i], MPI_BYTE, &bytes);
        m[i].in_bytes = (size_t)bytes;
    }
}

size_t processes_share(const void *mine, size_t bytes, void **all) {
    const int own = bytes < INT_MAX ? (int)bytes : INT_MAX;
    size_t sum = 0;

    MPI_Allgather(&own, 1, MPI_INT, part, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++) {
        if (sum + (size_t)part[i] >= INT_MAX) give_up("more than 2 GiB to send in one window");
        part[count + i] = (int)sum; /* the offset of the bytes of process i */
        sum += (size_t)part[i];
    }
    if (!sum) return 0;
    *all = realloc(*all, sum);
    if (!*all) give_up("out of memory");
    MPI_Allgatherv(mine, own, MPI_BYTE, *all, part, part + count, MPI_BYTE, MPI_COMM_WORLD);
    return sum;
}

void processes_gather(const void *mine, void *all, size_t bytes) {
    MPI_Gather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

/* Sends text in segments. A segment shorter than TEXT_PIECE is the last. */
static void send_text(const char *text, size_t bytes) {
    size_t at = 0, n;

    do {
        n = bytes - at < TEXT_PIECE ? bytes - at : TEXT_PIECE;
        MPI_Send(text + at, (int)n, MPI_BYTE, 0, TAG_TEXT, MPI_COMM_WORLD);
        at += n;
    } while (n == TEXT_PIECE);
}

static void receive_text(FILE *to, int from) {
    char *piece = malloc(TEXT_PIECE);
    int n;

    if (!piece) give_up("out of memory");
    do {
        MPI_Status status;
        MPI_Recv(piece, TEXT_PIECE, MPI_BYTE, from, TAG_TEXT, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_BYTE, &n);
        fwrite(piece, 1, (size_t)n, to);
    } while (n == TEXT_PIECE);
    free(piece);
}

void processes_write(FILE *to, void (*write_to)(FILE *to, const void *self), const void *self) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *f;

    if (!rank) {
        write_to(to, self);
        for (int from = 1; from < count; from++) receive_text(to, from);
        return;
    }
    f = open_memstream(&text, &bytes);
    if (!f) give_up("out of memory");
    write_to(f, self);
    if (fclose(f)) give_up("out of memory");
    send_text(text, bytes);
    free(text);
}
