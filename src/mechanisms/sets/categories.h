// Categories of a column's values: read from a file, or cut from its taxonomy.
//
// A categories file has one category per line, its values separated by commas and quoted as in CSV
// where they must be; blanks around a value do not count, and a line that begins with # is a
// comment.
//
// Cut from the taxonomy, a category has the values that occur in the column:
//
//   below named roots   a value lies below exactly one of them
//   at a depth          the concepts of that depth are the roots; values above it are roots of
//                       their own
//   balanced            `count` categories of about equally many records
//
// Balanced: the values stand in the order of a walk through the taxonomy, which keeps relatives
// together, and the row is cut `count` − 1 times. No category has more records than it must, or
// than 1.25 times its share; of such cuts the one that parts the least related neighbours is taken.
//
// Paper:  EAN Algorithm 1 (the file); the cuts are ours.
// Cost:   O(values · count); a walk through the taxonomy.
#pragma once

#include "semveil/ean.h"

namespace semveil {

struct CategoryLine {
  std::uint64_t line = 0;
  std::vector<std::string> values;
};
// Errors name the file, the line and the value: a category without values, an empty value, a value
// that stands there twice, a quote that does not end, a text that is not UTF-8.
Result<std::vector<CategoryLine>> read_categories(std::string_view text, const std::string& name);

// What a text of the file means to the column; nothing: it is none of its values.
using ValueOf = std::function<std::optional<ConceptId>(std::string_view)>;
// Every value of the column must be in a category, no value in two.
Result<Categories> listed_categories(const std::vector<CategoryLine>& lines,
                                     const std::string& name, const ValueOf& value_of,
                                     const FrequencyColumn& column);
// Concepts of the column's domain.
Result<Categories> categories_below(std::span<const ConceptId> roots,
                                    const FrequencyColumn& column);
Result<Categories> categories_at_depth(unsigned depth, const FrequencyColumn& column);
Result<Categories> balanced_categories(unsigned count, const FrequencyColumn& column);

}  // namespace semveil
