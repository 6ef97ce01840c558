// What is known of a masked column only at the end is its type: a dictionary of all texts that are
// released, numbers that are all whole. So codes are kept, and arrays are made when a batch of the
// release is asked for.
#include "table/memory/memory_sink.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "table/memory/array_cells.h"
#include "table/memory/cell_copy.h"
#include "table/memory/date_cells.h"
#include "table/set_texts.h"
#include "table/shuffle.h"

namespace semveil {
namespace {

FieldType plain_texts(const std::string& name) {
  FieldType type;
  type.name = name;
  type.format = "u";
  type.flags = ARROW_FLAG_NULLABLE;
  type.layout = ArrayLayout::kBytes32;
  type.meaning = CellMeaning::kText;
  return type;
}

// Nothing but the name and how its cells lie.
FieldType bare(const FieldType& type, const std::string& name) {
  FieldType made;
  made.name = name;
  made.format = type.format;
  made.flags = ARROW_FLAG_NULLABLE;
  made.layout = type.layout;
  made.meaning = type.meaning;
  made.width = type.width;
  return made;
}

bool is_text_type(const FieldType& type) {
  return type.values().meaning == CellMeaning::kText ||
         type.values().meaning == CellMeaning::kBytes;
}

// `own`: null where the table is none in memory.
FieldType masked_texts(const FieldType* own, const std::string& name) {
  if (own == nullptr || !is_text_type(*own)) return plain_texts(name);
  FieldType made = bare(*own, name);
  if (own->is_dictionary()) made.dictionary.push_back(bare(own->dictionary.front(), ""));
  return made;
}

FieldType joined_texts(const FieldType* own, const std::string& name) {
  const bool keeps = own != nullptr && is_text_type(*own) && !own->is_dictionary() &&
                     own->layout != ArrayLayout::kViews;
  return keeps ? bare(*own, name) : plain_texts(name);
}

FieldType lists_of_texts(const std::string& name) {
  FieldType type;
  type.name = name;
  type.format = "+l";
  type.flags = ARROW_FLAG_NULLABLE;
  type.layout = ArrayLayout::kList32;
  type.children.push_back(plain_texts("item"));
  return type;
}

FieldType doubles(const std::string& name) {
  FieldType type;
  type.name = name;
  type.format = "g";
  type.flags = ARROW_FLAG_NULLABLE;
  type.layout = ArrayLayout::kFixed;
  type.meaning = CellMeaning::kFloat;
  type.width = sizeof(double);
  return type;
}

// ---- Numbers ------------------------------------------------------------------------------------

template <class Number>
std::optional<Number> parsed(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool fits(std::int64_t number, const FieldType& type) {
  if (type.meaning == CellMeaning::kUnsigned && number < 0) return false;
  if (type.width == 8) return true;
  const unsigned bits = static_cast<unsigned>(8 * type.width);
  const std::int64_t most =
      (std::int64_t{1} << (type.meaning == CellMeaning::kSigned ? bits - 1 : bits)) - 1;
  const std::int64_t least = type.meaning == CellMeaning::kSigned ? -most - 1 : 0;
  return number >= least && number <= most;
}

// A whole number in the bytes of the type; those of 64 bits without a sign may wrap.
std::optional<std::int64_t> whole_number(std::string_view text, const FieldType& type) {
  if (const auto number = parsed<std::int64_t>(text)) {
    return fits(*number, type) ? number : std::nullopt;
  }
  if (type.meaning == CellMeaning::kUnsigned && type.width == 8) {
    if (const auto large = parsed<std::uint64_t>(text)) return static_cast<std::int64_t>(*large);
  }
  constexpr double kExact = 9007199254740992.0;  // 2^53
  const auto number = parsed<double>(text);
  if (!number || std::trunc(*number) != *number || std::abs(*number) > kExact) return std::nullopt;
  const auto whole = static_cast<std::int64_t>(*number);
  return fits(whole, type) ? std::optional(whole) : std::nullopt;
}

// Chooses between integers of the column's type, doubles and, if a text is no number, texts.
void set_numbers(ReleasedColumn& column, const FieldType& own, ReleasedTexts& texts) {
  const FieldType& cells = own.values();
  const std::string name = column.type.name;
  if (cells.meaning == CellMeaning::kSigned || cells.meaning == CellMeaning::kUnsigned) {
    for (const std::string& text : texts.texts) {
      const auto number = whole_number(text, cells);
      if (!number) break;
      texts.integers.push_back(*number);
    }
    if (texts.integers.size() == texts.texts.size()) {
      column.type = bare(cells, name);
      return;
    }
    texts.integers.clear();
  }
  for (const std::string& text : texts.texts) {
    const auto number = parsed<double>(text);
    if (!number) {
      column.kind = ReleasedColumn::Kind::kTexts;
      column.type = plain_texts(name);
      return;
    }
    texts.doubles.push_back(*number);
  }
  column.type = doubles(name);
}

// Cells of the column's type or, if a text is none of its dates, texts.
void set_dates(ReleasedColumn& column, const FieldType& own, ReleasedTexts& texts) {
  const FieldType& cells = own.values();
  const std::string name = column.type.name;
  for (const std::string& text : texts.texts) {
    const auto cell = date_cell(text, cells);
    if (!cell) {
      texts.integers.clear();
      column.kind = ReleasedColumn::Kind::kTexts;
      column.type = plain_texts(name);
      return;
    }
    texts.integers.push_back(*cell);
  }
  column.type = bare(cells, name);
  column.type.per_second = cells.per_second;
  column.type.zone_name = cells.zone_name;
  column.type.zone = cells.zone;
}

// ---- Dictionaries -------------------------------------------------------------------------------

// An index that can count the values: that of the column, else the next wider one of its sign.
void widen_index(FieldType& type, std::size_t values) {
  const bool is_signed = type.meaning == CellMeaning::kSigned;
  const auto counts = [&] {
    return type.width == 8 || values <= std::size_t{1} << (8 * type.width - (is_signed ? 1 : 0));
  };
  while (!counts()) type.width *= 2;
  const std::string_view letters = is_signed ? "csil" : "CSIL";
  const std::size_t place = type.width == 1 ? 0 : type.width == 2 ? 1 : type.width == 4 ? 2 : 3;
  type.format = letters[place];
}

Status set_dictionary(ReleasedColumn& column, ReleasedTexts& texts) {
  widen_index(column.type, texts.texts.size());
  ReleasedColumn values;
  values.kind = ReleasedColumn::Kind::kTexts;
  values.type = column.type.dictionary.front();
  std::vector<Code> all(texts.texts.size());
  std::iota(all.begin(), all.end(), Code{0});
  Owned<ArrowArray> made;
  const Status status =
      give_masked(values, texts, all, static_cast<std::int64_t>(all.size()), made.get());
  if (status) texts.dictionary = share(std::move(made));
  return status;
}

void join(ReleasedTexts& texts) {
  std::string joined;
  for (const std::string& text : texts.texts) {
    texts.begins.push_back(static_cast<std::int64_t>(joined.size()));
    joined += text;
  }
  texts.joined = std::make_shared<const std::string>(std::move(joined));
}

// ---- The sink -----------------------------------------------------------------------------------

struct OwnText {  // a cell that stays as it was
  std::size_t row;
  std::string text;
};

class RenderedPiece final : public RenderedBatch {
 public:
  ReleasedPiece piece;
  std::vector<std::vector<OwnText>> own;  // by edit
};

class MemorySink final : public TableSink {
 public:
  MemorySink(MemoryOutput& output, const FieldType* records, Edits edits)
      : output_(output), records_(records), edits_(std::move(edits)), own_(edits_.replace.size()) {}

  void plan(const std::vector<std::string>& columns) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (std::binary_search(edits_.drop.begin(), edits_.drop.end(), c)) continue;
      const auto edit = std::find_if(edits_.replace.begin(), edits_.replace.end(),
                                     [&](const Edits::Replace& r) { return r.column == c; });
      if (edit == edits_.replace.end()) {
        plan_kept(columns[c], {.of_table = c, .edit = {}});
        continue;
      }
      const auto place = static_cast<std::size_t>(edit - edits_.replace.begin());
      if (records_ != nullptr && edit->texts.empty() && !edit->set) {
        plan_kept(columns[c], {.of_table = c, .edit = place});
      } else {
        plan_masked(columns[c], place);
      }
    }
  }

