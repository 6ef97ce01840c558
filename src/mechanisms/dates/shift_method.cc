#include "mechanisms/dates/shift_method.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "mechanisms/common/saved.h"
#include "mechanisms/dates/date_shift.h"

namespace semveil {
namespace {

constexpr MethodKey kShiftDays{
    .name = "shift",
    .type = KeyType::kWhole,
    .help = "dates move by −N to N whole days, all of a person by the same",
    .low = 1,
    .high = DateShift::kMost,
    .usual = "30 to 365",
    .needed = "by how many days dates move at most",
};
constexpr MethodKey kShiftPartial{
    .name = "partial",
    .type = KeyType::kFlag,
    .help = "go on where a column of dates is released that is not shifted",
    .usually = false,
    .told = Told::kIfSaid,
    .stays = true,
};
constexpr std::array<MethodKey, 2> kShiftKeys{kShiftDays, kShiftPartial};

constexpr MethodDescription kShift{
    .name = "shift",
    .mechanism = "shift 1",
    .shape = MethodShape::kRecodes,
    .takes_concepts = false,
    .takes_dates = true,
    .takes_several_ontologies = true,
    .keys = kShiftKeys,
    .promise =
        "All dates of a person move by the same number of days, so that the days between them "
        "stay.",
    .no_promise = "Whoever knows one true date of a person knows all of them.",
};

class ShiftRecoding final : public Recoding {
 public:
  ShiftRecoding(DateForm form, std::int64_t most, std::optional<DateShift> shift = std::nullopt)
      : form_(std::move(form)), most_(most), shift_(std::move(shift)) {}

  const DateForm& form() const { return form_; }
  bool needs_person() const override { return true; }
  bool draws() const override { return true; }

  std::shared_ptr<const Recoding> with_key(const Key& key,
                                           std::string_view /*release*/) const override {
    return std::make_shared<ShiftRecoding>(form_, most_, DateShift(key, most_));
  }

  Result<std::optional<std::string>> recode(std::string_view cell,
                                            std::string_view person) const override {
    if (!shift_) return fail(usage_error("dates are shifted by a key, and there is none"));
    if (!form_.read(cell)) {
      return fail(data_error("not a date, which shift needs: correct the cell, list it in "
                             "missing_values, or say how dates are written by format")
                      .quoting(std::string(cell)));
    }
    std::optional<std::string> moved = form_.with_days_added(cell, shift_->days_of(person));
    if (!moved && form_.format().find("%y") != std::string::npos) {
      return fail(data_error("the shifted date lies beyond the years that two digits say (%y: 1969 "
                             "to 2068): write the years with four digits (%Y), correct the cell, "
                             "or list it in missing_values")
                      .quoting(std::string(cell)));
    }
    if (!moved) {
      return fail(
          data_error("the date lies at the end of the calendar, and cannot be shifted: "
                     "years are 0001 to 9999; correct the cell, or list it in missing_values")
              .quoting(std::string(cell)));
    }
    return moved;
  }

  std::string save() const override {
    return Json{{"shift", most_}, {"format", form_.format()}, {"pads", form_.pads()}}.dump();
  }

 private:
  DateForm form_;
  std::int64_t most_;
  std::optional<DateShift> shift_;
};

class ShiftMethod final : public RecodingMethod {
 public:
  const MethodDescription& about() const override { return kShift; }

  bool masks_by_default(const ColumnSettings& column) const override {
    return column.type == ColumnType::kDate && column.role != Role::kIdentifier;
  }

  void check(PlanCheck& check) const override {
    if (check.plan.person.empty()) {
      check.wrong(kMethodKey,
                  "shift moves all dates of a person alike: name the column that tells persons "
                  "apart, as person = \"COLUMN\" at the top of the plan");
    }
    if (std::ranges::count(check.plan.recodings, this, &MaskStep::method) > 1) {
      check.wrong(kMethodKey,
                  "there are two steps of shift, which would move dates of one person "
                  "differently; name the columns of both in one");
    }
    for (const ColumnSettings& column : check.plan.columns) {
      if (!check.is_masked(column)) continue;
      if (column.demand) {
        check.wrong(kColumnsKey, fmt::format("something is demanded of column {}, whose dates are "
                                             "shifted; leave the demand out, or the column",
                                             column.name));
      }
      const auto names_it = [&](const MaskStep& step) {
        return step.method != this && semveil::is_masked(column, step);
      };
      if (std::ranges::any_of(check.plan.steps, names_it) ||
          std::ranges::any_of(check.plan.recodings, names_it)) {
        check.wrong(kColumnsKey,
                    fmt::format("column {} is shifted and stands in another step; how far it is "
                                "shifted hangs on the person, so that no other step can be "
                                "fitted on it: leave it out of one of them",
                                column.name));
      }
    }
  }

  // A date that stays tells by how many days the others moved.
  Status check_table(const TableCheck& check) const override {
    if (setting_of<bool>(check.mask, kShiftPartial)) return {};
    for (const ColumnSettings& column : check.plan.columns) {
      if (column.type != ColumnType::kDate || column.role == Role::kIdentifier) continue;
      if (check.is_masked(column)) continue;
      return fail(Error{ErrorCode::kGuarantee,
                        "a column of dates is not shifted, and may tell by how many days the "
                        "others are: add it to columns, declare it an identifier, or write "
                        "partial = true",
                        {check.plan.path, column.line, column.name},
                        {},
                        {}});
    }
    return {};
  }

  Result<std::unique_ptr<const Recoding>> make_recoding(
      const MaskStep& mask, const RecodedColumn& column) const override {
    Result<DateForm> form = DateForm::of(column.plan.format);
    if (!form) return fail(form.error());
    std::vector<std::string_view> texts;
    for (const RecodedColumn::Text& text : column.texts) texts.push_back(text.text);
    return std::make_unique<ShiftRecoding>(
        form->padded(form->of_texts(texts).pads()),
        static_cast<std::int64_t>(setting_of<std::uint64_t>(mask, kShiftDays)));
  }

  Result<std::unique_ptr<const Recoding>> load_recoding(
      std::string_view saved, std::shared_ptr<const ColumnMeaning> /*meaning*/) const override {
    auto read = read_saved([&] {
      const Json json = Json::parse(saved);
      const std::int64_t most = json.at("shift");
      demand(most >= 1 && most <= DateShift::kMost);
      Result<DateForm> form = DateForm::of(json.at("format").get<std::string>());
      demand(form.has_value());
      return std::make_unique<ShiftRecoding>(form->padded(json.at("pads").get<bool>()), most);
    });
    if (!read) return fail(read.error());
    return *std::move(read);
  }
};

}  // namespace

const Method& shift_method() {
  static const ShiftMethod kMethod;
  return kMethod;
}

const DateForm* shifted_form(const Recoding& recoding) {
  const auto* const shift = dynamic_cast<const ShiftRecoding*>(&recoding);
  return shift == nullptr ? nullptr : &shift->form();
}

}  // namespace semveil
