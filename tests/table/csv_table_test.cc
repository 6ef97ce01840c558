// CSV tables: cut and spliced as the slow twin does it, whatever the pieces, batches and threads.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
#include <thread>

#include "base/cpu.h"
#include "base/csv.h"
#include "base/csv_records.h"
#include "base/spool.h"
#include "semveil/table.h"
#include "support/generate.h"
#include "support/slow_csv.h"
#include "support/small_pieces.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using test::cut_slowly;
using test::SlowCsv;
using test::SlowRecord;
using test::SmallPieces;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Cut {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::uint64_t> lines;
  std::optional<std::uint64_t> error_line;
};

Cut cut(Result<CsvRecords> records) {
  Cut result;
  if (!records) {
    result.error_line = records.error().place.line;
    return result;
  }
  CsvChunk chunk;
  for (;;) {
    const Result<bool> more = records->next(chunk);
    if (!more) result.error_line = more.error().place.line;
    if (!more || !*more) return result;
    for (std::size_t row = 0; row < chunk.rows(); ++row) {
      std::vector<std::string>& fields = result.rows.emplace_back();
      std::string scratch;
      for (std::size_t i = 0; i < chunk.fields(row); ++i) {
        scratch.clear();
        fields.emplace_back(csv_text(chunk.raw(row, i), '"', scratch));
      }
      result.lines.push_back(chunk.line(row));
    }
  }
}

// Mostly well-formed; `broken`: any of its characters anywhere.
std::string random_csv(test::Random& random, bool broken) {
  std::string text = random.one_in(8) ? "\xEF\xBB\xBF" : "";
  const std::size_t width = 1 + random.below(4), rows = 1 + random.below(12);
  const bool crlf = random.one_in(3);
  for (std::size_t row = 0; row < rows; ++row) {
    if (row > 0 && random.one_in(8)) text += crlf ? "\r\n" : "\n";
    for (std::size_t i = 0; i < width; ++i) {
      if (i > 0) text += ',';
      constexpr const char* kCells[] = {"",        "a",          "bc",       "é",    "\"\"",
                                        "\"q,q\"", "\"a\"\"b\"", "\"l\nl\"", "007 ", "\"r\r\n\""};
      text += kCells[random.below(std::size(kCells))];
      if (random.one_in(6)) text += std::string(text.ends_with('"') ? 0 : random.below(90), 'x');
    }
    if (row + 1 < rows || !random.one_in(3)) text += crlf ? "\r\n" : "\n";
  }
  if (broken) {
    for (std::size_t i = 1 + random.below(2); i > 0; --i) {
      const std::size_t at = random.below(text.size() + 1);
      const bool inside_letter = at < text.size() && (text[at] & 0xC0) == 0x80;
      if (!inside_letter) text.insert(at, 1, "\",\n\rx"[random.below(5)]);
    }
  }
  return text;
}

enum class From : std::uint8_t { kMemory, kStream, kReadAhead };

void expect_cut_like_twin(const std::string& text, std::size_t piece,
                          std::initializer_list<From> ways = {From::kMemory, From::kStream}) {
  const SlowCsv slow = cut_slowly(text);
  CsvRecords::Options options;
  options.dialect = {',', '"'};
  options.piece = piece;
  for (const From from : ways) {
    options.ahead = from == From::kReadAhead ? CsvRecords::Ahead::kYes : CsvRecords::Ahead::kNo;
    const Cut fast =
        cut(from == From::kMemory
                ? CsvRecords::over(text, "t", options)
                : CsvRecords::over(std::make_unique<SmallPieces>(text, piece), "t", options));
    Cut expected;
    if (slow.error_line) expected.error_line = *slow.error_line;
    for (const SlowRecord& record : slow.records) {
      if (record.blank) continue;
      expected.rows.push_back(record.texts);
      expected.lines.push_back(record.line);
    }
    ASSERT_EQ(fast.error_line, expected.error_line) << text << "\npiece " << piece;
    ASSERT_EQ(fast.rows, expected.rows) << text << "\npiece " << piece;
    ASSERT_EQ(fast.lines, expected.lines) << text << "\npiece " << piece;
  }
}

