// What masking tells whoever releases the table: what is not masked, what the method did not do,
// what was verified, who can undo the release or join it to others.
#include "semveil/release_findings.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "mechanisms/cells/pseudonym_method.h"
#include "release/passing_columns.h"
#include "release/set_findings.h"
#include "release/told_columns.h"
#include "semveil/finding_guide.h"
#include "semveil/method.h"

namespace semveil {
namespace {

using FigureMap = std::map<std::string, double>;
using ColumnNames = std::vector<std::string>;

const ColumnDescription* described_column(const std::optional<Description>& description,
                                          const std::string& name) {
  if (!description) return nullptr;
  const auto at = std::ranges::find(description->columns, name, &ColumnDescription::name);
  return at == description->columns.end() ? nullptr : &*at;
}

class ReleaseFindings {
 public:
  ReleaseFindings(const MaskResult& result, const ReleaseFacts& facts)
      : result_(result),
        facts_(facts),
        method_(method_named(facts.method)),
        steps_(steps_of(result, facts)),
        out_(result.findings) {}

  std::vector<Finding> all() && {
    find_recoded();
    find_alone();
    find_emptied();
    find_unmasked();
    find_unchanged();
    find_swaps();
    find_columns();
    find_promises();
    find_description();
    find_set_warnings(result_, facts_, out_);
    find_shifted();
    find_pseudonyms();
    find_secrets();
    find_agreement();
    rank(out_);
    return std::move(out_);
  }

 private:
  void add(std::string_view id, Severity severity, ColumnNames columns = {},
           FigureMap figures = {}) {
    out_.push_back(make_finding(id, severity, std::move(columns), std::move(figures)));
  }
  void add_unless_none(std::string_view id, Severity severity, ColumnNames columns,
                       FigureMap figures = {}) {
    if (!columns.empty()) add(id, severity, std::move(columns), std::move(figures));
  }

  // ---- What was recoded first -------------------------------------------------------------------

  void find_recoded() {
    if (result_.recoded.empty()) return;
    ColumnNames columns;
    FigureMap changed;
    double cells = 0;
    for (const MaskResult::Recoded& recoded : result_.recoded) {
      if (std::ranges::find(columns, recoded.column) == columns.end()) {
        columns.push_back(recoded.column);
      }
      cells += static_cast<double>(recoded.changed);
    }
    add("cells-recoded", Severity::kNote, std::move(columns), {{"cells", cells}});
  }

  // ---- Cells that were emptied ------------------------------------------------------------------

  // Told before anything else: wildcards make k of records that can still be told apart.
  void find_alone() {
    const auto tells = [](const MaskResult::Step& step) {
      return step.classes && step.classes->alone_as_written;
    };
    const auto step = std::ranges::find_if(steps_, tells);
    if (step == steps_.end()) return;
    const auto alone = static_cast<double>(*step->classes->alone_as_written);
    out_.insert(
        out_.begin(),
        make_finding("alone-as-written", alone > 0 ? Severity::kDanger : Severity::kNote, {},
                     {{"records", alone}, {"of", static_cast<double>(result_.records)}}));
  }

  void find_emptied() {
    for (const MaskResult::Step& step : steps_) {
      if (!step.parameters.contains("suppress")) continue;
      for (const MaskedColumn* column : columns_of(step, result_)) {
        if (column->emptied == 0) continue;
        FigureMap figures{{"cells", static_cast<double>(column->emptied)}};
        if (step.classes && step.classes->counts_persons) figures["of_persons"] = 1;
        add("cells-emptied", Severity::kNote, {column->name}, std::move(figures));
      }
    }
  }

  // ---- What is released as it is ----------------------------------------------------------------

