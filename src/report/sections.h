// The sections of an audit's report, in the order in which they are read.
#pragma once

#include "report/page.h"
#include "semveil/report.h"

namespace semveil::report {

struct Context {
  const Audit& audit;
  const ReportFacts& facts;
  Glossary words;
  bool is_steward() const { return facts.edition == Edition::kSteward; }
  // A count that stands beside one of the other table: "≈ 2,270" where a public edition rounds it.
  Html count(std::uint64_t count) const;
  // Before such figures.
  Html about() const { return audit.is_rounded ? Html("≈ ") : Html(); }
};

Html head(Context& context);      // what it is, the verdict, the figures that matter, lines to sign
Html findings(Context& context);  // the verdict
Html to_sign(Context& context);
Html what_was_done(Context& context);  // method, parameters, columns
Html what_is_meant(Context& context);  // how many texts have a meaning
Html what_was_kept(Context& context);  // column by column
Html kept_numbers(Context& context);   // columns of numbers
Html goes_together(Context& context);  // pairs of columns
Html groups(Context& context);         // clusters, classifier
Html what_risk_is_left(Context& context);
Html how_to_repeat(const ReportFacts& facts);  // files with their hashes, the command
Html seed_words(SeedState seed);

}  // namespace semveil::report
