/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names.c -- checks names, quotes them for a shell, and repairs texts that are not UTF-8
 *
 * utf8_character() decodes one character and refuses overlong forms and surrogates. The other
 * functions build on it.
 */
#include "names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *name_fault(const char *name) {
    if (strlen(name) > NAME_MOST) return "more than 1000 bytes in a name";
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == '\177') return "a control character in a name";
    return NULL;
}

bool name_check(const char *where, const char *name) {
    const char *const fault = name_fault(name);

    if (fault) fprintf(stderr, "acesim %s: found %s, expected " NAME_ACCEPTED "\n", where, fault);
    return !fault;
}

void name_to_shell(FILE *to, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-+=./,:@%";

    if (*word && word[strspn(word, plain)] == '\0') {
        fputs(word, to);
        return;
    }
    /* between single quotes a shell takes every character literally, except a single quote */
    fputc('\'', to);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", to);
        else
            fputc(*word, to);
    fputc('\'', to);
}

char *name_of_file_in_shell(const char *file) {
    char *text = NULL;
    size_t size;
    FILE *const to = open_memstream(&text, &size);

    if (!to) return NULL;
    if (*file == '-') fputs("./", to);
    name_to_shell(to, file);
    fclose(to);
    return text;
}

/* ---- texts that may not be UTF-8 -------------------------------------------------- */

/* Returns how many bytes follow a first byte; 4: it is no first byte. Sets the lowest character of
 * that length, and the value bits of the first byte. */
static size_t followers(unsigned char first, uint32_t *lowest, uint32_t *value) {
    static const uint32_t from[] = { 0, 0x80, 0x800, 0x10000 };
    const size_t n = first < 0x80 ? 0 : first < 0xC0 ? 4 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;

    if (n > 3 || first > 0xF7) return 4;
    *lowest = from[n];
    *value = n ? first & (0x3FU >> n) : first;
    return n;
}

size_t utf8_character(const char *s) {
    uint32_t lowest, value;
    const size_t n = followers((unsigned char)*s, &lowest, &value);

    if (n > 3) return 0;
    for (size_t i = 1; i <= n; i++) {
        if (((unsigned char)s[i] & 0xC0) != 0x80) return 0;
        value = value << 6 | ((unsigned char)s[i] & 0x3F);
    }
    if (value < lowest || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000) ||
        (value & 0xFFFE) == 0xFFFE)
        return 0;
    return n + 1;
}

char *utf8_text(char *text) {
    size_t wrong = 0, n;
    char *to, *at;

    for (const char *s = text; s && *s; s += n ? n : 1) {
        n = utf8_character(s);
        wrong += !n;
    }
    if (!wrong) return text;
    to = at = malloc(strlen(text) + wrong * strlen(UTF8_INSTEAD) + 1);
    for (const char *s = text; to && *s; s += n ? n : 1) {
        n = utf8_character(s);
        memcpy(at, n ? s : UTF8_INSTEAD, n ? n : strlen(UTF8_INSTEAD));
        at += n ? n : strlen(UTF8_INSTEAD);
    }
    if (to) *at = '\0';
    free(text);
    return to;
}