TEST(CsvRecords, AreCutAsTheSlowTwinCutsThem) {
  for (const bool avx2 : {true, false}) {
    allow_avx2() = avx2;
    test::Random random(11);
    for (int i = 0; i < 3000; ++i) {
      const std::string text = random_csv(random, i % 2 == 1);
      for (const std::size_t piece : {1, 7, 64, 65, 100000}) expect_cut_like_twin(text, piece);
      if (HasFatalFailure()) break;
    }
    allow_avx2() = true;
    if (HasFatalFailure()) break;
  }
}

TEST(CsvRecords, AreCutAlikeWhereAThreadReadsAhead) {
  test::Random random(12);
  for (int i = 0; i < 1000; ++i) {
    const std::string text = random_csv(random, i % 2 == 1);
    for (const std::size_t piece : {7, 64, 65, 100000}) {
      expect_cut_like_twin(text, piece, {From::kReadAhead});
    }
    if (HasFatalFailure()) return;
  }
}

// Their beginnings do not fit the room before a piece, or nearly not; they end in a later piece.
TEST(CsvRecords, OfAnyLengthAreCutAlikeWhereAThreadReadsAhead) {
  constexpr std::size_t kHead = CsvRecords::kHead;
  for (const std::size_t length : {kHead - 3, kHead - 2, kHead - 1, kHead, 3 * kHead}) {
    std::string text = "a,b\n";
    for (const char letter : {'x', 'y', 'z'}) text += std::string(length, letter) + ",1\nshort,2\n";
    for (const std::size_t piece : {std::size_t{100}, kHead, kHead + 3, kHead + 4, kHead + 5,
                                    kHead + 6, length + 20, 2 * length}) {
      expect_cut_like_twin(text, piece, {From::kReadAhead});
      expect_cut_like_twin(text + "\"open", piece, {From::kReadAhead});
    }
  }
}

// More fields than a block has, fields longer than one, and some of each.
std::string wide_csv(test::Random& random, std::size_t width, std::size_t rows) {
  std::string text;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < width; ++i) {
      if (i > 0) text += ',';
      const std::size_t length = random.one_in(20) ? random.below(200) : random.below(4);
      const std::string cell(length, static_cast<char>('a' + random.below(26)));
      text += random.one_in(10) ? "\"" + cell + ",\n\"" : cell;
    }
    text += random.one_in(2) ? "\r\n" : "\n";
  }
  return text;
}

TEST(CsvRecords, OfManyFieldsAreCutAlike) {
  for (const bool avx2 : {true, false}) {
    allow_avx2() = avx2;
    test::Random random(14);
    for (const std::size_t width : {2, 16, 17, 18, 64, 65, 200, 400}) {
      for (int i = 0; i < 10; ++i) expect_cut_like_twin(wide_csv(random, width, 6), 1000);
    }
    allow_avx2() = true;
  }
}

TEST(CsvRecords, CountTheBytesReadAheadWithTheChunkTheyAreIn) {
  std::string text = "a,b\n";
  for (int i = 0; i < 1000; ++i) text += "some,cells\n";
  for (const CsvRecords::Ahead ahead : {CsvRecords::Ahead::kNo, CsvRecords::Ahead::kYes}) {
    CsvRecords::Options options;
    options.piece = 500;
    options.ahead = ahead;
    auto records = CsvRecords::over(std::make_unique<SmallPieces>(text, 500), "t", options);
    CsvChunk chunk;
    std::vector<std::uint64_t> read;
    while (*records->next(chunk)) read.push_back(chunk.bytes_read());
    EXPECT_EQ(std::accumulate(read.begin(), read.end(), std::uint64_t{0}), text.size());
    EXPECT_LE(*std::max_element(read.begin(), read.end()), 1000U);
  }
}

// Whoever copies a chunk must not copy what nobody has checked.
TEST(CsvRecords, GiveOutNoByteBehindAnError) {
  const std::string good = "a,b\n1,2\n\n";
  for (const std::string bad : {"short\n", "1,2,3\n", "x\"y,1\n", "\xC3,1\n", "x\ry,1\n"}) {
    const std::string text = good + bad + "3,4\n5,6\n";
    auto records = CsvRecords::over(text, "t", {});
    CsvChunk chunk;
    ASSERT_TRUE(*records->next(chunk)) << bad;
    EXPECT_EQ(chunk.rows(), 2U);
    EXPECT_EQ(chunk.text(), good);
    EXPECT_FALSE(records->next(chunk));
  }
}

