"""docs/OPERATIONS.md is true: its commands do what it says, and it names every setting, measure and kind of alarm."""

from __future__ import annotations

import os
import re
import subprocess
import time
import tomllib
from pathlib import Path

import requests
from conftest import Make
from harness import configuration
from harness.configuration import Backend
from harness.load import Signers, entry, identity
from harness.process import free_ports
from harness.trustd import Trustd, program

SERVICES = Path(__file__).parent.parent
PAGE = (SERVICES.parent.parent / "docs/OPERATIONS.md").read_text()
SECONDS = 60
# As the page writes them.
FOLDER = "/backup/2026-11-23"
# A list of tables, which no variable holds.
FILE_ONLY = {"models.providers", "tokens.issuers"}


def test_its_commands_bring_a_service_back(make: Make, tmp_path: Path) -> None:
    lost = make(configuration.local()).start()
    signer = identity(lost.client(lost.first_token()), "signer")
    promised = Signers([lost.client(lost.first_token())], signer, each=3).wait()
    assert len(promised.records) == 3
    covered(lost, promised.records[-1])
    [make_it, list_it, forget_it, export] = commands("Back up")
    shell(f"{make_it}\n{export}", lost, tmp_path)
    # A new machine, with the master and the mirror of what lies apart.
    lost.stop()
    found = make(configuration.local(), host="found")
    found.data.mkdir(mode=0o700)
    subprocess.run(["cp", "-a", lost.data / "apart", lost.data / "master.pem", found.data], check=True)
    told = shell("\n".join(commands("Restore")), found, tmp_path)
    assert "goes on" in told and "all of it holds" in told
    found.start()
    for handle in promised.records:
        entry(found.client(), handle)
    [line] = shell(list_it, found, tmp_path).splitlines()
    assert line.split()[0] in shell(forget_it.replace("ID", line.split()[0]), found, tmp_path)
    assert shell(list_it, found, tmp_path) == ""


def test_its_commands_have_it_watched(make: Make, tmp_path: Path) -> None:
    trustd = make(configuration.local()).start()
    [key_it, show_it, watch_it, export_it] = commands("Be watched")
    log = shell(key_it, trustd, tmp_path).strip()

    def named(line: str) -> str:
        return line.replace("URL", trustd.address).replace("KEY", f"'{log}'").replace(" --every 1h", "")

    witness = shell(named(show_it), trustd, tmp_path).strip()
    trustd.stop()
    trustd = make(configuration.local(), {"log": {"witnesses": [witness]}}, name="watched").start()
    assert "1 entries" in shell(named(watch_it), trustd, tmp_path)
    note = requests.get(f"{trustd.address}/api/v1/log/checkpoint", timeout=SECONDS).text
    assert "\n— ivo.example " in note
    shell(export_it.replace("/mirror", str(tmp_path)), trustd, tmp_path)
    assert (tmp_path / "log/checkpoint").is_file()


def test_its_settings_are_those_of_the_program() -> None:
    keys = set()
    for row in rows("Settings"):
        names = re.findall(r"`([^`]+)`", row[0])
        table = names[0].split(".")[0]
        keys |= {f"{table}{name}" if name.startswith(".") else name for name in names}
    # Nothing that it names is unknown, and one that nobody knows is told.
    environment = {configuration.variable(key): "?" for key in keys - FILE_ONLY}
    refused = Trustd.command("health", environment=environment | {"TRUSTD_NOTHING": "?"})
    assert refused.returncode == 2
    unknown = re.findall(r"^  (\S+): there is no such setting$", refused.stderr, re.MULTILINE)
    assert unknown == ["TRUSTD_NOTHING"]
    source = (SERVICES / "platform/src/config/environment.rs").read_text()
    assert keys - FILE_ONLY == set(re.findall(r'^    \("([a-z0-9_.]+)", Form::', source, re.MULTILINE))


def test_it_names_every_command() -> None:
    leaves, options = helped()
    page = " ".join(PAGE.split())
    assert len(leaves) > 20 and not [leaf for leaf in leaves if not re.search(rf"trustd(-do)? {leaf}\b", page)]
    ours = [line for line in PAGE.splitlines() if re.search(r"\btrustd(-do)? [a-z]", line)]
    assert set(re.findall(r"\btrustd.*?(--[a-z-]+)", "\n".join(ours))) <= options


