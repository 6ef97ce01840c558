// The papers' experiments, run again: their printed figures beside ours, and their claims checked
// one by one.
//
// An experiment gives parts (what was run, on what), tables whose rows hold the paper's figures and
// ours, and claims that hold on our figures or do not. Keys are fixed: the same program gives the
// same figures every time, but for times.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "semveil/release.h"
#include "semveil/result.h"

namespace [[gnu::visibility("default")]] semveil {

struct ExperimentInfo {
  std::string_view name;
  std::string_view paper;
  std::string_view what;
  unsigned parts;
  std::string_view needs;  // beyond the program itself
};
std::span<const ExperimentInfo> experiments();

// A file of the public data sets, below the folder that ReproduceOptions::data names.
struct PublicDataFile {
  std::string_view path;
  std::string_view from;         // where it is published, and what to make of it
  std::string_view sha256 = {};  // of the file that the figures are of; of a packed one, unpacked
};
std::span<const PublicDataFile> public_data();
enum class DataState : std::uint8_t { kHere, kAbsent, kDifferent };  // from the file we used
Result<DataState> state_of(const PublicDataFile& file, const std::string& folder);

using ReproducedCell = std::variant<std::monostate, double, std::string>;

struct ReproducedRow {
  std::string name;
  std::vector<ReproducedCell> theirs;  // by column of the table; empty: the paper has no such row
  std::vector<ReproducedCell> ours;
  std::optional<double> tolerance;  // how far ours may be from theirs

  // By column: nothing where there is nothing to compare. A tolerance counts from the ends of the
  // interval that the paper's two printed digits stand for.
  std::vector<std::optional<bool>> within() const;
};

struct ReproducedTable {
  std::string title;
  std::vector<std::string> columns;
  std::vector<ReproducedRow> rows;
  int printed_digits = 2;  // after the point, of the paper's figures
};

struct ReproducedClaim {
  std::string about;  // the table or data set
  std::string text;
  bool holds = false;
  std::string figures;  // what it was decided by
  std::string why;      // where it does not hold
};

// A figure of the paper, drawn again: its curves where it printed figures, and ours.
struct ReproducedFigure {
  std::string title;   // Figure 5: sdCor by k
  std::string x, y;    // what the axes show
  bool log_x = false;  // parameters that double: k
  struct Curve {
    std::string name;
    bool theirs = false;
    std::vector<double> x, y;
  };
  std::vector<Curve> curves;
};

struct ReproducedPart {
  std::string title;
  std::vector<std::string> notes;
  std::vector<ReproducedTable> tables;
  std::vector<ReproducedFigure> figures;
  std::vector<ReproducedClaim> claims;
};

struct Reproduction {
  ExperimentInfo experiment;
  std::vector<ReproducedPart> parts;
};

struct ReproduceOptions {
  std::string data;               // folder of the public data sets
  std::optional<unsigned> part;   // from 1; nothing: all
  WorkOptions work;               // progress counts runs
  std::function<double()> clock;  // in seconds, from any start; nothing: times are left out
};

// Whether all public data that these experiments need is there. The error lists every file that is
// not, with where it is published, its checksum and where to put it.
Status public_data_is_there(std::span<const std::string> names, const ReproduceOptions& options);

// An unknown name is a usage error that lists the known ones. Data that is missing is an error that
// says where to get it, before anything is run.
Result<Reproduction> reproduce(std::string_view name, const ReproduceOptions& options);

}  // namespace semveil
