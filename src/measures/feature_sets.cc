#include "measures/feature_sets.h"

#include <algorithm>
#include <optional>

#include "base/stop.h"

namespace semveil {
namespace {

class ListedSets final : public FeatureSets {
 public:
  explicit ListedSets(IdLists lists) : lists_(std::move(lists)) {}

  std::uint32_t size(ConceptId c) const override { return lists_.size(c); }

  std::uint32_t common(ConceptId a, ConceptId b) const override {
    std::span<const std::uint32_t> few = lists_[a];
    std::span<const std::uint32_t> many = lists_[b];
    if (few.size() > many.size()) std::swap(few, many);
    std::uint32_t found = 0;
    auto at = many.begin();
    for (const std::uint32_t number : few) {
      at = std::lower_bound(at, many.end(), number);
      if (at == many.end()) break;
      found += *at == number ? 1 : 0;
    }
    return found;
  }

  void complete(std::vector<ConceptId>&) const override {}

  void common_with(ConceptId source, std::span<const ConceptId> concepts,
                   std::span<std::uint32_t> out) const override {
    Marks& marks = Marks::fresh(lists_.bound());
    marks.put(lists_[source]);
    for (const ConceptId c : concepts) out[c] = marks.count(lists_[c]);
  }

 private:
  IdLists lists_;
};

// c and everything above it, each once; lives until the thread's next call. Memory is taken when a
// greater taxonomy than ever is asked about, and kept.
std::span<const ConceptId> at_or_above(const Taxonomy& taxonomy, ConceptId c) {
  thread_local Marks seen;
  thread_local std::vector<ConceptId> list;
  seen.clear(taxonomy.size());
  list.clear();
  list.reserve(taxonomy.size());
  list.push_back(c);
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (const ConceptId p : taxonomy.parents(list[i])) {
      if (seen.has(p)) continue;
      seen.put(p);
      list.push_back(p);
    }
  }
  return list;
}

// For every concept but the root the parent with most bases above it; the root is its own.
std::vector<ConceptId> bases_of(const Taxonomy& taxonomy) {
  std::vector<ConceptId> bases(taxonomy.size(), Taxonomy::root());
  std::vector<std::uint32_t> above(taxonomy.size(), 0);
  for (ConceptId c = 1; c < taxonomy.size(); ++c) {
    check_stop();
    ConceptId base = taxonomy.parents(c)[0];
    for (const ConceptId p : taxonomy.parents(c)) {
      if (above[p] > above[base]) base = p;
    }
    bases[c] = base;
    above[c] = above[base] + 1;
  }
  return bases;
}

// What every concept adds to the set of its base. Goes down the tree of bases, so that the set of
// the concept at hand is always at hand too: entering a concept marks what it adds, leaving it
// takes that away.
class Additions {
 public:
  Additions(const Taxonomy& taxonomy, const IdLists& own, const std::vector<ConceptId>& bases)
      : taxonomy_(taxonomy),
        own_(own),
        below_(taxonomy.size()),
        place_(taxonomy.size(), 0),
        in_concepts_(taxonomy.size(), false),
        in_set_(own.bound(), false) {
    for (ConceptId c = 1; c < taxonomy.size(); ++c) below_[bases[c]].push_back(c);
  }

  // By concept; nothing where they are more than `most` numbers.
  std::optional<IdLists> find(std::size_t most) {
    enter(Taxonomy::root());
    while (!way_.empty()) {
      Entered& last = way_.back();
      const std::vector<ConceptId>& below = below_[last.concept_id];
      if (last.next == below.size()) {
        leave();
        continue;
      }
      enter(below[last.next++]);  // `last` is gone after this
      if (total_ > most) return std::nullopt;
    }
    IdLists by_concept;
    for (ConceptId c = 0; c < taxonomy_.size(); ++c) by_concept.add(lists_[place_[c]]);
    return by_concept;
  }

 private:
  struct Entered {
    ConceptId concept_id;
    std::size_t next = 0;             // of those it is the base of
    std::vector<ConceptId> concepts;  // at or above it, but not at or above its base
  };

  void enter(ConceptId c) {
    Entered entered{c, 0, {c}};
    in_concepts_[c] = true;
    for (std::size_t i = 0; i < entered.concepts.size(); ++i) {
      for (const ConceptId p : taxonomy_.parents(entered.concepts[i])) {
        if (in_concepts_[p]) continue;
        in_concepts_[p] = true;
        entered.concepts.push_back(p);
      }
    }
    std::vector<std::uint32_t> list;
    for (const ConceptId x : entered.concepts) {
      for (const std::uint32_t number : own_[x]) {
        if (in_set_[number]) continue;
        in_set_[number] = true;
        list.push_back(number);
      }
    }
    place_[c] = static_cast<std::uint32_t>(lists_.concepts());
    lists_.add(list);
    total_ += list.size() + entered.concepts.size();
    way_.push_back(std::move(entered));
  }

  void leave() {
    for (const ConceptId x : way_.back().concepts) in_concepts_[x] = false;
    for (const std::uint32_t number : lists_[place_[way_.back().concept_id]]) {
      in_set_[number] = false;
    }
    way_.pop_back();
  }

