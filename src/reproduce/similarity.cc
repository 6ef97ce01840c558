// How well every measure agrees with people: the Pearson correlation of 1 − distance of the closest
// senses with human ratings of pairs of words, over the nouns of WordNet.
//
// Paper:   thesis section 3.3 and Table 4 (Miller & Charles 1991, Rubenstein & Goodenough 1965).
// Choices: the measures on information content have Seco's, theirs corpus frequencies; our WordNet
//          is 3.0, theirs 2. SimLex-999 and WordSim-353 are not in the thesis. A pair of which a
//          word is no noun is left out; SimLex also has verbs and adjectives, of which many are
//          nouns, too, and are then compared as such. Data sets that are not there are left out,
//          and a note says where to get them.
// Cost:    collecting names and definitions of WordNet, and a few hundred distances a measure.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "reproduce/experiment.h"
#include "reproduce/fuse_curves.h"
#include "reproduce/public_data.h"

namespace semveil::reproduction {
namespace {

struct Benchmark {
  const char* name;
  DataFile file;
};
constexpr const char* kHeader = "; a CSV file with the header word1,word2,score";
const std::array<Benchmark, 4>& benchmarks() {
  static const std::string kMirror =
      fmt::format("eval-word-vectors of github.com/mfaruqui, data/word-sim{}", kHeader);
  static const std::array<Benchmark, 4> kAll{
      {{"Miller & Charles", {"word-similarity/miller-charles-30.csv", kMirror.c_str()}},
       {"Rubenstein & Goodenough",
        {"word-similarity/rubenstein-goodenough-65.csv", kMirror.c_str()}},
       {"SimLex-999", {"word-similarity/simlex-999.csv", kMirror.c_str()}},
       {"WordSim-353", {"word-similarity/wordsim-353.csv", kMirror.c_str()}}}};
  return kAll;
}

struct PublishedRating {  // thesis Table 4
  std::string_view measure;
  std::optional<double> miller_charles, rubenstein_goodenough;
};
constexpr std::array kPublished{PublishedRating{"wu-palmer", 0.74, {}},
                                PublishedRating{"wu-palmer-edges", {}, {}},
                                PublishedRating{"path", 0.59, {}},
                                PublishedRating{"leacock-chodorow", 0.74, 0.77},
                                PublishedRating{"resnik", 0.72, 0.72},
                                PublishedRating{"lin", 0.70, 0.72},
                                PublishedRating{"jiang-conrath", 0.73, 0.75},
                                PublishedRating{"sanchez", {}, {}},
                                PublishedRating{"tversky", 0.73, {}},
                                PublishedRating{"rodriguez-egenhofer", 0.71, {}},
                                PublishedRating{"x-similarity", 0.74, {}},
                                PublishedRating{"gloss-vector", {}, {}}};

struct Rated {
  std::vector<ConceptId> a, b;  // senses
  double score = 0;
};
struct Ratings {
  std::vector<Rated> pairs;
  std::size_t left_out = 0;  // a word is no noun
};

Result<Ratings> read_ratings(const ReproduceOptions& options, const DataFile& file,
                             const Mapper& mapper) {
  constexpr std::array<std::string_view, 3> kColumns{"word1", "word2", "score"};
  const auto rows = read_rows(options, file, kColumns);
  if (!rows) return fail(rows.error());
  Ratings out;
  for (const std::vector<std::string>& row : *rows) {
    Rated rated{mapper.match(row[0]).senses, mapper.match(row[1]).senses, 0};
    const auto [end, error] =
        std::from_chars(row[2].data(), row[2].data() + row[2].size(), rated.score);
    if (error != std::errc()) {
      return fail(data_error("the score of a pair is no number")
                      .at(path_of(options, file))
                      .quoting(row[2]));
    }
    if (rated.a.empty() || rated.b.empty()) {
      ++out.left_out;
    } else {
      out.pairs.push_back(std::move(rated));
    }
  }
  return out;
}

double agreement(const Measure& measure, const Ratings& ratings) {
  std::vector<double> ours;
  std::vector<double> theirs;
  for (const Rated& rated : ratings.pairs) {
    double closest = 1;
    for (const ConceptId a : rated.a) {
      for (const ConceptId b : rated.b) closest = std::min(closest, measure.distance(a, b));
    }
    ours.push_back(1 - closest);
    theirs.push_back(rated.score);
  }
  return correlation(ours, theirs);
}

struct Found {  // those of the benchmarks that are there
  std::vector<const Benchmark*> benchmarks;
  std::vector<Ratings> ratings;
  std::vector<std::string> missing;  // where to get the others
};

Result<Found> find_ratings(const ReproduceOptions& options, const Mapper& mapper) {
  Found out;
  for (const Benchmark& benchmark : benchmarks()) {
    std::error_code ignored;
    if (!std::filesystem::exists(path_of(options, benchmark.file), ignored)) {
      out.missing.push_back(fmt::format("{} is not there: {}, from {}", benchmark.name,
                                        path_of(options, benchmark.file), benchmark.file.from));
      continue;
    }
    auto ratings = read_ratings(options, benchmark.file, mapper);
    if (!ratings) return fail(ratings.error());
    out.benchmarks.push_back(&benchmark);
    out.ratings.push_back(*std::move(ratings));
  }
  return out;
}

ReproducedCell printed(const PublishedRating& published, const Benchmark& benchmark) {
  const std::optional<double> figure = &benchmark == &benchmarks()[0] ? published.miller_charles
                                       : &benchmark == &benchmarks()[1]
                                           ? published.rubenstein_goodenough
                                           : std::nullopt;
  return figure ? ReproducedCell(*figure) : ReproducedCell();
}

ReproducedPart empty_part(const Found& found) {
  ReproducedPart part;
  part.title = "Measures and people (thesis Table 4)";
  part.notes = {
      "Pearson correlation of 1 − distance of the closest senses with human ratings, nouns of "
      "WordNet. Theirs: WordNet 2, corpus frequencies for resnik, lin and jiang-conrath, each as "
      "its best evaluation reports it; ours: Seco's content. SimLex and WordSim are not in the "
      "thesis; WordSim rates relatedness."};
  for (const std::string& missing : found.missing) part.notes.push_back(missing);
  for (std::size_t i = 0; i < found.benchmarks.size(); ++i) {
    if (found.ratings[i].left_out == 0) continue;
    part.notes.push_back(fmt::format(
        "{}: {} pairs; {} more are left out, of which a word is no "
        "noun of WordNet.",
        found.benchmarks[i]->name, found.ratings[i].pairs.size(), found.ratings[i].left_out));
  }
  return part;
}

void add_claim(const PublishedRating& published, const Benchmark& benchmark, double ours,
               const Claims& claims) {
  const ReproducedCell cell = printed(published, benchmark);
  const auto* theirs = std::get_if<double>(&cell);
  if (theirs == nullptr) return;
  claims.add(
      fmt::format("{}: {} agrees with people as well as published", benchmark.name,
                  published.measure),
      {ours >= *theirs - kHalfDigit, fmt::format("published {:.2f}, ours {:.3f}", *theirs, ours)},
      "another WordNet, and what the paper leaves open of the measure");
}

}  // namespace

Result<std::vector<ReproducedPart>> similarity(const ReproduceOptions& options) {
  const std::array<DataFile, 1> first{benchmarks()[0].file};
  if (Status there = data_is_there(options.data, first, "similarity", ""); !there) {
    return fail(there.error());
  }
  const auto ontology = open_ontology("wordnet", {.use_cache = options.work.use_cache});
  if (!ontology) return fail(ontology.error());
  const auto taxonomy = ontology->taxonomy();
  if (!taxonomy) return fail(taxonomy.error());
  const auto mapper = Mapper::create(*ontology);
  if (!mapper) return fail(mapper.error());
  const auto found = find_ratings(options, *mapper);
  if (!found) return fail(found.error());

  ReproducedPart part = empty_part(*found);
  ReproducedTable table;
  table.title = "Correlation with people";
  for (const Benchmark* benchmark : found->benchmarks) table.columns.emplace_back(benchmark->name);
  const Claims claims("Table 4, measures and people", part);
  Runs runs(options.work, "measures and people", kPublished.size());
  const Domain whole = Domain::whole(*taxonomy);
  for (const PublishedRating& published : kPublished) {
    const auto chosen = choose_measure({.name = std::string(published.measure)}, whole, *mapper);
    if (!chosen) return fail(chosen.error());
    const auto measure = make_measure(*taxonomy, *chosen);
    if (!measure) return fail(measure.error());
    ReproducedRow row;
    row.name = published.measure;
    for (std::size_t i = 0; i < found->benchmarks.size(); ++i) {
      const double ours = agreement(**measure, found->ratings[i]);
      row.theirs.push_back(printed(published, *found->benchmarks[i]));
      row.ours.emplace_back(ours);
      add_claim(published, *found->benchmarks[i], ours, claims);
    }
    table.rows.push_back(std::move(row));
    runs.done();
  }
  part.tables.push_back(std::move(table));
  return std::vector{std::move(part)};
}

}  // namespace semveil::reproduction
