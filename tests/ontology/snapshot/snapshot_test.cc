#include "ontology/snapshot/snapshot.h"

#include <gtest/gtest.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>

#include "base/bytes.h"
#include "ontology/draft.h"
#include "ontology/snapshot/snapshot_checks.h"
#include "semveil/measure.h"
#include "support/data.h"
#include "support/generate.h"
#include "support/temporary_folder.h"

namespace semveil::test {
namespace {

Ontology small_ontology() {
  OntologyDraft draft;
  draft.info = {"edges", "1",  "00ff",    {{"lines", 5}}, {{"repeated links", 2}},
                true,    true, {"A", "T"}};
  const auto top = draft.add_concept("T");
  const auto a = draft.add_concept("A");
  const auto b = draft.add_concept("B");
  draft.add_term(a, TermKind::kLabel, "first of all");
  draft.add_term(a, TermKind::kRelatedSynonym, "alpha", 3);
  draft.add_term(b, TermKind::kXref, "X:1");
  draft.set_definition(b, "the second letter");
  draft.add_exception("alphae", "alpha");
  draft.add_link(a, top);
  draft.add_link(b, top);
  draft.add_link(b, a);
  draft.add_part(a, b);  // no link of the taxonomy: a cycle is none
  return *std::move(draft).finish("x.csv");
}

std::string bytes_of(const Ontology& ontology) {
  std::string scratch;
  std::string bytes;
  const auto pieces = *snapshot_pieces(ontology, scratch);
  for (const std::string_view piece : pieces) bytes += piece;
  return bytes;
}

// Snapshots need memory aligned as a mapped file is.
Result<Ontology> reopened(const std::string& bytes) {
  const auto memory = std::shared_ptr<char>(
      static_cast<char*>(std::aligned_alloc(64, (bytes.size() + 63) / 64 * 64)), std::free);
  std::memcpy(memory.get(), bytes.data(), bytes.size());
  return open_snapshot({memory.get(), bytes.size()}, memory, "test.svo");
}

void expect_equal(const Ontology& a, const Ontology& b) {
  EXPECT_EQ(a.info(), b.info());
  ASSERT_TRUE(a.verify());
  ASSERT_TRUE(b.verify());
  EXPECT_EQ(bytes_of(a), bytes_of(b));  // every array there is
}

TEST(Snapshot, HoldsWhatTheOntologyHolds) {
  const Ontology original = small_ontology();
  const Result<Ontology> copy = reopened(bytes_of(original));
  ASSERT_TRUE(copy);
  expect_equal(original, *copy);
  const auto names = *copy->names();
  const auto taxonomy = *copy->taxonomy();
  EXPECT_EQ(taxonomy->size(), 3U);
  EXPECT_EQ(names->label(1), "first of all");
  EXPECT_EQ(names->id(1), "A");
  EXPECT_EQ(names->definition(2), "the second letter");
  ASSERT_EQ(names->wholes(1).size(), 1U);
  EXPECT_EQ(names->wholes(1)[0], 2U);
  EXPECT_TRUE(names->wholes(0).empty());
  EXPECT_EQ(names->exceptions("alphae"), std::vector<std::string_view>{"alpha"});
}

TEST(Snapshot, OfEveryGeneratedShapeGivesTheSameDistances) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    for (const Shape shape : kShapes) {
      const Ontology original = to_ontology(generate(shape, 60, seed));
      const Result<Ontology> copy = reopened(bytes_of(original));
      ASSERT_TRUE(copy);
      expect_equal(original, *copy);
      const auto before = *make_measure(*original.taxonomy());
      const auto after = *make_measure(*copy->taxonomy());
      const std::size_t size = (*original.taxonomy())->size();
      for (ConceptId a = 0; a < size; ++a) {
        ASSERT_EQ(before->distance(a, static_cast<ConceptId>(size - 1)),
                  after->distance(a, static_cast<ConceptId>(size - 1)));
      }
    }
  }
}

TEST(Snapshot, CutAnywhereIsRefused) {
  const std::string bytes = bytes_of(small_ontology());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Result<Ontology> cut = reopened(bytes.substr(0, size));
    ASSERT_FALSE(cut) << size;
    EXPECT_EQ(cut.error().code, ErrorCode::kData);
    EXPECT_EQ(cut.error().place.file, "test.svo");
  }
  EXPECT_FALSE(reopened(bytes + '\0'));
}

TEST(Snapshot, WithAnyByteAlteredIsRefused) {
  const std::string bytes = bytes_of(small_ontology());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const char change : {'\x01', '\x80', '\xff'}) {
      std::string altered = bytes;
      altered[at] = static_cast<char>(altered[at] ^ change);
      const Result<Ontology> ontology = reopened(altered);
      const bool refused = !ontology || !ontology->verify();
      ASSERT_TRUE(refused) << "byte " << at;
    }
  }
}

