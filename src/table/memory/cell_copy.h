// Cells of any type, copied one by one: of records that are left when others are dropped, that lose
// a cell, or that get another order. A copy holds its cells and nothing else.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "semveil/arrow_c.h"
#include "semveil/result.h"
#include "table/memory/field_type.h"
#include "table/memory/held.h"

namespace semveil {

class CellCopy {
 public:
  // `type` outlives it.
  explicit CellCopy(const FieldType& type);

  // Arrays live until the copy is taken.
  Status add(const ArrowArray& array, std::int64_t row);
  void add_null();
  std::int64_t size() const { return size_; }
  Status finish(ArrowArray* out);

 private:
  Status add_cell(const ArrowArray& array, std::int64_t row);
  Status add_index(const ArrowArray& array, std::int64_t row);
  Status add_children(const ArrowArray& array, std::int64_t row);
  Status add_of_union(const ArrowArray& array, std::int64_t row);
  Status add_of_run(const ArrowArray& array, std::int64_t row);
  void add_bytes(std::string_view bytes);
  void add_number(std::int64_t number);  // `width` bytes of it
  void note_valid(bool valid);

  const FieldType& type_;
  std::int64_t size_ = 0, nulls_ = 0;
  std::vector<unsigned char> valid_;  // bits
  std::vector<unsigned char> fixed_;  // cells, indices, bits, views, type ids
  std::vector<std::int64_t> ends_;    // of bytes and lists: offsets; of dense unions: places
  std::vector<char> bytes_;
  std::vector<CellCopy> children_;
  std::unique_ptr<CellCopy> dictionary_;
  // Of each dictionary that came: where its values are in ours.
  std::map<const ArrowArray*, std::vector<std::int64_t>> places_;
};

}  // namespace semveil
