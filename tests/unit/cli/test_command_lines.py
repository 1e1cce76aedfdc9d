"""How command lines are read: as argparse4j and jopt-simple read those of Kafka's tools."""

from __future__ import annotations

import click
import pytest

from metaquorum.cli.command import Command, Group, OneDashCommand

Said = dict[str, object]


def tool(one_dash: bool = False) -> tuple[click.Group, list[Said]]:
    """A tool with commands and options like those of Kafka's storage tool, and what they got."""
    calls: list[Said] = []

    @click.group(cls=Group)
    @click.option("--bootstrap-server")
    @click.option("--bootstrap-controller")
    def top(**given: str | None) -> None:
        calls.append({key: value for key, value in given.items() if value is not None})

    @top.command("format", cls=OneDashCommand if one_dash else Command)
    @click.option("-t", "--cluster-id")
    @click.option("-s", "--standalone", is_flag=True)
    @click.option("-i", "--initial-controllers")
    @click.option("-g", "--ignore-formatted", is_flag=True)
    @click.option("--feature", multiple=True)
    @click.option("--count", type=click.IntRange(1, 9))
    @click.argument("rest", nargs=-1)
    def format_(**given: object) -> None:
        calls.append({key: value for key, value in given.items() if value})

    @top.command("feature-dependencies")
    def dependencies() -> None:
        calls.append({"dependencies": True})

    return top, calls


def read(*words: str, one_dash: bool = False) -> list[Said]:
    """What a tool understands of these words."""
    top, calls = tool(one_dash)
    top.main(list(words), standalone_mode=False)
    return calls


def refused(*words: str, one_dash: bool = False) -> str:
    with pytest.raises(click.UsageError) as error:
        read(*words, one_dash=one_dash)
    return error.value.format_message()


@pytest.mark.parametrize(
    ("words", "given"),
    [
        (["--cluster-id", "x"], {"cluster_id": "x"}),
        (["--cl", "x"], {"cluster_id": "x"}),
        (["--cluster=x"], {"cluster_id": "x"}),
        (["--stand"], {"standalone": True}),
        (
            ["--ig", "--init", "1@a:1:x"],
            {"ignore_formatted": True, "initial_controllers": "1@a:1:x"},
        ),
        (["-t=x"], {"cluster_id": "x"}),
        (["-tx"], {"cluster_id": "x"}),
        (["-gst", "x"], {"cluster_id": "x", "standalone": True, "ignore_formatted": True}),
        (["-gst=x"], {"cluster_id": "=x", "standalone": True, "ignore_formatted": True}),
        (["--cl", "--stand"], {"cluster_id": "--stand"}),
        (["--fea", "a=1", "--feat=b=2"], {"feature": ("a=1", "b=2")}),
        (["--", "--stand"], {"rest": ("--stand",)}),
        (["a", "--stand", "b"], {"rest": ("a", "b"), "standalone": True}),
        (["--cl", "-"], {"cluster_id": "-"}),
    ],
)
def test_long_options_may_be_cut_short(words: list[str], given: Said) -> None:
    assert read("format", *words) == [{}, given]


def test_options_before_the_command_may_be_cut_short() -> None:
    assert read("--bootstrap-c", "a:1", "format", "--stand") == [
        {"bootstrap_controller": "a:1"},
        {"standalone": True},
    ]


def test_commands_may_be_cut_short() -> None:
    assert read("form")[1:] == [{}]
    assert read("feature-dep")[1:] == [{"dependencies": True}]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["--bootstrap", "a:1", "format"],
            "Ambiguous option: --bootstrap could match --bootstrap-controller, --bootstrap-server",
        ),
        (
            ["format", "--i"],
            "Ambiguous option: --i could match --ignore-formatted, --initial-controllers",
        ),
        (["f"], "Ambiguous command: f could match feature-dependencies, format"),
        (
            ["format", "-t", "x", "--standalnoe"],
            "Argument 3 of 'top format' is none of its options. Did you mean --standalone?",
        ),
        (["format", "-sx"], "Argument 1 of 'top format' is none of its options."),
        (["fromat"], "There is no such command of 'top'. Did you mean format?"),
        (["x"], "There is no such command of 'top'. It has feature-dependencies, format."),
        (["format", "--stand=x"], "Option '--standalone' does not take a value."),
        (["format", "--cl"], "Option '--cluster-id' requires an argument."),
        (
            ["feature-dependencies", "a", "b"],
            "Got 2 unexpected extra arguments. A value with blanks in it needs quotes.",
        ),
        (
            ["format", "--co", "12x"],
            "Invalid value for '--count': it takes a whole number at least 1 and at most 9.",
        ),
    ],
)
def test_what_is_ambiguous_or_unknown_is_told(words: list[str], told: str) -> None:
    top, _ = tool()
    with pytest.raises(click.UsageError) as error:
        top.main(words, prog_name="top", standalone_mode=False)
    assert error.value.format_message() == told


@pytest.mark.parametrize(
    ("words", "given"),
    [
        (["-cluster-id", "x"], {"cluster_id": "x"}),
        (["-cluster-id=x"], {"cluster_id": "x"}),
        (["-stand"], {"standalone": True}),
        (["-standalone=no"], {"standalone": True}),
        (["--standalone=no"], {"standalone": True}),
        (["-s", "-t", "x"], {"standalone": True, "cluster_id": "x"}),
        (["-tx"], {"cluster_id": "x"}),
    ],
)
def test_long_options_with_one_dash_where_jopt_simple_reads(words: list[str], given: Said) -> None:
    assert read("format", *words, one_dash=True) == [{}, given]


def test_one_dash_is_for_short_options_where_argparse4j_reads() -> None:
    assert read("format", "-tluster-id") == [{}, {"cluster_id": "luster-id"}]
    assert "none of its options" in refused("format", "-cluster-id", "x")


def test_a_command_of_ours_reads_its_line_like_that(capsys: pytest.CaptureFixture[str]) -> None:
    from metaquorum.cli.main import run

    for words in (["storage", "version-m", "--rel", "4.0-IV3"], ["sto", "ver", "-r=4.0-IV3"]):
        assert run(words) == 0
        assert capsys.readouterr().out.startswith("metadata.version=25 ")
