"""A driver with a phone: invited once, then offline, with photos of four megabytes, a reload, and a token that is over
meanwhile. What was filled in arrives once, each photo the picture that it was."""

from __future__ import annotations

import base64
import hashlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from dualseal_second import ids
from dualseal_second.domain import Domain
from harness import browser
from harness.http import answer
from harness.nodes import until
from harness.phones import DOK, FLEET, KEPT, begins, invited, local, measured, office, recent, serving, vehicle_of
from harness.trustd import Trustd
from PIL import Image, ImageStat
from playwright.sync_api import Page, Request, Route, expect

MEGABYTES, MOST = 4_000_000, 500_000
DOMAIN = Domain.named("TRUST")
# What each photo is of: its colour, from which noise makes it large.
COLOURS = [(210, 50, 50), (50, 170, 50), (50, 50, 210)]
# What is drawn later comes first: whatever is in the order of what was drawn is in the wrong one each time.
BACKWARDS = """
let last = 0xffff;
crypto.randomUUID = () => `ffffffff-ffff-4fff-bfff-ffffffff${(last--).toString(16)}`;
"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trustd]:
    with serving(tmp_path_factory.mktemp("page")) as trustd:
        yield trustd


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three of more than four megabytes, as a camera makes them."""
    folder = tmp_path_factory.mktemp("photos")
    made = []
    for number, colour in enumerate(COLOURS):
        out = io.BytesIO()
        exif = Image.Exif()
        exif[0x010E] = "N 45.8 E 15.9"
        noise = Image.effect_noise((3000, 2250 - 250 * number), 120).convert("RGB")
        Image.blend(noise, Image.new("RGB", noise.size, colour), 0.5).save(out, "JPEG", quality=98, exif=exif)
        made.append(folder / f"{number}.jpg")
        made[-1].write_bytes(out.getvalue())
        assert made[-1].stat().st_size > MEGABYTES
    return made


def test_what_is_filled_in_offline_arrives_once(service: Trustd, phone: Page, photos: list[Path]) -> None:
    vehicle = vehicle_of(service, "ZG 1")["vehicle_id"]
    who, invitation = invited(service, "ana")
    uploaded: list[str] = []
    phone.on("request", lambda request: note(uploaded, request))
    phone.add_init_script(BACKWARDS)
    begins(phone, service, invitation)
    expect(phone.get_by_label("Vehicle").first).to_have_value(vehicle)

    phone.context.set_offline(True)
    for select in phone.locator("#items select").all():
        select.select_option("ok")
    phone.get_by_label("Oil", exact=True).select_option("defect")
    phone.get_by_label("Oil: note").fill("a drop below the engine")
    phone.get_by_label("Oil: photos").set_input_files([photos[0], photos[1]])
    phone.get_by_label("Tyres: photos").set_input_files(photos[2])
    phone.get_by_role("button", name="File the inspection").click()
    # Three photos are drawn first, by a browser that draws without any help.
    kept = "Kept on this phone. It is sent when there is a connection."
    expect(phone.get_by_role("status")).to_have_text(kept, timeout=4 * browser.MILLISECONDS)
    expect(phone.locator("#waits li")).to_have_count(1)
    assert (phone.evaluate(KEPT, "documents"), phone.evaluate(KEPT, "photos")) == (1, 3)

    # Closed and opened again without a connection, and the token is over.
    phone.reload()
    expect(phone.locator("#waits li")).to_have_count(1)
    expect(phone.get_by_label("Vehicle").first).to_have_value(vehicle)
    assert recent(service, who) == []
    uploaded.clear()
    phone.wait_for_timeout(4500)
    # The connection breaks off once more, behind the first photo.
    broken: list[str] = []
    phone.route("**/api/v1/photos/upload*", lambda route: once_broken(route, broken))
    phone.context.set_offline(False)
    # Whoever waits otherwise keeps the browser from being answered. A page that is not told that the connection is
    # back tries by itself, and the first photo is looked at by a machine that may be busy.
    until(lambda: phone.wait_for_timeout(50) or len(broken) >= 2, lambda: str(uploaded), 120)
    phone.unroute("**/api/v1/photos/upload*")
    phone.get_by_role("button", name="Send now").click()
    expect(phone.get_by_role("status")).to_have_text("All is sent.")
    expect(phone.locator("#waits li")).to_have_count(0)
    expect(phone.locator("#recent li")).to_contain_text(["Inspection: go, with warnings"])
    assert (phone.evaluate(KEPT, "documents"), phone.evaluate(KEPT, "photos")) == (0, 0)

    [made] = recent(service, who)
    assert (made["tip"], made["odluka"]) == ("PRE_TRIP_CHECK", "GO_WITH_WARNINGS")
    sent = {sha256: int(size) for sha256, size in (one.split() for one in uploaded)}
    assert len(sent) == 3, uploaded
    assert measured(service, 'trustd_driver_photos_total{outcome="taken"}') == 3
    filed = 'trustd_driver_documents_total{tip="PRE_TRIP_CHECK",outcome="GO_WITH_WARNINGS"}'
    assert measured(service, filed) == 1
    are_kept(service, who, made["identity_id"], sent, photos)
    page = phone.context.new_page()
    page.goto(made["provjera"].replace("127.0.0.1", "localhost"))
    expect(page.get_by_role("status")).to_have_text("The record holds: it is as it was filed, signed and sealed.")
    service.run("chain verify")


