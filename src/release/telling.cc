#include "release/telling.h"

#include <algorithm>
#include <utility>

namespace semveil {
namespace {

std::size_t codes_in(std::span<const Code> column) {
  std::size_t codes = 0;
  for (const Code code : column) {
    if (code != kMissing) codes = std::max<std::size_t>(codes, code + std::size_t{1});
  }
  return codes;
}

// Records by their value; those without one are in no group.
class Groups {
 public:
  explicit Groups(std::span<const Code> column) : begins_(codes_in(column) + 1, 0) {
    for (const Code code : column) {
      if (code != kMissing) ++begins_[code + 1];
    }
    for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
    records_.resize(begins_.back());
    std::vector<std::uint32_t> ends(begins_.begin(), begins_.end() - 1);
    for (std::size_t row = 0; row < column.size(); ++row) {
      if (column[row] != kMissing) records_[ends[column[row]]++] = static_cast<std::uint32_t>(row);
    }
  }
  std::size_t size() const { return begins_.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t i) const {
    return std::span(records_).subspan(begins_[i], begins_[i + 1] - begins_[i]);
  }

 private:
  std::vector<std::uint32_t> begins_, records_;
};

Guesses guess_one(const Groups& groups, std::span<const Code> masked) {
  Guesses out;
  out.records = static_cast<std::uint64_t>(
      std::ranges::count_if(masked, [](Code code) { return code != kMissing; }));
  std::vector<std::uint32_t> in_group(codes_in(masked), 0), in_all(in_group);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto group = groups[i];
    if (group.size() < 2) continue;
    std::uint32_t members = 0;
    for (const std::uint32_t row : group) {
      if (masked[row] == kMissing) continue;
      ++members;
      ++in_group[masked[row]];
    }
    std::uint32_t most = 0, second = 0;
    for (const std::uint32_t row : group) {
      if (masked[row] == kMissing) continue;
      // Each value is taken once, and leaves the counts as they were found.
      const std::uint32_t count = std::exchange(in_group[masked[row]], 0);
      if (members > 1) in_all[masked[row]] += count;
      second = std::max(second, std::min(most, count));
      most = std::max(most, count);
    }
    if (members < 2) continue;
    out.recurrent += members;
    if (most > second + 1) out.right += most;
  }
  if (!in_all.empty()) out.blind = *std::ranges::max_element(in_all);
  return out;
}

}  // namespace

bool Guesses::tell() const {
  const std::uint64_t wrong = recurrent - right, wrong_blindly = recurrent - blind;
  const auto share = [](double part, std::uint64_t of) { return part * static_cast<double>(of); };
  return records >= kLeastRecords && wrong_blindly >= kLeastToGuess &&
         static_cast<double>(recurrent) >= share(kLeastRecurrent, records) &&
         static_cast<double>(right) >= share(kLeastRight, recurrent) &&
         static_cast<double>(wrong) <= share(kMostWrong, wrong_blindly);
}

std::vector<Guesses> guess(std::span<const Code> released,
                           std::span<const std::span<const Code>> masked) {
  const Groups groups(released);
  std::vector<Guesses> out;
  for (const std::span<const Code> column : masked) out.push_back(guess_one(groups, column));
  return out;
}

}  // namespace semveil
