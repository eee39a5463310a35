/* SPDX-License-Identifier: Apache-2.0 */
/* ace_program_text.c -- programs as text: assembler, disassembler, those that come with ACE */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ace_program.h"

static const char *const kinds[] = { "", "reduce-scatter", "all-reduce", "all-gather" };
static const char *const loops[] = { "once", "up", "halve", "double" };
static const char *const modes[] = { "ahead", "behind", "xor", "member" };
static const char *const pieces[] = { "shard", "shards", "block" };
static const char *const waits[] = { "", "rows", "step", "begin" };
static const char *const grants[] = { "each", "first", "none" };
enum { NAMES = 4 };

/* ---- assembler: a line at a time -------------------------------------------------------- */

typedef struct assembler {
    const char *at, *line_begin; /* in the text */
    unsigned line;
    ace_program_error *error;
    uint32_t program[ACE_PROGRAM_WORDS];
    unsigned next; /* word */
    /* the program under way */
    bool open, sends_begun, receives_begun;
    unsigned kind, dims;
    bool parity[2];
    uint32_t flags;
    ace_instruction send[ACE_PROGRAM_WORDS], receive[ACE_PROGRAM_WORDS];
    unsigned sends, receives;
} assembler;

static bool fail(assembler *a, const char *at, const char *format, ...) {
    va_list list;
    a->error->line = a->line;
    a->error->column = (unsigned)(at - a->line_begin) + 1;
    va_start(list, format);
    vsnprintf(a->error->message, sizeof a->error->message, format, list);
    va_end(list);
    return false;
}

static void skip_blanks(assembler *a) {
    while (*a->at == ' ' || *a->at == '\t' || *a->at == '\r') a->at++;
    if (*a->at == '#') a->at += strcspn(a->at, "\n");
}

static bool at_end(assembler *a) {
    skip_blanks(a);
    return *a->at == '\n' || *a->at == '\0';
}

static size_t word_length(const char *at) { return strcspn(at, " \t\r\n#"); }

static bool is_word(const char *at, const char *word) {
    return word_length(at) == strlen(word) && !strncmp(at, word, strlen(word));
}

/* Takes the next word when it is this one. */
static bool take(assembler *a, const char *word) {
    if (at_end(a) || !is_word(a->at, word)) return false;
    a->at += strlen(word);
    return true;
}

static bool expect(assembler *a, const char *word) {
    if (take(a, word)) return true;
    return fail(a, a->at, "found '%.*s', expected %s", (int)word_length(a->at), a->at, word);
}

/* Takes one of the names; its number in *v. */
static bool one_of(assembler *a, const char *const *names, unsigned first, unsigned count,
                   uint8_t *v) {
    char list[96] = "";
    for (unsigned i = first; i < count; i++) {
        if (take(a, names[i])) {
            *v = (uint8_t)i;
            return true;
        }
        strcat(strcat(list, i == first ? "" : i + 1 == count ? " or " : ", "), names[i]);
    }
    return fail(a, a->at, "found '%.*s', expected %s", (int)word_length(a->at), a->at, list);
}

static bool number(assembler *a, unsigned most, uint8_t *v) {
    skip_blanks(a);
    char *end = NULL;
    const unsigned long n = isdigit((unsigned char)*a->at) ? strtoul(a->at, &end, 10) : 0;
    if (!end || (size_t)(end - a->at) != word_length(a->at) || n > most)
        return fail(a, a->at, "found '%.*s', expected a number from 0 to %u",
                    (int)word_length(a->at), a->at, most);
    a->at = end;
    *v = (uint8_t)n;
    return true;
}

static bool peer(assembler *a, ace_instruction *i) {
    if (!one_of(a, modes, 0, NAMES, &i->peer)) return false;
    i->peer_k = take(a, "k");
    if (i->peer_k) return true;
    if (i->loop != ACE_LOOP_ONCE) return number(a, 127, &i->number);
    uint8_t n = 0;
    const char *at = (skip_blanks(a), a->at);
    if (!number(a, 127, &n)) return false;
    /* the word has one number */
    return n == i->number ||
           fail(a, at, "found peer %u in a line that happens once, expected k or %u", n, i->number);
}

