// Zip archives: what they hold, and their files as streams (libzip).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"

namespace semveil {

bool is_zip(const std::string& path);  // by its first bytes

class ZipArchive {
 public:
  static Result<ZipArchive> open(const std::string& path);
  // Names of the files, as the archive has them, in its order; folders are left out, and so are
  // files that are hidden or that macOS adds.
  const std::vector<std::string>& names() const { return names_; }
  // The archive must not be used by two threads at a time.
  Result<std::unique_ptr<InputStream>> read(const std::string& name) const;

 private:
  std::string path_;
  std::shared_ptr<void> archive_;  // zip_t; streams share it
  std::vector<std::string> names_;
};

}  // namespace semveil
