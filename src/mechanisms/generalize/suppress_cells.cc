// Local suppression as a way of generalising: columns on their levels, then cells are emptied
// (cell_suppression.h).
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

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

// By combination: whose records it has. `lifted`: the combination of each tuple.
PersonLists lifted_persons(const ClassTable& table, const std::vector<std::size_t>& lifted,
                           std::size_t combinations) {
  std::vector<std::uint64_t> pairs;
  for (std::size_t t = 0; t < table.size(); ++t) {
    for (const std::uint32_t person : table.persons.of(t)) {
      pairs.push_back(std::uint64_t{lifted[t]} << 32U | person);
    }
  }
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return PersonLists::from(pairs, combinations);
}

// Each value once, or each value of a person.
void join_equal(std::vector<CellValue>& values, bool tells_persons) {
  const auto key = [](const CellValue& value) { return std::tuple(value.place, value.person); };
  std::ranges::sort(values, {}, key);
  std::vector<CellValue> joined;
  for (const CellValue& value : values) {
    const bool is_new = joined.empty() || key(joined.back()) != key(value);
    if (is_new) {
      joined.push_back(value);
    } else if (!tells_persons) {
      joined.back().count += value.count;
    }
  }
  values = std::move(joined);
}

void take_values(const GeneralizeTask& task, const std::vector<std::size_t>& lifted,
                 CellTable& cells) {
  const std::vector<SensitiveColumn>& sensitive = task.table.sensitive;
  cells.demands = task.demands;
  cells.values.assign(cells.size(), std::vector<std::vector<CellValue>>(sensitive.size()));
  for (std::size_t i = 0; i < sensitive.size(); ++i) {
    const SensitiveColumn& column = sensitive[i];
    for (std::size_t t = 0; t < lifted.size(); ++t) {
      std::vector<CellValue>& values = cells.values[lifted[t]][i];
      for (std::size_t at = column.begin[t]; at < column.begin[t + 1]; ++at) {
        const auto [place, count] = column.counts[at];
        if (!column.persons.are_told()) {
          values.push_back({place, 0, count});
          continue;
        }
        for (const std::uint32_t person : column.persons.of(at)) values.push_back({place, person});
      }
    }
    for (auto& of_columns : cells.values) join_equal(of_columns[i], column.persons.are_told());
  }
}

Status check_demands(const GeneralizeTask& task, const CellTable& cells) {
  if (task.demands == nullptr) return {};
  if (task.options.empty_matches_all) {
    return fail(data_error(
        "suppress = \"cells\" with missing = \"wildcard\" forms no classes that could have what "
        "is demanded of sensitive columns"));
  }
  if (holds_together(cells)) return {};
  return fail(
      Error{ErrorCode::kGuarantee,
            "not even all records together have what is demanded: " + task.demands->unmeetable(),
            {},
            {},
            {}});
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
  std::vector<std::size_t> lifted;  // by tuple: its combination
  for (std::size_t t = 0; t < table.size(); ++t) {
    lifted.push_back(distinct.add(nodes_of(t), table.counts[t]));
  }

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
  if (table.persons.are_told()) {
    cells.persons = lifted_persons(table, lifted, distinct.size());
  }
  if (task.demands != nullptr) take_values(task, lifted, cells);
  if (const Status status = check_demands(task, cells); !status) return fail(status.error());
  const std::vector<ColumnSet> emptied =
      task.options.empty_matches_all ? suppress_as_wildcard(cells) : suppress_as_value(cells);

  GeneralizeOutcome out;
  out.levels = task.options.levels;
  out.levels->resize(width, 0);
  out.suppressed.assign(table.size(), false);
  for (std::size_t t = 0; t < table.size(); ++t) {
    const ColumnSet empty = emptied[lifted[t]];
    for (std::size_t j = 0; j < width; ++j) {
      const bool is_empty = (empty >> j & 1U) != 0;
      out.cells.push_back(is_empty ? table.attributes[j]->missing_value()
                                   : concept_at(j, nodes_of(t)[j]));
    }
  }
  return out;
}

}  // namespace semveil
