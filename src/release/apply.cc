// The second pass: reads batches, masks them, writes them in order, and counts what came out.
//
//   read (in order)    texts become concepts; texts that are new are mapped
//   work (any thread)  the plan masks the batch, the sink renders it
//   write (in order)   the batch is written, its tuples are counted
//
// Counts are integers, so the figures do not depend on threads either.
#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "base/pipeline.h"
#include "base/stop.h"
#include "release/batch.h"
#include "release/dealt_cells.h"
#include "release/finish.h"
#include "release/outcome.h"
#include "release/outcome_counter.h"
#include "release/recorded_rows.h"
#include "release/row_map.h"
#include "release/set_guard.h"
#include "release/shifted_days.h"
#include "release/table_rules.h"
#include "release/trace.h"
#include "release/written_columns.h"

namespace semveil {

namespace {

struct Done {
  ReleasedBatch released;
  std::unique_ptr<RenderedBatch> rendered;
  std::vector<std::string> traces;                // by step
  std::vector<std::vector<std::uint64_t>> slots;  // by step, then row: for the trace of a swap
};

// Batches to mask into, one for each step: each holds the tallies of what it was used for.
class MaskedBatches {
 public:
  using Steps = std::vector<MaskedBatch>;
  std::unique_ptr<Steps> take(std::size_t steps) {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<Steps>(steps);
    auto batch = std::move(free_.back());
    free_.pop_back();
    return batch;
  }
  void give_back(std::unique_ptr<Steps> batch) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(batch));
  }
  void add_to(const FittedSteps& plan, OutcomeCounts& counts) const {
    for (const auto& steps : free_) {
      for (std::size_t i = 0; i < steps->size(); ++i) {
        const MaskedBatch& batch = (*steps)[i];
        for (std::size_t j = 0; j < batch.tallies.size(); ++j) {
          counts.columns[plan.step(i).columns[j]].tally.add(batch.tallies[j]);
        }
        counts.steps[i].dealt += batch.dealt;
        counts.steps[i].dealt_slots += batch.dealt_slots;
        counts.steps[i].joint.add(batch.joint);
      }
    }
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Steps>> free_;
};

class Masker {
 public:
  Masker(const Model::Impl& model, const Table& table, const ApplyOptions& options)
      : model_(model), table_(table), options_(options) {
    if (options.survey != nullptr) survey_ = &options.survey->impl();
  }

  // One batch of a larger table, to memory.
  Result<OutcomePart> run_part(const BatchOptions& part) {
    part_ = &part;
    if (const Status status = begin(); !status) return fail(status.error());
    if (const Status status = pass(); !status) return fail(status.error());
    if (const Status status = sink_->finish(); !status) return fail(status.error());
    if (const Status status = sink_->commit(); !status) return fail(status.error());
    auto out = std::make_unique<OutcomePart::Impl>();
    out->counts = take_counts();
    out->counts.release = release_;
    out->counts.rows = RowRanges({part.first_row, part.first_row + out->counts.records});
    for (std::size_t j = 0; j < orders_.size(); ++j) {
      out->counts.columns[j].order = orders_[j].order;
    }
    take_texts(out->texts);
    return OutcomePart(std::move(out));
  }

  // The tuples of all records, as values are dealt out to them.
  Result<std::vector<TupleCounter>> count_tuples() {
    if (const Status status = find_columns(); !status) return fail(status.error());
    dealt_.emplace(model_, nullptr);
    Result<std::unique_ptr<TableSource>> source = table_.read(columns_.columns());
    if (!source) return fail(source.error());
    for (;;) {
      const Result<std::unique_ptr<Job>> job = next_job(**source);
      if (!job) return fail(job.error());
      if (*job == nullptr) return std::move(*dealt_).take();
    }
  }

