#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "audit_figures.h"
#include "column_table.h"
#include "description.h"
#include "findings.h"
#include "option_names.h"
#include "text_table.h"

namespace semveil::cli {
namespace {

using Align = TextTable::Align;

std::string share(const std::optional<double>& value) {  // of records, in percent
  return value ? fmt::format("{:.3g} %", 100 * *value) : "-";
}

// As reports write public figures: no digit that says nothing.
std::string three_digits_of(double value) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size >= 1000) {
    return (value < 0 ? "-" : "") + grouped(static_cast<std::uint64_t>(std::llround(size)));
  }
  return size >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:#.3g}", value);
}

// Of both tables, beside each other: rounded alike in a public edition.
std::string count_beside(const Audit& audit, std::uint64_t count) {
  return (audit.is_rounded && count >= 1000 ? "≈" : "") + grouped(count);
}
std::string figure_beside(const Audit& audit, const std::optional<double>& value) {
  return audit.is_rounded && value ? "≈" + three_digits_of(*value) : figure(value);
}

std::string columns_text(const Audit& audit) {
  TextTable kept({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight,
                  Align::kRight, Align::kRight, Align::kRight});
  std::string missing;
  kept.add(
      {"column", "unchanged", "rmse", "quality", "mean moved", "variance", "after", "variation"});
  for (const AuditedColumn& column : audit.columns) {
    kept.add({name_cell(column.name), share(column.unchanged), figure(column.rmse),
              figure(column.semantic_quality), figure(column.mean_shift),
              figure_beside(audit, column.variance.original),
              figure_beside(audit, column.variance.masked), figure(column.total_variation)});
    // In the words of the summary of masking.
    if (column.original_missing == column.masked_missing) continue;
    missing += wrapped("  ", fmt::format("{}: missing {} before, {} after", column.name,
                                         count_beside(audit, column.original_missing),
                                         count_beside(audit, column.masked_missing)));
  }
  return "\nWhat was kept of the columns\n" + kept.text() + missing;
}

std::string means_text(const Audit& audit) {
  constexpr std::size_t kWidth = 34;
  TextTable means({Align::kLeft, Align::kLeft, Align::kLeft});
  means.add({"column", "mean before", "after"});
  bool any = false;
  for (const AuditedColumn& column : audit.columns) {
    if (!column.mean_masked) continue;
    any = true;
    means.add({name_cell(column.name),
               column.mean_original ? concept_text(*column.mean_original, kWidth) : "-",
               concept_text(*column.mean_masked, kWidth)});
  }
  return any ? "\n" + means.text() : "";
}

std::string pairs_text(const Audit& audit, bool verbose) {
  if (audit.pairs.empty()) return "";
  const auto moved = [](const AuditedPair* pair) {
    const auto& [original, masked] = pair->correlation;
    return original && masked ? std::abs(*masked - *original) : 0;
  };
  std::vector<const AuditedPair*> pairs;
  for (const AuditedPair& pair : audit.pairs) pairs.push_back(&pair);
  std::string note;
  if (const std::size_t all = pairs.size(); all > kPairsShown && !verbose) {
    std::ranges::stable_sort(pairs, std::greater(), moved);
    pairs.resize(kPairsShown);
    note = wrapped("  ", fmt::format("Shown: {}.", pairs_left_out(all)));
  }
  TextTable table({Align::kLeft, Align::kLeft, Align::kRight, Align::kRight});
  table.add({"distance correlation", "", "before", "after"});
  for (const AuditedPair* const pair : pairs) {
    const auto about = [&](const std::optional<double>& correlation) {
      const std::string estimated = pair->sampled > 0 ? "~" : "";
      return estimated +
             (pair->sampled > 0 ? figure(correlation) : figure_beside(audit, correlation));
    };
    table.add({name_cell(pair->a), name_cell(pair->b), about(pair->correlation.original),
               about(pair->correlation.masked)});
  }
  return "\n" + table.text() + note;
}

