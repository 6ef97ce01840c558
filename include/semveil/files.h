// Files that appear whole or not at all.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "semveil/result.h"

namespace semveil {

// A file written beside its target and not yet there: commit() renames it, without that nothing
// appears and an existing file stays as it was. A target that is a device or pipe is written
// directly; a symlink is followed first.
class PendingFile {
 public:
  static Result<PendingFile> write(const std::string& path,
                                   std::span<const std::string_view> pieces, unsigned mode = 0644);
  ~PendingFile();
  PendingFile(PendingFile&& other) noexcept;
  PendingFile& operator=(PendingFile&&) = delete;

  std::uint64_t size() const { return size_; }
  Status commit();

 private:
  PendingFile() = default;

  std::string path_;       // as the user wrote it
  std::string target_;     // where it leads
  std::string temporary_;  // empty: nothing to rename
  std::uint64_t size_ = 0;
};

// Writes and commits.
Status write_file(const std::string& path, std::string_view content, unsigned mode = 0644);
Status write_file(const std::string& path, std::span<const std::string_view> pieces,
                  unsigned mode = 0644);

}  // namespace semveil
