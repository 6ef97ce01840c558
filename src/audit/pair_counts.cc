#include "audit/pair_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/stop.h"
#include "release/person_links.h"

namespace semveil {
namespace {

using Places = std::vector<std::uint32_t>;  // by old place or code: the new one

// Adds tuples in the given order, their texts as they come; tells where each went.
Places add_tuples(const SideCounts& from, std::span<const std::uint32_t> order, SideCounts& to) {
  const std::size_t width = from.texts.size();
  std::vector<Places> codes;  // by column, then code of `from`; kMissing: not met yet
  for (const Dictionary& texts : from.texts) codes.emplace_back(texts.size(), kMissing);
  Places places(from.tuples.size());
  std::vector<Code> tuple(width);
  StopCheck check;
  for (const std::uint32_t at : order) {
    check();
    for (std::size_t j = 0; j < width; ++j) {
      const Code code = from.tuples.tuple(at)[j];
      tuple[j] = kMissing;
      if (code == kMissing) continue;
      if (codes[j][code] == kMissing) codes[j][code] = to.texts[j].add(from.texts[j].text(code), 0);
      tuple[j] = codes[j][code];
    }
    places[at] = static_cast<std::uint32_t>(
        to.tuples.add(tuple, from.tuples.count(at), from.tuples.first(at)));
  }
  return places;
}

void add_pairs(const PlacedTuples& from, const Places& original, const Places& masked,
               PlacedTuples& to) {
  for (const std::uint32_t at : from.by_first()) {
    const auto pair = from.tuple(at);
    to.add(std::array{original[pair[0]], masked[pair[1]]}, from.count(at), from.first(at));
  }
}

std::vector<PairCounts::PersonRow> moved(std::vector<PairCounts::PersonRow> persons,
                                         const Places& masked) {
  for (PairCounts::PersonRow& person : persons) person.tuple = masked[person.tuple];
  return persons;
}

Status refuse_other_tables(const PairCounts& a, const PairCounts& b) {
  if (a.plan != b.plan) {
    return fail(
        data_error("the parts of the tables were counted under different plans: count all "
                   "of them under one"));
  }
  if (a.original_columns != b.original_columns || a.masked_columns != b.masked_columns) {
    return fail(data_error("the parts are of tables with different columns"));
  }
  if (const auto both = a.rows.common_with(b.rows)) {
    return fail(data_error(fmt::format("rows {} to {} are in both parts: merge every part once",
                                       both->first, both->end - 1)));
  }
  return {};
}

}  // namespace

TableRows SideCounts::rows() && {
  TableRows out;
  out.records = tuples.records();
  out.tuples = tuples.counter();
  out.texts = std::move(texts);
  for (const Dictionary& column : out.texts) out.counts.emplace_back(column.size());
  count_texts(out);
  return out;
}

Status PairCounts::merge(const PairCounts& other) {
  if (const Status status = refuse_other_tables(*this, other); !status) return status;
  const Places of_original = add_tuples(other.original, other.original.tuples.by_first(), original);
  const Places of_masked = add_tuples(other.masked, other.masked.tuples.by_first(), masked);
  add_pairs(other.pairs, of_original, of_masked, pairs);
  for (std::size_t k = 0; k < compared.size(); ++k) compared[k].merge(other.compared[k]);
  std::vector<PersonRow> both;
  std::ranges::merge(persons, moved(other.persons, of_masked), std::back_inserter(both), {},
                     &PersonRow::row, &PersonRow::row);
  if (both.size() > PersonLinks::kMostRecords) both.resize(PersonLinks::kMostRecords);
  persons = std::move(both);
  rows.merge(other.rows);
  return {};
}

PairCounts PairCounts::settled() const {
  const auto start = [](const SideCounts& side) {
    SideCounts out;
    out.texts.resize(side.texts.size());
    out.tuples = PlacedTuples(side.tuples.width());
    return out;
  };
  PairCounts out{original_columns, masked_columns,  plan,     rows,          start(original),
                 start(masked),    PlacedTuples(2), compared, knows_persons, {}};
  const Places of_original = add_tuples(original, original.tuples.by_first(), out.original);
  const Places of_masked = add_tuples(masked, masked.tuples.by_first(), out.masked);
  add_pairs(pairs, of_original, of_masked, out.pairs);
  out.persons = moved(persons, of_masked);
  return out;
}

}  // namespace semveil
