"""`dqgen rulebook`: a numbered requirements document to rules, references and limits."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from dqgen.cli.options import example
from dqgen.errors import UsageError

if TYPE_CHECKING:
    from dqgen.schemas.rulebook import Rule, Rulebook

_FILE = click.argument("file", type=click.Path(path_type=Path))
_PROFILE = click.option(
    "--profile", "profile_name", default="auto", metavar="NAME|FILE", help="auto, designqa, or a YAML file."
)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group(epilog=example("dqgen rulebook parse rules.pdf -o rules.jsonl"))
def command() -> None:
    """Read a rulebook (PDF, Markdown, reST, HTML or text) into rules, references and limits."""


def _book(file: Path, profile_name: str) -> "Rulebook":
    import gc

    from dqgen.rulebook.document import parse
    from dqgen.rulebook.profile import load_profile

    book = parse(file, load_profile(profile_name))
    gc.freeze()  # it lives as long as the program: no search for cycles in it, at the end least of all
    return book


def _print(data: Any) -> None:
    import json

    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


@command.command(epilog=example("dqgen rulebook parse rules.pdf -o rules.csv"))
@_FILE
@_PROFILE
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Write .jsonl, .csv or .json.")
@_JSON
def parse(file: Path, profile_name: str, out: Path | None, as_json: bool) -> None:
    """Write all rules of FILE, with items, tables, references and quantities."""
    from dqgen.rulebook.writers import write_rules, writer_of

    if out is not None:
        writer_of(out)  # a wrong suffix should not cost the reading
    book = _book(file, profile_name)
    if out is not None:
        write_rules(book, out)
    if as_json:
        _print(_summary(book) if out is not None else book.model_dump())
        return
    summary = _summary(book)
    kinds = ", ".join(f"{count} {kind}s" for kind, count in summary["kinds"].items())
    click.echo(f"{file.name}: {summary['rules']} entries numbered like {book.scheme} ({kinds})")
    click.echo(f"{summary['quantities']} quantities, {summary['references']} references, {summary['tables']} tables")
    if book.problems:
        click.echo(f"{len(book.problems)} remarks: dqgen rulebook check {file}")
    if out is not None:
        click.echo(f"written: {out}")


def _summary(book: "Rulebook") -> dict[str, Any]:
    from collections import Counter

    return {
        "source": book.source.model_dump(),
        "profile": book.profile,
        "scheme": book.scheme,
        "rules": len(book.rules),
        "kinds": dict(Counter(rule.kind for rule in book.rules)),
        "items": sum(len(rule.items) for rule in book.rules),
        "tables": sum(len(rule.tables) for rule in book.rules),
        "references": sum(len(rule.references) for rule in book.rules),
        "quantities": sum(len(rule.quantities) for rule in book.rules),
        "problems": len(book.problems),
    }


@command.command(epilog=example("dqgen rulebook check rules.pdf --strict"))
@_FILE
@_PROFILE
@click.option("--strict", is_flag=True, help="Exit with 1 if there is any problem.")
@_JSON
@click.pass_context
def check(ctx: click.Context, file: Path, profile_name: str, strict: bool, as_json: bool) -> int:
    """Report gaps, repeats, damaged numbers, rejected look-alikes, pages without rules, dead references."""
    book = _book(file, profile_name)
    if as_json:
        _print(book.model_dump(include={"source", "profile", "scheme", "problems", "look_alikes"}))
    else:
        for problem in book.problems:
            place = f"p. {problem.page}: " if problem.page else ""
            click.echo(f"{problem.code}: {place}{problem.what}")
        for other in book.look_alikes:
            place = f"p. {other.page}: " if other.page else ""
            click.echo(f"not a rule: {place}'{other.printed}' ({other.reason}) in: {other.text}")
        click.echo(
            f"{file.name}: {len(book.rules)} entries like {book.scheme}, {len(book.problems)} problems, "
            f"{len(book.look_alikes)} look-alikes set aside"
        )
    return int(strict and bool(book.problems))


@command.command(epilog=example("dqgen rulebook show rules.pdf V.1.2 --page-image page.png"))
@_FILE
@click.argument("rule_id", metavar="RULE")
@_PROFILE
@click.option("--children", is_flag=True, help="Show the rules below it, too.")
@click.option("--page-image", type=click.Path(path_type=Path), help="Write the page with the rule's boxes as PNG.")
@_JSON
def show(file: Path, rule_id: str, profile_name: str, children: bool, page_image: Path | None, as_json: bool) -> None:
    """Show one rule of FILE, or one item of it (F.3.2.1.g)."""
    from dqgen.rulebook.reader import page_image as write_image
    from dqgen.rulebook.writers import find_rule, rules_below

    if page_image is not None and page_image.suffix.lower() != ".png":
        raise UsageError("the page image is a PNG", str(page_image), "give a name that ends in .png")
    book = _book(file, profile_name)
    found, item = find_rule(book, rule_id)
    if page_image is not None:
        rule = found[0]
        boxes = [span.box for span in rule.spans if span.page == rule.page]
        write_image(file, rule.page, boxes, page_image)
    if children and item is None:
        found = [*found, *rules_below(book, found[0].id)]
    if as_json:
        _print(item.model_dump() if item is not None else [rule.model_dump() for rule in found])
    elif item is not None:
        click.echo(f"{item.id}  {item.label} {' | '.join(item.cells) or item.text}")
    else:
        for rule in found:
            click.echo(_text_of(rule))
    if page_image is not None and not as_json:
        click.echo(f"written: {page_image}")


def _text_of(rule: "Rule") -> str:
    place = f"  (p. {rule.page_label or rule.page})" if rule.page else ""
    again = f"  occurrence {rule.occurrence}" if rule.occurrence > 1 else ""
    lines = [f"{rule.id}  {rule.title}".rstrip() + f"  [{rule.kind}]{place}{again}"]
    lines += [f"  {line}" for line in rule.text.split("\n") if line]
    lines += [f"  note: {' '.join(note.split())}" for note in rule.notes]
    return "\n".join(lines)


@command.command(epilog=example("dqgen rulebook limits rules.pdf --role limit --json"))
@_FILE
@_PROFILE
@click.option(
    "--role",
    type=click.Choice(["limit", "condition", "test", "definition", "information", "all"]),
    default="limit",
    show_default=True,
    help="Which quantities to list.",
)
@_JSON
def limits(file: Path, profile_name: str, role: str, as_json: bool) -> None:
    """List the limits of FILE: comparator, value and unit of each rule."""
    book = _book(file, profile_name)
    rows = [(rule.id, q) for rule in book.rules for q in rule.quantities if role in ("all", q.role)]
    if as_json:
        _print([{"rule": rule_id, **quantity.model_dump()} for rule_id, quantity in rows])
        return
    for rule_id, quantity in rows:
        value = quantity.value if isinstance(quantity.value, list) else [quantity.value]
        said = " to ".join(f"{number:g}" for number in value)
        label = "" if role == quantity.role else f"  [{quantity.role}]"
        click.echo(f"{quantity.item or rule_id}  {quantity.comparator} {said} {quantity.unit}{label}")


@command.command(epilog=example("dqgen rulebook refs rules.pdf --json"))
@_FILE
@_PROFILE
@click.option("--to", "target", help="Only references to this rule.")
@_JSON
def refs(file: Path, profile_name: str, target: str | None, as_json: bool) -> None:
    """List which rule of FILE refers to which, and to which standards."""
    from dqgen.rulebook.references import edges

    book = _book(file, profile_name)
    graph = [edge for edge in edges(book.rules) if target is None or edge.target == target]
    if as_json:
        _print([edge.model_dump() for edge in graph])
        return
    for edge in graph:
        end = "" if edge.resolved else "  (other document)" if edge.document else "  (not found)"
        click.echo(f"{edge.source} -> {edge.target}{end}")


@command.command(epilog=example("dqgen rulebook terms rules.pdf --about 'Brake Pedal'"))
@_FILE
@_PROFILE
@click.option("--about", metavar="TERM", help="The rules relevant to this term; A/B for synonyms.")
@click.option("--min", "minimum", default=3, show_default=True, help="Mentions below which a phrase is left out.")
@_JSON
def terms(file: Path, profile_name: str, about: str | None, minimum: int, as_json: bool) -> None:
    """List terms of FILE for questions, each with the rules that mention it."""
    from dqgen.rulebook.compilation import rules_about
    from dqgen.rulebook.profile import load_profile
    from dqgen.rulebook.terms import find_terms, mention_type

    book = _book(file, profile_name)
    if about is not None:
        names = [name.strip() for name in about.split("/") if name.strip()]
        if not names:
            raise UsageError("--about needs a term", "--about", "give --about 'Brake Pedal'")
        chosen = load_profile(profile_name)
        method: Literal["designqa", "strict"] = "designqa" if chosen.name == "designqa" else "strict"
        ids = rules_about(book.rules, about, profile=method, parts=chosen.parts)
        mention, where = mention_type(book.rules, names[0], names[1:])
        if as_json:
            _print({"term": about, "mention": mention, "mentioned_in": where, "method": method, "rules": ids})
        else:
            click.echo(f"{about}: {mention}, {len(ids)} relevant rules ({method})")
            click.echo(", ".join(ids))
        return
    found = find_terms(book.rules, minimum)
    if as_json:
        _print([term.model_dump() for term in found])
        return
    for term in found:
        meaning = f" = {term.expansion}" if term.expansion else ""
        click.echo(f"{term.term}{meaning}  [{term.kind}] {term.count} times in {len(term.rules)} rules")


@command.command(epilog=example("dqgen rulebook profile rules.pdf > rules.yaml"))
@_FILE
@_JSON
def profile(file: Path, as_json: bool) -> None:
    """Print what was found about FILE as a profile, ready to edit."""
    from dqgen.rulebook.describe import describe
    from dqgen.rulebook.profile import dump_profile

    found = describe(file)
    if as_json:
        _print(found.model_dump())
    else:
        click.echo(dump_profile(found), nl=False)
