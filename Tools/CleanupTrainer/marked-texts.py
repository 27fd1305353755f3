#!/usr/bin/env python3
"""Write the marked texts that train-cleanup learns marks from:
marked-texts.py NLTK AUSTEN TALKS MEETINGS HANDBOOK OUTPUT [EWT SGD BANKING]

NLTK is a clone of github.com/nltk/nltk_data: MASC (free for any use, also commercial), the addresses on the state of the
union (public domain) and movie reviews (Pang and Lee, 2004; CC BY 4.0). AUSTEN is github.com/juliasilge/janeaustenr
(public domain). TALKS is github.com/bitcointranscripts/bitcointranscripts (MIT), MEETINGS github.com/Yale-LILY/QMSum, whose
meetings of AMI and ICSI are CC BY 4.0, and HANDBOOK github.com/18F/handbook (CC0). OUTPUT gets masc.txt, speeches.txt,
reviews.txt, austen.txt, talks.txt, meetings.txt and handbook.txt, a paragraph or a whole text a line.
Sets to choose with are in its folder dev, and sets to measure with in its folder test, a word and its mark a line, as
`dictation-bench cleanup --data` reads them. The last three repositories are only measured with:
github.com/UniversalDependencies/UD_English-EWT, github.com/google-research-datasets/dstc8-schema-guided-dialogue and
github.com/PolyAI-LDN/task-specific-datasets.
"""
import csv
import importlib
import io
import json
import pathlib
import re
import subprocess
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
fluent = importlib.import_module("fluent-texts")

# The signs that may follow a word. All others between words are left out.
MARKS = {",": ",", ".": ".", "!": ".", ";": ".", "?": "?", ":": ":", "--": ":", "-": ":", "–": ":", "—": ":", "...": ":"}
NAMES = {"": "O", ",": "COMMA", ".": "PERIOD", "?": "QUESTION", ":": "O"}


def marked(tokens):
    """Words with one mark each at most; a colon replaces every mark that is not learned."""
    words = []
    for token in tokens:
        token = token.replace("’", "'").strip("\"“”‘`*_()[]{}<>|/\\")
        word = token.rstrip(".,;:!?-–—…'\"”)")
        signs = token[len(word):]
        word = word.lstrip("'\"“(-–—.…")
        if re.fullmatch(r"(?i)('(s|m|re|ve|ll|d)|n't)", token) and words:
            words[-1][0] += token
            continue
        if word and any(letter.isalnum() for letter in word):
            # "Mr." and "e.g." end nothing.
            if signs == "." and (word.lower() in TITLES or "." in word or len(word) == 1 and word not in "I"):
                signs = ""
            words.append([word, ""])
        if words and signs:
            sign = next((sign for sign in signs if sign in "?!.;,"), signs[0])
            mark = MARKS.get("..." if signs.startswith("..") else sign, "")
            if mark and not words[-1][1]:
                words[-1][1] = mark
    return words


TITLES = {"mr", "mrs", "ms", "dr", "st", "jr", "sr", "prof", "gen", "sen", "rep", "vs", "no", "etc", "inc", "co"}


def line(words):
    return " ".join(word + mark for word, mark in words)


def usable(words):
    """Texts that are punctuated: enough words, and a mark at least every 40."""
    marks = sum(mark in ",.?" and mark != "" for _, mark in words)
    return len(words) >= 4 and marks * 40 >= len(words) and words[-1][1] in ".?" and words[-1][1] != ""


def archive(repository, name):
    return zipfile.ZipFile(io.BytesIO(fluent.show(repository, f"packages/corpora/{name}.zip")))


# Without marks, or not written by people for people.
LEFT_OUT = {"telephone", "spam", "twitter", "movie-script"}


def masc(nltk):
    files = archive(nltk, "masc_tagged")
    kinds = dict(row.rsplit(" ", 1) for row in files.read("masc_tagged/categories.txt").decode().splitlines() if " " in row)
    for name in sorted(name for name, kind in kinds.items() if kind not in LEFT_OUT):
        text = files.read("masc_tagged/" + name).decode("utf-8", "replace")
        for paragraph in re.split(r"\n\s*\n", text):
            yield name, [token.rsplit("_", 1)[0] for token in paragraph.split()]


def speeches(nltk):
    files = archive(nltk, "state_union")
    for name in sorted(name for name in files.namelist() if re.search(r"/\d{4}-", name)):
        for paragraph in re.split(r"\n\s*\n", files.read(name).decode("latin-1")):
            yield name, re.sub(r"\([A-Z][a-z]+[.)]*\)|--", lambda match: " -- " if match[0] == "--" else " ", paragraph).split()


def reviews(nltk):
    files = archive(nltk, "movie_reviews")
    for name in sorted(name for name in files.namelist() if name.endswith(".txt")):
        yield name, re.sub(r"(?<=[a-z]) ' (?=(s|t|m|re|ve|ll|d)\b)", "'", files.read(name).decode()).split()


