// The figures of an audit that a public edition may show, exactly or not. A figure that is added to
// an audit is secret until it is named here, and in public_figures.cc.
#include "report/public_edition.h"

namespace semveil::report {
namespace {

template <class Figures, class... Members>
std::vector<Figures> only_of_each(const std::vector<Figures>& all, Members... members) {
  std::vector<Figures> out;
  for (const Figures& each : all) out.push_back(only(each, members...));
  return out;
}

Attack declared(const Attack& attack) {
  Attack out = only(attack, &Attack::name, &Attack::about, &Attack::tried, &Attack::rate,
                    &Attack::interval, &Attack::control, &Attack::baseline, &Attack::risk,
                    &Attack::risk_interval, &Attack::columns, &Attack::pointed_at);
  for (const Attack& fewer : attack.by_columns) out.by_columns.push_back(declared(fewer));
  return out;
}

ChannelFigures declared(const ChannelFigures& channel) {
  ChannelFigures out;
  out.risk = only(channel.risk, &ChannelRisk::columns, &ChannelRisk::how, &ChannelRisk::prior,
                  &ChannelRisk::vulnerability, &ChannelRisk::leakage, &ChannelRisk::expected,
                  &ChannelRisk::worst, &ChannelRisk::unchanged, &ChannelRisk::half_width);
  return out;
}

}  // namespace

AuditedColumn declared(const AuditedColumn& column) {
  using Column = AuditedColumn;
  Column out = only(
      column, &Column::name, &Column::role, &Column::is_masked, &Column::original_distinct,
      &Column::masked_distinct, &Column::original_missing, &Column::masked_missing,
      &Column::original_unmapped, &Column::masked_unmapped, &Column::left_unmapped,
      &Column::mean_original, &Column::mean_masked, &Column::number_mean, &Column::numeric_masked,
      &Column::mean_shift, &Column::variance, &Column::expected_variance, &Column::drawn_variance,
      &Column::rmse, &Column::mean_distance, &Column::target_rmse, &Column::unchanged,
      &Column::total_variation, &Column::hellinger, &Column::semantic_quality, &Column::ic_loss,
      &Column::information_loss, &Column::distribution, &Column::distances);
  // The least, the greatest and every quantile of the original is some person's number.
  if (column.numeric_original) {
    out.numeric_original = only(*column.numeric_original, &NumericSummary::mean,
                                &NumericSummary::deviation, &NumericSummary::dates);
  }
  return out;
}

Audit declared(const Audit& audit) {
  Audit out = only(
      audit, &Audit::method, &Audit::parameters, &Audit::original_records, &Audit::masked_records,
      &Audit::persons, &Audit::paired, &Audit::pairing, &Audit::unpaired_why, &Audit::notes,
      &Audit::findings, &Audit::semantic_quality, &Audit::discernibility,
      &Audit::discernibility_original, &Audit::c_avg, &Audit::lm, &Audit::ncp, &Audit::lm_original,
      &Audit::ncp_original, &Audit::information_loss, &Audit::clusters, &Audit::downstream,
      &Audit::classes_original, &Audit::classes, &Audit::journalist, &Audit::one_origin,
      &Audit::privacy_original, &Audit::privacy, &Audit::category_diversity, &Audit::has_control,
      &Audit::missing_rule, &Audit::identifiers, &Audit::unmasked);
  for (const AuditedColumn& column : audit.columns) out.columns.push_back(declared(column));
  out.pairs = only_of_each(audit.pairs, &AuditedPair::a, &AuditedPair::b, &AuditedPair::correlation,
                           &AuditedPair::covariance, &AuditedPair::expected_covariance,
                           &AuditedPair::covariance_error, &AuditedPair::sampled);
  out.disclosures = only_of_each(audit.disclosures, &Disclosure::attack, &Disclosure::about,
                                 &Disclosure::mean, &Disclosure::baseline, &Disclosure::worst,
                                 &Disclosure::baseline_worst, &Disclosure::in, &Disclosure::control,
                                 &Disclosure::fewest, &Disclosure::protects);
  out.linkage =
      only(audit.linkage, &Linkage::equality, &Linkage::semantic, &Linkage::window, &Linkage::worst,
           &Linkage::own_among_alike, &Linkage::baseline, &Linkage::own_among_alike_mean);
  for (const Attack& attack : audit.attacks) out.attacks.push_back(declared(attack));
  out.contributions =
      only_of_each(audit.contributions, &ColumnContribution::column,
                   &ColumnContribution::linkage_without, &ColumnContribution::uniques_without);
  for (const ChannelFigures& channel : audit.channels) out.channels.push_back(declared(channel));
  out.changed = only_of_each(audit.changed, &Audit::Changed::column, &Audit::Changed::share);
  return out;
}

}  // namespace semveil::report
