"""What is not a caller's own: each address of which the service's table says so is asked by another noble, over a thing
that is somebody's. The table itself says what is tried: a new row without a case here fails."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import requests
from conftest import Make
from harness import configuration, owned
from harness.http import Client, answer, problem
from harness.load import encoded
from harness.models import QUESTION, provider
from harness.owned import API, DAY, MAJA, WORLD, Owned
from harness.present import alive
from harness.trustd import OPERATOR

Ask = Callable[[Client, Owned], requests.Response]
SAID = {
    "choices": [{"message": {"role": "assistant", "content": "Yes."}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 15, "completion_tokens": 4},
}


def sent(method: str, path: str, body: Callable[[Owned], Any] | None = None, **headers: str) -> tuple[str, Ask]:
    """A row of the table, and how it is asked for the first's thing. Names in the path are those of `Owned.names`."""

    def ask(client: Client, of: Owned) -> requests.Response:
        names = {"who": of.who} | {name: value for name, value in of.names.items() if isinstance(value, str)}
        options = {} if body is None else {"params" if method == "GET" else "json": body(of)}
        return client.request(method, path.partition(" ")[0].format(**names), headers=headers, **options)

    # What stands in braces has the table's own name behind the path, where the two differ.
    return f"{method} {path.partition(' ')[2] or path}", ask


def whose(of: Owned) -> Any:
    """It names the first."""
    return of.whose()


def named(**more: Any) -> Callable[[Owned], Any]:
    """It names the first, and has more."""
    return lambda of: of.whose() | more


def session(of: Owned) -> Any:
    """It names the first's session."""
    return {"session_id": of.names["session_id"]}


DOK, PROOF, PRESENCE, LIFECYCLE = f"{API}/dok", f"{API}/proof", f"{API}/presence", f"{API}/lifecycle"
CHILD, OF_CHILD = f"{WORLD}/dijete/{{child}}", f"{WORLD}/dijete/{{dijete_id}}"
CONTENT = {"content_b64": encoded(b"x")}
# Each names a thing of the first's, who may do so himself. What takes it away comes last.
NAMING = dict([
    sent("POST", f"{API}/dsa/keypair", whose),
    sent("POST", f"{API}/dsa/potpisi", named(**CONTENT)),
    sent("POST", f"{API}/dsa/potpisi-json", named(object={"a": 1})),
    sent("GET", f"{API}/dsa/status/{{who}} {API}/dsa/status/{{identity_id}}"),
    sent("GET", f"{API}/threshold/sesija/{{session_id}}"),
    sent("GET", f"{API}/threshold/borg/kvorum", session),
    sent("POST", f"{API}/threshold/requests",
         lambda of: session(of) | named(namjena="potpis", poruka_b64=encoded(b"x"))(of)),
    sent("POST", f"{API}/threshold/potpisi",
         lambda of: session(of) | named(udjeli=[[1, "ab" * 32]], poruka_b64=encoded(b"x"))(of)),
    sent("GET", f"{API}/qt/requests/{{request_id}}"),
    sent("POST", f"{API}/qt/requests/{{request_id}}/proofs", lambda of: of.names["person"].proof(of.names["request"])),
    sent("POST", f"{PRESENCE}/vouch/begin", whose),
    sent("POST", f"{PRESENCE}/vouch/finish", lambda of: {
        "enrolment_id": of.names["vouched"]["enrolment_id"],
        "voucher": alive(of.names["vouched"], of.names["person"].seed),
    }),
    sent("GET", f"{PRESENCE}/authenticators", whose),
    sent("GET", f"{API}/vault/{{vault_id}} {API}/vault/{{id}}"),
    sent("POST", f"{PROOF}/put", lambda of: named(vehicle_id=of.names["vehicle_id"], **DAY)(of)),
    sent("POST", f"{PROOF}/istina", lambda of: named(record=of.names["record"])(of)),
    sent("POST", f"{PROOF}/svjedok", whose),
    sent("POST", f"{PROOF}/zivot/challenge", whose),
    sent("POST", f"{PROOF}/zivot", lambda of: {
        "izazov_id": of.names["izazov"]["izazov_id"],
        "odgovor": alive(of.names["izazov"], of.names["person"].seed),
    }),
    sent("GET", f"{PROOF}/{{dokaz_id}}"),
    sent("POST", f"{API}/messaging/send", owned.written),
    sent("GET", f"{DOK}/vozac/{{who}} {DOK}/vozac/{{identity_id}}"),
    sent("GET", f"{DOK}/dokument/{{filed}} {DOK}/dokument/{{identity_id}}"),
    sent("GET", f"{API}/photos/{{photo}} {API}/photos/{{identity_id}}"),
    sent("GET", f"{API}/models/spend", whose),
    sent("POST", f"{LIFECYCLE}/dokument", lambda of: of.names["ends"]),
    sent("GET", f"{LIFECYCLE}/dokument/{{ends_id}} {LIFECYCLE}/dokument/{{identity_id}}"),
    sent("PATCH", f"{LIFECYCLE}/dokument/{{ends_id}} {LIFECYCLE}/dokument/{{identity_id}}", lambda _: {"naslov": "y"},
         **{"If-Match": '"1"'}),
    sent("GET", f"{LIFECYCLE}/vlasnik/{{who}} {LIFECYCLE}/vlasnik/{{vlasnik_id}}"),
    sent("PATCH", f"{CHILD} {OF_CHILD}", lambda _: {"jezik": "de"}),
    sent("GET", f"{CHILD}/sadrzaj {OF_CHILD}/sadrzaj"),
    sent("POST", f"{CHILD}/memorija {OF_CHILD}/memorija", lambda _: {"tekst": "Drugi zub."}),
    sent("GET", f"{CHILD}/memorija {OF_CHILD}/memorija"),
    sent("GET", f"{CHILD}/nasljedstvo {OF_CHILD}/nasljedstvo"),
    sent("DELETE", f"{CHILD}/memorija/{{memory}} {OF_CHILD}/memorija/{{memorija_id}}"),
    sent("DELETE", f"{CHILD} {OF_CHILD}"),
    sent("DELETE", f"{PROOF}/{{dokaz_id}}"),
    sent("DELETE", f"{PRESENCE}/authenticators/{{person_key}} {PRESENCE}/authenticators/{{authenticator_id}}"),
])
# A challenge is used up or ends: which of that it is, or whose it was, is told to nobody.
OTHERWISE = {f"POST {PROOF}/zivot": (409, "request-closed")}
# Each lists what is the caller's.
LISTING = {
    f"GET {path}"
    for path in (
        f"{API}/qt/vaults", f"{API}/qt/requests/open", f"{API}/vault/", f"{PROOF}/", f"{API}/messaging/log",
        f"{DOK}/my-recent", f"{LIFECYCLE}/dokumenti", f"{WORLD}/djeca",
    )
}
# Each makes something, and names nobody whose it would be: it is the caller's, and found where the first finds his.
MAKING: dict[str, tuple[Ask, str]] = {
    f"POST {DOK}/create": (lambda client, of: client.post(f"{DOK}/create", owned.filing(of)), f"{DOK}/my-recent"),
    f"POST {API}/photos/upload": (lambda client, _: owned.photographed(client), f"{API}/photos/{{identity_id}}"),
    f"POST {WORLD}/dijete": (lambda client, _: client.post(f"{WORLD}/dijete", MAJA), f"{WORLD}/djeca"),
    f"POST {API}/models/messages": (
        lambda client, _: client.post(f"{API}/models/messages", QUESTION), f"{API}/models/spend",
    ),
}


