#include "release/row_links.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_set>

#include "semveil/finding_guide.h"

namespace semveil {
namespace {

constexpr unsigned kMostHalvings = 63;

bool is_looked_at(std::uint64_t value, unsigned halvings) {
  return (value & ((std::uint64_t{1} << halvings) - 1)) == 0;
}

// q^(rows / 2), by multiplication: the same everywhere.
double chance_of(double root_of_q, std::uint64_t rows) {
  constexpr double kNone = 1e-12;
  double chance = 1;
  for (std::uint64_t i = 0; i < rows && chance > kNone; ++i) chance *= root_of_q;
  return chance;
}

}  // namespace

RowLinks::RowLinks(std::vector<std::string> columns, std::size_t most_values)
    : most_values_(most_values) {
  for (std::string& name : columns) columns_.emplace_back().name = std::move(name);
}

void RowLinks::see(Column& column, std::uint64_t value, const Seen& seen) const {
  if (!is_looked_at(value, column.halvings)) return;
  const auto [at, is_new] = column.values.try_emplace(value, seen);
  if (!is_new) {
    Seen& known = at->second;
    known.rows += seen.rows;
    known.is_shared |= seen.is_shared || known.person != seen.person;
    return;
  }
  while (column.values.size() > most_values_ && column.halvings < kMostHalvings) {
    ++column.halvings;
    std::erase_if(column.values,
                  [&](const auto& each) { return !is_looked_at(each.first, column.halvings); });
  }
}

void RowLinks::add(std::size_t column, std::uint64_t value, std::uint64_t person) {
  see(columns_[column], value, {person, 1, false});
}

void RowLinks::add(const RowLinks& other) {
  for (const auto& [person, rows] : other.rows_of_) rows_of_[person] += rows;
  for (std::size_t i = 0; i < std::min(columns_.size(), other.columns_.size()); ++i) {
    Column& to = columns_[i];
    const Column& from = other.columns_[i];
    if (from.halvings > to.halvings) {
      to.halvings = from.halvings;
      std::erase_if(to.values,
                    [&](const auto& each) { return !is_looked_at(each.first, to.halvings); });
    }
    for (const auto& [value, seen] : from.values) see(to, value, seen);
  }
}

std::uint64_t RowLinks::persons_with_several_rows() const {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(rows_of_, [](const auto& each) { return each.second > 1; }));
}

double RowLinks::chance_of_one_person() const {
  std::uint64_t rows = 0, pairs = 0;
  for (const auto& [person, own] : rows_of_) {
    rows += own;
    pairs += own * (own - 1);
  }
  if (rows < 2) return 0;
  return static_cast<double>(pairs) / (static_cast<double>(rows) * static_cast<double>(rows - 1));
}

std::vector<RowLinks::Linking> RowLinks::linking() const {
  constexpr double kDeviations = 3;
  std::vector<Linking> out;
  const std::uint64_t several = persons_with_several_rows();
  const double root_of_q = std::sqrt(chance_of_one_person());
  for (const Column& column : columns_) {
    std::unordered_set<std::uint64_t> joined;
    std::map<std::uint64_t, std::uint64_t> values_with;  // by rows; of those that repeat
    bool is_shared = false;
    for (const auto& [value, seen] : column.values) {
      is_shared |= seen.is_shared;
      if (seen.rows < 2) continue;
      ++values_with[seen.rows];
      if (!seen.is_shared) joined.insert(seen.person);
    }
    if (joined.empty()) continue;
    double expected = 0;
    for (const auto& [rows, values] : values_with) {
      expected += chance_of(root_of_q, rows) * static_cast<double>(values);
    }
    const auto found = static_cast<double>(joined.size());
    const double in_all = std::min(std::ldexp(found, static_cast<int>(column.halvings)),
                                   static_cast<double>(several));
    const bool is_notable = in_all >= kNotable * static_cast<double>(several) &&
                            found > expected + kDeviations * std::sqrt(expected + 0.25);
    if (is_shared && !is_notable) continue;
    out.push_back({column.name, static_cast<std::uint64_t>(in_all)});
  }
  return out;
}

void RowLinks::write(ByteWriter& out) const {
  out.number(rows_of_.size());
  for (const auto& [person, rows] : std::map(rows_of_.begin(), rows_of_.end())) {
    out.number(person);
    out.number(rows);
  }
  out.number(columns_.size());
  for (const Column& column : columns_) {
    out.text(column.name);
    out.number(column.halvings);
    out.number(column.values.size());
    for (const auto& [value, seen] : std::map(column.values.begin(), column.values.end())) {
      out.number(value);
      out.number(seen.person);
      out.number(seen.rows);
      out.number(seen.is_shared ? 1 : 0);
    }
  }
}

RowLinks RowLinks::read(ByteReader& in) {
  RowLinks out;
  for (std::size_t left = in.count(2); left > 0 && in.is_sound(); --left) {
    const std::uint64_t person = in.number();
    out.rows_of_[person] = in.number();
  }
  for (std::size_t left = in.count(); left > 0 && in.is_sound(); --left) {
    Column& column = out.columns_.emplace_back();
    column.name = in.utf8();
    const std::uint64_t halvings = in.number();
    if (halvings > kMostHalvings) in.refuse();
    column.halvings = static_cast<unsigned>(std::min<std::uint64_t>(halvings, kMostHalvings));
    for (std::size_t values = in.count(4); values > 0 && in.is_sound(); --values) {
      const std::uint64_t value = in.number();
      Seen& seen = column.values[value];
      seen.person = in.number();
      seen.rows = in.number();
      seen.is_shared = in.number() != 0;
    }
  }
  return out;
}

LinkedRows linked_rows(const RowLinks& links, const std::string& person) {
  LinkedRows out;
  out.of = links.persons_with_several_rows();
  for (RowLinks::Linking& linking : links.linking()) {
    out.columns.push_back(std::move(linking.column));
    out.persons = std::max(out.persons, linking.persons);
  }
  if (person.empty()) return out;
  out.columns.insert(out.columns.begin(), person);
  out.persons = out.of;
  return out;
}

std::optional<Finding> find_linked_rows(LinkedRows linked,
                                        std::span<const std::uint64_t> row_sums) {
  if (linked.columns.empty()) return std::nullopt;
  std::map<std::uint64_t, std::uint64_t> persons_with;  // by multiset of rows
  for (const std::uint64_t sum : row_sums) {
    if (sum != 0) ++persons_with[sum];
  }
  double alone = 0, persons = 0;
  for (const auto& [rows, count] : persons_with) {
    alone += count == 1 ? 1 : 0;
    persons += static_cast<double>(count);
  }
  return make_finding(
      "rows-linked", Severity::kDanger, std::move(linked.columns),
      {{"alone", alone}, {"persons", persons}, {"linked", static_cast<double>(linked.persons)}});
}

}  // namespace semveil
