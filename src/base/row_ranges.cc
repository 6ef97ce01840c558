#include "base/row_ranges.h"

#include <fmt/format.h>

namespace semveil {

Status check_no_gap(const RowRanges& rows, std::string_view what_was_done) {
  const auto gap = rows.first_gap();
  if (!gap) return {};
  return fail(usage_error(
      fmt::format("the parts are not the whole table: nobody {} the rows from {} to {}, the first "
                  "being 0",
                  what_was_done, gap->first, gap->end - 1)));
}

}  // namespace semveil
