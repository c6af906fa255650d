"""The audit as one page that needs no network: `figures/audit/index.html`, made of `claims.json` and the main claims of each paper.

The page is whole without its script (filters, sorting and folding are the script's); templates, style and script stand in `templates/`.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from banditpapers.audit import VERDICTS
from banditpapers.files import write_text
from banditpapers.sentences import lines
from banditpapers.yaml_marks import read_file

TEMPLATES = Path(__file__).parent / "templates"
MARKS = dict(zip(VERDICTS, "✓≈✗⊘?", strict=True))  # a verdict is told by a word and a mark, never by colour alone
HOLDS = {"ordering": "> 0", "trend": "> 0", "bound": "≥ 0"}  # the margins with which a statement holds, by kind


class Statement(BaseModel):
    """A main claim of a paper: a sentence, and ids or patterns of ids of the claims that it consists of."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    statement: str
    claims: list[str] = Field(min_length=1)


@dataclass(frozen=True)
class Headline:
    """A main claim with what the audit says of it: `key` names it in addresses, `ids` are its claims in the audit's order."""

    key: str
    statement: str
    ids: tuple[str, ...]
    verdicts: Mapping[str, int]


@dataclass(frozen=True)
class Shown:
    """An exhibit as the page links to it. `picture` is empty where the exhibit is a table; addresses are relative to the page."""

    title: str
    picture: str
    files: Mapping[str, str]


