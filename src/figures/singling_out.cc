#include "figures/singling_out.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "base/parallel.h"
#include "figures/attack_figures.h"
#include "mechanisms/common/random_choices.h"

namespace semveil {
namespace {

constexpr std::uint64_t kMostDraws = 100'000;
// Not secret: what is drawn is which guesses are tried.
constexpr std::string_view kKeyOfGuesses = "semveil: singling out, its draws";

RandomChoices choices(std::string_view purpose, std::size_t number, std::size_t part) {
  static_assert(kKeyOfGuesses.size() == Key::kSize);
  std::array<unsigned char, Key::kSize> bytes{};
  std::ranges::copy(kKeyOfGuesses, bytes.begin());
  const std::string of = std::to_string(number), which = std::to_string(part);
  const std::string_view address[] = {of, which};
  return {Key::from_bytes(bytes), purpose, address};
}

// The chance that of `few` records drawn from `many` exactly one is among `count` of them.
double exactly_one(double count, double few, double many) {
  double chance = count * few / many;
  for (double i = 1; i < count && chance > 0; ++i) chance *= (many - few - (i - 1)) / (many - i);
  return std::max(0.0, chance);
}

// What became of the guesses about so many columns.
struct Tally {
  std::size_t columns = 0;  // 0: all
  std::uint64_t guesses = 0, right = 0;
  double held = 0;                     // of the control, a sum of chances
  std::vector<std::uint32_t> pointed;  // originals' classes
  double rate() const { return static_cast<double>(right) / static_cast<double>(guesses); }
};

struct Tallies {
  std::vector<Tally> by_columns;  // all columns first
  // Released combinations of one origin, and whose they are.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> one_origin;
  std::uint64_t released = 0;
};

// Every set of so many columns, in lexicographical order.
std::vector<std::vector<std::size_t>> sets_of_columns(std::size_t width, std::size_t size) {
  std::vector<std::vector<std::size_t>> out;
  std::vector<std::size_t> set(size);
  for (std::size_t i = 0; i < size; ++i) set[i] = i;
  for (;;) {
    out.push_back(set);
    std::size_t i = size;
    while (i > 0 && set[i - 1] == width - size + i - 1) --i;
    if (i == 0) return out;
    ++set[i - 1];
    for (; i < size; ++i) set[i] = set[i - 1] + 1;
  }
}

// The numbers below `count` in random order, each once, without a list of them all.
class Shuffled {
 public:
  Shuffled(std::uint64_t count, RandomChoices& random) : count_(count), random_(random) {}
  std::uint64_t next() {  // at most `count` times
    const std::uint64_t at = taken_ + random_.below(count_ - taken_);
    const std::uint64_t drawn = at_place(at);
    moved_[at] = at_place(taken_++);
    return drawn;
  }

 private:
  std::uint64_t at_place(std::uint64_t place) const {
    const auto moved = moved_.find(place);
    return moved == moved_.end() ? place : moved->second;
  }
  std::uint64_t count_, taken_ = 0;
  RandomChoices& random_;
  std::unordered_map<std::uint64_t, std::uint64_t> moved_;  // looked up, never walked through
};

class Attacker {
 public:
  Attacker(const Attributes& attributes, const Classes& original, const Classes& released,
           const Classes* control, const FitRule& rule, const PersonRows* persons)
      : persons_(persons),
        original_(original),
        released_(released),
        control_(control),
        width_(attributes.size()),
        alike_(attributes, released, released, Fits::Ask::kWhoFits, rule),
        people_(attributes, released, original, Fits::Ask::kWhoFits, rule) {
    if (control != nullptr) {
      others_.emplace(attributes, released, *control, Fits::Ask::kWhoFits, rule);
    }
  }

