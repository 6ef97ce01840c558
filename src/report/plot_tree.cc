// Dendrograms.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/plot.h"

namespace semveil::report {
namespace {

constexpr double kRow = 20;
constexpr double kTreeTop = 16;
constexpr double kTreeLeft = 8;
constexpr double kLeaves = 170;  // where the heights end and the names begin

bool is_leaf(const ClusterNode& node) { return node.left == node.right; }

// Every inner node has two earlier ones, and each node but the last one parent.
bool is_tree(std::span<const ClusterNode> nodes) {
  std::vector<char> used(nodes.size(), 0);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (is_leaf(nodes[i])) continue;
    for (const std::uint32_t child : {nodes[i].left, nodes[i].right}) {
      if (child >= i || used[child] != 0) return false;
      used[child] = 1;
    }
  }
  return !nodes.empty() && std::count(used.begin(), used.end(), 0) == 1 && used.back() == 0;
}

}  // namespace

Html tree_plot(std::string_view title, std::span<const ClusterNode> nodes) {
  if (!is_tree(nodes)) return {};
  double most = 0;
  std::size_t leaves = 0;
  for (const ClusterNode& node : nodes) {
    if (is_leaf(node)) {
      ++leaves;
    } else if (std::isfinite(node.height)) {
      most = std::max(most, node.height);
    }
  }
  if (most <= 0) most = 1;
  Canvas canvas(kTreeTop + kRow * static_cast<double>(leaves) + 4, title);
  canvas.text(kTreeLeft, 10, digits(most), "t small");
  canvas.text(kLeaves, 10, "0", "t small", Anchor::kEnd);
  // Leaves in the order of the tree, so that no lines cross.
  std::vector<double> y(nodes.size(), 0);
  std::vector<std::uint32_t> open{static_cast<std::uint32_t>(nodes.size() - 1)};
  double next = kTreeTop + kRow / 2;
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    if (is_leaf(nodes[at])) {
      y[at] = next;
      next += kRow;
    } else {
      open.push_back(nodes[at].right);
      open.push_back(nodes[at].left);
    }
  }
  const auto x_of = [&](std::size_t at) {
    // Small joins would vanish at the end of the scale: heights are shown by their roots.
    if (is_leaf(nodes[at])) return kLeaves;
    return kLeaves - std::sqrt(std::max(nodes[at].height, 0.0) / most) * (kLeaves - kTreeLeft);
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (is_leaf(nodes[i])) {
      const std::string name = nodes[i].label.empty() ? "records alike" : nodes[i].label;
      canvas.text(kLeaves + 6, y[i] + 4, fmt::format("{} · {}", grouped(nodes[i].records), name),
                  "t small");
      continue;
    }
    const std::uint32_t left = nodes[i].left;
    const std::uint32_t right = nodes[i].right;
    y[i] = (y[left] + y[right]) / 2;
    canvas.line(x_of(i), y[left], x_of(i), y[right], "branch");
    canvas.line(x_of(i), y[left], x_of(left), y[left], "branch");
    canvas.line(x_of(i), y[right], x_of(right), y[right], "branch");
  }
  return canvas.html();
}

}  // namespace semveil::report
