#include "figures/tuple_distances.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/parallel.h"

namespace semveil {
namespace {

constexpr std::size_t kSourcesOfAPiece = 64;
constexpr std::uint64_t kFar = std::numeric_limits<std::uint64_t>::max() / 4;

struct Numbered {
  std::vector<ConceptId> values;      // ascending, each once
  std::vector<std::uint32_t> places;  // by tuple
};
Numbered number_column(std::span<const ConceptId> tuples, std::size_t count, std::size_t width,
                       std::size_t column) {
  Numbered out;
  for (std::size_t i = 0; i < count; ++i) out.values.push_back(tuples[i * width + column]);
  std::ranges::sort(out.values);
  out.values.erase(std::unique(out.values.begin(), out.values.end()), out.values.end());
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = std::ranges::lower_bound(out.values, tuples[i * width + column]);
    out.places.push_back(static_cast<std::uint32_t>(at - out.values.begin()));
  }
  return out;
}

// The distinct values of some columns, and which each tuple has.
struct Parts {
  std::vector<std::vector<std::uint32_t>> places;  // by column, then part
  std::vector<std::uint32_t> of;                   // by tuple
  std::size_t size = 0;
};
Parts parts_of(const std::vector<std::vector<std::uint32_t>>& places,
               const std::vector<std::size_t>& columns, std::size_t tuples) {
  std::vector<std::uint32_t> order(tuples);
  std::iota(order.begin(), order.end(), 0U);
  const auto less = [&](std::uint32_t x, std::uint32_t y) {
    for (const std::size_t j : columns) {
      if (places[j][x] != places[j][y]) return places[j][x] < places[j][y];
    }
    return false;
  };
  std::ranges::sort(order, less);
  Parts out;
  out.places.resize(columns.size());
  out.of.resize(tuples);
  for (std::size_t i = 0; i < tuples; ++i) {
    if (i == 0 || less(order[i - 1], order[i])) {
      for (std::size_t c = 0; c < columns.size(); ++c) {
        out.places[c].push_back(places[columns[c]][order[i]]);
      }
      ++out.size;
    }
    out.of[order[i]] = static_cast<std::uint32_t>(out.size - 1);
  }
  return out;
}

}  // namespace

TupleDistances::TupleDistances(const Attributes& attributes, std::span<const ConceptId> sources,
                               std::size_t source_tuples, std::span<const ConceptId> targets,
                               std::size_t target_tuples, const Options& options)
    : options_(options) {
  std::vector<std::vector<std::uint32_t>> source_places, target_places;
  for (std::size_t j = 0; j < attributes.size(); ++j) {
    Numbered from = number_column(sources, source_tuples, attributes.size(), j);
    Numbered to = number_column(targets, target_tuples, attributes.size(), j);
    columns_.emplace_back(attributes[j], std::move(from.values), std::move(to.values), options.bits,
                          options.threads, options.most_kept);
    source_places.push_back(std::move(from.places));
    target_places.push_back(std::move(to.places));
  }
  sources_.resize(source_tuples);
  target_.resize(target_tuples);
  choose_parts(source_places, target_places);
  keep_second_rows();
}

void TupleDistances::choose_parts(const std::vector<std::vector<std::uint32_t>>& sources,
                                  const std::vector<std::vector<std::uint32_t>>& targets) {
  // Wide columns first, each to the part with fewer combinations so far.
  std::vector<std::size_t> order(columns_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t x, std::size_t y) {
    return columns_[x].targets() > columns_[y].targets();
  });
  double combinations[2] = {1, 1};
  for (const std::size_t j : order) {
    const std::size_t p = combinations[0] <= combinations[1] ? 0 : 1;
    (p == 0 ? first_ : second_).columns.push_back(j);
    combinations[p] *= static_cast<double>(std::max<std::size_t>(columns_[j].targets(), 1));
  }
  const auto number = [&](Part& part) {
    Parts from = parts_of(sources, part.columns, sources_.size());
    Parts to = parts_of(targets, part.columns, target_.size());
    part.sources = std::move(from.places);
    part.targets = std::move(to.places);
    part.source_parts = from.size;
    part.target_parts = to.size;
    return std::pair(std::move(from.of), std::move(to.of));
  };
  const auto [first_source, first_target] = number(first_);
  const auto [second_source, second_target] = number(second_);

  for (std::size_t i = 0; i < sources_.size(); ++i) {
    sources_[i] = {first_source[i], second_source[i], static_cast<std::uint32_t>(i)};
  }
  std::ranges::sort(sources_, {},
                    [](const Source& s) { return std::tuple(s.first, s.second, s.source); });
  std::iota(target_.begin(), target_.end(), 0U);
  std::ranges::sort(target_, {}, [&](std::uint32_t t) {
    return std::tuple(first_target[t], second_target[t], t);
  });
  run_.assign(first_.target_parts + 1, 0);
  for (const std::uint32_t part : first_target) ++run_[part + 1];
  std::partial_sum(run_.begin(), run_.end(), run_.begin());
  for (const std::uint32_t t : target_) second_of_.push_back(second_target[t]);
}

