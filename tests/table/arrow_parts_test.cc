// A table that is counted and masked in parts is released as the whole is: the same survey, model,
// cells and summary, and the same refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "arrow_memory.h"
#include "base/byte_form.h"
#include "semveil/batch.h"
#include "semveil/files.h"
#include "semveil/json.h"
#include "semveil/method.h"
#include "semveil/parts.h"
#include "semveil/release_findings.h"
#include "support/slow_taxonomy.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using test::cells_of;
using test::memory_table;
using test::taken;
using test::value_or_throw;
using testing::HasSubstr;

struct Setting {
  std::string name, mask;
  std::string top = "";        // of the plan
  std::string a = "", b = "";  // further keys of these columns
  std::string illness = "role = 'sensitive'\n";
  std::string undeclared = "";
};

void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.name; }

using Batches = std::vector<std::shared_ptr<arrow::RecordBatch>>;

// Cut at places that leave parts of different sizes, some without rows.
Batches cut(const arrow::Table& table, std::size_t parts) {
  const auto whole = table.CombineChunksToBatch().ValueOrDie();
  std::mt19937 random(static_cast<unsigned>(parts));
  std::vector<std::int64_t> ends{whole->num_rows()};
  while (ends.size() < parts) {
    ends.push_back(static_cast<std::int64_t>(random()) % (whole->num_rows() + 1));
  }
  if (parts > 3) ends[1] = ends[2] = 0;  // nothing, at the beginning
  std::ranges::sort(ends);
  Batches out;
  std::int64_t begin = 0;
  for (const std::int64_t end : ends) {
    out.push_back(whole->Slice(begin, end - begin));
    begin = end;
  }
  return out;
}

class Parts : public testing::TestWithParam<Setting> {
 protected:
  void SetUp() override {
    std::string edges = "child,parent\n";
    for (int group = 0; group < 3; ++group) {
      edges += "g" + std::to_string(group) + ",disease\n";
      for (int i = 0; i < 4; ++i) {
        edges += "d" + std::to_string(group * 4 + i) + ",g" + std::to_string(group) + "\n";
      }
    }
    ASSERT_TRUE(write_file(path("d.csv"), edges));
    ASSERT_TRUE(
        write_file(path("d.categories"), "d0, d1, d2, d3\nd4, d5, d6, d7\nd8, d9, d10, d11\n"));
    write_plan(GetParam());
    work_.use_cache = false;
  }

  void write_plan(const Setting& setting) {
    const bool has_missing = setting.top.find("missing =") != std::string::npos;
    std::string plan = setting.top + (has_missing ? "" : "missing = 'category'\n");
    plan += "[ontology.d]\nsource = 'edges:d.csv'\n";
    const std::string word = "ontology = 'd'\nroot = 'disease'\n";
    plan += "[column.a]\nrole = 'quasi-identifier'\n" + word + setting.a;
    plan += "[column.b]\nrole = 'quasi-identifier'\n" + word + setting.b;
    plan += "[column.age]\nrole = 'quasi-identifier'\ntype = 'numeric'\n";
    plan += "[column.ward]\nrole = 'quasi-identifier'\n";
    plan += "[column.illness]\n" + setting.illness;
    plan += "[column.id]\nrole = 'identifier'\n";
    const bool several = setting.mask.find("[[mask]]") != std::string::npos;
    plan += std::string(several ? "[[mask]]" : "[mask]") + "\nmethod = '" + setting.name + "'\n" +
            setting.mask;
    ASSERT_TRUE(write_file(path("plan.toml"), plan));
  }

