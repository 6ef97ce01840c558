#include "release/recoded_cells.h"

#include <algorithm>

namespace semveil {

bool RecodedCells::empties() const {
  return std::ranges::any_of(
      *recodings_, [](const ColumnRecoding& recoding) { return recoding.recoding->empties(); });
}

Status RecodedCells::recode_new_texts(const std::string& table, Dictionary& texts) {
  for (auto code = static_cast<Code>(code_of_.size()); code < own_.size(); ++code) {
    const std::uint64_t line = own_.first_line(code);
    Result<RecodedText> text = recoded(*recodings_, own_.text(code));
    if (!text) return fail(std::move(text.error()).at({table, line, name_}));
    code_of_.push_back(text->text ? texts.add(*text->text, line) : kMissing);
    changed_.push_back(std::move(text->changed));
  }
  return {};
}

Status RecodedCells::recode(TableBatch& batch, const std::string& table, Dictionary& texts) {
  if (const Status status = recode_new_texts(table, texts); !status) return status;
  std::vector<Code>& codes = batch.codes[place_];
  codes_ = codes;
  for (Code& code : codes) {
    if (code != kMissing) code = code_of_[code];
  }
  return {};
}

void RecodedCells::count_changed(const std::vector<bool>& dropped,
                                 std::vector<std::uint64_t>& changed) const {
  changed.resize(recodings());
  for (std::size_t row = 0; row < codes_.size(); ++row) {
    if (codes_[row] == kMissing || (!dropped.empty() && dropped[row])) continue;
    for (std::size_t i = 0; i < changed.size(); ++i) {
      changed[i] += changed_[codes_[row]][i] ? 1 : 0;
    }
  }
}

}  // namespace semveil
