// What released values and sets tell of the originals.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "audit/audit_parts.h"
#include "figures/column_figures.h"
#include "figures/flow.h"
#include "figures/set_changes.h"
#include "figures/value_names.h"
#include "semveil/ean.h"
#include "semveil/finding_guide.h"
#include "semveil/noise.h"

namespace semveil {
namespace {

using Drawn = TablePair::Impl::Drawn;

// The attribute that values of a column's channel are of: the plan's where there is one.
const Attribute& channel_attribute(const AuditTask& task, std::size_t j) {
  for (const Drawn& drawn : task.pair.drawn) {
    for (const auto& attribute : drawn.plan->released()) {
      if (attribute->name == task.pair.columns[j].name) return *attribute;
    }
  }
  return *task.attributes[j];
}

void add_channel(const AuditTask& task, ChannelRisk risk, Audit& out) {
  ChannelFigures figures;
  if (risk.columns.size() == 1) {
    const auto column =
        std::ranges::find(task.pair.columns, risk.columns[0], &TablePair::Impl::Column::name);
    const auto j = static_cast<std::size_t>(column - task.pair.columns.begin());
    for (const ChannelRisk::Value& value : risk.values) {
      const bool is_exact = risk.how == ChannelRisk::How::kExact;
      figures.values.push_back({is_exact ? label_of(channel_attribute(task, j), value.value)
                                         : task.pair.label(j, value.value),
                                value});
    }
    std::ranges::stable_sort(
        figures.values, std::ranges::greater{},
        [](const ChannelFigures::Named& named) { return named.value.expected; });
  }
  figures.risk = std::move(risk);
  out.channels.push_back(std::move(figures));
}

// The value of the plan's attribute that a value of the pair is; nothing where it has none.
std::optional<ConceptId> in_plan(const Attribute& plan, const Attribute& pair, ConceptId value) {
  if (value > pair.missing_value()) return std::nullopt;
  if (value == pair.missing_value()) return plan.missing_value();
  if (plan.is_numeric() && pair.is_numeric()) return place_of_number(plan, pair.numbers[value]);
  if (!plan.is_nominal() || !pair.is_nominal()) return std::nullopt;
  return plan.domain->in_domain(pair.domain->in_ontology(value));
}

// Of one step that draws values.
std::uint64_t impossible_cells(const AuditTask& task, const Drawn& drawn) {
  std::uint64_t cells = 0;
  const auto& attributes = drawn.plan->attributes();
  for (std::size_t column = 0; column < attributes.size(); ++column) {
    const auto at = std::ranges::find(task.pair.columns, attributes[column]->name,
                                      &TablePair::Impl::Column::name);
    const auto channel = channel_of(*drawn.plan, *drawn.fitted, column);
    // What was recoded first is not what the step saw.
    if (at == task.pair.columns.end() || at->is_recoded || channel == nullptr) continue;
    const auto j = static_cast<std::size_t>(at - task.pair.columns.begin());
    const std::vector<std::size_t> alone{j};
    const Paired moves = task.pair.pairs.over(alone);  // ascending by the original value
    std::vector<double> row;
    std::optional<ConceptId> of;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const auto x = in_plan(channel->attribute(), *task.attributes[j], moves.before[i]);
      const auto z = in_plan(channel->attribute(), *task.attributes[j], moves.after[i]);
      // Cells that take no part, and texts that mean nothing, go by other rules.
      const auto& known = channel->prior().values;
      if (!x || !std::ranges::binary_search(known, *x)) continue;
      if (of != x) channel->probabilities(*x, row);
      of = x;
      if (!z || row[*z] == 0) cells += moves.counts[i];
    }
  }
  return cells;
}

// Cells of paired records that methods which draw per cell cannot have made.
std::uint64_t impossible_cells(const AuditTask& task) {
  if (!task.is_paired()) return 0;  // nobody knows
  std::uint64_t cells = 0;
  for (const SetPair& set : task.pair.sets) {
    for (std::size_t i = 0; i < set.truth.size(); ++i) {
      const auto values = std::span(set.released).subspan(i * set.l, set.l);
      const bool empty = values.front() == kMissing;
      const bool inside = std::ranges::find(values, set.truth[i]) != values.end();
      cells += empty == (set.truth[i] == kMissing) && (empty || inside) ? 0 : 1;
    }
  }
  for (const Drawn& drawn : task.pair.drawn) {
    if (!drawn.of_sets) cells += impossible_cells(task, drawn);
  }
  return cells;
}

// What the values of a column in the release may have been.
std::vector<ChannelFigures::Released> released_values(const AuditTask& task, const Drawn& drawn,
                                                      std::size_t column) {
  constexpr std::size_t kMostOrigins = 5;
  const Attribute& attribute = *drawn.plan->released()[column];
  const auto channel = channel_of(*drawn.plan, *drawn.fitted, column);
  const auto at =
      std::ranges::find(task.pair.columns, attribute.name, &TablePair::Impl::Column::name);
  if (channel == nullptr || at == task.pair.columns.end()) return {};
  const auto j = static_cast<std::size_t>(at - task.pair.columns.begin());
  const ValueCounts counts = column_counts(task.pair.masked, j);
  std::vector<std::pair<std::uint64_t, ConceptId>> frequent;
  for (std::size_t i = 0; i < counts.values.size(); ++i) {
    const auto z = in_plan(attribute, *task.attributes[j], counts.values[i]);
    if (z && *z < attribute.missing_value()) frequent.emplace_back(counts.counts[i], *z);
  }
  std::ranges::sort(frequent, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<ConceptId> values;
  for (const auto& [records, z] : frequent) values.push_back(z);
  const auto found = origins(*channel, values, kMostOrigins);
  std::vector<ChannelFigures::Released> out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    ChannelFigures::Released& released = out.emplace_back();
    released.label = label_of(attribute, values[i]);
    released.records = frequent[i].first;
    for (const Origin& origin : found[i]) {
      released.origins.push_back({label_of(attribute, origin.value), origin.posterior});
    }
  }
  return out;
}

// Whether it is known what the method draws with which probability.
bool is_channel_known(const Drawn& drawn) {
  // A plan knows it of all its columns, or of none; but of noise it may be too much work.
  return drawn.of_sets || noise_fit(*drawn.plan) != nullptr ||
         channel_of(*drawn.plan, *drawn.fitted, 0) != nullptr;
}

Status method_channels(const AuditTask& task, const Drawn& drawn, Audit& out) {
  Result<std::vector<ChannelRisk>> risks =
      channel_risks(*drawn.plan, *drawn.fitted, {.threads = task.options.work.threads});
  if (!risks) return fail(risks.error());
  const std::size_t columns = drawn.plan->attributes().size();
  const bool together = std::ranges::any_of(
      *risks, [&](const ChannelRisk& risk) { return risk.columns.size() == columns; });
  if (!together) {
    out.notes.emplace_back(
        "what the masked columns tell together is not told: too many combinations");
    out.findings.push_back(make_finding("columns-together-untold", Severity::kNote));
  }
  for (ChannelRisk& risk : *risks) add_channel(task, std::move(risk), out);
  if (!task.options.origins || drawn.of_sets) return {};
  for (std::size_t column = 0; column < columns; ++column) {
    const std::vector<std::string> alone{drawn.plan->attributes()[column]->name};
    const auto figures = std::ranges::find_if(
        out.channels, [&](const ChannelFigures& one) { return one.risk.columns == alone; });
    if (figures != out.channels.end()) figures->released = released_values(task, drawn, column);
  }
  return {};
}

// Every cell is one that the method can have made.
Finding verified_method(const AuditTask& task, const Drawn& drawn) {
  std::vector<std::string> columns;
  if (!drawn.of_sets) {
    const auto& attributes = drawn.plan->attributes();
    for (std::size_t j = 0; j < attributes.size(); ++j) {
      const bool known = channel_of(*drawn.plan, *drawn.fitted, j) != nullptr;
      if (known) columns.push_back(attributes[j]->name);
    }
    return make_finding("method-verified", Severity::kPromise, std::move(columns));
  }
  unsigned least = task.pair.sets.front().l;
  std::size_t categories = least;
  for (const SetPair& set : task.pair.sets) {
    columns.push_back(task.pair.columns[set.column].name);
    least = std::min(least, set.l);
    categories = std::min(categories, least_categories(set));
  }
  // The sets' own: a class of another column may have fewer.
  std::map<std::string, double> figures{{"values", least},
                                        {"categories", static_cast<double>(categories)}};
  return make_finding("sets-verified", Severity::kPromise, std::move(columns), std::move(figures));
}

}  // namespace

