// What each file of the module adds to it.
#pragma once

#include <nanobind/nanobind.h>

namespace semveil::python {

void bind_table(nanobind::module_& core);
void bind_plan(nanobind::module_& core);
void bind_ontology(nanobind::module_& core);
void bind_release(nanobind::module_& core);
void bind_figures(nanobind::module_& core);
void bind_methods(nanobind::module_& core);

}  // namespace semveil::python
