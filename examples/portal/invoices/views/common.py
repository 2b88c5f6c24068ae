"""What views of clients and of issuers share."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from portal.middleware import UNKNOWN, address_of

logger = logging.getLogger("portal")
View = Callable[..., HttpResponseBase]


class NoAddressError(Exception):
    """Nobody knows where who asks is, and nothing is sealed that says he is nowhere."""


def whose(request: HttpRequest) -> tuple[str, str]:
    """Address and browser of who asks.

    :raises NoAddressError: no address is known.
    """
    address = address_of(request)
    if address == UNKNOWN:
        logger.error("no address of a client is known: the proxy has to speak to the portal over TCP")
        raise NoAddressError
    return address, request.headers.get("User-Agent", "")


def attached(content: bytes | Iterator[str], name: str, kind: str) -> HttpResponseBase:
    """A file to keep, whole or as it is made."""
    of = HttpResponse if isinstance(content, bytes) else StreamingHttpResponse
    return of(content, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
