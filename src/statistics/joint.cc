#include "statistics/joint.h"

#include <algorithm>

namespace semveil {
namespace {

// splitmix64 (Steele, Lea & Flood 2014).
std::uint64_t hash(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

}  // namespace

std::vector<JointCount> sample_of(std::span<const JointCount> joint, std::uint64_t size) {
  std::uint64_t records = 0;
  for (const JointCount& pair : joint) records += pair.count;
  size = std::min(size, records);
  std::vector<JointCount> sample;
  if (size == 0) return sample;
  // Stretch i begins at ⌊i · records / size⌋, counted along because the product may overflow.
  const std::uint64_t length = records / size;
  std::uint64_t carried = 0;
  std::uint64_t first = 0;
  std::size_t pair = 0;
  std::uint64_t end = joint[0].count;  // records up to and with `pair`
  for (std::uint64_t i = 0; i < size; ++i) {
    carried += records % size;
    const std::uint64_t here = length + (carried >= size ? 1 : 0);
    if (carried >= size) carried -= size;
    const std::uint64_t record = first + hash(i) % here;
    first += here;
    while (record >= end) end += joint[++pair].count;
    if (sample.empty() || sample.back().a != joint[pair].a || sample.back().b != joint[pair].b) {
      sample.push_back({joint[pair].a, joint[pair].b, 0});
    }
    ++sample.back().count;
  }
  return sample;
}

}  // namespace semveil
