// Data the repository does not hold: shared tables and an installed WordNet. A test that needs what
// is not there skips, and says on standard error what it would have checked with.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "semveil/ontology.h"

namespace semveil::test {

// The path of a file in $SEMVEIL_DATA or, without that, in ../shared/data; nothing if it is absent.
inline std::optional<std::string> data_file(const std::string& name) {
  const char* folder = std::getenv("SEMVEIL_DATA");  // NOLINT(concurrency-mt-unsafe)
  const std::filesystem::path path =
      std::filesystem::path(folder != nullptr && *folder != '\0' ? folder : "../shared/data") /
      name;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::nullopt;
  return path.string();
}

// WordNet's nouns, read from the source itself and not from a snapshot of an earlier build.
inline std::optional<Ontology> installed_wordnet() {
  OpenOptions options;
  options.use_cache = false;
  Result<Ontology> ontology = open_ontology("wordnet", options);
  if (!ontology) return std::nullopt;
  return *std::move(ontology);
}

inline void say_skipped(const std::string& missing) {
  const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
  std::fprintf(stderr, "SKIPPED %s.%s: %s is not here\n", test->test_suite_name(), test->name(),
               missing.c_str());
}

}  // namespace semveil::test

// Ends the running test as skipped; `missing` says what it needs.
#define SEMVEIL_SKIP_WITHOUT(missing)            \
  do {                                           \
    ::semveil::test::say_skipped(missing);       \
    GTEST_SKIP() << (missing) << " is not here"; \
  } while (false)
