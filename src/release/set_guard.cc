#include "release/set_guard.h"

#include <fmt/format.h>

#include <utility>

#include "base/stop.h"
#include "mechanisms/sets/set_column.h"
#include "release/known_texts.h"
#include "release/set_cells.h"

namespace semveil {
namespace {

// Whether no two values of a set have the same mark. Few marks are bits of a word, which need not
// wait for memory; of more, the set is kept that each was last seen in.
class SeenMarks {
 public:
  explicit SeenMarks(std::size_t marks) : seen_(marks > kBits ? marks : 0, 0) {}
  bool fit_a_word() const { return seen_.empty(); }
  static std::uint64_t bit(std::uint32_t mark) { return std::uint64_t{1} << mark; }

  void next_set() {
    ++set_;
    bits_ = 0;
  }
  bool is_new(std::uint32_t mark) {
    if (!fit_a_word()) return std::exchange(seen_[mark], set_) != set_;
    return (std::exchange(bits_, bits_ | bit(mark)) & bit(mark)) == 0;
  }

 private:
  static constexpr std::size_t kBits = 64;
  std::vector<std::uint64_t> seen_;
  std::uint64_t set_ = 0, bits_ = 0;
};

// What must differ within a set: the category, or the value itself.
std::uint32_t mark_of(const SetFit& fit, const SetColumn& column, ConceptId value) {
  if (value >= column.category.size()) return SetColumn::kNoCategory;
  const std::uint32_t category = column.category[value];
  return fit.by_category || category == SetColumn::kNoCategory ? category : value;
}

std::size_t marks(const SetFit& fit, const SetColumn& column) {
  return fit.by_category ? column.categories.list.size() : column.category.size();
}

// By frequency, what the fitted table did not have is drawn for nobody.
Error never_drawn(std::string_view value) {
  return {
      ErrorCode::kGuarantee,
      "the fitted table did not have the value: drawn by frequency it would stand in a set only "
      "where it is the true one; fit the model again, or with draw = \"uniform\"",
      {},
      std::string(value),
      {}};
}

Error broken(const std::string& column, std::string_view what) {
  return {ErrorCode::kGuarantee,
          fmt::format("what was to be released does not hold what was promised ({}): nothing is "
                      "released; please report this",
                      what),
          {.file = {}, .line = 0, .column = column},
          {},
          {}};
}

}  // namespace

SetGuard::SetGuard(const Model::Impl& model, const FittedSteps& plan, std::size_t step,
                   const ReadColumns& columns)
    : model_(&model),
      step_(&plan.step(step)),
      fit_(set_fit(plan.plan(step))),
      columns_(&columns),
      checked_(step_->columns.size(), 0) {}

Status SetGuard::check_values(const std::string& table) {
  for (std::size_t j = 0; j < checked_.size(); ++j) {
    const ReadColumns::Masked& masked = columns_->masked()[column(j)];
    const SetColumn& set = fit_->columns[j];
    for (; checked_[j] < masked.concepts.size(); ++checked_[j]) {
      const ConceptId value = masked.concepts[checked_[j]];
      if (value == kMissing) continue;
      const bool in_none = set.category[value] == SetColumn::kNoCategory;
      if (!in_none && !gives_itself_away(set, value)) continue;
      const Dictionary& texts = columns_->dictionaries()[masked.place];
      const auto code = static_cast<Code>(checked_[j]);
      Error error = in_none ? no_category_error(texts.text(code)) : never_drawn(texts.text(code));
      return fail(std::move(error).at({table, texts.first_line(code), masked.model->plan.name}));
    }
  }
  return {};
}

Status SetGuard::check(const ReleasedBatch& released) const {
  for (std::size_t j = 0; j < fit_->columns.size(); ++j) {
    const SetColumn& set = fit_->columns[j];
    const std::vector<Code>& values = released.values[column(j)];
    SeenMarks seen(marks(*fit_, set));
    for (std::size_t at = 0; at < values.size(); at += set.l) {
      if (values[at] == kMissing) continue;
      seen.next_set();
      for (std::size_t i = at; i < at + set.l; ++i) {
        const std::uint32_t mark = mark_of(*fit_, set, values[i]);
        if (mark == SetColumn::kNoCategory || !seen.is_new(mark)) {
          return fail(
              broken(model_->columns[column(j)].plan.name, "a drawn set has related values"));
        }
      }
    }
  }
  return {};
}

// One column of the written table.
class SetGuard::Written {
 public:
  Written(const SetFit& fit, const SetColumn& column, const ModelColumn& model, const SetForm& form,
          std::string_view missing_text)
      : name_(model.plan.name),
        l_(column.l),
        form_(form),
        cells_(form),
        missing_text_(missing_text),
        seen_(marks(fit, column)),
        known_(texts_of(fit, column, model)) {}

  Status find(const Table& table) {
    const bool apart = form_.kind == SetForm::Kind::kColumns;
    for (unsigned i = 0; i < (apart ? l_ : 1); ++i) {
      const auto at = table.column(apart ? fmt::format("{}_{}", name_, i + 1) : name_);
      if (!at) return fail(broken(name_, "its column is not there"));
      columns_.push_back(*at);
    }
    return {};
  }

