#include "semveil/plan_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "plan/plan_keys.h"
#include "semveil/files.h"
#include "semveil/plan_text.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

constexpr const char* kName = "plans/p.toml";

Result<PlanFile> parse(std::string_view text,
                       const std::map<std::string, std::string>& overrides = {}) {
  return PlanFile::parse(text, kName, overrides);
}

template <class T>
T said(const PlanFile& plan, std::string_view key) {
  return setting_of<T>(plan.steps.at(0), *plan.steps.at(0).about().key(key));
}

// ---- Wrong plans --------------------------------------------------------------------------------

struct Wrong {
  const char* text;
  std::uint64_t line;
  const char* says;       // part of the message
  const char* value{""};  // quoted apart
};

std::ostream& operator<<(std::ostream& out, const Wrong& wrong) { return out << wrong.text; }

// Two columns with an ontology and one without, to be followed by [mask] from line 11 on.
#define COLUMNS                        \
  "[ontology.d]\n"                     \
  "source = 'd.obo'\n"                 \
  "[column.a]\n"                       \
  "ontology = 'd'\n"                   \
  "role = 'quasi-identifier'\n"        \
  "[column.b]\n"                       \
  "ontology = 'd'\n"                   \
  "role = 'quasi-identifier'\n"        \
  "[column.other]\n"                   \
  "[column.id]\nrole = 'identifier'\n" \
  "[mask]\n"

