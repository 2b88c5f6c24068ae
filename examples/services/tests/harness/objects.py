"""A real S3 server (SeaweedFS), one a test process; one bucket a test module."""

from __future__ import annotations

import contextlib
import json
import secrets
import shutil
import sys
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import requests

from . import process

REGION = "us-east-1"


class S3:
    """A running server: where it is, and whose credentials it takes."""

    def __init__(self, folder: Path, s3: int, filer: int, access_key: str, secret_key: str) -> None:
        self.endpoint = f"http://127.0.0.1:{s3}"
        self.filer = f"http://127.0.0.1:{filer}"
        self.access_key_file, self.secret_key_file = folder / "access-key", folder / "secret-key"
        for file, text in ((self.access_key_file, access_key), (self.secret_key_file, secret_key)):
            file.touch(mode=0o600)
            file.write_text(text)

    @contextlib.contextmanager
    def bucket(self) -> Iterator[Bucket]:
        """An empty bucket, which is removed with what is in it."""
        made = Bucket(self.filer, f"t{uuid.uuid4().hex}")
        requests.post(f"{made.folder}/", timeout=30).raise_for_status()
        try:
            yield made
        finally:
            requests.delete(made.folder, params={"recursive": "true"}, timeout=30).raise_for_status()


class Bucket:
    """A bucket as the server's other door shows it, a tree of files: what is in it without credentials or cursors."""

    def __init__(self, filer: str, name: str) -> None:
        self.name = name
        self.folder = f"{filer}/buckets/{name}"

    def objects(self, below: str = "") -> dict[str, int]:
        """Every object's key and size."""
        found: dict[str, int] = {}
        last = ""
        while True:
            answer = requests.get(
                f"{self.folder}/{quote(below)}",
                params={"limit": "1000", "lastFileName": last},
                headers={"Accept": "application/json"},
                timeout=30,
            )
            answer.raise_for_status()
            page = answer.json()
            for entry in page["Entries"] or []:
                key = entry["FullPath"].removeprefix(f"/buckets/{self.name}/")
                is_folder = entry["Mode"] & (1 << 31)
                found |= self.objects(f"{key}/") if is_folder else {key: entry["FileSize"]}
            if not page["ShouldDisplayLoadMore"]:
                return found
            last = page["LastFileName"]

    def delete(self, key: str) -> None:
        """Takes an object away behind the service's back."""
        requests.delete(f"{self.folder}/{quote(key)}", timeout=30).raise_for_status()


@contextlib.contextmanager
def server() -> Iterator[S3]:
    """A server with data of its own, which are removed with it."""
    weed = shutil.which("weed", path=str(Path(sys.executable).parent)) or shutil.which("weed")
    if weed is None:
        raise RuntimeError("missing: weed; the requirements of these tests bring it")
    folder = Path(tempfile.mkdtemp(prefix="s3-"))
    doors = [f"{part}.{door}" for part in ("master", "volume", "filer", "s3") for door in ("port", "port.grpc")]
    ports = dict(zip(doors, process.free_ports(len(doors)), strict=True))
    access_key, secret_key = f"AK{secrets.token_hex(9)}", secrets.token_urlsafe(30)
    identity = {
        "name": "trustd",
        "credentials": [{"accessKey": access_key, "secretKey": secret_key}],
        "actions": ["Admin", "Read", "Write", "List", "Tagging"],
    }
    credentials = folder / "identities.json"
    credentials.write_text(json.dumps({"identities": [identity]}))
    data, log = folder / "data", folder / "log"
    data.mkdir()
    options: dict[str, object] = {
        "dir": data,
        "ip": "127.0.0.1",
        "s3": "true",
        "s3.config": credentials,
        "s3.localSocket": folder / "s3.sock",
        "s3.iam": "false",
        "s3.autoCreateBucket": "false",
        "s3.port.iceberg": 0,
        "s3.port.lance": 0,
        "filer.localSocket": folder / "filer.sock",
        # Without it the server tells its makers.
        "master.telemetry": "false",
        "master.volumeSizeLimitMB": 256,
        "volume.max": 0,
    }
    words = [f"-{name}={value}" for name, value in (options | ports).items()]
    try:
        running = process.start([weed, "server", *words], log)
        try:
            made = S3(folder, ports["s3.port"], ports["filer.port"], access_key, secret_key)
            process.wait_until(lambda: _answers(made), running, log, 60)
            yield made
        finally:
            # A polite end takes it fifteen seconds, and nothing here is kept.
            running.kill()
            running.wait(30)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        Path(f"/tmp/seaweedfs-s3-grpc-{ports['s3.port.grpc']}.sock").unlink(missing_ok=True)


def _answers(made: S3) -> bool:
    """Both doors are open: a stranger is refused at one, and the tree of buckets is there at the other."""
    try:
        stranger = requests.get(made.endpoint, timeout=5)
        tree = requests.get(f"{made.filer}/buckets/", headers={"Accept": "application/json"}, timeout=5)
    except requests.RequestException:
        return False
    return stranger.status_code == 403 and tree.status_code == 200