def test_it_names_what_a_node_is_told() -> None:
    source = (SERVICES / "trustd/src/node/config.rs").read_text()
    struct = source.split("pub struct NodeConfig {")[1].split("\n}")[0]
    keys = set(re.findall(r"^    pub (\w+): ", struct, re.MULTILINE))
    named = {name for row in rows("Nodes and people") for name in re.findall(r"`([^`]+)`", row[0])}
    assert len(keys) > 9 and keys == named


def test_it_names_every_measure(own_backend: Backend, make: Make) -> None:
    [port] = free_ports(1)
    trustd = make(own_backend, {"metrics": f"127.0.0.1:{port}"}).start()
    identity(trustd.client(trustd.first_token()), "signer")
    trustd.client().get("/api/v1/dsa/status/none")
    page = requests.get(f"http://127.0.0.1:{port}/metrics", timeout=SECONDS).text
    shown = set(re.findall(r"^# TYPE (\S+)", page, re.MULTILINE))
    assert len(shown) >= 9
    assert shown <= set(re.findall(r"`(trustd_[a-z_]+)`", " ".join(row[0] for row in rows("What to watch"))))


def test_it_names_every_alarm() -> None:
    source = (SERVICES / "trustd/src/alarms.rs").read_text()
    kinds = set(re.findall(r'Self::\w+ => "([a-z-]+)"', source))
    assert kinds and kinds == {row[0].strip("`") for row in rows("Alarms")}


def test_the_unit_leaves_room_for_every_connection() -> None:
    unit = (SERVICES / "deploy/trustd.service").read_text()
    files = int(re.findall(r"^LimitNOFILE=(\d+)$", unit, re.MULTILINE)[0])
    [connections] = [row[1] for row in rows("Settings") if row[0] == "`limits.connections`"]
    assert files >= int(connections) + 1024


def test_its_files_are_taken(tmp_path: Path) -> None:
    for block in re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        assert tomllib.loads(block)
        file = tmp_path / "page.toml"
        file.write_text(block)
        file.chmod(0o640)
        # Nobody listens there: it was read whole, and nobody was well.
        [port] = free_ports(1)
        asked = Trustd.command("health", "--config", str(file), environment={"TRUSTD_LISTEN": f"127.0.0.1:{port}"})
        assert asked.returncode == 1, asked.stderr


def section(title: str) -> str:
    """What stands under a heading."""
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def rows(title: str) -> list[list[str]]:
    """The rows of the table under a heading, without its first two lines."""
    lines = [line for line in section(title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def helped(*argv: str) -> tuple[set[str], set[str]]:
    """The commands below one, and their options, as it helps with them."""
    text = Trustd.command(*argv, "--help").stdout
    options = set(re.findall(r"(--[a-z-]+)", text))
    below = text.partition("Commands:\n")[2].partition("\n\n")[0]
    names = [name for name in re.findall(r"^  ([a-z-]+)", below, re.MULTILINE) if name != "help"]
    if not names:
        return {" ".join(argv)}, options
    leaves: set[str] = set()
    for name in names:
        more, known = helped(*argv, name)
        leaves, options = leaves | more, options | known
    return leaves, options


def commands(title: str) -> list[str]:
    """The commands under a heading, without what is said of them."""
    [block] = re.findall(r"^```console\n(.*?)^```$", section(title), re.MULTILINE | re.DOTALL)
    return [line.split("#")[0].strip() for line in block.splitlines()]


def shell(lines: str, trustd: Trustd, folder: Path) -> str:
    """What the commands print, for this service."""
    beside = Path(program()).parent
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", lines.replace(FOLDER, str(folder / "backup"))],
        env=os.environ | {"PATH": f"{beside}:{os.environ['PATH']}", "TRUSTD_CONFIG": str(trustd.config)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        cwd=folder,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def covered(trustd: Trustd, handle: str) -> None:
    """Waits for a checkpoint over an entry."""
    seq = entry(trustd.client(), handle)["seq"]
    end = time.monotonic() + SECONDS
    while trustd.client().get(f"/api/v1/log/proof/{seq}").status_code != 200:
        assert time.monotonic() < end, "no checkpoint covers it"
        time.sleep(0.1)
