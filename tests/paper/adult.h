// Adult's occupations as semantic noise published them, with the WordNet senses that repeat its
// figures.
#pragma once

#include <cstdint>

namespace semveil::test {

struct Occupation {
  const char* offset;              // in data.noun
  std::uint64_t records, sampled;  // in the whole column, in the sample of 100
};
inline constexpr Occupation kOccupations[] = {
    {"09614684", 644, 0},    // protector
    {"10372373", 3295, 0},   // functionary
    {"10548681", 3584, 0},   // salesperson
    {"10696251", 912, 22},   // technician
    {"09897696", 1572, 0},   // carrier
    {"10078806", 989, 12},   // farmer
    {"09927089", 1350, 20},  // cleaner
    {"09928451", 3721, 0},   // clerk
    {"10069645", 3992, 0},   // executive
    {"09974648", 4030, 46},  // craftsman
    {"10631941", 4038, 0},   // specialist
    {"10582746", 6, 0},      // serviceman
    {"10318293", 1966, 0},   // factory worker
    {"10188715", 143, 0},    // housekeeper
};
inline constexpr const char* kPerson = "00007846";

}  // namespace semveil::test
