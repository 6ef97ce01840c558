#include "reproduce/noise_adult.h"
namespace semveil::reproduction {
Status noise_data_is_there(const std::string&) { return {}; }
Result<ReproducedPart> noise_correlated(const ReproduceOptions&) { return ReproducedPart{}; }
}  // namespace semveil::reproduction