// What the method itself tells, unless the release cannot come from it; else what the tables show.
Status audit_channels(const AuditTask& task, Audit& out) {
  std::vector<const Drawn*> known;
  for (const Drawn& drawn : task.pair.drawn) {
    if (is_channel_known(drawn)) known.push_back(&drawn);
  }
  const std::uint64_t impossible = known.empty() ? 0 : impossible_cells(task);
  std::vector<std::string> told;
  if (impossible > 0) {
    out.findings.push_back(make_finding("method-contradicted", Severity::kDanger, {},
                                        {{"cells", static_cast<double>(impossible)}}));
    out.notes.push_back(fmt::format(
        "THE RELEASE DOES NOT COME FROM THE PLAN'S METHOD: {} cells have what {} cannot make of "
        "them; what is told of guessing is what the tables show",
        impossible, out.method));
    known.clear();
  }
  for (const Drawn* const drawn : known) {
    if (task.is_paired()) {
      Finding verified = verified_method(task, *drawn);
      if (!verified.columns.empty()) out.findings.push_back(std::move(verified));
    }
    if (const Status status = method_channels(task, *drawn, out); !status) return status;
    for (const auto& attribute : drawn->plan->attributes()) told.push_back(attribute->name);
  }
  if (!task.is_paired()) return {};
  std::vector<std::size_t> masked;
  for (std::size_t j = 0; j < task.pair.columns.size(); ++j) {
    if (!out.columns[j].is_masked || task.pair.columns[j].is_set) continue;
    if (std::ranges::find(told, task.pair.columns[j].name) != told.end()) continue;
    masked.push_back(j);
    add_channel(task, observed_risk(task.pair.pairs, std::array{j}), out);
  }
  if (masked.size() > 1) add_channel(task, observed_risk(task.pair.pairs, masked), out);
  return {};
}

}  // namespace semveil
