/* SPDX-License-Identifier: Apache-2.0 */
#include "child_process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exit_status.h"

char *child_take(FILE *f) {
    const long size = fseek(f, 0, SEEK_END) ? -1 : ftell(f);
    char *text = size < 0 ? NULL : malloc((size_t)size + 1);

    rewind(f);
    if (text) text[fread(text, 1, (size_t)size, f)] = '\0';
    fclose(f);
    return text;
}

int child_run(int (*body)(void *self), void *self, child_output *i) {
    /* Files rather than pipes: they hold any amount while nobody reads. */
    FILE *out = tmpfile(), *err = tmpfile();
    pid_t pid = -1;
    int status;

    *i = (child_output){ 0 };
    fflush(NULL);
    if (out && err) pid = fork();
    if (!pid) {
        int rc = EXIT_CHECK;

        if (dup2(fileno(out), STDOUT_FILENO) >= 0 && dup2(fileno(err), STDERR_FILENO) >= 0)
            rc = body(self);
        fflush(NULL);
        _exit(rc);
    }
    if (pid < 0) {
        fprintf(stderr, "acesim: cannot start a process: %s\n", strerror(errno));
        if (out) fclose(out);
        if (err) fclose(err);
        return EXIT_CHECK;
    }
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) break;
    i->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    i->out = child_take(out);
    i->err = child_take(err);
    if (i->out && i->err) return EXIT_OK;
    fprintf(stderr, "acesim: out of memory\n");
    return EXIT_CHECK;
}

void child_free(child_output *i) {
    free(i->out);
    free(i->err);
}
