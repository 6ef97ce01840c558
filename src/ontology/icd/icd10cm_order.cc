// The order file of ICD-10-CM: every code with its titles, in fixed columns.
//
//   column   1-5           7-13     15        17-76        78-
//            order number  code     billable  short title  long title
//
//   00004 A009    1 Cholera, unspecified                                         Cholera,
//   unspecified
//
// A concept is a code as it stands there, without dot; its label is the long title, and the short
// title is an exact synonym. The file has no chapters and names no parents: a code belongs under
// the longest code it begins with, which may be several characters shorter (T07XXXA under T07).
// Codes with nothing above them, the categories, are roots.
//
// Cost:    one pass, and up to four look-ups of prefixes per code. Memory: the codes.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/lines.h"
#include "base/text_hash.h"
#include "base/trimmed.h"
#include "ontology/icd/icd10cm.h"

namespace semveil {
namespace {

constexpr std::size_t kCode = 6, kFlag = 14, kShort = 16, kLong = 77;  // columns, from 0

bool is_upper_or_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); }

struct OrderLine {
  std::string_view code, short_title, long_title;
  bool billable;
};

class OrderParser {
 public:
  explicit OrderParser(NamedStream input)
      : reader_(std::move(input.stream), std::move(input.name)) {
    known_.reserve(kUsualCodes);
  }

  Result<OntologyDraft> parse() {
    for (;;) {
      const auto line = reader_.next();
      if (!line) return fail(line.error());
      if (!*line) break;
      if (trimmed(**line).empty()) continue;
      const auto read = cut(**line);
      if (!read) return fail(read.error());
      if (const Status added = add(*read); !added) return fail(added.error());
    }
    if (draft_.concepts() == 0) {
      return fail(data_error("no code in it: lines of the order file were expected, or the XML of "
                             "the tabular list")
                      .at(reader_.name()));
    }
    link();
    draft_.info.format = "icd10cm";
    draft_.info.has_icd_codes = true;
    draft_.info.contents = {{"codes", draft_.concepts()},
                            {"categories", draft_.concepts() - links_},
                            {"billable codes", billable_}};
    return std::move(draft_);
  }

 private:
  using Index = OntologyDraft::Index;
  static constexpr std::size_t kUsualCodes = 100'000;
  struct Known {
    Index concept_index;
    std::uint64_t line;
  };

  Result<OrderLine> cut(std::string_view line) const {
    const auto wrong = [&](const char* what) {
      return fail(reader_.error(
          fmt::format("{}. The order file has the order number in columns 1-5, the code in 7-13, 0 "
                      "or 1 in 15, the short title in 17-76 and the long one from 78 on",
                      what),
          line.substr(0, kShort)));
    };
    if (line.size() <= kLong) return wrong("the line is too short");
    const bool numbered =
        std::all_of(line.begin(), line.begin() + 5, [](char c) { return c >= '0' && c <= '9'; });
    if (!numbered) return wrong("no order number");
    for (const std::size_t gap : {kCode - 1, kFlag - 1, kShort - 1, kLong - 1}) {
      if (line[gap] != ' ') return wrong("no blank between two columns");
    }
    const char flag = line[kFlag];
    if (flag != '0' && flag != '1') return wrong("neither 0 nor 1 in column 15");
    const OrderLine read{trimmed(line.substr(kCode, kFlag - 1 - kCode)),
                         trimmed(line.substr(kShort, kLong - 1 - kShort)),
                         trimmed(line.substr(kLong)), flag == '1'};
    if (read.code.size() < 3 || !std::all_of(read.code.begin(), read.code.end(), is_upper_or_digit))
      return wrong("no code of three to seven capitals and digits");
    return read;
  }

  Status add(const OrderLine& read) {
    const auto next = static_cast<Index>(draft_.concepts());
    const auto [known, is_new] =
        known_.try_emplace(std::string(read.code), Known{next, reader_.line()});
    if (!is_new) {
      return fail(
          reader_.error(fmt::format("this code was already on line {}: remove one of the lines",
                                    known->second.line),
                        read.code));
    }
    draft_.add_concept(read.code);
    if (!read.long_title.empty()) draft_.add_term(next, TermKind::kLabel, read.long_title);
    if (!read.short_title.empty() && read.short_title != read.long_title) {
      draft_.add_term(next, TermKind::kExactSynonym, read.short_title);
    }
    billable_ += read.billable ? 1 : 0;
    draft_.keep_beside(read.code.size() + OntologyDraft::kPerItem);
    if (draft_.is_full()) return fail(reader_.error(OntologyDraft::kFull));
    return {};
  }

  void link() {
    for (Index c = 0; c < draft_.concepts(); ++c) {
      const std::string_view code = draft_.id(c);
      for (std::size_t size = code.size() - 1; size >= 3; --size) {
        const auto above = known_.find(code.substr(0, size));
        if (above == known_.end()) continue;
        draft_.add_link(c, above->second.concept_index);
        ++links_;
        break;
      }
    }
  }

  LineReader reader_;
  OntologyDraft draft_;
  std::unordered_map<std::string, Known, TextHash, std::equal_to<>> known_;
  std::uint64_t billable_ = 0, links_ = 0;
};

}  // namespace

Result<OntologyDraft> read_icd10cm_order(NamedStream input) {
  return OrderParser(std::move(input)).parse();
}

}  // namespace semveil
