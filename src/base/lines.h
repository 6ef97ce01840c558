// Lines of a text file of any size, one at a time: without their ends (LF or CRLF), a byte order
// mark skipped. Invalid UTF-8, NUL bytes and lines of more than kLongest bytes are errors that name
// file and line. Memory: one line, or one piece of the file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"

namespace semveil {

class LineReader {
 public:
  static constexpr std::size_t kLongest = std::size_t{1} << 20;

  // `name` stands in error messages.
  LineReader(std::unique_ptr<InputStream> stream, std::string name);

  // Nothing at the end. The view lives until the next call.
  Result<std::optional<std::string_view>> next();
  std::uint64_t line() const { return line_; }  // of what next() gave last, from 1
  const std::string& name() const { return name_; }
  // An error at this line.
  Error error(std::string message, std::string_view value = {}) const;

 private:
  Status refill();
  Error too_long() const;
  Result<std::optional<std::string_view>> checked(std::string_view line);

  std::unique_ptr<InputStream> stream_;
  std::string name_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // of what is not yet given
  bool at_end_ = false;              // of the file
  std::uint64_t line_ = 0;
};

}  // namespace semveil
