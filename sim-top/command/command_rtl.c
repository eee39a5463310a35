/* SPDX-License-Identifier: Apache-2.0 */
/* command_rtl.c -- acesim rtl: builds RTL with other parameters, or edited RTL, for --rtl */
#define _XOPEN_SOURCE 700 /* realpath() */
#include <cjson/cJSON.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ace_rtl_set.h"
#include "build_info.h"
#include "command.h"
#include "exit_status.h"
#include "figures.h"
#include "message.h"
#include "names.h"
#include "option_table.h"
#include "result_print.h"
#include "rtl_sets.h"
#include "values.h"

enum { PARAMETERS = sizeof(ace_parameters) / sizeof(unsigned) };

static const char *const parameter_names[PARAMETERS + 1] = {
#define ACE_PARAMETER(name, least, most, initial, text) #name,
    ACE_PARAMETER_MAP(ACE_PARAMETER)
#undef ACE_PARAMETER
};
static const struct {
    unsigned least, most;
} parameter_ranges[PARAMETERS] = {
#define ACE_PARAMETER(name, least, most, initial, text) { least, most },
    ACE_PARAMETER_MAP(ACE_PARAMETER)
#undef ACE_PARAMETER
};

typedef struct rtl_options {
    unsigned value[PARAMETERS];
    bool given[PARAMETERS], payload_given;
    const char *source, *name;
    bool timing; /* PAYLOAD=0 */
    bool engine, tuned, all;
    format format;
} rtl_options;

static bool take_one(void *options_, unsigned row, const char *word);
static const option_row rows[] = {
    { "parameters", "K=V ...", OPTION_OWN, 0,
      .text = "of rtl/ace_node.v: FSMS=8 CONTEXTS=2 [those of acesim]; PAYLOAD=0: "
              "rows have no values, for timing alone, and faster",
      .take = take_one },
    OPTION_TEXT_ROW(rtl_options, source, "source", "DIR",
                    "folder of modules that replace acesim's [none]"),
    OPTION_TEXT_ROW(rtl_options, name, "name", "NAME", "name of the build [rtl- and digits]"),
    OPTION_FLAG_ROW(rtl_options, engine, "engine", "include the engine, for --control registers"),
    OPTION_FLAG_ROW(rtl_options, tuned, "tuned",
                    "for long runs: by what a first build counts in a few collectives, "
                    "which takes minutes; needs clang"),
    OPTION_FORMAT_ROW(rtl_options, format, "of the list: table, json or csv [table]"),
    OPTION_FLAG_ROW(rtl_options, all, "all", "remove everything that was built"),
};
static const option_table options = {
    .command = "rtl",
    .about =
        "usage: acesim rtl build [--parameters K=V ...] [OPTIONS]   compiles RTL for --rtl\n"
        "       acesim rtl list [--format NAME]                     lists the builds\n"
        "       acesim rtl remove NAME ...                          removes builds\n"
        "       acesim rtl remove --all                             removes all builds and caches\n\n"
        "Builds are kept in the folder ACESIM_RTL, or in ~/.cache/acesim/rtl. --rtl NAME uses\n"
        "one. Nothing is compiled twice, even under another name.\n\n",
    .tail = "\nexample: acesim rtl build --source my-rtl --name mine\n"
            "         acesim collective all-reduce --topology 4x4x4 --rung rtl --rtl mine\n",
    .most = -1,
    .group = { OPTION_GROUP(rows) },
};

static int refuse(const char *option, const char *found, const char *expected) {
    return option_refuse(options.command, option, found, expected);
}

/* ---- build ------------------------------------------------------------------------------ */

static int twice(const char *word) { return refuse("parameters", word, "each parameter once"); }

/* Reads a decimal number in the range of the parameter. The Verilog modules check all other
 * limits. */
