# SPDX-License-Identifier: Apache-2.0
#
# What `cmake --install` puts into a prefix: the programs with their workloads, views and documents,
# and the libraries as a CMake package and as pkg-config modules.  A project outside takes one of
#
#   acesim::acesim    acesim           libacesim.a           the C twins, wires, memory, plans
#   acesim::rtl       acesim-rtl       libacesim_rtl.a       and the Verilated node
#   acesim::systemc   acesim-systemc   libacesim_systemc.a   and the SystemC modules
#
# (target of find_package(acesim CONFIG), pkg-config module, file); see bridge/example.

set(ACE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/acesim)
set(ACE_HEADERS_DIR ${CMAKE_INSTALL_INCLUDEDIR}/acesim)

# What was not built is left out: after `--target acesim` there is a program to install.  Each thing
# belongs to a component, of which cmake/AcePackage.cmake makes a package.
if(ACE_RTL)
    install(TARGETS acesim)
endif()
if(ACE_MPI)
    install(TARGETS acesim-mpi OPTIONAL COMPONENT mpi)
endif()
if(ACE_SYSTEMC)
    install(TARGETS acesim-systemc OPTIONAL COMPONENT systemc)
endif()

# Where data_path.h looks for them, and where Debian looks for the rest.
install(DIRECTORY workloads waves DESTINATION ${CMAKE_INSTALL_DATADIR}/acesim USE_SOURCE_PERMISSIONS)
install(FILES scripts/python/acesim.py scripts/python/sizes.py scripts/python/strategies.py
        DESTINATION ${CMAKE_INSTALL_DATADIR}/acesim/python)
# What `acesim rtl build` compiles, in the folders that the tree has.
if(ACE_RTL)
    install(DIRECTORY rtl DESTINATION ${CMAKE_INSTALL_DATADIR}/acesim FILES_MATCHING PATTERN "*.v" PATTERN "*.vh")
    install(DIRECTORY cmodel DESTINATION ${CMAKE_INSTALL_DATADIR}/acesim
            FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
    file(GLOB bridge_headers CONFIGURE_DEPENDS bridge/*.h)
    install(FILES ${bridge_headers} bridge/ace_rtl_set.cc DESTINATION ${CMAKE_INSTALL_DATADIR}/acesim/bridge)
    install(FILES cmake/registers.sed cmake/shared.vlt DESTINATION ${CMAKE_INSTALL_DATADIR}/acesim/cmake)
    install(PROGRAMS cmake/alike.pl cmake/registers.sh cmake/rtl_set.sh DESTINATION ${CMAKE_INSTALL_DATADIR}/acesim/cmake)
endif()
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md CHANGELOG.md CITATION.cff LICENSE cmake/copyright
        DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME dev)
install(FILES
    cmodel/base/ace_parameters.def cmodel/base/ace_types.h cmodel/base/ace_state.h cmodel/base/ace_flit.h
    cmodel/base/ace_core.h cmodel/base/ace_scale.h cmodel/plan/ace_plan.h cmodel/plan/ace_command.h cmodel/plan/ace_reference.h
    cmodel/plan/ace_composition.h cmodel/plan/ace_counted_list.h
    cmodel/node/ace_node.h cmodel/node/ace_memory.h cmodel/node/ace_node_faults.h
    cmodel/node/ace_lockstep.h cmodel/base/ace_ports.h cmodel/base/ace_register_map.h cmodel/twin/ace_control.h
    cmodel/twin/ace_control_registers.h cmodel/twin/ace_doorbell_check.h cmodel/twin/ace_axil_slave.h cmodel/twin/ace_trigger.h
    cmodel/twin/ace_engine.h cmodel/host/ace_axil_master.h cmodel/host/ace_host.h cmodel/host/ace_host_core.h
    cmodel/host/ace_flag_memory.h
    DESTINATION ${ACE_HEADERS_DIR})
if(ACE_RTL)
    install(FILES bridge/ace_rtl_node.h bridge/ace_rtl_engine.h bridge/ace_rtl_wave.h
            cmodel/base/ace_wave_time.h
            DESTINATION ${ACE_HEADERS_DIR})
endif()
# Other sets of hardware parameters, where the program looks for them.
foreach(name ${ACE_SETS})
    install(TARGETS ace_set_${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/acesim/rtl COMPONENT acesim OPTIONAL)
endforeach()

# ace_install(<target> <name> <file> <export>)
function(ace_install target name file export)
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} OUTPUT_NAME ${file})
    target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:${ACE_HEADERS_DIR}>)
    install(TARGETS ${target} EXPORT ${export} OPTIONAL)
endfunction()
ace_install(ace_cmodel acesim acesim acesim-targets)
install(EXPORT acesim-targets NAMESPACE acesim:: DESTINATION ${ACE_PACKAGE_DIR})
if(ACE_RTL)
    ace_install(ace_bridge rtl acesim_rtl acesim-rtl-targets)
    install(EXPORT acesim-rtl-targets NAMESPACE acesim:: DESTINATION ${ACE_PACKAGE_DIR})
endif()

include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/acesim-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES cmake/acesim-config.cmake ${PROJECT_BINARY_DIR}/package/acesim-config-version.cmake
        DESTINATION ${ACE_PACKAGE_DIR})

# ace_pkg_config(<name> <library> <description> [<other libraries> [<required modules>]])
# The prefix is found from where the file lies, so that an installed tree can be moved.
file(RELATIVE_PATH ACE_PREFIX_FROM_PC /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
function(ace_pkg_config name library description)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/package/${name}.pc @ONLY CONTENT
"prefix=\${pcfiledir}/${ACE_PREFIX_FROM_PC}
Name: ${name}
Description: ${description}
Version: ${PROJECT_VERSION}
Requires: ${ARGV4}
Cflags: -I\${prefix}/${ACE_HEADERS_DIR}
Libs: -L\${prefix}/${CMAKE_INSTALL_LIBDIR} -l${library} ${ARGV3}
")
    install(FILES ${PROJECT_BINARY_DIR}/package/${name}.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
ace_pkg_config(acesim acesim "ACE, a collective engine: C twins of its RTL")
if(ACE_RTL)
    ace_pkg_config(acesim-rtl acesim_rtl "The Verilated RTL of ACE" "-lstdc++ -latomic -pthread" "acesim zlib")
endif()

if(ACE_SYSTEMC)
    install(FILES
        bridge/systemc/ace_sc_link.h bridge/systemc/ace_sc_memory.h bridge/systemc/ace_sc_node.h
        bridge/systemc/ace_sc_pins.h ${PROJECT_BINARY_DIR}/verilated/Vace_node_sc/Vace_node_sc.h
        DESTINATION ${ACE_HEADERS_DIR})
    ace_install(ace_systemc systemc acesim_systemc acesim-systemc-targets)
    install(EXPORT acesim-systemc-targets NAMESPACE acesim:: DESTINATION ${ACE_PACKAGE_DIR})
    ace_pkg_config(acesim-systemc acesim_systemc "SystemC modules of ACE" "" "acesim-rtl systemc tlm")
endif()
