#include "figures/downstream.h"

#include <algorithm>
#include <map>

#include "base/math.h"
#include "base/stop.h"

namespace semveil {
namespace {

constexpr double kTie = 1e-9;

// Pairs over the evidence and, last, the target; in the order of their tuples, with the records of
// each that are dealt to the one half and to the other.
struct Dealt {
  Paired pairs;
  std::vector<std::uint64_t> of_half[2];

  std::size_t target() const { return pairs.width() - 1; }
  bool has_target(std::size_t i, Side side) const {
    return pairs.tuple(i, side)[target()] != pairs.attributes[target()]->missing_value();
  }
};

Dealt dealt(const Paired& all, std::size_t target, std::span<const std::size_t> evidence) {
  std::vector<std::size_t> columns(evidence.begin(), evidence.end());
  columns.push_back(target);
  Dealt out;
  out.pairs = all.over(columns);
  std::uint64_t before = 0;
  for (const std::uint64_t count : out.pairs.counts) {
    const std::uint64_t first = (count + (before + 1) % 2) / 2;
    out.of_half[0].push_back(first);
    out.of_half[1].push_back(count - first);
    before += count;
  }
  return out;
}

// ---- What was learned ---------------------------------------------------------------------------

class NaiveBayes {
 public:
  NaiveBayes(const Dealt& records, std::size_t half, Side side) : records_(records) {
    const Paired& pairs = records.pairs;
    std::map<ConceptId, std::uint64_t> counts;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const std::uint64_t count = records.of_half[half][i];
      if (count == 0 || !records.has_target(i, side)) continue;
      counts[pairs.tuple(i, side)[records.target()]] += count;
    }
    for (const auto& [value, count] : counts) {
      targets_.push_back(value);
      prior_.push_back(ln(static_cast<double>(count)));
    }
    columns_.resize(records.target());
    for (std::size_t j = 0; j < columns_.size(); ++j) learn(j, half, side);
  }

  bool knows_nothing() const { return targets_.empty(); }

  ConceptId guess(std::span<const ConceptId> tuple) {
    std::vector<double> score = prior_;
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const Seen* const seen = find(j, tuple[j]);
      if (seen == nullptr) continue;
      const std::vector<double>& none = columns_[j].none;
      for (std::size_t c = 0; c < score.size(); ++c) score[c] -= none[c];
      for (const auto& [c, more] : *seen) score[c] += more;
    }
    const double best = *std::ranges::max_element(score);
    std::size_t at = 0;
    while (score[at] < best - kTie) ++at;
    return targets_[at];
  }

 private:
  // By place of a target: ln(n_vc + 1), where it is not 0.
  using Seen = std::vector<std::pair<std::size_t, double>>;
  struct Column {
    std::map<ConceptId, Seen> values;
    std::vector<double> none;                // by target: ln(n_cj + V_j)
    std::map<ConceptId, const Seen*> above;  // of values that were not learned, once asked for
  };

