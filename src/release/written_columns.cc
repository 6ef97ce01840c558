#include "release/written_columns.h"

#include <algorithm>

#include "release/model_column.h"
#include "semveil/classes.h"

namespace semveil {
namespace {

std::vector<std::string> emptied_columns(const Model::Impl& model, const FittedSteps& plan) {
  std::vector<std::string> emptied;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const ClassFit* const classes = class_fit(plan.plan(i));
    if (classes == nullptr || classes->suppressed == 0) continue;
    emptied.insert(emptied.end(), model.quasi_identifiers.begin(), model.quasi_identifiers.end());
    if (!classes->suppresses_sensitive) continue;
    emptied.insert(emptied.end(), model.sensitive.begin(), model.sensitive.end());
  }
  return emptied;
}

}  // namespace

Result<WrittenColumns> WrittenColumns::find(const Model::Impl& model, const FittedSteps& plan,
                                            const Table& table, const ReadColumns& columns) {
  WrittenColumns out;
  for (std::size_t j = 0; j < model.columns.size(); ++j) {
    out.add(columns.column_of(columns.masked()[j])).masked = j;
  }
  for (const RecodedCells& recoded : columns.recoded()) {
    out.add(columns.columns()[recoded.place()]).recoded = &recoded;
  }
  for (const std::string& name : emptied_columns(model, plan)) {
    const Result<std::size_t> at = table.column(name);
    if (!at) return fail(at.error());
    out.add(*at).is_emptied = true;
  }
  std::ranges::sort(out.columns_, {}, &Column::column);
  return out;
}

WrittenColumns::Column& WrittenColumns::add(std::size_t column) {
  const auto at = std::ranges::find(columns_, column, &Column::column);
  if (at != columns_.end()) return *at;
  columns_.emplace_back().column = column;
  return columns_.back();
}

std::vector<Edits::Replace> WrittenColumns::replacements(const Model::Impl& model,
                                                         const FittedSteps& plan,
                                                         const ReadColumns& columns) {
  std::vector<Edits::Replace> replacements;
  for (Column& column : columns_) {
    Edits::Replace& replace = replacements.emplace_back(Edits::Replace{column.column, {}});
    if (column.masked) {
      const ModelColumn& masked = *columns.masked()[*column.masked].model;
      replace.texts = masked.spelling->texts();
      replace.numbers = masked.attribute->is_numeric() && !masked.attribute->is_date();
      replace.dates = masked.attribute->is_date();
      replace.set = plan.step_of(*column.masked).sets;
      if (replace.set) replace.set->width = plan.width(*column.masked);
    }
    if (column.recoded == nullptr || replace.set) continue;
    column.own_texts = static_cast<Code>(replace.texts.size());
    const Dictionary& texts = columns.dictionaries()[column.recoded->place()];
    column.known_texts = texts.size();
    for (Code code = 0; code < texts.size(); ++code) replace.texts.push_back(texts.text(code));
    if (!column.masked) replace.numbers = model.find_recoded(column.recoded->name())->numbers;
  }
  return replacements;
}

Status WrittenColumns::tell_new_texts(const ReadColumns& columns, TableSink& sink) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    Column& column = columns_[i];
    if (!column.own_texts) continue;
    const Dictionary& texts = columns.dictionaries()[column.recoded->place()];
    std::vector<std::string_view> more;
    for (; column.known_texts < texts.size(); ++column.known_texts) {
      more.push_back(texts.text(static_cast<Code>(column.known_texts)));
    }
    if (more.empty()) continue;
    if (const Status status = sink.add_texts(i, more); !status) return status;
  }
  return {};
}

void WrittenColumns::empty_suppressed(const FittedSteps& plan, ReleasedBatch& released) const {
  if (released.suppressed.empty() || plan.size() == 1) return;
  for (const Column& column : columns_) {
    if (!column.masked || !column.is_emptied) continue;
    std::vector<Code>& values = released.values[*column.masked];
    const std::size_t width = plan.width(*column.masked);
    for (std::size_t row = 0; row < released.suppressed.size(); ++row) {
      if (!released.suppressed[row]) continue;
      std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(row * width), width, kMissing);
      std::erase_if(released.unmapped[*column.masked],
                    [&](const Unmapped& cell) { return cell.row == row; });
    }
  }
}

Result<std::unique_ptr<RenderedBatch>> WrittenColumns::render(
    const Model::Impl& model, const FittedSteps& plan, const ReadColumns& columns,
    const TableBatch& batch, ReleasedBatch& released, TableSink& sink) const {
  std::vector<std::vector<Code>> written(columns_.size());
  std::vector<std::span<const Code>> cells;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::optional<std::size_t> j = columns_[i].masked;
    const bool is_set = j && plan.is_set(*j);
    if (!is_set) written[i] = codes(columns_[i], model, columns, batch, released);
    cells.emplace_back(is_set ? released.values[*j] : written[i]);
  }
  return sink.render(batch, cells);
}

std::vector<Code> WrittenColumns::codes(const Column& column, const Model::Impl& model,
                                        const ReadColumns& columns, const TableBatch& batch,
                                        ReleasedBatch& released) {
  std::vector<Code> written;
  if (column.masked) {
    const std::size_t j = *column.masked;
    written = texts_to_write(model, columns.masked()[j], batch, j, released, column.own_texts);
  } else if (column.recoded != nullptr) {
    written = recoded_to_write(*column.recoded, batch);
  } else {
    return emptied_to_write(batch, released);
  }
  for (std::size_t row = 0; row < released.suppressed.size() && column.is_emptied; ++row) {
    if (released.suppressed[row]) written[row] = kMissing;
  }
  return written;
}

}  // namespace semveil