TEST(CsvRecords, GiveOutWhatAThreadReadBeforeAnError) {
  CsvRecords::Options options;
  options.piece = 64;
  options.ahead = CsvRecords::Ahead::kYes;
  std::string text = "a,b\n";
  for (int i = 0; i < 50; ++i) text += "some,cells\n";
  auto records = CsvRecords::over(std::make_unique<SmallPieces>(text, 64, SmallPieces::End::kError),
                                  "t", options);
  CsvChunk chunk;
  std::size_t rows = 0;
  std::uint64_t bytes = 0;
  Result<bool> more = records->next(chunk);
  for (; more && *more; more = records->next(chunk)) {
    rows += chunk.rows();
    bytes += chunk.bytes_read();
  }
  ASSERT_FALSE(more);
  EXPECT_THAT(more.error().message, HasSubstr("broken stream"));
  EXPECT_EQ(rows, 51U);
  EXPECT_EQ(bytes, text.size());
  EXPECT_FALSE(records->next(chunk));
}

TEST(CsvRecords, AreTheSameAtEveryPlaceOfABlock) {
  for (std::size_t shift = 0; shift < 130; ++shift) {
    const std::string fill(shift, 'f');
    expect_cut_like_twin("a,b\r\n" + fill + ",\"x\"\"\r\n,y\"\r\nz,é\r\n\r\nlast,", 64);
    expect_cut_like_twin("a,b\n" + fill + ",\"x\"y\nz,1\n", 64);
    expect_cut_like_twin("a,b\n" + fill + "\r,1\nz,1\n", 64);
  }
}

TEST(CsvRecords, NameTheLineOfNulsAndBadBytesInAnyBlock) {
  for (std::size_t shift = 0; shift < 70; ++shift) {
    std::string text = "a,b\n" + std::string(shift, 'x') + ",\"1\n";
    const std::string nul = text + std::string(1, '\0') + "\"\nc,d\n";
    const std::string bad = text + "\xC3\"\nc,d\n";
    const std::string good = text + "\xC3\xA9\"\nc,d\n";
    CsvRecords::Options options;
    options.piece = 64;
    EXPECT_EQ(cut(CsvRecords::over(nul, "t", options)).error_line, 3U);
    EXPECT_EQ(cut(CsvRecords::over(bad, "t", options)).error_line, 3U);
    EXPECT_FALSE(cut(CsvRecords::over(good, "t", options)).error_line);
  }
}

TEST(CsvRecords, TellSingleQuotesByTheFirstLine) {
  const auto quote = [](std::string_view text) {
    return CsvRecords::over(text, "t", {})->dialect().quote;
  };
  EXPECT_EQ(quote("'a','b'\n"), '\'');
  EXPECT_EQ(quote("'a;b';c\n"), '\'');
  EXPECT_EQ(quote("'a'\n"), '\'');
  EXPECT_EQ(quote("'n,count\n"), '"');
  EXPECT_EQ(quote("'a',\"b\"\n"), '"');
  EXPECT_EQ(quote("a,'b'\n"), '"');
  EXPECT_EQ(CsvRecords::over("'a;;;',b\n", "t", {})->dialect().separator, ',');
}

// ---- Tables -------------------------------------------------------------------------------------

