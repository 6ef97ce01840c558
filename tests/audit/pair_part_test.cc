// An audit of parts is the audit of the whole tables, for every method and rule; and bytes that are
// no part are refused.
#include "semveil/pair_part.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include "audit/pair_counts.h"
#include "base/byte_form.h"
#include "semveil/files.h"
#include "semveil/json.h"
#include "semveil/memory_table.h"
#include "semveil/method.h"
#include "support/slow_taxonomy.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using test::value_or_throw;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Two diseases are called fever; "?" stands for nothing, "unheard" for no disease.
std::string disease_terms() {
  std::string out = "format-version: 1.2\n\n[Term]\nid: D\nname: disease\n";
  for (int i = 0; i < 12; ++i) {
    const std::string group = "g" + std::to_string(i / 4);
    if (i % 4 == 0) out += "\n[Term]\nid: " + group + "\nname: group " + group + "\nis_a: D\n";
    const std::string name = "d" + std::to_string(i);
    out += "\n[Term]\nid: " + name + "\nname: disease " + name + "\nis_a: " + group + "\n";
    if (i == 1 || i == 6) out += "synonym: \"fever\" EXACT []\n";
  }
  return out;
}

constexpr const char* kHeader = "id,a,b,age,job,note,person";

std::vector<std::string> people(bool complete) {
  std::mt19937 random(7);
  const auto draw = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  constexpr std::array kJobs{"clerk", "cook", "nurse", "smith", "baker"};
  std::string diseases;
  std::vector<std::string> rows;
  for (unsigned row = 0; row < 150; ++row) {
    const auto cell = [&](std::string text, const char* missing) {
      return draw(15) == 0 && !complete ? std::string(missing) : text;
    };
    const auto disease = [&](unsigned n) { return "d" + std::to_string(draw(n)); };
    std::string a = cell(disease(12), "");
    if (draw(20) == 0 && !complete) a = draw(2) == 0 ? "unheard" : "fever";
    const std::string both = a + "," + cell(disease(3), "?");
    if (row % 3 != 1) diseases = both;  // else as in this person's record before
    rows.push_back("r" + std::to_string(row) + "," + diseases + "," +
                   cell(std::to_string(20 + draw(12)), "") + "," + cell(kJobs[draw(5)], "?") +
                   ",n" + std::to_string(draw(120)) + ",p" + std::to_string(row / 3));
  }
  return rows;
}

struct PartsCase {
  std::string method, mask;
  std::string top = "";  // of the plan
  std::string unmapped = "suppress";
  bool complete = false;  // no cell is missing or unmapped
  // The release has records that the original does not have, too.
  bool strangers = false;
  bool suppressed = false;  // some records of the release are empty
};

const PartsCase kSuppressing{
    "generalize", "k = 3\ncolumns = ['a', 'b']\npartial = true\n", "", "suppress", false, false,
    true};

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream in(path);
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

std::string key_of(const std::string& line) { return line.substr(0, line.find(',')); }

// Rows of two tables side by side, as after an outer join by the key.
struct Joined {
  std::string original_header, masked_header;
  std::vector<std::string> original, masked;  // lines
  std::vector<bool> not_in_original, not_in_masked;

  void add(const std::string& was, const std::string& is) {
    const auto empty = [](const std::string& header) {
      return std::string(static_cast<std::size_t>(std::ranges::count(header, ',')), ',');
    };
    original.push_back(was.empty() ? empty(original_header) : was);
    masked.push_back(is.empty() ? empty(masked_header) : is);
    not_in_original.push_back(was.empty());
    not_in_masked.push_back(is.empty());
  }
};

class PairParts : public testing::Test {
 protected:
  void prepare(const PartsCase& about) {
    write("d.obo", disease_terms());
    write("job.levels", "clerk,cook\nnurse\nsmith,baker\n");
    write("d.categories", "d0, d1, d2, d3\nd4, d5, d6, d7\nd8, d9, d10, d11\n");
    write_lines("original.csv", kHeader, people(about.complete));
    write("plan.toml", plan_text(about));
    mask();
    if (about.strangers) add_strangers();
    if (about.suppressed) suppress_some();
  }

