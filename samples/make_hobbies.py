"""Writes hobbies.csv: made-up people with words as people type them. The same rows every time."""
import csv

OCCUPATIONS = ["nurse", "Nurse", "teacher", "carpenter", "clerk", "farmer", "cook", "lawyer",
               "librarian", "electrician", "cleaner", "journalist", "pharmacist", "taxi driver"]
HOBBIES = ["skiing", "hiking", "Chess", "chess", "gardening", "Gardening", "photography", "fishing",
           "football", "mountain-climbing", "surfing", "sailing", "novels", "crossword puzzles",
           "cooking", "yoga", "birdwatching", "Bird watching", "pottery", "choirs", "bicycling",
           "gardenning", "fotography", "chees", "swimmming"]


def draw(state):  # a linear congruential generator: the sample must not depend on a library
    state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
    return state, state >> 33


with open("samples/hobbies.csv", "w", newline="", encoding="utf-8") as out:
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["person", "occupation", "hobby"])
    state = 20
    for person in range(1, 401):
        state, a = draw(state)
        state, b = draw(state)
        state, c = draw(state)
        hobby = HOBBIES[min(b % len(HOBBIES), c % len(HOBBIES))]  # the first ones more often
        rows.writerow([f"P{person:03}", OCCUPATIONS[a % len(OCCUPATIONS)], "" if a % 41 == 0 else hobby])
