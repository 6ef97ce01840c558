// Adult with the hierarchies of ARX: fusion and recoding beside what users know, generalisation,
// and beside microaggregation.
//
// Every complete record, 30,162 of them, with 3, 5 and 8 quasi-identifiers. All methods work on the
// same hierarchies, ages too. One key: 30,162 records leave little to chance.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "figures/utility.h"
#include "reproduce/adult_hierarchies.h"
#include "reproduce/fuse_survey.h"
#include "semveil/generalize.h"
#include "semveil/microaggregate.h"

namespace semveil::reproduction {
namespace {

constexpr auto& kQuasiIdentifiers = kAdultHierarchies;
constexpr std::array<std::size_t, 3> kWidths{3, 5, 8};
constexpr std::array kAdultKs{2.0, 5.0, 10.0, 50.0};

enum AdultPlace : std::size_t {
  kFuseRival,
  kRecodeRival,
  kFullDomainRival,
  kLocalRival,
  kMicroaggregateRival
};
constexpr std::array kRivals{"fuse", "recode", "generalize, full-domain", "generalize, local",
                             "microaggregate"};

std::unique_ptr<const Mechanism> make_rival(std::size_t rival, std::uint64_t k, unsigned threads) {
  switch (rival) {
    case kFuseRival: {
      FuseOptions how;
      how.k = k;
      how.threads = threads;
      return make_fuse(how);
    }
    case kRecodeRival: {
      RecodeOptions how;
      how.k = k;
      how.threads = threads;
      return make_recode(how);
    }
    case kMicroaggregateRival:
      return make_microaggregate({.k = k, .threads = threads});
    default: {
      GeneralizeOptions how;
      how.k = k;
      how.scope =
          rival == kFullDomainRival ? GeneralizeScope::kFullDomain : GeneralizeScope::kLocal;
      how.threads = threads;
      return make_generalize(how);
    }
  }
}

struct AdultFigures {
  double quality = 0, lm = 0;
  double changed = 0;   // share of the records
  double smallest = 0;  // class
};
using ByAdultK = std::array<AdultFigures, kAdultKs.size()>;
using ByRival = std::array<ByAdultK, kRivals.size()>;

double share_changed(const Paired& pairs) {
  std::uint64_t changed = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const bool same =
        std::ranges::equal(pairs.tuple(i, Side::kBefore), pairs.tuple(i, Side::kAfter));
    changed += same ? 0 : pairs.counts[i];
  }
  return static_cast<double>(changed) / static_cast<double>(pairs.records());
}

Result<ByRival> mask_adult(const FrequencyTable& table, const ReproduceOptions& options,
                           Runs& runs) {
  ByRival out;
  for (std::size_t r = 0; r < kRivals.size(); ++r) {
    for (std::size_t i = 0; i < kAdultKs.size(); ++i) {
      const auto k = static_cast<std::uint64_t>(kAdultKs[i]);
      const auto pairs = mask_tuples(*make_rival(r, k, options.work.threads), table, 0);
      if (!pairs) return fail(pairs.error());
      const Classes released = classes_of(*pairs, Side::kAfter);
      out[r][i] = {semantic_quality(*pairs), generality(*pairs).lm, share_changed(*pairs),
                   static_cast<double>(released.smallest())};
      runs.done();
    }
  }
  return out;
}

ReproducedTable adult_table(const ByRival& figures, std::size_t width,
                            const FrequencyTable& table) {
  std::string names;
  for (std::size_t j = 0; j < width; ++j) {
    names += fmt::format("{}{}", j == 0 ? "" : ", ", kQuasiIdentifiers[j].name);
  }
  const auto unique = std::ranges::count(table.tuple_counts, std::uint64_t{1});
  ReproducedTable out;
  out.title = fmt::format("{} quasi-identifiers: {}. {} records, {} different ones, {} unique",
                          width, names, table.records, table.tuple_counts.size(), unique);
  for (const double k : kAdultKs) out.columns.push_back(fmt::format("k {}", k));
  const auto add = [&](const char* what, double AdultFigures::* figure) {
    for (std::size_t r = 0; r < kRivals.size(); ++r) {
      ReproducedRow row;
      row.name = fmt::format("{}, {}", what, kRivals[r]);
      for (const AdultFigures& of_k : figures[r]) row.ours.emplace_back(of_k.*figure);
      out.rows.push_back(std::move(row));
    }
  };
  add("quality", &AdultFigures::quality);
  add("lm", &AdultFigures::lm);
  add("changed records", &AdultFigures::changed);
  add("smallest class", &AdultFigures::smallest);
  return out;
}

class AdultClaims {
 public:
  AdultClaims(const ByRival& figures, std::size_t width, ReproducedPart& part)
      : figures_(figures), claims_(fmt::format("Adult, {} quasi-identifiers", width), part) {}

