// The whole way: an ontology, a table and a plan are made of the bytes; the table is surveyed,
// fitted, masked and audited in memory.
//
// Whatever is refused is refused with a sentence. Of what is released:
//   - no cell holds an identifier, and no dropped column is there
//   - where classes of k are promised over all quasi-identifiers, every combination has k persons
//   - the model of two parts is that of the whole; read back from its bytes, with two threads and
//     batches of three records, it gives the same cells
//   - risks lie from 0 to 1
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/small_clinic.h"
#include "semveil/audit.h"
#include "semveil/compare.h"
#include "semveil/json.h"
#include "semveil/parts.h"

namespace {

using namespace semveil;
using fuzz::Choices;
using fuzz::require;
using fuzz::require_sentence;
using fuzz::TextColumn;

constexpr std::string_view kCanary = "canary";

// Concepts c0, c1, …: each below an earlier one, some below two.
std::string edges(Choices& choices, std::size_t& concepts) {
  concepts = 2 + choices.below(14);
  std::string out = "child,parent\n";
  for (std::size_t c = 1; c < concepts; ++c) {
    const std::size_t parent = choices.below(c);
    out += "c" + std::to_string(c) + ",c" + std::to_string(parent) + "\n";
    const std::size_t other = choices.below(4 * c);
    if (other < c && other != parent) {
      out += "c" + std::to_string(c) + ",c" + std::to_string(other) + "\n";
    }
  }
  return out;
}

std::optional<std::string> cell(Choices& choices, std::string_view kind, std::size_t concepts) {
  const std::size_t choice = choices.byte();
  constexpr std::size_t kOdd = 240;
  if (choice >= kOdd) {
    constexpr std::array kOddCells{"",    "?",  "unheard",    " c1 ", "C2",
                                   "1e3", "-0", "2024-02-29", "é"};
    if (choice == 255) return std::nullopt;
    return kOddCells[choice % kOddCells.size()];
  }
  if (kind == "concept") return "c" + std::to_string(choice % concepts);
  if (kind == "number") return std::to_string(choice % 7 * 5) + (choice % 3 == 0 ? ".5" : "");
  if (kind == "date")
    return "2024-0" + std::to_string(1 + choice % 9) + "-1" + std::to_string(choice % 7);
  return "word " + std::to_string(choice % 5);
}

std::vector<TextColumn> table(Choices& choices, std::size_t concepts) {
  std::vector<TextColumn> columns{{"id", {}}, {"a", {}}, {"b", {}}, {"n", {}},
                                  {"d", {}},  {"s", {}}, {"x", {}}};
  const std::size_t rows = choices.below(48);
  for (std::size_t row = 0; row < rows; ++row) {
    columns[0].cells.emplace_back(std::string(kCanary) + std::to_string(choices.below(16)));
    columns[1].cells.push_back(cell(choices, "concept", concepts));
    columns[2].cells.push_back(cell(choices, "concept", 1 + concepts / 2));
    columns[3].cells.push_back(cell(choices, "number", concepts));
    columns[4].cells.push_back(cell(choices, "date", concepts));
    columns[5].cells.push_back(cell(choices, "word", concepts));
    columns[6].cells.push_back("note " + std::to_string(row % 3));
  }
  return columns;
}

std::string key_of(Choices& choices, std::string_view name, std::string_view value) {
  return choices.flag() ? std::string(name) + " = " + std::string(value) + "\n" : "";
}
template <class List>
std::string text_key(Choices& choices, std::string_view name, const List& values) {
  return key_of(choices, name, "'" + std::string(choices.one_of(values)) + "'");
}

std::string column_text(Choices& choices, std::string_view name) {
  constexpr std::array kRoles{"quasi-identifier", "quasi-identifier", "sensitive", "other"};
  constexpr std::array kUnmapped{"suppress", "generalize", "keep", "error"};
  constexpr std::array kMeasures{"wu-palmer", "lin", "path", "sanchez", "jiang-conrath"};
  std::string out = "[column." + std::string(name) + "]\n";
  const std::string_view role = name == "s" ? "sensitive" : choices.one_of(kRoles);
  out += "role = '" + std::string(role) + "'\n";
  if (name == "a" || name == "b") {
    out += "ontology = 'o'\n" + key_of(choices, "root", "'c0'") +
           text_key(choices, "unmapped", kUnmapped) + text_key(choices, "measure", kMeasures) +
           key_of(choices, "leaves_only", "true") + key_of(choices, "domain", "'branches'");
  } else if (name == "n") {
    out += "type = 'numeric'\n" + key_of(choices, "decimals", "1");
  } else if (name == "d") {
    out += "type = 'date'\n";
  }
  if (name == "s" && choices.below(4) == 0) {
    constexpr std::array kDemands{"{l = 2}", "{t = 0.5}", "{l = 2, kind = 'entropy', t = 0.4}"};
    out += "demand = " + std::string(choices.one_of(kDemands)) + "\n";
  }
  return out;
}

std::string step_text(Choices& choices) {
  struct Kind {
    const char *method, *keys;
  };
  constexpr std::array<Kind, 24> kKinds{
      {{"noise", "alpha = 0.3"},
       {"noise", "alpha = 1.0\ncorrelated = true"},
       {"noise", "alpha = 0.2\nreference = 'pair'"},
       {"noise", "alpha = 0.2\ncolumns = ['a', 'n']"},
       {"swap", "k = 5"},
       {"swap", "p = 20\nalgorithm = 'dynamic'"},
       {"swap", "k = 3\nalgorithm = 'fixed'\nexhausted = 'extend'"},
       {"random-swap", "columns = ['a', 'n', 'd']"},
       {"distributional-swap", "k = 2"},
       {"fuse", "k = 2"},
       {"fuse", "k = 3\nguide = 'random-record'"},
       {"recode", "k = 2"},
       {"generalize", "k = 2"},
       {"generalize", "k = 3\nsuppression = 0.2"},
       {"generalize", "k = 2\nscope = 'full-domain'"},
       {"generalize", "k = 2\nsuppress = 'cells'"},
       {"microaggregate", "k = 2"},
       {"an", "l = 2"},
       {"ean", "categories = {ontology = 'o', count = 2}\ncolumns = ['a']"},
       {"naive", ""},
       {"probabilistic", "draw_by = 'id'"},
       {"round", "base = 5\ncolumns = ['n']"},
       {"code", "top = 20\ncolumns = ['n']\nas = 'text'"},
       {"shift", "shift = 30"}}};
  const Kind kind = choices.one_of(kKinds);
  return std::string("[[mask]]\nmethod = '") + kind.method + "'\n" + kind.keys + "\n" +
         (choices.below(4) == 0 ? "partial = true\n" : "");
}

std::string plan_text(Choices& choices, const std::string& ontology) {
  constexpr std::array kMissing{"keep", "category", "wildcard", "drop-record", "error"};
  std::string out = "missing_values = ['', '?']\n";
  out += text_key(choices, "missing", kMissing) + key_of(choices, "undeclared", "'drop'");
  if (choices.below(4) == 0) out += "person = 'id'\n";
  if (choices.flag()) out += "allow_linked_rows = true\n";
  if (choices.below(4) == 0) out += "shuffle = true\n";
  out += "[ontology.o]\nsource = 'edges:" + ontology + "'\n[column.id]\nrole = 'identifier'\n";
  for (const std::string_view name : {"a", "b", "n", "d", "s"}) {
    if (choices.below(8) != 7) out += column_text(choices, name);
  }
  for (std::size_t steps = 1 + choices.below(8) / 6; steps > 0; --steps) out += step_text(choices);
  return out;
}

// Every combination of the quasi-identifiers that is not all empty.
void check_classes(const PlanFile& plan, const MaskResult::Classes& classes,
                   const std::vector<TextColumn>& released, const std::vector<TextColumn>& table) {
  std::vector<const TextColumn*> known;
  for (const ColumnSettings& column : plan.columns) {
    if (column.role != Role::kQuasiIdentifier) continue;
    const auto found = std::ranges::find(released, column.name, &TextColumn::name);
    if (found != released.end()) known.push_back(&*found);
  }
  std::map<std::vector<std::optional<std::string>>, std::set<std::string>> classes_of;
  for (std::size_t row = 0; row < fuzz::rows_of(released); ++row) {
    std::vector<std::optional<std::string>> tuple;
    for (const TextColumn* column : known) tuple.push_back(column->cells[row]);
    const auto is_empty = [](const auto& text) { return !text || text->empty(); };
    if (std::ranges::all_of(tuple, is_empty)) continue;
    // Rows are where they were; without persons each is one.
    classes_of[tuple].insert(classes.counts_persons ? *table[0].cells[row] : std::to_string(row));
  }
  for (const auto& [tuple, members] : classes_of) require(members.size() >= classes.k);
}

struct Way {
  PlanFile plan;
  std::vector<TextColumn> columns;

