// Where keys stand: slots of 32 bytes in pages that are not swapped out where the system allows it,
// each page between two that cannot be touched.
//
// Many keys share a page: a system locks only so many pages (RLIMIT_MEMLOCK may be two), and has
// only so many mappings (65,530 on Linux, of which a page of its own takes three), while a table
// has two keys for each masked column.
#pragma once

#include <cstddef>

namespace semveil {

inline constexpr std::size_t kSlotBytes = 32;

// All zero. Throws std::bad_alloc where there is no memory. Thread-safe.
unsigned char* take_locked_slot();
// Wipes it; a page that holds nothing more goes back to the system.
void give_back_locked_slot(unsigned char* slot);

}  // namespace semveil
