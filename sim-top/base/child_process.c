/* SPDX-License-Identifier: Apache-2.0 */
/*
 * child_process.c -- forks a function whose output goes to temporary files
 *
 * Files hold any amount of output, so a child never waits for its parent to read. The parent reads
 * them after the child has ended.
 */
#include "child_process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exit_status.h"
#include "message.h"
#include "standard_output.h"

char *child_take(FILE *f) {
    const long size = fseek(f, 0, SEEK_END) ? -1 : ftell(f);
    char *text = size < 0 ? NULL : malloc((size_t)size + 1);

    rewind(f);
    if (text && fread(text, 1, (size_t)size, f) == (size_t)size) {
        text[size] = '\0';
    } else {
        free(text);
        text = NULL;
    }
    fclose(f);
    return text;
}

int child_start(int (*body)(void *self), void *self, child_process *p) {
    /* Files rather than pipes: they hold any amount of output while nothing reads them. */
    *p = (child_process){ .pid = -1, .out = tmpfile(), .err = tmpfile() };
    fflush(NULL);
    if (p->out && p->err) p->pid = fork();
    if (!p->pid) {
        int rc = EXIT_CHECK;

        if (dup2(fileno(p->out), STDOUT_FILENO) >= 0 && dup2(fileno(p->err), STDERR_FILENO) >= 0) {
            clearerr(stdout); /* an error of the parent's stdout is not the child's */
            rc = standard_output_end(body(self));
        }
        fflush(NULL);
        _exit(rc);
    }
    if (p->pid > 0) return EXIT_OK;
    fprintf(stderr, "acesim: cannot start a process: %s\n", strerror(errno));
    if (p->out) fclose(p->out);
    if (p->err) fclose(p->err);
    return EXIT_CHECK;
}

int child_wait(child_process *p, child_output *i) {
    int status = 0;

    while (waitpid(p->pid, &status, 0) < 0)
        if (errno != EINTR) break;
    i->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    i->out = child_take(p->out);
    i->err = child_take(p->err);
    if (i->out && i->err) return EXIT_OK;
    return message_no_memory();
}

int child_run(int (*body)(void *self), void *self, child_output *i) {
    child_process p;
    const int rc = child_start(body, self, &p);

    *i = (child_output){ 0 };
    return rc == EXIT_OK ? child_wait(&p, i) : rc;
}

void child_free(child_output *i) {
    free(i->out);
    free(i->err);
}