def test_what_is_somebodys_is_there_for_nobody_else(make: Make, tmp_path: Path) -> None:
    key = configuration.secret(tmp_path / "key", "key-of-ours")
    with provider() as asked:
        asked.says = [(200, SAID)] * 2
        one = {"kind": "mistral", "url": asked.address, "model": "m", "key_file": key}
        one |= {"input_price": 1_000_000, "output_price": 1_000_000}
        settings = {"trust": {"enrolment_counts_after": "0s"}, "models": {"providers": [one], "budget": 300}}
        of = Owned.of(make(configuration.local(), settings).start())
        rules = of_the_table(of)
        cases = [*NAMING, *LISTING, *MAKING]
        assert sorted(cases) == sorted(rules), "a row of the table has no case, or a case no row"
        for row, ask in NAMING.items():
            refusal = (403, "not-guardian") if rules[row] == "guardian" else OTHERWISE.get(row, (404, "unknown-id"))
            problem(ask(of.second, of), *refusal)
        for row in LISTING:
            assert listed(of.first, row) and listed(of.second, row) == [], row
        for row, (ask, where) in MAKING.items():
            made_apart(of, row, ask, where)
        # Each was about something that is there.
        for row, ask in NAMING.items():
            response = ask(of.first, of)
            code = response.json()["code"] if response.status_code >= 400 else ""
            assert code not in ("unknown-id", "not-guardian", "request-closed", "invalid-field"), (row, response.text)


