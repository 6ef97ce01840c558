// Which experiment needs which files of the public data sets, and whether they are there: asked
// before minutes are spent, for all experiments at once.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/bytes.h"
#include "base/sha256.h"
#include "reproduce/public_data.h"

namespace semveil {
namespace {

using namespace reproduction;  // NOLINT(google-build-using-namespace): its files

constexpr std::array kAllFiles{kAdult,        kArxEducation, kArxOccupation, kArxMarital,
                               kArxAge,       kArxSex,       kArxRace,       kArxCountry,
                               kArxWorkclass, kDiseases,     kConditions,    kAnimals};
constexpr std::array kNoisePairs{kAdult,    kArxEducation, kArxOccupation, kArxMarital,
                                 kDiseases, kConditions,   kAnimals};
constexpr std::array kSwapTables{kAdult, kDiseases, kConditions, kAnimals};
constexpr std::array kFuseRivals{kAdult,  kArxEducation, kArxOccupation, kArxMarital,  kArxAge,
                                 kArxSex, kArxRace,      kArxCountry,    kArxWorkclass};
constexpr std::array kEanTables{kAdult, kArxOccupation};

struct Need {
  std::string_view experiment;
  unsigned first, last;  // parts
  std::span<const DataFile> files;
};
constexpr std::array kNeeds{Need{"noise-adult", 2, 2, kNoisePairs}, Need{"swap", 1, 3, kSwapTables},
                            Need{"fuse", 6, 6, kFuseRivals}, Need{"ean", 2, 3, kEanTables}};

}  // namespace

std::span<const PublicDataFile> public_data() { return kAllFiles; }

Result<DataState> state_of(const PublicDataFile& file, const std::string& folder) {
  const std::string path = folder + "/" + std::string(file.path);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return DataState::kAbsent;
  const Result<FileBytes> content = FileBytes::read(path);
  if (!content) return fail(content.error());
  return sha256_of_bytes(content->view()) == file.sha256 ? DataState::kHere : DataState::kDifferent;
}

Status public_data_is_there(std::span<const std::string> names, const ReproduceOptions& options) {
  std::vector<std::string> who;
  std::vector<std::string> without;
  std::vector<DataFile> files;
  for (const Need& need : kNeeds) {
    const unsigned part = options.part.value_or(need.last);
    if (std::ranges::find(names, need.experiment) == names.end()) continue;
    if (part < need.first || part > need.last) continue;
    who.emplace_back(need.experiment);
    if (need.first > 1) {
      without.push_back(need.first == 2
                            ? fmt::format("part 1 of {}", need.experiment)
                            : fmt::format("parts 1 to {} of {}", need.first - 1, need.experiment));
    }
    for (const DataFile& file : need.files) {
      const auto same = [&](const DataFile& other) { return other.path == file.path; };
      if (std::ranges::none_of(files, same)) files.push_back(file);
    }
  }
  const std::string otherwise =
      without.empty() ? "" : fmt::format("; {} do without", fmt::join(without, ", "));
  return data_is_there(options.data, files, fmt::format("{}", fmt::join(who, ", ")), otherwise);
}

}  // namespace semveil
