#include "telling.h"

#include <fmt/format.h>

#include "text_table.h"

namespace semveil::cli {

std::string telling_warning(const std::vector<Survey::PassedThrough>& columns) {
  std::string pairs;
  for (const Survey::PassedThrough& column : columns) {
    for (const Survey::PassedThrough::Told& told : column.tells) {
      pairs += fmt::format("{}{} tells {} in {:.2f} % of the records", pairs.empty() ? "" : "; ",
                           name_cell(column.name), name_cell(told.column), 100 * told.records);
    }
  }
  if (pairs.empty()) return "";
  return wrapped(
      "WARNING  ",
      fmt::format(
          "NOT MASKED, AND TELLS WHAT IS MASKED: {}. Whoever knows which values go together "
          "reads the hidden one from the other. Mask the column, too, or declare it an "
          "identifier (it is dropped); if it must stay, masking the other hides little.",
          pairs));
}

Json telling_json(const std::vector<Survey::PassedThrough>& columns) {
  Json json = Json::object();
  for (const Survey::PassedThrough& column : columns) {
    for (const Survey::PassedThrough::Told& told : column.tells) {
      json[column.name].push_back({{"column", told.column}, {"records", told.records}});
    }
  }
  return json;
}

}  // namespace semveil::cli
