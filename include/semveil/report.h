// Reports for people: one HTML file each, with everything inside it. No network, no script needed
// to read it; on paper and on a screen, light and dark.
//
// Text from tables, plans and ontologies is escaped and made harmless, cut where it is long.
// Whoever calls hands over what may be shown: public_edition() of an audit for a public report.
#pragma once

#include "semveil/audit.h"
#include "semveil/compare.h"
#include "semveil/reproduce.h"

namespace [[gnu::visibility("default")]] semveil {

enum class Edition : std::uint8_t { kPublic, kSteward };

struct NamedHash {
  std::string name;    // of a file, without its folder
  std::string sha256;  // empty: not told
};

enum class SeedState : std::uint8_t {
  kUnknown,  // nobody can know it of just any table
  kFresh,    // a key of the operating system, kept nowhere
  kSecret,   // there was one; no page shows it
};

struct ReportFacts {
  Edition edition = Edition::kPublic;
  std::string version;                            // of the program
  std::string method;                             // empty: not known; of an audit the plan's
  std::map<std::string, std::string> parameters;  // as TOML values; secrets as <secret>
  NamedHash original, masked;                     // the original's hash for stewards alone
  struct OntologyFacts {
    std::string name;
    NamedHash source;
    std::vector<std::string> columns;
  };
  std::vector<OntologyFacts> ontologies;
  std::string command;  // that repeats it, without its secrets
  SeedState seed = SeedState::kUnknown;
};

// What anybody may see of a comparison, k as for an audit.
Comparison public_edition(const Comparison& comparison, std::uint64_t k);

std::string report_html(const Audit& audit, const ReportFacts& facts);
std::string comparison_html(const Comparison& comparison, const ReportFacts& facts);
std::string reproduction_html(const std::vector<Reproduction>& reproductions,
                              std::string_view version);

}  // namespace semveil
