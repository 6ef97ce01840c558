#include "base/words.h"

#include <unicode/uchar.h>

#include "base/text.h"

namespace semveil {
namespace {

bool is_word_character(std::int32_t c) {
  if (c < 0) return false;
  if (c < 0x80) return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return u_isalnum(c) != 0;
}

}  // namespace

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t begin = 0;  // of the word at hand
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t here = at;
    if (is_word_character(next_code_point(text, at))) continue;
    if (here > begin) words.push_back(text.substr(begin, here - begin));
    if (at == here) ++at;
    begin = at;
  }
  if (begin < text.size()) words.push_back(text.substr(begin));
  return words;
}

}  // namespace semveil
