// SPDX-License-Identifier: Apache-2.0
//
// live.vh -- reset in the first cycle, at will later; live is 1 when state has been reset

    reg live = 1'b0;
    always @(posedge clk) live <= 1'b1;
    always @* assume (live || rst);
