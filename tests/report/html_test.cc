// Text of strangers in a page.
#include "report/html.h"

#include <gmock/gmock.h>

#include <limits>
#include <type_traits>

namespace semveil::report {
namespace {

using testing::HasSubstr;
using testing::Not;

// Text gets into a page by text() and value() alone.
template <class T>
concept CanBeWritten = requires(Html html, T what) { html << what; };
static_assert(CanBeWritten<Html>);
static_assert(!CanBeWritten<std::string>);
static_assert(!CanBeWritten<std::string_view>);
static_assert(!CanBeWritten<int>);

TEST(HtmlText, HasNoMarkup) {
  EXPECT_EQ(text("<script>alert('1' & \"2\")</script>").str(),
            "&lt;script&gt;alert(&#39;1&#39; &amp; &quot;2&quot;)&lt;/script&gt;");
  EXPECT_EQ(text("&lt;").str(), "&amp;lt;");
  EXPECT_EQ(text("=HYPERLINK(1)").str(), "=HYPERLINK(1)");
  EXPECT_EQ(text("</title><!-- -->").str(), "&lt;/title&gt;&lt;!-- --&gt;");
}

TEST(HtmlText, ShowsControlCharacters) {
  EXPECT_EQ(text(std::string_view("a\0b", 3)).str(), "a␀b");
  EXPECT_EQ(text("\x1b[31m\x7f").str(), "␛[31m␡");
  EXPECT_EQ(text("a\tb\nc\r\nd\u2028e").str(), "a b c  d e");
  EXPECT_EQ(text("\u0080\u009f").str(), "\uFFFD\uFFFD");
}

TEST(HtmlText, ShowsWhatTurnsTheDirectionOrCannotBeSeen) {
  EXPECT_EQ(text("user\u202Etxt.exe").str(), "user⟨U+202E⟩txt.exe");
  for (const char* hidden :
       {"\u202A", "\u202B", "\u202C", "\u202D", "\u202E", "\u2066", "\u2067", "\u2068", "\u2069",
        "\u200E", "\u200F", "\u061C", "\u200B", "\uFEFF", "\u2060", "\u00AD", "\U000E0041"}) {
    EXPECT_THAT(text(hidden).str(), HasSubstr("⟨U+")) << hidden;
    EXPECT_THAT(text(hidden).str(), Not(HasSubstr(hidden)));
  }
}

TEST(HtmlText, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(text("a\xff\xfe"
                 "b")
                .str(),
            "a\uFFFD\uFFFD"
            "b");
  EXPECT_EQ(text("\xc0\xbc").str(), "\uFFFD\uFFFD");                      // < in two bytes
  EXPECT_EQ(text("\xe2\x82").str(), "\uFFFD");                            // cut in a character
  EXPECT_EQ(text("\xed\xa0\x80").str().find('\xed'), std::string::npos);  // half a pair
}

TEST(HtmlText, KeepsEmojiAndOtherScripts) {
  for (const std::string words :
       {"👩‍👩‍👧‍👦", "🇨🇭", "שלום", "नमस्ते", "日本語", "é"}) {
    EXPECT_EQ(text(words).str(), words);
  }
  EXPECT_EQ(value("שלום").str(), "<bdi>שלום</bdi>");
}

TEST(HtmlText, IsCutAtACharacter) {
  EXPECT_EQ(text("abcdef", 6).str(), "abcdef");
  EXPECT_EQ(text("abcdefg", 6).str(), "abcde…");
  EXPECT_EQ(text("日本語日本語", 6).str(), "日本…");  // two columns each
  EXPECT_EQ(text("abé́éxyz", 4).str(), "abé́…");        // marks stay with their letters
  EXPECT_EQ(text("a👩‍👩‍👧‍👦bcdef", 4).str(), "a👩‍👩‍👧‍👦…");
  EXPECT_EQ(text("&&&&", 3).str(), "&amp;&amp;…");  // never within an entity
  EXPECT_LE(value(std::string(10'000, 'x')).str().size(), kLongest + 15);
  EXPECT_EQ(columns_of("日本é"), 5U);
}

TEST(HtmlText, LeavesOutMarksOnMarks) {
  std::string tower = "a";
  for (int i = 0; i < 10'000; ++i) tower += "\u0301";
  EXPECT_EQ(text(tower).str().size(), 1U + 2U * kMarks);
}

TEST(Figures, HaveThreeDigits) {
  EXPECT_EQ(digits(0.123456), "0.123");
  EXPECT_EQ(digits(0.5), "0.500");
  EXPECT_EQ(digits(12.345), "12.3");
  EXPECT_EQ(digits(123.45), "123");
  EXPECT_EQ(digits(1234567), "1,230,000");
  EXPECT_EQ(digits(999.9), "1,000");
  EXPECT_EQ(digits(-0.02), "−0.0200");
  EXPECT_EQ(digits(0.0000123), "1.23 × 10⁻⁵");
  EXPECT_EQ(digits(0), "0");
  EXPECT_EQ(digits(-0.0), "0");
  EXPECT_EQ(digits(std::nullopt), "–");
  EXPECT_EQ(digits(std::numeric_limits<double>::quiet_NaN()), "–");
  EXPECT_EQ(digits(std::numeric_limits<double>::infinity()), "∞");
  EXPECT_EQ(percent(0.1234), "12.3 %");
  EXPECT_EQ(percent(1), "100 %");
  EXPECT_EQ(percent(std::nullopt), "–");
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(30'162), "30,162");
  EXPECT_EQ(rounded(0.123456), 0.123);
  EXPECT_EQ(rounded(98'765), 98'800);
}

}  // namespace
}  // namespace semveil::report
