// What is counted of a column before anything is decided about it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plan/column_names.h"
#include "semveil/table.h"

namespace semveil {

// How many of the different values have a form.
struct FormCounts {
  std::uint64_t values = 0;                                  // different ones that are not missing
  std::uint64_t records = 0;                                 // that have them
  std::uint64_t numbers = 0, fractions = 0, zero_first = 0;  // fractions: 2.5, and not 2.0
  std::uint64_t uuids = 0, emails = 0, ssns = 0, phones = 0, web = 0;
  std::uint64_t dates = 0, compact_dates = 0, five_digits = 0, postcodes = 0;
  std::uint64_t icd10 = 0, icd9 = 0, dotted = 0, mesh = 0, snomed = 0, countries = 0;
  std::uint64_t comma_numbers = 0;            // which semveil does not read: 2314,39
  std::uint64_t padded = 0;                   // have blanks around them
  std::uint64_t with_letters = 0, words = 0;  // words of all values together
  std::uint64_t most_decimals = 0;
  double least = 0, greatest = 0;  // of the numbers

  bool all(std::uint64_t some) const { return values > 0 && some == values; }
  // All but a slip or two.
  bool nearly_all(std::uint64_t some) const {
    return values > 0 && static_cast<double>(some) >= 0.98 * static_cast<double>(values);
  }
  // Numbers, of which some have a comma.
  bool are_comma_numbers() const { return comma_numbers > 0 && all(comma_numbers + numbers); }
  // Different values of all that are there.
  double variety() const {
    return records == 0 ? 0 : static_cast<double>(values) / static_cast<double>(records);
  }
};

struct ColumnFacts {
  std::string name;
  NameHint hint;
  const std::vector<Code>* codes = nullptr;  // by record
  const Dictionary* texts = nullptr;
  std::vector<std::uint64_t> counts;  // by code
  std::vector<bool> markers;          // by code: stands for nothing
  std::uint64_t missing = 0;          // without the markers
  FormCounts forms;                   // without the markers

  std::string_view text(Code code) const { return texts->text(code); }
  // Counts the forms anew, after markers were found or given up.
  void count_forms();
  std::uint64_t marked() const;  // records with a marker
};

ColumnFacts column_facts(std::string name, const std::vector<Code>& codes, const Dictionary& texts);

}  // namespace semveil
