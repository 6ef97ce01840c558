// Time zones, for the texts of timestamps that have one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace semveil {

inline constexpr std::int64_t kSecondsOfDay = 86400;

class TimeZone {
 public:
  // "+01:00", "-0530", or a name of the system's database of zones. Null: nobody knows it.
  static std::shared_ptr<const TimeZone> find(const std::string& name);

  // Seconds to be added to UTC at that moment.
  std::int64_t offset_at(std::int64_t seconds) const;

 private:
  struct Change {  // from that second on
    std::int64_t from, offset;
  };
  // The rule of a zone's years to come: when summer begins and ends (POSIX, M form).
  struct Day {
    int month = 0, week = 0, weekday = 0;
    std::int64_t time = 0;
  };
  struct Rule {
    std::int64_t standard = 0, summer = 0;
    bool has_summer = false;
    Day begin, end;
    std::int64_t offset_at(std::int64_t seconds) const;
  };

  bool read(std::string_view bytes);
  bool read_rule(std::string_view text);

  std::int64_t first_ = 0;  // before every change
  std::vector<Change> changes_;
  bool has_rule_ = false;
  Rule rule_;
};

}  // namespace semveil
