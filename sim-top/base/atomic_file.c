/* SPDX-License-Identifier: Apache-2.0 */
/*
 * atomic_file.c -- a part file that is locked, written, synchronised and renamed
 *
 * A name is resolved first: a regular file is replaced, a device is written as it is, and symbolic
 * links are followed. The lock on the part lets a second writer of the same name choose another
 * part. Closing checks every write, then calls fsync(), and renames only if all of them succeeded.
 */
#define _DEFAULT_SOURCE /* realpath, mkstemp, flock */
#include "atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exit_status.h"
#include "standard_output.h"

enum {
    LINKS = 40,    /* symbolic links that are followed, as many as Linux allows */
    WRITERS = 1000 /* writers of one file at a time */
};

/* ---- where a name leads to ---------------------------------------------------------- */

static char *joined(const char *a, size_t length, const char *b) {
    const size_t room = length + strlen(b) + 1;
    char *text = malloc(room);

    if (text) snprintf(text, room, "%.*s%s", (int)length, a, b);
    return text;
}

/* Follows a chain of links whose end does not exist, and returns the end's path. The caller frees
 * it. */
static char *follow(const char *name) {
    char *at = joined(name, strlen(name), ""), to[PATH_MAX];

    for (int i = 0; at && i < LINKS; i++) {
        const ssize_t n = readlink(at, to, sizeof to - 1);
        const char *slash = strrchr(at, '/');
        char *next;

        if (n <= 0) return at; /* no link: the file will be created here */
        to[n] = '\0';
        next = *to == '/' || !slash ? joined(to, (size_t)n, "")
                                    : joined(at, (size_t)(slash + 1 - at), to);
        free(at);
        at = next;
    }
    errno = at ? ELOOP : ENOMEM;
    free(at);
    return NULL;
}

typedef enum output_kind { REPLACED, AS_IT_IS, STANDARD_OUTPUT, NO_OUTPUT } output_kind;

/* Returns NO_OUTPUT with the reason in errno. */
static output_kind find(atomic_file *f) {
    struct stat s, out;

    if (!strcmp(f->name, "-")) return STANDARD_OUTPUT;
    if (stat(f->name, &s)) {
        if (errno == ENOENT) f->target = follow(f->name);
        return f->target ? REPLACED : NO_OUTPUT;
    }
    if (S_ISDIR(s.st_mode)) {
        errno = EISDIR;
        return NO_OUTPUT;
    }
    /* as in >file --timeline file: replacing the file would hide what is printed */
    if (!fstat(STDOUT_FILENO, &out) && out.st_dev == s.st_dev && out.st_ino == s.st_ino)
        return STANDARD_OUTPUT;
    if (!S_ISREG(s.st_mode)) return AS_IT_IS;
    f->target = realpath(f->name, NULL);
    return f->target ? REPLACED : NO_OUTPUT;
}

/* ---- opening ------------------------------------------------------------------------- */

static void forget(atomic_file *f) {
    const char *name = f->name;

    if (f->lock) close(f->lock);
    free(f->part);
    free(f->target);
    *f = (atomic_file){ .name = name };
}

static int cannot_open(atomic_file *f) {
    fprintf(stderr, "acesim: %s: %s, expected a file that can be written\n", f->name,
            strerror(errno));
    if (f->to) fclose(f->to);
    if (f->direct) fclose(f->direct);
    forget(f);
    return EXIT_USAGE;
}

static FILE *open_direct(const atomic_file *f, output_kind p) {
    return p == STANDARD_OUTPUT ? standard_output_take() : fopen(f->name, "w");
}

