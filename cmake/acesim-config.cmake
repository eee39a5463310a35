# SPDX-License-Identifier: Apache-2.0
#
#   find_package(acesim CONFIG REQUIRED)
#   target_link_libraries(mine acesim::acesim)       or acesim::rtl, or acesim::systemc
#
# acesim::systemc is there where it was installed and pkg-config finds SystemC and TLM-2.0.

include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(ZLIB)
include(${CMAKE_CURRENT_LIST_DIR}/acesim-targets.cmake)
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
    pkg_check_modules(SYSTEMC QUIET IMPORTED_TARGET systemc tlm)
endif()
file(GLOB ACESIM_SYSTEMC ${CMAKE_CURRENT_LIST_DIR}/../../libacesim_systemc.a)
if(SYSTEMC_FOUND AND ACESIM_SYSTEMC)
    include(${CMAKE_CURRENT_LIST_DIR}/acesim-systemc-targets.cmake)
endif()
