// What the EAN paper claims of attacks, checked on figures.
#pragma once

#include "reproduce/ean_data.h"

namespace semveil::reproduction {

struct AttackedSets {
  AttributeDisclosure disclosure;
  SetGuess skewness;   // who knows how the sets were made
  SetGuess by_counts;  // who knows frequencies alone
  SimilarityAttack similarity;
  RepeatedRelease repeated;
};
using SetFigure = double (*)(const AttackedSets&);
using AttackedByL = std::array<AttackedSets, kSetSizes.size()>;
using AttackedByMethod = std::array<AttackedByL, kSetMethods.size()>;

void check_attacks(const AttackedByMethod& attacked, ReproducedPart& part);

}  // namespace semveil::reproduction