class CsvTable : public ::testing::Test {
 protected:
  std::string put(const std::string& name, std::string_view text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  static std::string get(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      all.push_back(entry.path().filename());
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  // Masks the columns `replaced` by `change`, which gives nothing where a cell stays as it was.
  using Change = std::function<std::optional<std::string>(const std::string&)>;
  static Status splice(const Table& table, const std::string& to, std::vector<std::size_t> replaced,
                       std::vector<std::size_t> dropped, const Change& change,
                       std::optional<Key> shuffle = {}, std::string missing_text = "-") {
    std::vector<Dictionary> dictionaries(replaced.size());
    auto first = table.read(replaced);
    if (!first) return fail(first.error());
    for (;;) {
      const auto batch = (*first)->next(dictionaries);
      if (!batch) return fail(batch.error());
      if (!*batch) break;
    }
    Edits edits;
    edits.drop = std::move(dropped);
    edits.missing_text = std::move(missing_text);
    edits.shuffle = shuffle;
    std::vector<std::vector<std::string>> texts(replaced.size());
    for (std::size_t i = 0; i < replaced.size(); ++i) {
      for (Code code = 0; code < dictionaries[i].size(); ++code) {
        texts[i].push_back(change(std::string(dictionaries[i].text(code))).value_or("?"));
      }
      edits.replace.push_back({replaced[i], {texts[i].begin(), texts[i].end()}});
    }
    auto sink = table.write(to, edits);
    if (!sink) return fail(sink.error());
    auto second = table.read(replaced);
    if (!second) return fail(second.error());
    for (;;) {
      const auto batch = (*second)->next(dictionaries);
      if (!batch) return fail(batch.error());
      if (!*batch) break;
      std::vector<std::span<const Code>> cells;
      for (std::size_t i = 0; i < replaced.size(); ++i) {
        for (Code& code : (*batch)->codes[i]) {
          if (code != kMissing && !change(std::string(dictionaries[i].text(code)))) code = kAsItWas;
        }
        cells.emplace_back((*batch)->codes[i]);
      }
      auto rendered = (*sink)->render(**batch, cells);
      if (!rendered) return fail(rendered.error());
      if (Status put = (*sink)->write(std::move(*rendered)); !put) return put;
    }
    if (Status done = (*sink)->finish(); !done) return done;
    return (*sink)->commit();
  }

  const test::TemporaryFolder folder_;
};

std::optional<std::string> keep(const std::string&) { return {}; }
std::optional<std::string> mask(const std::string& text) {
  if (text == "a") return {};
  return text.size() % 2 == 0 ? "new, \"" + text + "\"" : "plain";
}

std::string splice_slowly(
    const std::string& text, const std::vector<std::size_t>& replaced,
    const std::vector<std::size_t>& dropped,
    const std::function<std::optional<std::string>(const std::string&)>& change) {
  const SlowCsv csv = cut_slowly(text);
  const std::size_t width = csv.records.front().raw.size();
  std::string out = csv.mark;
  for (std::size_t r = 0; r < csv.records.size(); ++r) {
    const SlowRecord& record = csv.records[r];
    if (record.blank) {
      if (width - dropped.size() > 1) out += record.line_end;
      continue;
    }
    std::string line;
    bool first = true, was_empty = true;
    for (std::size_t i = 0; i < width; ++i) {
      was_empty = was_empty && record.raw[i].empty() && width == 1;
      if (std::count(dropped.begin(), dropped.end(), i) > 0) continue;
      if (!first) line += ',';
      first = false;
      std::string cell = record.raw[i];
      if (r > 0 && std::count(replaced.begin(), replaced.end(), i) > 0) {
        const std::optional<std::string> changed =
            record.texts[i].empty() ? "-" : change(record.texts[i]);
        if (changed) {
          cell = *changed;
          if (cell.find_first_of(",\"\n\r") != std::string::npos) {
            std::string quoted = "\"";
            for (const char c : cell) quoted += c == '"' ? "\"\"" : std::string(1, c);
            cell = quoted + "\"";
          }
        }
      }
      line += cell;
    }
    if (r > 0 && line.empty() && !was_empty) line = "\"\"";
    out += line + record.line_end;
  }
  return out;
}

TEST_F(CsvTable, ColumnsFarApartAreSplicedAsTheTwinDoes) {
  test::Random random(15);
  for (const std::size_t width : {20, 90, 300}) {
    const std::string text = wide_csv(random, width, 200);
    const Result<Table> table = Table::open(put("wide.csv", text));
    ASSERT_TRUE(table);
    const std::vector<std::size_t> replaced{1, width / 3, width - 1}, dropped{0, width / 2};
    ASSERT_TRUE(splice(*table, path("out.csv"), replaced, dropped, mask));
    ASSERT_EQ(get(path("out.csv")), splice_slowly(text, replaced, dropped, mask)) << width;
  }
}

// Rows are taken 64 at a time; all that can be odd about a cell, and cells again and again.
TEST_F(CsvTable, CodesAreThoseOfTheTwinInTheOrderColumnsAreWanted) {
  test::Random random(16);
  constexpr const char* kCells[] = {
      "",         "NA",       "\"NA\"", "\"\"",    "x", "yy", "\"a\"\"b\"", "\"a\"\"\"\"b\"",
      "\"l\nl\"", "\"\"\"\"", "zzzz",   "\"q,q\"", "é"};
  TableOptions options;
  options.missing_values = {"", "NA", "a\"b"};
  for (const std::size_t rows : {1, 63, 64, 65, 127, 128, 129, 200, 1000}) {
    std::string text = "a,b,c\n";
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t i = 0; i < 3; ++i) {
        if (i > 0) text += ',';
        text += random.one_in(8) ? "w" + std::to_string(random.below(300))
                                 : kCells[random.below(std::size(kCells))];
      }
      text += random.one_in(10) ? "\n\n" : "\n";
    }
    const std::vector<std::size_t> wanted{2, 0};
    std::vector<std::vector<Code>> expected(2);
    std::vector<std::map<std::string, Code>> known(2);
    std::vector<std::vector<std::size_t>> lines(2);
    const SlowCsv csv = cut_slowly(text);
    for (std::size_t r = 1; r < csv.records.size(); ++r) {
      if (csv.records[r].blank) continue;
      for (std::size_t k = 0; k < 2; ++k) {
        const std::string& cell = csv.records[r].texts[wanted[k]];
        if (std::ranges::count(options.missing_values, cell) > 0) {
          expected[k].push_back(kMissing);
          continue;
        }
        const auto [at, fresh] = known[k].emplace(cell, static_cast<Code>(known[k].size()));
        if (fresh) lines[k].push_back(csv.records[r].line);
        expected[k].push_back(at->second);
      }
    }
    const Result<Table> table = Table::open(put("in.csv", text), options);
    ASSERT_TRUE(table);
    // Twice: nothing is known, everything is. What is missing stays so, even where it is known.
    std::vector<Dictionary> dictionaries(2);
    for (int time = 0; time < 2; ++time) {
      auto source = table->read(wanted);
      ASSERT_TRUE(source);
      const auto batch = (*source)->next(dictionaries);
      ASSERT_TRUE(batch && *batch);
      ASSERT_EQ((*batch)->codes, expected) << text;
      for (std::size_t k = 0; k < 2 && time == 0; ++k) {
        ASSERT_EQ(dictionaries[k].size(), known[k].size());
        for (const auto& [cell, code] : known[k]) {
          EXPECT_EQ(dictionaries[k].text(code), cell);
          EXPECT_EQ(dictionaries[k].first_line(code), lines[k][code]);
        }
        for (const std::string& missing : options.missing_values) dictionaries[k].add(missing, 1);
      }
    }
  }
}

