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
#include "release/batch_cells.h"
#include "release/finish.h"
#include "release/outcome.h"
#include "release/outcome_counter.h"
#include "release/row_map.h"
#include "release/set_guard.h"
#include "release/table_rules.h"
#include "release/trace.h"
#include "semveil/classes.h"

namespace semveil {

namespace {

struct Done {
  ReleasedBatch released;
  std::unique_ptr<RenderedBatch> rendered;
  std::string trace;
  std::vector<std::uint64_t> slots;  // by row, for the trace of a swap
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
  JointTally joint() const {
    JointTally sum;
    for (const auto& batch : free_) sum.add(batch->joint);
    return sum;
  }
  void add_dealt(OutcomeCounts& counts) const {
    for (const auto& batch : free_) {
      counts.dealt += batch->dealt;
      counts.dealt_slots += batch->dealt_slots;
    }
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
    for (std::size_t j = 0; j < orders_.size(); ++j) out->counts.columns[j].order = orders_[j];
    take_texts(out->texts);
    return OutcomePart(std::move(out));
  }

  // The tuples of all records, as values are dealt out to them.
  Result<TupleCounter> count_tuples() {
    if (const Status status = find_columns(); !status) return fail(status.error());
    Result<std::unique_ptr<TableSource>> source = table_.read(columns_.columns());
    if (!source) return fail(source.error());
    for (;;) {
      const Result<std::unique_ptr<Job>> job = next_job(**source);
      if (!job) return fail(job.error());
      if (*job == nullptr) return std::move(occurred_);
    }
  }