  Result<PendingRelease> run() {
    if (const Status status = begin(); !status) return fail(status.error());
    if (!options_.trace.empty()) {
      Result<Traces> traces = Traces::open(options_.trace, model_, plan_, survey_ != nullptr);
      if (!traces) return fail(traces.error());
      traces_.emplace(*std::move(traces));
    }
    if (options_.keep_rows || !options_.row_map.empty()) rows_.emplace();
    if (const Status status = pass(); !status) return fail(status.error());
    const OutcomeCounts counts = take_counts();
    std::optional<bool> is_recorded;
    if (recorded_) {
      const Result<bool> checked = recorded_->check(counts.records);
      if (!checked) return fail(checked.error());
      is_recorded = *checked;
    }
    if (const Status status = verify_counts(model_, plan_, counts, table_.name()); !status) {
      return fail(status.error());
    }
    if (const Status status = sink_->finish(); !status) return fail(status.error());
    Outcome::How how{.describe = options_.describe, .recheck = options_.recheck, .reread = false};
    for (const SetGuard& guard : set_guards_) {
      const Result<bool> reread = guard.reread(*sink_, counts, options_.work);
      if (!reread)
        return fail(Error(reread.error()).at({options_.output, 0, reread.error().place.column}));
      how.reread = *reread;
    }
    MaskResult result = Outcome(model_, plan_, survey_, counts, how, options_.work).result();
    result.recorded = is_recorded;
    std::unique_ptr<Recording> recording = recorded_ ? std::move(*recorded_).take() : nullptr;
    PendingRelease release(std::move(result), std::move(sink_), std::move(recording));
    if (traces_) {
      Result<std::vector<PendingFile>> finished = std::move(*traces_).finish();
      if (!finished) return fail(finished.error());
      for (PendingFile& file : *finished) release.add(std::move(file));
    }
    if (rows_) {
      release.set_input_rows(std::move(*rows_).finish(shuffle_));
      if (!options_.row_map.empty()) {
        Result<PendingFile> rows = prepare_row_map(options_.row_map, release.input_rows());
        if (!rows) return fail(rows.error());
        release.add(*std::move(rows));
      }
    }
    return release;
  }

 private:
  Status begin() {
    // Before any cell is read: what draws would say so of the first.
    if (Status lacking = model_.check_key(released_as(), options_.model_file); !lacking) {
      return lacking;
    }
    if (const Status status = find_columns(); !status) return status;
    if (const Status status = choose_release(); !status) return status;
    const bool originals = survey_ == nullptr && options_.describe;  // of sets
    counter_.emplace(model_, plan_, columns_, table_.columns(),
                     OutcomeCounter::What{options_.describe, joined(), originals, secrets()});
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      if (plan_.step(i).sets) set_guards_.emplace_back(model_, plan_, i, columns_);
    }
    dealt_.emplace(model_, part_ != nullptr ? part_->before : nullptr);
    if (part_ != nullptr) {
      orders_ = orders_of(columns_, OrderedColumns::kMasked);
    } else {
      recorded_ = RecordedRows::of(model_, table_, options_, survey_, columns_, release_);
    }
    if (const Status status = find_recoded_texts(); !status) return status;
    shifted_ = ShiftedDays::of(columns_);
    if (part_ != nullptr && std::ranges::any_of(columns_.recoded(), &RecodedCells::draws)) {
      return fail(usage_error(
          "dates are shifted and pseudonyms given in whole tables: mask this one at once"));
    }
    if (recorded_) {
      if (const Status status = recorded_->begin(); !status) return status;
    }
    return open_output();
  }

  // What is described together: without a survey, what is masked.
  std::vector<std::string> joined() const {
    if (survey_ != nullptr) return options_.survey->described_columns();
    return part_ != nullptr && part_->described ? *part_->described : model_.masked_names();
  }

  // Without a survey: sensitive columns that come out as they are, or recoded. Only where classes
  // are told by what is masked, and of whole tables.
  std::vector<std::string> secrets() const {
    const bool tells_classes = model_.looks_up() && model_.masks_every_quasi_identifier;
    if (survey_ != nullptr || part_ != nullptr || !options_.describe || !tells_classes) return {};
    std::vector<std::string> out;
    for (const std::string& name : model_.sensitive) {
      if (model_.find(name) == nullptr && table_.column(name)) out.push_back(name);
    }
    return out;
  }