TEST(Snapshot, ChecksASectionWhenItIsFirstUsed) {
  std::string bytes = bytes_of(small_ontology());
  const std::size_t names_at = bytes.find("first of all");
  ASSERT_NE(names_at, std::string::npos);
  bytes[names_at] = 'F';
  const Result<Ontology> ontology = reopened(bytes);
  ASSERT_TRUE(ontology);              // the header is whole
  EXPECT_TRUE(ontology->taxonomy());  // and so is the taxonomy
  const auto names = ontology->names();
  ASSERT_FALSE(names);
  EXPECT_NE(names.error().message.find("checksum"), std::string::npos);
  EXPECT_FALSE(ontology->verify());
}

// A header made to fit its checksum again.
std::string sealed(std::string bytes) {
  constexpr std::size_t kHeader = 464;
  const auto seal = [&](std::uint64_t number) { std::memcpy(bytes.data() + 24, &number, 8); };
  seal(0);
  seal(XXH3_64bits(bytes.data(), kHeader));
  return bytes;
}

TEST(Snapshot, WithAHeaderThatContradictsItselfIsRefused) {
  const std::string bytes = bytes_of(small_ontology());
  ASSERT_TRUE(reopened(sealed(bytes)));
  for (const std::size_t at : {12U, 16U, 32U, 40U, 48U, 56U, 64U}) {  // flags, size, sections
    std::string altered = bytes;
    altered[at] = static_cast<char>(altered[at] + 2);
    const Result<Ontology> ontology = reopened(sealed(altered));
    EXPECT_TRUE(!ontology || !ontology->verify()) << at;
  }
}

TEST(Snapshot, OfAnotherVersionSaysSo) {
  std::string bytes = bytes_of(small_ontology());
  bytes[8] = 9;
  const Result<Ontology> ontology = reopened(bytes);
  ASSERT_FALSE(ontology);
  EXPECT_NE(ontology.error().message.find("format 9"), std::string::npos);
}

// Format 1 had a shorter header and no part-of links: it is refused, not called damaged.
TEST(Snapshot, OfTheFormatBeforeIsRefusedWithASentence) {
  std::string bytes = bytes_of(small_ontology());
  bytes[8] = 1;
  bytes.resize(420);
  const Result<Ontology> ontology = reopened(bytes);
  ASSERT_FALSE(ontology);
  EXPECT_NE(ontology.error().message.find("format 1, this program reads format 2; make it anew"),
            std::string::npos);
}

TEST(Snapshot, IsWrittenWholeAndOpensFromAFile) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/small.svo";
  const Ontology original = small_ontology();
  ASSERT_TRUE(write_snapshot(original, path));
  const Result<Ontology> copy = open_ontology(path);
  ASSERT_TRUE(copy);
  expect_equal(original, *copy);
  EXPECT_EQ(open_ontology(folder.path() + "/none.svo").error().code, ErrorCode::kData);
  EXPECT_EQ(write_snapshot(original, folder.path() + "/no/such/folder.svo").error().code,
            ErrorCode::kSystem);
}

TEST(Snapshot, OfWordNetEqualsTheTextFiles) {
  const Result<Ontology> original = open_ontology("wordnet", {.use_cache = false});
  if (!original) GTEST_SKIP() << "WordNet is not installed: nothing compared";
  const Result<Ontology> copy = reopened(bytes_of(*original));
  ASSERT_TRUE(copy);
  expect_equal(*original, *copy);
}

// The checks that stand between a hand-made file and the engine.
struct TaxonomyArrays {
  std::vector<std::uint16_t> depth{1, 2, 3};
  std::vector<std::uint32_t> parent_begin{0, 0, 1, 3}, parents{0, 0, 1};
  std::vector<std::uint32_t> id_rank{2, 0, 1};
  bool sound() const {
    return is_sound(Taxonomy::Arrays{depth, parent_begin, parents, id_rank, false});
  }
};

