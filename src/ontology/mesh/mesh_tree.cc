// The MeSH tree as a table: a header, then one row a position, separated by tabs.
//
//   Tree Number  Desc Ui  Term
//   A01          D001829  Body Regions
//   A01.236      D001940  Breast
//
// The columns are found by their names. A descriptor's rows must name it alike. This form has
// neither entry terms nor scope notes.
#include <fmt/format.h>

#include <array>

#include "base/lines.h"
#include "base/text.h"
#include "base/trimmed.h"
#include "ontology/mesh/mesh_records.h"

namespace semveil {
namespace {

class MeshTreeParser {
 public:
  explicit MeshTreeParser(NamedStream input)
      : lines_(std::move(input.stream), input.name), mesh_(input.name) {}

  Result<OntologyDraft> parse() {
    for (bool header = true;; header = false) {
      const auto line = lines_.next();
      if (!line) return fail(line.error());
      if (!*line) break;
      const Status done = header ? read_header(**line) : read_row(**line);
      if (!done) return fail(done.error());
    }
    return std::move(mesh_).finish("no position");
  }

 private:
  static constexpr std::array<std::string_view, 3> kColumns{"tree number", "desc ui", "term"};

  void split(std::string_view line) {
    fields_.clear();
    for (std::size_t tab = 0; tab != line.npos; line.remove_prefix(tab + 1)) {
      tab = line.find('\t');
      fields_.push_back(trimmed(line.substr(0, tab)));
      if (tab == line.npos) break;
    }
  }

  Status read_header(std::string_view line) {
    split(line);
    width_ = fields_.size();
    for (std::size_t c = 0; c < kColumns.size(); ++c) {
      for (std::size_t f = 0; f < width_; ++f) {
        if (normalise(fields_[f]) == kColumns[c]) column_[c] = f;
      }
      if (column_[c] == kNone) {
        return fail(lines_.error(fmt::format(
            "the header has no column '{}': Tree Number, Desc Ui and Term were expected, separated "
            "by tabs",
            kColumns[c])));
      }
    }
    return {};
  }

  Status read_row(std::string_view line) {
    if (line.empty()) return {};
    split(line);
    if (fields_.size() != width_) {
      return fail(lines_.error(fmt::format("{} field{} where the header has {}", fields_.size(),
                                           fields_.size() == 1 ? "" : "s", width_)));
    }
    return mesh_.add_position(fields_[column_[0]], fields_[column_[1]], fields_[column_[2]],
                              lines_.line());
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  LineReader lines_;
  MeshDraft mesh_;
  std::array<std::size_t, 3> column_{kNone, kNone, kNone};
  std::size_t width_ = 0;
  std::vector<std::string_view> fields_;
};

}  // namespace

Result<OntologyDraft> read_mesh_tree(NamedStream input) {
  return MeshTreeParser(std::move(input)).parse();
}

}  // namespace semveil
