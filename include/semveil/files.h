// Files that appear whole or not at all.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/result.h"

namespace [[gnu::visibility("default")]] semveil {

// Whether a file's bytes are on the disk before it gets its name. Without that, a power cut may
// leave the name with an empty file.
enum class Sync : std::uint8_t { kYes, kNo };

// A file written on its target's disk, but without a name: commit() gives it one, without that
// nothing appears and an existing file stays as it was, however the program ends. (On file systems
// without nameless files it has an unpredictable name until then, and only its owner can read it.)
// A target that is a device or pipe, or "-", which is standard output, is written directly; a
// symlink is followed first.
//
// A target that nothing can be renamed over, as containers mount single files, is written in place
// by commit(); what was there is put back if that fails. Whoever kills the program meanwhile gets
// a part.
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
  // Whether the target is a mounted file, which is written in place.
  bool in_place() const { return in_place_; }
  // Once, after everything was appended.
  Status commit(Sync sync = Sync::kYes);

 private:
  friend Status commit_together(std::vector<PendingFile> files, Sync sync);

  PendingFile() = default;
  Status settle(Sync sync);     // complete, under the temporary name
  Status place(Sync sync);      // gets its name; what had it is kept
  void take_back();             // undoes place()
  void forget_replaced();       // nobody wants it back
  Status overwrite(Sync sync);  // place() in place

  std::string path_;       // as the user wrote it
  std::string target_;     // where it leads; empty if it is written directly
  std::string temporary_;  // name of a file to rename, if it has one
  std::string replaced_;   // name of what had the target's name, while it may be put back
  int file_ = -1;
  int replaced_file_ = -1;  // the same where the target is written in place; has no name
  bool in_place_ = false;
  bool placed_ = false;
  // What it gets beside its name; 0: it has it already. Of a target in place: what that has.
  std::uint16_t mode_ = 0;
  std::uint64_t size_ = 0;
};

// Gives the files their names, in this order: all of them or none. Where one cannot have its name,
// those before it lose theirs again, and what was there is put back. So secrets come first, and the
// table that everybody waits for comes last. Asks once whether the work was stopped, and then
// never.
Status commit_together(std::vector<PendingFile> files, Sync sync = Sync::kYes);

// SHA-256 of a file's bytes as they are, as hexadecimal digits: what sha256sum prints.
Result<std::string> sha256_of(const std::string& path);

// Writes and commits.
Status write_file(const std::string& path, std::string_view content, unsigned mode = 0644,
                  Sync sync = Sync::kYes);
Status write_file(const std::string& path, std::span<const std::string_view> pieces,
                  unsigned mode = 0644, Sync sync = Sync::kYes);

}  // namespace semveil