  // `number` tells the draws of one attack from those of another.
  Tallies run(std::size_t number) const {
    Tallies out;
    out.released = released_.size();
    std::vector<std::uint32_t> guesses;
    Tally& all = out.by_columns.emplace_back();
    for (std::uint32_t g = 0; g < released_.size(); ++g) {
      check_stop();
      const auto who = only_one(g, alike_.all_columns());
      if (who) out.one_origin.emplace_back(g, *who);
      if (!is_guess(g, alike_.all_columns())) continue;
      guesses.push_back(g);
      count(g, alike_.all_columns(), who, all);
    }
    for (std::size_t s = 1; s <= kMostColumnsOfAGuess && s < width_; ++s) {
      out.by_columns.push_back(draw(guesses, s, number));
    }
    for (Tally& tally : out.by_columns) {
      std::ranges::sort(tally.pointed);
      tally.pointed.erase(std::ranges::unique(tally.pointed).begin(), tally.pointed.end());
    }
    return out;
  }

 private:
  bool is_guess(std::uint32_t g, std::span<const std::size_t> columns) const {
    return released_.counts[g] == 1 && alike_.records(g, columns, 1) == 1;
  }

  // The class of the one original that fits or, where they are told, the one person.
  std::optional<std::uint32_t> only_one(std::uint32_t g,
                                        std::span<const std::size_t> columns) const {
    if (persons_ == nullptr) return people_.only_one(g, columns);
    std::optional<std::uint32_t> who;
    bool are_several = false;
    people_.for_each(g, columns, [&](std::uint32_t c) {
      for (const PersonRows::Entry& entry : persons_->of(c)) {
        are_several |= who && *who != entry.person;
        who = entry.person;
      }
      return !are_several;
    });
    return are_several ? std::nullopt : who;
  }

  // A guess, and the one original that fits it, if one does.
  void count(std::uint32_t g, std::span<const std::size_t> columns,
             const std::optional<std::uint32_t>& who, Tally& tally) const {
    ++tally.guesses;
    if (who) {
      ++tally.right;
      tally.pointed.push_back(*who);
    }
    if (others_) tally.held += held(static_cast<double>(others_->records(g, columns)));
  }

  double held(double count) const {
    const auto n = static_cast<double>(original_.records());
    const auto m = static_cast<double>(control_->records());
    if (m >= n) return exactly_one(count, n, m);
    return count == 1 ? n / m : 0;
  }

  Tally draw(std::span<const std::uint32_t> records, std::size_t s, std::size_t number) const {
    Tally out;
    out.columns = s;
    const std::vector<std::vector<std::size_t>> sets = sets_of_columns(width_, s);
    const std::uint64_t all = records.size() * sets.size();
    RandomChoices random = choices("guesses", number, s);
    Shuffled shuffled(all, random);
    const std::uint64_t most = std::min(all, kMostDraws);
    for (std::uint64_t i = 0; i < most && out.guesses < kMostGuesses; ++i) {
      check_stop();
      const std::uint64_t drawn = shuffled.next();
      const std::uint32_t g = records[drawn / sets.size()];
      const std::vector<std::size_t>& columns = sets[drawn % sets.size()];
      if (is_guess(g, columns)) count(g, columns, only_one(g, columns), out);
    }
    return out;
  }

