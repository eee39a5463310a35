/* SPDX-License-Identifier: Apache-2.0 */
#include "figures.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

const char *figure_real(double v, int decimals, char to[FIGURE]) {
    char plain[FIGURE];
    size_t left, n = 0;

    snprintf(plain, sizeof plain, "%.*f", decimals, v);
    left = strcspn(plain, ".");
    for (const char *s = plain; *s && n + 2 < FIGURE; s++) {
        to[n++] = *s;
        if (!left) continue; /* behind the point */
        left--;
        if (left && left % 3 == 0 && isdigit((unsigned char)*s)) to[n++] = ',';
    }
    to[n] = '\0';
    return to;
}

const char *figure_count(double v, char to[FIGURE]) { return figure_real(v, 0, to); }

const char *figure_bytes(double v, char to[FIGURE]) {
    static const char *const names[] = { "bytes", "KiB", "MiB", "GiB", "TiB" };
    unsigned i = 0;
    char number[FIGURE];

    while (i < 4 && v >= 1024 && fmod(v, 1024) == 0) {
        v /= 1024;
        i++;
    }
    snprintf(to, FIGURE, "%.30s %s", figure_count(v, number), names[i]);
    return to;
}

time_unit figure_time_unit(double us) {
    return us < 1e4   ? (time_unit){ "us", 1 }
           : us < 1e7 ? (time_unit){ "ms", 1e3 }
                      : (time_unit){ "s", 1e6 };
}

const char *figure_time(double us, time_unit in, char to[FIGURE]) {
    char number[FIGURE];

    snprintf(to, FIGURE, "%.40s %s", figure_real(us / in.us, 3, number), in.name);
    return to;
}
