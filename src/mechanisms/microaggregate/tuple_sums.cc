#include "mechanisms/microaggregate/tuple_sums.h"

#include <algorithm>
#include <numeric>

#include "mechanisms/lanes.h"

namespace semveil {
namespace {

constexpr std::size_t kMostCounted = 1U << 15U;  // tuples that decide which columns go together
constexpr std::size_t kDenseShare = 64;  // a table of all pairs may have so many for each tuple

// sums[i] = left[a[i]] + right[b[i]]
struct Looked {
  const std::uint32_t* left;
  const std::uint32_t* a;
  const std::uint32_t* right;
  const std::uint32_t* b;
};

struct Blocks {
  const std::uint32_t* gone;
  std::uint32_t* sums;
  std::uint32_t* least;
  std::uint32_t* greatest;
};

void add_up(const Looked& of, std::size_t first, std::size_t last, std::uint32_t* sums) {
  for (std::size_t i = first; i < last; ++i) sums[i] = of.left[of.a[i]] + of.right[of.b[i]];
}

void add_up_blocks(const Looked& of, std::size_t blocks, const Blocks& out) {
  for (std::size_t block = 0; block < blocks; ++block) {
    std::uint32_t least = TupleSums::kGone;
    std::int32_t greatest = -1;
    const std::size_t first = block * TupleSums::kBlock;
    for (std::size_t i = first; i < first + TupleSums::kBlock; ++i) {
      const std::uint32_t sum = (of.left[of.a[i]] + of.right[of.b[i]]) | out.gone[i];
      out.sums[i] = sum;
      least = std::min(least, sum);
      greatest = std::max(greatest, static_cast<std::int32_t>(sum));
    }
    out.least[block] = least;
    out.greatest[block] = static_cast<std::uint32_t>(greatest);
  }
}

#if defined(__x86_64__)
SEMVEIL_TARGET_AVX2 inline void put(std::uint32_t* to, __m256i what) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), what);
}
SEMVEIL_TARGET_AVX2 inline __m256i look_up(const std::uint32_t* in, const std::uint32_t* places) {
  return _mm256_i32gather_epi32(reinterpret_cast<const int*>(in), eight(places), 4);
}
SEMVEIL_TARGET_AVX2 inline __m256i eight_sums(const Looked& of, std::size_t i) {
  return _mm256_add_epi32(look_up(of.left, of.a + i), look_up(of.right, of.b + i));
}
SEMVEIL_TARGET_AVX2 inline std::uint32_t least_of(__m256i eight) {
  __m128i v = _mm_min_epu32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));
  v = _mm_min_epu32(v, _mm_shuffle_epi32(v, 0x4E));  // the other half
  v = _mm_min_epu32(v, _mm_shuffle_epi32(v, 0xB1));  // the neighbour
  return static_cast<std::uint32_t>(_mm_cvtsi128_si32(v));
}
SEMVEIL_TARGET_AVX2 inline std::uint32_t greatest_of(__m256i eight) {
  __m128i v = _mm_max_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));
  v = _mm_max_epi32(v, _mm_shuffle_epi32(v, 0x4E));
  v = _mm_max_epi32(v, _mm_shuffle_epi32(v, 0xB1));
  return static_cast<std::uint32_t>(_mm_cvtsi128_si32(v));
}

SEMVEIL_TARGET_AVX2 void add_up_avx2(const Looked& of, std::size_t last, std::uint32_t* sums) {
  std::size_t i = 0;
  for (; i + kLanes <= last; i += kLanes) put(sums + i, eight_sums(of, i));
  add_up(of, i, last, sums);
}

SEMVEIL_TARGET_AVX2 void add_up_blocks_avx2(const Looked& of, std::size_t blocks,
                                            const Blocks& out) {
  for (std::size_t block = 0; block < blocks; ++block) {
    __m256i least = _mm256_set1_epi32(-1);
    __m256i greatest = least;
    const std::size_t first = block * TupleSums::kBlock;
    for (std::size_t i = first; i < first + TupleSums::kBlock; i += kLanes) {
      const __m256i sum = _mm256_or_si256(eight_sums(of, i), eight(out.gone + i));
      put(out.sums + i, sum);
      least = _mm256_min_epu32(least, sum);
      greatest = _mm256_max_epi32(greatest, sum);
    }
    out.least[block] = least_of(least);
    out.greatest[block] = greatest_of(greatest);
  }
}
#else
void add_up_avx2(const Looked& of, std::size_t last, std::uint32_t* sums) {
  add_up(of, 0, last, sums);
}
constexpr auto add_up_blocks_avx2 = add_up_blocks;
#endif

// The distinct pairs of (a[i], b[i]), ascending, and which of them each i has.
struct Pairs {
  std::vector<std::uint32_t> a, b, of;
};
std::size_t size_of(const std::vector<std::uint32_t>& codes) {
  return codes.empty() ? 0 : std::size_t{*std::ranges::max_element(codes)} + 1;
}

