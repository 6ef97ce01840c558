// What released texts span that mean nothing to their attribute: intervals that somebody else's
// tool wrote into a column of numbers, and the star (figures/fits.h).
#include "audit/audit_parts.h"

namespace semveil {

FitRule AuditTask::fit_rule() const {
  constexpr std::string_view kEverything = "*";
  FitRule out(pair.missing);
  for (const std::size_t j : pair.quasi_identifiers) {
    std::vector<SpanningValue>& spanning = out.spanning.emplace_back();
    ConceptId value = attributes[j]->missing_value();
    for (const std::string& text : pair.columns[j].unmapped) {
      ++value;  // the first text is the one after it
      if (text == kEverything) {
        spanning.push_back({value, std::nullopt});
      } else if (attributes[j]->is_numeric()) {
        if (const auto interval = interval_of(text)) spanning.push_back({value, interval});
      }
    }
  }
  return out;
}

}  // namespace semveil
