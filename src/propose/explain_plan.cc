// A plan in sentences: what becomes of each column, what the method does and what it promises.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "plan/plan_column.h"
#include "semveil/mapping.h"
#include "semveil/method.h"
#include "semveil/plan_text.h"
#include "semveil/propose.h"
#include "semveil/stop.h"

namespace semveil {
namespace {

std::string_view missing_sentence(MissingRule rule) {
  switch (rule) {
    case MissingRule::kKeep:
      return "Missing cells stay missing; where classes are formed they are one more value.";
    case MissingRule::kCategory:
      return "A missing cell is one more value.";
    case MissingRule::kWildcard:
      return "Missing cells stay missing, and match every value when classes are counted.";
    case MissingRule::kDropRecord:
      return "A record with a missing cell in a quasi-identifier or masked column is left out.";
    case MissingRule::kError:
      return "A missing cell in a quasi-identifier or masked column stops the masking.";
  }
  return "";
}

std::string_view undeclared_sentence(UndeclaredRule rule) {
  switch (rule) {
    case UndeclaredRule::kKeep:
      return "Columns that the plan does not name are released as they are.";
    case UndeclaredRule::kDrop:
      return "Columns that the plan does not name are dropped.";
    case UndeclaredRule::kError:
      return "A column that the plan does not name stops the masking.";
  }
  return "";
}

std::string_view unmapped_sentence(UnmappedRule rule) {
  switch (rule) {
    case UnmappedRule::kError:
      return "a text without a meaning stops the masking";
    case UnmappedRule::kSuppress:
      return "a text without a meaning is emptied";
    case UnmappedRule::kGeneralize:
      return "a text without a meaning becomes the root";
    case UnmappedRule::kKeep:
      return "a text without a meaning stays as it is";
  }
  return "";
}

std::string_view role_sentence(const ColumnSettings& column, bool is_masked) {
  switch (column.role) {
    case Role::kIdentifier:
      return "It is an identifier, and is dropped.";
    case Role::kQuasiIdentifier:
      return is_masked ? "It is a quasi-identifier: others may know it. It is masked."
                       : "It is a quasi-identifier: others may know it. It is released as it is.";
    case Role::kSensitive:
      return is_masked ? "It is sensitive: nobody is to learn it. It is masked."
                       : "It is sensitive: nobody is to learn it. It is released as it is, and its "
                         "protection is that nobody can tell whose it is.";
    case Role::kPseudonym:
      return "It tells persons apart, and gets pseudonyms.";
    case Role::kOther:
      return is_masked ? "It is masked." : "It is released as it is.";
  }
  return "";
}

std::string demand_sentence(const Demand& demand) {
  std::vector<std::string> parts;
  if (demand.l) {
    parts.push_back(fmt::format("{:g} values or more ({})", *demand.l, to_string(demand.kind)));
  }
  if (demand.t) {
    parts.push_back(fmt::format("values no farther than {:g} from the whole column's", *demand.t));
  }
  return fmt::format(" Every class must have {}.", fmt::join(parts, " and "));
}

using OpenedOntologies = std::map<std::string, Ontology>;

Result<OpenedOntologies> open_all(const PlanFile& plan, const WorkOptions& work) {
  OpenedOntologies out;
  for (const auto& [name, source] : plan.ontologies) {
    Result<Ontology> ontology = open_ontology(source, {.use_cache = work.use_cache});
    if (!ontology) return fail(ontology.error());
    out.emplace(name, *std::move(ontology));
  }
  return out;
}

// "concepts below animal"; an error where the root is none.
Result<std::string> domain_sentence(const ColumnSettings& column,
                                    const OpenedOntologies& ontologies) {
  if (column.has_several_ontologies()) {
    return fmt::format(" Its words are those of {} together.", fmt::join(column.ontologies, ", "));
  }
  if (column.ontology.empty()) return "";
  const Ontology& ontology = ontologies.at(column.ontology);
  std::string below = "below what its values have in common";
  if (!column.root.empty()) {
    const Result<Mapper> mapper = Mapper::create(ontology);
    if (!mapper) return fail(mapper.error());
    const Result<ConceptId> root = mapper->only(column.root);
    if (!root) {
      return fail(Error(root.error()).at(Place{.file = {}, .line = 0, .column = column.name}));
    }
    below = fmt::format("below {} ({})", mapper->names().label(*root), mapper->names().id(*root));
  } else if (ontology.info().format == "vgh") {
    below = "as its hierarchy has them";
  }
  return fmt::format(" Its words are concepts of {}, {}; distances are by {}; {}.", column.ontology,
                     below, column.measure, unmapped_sentence(column.unmapped));
}

std::string top_sentence(const PlanFile& plan) {
  std::vector<std::string> markers;
  for (const std::string& text : plan.missing_values) markers.push_back(toml_text(text));
  std::string out =
      fmt::format("Cells that count as missing: {}. {} {}", fmt::join(markers, ", "),
                  missing_sentence(plan.missing), undeclared_sentence(plan.undeclared));
  out += plan.seed ? " The key comes from the seed: someone who guesses the seed can undo the "
                     "masking."
                   : " The key is fresh and secret each time.";
  if (!plan.person.empty()) {
    out += fmt::format(
        " Column {} tells persons apart: classes, what is demanded of them and risks count "
        "persons, "
        "who may have several records.",
        plan.person);
    out += plan.allow_linked_rows ? " Columns that link the records of a person may be released."
                                  : " A column that links the records of a person is refused where "
                                    "classes are formed.";
  }
  if (!plan.release.empty()) out += " The release has a name, and draws of its own.";
  out += plan.shuffle ? " The rows come out in a random order." : " The rows keep their order.";
  return out;
}

std::string type_sentence(const ColumnSettings& column) {
  std::string out;
  if (column.type == ColumnType::kNumeric) out += " It holds numbers.";
  if (column.type == ColumnType::kDate) {
    out += fmt::format(" It holds dates, written as {}.",
                       column.format.empty() ? "ISO 8601 does" : column.format);
  }
  if (!column.hierarchy || !column.ontology.empty()) return out;
  const bool is_chosen = column.hierarchy->kind == HierarchySettings::Kind::kChosen;
  out += is_chosen ? " A hierarchy for it is chosen by its values"
                   : fmt::format(" Its hierarchy is made of its values: {}",
                                 hierarchy_text(*column.hierarchy));
  out += column.hierarchy->by_weeks ? ", by weeks." : ".";
  if (!column.by_hierarchy) out += " Nothing that masks it here looks at that.";
  return out;
}

// "round with base = 5"
std::string method_text(const MaskStep& step, const PlanFile& plan) {
  std::vector<std::string> settings;
  for (const auto& [key, value] : mask_values(step, plan.folder)) {
    if (key != kMethodKey && key != kColumnsKey) settings.push_back(key + " = " + value);
  }
  return fmt::format("{}{}", step.about().name,
                     settings.empty() ? "" : fmt::format(" with {}", fmt::join(settings, ", ")));
}

std::string step_sentence(const MaskStep& step, const PlanFile& plan) {
  const MethodDescription& about = step.about();
  std::vector<std::string> masked;
  for (const ColumnSettings& column : plan.columns) {
    if (is_masked(column, step)) masked.push_back(column.name);
  }
  return fmt::format(
      "{} {}. It {} {}. {} {}",
      about.recodes() ? "Before anything is fitted, cells are recoded by" : "The method is",
      method_text(step, plan), about.recodes() ? "changes" : "masks",
      masked.empty() ? "nothing" : fmt::format("{}", fmt::join(masked, ", ")), about.promise,
      about.no_promise);
}

// One for each step, in the order that they are done.
std::vector<std::string> mask_sentences(const PlanFile& plan) {
  if (!plan.masks()) return {"The plan names no method: it can describe a table, and masks none."};
  std::vector<std::string> out;
  for (const std::vector<MaskStep>* steps : {&plan.recodings, &plan.steps}) {
    for (const MaskStep& step : *steps) out.push_back(step_sentence(step, plan));
  }
  std::vector<std::string> left;
  for (const ColumnSettings& column : plan.columns) {
    const bool is_quasi_identifier = column.role == Role::kQuasiIdentifier;
    if (is_quasi_identifier && !plan.changes(column)) left.push_back(column.name);
  }
  if (!left.empty()) {
    out.back() +=
        fmt::format(" Quasi-identifiers that stay as they are: {}.", fmt::join(left, ", "));
  }
  return out;
}

Result<std::vector<PlanSentence>> explained(const PlanFile& plan, const WorkOptions& work) {
  const Result<OpenedOntologies> ontologies = open_all(plan, work);
  if (!ontologies) return fail(ontologies.error());
  std::vector<PlanSentence> out{{"", top_sentence(plan)}};
  for (const auto& [name, ontology] : *ontologies) {
    const auto taxonomy = ontology.taxonomy();
    if (!taxonomy) return fail(taxonomy.error());
    out.push_back({"ontology " + name,
                   fmt::format("It is read from {}: {} concepts.", plan.ontologies.at(name),
                               (*taxonomy)->size() - ((*taxonomy)->has_virtual_root() ? 1 : 0))});
  }
  for (const ColumnSettings& column : plan.columns) {
    std::string text(role_sentence(column, plan.changes(column)));
    if (column.role != Role::kIdentifier) {
      text += type_sentence(column);
      const Result<std::string> domain = domain_sentence(column, *ontologies);
      if (!domain) return fail(domain.error());
      text += *domain;
      if (column.demand) text += demand_sentence(*column.demand);
    }
    out.push_back({"column " + column.name, std::move(text)});
  }
  for (std::string& text : mask_sentences(plan)) out.push_back({"mask", std::move(text)});
  return out;
}

}  // namespace

Result<std::vector<PlanSentence>> explain_plan(const PlanFile& plan, const WorkOptions& work) {
  return stoppable(work.stop, [&] { return explained(plan, work); });
}

}  // namespace semveil
