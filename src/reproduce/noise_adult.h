// The two parts of `noise-adult`.
#pragma once

#include <array>
#include <string_view>

#include "reproduce/trial.h"
#include "semveil/mapping.h"
#include "semveil/reproduce.h"

namespace semveil::reproduction {

// The value of Adult's occupation, the word and the sense (a place in WordNet 3.0's data.noun) that
// the paper has for it, and its count there.
struct Occupation {
  std::string_view adult, word, sense;
  std::uint64_t count;
  std::uint64_t sampled;  // among the paper's 100 records
};
inline constexpr std::array kOccupations{
    Occupation{"Protective-serv", "protector", "09614684-n", 644, 0},
    Occupation{"Other-service", "functionary", "10372373-n", 3295, 0},
    Occupation{"Sales", "salesperson", "10548681-n", 3584, 0},
    Occupation{"Tech-support", "technician", "10696251-n", 912, 22},
    Occupation{"Transport-moving", "carrier", "09897696-n", 1572, 0},
    Occupation{"Farming-fishing", "farmer", "10078806-n", 989, 12},
    Occupation{"Handlers-cleaners", "cleaner", "09927089-n", 1350, 20},
    Occupation{"Adm-clerical", "clerk", "09928451-n", 3721, 0},
    Occupation{"Exec-managerial", "executive", "10069645-n", 3992, 0},
    Occupation{"Craft-repair", "craftsman", "09974648-n", 4030, 46},
    Occupation{"Prof-specialty", "specialist", "10631941-n", 4038, 0},
    Occupation{"Armed-Forces", "serviceman", "10582746-n", 6, 0},
    Occupation{"Machine-op-inspct", "factory worker", "10318293-n", 1966, 0},
    Occupation{"Priv-house-serv", "housekeeper", "10188715-n", 143, 0},
};
inline constexpr std::string_view kPerson = "00007846-n";

// Part 1: the published counts, masked again.
Result<ReproducedPart> noise_published(const ReproduceOptions& options);

// Part 2: the framework's claims on public data.
Status noise_data_is_there(const std::string& folder);
Result<ReproducedPart> noise_correlated(const ReproduceOptions& options);

}  // namespace semveil::reproduction
