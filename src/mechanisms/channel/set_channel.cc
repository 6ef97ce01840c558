#include "mechanisms/channel/set_channel.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace semveil {
namespace {

struct Member {
  double weight, chance;  // W, d
};

// The groups of a column: what may stand in a set, in the order of SetDraws.
struct Groups {
  std::size_t l;
  double records = 0;
  std::vector<std::vector<Member>> list;
  std::vector<std::uint32_t> of;  // by value; SetColumn::kNoCategory: in none

  Groups(const SetFit& fit, const SetColumn& column)
      : l(column.l), of(column.category.size(), SetColumn::kNoCategory) {
    for (const std::uint64_t count : column.counts) records += static_cast<double>(count);
    const auto weight = [&](ConceptId v) {
      return static_cast<double>(column.weights[v]) / records;
    };
    if (!fit.by_category) {
      for (ConceptId v = 0; v < of.size(); ++v) {
        if (column.category[v] == SetColumn::kNoCategory) continue;
        of[v] = static_cast<std::uint32_t>(list.size());
        list.push_back({{weight(v), 1}});
      }
      return;
    }
    of = column.category;
    for (const Categories::Category& category : column.categories.list) {
      double all = 0;
      for (const ConceptId v : category.values) all += static_cast<double>(column.counts[v]);
      std::vector<Member>& members = list.emplace_back();
      for (const ConceptId v : category.values) {
        const double chance = fit.draw == SetDraw::kFrequency
                                  ? static_cast<double>(column.counts[v]) / all
                                  : 1 / static_cast<double>(category.values.size());
        if (chance > 0) members.push_back({weight(v), chance});
      }
    }
  }
  std::size_t size() const { return list.size(); }
};

// The mean over all choices of `chosen` of these numbers of their product: the elementary symmetric
// sum over the binomial coefficient, which itself might be too large for a double. means[j] is that
// of j of the first i numbers; one more is among j of i + 1 with chance j / (i + 1).
void add_number(std::vector<double>& means, std::size_t i, double number) {
  const auto of = static_cast<double>(i + 1);
  for (std::size_t j = std::min(means.size() - 1, i + 1); j > 0; --j) {
    const double among = static_cast<double>(j) / of;
    means[j] = (j <= i ? (1 - among) * means[j] : 0) + among * number * means[j - 1];
  }
}

double mean_product(const std::vector<double>& numbers, std::size_t chosen) {
  if (chosen == numbers.size()) {
    return std::accumulate(numbers.begin(), numbers.end(), 1.0, std::multiplies<>());
  }
  std::vector<double> means(chosen + 1, 0);
  means[0] = 1;
  for (std::size_t i = 0; i < numbers.size(); ++i) add_number(means, i, numbers[i]);
  return means[chosen];
}

// The same of all numbers but one, for each of them: those before it and those behind it.
class MeansWithout {
 public:
  MeansWithout(std::size_t numbers, std::size_t chosen)
      : size_(numbers), chosen_(chosen), all_(chosen + 1 == numbers) {
    if (all_) return;
    // How likely j of the chosen ones stand before g: hypergeometric, from one j to the next by
    // logarithms, as the likeliest may be far from the first.
    shares_.assign(size_ * (chosen_ + 1), 0);
    for (std::size_t g = 0; g < size_; ++g) {
      const std::size_t behind = size_ - 1 - g;
      const std::size_t least = chosen_ > behind ? chosen_ - behind : 0;
      const std::size_t most = std::min(g, chosen_);
      double* const of = shares_.data() + g * (chosen_ + 1);
      double greatest = 0, sum = 0;
      for (std::size_t j = least; j < most; ++j) {
        of[j + 1] =
            of[j] +
            std::log(static_cast<double>(g - j) * static_cast<double>(chosen_ - j) /
                     (static_cast<double>(j + 1) * static_cast<double>(behind + j + 1 - chosen_)));
        greatest = std::max(greatest, of[j + 1]);
      }
      for (std::size_t j = least; j <= most; ++j) sum += of[j] = std::exp(of[j] - greatest);
      for (std::size_t j = least; j <= most; ++j) of[j] /= sum;
    }
  }

  void of(const std::vector<double>& numbers, std::vector<double>& out) {
    out.assign(size_, 1);
    if (all_) {
      double product = 1;
      for (std::size_t g = 0; g < size_; ++g) {
        out[g] = product;
        product *= numbers[g];
      }
      product = 1;
      for (std::size_t g = size_; g-- > 0;) {
        out[g] *= product;
        product *= numbers[g];
      }
      return;
    }
    const std::size_t width = chosen_ + 1;
    before_.assign(size_ * width, 0);
    std::vector<double> means(width, 0);
    means[0] = 1;
    for (std::size_t g = 0; g < size_; ++g) {
      std::copy(means.begin(), means.end(),
                before_.begin() + static_cast<std::ptrdiff_t>(g * width));
      add_number(means, g, numbers[g]);
    }
    std::fill(means.begin(), means.end(), 0.0);
    means[0] = 1;
    for (std::size_t g = size_; g-- > 0;) {
      double sum = 0;
      for (std::size_t j = 0; j < width; ++j) {
        sum += shares_[g * width + j] * before_[g * width + j] * means[chosen_ - j];
      }
      out[g] = sum;
      add_number(means, size_ - 1 - g, numbers[g]);
    }
  }