const Wrong kWrong[] = {
    // TOML itself
    {"missing = 'keep'\nseed = 'a", 2, "not valid TOML"},
    {"missing = 'keep'\n\nmissing = 'error'", 3, "already; keep one of the two"},
    {"[column.a]\n[column.b]\n[column.a]", 3, "already; keep one of the two"},
    {"missing = keep", 1, "not valid TOML"},
    {"[mask", 1, "not valid TOML"},
    {"missing = 'keep'\nrelease = '\xff'", 2, "UTF-8"},

    // Unknown keys
    {"sead = 'x'", 1, "unknown key sead; the nearest valid one is seed"},
    {"shufle = true", 1, "the nearest valid one is shuffle"},
    {"[columns.a]", 1, "unknown key columns; the nearest valid one is column"},
    {"\n[csv]\nseperator = ','", 3,
     "unknown key seperator in [csv]; the nearest valid one is separator"},
    {"[ontology.d]\nsorce = 'd.obo'", 2,
     "unknown key sorce in [ontology.d]; the nearest valid one is "
     "source"},
    {"[column.a]\nroles = 'other'", 2,
     "unknown key roles in [column.a]; the nearest valid one is role"},
    {"[column.a]\nleafs_only = true", 2, "the nearest valid one is leaves_only"},
    {COLUMNS "method = 'noise'\nalhpa = 0.3", 14,
     "unknown key alhpa in [mask]; the nearest valid one is "
     "alpha"},
    {COLUMNS "column = ['a']\nmethod = 'noise'", 13, "the nearest valid one is columns"},
    {"[column.s]\nrole = 'sensitive'\ndemand = {l = 2, knd = 'entropy'}", 3,
     "unknown key knd in demand; the nearest valid one is kind"},
    // … that are known elsewhere
    {"alpha = 0.3", 1, "unknown key alpha; it belongs in [mask]"},
    {COLUMNS "method = 'noise'\nseed = 'x'", 14, "it belongs at the top, before the first [table]"},
    {"[ontology.d]\nsource = 'd.obo'\nroot = 'x'", 3, "it belongs in [column.NAME]"},
    {"separator = ','", 1, "it belongs in [csv]"},
    {"[column.a]\nsource = 'd.obo'", 2, "it belongs in [ontology.NAME]"},
    {"[column.a]\nkind = 'entropy'", 2, "it belongs in demand"},

    // Wrong types
    {"seed = 5", 1, "seed: expected a text in quotes, found a whole number"},
    {"missing = true", 1, "missing: expected a text in quotes, found true"},
    {"shuffle = 'yes'", 1, "shuffle: expected true or false, found a text"},
    {"shuffle = 1", 1, "shuffle: expected true or false, found a whole number"},
    {"person = 'p'", 1, "person: there is no [column.p]"},
    {"allow_linked_rows = true", 1, "allow_linked_rows needs person"},
    {"release = 2026-10-01", 1, "release: expected a text in quotes, found a date or time"},
    {"missing_values = 'NA'", 1, "missing_values: expected a list of texts, found a text"},
    {"missing_values = ['NA', 9]", 1,
     "(in the list): expected a list of texts, found a whole number"},
    {"csv = ','", 1, "csv: expected a table, as [csv], found a text"},
    {"column = 'a'", 1, "column: expected a table, as [column.NAME], found a text"},
    {"[column]\na = 'other'", 2, "column.a: expected a table, as [column.NAME], found a text"},
    {"[[column.a]]", 1, "column.a: expected a table, as [column.NAME], found a list"},
    {"[ontology]\nd = 'd.obo'", 2, "ontology.d: expected a table"},
    {"[[mask]]\nmethod = 'noise'", 1, "noise finds no column to mask"},
    {"mask = 'noise'", 1, "mask: expected a table, as [mask], found a text"},
    {"[column.a]\nleaves_only = 0", 2, "leaves_only: expected true or false"},
    {"[column.a]\nmin_depth = 2.0", 2,
     "min_depth: expected a whole number, found a number with a fraction"},
    {"[column.a]\ndeny = 'x'", 2, "deny: expected a list of texts, found a text"},
    {"[column.a]\nrole = ['other']", 2, "role: expected a text in quotes, found a list"},
    {"[column.s]\nrole = 'sensitive'\ndemand = 3", 3,
     "demand: expected a table, as demand = {l = 3}"},
    {COLUMNS "method = 'noise'\nalpha = '0.3'", 14, "alpha: expected a number, found a text"},
    {COLUMNS "method = 'noise'\ncorrelated = 'no'", 14, "correlated: expected true or false"},
    {COLUMNS "method = 'noise'\ncolumns = 'a'", 14,
     "columns: expected a list of texts, found a text"},
    {COLUMNS "method = 3", 13, "method: expected a text in quotes, found a whole number"},
    {COLUMNS "method = 'noise'\ndraw_by = ['id']", 14,
     "draw_by: expected a text in quotes, found a list"},
    {COLUMNS "method = 'noise'\npairs = 'a'", 14, "pairs: expected a list of pairs"},
    {COLUMNS "method = 'noise'\npairs = ['a', 'b']", 14,
     "pairs (in the list): expected a list of pairs"},
    {COLUMNS "method = 'noise'\npairs = [['a', 1]]", 14,
     "pairs (in a pair): expected two texts, found a whole"},

    // Impossible values
    {"seed = ''", 1, "seed: the text is empty"},
    {"missing = 'kepe'", 1,
     "missing: expected keep, category, wildcard, drop-record or error; the nearest "
     "is keep",
     "kepe"},
    {"undeclared = 'category'", 1, "undeclared: expected keep, drop or error", "category"},
    {"[csv]\nseparator = ';;'", 2, "separator: expected one ASCII character", ";;"},
    {"[csv]\nseparator = ''", 2, "separator: expected one ASCII character"},
    {"[csv]\nquote = 'é'", 2, "quote: expected one ASCII character", "é"},
    {"[csv]\nseparator = 'x'", 2, "separator: expected one ASCII character", "x"},
    {"[csv]\nseparator = \"\\n\"", 2, "separator: expected one ASCII character", "\n"},
    {"[csv]\nseparator = ';'\nquote = ';'", 3, "the separator is the same character"},
    {"[ontology.d]", 1, "no source: write source ="},
    {"[ontology.d]\nsource = ''", 2, "source: the text is empty"},
    {"[ontology.d]\nsource = 'obo:'", 2, "a file name must follow the colon", "obo:"},
    {"[ontology.d]\nsource = 'oboo:d.obo'", 2, "there is no format oboo; the nearest is obo",
     "oboo:d.obo"},
    {"[column.a]\nrole = 'quasi'", 2,
     "role: expected identifier, quasi-identifier, sensitive, other or pseudonym", "quasi"},
    {"[column.a]\ntype = 'number'", 2,
     "type: expected nominal, numeric, text or date; the nearest is numeric", "number"},
    {"[column.a]\nmeasure = 'wupalmer'", 2, "the nearest is wu-palmer", "wupalmer"},
    {"[column.a]\nsenses = 'all'", 2, "senses: expected closest or first", "all"},
    {"[column.a]\nunmapped = 'drop'", 2, "unmapped: expected error, suppress, generalize or keep",
     "drop"},
    {"[column.a]\nwrite = 'labels'", 2, "write: expected data, label or id; the nearest is label",
     "labels"},
    {"[column.a]\ndomain = 'tree'", 2,
     "domain: expected subtree or branches; the nearest is subtree", "tree"},
    {"[column.a]\nweights = 0.5", 2, "weights: expected a list of numbers"},
    {"[column.a]\nweights = [0.5, 0.5]", 2, "weights: expected three numbers from 0 to 1"},
    {"[column.a]\nweights = [0.5, 0.5, 0.5]", 2, "whose sum is 1"},
    {"[column.a]\nweights = [1.5, -0.5, 0]", 2, "weights: expected three numbers from 0 to 1"},
    {"[column.a]\nvariance = 1.5", 2, "variance: expected a number from 0 to 1", "1.5"},
    {"[mask]\nmethod = 'noise'\ndigest = 'ff'", 3, "digest: expected 64 hexadecimal digits"},
    {"[mask]\nmethod = 'noise'\ncovariance = [1, 2]", 3,
     "expected a list of rows, as [[0.2, 0.1], [0.1, 0.3]]"},
    {"[column.a]\nlcs = 'deep'", 2, "lcs: expected deepest or mica", "deep"},
    {"[column.a]\nmin_depth = 0", 2, "min_depth: expected a whole number from 1 to", "0"},
    {"[column.a]\nmin_depth = 4294967297", 2, "min_depth: expected a whole number from 1 to",
     "4294967297"},
    {"[column.a]\ntype = 'numeric'\ndecimals = -1", 3,
     "decimals: expected a whole number from 0 to 15", "-1"},
    {"[column.a]\ntype = 'numeric'\nscale = 'sd'", 3, "scale: expected range or deviation", "sd"},
    {"[column.a]\ndeny = ['']", 2, "deny: a text in the list is empty"},
    {"[column.s]\nrole = 'sensitive'\ndemand = {}", 3, "nothing is demanded; write l, p or t"},
    {"[column.s]\nrole = 'sensitive'\ndemand = {l = 0.5}", 3, "l: expected a number of at least 1",
     "0.5"},
    {"[column.s]\nrole = 'sensitive'\ndemand = {l = 2.5}", 3, "expected a whole number; only kind"},
    {"[column.s]\nrole = 'sensitive'\ndemand = {l = 2, p = 2}", 3, "p is another name for l"},
    {"[column.s]\nrole = 'sensitive'\ndemand = {p = 2, kind = 'entropy'}", 3,
     "p counts distinct values"},
    {"[column.s]\nrole = 'sensitive'\ndemand = {l = 2, kind = 'distnct'}", 3,
     "kind: expected distinct, entropy or recursive; the nearest is distinct", "distnct"},
    {"[column.s]\nrole = 'sensitive'\ndemand = {kind = 'entropy', t = 0.1}", 3, "kind needs an l"},
    {"[column.s]\nrole = 'sensitive'\ndemand = {l = 2, c = 3}", 3,
     "c belongs to kind = \"recursive\""},
    {"[column.s]\nrole = 'sensitive'\ndemand = {l = 2, kind = 'recursive', c = 0}", 3,
     "c: expected a number above 0", "0"},
    {"[column.s]\nrole = 'sensitive'\ndemand = {t = 1.5}", 3, "t: expected a number from 0 to 1",
     "1.5"},
    {COLUMNS "method = 'noise'\nalpha = 0", 14, "alpha: expected a number above 0", "0"},
    {COLUMNS "method = 'noise'\nalpha = -0.3", 14, "alpha: expected a number above 0", "-0.3"},
    {COLUMNS "method = 'noise'\nalpha = inf", 14, "alpha: expected a number above 0", "inf"},
    {COLUMNS "method = 'noise'\nalpha = nan", 14, "alpha: expected a number above 0", "nan"},
    {COLUMNS "method = 'noise'\nreference = 'median'", 14, "reference: expected mean, pair or root",
     "median"},
    {COLUMNS "method = 'noise'\ndistribution = 'gauss'", 14,
     "distribution: expected normal or laplace", "gauss"},
    {COLUMNS "method = 'noise'\nties = 'last'", 14, "ties: expected random or first", "last"},
    {COLUMNS "method = 'noise'\ncolumns = []", 14, "columns: the list is empty"},
    {COLUMNS "method = 'noise'\npairs = []", 14, "pairs: the list is empty"},
    {COLUMNS "method = 'noise'\npairs = [['a', 'b', 'a']]", 14,
     "a pair has two columns, this one has 3"},

    // Methods
    {COLUMNS "alpha = 0.3", 12, "no method: write method = \"noise\""},
    {COLUMNS "method = 'nosie'", 13,
     "the nearest is noise (this version has noise, swap, fuse, recode, microaggregate, "
     "generalize, ean, naive, probabilistic, random-swap, distributional-swap, an, round, "
     "code, level or shift)",
     "nosie"},
    {COLUMNS "method = 'dp'\nepsilon = 5", 13,
     "method dp is not available in this version; it has noise, swap, fuse"},
    {COLUMNS "method = 'noise'\nk = 5", 14,
     "noise does not take k; it is a key of swap, fuse, recode"},
    {COLUMNS "method = 'naive'\nalpha = 0.3", 14,
     "naive does not take alpha; it is a key of noise"},
    {COLUMNS "method = 'swap'\nk = 5\nalpha = 0.3", 15, "swap does not take alpha"},
    {COLUMNS "method = 'swap'\nk = 5\ndraw_by = 'a'", 15, "swap does not take draw_by"},
    {COLUMNS "method = 'random-swap'\nk = 5", 14, "random-swap does not take k"},
    {COLUMNS "method = 'distributional-swap'\nk = 5\nexhausted = 'keep'", 15,
     "distributional-swap does not take exhausted; it is a key of swap"},
    {COLUMNS "method = 'distributional-swap'\nk = 5\nalgorithm = 'fixed'", 15,
     "distributional-swap does not take algorithm"},
    {COLUMNS "method = 'swap'\nk = 0", 14, "k", "0"},
    {COLUMNS "method = 'swap'\nk = -1", 14, "k", "-1"},
    {COLUMNS "method = 'swap'\nk = 2.5", 14, "k"},
    {COLUMNS "method = 'swap'\nk = 'five'", 14, "k: expected a"},
    {COLUMNS "method = 'swap'\nk = 5\nalgorithm = 'dynamik'", 15,
     "algorithm: expected fixed, dynamic or multivariate", "dynamik"},
    {COLUMNS "method = 'swap'\nk = 5\nexhausted = 'kept'", 15, "exhausted: expected keep or extend",
     "kept"},
    {COLUMNS "method = 'swap'\nk = 5\ndemand = 'k'", 15, "demand: expected probabilistic-k", "k"},
    {COLUMNS "method = 'noise'\nepsilon = 1", 14, "noise does not take epsilon; it is a key of dp"},

    // What the tables say of each other
    {"[column.a]\nontology = 'd'", 2, "no ontology is declared; add [ontology.d] with its source"},
    {"[ontology.disease]\nsource = 'd.obo'\n[column.a]\nontology = 'diseases'", 4,
     "there is no [ontology.diseases]; the nearest declared one is disease"},
    {"[ontology.d]\nsource = 'd.obo'\n[column.a]\nontology = 'd'\ntype = 'numeric'", 4,
     "a numeric column has no ontology"},
    {"[column.a]\nscale = 'range'", 2, "scale is for numbers; add type = \"numeric\""},
    {"[column.a]\ntype = 'text'\ndecimals = 1", 3, "decimals is for numbers"},
    {"[column.a]\ntype = 'date'\ndecimals = 1", 3, "decimals is for numbers"},
    {"[column.a]\nformat = '%d.%m.%Y'", 2, "format is for dates"},
    {"[column.a]\ntype = 'date'\nformat = '%d.%m.'", 3, "a format of dates has a year"},
    {"[column.a]\ntype = 'date'\nformat = '%d.%m.%Y %I'", 3, "% stands before one of"},
    {"[column.a]\nroot = 'x'", 2, "root needs an ontology; add ontology = \"NAME\""},
    {"[ontology.d]\nsource = 'd.obo'\n[column.a]\nontology = 'd'\nlcs = 'mica'", 5,
     "needs a measure on information content (resnik, lin or jiang-conrath); wu-palmer is "
     "none"},
    {"[column.a]\ndemand = {l = 2}", 2, "demand is for sensitive columns"},
    {COLUMNS "method = 'noise'\ncolumns = ['a', 'c']", 14,
     "columns: there is no [column.c]; declare it, or "
     "write a"},
    {COLUMNS "method = 'naive'\ncolumns = ['c']", 14, "columns: there is no [column.c]"},
    {COLUMNS "method = 'noise'\ncolumns = ['a', 'b', 'a']", 14, "column a stands there twice"},
    {COLUMNS "method = 'noise'\ncolumns = ['other']", 14,
     "noise needs an ontology for column other; add "
     "ontology = \"NAME\" to [column.other]"},
    {COLUMNS "method = 'naive'\ncolumns = ['id']", 14, "column id is an identifier and is dropped"},
    {"[column.n]\ntype = 'numeric'\n[mask]\nmethod = 'naive'\ncolumns = ['n']", 5,
     "column n is not nominal"},
    {"[column.n]\nrole = 'quasi-identifier'\n[mask]\nmethod = 'noise'", 3,
     "noise finds no column to mask"},
    {COLUMNS "method = 'noise'\ndistribution = 'laplace'\ncorrelated = true", 14,
     "laplace errors cannot be correlated"},
    {COLUMNS "method = 'noise'\npairs = [['a', 'b']]", 14, "pairs needs reference = \"pair\""},
    {COLUMNS "method = 'noise'\nreference = 'pair'\ncolumns = ['a']", 14,
     "needs an even number of columns, "
     "these are 1"},
    {COLUMNS "method = 'noise'\nreference = 'pair'\npairs = [['a', 'a']]", 15,
     "pairs: column a stands there "
     "twice"},
    {COLUMNS "method = 'noise'\nreference = 'pair'\npairs = [['a', 'c']]", 15,
     "pairs: there is no [column.c]"},
    {COLUMNS "method = 'noise'\nreference = 'pair'\npairs = [['a', 'other']]", 15,
     "pairs: noise needs an ontology for column other"},
};

