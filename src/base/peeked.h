// A stream that was looked into, to tell what it holds, and still gives all of it.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/bytes.h"

namespace semveil {

class PeekedStream : public InputStream {
 public:
  explicit PeekedStream(std::unique_ptr<InputStream> stream) : stream_(std::move(stream)) {}

  // The next `size` bytes, or fewer where the stream ends before; read() gives them again.
  Result<std::string_view> peek(std::size_t size) {
    while (ahead_.size() < size) {
      const std::size_t had = ahead_.size();
      ahead_.resize(size);
      const auto got = stream_->read(ahead_.data() + had, size - had);
      ahead_.resize(had + (got ? *got : 0));
      if (!got) return fail(got.error());
      if (*got == 0) break;
    }
    return std::string_view(ahead_).substr(0, size);
  }

  Result<std::size_t> read(char* buffer, std::size_t size) override {
    if (ahead_.empty()) return stream_->read(buffer, size);
    const std::size_t kept = std::min(size, ahead_.size());
    std::memcpy(buffer, ahead_.data(), kept);
    ahead_.erase(0, kept);
    return kept;
  }
  std::uint64_t position() const override { return stream_->position(); }

 private:
  std::unique_ptr<InputStream> stream_;
  std::string ahead_;
};

// Past what may stand before a text: byte order marks of UTF-8 and UTF-16, the zero bytes of
// UTF-16, blanks.
inline std::string_view begin_of_text(std::string_view text) {
  constexpr std::string_view kPassedOver("\xEF\xBB\xBF\xFE\xFF\0 \t\r\n", 10);
  return text.substr(std::min(text.find_first_not_of(kPassedOver), text.size()));
}
inline bool begins_like_xml(std::string_view text) { return begin_of_text(text).starts_with('<'); }

}  // namespace semveil