  // Few values, so that there are classes. `unmapped`: some cells of b mean nothing.
  std::shared_ptr<arrow::Table> table(unsigned seed = 1, int rows = 400) const {
    std::mt19937 random(seed);
    const auto draw = [&](unsigned n) { return static_cast<unsigned>(random()) % n; };
    arrow::StringDictionary32Builder a;
    arrow::StringBuilder b, ward, illness, note, id;
    arrow::Int16Builder age;
    const bool unmapped = GetParam().b.find("unmapped") != std::string::npos;
    for (int row = 0; row < rows; ++row) {
      const unsigned word = draw(12);
      EXPECT_TRUE((draw(30) == 0 ? a.AppendNull() : a.Append("d" + std::to_string(word))).ok());
      const bool odd = unmapped && draw(20) == 0;
      EXPECT_TRUE((draw(30) == 0 ? b.AppendNull()
                   : odd         ? b.Append("odd " + std::to_string(draw(4)))
                                 : b.Append("d" + std::to_string(draw(3))))
                      .ok());
      EXPECT_TRUE(age.Append(static_cast<std::int16_t>(20 + draw(3))).ok());
      EXPECT_TRUE(ward.Append("ward " + std::to_string(draw(2))).ok());
      EXPECT_TRUE(illness.Append("ill " + std::to_string(draw(5))).ok());
      EXPECT_TRUE(note.Append("the note of " + std::to_string(word)).ok());  // tells a
      EXPECT_TRUE(id.Append("person " + std::to_string(draw(90))).ok());
    }
    const arrow::ArrayVector columns{id.Finish().ValueOrDie(),   a.Finish().ValueOrDie(),
                                     b.Finish().ValueOrDie(),    age.Finish().ValueOrDie(),
                                     ward.Finish().ValueOrDie(), illness.Finish().ValueOrDie(),
                                     note.Finish().ValueOrDie()};
    const std::array<const char*, 7> names{"id", "a", "b", "age", "ward", "illness", "note"};
    arrow::FieldVector fields;
    for (std::size_t j = 0; j < names.size(); ++j) {
      fields.push_back(arrow::field(names[j], columns[j]->type()));
    }
    return arrow::Table::Make(arrow::schema(fields), columns);
  }

  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  PlanFile plan() const { return value_or_throw(PlanFile::read(path("plan.toml"))); }
  static Key key() { return Key::from_bytes(std::array<unsigned char, Key::kSize>{5}); }

  Result<Survey> survey_in_parts(const Batches& batches) const {
    std::vector<SurveyPart> parts;
    std::uint64_t row = 0;
    for (const auto& batch : batches) {
      ArrowSchema schema{};
      ArrowArray array{};
      EXPECT_TRUE(arrow::ExportRecordBatch(*batch, &array, &schema).ok());
      parts.push_back(value_or_throw(SurveyPart::count(&schema, &array, plan(), row, work_)));
      row += static_cast<std::uint64_t>(batch->num_rows());
    }
    std::shuffle(parts.begin(), parts.end(), std::mt19937(7));
    SurveyPart merged = value_or_throw(SurveyPart::from_bytes(parts[0].to_bytes()));
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const std::string bytes = parts[i].to_bytes();
      EXPECT_TRUE(merged.merge(value_or_throw(SurveyPart::from_bytes(bytes))));
    }
    return Survey::from(std::move(merged), plan(), work_);
  }

  struct Masked {
    std::vector<OutcomePart> parts;
    std::map<std::string, test::CellList> cells;
    std::string refusal;
  };
  // `described`: with the survey's columns.
  Masked mask(const Model& model, const Batches& batches, const Survey* described,
              bool fitted = true) const {
    Masked out;
    Occurrences so_far;
    Batches masked;
    std::uint64_t row = 0;
    const bool deals = plan().about().deals();
    for (const auto& batch : batches) {
      ArrowSchema schema{}, out_schema{};
      ArrowArray array{}, out_array{};
      BatchOptions options;
      options.first_row = row;
      options.fitted = fitted;
      options.before = &so_far;
      if (described != nullptr) options.described = described->described_columns();
      EXPECT_TRUE(arrow::ExportRecordBatch(*batch, &array, &schema).ok());
      auto part = model.mask(&schema, &array, options, &out_schema, &out_array);
      if (!part) {
        out.refusal = part.error().message;
        return out;
      }
      out.parts.push_back(*std::move(part));
      masked.push_back(arrow::ImportRecordBatch(&out_array, &out_schema).ValueOrDie());
      row += static_cast<std::uint64_t>(batch->num_rows());
      if (!deals) continue;
      EXPECT_TRUE(arrow::ExportRecordBatch(*batch, &array, &schema).ok());
      so_far.add(value_or_throw(model.occurrences(&schema, &array)));
    }
    for (const auto& batch : masked) {  // dictionaries and types may differ from batch to batch
      for (const auto& [name, some] :
           cells_of(*arrow::Table::FromRecordBatches({batch}).ValueOrDie())) {
        out.cells[name].insert(out.cells[name].end(), some.begin(), some.end());
      }
    }
    return out;
  }

  static OutcomePart merged(std::vector<OutcomePart> parts) {
    std::shuffle(parts.begin(), parts.end(), std::mt19937(3));
    OutcomePart out = value_or_throw(OutcomePart::from_bytes(parts[0].to_bytes()));
    for (std::size_t i = 1; i < parts.size(); ++i) {
      EXPECT_TRUE(out.merge(value_or_throw(OutcomePart::from_bytes(parts[i].to_bytes()))));
    }
    return out;
  }

  // The whole table, fitted at once and masked in three parts.
  std::pair<Model, OutcomePart> masked_in_three() const {
    const auto cells = table();
    const Table whole = value_or_throw(memory_table(cells, 70));
    const Survey surveyed = value_or_throw(survey(whole, plan(), work_));
    Model model = value_or_throw(Model::fit(surveyed, plan(), key(), work_));
    OutcomePart outcome = merged(mask(model, cut(*cells, 3), nullptr).parts);
    return {std::move(model), std::move(outcome)};
  }

  static std::string told(const MaskResult& result) { return to_json(result, {}); }

  test::TemporaryFolder folder_;
  WorkOptions work_;
};

