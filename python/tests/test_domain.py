"""Identifiers and hashes, recomputed here from their formulas."""

from __future__ import annotations

import hashlib
import io
from typing import Any

import dualseal
import pytest
from dualseal import Domain, MalformedError, MisuseError

BIG = bytes(range(256)) * 4096 * 3


def h3(*parts: bytes) -> str:
    return hashlib.sha3_256(b"".join(parts)).hexdigest()


def test_identifiers_follow_their_formulas() -> None:
    acme = Domain("ACME")
    assert acme.identity_id(b"deed", "ana", "Split") == h3(b"ACME-ID::deed::ana::Split::ACME")
    assert acme.identity_id(b"", "", "") == h3(b"ACME-ID::::::::ACME")
    assert acme.legacy_identity_id(b"d", "a::b", ":c") == h3(b"ACME-ID::d::a::b:::c::ACME")
    assert acme.vault_id(b"\x00\xff", "ana", "x", 7) == h3(b"ACME-VAULT::00ff::ana::x::7::ACME")
    assert acme.legacy_vault_id(b"\xab", "::", "", 0) == h3(b"ACME-VAULT::ab::::::::0::ACME")


def test_content_hash_follows_its_formula(domain: Domain) -> None:
    identity = domain.identity_id(b"", "ana", "")
    expected = h3(b"DUALSEAL-SIGN::CONTENT::", identity.encode(), b"::DUALSEAL", b"text")
    assert domain.content_hash(identity, b"text").hash == expected
    hasher = domain.content_hasher(identity)
    hasher.update(b"te")
    assert hasher.hexdigest() != expected
    hasher.update(memoryview(b"xt"))
    assert hasher.hexdigest() == expected
    assert hasher.hexdigest() == expected


def test_an_identifier_comes_in_parts(domain: Domain) -> None:
    hasher = domain.identity_hasher("ana", "Split")
    assert hasher.finish() == domain.identity_id(b"", "ana", "Split")
    hasher.update(b"de")
    hasher.update(memoryview(bytearray(b"ed")))
    assert hasher.hexdigest() == hasher.finish() == domain.identity_id(b"deed", "ana", "Split")
    hashes: Any = lambda: domain.identity_hasher("", "")  # noqa: E731
    file = hashlib.file_digest(io.BytesIO(BIG), hashes)
    assert file.hexdigest() == domain.identity_id(BIG, "", "")
    for creator, context in (("a::b", ""), ("", ":c"), ("", "\ud800")):
        with pytest.raises(MalformedError):
            domain.identity_hasher(creator, context)


def test_threshold_binding_follows_its_formula(domain: Domain) -> None:
    message = dualseal.message_hash(b"agreed")
    assert message == hashlib.sha3_512(b"agreed").hexdigest()
    session = "5" * 64
    text = f"DUALSEAL-THRESHOLD::BINDING::{session}::{message}::DUALSEAL"
    assert domain.threshold_binding(session, message) == h3(text.encode())


def test_every_kind_of_buffer_gives_the_same_bytes(domain: Domain) -> None:
    identity = domain.identity_id(b"", "ana", "")
    prefix = f"DUALSEAL-SIGN::CONTENT::{identity}::DUALSEAL".encode()
    for content in (b"", b"a", BIG[: 64 << 10], BIG[: (64 << 10) + 1], BIG[: 256 << 10], BIG):
        expected = h3(prefix, content)
        grid: Any = memoryview(content)
        if len(content) % 4 == 0 and content:
            grid = grid.cast("I")
        for buffer in (content, bytearray(content), memoryview(content), memoryview(bytearray(content)), grid):
            assert domain.content_hash(identity, buffer).hash == expected
        assert domain.identity_id(bytearray(content), "a", "b") == domain.identity_id(content, "a", "b")
        assert domain.legacy_identity_id(bytearray(content), "a", "b") == domain.identity_id(content, "a", "b")
        assert domain.vault_id(bytearray(content), "a", "b", 1) == domain.legacy_vault_id(content, "a", "b", 1)


