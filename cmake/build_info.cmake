# SPDX-License-Identifier: Apache-2.0
#
# cmake -D SOURCE=<tree> -D TYPE=<build type> -D VERSION=<1.2.3> -D OUTPUT=FILE.c -P cmake/build_info.cmake
#
# Writes the build_info.c of a program (sim-top/base/build_info.h), where it changes: run before each
# build, so that a new commit compiles this one file and links.
cmake_minimum_required(VERSION 3.25)
set(commit unknown)
execute_process(COMMAND git rev-parse --show-toplevel WORKING_DIRECTORY ${SOURCE}
                OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(top)
    file(REAL_PATH ${top} top)
endif()
file(REAL_PATH ${SOURCE} source)
if(top STREQUAL source)    # a copy without a history may lie in another project's
    execute_process(COMMAND git describe --always --tags --dirty WORKING_DIRECTORY ${SOURCE}
                    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND git show --no-patch --format=%cs WORKING_DIRECTORY ${SOURCE}
                    OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    string(APPEND commit " of ${date}")
endif()
string(SUBSTRING "${commit}" 0 63 commit)

# Of names and contents, as cmake/rtl_set.sh makes it of what it is given.
function(digest to)
    file(GLOB files RELATIVE ${SOURCE} ${ARGN})
    list(SORT files)
    set(list)
    foreach(file ${files})
        file(SHA256 ${SOURCE}/${file} hash)
        string(APPEND list "${file} ${hash}\n")
    endforeach()
    string(SHA256 hash "${list}")
    set(${to} ${hash} PARENT_SCOPE)
endfunction()
digest(rtl ${SOURCE}/rtl/*.v ${SOURCE}/rtl/*.vh)
digest(interface ${SOURCE}/bridge/*.h ${SOURCE}/bridge/ace_rtl_set.cc ${SOURCE}/cmodel/*/*.h ${SOURCE}/cmodel/*/*.def)

file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT
"/* By cmake/build_info.cmake. */
#include \"build_info.h\"

const char acesim_version[] = \"@VERSION@\";
const char build_commit[BUILD_COMMIT] = \"@commit@\";
const char build_type[] = \"@TYPE@\";
const char build_rtl[] = \"@rtl@\";
const char build_interface[] = \"@interface@\";
")
