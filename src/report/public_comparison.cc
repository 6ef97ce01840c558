// What of a comparison may be shown to anybody: its audits as public editions, and of the table
// unchanged, which is the original, three digits.
#include "report/public_edition.h"
#include "semveil/report.h"

namespace semveil {
namespace report {

void make_unchanged_public(ComparedRelease& unchanged) {
  unchanged.uniques.reset();
  round_figure(unchanged.risk);
  for (auto& [name, value] : unchanged.risks) round_figure(value);
}

}  // namespace report

namespace {

ComparedRelease declared_release(const ComparedRelease& release, std::uint64_t k) {
  using Release = ComparedRelease;
  Release out = report::only(release, &Release::configuration, &Release::label, &Release::plan,
                             &Release::failure, &Release::risk, &Release::risk_name, &Release::loss,
                             &Release::rmse, &Release::keep_loss, &Release::attacks,
                             &Release::risks, &Release::losses, &Release::uniques,
                             &Release::truncated, &Release::not_dominated);
  if (release.audit) out.audit = public_edition(*release.audit, k);
  return out;
}

}  // namespace

Comparison public_edition(const Comparison& comparison, std::uint64_t k) {
  Comparison out = report::only(comparison, &Comparison::risk, &Comparison::keep, &Comparison::most,
                                &Comparison::records, &Comparison::held_out, &Comparison::best);
  out.unchanged = declared_release(comparison.unchanged, k);
  report::make_unchanged_public(out.unchanged);
  for (const ComparedRelease& release : comparison.releases) {
    out.releases.push_back(declared_release(release, k));
  }
  return out;
}

}  // namespace semveil