TEST_P(Parts, AreReleasedAsTheWhole) {
  const auto cells = table();
  const Table whole = value_or_throw(memory_table(cells, 70));
  const Survey surveyed = value_or_throw(survey(whole, plan(), work_));
  const Model model = value_or_throw(Model::fit(surveyed, plan(), key(), work_));
  MemoryOutput out;
  ApplyOptions options;
  options.memory = &out;
  options.survey = &surveyed;
  PendingRelease release = value_or_throw(apply(model, whole, options));
  ASSERT_TRUE(release.commit());
  const std::string expected = told(release.result());
  const auto expected_cells = cells_of(*taken(out));

  for (const std::size_t parts : {1U, 3U, 16U}) {
    const Batches batches = cut(*cells, parts);
    const Survey of_parts = value_or_throw(survey_in_parts(batches));
    const Model of_survey = value_or_throw(Model::fit(of_parts, plan(), key(), work_));
    EXPECT_EQ(value_or_throw(of_survey.to_bytes(Model::KeyIn::kYes)),
              value_or_throw(model.to_bytes(Model::KeyIn::kYes)))
        << parts;
    const auto described = [&](const Survey& counted) {
      const Description description = value_or_throw(describe(counted));
      return to_json(description, findings_of(counted, plan(), description));
    };
    EXPECT_EQ(described(of_parts), described(surveyed)) << parts;
    Masked masked = mask(of_survey, batches, &of_parts);
    ASSERT_EQ(masked.refusal, "");
    EXPECT_EQ(masked.cells, expected_cells) << parts;
    FinishOptions finishing;
    finishing.survey = &of_parts;
    const OutcomePart outcome = merged(std::move(masked.parts));
    const Result<MaskResult> finished = finish(of_survey, outcome, finishing);
    ASSERT_TRUE(finished) << describe(finished.error(), Quote::kShow);
    EXPECT_EQ(told(*finished), expected) << parts;
  }
}

// A model from bytes, on a machine without the survey.
TEST_P(Parts, AreToldWithoutASurveyAsTheWholeIs) {
  const auto cells = table();
  const Table whole = value_or_throw(memory_table(cells, 70));
  const Survey surveyed = value_or_throw(survey(whole, plan(), work_));
  const Model fitted = value_or_throw(Model::fit(surveyed, plan(), key(), work_));
  const Model model =
      value_or_throw(Model::from_bytes(value_or_throw(fitted.to_bytes(Model::KeyIn::kYes))));
  MemoryOutput out;
  ApplyOptions options;
  options.memory = &out;
  const PendingRelease release = value_or_throw(apply(model, whole, options));
  const OutcomePart outcome = merged(mask(model, cut(*cells, 5), nullptr).parts);
  const Result<MaskResult> finished = finish(model, outcome);
  ASSERT_TRUE(finished) << describe(finished.error(), Quote::kShow);
  EXPECT_EQ(told(*finished), told(release.result()));
}

