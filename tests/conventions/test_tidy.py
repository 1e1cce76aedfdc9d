"""What a linter of imports cannot see: sizes, words and habits of this code, read from the code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OURS = ("src", "codegen", "tools", "tests")
PURE = ("base", "wire", "records", "quorum", "metadata", "controller", "groups", "fetch")

FILE_LINES_HARD = 500
FUNCTION_LINES_HARD = 60
TEST_NAME_CHARACTERS = 60  # after `test_`


def python_files(*tops: str) -> list[Path]:
    found = []
    for top in tops or OURS:
        found += [p for p in sorted((ROOT / top).rglob("*.py")) if "generated" not in p.parts]
    return found


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def functions(tree: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]


def test_the_tree_is_read_at_all():
    assert len(python_files("src")) > 50


def test_no_file_is_longer_than_the_hard_limit():
    long = {
        str(p.relative_to(ROOT)): n
        for p in python_files()
        if (n := len(p.read_text(encoding="utf-8").splitlines())) > FILE_LINES_HARD
    }
    assert not long


def test_no_function_is_longer_than_a_page():
    long = [
        f"{path.relative_to(ROOT)}:{f.lineno} {f.name} {f.end_lineno - f.lineno + 1}"
        for path in python_files("src", "codegen", "tools")
        for f in functions(parsed(path))
        if f.end_lineno is not None and f.end_lineno - f.lineno + 1 > FUNCTION_LINES_HARD
    ]
    assert not long


def test_no_module_for_odds_and_ends():
    bad = [p for p in python_files() if p.stem in {"utils", "util", "helpers", "common", "misc"}]
    assert not bad


def test_every_module_that_ships_says_what_it_is():
    silent = [
        str(p.relative_to(ROOT))
        for p in python_files("src", "codegen", "tools")
        if p.read_text(encoding="utf-8").strip() and ast.get_docstring(parsed(p)) is None
    ]
    assert not silent


def test_pure_packages_use_no_salted_hash_and_no_object_address():
    sins = []
    for package in PURE:
        for path in python_files(f"src/metaquorum/{package}"):
            for node in ast.walk(parsed(path)):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Name)
                    and node.func.id in {"hash", "id"}
                ):
                    sins.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.func.id}()")
    assert not sins


def test_pure_packages_never_walk_a_set_whose_order_could_show():
    sins = []
    for package in PURE:
        for path in python_files(f"src/metaquorum/{package}"):
            for node in ast.walk(parsed(path)):
                walked = node.iter if isinstance(node, ast.For | ast.comprehension) else None
                if isinstance(walked, ast.Set | ast.SetComp) or (
                    isinstance(walked, ast.Call)
                    and isinstance(walked.func, ast.Name)
                    and walked.func.id in {"set", "frozenset"}
                ):
                    sins.append(f"{path.relative_to(ROOT)}:{walked.lineno}")
    assert not sins


def test_asserts_have_no_side_effect():
    sins = []
    for path in python_files("src"):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Assert):
                calls = [n for n in ast.walk(node.test) if isinstance(n, ast.NamedExpr | ast.Await)]
                if calls:
                    sins.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert not sins


@pytest.mark.parametrize("top", OURS)
def test_nothing_is_left_for_later(top: str):
    word = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X"]) + r")\b")
    left = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in python_files(top)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if word.search(line)
    ]
    assert not left


def test_tests_neither_sleep_nor_step_aside():
    sins = []
    for path in python_files("tests"):
        if {"interop", "packages", "conventions"} & {*path.parts}:
            continue
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Attribute) and node.attr in {"skip", "xfail", "importorskip"}:
                sins.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.attr}")
            if (
                isinstance(node, ast.Attribute)
                and node.attr == "sleep"
                and isinstance(node.value, ast.Name)
                and node.value.id == "time"
            ):
                sins.append(f"{path.relative_to(ROOT)}:{node.lineno} time.sleep")
    assert not sins


def test_no_path_of_one_machine_stands_in_code_or_docs():
    place = re.compile(r"(?<![\w./<}~$)-])/(work|root|home)/")
    found = []
    for path in [*python_files(), *sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md"]:
        if path.exists() and "conventions" not in path.parts:
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if place.search(line):
                    found.append(f"{path.relative_to(ROOT)}:{number}")
    assert not found


def test_names_of_tests_have_at_most_60_characters():
    long = [
        f"{path.relative_to(ROOT)} {name}"
        for path in python_files()
        for name in re.findall(
            r"^ *(?:async )?def test_(\w+)", path.read_text("utf-8"), re.MULTILINE
        )
        if path.is_relative_to(ROOT / "tests") and len(name) > TEST_NAME_CHARACTERS
    ]
    assert not long
