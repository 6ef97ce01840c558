#include "semveil/work_limits.h"

#include <fmt/format.h>

#include <cmath>

namespace semveil {

Status check_work(double steps, double most_hours, std::string_view doing,
                  std::string_view remedy) {
  const double hours = steps / kStepsOfAnHour;
  if (hours <= most_hours) return {};
  constexpr double kHoursOfADay = 24;
  // Rounded up: what the message tells is enough.
  const std::string long_time =
      hours < 4 * kHoursOfADay ? "" : fmt::format(" ({:.0f} days)", hours / kHoursOfADay);
  return fail(data_error(fmt::format(
      "{} would take about {:.0f} hours of one processor{}, and {} are allowed: {}, or allow more "
      "hours of work",
      doing, std::ceil(hours), long_time, most_hours, remedy)));
}

}  // namespace semveil