// Another table of the same values: apply refuses it without a name, or as it was not fitted.
TEST_P(Parts, OfAnotherTableAreRefusedAsTheWholeIs) {
  const Table whole = value_or_throw(memory_table(table(), 70));
  const Survey surveyed = value_or_throw(survey(whole, plan(), work_));
  const Model model = value_or_throw(Model::fit(surveyed, plan(), key(), work_));
  const auto cells = table(2);
  const Table other = value_or_throw(memory_table(cells, 70));
  MemoryOutput out;
  ApplyOptions options;
  options.memory = &out;
  const Result<PendingRelease> release = apply(model, other, options);
  const Masked masked = mask(model, cut(*cells, 5), nullptr);
  if (release) {  // drawn by person: any table will do
    EXPECT_EQ(masked.refusal, "");
    EXPECT_TRUE(finish(model, merged(mask(model, cut(*cells, 5), nullptr).parts)));
    return;
  }
  if (masked.refusal != "") return;  // it was seen before the end
  const Result<MaskResult> finished =
      finish(model, merged(mask(model, cut(*cells, 5), nullptr).parts));
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().code, release.error().code);
  EXPECT_EQ(finished.error().message, release.error().message);
}

TEST_P(Parts, ThatAreNotAllOfTheTableAreRefused) {
  const auto cells = table();
  const Table whole = value_or_throw(memory_table(cells, 70));
  const Survey surveyed = value_or_throw(survey(whole, plan(), work_));
  const Model model = value_or_throw(Model::fit(surveyed, plan(), key(), work_));
  const bool by_person = GetParam().mask.find("draw_by") != std::string::npos;
  std::vector<OutcomePart> parts = mask(model, cut(*cells, 3), nullptr).parts;
  OutcomePart some = value_or_throw(OutcomePart::from_bytes(parts[0].to_bytes()));
  ASSERT_TRUE(some.merge(parts[2]));
  const Result<MaskResult> missed = finish(model, some);
  EXPECT_EQ(missed.has_value(), by_person);
  if (!missed) {
    EXPECT_THAT(missed.error().message, HasSubstr("nobody masked the rows from"));
  }
  ASSERT_TRUE(some.merge(parts[1]));
  EXPECT_TRUE(finish(model, some));
  ASSERT_TRUE(some.merge(parts[1]));
  EXPECT_EQ(finish(model, some).has_value(), by_person);
}

// The first missing cell is the same, whichever part was merged first.
TEST_P(Parts, WithMissingCellsAreRefusedAsTheWholeIs) {
  Setting strict = GetParam();
  strict.top = "missing = 'error'\n";
  write_plan(strict);
  const auto cells = table();
  const Table whole = value_or_throw(memory_table(cells, 70));
  const Survey surveyed = value_or_throw(survey(whole, plan(), work_));
  const Survey of_parts = value_or_throw(survey_in_parts(cut(*cells, 16)));
  const Result<Model> expected = Model::fit(surveyed, plan(), key(), work_);
  const Result<Model> fitted = Model::fit(of_parts, plan(), key(), work_);
  ASSERT_FALSE(expected);
  ASSERT_FALSE(fitted);
  EXPECT_EQ(fitted.error().message, expected.error().message);
}

// The table between the two passes is another one: two rows have changed places.
TEST_P(Parts, OfATableThatChangedAreRefused) {
  const auto cells = table();
  const Table whole = value_or_throw(memory_table(cells, 70));
  const Survey surveyed = value_or_throw(survey(whole, plan(), work_));
  const Model model = value_or_throw(Model::fit(surveyed, plan(), key(), work_));
  const auto batch = cells->CombineChunksToBatch().ValueOrDie();
  std::int64_t row = 0;  // the first whose masked cells differ from the first row's
  const auto a = batch->GetColumnByName("a");
  while (test::decoded_cell(*a, row)->Equals(*test::decoded_cell(*a, 0))) ++row;
  const Batches turned{batch->Slice(row, 1), batch->Slice(1, row - 1), batch->Slice(0, 1),
                       batch->Slice(row + 1)};
  FinishOptions finishing;
  finishing.survey = &surveyed;
  const Result<MaskResult> finished =
      finish(model, merged(mask(model, turned, &surveyed).parts), finishing);
  ASSERT_FALSE(finished);
  EXPECT_THAT(finished.error().message, HasSubstr("changed while it was read"));
}