static bool piece(assembler *a, ace_instruction *i) {
    if (!one_of(a, pieces, 0, 3, &i->piece)) return false;
    if (i->piece == ACE_BLOCK) return true;
    if (!one_of(a, modes, 0, NAMES, &i->shard)) return false;
    if (take(a, "0")) return true;
    i->shard_k = 1;
    if (take(a, "k")) return true;
    i->add = 1;
    if (take(a, "k+1")) return true;
    i->add = -1;
    if (take(a, "k-1")) return true;
    return fail(a, a->at, "found '%.*s', expected 0, k, k+1 or k-1", (int)word_length(a->at),
                a->at);
}

static bool wait_for(assembler *a, ace_instruction *i) {
    static const char *const rows[] = { "rows-4", "rows-3", "rows-2", "rows-1",
                                        "rows+0", "rows+1", "rows+2", "rows+3" };
    for (int bias = -4; bias < 4; bias++)
        if (take(a, rows[bias + 4])) {
            i->wait = ACE_WAIT_ROWS;
            i->bias = (int8_t)bias;
            return true;
        }
    if (at_end(a) || strncmp(a->at, "rows", 4) || is_word(a->at, "rows"))
        return one_of(a, waits, 1, 4, &i->wait);
    return fail(a, a->at, "found '%.*s', expected rows-4 to rows+3", (int)word_length(a->at),
                a->at);
}

static bool instruction(assembler *a, bool send) {
    ace_instruction i = { .op = send ? ACE_OP_SEND : ACE_OP_RECEIVE };
    if (!one_of(a, loops, 0, NAMES, &i.loop)) return false;
    if (i.loop == ACE_LOOP_ONCE && !number(a, 127, &i.number)) return false;
    if (!expect(a, send ? "to" : "from") || !peer(a, &i) || !piece(a, &i)) return false;
    if (send) {
        if (!expect(a, "from")) return false;
        i.target = take(a, "target");
        if (!i.target && !expect(a, "source")) return false;
    }
    i.reduce = take(a, "reduce");
    if (!i.reduce && !expect(a, "store")) return false;
    if (!send) {
        i.target = !i.reduce || take(a, "target");
        i.last = i.reduce && !i.target && take(a, "last");
    }
    if (send && take(a, "wait") && !wait_for(a, &i)) return false;
    if (take(a, "grant") && !one_of(a, grants, 0, 3, &i.grant)) return false;
    if (!at_end(a))
        return fail(a, a->at, "found '%.*s', expected %sgrant or the end of the line",
                    (int)word_length(a->at), a->at, send ? "wait, " : "");
    if (send)
        a->send[a->sends++] = i;
    else
        a->receive[a->receives++] = i;
    return true;
}

static bool header(assembler *a) {
    uint8_t kind = 0;
    a->sends = a->receives = 0;
    a->flags = 0;
    a->parity[0] = a->parity[1] = false;
    if (!one_of(a, kinds, 1, 4, &kind)) return false;
    a->kind = kind;
    if (at_end(a)) return fail(a, a->at, "found no name, expected one");
    a->at += word_length(a->at);
    while (!at_end(a))
        if (take(a, "even"))
            a->parity[0] = true;
        else if (take(a, "odd"))
            a->parity[1] = true;
        else if (take(a, "one-way"))
            a->flags |= ACE_PROGRAM_PUT(1, ENTRY_ONE_WAY);
        else if (take(a, "copy"))
            a->flags |= ACE_PROGRAM_PUT(1, ENTRY_COPY);
        else if (take(a, "alone"))
            a->program[0] |= ACE_PROGRAM_PUT(1, MODE_ALONE);
        else
            return fail(a, a->at, "found '%.*s', expected even, odd, one-way, copy or alone",
                        (int)word_length(a->at), a->at);
    if (!a->parity[0] && !a->parity[1]) a->parity[0] = a->parity[1] = true;
    a->open = true;
    return true;
}

/* Stores a thread: where the same words are already, or after all others. */
static bool store_thread(assembler *a, const ace_instruction *list, unsigned count,
                         unsigned *where) {
    uint32_t program[ACE_PROGRAM_WORDS];
    for (unsigned i = 0; i < count; i++) program[i] = ace_instruction_encode(&list[i]);
    program[count] = 0;
    for (*where = ACE_PROGRAM_CODE; *where + count < a->next; ++*where)
        if (!memcmp(&a->program[*where], program, (count + 1) * sizeof *program)) return true;
    if (a->next + count + 1 > ACE_PROGRAM_WORDS)
        return fail(a, a->line_begin, "found more instructions than the memory holds, %d words",
                    ACE_PROGRAM_WORDS - ACE_PROGRAM_CODE);
    *where = a->next;
    memcpy(&a->program[a->next], program, (count + 1) * sizeof *program);
    a->next += count + 1;
    return true;
}

