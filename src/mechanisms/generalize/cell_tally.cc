#include "mechanisms/generalize/cell_tally.h"

namespace semveil {
namespace {

std::uint64_t value_and_person(const CellValue& value) {
  return std::uint64_t{value.place} << 32U | value.person;
}

}  // namespace

CellTally::CellTally(const CellTable& table) : table_(&table) {
  if (!table.values.empty()) columns_.resize(table.values.front().size());
}

void CellTally::add(std::uint32_t u) {
  ++members_;
  records_ += table_->counts[u];
  const bool tells_persons = table_->persons.are_told();
  if (tells_persons) {
    for (const std::uint32_t person : table_->persons.of(u)) ++members_of_[person];
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    for (const CellValue& value : table_->values[u][i]) {
      const bool is_new = !tells_persons || ++columns_[i].members[value_and_person(value)] == 1;
      if (is_new) columns_[i].size[value.place] += value.count;
    }
  }
}

void CellTally::remove(std::uint32_t u) {
  --members_;
  records_ -= table_->counts[u];
  const bool tells_persons = table_->persons.are_told();
  if (tells_persons) {
    for (const std::uint32_t person : table_->persons.of(u)) {
      const auto at = members_of_.find(person);
      if (--at->second == 0) members_of_.erase(at);
    }
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    for (const CellValue& value : table_->values[u][i]) {
      if (tells_persons) {
        const auto at = columns_[i].members.find(value_and_person(value));
        if (--at->second > 0) continue;
        columns_[i].members.erase(at);
      }
      const auto at = columns_[i].size.find(value.place);
      at->second -= value.count;
      if (at->second == 0) columns_[i].size.erase(at);
    }
  }
}

bool CellTally::holds() const {
  if (is_none()) return false;
  const std::uint64_t size = table_->persons.are_told() ? members_of_.size() : records_;
  if (size < table_->k) return false;
  if (columns_.empty()) return true;
  SensitiveCounts counts;
  for (const Column& column : columns_) {
    std::vector<PlaceCount>& of_column = counts.columns.emplace_back();
    for (const auto& [place, count] : column.size) of_column.push_back({place, count});
  }
  return table_->demands->met(counts);
}

}  // namespace semveil
