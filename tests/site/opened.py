"""Pages opened from disk, and everything that goes wrong on them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

CHROMIUM = shutil.which("chromium")
IN_A_BROWSER = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on PATH; apt-get install chromium"),
]
HOSTILE = "<img src=x onerror=document.title=1>"


def opened(context: BrowserContext, path: Path) -> tuple[Page, list[str]]:
    """The page, and everything that went wrong or asked another host on it."""
    page, wrong = context.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("requestfailed", lambda request: wrong.append(request.url))
    page.on("request", lambda request: wrong.append(request.url) if not request.url.startswith("file:") else None)
    page.goto(path.as_uri())
    return page, wrong
