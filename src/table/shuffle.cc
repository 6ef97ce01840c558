#include "table/shuffle.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/growing.h"

namespace semveil {
namespace {

constexpr std::uint64_t kPartBytes = std::uint64_t{64} << 20;
constexpr unsigned kMostBits = 8, kUnknownBits = 6;
constexpr std::size_t kPartBuffer = std::size_t{1} << 16;

// Before every row in a part.
struct RowHead {
  std::uint64_t draw;
  std::uint64_t size;
};

}  // namespace

Result<Shuffle> Shuffle::create(const Key& key, std::uint64_t table_bytes,
                                const std::string& temp_folder) {
  const unsigned bits =
      table_bytes == 0
          ? kUnknownBits
          : std::min(kMostBits, static_cast<unsigned>(std::bit_width(table_bytes / kPartBytes)));
  Shuffle shuffle(key, bits);
  for (std::size_t i = 0; i < std::size_t{1} << bits; ++i) {
    auto part = Spool::create(temp_folder, kPartBuffer);
    if (!part) return fail(part.error());
    shuffle.parts_.push_back(std::move(*part));
  }
  return shuffle;
}

Status Shuffle::add(std::uint64_t first_row, std::string_view bytes,
                    std::span<const std::uint32_t> row_ends) {
  row_draws_.resize(row_ends.size());
  draws_.of_rows(first_row, 0, row_draws_);
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < row_ends.size(); ++i) {
    const std::uint32_t end = row_ends[i];
    const RowHead head{row_draws_[i], end - begin};
    Spool& part = *parts_[bits_ == 0 ? 0 : head.draw >> (64 - bits_)];
    std::array<char, sizeof head> head_bytes;
    std::memcpy(head_bytes.data(), &head, sizeof head);
    if (Status put = part.append({head_bytes.data(), head_bytes.size()}); !put) return put;
    if (Status put = part.append(bytes.substr(begin, end - begin)); !put) return put;
    begin = end;
  }
  return {};
}

Status Shuffle::write_to(PackedFile& file) {
  struct Row {
    std::uint64_t draw;
    const char* bytes;
    std::uint64_t size;
  };
  Growing<char> part, shuffled;
  std::vector<Row> rows;
  for (std::shared_ptr<Spool>& spool : parts_) {
    if (Status done = spool->finish(); !done) return done;
    part.set_size(0);
    part.make_room(spool->size());
    while (part.size() < spool->size()) {
      const auto got =
          spool->read(part.size(), part.data() + part.size(), spool->size() - part.size());
      if (!got) return fail(got.error());
      if (*got == 0) return fail(system_error("a temporary file ended too early"));
      part.set_size(part.size() + *got);
    }
    rows.clear();
    for (std::size_t at = 0; at < part.size();) {
      RowHead head;
      std::memcpy(&head, part.data() + at, sizeof head);
      at += sizeof head;
      rows.push_back({head.draw, part.data() + at, head.size});
      at += head.size;
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row& a, const Row& b) { return a.draw < b.draw; });
    shuffled.set_size(0);
    for (const Row& row : rows) shuffled.append(row.bytes, row.size);
    if (Status put = file.append({shuffled.data(), shuffled.size()}); !put) return put;
    spool.reset();  // its disk space is free again
  }
  return {};
}

}  // namespace semveil