  OutcomeCounts take_counts() {
    OutcomeCounts counts = std::move(counter_->counts());
    counts.settle_persons();
    batches_.add_to(plan_, counts);
    for (std::size_t i = 0; i < recoded_.size(); ++i) {
      counts.recoded[i].changed = recoded_[i];
      const RecodedCells& column = columns_.recoded()[i];
      const Dictionary& texts = columns_.dictionaries()[column.place()];
      counts.recoded[i].numbers = ShiftedDays::numbers(column, texts);
    }
    if (shifted_) {
      counts.intervals = shifted_->figures(columns_, &persons_alone_by_intervals);
      counts.intervals_of_rows = shifted_->figures(columns_, &persons_alone_by_rows);
    }
    return counts;
  }

  // Those that the codes of the counts speak of.
  void take_texts(std::map<std::string, Dictionary>& texts) {
    const auto take = [&](const std::string& name, std::size_t place) {
      if (!texts.contains(name)) texts.emplace(name, std::move(columns_.dictionaries()[place]));
    };
    for (const ReadColumns::Masked& masked : columns_.masked()) {
      const ColumnSettings& plan = masked.model->plan.column;
      if (plan.unmapped == UnmappedRule::kKeep) take(masked.model->plan.name, masked.place);
    }
    for (const ReadColumns::Masked& column : columns_.demanded()) {
      take(column.model->plan.name, column.place);
    }
    if (columns_.counted_person()) take(model_.person, *columns_.counted_person());
    for (const std::string& name : joined()) {
      const Result<std::size_t> at = table_.column(name);
      const auto is_it = [&](const ReadColumns::Masked& m) { return m.model->plan.name == name; };
      if (at && std::ranges::none_of(columns_.masked(), is_it)) take(name, *columns_.place_of(*at));
    }
  }

  // What is recoded is written as texts, which a sink must know when it is opened: where no survey
  // tells them, the columns are read once more. Not of a stream, whose texts the sink gets as they
  // come.
  Status find_recoded_texts() {
    for (const RecodedCells& column : columns_.recoded()) {
      recoded_.emplace_back(column.recodings());
    }
    const bool all_are_known =
        survey_ != nullptr && std::ranges::none_of(columns_.recoded(), &RecodedCells::draws);
    if (model_.recoded.empty() || all_are_known || options_.flush) return {};
    const Result<std::unique_ptr<TableSource>> source =
        table_.read(columns_.columns(), Cells::kWanted);
    if (!source) return fail(source.error());
    for (;;) {
      check_stop();
      const Result<std::unique_ptr<TableBatch>> next = columns_.next(**source, table_.name());
      if (!next) return fail(next.error());
      if (*next == nullptr) return {};
    }
  }

  Status find_columns() {
    std::vector<std::string> described;
    if (options_.describe && (survey_ != nullptr || part_ != nullptr)) described = joined();
    for (std::string& name : secrets()) described.push_back(std::move(name));
    Result<ReadColumns> columns =
        ReadColumns::find(model_, table_, survey_, described, released_as());
    if (!columns) return fail(columns.error());
    columns_ = *std::move(columns);
    return {};
  }

  std::string released_as() const {
    return options_.release.empty() ? model_.release : options_.release;
  }

  Status choose_release() {
    constexpr std::uint64_t kMostRows = std::uint64_t{1} << 60U;  // row numbers must not wrap
    if (options_.first_row > kMostRows) {
      return fail(usage_error("the number of the first row is beyond any table: check it"));
    }
    release_ = released_as();
    Status allowed = part_ != nullptr
                         ? check_part(model_, release_, part_->fitted)
                         : check_table({model_, release_, table_, survey_, options_}, columns_);
    if (!allowed) return allowed;
    Result<FittedSteps> plan =
        part_ != nullptr ? model_.kept_fitted_for(release_) : model_.fitted_for(release_);
    if (!plan) return fail(plan.error());
    plan_ = *std::move(plan);
    return {};
  }

