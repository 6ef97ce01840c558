// A file of lines that only grows. Each line has a checksum, and several processes may add to it.
//
//   a first line that says what it is
//   16 hexadecimal digits, a blank, the line: XXH3-64 of the line in the digits
//   …
//
// A last line without its end, or whose end was never written, is what a kill or a power cut left:
// nobody relied on it yet, and it is no line. A damaged line before that is an error.
//
// Choice: bytes are appended under a lock on the file itself. A new file renamed over it would have
//         to be locked by another name, and a name would be one more file.
// Memory: the whole file, kMostSealedBytes at most.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "semveil/files.h"
#include "semveil/result.h"

namespace semveil {

struct SealedForm {
  std::string_view name;        // "a record of releases"
  std::string_view first_line;  // ends with the number of the version
};

// The lines without their checksums; line i is line i + 2 of the file. Nothing: no such file.
Result<std::optional<std::vector<std::string>>> read_sealed_lines(const std::string& path,
                                                                  const SealedForm& form);

class LockedLines {
 public:
  // Makes the file where there is none; its owner alone can read it. Waits for whoever has it.
  static Result<LockedLines> open(const std::string& path, const SealedForm& form);
  // Without keep(), the file has the lines again that it had.
  ~LockedLines();
  LockedLines(LockedLines&& other) noexcept;
  LockedLines(const LockedLines&) = delete;
  LockedLines& operator=(const LockedLines&) = delete;
  LockedLines& operator=(LockedLines&&) = delete;

  const std::vector<std::string>& lines() const { return lines_; }
  // One line, on the disk when this returns, unless it need not be.
  Status append(std::string_view line, Sync sync);
  void keep() { is_kept_ = true; }

 private:
  LockedLines(std::string path, const SealedForm& form, Descriptor file)
      : path_(std::move(path)), form_(form), file_(std::move(file)) {}
  Status read();
  void take_back();

  std::string path_;
  SealedForm form_;
  Descriptor file_;
  std::vector<std::string> lines_;
  std::uint64_t size_ = 0;   // of the file as it was found
  std::uint64_t found_ = 0;  // of that, what belongs to whole lines
  std::uint64_t whole_ = 0;  // the same with what was appended
  bool lacks_end_ = false;   // the last line is whole, but for its line end
  bool is_kept_ = false, is_changed_ = false;
};

}  // namespace semveil
