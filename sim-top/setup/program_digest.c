/* SPDX-License-Identifier: Apache-2.0 */
/* program_digest.c -- the digest of the executable and of the RTL sets, computed once */
#include "program_digest.h"

#include <limits.h>
#include <stdio.h>

#include "ace_rtl_set.h"
#include "digest.h"

static bool known(bool ok, const char *file) {
    if (ok) return true;
    fprintf(stderr, "acesim: found no %s, expected to know the program by it\n", file);
    return false;
}

static bool digest(uint64_t *hash) {
    bool ok = known(digest_executable(hash), "/proc/self/exe");

    for (unsigned i = 1; ok && ace_rtl_set_at(i); i++) {
        char file[PATH_MAX];

        snprintf(file, sizeof file, "%s/ace_set_%s.so", ace_rtl_set_folder(),
                 ace_rtl_set_at(i)->name);
        ok = known(digest_object(file, 0, 0, hash), file);
    }
    return ok;
}

/* The executable is read only once, and not for each checkpoint, because it does not change during
 * a run. */
bool program_digest(uint64_t *hash) {
    static uint64_t before, after;
    static bool there;

    if (there && *hash == before) {
        *hash = after;
        return true;
    }
    before = *hash;
    there = digest(hash);
    after = *hash;
    return there;
}
