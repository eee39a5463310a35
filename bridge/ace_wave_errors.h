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

// Calls fclose(), and counts a failure if this or an earlier write has failed.
extern "C" int ace_wave_close(FILE *file);
// Calls mmap(). If writes have failed, a file may be shorter than its mapping, and reading it would
// end the program. In this case memory replaces the file, and a failure is counted.
extern "C" void *ace_wave_map(void *at, std::size_t bytes, int protection, int flags, int file,
                              off_t offset);

#define fclose(file) ace_wave_close(file)
#define mmap(...)    ace_wave_map(__VA_ARGS__)

#endif
