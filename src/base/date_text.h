// Dates as the cells of a column write them: ISO 8601, or a format that a plan gives.
//
//   ISO 8601                2024-02-29   2024-02-29T10:30   2024-02-29 10:30:05.25+01:00
//   "%d.%m.%Y"              29.02.2024, and 29.2.2024 is read, too
//   "%m/%d/%y %H:%M %z"     02/29/24 10:30 +0100
//
// In a format %Y is a year of four digits and %y one of two (69 to 99 are of 1900); %m, %d, %H, %M,
// %S are numbers of one or two digits, %b and %B English names of months, short or long, %f digits
// of a second, %z a zone, %% a percent sign. Anything else stands for itself.
//
// A date is a number: days since 1970-01-01, times as parts of a day. Zones are texts: they are
// kept and not computed with, so that 10:30+01:00 and 10:30+02:00 are equally late. They stay two
// values all the same, a hair apart (2^-30 days for each zone that a column has).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/result.h"

namespace semveil {

struct Moment {
  std::int64_t day = 0;
  std::int64_t nanoseconds = 0;  // since midnight
  bool has_time = false;
  std::string zone;  // as it is written; "" without one

  double days() const;  // without the zone
};

class DateForm {
 public:
  DateForm() = default;  // ISO 8601, of a column without zones
  // `format`: "" for ISO 8601.
  static Result<DateForm> of(std::string_view format);
  // The same, with what the texts of a column show: zones, and how a day is written among them.
  DateForm of_texts(const std::vector<std::string_view>& texts) const;
  // As a model keeps it. Nothing where it is no form.
  static std::optional<DateForm> restored(std::string_view format, std::vector<std::string> zones,
                                          std::string midnight);

  const std::string& format() const { return format_; }
  const std::vector<std::string>& zones() const { return zones_; }  // ascending
  const std::string& midnight() const { return midnight_; }         // behind a day of ISO 8601

  // Nothing for what is no such date.
  std::optional<Moment> read(std::string_view text) const;
  // Nothing also for a zone that the column does not have.
  std::optional<double> number(std::string_view text) const;
  std::string written(std::int64_t day) const;
  // Whether days and months below 10 have two digits; as all texts of a column show it, so that no
  // single one tells what stood there.
  bool pads() const { return pads_; }
  DateForm padded(bool pads) const;
  // A text with another day, all else as it was; nothing for what is no such date, or cannot be
  // written so that it is read as that day.
  std::optional<std::string> with_days_added(std::string_view text, std::int64_t days) const;

 private:
  bool has_short_piece(std::string_view text) const;
  std::string with_day(std::string_view text, std::int64_t day) const;  // by the format

  std::string format_;  // "": ISO 8601
  std::vector<std::string> zones_{""};
  std::string midnight_;
  bool pads_ = true;
};

// Days as people read them: "2024-02-29", and where a part of the day has passed with the minute.
std::string days_text(double days);

// The number of a cell of numbers or, where `dates` says how they are written, of dates.
std::optional<double> cell_number(const DateForm* dates, std::string_view text);

}  // namespace semveil
