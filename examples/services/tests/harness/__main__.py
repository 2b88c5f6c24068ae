"""`python -m harness COMMAND…`: runs a command, such as `cargo test`, beside a PostgreSQL server of its own.

TRUSTD_TEST_POSTGRES is the address of an empty database there, whose role may make further ones, and has the tables of
each; TRUSTD_TEST_POSTGRES_OWNER the same for a role that passes by row-level security, as who makes backups does.
"""

from __future__ import annotations

import os
import subprocess
import sys

from . import postgres

VARIABLE = "TRUSTD_TEST_POSTGRES"


def main(command: list[str]) -> int:
    """The code with which the command ended."""
    with postgres.server() as server, server.database(postgres.ROLE) as name:
        server.allow_databases()
        named = {VARIABLE: server.url(name), f"{VARIABLE}_OWNER": server.url(name, postgres.OWNER)}
        return subprocess.run(command, env=os.environ | named).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
