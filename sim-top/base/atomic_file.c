/* SPDX-License-Identifier: Apache-2.0 */
#include "atomic_file.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "exit_status.h"

FILE *atomic_file_open(const char *name) {
    char part[1100];

    snprintf(part, sizeof part, "%.1024s.part", name);
    return fopen(part, "w");
}

int atomic_file_close(FILE *f, const char *name) {
    char part[1100];
    bool ok = f && !ferror(f);

    snprintf(part, sizeof part, "%.1024s.part", name);
    if (f) ok = !fclose(f) && ok && !rename(part, name);
    if (ok) return EXIT_OK;
    fprintf(stderr, "acesim: %s: %s, expected a file that can be written\n", name, strerror(errno));
    if (f) remove(part);
    return EXIT_USAGE;
}
