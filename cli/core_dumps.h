// What is in memory stays there.
#pragma once

namespace semveil::cli {

// No core dump, and no other process of the same user may look into this one: keys and cells are in
// its memory. Where the system refuses, nothing is said, as nothing can be done about it.
void forbid_core_dumps();

}  // namespace semveil::cli
