"""Identifiers (FORMAT.md section 5), computed offline."""

from __future__ import annotations

from .domain import Domain
from .encodings import hex_text, integer, short_text
from .primitives import h3, h5


def identity_id(domain: Domain, content: bytes, creator: str, context: str) -> str:
    row = domain["general"]
    tail = f"::{short_text(creator, 'creator')}::{short_text(context, 'context')}::{row.suffix}"
    return h3(f"{row.prefix}::".encode(), content, tail.encode())


def vault_id(domain: Domain, payload: bytes, creator: str, context: str, seq: int) -> str:
    row = domain["vault"]
    tail = f"::{short_text(creator, 'creator')}::{short_text(context, 'context')}::{integer(seq, 'seq')}::{row.suffix}"
    return h3(f"{row.prefix}::{payload.hex()}".encode(), tail.encode())


def content_hash(domain: Domain, identity: str, content: bytes) -> str:
    row = domain["signature"]
    head = f"{row.prefix}::{row.labels['CONTENT']}::{hex_text(identity, 64, 'identity_id')}::{row.suffix}"
    return h3(head.encode(), content)


def binding(domain: Domain, session_id: str, message: bytes) -> str:
    row = domain["threshold"]
    session = hex_text(session_id, 64, "session_id")
    return h3(f"{row.prefix}::{row.labels['BINDING']}::{session}::{h5(message)}::{row.suffix}".encode())
