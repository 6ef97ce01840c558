// One pass over the table, which is then kept in memory: 4 bytes a cell, and the different texts.
//
//   markers → kinds → roles → ontologies → minimal uniques of the quasi-identifiers → a method
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/stop.h"
#include "base/text.h"
#include "base/told_error.h"
#include "base/trimmed.h"
#include "compare/coded_table.h"
#include "propose/column_kinds.h"
#include "propose/column_roles.h"
#include "propose/date_formats.h"
#include "propose/missing_markers.h"
#include "propose/ontology_choice.h"
#include "propose/plan_choices.h"
#include "propose/text_forms.h"
#include "semveil/method.h"
#include "semveil/propose.h"
#include "semveil/stop.h"

namespace semveil {
namespace {

// Rows that the search for minimal uniques may look at, about two minutes; and bits it may keep.
constexpr double kMostRowsSeen = 2e10, kMostBits = 1.6e10;
constexpr std::uint64_t kMostTried = 4000;  // records

std::vector<ColumnFacts> facts_of(const CodedTable& table) {
  std::vector<ColumnFacts> out;
  for (std::size_t i = 0; i < table.names().size(); ++i) {
    out.push_back(column_facts(table.names()[i], table.codes(i), table.texts(i)));
  }
  return out;
}

// A name that is a number, that stands in its own column as a value, or is built as these are.
bool looks_like_cell(const ColumnFacts& column) {
  const std::string_view name = trimmed(column.name);
  if (number_of(name) || column.texts->find(column.name)) return true;
  const FormCounts& forms = column.forms;
  return (is_date(name) && forms.nearly_all(forms.dates)) ||
         (is_email(name) && forms.nearly_all(forms.emails)) ||
         (is_uuid(name) && forms.nearly_all(forms.uuids));
}

bool looks_like_record(const std::vector<ColumnFacts>& facts) {
  const auto alike = static_cast<std::size_t>(std::ranges::count_if(facts, looks_like_cell));
  return alike >= 2 && alike * 2 >= facts.size();
}

ProposedColumn proposed_column(const ColumnFacts& facts) {
  ProposedColumn out;
  out.name = facts.name;
  KindChoice kind = kind_of(facts);
  out.kind = kind.kind;
  out.kind_why = std::move(kind.why);
  out.distinct = facts.forms.values;
  out.missing = facts.missing + facts.marked();
  return out;
}

// ---- Ontologies ---------------------------------------------------------------------------------

bool may_have_ontology(const ProposedColumn& column) {
  const bool is_word = column.kind != ColumnKind::kNumeric && column.kind != ColumnKind::kDate &&
                       column.kind != ColumnKind::kText && column.kind != ColumnKind::kOpaque &&
                       column.kind != ColumnKind::kPostcode;
  return is_word && column.role != Role::kIdentifier && column.distinct > 0;
}

void add_texts(const ColumnFacts& facts, std::map<std::string_view, std::uint64_t>& counts) {
  for (Code code = 0; code < facts.counts.size(); ++code) {
    if (!facts.markers[code]) counts[facts.text(code)] += facts.counts[code];
  }
}

TextCounts texts_of(const std::vector<const ColumnFacts*>& columns) {
  std::map<std::string_view, std::uint64_t> counts;
  for (const ColumnFacts* column : columns) add_texts(*column, counts);
  return {counts.begin(), counts.end()};
}

// Columns of a series are looked up together: some have few answers.
void choose_ontologies(const std::vector<ColumnFacts>& facts, const OntologyChooser& chooser,
                       PlanProposal& out) {
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (!may_have_ontology(out.columns[i])) continue;
    const std::string series = series_of(facts[i].name);
    groups[series.empty() ? facts[i].name : series].push_back(i);
  }
  for (const auto& [series, members] : groups) {
    check_stop();
    std::vector<const ColumnFacts*> together;
    for (const std::size_t i : members) together.push_back(&facts[i]);
    const ColumnKind kind = out.columns[members.front()].kind;
    const auto best = chooser.best({series, kind, texts_of(together)});
    if (!best) continue;
    for (const std::size_t i : members) {
      OntologyCoverage own = chooser.again(*best, {series, kind, texts_of({&facts[i]})});
      (best->is_enough ? out.columns[i].ontology : out.columns[i].nearly) = std::move(own);
    }
    if (!best->is_enough) continue;
    const OntologySource& source = chooser.source(best->ontology);
    const bool is_listed = std::ranges::any_of(
        out.ontologies, [&](const OntologySource& other) { return other.name == source.name; });
    if (!is_listed) out.ontologies.push_back(source);
  }
  std::ranges::sort(out.ontologies, {}, &OntologySource::name);
}

// ---- Who is alone -------------------------------------------------------------------------------

std::vector<std::uint32_t> persons_by_row(const ColumnFacts& column) {
  std::vector<std::uint32_t> out;
  std::vector<std::uint32_t> numbers(column.counts.size(), kMissing);
  std::uint32_t next = 0;
  for (const Code code : *column.codes) {
    if (numbers[code] == kMissing) numbers[code] = next++;
    out.push_back(numbers[code]);
  }
  return out;
}

// So many columns in a set that the search ends.
unsigned affordable(std::size_t columns, std::size_t rows) {
  double sets = 0, of_size = 1;
  for (unsigned size = 1; size <= kLargestUnique; ++size) {
    if (size > 1 && sets * static_cast<double>(rows) > kMostBits) return size - 1;
    of_size *= static_cast<double>(columns - std::min<std::size_t>(columns, size - 1)) / size;
    sets += of_size;
    if (sets * static_cast<double>(rows) > kMostRowsSeen) return size - 1;
  }
  return kLargestUnique;
}

void find_uniques(const CodedTable& table, const std::vector<ColumnFacts>& facts,
                  std::optional<std::size_t> person, PlanProposal& out) {
  std::vector<std::vector<Code>> columns;
  for (std::size_t i = 0; i < out.columns.size(); ++i) {
    if (out.columns[i].role != Role::kQuasiIdentifier) continue;
    out.quasi_identifiers.push_back(out.columns[i].name);
    columns.push_back(table.codes(i));
  }
  if (columns.empty()) return;
  const auto persons = person ? persons_by_row(facts[*person]) : std::vector<std::uint32_t>();
  out.uniques =
      minimal_uniques(columns, persons, affordable(columns.size(), columns.front().size()));
}

// ---- A method -----------------------------------------------------------------------------------

// The first that masks every quasi-identifier, and that was tried; sets leave them all.
std::optional<std::size_t> choose_method(const std::vector<Proposal>& proposed) {
  std::optional<std::size_t> otherwise;
  for (std::size_t i = 0; i < proposed.size(); ++i) {
    if (!proposed[i].trial || !proposed[i].trial->audit) continue;
    if (proposed[i].unmasked.empty()) return i;
    if (!otherwise) otherwise = i;
  }
  return otherwise;
}

// Records for trials, spread over the table: enough to tell methods apart, soon.
CodedTable some_records(const CodedTable& table) {
  ReleasedCells cells;
  const std::uint64_t count = std::min(table.records(), kMostTried);
  for (std::uint64_t i = 0; i < count; ++i) cells.rows.push_back(i * table.records() / count);
  return table.released(cells);
}

void try_methods(const CodedTable& table, const Key& key, const ProposeOptions& options,
                 PlanProposal& out) {
  out.no_method_why = "none was tried";
  if (!options.try_methods) return;
  const Result<PlanFile> plan = PlanFile::parse(to_toml(out, ""), "");
  const CodedTable sample = some_records(table);
  WorkOptions work = options.work;
  work.figures = true;  // methods are chosen by them, whoever is told
  Result<Proposals> tried =
      plan ? propose(sample.table(), *plan, key, options.keep, work) : fail(plan.error());
  if (!tried) {
    if (tried.error().code == ErrorCode::kCancelled) throw_stopped();
    out.no_method_why = told_error(tried.error());
    return;
  }
  out.tried = *std::move(tried);
  out.chosen = choose_method(out.tried->proposed);
  if (!out.chosen) out.no_method_why = "none that was tried does what it is for";
}

std::vector<std::string_view> texts_of(const ColumnFacts& column) {
  std::vector<std::string_view> out;
  for (Code code = 0; code < column.counts.size(); ++code) {
    if (column.counts[code] > 0 && !column.markers[code]) out.push_back(column.text(code));
  }
  return out;
}

Result<PlanProposal> make_proposal(const Table& table, const Key& key,
                                   const ProposeOptions& options) {
  std::vector<std::size_t> wanted(table.columns().size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    wanted[i] = i;
    // A plan knows columns by their names: none may stand there twice.
    if (const auto at = table.column(table.columns()[i]); !at) return fail(at.error());
  }
  Result<CodedTable::Parts> parts = CodedTable::read(table, wanted, {}, options.work.progress);
  if (!parts) return fail(parts.error());
  CodedTable& coded = parts->kept;
  Result<OntologyChooser> chooser =
      OntologyChooser::open(options.ontologies, options.work.use_cache);
  if (!chooser) return fail(chooser.error());

  PlanProposal out;
  out.table = table.name();
  out.records = coded.records();
  std::vector<ColumnFacts> facts = facts_of(coded);
  out.markers = find_markers(facts);
  out.header_is_data = looks_like_record(facts);
  for (const ColumnFacts& column : facts) out.columns.push_back(proposed_column(column));
  choose_roles(facts, out.columns);
  for (std::size_t i = 0; i < facts.size(); ++i) {
    out.columns[i].hierarchy = hierarchy_for(out.columns[i].kind, texts_of(facts[i]));
    if (out.columns[i].kind != ColumnKind::kDate) continue;
    out.columns[i].date_format = date_format(facts[i]);
    // Months and years are made of dates that can be read.
    if (!out.columns[i].date_format) out.columns[i].hierarchy = R"("flat")";
  }
  choose_ontologies(facts, *chooser, out);
  find_wanted(facts, out.columns);
  const std::optional<std::size_t> person = person_column(facts, out.columns);
  if (person) {
    out.person = ProposedPerson{facts[*person].name, facts[*person].forms.values,
                                "an identifier that repeats, and its name says persons"};
  }
  std::vector<std::string> hidden;
  for (const MissingMarker& marker : out.markers) {
    if (marker.proposed) hidden.push_back(marker.text);
  }
  coded.hide(hidden);
  find_uniques(coded, facts, person, out);
  try_methods(coded, key, options, out);
  return out;
}

}  // namespace

Result<PlanProposal> propose_plan(const Table& table, const Key& key,
                                  const ProposeOptions& options) {
  return stoppable(options.work.stop, [&] { return make_proposal(table, key, options); });
}

}  // namespace semveil
