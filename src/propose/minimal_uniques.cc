// Sets of columns are visited in the order in which a binary number counts (the greatest column is
// its highest digit), so that every part of a set comes before it:
//
//   {0} {1} {1,0} {2} {2,0} {2,1} {2,1,0} {3} …
//
// On the way the rows are split: the classes of S ∪ {c} are the classes of S, each split by column
// c. Classes of one person are left out, as nothing splits them further: deep down little is left.
// Who is unique on a set is one bit for each person; S is a minimal unique of those who are unique
// on S and on none of the sets with one column less.
#include "semveil/minimal_uniques.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/stop.h"

namespace semveil {
namespace {

using Bits = std::vector<std::uint64_t>;

constexpr std::uint32_t kSeveral = 0xFFFFFFFF;  // persons

// Codes without gaps: 0, 1, 2, … in the order in which they come.
struct DenseColumn {
  std::vector<std::uint32_t> codes;  // by row
  std::uint32_t values = 0;
};

DenseColumn dense(std::span<const Code> codes) {
  DenseColumn out;
  out.codes.reserve(codes.size());
  std::unordered_map<Code, std::uint32_t> numbers;
  for (const Code code : codes) {
    const auto [at, is_new] = numbers.try_emplace(code, out.values);
    out.values += is_new ? 1 : 0;
    out.codes.push_back(at->second);
  }
  return out;
}

// Rows that somebody else agrees with, class by class.
struct Classes {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> ends;  // of classes, in `rows`
};

// The place of a set among those of its size: c_1 < c_2 < … counts C(c_1, 1) + C(c_2, 2) + …
class SetNumbers {
 public:
  explicit SetNumbers(std::size_t columns) : ways_(columns + 1) {
    for (std::size_t n = 0; n <= columns; ++n) {
      ways_[n][0] = 1;
      for (std::size_t k = 1; k <= kLargestUnique; ++k) {
        ways_[n][k] = n == 0 ? 0 : ways_[n - 1][k - 1] + ways_[n - 1][k];
      }
    }
  }
  std::size_t sets(unsigned size) const { return ways_.back()[size]; }
  // Of columns in descending order; `without` is a place that is left out.
  std::size_t number(std::span<const std::size_t> descending, std::size_t without) const {
    std::size_t out = 0;
    std::size_t size = descending.size() - (without < descending.size() ? 1 : 0);
    for (std::size_t i = 0; i < descending.size(); ++i) {
      if (i != without) out += ways_[descending[i]][size--];
    }
    return out;
  }

 private:
  std::vector<std::array<std::size_t, kLargestUnique + 1>> ways_;
};

class UniquesSearch {
 public:
  UniquesSearch(std::span<const std::vector<Code>> columns, std::span<const std::uint32_t> persons,
                unsigned largest)
      : numbers_(columns.size()) {
    std::uint32_t values = 0;
    for (const std::vector<Code>& column : columns) {
      columns_.push_back(dense(column));
      values = std::max(values, columns_.back().values);
    }
    const std::size_t rows = columns.empty() ? 0 : columns.front().size();
    persons_.assign(persons.begin(), persons.end());
    if (persons_.empty()) {
      persons_.resize(rows);
      std::iota(persons_.begin(), persons_.end(), 0U);
    }
    out_.columns = static_cast<unsigned>(columns.size());
    out_.largest = std::min(largest, largest_unique(columns.size()));
    out_.persons = persons_.empty() ? 0 : 1 + *std::ranges::max_element(persons_);
    out_.scores.resize(out_.persons);
    words_ = (out_.persons + 63) / 64;
    seen_.resize(values);
    for (unsigned size = 1; size < out_.largest; ++size) {
      unique_[size].resize(numbers_.sets(size));
    }
  }

  MinimalUniques run() {
    Classes all;
    all.rows.resize(persons_.size());
    std::iota(all.rows.begin(), all.rows.end(), 0U);
    if (!all.rows.empty()) all.ends.push_back(static_cast<std::uint32_t>(all.rows.size()));
    // Where everybody is one person, nobody else is there to agree with.
    if (out_.persons > 1) visit_below(all, Bits(words_), columns_.size());
    out_.uniques = static_cast<std::uint64_t>(
        std::ranges::count_if(out_.scores, [](std::uint64_t score) { return score > 0; }));
    std::ranges::sort(out_.sets, [](const UniqueSet& a, const UniqueSet& b) {
      if (a.persons != b.persons) return a.persons > b.persons;
      if (a.columns.size() != b.columns.size()) return a.columns.size() < b.columns.size();
      return a.columns < b.columns;
    });
    return std::move(out_);
  }

