#include "risk_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "semveil/method.h"
#include "text_table.h"

namespace semveil::cli {
namespace {

using Align = TextTable::Align;

// What the promise of a method that forms groups took.
std::string cost_text(const MaskResult& result, const ReleaseFacts& facts) {
  if (!result.classes) return "";
  const MaskResult::Classes& classes = *result.classes;
  std::string out;
  if (classes.suppressed > 0) {
    out += wrapped("  suppressed   ",
                   fmt::format("{}, {}: their quasi-identifiers {} empty",
                               counted(classes.suppressed, "record", "records"),
                               percent(classes.suppressed, result.records - result.dropped_records),
                               classes.suppressed_sensitive ? "and sensitive cells are" : "are"));
  } else if (method_named(facts.method).releases_ancestors) {
    out += wrapped("  suppressed   ", "none");
  }
  if (!classes.levels.empty()) {
    std::vector<std::string> levels;
    for (const MaskedColumn& column : result.masked) {
      const auto level = classes.levels.find(column.name);
      if (level == classes.levels.end()) continue;
      levels.push_back(fmt::format("{} {}", column.name, level->second));
    }
    out += wrapped("  levels       ", listed(levels));
  }
  if (classes.loss) out += wrapped("  loss         ", figure(classes.loss));
  if (out.empty()) return out;
  return fmt::format("\nWhat it took that {} alike\n{}",
                     classes.counts_persons ? counted(classes.k, "person looks", "persons look")
                                            : counted(classes.k, "record looks", "records look"),
                     out);
}

std::string swapped_text(const MaskResult& result) {
  if (!result.swapped) return "";
  const MaskResult::Swapped& swapped = *result.swapped;
  TextTable table({Align::kLeft, Align::kRight});
  table.add({"records that were alone with their values", grouped(swapped.uniques)});
  table.add({"of them, come out as they were", grouped(swapped.unchanged_uniques)});
  table.add({"greatest chance that a match is the person's own record", figure(swapped.risk)});
  return "\nWho can still be found by the swapped columns\n" + table.text();
}

std::string classes_text(const MaskResult& result, const ReleaseFacts& facts) {
  const auto classes = [](const std::optional<Description>& d) {
    return d ? d->classes : std::optional<ClassDescription>();
  };
  const std::optional<ClassDescription> before = classes(result.before);
  const std::optional<ClassDescription> after = classes(result.after);
  if (!before && !after) return "";
  const auto row = [&](std::string name, std::uint64_t ClassDescription::* member) {
    return std::vector<std::string>{std::move(name), before ? grouped((*before).*member) : "-",
                                    after ? grouped((*after).*member) : "-"};
  };
  TextTable table({Align::kLeft, Align::kRight, Align::kRight});
  table.add({"", "before", "after"});
  table.add(row("classes", &ClassDescription::count));
  const std::optional<ClassDescription>& known = after ? after : before;
  if (known->records) {
    using Records = ClassDescription::Records;
    const auto beside = [&](std::string name, std::uint64_t Records::* member) {
      const auto of = [&](const std::optional<ClassDescription>& side) {
        return side && side->records ? grouped((*side->records).*member) : "-";
      };
      table.add({std::move(name), of(before), of(after)});
    };
    table.add(row("persons in the smallest (k)", &ClassDescription::smallest));
    beside("records in the smallest", &Records::smallest);
    table.add(row("persons alone in a class of theirs", &ClassDescription::uniques));
    beside("records alone in their class", &Records::uniques);
  } else {
    table.add(row("records in the smallest (k)", &ClassDescription::smallest));
    table.add(row("records alone in their class", &ClassDescription::uniques));
  }
  // A steward must not read protection, or the lack of it, into the wrong figure.
  const std::string meant =
      method_named(facts.method).forms_classes
          ? ""
          : fmt::format(" ({} is not meant to make large ones)", facts.method);
  return fmt::format("\nClasses over all quasi-identifiers{}\n", meant) + table.text();
}

std::string sensitive_text(const MaskResult& result) {
  if (!result.after || result.after->sensitive.empty()) return "";
  TextTable table({Align::kLeft, Align::kLeft, Align::kRight, Align::kRight});
  table.add({"sensitive column", "", "before", "after"});
  for (const SensitiveDescription& after : result.after->sensitive) {
    const SensitiveDescription* before = nullptr;
    if (result.before) {
      const auto& all = result.before->sensitive;
      const auto at = std::ranges::find(all, after.name, &SensitiveDescription::name);
      if (at != all.end()) before = &*at;
    }
    const auto was = [&](auto tell) { return before == nullptr ? "-" : tell(*before); };
    const auto l = [](const SensitiveDescription& s) { return grouped(s.l); };
    const auto entropy = [](const SensitiveDescription& s) { return figure(s.entropy_l); };
    const auto c = [](const SensitiveDescription& s) { return figure(s.recursive_c); };
    const auto t = [](const SensitiveDescription& s) { return figure(s.t); };
    table.add({name_cell(after.name), "distinct l", was(l), l(after)});
    table.add({"", "entropy l", was(entropy), entropy(after)});
    table.add({"", "recursive c", was(c), c(after)});
    table.add({"", "t", was(t), t(after)});
    if (after.most_common) {
      const auto most = [](const SensitiveDescription& s) { return figure(s.most_common); };
      table.add({"", "most common", was(most), most(after)});
    }
  }
  return "\nWhat a class tells of its sensitive values\n" + table.text();
}

}  // namespace

std::string risk_text(const MaskResult& result, const ReleaseFacts& facts) {
  return swapped_text(result) + cost_text(result, facts) + classes_text(result, facts) +
         sensitive_text(result);
}

}  // namespace semveil::cli