Pairs distinct_pairs(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  Pairs out;
  const std::size_t n = a.size();
  out.of.resize(n);
  const std::size_t wide = size_of(b);
  if (size_of(a) <= kDenseShare * n / std::max<std::size_t>(1, wide)) {
    std::vector<std::uint32_t> place(size_of(a) * wide, 0);
    for (std::size_t i = 0; i < n; ++i) place[a[i] * wide + b[i]] = 1;
    for (std::size_t p = 0; p < place.size(); ++p) {
      if (place[p] == 0) continue;
      place[p] = static_cast<std::uint32_t>(out.a.size());
      out.a.push_back(static_cast<std::uint32_t>(p / wide));
      out.b.push_back(static_cast<std::uint32_t>(p % wide));
    }
    for (std::size_t i = 0; i < n; ++i) out.of[i] = place[a[i] * wide + b[i]];
    return out;
  }
  std::vector<std::pair<std::uint64_t, std::uint32_t>> keys(n);
  for (std::size_t i = 0; i < n; ++i) {
    keys[i] = {std::uint64_t{a[i]} << 32U | b[i], static_cast<std::uint32_t>(i)};
  }
  std::ranges::sort(keys);
  for (std::size_t i = 0; i < n; ++i) {
    if (i == 0 || keys[i].first != keys[i - 1].first) {
      out.a.push_back(a[keys[i].second]);
      out.b.push_back(b[keys[i].second]);
    }
    out.of[keys[i].second] = static_cast<std::uint32_t>(out.a.size() - 1);
  }
  return out;
}

std::vector<std::uint32_t> column_codes(const ClassTable& table, std::size_t j,
                                        std::span<const std::uint32_t> tuples) {
  std::vector<std::uint32_t> out;
  out.reserve(tuples.size());
  for (const std::uint32_t t : tuples) out.push_back(table.tuple(t)[j]);
  return out;
}

std::size_t blocks_of(std::size_t slots) {
  return (slots + TupleSums::kBlock - 1) / TupleSums::kBlock;
}

}  // namespace

TupleSums::TupleSums(const ClassTable& table, std::vector<std::uint32_t> tuples)
    : table_(table), slot_(table.size(), 0) {
  choose_parts(tuples);
  number(std::move(tuples));
}

void TupleSums::choose_parts(std::span<const std::uint32_t> tuples) {
  // Every so-manieth tuple: the first ones may be alike in the first columns.
  const std::size_t step = tuples.size() / kMostCounted + 1;
  std::vector<std::uint32_t> some;
  for (std::size_t i = 0; i < tuples.size(); i += step) some.push_back(tuples[i]);
  struct Node {
    std::size_t id;
    std::vector<std::uint32_t> codes;
  };
  const std::size_t width = table_.width();
  std::vector<Node> nodes;
  for (std::size_t j = 0; j < width; ++j) nodes.push_back({j, column_codes(table_, j, some)});
  // By id: the distinct pairs of two nodes.
  std::vector<std::vector<std::size_t>> pairs(2 * width, std::vector<std::size_t>(2 * width, 0));
  const auto count = [&](const Node& x, const Node& y) {
    pairs[x.id][y.id] = pairs[y.id][x.id] = distinct_pairs(x.codes, y.codes).a.size();
  };
  for (std::size_t x = 0; x < nodes.size(); ++x) {
    for (std::size_t y = 0; y < x; ++y) count(nodes[x], nodes[y]);
  }
  while (nodes.size() > 1) {
    std::size_t best_x = 1, best_y = 0;
    for (std::size_t x = 0; x < nodes.size(); ++x) {
      for (std::size_t y = 0; y < x; ++y) {
        if (pairs[nodes[x].id][nodes[y].id] < pairs[nodes[best_x].id][nodes[best_y].id]) {
          best_x = x;
          best_y = y;
        }
      }
    }
    parts_.push_back({nodes[best_y].id, nodes[best_x].id, {}, {}, {}});
    nodes[best_y] = {width + parts_.size() - 1,
                     distinct_pairs(nodes[best_y].codes, nodes[best_x].codes).of};
    nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(best_x));
    for (std::size_t x = 0; x < nodes.size(); ++x) {
      if (x != best_y) count(nodes[x], nodes[best_y]);
    }
  }
}

