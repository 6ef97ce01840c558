#include "base/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "support/temporary_folder.h"

namespace semveil {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Records = std::vector<std::vector<std::string>>;

struct Outcome {
  Records records;
  std::vector<std::uint64_t> lines;
  std::optional<Error> error;
};

Outcome drain(Result<CsvReader> reader) {
  Outcome outcome;
  if (!reader) {
    outcome.error = reader.error();
    return outcome;
  }
  for (;;) {
    const auto record = reader->next();
    if (!record) {
      outcome.error = record.error();
      const auto again = reader->next();
      EXPECT_FALSE(again) << "an error must not be followed by the end of the table";
      return outcome;
    }
    if (!*record) return outcome;
    outcome.records.emplace_back((*record)->begin(), (*record)->end());
    outcome.lines.push_back(reader->line());
  }
}

Outcome read_csv(std::string_view text, std::optional<CsvDialect> dialect = {},
                 CsvReader::Ragged ragged = CsvReader::Ragged::kRefuse) {
  return drain(CsvReader::over(text, "t.csv", dialect, ragged));
}

void expect_error(std::string_view text, std::uint64_t line, const char* message) {
  const Outcome outcome = read_csv(text);
  ASSERT_TRUE(outcome.error) << text;
  EXPECT_EQ(outcome.error->place.file, "t.csv");
  EXPECT_EQ(outcome.error->place.line, line) << text;
  EXPECT_THAT(outcome.error->message, HasSubstr(message));
  EXPECT_EQ(outcome.error->code, ErrorCode::kData);
}

TEST(Csv, RecordsEndWithLfOrCrlfAndTheLastMayEndWithout) {
  const Records expected = {{"a", "b"}, {"c", "d"}};
  EXPECT_EQ(read_csv("a,b\nc,d\n").records, expected);
  EXPECT_EQ(read_csv("a,b\r\nc,d\r\n").records, expected);
  EXPECT_EQ(read_csv("a,b\nc,d").records, expected);
  EXPECT_EQ(read_csv("a,b\r\nc,d\r").records, expected);
  EXPECT_EQ(read_csv("\xEF\xBB\xBF"
                     "a,b\nc,d\n")
                .records,
            expected);
  EXPECT_EQ(read_csv("").records, Records());
  EXPECT_EQ(read_csv("\xEF\xBB\xBF").records, Records());
}

TEST(Csv, QuotedFieldsHoldAnything) {
  const Outcome outcome = read_csv("a,\"b,\"\"c\"\"\"\n\"\",\"two\r\nlines\"\nx,y\n");
  EXPECT_EQ(outcome.records, (Records{{"a", "b,\"c\""}, {"", "two\r\nlines"}, {"x", "y"}}));
  EXPECT_THAT(outcome.lines, ElementsAre(1, 2, 4));
  EXPECT_EQ(read_csv("\"\"\"\",\"\"\"\"\"\"\n").records, (Records{{"\"", "\"\""}}));
  EXPECT_EQ(read_csv("\"a\"\"b\",\"c\"\"d\"").records, (Records{{"a\"b", "c\"d"}}));
  EXPECT_EQ(read_csv("\"a\",b\r\n").records, (Records{{"a", "b"}}));
}

TEST(Csv, EmptyFieldsAndBlanksAreKept) {
  EXPECT_EQ(read_csv(",\n , \n").records, (Records{{"", ""}, {" ", " "}}));
}

TEST(Csv, EmptyLinesCountOnlyInTablesOfOneColumn) {
  const Outcome wide = read_csv("a,b\n\n1,2\r\n\r\n3,4\n\n");
  EXPECT_EQ(wide.records, (Records{{"a", "b"}, {"1", "2"}, {"3", "4"}}));
  EXPECT_THAT(wide.lines, ElementsAre(1, 3, 5));
  EXPECT_EQ(read_csv("a\n\nb\n").records, (Records{{"a"}, {""}, {"b"}}));
}

TEST(Csv, TheFirstLineTellsTheSeparator) {
  const auto separator = [](std::string_view text) {
    return CsvReader::over(text, "t")->dialect().separator;
  };
  EXPECT_EQ(separator("a,b\n;;;;"), ',');
  EXPECT_EQ(separator("a;b,c;d\n"), ';');
  EXPECT_EQ(separator("a\tb\n"), '\t');
  EXPECT_EQ(separator("a|b|c,d"), '|');
  EXPECT_EQ(separator("\"a;b;c;\",d\n"), ',');
  EXPECT_EQ(separator("\"a\n;b;c;\",d\n"), ',');
  EXPECT_EQ(separator("one column\n"), ',');
  EXPECT_EQ(separator(""), ',');
}

TEST(Csv, AGivenDialectIsKept) {
  EXPECT_EQ(read_csv("a,b;'c;''d'\n", CsvDialect{';', '\''}).records, (Records{{"a,b", "c;'d"}}));
  for (const CsvDialect dialect : {CsvDialect{'"', '"'}, CsvDialect{'\n', '"'},
                                   CsvDialect{'\xC3', '"'}, CsvDialect{'\0', '"'}}) {
    ASSERT_TRUE(read_csv("a", dialect).error);
    EXPECT_THAT(read_csv("a", dialect).error->message, HasSubstr("separator"));
  }
}

TEST(Csv, RaggedRecordsAreRefusedUnlessAllowed) {
  expect_error("a,b\n1,2\n1,2,3\n", 3, "3 fields where the first line has 2");
  expect_error("a,b\n\"x\ny\",2\n1\n", 4, "1 field where the first line has 2");
  const Outcome allowed = read_csv("a,b\n1\n1,2,3\n", {}, CsvReader::Ragged::kAllow);
  EXPECT_EQ(allowed.records, (Records{{"a", "b"}, {"1"}, {"1", "2", "3"}}));
}

TEST(Csv, StrayQuotesAreErrors) {
  expect_error("a,b\nc,d\"e\n\"f\",g\n", 2, "a quote inside a field");
  expect_error("a,b\n1,2\n\"c\"d,e\n", 3, "behind the closing quote");
  expect_error("a,b\n1,2\n3,\"never\nends\n", 3, "never ends");
  expect_error("a,b\n\"x\ny\",\"never", 3, "never ends");
  expect_error("a\"", 1, "a quote inside a field");
}

TEST(Csv, DamagedTextIsAnError) {
  expect_error("a,b\n\xFF,c\n", 2, "UTF-8");
  expect_error("a,b\n\"x\n\xC3\",c\n", 3, "UTF-8");
  expect_error(std::string_view("a,b\nc\0,d\n", 9), 2, "NUL");
  expect_error("a,b\rc,d\n", 1, "carriage return");
  expect_error("\"a\",b\rc,d\n", 1, "carriage return");
  expect_error(std::string_view("\xFF\xFE"
                                "a\0",
                                4),
               1, "UTF-16");
}

TEST(Csv, AnEndlessRecordIsAnErrorAndSaysWhy) {
  std::string text = "a,b\nc,\"";
  text.append(CsvReader::kMaxRecord + 10, 'x');
  expect_error(text, 2, "never ends");
  text[6] = 'y';
  expect_error(text, 2, "64 MiB");
}

TEST(Csv, StreamsGiveTheSameRecordsAsViews) {
  std::mt19937 random(7);
  const std::array<const char*, 7> pieces = {"a", "bc", "\"q,\"\"q\"", "\"l\nl\"", "é", "", " "};
  std::string text;
  while (text.size() < 900'000) {  // several buffers of the reader
    for (int i = 0; i < 3; ++i) {
      text += pieces[random() % pieces.size()];
      text += i < 2 ? "," : random() % 2 == 0 ? "\n" : "\r\n";
    }
  }
  text += "\"" + std::string(700'000, 'x') + "\",1,2\n";  // longer than a buffer
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/table.csv";
  std::ofstream(path, std::ios::binary) << text;
  const Outcome streamed = drain(CsvReader::open(path));
  const Outcome viewed = read_csv(text);
  ASSERT_FALSE(viewed.error) << viewed.error->message;
  ASSERT_FALSE(streamed.error) << streamed.error->message;
  EXPECT_EQ(streamed.records, viewed.records);
  EXPECT_EQ(streamed.lines, viewed.lines);
  EXPECT_EQ(CsvReader::open(path + ".absent").error().code, ErrorCode::kData);
}

TEST(Csv, FieldsAreQuotedWhereTheyMustBe) {
  EXPECT_EQ(csv_field("plain text"), "plain text");
  EXPECT_EQ(csv_field(""), "");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("a,b", {';', '"'}), "a,b");
  EXPECT_EQ(csv_field("a;b", {';', '"'}), "\"a;b\"");
  EXPECT_EQ(csv_field("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csv_field(" a"), "\" a\"");
  EXPECT_EQ(csv_field("a\t"), "\"a\t\"");
  EXPECT_EQ(csv_field("a\nb"), "\"a\nb\"");
  EXPECT_EQ(csv_field("a\rb"), "\"a\rb\"");
  for (const char* text : {"a", "", " ", "\"", "\"\"", "a,\n\"b\" ", ",", "é"}) {
    const Outcome outcome = read_csv(csv_field(text) + ",end");
    EXPECT_EQ(outcome.records, (Records{{text, "end"}}));
  }
}

}  // namespace
}  // namespace semveil