class WrongPlan : public testing::TestWithParam<Wrong> {};

TEST_P(WrongPlan, IsRefusedWithItsLine) {
  const Wrong& wrong = GetParam();
  const Result<PlanFile> plan = parse(wrong.text);
  ASSERT_FALSE(plan);
  const Error& error = plan.error();
  EXPECT_EQ(error.code, ErrorCode::kData);
  EXPECT_EQ(error.place.file, kName);
  EXPECT_EQ(error.place.line, wrong.line);
  EXPECT_THAT(error.message, HasSubstr(wrong.says));
  EXPECT_EQ(error.value, wrong.value);
}

INSTANTIATE_TEST_SUITE_P(Table, WrongPlan, testing::ValuesIn(kWrong));

TEST(PlanErrors, NameTheColumnOfTheTable) {
  const Result<PlanFile> plan = parse("[column.diagnosis]\nrole = 'quasi'");
  ASSERT_FALSE(plan);
  EXPECT_EQ(describe(plan.error(), Quote::kShow),
            "plans/p.toml:2: column 'diagnosis': \"quasi\": role: expected identifier, "
            "quasi-identifier, sensitive, other or pseudonym; the nearest is quasi-identifier");
}

TEST(PlanErrors, TellTheFirstLine) {
  const Result<PlanFile> plan = parse("shuffle = 1\nmissing = 1\n[mask]\nbeta = 1");
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().place.line, 1U);
}

