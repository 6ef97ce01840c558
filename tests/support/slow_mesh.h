// The MeSH tree read the slow and obvious way, for comparison with the loader.
#pragma once

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

namespace semveil::test {

struct SlowMesh {
  std::map<std::string, std::string> names;              // by UI
  std::map<std::string, std::string> at;                 // UI by tree number
  std::map<std::string, std::set<std::string>> parents;  // UIs by UI
};

// Lines "number TAB ui TAB name" below a header.
inline SlowMesh slow_mesh_tree(const std::string& text) {
  SlowMesh mesh;
  std::istringstream lines(text);
  std::string number, ui, name;
  std::getline(lines, name);
  while (std::getline(lines, number, '\t') && std::getline(lines, ui, '\t') &&
         std::getline(lines, name)) {
    mesh.at[number] = ui;
    mesh.names[ui] = name;
  }
  for (const auto& [position, own] : mesh.at) {
    mesh.parents[own];
    const std::size_t dot = position.rfind('.');
    if (dot == std::string::npos) continue;
    const std::string above = mesh.at.at(position.substr(0, dot));
    if (above != own) mesh.parents[own].insert(above);
  }
  return mesh;
}

}  // namespace semveil::test
