// A value generalisation hierarchy as ARX keeps them: a CSV file without a header, one row for each
// value, then its generalisation on each level.
//
//   Bachelors;Undergraduate;Higher education;*
//   Some-college;Undergraduate;Higher education;*
//   Preschool;Primary School;Primary education;*
//
// A node is a level and a label. Where every row that holds a label repeats it on the next level,
// both are one node: in "?;?;*" the value ? lies directly below *. So repeated labels make no
// cycle, and links always lead to a higher level.
//
// The label is the node's id. Where several nodes have one label, the lowest keeps it and the
// others have their (lowest) level behind it, values being level 0:
//
//   A;B;*       ids "A", "B (level 1)", "*"
//   B;C;*       ids "B", "C", "*"
//
// Every row has the same number of columns, at least two. A value stands on one row (the same row
// again is counted as left out); nodes above the values may have several parents. Several labels in
// the last column are several roots. The separator is a semicolon where the first line holds one,
// else detected. Blanks around a label do not count.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/csv.h"
#include "base/text_hash.h"
#include "base/trimmed.h"
#include "ontology/hierarchies/vgh_levels.h"
#include "ontology/loaders.h"

namespace semveil {
namespace {

class VghParser {
 public:
  explicit VghParser(CsvReader reader) : reader_(std::move(reader)) {}

  Status read() {
    draft_.info.format = "vgh";
    for (;;) {
      const auto record = reader_.next();
      if (!record) return fail(record.error());
      const auto fields = *record;
      if (!fields) break;
      if (auto done = read_row(*fields); !done) return fail(done.error());
      if (draft_.is_full()) return fail(error(OntologyDraft::kFull));
    }
    if (nodes_.empty()) {
      return fail(data_error("no row in it: one row for each value was expected, value;…;*")
                      .at(reader_.name()));
    }
    join_levels();
    name_nodes();
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].same_as != n) continue;
      for (const std::uint32_t parent : nodes_[top_of(n)].parents) {
        draft_.add_link(nodes_[n].concept_index, concept_of(parent));
      }
    }
    leave_out(draft_.info, "repeated rows", repeated_);
    return {};
  }

  OntologyDraft draft() && { return std::move(draft_); }

  // Values go along their row. A node above the values is itself up to its own level; from there it
  // goes, of several nodes, to the one with the smallest id.
  VghLevels levels() const {
    VghLevels out;
    out.levels = static_cast<unsigned>(levels_.size());
    for (OntologyDraft::Index c = 0; c < draft_.concepts(); ++c) out.ids.emplace_back(draft_.id(c));
    out.of.resize(out.ids.size() * out.levels);
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].same_as != n) continue;
      const auto row = rows_.find(n);
      std::uint32_t at = n;
      for (std::uint32_t level = 0; level < out.levels; ++level) {
        if (row != rows_.end()) {
          at = row->second[level];
        } else if (level > nodes_[n].level) {
          at = smallest_parent(at);
        }
        out.of[nodes_[n].concept_index * out.levels + level] = concept_of(at);
      }
    }
    return out;
  }

 private:
  using Index = OntologyDraft::Index;
  struct Node {
    std::string_view label;  // a key of the level's map
    std::uint32_t level = 0;
    std::vector<std::uint32_t> parents;  // on the next level, each once
    std::uint32_t same_as = 0;           // the lowest node that is one with this
    std::uint64_t line = 0;              // of the first row
    Index concept_index = 0;
  };
  using Labels = std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>>;

  Error error(std::string message, std::string_view value = {}) const {
    return data_error(std::move(message))
        .at(reader_.name(), reader_.line())
        .quoting(std::string(value));
  }

  std::uint32_t node_of(std::uint32_t level, std::string_view label) {
    Labels& labels = levels_[level];
    if (const auto known = labels.find(label); known != labels.end()) return known->second;
    const auto n = static_cast<std::uint32_t>(nodes_.size());
    const auto place = labels.emplace(label, n).first;
    nodes_.push_back({place->first, level, {}, n, reader_.line(), 0});
    draft_.keep_beside(label.size() + OntologyDraft::kPerItem);
    return n;
  }

  Status read_row(std::span<const std::string_view> record) {
    if (record.size() < 2) {
      return fail(
          error(fmt::format("one column only: a value and its generalisations were expected "
                            "with '{}' between them, value;…;*",
                            reader_.dialect().separator)));
    }
    levels_.resize(record.size());  // every row is as wide as the first
    row_.clear();
    const std::size_t nodes_before = nodes_.size();
    for (std::uint32_t level = 0; level < record.size(); ++level) {
      const std::string_view label = trimmed(record[level]);
      if (label.empty()) {
        return fail(
            error(fmt::format("column {} is empty: every level needs a label, the last one "
                              "usually *",
                              level + 1)));
      }
      row_.push_back(node_of(level, label));
    }
    const std::uint32_t value = row_.front();
    if (value < nodes_before) return check_repeated(value);
    rows_.insert({value, row_});
    for (std::size_t i = 0; i + 1 < row_.size(); ++i) {
      if (links_.insert(std::uint64_t{row_[i]} << 32 | row_[i + 1]).second) {
        nodes_[row_[i]].parents.push_back(row_[i + 1]);
      }
    }
    return {};
  }

  Status check_repeated(std::uint32_t value) {
    if (rows_[value] != row_) {
      return fail(
          error(fmt::format("this value was generalised differently on line {}: keep one of "
                            "the rows",
                            nodes_[value].line),
                nodes_[value].label));
    }
    ++repeated_;
    return {};
  }

  // One node with the same label on the next level, if that is its only parent. Nodes come in no
  // order of levels, so from the lowest level up.
  void join_levels() {
    std::vector<std::uint32_t> by_level(nodes_.size());
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) by_level[n] = n;
    sort_by_level(by_level);
    for (const std::uint32_t n : by_level) {
      if (next_same(n) != n) nodes_[next_same(n)].same_as = nodes_[n].same_as;
    }
  }
  // By level, then as they came.
  void sort_by_level(std::vector<std::uint32_t>& list) const {
    std::sort(list.begin(), list.end(), [this](std::uint32_t a, std::uint32_t b) {
      return std::pair(nodes_[a].level, a) < std::pair(nodes_[b].level, b);
    });
  }
  std::uint32_t next_same(std::uint32_t n) const {
    const Node& node = nodes_[n];
    const bool joined = node.parents.size() == 1 && nodes_[node.parents[0]].label == node.label;
    return joined ? node.parents[0] : n;
  }
  std::uint32_t top_of(std::uint32_t n) const {
    while (next_same(n) != n) n = next_same(n);
    return n;
  }

  Index concept_of(std::uint32_t n) const { return nodes_[nodes_[n].same_as].concept_index; }
  std::uint32_t smallest_parent(std::uint32_t n) const {
    return *std::ranges::min_element(nodes_[n].parents, {}, [this](std::uint32_t parent) {
      return draft_.id(concept_of(parent));
    });
  }

  void name_nodes() {
    std::unordered_set<std::string> taken;
    for (const Labels& labels : levels_) {
      for (const auto& label : labels) taken.insert(label.first);
    }
    std::unordered_set<std::string_view> given;
    std::vector<std::uint32_t> lowest;  // of each node
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].same_as == n) lowest.push_back(n);
    }
    sort_by_level(lowest);
    for (const std::uint32_t n : lowest) {
      Node& node = nodes_[n];
      if (given.insert(node.label).second) {
        node.concept_index = draft_.add_concept(node.label);
      } else {
        // Some label may read like the id: then the level is said once more.
        std::string id(node.label);
        do {
          id += fmt::format(" (level {})", node.level);
        } while (!taken.insert(id).second);
        node.concept_index = draft_.add_concept(id);
      }
      draft_.add_term(node.concept_index, TermKind::kLabel, node.label);
    }
  }

  CsvReader reader_;
  OntologyDraft draft_;
  std::vector<Labels> levels_;
  std::vector<Node> nodes_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> rows_;  // by value
  std::unordered_set<std::uint64_t> links_;
  std::vector<std::uint32_t> row_;
  std::uint64_t repeated_ = 0;
};