// The misspelt key comes later in the file, but it is the reason.
TEST(PlanErrors, TellWhatIsMisspeltBeforeWhatFollowsFromIt) {
  const Result<PlanFile> plan = parse(
      "[mask]\nmethod = 'noise'\ncolumns = ['a']\n[ontology.d]\nsource = 'x.obo'\n[column.a]\n"
      "ontolgy = 'd'");
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().place.line, 7U);
}

TEST(PlanErrors, NeverHoldTheSeed) {
  const std::string secret = "hunter2hunter2";
  for (const std::string& text : {
           "seed = '" + secret + "'\nseed = '" + secret + "'",
           "seed = " + secret,
           "seed = true" + secret,
           "seed = '" + secret,
           "seed = \"\"\"\n" + secret,
           "seed = '" + secret + "' '" + secret + "'",
           "seed = ['" + secret + "']",
           "seed = {a = '" + secret + "'}",
           "seed = {" + secret + " = 1}",
           "sede = '" + secret + "'",
           "[mask]\nmethod = 'noise'\nseed = '" + secret + "'",
           "seed = '" + secret + "'\nmissing = 'x'",
           "seed.a = '" + secret + "'\nseed = '" + secret + "'",
           "seed = \"\\" + secret + "\"",
       }) {
    const Result<PlanFile> plan = parse(text);
    ASSERT_FALSE(plan) << text;
    const std::string shown = describe(plan.error(), Quote::kShow);
    EXPECT_THAT(shown, Not(HasSubstr("hunter"))) << text;
  }
  const std::string digits = "123456789123456789";
  for (const std::string& text :
       {"seed = " + digits, "seed = " + digits + digits, "seed = " + digits + "e99999",
        "seed = 1." + digits + "x", "seed = 0x" + digits + digits, "seed = -" + digits}) {
    const Result<PlanFile> plan = parse(text);
    ASSERT_FALSE(plan) << text;
    EXPECT_THAT(describe(plan.error(), Quote::kShow), Not(HasSubstr("123"))) << text;
  }
  const Result<PlanFile> option = parse("", {{"seed", secret}});
  ASSERT_FALSE(option);
  EXPECT_THAT(describe(option.error(), Quote::kShow), Not(HasSubstr("hunter")));
}