  Result<std::unique_ptr<RenderedBatch>> render(
      const TableBatch& batch, std::span<const std::span<const Code>> cells) const override {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < batch.rows; ++row) {
      if (batch.dropped.empty() || !batch.dropped[row]) rows.push_back(row);
    }
    auto rendered = std::make_unique<RenderedPiece>();
    rendered->piece.rows = static_cast<std::int64_t>(rows.size());
    for (std::size_t e = 0; e < edits_.replace.size(); ++e) {
      if (const Status status = render_codes(batch, e, cells[e], rows, *rendered); !status) {
        return fail(status.error());
      }
    }
    for (const KeptColumn& column : kept_) {
      Result<SharedCells> made = render_kept(
          batch, column, column.edit ? cells[*column.edit] : std::span<const Code>(), rows);
      if (!made) return fail(made.error());
      rendered->piece.kept.push_back(*std::move(made));
    }
    return rendered;
  }

  Status write(std::unique_ptr<RenderedBatch> rendered) override {
    auto& made = static_cast<RenderedPiece&>(*rendered);
    for (std::size_t e = 0; e < made.own.size(); ++e) {
      const auto first = static_cast<Code>(edits_.replace[e].texts.size());
      for (const OwnText& cell : made.own[e]) {
        made.piece.codes[e][cell.row] = first + own_[e].add(cell.text, 0);
      }
    }
    released_.pieces.push_back(std::move(made.piece));
    return {};
  }

