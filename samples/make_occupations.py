"""Writes occupations.csv.gz: 30,242 people with their own and their father's occupation.

Own occupations have the counts that the semantic noise paper published for the Adult census data
(Rodriguez-Garcia, Batet, Sánchez, Table I). Fathers are made up: half did what the child does, a
quarter something close to it, a quarter anything. Fixed generator, always the same bytes.
"""

import gzip
from pathlib import Path

COUNTS = {
    "protector": 644, "functionary": 3295, "salesperson": 3584, "technician": 912, "carrier": 1572,
    "farmer": 989, "cleaner": 1350, "clerk": 3721, "executive": 3992, "craftsman": 4030,
    "specialist": 4038, "serviceman": 6, "factory worker": 1966, "housekeeper": 143,
}
CLOSE = [
    ["clerk", "functionary", "salesperson", "executive"],
    ["technician", "craftsman", "specialist"],
    ["cleaner", "housekeeper", "factory worker", "carrier"],
    ["protector", "serviceman", "functionary"],
    ["farmer", "craftsman", "carrier"],
]
REGIONS = ["North", "South", "East", "West"]


class Draw:  # a linear congruential generator: the sample must not depend on a library
    state = 30242

    def below(self, limit):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % limit

    def choice(self, values):
        return values[self.below(len(values))]


def main():
    draw = Draw()
    people = [job for job, count in COUNTS.items() for _ in range(count)]
    for i in range(len(people) - 1, 0, -1):
        j = draw.below(i + 1)
        people[i], people[j] = people[j], people[i]
    lines = ["person,region,year,occupation,father"]
    for number, job in enumerate(people):
        kind = draw.below(100)
        if kind < 50:
            father = job
        elif kind < 75:
            father = draw.choice(draw.choice([group for group in CLOSE if job in group]))
        else:
            father = draw.choice(list(COUNTS))
        if draw.below(100) == 0:
            father = ""
        region = draw.choice(REGIONS)
        lines.append(f"P{number:05d},{region},{1930 + draw.below(66)},{job},{father}")
    text = "\n".join(lines) + "\n"
    path = Path(__file__).with_name("occupations.csv.gz")
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(text.encode())


if __name__ == "__main__":
    main()
