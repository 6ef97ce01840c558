// distance() allocates nothing, nor do the sets it is made of: masking calls it billions of times.
//
// This file replaces the global operator new of the whole test program by one that counts the calls
// of a thread while it is told to. Sanitizers bring their own, so under them the test skips.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <new>

#include "measures/concept_features.h"
#include "measures/feature_sets.h"
#include "semveil/measure.h"
#include "support/generate.h"
#include "support/slow_features.h"
#include "support/slow_measures.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SEMVEIL_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define SEMVEIL_SANITIZED 1
#endif
#endif

namespace {

thread_local bool counting = false;
thread_local std::size_t allocations = 0;

#ifndef SEMVEIL_SANITIZED
void* counted(void* memory) {
  if (counting) ++allocations;
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
#endif

}  // namespace

#ifndef SEMVEIL_SANITIZED
// GCC does not see that new and delete are both replaced here.
#pragma GCC diagnostic push
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif
// The other forms (arrays, nothrow) call these. NOLINTBEGIN(cppcoreguidelines-no-malloc)
void* operator new(std::size_t size) { return counted(std::malloc(size == 0 ? 1 : size)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto a = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(a, (size + a - 1) / a * a));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
// NOLINTEND(cppcoreguidelines-no-malloc)
#pragma GCC diagnostic pop
#endif

namespace semveil::test {
namespace {

constexpr int kCalls = 100'000;

TEST(MeasureDistance, AllocatesNothingAfterTheFirstCall) {
#ifdef SEMVEIL_SANITIZED
  std::fputs("SKIPPED: sanitizers bring their own operator new\n", stderr);
  GTEST_SKIP() << "sanitizers bring their own operator new";
#endif
  counting = true;
  ::operator delete(::operator new(1));  // a new expression might be optimised away
  counting = false;
  ASSERT_EQ(allocations, 1U) << "the counter does not count";

  for (const Shape shape : {Shape::kDag, Shape::kFork}) {
    constexpr std::size_t kSize = 150;  // of the fork: depths of about 50
    const Twins twins(generate(shape, kSize, 9));
    for (const MeasureCase& which : measure_cases()) {
      const auto measure = engine_measure(twins.fast, which);
      double sum = measure->distance(0, 1);  // builds the ancestor index
      Random random(1);
      allocations = 0;
      counting = true;
      for (int i = 0; i < kCalls; ++i) {
        const auto a = static_cast<ConceptId>(random.below(kSize));
        const auto b = static_cast<ConceptId>(random.below(kSize));
        sum += measure->distance(a, b);
      }
      counting = false;
      EXPECT_EQ(allocations, 0U) << which.title();
      EXPECT_GT(sum, 0);
    }
  }
}

TEST(FeatureSets, AllocateNothingForAPair) {
#ifdef SEMVEIL_SANITIZED
  std::fputs("SKIPPED: sanitizers bring their own operator new\n", stderr);
  GTEST_SKIP() << "sanitizers bring their own operator new";
#endif
  const GeneratedTexts texts = with_texts(generate(Shape::kDag, 150, 9), 9);
  const auto taxonomy = value_or_throw(texts.ontology.taxonomy());
  const auto names = value_or_throw(texts.ontology.names());
  const ConceptFeatures features = ConceptFeatures::of(Domain::whole(taxonomy), *names);
  const std::unique_ptr<const FeatureSets> all[] = {listed_sets(features.names),
                                                    inherited_sets(taxonomy, features.names),
                                                    inherited_sets(taxonomy, features.names, 1)};
  for (const auto& sets : all) {
    std::uint64_t sum = sets->common(0, 1);  // takes the thread's memory
    allocations = 0;
    counting = true;
    for (ConceptId a = 0; a < taxonomy->size(); ++a) {
      for (ConceptId b = 0; b < taxonomy->size(); ++b) sum += sets->common(a, b);
    }
    counting = false;
    EXPECT_EQ(allocations, 0U) << &sets - all;
    EXPECT_GT(sum, 0U);
  }
}

}  // namespace
}  // namespace semveil::test
