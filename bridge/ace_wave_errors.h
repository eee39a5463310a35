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

// fclose(), which counts a failure where this or a write before has failed.
extern "C" int ace_wave_close(FILE *file);
// mmap().  A file that is shorter than the mapping, as writes to it have failed, would end the
// program when it is read: memory stands in for it, and that is counted as a failure.
extern "C" void *ace_wave_map(void *at, std::size_t bytes, int protection, int flags, int file,
                              off_t offset);

#define fclose(file) ace_wave_close(file)
#define mmap(...)    ace_wave_map(__VA_ARGS__)

#endif
