// CSV from the texts of any table, for tables that are not CSV or have another separator.
#include <algorithm>
#include <utility>

#include "base/csv.h"
#include "table/csv_output.h"
#include "table/table_impl.h"

namespace semveil {
namespace {

class TextSink final : public CsvSink {
 public:
  TextSink(PackedFile file, std::optional<CsvShuffle> shuffle, CsvDialect dialect,
           std::size_t width, const Edits& edits)
      : CsvSink(std::move(file), std::move(shuffle), dialect, edits) {
    for (std::size_t column = 0; column < width; ++column) {
      if (std::binary_search(edits.drop.begin(), edits.drop.end(), column)) continue;
      const auto replaced =
          std::find_if(edits.replace.begin(), edits.replace.end(),
                       [column](const Edits::Replace& r) { return r.column == column; });
      columns_.push_back(
          {column, replaced == edits.replace.end()
                       ? kNotReplaced
                       : static_cast<std::size_t>(replaced - edits.replace.begin())});
    }
  }

  Status put_header(const std::vector<std::string>& names, const Edits& edits) {
    std::string line;
    for (const Column& column : columns_) {
      const std::string& name = names[column.place];
      for (const std::string& released :
           column.replaced == kNotReplaced ? std::vector{name}
                                           : released_names(name, edits.replace[column.replaced])) {
        line += csv_field(released, dialect_) + dialect_.separator;
      }
    }
    line.back() = '\n';
    return put(line);
  }

  Result<std::unique_ptr<RenderedBatch>> render(
      const TableBatch& batch, std::span<const std::span<const Code>> cells) const override {
    if (Status checked = check(cells, batch.rows); !checked) return fail(checked.error());
    using Texts = std::vector<std::optional<std::string_view>>;
    std::vector<Texts> own(columns_.size());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::size_t replaced = columns_[i].replaced;
      const auto is_kept = [](Code code) { return code == kAsItWas; };
      if (replaced == kNotReplaced ||
          std::any_of(cells[replaced].begin(), cells[replaced].end(), is_kept)) {
        own[i] = batch.texts(columns_[i].place);
      }
    }
    auto rendered = std::make_unique<CsvRendered>();
    rendered->bytes = buffer();
    Growing<char>& out = *rendered->bytes;
    for (std::size_t row = 0; row < batch.rows; ++row) {
      if (!batch.dropped.empty() && batch.dropped[row]) continue;
      const std::size_t start = out.size();
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (i > 0) out.push_back(dialect_.separator);
        const std::size_t replaced = columns_[i].replaced;
        if (replaced != kNotReplaced && sets_[replaced] != nullptr) {
          append(out, *sets_[replaced], cells[replaced], row);
          continue;
        }
        const Code code = replaced == kNotReplaced ? kAsItWas : cells[replaced][row];
        if (code == kAsItWas) {
          append(out, csv_field(own[i][row].value_or(""), dialect_));
        } else {
          append(out, texts_[replaced][code]);
        }
      }
      if (out.size() == start) append(out, std::string(2, dialect_.quote));  // no empty line
      out.push_back('\n');
      if (shuffles()) rendered->row_ends.push_back(static_cast<std::uint32_t>(out.size()));
    }
    return rendered;
  }

 private:
  static constexpr std::size_t kNotReplaced = ~std::size_t{0};
  struct Column {
    std::size_t place;     // in the table
    std::size_t replaced;  // place among the replaced columns
  };

  static void append(Growing<char>& out, std::string_view text) {
    out.append(text.data(), text.size());
  }
  static void append(Growing<char>& out, const SetTexts& sets, std::span<const Code> codes,
                     std::size_t row) {
    sets.look_ahead(codes, row);
    out.make_room(sets.room());
    char* const end = sets.put(codes.data() + row * sets.width(), out.data() + out.size());
    out.set_size(static_cast<std::size_t>(end - out.data()));
  }

  std::vector<Column> columns_;  // those that are kept
};

}  // namespace

Result<std::unique_ptr<TableSink>> write_as_csv(const std::string& path, CsvDialect dialect,
                                                const std::vector<std::string>& columns,
                                                Edits edits, const TableOptions& options) {
  auto file = PackedFile::create(path);
  if (!file) return fail(file.error());
  std::optional<CsvShuffle> shuffle;
  if (edits.shuffle) shuffle.emplace(*edits.shuffle, options.temp_folder);
  auto sink = std::make_unique<TextSink>(std::move(*file), std::move(shuffle), dialect,
                                         columns.size(), edits);
  if (Status put = sink->put_header(columns, edits); !put) return fail(put.error());
  return sink;
}

}  // namespace semveil
