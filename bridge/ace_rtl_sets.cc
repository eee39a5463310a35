// SPDX-License-Identifier: Apache-2.0
//
// ace_rtl_sets.cc -- finds the sets of hardware parameters: the program's own set, and the shared
// objects next to the program.  It creates cores and engines from the set with given parameters.

#include "ace_rtl_engine.h"
#include "ace_rtl_node.h"
#include "ace_rtl_node_core.h"
#include "ace_rtl_set.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

namespace {

struct Sets {
    std::vector<const ace_rtl_parameter_set *> all;
    std::string folder;
    std::unique_ptr<ace_rtl_parameter_set> loaded;
    std::string loaded_name, why; // why the last one was not loaded

    Sets() {
        namespace fs = std::filesystem;
        all.push_back(ace_rtl_set_default());
        std::error_code failed;
        const fs::path program = fs::read_symlink("/proc/self/exe", failed).parent_path();
        if (failed) return;
        // as built, of a test as built, as installed
        for (const char *place : { "rtl", "../rtl", "../lib/acesim/rtl" })
            if (folder.empty()) load((program / place).string());
    }

    void load(const std::string &from) {
        std::vector<std::string> names;
        std::error_code failed;
        for (const auto &entry : std::filesystem::directory_iterator(from, failed)) {
            const std::string name = entry.path().filename().string();
            if (name.rfind("ace_set_", 0) == 0 && entry.path().extension() == ".so")
                names.push_back(entry.path().string());
        }
        std::sort(names.begin(), names.end());
        for (const std::string &name : names) {
            void *object = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
            auto *of = object
                           ? reinterpret_cast<ace_rtl_set_of *>(dlsym(object, ACE_RTL_SET_SYMBOL))
                           : nullptr;
            const ace_rtl_parameter_set *set = of ? of(ACE_RTL_SET_VERSION) : nullptr;
            if (set)
                all.push_back(set);
            else
                std::fprintf(stderr, "acesim: found %s, which is no set of this build's: %s\n",
                             name.c_str(), object ? "another version" : dlerror());
        }
        if (!names.empty()) folder = from;
    }
};

// Made when it is first asked for; ace_rtl_set_load() alone changes it.
Sets &sets() {
    static Sets s;
    return s;
}

bool same(const ace_parameters &a, const ace_parameters &b) {
    return !std::memcmp(&a, &b, sizeof a); // unsigned numbers alone
}

// Returns the set with these parameters, and with an engine if one is requested, or NULL.  The
// loaded set takes precedence over the others.
const ace_rtl_parameter_set *set_of(const ace_parameters &p, bool with_engine) {
    const ace_rtl_parameter_set *loaded = sets().loaded.get();
    if (loaded && same(p, loaded->parameters))
        return with_engine && !loaded->engine ? nullptr : loaded;
    for (const ace_rtl_parameter_set *set : sets().all)
        if (same(p, set->parameters) && (set->engine || !with_engine)) return set;
    return nullptr;
}

} // namespace

extern "C" const char *ace_rtl_set_load(const char *file, const char *name, const char *interface) {
    Sets &s = sets();
    void *object = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    auto *of =
        object ? reinterpret_cast<ace_rtl_set_of *>(dlsym(object, ACE_RTL_SET_SYMBOL)) : nullptr;
    const ace_rtl_parameter_set *set = of ? of(ACE_RTL_SET_VERSION) : nullptr;
    if (!object) return (s.why = dlerror()).c_str();
    if (!of) return (s.why = std::string(file) + " is no set of parameters").c_str();
    if (!set || std::strcmp(set->interface, interface) != 0)
        return (s.why = std::string(file) + " was made for another build of acesim").c_str();
    s.loaded_name = name;
    s.loaded = std::make_unique<ace_rtl_parameter_set>(*set);
    s.loaded->name = s.loaded_name.c_str();
    return nullptr;
}

extern "C" const ace_rtl_parameter_set *ace_rtl_set_loaded(void) { return sets().loaded.get(); }

extern "C" const char *ace_rtl_verilator(void) {
    static const std::string version = [] {
        const std::string all = Verilated::productVersion();
        return all.substr(0, all.find(' '));
    }();
    return version.c_str();
}

extern "C" const ace_rtl_parameter_set *ace_rtl_set_at(unsigned number) {
    return number < sets().all.size() ? sets().all[number] : nullptr;
}

extern "C" const char *ace_rtl_set_folder(void) {
    return sets().folder.empty() ? nullptr : sets().folder.c_str();
}

extern "C" const ace_parameters *ace_rtl_parameters(unsigned set, const char **name) {
    const ace_rtl_parameter_set *s = ace_rtl_set_at(set);
    if (!s) return nullptr;
    *name = s->name;
    return &s->parameters;
}

extern "C" int ace_rtl_core_create(const ace_parameters *p, const ace_config *cfg, bool payload,
                                   uint32_t seed, const ace_rtl_wave *wave, ace_core **core) {
    if (ace_parameters_check(p, cfg) != ACE_OK) return ACE_EINVAL;
    const ace_rtl_parameter_set *set = set_of(*p, false);
    if (!set || (payload && !set->payload)) return ACE_EINVAL;
    return set->node(cfg, payload, seed, wave, core);
}

extern "C" int ace_rtl_node_create(const ace_node_setup *setup, const ace_rtl_wave *wave,
                                   ace_node **node) {
    ace_core *core;
    const int err = ace_rtl_core_create(&setup->parameters, &setup->config,
                                        setup->memory != nullptr, 1, wave, &core);
    return err ? err : ace_driver_create(core, setup, node);
}

extern "C" void ace_rtl_core_registers(ace_core *core, ace_rtl_register_see *see, void *self) {
    reinterpret_cast<const RtlClass *>(core->class_)->registers(core, see, self);
}

extern "C" void ace_rtl_core_settle(ace_core *core, bool counts) {
    reinterpret_cast<const RtlClass *>(core->class_)->settle(core, counts);
}

extern "C" const ace_parameters *ace_rtl_engine_parameters(unsigned set, unsigned *completions) {
    for (const ace_rtl_parameter_set *s : sets().all) {
        if (!s->engine || set-- > 0) continue;
        *completions = s->completions;
        return &s->parameters;
    }
    return nullptr;
}

extern "C" int ace_rtl_engine_create(const ace_parameters *p, bool payload, uint32_t seed,
                                     const ace_rtl_wave *wave, ace_engine **engine) {
    const ace_rtl_parameter_set *set = set_of(*p, true);
    return set ? set->engine(payload, seed, wave, engine) : ACE_EINVAL;
}
