// SPDX-License-Identifier: Apache-2.0
// sweep_store_test.cc -- two processes with one database: neither is locked out by what it looked
// at
#include <gtest/gtest.h>

#include <cstdio>
#include <sqlite3.h>
#include <string>
#include <unistd.h>

extern "C" {
#include "exit_status.h"
#include "sweep_file.h"
}

namespace {

// A sweep of two points without options, as it is opened twice.
struct Store {
    char *words[2] = { const_cast<char *>("collective"), nullptr };
    sweep_point points[2] = { { words, 1, "0000000000000001" }, { words, 1, "0000000000000002" } };
    sweep s{};
    sweep_store *t = nullptr;

    explicit Store(const std::string &file) {
        s.points = points;
        s.count = 2;
        EXPECT_EQ(sweep_store_open(file.c_str(), &s, &t), EXIT_OK);
    }
    ~Store() { sweep_store_close(t); }
};

// As any other process might.
void Write(const std::string &file) {
    sqlite3 *db;
    ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
    EXPECT_EQ(
        sqlite3_exec(db, "INSERT INTO runs(key) VALUES('another')", nullptr, nullptr, nullptr),
        SQLITE_OK);
    sqlite3_close(db);
}

TEST(SweepStore, WritesAfterALookThoughAnotherWrote) {
    const std::string file = testing::TempDir() + "sweep_store_" + std::to_string(getpid());
    for (const char *end : { "", "-wal", "-shm" }) std::remove((file + end).c_str());
    const sweep_outcome done = { EXIT_OK, "", "{\"cycles\": 7}", 0.5 };
    for (int what = 0; what < 3; what++) {
        Store one(file), other(file);
        sweep_row row;
        ASSERT_TRUE(sweep_look(one.t, 0, &row)); // its row is still there to be read
        Write(file);
        if (!what) {
            ASSERT_EQ(sweep_claim(other.t, 0), CLAIMED);
            ASSERT_TRUE(sweep_record(other.t, 0, &done));
            EXPECT_EQ(sweep_claim(one.t, 1), CLAIMED);
        } else if (what == 1) {
            EXPECT_TRUE(sweep_beat(one.t));
        } else {
            EXPECT_TRUE(sweep_forget_failures(one.t));
        }
        ASSERT_TRUE(sweep_look(one.t, 0, &row));
        EXPECT_STREQ(row.state, "done");
        EXPECT_STREQ(row.figures[0], "7");
    }
    for (const char *end : { "", "-wal", "-shm" }) std::remove((file + end).c_str());
}

} // namespace
