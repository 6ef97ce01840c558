#include "base/locked_slots.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstring>
#include <functional>
#include <mutex>
#include <new>
#include <vector>

namespace semveil {
namespace {

// What fits a page of 4 KiB beside the 16 bytes by which sodium_free() sees whether something wrote
// before them.
constexpr std::size_t kSlotsOfPage = 127;

class Page {
 public:
  Page() : bytes_(static_cast<unsigned char*>(sodium_malloc(kSlotsOfPage * kSlotBytes))) {
    if (bytes_ == nullptr) throw std::bad_alloc();
  }

  unsigned char* take() {  // null: all slots are taken
    if (taken_.all()) return nullptr;
    std::size_t slot = 0;
    while (taken_[slot]) ++slot;
    taken_.set(slot);
    unsigned char* const bytes = bytes_ + slot * kSlotBytes;
    std::memset(bytes, 0, kSlotBytes);
    return bytes;
  }
  bool holds(const unsigned char* slot) const {
    const std::less<> before;
    return !before(slot, bytes_) && before(slot, bytes_ + kSlotsOfPage * kSlotBytes);
  }
  void give_back(unsigned char* slot) {
    sodium_memzero(slot, kSlotBytes);
    taken_.reset(static_cast<std::size_t>(slot - bytes_) / kSlotBytes);
  }
  bool is_empty() const { return taken_.none(); }
  void free() { sodium_free(bytes_); }

 private:
  unsigned char* bytes_;
  std::bitset<kSlotsOfPage> taken_;
};

struct Pages {
  std::mutex mutex;
  std::vector<Page> pages;
};

// Never destroyed: keys in static objects go after it.
Pages& all_pages() {
  static auto* const pages = new Pages;
  return *pages;
}

}  // namespace

unsigned char* take_locked_slot() {
  // A failure leaves the portable code of libsodium, which gives the same bytes.
  [[maybe_unused]] static const int started = sodium_init();
  Pages& all = all_pages();
  const std::lock_guard lock(all.mutex);
  // The last page is the likeliest to have room.
  for (auto page = all.pages.rbegin(); page != all.pages.rend(); ++page) {
    if (unsigned char* const slot = page->take(); slot != nullptr) return slot;
  }
  all.pages.reserve(all.pages.size() + 1);
  return all.pages.emplace_back().take();
}

void give_back_locked_slot(unsigned char* slot) {
  Pages& all = all_pages();
  const std::lock_guard lock(all.mutex);
  const auto page =
      std::ranges::find_if(all.pages, [slot](const Page& each) { return each.holds(slot); });
  page->give_back(slot);
  if (!page->is_empty()) return;
  page->free();
  all.pages.erase(page);
}

}  // namespace semveil
