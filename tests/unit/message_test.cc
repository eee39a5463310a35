// SPDX-License-Identifier: Apache-2.0
//
// The word that a person may have meant: distances against a search over all edits, and what is
// near enough to be told.
#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>

#include "message.h"

namespace {

// Every word that one edit makes of `word`: a letter left out, put in, changed, or two swapped.
std::set<std::string> edited(const std::string &word, const std::string &letters) {
    std::set<std::string> all;

    for (size_t i = 0; i <= word.size(); i++) {
        for (char c : letters) all.insert(word.substr(0, i) + c + word.substr(i));
        if (i == word.size()) continue;
        all.insert(word.substr(0, i) + word.substr(i + 1));
        for (char c : letters) all.insert(word.substr(0, i) + c + word.substr(i + 1));
        if (i + 1 < word.size())
            all.insert(word.substr(0, i) + word[i + 1] + word[i] + word.substr(i + 2));
    }
    return all;
}

std::string hint(const char *word) {
    static const char *const names[] = { "all-reduce", "all-gather", "all-to-all", "barrier",
                                         "fp32",       "x",          nullptr };
    char text[MESSAGE_HINT];

    return message_hint(text, word, names);
}

TEST(message, one_edit_is_a_distance_of_one) {
    for (const char *word : { "ab", "aba", "abab" })
        for (const std::string &other : edited(word, "abc"))
            EXPECT_EQ(message_distance(word, other.c_str(), 5), other == word ? 0u : 1u)
                << word << " " << other;
}

// The second of two edits may depend on the first, which this distance does not consider. It is
// then at most one above the distance of a search, and never below.
TEST(message, two_edits_are_a_distance_of_two) {
    const std::string word = "abca";
    const auto one = edited(word, "abc");
    unsigned above = 0, looked = 0;

    for (const std::string &near : one)
        for (const std::string &other : edited(near, "abc")) {
            const unsigned want = other == word ? 0 : one.count(other) ? 1 : 2;
            const unsigned d = message_distance(word.c_str(), other.c_str(), 5);

            EXPECT_GE(d, want) << other;
            EXPECT_LE(d, want + 1) << other;
            above += d > want;
            looked++;
        }
    EXPECT_GT(looked, 500u);
    EXPECT_LT(above, looked / 20);
}

TEST(message, is_the_same_both_ways_and_knows_no_case) {
    EXPECT_EQ(message_distance("kitten", "sitting", 9), 3u);
    EXPECT_EQ(message_distance("sitting", "kitten", 9), 3u);
    EXPECT_EQ(message_distance("FP32", "fp32", 3), 0u);
    EXPECT_EQ(message_distance("", "abc", 3), 3u);
    EXPECT_GT(message_distance("abc", "abcdefgh", 3), 3u);
}

TEST(message, a_near_name_is_told) {
    EXPECT_EQ(hint("all-reduse"), "; did you mean 'all-reduce'?");
    EXPECT_EQ(hint("allreduce"), "; did you mean 'all-reduce'?");
    EXPECT_EQ(hint("FP32"), "; did you mean 'fp32'?");
    EXPECT_EQ(hint("bariers"), "; did you mean 'barrier'?");
}

TEST(message, a_far_one_is_not) {
    EXPECT_EQ(hint("reduce"), "");
    EXPECT_EQ(hint("fp8"), "");
    EXPECT_EQ(hint("y"), "");
    EXPECT_EQ(hint(""), "");
    EXPECT_EQ(hint(std::string(5000, 'a').c_str()), "");
}

TEST(message, words_of_a_text) {
    char text[MESSAGE_HINT];
    const char *accepted = "ace, ideal, or in software: comm-opt, comp-opt, no-overlap [ace]";

    EXPECT_STREQ(message_hint_of_text(text, "com-opt", accepted), "; did you mean 'comm-opt'?");
    EXPECT_STREQ(message_hint_of_text(text, "idael", accepted), "; did you mean 'ideal'?");
    EXPECT_STREQ(message_hint_of_text(text, "magic", accepted), "");
    EXPECT_STREQ(message_hint_of_text(text, "ideal:2", accepted), ""); // the value is right
    accepted = "link:RATE[:SEED] changes bits of links; or a file such as ring.ace";
    EXPECT_STREQ(message_hint_of_text(text, "lnk:2", accepted), "; did you mean 'link'?");
    EXPECT_STREQ(message_hint_of_text(text, "linka:2", accepted), "; did you mean 'link'?");
    EXPECT_STREQ(message_hint_of_text(text, "rung.ace", accepted), "; did you mean 'ring.ace'?");
    EXPECT_STREQ(message_hint_of_text(text, "hup", "one of hub ring"), "; did you mean 'hub'?");
}

} // namespace