// Damaged, and sealed again: whatever is believed of it must not be read outside of its bounds.
template <class Part>
void damage(const ByteForm& form, const std::string& bytes) {
  const std::string body(value_or_throw(unsealed(form, bytes)));
  std::mt19937 random(1);
  for (std::size_t size = 0; size < body.size(); size += 1 + size / 7) {
    EXPECT_FALSE(Part::from_bytes(sealed(form, std::string_view(body).substr(0, size)))) << size;
  }
  EXPECT_FALSE(Part::from_bytes(sealed(form, body + "x")));
  for (int round = 0; round < 300; ++round) {
    std::string other = body;
    for (auto flips = 1 + random() % 3; flips > 0; --flips) {
      other[random() % other.size()] = static_cast<char>(random());
    }
    Result<Part> part = Part::from_bytes(sealed(form, other));
    if (!part) continue;
    const std::string again = part->to_bytes();
    Result<Part> same = Part::from_bytes(again);
    ASSERT_TRUE(same);
    EXPECT_EQ(same->to_bytes(), again);
    Result<Part> whole = Part::from_bytes(bytes);
    ASSERT_TRUE(whole);
    (void)whole->merge(*part);
  }
}

TEST_P(Parts, ThatAreDamagedDoNoHarm) {
  const auto cells = table(1, 60);
  const Batches batches = cut(*cells, 1);
  ArrowSchema schema{};
  ArrowArray array{};
  ASSERT_TRUE(arrow::ExportRecordBatch(*batches[0], &array, &schema).ok());
  const std::string bytes =
      value_or_throw(SurveyPart::count(&schema, &array, plan(), 0, work_)).to_bytes();
  damage<SurveyPart>({"a part of a survey", "semvSURV", 2}, bytes);
  EXPECT_FALSE(OutcomePart::from_bytes(bytes));

  const Table whole = value_or_throw(memory_table(table(), 70));
  const Survey surveyed = value_or_throw(survey(whole, plan(), work_));
  const Model model = value_or_throw(Model::fit(surveyed, plan(), key(), work_));
  const std::vector<OutcomePart> parts = mask(model, cut(*table(), 1), &surveyed).parts;
  ASSERT_EQ(parts.size(), 1U);
  damage<OutcomePart>({"a part of an outcome", "semvOUTC", 3}, parts[0].to_bytes());
}

// Values that are dealt out: batches that know nothing of those before them deal some twice.
TEST_P(Parts, ThatDealSomeValuesTwiceAreRefused) {
  if (!plan().about().deals()) GTEST_SKIP() << "deals nothing out";
  const auto cells = table();
  const Table whole = value_or_throw(memory_table(cells, 70));
  const Survey surveyed = value_or_throw(survey(whole, plan(), work_));
  const Model model = value_or_throw(Model::fit(surveyed, plan(), key(), work_));
  std::vector<OutcomePart> parts;
  std::uint64_t row = 0;
  for (const auto& batch : cut(*cells, 3)) {
    ArrowSchema schema{}, out_schema{};
    ArrowArray array{}, out{};
    BatchOptions options;
    options.first_row = row;
    options.fitted = true;
    ASSERT_TRUE(arrow::ExportRecordBatch(*batch, &array, &schema).ok());
    parts.push_back(value_or_throw(model.mask(&schema, &array, options, &out_schema, &out)));
    ASSERT_TRUE(arrow::ImportRecordBatch(&out, &out_schema).ok());
    row += static_cast<std::uint64_t>(batch->num_rows());
  }
  EXPECT_FALSE(finish(model, merged(std::move(parts))));
}

// The summary's survey is that of the other table: it does not make that table the fitted one.
TEST_P(Parts, OfAnotherTableAreRefusedWithItsSurvey) {
  const bool by_person = GetParam().mask.find("draw_by") != std::string::npos;
  const Table whole = value_or_throw(memory_table(table(), 70));
  const Survey surveyed = value_or_throw(survey(whole, plan(), work_));
  const Model model = value_or_throw(Model::fit(surveyed, plan(), key(), work_));
  const auto cells = table(2);
  const Table other = value_or_throw(memory_table(cells, 70));
  const Survey others = value_or_throw(survey(other, plan(), work_));
  MemoryOutput out;
  ApplyOptions options;
  options.memory = &out;
  options.survey = &others;
  EXPECT_EQ(apply(model, other, options).has_value(), by_person);
  Masked masked = mask(model, cut(*cells, 3), &others);
  if (masked.refusal != "") return;  // it was seen before the end
  FinishOptions finishing;
  finishing.survey = &others;
  EXPECT_EQ(finish(model, merged(std::move(masked.parts)), finishing).has_value(), by_person);
}

