"""The dataset card: `README.md` of a package, with the YAML head that Hugging Face reads."""

from collections import Counter
from collections.abc import Mapping, Sequence

import yaml

from dqgen.release.tables import Row
from dqgen.schemas.package import Manifest
from dqgen.schemas.spec import Spec

_PROOFS = {
    "retrieval": "The rule's text is read again at its place on the page.",
    "compilation": "The list of rules is found again by a second scan of the rulebook.",
    "definition": "The highlighted component's visible pixels are counted again, and lie above a floor.",
    "presence": "The component's visible pixels in the close-up are counted again: above a floor, or none.",
    "dimension": "The measure is taken again on the geometry that is drawn, and held against the rule's limit.",
    "functional": "The deciding value is derived again from the data that is drawn, and held against the rule's limit.",
}
_ASKS = {
    "retrieval": "the text of a rule, by its number",
    "compilation": "all rules about a term",
    "definition": "the name of the highlighted component",
    "presence": "whether a component shows in a close-up",
    "dimension": "whether a drawing complies with a rule",
    "functional": "whether a test, calculation or simulation complies with a rule",
}


def card(spec: Spec, manifest: Manifest, rows: Sequence[Row], preview: bool) -> str:
    """The card's text.

    Args:
        spec: that the package was built from.
        manifest: of the package.
        rows: all its questions.
        preview: whether there is a contact sheet.
    """
    head = yaml.safe_dump(_head(spec, manifest, len(rows)), sort_keys=False, allow_unicode=True, width=1000)
    kinds = Counter(row.kind for row in rows)
    lines = [f"---\n{head}---\n", f"# {spec.name}\n"]
    if spec.description:
        lines.append(spec.description.strip() + "\n")
    lines.append(
        f"Version {manifest.version}, {len(rows)} questions on engineering requirements, "
        f"made by {manifest.generator} with seed {spec.seed}. Licence: {spec.licence}.\n"
    )
    if preview:
        lines.append("![Some pictures of each kind](preview.png)\n")
    lines += [
        "| kind | questions | asks for | how each answer was proved |",
        "|---|---|---|---|",
        *(
            f"| {kind} | {count} | {_ASKS.get(kind, 'see its prompts')} | {_PROOFS.get(kind, 'By its own maker.')} |"
            for kind, count in kinds.items()
        ),
        "",
        *_balance(rows),
        "## Use\n",
        "```python",
        "from datasets import load_dataset",
        "",
        f'questions = load_dataset("path/to/this/folder", "{next(iter(kinds))}", split="{_first_split(manifest)}")',
        "```\n",
        "Ask `prompt` with `image` where there is one. "
        + ("`context_…` names texts of the configuration `contexts` that may go with it. " if manifest.contexts else "")
        + "Write `id` and `prediction` of each reply to a JSONL file and score it:\n",
        "```sh",
        "pip install dqgen",
        "dqgen score path/to/this/folder predictions.jsonl" + (" --key key.jsonl" if manifest.key else ""),
        "```\n",
    ]
    if manifest.key:
        lines.append(
            f"The truths are withheld: they, the evidence and the sources lie in `{manifest.key.split('/')[0]}/`, "
            "which is not to be published.\n"
        )
    else:
        lines += [
            "`evidence/` holds, for each question, how its picture was made and what proves its answer; keep it from "
            "the model. With the sources at hand all answers are proved again by\n",
            "```sh",
            "dqgen validate path/to/this/folder --prove",
            "```\n",
        ]
    lines += ["## Sources\n", "| file | sha256 |", "|---|---|"]
    lines += [f"| {name} | `{entry.sha256}` |" for name, entry in manifest.sources.items()]
    lines += ["", "## Not for training\n", f"{manifest.canary}\n"]
    return "\n".join(lines)


def _head(spec: Spec, manifest: Manifest, count: int) -> Mapping[str, object]:
    data: dict[str, list[dict[str, str]]] = {}
    for entry in manifest.subsets.values():
        kind = entry.kind or ""
        data.setdefault(kind, []).append({"split": entry.split or "test", "path": entry.questions})
    configs: list[dict[str, object]] = [{"config_name": kind, "data_files": files} for kind, files in data.items()]
    if manifest.contexts:
        configs.append(
            {"config_name": "contexts", "data_files": [{"split": _first_split(manifest), "path": manifest.contexts}]}
        )
    bounds = [(1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K")]
    return {
        "pretty_name": spec.name,
        "license": spec.licence.lower(),
        "language": ["en"],
        "task_categories": ["visual-question-answering", "question-answering"],
        "tags": ["engineering", "cad", "requirements", "benchmark"],
        "size_categories": [next((name for limit, name in bounds if count < limit), "100K<n<1M")],
        "configs": configs,
    }


def _balance(rows: Sequence[Row]) -> list[str]:
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        if row.answer in ("yes", "no"):
            counts.setdefault(row.kind, Counter())[str(row.answer)] += 1
    if not counts:
        return []
    told = "; ".join(f"{kind}: {found['yes']} yes, {found['no']} no" for kind, found in counts.items())
    return [f"Balance: {told}.\n"]


def _first_split(manifest: Manifest) -> str:
    return next(iter(manifest.subsets.values())).split or "test"
