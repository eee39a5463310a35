// SPDX-License-Identifier: Apache-2.0
//
// ace_rtl_set.cc -- the modules and values of one set of hardware parameters
//
// This file is compiled once for each set of hardware parameters, against the `ace_set.h` made for
// that set, which names the Verilated classes and the parameters.  CMake makes the `ace_set.h` of
// the program's sets, and cmake/rtl_set.sh those of `acesim rtl build`.

#include "ace_rtl_set.h"

#include "ace_rtl_engine_core.h"
#include "ace_rtl_node_core.h"

#include "ace_set.h"

// Only a set of `acesim rtl build` defines these.
#ifndef ACE_SET_RTL
#    define ACE_SET_RTL       ""
#    define ACE_SET_INTERFACE ""
#    define ACE_SET_PAYLOAD   true
#endif

namespace {

const ace_rtl_parameter_set set = {
    ACE_SET_NAME,
    ACE_SET_RTL,
    ACE_SET_INTERFACE,
    ACE_SET_PARAMETERS,
    ACE_SET_COMPLETIONS,
    ACE_SET_PAYLOAD,
    RtlCore<ACE_SET_NODE>::create,
#ifdef ACE_SET_ENGINE
    RtlEngine<ACE_SET_ENGINE>::create,
#else
    nullptr,
#endif
};

} // namespace

#ifdef ACE_SET_OBJECT
extern "C" __attribute__((visibility("default"))) const ace_rtl_parameter_set *
ace_rtl_set_of_object(int version) {
    return version == ACE_RTL_SET_VERSION ? &set : nullptr;
}
#else
extern "C" const ace_rtl_parameter_set *ace_rtl_set_default(void) { return &set; }
#endif