void TupleDistances::rows_for(const Part& part, std::span<const std::uint32_t> source_parts,
                              std::vector<ValueDistances::Rows>& rows) const {
  rows.resize(part.columns.size());
  std::vector<std::uint32_t> places;
  for (std::size_t c = 0; c < part.columns.size(); ++c) {
    places.clear();
    for (const std::uint32_t p : source_parts) places.push_back(part.sources[c][p]);
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    columns_[part.columns[c]].rows(places, rows[c]);
  }
}

void TupleDistances::sums(const Part& part, std::uint32_t source_part,
                          const std::vector<ValueDistances::Rows>& rows, std::uint64_t* out) const {
  std::fill_n(out, part.target_parts, 0);
  for (std::size_t c = 0; c < part.columns.size(); ++c) {
    const std::uint64_t* const row = rows[c].of[part.sources[c][source_part]];
    const std::uint32_t* const places = part.targets[c].data();
    for (std::size_t t = 0; t < part.target_parts; ++t) out[t] += row[places[t]];
  }
}

void TupleDistances::keep_second_rows() {
  if (second_.target_parts == 0 ||
      second_.source_parts > options_.most_parts_kept / second_.target_parts) {
    return;
  }
  second_kept_.resize(second_.source_parts * second_.target_parts);
  const std::size_t pieces = (second_.source_parts + kSourcesOfAPiece - 1) / kSourcesOfAPiece;
  in_parallel(options_.threads, pieces, [&](std::size_t piece) {
    const std::size_t first = piece * kSourcesOfAPiece;
    std::vector<std::uint32_t> parts(std::min(kSourcesOfAPiece, second_.source_parts - first));
    std::iota(parts.begin(), parts.end(), static_cast<std::uint32_t>(first));
    std::vector<ValueDistances::Rows> rows;
    rows_for(second_, parts, rows);
    for (const std::uint32_t p : parts) {
      check_stop();
      sums(second_, p, rows, second_kept_.data() + p * second_.target_parts);
    }
  });
}

// L of a source part that differs from the last one in `from_column` or later.
void TupleDistances::add_left(std::uint32_t source_part, std::size_t from_column,
                              Scratch& scratch) const {
  for (std::size_t c = from_column; c < first_.columns.size(); ++c) {
    const std::uint64_t* const row = scratch.first_rows[c].of[first_.sources[c][source_part]];
    const std::uint32_t* const places = first_.targets[c].data();
    std::uint64_t* const out = scratch.lefts[c].data();
    if (c == 0) {
      for (std::size_t t = 0; t < first_.target_parts; ++t) out[t] = row[places[t]];
      continue;
    }
    const std::uint64_t* const before = scratch.lefts[c - 1].data();
    for (std::size_t t = 0; t < first_.target_parts; ++t) out[t] = before[t] + row[places[t]];
  }
  scratch.left = scratch.lefts.back().data();
  scratch.nearest_run = static_cast<std::size_t>(
      std::min_element(scratch.left, scratch.left + first_.target_parts) - scratch.left);
}

