// SPDX-License-Identifier: Apache-2.0
//
// main.cc -- acesim-systemc: a collective on a platform of SystemC modules

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstring>
#include <exception>

#include "machine_config.h"
#include "options.h"
#include "platform.h"
#include "refusal.h"
#include "standard_output.h"

namespace {

constexpr uint64_t MOST_BYTES = 1 << 30; // of a node's vector, which is in memory three times

const char usage[] =
    "usage: acesim-systemc KIND [OPTIONS]\n\n"
    "A collective as `acesim collective` runs it, on a torus of SystemC modules with an NPU and a\n"
    "memory at each node; its payload is compared with the reference.  Prints JSON.\n\n"
    "  --rung R                    cycle, rtl, pins, lockstep, or a list of them [cycle]\n"
    "                              pins: the RTL on sc_signals; lockstep: the twin and those\n"
    "                              pins, compared in every cycle\n"
    "  --quantum CYCLES            how far a node runs ahead of the simulation's time, 0 to the\n"
    "                              shortest link latency [that]\n"
    "  --transport T               blocking, or non-blocking, which has no quantum [blocking]\n"
    "  --times N                   collectives that each NPU runs [1]\n"
    "  --outstanding N             of them at once; the next follows a completion [1]\n"
    "  --trace FILE                FILE.vcd: the signals of the nodes on pins\n\n"
    "KIND, topology, size, type, seed, and what cluster and hardware are: as\n"
    "`acesim collective --help` says.\n\n"
    "example: acesim-systemc all-reduce --topology 2x2x1 --size 64KiB --rung lockstep\n";

struct Own { // options that acesim collective does not have
    const char *quantum = nullptr, *transport = "blocking", *times = "1", *outstanding = "1";
    const char *trace = nullptr;
};

// Removes own options from argv. Returns false if a value is missing.
bool take_own(int &argc, char **argv, Own &own) {
    const struct {
        const char *name;
        const char **value;
    } table[] = { { "--quantum", &own.quantum },
                  { "--transport", &own.transport },
                  { "--times", &own.times },
                  { "--outstanding", &own.outstanding },
                  { "--trace", &own.trace } };
    int kept = 1;
    for (int i = 1; i < argc; i++) {
        bool taken = false;
        for (const auto &t : table) {
            const size_t n = std::strlen(t.name);
            if (std::strncmp(argv[i], t.name, n) || (argv[i][n] && argv[i][n] != '=')) continue;
            taken = true;
            *t.value = argv[i][n] ? argv[i] + n + 1 : i + 1 < argc ? argv[++i] : nullptr;
            if (!*t.value) {
                std::fprintf(stderr, "acesim-systemc: %s: found nothing, expected a value\n",
                             t.name);
                return false;
            }
        }
        if (!taken) argv[kept++] = argv[i];
    }
    argc = kept;
    argv[kept] = nullptr;
    return true;
}

const char *const rung_words[] = { "cycle", "rtl", "pins", "lockstep" };

bool set_rung(void *self, unsigned node, const char *word, size_t length) {
    auto &rung = *static_cast<std::vector<Rung> *>(self);
    for (unsigned r = 0; r < 4; r++)
        if (length == std::strlen(rung_words[r]) && !std::strncmp(word, rung_words[r], length)) {
            rung[node] = Rung(r);
            return true;
        }
    return false;
}

// Refuses options that acesim collective takes and this platform does not support.
bool refused(const setup &o) {
    const struct {
        bool found;
        const char *what;
    } table[] = { { o.output.format == FORMAT_CSV, "--format csv" },
                  { o.output.timeline || o.output.folder, "--timeline or --output" },
                  { o.output.wave.file != nullptr, "--wave" },
                  { o.execution.checkpoint || o.execution.resume, "--checkpoint or --resume" },
                  { o.execution.threads != 1, "--threads" },
                  { o.execution.unfolded, "--fold" },
                  { o.execution.step_by_step, "--fast-forward" },
                  { o.output.samples != 0, "--samples" },
                  { o.output.record != nullptr, "--record" },
                  { *o.machine.cluster.speeds != 0, "--speed" },
                  { o.machine.kind > ACE_LIST, kind_names[o.machine.kind] },
                  { o.machine.cluster.endpoint != ENDPOINT_ACE, "--endpoint" } };
    for (const auto &t : table) {
        if (!t.found) continue;
        std::fprintf(stderr, "acesim-systemc: found %s, expected options of a collective on ACE\n",
                     t.what);
        return true;
    }
    return false;
}

int run(const Setting &s, const Own &own, uint64_t quantum) {
    const auto start = std::chrono::steady_clock::now();
    Platform platform("platform", s);
    std::string failure;
    try {
        sc_core::sc_start();
        failure = platform.failure();
    } catch (const sc_core::sc_report &report) { // a difference in lockstep also ends here
        failure = platform.difference();
        if (failure.empty()) failure = report.get_msg();
    }
    if (!failure.empty()) {
        std::fprintf(stderr, "acesim-systemc: %s\n", failure.c_str());
        return EXIT_CHECK;
    }
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    char topology[TOPOLOGY_TEXT];
    print_topology(&s.options->machine.cluster, topology);
    std::printf("{\n\t\"kind\": \"%s\",\n\t\"topology\": \"%s\",\n\t\"rung\": \"%s\",\n"
                "\t\"transport\": \"%s\",\n\t\"quantum_cycles\": %" PRIu64 ",\n"
                "\t\"size_bytes\": %" PRIu64 ",\n\t\"cycles\": %" PRIu64 ",\n\t\"ends\": [",
                kind_names[s.options->machine.kind], topology, s.options->machine.cluster.rungs,
                own.transport, quantum, s.options->machine.size, platform.cycles(0));
    for (unsigned i = 0; i < s.times; i++)
        std::printf("%s%" PRIu64, i ? ", " : "", platform.cycles(i));
    std::printf("],\n\t\"bytes_sent\": %" PRIu64 ",\n\t\"cycles_compared\": %" PRIu64
                ",\n\t\"check\": \"passed\"\n}\n",
                platform.packets() * ACE_ROW_BYTES, platform.cycles_compared());
    const double node_cycles = double(platform.cycles(s.times - 1)) * double(s.rung.size());
    std::fprintf(stderr, "wall time %.3f s, %.0f node cycles a second\n", wall.count(),
                 node_cycles / wall.count());
    return EXIT_OK;
}

// Reads the rung of each node, and checks that the RTL on pins is built for the parameters.
int take_rungs(const setup &o, Setting &s) {
    s.rung.resize(cluster_nodes(&o.machine.cluster));
    if (!parse_node_list(o.machine.cluster.rungs, unsigned(s.rung.size()), set_rung, &s.rung)) {
        std::fprintf(stderr,
                     "acesim-systemc: found rung '%s', expected cycle, rtl, pins, lockstep, or a "
                     "list such as lockstep:0;cycle:rest that names each of nodes 0 to %zu once\n",
                     o.machine.cluster.rungs, s.rung.size() - 1);
        return EXIT_USAGE;
    }
    const bool signals = std::any_of(s.rung.begin(), s.rung.end(),
                                     [](Rung r) { return r == Rung::pins || r == Rung::lockstep; });
    if (s.trace && !signals) {
        std::fprintf(stderr, "acesim-systemc: --trace: found rung '%s', expected a node on pins\n",
                     o.machine.cluster.rungs);
        return EXIT_USAGE;
    }
    const ace_parameters built = ACE_PARAMETERS_DEFAULT;
    if (signals && std::memcmp(&built, &o.machine.cluster.parameters, sizeof built)) {
        std::fprintf(stderr,
                     "acesim-systemc: found other hardware parameters with rung '%s', expected the "
                     "defaults, with which its RTL is built\n",
                     o.machine.cluster.rungs);
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

// Reads the number of collectives, how many are outstanding, and the quantum: the cycles by which
// modules may run ahead of each other.
int take_pace(const setup &o, const Own &own, Setting &s, uint64_t &quantum) {
    uint64_t times, outstanding, most = UINT64_MAX;
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        if (o.machine.cluster.ring[d] > 1 && o.machine.cluster.link_latency[d] < most)
            most = o.machine.cluster.link_latency[d];
    if (most == UINT64_MAX) most = 1000; // without links any quantum is exact
    quantum = most;
    if (own.quantum && !parse_unsigned(own.quantum, 0, most, &quantum)) {
        std::fprintf(stderr,
                     "acesim-systemc: --quantum: found '%s', expected 0 to %" PRIu64
                     " cycles, the shortest link latency\n",
                     own.quantum, most);
        return EXIT_USAGE;
    }
    if (!parse_unsigned(own.times, 1, 1000000, &times)) {
        std::fprintf(stderr, "acesim-systemc: --times: found '%s', expected 1 to 1000000\n",
                     own.times);
        return EXIT_USAGE;
    }
    if (!parse_unsigned(own.outstanding, 1, 1000, &outstanding)) {
        std::fprintf(stderr, "acesim-systemc: --outstanding: found '%s', expected 1 to 1000\n",
                     own.outstanding);
        return EXIT_USAGE;
    }
    s.times = unsigned(times);
    s.outstanding = unsigned(outstanding);
    if (std::strcmp(own.transport, "blocking") && std::strcmp(own.transport, "non-blocking")) {
        std::fprintf(stderr,
                     "acesim-systemc: --transport: found '%s', expected blocking or non-blocking\n",
                     own.transport);
        return EXIT_USAGE;
    }
    s.transport = std::strcmp(own.transport, "blocking") ? ace::Transport::non_blocking
                                                         : ace::Transport::blocking;
    if (s.transport == ace::Transport::non_blocking) quantum = 0;
    return EXIT_OK;
}

int start(int argc, char **argv) {
    Own own;
    setup o;
    Setting s{};
    uint64_t quantum;
    for (int i = 1; i < argc; i++)
        if (!std::strcmp(argv[i], "--help") || !std::strcmp(argv[i], "-h")) {
            std::fputs(usage, stdout);
            return EXIT_OK;
        }
    if (!take_own(argc, argv, own)) return EXIT_USAGE;
    int rc;
    refusal why{};
    if (options_collective(argc, argv, &o, &rc))
        rc = setup_refuse(&o, machine_config(&o.machine, &s.config, nullptr, &why), &why);
    if (rc != EXIT_OK) return rc;
    if (refused(o)) return EXIT_USAGE;
    s.options = &o;
    s.trace = own.trace;
    if ((rc = take_rungs(o, s)) != EXIT_OK) return rc;
    if (o.machine.size > MOST_BYTES) {
        std::fprintf(stderr,
                     "acesim-systemc: --size: found %" PRIu64 " bytes, expected at most 1GiB\n",
                     o.machine.size);
        return EXIT_USAGE;
    }
    if ((rc = take_pace(o, own, s, quantum)) != EXIT_OK) return rc;
    s.period = sc_core::sc_time(1e6 / o.machine.cluster.clock_MHz, sc_core::SC_PS);
    tlm::tlm_global_quantum::instance().set(s.period * double(quantum));
    return run(s, own, quantum);
}

} // namespace

int sc_main(int argc, char **argv) {
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
    int status = EXIT_CHECK;
    standard_output_begin();
    try {
        status = start(argc, argv);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "acesim-systemc: %s\n", e.what());
    }
    return standard_output_leave(standard_output_end(status));
}