std::string numbers_text(const Audit& audit) {
  TextTable table({Align::kLeft, Align::kLeft, Align::kRight, Align::kRight});
  table.add({"numbers", "", "before", "after"});
  bool any = false;
  for (const AuditedColumn& column : audit.columns) {
    const auto row = [&](const std::string& name, const char* what, auto member,
                         bool is_place = true) {
      const auto of = [&](const std::optional<NumericSummary>& numbers) {
        const auto number = numbers ? std::optional<double>((*numbers).*member) : std::nullopt;
        const bool is_date = is_place && number && numbers->dates;
        return is_date ? numbers->written(*number) : figure_beside(audit, number);
      };
      table.add({name, what, of(column.numeric_original), of(column.numeric_masked)});
    };
    if (!column.numeric_original && !column.numeric_masked) continue;
    any = true;
    row(name_cell(column.name), "mean", &NumericSummary::mean);
    row("", "deviation", &NumericSummary::deviation, false);
    row("", "least", &NumericSummary::min);
    row("", "greatest", &NumericSummary::max);
  }
  return any ? "\n" + table.text() : "";
}

std::string whole_text(const Audit& audit) {
  TextTable table({Align::kLeft, Align::kRight, Align::kRight});
  table.add({"the table as a whole", "before", "after"});
  table.add({"semantic quality", "", figure(audit.semantic_quality)});
  const auto beside = [&](const std::optional<double>& value) {
    return figure_beside(audit, value);
  };
  table.add({"loss metric (lm)", beside(audit.lm_original), beside(audit.lm)});
  table.add({"normalised certainty penalty", beside(audit.ncp_original), beside(audit.ncp)});
  const auto whole = [&](const std::optional<double>& value) {
    return value ? count_beside(audit, static_cast<std::uint64_t>(*value)) : std::string("-");
  };
  table.add({"discernibility", whole(audit.discernibility_original), whole(audit.discernibility)});
  if (audit.c_avg) table.add({"average class (c_avg)", "", figure(audit.c_avg)});
  if (audit.information_loss) {
    table.add({"information loss of a record", "", figure(audit.information_loss)});
  }
  if (audit.clusters) {
    const std::string of =
        audit.clusters->sampled > 0
            ? fmt::format(", of {}", counted(audit.clusters->sampled, "record", "records"))
            : "";
    table.add({fmt::format("distance of the {} clusters{}", audit.clusters->count, of), "",
               figure(audit.clusters->partition_distance)});
  }
  if (audit.downstream) {
    table.add({fmt::format("right guesses of {}", name_cell(audit.downstream->target)),
               share(audit.downstream->original), share(audit.downstream->masked)});
    table.add({"  by always saying the most frequent", share(audit.downstream->majority), ""});
  }
  return "\n" + table.text();
}

std::string classes_text(const Audit& audit) {
  if (!audit.classes) return "";  // a finding says so
  const auto of = [&](const std::optional<ClassRisk>& classes, auto member) {
    return classes ? count_beside(audit, (*classes).*member) : "-";
  };
  const auto risk = [&](const std::optional<ClassRisk>& classes, auto member) {
    return figure_beside(audit, classes ? (*classes).*member : std::nullopt);
  };
  TextTable table({Align::kLeft, Align::kRight, Align::kRight});
  table.add({"classes over all quasi-identifiers", "before", "after"});
  const auto row = [&](std::string name, auto member) {
    table.add({std::move(name), of(audit.classes_original, member), of(audit.classes, member)});
  };
  row("classes", &ClassRisk::classes);
  if (audit.classes->records) {
    const auto records = [&](const std::optional<ClassRisk>& classes, auto member) {
      return classes && classes->records ? count_beside(audit, (*classes->records).*member) : "-";
    };
    const auto beside = [&](std::string name, auto member) {
      table.add({std::move(name), records(audit.classes_original, member),
                 records(audit.classes, member)});
    };
    row("persons in the smallest (k)", &ClassRisk::smallest);
    beside("records in the smallest", &ClassRisk::Records::smallest);
    row("persons alone in a class of theirs", &ClassRisk::uniques);
    beside("records alone in their class", &ClassRisk::Records::uniques);
  } else {
    row("records in the smallest (k)", &ClassRisk::smallest);
    row("records alone in their class", &ClassRisk::uniques);
  }
  if (audit.classes->suppressed > 0) row("suppressed records", &ClassRisk::suppressed);
  const std::string_view how =
      changes_records_alone(audit.method) ? " (after: finding oneself)" : "";
  const auto risk_row = [&](std::string_view name, auto member) {
    table.add({fmt::format("{}{}", name, how), risk(audit.classes_original, member),
               risk(audit.classes, member)});
  };
  risk_row("prosecutor risk", &ClassRisk::prosecutor);
  table.add({"journalist risk", "", figure(audit.journalist)});
  risk_row("marketer risk", &ClassRisk::marketer);
  if (audit.one_origin) {
    table.add({"combinations that one original alone fits", "", share(audit.one_origin->share)});
    table.add({"  with the columns shuffled", "", share(audit.one_origin->shuffled)});
  }
  return "\n" + table.text();
}