  void check() const {
    for (const AdultPlace rival : {kFullDomainRival, kLocalRival}) {
      claims_.add(fmt::format("quality: fuse is higher than {}", kRivals[rival]),
                  higher(kFuseRival, rival), why(kFuseRival, rival));
    }
    claims_.add("quality: generalize, local is higher than full-domain",
                higher(kLocalRival, kFullDomainRival), why(kLocalRival, kFullDomainRival));
    claims_.add("quality: microaggregate and fuse are alike", alike(),
                why(kMicroaggregateRival, kFuseRival));
    for (std::size_t r = 0; r < kRivals.size(); ++r) {
      if (r == kRecodeRival) continue;
      claims_.add(fmt::format("{} reaches k", kRivals[r]), reaches(r),
                  "classes are too small: an error of the program");
    }
  }

 private:
  std::string qualities(std::size_t a, std::size_t b) const {
    return listed("k", kAdultKs, [&](std::size_t i) {
      return fmt::format("{:.4f} and {:.4f}", figures_[a][i].quality, figures_[b][i].quality);
    });
  }
  // Worse by more than the tolerance at no k, and better on the average over k.
  Verdict higher(std::size_t a, std::size_t b) const {
    bool never_worse = true;
    double ahead = 0;
    for (std::size_t i = 0; i < kAdultKs.size(); ++i) {
      const double by = figures_[a][i].quality - figures_[b][i].quality;
      never_worse = never_worse && by >= -kFuseTolerance;
      ahead += by;
    }
    return {never_worse && ahead > 0, qualities(a, b)};
  }
  Verdict alike() const {
    bool holds = true;
    for (std::size_t i = 0; i < kAdultKs.size(); ++i) {
      const double by = figures_[kMicroaggregateRival][i].quality - figures_[kFuseRival][i].quality;
      holds = holds && std::abs(by) <= kFuseTolerance;
    }
    return {holds, qualities(kMicroaggregateRival, kFuseRival)};
  }
  Verdict reaches(std::size_t rival) const {
    Verdict out{true, ""};
    for (std::size_t i = 0; i < kAdultKs.size(); ++i) {
      out.holds = out.holds && figures_[rival][i].smallest >= kAdultKs[i];
    }
    out.figures = "smallest class: " + listed("k", kAdultKs, [&](std::size_t i) {
                    return fmt::format("{}", figures_[rival][i].smallest);
                  });
    return out;
  }
  // How many records a method changes, and how much each of them loses.
  std::string why(std::size_t a, std::size_t b) const {
    const AdultFigures& one = figures_[a].back();
    const AdultFigures& other = figures_[b].back();
    const auto lost = [](const AdultFigures& of) {
      return of.changed > 0 ? (1 - of.quality) / of.changed : 0;
    };
    return fmt::format(
        "at k {} {} changes {:.1f} % of the records, which lose {:.3f} each, {} {:.1f} %, which "
        "lose {:.3f} each",
        kAdultKs.back(), kRivals[a], 100 * one.changed, lost(one), kRivals[b], 100 * other.changed,
        lost(other));
  }

  const ByRival& figures_;
  Claims claims_;
};

}  // namespace

Status adult_is_there(const std::string& folder) {
  std::vector<DataFile> files{kAdult};
  for (const AdultHierarchy& column : kQuasiIdentifiers) files.push_back(column.hierarchy);
  return data_is_there(folder, files, "part 6 of fuse", "; parts 1 to 5 do without");
}

std::uint64_t adult_runs() { return kWidths.size() * kRivals.size() * kAdultKs.size(); }

Result<ReproducedPart> fused_adult(const ReproduceOptions& options, Runs& runs) {
  auto records = adult_records(options, kQuasiIdentifiers);
  if (!records) return fail(records.error());
  ReproducedPart part;
  part.title = "k-anonymous fusion beside its rivals, on Adult";
  part.notes = {
      "Adult's complete records with the hierarchies of ARX, for ages too; Wu-Palmer in nodes. No "
      "record is suppressed. Not in the thesis, which says that replacing a value by a similar one "
      "loses less than lifting it to a more general one.",
      "lm is the share of the hierarchy's leaves that a released value stands for; it is 0 for "
      "whoever releases leaves, however wrong they are, and so says nothing of fuse and recode. "
      "Quality compares each record with what became of it and serves for all. recode gives each "
      "value k records; tuples need not have them, as the smallest class shows."};
  for (const std::size_t width : kWidths) {
    Records some = *records;
    some.attributes.resize(width);
    some.columns.resize(width);
    const FrequencyTable table = count(some);
    const auto figures = mask_adult(table, options, runs);
    if (!figures) return fail(figures.error());
    part.tables.push_back(adult_table(*figures, width, table));
    AdultClaims(*figures, width, part).check();
  }
  return part;
}

}  // namespace semveil::reproduction
