// The mapping file: what a person reads, corrects and hands back (docs/formats/mapping.md).
//
// Only value and concept are read; all else is there for the reader. A concept may be written in
// any way that means exactly one: an id, a name, `label (ID)`. Whatever cannot be understood is an
// error with its line; nothing is skipped.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/bytes.h"
#include "base/csv.h"
#include "base/text.h"
#include "base/toml.h"
#include "semveil/mapping.h"

namespace semveil {
namespace {

using Decision = std::optional<ConceptId>;

// Takes lines one after the other and sees to it that they agree.
class Decisions {
 public:
  Decisions(const Mapper& mapper, std::string file) : mapper_(mapper), file_(std::move(file)) {}

  Status add(std::string_view value, std::string_view concept_text, std::uint64_t line) {
    Decision decision;
    if (!concept_text.empty()) {
      Result<ConceptId> only = mapper_.only(concept_text);
      if (!only) return fail(std::move(only.error()).at({file_, line, "concept"}));
      decision = *only;
    }
    const auto [known, fresh] = lines_.try_emplace(std::string(value), Line{decision, line});
    if (fresh || known->second.decision == decision) return {};
    return fail(data_error(fmt::format("this value stands in line {} with another concept; keep "
                                       "one of the two lines",
                                       known->second.number))
                    .at({file_, line, "value"})
                    .quoting(std::string(value)));
  }

  std::map<std::string, Decision, std::less<>> take() && {
    std::map<std::string, Decision, std::less<>> decisions;
    for (auto& [value, line] : lines_)
      decisions.emplace_hint(decisions.end(), value, line.decision);
    return decisions;
  }

 private:
  struct Line {
    Decision decision;
    std::uint64_t number;
  };
  const Mapper& mapper_;
  std::string file_;
  std::map<std::string, Line, std::less<>> lines_;
};

Result<std::size_t> column_named(std::string_view wanted, std::span<const std::string_view> header,
                                 const CsvReader& reader) {
  const auto at = std::find(header.begin(), header.end(), wanted);
  if (at == header.end()) {
    return fail(data_error(fmt::format("a mapping file needs a header line with the columns value "
                                       "and concept; there is no column {}",
                                       wanted))
                    .at(reader.name(), reader.line()));
  }
  if (std::find(at + 1, header.end(), wanted) != header.end()) {
    return fail(data_error(fmt::format("there are two columns {}: rename or remove one", wanted))
                    .at(reader.name(), reader.line()));
  }
  return static_cast<std::size_t>(at - header.begin());
}

Status read_csv(std::string_view text, const std::string& name, Decisions& decisions) {
  Result<CsvReader> reader = CsvReader::over(text, name);
  if (!reader) return fail(std::move(reader.error()));
  auto header = reader->next();
  if (!header) return fail(std::move(header.error()));
  if (!*header) {
    return fail(data_error("the mapping file is empty; it needs a header line with the columns "
                           "value and concept")
                    .at(name));
  }
  const Result<std::size_t> value = column_named("value", **header, *reader);
  if (!value) return fail(value.error());
  const Result<std::size_t> concept_column = column_named("concept", **header, *reader);
  if (!concept_column) return fail(concept_column.error());
  for (;;) {
    auto record = reader->next();
    if (!record) return fail(std::move(record.error()));
    if (!*record) return {};
    if (Status added =
            decisions.add((**record)[*value], (**record)[*concept_column], reader->line());
        !added) {
      return added;
    }
  }
}

std::uint64_t line_of(const toml::source_region& region) { return region.begin.line; }

Status read_toml(std::string_view text, const std::string& name, Decisions& decisions) {
  const auto error = [&](std::string message, std::uint64_t line) {
    return fail(data_error(std::move(message)).at(name, line));
  };
  if (find_invalid_utf8(text) != text.npos) return error("this is not valid UTF-8", 0);
  toml::table parsed;
  try {
    parsed = toml::parse(text);
  } catch (const toml::parse_error& wrong) {
    return error(std::string(wrong.description()), line_of(wrong.source()));
  }
  for (const auto& [key, node] : parsed) {
    if (key.str() != "mapping" || !node.is_array()) {
      return error("a mapping file holds nothing but [[mapping]] tables", line_of(key.source()));
    }
    for (const toml::node& entry : *node.as_array()) {
      const std::uint64_t line = line_of(entry.source());
      const toml::table* table = entry.as_table();
      if (table == nullptr) return error("mapping must be [[mapping]] tables", line);
      std::array<std::string_view, 2> texts;
      constexpr std::array<const char*, 2> kKeys{"value", "concept"};
      for (std::size_t i = 0; i < 2; ++i) {
        const toml::value<std::string>* found = (*table)[kKeys[i]].as_string();
        if (found == nullptr) {
          return error(fmt::format("each [[mapping]] needs the key {} with a text", kKeys[i]),
                       line);
        }
        texts[i] = found->get();
      }
      if (Status added = decisions.add(texts[0], texts[1], line); !added) return added;
    }
  }
  return {};
}

std::string id_with(std::string_view name, std::string_view id) {
  return fmt::format("{} ({})", name, id);
}

std::string toml_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      quoted += fmt::format("\\u{:04X}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string toml_texts(const std::vector<std::string>& texts) {
  std::string list = "[";
  for (const std::string& text : texts) {
    if (list.size() > 1) list += ", ";
    list += toml_text(text);
  }
  return list + ']';
}

// What both formats write of a value.
struct Row {
  std::string concept_id, label;
  std::vector<std::string> senses, suggestions;

