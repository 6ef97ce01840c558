#include "core_dumps.h"

#include <sys/prctl.h>
#include <sys/resource.h>

namespace semveil::cli {

void forbid_core_dumps() {
  const rlimit none{.rlim_cur = 0, .rlim_max = 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::prctl(PR_SET_DUMPABLE, 0);
}

}  // namespace semveil::cli
