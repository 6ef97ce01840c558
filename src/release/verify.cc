#include "release/verify.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/math.h"
#include "release/privacy.h"
#include "statistics/diversity.h"

namespace semveil {
namespace {

constexpr double kTolerance = 1e-9;  // of entropies and of t, in favour of the release

tl::unexpected<Error> missed(std::string message) {
  return fail(Error{ErrorCode::kGuarantee, std::move(message), {}, {}, {}});
}

// Records, or persons, of all tuples.
std::uint64_t size_of(const CountedTuples& counted) {
  const TupleCounter all = project(counted, {});
  return all.size() == 0 ? 0 : all.count(0);
}

std::string_view counted_as(const VerifiedTable& table) {
  return table.released.persons != nullptr || table.counts_persons ? "persons" : "records";
}

Status verify_k(const VerifiedTable& table) {
  const std::vector<std::uint64_t> sizes =
      class_sizes(table.released, table.quasi_identifiers, table.missing).sizes;
  const auto small = std::ranges::count_if(sizes, [&](auto size) { return size < table.k; });
  if (small == 0) return {};
  return missed(fmt::format(
      "{} of the {} released classes have fewer than k = {} {}, the "
      "smallest {}: nothing was released",
      small, sizes.size(), table.k, counted_as(table), *std::ranges::min_element(sizes)));
}

// What a class has, and whether that is enough.
struct ClassHas {
  double has = 0;
  bool enough = true;
};

ClassHas diversity(const Demand& demand, std::span<const PlaceCount> of_class) {
  const std::vector<std::uint64_t> counts = counts_alone(of_class);
  if (demand.kind == DiversityKind::kEntropy) {
    return {entropy_l(counts), entropy(counts) >= ln(*demand.l) - kTolerance};
  }
  const auto values = static_cast<double>(counts.size());
  if (demand.kind == DiversityKind::kDistinct) return {values, values >= *demand.l};
  const double ratio = recursive_ratio(counts, static_cast<std::uint64_t>(*demand.l));
  return {ratio, ratio < demand.c};
}

std::string demanded(const Demand& demand) {
  switch (demand.kind) {
    case DiversityKind::kEntropy:
      return fmt::format("l = {} by entropy", *demand.l);
    case DiversityKind::kRecursive:
      return fmt::format("recursive l = {} with c = {}", *demand.l, demand.c);
    default:
      return fmt::format("l = {} different values", *demand.l);
  }
}

std::string told(const VerifiedColumn& column, const std::string& demand, std::uint64_t misses,
                 std::uint64_t classes, double worst) {
  return fmt::format(
      "column '{}': {} is demanded, and {} of the {} released classes miss it, the worst with "
      "{:.4g}: nothing was released",
      column.name, demand, misses, classes, worst);
}

Status verify_diversity(const VerifiedColumn& column, const ClassValues& classes) {
  if (!column.demand.l) return {};
  const bool least_is_worst = column.demand.kind != DiversityKind::kRecursive;
  std::uint64_t misses = 0;
  double worst = 0;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const ClassHas found = diversity(column.demand, classes.of(i));
    if (found.enough) continue;
    const bool worse = least_is_worst ? found.has < worst : found.has > worst;
    if (misses++ == 0 || worse) worst = found.has;
  }
  if (misses == 0) return {};
  return missed(told(column, demanded(column.demand), misses, classes.size(), worst));
}

std::vector<std::uint64_t> shown_by(const VerifiedTable& table, std::size_t place) {
  std::vector<std::uint64_t> whole;
  const auto add = [&](Code code, std::uint64_t count) {
    if (code == kMissing) return;
    whole.resize(std::max<std::size_t>(whole.size(), code + std::size_t{1}));
    whole[code] += count;
  };
  PersonPairs by_value;  // a person may show a value here and there
  const auto look_at = [&](const TupleCounter& tuples, const PersonPairs* persons) {
    if (persons == nullptr) {
      for (std::size_t t = 0; t < tuples.size(); ++t) add(tuples.tuple(t)[place], tuples.count(t));
      return;
    }
    for (const std::uint64_t pair : persons->all()) {
      by_value.add(tuples.tuple(PersonPairs::tuple_of(pair))[place], PersonPairs::person_of(pair));
    }
  };
  look_at(table.released.tuples, table.released.persons);
  if (table.suppressed != nullptr) look_at(*table.suppressed, table.suppressed_persons);
  by_value.settle();
  for (const std::uint64_t pair : by_value.all()) add(PersonPairs::tuple_of(pair), 1);
  return whole;
}

Closeness closeness_to(std::vector<std::uint64_t> whole, const VerifiedColumn& column) {
  std::vector<ConceptId> values = column.values;
  values.resize(whole.size(), kMissing);
  return {column.attribute, std::move(values), std::move(whole)};
}

Status verify_closeness(const VerifiedColumn& column, const ClassValues& classes,
                        const Closeness& closeness) {
  std::uint64_t misses = 0;
  double worst = 0;
  std::vector<PlaceCount> by_code;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    by_code.clear();
    for (const PlaceCount& value : classes.of(i)) {
      by_code.push_back({classes.codes()[value.place], value.count});
    }
    if (closeness.within(by_code, *column.demand.t + kTolerance)) continue;
    ++misses;
    worst = std::max(worst, closeness.t(by_code));
  }
  if (misses == 0) return {};
  return missed(
      told(column, fmt::format("t = {}", *column.demand.t), misses, classes.size(), worst));
}

Status verify_column(const VerifiedColumn& column, const ClassValues& classes,
                     const VerifiedTable& table) {
  if (const Status status = verify_diversity(column, classes); !status) return status;
  if (!column.demand.t) return {};
  const std::vector<std::uint64_t> whole =
      column.whole.empty() ? shown_by(table, column.place) : column.whole;
  for (const Code code : classes.codes()) {
    if (code < whole.size() && whole[code] > 0) continue;
    return missed(fmt::format(
        "column '{}': the release shows values that the table has not: nothing was released",
        column.name));
  }
  return verify_closeness(column, classes, closeness_to(whole, column));
}

// All of them look alike: they are one class, or show nothing.
Status verify_suppressed(const VerifiedTable& table) {
  const TupleCounter& suppressed = *table.suppressed;
  for (std::size_t t = 0; t < suppressed.size(); ++t) {
    for (const std::size_t place : table.quasi_identifiers) {
      if (suppressed.tuple(t)[place] == kMissing) continue;
      return missed("a suppressed record shows a quasi-identifier: nothing was released");
    }
  }
  const CountedTuples counted(suppressed, table.suppressed_persons);
  const std::uint64_t size = size_of(counted);
  for (const VerifiedColumn& column : table.sensitive) {
    const ClassValues values(counted, {}, column.place);
    if (values.size() == 0) continue;
    if (size >= table.k && verify_column(column, values, table)) continue;
    return missed(
        fmt::format("column '{}' is shown of {} suppressed {}, which are fewer than k = {} or "
                    "miss what is demanded of a class: nothing was released",
                    column.name, size, counted_as(table), table.k));
  }
  return {};
}

}  // namespace

Status verify_classes(const VerifiedTable& table) {
  if (const Status status = verify_k(table); !status) return status;
  for (const VerifiedColumn& column : table.sensitive) {
    const ClassValues classes(table.released, table.quasi_identifiers, column.place);
    if (const Status status = verify_column(column, classes, table); !status) return status;
  }
  return table.suppressed == nullptr ? Status() : verify_suppressed(table);
}

}  // namespace semveil
