// Local suppression as a way of generalising: columns on their levels, then cells are emptied
// (cell_suppression.h).
#include <fmt/format.h>

#include "base/tuple_counter.h"
#include "mechanisms/generalize/cell_suppression.h"
#include "mechanisms/generalize/generalize_parts.h"

namespace semveil {
namespace {

Status check_levels(const GeneralizeTask& task) {
  const std::vector<unsigned>& levels = task.options.levels;
  for (std::size_t j = 0; j < levels.size(); ++j) {
    const unsigned most = std::max(1U, task.hierarchies[j].levels()) - 1;
    if (levels[j] <= most) continue;
    return fail(data_error(fmt::format("there is no level {}: the values have levels 0 to {}",
                                       levels[j], most))
                    .at(Place{.file = {}, .line = 0, .column = task.table.attributes[j]->name}));
  }
  if (task.table.width() > kMostSuppressedColumns) {
    return fail(data_error(fmt::format("suppress = \"cells\" takes {} columns at most: mask fewer",
                                       kMostSuppressedColumns)));
  }
  return {};
}

// On their levels: by tuple, then column, the node.
std::vector<Code> lifted_tuples(const GeneralizeTask& task) {
  const ClassTable& table = task.table;
  std::vector<Code> nodes;
  for (std::size_t i = 0; i < table.tuples.size(); ++i) {
    const std::size_t j = i % table.width();
    const unsigned level = task.options.levels.empty() ? 0 : task.options.levels[j];
    nodes.push_back(task.hierarchies[j].node(table.tuples[i], level));
  }
  return nodes;
}

}  // namespace

Result<GeneralizeOutcome> suppress_cells(const GeneralizeTask& task) {
  if (const Status status = check_levels(task); !status) return fail(status.error());
  const ClassTable& table = task.table;
  const std::size_t width = table.width();
  const std::vector<Code> nodes = lifted_tuples(task);
  const auto nodes_of = [&](std::size_t t) { return std::span(nodes).subspan(t * width, width); };
  const auto concept_at = [&](std::size_t j, Code node) {
    return task.hierarchies[j].concept_of(node);
  };
  TupleCounter distinct(width);
  for (std::size_t t = 0; t < table.size(); ++t) distinct.add(nodes_of(t), table.counts[t]);

  CellTable cells;
  cells.width = width;
  cells.k = task.options.k;
  cells.weights = task.options.weights;
  cells.weights.resize(width, 1);
  for (std::size_t u = 0; u < distinct.size(); ++u) {
    cells.counts.push_back(distinct.count(u));
    for (std::size_t j = 0; j < width; ++j) {
      const Code node = distinct.tuple(u)[j];
      const bool missing = concept_at(j, node) == table.attributes[j]->missing_value();
      cells.cells.push_back(missing ? kMissing : node);
    }
  }
  const std::vector<ColumnSet> emptied =
      task.options.empty_matches_all ? suppress_as_wildcard(cells) : suppress_as_value(cells);

  GeneralizeOutcome out;
  out.levels = task.options.levels;
  out.levels->resize(width, 0);
  out.suppressed.assign(table.size(), false);
  for (std::size_t t = 0; t < table.size(); ++t) {
    const ColumnSet empty = emptied[*distinct.find(nodes_of(t))];
    for (std::size_t j = 0; j < width; ++j) {
      const bool is_empty = (empty >> j & 1U) != 0;
      out.cells.push_back(is_empty ? table.attributes[j]->missing_value()
                                   : concept_at(j, nodes_of(t)[j]));
    }
  }
  return out;
}

}  // namespace semveil
