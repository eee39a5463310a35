// SPDX-License-Identifier: Apache-2.0
//
// ace_program_fields.vh -- the words of the FSMs' programs
//
// Made by cmake/program_fields.sh of rtl/program.list; docs/reference/instruction-set.md explains them.

`ifndef ACE_PROGRAM_FIELDS_VH
`define ACE_PROGRAM_FIELDS_VH

`define ACE_PROGRAM_ENTRY_THERE 31
`define ACE_PROGRAM_ENTRY_ONE_WAY 15
`define ACE_PROGRAM_ENTRY_COPY 14
`define ACE_PROGRAM_ENTRY_RECEIVE 13:7
`define ACE_PROGRAM_ENTRY_SEND 6:0
`define ACE_PROGRAM_MODE_ALONE 0
`define ACE_PROGRAM_OP 31:30
`define ACE_PROGRAM_LOOP 29:28
`define ACE_PROGRAM_PEER 27:26
`define ACE_PROGRAM_PEER_K 25
`define ACE_PROGRAM_NUMBER 24:18
`define ACE_PROGRAM_FROM 17:16
`define ACE_PROGRAM_FROM_K 15
`define ACE_PROGRAM_ADD 14:13
`define ACE_PROGRAM_PIECE 12:11
`define ACE_PROGRAM_TARGET 10
`define ACE_PROGRAM_REDUCE 9
`define ACE_PROGRAM_LAST 8
`define ACE_PROGRAM_WAIT 7:6
`define ACE_PROGRAM_BIAS 5:3
`define ACE_PROGRAM_GRANT 2:1

// The highest bit of numbers in two's complement
`define ACE_PROGRAM_ADD_SIGN 14
`define ACE_PROGRAM_BIAS_SIGN 5

`define ACE_PROGRAM_LOOP_ONCE 2'd0
`define ACE_PROGRAM_LOOP_UP 2'd1
`define ACE_PROGRAM_LOOP_HALVE 2'd2
`define ACE_PROGRAM_LOOP_DOUBLE 2'd3
`define ACE_PROGRAM_AHEAD 2'd0
`define ACE_PROGRAM_BEHIND 2'd1
`define ACE_PROGRAM_XOR 2'd2
`define ACE_PROGRAM_MEMBER 2'd3
`define ACE_PROGRAM_SHARD 2'd0
`define ACE_PROGRAM_SHARDS 2'd1
`define ACE_PROGRAM_BLOCK 2'd2
`define ACE_PROGRAM_WAIT_NO 2'd0
`define ACE_PROGRAM_WAIT_ROWS 2'd1
`define ACE_PROGRAM_WAIT_STEP 2'd2
`define ACE_PROGRAM_WAIT_BEGIN 2'd3
`define ACE_PROGRAM_GRANT_EACH 2'd0
`define ACE_PROGRAM_GRANT_FIRST 2'd1
`define ACE_PROGRAM_GRANT_NONE 2'd2
`define ACE_PROGRAM_OP_END 2'd0
`define ACE_PROGRAM_OP_SEND 2'd1
`define ACE_PROGRAM_OP_RECEIVE 2'd2

`endif