  void find_unmasked() {
    if (const std::uint64_t single = result_.single_origin.value_or(0); single > 0) {
      add("single-origin", Severity::kWarning, {},
          {{"records", static_cast<double>(single)}, {"of", static_cast<double>(result_.records)}});
    }
    ColumnNames all, quasi_identifiers;
    for (const Survey::PassedThrough& column : result_.unmasked) {
      all.push_back(column.name);
      const ColumnDescription* const known = described_column(result_.after, column.name);
      const bool is_known = known != nullptr && known->role == Role::kQuasiIdentifier;
      if (is_known) quasi_identifiers.push_back(column.name);
      if (known != nullptr && known->unmapped.value_or(0) > 0) {
        add("texts-released", Severity::kWarning, {column.name},
            {{"records", static_cast<double>(*known->unmapped)}});
      }
    }
    find_nearly_unique(result_.unmasked, out_);
    find_told(result_.unmasked, out_);
    if (method_.looks_up()) {
      add_unless_none("quasi-identifiers-unmasked", Severity::kWarning,
                      std::move(quasi_identifiers));
    }
    if (all.empty() && !result_.recoded.empty()) return;
    if (!all.empty()) return add("column-released-unmasked", Severity::kNote, std::move(all));
    // Of a column that came through with every cell as it was, something else is said.
    const auto changed = [](const MaskedColumn& column) { return column.changed > 0; };
    if (std::ranges::all_of(result_.masked, changed))
      add("every-column-masked", Severity::kPromise);
  }

  void find_unchanged() {
    for (const MaskResult::Step& step : steps_) {
      ColumnNames unchanged, recoded;  // the recoded ones have other cells all the same
      for (const MaskedColumn* const column : columns_of(step, result_)) {
        if (column->cells > 0 && column->changed == 0 && result_.after) {
          (was_recoded(column->name) ? recoded : unchanged).push_back(column->name);
        }
      }
      const MethodDescription& method = method_named(step.method);
      const bool in_classes = method.looks_up();
      const std::string_view id = method.deals() ? "no-cell-swapped"
                                  : in_classes   ? "nothing-to-change"
                                                 : "no-cell-changed";
      const Severity severity = in_classes ? Severity::kNote : Severity::kWarning;
      add_unless_none(id, severity, std::move(unchanged));
      add_unless_none(id, severity, std::move(recoded), {{"recoded", 1}});
    }
  }

  bool was_recoded(const std::string& name) const {
    return std::ranges::any_of(result_.recoded, [&](const MaskResult::Recoded& recoded) {
      return recoded.column == name && recoded.changed > 0;
    });
  }

  // ---- What the method did not do ---------------------------------------------------------------

  void find_swaps() {
    for (const MaskResult::Step& step : steps_) {
      if (step.swapped) find_swaps(*step.swapped, number_in(step.parameters, "k"));
    }
  }

  void find_swaps(const MaskResult::Swapped& swapped, const std::optional<double>& k) {
    if (swapped.unchanged_uniques * 2 > swapped.uniques) {
      add("swap-keeps-uniques", Severity::kWarning, {},
          {{"uniques", static_cast<double>(swapped.uniques)},
           {"unchanged_uniques", static_cast<double>(swapped.unchanged_uniques)}});
    }
    if (k && swapped.risk > 1 / *k) {
      add("swap-risk-above-k", Severity::kWarning, {}, {{"k", *k}, {"risk", swapped.risk}});
    }
  }

  void find_columns() {
    ColumnNames betraying;
    for (const MaskedColumn& column : result_.masked) {
      const MethodDescription& method = method_of(column);
      const ColumnDescription* const after = described_column(result_.after, column.name);
      const ColumnDescription* const known =
          after != nullptr ? after : described_column(result_.before, column.name);
      const bool is_word = after != nullptr && after->domain;
      if (method.invents_concepts && is_word && column.write == WriteAs::kData)
        betraying.push_back(column.name);
      find_hierarchy(column);
      if (method.chooses_candidates && known != nullptr) find_headings(*known);
      if (column.set) continue;
      find_texts(column);
    }
    for (const auto& [id, told] : senses_) {
      add(id, Severity::kNote, told.columns, {{"values", static_cast<double>(told.values)}});
    }
    add_unless_none("write-data-betrays", Severity::kWarning, std::move(betraying));
  }

  const MethodDescription& method_of(const MaskedColumn& column) const {
    return column.method.empty() ? method_ : method_named(column.method);
  }

