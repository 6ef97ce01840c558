// Parts of a table that are damaged behind a right checksum: parts of surveys, of releases, of
// pairs of tables, and occurrences. They are refused with a sentence; or they are written again as
// they were read, merge with themselves or not, and what is made of them is made or refused.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "audit/pair_part_impl.h"
#include "fuzz/small_clinic.h"
#include "semveil/batch.h"
#include "semveil/json.h"
#include "semveil/pair_part.h"
#include "semveil/parts.h"

namespace {

using namespace semveil;
using fuzz::require;

constexpr std::size_t kBeforeChecksum = 8 + 4;  // magic, version

std::string with_checksum(std::string bytes) {
  XXH128_canonical_t sum;
  const std::size_t body = kBeforeChecksum + sizeof sum;
  if (bytes.size() < body) return bytes;
  XXH128_canonicalFromHash(&sum, XXH3_128bits(bytes.data() + body, bytes.size() - body));
  std::memcpy(bytes.data() + kBeforeChecksum, &sum, sizeof sum);
  return bytes;
}

template <class Part>
Result<Part> read(const std::string& bytes) {
  Result<Part> part = Part::from_bytes(bytes);
  if (!part) {
    require(part.error().code == ErrorCode::kData);
    fuzz::require_sentence(part.error());
    return part;
  }
  const std::string written = part->to_bytes();
  const Result<Part> again = Part::from_bytes(written);
  require(again && again->to_bytes() == written);
  return part;
}

void sum_up(Result<SurveyPart> part, const PlanFile& plan) {
  if (!part) return;
  require(part->records() == SurveyPart::from_bytes(part->to_bytes())->records());
  if (part->merge(*SurveyPart::from_bytes(part->to_bytes()))) return;  // of no rows
  const auto survey = Survey::from(*std::move(part), plan, fuzz::quiet_work());
  if (!survey) return fuzz::require_sentence(survey.error());
  const auto description = describe(*survey, fuzz::quiet_work());
  if (!description) fuzz::require_sentence(description.error());
  const auto model = Model::fit(*survey, plan, fuzz::some_key(), fuzz::quiet_work());
  if (!model) return fuzz::require_sentence(model.error());
  require(model->to_bytes(Model::KeyIn::kYes).has_value());
}

void sum_up(Result<OutcomePart> part, const Model& model) {
  if (!part) return;
  FinishOptions options;
  options.recheck = true;
  options.records = part->records();
  const auto result = finish(model, *part, options);
  if (!result) return fuzz::require_sentence(result.error());
  require(result->records == part->records() && result->dropped_records <= result->records);
}

void sum_up(const Result<PairPart>& part, const PlanFile& plan) {
  // Who says that there are billions of records gets an audit of so many: that takes its time.
  constexpr std::uint64_t kMost = 1000;
  if (!part || !part->impl().counts || part->impl().counts->rows.rows() > kMost) return;
  PairOptions options;
  options.work = fuzz::quiet_work();
  const auto pair = pair_tables(*part, plan, options);
  if (!pair) return fuzz::require_sentence(pair.error());
  AuditOptions asked;
  asked.work = fuzz::quiet_work();
  asked.clusters = 2;
  asked.most_attacked = 100;
  const auto figures = audit(*pair, asked);
  if (!figures) return fuzz::require_sentence(figures.error());
  require(!to_json(*figures, "steward").empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  // Parts are as good as the plan and model that they meet: the last byte chooses.
  const std::size_t choice = data[size - 1] % fuzz::kClinicMasks.size();
  const std::string bytes = with_checksum(std::string(fuzz::text_of(data, size - 1)));
  const PlanFile plan = fuzz::clinic_plan(fuzz::kClinicMasks[choice]);
  sum_up(read<SurveyPart>(bytes), plan);
  sum_up(read<PairPart>(bytes), plan);
  static_cast<void>(read<Occurrences>(bytes));
  Result<OutcomePart> outcome = read<OutcomePart>(bytes);
  if (outcome) sum_up(std::move(outcome), fuzz::clinic_model(fuzz::kClinicMasks[choice]));
  return 0;
}
