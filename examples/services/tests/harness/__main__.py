"""`python -m harness COMMAND…`: runs a command, such as `cargo test`, beside a PostgreSQL server of its own.

TRUSTD_TEST_POSTGRES is the address of an empty database there, whose role may make further ones.
"""

from __future__ import annotations

import os
import subprocess
import sys

from . import postgres

VARIABLE = "TRUSTD_TEST_POSTGRES"


def main(command: list[str]) -> int:
    """The code with which the command ended."""
    with postgres.server() as server, server.database() as name:
        server.allow_databases()
        return subprocess.run(command, env=os.environ | {VARIABLE: server.url(name)}).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
