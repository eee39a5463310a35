/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_setup.h -- ASTRA-sim 2.x's network and system as fields of a run, and back
 *
 * There are fewer words in their files than fields here: what fields say beside them has no place
 * there, and whoever goes back compares (command_convert.c).
 */
#ifndef ASTRA_SETUP_H
#define ASTRA_SETUP_H

#include "astra_files.h"
#include "setup.h"

/* Words of acesim collective, the command and its collective first. */
enum { ASTRA_SETUP_WORDS = 16, ASTRA_SETUP_WORD = 280 };
typedef struct astra_setup_words {
    char word[ASTRA_SETUP_WORDS][ASTRA_SETUP_WORD];
    unsigned count;
} astra_setup_words;

/* Can its nodes be engines (cluster_of_engines)? */
bool astra_network_of_engines(const astra_network *n);
/* What its nodes are to be, which decides how large a dimension and how long a link may be. */
typedef enum astra_nodes {
    ASTRA_NODES_ENGINES,    /* and software on the same wires */
    ASTRA_NODES_IDEAL,      /* endpoints that have no wires: links of any latency */
    ASTRA_NODES_CALIBRATED, /* of that rung: dimensions beyond those of engines */
    ASTRA_NODES_OF_FILE     /* a cluster file's, which may be of either but the ideal ones */
} astra_nodes;
/* The network as --topology takes it: Ring(4)_Switch(8). */
void astra_topology(const astra_network *n, char *to, size_t room);
/* The cluster of both in words, on nodes of `clock_MHz`.  `file`: the network's, for a message.
 * EXIT_OK, or EXIT_USAGE after a message with the file's line and column: a dimension or a latency
 * that such nodes do not have; or ports that are faster than a node's.  astra_setup_links() adds
 * the links' bandwidths. */
int astra_setup_make(const char *file, const astra_network *n, const astra_system *s,
                     astra_nodes nodes, double clock_MHz, astra_setup_words *w);
/* Sets the bandwidth of an NPU in each dimension, as npu_bandwidth of a cluster file does, after
 * the words were taken.  In a dimension of Links the NPU with the most bandwidth counts.  EXIT_OK;
 * or another status after a message about the links' file. */
int astra_setup_links(const char *file, const astra_network *n, setup *o);
/* Its NPU, where the system has a roofline. */
void astra_setup_npu(const astra_system *s, setup *o);
/* The other way.  Algorithms that have no word there are left out. */
void astra_setup_read(const setup *o, astra_network *n, astra_system *s);
/* FOLDER/network.yml, system.json and remote_memory.json (there is none).  EXIT_OK, or EXIT_USAGE
 * or EXIT_CHECK after a message. */
int astra_setup_write(const char *folder, const astra_network *n, const astra_system *s);

#endif