// ---- Right plans --------------------------------------------------------------------------------

TEST(FittedMethod, ThatIsEmptyHasTheDefaults) {
  const Result<PlanFile> plan = parse("");
  ASSERT_TRUE(plan) << describe(plan.error(), Quote::kShow);
  EXPECT_EQ(plan->path, kName);
  EXPECT_EQ(plan->folder, "plans");
  EXPECT_FALSE(plan->seed);
  EXPECT_EQ(plan->release, "");
  EXPECT_EQ(plan->missing, MissingRule::kKeep);
  EXPECT_THAT(plan->missing_values, ElementsAre(""));
  EXPECT_EQ(plan->undeclared, UndeclaredRule::kKeep);
  EXPECT_FALSE(plan->shuffle || plan->separator || plan->quote || plan->masks());
  EXPECT_TRUE(plan->ontologies.empty() && plan->columns.empty());
}

TEST(FittedMethod, HoldsEveryKey) {
  const Result<PlanFile> plan = parse(R"(
seed = "any text"
missing = "drop-record"
release = "2026-Q4"
undeclared = "error"
shuffle = true
missing_values = ["", "NA"]
[csv]
separator = "\t"
quote = "'"
[column.patient]
role = "identifier"
[column.diagnosis]
role = "quasi-identifier"
ontology = "disease"
root = "DOID:4"
domain = "branches"
measure = "lin"
ic = "counts.dat"
lcs = "mica"
senses = "first"
mapping = "maps/diagnosis.csv"
unmapped = "generalize"
write = "id"
deny = ["DOID:1", "DOID:2"]
leaves_only = true
min_depth = 3
[column.age]
type = "numeric"
scale = "deviation"
decimals = 2
[column.disease]
role = "sensitive"
demand = {p = 3, t = 0.2}
[ontology.disease]
source = "doid.obo"
[mask]
method = "noise"
columns = ["diagnosis"]
draw_by = "patient"
alpha = 1
reference = "root"
distribution = "laplace"
ties = "first"
allow_unmasked = true
)");
  ASSERT_TRUE(plan) << describe(plan.error(), Quote::kShow);
  EXPECT_EQ(plan->seed, "any text");
  EXPECT_EQ(plan->missing, MissingRule::kDropRecord);
  EXPECT_EQ(plan->release, "2026-Q4");
  EXPECT_EQ(plan->undeclared, UndeclaredRule::kError);
  EXPECT_TRUE(plan->shuffle);
  EXPECT_THAT(plan->missing_values, ElementsAre("", "NA"));
  EXPECT_EQ(plan->separator, '\t');
  EXPECT_EQ(plan->quote, '\'');
  EXPECT_THAT(plan->ontologies, ElementsAre(Pair("disease", "plans/doid.obo")));
  ASSERT_EQ(plan->columns.size(), 4U);
  EXPECT_EQ(plan->columns[0].name, "patient");
  EXPECT_EQ(plan->columns[0].role, Role::kIdentifier);
  EXPECT_EQ(plan->columns[0].line, 11U);
  const ColumnSettings& diagnosis = plan->columns[1];
  EXPECT_EQ(diagnosis.name, "diagnosis");
  EXPECT_EQ(diagnosis.line, 13U);
  EXPECT_EQ(diagnosis.role, Role::kQuasiIdentifier);
  EXPECT_EQ(diagnosis.ontology, "disease");
  EXPECT_EQ(diagnosis.root, "DOID:4");
  EXPECT_EQ(diagnosis.domain, DomainKind::kBranches);
  EXPECT_EQ(diagnosis.measure, "lin");
  EXPECT_EQ(diagnosis.ic, "plans/counts.dat");
  EXPECT_EQ(diagnosis.lcs, "mica");
  EXPECT_EQ(diagnosis.senses, "first");
  EXPECT_EQ(diagnosis.mapping, "plans/maps/diagnosis.csv");
  EXPECT_EQ(diagnosis.unmapped, UnmappedRule::kGeneralize);
  EXPECT_EQ(diagnosis.write, WriteAs::kId);
  EXPECT_THAT(diagnosis.deny, ElementsAre("DOID:1", "DOID:2"));
  EXPECT_TRUE(diagnosis.leaves_only);
  EXPECT_EQ(diagnosis.min_depth, 3U);
  EXPECT_EQ(plan->columns[2].type, ColumnType::kNumeric);
  EXPECT_EQ(plan->columns[2].scale, NumericScale::kDeviation);
  EXPECT_EQ(plan->columns[2].decimals, 2U);
  ASSERT_TRUE(plan->columns[3].demand);
  EXPECT_EQ(plan->columns[3].demand->l, 3);
  EXPECT_EQ(plan->columns[3].demand->kind, DiversityKind::kDistinct);
  EXPECT_EQ(plan->columns[3].demand->c, 4);
  EXPECT_EQ(plan->columns[3].demand->t, 0.2);
  ASSERT_EQ(plan->steps.size(), 1U);
  EXPECT_EQ(plan->steps.at(0).line, 37U);
  EXPECT_EQ(plan->steps.at(0).about().name, "noise");
  EXPECT_THAT(plan->steps.at(0).columns, ElementsAre("diagnosis"));
  EXPECT_EQ(plan->steps.at(0).draw_by, "patient");
  EXPECT_EQ(said<double>(*plan, "alpha"), 1);
  EXPECT_EQ(said<std::string>(*plan, "reference"), "root");
  EXPECT_EQ(said<std::string>(*plan, "distribution"), "laplace");
  EXPECT_EQ(said<std::string>(*plan, "ties"), "first");
  EXPECT_TRUE(said<bool>(*plan, "allow_unmasked"));
  EXPECT_EQ(plan->find("age"), &plan->columns[2]);
  EXPECT_EQ(plan->find("Age"), nullptr);
}