static bool finish(assembler *a) {
    unsigned send, receive;
    if (!a->open) return true;
    a->open = false;
    if (!store_thread(a, a->send, a->sends, &send) ||
        !store_thread(a, a->receive, a->receives, &receive))
        return false;
    for (unsigned dim = 0; dim < 4; dim++)
        for (unsigned odd = 0; odd < 2; odd++)
            if ((a->dims >> dim & 1) && a->parity[odd])
                a->program[ace_program_entry(a->kind, dim, odd)] =
                    ACE_PROGRAM_PUT(1, ENTRY_THERE) | a->flags |
                    ACE_PROGRAM_PUT(receive, ENTRY_RECEIVE) | ACE_PROGRAM_PUT(send, ENTRY_SEND);
    return true;
}

static bool line(assembler *a) {
    if (at_end(a)) return true;
    const bool send = take(a, "send");
    if (send || take(a, "receive")) {
        if (!a->open)
            return fail(a, a->line_begin, "found an instruction, expected the header of a program");
        if (a->sends + 1 >= ACE_PROGRAM_WORDS || a->receives + 1 >= ACE_PROGRAM_WORDS)
            return fail(a, a->line_begin, "found more instructions than the memory holds");
        return instruction(a, send);
    }
    return finish(a) && header(a);
}

int ace_program_assemble(const char *text, unsigned dims, uint32_t program[ACE_PROGRAM_WORDS],
                         ace_program_error *error) {
    assembler *a = calloc(1, sizeof *a);
    if (!a) return ACE_ENOMEM;
    *error = (ace_program_error){ 0 };
    a->at = text;
    a->error = error;
    a->dims = dims;
    memcpy(a->program, program, sizeof a->program);
    a->next = ACE_PROGRAM_WORDS;
    while (a->next > ACE_PROGRAM_CODE && !a->program[a->next - 1]) a->next--;
    if (a->next > ACE_PROGRAM_CODE) a->next++; /* the last thread's end */
    bool good = true;
    for (a->line = 1; good; a->line++) {
        a->line_begin = a->at;
        good = line(a);
        if (!good || *a->at == '\0') break;
        a->at++;
    }
    good = good && finish(a);
    if (good) memcpy(program, a->program, sizeof a->program);
    free(a);
    return good ? ACE_OK : ACE_EINVAL;
}

/* ---- disassembler ----------------------------------------------------------------------- */

typedef struct text {
    char *to;
    size_t capacity, length;
} text;

__attribute__((format(printf, 2, 3))) static void print(text *t, const char *format, ...) {
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(t->length < t->capacity ? t->to + t->length : NULL,
                            t->length < t->capacity ? t->capacity - t->length : 0, format, list);
    va_end(list);
    t->length += n > 0 ? (size_t)n : 0;
}

static void print_thread(text *t, const uint32_t *program, unsigned pc) {
    static const char *const adds[] = { "k-1", "k", "k+1" };
    for (; pc < ACE_PROGRAM_WORDS && ACE_PROGRAM_GET(program[pc], OP); pc++) {
        ace_instruction i;
        ace_instruction_decode(program[pc], &i);
        const bool send = i.op == ACE_OP_SEND;
        print(t, "  %-7s %s", send ? "send" : "receive", loops[i.loop]);
        if (i.loop == ACE_LOOP_ONCE) print(t, " %u", i.number);
        print(t, " %s %s", send ? "to" : "from", modes[i.peer]);
        if (i.peer_k)
            print(t, " k");
        else
            print(t, " %u", i.number);
        print(t, " %s", pieces[i.piece % 3]);
        if (i.piece != ACE_BLOCK)
            print(t, " %s %s", modes[i.shard], i.shard_k ? adds[i.add + 1] : "0");
        if (send) print(t, " from %s", i.target ? "target" : "source");
        print(t, " %s", i.reduce ? "reduce" : "store");
        if (!send && i.reduce) print(t, "%s", i.target ? " target" : i.last ? " last" : "");
        if (i.wait == ACE_WAIT_ROWS && i.bias)
            print(t, " wait rows%+d", i.bias);
        else if (i.wait != ACE_WAIT_NO)
            print(t, " wait %s", waits[i.wait]);
        print(t, " grant %s\n", grants[i.grant % 3]);
    }
}