  const PersonRows* persons_;
  const Classes& original_;
  const Classes& released_;
  const Classes* control_;
  std::size_t width_;
  Fits alike_, people_;
  std::optional<Fits> others_;
};

// What the attack on shuffled columns gives for the same number of columns.
std::optional<ControlRate> drawn_baseline(std::span<const Tallies> shuffled, std::size_t place) {
  double sum = 0, attacks = 0, guesses = 0;
  for (const Tallies& each : shuffled) {
    const Tally& tally = each.by_columns[place];
    if (tally.guesses == 0) continue;
    sum += tally.rate();
    guesses += static_cast<double>(tally.guesses);
    ++attacks;
  }
  if (attacks == 0) return std::nullopt;
  return ControlRate{sum / attacks, guesses};
}

// `shuffled`: the attacks that the baseline is the mean of; empty: it has none.
Attack figures(const Tally& tally, const Classes& original, std::uint64_t people,
               const Classes* control, std::span<const Tallies> shuffled, std::size_t place) {
  Attack out;
  out.name = "singling-out";
  out.columns = tally.columns;
  out.tried = tally.guesses;
  if (tally.guesses == 0) return out;
  const auto guesses = static_cast<double>(tally.guesses);
  out.rate = tally.rate();
  out.pointed_at = static_cast<double>(tally.pointed.size()) / static_cast<double>(people);
  std::optional<ControlRate> controlled;
  if (control != nullptr) {
    const auto smaller = static_cast<double>(std::min(control->records(), original.records()));
    controlled = {std::min(1.0, tally.held / guesses),
                  guesses * smaller / static_cast<double>(original.records())};
  }
  if (!shuffled.empty()) out.baseline = 0;  // where shuffled columns give no guess
  finish_drawn(out, controlled, drawn_baseline(shuffled, place));
  return out;
}

}  // namespace

Classes shuffled_columns(const Attributes& attributes, const Classes& classes, std::size_t number) {
  const std::uint64_t records = classes.records();
  Paired table;
  table.attributes = attributes;
  table.before.resize(records * classes.width);
  table.counts.assign(records, 1);
  std::vector<ConceptId> column(records);
  for (std::size_t j = 0; j < classes.width; ++j) {
    std::size_t row = 0;
    for (std::size_t c = 0; c < classes.size(); ++c) {
      for (std::uint64_t i = 0; i < classes.counts[c]; ++i) column[row++] = classes.tuple(c)[j];
    }
    choices("columns", number, j).shuffle(std::span(column));
    for (row = 0; row < records; ++row) table.before[row * classes.width + j] = column[row];
  }
  Classes out = classes_of(table, Side::kBefore);
  out.of.clear();
  return out;
}

SinglingOut singling_out(const Attributes& attributes, const Classes& original,
                         const Classes& released, const Classes* control, const FitRule& rule,
                         unsigned threads, const PersonRows* persons) {
  if (control != nullptr && control->size() == 0) control = nullptr;
  SinglingOut out;
  out.attack.name = "singling-out";
  if (original.size() == 0 || released.size() == 0) return out;
  std::vector<Tallies> attacks(1 + kShuffles);  // the release itself first
  in_parallel(threads, attacks.size(), [&](std::size_t i) {
    if (i == 0) {
      attacks[i] = Attacker(attributes, original, released, control, rule, persons).run(i);
    } else {
      const Classes shuffled = shuffled_columns(attributes, released, i);
      attacks[i] = Attacker(attributes, original, shuffled, nullptr, rule, persons).run(i);
    }
  });
  const std::span<const Tallies> shuffled = std::span<const Tallies>(attacks).subspan(1);
  const bool has_columns = attributes.size() > 1;
  const std::uint64_t people = persons == nullptr ? original.records() : persons->persons();
  for (std::size_t place = 0; place < attacks[0].by_columns.size(); ++place) {
    const Tally& tally = attacks[0].by_columns[place];
    const bool has_baseline = has_columns && tally.columns != 1;
    Attack found = figures(tally, original, people, control,
                           has_baseline ? std::span(shuffled) : std::span<const Tallies>(), place);
    if (place == 0) {
      out.attack = std::move(found);
    } else {
      out.attack.by_columns.push_back(std::move(found));
    }
  }
  const auto share = [](const Tallies& of) {
    return static_cast<double>(of.one_origin.size()) / static_cast<double>(of.released);
  };
  OneOrigin& one = out.one_origin.emplace();
  one.released = attacks[0].released;
  one.share = share(attacks[0]);
  if (has_columns) {
    double sum = 0;
    for (const Tallies& each : shuffled) sum += share(each);
    one.shuffled = sum / kShuffles;
  }
  out.origins = std::move(attacks[0].one_origin);
  return out;
}

}  // namespace semveil
