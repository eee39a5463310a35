# SPDX-License-Identifier: Apache-2.0
#
# Compiler flags.  ace_flags(<target>) gives a target of hand-written code the
# warnings, all of them errors, and in the `sanitize` preset the sanitizers.
# Verilated code gets neither: ace_flags_of(<sources>) serves the target where
# hand-written and generated sources meet.

include(CheckCSourceRuns)

# The same bits on every machine: a product and a sum are never fused.
add_compile_options(-ffp-contract=off)

# x86-64-v3 (AVX2, BMI2) where compiler and machine have it; not `native`, so
# that valgrind can run the result.
set(CMAKE_REQUIRED_FLAGS -march=x86-64-v3)
check_c_source_runs("
    int main(void) {
        __builtin_cpu_init();
        return !(__builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"bmi2\") &&
                 __builtin_cpu_supports(\"fma\"));
    }" ACE_X86_64_V3)
unset(CMAKE_REQUIRED_FLAGS)
if(ACE_X86_64_V3)
    add_compile_options(-march=x86-64-v3)
endif()

# A warning is an error where the project itself is built, by clang: other compilers see what it does
# not, and that is no reason for their users to go without.
set(ACE_WARNINGS_ARE_ERRORS)
if(CMAKE_C_COMPILER_ID STREQUAL Clang)
    set(ACE_WARNINGS_ARE_ERRORS -Werror)
endif()
set(ACE_C_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes
                   -Wmissing-prototypes ${ACE_WARNINGS_ARE_ERRORS})
# The shared C headers use designated initialisers, which C++17 has as an extension.
set(ACE_CXX_WARNINGS -Wall -Wextra -Wshadow -Wno-c++20-designator -Wno-c99-designator
                     ${ACE_WARNINGS_ARE_ERRORS})

set(ACE_SANITIZERS)
if(ACE_SANITIZE)
    set(ACE_SANITIZERS -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined
                       -fno-sanitize-recover=all)
    add_link_options(-fsanitize=address,undefined)
endif()

function(ace_flags target)
    target_compile_options(${target} PRIVATE
        $<$<COMPILE_LANGUAGE:C>:${ACE_C_WARNINGS}>
        $<$<COMPILE_LANGUAGE:CXX>:${ACE_CXX_WARNINGS}>
        ${ACE_SANITIZERS})
    # The fuzzers of the readers use this build, too. Their instrumentation would halve the speed of rooms that make
    # cycles. Rooms without long tests are not optimized and compile in half the time.
    if(ACE_UNITS AND ACE_SANITIZE AND CMAKE_C_COMPILER_ID STREQUAL Clang)
        if(NOT target MATCHES "cmodel_(nic|parts|twin|plan|node|host)$|_(endpoint|fabric|graph|training|observe|calibrated)$")
            target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
        endif()
        if(target MATCHES "sim-top_" AND
           NOT target MATCHES "_(endpoint|fabric|graph|training|calibrated|model|pipeline|iteration|strategy|npu)$")
            target_compile_options(${target} PRIVATE -O0)
        endif()
    endif()
endfunction()

function(ace_flags_of)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS
                 ${ACE_CXX_WARNINGS} ${ACE_SANITIZERS})
endfunction()
