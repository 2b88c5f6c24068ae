"""Whose address a request has, and that no page is stored."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

Handler = Callable[[HttpRequest], HttpResponse]
# Of a peer that has none, as behind a Unix socket.
UNKNOWN = "0.0.0.0"
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def address_of(request: HttpRequest) -> str:
    """The peer's address; where that is a trusted proxy, the last hop that is none. What a client writes into the
    header itself stands before that and counts for nothing.
    """
    peer = _address(request.META.get("REMOTE_ADDR", ""))
    hops = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    while peer is not None and _is_trusted(peer) and hops:
        hop = _address(hops.pop().strip())
        if hop is None:
            break
        peer = hop
    return UNKNOWN if peer is None else str(peer)


def of_proxies(handler: Handler) -> Handler:
    """Takes from who is no trusted proxy what only such a one may say."""

    def handle(request: HttpRequest) -> HttpResponse:
        peer = _address(request.META.get("REMOTE_ADDR", ""))
        if peer is None or not _is_trusted(peer):
            request.META.pop("HTTP_X_FORWARDED_PROTO", None)
        return handler(request)

    return handle


def not_stored(handler: Handler) -> Handler:
    """No cache keeps a page, and no search engine lists one, unless its view says otherwise."""

    def handle(request: HttpRequest) -> HttpResponse:
        response = handler(request)
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers.setdefault("X-Robots-Tag", "noindex, nofollow")
        return response

    return handle


def _address(text: str) -> Address | None:
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found


def _is_trusted(address: Address) -> bool:
    return any(address in network for network in settings.TRUSTED_PROXIES)
