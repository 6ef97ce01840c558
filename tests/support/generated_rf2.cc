#include "support/generated_rf2.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string_view>

namespace semveil::test {
namespace {

constexpr std::array<std::uint32_t, 4> kDates{20020131, 20110731, 20190131, 20260131};
constexpr std::uint64_t kModule = 900000000000207008U;
constexpr std::array<std::string_view, 12> kWords{"acute", "chronic", "infection", "lesion",
                                                  "of",    "the",     "upper",     "lower",
                                                  "limb",  "heart",   "liver",     "procedure"};

enum Kind : std::uint64_t { kConcept = 1, kRelationship, kDescription, kMember, kAssociation };

class Generator {
 public:
  Generator(const Rf2Shape& shape, Rf2Form form) : shape_(shape), form_(form) {}

  std::vector<Rf2Text> files() {
    const std::string_view form = form_ == Rf2Form::kFull ? "Full" : "Snapshot";
    std::vector<Rf2Text> files(6);
    const auto name = [&](Rf2Text& file, std::string_view folder, std::string_view begin,
                          std::string_view language) {
      file.name = fmt::format("{}/{}/{}{}{}_INT_20260131.txt", form, folder, begin, form, language);
    };
    name(files[0], "Terminology", "sct2_Concept_", "");
    name(files[1], "Terminology", "sct2_Relationship_", "");
    name(files[2], "Terminology", "sct2_Description_", "-en");
    name(files[3], "Terminology", "sct2_TextDefinition_", "-en");
    name(files[4], "Refset/Language", "der2_cRefset_Language", "-en");
    name(files[5], "Refset/Content", "der2_cRefset_Association", "");
    concepts(files[0].text);
    relationships(files[1].text);
    descriptions(files[2].text, files[3].text);
    members(files[4].text);
    associations(files[5].text);
    return files;
  }

 private:
  std::uint64_t mix(std::uint64_t kind, std::uint64_t i, std::uint64_t what) const {
    std::uint64_t z = shape_.seed * 0x9E3779B97F4A7C15U + kind * 0xD6E8FEB86659FD93U +
                      i * 0xBF58476D1CE4E5B9U + what * 0x94D049BB133111EBU;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }

  // Calls row(date, active) for each state that the form has; the newest is inactive one time in
  // `inactive`.
  template <class Row>
  void states(std::uint64_t kind, std::uint64_t i, std::uint64_t inactive, const Row& row) const {
    const std::size_t first = mix(kind, i, 1) % kDates.size();
    std::size_t newest = first;
    for (std::size_t d = first + 1; d < kDates.size(); ++d) {
      if (mix(kind, i, 10 + d) % 6 == 0) newest = d;
    }
    for (std::size_t d = first; d <= newest; ++d) {
      const bool changed = d == first || d == newest || mix(kind, i, 10 + d) % 6 == 0;
      if (!changed || (d < newest && form_ == Rf2Form::kSnapshot)) continue;
      const bool active =
          d == newest ? inactive == 0 || mix(kind, i, 2) % inactive != 0 : mix(kind, i, d) % 2 == 0;
      row(kDates[d], active ? 1 : 0);
    }
  }

  std::uint64_t concept_id(std::size_t c) const {
    if (c == 0) return 138875005U;
    if (c % 11 == 3) return 900000000000000000U + c * 1000 + 109;  // of an extension
    return (c * 37 + 100) * 1000 + 4;
  }
  bool is_inactive(std::size_t c) const { return c > 0 && mix(kConcept, c, 2) % 12 == 0; }
  std::size_t descriptions_of(std::size_t c) const {  // FSN, synonym, more
    return 2 + (mix(kDescription, c, 3) % 100 < 70 ? 1 : 0) +
           (mix(kDescription, c, 4) % 100 < 44 ? 1 : 0);
  }
  static std::uint64_t description_id(std::size_t c, std::size_t which) {
    return (c * 8 + which + 200) * 1000 + 12;
  }