size_t ace_program_disassemble(const uint32_t program[ACE_PROGRAM_WORDS], unsigned dim, char *to,
                               size_t capacity) {
    text t = { to, capacity, 0 };
    if (capacity) *to = '\0';
    for (unsigned kind = 1; kind < 4; kind++)
        for (unsigned odd = 0; odd < 2; odd++) {
            const uint32_t entry = program[ace_program_entry(kind, dim, odd)];
            const bool both = entry == program[ace_program_entry(kind, dim, !odd)];
            if (!ACE_PROGRAM_GET(entry, ENTRY_THERE) || (odd && both)) continue;
            print(&t, "%s program%s%s%s%s\n", kinds[kind],
                  both  ? ""
                  : odd ? " odd"
                        : " even",
                  ACE_PROGRAM_GET(entry, ENTRY_ONE_WAY) ? " one-way" : "",
                  ACE_PROGRAM_GET(entry, ENTRY_COPY) ? " copy" : "",
                  ACE_PROGRAM_GET(program[0], MODE_ALONE) ? " alone" : "");
            print_thread(&t, program, ACE_PROGRAM_GET(entry, ENTRY_SEND));
            print_thread(&t, program, ACE_PROGRAM_GET(entry, ENTRY_RECEIVE));
        }
    return t.length;
}

/* ---- those that come with the engine ---------------------------------------------------- */

#define RING_REDUCE_SCATTER(flags, granted)                                                     \
    "reduce-scatter ring" flags "\n"                                                            \
    "  send    up to ahead 1    shard behind k   from source reduce wait rows+1 grant " granted \
    "\n"                                                                                        \
    "  receive up from behind 1 shard behind k+1 reduce last grant " granted "\n"
#define RING_ALL_REDUCE(flags, granted)                                                         \
    "all-reduce ring" flags "\n"                                                                \
    "  send    up to ahead 1    shard behind k   from source reduce wait rows+1 grant " granted \
    "\n"                                                                                        \
    "  send    up to ahead 1    shard behind k-1 from target store  wait rows+1 grant none\n"   \
    "  receive up from behind 1 shard behind k+1 reduce last grant " granted "\n"               \
    "  receive up from behind 1 shard behind k   store grant none\n"
#define RING_ALL_GATHER(flags, granted)                                                        \
    "all-gather ring" flags " copy\n"                                                          \
    "  send    up to ahead 1    shard behind k-1 from target store wait rows+1 grant " granted \
    "\n"                                                                                       \
    "  receive up from behind 1 shard behind k   store grant " granted "\n"
#define RING(flags, granted)            \
    RING_REDUCE_SCATTER(flags, granted) \
    RING_ALL_REDUCE(flags, granted) RING_ALL_GATHER(flags, granted)

/* Each member sends each other one its shard, the next one first. */
#define DIRECT_REDUCE_SCATTER                                       \
    "reduce-scatter direct\n"                                       \
    "  send    up to ahead k    shard ahead k from source reduce\n" \
    "  receive up from behind k shard ahead 0 reduce last\n"
#define DIRECT_ALL_REDUCE                                                     \
    "all-reduce direct\n"                                                     \
    "  send    up to ahead k    shard ahead k from source reduce\n"           \
    "  send    up to ahead k    shard ahead 0 from target store wait begin\n" \
    "  receive up from behind k shard ahead 0 reduce last\n"                  \
    "  receive up from behind k shard behind k store\n"
#define DIRECT_ALL_GATHER                                          \
    "all-gather direct copy\n"                                     \
    "  send    up to ahead k    shard ahead 0 from target store\n" \
    "  receive up from behind k shard behind k store\n"

/* Half of what is left goes to the member as far away; then back, doubling. */
static const char halving_doubling[] =
    "reduce-scatter halving-doubling\n"
    "  send    halve to xor k   shards xor k    from source reduce wait step\n"
    "  receive halve from xor k shards ahead 0  reduce last\n"
    "all-reduce halving-doubling\n"
    "  send    halve to xor k    shards xor k   from source reduce wait step\n"
    "  send    double to xor k   shards ahead 0 from target store wait step\n"
    "  receive halve from xor k  shards ahead 0 reduce last\n"
    "  receive double from xor k shards xor k   store\n"
    "all-gather halving-doubling copy\n"
    "  send    double to xor k   shards ahead 0 from target store wait step\n"
    "  receive double from xor k shards xor k   store\n";