  void find_hierarchy(const MaskedColumn& column) {
    if (!column.hierarchy || !column.hierarchy_was_chosen) return;
    const auto stays = [&](const MaskResult::Step& step) {  // nothing is lifted
      return std::ranges::find(step.columns, column.name) != step.columns.end() &&
             step.parameters.contains("suppress") && !step.parameters.contains("levels");
    };
    if (std::ranges::any_of(steps_, stays)) return;
    using Kind = HierarchySettings::Kind;
    FigureMap how;
    if (column.hierarchy->kind == Kind::kIntervals) how["intervals"] = column.hierarchy->width;
    if (column.hierarchy->kind == Kind::kPrefix) how["prefix"] = 1;
    if (column.hierarchy->kind == Kind::kDate) how["date"] = 1;
    add("hierarchy-chosen", Severity::kNote, {column.name}, std::move(how));
  }

  void find_headings(const ColumnDescription& column) {
    if (!column.domain || column.domain->headings == 0) return;
    const auto& domain = *column.domain;
    add("headings-not-drawn", Severity::kNote, {column.name},
        {{"candidates", static_cast<double>(domain.candidates)},
         {"concepts", static_cast<double>(domain.concepts)},
         {"headings", static_cast<double>(domain.headings)}});
  }

  void find_texts(const MaskedColumn& column) {
    if (column.kept > 0) {
      add("texts-released", Severity::kDanger, {column.name},
          {{"records", static_cast<double>(column.kept)}});
    }
    if (column.ambiguous == 0) return;
    const bool by_value =
        method_of(column).takes_several_ontologies && column.write == WriteAs::kData;
    Senses& told = senses_[by_value ? "senses-compared" : "senses-chosen"];
    told.columns.push_back(column.name);
    told.values += column.ambiguous;
  }

  void find_description() {
    const auto& described = result_.after ? result_.after : result_.before;
    if (!described) return;
    const bool was_told = std::ranges::find(result_.findings, "classes-not-counted",
                                            &Finding::id) != result_.findings.end();
    for (Finding& finding : findings_of(*described)) {
      if (was_told && finding.id == "no-quasi-identifiers") continue;
      if (finding.id == "class-shares-a-value") finding = without_shared_secrets(finding);
      if (finding.id == "class-shares-a-value" && finding.columns.empty()) continue;
      if (finding.id != "sum-clamped") out_.push_back(std::move(finding));
    }
  }

  // Where everybody of a class has one value and nothing else, that is said already.
  Finding without_shared_secrets(const Finding& all) const {
    ColumnNames columns = all.columns;
    std::erase_if(columns, [&](const std::string& name) {
      return std::ranges::any_of(result_.findings, [&](const Finding& told) {
        return told.id == "secret-shared" && told.columns == ColumnNames{name};
      });
    });
    return make_finding(all.id, all.severity, std::move(columns));
  }

  // ---- What was verified ------------------------------------------------------------------------

  void find_promises() {
    if (!result_.classes) {
      if (!result_.sets) add("k-not-promised", Severity::kNote, {}, {{"method_given", 1}});
      return;
    }
    for (const MaskResult::Step& step : steps_) {
      if (!step.classes) continue;
      ColumnNames masked;
      for (const MaskedColumn* const column : columns_of(step, result_)) {
        masked.push_back(column->name);
      }
      const bool forms_classes = method_named(step.method).forms_classes;
      FigureMap figures{{"k", static_cast<double>(step.classes->k)}};
      if (step.classes->counts_persons) figures["of_persons"] = 1;
      add(forms_classes ? "classes-verified" : "values-verified", Severity::kPromise,
          std::move(masked), std::move(figures));
      add_unless_none("demands-verified", Severity::kPromise, step.classes->demanded);
    }
  }

  // ---- Dates that were shifted ------------------------------------------------------------------

  void find_shifted() {
    if (result_.shifted) semveil::find_shifted(*result_.shifted, out_);
  }

  // ---- Pseudonyms -------------------------------------------------------------------------------