  Status open_output() {
    Result<WrittenColumns> written = WrittenColumns::find(model_, plan_, table_, columns_);
    if (!written) return fail(written.error());
    written_ = *std::move(written);
    Edits edits;
    edits.replace = written_.replacements(model_, plan_, columns_);
    edits.drops_rows = !columns_.drop_if_missing().empty();
    edits.missing_text = model_.missing_text();
    Result<std::vector<std::size_t>> dropped =
        dropped_columns(model_, table_.name(), table_.columns());
    if (!dropped) return fail(dropped.error());
    edits.drop = *std::move(dropped);
    if (model_.shuffle) {
      if (const Status status = choose_order(edits); !status) return status;
    }
    Result<std::unique_ptr<TableSink>> sink = options_.memory != nullptr
                                                  ? table_.write(*options_.memory, std::move(edits))
                                                  : table_.write(options_.output, std::move(edits));
    if (!sink) return fail(sink.error());
    sink_ = *std::move(sink);
    return {};
  }

  Status choose_order(Edits& edits) {
    if (options_.flush) {
      return fail(usage_error(
          "shuffle = true needs the whole table: a stream cannot be put in another order"));
    }
    const std::string first_row = std::to_string(options_.first_row);
    const std::array<std::string_view, 3> parts{model_.digest, release_, first_row};
    edits.shuffle = shuffle_ = model_.key->derive("shuffle", parts);
    return {};
  }

  Status pass() {
    Result<std::unique_ptr<TableSource>> source = table_.read(columns_.columns());
    if (!source) return fail(source.error());
    auto read = [&]() { return next_job(**source); };
    auto work = [&](std::unique_ptr<Job> job) { return mask(std::move(job)); };
    auto write = [&](std::unique_ptr<Done> done) { return put(std::move(done)); };
    // One thread for a stream: a batch that is done would else wait until the next one was read.
    return run_pipeline(options_.flush ? 1 : options_.work.threads, read, work, write);
  }

  // ---- read

  Result<std::unique_ptr<Job>> next_job(TableSource& source) {
    Result<std::unique_ptr<TableBatch>> next = columns_.next(source, table_.name());
    if (!next) return fail(next.error());
    if (*next == nullptr) return std::unique_ptr<Job>();
    if (const Status status = columns_.map_new_texts(table_.name()); !status) {
      return fail(status.error());
    }
    for (SetGuard& guard : set_guards_) {
      if (const Status status = guard.check_values(table_.name()); !status) {
        return fail(status.error());
      }
    }
    if (options_.flush) {  // one batch is read, masked and written before the next
      const Status told = written_.tell_new_texts(columns_, *sink_);
      if (!told) return fail(told.error());
    }
    auto job = std::make_unique<Job>();
    job->batch = *std::move(next);
    const std::uint64_t first_row = options_.first_row + job->batch->first_row;
    const BatchReader reader{model_, columns_, table_.name()};
    if (const Status status = reader.read(first_row, *job); !status) return fail(status.error());
    const Status persons =
        columns_.check_persons(*job->batch, first_row, {table_.name(), 0, model_.person});
    if (!persons) return fail(persons.error());
    add_orders(columns_, first_row, *job->batch, orders_);
    if (recorded_) recorded_->add(columns_, *job->batch);
    if (shifted_) shifted_->add(*job->batch, columns_);
    for (std::size_t i = 0; i < recoded_.size(); ++i) {
      columns_.recoded()[i].count_changed(job->batch->dropped, recoded_[i]);
    }
    dealt_->count(*job);
    return job;
  }

  // ---- work

