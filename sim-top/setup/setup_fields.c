/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup_fields.c -- reads, prints, describes and hashes the fields of setup_fields.def
 *
 * Each field has a type, and each task is one switch over the types. A list is split at its commas
 * and each part is taken for one dimension. The digest hashes the printed values, so two ways to
 * write a value have one digest.
 */
#include "setup_fields.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data_path.h"
#include "digest.h"
#include "exit_status.h"
#include "faults.h"
#include "gemm_table.h"
#include "names.h"
#include "refusal.h"
#include "setup.h"
#include "values.h"

static const char *const control_names[] = { "pins", "registers", "trigger", NULL };
static const char *const expert_names[] = { "in-order", "balanced", NULL };
static const char *const schedule_names[] = { "baseline", "balanced", NULL };
static const char *const auto_names[] = { "auto", "off", NULL };
static const char *const shares_names[] = { "outstanding", "reserved", NULL };
static const char *const traffic_names[] = { "each-way", "together", NULL };
static const char *const buffer_names[] = { "kept", "tiled", NULL };
static const char *const expansion_names[] = { "proportion", "together", "heat", NULL };
static const char *const payload_names[] = { "", "random", NULL };

/* The default of each hardware parameter, as text. */
enum {
#define ACE_PARAMETER(name, least, most, initial, text) HARDWARE_##name,
    ACE_PARAMETER_MAP(ACE_PARAMETER)
#undef ACE_PARAMETER
        HARDWARE_PARAMETERS
};
static const char hardware[HARDWARE_PARAMETERS][8] = {
#define ACE_PARAMETER(name, least, most, initial, text) #initial,
    ACE_PARAMETER_MAP(ACE_PARAMETER)
#undef ACE_PARAMETER
};
static const char hardware_text[HARDWARE_PARAMETERS][96] = {
#define ACE_PARAMETER(name, least, most, initial, text) text,
    ACE_PARAMETER_MAP(ACE_PARAMETER)
#undef ACE_PARAMETER
};
_Static_assert(SETUP_WIRE_FORMATS - SETUP_FSMS + 2 == HARDWARE_PARAMETERS,
               "each parameter is a field but the dimensions, which follow from the topology");

#define TIME_AT(member) offsetof(setup, machine.cluster.member)
const setup_field setup_fields[SETUP_FIELDS] = {
#define FIELD(id_, type_, member_, where_, part_, ...)               \
    [SETUP_##id_] = { .id = #id_,                                    \
                      .type = SETUP_TYPE_##type_,                    \
                      .at = offsetof(setup, member_),                \
                      .bytes = sizeof((const setup *)NULL)->member_, \
                      .where = SETUP_##where_,                       \
                      .part = SETUP_PART_##part_,                    \
                      __VA_ARGS__ },
#include "setup_fields.def"
#undef FIELD
};

/* ---- reading ---------------------------------------------------------------------------- */

static bool listed(const char *numbers, uint64_t v) {
    char *end;

    for (;; numbers = end) {
        const uint64_t one = strtoull(numbers, &end, 10);

        if (end == numbers) return false;
        if (one == v) return true;
    }
}

static bool read_count(const setup_field *f, const char *s, uint64_t *v) {
    return parse_unsigned(s, f->low, f->high, v) && (!f->of || listed(f->of, *v)) &&
           !(f->power_of_two && (*v & (*v - 1)));
}

/* Cycles of a time, rounded to the nearest. */
static bool cycles_of(const setup_field *f, double us, double clock_MHz, uint64_t *cycles) {
    *cycles = (uint64_t)llround(us * clock_MHz);
    return *cycles >= f->low && *cycles <= f->high;
}

/* Reads a number, or for cycles a time.  The time is kept, as the clock may be set later. */
static bool read_cycles(const setup_field *f, const char *s, unsigned d, setup *o, uint64_t *v) {
    double us = 0;

    if (!f->time_at) return read_count(f, s, v);
    const bool count = read_count(f, s, v);
    const bool ok =
        count || (parse_time(s, &us) && cycles_of(f, us, o->machine.cluster.clock_MHz, v));
    if (ok) ((double *)(void *)((char *)o + f->time_at))[d] = us;
    return ok;
}

