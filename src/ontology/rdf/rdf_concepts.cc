#include "ontology/rdf/rdf_concepts.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "ontology/language_tag.h"

namespace semveil {
RdfConcepts::RdfConcepts(std::string file, const std::string& language, std::uint64_t most)
    : file_(std::move(file)), language_(lower(language)), most_(most) {
  language_index("");
}

RdfConcepts::Node RdfConcepts::node(const RdfTerm& term) {
  std::string_view key = term.text;
  if (term.is_blank()) {
    scratch_.assign("_:").append(term.text);
    key = scratch_;
  }
  auto found = nodes_.find(key);
  if (found == nodes_.end()) {
    found = nodes_.emplace(std::string(key), static_cast<Node>(iri_.size())).first;
    iri_.push_back(&found->first);
    marks_.push_back(0);
    interned_ += key.size();
  }
  return found->second;
}

RdfConcepts::Node RdfConcepts::subject(const RdfTerm& term) {
  if (!iri_.empty() && *iri_[last_subject_] == term.text) return last_subject_;
  return last_subject_ = node(term);
}

std::uint32_t RdfConcepts::language_index(std::string_view tag) {
  const auto [found, is_new] =
      languages_.try_emplace(lower(tag), static_cast<std::uint32_t>(tags_.size()));
  if (is_new) {
    tags_.push_back(found->first);
    interned_ += tag.size();
  }
  return found->second;
}

void RdfConcepts::add_name(Node node, RdfName kind, const RdfTerm& text) {
  const std::string_view plain = without_margin(text.text);
  if (plain.empty()) return;
  const std::uint32_t language = text.language.empty() ? 0 : language_index(text.language);
  names_.push_back({text_.size(), static_cast<std::uint32_t>(plain.size()), node, language, kind});
  text_ += plain;
}

void RdfConcepts::add_link(Node child, Node parent) {
  mark(child, kMentioned);
  mark(parent, kMentioned);
  links_.emplace_back(child, parent);
}

void RdfConcepts::add_replacement(Node old, const RdfTerm& by) {
  replacements_.push_back({old, std::string(without_margin(by.text))});
  interned_ += replacements_.back().by.size();
}

void RdfConcepts::add_version(Node node, unsigned rank, std::string_view text) {
  versions_.emplace_back(node, rank, std::string(without_margin(text)));
  interned_ += std::get<std::string>(versions_.back()).size();
}

std::uint64_t RdfConcepts::count(Mark mark) const {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(marks_, [mark](std::uint8_t marks) { return (marks & mark) != 0; }));
}

Error RdfConcepts::too_large() const {
  return data_error("more than 2 GiB of ids and names: load a part of the file");
}

Status RdfConcepts::check_size() const {
  const std::uint64_t entries = iri_.size() + names_.size() + label_nodes_.size() + links_.size() +
                                forbidden_.size() + types_.size() + replacements_.size() +
                                versions_.size();
  if (text_.size() + interned_ > most_) return fail(too_large());
  if (entries > most_) {
    return fail(
        data_error("more than 2 147 483 648 ids, names and links: load a part of the file"));
  }
  return {};
}

bool RdfConcepts::is_class(Node node) const {
  const std::uint8_t marks = marks_[node];
  if ((marks & kNever) != 0) return false;
  if ((marks & kIndividual) != 0) return true;
  return (marks & kDeclared) != 0 || ((marks & kMentioned) != 0 && (marks & kNoConcept) == 0);
}

void RdfConcepts::rank_languages() {
  const std::string_view near = without_region(language_);
  for (const std::string& tag : tags_) {
    const bool chosen = !language_.empty() && is_language(tag, language_);
    const bool is_near = !near.empty() && is_language(tag, near);
    preference_.push_back(chosen                   ? kChosen
                          : is_near                ? kNear
                          : is_language(tag, "en") ? kEnglish
                          : tag.empty()            ? kUntagged
                                                   : kOther);
  }
}

// A SKOS-XL label's texts become names of the concepts that use it.
Status RdfConcepts::resolve_label_nodes() {
  if (label_nodes_.empty()) return {};
  std::vector<Name> forms;
  for (const Name& name : names_) {
    if (name.kind == RdfName::kLabelForm) forms.push_back(name);
  }
  std::ranges::sort(forms, {}, &Name::node);
  std::uint64_t copied = text_.size();
  for (const LabelNode& use : label_nodes_) {
    const auto own = std::ranges::equal_range(forms, use.label, {}, &Name::node);
    if (own.size() > kMostForms) {
      return fail(data_error(fmt::format("a SKOS-XL label with more than {} texts: it may have one",
                                         kMostForms))
                      .at(file_)
                      .quoting(*iri_[use.label]));
    }
    for (Name form : own) {
      copied += form.size;
      if (copied > most_ || names_.size() >= most_) return fail(too_large().at(file_));
      form.node = use.node;
      form.kind = use.kind;
      names_.push_back(form);
    }
  }
  return {};
}

// Names by node, those of a node by language, kind and bytes.
void RdfConcepts::group_names() {
  names_begin_.assign(iri_.size() + 1, 0);
  for (const Name& name : names_) ++names_begin_[name.node + std::size_t{1}];
  std::partial_sum(names_begin_.begin(), names_begin_.end(), names_begin_.begin());
  std::vector<std::size_t> next(names_begin_.begin(), names_begin_.end() - 1);
  std::vector<Name> grouped(names_.size());
  for (const Name& name : names_) grouped[next[name.node]++] = name;
  names_ = std::move(grouped);
  const auto before = [this](const Name& a, const Name& b) {
    if (a.language != b.language) {
      if (preference_[a.language] != preference_[b.language]) {
        return preference_[a.language] < preference_[b.language];
      }
      return tags_[a.language] < tags_[b.language];
    }
    if (a.kind != b.kind) return a.kind < b.kind;
    return text_of(a) < text_of(b);
  };
  for (std::size_t n = 0; n < iri_.size(); ++n) {
    std::sort(names_.begin() + static_cast<std::ptrdiff_t>(names_begin_[n]),
              names_.begin() + static_cast<std::ptrdiff_t>(names_begin_[n + 1]), before);
  }
}

}  // namespace semveil