// Short ones stand where they are sought, long ones elsewhere; how short depends on most of them.
TEST_F(CsvTable, NewTextsOfAnyLengthAreSplicedIn) {
  std::string text = "a,b\n,empty\n";
  for (int i = 1; i <= 320; ++i) text += std::to_string(i) + ",rest\n";
  const Result<Table> table = Table::open(put("in.csv", text));
  ASSERT_TRUE(table);
  const auto of_length = [](std::size_t length, bool quoted) {
    return std::optional(std::string(length, 'x') + (quoted ? "," : ""));
  };
  const auto mostly_long = [&](const std::string& cell) {
    return of_length(std::stoul(cell), cell.ends_with('3'));
  };
  // One in ten has 10 to 41 letters.
  const auto mostly_short = [&](const std::string& cell) {
    const std::size_t number = std::stoul(cell);
    return number % 10 == 0 ? of_length(9 + number / 10, number % 20 == 0)
                            : of_length(1 + number % 9, number % 3 == 0);
  };
  for (const Change& change : {Change(mostly_long), Change(mostly_short)}) {
    for (const std::string& missing : {std::string("-"), std::string("15 bytes, so it"),
                                       std::string(39, 'm'), std::string(300, 'm')}) {
      ASSERT_TRUE(splice(*table, path("out.csv"), {0}, {}, change, {}, missing));
      std::string expected = splice_slowly(text, {0}, {}, change);
      const std::string field = csv_field(missing);
      expected.replace(expected.find("\n-,empty") + 1, 1, field);
      ASSERT_EQ(get(path("out.csv")), expected);
    }
  }
}