/* Returns whether the open file still has this name. Its writer may have renamed it meanwhile. */
static bool is_named(int file, const char *name) {
    struct stat a, b;

    return !fstat(file, &a) && !stat(name, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Opens f->part and locks it, if the file system has locks. Returns -1 with the reason in errno;
 * EWOULDBLOCK: another program writes it. */
static int open_locked(const atomic_file *f) {
    for (;;) {
        const int file = open(f->part, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

        if (file < 0) return file;
        if (flock(file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
            close(file);
            errno = EWOULDBLOCK;
            return -1;
        }
        if (is_named(file, f->part)) return file;
        close(file);
    }
}

/* Opens a temporary file that no other program writes. The lock is held until the file has its
 * final name, after the writer's FILE is closed. */
static bool open_part(atomic_file *f, const char *mode) {
    char end[32] = ".part";
    int file = -1;

    for (unsigned i = 1; i < WRITERS; i++) {
        free(f->part);
        f->part = joined(f->target, strlen(f->target), end);
        file = f->part ? open_locked(f) : -1;
        if (file >= 0 || errno != EWOULDBLOCK) break;
        snprintf(end, sizeof end, ".%u.part", i);
    }
    if (file < 0) return false;
    f->lock = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (f->lock > 0 && !ftruncate(file, 0)) f->to = fdopen(file, mode);
    if (f->lock < 0) f->lock = 0;
    if (!f->to) close(file);
    return f->to != NULL;
}

int atomic_file_open(atomic_file *f, const char *name) {
    *f = (atomic_file){ .name = name };
    const output_kind p = find(f);

    if (p == REPLACED) return open_part(f, "w") ? EXIT_OK : cannot_open(f);
    if (p != NO_OUTPUT) f->to = open_direct(f, p);
    return f->to ? EXIT_OK : cannot_open(f);
}

int atomic_file_open_seekable(atomic_file *f, const char *name) {
    *f = (atomic_file){ .name = name };
    const output_kind p = find(f);

    if (p == REPLACED) return open_part(f, "w+") ? EXIT_OK : cannot_open(f);
    if (p != NO_OUTPUT) f->direct = open_direct(f, p);
    if (f->direct) f->to = tmpfile();
    return f->to ? EXIT_OK : cannot_open(f);
}

/* Makes a temporary file in another folder, to be copied at the end. */
static bool reserve_elsewhere(atomic_file *f) {
    const char *folder = getenv("TMPDIR");
    int file;

    if (!folder || !*folder) folder = "/tmp";
    f->part = joined(folder, strlen(folder), "/acesim-XXXXXX");
    file = f->part ? mkstemp(f->part) : -1;
    if (file >= 0) close(file);
    return file >= 0;
}

int atomic_file_reserve(atomic_file *f, const char *name) {
    *f = (atomic_file){ .name = name };
    const output_kind p = find(f);

    if (p == REPLACED) {
        /* fail now rather than after hours if it cannot be made */
        if (!open_part(f, "w")) return cannot_open(f);
        fclose(f->to);
        f->to = NULL;
        return EXIT_OK;
    }
    if (p != NO_OUTPUT) f->direct = open_direct(f, p);
    return f->direct && reserve_elsewhere(f) ? EXIT_OK : cannot_open(f);
}

/* ---- closing ------------------------------------------------------------------------- */

/* Copies all that was written to a target that cannot seek. */
static bool copy(FILE *from, FILE *to) {
    char block[65536];
    size_t n;

    rewind(from);
    while ((n = fread(block, 1, sizeof block, from)) > 0)
        if (fwrite(block, 1, n, to) != n) return false;
    return !ferror(from);
}

/* Writes the file to the disk, because a full disk may show only then. Devices that do not support
 * this are accepted. */
static bool settled(FILE *file) {
    return !fflush(file) &&
           (!fsync(fileno(file)) || errno == EINVAL || errno == EROFS || errno == ENOTSUP);
}

/* Sets errno if it returns false. The reason of an earlier failed write is known only if it
 * recurs. */
static bool close_one(FILE **file, bool ok) {
    FILE *const f = *file;
    bool closed;
    int why;

    *file = NULL;
    if (!f) return ok;
    if (ferror(f)) {
        ok = false;
        errno = 0;
        (void)!write(fileno(f), "", 0);
    }
    if (ok) ok = settled(f);
    why = errno;
    closed = !fclose(f);
    if (closed) errno = why;
    return ok && closed;
}

static void close_both(atomic_file *f) {
    if (f->to) fclose(f->to);
    if (f->direct) fclose(f->direct);
    f->to = f->direct = NULL;
}

void atomic_file_drop(atomic_file *f) {
    close_both(f);
    if (f->part) remove(f->part);
    forget(f);
}

void atomic_file_leave(atomic_file *f, const char *what) {
    close_both(f);
    if (f->part && f->target) fprintf(stderr, "acesim: %s: %s\n", f->part, what);
    if (f->part && !f->target) remove(f->part);
    forget(f);
}

static int fail(atomic_file *f, const char *why) {
    const bool before = f->target && !access(f->target, F_OK);

    fprintf(stderr, "acesim: %s: %s, expected room for the whole of it%s\n", f->name, why,
            before ? "; what was there before stays" : "");
    atomic_file_drop(f);
    return EXIT_CHECK;
}

int atomic_file_fail(atomic_file *f) { return fail(f, "a part could not be written"); }

/* Opens a file that its writer has written by name. */
static bool take_reserved(atomic_file *f) {
    struct stat s;

    if (!f->to) f->to = fopen(f->part, "r+");
    return f->to && !fstat(fileno(f->to), &s) && s.st_size > 0;
}

int atomic_file_close(atomic_file *f) {
    const bool reserved = !f->to;
    bool ok;

    errno = 0;
    if (reserved && !take_reserved(f)) return fail(f, "nothing was written");
    ok = !ferror(f->to) && (!f->direct || copy(f->to, f->direct));
    ok = close_one(&f->direct, ok);
    ok = close_one(&f->to, ok);
    if (ok && f->target) ok = !rename(f->part, f->target);
    if (!ok) return fail(f, errno ? strerror(errno) : "a part could not be written");
    if (!f->target && f->part) remove(f->part);
    forget(f);
    return EXIT_OK;
}

/* ---- folders -------------------------------------------------------------------------- */

int atomic_file_folder(const char *name) {
    struct stat s;

    if (!mkdir(name, 0777) || (errno == EEXIST && !stat(name, &s) && S_ISDIR(s.st_mode)))
        return EXIT_OK;
    fprintf(stderr, "acesim: %s: %s, expected a folder, or a name for one that can be made\n", name,
            strerror(errno == EEXIST ? ENOTDIR : errno));
    return EXIT_USAGE;
}

/* The folders that this program has taken. Each stays locked until the program ends. */
typedef struct taken {
    dev_t device;
    ino_t inode;
    struct taken *next;
} taken;

int atomic_file_folder_take(const char *name) {
    static taken *all;
    struct stat s;
    taken *t;
    int folder;

    if (atomic_file_folder(name) != EXIT_OK) return EXIT_USAGE;
    folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0 || fstat(folder, &s)) {
        if (folder >= 0) close(folder);
        return EXIT_OK; /* a folder that cannot be opened may still be writable, without a lock */
    }
    for (t = all; t && (t->device != s.st_dev || t->inode != s.st_ino);) t = t->next;
    if (!t && flock(folder, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
        fprintf(stderr,
                "acesim: %s: found another run that writes its files there, expected a folder for "
                "each run\n",
                name);
        close(folder);
        return EXIT_USAGE;
    }
    if (t) {
        close(folder);
    } else if ((t = malloc(sizeof *t))) {
        *t = (taken){ s.st_dev, s.st_ino, all };
        all = t;
    }
    return EXIT_OK;
}