  static std::string plan_text(const PartsCase& about) {
    std::string plan =
        "missing_values = ['', '?']\n" + about.top + "[ontology.d]\nsource = 'obo:d.obo'\n";
    for (const char* column : {"a", "b"}) {
      plan += std::string("[column.") + column +
              "]\nrole = 'quasi-identifier'\nontology = 'd'\nroot = 'D'\nunmapped = '" +
              about.unmapped + "'\n";
    }
    plan +=
        "[column.age]\nrole = 'quasi-identifier'\ntype = 'numeric'\n"
        "[column.job]\nrole = 'sensitive'\nlevels = 'job.levels'\n"
        "[column.person]\nrole = 'identifier'\n";
    return about.method.empty() ? plan
                                : plan + "[mask]\nmethod = '" + about.method + "'\n" + about.mask;
  }

  void mask() const {
    if (!plan().masks()) {
      write_lines("masked.csv", kHeader, people(false));
      return;
    }
    const Table table = open("original.csv");
    const Survey surveyed = value_or_throw(survey(table, plan(), work()));
    const Key key = Key::from_bytes(std::array<unsigned char, Key::kSize>{5});
    const Model model = value_or_throw(Model::fit(surveyed, plan(), key, work()));
    ApplyOptions options;
    options.work = work();
    options.output = path("masked.csv");
    options.survey = &surveyed;
    PendingRelease release = value_or_throw(apply(model, table, options));
    ASSERT_TRUE(release.commit());
  }

  // All cells of what is identifying or sensitive; the last column stays.
  void suppress_some() const {
    std::vector<std::string> masked = lines_of(path("masked.csv"));
    const std::string header = masked.front();
    masked.erase(masked.begin());
    for (std::size_t i = 0; i < masked.size(); i += 10) {
      masked[i] = key_of(masked[i]) + ",,,," + masked[i].substr(masked[i].rfind(','));
    }
    write_lines("masked.csv", header, masked);
  }

  void add_strangers() const {
    std::vector<std::string> masked = lines_of(path("masked.csv"));
    const std::string header = masked.front();
    masked.erase(masked.begin());
    for (const std::size_t at : {40U, 3U}) {
      masked.insert(masked.begin() + static_cast<std::ptrdiff_t>(at),
                    "s" + masked[at].substr(key_of(masked[at]).size()));
    }
    masked[3][0] = 't';
    write_lines("masked.csv", header, masked);
  }

  Joined joined() const {
    const std::vector<std::string> before = lines_of(path("original.csv"));
    const std::vector<std::string> after = lines_of(path("masked.csv"));
    Joined out{before[0], after[0], {}, {}, {}, {}};
    std::set<std::string> known;
    for (const std::string& line : before) known.insert(key_of(line));
    std::size_t at = 1;
    const auto add_unknown = [&] {
      for (; at < after.size() && !known.contains(key_of(after[at])); ++at) out.add("", after[at]);
    };
    for (std::size_t i = 1; i < before.size(); ++i) {
      add_unknown();
      const bool same = at < after.size() && key_of(after[at]) == key_of(before[i]);
      out.add(before[i], same ? after[at] : "");
      at += same ? 1 : 0;
    }
    add_unknown();
    return out;
  }

  PairPart part(const Joined& rows, std::size_t first, std::size_t end,
                const PlanFile& plan) const {
    const auto slice = [&](const auto& all) {
      using List = std::remove_cvref_t<decltype(all)>;
      return List(all.begin() + static_cast<std::ptrdiff_t>(first),
                  all.begin() + static_cast<std::ptrdiff_t>(end));
    };
    write_lines("o.csv", rows.original_header, slice(rows.original));
    write_lines("m.csv", rows.masked_header, slice(rows.masked));
    return value_or_throw(
        PairPart::count(open("o.csv"), open("m.csv"), plan,
                        {first, slice(rows.not_in_original), slice(rows.not_in_masked)}, work()));
  }