static int take_value(const char *word, const char *digits, unsigned i, rtl_options *o) {
    char expected[80];
    uint64_t v;

    if (!digits[strspn(digits, "0123456789")] && (*digits != '0' || !digits[1]) &&
        parse_unsigned(digits, parameter_ranges[i].least, parameter_ranges[i].most, &v)) {
        o->value[i] = (unsigned)v;
        if (o->given[i]) return twice(word);
        o->given[i] = true;
        return EXIT_OK;
    }
    snprintf(expected, sizeof expected, "a name and a whole number from %u to %u, such as FSMS=8",
             parameter_ranges[i].least, parameter_ranges[i].most);
    return refuse("parameters", word, expected);
}

/* Reads a parameter such as "FSMS=8". */
static int take_parameter(const char *word, rtl_options *o) {
    const size_t n = strcspn(word, "=");
    char name[40], hint[MESSAGE_HINT];
    uint64_t v;

    snprintf(name, sizeof name, "%.*s", (int)n, word);
    for (char *c = name; *c; c++) *c = (char)tolower((unsigned char)*c);
    if (!strcmp(name, "payload")) {
        if (!word[n] || !parse_unsigned(word + n + 1, 0, 1, &v))
            return refuse("parameters", word, "PAYLOAD=0 or PAYLOAD=1");
        o->timing = v == 0;
        if (o->payload_given) return twice(word);
        o->payload_given = true;
        return EXIT_OK;
    }
    for (unsigned i = 0; i < PARAMETERS; i++) {
        if (strcmp(name, parameter_names[i]) != 0) continue;
        if (word[n]) return take_value(word, word + n + 1, i, o);
        return refuse("parameters", word, "a name and a whole number, such as FSMS=8");
    }
    fprintf(stderr, "acesim rtl: --parameters: found '%s', expected one of", word);
    for (unsigned i = 0; i < PARAMETERS; i++) {
        fprintf(stderr, " ");
        for (const char *c = parameter_names[i]; *c; c++) fputc(toupper((unsigned char)*c), stderr);
    }
    fprintf(stderr, " PAYLOAD%s\n", message_hint(hint, name, parameter_names));
    return EXIT_USAGE;
}

/* Parameters may also follow the word build without an option. */
static bool take_one(void *options_, unsigned row, const char *word) {
    (void)row;
    return take_parameter(word, options_) == EXIT_OK;
}

static void default_parameters(rtl_options *o) {
    const ace_parameters p = ACE_PARAMETERS_DEFAULT;

    memcpy(o->value, &p, sizeof p);
}
_Static_assert(sizeof(ace_parameters) == sizeof(unsigned[PARAMETERS]), "unsigned numbers alone");

/* Finds the tree or share/acesim, which hold the script, its sources and rtl/. */
static bool find_home(char to[DATA_PATH]) {
    if (!data_path_find("cmake/rtl_set.sh", to)) return false;
    char *const real = realpath(to, NULL);
    if (!real) return false;
    snprintf(to, DATA_PATH, "%.*s", (int)(strlen(real) - strlen("/cmake/rtl_set.sh")), real);
    free(real);
    return true;
}

