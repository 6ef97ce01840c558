// What was kept of the records: meaning, generality, what a classifier learns, groups.
#include <algorithm>

#include "audit/audit_parts.h"
#include "figures/clusters.h"
#include "figures/downstream.h"
#include "figures/utility.h"

namespace semveil {

// How general the quasi-identifiers of each table are. Without pairs nobody knows whether a missing
// cell was emptied.
void audit_generality(const AuditTask& task, Audit& out) {
  if (task.pair.quasi_identifiers.empty()) return;
  const auto own = [&](const Classes& all) {
    return own_generality(task.known_by(), task.classes_by(all));
  };
  const Generality before = own(task.pair.original);
  out.lm_original = before.lm;
  out.ncp_original = before.ncp;
  const bool misses_cells = std::ranges::any_of(task.pair.quasi_identifiers, [&](std::size_t j) {
    const ConceptId missing = task.attributes[j]->missing_value();
    const Classes& masked = task.pair.masked;
    for (std::size_t c = 0; c < masked.size(); ++c) {
      if (masked.tuple(c)[j] == missing) return true;
    }
    return false;
  });
  if (!task.is_paired() && misses_cells) return;
  const Generality after = task.is_paired()
                               ? generality(task.pair.pairs.over(task.pair.quasi_identifiers))
                               : own(task.pair.masked);
  out.lm = after.lm;
  out.ncp = after.ncp;
}

namespace {

// The mean over the quasi-identifiers and the columns that came out as sets.
std::optional<double> quality_of_all(const AuditTask& task, const Audit& out) {
  std::vector<std::size_t> single;
  for (const std::size_t j : task.pair.quasi_identifiers) {
    if (!task.pair.columns[j].is_set) single.push_back(j);
  }
  double sum = 0;
  std::size_t columns = single.size();
  if (!single.empty()) {
    sum = semantic_quality(task.pair.pairs.over(single)) * static_cast<double>(columns);
  }
  for (const SetPair& set : task.pair.sets) {
    const std::optional<double>& quality = out.columns[set.column].semantic_quality;
    if (!quality) continue;
    sum += *quality;
    ++columns;
  }
  if (columns == 0) return std::nullopt;
  return sum / static_cast<double>(columns);
}

}  // namespace

void audit_quality(const AuditTask& task, Audit& out) {
  out.semantic_quality = quality_of_all(task, out);
  if (task.pair.quasi_identifiers.empty()) return;
  if (task.target) {
    std::vector<std::size_t> evidence = task.pair.quasi_identifiers;
    std::erase(evidence, *task.target);
    if (!evidence.empty()) out.downstream = downstream(task.pair.pairs, *task.target, evidence);
  }
}

void audit_clusters(const AuditTask& task, Audit& out) {
  if (task.options.clusters == 0 || task.pair.quasi_identifiers.empty()) return;
  const Paired tuples = task.pair.pairs.over(task.pair.quasi_identifiers);
  ClusterTrees trees = cluster_trees(tuples, task.options.clusters, task.options.work.threads);
  const auto name = [&](std::vector<ClusterNode>& nodes,
                        const std::vector<std::vector<ConceptId>>& leaves) {
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      for (std::size_t i = 0; i < leaves[leaf].size(); ++i) {
        nodes[leaf].label +=
            (i == 0 ? "" : ", ") + task.pair.label(task.pair.quasi_identifiers[i], leaves[leaf][i]);
      }
    }
  };
  name(trees.clusters.original, trees.original);
  name(trees.clusters.masked, trees.masked);
  out.clusters = std::move(trees.clusters);
}

}  // namespace semveil
