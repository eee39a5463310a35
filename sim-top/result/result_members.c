/* SPDX-License-Identifier: Apache-2.0 */
/* result_members.c -- looks up and prints the list of members */
#include "result_members.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const result_member members[] = {
#define RESULT_GROUP(commands, title) { commands, NULL, "", title, false },
#define RESULT_ASKED(commands, title) { commands, NULL, "", title, true },
#define RESULT(path, unit, meaning)   { NULL, path, unit, meaning, false },
#include "result_members.def"
#undef RESULT
#undef RESULT_ASKED
#undef RESULT_GROUP
};
enum { MEMBERS = sizeof members / sizeof *members };

/* Returns whether `word` is one of the words of a text. */
static bool has_word(const char *text, const char *word) {
    const size_t n = strlen(word);

    for (const char *s = text; (s = strstr(s, word)); s += n)
        if ((s == text || s[-1] == ' ') && (!s[n] || s[n] == ' ')) return true;
    return false;
}

/* Returns the path of a member for a command. A prefix such as "train/" limits the member to that
 * command; for another one the function returns NULL. */
static const char *path_for(const result_member *m, const char *command) {
    const char *const slash = strchr(m->path, '/');

    if (!slash) return m->path;
    return command && strlen(command) == (size_t)(slash - m->path) &&
                   !strncmp(m->path, command, strlen(command))
               ? slash + 1
               : NULL;
}

static bool is_any(const char *path) {
    const size_t n = strlen(path);

    return n > 1 && path[n - 1] == '*';
}

/* Returns whether a member's path matches this one. any: the member's last word is `*`. */
static bool stands_for(const char *member, const char *path, bool any) {
    if (!any) return !strcmp(member, path);
    return is_any(member) && !strncmp(member, path, strlen(member) - 1) && path[strlen(member) - 1];
}

const result_member *result_member_find(const char *command, const char *path) {
    for (const char *s = path; s; s = strchr(s, '.') ? strchr(s, '.') + 1 : NULL)
        for (int any = 0; any < 2; any++) {
            bool in_group = true;

            for (unsigned i = 0; i < MEMBERS; i++) {
                const result_member *const m = &members[i];
                const char *mine;

                if (!m->path) in_group = !command || has_word(m->commands, command);
                if (!m->path || !in_group) continue;
                mine = path_for(m, command);
                if (mine && stands_for(mine, s, any)) return m;
            }
        }
    return NULL;
}

bool result_member_is_asked(const char *command, const char *path) {
    const result_member *m = result_member_find(command, path);

    while (m && m->path) m--; /* goes back to the row of its group */
    return m && m->asked;
}

static void print_commands(const char *commands) {
    printf("\nPrinted by");
    for (const char *s = commands; *s; s += strcspn(s, " "), s += *s == ' ')
        printf("%s `%.*s`", s == commands ? "" : ",", (int)strcspn(s, " "), s);
    printf(".\n\n");
}

bool result_members_print(const char *command) {
    bool in_group = false, some = false;

    for (unsigned i = 0; i < MEMBERS; i++) {
        const result_member *const m = &members[i];

        if (!m->path) {
            in_group = !command || has_word(m->commands, command);
            if (!in_group) continue;
            printf("%s## %s\n", some ? "\n" : "", m->meaning);
            print_commands(m->commands);
            some = true;
        } else if (in_group && (!command || path_for(m, command))) {
            const char *const slash = strchr(m->path, '/');

            printf("- `%s`", slash ? slash + 1 : m->path);
            if (*m->unit) printf(" (%s)", m->unit);
            printf(": ");
            if (slash) printf("of `%.*s`: ", (int)(slash - m->path), m->path);
            printf("%s\n", m->meaning);
        }
    }
    return some;
}
