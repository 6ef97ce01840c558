#include "figures/attacks.h"

#include <algorithm>

#include "figures/attack_figures.h"
#include "figures/linked_halves.h"
#include "figures/pairs_of_class.h"
#include "figures/person_links_of.h"
#include "figures/projected.h"
#include "figures/tuple_distances.h"

namespace semveil {
namespace {

bool is_there(const Classes* control) { return control != nullptr && control->size() > 0; }

double mean_score(const Classes& classes, std::span<const double> scores) {
  double sum = 0;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    sum += static_cast<double>(classes.counts[c]) * scores[c];
  }
  return sum / static_cast<double>(classes.records());
}

// The greatest over each person's records, mean over persons; or the mean over records.
double mean_score(const Classes& classes, std::span<const double> scores,
                  const PersonRows* persons) {
  if (persons == nullptr) return mean_score(classes, scores);
  const PersonRows rows = persons->moved(classes.of, classes.size());
  PersonScores greatest(rows);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    for (const PersonRows::Entry& entry : rows.of(c)) greatest.raise(entry.person, scores[c]);
  }
  return greatest.mean();
}

Attack named(std::string name, std::uint64_t tried) {
  Attack out;
  out.name = std::move(name);
  out.tried = tried;
  return out;
}

}  // namespace

std::optional<Attack> linkability(const Paired& pairs, const Classes* control, unsigned threads,
                                  const PersonRows* persons) {
  if (pairs.width() < 2) return std::nullopt;
  Attack out = named("linkability", persons == nullptr ? pairs.records() : persons->persons());
  if (out.tried == 0) return out;
  out.baseline = 1 / static_cast<double>(out.tried);
  const LinkedHalves halves(pairs);
  const Classes before = classes_of(pairs, Side::kBefore);
  if (persons == nullptr) {
    out.rate = mean_score(before, halves.scores(before, threads));
  } else {
    PersonLinksOf links({pairs, *persons}, Side::kBefore);
    halves.for_each_linked(before, threads,
                           [&](std::size_t target, std::span<const std::uint32_t> released) {
                             links.link(target, released);
                           });
    out.rate = links.mean();
  }
  std::optional<ControlRate> controlled;
  if (is_there(control)) {
    controlled = {mean_score(*control, halves.scores(*control, threads)),
                  static_cast<double>(control->records())};
  }
  finish(out, controlled);
  return out;
}

Attack inference(const Paired& pairs, const Classes* control, unsigned threads,
                 const PersonRows* persons) {
  Attack out = named("inference", persons == nullptr ? pairs.records() : persons->persons());
  out.about = pairs.attributes.back()->name;
  if (out.tried == 0) return out;
  const std::size_t secret = pairs.width() - 1;
  std::vector<std::size_t> known(secret);
  std::iota(known.begin(), known.end(), std::size_t{0});
  const TupleDistances::Attributes known_attributes(pairs.attributes.begin(),
                                                    pairs.attributes.end() - 1);

  const Classes after = classes_of(pairs, Side::kAfter);
  const Classes released = projected(after, pairs.attributes, known);
  const PairsOfClass after_of(released);
  const auto rate_of = [&](const Classes& targets, const PersonRows* whose) {
    const Classes looked_up = projected(targets, pairs.attributes, known);
    const PairsOfClass targets_of(looked_up);
    const TupleDistances distances(known_attributes, looked_up.tuples, looked_up.size(),
                                   released.tuples, released.size(), {.threads = threads});
    std::vector<double> scores(targets.size(), 0);
    distances.nearest([&](std::size_t q, std::span<const std::uint32_t> nearest) {
      // Few people share what is known, many records may be nearest: their secrets are counted for
      // the values that somebody has.
      std::vector<std::pair<ConceptId, std::uint64_t>> wanted;
      for (const std::uint32_t t : targets_of[q]) wanted.emplace_back(targets.tuple(t)[secret], 0);
      std::ranges::sort(wanted);
      std::uint64_t records = 0;
      for (const std::uint32_t r : nearest) {
        records += released.counts[r];
        for (const std::uint32_t a : after_of[r]) {
          const ConceptId value = after.tuple(a)[secret];
          const auto at =
              std::ranges::lower_bound(wanted, value, {}, [](const auto& w) { return w.first; });
          if (at != wanted.end() && at->first == value) at->second += after.counts[a];
        }
      }
      for (const std::uint32_t t : targets_of[q]) {
        const ConceptId value = targets.tuple(t)[secret];
        const auto at =
            std::ranges::lower_bound(wanted, value, {}, [](const auto& w) { return w.first; });
        scores[t] = static_cast<double>(at->second) / static_cast<double>(records);
      }
    });
    return mean_score(targets, scores, whose);
  };

  const Classes before = classes_of(pairs, Side::kBefore);
  out.rate = rate_of(before, persons);
  const std::size_t last[] = {secret};
  const Classes secrets = projected(before, pairs.attributes, last);
  const auto records = static_cast<double>(pairs.records());
  std::vector<double> shares;  // by class: of its secret among all records
  for (std::size_t c = 0; c < before.size(); ++c) {
    shares.push_back(static_cast<double>(secrets.counts[secrets.of[c]]) / records);
  }
  double agreeing = 0;  // two drawn from all records
  for (const std::uint64_t count : secrets.counts) {
    agreeing += static_cast<double>(count) / records * (static_cast<double>(count) / records);
  }
  out.baseline = persons == nullptr ? agreeing : mean_score(before, shares, persons);
  std::optional<ControlRate> controlled;
  if (is_there(control)) {
    controlled = {rate_of(*control, nullptr), static_cast<double>(control->records())};
  }
  finish(out, controlled);
  return out;
}

}  // namespace semveil
