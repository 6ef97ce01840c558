#include "figures/fits.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "base/stop.h"

namespace semveil {
namespace {

constexpr std::size_t kClassesOfAWord = 64;
constexpr std::size_t kMostBitmapWords = std::size_t{64'000'000} / sizeof(std::uint64_t);
constexpr std::uint32_t kNoBitmap = ~std::uint32_t{0};

// The values of a column, ascending, each once.
std::vector<ConceptId> values_of(const Classes& classes, std::size_t j) {
  std::vector<ConceptId> out;
  out.reserve(classes.size());
  for (std::size_t c = 0; c < classes.size(); ++c) out.push_back(classes.tuple(c)[j]);
  std::ranges::sort(out);
  out.erase(std::ranges::unique(out).begin(), out.end());
  return out;
}

std::uint32_t place_in(const std::vector<ConceptId>& list, ConceptId value) {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(list, value) - list.begin());
}

// relate(below, above) for every value of `below` and every one of `above` that it fits, by place.
template <class Relate>
void for_each_fit(const Attribute& attribute, const std::vector<ConceptId>& below,
                  const std::vector<ConceptId>& above, bool wildcard, const Relate& relate) {
  const ConceptId missing = attribute.missing_value();
  for (std::uint32_t b = 0; b < below.size(); ++b) {
    check_stop();
    const auto fits = [&](ConceptId value) {
      const std::uint32_t a = place_in(above, value);
      if (a < above.size() && above[a] == value) relate(b, a);
    };
    if (wildcard && below[b] == missing) {
      for (std::uint32_t a = 0; a < above.size(); ++a) relate(b, a);
      continue;
    }
    if (wildcard) fits(missing);
    if (!attribute.is_nominal() || below[b] >= attribute.size()) {
      fits(below[b]);
      if (attribute.is_nominal()) fits(Taxonomy::root());
      continue;
    }
    for (const Ancestor& up : attribute.taxonomy().ancestors(below[b])) fits(up.concept_id);
  }
}

// The same for released values that span others, as far as they are not equal.
template <class Relate>
void for_each_spanned(const Attribute& attribute, std::span<const SpanningValue> spanning,
                      const std::vector<ConceptId>& below, const std::vector<ConceptId>& above,
                      bool wildcard, const Relate& relate) {
  const ConceptId missing = attribute.missing_value();
  const auto interval_of_value = [&](ConceptId value) -> std::optional<NumberInterval> {
    if (attribute.is_numeric() && value < attribute.size()) {
      return NumberInterval{attribute.numbers[value], attribute.numbers[value]};
    }
    const auto at = std::ranges::lower_bound(spanning, value, {}, &SpanningValue::value);
    return at != spanning.end() && at->value == value ? at->interval : std::nullopt;
  };
  for (const SpanningValue& wide : spanning) {
    const std::uint32_t a = place_in(above, wide.value);
    if (a == above.size() || above[a] != wide.value) continue;
    for (std::uint32_t b = 0; b < below.size(); ++b) {
      if (below[b] == wide.value || (wildcard && below[b] == missing))
        continue;  // they fit already
      const auto narrow = wide.interval ? interval_of_value(below[b]) : std::nullopt;
      if (!wide.interval || (narrow && wide.interval->contains(*narrow))) relate(b, a);
    }
  }
}

}  // namespace

Fits::Fits(const Attributes& attributes, const Classes& asking, const Classes& answering, Ask ask,
           const FitRule& rule)
    : asking_(asking),
      answering_(answering),
      ask_(ask),
      width_(attributes.size()),
      all_(width_),
      asking_places_(asking.size() * width_),
      answering_places_(answering.size() * width_),
      sorted_(answering.size()),
      words_((answering.size() + kClassesOfAWord - 1) / kClassesOfAWord) {
  std::iota(all_.begin(), all_.end(), std::size_t{0});
  for (std::size_t j = 0; j < width_; ++j) {
    columns_.push_back(column(*attributes[j], j, rule));
  }
  std::iota(sorted_.begin(), sorted_.end(), 0U);
  const auto places = [&](std::uint32_t c) {
    return std::span<const std::uint32_t>(answering_places_).subspan(c * width_, width_);
  };
  std::ranges::sort(sorted_, [&](std::uint32_t a, std::uint32_t b) {
    return std::ranges::lexicographical_compare(places(a), places(b));
  });
}