TEST_F(CsvTable, IsSplicedAsTheSlowTwinDoesIt) {
  test::Random random(5);
  for (int i = 0; i < 400; ++i) {
    const std::string text = random_csv(random, false);
    const SlowCsv csv = cut_slowly(text);
    if (csv.records.empty()) continue;
    const std::size_t width = csv.records.front().raw.size();
    const std::string from = put("in.csv", text);
    TableOptions options;
    options.separator = ',';
    options.quote = '"';
    options.batch_rows = std::vector<std::uint64_t>{0, 1, 2, 7}[random.below(4)];
    std::vector<std::size_t> replaced, dropped;
    for (std::size_t c = 0; c < width; ++c) {
      if (random.one_in(3)) {
        replaced.push_back(c);
      } else if (random.one_in(3)) {
        dropped.push_back(c);
      }
    }
    const auto table = Table::open(from, options);
    if (dropped.size() == width) continue;
    ASSERT_TRUE(table) << describe(table.error(), Quote::kShow) << text;
    const Status done = splice(*table, path("out.csv"), replaced, dropped, mask);
    ASSERT_TRUE(done) << describe(done.error(), Quote::kShow);
    ASSERT_EQ(get(path("out.csv")), splice_slowly(text, replaced, dropped, mask)) << text;
  }
}

TEST_F(CsvTable, IsCopiedByteForByteWhereNothingIsReplaced) {
  test::Random random(6);
  for (const char* ending : {"", ".gz", ".zst"}) {
    for (int i = 0; i < 50; ++i) {
      const std::string text = random_csv(random, false);
      if (cut_slowly(text).records.empty()) continue;
      TableOptions options;
      options.separator = ',';
      options.quote = '"';
      options.batch_rows = random.below(3);
      ASSERT_TRUE(splice(*Table::open(put("in.csv", text), options),
                         path(std::string("out.csv") + ending), {0}, {},
                         [](const auto&) { return std::optional<std::string>(); }));
      // Missing cells are written as the missing text; a table without them is the same.
      const auto back = Table::open(path(std::string("out.csv") + ending), options);
      ASSERT_TRUE(back);
      ASSERT_TRUE(splice(*back, path("back.csv"), {}, {}, keep));
      ASSERT_EQ(get(path("back.csv")), splice_slowly(text, {0}, {}, keep));
    }
  }
}

TEST_F(CsvTable, HoldsLongTablesOfManyChunks) {
  test::Random random(7);
  std::string text = "id,word,rest\n";
  std::map<std::string, std::uint64_t> expected;
  for (int i = 0; i < 60000; ++i) {
    const std::string word =
        "w" + std::to_string(random.below(500)) + (random.one_in(50) ? std::string(40, 'y') : "");
    ++expected[word];
    text += std::to_string(i) + "," + word + "," + std::string(random.below(20), 'z') + "\n";
  }
  const std::string from = put("in.csv", text);
  const auto counts = count_column(from, "word");
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->records, 60000U);
  EXPECT_EQ(std::map(counts->values.begin(), counts->values.end()), expected);
  ASSERT_TRUE(splice(*Table::open(from), path("out.csv"), {1}, {0}, mask));
  EXPECT_EQ(get(path("out.csv")), splice_slowly(text, {1}, {0}, mask));
}

TEST_F(CsvTable, NamesTheLineAValueWasFirstSeenOn) {
  TableOptions options;
  options.missing_values = {"", "NA"};
  options.batch_rows = 1;
  const auto table = Table::open(put("t.csv", "a,b\n1,\"x\ny\"\n\n1,z\n2,z\nNA,z\n"), options);
  std::vector<Dictionary> dictionaries(2);
  auto source = *table->read({1, 0});
  std::vector<Code> codes;
  while (const auto batch = *source->next(dictionaries)) {
    codes.insert(codes.end(), batch->codes[1].begin(), batch->codes[1].end());
  }
  EXPECT_EQ(dictionaries[0].first_line(*dictionaries[0].find("z")), 5U);
  EXPECT_EQ(dictionaries[1].first_line(*dictionaries[1].find("2")), 6U);
  EXPECT_THAT(codes, ElementsAre(0, 0, 1, kMissing));
}

TEST_F(CsvTable, ChangesItsSeparatorForAnotherEnding) {
  const auto table = Table::open(put("t.csv", "a,b c\n\"x\ty\",1\n,\"q\"\"\"\n"));
  ASSERT_TRUE(splice(*table, path("t.tsv"), {}, {}, keep));
  EXPECT_EQ(get(path("t.tsv")), "a\tb c\n\"x\ty\"\t1\n\t\"q\"\"\"\n");
}

