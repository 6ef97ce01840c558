#include "semveil/finding_display.h"

#include <algorithm>
#include <array>

#include "semveil/finding_guide.h"
#include "semveil/method.h"

namespace semveil {
namespace {

template <std::size_t kSize>
bool is_one_of(std::string_view id, const std::array<std::string_view, kSize>& ids) {
  return std::ranges::find(ids, id) != ids.end();
}

constexpr std::string_view kClassesToo =
    "Sets leave the quasi-identifiers as they are: mask these, too, by a method that makes groups "
    "of records that look alike (generalize, fuse, microaggregate), or drop some of them.";

// Values are guessed, or cells stay as they were.
std::string_view stronger_values(const MethodDescription& method) {
  if (method.releases_sets) {
    return "Choose a greater l, draw = \"frequency\", or categories of about equally many records.";
  }
  if (method.key("alpha") != nullptr) {
    return "Choose a greater alpha, or another method; advise tries them.";
  }
  if (method.key("k") != nullptr) {
    return "Choose a greater k, or another method; advise tries them.";
  }
  return "Choose another method; advise tries them.";
}

// People are found, or what a group has in common is known.
std::string_view stronger_groups(const MethodDescription& method) {
  return method.releases_sets ? kClassesToo : stronger_values(method);
}

bool says(const MaskedBy& masked_by, const std::string& key, std::string_view value) {
  const auto at = masked_by.parameters.find(key);
  return at != masked_by.parameters.end() && at->second == value;
}

std::string_view about_correlation(const MethodDescription& method, const MaskedBy& masked_by) {
  const bool is_joint = says(masked_by, "correlated", "true") ||
                        says(masked_by, "reference", "\"pair\"") ||
                        says(masked_by, "algorithm", "\"multivariate\"");
  if (is_joint) return "The columns are masked together already: choose another method.";
  if (method.key("correlated") != nullptr) {
    return "Mask the columns together (correlated = true), or choose another method.";
  }
  if (method.key("algorithm") != nullptr) {
    return "Mask the columns together (algorithm = \"multivariate\"), or choose another method.";
  }
  return "Choose another method.";
}

}  // namespace

std::string remedy_of(const Finding& finding, const MaskedBy& masked_by) {
  const FindingGuide* const guide = finding_guide(finding.id);
  if (guide == nullptr) return "";
  std::string remedy(guide->remedy);
  const MethodDescription& method = method_named(masked_by.method);
  if (method.name.empty()) return remedy;
  constexpr std::array<std::string_view, 3> kValues{"guess-easy", "guess-easier",
                                                    "cells-unchanged"};
  constexpr std::array<std::string_view, 3> kPeople{"people-found", "singling-out-succeeds",
                                                    "linkability-succeeds"};
  constexpr std::array<std::string_view, 4> kGroups{"class-shares-category", "class-shares-level",
                                                    "secret-shared", "secret-nearly-shared"};
  if (is_one_of(finding.id, kValues)) return std::string(stronger_values(method));
  if (is_one_of(finding.id, kPeople)) return std::string(stronger_groups(method));
  if (is_one_of(finding.id, kGroups) && method.releases_sets) return std::string(kClassesToo);
  if (is_one_of(finding.id, kGroups) && !method.forms_classes) {
    return "Choose a method that makes groups of records that look alike (generalize, fuse, "
           "microaggregate) and demand l or t of the column; or release sets (ean).";
  }
  if (finding.id == "sets-of-one-category" && method.name == "ean") {
    return "Find out how the table was made: ean gives the values of a set different categories.";
  }
  if (finding.id == "sets-of-related-values" && method.name == "ean") return "";
  if (finding.id == "frequent-values-stand-out" && says(masked_by, "draw", "\"frequency\"")) {
    return "Categories of about equally many records bring it near 1/l.";
  }
  if (finding.id == "noise-moves-mean" && says(masked_by, "reference", "\"mean\"")) {
    return "Choose another method.";
  }
  if (finding.id == "correlation-moved") return std::string(about_correlation(method, masked_by));
  return remedy;
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
