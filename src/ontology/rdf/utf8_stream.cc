#include "ontology/rdf/utf8_stream.h"

#include <algorithm>
#include <cstring>

#include "base/text.h"

namespace semveil {
namespace {

// How much of the text ends with a whole character.
std::size_t whole_characters(std::string_view text) {
  std::size_t lead = text.size();
  while (lead > 0 && text.size() - lead < 3 && (text[lead - 1] & 0xC0) == 0x80) --lead;
  if (lead == 0 || (text[lead - 1] & 0xC0) != 0xC0) return text.size();
  const auto first = static_cast<unsigned char>(text[lead - 1]);
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  return text.size() - (lead - 1) < size ? lead - 1 : text.size();
}

}  // namespace

Result<std::string_view> Utf8Stream::next() {
  buffer_.resize(kPiece);
  lines_ += static_cast<std::uint64_t>(
      std::count(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(given_), '\n'));
  end_ -= given_;
  std::memmove(buffer_.data(), buffer_.data() + given_, end_);
  bool at_end = false;
  const std::size_t least = is_first_ ? kByteOrderMark.size() : 1;
  for (given_ = 0; !at_end && (end_ < least || given_ == 0);) {
    const auto got = stream_.read(buffer_.data() + end_, kPiece - end_);
    if (!got) return fail(got.error());
    at_end = *got == 0;
    end_ += *got;
    given_ = at_end ? end_ : whole_characters({buffer_.data(), end_});
  }
  std::string_view piece(buffer_.data(), given_);
  if (is_first_ && piece.starts_with(kByteOrderMark)) piece.remove_prefix(kByteOrderMark.size());
  is_first_ = false;
  const auto error = [&](std::size_t at, const char* what) {
    const auto lines = std::ranges::count(piece.substr(0, at), '\n');
    return fail(data_error(what).at(name_, lines_ + static_cast<std::uint64_t>(lines) + 1));
  };
  if (const std::size_t at = piece.find('\0'); at != std::string_view::npos) {
    return error(at, "a NUL byte: this is no text file, or one in UTF-16; save it as UTF-8");
  }
  if (const std::size_t at = find_invalid_utf8(piece); at != std::string_view::npos) {
    return error(at, "the text is not valid UTF-8: save it as UTF-8");
  }
  // Of a mark alone nothing is left, but the file goes on.
  return piece.empty() && !at_end ? next() : Result<std::string_view>(piece);
}

Result<std::size_t> Utf8Stream::read(char* buffer, std::size_t size) {
  if (rest_.empty()) {
    const auto piece = next();
    if (!piece) return fail(piece.error());
    rest_ = *piece;
  }
  const std::size_t take = std::min(size, rest_.size());
  std::memcpy(buffer, rest_.data(), take);
  rest_.remove_prefix(take);
  return take;
}

}  // namespace semveil