/* Converts times that were given before the clock into cycles again. */
static bool take_clock(const char *s, setup *o) {
    cluster *const c = &o->machine.cluster;
    uint64_t n = c->memory_latency;
    bool ok = parse_clock(s, &c->clock_MHz);

    if (ok && c->memory_latency_us > 0)
        ok = cycles_of(&setup_fields[SETUP_MEMORY_LATENCY], c->memory_latency_us, c->clock_MHz, &n);
    c->memory_latency = (uint32_t)n;
    for (unsigned d = 0; ok && d < ACE_CLUSTER_DIMENSIONS; d++) {
        if (!(c->link_latency_us[d] > 0)) continue;
        ok = cycles_of(&setup_fields[SETUP_LINK_LATENCY], c->link_latency_us[d], c->clock_MHz, &n);
        c->link_latency[d] = (uint32_t)n;
    }
    return ok;
}

static bool read_size(const setup_field *f, const char *s, uint64_t *v) {
    if (!f->low && !strcmp(s, "0")) {
        *v = 0;
        return true;
    }
    return parse_size(s, v) && *v >= f->low && *v <= f->high;
}

static bool read_share(const char *s, double *v) {
    if (strcmp(s, "0") != 0) return parse_fraction(s, v);
    *v = 0;
    return true;
}

static bool read_word(const setup_field *f, const char *s, int *v) {
    return f->type == SETUP_TYPE_OP ? parse_op(s, v) : parse_name(s, f->names, v);
}

static bool read_choice(const setup_field *f, const char *s, bool *v) {
    int word;

    if (!*s || !parse_name(s, f->names, &word)) return false;
    *v = word != 0;
    return true;
}

static bool read_text(const setup_field *f, const char *s, char *to) {
    const size_t n = strlen(s);

    if (n < f->low || n > f->high || n >= f->bytes || name_fault(s)) return false;
    memcpy(to, s, n + 1);
    return true;
}

static bool read_name(const char *s, const char **to) {
    if (name_fault(s)) return false;
    *to = s;
    return true;
}

static bool read_faults(const char *s, const char **to) {
    faults f;
    const bool ok = faults_read(s, &f);

    faults_free(&f);
    *to = s;
    return ok;
}

/* A dimension's bandwidth is for both ports or for each; the last option decides. */
static bool take_bandwidth(const setup_field *f, const char *value, unsigned d, cluster *c) {
    double GBps;

    if (!parse_bandwidth(value, &GBps)) return false;
    const bool npu = f == &setup_fields[SETUP_NPU_BANDWIDTH];
    c->npu_GBps[d] = npu ? GBps : 0;
    c->link_GBps[d] = npu ? GBps / 2 : GBps;
    return true;
}

bool setup_take_one(const setup_field *f, const char *value, unsigned dimension, setup *o) {
    char *const at = (char *)o + f->at;
    uint64_t n;

    if (f->type == SETUP_TYPE_BANDWIDTHS)
        return take_bandwidth(f, value, dimension, &o->machine.cluster);
    if (!read_cycles(f, value, dimension, o, &n)) return false;
    ((uint32_t *)at)[dimension] = (uint32_t)n;
    return true;
}

/* Reads a list "a,b,c" with a value for each dimension. A single value holds for all. The last
 * value holds for dimensions that an engine does not have. */
static bool read_list(const setup_field *f, const char *s, setup *o) {
    const char *last = s;
    unsigned n = 0;

    for (const char *at = s;; n++) {
        char one[64];
        const size_t length = strcspn(at, ",");

        if (n == ACE_CLUSTER_DIMENSIONS || length >= sizeof one) return false;
        memcpy(one, at, length);
        one[length] = '\0';
        if (!setup_take_one(f, one, n, o)) return false;
        if (!at[length]) break;
        last = at += length + 1;
    }
    for (unsigned d = 1; n == 0 && d < ACE_DIMENSIONS; d++) (void)setup_take_one(f, s, d, o);
    for (unsigned d = n < ACE_DIMENSIONS ? ACE_DIMENSIONS : n + 1; d < ACE_CLUSTER_DIMENSIONS; d++)
        (void)setup_take_one(f, last, d, o);
    o->source[f - setup_fields].values = n + 1;
    return true;
}

