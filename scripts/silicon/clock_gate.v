// SPDX-License-Identifier: Apache-2.0
//
// clock_gate.v -- techmap rule: a flip-flop with an enable has its clock from a gate
//
// At first each flip-flop gets its own gate. Gates of one enable are merged later.

(* techmap_celltype = "$_DFFE_PP_" *)
module ace_gated (D, C, E, Q);
    input  D, C, E;
    output Q;

    wire gated;

    CLKGATEX1  gate (.CLK(C), .EN(E), .GCLK(gated));
    DFFGATEDX1 flop (.GCLK(gated), .D(D), .Q(Q));
endmodule