 private:
  std::size_t size_, chosen_;
  bool all_;  // every other number is chosen
  std::vector<double> shares_, before_;
};

double vulnerability(const Groups& groups) {
  struct Placed {
    double weight, chance;
    std::size_t group;
  };
  std::vector<Placed> all;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const Member& member : groups.list[g]) all.push_back({member.weight, member.chance, g});
  }
  std::sort(all.begin(), all.end(), [](const Placed& a, const Placed& b) {
    return a.weight != b.weight ? a.weight < b.weight : a.group < b.group;
  });
  const bool single = all.size() == groups.size();
  const auto n = static_cast<double>(groups.size()), l = static_cast<double>(groups.l);
  std::vector<double> upto(groups.size(), 0);  // P(W(u) ≤ w) by group
  double sum = 0, before = 0;
  // Of single values: C(k, l) / C(n, l), that all chosen ones are among the k lightest.
  const auto all_among = [&](std::size_t k) {
    double out = k < groups.l ? 0 : 1;
    for (std::size_t i = 0; i < groups.l && out > 0; ++i) {
      out *= static_cast<double>(k - i) / static_cast<double>(groups.size() - i);
    }
    return out;
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    upto[all[i].group] = std::min(1.0, upto[all[i].group] + all[i].chance);
    const bool last = i + 1 == all.size();
    if (!last && all[i + 1].weight == all[i].weight) continue;
    const double at_most = last ? 1 : single ? all_among(i + 1) : mean_product(upto, groups.l);
    sum += all[i].weight * (at_most - before);
    before = at_most;
  }
  return n / l * sum;
}

// By value: beside the lightest values of other groups.
class LightestOthers {
 public:
  explicit LightestOthers(const Groups& groups) : place_(groups.size()) {
    std::vector<double> lightest;
    for (const auto& members : groups.list) {
      lightest.push_back(
          std::min_element(members.begin(), members.end(), [](const Member& a, const Member& b) {
            return a.weight < b.weight;
          })->weight);
    }
    std::vector<std::size_t> order(groups.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return lightest[a] < lightest[b]; });
    for (std::size_t i = 0; i < order.size(); ++i) {
      place_[order[i]] = i;
      sorted_.push_back(lightest[order[i]]);
    }
    others_ = groups.l - 1;
  }
  double sum(std::size_t group) const {
    double out = 0;
    for (std::size_t i = 0, taken = 0; taken < others_; ++i) {
      if (i == place_[group]) continue;
      out += sorted_[i];
      ++taken;
    }
    return out;
  }

 private:
  std::vector<std::size_t> place_;
  std::vector<double> sorted_;
  std::size_t others_ = 0;
};

// By value of `values`.
void add_expected(const Groups& groups, const std::vector<double>& weights,
                  std::vector<ChannelRisk::Value>& values) {
  constexpr double kStep = 0.25, kLeft = 1e-16, kRight = 45;
  double least = 1e300, greatest = 0;
  for (const ChannelRisk::Value& value : values) {
    least = std::min(least, weights[value.value]);
    greatest = std::max(greatest, weights[value.value]);
  }
  MeansWithout without(groups.size(), groups.l - 1);
  std::vector<double> transforms(groups.size()), products;
  const double end = std::log(kRight / least);
  for (double y = std::log(kLeft / greatest); y < end; y += kStep) {
    const double t = std::exp(y);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      transforms[g] = 0;
      for (const Member& m : groups.list[g]) transforms[g] += m.chance * std::exp(-t * m.weight);
    }
    without.of(transforms, products);
    for (ChannelRisk::Value& value : values) {
      const double tw = t * weights[value.value];
      value.expected += kStep * tw * std::exp(-tw) * products[groups.of[value.value]];
    }
  }
}

}  // namespace

ChannelRisk set_channel_risk(const Attribute& attribute, const SetFit& fit, std::size_t column) {
  ChannelRisk out;
  out.columns = {attribute.name};
  const SetColumn& of = fit.columns[column];
  const Groups groups(fit, of);
  if (groups.records == 0) return out;
  std::vector<double> weights;
  for (const std::uint64_t weight : of.weights) {
    weights.push_back(static_cast<double>(weight) / groups.records);
  }
  const LightestOthers lightest(groups);
  for (ConceptId v = 0; v < of.counts.size(); ++v) {
    if (of.counts[v] == 0) continue;
    const double worst = weights[v] / (weights[v] + lightest.sum(groups.of[v]));
    out.values.push_back({v, of.counts[v], 0, worst, 0});
    out.worst = std::max(out.worst, worst);
    out.prior = std::max(out.prior, static_cast<double>(of.counts[v]) / groups.records);
  }
  add_expected(groups, weights, out.values);
  for (ChannelRisk::Value& value : out.values) {
    value.expected = std::min(value.expected, value.worst);
    out.expected += static_cast<double>(value.records) / groups.records * value.expected;
  }
  out.vulnerability = std::clamp(vulnerability(groups), out.prior, 1.0);
  out.leakage = std::log2(out.vulnerability / out.prior);
  return out;
}

}  // namespace semveil
