# SPDX-License-Identifier: Apache-2.0
# The chunk table of ace_scheduler, cut to the chunks that chunk.v offers: entries 4..63 are never named.
s/\[0:63\]/[0:3]/
