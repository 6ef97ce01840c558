#include "base/lines.h"

#include <cstring>

#include "base/text.h"

namespace semveil {
namespace {

// What stands around a line and does not count: a byte order mark, CR and LF.
constexpr std::size_t kAround = kByteOrderMark.size() + 2;

}  // namespace

LineReader::LineReader(std::unique_ptr<InputStream> stream, std::string name)
    : stream_(std::move(stream)), name_(std::move(name)), buffer_(kLongest + kAround) {}

Error LineReader::error(std::string message, std::string_view value) const {
  return data_error(std::move(message)).at(name_, line_).quoting(std::string(value));
}

Error LineReader::too_long() const {
  return error("a line of more than a million bytes: is this the right file?");
}

// Moves what is left to the front and reads on behind it.
Status LineReader::refill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  const auto got = stream_->read(buffer_.data() + end_, buffer_.size() - end_);
  if (!got) return fail(got.error());
  at_end_ = *got == 0;
  end_ += *got;
  return {};
}

Result<std::optional<std::string_view>> LineReader::checked(std::string_view line) {
  if (line_ == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() > kLongest) return fail(too_long());
  if (line.find('\0') != line.npos) {
    return fail(error("a NUL byte: this is no text file, or one in UTF-16; save it as UTF-8"));
  }
  if (find_invalid_utf8(line) != line.npos) {
    return fail(error("the text is not valid UTF-8: save it as UTF-8"));
  }
  return line;
}

Result<std::optional<std::string_view>> LineReader::next() {
  std::size_t searched = 0;
  ++line_;
  for (;;) {
    const char* from = buffer_.data() + begin_;
    const auto* feed =
        static_cast<const char*>(std::memchr(from + searched, '\n', end_ - begin_ - searched));
    if (feed != nullptr) {
      const std::string_view line(from, static_cast<std::size_t>(feed - from));
      begin_ += line.size() + 1;
      return checked(line);
    }
    searched = end_ - begin_;
    if (at_end_) {
      if (searched == 0) {
        --line_;
        return std::nullopt;
      }
      begin_ = end_;
      return checked({from, searched});
    }
    if (searched == buffer_.size()) return fail(too_long());
    if (const Status more = refill(); !more) return fail(more.error());
  }
}

}  // namespace semveil