TEST_F(CsvTable, RefusesToDropEveryColumn) {
  const auto table = Table::open(put("t.csv", "a,b\n1,2\n"));
  Edits edits;
  edits.drop = {0, 1};
  const auto sink = table->write(path("out.csv"), edits);
  ASSERT_FALSE(sink);
  EXPECT_EQ(sink.error().code, ErrorCode::kData);
}

TEST_F(CsvTable, OnFailureNothingAppearsAndNothingChanges) {
  const auto table = Table::open(put("t.csv", "a,b\n1,2\n" + std::string(5000, 'x') + ",2\n"));
  const std::string there = put("there.csv", "as it was");
  const auto nowhere = splice(*table, path("no/folder/out.csv"), {}, {}, keep);
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::kSystem);
  const auto full = splice(*table, "/dev/full", {}, {}, keep);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, ErrorCode::kSystem);

  struct rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small{1000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Status too_long = splice(*table, there, {}, {}, keep);
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  ASSERT_FALSE(too_long);
  EXPECT_EQ(too_long.error().code, ErrorCode::kSystem);

  const auto ragged = Table::open(put("bad.csv", "a,b\n1,2\n1\n"));
  const Status bad = splice(*ragged, there, {0}, {}, mask);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().place.line, 3U);
  EXPECT_EQ(get(there), "as it was");
  EXPECT_THAT(names(), ElementsAre("bad.csv", "t.csv", "there.csv"));
}

TEST_F(CsvTable, ShufflesAlikeHoweverItIsCut) {
  std::string text = "a,b\r\n";
  std::vector<std::string> lines;
  for (int i = 0; i < 3000; ++i) lines.push_back(std::to_string(i) + ",a");
  for (const std::string& line : lines) text += line + (&line == &lines.back() ? "" : "\r\n");
  const std::string from = put("t.csv", text);
  std::array<unsigned char, Key::kSize> bytes{};
  const Key key = Key::from_bytes(bytes);
  std::string first;
  for (const std::uint64_t rows : {0, 1, 7, 999}) {
    TableOptions options;
    options.batch_rows = rows;
    options.temp_folder = folder_.path();
    ASSERT_TRUE(splice(*Table::open(from, options), path("out.csv"), {1}, {}, keep, key));
    const std::string out = get(path("out.csv"));
    if (first.empty()) first = out;
    EXPECT_EQ(out, first);
  }
  std::vector<std::string> shuffled;
  std::istringstream in(first);
  for (std::string line; std::getline(in, line);)
    shuffled.push_back(line.substr(0, line.size() - 1));
  ASSERT_EQ(shuffled.front(), "a,b");
  shuffled.erase(shuffled.begin());
  EXPECT_FALSE(std::is_sorted(shuffled.begin(), shuffled.end()));
  EXPECT_NE(shuffled, lines);
  std::sort(shuffled.begin(), shuffled.end());
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(shuffled, lines);
}

