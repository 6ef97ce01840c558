// k-anonymous fusion, step by step (semveil/fuse.h, fuse_ranking.h, fuse_search.h).
//
// A step takes a tuple that has fewer than k records, or misses a demand, and gives all its records
// another tuple that is still there:
//
//   guide, heuristics      the tuple                     its partner
//   semantic, 3            one of S3                     the most similar; of several the one with
//   semantic, 2            one of S2                     the fewest records; then any
//   semantic, 1            one of S1                     any
//   semantic, 0; random    any                           any
//   random-record          the first in alphabetical     that of a random record (fuse_records.h)
//                          order
//   discernibility         one of S1                     the one with the fewest records: it adds
//                                                        2 |I(r)| |I(partner)| to Σ|g|²
//
// Choices: S4 leaves heuristics out by putting random substitution in their place (fig 4): without
//          any, both tuples are random; H1 only orders; similarity comes in with H2. "Any" is
//          uniform over tuples, in ascending order; a choice among one draws nothing.
//          H3 counts the partners that reach the best quality: eq 20 read literally, over all
//          partners, is the same for all of S1.
//          Similarities are compared as sums of distances; within FuseSearch::kTie of the best
//          they are tied with it.
// Persons: where they are told, a tuple's size is the number of different persons who have it.
// Holds:   every class has k records and meets the demands; every released tuple was there before.
// Paper:   k-anonymous fusion, section 4.3; numbers on the right are its lines.
#include "mechanisms/fuse/fuse_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/stop.h"
#include "mechanisms/fuse/fuse_groups.h"
#include "mechanisms/fuse/fuse_ranking.h"
#include "mechanisms/fuse/fuse_records.h"
#include "mechanisms/fuse/recode_engine.h"