bool setup_take(const setup_field *f, const char *value, setup *o) {
    void *const at = (char *)o + f->at;
    uint64_t n;
    int word;

    switch (f->type) {
    case SETUP_TYPE_FLAG: *(bool *)at = true; return true;
    case SETUP_TYPE_SWITCH: return parse_switch(value, at);
    case SETUP_TYPE_CHOICE: return read_choice(f, value, at);
    case SETUP_TYPE_WORD:
    case SETUP_TYPE_OP:
        if (!read_word(f, value, &word)) return false;
        memcpy(at, &word, sizeof word);
        return true;
    case SETUP_TYPE_COUNT:
        if (!read_cycles(f, value, 0, o, &n)) return false;
        *(unsigned *)at = (unsigned)n;
        return true;
    case SETUP_TYPE_COUNT64: return read_count(f, value, at);
    case SETUP_TYPE_SIZE: return read_size(f, value, at);
    case SETUP_TYPE_BANDWIDTH: return parse_bandwidth(value, at);
    case SETUP_TYPE_CLOCK: return take_clock(value, o);
    case SETUP_TYPE_RATE: return parse_rate(value, at);
    case SETUP_TYPE_TIME: return parse_time(value, at);
    case SETUP_TYPE_FRACTION: return parse_fraction(value, at);
    case SETUP_TYPE_SHARE: return read_share(value, at);
    case SETUP_TYPE_FACTOR: return parse_factor(value, at);
    case SETUP_TYPE_TEXT: return read_text(f, value, at);
    case SETUP_TYPE_FAULTS: return read_faults(value, at);
    case SETUP_TYPE_STRING:
    case SETUP_TYPE_FILE: return read_name(value, at);
    case SETUP_TYPE_TOPOLOGY:
        o->machine.cluster.sizes =
            (uint8_t)parse_topology(value, o->machine.cluster.ring, o->machine.cluster.wiring);
        return o->machine.cluster.sizes != 0;
    case SETUP_TYPE_DIMS: return parse_dims(value, o->machine.dims, &o->machine.dim_count);
    case SETUP_TYPE_BANDWIDTHS:
    case SETUP_TYPE_COUNTS: return read_list(f, value, o);
    }
    return false;
}

void setup_initial(setup *o) {
    *o = (setup){ .machine.dlrm_loop = -1 };
    for (unsigned i = 0; i < SETUP_FIELDS; i++) {
        const char *const initial = setup_fields[i].initial;

        /* a default must be valid */
        if (initial && !setup_take(&setup_fields[i], initial, o)) abort();
        o->source[i] = (setup_source){ 0 };
    }
}

cluster cluster_default(void) {
    setup s;

    setup_initial(&s);
    return s.machine.cluster;
}

/* ---- printing --------------------------------------------------------------------------- */

static void print_dims(const machine *m, char *to, size_t room) {
    size_t n = 0;

    *to = '\0';
    for (unsigned i = 0; i < m->dim_count && n < room; i++)
        n += (size_t)snprintf(to + n, room - n, "%s%c", i ? "," : "",
                              ACE_DIMENSION_LETTERS[m->dims[i]]);
}

/* Prints the value of each of so many dimensions, or nothing if all are 0 by default. */
static void print_list(const setup_field *f, const void *at, unsigned dims, char *to, size_t room) {
    bool any = f->initial != NULL;
    char text[REAL_TEXT];
    size_t n = 0;

    for (unsigned d = 0; d < dims && !any; d++) any = ((const double *)at)[d] > 0;
    *to = '\0';
    for (unsigned d = 0; any && d < dims && n < room; d++)
        n += f->type == SETUP_TYPE_COUNTS
                 ? (size_t)snprintf(to + n, room - n, "%s%u", d ? "," : "",
                                    ((const uint32_t *)at)[d])
                 : (size_t)snprintf(to + n, room - n, "%s%sGB/s", d ? "," : "",
                                    real_text(((const double *)at)[d], text));
}

/* Prints a number with its unit. Prints nothing for 0 if the field has no default. */
static void print_real(const setup_field *f, double v, char *to, size_t room) {
    const char *const unit = f->type == SETUP_TYPE_BANDWIDTH ? "GB/s"
                             : f->type == SETUP_TYPE_CLOCK   ? "MHz"
                             : f->type == SETUP_TYPE_RATE    ? "TFLOPS"
                             : f->type == SETUP_TYPE_TIME    ? "us"
                                                             : "";
    char text[REAL_TEXT];

    snprintf(to, room, "%s%s", real_text(v, text), unit);
    if (!f->initial && v <= 0) *to = '\0';
}

static const char *word_name(const setup_field *f, const void *at) {
    int word;

    memcpy(&word, at, sizeof word);
    return f->type == SETUP_TYPE_OP ? op_names[word] : f->names[word];
}

