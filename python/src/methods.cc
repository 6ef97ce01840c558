// What the methods say of themselves: the package makes its transformers of it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <array>

#include "bind.h"
#include "semveil/method.h"

namespace semveil::python {

namespace nb = nanobind;

namespace {

std::string_view type_name(KeyType type) {
  switch (type) {
    case KeyType::kFlag:
      return "bool";
    case KeyType::kWhole:
      return "int";
    case KeyType::kNumber:
      return "float";
    case KeyType::kChoice:
    case KeyType::kText:
      return "str";
    case KeyType::kPairs:
      return "list of pairs of columns";
    case KeyType::kRows:
      return "list of lists of float";
    case KeyType::kByColumn:
      return "dict of float by column";
    case KeyType::kCategories:
      return "file, or dict";
  }
  return "";
}

nb::dict key_dict(const MethodKey& key) {
  nb::dict out;
  out["name"] = key.name;
  out["type"] = type_name(key.type);
  out["help"] = key.help;
  out["default"] = default_text(key);
  out["usual"] = key.usual;
  out["needed"] = key.needed;
  nb::list choices;
  for (const std::string_view choice : key.choices) choices.append(choice);
  out["choices"] = choices;
  return out;
}

nb::dict method_dict(const MethodDescription& about) {
  nb::dict out;
  out["name"] = about.name;
  out["promise"] = about.promise;
  out["no_promise"] = about.no_promise;
  out["draws_per_cell"] = about.draws_per_cell();
  out["looks_up"] = about.looks_up();
  out["deals"] = about.deals();
  out["recodes"] = about.recodes();
  out["releases_sets"] = about.releases_sets;
  out["takes_concepts"] = about.takes_concepts;
  out["takes_numbers"] = about.takes_numbers;
  out["takes_dates"] = about.takes_dates;
  out["takes_texts"] = about.takes_texts;
  nb::list keys;
  for (const MethodKey& key : about.keys) keys.append(key_dict(key));
  out["keys"] = keys;
  return out;
}

}  // namespace

void bind_methods(nb::module_& core) {
  core.def("methods", [] {
    nb::list out;
    for (const Method* const method : methods()) out.append(method_dict(method->about()));
    return out;
  });
}

}  // namespace semveil::python
