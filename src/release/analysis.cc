#include "release/analysis.h"

#include <algorithm>
#include <numeric>

#include "base/stop.h"

namespace semveil {
namespace {

// From the codes of the counting to those of the analysis.
struct Translation {
  std::vector<Code> code;
  Code missing = kMissing;
};

template <class T, class Of>
std::vector<T> distinct_sorted(std::size_t count, const std::vector<std::uint64_t>& counts, Of of) {
  std::vector<T> values;
  for (std::size_t i = 0; i < count; ++i) {
    if (counts[i] > 0) values.push_back(of(i));
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

template <class T>
Code place(const std::vector<T>& sorted, const T& value) {
  return static_cast<Code>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
}

Translation translate(const CountedColumn& counted, Analysis::Column& column) {
  Translation to;
  const std::size_t codes = counted.counts.size();
  to.code.resize(codes);
  if (counted.numeric) {
    column.numbers = distinct_sorted<double>(codes, counted.counts,
                                             [&](std::size_t i) { return counted.numbers[i]; });
    for (std::size_t i = 0; i < codes; ++i) to.code[i] = place(column.numbers, counted.numbers[i]);
    column.number_counts.resize(column.numbers.size());
    return to;
  }
  if (!counted.attribute) {
    std::iota(to.code.begin(), to.code.end(), Code{0});
    return to;
  }
  std::vector<ConceptId>& values = column.values.values;
  values = distinct_sorted<ConceptId>(codes, counted.counts,
                                      [&](std::size_t i) { return counted.concepts[i]; });
  if (!values.empty() && values.back() == kMissing) values.pop_back();
  const ConceptId missing = counted.attribute->missing_value();
  if (counted.attribute->missing_is_value && counted.missing > 0 &&
      (values.empty() || values.back() != missing)) {
    values.push_back(missing);
  }
  if (counted.attribute->missing_is_value && counted.missing > 0) {
    to.missing = static_cast<Code>(values.size() - 1);
  }
  column.values.counts.resize(values.size());
  for (std::size_t i = 0; i < codes; ++i) {
    const ConceptId c = counted.concepts[i];
    to.code[i] = c == kMissing ? static_cast<Code>(values.size() + i) : place(values, c);
  }
  return to;
}

}  // namespace

Analysis::Analysis(std::vector<CountedColumn> columns, std::vector<std::size_t> joined,
                   const TupleCounter& tuples, std::uint64_t records, std::vector<bool> drop,
                   const PersonPairs* persons)
    : joined_(std::move(joined)),
      tuples_(joined_.size()),
      records_(records),
      raw_persons_(persons) {
  std::vector<Translation> translations;
  for (const CountedColumn& counted : columns) {
    Column& column = columns_.emplace_back();
    column.name = counted.name;
    column.role = counted.role;
    column.attribute = counted.attribute;
    column.numeric = counted.numeric;
    column.dates = counted.dates;
    translations.push_back(translate(counted, column));
  }

  // Records are counted over tuples, so that those left out are left out of every column.
  const auto add = [&](std::size_t j, Code raw, std::uint64_t count) -> Code {
    Column& column = columns_[j];
    const Translation& to = translations[j];
    const Code code = raw == kMissing ? to.missing : to.code[raw];
    if (raw == kMissing) column.missing += count;
    if (code < column.values.counts.size()) {
      column.values.counts[code] += count;
    } else if (code < column.number_counts.size()) {
      column.number_counts[code] += count;
    } else if (column.attribute && raw != kMissing) {
      column.unmapped += count;
    }
    const std::vector<bool>& stands_in = columns[j].stands_in;
    if (raw != kMissing && !stands_in.empty() && stands_in[raw]) column.unmapped += count;
    return code;
  };
  std::vector<bool> is_joined(columns.size(), false);
  for (const std::size_t j : joined_) is_joined[j] = true;
  if (joined_.size() == 1) {
    const std::size_t j = joined_.front();
    if (persons != nullptr) became_.assign(columns[j].counts.size() + 1, kLeftOut);
    for (Code raw = 0; raw < columns[j].counts.size(); ++raw) {
      if (columns[j].counts[raw] == 0) continue;
      const Code code = add(j, raw, columns[j].counts[raw]);
      map_raw(raw, tuples_.add({&code, 1}, columns[j].counts[raw]));
    }
    if (columns[j].missing > 0) {
      if (!drop.empty() && drop[j]) {
        records_ -= columns[j].missing;
      } else {
        const Code code = add(j, kMissing, columns[j].missing);
        map_raw(static_cast<Code>(columns[j].counts.size()),
                tuples_.add({&code, 1}, columns[j].missing));
      }
    }
  } else {
    std::vector<Code> tuple(joined_.size());
    if (persons != nullptr) became_.assign(tuples.size() + 1, kLeftOut);
    for (std::size_t t = 0; t < tuples.size(); ++t) {
      const std::span<const Code> raw = tuples.tuple(t);
      bool dropped = false;
      for (std::size_t i = 0; i < joined_.size() && !drop.empty(); ++i) {
        dropped |= drop[joined_[i]] && raw[i] == kMissing;
      }
      if (dropped) {
        records_ -= tuples.count(t);
        continue;
      }
      for (std::size_t i = 0; i < joined_.size(); ++i) {
        tuple[i] = add(joined_[i], raw[i], tuples.count(t));
      }
      map_raw(static_cast<Code>(t), tuples_.add(tuple, tuples.count(t)));
    }
  }
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const auto& counts = columns[j].counts;
    columns_[j].distinct =
        counts.size() - static_cast<std::size_t>(std::count(counts.begin(), counts.end(), 0U));
    if (!is_joined[j]) columns_[j].missing = columns[j].missing;
  }
}

// ---- Persons ------------------------------------------------------------------------------------

void Analysis::map_raw(Code raw, std::size_t tuple) {
  if (raw_persons_ != nullptr) became_[raw] = static_cast<std::uint32_t>(tuple);
}

PersonPairs Analysis::persons_by(std::span<const std::uint32_t> thing_of) const {
  PersonPairs out;
  for (const std::uint64_t pair : raw_persons_->all()) {
    const std::size_t raw =
        std::min<std::size_t>(PersonPairs::tuple_of(pair), became_.size() - 1);  // kMissing
    const std::uint32_t tuple = became_[raw];
    if (tuple == kLeftOut || thing_of[tuple] == kLeftOut) continue;
    out.add(thing_of[tuple], PersonPairs::person_of(pair));
  }
  out.settle();
  return out;
}

PersonPairs Analysis::persons() const {
  std::vector<std::uint32_t> same(tuples_.size());
  std::iota(same.begin(), same.end(), 0U);
  return persons_by(same);
}

namespace {

std::size_t values_of(const Analysis::Column& column) {
  return column.numeric ? column.numbers.size() : column.values.values.size();
}

}  // namespace

std::vector<JointCount> Analysis::joint(std::size_t a, std::size_t b) const {
  std::vector<JointCount> joint;
  const std::size_t values_a = values_of(columns_[joined_[a]]);
  const std::size_t values_b = values_of(columns_[joined_[b]]);
  for (std::size_t t = 0; t < tuples_.size(); ++t) {
    const std::span<const Code> tuple = tuples_.tuple(t);
    if (tuple[a] < values_a && tuple[b] < values_b) {
      joint.push_back({tuple[a], tuple[b], tuples_.count(t)});
    }
  }
  return merged(std::move(joint));
}

FrequencyTable Analysis::frequencies(const std::vector<std::string>& names,
                                     const std::map<std::string, Demand>& demands) const {
  FrequencyTable table;
  table.records = records_;
  std::vector<std::size_t> places;  // in joined_
  for (const std::string& name : names) {
    for (std::size_t i = 0; i < joined_.size(); ++i) {
      const Column& column = columns_[joined_[i]];
      if (column.name != name) continue;
      places.push_back(i);
      ValueCounts values = column.values;
      if (column.numeric) {  // a number's value is its place
        values.counts = column.number_counts;
        values.values.resize(values.counts.size());
        std::iota(values.values.begin(), values.values.end(), ConceptId{0});
      }
      const std::uint64_t present = values.total();
      table.columns.push_back({column.attribute, std::move(values), records_ - present});
    }
  }
  // A value whose records were all left out is no value of the table.
  std::vector<std::vector<Code>> place_of;
  for (FrequencyColumn& column : table.columns) {
    ValueCounts& values = column.values;
    std::vector<Code>& to = place_of.emplace_back(values.values.size(), kMissing);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < values.values.size(); ++i) {
      if (values.counts[i] == 0) continue;
      to[i] = static_cast<Code>(kept);
      values.values[kept] = values.values[i];
      values.counts[kept++] = values.counts[i];
    }
    values.values.resize(kept);
    values.counts.resize(kept);
  }
  table.sensitive = sensitive(places, demands);
  if (names.size() < 2) {
    if (tells_persons() && !places.empty()) {
      const std::size_t values = place_of.empty() ? 0 : table.columns.front().values.values.size();
      const std::vector<std::uint32_t> rows = rows_of(places, place_of, table);
      const bool some_missing = table.columns.front().missing > 0;
      table.persons = PersonLists::from(persons_by(rows).all(), values + (some_missing ? 1 : 0));
    }
    return table;
  }
  TupleCounter projected(places.size());
  std::vector<Code> tuple(places.size());
  for (std::size_t t = 0; t < tuples_.size(); ++t) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Code code = tuples_.tuple(t)[places[i]];
      tuple[i] = code < place_of[i].size() ? place_of[i][code] : kMissing;
    }
    projected.add(tuple, tuples_.count(t));
  }
  std::vector<std::uint32_t> order(projected.size());
  std::iota(order.begin(), order.end(), 0U);
  StopCheck check;
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    check();
    const auto x = projected.tuple(a);
    const auto y = projected.tuple(b);
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
  });
  for (const std::uint32_t i : order) {
    const std::span<const Code> codes = projected.tuple(i);
    table.tuples.insert(table.tuples.end(), codes.begin(), codes.end());
    table.tuple_counts.push_back(projected.count(i));
  }
  if (tells_persons()) {
    const std::vector<std::uint32_t> rows = rows_of(places, place_of, table);
    table.persons = PersonLists::from(persons_by(rows).all(), table.tuple_counts.size());
  }
  return table;
}

