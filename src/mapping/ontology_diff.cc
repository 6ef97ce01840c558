#include "semveil/ontology_diff.h"

#include <algorithm>
#include <map>

#include "base/stop.h"

namespace semveil {
namespace {

class Release {
 public:
  static Result<Release> of(const Ontology& ontology) {
    auto taxonomy = ontology.taxonomy();
    if (!taxonomy) return fail(taxonomy.error());
    auto names = ontology.names();
    if (!names) return fail(names.error());
    return Release(*std::move(taxonomy), *std::move(names));
  }

  // Concepts by ascending id.
  const std::vector<ConceptId>& concepts() const { return by_id_; }
  const Names& names() const { return *names_; }

  std::vector<std::string> parents(ConceptId c) const {
    std::vector<std::string> ids;
    for (const ConceptId p : taxonomy_->parents(c)) {
      if (!taxonomy_->is_virtual(p)) ids.emplace_back(names_->id(p));
    }
    std::ranges::sort(ids);
    return ids;
  }

  // Of every further id: the ids of the concepts that have it.
  std::map<std::string, std::vector<std::string>, std::less<>> other_ids() const {
    std::map<std::string, std::vector<std::string>, std::less<>> others;
    StopCheck check;
    for (const ConceptId c : by_id_) {
      check();
      for (TermId t = names_->first_term(c); t < names_->last_term(c); ++t) {
        const Term term = names_->term(t);
        if (term.kind == TermKind::kAltId) {
          others[std::string(term.text)].emplace_back(names_->id(c));
        }
      }
    }
    return others;
  }

 private:
  Release(std::shared_ptr<const Taxonomy> taxonomy, std::shared_ptr<const Names> names)
      : taxonomy_(std::move(taxonomy)), names_(std::move(names)) {
    for (ConceptId c = 0; c < taxonomy_->size(); ++c) {
      if (!taxonomy_->is_virtual(c)) by_id_.push_back(c);
    }
    std::ranges::sort(by_id_, {}, [this](ConceptId c) { return taxonomy_->id_rank(c); });
  }

  std::shared_ptr<const Taxonomy> taxonomy_;
  std::shared_ptr<const Names> names_;
  std::vector<ConceptId> by_id_;
};

ConceptChange change(const Release& release, ConceptId c) {
  ConceptChange out;
  out.id = release.names().id(c);
  out.label = release.names().label(c);
  return out;
}

}  // namespace

Result<OntologyDiff> diff(const Ontology& before, const Ontology& after) {
  const Result<Release> old_release = Release::of(before);
  if (!old_release) return fail(old_release.error());
  const Result<Release> new_release = Release::of(after);
  if (!new_release) return fail(new_release.error());
  const auto replacements = new_release->other_ids();

  OntologyDiff out;
  out.concepts_before = old_release->concepts().size();
  out.concepts_after = new_release->concepts().size();
  auto a = old_release->concepts().begin();
  auto b = new_release->concepts().begin();
  const auto a_end = old_release->concepts().end();
  const auto b_end = new_release->concepts().end();
  while (a != a_end || b != b_end) {
    const bool only_b =
        a == a_end || (b != b_end && new_release->names().id(*b) < old_release->names().id(*a));
    const bool only_a =
        b == b_end || (a != a_end && old_release->names().id(*a) < new_release->names().id(*b));
    if (only_b) {
      out.fresh.push_back(change(*new_release, *b++));
    } else if (only_a) {
      ConceptChange gone = change(*old_release, *a++);
      if (const auto at = replacements.find(gone.id); at != replacements.end()) {
        gone.replaced_by = at->second;
      }
      out.gone.push_back(std::move(gone));
    } else {
      ConceptChange both = change(*old_release, *a);
      both.parents_before = old_release->parents(*a);
      both.parents_after = new_release->parents(*b);
      both.label_after = new_release->names().label(*b);
      const bool moved = both.parents_before != both.parents_after;
      const bool renamed = both.label != both.label_after;
      out.unchanged += moved || renamed ? 0 : 1;
      if (moved) out.moved.push_back(both);
      if (renamed) out.renamed.push_back(std::move(both));
      ++a;
      ++b;
    }
  }
  return out;
}

Result<std::vector<TouchedValue>> touched_values(const OntologyDiff& changes,
                                                 const MappingFile& mapping,
                                                 const Ontology& before) {
  const auto names = before.names();
  if (!names) return fail(names.error());
  std::vector<TouchedValue> touched;
  const auto find = [](const std::vector<ConceptChange>& list, std::string_view id) {
    const auto at = std::ranges::lower_bound(list, id, {}, &ConceptChange::id);
    return at == list.end() || at->id != id ? nullptr : &*at;
  };
  for (const auto& [value, decided] : mapping.concepts()) {
    if (!decided) continue;  // unmapped on purpose
    const std::string_view id = (*names)->id(*decided);
    TouchedValue out{value, std::string(id), "", {}};
    if (const ConceptChange* gone = find(changes.gone, id)) {
      out.what = gone->replaced_by.empty() ? "gone" : "replaced";
      out.replaced_by = gone->replaced_by;
    } else if (find(changes.moved, id) != nullptr) {
      out.what = "moved";
    } else if (find(changes.renamed, id) != nullptr) {
      out.what = "renamed";
    } else {
      continue;
    }
    touched.push_back(std::move(out));
  }
  return touched;
}

}  // namespace semveil
