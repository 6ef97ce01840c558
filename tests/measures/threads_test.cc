// One Measure, several threads, from the very first call on: building the ancestor index is part of
// what must be safe.
#include <gtest/gtest.h>

#include <barrier>
#include <thread>
#include <vector>

#include "semveil/measure.h"
#include "support/generate.h"
#include "support/slow_measures.h"

namespace semveil::test {
namespace {

constexpr std::size_t kThreads = 4;

// Everything the measure says about a list, in one row of numbers.
std::vector<double> answers(const Measure& measure, const std::vector<ConceptId>& list,
                            std::size_t first_form) {
  std::vector<double> one, all, matrix;
  for (std::size_t k = 0; k < 3; ++k) {  // each thread begins with another form
    switch ((first_form + k) % 3) {
      case 0:
        for (const ConceptId a : list) {
          for (const ConceptId b : list) one.push_back(measure.distance(a, b));
        }
        break;
      case 1: {
        std::vector<double> row(measure.taxonomy().size());
        for (const ConceptId a : list) {
          measure.from(a, row);
          all.insert(all.end(), row.begin(), row.end());
        }
        break;
      }
      default:
        measure.rows(list, [&](std::size_t, std::span<const double> row) {
          matrix.insert(matrix.end(), row.begin(), row.end());
        });
    }
  }
  one.insert(one.end(), all.begin(), all.end());
  one.insert(one.end(), matrix.begin(), matrix.end());
  return one;
}

TEST(MeasureInThreads, AnswersAsInOneThreadEvenOnTheFirstCall) {
  const GeneratedTaxonomy generated = generate(Shape::kDag, 400, 3);
  Random random(3);
  std::vector<ConceptId> list;
  for (int i = 0; i < 24; ++i) list.push_back(static_cast<ConceptId>(random.below(400)));

  for (const MeasureCase& which : measure_cases()) {
    SCOPED_TRACE(which.title());
    const auto alone = engine_measure(Twins(generated).fast, which);
    const std::vector<double> expected = answers(*alone, list, 0);

    // A fresh taxonomy: nothing has been asked of it yet.
    const auto shared = engine_measure(Twins(generated).fast, which);
    std::vector<std::vector<double>> found(kThreads);
    std::barrier start(kThreads);
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        start.arrive_and_wait();
        found[t] = answers(*shared, list, t);
      });
    }
    threads.clear();  // joins
    for (const std::vector<double>& one : found) ASSERT_EQ(one, expected);
  }
}

}  // namespace
}  // namespace semveil::test
