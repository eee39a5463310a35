/* SPDX-License-Identifier: Apache-2.0 */
#include "names.h"

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
    /* between single quotes a shell reads every sign as it is, but a single quote */
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