std::string sensitive_text(const Audit& audit) {
  if (audit.privacy.sensitive.empty()) return "";
  TextTable table(
      {Align::kLeft, Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight});
  table.add({"sensitive column", "", "l", "entropy l", "recursive c", "t"});
  const auto add = [&](const PrivacyFigures& privacy, std::string_view when) {
    for (const SensitiveDescription& s : privacy.sensitive) {
      table.add({name_cell(s.name), std::string(when), grouped(s.l),
                 figure_beside(audit, s.entropy_l), figure_beside(audit, s.recursive_c),
                 figure_beside(audit, s.t)});
    }
  };
  add(audit.privacy_original, "before");
  add(audit.privacy, "after");
  return "\n" + table.text();
}

std::string linkage_text(const Audit& audit) {
  const Linkage& linkage = audit.linkage;
  if (!linkage.equality && !linkage.semantic) return "";
  TextTable table({Align::kLeft, Align::kRight});
  table.add({"released records linked to their own original", "share"});
  table.add({"by equal values", share(linkage.equality)});
  table.add({"by nearest meaning", share(linkage.semantic)});
  if (linkage.window) table.add({"by the window of the swap", share(linkage.window)});
  table.add({"by mere chance", share(linkage.baseline)});
  if (linkage.worst) table.add({"the surest link by meaning", figure(linkage.worst)});
  if (linkage.own_among_alike) {
    table.add({"greatest chance that someone who looks himself up is found",
               figure(linkage.own_among_alike)});
    table.add({"  mean over the originals", figure(linkage.own_among_alike_mean)});
  }
  return "\n" + table.text();
}

std::string attacks_text(const Audit& audit) {
  if (audit.attacks.empty()) return "";
  TextTable table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight});
  table.add({"attack", "right", audit.has_control ? "on the control" : "without the release",
             "risk", "95 % interval"});
  const auto add = [&](std::string name, const Attack& attack) {
    if (!attack.rate) return table.add({std::move(name), "no guess", "-", "-", "-"});
    table.add({std::move(name), share(attack.rate),
               share(attack.control ? attack.control : attack.baseline), figure(attack.risk),
               attack.risk ? fmt::format("{:.4f} to {:.4f}", attack.risk_interval.low,
                                         attack.risk_interval.high)
                           : "-"});
  };
  for (const Attack& attack : audit.attacks) {
    add(attack.about.empty() ? attack.name : attack.name + " of " + name_cell(attack.about),
        attack);
    if (!attack.rate) continue;  // then there is none by fewer columns either
    for (const Attack& fewer : attack.by_columns) {
      add(fmt::format("  by {}", counted(fewer.columns, "column", "columns")), fewer);
    }
  }
  std::string out = "\n" + table.text();
  for (const Attack& attack : audit.attacks) {
    if (!attack.pointed_at) continue;
    out += wrapped(
        "  ", fmt::format("{} by all quasi-identifiers; those that are right point at "
                          "{} of the originals.",
                          counted(attack.tried, "guess", "guesses"), share(attack.pointed_at)));
  }
  return out;
}

