// A stream that gives few bytes at a time, as pipes and packed files may; and one that breaks off.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include "base/bytes.h"

namespace semveil::test {

class SmallPieces : public InputStream {
 public:
  enum class End : bool { kNormal, kError };
  SmallPieces(std::string text, std::size_t piece, End end = End::kNormal)
      : text_(std::move(text)), piece_(piece), end_(end) {}
  Result<std::size_t> read(char* buffer, std::size_t size) override {
    const std::size_t got = std::min({size, piece_, text_.size() - given_});
    if (got == 0 && end_ == End::kError) return fail(system_error("broken stream"));
    std::memcpy(buffer, text_.data() + given_, got);
    given_ += got;
    return got;
  }
  std::uint64_t position() const override { return given_; }

 private:
  std::string text_;
  std::size_t piece_, given_ = 0;
  End end_;
};

}  // namespace semveil::test