/* Builds the RTL. The script replaces this process. */
static int build(rtl_options *o) {
    char script[DATA_PATH + 32], home[DATA_PATH], folder[DATA_PATH], rtl[DATA_PATH + 8],
        verilator[32], assignments[PARAMETERS][40];
    char *argv[PARAMETERS + 13], *source;
    int n = 0;
#ifdef __AVX2__
    char flags[] = "-march=x86-64-v3";
#else
    char flags[] = "";
#endif

    if (o->name && !rtl_set_is_name(o->name))
        return refuse("name", o->name, "a name of letters, digits, '.', '_' and '-'");
    if (o->engine && o->timing)
        return refuse("engine", "PAYLOAD=0", "it without: an engine's completions have values");
    if (!find_home(home) || !rtl_set_folder(folder)) return EXIT_USAGE;
    snprintf(script, sizeof script, "%s/cmake/rtl_set.sh", home);
    snprintf(rtl, sizeof rtl, "%s/rtl", home);
    source = realpath(o->source ? o->source : rtl, NULL);
    if (!source) return refuse("source", o->source ? o->source : rtl, strerror(errno));
    /* A fourth dimension needs at least 20 FSMs, the number that a run's topology with four
     * uses. */
    if (o->value[0] == 4 && !o->given[1]) o->value[1] = 20;
    snprintf(verilator, sizeof verilator, "%s", ace_rtl_verilator());

    char bash[] = "bash", interface[80], name[RTL_NAME], engine[] = "with-engine",
         none[] = "no-engine", timing[] = "PAYLOAD=0", untuned[] = "untuned";
    char *const tuner = o->tuned ? realpath("/proc/self/exe", NULL) : untuned;
    if (!tuner) return refuse("tuned", "/proc/self/exe", strerror(errno));
    snprintf(interface, sizeof interface, "%s", build_interface);
    snprintf(name, sizeof name, "%s", o->name ? o->name : "");
    char *const fixed[] = { bash, script,    home,      source, folder,
                            name, interface, verilator, flags,  o->engine ? engine : none,
                            tuner };
    for (unsigned i = 0; i < sizeof fixed / sizeof *fixed; i++) argv[n++] = fixed[i];
    for (unsigned i = 0; i < PARAMETERS; i++) {
        snprintf(assignments[i], sizeof assignments[i], "%s=%u", parameter_names[i], o->value[i]);
        for (char *c = assignments[i]; *c; c++) *c = (char)toupper((unsigned char)*c);
        argv[n++] = assignments[i];
    }
    if (o->timing) argv[n++] = timing;
    argv[n] = NULL;
    fflush(NULL);
    execvp(bash, argv);
    fprintf(stderr, "acesim rtl: found no bash to run %s: %s\n", script, strerror(errno));
    free(source);
    return EXIT_USAGE;
}

/* ---- list and remove -------------------------------------------------------------------- */

/* Prints the parameters that differ from the default ones, as in "FSMS=8 CONTEXTS=2 PAYLOAD=0", or
 * "default". */
static void short_parameters(const char *all, char to[RTL_PARAMETERS]) {
    const ace_parameters p = ACE_PARAMETERS_DEFAULT;
    unsigned initial[PARAMETERS];
    size_t n = 0;

    memcpy(initial, &p, sizeof p);
    *to = '\0';
    for (unsigned i = 0; i < PARAMETERS && *all; i++) {
        const size_t length = strcspn(all, " ");
        const char *const value = memchr(all, '=', length);

        if (value && strtoul(value + 1, NULL, 10) != initial[i])
            n += (size_t)snprintf(to + n, RTL_PARAMETERS - n, "%s%.*s", n ? " " : "", (int)length,
                                  all);
        all += length + (all[length] == ' ');
    }
    if (*all) n += (size_t)snprintf(to + n, RTL_PARAMETERS - n, "%s%s", n ? " " : "", all);
    if (!n) snprintf(to, RTL_PARAMETERS, "default");
}

static cJSON *list_object(const rtl_set *sets, unsigned count) {
    cJSON *root = cJSON_CreateArray();

    for (unsigned i = 0; i < count; i++) {
        cJSON *o = cJSON_CreateObject();

        cJSON_AddStringToObject(o, "name", sets[i].name);
        cJSON_AddStringToObject(o, "rtl_digest", sets[i].rtl);
        cJSON_AddStringToObject(o, "digest", sets[i].digest);
        cJSON_AddStringToObject(o, "date", sets[i].date);
        cJSON_AddBoolToObject(o, "engine", !strcmp(sets[i].engine, "with-engine"));
        cJSON_AddStringToObject(o, "source", sets[i].source);
        cJSON_AddStringToObject(o, "parameters", sets[i].parameters);
        cJSON_AddItemToArray(root, o);
    }
    return root;
}

static void print_list(const cJSON *list, const void *self) {
    char parameters[RTL_PARAMETERS];
    const cJSON *o;

    (void)self;
    printf("%-20s %-16s  %-16s  %-17s  %s\n", "name", "RTL", "digest", "date", "parameters");
    cJSON_ArrayForEach(o, list) {
        short_parameters(json_string(o, "parameters"), parameters);
        printf("%-20s %-16s  %-16s  %-17s  %s\n", json_string(o, "name"),
               json_string(o, "rtl_digest"), json_string(o, "digest"), json_string(o, "date"),
               parameters);
    }
    printf("\nacesim itself: RTL %.16s\n", build_rtl);
}

