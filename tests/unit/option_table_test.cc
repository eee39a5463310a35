// SPDX-License-Identifier: Apache-2.0
//
// The option table: each type stores what was written, refuses what is out of range, and the help
// has a row for each option whose lines end at column 100.
#include "option_table.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace {

struct Shared {
    uint64_t batch;
};
struct Question {
    bool all;
    const char *file;
    int word;
    uint64_t count;
    unsigned jobs;
    uint64_t size;
    double seconds;
    int own;
    Shared shared;
};

const char *const words[] = { "one", "two", nullptr };
bool take_own(void *q, unsigned row, const char *value) {
    static_cast<Question *>(q)->own = int(row) * 10 + (*value - '0');
    return *value != '9';
}

option_row row(const char *name, const char *argument, option_type type, size_t at,
               const char *accepted = nullptr) {
    option_row r{};
    r.name = name;
    r.argument = argument;
    r.type = type;
    r.at = at;
    r.text = "a text";
    r.accepted = accepted;
    return r;
}

class OptionTable : public testing::Test {
protected:
    void SetUp() override {
        own = { row("all", nullptr, OPTION_FLAG, offsetof(Question, all)),
                row("file", "FILE", OPTION_TEXT, offsetof(Question, file)),
                row("word", "NAME", OPTION_WORD, offsetof(Question, word), "one or two"),
                row("count", "N", OPTION_COUNT, offsetof(Question, count), "3 to 5"),
                row("jobs", "N", OPTION_UNSIGNED, offsetof(Question, jobs), "1 to 8"),
                row("size", "SIZE", OPTION_SIZE, offsetof(Question, size), "a size"),
                row("seconds", "S", OPTION_POSITIVE, offsetof(Question, seconds), "above 0"),
                row("own", "X", OPTION_OWN, 0, "anything but 9") };
        own[2].names = words;
        own[3].low = 3;
        own[3].high = 5;
        own[4].low = 1;
        own[4].high = 8;
        own[7].take = take_own;
        group = { row("batch", "N", OPTION_COUNT, offsetof(Shared, batch), "1 to 9") };
        group[0].high = 9;
        table.command = "test";
        table.about = "usage: acesim test FILE [OPTIONS]\n\n";
        table.least = 1;
        table.most = 2;
        table.expected = "one FILE or two";
        set_groups();
    }
    void set_groups() {
        table.group[0] = { own.data(), unsigned(own.size()), 0 };
        table.group[1] = { group.data(), unsigned(group.size()), offsetof(Question, shared) };
    }
    // Reads a command line; said is what it printed on standard error.
    char **read(std::vector<std::string> line) {
        words_ = std::move(line);
        argv.clear();
        for (auto &w : words_) argv.push_back(w.data());
        argv.push_back(nullptr);
        testing::internal::CaptureStderr();
        testing::internal::CaptureStdout();
        char **const rest = option_table_read(&table, int(words_.size()), argv.data(), &q, &status);
        said = testing::internal::GetCapturedStderr();
        shown = testing::internal::GetCapturedStdout();
        return rest;
    }
    std::vector<option_row> own, group;
    option_table table{};
    Question q{};
    int status = -1;
    std::string said, shown;
    std::vector<std::string> words_;
    std::vector<char *> argv;
};

TEST_F(OptionTable, StoresEachTypeAndReturnsTheArguments) {
    char **rest =
        read({ "test", "a.json", "--all", "--file=x y", "--word", "two", "--count", "5", "--jobs=8",
               "--size", "4KiB", "--seconds", "0.25", "--own", "3", "--batch", "7", "b.json" });
    ASSERT_NE(rest, nullptr) << said;
    EXPECT_EQ(status, 0);
    EXPECT_STREQ(rest[0], "a.json");
    EXPECT_STREQ(rest[1], "b.json");
    EXPECT_EQ(rest[2], nullptr);
    EXPECT_TRUE(q.all);
    EXPECT_STREQ(q.file, "x y");
    EXPECT_EQ(q.word, 1);
    EXPECT_EQ(q.count, 5u);
    EXPECT_EQ(q.jobs, 8u);
    EXPECT_EQ(q.size, 4096u);
    EXPECT_EQ(q.seconds, 0.25);
    EXPECT_EQ(q.own, 73); // row 7 of its group
    EXPECT_EQ(q.shared.batch, 7u);
}

TEST_F(OptionTable, LeavesWhatIsNotGiven) {
    q.count = 4;
    q.file = "before";
    ASSERT_NE(read({ "test", "x" }), nullptr);
    EXPECT_EQ(q.count, 4u);
    EXPECT_STREQ(q.file, "before");
    EXPECT_FALSE(q.all);
}