std::string disclosures_text(const Audit& audit) {
  if (audit.disclosures.empty()) return "";
  TextTable table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight,
                   Align::kRight, Align::kLeft});
  table.add(
      {"disclosure", "mean", "by frequencies", "worst", "by frequencies", "fewest", "protects"});
  for (const Disclosure& each : audit.disclosures) {
    table.add({each.about.empty() ? each.attack : each.attack + " of " + name_cell(each.about),
               figure(each.mean), figure(each.baseline), figure(each.worst),
               figure(each.baseline_worst), each.fewest ? grouped(*each.fewest) : "-",
               std::string(to_string(each.protects))});
  }
  std::string out = "\n" + table.text();
  out += wrapped("  ", fmt::format("Protects: tells at most {} more than the frequencies do, on "
                                   "average and at worst.",
                                   kMostDisclosed));
  if (!audit.has_control) {
    out += wrapped("  ", "Membership is not told: it needs a control table (--control).");
  }
  return out;
}

std::string channels_text(const Audit& audit) {
  if (audit.channels.empty()) return "";
  TextTable table({Align::kLeft, Align::kLeft, Align::kRight, Align::kRight, Align::kRight,
                   Align::kRight, Align::kRight});
  table.add({"chance of guessing a value", "", "most frequent", "release", "leaks, bits",
             "own, mean", "own, worst"});
  for (const ChannelFigures& channel : audit.channels) {
    const ChannelRisk& risk = channel.risk;
    const std::string after =
        risk.half_width ? fmt::format("{} ± {:.2g}", figure(risk.vulnerability), *risk.half_width)
                        : figure(risk.vulnerability);
    const std::string what = risk.columns.size() == 1
                                 ? name_cell(risk.columns[0])
                                 : fmt::format("{} columns together", risk.columns.size());
    table.add({what, std::string(to_string(risk.how)), figure(risk.prior), after,
               figure(risk.leakage), figure(risk.expected), figure(risk.worst)});
  }
  return "\n" + table.text();
}

std::string contributions_text(const Audit& audit) {
  if (audit.contributions.empty()) return "";
  TextTable table({Align::kLeft, Align::kRight, Align::kRight});
  table.add({"what would be left without a column", "linked", "alone"});
  for (const ColumnContribution& c : audit.contributions) {
    table.add({name_cell(c.column), share(c.linkage_without), share(c.uniques_without)});
  }
  std::string out = "\n" + table.text();
  if (audit.risky_values.empty()) return out;
  constexpr std::size_t kShown = 10;
  TextTable values({Align::kLeft, Align::kLeft, Align::kRight, Align::kRight});
  values.add({"values found most easily", "", "records", "linked"});
  for (std::size_t i = 0; i < std::min(kShown, audit.risky_values.size()); ++i) {
    const RiskyValue& value = audit.risky_values[i];
    values.add({name_cell(value.column), name_cell(value.label), grouped(value.records),
                share(value.linked)});
  }
  return out + "\n" + values.text();
}

std::string left_text(const Audit& audit) {
  std::string out = findings_text(audit.findings);
  if (!audit.unmasked.empty()) {
    out += wrapped("  ", "came through as they were: " + listed(audit.unmasked));
  }
  return out.empty() ? out : "\nTo be looked at, the most severe first\n" + out;
}

}  // namespace

std::string to_text(const Audit& audit, const std::string& original, const std::string& masked,
                    bool verbose) {
  std::string out = fmt::format("{}: {}\n{}: {}\n", original,
                                counted(audit.original_records, "record", "records"), masked,
                                counted(audit.masked_records, "record", "records"));
  if (audit.is_rounded) {
    out +=
        wrapped("≈  ", "rounded to three digits, before and after alike: what is shown to anybody");
  }
  out += audit.unpaired_why.empty()
             ? wrapped("Paired  ", fmt::format("{} by {}", grouped(audit.paired), audit.pairing))
             : wrapped("Not paired  ", naming_options(audit.unpaired_why));
  out += wrapped("Missing cells  ", missing_text(audit.missing_rule));
  out += columns_text(audit) + means_text(audit) + numbers_text(audit) +
         pairs_text(audit, verbose) + whole_text(audit);
  out += classes_text(audit) + sensitive_text(audit) + linkage_text(audit) + attacks_text(audit);
  out +=
      disclosures_text(audit) + channels_text(audit) + contributions_text(audit) + left_text(audit);
  return out + "\nWhat a figure means: semveil audit --explain, or --explain NAME\n";
}

}  // namespace semveil::cli