/*
 * Double binary tree (Sanders, Speck and Traff, Parallel Computing 35, 2009): two trees over the
 * members, one for even chunks and one for odd ones. The first is in order, its leaves are the odd
 * members; the second is the first, shifted by one member. With an even number of members each is a
 * leaf of one. A row goes up once all children have brought it, and down once it came.
 */
typedef struct tree {
    int parent, child[2]; /* -1: none; child[1] only with child[0] */
} tree;

static tree in_order(unsigned n, unsigned at) {
    tree t = { -1, { -1, -1 } };
    unsigned low = 1;
    if (at == 0) { /* the root, above the highest power of two */
        while (low * 2 < n) low *= 2;
        t.child[0] = (int)low;
        return t;
    }
    while (!(at & low)) low *= 2;
    const unsigned up = (at ^ low) | low * 2;
    t.parent = (int)(up < n ? up : at ^ low);
    if (low == 1) return t;
    t.child[0] = (int)(at - low / 2);
    for (unsigned step = low / 2; step && t.child[1] < 0; step /= 2)
        if (at + step < n) t.child[1] = (int)(at + step);
    return t;
}

static void print_tree(text *t, unsigned n, unsigned rank, unsigned odd) {
    const tree at = in_order(n, (rank + n - odd) % n);
    const int children = (at.child[0] >= 0) + (at.child[1] >= 0);
    const unsigned parent = at.parent < 0 ? 0 : ((unsigned)at.parent + odd) % n;
    unsigned child[2];
    for (int i = 0; i < children; i++) child[i] = ((unsigned)at.child[i] + odd) % n;
    print(t, "all-reduce double-binary-tree %s\n", odd ? "odd" : "even");
    if (at.parent >= 0 && !children)
        print(t, "  send once %u to member k block from source reduce\n", parent);
    if (at.parent >= 0 && children)
        print(t, "  send once %u to member k block from source reduce wait rows%+d\n", parent,
              1 - children);
    for (int i = 0; i < children; i++)
        print(t, "  send once %u to member k block from target store wait rows%+d\n", child[i],
              i + 1 - children);
    for (int i = 0; i < children; i++)
        print(t, "  receive once %u from member k block reduce%s\n", child[i],
              i + 1 == children && at.parent < 0 ? " target" : "");
    if (at.parent >= 0) print(t, "  receive once %u from member k block store\n", parent);
}

/*
 * Fibonacci tree, for small messages on a hub.  A member takes a block from one peer at a time,
 * and it grants each peer before that peer sends.  So each block after the first costs two trips
 * over the links; the first costs one trip if its grant came early.  Let g(t) be the most members
 * whose sum one member can have after t trips.  It has the sum of g(t - 2) members when it grants
 * its last child.  This child has the sum of g(t - 1) members when the grant arrives.  So g(t) is
 * g(t - 2) + g(t - 1), with g(0) = g(1) = 1.  Bar-Noy and Kipnis (Mathematical Systems Theory 27,
 * 1994) find the same numbers for broadcasts whose messages take two units of time.
 *
 * The way back needs no grant: a member has sent its own sum before, and then it waits for nothing
 * but the total.  So the root sends the total at once to the leaders of the groups of FAN members,
 * and each leader sends it to the other members of its group.
 */
enum { FAN = 8 };

typedef struct fibonacci {
    int parent;
    unsigned children, child[8]; /* the last child first */
} fibonacci;

/* The position of member `at` in the tree of the first n members of g(t), whose root is 0. */
static fibonacci fibonacci_at(unsigned n, unsigned at) {
    fibonacci f = { .parent = -1 };
    unsigned g[16] = { 1, 1 }, t = 1, root = 0;
    for (; g[t] < n; t++) g[t + 1] = g[t - 1] + g[t];
    while (t > 1) {
        const unsigned last = root + g[t - 2]; /* the last child, root of a tree of g(t - 1) */
        if (at < last) {
            if (at == root && last < n) f.child[f.children++] = last;
            t -= 2;
        } else {
            if (at == last) f.parent = (int)root;
            root = last;
            t -= 1;
        }
    }
    return f;
}