  TableOptions options() const {
    TableOptions out;
    out.missing_values = plan.missing_values;
    return out;
  }
};

void check_released(const Way& way, const MaskResult& result,
                    const std::vector<TextColumn>& released) {
  require(result.records == fuzz::rows_of(way.columns));
  for (const TextColumn& column : released) {
    require(column.name != "id" &&
            (column.name != "x" || way.plan.undeclared == UndeclaredRule::kKeep));
    require(column.cells.size() == result.records - result.dropped_records);
    for (const auto& text : column.cells) {
      require(!text || text->find(kCanary) == std::string::npos);
    }
  }
  const bool in_place = result.dropped_records == 0 && !way.plan.shuffle;
  const bool has_classes = result.classes && !result.classes->partial &&
                           way.plan.steps.size() == 1 && way.plan.method() != "recode";
  // Where empty cells match everything there are no classes.
  if (in_place && has_classes && way.plan.missing != MissingRule::kWildcard &&
      !result.classes->alone_as_written) {
    check_classes(way.plan, *result.classes, released, way.columns);
  }
}

void check_parts(const Way& way, const std::string& model) {
  const std::size_t rows = fuzz::rows_of(way.columns);
  std::optional<SurveyPart> all;
  for (const auto& [first, end] :
       {std::pair(rows / 2, rows), std::pair(std::size_t{0}, rows / 2)}) {
    fuzz::OwnedBatch batch = fuzz::batch_of(way.columns, first, end);
    auto part = SurveyPart::count(batch.schema.get(), batch.array.get(), way.plan, first,
                                  fuzz::quiet_work());
    if (!part) return require_sentence(part.error());  // shifts need the whole
    auto read = SurveyPart::from_bytes(part->to_bytes());
    require(read.has_value());
    if (!all) {
      all.emplace(*std::move(read));
    } else {
      require(all->merge(*read).has_value());
    }
  }
  const auto survey = Survey::from(*std::move(all), way.plan, fuzz::quiet_work());
  if (!survey) return require_sentence(survey.error());
  const auto fitted = Model::fit(*survey, way.plan, fuzz::some_key(), fuzz::quiet_work(2));
  require(fitted && fitted->to_bytes(Model::KeyIn::kYes).value() == model);
}

void check_audit(const Way& way, const std::vector<TextColumn>& released, const Survey& survey,
                 const Model& model) {
  const auto masked = fuzz::table_of(released, way.options());
  const auto original = fuzz::table_of(way.columns, way.options());
  PairOptions paired;
  paired.work = fuzz::quiet_work();
  paired.survey = &survey;
  paired.model = &model;
  const auto pair = pair_tables(*original, *masked, way.plan, paired);
  if (!pair) return require_sentence(pair.error());
  AuditOptions asked;
  asked.work = fuzz::quiet_work();
  asked.clusters = 3;
  const auto figures = audit(*pair, asked);
  if (!figures) return require_sentence(figures.error());
  for (const NamedRisk& risk : attack_risks(*figures)) {
    require(risk.value >= 0 && risk.value <= 1);
  }
  require(!to_json(*figures, "steward").empty());
  require(!to_json(public_edition(*figures, 3), "public").empty());
}

void go(const Way& way) {
  const auto original = fuzz::table_of(way.columns, way.options());
  require(original.has_value());
  const auto surveyed = survey(*original, way.plan, fuzz::quiet_work());
  if (!surveyed) return require_sentence(surveyed.error());
  const auto described = describe(*surveyed, fuzz::quiet_work());
  if (!described) require_sentence(described.error());
  const auto model = Model::fit(*surveyed, way.plan, fuzz::some_key(), fuzz::quiet_work());
  if (!model) return require_sentence(model.error());

  MemoryOutput out;
  ApplyOptions options;
  options.work = fuzz::quiet_work();
  options.memory = &out;
  options.survey = &*surveyed;
  auto release = apply(*model, *original, options);
  if (!release) return require_sentence(release.error());
  require(release->commit().has_value());
  ArrowArrayStream stream{};
  require(out.stream(&stream).has_value());
  const std::vector<TextColumn> released = fuzz::cells_of(table_from(&stream).value());
  check_released(way, release->result(), released);

  const std::string bytes = model->to_bytes(Model::KeyIn::kYes).value();
  const Model again = Model::from_bytes(bytes).value();
  require(again.to_bytes(Model::KeyIn::kYes).value() == bytes);
  TableOptions small = again.table_options();
  small.batch_rows = 3;
  const auto in_pieces = fuzz::table_of(way.columns, small);
  ApplyOptions other;
  other.work = fuzz::quiet_work(2);
  const auto same = fuzz::released(again, *in_pieces, other);
  require(same && fuzz::is_alike(*same, released));
  check_parts(way, bytes);
  if (!way.plan.shuffle) check_audit(way, released, *surveyed, *model);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const test::TemporaryFolder folder;
  static const std::string ontology = folder.path() + "/o.csv";
  Choices choices(fuzz::text_of(data, size));
  std::size_t concepts = 0;
  std::ofstream(ontology) << edges(choices, concepts);
  auto plan = PlanFile::parse(plan_text(choices, ontology), "p.toml");
  if (!plan) {
    require_sentence(plan.error());
    return 0;
  }
  go({*std::move(plan), table(choices, concepts)});
  return 0;
}
