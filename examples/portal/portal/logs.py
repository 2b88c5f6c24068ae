"""What is logged: no token of a link."""

from __future__ import annotations

import logging
import re

TOKEN = re.compile(r"(/ponuda/)[^/\s\"']+")


class WithoutTokens(logging.Filter):
    """Whoever reads a log opens no document by it."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Every record passes, with its text rewritten."""
        record.msg, record.args = TOKEN.sub(r"\1…", record.getMessage()), ()
        return True
