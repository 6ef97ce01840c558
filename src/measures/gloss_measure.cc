#include "measures/gloss_measure.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/stop.h"
#include "measures/concept_features.h"

namespace semveil {
namespace {

using Sum = std::uint64_t;

// A vector's entries are at most kMostWords · kMostGlosses < 2^28, and it is a sum of that many
// glosses of up to kMostGlossWords < 2^8 words: no product of two reaches 2^64.
constexpr std::size_t kMostWords = 4095;      // of one concept with its names and parents
constexpr std::size_t kMostGlosses = 65'535;  // of one word
static_assert(kMostWords * kMostGlosses < (std::size_t{1} << 28) && kMostGlossWords < 256);
constexpr std::size_t kFewGlosses = 50;  // no word of a small ontology is too frequent
constexpr std::size_t kShareOfGlosses = 500;

// One number for each word; zero but where a concept's vector is being used. Kept by the thread.
std::vector<Sum>& scratch(std::size_t words) {
  thread_local std::vector<Sum> sums;
  if (sums.size() < words) sums.resize(words, 0);
  return sums;
}

class GlossMeasure final : public Measure {
 public:
  GlossMeasure(std::shared_ptr<const Taxonomy> taxonomy, const ConceptFeatures& features)
      : taxonomy_(std::move(taxonomy)) {
    const std::size_t size = taxonomy_->size();
    std::vector<std::uint32_t> glosses(features.words.bound(), 0);  // of each word
    for (ConceptId c = 0; c < size; ++c) {
      check_stop();
      for (const std::uint32_t word : features.words[c]) ++glosses[word];
    }
    const std::size_t most = std::clamp(size / kShareOfGlosses, kFewGlosses, kMostGlosses);
    const auto counts = [&](std::uint32_t word) {
      return word < glosses.size() && glosses[word] >= 2 && glosses[word] <= most;
    };
    std::vector<std::uint32_t> list;
    const auto append = [&](std::span<const std::uint32_t> words) {
      for (const std::uint32_t word : words) {
        if (counts(word) && list.size() < kMostWords) list.push_back(word);
      }
    };
    // A word that counts stands in some gloss, so gloss_.bound() is above those of names too.
    for (ConceptId c = 0; c < size; ++c) {
      check_stop();
      list.clear();
      append(features.words[c]);
      gloss_.add(list);
    }
    for (ConceptId c = 0; c < size; ++c) {
      check_stop();
      list.clear();
      append(features.words[c]);
      append(features.name_words[c]);
      for (const ConceptId p : taxonomy_->parents(c)) append(features.words[p]);
      words_.add(list);
    }
    std::vector<std::vector<std::uint32_t>> with(gloss_.bound());
    for (ConceptId c = 0; c < size; ++c) {
      for (const std::uint32_t word : gloss_[c]) with[word].push_back(c);
    }
    for (const std::vector<std::uint32_t>& concepts : with) glosses_of_.add(concepts);
    length_ = std::make_unique<std::atomic<Sum>[]>(size);
    for (ConceptId c = 0; c < size; ++c) length_[c].store(kUnknown, std::memory_order_relaxed);
  }

  std::string_view name() const override { return "gloss-vector"; }
  const Taxonomy& taxonomy() const override { return *taxonomy_; }

  double distance(ConceptId a, ConceptId b) const override {
    if (a == b) return 0;
    const Sum length_a = length(a);
    const Sum length_b = length(b);
    if (length_a == 0 || length_b == 0) return 1;
    std::vector<Sum>& vector = scratch(gloss_.bound());
    add_vector(a, vector);
    const Sum product = times_vector(b, vector);
    clear_vector(a, vector);
    return value(product, length_a, length_b);
  }

  Explanation explain(ConceptId a, ConceptId b) const override {
    return {distance(a, b), taxonomy_->lcs(a, b)};
  }

  void from(ConceptId source, std::span<double> out) const override {
    check_stop();
    std::vector<ConceptId> all(taxonomy_->size());
    std::iota(all.begin(), all.end(), ConceptId{0});
    std::vector<Sum> by_word(gloss_.bound());
    row(source, all, by_word, out);
  }

