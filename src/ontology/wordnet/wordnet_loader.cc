// WordNet's nouns, from the database files of any Princeton release (man page wndb(5)).
//
//   data.noun    02084071 05 n 03 dog 0 domestic_dog 0 Canis_familiaris 0 023 @ 02083346 n 0000
//                … | a member of the genus Canis …
//                offset, file number, type, words (hexadecimal), each word with its number,
//                pointers (symbol, offset, part of speech, source/target), gloss
//   index.noun   dog n 7 5 @ ~ #m #p %p 7 1 02084071 10114209 …
//                lower-case word, type, synsets, pointer symbols, senses, tagged senses, and the
//                synsets in the order of their use: the word's first sense, second sense, …
//   noun.exc     mice mouse
//
// A synset is a concept with the id 02084071-n. Its first word is the label, the others are exact
// synonyms, underscores read as blanks; a word's place in index.noun is the term's sense. Hypernyms
// (@) and instance hypernyms (@i) are the is-a links. Parts (#p %p), members (#m %m) and substances
// (#s %s) are kept as links of a part to its whole, each told by both ends; no taxonomy is made of
// them. Other relations are not read.
//
// Cost: one pass over data.noun and index.noun with plain pointers; a synset is found by its offset
// through a table of buckets. WordNet 3.0 (20 MB): some 40 ms, a fifth of it the kernel's for fresh
// memory.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "base/stop.h"
#include "base/text.h"
#include "ontology/instances.h"
#include "ontology/loaders.h"
#include "ontology/wordnet/wordnet_text.h"

namespace semveil {
namespace {

using wordnet::Cursor;
using wordnet::distance;
using wordnet::find_line_end;
using wordnet::is_plain_ascii;
using wordnet::kNoOffset;
using wordnet::kOffsetDigits;
using wordnet::offset_at;
using wordnet::same_foreign_word;
using wordnet::same_word;
using wordnet::SynsetFinder;
using wordnet::without_trailing_blanks;

class WordNetParser {
 public:
  explicit WordNetParser(const WordNetText& text) : text_(text) {}

  Result<OntologyDraft> parse() {
    draft_.info.format = "wordnet";
    draft_.info.names_are_equal = true;
    for (const auto& [file, content] :
         {std::pair("data.noun", text_.data), std::pair("index.noun", text_.index),
          std::pair("noun.exc", text_.exceptions)}) {
      if (auto valid = check(file, content); !valid) return fail(valid.error());
    }
    for (const auto step : {&WordNetParser::read_data, &WordNetParser::link,
                            &WordNetParser::read_index, &WordNetParser::read_exceptions}) {
      if (auto done = (this->*step)(); !done) return fail(done.error());
    }
    if (other_pointers_ > 0) {
      draft_.info.left_out.push_back({"relations other than is-a and part-of", other_pointers_});
    }
    if (foreign_hypernyms_ > 0) {
      draft_.info.left_out.push_back({"hypernyms that are no nouns", foreign_hypernyms_});
    }
    return std::move(draft_);
  }

 private:
  using Index = OntologyDraft::Index;
  static constexpr std::size_t kBlock = 64;
  struct Hypernym {
    Index child;
    std::uint32_t offset;
  };
  struct PartLink {
    Index synset;
    std::uint32_t offset;
    bool to_whole;  // else to a part
  };
  struct Word {  // in data.noun
    std::uint32_t begin, size;
  };
  struct Sense {  // a word of index.noun with one of its synsets
    std::string_view lemma;
    std::uint32_t offset;
    Index synset;
    std::uint16_t rank;
  };

  std::string file_beside(std::string_view file) const {
    if (file == "data.noun") return text_.name;
    const std::size_t slash = text_.name.rfind('/');
    const std::string folder = slash == std::string::npos ? "" : text_.name.substr(0, slash + 1);
    return folder + std::string(file);
  }
  static std::uint64_t line_of(std::string_view content, const char* at) {
    const std::string_view before(content.begin(), at);
    return 1 + static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
  }
  tl::unexpected<Error> error(std::string_view file, std::string_view content, const char* at,
                              std::string message, std::string_view value = {}) const {
    return fail(data_error(std::move(message))
                    .at(file_beside(file), line_of(content, at))
                    .quoting(std::string(value)));
  }
  tl::unexpected<Error> data_is_wrong(const char* at, const char* expected) const {
    return error(
        "data.noun", text_.data, at,
        fmt::format("{} was expected: is this the data.noun of a WordNet database?", expected));
  }
  tl::unexpected<Error> index_is_wrong(const char* at, const char* expected) const {
    return error(
        "index.noun", text_.index, at,
        fmt::format("{} was expected: is this the index.noun of a WordNet database?", expected));
  }

