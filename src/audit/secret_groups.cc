#include "audit/secret_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/bytes.h"
#include "base/trimmed.h"
#include "figures/value_names.h"

namespace semveil {
namespace {

constexpr std::uint32_t kNone = SetColumn::kNoCategory;

Result<std::vector<CategoryLine>> read_lines(const std::string& path) {
  const Result<FileBytes> file = FileBytes::read(path);
  if (!file) return fail(file.error());
  return read_categories(file->view(), path);
}

Result<std::vector<std::uint32_t>> listed(const std::vector<CategoryLine>& lines,
                                          const std::string& file, const GroupedColumn& about) {
  const Attribute& attribute = *about.original.attribute;
  std::map<std::string_view, std::uint32_t> place;  // by text: its line's
  for (std::uint32_t i = 0; i < lines.size(); ++i) {
    for (const std::string& text : lines[i].values) place.emplace(text, i);
  }
  std::vector<std::uint32_t> of(attribute.size(), kNone);
  for (const auto& [text, value] : about.meant) {
    const auto found = place.find(trimmed(text));
    if (found == place.end() || value >= attribute.size()) continue;
    std::uint32_t& group = of[value];
    if (group != kNone && group != found->second) {
      return fail(data_error(fmt::format("this means a value that line {} has as well as line {}: "
                                         "keep it in one of them",
                                         lines[group].line, lines[found->second].line))
                      .at({file, lines[found->second].line, attribute.name})
                      .quoting(text));
    }
    group = found->second;
  }
  for (const ConceptId value : about.original.values.values) {
    if (value >= attribute.size() || of[value] != kNone) continue;
    return fail(data_error("a value of the column is on no line of the file: add it to one")
                    .at({file, 0, attribute.name})
                    .quoting(label_of(attribute, value)));
  }
  return of;
}

// A cut of the column's own ontology.
Result<Categories> cut(const CategoriesSettings& how, const GroupedColumn& about) {
  if (how.depth > 0) return categories_at_depth(how.depth, about.original);
  if (how.count > 0) return balanced_categories(how.count, about.original);
  const Result<Mapper> mapper = Mapper::create(about.ontologies.at(how.ontology), nullptr);
  if (!mapper) return fail(mapper.error());
  std::vector<ConceptId> roots;
  for (const std::string& name : how.roots) {
    const Result<ConceptId> root = mapper->only(name);
    if (!root) return fail(root.error());
    const auto c = about.original.attribute->domain->in_domain(*root);
    if (c) roots.push_back(*c);  // else no value lies below it
  }
  return categories_below(roots, about.original);
}

Result<std::vector<std::uint32_t>> categories_of(const GroupFiles& files,
                                                 const GroupedColumn& about) {
  const CategoriesSettings& how = *about.column.categories;
  if (!how.file.empty()) return listed(files.categories, how.file, about);
  const Attribute& attribute = *about.original.attribute;
  Result<Categories> made =
      attribute.is_nominal() && about.column.ontology == how.ontology
          ? cut(how, about)
          : fail(data_error("its categories are cut from an ontology that the column does not "
                            "name: add ontology = " +
                            toml_text(how.ontology)));
  if (!made) {
    Error error = made.error();
    if (error.place.file.empty()) error.place = {about.plan.path, how.line, attribute.name};
    return fail(std::move(error));
  }
  std::vector<std::uint32_t> of(attribute.size(), kNone);
  for (std::size_t i = 0; i < made->list.size(); ++i) {
    for (const ConceptId value : made->list[i].values) of[value] = static_cast<std::uint32_t>(i);
  }
  return of;
}

}  // namespace

std::vector<std::string> GroupFiles::texts() const {
  std::vector<std::string> all;
  for (const auto* lines : {&categories, &levels}) {
    for (const CategoryLine& line : *lines) {
      all.insert(all.end(), line.values.begin(), line.values.end());
    }
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

Result<GroupFiles> read_group_files(const ColumnSettings& column) {
  GroupFiles out;
  if (column.categories && !column.categories->file.empty()) {
    auto lines = read_lines(column.categories->file);
    if (!lines) return fail(lines.error());
    out.categories = *std::move(lines);
  }
  if (!column.levels.empty()) {
    auto lines = read_lines(column.levels);
    if (!lines) return fail(lines.error());
    out.levels = *std::move(lines);
  }
  return out;
}

Result<SecretGroups> secret_groups(const GroupFiles& files, const GroupedColumn& column) {
  SecretGroups out;
  if (column.column.categories && !column.is_set) {
    auto made = categories_of(files, column);
    if (!made) return fail(made.error());
    out.category = *std::move(made);
  }
  if (!column.column.levels.empty()) {
    auto made = listed(files.levels, column.column.levels, column);
    if (!made) return fail(made.error());
    out.level = *std::move(made);
  }
  return out;
}

}  // namespace semveil