  void learn(std::size_t j, std::size_t half, Side side) {
    const Paired& pairs = records_.pairs;
    const ConceptId missing = pairs.attributes[j]->missing_value();
    std::map<ConceptId, std::map<std::size_t, std::uint64_t>> counts;
    std::vector<std::uint64_t> of_target(targets_.size(), 0);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const std::uint64_t count = records_.of_half[half][i];
      const std::span<const ConceptId> tuple = pairs.tuple(i, side);
      if (count == 0 || !records_.has_target(i, side) || tuple[j] == missing) continue;
      const auto c = static_cast<std::size_t>(
          std::ranges::lower_bound(targets_, tuple[records_.target()]) - targets_.begin());
      counts[tuple[j]][c] += count;
      of_target[c] += count;
    }
    for (const auto& [value, of_value] : counts) {
      Seen& seen = columns_[j].values[value];
      for (const auto& [c, count] : of_value) {
        seen.emplace_back(c, ln(static_cast<double>(count + 1)));
      }
    }
    for (const std::uint64_t count : of_target) {
      columns_[j].none.push_back(ln(static_cast<double>(count + counts.size())));
    }
  }

  const Seen* find(std::size_t j, ConceptId value) {
    const Attribute& attribute = *records_.pairs.attributes[j];
    if (value == attribute.missing_value()) return nullptr;
    Column& column = columns_[j];
    const auto known = column.values.find(value);
    if (known != column.values.end()) return &known->second;
    if (!attribute.is_nominal() || value >= attribute.size()) return nullptr;
    const auto [entry, is_new] = column.above.try_emplace(value, nullptr);
    if (is_new) entry->second = nearest_above(attribute.taxonomy(), column, value);
    return entry->second;
  }

  static const Seen* nearest_above(const Taxonomy& taxonomy, const Column& column,
                                   ConceptId value) {
    const Seen* best = nullptr;
    std::pair<std::uint32_t, std::uint32_t> least;
    for (const Ancestor& above : taxonomy.ancestors(value)) {
      const auto known = column.values.find(above.concept_id);
      if (known == column.values.end()) continue;
      const std::pair at(above.path, taxonomy.id_rank(above.concept_id));
      if (best != nullptr && least < at) continue;
      best = &known->second;
      least = at;
    }
    return best;
  }

  const Dealt& records_;
  std::vector<ConceptId> targets_;  // ascending
  std::vector<double> prior_;
  std::vector<Column> columns_;
};

// ---- Tests --------------------------------------------------------------------------------------

std::uint64_t right_answers(const Dealt& records, std::size_t half, NaiveBayes& learned) {
  std::uint64_t right = 0;
  const std::size_t evidence = records.target();
  std::span<const ConceptId> last;  // pairs with equal evidence stand together
  ConceptId guess = 0;
  for (std::size_t i = 0; i < records.pairs.size(); ++i) {
    check_stop();
    const std::span<const ConceptId> tuple = records.pairs.tuple(i, Side::kBefore);
    if (records.of_half[half][i] == 0 || !records.has_target(i, Side::kBefore)) continue;
    if (last.empty() || !std::ranges::equal(tuple.first(evidence), last.first(evidence))) {
      guess = learned.guess(tuple);
    }
    last = tuple;
    if (guess == tuple.back()) right += records.of_half[half][i];
  }
  return right;
}

std::map<ConceptId, std::uint64_t> targets_of(const Dealt& records, std::size_t half) {
  std::map<ConceptId, std::uint64_t> out;
  for (std::size_t i = 0; i < records.pairs.size(); ++i) {
    check_stop();
    const std::uint64_t count = records.of_half[half][i];
    if (count == 0 || !records.has_target(i, Side::kBefore)) continue;
    out[records.pairs.tuple(i, Side::kBefore).back()] += count;
  }
  return out;
}

}  // namespace

std::optional<Downstream> downstream(const Paired& pairs, std::size_t target,
                                     std::span<const std::size_t> evidence) {
  const Dealt records = dealt(pairs, target, evidence);
  std::uint64_t original = 0, masked = 0, majority = 0, tested = 0;
  for (const std::size_t half : {0U, 1U}) {
    NaiveBayes from_original(records, 1 - half, Side::kBefore);
    NaiveBayes from_masked(records, 1 - half, Side::kAfter);
    if (from_original.knows_nothing() || from_masked.knows_nothing()) return std::nullopt;
    original += right_answers(records, half, from_original);
    masked += right_answers(records, half, from_masked);
    const auto learned = targets_of(records, 1 - half);
    const auto asked = targets_of(records, half);
    const auto most = std::ranges::max_element(
        learned, {}, [](const auto& entry) { return entry.second; });  // the first of several
    const auto found = asked.find(most->first);
    majority += found == asked.end() ? 0 : found->second;
    for (const auto& [value, count] : asked) tested += count;
  }
  if (tested == 0) return std::nullopt;
  Downstream out;
  out.target = pairs.attributes[target]->name;
  out.tested = tested;
  const auto all = static_cast<double>(tested);
  out.original = static_cast<double>(original) / all;
  out.masked = static_cast<double>(masked) / all;
  out.majority = static_cast<double>(majority) / all;
  return out;
}

}  // namespace semveil
