// Diagnoses of ICD-9-CM as a CSV file, in either of two forms that the header tells apart.
//
//   node_id,parent_id,level,label                a tree: every node names the one above it
//   ICD9CM,,root,ICD-9-CM diagnoses
//   CH01,ICD9CM,chapter,Infectious And Parasitic Diseases
//   SC001,CH01,sub_chapter,Intestinal Infectious Diseases
//   001,SC001,category,Cholera
//   0010,001,subcategory,Cholera due to vibrio cholerae
//
//   code,billable,short_desc,long_desc,three_digit,major,sub_chapter,chapter      a list of codes
//   0010,1,Cholera d/t vib cholerae,Cholera due to vibrio cholerae,001,Cholera,…,…
//
// Both give the same taxonomy. From the list: a code belongs under the longest code it begins with;
// one with nothing above it is a category and belongs to its sub-chapter, that to its chapter, that
// to the root ICD9CM. Chapters are CH01, CH02, … and sub-chapters SC001, … by first appearance:
// their titles are no ids, since two sub-chapters are called like their chapters. Labels are the
// long descriptions; short ones are exact synonyms. In the tree any node may have an empty parent
// and is a root then. Columns are told by their names; others than these are not read.
//
// Headings are the root, chapters and sub-chapters: in a tree every node whose id is not built like
// a code (001, 0010, V01, E8000, with or without dot).
//
// Source:  CMS code titles, version 32; the list is the one of the R package icd.data.
// Cost:    one pass. Memory: the nodes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <vector>

#include "base/csv.h"
#include "base/text.h"
#include "base/text_hash.h"
#include "base/trimmed.h"
#include "ontology/loaders.h"

namespace semveil {
namespace {

using Index = OntologyDraft::Index;
using Record = std::span<const std::string_view>;

constexpr std::array<std::pair<std::string_view, const char*>, 5> kLevels{
    {{"chapter", "chapters"},
     {"sub_chapter", "sub-chapters"},
     {"category", "categories"},
     {"subcategory", "subcategories"},
     {"subclassification", "subclassifications"}}};

constexpr std::size_t kLongestIcd9Code = 16;

// Three digits, V and two, E and three; up to two digits more, behind a dot or not.
bool is_icd9_code(std::string_view id) {
  constexpr std::string_view kDigits = "0123456789";
  const std::size_t letters = id.starts_with('V') || id.starts_with('E') ? 1 : 0;
  const std::size_t category = id.starts_with('E') ? 4 : 3;
  if (id.size() < category) return false;
  std::string plain(id);
  if (id.size() > category && id[category] == '.') plain.erase(category, 1);
  constexpr std::size_t kMostBehind = 2;
  return plain.size() <= category + kMostBehind &&
         plain.find_first_not_of(kDigits, letters) == std::string::npos;
}

class Icd9Parser {
 public:
  explicit Icd9Parser(CsvReader reader) : reader_(std::move(reader)) {}

  Result<OntologyDraft> parse() {
    const auto header = reader_.next();
    if (!header) return fail(header.error());
    if (!*header) return fail(data_error("the file is empty: get it again").at(reader_.name()));
    const bool is_tree = find_columns(**header, {"node_id", "parent_id", "label"});
    if (!is_tree && !find_columns(**header, {"code", "long_desc", "sub_chapter", "chapter"})) {
      return fail(
          error("expected a header line with node_id,parent_id,label or with "
                "code,long_desc,sub_chapter,chapter: name the columns so"));
    }
    for (;;) {
      const auto record = reader_.next();
      if (!record) return fail(record.error());
      if (!*record) break;
      const Status read = is_tree ? read_node(**record) : read_code(**record);
      if (!read) return fail(read.error());
      if (draft_.is_full()) return fail(error(OntologyDraft::kFull));
    }
    if (draft_.concepts() == 0) {
      return fail(
          data_error("no code in it: lines below the header were expected").at(reader_.name()));
    }
    if (const Status linked = is_tree ? link_nodes() : link_codes(); !linked) {
      return fail(linked.error());
    }
    draft_.info.format = "icd9cm";
    draft_.info.has_icd_codes = true;
    std::ranges::sort(draft_.info.headings);
    std::vector<Counted>& contents = draft_.info.contents;
    for (std::size_t i = 0; i < kLevels.size(); ++i) {
      count_some(contents, kLevels[i].second, levels_[i]);
    }
    count_some(contents, "billable codes", billable_);
    return std::move(draft_);
  }

 private:
  struct Known {
    Index concept_index;
    std::uint64_t line;
  };
  struct Above {  // what a line says of its concept's parent
    Index child;
    std::string parent;
    std::uint64_t line;
  };

  Error error(std::string message, std::string_view value = {}) const {
    return data_error(std::move(message))
        .at(reader_.name(), reader_.line())
        .quoting(std::string(value));
  }

  // Where each named column is; false if one of the needed is missing.
  bool find_columns(Record header, std::initializer_list<std::string_view> needed) {
    columns_.clear();
    for (std::size_t i = 0; i < header.size(); ++i) {
      columns_.try_emplace(std::string(trimmed(header[i])), i);
    }
    return std::all_of(needed.begin(), needed.end(),
                       [&](std::string_view name) { return columns_.contains(name); });
  }
  std::string_view field(Record record, std::string_view column) const {
    const auto at = columns_.find(column);
    return at == columns_.end() ? std::string_view() : trimmed(record[at->second]);
  }