// By tuple of the analysis: which tuple of the table it is, or which value of its only column,
// cells that take no part coming last.
std::vector<std::uint32_t> Analysis::rows_of(const std::vector<std::size_t>& places,
                                             const std::vector<std::vector<Code>>& place_of,
                                             const FrequencyTable& table) const {
  const std::size_t width = places.size();
  TupleCounter rows(width);  // numbered as in the table
  for (std::size_t r = 0; r < table.tuple_counts.size(); ++r) {
    rows.add(std::span(table.tuples).subspan(r * width, width));
  }
  std::vector<std::uint32_t> out;
  std::vector<Code> tuple(width);
  for (std::size_t t = 0; t < tuples_.size(); ++t) {
    for (std::size_t i = 0; i < width; ++i) {
      const Code code = tuples_.tuple(t)[places[i]];
      tuple[i] = code < place_of[i].size() ? place_of[i][code] : kMissing;
    }
    const auto missing = static_cast<std::uint32_t>(table.columns.front().values.values.size());
    out.push_back(width > 1                   ? static_cast<std::uint32_t>(*rows.find(tuple))
                  : tuple.front() == kMissing ? missing
                                              : tuple.front());
  }
  return out;
}

// r_v: persons of a tuple, and of the whole column, with each value.
void Analysis::count_persons(std::span<const std::uint32_t> entry_of,
                             SensitiveColumn& column) const {
  const PersonPairs by_entry = persons_by(entry_of);
  column.persons = PersonLists::from(by_entry.all(), column.counts.size());
  PersonPairs by_place;
  for (std::size_t e = 0; e < column.counts.size(); ++e) {
    column.counts[e].count = column.persons.of(e).size();
    for (const std::uint32_t person : column.persons.of(e)) {
      by_place.add(column.counts[e].place, person);
    }
  }
  by_place.settle();
  std::ranges::fill(column.whole, 0U);
  for (const std::uint64_t pair : by_place.all()) ++column.whole[PersonPairs::tuple_of(pair)];
}

