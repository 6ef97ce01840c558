// Tables on their way in and out: whatever has __arrow_c_stream__, columns of buffers, or a path.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>

#include "errors.h"
#include "semveil/memory_table.h"
#include "semveil/table.h"

namespace semveil::python {

// A table that was handed over, to be opened once, on any thread.
class GivenTable {
 public:
  // A path, or an object that is asked for its stream now. `name`: what messages call it.
  GivenTable(const nb::object& table, std::string name);
  ~GivenTable();
  GivenTable(const GivenTable&) = delete;
  GivenTable& operator=(const GivenTable&) = delete;

  Result<Table> open(const TableOptions& options);
  const std::string& name() const { return name_; }

 private:
  std::string name_, path_;
  ArrowArrayStream stream_{};
};

// A capsule that owns the stream that `fill` makes.
nb::object stream_capsule(const std::function<Status(ArrowArrayStream*)>& fill);

}  // namespace semveil::python