  Status read(const TableBatch& batch) {
    Cells cells;
    for (const std::size_t column : columns_) cells.push_back(batch.texts(column));
    const bool joined = form_.kind == SetForm::Kind::kJoined && form_.separator.size() == 1;
    for (std::size_t row = 0; row < batch.rows; ++row) {
      const std::optional<std::string_view>& first = cells[0][row];
      if (!first || *first == missing_text_) {
        for (const auto& column : cells) {
          if (column[row] && *column[row] != missing_text_) {
            return fail(broken(name_, "a set is not complete"));
          }
        }
        ++missing_;
        continue;
      }
      seen_.next_set();
      const char* const fault = joined ? fault_of_joined(*first) : fault_of_row(cells, row);
      if (fault != nullptr) return fail(broken(name_, fault));
    }
    return {};
  }

  Status finish(std::uint64_t missing) const {
    return missing_ == missing ? Status() : fail(broken(name_, "empty cells were added or lost"));
  }

 private:
  using Cells = std::vector<std::vector<std::optional<std::string_view>>>;
  static constexpr const char* kSize = "a set has more or fewer values than l";
  static constexpr const char* kRelated = "a set has related values";

  static std::vector<std::pair<std::string_view, std::uint32_t>> texts_of(
      const SetFit& fit, const SetColumn& column, const ModelColumn& model) {
    std::vector<std::pair<std::string_view, std::uint32_t>> out;
    for (const Categories::Category& category : column.categories.list) {
      for (const ConceptId value : category.values) {
        out.emplace_back(model.spelling->texts()[value], mark_of(fit, column, value));
      }
    }
    return out;
  }

  // Null: none. The usual form, without taking the cell apart first: values are found as they are
  // looked up, and judged together.
  const char* fault_of_joined(std::string_view cell) {
    const char separator = form_.separator.front();
    const bool is_few = seen_.fit_a_word();
    std::uint64_t bits = 0, again = 0;  // of few marks: those seen, and those seen twice
    for (unsigned left = l_; left > 0; --left) {
      const ShortText ahead = ShortText::of(cell);
      std::size_t size = ahead.find(separator);
      std::uint32_t mark = KnownTexts::kUnknown;
      if (size < ShortText::kSize || cell.size() <= ShortText::kSize) [[likely]] {
        size = std::min(size, cell.size());
        mark = known_.find(ahead.cut(size), size);
      } else {
        size = std::min(cell.find(separator, ShortText::kSize), cell.size());
        mark = known_.find(cell.substr(0, size));
      }
      if ((size == cell.size()) != (left == 1)) return kSize;
      cell.remove_prefix(std::min(size + 1, cell.size()));
      if (is_few && mark != KnownTexts::kUnknown) [[likely]] {
        again |= bits & SeenMarks::bit(mark);
        bits |= SeenMarks::bit(mark);
      } else if (const char* const fault = fault_of_mark(mark)) {
        return fault;
      }
    }
    return again != 0 ? kRelated : nullptr;
  }

  const char* fault_of_row(const Cells& cells, std::size_t row) {
    if (form_.kind != SetForm::Kind::kColumns) {
      if (!cells_.split(*cells[0][row], set_)) return "a cell is no list";
    } else {
      set_.clear();
      for (const auto& column : cells) set_.push_back(column[row].value_or(""));
    }
    if (set_.size() != l_) return kSize;
    for (const std::string_view text : set_) {
      if (const char* const fault = fault_of_mark(known_.find(text))) return fault;
    }
    return nullptr;
  }

  const char* fault_of_mark(std::uint32_t mark) {
    if (mark == KnownTexts::kUnknown) return "a set has a value of no category";
    return seen_.is_new(mark) ? nullptr : kRelated;
  }

  std::string name_;
  unsigned l_;
  SetForm form_;
  SetCells cells_;
  std::string missing_text_;
  SeenMarks seen_;
  KnownTexts known_;
  std::vector<std::size_t> columns_;
  std::vector<std::string_view> set_;
  std::uint64_t missing_ = 0;
};

Result<bool> SetGuard::reread(const TableSink& sink, const OutcomeCounts& counts,
                              const WorkOptions& work) const {
  const std::optional<TableSink::Written> written = sink.written();
  if (!written) return false;
  TableOptions options = model_->table;
  options.separator = written->separator;
  options.quote = written->quote;
  const Result<Table> table = Table::open(written->path, options);
  if (!table) return fail(table.error());
  std::vector<Written> columns;
  for (std::size_t j = 0; j < fit_->columns.size(); ++j) {
    SetForm form = *step_->sets;
    form.width = fit_->columns[j].l;
    columns.emplace_back(*fit_, fit_->columns[j], model_->columns[column(j)], form,
                         model_->missing_text());
    if (const Status status = columns.back().find(*table); !status) return fail(status.error());
  }
  const Result<std::unique_ptr<TableSource>> source = table->read({});
  if (!source) return fail(source.error());
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  for (;;) {
    check_stop();
    const Result<std::unique_ptr<TableBatch>> batch = (*source)->next({});
    if (!batch) return fail(batch.error());
    if (*batch == nullptr) break;
    for (Written& column : columns) {
      if (const Status status = column.read(**batch); !status) return fail(status.error());
    }
    rows += (*batch)->rows;
    bytes += (*batch)->bytes;
    if (work.progress) work.progress("verifying", bytes, table->bytes());
  }
  if (rows != counts.released_records()) return fail(broken({}, "records were added or lost"));
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (const Status status = columns[j].finish(counts.columns[column(j)].missing); !status)
      return fail(status.error());
  }
  return true;
}

}  // namespace semveil