  void concepts(std::string& out) const {
    out = "id\teffectiveTime\tactive\tmoduleId\tdefinitionStatusId\r\n";
    for (std::size_t c = 0; c < shape_.concepts; ++c) {
      states(kConcept, c, c == 0 ? 0 : 12, [&](std::uint32_t date, int active) {
        fmt::format_to(std::back_inserter(out), "{}\t{}\t{}\t{}\t900000000000074008\r\n",
                       concept_id(c), date, active, kModule);
      });
    }
  }

  void relationships(std::string& out) const {
    out =
        "id\teffectiveTime\tactive\tmoduleId\tsourceId\tdestinationId\trelationshipGroup\ttypeId\t"
        "characteristicTypeId\tmodifierId\r\n";
    std::uint64_t id = 0;
    for (std::size_t c = 1; c < shape_.concepts; ++c) {
      const std::size_t first = mix(kRelationship, c, 1) % (c / 2 + 1);
      const bool several = mix(kRelationship, c, 2) % 100 < 35;
      const std::size_t parents = 1 + (several ? 1 + mix(kRelationship, c, 3) % 2 : 0);
      const std::size_t others = mix(kRelationship, c, 4) % 100 < 50 ? 1 : 3;
      for (std::size_t r = 0; r < parents + others; ++r) {
        const bool is_a = r < parents;
        const std::size_t to = r == 0 ? first : mix(kRelationship, c, 5 + r) % (first + 1);
        states(kRelationship, ++id, r == 0 ? 0 : 8, [&](std::uint32_t date, int active) {
          fmt::format_to(std::back_inserter(out),
                         "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t900000000000011006\t"
                         "900000000000451002\r\n",
                         id * 1000 + 100029, date, active, kModule, concept_id(c), concept_id(to),
                         r, is_a ? 116680003 : 363698007);
        });
      }
    }
  }

  std::string term(std::size_t c, std::size_t which) const {
    std::string term(which == 5 ? "sjukdom" : c % 50 == 7 ? "Ménière" : "Finding");
    // The plain and the preferred name are mostly the same but for the tag.
    const std::size_t wording = which <= 1 && c % 9 != 0 ? 0 : which;
    for (std::size_t w = 0; w < 4; ++w) {
      term += ' ';
      term += kWords[mix(kDescription, c * 8 + wording, 10 + w) % kWords.size()];
    }
    term += fmt::format(" {}", c % 1000 == 999 ? c - 1 : c);  // some names mean several concepts
    if (which == 0) term += " (disorder)";
    return term;
  }

  void descriptions(std::string& out, std::string& definitions) const {
    out =
        "id\teffectiveTime\tactive\tmoduleId\tconceptId\tlanguageCode\ttypeId\tterm\t"
        "caseSignificanceId\r\n";
    definitions = out;
    for (std::size_t c = 0; c < shape_.concepts; ++c) {
      const auto put = [&](std::string& to, std::size_t which, std::string_view language,
                           std::uint64_t type) {
        states(kDescription, c * 8 + which, 10, [&](std::uint32_t date, int active) {
          fmt::format_to(std::back_inserter(to),
                         "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t900000000000448009\r\n",
                         description_id(c, which), date, active, kModule, concept_id(c), language,
                         type, term(c, which));
        });
      };
      for (std::size_t which = 0; which < descriptions_of(c); ++which) {
        put(out, which, "en", which == 0 ? 900000000000003001U : 900000000000013009U);
      }
      if (shape_.swedish && c % 3 == 0) put(out, 5, "sv", 900000000000013009U);
      if (c % 40 == 0) put(definitions, 6, "en", 900000000000550004U);
      if (c % 120 == 0) put(definitions, 7, "en", 900000000000550004U);
    }
  }

