#include "support/slow_microaggregate.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "support/generated_table.h"

namespace semveil::test {
namespace {

__extension__ using Wide = __int128;

class SlowMdav {
 public:
  SlowMdav(const ClassTable& table, std::uint64_t k) : table_(table), k_(k) {
    double greatest = 0;
    for (std::size_t j = 0; j < table.width(); ++j) {
      double here = 1;
      if (table.attributes[j]->is_numeric()) {
        for (const ConceptId a : table.values[j]) {
          if (a == table.attributes[j]->missing_value()) continue;
          here = std::max(here, std::pow(static_cast<double>(position(j, a)) / 65536.0, 2.0));
        }
      }
      greatest += here;
    }
    while (bits_ > 0 && greatest * std::pow(2.0, bits_) > std::pow(2.0, 30)) --bits_;
  }

  SlowGroups run() {
    for (std::uint32_t t = 0; t < table_.size(); ++t) {
      if (table_.counts[t] >= k_) {
        frequent_[t] = {t};
      } else {
        left_.insert(t);
      }
    }
    if (records(left_) < k_) {
      for (const std::uint32_t t : left_) frequent_.at(nearest_frequent(t)).insert(t);
      left_.clear();
    }
    while (records(left_) >= 3 * k_) {
      const std::uint32_t r = farthest_from_centroid();
      place(r);
      if (records(left_) < 2 * k_) break;
      std::uint32_t s = *left_.begin();
      for (const std::uint32_t t : left_) {
        if (squared(r, t) > squared(r, s)) s = t;
      }
      place(s);
    }
    while (records(left_) >= 2 * k_) place(farthest_from_centroid());
    if (!left_.empty()) groups_.insert(left_);
    for (const auto& [tuple, group] : frequent_) groups_.insert(group);
    return groups_;
  }

 private:
  std::uint64_t records(const std::set<std::uint32_t>& tuples) const {
    std::uint64_t sum = 0;
    for (const std::uint32_t t : tuples) sum += table_.counts[t];
    return sum;
  }

  std::int64_t position(std::size_t j, ConceptId a) const {
    const Attribute& attribute = *table_.attributes[j];
    if (attribute.unit == 0) return 0;
    const double most =
        std::floor(std::sqrt(1073741824.0 / static_cast<double>(table_.width())) * 65536.0);
    const double apart = attribute.numbers[a] - attribute.numbers[table_.values[j].front()];
    return static_cast<std::int64_t>(
        std::min(most, std::floor(apart / attribute.unit * 65536.0 + 0.5)));
  }
  std::int64_t in_bits(Wide squared_positions) const {
    return static_cast<std::int64_t>(squared_positions >> (32 - bits_));
  }

  std::int64_t squared(std::size_t j, ConceptId a, ConceptId b) const {
    const Attribute& attribute = *table_.attributes[j];
    const ConceptId missing = attribute.missing_value();
    if (!attribute.is_numeric() || a == missing || b == missing) {
      const double d = attribute.distance(a, b);
      return static_cast<std::int64_t>(d * d * std::pow(2.0, bits_) + 0.5);
    }
    const Wide apart = position(j, a) - position(j, b);
    return in_bits(apart * apart);
  }
  std::int64_t squared(std::uint32_t t, std::uint32_t u) const {
    std::int64_t sum = 0;
    for (std::size_t j = 0; j < table_.width(); ++j) {
      sum += squared(j, table_.value(t, j), table_.value(u, j));
    }
    return sum;
  }

