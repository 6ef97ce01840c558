#include "reproduce/adult_hierarchies.h"

#include "mechanisms/generalize/level_table.h"

namespace semveil::reproduction {
namespace {

Result<std::shared_ptr<const Attribute>> with_levels(const AdultHierarchy& column,
                                                     const Coder& coder,
                                                     const ReproduceOptions& options) {
  Attribute attribute = *coder.attribute();
  auto levels =
      read_levels(path_of(options, column.hierarchy), *attribute.names, *attribute.domain);
  if (!levels) return fail(levels.error());
  attribute.levels = *std::move(levels);
  return std::make_shared<const Attribute>(std::move(attribute));
}

}  // namespace

Result<Records> adult_records(const ReproduceOptions& options,
                              std::span<const AdultHierarchy> columns) {
  std::vector<std::size_t> wanted;
  for (const AdultHierarchy& column : columns) wanted.push_back(column.column);
  const auto rows = read_adult(options, wanted, 1);
  if (!rows) return fail(rows.error());
  Records out;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const AdultHierarchy& column = columns[j];
    auto coder =
        Coder::open(column.name, "vgh:" + path_of(options, column.hierarchy), "", "", options);
    if (!coder) return fail(coder.error());
    auto attribute = with_levels(column, *coder, options);
    if (!attribute) return fail(attribute.error());
    out.attributes.push_back(*std::move(attribute));
    std::vector<ConceptId>& cells = out.columns.emplace_back();
    for (const auto& row : *rows) {
      const auto value = coder->code(row[j]);
      if (!value) {
        return fail(data_error("the hierarchy does not have a value of the column")
                        .at(path_of(options, column.hierarchy))
                        .quoting(row[j]));
      }
      cells.push_back(*value);
    }
  }
  return out;
}

}  // namespace semveil::reproduction
