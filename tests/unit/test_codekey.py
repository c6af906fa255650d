"""The code key changes with what can change a result, and with nothing else."""

from pathlib import Path

import pytest

from banditpapers import codekey
from banditpapers.codekey import closure, code_key
from banditpapers.plugins import names

FILES = {
    "__init__": '"""The package."""\n\n__version__ = "1"\n',
    "algorithms.__init__": "",
    "algorithms.race": '''"""A race."""

from tiny.kernels.sums import total
import tiny.environments.arms as arms


class Race:
    """Parameters."""

    delta: float = 0.1
    """an error probability"""

    def play(self, x):
        """Play."""
        if x is None:
            return -1
        return total(x) * 2 + arms.draw(x)
''',
    "algorithms.other": "from tiny.environments.arms import draw\n\n\ndef play(x):\n    return draw(x)\n",
    "environments.arms": "import math\n\n\ndef draw(x):\n    return math.sqrt(x)\n",
    "kernels.sums": "from tiny.kernels import squares\n\n\ndef total(x):\n    return squares.square(x) + 1\n",
    "kernels.__init__": "",
    "kernels.squares": "def square(x):\n    from tiny import constants\n\n    return x * x * constants.C\n",
    "constants": "C = 3\n",
    "unrelated": "D = 4\n",
}
RACE = "tiny.algorithms.race"


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A tiny package on disk; calling it with a module and two texts replaces one by the other there."""
    monkeypatch.setattr(codekey, "SOURCE", tmp_path)
    monkeypatch.setattr(codekey, "PACKAGE", "tiny")

    def forget():
        for cached in (codekey._tree, codekey._imports, codekey.fingerprint):
            cached.cache_clear()

    def edit(module, old="", new=""):
        path = tmp_path / "tiny" / f"{module.replace('.', '/')}.py"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        forget()

    for module, text in FILES.items():
        path = tmp_path / "tiny" / f"{module.replace('.', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    forget()
    yield edit
    forget()


def test_the_closure_follows_imports_to_their_end(package):
    assert closure(RACE) == [
        "tiny", RACE, "tiny.constants", "tiny.environments.arms", "tiny.kernels", "tiny.kernels.squares", "tiny.kernels.sums",
    ]  # fmt: skip
    assert closure("tiny.unrelated") == ["tiny.unrelated"]
    assert closure("tiny.unrelated", RACE) == sorted({"tiny.unrelated", *closure(RACE)})


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("algorithms.race", "        return total", "        # a comment\n        return total"),
        ("algorithms.race", '"""A race."""', '"""Another\nrace, longer."""'),
        ("algorithms.race", '"""A race."""\n', ""),
        ("algorithms.race", '        """Play."""\n', ""),
        ("algorithms.race", '    """Parameters."""', "    'Quotes differ.'"),
        ("algorithms.race", '    """an error probability"""\n', ""),
        ("algorithms.race", "total(x) * 2 + arms.draw(x)", "(\n            (total(x)*2)\n            + arms.draw( x )\n        )"),
        ("algorithms.race", "-1", "- 0x1"),
        ("kernels.squares", "x * x * constants.C", "(x*x)*constants.C  # squared"),
        ("unrelated", "4", "5"),
        ("algorithms.other", "draw(x)", "draw(x) + 1"),
    ],
)
def test_what_cannot_change_a_result_keeps_the_key(package, module, old, new):
    before = code_key(RACE)
    package(module, old, new)
    assert code_key(RACE) == before


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("algorithms.race", "* 2", "* 3"),
        ("algorithms.race", "* 2 +", "* 2 -"),
        ("algorithms.race", "0.1", "0.2"),
        ("algorithms.race", "-1", "None"),
        ("algorithms.race", "-1", "'-1'"),
        ("algorithms.race", "        return total", "        x = x + 1\n        return total"),
        ("kernels.sums", "+ 1", "+ 2"),
        ("kernels.squares", "x * x", "x + x"),
        ("constants", "3", "4"),
        ("environments.arms", "sqrt", "cbrt"),
    ],
)
def test_what_can_change_a_result_changes_the_key(package, module, old, new):
    before = code_key(RACE)
    package(module, old, new)
    assert code_key(RACE) != before


def test_a_change_reaches_exactly_who_imports_it(package):
    def keys():
        return [code_key(module) for module in (RACE, "tiny.algorithms.other", "tiny.unrelated")]

    before = keys()
    package("kernels.squares", "x * x", "x ** 2.5")
    assert [now != then for now, then in zip(keys(), before, strict=True)] == [True, False, False]
    before = keys()
    package("environments.arms", "sqrt", "cbrt")
    assert [now != then for now, then in zip(keys(), before, strict=True)] == [True, True, False]


def test_a_new_import_is_followed(package):
    package("environments.arms", "import math\n", "import math\nfrom tiny.unrelated import D\n")
    before = code_key(RACE)
    assert "tiny.unrelated" in closure(RACE)
    package("unrelated", "4", "5")
    assert code_key(RACE) != before


def test_a_moved_module_changes_the_key(package):
    assert code_key("tiny.constants") != code_key("tiny.unrelated")
    package("unrelated", "D = 4", "C = 3")
    assert code_key("tiny.constants") != code_key("tiny.unrelated"), "the names of modules count"


def test_keys_are_pinned(package):
    """The key is a function of the code alone: not of the version of Python, which adds fields to its trees."""
    assert code_key("tiny.constants") == "261844d28b54bd25"


def test_what_cannot_be_followed_is_refused(package):
    package("environments.arms", "import math\n", "from . import other\nimport math\n")
    with pytest.raises(ValueError, match=r"tiny\.environments\.arms uses a relative import"):
        code_key(RACE)
    with pytest.raises(ValueError, match=r"there is no module tiny\.nowhere"):
        code_key("tiny.nowhere")


def test_the_real_package():
    found = closure("banditpapers.algorithms.batch_racing")
    assert {"banditpapers.environments.beta_bernoulli", "banditpapers.seeding", "banditpapers.canonical"} <= set(found)
    assert not any(name.startswith("banditpapers.papers") or name == "banditpapers.algorithms.lp2s" for name in found)
    for algorithm in names("algorithms"):
        others = {f"banditpapers.algorithms.{name}" for name in names("algorithms")} - {f"banditpapers.algorithms.{algorithm}"}
        plays = {"doubly_robust_data": "doubly_robust_thompson", "soft_ucb_offline": "soft_ucb"}.get(algorithm)
        replayed = {f"banditpapers.algorithms.{plays}"} if plays else set()
        assert others & set(closure(f"banditpapers.algorithms.{algorithm}")) == replayed, "an edit of one algorithm reruns no other"
        assert "banditpapers" not in closure(f"banditpapers.algorithms.{algorithm}"), "a new version number reruns no simulation"
    keys = [code_key(f"banditpapers.algorithms.{name}") for name in names("algorithms")]
    assert len(set(keys)) == len(keys)
    assert all(len(key) == 16 for key in keys)


def test_no_module_of_the_package_defeats_the_key():
    """Every module can be followed, and what its parents import or compute would be missed: they hold docstrings only."""
    root = Path(codekey.__file__).parent
    for path in sorted(root.rglob("*.py")):
        module = ".".join(("banditpapers", *path.relative_to(root).with_suffix("").parts)).removesuffix(".__init__")
        code_key(module)
        if path.name == "__init__.py" and path.parent != root:
            assert codekey.spelled(codekey._tree(module)) == "Module(body=[])", f"{path} holds code, which no code key covers"
