#include "propose/text_forms.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.h"

namespace semveil {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// `9` stands for a digit, `A` for an upper-case letter or digit, `h` for a hexadecimal digit,
// anything else for itself.
bool has_form(std::string_view text, std::string_view form) {
  if (text.size() != form.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool fits = form[i] == '9'   ? is_digit(c)
                      : form[i] == 'A' ? is_digit(c) || is_upper(c)
                      : form[i] == 'h' ? is_hex(c)
                                       : c == form[i];
    if (!fits) return false;
  }
  return true;
}

unsigned value_of(std::string_view digits) {
  unsigned out = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), out);
  return out;
}

bool is_day(unsigned day, unsigned month) {
  return day >= 1 && day <= 31 && month >= 1 && month <= 12;
}
bool is_year(unsigned year) { return year >= 1000 && year <= 2999; }

// 16:17, 16:17:47, with fractions and a zone behind.
bool is_time(std::string_view text) {
  if (text.size() < 5 || !has_form(text.substr(0, 5), "99:99")) return false;
  return std::ranges::all_of(text.substr(5), [](char c) {
    return is_digit(c) || c == ':' || c == '.' || c == '+' || c == '-' || c == 'Z' || c == ' ';
  });
}

// Day and month in front, in either order: 1.3.2024.
bool is_date_with_year_last(std::string_view text) {
  const std::size_t first = text.find_first_of("./-");
  if (first == std::string_view::npos) return false;
  const std::size_t second = text.find(text[first], first + 1);
  if (second == std::string_view::npos) return false;
  const std::array<std::string_view, 3> parts{
      text.substr(0, first), text.substr(first + 1, second - first - 1), text.substr(second + 1)};
  const bool sized = !parts[0].empty() && parts[0].size() <= 2 && !parts[1].empty() &&
                     parts[1].size() <= 2 && parts[2].size() == 4;
  if (!sized || !std::ranges::all_of(parts, all_digits)) return false;
  const unsigned a = value_of(parts[0]), b = value_of(parts[1]);
  return is_year(value_of(parts[2])) && (is_day(a, b) || is_day(b, a));
}

// The dihedral check of Verhoeff, which every SNOMED CT identifier ends with.
bool has_verhoeff_check(std::string_view digits) {
  static constexpr std::array<std::string_view, 10> kProduct{
      "0123456789", "1234067895", "2340178956", "3401289567", "4012395678",
      "5987604321", "6598710432", "7659821043", "8765932104", "9876543210"};
  static constexpr std::array<std::string_view, 8> kTurned{"0123456789", "1576283094", "5803796142",
                                                           "8916043527", "9453126870", "4286573901",
                                                           "2793806415", "7046913258"};
  std::size_t check = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const auto digit = static_cast<std::size_t>(digits[digits.size() - 1 - i] - '0');
    const auto turned = static_cast<std::size_t>(kTurned[i % 8][digit] - '0');
    check = static_cast<std::size_t>(kProduct[check][turned] - '0');
  }
  return check == 0;
}

