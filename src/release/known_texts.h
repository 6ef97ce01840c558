// Which of a few known texts a text is, for checks of every cell of a table.
//
// Texts of up to sixteen bytes lie in a table of their own, the words beside their mark, so that a
// look-up is one cache line; others in a Dictionary.
//
// Cost: about 12 ns a look-up with what finds the text, as the verifier asks it.
#pragma once

#include <bit>
#include <optional>
#include <string_view>
#include <vector>

#include "semveil/table.h"
#include "table/short_text.h"

namespace semveil {

class KnownTexts {
 public:
  using Mark = std::uint32_t;
  static constexpr Mark kUnknown = 0xFFFFFFFF;

  // Of a text that stands there twice the last mark counts.
  explicit KnownTexts(const std::vector<std::pair<std::string_view, Mark>>& texts)
      : slots_(std::bit_ceil(texts.size() * 4 + 1)) {
    for (const auto& [text, mark] : texts) {
      if (text.size() > ShortText::kSize) {
        const Code code = long_texts_.add(text, 0);
        long_marks_.resize(std::max<std::size_t>(long_marks_.size(), code + std::size_t{1}));
        long_marks_[code] = mark;
        continue;
      }
      const ShortText words = ShortText::of(text);
      std::size_t at = place(words, text.size());
      const auto is_other = [&](const Slot& slot) {
        return slot.size != kFree && !(slot.words == words && slot.size == text.size());
      };
      while (is_other(slots_[at])) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = {words, static_cast<std::uint32_t>(text.size()), mark};
    }
  }

  Mark find(std::string_view text) const {
    if (text.size() <= ShortText::kSize) return find(ShortText::of(text), text.size());
    const std::optional<Code> code = long_texts_.find(text);
    return code ? long_marks_[*code] : kUnknown;
  }
  // Of a text no longer than that.
  Mark find(ShortText words, std::size_t size) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = place(words, size);; at = (at + 1) & mask) {
      const Slot& slot = slots_[at];
      if (slot.words == words && slot.size == size) return slot.mark;
      if (slot.size == kFree) return kUnknown;
    }
  }

 private:
  // Two products that do not wait for each other; their upper bits are the better mixed ones.
  std::size_t place(ShortText words, std::size_t size) const {
    const std::uint64_t mixed =
        words.first * 0x9E3779B97F4A7C15 ^ (words.second + size) * 0xD6E8FEB86659FD93;
    return (mixed >> 32U) & (slots_.size() - 1);
  }

  static constexpr std::uint32_t kFree = 0xFFFFFFFF;
  struct alignas(32) Slot {  // never in two cache lines
    ShortText words{0, 0};
    std::uint32_t size = kFree;
    Mark mark = kUnknown;
  };

  std::vector<Slot> slots_;  // a power of two, a quarter used at most
  Dictionary long_texts_;
  std::vector<Mark> long_marks_;
};

}  // namespace semveil
