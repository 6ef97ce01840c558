// Sentences of findings about what should have been kept: by the method, by whoever handled the
// release, and of the secrets of groups and persons (finding_guide.cc has the others).
#pragma once

#include "figures/finding_facts.h"

namespace semveil::finding {

std::string column_changed(const Facts& f);
std::string noise_misses_rmse(const Facts& f);
std::string noise_misses_variance(const Facts& f);
std::string noise_moves_mean(const Facts& f);
std::string correlation_moved(const Facts& f);

std::string class_shares_category(const Facts& f);
std::string class_shares_level(const Facts& f);
std::string column_tells_people(const Facts& f);
std::string one_origin(const Facts& f);
std::string draw_by_links_records(const Facts& f);
std::string paired_on_trust(const Facts& f);

}  // namespace semveil::finding