void setup_print(const setup_field *f, const setup *o, char *to, size_t room) {
    const void *const at = (const char *)o + f->at;
    const char *string = "";

    switch (f->type) {
    case SETUP_TYPE_FLAG:
    case SETUP_TYPE_SWITCH: string = *(const bool *)at ? "on" : "off"; break;
    case SETUP_TYPE_CHOICE: string = f->names[*(const bool *)at]; break;
    case SETUP_TYPE_WORD:
    case SETUP_TYPE_OP:
        if (f->initial || setup_given(o->source, (setup_id)(f - setup_fields)))
            string = word_name(f, at);
        break;
    case SETUP_TYPE_COUNT:
        snprintf(to, room, "%u", *(const unsigned *)at);
        if (!f->initial && *(const unsigned *)at < f->low) *to = '\0';
        return;
    case SETUP_TYPE_COUNT64:
    case SETUP_TYPE_SIZE: snprintf(to, room, "%" PRIu64, *(const uint64_t *)at); return;
    case SETUP_TYPE_BANDWIDTH:
    case SETUP_TYPE_CLOCK:
    case SETUP_TYPE_RATE:
    case SETUP_TYPE_TIME:
    case SETUP_TYPE_FRACTION:
    case SETUP_TYPE_SHARE:
    case SETUP_TYPE_FACTOR: print_real(f, *(const double *)at, to, room); return;
    case SETUP_TYPE_TEXT: string = at; break;
    case SETUP_TYPE_STRING:
    case SETUP_TYPE_FILE:
    case SETUP_TYPE_FAULTS: string = *(const char *const *)at; break;
    case SETUP_TYPE_TOPOLOGY: print_wiring(at, to, room); return;
    case SETUP_TYPE_DIMS: print_dims(&o->machine, to, room); return;
    case SETUP_TYPE_BANDWIDTHS:
    case SETUP_TYPE_COUNTS:
        print_list(f, at, cluster_dimensions(&o->machine.cluster), to, room);
        return;
    }
    snprintf(to, room, "%s", string ? string : "");
}

bool setup_given(const setup_source *from, setup_id id) { return from[id].text || from[id].file; }

void setup_position(const setup_source *from, char *to, size_t room) {
    if (from->file)
        snprintf(to, room, "%s:%zu:%zu", from->file, from->line, from->column);
    else
        snprintf(to, room, "acesim");
}

void setup_found(const setup *o, setup_id id, char *to, size_t room) {
    const setup_field *const f = &setup_fields[id];
    const setup_source *const from = &o->source[id];
    char value[300];

    setup_print(f, o, value, sizeof value);
    if (from->text)
        snprintf(to, room, "acesim: --%s: found '%s'", f->option, from->text);
    else if (from->file)
        snprintf(to, room, "%s:%zu:%zu: found '%s'", from->file, from->line, from->column, value);
    else
        snprintf(to, room, "acesim: %s: found '%s'", f->option ? f->option : f->key, value);
}

int setup_refuse(const setup *s, int status, const refusal *why) {
    const setup_id id = (setup_id)(why->form != REFUSAL_TEXT && why->form != REFUSAL_NONE &&
                                           !setup_given(s->source, (setup_id)why->field)
                                       ? why->instead
                                       : why->field);
    char where[400];

    if (status == EXIT_OK) return EXIT_OK;
    switch (why->form) {
    case REFUSAL_NONE: break;
    case REFUSAL_TEXT: fprintf(stderr, "acesim: %s\n", why->text); break;
    case REFUSAL_OPTION:
        fprintf(stderr, "acesim: --%s: %s\n", setup_fields[id].option, why->text);
        break;
    case REFUSAL_AT:
        setup_position(&s->source[id], where, sizeof where);
        fprintf(stderr, "%s: %s\n", where, why->text);
        break;
    case REFUSAL_VALUE:
        setup_found(s, id, where, sizeof where);
        fprintf(stderr, "%s, expected %s\n", where, why->text);
        break;
    }
    return status;
}

/* ---- as text --------------------------------------------------------------------------- */

static void print_range(const setup_field *f, char *to, size_t room) {
    snprintf(to, room, "%" PRIu64 " to %" PRIu64, f->low, f->high);
}

static void print_names(const setup_field *f, char *to, size_t room) {
    size_t n = (size_t)snprintf(to, room, "one of");

    for (unsigned i = 0; f->names[i] && n < room; i++)
        n += (size_t)snprintf(to + n, room - n, " %s", f->names[i]);
}

