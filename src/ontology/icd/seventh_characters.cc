#include "ontology/icd/seventh_characters.h"

#include <algorithm>

namespace semveil {
namespace {

constexpr std::size_t kCategory = 3, kSeventh = 7;  // characters

std::string without_dot(std::string_view code) {
  std::string plain(code);
  std::erase(plain, '.');
  return plain;
}

bool is_code_character(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); }

// Single capitals and digits that stand as words of their own: "D and S" → "DS".
std::string lone_characters(std::string_view text) {
  std::string found;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = i == 0 || text[i - 1] == ' ';
    const bool ends = i + 1 == text.size() || text[i + 1] == ' ' || text[i + 1] == ',';
    if (begins && ends && is_code_character(text[i])) found += text[i];
  }
  return found;
}

}  // namespace

std::optional<SeventhException> SeventhException::from_note(std::string_view note) {
  constexpr std::string_view kBegin = "7th character", kNot = " do not apply ",
                             kSixth = " with 6th character";
  if (!note.starts_with(kBegin)) return std::nullopt;
  const std::size_t no = note.find(kNot);
  const std::size_t sixth = note.find(kSixth, no == note.npos ? 0 : no);
  if (no == note.npos || sixth == note.npos) return std::nullopt;
  SeventhException exception;
  exception.seventh = lone_characters(note.substr(kBegin.size(), no - kBegin.size()));
  // Behind each character its meaning follows: "7 - death due to …".
  std::string_view rest = note.substr(sixth + kSixth.size());
  for (std::size_t at = rest.find(" - "); at != rest.npos; at = rest.find(" - ", at + 1)) {
    exception.sixth += lone_characters(rest.substr(at < 2 ? 0 : at - 2, 2));
  }
  if (exception.seventh.empty() || exception.sixth.empty()) return std::nullopt;
  return exception;
}

std::optional<std::string> with_seventh(std::string_view code, char seventh) {
  std::string plain = without_dot(code);
  if (plain.size() >= kSeventh) return std::nullopt;
  plain.resize(kSeventh - 1, 'X');
  plain += seventh;
  return plain.insert(kCategory, ".");
}

std::uint32_t SeventhCharacters::add_diagnosis(Index concept_index, std::uint32_t above,
                                               std::uint64_t line) {
  Diagnosis diagnosis;
  diagnosis.concept_index = concept_index;
  diagnosis.above = above;
  diagnosis.line = line;
  if (above != kNone) diagnoses_[above].is_leaf = false;
  diagnoses_.push_back(std::move(diagnosis));
  return static_cast<std::uint32_t>(diagnoses_.size() - 1);
}

void SeventhCharacters::set_label(std::uint32_t diagnosis, std::string_view label) {
  diagnoses_[diagnosis].label = label;
}

void SeventhCharacters::add_extension(std::uint32_t diagnosis, char seventh,
                                      std::string_view text) {
  std::uint32_t& definition = diagnoses_[diagnosis].definition;
  if (definition == kNone) {
    definition = static_cast<std::uint32_t>(definitions_.size());
    definitions_.emplace_back();
  }
  definitions_[definition].push_back({seventh, std::string(text)});
}

void SeventhCharacters::add_exception(std::uint32_t diagnosis, SeventhException exception) {
  diagnoses_[diagnosis].exception = static_cast<std::uint32_t>(exceptions_.size());
  exceptions_.push_back(std::move(exception));
}

void SeventhCharacters::inherit() {
  for (Diagnosis& d : diagnoses_) {
    if (d.above == kNone) continue;
    if (d.definition == kNone) d.definition = diagnoses_[d.above].definition;
    if (d.exception == kNone) d.exception = diagnoses_[d.above].exception;
  }
}

bool SeventhCharacters::is_ruled_out(const Diagnosis& diagnosis, std::string_view code) const {
  if (diagnosis.exception == kNone) return false;
  const SeventhException& exception = exceptions_[diagnosis.exception];
  return exception.seventh.find(code.back()) != std::string::npos &&
         exception.sixth.find(code[code.size() - 2]) != std::string::npos;
}

}  // namespace semveil