  Row(const MappedValue& value, const Names& names) {
    if (value.concept_id) {
      concept_id = names.id(*value.concept_id);
      label = names.label(*value.concept_id);
    }
    for (const ConceptId c : value.senses) senses.emplace_back(names.id(c));
    for (const Suggestion& s : value.suggestions) {
      suggestions.push_back(id_with(s.text, names.id(s.concept_id)));
    }
  }
};

}  // namespace

Result<MappingFile> MappingFile::parse(std::string_view text, const std::string& name,
                                       const Ontology& ontology) {
  const Result<Mapper> mapper = Mapper::create(ontology);
  if (!mapper) return fail(mapper.error());
  Decisions decisions(*mapper, name);
  const Status status =
      name.ends_with(".toml") ? read_toml(text, name, decisions) : read_csv(text, name, decisions);
  if (!status) return fail(status.error());
  MappingFile file;
  file.concepts_ = std::move(decisions).take();
  return file;
}

Result<MappingFile> MappingFile::read(const std::string& path, const Ontology& ontology) {
  const Result<FileBytes> bytes = FileBytes::read(path);
  if (!bytes) return fail(bytes.error());
  return parse(bytes->view(), path, ontology);
}

const std::optional<ConceptId>* MappingFile::find(std::string_view value) const {
  const auto known = concepts_.find(value);
  return known == concepts_.end() ? nullptr : &known->second;
}

std::string mapping_csv(const ColumnMapping& mapping, const Names& names) {
  std::string out = "value,count,concept,label,how,senses,suggestions\n";
  for (const MappedValue& value : mapping.values) {
    const Row row(value, names);
    out += fmt::format("{},{},{},{},{},{},{}\n", csv_field(value.value), value.count,
                       csv_field(row.concept_id), csv_field(row.label), to_string(value.how),
                       csv_field(fmt::format("{}", fmt::join(row.senses, " "))),
                       csv_field(fmt::format("{}", fmt::join(row.suggestions, " | "))));
  }
  return out;
}

std::string mapping_toml(const ColumnMapping& mapping, const Names& names) {
  std::string out;
  for (const MappedValue& value : mapping.values) {
    const Row row(value, names);
    if (!out.empty()) out += '\n';
    out += fmt::format(
        "[[mapping]]\nvalue = {}\ncount = {}\nconcept = {}\nlabel = {}\nhow = \"{}\"\n"
        "senses = {}\n",
        toml_text(value.value), value.count, toml_text(row.concept_id), toml_text(row.label),
        to_string(value.how), toml_texts(row.senses));
    if (!row.suggestions.empty()) {
      out += fmt::format("suggestions = {}\n", toml_texts(row.suggestions));
    }
  }
  return out;
}

}  // namespace semveil
