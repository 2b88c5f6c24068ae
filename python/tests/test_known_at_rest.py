"""Secrets at rest of tests/vectors/known_answers_at_rest.json, opened by the wheel. The secret files beside them are
the command line's, and the wheel has no reader of them."""

from __future__ import annotations

import pytest
from dualseal import Domain
from dualseal.operator import Master, SecretError

from known import counts, read, sha3, shake, stored


def test_secrets_at_rest_open_in_their_place_alone() -> None:
    answers, opened = read("known_answers_at_rest.json"), 0
    for answer in answers["secrets"]:
        name, table, purpose, row = answer["domain"], answer["table"], answer["purpose"], bytes.fromhex(answer["row"])
        domain, key = Domain(name), bytes.fromhex(answer["master"])
        assert domain.identity_id(row, table, purpose) == answer["identity_id"]
        secret = shake(f"{table} {row.hex()} secret", answer["secret_length"])
        assert sha3(secret) == answer["secret_sha3_256"]
        made = stored(name, answer["identity_id"], "SECRET", key, bytes.fromhex(answer["salt"]), secret)
        assert (len(made), sha3(made)) == (answer["stored_length"], answer["stored_sha3_256"])
        assert made.hex().startswith(answer["stored_begin"])
        place = {"table": table, "row": row, "purpose": purpose}
        assert Master(domain, key).open(made, **place) == secret
        elsewhere = [
            (Master(domain, key), place | {"purpose": f"{purpose}."}),
            (Master(domain, key), place | {"row": row + b"."}),
            (Master(domain, bytes([1]) * 32), place),
        ]
        for master, of in elsewhere:
            with pytest.raises(SecretError) as refused:
                master.open(made, **of)
            assert refused.value.name == "other-key"
        opened += 1
    assert (opened, counts(answers)) == (10, {"secrets": 10, "files": 2})
