#include "support/slow_ean.h"

#include <algorithm>
#include <array>

namespace semveil::test {
namespace {

bool contains(const SlowSets::List& list, ConceptId value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

void DocumentedChoices::begin() {
  std::array<std::uint64_t, 1> word{};
  if (is_address_) {
    draws_->of_addresses(std::array{row_}, next_, word);
  } else {
    draws_->of_rows(row_, next_, word);
  }
  word_ = word[0];
  ++next_;
  product_ = most_ = 1;
}

std::uint64_t DocumentedChoices::operator()(std::uint64_t count, std::uint64_t most) {
  if (most_ > 1 && most_ * most > (Wide{1} << 32U)) begin();
  most_ *= most;
  product_ *= count;
  const Wide number = (static_cast<Wide>(word_) * product_) >> 64U;
  return static_cast<std::uint64_t>(number % count);
}

SlowSets::List SlowSets::domain() const {
  List out;
  for (const List& list : senslist) out.insert(out.end(), list.begin(), list.end());
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<SlowSets::List> SlowSets::others(ConceptId t_sa) const {
  std::vector<List> out;
  if (by_category) {
    for (const List& list : senslist) {
      if (!contains(list, t_sa)) out.push_back(list);
    }
  } else {
    for (const ConceptId value : domain()) {
      if (value != t_sa) out.push_back({value});
    }
  }
  return out;
}

std::uint64_t SlowSets::choices_in(const List& list) const {
  if (!by_category || draw == SetDraw::kUniform) return list.size();
  std::uint64_t out = 0;
  for (const ConceptId value : list) out += records.contains(value) ? records.at(value) : 0;
  return out;
}

// Algorithm 2; numbers on the right are its lines.
SlowSets::List SlowSets::generate_random_set(ConceptId t_sa, const SlowChoose& choose,
                                             SetMutant mutant) const {
  const std::vector<List> lists = others(t_sa);  // 2-3
  // Which of them: all, or l − 1 by Floyd's way.
  std::vector<std::size_t> chosen;
  const std::size_t wanted = l - 1;
  if (wanted == lists.size()) {
    for (std::size_t index = 0; index < lists.size(); ++index) chosen.push_back(index);
  } else {
    const std::size_t all = mutant == SetMutant::kCategoryLeftOut ? lists.size() - 1 : lists.size();
    for (std::size_t among = all - wanted + 1; among <= all; ++among) {
      const std::size_t index = choose(among, among);
      const bool again = std::find(chosen.begin(), chosen.end(), index) != chosen.end();
      chosen.push_back(again ? among - 1 : index);
    }
  }
  // The most that a choice of a value can be among, whatever the record.
  const auto most = [&](std::size_t step) {
    if (!by_category) return std::uint64_t{1};
    if (wanted == lists.size()) {
      return std::max(choices_in(senslist[step]), choices_in(senslist[step + 1]));
    }
    std::uint64_t out = 0;
    for (const List& list : senslist) out = std::max(out, choices_in(list));
    return out;
  };
  List sl;  // 1
  for (std::size_t step = 0; step < wanted; ++step) {
    const List& list = lists[chosen[step]];
    List drawn_from = list;
    if (by_category && draw == SetDraw::kFrequency && mutant != SetMutant::kIgnoresRecords) {
      drawn_from.clear();  // a value for each of its records
      for (const ConceptId value : list) {
        if (records.contains(value)) {
          drawn_from.insert(drawn_from.end(), records.at(value), value);
        }
      }
    }
    if (mutant == SetMutant::kFirstValueTwice) drawn_from.push_back(drawn_from.front());
    sl.push_back(drawn_from[choose(drawn_from.size(), most(step))]);  // 4-5
  }
  sl.push_back(t_sa);  // 8
  return sl;           // 9
}

// Algorithm 3, lines 3-8.
SlowSets::List SlowSets::anonymized(ConceptId t_sa, const SlowChoose& choose,
                                    SetMutant mutant) const {
  List sl = generate_random_set(t_sa, choose, mutant);
  if (mutant == SetMutant::kSwapsWithAny) {
    for (ConceptId& value : sl) std::swap(value, sl[choose(l, l)]);
    return sl;
  }
  if (mutant == SetMutant::kTrueFirst) std::rotate(sl.begin(), sl.end() - 1, sl.end());
  const std::size_t least = mutant == SetMutant::kTrueFirst ? 1 : 0;
  for (std::size_t i = sl.size(); i > least + 1; --i) {
    std::swap(sl[i - 1], sl[least + choose(i - least, i - least)]);
  }
  return sl;
}

std::map<SlowSets::List, double> SlowSets::probabilities(ConceptId t_sa) const {
  const std::vector<List> lists = others(t_sa);
  // All ways to take l − 1 of the lists, and one of each.
  std::map<List, double> out;
  double ways = 0;
  const std::function<void(std::size_t, List, double)> take = [&](std::size_t index, List set,
                                                                  double probability) {
    if (set.size() == l) {
      std::sort(set.begin(), set.end());
      out[set] += probability;
      return;
    }
    if (index == lists.size()) return;
    take(index + 1, set, probability);
    for (const ConceptId value : lists[index]) {
      double of_value = 1;
      if (by_category && draw == SetDraw::kFrequency) {
        of_value = records.contains(value) ? static_cast<double>(records.at(value)) : 0;
      }
      List longer = set;
      longer.push_back(value);
      take(index + 1, longer,
           probability * of_value / static_cast<double>(choices_in(lists[index])));
    }
  };
  take(0, {t_sa}, 1);
  // Each way has the same probability: what they come to together is how many there are.
  for (const auto& [set, probability] : out) ways += probability;
  for (auto& [set, probability] : out) probability /= ways;
  return out;
}

double SlowSets::posterior(List set, ConceptId v) const {
  std::sort(set.begin(), set.end());
  double sum = 0, of_v = 0;
  for (const auto& [u, count] : records) {
    if (!known.contains(u)) known[u] = probabilities(u);
    const auto found = known[u].find(set);
    if (found == known[u].end()) continue;
    const double joint = static_cast<double>(count) * found->second;
    sum += joint;
    if (u == v) of_v = joint;
  }
  if (sum > 0) return of_v / sum;
  // Nobody expected this set. Who alone can have made it is the one.
  List makers;
  for (const ConceptId u : set) {
    if (!known.contains(u)) known[u] = probabilities(u);
    const auto found = known[u].find(set);
    if (found != known[u].end() && found->second > 0) makers.push_back(u);
  }
  if (makers.size() == 1) return makers.front() == v ? 1 : 0;
  return 1 / static_cast<double>(l);
}

SlowSets::Expected SlowSets::expected_posterior() const {
  double total = 0, sum = 0, squares = 0;
  for (const auto& [v, count] : records) {
    total += static_cast<double>(count);
    for (const auto& [set, probability] : probabilities(v)) {
      const double p = posterior(set, v);
      sum += static_cast<double>(count) * probability * p;
      squares += static_cast<double>(count) * probability * p * p;
    }
  }
  const double mean = sum / total;
  return {mean, squares / total - mean * mean};
}

}  // namespace semveil::test
