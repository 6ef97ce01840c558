// What every function that works is told beside its tables.
#pragma once

#include "work.h"

namespace semveil::python {

inline WorkOptions work_options(unsigned threads, const Working& working) {
  WorkOptions out;
  out.threads = threads;
  out.progress = working.progress;
  out.stop = working.stop;
  return out;
}

}  // namespace semveil::python
