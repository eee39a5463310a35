/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message.c -- suggests the nearest word, by an edit distance
 *
 * The distance counts insertions, deletions, changed letters and swapped neighbours. How many
 * mistakes are allowed depends on the length of the word. Options go through getopt_long(), whose
 * errors are replaced by messages with a suggestion.
 */
#include "message.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "exit_status.h"

enum { SHORTEST = 3, LONGEST = 63 /* letters of a word that is compared */ };

static bool same(char a, char b) { return tolower((unsigned char)a) == tolower((unsigned char)b); }

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* Computes the table of edit distances between prefixes of a and b. Row i needs only the two rows
 * before. */
unsigned message_distance(const char *a, const char *b, unsigned most) {
    const size_t n = strlen(a), m = strlen(b);
    unsigned rows[3][LONGEST + 1];
    unsigned *before = rows[0], *last = rows[1], *now = rows[2];

    if (n > LONGEST || m > LONGEST || n > m + most || m > n + most) return most + 1;
    for (unsigned j = 0; j <= m; j++) last[j] = before[j] = j;
    for (unsigned i = 1; i <= n; i++) {
        unsigned *const spare = before;

        now[0] = i;
        for (unsigned j = 1; j <= m; j++) {
            now[j] = least(last[j - 1] + !same(a[i - 1], b[j - 1]), least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                now[j] = least(now[j], before[j - 2] + 1);
        }
        before = last;
        last = now;
        now = spare;
    }
    return last[m];
}

/* Returns how many letters may be wrong: one in a short word, else a third. */
static unsigned tolerance(const char *word) {
    const size_t n = strlen(word);

    return n < 2 ? 0 : n < 6 ? 1 : (unsigned)n / 3;
}

const char *message_nearest(const char *word, const char *const *names) {
    unsigned least_yet = tolerance(word) + 1;
    const char *nearest = NULL;

    for (; *names; names++) {
        const unsigned d = message_distance(word, *names, least_yet);

        if (d >= least_yet) continue;
        least_yet = d;
        nearest = *names;
    }
    return nearest;
}

static const char *hint(char to[MESSAGE_HINT], const char *dashes, const char *name) {
    *to = '\0';
    if (name) snprintf(to, MESSAGE_HINT, "; did you mean '%s%s'?", dashes, name);
    return to;
}

const char *message_hint(char to[MESSAGE_HINT], const char *word, const char *const *names) {
    return hint(to, "", message_nearest(word, names));
}

const char *message_hint_of_text(char to[MESSAGE_HINT], const char *word, const char *text) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    char found[LONGEST + 1], name[LONGEST + 1], nearest[LONGEST + 1] = "";
    unsigned least_yet;

    snprintf(found, sizeof found, "%.*s", (int)strspn(word, letters), word);
    least_yet = isalpha((unsigned char)*found) ? tolerance(found) + 1 : 0;
    for (size_t n; text += strcspn(text, letters), (n = strspn(text, letters)) > 0; text += n) {
        const size_t signs = strspn(text, "-_.");
        unsigned d;

        text += signs; /* signs between words, as in Ring(4)_Switch(8) */
        n -= signs;
        if (n < SHORTEST || n > LONGEST) continue; /* short words are part of the sentence */
        snprintf(name, sizeof name, "%.*s", (int)n, text);
        if (!strcmp(found, name)) return hint(to, "", NULL); /* the word is right: more is wrong */
        d = message_distance(found, name, least_yet);
        if (d >= least_yet) continue;
        least_yet = d;
        strcpy(nearest, name);
    }
    return hint(to, "", *nearest ? nearest : NULL);
}

/* ---- options --------------------------------------------------------------------------- */

static const struct option *with_value(const struct option *longs, int value) {
    while (longs->name && longs->val != value) longs++;
    return longs->name ? longs : NULL;
}

/* Does the option consist of the name and of more: memory-bandwidth of bandwidth? */
static bool contains(const char *option, const char *name) {
    const size_t n = strlen(name), all = strlen(option);

    return all > n + 1 && ((!strncmp(option, name, n) && option[n] == '-') ||
                           (!strcmp(option + all - n, name) && option[all - n - 1] == '-'));
}

/* Is the name one of the arguments that the usage names in capitals, as in "collective KIND"? */
static bool is_argument(const char *usage, const char *name) {
    char capitals[LONGEST + 1];
    const size_t n = strlen(name);
    const char *at = usage;

    for (size_t i = 0; i <= n; i++) capitals[i] = (char)toupper((unsigned char)name[i]);
    if (!n) return false;
    while ((at = strstr(at, capitals)) && (at[-1] != ' ' || isalnum((unsigned char)at[n]))) at++;
    return at && at < usage + strcspn(usage, "[\n");
}

/* Writes what may have been meant by an unknown option: an argument that the usage names, the
 * nearest option, or the first two options that contain it. */
static const char *unrecognised(char to[MESSAGE_HINT], const char *word, const struct option *longs,
                                const char *usage) {
    char name[LONGEST + 1];
    const char *nearest = NULL, *longer[2] = { NULL };
    unsigned least_yet, count = 0;

    word += strspn(word, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    least_yet = tolerance(name) + 1;
    for (; longs->name; longs++) {
        const unsigned d = message_distance(name, longs->name, least_yet);

        if (contains(longs->name, name) && count < 2) longer[count++] = longs->name;
        if (d >= least_yet) continue;
        least_yet = d;
        nearest = longs->name;
    }
    if (is_argument(usage, name)) {
        snprintf(to, MESSAGE_HINT, "; its %s is an argument without dashes", name);
    } else if (!nearest && count == 2) {
        snprintf(to, MESSAGE_HINT, "; did you mean '--%s' or '--%s'?", longer[0], longer[1]);
    } else {
        (void)hint(to, "--", nearest ? nearest : longer[0]);
    }
    return to;
}

int message_getopt(const char *command, int argc, char **argv, const struct option *longs,
                   const char *usage) {
    char text[MESSAGE_HINT];
    int c;

    opterr = 0;
    c = getopt_long(argc, argv, ":h", longs, NULL);
    if (c != '?' && c != ':') return c;
    const char *const word = argv[optind - 1];
    const bool is_long = word[0] == '-' && word[1] == '-';
    const struct option *const known = is_long && optopt ? with_value(longs, optopt) : NULL;

    if (c == ':')
        fprintf(stderr, "acesim %s: found option '%s' without a value, expected one behind it\n",
                command, word);
    else if (known)
        fprintf(stderr, "acesim %s: found '%s', expected option '--%s' without a value\n", command,
                word, known->name);
    else
        fprintf(
            stderr,
            "acesim %s: found unrecognized option '%s', expected one of acesim %s --help all%s\n",
            command, word, command, unrecognised(text, word, longs, usage));
    return '?';
}

int message_no_memory(void) {
    fprintf(stderr, "acesim: out of memory\n");
    return EXIT_CHECK;
}
