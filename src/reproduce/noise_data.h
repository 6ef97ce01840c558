// Public tables with two columns that go together, as concepts.
#pragma once

#include "reproduce/public_data.h"

namespace semveil::reproduction {

struct Pairs {
  std::string title;
  std::vector<std::string> notes;  // where they come from, and how much of it could be mapped
  Records records;                 // two columns
  bool fine_grained = false;       // many categories, unevenly frequent
};

// The files that these tables are made from.
std::span<const DataFile> pairs_files();

// Two domains: reference `pair` cannot be used.
Result<std::vector<Pairs>> pairs_of_one_domain(const ReproduceOptions& options);
Result<std::vector<Pairs>> pairs_of_two_domains(const ReproduceOptions& options);

}  // namespace semveil::reproduction