 private:
  // Adds each column below `end` to the set.
  void visit_below(const Classes& classes, const Bits& unique, std::size_t end) {
    if (set_.size() == out_.largest) return;
    for (std::size_t column = 0; column < end; ++column) {
      check_stop();
      set_.push_back(column);
      Bits now = unique;
      // Those of the set before are unique on this one, too. What is as large as it may be, or has
      // no column below it, need not be split.
      const bool is_last = set_.size() == out_.largest || column == 0;
      Classes split;
      if (is_last) {
        mark_uniques(classes, columns_[column], now);
      } else {
        split = split_by(classes, columns_[column], now);
      }
      note_minimal(now);
      if (set_.size() < out_.largest) {
        Bits& kept = unique_[set_.size()][numbers_.number(set_, kNone)];
        kept = std::move(now);
        if (!is_last) visit_below(split, kept, column);
      }
      set_.pop_back();
    }
  }

  // Who has each value of the column in rows [begin, end) of a class: a person, or several.
  void see(const Classes& classes, std::size_t begin, std::size_t end, const DenseColumn& column) {
    if (++round_ == 0) {
      std::ranges::fill(seen_, Seen{});
      round_ = 1;
    }
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t row = classes.rows[i];
      Seen& seen = seen_[column.codes[row]];
      const std::uint32_t person = persons_[row];
      if (seen.round != round_) {
        seen = {round_, person};
      } else if (seen.person != person) {
        seen.person = kSeveral;
      }
    }
  }

  void mark_uniques(const Classes& classes, const DenseColumn& column, Bits& unique) {
    std::size_t begin = 0;
    for (const std::size_t end : classes.ends) {
      see(classes, begin, end, column);
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t person = seen_[column.codes[classes.rows[i]]].person;
        if (person != kSeveral) unique[person / 64] |= std::uint64_t{1} << (person % 64);
      }
      begin = end;
    }
  }

  Classes split_by(const Classes& classes, const DenseColumn& column, Bits& unique) {
    Classes out;
    out.rows.reserve(classes.rows.size());
    std::vector<std::uint32_t> values;                // of the class, as they come
    std::vector<std::uint32_t> place(column.values);  // by value: where its next row goes
    std::size_t begin = 0;
    for (const std::size_t end : classes.ends) {
      see(classes, begin, end, column);
      values.clear();
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t value = column.codes[classes.rows[i]];
        const std::uint32_t person = seen_[value].person;
        if (person != kSeveral) {
          unique[person / 64] |= std::uint64_t{1} << (person % 64);
        } else if (place[value]++ == 0) {
          values.push_back(value);
        }
      }
      auto next = static_cast<std::uint32_t>(out.rows.size());
      for (const std::uint32_t value : values) {
        next += std::exchange(place[value], next);
        out.ends.push_back(next);
      }
      out.rows.resize(next);
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t value = column.codes[classes.rows[i]];
        if (seen_[value].person == kSeveral) out.rows[place[value]++] = classes.rows[i];
      }
      for (const std::uint32_t value : values) place[value] = 0;
      begin = end;
    }
    return out;
  }

  // Whose minimal unique the set is.
  void note_minimal(const Bits& unique) {
    Bits minimal = unique;
    if (set_.size() > 1) {
      for (std::size_t without = 0; without < set_.size(); ++without) {
        const Bits& part = unique_[set_.size() - 1][numbers_.number(set_, without)];
        for (std::size_t i = 0; i < words_; ++i) minimal[i] &= ~part[i];
      }
    }
    const std::uint64_t weight = weight_of(set_.size());
    std::uint64_t persons = 0;
    for (std::size_t i = 0; i < words_; ++i) {
      persons += static_cast<std::uint64_t>(std::popcount(minimal[i]));
      for (std::uint64_t left = minimal[i]; left != 0; left &= left - 1) {
        out_.scores[i * 64 + static_cast<std::size_t>(std::countr_zero(left))] += weight;
      }
    }
    if (persons > 0) out_.sets.push_back({{set_.rbegin(), set_.rend()}, persons});
  }

  std::uint64_t weight_of(std::size_t size) const {
    std::uint64_t weight = 1;
    for (std::size_t i = size; i <= out_.largest; ++i) weight *= columns_.size() - i;
    return weight;
  }

  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  struct Seen {
    std::uint32_t round = 0, person = 0;
  };

  SetNumbers numbers_;
  std::vector<DenseColumn> columns_;
  std::vector<std::uint32_t> persons_;                    // by row
  std::size_t words_ = 0;                                 // of the bits
  std::vector<std::size_t> set_;                          // descending
  std::array<std::vector<Bits>, kLargestUnique> unique_;  // by size, then number of the set
  std::vector<Seen> seen_;  // by value; of this round: what the present class has
  std::uint32_t round_ = 0;
  MinimalUniques out_;
};

}  // namespace

unsigned largest_unique(std::size_t columns) {
  return columns == 0 ? 0
                      : static_cast<unsigned>(std::min<std::size_t>(kLargestUnique, columns - 1));
}

MinimalUniques minimal_uniques(std::span<const std::vector<Code>> columns,
                               std::span<const std::uint32_t> persons, unsigned largest) {
  return UniquesSearch(columns, persons, largest).run();
}

}  // namespace semveil
