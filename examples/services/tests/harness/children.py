"""What a guardian does with children and memories, the same in each world."""

from __future__ import annotations

from .worlds import Walk

WORLD = "/world"
UNKNOWN = "ab" * 32


def children(walk: Walk) -> None:
    """A child is registered, told something, moved and erased: of what a thief keeps nothing is among a guardian's."""
    at = f"{WORLD}/dijete/{{dijete_id}}"
    maja = {"ime": "Maja", "rodjen": "2019-05-31", "jezik": "hr", "zona": "Europe/Zagreb"}
    walk.ask("ana", "POST", f"{WORLD}/dijete", maja | {"rodjen": "1990-01-01"})
    made = walk.ask("ana", "POST", f"{WORLD}/dijete", maja, headers={"Idempotency-Key": "maja"}).json()
    child, unknown = {"dijete_id": made["identity_id"]}, {"dijete_id": UNKNOWN}
    walk.ask("ana", "POST", f"{WORLD}/dijete", maja, headers={"Idempotency-Key": "maja"})
    for body in ({"tekst": "Prvi zub."}, {"objekt": {"visina": 121}}, {}):
        made = walk.ask("noble", "POST", f"{at}/memorija", body, parts=child).json() if body else made
    walk.ask("noble", "POST", f"{at}/memorija", {}, parts=child)
    for who, whose in (("ana", child), ("noble", child), ("bo", child), ("ana", unknown)):
        walk.ask(who, "GET", f"{WORLD}/djeca")
        walk.ask(who, "GET", f"{at}/memorija", parts=whose)
        if (who, whose) in (("ana", child), ("noble", child)):
            inherited(walk, who, child["dijete_id"])
        else:
            walk.ask(who, "GET", f"{at}/nasljedstvo", parts=whose)
        walk.ask(who, "PATCH", at, {"zona": "Pacific/Auckland"}, parts=whose)
        walk.ask(who, "DELETE", f"{at}/memorija/{{memorija_id}}", parts=whose | {"memorija_id": made["memorija_id"]})
    # Which item it is follows from the child's name: what is told of it is its form alone.
    walk.ask("bo", "GET", f"{at}/sadrzaj", parts=child)
    told = walk.world.callers["ana"].get(f"{WORLD}/dijete/{child['dijete_id']}/sadrzaj")
    assert told.status_code == 200 and set(told.json()) == {"dan", "stavka", "dobna_skupina", "jezik", "tekst"}
    for who, whose in (("bo", child), ("noble", child), ("ana", child), ("ana", unknown)):
        walk.ask(who, "DELETE", at, parts=whose)
    walk.ask("ana", "GET", f"{WORLD}/djeca")


def inherited(walk: Walk, who: str, child: str) -> None:
    """How long a proof is follows from the log: what is left is told by its kinds alone."""
    left = walk.world.callers[who].get(f"{WORLD}/dijete/{child}/nasljedstvo")
    assert left.status_code == 200
    shown = [(one["vrsta"], sorted(one), sorted(one["dokaz"])) for one in left.json()["items"]]
    walk.told.append(f"{who}: what is left {shown}")