  Status check(std::string_view file, std::string_view content) const {
    if (is_plain_ascii(content)) return {};
    if (const std::size_t at = find_invalid_utf8(content); at != std::string_view::npos) {
      return error(file, content, content.data() + at, "the text is not valid UTF-8");
    }
    if (const std::size_t at = content.find('\0'); at != std::string_view::npos) {
      return error(file, content, content.data() + at, "a NUL byte: the file is damaged");
    }
    return {};
  }

  void read_licence_line(std::string_view line) {
    constexpr std::string_view kName = "WordNet ";
    const std::size_t at = line.find(kName);
    if (!draft_.info.version.empty() || at == std::string_view::npos) return;
    const std::string_view rest = line.substr(at + kName.size());
    std::size_t size = 0;
    while (size < rest.size() && (rest[size] == '.' || (rest[size] >= '0' && rest[size] <= '9'))) {
      ++size;
    }
    draft_.info.version = rest.substr(0, size);
  }

  Status read_data() {
    const std::size_t size = text_.data.size();
    draft_.reserve(size / 150, size / 80, size / 4, size / 3 * 2);
    offsets_.reserve(size / 150);
    words_.reserve(size / 80);
    first_word_.reserve(size / 150);
    hypernyms_.reserve(size / 150);
    const char* p = text_.data.data();
    const char* end = p + size;
    StopCheck check;
    while (p != end) {
      check();
      const char* line_end = find_line_end(p, end);
      if (distance(p, line_end) >= 2 && p[0] == ' ' && p[1] == ' ') {
        read_licence_line({p, distance(p, line_end)});
      } else if (auto done = read_synset(p, line_end); !done) {
        return done;
      }
      p = line_end == end ? end : line_end + 1;
    }
    if (offsets_.empty()) {
      return fail(data_error("no synset in it: is this the data.noun of a WordNet database?")
                      .at(text_.name));
    }
    first_word_.push_back(static_cast<std::uint32_t>(words_.size()));
    return {};
  }

  Status read_synset(const char* line, const char* line_end) {
    Cursor cursor(line, line_end);
    const std::uint32_t offset = cursor.offset();
    if (offset == kNoOffset) return data_is_wrong(line, "an offset of eight digits");
    cursor.word();  // the lexicographer's file
    if (cursor.word() != "n") return data_is_wrong(line, "the type n of a noun");
    const auto words = cursor.number(16, 4);
    if (!words || *words == 0) return data_is_wrong(line, "a number of words (hexadecimal)");

    std::array<char, kOffsetDigits + 2> id{};
    std::copy(line, line + kOffsetDigits, id.begin());
    id[kOffsetDigits] = '-';
    id[kOffsetDigits + 1] = 'n';
    const std::size_t id_term = draft_.terms();
    const Index synset = draft_.add_concept({id.data(), id.size()});
    offsets_.push_back(offset);
    first_word_.push_back(static_cast<std::uint32_t>(words_.size()));
    for (std::uint32_t i = 0; i < *words; ++i) {
      const std::string_view word = cursor.word();
      if (word.empty() || cursor.word().empty()) {
        return data_is_wrong(line, "as many words as announced, each with its number");
      }
      words_.push_back({static_cast<std::uint32_t>(word.data() - text_.data.data()),
                        static_cast<std::uint32_t>(word.size())});
      draft_.add_term(synset, i == 0 ? TermKind::kLabel : TermKind::kExactSynonym,
                      with_blanks(word));
    }

    const auto pointers = cursor.number(10, 6);
    if (!pointers) return data_is_wrong(line, "a number of pointers");
    is_instance_ = false;
    for (std::uint32_t i = 0; i < *pointers; ++i) {
      if (!read_pointer(cursor, synset)) {
        return data_is_wrong(line, "as many pointers (symbol, offset, n, numbers) as announced");
      }
    }
    if (is_instance_) draft_.set_sense(id_term, kInstance);
    const std::string_view gloss = without_trailing_blanks(cursor.rest());
    if (gloss.empty()) return {};
    if (gloss.front() != '|') return data_is_wrong(line, "a gloss after a | at the line's end");
    draft_.set_definition(synset, gloss.substr(gloss.size() > 1 && gloss[1] == ' ' ? 2 : 1));
    return {};
  }

