// SPDX-License-Identifier: Apache-2.0
//
// ace_widths.vh -- one name for each width that crosses the borders of the node's blocks
//
// A width that only one module knows stays a number or a localparam there.

`ifndef ACE_WIDTHS_VH
`define ACE_WIDTHS_VH

`define ACE_ADDRESS_W 48        // a byte address at the memory
`define ACE_BANK_ROW_W 12       // a row of a scratchpad bank
`define ACE_CHUNK_ROW_W 11      // rows of a chunk, of a shard
`define ACE_CLASSES_W 192       // the cycle classes of a unit: four counters of 48 bits
`define ACE_CODE_W 32           // the code of a row, a bit a word of the code
`define ACE_NOTE_W 17           // what a packet carries beside its row: {reduce, context, mark}
`define ACE_ROUTE_W 64          // where a routed packet goes, see ace_router
`define ACE_SCALE_W 37          // the scale of an average: {shift, reciprocal}, see ace_alu

`endif
