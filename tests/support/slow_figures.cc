#include "support/slow_figures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "support/slow_audit.h"

namespace semveil::test {
namespace {

using Tuple = std::vector<ConceptId>;

bool is_suppressed(const Paired& pairs, const Tuple& tuple) {
  for (std::size_t j = 0; j < tuple.size(); ++j) {
    if (tuple[j] != pairs.attributes[j]->missing_value()) return false;
  }
  return true;
}

bool matches(const Paired& pairs, const Tuple& a, const Tuple& b, bool wildcard) {
  for (std::size_t j = 0; j < a.size(); ++j) {
    const ConceptId missing = pairs.attributes[j]->missing_value();
    const bool any = wildcard && (a[j] == missing || b[j] == missing);
    if (a[j] != b[j] && !any) return false;
  }
  return true;
}

std::vector<ConceptId> cells(const Paired& pairs, std::size_t j, Side side) {
  std::vector<ConceptId> out;
  for (const SlowPair& record : slow_pairs(pairs)) {
    const ConceptId value = (side == Side::kBefore ? record.before : record.after)[j];
    if (value != pairs.attributes[j]->missing_value()) out.push_back(value);
  }
  return out;
}

double share(const std::vector<ConceptId>& cells, ConceptId value) {
  return static_cast<double>(std::ranges::count(cells, value)) / static_cast<double>(cells.size());
}

void number_figures(const Attribute& attribute, const std::vector<ConceptId>& cells, double& mean,
                    double& variance) {
  std::vector<double> numbers;
  for (const ConceptId c : cells) {
    if (c < attribute.size()) numbers.push_back(attribute.numbers[c]);
  }
  for (const double x : numbers) mean += x / static_cast<double>(numbers.size());
  for (const double x : numbers) {
    variance += (x - mean) * (x - mean) / static_cast<double>(numbers.size());
  }
}

}  // namespace

Paired mixed_pairs(const TwinDomain& domain, std::size_t pairs, std::uint64_t seed) {
  Random random(seed);
  Paired out;
  out.attributes = {make_attribute("a", domain, {"wu-palmer"}),
                    make_attribute("b", domain, {"wu-palmer"}),
                    std::make_shared<Attribute>(numeric_attribute("n", {1, 2, 4, 8, 9}, 8)),
                    std::make_shared<Attribute>(text_attribute("t", {"x", "y", "z"}))};
  const auto any = [&](std::size_t j) {
    const Attribute& attribute = *out.attributes[j];
    if (random.one_in(12)) return attribute.missing_value();
    if (random.one_in(12)) return attribute.missing_value() + 1;
    const std::size_t first =
        attribute.is_nominal() && attribute.taxonomy().has_virtual_root() ? 1 : 0;
    const std::size_t few = std::min<std::size_t>(attribute.size() - first, 5);
    return static_cast<ConceptId>(attribute.size() - 1 - random.below(few));
  };
  const auto changed = [&](std::size_t j, ConceptId value) {
    const Attribute& attribute = *out.attributes[j];
    if (random.one_in(2)) return value;
    if (random.one_in(5)) return attribute.missing_value();
    if (random.one_in(2) || !attribute.is_nominal() || value >= attribute.size()) return any(j);
    const auto parents = attribute.taxonomy().parents(value);
    if (parents.empty() || attribute.taxonomy().is_virtual(parents[0])) return value;
    return parents[random.below(parents.size())];
  };
  for (std::size_t i = 0; i < pairs; ++i) {
    const bool suppressed = random.one_in(15);
    for (std::size_t j = 0; j < out.attributes.size(); ++j) {
      out.before.push_back(any(j));
      out.after.push_back(suppressed ? out.attributes[j]->missing_value()
                                     : changed(j, out.before.back()));
    }
    out.counts.push_back(1 + random.below(4));
  }
  return out;
}

bool slow_fits(const Attribute& attribute, ConceptId value, ConceptId released, bool wildcard) {
  const ConceptId missing = attribute.missing_value();
  if (value == released) return true;
  if (wildcard && (value == missing || released == missing)) return true;
  if (!attribute.is_nominal()) return false;
  if (released == Taxonomy::root()) return true;
  return value < missing && released < missing && lies_below(attribute.taxonomy(), value, released);
}

bool slow_fits(const Paired& pairs, const std::vector<ConceptId>& person,
               const std::vector<ConceptId>& released, bool wildcard) {
  for (std::size_t j = 0; j < person.size(); ++j) {
    if (!slow_fits(*pairs.attributes[j], person[j], released[j], wildcard)) return false;
  }
  return true;
}

SlowChanges slow_changes(const Paired& pairs, std::size_t j) {
  const Attribute& attribute = *pairs.attributes[j];
  SlowChanges out;
  out.distances.assign(20, 0);
  double squares = 0, sum = 0, cells = 0, same = 0, quality = 0, records = 0;
  for (const SlowPair& record : slow_pairs(pairs)) {
    const ConceptId x = record.before[j], z = record.after[j];
    const double d = attribute.distance(x, z);
    quality += 1 - d;
    ++records;
    if (x == z && x == attribute.missing_value()) continue;
    const bool means_nothing = attribute.is_nominal() && x > attribute.missing_value();
    if (means_nothing && (z == x || z == attribute.missing_value() || z == 0)) continue;
    ++cells;
    squares += d * d;
    sum += d;
    same += x == z ? 1 : 0;
    std::size_t bin = 0;
    while (bin + 1 < 20 && 20 * d >= static_cast<double>(bin + 1) - 1e-9) ++bin;
    ++out.distances[bin];
  }
  out.quality = quality / records;
  if (cells == 0) return out;
  out.rmse = std::sqrt(squares / cells);
  out.mean_distance = sum / cells;
  out.unchanged = same / cells;
  return out;
}

SlowDistribution slow_distribution(const Paired& pairs, std::size_t j) {
  const std::vector<ConceptId> before = cells(pairs, j, Side::kBefore);
  const std::vector<ConceptId> after = cells(pairs, j, Side::kAfter);
  std::set<ConceptId> values(before.begin(), before.end());
  values.insert(after.begin(), after.end());
  SlowDistribution out;
  double common = 0;
  for (const ConceptId v : values) {
    out.total_variation += std::abs(share(before, v) - share(after, v)) / 2;
    common += std::sqrt(share(before, v) * share(after, v));
  }
  out.hellinger = std::sqrt(std::max(0.0, 1 - common));
  for (const ConceptId v : before) {
    out.ic_loss -= std::log(share(before, v)) / static_cast<double>(before.size());
  }
  for (const ConceptId v : after) {
    out.ic_loss += std::log(share(after, v)) / static_cast<double>(after.size());
  }
  if (!pairs.attributes[j]->is_numeric()) return out;
  number_figures(*pairs.attributes[j], before, out.mean_original, out.variance_original);
  number_figures(*pairs.attributes[j], after, out.mean_masked, out.variance_masked);
  return out;
}

SlowClassRisk slow_class_risk(const Paired& pairs, Side side, bool wildcard) {
  SlowClassRisk out;
  std::vector<Tuple> records;
  for (const SlowPair& record : slow_pairs(pairs)) {
    const Tuple& tuple = side == Side::kBefore ? record.before : record.after;
    if (is_suppressed(pairs, tuple)) {
      ++out.suppressed;
    } else {
      records.push_back(tuple);
    }
  }
  out.classes = std::set<Tuple>(records.begin(), records.end()).size();
  out.discernibility = out.suppressed * (records.size() + out.suppressed);
  for (const Tuple& tuple : records) {
    std::uint64_t alike = 0;
    for (const Tuple& other : records) {
      alike += matches(pairs, tuple, other, wildcard) ? 1 : 0;
      out.discernibility += tuple == other ? 1 : 0;
    }
    out.smallest = out.smallest == 0 ? alike : std::min(out.smallest, alike);
    out.uniques += alike == 1 ? 1 : 0;
    out.prosecutor = std::max(out.prosecutor, 1 / static_cast<double>(alike));
    out.marketer += 1 / static_cast<double>(alike) / static_cast<double>(records.size());
  }
  return out;
}

namespace {

// Records that show something, or had nothing to show.
std::vector<SlowPair> shown_pairs(const Paired& pairs) {
  std::vector<SlowPair> out;
  for (const SlowPair& record : slow_pairs(pairs)) {
    if (is_suppressed(pairs, record.after) && !is_suppressed(pairs, record.before)) continue;
    out.push_back(record);
  }
  return out;
}

}  // namespace

std::optional<double> slow_journalist(const Paired& pairs, bool wildcard) {
  std::optional<double> out;
  for (const SlowPair& held : shown_pairs(pairs)) {
    double people = 0, records = 0, own = 0;
    for (const SlowPair& person : slow_pairs(pairs)) {
      people += slow_fits(pairs, person.before, held.after, wildcard) ? 1 : 0;
    }
    for (const SlowPair& record : shown_pairs(pairs)) {
      if (record.after != held.after) continue;
      ++records;
      own += slow_fits(pairs, record.before, record.after, wildcard) ? 1 : 0;
    }
    if (people > 0) out = std::max(out.value_or(0), own / records / people);
  }
  return out;
}

SlowOwn slow_own_among_alike(const Paired& pairs, bool wildcard) {
  SlowOwn out;
  const std::vector<SlowPair> people = slow_pairs(pairs), records = shown_pairs(pairs);
  for (const SlowPair& victim : people) {
    double like = 0, own = 0, alike = 0;  // whoever has his values is he, as far as the table tells
    for (const SlowPair& person : people) like += person.before == victim.before ? 1 : 0;
    for (const SlowPair& record : records) {
      if (!slow_fits(pairs, victim.before, record.after, wildcard)) continue;
      ++alike;
      own += record.before == victim.before ? 1 : 0;
    }
    const double chance = own > 0 ? own / like / alike : 0;
    out.worst = std::max(out.worst, chance);
    out.mean += chance / static_cast<double>(people.size());
  }
  return out;
}

// ---- The classifier -----------------------------------------------------------------------------

namespace {

// The concept above a value that some record has, by fewest links and then by id; or the value
// itself. Nothing where there is none.
std::optional<ConceptId> stands_for(const Attribute& attribute, ConceptId value,
                                    const std::set<ConceptId>& known) {
  if (known.contains(value)) return value;
  if (!attribute.is_nominal() || value >= attribute.size()) return std::nullopt;
  std::set<ConceptId> level{value};
  while (!level.empty()) {
    std::set<ConceptId> next;
    for (const ConceptId c : level) {
      for (const ConceptId parent : attribute.taxonomy().parents(c)) next.insert(parent);
    }
    std::map<std::string_view, ConceptId> found;
    for (const ConceptId c : next) {
      if (known.contains(c)) found[attribute.id(c)] = c;
    }
    if (!found.empty()) return found.begin()->second;
    level = next;
  }
  return std::nullopt;
}

ConceptId slow_guess(const Paired& pairs, const std::vector<Tuple>& training, const Tuple& tested) {
  const std::size_t target = pairs.width() - 1;
  std::set<ConceptId> answers;
  for (const Tuple& tuple : training) answers.insert(tuple[target]);
  std::optional<ConceptId> best;
  long double greatest = 0;
  for (const ConceptId c : answers) {
    long double score = 0;
    for (const Tuple& tuple : training) score += tuple[target] == c ? 1 : 0;
    for (std::size_t j = 0; j < target; ++j) {
      const ConceptId missing = pairs.attributes[j]->missing_value();
      std::set<ConceptId> known;
      for (const Tuple& tuple : training) {
        if (tuple[j] != missing) known.insert(tuple[j]);
      }
      if (tested[j] == missing) continue;
      const auto value = stands_for(*pairs.attributes[j], tested[j], known);
      if (!value) continue;
      long double both = 1, all = static_cast<long double>(known.size());
      for (const Tuple& tuple : training) {
        both += tuple[target] == c && tuple[j] == *value ? 1 : 0;
        all += tuple[target] == c && tuple[j] != missing ? 1 : 0;
      }
      score *= both / all;
    }
    if (best && score <= greatest * (1 + 1e-12L)) continue;
    best = c;
    greatest = score;
  }
  return *best;
}

}  // namespace

std::optional<SlowDownstream> slow_downstream(const Paired& pairs) {
  const std::size_t target = pairs.width() - 1;
  const ConceptId missing = pairs.attributes[target]->missing_value();
  std::vector<SlowPair> records = slow_pairs(pairs);
  // By id; missing cells after all values, then texts that mean nothing.
  const auto key = [&](const Tuple& tuple) {
    std::vector<std::pair<ConceptId, std::string_view>> out;
    for (std::size_t j = 0; j < tuple.size(); ++j) {
      const Attribute& attribute = *pairs.attributes[j];
      const bool by_id = attribute.is_nominal() && tuple[j] < attribute.size();
      out.emplace_back(by_id ? 0 : tuple[j] + 1, by_id ? attribute.id(tuple[j]) : "");
    }
    return out;
  };
  std::ranges::stable_sort(records, [&](const SlowPair& a, const SlowPair& b) {
    return std::pair(key(a.before), key(a.after)) < std::pair(key(b.before), key(b.after));
  });
  SlowDownstream out;
  double original = 0, masked = 0, majority = 0;
  for (const std::size_t half : {0U, 1U}) {
    std::vector<Tuple> before, after;
    for (std::size_t i = 1 - half; i < records.size(); i += 2) {
      if (records[i].before[target] != missing) before.push_back(records[i].before);
      if (records[i].after[target] != missing) after.push_back(records[i].after);
    }
    if (before.empty() || after.empty()) return std::nullopt;
    std::map<ConceptId, int> answers;
    for (const Tuple& tuple : before) ++answers[tuple[target]];
    ConceptId most = answers.begin()->first;
    for (const auto& [answer, count] : answers) {
      if (count > answers[most]) most = answer;
    }
    for (std::size_t i = half; i < records.size(); i += 2) {
      const ConceptId truth = records[i].before[target];
      if (truth == missing) continue;
      ++out.tested;
      original += slow_guess(pairs, before, records[i].before) == truth ? 1 : 0;
      masked += slow_guess(pairs, after, records[i].before) == truth ? 1 : 0;
      majority += most == truth ? 1 : 0;
    }
  }
  if (out.tested == 0) return std::nullopt;
  out.original = original / static_cast<double>(out.tested);
  out.masked = masked / static_cast<double>(out.tested);
  out.majority = majority / static_cast<double>(out.tested);
  return out;
}

}  // namespace semveil::test