  // The word with blanks for underscores; lives until the next call.
  const std::string& with_blanks(std::string_view word) {
    word_.assign(word);
    for (char& c : word_) c = c == '_' ? ' ' : c;  // no branch, unlike std::replace
    return word_;
  }

  static bool is_part_link(std::string_view symbol) {
    return symbol.size() == 2 && (symbol[0] == '#' || symbol[0] == '%') &&
           (symbol[1] == 'p' || symbol[1] == 'm' || symbol[1] == 's');
  }

  bool read_pointer(Cursor& cursor, Index synset) {
    constexpr std::size_t kFixed = 15;  // "02083346 n 0000"
    const std::string_view symbol = cursor.word();
    const char* p = cursor.at();
    if (symbol.empty() || cursor.left() < kFixed || p[8] != ' ' || p[10] != ' ') return false;
    if (symbol == "@" || symbol == "@i") {
      const std::uint32_t offset = offset_at(p);
      if (offset == kNoOffset) return false;
      is_instance_ = is_instance_ || symbol == "@i";
      if (p[9] == 'n') {
        hypernyms_.push_back({synset, offset});
      } else {
        ++foreign_hypernyms_;
      }
    } else if (is_part_link(symbol) && p[9] == 'n') {
      const std::uint32_t offset = offset_at(p);
      if (offset == kNoOffset) return false;
      part_links_.push_back({synset, offset, symbol[0] == '#'});
    } else {
      ++other_pointers_;
    }
    if (cursor.left() > kFixed && p[kFixed] != ' ') return false;
    cursor.skip(std::min(cursor.left(), kFixed + 1));
    return true;
  }

  std::string_view text_of(const Word& word) const {
    return {text_.data.data() + word.begin, word.size};
  }
  const char* line_of_synset(Index synset) const {
    return text_of(words_[first_word_[synset]]).data();
  }

  Status link() {
    finder_ = SynsetFinder(offsets_);
    if (const auto twins = finder_.repeated()) {
      const std::uint64_t first = line_of(text_.data, line_of_synset(twins->first));
      return error("data.noun", text_.data, line_of_synset(twins->second),
                   fmt::format("this synset's offset was already used on line {}: offsets must "
                               "differ",
                               first),
                   draft_.id(twins->second));
    }
    for (const Hypernym& hypernym : hypernyms_) {
      const Index parent = finder_.find(hypernym.offset);
      if (parent == SynsetFinder::kNone) {
        return error("data.noun", text_.data, line_of_synset(hypernym.child),
                     "a hypernym that is no synset of this file: the file is incomplete or damaged",
                     fmt::format("{:08}", hypernym.offset));
      }
      draft_.add_link(hypernym.child, parent);
    }
    return link_parts();
  }

  Status link_parts() {
    for (const PartLink& link : part_links_) {
      const Index other = finder_.find(link.offset);
      if (other == SynsetFinder::kNone) {
        return error("data.noun", text_.data, line_of_synset(link.synset),
                     "a part or whole that is no synset of this file: the file is incomplete or "
                     "damaged",
                     fmt::format("{:08}", link.offset));
      }
      draft_.add_part(link.to_whole ? link.synset : other, link.to_whole ? other : link.synset);
    }
    return {};
  }

  Status read_index() {
    bool any = false;
    senses_.reserve(kBlock);
    const char* p = text_.index.data();
    const char* end = p + text_.index.size();
    while (p != end) {
      const char* line_end = find_line_end(p, end);
      if (distance(p, line_end) < 2 || p[0] != ' ' || p[1] != ' ') {
        any = true;
        if (auto done = read_index_line(p, line_end); !done) return done;
      }
      p = line_end == end ? end : line_end + 1;
    }
    if (!any) {
      return fail(data_error("no word in it: is this the index.noun of a WordNet database?")
                      .at(file_beside("index.noun")));
    }
    return set_senses();
  }