TEST(SnapshotChecks, AcceptASoundTaxonomyAndRefuseEachBrokenRule) {
  EXPECT_TRUE(TaxonomyArrays().sound());
  const auto broken = [](auto change) {
    TaxonomyArrays arrays;
    change(arrays);
    return !arrays.sound();
  };
  EXPECT_TRUE(broken([](TaxonomyArrays& a) { a.depth.clear(); }));
  EXPECT_TRUE(broken([](TaxonomyArrays& a) { a.depth[2] = 2; }));  // as deep as a parent
  EXPECT_TRUE(broken([](TaxonomyArrays& a) { a.depth[0] = 0; }));
  EXPECT_TRUE(broken([](TaxonomyArrays& a) { a.depth[1] = 4; }));  // not ascending
  EXPECT_TRUE(broken([](TaxonomyArrays& a) { a.depth[2] = 40000; }));
  EXPECT_TRUE(broken([](TaxonomyArrays& a) { a.parents[2] = 2; }));  // its own parent
  EXPECT_TRUE(broken([](TaxonomyArrays& a) { a.parents[0] = 7; }));
  EXPECT_TRUE(broken([](TaxonomyArrays& a) { a.parent_begin[1] = 4; }));
  EXPECT_TRUE(broken([](TaxonomyArrays& a) { a.parent_begin[1] = 1; }));  // a root with a parent
  EXPECT_TRUE(broken([](TaxonomyArrays& a) { a.parent_begin[2] = 0; }));  // a second root
  EXPECT_TRUE(broken([](TaxonomyArrays& a) { a.parent_begin[3] = 2; }));
  EXPECT_TRUE(broken([](TaxonomyArrays& a) { a.parent_begin.pop_back(); }));
  EXPECT_TRUE(broken([](TaxonomyArrays& a) { a.id_rank[0] = 3; }));
  EXPECT_TRUE(broken([](TaxonomyArrays& a) { a.id_rank[0] = 1; }));  // twice the same
  EXPECT_TRUE(broken([](TaxonomyArrays& a) { a.id_rank.pop_back(); }));
}

struct NamesArrays {
  std::vector<std::uint32_t> row{1, 0}, term_begin{0, 1, 3}, text_begin{0, 1, 2, 3};
  std::vector<ConceptId> term_concept{1, 0, 0};
  std::vector<std::uint16_t> term_sense{0, 0, 0};
  std::vector<TermKind> term_kind{TermKind::kId, TermKind::kId, TermKind::kLabel};
  std::string text = "abc", definitions = "d", exceptions = "x\ty";
  std::vector<std::uint64_t> index{0, 1, 2};
  std::vector<std::uint32_t> definition_begin{0, 0, 1}, exception_begin{0, 3}, whole_begin{0, 1, 1};
  std::vector<ConceptId> wholes{1};
  bool virtual_root = false;
  bool sound() const {
    return is_sound(Names::Arrays{row, term_begin, text_begin, term_concept, term_sense, term_kind,
                                  text, index, definition_begin, definitions, exception_begin,
                                  exceptions, whole_begin, wholes, virtual_root});
  }
};

TEST(SnapshotChecks, AcceptSoundNamesAndRefuseEachBrokenRule) {
  EXPECT_TRUE(NamesArrays().sound());
  const auto broken = [](auto change) {
    NamesArrays arrays;
    change(arrays);
    return !arrays.sound();
  };
  EXPECT_TRUE(broken([](NamesArrays& a) { a.row[0] = 2; }));
  EXPECT_TRUE(broken([](NamesArrays& a) { a.term_begin[1] = 0; }));  // a concept without a term
  EXPECT_TRUE(broken([](NamesArrays& a) { a.term_begin[2] = 2; }));
  EXPECT_TRUE(broken([](NamesArrays& a) { a.text_begin[1] = 5; }));
  EXPECT_TRUE(broken([](NamesArrays& a) { a.text_begin[3] = 2; }));
  EXPECT_TRUE(broken([](NamesArrays& a) { a.term_concept[0] = 2; }));
  EXPECT_TRUE(broken([](NamesArrays& a) { a.term_sense.pop_back(); }));
  EXPECT_TRUE(broken([](NamesArrays& a) { a.term_kind[1] = static_cast<TermKind>(8); }));
  EXPECT_TRUE(broken([](NamesArrays& a) { a.term_kind.pop_back(); }));
  EXPECT_TRUE(broken([](NamesArrays& a) { a.index[1] = 3; }));
  EXPECT_TRUE(broken([](NamesArrays& a) { a.index.pop_back(); }));
  EXPECT_TRUE(broken([](NamesArrays& a) { a.definition_begin[1] = 2; }));
  EXPECT_TRUE(broken([](NamesArrays& a) { a.exception_begin.clear(); }));
  EXPECT_TRUE(broken([](NamesArrays& a) { a.exception_begin[1] = 2; }));
  EXPECT_TRUE(broken([](NamesArrays& a) { a.whole_begin.pop_back(); }));
  EXPECT_TRUE(broken([](NamesArrays& a) { a.whole_begin[2] = 2; }));
  EXPECT_TRUE(broken([](NamesArrays& a) { a.wholes[0] = 2; }));        // no concept
  EXPECT_TRUE(broken([](NamesArrays& a) { a.virtual_root = true; }));  // which must have no term
}

}  // namespace
}  // namespace semveil::test