  // Cut into so many parts, some of no rows, in no order.
  std::vector<PairPart> parts(std::size_t count) const {
    const Joined rows = joined();
    std::mt19937 random(static_cast<unsigned>(count));
    std::vector<std::size_t> cuts{0, rows.original.size()};
    while (cuts.size() <= count) cuts.push_back(random() % rows.original.size());
    if (count > 4) cuts[3] = cuts[2];
    std::ranges::sort(cuts);
    std::vector<PairPart> out;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      out.push_back(part(rows, cuts[i], cuts[i + 1], plan()));
    }
    std::ranges::shuffle(out, random);
    return out;
  }

  static PairPart merged(const std::vector<PairPart>& parts) {
    PairPart all;
    for (const PairPart& one : parts) {
      const Status merged = all.merge(value_or_throw(PairPart::from_bytes(one.to_bytes())));
      EXPECT_TRUE(merged) << describe(merged.error(), Quote::kShow);
    }
    return value_or_throw(PairPart::from_bytes(all.to_bytes()));
  }

  static Audit audit_of(const TablePair& pair) {
    AuditOptions options;
    options.clusters = 4;
    return value_or_throw(audit(pair, options));
  }
  Audit audit_of(const PairPart& all) const {
    return audit_of(value_or_throw(pair_tables(all, plan(), options())));
  }
  Audit audit_of_whole() const {
    const Table original = open("original.csv"), masked = open("masked.csv");
    return audit_of(value_or_throw(pair_tables(original, masked, plan(), options())));
  }

  static WorkOptions work() {
    WorkOptions options;
    options.use_cache = false;
    return options;
  }
  static PairOptions options() {
    PairOptions options;
    options.work = work();
    options.key = "id";
    return options;
  }
  void write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(write_file(path(name), text));
  }
  void write_lines(const std::string& name, const std::string& header,
                   const std::vector<std::string>& lines) const {
    std::string text = header + "\n";
    for (const std::string& line : lines) text += line + "\n";
    write(name, text);
  }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  Table open(const std::string& name) const {
    TableOptions options;
    options.missing_values = {"", "?"};
    return value_or_throw(Table::open(path(name), options));
  }
  PlanFile plan() const { return value_or_throw(PlanFile::read(path("plan.toml"))); }

  test::TemporaryFolder folder_;
};

class EveryMethodInParts : public PairParts, public testing::WithParamInterface<PartsCase> {};

