// Who fits what was released: the one relation that singling out, journalists, people who look
// themselves up, and membership are told by.
//
// A value fits a released one if it equals it, lies below it in the taxonomy or inside its
// interval: a flu fits "flu", "infection" and "*"; 24 fits "24", "20-29" and "[20, 30)". An
// interval fits one that it lies in. Everything fits "*". Texts fit themselves alone. In a column
// of concepts everything fits the root, which says nothing: missing cells, which generalize lifts
// there, and texts that mean nothing to the ontology. Else a missing cell fits a missing one; where
// missing cells are wildcards, it fits everything and everything fits it. A combination fits a
// released one if each of its values does.
//
//   released (infection, 40)    people (flu, 40)    fits
//                                      (flu, 41)    does not
//                                      (–, 40)      only as a wildcard
//
// A released combination fits another in the same way, so released classes may stand for people.
//
// Choice:  This program generalises numbers to concepts of a hierarchy. Intervals are what other
//          tools write into a numeric column: to its attribute texts that mean nothing, so that
//          FitRule says what they span.
// Cost:    Made: values × their ancestors, spanning values × values, classes × columns. An answer:
//          the answering classes that fit in the one of its columns where fewest do; where these
//          are more than 1/64 of all, words of 64 classes × columns, by bitmaps of the values;
//          where a combination can be fitted by one only, a binary search. Memory: as much as the
//          classes, the pairs of values, and bitmaps of at most 64 MB; values without room go
//          without. Thread-safe.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <span>

#include "base/interval_text.h"
#include "figures/paired.h"
#include "semveil/plan_file.h"

namespace semveil {

using Attributes = std::vector<std::shared_ptr<const Attribute>>;

// A value beyond those of its attribute, and what it spans.
struct SpanningValue {
  ConceptId value = 0;
  std::optional<NumberInterval> interval;  // nothing: it is fitted by everything
};

struct FitRule {
  FitRule(MissingRule rule = MissingRule::kKeep) : missing(rule) {}  // NOLINT: nothing spans
  MissingRule missing;
  std::vector<std::vector<SpanningValue>> spanning;  // by column, ascending; or of no column
  std::span<const SpanningValue> of_column(std::size_t j) const {
    return j < spanning.size() ? std::span(spanning[j]) : std::span<const SpanningValue>();
  }
};

class Fits {
 public:
  enum class Ask : std::uint8_t {
    kWhoFits,      // released classes ask, people's classes answer
    kWhatTheyFit,  // people's classes ask, released classes answer
  };
  // Both over these attributes, and both must outlive this.
  Fits(const Attributes& attributes, const Classes& asking, const Classes& answering, Ask ask,
       const FitRule& rule);

  // Answering classes of one that asks, each once, in an order that depends on the classes alone;
  // as long as `visit` says so.
  void for_each(std::size_t asking, std::span<const std::size_t> columns,
                const std::function<bool(std::uint32_t)>& visit) const;
  void for_each(std::size_t asking, const std::function<bool(std::uint32_t)>& visit) const {
    for_each(asking, all_, visit);
  }

  // Their records. Counting stops beyond `enough`.
  std::uint64_t records(std::size_t asking, std::span<const std::size_t> columns,
                        std::uint64_t enough = ~std::uint64_t{0}) const;
  std::uint64_t records(std::size_t asking) const { return records(asking, all_); }

  // Where exactly one record answers: its class.
  std::optional<std::uint32_t> only_one(std::size_t asking,
                                        std::span<const std::size_t> columns) const;
  // Whether this class answers that one.
  bool answers(std::size_t asking, std::size_t answering) const {
    return std::ranges::all_of(all_,
                               [&](std::size_t j) { return goes_with(asking, answering, j); });
  }

  std::span<const std::size_t> all_columns() const { return all_; }

 private:
  // One column: which values go together, and who has them.
  struct Column {
    std::vector<std::vector<std::uint32_t>> answers;  // by asking value: answering ones, ascending
    std::vector<std::uint64_t> holders_of;            // by asking value: classes that answer
    std::vector<std::uint32_t> begin, holders;        // by answering value: its classes
    std::vector<std::uint32_t> bitmap_of;             // by asking value: its place, if it has one
    std::vector<std::vector<std::uint64_t>> bitmaps;  // of answering classes; equal ones once
  };
  Column column(const Attribute& attribute, std::size_t j, const FitRule& rule);
  void add_bitmaps(Column& column);
  std::optional<std::uint32_t> only_answer(std::size_t asking) const;
  bool goes_with(std::size_t asking, std::size_t answering, std::size_t j) const;
  template <class Visit>
  void scan(std::size_t asking, std::span<const std::size_t> columns, const Visit& visit) const;
  template <class Visit>
  bool scan_bitmaps(std::size_t asking, std::span<const std::size_t> columns,
                    const Visit& visit) const;

  const Classes& asking_;
  const Classes& answering_;
  Ask ask_;
  std::size_t width_;
  std::vector<std::size_t> all_;
  std::vector<std::uint32_t> asking_places_, answering_places_;  // by class, then column
  std::vector<Column> columns_;
  std::vector<std::uint32_t> sorted_;  // answering classes by their places
  std::size_t words_;                  // of a bitmap
  std::size_t bitmap_words_ = 0;       // of all
};

}  // namespace semveil