quantity setup_quantity(const setup_field *f) {
    switch (f->type) {
    case SETUP_TYPE_SIZE: return QUANTITY_SIZE;
    case SETUP_TYPE_BANDWIDTH:
    case SETUP_TYPE_BANDWIDTHS: return QUANTITY_BANDWIDTH;
    case SETUP_TYPE_CLOCK: return QUANTITY_CLOCK;
    case SETUP_TYPE_RATE: return QUANTITY_RATE;
    case SETUP_TYPE_TIME: return QUANTITY_TIME;
    default: return QUANTITIES;
    }
}

void setup_accepted(const setup_field *f, char *to, size_t room) {
    const char *accepted = f->accepted;
    char range[48];

    print_range(f, range, sizeof range);
    if (!accepted) switch (f->type) {
        case SETUP_TYPE_SWITCH: accepted = "on or off"; break;
        case SETUP_TYPE_CHOICE:
        case SETUP_TYPE_WORD:
        case SETUP_TYPE_OP: print_names(f, to, room); return;
        case SETUP_TYPE_COUNT:
        case SETUP_TYPE_COUNT64:
        case SETUP_TYPE_COUNTS:
            if (f->of)
                snprintf(to, room, "one of %s", f->of);
            else
                snprintf(to, room, "%s%s%s%s%s", f->power_of_two ? "a power of two, " : "", range,
                         f->unit ? " " : "", f->unit ? f->unit : "",
                         f->time_at ? ", or a time such as 500 ns" : "");
            return;
        case SETUP_TYPE_SIZE:
            accepted = f->low ? "a size such as 64 KiB" : "0, or a size up to 1 TiB such as 64 KiB";
            break;
        case SETUP_TYPE_BANDWIDTH:
        case SETUP_TYPE_BANDWIDTHS: accepted = "a bandwidth above 0 such as 128 GB/s"; break;
        case SETUP_TYPE_CLOCK: accepted = "a frequency such as 1245 MHz"; break;
        case SETUP_TYPE_RATE: accepted = "a rate above 0 such as 120 TFLOPS"; break;
        case SETUP_TYPE_TIME: accepted = "0 to 1000 ms, such as 2 us"; break;
        case SETUP_TYPE_FRACTION: accepted = "a fraction above 0, at most 1"; break;
        case SETUP_TYPE_FACTOR: accepted = "a number from 0.001 to 1000"; break;
        case SETUP_TYPE_SHARE: accepted = "a fraction from 0 to 1"; break;
        case SETUP_TYPE_TOPOLOGY:
            accepted = "one to six sizes of 1 to 512 such as 4x4x4 or Ring(4)_Switch(8)";
            break;
        case SETUP_TYPE_FLAG:
        case SETUP_TYPE_TEXT:
        case SETUP_TYPE_STRING:
        case SETUP_TYPE_FILE:
        case SETUP_TYPE_FAULTS:
        case SETUP_TYPE_DIMS: accepted = f->text ? f->text : "text"; break;
        }
    snprintf(to, room, "%s", accepted);
}

void setup_help(const setup_field *f, char *to, size_t room) {
    const char *const mark = strstr(f->text, "{range}");
    const size_t before = mark ? (size_t)(mark - f->text) : strlen(f->text);
    const bool bracket = f->text[strlen(f->text) - 1] == ']';
    const bool list = f->type == SETUP_TYPE_BANDWIDTHS || f->type == SETUP_TYPE_COUNTS;
    char range[48] = "";

    if (mark) print_range(f, range, sizeof range);
    snprintf(to, room, "%.*s%s%s%s%s%s%s", (int)before, f->text, range,
             mark ? mark + strlen("{range}") : "",
             list ? "; one value for all dimensions, or one for each" : "",
             f->initial && !bracket ? " [" : "", f->initial && !bracket ? f->initial : "",
             f->initial && !bracket ? "]" : "");
}

/* ---- the digest ------------------------------------------------------------------------- */

static uint64_t hash_text(uint64_t hash, const char *s) { return fnv1a(hash, s, strlen(s) + 1); }

/* Hashes the contents of a data file, independent of its folder. If it does not exist, hashes its
 * name. */
static uint64_t hash_data(uint64_t hash, const char *name) {
    char found[DATA_PATH];

    return *name && data_path_look(name, found) && digest_file(found, &hash)
               ? hash
               : hash_text(hash, name);
}

/* A field that was added later is hashed only if it was given, so that earlier digests stay the
 * same. */