constexpr CsvDialect kSemicolons{';', '"'};

Result<VghParser> parsed(std::string_view text, const std::string& name,
                         const std::optional<CsvDialect>& dialect) {
  auto reader = CsvReader::over(text, name, dialect);
  if (!reader) return fail(reader.error());
  VghParser parser(std::move(*reader));
  if (const Status done = parser.read(); !done) return fail(done.error());
  return parser;
}

Result<VghParser> parsed(std::string_view text, const std::string& name) {
  const bool has_one = text.substr(0, text.find('\n')).find(';') != std::string_view::npos;
  return parsed(text, name, has_one ? std::optional(kSemicolons) : std::nullopt);
}

}  // namespace

Result<OntologyDraft> parse_vgh(std::string_view text, const std::string& name) {
  auto parser = parsed(text, name);
  if (!parser) return fail(parser.error());
  return std::move(*parser).draft();
}

Result<OntologyDraft> load_vgh(const std::string& path) {
  const auto file = read_source_file(path, {".csv", ".tsv", ".txt"});
  if (!file) return fail(file.error());
  return parse_vgh(file->bytes.view(), file->name);
}

Result<VghLevels> parse_vgh_levels(std::string_view text, const std::string& name) {
  const auto parser = parsed(text, name);
  if (!parser) return fail(parser.error());
  return parser->levels();
}

Result<VghRows> parse_vgh_rows(std::string_view text, const std::string& name) {
  auto parser = parsed(text, name, kSemicolons);
  if (!parser) return fail(parser.error());
  VghLevels levels = parser->levels();
  return VghRows{std::move(*parser).draft(), std::move(levels)};
}

Result<VghLevels> load_vgh_levels(const std::string& path) {
  const auto file = read_source_file(path, {".csv", ".tsv", ".txt"});
  if (!file) return fail(file.error());
  return parse_vgh_levels(file->bytes.view(), file->name);
}

}  // namespace semveil