def are_kept(service: Trustd, who: str, made: str, sent: dict[str, int], photos: list[Path]) -> None:
    """The document names three photos, the right ones in the right place. Each is kept as it left the phone, below 500
    kB, by its hash and its name as the specification computes it, and is the picture that was taken."""
    native = office(service)
    whole = answer(native.get(f"{DOK}/dokument/{made}"))
    text = json.loads(whole["tekst"])
    items = text["dokument"]["stavke"]
    named = [*items["oil"]["fotografije"], *items["tyres"]["fotografije"]]
    kept = {one["identity_id"]: one for one in whole["fotografije"]}
    assert len(items["oil"]["fotografije"]) == 2 and len(set(named)) == 3 and set(named) == set(kept)
    assert text["fotografije"] == {name: one["sha256"] for name, one in kept.items()}
    assert {one["sha256"] for one in kept.values()} == set(sent)
    for name, taken in zip(named, photos, strict=True):
        at = f"/api/v1/photos/{name}"
        original, shown = (native.get(at, params=query).content for query in ({"izvornik": "true"}, {}))
        of = kept[name]
        assert hashlib.sha256(original).hexdigest() == of["sha256"] and len(original) == sent[of["sha256"]] < MOST
        assert name == ids.identity_id(DOMAIN, original, who, of["dokument_id"])
        assert len(shown) == of["bajtova"] < MOST
        for content in (original, shown):
            image = Image.open(io.BytesIO(content))
            assert image.format == "JPEG" and is_of(image, taken), (name, taken)
            assert b"45.8" not in content and not image.getexif()


def is_of(image: Image.Image, taken: Path) -> bool:
    """Whether a picture is another one made smaller: by its shape, and by its colour."""
    whole = Image.open(taken)
    shape = abs(image.width / image.height - whole.width / whole.height) < 0.02
    pairs = zip(ImageStat.Stat(image).mean, ImageStat.Stat(whole).mean, strict=True)
    return shape and all(abs(one - other) < 10 for one, other in pairs)


def note(uploaded: list[str], request: Request) -> None:
    """The hash and the size of a photo that is sent."""
    if "/photos/upload" in request.url and request.method == "POST":
        body = request.post_data_buffer or b""
        sha256 = request.url.rsplit("sha256=", 1)[1]
        assert hashlib.sha256(body).hexdigest() == sha256
        uploaded.append(f"{sha256} {len(body)}")


def once_broken(route: Route, broken: list[str]) -> None:
    """The first one arrives, and its answer does not; the next one breaks off."""
    broken.append(route.request.url)
    if len(broken) == 1:
        route.continue_()
    else:
        route.abort("connectionfailed")


def test_the_key_never_leaves_the_browser(service: Trustd, phone: Page) -> None:
    _, invitation = invited(service, "bo")
    told: list[Any] = []
    phone.on("request", lambda request: told.append((request.url, request.post_data_buffer)))
    begins(phone, service, invitation)
    read = """() => new Promise((done) => {
      const opening = indexedDB.open("driver", 1);
      opening.onsuccess = () => {
        const asking = opening.result.transaction("login").objectStore("login").get("pair");
        asking.onsuccess = async () => {
          const { privateKey } = asking.result;
          const tried = ["pkcs8", "jwk", "raw"].map((form) => crypto.subtle.exportKey(form, privateKey));
          const ended = await Promise.allSettled(tried);
          done({ extractable: privateKey.extractable, read: ended.filter((one) => one.status === "fulfilled").length });
        };
      };
    })"""
    assert phone.evaluate(read) == {"extractable": False, "read": 0}
    # Nor is a token kept anywhere: beside the key its names, and how wrong the clock is.
    held = """() => new Promise((done) => {
      const opening = indexedDB.open("driver", 1);
      opening.onsuccess = () => {
        const asking = opening.result.transaction("login").objectStore("login").getAllKeys();
        asking.onsuccess = () => done(asking.result);
      };
    })"""
    assert phone.evaluate(held) == ["ahead", "me", "pair"]
    kept = phone.evaluate("JSON.stringify({...localStorage, ...sessionStorage}) + document.cookie")
    assert kept == "{}" and len(told) > 5
    assert all(url.startswith(f"{local(service)}/") for url, _ in told), told


def test_a_refusal_is_said_and_waits(service: Trustd, phone: Page) -> None:
    _, invitation = invited(service, "cy")
    vehicle = vehicle_of(service, "ZG 2")
    begins(phone, service, invitation)
    at = f"{FLEET}/vehicles/{vehicle['vehicle_id']}"
    phone.get_by_label("Vehicle").nth(1).select_option(vehicle["vehicle_id"])
    answer(office(service).request("PATCH", at, json={"stanje": "povuceno"}, headers={"If-Match": '"1"'}))
    phone.get_by_label("State entered").fill("at")
    phone.get_by_role("button", name="File the crossing").click()
    expect(phone.get_by_role("alert")).to_contain_text("Refused: ")
    expect(phone.locator("#waits li")).to_contain_text(["is no vehicle that is used"])
    phone.get_by_role("button", name="Take it away").click()
    expect(phone.get_by_role("status")).to_have_text("It is taken away, and was not filed.")
    expect(phone.locator("#waits li")).to_have_count(0)
    assert phone.evaluate(KEPT, "documents") == 0
    picture = base64.b64encode(b"<html>").decode()
    with pytest.raises(Exception, match="InvalidStateError|decoded"):
        phone.evaluate(
            "async (text) => (await import('./photos.js')).smaller(new Blob([atob(text)]))", picture,
        )
