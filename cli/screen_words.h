// The words that audits and summaries print, as `audit --explain` is asked for them.
#pragma once

#include <string_view>
#include <vector>

#include "semveil/audit_figures.h"

namespace semveil::cli {

// What the word stands for, letter case and blanks around it apart; empty: it is printed nowhere.
std::vector<const FigureExplanation*> explain_word(std::string_view word);

}  // namespace semveil::cli
