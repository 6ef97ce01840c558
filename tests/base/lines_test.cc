#include "base/lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/small_pieces.h"

namespace semveil {
namespace {

using test::SmallPieces;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Result<std::vector<std::string>> lines_of(std::unique_ptr<InputStream> stream) {
  LineReader reader(std::move(stream), "f.txt");
  std::vector<std::string> lines;
  for (;;) {
    const auto line = reader.next();
    if (!line) return fail(line.error());
    if (!*line) return lines;
    lines.emplace_back(**line);
    EXPECT_EQ(reader.line(), lines.size());
  }
}
std::vector<std::string> lines_of(std::string_view text) {
  const auto lines = lines_of(InputStream::over(text));
  EXPECT_TRUE(lines) << describe(lines.error(), Quote::kShow);
  return lines.value_or(std::vector<std::string>());
}
Error line_error(std::string_view text) {
  const auto lines = lines_of(InputStream::over(text));
  EXPECT_FALSE(lines);
  return lines ? Error() : lines.error();
}

TEST(LineReader, GivesLinesWithoutTheirEnds) {
  EXPECT_THAT(lines_of("a\nb\n"), ElementsAre("a", "b"));
  EXPECT_THAT(lines_of("a\r\nb\r\n"), ElementsAre("a", "b"));
  EXPECT_THAT(lines_of("a\nb"), ElementsAre("a", "b"));
  EXPECT_THAT(lines_of("a\r\nb\r"), ElementsAre("a", "b"));
  EXPECT_THAT(lines_of("\n\na\rb\n"), ElementsAre("", "", "a\rb"));
  EXPECT_THAT(lines_of(""), IsEmpty());
}

TEST(LineReader, SkipsAByteOrderMarkAtTheBeginningOnly) {
  EXPECT_THAT(lines_of("\xEF\xBB\xBF"
                       "a\n\xEF\xBB\xBF"
                       "b\n"),
              ElementsAre("a",
                          "\xEF\xBB\xBF"
                          "b"));
  EXPECT_THAT(lines_of("\xEF\xBB\xBF"), ElementsAre(""));
}

TEST(LineReader, TheEndStaysTheEnd) {
  LineReader reader(InputStream::over("a\n"), "f.txt");
  ASSERT_EQ(**reader.next(), "a");
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(reader.next()->has_value());
    EXPECT_EQ(reader.line(), 1U);
  }
}

TEST(LineReader, TheLongestLinePassesAndOneByteMoreDoesNot) {
  const std::string longest(LineReader::kLongest, 'x');
  for (const std::string before : {"", "\xEF\xBB\xBF"}) {
    for (const std::string end : {"", "\n", "\r\n"}) {
      std::vector<std::string> lines = lines_of(before + longest + end);
      ASSERT_EQ(lines.size(), 1U) << end.size();
      EXPECT_EQ(lines[0], longest);
      const Error error = line_error(before + longest + "x" + end);
      EXPECT_THAT(error.message, HasSubstr("more than a million bytes"));
      EXPECT_EQ(error.place.file, "f.txt");
      EXPECT_EQ(error.place.line, 1U);
    }
  }
  EXPECT_EQ(lines_of("a\n" + longest + "\n" + longest + "\nb\n").size(), 4U);
  EXPECT_EQ(line_error("a\r\nb\r\n" + longest + "xy").place.line, 3U);
}

TEST(LineReader, NulBytesAndInvalidUtf8AreErrorsOfTheirLine) {
  const Error nul = line_error(std::string_view("a\r\nb\0c\n", 7));
  EXPECT_THAT(nul.message, HasSubstr("NUL"));
  EXPECT_EQ(nul.place.line, 2U);
  for (const std::string bad : {"\xFF", "\xC3", "\xC0\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80"}) {
    const Error error = line_error("a\n\xC3\xA4\r\nx" + bad + "\nb\n");
    EXPECT_THAT(error.message, HasSubstr("UTF-8"));
    EXPECT_EQ(error.place.line, 3U);
  }
}

// A character cut by the end of a piece is no invalid one.
TEST(LineReader, ReadsAlikeHoweverTheStreamIsCut) {
  const std::string text =
      "\xEF\xBB\xBF"
      "one\r\n\r\nzw\xC3\xB6lf \xF0\x9F\x98\x80\nthree";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    EXPECT_THAT(*lines_of(std::make_unique<SmallPieces>(text, piece)),
                ElementsAre("one", "", "zw\xC3\xB6lf \xF0\x9F\x98\x80", "three"))
        << piece;
  }
}

TEST(LineReader, PassesOnErrorsOfTheStream) {
  const auto lines = lines_of(std::make_unique<SmallPieces>("a\nb\n", 1, SmallPieces::End::kError));
  ASSERT_FALSE(lines);
  EXPECT_EQ(lines.error().message, "broken stream");
}

}  // namespace
}  // namespace semveil
