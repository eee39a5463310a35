/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep_worker.c -- claims points, runs each in a process of its own, and records its output
 *
 * A crash costs only one point.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child_process.h"
#include "exit_status.h"
#include "message.h"
#include "run_cost.h"
#include "standard_output.h"
#include "stop_signal.h"
#include "sweep_file.h"
#include "values.h"

/* ---- which worker ---------------------------------------------------------------- */

void sweep_share_find(sweep_share *share) {
    static const struct {
        const char *rank, *first, *ranks;
    } launchers[] = {
        { "OMPI_COMM_WORLD_RANK", NULL, "OMPI_COMM_WORLD_SIZE" },
        { "PMI_RANK", NULL, "PMI_SIZE" },
        { "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_COUNT" },
        { "SLURM_PROCID", NULL, "SLURM_NTASKS" },
    };

    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        const char *rank = getenv(launchers[i].rank), *ranks = getenv(launchers[i].ranks);
        const char *first = launchers[i].first ? getenv(launchers[i].first) : "0";
        uint64_t r, n, f;

        if (!rank || !ranks || !first || !parse_unsigned(ranks, 1, 1000000, &n) ||
            !parse_unsigned(rank, 0, UINT32_MAX, &r) || !parse_unsigned(first, 0, r, &f))
            continue;
        share->rank = (unsigned)((r - f) % n);
        share->ranks = (unsigned)n;
        return;
    }
}

/* ---- a point in a process of its own -------------------------------------------- */

typedef struct job {
    pid_t pid; /* 0: unused */
    unsigned point;
    FILE *out, *err;
    double from;
    bool over; /* ended because it took longer than the limit */
} job;

/* Runs a point in the child process. Does not return. */
static void child(const sweep_point *p, const job *j, const sweep_share *share, pid_t parent,
                  const sigset_t *mask) {
    char *argv[64];
    int rc = EXIT_CHECK;

    stop_signal_release();
    /* An orphan is killed, because no process would record its result. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(EXIT_CHECK);
    sigprocmask(SIG_SETMASK, mask, NULL);
    if (dup2(fileno(j->out), STDOUT_FILENO) >= 0 && dup2(fileno(j->err), STDERR_FILENO) >= 0 &&
        p->count < 62) {
        /* a copy, since getopt reorders its arguments */
        memcpy(argv, p->arguments, (size_t)p->count * sizeof *argv);
        argv[p->count] = (char[]){ "--format=json" };
        argv[p->count + 1] = NULL;
        clearerr(stdout); /* an error of the worker's stdout is not this process's */
        rc = share->run(p->count + 1, argv);
        rc = standard_output_end(rc);
        fflush(NULL);
    }
    _exit(rc);
}

static bool start(job *j, const sweep *s, const sweep_share *share, unsigned point,
                  const sigset_t *mask) {
    const pid_t parent = getpid();

    /* Files rather than pipes: they hold any amount of output while nothing reads them. */
    *j = (job){ .point = point, .out = tmpfile(), .err = tmpfile(), .from = run_cost_start() };
    fflush(NULL);
    j->pid = j->out && j->err ? fork() : -1;
    if (!j->pid) child(&s->points[point], j, share, parent, mask);
    if (j->pid > 0) return true;
    fprintf(stderr, "acesim: cannot start a process: %s\n", strerror(errno));
    if (j->out) fclose(j->out);
    if (j->err) fclose(j->err);
    j->pid = 0;
    return false;
}

/* Removes lines about progress and wall time, which differ from run to run. */
static void keep_message(char *text) {
    char *to = text;

    for (char *line = text, *next; *line; line = next) {
        int percent, used = 0;
        size_t n = strcspn(line, "\n");

        if (line[n]) n++;
        next = line + n;
        (void)sscanf(line, "%d %% cycle%n", &percent, &used);
        if (used || !strncmp(line, "wall time ", 10)) continue;
        memmove(to, line, n);
        to += n;
    }
    if (to > text && to[-1] == '\n') to--;
    *to = '\0';
}

/* Records the result of a process that has ended. */
static bool record(sweep_store *t, job *j, int status, double limit_s) {
    char *out = child_take(j->out), *err = child_take(j->err), killed[96];
    sweep_outcome o = { .wall_s = run_cost_start() - j->from };
    bool good = out && err;

    if (good) {
        size_t n = strlen(out);

        if (n && out[n - 1] == '\n') out[n - 1] = '\0';
        keep_message(err);
        o.result = out;
        o.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        o.message = o.exit_status ? err : "";
        snprintf(killed, sizeof killed, "acesim: ended by signal %d", o.exit_status - 128);
        if (j->over)
            snprintf(killed, sizeof killed, "acesim: ended after the %.0f s of --point-limit",
                     limit_s);
        if (o.exit_status > 128 && (j->over || !*err)) o.message = killed;
        good = sweep_record(t, j->point, &o);
    }
    free(out);
    free(err);
    j->pid = 0;
    return good;
}

/* ---- the worker ----------------------------------------------------------------- */

typedef struct worker {
    const sweep_share *share;
    const sweep *s;
    sweep_store *t;
    job jobs[SWEEP_JOBS];
    uint8_t *settled; /* for each point: it is recorded, runs here, or belongs to another shard */
    unsigned next;    /* the point to try first */
    unsigned running, ran;
    double begun;
} worker;

