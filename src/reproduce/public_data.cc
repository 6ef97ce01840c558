#include "reproduce/public_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/trimmed.h"
#include "semveil/table.h"

namespace semveil::reproduction {
namespace {

Result<Rows> rows_of(const Table& table, const std::vector<std::size_t>& wanted) {
  auto source = table.read(wanted, Cells::kWanted);
  if (!source) return fail(source.error());
  std::vector<Dictionary> dictionaries(wanted.size());
  Rows rows;
  while (true) {
    const auto batch = (*source)->next(dictionaries);
    if (!batch) return fail(batch.error());
    if (*batch == nullptr) return rows;
    for (std::size_t row = 0; row < (*batch)->rows; ++row) {
      std::vector<std::string> cells;
      cells.reserve(wanted.size());
      for (std::size_t j = 0; j < wanted.size(); ++j) {
        const Code code = (*batch)->codes[j][row];
        cells.emplace_back(code == kMissing ? "" : trimmed(dictionaries[j].text(code)));
      }
      rows.push_back(std::move(cells));
    }
  }
}

}  // namespace

Status data_is_there(const std::string& folder, std::span<const DataFile> files,
                     std::string_view needs, std::string_view otherwise) {
  std::string list;
  std::size_t missing = 0;
  for (const DataFile& file : files) {
    const std::string path = folder + "/" + std::string(file.path);
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) continue;
    ++missing;
    list += fmt::format("\n  {}\n    published: {}", path, file.from);
    if (!file.sha256.empty()) {
      list += fmt::format("\n    SHA-256{}: {}", file.path.ends_with(".gz") ? ", unpacked" : "",
                          file.sha256);
    }
  }
  if (missing == 0) return {};
  return fail(data_error(fmt::format("{} {} {} public file{} that {} not in the folder of public "
                                     "data. Put {} there, or name another folder of public data, "
                                     "also by SEMVEIL_DATA{}:{}",
                                     needs, needs.find(',') == needs.npos ? "needs" : "need",
                                     missing, missing == 1 ? "" : "s", missing == 1 ? "is" : "are",
                                     missing == 1 ? "it" : "them", otherwise, list))
                  .at(folder));
}

Result<Rows> read_rows(const ReproduceOptions& options, const DataFile& file,
                       std::span<const std::string_view> columns) {
  const auto table = Table::open(path_of(options, file));
  if (!table) return fail(table.error());
  std::vector<std::size_t> wanted;
  for (const std::string_view name : columns) {
    const auto column = table->column(name);
    if (!column) return fail(column.error());
    wanted.push_back(*column);
  }
  return rows_of(*table, wanted);
}

Result<Rows> read_adult(const ReproduceOptions& options, const std::vector<std::size_t>& wanted,
                        std::size_t step) {
  const auto table = Table::open(path_of(options, kAdult));
  if (!table) return fail(table.error());
  auto rows = rows_of(*table, wanted);
  if (!rows) return fail(rows.error());
  // The file has no header: its first record was taken for one.
  std::vector<std::string> first;
  first.reserve(wanted.size());
  for (const std::size_t column : wanted) first.emplace_back(trimmed(table->columns()[column]));
  rows->insert(rows->begin(), first);
  Rows out;
  for (std::size_t i = 0; i < rows->size(); i += step) {
    const auto& row = (*rows)[i];
    if (std::find(row.begin(), row.end(), "?") == row.end()) out.push_back(row);
  }
  return out;
}

std::string without_kind(std::string text) {
  for (const std::string_view kind : {"(disorder)", "(finding)", "(situation)"}) {
    if (text.ends_with(kind)) text.resize(text.size() - kind.size());
  }
  return std::string(trimmed(text));
}

Result<Coder> Coder::open(const std::string& name, const std::string& source,
                          std::string_view decisions, std::string_view root,
                          const ReproduceOptions& options) {
  const auto ontology = open_ontology(source, {.use_cache = options.work.use_cache});
  if (!ontology) return fail(ontology.error());
  std::shared_ptr<const MappingFile> file;
  if (!decisions.empty()) {
    auto parsed = MappingFile::parse(decisions, name + ".csv", *ontology);
    if (!parsed) return fail(parsed.error());
    file = std::make_shared<const MappingFile>(*std::move(parsed));
  }
  auto mapper = Mapper::create(*ontology, file);
  if (!mapper) return fail(mapper.error());
  std::optional<ConceptId> top;
  if (!root.empty()) {
    const auto found = mapper->only(root);
    if (!found) return fail(found.error());
    top = *found;
  }
  auto attribute = make_attribute(name, *ontology, top);
  if (!attribute) return fail(attribute.error());
  return Coder(*std::move(attribute), *std::move(mapper));
}

std::optional<ConceptId> Coder::code(const std::string& text) {
  const auto [at, fresh] = known_.try_emplace(text);
  if (!fresh) return at->second;
  const Match match = mapper_.match(text);
  if (!is_mapped(match.how)) return std::nullopt;
  for (const ConceptId sense : match.senses) {
    at->second = attribute_->domain->in_domain(sense);
    if (at->second) break;
  }
  return at->second;
}

std::shared_ptr<const Attribute> Coder::attribute(const std::string& name) const {
  Attribute other = *attribute_;
  other.name = name;
  return std::make_shared<const Attribute>(std::move(other));
}

}  // namespace semveil::reproduction
