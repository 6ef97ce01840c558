// A taxonomy as a table of links: a CSV file with a header and two or three columns.
//
//   child,parent,label
//   sport,,Sports          an empty parent declares a root
//   ski,sport,Skiing
//   ski,winter,            a further parent; `winter` is nowhere a child, so it is a root
//
// The text of a concept is its id; blanks around it do not count. It is labelled by the label that
// one of its own lines gives, else by its text. Repeated links count once. The first line is the
// header, whatever it says. The separator is detected.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/csv.h"
#include "base/text.h"
#include "base/text_hash.h"
#include "base/trimmed.h"
#include "ontology/loaders.h"

namespace semveil {
namespace {

class EdgesParser {
 public:
  explicit EdgesParser(CsvReader reader) : reader_(std::move(reader)) {}

  Result<OntologyDraft> parse() {
    draft_.info.format = "edges";
    bool header = true;
    for (;;) {
      const auto record = reader_.next();
      if (!record) return fail(record.error());
      const auto fields = *record;
      if (!fields) break;
      if (fields->size() < 2 || fields->size() > 3) {
        return fail(error(fmt::format("{} field{} where 2 or 3 were expected: child,parent[,label]",
                                      fields->size(), fields->size() == 1 ? "" : "s")));
      }
      if (auto done = header ? read_header(*fields) : read_link(*fields); !done) {
        return fail(done.error());
      }
      if (draft_.is_full()) return fail(error(OntologyDraft::kFull));
      header = false;
    }
    if (draft_.concepts() == 0) {
      return fail(data_error("no link in it: below a header, lines child,parent[,label] were "
                             "expected")
                      .at(reader_.name()));
    }
    for (Index c = 0; c < labels_.size(); ++c) {
      if (labels_[c].line != 0) draft_.add_term(c, TermKind::kLabel, labels_[c].text);
    }
    leave_out(draft_.info, "repeated links", repeated_);
    return std::move(draft_);
  }

 private:
  using Index = OntologyDraft::Index;
  struct Label {
    std::string text;
    std::uint64_t line = 0;  // 0: none given
  };

  Error error(std::string message, std::string_view value = {}) const {
    return data_error(std::move(message))
        .at(reader_.name(), reader_.line())
        .quoting(std::string(value));
  }

  Index concept_of(std::string_view text) {
    if (const auto known = concepts_.find(text); known != concepts_.end()) return known->second;
    const Index c = draft_.add_concept(text);
    concepts_.emplace(text, c);
    draft_.keep_beside(text.size() + OntologyDraft::kPerItem);
    labels_.emplace_back();
    return c;
  }

  // Which column is which: without their names a table with the parent first would be read upside
  // down, and one without a header would lose its first link.
  Status read_header(std::span<const std::string_view> record) {
    for (std::size_t i = 0; i < record.size(); ++i) {
      const std::string name = normalise(record[i]);
      if (name == "child") child_ = i;
      if (name == "parent") parent_ = i;
    }
    if (child_ == kNone || parent_ == kNone) {
      return fail(error("expected a header line child,parent[,label]: name the columns so"));
    }
    label_ = 3 - child_ - parent_;  // what is left of 0, 1, 2
    return {};
  }

  Status read_link(std::span<const std::string_view> record) {
    const auto field = [&](std::size_t column) {
      return column < record.size() ? trimmed(record[column]) : std::string_view();
    };
    if (std::max(child_, parent_) >= record.size()) {
      return fail(error("the line is too short: child and parent were expected"));
    }
    const std::string_view child = field(child_);
    const std::string_view parent = field(parent_);
    const std::string_view label = field(label_);
    if (child.empty()) {
      return fail(error("the child is empty: every line names one; only the parent may be empty"));
    }
    if (child == parent) {
      return fail(
          error("a concept cannot be its own parent; leave the parent empty for a root", child));
    }
    const Index c = concept_of(child);
    if (!label.empty()) {
      Label& known = labels_[c];
      if (known.line != 0 && known.text != label) {
        return fail(error(fmt::format("a second label for a concept that line {} labelled "
                                      "differently: keep one of them",
                                      known.line),
                          label));
      }
      if (known.line == 0) {
        known = {std::string(label), reader_.line()};
        draft_.keep_beside(label.size());
      }
    }
    if (parent.empty()) return {};
    const Index p = concept_of(parent);
    if (links_.insert(std::uint64_t{c} << 32 | p).second) {
      draft_.add_link(c, p);
    } else {
      ++repeated_;
    }
    return {};
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  CsvReader reader_;
  std::size_t child_ = kNone, parent_ = kNone, label_ = kNone;  // columns
  OntologyDraft draft_;
  std::unordered_map<std::string, Index, TextHash, std::equal_to<>> concepts_;
  std::vector<Label> labels_;  // by concept
  std::unordered_set<std::uint64_t> links_;
  std::uint64_t repeated_ = 0;
};

}  // namespace

Result<OntologyDraft> parse_edges(std::string_view text, const std::string& name) {
  auto reader = CsvReader::over(text, name, {}, CsvReader::Ragged::kAllow);
  if (!reader) return fail(reader.error());
  return EdgesParser(std::move(*reader)).parse();
}

Result<OntologyDraft> load_edges(const std::string& path) {
  const auto file = read_source_file(path, {".csv", ".tsv", ".txt"});
  if (!file) return fail(file.error());
  return parse_edges(file->bytes.view(), file->name);
}

}  // namespace semveil