# What the second asks of himself, with a part that is the first's; what he is told.
BESIDE: dict[str, tuple[Ask, tuple[int, str]]] = {
    "a list by the first's name": (
        lambda client, of: client.get(f"{API}/vault/", params=of.whose()), (404, "unknown-id"),
    ),
    "proofs by the first's name": (
        lambda client, of: client.get(f"{PROOF}/", params=of.whose()), (404, "unknown-id"),
    ),
    "a record of the first's": (
        lambda client, of: client.post(f"{PROOF}/istina", {"identity_id": of.other, "record": of.names["record"]}),
        (422, "invalid-field"),
    ),
    "a file of the first's": (
        lambda client, of: client.post(
            f"{LIFECYCLE}/dokument", of.names["ends"] | {"vlasnik_id": of.other, "vault_id": of.names["vault_id"]},
        ),
        (422, "invalid-field"),
    ),
    # The first filed a crossing, and the second none.
    "a vehicle's journey": (
        lambda client, of: client.post(
            f"{PROOF}/put", {"identity_id": of.other, "vehicle_id": of.names["vehicle_id"]} | DAY,
        ),
        (409, "missing-evidence"),
    ),
}


def test_what_is_asked_of_oneself_holds_nothing_of_anothers(make: Make) -> None:
    of = Owned.of(make(configuration.local(), {"trust": {"enrolment_counts_after": "0s"}}).start())
    answer(of.first.post(f"{DOK}/create", owned.crossed(of)), 201)
    for ask, refusal in BESIDE.values():
        problem(ask(of.second, of), *refusal)
    assert answer(of.second.get(f"{PRESENCE}/authenticators", params={"identity_id": of.other}))["items"] == []
    # Whoever sees a session asks its nodes for himself alone.
    asked = session(of) | {"identity_id": of.other, "poruka_b64": encoded(b"x")}
    problem(of.first.post(f"{API}/threshold/requests", asked | {"namjena": "potpis"}), 404, "unknown-id")
    problem(of.first.post(f"{API}/threshold/potpisi", asked | {"udjeli": [[1, "ab" * 32]]}), 404, "unknown-id")
    # Nobody's form is read further than to whose it is.
    form = {"identity_id": (None, of.who), "none": (None, "x")}
    problem(of.second.request("POST", f"{API}/dsa/potpisi", files=form), 404, "unknown-id")
    # Nor is what one filed of one vehicle another's journey.
    office, plate = of.service.client(of.service.token(OPERATOR, "native", "fleet")), {"registracija": "ZG 2"}
    vehicle = plate | {"maticna_drzava": "HR", "vlasnik_id": of.who}
    elsewhere = {"vehicle_id": answer(office.post(f"{API}/fleet/vehicles", vehicle), 201)["vehicle_id"]}
    problem(of.first.post(f"{PROOF}/put", of.whose() | elsewhere | DAY), 409, "missing-evidence")
    # What is of one child is none of another's.
    sister = answer(of.first.post(f"{WORLD}/dijete", MAJA), 201)["identity_id"]
    at = {child: f"{WORLD}/dijete/{child}/memorija" for child in (sister, of.names["child"])}
    problem(of.first.request("DELETE", f"{at[sister]}/{of.names['memory']}"), 404, "unknown-id")
    assert [len(answer(of.first.get(path))["items"]) for path in at.values()] == [0, 1]
    # Each is there, for who has it.
    assert answer(of.first.get(f"{API}/vault/", params=of.whose()))["items"]
    assert answer(of.first.get(f"{PROOF}/", params=of.whose()))["items"]
    answer(of.first.post(f"{LIFECYCLE}/dokument", of.names["ends"] | {"vault_id": of.names["vault_id"]}), 201)


def of_the_table(of: Owned) -> dict[str, str]:
    """The rows that say that the caller acts for his own, with their rule."""
    paths = answer(of.first.get("/openapi.json"))["paths"]
    every = itertools.chain.from_iterable(
        ((f"{method.upper()} {path}", operation["x-owner"]) for method, operation in methods.items())
        for path, methods in paths.items()
    )
    return {row: rule for row, rule in every if rule in ("own", "guardian")}


def listed(client: Client, row: str) -> list[Any]:
    """What a list shows to a caller."""
    return list(answer(client.get(row.removeprefix("GET ")))["items"])


def made_apart(of: Owned, row: str, ask: Ask, where: str) -> None:
    """What the second makes is his, and the first sees nothing of it."""
    by_name = "{" in where
    both = (of.first, of.second)
    before = [] if by_name else [answer(client.get(where)) for client in both]
    made = ask(of.second, of)
    assert made.status_code in (200, 201), (row, made.text)
    if by_name:
        at = where.format(**made.json())
        problem(of.first.get(at), 404, "unknown-id")
        assert of.second.get(at).status_code == 200, row
        return
    after = [answer(client.get(where)) for client in both]
    assert after[0] == before[0] and after[1] != before[1], row