  Result<std::unique_ptr<Done>> mask(std::unique_ptr<Job> job) {
    std::unique_ptr<MaskedBatches::Steps> out = batches_.take(plan_.size());
    auto done = std::make_unique<Done>();
    ReleasedBatch& released = done->released;
    const Status masked = mask_cells(*job, *out);
    std::vector<std::uint64_t> strangers(out->size());
    if (masked) join(*out, strangers, *done);
    batches_.give_back(std::move(out));
    if (!masked) return fail(masked.error());
    for (std::size_t i = 0; i < strangers.size(); ++i) {
      if (strangers[i] == 0) continue;
      return fail(plan_.step(i).looks_up() ? unknown_tuples(strangers[i])
                                           : not_the_fitted_table(table_.name()));
    }
    released.unmapped = std::move(job->unmapped);
    written_.empty_suppressed(plan_, released);
    if (!sink_->written()) {  // else it is read again
      for (const SetGuard& guard : set_guards_) {
        if (const Status status = guard.check(released); !status) return fail(status.error());
      }
    }
    Result<std::unique_ptr<RenderedBatch>> rendered =
        written_.render(model_, plan_, columns_, *job->batch, released, *sink_);
    if (!rendered) return fail(rendered.error());
    done->rendered = *std::move(rendered);
    released.batch = std::move(job->batch);
    return done;
  }

  // What all steps released, as one batch.
  void join(MaskedBatches::Steps& steps, std::vector<std::uint64_t>& strangers, Done& done) const {
    ReleasedBatch& released = done.released;
    released.values.resize(model_.columns.size());
    done.traces.resize(steps.size());
    done.slots.resize(steps.size());
    std::vector<bool> single_origin;
    const auto join_rows = [](const std::vector<bool>& rows, std::vector<bool>& all) {
      if (all.empty()) {
        all = rows;
        return;
      }
      for (std::size_t row = 0; row < rows.size(); ++row) all[row] = all[row] || rows[row];
    };
    for (std::size_t i = 0; i < steps.size(); ++i) {
      MaskedBatch& out = steps[i];
      const std::vector<std::size_t>& columns = plan_.step(i).columns;
      for (std::size_t j = 0; j < columns.size(); ++j) {
        released.values[columns[j]] = std::move(out.columns[j]);
      }
      out.columns.clear();
      if (!out.single_origin.empty()) join_rows(out.single_origin, single_origin);
      if (std::ranges::find(out.suppressed, true) != out.suppressed.end()) {
        join_rows(out.suppressed, released.suppressed);
      }
      if (out.traced) done.traces[i] = Trace::text(model_, plan_.step(i), out.trace);
      done.slots[i] = std::move(out.slots);
      strangers[i] = out.strangers;
    }
    released.single_origin = static_cast<std::uint64_t>(std::ranges::count(single_origin, true));
  }

