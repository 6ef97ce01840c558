#include "report/html.h"

#include <fmt/format.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/text.h"
#include "base/three_digits.h"

namespace semveil::report {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kEllipsis = "…";
constexpr UChar32 kJoiner = 0x200D;

bool is_blank(UChar32 c) {
  return c == '\t' || c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029;
}

// Would change how other text is read, or nobody would see that it is there.
bool is_treacherous(UChar32 c) {
  return c == 0x061C || c == 0x00AD || c == 0x180E || c == 0x3164 || c == 0xFEFF ||
         (c >= 0x200B && c <= 0x200F && c != kJoiner && c != 0x200C) ||
         (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) ||
         (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE0FFF);
}

bool extends(UChar32 c) {
  return c == kJoiner || (c >= 0x1F3FB && c <= 0x1F3FF) ||
         u_hasBinaryProperty(c, UCHAR_GRAPHEME_EXTEND) != 0;
}

std::size_t width_of(UChar32 c) {
  const int width = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

struct Piece {  // one code point, disarmed
  std::string shown;
  std::size_t columns = 1;
  bool extends = false, joins = false;
};

Piece disarmed(UChar32 c, std::string_view bytes) {
  if (c < 0) return {std::string(kReplacement)};
  if (is_blank(c)) return {" "};
  if (c < 0x20 || c == 0x7F) {  // U+2400 … are their pictures
    const auto picture = static_cast<unsigned char>(c == 0x7F ? 0xA1 : 0x80 + c);
    return {std::string("\xE2\x90") + static_cast<char>(picture)};
  }
  if (c < 0xA0 && c >= 0x80) return {std::string(kReplacement)};
  if ((c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF)) return {std::string(kReplacement)};
  if (is_treacherous(c)) {
    std::string shown = fmt::format("⟨U+{:04X}⟩", c);
    return {std::move(shown), c > 0xFFFF ? 9U : 8U};
  }
  switch (c) {
    case '<':
      return {"&lt;"};
    case '>':
      return {"&gt;"};
    case '&':
      return {"&amp;"};
    case '"':
      return {"&quot;"};
    case '\'':
      return {"&#39;"};
    default:
      break;
  }
  const bool more = extends(c);
  return {std::string(bytes), more ? 0 : width_of(c), more, c == kJoiner};
}

// Calls `take` for every piece that is shown; it says whether to go on.
template <class Take>
void for_each_piece(std::string_view text, Take take) {
  int marks = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const UChar32 c = next_code_point(text, at);
    if (at == begin) ++at;  // never stuck
    const Piece piece = disarmed(c, text.substr(begin, at - begin));
    marks = piece.extends ? marks + 1 : 0;
    if (marks > kMarks) continue;
    if (!take(piece)) return;
  }
}

}  // namespace

Html text(std::string_view text, std::size_t columns) {
  Html html;
  std::string& out = html.text_;
  std::size_t used = 0;
  // Where to cut if the text turns out to be too long: one column is kept for the ellipsis.
  std::size_t cut = 0;
  bool joined = false;
  bool too_long = false;
  for_each_piece(text, [&](const Piece& piece) {
    const bool starts = !piece.extends && !joined;
    if (starts && used < columns) cut = out.size();
    used += joined ? 0 : piece.columns;
    joined = piece.joins;
    if (used > columns) {
      too_long = true;
      return false;
    }
    out += piece.shown;
    return true;
  });
  if (too_long) {
    out.resize(cut);
    out += kEllipsis;
  }
  return html;
}

Html value(std::string_view text, std::size_t columns) {
  Html html;
  html << "<bdi>" << report::text(text, columns) << "</bdi>";
  return html;
}

std::size_t columns_of(std::string_view text) {
  std::size_t used = 0;
  bool joined = false;
  for_each_piece(text, [&](const Piece& piece) {
    used += joined ? 0 : piece.columns;
    joined = piece.joins;
    return true;
  });
  return used;
}

// ---- Figures ------------------------------------------------------------------------------------

double rounded(double figure) { return three_digits(figure); }

std::string grouped(std::uint64_t count) {
  std::string out = std::to_string(count);
  for (std::size_t at = out.size(); at > 3;) out.insert(at -= 3, ",");
  return out;
}

std::string digits(std::optional<double> figure) {
  if (!figure || std::isnan(*figure)) return "–";
  const std::string sign = *figure < 0 ? "−" : "";
  const double size = std::abs(rounded(*figure));
  if (std::isinf(size)) return sign + "∞";
  if (size == 0) return "0";
  if (size >= 1e15) return sign + fmt::format("{:.2e}", size);
  if (size >= 1000) return sign + grouped(static_cast<std::uint64_t>(std::llround(size)));
  if (size < 1e-4) {
    const std::string text = fmt::format("{:.2e}", size);
    std::string exponent;
    for (const char c : std::to_string(-std::atoi(text.c_str() + text.find('e') + 1))) {
      constexpr const char* kRaised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
      exponent += kRaised[c - '0'];
    }
    return sign + text.substr(0, text.find('e')) + " × 10⁻" + exponent;
  }
  return sign + (size >= 100 ? fmt::format("{:.0f}", size) : fmt::format("{:#.3g}", size));
}

std::string percent(std::optional<double> share) {
  if (!share || !std::isfinite(*share)) return "–";
  const double hundredths = rounded(*share * 100);
  // Certainty is what a reader looks for: what is less than it is not printed as it.
  if (hundredths == 100) return *share < 1 ? "> 99.9 %" : "100 %";
  return digits(hundredths) + " %";
}

Html number(std::optional<double> figure) { return text(digits(figure)); }
Html number(double figure) { return text(digits(figure)); }
Html number(std::uint64_t count) { return text(grouped(count)); }

}  // namespace semveil::report
