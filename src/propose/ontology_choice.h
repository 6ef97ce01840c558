// Which ontology knows the words of a column, and below which concept they lie.
#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "semveil/mapping.h"
#include "semveil/propose.h"

namespace semveil {

// Different texts of a column, or of a series of them, and how many records have each.
using TextCounts = std::vector<std::pair<std::string_view, std::uint64_t>>;

struct ColumnWords {
  std::string_view column;  // its name
  ColumnKind kind = ColumnKind::kNominal;
  TextCounts texts;
};

struct OpenedSource;

class OntologyChooser {
 public:
  // Given ones must open; what was only found is passed over where it does not.
  static Result<OntologyChooser> open(std::vector<OntologySource> sources, bool use_cache);
  ~OntologyChooser();
  OntologyChooser(OntologyChooser&&) noexcept;
  OntologyChooser& operator=(OntologyChooser&&) = delete;
  OntologyChooser(const OntologyChooser&) = delete;
  OntologyChooser& operator=(const OntologyChooser&) = delete;

  // The one that knows the most; `is_enough` says whether that is enough. Nothing: none knows any.
  std::optional<OntologyCoverage> best(const ColumnWords& words) const;
  // How much of other texts the same one knows below the same root.
  OntologyCoverage again(const OntologyCoverage& chosen, const ColumnWords& words) const;
  const OntologySource& source(std::string_view name) const;

 private:
  explicit OntologyChooser(std::vector<OpenedSource> opened);
  std::vector<OpenedSource> opened_;
};

}  // namespace semveil
