// What a column is to somebody who looks for a person: an identifier, known, secret, or nothing.
#pragma once

#include <vector>

#include "propose/column_facts.h"
#include "semveil/propose.h"

namespace semveil {

// Fills roles and their reasons, by the kinds that were found; `columns` are of the same order.
// Columns of a series (answer_1, answer_2, …) get one role and kind.
void choose_roles(const std::vector<ColumnFacts>& facts, std::vector<ProposedColumn>& columns);

// After ontologies were chosen: which terminology codes without one belong to, and names that stand
// beside such codes, one for each.
void find_wanted(const std::vector<ColumnFacts>& facts, std::vector<ProposedColumn>& columns);

// The identifier whose values are persons, where they have several rows.
std::optional<std::size_t> person_column(const std::vector<ColumnFacts>& facts,
                                         const std::vector<ProposedColumn>& columns);

}  // namespace semveil