TEST(FittedMethod, KeepsTheColumnsOrderOfTheFile) {
  const Result<PlanFile> plan = parse("[column.z]\n[column.a]\n[column.m]\n[column.'B b']\n");
  ASSERT_TRUE(plan);
  EXPECT_THAT(plan->columns, ElementsAre(testing::Field(&ColumnSettings::name, "z"),
                                         testing::Field(&ColumnSettings::name, "a"),
                                         testing::Field(&ColumnSettings::name, "m"),
                                         testing::Field(&ColumnSettings::name, "B b")));
}

TEST(FittedMethod, ResolvesOnlyThePathOfASource) {
  const std::pair<const char*, const char*> kSources[] = {
      {"wordnet", "wordnet"},
      {"wordnet:dict", "wordnet:plans/dict"},
      {"wordnet:/usr/share/wordnet", "wordnet:/usr/share/wordnet"},
      {"obo:doid.obo", "obo:plans/doid.obo"},
      {"doid.obo", "plans/doid.obo"},
      {"sub/doid.obo.gz", "plans/sub/doid.obo.gz"},
      {"/data/doid.obo", "/data/doid.obo"},
      {"obo:/data/doid.obo", "obo:/data/doid.obo"},
      {"vgh:x.csv", "vgh:plans/x.csv"},
      {"edges:x.csv", "edges:plans/x.csv"},
      {"rf2:snomed", "rf2:plans/snomed"},
      {"x.svo", "plans/x.svo"},
      {"../x.svo", "plans/../x.svo"},
      {"./obo:x.svo", "plans/./obo:x.svo"},
      {"obo:a:b.obo", "obo:plans/a:b.obo"},
  };
  for (const auto& [source, resolved] : kSources) {
    const Result<PlanFile> plan = parse(std::string("[ontology.d]\nsource = '") + source + "'");
    ASSERT_TRUE(plan) << source;
    EXPECT_EQ(plan->ontologies.at("d"), resolved);
  }
  const Result<PlanFile> here = PlanFile::parse("[ontology.d]\nsource = 'obo:x'", "p.toml");
  ASSERT_TRUE(here);
  EXPECT_EQ(here->ontologies.at("d"), "obo:x");
  EXPECT_EQ(here->folder, "");
}

TEST(FittedMethod, ResolvesMappingAndInformationContent) {
  const Result<PlanFile> plan = parse(
      "[ontology.d]\nsource = 'wordnet'\n[column.a]\nontology = 'd'\nmapping = '/m.csv'\nic = "
      "'sanchez'\n[column.b]\nontology = 'd'\nmapping = 'm.csv'\nic = '/ic.dat'");
  ASSERT_TRUE(plan) << describe(plan.error(), Quote::kShow);
  EXPECT_EQ(plan->columns[0].mapping, "/m.csv");
  EXPECT_EQ(plan->columns[0].ic, "sanchez");
  EXPECT_EQ(plan->columns[1].mapping, "plans/m.csv");
  EXPECT_EQ(plan->columns[1].ic, "/ic.dat");
}

TEST(FittedMethod, PairsColumns) {
  for (const char* mask : {
           "method = 'noise'\nreference = 'pair'",
           "method = 'noise'\nreference = 'pair'\ncolumns = ['b', 'a']",
           "method = 'noise'\nreference = 'pair'\npairs = [['b', 'a']]\ncorrelated = true",
           "method = 'noise'\nreference = 'pair'\ncolumns = ['a', 'b']\npairs = [['b', 'a']]",
       }) {
    const Result<PlanFile> plan = parse(std::string(COLUMNS) + mask);
    EXPECT_TRUE(plan) << mask << describe(plan.error(), Quote::kShow);
  }
  const Result<PlanFile> plan =
      parse(COLUMNS "method = 'noise'\nreference = 'pair'\npairs = [['b', 'a']]");
  EXPECT_THAT(said<ColumnPairs>(*plan, "pairs"), ElementsAre(Pair("b", "a")));
}