static bool not_said(const setup_field *f, const char *value) {
    if (f == &setup_fields[SETUP_NPU_BANDWIDTH]) return !*value;
    if (f == &setup_fields[SETUP_EXPERTS] || f == &setup_fields[SETUP_TRANSPOSE])
        return !strcmp(value, "in-order") || !strcmp(value, "off");
    if (f < &setup_fields[SETUP_NPU_TABLE_EFFICIENCY] || f > &setup_fields[SETUP_ITERATION_TIME])
        return false;
    const double said = strtod(value, NULL), initial = f->initial ? strtod(f->initial, NULL) : 0;

    return said >= initial && said <= initial;
}

uint64_t setup_digest(const setup *with) {
    setup settled = *with; /* a value that the endpoint sets counts like a given one */
    const setup *const o = &settled;
    uint64_t hash = FNV1A_START;

    settled.machine.cluster.memory_GBps = cluster_memory_GBps(&with->machine.cluster);
    settled.machine.cluster.sms = cluster_sms(&with->machine.cluster);

    for (const setup_field *f = setup_fields; f < setup_fields + SETUP_FIELDS; f++) {
        const char *const *string = (const void *)((const char *)o + f->at);
        char value[300];

        if (f->part != SETUP_PART_RESULT) continue;
        setup_print(f, o, value, sizeof value);
        if (not_said(f, value)) continue;
        hash = hash_text(hash, f->id);
        if (f == &setup_fields[SETUP_LINKS]) {
            hash = hash_data(hash, o->machine.cluster.links);
            continue;
        }
        switch (f->type) {
        case SETUP_TYPE_FAULTS: /* of any length */
            hash = hash_text(hash, *string ? *string : "");
            break;
        case SETUP_TYPE_FILE: /* independent of its folder */
            if (*string) hash = hash_data(hash, *string);
            break;
        default: hash = hash_text(hash, value);
        }
    }
    hash = npu_tables_digest(&o->machine.cluster.npu, hash);
    /* The same name may later stand for other RTL, so the contents count. */
    return *o->machine.rtl ? fnv1a(hash, &o->machine.rtl_content, sizeof o->machine.rtl_content)
                           : hash;
}

/* Resets the links of missing dimensions, which have values if one value was given for all. */
static void forget_missing_links(cluster *c) {
    const cluster plain = cluster_default();

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        if (c->ring[d] > 1) continue;
        c->link_GBps[d] = plain.link_GBps[d];
        c->npu_GBps[d] = plain.npu_GBps[d];
        c->link_latency[d] = plain.link_latency[d];
    }
}

uint64_t setup_cluster_digest(const setup *o) {
    setup used = *o;
    uint64_t hash = FNV1A_START;

    forget_missing_links(&used.machine.cluster);
    for (const setup_field *f = setup_fields; f < setup_fields + SETUP_FIELDS; f++) {
        const setup_id id = (setup_id)(f - setup_fields);
        char value[300];

        if (f->part != SETUP_PART_RESULT || !f->key || id == SETUP_RUNG || id == SETUP_SPEED ||
            id == SETUP_MEMORY_BANDWIDTH || id == SETUP_CHUNK || setup_of_machine(f))
            continue;
        setup_print(f, &used, value, sizeof value);
        if (!not_said(f, value)) hash = hash_text(hash_text(hash, f->id), value);
    }
    return hash;
}

static bool begins(const char *text, const char *with) {
    return !strncmp(text, with, strlen(with));
}

bool setup_of_machine(const setup_field *f) {
    return f->key && (begins(f->key, "npu.") || begins(f->key, "collectives.") ||
                      begins(f->key, "sources.") || f == &setup_fields[SETUP_FITTED_ON] ||
                      f == &setup_fields[SETUP_UNSEEN_ERROR] || f == &setup_fields[SETUP_EVIDENCE]);
}

option_value options_value(const char *command, const char *name, const char *value) {
    const int where = strcmp(command, "run") ? SETUP_COLLECTIVE : SETUP_RUN;
    option_value v = { .number = -1 };
    const setup_field *f = NULL;
    setup scratch;
    int i = 0;

    while (i < SETUP_FIELDS &&
           !(setup_fields[i].where & where && !strcmp(setup_fields[i].option, name)))
        i++;
    if (i < SETUP_FIELDS) f = &setup_fields[i];
    if (!f || f->part == SETUP_PART_OUTPUT) return v;
    v.number = i;
    v.flag = !f->argument;
    if (v.flag) {
        v.accepted = !strcmp(value, "true") || !strcmp(value, "false");
        snprintf(v.expected, sizeof v.expected, "true or false");
        return v;
    }
    setup_initial(&scratch);
    v.accepted = setup_take(f, value, &scratch);
    setup_help(f, v.expected, sizeof v.expected);
    return v;
}
