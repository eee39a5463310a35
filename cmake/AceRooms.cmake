# SPDX-License-Identifier: Apache-2.0
#
# ace_rooms(<folder> <library> [<libraries to compile with>]): an object library for each room of
# <folder> that cmake/rooms.txt names, compiled with the include folders of the room's row alone,
# and <library>, a static library of all of them.  Who links to <library> sees all its rooms.
#
# ace_room_folders(<room> <out>): the include folders of a room's row, its own first.

set(ACE_ROOMS_FILE ${PROJECT_SOURCE_DIR}/cmake/rooms.txt)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ACE_ROOMS_FILE})
file(STRINGS ${ACE_ROOMS_FILE} ACE_ROOMS REGEX "^[a-z]")

function(ace_room_folders room out)
    set(folders ${PROJECT_SOURCE_DIR}/${room})
    foreach(row ${ACE_ROOMS})
        separate_arguments(row UNIX_COMMAND "${row}")
        list(POP_FRONT row name)
        if(NOT name STREQUAL room)
            continue()
        endif()
        foreach(other ${row})
            if(other STREQUAL cmodel)
                file(GLOB all LIST_DIRECTORIES true ${PROJECT_SOURCE_DIR}/cmodel/*)
                list(FILTER all EXCLUDE REGEX "CMakeLists.txt$")
                list(APPEND folders ${all})
            else()
                list(APPEND folders ${PROJECT_SOURCE_DIR}/${other})
            endif()
        endforeach()
    endforeach()
    list(REMOVE_DUPLICATES folders)
    set(${out} ${folders} PARENT_SCOPE)
endfunction()

function(ace_rooms folder library)
    set(objects)
    set(all)
    foreach(row ${ACE_ROOMS})
        string(REGEX MATCH "^[^ ]+" room "${row}")
        if(NOT room MATCHES "^${folder}/")
            continue()
        endif()
        string(REPLACE "/" "_" target "room_${room}")
        file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${room}/*.c ${PROJECT_SOURCE_DIR}/${room}/*.h)
        # What has a program of its own, or stands in for another file in one.
        list(FILTER sources EXCLUDE REGEX "/(main|processes_mpi)\\.c$")
        ace_room_folders(${room} folders)
        add_library(${target} OBJECT ${sources})
        target_include_directories(${target} PRIVATE ${folders})
        target_link_libraries(${target} PRIVATE ${ARGN})
        ace_flags(${target})
        list(APPEND objects $<TARGET_OBJECTS:${target}>)
        list(APPEND all $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/${room}>)
    endforeach()
    add_library(${library} STATIC ${objects})
    set_target_properties(${library} PROPERTIES LINKER_LANGUAGE C)
    target_include_directories(${library} PUBLIC ${all})
endfunction()
