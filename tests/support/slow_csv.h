// CSV cut byte by byte, and put together again field by field: the slow twin of base/csv_records.h
// and of the splicing sink.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace semveil::test {

struct SlowRecord {
  std::vector<std::string> raw;    // the fields with their quotes
  std::vector<std::string> texts;  // what they say
  std::string line_end;            // "\n", "\r\n", or nothing at the end of the text
  std::size_t line = 1;
  bool blank = false;  // an empty line of a table of several columns: no record
};

struct SlowCsv {
  std::string mark;                 // the byte order mark, or nothing
  std::vector<SlowRecord> records;  // before the first error
  std::optional<std::size_t> error_line;
};

// NULs and UTF-8 are not looked at.
inline SlowCsv cut_slowly(std::string_view text, char separator = ',', char quote = '"') {
  SlowCsv csv;
  std::size_t at = 0, line = 1, width = 0;
  if (text.starts_with("\xEF\xBB\xBF")) csv.mark = text.substr(0, at = 3);
  while (at < text.size()) {
    SlowRecord record;
    record.line = line;
    for (bool more = true; more;) {
      std::string raw, said;
      const std::size_t field_line = line;
      if (at < text.size() && text[at] == quote) {
        raw += text[at++];
        for (bool open = true; open;) {
          if (at == text.size()) {
            csv.error_line = field_line;
            return csv;
          }
          if (text[at] == quote && at + 1 < text.size() && text[at + 1] == quote) {
            said += quote;
            raw += text.substr(at, 2);
            at += 2;
            continue;
          }
          open = text[at] != quote;
          if (open) said += text[at];
          if (text[at] == '\n') ++line;
          raw += text[at++];
        }
      } else {
        while (at < text.size() && text[at] != separator && text[at] != '\n' && text[at] != '\r' &&
               text[at] != quote) {
          raw += text[at++];
        }
        said = raw;
      }
      record.raw.push_back(raw);
      record.texts.push_back(said);
      const std::string_view rest = text.substr(at);
      more = rest.starts_with(separator);
      if (more) {
        ++at;
      } else if (rest.empty() || rest == "\r" || rest[0] == '\n' || rest.starts_with("\r\n")) {
        record.line_end = rest.substr(0, rest.empty()                      ? 0
                                         : rest[0] == '\n' || rest == "\r" ? 1
                                                                           : 2);
        at += record.line_end.size();
      } else {
        csv.error_line = line;
        return csv;
      }
    }
    record.blank = width > 1 && record.raw.size() == 1 && record.raw[0].empty();
    if (!record.blank) {
      if (width == 0) width = record.raw.size();
      if (record.raw.size() != width) {
        csv.error_line = record.line;
        return csv;
      }
    }
    ++line;
    csv.records.push_back(std::move(record));
  }
  return csv;
}

}  // namespace semveil::test