def novel(austen, name):
    text = "\n".join(fluent.lines(fluent.bz2.decompress(fluent.show(austen, f"data/{name}.rda"))))
    for number, paragraph in enumerate(re.split(r"\n\s*\n", text)):
        yield f"{name}/{number}", paragraph.replace("--", " -- ").split()


def files(repository, end):
    listed = subprocess.run(
        ["git", "-C", repository, "ls-tree", "-r", "--name-only", "HEAD"], capture_output=True, check=True, text=True)
    return sorted(name for name in listed.stdout.splitlines() if name.endswith(end))


def prose(text):
    """The paragraphs of a page in Markdown, without its head, headings, lists, code and links."""
    text = re.sub(r"\A---\n.*?\n---\n|```.*?```", "", text, flags=re.DOTALL)
    for paragraph in re.split(r"\n\s*\n", text):
        paragraph = re.sub(r"!?\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])", r"\1", paragraph)
        if re.match(r"\s*([#>|*+<{!-]|\d+\.)", paragraph) or "://" in paragraph:
            continue
        # Who speaks: "RS:", "Audience:".
        yield re.sub(r"^\s*[A-Z][\w. ]{0,20}:\s", "", paragraph).split()


# One talk in this many: all of them would outweigh everything else.
EVERY_TALK = 3


def talks(repository):
    # Translations have a second suffix, "day-1.es.md".
    names = [name for name in files(repository, ".md") if "/" in name and name.count(".") == 1]
    for name in names[::EVERY_TALK]:
        for paragraph in prose(fluent.show(repository, name).decode("utf-8", "replace")):
            yield name, paragraph


def meetings(repository):
    for name in files(repository, ".json"):
        if not re.match(r"data/(Academic|Product)/all/", name):
            continue
        for turn in json.loads(fluent.show(repository, name))["meeting_transcripts"]:
            words = re.sub(r"\{[^}]*\}", "", turn["content"])
            yield name, re.sub(r" (?=([.,?!]|'\w+)( |$))", "", words).split()


def handbook(repository):
    for name in files(repository, ".md"):
        for paragraph in prose(fluent.show(repository, name).decode()):
            yield name, paragraph


def ewt(repository):
    document, tokens = "", []
    for row in fluent.show(repository, "en_ewt-ud-test.conllu").decode().splitlines():
        if row.startswith("# newdoc id = "):
            if tokens:
                yield document, tokens
            document, tokens = row[14:], []
        if row.startswith("# text = "):
            tokens += row[9:].split()
    yield document, tokens


def sgd(repository):
    for number in range(1, 12):
        for dialogue in json.loads(fluent.show(repository, f"test/dialogues_{number:03}.json")):
            said = [turn["utterance"] for turn in dialogue["turns"] if turn["speaker"] == "USER"]
            yield dialogue["dialogue_id"], " ".join(said).split()


def banking(repository):
    rows = fluent.show(repository, "banking_data/test.csv").decode()
    for number, row in enumerate(csv.DictReader(io.StringIO(rows))):
        yield str(number), row["text"].split()


def write(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(text + "\n" for text in lines), encoding="utf-8")


def part(place, every):
    return {every - 1: "test", every - 2: "dev"}.get(place % every, "train")


def divide(output, name, texts, every):
    """One of this many files to measure with, one to choose with, the others to learn from."""
    places, parts = {}, {"train": [], "dev": [], "test": []}
    for file, tokens in texts:
        place = places.setdefault(file, len(places))
        words = marked(tokens)
        if words and usable(words):
            parts[part(place, every)].append(words)
    write(output / f"{name}.txt", map(line, parts["train"]))
    for kind in ("dev", "test"):
        write(output / kind / f"{name}.tsv", (f"{word}\t{NAMES[mark]}" for words in parts[kind] for word, mark in words))


def test(output, name, texts):
    found = (marked(tokens) for _, tokens in texts)
    write(output / "test" / f"{name}.tsv",
          (f"{word}\t{NAMES[mark]}" for words in found if words and usable(words) for word, mark in words))


def main(nltk, austen, transcripts, summaries, guide, output, *measured):
    output = pathlib.Path(output)
    divide(output, "masc", masc(nltk), 5)
    divide(output, "speeches", speeches(nltk), 8)
    divide(output, "reviews", reviews(nltk), 10)
    divide(output, "austen", novel(austen, "prideprejudice"), 10**6)
    divide(output, "talks", talks(transcripts), 10**6)
    divide(output, "meetings", meetings(summaries), 10**6)
    divide(output, "handbook", handbook(guide), 10**6)
    test(output, "emma", novel(austen, "emma"))
    for source, repository in zip((ewt, sgd, banking), measured):
        test(output, source.__name__, source(repository))


if __name__ == "__main__":
    if len(sys.argv) not in (7, 10):
        sys.exit(__doc__)
    main(*sys.argv[1:])