bool sweep_mine(const sweep_share *share, unsigned point) {
    return (!share->wanted || share->wanted[point]) && point % share->shards == share->shard;
}

/* Starts as many points as possible. *held: points that other workers have claimed. */
static bool fill(worker *w, const sigset_t *mask, unsigned *held) {
    const unsigned n = w->s->count;

    *held = 0;
    for (unsigned i = 0, from = w->next; i < n && w->running < w->share->jobs; i++) {
        const unsigned point = (from + i) % n;
        unsigned j = 0;

        if (w->settled[point]) continue;
        switch (sweep_claim(w->t, point)) {
        case CLAIM_FAILED: return false;
        case BUSY: (*held)++; continue;
        case FINISHED: break;
        case CLAIMED:
            while (w->jobs[j].pid) j++;
            if (!start(&w->jobs[j], w->s, w->share, point, mask)) return false;
            w->running++;
            w->next = point + 1;
            break;
        }
        w->settled[point] = 1;
    }
    return true;
}

static bool reap(worker *w) {
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        for (unsigned j = 0; j < w->share->jobs; j++) {
            if (w->jobs[j].pid != pid) continue;
            if (!record(w->t, &w->jobs[j], status, w->share->limit_s)) return false;
            w->running--;
            w->ran++;
        }
    return true;
}

/* Kills processes that exceed the time limit. reap() records them. */
static void end_slow(worker *w) {
    const double now = run_cost_start();

    for (unsigned j = 0; w->share->limit_s > 0 && j < w->share->jobs; j++) {
        job *const slow = &w->jobs[j];

        if (!slow->pid || slow->over || now - slow->from < w->share->limit_s) continue;
        slow->over = !kill(slow->pid, SIGKILL);
    }
}

/* Returns the number of this share's points. *settled: how many of them are recorded. */
static unsigned count_points(const worker *w, unsigned *settled) {
    unsigned all = 0;

    *settled = 0;
    for (unsigned i = 0; i < w->s->count; i++) {
        if (!sweep_mine(w->share, i)) continue;
        all++;
        *settled += w->settled[i];
    }
    *settled -= w->running;
    return all;
}

/* On a terminal, prints how many points are done, and the time left at the pace so far. */
static void progress(const worker *w) {
    unsigned settled;
    const unsigned all = count_points(w, &settled);
    char left[40] = "";

    if (w->share->quiet || !isatty(STDERR_FILENO)) return;
    if (w->ran)
        run_cost_left(left, sizeof left, (run_cost_start() - w->begun) * (all - settled) / w->ran);
    fprintf(stderr, "\r%u of %u points%-24s", settled, all, left);
}

/* Kills the points that run here. The next worker runs them again. */
static void stop(worker *w, int number) {
    unsigned settled;
    const unsigned all = count_points(w, &settled);

    for (unsigned j = 0; j < w->share->jobs; j++) {
        if (!w->jobs[j].pid) continue;
        kill(w->jobs[j].pid, SIGKILL);
        waitpid(w->jobs[j].pid, NULL, 0);
    }
    fprintf(stderr,
            "acesim: stopped by %s: %u of %u points are kept, and the same command goes on with "
            "the others\n",
            stop_signal_name(number), settled, all);
}

static bool work(worker *w) {
    double beat = run_cost_start();
    sigset_t chld, mask;
    unsigned held;
    bool good = true;

    signal(SIGCHLD, SIG_DFL);
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    sigprocmask(SIG_BLOCK, &chld, &mask);
    while ((good = fill(w, &mask, &held)) && (w->running || held)) {
        /* while other workers hold points, one of them may end or die at any time */
        const bool often = held || w->share->limit_s > 0;
        const struct timespec wait = { .tv_sec = often ? 0 : SWEEP_BEAT_S,
                                       .tv_nsec = often ? 100000000 : 0 };

        progress(w);
        if (!stop_signal()) sigtimedwait(&chld, NULL, &wait);
        if (stop_signal()) break;
        end_slow(w);
        good = reap(w);
        if (good && run_cost_start() - beat >= SWEEP_BEAT_S) {
            good = sweep_beat(w->t);
            beat = run_cost_start();
        }
        if (!good) break;
    }
    if (!w->share->quiet && isatty(STDERR_FILENO)) fprintf(stderr, "\r%40s\r", "");
    sigprocmask(SIG_SETMASK, &mask, NULL);
    return good;
}

int sweep_work(const sweep *s, sweep_store *t, const sweep_share *share, unsigned *ran) {
    worker *w = calloc(1, sizeof *w);
    uint8_t *settled = calloc(s->count, 1);
    int rc = EXIT_CHECK;

    if (w && settled) {
        /* workers begin at different points, so that they rarely try the same one */
        *w = (worker){ .share = share,
                       .s = s,
                       .t = t,
                       .settled = settled,
                       .begun = run_cost_start(),
                       .next = (unsigned)((uint64_t)s->count * share->rank / share->ranks) };
        for (unsigned i = 0; i < s->count; i++) settled[i] = !sweep_mine(share, i);
        stop_signal_catch();
        if (work(w)) rc = EXIT_OK;
        if (stop_signal()) {
            stop(w, stop_signal());
            rc = EXIT_SIGNAL + stop_signal();
        }
        stop_signal_release();
        *ran += w->ran;
    } else {
        (void)message_no_memory();
    }
    free(settled);
    free(w);
    return rc;
}