static void print_fibonacci(text *t, unsigned n, unsigned rank, unsigned odd) {
    const unsigned position = (rank + n - odd) % n;
    const fibonacci at = fibonacci_at(n, position);
    bool first = true; /* send of the total: it waits for the sum */
    print(t, "all-reduce fibonacci-tree %s\n", odd ? "odd" : "even");
    if (at.parent >= 0) {
        print(t, "  send once %u to member k block from source reduce",
              ((unsigned)at.parent + odd) % n);
        if (at.children) print(t, " wait rows%+d", 1 - (int)at.children);
        print(t, "\n");
    }
    for (unsigned other = n - 1; position % FAN == 0 && other > position; other--) {
        /* a leader's own group comes last, because another leader has more to do */
        if (other - position >= FAN && (position || other % FAN)) continue;
        print(t, "  send once %u to member k block from target store", (other + odd) % n);
        if (first) print(t, " wait rows%+d", 1 - (int)at.children);
        print(t, " grant none\n");
        first = false;
    }
    for (unsigned i = at.children; i-- > 0;)
        print(t, "  receive once %u from member k block reduce%s\n", (at.child[i] + odd) % n,
              i == 0 && at.parent < 0 ? " target" : "");
    if (at.parent >= 0)
        print(t, "  receive once %u from member k block store grant none\n",
              ((position % FAN ? position - position % FAN : 0) + odd) % n);
}

/* In this program the switch reduces.  A chunk has at most two shards in flight through the switch
 * (one when few members make the shards large), because the switch has slots for no more.  The
 * reduce-scatter and the all-gather send directly, since each member keeps or gives its own part.
 */
static void print_in_network(text *t, unsigned n) {
    const char *const lines[] = { "once 0", "up    ", "0", "k" };
    print(t, "%sall-reduce in-network\n", DIRECT_REDUCE_SCATTER DIRECT_ALL_GATHER);
    for (unsigned i = 0; i < 2; i++)
        print(t,
              "  send    %s to ahead 0   shard member %s from source reduce wait rows+%d "
              "grant none\n",
              lines[i], lines[i + 2], n < 4 ? 1 : 2);
    for (unsigned i = 0; i < 2; i++)
        print(t, "  receive %s from ahead 0 shard member %s store grant none\n", lines[i],
              lines[i + 2]);
}

/*
 * Pairwise, for small messages on rings.  One chunk is in the engine at a time, so rows that come
 * early wait at their link, and nothing is granted.  On a ring of four, member r first exchanges
 * with its neighbour r xor 1, then with its neighbour r xor 3: two trips for an all-reduce of whole
 * blocks, where the ring takes six.  Each sum has two operands, so all members have the same bits.
 * A reduce-scatter takes the partners in the opposite order, and the all-gather is its reverse.  On
 * a ring of two there is one partner, ahead and behind.  Longer rings go round, without grants.
 */
static const char pairwise_of_two[] =
    "reduce-scatter pairwise alone\n"
    "  send    once 1 to ahead 1    shard ahead k from source reduce grant none\n"
    "  receive once 1 from behind 1 shard ahead 0 reduce target grant none\n"
    "all-reduce pairwise alone\n"
    "  send    once 1 to ahead 1    block from source reduce grant none\n"
    "  receive once 1 from behind 1 block reduce target grant none\n"
    "all-gather pairwise copy alone\n"
    "  send    once 1 to ahead 1    shard ahead 0 from target store grant none\n"
    "  receive once 1 from behind 1 shard behind k store grant none\n";
static const char pairwise_of_four[] =
    "reduce-scatter pairwise alone\n"
    "  send    halve to xor 3    shard xor k+1 from source reduce grant none\n"
    "  send    once 1 to xor 1   shard xor k   from source reduce wait rows+1 grant none\n"
    "  receive double from xor 3 shard xor k-1 reduce grant none\n"
    "  receive once 1 from xor 1 shard ahead 0 reduce target grant none\n"
    "all-reduce pairwise alone\n"
    "  send    once 1 to xor 1   block from source reduce grant none\n"
    "  send    once 3 to xor 3   block from source reduce wait rows+1 grant none\n"
    "  receive once 1 from xor 1 block reduce grant none\n"
    "  receive once 3 from xor 3 block reduce target grant none\n"
    "all-gather pairwise copy alone\n"
    "  send    once 1 to xor 1   shard ahead 0 from target store grant none\n"
    "  send    double to xor 3   shard xor k-1 from target store wait rows+2 grant none\n"
    "  receive once 1 from xor 1 shard xor k   store grant none\n"
    "  receive halve from xor 3  shard xor k+1 store grant none\n";

