"""The model chain: what is asked in each world, and a provider of models."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from .loopback import Played, loopback
from .worlds import Walk

MODELS = "/api/v1/models"
QUESTION: dict[str, Any] = {"messages": [{"role": "user", "content": "What is a tachograph?"}], "max_tokens": 64}


def models(walk: Walk) -> None:
    """Of a service that has no providers: questions that break a rule and one that keeps them all, and what was
    spent."""
    names = walk.world.names
    for who in ("noble", "ana"):
        for body in ({"messages": []}, QUESTION | {"max_tokens": 0}, QUESTION):
            walk.ask(who, "POST", f"{MODELS}/messages", body)
        walk.ask(who, "GET", f"{MODELS}/spend")
        for name in ("ana", "cy"):
            walk.ask(who, "GET", f"{MODELS}/spend", params={"identity_id": names[name]})


@dataclass
class Provider:
    """One with Mistral's interface, which says what it is told to."""

    address: str
    says: list[tuple[int, Any]] = field(default_factory=list)
    # The header of the key, each time it was asked.
    keys: list[str | None] = field(default_factory=list)


@contextmanager
def provider() -> Iterator[Provider]:
    """On loopback."""
    played = Provider("")

    class Handler(Played):
        def do_POST(self) -> None:
            self.body()
            played.keys.append(self.headers["Authorization"])
            self.answer(*played.says.pop(0))

    with loopback(Handler) as port:
        played.address = f"http://127.0.0.1:{port}/"
        yield played
