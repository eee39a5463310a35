// SPDX-License-Identifier: Apache-2.0
//
// Gives each test process a folder of its own.  testing::TempDir() reads TEST_TMPDIR, so tests that
// write files of the same name can run side by side.  The folder is removed when the process ends.

#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

class PrivateFolder {
public:
    PrivateFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "acesim_test_XXXXXX").string();

        if (mkdtemp(name.data()) && !setenv("TEST_TMPDIR", name.c_str(), 1)) folder_ = name;
    }
    ~PrivateFolder() {
        std::error_code ignored;

        if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
    }

private:
    std::string folder_;
};

const PrivateFolder folder;

} // namespace