def load_main(path: Path, papers: Sequence[str]) -> dict[str, list[Statement]]:
    """The main claims of papers. Raises ValueError with the file and the first thing that is wrong in it."""
    marked = read_file(path)
    if marked.faults:
        raise ValueError(lines(marked.faults[:1]))
    try:
        found = TypeAdapter(dict[str, list[Statement]]).validate_python(marked.data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ValueError(f"{path}, {place}: {first['msg']}; write a list of {{statement: ..., claims: [...]}} per paper") from error
    missing = [paper for paper in papers if not found.get(paper)]
    if missing:
        raise ValueError(f"{path} has no main claims of {missing[0]}; write at least one {{statement: ..., claims: [...]}} there")
    return {paper: found[paper] for paper in papers}


def headlines(main: Mapping[str, Sequence[Statement]], claims: Sequence[Mapping[str, Any]]) -> dict[str, list[Headline]]:
    """Each paper's main claims with their verdicts counted. Raises ValueError for a pattern that matches no claim."""
    found: dict[str, list[Headline]] = {}
    for paper, statements in main.items():
        verdicts = {claim["id"]: claim["verdict"] for claim in claims if claim["paper"] == paper}
        found[paper] = []
        for number, statement in enumerate(statements, 1):
            for pattern in statement.claims:
                if not any(fnmatchcase(name, pattern) for name in verdicts):
                    raise ValueError(
                        f"the main claims of {paper} name {pattern!r}, which is no id of its claims; write an id, or a pattern"
                    )
            ids = tuple(name for name in verdicts if any(fnmatchcase(name, pattern) for pattern in statement.claims))
            found[paper].append(Headline(f"{paper}-{number}", statement.statement, ids, tally(verdicts[name] for name in ids)))
    return found


def tally(verdicts: Any) -> dict[str, int]:
    """How often each verdict is met, in the verdicts' order; none that is not met."""
    counted = Counter(verdicts)
    return {verdict: counted[verdict] for verdict in VERDICTS if counted[verdict]}


def shown(papers: Sequence[str]) -> dict[str, Shown]:
    """Every exhibit of papers by its name in the audit (`lp2s/table2`)."""
    found = {}
    for paper in papers:
        for name, exhibit in import_module(f"banditpapers.papers.{paper}.experiment").EXHIBITS.items():
            base = f"../{paper}/{name}"
            suffixes = ("svg", "png", "csv") if exhibit.kind == "figure" else ("md", "csv", "tex")
            picture = f"{base}.png" if exhibit.kind == "figure" else ""
            found[f"{paper}/{name}"] = Shown(exhibit.title, picture, {suffix: f"{base}.{suffix}" for suffix in suffixes})
    return found


def spelled(value: Any) -> str:
    """A number for people: four digits, thousands apart, a true minus sign; "–" where there is none."""
    if value is None:
        return "–"
    if not isinstance(value, (int, float)):
        return str(value)
    size = abs(value)
    if size >= 1e7 or 0 < size < 1e-4:
        text = f"{value:.4g}"
    elif isinstance(value, int) or size >= 1000:
        text = f"{value:,.0f}".replace(",", "\u202f")
    else:
        text = f"{value:.4g}"
    return text.replace("-", "−").replace("e+0", "e").replace("e−0", "e−").replace("e+", "e")


def printed(value: Any) -> str:
    """A number of a paper with all the digits that it prints."""
    return spelled(value) if value is None or abs(value) >= 1000 else f"{value:.9g}".replace("-", "−")


def exact(value: Any) -> str:
    """A number as the table for machines spells it: nine significant digits, or nothing."""
    return "" if value is None else f"{value:.9g}"


def marked(text: str) -> Markup:
    """A text, escaped, with what stands between backquotes as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def slug(text: str) -> str:
    """A word for attributes and addresses."""
    return text.replace(" ", "-")


def render(audit: Mapping[str, Any], main: Mapping[str, Sequence[Statement]], exhibits: Mapping[str, Shown]) -> str:
    """The page of an audit in the form of `claims.schema.json`. Every text of it is escaped."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.policies["json.dumps_kwargs"] = {"sort_keys": True, "separators": (",", ":"), "ensure_ascii": False, "allow_nan": False}
    environment.filters |= {"spelled": spelled, "printed": printed, "exact": exact, "marked": marked, "slug": slug}
    claims = audit["claims"]
    stated = headlines(main, claims)
    groups: dict[tuple[str, str], list[str]] = {}
    for paper, statements in stated.items():
        for headline in statements:
            for name in headline.ids:
                groups.setdefault((paper, name), []).append(headline.key)
    counts = {paper["key"]: tally(claim["verdict"] for claim in claims if claim["paper"] == paper["key"]) for paper in audit["papers"]}
    return environment.get_template("page.html").render(
        audit=audit,
        claims=claims,
        headlines=stated,
        groups=groups,
        counts=counts,
        total=tally(claim["verdict"] for claim in claims),
        details=details(audit, exhibits),
        kinds=sorted({claim["kind"] for claim in claims}),
        measured=sorted({claim["exhibit"] for claim in claims}),
        marks=MARKS,
        holds=HOLDS,
        style=Markup((TEMPLATES / "page.css").read_text(encoding="utf-8")),
        script=Markup((TEMPLATES / "page.js").read_text(encoding="utf-8")),
    )


def details(audit: Mapping[str, Any], exhibits: Mapping[str, Shown]) -> dict[str, Any]:
    """What the page shows of a claim when its row is opened: kept as data, because two thousand tables would open slowly."""
    discussed: dict[str, list[int]] = {}
    for number, difference in enumerate(audit["differences"], 1):
        for name in difference["claims"]:
            discussed.setdefault(f"{difference['paper']}-{name}", []).append(number)
    found = {}
    for claim in audit["claims"]:
        anchor = f"{claim['paper']}-{claim['id']}"
        nothing = {"reading": "", "default": True, "measured": None, "low": None, "high": None, "planned": -1, "finished": -1}
        found[anchor] = {
            **{name: claim[name] for name in ("id", "exhibit", "target", "command", "reason", "rule", "family")},
            "discussed": discussed.get(anchor, []),
            "readings": [
                {
                    **{name: reading[name] for name in ("reading", "default", "verdict")},
                    **({} if reading["reason"] == claim["reason"] else {"reason": reading["reason"]}),
                    "numbers": [[exact(reading[name]), spelled(reading[name])] for name in ("measured", "low", "high")],
                    "n": _counted(reading),
                }
                for reading in claim["readings"] or [nothing | {name: claim[name] for name in ("verdict", "reason")}]
            ],
        }
    return {"claims": found, "exhibits": {name: {**vars(exhibit)} for name, exhibit in exhibits.items()}}


def _counted(reading: Mapping[str, Any]) -> str:
    if reading["planned"] <= 0:
        return "exact" if reading["planned"] == 0 else "–"
    all_of_them = reading["finished"] == reading["planned"]
    return spelled(reading["planned"]) if all_of_them else f"{spelled(reading['finished'])} of {spelled(reading['planned'])}"


def write(claims: Path, main: Path, output: Path) -> None:
    """Write the page of an audit that stands beside it."""
    audit = json.loads(claims.read_text(encoding="utf-8"))
    papers = [paper["key"] for paper in audit["papers"]]
    write_text(output, render(audit, load_main(main, papers), shown(papers)))