  Status read_index_line(const char* line, const char* line_end) {
    Cursor cursor(line, line_end);
    const std::string_view lemma = cursor.word();
    if (lemma.empty() || cursor.word() != "n") return index_is_wrong(line, "a word and the type n");
    const auto synsets = cursor.number(10, 5);
    const auto symbols = cursor.number(10, 5);
    if (!synsets || !symbols) return index_is_wrong(line, "numbers of synsets and of symbols");
    for (std::uint32_t i = 0; i < *symbols; ++i) {
      if (cursor.word().empty()) return index_is_wrong(line, "as many symbols as announced");
    }
    if (!cursor.number(10, 5) || !cursor.number(10, 5) || *synsets > 0xFFFF) {
      return index_is_wrong(line, "the numbers of senses and of tagged senses");
    }
    for (std::uint32_t i = 0; i < *synsets; ++i) {
      const std::uint32_t offset = cursor.offset();
      if (offset == kNoOffset) return index_is_wrong(line, "as many offsets as announced");
      senses_.push_back({lemma, offset, SynsetFinder::kNone, static_cast<std::uint16_t>(i + 1)});
      if (senses_.size() < kBlock) continue;
      if (auto done = set_senses(); !done) return done;
    }
    return {};
  }

  // The index is in alphabetical order, so each sense leads to another corner of data.noun. The
  // look-ups of a block are done step by step together, so that their waits for memory overlap:
  // half the time of one after the other.
  Status set_senses() {
    for (Sense& s : senses_) s.synset = finder_.start(s.offset);
    for (Sense& s : senses_) {
      s.synset = finder_.find_from(s.synset, s.offset);
      if (s.synset == SynsetFinder::kNone) continue;
      __builtin_prefetch(&words_[first_word_[s.synset]]);
    }
    for (const Sense& s : senses_) {
      if (s.synset != SynsetFinder::kNone) __builtin_prefetch(line_of_synset(s.synset));
    }
    for (const Sense& s : senses_) {
      if (s.synset != SynsetFinder::kNone && set_sense(s)) continue;
      return error("index.noun", text_.index, s.lemma.begin(),
                   fmt::format("data.noun has no synset {:08} with this word: both files must come "
                               "from one WordNet",
                               s.offset),
                   s.lemma);
    }
    senses_.clear();
    return {};
  }

  bool set_sense(const Sense& sense) {
    const std::uint32_t end = first_word_[sense.synset + std::size_t{1}];
    for (const auto same : {same_word, same_foreign_word}) {
      bool found = false;
      for (std::uint32_t w = first_word_[sense.synset]; w < end; ++w) {
        if (!same(text_of(words_[w]), sense.lemma)) continue;
        // Before a word's term come those of earlier words and of the ids up to its own.
        draft_.set_sense(std::size_t{w} + sense.synset + 1, sense.rank);
        found = true;
      }
      if (found) return true;
    }
    return false;
  }

  Status read_exceptions() {
    const char* p = text_.exceptions.data();
    const char* end = p + text_.exceptions.size();
    while (p != end) {
      const char* line_end = find_line_end(p, end);
      Cursor cursor(p, p + without_trailing_blanks({p, distance(p, line_end)}).size());
      constexpr std::size_t kLongestLine = 1000;  // a form is kept with each of its bases
      if (cursor.left() > kLongestLine) {
        return error("noun.exc", text_.exceptions, p, "a line of at most 1000 bytes was expected");
      }
      const std::string form = with_blanks(cursor.word());
      if (form.empty() != (cursor.left() == 0)) {
        return error("noun.exc", text_.exceptions, p,
                     "a word and its base forms were expected, with blanks between them");
      }
      while (cursor.left() > 0) {
        if (const std::string_view base = cursor.word(); !base.empty()) {
          draft_.add_exception(form, with_blanks(base));
        }
      }
      p = line_end == end ? end : line_end + 1;
    }
    return {};
  }

  const WordNetText& text_;
  OntologyDraft draft_;
  std::vector<std::uint32_t> offsets_;     // by synset
  std::vector<std::uint32_t> first_word_;  // by synset, and one more
  std::vector<Word> words_;                // of all synsets
  std::vector<Hypernym> hypernyms_;
  std::vector<PartLink> part_links_;
  std::vector<Sense> senses_;  // a block of them
  SynsetFinder finder_;
  std::string word_;
  bool is_instance_ = false;  // the synset that is read
  std::uint64_t foreign_hypernyms_ = 0, other_pointers_ = 0;
};

}  // namespace

Result<OntologyDraft> parse_wordnet(const WordNetText& text) { return WordNetParser(text).parse(); }

}  // namespace semveil
