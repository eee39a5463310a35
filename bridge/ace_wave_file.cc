// SPDX-License-Identifier: Apache-2.0
//
// ace_wave_file.cc -- replacements of fclose() and mmap() for the FST writer
//
// ace_wave_errors.h is compiled before the writer and maps its calls to these functions. Closing a
// stream checks its error flag. A mapping beyond the end of a file, which a full disk leaves too
// short, becomes memory without a file. Both count a failure.
#include "ace_wave_file.h"
#include "ace_wave_errors.h"

#undef fclose
#undef mmap

#include <atomic>
#include <sys/stat.h>

namespace {
std::atomic<unsigned> failures;
}

extern "C" unsigned ace_wave_failures(void) { return failures; }

extern "C" void ace_wave_failed(void) { failures++; }

extern "C" int ace_wave_close(FILE *file) {
    const bool cut_short = std::ferror(file) != 0;
    const int result = fclose(file);

    if (cut_short || result) failures++;
    return result;
}

extern "C" void *ace_wave_map(void *at, std::size_t bytes, int protection, int flags, int file,
                              off_t offset) {
    struct stat s;

    if (!fstat(file, &s) && s.st_size - offset >= static_cast<off_t>(bytes))
        return mmap(at, bytes, protection, flags, file, offset);
    failures++;
    return mmap(at, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
