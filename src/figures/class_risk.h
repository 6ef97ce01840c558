// What the classes of a table tell an attacker who knows the quasi-identifiers of people.
//
//   prosecutor   knows that his victim is in the table: greatest 1 / |class|
//   marketer     wants as many as possible: mean over the records of 1 / |class|, which is
//                classes / records
//
// Example: released classes of 3, 2 and 1 records: prosecutor 1, marketer 3/6. The journalist, who
// wants anybody of the population, asks who fits (looked_up.h).
//
// Where missing cells are wildcards, |class| is the number of records that match one of the class
// (statistics/class_sizes.h).
//
// Paper:   Dankar & El Emam, A method for evaluating marketer re-identification risk, 2010, which
//          names the three; k is Samarati and Sweeney's.
// Choice:  Records whose quasi-identifiers are all missing, and were not in the original, were
//          suppressed: they form no class and are counted apart. Risks are those of the records in
//          classes; a table without any has none.
#pragma once

#include <optional>

#include "figures/fits.h"
#include "figures/paired.h"
#include "semveil/audit_figures.h"

namespace semveil {

// Classes of the records that were not suppressed; `of` is left out.
struct FormedClasses {
  Classes classes;
  std::uint64_t suppressed = 0;  // records
};
// `known_by`: the columns that are quasi-identifiers. `pairs` tell, over the same columns, what the
// released records were; where they do not, who has no quasi-identifier was suppressed.
FormedClasses without_suppressed(const Attributes& attributes, const Classes& classes,
                                 std::span<const std::size_t> known_by, const Paired& pairs);

// Whether a pair over the quasi-identifiers was suppressed; and all that were not.
bool was_suppressed(const Paired& pairs, std::size_t pair);
Paired unsuppressed(const Paired& pairs);

ClassRisk class_risk(const Attributes& attributes, const FormedClasses& formed,
                     MissingRule missing);

// Σ|g|² over the classes, and for each suppressed record all records: nothing tells it from them.
//
// Paper:  thesis eq 1; Bayardo & Agrawal 2005 for suppressed records.
std::uint64_t discernibility(const FormedClasses& formed);

}  // namespace semveil
