// What [mask] of a plan says to its method, read once: values by key, each of the type that the
// method's description (method.h) gives the key.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace [[gnu::visibility("default")]] semveil {

// Where the categories of a column's values come from: a file, or a cut of an ontology.
struct CategoriesSettings {
  std::string file;                // path resolved; empty: cut
  std::string ontology;            // a name of PlanFile::ontologies
  std::vector<std::string> roots;  // one of these three
  unsigned count = 0;
  unsigned depth = 0;
  std::uint64_t line = 0;  // in the plan file
};

using ColumnPairs = std::vector<std::pair<std::string, std::string>>;
using NumberRows = std::vector<std::vector<double>>;
using ColumnNumbers = std::map<std::string, double>;
// true or false, a whole number, a number, a text, pairs of columns, rows of numbers, numbers by
// column, categories.
using Setting = std::variant<bool, std::uint64_t, double, std::string, ColumnPairs, NumberRows,
                             ColumnNumbers, CategoriesSettings>;

class MethodSettings {  // those that were said
 public:
  const Setting* find(std::string_view key) const {
    const auto at = by_key_.find(key);
    return at == by_key_.end() ? nullptr : &at->second;
  }
  bool has(std::string_view key) const { return find(key) != nullptr; }
  void set(std::string_view key, Setting value) {
    by_key_.insert_or_assign(std::string(key), std::move(value));
  }

 private:
  std::map<std::string, Setting, std::less<>> by_key_;
};

}  // namespace semveil
