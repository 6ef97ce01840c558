// From the merged parts of two tables to a pair of them (semveil/pair_part.h).
#include <fmt/format.h>

#include "audit/drawn_model.h"
#include "audit/meant_tables.h"
#include "audit/pair_part_impl.h"
#include "release/row_keys.h"
#include "release/rows_of_table.h"
#include "release/survey.h"
#include "semveil/method.h"
#include "semveil/stop.h"
#include "table/heading_table.h"

namespace semveil {
namespace {

class PartPairing {
 public:
  PartPairing(PairCounts counts, const PlanFile& plan, const PairOptions& options)
      : counts_(std::move(counts)),
        original_(heading_table("the original table", counts_.original_columns)),
        masked_(heading_table("the masked table", counts_.masked_columns)),
        plan_(plan),
        options_(options),
        out_(std::make_unique<TablePair::Impl>()),
        meant_({original_, masked_, plan, options, columns_, drawn_}, *out_) {
    out_->missing = plan.missing;
    out_->take_plan(plan);
    out_->leave_persons_untold(plan);
    out_->asks_persons = !plan.person.empty();  // parts do not tell them
  }

  Result<TablePair> run() && {
    const Status is_whole = check_no_gap(counts_.rows, "counted");
    if (!is_whole) return fail(is_whole.error());
    if (const Status status = find_columns(); !status) return fail(status.error());
    if (const Status status = meant_.open_ontologies(); !status) return fail(status.error());
    const std::vector<std::uint64_t> first_rows = counts_.original.tuples.firsts();
    const Status taken =
        meant_.take(std::move(counts_.original).rows(), std::move(counts_.masked).rows());
    if (!taken) return fail(taken.error());
    if (const Status status = fit(first_rows); !status) return fail(status.error());
    if (const Status status = meant_.understand(); !status) return fail(status.error());
    if (const Status status = pair(); !status) return fail(status.error());
    return TablePair(std::move(out_));
  }

 private:
  Status find_columns() {
    Result<PairColumns> found =
        find_pair_columns(original_, masked_, plan_, options_, *out_, SetColumns::kLeftOut);
    if (!found) return fail(found.error());
    columns_ = *std::move(found);
    if (counts_.plan == counted_plan(plan_) &&
        counts_.original.texts.size() == out_->columns.size() &&
        counts_.compared.size() == out_->compared.size()) {
      return {};
    }
    return fail(data_error("the parts of the tables were counted under another plan: count them "
                           "under this one")
                    .at(plan_.path));
  }

  // What the method draws, unless that is sets, which are in no part.
  Status fit(const std::vector<std::uint64_t>& first_rows) {
    if (plan_.about().releases_sets) return {};
    std::vector<std::string> names;
    for (const auto& column : out_->columns) names.push_back(column.name);
    const auto survey_original = [&] {
      return survey_of_rows({original_, names, meant_.rows(MeantTables::kOriginal), first_rows},
                            plan_, options_.work);
    };
    return drawn_.fit(survey_original, plan_, options_, *out_);
  }

  Status pair() {
    const std::uint64_t strangers = out_->masked_records - counts_.pairs.records();
    if (strangers == out_->masked_records) {
      return fail(data_error(
          "no record of the masked table is one of the original: check that they belong together"));
    }
    if (strangers > 0) tell_strangers(strangers, out_->notes, out_->findings);
    out_->pairing = options_.key.empty() ? "position" : "key";
    if (options_.compares_cells) {
      out_->cells_are_compared = true;
      for (std::size_t k = 0; k < counts_.compared.size(); ++k) {
        counts_.compared[k].tell(out_->compared[k]);
      }
      if (counts_.knows_persons) link_persons();
    }
    meant_.keep_pairs(counts_.pairs.counter());
    return {};
  }

  void link_persons() {
    out_->person_links.emplace();
    for (const PairCounts::PersonRow& record : counts_.persons) {
      out_->person_links->add(meant_.released_hash(record.tuple), record.person);
    }
  }

  PairCounts counts_;  // settled; the tables' own go to meant_
  Table original_, masked_;
  const PlanFile& plan_;
  const PairOptions& options_;
  std::unique_ptr<TablePair::Impl> out_;
  PairColumns columns_;
  DrawnModel drawn_;
  MeantTables meant_;
};

}  // namespace

Result<TablePair> pair_tables(const PairPart& all, const PlanFile& plan,
                              const PairOptions& options) {
  if (!all.impl().counts) {
    return fail(data_error("there is no part of the tables: there is nothing to audit"));
  }
  return stoppable(options.work.stop,
                   [&] { return PartPairing(all.impl().counts->settled(), plan, options).run(); });
}

}  // namespace semveil
