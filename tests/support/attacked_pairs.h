// Tables for linkage and attacks, made from a seed.
#pragma once

#include "support/generated_pairs.h"

namespace semveil::test {

// Columns of the texts p, q, r, s; a record each.
inline Paired texts(std::vector<ConceptId> before, std::vector<ConceptId> after,
                    std::size_t width) {
  Paired out;
  for (std::size_t j = 0; j < width; ++j) {
    out.attributes.push_back(
        std::make_shared<const Attribute>(text_attribute("t", {"p", "q", "r", "s"})));
  }
  out.counts.assign(before.size() / width, 1);
  out.before = std::move(before);
  out.after = std::move(after);
  return out;
}

// Four columns: two of a domain's words, a number, a text; with missing cells and, in the words,
// texts that mean nothing. A cell in three becomes another record's.
inline Paired attacked_pairs(const TwinDomain& domain, std::size_t pairs, std::uint64_t seed) {
  Random random(seed);
  Paired out;
  out.attributes = {make_attribute("a", domain, {"wu-palmer"}),
                    make_attribute("b", domain, {"wu-palmer"}),
                    std::make_shared<const Attribute>(numeric_attribute("c", {0, 1, 2.5, 3, 7}, 6)),
                    std::make_shared<const Attribute>(text_attribute("d", {"p", "q", "r"}))};
  const auto any = [&](std::size_t j) {
    const Attribute& attribute = *out.attributes[j];
    if (random.one_in(12)) return attribute.missing_value();
    if (j < 2 && random.one_in(12)) {
      return static_cast<ConceptId>(attribute.missing_value() + 1 + random.below(3));
    }
    const std::size_t few = std::min<std::size_t>(
        attribute.size() - (j < 2 && attribute.taxonomy().has_virtual_root() ? 1 : 0), 6);
    return static_cast<ConceptId>(attribute.size() - 1 - random.below(few));
  };
  for (std::size_t i = 0; i < pairs; ++i) {
    for (std::size_t j = 0; j < out.width(); ++j) out.before.push_back(any(j));
    out.counts.push_back(1 + random.below(3));
  }
  out.after = out.before;
  for (std::size_t i = 0; i < out.after.size(); ++i) {
    if (!random.one_in(3)) continue;
    out.after[i] = out.before[random.below(pairs) * out.width() + i % out.width()];
  }
  return out;
}

// The columns of the records shuffled, each on its own.
inline Paired shuffled_columns(const Paired& pairs, std::uint64_t seed) {
  Random random(seed);
  Paired out;
  out.attributes = pairs.attributes;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (std::uint64_t n = 0; n < pairs.counts[i]; ++n) {
      const auto tuple = pairs.tuple(i, Side::kBefore);
      out.before.insert(out.before.end(), tuple.begin(), tuple.end());
      out.counts.push_back(1);
    }
  }
  out.after = out.before;
  for (std::size_t j = 0; j < out.width(); ++j) {
    std::vector<ConceptId> column;
    for (std::size_t i = 0; i < out.size(); ++i) column.push_back(out.before[i * out.width() + j]);
    random.shuffle(column);
    for (std::size_t i = 0; i < out.size(); ++i) out.after[i * out.width() + j] = column[i];
  }
  return out;
}

inline Paired unmasked(Paired pairs) {
  pairs.after = pairs.before;
  return pairs;
}

}  // namespace semveil::test
