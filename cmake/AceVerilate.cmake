# SPDX-License-Identifier: Apache-2.0
#
# ace_verilate(<target> <model> ...), each model a text
#   "<module> [SAVABLE | SYSTEMC] [FAST] [PREFIX <class>] [PARAMETERS NAME=VALUE ...]"
#
# Adds the Verilated rtl/<module>.v to <target> as class V<module>, or <class>; with SYSTEMC
# as an sc_module.
# All models of a program go into one target: two static libraries would each
# bring a verilated.o of their own.  ace_without_runtime(<target>) is for another one, which
# links to the first.
#
# Speed (measured with Verilator 5.006): clang++ -O3 for what runs each cycle of a FAST model,
# -O0 for what runs once.  The other models serve tests of some thousand cycles: -O1 halves
# their compile time, and -O0 that of ALUs, CRCs and converters, more than half, divides it by four.  FST
# tracing is compiled in, which costs nothing while it is off: of a node and an engine their own
# signals and those of the node's units, which is three times cheaper than all, and of other modules the pins.  Registers
# without reset start at random (x-initial unique).  The data-flow pass after inlining stays
# off: it gathers a wide pin such as the six rows of tx_data in a temporary and copies that to
# the pin, every cycle, moved or not.  A SAVABLE model can be saved and restored, for checkpoints
# of a run, and its registers are known by name.

find_package(verilator REQUIRED HINTS /usr/share/verilator)

