// Files that appear whole or not at all.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "semveil/result.h"

namespace [[gnu::visibility("default")]] semveil {

// A file written on its target's disk, but without a name: commit() gives it one, without that
// nothing appears and an existing file stays as it was, however the program ends. (On file systems
// without nameless files it has an unpredictable name until then.) A target that is a device or
// pipe, or "-", which is standard output, is written directly; a symlink is followed first.
class PendingFile {
 public:
  static Result<PendingFile> create(const std::string& path, unsigned mode = 0644);
  // Creates it and appends the pieces.
  static Result<PendingFile> write(const std::string& path,
                                   std::span<const std::string_view> pieces, unsigned mode = 0644);
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  PendingFile(PendingFile&& other) noexcept;
  PendingFile& operator=(PendingFile&&) = delete;

  Status append(std::span<const std::string_view> pieces);
  Status append(std::string_view piece) { return append(std::span(&piece, 1)); }
  std::uint64_t size() const { return size_; }
  // Before commit(): a path under which this process can read what was appended. Nothing where it
  // was written directly.
  std::optional<std::string> readable_path() const;
  // Once, after everything was appended.
  Status commit();

 private:
  PendingFile() = default;

  std::string path_;       // as the user wrote it
  std::string target_;     // where it leads; empty if it is written directly
  std::string temporary_;  // name of a file to rename, if it has one
  int file_ = -1;
  std::uint64_t size_ = 0;
};

// SHA-256 of a file's bytes as they are, as hexadecimal digits: what sha256sum prints.
Result<std::string> sha256_of(const std::string& path);

// Writes and commits.
Status write_file(const std::string& path, std::string_view content, unsigned mode = 0644);
Status write_file(const std::string& path, std::span<const std::string_view> pieces,
                  unsigned mode = 0644);

}  // namespace semveil
