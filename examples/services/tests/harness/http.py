"""A caller of the service: bearer tokens, and what must hold of every refusal."""

from __future__ import annotations

import json
import re
from typing import Any

import requests

from . import met

PROBLEM = "application/problem+json"
# Into the body (RFC 6901), or at a parameter.
POINTER = re.compile(r"(/|(path|query|header)/.|$)")
# What an answer to a stranger never shows: where things lie, how they are asked for, how the program is built.
TELL_TALES = re.compile(
    r"(SELECT|INSERT|UPDATE|DELETE)\s+(FROM|INTO|\w+\s+SET|\*|\w+,)|sqlx|sqlite_|pg_|panicked|\.rs:\d|"
    r"/(tmp|usr|etc|var|proc)/|PRIVATE KEY|eyJ[A-Za-z0-9_-]{10}"
)
SECONDS = 30


class Client:
    """One caller, with one connection: not to be shared by threads (`another` gives one to each)."""

    def __init__(self, address: str, token: str | None = None) -> None:
        self.address = address.rstrip("/")
        self.token = token
        self.session = requests.Session()
        # The caller is who the test says, whatever stands in a .netrc.
        self.session.trust_env = False

    def another(self, token: str | None = None) -> Client:
        """The same service on a connection of its own, as the same or another caller."""
        return Client(self.address, token or self.token)

    def anonymous(self) -> Client:
        """The same service without a token."""
        return Client(self.address)

    def request(self, method: str, path: str, **options: Any) -> requests.Response:
        """Any request; options are those of `requests`. Redirects are answers."""
        headers = dict(options.pop("headers", None) or {})
        if self.token is not None:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        options.setdefault("timeout", SECONDS)
        return self.session.request(method, f"{self.address}{path}", headers=headers, allow_redirects=False, **options)

    def get(self, path: str, **options: Any) -> requests.Response:
        """GET."""
        return self.request("GET", path, **options)

    def post(self, path: str, body: object = None, **options: Any) -> requests.Response:
        """POST of a JSON body; without one, of what the options say."""
        if body is not None:
            options["json"] = body
        return self.request("POST", path, **options)


def answer(response: requests.Response, status: int = 200) -> Any:
    """The JSON of an answer with this status."""
    said = f"{_request(response)}: {response.status_code}\n{_body(response)}"
    assert response.status_code == status, f"not {status}: {said}"
    assert response.headers["Content-Type"].split(";")[0] == "application/json", response.headers
    return response.json()


def problem(response: requests.Response, status: int, code: str, pointer: str | None = None) -> dict[str, Any]:
    """The problem (RFC 9457) that a refusal is, with this code and, where it is one of a field, its pointer."""
    said = f"{_request(response)}: {response.status_code}\n{_body(response)}"
    assert response.status_code == status, f"not {status}: {said}"
    assert response.headers["Content-Type"].split(";")[0] == PROBLEM, said
    found: dict[str, Any] = response.json()
    assert found["status"] == status, said
    assert found["code"] == code, f"not {code}: {said}"
    assert found["type"].endswith(f"/problems/{code}"), said
    assert found["title"] and found["instance"], said
    if pointer is not None:
        assert pointer in [error["pointer"] for error in found.get("errors", [])], f"no {pointer}: {said}"
    for error in found.get("errors", []):
        assert error["code"] and error["detail"] and POINTER.match(error["pointer"]), said
    tells = TELL_TALES.search(response.text)
    assert tells is None, f"it tells {tells}: {said}"
    if status == 401:
        assert response.headers["WWW-Authenticate"].startswith("Bearer"), said
    if status in (429, 503):
        assert int(response.headers["Retry-After"]) >= 1, said
    met.note(status, code)
    return found


def _request(response: requests.Response) -> str:
    return f"{response.request.method} {response.request.url}"


def _body(response: requests.Response) -> str:
    try:
        return json.dumps(response.json(), indent=1)[:4000]
    except ValueError:
        return response.text[:4000]
