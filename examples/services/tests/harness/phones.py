"""Drivers' phones: each a window of a browser, invited by the office."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from . import configuration
from .http import Client, answer
from .load import identity
from .many import measure
from .nodes import until
from .process import free_ports
from .trustd import OPERATOR, Trustd

DOK, FLEET = "/api/v1/dok", "/api/v1/fleet"
# What stands in the browser's store of one name.
KEPT = """(name) => new Promise((done, failed) => {
  const opening = indexedDB.open("driver", 1);
  opening.onerror = () => failed(opening.error);
  opening.onsuccess = () => {
    const asking = opening.result.transaction(name).objectStore(name).getAll();
    asking.onsuccess = () => { opening.result.close(); done(asking.result.length); };
  };
})"""


@contextmanager
def serving(folder: Path) -> Iterator[Trustd]:
    """A service whose tokens are soon over, and which is known by the address where it is: browsers keep workers of
    that."""
    port, metrics = free_ports(2)
    settings = {"tokens": {"noble": "4s"}, "listen": f"127.0.0.1:{port}", "base_url": f"http://localhost:{port}"}
    settings |= {"metrics": f"127.0.0.1:{metrics}"}
    trustd = Trustd(folder, configuration.local(), settings)
    try:
        yield trustd.start()
    finally:
        trustd.close()


def measured(service: Trustd, name: str) -> float:
    """What it measured."""
    at = tomllib.loads(service.config.read_text())["metrics"]
    return measure(f"http://{at}/metrics", name)


def local(service: Trustd) -> str:
    """Its address by a name: browsers have keys and workers for those alone."""
    return service.address.replace("127.0.0.1", "localhost")


def office(service: Trustd) -> Client:
    return service.client(service.token(OPERATOR, "native", "fleet trust driver ops"))


def invited(service: Trustd, name: str) -> tuple[str, str]:
    """A driver's identity, and an invitation."""
    native = office(service)
    who = identity(native, name)
    body = {"identity_id": who, "tier": "noble", "scopes": ["driver"]}
    return who, str(answer(native.post("/api/v1/auth/invitations", body), 201)["invitation"])


def begins(page: Page, service: Trustd, invitation: str) -> None:
    """Enrols the phone, and waits until the page is kept for when there is no connection."""
    opened = page.goto(f"{local(service)}/driver/")
    assert opened is not None and opened.status == 200
    page.get_by_label("Invitation").fill(invitation)
    page.get_by_label("Name of this phone").fill("Ana's phone")
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("status")).to_have_text("This phone is yours now.")
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    until(lambda: bool(page.evaluate("Boolean(navigator.serviceWorker.controller)")), lambda: "no worker")


def vehicle_of(service: Trustd, plate: str) -> dict[str, Any]:
    """A vehicle with this plate."""
    native = office(service)
    body = {"registracija": plate, "maticna_drzava": "HR", "vlasnik_id": identity(native, "owner")}
    return dict(answer(native.post(f"{FLEET}/vehicles", body), 201))


def recent(service: Trustd, who: str) -> list[dict[str, Any]]:
    """What a driver filed. On a busy machine a token of four seconds is over before it is used."""
    driver = service.client(service.token(who, "noble", "driver", "--for", "1m"))
    return list(answer(driver.get(f"{DOK}/my-recent"))["items"])
