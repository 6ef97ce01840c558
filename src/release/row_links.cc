#include "release/row_links.h"

#include <map>

namespace semveil {

RowLinks::RowLinks(std::vector<std::string> columns) {
  for (std::string& name : columns) columns_.emplace_back().name = std::move(name);
}

void RowLinks::see(Column& column, std::uint64_t value, std::uint64_t person) {
  if (column.is_shared) return;
  const auto [at, is_new] = column.person_of.try_emplace(value, person);
  if (is_new) return;
  column.repeats = true;
  if (at->second == person) return;
  column.is_shared = true;
  column.person_of = {};
}

void RowLinks::add(std::size_t column, std::uint64_t value, std::uint64_t person) {
  see(columns_[column], value, person);
}

void RowLinks::add(const RowLinks& other) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    Column& to = columns_[i];
    const Column& from = other.columns_[i];
    to.repeats |= from.repeats;
    to.is_shared |= from.is_shared;
    if (to.is_shared) to.person_of = {};
    for (const auto& [value, person] : from.person_of) see(to, value, person);
  }
}

std::vector<std::string> RowLinks::linking() const {
  std::vector<std::string> out;
  for (const Column& column : columns_) {
    if (!column.is_shared && column.repeats) out.push_back(column.name);
  }
  return out;
}

void RowLinks::write(ByteWriter& out) const {
  out.number(columns_.size());
  for (const Column& column : columns_) {
    out.text(column.name);
    out.number((column.is_shared ? 1U : 0U) + (column.repeats ? 2U : 0U));
    out.number(column.person_of.size());
    for (const auto& [value, person] : std::map(column.person_of.begin(), column.person_of.end())) {
      out.number(value);
      out.number(person);
    }
  }
}

RowLinks RowLinks::read(ByteReader& in) {
  RowLinks out;
  for (std::size_t left = in.count(); left > 0 && in.is_sound(); --left) {
    Column& column = out.columns_.emplace_back();
    column.name = in.text();
    const std::uint64_t how = in.number();
    column.is_shared = (how & 1U) != 0;
    column.repeats = (how & 2U) != 0;
    for (std::size_t values = in.count(2); values > 0 && in.is_sound(); --values) {
      const std::uint64_t value = in.number();
      column.person_of[value] = in.number();
    }
  }
  return out;
}

}  // namespace semveil
