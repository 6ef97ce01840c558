#include "errors.h"

#include <nanobind/stl/string.h>

namespace semveil::python {
namespace {

std::string_view class_of(const Error& error, bool of_plan) {
  switch (error.code) {
    case ErrorCode::kGuarantee:
      return "GuaranteeError";
    case ErrorCode::kData:
      return of_plan ? "PlanError" : "DataError";
    case ErrorCode::kUsage:
      return of_plan ? "PlanError" : "UsageError";
    default:
      return "SemveilError";
  }
}

// Messages come from files, too: what is not UTF-8 is mended.
nb::object text(std::string_view bytes) {
  return nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()),
                                        "backslashreplace"));
}

}  // namespace

void raise(Error error, const About& about) {
  const bool in_plan = !about.plan.empty() && error.place.file == about.plan;
  if (in_plan && about.is_text) {
    error.place.file.clear();
    error.place.line = 0;
  }
  nb::dict place;
  place["code"] = static_cast<int>(error.code);
  if (!error.place.file.empty()) place["file"] = text(error.place.file);
  if (error.place.line != 0) place["line"] = error.place.line;
  if (!error.place.column.empty()) place["column"] = text(error.place.column);
  if (!error.value.empty()) place["value"] = text(error.value);
  if (!error.hint.empty()) place["hint"] = text(error.hint);
  const std::string_view name = class_of(error, about.is_plan || in_plan);
  const nb::object make =
      nb::module_::import_("semveil.errors").attr(nb::str(name.data(), name.size()));
  const nb::object raised = make(text(describe(error, Quote::kHide)), text(error.message), **place);
  PyErr_SetObject(raised.type().ptr(), raised.ptr());
  throw nb::python_error();
}

}  // namespace semveil::python
