// Adult's complete records with the hierarchies of ARX.
#pragma once

#include <array>
#include <span>

#include "reproduce/public_data.h"

namespace semveil::reproduction {

struct AdultHierarchy {
  const char* name;
  std::size_t column;
  DataFile hierarchy;
};
inline constexpr std::array kAdultHierarchies{
    AdultHierarchy{"sex", kSexColumn, kArxSex},
    AdultHierarchy{"age", kAgeColumn, kArxAge},
    AdultHierarchy{"race", kRaceColumn, kArxRace},
    AdultHierarchy{"marital-status", kMaritalColumn, kArxMarital},
    AdultHierarchy{"education", kEducationColumn, kArxEducation},
    AdultHierarchy{"native-country", kCountryColumn, kArxCountry},
    AdultHierarchy{"workclass", kWorkclassColumn, kArxWorkclass},
    AdultHierarchy{"occupation", kOccupationColumn, kArxOccupation}};

// Records that miss none of the columns, in their order.
Result<Records> adult_records(const ReproduceOptions& options,
                              std::span<const AdultHierarchy> columns);

}  // namespace semveil::reproduction