  void find_pseudonyms() {
    ColumnNames columns = pseudonym_columns(facts_.steps);
    if (columns.empty()) return;
    if (facts_.key == KeyOrigin::kSeed) add("pseudonyms-from-seed", Severity::kWarning, columns);
    add("pseudonyms-link-rows", Severity::kNote, std::move(columns));
  }

  // ---- Who can undo or join releases ------------------------------------------------------------

  void find_secrets() {
    add(key_id(), Severity::kNote);
    add(facts_.shuffle ? "rows-shuffled" : "rows-in-order", Severity::kNote);
    if (!facts_.trace.empty()) add("trace-undoes-release", Severity::kNote);
    if (!result_.recorded.value_or(true)) add("release-not-recorded", Severity::kWarning);
  }
  std::string_view key_id() const {
    if (!method_.draws) return "nothing-drawn";
    switch (facts_.key) {
      case KeyOrigin::kFresh:
        return "key-not-kept";
      case KeyOrigin::kSeed:
        return "key-from-seed";
      case KeyOrigin::kModel:
        return "key-from-model";
      case KeyOrigin::kKeyFile:
        return "key-from-file";
    }
    return "";
  }

  void find_agreement() {
    constexpr std::uint64_t kMostRecords = 20;  // of one person, on average
    if (result_.persons > 0 && result_.of_records > kMostRecords * result_.persons) {
      add("draw-by-few-persons", Severity::kWarning, {facts_.draw_by},
          {{"persons", static_cast<double>(result_.persons)},
           {"records", static_cast<double>(result_.of_records)}});
    }
    for (const MaskResult::Step& step : steps_) find_agreement(step);
  }

  void find_agreement(const MaskResult::Step& step) {
    const MethodDescription& method = method_named(step.method);
    if (facts_.draw_by.empty() || (steps_.size() > 1 && !step.parameters.contains("draw_by"))) {
      const std::string_view id = method.looks_up()      ? "groups-of-this-table"
                                  : method.deals()       ? "values-dealt-once"
                                  : method.releases_sets ? "sets-drawn-by-row"
                                                         : "errors-drawn-by-row";
      const bool was_told = std::ranges::find(out_, id, &Finding::id) != out_.end();
      if (!was_told) add(id, Severity::kNote);
      return;
    }
    const auto is = [&](const std::string& key, std::string_view value) {
      const auto found = step.parameters.find(key);
      return found != step.parameters.end() && found->second == value;
    };
    FigureMap how;
    if (is("correlated", "true") || is("reference", "\"pair\"")) how["joined"] = 1;
    if (method.releases_sets) how["sets"] = 1;
    if (facts_.key != KeyOrigin::kFresh) how["again"] = 1;
    add("drawn-by-person", Severity::kNote, {facts_.draw_by}, std::move(how));
  }

