// What the classes of a table tell an attacker who knows the quasi-identifiers of people.
//
//   prosecutor   knows that his victim is in the table: greatest 1 / |class|
//   journalist   wants anybody of the population: greatest 1 / people who look like a class
//   marketer     wants as many as possible: mean over the records of 1 / |class|, which is
//                classes / records
//
// Example: released classes of 3, 2 and 1 records: prosecutor 1, marketer 3/6. If 4 people of the
// population look like the class of one, and 3 and 2 like the others, journalist 1/2.
//
// Where missing cells are wildcards, |class| is the number of records that match one of the class
// (statistics/class_sizes.h).
//
// Paper:   Dankar & El Emam, A method for evaluating marketer re-identification risk, 2010, which
//          names the three; k is Samarati and Sweeney's.
// Choice:  Records whose quasi-identifiers are all missing, and were not in the original, were
//          suppressed: they form no class and are counted apart. Risks are those of the records in
//          classes; a table without any has none. The population of a journalist is the original
//          table and whoever else is known (a control). A person looks like a class if each of his
//          values is the released one or lies below it; wildcards look like everything. A class
//          that nobody looks like, as noise and swapping make them, says nothing of anybody.
#pragma once

#include <optional>

#include "audit/fits.h"
#include "audit/paired.h"
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

ClassRisk class_risk(const Attributes& attributes, const FormedClasses& formed,
                     MissingRule missing);

// Nothing where nobody of the population looks like any class. Classes of the population are over
// the same columns; several tables may be given.
// Cost: for each released class the population's classes that agree in its rarest value.
std::optional<double> journalist_risk(const Attributes& attributes, const Classes& released,
                                      std::span<const Classes* const> population,
                                      MissingRule missing);

// Σ|g|² over the classes, and for each suppressed record all records: nothing tells it from them.
//
// Paper:  thesis eq 1; Bayardo & Agrawal 2005 for suppressed records.
std::uint64_t discernibility(const FormedClasses& formed);

}  // namespace semveil
