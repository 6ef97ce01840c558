// The second half of RdfConcepts: a draft of what was gathered.
#include <fmt/format.h>

#include <algorithm>

#include "ontology/language_tag.h"
#include "ontology/left_out.h"
#include "ontology/rdf/iri.h"
#include "ontology/rdf/rdf_concepts.h"
#include "ontology/rdf/rdf_vocabulary.h"
#include "ontology/rdf/write_skos.h"

namespace semveil {
namespace {

bool is_label(RdfName kind) { return kind <= RdfName::kLabel; }
bool is_definition(RdfName kind) { return kind == RdfName::kDefinition || kind == RdfName::kNote; }
bool has_language(RdfName kind) { return kind <= RdfName::kNote; }

TermKind term_kind(RdfName kind) {
  switch (kind) {
    case RdfName::kNarrow:
      return TermKind::kNarrowSynonym;
    case RdfName::kBroad:
      return TermKind::kBroadSynonym;
    case RdfName::kRelated:
      return TermKind::kRelatedSynonym;
    case RdfName::kAltId:
      return TermKind::kAltId;
    case RdfName::kXref:
      return TermKind::kXref;
    default:
      return TermKind::kExactSynonym;
  }
}

}  // namespace

// What is of a class and no class itself. A class that only the type of a declared individual names
// is one, as one is that only a subClassOf names. Nothing lies below an individual, so that none
// makes a cycle.
std::uint64_t RdfConcepts::find_individuals() {
  const auto is_declared_individual = [this](Node node) {
    return (marks_[node] & kNoConcept) != 0 && !is_class(node);
  };
  for (const auto& [node, of] : types_) {
    if (is_declared_individual(node) && (marks_[of] & kNoConcept) == 0) mark(of, kMentioned);
  }
  std::vector<std::pair<Node, Node>> found;
  for (const auto& [node, of] : types_) {
    if (node != of && !is_class(node) && is_class(of)) found.emplace_back(node, of);
  }
  for (const auto& [node, of] : found) {
    if ((marks_[node] & kNever) != 0) continue;
    mark(node, kIndividual);
    links_.emplace_back(node, of);
  }
  return static_cast<std::uint64_t>(std::ranges::count_if(marks_, [](std::uint8_t marks) {
    return (marks & kNoConcept) != 0 && (marks & (kDeclared | kIndividual)) == 0;
  }));
}

std::vector<RdfConcepts::Node> RdfConcepts::sorted_nodes() const {
  std::vector<Node> nodes;
  for (Node n = 0; n < iri_.size(); ++n) {
    if (is_class(n)) nodes.push_back(n);
  }
  const auto before = [this](Node a, Node b) { return *iri_[a] < *iri_[b]; };
  if (!std::ranges::is_sorted(nodes, before)) std::ranges::sort(nodes, before);
  return nodes;
}

void RdfConcepts::find_locals(const std::vector<Node>& classes) {
  for (const Node n : classes) locals_.emplace_back(local_part(*iri_[n]), n);
  if (!std::ranges::is_sorted(locals_)) std::ranges::sort(locals_);
  for (std::size_t i = 0; i < locals_.size(); ++i) {
    const bool as_before = i > 0 && locals_[i].first == locals_[i - 1].first;
    const bool as_next = i + 1 < locals_.size() && locals_[i].first == locals_[i + 1].first;
    if (!as_before && !as_next) mark(locals_[i].second, kUniqueLocal);
  }
}

const RdfConcepts::Local* RdfConcepts::unique_local(std::string_view local) const {
  const auto range = std::ranges::equal_range(locals_, local, {}, &Local::first);
  return range.size() == 1 ? &range.front() : nullptr;
}

// The label's language, the texts without one, and English where no language was chosen.
bool RdfConcepts::is_kept(const Name& name, std::uint32_t label_language) const {
  const std::uint8_t preference = preference_[name.language];
  if (preference <= kNear || preference == kUntagged) return true;
  if (!language_.empty()) return false;
  if (preference == kEnglish) return true;
  const std::string& tag = tags_[label_language];
  const std::string_view language = std::string_view(tag).substr(0, tag.find('-'));
  return preference_[label_language] == kOther && is_language(tags_[name.language], language);
}

void RdfConcepts::add_terms(Node node, OntologyDraft& draft) {
  const OntologyDraft::Index to = index_[node];
  const auto own = std::span(names_).subspan(
      names_begin_[node], names_begin_[node + std::size_t{1}] - names_begin_[node]);
  const auto label = std::ranges::find_if(own, is_label, &Name::kind);
  std::uint32_t label_language = 0;
  if (label != own.end()) {
    label_language = label->language;
    draft.add_term(to, TermKind::kLabel, text_of(*label));
    if (!language_.empty() && preference_[label_language] > kNear) ++other_labels_;
  } else if (const std::string_view local = local_part(*iri_[node]); !local.empty()) {
    draft.add_term(to, TermKind::kLabel, local);
  }
  std::vector<const Name*> kept;
  const Name* definition = nullptr;
  for (const Name& name : own) {
    if (is_label(name.kind)) label_languages_.insert(name.language);
    if (label != own.end() && &name == &*label) continue;
    if (is_definition(name.kind)) {
      if (definition == nullptr) definition = &name;
    } else if (name.kind != RdfName::kLabelForm) {
      if (!has_language(name.kind) || is_kept(name, label_language)) {
        kept.push_back(&name);
      } else {
        ++other_languages_;
      }
    }
  }
  std::ranges::stable_sort(kept, {}, [](const Name* name) { return term_kind(name->kind); });
  for (const Name* name : kept) draft.add_term(to, term_kind(name->kind), text_of(*name));
  if (definition != nullptr) draft.set_definition(to, text_of(*definition));
  add_other_ids(node, to, draft);
}

// A language that no label is in was mistyped, unless there are labels that are in none.
Status RdfConcepts::check_language() const {
  const auto fits = [this](std::uint32_t language) {
    return preference_[language] <= kNear || preference_[language] == kUntagged;
  };
  if (language_.empty() || label_languages_.empty() || std::ranges::any_of(label_languages_, fits))
    return {};
  std::set<std::string> found;
  for (const std::uint32_t language : label_languages_) found.insert(tags_[language]);
  return fail(no_label_in(language_, found, file_));
}

void RdfConcepts::add_other_ids(Node node, OntologyDraft::Index to, OntologyDraft& draft) const {
  const std::string_view local = local_part(*iri_[node]);
  if (!local.empty() && local != *iri_[node] && has_unique_local(node)) {
    draft.add_term(to, TermKind::kAltId, local);
  }
  if (const std::string id = obo_id(*iri_[node]); !id.empty()) {
    draft.add_term(to, TermKind::kAltId, id);
  }
}

// What the IRI stands for, unless that is the id of another concept, whose IRI it is. Along a
// chain <urn:semveil:urn:semveil:a>, <urn:semveil:a>, <a> all so keep their IRIs, or none does. One
// of more than kLongestChain keeps them beyond that.
std::string RdfConcepts::id_of(Node node) const {
  constexpr int kLongestChain = 8;
  const std::string& iri = *iri_[node];
  std::string id = skos_id(iri);
  if (id == iri) return iri;
  std::string last = id;
  for (int step = 0; step < kLongestChain; ++step) {
    const auto other = nodes_.find(last);
    if (other == nodes_.end() || !is_class(other->second)) return id;
    std::string next = skos_id(last);
    if (next == last) break;
    last = std::move(next);
  }
  return iri;
}

// The node an IRI, a local part or PREFIX:CODE stands for, if there is one.
RdfConcepts::Node RdfConcepts::replacement(std::string_view by) const {
  constexpr Node kNone = 0xFFFFFFFFU;
  const auto exact = nodes_.find(by);
  if (exact != nodes_.end()) return is_class(exact->second) ? exact->second : kNone;
  std::string local(by);
  std::ranges::replace(local, ':', '_');
  for (const std::string_view spelling : {by, std::string_view(local)}) {
    if (const Local* found = unique_local(spelling)) return found->second;
  }
  return kNone;
}

// By the old one's IRI.
Replacements RdfConcepts::replacements() const {
  std::vector<ReplacementStep> steps;
  for (const Replacement& stated : replacements_) {
    if (!is_class(stated.old) || is_live(stated.old)) continue;
    const Node by = replacement(stated.by);
    if (by < iri_.size()) steps.push_back({stated.old, by});
  }
  std::ranges::sort(steps, {}, &ReplacementStep::from);
  Replacements found = follow_replacements(steps, [this](Node n) { return is_live(n); });
  std::ranges::sort(found.pairs, [this](const auto& a, const auto& b) {
    return a.old != b.old ? *iri_[a.old] < *iri_[b.old] : index_[a.live] < index_[b.live];
  });
  return found;
}

// Deprecated concepts leave their ids to their live replacements.
Status RdfConcepts::add_replaced(OntologyDraft& draft) {
  const Replacements found = replacements();
  std::uint64_t copied = text_.size();
  for (const auto& [live, old] : found.pairs) {
    const OntologyDraft::Index to = index_[live];
    copied += iri_[old]->size();
    draft.add_term(to, TermKind::kAltId, *iri_[old]);
    for (std::size_t i = names_begin_[old]; i < names_begin_[old + std::size_t{1}]; ++i) {
      if (names_[i].kind != RdfName::kAltId) continue;
      copied += names_[i].size;
      if (copied > most_) return fail(too_large().at(file_));
      draft.add_term(to, TermKind::kAltId, text_of(names_[i]));
    }
    add_other_ids(old, to, draft);
    if (copied > most_) return fail(too_large().at(file_));
  }
  leave_out(draft.info, "deprecated ids that lead to their replacement", found.followed);
  return {};
}

void RdfConcepts::add_links(OntologyDraft& draft, const std::string& kind) {
  for (auto* links : {&links_, &forbidden_}) {
    std::ranges::sort(*links);
    links->erase(std::unique(links->begin(), links->end()), links->end());
  }
  std::uint64_t self = 0, to_deprecated = 0, to_others = 0;
  for (const auto& link : links_) {
    const auto [child, parent] = link;
    if (std::ranges::binary_search(forbidden_, link)) continue;
    if (((marks_[child] | marks_[parent]) & kNever) != 0) continue;
    if (child == parent) {
      ++self;
    } else if (is_live(child) && is_live(parent) && (marks_[parent] & kIndividual) == 0) {
      draft.add_link(index_[child], index_[parent]);
    } else if (is_class(child) && is_class(parent) && (marks_[parent] & kIndividual) == 0) {
      ++to_deprecated;
    } else {
      ++to_others;
    }
  }
  leave_out(draft.info, fmt::format("links from or to deprecated {}", kind), to_deprecated);
  leave_out(draft.info, fmt::format("links of {} to themselves", kind), self);
  leave_out(draft.info, fmt::format("links to what is none of the {}", kind), to_others);
}

void RdfConcepts::add_version_to(OntologyInfo& info) const {
  std::pair<unsigned, std::string_view> best{~0U, ""};
  for (const auto& [node, rank, text] : versions_) {
    if ((marks_[node] & kVersioned) != 0 && !text.empty()) best = std::min(best, {rank, text});
  }
  info.version = best.second;
}

Result<OntologyDraft> RdfConcepts::finish(std::string_view format, const std::string& kind) && {
  OntologyDraft draft;
  draft.info.format = format;
  add_version_to(draft.info);
  rank_languages();
  if (const Status done = resolve_label_nodes(); !done) return fail(done.error());
  group_names();
  const std::vector<Node> classes = sorted_nodes();
  find_locals(classes);

  index_.assign(iri_.size(), 0);
  std::size_t id_bytes = 0;
  for (const Node n : classes) id_bytes += 3 * iri_[n]->size();
  draft.reserve(classes.size(), names_.size() + 2 * classes.size(), text_.size() + id_bytes);
  std::uint64_t deprecated = 0, mentioned = 0, individuals = 0;
  for (const Node n : classes) {
    if (!is_live(n)) {
      ++deprecated;
      continue;
    }
    const bool is_individual = (marks_[n] & kIndividual) != 0;
    individuals += is_individual ? 1 : 0;
    mentioned += !is_individual && (marks_[n] & kDeclared) == 0 ? 1 : 0;
    index_[n] = draft.add_concept(id_of(n));
    add_terms(n, draft);
  }
  if (const Status checked = check_language(); !checked) return fail(checked.error());
  draft.info.contents.push_back({kind, draft.concepts() - individuals});
  count_some(draft.info.contents, "individuals", individuals);
  count_some(draft.info.contents, fmt::format("{} that only links name", kind), mentioned);
  leave_out(draft.info, fmt::format("deprecated {}", kind), deprecated);
  if (const Status done = add_replaced(draft); !done) return fail(done.error());
  add_links(draft, kind);
  leave_out(draft.info, "names in other languages", other_languages_);
  leave_out(draft.info,
            fmt::format("labels in the language asked for: these {} have another", kind),
            other_labels_);
  return draft;
}

}  // namespace semveil
