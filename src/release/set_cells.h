// Cells of sets, taken apart again: the way back from SetForm.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/table.h"

namespace semveil {

class SetCells {
 public:
  explicit SetCells(SetForm form) : form_(std::move(form)) {}

  // The texts of a joined cell, or of a JSON array of texts; false: it is none. They live as long
  // as the cell, or until the next call.
  bool split(std::string_view cell, std::vector<std::string_view>& texts);

 private:
  void split_joined(std::string_view cell, std::vector<std::string_view>& texts) const;
  bool split_list(std::string_view cell, std::vector<std::string_view>& texts);

  SetForm form_;
  std::deque<std::string> unescaped_;
};

}  // namespace semveil
