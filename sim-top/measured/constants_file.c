/* SPDX-License-Identifier: Apache-2.0 */
/*
 * constants_file.c -- writes and reads the constants of the closed form as YAML
 *
 * The keys come from the names of the constants. A bandwidth of 0 is refused, because a message
 * would never end.
 */
#include "constants_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_file.h"
#include "exit_status.h"
#include "names.h"
#include "yaml_file.h"

int constants_write(const char *file, const constants_file *c) {
    atomic_file f;
    int rc = atomic_file_open(&f, file);

    if (rc != EXIT_OK) return rc;
    fprintf(f.to, "# Constants of the closed form (acesim closed-form), calibrated\n");
    for (unsigned i = 0; i < CONSTANTS; i++)
        fprintf(f.to, "%s: %.10g%s%s\n", constant_names[i], c->value[i],
                *constant_units[i] ? "    # " : "", constant_units[i]);
    fprintf(f.to, "fitted_on: \"");
    for (size_t i = 0, n; c->fitted_on[i]; i += n ? n : 1) {
        const char *const p = &c->fitted_on[i];

        n = utf8_character(p);
        fprintf(f.to, "%s%.*s", *p == '"' || *p == '\\' ? "\\" : "", n ? (int)n : 3,
                n ? p : UTF8_INSTEAD);
    }
    fprintf(f.to, "\"\nfitted_error: %.6f    # mean, of the rows fitted\n", c->fitted_error);
    if (!isnan(c->unseen_error))
        fprintf(f.to, "unseen_error: %.6f    # mean, of the other rows\n", c->unseen_error);
    return atomic_file_close(&f);
}

static bool read_value(void *to, const char *s) {
    char *end;
    const double v = strtod(s, &end);

    if (end == s || *end || !(v >= 0 && v < 1e12)) return false;
    *(double *)to = v;
    return true;
}
static bool read_text(void *to, const char *s) {
    if (strlen(s) > 255) return false;
    memcpy(to, s, strlen(s) + 1);
    return true;
}

int constants_read(const char *file, constants_file *c) {
    yaml_key keys[CONSTANTS + 4] = { { 0 } };

    *c = (constants_file){ .unseen_error = NAN };
    for (unsigned i = 0; i < CONSTANTS; i++)
        keys[i] = (yaml_key){ constant_names[i],    true, read_value, &c->value[i],
                              "a number from 0 on", NULL };
    keys[CONSTANTS] =
        (yaml_key){ "fitted_on", true, read_text, c->fitted_on, "what the constants were fitted on",
                    NULL };
    keys[CONSTANTS + 1] =
        (yaml_key){ "fitted_error", true, read_value, &c->fitted_error, "a mean error", NULL };
    keys[CONSTANTS + 2] =
        (yaml_key){ "unseen_error", false, read_value, &c->unseen_error, "a mean error", NULL };
    if (yaml_read(file, keys)) return EXIT_USAGE;
    for (unsigned i = 0; i < CONSTANTS; i++) {
        /* A latency of 0 and a factor of 0 are none; a bandwidth of 0 never ends. */
        if (c->value[i] > 0 || i == CONSTANT_LATENCY || i == CONSTANT_VECTOR) continue;
        yaml_error(file, 1, 1, constant_names[i], "it above 0");
        return EXIT_USAGE;
    }
    return EXIT_OK;
}
