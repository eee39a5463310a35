// SPDX-License-Identifier: Apache-2.0
//
// ace_wave_errors.h -- put before the FST writer of Verilator, whose calls it sees
// (ace_wave_file.h)
//
// The headers that declare these calls come first: they are not to be renamed.
#ifndef ACE_WAVE_ERRORS_H
#define ACE_WAVE_ERRORS_H

#include <cstddef>
#include <cstdio>
#include <sys/mman.h>
#include <sys/types.h>

// Like fclose(), but counts a failure if closing or an earlier write failed.
extern "C" int ace_wave_close(FILE *file);
// Like mmap(), but safe for a file that is shorter than the mapping because writes have failed.
// Reading such a mapping would end the program.  The function then maps plain memory and counts a
// failure.
extern "C" void *ace_wave_map(void *at, std::size_t bytes, int protection, int flags, int file,
                              off_t offset);

#define fclose(file) ace_wave_close(file)
#define mmap(...)    ace_wave_map(__VA_ARGS__)

#endif
