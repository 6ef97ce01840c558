// A column of texts in categories, for tests of sets: what a fit sees of it, and the twin's lists.
#pragma once

#include <array>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "support/generated_table.h"
#include "support/slow_ean.h"

namespace semveil::test {

struct SetCase {
  std::vector<std::vector<std::uint64_t>> counts;  // by category and value: records
  unsigned l = 0;
  SetDraw draw = SetDraw::kUniform;
  bool by_category = true;

  // Values are numbered through the categories in turn: neighbours are not related.
  std::vector<std::vector<ConceptId>> lists() const {
    std::vector<std::vector<ConceptId>> out(counts.size());
    ConceptId next = 0;
    for (std::size_t i = 0; next < values(); ++i) {
      for (std::size_t c = 0; c < counts.size(); ++c) {
        if (i < counts[c].size()) out[c].push_back(next++);
      }
    }
    return out;
  }
  std::size_t values() const {
    std::size_t out = 0;
    for (const auto& category : counts) out += category.size();
    return out;
  }
  // The category of each value.
  std::vector<std::size_t> categories() const {
    std::vector<std::size_t> out(values());
    const auto all = lists();
    for (std::size_t c = 0; c < all.size(); ++c) {
      for (const ConceptId value : all[c]) out[value] = c;
    }
    return out;
  }
  std::size_t size_of_set() const { return l == 0 ? counts.size() : l; }

  CategoryRule rule() const {
    return [all = lists()](const FrequencyColumn&) -> Result<Categories> {
      Categories out;
      for (std::size_t c = 0; c < all.size(); ++c) {
        out.list.push_back({"category " + std::to_string(c), all[c]});
      }
      return out;
    };
  }
  SetOptions options(std::size_t columns = 1, bool by_person = false) const {
    return {.categories = std::vector<CategoryRule>(columns, rule()),
            .l = l,
            .draw = draw,
            .by_person = by_person};
  }
  std::unique_ptr<const Mechanism> mechanism(bool by_person = false) const {
    return by_category ? make_ean(options(1, by_person)) : make_an(options(1, by_person));
  }

  // `times` as many records as `counts` says, in the order of their values, or turned about.
  TableColumn column(std::size_t times = 1, const std::string& name = "illness") const {
    std::vector<std::string> texts;
    for (std::size_t v = 0; v < values(); ++v) texts.push_back("value " + std::to_string(1000 + v));
    TableColumn out;
    out.attribute = std::make_shared<const Attribute>(text_attribute(name, texts));
    const auto all = lists();
    for (std::size_t c = 0; c < all.size(); ++c) {
      for (std::size_t i = 0; i < all[c].size(); ++i) {
        out.cells.insert(out.cells.end(), counts[c][i] * times, all[c][i]);
      }
    }
    return out;
  }
  GeneratedTable table(std::size_t times = 1) const { return {{column(times)}, {}}; }

  SlowSets slow() const {
    SlowSets out{.by_category = by_category, .senslist = lists(), .l = size_of_set(), .draw = draw};
    for (std::size_t c = 0; c < counts.size(); ++c) {
      for (std::size_t i = 0; i < counts[c].size(); ++i) {
        if (counts[c][i] > 0) out.records[out.senslist[c][i]] = counts[c][i];
      }
    }
    return out;
  }
};

inline Key key(unsigned char number = 1) {
  return Key::from_bytes(std::array<unsigned char, Key::kSize>{number, 7});
}

// What came out for a cell.
inline std::vector<ConceptId> set_of(const FittedMethod& plan, const MaskedBatch& out,
                                     std::size_t j, std::size_t row) {
  const auto l = static_cast<std::ptrdiff_t>(plan.width(j));
  const auto first = out.columns[j].begin() + static_cast<std::ptrdiff_t>(row) * l;
  return {first, first + l};
}

inline std::unique_ptr<const FittedMethod> fit(const SetCase& c, const Key& stream = key()) {
  return value_or_throw(c.mechanism()->fit(c.table().frequencies(), stream));
}

}  // namespace semveil::test
