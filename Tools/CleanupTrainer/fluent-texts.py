#!/usr/bin/env python3
"""Write the fluent texts that train-cleanup learns from: fluent-texts.py SLURP CLINC AUSTEN OUTPUT

SLURP, CLINC and AUSTEN are git repositories: github.com/pswietojanski/slurp (texts: CC BY 4.0),
github.com/clinc/oos-eval (CC BY 3.0) and github.com/juliasilge/janeaustenr (novels in the public domain). OUTPUT gets
slurp.txt and clinc.txt, the commands of the training parts, and austen.txt, the sentences of Pride and Prejudice. Sets to
measure with are beside them, in the form that `dictation-bench cleanup --data` reads: slurp.tsv and clinc.tsv, of the
test parts, and austen.tsv, of Emma.
"""
import bz2
import json
import pathlib
import re
import subprocess
import sys


def show(repository, path):
    return subprocess.run(
        ["git", "-C", repository, "show", f"HEAD:{path}"], capture_output=True, check=True).stdout


def slurp(repository):
    def said(part):
        lines = show(repository, f"dataset/slurp/{part}.jsonl").splitlines()
        return {json.loads(line)["sentence"] for line in lines}

    test, devel = said("test"), said("devel")
    commands = set(show(repository, "dataset/lm/lm.txt").decode().splitlines())
    return commands - test - devel, test - devel


def clinc(repository):
    parts = json.loads(show(repository, "data/data_full.json"))
    return tuple({row[0] for name in (part, f"oos_{part}") for row in parts[name]} for part in ("train", "test"))


# A string in the serialized form of R: its kind with its flags, its length, its bytes.
STRING = re.compile(rb"\x00[\x00-\x0f].\x09(....)", re.DOTALL)


def lines(serialized):
    for match in STRING.finditer(serialized):
        end = match.end() + int.from_bytes(match.group(1), "big")
        if end - match.end() < 400:
            try:
                yield serialized[match.end():end].decode()
            except UnicodeDecodeError:
                continue


def novel(repository, name):
    text = "\n".join(lines(bz2.decompress(show(repository, f"data/{name}.rda"))))
    sentences = set()
    for paragraph in re.split(r"\n\s*\n", text):
        plain = " ".join(paragraph.split()).replace("_", "").replace('"', "").replace("--", ", ")
        sentences |= set(re.split(r"(?<=[.?!]) (?=[A-Z])", plain))
    return {sentence for sentence in sentences if len(sentence.split()) <= 60}


def austen(repository):
    return novel(repository, "prideprejudice"), novel(repository, "emma")


def usable(texts):
    found = {" ".join(text.split()) for text in texts}
    return sorted(text for text in found if len(text.split()) > 2)


def main(*arguments):
    output = pathlib.Path(arguments[-1])
    output.mkdir(parents=True, exist_ok=True)
    for source, repository in zip((slurp, clinc, austen), arguments):
        train, test = (usable(texts) for texts in source(repository))
        name = source.__name__
        (output / f"{name}.txt").write_text("".join(text + "\n" for text in train), encoding="utf-8")
        rows = ["disfluent\tfluent"] + [f"{text}\t{text}" for text in test]
        (output / f"{name}.tsv").write_text("".join(row + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