// work(source, R, scratch with L) for every source.
template <class Work>
void TupleDistances::for_sources(const Work& work) const {
  const std::size_t pieces = (sources_.size() + kSourcesOfAPiece - 1) / kSourcesOfAPiece;
  in_parallel(options_.threads, pieces, [&](std::size_t piece) {
    const std::size_t begin = piece * kSourcesOfAPiece;
    const auto some =
        std::span(sources_).subspan(begin, std::min(kSourcesOfAPiece, sources_.size() - begin));
    Scratch scratch;
    std::vector<std::uint32_t> parts;
    for (const Source& source : some) parts.push_back(source.first);
    rows_for(first_, parts, scratch.first_rows);
    if (second_kept_.empty()) {
      parts.clear();
      for (const Source& source : some) parts.push_back(source.second);
      rows_for(second_, parts, scratch.second_rows);
      scratch.right.resize(second_.target_parts);
    }
    scratch.lefts.assign(std::max<std::size_t>(first_.columns.size(), 1),
                         std::vector<std::uint64_t>(first_.target_parts, 0));
    const auto same = [&](std::size_t c, const Source& x, const Source& y) {
      return first_.sources[c][x.first] == first_.sources[c][y.first];
    };
    for (std::size_t i = 0; i < some.size(); ++i) {
      check_stop();
      if (i == 0 || some[i].first != some[i - 1].first) {
        std::size_t column = 0;
        while (i > 0 && same(column, some[i], some[i - 1])) ++column;
        add_left(some[i].first, column, scratch);
      }
      const std::uint64_t* right = scratch.right.data();
      if (second_kept_.empty()) {
        sums(second_, some[i].second, scratch.second_rows, scratch.right.data());
      } else {
        right = second_kept_.data() + some[i].second * second_.target_parts;
      }
      work(some[i].source, right, scratch);
    }
  });
}

void TupleDistances::find_nearest(const std::uint64_t* right, Scratch& scratch) const {
  const std::uint64_t* const left = scratch.left;
  const std::uint64_t least_right = *std::min_element(right, right + second_.target_parts);
  const auto least_of = [&](std::size_t r) {
    std::uint64_t least = kFar;
    for (const std::uint32_t second : run(r)) least = std::min(least, right[second]);
    return left[r] + least;
  };
  std::uint64_t best = least_of(scratch.nearest_run);
  scratch.runs.clear();
  for (std::uint32_t r = 0; r < first_.target_parts; ++r) {
    if (left[r] + least_right > best + options_.tied) continue;
    const std::uint64_t least = least_of(r);
    if (least > best + options_.tied) continue;
    scratch.runs.emplace_back(least, r);
    best = std::min(best, least);
  }
  scratch.found.clear();
  for (const auto& [least, r] : scratch.runs) {
    if (least > best + options_.tied) continue;
    for (std::uint32_t t = run_[r]; t < run_[r + 1]; ++t) {
      if (left[r] + right[second_of_[t]] > best + options_.tied) continue;
      scratch.found.push_back(target_[t]);
    }
  }
  std::ranges::sort(scratch.found);
}

void TupleDistances::nearest(const Visit& visit) const {
  if (target_.empty()) return;
  for_sources([&](std::uint32_t source, const std::uint64_t* right, Scratch& scratch) {
    find_nearest(right, scratch);
    visit(source, scratch.found);
  });
}

void TupleDistances::find_closest(std::uint64_t k, std::span<const std::uint64_t> counts,
                                  std::uint32_t source, const std::uint64_t* right,
                                  Scratch& scratch) const {
  auto& near = scratch.near;
  near.clear();
  const std::uint64_t least_right = *std::min_element(right, right + second_.target_parts);
  std::uint64_t edge = kFar;  // nothing beyond is wanted
  // Leaves the k closest records and those as far as the last of them.
  const auto shrink = [&] {
    std::ranges::sort(near);
    std::uint64_t records = 0;
    for (const auto& [sum, target] : near) {
      records += counts[target] - (target == source ? 1 : 0);
      if (records < k) continue;
      edge = sum + options_.tied;
      break;
    }
    std::erase_if(near, [&](const auto& one) { return one.first > edge; });
  };
  std::size_t room = 256;
  const auto look_into = [&](std::size_t r) {
    if (scratch.left[r] + least_right > edge) return;
    for (std::uint32_t t = run_[r]; t < run_[r + 1]; ++t) {
      const std::uint64_t sum = scratch.left[r] + right[second_of_[t]];
      if (sum <= edge) near.emplace_back(sum, target_[t]);
    }
    if (near.size() < room) return;
    shrink();
    room = 2 * near.size() + 256;
  };
  look_into(scratch.nearest_run);
  for (std::size_t r = 0; r < first_.target_parts; ++r) {
    if (r != scratch.nearest_run) look_into(r);
  }
  shrink();
  scratch.found.clear();
  for (const auto& one : near) scratch.found.push_back(one.second);
  std::ranges::sort(scratch.found);
}

void TupleDistances::closest(std::uint64_t k, std::span<const std::uint64_t> counts,
                             const Visit& visit) const {
  if (target_.empty()) return;
  for_sources([&](std::uint32_t source, const std::uint64_t* right, Scratch& scratch) {
    find_closest(k, counts, source, right, scratch);
    visit(source, scratch.found);
  });
}

}  // namespace semveil
