// Counts of a pair of tables as bytes (docs/formats/pair_part.md).
#include <algorithm>
#include <array>

#include "audit/pair_counts.h"
#include "base/byte_form.h"
#include "release/kept_texts.h"
#include "release/person_links.h"

namespace semveil {
namespace {

// ---- Writing

void write_texts(const std::vector<std::string>& texts, ByteWriter& out) {
  out.number(texts.size());
  for (const std::string& text : texts) out.text(text);
}

// Places and codes are written one up: 0 is no cell.
void write_tuples(const PlacedTuples& tuples, ByteWriter& out) {
  out.number(tuples.size());
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    for (const Code code : tuples.tuple(i)) out.number(code == kMissing ? 0 : code + 1ULL);
    out.number(tuples.count(i));
    out.number(tuples.first(i));
  }
}

void write_side(const SideCounts& side, ByteWriter& out) {
  out.number(side.texts.size());
  for (const Dictionary& texts : side.texts) {
    out.number(texts.size());
    for (Code code = 0; code < texts.size(); ++code) out.text(texts.text(code));
  }
  write_tuples(side.tuples, out);
}

void write_compared(const std::vector<CellCounts>& compared, ByteWriter& out) {
  out.number(compared.size());
  for (const CellCounts& column : compared) {
    out.number(column.rows);
    out.number(column.equal);
    std::vector<std::uint64_t> hashes;
    for (const CellCounts::Sampled& cell : column.first) hashes.push_back(cell.hash);
    out.numbers(std::span<const std::uint64_t>(hashes));
    std::uint64_t before = 0;  // rows ascend: their steps are short
    for (const CellCounts::Sampled& cell : column.first) {
      out.number(cell.row - before);
      before = cell.row;
    }
  }
}

void write_persons(const PairCounts& counts, ByteWriter& out) {
  out.number(counts.knows_persons ? 1 : 0);
  std::vector<std::uint64_t> hashes;
  for (const PairCounts::PersonRow& person : counts.persons) hashes.push_back(person.person);
  out.numbers(std::span<const std::uint64_t>(hashes));
  std::uint64_t before = 0;
  for (const PairCounts::PersonRow& person : counts.persons) {
    out.number(person.row - before);
    out.number(person.tuple);
    before = person.row;
  }
}

// ---- Reading

class PairReader {
 public:
  explicit PairReader(std::string_view body) : in_(body) {}

  Result<std::optional<PairCounts>> run() && {
    if (in_.number() == 0) return in_.is_done() ? none() : damaged();
    PairCounts out;
    out.original_columns = texts();
    out.masked_columns = texts();
    out.plan = in_.text();
    out.rows = read_ranges(in_);
    rows_ = out.rows.rows();
    out.original = side();
    out.masked = side();
    const std::array<std::size_t, 2> places{out.original.tuples.size(), out.masked.tuples.size()};
    out.pairs = tuples(places, HasMissing::kNo);
    out.compared = compared();
    read_persons(out);
    if (!in_.is_done() || out.original.texts.size() != out.masked.texts.size()) return damaged();
    const std::uint64_t pairs = out.pairs.records();
    if (pairs > out.original.tuples.records() || pairs > out.masked.tuples.records()) {
      return damaged();
    }
    return std::optional(std::move(out));
  }

 private:
  enum class HasMissing : bool { kNo, kYes };

  static Result<std::optional<PairCounts>> none() { return std::optional<PairCounts>(); }
  static Result<std::optional<PairCounts>> damaged() { return fail(not_understood(kPairForm)); }
  void expect(bool makes_sense) {
    if (!makes_sense) in_.refuse();
  }

  std::vector<std::string> texts() {
    std::vector<std::string> out(in_.count());
    for (std::string& text : out) text = in_.utf8();
    return out;
  }

