"""The address by which a customer checks a receipt, and its QR code."""

from __future__ import annotations

import io
from datetime import datetime
from decimal import Decimal
from urllib.parse import urlencode
from uuid import UUID

import segno
from PIL import Image

from .zki import ZAGREB

SIDE = 300
CIS_URL = "https://porezna.gov.hr/rn"


def default_url(base: str, *, zki: str, issued_at: datetime, oib: str) -> str:
    """The specification's form."""
    local = issued_at.astimezone(ZAGREB)
    return f"{base}?zki={zki}&datIzd={local:%d.%m.%YT%H:%M:%S}&oib={oib}"


def cis_url(*, zki: str, jir: UUID | None, issued_at: datetime, total: Decimal) -> str:
    """The Croatian tax authority's form: by the JIR where one is known, else by the ZKI; the total in cents."""
    local = issued_at.astimezone(ZAGREB)
    code = {"jir": str(jir)} if jir else {"zki": zki}
    return f"{CIS_URL}?{urlencode(code | {'datv': f'{local:%Y%m%d_%H%M}', 'izn': f'{int(total * 100)}'})}"


def png(text: str) -> bytes:
    """300 by 300 pixels, level M: whole pixels a module, and white around them."""
    code = segno.make(text, error="m", boost_error=False, micro=False)
    width, _ = code.symbol_size(scale=1, border=4)
    made = io.BytesIO()
    code.save(made, kind="png", scale=SIDE // width, border=4)
    image = Image.new("L", (SIDE, SIDE), 255)
    with Image.open(made) as inner:
        offset = (SIDE - inner.width) // 2
        image.paste(inner.convert("L"), (offset, offset))
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()
