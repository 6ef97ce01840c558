// What each figure of an audit means: one sentence for who signs, a formula for who checks.
//
// Names are those of the JSON, without names of columns: columns.rmse is columns.NAME.rmse there.
// What is told of both tables has one entry: `_original` and `_masked`, and the parts `original`
// and `masked`, are left out of its name.
//
// Symbols: v, w values; x original, z released value; p shares before, q after; n records; g a
// class of records with equal quasi-identifiers; τ the column's taxonomy; sd the column's distance,
// 0 … 1: of concepts the semantic one, of numbers their difference in units of the column, of mere
// texts 0 or 1. Papers have the short names of papers/README.md.
#include <algorithm>
#include <array>
#include <string>

#include "semveil/audit_figures.h"

namespace semveil {
namespace {

constexpr std::string_view kLower = "0 … 1, lower keeps more";
constexpr std::string_view kSafer = "0 … 1, lower is safer";
constexpr std::string_view kRecords = "0 … n";
constexpr std::string_view kAlvim = "Alvim et al. 2020, ch. 5";
constexpr std::string_view kDankar = "Dankar & El Emam 2010";
constexpr std::string_view kThreeAttacks =
    "Art. 29 Working Party, Opinion 05/2014; Giomi et al. 2023";
constexpr std::string_view kTableOne = "EAN Table I";

constexpr auto kExplanations = std::to_array<FigureExplanation>({
    // ---- What was compared ----
    {"records", "Records", "How many records each of the two tables has.", "n", "", "≥ 0"},
    {"paired", "Paired records",
     "Records of which it is known what became of them; figures of single records are of these.",
     "records of the release whose original is known", "", kRecords},
    {"pairing", "How records were paired",
     "How it is known which released record was which original one.",
     "by position, a key column, a row map or the masking itself", "",
     "position, key, row-map, masking, none"},
    {"missing_rule", "What a missing cell is", "How cells without a value are taken, by the plan.",
     "missing = … of the plan", "", "keep, category, wildcard, drop-record, error"},
    {"identifiers", "Identifiers in the release",
     "Columns that identify people by the plan, and are in the release all the same.",
     "columns of the release with role = identifier", "", "there should be none"},
    {"findings", "Findings",
     "What must be known before the release is signed, the most severe first.",
     "danger stands against signing, warning must be weighed, note explains, promise was verified",
     "", "id, severity, columns, figures, text"},
    {"control", "Whether there is a control",
     "Whether the attacks were also tried on people who are not in the release.",
     "a control table was given", "", "true, false"},
    {"unmasked", "Columns as they were",
     "Columns that came through without any change: every cell was compared, byte by byte.",
     "columns of both tables with equal texts in every paired record", "", "names of columns"},
    {"changed", "Columns that should have come through",
     "Columns that nothing was to change, and that are not what they were all the same: find out "
     "why before you sign.",
     "columns not masked by [mask] (without it: role other or undeclared) whose texts differ in "
     "some paired record",
     "", "there should be none"},
    {"changed.share", "How much of it changed", "The share of the records whose cell differs.",
     "|{i : text of z_i ≠ text of x_i}| / n, suppressed records left out", "", "0 … 1"},
    // ---- Columns ----
    {"columns.masked", "Masked column", "Whether the column was changed.",
     "the plan masks it, or z_i ≠ x_i in some record", "", "true, false"},
    {"columns.distinct", "Different values",
     "How many different values the column has before and after.",
     "|{v : count(v) > 0}|, missing cells left out", "", kRecords},
    {"columns.missing", "Missing cells", "How many records have no value in this column.",
     "records with an empty cell or a missing mark", "", kRecords},
    {"columns.unmapped", "Texts without a meaning",
     "Records whose text was not found in the ontology; they are compared as mere texts.",
     "records whose text has no concept", "", "0 … n, lower is better"},
    {"columns.left_unmapped", "Unknown texts that came through",
     "Records that show a text nobody knows the meaning of, as it stood in the original; look at "
     "them before you release.",
     "released records whose text has no concept and occurs in the original", "",
     "0 … n, should be 0"},
    {"columns.mean", "Typical value",
     "The concept that is closest to all values of the column, its semantic mean.",
     "argmin over concepts c of τ of Σ_i sd(c, x_i)", "semantic noise eq 10-11, framework eq 13",
     "a concept"},
    {"columns.number_mean", "Mean of the numbers",
     "The ordinary average of a column of numbers, before and after.", "Σ_i x_i / n", "",
     "a number, equal before and after is best"},
    {"columns.numeric.mean", "Mean of a column of numbers",
     "The ordinary average of the numbers, before or after.", "Σ_i x_i / n", "", "a number"},
    {"columns.numeric.deviation", "Deviation of a column of numbers",
     "How far the numbers typically are from their mean.", "√(Σ_i (x_i − mean)² / (n − 1))", "",
     "≥ 0"},
    {"columns.numeric.min", "Least number", "The least number of the column.", "min x", "",
     "a number; of the original for stewards alone"},
    {"columns.numeric.max", "Greatest number", "The greatest number of the column.", "max x", "",
     "a number; of the original for stewards alone"},
    {"columns.numeric.quantiles", "Quantiles",
     "The smallest number that at least this share of the records have, or less than it.",
     "min {x : |{i : x_i ≤ x}| ≥ q n}", "", "a number; of the original for stewards alone"},
    {"columns.mean_shift", "Shift of the typical value",
     "How far the typical value of the column moved by masking.",
     "sd(mean(X), mean(Z)); numbers: |mean(X) − mean(Z)| in units of the column, at most 1",
     "semantic noise §IV, framework §5", kLower},
    {"columns.variance", "Spread of the values",
     "How far the values lie from their typical value, before and after; equal is best.",
     "sVar(X) = Σ_i sd(x_i, mean(X))² / n; numbers: Σ_i (x_i − mean(X))² / n",
     "semantic noise eq 12, framework eq 14",
     "concepts 0 … 1, numbers ≥ 0; equal before and after is best"},
    {"columns.variance_expected", "Spread that the noise should give",
     "What the spread should be after noise, for those who compute with the release.",
     "(1 + α) sVar(X), correlated or not", "framework §5 (metric 2)", "≥ the spread before"},
    {"columns.variance_drawn", "Spread by the errors drawn",
     "What the spread would be if the errors of correlated noise simply added up; they have the "
     "spread of distances, not that of the column.",
     "sVar(X) + α sdVar(X)", "framework §4", "≥ the spread before"},
    {"columns.rmse", "Typical change of a value (RMSE)",
     "How far a released value is from the original one, large changes counting more.",
     "√(Σ_i sd(x_i, z_i)² / n), cells missing in both tables left out, in one of them at distance "
     "1; of sets S √(Σ_i Σ_{v∈S_i} sd(x_i, v)² / (l n))",
     "semantic noise §IV, framework §5, rank swapping §5", kLower},
    {"columns.target_rmse", "Change that was asked for",
     "The typical change that the drawn errors ask for; the one reached cannot be finer than the "
     "ontology.",
     "standard deviation of the errors, √(α sVar(X)) where they are independent",
     "semantic noise §IV, framework §5", "≥ 0"},
    {"columns.mean_distance", "Average change of a value",
     "How far a released value is from the original one on average.",
     "Σ_i sd(x_i, z_i) / n, cells missing on both sides left out; of sets the mean over their "
     "values",
     "", kLower},
    {"columns.unchanged", "Cells as they were",
     "The share of records whose value came out as it went in.",
     "|{i : z_i = x_i}| / n, cells missing on both sides left out", "",
     "0 … 1, higher keeps more and hides less"},
    {"columns.total_variation", "Change of the frequencies (total variation)",
     "The share of the records that would have to change to give the frequencies of the release.",
     "½ Σ_v |p(v) − q(v)|, missing cells left out", "", kLower},
    {"columns.hellinger", "Change of the frequencies (Hellinger)",
     "How different the frequencies before and after are; rare values count more than in total "
     "variation.",
     "√(½ Σ_v (√p(v) − √q(v))²), missing cells left out", "", kLower},
    {"columns.semantic_quality", "Meaning kept in a column",
     "How much of a value's meaning is left on average: 1 where nothing changed.",
     "1 − Σ_i sd(x_i, z_i) / n; cells missing on both sides count as kept; of sets S "
     "1 − Σ_i Σ_{v∈S_i} sd(x_i, v) / (l n)",
     "thesis eq 21-22", "0 … 1, higher keeps more"},
    {"columns.ic_loss", "Detail lost (information content)",
     "How much less the released values say, counted by how rare values are before and after; "
     "below 0 where the release is more varied.",
     "mean of −ln p(x_i) less mean of −ln q(z_i), in nats, missing cells left out",
     "Martínez, Valls & Sánchez 2010 (in the thesis), eq 4", "around 0, lower keeps more"},
    {"columns.information_loss", "Loss of a set",
     "How much a released set of l values says less than one value would.", "(l − 1) / l",
     "EAN eq 1", kLower},
    {"columns.distribution", "Frequencies before and after",
     "How often each value occurs in the original and in the release; of many values the most "
     "frequent are listed.",
     "p(v) = count(v) / records with a value; q(v) in the release; of more than 25 values the 24 "
     "with the greatest of p and q, the others pooled",
     "", "0 … 1"},
    {"columns.distribution.pooled", "Pooled values",
     "Whether a line stands for several values: those beyond the most frequent and, in a public "
     "edition, those that few people have.",
     "the line's shares are Σ p(v) and Σ q(v) over them", "", "true, false"},
    {"columns.distribution.values", "Values of a share",
     "How many values a share stands for: one, or those that are pooled.", "number of values", "",
     "≥ 1; in a public edition to three digits"},
    {"columns.distances", "Histogram of changes", "How many records were changed by how much.",
     "records by sd(x_i, z_i) in 20 bins of [0, 1], cells missing on both sides left out", "",
     kRecords},
    // ---- Pairs and the whole table ----
    {"pairs.correlation", "What goes together (distance correlation)",
     "How strongly two columns depend on each other: 0 not at all, 1 entirely; equal before and "
     "after is best.",
     "sdCor(A, B) = sdCov(A, B) / √(sdCov(A, A) sdCov(B, B))",
     "framework eq 15-18, rank swapping eq 16", "0 … 1, equal before and after is best"},
    {"pairs.covariance", "Distance covariance",
     "How two columns vary together, in units of their distances.",
     "sdCov(A, B) = √(Σ_ij a_ij b_ij / n²), a and b doubly centred distances of records with a "
     "value in both columns; numbers: |x − y| / range",
     "framework eq 15-17", "≥ 0, equal before and after is best"},
    {"pairs.covariance_expected", "Covariance that the noise should give",
     "What the covariance of two columns masked by noise should be.", "(1 + α) sdCov(A, B)",
     "framework §5 (metric 4)", "≥ 0"},
    {"pairs.covariance_error", "Error of the covariance",
     "How far the covariance of two columns masked by noise is from what it should be.",
     "|sdCov(A*, B*) − (1 + α) sdCov(A, B)|", "framework §5 (metric 4), Tables 2-4, 7, 8",
     "≥ 0, lower keeps more"},
    {"pairs.sampled", "Records sampled for a correlation",
     "From how many records the correlation was estimated, where all were too many.",
     "records spread evenly over the pairs of values; left out where all took part", "", kRecords},
    {"semantic_quality", "Meaning kept",
     "How much of the meaning is left of the quasi-identifiers and of columns that came out as "
     "sets: 1 where nothing changed.",
     "1 − mean over records and these columns of sd(x, z), of a set S of Σ_{v∈S} sd(x, v) / l; "
     "cells "
     "missing on both sides count as kept",
     "thesis eq 21-22", "0 … 1, higher keeps more"},
    {"discernibility", "Records that cannot be told apart",
     "The sum over all records of how many look alike; large classes make it large.",
     "Σ_g |g|², and n for each suppressed record", "thesis eq 1; Bayardo & Agrawal 2005",
     "n … n², lower keeps more"},
    {"c_avg", "Size of classes compared with k",
     "How many times larger than the plan's k the average class is.",
     "n / (classes · k), suppressed records left out", "thesis eq 2",
     "> 0, near 1 keeps more; below 1: smaller than k"},
    {"lm", "Generalisation (LM)",
     "How general the values are: 0 for most specific values, 1 for the top concept.",
     "mean over quasi-identifiers of the mean over cells of (leaves(v) − 1) / (leaves(τ) − 1); 1 "
     "for emptied cells and unknown texts, 0 without a taxonomy; cells missing in the original "
     "left out",
     "thesis eq 3; Iyengar 2002", kLower},
    {"ncp", "Generalisation (NCP)", "How large a part of the taxonomy a value stands for.",
     "mean over quasi-identifiers of the mean over cells of leaves(v) / leaves(τ), 0 where "
     "leaves(v) = 1; 1 for emptied cells and unknown texts, 0 without a taxonomy; cells missing in "
     "the original left out",
     "thesis eq 4", kLower},
    {"information_loss", "Loss of a record",
     "What a record with sets says less: its sets and its generalised or emptied "
     "quasi-identifiers.",
     "mean over records of (Σ_i lm(t_i) + Σ_s (|S| − 1) / |S|) / (q + s), q quasi-identifiers, s "
     "columns of sets; lm: (leaves(v) − 1) / (leaves(τ) − 1), width / range of an interval, 1 of "
     "an emptied cell, else 0",
     "EAN eq 2", kLower},
    {"partition_distance", "Change of the groups",
     "Whether an analysis finds the same groups of records: 0 the same, 1 nothing in common.",
     "(2 I(A ∩ B) − I(A) − I(B)) / I(A ∩ B), I the entropy of a partition; A, B Ward's clusters "
     "before and after",
     "thesis eq 23-26; López de Mántaras 1991", kLower},
    {"clusters.count", "Groups looked for", "How many groups of records were looked for.",
     "as many clusters as were asked for; there are fewer where fewer records differ. Where auto "
     "was asked for, for each table the c from 2 to 30 where (between / (c − 1)) / (within / (n − "
     "c)) is greatest; this is the "
     "greater of both",
     "thesis section 5.4", "1 … n"},
    {"clusters.sampled", "Records sampled for the groups",
     "From how many records the groups were found, where all were too many.",
     "records drawn with a fixed key, the same in both tables; 0: all", "", kRecords},
    {"clusters.height", "Distance of two groups",
     "How different the groups are that are joined here, in the tree of groups.",
     "√D of Ward's merge over mean sd of the quasi-identifiers; 0 for a group of the cut", "",
     "≥ 0"},
    {"clusters.records", "Records of a group", "How many records a group, or groups joined, have.",
     "Σ over the records of the node of 1", "", "1 … n"},
    {"downstream", "A classifier that learns from the release",
     "How often a simple classifier guesses a column right when it learned from the release, "
     "compared with one that learned from the original.",
     "share of right answers of naive Bayes on original records, each half of them guessed by what "
     "was learned from the other half",
     "Esteban, Hyland & Rätsch 2017", "0 … 1, near the original's keeps more"},
    {"downstream.majority", "Guess of the most frequent value",
     "How often who always says the most frequent value is right; a classifier should do better.",
     "share of records with the most frequent value of the other half's originals", "",
     "what to compare with"},
    {"downstream.tested", "Records tested", "How many records the classifier was tested on.",
     "records that have a value in the column guessed", "", kRecords},
    // ---- Classes ----
    {"classes.count", "Groups that look alike",
     "How many different combinations of quasi-identifiers there are.",
     "|{g}|, suppressed records left out", "", kRecords},
    {"classes.smallest", "Smallest group",
     "The fewest records that share their quasi-identifiers: a record hides among so many.",
     "min_g |g|, suppressed records left out; where missing cells are wildcards, |g| is the "
     "records "
     "that match",
     "Samarati, Sweeney 1998", "1 … n, higher is safer"},
    {"classes.uniques", "Unique records",
     "Records whose combination of quasi-identifiers nobody else has.", "|{g : |g| = 1}|", "",
     "0 … n, lower is safer"},
    {"classes.suppressed", "Suppressed records",
     "Records whose quasi-identifiers were all taken out; they are in no class.",
     "records with nothing but missing quasi-identifiers, that had some before (where records are "
     "not paired: that have none)",
     "", kRecords},
    {"classes.prosecutor", "Prosecutor risk",
     "The chance of finding somebody who is known to be in the release, at worst.",
     "max_g 1 / |g|, suppressed records left out; of a release by noise or swaps, whose classes "
     "hide nobody: finding oneself (linkage.own_among_alike), none where records are not paired",
     kDankar, kSafer},
    {"classes.marketer", "Marketer risk",
     "The share of the records that would be found if everybody was looked for.",
     "mean of 1 / |g| over records that are not suppressed: classes / such records, unless missing "
     "cells are wildcards; of a release by noise or swaps the mean of finding oneself "
     "(linkage.own_among_alike_mean), none where records are not paired",
     kDankar, kSafer},
    {"journalist", "Journalist risk",
     "The chance of being right about some person when the attacker has everybody's "
     "quasi-identifiers, at worst.",
     "max over released combinations g of u / (|g| · F), F people (originals, controls) whose "
     "values "
     "are the released ones or lie below them, u records of g whose own original is one of them; "
     "none where nobody fits any g, or records are not paired",
     kDankar, kSafer},
    {"one_origin", "Combinations of one person",
     "The share of the released combinations of quasi-identifiers that exactly one original fits: "
     "somebody has exactly these values, however many records show them.",
     "|{g : F(g) = 1}| / |{g}|, F the originals whose values are g's or lie below them; suppressed "
     "records left out",
     "", "0 … 1; which of the k records is theirs stays 1/k"},
    {"one_origin_shuffled", "The same with columns shuffled",
     "What that share would be if the columns had nothing to do with each other.",
     "mean over 10 keyed shuffles of each column of the release; none of one column", "",
     "what to compare with"},
    // ---- Models of privacy ----
    {"privacy.k", "k-anonymity",
     "Every record shares its quasi-identifiers with at least k − 1 others, or with those of k − 1 "
     "other persons, where the plan names a person.",
     "k = min_g |g|, suppressed records left out", "Samarati, Sweeney 1998",
     "1 … n, higher is safer"},
    {"privacy.uniques", "Unique records", "Records that nobody else looks like.", "|{g : |g| = 1}|",
     "", "0 … n, lower is safer"},
    {"privacy.sensitive.l", "l-diversity (different values)",
     "The fewest different sensitive values among records that look alike.",
     "min_g |values of g|, missing ones left out", "Machanavajjhala 2007",
     "≥ 1, higher is safer; 0: nobody has a value"},
    {"privacy.sensitive.entropy_l", "l-diversity (entropy)",
     "As many equally frequent sensitive values would be as hard to guess, in the worst group.",
     "min_g exp(−Σ_v p_g(v) ln p_g(v))", "Machanavajjhala 2007", "1 … l, higher is safer"},
    {"privacy.sensitive.recursive_c", "l-diversity (recursive)",
     "How much more frequent than the rarer ones the most frequent sensitive value of a group is, "
     "at worst.",
     "max_g r₁ / (r_l + r_(l+1) + …), r by frequency, l the l-diversity; none where l = 1",
     "Machanavajjhala 2007", "> 0, lower is safer"},
    {"privacy.sensitive.t", "t-closeness",
     "How far the sensitive values of a group are from those of the whole table, at worst.",
     "max_g least cost of moving p_g to p, by the column's sd; none where that is too much work",
     "Li, Li, Venkatasubramanian 2007", kSafer},
    {"privacy.sensitive.most_common", "Most common value of a group",
     "The greatest share of a group's persons who have one sensitive value. 1: whoever knows "
     "somebody's group knows a value of theirs, also where there are several.",
     "max_g max_v r_v / persons(g), r_v the persons of g with v; told where the plan names a "
     "person",
     "", kSafer},
    {"category_diversity", "Categories in a set or group",
     "The fewest different categories that a released set, or the sensitive values of a group that "
     "looks alike, are of.",
     "min over sets or classes S of |{category(v) : v ∈ S}|", "EAN definition 1",
     "≥ 1, higher is safer"},
    // ---- Disclosures ----
    {"disclosures.identity", "Identity disclosure",
     "How often somebody who looks a person up in the release points at the person's own record.",
     "linkage.own_among_alike, its mean and worst; by chance 1 / n", kTableOne, kSafer},
    {"disclosures.membership", "Membership disclosure",
     "How much oftener than of a stranger it is said of somebody in the release that he is in it.",
     "P(some released record fits | in) − P(the same | control)", kTableOne, kSafer},
    {"disclosures.attribute", "Attribute disclosure",
     "How much is believed of a person's true sensitive value once his group or set is known.",
     "share of the true value in the class, or its weight in the set; by frequencies p(v): Σ p², "
     "max p",
     kTableOne, kSafer},
    {"disclosures.skewness", "Skewness",
     "How often the likeliest sensitive value of a person's group or set is the true one.",
     "share of people whose value is the likeliest of their class or set, ties shared; by "
     "frequencies max p",
     kTableOne, kSafer},
    {"disclosures.similarity", "Similarity",
     "How often the likeliest category of a person's group or set is the true one.",
     "as skewness, for the categories that the plan names", kTableOne, kSafer},
    {"disclosures.sensitivity", "Sensitivity",
     "How often the likeliest level of gravity of a person's group or set is the true one.",
     "as skewness, for the levels that the plan names", kTableOne, kSafer},
    {"disclosures.average", "What is told on average",
     "What somebody who has the release is right about, or believes of the truth, on average.",
     "mean over people", kTableOne, kSafer},
    {"disclosures.worst", "What is told at worst",
     "The same in the worst class or set; not told where records were moved, as a stranger's may "
     "be right by chance.",
     "max over people, classes or sets", kTableOne, kSafer},
    {"disclosures.baseline", "What the frequencies tell",
     "The same figure of somebody who knows how often each value occurs and has not seen the "
     "release.",
     "from the frequencies of the original alone", "", "what to compare with"},
    {"disclosures.baseline_worst", "What the frequencies tell at worst",
     "The same of the person whom the frequencies tell most of.",
     "from the frequencies of the original alone", "", "what to compare with"},
    {"disclosures.in", "Said to be in, and are",
     "The share of the released people whom some released record fits.",
     "|{x : some released record fits x}| / people", kTableOne, "what to compare with"},
    {"disclosures.control", "Said to be in, and are not",
     "The share of the control whom some released record fits.",
     "|{x : some released record fits x}| / control", kTableOne, "what to compare with"},
    {"disclosures.fewest", "Fewest in a group or set",
     "The fewest different values, categories or levels among the sensitive values of a group or "
     "set.",
     "min over classes or sets of the different ones", kTableOne, "≥ 1, higher is safer"},
    {"disclosures.protects", "Whether that protects",
     "Yes: the release tells at most 0.05 more than the frequencies, on average and at worst; on "
     "average: only on average.",
     "average ≤ baseline + 0.05, and worst ≤ baseline_worst + 0.05", kTableOne,
     "yes, on average, no"},
    // ---- Linkage and attacks ----
    {"linkage.equality", "Linkage by equal values",
     "The share of released records whose original is found by looking for exactly their values "
     "among the originals.",
     "mean of P(r), P(r) = 0 where r changed, else 1 / originals with the values of r",
     "thesis eq 27-28", kSafer},
    {"linkage.semantic", "Semantic record linkage",
     "The share of released records whose original is found by taking the closest in meaning.",
     "mean of [own original among the nearest] / |nearest|, nearest by mean sd over "
     "quasi-identifiers",
     "thesis (future work); Pagliuca & Seri 1999", kSafer},
    {"linkage.window", "Linkage within the swapping window",
     "The share of records found by someone who knows how the swap works, and its k.",
     "mean of [own original is a candidate] / candidates: originals that every column of the "
     "released record can have come from",
     "Nin, Herranz & Torra 2008", kSafer},
    {"linkage.worst", "Surest link",
     "How sure the best link by meaning between a released combination of values and a person is, "
     "from whichever side it is looked for.",
     "max over released combinations of the mean over their records of [own original among the "
     "nearest] / |nearest|, and the same from the originals' side; suppressed records left out; "
     "where the plan names a person, persons instead of records",
     "", kSafer},
    {"linkage.own_among_alike", "Finding oneself",
     "The greatest chance that somebody who looks his own values up in the release points at his "
     "own record.",
     "max over original combinations x of v / (n · |C|), n originals like x, C released records "
     "that x fits (its values are the released ones or lie below them), v of the n whose own "
     "record "
     "is in C; where the plan names a person, persons instead of records",
     "probabilistic k-anonymity of a swap", kSafer},
    {"linkage.own_among_alike_mean", "Finding oneself, on average",
     "The same chance for anybody of the original table.",
     "mean over the originals x of v / (n · |C|)", "", kSafer},
    {"linkage.baseline", "Linkage by mere chance",
     "What somebody would find by pointing at any record.", "1 / n, n original records", "",
     "what to compare with"},
    {"attacks.singling_out", "Singling out",
     "How often the claim is right that exactly one person has the values of a record that stands "
     "alone in the release.",
     "rate = right / guesses; a guess: a released combination that exactly one released record "
     "fits; right: exactly one original fits (its values are the guess's or lie below them); none "
     "where no guess is possible, which is no proof of safety: see one_origin",
     kThreeAttacks, kSafer},
    {"attacks.guesses", "Guesses made",
     "How many claims were made: by all quasi-identifiers every possible one, by fewer columns up "
     "to "
     "2,000 that were drawn.",
     "released combinations that exactly one released record fits", "", kRecords},
    {"attacks.pointed_at", "People pointed at",
     "The share of the originals that some right guess is about.",
     "|originals that alone fit some guess| / n", "", kSafer},
    {"attacks.columns", "Columns of a guess",
     "How many of the quasi-identifiers a guess is about: the same attack by someone who knows "
     "one, two or three of them.",
     "keyed draws of record and columns, under by_columns; of one column a rate alone, unless "
     "there "
     "is a control",
     "", "1 … 3"},
    {"attacks.linkability", "Linkability",
     "How often two parts of a person's values can be found to belong together by the release.",
     "rate = mean over x of share of originals like x whose record is in T, / |T|; T the released "
     "records nearest to both halves of x (1st, 3rd … and 2nd, 4th … column)",
     kThreeAttacks, kSafer},
    {"attacks.inference", "Inference",
     "How often an unknown value of a person is right if it is drawn from the closest released "
     "records.",
     "rate = mean share of the true value among the released records nearest by quasi-identifiers",
     kThreeAttacks, kSafer},
    {"attacks.tried", "Records attacked",
     "How many records the attack was tried on; singling out: how many guesses were made.",
     "paired records; singling out: guesses", "", kRecords},
    {"attacks.rate", "Right guesses", "How often the attack is right.",
     "right guesses / records (singling out: / guesses); a guess among t equals counts 1 / t",
     "Giomi et al. 2023", kSafer},
    {"attacks.interval", "Interval",
     "If the records were drawn from a population, the rate there lies in here, about 95 times in "
     "100; more often where ties are shared.",
     "Wilson interval of the rate; wider than need be where ties are shared", "Wilson 1927",
     "narrow is sure"},
    {"attacks.control", "Control",
     "The same attack on people who are not in the release: what it finds there is no fault of the "
     "release.",
     "rate over the control's records; singling out: the same guesses, right where exactly one of "
     "as many controls as there are originals fits",
     "Giomi et al. 2023", "what to compare with"},
    {"attacks.baseline", "Guess without the release",
     "How often somebody who has not seen the release would be right.",
     "singling out: the same attack on the release with its columns shuffled, mean of 10 keyed "
     "shuffles, none of one column; linkability: 1 / n; inference: Σ p(s)²",
     "", "what to compare with"},
    {"attacks.risk", "Risk above the control",
     "How much of what a control or mere guessing leaves unknown the release gives away.",
     "(rate − c) / (1 − c), at least 0; c the control's rate, without a control the baseline; none "
     "without both, or without a guess",
     "Giomi et al. 2023", kSafer},
    {"attacks.risk_interval", "Interval of the risk",
     "If the records were drawn from a population, the risk there lies in here, about 95 times in "
     "100.",
     "from the Wilson intervals of rate and control, as of a ratio; a baseline has no error unless "
     "it was drawn",
     "Donner & Zou 2012", "narrow is sure"},
    {"contributions.linkage_without", "What makes records findable",
     "How much would still be found if an attacker did not know this column.",
     "semantic linkage by all other quasi-identifiers", "",
     "0 … 1, far below the whole: this column gives people away"},
    {"contributions.uniques_without", "Unique without this column",
     "The share of released records that would still be unique without it.",
     "uniques over the other quasi-identifiers / n", "", kSafer},
    {"risky_values.records", "Records of a value", "How many original records have the value.",
     "count(x)", "", kRecords},
    {"risky_values.linked", "Values that give people away",
     "Original values whose records are found most easily; for stewards alone.",
     "mean over a value's records of semantic linkage", "", kSafer},
    // ---- The channel ----
    {"channels.how", "How the channel was found",
     "Whether the chances are those of all draws, of what became of the records, or estimates.",
     "P(z | x) exact: over all draws of the plan; observed: records x → z / records x; simulated: "
     "draws with a fixed key",
     "", "exact, observed, simulated"},
    {"channels.prior", "Guess before the release",
     "How often someone who knows the frequencies alone guesses a value right.",
     "max_x p(x); x a tuple where columns are taken together", kAlvim, "what to compare with"},
    {"channels.vulnerability", "Guess after the release",
     "How often the best guess of a person's original value is right once the released value is "
     "seen.",
     "Σ_z max_x p(x) P(z | x); simulated: an estimate, ± half_width", kAlvim, kSafer},
    {"channels.leakage", "Leakage in bits",
     "How much the release helps that guess: every bit doubles the chance.",
     "log₂(vulnerability / prior)", kAlvim, "≥ 0, lower is safer"},
    {"channels.expected", "Belief in the true value",
     "How sure somebody who sees a released value is of the true one, on average.",
     "Σ_x Σ_z p(x) P(z | x) P(x | z); simulated: an estimate", "Alvim et al. 2020", kSafer},
    {"channels.worst", "Belief in the true value, at worst",
     "The surest that somebody can become of a true value; 1 means some released value has one "
     "possible origin. If simulated, the surest seen: it may be worse.",
     "max over x, z with P(z | x) > 0 of P(x | z); simulated: the greatest seen, a lower bound",
     "Alvim et al. 2020", kSafer},
    {"channels.released.origins.posterior", "What a released value may have been",
     "For each released value its likeliest originals, and how sure somebody can be of each; for "
     "stewards alone.",
     "P(x | z) = p(x) P(z | x) / Σ_y p(y) P(z | y), the five greatest", kAlvim, kSafer},
    {"channels.released.records", "Records of a released value",
     "How many released records have the value; for stewards alone.", "count(z)", "", kRecords},
    {"channels.unchanged", "Values that stay",
     "The share of the records whose value comes out as it was.",
     "Σ_x p(x) P(x | x); 0 for sets, in which it always stands", "",
     "0 … 1, higher keeps more and hides less"},
    {"channels.half_width", "Error of a simulated guess",
     "How far the simulated guess after the release may be from the true one, 99 times in 100.",
     "half of a 99 % interval of vulnerability; none where nothing was simulated", "",
     "≥ 0, lower is surer"},
    {"channels.values.records", "Records of a value", "How many original records have the value.",
     "count(x)", "", kRecords},
    {"channels.values.expected", "Belief in a value",
     "How sure somebody who sees what became of this value is of it, on average; for stewards "
     "alone.",
     "Σ_z P(z | x) P(x | z)", "Alvim et al. 2020", kSafer},
    {"channels.values.worst", "Belief in a value, at worst",
     "The surest that somebody can become of this value; for stewards alone.",
     "max over z with P(z | x) > 0 of P(x | z)", "Alvim et al. 2020", kSafer},
    {"channels.values.unchanged", "How often a value stays",
     "The share of this value's records that come out as they were; for stewards alone.",
     "P(x | x); 0 for sets", "", "0 … 1, higher keeps more and hides less"},
});

const FigureExplanation* named(std::string_view name) {
  const auto found = std::find_if(kExplanations.begin(), kExplanations.end(),
                                  [&](const FigureExplanation& e) { return e.name == name; });
  return found == kExplanations.end() ? nullptr : &*found;
}

// classes_original.count is classes.count, clusters.masked.height clusters.height; a guess about
// fewer columns has the figures of its attack; an attack is called singling-out.
std::string of_both_tables(std::string_view name) {
  std::string out;
  while (!name.empty()) {
    std::string_view part = name.substr(0, name.find('.'));
    name.remove_prefix(std::min(part.size() + 1, name.size()));
    for (const std::string_view side : {"_original", "_masked"}) {
      if (part.ends_with(side)) part.remove_suffix(side.size());
    }
    if (part == "original" || part == "masked" || part == "by_columns") continue;
    if (!out.empty()) out += '.';
    out += part;
  }
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

}  // namespace

std::span<const FigureExplanation> figure_explanations() { return kExplanations; }

const FigureExplanation* explain_figure(std::string_view name) {
  const FigureExplanation* found = named(name);
  return found != nullptr ? found : named(of_both_tables(name));
}

}  // namespace semveil
