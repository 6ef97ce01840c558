#include "release/column_recoding.h"

#include <algorithm>

namespace semveil {

void add_recodings(const std::vector<ColumnRecoding>& recodings, std::vector<std::string>& parts) {
  for (const ColumnRecoding& recoding : recodings) {
    parts.push_back(recoding.method + ' ' + recoding.recoding->save());
  }
}

bool any_draws(const std::vector<ColumnRecoding>& recodings) {
  return std::ranges::any_of(recodings,
                             [](const ColumnRecoding& each) { return each.recoding->draws(); });
}

bool any_needs_person(const std::vector<ColumnRecoding>& recodings) {
  return std::ranges::any_of(
      recodings, [](const ColumnRecoding& each) { return each.recoding->needs_person(); });
}

Result<RecodedText> recoded(const std::vector<ColumnRecoding>& recodings, std::string_view cell,
                            std::string_view person) {
  RecodedText out{std::string(cell), std::vector<bool>(recodings.size(), false)};
  for (std::size_t i = 0; i < recodings.size() && out.text; ++i) {
    Result<std::optional<std::string>> next = recodings[i].recoding->recode(*out.text, person);
    if (!next) return fail(next.error());
    out.changed[i] = *next != out.text;
    out.text = *std::move(next);
  }
  return out;
}

}  // namespace semveil
