// Distinct texts and their codes: open addressing over codes, texts in an arena.
//
// A slot holds a code and half of its hash, so that a probe rarely looks at a text in vain. Texts
// of up to sixteen bytes, most cells, are hashed and compared as two words. The hash is seeded at
// random against tables made to collide; codes do not depend on it.
//
// Cost: about 6 ns a look-up while the dictionary stays in the cache; about 90 bytes and the text
// each.
#include <xxhash.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <random>

#include "semveil/table.h"
#include "table/short_text.h"

namespace semveil {
namespace {

// Small at first: a table may have very many columns.
constexpr std::size_t kFirstSlots = 16;
constexpr std::size_t kFirstPage = std::size_t{1} << 7;
constexpr std::size_t kLastPage = std::size_t{1} << 20;

// Nobody outside this run knows it, which is enough.
std::uint64_t seed_of_run() {
  static const std::uint64_t seed = [] {
    std::random_device device;
    return std::uint64_t{device()} << 32 | device();
  }();
  return seed;
}

}  // namespace

class Dictionary::Impl {
 public:
  Impl() : seed_(seed_of_run()), slots_(kFirstSlots) {}

  std::size_t size() const { return entries_.size(); }
  std::string_view text(Code code) const { return entries_[code].text; }
  std::uint64_t line(Code code) const { return lines_[code]; }

  std::optional<Code> find(std::string_view text) const {
    const ShortText words = ShortText::of(text);
    const Slot& slot = slots_[place(text, words, hash(text, words))];
    return slot.code == kFree ? std::nullopt : std::optional(slot.code);
  }

  Code add(std::string_view text, ShortText words, std::uint64_t line) {
    const std::uint64_t hashed = hash(text, words);
    const std::size_t at = place(text, words, hashed);
    return slots_[at].code != kFree ? slots_[at].code : add_new(text, words, hashed, line);
  }
  // In rounds, so that no text waits for another one's memory, and without branches: which slot a
  // text stands in cannot be foretold. It mostly is the first or the second.
  std::uint64_t find_padded(std::span<const std::string_view> texts, std::span<Code> codes) const {
    assert(texts.size() <= kAtOnce && texts.size() <= codes.size());
    struct {
      ShortText words;
      std::size_t at;
      std::uint32_t tag;
    } sought[kAtOnce];
    std::uint64_t lost = 0;
    if (entries_.empty()) return texts.empty() ? lost : ~lost >> (kAtOnce - texts.size());
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const ShortText words = ShortText::of_padded(texts[i]);
      const std::uint64_t hashed = hash(texts[i], words);
      sought[i] = {words, first_place(hashed), tag(hashed)};
      __builtin_prefetch(&slots_[sought[i].at]);
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const Slot first = slots_[sought[i].at], second = slots_[(sought[i].at + 1) & mask];
      const bool is_first = first.tag == sought[i].tag && first.code != kFree;
      const bool is_second = second.tag == sought[i].tag && second.code != kFree;
      codes[i] = is_first ? first.code : is_second ? second.code : 0;
      lost |= std::uint64_t{!is_first && !is_second} << i;
      __builtin_prefetch(&entries_[codes[i]]);
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
      lost |= std::uint64_t{!same(entries_[codes[i]], texts[i], sought[i].words)} << i;
    }
    return lost;
  }

 private:
  static constexpr Code kFree = 0xFFFFFFFF;
  struct Slot {
    std::uint32_t tag = 0;
    Code code = kFree;
  };
  struct alignas(32) Entry {  // in one cache line
    ShortText words;
    std::string_view text;
  };

  static std::uint32_t tag(std::uint64_t hashed) {
    return static_cast<std::uint32_t>(hashed >> 32);
  }

  std::uint64_t hash(std::string_view text, ShortText words) const {
    if (text.size() > ShortText::kSize) [[unlikely]] {
      return XXH3_64bits_withSeed(text.data(), text.size(), seed_);
    }
    return words.hash(text.size(), seed_);
  }

  std::size_t first_place(std::uint64_t hashed) const {
    return (hashed >> 20) & (slots_.size() - 1);
  }

  Code add_new(std::string_view text, ShortText words, std::uint64_t hashed, std::uint64_t line) {
    if (entries_.size() * 4 >= slots_.size()) grow();
    const Code code = static_cast<Code>(entries_.size());
    slots_[place(text, words, hashed)] = {tag(hashed), code};
    entries_.push_back({words, keep(text)});
    lines_.push_back(line);
    return code;
  }

  // The slot that holds the text, or the free one it belongs into.
  std::size_t place(std::string_view text, ShortText words, std::uint64_t hashed) const {
    const std::size_t mask = slots_.size() - 1;
    const std::uint32_t wanted = tag(hashed);
    for (std::size_t at = first_place(hashed);; at = (at + 1) & mask) {
      const Slot slot = slots_[at];
      if (slot.code == kFree) return at;
      if (slot.tag == wanted && same(entries_[slot.code], text, words)) return at;
    }
  }

  static bool same(const Entry& entry, std::string_view text, ShortText words) {
    if (entry.text.size() != text.size() || entry.words != words) return false;
    return text.size() <= ShortText::kSize ||
           std::memcmp(entry.text.data(), text.data(), text.size()) == 0;
  }

  void grow() {
    std::vector<Slot> larger(slots_.size() * 2);
    const std::size_t mask = larger.size() - 1;
    for (Code code = 0; code < entries_.size(); ++code) {
      const std::uint64_t hashed = hash(entries_[code].text, entries_[code].words);
      std::size_t at = (hashed >> 20) & mask;
      while (larger[at].code != kFree) at = (at + 1) & mask;
      larger[at] = {tag(hashed), code};
    }
    slots_ = std::move(larger);
  }

  std::string_view keep(std::string_view text) {
    if (text.empty()) return {};
    if (text.size() > room_) {
      page_size_ = pages_.empty() ? kFirstPage : std::min(page_size_ * 2, kLastPage);
      room_ = std::max(page_size_, text.size());
      pages_.push_back(std::make_unique_for_overwrite<char[]>(room_));
      next_ = pages_.back().get();
    }
    char* const kept = next_;
    std::memcpy(kept, text.data(), text.size());
    next_ += text.size();
    room_ -= text.size();
    return {kept, text.size()};
  }

  std::uint64_t seed_;
  std::vector<Slot>
      slots_;  // a power of two; a quarter used at most, so that the first is mostly the one
  std::vector<Entry> entries_;
  std::vector<std::uint64_t> lines_;
  std::vector<std::unique_ptr<char[]>> pages_;
  std::size_t page_size_ = 0;
  char* next_ = nullptr;
  std::size_t room_ = 0;
};

Dictionary::Dictionary() : impl_(std::make_unique<Impl>()) {}
Dictionary::~Dictionary() = default;
Dictionary::Dictionary(Dictionary&&) noexcept = default;
Dictionary& Dictionary::operator=(Dictionary&&) noexcept = default;

std::size_t Dictionary::size() const { return impl_->size(); }
std::string_view Dictionary::text(Code code) const { return impl_->text(code); }
std::uint64_t Dictionary::first_line(Code code) const { return impl_->line(code); }
std::optional<Code> Dictionary::find(std::string_view text) const { return impl_->find(text); }
Code Dictionary::add(std::string_view text, std::uint64_t line) {
  return impl_->add(text, ShortText::of(text), line);
}
std::uint64_t Dictionary::find_padded(std::span<const std::string_view> texts,
                                      std::span<Code> codes) const {
  return impl_->find_padded(texts, codes);
}

}  // namespace semveil