  Result<PendingRelease> run() {
    if (const Status status = begin(); !status) return fail(status.error());
    if (!options_.trace.empty()) {
      Result<Trace> trace = Trace::open(options_.trace, model_, *plan_, survey_ != nullptr);
      if (!trace) return fail(trace.error());
      trace_.emplace(*std::move(trace));
    }
    if (options_.keep_rows || !options_.row_map.empty()) rows_.emplace();
    if (const Status status = pass(); !status) return fail(status.error());
    const OutcomeCounts counts = take_counts();
    if (const Status status = verify_counts(model_, *plan_, counts, table_.name()); !status) {
      return fail(status.error());
    }
    if (const Status status = sink_->finish(); !status) return fail(status.error());
    Outcome::How how{.describe = options_.describe, .recheck = options_.recheck, .reread = false};
    if (set_guard_) {
      const Result<bool> reread = set_guard_->reread(*sink_, counts, options_.work);
      if (!reread)
        return fail(Error(reread.error()).at({options_.output, 0, reread.error().place.column}));
      how.reread = *reread;
    }
    PendingRelease release(Outcome(model_, *plan_, survey_, counts, how, options_.work).result(),
                           std::move(sink_));
    if (trace_) {
      Result<PendingFile> finished = std::move(*trace_).finish();
      if (!finished) return fail(finished.error());
      release.add(*std::move(finished));
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
    if (const Status status = find_columns(); !status) return status;
    if (const Status status = choose_release(); !status) return status;
    const bool originals = model_.sets && survey_ == nullptr && options_.describe;
    counter_.emplace(model_, *plan_, columns_, table_.columns(),
                     OutcomeCounter::What{options_.describe, joined(), originals});
    if (model_.sets) set_guard_.emplace(model_, *plan_, columns_);
    if (part_ != nullptr) orders_.resize(model_.columns.size());
    return open_output();
  }

  // What is described together: without a survey, what is masked.
  std::vector<std::string> joined() const {
    if (survey_ != nullptr) return options_.survey->described_columns();
    return part_ != nullptr && part_->described ? *part_->described : model_.masked_names();
  }

  OutcomeCounts take_counts() {
    OutcomeCounts counts = std::move(counter_->counts());
    counts.settle_persons();
    const std::vector<ColumnTally> tallies = batches_.total(model_.columns.size());
    for (std::size_t j = 0; j < tallies.size(); ++j) counts.columns[j].tally = tallies[j];
    counts.joint = batches_.joint();
    batches_.add_dealt(counts);
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

  Status find_columns() {
    std::vector<std::string> described;
    if (options_.describe && (survey_ != nullptr || part_ != nullptr)) described = joined();
    Result<ReadColumns> columns = ReadColumns::find(model_, table_, survey_, described);
    if (!columns) return fail(columns.error());
    columns_ = *std::move(columns);
    return {};
  }

  Status choose_release() {
    constexpr std::uint64_t kMostRows = std::uint64_t{1} << 60U;  // row numbers must not wrap
    if (options_.first_row > kMostRows) {
      return fail(usage_error("the number of the first row is beyond any table: check it"));
    }
    release_ = options_.release.empty() ? model_.release : options_.release;
    Status allowed = part_ != nullptr
                         ? check_part(model_, release_, part_->fitted)
                         : check_table({model_, release_, table_, survey_, options_}, columns_);
    if (!allowed) return allowed;
    Result<std::shared_ptr<const FittedMethod>> plan =
        part_ != nullptr ? model_.kept_fitted_for(release_) : model_.fitted_for(release_);
    if (!plan) return fail(plan.error());
    plan_ = *std::move(plan);
    return {};
  }

  Status open_output() {
    Edits edits;
    for (std::size_t j = 0; j < model_.columns.size(); ++j) {
      replaced_.push_back({columns_.column_of(columns_.masked()[j]), j});
    }
    const ClassFit* const classes = class_fit(*plan_);
    if (classes != nullptr && classes->suppressed > 0) {
      std::vector<std::string> emptied = model_.quasi_identifiers;
      if (classes->suppresses_sensitive) {
        emptied.insert(emptied.end(), model_.sensitive.begin(), model_.sensitive.end());
      }
      for (const std::string& name : emptied) {
        const Result<std::size_t> at = table_.column(name);
        if (!at) return fail(at.error());
        const auto same = [&](const Replaced& other) { return other.column == *at; };
        if (std::ranges::none_of(replaced_, same)) replaced_.push_back({*at, std::nullopt});
      }
    }
    std::ranges::sort(replaced_, {}, &Replaced::column);
    for (const Replaced& replaced : replaced_) {
      edits.replace.push_back({replaced.column, {}});
      if (!replaced.masked) continue;
      const ModelColumn& column = *columns_.masked()[*replaced.masked].model;
      edits.replace.back().texts = column.spelling->texts();
      edits.replace.back().numbers = column.attribute->is_numeric();
      if (!model_.sets) continue;
      edits.replace.back().set = model_.sets;
      edits.replace.back().set->width = plan_->width(*replaced.masked);
    }
    edits.drops_rows = !columns_.drop_if_missing().empty();
    edits.missing_text = model_.missing_text();
    Result<std::vector<std::size_t>> dropped =
        dropped_columns(model_, table_.name(), table_.columns());
    if (!dropped) return fail(dropped.error());
    edits.drop = *std::move(dropped);
    if (model_.shuffle) {
      if (options_.flush) {
        return fail(usage_error(
            "shuffle = true needs the whole table: a stream cannot be put in another order"));
      }
      const std::string first_row = std::to_string(options_.first_row);
      const std::array<std::string_view, 3> parts{model_.digest, release_, first_row};
      edits.shuffle = shuffle_ = model_.key->derive("shuffle", parts);
    }
    Result<std::unique_ptr<TableSink>> sink = options_.memory != nullptr
                                                  ? table_.write(*options_.memory, std::move(edits))
                                                  : table_.write(options_.output, std::move(edits));
    if (!sink) return fail(sink.error());
    sink_ = *std::move(sink);
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
    Result<std::unique_ptr<TableBatch>> next = source.next(columns_.dictionaries());
    if (!next) return fail(next.error());
    if (*next == nullptr) return std::unique_ptr<Job>();
    if (const Status status = columns_.map_new_texts(table_.name()); !status) {
      return fail(status.error());
    }
    if (set_guard_) {
      if (const Status status = set_guard_->check_values(table_.name()); !status) {
        return fail(status.error());
      }
    }
    auto job = std::make_unique<Job>();
    job->batch = *std::move(next);
    const std::uint64_t first_row = options_.first_row + job->batch->first_row;
    const BatchReader reader{model_, columns_, table_.name()};
    if (const Status status = reader.read(first_row, *job); !status) return fail(status.error());
    const Status persons =
        columns_.check_persons(*job->batch, first_row, {table_.name(), 0, model_.person});
    if (!persons) return fail(persons.error());
    for (std::size_t j = 0; j < orders_.size(); ++j) {
      const std::size_t place = columns_.masked()[j].place;
      orders_[j].add(first_row, job->batch->codes[place], columns_.dictionaries()[place]);
    }
    if (model_.deals) count_occurrences(*job);
    return job;
  }

  // How many records with the same cells came before.
  void count_occurrences(Job& job) {
    std::vector<Code> tuple(job.cells.size());
    for (std::size_t row = 0; row < job.batch->rows; ++row) {
      for (std::size_t j = 0; j < tuple.size(); ++j) tuple[j] = job.cells[j][row];
      job.occurrences.push_back(occurred_.count(occurred_.add(tuple)) - 1 + before(tuple));
    }
  }

  // How many of them are in batches before this one. Occurrences of another model have none of
  // them.
  std::uint64_t before(std::span<const Code> tuple) const {
    if (part_ == nullptr || part_->before == nullptr) return 0;
    const std::optional<TupleCounter>& tuples = part_->before->impl().tuples;
    const bool fits = tuples && tuples->width() == tuple.size();
    const auto at = fits ? tuples->find(tuple) : std::nullopt;
    return at ? tuples->count(*at) : 0;
  }

  // ---- work

  Result<std::unique_ptr<Done>> mask(std::unique_ptr<Job> job) {
    std::unique_ptr<MaskedBatch> out = batches_.take();
    auto done = std::make_unique<Done>();
    ReleasedBatch& released = done->released;
    const Status masked = mask_cells(*job, *out);
    if (masked) {
      released.values = std::move(out->columns);
      released.single_origin = static_cast<std::uint64_t>(
          std::count(out->single_origin.begin(), out->single_origin.end(), true));
      if (out->traced) done->trace = Trace::text(model_, out->trace);
      done->slots = std::move(out->slots);
      if (std::find(out->suppressed.begin(), out->suppressed.end(), true) !=
          out->suppressed.end()) {
        released.suppressed = std::move(out->suppressed);
      }
    }
    const std::uint64_t strangers = out->strangers;
    batches_.give_back(std::move(out));
    if (!masked) return fail(masked.error());
    if (strangers > 0) {
      return fail(model_.looks_up ? unknown_tuples(strangers)
                                  : not_the_fitted_table(table_.name()));
    }
    released.unmapped = std::move(job->unmapped);
    if (set_guard_ && !sink_->written()) {  // else it is read again
      if (const Status status = set_guard_->check(released); !status) return fail(status.error());
    }
    std::vector<std::vector<Code>> written;
    for (std::size_t j = 0; j < model_.columns.size() && !model_.sets; ++j) {
      written.push_back(texts_to_write(model_, columns_.masked()[j], *job->batch, j, released));
    }
    const std::vector<Code> emptied = emptied_to_write(*job->batch, released);
    std::vector<std::span<const Code>> cells;
    for (const Replaced& replaced : replaced_) {
      cells.emplace_back(!replaced.masked ? emptied
                         : model_.sets    ? released.values[*replaced.masked]
                                          : written[*replaced.masked]);
    }
    Result<std::unique_ptr<RenderedBatch>> rendered = sink_->render(*job->batch, cells);
    if (!rendered) return fail(rendered.error());
    done->rendered = *std::move(rendered);
    released.batch = std::move(job->batch);
    return done;
  }

  Status mask_cells(Job& job, MaskedBatch& out) const {
    const TableBatch& batch = *job.batch;
    RecordBatch in;
    in.first_row = options_.first_row + batch.first_row;
    in.rows = batch.rows;
    for (const std::vector<ConceptId>& cells : job.cells) in.columns.emplace_back(cells);
    in.occurrences = std::move(job.occurrences);
    if (plan_->needs_persons()) {
      const auto texts = batch.texts(*columns_.person());
      for (std::size_t row = 0; row < texts.size(); ++row) {
        const bool left_out = !batch.dropped.empty() && batch.dropped[row];
        if (!left_out && is_missing_person(texts[row])) {
          return fail(data_error(fmt::format("record {} has no person to draw by: complete the "
                                             "column, or leave draw_by out",
                                             options_.first_row + batch.first_row + row + 1))
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

  // ---- write

  Status put(std::unique_ptr<Done> done) {
    if (const Status status = sink_->write(std::move(done->rendered)); !status) return status;
    if (options_.flush) {
      if (const Status status = sink_->flush(); !status) return status;
    }
    if (trace_) {
      if (const Status status = trace_->append(done->trace); !status) return status;
    }
    if (trace_) trace_->add_slots(done->released.batch->first_row, done->slots);
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
  struct Replaced {
    std::size_t column;                 // of the table
    std::optional<std::size_t> masked;  // else one that goes with suppressed records
  };
  std::vector<Replaced> replaced_;  // in the table's order
  std::optional<SetGuard> set_guard_;
  std::shared_ptr<const FittedMethod> plan_;
  std::string release_;
  std::unique_ptr<TableSink> sink_;
  std::optional<Trace> trace_;
  std::optional<RowMap> rows_;
  std::optional<Key> shuffle_;
  std::vector<OrderHash> orders_;  // of what was read, by masked column; only of a part
  std::uint64_t bytes_ = 0;
  MaskedBatches batches_;
  TupleCounter occurred_{model_.columns.size()};
};

}  // namespace

PendingRelease::PendingRelease(MaskResult result, std::unique_ptr<TableSink> sink)
    : result_(std::move(result)), sink_(std::move(sink)) {}

Status PendingRelease::commit() {
  check_stop();  // the last time: some of the files must not appear without the others
  const Unstoppable from_here_on;
  for (PendingFile& file : files_) {
    if (const Status status = file.commit(); !status) return status;
  }
  return sink_->commit();
}

Result<PendingRelease> apply(const Model& model, const Table& table, const ApplyOptions& options) {
  return stoppable(options.work.stop, [&] { return Masker(model.impl(), table, options).run(); });
}

Result<OutcomePart> mask_part(const Model::Impl& model, const Table& table,
                              const ApplyOptions& options, const BatchOptions& part) {
  return Masker(model, table, options).run_part(part);
}

Result<TupleCounter> count_tuples(const Model::Impl& model, const Table& table) {
  const ApplyOptions options;
  return Masker(model, table, options).count_tuples();
}

}  // namespace semveil
