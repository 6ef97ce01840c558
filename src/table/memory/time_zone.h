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

  // Seconds to be added to UTC at that moment. Behind the last change that the database lists (2037
  // as a rule) summer no longer begins or ends, as in Arrow.
  std::int64_t offset_at(std::int64_t seconds) const;

 private:
  struct Change {  // from that second on
    std::int64_t from, offset;
  };
  bool read(std::string_view bytes);

  std::int64_t first_ = 0;  // before every change
  std::vector<Change> changes_;
};

}  // namespace semveil
