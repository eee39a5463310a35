# SPDX-License-Identifier: Apache-2.0
#
# From the members of a Verilated model to a list of its registers:
#
#     see("u_memory_port.u_tx_dma.jobs_q", 2, r.ace_node__DOT__u_memory_port__DOT__u_tx_dma__DOT__jobs_q);   name, top bit, member
#
# Registers are named x_q in rtl/, but for the memories of scratchpad, large queues, commands to agree on, programs and a
# switch's slots, and what those of commands and programs have read.
/^ *(CData|SData|IData|QData|VlWide|VlUnpacked).* ace_(node|hub_reducer)__DOT__([A-Za-z0-9_]*_q|[A-Za-z0-9_]*__DOT__u_slots__DOT__memory|u_datapath__DOT__u_scratchpad__DOT__u_banks__DOT__[A-Za-z0-9_]*__DOT__memory|[A-Za-z0-9_]*__DOT__g_ram__DOT__u_(rows|sides)__DOT__memory|[A-Za-z0-9_]*__DOT__(u_program__DOT__u_words__DOT__memory|u_program__DOT__stored)|u_front__DOT__u_agreement__DOT__(u_queue__DOT__memory|first));$/!d
/____V/d
# the ALUs' pipelines, of a node and of a switch, hold rows and decide nothing
/__DOT__(g_alu__|u_alu__DOT__)/d
s,.*/\*([0-9]+):0\*/.* (ace_(node|hub_reducer)__DOT__[A-Za-z0-9_]*);,\1 \2,
h
s/^.*ace_(node|hub_reducer)__DOT__//
s/__BRA__([0-9]+)__KET__/[\1]/g
s/__DOT__/./g
G
s/(.*)\n([0-9]+) (.*)/see("\1", \2, r.\3);/p
