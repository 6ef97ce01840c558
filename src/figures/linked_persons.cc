#include "figures/linked_persons.h"

#include <map>
#include <numeric>

#include "figures/person_links_of.h"
#include "figures/tuple_distances.h"
#include "measures/id_lists.h"

namespace semveil {

PersonLinksOf::PersonLinksOf(const PairedPersons& tables, Side asking)
    : tables_(tables),
      asks_(classes_of(tables.pairs, asking)),
      answers_(classes_of(tables.pairs, asking == Side::kBefore ? Side::kAfter : Side::kBefore)),
      asking_(tables.rows.moved(asks_.of, asks_.size())),
      answering_(tables.rows.moved(answers_.of, answers_.size())),
      persons_(tables.rows.greatest() + std::size_t{1}),
      scores_(asking_.entries.size(), 0) {}

void PersonLinksOf::link(std::size_t asking, std::span<const std::uint32_t> linked) {
  Marks& there = Marks::fresh(persons_);
  std::uint64_t persons = 0;
  for (const std::uint32_t c : linked) {
    for (const PersonRows::Entry& entry : answering_.of(c)) {
      if (there.has(entry.person)) continue;
      there.put(entry.person);
      ++persons;
    }
  }
  const auto asking_persons = asking_.of(asking);
  for (std::size_t i = 0; i < asking_persons.size(); ++i) {
    if (!there.has(asking_persons[i].person)) continue;
    scores_[asking_.begin[asking] + i] = 1 / static_cast<double>(persons);
  }
}

double PersonLinksOf::score(std::size_t asking, std::uint32_t person) const {
  const auto persons = asking_.of(asking);
  const auto at = std::ranges::lower_bound(persons, person, {}, &PersonRows::Entry::person);
  return scores_[asking_.begin[asking] + static_cast<std::size_t>(at - persons.begin())];
}

double PersonLinksOf::mean() const {
  PersonScores scores(asking_);
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    scores.raise(asking_.entries[i].person, scores_[i]);
  }
  return scores.mean();
}

// Suppressed records link to nobody in particular.
double PersonLinksOf::surest() const {
  std::vector<std::uint32_t> shown = asks_.of;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (was_suppressed(tables_.pairs, i)) shown[i] = PersonRows::kGone;
  }
  const PersonRows who = tables_.rows.moved(shown, asks_.size());
  double greatest = 0;
  for (std::size_t q = 0; q < asks_.size(); ++q) {
    double sum = 0;
    for (const PersonRows::Entry& entry : who.of(q)) sum += score(q, entry.person);
    if (!who.of(q).empty()) {
      greatest = std::max(greatest, sum / static_cast<double>(who.of(q).size()));
    }
  }
  return greatest;
}

std::vector<double> PersonLinksOf::by_pair() const {
  std::vector<double> out;
  for (std::size_t i = 0; i < tables_.pairs.size(); ++i) {
    double sum = 0;
    for (const PersonRows::Entry& entry : tables_.rows.of(i)) {
      sum += static_cast<double>(entry.rows) * score(asks_.of[i], entry.person);
    }
    out.push_back(sum / static_cast<double>(tables_.pairs.counts[i]));
  }
  return out;
}

namespace {

void link_nearest(const Paired& pairs, unsigned threads, PersonLinksOf& links) {
  const TupleDistances distances(pairs.attributes, links.asks().tuples, links.asks().size(),
                                 links.answers().tuples, links.answers().size(),
                                 {.threads = threads});
  distances.nearest([&](std::size_t asking, std::span<const std::uint32_t> nearest) {
    links.link(asking, nearest);
  });
}

// Of no column all are equal.
double share_alone(const PairedPersons& tables) {
  const Classes released = classes_of(tables.pairs, Side::kAfter);
  const PersonRows rows = tables.rows.moved(released.of, released.size());
  std::vector<std::uint32_t> alone;
  for (std::size_t c = 0; c < released.size(); ++c) {
    if (rows.of(c).size() == 1) alone.push_back(rows.of(c).front().person);
  }
  std::ranges::sort(alone);
  const auto persons = static_cast<double>(rows.persons());
  const auto unique = std::unique(alone.begin(), alone.end()) - alone.begin();
  return persons == 0 ? 0 : static_cast<double>(unique) / persons;
}

}  // namespace

double persons_linked_by_equality(const PairedPersons& tables) {
  PersonLinksOf links(tables, Side::kAfter);
  std::map<std::vector<ConceptId>, std::uint32_t> originals;
  for (std::uint32_t c = 0; c < links.answers().size(); ++c) {
    const auto tuple = links.answers().tuple(c);
    originals.emplace(std::vector(tuple.begin(), tuple.end()), c);
  }
  for (std::size_t q = 0; q < links.asks().size(); ++q) {
    const auto tuple = links.asks().tuple(q);
    const auto found = originals.find(std::vector(tuple.begin(), tuple.end()));
    if (found != originals.end()) links.link(q, {&found->second, 1});
  }
  return links.mean();
}

LinkedPersons persons_linked_by_meaning(const PairedPersons& tables, unsigned threads) {
  PersonLinksOf links(tables, Side::kAfter);
  link_nearest(tables.pairs, threads, links);
  return {links.mean(), links.surest(), links.by_pair()};
}

double persons_linked_by_window(const PairedPersons& tables, const WindowOptions& options) {
  PersonLinksOf links(tables, Side::kAfter);
  for_each_window(tables.pairs, links.answers(), links.asks(), options,
                  [&](std::size_t released, std::span<const std::uint32_t> originals) {
                    links.link(released, originals);
                  });
  return links.mean();
}

double surest_person_from_originals(const PairedPersons& tables, unsigned threads) {
  const Paired shown = unsuppressed(tables.pairs);
  std::vector<std::size_t> all(tables.pairs.width());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const PersonRows rows = persons_over(tables.pairs, tables.rows, all, shown);
  PersonLinksOf links({shown, rows}, Side::kBefore);
  link_nearest(shown, threads, links);
  return links.surest();
}

std::vector<WithoutColumn> persons_without_each_column(const PairedPersons& tables,
                                                       unsigned threads) {
  std::vector<WithoutColumn> out(tables.pairs.width());
  for (std::size_t j = 0; j < out.size(); ++j) {
    std::vector<std::size_t> others;
    for (std::size_t other = 0; other < out.size(); ++other) {
      if (other != j) others.push_back(other);
    }
    const Paired rest = tables.pairs.over(others);
    if (rest.size() == 0) continue;
    const PersonRows rows = persons_over(tables.pairs, tables.rows, others, rest);
    out[j].linkage = persons_linked_by_meaning({rest, rows}, threads).mean;
    out[j].uniques = share_alone({rest, rows});
  }
  return out;
}

}  // namespace semveil
