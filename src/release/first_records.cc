#include "release/first_records.h"

#include <algorithm>
#include <utility>

#include "release/kept_texts.h"

namespace semveil {
namespace {

// Counts records until there are enough of them.
class Limit {
 public:
  explicit Limit(std::uint64_t first_row, std::size_t columns) : row_(first_row), seen_(columns) {}

  bool is_reached() const {
    return row_ >= FirstRecords::kMost || bytes_ > FirstRecords::kMostBytes;
  }
  void add_cell(std::size_t column, Code code, const Dictionary& texts) {
    if (code == kMissing) return;
    std::vector<bool>& seen = seen_[column];
    if (seen.size() <= code) seen.resize(texts.size());
    if (seen[code]) return;
    seen[code] = true;
    bytes_ += texts.text(code).size();
  }
  void end_record() { ++row_; }
  std::size_t distinct(std::size_t column) const {
    return static_cast<std::size_t>(std::ranges::count(seen_[column], true));
  }

 private:
  std::uint64_t row_;
  std::vector<std::vector<bool>> seen_;  // by column, then code
  std::size_t bytes_ = 0;
};

// A batch may have many more texts than its first records. `codes` become those of the new one.
Dictionary only_those_of(const Dictionary& texts, std::vector<Code>& codes) {
  Dictionary used;
  std::vector<Code> code_of(texts.size(), kMissing);
  for (Code& code : codes) {
    if (code == kMissing) continue;
    if (code_of[code] == kMissing) code_of[code] = used.add(texts.text(code), 0);
    code = code_of[code];
  }
  return used;
}

}  // namespace

FirstRecords FirstRecords::read(const Table& table, const std::vector<std::size_t>& alone,
                                const std::vector<std::size_t>& always, std::uint64_t first_row) {
  FirstRecords found;
  if (alone.empty() || first_row >= kMost) return found;
  std::vector<std::size_t> all = alone;
  all.insert(all.end(), always.begin(), always.end());
  if (found.read_together(table, std::move(all), first_row)) return found;
  for (const std::size_t column : alone) {
    std::vector<std::size_t> wanted{column};
    wanted.insert(wanted.end(), always.begin(), always.end());
    if (!found.read_together(table, std::move(wanted), first_row)) {
      found.textless_.push_back(column);
    }
  }
  std::ranges::sort(found.textless_);
  return found;
}

bool FirstRecords::read_together(const Table& table, std::vector<std::size_t> wanted,
                                 std::uint64_t first_row) {
  const Result<std::unique_ptr<TableSource>> source = table.read(wanted, Cells::kWanted);
  if (!source) return false;
  std::vector<Dictionary> dictionaries(wanted.size());
  std::vector<std::vector<Code>> codes(wanted.size());
  Limit limit(first_row, wanted.size());
  while (!limit.is_reached()) {
    const Result<std::unique_ptr<TableBatch>> next = (*source)->next(dictionaries);
    if (!next) return false;
    if (*next == nullptr) break;
    for (std::size_t row = 0; row < (*next)->rows && !limit.is_reached(); ++row) {
      for (std::size_t j = 0; j < wanted.size(); ++j) {
        codes[j].push_back((*next)->codes[j][row]);
        limit.add_cell(j, codes[j].back(), dictionaries[j]);
      }
      limit.end_record();
    }
  }
  for (std::size_t j = 0; j < wanted.size(); ++j) {
    Texts& column = columns_[wanted[j]];
    std::vector<Code>& piece = column.pieces[first_row];
    if (piece.size() >= codes[j].size() && !piece.empty()) continue;  // read beside another column
    piece = std::move(codes[j]);
    column.texts = only_those_of(dictionaries[j], piece);
  }
  return true;
}

void FirstRecords::merge(const FirstRecords& other) {
  for (const auto& [at, from] : other.columns_) {
    Texts& to = columns_[at];
    const std::vector<Code> code_of = add_texts(from.texts, to.texts);
    for (const auto& [row, codes] : from.pieces) {
      std::vector<Code>& piece = to.pieces[row];
      if (piece.size() >= codes.size()) continue;  // a part without rows begins where the next does
      piece.clear();
      for (const Code code : codes) piece.push_back(code == kMissing ? kMissing : code_of[code]);
    }
  }
  std::vector<std::size_t> textless;
  std::ranges::set_union(textless_, other.textless_, std::back_inserter(textless));
  textless_ = std::move(textless);
}

std::vector<Code> FirstRecords::Texts::first() const {
  std::vector<Code> codes;
  for (const auto& [row, piece] : pieces) {
    if (row != codes.size()) break;
    codes.insert(codes.end(), piece.begin(), piece.end());
  }
  return codes;
}

std::optional<FirstRecords::Sample> FirstRecords::in(std::span<const std::size_t> wanted) const {
  Sample sample;
  std::size_t most = wanted.empty() ? 0 : kMost;
  for (const std::size_t at : wanted) {
    if (std::ranges::binary_search(textless_, at)) return std::nullopt;
    Column& column = sample.columns.emplace_back();
    const auto found = columns_.find(at);
    if (found == columns_.end()) return std::nullopt;
    column.texts = &found->second.texts;
    column.codes = found->second.first();
    most = std::min(most, column.codes.size());
  }
  Limit limit(0, wanted.size());
  for (; sample.records < most && !limit.is_reached(); ++sample.records) {
    for (std::size_t j = 0; j < wanted.size(); ++j) {
      limit.add_cell(j, sample.columns[j].codes[sample.records], *sample.columns[j].texts);
    }
    limit.end_record();
  }
  for (std::size_t j = 0; j < wanted.size(); ++j) {
    sample.columns[j].codes.resize(sample.records);
    sample.columns[j].distinct = limit.distinct(j);
  }
  return sample;
}

void FirstRecords::write(ByteWriter& out) const {
  out.number(columns_.size());
  for (const auto& [at, column] : columns_) {
    out.number(at);
    write_texts(column.texts, out);
    out.number(column.pieces.size());
    for (const auto& [row, codes] : column.pieces) {
      out.number(row);
      out.numbers(std::span<const Code>(codes));
    }
  }
  out.numbers(std::span<const std::size_t>(textless_));
}

FirstRecords FirstRecords::read(ByteReader& in) {
  FirstRecords found;
  for (std::size_t left = in.count(); left > 0 && in.is_sound(); --left) {
    Texts& column = found.columns_[in.number()];
    column.texts = read_texts(in);
    for (std::size_t pieces = in.count(); pieces > 0 && in.is_sound(); --pieces) {
      std::vector<Code>& codes = column.pieces[in.number()];
      codes = read_codes(column.texts.size(), in);
      if (codes.size() > kMost) in.refuse();
    }
  }
  found.textless_ = in.numbers<std::size_t>();
  return found;
}

}  // namespace semveil
