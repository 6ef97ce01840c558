#include "statistics/covariance_sum.h"

namespace semveil {
namespace {

struct Sums {  // over records: 1, x, y, xy
  double n = 0, x = 0, y = 0, xy = 0;
  void add(const Sums& other) {
    n += other.n;
    x += other.x;
    y += other.y;
    xy += other.xy;
  }
  Sums without(const Sums& other) const {
    return {n - other.n, x - other.x, y - other.y, xy - other.xy};
  }
  // Σ (px − x)(py − y)
  double products(double px, double py) const { return (px * py * n - px * y) + (xy - py * x); }
};

// Sums of all places up to one, in O(log size) (Fenwick 1994).
class SumsUpTo {
 public:
  explicit SumsUpTo(std::size_t size) : tree_(size + 1) {}
  void add(std::size_t place, const Sums& sums) {
    for (std::size_t i = place + 1; i < tree_.size(); i += i & (~i + 1)) tree_[i].add(sums);
  }
  Sums up_to(std::size_t place) const {
    Sums sums;
    for (std::size_t i = place + 1; i > 0; i -= i & (~i + 1)) sums.add(tree_[i]);
    return sums;
  }

 private:
  std::vector<Sums> tree_;
};

}  // namespace

// Σ δA δB = Σ |x − x'| |y − y'| − 2n Σ r s + n² g h. Records come by ascending x, so |x − x'| is
// x − x' for all that came before; those with smaller y count plus, the others minus.
double numeric_covariance_sum(const Column& a, const Column& b, const Joint& joint) {
  if (a.size() < 2 || b.size() < 2) return 0;
  const std::vector<double> xs = a.numbers_about_mean();
  const std::vector<double> ys = b.numbers_about_mean();
  SumsUpTo before(b.size());
  Sums all;
  double products = 0;
  double means = 0;
  for (std::size_t i = 0; i < joint.rows(); ++i) {
    for (std::size_t e = joint.begin[i]; e < joint.begin[i + 1]; ++e) {
      const double n = joint.count[e];
      const double x = xs[i];
      const double y = ys[joint.b[e]];
      const Sums below = before.up_to(joint.b[e]);
      products += n * (below.products(x, y) - all.without(below).products(x, y));
      means += n * (a.row_mean(i) * b.row_mean(joint.b[e]));
      const Sums here{n, n * x, n * y, n * (x * y)};
      before.add(joint.b[e], here);
      all.add(here);
    }
  }
  const double records = a.records();
  return 2 * (products - records * means) + records * records * (a.mean() * b.mean());
}

}  // namespace semveil
