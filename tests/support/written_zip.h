// Writes a zip archive for a test.
#pragma once

#include <gtest/gtest.h>
#include <zip.h>

#include <string>
#include <utility>
#include <vector>

namespace semveil::test {

// A name that ends with a slash is a folder.
inline void write_zip(const std::string& path,
                      const std::vector<std::pair<std::string, std::string>>& files) {
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
  ASSERT_NE(archive, nullptr);
  for (const auto& [name, bytes] : files) {
    if (name.ends_with('/')) {
      ASSERT_GE(zip_dir_add(archive, name.c_str(), 0), 0);
      continue;
    }
    zip_source_t* source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
    ASSERT_GE(zip_file_add(archive, name.c_str(), source, 0), 0);
  }
  ASSERT_EQ(zip_close(archive), 0);
}

}  // namespace semveil::test
