# SPDX-License-Identifier: Apache-2.0
#
#   find_package(acesim CONFIG REQUIRED)
#   target_link_libraries(mine acesim::acesim)       or acesim::rtl, or acesim::systemc
#
# acesim::acesim is always there, the others where they were installed: acesim::rtl takes ZLIB,
# acesim::systemc what pkg-config finds of SystemC and TLM-2.0.

include(CMakeFindDependencyMacro)
set(ACESIM_LIBRARIES ${CMAKE_CURRENT_LIST_DIR}/../..)
include(${CMAKE_CURRENT_LIST_DIR}/acesim-targets.cmake)
if(EXISTS ${ACESIM_LIBRARIES}/libacesim_rtl.a)
    find_dependency(Threads)
    find_dependency(ZLIB)
    include(${CMAKE_CURRENT_LIST_DIR}/acesim-rtl-targets.cmake)
endif()
if(EXISTS ${ACESIM_LIBRARIES}/libacesim_systemc.a)
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND)
        pkg_check_modules(SYSTEMC QUIET IMPORTED_TARGET systemc tlm)
    endif()
    if(SYSTEMC_FOUND)
        include(${CMAKE_CURRENT_LIST_DIR}/acesim-systemc-targets.cmake)
    endif()
endif()
