// SPDX-License-Identifier: Apache-2.0
//
// axi_answers.vh -- what a random_memory answers: an error to one beat in sixteen, by its address and channel

    function [1:0] answer_of;
        input [63:0]  addr;
        input integer channel;
        reg   [31:0]  hash;
        begin
            hash = (addr[47:4] ^ {12'd0, addr[63:48], 4'd0} + channel * 7) * 32'd2654435761;
            answer_of = hash[31:28] != 4'd0 ? 2'b00 : {1'b1, hash[27]};
        end
    endfunction
