#include "figures/linked_halves.h"

#include <algorithm>
#include <bit>
#include <map>

#include "base/parallel.h"
#include "figures/pairs_of_class.h"
#include "figures/projected.h"
#include "figures/tuple_distances.h"

namespace semveil {
namespace {

constexpr std::size_t kTargetsOfAPiece = 64;

bool has(std::span<const std::uint64_t> bits, std::uint32_t at) {
  return (bits[at / 64] >> (at % 64) & 1U) != 0;
}

}  // namespace

LinkedHalves::LinkedHalves(const Paired& pairs)
    : attributes_(pairs.attributes),
      before_(classes_of(pairs, Side::kBefore)),
      after_(classes_of(pairs, Side::kAfter)),
      counts_(pairs.counts) {
  for (std::size_t j = 0; j < pairs.width(); ++j) halves_[j % 2].columns.push_back(j);
  for (Half& half : halves_) half.released = projected(after_, attributes_, half.columns);
}

LinkedHalves::Nearest LinkedHalves::nearest(const Half& half, const Classes& targets,
                                            unsigned threads) const {
  const Classes looked_up = projected(targets, attributes_, half.columns);
  TupleDistances::Attributes attributes;
  for (const std::size_t j : half.columns) attributes.push_back(attributes_[j]);
  Nearest out;
  out.of = looked_up.of;
  out.words = (half.released.size() + 63) / 64;
  out.bits.assign(looked_up.size() * out.words, 0);
  const TupleDistances distances(attributes, looked_up.tuples, looked_up.size(),
                                 half.released.tuples, half.released.size(), {.threads = threads});
  distances.nearest([&](std::size_t target, std::span<const std::uint32_t> found) {
    std::uint64_t* const row = out.bits.data() + target * out.words;
    for (const std::uint32_t r : found) row[r / 64] |= std::uint64_t{1} << (r % 64);
  });
  return out;
}

std::vector<double> LinkedHalves::scores(const Classes& targets, unsigned threads) const {
  const Nearest a = nearest(halves_[0], targets, threads);
  const Nearest b = nearest(halves_[1], targets, threads);
  const PairsOfClass pairs_of(before_), released_of(halves_[0].released);
  const std::vector<std::uint32_t>&half_a = halves_[0].released.of,
        &half_b = halves_[1].released.of;
  std::map<std::vector<ConceptId>, std::size_t> originals;
  for (std::size_t c = 0; c < before_.size(); ++c) {
    originals.emplace(std::vector(before_.tuple(c).begin(), before_.tuple(c).end()), c);
  }

  const auto score = [&](std::size_t target) -> double {
    const auto tuple = targets.tuple(target);
    const auto original = originals.find(std::vector(tuple.begin(), tuple.end()));
    if (original == originals.end()) return 0;
    const auto in_a = a.row(target), in_b = b.row(target);
    std::uint64_t own = 0;  // released records of originals like the target, in both
    for (const std::uint32_t pair : pairs_of[original->second]) {
      const std::uint32_t released = after_.of[pair];
      if (has(in_a, half_a[released]) && has(in_b, half_b[released])) own += counts_[pair];
    }
    if (own == 0) return 0;
    std::uint64_t both = 0;  // released records in both
    for (std::size_t w = 0; w < in_a.size(); ++w) {
      for (std::uint64_t rest = in_a[w]; rest != 0; rest &= rest - 1) {
        const std::size_t half = w * 64 + static_cast<std::size_t>(std::countr_zero(rest));
        for (const std::uint32_t released : released_of[half]) {
          if (has(in_b, half_b[released])) both += after_.counts[released];
        }
      }
    }
    return static_cast<double>(own) / static_cast<double>(before_.counts[original->second]) /
           static_cast<double>(both);
  };

  std::vector<double> out(targets.size());
  const std::size_t pieces = (targets.size() + kTargetsOfAPiece - 1) / kTargetsOfAPiece;
  in_parallel(threads, pieces, [&](std::size_t piece) {
    const std::size_t end = std::min(targets.size(), (piece + 1) * kTargetsOfAPiece);
    for (std::size_t t = piece * kTargetsOfAPiece; t < end; ++t) {
      check_stop();
      out[t] = score(t);
    }
  });
  return out;
}

void LinkedHalves::for_each_linked(
    const Classes& targets, unsigned threads,
    const std::function<void(std::size_t, std::span<const std::uint32_t>)>& visit) const {
  const Nearest a = nearest(halves_[0], targets, threads);
  const Nearest b = nearest(halves_[1], targets, threads);
  const std::size_t pieces = (targets.size() + kTargetsOfAPiece - 1) / kTargetsOfAPiece;
  in_parallel(threads, pieces, [&](std::size_t piece) {
    const std::size_t end = std::min(targets.size(), (piece + 1) * kTargetsOfAPiece);
    for (std::size_t t = piece * kTargetsOfAPiece; t < end; ++t) {
      check_stop();
      std::vector<std::uint32_t> linked;
      for (std::uint32_t released = 0; released < after_.size(); ++released) {
        const bool is_in_both = has(a.row(t), halves_[0].released.of[released]) &&
                                has(b.row(t), halves_[1].released.of[released]);
        if (is_in_both) linked.push_back(released);
      }
      visit(t, linked);
    }
  });
}

}  // namespace semveil
