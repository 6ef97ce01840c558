// A text file in pieces that are valid UTF-8 without NUL; a byte order mark is skipped. Errors name
// file and line. For parsers that would pass over such bytes, or read them as another encoding.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"

namespace semveil {

class Utf8Stream final : public InputStream {
 public:
  static constexpr std::size_t kPiece = std::size_t{1} << 18;

  // Both must outlive the stream.
  Utf8Stream(InputStream& stream, const std::string& name) : stream_(stream), name_(name) {}

  // Empty at the end. The view lives until the next call.
  Result<std::string_view> next();
  // What next() gives, cut as is asked for.
  Result<std::size_t> read(char* buffer, std::size_t size) override;
  std::uint64_t position() const override { return stream_.position(); }

 private:
  InputStream& stream_;
  const std::string& name_;
  std::vector<char> buffer_;
  std::size_t given_ = 0, end_ = 0;  // of what was read: given by next(), all
  std::uint64_t lines_ = 0;          // before the piece
  bool is_first_ = true;
  std::string_view rest_;  // of the piece, for read()
};

}  // namespace semveil