enum { DIRECT = 2 };
const char *const ace_program_names[] = { "ring",
                                          "one-way-ring",
                                          "direct",
                                          "halving-doubling",
                                          "double-binary-tree",
                                          "in-network",
                                          "fibonacci-tree",
                                          "pairwise",
                                          NULL };

int ace_program_text(const char *name, unsigned n, unsigned rank, char *to, size_t capacity) {
    unsigned which = 0;
    while (ace_program_names[which] && strcmp(ace_program_names[which], name)) which++;
    text t = { to, capacity, 0 };
    if (n < 2 || n > ACE_MEMBERS || rank >= n) return ACE_EINVAL;
    switch (which) {
    case 0: print(&t, "%s", RING("", "first")); break;
    case 1: print(&t, "%s", RING(" one-way", "first")); break;
    case 2: print(&t, "%s", DIRECT_REDUCE_SCATTER DIRECT_ALL_REDUCE DIRECT_ALL_GATHER); break;
    case 3:
        if (n & (n - 1)) return ACE_EINVAL;
        print(&t, "%s", halving_doubling);
        break;
    case 4: /* a tree gains nothing where each member ends with a shard of its own */
        print(&t, "%s", DIRECT_REDUCE_SCATTER DIRECT_ALL_GATHER);
        print_tree(&t, n, rank, 0);
        print_tree(&t, n, rank, 1);
        break;
    case 5: print_in_network(&t, n); break;
    case 6: /* round the ring, where a member waits for the grants of one other only */
        print(&t, "%s", RING_REDUCE_SCATTER("", "first") RING_ALL_GATHER("", "first"));
        print_fibonacci(&t, n, rank, 0);
        print_fibonacci(&t, n, rank, 1);
        break;
    case 7:
        print(&t, "%s",
              n == 2   ? pairwise_of_two
              : n == 4 ? pairwise_of_four
                       : RING(" alone", "none"));
        break;
    default: return ACE_EINVAL;
    }
    return t.length < capacity ? ACE_OK : ACE_EINVAL;
}

/*
 * Line, for a ring without the link between its last member and its first.  Whole blocks are added
 * on the way up the line, and the total returns down the line.  Only an exchange reaches both
 * neighbours, and in an exchange both send.  So the opposite rows are sources, which the receiver
 * overwrites or does not use again.
 */
int ace_program_line(unsigned n, unsigned rank, char *to, size_t capacity) {
    const bool first = rank == 0, last = rank + 1 == n;
    const unsigned up = rank ^ (rank + 1), down = first ? 0 : rank ^ (rank - 1);
    text t = { to, capacity, 0 };
    if (n < 2 || n > ACE_MEMBERS || rank >= n) return ACE_EINVAL;
    print(&t, "all-reduce line alone\n");
    if (!first) print(&t, "  send once %u to xor k block from source store grant none\n", down);
    if (!last) {
        print(&t, "  send once %u to xor k block from source reduce%s grant none\n", up,
              first ? "" : " wait rows+1");
        print(&t, "  send once %u to xor k block from source reduce grant none\n", up);
    }
    if (!first)
        print(&t, "  send once %u to xor k block from target store wait rows+1 grant none\n", down);
    if (!first)
        print(&t, "  receive once %u from xor k block reduce%s grant none\n", down,
              last ? " target" : "");
    for (unsigned i = 0; !last && i < 2; i++)
        print(&t, "  receive once %u from xor k block store grant none\n", up);
    if (!first) print(&t, "  receive once %u from xor k block reduce grant none\n", down);
    return t.length < capacity ? ACE_OK : ACE_EINVAL;
}

/* ---- which of them is the fastest for a small collective -------------------------------- */

