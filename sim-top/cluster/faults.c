/* SPDX-License-Identifier: Apache-2.0 */
/*
 * faults.c -- splits --faults at its commas, and checks the list against the cluster
 *
 * The items themselves are read by faults_link.c, faults_scratchpad.c and faults_dead.c.
 */
#include "faults.h"

#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"
#include "refusal.h"

static bool read_item(const char *item, faults *to) {
    const size_t word = strcspn(item, ":");

    if (!item[word]) return false;
    if (word == strlen("scratchpad") && !strncmp(item, "scratchpad", word))
        return scratchpad_faults_read(item + word + 1, &to->scratchpad);
    if (word == strlen("link") && !strncmp(item, "link", word))
        return link_faults_read(item + word + 1, &to->link);
    if (word == strlen("dead") && !strncmp(item, "dead", word))
        return dead_part_read(item + word + 1, &to->dead);
    return false;
}

static bool any_other(const faults *f) {
    return f->link.any || f->scratchpad.chance || f->scratchpad.count;
}

bool faults_read(const char *list, faults *to) {
    *to = (faults){ 0 };
    for (;;) {
        char item[128];
        const size_t n = strcspn(list, ",");

        if (n >= sizeof item) return false;
        memcpy(item, list, n);
        item[n] = '\0';
        if (!read_item(item, to)) return false;
        if (!list[n]) return !to->dead.any || !any_other(to);
        list += n + 1;
    }
}

void faults_free(faults *f) {
    free(f->scratchpad.node);
    free(f->scratchpad.listed);
    free(f->link.listed);
    *f = (faults){ 0 };
}

int faults_make(const char *list, const cluster *c, unsigned nodes, const char *control, faults *to,
                refusal *why) {
    if (!faults_read(list, to)) return message_no_memory();
    if (c->endpoint != ENDPOINT_ACE) {
        return refuse(why, "--faults: found --endpoint %s, expected ace",
                      endpoint_name(c->endpoint));
    }
    if (to->dead.any && dead_part_check(&to->dead, c, nodes, why) != EXIT_OK) return EXIT_USAGE;
    if (control && (to->scratchpad.chance || to->scratchpad.count)) {
        return refuse(
            why,
            "--faults: found scratchpad faults with --control %s, expected --control pins: "
            "an engine is given them by its registers alone, which takes software's time",
            control);
    }
    if (to->link.any && link_faults_check(&to->link, c, nodes, why) != EXIT_OK) return EXIT_USAGE;
    return scratchpad_faults_check(&to->scratchpad, c, nodes, why);
}
