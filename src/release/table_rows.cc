#include "release/table_rows.h"

#include "base/stop.h"

namespace semveil {

void count_texts(TableRows& rows) {
  for (std::size_t t = 0; t < rows.tuples.size(); ++t) {
    for (std::size_t j = 0; j < rows.texts.size(); ++j) {
      const Code code = rows.tuples.tuple(t)[j];
      if (code != kMissing) rows.counts[j][code] += rows.tuples.count(t);
    }
  }
}

Result<TableRows> read_rows(const Table& table, std::span<const std::optional<std::size_t>> wanted,
                            std::span<const std::size_t> apart, const WorkProgress& progress) {
  std::vector<std::size_t> columns;
  for (const std::optional<std::size_t>& column : wanted) {
    if (column) columns.push_back(*column);
  }
  const std::size_t joined = columns.size();
  columns.insert(columns.end(), apart.begin(), apart.end());

  TableRows out;
  out.tuples = TupleCounter(wanted.size());
  out.apart.resize(apart.size());
  std::vector<Dictionary> dictionaries(columns.size());
  const Result<std::unique_ptr<TableSource>> source =
      table.read(std::move(columns), Cells::kWanted);
  if (!source) return fail(source.error());
  std::uint64_t bytes = 0;
  std::vector<Code> tuple(wanted.size());
  for (;;) {
    check_stop();
    const Result<std::unique_ptr<TableBatch>> next = (*source)->next(dictionaries);
    if (!next) return fail(next.error());
    if (*next == nullptr) break;
    const TableBatch& batch = **next;
    for (std::size_t row = 0; row < batch.rows; ++row) {
      std::size_t at = 0;
      for (std::size_t j = 0; j < wanted.size(); ++j) {
        tuple[j] = wanted[j] ? batch.codes[at++][row] : kMissing;
      }
      out.of.push_back(static_cast<std::uint32_t>(out.tuples.add(tuple)));
    }
    for (std::size_t k = 0; k < apart.size(); ++k) {
      const std::vector<Code>& codes = batch.codes[joined + k];
      out.apart[k].insert(out.apart[k].end(), codes.begin(), codes.end());
    }
    out.records += batch.rows;
    bytes += batch.bytes;
    if (progress) progress("reading", bytes, table.bytes());
  }

  std::size_t at = 0;
  for (const auto& column : wanted) {
    out.texts.push_back(column ? std::move(dictionaries[at++]) : Dictionary());
    out.counts.emplace_back(out.texts.back().size());
  }
  for (std::size_t k = 0; k < apart.size(); ++k) {
    out.apart_texts.push_back(std::move(dictionaries[joined + k]));
  }
  count_texts(out);
  return out;
}

}  // namespace semveil
