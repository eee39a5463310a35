/* SPDX-License-Identifier: Apache-2.0 */
int command_workload(int argc, char **argv);
int command_workload(int argc, char **argv) { (void)argc; (void)argv; return 0; }
