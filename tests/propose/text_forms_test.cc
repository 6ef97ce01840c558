#include "propose/text_forms.h"

#include <gtest/gtest.h>

#include <functional>

namespace semveil {
namespace {

struct FormCase {
  const char* name;
  std::function<bool(std::string_view)> form;
  std::vector<std::string_view> yes, no;
};

TEST(TextForms, AreKnownByTheirBuild) {
  const std::vector<FormCase> cases{
      {"uuid",
       is_uuid,
       {"51ceba34-fe30-46a3-82e8-2ae7e8187519"},
       {"51ceba34fe3046a382e82ae7e8187519", ""}},
      {"date",
       is_date,
       {"2024-03-01", "2024/03/01", "1.3.2024", "03/21/2024", "2023-01-27T16:17:47Z",
        "2023-01-27 16:17"},
       {"2024-13-01", "2024", "1.2.3", "12.5", "2024-03-01x", "32/32/2024"}},
      {"compact date", is_compact_date, {"20240301"}, {"20241301", "2024030"}},
      {"comma number",
       is_comma_number,
       {"2314,39", "-0,5", "2.314,39", "1,234.5", "1,234,567"},
       {"2314.39", "2314", "a,b", "1,2,3", "12,", "1.23,4,5", ",5", "2.31,39"}},
      {"icd-10",
       is_icd10,
       {"E11.9", "I10", "S72.001A", "E119"},
       {"11.9", "e11.9", "E11.", "E11.12345"}},
      {"icd-9", is_icd9, {"250.00", "V58.6", "E849.0", "042"}, {"25", "250.123", "A10"}},
      {"mesh", is_mesh, {"D003924", "C14.907.489"}, {"D00392", "C14.9"}},
      // Otitis media, myocardial infarction, one of an extension; then a digit changed.
      {"snomed",
       is_snomed,
       {"65363002", "22298006", "428211000124100"},
       {"65363003", "22298007", "12345", "065363002"}},
      {"country", is_country_code, {"DE", "USA", "ZW", "AFG"}, {"XX", "de", "DEX"}},
      {"postcode", is_five_digit_postcode, {"02155", "02155-1234"}, {"2155", "021555"}},
      {"mail", is_email, {"a@b.org"}, {"a@b", "@b.org", "a b@c.org"}},
      {"ssn", is_ssn, {"999-47-2873"}, {"999472873"}},
      {"phone", is_phone, {"+49 30 1234567", "(555) 123-4567"}, {"123456789", "2024-03-01"}},
      {"web", is_web_address, {"https://a.b", "10.0.0.1"}, {"1.2.3", "a.b.c.d"}},
  };
  for (const FormCase& form : cases) {
    for (const std::string_view text : form.yes) EXPECT_TRUE(form.form(text)) << form.name << text;
    for (const std::string_view text : form.no) EXPECT_FALSE(form.form(text)) << form.name << text;
  }
}

}  // namespace
}  // namespace semveil
