#include "release/kept_texts.h"

#include <algorithm>

namespace semveil {

std::vector<Code> add_texts(const Dictionary& from, Dictionary& to) {
  std::vector<Code> code_of;
  for (Code code = 0; code < from.size(); ++code) {
    code_of.push_back(to.add(from.text(code), from.first_line(code)));
  }
  return code_of;
}

void write_texts(const Dictionary& texts, ByteWriter& out) {
  out.number(texts.size());
  for (Code code = 0; code < texts.size(); ++code) {
    out.text(texts.text(code));
    out.number(texts.first_line(code));
  }
}

Dictionary read_texts(ByteReader& in) {
  Dictionary texts;
  const std::size_t size = in.count(2);
  for (std::size_t i = 0; i < size && in.is_sound(); ++i) {
    const std::string_view text = in.utf8();
    if (texts.add(text, in.number()) != i) in.refuse();  // a text twice
  }
  return texts;
}

std::vector<Code> read_codes(std::size_t limit, ByteReader& in) {
  std::vector<Code> codes = in.numbers<Code>();
  const auto is_wrong = [&](Code code) { return code != kMissing && code >= limit; };
  if (!std::ranges::any_of(codes, is_wrong)) return codes;
  in.refuse();
  return {};
}

void write_tuples(const TupleCounter& tuples, ByteWriter& out) {
  out.number(tuples.size());
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    for (const Code code : tuples.tuple(i)) out.number(code == kMissing ? 0 : code + 1ULL);
    out.number(tuples.count(i));
  }
}

TupleCounter read_tuples(std::size_t width, ByteReader& in) {
  TupleCounter tuples(width);
  std::vector<Code> tuple(width);
  const std::size_t size = in.count(width + 1);
  for (std::size_t i = 0; i < size && in.is_sound(); ++i) {
    for (Code& code : tuple) {
      const std::uint64_t number = in.number();
      if (number > kMissing) in.refuse();
      code = number == 0 ? kMissing : static_cast<Code>(number - 1);
    }
    if (tuples.add(tuple, in.number()) != i) in.refuse();  // a tuple twice
  }
  return tuples;
}

void write_ranges(const RowRanges& rows, ByteWriter& out) {
  out.number(rows.list().size());
  for (const RowRange& range : rows.list()) {
    out.number(range.first);
    out.number(range.end - range.first);
  }
}

RowRanges read_ranges(ByteReader& in) {
  RowRanges rows;
  for (std::size_t left = in.count(2); left > 0; --left) {
    RowRange range{in.number(), 0};
    range.end = range.first + in.number();
    const bool is_behind = rows.list().empty() || rows.list().back().end < range.first;
    if (range.end <= range.first || !is_behind) in.refuse();
    if (in.is_sound()) rows.append(range);
  }
  return rows;
}

}  // namespace semveil