namespace semveil {
namespace {

void fuse_by_meaning(FuseGroups& groups, const FuseSearch& search, const FuseOptions& options,
                     RandomChoices& random) {
  FuseRanking ranking(search, options.heuristics >= 3, options.threads);
  std::uint64_t repetitions = 0;
  while (!groups.lacking().empty() && search.left() > 1) {  // 3
    check_stop();
    const auto& [fewest, of_size] = *groups.lacking().begin();  // 11
    // 4. Who took a tuple of the same persons has not grown, and waits until the others had a turn.
    if (fewest != repetitions || ranking.empty()) ranking.start(of_size.all());
    repetitions = fewest;
    const std::uint32_t from = ranking.pick(random);         // 5-7
    const std::uint32_t to = ranking.partner(from, random);  // 8
    ranking.leave(from);
    ranking.leave(to);
    groups.fuse(from, to);  // 9-10
    ranking.changed(from);
    ranking.changed(to);
  }
}

// One that lacks something: of the smallest, or of all.
std::uint32_t any_lacking(const FuseGroups& groups, bool smallest, RandomChoices& random) {
  if (smallest) {
    const AscendingList& of_size = groups.lacking().begin()->second;
    return of_size[random.one_of(of_size.size())];
  }
  std::size_t count = 0;
  for (const auto& [size, of_size] : groups.lacking()) count += of_size.size();
  const std::size_t at = random.one_of(count);
  // The lists have no number in common: the one with `at` before it.
  std::uint32_t low = 0;
  std::uint32_t high = FuseSearch::kNone - 1;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    std::size_t up_to_it = 0;
    for (const auto& [size, of_size] : groups.lacking()) up_to_it += of_size.place(middle + 1);
    if (up_to_it > at) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// Any of the list but one that may be on it.
std::uint32_t any_but(const AscendingList& list, std::uint32_t tuple, RandomChoices& random) {
  const std::size_t place = list.place(tuple);
  const bool is_there = place < list.size() && list[place] == tuple;
  const std::size_t at = random.one_of(list.size() - (is_there ? 1 : 0));
  return list[at + (is_there && at >= place ? 1 : 0)];
}

// Partners by their size, or all alike.
class Partners {
 public:
  Partners(const FuseGroups& groups, std::size_t tuples, bool by_size)
      : groups_(groups), by_size_(by_size) {
    for (std::uint32_t t = 0; t < tuples; ++t) lists_[key(t)].insert(t);
  }
  void insert(std::uint32_t tuple) { lists_[key(tuple)].insert(tuple); }
  void erase(std::uint32_t tuple) {
    const auto list = lists_.find(key(tuple));
    list->second.erase(tuple);
    if (list->second.empty()) lists_.erase(list);
  }
  std::uint32_t any_for(std::uint32_t tuple, RandomChoices& random) const {
    auto list = lists_.begin();
    if (list->second.size() == 1 && list->second[0] == tuple) ++list;
    return any_but(list->second, tuple, random);
  }

 private:
  std::uint64_t key(std::uint32_t tuple) const { return by_size_ ? groups_.size_of(tuple) : 0; }

  const FuseGroups& groups_;
  bool by_size_;
  std::map<std::uint64_t, AscendingList> lists_;
};

void fuse_without_meaning(FuseGroups& groups, const FuseSearch& search, const FuseOptions& options,
                          RandomChoices& random) {
  const bool by_size = options.guide == FuseGuide::kDiscernibility;
  const bool smallest =
      by_size || (options.guide == FuseGuide::kSemantic && options.heuristics == 1);
  Partners partners(groups, search.left(), by_size);
  while (!groups.lacking().empty() && search.left() > 1) {
    check_stop();
    const std::uint32_t from = any_lacking(groups, smallest, random);
    const std::uint32_t to = partners.any_for(from, random);
    partners.erase(from);
    partners.erase(to);
    groups.fuse(from, to);
    partners.insert(to);
  }
}

constexpr std::string_view kFewer =
    "leave a column of so many values out of `columns`, or round, code or generalize it before";

Error guarantee(std::string message) {
  return Error{ErrorCode::kGuarantee, std::move(message), {}, {}, {}};
}

Status check_records(const ClassTable& table, std::uint64_t k) {
  if (k == 0) return fail(data_error("k must be 1 or more."));
  const std::uint64_t size = table.whole_size();
  if (size >= k) return {};
  return fail(guarantee(fmt::format("k = {} needs at least {} {}, but there {} {}.", k, k,
                                    table.counted_as(), size == 1 ? "is only" : "are only", size)));
}

// What fusion takes, by what the first searches of some of the tuples take: each that is too small
// looks for its nearest and all that are as near, and lists of tuples are written anew.
double steps_of_fusion(const FuseGroups& groups, const FuseSearch& search, bool by_meaning) {
  constexpr std::size_t kLookedAt = 16;
  constexpr double kStepsOfANode = 4, kStepsOfAListed = 0.25;
  std::vector<std::uint32_t> lacking;
  for (const auto& [size, of_size] : groups.lacking()) {
    lacking.insert(lacking.end(), of_size.all().begin(), of_size.all().end());
  }
  const auto tuples = static_cast<double>(lacking.size());
  const double listed = kStepsOfAListed * tuples * tuples;
  if (!by_meaning || lacking.size() <= kLookedAt || search.left() < 2) return listed;
  FuseSearch::Scratch scratch;
  for (std::size_t i = 0; i < kLookedAt; ++i) {
    const std::uint32_t tuple = lacking[i * lacking.size() / kLookedAt];
    const FuseSearch::Nearest nearest = search.nearest(tuple, 0, scratch);
    search.tied(tuple, nearest.distance, scratch);
  }
  const auto visited = static_cast<double>(scratch.visited()) / kLookedAt;
  return listed + kStepsOfANode * tuples * visited;
}

Result<FuseOutcome> fuse(const ClassTable& table, const FuseOptions& options,
                         const Demands* demands, RandomChoices random) {
  FuseSearch search(table, options.threads);
  FuseGroups groups(table, options.k, demands, options.traced, search);
  const bool by_meaning = options.guide == FuseGuide::kSemantic && options.heuristics >= 2;
  if (const Status status =
          check_work(steps_of_fusion(groups, search, by_meaning), options.most_hours,
                     fmt::format("comparing {} different combinations", table.size()), kFewer);
      !status) {
    return fail(status.error());
  }
  if (by_meaning) {
    fuse_by_meaning(groups, search, options, random);
  } else if (options.guide == FuseGuide::kRandomRecord) {
    fuse_by_record(table, groups, search, random);
  } else {
    fuse_without_meaning(groups, search, options, random);
  }
  if (!groups.lacking().empty()) {
    return fail(guarantee("All records together miss a demand on a sensitive column."));
  }
  return std::move(groups).finish();
}

}  // namespace

Result<FuseOutcome> fuse_tuples(const ClassTable& table, const FuseOptions& options,
                                const Key& key) {
  if (const Status checked = check_records(table, options.k); !checked) {
    return fail(checked.error());
  }
  RandomChoices random(key, "fuse", std::array<std::string_view, 1>{"records"});
  if (table.sensitive.empty()) return fuse(table, options, nullptr, std::move(random));
  const Demands demands(table);
  if (std::string missed = demands.unmeetable(); !missed.empty()) {
    return fail(guarantee(std::move(missed)));
  }
  return fuse(table, options, &demands, std::move(random));
}

Result<FuseOutcome> recode_values(const ClassTable& column, const RecodeOptions& options,
                                  const Key& key) {
  if (const Status checked = check_records(column, options.k); !checked) {
    return fail(checked.error());
  }
  RandomChoices random(key, "recode",
                       std::array<std::string_view, 2>{"column", column.attributes.front()->name});
  if (options.algorithm == RecodeAlgorithm::kRecoding) {
    const std::vector<std::uint64_t> sizes = column.sizes();
    const auto small =
        std::ranges::count_if(sizes, [&](std::uint64_t size) { return size < options.k; });
    constexpr double kStepsOfAValue = 8;
    const double steps =
        kStepsOfAValue * static_cast<double>(small) * static_cast<double>(column.size());
    if (const Status status =
            check_work(steps, options.most_hours,
                       fmt::format("comparing {} different values", column.size()), kFewer);
        !status) {
      return fail(status.error());
    }
    return recode_by_listing(column, options, random);
  }
  const FuseOptions of_column{.k = options.k,
                              .threads = options.threads,
                              .traced = options.traced,
                              .most_hours = options.most_hours};
  return fuse(column, of_column, nullptr, std::move(random));
}

}  // namespace semveil