TEST_P(Parts, OfAnotherModelAreRefused) {
  const auto cells = table();
  const Table whole = value_or_throw(memory_table(cells, 70));
  const Survey surveyed = value_or_throw(survey(whole, plan(), work_));
  const Model model = value_or_throw(Model::fit(surveyed, plan(), key(), work_));
  const OutcomePart outcome = merged(mask(model, cut(*cells, 3), nullptr).parts);
  ASSERT_TRUE(finish(model, outcome));
  Setting other = GetParam();
  other = other.name == "naive" ? Setting{"probabilistic", ""} : Setting{"naive", ""};
  other.b = GetParam().b;
  write_plan(other);
  const Survey again = value_or_throw(survey(whole, plan(), work_));
  const Model naive = value_or_throw(Model::fit(again, plan(), key(), work_));
  const Result<MaskResult> finished = finish(naive, outcome);
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().message, "the parts were masked by another model");
}

// A part that is missing at the end leaves no gap: the number of records tells.
TEST_P(Parts, ThatAreNotSoManyRecordsAsTheTableAreRefused) {
  const auto [model, outcome] = masked_in_three();
  FinishOptions finishing;
  finishing.records = 401;
  const Result<MaskResult> finished = finish(model, outcome, finishing);
  ASSERT_FALSE(finished);
  EXPECT_THAT(finished.error().message, HasSubstr("have 400 records, and the table has 401"));
  finishing.records = 400;
  EXPECT_TRUE(finish(model, outcome, finishing));
}

TEST_P(Parts, AreNotRecheckedWithoutTheNumberOfRecords) {
  if (!plan().about().looks_up()) GTEST_SKIP() << "looks nothing up";
  const auto [model, outcome] = masked_in_three();
  FinishOptions finishing;
  finishing.recheck = true;
  const Result<MaskResult> finished = finish(model, outcome, finishing);
  ASSERT_FALSE(finished);
  EXPECT_THAT(finished.error().message, HasSubstr("say how many records"));
  finishing.records = 400;
  EXPECT_TRUE(finish(model, outcome, finishing));
}

// Two cells of a column that is not the first have changed places.
TEST_P(Parts, OfATableOfWhichALaterColumnChangedAreRefused) {
  const auto cells = table();
  const Table whole = value_or_throw(memory_table(cells, 70));
  const Survey surveyed = value_or_throw(survey(whole, plan(), work_));
  const Model model = value_or_throw(Model::fit(surveyed, plan(), key(), work_));
  if (std::ranges::count(model.masked_columns(), "b") == 0) GTEST_SKIP() << "b is not masked";
  const auto batch = cells->CombineChunksToBatch().ValueOrDie();
  const auto b = batch->GetColumnByName("b");
  std::int64_t row = 0;
  while (b->GetScalar(row).ValueOrDie()->Equals(*b->GetScalar(0).ValueOrDie())) ++row;
  const auto turned = arrow::Concatenate({b->Slice(row, 1), b->Slice(1, row - 1), b->Slice(0, 1),
                                          b->Slice(row + 1)})
                          .ValueOrDie();
  const auto changed = batch->SetColumn(2, arrow::field("b", b->type()), turned).ValueOrDie();
  Masked masked = mask(model, {changed}, &surveyed);
  if (masked.refusal != "") return;  // it was seen before the end
  FinishOptions finishing;
  finishing.survey = &surveyed;
  const Result<MaskResult> finished = finish(model, merged(std::move(masked.parts)), finishing);
  ASSERT_FALSE(finished);
  EXPECT_THAT(finished.error().message, HasSubstr("changed while it was read"));
}

TEST_P(Parts, ThatWereCountedWithoutTheDescribedColumnsAreRefused) {
  const auto cells = table();
  const Table whole = value_or_throw(memory_table(cells, 70));
  const Survey surveyed = value_or_throw(survey(whole, plan(), work_));
  const Model model = value_or_throw(Model::fit(surveyed, plan(), key(), work_));
  FinishOptions finishing;
  finishing.survey = &surveyed;
  const Result<MaskResult> finished =
      finish(model, merged(mask(model, cut(*cells, 3), nullptr).parts), finishing);
  ASSERT_FALSE(finished);
  EXPECT_THAT(finished.error().message, HasSubstr("described with other columns"));
}

