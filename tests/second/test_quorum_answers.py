"""The stored answers are those that the script makes, and a few of them are recomputed here from scratch."""

from __future__ import annotations

import hashlib
from pathlib import Path

import make_quorum_answers
from dualseal_second import presence, primitives
from dualseal_second.encodings import parse

STORED = Path(__file__).parent.parent / "vectors" / "known_answers_quorum.json"


def test_the_stored_file_is_the_scripts_output() -> None:
    assert STORED.read_text(encoding="utf-8") == make_quorum_answers.text()


def test_results_written_out() -> None:
    for session in parse(STORED.read_bytes())["sessions"]:
        for signing in session["signings"]:
            result, text = signing["result"], signing["statement"].encode()
            record = session["deals"][0]["session"]
            if record["algoritam"].endswith("ML-DSA-65"):
                key = bytes.fromhex(record["javni_kljuc"])
                assert primitives.verifies(key, bytes.fromhex(result["potpis"]), text)
                assert not primitives.verifies(key, bytes.fromhex(result["potpis"]), text + b" ")
            else:
                assert result["potpis"] == primitives.hmac_sha3_512(bytes.fromhex(session["secret_hex"]), text)
            handle = hashlib.sha3_256(result["svjedok_hash"].encode()).hexdigest()
            assert result["krunica_hash"] == handle and signing["entry"]["h"] == result["svjedok_hash"]


def test_proofs_written_out() -> None:
    for proof in parse(STORED.read_bytes())["proofs"]:
        key, text = bytes.fromhex(proof["proof"]["public_key"]), proof["statement"].encode()
        assert presence.strictly_accepts(key, bytes.fromhex(proof["proof"]["signature"]), text)
        for name in ("signature_over_bare_challenge", "signature_over_challenge_bytes"):
            assert not presence.strictly_accepts(key, bytes.fromhex(proof[name]), text)