  Status flush() override { return {}; }

  Status finish() override {
    for (std::size_t e = 0; e < edits_.replace.size(); ++e)
      released_.texts.push_back(sort_texts(e));
    if (edits_.shuffle) {
      if (Status status = shuffle(); !status) return status;
    }
    for (ReleasedColumn& column : released_.columns) {
      if (column.kind != ReleasedColumn::Kind::kKept) {
        ReleasedTexts& texts = released_.texts[column.source];
        const std::size_t of_table = edits_.replace[column.source].column;
        if (column.kind == ReleasedColumn::Kind::kNumbers) {
          const FieldType& own = records_->children[of_table];
          if (edits_.replace[column.source].dates) {
            set_dates(column, own, texts);
          } else {
            set_numbers(column, own, texts);
          }
        }
        const bool has_views = column.type.values().layout == ArrayLayout::kViews;
        if (has_views && texts.joined == nullptr) join(texts);
        if (column.type.is_dictionary()) {
          if (Status status = set_dictionary(column, texts); !status) return status;
        }
      }
      released_.type.children.push_back(column.type);
    }
    released_.type.format = "+s";
    released_.type.layout = ArrayLayout::kStruct;
    return {};
  }

  std::optional<Written> written() const override { return std::nullopt; }

  Status commit(std::vector<PendingFile> others, Sync sync) override {
    if (Status status = commit_together(std::move(others), sync); !status) return status;
    output_.impl().released = std::make_shared<const ReleasedRecords>(std::move(released_));
    return {};
  }

 private:
  struct KeptColumn {
    std::size_t of_table;
    std::optional<std::size_t> edit;  // that empties cells
  };

  void plan_kept(const std::string& name, const KeptColumn& kept) {
    ReleasedColumn column;
    column.type = records_ != nullptr ? records_->children[kept.of_table] : plain_texts(name);
    if (kept.edit) {
      column.type.flags |= ARROW_FLAG_NULLABLE;
      column.type.metadata.clear();
    }
    column.source = kept_.size();
    kept_.push_back(kept);
    released_.columns.push_back(std::move(column));
  }

  void plan_masked(const std::string& name, std::size_t place) {
    const Edits::Replace& edit = edits_.replace[place];
    const FieldType* const own = records_ != nullptr ? &records_->children[edit.column] : nullptr;
    ReleasedColumn column;
    column.kind = ReleasedColumn::Kind::kTexts;
    column.source = place;
    if (!edit.set) {
      column.type = masked_texts(own, name);
      const bool is_typed = own != nullptr && ((edit.numbers && own->is_number()) ||
                                               (edit.dates && holds_dates(*own)));
      if (is_typed) {
        column.kind = ReleasedColumn::Kind::kNumbers;
      }
      released_.columns.push_back(std::move(column));
      return;
    }
    column.width = edit.set->width;
    column.separator = edit.set->separator;
    if (edit.set->kind == SetForm::Kind::kColumns) {
      for (const std::string& released : released_names(name, edit)) {
        column.type = masked_texts(own, released);
        released_.columns.push_back(column);
        ++column.place_in_set;
      }
      return;
    }
    const bool lists = edit.set->kind == SetForm::Kind::kList;
    column.kind = lists ? ReleasedColumn::Kind::kList : ReleasedColumn::Kind::kJoined;
    column.type = lists ? lists_of_texts(name) : joined_texts(own, name);
    released_.columns.push_back(std::move(column));
  }

