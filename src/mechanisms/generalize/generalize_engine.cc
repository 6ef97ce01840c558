#include "mechanisms/generalize/generalize_engine.h"

#include <fmt/format.h>

#include <memory>

#include "base/tuple_counter.h"
#include "mechanisms/generalize/generalize_parts.h"

namespace semveil {

GeneralizeOutcome outcome_of(const GeneralizeTask& task, const std::vector<Code>& cells,
                             std::vector<bool> suppressed) {
  const ClassTable& table = task.table;
  const std::size_t width = table.width();
  GeneralizeOutcome out;
  std::vector<std::uint64_t> units(width, 0);
  TupleCounter classes(width);
  for (std::size_t t = 0; t < table.size(); ++t) {
    const std::span<const Code> own = std::span(cells).subspan(t * width, width);
    if (suppressed[t]) out.suppressed_records += table.counts[t];
    if (!suppressed[t]) classes.add(own, table.counts[t]);
    for (std::size_t j = 0; j < width; ++j) {
      out.cells.push_back(suppressed[t] ? table.attributes[j]->missing_value()
                                        : task.hierarchies[j].concept_of(own[j]));
      if (!suppressed[t]) units[j] += table.counts[t] * task.losses[j].units(own[j]);
    }
  }
  if (task.options.loss == GeneralizeLoss::kDiscernibility) {
    out.loss = static_cast<double>(out.suppressed_records * task.records);
    for (std::size_t g = 0; g < classes.size(); ++g) {
      out.loss += static_cast<double>(classes.count(g) * classes.count(g));
    }
  } else {
    std::vector<double> means;
    for (std::size_t j = 0; j < width; ++j) {
      means.push_back(task.losses[j].mean(units[j], out.suppressed_records, task.records));
    }
    out.loss = table_loss(task.options.loss, means);
  }
  out.suppressed = std::move(suppressed);
  return out;
}

std::vector<bool> classes_met(const GeneralizeTask& task,
                              const std::vector<std::uint32_t>& class_of,
                              const std::vector<bool>& asked) {
  std::vector<bool> met(asked.size(), true);
  std::vector<SensitiveCounts> counts(asked.size());
  std::vector<bool> begun(asked.size(), false);
  for (std::size_t t = 0; t < class_of.size(); ++t) {
    const std::uint32_t c = class_of[t];
    if (!asked[c]) continue;
    if (begun[c]) {
      Demands::merge(task.demands->of(t), counts[c]);
    } else {
      counts[c] = task.demands->of(t);
      begun[c] = true;
    }
  }
  for (std::size_t c = 0; c < asked.size(); ++c) {
    if (begun[c]) met[c] = task.demands->met(counts[c]);
  }
  return met;
}

Result<GeneralizeOutcome> generalize_tuples(const ClassTable& table,
                                            const GeneralizeOptions& options) {
  GeneralizeTask task{.table = table,
                      .options = options,
                      .records = table.records(),
                      .limit = 0,
                      .hierarchies = {},
                      .losses = {},
                      .demands = nullptr};
  const bool cells = options.suppress == GeneralizeSuppress::kCells;
  const bool full_domain = options.scope == GeneralizeScope::kFullDomain;
  for (std::size_t j = 0; j < table.width(); ++j) {
    Result<Hierarchy> hierarchy =
        Hierarchy::of(*table.attributes[j], table.values[j],
                      full_domain || cells ? Hierarchy::By::kLevels : Hierarchy::By::kDepths);
    if (!hierarchy) return fail(std::move(hierarchy).error());
    task.losses.emplace_back(*hierarchy, options.loss);
    task.hierarchies.push_back(*std::move(hierarchy));
  }
  if (const std::uint64_t size = table.whole_size(); size < options.k) {
    return fail(Error{ErrorCode::kGuarantee,
                      fmt::format("there are {} {}, fewer than k = {}: k = {} is the most that "
                                  "can be had",
                                  size, table.counted_as(), options.k, size),
                      {},
                      {},
                      {}});
  }
  task.limit = suppression_limit(options.suppression, task.records);
  std::optional<Demands> demands;
  if (!table.sensitive.empty()) {
    demands.emplace(table);
    if (!demands->none()) task.demands = &*demands;
  }
  if (cells) return suppress_cells(task);
  return full_domain ? generalize_full_domain(task) : generalize_local(task);
}

}  // namespace semveil