  Result<Index> add(std::string_view id, std::string_view label) {
    if (id.empty()) return fail(error("the line has no code"));
    const auto next = static_cast<Index>(draft_.concepts());
    const auto [known, is_new] = known_.try_emplace(std::string(id), Known{next, reader_.line()});
    if (!is_new) {
      return fail(error(fmt::format("this code was already on line {}: remove one of the lines",
                                    known->second.line),
                        id));
    }
    draft_.keep_beside(id.size() + OntologyDraft::kPerItem);
    draft_.add_concept(id);
    if (!label.empty()) draft_.add_term(next, TermKind::kLabel, label);
    return next;
  }

  Status read_node(Record record) {
    const std::string_view parent = field(record, "parent_id");
    const std::string_view id = field(record, "node_id");
    const auto c = add(id, field(record, "label"));
    if (!c) return fail(c.error());
    if (id == parent) return fail(error("a node cannot be above itself", id));
    if (!is_icd9_code(id)) draft_.info.headings.emplace_back(id);
    if (!parent.empty()) above_.push_back({*c, std::string(parent), reader_.line()});
    draft_.keep_beside(parent.size() + OntologyDraft::kPerItem);
    const std::string_view level = field(record, "level");
    for (std::size_t i = 0; i < kLevels.size(); ++i) {
      if (level == kLevels[i].first) ++levels_[i];
    }
    return {};
  }

  Status link_nodes() {
    for (const Above& above : above_) {
      const auto parent = known_.find(above.parent);
      if (parent == known_.end()) {
        return fail(data_error("this parent_id is the node_id of no line: add it, or leave the "
                               "parent_id empty")
                        .at(reader_.name(), above.line)
                        .quoting(above.parent));
      }
      draft_.add_link(above.child, parent->second.concept_index);
    }
    return {};
  }

  // A heading above codes, made when it first appears; an empty one is the heading above it.
  Result<Index> heading(std::string_view title, Index above, std::size_t level, const char* form) {
    if (title.empty()) return above;
    const auto known = headings_.find(std::pair(above, std::string(title)));
    if (known != headings_.end()) return known->second;
    const auto c = add(fmt::format(fmt::runtime(form), ++levels_[level]), title);
    if (!c) return fail(c.error());
    draft_.info.headings.emplace_back(draft_.id(*c));
    draft_.add_link(*c, above);
    headings_.emplace(std::pair(above, std::string(title)), *c);
    draft_.keep_beside(title.size() + OntologyDraft::kPerItem);
    return *c;
  }

  Status read_code(Record record) {
    if (draft_.concepts() == 0) {
      if (const auto root = add("ICD9CM", "ICD-9-CM diagnoses"); !root) return fail(root.error());
      draft_.info.headings.emplace_back("ICD9CM");
    }
    const auto chapter = heading(field(record, "chapter"), 0, 0, "CH{:02}");
    if (!chapter) return fail(chapter.error());
    const auto sub_chapter = heading(field(record, "sub_chapter"), *chapter, 1, "SC{:03}");
    if (!sub_chapter) return fail(sub_chapter.error());
    const std::string_view label = field(record, "long_desc");
    const std::string_view short_label = field(record, "short_desc");
    const std::string_view code = field(record, "code");
    // Codes have at most five characters; of a long one every beginning would be looked up.
    if (code.size() > kLongestIcd9Code) {
      return fail(error(
          fmt::format("a code of more than {} bytes: is this the right column?", kLongestIcd9Code),
          code));
    }
    const auto c = add(code, label);
    if (!c) return fail(c.error());
    if (!short_label.empty() && short_label != label) {
      draft_.add_term(*c, TermKind::kExactSynonym, short_label);
    }
    if (field(record, "billable") == "1") ++billable_;
    codes_.emplace_back(*c, *sub_chapter);
    return {};
  }

  // The code above this one: the longest it begins with.
  std::optional<Index> code_above(std::string_view code) const {
    for (std::size_t size = code.size() - 1; size > 0; --size) {
      const auto above = known_.find(code.substr(0, size));
      if (above != known_.end()) return above->second.concept_index;
    }
    return std::nullopt;
  }

  Status link_codes() {
    for (const auto& [c, sub_chapter] : codes_) {
      const std::optional<Index> above = code_above(draft_.id(c));
      draft_.add_link(c, above.value_or(sub_chapter));
      const bool is_deep = above && code_above(draft_.id(*above));
      ++levels_[!above ? 2 : is_deep ? 4 : 3];
    }
    return {};
  }

  CsvReader reader_;
  OntologyDraft draft_;
  std::map<std::string, std::size_t, std::less<>> columns_;
  std::unordered_map<std::string, Known, TextHash, std::equal_to<>> known_;  // by id
  std::vector<Above> above_;                                                 // of a tree
  std::map<std::pair<Index, std::string>, Index> headings_;                  // of a list
  std::vector<std::pair<Index, Index>> codes_;                               // with sub-chapters
  std::array<std::uint64_t, kLevels.size()> levels_{};
  std::uint64_t billable_ = 0;
};

}  // namespace

Result<OntologyDraft> read_icd9cm(NamedStream input) {
  auto reader = CsvReader::over(std::move(input.stream), std::move(input.name));
  if (!reader) return fail(reader.error());
  return Icd9Parser(std::move(*reader)).parse();
}

Result<OntologyDraft> load_icd9cm(const std::string& path) {
  auto input = open_source_file(path, {".csv"});
  if (!input) return fail(input.error());
  return read_icd9cm(*std::move(input));
}

}  // namespace semveil
