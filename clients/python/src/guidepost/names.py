"""From a name to its GUID, the 20 bytes under which GNRS knows it; docs/clients.md has the forms."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from .model import Invalid

_SCHEME = "guid:"
_DIGITS = re.compile(r"[0-9a-fA-F]{40}")
_UUID = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
_HANDLE = re.compile(r"(?:[0-9]+(?:\.[0-9]+)*|0\.[nN][aA])/.+", re.DOTALL)
_WORD = re.compile(r"[!-~]{1,20}")

_NAME_BYTES_MAX = 2048


def guid(name: str) -> bytes:
    """Returns the 20 bytes of a name: a GUID itself, a word of at most 20 characters, or the beginning of SHA-256 of its form.

    :raises Invalid: if it is no name
    """
    given = name.startswith(_SCHEME)
    rest = name[len(_SCHEME) :] if given else name
    if _DIGITS.fullmatch(rest):
        return bytes.fromhex(rest)
    handle = _HANDLE.fullmatch(name)
    if handle:
        form = re.sub(r"[a-z]+", lambda each: each.group().upper(), name)
    elif _UUID.fullmatch(name):
        form = name.lower()
    else:
        form = unicodedata.normalize("NFC", rest)
    try:
        text = form.encode("utf-8")
    except UnicodeEncodeError:
        raise Invalid("a name is Unicode text without surrogates") from None
    word = _WORD.fullmatch(form) and not handle
    if given and not word:
        raise Invalid("guid: is followed by 40 hexadecimal digits or a word of at most 20 characters")
    if not 1 <= len(text) <= _NAME_BYTES_MAX:
        raise Invalid(f"a name has 1 to {_NAME_BYTES_MAX} bytes in UTF-8, not {len(text)}")
    return text.ljust(20, b"\0") if word else hashlib.sha256(text).digest()[:20]