// Tuples of `places` come in the order of FrequencyTable::tuples.
std::vector<SensitiveColumn> Analysis::sensitive(
    const std::vector<std::size_t>& places, const std::map<std::string, Demand>& demands) const {
  std::vector<SensitiveColumn> out;
  for (std::size_t i = 0; i < joined_.size(); ++i) {
    const Column& column = columns_[joined_[i]];
    const auto demand = demands.find(column.name);
    if (demand == demands.end()) continue;
    SensitiveColumn& found = out.emplace_back();
    found.name = column.name;
    found.demand = demand->second;
    found.attribute = column.attribute;
    const bool counts_missing = column.attribute && column.attribute->missing_is_value;

    TupleCounter projected(places.size() + 1);
    std::vector<Code> tuple(places.size() + 1);
    std::map<Code, Code> place_of;            // of the column's codes
    std::vector<std::uint32_t> projected_as;  // by tuple, where persons are told
    for (std::size_t t = 0; t < tuples_.size(); ++t) {
      for (std::size_t j = 0; j < places.size(); ++j) {
        const Code code = tuples_.tuple(t)[places[j]];  // what means nothing is missing there
        tuple[j] = code < values_of(columns_[joined_[places[j]]]) ? code : kMissing;
      }
      tuple.back() = tuples_.tuple(t)[i];
      const std::size_t at = projected.add(tuple, tuples_.count(t));
      if (tells_persons()) projected_as.push_back(static_cast<std::uint32_t>(at));
      if (tuple.back() != kMissing || counts_missing) place_of.emplace(tuple.back(), 0);
    }
    for (auto& [code, place] : place_of) {
      place = static_cast<Code>(found.values.size());
      const bool known = code < values_of(column);
      found.values.push_back(!known           ? kMissing
                             : column.numeric ? code
                                              : column.values.values[code]);
    }
    found.whole.resize(found.values.size());
    std::vector<std::uint32_t> order(projected.size());
    std::iota(order.begin(), order.end(), 0U);
    StopCheck check;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      check();
      return std::ranges::lexicographical_compare(projected.tuple(a), projected.tuple(b));
    });
    std::vector<std::uint32_t> entry_of(projected.size(), kLeftOut);  // place in `counts`
    for (std::size_t n = 0; n < order.size(); ++n) {
      const std::span<const Code> now = projected.tuple(order[n]);
      const bool first =
          n == 0 || !std::ranges::equal(now.first(places.size()),
                                        projected.tuple(order[n - 1]).first(places.size()));
      if (first) found.begin.push_back(found.counts.size());
      if (now.back() == kMissing && !counts_missing) continue;
      entry_of[order[n]] = static_cast<std::uint32_t>(found.counts.size());
      found.counts.push_back({place_of.at(now.back()), projected.count(order[n])});
      found.whole[found.counts.back().place] += found.counts.back().count;
    }
    found.begin.push_back(found.counts.size());
    for (std::uint32_t& at : projected_as) at = entry_of[at];
    if (tells_persons()) count_persons(projected_as, found);
  }
  return out;
}

}  // namespace semveil