  const Taxonomy& taxonomy_;
  const IdLists& own_;
  std::vector<std::vector<ConceptId>> below_;  // by base
  IdLists lists_;                              // in the order of entering
  std::vector<std::uint32_t> place_;           // by concept: where in them
  std::vector<bool> in_concepts_, in_set_;     // of the way
  std::vector<Entered> way_;
  std::size_t total_ = 0;
};

class StoredSets final : public FeatureSets {
 public:
  StoredSets(std::vector<ConceptId> bases, IdLists added)
      : base_(std::move(bases)), added_(std::move(added)), sizes_(base_.size(), 0) {
    for (ConceptId c = 0; c < base_.size(); ++c) {
      sizes_[c] = (c == Taxonomy::root() ? 0 : sizes_[base_[c]]) + added_.size(c);
    }
  }

  std::uint32_t size(ConceptId c) const override { return sizes_[c]; }

  std::uint32_t common(ConceptId a, ConceptId b) const override {
    Marks& marks = Marks::fresh(added_.bound());
    ConceptId x = a;
    ConceptId y = b;
    while (x != y) {  // a base has a smaller number
      if (x > y) {
        marks.put(added_[x]);
        x = base_[x];
      } else {
        y = base_[y];
      }
    }
    std::uint32_t found = sizes_[x];
    for (ConceptId c = b; c != x; c = base_[c]) found += marks.count(added_[c]);
    return found;
  }

  void complete(std::vector<ConceptId>& concepts) const override {
    std::vector<bool> known(base_.size(), false);
    std::vector<ConceptId> all;
    for (ConceptId c : concepts) {
      for (; !known[c]; c = base_[c]) {
        known[c] = true;
        all.push_back(c);
      }
    }
    std::ranges::sort(all);
    concepts = std::move(all);
  }

  void common_with(ConceptId source, std::span<const ConceptId> concepts,
                   std::span<std::uint32_t> out) const override {
    Marks& marks = Marks::fresh(added_.bound());
    for (ConceptId c = source;; c = base_[c]) {
      marks.put(added_[c]);
      if (c == Taxonomy::root()) break;
    }
    for (const ConceptId c : concepts) {
      const std::uint32_t above = c == Taxonomy::root() ? 0 : out[base_[c]];
      out[c] = above + marks.count(added_[c]);
    }
  }

 private:
  std::vector<ConceptId> base_;
  IdLists added_;
  std::vector<std::uint32_t> sizes_;
};

class WalkedSets final : public FeatureSets {
 public:
  WalkedSets(std::shared_ptr<const Taxonomy> taxonomy, IdLists own)
      : taxonomy_(std::move(taxonomy)), own_(std::move(own)), sizes_(taxonomy_->size(), 0) {
    for (ConceptId c = 0; c < taxonomy_->size(); ++c) {
      for_each(c, [&](std::uint32_t) { ++sizes_[c]; });
    }
  }

  std::uint32_t size(ConceptId c) const override { return sizes_[c]; }

  std::uint32_t common(ConceptId a, ConceptId b) const override {
    Marks& marks = Marks::fresh(own_.bound());
    for (const ConceptId x : at_or_above(*taxonomy_, a)) marks.put(own_[x]);
    std::uint32_t found = 0;
    for (const ConceptId x : at_or_above(*taxonomy_, b)) {
      for (const std::uint32_t number : own_[x]) found += marks.take(number) ? 1 : 0;
    }
    return found;
  }

  void complete(std::vector<ConceptId>&) const override {}

  void common_with(ConceptId source, std::span<const ConceptId> concepts,
                   std::span<std::uint32_t> out) const override {
    std::vector<bool> in_source(own_.bound(), false);
    for_each(source, [&](std::uint32_t number) { in_source[number] = true; });
    for (const ConceptId c : concepts) {
      std::uint32_t found = 0;
      for_each(c, [&](std::uint32_t number) { found += in_source[number] ? 1 : 0; });
      out[c] = found;
    }
  }

 private:
  // Each number of c's set, once.
  template <class Visit>
  void for_each(ConceptId c, Visit visit) const {
    Marks& marks = Marks::fresh(own_.bound());
    for (const ConceptId x : at_or_above(*taxonomy_, c)) {
      for (const std::uint32_t number : own_[x]) {
        if (marks.has(number)) continue;
        marks.put(number);
        visit(number);
      }
    }
  }

  std::shared_ptr<const Taxonomy> taxonomy_;
  IdLists own_;
  std::vector<std::uint32_t> sizes_;
};

}  // namespace

std::unique_ptr<const FeatureSets> listed_sets(IdLists lists) {
  return std::make_unique<ListedSets>(std::move(lists));
}

std::unique_ptr<const FeatureSets> inherited_sets(std::shared_ptr<const Taxonomy> taxonomy,
                                                  IdLists own, std::size_t most) {
  std::vector<ConceptId> bases = bases_of(*taxonomy);
  std::optional<IdLists> added = Additions(*taxonomy, own, bases).find(most);
  if (added) return std::make_unique<StoredSets>(std::move(bases), *std::move(added));
  return std::make_unique<WalkedSets>(std::move(taxonomy), std::move(own));
}

}  // namespace semveil