  // `sizes`: by place in the tuple, how many codes there are.
  PlacedTuples tuples(std::span<const std::size_t> sizes, HasMissing has_missing) {
    PlacedTuples out(sizes.size());
    std::vector<Code> tuple(sizes.size());
    const std::size_t count = in_.count(sizes.size() + 2);
    std::uint64_t left = rows_;
    for (std::size_t i = 0; i < count && in_.is_sound(); ++i) {
      for (std::size_t j = 0; j < sizes.size(); ++j) {
        const std::uint64_t code = in_.number();
        expect(code <= sizes[j] && (code > 0 || has_missing == HasMissing::kYes));
        tuple[j] = code == 0 ? kMissing : static_cast<Code>(code - 1);
      }
      const std::uint64_t records = in_.number(), first = in_.number();
      expect(records > 0 && records <= left);
      left -= std::min(records, left);
      if (in_.is_sound()) expect(out.add(tuple, records, first) == i);
    }
    return out;
  }

  SideCounts side() {
    SideCounts out;
    std::vector<std::size_t> sizes;
    const std::size_t width = in_.count();
    for (std::size_t j = 0; j < width && in_.is_sound(); ++j) {
      Dictionary& texts = out.texts.emplace_back();
      const std::size_t count = in_.count();
      for (Code code = 0; code < count && in_.is_sound(); ++code) {
        expect(texts.add(in_.utf8(), 0) == code);
      }
      sizes.push_back(texts.size());
    }
    out.tuples = tuples(sizes, HasMissing::kYes);
    return out;
  }

  // Of rows that ascend: the one after `before`, or the first.
  std::uint64_t next_row(std::uint64_t before, bool is_first) {
    const std::uint64_t step = in_.number();
    expect(is_first || (step > 0 && before + step > before));
    return before + step;
  }

  std::vector<CellCounts> compared() {
    std::vector<CellCounts> out(in_.count(3));
    for (CellCounts& column : out) {
      if (!in_.is_sound()) break;
      column.rows = in_.number();
      column.equal = in_.number();
      const std::vector<std::uint64_t> hashes = in_.numbers<std::uint64_t>();
      expect(column.equal <= column.rows && hashes.size() <= kMostSampled);
      std::uint64_t row = 0;
      for (const std::uint64_t hash : hashes) {
        if (!in_.is_sound()) break;
        row = next_row(row, column.first.empty());
        column.first.push_back({row, hash});
      }
    }
    return out;
  }

  void read_persons(PairCounts& out) {
    const std::uint64_t knows = in_.number();
    out.knows_persons = knows == 1;
    const std::vector<std::uint64_t> hashes = in_.numbers<std::uint64_t>();
    expect(knows <= 1 && hashes.size() <= PersonLinks::kMostRecords);
    std::uint64_t row = 0;
    for (const std::uint64_t hash : hashes) {
      if (!in_.is_sound()) break;
      row = next_row(row, out.persons.empty());
      const std::uint64_t tuple = in_.number();
      expect(tuple < out.masked.tuples.size());
      out.persons.push_back({row, static_cast<std::uint32_t>(tuple), hash});
    }
  }

  ByteReader in_;
  std::uint64_t rows_ = 0;  // of the part
};

}  // namespace

std::string bytes_of(const std::optional<PairCounts>& settled) {
  ByteWriter out;
  out.number(settled ? 1 : 0);
  if (settled) {
    write_texts(settled->original_columns, out);
    write_texts(settled->masked_columns, out);
    out.text(settled->plan);
    write_ranges(settled->rows, out);
    write_side(settled->original, out);
    write_side(settled->masked, out);
    write_tuples(settled->pairs, out);
    write_compared(settled->compared, out);
    write_persons(*settled, out);
  }
  return sealed(kPairForm, std::move(out).take());
}

Result<std::optional<PairCounts>> counts_from(std::string_view bytes) {
  const Result<std::string_view> body = unsealed(kPairForm, bytes);
  if (!body) return fail(body.error());
  return PairReader(*body).run();
}

}  // namespace semveil
