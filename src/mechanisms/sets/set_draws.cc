#include "mechanisms/sets/set_draws.h"

#include <algorithm>
#include <numeric>

namespace semveil {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr Wide kMostOfAWord = Wide{1} << 32U;
// Sets this short whose choices share one draw have all their orders listed: 5,040 of 7 values.
constexpr std::size_t kShort = 7;

// A choice among `count`, which leaves `bits` as the draw for the next.
std::uint64_t take_below(std::uint64_t count, std::uint64_t& bits) {
  const Wide product = static_cast<Wide>(bits) * count;
  bits = static_cast<std::uint64_t>(product);
  return static_cast<std::uint64_t>(product >> 64U);
}

// The choices of one row.
class SetChoices {
 public:
  SetChoices(const std::uint64_t* word, std::size_t stride, const std::uint8_t* begins)
      : word_(word), stride_(stride), begins_(begins), bits_(*word) {}

  std::uint64_t below(std::uint64_t count) {
    if (*begins_++ != 0) {
      word_ += stride_;
      bits_ = *word_;
    }
    return take_below(count, bits_);
  }

 private:
  const std::uint64_t* word_;
  std::size_t stride_;
  const std::uint8_t* begins_;
  std::uint64_t bits_;
};

// The first of some running sums that is above `record`; the last is. Steps without branches: where
// a random number lies cannot be predicted.
std::size_t place_of(std::span<const std::uint64_t> upto, std::uint64_t record) {
  const std::uint64_t* first = upto.data();
  for (std::size_t left = upto.size(); left > 1;) {
    const std::size_t half = left / 2;
    first += (first[half - 1] <= record ? 1U : 0U) * half;
    left -= half;
  }
  return static_cast<std::size_t>(first - upto.data());
}

std::uint64_t factorial(std::size_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

}  // namespace

SetDraws::SetDraws(const SetColumn& column, bool by_category, SetDraw draw)
    : l_(column.l),
      by_count_(by_category && draw == SetDraw::kFrequency),
      group_(column.category.size(), kNoGroup) {
  const auto add_member = [&](ConceptId value) {
    if (by_count_ && column.counts[value] == 0) return;
    members_.push_back(value);
    if (!by_count_) return;
    const bool first = members_.size() - 1 == begin_.back();
    upto_.push_back((first ? 0 : upto_.back()) + column.counts[value]);
  };
  const auto end_group = [&] {
    sizes_.push_back(by_count_ ? upto_.back() : members_.size() - begin_.back());
  };
  if (by_category) {
    group_ = column.category;
    for (const Categories::Category& category : column.categories.list) {
      begin_.push_back(static_cast<std::uint32_t>(members_.size()));
      for (const ConceptId value : category.values) add_member(value);
      end_group();
    }
  } else {
    for (ConceptId value = 0; value < column.category.size(); ++value) {
      if (column.category[value] == SetColumn::kNoCategory) continue;
      group_[value] = static_cast<std::uint32_t>(begin_.size());
      begin_.push_back(static_cast<std::uint32_t>(members_.size()));
      add_member(value);
      end_group();
    }
  }
  begin_.push_back(static_cast<std::uint32_t>(members_.size()));
  plan_choices();
  if (words_ == 1 && l_ == sizes_.size() && l_ <= kShort && !by_count_) list_orders();
}

void SetDraws::plan_choices() {
  Wide product = 1;
  const auto plan = [&](std::uint64_t most) {
    const bool begins = product > 1 && product * most > kMostOfAWord;
    begins_.push_back(begins ? 1 : 0);
    words_ += begins ? 1 : 0;
    product = begins ? most : product * most;
  };
  const std::size_t groups = sizes_.size();
  if (l_ < groups) {
    for (std::size_t among = groups - l_ + 1; among < groups; ++among) plan(among);
  }
  const std::uint64_t largest = *std::max_element(sizes_.begin(), sizes_.end());
  for (std::size_t i = 0; i + 1 < l_; ++i) {
    plan(l_ < groups ? largest : std::max(sizes_[i], sizes_[i + 1]));
  }
  for (std::size_t among = l_; among > 1; --among) plan(among);
}

void SetDraws::list_orders() {
  const std::size_t orders = factorial(l_);
  places_.resize(orders * l_);
  std::vector<std::uint8_t> at(l_);  // who stands where
  for (std::size_t order = 0; order < orders; ++order) {
    std::iota(at.begin(), at.end(), std::uint8_t{0});
    std::size_t rest = order, radix = orders;
    for (std::size_t among = l_; among > 1; --among) {
      radix /= among;
      std::swap(at[among - 1], at[rest / radix]);
      rest %= radix;
    }
    for (std::size_t place = 0; place < l_; ++place) {
      places_[order * l_ + at[place]] = static_cast<std::uint8_t>(place);
    }
  }
}

std::uint64_t SetDraws::draw(std::span<const ConceptId> cells, std::span<const std::uint64_t> words,
                             std::span<ConceptId> out) const {
  if (!places_.empty()) {
    switch (l_) {
      case 2:
        return draw_short<2>(cells, words, out);
      case 3:
        return draw_short<3>(cells, words, out);
      case 4:
        return draw_short<4>(cells, words, out);
      case 5:
        return draw_short<5>(cells, words, out);
      case 6:
        return draw_short<6>(cells, words, out);
      default:
        return draw_short<kShort>(cells, words, out);
    }
  }
  return by_count_ ? draw_all<true>(cells, words, out) : draw_all<false>(cells, words, out);
}

// One of each other group, every value alike, all from one draw: the case of the paper.
template <std::size_t kL>
std::uint64_t SetDraws::draw_short(std::span<const ConceptId> cells,
                                   std::span<const std::uint64_t> words,
                                   std::span<ConceptId> out) const {
  constexpr std::uint64_t kOrders[] = {1, 1, 2, 6, 24, 120, 720, 5040};
  std::uint64_t missing = 0;
  ConceptId* set = out.data();
  for (std::size_t row = 0; row < cells.size(); ++row, set += kL) {
    if (!has(cells[row])) {
      std::fill_n(set, kL, kMissing);
      ++missing;
      continue;
    }
    const std::uint32_t own = group_[cells[row]];
    std::uint64_t bits = words[row];
    ConceptId chosen[kL];
    for (std::uint32_t i = 0; i + 1 < kL; ++i) {
      const std::uint32_t group = i + (i >= own ? 1 : 0);
      chosen[i] = members_[begin_[group] + take_below(sizes_[group], bits)];
    }
    chosen[kL - 1] = cells[row];
    const std::uint8_t* places = places_.data() + take_below(kOrders[kL], bits) * kL;
    for (std::size_t i = 0; i < kL; ++i) set[places[i]] = chosen[i];
  }
  return missing;
}

template <bool kByCount>
std::uint64_t SetDraws::draw_all(std::span<const ConceptId> cells,
                                 std::span<const std::uint64_t> words,
                                 std::span<ConceptId> out) const {
  const auto groups = static_cast<std::uint32_t>(sizes_.size());
  const auto others = static_cast<std::uint32_t>(l_ - 1);
  std::uint64_t missing = 0;
  ConceptId* set = out.data();
  for (std::size_t row = 0; row < cells.size(); ++row, set += l_) {
    if (!has(cells[row])) {
      std::fill_n(set, l_, kMissing);
      ++missing;
      continue;
    }
    const std::uint32_t own = group_[cells[row]];
    SetChoices choices(words.data() + row, cells.size(), begins_.data());
    // The set holds groups first, numbered without the true value's.
    if (l_ == groups) {
      std::iota(set, set + others, 0U);
    } else {
      for (std::uint32_t i = 0; i < others; ++i) {
        const std::uint32_t newest = groups - 1 - others + i;
        const auto picked = static_cast<std::uint32_t>(choices.below(newest + 1));
        const bool again = std::find(set, set + i, picked) != set + i;
        set[i] = again ? newest : picked;
      }
    }
    for (std::uint32_t i = 0; i < others; ++i) {
      const std::uint32_t group = set[i] + (set[i] >= own ? 1 : 0);
      std::uint64_t at = choices.below(sizes_[group]);
      if constexpr (kByCount) {
        at = place_of(std::span(upto_).subspan(begin_[group], begin_[group + 1] - begin_[group]),
                      at);
      }
      set[i] = members_[begin_[group] + at];
    }
    set[others] = cells[row];
    for (std::size_t among = l_; among > 1; --among) {
      std::swap(set[among - 1], set[choices.below(among)]);
    }
  }
  return missing;
}

}  // namespace semveil