const char *ace_program_small(ace_program_wires wires, ace_phase_kind kind, unsigned n,
                              uint64_t bytes) {
    static const struct {
        ace_program_wires wires;
        ace_phase_kind kind;
        unsigned members;
        uint64_t bytes;
        const char *name;
    } rows[] = {
#define ACE_PROGRAM_SMALL(wires, kind, members, bytes, name) \
    { ACE_WIRES_##wires, ACE_PHASE_##kind, members, bytes, name },
#include "ace_program_small.def"
#undef ACE_PROGRAM_SMALL
    };
    const ace_phase_kind as =
        kind == ACE_PHASE_ALL_GATHER ? ACE_PHASE_REDUCE_SCATTER : kind; /* measured together */
    const char *fewer = NULL; /* of the next smaller number of members: it runs on any */
    unsigned members = 0;
    if (n > ACE_SMALL_MEMBERS) return NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].wires != wires || rows[i].kind != as || rows[i].bytes < bytes) continue;
        if (!strcmp(rows[i].name, "halving-doubling") && (n & (n - 1))) continue;
        if (rows[i].members >= n) return rows[i].name;
        if (rows[i].members > members) fewer = rows[i].name;
        members = rows[i].members;
    }
    return fewer;
}

static bool has_program(const ace_config *cfg, unsigned dim) {
    bool has = false;
    for (unsigned kind = 1; kind < 4 && ace_program_has(cfg, dim); kind++)
        for (unsigned odd = 0; odd < 2; odd++)
            has |= cfg->program[ace_program_entry(kind, dim, odd)] != 0;
    return has;
}

bool ace_program_is_ring(const ace_config *cfg, unsigned dim) {
    return !cfg->hub[dim] && cfg->algorithm[dim] <= 1 && !has_program(cfg, dim);
}

static bool is_relative(unsigned mode) { return mode == ACE_AHEAD || mode == ACE_BEHIND; }

/* Does the thread name peers and shards only by distance?  A segment for the switch counts as
 * relative too, because all members send the switch the same shard. */
static bool thread_is_relative(const uint32_t *program, unsigned pc) {
    for (; pc < ACE_PROGRAM_WORDS && ACE_PROGRAM_GET(program[pc], OP); pc++) {
        const uint32_t w = program[pc];
        const bool to_switch = !ACE_PROGRAM_GET(w, PEER_K) && !ACE_PROGRAM_GET(w, NUMBER);
        const bool same = ACE_PROGRAM_GET(w, PIECE) == ACE_BLOCK ||
                          (to_switch && ACE_PROGRAM_GET(w, FROM) == ACE_MEMBER);
        if (!is_relative(ACE_PROGRAM_GET(w, PEER)) ||
            !(same || is_relative(ACE_PROGRAM_GET(w, FROM))))
            return false;
    }
    return true;
}

int ace_program_is_relative(const ace_config *cfg, unsigned dim, bool *relative) {
    ace_config own = *cfg;

    *relative = true;
    if (!ace_program_has(cfg, dim) || ace_program_is_ring(cfg, dim)) return ACE_OK;
    const int rc = ace_program_defaults(&own);
    *relative = rc == ACE_OK;
    if (rc != ACE_OK) return rc == ACE_ENOMEM ? rc : ACE_OK;
    for (unsigned kind = 1; kind < 4; kind++)
        for (unsigned odd = 0; odd < 2; odd++) {
            const uint32_t entry = own.program[ace_program_entry(kind, dim, odd)];
            if (ACE_PROGRAM_GET(entry, ENTRY_THERE) &&
                !(thread_is_relative(own.program, ACE_PROGRAM_GET(entry, ENTRY_SEND)) &&
                  thread_is_relative(own.program, ACE_PROGRAM_GET(entry, ENTRY_RECEIVE))))
                *relative = false;
        }
    return ACE_OK;
}

int ace_program_defaults(ace_config *cfg) {
    for (unsigned dim = 0; dim < ACE_DIMENSIONS; dim++) {
        char text[4096];
        ace_program_error error;
        const unsigned which = cfg->algorithm[dim] ? cfg->algorithm[dim] - 1u
                               : cfg->hub[dim]     ? DIRECT
                                                   : 0;
        if (cfg->ring[dim] < 2 || !ace_program_has(cfg, dim) || has_program(cfg, dim)) continue;
        if (ace_program_text(ace_program_names[which], cfg->ring[dim], cfg->rank[dim], text,
                             sizeof text) != ACE_OK)
            return ACE_EINVAL;
        const int rc = ace_program_assemble(text, 1u << dim, cfg->program, &error);
        if (rc != ACE_OK) return rc == ACE_ENOMEM ? rc : ACE_EINVAL;
    }
    return ACE_OK;
}