constexpr const char* kFourColumns =
    "[ontology.d]\nsource = 'd.obo'\n[column]\na = {ontology = 'd'}\nb = {ontology = 'd'}\n"
    "c = {ontology = 'd'}\ne = {ontology = 'd'}\n[mask]\nmethod = 'noise'\nreference = 'pair'\n";

TEST(FittedMethod, WithAMaskedColumnInNoPairIsRefused) {
  const Result<PlanFile> plan =
      parse(std::string(kFourColumns) + "columns = ['a', 'b', 'c', 'e']\npairs = [['a', 'e']]");
  ASSERT_FALSE(plan);
  EXPECT_THAT(plan.error().message, HasSubstr("column b is masked and stands in no pair"));
}

TEST(FittedMethod, WithAPairedColumnThatIsNotMaskedIsRefused) {
  const Result<PlanFile> plan =
      parse(std::string(kFourColumns) + "columns = ['a', 'b']\npairs = [['a', 'e']]");
  ASSERT_FALSE(plan);
  EXPECT_THAT(plan.error().message, HasSubstr("column e is not masked; add it to columns"));
}

TEST(FittedMethod, TakesDemandsOfEveryKind) {
  for (const char* demand :
       {"{l = 3}", "{p = 2}", "{t = 0}", "{t = 1}", "{l = 2.5, kind = 'entropy'}",
        "{l = 3, kind = 'recursive'}", "{l = 3, kind = 'recursive', c = 0.5, t = 0.1}"}) {
    const Result<PlanFile> plan =
        parse(std::string("[column.s]\nrole = 'sensitive'\ndemand = ") + demand);
    EXPECT_TRUE(plan) << demand << describe(plan.error(), Quote::kShow);
  }
}

// ---- Overrides ----------------------------------------------------------------------------------

TEST(PlanOverrides, ReplaceWhatStandsInTheFile) {
  const Result<PlanFile> plan =
      parse(COLUMNS "method = 'swap'\nalpha = 'wrong'",
            {{"method", "\"noise\""}, {"alpha", "0.5"}, {"columns", "[\"b\"]"}});
  ASSERT_TRUE(plan) << describe(plan.error(), Quote::kShow);
  EXPECT_EQ(plan->steps.at(0).about().name, "noise");
  EXPECT_EQ(said<double>(*plan, "alpha"), 0.5);
  EXPECT_THAT(plan->steps.at(0).columns, ElementsAre("b"));
  EXPECT_EQ(plan->steps.at(0).line, 12U);
}

TEST(PlanOverrides, OfTheMethodDropTheKeysThatOnlyOthersTake) {
  const Result<PlanFile> plan =
      parse(COLUMNS "method = 'noise'\nalpha = 0.3\nties = 'first'\ncolumns = ['b']",
            {{"method", "'swap'"}, {"k", "5"}});
  ASSERT_TRUE(plan) << describe(plan.error(), Quote::kShow);
  EXPECT_EQ(plan->steps.at(0).about().name, "swap");
  EXPECT_EQ(plan->steps.at(0).k(), 5U);
  EXPECT_THAT(plan->steps.at(0).columns, ElementsAre("b"));  // every method takes it
  EXPECT_FALSE(plan->steps.at(0).settings.has("alpha"));
  // A key both take stays.
  const Result<PlanFile> kept =
      parse(COLUMNS "method = 'swap'\nk = 7", {{"method", "'distributional-swap'"}});
  ASSERT_TRUE(kept) << describe(kept.error(), Quote::kShow);
  EXPECT_EQ(kept->steps.at(0).k(), 7U);
}

TEST(PlanOverrides, OfTheMethodDropNothingThatWasAskedForToo) {
  const std::map<std::string, std::string> same = {{"method", "'noise'"}};
  EXPECT_FALSE(parse(COLUMNS "method = 'noise'\nalpha = 1\nk = 5", same));  // the file's own fault
  const Result<PlanFile> plan =
      parse(COLUMNS "method = 'noise'\nalpha = 1", {{"method", "'swap'"}, {"alpha", "0.5"}});
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().place.file, "--alpha");
  EXPECT_THAT(plan.error().message, HasSubstr("swap does not take alpha"));
}

TEST(PlanOverrides, MayBeAllOfTheMask) {
  const Result<PlanFile> plan = parse("[ontology.d]\nsource = 'd.obo'\n[column.a]\nontology = 'd'",
                                      {{"method", "'naive'"}, {"columns", "['a']"}});
  ASSERT_TRUE(plan) << describe(plan.error(), Quote::kShow);
  EXPECT_EQ(plan->steps.at(0).about().name, "naive");
  EXPECT_EQ(plan->steps.at(0).line, 0U);
}