# After Verilator, alike.pl lets instances share their code.  A file of an earlier run that Verilator no longer lists
# becomes empty: the build compiles the old list once more before CMake reads the new one.
set(ace_verilator ${PROJECT_BINARY_DIR}/verilated/verilator)
file(CONFIGURE OUTPUT ${ace_verilator} @ONLY CONTENT [[#!/bin/sh -e
"@VERILATOR_BIN@" "$@"
until [ "$1" = --Mdir ]; do shift; done
for file in "$2"/*.cpp; do
    grep -qF "/${file##*/}\"" "$2"/*.cmake || : >"$file"
done
exec perl "@PROJECT_SOURCE_DIR@/cmake/alike.pl" "$2"
]])
file(CHMOD ${ace_verilator} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(VERILATOR_BIN ${ace_verilator})

function(ace_verilate target)
    foreach(model ${ARGN})
        separate_arguments(model UNIX_COMMAND "${model}")
        ace_verilate_model(${target} ${model})
    endforeach()
endfunction()

# Of a model: source, folder, arguments for Verilator, and those of the call as arg_*.
macro(ace_parse_model module)
    cmake_parse_arguments(arg "SAVABLE;SYSTEMC;FAST" "PREFIX" "PARAMETERS" ${ARGN})
    set(source ${PROJECT_SOURCE_DIR}/rtl/${module}.v)
    if(NOT arg_PREFIX)
        set(arg_PREFIX V${module})
    endif()
    set(folder ${PROJECT_BINARY_DIR}/verilated/${arg_PREFIX})
    set(depth 1)
    set(rules)
    if("${module}" STREQUAL ace_engine)
        set(depth 2)
        set(rules ${PROJECT_SOURCE_DIR}/cmake/shared.vlt)
    elseif("${module}" STREQUAL ace_node)
        set(depth 5)    # a unit in a loop of a block (u_nic.g_pipe[0].u_check), and its pins
        set(rules ${PROJECT_SOURCE_DIR}/cmake/shared.vlt ${PROJECT_SOURCE_DIR}/cmake/trace.vlt)
    endif()
    set(arguments -O3 -Wall -fno-dfg-post-inline
        --x-assign fast --x-initial unique --trace-depth ${depth}
        -y ${PROJECT_SOURCE_DIR}/rtl -I${PROJECT_SOURCE_DIR}/rtl ${rules})
    foreach(parameter ${arg_PARAMETERS})
        list(APPEND arguments -G${parameter})
    endforeach()
    if(arg_SAVABLE)
        list(APPEND arguments --savable)
    endif()
endmacro()

# ace_verilate_ahead(<model> ...): verilate() runs Verilator for one model after the other, as it has to
# know the files.  Those that are not there yet are made ahead, side by side, by the same command:
# verilate()'s own run then finds nothing to do.
function(ace_verilate_ahead)
    string(TOLOWER ${CMAKE_CXX_COMPILER_ID} compiler)
    if(NOT compiler STREQUAL clang)
        set(compiler gcc)
    endif()
    set(list "")
    foreach(model ${ARGN})
        separate_arguments(model UNIX_COMMAND "${model}")
        ace_parse_model(${model})
        if(NOT EXISTS ${folder}/${arg_PREFIX}_copy.cmake)
            list(GET model 0 module)
            set(kind --trace-fst --cc)
            if(arg_SYSTEMC)
                set(kind --sc)
            endif()
            set(command --compiler ${compiler} --prefix ${arg_PREFIX} --Mdir ${folder} --make cmake
                --top ${module} ${kind} ${arguments} ${source})
            list(JOIN command "\" \"" line)
            string(APPEND list "\"${line}\"\n")
            file(MAKE_DIRECTORY ${folder})
        endif()
    endforeach()
    cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
    file(WRITE ${PROJECT_BINARY_DIR}/verilated/ahead "${list}")
    execute_process(COMMAND xargs -a ${PROJECT_BINARY_DIR}/verilated/ahead -r -L 1 -P ${cores} ${VERILATOR_BIN}
                    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_QUIET ERROR_QUIET)
endfunction()

function(ace_verilate_model target module)
    ace_parse_model(${module} ${ARGN})
    set(speed -O1)
    if(arg_FAST)
        set(speed -O3)
    endif()
    set(kind TRACE_FST)
    if(arg_SYSTEMC)
        set(kind SYSTEMC)    # sc_trace is its tracing
    endif()
    verilate(${target} ${kind}
        PREFIX ${arg_PREFIX}
        TOP_MODULE ${module}
        DIRECTORY ${folder}
        SOURCES ${source}
        VERILATOR_ARGS ${arguments}
        OPT_FAST ${speed} OPT_SLOW -O0 OPT_GLOBAL -O3)
    # Public pins (cmake/shared.vlt) bring a runtime of DPI, which no model calls: its functions would be symbols of ours.
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources EXCLUDE REGEX "/include/verilated_dpi\\.cpp$")
    set_target_properties(${target} PROPERTIES SOURCES "${sources}")
    # What runs each cycle of a large model is compiled as Verilator wrote it: in one file
    # with its caller it is inlined, which takes minutes.  What writes traces runs while one
    # is written, and takes a minute a file at -O3.
    set(once "__(Slow|Syms|ConstPool_[0-9]+)\\.cpp$")
    set(trace "__Trace__[0-9]+\\.cpp$")
    if(arg_FAST)
        ace_in_one(${target} ${arg_PREFIX} trace ${trace} -O1)
        ace_in_one(${target} ${arg_PREFIX} once ${once} -O0)
    elseif(module MATCHES "^ace_(node|engine)$")
        ace_in_one(${target} ${arg_PREFIX} rest "_ace_(alu|crc_sum|wire_encode|wire_decode)__|${trace}|${once}" -O0)
    else()
        ace_in_one(${target} ${arg_PREFIX} all "." -O1)
    endif()
    if(arg_SAVABLE)
        ace_registers(${target} ${arg_PREFIX})
    endif()
endfunction()

# ace_in_one(<target> <class> <name> <files> <level>): the files of a model that match the
# expression, compiled as one.  Verilator writes up to forty, each of which takes as long to
# read the headers as a whole unit takes.
function(ace_in_one target class name files level)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "/${class}/[^/]*\\.cpp$")
    list(FILTER sources INCLUDE REGEX "${files}")
    set_source_files_properties(${sources} PROPERTIES HEADER_FILE_ONLY ON)
    list(TRANSFORM sources REPLACE ".+" "#include \"\\0\"\n" OUTPUT_VARIABLE includes)
    list(JOIN includes "" includes)
    set(whole ${PROJECT_BINARY_DIR}/verilated/${class}_${name}.cpp)
    file(CONFIGURE OUTPUT ${whole} CONTENT "${includes}" @ONLY)
    set_source_files_properties(${whole} PROPERTIES COMPILE_OPTIONS ${level})
    target_sources(${target} PRIVATE ${whole})
endfunction()

# ace_registers(<target> <class>): <class>_registers.h, the registers of a Verilated model by
# name.  They are read and written as members of the model, so they cost it nothing.
function(ace_registers target class)
    set(folder ${PROJECT_BINARY_DIR}/verilated/${class})
    set(list ${folder}/${class}_registers.h)
    set(script ${PROJECT_SOURCE_DIR}/cmake/registers.sed)
    add_custom_command(OUTPUT ${list}
        COMMAND ${PROJECT_SOURCE_DIR}/cmake/registers.sh ${class}
                ${folder}/${class}___024root.h ${list}
        DEPENDS ${folder}/${class}.cmake ${script} ${PROJECT_SOURCE_DIR}/cmake/registers.sh
        VERBATIM)
    target_sources(${target} PRIVATE ${list})
endfunction()

# ace_read_before(<target>): the headers of Verilator's runtime are read once for what of the target runs each
# cycle, and not for each of its files.  Hand-written sources include what they need themselves.  The runtime
# sees its headers in another way, and so does what is compiled without optimization.
function(ace_read_before target)
    if(NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang)
        return()
    endif()
    target_precompile_headers(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:<verilated_fst_c.h$<ANGLE-R>>)
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
    get_target_property(sources ${target} SOURCES)
    foreach(source ${sources})
        get_source_file_property(level ${source} COMPILE_OPTIONS)
        get_source_file_property(flags ${source} COMPILE_FLAGS)
        if(NOT source MATCHES "/verilated/V" OR "${level} ${flags}" MATCHES "-O0")
            set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
        endif()
    endforeach()
endfunction()

function(ace_without_runtime target)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources EXCLUDE REGEX "/include/verilated[a-z_]*\\.cpp$")
    set_target_properties(${target} PROPERTIES SOURCES "${sources}")
endfunction()

# ace_pin_names(<module> <header>): #define <MODULE>_PIN_NAMES(IN, OUT) IN(name) ... OUT(name),
# the ports of rtl/<module>.v but for clk, of which each has a line of its own.
function(ace_pin_names module header)
    set(source ${PROJECT_SOURCE_DIR}/rtl/${module}.v)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(STRINGS ${source} ports REGEX "^ +(input|output) +wire ")
    set(names)
    foreach(port ${ports})
        string(REGEX REPLACE "^ +(in|out)put +wire +(\\[[^]]*\\] +)?([a-z0-9_]+).*" "\\1;\\3" port "${port}")
        list(GET port 0 direction)
        list(GET port 1 name)
        string(TOUPPER ${direction} direction)
        if(NOT name STREQUAL clk)
            string(APPEND names " ${direction}(${name})")
        endif()
    endforeach()
    string(TOUPPER ${module} macro)
    file(CONFIGURE OUTPUT ${header} CONTENT "#define ${macro}_PIN_NAMES(IN, OUT)${names}\n" @ONLY)
endfunction()
