#include "audit/told_persons.h"

#include <algorithm>

#include "audit/record_stream.h"
#include "base/hash_joined.h"
#include "figures/date_tells.h"
#include "mechanisms/cells/pseudonym_method.h"
#include "mechanisms/dates/shift_method.h"
#include "release/person_links.h"
#include "release/row_links.h"
#include "release/shifted_days.h"
#include "release/survey.h"
#include "release/told_columns.h"
#include "semveil/method.h"

namespace semveil {
namespace {

bool has_recoding(const PlanFile& plan, const Method& method) {
  return std::ranges::find(plan.recodings, &method, &MaskStep::method) != plan.recodings.end();
}

bool looks_up(const PlanFile& plan) {
  return plan.has_step([](const MethodDescription& method) { return method.looks_up(); });
}

class ReleasedPersons {
 public:
  explicit ReleasedPersons(const PersonsInRelease& release) : release_(release) {}

  Result<std::vector<Finding>> run() && {
    find_columns();
    if (const Status status = read(); !status) return fail(status.error());
    std::vector<Finding> out;
    const bool is_released = std::ranges::find(names(), plan().person) != names().end();
    LinkedRows linked = linked_rows(links_, is_released ? plan().person : std::string());
    const bool links_rows = !linked.columns.empty() || !plan().draw_by().empty() ||
                            has_recoding(plan(), pseudonym_method());
    if (looks_up(plan())) {
      if (auto found = find_linked_rows(std::move(linked), row_sums_)) out.push_back(*found);
    }
    if (!shifted_.empty()) find_shifted(shifted(links_rows), out);
    return out;
  }

 private:
  struct Shifted {
    const SurveyColumn* column = nullptr;
    const DateForm* form = nullptr;
    std::size_t shown = 0;  // place among the columns that are read
    DayCells days;          // by row
  };

  const PlanFile& plan() const { return release_.plan; }
  const std::vector<std::string>& names() const { return release_.masked.columns(); }

  // Place among the columns that are read.
  std::size_t shown(std::size_t at) {
    const auto known = std::ranges::find(shown_, at);
    if (known != shown_.end()) return static_cast<std::size_t>(known - shown_.begin());
    shown_.push_back(at);
    return shown_.size() - 1;
  }

  // As masking chooses them: what no step masks, but for the person itself, and what is masked
  // alike in the rows of a person.
  void find_columns() {
    std::vector<std::string> linking;
    for (std::size_t at = 0; at < names().size(); ++at) {
      const ColumnSettings* const column = plan().find(names()[at]);
      const MaskStep* const step = column == nullptr ? nullptr : plan().step_of(*column);
      const bool links =
          names()[at] != plan().person && (step == nullptr || !step->draw_by.empty());
      if (links) {
        linking.push_back(names()[at]);
        linking_.push_back(shown(at));
      }
      const bool is_known = column != nullptr && column->role == Role::kQuasiIdentifier;
      if (is_known) known_by_.push_back(shown(at));
      if (release_.survey == nullptr || column == nullptr) continue;
      const SurveyColumn* const found = release_.survey->find(names()[at]);
      const DateForm* const form = found == nullptr ? nullptr : shifted_form(found->recodings);
      if (form != nullptr) shifted_.push_back({found, form, shown(at), {}});
    }
    links_ = RowLinks(std::move(linking));
  }

  bool is_missing(std::string_view cell) const {
    return cell.empty() ||
           std::ranges::find(plan().missing_values, cell) != plan().missing_values.end();
  }

  Status read() {
    Result<RecordStream> records = RecordStream::open(
        release_.masked, {}, shown_, "looking for rows of one person", release_.progress);
    if (!records) return fail(records.error());
    for (std::uint64_t row = 0;; ++row) {
      const Result<bool> more = records->next();
      if (!more) return fail(more.error());
      if (!*more) return {};
      add(*records, row);
    }
  }

  void add(const RecordStream& record, std::uint64_t row) {
    persons_.push_back(release_.person(row));
    const std::uint64_t person = person_hash(persons_.back());
    links_.add_row(person);
    for (std::size_t i = 0; i < linking_.size(); ++i) {
      const std::string_view cell = record.cell(linking_[i]);
      if (!is_missing(cell)) links_.add(i, person_hash(cell), person);
    }
    std::uint64_t hash = 0;
    for (const std::size_t place : known_by_) {
      const std::string_view cell = record.cell(place);
      hash = hash_joined(hash, is_missing(cell) ? 0 : person_hash(cell));
    }
    const std::size_t number = release_.number(row);
    if (row_sums_.size() <= number) row_sums_.resize(number + 1);
    row_sums_[number] += slot_hash(hash);
    for (Shifted& column : shifted_) {
      const std::string_view cell = record.cell(column.shown);
      const std::optional<Moment> moment =
          is_missing(cell) ? std::nullopt : column.form->read(cell);
      column.days.push_back(moment ? std::optional(moment->day) : std::nullopt);
    }
  }

  MaskResult::Shifted shifted(bool links_rows) {
    MaskResult::Shifted out;
    std::vector<DayCells> days;
    for (Shifted& column : shifted_) {
      out.columns.push_back(column.column->plan.name);
      days.push_back(std::move(column.days));
    }
    const IntervalFigures seen =
        (links_rows ? persons_alone_by_intervals : persons_alone_by_rows)(persons_, days);
    out.links_rows = links_rows;
    out.persons = seen.persons;
    out.alone = seen.alone;
    for (const ShiftTold& told : release_.survey->shift_told) {
      const bool is_released = std::ranges::find(names(), told.column) != names().end();
      if (is_released) out.tells.push_back(told);
    }
    return out;
  }

  const PersonsInRelease& release_;
  std::vector<std::size_t> shown_;               // columns of the release that are read
  std::vector<std::size_t> linking_, known_by_;  // places in shown_
  std::vector<Shifted> shifted_;
  RowLinks links_;
  std::vector<std::uint64_t> row_sums_;    // by person
  std::vector<std::string_view> persons_;  // by row
};

}  // namespace

bool shifts_dates(const PlanFile& plan) { return has_recoding(plan, shift_method()); }

bool tells_of_persons(const PlanFile& plan) {
  return !plan.person.empty() && (looks_up(plan) || shifts_dates(plan));
}

Result<std::vector<Finding>> find_told_of_persons(const PersonsInRelease& release) {
  return ReleasedPersons(release).run();
}

}  // namespace semveil
