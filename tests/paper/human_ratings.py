"""The golden values of the feature measures in human_ratings_test.cc, derived again.

    python tests/paper/human_ratings.py /usr/share/wordnet "$SEMVEIL_DATA/word-similarity"

Reads data.noun and index.noun of WordNet 3.0 itself and evaluates the formulas of the master thesis, eq 8-12 and
17, over sets of texts; of this project it takes the list of function words and nothing else. Prints for every
measure the Pearson correlation of the closest senses' similarity with people, on Miller & Charles and on Rubenstein
& Goodenough. Takes ten seconds."""

import collections
import csv
import functools
import math
import pathlib
import re
import sys
import unicodedata

if len(sys.argv) != 3:
    sys.exit(__doc__)
PROJECT = pathlib.Path(__file__).resolve().parents[2]
WORDNET, RATINGS = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
FUNCTION_WORDS = set(re.findall(r'"([a-z]+)"', re.search(
    r"kStopWords = .*?\}\);", (PROJECT / "src/measures/gloss_words.cc").read_text(), re.S).group()))


def lines(name):
    with open(WORDNET / name, encoding="utf-8") as file:
        yield from (line for line in file if not line.startswith("  "))  # the licence


def folded(text):
    return unicodedata.normalize("NFKC", text).casefold()


def squeezed(name):
    return re.sub(r"[\s_-]+", "", folded(name))


def content_words(text):
    return {w for w in re.findall(r"[^\W_]+", folded(text)) if len(w) > 1 and w not in FUNCTION_WORDS}


PARENTS, NAMES, WORDS, NAME_WORDS = {}, {}, {}, {}  # by synset
CHILDREN, PARTS, WHOLES = (collections.defaultdict(set) for _ in range(3))
for line in lines("data.noun"):
    head, gloss = line.split("|", 1)
    field = head.split()
    count = int(field[3], 16)
    names = field[4:4 + 2 * count:2]
    links = field[5 + 2 * count:]
    synset = field[0]
    PARENTS[synset] = {links[i + 1] for i in range(0, len(links), 4) if links[i] in ("@", "@i")}
    for symbol, other, speech in zip(links[::4], links[1::4], links[2::4]):
        if symbol in ("#p", "#m", "#s") and speech == "n":
            WHOLES[synset].add(other)
            PARTS[other].add(synset)
        elif symbol in ("%p", "%m", "%s") and speech == "n":
            PARTS[synset].add(other)
            WHOLES[other].add(synset)
    NAMES[synset] = {squeezed(name) for name in names}
    NAME_WORDS[synset] = set().union(*(content_words(name) for name in names))
    WORDS[synset] = content_words(gloss)
    for parent in PARENTS[synset]:
        CHILDREN[parent].add(synset)
SENSES = {}
for line in lines("index.noun"):
    field = line.split()
    SENSES[field[0]] = field[-int(field[2]):]
assert len(PARENTS) == 82115, "not WordNet 3.0"
assert max(map(len, WORDS.values())) <= 255  # no definition is too long


@functools.lru_cache(None)
def depth(c):
    return 1 + max((depth(p) for p in PARENTS[c]), default=0)


@functools.lru_cache(None)
def above(c):
    return frozenset({c}.union(*(above(p) for p in PARENTS[c])))


def names_of(synsets):
    return set().union(*(NAMES[c] for c in synsets))


def jaccard(A, B):
    return len(A & B) / len(A | B) if A | B else 0


def one_way(A, B, a, b):
    gamma = min(depth(a), depth(b)) / (depth(a) + depth(b))
    both = len(A & B)
    return both / (both + gamma * len(A - B) + (1 - gamma) * len(B - A)) if both else 0


def tversky(A, B, a, b):
    """The mean of both ways."""
    return (one_way(A, B, a, b) + one_way(B, A, b, a)) / 2


def by_sanchez(a, b):
    A, B = above(a), above(b)
    return 1 - math.log2(1 + len(A ^ B) / len(A | B))


def by_tversky(a, b):
    return tversky(names_of(above(a)), names_of(above(b)), a, b)


@functools.lru_cache(None)
def parts_above(c):
    return names_of(set().union(*(PARTS[x] for x in above(c))))


def by_rodriguez_egenhofer(a, b):
    def mean_of_maxima(*kinds):
        # Both ways; of features the more alike kind, each way for itself.
        ways = []
        for x, y in ((a, b), (b, a)):
            ways.append(max(one_way(kind(x), kind(y), x, y) for kind in kinds))
        return sum(ways) / 2

    def around(c):
        return names_of(PARENTS[c] | CHILDREN[c] | PARTS[c] | WHOLES[c] | {c})
    return (tversky(NAMES[a], NAMES[b], a, b) + mean_of_maxima(WORDS.get, parts_above)
            + tversky(around(a), around(b), a, b)) / 3


def by_x_similarity(a, b):
    if NAMES[a] & NAMES[b]:
        return 1
    return max(jaccard(names_of(above(a)), names_of(above(b))),
               jaccard(names_of(CHILDREN[a]), names_of(CHILDREN[b])),
               jaccard(names_of(PARTS[a]), names_of(PARTS[b])),
               jaccard(names_of(WHOLES[a]), names_of(WHOLES[b])), jaccard(WORDS[a], WORDS[b]))


GLOSSES = collections.defaultdict(list)
for synset, words in WORDS.items():
    for word in words:
        GLOSSES[word].append(synset)
COUNTS = {word for word, glosses in GLOSSES.items() if 2 <= len(glosses) <= max(50, len(PARENTS) // 500)}


@functools.lru_cache(None)
def vector(c):
    total = collections.Counter()
    for word in (WORDS[c] | NAME_WORDS[c]).union(*(WORDS[p] for p in PARENTS[c])) & COUNTS:
        for gloss in GLOSSES[word]:
            total.update(WORDS[gloss] & COUNTS)
    return total


def by_gloss_vector(a, b):
    def product(x, y):
        return sum(times * y[word] for word, times in x.items() if word in y)
    x, y = vector(a), vector(b)
    return product(x, y) / math.sqrt(product(x, x) * product(y, y)) if x and y else 0


def pearson(x, y):
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    x, y = [v - mean_x for v in x], [v - mean_y for v in y]
    return sum(map(float.__mul__, x, y)) / math.sqrt(sum(v * v for v in x) * sum(v * v for v in y))


def correlation(similarity, name):
    with open(RATINGS / name, newline="", encoding="utf-8") as file:
        rated = list(csv.reader(file))[1:]
    ours = [max(float(a == b or similarity(a, b)) for a in SENSES[x] for b in SENSES[y]) for x, y, _ in rated]
    return pearson(ours, [float(score) for _, _, score in rated])


for title, similarity in [("sanchez", by_sanchez), ("tversky", by_tversky),
                          ("rodriguez-egenhofer", by_rodriguez_egenhofer),
                          ("x-similarity", by_x_similarity), ("gloss-vector", by_gloss_vector)]:
    print(f"{title:20} {correlation(similarity, 'miller-charles-30.csv'):.6f} "
          f"{correlation(similarity, 'rubenstein-goodenough-65.csv'):.6f}", flush=True)
