// Models that are damaged behind a right checksum: they are refused with a sentence, or can be
// written again as they are and mask, or refuse to. An input is the description of a model, in
// JSON; where it says "@" for the size of its ontology, a small one stands behind it.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/small_clinic.h"

namespace {

using namespace semveil;
using fuzz::require;

constexpr std::size_t kAlignment = 64;
constexpr std::string_view kSize = "\"size\":";

// What stands around a description in a file.
struct Frame {
  std::string head, ontology;
};

Frame frame() {
  const Model model = fuzz::clinic_model(fuzz::kClinicMasks[0]);
  const std::string bytes = model.to_bytes(Model::KeyIn::kYes).value();
  const std::size_t head = bytes.find('\n', bytes.find('\n') + 1) + 1;
  const std::size_t at = bytes.find(kSize) + kSize.size();
  const std::size_t size = std::stoul(bytes.substr(at, bytes.find('}', at) - at));
  return {bytes.substr(0, head), bytes.substr(bytes.size() - size)};
}

std::string file_of(std::string description) {
  static const Frame around = frame();
  const std::string wanted = std::string(kSize) + "\"@\"";
  bool has_ontology = false;
  for (std::size_t at = 0; (at = description.find(wanted, at)) != std::string::npos;) {
    const std::string size = std::to_string(around.ontology.size());
    description.replace(at + kSize.size(), 3, size);
    has_ontology = true;
  }
  const std::array<std::uint64_t, 2> sizes{description.size(),
                                           XXH3_64bits(description.data(), description.size())};
  std::string bytes = around.head;
  bytes.append(reinterpret_cast<const char*>(sizes.data()), sizeof sizes);
  bytes += description;
  if (!has_ontology) return bytes;
  bytes.append((kAlignment - bytes.size() % kAlignment) % kAlignment, '\0');
  return bytes + around.ontology;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto model = Model::from_bytes(file_of(std::string(fuzz::text_of(data, size))));
  if (!model) {
    require(model.error().code == ErrorCode::kData);
    fuzz::require_sentence(model.error());
    return 0;
  }
  for (const StepFacts& step : model->steps()) require(!step.method.empty());
  const auto bytes = model->to_bytes(Model::KeyIn::kYes);
  require(bytes.has_value());
  const auto again = Model::from_bytes(*bytes);
  require(again && again->to_bytes(Model::KeyIn::kYes).value() == *bytes);

  static const Table table = fuzz::table_of(fuzz::clinic()).value();
  ApplyOptions options;
  options.work = fuzz::quiet_work();
  options.release = "other";
  options.recheck = true;
  const auto masked = fuzz::released(*model, table, options);
  if (!masked) fuzz::require_sentence(masked.error());
  return 0;
}
