# SPDX-License-Identifier: Apache-2.0
#
# Timing constraints of ace_engine as a block, for synthesis and static timing analysis, or of ace_axi_split:
#
#   set ace_period 0.803        # ns, before this file is read; 1245 MHz, the clock of the paper, otherwise
#   source ace.sdc
#
# All of the engine is one clock domain; what crosses to another one is the integrator's.  Which paths of
# today's modules are longer than this period, and by how much, is in docs/results/silicon.md.

if {![info exists ace_period]} { set ace_period [expr {1e3 / 1245}] }
create_clock -name clk -period $ace_period [get_ports clk]

# Uncertainty: 5 % of a period for jitter and skew, as is usual before a clock tree is there.
set_clock_uncertainty [expr {0.05 * $ace_period}] [get_clocks clk]

# Outputs depend on state alone, and no input reaches an output in its cycle: the block and what it is
# connected to share a period at each pin, so each side is given half.
set inputs [list]
foreach port [all_inputs] {
    if {[get_property $port full_name] ne "clk"} { lappend inputs $port }
}
set_input_delay  [expr {0.5 * $ace_period}] -clock clk $inputs
set_output_delay [expr {0.5 * $ace_period}] -clock clk [all_outputs]

# rst is synchronous and goes to every control register: a tree of it is to be built.
set_max_fanout 32 [current_design]