  void rows(std::span<const ConceptId> sources, std::span<const ConceptId> targets,
            const VisitRow& visit) const override {
    std::vector<Sum> by_word(gloss_.bound());
    std::vector<double> out(targets.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
      row(sources[i], targets, by_word, out);
      visit(i, out);
    }
  }

  double tie() const override { return 1e-9; }
  // Words may be shared anywhere: nothing is known.
  StepDown step_down(ConceptId) const override { return {-1, 1}; }

 private:
  static constexpr Sum kUnknown = std::numeric_limits<Sum>::max();

  static double value(Sum product, Sum length_a, Sum length_b) {
    const double lengths = std::sqrt(static_cast<double>(length_a) * static_cast<double>(length_b));
    return std::clamp(1 - static_cast<double>(product) / lengths, 0.0, 1.0);
  }

  // v_c, added to what is there.
  void add_vector(ConceptId c, std::vector<Sum>& vector) const {
    for (const std::uint32_t word : words_[c]) {
      for (const ConceptId other : glosses_of_[word]) {
        for (const std::uint32_t with : gloss_[other]) ++vector[with];
      }
    }
  }
  void clear_vector(ConceptId c, std::vector<Sum>& vector) const {
    for (const std::uint32_t word : words_[c]) {
      for (const ConceptId other : glosses_of_[word]) {
        for (const std::uint32_t with : gloss_[other]) vector[with] = 0;
      }
    }
  }
  // The product of v_c with a vector.
  Sum times_vector(ConceptId c, const std::vector<Sum>& vector) const {
    Sum product = 0;
    for (const std::uint32_t word : words_[c]) {
      for (const ConceptId other : glosses_of_[word]) {
        for (const std::uint32_t with : gloss_[other]) product += vector[with];
      }
    }
    return product;
  }

  Sum length(ConceptId c) const {  // its square
    const Sum known = length_[c].load(std::memory_order_relaxed);
    if (known != kUnknown) return known;
    std::vector<Sum>& vector = scratch(gloss_.bound());
    add_vector(c, vector);
    // Each entry is met, squared and cleared once.
    Sum sum = 0;
    for (const std::uint32_t word : words_[c]) {
      for (const ConceptId other : glosses_of_[word]) {
        for (const std::uint32_t with : gloss_[other]) {
          sum += vector[with] * vector[with];
          vector[with] = 0;
        }
      }
    }
    length_[c].store(sum, std::memory_order_relaxed);
    return sum;
  }

  void row(ConceptId source, std::span<const ConceptId> targets, std::vector<Sum>& by_word,
           std::span<double> out) const {
    const Sum length_source = length(source);
    std::vector<Sum>& vector = scratch(gloss_.bound());
    add_vector(source, vector);
    std::ranges::fill(by_word, 0);  // M v
    for (ConceptId c = 0; c < taxonomy_->size(); ++c) {
      Sum sum = 0;
      for (const std::uint32_t word : gloss_[c]) sum += vector[word];
      if (sum == 0) continue;
      for (const std::uint32_t word : gloss_[c]) by_word[word] += sum;
    }
    clear_vector(source, vector);
    for (std::size_t j = 0; j < targets.size(); ++j) {
      const ConceptId c = targets[j];
      const Sum length_c = length(c);
      if (c == source) {
        out[j] = 0;
      } else if (length_source == 0 || length_c == 0) {
        out[j] = 1;
      } else {
        Sum product = 0;
        for (const std::uint32_t word : words_[c]) product += by_word[word];
        out[j] = value(product, length_source, length_c);
      }
    }
  }

  std::shared_ptr<const Taxonomy> taxonomy_;
  IdLists gloss_;       // words of the definition, by concept
  IdLists words_;       // those that make the concept's vector
  IdLists glosses_of_;  // concepts by word
  std::unique_ptr<std::atomic<Sum>[]> length_;
};

}  // namespace

std::unique_ptr<const Measure> make_gloss_measure(std::shared_ptr<const Taxonomy> taxonomy,
                                                  const ConceptFeatures& features) {
  return std::make_unique<GlossMeasure>(std::move(taxonomy), features);
}

}  // namespace semveil