TEST_P(EveryMethodInParts, IsAuditedAsTheWhole) {
  prepare(GetParam());
  const std::string whole = to_json(audit_of_whole(), "steward");
  std::string bytes;
  for (const std::size_t count : {1U, 3U, 16U}) {
    const PairPart all = merged(parts(count));
    EXPECT_EQ(to_json(audit_of(all), "steward"), whole) << count;
    if (!bytes.empty()) {
      EXPECT_EQ(all.to_bytes(), bytes) << count;
    }
    bytes = all.to_bytes();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Tables, EveryMethodInParts,
    testing::Values(
        PartsCase{"noise", "alpha = 0.5\n"}, PartsCase{"noise", "alpha = 0.5\n", "", "keep"},
        PartsCase{"noise", "alpha = 0.5\ncolumns = ['a']\n", "missing = 'category'\n"},
        PartsCase{"noise", "alpha = 0.5\ndraw_by = 'person'\n"},
        PartsCase{"noise", "alpha = 0.5\n", "missing = 'error'\n", "error", true},
        PartsCase{"noise", "alpha = 0.5\n", "missing = 'drop-record'\n"},
        PartsCase{"noise", "alpha = 0.5\n", "missing = 'drop-record'\n", "keep", false, true},
        PartsCase{"naive", "", "", "suppress", false, true},
        PartsCase{"probabilistic", "draw_by = 'person'\n", "missing = 'wildcard'\n"},
        PartsCase{"swap", "k = 3\n"}, PartsCase{"swap", "k = 3\ncolumns = ['age', 'b']\n"},
        PartsCase{"random-swap", "", "missing = 'category'\n", "keep"},
        PartsCase{"distributional-swap", "k = 3\n", "missing = 'drop-record'\n"},
        PartsCase{"fuse", "k = 3\ncolumns = ['a', 'b']\npartial = true\n"},
        PartsCase{"fuse", "k = 3\ncolumns = ['a', 'b']\npartial = true\n", "missing = 'category'\n",
                  "generalize"},
        PartsCase{"fuse", "k = 3\ncolumns = ['a', 'b']\npartial = true\n",
                  "missing = 'wildcard'\n"},
        PartsCase{"recode", "k = 20\ncolumns = ['a']\n"},
        PartsCase{"generalize", "k = 3\nsuppression = 0.3\ncolumns = ['a', 'b']\npartial = true\n"},
        PartsCase{"generalize", "k = 3\nsuppression = 0.3\ncolumns = ['a', 'b']\npartial = true\n",
                  "missing = 'drop-record'\n", "generalize", false, true},
        kSuppressing, PartsCase{"microaggregate", "k = 3\n", "", "suppress", true},
        PartsCase{"", "", "missing = 'wildcard'\n"}),
    [](const auto& tested) {
      std::string name = tested.param.method + "_" + std::to_string(tested.index);
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

TEST(PairPartCases, AreOfEveryMethodWithoutSets) {
  std::set<std::string, std::less<>> tested;
  for (const auto* method :
       {"noise", "naive", "probabilistic", "swap", "random-swap", "distributional-swap", "fuse",
        "recode", "generalize", "microaggregate"}) {
    tested.insert(method);
  }
  for (const Method* method : methods()) {
    const MethodDescription& about = method->about();
    if (about.recodes()) continue;  // tests/cli/test_steps.py
    EXPECT_EQ(tested.contains(method->name()), !about.releases_sets) << method->name();
  }
}

// ---- What the cases are made of

TEST_F(PairParts, HaveDroppedRecordsStrangersAndTextsWithoutMeaning) {
  prepare({"noise", "alpha = 0.5\n", "missing = 'drop-record'\n", "keep", false, true});
  const Audit found = audit_of(merged(parts(16)));
  EXPECT_LT(found.masked_records, found.original_records);
  EXPECT_EQ(found.paired, found.masked_records - 2);
  EXPECT_GT(found.columns[0].left_unmapped, 0U);
  EXPECT_THAT(found.findings, Contains(Field(&Finding::id, "keys-unknown")));
}

TEST_F(PairParts, TakeNoCellOfASuppressedRecordForAChangedOne) {
  prepare(kSuppressing);
  EXPECT_EQ(std::ranges::count_if(
                lines_of(path("masked.csv")),
                [](const std::string& line) { return line.find(",,,,,") != line.npos; }),
            15);
  const Audit found = audit_of(merged(parts(16)));
  EXPECT_THAT(found.unmasked, Not(Contains("job")));  // nor for one that came through
  EXPECT_THAT(found.changed, IsEmpty());
}

TEST_F(PairParts, KnowWhichRecordsAreOnePersons) {
  prepare({"noise", "alpha = 0.5\ndraw_by = 'person'\ncolumns = ['a', 'b']\n"});
  EXPECT_THAT(audit_of(merged(parts(16))).findings,
              Contains(Field(&Finding::id, "draw-by-links-records")));
}

TEST_F(PairParts, LeaveSetsOutAndSaySo) {
  prepare({"ean", "columns = ['a']\ncategories = 'd.categories'\n", "", "suppress", true});
  const Audit found = audit_of(merged(parts(3)));
  EXPECT_THAT(found.findings, Contains(Field(&Finding::id, "sets-left-out")));
  EXPECT_THAT(found.columns, Not(Contains(Field(&AuditedColumn::name, "a"))));
  EXPECT_THAT(found.columns, Contains(Field(&AuditedColumn::name, "b")));
  EXPECT_THAT(audit_of_whole().findings, Not(Contains(Field(&Finding::id, "sets-left-out"))));
}

TEST_F(PairParts, CompareFirstCellsAcrossParts) {
  prepare({"noise", "alpha = 0.5\n"});
  EXPECT_THAT(audit_of(merged(parts(16))).unmasked, Contains("note"));
  EXPECT_THAT(audit_of(merged(parts(16))).findings,
              Contains(Field(&Finding::id, "column-tells-people")));
}

TEST_F(PairParts, MergeTheSameInAnyOrderAndInPairs) {
  prepare({"fuse", "k = 3\ncolumns = ['a', 'b']\npartial = true\n"});
  std::vector<PairPart> some = parts(16);
  const std::string bytes = merged(some).to_bytes();
  std::ranges::reverse(some);
  EXPECT_EQ(merged(some).to_bytes(), bytes);
  while (some.size() > 1) {  // two and two
    std::vector<PairPart> fewer;
    for (std::size_t i = 0; i < some.size(); i += 2) {
      fewer.push_back(std::move(some[i]));
      if (i + 1 == some.size()) break;
      ASSERT_TRUE(fewer.back().merge(some[i + 1]));
    }
    some = std::move(fewer);
  }
  EXPECT_EQ(some[0].to_bytes(), bytes);
}

// ---- Batches in memory

// A table as the structs of the Arrow C data interface, every column as texts.
struct BatchStructs {
  ArrowSchema schema{};
  ArrowArray array{};
};
BatchStructs batch_of(const Table& table) {
  MemoryOutput output;
  const auto sink = value_or_throw(table.write(output, {}));
  const auto source = value_or_throw(table.read({}));
  for (;;) {
    const auto batch = value_or_throw(source->next({}));
    if (batch == nullptr) break;
    EXPECT_TRUE(sink->write(value_or_throw(sink->render(*batch, {}))));
  }
  EXPECT_TRUE(sink->finish());
  EXPECT_TRUE(sink->commit());
  BatchStructs out;
  EXPECT_TRUE(output.batch(&out.schema, &out.array));
  return out;
}

TEST_F(PairParts, AreCountedOfBatchesInMemory) {
  prepare({"swap", "k = 3\n"});
  BatchStructs original = batch_of(open("original.csv")), masked = batch_of(open("masked.csv"));
  const PairPart counted = value_or_throw(
      PairPart::count(&original.schema, &original.array, &masked.schema, &masked.array, plan()));
  EXPECT_EQ(original.array.release, nullptr);
  EXPECT_EQ(masked.schema.release, nullptr);
  EXPECT_EQ(counted.to_bytes(), merged(parts(1)).to_bytes());
}

TEST_F(PairParts, MoveFromBothBatchesWhereOneIsRefused) {
  prepare({"swap", "k = 3\n"});
  BatchStructs original, masked = batch_of(open("masked.csv"));
  EXPECT_FALSE(
      PairPart::count(&original.schema, &original.array, &masked.schema, &masked.array, plan()));
  EXPECT_EQ(masked.array.release, nullptr);
}

// ---- What is refused

std::string message(const Status& status) { return status ? "" : status.error().message; }
template <class T>
std::string message(const Result<T>& result) {
  return result ? "" : result.error().message;
}

TEST_F(PairParts, OfNothingAndOfNoRowsSayNothing) {
  prepare({"noise", "alpha = 0.5\n"});
  EXPECT_THAT(message(pair_tables(PairPart(), plan(), options())), HasSubstr("no part"));
  const PairPart none = value_or_throw(PairPart::from_bytes(PairPart().to_bytes()));
  PairPart all = merged(parts(3));
  const std::string bytes = all.to_bytes();
  const PairPart empty = part(joined(), 5, 5, plan());
  EXPECT_THAT(message(pair_tables(empty, plan(), options())), HasSubstr("no records"));
  ASSERT_TRUE(all.merge(none));
  ASSERT_TRUE(all.merge(empty));
  EXPECT_EQ(all.to_bytes(), bytes);
}

TEST_F(PairParts, OfAnotherPlanAreRefused) {
  prepare({"noise", "alpha = 0.5\n"});
  const Joined rows = joined();
  PairPart some = part(rows, 0, 20, plan());
  const std::string bytes = some.to_bytes();
  const PlanFile first = plan();
  write("plan.toml", plan_text({"noise", "alpha = 0.5\ncolumns = ['a']\n"}));
  EXPECT_THAT(message(some.merge(part(rows, 20, 40, plan()))), HasSubstr("different plans"));
  EXPECT_EQ(some.to_bytes(), bytes);
  EXPECT_THAT(message(pair_tables(some, plan(), options())), HasSubstr("another plan"));
  write("plan.toml", plan_text({"noise", "alpha = 0.5\ndraw_by = 'person'\n"}));
  EXPECT_THAT(message(some.merge(part(rows, 20, 40, plan()))), HasSubstr("different plans"));
  EXPECT_THAT(message(pair_tables(some, plan(), options())), HasSubstr("another plan"));
  write("plan.toml", plan_text({"noise", "alpha = 0.7\n"}));  // nothing of it is counted
  EXPECT_EQ(message(some.merge(part(rows, 20, 40, plan()))), "");
  EXPECT_EQ(message(pair_tables(some, plan(), options())), "");
}

TEST_F(PairParts, OfOtherTablesAreRefused) {
  prepare({"noise", "alpha = 0.5\n"});
  Joined rows = joined();
  PairPart some = part(rows, 0, 20, plan());
  const std::string header = rows.original_header;
  rows.original_header = "id,a,b,age,job,remark,person";
  EXPECT_THAT(message(some.merge(part(rows, 20, 40, plan()))), HasSubstr("different columns"));
  rows.original_header = header;
  rows.masked_header.replace(rows.masked_header.find("note"), 4, "remark");
  EXPECT_THAT(message(some.merge(part(rows, 20, 40, plan()))), HasSubstr("different columns"));
}

TEST_F(PairParts, ThatOverlapOrLackRowsAreRefused) {
  prepare({"noise", "alpha = 0.5\n"});
  const Joined rows = joined();
  PairPart some = part(rows, 0, 20, plan());
  EXPECT_THAT(message(some.merge(part(rows, 10, 30, plan()))),
              HasSubstr("rows 10 to 19 are in both"));
  EXPECT_EQ(message(some.merge(part(rows, 30, 40, plan()))), "");
  EXPECT_THAT(message(pair_tables(some, plan(), options())),
              HasSubstr("nobody counted the rows from 20 to 29"));
}

TEST_F(PairParts, NeedAsManyRowsOfBothTables) {
  prepare({"noise", "alpha = 0.5\n"});
  write_lines("o.csv", kHeader, {"r1,d1,d1,20,cook,n,p", "r2,d1,d1,20,cook,n,p"});
  write_lines("m.csv", kHeader, {"r1,d1,d1,20,cook,n,p"});
  EXPECT_THAT(message(PairPart::count(open("o.csv"), open("m.csv"), plan())),
              HasSubstr("more rows than the other"));
  EXPECT_THAT(message(PairPart::count(open("m.csv"), open("m.csv"), plan(), {0, {true, true}, {}})),
              HasSubstr("1 rows"));
}

TEST_F(PairParts, OfNoPairsAreRefused) {
  prepare({"noise", "alpha = 0.5\n"});
  write_lines("o.csv", kHeader, {"r1,d1,d1,20,cook,n,p", ",,,,,,"});
  write_lines("m.csv", kHeader, {",,,,,,", "r2,d1,d1,20,cook,n,p"});
  const PairPart alone = value_or_throw(
      PairPart::count(open("o.csv"), open("m.csv"), plan(), {0, {false, true}, {true, false}}));
  EXPECT_THAT(message(pair_tables(alone, plan(), options())), HasSubstr("no record"));
}

// ---- Damaged bytes

TEST_F(PairParts, AreRefusedWhereBytesAreDamaged) {
  prepare({"noise", "alpha = 0.5\ndraw_by = 'person'\n"});
  const std::string bytes = part(joined(), 0, 12, plan()).to_bytes();
  const auto code = [](std::string_view some) {
    const Result<PairPart> read = PairPart::from_bytes(some);
    return read ? std::nullopt : std::optional(read.error().code);
  };
  EXPECT_EQ(code(bytes), std::nullopt);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_EQ(code(std::string_view(bytes).substr(0, size)), ErrorCode::kData) << size;
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1U << (at % 8)));
    ASSERT_EQ(code(damaged), ErrorCode::kData) << at;
  }
  EXPECT_EQ(code(bytes + "x"), ErrorCode::kData);
}