Fits::Column Fits::column(const Attribute& attribute, std::size_t j, const FitRule& rule) {
  const bool wildcard = rule.missing == MissingRule::kWildcard;
  const std::vector<ConceptId> ask = values_of(asking_, j), answer = values_of(answering_, j);
  Column out;
  out.answers.resize(ask.size());
  const bool is_released = ask_ == Ask::kWhoFits;  // what asks
  const auto relate = [&](std::uint32_t below, std::uint32_t above) {
    out.answers[is_released ? above : below].push_back(is_released ? below : above);
  };
  const auto& below = is_released ? answer : ask;
  const auto& above = is_released ? ask : answer;
  for_each_fit(attribute, below, above, wildcard, relate);
  for_each_spanned(attribute, rule.of_column(j), below, above, wildcard, relate);
  for (std::vector<std::uint32_t>& list : out.answers) std::ranges::sort(list);
  for (std::size_t c = 0; c < asking_.size(); ++c) {
    asking_places_[c * width_ + j] = place_in(ask, asking_.tuple(c)[j]);
  }
  out.begin.assign(answer.size() + 1, 0);
  for (std::size_t c = 0; c < answering_.size(); ++c) {
    const std::uint32_t place = place_in(answer, answering_.tuple(c)[j]);
    answering_places_[c * width_ + j] = place;
    ++out.begin[place + 1];
  }
  std::partial_sum(out.begin.begin(), out.begin.end(), out.begin.begin());
  out.holders.resize(answering_.size());
  std::vector<std::uint32_t> next(out.begin.begin(), out.begin.end() - 1);
  for (std::size_t c = 0; c < answering_.size(); ++c) {
    out.holders[next[answering_places_[c * width_ + j]]++] = static_cast<std::uint32_t>(c);
  }
  for (const std::vector<std::uint32_t>& list : out.answers) {
    std::uint64_t classes = 0;
    for (const std::uint32_t value : list) classes += out.begin[value + 1] - out.begin[value];
    out.holders_of.push_back(classes);
  }
  add_bitmaps(out);
  return out;
}

// For values that so many fit that going through them takes longer than through all words.
void Fits::add_bitmaps(Column& column) {
  column.bitmap_of.assign(column.answers.size(), kNoBitmap);
  const auto less = [](const auto* a, const auto* b) { return *a < *b; };
  std::map<const std::vector<std::uint32_t>*, std::uint32_t, decltype(less)> made(less);
  for (std::size_t value = 0; value < column.answers.size(); ++value) {
    check_stop();
    const std::vector<std::uint32_t>& list = column.answers[value];
    if (column.holders_of[value] <= words_) continue;
    const auto [at, is_new] =
        made.emplace(&list, static_cast<std::uint32_t>(column.bitmaps.size()));
    if (is_new && bitmap_words_ + words_ > kMostBitmapWords) {
      made.erase(at);
      continue;
    }
    column.bitmap_of[value] = at->second;
    if (!is_new) continue;
    bitmap_words_ += words_;
    std::vector<std::uint64_t>& bits = column.bitmaps.emplace_back(words_, 0);
    for (const std::uint32_t answer : list) {
      for (std::uint32_t i = column.begin[answer]; i < column.begin[answer + 1]; ++i) {
        const std::uint32_t c = column.holders[i];
        bits[c / kClassesOfAWord] |= std::uint64_t{1} << (c % kClassesOfAWord);
      }
    }
  }
}

bool Fits::goes_with(std::size_t asking, std::size_t answering, std::size_t j) const {
  const Column& column = columns_[j];
  const std::vector<std::uint32_t>& list = column.answers[asking_places_[asking * width_ + j]];
  const std::uint32_t value = answering_places_[answering * width_ + j];
  if (list.size() == 1) return list.front() == value;
  if (list.size() + 1 == column.begin.size()) return true;  // every value does
  return std::ranges::binary_search(list, value);
}

// Where one value answers in each column: the class that has them all.
std::optional<std::uint32_t> Fits::only_answer(std::size_t asking) const {
  std::vector<std::uint32_t> wanted(width_);
  for (std::size_t j = 0; j < width_; ++j) {
    wanted[j] = columns_[j].answers[asking_places_[asking * width_ + j]].front();
  }
  const auto places = [&](std::uint32_t c) {
    return std::span<const std::uint32_t>(answering_places_).subspan(c * width_, width_);
  };
  const auto at = std::ranges::partition_point(sorted_, [&](std::uint32_t c) {
    return std::ranges::lexicographical_compare(places(c), wanted);
  });
  if (at == sorted_.end() || !std::ranges::equal(places(*at), wanted)) return std::nullopt;
  return *at;
}

