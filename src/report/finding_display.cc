#include "semveil/finding_display.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "semveil/finding_guide.h"
#include "semveil/method.h"

namespace semveil {
namespace {

constexpr std::string_view kClassesToo =
    "Sets leave the quasi-identifiers as they are: mask these, too, by a method that makes groups "
    "of records that look alike (generalize, fuse, microaggregate), or drop some of them.";
constexpr std::string_view kClassesInstead =
    "Choose a method that makes groups of records that look alike (generalize, fuse, "
    "microaggregate) and demand l or t of the column; or release sets (ean).";
constexpr std::string_view kMoreInSets =
    "Choose a greater l, draw = \"frequency\", or categories of about equally many records.";
constexpr std::string_view kMoreInAnySets = "Choose a greater l, or another method.";
constexpr std::string_view kJoinsRows =
    "Cells that are drawn so join the rows of a person, and classes count persons here: "
    "allow_linked_rows = true must allow it.";

const MethodRemedy* own_remedy(const MethodDescription& method, const Finding& finding,
                               const MaskedBy& masked_by) {
  for (const MethodRemedy& remedy : method.remedies) {
    if (remedy.finding != finding.id) continue;
    if (remedy.key.empty()) return &remedy;
    const auto said = masked_by.parameters.find(std::string(remedy.key));
    if (said != masked_by.parameters.end() && said->second == remedy.value) return &remedy;
  }
  return nullptr;
}

std::string stronger(const MethodDescription& method) {
  if (method.releases_sets) {
    return std::string(method.takes("draw") ? kMoreInSets : kMoreInAnySets);
  }
  if (method.searched.empty()) return "Choose another method; advise tries them.";
  return fmt::format("Choose a greater {}, or another method; advise tries them.", method.searched);
}

// Whether one of the steps has a method that does, or is, so.
template <class Is>
bool any_step(const MaskedBy& masked_by, Is is) {
  return std::ranges::any_of(joined_methods(masked_by.method), [&](std::string_view name) {
    return std::invoke(is, method_named(name));
  });
}

// That of the guide, as far as the plan in hand takes it.
std::string remedy_in_plan(const FindingGuide& guide, const MaskedBy& masked_by) {
  for (const std::string_view key : guide.keys) {
    const auto takes = [&](const MethodDescription& method) { return method.takes(key); };
    if (!key.empty() && !any_step(masked_by, takes)) return std::string(guide.otherwise);
  }
  const bool draws_by_person = std::ranges::find(guide.keys, kDrawByKey) != guide.keys.end();
  if (draws_by_person && masked_by.counts_persons &&
      any_step(masked_by, &MethodDescription::looks_up)) {
    return fmt::format("{} {}", guide.remedy, kJoinsRows);
  }
  return std::string(guide.remedy);
}

}  // namespace

MaskedBy masked_by(std::string method, std::map<std::string, std::string> parameters,
                   const std::vector<Finding>& findings) {
  MaskedBy out{std::move(method), std::move(parameters)};
  out.counts_persons = std::ranges::any_of(
      findings, [](const Finding& finding) { return finding.figures.contains("of_persons"); });
  return out;
}

std::string remedy_of(const Finding& finding, const MaskedBy& masked_by) {
  const FindingGuide* const guide = finding_guide(finding.id);
  if (guide == nullptr) return "";
  const MethodDescription& method = method_named(masked_by.method);
  if (method.name.empty()) return std::string(guide->remedy);
  if (const MethodRemedy* own = own_remedy(method, finding, masked_by)) {
    return std::string(own->remedy);
  }
  switch (guide->lack) {
    case Lack::kNothing:
      break;
    case Lack::kOfValues:
      return stronger(method);
    case Lack::kOfPeople:
      return method.releases_sets ? std::string(kClassesToo) : stronger(method);
    case Lack::kOfGroups:
      if (method.releases_sets) return std::string(kClassesToo);
      if (!method.forms_classes) return std::string(kClassesInstead);
      break;
  }
  return remedy_in_plan(*guide, masked_by);
}

std::vector<Finding> folded(const std::vector<Finding>& findings) {
  std::vector<Finding> out;
  for (const Finding& finding : findings) {
    const auto like = std::ranges::find_if(out, [&](const Finding& other) {
      return other.id == finding.id && other.severity == finding.severity &&
             other.figures == finding.figures;
    });
    const bool names_one = finding.columns.size() == 1 && finding.severity == Severity::kNote;
    if (like == out.end() || !names_one || like->columns.empty()) {
      out.push_back(finding);
      continue;
    }
    like->columns.push_back(finding.columns.front());
    like->text = finding_text(*like);
  }
  return out;
}

}  // namespace semveil
