#!/usr/bin/env python3
"""Write the spoken sentences that the clean-up is measured with: disco-pairs.py DISCO OUTPUT

DISCO is a clone of github.com/vineet2104/DISCO (Bhat and others, 2023): sentences with slips, most of them orders to an
assistant, and the same sentences as people wrote them without the slips. OUTPUT gets disco-choosing.tsv, with which
rules may be chosen, and disco-scoring.tsv, with which they are only measured. The hash of the fluent sentence
decides, so that two versions of one sentence are in the same half.

Nothing is learned from these texts.
"""
import hashlib
import pathlib
import re
import sys
import xml.etree.ElementTree as XML
import zipfile

SPREADSHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def rows(path):
    """The cells of each row, by the letter of their column."""
    with zipfile.ZipFile(path) as book:
        strings = [
            "".join(text.text or "" for text in item.iter(SPREADSHEET + "t"))
            for item in XML.fromstring(book.read("xl/sharedStrings.xml"))
        ]
        sheet = XML.fromstring(book.read("xl/worksheets/sheet1.xml"))
    for row in sheet.iter(SPREADSHEET + "row"):
        cells = {}
        for cell in row:
            value = cell.find(SPREADSHEET + "v")
            if value is not None:
                text = strings[int(value.text)] if cell.get("t") == "s" else value.text
                cells[re.match("[A-Z]+", cell.get("r"))[0]] = " ".join(text.split())
        yield cells


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    source, output = map(pathlib.Path, sys.argv[1:])
    output.mkdir(parents=True, exist_ok=True)
    halves = {"choosing": [], "scoring": []}
    sentences = rows(source / "data" / "labeled-data" / "English.xlsx")
    next(sentences)
    for cells in sentences:
        disfluent, fluent = cells.get("B"), cells.get("C")
        if disfluent and fluent:
            is_odd = int(hashlib.sha256(fluent.lower().encode()).hexdigest(), 16) % 2
            halves["choosing" if is_odd else "scoring"].append(f"{disfluent}\t{fluent}")
    for half, pairs in halves.items():
        text = "\n".join(["disfluent\tfluent", *pairs]) + "\n"
        (output / f"disco-{half}.tsv").write_text(text)


if __name__ == "__main__":
    main()
