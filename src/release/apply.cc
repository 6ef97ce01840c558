// The second pass: reads batches, masks them, writes them in order, and counts what came out.
//
//   read (in order)    texts become concepts; texts that are new are mapped
//   work (any thread)  the plan masks the batch, the sink renders it
//   write (in order)   the batch is written, its tuples are counted
//
// Counts are integers, so the figures do not depend on threads either.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "base/csv.h"
#include "base/pipeline.h"
#include "release/model.h"
#include "release/survey.h"
#include "semveil/noise.h"

namespace semveil {
namespace {

// What a text of a masked column is replaced by if it means no concept.
enum class Instead : std::uint8_t { kConcept, kSuppressed, kGeneralized, kKept };

struct Job {
  std::unique_ptr<TableBatch> batch;
  std::vector<std::vector<ConceptId>> cells;  // by masked column: what the plan masks
  struct Exception {
    std::uint32_t row;
    Instead instead;
  };
  std::vector<std::vector<Exception>> exceptions;  // by masked column, ascending rows
};

struct Done {
  std::unique_ptr<TableBatch> batch;
  std::unique_ptr<RenderedBatch> rendered;
  std::vector<std::vector<Code>> released;  // by masked column, as counted (CountedColumn)
  std::string trace;
};

// Batches to mask into: each holds the tallies of what it was used for.
class MaskedBatches {
 public:
  std::unique_ptr<MaskedBatch> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<MaskedBatch>();
    auto batch = std::move(free_.back());
    free_.pop_back();
    return batch;
  }
  void give_back(std::unique_ptr<MaskedBatch> batch) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(batch));
  }
  std::vector<ColumnTally> total(std::size_t columns) const {
    std::vector<ColumnTally> sum(columns);
    for (const auto& batch : free_) {
      for (std::size_t j = 0; j < batch->tallies.size(); ++j) sum[j].add(batch->tallies[j]);
    }
    return sum;
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<MaskedBatch>> free_;
};

class Masker {
 public:
  Masker(const Model::Impl& model, const Table& table, const ApplyOptions& options)
      : model_(model), table_(table), options_(options) {
    if (options.survey != nullptr) survey_ = &options.survey->impl();
  }

  Result<PendingRelease> run() {
    if (const Status status = find_columns(); !status) return fail(status.error());
    if (const Status status = choose_release(); !status) return fail(status.error());
    if (const Status status = open_output(); !status) return fail(status.error());
    if (const Status status = pass(); !status) return fail(status.error());
    if (const Status status = sink_->finish(); !status) return fail(status.error());
    return PendingRelease(result(), std::move(sink_), std::move(trace_));
  }

 private:
  struct Masked {
    const ModelColumn* model = nullptr;
    std::size_t wanted = 0;           // place among the wanted columns
    std::vector<ConceptId> concepts;  // by code of the text
    std::size_t known = 0;            // texts of the survey
    // Counted for the description of the result.
    std::vector<std::uint64_t> kept_texts;  // by code
    std::uint64_t missing = 0;              // of the result
  };

  std::size_t want(std::size_t column) {
    const auto known = std::find(wanted_.begin(), wanted_.end(), column);
    if (known != wanted_.end()) return static_cast<std::size_t>(known - wanted_.begin());
    wanted_.push_back(column);
    return wanted_.size() - 1;
  }

  Status find_columns() {
    for (const ModelColumn& column : model_.columns) {
      const Result<std::size_t> at = table_.column(column.plan.name);
      if (!at) return fail(at.error());
      masked_.emplace_back();
      masked_.back().model = &column;
      masked_.back().wanted = want(*at);
    }
    for (const std::string& name : model_.drop_if_missing) {
      const Result<std::size_t> at = table_.column(name);
      if (!at) return fail(at.error());
      drop_if_missing_.push_back(want(*at));
    }
    if (!model_.draw_by.empty()) {
      const Result<std::size_t> at = table_.column(model_.draw_by);
      if (!at) return fail(at.error());
      person_column_ = *at;
    }
    if (survey_ != nullptr && options_.describe) {
      for (const std::size_t j : survey_->joined) want(survey_->columns[j].column);
    }
    dictionaries_.resize(wanted_.size());
    if (survey_ != nullptr) {  // the same texts get the same codes
      for (const SurveyColumn& column : survey_->columns) {
        const auto at = std::find(wanted_.begin(), wanted_.end(), column.column);
        if (at == wanted_.end()) continue;
        Dictionary& dictionary = dictionaries_[static_cast<std::size_t>(at - wanted_.begin())];
        for (Code code = 0; code < column.texts.size(); ++code) {
          dictionary.add(column.texts.text(code), column.texts.first_line(code));
        }
      }
    }
    for (Masked& masked : masked_) masked.known = dictionaries_[masked.wanted].size();
    return {};
  }

