// SPDX-License-Identifier: Apache-2.0
//
// recording_test.cc -- a recording gives back the pins that crossed, and a replay that finds
// others says cycle and pin

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

extern "C" {
#include "ace_node.h"
#include "ace_plan.h"
#include "command.h"
#include "exit_status.h"
#include "pin_recording.h"
}

namespace {

/* Between the recorder and a core: keeps what crosses, and may tell a lie. */
struct Wiretap {
    ace_core base;
    ace_core *core;
    ace_core_class class_;
    ace_pins_out told;
    uint64_t now = 0, lie_at = UINT64_MAX;
    std::vector<uint64_t> cycles;
    std::vector<ace_pins_in> in;
    std::vector<ace_pins_out> out;

    static Wiretap *self(ace_core *c) { return reinterpret_cast<Wiretap *>(c); }
    static const Wiretap *self(const ace_core *c) { return reinterpret_cast<const Wiretap *>(c); }

    explicit Wiretap(ace_core *child) : core(child), class_() {
        class_.rung = "tapped"; /* so the recorder runs a twin of its own beside */
        class_.destroy = [](ace_core *c) { self(c)->core->class_->destroy(self(c)->core); };
        class_.reset = [](ace_core *c) { self(c)->core->class_->reset(self(c)->core); };
        class_.out = [](ace_core *c) -> const ace_pins_out * {
            Wiretap *w = self(c);
            w->told = *w->core->class_->out(w->core);
            if (w->now == w->lie_at) w->told.cmd_ready ^= 1; /* nobody waits for it */
            return &w->told;
        };
        class_.tick = [](ace_core *c, const ace_pins_in *pins) {
            Wiretap *w = self(c);
            w->cycles.push_back(w->now);
            w->in.push_back(*pins);
            w->out.push_back(*class_out(c));
            w->core->class_->tick(w->core, pins);
            w->now++;
        };
        class_.skip = [](ace_core *c, uint64_t count) {
            self(c)->core->class_->skip(self(c)->core, count);
        };
        class_.counts = [](const ace_core *c, ace_counts to) {
            self(c)->core->class_->counts(self(c)->core, to);
        };
        class_.dump = [](const ace_core *, FILE *) {};
        class_.time = [](ace_core *c, uint64_t cycle) { self(c)->now = cycle; };
        class_.state = [](ace_core *c, ace_state *s) {
            self(c)->core->class_->state(self(c)->core, s);
        };
        base.class_ = &class_;
    }
    static const ace_pins_out *class_out(ace_core *c) { return self(c)->class_.out(c); }
};

/* A node that is its own neighbour on x: an all-reduce, a pause, an all-to-all. */
struct Recorded {
    std::string folder = ::testing::TempDir() + "recording_test";
    std::unique_ptr<Wiretap> tap;