  // Of one value to the records left.
  std::int64_t mean_squared(std::size_t j, ConceptId a) const {
    const Attribute& attribute = *table_.attributes[j];
    const ConceptId missing = attribute.missing_value();
    Wide sum = 0;
    Wide all = 0;
    Wide present = 0;
    Wide positions = 0;
    for (const std::uint32_t t : left_) {
      const Wide count = static_cast<Wide>(table_.counts[t]);
      const ConceptId b = table_.value(t, j);
      sum += count * squared(j, a, b);
      all += count;
      if (!attribute.is_numeric() || b == missing) continue;
      present += count;
      positions += count * position(j, b);
    }
    if (!attribute.is_numeric() || a == missing) return static_cast<std::int64_t>(sum / all);
    // The value itself is left, so some are present.
    const Wide mean = positions / present;
    Wide around_mean = 0;
    for (const std::uint32_t t : left_) {
      if (table_.value(t, j) == missing) continue;
      const Wide apart = position(j, table_.value(t, j)) - mean;
      around_mean += static_cast<Wide>(table_.counts[t]) * apart * apart;
    }
    const Wide to_mean = position(j, a) - mean;
    const Wide of_present = in_bits(to_mean * to_mean) + in_bits(around_mean / present);
    const Wide one = Wide{1} << bits_;
    return static_cast<std::int64_t>((present * of_present + (all - present) * one) / all);
  }

  std::uint32_t farthest_from_centroid() const {
    std::uint32_t farthest = 0;
    std::int64_t greatest = -1;
    for (const std::uint32_t t : left_) {
      std::int64_t sum = 0;
      for (std::size_t j = 0; j < table_.width(); ++j) sum += mean_squared(j, table_.value(t, j));
      if (sum > greatest) {
        greatest = sum;
        farthest = t;
      }
    }
    return farthest;
  }

  std::uint32_t nearest_frequent(std::uint32_t t) const {
    std::uint32_t nearest = frequent_.begin()->first;
    for (const auto& [h, group] : frequent_) {
      if (squared(t, h) < squared(t, nearest)) nearest = h;
    }
    return nearest;
  }

  void place(std::uint32_t centre) {
    std::set<std::uint32_t> group{centre};
    std::set<std::uint32_t> others = left_;
    others.erase(centre);
    double squares = 0;
    while (records(group) < k_) {
      std::uint32_t nearest = *others.begin();
      for (const std::uint32_t t : others) {
        if (squared(centre, t) < squared(centre, nearest)) nearest = t;
      }
      group.insert(nearest);
      others.erase(nearest);
      squares += static_cast<double>(table_.counts[nearest] * squared(centre, nearest));
    }
    if (!frequent_.empty()) {
      const std::uint32_t h = nearest_frequent(centre);
      // Whole numbers below 2^53: exact.
      const auto here = static_cast<double>(table_.counts[centre]);
      const auto there = static_cast<double>(table_.counts[h]);
      const auto size = static_cast<double>(records(group));
      const auto apart = static_cast<double>(squared(centre, h));
      if (4 * there * apart * size < 5 * (here + there) * squares) {
        frequent_.at(h).insert(centre);
        left_.erase(centre);
        return;
      }
    }
    for (const std::uint32_t t : group) left_.erase(t);
    if (records(left_) < k_) {
      group.insert(left_.begin(), left_.end());
      left_.clear();
    }
    groups_.insert(group);
  }

