#!/usr/bin/env python3
"""Write the annotated telephone calls that the clean-up is measured with: conversation-pairs.py NLTK OUTPUT

NLTK is a clone of github.com/nltk/nltk_data. It has 36 calls of Switchboard (Open Content License), whose disfluencies were
marked by people. OUTPUT gets calls-choosing.tsv, the first 18 calls, with which rules may be chosen, and
calls-scoring.tsv, the other 18, with which they are only measured. A row is what somebody said until the other one spoke, as
bare words, and the same without

- the reparandum of a repair, and words between it and the repair: [ the, + {F uh, } the ];
- fillers {F uh}, edit terms {E I mean} and discourse markers {D you know}.

Nothing is learned from these texts.
"""
import importlib
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
marked = importlib.import_module("marked-texts")

REMOVED = {"repair", "F", "E", "D"}
SHORTEST = 3


def turns(text):
    """The turns of each call; a line without a speaker belongs to the turn before it."""
    calls, last = [], None
    for line in text.splitlines():
        start = re.match(r"[AB]\.(\d+):\s*(.*)", line)
        if start:
            number = int(start[1])
            if last is None or number < last and number <= 2:
                calls.append([])
            calls[-1].append(start[2])
            last = number
        elif line.strip() and calls:
            calls[-1][-1] += " " + line.strip()
    return calls


def words(turn):
    """Each word with the kinds of brackets around it."""
    turn = re.sub(r"<[^>]*>|\(\(|\)\)|-?/", " ", turn)
    turn = re.sub(r"(\{[A-Z]|[][}+])", r" \1 ", turn)
    found, open_brackets = [], []
    for token in turn.split():
        if token == "[" or re.fullmatch(r"\{[A-Z]", token):
            open_brackets.append((token, len(found)))
        elif token == "+":
            start = next((start for bracket, start in reversed(open_brackets) if bracket == "["), len(found))
            for word in found[start:]:
                word[1].add("repair")
        elif token in "]}":
            bracket = "[" if token == "]" else "{"
            place = next((place for place in reversed(range(len(open_brackets)))
                          if open_brackets[place][0][0] == bracket), None)
            if place is not None:
                kind, start = open_brackets.pop(place)
                for word in found[start:] if bracket == "{" else []:
                    word[1].add(kind[1])
        else:
            bare = re.sub(r"[^A-Za-z0-9'-]", "", token).strip("-").lower()
            if bare:
                found.append((bare, set()))
    return found


def main():
    nltk, output = sys.argv[1], pathlib.Path(sys.argv[2])
    output.mkdir(parents=True, exist_ok=True)
    calls = turns(marked.archive(nltk, "switchboard").read("switchboard/disfluency").decode("latin-1"))
    half = len(calls) // 2
    for name, part in ("choosing", calls[:half]), ("scoring", calls[half:]):
        with open(output / f"calls-{name}.tsv", "w", encoding="utf-8") as file:
            print("disfluent\tfluent", file=file)
            for turn in (turn for call in part for turn in call):
                said = words(turn)
                if len(said) >= SHORTEST:
                    meant = [word for word, kinds in said if not kinds & REMOVED]
                    print(" ".join(word for word, _ in said), " ".join(meant), sep="\t", file=file)


if __name__ == "__main__":
    main()
