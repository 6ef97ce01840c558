// The steps of a model, and what they learned.
//
//   masked columns   age  job  diagnosis  home       Columns are numbered over all steps, in the
//   step             0    0    1          0          table's order. A step's plan numbers its own.
//   place in it      0    1    0          2
//
// Steps are fitted on the same table and know nothing of each other, so they can be done in any
// order, and each draws from a stream of its own: its key is derived from a digest of its columns,
// its method and its parameters, and a draw is addressed by the column's name.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "semveil/mechanism.h"
#include "semveil/method.h"

namespace semveil {

struct ModelStep {
  std::string method, mechanism;
  std::map<std::string, std::string> parameters;
  std::string draw_by;
  std::vector<std::size_t> columns;  // places among the model's, ascending
  std::optional<SetForm> sets;       // how sets are written, but for their width; nothing: no sets
  std::string categories;            // digest of those that sets are made of; empty: no sets
  std::string digest, frequencies;   // of its columns in the fitted table
  std::string read_saved;            // the saved plan of a model that was read
  // With the stream key of the model's release; null: no key yet.
  std::shared_ptr<const FittedMethod> plan;

  const MethodDescription& about() const { return method_named(method); }
  bool by_person() const { return !draw_by.empty(); }
  bool looks_up() const { return about().looks_up(); }
  bool deals() const { return about().deals(); }
  std::string saved() const { return read_saved.empty() ? plan->save() : read_saved; }
  Key stream(const Key& secret, const std::string& release) const;
};

class FittedSteps {  // immutable; shares the plans
 public:
  FittedSteps() = default;
  // `steps` must outlive it. By step: its plan.
  FittedSteps(const std::vector<ModelStep>& steps,
              std::vector<std::shared_ptr<const FittedMethod>> plans);

  std::size_t size() const { return plans_.size(); }
  const FittedMethod& plan(std::size_t step) const { return *plans_[step]; }
  const ModelStep& step(std::size_t step) const { return (*steps_)[step]; }

  struct Place {
    std::size_t step = 0, column = 0;
  };
  // Of a masked column.
  std::size_t columns() const { return places_.size(); }
  const Place& place(std::size_t column) const { return places_[column]; }
  const ModelStep& step_of(std::size_t column) const { return step(places_[column].step); }
  const FittedMethod& plan_of(std::size_t column) const { return plan(places_[column].step); }
  const std::shared_ptr<const Attribute>& released(std::size_t column) const {
    return plan_of(column).released()[places_[column].column];
  }
  std::size_t width(std::size_t column) const {
    return plan_of(column).width(places_[column].column);
  }
  bool is_set(std::size_t column) const { return step_of(column).sets.has_value(); }
  bool needs_persons() const;
  bool knows_origins() const;
  // The first step whose plan `has` what is asked for, as class_fit, swap_fit, set_fit, noise_fit.
  template <class Fit>
  const Fit* first(const Fit* (*has)(const FittedMethod&)) const {
    for (const auto& plan : plans_) {
      if (const Fit* fit = has(*plan)) return fit;
    }
    return nullptr;
  }

 private:
  const std::vector<ModelStep>* steps_ = nullptr;
  std::vector<std::shared_ptr<const FittedMethod>> plans_;
  std::vector<Place> places_;
};

}  // namespace semveil
