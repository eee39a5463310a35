# SPDX-License-Identifier: Apache-2.0
#
# Packages, by `cpack -G DEB` or `cpack -G TGZ` in the build folder:
#
#   acesim           the program, its workloads and views, the Python module, the documents
#   acesim-mpi       the program over MPI ranks
#   acesim-systemc   the platform of SystemC modules
#   libacesim-dev    libraries and headers
#
# What a component needs must have been built before; `-D CPACK_COMPONENTS_ALL=acesim` packs the
# program alone.  Dependencies are those of the programs' shared libraries (dpkg-shlibdeps).

set(CPACK_PACKAGE_NAME acesim)
set(CPACK_PACKAGE_VENDOR "The acesim authors")
set(CPACK_PACKAGE_CONTACT "The acesim authors <acesim@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "cycle-level model of a collectives engine in a cluster")
set(CPACK_PACKAGE_DESCRIPTION
"acesim models ACE, the Accelerator Collectives Engine, cycle by cycle, from
the Verilog of one node to training iterations on a whole cluster.")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_GENERATOR TGZ)

set(CPACK_COMPONENTS_ALL acesim dev)
if(TARGET acesim-mpi)
    list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()
if(TARGET acesim-systemc)
    list(APPEND CPACK_COMPONENTS_ALL systemc)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_ACESIM_PACKAGE_NAME acesim)
set(CPACK_DEBIAN_ACESIM_PACKAGE_SUGGESTS "acesim-mpi, gnuplot-nox, gtkwave, python3")
set(CPACK_DEBIAN_MPI_PACKAGE_NAME acesim-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "acesim (= ${PROJECT_VERSION}), openmpi-bin")
set(CPACK_DEBIAN_SYSTEMC_PACKAGE_NAME acesim-systemc)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libacesim-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "libsystemc-dev, zlib1g-dev")

# A program with AVX2 does not start on a machine without: who installs it is told.
set(machine "any amd64 processor")
if(ACE_X86_64_V3)
    set(machine "processors with AVX2 and BMI2 (x86-64-v3)")
endif()
foreach(component acesim mpi systemc dev)
    set(what "The program with its workloads, views of waveforms, Python module and documents.")
    if(component STREQUAL mpi)
        set(what "The program over MPI ranks.")
    elseif(component STREQUAL systemc)
        set(what "A platform of SystemC TLM-2.0 modules around the nodes.")
    elseif(component STREQUAL dev)
        set(what "Libraries and headers: C twins, Verilated RTL, SystemC modules.")
    endif()
    string(TOUPPER ${component} upper)
    set(CPACK_COMPONENT_${upper}_DESCRIPTION
        "${CPACK_PACKAGE_DESCRIPTION}\n${what}\nBuilt for ${machine}.")
endforeach()

include(CPack)