TEST_F(CsvTable, APipeIsReadTwiceThroughASpoolAndOnceAsItComes) {
  std::string text = "a,b\n";
  for (int i = 0; i < 50000; ++i) text += std::to_string(i) + ",secret\n";
  const std::string fifo = path("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  TableOptions options;
  options.temp_folder = folder_.path();
  {
    std::thread writer([&] { std::ofstream(fifo, std::ios::binary) << text; });
    const auto table = Table::open(fifo, options);
    writer.join();
    ASSERT_TRUE(table) << table.error().message;
    EXPECT_EQ(table->bytes(), text.size());
    ASSERT_TRUE(splice(*table, path("out.csv"), {1}, {}, keep));
    EXPECT_EQ(get(path("out.csv")), text);
    EXPECT_THAT(names(), ElementsAre("fifo", "out.csv"));
  }
  // A batch arrives before the writer is done.
  std::thread writer([&] {
    const int to = ::open(fifo.c_str(), O_WRONLY);
    EXPECT_EQ(::write(to, "a,b\n1,2\n3,", 10), 10);
    ::usleep(200'000);
    EXPECT_EQ(::write(to, "4\n", 2), 2);
    ::close(to);
  });
  const auto table = Table::stream(fifo, options);
  Dictionary dictionary;
  auto source = *table->read({0});
  const auto batch = *source->next({&dictionary, 1});
  EXPECT_EQ(batch->rows, 1U);
  EXPECT_EQ((*source->next({&dictionary, 1}))->rows, 1U);
  EXPECT_EQ(*source->next({&dictionary, 1}), nullptr);
  EXPECT_FALSE(table->read({0}));
  writer.join();
}

TEST_F(CsvTable, ASpoolHoldsNoPlainTextAndReadsFromAnyPlace) {
  const auto spool = *Spool::create(folder_.path(), 128);
  std::string text;
  for (int i = 0; i < 400; ++i) text += "secret" + std::to_string(i);
  for (std::size_t at = 0; at < text.size(); at += 37) {
    ASSERT_TRUE(spool->append(std::string_view(text).substr(at, 37)));
  }
  ASSERT_TRUE(spool->finish());
  EXPECT_TRUE(names().empty());
  // The file is open somewhere in this process.
  bool seen = false;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code ignored;
    const auto target = std::filesystem::read_symlink(entry.path(), ignored).string();
    if (!target.starts_with(folder_.path())) continue;
    const std::string stored = get(entry.path());
    EXPECT_EQ(stored.size(), text.size());
    EXPECT_EQ(stored.find("secret"), std::string::npos);
    seen = true;
  }
  EXPECT_TRUE(seen);
  std::string back(text.size(), '\0');
  for (const std::size_t from : {0, 1, 63, 64, 65, 1000}) {
    std::size_t at = from;
    while (at < text.size()) {
      const auto got = spool->read(at, back.data() + at, 100);
      ASSERT_TRUE(got && *got > 0);
      at += *got;
    }
    EXPECT_EQ(back.substr(from), text.substr(from));
  }
  const auto nowhere = Spool::create(path("no such folder"));
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::kSystem);
}

TEST(Dictionaries, NumberTextsAsTheyCome) {
  Dictionary dictionary;
  test::Random random(3);
  std::map<std::string, Code> expected;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    std::string text(random.below(20), 'a');
    for (char& c : text) c = static_cast<char>(random.below(3));
    const auto [known, fresh] = expected.emplace(text, static_cast<Code>(expected.size()));
    EXPECT_EQ(dictionary.find(text).has_value(), !fresh);
    ASSERT_EQ(dictionary.add(text, i), known->second);
    if (fresh) {
      EXPECT_EQ(dictionary.first_line(known->second), i);
    }
  }
  ASSERT_EQ(dictionary.size(), expected.size());
  for (const auto& [text, code] : expected) EXPECT_EQ(dictionary.text(code), text);
}

// Texts of 0 to 19 letters, three of them; what is behind a text does not matter.
TEST(Dictionaries, FindManyTextsAtOnce) {
  test::Random random(4);
  Dictionary dictionary;
  std::array<Code, Dictionary::kAtOnce> codes;
  std::size_t asked = 0, found_in_a_hurry = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::size_t some = 1 + random.below(Dictionary::kAtOnce);
    std::vector<std::string> padded;
    std::vector<std::string_view> texts;
    for (std::size_t i = 0; i < some; ++i) {
      std::string text(random.below(20), 'a');
      for (char& c : text) c = static_cast<char>(random.below(3));
      padded.push_back(text + std::string(16, random.one_in(2) ? 'x' : '\0'));
      texts.push_back(std::string_view(padded.back()).substr(0, text.size()));
    }
    const std::uint64_t lost = dictionary.find_padded(texts, codes);
    ASSERT_EQ(some == Dictionary::kAtOnce ? 0 : lost >> some, 0U);
    for (std::size_t i = 0; i < some; ++i) {
      const std::optional<Code> known = dictionary.find(texts[i]);
      const bool found = (lost >> i & 1U) == 0;
      if (found) {
        ASSERT_EQ(codes[i], known);
      }
      asked += known.has_value() ? 1 : 0;
      found_in_a_hurry += found ? 1 : 0;
    }
    for (const std::string_view text : texts) {
      if (random.one_in(4)) dictionary.add(text, 1);
    }
  }
  // The slots are a quarter full at most: nearly all stand in the first two.
  EXPECT_GT(found_in_a_hurry * 100, asked * 95);
}

}  // namespace
}  // namespace semveil