def test_a_file_is_hashed_through_the_standard_library(domain: Domain) -> None:
    identity = domain.identity_id(b"", "ana", "")
    hasher: Any = domain.content_hasher(identity)
    digest = hashlib.file_digest(io.BytesIO(BIG), lambda: hasher)
    assert digest.hexdigest() == domain.content_hash(identity, BIG).hash


def test_a_view_with_gaps_is_refused(domain: Domain) -> None:
    with pytest.raises(TypeError, match="contiguous"):
        domain.identity_id(memoryview(b"abcdef")[::2], "a", "b")


@pytest.mark.parametrize("content", ["text", 5, None, [1, 2]])
def test_what_is_not_bytes_is_refused(domain: Domain, content: Any) -> None:
    with pytest.raises(TypeError, match="bytes-like"):
        domain.identity_id(content, "a", "b")
    with pytest.raises(TypeError, match="bytes-like"):
        domain.content_hasher("0" * 64).update(content)


def test_domains_are_compared_by_their_constants() -> None:
    assert Domain() == Domain("DUALSEAL") != Domain("ACME")
    assert Domain(name="ACME") == Domain("ACME")
    assert len({Domain(), Domain("DUALSEAL"), Domain("ACME")}) == 2
    with pytest.raises(TypeError):
        Domain(None)  # type: ignore[arg-type]
    with pytest.raises(AttributeError):
        Domain().name = "other"  # type: ignore[attr-defined]


def test_constants_set_by_hand() -> None:
    domain = Domain(
        "ACME",
        prefixes={"identifier": "OLD", "signature": "SIG"},
        suffixes={"identifier": "V1"},
        labels={("signature", "CONTENT"): "BODY"},
    )
    assert domain.identity_id(b"deed", "ana", "") == h3(b"OLD::deed::ana::::V1")
    assert domain.vault_id(b"\x01", "", "", 0) == h3(b"ACME-VAULT::01::::::0::ACME")
    assert domain.content_hash("0" * 64, b"text").hash == h3(b"SIG::BODY::" + b"0" * 64 + b"::ACMEtext")
    assert domain != Domain("ACME") == Domain("ACME", prefixes={}, suffixes={}, labels={})
    assert Domain(suffixes={"vault": "X"}).vault_id(b"", "", "", 0) == h3(b"DUALSEAL-VAULT::::::::0::X")


def test_constants_that_are_equal() -> None:
    shared = {"vault": "ACME-ID"}
    with pytest.raises(MisuseError) as caught:
        Domain("ACME", prefixes=shared)
    assert caught.value.code == 309
    domain = Domain("ACME", prefixes=shared, legacy_shared_constants=True)
    assert domain.vault_id(b"", "", "", 0) == h3(b"ACME-ID::::::::0::ACME")
    with pytest.raises(MisuseError):
        Domain(labels={("signature", "CONTENT"): "RING"}, legacy_shared_constants=True)


@pytest.mark.parametrize("setting", ["prefixes", "suffixes", "labels"])
def test_a_missing_setting_is_no_default(setting: str) -> None:
    given: dict[str, Any]
    for given in ({setting: None}, {setting: [("identifier", "X")]}, {setting: {1: "X"}}, {setting: {"vault": 1}}):
        with pytest.raises(TypeError):
            Domain("ACME", **given)


def test_lint_names_every_ambiguous_input() -> None:
    pairs = [("ana", "2026"), ("ana::b", ":x"), ("", ""), ("a:b", "c::")]
    assert dualseal.lint_ids(pairs) == [(1, "creator"), (1, "context"), (3, "context")]
    assert dualseal.lint_ids(iter([])) == []
    with pytest.raises(MalformedError) as caught:
        dualseal.lint_ids([("\ud800", "")])
    assert caught.value.field == "creator"
    with pytest.raises(TypeError):
        dualseal.lint_ids([("a", 1)])  # type: ignore[list-item]
