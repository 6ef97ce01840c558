#include "release/recoded_cells.h"

#include <algorithm>

namespace semveil {

bool RecodedCells::empties() const {
  return std::ranges::any_of(
      recodings_, [](const ColumnRecoding& recoding) { return recoding.recoding->empties(); });
}

Status RecodedCells::add(Code own, std::string_view person, const std::string& table,
                         Dictionary& texts) {
  const std::uint64_t line = own_.first_line(own);
  Result<RecodedText> text = recoded(recodings_, own_.text(own), person);
  if (!text) return fail(std::move(text.error()).at({table, line, name_}));
  const std::size_t known = texts.size();
  code_of_.push_back(text->text ? texts.add(*text->text, line) : kMissing);
  if (texts.size() == known && text->text && !recodings_.empty() &&
      recodings_.back().recoding->is_one_to_one()) {
    std::vector<std::string_view> cells;
    for (Code code = 0; code < own_.size(); ++code) cells.push_back(own_.text(code));
    return fail(recodings_.back().recoding->same_text_error(cells).at({table, line, name_}));
  }
  changed_.push_back(std::move(text->changed));
  return {};
}

Status RecodedCells::recode_new_texts(const std::string& table, Dictionary& texts) {
  for (auto code = static_cast<Code>(code_of_.size()); code < own_.size(); ++code) {
    if (Status status = add(code, {}, table, texts); !status) return status;
  }
  things_ = codes_;
  return {};
}

Status RecodedCells::recode_rows(const Persons& persons, const std::string& table,
                                 Dictionary& texts) {
  things_.assign(codes_.size(), kMissing);
  for (std::size_t row = 0; row < codes_.size(); ++row) {
    const Code person = persons.codes[row];
    // A record without a person is refused by who counts them.
    if (codes_[row] == kMissing || person == kMissing) continue;
    const std::uint64_t pair = std::uint64_t{codes_[row]} << 32U | person;
    const auto [at, is_new] = thing_of_.try_emplace(pair, static_cast<Code>(code_of_.size()));
    if (is_new) {
      const std::string_view text = persons.texts.text(person);
      if (Status status = add(codes_[row], text, table, texts); !status) return status;
    }
    things_[row] = at->second;
  }
  return {};
}

Status RecodedCells::recode(TableBatch& batch, const std::string& table, Dictionary& texts,
                            const std::optional<Persons>& persons) {
  std::vector<Code>& codes = batch.codes[place_];
  codes_ = codes;
  if (needs_person_ && !persons) {
    return fail(usage_error("a person is needed, and the model has none").at({table, 0, name_}));
  }
  Status status =
      needs_person_ ? recode_rows(*persons, table, texts) : recode_new_texts(table, texts);
  if (!status) return status;
  for (std::size_t row = 0; row < codes.size(); ++row) {
    codes[row] = things_[row] == kMissing ? kMissing : code_of_[things_[row]];
  }
  return {};
}

void RecodedCells::count_changed(const std::vector<bool>& dropped,
                                 std::vector<std::uint64_t>& changed) const {
  changed.resize(recodings());
  for (std::size_t row = 0; row < things_.size(); ++row) {
    if (things_[row] == kMissing || (!dropped.empty() && dropped[row])) continue;
    for (std::size_t i = 0; i < changed.size(); ++i) {
      changed[i] += changed_[things_[row]][i] ? 1 : 0;
    }
  }
}

}  // namespace semveil
