// Groups of records, and what can be learned from them.
#include <algorithm>

#include "report/plot.h"
#include "report/sections.h"

namespace semveil::report {
namespace {

std::uint64_t leaves_of(const std::vector<ClusterNode>& nodes) {
  return static_cast<std::uint64_t>(std::count_if(
      nodes.begin(), nodes.end(), [](const ClusterNode& node) { return node.left == node.right; }));
}

Html groups_table(const std::vector<ClusterNode>& nodes) {
  HtmlTable table({{"Group of", Align::kLeft}, {"Records"}});
  for (const ClusterNode& node : nodes) {
    if (node.left != node.right) continue;
    table.add(
        {node.label.empty() ? Html("records alike") : value(node.label), number(node.records)});
  }
  return table.html();
}

Html clustering(Context& context, const Clusters& clusters) {
  std::vector<ClusterNode> original = clusters.original;
  if (!context.is_steward()) {
    for (ClusterNode& node : original) node.label.clear();
  }
  Html intro;
  intro << "Records are joined, the closest in meaning first, in each table on its own: ";
  if (!original.empty()) {
    intro << number(leaves_of(original)) << " groups of the original, ";
  }
  intro << number(leaves_of(clusters.masked)) << " of the release. "
        << context.words.term("partition_distance") << ": <b>"
        << number(clusters.partition_distance) << "</b>. "
        << context.words.sentence("partition_distance");
  if (clusters.sampled > 0) {
    intro << " Found in a sample of " << number(clusters.sampled) << " records.";
  }
  const Html note = text(
      "Number of records and most frequent combination of each group; the "
      "farther left two groups meet, the more they differ.");
  Html out;
  out << paragraph(intro);
  if (original.empty() && !context.is_steward()) {
    out << paragraph(
        Html("<span class=\"soft\">Some group of the original is so small that it would tell of "
             "single people: they are not shown.</span>"));
  }
  out << "<div class=\"plots\">\n";
  if (!original.empty()) {
    out << figure("Groups of the original", tree_plot("Dendrogram of the original", original),
                  groups_table(original), note);
  }
  out << figure("Groups of the release", tree_plot("Dendrogram of the release", clusters.masked),
                groups_table(clusters.masked), note)
      << "</div>\n";
  return out;
}

}  // namespace

Html groups(Context& context) {
  Html out;
  if (context.audit.clusters) out << clustering(context, *context.audit.clusters);
  if (const std::optional<Downstream>& learned = context.audit.downstream) {
    Html line;
    line << context.words.term("downstream") << ": " << value(learned->target)
         << " is guessed right for " << text(percent(learned->masked)) << " of "
         << number(learned->tested) << " records by someone who learned from the release, for "
         << text(percent(learned->original))
         << " by someone who learned from the original, and for "
         << text(percent(learned->majority))
         << " by someone who always says the most frequent value.";
    out << paragraph(line);
  }
  return out;
}

}  // namespace semveil::report