  // Errors must never be shared by two releases, so a table that the model was not fitted on needs
  // a name of its own.
  Status choose_release() {
    std::string release = options_.release.empty() ? model_.release : options_.release;
    constexpr std::uint64_t kMostRows = std::uint64_t{1} << 60U;  // row numbers must not wrap
    if (options_.first_row > kMostRows) {
      return fail(usage_error("--first-row is beyond any table: check the number"));
    }
    if (survey_ == nullptr && !model_.by_person && options_.release.empty()) {
      const Error needed = usage_error(
          "masking anything but the table the model was fitted on needs --release TEXT, a name "
          "that no other release of this model has: two releases must never share their errors");
      if (options_.flush || options_.first_row != 0) return fail(needed);
      const Result<std::string> digest = digest_of_table();
      if (!digest) return fail(digest.error());
      if (*digest != model_.digest) return fail(needed);
    }
    Result<std::shared_ptr<const Plan>> plan = model_.plan_for(release);
    if (!plan) return fail(plan.error());
    plan_ = *std::move(plan);
    release_ = std::move(release);
    return {};
  }

  Result<std::string> digest_of_table() {
    std::vector<std::size_t> joined;
    for (std::size_t k = 0; k < wanted_.size(); ++k) joined.push_back(k);
    TupleCounter tuples(wanted_.size());
    std::vector<CountedColumn> counted(wanted_.size());
    std::vector<OrderHash> orders(wanted_.size());
    std::uint64_t records = 0;
    Result<std::unique_ptr<TableSource>> source = table_.read(wanted_, Cells::kWanted);
    if (!source) return fail(source.error());
    for (;;) {
      Result<std::unique_ptr<TableBatch>> next = (*source)->next(dictionaries_);
      if (!next) return fail(next.error());
      if (*next == nullptr) break;
      std::vector<std::span<const Code>> columns((*next)->codes.begin(), (*next)->codes.end());
      if (wanted_.size() > 1) tuples.add_rows(columns);
      for (std::size_t k = 0; k < wanted_.size(); ++k) {
        counted[k].counts.resize(dictionaries_[k].size());
        orders[k].add(columns[k]);
        for (const Code code : columns[k]) {
          ++(code == kMissing ? counted[k].missing : counted[k].counts[code]);
        }
      }
      records += (*next)->rows;
    }
    std::vector<bool> drop(wanted_.size(), false);
    for (const std::size_t k : drop_if_missing_) drop[k] = true;
    std::vector<std::string> names;
    std::vector<std::string> digests;
    for (Masked& masked : masked_) {
      digests.push_back(orders[masked.wanted].digest());
      if (const Status status = map_new_texts(masked); !status) return fail(status.error());
      CountedColumn& column = counted[masked.wanted];
      column.name = masked.model->plan.name;
      column.attribute = masked.model->attribute;
      column.concepts = masked.concepts;
      names.push_back(column.name);
    }
    const Analysis analysis(std::move(counted), joined, tuples, records, drop);
    return table_digest(analysis.frequencies(names), digests, model_.mechanism, model_.parameters);
  }

