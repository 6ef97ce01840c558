// What the fuzz targets of whole tables share: choices taken off the bytes, tables in memory, and
// what came out of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/touch.h"
#include "semveil/memory_table.h"
#include "table/memory/held.h"

namespace semveil::fuzz {

// Small numbers from the front of the bytes; zeros once there are none.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : rest_(bytes) {}

  std::size_t below(std::size_t limit) { return byte() % limit; }
  bool flag() { return below(2) == 1; }
  template <class List>
  auto one_of(const List& list) {
    return list[below(std::size(list))];
  }
  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const char first = rest_.front();
    rest_.remove_prefix(1);
    return static_cast<std::uint8_t>(first);
  }
  std::string_view text(std::size_t most) {
    const std::string_view taken = rest_.substr(0, most);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  bool is_empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

struct TextColumn {
  std::string name;
  std::vector<std::optional<std::string>> cells;
};

// A batch of the C data interface, moved from by whoever takes it, else released.
struct OwnedBatch {
  Owned<ArrowSchema> schema;
  Owned<ArrowArray> array;
};

inline ArrowArray array_of(const TextColumn& column, std::size_t first, std::size_t end) {
  auto held = std::make_unique<HeldArray>();
  std::vector<unsigned char> valid((end - first + 7) / 8);
  std::vector<std::int32_t> ends{0};
  std::string bytes;
  for (std::size_t row = first; row < end; ++row) {
    const std::optional<std::string>& cell = column.cells[row];
    if (cell) valid[(row - first) / 8] |= static_cast<unsigned char>(1U << ((row - first) % 8));
    bytes += cell.value_or("");
    ends.push_back(static_cast<std::int32_t>(bytes.size()));
  }
  held->add_buffer(std::move(valid));
  held->add_buffer(std::move(ends));
  held->add_buffer(std::vector<char>(bytes.begin(), bytes.end()));
  ArrowArray out{};
  HeldArray::give(std::move(held), static_cast<std::int64_t>(end - first), -1, &out);
  return out;
}

inline OwnedBatch batch_of(const std::vector<TextColumn>& columns, std::size_t first,
                           std::size_t end) {
  auto types = std::make_unique<HeldSchema>();
  auto arrays = std::make_unique<HeldArray>();
  types->format = "+s";
  arrays->add_no_buffer();
  for (const TextColumn& column : columns) {
    auto type = std::make_unique<HeldSchema>();
    type->format = "u";
    type->name = column.name;
    HeldSchema::give(std::move(type), ARROW_FLAG_NULLABLE, &types->children.emplace_back());
    arrays->children.push_back(array_of(column, first, end));
  }
  ArrowSchema schema{};
  ArrowArray array{};
  HeldSchema::give(std::move(types), 0, &schema);
  HeldArray::give(std::move(arrays), static_cast<std::int64_t>(end - first), 0, &array);
  return {Owned<ArrowSchema>(&schema), Owned<ArrowArray>(&array)};
}

inline std::size_t rows_of(const std::vector<TextColumn>& columns) {
  return columns.empty() ? 0 : columns.front().cells.size();
}

inline Result<Table> table_of(const std::vector<TextColumn>& columns,
                              const TableOptions& options = {}) {
  OwnedBatch whole = batch_of(columns, 0, rows_of(columns));
  return table_from(whole.schema.get(), whole.array.get(), options);
}

// Every column that has texts; nulls are nothing.
inline std::vector<TextColumn> cells_of(const Table& table) {
  std::vector<TextColumn> out;
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < table.columns().size(); ++i) {
    out.push_back({table.columns()[i], {}});
    wanted.push_back(i);
  }
  std::vector<Dictionary> dictionaries(wanted.size());
  const auto source = table.read(wanted);
  require(source.has_value());
  for (;;) {
    const auto batch = (*source)->next(dictionaries);
    require(batch.has_value());
    if (!*batch) return out;
    for (const std::size_t i : wanted) {
      for (const auto& cell : (*batch)->texts(i)) {
        out[i].cells.push_back(cell ? std::optional<std::string>(*cell) : std::nullopt);
      }
    }
  }
}

inline bool is_alike(const std::vector<TextColumn>& a, const std::vector<TextColumn>& b) {
  return std::ranges::equal(a, b, [](const TextColumn& x, const TextColumn& y) {
    return x.name == y.name && x.cells == y.cells;
  });
}

inline void require_sentence(const Error& error) {
  require(!error.message.empty());
  static_cast<void>(describe(error, Quote::kShow));
}

}  // namespace semveil::fuzz