void TupleSums::number(std::vector<std::uint32_t> tuples) {
  numbered_ = left_ = tuples.size();
  const std::size_t width = table_.width();
  std::vector<std::vector<std::uint32_t>> codes;  // by node, then tuple
  for (std::size_t j = 0; j < width; ++j) codes.push_back(column_codes(table_, j, tuples));
  if (width == 1) {  // one column and a second that is always 0
    codes.emplace_back(tuples.size(), 0);
    if (parts_.empty()) parts_.push_back({0, 1, {}, {}, {}});
  }
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    Pairs pairs = distinct_pairs(codes[parts_[p].left], codes[parts_[p].right]);
    parts_[p].a = std::move(pairs.a);
    parts_[p].b = std::move(pairs.b);
    parts_[p].sums.resize(parts_[p].a.size());
    codes.push_back(std::move(pairs.of));
  }
  // Tuples are distinct: the last part's values are the tuples.
  tuple_.resize(tuples.size());
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    tuple_[codes.back()[i]] = tuples[i];
    slot_[tuples[i]] = codes.back()[i];
  }
  const std::size_t room = blocks_of(slots()) * kBlock;
  parts_.back().a.resize(room, 0);
  parts_.back().b.resize(room, 0);
  gone_.assign(slots(), 0);
  gone_.resize(room, kGone);
  sums_.resize(room);
  least_.resize(blocks_of(slots()));
  greatest_.resize(blocks_of(slots()));
}

void TupleSums::drop_gone() {
  Part& top = parts_.back();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < slots(); ++i) {
    if (gone_[i] == kGone) continue;
    tuple_[kept] = tuple_[i];
    slot_[tuple_[i]] = static_cast<std::uint32_t>(kept);
    top.a[kept] = top.a[i];
    top.b[kept] = top.b[i];
    ++kept;
  }
  tuple_.resize(kept);
  const std::size_t room = blocks_of(kept) * kBlock;
  top.a.resize(room);
  top.b.resize(room);
  gone_.assign(kept, 0);
  gone_.resize(room, kGone);
  least_.resize(blocks_of(kept));
  greatest_.resize(blocks_of(kept));
}

void TupleSums::sum(std::span<const std::span<const std::uint32_t>> rows) {
  // Now is the time: slots mean nothing before the next sums.
  if (left_ < numbered_ - numbered_ / 5) {
    number(rest());
  } else if (left_ < slots() - slots() / 8) {
    drop_gone();
  }
  constexpr std::uint32_t kZero = 0;
  std::vector<const std::uint32_t*> of;
  for (const auto& row : rows) of.push_back(row.data());
  if (of.size() == 1) of.push_back(&kZero);
  const bool avx2 = has_avx2();
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    Part& part = parts_[p];
    const Looked looked{of[part.left], part.a.data(), of[part.right], part.b.data()};
    if (p + 1 == parts_.size()) {
      const Blocks out{gone_.data(), sums_.data(), least_.data(), greatest_.data()};
      (avx2 ? add_up_blocks_avx2 : add_up_blocks)(looked, least_.size(), out);
    } else if (avx2) {
      add_up_avx2(looked, part.a.size(), part.sums.data());
    } else {
      add_up(looked, 0, part.a.size(), part.sums.data());
    }
    of.push_back(part.sums.data());
  }
}

std::vector<std::uint32_t> TupleSums::rest() const {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < slots(); ++i) {
    if (gone_[i] != kGone) out.push_back(tuple_[i]);
  }
  std::ranges::sort(out);
  return out;
}

template <class Better>
std::size_t TupleSums::best(std::span<const std::uint32_t> of_blocks, const Better& better) const {
  std::uint32_t value = of_blocks[0];
  for (const std::uint32_t other : of_blocks) value = better(other, value) ? other : value;
  std::size_t found = slots();
  for (std::size_t block = 0; block < of_blocks.size(); ++block) {
    if (of_blocks[block] != value) continue;
    for (std::size_t i = block * kBlock; i < (block + 1) * kBlock; ++i) {
      if (sums_[i] == value && (found == slots() || tuple_[i] < tuple_[found])) found = i;
    }
  }
  return found;
}

std::size_t TupleSums::least() const {
  return best(least_, [](std::uint32_t a, std::uint32_t b) { return a < b; });
}

std::size_t TupleSums::greatest() const {
  return best(greatest_, [](std::uint32_t a, std::uint32_t b) {
    return static_cast<std::int32_t>(a) > static_cast<std::int32_t>(b);
  });
}

void TupleSums::set(std::size_t slot, std::uint32_t sum) {
  sums_[slot] = sum;
  const std::size_t block = slot / kBlock;
  std::uint32_t least = kGone;
  std::int32_t greatest = -1;
  for (std::size_t i = block * kBlock; i < (block + 1) * kBlock; ++i) {
    least = std::min(least, sums_[i]);
    greatest = std::max(greatest, static_cast<std::int32_t>(sums_[i]));
  }
  least_[block] = least;
  greatest_[block] = static_cast<std::uint32_t>(greatest);
}

void TupleSums::remove(std::size_t slot) {
  set(slot, kGone);
  gone_[slot] = kGone;
  --left_;
}

}  // namespace semveil