  Status render_codes(const TableBatch& batch, std::size_t e, std::span<const Code> codes,
                      const std::vector<std::size_t>& rows, RenderedPiece& out) const {
    const Edits::Replace& edit = edits_.replace[e];
    const std::size_t width = edit.set ? edit.set->width : 1;
    const Error unknown = system_error(
        "a cell was given a code that has no text; this is a fault of semveil: please report it");
    if (edit.set && !are_sets(codes, batch.rows, width, edit.texts.size())) return fail(unknown);
    std::vector<Code>& kept = out.piece.codes.emplace_back();
    std::vector<OwnText>& own = out.own.emplace_back();
    kept.reserve(rows.size() * width);
    std::vector<std::optional<std::string_view>> texts;
    for (const std::size_t row : rows) {
      for (std::size_t i = 0; i < width; ++i) {
        const Code code = codes[row * width + i];
        const bool is_known = code < edit.texts.size() || code == kMissing;
        if (!is_known && code != kAsItWas) return fail(unknown);
        kept.push_back(is_known ? code : kMissing);
        if (is_known) continue;
        if (texts.empty()) texts = batch.texts(edit.column);
        if (texts[row]) own.push_back({kept.size() - 1, std::string(*texts[row])});
      }
    }
    return {};
  }

  // `codes`: kMissing where a cell becomes a null; empty: none does.
  Result<SharedCells> render_kept(const TableBatch& batch, const KeptColumn& column,
                                  std::span<const Code> codes,
                                  const std::vector<std::size_t>& rows) const {
    Owned<ArrowArray> made;
    if (records_ == nullptr) {
      if (Status status = render_texts(batch, column, rows, made.get()); !status) {
        return fail(std::move(status.error()));
      }
      return SharedCells{share(std::move(made)), 0};
    }
    const auto* const records = dynamic_cast<const MemoryBatch*>(&batch);
    if (records == nullptr)
      return fail(system_error(
          "the batch is none of a table in memory; this is a fault of semveil: please report it"));
    SharedCells cells = records->column(column.of_table);
    // Where cells are emptied or records dropped, nothing may hold them: no dictionary, no buffer
    // that is shared with another batch.
    if (!column.edit && !edits_.drops_rows && rows.size() == batch.rows) return cells;
    CellCopy copy(records_->children[column.of_table]);
    for (const std::size_t row : rows) {
      if (column.edit && codes[row] == kMissing) {
        copy.add_null();
        continue;
      }
      const std::int64_t place = cells.first + static_cast<std::int64_t>(row);
      if (Status status = copy.add(*cells.array, place); !status) return fail(status.error());
    }
    if (Status status = copy.finish(made.get()); !status) return fail(std::move(status.error()));
    return SharedCells{share(std::move(made)), 0};
  }

  static Status render_texts(const TableBatch& batch, const KeptColumn& column,
                             const std::vector<std::size_t>& rows, ArrowArray* out) {
    const auto texts = batch.texts(column.of_table);
    ReleasedTexts all;
    std::vector<Code> codes;
    for (const std::size_t row : rows) {
      codes.push_back(texts[row] ? static_cast<Code>(all.texts.size()) : kMissing);
      if (texts[row]) all.texts.emplace_back(*texts[row]);
    }
    ReleasedColumn made;
    made.kind = ReleasedColumn::Kind::kTexts;
    made.type = plain_texts("");
    return give_masked(made, all, codes, static_cast<std::int64_t>(rows.size()), out);
  }

