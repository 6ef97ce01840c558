// One table and plan, masked in memory by one configuration after the other.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "audit/table_pair.h"
#include "compare/coded_table.h"
#include "semveil/compare.h"

namespace semveil {

class Comparer {  // thread-safe once it is made
 public:
  // Reads the table. `plans`: what will be asked for, which says what must be read.
  static Result<Comparer> open(const Table& table, const PlanFile& plan, const Key& key,
                               double holdout, const std::vector<PlanFile>& plans,
                               const WorkOptions& work);

  // As many of the records as `share` says, by the key; the others are left out.
  static Result<Comparer> open_sample(const Table& table, const PlanFile& plan, const Key& key,
                                      double share, const std::vector<PlanFile>& plans,
                                      const WorkOptions& work);

  std::uint64_t records() const { return parts_->kept.records(); }
  std::uint64_t held_out() const { return parts_->aside.records(); }

  // As an audit takes it: by the measures of the plan that the comparison is about, whatever the
  // measure that masked, so that all are judged alike.
  Result<TablePair> mask(const PlanFile& plan, MaskResult* result = nullptr) const;
  // `plan`: the configuration's. What cannot be had of this table and plan is told in the release;
  // any other failure is an error.
  Result<ComparedRelease> run(const Configuration& configuration, const PlanFile& plan,
                              const AuditOptions& options) const;
  // The table released as it is.
  Result<ComparedRelease> unchanged(const AuditOptions& options) const;

 private:
  static Result<Comparer> read(const Table& table, const PlanFile& plan, const Key& key,
                               const std::function<bool(std::uint64_t)>& aside,
                               const std::vector<PlanFile>& plans, const WorkOptions& work);
  Comparer(const PlanFile& plan, const Key& key, const WorkOptions& work);
  // A survey depends on what is masked and on the kind of method: each kind is surveyed once.
  Result<std::shared_ptr<const Survey>> surveyed(const PlanFile& plan) const;

  struct Surveys {
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<const Survey>> known;
  };
  PlanFile plan_;
  Key key_;
  WorkOptions work_;         // of one configuration
  bool has_control_ = true;  // what is set aside is told apart from what was released
  std::unique_ptr<CodedTable::Parts> parts_;
  std::unique_ptr<Surveys> surveys_ = std::make_unique<Surveys>();
};

// Many at once; in the order given, whatever the threads. The first error is told.
Result<std::vector<ComparedRelease>> run_all(const Comparer& comparer,
                                             const std::vector<Configuration>& configurations,
                                             const std::vector<PlanFile>& plans,
                                             const AuditOptions& options, const WorkOptions& work);

}  // namespace semveil