// ISO 3166-1, alpha-2 and behind it alpha-3.
constexpr std::string_view kCountries =
    "AFAFG ALALB DZDZA ASASM ADAND AOAGO AIAIA AQATA AGATG ARARG AMARM AWABW AUAUS ATAUT AZAZE "
    "BSBHS BHBHR BDBGD BBBRB BYBLR BEBEL BZBLZ BJBEN BMBMU BTBTN BOBOL BQBES BABIH BWBWA BVBVT "
    "BRBRA IOIOT BNBRN BGBGR BFBFA BIBDI CVCPV KHKHM CMCMR CACAN KYCYM CFCAF TDTCD CLCHL CNCHN "
    "CXCXR CCCCK COCOL KMCOM CGCOG CDCOD CKCOK CRCRI CICIV HRHRV CUCUB CWCUW CYCYP CZCZE DKDNK "
    "DJDJI DMDMA DODOM ECECU EGEGY SVSLV GQGNQ ERERI EEEST SZSWZ ETETH FKFLK FOFRO FJFJI FIFIN "
    "FRFRA GFGUF PFPYF TFATF GAGAB GMGMB GEGEO DEDEU GHGHA GIGIB GRGRC GLGRL GDGRD GPGLP GUGUM "
    "GTGTM GGGGY GNGIN GWGNB GYGUY HTHTI HMHMD VAVAT HNHND HKHKG HUHUN ISISL ININD IDIDN IRIRN "
    "IQIRQ IEIRL IMIMN ILISR ITITA JMJAM JPJPN JEJEY JOJOR KZKAZ KEKEN KIKIR KPPRK KRKOR KWKWT "
    "KGKGZ LALAO LVLVA LBLBN LSLSO LRLBR LYLBY LILIE LTLTU LULUX MOMAC MGMDG MWMWI MYMYS MVMDV "
    "MLMLI MTMLT MHMHL MQMTQ MRMRT MUMUS YTMYT MXMEX FMFSM MDMDA MCMCO MNMNG MEMNE MSMSR MAMAR "
    "MZMOZ MMMMR NANAM NRNRU NPNPL NLNLD NCNCL NZNZL NINIC NENER NGNGA NUNIU NFNFK MKMKD MPMNP "
    "NONOR OMOMN PKPAK PWPLW PSPSE PAPAN PGPNG PYPRY PEPER PHPHL PNPCN PLPOL PTPRT PRPRI QAQAT "
    "REREU ROROU RURUS RWRWA BLBLM SHSHN KNKNA LCLCA MFMAF PMSPM VCVCT WSWSM SMSMR STSTP SASAU "
    "SNSEN RSSRB SCSYC SLSLE SGSGP SXSXM SKSVK SISVN SBSLB SOSOM ZAZAF GSSGS SSSSD ESESP LKLKA "
    "SDSDN SRSUR SJSJM SESWE CHCHE SYSYR TWTWN TJTJK TZTZA THTHA TLTLS TGTGO TKTKL TOTON TTTTO "
    "TNTUN TRTUR TMTKM TCTCA TVTUV UGUGA UAUKR AEARE GBGBR USUSA UMUMI UYURY UZUZB VUVUT VEVEN "
    "VNVNM VGVGB VIVIR WFWLF EHESH YEYEM ZMZMB ZWZWE ";

}  // namespace

bool is_uuid(std::string_view text) {
  return has_form(text, "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh");
}

bool is_email(std::string_view text) {
  const std::size_t at = text.find('@');
  if (at == std::string_view::npos || at == 0 || text.find(' ') != text.npos) return false;
  const std::size_t dot = text.find('.', at);
  return dot != text.npos && dot > at + 1 && dot + 1 < text.size() && text.rfind('@') == at;
}

bool is_ssn(std::string_view text) { return has_form(text, "999-99-9999"); }

bool is_phone(std::string_view text) {
  std::size_t digits = 0, marks = 0;
  for (const char c : text) {
    if (is_digit(c)) {
      ++digits;
    } else if (std::string_view("+-() ./").find(c) != std::string_view::npos) {
      ++marks;
    } else {
      return false;
    }
  }
  return digits >= 9 && digits <= 15 && marks >= 1 && !is_date(text);
}

bool is_web_address(std::string_view text) {
  if (text.starts_with("http://") || text.starts_with("https://") || text.starts_with("www.")) {
    return true;
  }
  unsigned dots = 0;
  for (const char c : text) {
    if (c == '.') ++dots;
    if (c != '.' && !is_digit(c)) return false;
  }
  return dots == 3 && text.size() >= 7;
}

bool is_date(std::string_view text) {
  const std::size_t cut = std::min(text.find_first_of("T "), text.size());
  const std::string_view day = text.substr(0, cut);
  if (cut < text.size() && !is_time(text.substr(cut + 1))) return false;
  if (has_form(day, "9999-99-99") || has_form(day, "9999/99/99") || has_form(day, "9999.99.99")) {
    return is_year(value_of(day.substr(0, 4))) &&
           is_day(value_of(day.substr(8)), value_of(day.substr(5, 2)));
  }
  return is_date_with_year_last(day);
}

