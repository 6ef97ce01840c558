#include "option_names.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

namespace semveil::cli {
namespace {

constexpr auto kOptions = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"a control table", "--control"},
    {"a key column", "--key"},
    {"name another column", "--key"},
    {"name a column that was left as it was", "--key"},
    {"a limit of risk", "--max-risk"},
    {"No limit of risk was given", "--max-risk"},
    {"a recheck", "--recheck"},
    {"a release name", "--release"},
    {"a new release name", "--release"},
    {"released again", "--again"},
    {"another folder of public data", "--data"},
    {"as a fit tells them", "`semveil fit --json`"},
    {"as many clusters as were asked for", "--clusters"},
    {"by its cross-references", "--via xref"},
    {"do without", "--part 1, …"},
    {"does without", "--part 1"},
    {"part 1 needs no data", "--part 1"},
    {"fit without a table", "`semveil fit --plan PLAN -o MODEL`"},
    {"allow more hours of work", "--max-work"},
    {"needs l in [mask]", "--l"},
    {"only for what needs no pairs", "--unpaired"},
    {"only what needs no pairs of records was asked for", "--unpaired"},
    {"the column to learn", "--learn"},
    {"the key file", "--key-file"},
    {"the number of the first row", "--first-row"},
    {"the root of the domain", "--root"},
    {"the row map", "--row-map"},
    {"leave the trace out", "--trace"},
    {"mask the table in one go to get a trace", "`semveil mask --trace`"},
});

}  // namespace

std::string naming_options(std::string text) {
  for (const auto& [words, option] : kOptions) {
    const std::size_t at = text.find(words);
    if (at == std::string::npos) continue;
    text.insert(at + words.size(), fmt::format(" ({})", option));
  }
  return text;
}

}  // namespace semveil::cli
