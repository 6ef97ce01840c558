#include "measures/matrix_measure.h"

namespace semveil {
namespace {

class MatrixMeasure final : public Measure {
 public:
  MatrixMeasure(std::shared_ptr<const Taxonomy> taxonomy, std::string name,
                std::shared_ptr<const DistanceMatrix> distances, bool symmetrised)
      : taxonomy_(std::move(taxonomy)),
        name_(std::move(name)),
        distances_(std::move(distances)),
        symmetrised_(symmetrised),
        first_(taxonomy_->has_virtual_root() ? 1 : 0) {}

  std::string_view name() const override { return name_; }
  const Taxonomy& taxonomy() const override { return *taxonomy_; }

  double distance(ConceptId a, ConceptId b) const override {
    if (a == b) return 0;
    if (a < first_ || b < first_) return 1;
    return (*distances_)(a - first_, b - first_);
  }

  Explanation explain(ConceptId a, ConceptId b) const override {
    return {distance(a, b), taxonomy_->lcs(a, b)};
  }

  void from(ConceptId source, std::span<double> out) const override {
    for (ConceptId c = 0; c < out.size(); ++c) out[c] = distance(source, c);
  }

  void rows(std::span<const ConceptId> sources, std::span<const ConceptId> targets,
            const VisitRow& visit) const override {
    std::vector<double> row(targets.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
      for (std::size_t j = 0; j < targets.size(); ++j) row[j] = distance(sources[i], targets[j]);
      visit(i, row);
    }
  }

  bool is_symmetrised() const override { return symmetrised_; }
  double tie() const override { return 1e-9; }
  StepDown step_down(ConceptId) const override { return {-1, 1}; }

 private:
  std::shared_ptr<const Taxonomy> taxonomy_;
  std::string name_;
  std::shared_ptr<const DistanceMatrix> distances_;
  bool symmetrised_;
  ConceptId first_;  // concept of the first row
};

}  // namespace

std::unique_ptr<const Measure> make_matrix_measure(std::shared_ptr<const Taxonomy> taxonomy,
                                                   std::string name,
                                                   std::shared_ptr<const DistanceMatrix> distances,
                                                   bool symmetrised) {
  return std::make_unique<MatrixMeasure>(std::move(taxonomy), std::move(name), std::move(distances),
                                         symmetrised);
}

}  // namespace semveil