bool is_compact_date(std::string_view text) {
  return has_form(text, "99999999") && is_year(value_of(text.substr(0, 4))) &&
         is_day(value_of(text.substr(6)), value_of(text.substr(4, 2)));
}

bool is_comma_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t comma = text.find(',');
  if (comma == text.npos) return false;
  // The last mark stands before decimals, but where all are commas: 1,234,567.
  const std::size_t last = text.find_last_of(".,");
  const bool has_decimals = text.find(text[last]) == last;
  const std::string_view whole = has_decimals ? text.substr(0, last) : text;
  if (has_decimals && (last + 1 == text.size() || !all_digits(text.substr(last + 1)))) return false;
  const char mark = text[last] == ',' && has_decimals ? '.' : ',';
  std::size_t digits = 0;  // since the last mark
  bool has_mark = false;
  for (const char c : whole) {
    if (is_digit(c)) {
      ++digits;
      continue;
    }
    if (c != mark || digits == 0 || digits > 3 || (has_mark && digits != 3)) return false;
    has_mark = true;
    digits = 0;
  }
  return has_mark ? digits == 3 : digits > 0;
}

bool is_five_digit_postcode(std::string_view text) {
  return has_form(text, "99999") || has_form(text, "99999-9999");
}

bool is_postcode(std::string_view text) {
  if (text.size() < 3 || text.size() > 10) return false;
  const bool sound = std::ranges::all_of(
      text, [](char c) { return is_digit(c) || is_letter(c) || c == ' ' || c == '-'; });
  return sound && std::ranges::any_of(text, is_digit);
}

bool is_icd10(std::string_view text) {
  if (text.size() < 3 || !is_upper(text[0]) || !is_digit(text[1])) return false;
  if (!is_digit(text[2]) && !is_upper(text[2])) return false;
  std::string_view rest = text.substr(3);
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    if (rest.empty()) return false;
  }
  return rest.size() <= 4 &&
         std::ranges::all_of(rest, [](char c) { return is_digit(c) || is_upper(c); });
}

bool is_icd9(std::string_view text) {
  const std::size_t head = text.starts_with('E') ? 4 : 3;
  if (text.size() < head) return false;
  if (!is_digit(text[0]) && text[0] != 'V' && text[0] != 'E') return false;
  if (!all_digits(text.substr(1, head - 1))) return false;
  std::string_view rest = text.substr(head);
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    if (rest.empty()) return false;
  }
  return rest.size() <= 2 && all_digits(rest);
}

bool is_mesh(std::string_view text) {
  if (has_form(text, "D999999") || has_form(text, "D999999999")) return true;
  if (text.size() < 7 || !is_upper(text[0]) || !has_form(text.substr(1, 2), "99")) return false;
  for (std::string_view rest = text.substr(3); !rest.empty(); rest.remove_prefix(4)) {
    if (rest.size() < 4 || !has_form(rest.substr(0, 4), ".999")) return false;
  }
  return true;
}

bool is_snomed(std::string_view text) {
  if (text.size() < 6 || text.size() > 18 || !all_digits(text) || text[0] == '0') return false;
  const std::string_view part = text.substr(text.size() - 3, 2);
  return (part == "00" || part == "10") && has_verhoeff_check(text);
}

bool is_country_code(std::string_view text) {
  if ((text.size() != 2 && text.size() != 3) || !std::ranges::all_of(text, is_upper)) return false;
  const std::size_t offset = text.size() == 2 ? 0 : 2;
  for (std::size_t at = 0; at < kCountries.size(); at += 6) {
    if (kCountries.substr(at + offset, text.size()) == text) return true;
  }
  return false;
}

}  // namespace semveil
