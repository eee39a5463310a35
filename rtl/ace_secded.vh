// SPDX-License-Identifier: Apache-2.0
//
// ace_secded.vh -- the parity-check matrix of the scratchpad's code
//
// Hsiao's (72,64) code.  Each word has a column of odd weight, whose bits name the check words that
// include the word.  Word 0's column is in the low 8 bits.  First come the 56 columns of weight 3
// in rising order, then 8'h1f rotated left by 0 to 7.  A check word's column has only its own bit.
// Every check word covers 26 data words.

`define ACE_SECDED_COLUMNS { \
    64'h8040201008040201, \
    192'h8fc7e3f1f87c3e1fe0d0c8c4c2c1b0a8a4a2a1989492918c, \
    192'h8a898685837068646261585452514c4a4946454338343231, \
    128'h2c2a292625231c1a191615130e0d0b07 }
