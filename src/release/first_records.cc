#include "release/first_records.h"

#include <utility>

namespace semveil {
namespace {

class Reader {
 public:
  explicit Reader(std::size_t columns) : dictionaries_(columns), seen_(columns) {
    found_.columns.resize(columns);
  }

  Result<FirstRecords> run(TableSource& source) && {
    while (!is_full()) {
      const Result<std::unique_ptr<TableBatch>> next = source.next(dictionaries_);
      if (!next) return fail(next.error());
      if (*next == nullptr) break;
      add(**next);
    }
    for (std::size_t j = 0; j < dictionaries_.size(); ++j) {
      found_.columns[j].texts = std::move(dictionaries_[j]);
    }
    return std::move(found_);
  }

 private:
  bool is_full() const {
    return found_.records == FirstRecords::kMost || bytes_ > FirstRecords::kMostBytes;
  }

  void add(const TableBatch& batch) {
    for (std::size_t j = 0; j < seen_.size(); ++j) seen_[j].resize(dictionaries_[j].size());
    for (std::size_t row = 0; row < batch.rows && !is_full(); ++row) {
      for (std::size_t j = 0; j < seen_.size(); ++j) add(batch.codes[j][row], j);
      ++found_.records;
    }
  }

  void add(Code code, std::size_t j) {
    FirstRecords::Column& column = found_.columns[j];
    column.codes.push_back(code);
    if (code == kMissing || seen_[j][code]) return;
    seen_[j][code] = true;
    ++column.distinct;
    bytes_ += dictionaries_[j].text(code).size();
  }

  FirstRecords found_;
  std::vector<Dictionary> dictionaries_;
  std::vector<std::vector<bool>> seen_;  // by column, then code
  std::size_t bytes_ = 0;
};

}  // namespace

Result<FirstRecords> FirstRecords::read(const Table& table, std::vector<std::size_t> wanted) {
  Reader reader(wanted.size());
  const Result<std::unique_ptr<TableSource>> source = table.read(std::move(wanted), Cells::kWanted);
  if (!source) return fail(source.error());
  return std::move(reader).run(**source);
}

}  // namespace semveil
