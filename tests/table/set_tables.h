// Tables written with sets in the place of cells, and what must come out, made by hand.
#pragma once

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "semveil/table.h"

namespace semveil::test {

inline const std::vector<std::string> kHostileTexts = {"plain",
                                                       "",
                                                       "comma, and; more|bars",
                                                       "\"quoted\"",
                                                       "it's",
                                                       "line\nend\r\nhere",
                                                       " blank before",
                                                       "blank behind\t",
                                                       "back\\slash",
                                                       "\x01\x1F\b\f",
                                                       "Ångström 🫀",
                                                       "[\"a\",\"b\"]",
                                                       std::string(300, 'x') + "\"",
                                                       "tab\tinside",
                                                       std::string(64, 'y'),
                                                       "\""};

using Row = std::vector<std::optional<std::string>>;  // nothing: missing

// What is done to a table.
struct SetWriting {
  Edits edits;
  std::vector<std::vector<Code>> codes;  // by place among the replaced columns, of all rows
  std::vector<bool> dropped;             // rows; empty: none
};

// Up to finish().
inline Result<std::unique_ptr<TableSink>> write_sets(const Table& table, const std::string& path,
                                                     const SetWriting& writing) {
  auto sink = table.write(path, writing.edits);
  if (!sink) return sink;
  auto source = table.read({});
  if (!source) return fail(source.error());
  for (;;) {
    auto batch = (*source)->next({});
    if (!batch) return fail(batch.error());
    if (!*batch) break;
    std::vector<std::span<const Code>> cells;
    for (std::size_t i = 0; i < writing.codes.size(); ++i) {
      const auto& set = writing.edits.replace[i].set;
      const std::size_t width = set ? set->width : 1;
      cells.push_back(
          std::span(writing.codes[i]).subspan((*batch)->first_row * width, (*batch)->rows * width));
    }
    if (!writing.dropped.empty()) {
      const auto first = writing.dropped.begin() + static_cast<std::ptrdiff_t>((*batch)->first_row);
      (*batch)->dropped.assign(first, first + static_cast<std::ptrdiff_t>((*batch)->rows));
    }
    auto rendered = (*sink)->render(**batch, cells);
    if (!rendered) return fail(rendered.error());
    if (Status put = (*sink)->write(std::move(*rendered)); !put) return fail(put.error());
  }
  if (Status done = (*sink)->finish(); !done) return fail(done.error());
  return sink;
}

inline std::string joined_by_hand(const std::vector<std::string>& set, const std::string& between) {
  std::string text;
  for (std::size_t i = 0; i < set.size(); ++i) text += (i > 0 ? between : "") + set[i];
  return text;
}

// The header, and the rows of texts that `rows` become.
inline std::vector<Row> sets_by_hand(const std::vector<std::string>& columns,
                                     const std::vector<Row>& rows, const SetWriting& writing) {
  std::vector<Row> out(1);
  for (std::size_t r = 0; r <= rows.size(); ++r) {
    if (r > 0 && !writing.dropped.empty() && writing.dropped[r - 1]) continue;
    if (r > 0) out.emplace_back();
    Row& line = out.back();
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto& drop = writing.edits.drop;
      if (std::find(drop.begin(), drop.end(), c) != drop.end()) continue;
      const auto& replace = writing.edits.replace;
      const auto edit = std::find_if(replace.begin(), replace.end(),
                                     [&](const auto& e) { return e.column == c; });
      const bool is_set = edit != replace.end() && edit->set;
      if (!is_set) {
        line.push_back(r == 0 ? columns[c] : rows[r - 1][c]);
        continue;
      }
      const SetForm& form = *edit->set;
      const bool in_columns = form.kind == SetForm::Kind::kColumns;
      if (r == 0) {
        if (!in_columns) line.emplace_back(columns[c]);
        for (std::size_t i = 1; i <= form.width && in_columns; ++i) {
          line.emplace_back(columns[c] + "_" + std::to_string(i));
        }
        continue;
      }
      const auto& codes = writing.codes[static_cast<std::size_t>(edit - replace.begin())];
      std::vector<std::string> set;
      for (std::size_t i = (r - 1) * form.width; i < r * form.width && codes[i] != kMissing; ++i) {
        set.emplace_back(edit->texts[codes[i]]);
      }
      if (set.empty()) {
        line.insert(line.end(), in_columns ? form.width : 1, std::nullopt);
      } else if (in_columns) {
        line.insert(line.end(), set.begin(), set.end());
      } else if (form.kind == SetForm::Kind::kJoined) {
        line.emplace_back(joined_by_hand(set, form.separator));
      } else {
        line.emplace_back(nlohmann::json(set).dump());
      }
    }
  }
  return out;
}

// `random` as test::Random.
template <class Random>
std::vector<Code> random_sets(Random& random, std::size_t rows, std::size_t width,
                              std::size_t known) {
  std::vector<Code> codes;
  for (std::size_t row = 0; row < rows; ++row) {
    const bool missing = random.one_in(5);
    for (std::size_t i = 0; i < width; ++i) {
      codes.push_back(missing ? kMissing : static_cast<Code>(random.below(known)));
    }
  }
  return codes;
}

// The header, and every row's texts.
inline Result<std::vector<Row>> read_rows(const Table& table) {
  std::vector<Row> out{{table.columns().begin(), table.columns().end()}};
  auto source = table.read({});
  if (!source) return fail(source.error());
  for (;;) {
    const auto batch = (*source)->next({});
    if (!batch) return fail(batch.error());
    if (!*batch) return out;
    const std::size_t first = out.size();
    out.resize(first + (*batch)->rows);
    for (std::size_t c = 0; c < table.columns().size(); ++c) {
      const auto texts = (*batch)->texts(c);
      for (std::size_t i = 0; i < texts.size(); ++i) {
        out[first + i].push_back(texts[i] ? std::optional(std::string(*texts[i])) : std::nullopt);
      }
    }
  }
}

// The rows that a sink wrote, before they have a name.
inline Result<std::vector<Row>> read_written(const TableSink& sink) {
  const auto written = sink.written();
  if (!written) return fail(system_error("what was written cannot be read"));
  TableOptions options;
  options.separator = written->separator;
  options.quote = written->quote;
  const auto table = Table::open(written->path, options);
  if (!table) return fail(table.error());
  return read_rows(*table);
}

}  // namespace semveil::test
