#include "mechanisms/sets/set_plan.h"

#include <algorithm>

#include "mechanisms/sets/set_beliefs.h"
#include "mechanisms/sets/set_column.h"

namespace semveil {
namespace {

// Rows whose draws and sets are at hand at a time: they stay in the processor's cache.
constexpr std::size_t kRowsAtATime = 2048;

}  // namespace

SetPlan::SetPlan(Attributes attributes, SetFit fit, std::optional<SetJoint> joint, bool by_person,
                 const Key& key)
    : attributes_(std::move(attributes)),
      fit_(std::move(fit)),
      joint_(std::move(joint)),
      by_person_(by_person) {
  fit_.combinations = 1;
  for (std::size_t j = 0; j < attributes_.size(); ++j) {
    const SetColumn& column = fit_.columns[j];
    fit_.combinations *= column.l;
    Column& made = columns_.emplace_back(Column{SetDraws(column, fit_.by_category, fit_.draw),
                                                Draws(key, attributes_[j]->name),
                                                {column.weights.begin(), column.weights.end()}});
    for (ConceptId v = 0; v < column.counts.size(); ++v) {
      made.some_unseen |= made.sets.has(v) && column.counts[v] == 0;
    }
  }
}

void SetPlan::apply(const RecordBatch& in, MaskedBatch& out) const {
  out.columns.resize(columns_.size());
  out.tallies.resize(columns_.size());
  out.single_origin.assign(in.rows, false);
  out.trace.clear();
  std::vector<std::uint64_t> words;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const std::size_t l = width(j);
    out.columns[j].resize(in.rows * l);
    out.tallies[j].released.resize(attributes_[j]->size() + 1);
    for (std::size_t first = 0; first < in.rows; first += kRowsAtATime) {
      const std::size_t rows = std::min(kRowsAtATime, in.rows - first);
      draw(in, j, first, rows, words);
      out.tallies[j].missing +=
          columns_[j].sets.draw(in.columns[j].subspan(first, rows), words,
                                std::span(out.columns[j]).subspan(first * l, rows * l));
      if (columns_[j].some_unseen) find_single_origins(in, j, first, rows, out);
      if (out.counted) count(in, j, first, rows, out);
    }
  }
  if (joint_ && out.counted) joint_->count(in.columns, out.columns, in.rows, out.joint);
}

void SetPlan::draw(const RecordBatch& in, std::size_t j, std::size_t first, std::size_t rows,
                   std::vector<std::uint64_t>& words) const {
  const Column& column = columns_[j];
  words.resize(column.sets.words() * rows);
  const auto of = [&](std::uint32_t w) { return std::span(words).subspan(w * rows, rows); };
  if (!by_person_) {
    for (std::uint32_t w = 0; w < column.sets.words(); ++w) {
      column.draws.of_rows(in.first_row + first, w, of(w));
    }
    return;
  }
  std::vector<std::uint64_t> addresses(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const ConceptId cell = in.columns[j][first + i];  // without a set, whatever is drawn
    addresses[i] = column.draws.address(in.persons[first + i], attributes_[j]->id(cell));
  }
  for (std::uint32_t w = 0; w < column.sets.words(); ++w) {
    column.draws.of_addresses(addresses, w, of(w));
  }
}

void SetPlan::find_single_origins(const RecordBatch& in, std::size_t j, std::size_t first,
                                  std::size_t rows, MaskedBatch& out) const {
  const std::vector<double>& weights = columns_[j].weights;
  const std::size_t l = width(j);
  for (std::size_t row = first; row < first + rows; ++row) {
    const ConceptId* const set = out.columns[j].data() + row * l;
    if (set[0] == kMissing) continue;
    std::size_t possible = 0;
    for (std::size_t i = 0; i < l; ++i) possible += weights[set[i]] > 0 ? 1 : 0;
    if (possible == 1 || gives_itself_away(fit_.columns[j], in.columns[j][row])) {
      out.single_origin[row] = true;
    }
  }
}

void SetPlan::count(const RecordBatch& in, std::size_t j, std::size_t first, std::size_t rows,
                    MaskedBatch& out) const {
  const double* const weights = columns_[j].weights.data();
  const std::size_t l = width(j);
  const bool some_unseen = columns_[j].some_unseen;
  const SetColumn& column = fit_.columns[j];
  SetBeliefs beliefs(
      [=](ConceptId v) { return weights[v]; },
      [&column, some_unseen](ConceptId v) { return some_unseen && gives_itself_away(column, v); });
  ColumnTally& tally = out.tallies[j];
  std::uint64_t* const released = tally.released.data();
  std::uint64_t cells = 0;
  ExactSum posteriors, guesses;  // kept apart from what the loop writes
  double worst = tally.worst_posterior;
  for (std::size_t row = first; row < first + rows; ++row) {
    const auto set = std::span(out.columns[j]).subspan(row * l, l);
    if (set[0] == kMissing) continue;
    beliefs.look_at(set);
    for (const ConceptId v : set) ++released[v];
    const double posterior = beliefs.belief(in.columns[j][row]);
    posteriors.add(posterior);
    guesses.add(beliefs.largest() / beliefs.sum());
    worst = std::max(worst, posterior);
    ++cells;
  }
  tally.cells += cells;
  tally.changed += cells;  // a set is no value
  tally.posteriors.add(posteriors);
  tally.guesses.add(guesses);
  tally.worst_posterior = worst;
}

}  // namespace semveil
