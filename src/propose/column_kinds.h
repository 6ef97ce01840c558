// What the cells of a column are, by their form and its name.
#pragma once

#include <string>

#include "propose/column_facts.h"
#include "semveil/propose.h"

namespace semveil {

struct KindChoice {
  ColumnKind kind = ColumnKind::kNominal;
  std::string why;
};
KindChoice kind_of(const ColumnFacts& column);

// Codes of illnesses, treatments and the like.
bool is_health_code(ColumnKind kind);

}  // namespace semveil
