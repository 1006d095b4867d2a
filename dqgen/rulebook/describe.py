"""What was found about a document, as a profile that a user can edit."""

import re
from collections import Counter
from pathlib import Path

from dqgen.rulebook.document import parse, read_lines
from dqgen.rulebook.profile import Expected, Pages, Profile
from dqgen.rulebook.reader import read


def describe(path: Path) -> Profile:
    """The profile that says what is found in a document anyway: parsing with it changes nothing.

    Raises:
        LoadError, RulebookError: as for parsing.
    """
    source = read(path)
    reading = read_lines(source, Profile())
    book = parse(path)
    ids = [rule.id for rule in book.rules if rule.kind != "part"]
    pages = sorted({span.page for rule in book.rules for span in rule.spans})
    numbering = reading.numbering
    repeated = Counter(
        re.sub(r"\d+", r"\\d+", re.escape(line.text)) for line in reading.lines if line.role == "furniture"
    )
    body = [line.text for line in reading.lines if line.role not in ("furniture", "skipped")]
    patterns = [f"^{pattern}$" for pattern, n in repeated.most_common(12) if n > 3]
    return Profile(
        name=path.stem,
        match=re.escape(path.name),
        pages=Pages(body=f"{pages[0]}-{pages[-1]}" if pages else ""),
        separator=numbering.separator,
        levels=max(len(head.numbers) for head in numbering.heads),
        inherit=any(head.inherited and not head.word for head in numbering.heads),
        furniture=[pattern for pattern in patterns if not any(re.search(pattern, text) for text in body)],
        expected=Expected(count=len(set(ids)), first=ids[0], last=ids[-1]),
    )
