// HTML that cannot hold text by mistake.
//
// Html is markup that may stand in a page. It is made of literals of the program (Markup takes
// nothing else, which the compiler checks) and of text that went through text() or value(): tables,
// plans and ontologies are written by strangers.
//
//   Html cell;
//   cell << "<td>" << value(label) << "</td>";     `<< label` does not compile
//
// What text() does:
//   < > & " '             as entities, so that it is text in elements and attributes alike
//   blanks                tab, line breaks and U+2028/2029 become one blank each
//   control characters    as their pictures (␀), those above U+007F as U+FFFD
//   invisible ones        marks that turn the direction of text, zero-width blanks and tags are
//                         shown by their numbers: ⟨U+202E⟩. Joiners stay: emoji need them.
//   invalid UTF-8         U+FFFD for each broken piece
//   marks on marks        more than kMarks combining marks on one character are left out
//
// value() also isolates the text's direction (<bdi>) and cuts it at kLongest columns, at a
// character, with an ellipsis.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace semveil::report {

class Markup {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): literals only, so that it reads like HTML
  consteval Markup(const char* text) : text_(text) {}
  constexpr std::string_view view() const { return text_; }

 private:
  std::string_view text_;
};

class Html {
 public:
  Html() = default;
  // NOLINTNEXTLINE(google-explicit-constructor)
  Html(Markup markup) : text_(markup.view()) {}
  Html& operator<<(Markup markup) {
    text_ += markup.view();
    return *this;
  }
  Html& operator<<(const Html& html) {
    text_ += html.text_;
    return *this;
  }
  bool empty() const { return text_.empty(); }
  const std::string& str() const { return text_; }

 private:
  friend Html text(std::string_view text, std::size_t columns);
  std::string text_;
};

inline constexpr std::size_t kLongest = 60;  // columns of a value
inline constexpr std::size_t kWhole = std::string_view::npos;
inline constexpr int kMarks = 8;

Html text(std::string_view text, std::size_t columns = kWhole);
Html value(std::string_view text, std::size_t columns = kLongest);
// How many columns a text takes once it is disarmed: wide characters take two, marks none.
std::size_t columns_of(std::string_view text);

// ---- Figures ------------------------------------------------------------------------------------

// Three significant digits: 0.0123, 12.3, 1,230,000, 1.23 × 10⁻⁵; – where undefined.
std::string digits(std::optional<double> figure);
std::string percent(std::optional<double> share);  // 12.3 %
std::string grouped(std::uint64_t count);          // 30,162
Html number(std::optional<double> figure);
Html number(double figure);
Html number(std::uint64_t count);
// to three significant digits; what is not finite stays as it is
double rounded(double figure);

}  // namespace semveil::report
