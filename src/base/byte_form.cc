#include "base/byte_form.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <cstring>

#include "base/text.h"

namespace semveil {
namespace {

constexpr std::size_t kVersionBytes = sizeof(std::uint32_t);
constexpr std::size_t kChecksumBytes = sizeof(XXH128_canonical_t);

std::string checksum(std::string_view body) {
  XXH128_canonical_t bytes;
  XXH128_canonicalFromHash(&bytes, XXH3_128bits(body.data(), body.size()));
  return {reinterpret_cast<const char*>(&bytes), sizeof bytes};
}

}  // namespace

void ByteWriter::number(std::uint64_t number) {
  for (; number >= 0x80; number >>= 7U) bytes_ += static_cast<char>(number | 0x80U);
  bytes_ += static_cast<char>(number);
}

void ByteWriter::real(double number) { raw(&number, sizeof number); }

void ByteWriter::text(std::string_view text) {
  number(text.size());
  raw(text.data(), text.size());
}

void ByteWriter::raw(const void* from, std::size_t size) {
  bytes_.append(static_cast<const char*>(from), size);
}

void ByteReader::refuse() {
  sound_ = false;
  rest_ = {};
}

std::uint64_t ByteReader::number() {
  std::uint64_t out = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    unsigned char byte = 0;
    raw(&byte, 1);
    if (!sound_ || (shift == 63 && byte > 1)) break;
    out |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return out;
  }
  refuse();
  return 0;
}

double ByteReader::real() {
  double out = 0;
  raw(&out, sizeof out);
  return out;
}

std::string_view ByteReader::text() {
  const std::string_view out = rest_.substr(0, count());
  rest_.remove_prefix(out.size());
  return out;
}

std::string_view ByteReader::utf8() {
  const std::string_view out = text();
  if (find_invalid_utf8(out) == std::string_view::npos) return out;
  refuse();
  return {};
}

std::size_t ByteReader::count(std::size_t size) {
  const std::uint64_t count = number();
  if (count <= rest_.size() / size) return static_cast<std::size_t>(count);
  refuse();
  return 0;
}

void ByteReader::raw(void* to, std::size_t size) {
  if (size > rest_.size()) return refuse();
  if (size > 0) std::memcpy(to, rest_.data(), size);
  rest_.remove_prefix(size);
}

std::string sealed(const ByteForm& form, std::string_view body) {
  std::string bytes(form.magic);
  bytes.append(reinterpret_cast<const char*>(&form.version), kVersionBytes);
  bytes += checksum(body);
  bytes += body;
  return bytes;
}

Result<std::string_view> unsealed(const ByteForm& form, std::string_view bytes) {
  if (!bytes.starts_with(form.magic)) {
    return fail(data_error(fmt::format("these bytes are not {}", form.name)));
  }
  bytes.remove_prefix(form.magic.size());
  std::uint32_t version = 0;
  if (bytes.size() < kVersionBytes + kChecksumBytes) return fail(not_understood(form));
  std::memcpy(&version, bytes.data(), kVersionBytes);
  if (version != form.version) {
    return fail(data_error(
        fmt::format("{} was written by another version of semveil: make it again", form.name)));
  }
  const std::string_view told = bytes.substr(kVersionBytes, kChecksumBytes);
  const std::string_view body = bytes.substr(kVersionBytes + kChecksumBytes);
  if (told != checksum(body)) return fail(not_understood(form));
  return body;
}

Error not_understood(const ByteForm& form) {
  return data_error(fmt::format("the bytes of {} are damaged: make it again", form.name));
}

}  // namespace semveil
