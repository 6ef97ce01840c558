// What a text looks like, whatever it means: dates, codes of code systems, numbers of persons.
#pragma once

#include <string_view>

namespace semveil {

bool is_uuid(std::string_view text);
bool is_email(std::string_view text);
bool is_ssn(std::string_view text);          // 999-12-3456
bool is_phone(std::string_view text);        // digits with the marks that people put between them
bool is_web_address(std::string_view text);  // of a page or a machine
// 2024-03-01, 2024/03/01, 1.3.2024, 3/1/2024, with or without a time behind.
bool is_date(std::string_view text);
bool is_compact_date(std::string_view text);  // 20240301
// A number with a decimal comma or with marks between thousands: 2314,39 2.314,39 1,234.5.
bool is_comma_number(std::string_view text);
bool is_five_digit_postcode(std::string_view text);  // 02155, 02155-1234
// Any country's: some letters and digits, 3 to 10 characters.
bool is_postcode(std::string_view text);

// Codes as the systems build them. ICD with and without its dot.
bool is_icd10(std::string_view text);
bool is_icd9(std::string_view text);
bool is_mesh(std::string_view text);    // D003924, C14.907.489
bool is_snomed(std::string_view text);  // a concept's id with a sound check digit
// Upper-case codes of ISO 3166.
bool is_country_code(std::string_view text);

}  // namespace semveil
