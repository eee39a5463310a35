/* SPDX-License-Identifier: Apache-2.0 */
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

bool program_digest(uint64_t *hash) {
    bool ok = known(digest_executable(hash), "/proc/self/exe");

    for (unsigned i = 1; ok && ace_rtl_set_at(i); i++) {
        char file[PATH_MAX];

        snprintf(file, sizeof file, "%s/ace_set_%s.so", ace_rtl_set_folder(),
                 ace_rtl_set_at(i)->name);
        ok = known(digest_file(file, hash), file);
    }
    return ok;
}