INSTANTIATE_TEST_SUITE_P(
    Methods, Parts,
    testing::Values(
        Setting{"noise", "alpha = 0.5\n"},
        Setting{"noise", "alpha = 0.5\ncorrelated = true\n", "missing = 'keep'\n"},
        Setting{"noise", "alpha = 0.5\n", "", "", "unmapped = 'keep'\n"},
        Setting{"noise", "alpha = 0.5\n", "", "", "unmapped = 'suppress'\n"},
        Setting{"noise", "alpha = 0.5\n", "missing = 'drop-record'\n", "",
                "unmapped = 'generalize'\n"},
        Setting{"naive", ""}, Setting{"probabilistic", ""},
        Setting{"noise", "alpha = 0.5\ncolumns = ['a']\ndraw_by = 'id'\n"},
        Setting{"noise", "alpha = 0.5\ncolumns = ['a', 'b']\ndraw_by = 'id'\n", "", "",
                "unmapped = 'keep'\n"},
        Setting{"swap", "k = 3\n"}, Setting{"swap", "k = 3\n", "missing = 'drop-record'\n"},
        Setting{"random-swap", ""}, Setting{"distributional-swap", "k = 3\n"},
        Setting{"fuse", "k = 3\ncolumns = ['a', 'b']\npartial = true\n"},
        Setting{"fuse", "k = 3\ncolumns = ['a', 'b']\npartial = true\n",
                "missing = 'drop-record'\n"},
        Setting{"fuse", "k = 3\ncolumns = ['a', 'b']\npartial = true\n", "", "",
                "unmapped = 'suppress'\n"},
        Setting{"recode", "k = 30\n"},
        Setting{"generalize", "k = 5\nsuppression = 0.3\ncolumns = ['a', 'b']\npartial = true\n",
                "", "", "", "role = 'sensitive'\ndemand = {l = 2}\n"},
        Setting{"generalize", "k = 4\nsuppression = 0.3\ncolumns = ['a', 'b']\npartial = true\n",
                "", "", "", "role = 'sensitive'\ndemand = {t = 0.6}\n"},
        Setting{"microaggregate", "k = 3\ncolumns = ['a', 'b', 'age']\npartial = true\n"},
        Setting{"noise", "alpha = 0.5\n", "person = 'id'\n"},
        Setting{"fuse", "k = 3\ncolumns = ['a', 'b']\npartial = true\n", "person = 'id'\n"},
        Setting{"fuse", "k = 3\ncolumns = ['a']\npartial = true\n",
                "person = 'id'\nmissing = 'drop-record'\n"},
        Setting{"recode", "k = 20\n", "person = 'id'\n"},
        Setting{"generalize", "k = 4\nsuppression = 0.3\ncolumns = ['a', 'b']\npartial = true\n",
                "person = 'id'\n", "", "", "role = 'sensitive'\ndemand = {l = 2, t = 0.7}\n"},
        Setting{"microaggregate", "k = 3\ncolumns = ['a', 'b', 'age']\npartial = true\n",
                "person = 'id'\n"},
        Setting{"ean", "columns = ['a']\ncategories = 'd.categories'\n", "missing = 'keep'\n"},
        Setting{"an", "columns = ['a']\nl = 3\noutput = 'columns'\n", "missing = 'drop-record'\n"},
        Setting{"round",
                "base = 5\ncolumns = ['age']\n[[mask]]\nmethod = 'swap'\nk = 3\ncolumns = ['a']\n"
                "[[mask]]\nmethod = 'noise'\nalpha = 0.5\ncolumns = ['b']\n"},
        Setting{
            "generalize",
            "k = 5\nsuppression = 0.3\ncolumns = ['a', 'b']\npartial = true\n[[mask]]\nmethod = "
            "'microaggregate'\nk = 3\ncolumns = ['age']\npartial = true\n",
            "", "", "", "role = 'sensitive'\ndemand = {l = 2}\n"},
        Setting{"level",
                "level = 1\ncolumns = ['a']\n[[mask]]\nmethod = 'an'\nl = 2\ncolumns = ['b']\n"
                "output = 'columns'\n[[mask]]\nmethod = 'naive'\ncolumns = ['a']\n",
                "missing = 'keep'\n"}),
    [](const auto& tested) {
      std::string name = tested.param.name + "_" + std::to_string(tested.index);
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
}  // namespace semveil
