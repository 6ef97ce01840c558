"""NLTK's Wu-Palmer on random pairs of WordNet nouns: the peer of distance_bench.

Prints pairs per second. Run by Debian's own Python, which has python3-nltk. NLTK wants a folder
corpora/wordnet with everything of Debian's /usr/share/wordnet and a file `lexnames`, which Debian
does not ship (its 45 names are in lexnames(5WN)); it is put together in a temporary folder.
"""
import os
import random
import sys
import tempfile
import time

LEXNAMES = """adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute
noun.body noun.cognition noun.communication noun.event noun.feeling noun.food noun.group
noun.location noun.motive noun.object noun.person noun.phenomenon noun.plant noun.possession
noun.process noun.quantity noun.relation noun.shape noun.state noun.substance noun.time verb.body
verb.change verb.cognition verb.communication verb.competition verb.consumption verb.contact
verb.creation verb.emotion verb.motion verb.perception verb.possession verb.social verb.stative
verb.weather adj.ppl""".split()
PART_OF_SPEECH = {"noun": 1, "verb": 2, "adj": 3, "adv": 4}


def make_corpus(folder, dictionary):
    corpus = os.path.join(folder, "corpora", "wordnet")
    os.makedirs(corpus)
    for name in os.listdir(dictionary):
        os.symlink(os.path.join(dictionary, name), os.path.join(corpus, name))
    with open(os.path.join(corpus, "lexnames"), "w", encoding="ascii") as out:
        for number, name in enumerate(LEXNAMES):
            out.write(f"{number:02}\t{name}\t{PART_OF_SPEECH[name.split('.')[0]]}\n")


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    with tempfile.TemporaryDirectory() as folder:
        make_corpus(folder, "/usr/share/wordnet")
        import nltk

        nltk.data.path.insert(0, folder)
        from nltk.corpus import wordnet

        nouns = list(wordnet.all_synsets("n"))
        rng = random.Random(1)
        pairs = 0
        start = time.perf_counter()
        while time.perf_counter() - start < seconds:
            for _ in range(100):
                rng.choice(nouns).wup_similarity(rng.choice(nouns))
            pairs += 100
        print(pairs / (time.perf_counter() - start))


if __name__ == "__main__":
    main()
