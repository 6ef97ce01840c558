// What released sets hide a value among, and what a record with sets lost.
#include <algorithm>
#include <array>
#include <set>

#include "audit/audit_parts.h"
#include "base/interval_text.h"
#include "figures/set_changes.h"
#include "semveil/finding_guide.h"
#include "statistics/cell_generality.h"
#include "statistics/information_loss.h"

namespace semveil {

std::size_t least_categories(const SetPair& set) {
  std::size_t least = set.l;
  std::vector<std::uint32_t> seen;
  for (std::size_t at = 0; at < set.released.size(); at += set.l) {
    if (set.released[at] == kMissing) continue;
    seen.clear();
    for (std::size_t i = at; i < at + set.l; ++i) {
      seen.push_back(set.fitted.category[set.released[i]]);
    }
    std::ranges::sort(seen);
    const auto kinds =
        static_cast<std::size_t>(std::unique(seen.begin(), seen.end()) - seen.begin());
    least = std::min(least, kinds);
  }
  return least;
}

namespace {

KnownIntervals intervals_in(const AuditTask& task, std::size_t j) {
  KnownIntervals out;
  const Attribute& attribute = *task.attributes[j];
  if (!attribute.is_numeric()) return out;
  std::optional<double> low, high;
  for (std::size_t c = 0; c < task.pair.original.size(); ++c) {
    const ConceptId value = task.pair.original.tuple(c)[j];
    if (value >= attribute.size()) continue;
    low = std::min(low.value_or(attribute.numbers[value]), attribute.numbers[value]);
    high = std::max(high.value_or(attribute.numbers[value]), attribute.numbers[value]);
  }
  if (low) out.range = *high - *low;
  ConceptId value = attribute.missing_value();
  for (const std::string& text : task.pair.columns[j].unmapped) {
    ++value;  // the first text is the one after it
    if (const auto interval = interval_of(text)) out.by_value.emplace(value, *interval);
  }
  return out;
}

// The mean loss of a quasi-identifier's released cells, over all records. A text that means nothing
// and came through lost nothing.
double column_loss(const AuditTask& task, std::size_t j) {
  const ConceptId missing = task.attributes[j]->missing_value();
  ColumnGenerality column(*task.attributes[j], intervals_in(task, j));
  if (task.is_paired()) {
    const Paired pairs = task.pair.pairs.over(std::array{j});
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (pairs.before[i] == pairs.after[i] && pairs.after[i] > missing) continue;
      column.add(pairs.before[i], pairs.after[i], pairs.counts[i]);
    }
    return column.mean_of_records(pairs.records()).lm;
  }
  // Nobody knows what a missing cell was: those beyond the original's were emptied.
  std::set<ConceptId> known;
  std::uint64_t had = 0, has = 0;
  const Classes &original = task.pair.original, &released = task.pair.masked;
  for (std::size_t c = 0; c < original.size(); ++c) {
    const ConceptId value = original.tuple(c)[j];
    known.insert(value);
    had += value == missing ? original.counts[c] : 0;
  }
  for (std::size_t c = 0; c < released.size(); ++c) {
    const ConceptId value = released.tuple(c)[j];
    has += value == missing ? released.counts[c] : 0;
    if (value < missing || !known.contains(value)) column.add(value, value, released.counts[c]);
  }
  column.add(Taxonomy::root(), missing, has - std::min(has, had));
  const std::uint64_t records = released.records();
  return records == 0 ? 0 : column.mean_of_records(records).lm;
}

// The mean loss of a column of sets: an emptied one says nothing.
double set_loss(const AuditTask& task, const SetPair& set) {
  const std::size_t records = set.released.size() / set.l;
  if (records == 0) return information_loss(set.l);
  std::uint64_t sets = 0, missing = 0, had = 0;
  for (std::size_t i = 0; i < records; ++i) {
    (set.released[i * set.l] == kMissing ? missing : sets) += 1;
  }
  for (std::size_t c = 0; c < task.pair.original.size(); ++c) {
    const ConceptId value = task.pair.original.tuple(c)[set.column];
    const bool none = value == task.attributes[set.column]->missing_value();
    had += none ? task.pair.original.counts[c] : 0;
  }
  const std::uint64_t emptied = task.is_paired() ? set.emptied : missing - std::min(missing, had);
  return (static_cast<double>(sets) * information_loss(set.l) + static_cast<double>(emptied)) /
         static_cast<double>(records);
}

}  // namespace

void audit_sets(const AuditTask& task, Audit& out) {
  if (task.pair.sets.empty()) return;
  std::vector<double> of_sets, known;
  std::vector<std::string> of_one_category;
  for (const SetPair& set : task.pair.sets) {
    of_sets.push_back(set_loss(task, set));
    AuditedColumn& column = out.columns[set.column];
    column.information_loss = information_loss(set.l);
    const ReleasedSets sets{set.truth, set.released, set.l};
    if (task.is_paired()) audit_set_changes(sets, *task.attributes[set.column], column);
    const auto least = static_cast<double>(least_categories(set));
    if (least < 2) of_one_category.push_back(task.pair.columns[set.column].name);
    out.category_diversity = std::min(out.category_diversity.value_or(least), least);
  }
  if (!of_one_category.empty()) {
    out.findings.push_back(
        make_finding("sets-of-one-category", Severity::kDanger, std::move(of_one_category)));
  }
  for (const std::size_t j : task.pair.quasi_identifiers) {
    if (!task.pair.columns[j].is_set) known.push_back(column_loss(task, j));
  }
  out.information_loss = information_loss(known, of_sets);
}

}  // namespace semveil
