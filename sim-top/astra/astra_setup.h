/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_setup.h -- converts ASTRA-sim 2.x's network and system files to a setup, and back
 *
 * A setup has more fields than those files have keys. Writing files drops the other fields. A
 * caller that writes files compares the result with the original (command_convert.c).
 */
#ifndef ASTRA_SETUP_H
#define ASTRA_SETUP_H

#include "astra_files.h"
#include "setup.h"

/* The arguments of acesim collective; the first two are the command and its collective. */
enum { ASTRA_ARGUMENTS = 16, ASTRA_ARGUMENT_BYTES = 280 };
typedef struct astra_arguments {
    char text[ASTRA_ARGUMENTS][ASTRA_ARGUMENT_BYTES];
    unsigned count;
} astra_arguments;

/* Returns whether its nodes can be engines (cluster_of_engines). */
bool astra_network_of_engines(const astra_network *n);
/* The kind of nodes, which limits the size of a dimension and the latency of a link. */
typedef enum astra_nodes {
    ASTRA_NODES_ENGINES,    /* engines, or software on the same wires */
    ASTRA_NODES_IDEAL,      /* endpoints without wires: links of any latency */
    ASTRA_NODES_CALIBRATED, /* nodes on the rung calibrated: larger dimensions than engines have */
    ASTRA_NODES_OF_FILE     /* chosen by a cluster file: any kind but ideal */
} astra_nodes;
/* Writes the network as --topology takes it, as in Ring(4)_Switch(8). */
void astra_topology(const astra_network *n, char *to, size_t room);
/* Writes the cluster of both files as arguments, with nodes of `clock_MHz`. `file`: the network
 * file, for messages. astra_setup_links() adds the bandwidth of the links. Returns EXIT_OK. Returns
 * EXIT_USAGE after a message with the file's line and column if such nodes cannot have a dimension
 * or a latency, or if a port is faster than a node's. */
int astra_setup_make(const char *file, const astra_network *n, const astra_system *s,
                     astra_nodes nodes, double clock_MHz, astra_arguments *w);
/* Sets the bandwidth of an NPU in each dimension, like npu_bandwidth of a cluster file. Called
 * after the arguments were parsed. In a dimension of Links, the NPU with the most bandwidth counts.
 * Returns EXIT_OK, or another status after a message about the links' file. */
int astra_setup_links(const char *file, const astra_network *n, setup *o);
/* Sets the NPU's speed, if the system has a roofline. */
void astra_setup_npu(const astra_system *s, npu *n);
/* Converts a cluster to a network and a system. Algorithms that ASTRA-sim does not have are left
 * out. roofline: the system computes from the speed of its NPUs. */
void astra_setup_read(const cluster *c, bool roofline, astra_network *n, astra_system *s);
/* Writes FOLDER/network.yml, system.json and remote_memory.json, which declares that there is no
 * remote memory. Returns EXIT_OK, or EXIT_USAGE or EXIT_CHECK after a message. */
int astra_setup_write(const char *folder, const astra_network *n, const astra_system *s);

#endif