    explicit Recorded(uint64_t lie_at, const char *name) {
        folder += name;
        ace_node_setup setup = {};
        setup.parameters = ACE_PARAMETERS_DEFAULT;
        setup.config.ring[0] = 4;
        setup.config.ring[1] = setup.config.ring[2] = setup.config.ring[3] = 1;
        setup.config.chunk_rows = 64;
        setup.config.link_cost[0] = 655; /* 100 and 90 bytes a cycle */
        setup.config.read_cost = setup.config.write_cost = 728;
        setup.config.memory_latency = 50;
        EXPECT_EQ(ACE_OK, ace_plan_partitions(&setup.parameters, &setup.config));
        ace_wire *up = ace_wire_create(90, 91, false), *down = ace_wire_create(90, 91, false);
        setup.out[0] = setup.in[1] = up;
        setup.out[1] = setup.in[0] = down;
        ace_core *core;
        pin_recorder recorder = {};
        recorder.folder = folder.c_str();
        recorder.clock_MHz = 1245;
        const fabric_observer observer = pin_recorder_observer(&recorder);
        EXPECT_EQ(ACE_OK, ace_cycle_core_create(&setup.parameters, &setup.config, false, &core));
        tap = std::make_unique<Wiretap>(core);
        tap->lie_at = lie_at;
        EXPECT_EQ(EXIT_OK, observer.wrap(observer.self, &setup.parameters, &setup.config, false,
                                         &tap->base, &core));
        ace_node *node;
        EXPECT_EQ(ACE_OK, ace_driver_create(core, &setup, &node));
        ace_command c = {};
        c.dim_count = 1;
        c.bytes = 1 << 21;
        unsigned done = 0;
        for (uint64_t now = 0; done < 2 && now < 4000000; now += 90) {
            ace_completion completion;
            if (now == 0) EXPECT_EQ(ACE_OK, ace_node_submit(node, &c, 0));
            ace_node_run(node, now + 90);
            if (!ace_node_completion(node, &completion)) continue;
            c.kind = ACE_ALL_TO_ALL;
            c.destination = 1 << 21;
            if (!done++) EXPECT_EQ(ACE_OK, ace_node_submit(node, &c, now + 50000));
        }
        EXPECT_EQ(2u, done);
        EXPECT_EQ(ACE_OK, ace_node_error(node));
        EXPECT_EQ(EXIT_OK, observer.end(observer.self, 0, false));
        ace_node_destroy(node);
        ace_wire_destroy(up);
        ace_wire_destroy(down);
    }
    ~Recorded() {
        for (const char *file : { "/pins", "/window.fst", "/window.gtkw" })
            std::remove((folder + file).c_str());
        std::remove(folder.c_str());
    }
};

TEST(Recording, GivesBackWhatCrossed) {
    const Recorded run(UINT64_MAX, "_whole");
    pin_recording r;
    ASSERT_EQ(EXIT_OK, pin_recording_open(run.folder.c_str(), &r));
    EXPECT_TRUE(r.this_build);
    EXPECT_GT(r.segments, 1u);
    ASSERT_EQ(EXIT_OK, pin_recording_seek(&r, 0, nullptr));
    size_t i = 0, pauses = 0, routed = 0;
    int rc;
    for (; pin_recording_next(&r, &rc); i++) {
        ASSERT_LT(i, run.tap->cycles.size());
        const ace_pins_in &in = run.tap->in[i];
        ASSERT_EQ(run.tap->cycles[i], r.cycle);
        ASSERT_EQ(i ? r.cycle - run.tap->cycles[i - 1] - 1 : r.cycle, r.between);
        pauses += r.between > 1000;
        ASSERT_EQ(in.cmd_valid, r.in.cmd_valid);
        if (in.cmd_valid) {
            ASSERT_EQ(in.cmd.bytes, r.in.cmd.bytes);
            ASSERT_EQ(in.cmd.dim_count, r.in.cmd.dim_count);
        }
        ASSERT_EQ(in.rx.valid, r.in.rx.valid);
        ASSERT_EQ(in.rx.credit, r.in.rx.credit);
        ASSERT_EQ(in.rx.routed, r.in.rx.routed);
        ASSERT_EQ(in.rx.routed_credit, r.in.rx.routed_credit);
        for (unsigned l = 0; l < ACE_LINKS; l++)
            if (in.rx.routed >> l & 1) {
                ASSERT_EQ(in.rx_route[l], r.in.rx_route[l]);
                routed++;
            }
        ASSERT_EQ(in.rx.grant_valid, r.in.rx.grant_valid);
        ASSERT_EQ(in.rx.reduce & in.rx.valid, r.in.rx.reduce & r.in.rx.valid);
        for (unsigned l = 0; l < ACE_LINKS; l++) {
            const auto &was = in.rx.link[l], &is = r.in.rx.link[l];
            if (in.rx.valid >> l & 1) {
                ASSERT_EQ(was.context, is.context);
                ASSERT_EQ(was.mark, is.mark);
            }
            if (in.rx.grant_valid >> l & 1) {
                ASSERT_EQ(was.grant_context, is.grant_context);
                ASSERT_EQ(was.grant_mark, is.grant_mark);
            }
        }
        ASSERT_EQ(in.ar_ready, r.in.ar_ready);
        ASSERT_EQ(in.r_valid, r.in.r_valid);
        if (in.r_valid) ASSERT_EQ(in.r_last, r.in.r_last);
        ASSERT_EQ(in.aw_ready, r.in.aw_ready);
        ASSERT_EQ(in.w_ready, r.in.w_ready);
        ASSERT_EQ(in.b_valid, r.in.b_valid);
        pin_difference d;
        ASSERT_TRUE(pin_image_same(&r.image, &run.tap->out[i], &d)) << d.pin;
    }
    EXPECT_EQ(EXIT_OK, rc);
    EXPECT_EQ(run.tap->cycles.size(), i);
    EXPECT_GT(i, 20000u);
    EXPECT_EQ(1u, pauses);
    EXPECT_GT(routed, 1000u);
    pin_recording_close(&r);
}

TEST(Recording, SaysWherePinsDiffer) {
    const Recorded run(9876, "_lie");
    const std::string to = run.folder + "/window.fst";
    std::vector<std::string> words = { "wave", run.folder, "--from",   "9000",
                                       "--to", "11000",    "--output", to };
    std::vector<char *> argv;
    for (auto &w : words) argv.push_back(w.data());
    argv.push_back(nullptr);
    ::testing::internal::CaptureStdout();
    const int rc = command_wave(int(words.size()), argv.data());
    const std::string said = ::testing::internal::GetCapturedStdout();
    EXPECT_EQ(EXIT_CHECK, rc) << said;
    EXPECT_THAT(said, ::testing::StartsWith("cycle 9876, pin cmd_ready[0]: cycle "));
    EXPECT_THAT(said, ::testing::HasSubstr("pins: DIFFERENT"));
}

} // namespace
