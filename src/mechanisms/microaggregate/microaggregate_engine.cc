#include "mechanisms/microaggregate/microaggregate_engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "mechanisms/classes/demands.h"
#include "mechanisms/microaggregate/group_centroids.h"
#include "mechanisms/microaggregate/group_merging.h"
#include "mechanisms/microaggregate/mdav.h"
#include "mechanisms/microaggregate/tuple_sums.h"

namespace semveil {
namespace {

Error unmet(std::string message) { return {ErrorCode::kGuarantee, std::move(message), {}, {}, {}}; }

// The column as it comes out, with the centroids' numbers; `places` gets that of each group.
std::shared_ptr<const Attribute> released_numbers(const Attribute& attribute, std::size_t width,
                                                  std::size_t j,
                                                  const std::vector<CentroidCell>& cells,
                                                  std::vector<ConceptId>& places) {
  std::vector<const WrittenNumber*> numbers;
  for (std::size_t i = j; i < cells.size(); i += width) {
    if (cells[i].number) numbers.push_back(&*cells[i].number);
  }
  const auto before = [](const WrittenNumber* a, const WrittenNumber* b) {
    return a->value < b->value;
  };
  std::ranges::sort(numbers, before);
  numbers.erase(std::unique(numbers.begin(), numbers.end(),
                            [](const WrittenNumber* a, const WrittenNumber* b) {
                              return a->value == b->value;
                            }),
                numbers.end());
  std::vector<double> values;
  std::vector<std::string> digits;
  for (const WrittenNumber* number : numbers) {
    values.push_back(number->value);
    digits.push_back(number->digits);
  }
  Attribute released = numeric_attribute(attribute.name, std::move(values), attribute.unit);
  released.digits = std::move(digits);
  released.decimals = attribute.decimals;
  released.dates = attribute.dates;
  released.missing_is_value = attribute.missing_is_value;
  places.clear();
  for (std::size_t i = j; i < cells.size(); i += width) {
    const auto at = cells[i].number
                        ? std::ranges::lower_bound(released.numbers, cells[i].number->value)
                        : released.numbers.end();
    places.push_back(static_cast<ConceptId>(at - released.numbers.begin()));
  }
  return std::make_shared<const Attribute>(std::move(released));
}

// As many groups as there can be, and what looking at the tuples left takes for each: sums of all
// columns, and their blocks once for each member.
double steps_of_groups(const ClassTable& table, std::uint64_t k) {
  double tuples = 0, records = 0;
  for (std::size_t t = 0; t < table.size(); ++t) {
    if (table.size_of(t) >= k) continue;
    ++tuples;
    records += static_cast<double>(table.size_of(t));
  }
  const double groups = std::min(tuples, records / static_cast<double>(k));
  constexpr double kStepsOfASum = 6, kStepsOfABlock = 2;
  const double of_tuple = kStepsOfASum * static_cast<double>(table.width()) +
                          kStepsOfABlock * static_cast<double>(k) / TupleSums::kBlock;
  return groups * tuples / 2 * of_tuple;
}

}  // namespace

Result<MicroaggregateOutcome> microaggregate_tuples(const ClassTable& table,
                                                    const MicroaggregateOptions& options) {
  const std::uint64_t k = std::max<std::uint64_t>(1, options.k);
  if (const std::uint64_t size = table.whole_size(); size < k) {
    return fail(unmet(fmt::format("groups of k = {} {} cannot be made of {}; a smaller k can", k,
                                  table.counted_as(), size)));
  }
  const Demands demands(table);
  if (std::string which = demands.unmeetable(); !which.empty()) return fail(unmet(which));

  if (const Status status = check_work(
          steps_of_groups(table, k), options.most_hours,
          fmt::format("microaggregate over {} different combinations", table.size()),
          "leave a column of so many values out of `columns`, round or code it before, or take a "
          "greater k");
      !status) {
    return fail(status.error());
  }

  GroupsWithCentroids found;
  found.groups = mdav_groups(table, k, options.threads);
  for (std::vector<std::uint32_t>& group : found.groups) std::ranges::sort(group);
  std::ranges::sort(found.groups);  // by the smallest tuple: nothing tells the order of forming
  const Centroids centroids(table);
  found.centroids = centroids.of(found.groups, options.threads);
  if (!demands.none()) merge_until_met(table, demands, centroids, found);

  MicroaggregateOutcome out;
  out.groups = static_cast<std::uint32_t>(found.groups.size());
  out.group.resize(table.size());
  for (std::uint32_t g = 0; g < out.groups; ++g) {
    for (const std::uint32_t t : found.groups[g]) out.group[t] = g;
  }
  const std::size_t width = table.width();
  out.centroids.resize(found.groups.size() * width);
  for (std::size_t j = 0; j < width; ++j) {
    if (!table.attributes[j]->is_numeric()) {
      out.released.push_back(table.attributes[j]);
      for (std::size_t i = j; i < found.centroids.size(); i += width) {
        out.centroids[i] = found.centroids[i].value;
      }
      continue;
    }
    std::vector<ConceptId> places;
    out.released.push_back(
        released_numbers(*table.attributes[j], width, j, found.centroids, places));
    for (std::size_t g = 0; g < places.size(); ++g) out.centroids[g * width + j] = places[g];
  }
  return out;
}

}  // namespace semveil
