// Numbers, texts and lists as bytes, and back: what goes from one process to another.
//
//   ByteWriter out;  out.number(3);  out.text("lion");
//   const std::string bytes = sealed(form, std::move(out).take());
//   …
//   const Result<std::string_view> body = unsealed(form, bytes);
//   ByteReader in(*body);  in.number();  in.text();  if (!in.is_done()) …
//
// Bytes that are not what a writer made are no reason to crash: a reader that has come to its end
// gives zeros and empty texts from then on, and is_done() is false.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/result.h"

namespace semveil {

static_assert(std::endian::native == std::endian::little);

class ByteWriter {
 public:
  void number(std::uint64_t number);  // 7 bits a byte: small ones are short
  void real(double number);
  void text(std::string_view text);
  template <class Number>  // of fixed width
  void numbers(std::span<const Number> numbers) {
    number(numbers.size());
    raw(numbers.data(), numbers.size_bytes());
  }
  std::string take() && { return std::move(bytes_); }

 private:
  void raw(const void* from, std::size_t size);
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}  // they outlive it

  std::uint64_t number();
  double real();
  std::string_view text();
  std::string_view utf8();  // a text as tables have them; any other is refused
  // How many things follow, each of at least `size` bytes: never more than there can be.
  std::size_t count(std::size_t size = 1);
  template <class Number>
  std::vector<Number> numbers() {
    std::vector<Number> out(count(sizeof(Number)));
    raw(out.data(), out.size() * sizeof(Number));
    return out;
  }
  // What was read makes no sense: from here on there is nothing to read.
  void refuse();
  bool is_sound() const { return sound_; }
  bool is_done() const { return sound_ && rest_.empty(); }

 private:
  void raw(void* to, std::size_t size);
  std::string_view rest_;
  bool sound_ = true;
};

struct ByteForm {
  std::string_view name;   // in errors: "a part of a survey"
  std::string_view magic;  // 8 bytes
  std::uint32_t version = 1;
};

// Magic, version, checksum (XXH3-128), body. The checksum finds accidents, not forgers.
std::string sealed(const ByteForm& form, std::string_view body);
// The body, a view of `bytes`.
Result<std::string_view> unsealed(const ByteForm& form, std::string_view bytes);
// For a body that cannot be understood though its checksum is right.
Error not_understood(const ByteForm& form);

}  // namespace semveil