  struct Senses {  // of all columns, so that one line tells them
    ColumnNames columns;
    std::uint64_t values = 0;
  };
  std::map<std::string_view, Senses> senses_;
  const MaskResult& result_;
  const ReleaseFacts& facts_;
  const MethodDescription& method_;
  std::vector<MaskResult::Step> steps_;
  std::vector<Finding> out_;
};

}  // namespace

std::vector<std::string> pseudonym_columns(const std::vector<StepFacts>& steps) {
  ColumnNames columns;
  for (const StepFacts& step : steps) {
    if (step.method != pseudonym_method().name()) continue;
    columns.insert(columns.end(), step.columns.begin(), step.columns.end());
  }
  return columns;
}

std::vector<Finding> findings_of(const MaskResult& result, const ReleaseFacts& facts) {
  return ReleaseFindings(result, facts).all();
}

std::vector<Finding> findings_of(const std::vector<Survey::PassedThrough>& telling,
                                 const FitFacts& facts) {
  std::vector<Finding> out;
  find_told(telling, out);
  if (facts.key == KeyOrigin::kSeed) {
    out.push_back(make_finding("key-from-seed", Severity::kNote));
    if (!facts.pseudonyms.empty()) {
      out.push_back(make_finding("pseudonyms-from-seed", Severity::kWarning, facts.pseudonyms));
    }
  }
  out.push_back(
      make_finding(facts.holds_key ? "model-holds-key" : "model-holds-values", Severity::kNote));
  rank(out);
  return out;
}

void find_shifted(const MaskResult::Shifted& shifted, std::vector<Finding>& out) {
  const auto add = [&](std::string_view id, Severity severity, ColumnNames columns,
                       FigureMap figures = {}) {
    out.push_back(make_finding(id, severity, std::move(columns), std::move(figures)));
  };
  for (const ShiftTold& told : shifted.tells) {
    ColumnNames columns{told.column};
    if (!told.shifted.empty()) columns.push_back(told.shifted);
    add(told.shifted.empty() ? "dates-not-shifted" : "shift-told", Severity::kDanger,
        std::move(columns), {{"told", static_cast<double>(told.told)}});
  }
  if (shifted.alone > 0) {
    FigureMap figures{{"alone", static_cast<double>(shifted.alone)},
                      {"persons", static_cast<double>(shifted.persons)}};
    if (!shifted.links_rows) figures["within_rows"] = 1;
    add("alone-by-intervals", Severity::kWarning, shifted.columns, std::move(figures));
  }
  if (!shifted.links_rows) {
    FigureMap seen;
    if (shifted.persons > 0) seen["persons"] = static_cast<double>(shifted.persons);
    add("intervals-hidden", Severity::kNote, shifted.columns, std::move(seen));
  }
  add("shift-known-by-one-date", Severity::kNote, shifted.columns);
}

void find_nearly_unique(const std::vector<Survey::PassedThrough>& columns,
                        std::vector<Finding>& out) {
  ColumnNames names;
  for (const Survey::PassedThrough& column : columns) {
    if (is_nearly_unique(column)) names.push_back(column.name);
  }
  if (names.empty()) return;
  out.push_back(make_finding("nearly-unique-released", Severity::kWarning, std::move(names)));
}

void find_told(const std::vector<Survey::PassedThrough>& columns, std::vector<Finding>& out) {
  for (const Survey::PassedThrough& column : columns) {
    if (column.tells.empty()) continue;
    ColumnNames names{column.name};
    FigureMap shares;
    for (const Survey::PassedThrough::Told& told : column.tells) {
      names.push_back(told.column);
      shares["share." + told.column] = told.records;
    }
    out.push_back(make_finding("column-tells-masked", Severity::kWarning, std::move(names),
                               std::move(shares)));
  }
}

ReleaseFacts facts_of(const Model& model) {
  ReleaseFacts facts;
  facts.method = model.method();
  facts.parameters = model.parameters();
  facts.release = model.release();
  facts.shuffle = model.shuffles();
  facts.draw_by = model.draw_by();
  facts.steps = model.steps();
  return facts;
}

std::vector<MaskResult::Step> steps_of(const MaskResult& result, const ReleaseFacts& facts) {
  if (!result.steps.empty() || result.masked.empty()) return result.steps;
  MaskResult::Step all{facts.method,   facts.parameters, {},
                       result.classes, result.sets,      result.swapped};
  for (const MaskedColumn& column : result.masked) all.columns.push_back(column.name);
  return {all};
}

std::vector<const MaskedColumn*> columns_of(const MaskResult::Step& step,
                                            const MaskResult& result) {
  std::vector<const MaskedColumn*> out;
  for (const std::string& name : step.columns) {
    const auto at = std::ranges::find(result.masked, name, &MaskedColumn::name);
    if (at != result.masked.end()) out.push_back(&*at);
  }
  return out;
}

std::optional<double> number_in(const std::map<std::string, std::string>& parameters,
                                const std::string& key) {
  const auto at = parameters.find(key);
  if (at == parameters.end()) return std::nullopt;
  const auto parsed = nlohmann::ordered_json::parse(at->second, nullptr, false);
  return parsed.is_number() ? std::optional(parsed.get<double>()) : std::nullopt;
}

}  // namespace semveil
