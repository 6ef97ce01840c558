// What risk is left: who can be found, what can be guessed, and why.
#include <fmt/format.h>

#include "report/plot.h"
#include "report/sections.h"

namespace semveil::report {
namespace {

constexpr std::size_t kMostValues = 30;

std::string interval_text(const Interval& interval) {
  return fmt::format("{} to {}", percent(interval.low), percent(interval.high));
}

Html classes(Context& context) {
  const Audit& audit = context.audit;
  HtmlTable table({{"Records that look alike", Align::kLeft}, {"Original"}, {"Release"}});
  const auto add = [&](std::string_view name, const std::optional<ClassRisk>& before,
                       const std::optional<ClassRisk>& after, auto member) {
    const auto cell = [&](const std::optional<ClassRisk>& risk) {
      return risk ? number((*risk).*member) : text("–");
    };
    table.add({context.words.term(name), cell(before), cell(after)});
  };
  if (audit.classes || audit.classes_original) {
    add("classes.count", audit.classes_original, audit.classes, &ClassRisk::classes);
    add("classes.smallest", audit.classes_original, audit.classes, &ClassRisk::smallest);
    add("classes.uniques", audit.classes_original, audit.classes, &ClassRisk::uniques);
    add("classes.suppressed", audit.classes_original, audit.classes, &ClassRisk::suppressed);
    add("classes.prosecutor", audit.classes_original, audit.classes, &ClassRisk::prosecutor);
    add("classes.marketer", audit.classes_original, audit.classes, &ClassRisk::marketer);
  }
  if (audit.one_origin) {
    table.add(
        {context.words.term("one_origin"), text("–"), text(percent(audit.one_origin->share))});
    table.add({context.words.term("one_origin_shuffled"), text("–"),
               text(percent(audit.one_origin->shuffled))});
  }
  if (audit.journalist) {
    table.add({context.words.term("journalist"), text("–"), number(audit.journalist)});
  }
  if (audit.category_diversity) {
    table.add(
        {context.words.term("category_diversity"), text("–"), number(audit.category_diversity)});
  }
  Html out = table.html();
  HtmlTable sensitive({{"Sensitive column", Align::kLeft},
                       {"Table", Align::kLeft},
                       context.words.heading("privacy.sensitive.l", "l"),
                       context.words.heading("privacy.sensitive.entropy_l", "entropy l"),
                       context.words.heading("privacy.sensitive.recursive_c", "recursive c"),
                       context.words.heading("privacy.sensitive.t", "t")});
  const auto add_all = [&](const PrivacyFigures& figures, Markup table_name) {
    for (const SensitiveDescription& each : figures.sensitive) {
      sensitive.add({value(each.name), Html(table_name), number(each.l), number(each.entropy_l),
                     number(each.recursive_c), number(each.t)});
    }
  };
  add_all(audit.privacy_original, "original");
  add_all(audit.privacy, "release");
  if (!sensitive.empty()) out << "<h3>Secrets within a group</h3>\n" << sensitive.html();
  return out;
}

Html linkage(Context& context) {
  const Linkage& linked = context.audit.linkage;
  std::vector<Gauge> gauges;
  HtmlTable table({{"Linkage", Align::kLeft}, {"Share of the records"}});
  const auto add = [&](std::string_view name, const std::optional<double>& share) {
    if (!share) return;
    const FigureExplanation* words = explain_figure(name);
    gauges.push_back(
        {std::string(words == nullptr ? name : words->title), *share, {}, linked.baseline});
    table.add({context.words.term(name), text(percent(share))});
  };
  add("linkage.equality", linked.equality);
  add("linkage.semantic", linked.semantic);
  add("linkage.window", linked.window);
  add("linkage.worst", linked.worst);
  add("linkage.own_among_alike", linked.own_among_alike);
  add("linkage.own_among_alike_mean", linked.own_among_alike_mean);
  if (gauges.empty()) {
    if (context.audit.unpaired_why.empty()) return {};
    Html why;
    why << "Linkage is not measured: " << text(context.audit.unpaired_why);
    return paragraph(why);
  }
  if (linked.baseline) {
    table.add({context.words.term("linkage.baseline"), text(percent(linked.baseline))});
  }
  return figure("Who is found by record linkage", gauges_plot("Record linkage", gauges),
                table.html(), Html("Dashed: by mere chance."));
}

Html attacks(Context& context) {
  if (context.audit.attacks.empty()) return {};
  std::vector<Gauge> gauges;
  HtmlTable table({{"Attack", Align::kLeft},
                   {"Tried"},
                   {"Right"},
                   context.words.heading("attacks.interval", "Interval"),
                   context.words.heading("attacks.control", "Control"),
                   context.words.heading("attacks.baseline", "Guess"),
                   {"Risk"},
                   {"Interval of the risk"}});
  const auto add = [&](const Attack& attack) {
    std::string figure_name = "attacks." + attack.name;
    for (char& c : figure_name) c = c == '-' ? '_' : c;
    const FigureExplanation* words = explain_figure(figure_name);
    std::string title(words == nullptr ? attack.name : words->title);
    Html name = context.words.term(figure_name, title);
    if (!attack.about.empty()) {
      title += " of " + attack.about;
      name << " of " << value(attack.about);
    }
    if (attack.columns > 0) {
      const std::string by =
          fmt::format(" by {} column{}", attack.columns, attack.columns == 1 ? "" : "s");
      title += by;
      name << text(by);
    }
    if (attack.rate) {
      gauges.push_back({title, *attack.rate, attack.interval,
                        attack.control ? attack.control : attack.baseline});
    }
    table.add({name, number(attack.tried), text(attack.rate ? percent(attack.rate) : "no guess"),
               text(attack.rate ? interval_text(attack.interval) : "–"),
               text(percent(attack.control)), text(percent(attack.baseline)),
               text(percent(attack.risk)),
               text(attack.risk ? interval_text(attack.risk_interval) : "–")});
  };
  for (const Attack& attack : context.audit.attacks) {
    add(attack);
    if (!attack.rate) continue;  // then there is none by fewer columns either
    for (const Attack& fewer : attack.by_columns) add(fewer);
  }
  Html out;
  out << "<h3>Attacks</h3>\n";
  if (!context.audit.has_control) {
    out << paragraph(Html("There was no control group: the attacks are compared with guessing."));
  }
  out << table.html();
  Html drawn =
      figure("How often attacks are right", gauges_plot("Attacks", gauges), {},
             Html("Lines: interval. Dashed: the control, or a guess without the release."));
  out << "<div class=\"plots\">" << drawn << "</div>\n";
  return out;
}

Html disclosures(Context& context) {
  if (context.audit.disclosures.empty()) return {};
  HtmlTable table({{"What could be told", Align::kLeft},
                   context.words.heading("disclosures.average", "Told"),
                   context.words.heading("disclosures.baseline", "by frequencies"),
                   context.words.heading("disclosures.worst", "at worst"),
                   {"by frequencies"},
                   context.words.heading("disclosures.fewest", "Fewest"),
                   context.words.heading("disclosures.protects", "Protects")});
  for (const Disclosure& each : context.audit.disclosures) {
    Html name = context.words.term("disclosures." + each.attack);
    if (!each.about.empty()) name << " of " << value(each.about);
    table.add({name, text(percent(each.mean)), text(percent(each.baseline)),
               text(percent(each.worst)), text(percent(each.baseline_worst)),
               each.fewest ? number(*each.fewest) : text("–"), text(to_string(each.protects))});
  }
  Html out;
  out << "<h3>What is disclosed</h3>\n"
      << paragraph(Html("Each figure stands beside that of somebody who has not seen the release "
                        "and knows how often each value occurs. “Protects” means: at most 5 points "
                        "more, on average and at worst."))
      << table.html();
  return out;
}

Html channels(Context& context) {
  if (context.audit.channels.empty()) return {};
  HtmlTable table({{"Columns", Align::kLeft},
                   context.words.heading("channels.prior", "Before"),
                   context.words.heading("channels.vulnerability", "After"),
                   context.words.heading("channels.leakage", "Bits"),
                   context.words.heading("channels.expected", "Belief"),
                   context.words.heading("channels.worst", "at worst"),
                   context.words.heading("channels.unchanged", "Stay"),
                   {"How", Align::kLeft}});
  Html by_value;
  for (const ChannelFigures& channel : context.audit.channels) {
    const ChannelRisk& risk = channel.risk;
    Html names;
    for (std::size_t i = 0; i < risk.columns.size(); ++i) {
      if (i > 0) names << ", ";
      names << value(risk.columns[i]);
    }
    Html after = text(percent(risk.vulnerability));
    if (risk.half_width) after << " ± " << text(percent(risk.half_width));
    // Of draws it is the greatest seen.
    Html worst;
    if (risk.how == ChannelRisk::How::kSimulated) worst << "at least ";
    worst << text(percent(risk.worst));
    table.add({names, text(percent(risk.prior)), after, number(risk.leakage),
               text(percent(risk.expected)), worst, text(percent(risk.unchanged)),
               text(to_string(risk.how))});
    if (!context.is_steward() || channel.values.empty()) continue;
    HtmlTable values(
        {{"Original value", Align::kLeft}, {"Records"}, {"Belief"}, {"at worst"}, {"Stay"}});
    for (std::size_t i = 0; i < channel.values.size() && i < kMostValues; ++i) {
      const ChannelFigures::Named& named = channel.values[i];
      values.add({value(named.label), number(named.value.records),
                  text(percent(named.value.expected)), text(percent(named.value.worst)),
                  text(percent(named.value.unchanged))});
    }
    by_value << "<details><summary>By original value: " << names << "</summary>" << values.html()
             << "</details>\n";
  }
  Html out;
  out << "<h3>What a released value tells</h3>\n"
      << paragraph(Html("How often somebody who sees one released value, and knows how often each "
                        "value occurs "
                        "and how it was masked, guesses the original one."))
      << table.html() << by_value;
  return out;
}

Html reasons(Context& context) {
  Html out;
  HtmlTable table({{"Without column", Align::kLeft},
                   context.words.heading("contributions.linkage_without", "Linkage left"),
                   {"Linkage it adds"},
                   context.words.heading("contributions.uniques_without", "Unique records left")});
  for (const ColumnContribution& each : context.audit.contributions) {
    std::optional<double> adds;
    if (context.audit.linkage.semantic)
      adds = *context.audit.linkage.semantic - each.linkage_without;
    table.add({value(each.column), text(percent(each.linkage_without)), text(percent(adds)),
               text(percent(each.uniques_without))});
  }
  if (!table.empty()) out << "<h3>Why</h3>\n" << table.html();
  if (!context.is_steward() || context.audit.risky_values.empty()) return out;
  HtmlTable values({{"Column", Align::kLeft},
                    {"Original value", Align::kLeft},
                    {"Records"},
                    context.words.heading("risky_values.linked", "Found")});
  std::size_t lines = 0;
  for (const RiskyValue& each : context.audit.risky_values) {
    if (lines++ >= kMostValues) break;
    values.add(
        {value(each.column), value(each.label), number(each.records), text(percent(each.linked))});
  }
  out << "<h3>Values that give people away</h3>\n" << values.html();
  return out;
}

}  // namespace

Html what_risk_is_left(Context& context) {
  Html out;
  out << classes(context);
  const Html linked = linkage(context);
  if (!linked.empty()) {
    out << "<h3>Finding people again</h3>\n<div class=\"plots\">" << linked << "</div>\n";
  }
  out << attacks(context) << disclosures(context) << channels(context) << reasons(context);
  return out;
}

}  // namespace semveil::report
