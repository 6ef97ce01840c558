// Which rows of which table were masked under which name by the same draws, line by line
// (docs/formats/releases.md). Who asks and who writes: recording.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/row_ranges.h"
#include "base/sealed_lines.h"
#include "semveil/result.h"

namespace semveil {

inline constexpr SealedForm kReleasesForm{.name = "a record of releases",
                                          .first_line = "semveil releases 1"};

// In the place of a digest: of a stream that goes on, or was stopped.
inline constexpr std::string_view kUnknownTable = "-";

struct MaskedRows {
  std::string draws;    // which draws: of a model, a key and no table
  std::string release;  // its name
  RowRange rows;
  std::string table{kUnknownTable};  // its digest
  std::uint64_t line = 0;            // of a stream: the line that this stands in for; 0: none
  bool operator==(const MaskedRows&) const = default;
};

std::string line_of(const MaskedRows& rows);
std::optional<MaskedRows> masked_rows(std::string_view line);

class Releases {  // what the lines of a file say
 public:
  // `path` stands in errors.
  static Result<Releases> of(const std::vector<std::string>& lines, const std::string& path);

  // Whether these very rows of this very table are there.
  bool has(const MaskedRows& rows) const;
  // The first of the lines' rows that have the same draws as some of these; those of the same
  // stream do not count.
  std::optional<RowRange> shared_with(const MaskedRows& rows) const;

 private:
  bool is_same_stream(std::size_t at, const MaskedRows& rows) const;
  std::vector<std::optional<MaskedRows>> by_line_;  // from line 2 on; nothing: another stands in
};

}  // namespace semveil