  std::string member_id(std::uint64_t kind, std::uint64_t i) const {
    const std::uint64_t a = mix(kind, i, 7), b = mix(kind, i, 8);
    return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}", a >> 32, (a >> 16) & 0xffff,
                       a & 0xfff, b >> 48, b & 0xffffffffffffU);
  }

  // In no order of the descriptions, as rows are in releases: these are sorted by their UUIDs.
  void members(std::string& out) const {
    out =
        "id\teffectiveTime\tactive\tmoduleId\trefsetId\treferencedComponentId\t"
        "acceptabilityId\r\n";
    const std::size_t n = shape_.concepts;
    std::size_t stride = n / 3 * 2 + 1;
    while (std::gcd(stride, n) != 1) ++stride;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t c = i * stride % n;
      const auto put = [&](std::size_t which, std::size_t set, std::uint64_t set_id,
                           bool preferred) {
        const std::uint64_t member = (c * 8 + which) * 4 + set;
        states(kMember, member, 15, [&](std::uint32_t date, int active) {
          fmt::format_to(std::back_inserter(out), "{}\t{}\t{}\t{}\t{}\t{}\t{}\r\n",
                         member_id(kMember, member), date, active, kModule, set_id,
                         description_id(c, which),
                         preferred ? 900000000000548007U : 900000000000549004U);
        });
      };
      const std::size_t all = descriptions_of(c);
      for (std::size_t which = 0; which < all; ++which) {
        const bool other = all > 2 && c % 10 == 0;  // the dialects prefer different synonyms
        if (c % 10 != 5 || which < 2) {
          put(which, 0, 900000000000509007U, which < 2);
        }
        put(which, 1, 900000000000508004U, which == 0 || which == (other ? 2U : 1U));
      }
      if (shape_.swedish && c % 3 == 0) put(5, 2, 46011000052107U, true);
      if (c % 40 == 0) put(6, 0, 900000000000509007U, true);
      if (c % 120 == 0) put(7, 0, 900000000000509007U, false);
    }
  }

  void associations(std::string& out) const {
    constexpr std::array<std::uint64_t, 7> kSets{
        900000000000527005U, 900000000000526001U, 900000000000523009U, 1186921001U,
        900000000000530003U, 1186924009U,         900000000000524003U /* MOVED TO */};
    out =
        "id\teffectiveTime\tactive\tmoduleId\trefsetId\treferencedComponentId\t"
        "targetComponentId\r\n";
    std::vector<std::size_t> inactive;
    for (std::size_t c = 1; c < shape_.concepts; ++c) {
      if (is_inactive(c)) inactive.push_back(c);
    }
    for (const std::size_t c : inactive) {
      const std::size_t rows = mix(kAssociation, c, 1) % 5;  // some lead nowhere
      for (std::size_t r = 0; r < rows; ++r) {
        const std::uint64_t random = mix(kAssociation, c, 20 + r);
        // Every third is inactive itself: chains, and now and then a cycle.
        const std::size_t to =
            random % 3 == 0 ? inactive[random / 3 % inactive.size()] : random / 3 % shape_.concepts;
        states(kAssociation, c * 8 + r, 10, [&](std::uint32_t date, int active) {
          fmt::format_to(std::back_inserter(out), "{}\t{}\t{}\t{}\t{}\t{}\t{}\r\n",
                         member_id(kAssociation, c * 8 + r), date, active, kModule,
                         kSets[random / 7 % kSets.size()], concept_id(c), concept_id(to));
        });
      }
    }
  }

  Rf2Shape shape_;
  Rf2Form form_;
};

}  // namespace

std::vector<Rf2Text> generated_rf2(const Rf2Shape& shape, Rf2Form form) {
  return Generator(shape, form).files();
}

void write_files(const std::vector<Rf2Text>& files, const std::string& folder) {
  for (const Rf2Text& file : files) {
    const std::filesystem::path path = std::filesystem::path(folder) / file.name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << file.text;
  }
}

}  // namespace semveil::test
