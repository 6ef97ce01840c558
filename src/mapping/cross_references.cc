#include "semveil/cross_references.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/bytes.h"
#include "base/csv.h"
#include "base/trimmed.h"
#include "mapping/codes.h"
#include "semveil/mapping.h"

namespace semveil {
namespace {

constexpr std::string_view kOwn = "xref", kOwnOf = "xref:";
constexpr std::size_t kMostListed = 12;  // sources in a message

struct Reference {
  std::string_view source, code;
};

std::string in_capitals(std::string_view text) {
  std::string out(trimmed(text));
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

// Those of `all` that a source's name stands for; an empty one stands for all.
std::vector<std::string> meant_by(const std::string& source, const std::vector<std::string>& all) {
  if (source.empty()) return all;
  std::vector<std::string> own, others;
  for (const std::string& each : all) {
    if (!each.starts_with(source)) continue;
    const char next = each.size() > source.size() ? each[source.size()] : '\0';
    (next == '\0' || next == '_' || next == '-' ? own : others).push_back(each);
  }
  return own.empty() ? others : own;
}

// `SNOMEDCT_US_2023_03_01:44054006`, `http://id.nlm.nih.gov/mesh/D003924`, or a bare code.
Reference split(std::string_view text) {
  text = trimmed(text);
  if (text.find("://") != text.npos) {
    const std::size_t end = text.find_last_of("/#");
    return {text.substr(0, end), text.substr(end + 1)};
  }
  const std::size_t colon = text.find(':');
  if (colon == text.npos) return {"", text};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

}  // namespace

CrossReferences::CrossReferences(std::vector<Entry> entries) : entries_(std::move(entries)) {
  std::sort(entries_.begin(), entries_.end());
  entries_.erase(std::unique(entries_.begin(), entries_.end()), entries_.end());
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    sources_.push_back(entries_[i].source);
    std::string plain = plain_code(entries_[i].code);
    if (!plain.empty()) plain_.push_back({std::move(plain), entries_[i].code.find('.'), i});
  }
  std::sort(plain_.begin(), plain_.end());
  std::sort(sources_.begin(), sources_.end());
  sources_.erase(std::unique(sources_.begin(), sources_.end()), sources_.end());
}

Result<CrossReferences> CrossReferences::of(const Ontology& ontology, std::string_view source) {
  const auto names = ontology.names();
  if (!names) return fail(names.error());
  const auto taxonomy = ontology.taxonomy();
  if (!taxonomy) return fail(taxonomy.error());
  std::vector<Entry> entries;
  std::vector<std::string> sources;
  for (TermId t = 0; t < (*names)->terms(); ++t) {
    const Term term = (*names)->term(t);
    if (term.kind != TermKind::kXref) continue;
    const Reference reference = split(term.text);
    Entry entry{in_capitals(reference.code), in_capitals(reference.source),
                (*taxonomy)->id_rank(term.concept_id), term.concept_id};
    if (entry.code.empty()) continue;
    sources.push_back(entry.source);
    entries.push_back(std::move(entry));
  }
  std::sort(sources.begin(), sources.end());
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  const std::vector<std::string> wanted = meant_by(in_capitals(source), sources);
  std::erase_if(entries, [&](const Entry& entry) {
    return !std::ranges::binary_search(wanted, entry.source);
  });
  if (entries.empty()) {
    return fail(data_error(
        sources.empty()
            ? std::string("the ontology holds no cross-references")
            : fmt::format("the ontology holds no cross-references whose source "
                          "begins with {}: those it has are {}{}",
                          source,
                          fmt::join(sources.begin(),
                                    sources.begin() + static_cast<std::ptrdiff_t>(
                                                          std::min(sources.size(), kMostListed)),
                                    ", "),
                          sources.size() > kMostListed ? ", …" : "")));
  }
  return CrossReferences(std::move(entries));
}

Result<CrossReferences> CrossReferences::parse(std::string_view text, const std::string& name,
                                               const Ontology& ontology) {
  const auto taxonomy = ontology.taxonomy();
  if (!taxonomy) return fail(taxonomy.error());
  const Result<Mapper> mapper = Mapper::create(ontology);
  if (!mapper) return fail(mapper.error());
  Result<CsvReader> reader = CsvReader::over(text, name);
  if (!reader) return fail(reader.error());
  std::vector<Entry> entries;
  for (bool header = true;; header = false) {
    const auto record = reader->next();
    if (!record) return fail(record.error());
    if (!*record) break;
    const std::span<const std::string_view> fields = **record;
    if (fields.size() != 2) {
      return fail(
          data_error(fmt::format("{} column{} where two were expected, a code and a concept",
                                 fields.size(), fields.size() == 1 ? "" : "s"))
              .at(name, reader->line()));
    }
    if (header) {
      if (mapper->match(fields[1]).senses.empty()) continue;
      return fail(data_error("the first line is a header, and this one names a concept: put a line "
                             "code,concept in front")
                      .at(name, 1));
    }
    const Reference reference = split(fields[0]);
    Entry entry{in_capitals(reference.code), in_capitals(reference.source), 0, 0};
    if (entry.code.empty()) {
      return fail(data_error("the code is empty").at(name, reader->line()));
    }
    const Result<ConceptId> meant = mapper->only(trimmed(fields[1]));
    if (!meant) return fail(Error(meant.error()).at(name, reader->line()));
    entry.concept_id = *meant;
    entry.id_rank = (*taxonomy)->id_rank(*meant);
    entries.push_back(std::move(entry));
  }
  if (entries.empty()) {
    return fail(
        data_error("no line in it: below a header, lines code,concept were expected").at(name));
  }
  return CrossReferences(std::move(entries));
}

bool CrossReferences::is_file(std::string_view via) {
  return !via.empty() && via != kOwn && !via.starts_with(kOwnOf);
}

Result<std::shared_ptr<const CrossReferences>> CrossReferences::choose(const std::string& via,
                                                                       std::string_view text,
                                                                       const Ontology& ontology) {
  if (via.empty()) return nullptr;
  const std::string_view source =
      via.starts_with(kOwnOf) ? std::string_view(via).substr(kOwnOf.size()) : "";
  Result<CrossReferences> references =
      is_file(via) ? parse(text, via, ontology) : of(ontology, source);
  if (!references) return fail(references.error());
  return std::make_shared<const CrossReferences>(*std::move(references));
}

Result<std::shared_ptr<const CrossReferences>> CrossReferences::read(const std::string& via,
                                                                     const Ontology& ontology) {
  if (!is_file(via)) return choose(via, "", ontology);
  const Result<FileBytes> file = FileBytes::read(via);
  if (!file) return fail(file.error());
  return choose(via, file->view(), ontology);
}

std::vector<ConceptId> CrossReferences::look_up(std::string_view source,
                                                std::string_view code_text) const {
  const std::string code = in_capitals(code_text);
  std::vector<std::string> sources = meant_by(in_capitals(source), sources_);
  std::vector<std::pair<std::uint32_t, ConceptId>> found;
  const auto add = [&](const Entry& entry) {
    // An entry of a file that names no source serves all.
    const bool fits = entry.source.empty() || std::ranges::binary_search(sources, entry.source);
    if (fits) found.emplace_back(entry.id_rank, entry.concept_id);
  };
  for (auto at = std::ranges::lower_bound(entries_, code, {}, &Entry::code);
       at != entries_.end() && at->code == code && !code.empty(); ++at) {
    add(*at);
  }
  // E119 is E11.9, but 25.00 is not 250.0.
  const std::string plain = found.empty() ? plain_code(code) : "";
  const std::size_t dot = code.find('.');
  for (auto at = std::ranges::lower_bound(plain_, plain, {}, &Plain::code);
       at != plain_.end() && at->code == plain && !plain.empty(); ++at) {
    if (dot == code.npos || at->dot == code.npos || dot == at->dot) add(entries_[at->entry]);
  }
  std::sort(found.begin(), found.end());
  std::vector<ConceptId> concepts;
  for (const auto& [rank, c] : found) {
    if (concepts.empty() || concepts.back() != c) concepts.push_back(c);
  }
  return concepts;
}

std::vector<ConceptId> CrossReferences::find(std::string_view value) const {
  const Reference reference = split(value);
  std::vector<ConceptId> concepts = look_up(reference.source, reference.code);
  // A colon may belong to the code itself.
  if (concepts.empty()) concepts = look_up("", value);
  return concepts;
}

}  // namespace semveil