  Status mask_cells(Job& job, MaskedBatches::Steps& out) const {
    const TableBatch& batch = *job.batch;
    std::vector<std::string_view> persons;
    if (plan_.needs_persons()) {
      const auto texts = batch.texts(*columns_.person());
      for (std::size_t row = 0; row < texts.size(); ++row) {
        const bool left_out = !batch.dropped.empty() && batch.dropped[row];
        if (!left_out && is_missing_person(texts[row])) {
          return fail(data_error(fmt::format("record {} has no person to draw by: complete the "
                                             "column, or leave draw_by out",
                                             options_.first_row + batch.first_row + row + 1))
                          .at({table_.name(), 0, model_.draw_by()}));
        }
        persons.push_back(texts[row].value_or(""));
      }
    }
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      RecordBatch in;
      in.first_row = options_.first_row + batch.first_row;
      in.rows = batch.rows;
      for (const std::size_t j : plan_.step(i).columns) in.columns.emplace_back(job.cells[j]);
      in.occurrences = std::move(job.occurrences[i]);
      if (plan_.plan(i).needs_persons()) in.persons = persons;
      out[i].traced = traces_ && traces_->has(i);
      out[i].counted = options_.describe;
      plan_.plan(i).apply(in, out[i]);
    }
    return {};
  }

  bool is_missing_person(const std::optional<std::string_view>& text) const {
    const std::vector<std::string>& missing = model_.table.missing_values;
    return !text || text->empty() ||
           std::find(missing.begin(), missing.end(), *text) != missing.end();
  }

  // ---- write

  Status put(std::unique_ptr<Done> done) {
    if (recorded_) {
      if (const Status reserved = recorded_->reserve(*done->released.batch); !reserved)
        return reserved;
    }
    if (const Status status = sink_->write(std::move(done->rendered)); !status) return status;
    if (options_.flush) {
      if (const Status status = sink_->flush(); !status) return status;
    }
    for (std::size_t i = 0; i < plan_.size() && traces_; ++i) {
      const std::uint64_t first_row = done->released.batch->first_row;
      const Status status = traces_->add(i, done->traces[i], first_row, done->slots[i]);
      if (!status) return status;
    }
    const TableBatch& batch = *done->released.batch;
    if (rows_) rows_->add(options_.first_row + batch.first_row, batch.rows, batch.dropped);
    counter_->add(done->released, options_.first_row + batch.first_row);
    bytes_ += batch.bytes;
    if (options_.work.progress) options_.work.progress("masking", bytes_, table_.bytes());
    return {};
  }

  Error unknown_tuples(std::uint64_t records) const {
    return {ErrorCode::kGuarantee,
            fmt::format("{} record{} values that no record of the fitted table had together: fit "
                        "it again on this table",
                        records, records == 1 ? " has" : "s, at least, have"),
            {.file = table_.name(), .line = 0, .column = {}},
            {},
            {}};
  }

  const Model::Impl& model_;
  const Table& table_;
  const ApplyOptions& options_;
  const Survey::Impl* survey_ = nullptr;
  const BatchOptions* part_ = nullptr;  // where the table is a batch of another one

  ReadColumns columns_;
  std::optional<OutcomeCounter> counter_;
  WrittenColumns written_;
  std::vector<SetGuard> set_guards_;  // of steps that release sets
  std::optional<DealtCells> dealt_;
  std::optional<ShiftedDays> shifted_;
  std::vector<std::vector<std::uint64_t>> recoded_;  // by recoded column, then recoding: changed
  FittedSteps plan_;
  std::string release_;
  std::unique_ptr<TableSink> sink_;
  std::optional<Traces> traces_;
  std::optional<RowMap> rows_;
  std::optional<Key> shuffle_;
  std::vector<ColumnOrder> orders_;         // of what was read; only of a part
  std::unique_ptr<RecordedRows> recorded_;  // null: nothing is recorded
  std::uint64_t bytes_ = 0;
  MaskedBatches batches_;
};

}  // namespace

PendingRelease::PendingRelease(MaskResult result, std::unique_ptr<TableSink> sink,
                               std::unique_ptr<Recording> recording)
    : result_(std::move(result)), sink_(std::move(sink)), recording_(std::move(recording)) {}
PendingRelease::~PendingRelease() = default;
PendingRelease::PendingRelease(PendingRelease&&) noexcept = default;

Status PendingRelease::commit(Sync sync) {
  const auto files = [&] { return sink_->commit(std::move(files_), sync); };
  return recording_ ? recording_->commit(sync, files) : files();
}

Result<PendingRelease> apply(const Model& model, const Table& table, const ApplyOptions& options) {
  return stoppable(options.work.stop, [&] { return Masker(model.impl(), table, options).run(); });
}

Result<OutcomePart> mask_part(const Model::Impl& model, const Table& table,
                              const ApplyOptions& options, const BatchOptions& part) {
  return Masker(model, table, options).run_part(part);
}

Result<std::vector<TupleCounter>> count_tuples(const Model::Impl& model, const Table& table) {
  const ApplyOptions options;
  return Masker(model, table, options).count_tuples();
}

}  // namespace semveil