  // The texts of all released cells; their codes become places among these.
  ReleasedTexts sort_texts(std::size_t e) {
    const std::vector<std::string_view>& texts = edits_.replace[e].texts;
    std::vector<bool> used(texts.size() + own_[e].size(), false);
    for (const ReleasedPiece& piece : released_.pieces) {
      for (const Code code : piece.codes[e]) {
        if (code != kMissing) used[code] = true;
      }
    }
    const auto text_of = [&](Code code) {
      return code < texts.size() ? texts[code]
                                 : own_[e].text(code - static_cast<Code>(texts.size()));
    };
    std::vector<Code> order;
    for (Code code = 0; code < used.size(); ++code) {
      if (used[code]) order.push_back(code);
    }
    std::sort(order.begin(), order.end(), [&](Code a, Code b) { return text_of(a) < text_of(b); });
    ReleasedTexts released;
    std::vector<Code> places(used.size(), kMissing);
    for (const Code code : order) {
      const std::string_view text = text_of(code);
      if (released.texts.empty() || released.texts.back() != text)
        released.texts.emplace_back(text);
      places[code] = static_cast<Code>(released.texts.size() - 1);
    }
    for (ReleasedPiece& piece : released_.pieces) {
      for (Code& code : piece.codes[e]) {
        if (code != kMissing) code = places[code];
      }
    }
    return released;
  }

  struct PlacedRow {
    std::size_t piece;
    std::int64_t row;
  };

  // Where the rows of the release are now, in their new order.
  std::vector<PlacedRow> shuffled_rows() const {
    std::vector<PlacedRow> rows;
    for (std::size_t p = 0; p < released_.pieces.size(); ++p) {
      for (std::int64_t row = 0; row < released_.pieces[p].rows; ++row) rows.push_back({p, row});
    }
    const ShuffleOrder order(*edits_.shuffle);
    std::vector<std::vector<std::uint64_t>> parts(kShuffleParts);
    const std::vector<std::uint8_t> part_of = order.parts(0, rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) parts[part_of[i]].push_back(i);
    std::vector<PlacedRow> shuffled;
    shuffled.reserve(rows.size());
    for (const std::vector<std::uint64_t>& part : parts) {
      for (const std::uint32_t place : order.order(part)) shuffled.push_back(rows[part[place]]);
    }
    return shuffled;
  }

  Status shuffle() {
    constexpr std::size_t kRows = 65536;  // of a batch
    const std::vector<PlacedRow> rows = shuffled_rows();
    std::vector<ReleasedPiece> pieces;
    for (std::size_t first = 0; first < rows.size(); first += kRows) {
      const auto some = std::span(rows).subspan(first, std::min(kRows, rows.size() - first));
      ReleasedPiece& piece = pieces.emplace_back();
      piece.rows = static_cast<std::int64_t>(some.size());
      for (const ReleasedColumn& column : released_.columns) {
        if (column.kind != ReleasedColumn::Kind::kKept) continue;
        CellCopy copy(column.type);
        for (const PlacedRow& row : some) {
          const SharedCells& cells = released_.pieces[row.piece].kept[column.source];
          if (Status status = copy.add(*cells.array, cells.first + row.row); !status) {
            return status;
          }
        }
        Owned<ArrowArray> made;
        if (Status status = copy.finish(made.get()); !status) return status;
        piece.kept.push_back({share(std::move(made)), 0});
      }
      for (std::size_t e = 0; e < edits_.replace.size(); ++e) {
        const std::size_t width = edits_.replace[e].set ? edits_.replace[e].set->width : 1;
        std::vector<Code>& codes = piece.codes.emplace_back();
        for (const PlacedRow& row : some) {
          const std::vector<Code>& from = released_.pieces[row.piece].codes[e];
          const auto begin = from.begin() + row.row * static_cast<std::ptrdiff_t>(width);
          codes.insert(codes.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
        }
      }
    }
    released_.pieces = std::move(pieces);
    return {};
  }

  MemoryOutput& output_;
  const FieldType* records_;
  Edits edits_;
  std::vector<KeptColumn> kept_;
  std::vector<Dictionary> own_;  // by edit: texts of cells that stay as they were
  ReleasedRecords released_;
};

}  // namespace

Result<std::unique_ptr<TableSink>> write_to_memory(MemoryOutput& output, const FieldType* records,
                                                   const std::vector<std::string>& columns,
                                                   Edits edits) {
  auto sink = std::make_unique<MemorySink>(output, records, std::move(edits));
  sink->plan(columns);
  return sink;
}

}  // namespace semveil