  const ClassTable& table_;
  std::uint64_t k_;
  int bits_ = 20;
  std::set<std::uint32_t> left_;
  std::map<std::uint32_t, std::set<std::uint32_t>> frequent_;
  SlowGroups groups_;
};

// Digits before and behind the point, as many behind it as asked for; by long division.
std::string slow_mean_digits(const Attribute& attribute,
                             const std::map<ConceptId, std::uint64_t>& counts) {
  // In units of 10^-6, which the generated numbers have at most.
  constexpr std::int64_t kMillion = 1'000'000;
  std::int64_t sum = 0;
  std::int64_t n = 0;
  for (const auto& [value, count] : counts) {
    sum += static_cast<std::int64_t>(count) *
           std::llround(attribute.numbers[value] * static_cast<double>(kMillion));
    n += static_cast<std::int64_t>(count);
  }
  std::int64_t place = kMillion;
  for (unsigned d = 0; d < attribute.decimals; ++d) place /= 10;
  const bool negative = sum < 0;
  const std::int64_t size = std::abs(sum);
  std::int64_t rounded = size / (n * place);
  const std::int64_t rest = size % (n * place);
  if (2 * rest > n * place || (2 * rest == n * place && rounded % 2 == 1)) ++rounded;
  std::string digits = std::to_string(rounded);
  while (digits.size() <= attribute.decimals) digits.insert(digits.begin(), '0');
  if (attribute.decimals > 0) digits.insert(digits.size() - attribute.decimals, ".");
  return negative && rounded > 0 ? "-" + digits : digits;
}

std::string slow_mean_id(const Attribute& attribute,
                         const std::map<ConceptId, std::uint64_t>& counts) {
  const Taxonomy& taxonomy = attribute.taxonomy();
  std::uint64_t n = 0;
  for (const auto& [value, count] : counts) n += count;
  // All concepts first; where the winner is not allowed, the allowed ones.
  for (const bool all : {true, false}) {
    std::map<ConceptId, double> sums;
    for (ConceptId c = 0; c < taxonomy.size(); ++c) {
      if (taxonomy.is_virtual(c) || (!all && !attribute.candidates->contains(c))) continue;
      for (const auto& [value, count] : counts) {
        sums[c] += static_cast<double>(count) * attribute.distance(value, c);
      }
    }
    double least = sums.begin()->second;
    for (const auto& [c, sum] : sums) least = std::min(least, sum);
    using Rank = std::tuple<std::int64_t, unsigned, std::string, ConceptId>;
    std::optional<Rank> best;
    for (const auto& [c, sum] : sums) {
      if (sum > least + 1e-9 * static_cast<double>(n)) continue;
      const auto found = counts.find(c);
      const std::int64_t count =
          found == counts.end() ? 0 : static_cast<std::int64_t>(found->second);
      const Rank rank{-count, taxonomy.depth(c), std::string(attribute.id(c)), c};
      if (!best || rank < *best) best = rank;
    }
    if (attribute.candidates->contains(std::get<3>(*best))) return std::get<2>(*best);
  }
  return "nothing is allowed";
}

}  // namespace

SlowGroups slow_mdav(const ClassTable& table, std::uint64_t k) { return SlowMdav(table, k).run(); }

std::string slow_centroid(const ClassTable& table, const std::set<std::uint32_t>& group,
                          std::size_t column) {
  const Attribute& attribute = *table.attributes[column];
  std::map<ConceptId, std::uint64_t> counts;
  for (const std::uint32_t t : group) counts[table.value(t, column)] += table.counts[t];
  counts.erase(attribute.missing_value());
  if (counts.empty()) return "";
  if (attribute.is_numeric()) return slow_mean_digits(attribute, counts);
  if (attribute.is_nominal()) return slow_mean_id(attribute, counts);
  std::string best;
  std::uint64_t most = 0;
  for (const auto& [value, count] : counts) {
    if (count > most || (count == most && attribute.texts[value] < best)) {
      most = count;
      best = attribute.texts[value];
    }
  }
  return best;
}

SquaredError squared_error(const ClassTable& table,
                           const std::vector<std::shared_ptr<const Attribute>>& released,
                           const std::vector<std::uint32_t>& group,
                           const std::vector<ConceptId>& centroids, bool zero_one) {
  SquaredError out;
  for (std::size_t t = 0; t < table.size(); ++t) {
    const auto count = static_cast<double>(table.counts[t]);
    for (std::size_t j = 0; j < table.width(); ++j) {
      const Attribute& attribute = *table.attributes[j];
      const ConceptId x = table.value(t, j);
      const ConceptId z = centroids[group[t] * table.width() + j];
      const bool x_missing = x == attribute.missing_value();
      const bool z_missing = z == released[j]->missing_value();
      if (x_missing || z_missing) {
        (attribute.is_numeric() ? out.numbers : out.words) += x_missing == z_missing ? 0 : count;
      } else if (attribute.is_numeric()) {
        const double apart = (attribute.numbers[x] - released[j]->numbers[z]) / attribute.unit;
        out.numbers += count * apart * apart;
      } else {
        const double apart = zero_one ? (x == z ? 0.0 : 1.0) : attribute.distance(x, z);
        out.words += count * apart * apart;
      }
    }
  }
  const auto records = static_cast<double>(table.records());
  return {out.numbers / records, out.words / records};
}

ClassTable make_microaggregate_case(const MicroaggregateCaseShape& shape, std::uint64_t seed) {
  Random random(seed);
  GeneratedTable table;
  const bool as_value = random.one_in(2);
  for (std::size_t j = 0; j < shape.nominal; ++j) {
    // Measures of one kind each column; the path one has many equal distances.
    const TwinDomain domain(generate(shape.shape, 20 + random.below(25), random.next()));
    const MeasureCase measure{j % 2 == 0 ? "wu-palmer" : "path"};
    auto attribute = make_attribute("concepts " + std::to_string(j), domain, measure,
                                    {.deny = {}, .leaves_only = shape.leaves_only}, as_value);
    auto cells = draw_cells(attribute->taxonomy(), shape.records, shape.distinct,
                            shape.missing_one_in, random);
    table.columns.push_back({std::move(attribute), std::move(cells)});
  }
  for (std::size_t j = 0; j < shape.numeric; ++j) {
    std::set<double> numbers;
    const unsigned decimals = static_cast<unsigned>(random.below(4));
    const double scale = std::pow(10.0, decimals);
    while (numbers.size() < shape.distinct) {
      numbers.insert((static_cast<double>(random.below(1000)) - 400.0) / scale);
    }
    Attribute attribute =
        numeric_attribute("numbers " + std::to_string(j), {numbers.begin(), numbers.end()},
                          random.one_in(9) ? 0.0 : 200.0 / scale);
    // Fewer, as many, or more than the numbers have.
    attribute.decimals = static_cast<unsigned>(random.below(5));
    attribute.missing_is_value = as_value;
    table.columns.push_back(
        {std::make_shared<const Attribute>(std::move(attribute)),
         draw_numbers(numbers.size(), shape.records, shape.missing_one_in, random)});
  }
  for (std::size_t j = 0; j < shape.text; ++j) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < shape.distinct; ++i) texts.push_back("t" + std::to_string(i));
    std::ranges::sort(texts);
    Attribute attribute = text_attribute("texts " + std::to_string(j), texts);
    attribute.missing_is_value = as_value;
    table.columns.push_back(
        {std::make_shared<const Attribute>(std::move(attribute)),
         draw_numbers(texts.size(), shape.records, shape.missing_one_in, random)});
  }
  return class_table(table.frequencies());
}

SensitiveColumn make_sensitive(const ClassTable& table, std::size_t values, Demand demand,
                               std::uint64_t seed) {
  Random random(seed);
  SensitiveColumn out;
  out.name = "sensitive";
  out.demand = demand;
  out.whole.assign(values, 0);
  for (std::size_t v = 0; v < values; ++v) out.values.push_back(static_cast<ConceptId>(v));
  for (std::size_t t = 0; t < table.size(); ++t) {
    out.begin.push_back(out.counts.size());
    std::map<Code, std::uint64_t> counts;
    for (std::uint64_t i = 0; i < table.counts[t]; ++i) {
      ++counts[static_cast<Code>(std::min(random.below(values), random.below(values)))];
    }
    for (const auto& [place, count] : counts) {
      out.counts.push_back({place, count});
      out.whole[place] += count;
    }
  }
  out.begin.push_back(out.counts.size());
  return out;
}

}  // namespace semveil::test