static int list(const rtl_options *o) {
    unsigned count;
    rtl_set *sets;
    int rc = rtl_set_list(&sets, &count);

    if (rc == EXIT_OK)
        rc = result_print(list_object(sets, count), o->format,
                          &(result_form){ .table = print_list });
    free(sets);
    return rc;
}

static bool remove_file(const char *folder, const char *below, const char *name, const char *file) {
    char path[DATA_PATH];

    return snprintf(path, sizeof path, "%s/%s/%s%s", folder, below, name, file) < DATA_PATH &&
           !remove(path);
}

/* Removes all files of a folder below FOLDER. Returns false if one stays. */
static bool remove_files(const char *folder, const char *below) {
    char path[DATA_PATH];
    struct dirent *entry;
    bool ok = snprintf(path, sizeof path, "%s/%s", folder, below) < DATA_PATH;
    DIR *all = ok ? opendir(path) : NULL;

    while (all && (entry = readdir(all)))
        if (*entry->d_name != '.') ok = remove_file(folder, below, entry->d_name, "") && ok;
    if (all) closedir(all);
    return ok;
}

static int remove_sets(const rtl_options *o, char **names, int count) {
    char folder[DATA_PATH];
    rtl_set *sets = NULL;
    unsigned there;
    bool ok = true;
    int rc;

    if (!rtl_set_folder(folder)) return EXIT_USAGE;
    rc = rtl_set_list(&sets, &there);
    for (int i = 0; i < count && rc == EXIT_OK; i++) {
        unsigned at = 0;

        while (at < there && strcmp(sets[at].name, names[i]) != 0) at++;
        if (at < there) continue;
        fprintf(stderr,
                "acesim rtl remove: found '%s', expected a name that acesim rtl list shows\n",
                names[i]);
        rc = EXIT_USAGE;
    }
    for (unsigned i = 0; i < there && rc == EXIT_OK; i++) {
        bool gone = o->all, shared = false;

        for (int k = 0; k < count; k++) gone |= !strcmp(sets[i].name, names[k]);
        if (!gone) continue;
        ok = remove_file(folder, "named", sets[i].name, "/ace_set.so") && ok;
        ok = remove_file(folder, "named", sets[i].name, "/set.txt") && ok;
        ok = remove_file(folder, "named", sets[i].name, "") && ok;
        *sets[i].name = '\0';
        for (unsigned k = 0; k < there; k++)
            shared |= *sets[k].name && !strcmp(sets[k].digest, sets[i].digest);
        if (!shared) ok = remove_file(folder, "sets", sets[i].digest, ".so") && ok;
    }
    if (rc == EXIT_OK && o->all) ok = remove_files(folder, "objects") && ok;
    if (!ok) {
        fprintf(stderr, "acesim rtl: remove: found files below %s that stay: %s\n", folder,
                strerror(errno));
        rc = EXIT_CHECK;
    }
    free(sets);
    return rc;
}

/* ---- the command ------------------------------------------------------------------------ */

int command_rtl(int argc, char **argv) {
    rtl_options o = { .format = FORMAT_TABLE };
    const char *what;
    char **word;
    int rc, count = 0;

    default_parameters(&o);
    word = option_table_read(&options, argc, argv, &o, &rc);
    if (!word) return rc;
    while (word[count]) count++;
    what = count ? *word++ : "nothing";
    count--;
    if (!strcmp(what, "build")) {
        for (; *word; word++)
            if (take_parameter(*word, &o) != EXIT_OK) return EXIT_USAGE;
        return build(&o);
    }
    if (!strcmp(what, "list") && !count) return list(&o);
    if (!strcmp(what, "remove") && count > 0 != o.all) return remove_sets(&o, word, count);
    fprintf(stderr,
            "acesim rtl: found '%s', expected build, list, remove NAME ... or remove --all: "
            "acesim rtl --help\n",
            what);
    return EXIT_USAGE;
}
