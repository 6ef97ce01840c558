#include "base/text.h"

#include <unicode/unorm2.h>
#include <unicode/ustring.h>
#include <unicode/utf8.h>
#include <xxhash.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <vector>

namespace semveil {
namespace {

constexpr std::array<char, 128> ascii_folds() {
  std::array<char, 128> fold{};
  for (int c = 0; c < 128; ++c) fold[c] = static_cast<char>(c);
  for (int c = 'A'; c <= 'Z'; ++c) fold[c] = static_cast<char>(c - 'A' + 'a');
  for (const char blank : {' ', '\t', '\n', '\v', '\f', '\r', '_', '-'}) {
    fold[static_cast<unsigned char>(blank)] = ' ';
  }
  return fold;
}
constexpr std::array<char, 128> kFold = ascii_folds();

constexpr std::uint64_t kHighBits = 0x8080808080808080U;

// Length of the leading part of `text` that is plain ASCII.
std::size_t ascii_prefix(std::string_view text) {
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + i, 8);
    if ((word & kHighBits) != 0) break;
  }
  while (i < text.size() && static_cast<unsigned char>(text[i]) < 128) ++i;
  return i;
}

bool separates_words(UChar32 c) {
  const bool hyphen = (c >= 0x2010 && c <= 0x2015) || c == 0x2212 || c == '_' || c == '-';
  return hyphen || u_isUWhiteSpace(c);
}

// ICU's NFKC_Casefold, back to UTF-8. Ill-formed bytes become U+FFFD; callers check before.
std::string fold_unicode(std::string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2* folder = unorm2_getNFKCCasefoldInstance(&status);
  std::vector<UChar> wide(text.size() + 1);
  int32_t wide_size = 0;
  u_strFromUTF8WithSub(wide.data(), static_cast<int32_t>(wide.size()), &wide_size, text.data(),
                       static_cast<int32_t>(text.size()), 0xFFFD, nullptr, &status);
  std::vector<UChar> folded(wide.size() * 2 + 32);
  int32_t folded_size = unorm2_normalize(folder, wide.data(), wide_size, folded.data(),
                                         static_cast<int32_t>(folded.size()), &status);
  if (status == U_BUFFER_OVERFLOW_ERROR) {
    status = U_ZERO_ERROR;
    folded.resize(static_cast<std::size_t>(folded_size));
    folded_size = unorm2_normalize(folder, wide.data(), wide_size, folded.data(),
                                   static_cast<int32_t>(folded.size()), &status);
  }
  if (U_FAILURE(status)) return std::string(text);
  std::string out(static_cast<std::size_t>(folded_size) * 3, '\0');
  int32_t size = 0;
  u_strToUTF8WithSub(out.data(), static_cast<int32_t>(out.size()), &size, folded.data(),
                     folded_size, 0xFFFD, nullptr, &status);
  out.resize(static_cast<std::size_t>(size));
  return out;
}

// Appends the folded text with `between` (a blank or nothing) in place of each inner run of
// separators.
void fold_into(std::string_view text, std::string_view between, std::string& out) {
  out.clear();
  bool pending = false;
  const auto put = [&](std::string_view piece) {
    if (pending && !out.empty()) out += between;
    pending = false;
    out += piece;
  };
  if (ascii_prefix(text) == text.size()) {
    for (const char c : text) {
      const char folded = kFold[static_cast<unsigned char>(c)];
      if (folded == ' ') {
        pending = true;
      } else {
        put({&folded, 1});
      }
    }
    return;
  }
  const std::string folded = fold_unicode(text);
  for (std::size_t at = 0; at < folded.size();) {
    const std::size_t begin = at;
    if (separates_words(next_code_point(folded, at))) {
      pending = true;
    } else {
      put(std::string_view(folded).substr(begin, at - begin));
    }
  }
}

}  // namespace

std::string normalise(std::string_view text) {
  std::string out;
  fold_into(text, " ", out);
  return out;
}

void squeeze_into(std::string_view text, std::string& out) {
  if (ascii_prefix(text) != text.size()) {
    fold_into(text, "", out);
    return;
  }
  // Every name of an ontology comes through here when it is loaded: no branches.
  if (out.size() < text.size()) out.resize(text.size());
  char* to = out.data();
  for (const char c : text) {
    *to = kFold[static_cast<unsigned char>(c)];
    to += *to != ' ' ? 1 : 0;
  }
  out.resize(static_cast<std::size_t>(to - out.data()));
}

std::string squeeze(std::string_view text) {
  std::string out;
  squeeze_into(text, out);
  return out;
}

std::uint32_t squeezed_hash(std::string_view squeezed) {
  return static_cast<std::uint32_t>(XXH3_64bits(squeezed.data(), squeezed.size()) >> 32);
}

// ICU's macro mixes integer types, hence the pragma.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
std::int32_t next_code_point(std::string_view text, std::size_t& at) {
  // Piecewise, so that ICU's 32-bit offsets suffice for any size.
  const std::string_view piece = text.substr(at, U8_MAX_LENGTH);
  int32_t i = 0;
  UChar32 c = 0;
  // NOLINTNEXTLINE(bugprone-inc-dec-in-conditions): inside the macro
  U8_NEXT(piece.data(), i, static_cast<int32_t>(piece.size()), c);
  at += static_cast<std::size_t>(i);
  return c;
}
#pragma GCC diagnostic pop

std::size_t find_invalid_utf8(std::string_view text) {
  std::size_t at = 0;
  while ((at += ascii_prefix(text.substr(at))) < text.size()) {
    const std::size_t begin = at;
    if (next_code_point(text, at) < 0) return begin;
  }
  return std::string_view::npos;
}

std::optional<double> number_of(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) {
    return std::nullopt;
  }
  return number + 0.0;  // −0 becomes 0
}

}  // namespace semveil
