#include "release/set_cells.h"

#include <nlohmann/json.hpp>

namespace semveil {

bool SetCells::split(std::string_view cell, std::vector<std::string_view>& texts) {
  texts.clear();
  if (form_.kind == SetForm::Kind::kList) return split_list(cell, texts);
  split_joined(cell, texts);
  return true;
}

void SetCells::split_joined(std::string_view cell, std::vector<std::string_view>& texts) const {
  for (;;) {
    const std::size_t end = form_.separator.size() == 1 ? cell.find(form_.separator.front())
                                                        : cell.find(form_.separator);
    texts.push_back(cell.substr(0, end));
    if (end == std::string_view::npos) return;
    cell.remove_prefix(end + form_.separator.size());
  }
}

bool SetCells::split_list(std::string_view cell, std::vector<std::string_view>& texts) {
  unescaped_.clear();
  const nlohmann::json list = nlohmann::json::parse(cell, nullptr, false);
  if (!list.is_array()) return false;
  for (const nlohmann::json& text : list) {
    if (!text.is_string()) return false;
    texts.push_back(unescaped_.emplace_back(text.get_ref<const std::string&>()));
  }
  return true;
}

}  // namespace semveil
