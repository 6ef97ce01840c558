#include "release/trace.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/csv.h"
#include "semveil/swap.h"

namespace semveil {

Result<Trace> Trace::open(const std::string& path, const Model::Impl& model, const ModelStep& step,
                          const FittedMethod& plan, bool fresh) {
  const SwapFit* const swap = swap_fit(plan);
  const ClassFit* const classes = class_fit(plan);
  const bool kept = (swap == nullptr || swap->trace) && (classes == nullptr || classes->trace);
  if ((!kept && fresh) || step.sets) {
    return fail(usage_error(
        fmt::format("{} has no trace: leave the trace out; noise, swap, fuse and recode have one",
                    step.method)));
  }
  if (!kept) {
    return fail(usage_error(fmt::format(
        "a model does not hold the trace of {}: mask the table in one go to get a trace",
        swap != nullptr ? "its swaps" : "its fusions")));
  }
  constexpr unsigned kOwnerOnly = 0600;
  Result<PendingFile> file = PendingFile::create(path, kOwnerOnly);
  if (!file) return fail(file.error());
  Trace trace(*std::move(file), model, step, plan);
  if (const Status status = trace.write_head(); !status) return fail(status.error());
  return trace;
}

Status Trace::write_head() {
  if (const ClassFit* classes = class_fit(*plan_)) return write_steps(*classes->trace);
  return file_.append(swap_fit(*plan_) != nullptr
                          ? "step,column,row,partner,interval,distance\n"
                          : "row,column,value,error,reference,replacement,rule\n");
}

std::string Trace::text(const Model::Impl& model, const ModelStep& step,
                        const std::vector<TraceLine>& lines) {
  std::string text;
  for (const TraceLine& line : lines) {
    const ModelColumn& column = model.columns[step.columns[line.column]];
    const Attribute& attribute = *column.attribute;
    if (column.numbers_released) {
      fmt::format_to(std::back_inserter(text), "{},{},{},{},,{},{}\n", line.row,
                     csv_field(attribute.name), column.id(line.value), line.error,
                     column.numbers_released->id(line.replacement), to_string(line.rule));
      continue;
    }
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

// Of fuse and recode: tuples as JSON arrays of ids.
Status Trace::write_steps(const std::vector<FuseStep>& steps) {
  std::string lines = "step,size,partner_size,similarity,from,to\n";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const FuseStep& step = steps[i];
    const auto tuple = [&](const std::vector<ConceptId>& values) {
      nlohmann::json ids = nlohmann::json::array();
      for (std::size_t j = 0; j < values.size(); ++j) {
        ids.push_back(column(step.column + j).attribute->id(values[j]));
      }
      return csv_field(ids.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    };
    fmt::format_to(std::back_inserter(lines), "{},{},{},{},{},{}\n", i, step.size,
                   step.partner_size, step.similarity, tuple(step.from), tuple(step.to));
  }
  return file_.append(lines);
}

void Trace::add_slots(std::uint64_t first_row, const std::vector<std::uint64_t>& slots) {
  for (std::size_t row = 0; row < slots.size(); ++row) {
    if (slots[row] == MaskedBatch::kNoSlot) continue;
    row_of_slot_.resize(*plan_->deals());
    row_of_slot_[slots[row]] = first_row + row;
  }
}

Status Trace::write_swaps() {
  constexpr std::size_t kPiece = std::size_t{1} << 20U;
  std::string lines;
  for (const SwapStep& step : *swap_fit(*plan_)->trace) {
    fmt::format_to(std::back_inserter(lines), "{},{},{},{},{},{}\n", step.step,
                   csv_field(column(step.column).plan.name), row_of_slot_[step.slot],
                   step.partner ? std::to_string(row_of_slot_[*step.partner]) : "", step.interval,
                   step.distance);
    if (lines.size() < kPiece) continue;
    if (const Status status = file_.append(lines); !status) return status;
    lines.clear();
  }
  return file_.append(lines);
}

Result<PendingFile> Trace::finish() && {
  if (swap_fit(*plan_) != nullptr) {
    if (const Status status = write_swaps(); !status) return fail(status.error());
  }
  return std::move(file_);
}

namespace {

// Methods whose plans tell what happened. Others leave the file empty but for its head.
bool may_have_trace(const ModelStep& step, const FittedMethod& plan, bool fresh) {
  if (step.sets) return false;
  const SwapFit* const swap = swap_fit(plan);
  const ClassFit* const classes = class_fit(plan);
  const bool kept = (swap == nullptr || swap->trace) && (classes == nullptr || classes->trace);
  return kept || !fresh;
}

std::string numbered(const std::string& path, std::size_t number) {
  const std::filesystem::path whole(path);
  const std::string name =
      fmt::format("{}.{}{}", whole.stem().string(), number, whole.extension().string());
  return (whole.parent_path() / name).string();
}

}  // namespace

Result<Traces> Traces::open(const std::string& path, const Model::Impl& model,
                            const FittedSteps& plan, bool fresh) {
  Traces traces;
  traces.by_step_.resize(plan.size());
  if (plan.size() == 0) {
    return fail(usage_error(
        fmt::format("{} has no trace: leave the trace out; noise, swap, fuse and recode have one",
                    model.method())));
  }
  std::vector<std::size_t> traced;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (may_have_trace(plan.step(i), plan.plan(i), fresh)) traced.push_back(i);
  }
  if (traced.empty()) traced.push_back(0);  // says why there is none
  for (const std::size_t i : traced) {
    Result<Trace> trace = Trace::open(traced.size() > 1 ? numbered(path, i + 1) : path, model,
                                      plan.step(i), plan.plan(i), fresh);
    if (!trace) return fail(trace.error());
    traces.by_step_[i].emplace(*std::move(trace));
  }
  return traces;
}

Status Traces::add(std::size_t step, std::string_view text, std::uint64_t first_row,
                   const std::vector<std::uint64_t>& slots) {
  std::optional<Trace>& trace = by_step_[step];
  if (!trace) return {};
  if (const Status status = trace->append(text); !status) return status;
  trace->add_slots(first_row, slots);
  return {};
}

Result<std::vector<PendingFile>> Traces::finish() && {
  std::vector<PendingFile> files;
  for (std::optional<Trace>& trace : by_step_) {
    if (!trace) continue;
    Result<PendingFile> file = std::move(*trace).finish();
    if (!file) return fail(file.error());
    files.push_back(*std::move(file));
  }
  return files;
}

}  // namespace semveil