// An audit of so many records would have no end.
TEST_F(PairParts, AreRefusedWhereTuplesHaveMoreRecordsThanThereAreRows) {
  prepare({"noise", "alpha = 0.5\n"});
  const std::string bytes = part(joined(), 0, 6, plan()).to_bytes();
  for (SideCounts PairCounts::* side : {&PairCounts::original, &PairCounts::masked}) {
    std::optional<PairCounts> counts = value_or_throw(counts_from(bytes));
    PlacedTuples& tuples = ((*counts).*side).tuples;
    const std::vector<Code> first(tuples.tuple(0).begin(), tuples.tuple(0).end());
    EXPECT_TRUE(PairPart::from_bytes(bytes_of(counts)));
    tuples.add(first, std::uint64_t{1} << 40U, 0);
    EXPECT_FALSE(PairPart::from_bytes(bytes_of(counts)));
  }
}

// Bytes whose checksum was made to fit: whatever they say, they are read or refused, and what is
// read can be used.
TEST_F(PairParts, AreReadOrRefusedWhereBytesAreForged) {
  prepare({"noise", "alpha = 0.5\ndraw_by = 'person'\n"});
  const std::string bytes = part(joined(), 0, 6, plan()).to_bytes();
  const std::string body(value_or_throw(unsealed(kPairForm, bytes)));
  std::mt19937 random(3);
  std::size_t refused = 0;
  for (std::size_t at = 0; at < body.size(); ++at) {
    for (const auto forged_byte : {0x00U, 0x7FU, 0xFFU, static_cast<unsigned>(random())}) {
      std::string forged = body;
      forged[at] = static_cast<char>(forged_byte);
      const Result<PairPart> read = PairPart::from_bytes(sealed(kPairForm, forged));
      refused += read ? 0 : 1;
      if (!read) continue;
      PairPart all = value_or_throw(PairPart::from_bytes(read->to_bytes()));
      EXPECT_EQ(all.to_bytes(), read->to_bytes());
    }
    EXPECT_FALSE(PairPart::from_bytes(sealed(kPairForm, body.substr(0, at))));
  }
  EXPECT_GT(refused, body.size() / 2);
}

}  // namespace
}  // namespace semveil
