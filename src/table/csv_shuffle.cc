#include "table/csv_shuffle.h"

#include <cstring>
#include <vector>

#include "base/growing.h"

namespace semveil {
namespace {

constexpr std::size_t kPartBuffer = std::size_t{1} << 16;

// Before every row in a part.
struct RowHead {
  std::uint64_t row;
  std::uint64_t size;
};

Status read_whole(const Spool& spool, Growing<char>& bytes) {
  bytes.set_size(0);
  bytes.make_room(spool.size());
  while (bytes.size() < spool.size()) {
    const auto got =
        spool.read(bytes.size(), bytes.data() + bytes.size(), spool.size() - bytes.size());
    if (!got) return fail(got.error());
    if (*got == 0)
      return fail(
          system_error("a temporary file ended too early: look at the disk, or choose another "
                       "folder for temporary files"));
    bytes.set_size(bytes.size() + *got);
  }
  return {};
}

}  // namespace

Status CsvShuffle::add(std::uint64_t first_row, std::string_view bytes,
                       std::span<const std::uint32_t> row_ends) {
  const std::vector<std::uint8_t> parts = order_.parts(first_row, row_ends.size());
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < row_ends.size(); ++i) {
    std::shared_ptr<Spool>& part = parts_[parts[i]];
    if (!part) {
      auto spool = Spool::create(temp_folder_, kPartBuffer);
      if (!spool) return fail(spool.error());
      part = std::move(*spool);
    }
    const RowHead head{first_row + i, row_ends[i] - begin};
    std::array<char, sizeof head> head_bytes;
    std::memcpy(head_bytes.data(), &head, sizeof head);
    if (Status put = part->append({head_bytes.data(), head_bytes.size()}); !put) return put;
    if (Status put = part->append(bytes.substr(begin, head.size)); !put) return put;
    begin = row_ends[i];
  }
  return {};
}

Status CsvShuffle::write_to(WriteBehind& file) {
  Growing<char> part, shuffled;
  std::vector<std::uint64_t> rows;
  std::vector<std::string_view> lines;
  for (std::shared_ptr<Spool>& spool : parts_) {
    if (!spool) continue;
    if (Status done = spool->finish(); !done) return done;
    if (Status read = read_whole(*spool, part); !read) return read;
    spool.reset();  // its disk space is free again
    rows.clear();
    lines.clear();
    for (std::size_t at = 0; at < part.size();) {
      RowHead head;
      std::memcpy(&head, part.data() + at, sizeof head);
      at += sizeof head;
      rows.push_back(head.row);
      lines.emplace_back(part.data() + at, head.size);
      at += head.size;
    }
    shuffled.set_size(0);
    for (const std::uint32_t place : order_.order(rows)) {
      shuffled.append(lines[place].data(), lines[place].size());
    }
    if (Status put = file.append(std::string_view(shuffled.data(), shuffled.size())); !put)
      return put;
  }
  return {};
}

}  // namespace semveil
