"""The peers are what the tests take them for: a database whose roles are no superusers, a store that asks who one
is."""

from __future__ import annotations

import datetime
import hashlib
import hmac
from urllib.parse import urlsplit

import psycopg
import pytest
import requests
from harness.objects import REGION, S3
from harness.postgres import OWNER, ROLE, Postgres


def test_each_database_is_its_owners_and_empty(postgres_server: Postgres) -> None:
    with postgres_server.database() as name, postgres_server.connect(name, OWNER) as one:
        one.execute("CREATE TABLE kept (id BIGINT NOT NULL PRIMARY KEY)")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            one.execute("CREATE ROLE another")
        with postgres_server.database() as other, postgres_server.connect(other, OWNER) as two:
            tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
            assert [connection.execute(tables).fetchone() for connection in (one, two)] == [(1,), (0,)]
            with postgres_server.connect(name, ROLE) as serving, pytest.raises(psycopg.errors.InsufficientPrivilege):
                serving.execute("SELECT * FROM kept")
    with pytest.raises(psycopg.OperationalError):
        postgres_server.connect(name, ROLE)


def test_a_bucket_takes_its_owner_and_no_stranger(s3_server: S3) -> None:
    with s3_server.bucket() as bucket:
        keys = [f"objects/{number % 40 and 1}/{number}" for number in range(1060)]
        address = f"{s3_server.endpoint}/{bucket.name}"
        assert put(s3_server, f"{address}/{keys[0]}") == 200
        assert requests.put(f"{address}/{keys[1]}", data=b"x", timeout=10).status_code == 403
        assert requests.get(f"{address}/{keys[0]}", timeout=10).status_code == 403
        assert bucket.objects() == {keys[0]: 8}
        # One folder has more than one page of the listing.
        for key in keys[1:]:
            requests.put(f"{bucket.folder}/{key}", data=b"document", timeout=10).raise_for_status()
        assert set(bucket.objects()) == set(keys)
        bucket.delete(keys[5])
        assert set(bucket.objects()) == set(keys) - {keys[5]}
    assert put(s3_server, f"{address}/{keys[0]}") == 404


def put(server: S3, address: str) -> int:
    """The status of a PUT with the server's credentials, signed as S3 wants it (Signature Version 4)."""
    when = datetime.datetime.now(datetime.UTC).strftime("%Y%m%dT%H%M%SZ")
    host, path = urlsplit(address).netloc, urlsplit(address).path
    body = hashlib.sha256(b"document").hexdigest()
    headers = {"host": host, "x-amz-content-sha256": body, "x-amz-date": when}
    names = ";".join(headers)
    canonical = "\n".join(["PUT", path, "", *(f"{name}:{value}" for name, value in headers.items()), "", names, body])
    scope = f"{when[:8]}/{REGION}/s3/aws4_request"
    text = "\n".join(["AWS4-HMAC-SHA256", when, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = f"AWS4{server.secret_key_file.read_text()}".encode()
    for part in [*scope.split("/"), text]:
        key = hmac.digest(key, part.encode(), "sha256")
    owner = f"Credential={server.access_key_file.read_text()}/{scope}"
    headers["Authorization"] = f"AWS4-HMAC-SHA256 {owner}, SignedHeaders={names}, Signature={key.hex()}"
    return requests.put(address, data=b"document", headers=headers, timeout=10).status_code