TEST(PlanOverrides, AreCheckedAndNamedInErrors) {
  struct Case {
    const char* key;
    const char* value;
    ErrorCode code;
    const char* option;
    const char* says;
  };
  const Case kCases[] = {
      {"alpha", "-1", ErrorCode::kUsage, "--alpha", "above 0"},
      {"alpha", "'x'", ErrorCode::kUsage, "--alpha", "expected a number, found a text"},
      {"alpha", "x", ErrorCode::kUsage, "--alpha", "no value of TOML"},
      {"alpha", "", ErrorCode::kUsage, "--alpha", "no value of TOML"},
      {"alpha", "1\nties = 'first'", ErrorCode::kUsage, "--alpha", "no value of TOML"},
      {"alpha", "'\xff'", ErrorCode::kUsage, "--alpha", "no value of TOML"},
      {"alhpa", "1", ErrorCode::kUsage, "--alhpa", "nearest valid one is alpha"},
      {"draw_by", "3", ErrorCode::kUsage, "--draw-by", "draw_by: expected a text"},
      {"reference", "'pear'", ErrorCode::kUsage, "--reference", "mean, pair or root"},
      {"k", "5", ErrorCode::kUsage, "--k", "noise does not take k"},
      {"method", "'dp'", ErrorCode::kUsage, "--method", "not available"},
      {"columns", "['x']", ErrorCode::kData, "--columns", "there is no [column.x]"},
      {"pairs", "[['a', 'b']]", ErrorCode::kData, "--pairs", "needs reference"},
  };
  for (const Case& c : kCases) {
    const Result<PlanFile> plan = parse(COLUMNS "method = 'noise'\nalpha = 1", {{c.key, c.value}});
    ASSERT_FALSE(plan) << c.key << " " << c.value;
    EXPECT_EQ(plan.error().code, c.code) << c.key << " " << c.value;
    EXPECT_EQ(plan.error().place.file, c.option);
    EXPECT_EQ(plan.error().place.line, 0U);
    EXPECT_THAT(plan.error().message, HasSubstr(c.says));
  }
}

TEST(PlanOverrides, WithoutAMethodAnywhereAskForOne) {
  const Result<PlanFile> plan = parse("[column.a]", {{"alpha", "1"}});
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().place.file, kName);
  EXPECT_THAT(plan.error().message, HasSubstr("no method"));
}

// ---- Files --------------------------------------------------------------------------------------

TEST(PlanRead, FindsPathsBesideTheFile) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/p.toml";
  ASSERT_TRUE(write_file(path, "\xEF\xBB\xBF[ontology.d]\r\nsource = 'x.obo'\r\n"));
  const Result<PlanFile> plan = PlanFile::read(path);
  ASSERT_TRUE(plan) << describe(plan.error(), Quote::kShow);
  EXPECT_EQ(plan->ontologies.at("d"), folder.path() + "/x.obo");
  EXPECT_EQ(plan->path, path);
}

TEST(PlanRead, OfAFileThatIsNotThereFails) {
  const Result<PlanFile> plan = PlanFile::read("no/such/plan.toml");
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, ErrorCode::kData);
  EXPECT_EQ(plan.error().place.file, "no/such/plan.toml");
}

std::string documentation() {
  std::ifstream in("docs/formats/plan.md");
  std::stringstream page;
  page << in.rdbuf();
  return page.str();
}

TEST(PlanDocumentation, HasAnExampleThatIsAPlan) {
  const std::string text = documentation();
  ASSERT_FALSE(text.empty()) << "run from the repository's root";
  const std::size_t begin = text.find("```toml\n");
  ASSERT_NE(begin, std::string::npos);
  const std::size_t end = text.find("```\n", begin + 8);
  const Result<PlanFile> plan = parse(text.substr(begin + 8, end - begin - 8));
  ASSERT_TRUE(plan) << describe(plan.error(), Quote::kShow);
  EXPECT_EQ(plan->columns.size(), 5U);
  EXPECT_EQ(plan->steps.at(0).about().name, "noise");
}

TEST(PlanDocumentation, NamesEveryKeyAndMethod) {
  const std::string text = documentation();
  for (const PlanSection& section : plan_sections()) {
    for (const std::string_view key : section.keys) {
      const bool table = section.title.empty() && (key == "ontology" || key == "column");
      const std::string written = table                           ? fmt::format("`[{}.NAME]`", key)
                                  : key == "mask" || key == "csv" ? fmt::format("`[{}]`", key)
                                                                  : fmt::format("`{}`", key);
      EXPECT_THAT(text, AnyOf(HasSubstr(written), HasSubstr(fmt::format("`{} = {{…}}`", key))));
    }
  }
  for (const std::string_view method : method_names()) {
    EXPECT_THAT(text, HasSubstr(fmt::format("`{}`", method)));
  }
}

TEST(PlanKeys, OfMethodsNameKnownMethods) {
  for (const std::string_view key : plan_keys("[mask]")) {
    for (const std::string_view method : methods_taking(key)) {
      EXPECT_THAT(method_names(), testing::Contains(method)) << key;
    }
  }
  for (const std::string_view method : available_methods()) {
    EXPECT_THAT(method_names(), testing::Contains(method));
  }
}

TEST(PlanFile, NamesThePersonAndIsWrittenSo) {
  const Result<PlanFile> plan =
      parse("person = 'who'\nallow_linked_rows = true\n[column.who]\nrole = 'identifier'");
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->person, "who");
  EXPECT_TRUE(plan->allow_linked_rows);
  const Result<PlanFile> again = parse(to_toml(*plan, ""));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->person, "who");
  EXPECT_TRUE(again->allow_linked_rows);
}

}  // namespace
}  // namespace semveil
