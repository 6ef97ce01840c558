// Noise on a column of numbers: x + ε, folded back into the column's range or not, rounded.
//
//   low ──────────────────────── high
//                          x ────┼──▶ x + ε
//                      z ◀───────┘            range = "reflect": as far back as it went beyond
//
// A cell is the place of a number that the fit saw or, where it did not, size() + 1 + the place of
// the nearest number that can be released: the two differ by less than the release can show.
#pragma once

#include <mutex>

#include "mechanisms/noise/error_spread.h"
#include "mechanisms/noise/noise_model.h"

namespace semveil {

class NumberNoise {
 public:
  // `learned` outlives it. `reach`: how far the farthest error is from 0.
  NumberNoise(std::shared_ptr<const Attribute> attribute, const NoiseLearned& learned,
              NoiseRange range, double reach);

  const std::shared_ptr<const Attribute>& released() const { return released_; }
  bool has_no_choice() const { return learned_.numbers->grid.count < 2; }

  // One column of a batch, given the errors.
  void mask(const RecordBatch& in, std::uint32_t column, std::span<const double> errors,
            MaskedBatch& out) const;
  double number(ConceptId cell) const;  // of a cell that is not missing
  std::string_view id(ConceptId cell) const;
  // The place of what x + ε comes out as.
  std::uint32_t released_as(double x, double error) const;
  // Places that only one of the numbers seen can have come out as; empty: not known.
  const std::vector<bool>& single_origins() const;
  // P(z | x) of every place, added to a row that has room for one more.
  void probabilities(double x, const ErrorSpread& spread, std::vector<double>& row) const;
  // How many looks at the errors' distribution a row takes.
  double work_of_row() const;

 private:
  double folded(double y) const;
  double low() const { return learned_.numbers->low; }
  double width() const { return learned_.numbers->high - learned_.numbers->low; }
  int periods() const;
  void count_origins() const;

  std::shared_ptr<const Attribute> attribute_, released_;
  const NoiseLearned& learned_;
  bool reflects_;
  double reach_;
  mutable std::once_flag origins_counted_;
  mutable std::vector<bool> single_;
};

}  // namespace semveil