// Every command takes --quiet, even if it prints no progress. A command with a row for it gets it.
TEST_F(OptionTable, EveryCommandTakesQuiet) {
    ASSERT_NE(read({ "test", "x", "--quiet" }), nullptr) << said;
    EXPECT_FALSE(q.all);
    own[0].name = "quiet";
    set_groups();
    ASSERT_NE(read({ "test", "x", "--quiet" }), nullptr) << said;
    EXPECT_TRUE(q.all);
}

TEST_F(OptionTable, RefusesWithTheOptionAndWhatIsAccepted) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
        { { "test", "x", "--count", "6" }, "acesim test: --count: found '6', expected 3 to 5\n" },
        { { "test", "x", "--count", "2" }, "acesim test: --count: found '2', expected 3 to 5\n" },
        { { "test", "x", "--jobs", "-1" }, "acesim test: --jobs: found '-1', expected 1 to 8\n" },
        { { "test", "x", "--word", "three" },
          "acesim test: --word: found 'three', expected one or two\n" },
        { { "test", "x", "--size", "0.5" }, "acesim test: --size: found '0.5', expected a size\n" },
        { { "test", "x", "--seconds", "0" },
          "acesim test: --seconds: found '0', expected above 0\n" },
        { { "test", "x", "--own", "9" },
          "acesim test: --own: found '9', expected anything but 9\n" },
        { { "test", "x", "--batch", "10" }, "acesim test: --batch: found '10', expected 1 to 9\n" },
        { { "test" }, "acesim test: found 0 arguments, expected one FILE or two\n" },
        { { "test", "a", "b", "c" }, "acesim test: found 3 arguments, expected one FILE or two\n" },
    };
    for (const auto &c : cases) {
        EXPECT_EQ(read(c.first), nullptr);
        EXPECT_EQ(status, 2);
        EXPECT_EQ(said, c.second);
    }
    EXPECT_EQ(read({ "test", "x", "--cuont", "4" }), nullptr);
    EXPECT_NE(said.find("did you mean '--count'?"), std::string::npos) << said;
}

// All rows without `all` where none is common; otherwise the plain and the common ones.
TEST_F(OptionTable, HelpShowsTheCommonOptionsAndAllUnderHeadings) {
    EXPECT_EQ(read({ "test", "--help" }), nullptr);
    EXPECT_EQ(status, 0);
    for (const char *name : { "--all", "--file FILE", "--own X", "--batch N", "--help" })
        EXPECT_NE(shown.find(name), std::string::npos) << name << " in\n" << shown;

    own[1].heading = OPTION_CLUSTER;
    own[2].heading = OPTION_CLUSTER;
    own[2].common = true;
    set_groups();
    read({ "test", "--help" });
    EXPECT_EQ(shown.find("--file"), std::string::npos) << shown;
    EXPECT_NE(shown.find("--word NAME"), std::string::npos) << shown;
    EXPECT_NE(shown.find("--help all shows every option"), std::string::npos) << shown;
    EXPECT_EQ(shown.find("cluster:"), std::string::npos) << shown;
    read({ "test", "--help", "all" });
    EXPECT_NE(shown.find("\ncluster:\n  --file FILE"), std::string::npos) << shown;
}

TEST_F(OptionTable, HelpEndsAtColumn100) {
    std::string many;
    for (int i = 0; i < 60; i++) many += "word" + std::to_string(i) + " ";
    many += "end";
    own[0].text = many.c_str();
    set_groups();
    read({ "test", "--help" });
    std::istringstream lines(shown);
    unsigned found = 0;
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 100u) << line;
        std::istringstream parts(line);
        for (std::string part; parts >> part;) found += part.compare(0, 4, "word") == 0;
    }
    EXPECT_EQ(found, 60u);
}

// The text of a long name begins in the same column as the others, in the next line.
TEST_F(OptionTable, ALongNameHasALineOfItsOwn) {
    own[1].name = "remote-memory-configuration";
    set_groups();
    read({ "test", "--help" });
    const std::string text(30, ' ');
    EXPECT_NE(shown.find("\n  --remote-memory-configuration FILE\n" + text + "a text\n"),
              std::string::npos)
        << shown;
    own[1].name = "system-configuration"; // 27 letters with its argument: the last that fit
    set_groups();
    read({ "test", "--help" });
    EXPECT_NE(shown.find("\n  --system-configuration FILE a text\n"), std::string::npos) << shown;
}

TEST_F(OptionTable, WithoutArgumentsTheFirstOneIsTold) {
    table.least = table.most = 0;
    table.expected = "only options";
    EXPECT_NE(read({ "test", "--all" }), nullptr) << said;
    EXPECT_EQ(read({ "test", "a", "b" }), nullptr);
    EXPECT_EQ(said, "acesim test: found 'a', expected only options\n");
}

} // namespace
