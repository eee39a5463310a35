/* SPDX-License-Identifier: Apache-2.0 */
/*
 * standard_output.c -- detects output that was lost, and a reader that left
 *
 * SIGPIPE sets a flag only, and the program raises the signal again when its command is over.
 * Closed standard files are replaced first, so that no other file can get their numbers.
 */
#include "standard_output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "exit_status.h"

/* The signal handler only sets this flag. */
static volatile sig_atomic_t reader_left;

static void note_reader(int number) {
    (void)number;
    reader_left = 1;
}

/* Installs a handler and not SIG_IGN, so that a program that exec starts gets the default again. If
 * a parent made this process ignore SIGPIPE, it stays ignored. */
static void mind_pipes(void) {
    struct sigaction now, note = { .sa_handler = note_reader };

    sigemptyset(&note.sa_mask);
    note.sa_flags = SA_RESTART;
    if (!sigaction(SIGPIPE, NULL, &now) && now.sa_handler == SIG_DFL)
        sigaction(SIGPIPE, &note, NULL);
}

void standard_output_begin(void) {
    /* A closed file is opened in the wrong direction, so that its use fails as before. */
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0 &&
            open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY) != file)
            break;
    mind_pipes();
    signal(SIGXFSZ, SIG_IGN);
}

bool standard_output_lost(void) { return ferror(stdout) != 0; }

int standard_output_end(int status) {
    int why;
    bool lost;

    errno = 0;
    lost = fflush(stdout) != 0;
    why = errno;
    lost = ferror(stdout) || lost;
    if (!lost) return status;
    if (!why && write(STDOUT_FILENO, "", 0) < 0)
        why = errno; /* the error of an earlier write, if it still occurs */
    if (!reader_left)
        fprintf(stderr, "acesim: standard output: %s, expected room for all that is printed\n",
                why ? strerror(why) : "a part could not be written");
    return status ? status : EXIT_CHECK;
}

int standard_output_leave(int status) {
    if (!reader_left || !ferror(stdout)) return status;
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
    return status;
}

FILE *standard_output_take(void) {
    const int file = fflush(stdout) ? -1 : dup(STDOUT_FILENO);
    FILE *f = file < 0 ? NULL : fdopen(file, "w");

    if (!f || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        if (f)
            fclose(f);
        else if (file >= 0)
            close(file);
        return NULL;
    }
    return f;
}
