"""A configuration is checked whole: whoever wrote three mistakes is told of three, and nothing has been touched."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import configuration
from harness.configuration import Settings
from harness.trustd import Trustd

# Each mistake alone, by the key that must be named.
MISTAKES: list[tuple[str, Settings]] = [
    ("listen", {"listen": "nowhere"}),
    ("listen", {"listen": 8080}),
    ("metrics", {"metrics": "127.0.0.1"}),
    ("base_url", {"base_url": "not an address"}),
    ("database", {"database": "mysql://localhost/trust"}),
    ("objects", {"objects": "ftp://bucket"}),
    ("s3", {"objects": "s3://bucket/prefix"}),
    ("s3.access_key_file", {"objects": "s3://b/p", "s3": {"endpoint": "https://s3.example", "region": "x"}}),
    ("s3.allow_http", {"objects": "s3://b/p", "s3": {"endpoint": "http://s3.example", "region": "x"}}),
    ("rate.per_second", {"rate": {"per_second": -1}}),
    ("rate.burst", {"rate": {"burst": 0}}),
    ("rate.enabled", {"rate": {"enabled": "perhaps"}}),
    ("limits.slot", {"limits": {"slot": 2000}}),
    ("log.origin", {"log": {"origin": "two words"}}),
    ("log.checkpoint_every", {"log": {"checkpoint_every": "soon"}}),
    ("log.checkpoint_every", {"log": {"checkpoint_every": "0s"}}),
    ("log.checkpoint_entries", {"log": {"checkpoint_entries": 0}}),
    ("lisen", {"lisen": "127.0.0.1:0"}),
    ("rate.bursts", {"rate": {"bursts": 3}}),
]
# One that does not refuse goes on serving.
REFUSES_WITHIN = 10


@pytest.mark.parametrize(("key", "mistake"), MISTAKES, ids=[f"{key}-{n}" for n, (key, _) in enumerate(MISTAKES)])
def test_a_mistake_is_named(tmp_path: Path, key: str, mistake: Settings) -> None:
    said = refused(tmp_path, mistake)
    assert names(said, key), said


def test_every_mistake_is_named_at_once(tmp_path: Path) -> None:
    mistakes: list[Settings] = [
        {"listen": "nowhere"},
        {"rate": {"per_second": -1, "bursts": 3}},
        {"log": {"checkpoint_every": "soon"}},
        {"lisen": "x"},
    ]
    said = refused(tmp_path, configuration.merged(*mistakes))
    for key in ("listen", "rate.per_second", "rate.bursts", "log.checkpoint_every", "lisen"):
        assert names(said, key), f"no word of {key}:\n{said}"


def test_a_mistake_in_the_environment_is_named_beside_those_of_the_file(tmp_path: Path) -> None:
    environment = {configuration.variable("rate.burst"): "many", configuration.variable("log.origin"): "two words"}
    said = refused(tmp_path, {"listen": "nowhere"}, environment)
    assert names(said, "listen")
    for key in ("rate.burst", "log.origin"):
        assert names(said, key) or configuration.variable(key) in said, f"no word of {key}:\n{said}"


def test_the_environment_comes_after_the_file(tmp_path: Path) -> None:
    trustd = Trustd(tmp_path, configuration.local(), {"listen": "nowhere"})
    trustd.start({configuration.variable("listen"): "127.0.0.1:0"})
    trustd.stop()


def test_a_file_that_is_no_configuration_is_refused(tmp_path: Path) -> None:
    for text in ("listen = ", "[rate", "\x00"):
        file = tmp_path / "config.toml"
        file.write_text(text)
        done = Trustd.command("serve", "--config", str(file))
        assert done.returncode != 0 and done.stdout == ""
        assert "panicked" not in done.stderr and done.stderr.strip()
    done = Trustd.command("serve", "--config", str(tmp_path / "absent.toml"))
    assert done.returncode != 0 and "absent.toml" in done.stderr


def test_a_secret_key_does_not_come_from_the_file_itself(tmp_path: Path) -> None:
    secret = "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY"
    store = {"endpoint": "https://s3.example", "region": "x", "secret_key": secret}
    said = refused(tmp_path, {"objects": "s3://b/p", "s3": store})
    assert names(said, "s3.secret_key"), said
    assert secret not in said


def refused(folder: Path, settings: Settings, environment: dict[str, str] | None = None) -> str:
    """What the service says of settings that it must refuse, before it makes or opens anything."""
    trustd = Trustd(folder, configuration.local(), settings)
    done = trustd.command("serve", "--config", str(trustd.config), environment=environment, seconds=REFUSES_WITHIN)
    assert done.returncode != 0, done.stdout
    assert done.stdout == "", "it said that it listens"
    assert "panicked" not in done.stderr
    assert not trustd.data.exists(), "it made a data folder"
    return done.stderr


def names(said: str, key: str) -> bool:
    """Whether a line is of this key: it begins with it, or with its table and says the key's own name."""
    table, _, own = key.rpartition(".")
    lines = [line.strip() for line in said.splitlines()]
    return any(line.startswith(f"{key}:") or (table and line.startswith(f"{table}:") and own in line) for line in lines)