// False where no column has a bitmap.
template <class Visit>
bool Fits::scan_bitmaps(std::size_t asking, std::span<const std::size_t> columns,
                        const Visit& visit) const {
  struct Bits {
    std::uint64_t holders = 0;
    const std::uint64_t* words = nullptr;
  };
  std::vector<Bits> bits;
  std::vector<std::size_t> others;  // columns that had no room
  for (const std::size_t j : columns) {
    const Column& column = columns_[j];
    const std::uint32_t value = asking_places_[asking * width_ + j];
    if (column.holders_of[value] == answering_.size()) continue;  // everybody fits
    if (column.bitmap_of[value] == kNoBitmap) {
      others.push_back(j);
    } else {
      bits.push_back({column.holders_of[value], column.bitmaps[column.bitmap_of[value]].data()});
    }
  }
  if (bits.empty()) return false;
  std::ranges::sort(bits, {}, &Bits::holders);
  for (std::size_t w = 0; w < words_; ++w) {
    std::uint64_t left = bits[0].words[w];
    for (std::size_t i = 1; i < bits.size() && left != 0; ++i) left &= bits[i].words[w];
    for (; left != 0; left &= left - 1) {
      const auto place = static_cast<std::size_t>(std::countr_zero(left));
      const auto c = static_cast<std::uint32_t>(w * kClassesOfAWord + place);
      const bool fits =
          std::ranges::all_of(others, [&](std::size_t j) { return goes_with(asking, c, j); });
      if (fits && !visit(c)) return true;
    }
  }
  return true;
}

template <class Visit>
void Fits::scan(std::size_t asking, std::span<const std::size_t> columns,
                const Visit& visit) const {
  check_stop();
  if (columns.empty()) {
    for (std::uint32_t c = 0; c < answering_.size(); ++c) {
      if (!visit(c)) return;
    }
    return;
  }
  std::size_t rarest = columns.front();
  std::uint64_t fewest = ~std::uint64_t{0};
  bool is_single = columns.size() == width_;
  for (const std::size_t j : columns) {
    const std::uint32_t value = asking_places_[asking * width_ + j];
    is_single = is_single && columns_[j].answers[value].size() == 1;
    if (columns_[j].holders_of[value] >= fewest) continue;
    fewest = columns_[j].holders_of[value];
    rarest = j;
  }
  if (fewest == 0) return;
  if (is_single) {
    if (const auto only = only_answer(asking)) visit(*only);
    return;
  }
  if (fewest > words_ && scan_bitmaps(asking, columns, visit)) return;
  const Column& column = columns_[rarest];
  for (const std::uint32_t value : column.answers[asking_places_[asking * width_ + rarest]]) {
    for (std::uint32_t i = column.begin[value]; i < column.begin[value + 1]; ++i) {
      const std::uint32_t c = column.holders[i];
      const bool fits = std::ranges::all_of(
          columns, [&](std::size_t j) { return j == rarest || goes_with(asking, c, j); });
      if (fits && !visit(c)) return;
    }
  }
}

void Fits::for_each(std::size_t asking, std::span<const std::size_t> columns,
                    const std::function<bool(std::uint32_t)>& visit) const {
  scan(asking, columns, visit);
}

std::uint64_t Fits::records(std::size_t asking, std::span<const std::size_t> columns,
                            std::uint64_t enough) const {
  std::uint64_t sum = 0;
  scan(asking, columns, [&](std::uint32_t c) {
    sum += answering_.counts[c];
    return sum <= enough;
  });
  return sum;
}

std::optional<std::uint32_t> Fits::only_one(std::size_t asking,
                                            std::span<const std::size_t> columns) const {
  std::uint64_t sum = 0;
  std::uint32_t who = 0;
  scan(asking, columns, [&](std::uint32_t c) {
    sum += answering_.counts[c];
    who = c;
    return sum <= 1;
  });
  return sum == 1 ? std::optional(who) : std::nullopt;
}

}  // namespace semveil
