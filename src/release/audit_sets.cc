// What released sets hide a value among, and what a record with sets lost.
#include <algorithm>
#include <array>
#include <map>

#include "audit/set_changes.h"
#include "base/interval_text.h"
#include "release/audit_parts.h"
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

// The mean loss of a quasi-identifier's released cells.
class ColumnLoss {
 public:
  ColumnLoss(const AuditTask& task, std::size_t j)
      : task_(task), j_(j), attribute_(*task.attributes[j]), generality_(attribute_) {
    for (std::size_t c = 0; c < task.pair.original.size(); ++c) {
      const ConceptId value = task.pair.original.tuple(c)[j];
      originals_[value] += task.pair.original.counts[c];
    }
  }

  double mean() const { return task_.is_paired() ? of_pairs() : of_tables(); }

 private:
  double of_pairs() const {
    const Paired pairs = task_.pair.pairs.over(std::array{j_});
    double sum = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (pairs.before[i] == pairs.after[i] && pairs.after[i] >= attribute_.size()) continue;
      sum += static_cast<double>(pairs.counts[i]) * loss(pairs.after[i]);
    }
    return sum / static_cast<double>(pairs.records());
  }

  // Nobody knows what a missing cell was: those beyond the original's were emptied.
  double of_tables() const {
    double sum = 0;
    std::uint64_t records = 0, missing = 0;
    const Classes& released = task_.pair.masked;
    for (std::size_t c = 0; c < released.size(); ++c) {
      const ConceptId value = released.tuple(c)[j_];
      records += released.counts[c];
      if (value == attribute_.missing_value()) {
        missing += released.counts[c];
      } else if (value < attribute_.size() || !originals_.contains(value)) {
        sum += static_cast<double>(released.counts[c]) * loss(value);
      }
    }
    const auto before = originals_.find(attribute_.missing_value());
    const std::uint64_t had = before == originals_.end() ? 0 : before->second;
    sum += static_cast<double>(missing - std::min(missing, had));
    return records == 0 ? 0 : sum / static_cast<double>(records);
  }

  double loss(ConceptId value) const {
    if (value < attribute_.size()) return generality_.of(value).lm;
    if (value == attribute_.missing_value() || !attribute_.is_numeric()) return 1;
    const auto interval = interval_of(task_.pair.label(j_, value));
    const double range = number_range();
    if (!interval || range <= 0) return 1;
    return std::min(1.0, (interval->high - interval->low) / range);
  }

  double number_range() const {
    std::optional<double> low, high;
    for (const auto& [value, count] : originals_) {  // ascending, as the numbers are
      if (value >= attribute_.size()) break;
      if (!low) low = attribute_.numbers[value];
      high = attribute_.numbers[value];
    }
    return low ? *high - *low : 0;
  }

  const AuditTask& task_;
  std::size_t j_;
  const Attribute& attribute_;
  ValueGenerality generality_;
  std::map<ConceptId, std::uint64_t> originals_;
};

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
    if (!task.pair.columns[j].is_set) known.push_back(ColumnLoss(task, j).mean());
  }
  out.information_loss = information_loss(known, of_sets);
}

}  // namespace semveil
