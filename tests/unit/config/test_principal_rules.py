"""How names of certificates become names of principals."""

from __future__ import annotations

import pytest

from metaquorum.config.key import BadValue
from metaquorum.config.principal_rules import NoRuleFits, PrincipalRules

DN = "CN=Duke,OU=ServiceUsers,O=Org,C=US"


@pytest.mark.parametrize(
    ("rules", "name"),
    [
        ("DEFAULT", DN),
        (r"RULE:^CN=(.*?),OU=ServiceUsers.*$/$1/", "Duke"),
        (r"RULE:^CN=(.*?),OU=ServiceUsers.*$/$1/L", "duke"),
        (r"RULE:^CN=(.*?),OU=(.*?),O=(.*?),C=(.*?)$/$1@$2/U, DEFAULT", "DUKE@SERVICEUSERS"),
        (r"RULE:^CN=Nobody$/x/,RULE:^.*OU=(\w+).*$/$1/", "ServiceUsers"),
        (r"RULE:^CN=Nobody$/x/,DEFAULT", DN),
        (r"RULE:^CN=(.*?),.*$/a\/b\$1$1/", "a/b$1Duke"),
        ("RULE:^cn=(.*?),.*$/$1/,\n DEFAULT", DN),
    ],
)
def test_the_first_rule_that_fits_makes_the_name(rules: str, name: str) -> None:
    assert PrincipalRules.read(rules).applied(DN) == name


def test_a_rule_has_to_fit_the_whole_name() -> None:
    with pytest.raises(NoRuleFits):
        PrincipalRules.read("RULE:CN=Duke/x/").applied(DN)


@pytest.mark.parametrize(
    "text",
    ["", "RULE:a/b", "DEFAULT,", "RULE:(/x/", "DEFAULTS", "RULE:a/$1/", "RULE:a/b/ DEFAULT"],
)
def test_what_is_no_rule_is_refused(text: str) -> None:
    with pytest.raises(BadValue, match=r"ssl\.principal\.mapping\.rules"):
        PrincipalRules.read(text)