  Status open_output() {
    Edits edits;
    std::vector<std::size_t> order(masked_.size());
    for (std::size_t j = 0; j < masked_.size(); ++j) order[j] = j;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return wanted_[masked_[a].wanted] < wanted_[masked_[b].wanted];
    });
    for (const std::size_t j : order) {
      edits.replace.push_back({wanted_[masked_[j].wanted], masked_[j].model->spelling->texts()});
    }
    replaced_ = order;
    edits.drops_rows = !drop_if_missing_.empty();
    edits.missing_text =
        model_.table.missing_values.empty() ? "" : model_.table.missing_values.front();
    const auto listed = [](const std::vector<std::string>& names, const std::string& name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    for (std::size_t at = 0; at < table_.columns().size(); ++at) {
      const std::string& name = table_.columns()[at];
      const bool declared = listed(model_.declared, name);
      if (!declared && model_.undeclared == UndeclaredRule::kError) {
        return fail(undeclared_error(table_.name(), name));
      }
      const bool drop =
          declared ? listed(model_.identifiers, name) : model_.undeclared == UndeclaredRule::kDrop;
      if (drop) {
        edits.drop.push_back(at);
        dropped_columns_.push_back(name);
      }
    }
    if (model_.shuffle) {
      if (options_.flush) {
        return fail(usage_error(
            "shuffle = true needs the whole table: a stream cannot be put in another order"));
      }
      const std::string first_row = std::to_string(options_.first_row);
      const std::array<std::string_view, 3> parts{model_.digest, release_, first_row};
      edits.shuffle = model_.key->derive("shuffle", parts);
    }
    Result<std::unique_ptr<TableSink>> sink = table_.write(options_.output, std::move(edits));
    if (!sink) return fail(sink.error());
    sink_ = *std::move(sink);
    if (!options_.trace.empty()) {
      constexpr unsigned kOwnerOnly = 0600;
      Result<PendingFile> trace = PendingFile::create(options_.trace, kOwnerOnly);
      if (!trace) return fail(trace.error());
      trace_.emplace(*std::move(trace));
      return trace_->append("row,column,value,error,reference,replacement,rule\n");
    }
    return {};
  }

  Status pass() {
    Result<std::unique_ptr<TableSource>> source = table_.read(wanted_);
    if (!source) return fail(source.error());
    if (counts_tuples()) tuples_ = TupleCounter(joined_width());
    auto read = [&]() { return next_job(**source); };
    auto work = [&](std::unique_ptr<Job> job) { return mask(std::move(job)); };
    auto write = [&](std::unique_ptr<Done> done) { return put(std::move(done)); };
    // One thread for a stream: a batch that is done would else wait until the next one was read.
    return run_pipeline(options_.flush ? 1 : options_.work.threads, read, work, write);
  }

  // ---- read

  Status map_new_texts(Masked& masked) {
    const Dictionary& texts = dictionaries_[masked.wanted];
    for (auto code = static_cast<Code>(masked.concepts.size()); code < texts.size(); ++code) {
      const std::string_view text = texts.text(code);
      if (survey_ != nullptr && code >= masked.known) {
        return fail(
            data_error("the table changed while it was read: mask it again").at(table_.name()));
      }
      const auto known = masked.model->texts.find(text);
      const ConceptId c =
          known != masked.model->texts.end() ? known->second.concept_id : masked.model->map(text);
      if (c == kMissing && masked.model->plan.column.unmapped == UnmappedRule::kError) {
        return fail(
            data_error("the value means no concept of the domain: correct it, or fit the model "
                       "with unmapped = \"suppress\", \"generalize\" or \"keep\"")
                .at({table_.name(), texts.first_line(code), masked.model->plan.name})
                .quoting(std::string(text)));
      }
      masked.concepts.push_back(c);
    }
    return {};
  }

  static Instead instead_of(UnmappedRule rule) {
    switch (rule) {
      case UnmappedRule::kGeneralize:
        return Instead::kGeneralized;
      case UnmappedRule::kKeep:
        return Instead::kKept;
      default:
        return Instead::kSuppressed;
    }
  }

  Result<std::unique_ptr<Job>> next_job(TableSource& source) {
    Result<std::unique_ptr<TableBatch>> next = source.next(dictionaries_);
    if (!next) return fail(next.error());
    if (*next == nullptr) return std::unique_ptr<Job>();
    auto job = std::make_unique<Job>();
    job->batch = *std::move(next);
    const TableBatch& batch = *job->batch;
    job->cells.resize(masked_.size());
    job->exceptions.resize(masked_.size());
    for (std::size_t j = 0; j < masked_.size(); ++j) {
      Masked& masked = masked_[j];
      if (const Status status = map_new_texts(masked); !status) return fail(status.error());
      const std::vector<Code>& codes = batch.codes[masked.wanted];
      std::vector<ConceptId>& cells = job->cells[j];
      cells.resize(batch.rows);
      for (std::size_t row = 0; row < batch.rows; ++row) {
        cells[row] = codes[row] == kMissing ? kMissing : masked.concepts[codes[row]];
        if (cells[row] == kMissing && codes[row] != kMissing) {
          job->exceptions[j].push_back(
              {static_cast<std::uint32_t>(row), instead_of(masked.model->plan.column.unmapped)});
        } else if (cells[row] == kMissing && model_.missing == MissingRule::kError) {
          return fail(data_error(fmt::format("the cell of record {} is missing: complete the table",
                                             batch.first_row + row + 1))
                          .at({table_.name(), 0, masked.model->plan.name}));
        }
      }
    }
    leave_out_incomplete(*job->batch);
    return job;
  }

  void leave_out_incomplete(TableBatch& batch) {
    for (const std::size_t k : drop_if_missing_) {
      for (std::size_t row = 0; row < batch.rows; ++row) {
        if (batch.codes[k][row] != kMissing) continue;
        if (batch.dropped.empty()) batch.dropped.resize(batch.rows, false);
        if (!batch.dropped[row]) ++dropped_records_;
        batch.dropped[row] = true;
      }
    }
  }

  // ---- work

  Result<std::unique_ptr<Done>> mask(std::unique_ptr<Job> job) {
    const TableBatch& batch = *job->batch;
    std::unique_ptr<MaskedBatch> out = batches_.take();
    const Status masked = mask_cells(*job, *out);
    auto done = std::make_unique<Done>();
    if (masked) {
      done->released = std::move(out->columns);
      if (out->traced) done->trace = trace_text(out->trace);
      const auto origins = static_cast<std::uint64_t>(
          std::count(out->single_origin.begin(), out->single_origin.end(), true));
      single_origin_.fetch_add(origins, std::memory_order_relaxed);
    }
    batches_.give_back(std::move(out));
    if (!masked) return fail(masked.error());

    // Back from concepts to codes of texts: what had no concept, and what was missing.
    std::vector<std::vector<Code>> written(masked_.size());
    for (std::size_t j = 0; j < masked_.size(); ++j) {
      std::vector<Code>& released = done->released[j];
      const std::vector<Code>& codes = batch.codes[masked_[j].wanted];
      const ConceptId kept = missing_value(*masked_[j].model->attribute->measure) + 1;
      written[j] = released;
      // Missing cells stay as they are, unless others become missing: these must look alike.
      const bool alike = masked_[j].model->attribute->missing_is_value ||
                         masked_[j].model->plan.column.unmapped == UnmappedRule::kSuppress;
      for (std::size_t row = 0; row < batch.rows && !alike; ++row) {
        if (written[j][row] == kMissing && codes[row] == kMissing) written[j][row] = kAsItWas;
      }
      for (const Job::Exception& exception : job->exceptions[j]) {
        switch (exception.instead) {
          case Instead::kGeneralized:
            written[j][exception.row] = released[exception.row] = Taxonomy::root();
            break;
          case Instead::kKept:
            written[j][exception.row] = kAsItWas;
            released[exception.row] = kept + codes[exception.row];
            break;
          default:
            break;  // suppressed: written as a missing cell
        }
      }
    }
    std::vector<std::span<const Code>> cells;
    for (const std::size_t j : replaced_) cells.emplace_back(written[j]);
    Result<std::unique_ptr<RenderedBatch>> rendered = sink_->render(batch, cells);
    if (!rendered) return fail(rendered.error());
    done->rendered = *std::move(rendered);
    done->batch = std::move(job->batch);
    for (std::size_t j = 0; j < masked_.size(); ++j) {
      for (const Job::Exception& exception : job->exceptions[j]) {
        instead_[j][static_cast<std::size_t>(exception.instead)].fetch_add(
            1, std::memory_order_relaxed);
      }
    }
    return done;
  }

  Status mask_cells(const Job& job, MaskedBatch& out) {
    const TableBatch& batch = *job.batch;
    RecordBatch in;
    in.first_row = options_.first_row + batch.first_row;
    in.rows = batch.rows;
    for (const std::vector<ConceptId>& cells : job.cells) in.columns.emplace_back(cells);
    std::vector<std::vector<ConceptId>> without;  // rows that are left out take no part
    if (!batch.dropped.empty()) {
      without = job.cells;
      for (std::size_t j = 0; j < without.size(); ++j) {
        for (std::size_t row = 0; row < batch.rows; ++row) {
          if (batch.dropped[row]) without[j][row] = kMissing;
        }
        in.columns[j] = without[j];
      }
    }
    if (plan_->needs_persons()) {
      const auto texts = batch.texts(person_column_);
      for (std::size_t row = 0; row < texts.size(); ++row) {
        const bool left_out = !batch.dropped.empty() && batch.dropped[row];
        if (!left_out && is_missing_person(texts[row])) {
          return fail(data_error(fmt::format("record {} has no person to draw by: complete the "
                                             "column, or leave draw_by out",
                                             batch.first_row + row + 1))
                          .at({table_.name(), 0, model_.draw_by}));
        }
        in.persons.push_back(texts[row].value_or(""));
      }
    }
    out.traced = trace_.has_value();
    out.counted = options_.describe;
    plan_->apply(in, out);
    return {};
  }

  bool is_missing_person(const std::optional<std::string_view>& text) const {
    const std::vector<std::string>& missing = model_.table.missing_values;
    return !text || text->empty() ||
           std::find(missing.begin(), missing.end(), *text) != missing.end();
  }

  std::string trace_text(const std::vector<TraceLine>& lines) const {
    std::string text;
    for (const TraceLine& line : lines) {
      const Attribute& attribute = *masked_[line.column].model->attribute;
      const auto id = [&](ConceptId c) {
        return attribute.taxonomy().is_virtual(c) ? "(top)" : csv_field(attribute.id(c));
      };
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{}\n", line.row,
                     csv_field(attribute.name), id(line.value), line.error,
                     line.reference ? id(*line.reference) : "", id(line.replacement),
                     to_string(line.rule));
    }
    return text;
  }

  // ---- write

  bool counts_tuples() const { return options_.describe && joined_width() > 1; }
  std::size_t joined_width() const {
    return survey_ != nullptr ? survey_->joined.size() : masked_.size();
  }

  // The masked column that stands at a place of the joined ones, if one does.
  std::optional<std::size_t> masked_at(std::size_t joined) const {
    if (survey_ == nullptr) return joined;
    for (std::size_t j = 0; j < masked_.size(); ++j) {
      if (wanted_[masked_[j].wanted] == survey_->columns[survey_->joined[joined]].column) return j;
    }
    return std::nullopt;
  }

  Status put(std::unique_ptr<Done> done) {
    if (const Status status = sink_->write(std::move(done->rendered)); !status) return status;
    if (options_.flush) {
      if (const Status status = sink_->flush(); !status) return status;
    }
    if (trace_) {
      if (const Status status = trace_->append(done->trace); !status) return status;
    }
    const TableBatch& batch = *done->batch;
    for (std::size_t j = 0; j < masked_.size(); ++j) count_released(batch, j, done->released[j]);
    if (counts_tuples()) count_tuples(batch, done->released);
    records_ += batch.rows;
    bytes_ += batch.bytes;
    if (options_.work.progress) options_.work.progress("masking", bytes_, table_.bytes());
    return {};
  }

  void count_released(const TableBatch& batch, std::size_t j, const std::vector<Code>& released) {
    Masked& masked = masked_[j];
    const ConceptId kept = missing_value(*masked.model->attribute->measure) + 1;
    masked.kept_texts.resize(dictionaries_[masked.wanted].size());
    for (std::size_t row = 0; row < batch.rows; ++row) {
      if (!batch.dropped.empty() && batch.dropped[row]) continue;
      if (released[row] == kMissing) {
        ++masked.missing;
      } else if (released[row] >= kept) {
        ++masked.kept_texts[released[row] - kept];
      }
    }
  }

  void count_tuples(const TableBatch& batch, const std::vector<std::vector<Code>>& released) {
    std::vector<std::span<const Code>> columns;
    for (std::size_t i = 0; i < joined_width(); ++i) {
      if (const auto j = masked_at(i)) {
        columns.emplace_back(released[*j]);
      } else {
        const std::size_t column = survey_->columns[survey_->joined[i]].column;
        const auto at = std::find(wanted_.begin(), wanted_.end(), column) - wanted_.begin();
        columns.emplace_back(batch.codes[static_cast<std::size_t>(at)]);
      }
    }
    if (batch.dropped.empty()) return tuples_.add_rows(columns);
    std::vector<Code> tuple(columns.size());
    for (std::size_t row = 0; row < batch.rows; ++row) {
      if (batch.dropped[row]) continue;
      for (std::size_t i = 0; i < columns.size(); ++i) tuple[i] = columns[i][row];
      tuples_.add(tuple);
    }
  }

  // ---- what came out

  CountedColumn counted(std::size_t j, const ColumnTally& tally) const {
    const Masked& masked = masked_[j];
    const Attribute& attribute = *masked.model->attribute;
    const std::size_t size = attribute.taxonomy().size();
    CountedColumn column;
    column.name = attribute.name;
    column.role = masked.model->plan.column.role;
    column.attribute = masked.model->attribute;
    column.counts = tally.released;
    column.counts.resize(size + 1);
    column.counts[size] = 0;  // missing ones are counted as such
    column.counts[Taxonomy::root()] += generalized(j);
    column.counts.insert(column.counts.end(), masked.kept_texts.begin(), masked.kept_texts.end());
    column.missing = masked.missing;
    column.concepts.resize(column.counts.size(), kMissing);
    for (ConceptId c = 0; c < size; ++c) {
      column.concepts[c] = attribute.taxonomy().is_virtual(c) ? kMissing : c;
    }
    return column;
  }

  std::uint64_t generalized(std::size_t j) const {
    return instead_[j][static_cast<std::size_t>(Instead::kGeneralized)].load();
  }

  Description describe_result(const std::vector<ColumnTally>& tallies) const {
    std::vector<CountedColumn> columns;
    std::vector<std::size_t> joined;
    if (survey_ != nullptr) {
      columns = counted_columns(*survey_);
      joined = survey_->joined;
      for (std::size_t i = 0; i < joined.size(); ++i) {
        if (const auto j = masked_at(i)) columns[joined[i]] = counted(*j, tallies[*j]);
      }
    } else {
      for (std::size_t j = 0; j < masked_.size(); ++j) {
        columns.push_back(counted(j, tallies[j]));
        joined.push_back(j);
      }
    }
    const Analysis analysis(std::move(columns), std::move(joined), tuples_,
                            records_ - dropped_records_);
    Description description = describe(analysis, model_.missing, options_.work);
    if (survey_ == nullptr && !model_.masks_every_quasi_identifier) {
      // Classes over some of the quasi-identifiers would look larger than they are.
      description.classes.reset();
      description.sensitive.clear();
    }
    return description;
  }

  MaskResult result() const {
    MaskResult out;
    out.records = records_;
    out.dropped_records = dropped_records_;
    out.dropped_columns = dropped_columns_;
    const std::vector<ColumnTally> tallies = batches_.total(masked_.size());
    for (std::size_t j = 0; j < masked_.size(); ++j) {
      const ColumnTally& tally = tallies[j];
      MaskedColumn& column = out.masked.emplace_back();
      column.name = masked_[j].model->plan.name;
      column.write = masked_[j].model->write;
      column.ambiguous = ambiguous_texts(column.name);
      column.cells = tally.cells;
      column.changed = tally.changed;
      column.missing = masked_[j].missing;
      column.rules = tally.rules;
      column.suppressed = instead_[j][static_cast<std::size_t>(Instead::kSuppressed)].load();
      column.generalized = generalized(j);
      column.kept = instead_[j][static_cast<std::size_t>(Instead::kKept)].load();
      if (tally.cells > 0) {
        const auto cells = static_cast<double>(tally.cells);
        column.rmse = std::sqrt(tally.squared_distances.value() / cells);
        column.mean_distance = tally.distances.value() / cells;
        if (const NoiseFit* fit = noise_fit(*plan_)) {
          column.target_rmse = std::sqrt(tally.squared_errors.value() / cells);
          column.mean_error = tally.errors.value() / cells;
          column.deviation = fit->columns[j].deviation;
        }
      }
      out.changed += tally.changed;
      out.truncated += truncated_cells(tally.rules);
    }
    if (options_.describe && plan_->knows_origins()) out.single_origin = single_origin_.load();
    list_unmasked(out);
    if (options_.describe) {
      out.after = describe_result(tallies);
      if (survey_ != nullptr) {
        const Analysis analysis(counted_columns(*survey_), survey_->joined, survey_->tuples,
                                survey_->records);
        out.before = describe(analysis, model_.missing, options_.work);
      }
    }
    return out;
  }

  std::uint64_t ambiguous_texts(const std::string& name) const {
    const SurveyColumn* column = survey_ != nullptr ? survey_->find(name) : nullptr;
    if (column == nullptr || !column->mapped) return 0;
    return static_cast<std::uint64_t>(std::ranges::count_if(
        column->mapped->values,
        [](const MappedValue& value) { return is_mapped(value.how) && value.senses.size() > 1; }));
  }

  void list_unmasked(MaskResult& out) const {
    for (std::size_t at = 0; at < table_.columns().size(); ++at) {
      const std::string& name = table_.columns()[at];
      const bool is_masked = std::any_of(masked_.begin(), masked_.end(),
                                         [&](const Masked& m) { return wanted_[m.wanted] == at; });
      const bool is_dropped = std::find(dropped_columns_.begin(), dropped_columns_.end(), name) !=
                              dropped_columns_.end();
      if (is_masked || is_dropped) continue;
      Survey::PassedThrough column{name, 0, 0};
      if (survey_ != nullptr) {
        for (const Survey::PassedThrough& other : survey_->others) {
          if (other.name == name) column = other;
        }
        if (const SurveyColumn* counted = survey_->find(name)) {
          column.sampled = survey_->records;
          column.distinct = counted->texts.size();
        }
      }
      out.unmasked.push_back(std::move(column));
    }
  }

  const Model::Impl& model_;
  const Table& table_;
  const ApplyOptions& options_;
  const Survey::Impl* survey_ = nullptr;

  std::vector<Masked> masked_;                // in the order of the model
  std::vector<std::size_t> replaced_;         // places in masked_, in the table's order
  std::vector<std::size_t> wanted_;           // columns of the table
  std::vector<std::size_t> drop_if_missing_;  // places in wanted_
  std::size_t person_column_ = 0;
  std::vector<Dictionary> dictionaries_;  // by place in wanted_
  std::shared_ptr<const Plan> plan_;
  std::string release_;
  std::unique_ptr<TableSink> sink_;
  std::optional<PendingFile> trace_;
  std::vector<std::string> dropped_columns_;

  MaskedBatches batches_;
  TupleCounter tuples_{0};
  std::uint64_t records_ = 0, dropped_records_ = 0, bytes_ = 0;
  std::atomic<std::uint64_t> single_origin_ = 0;
  std::vector<std::array<std::atomic<std::uint64_t>, 4>> instead_{model_.columns.size()};
};

}  // namespace

PendingRelease::PendingRelease(MaskResult result, std::unique_ptr<TableSink> sink,
                               std::optional<PendingFile> trace)
    : result_(std::move(result)), sink_(std::move(sink)), trace_(std::move(trace)) {}

Status PendingRelease::commit() {
  if (trace_) {
    if (const Status status = trace_->commit(); !status) return status;
  }
  return sink_->commit();
}

Result<PendingRelease> apply(const Model& model, const Table& table, const ApplyOptions& options) {
  return Masker(model.impl(), table, options).run();
}

}  // namespace semveil
