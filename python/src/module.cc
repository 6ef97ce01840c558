// semveil._core: the library as Python sees it. The package around it (python/semveil) knows data
// frames; this knows Arrow's C data interface, and nothing else of Python's world.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "bind.h"
#include "semveil/remedy.h"
#include "work.h"

NB_MODULE(_core, core) {
  using namespace semveil::python;
  core.attr("version") = SEMVEIL_VERSION;
  bind_table(core);
  bind_plan(core);
  bind_ontology(core);
  bind_release(core);
  bind_figures(core);
  bind_methods(core);
  core.def("remedy_of", [](const std::string& message) {
    return semveil::remedy_of(semveil::data_error(message));
  });
  core.def("end_all_work", &end_all_work);
  core.def("forget_all_work", &forget_all_work);
}
