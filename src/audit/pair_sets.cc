#include "audit/pair_sets.h"

#include <fmt/format.h>

#include <map>

#include "release/set_cells.h"

namespace semveil {
namespace {

class SetReader {
 public:
  explicit SetReader(const SetsToRead& sets) : sets_(sets) {
    for (const Categories::Category& category : sets.fitted.categories.list) {
      for (const ConceptId value : category.values) values_.emplace(sets.spelling[value], value);
    }
  }

  Result<std::vector<ConceptId>> run() {
    const Status read = sets_.form.kind == SetForm::Kind::kColumns ? read_columns() : read_cells();
    if (!read) return fail(read.error());
    return std::move(released_);
  }

 private:
  const TableRows& rows() const { return sets_.rows; }
  unsigned l() const { return sets_.fitted.l; }

  tl::unexpected<Error> refuse(std::size_t column, Code code, std::string why) const {
    const Dictionary& texts = rows().apart_texts[column];
    return fail(data_error(std::move(why))
                    .at({sets_.table, texts.first_line(code), sets_.column})
                    .quoting(std::string(texts.text(code))));
  }

  Status read_columns() {
    if (sets_.columns != l()) {
      return fail(data_error(fmt::format("the sets have {} columns, the plan makes {} values",
                                         sets_.columns, l()))
                      .at({sets_.table, 1, sets_.column}));
    }
    for (std::size_t row = 0; row < rows().records; ++row) {
      for (std::size_t column = sets_.first; column < sets_.first + l(); ++column) {
        const Code code = rows().apart[column][row];
        if (code == kMissing) {
          released_.push_back(kMissing);
          continue;
        }
        const auto known = values_.find(rows().apart_texts[column].text(code));
        if (known == values_.end()) {
          return refuse(column, code, "the value is in none of the plan's categories");
        }
        released_.push_back(known->second);
      }
    }
    return {};
  }

  Status read_cells() {
    const Dictionary& cells = rows().apart_texts[sets_.first];
    SetCells apart(sets_.form);
    std::vector<std::string_view> texts;
    std::vector<ConceptId> by_code;  // l each
    for (Code code = 0; code < cells.size(); ++code) {
      if (!apart.split(cells.text(code), texts) || texts.size() != l()) {
        return refuse(sets_.first, code,
                      fmt::format("not a set of {} values as the plan writes them", l()));
      }
      for (const std::string_view text : texts) {
        const auto known = values_.find(text);
        if (known == values_.end()) {
          return refuse(sets_.first, code,
                        "a value of the set is in none of the plan's categories");
        }
        by_code.push_back(known->second);
      }
    }
    for (const Code code : rows().apart[sets_.first]) {
      for (std::size_t v = 0; v < l(); ++v) {
        released_.push_back(code == kMissing ? kMissing : by_code[std::size_t{code} * l() + v]);
      }
    }
    return {};
  }

  const SetsToRead& sets_;
  std::map<std::string_view, ConceptId> values_;  // by spelling
  std::vector<ConceptId> released_;
};

}  // namespace

Result<std::vector<ConceptId>> released_sets(const SetsToRead& sets) {
  return SetReader(sets).run();
}

}  // namespace semveil
