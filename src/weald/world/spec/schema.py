"""The grammar of specs as a JSON Schema, for editors that complete and check TOML."""

from __future__ import annotations

import json
from typing import Any

from weald.world.spec.whole import Spec

TITLE = "weald world"
"""Title of the schema: by it a schema of weald is known."""


def json_schema() -> dict[str, Any]:
    """Return what a spec may say, as a JSON Schema (draft 2020-12).

    It is made from the classes that read specs, so it is complete; what hangs on several keys together, such as that a
    layer needs a radius, a density or a count, is left to `weald check`.

    >>> json_schema()["properties"]["chunk"]["exclusiveMinimum"]
    0
    """
    schema = _plain(Spec.model_json_schema(by_alias=True))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": TITLE, **schema}


def schema_text() -> str:
    """Return the schema as the text of ``docs/spec.schema.json``."""
    return json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n"


def _plain(part: Any) -> Any:
    """Leave out what TOML cannot say, null, and titles that only repeat a name."""
    if isinstance(part, list):
        return [_plain(one) for one in part]
    if not isinstance(part, dict):
        return part
    kept = {
        key: {name: _plain(one) for name, one in value.items()} if key in ("properties", "$defs") else _plain(value)
        for key, value in part.items()
        if key != "title" and not (key == "default" and value is None)
    }
    options = kept.get("anyOf")
    if options is None:
        return kept
    kept["anyOf"] = [option for option in options if option != {"type": "null"}]
    if len(kept["anyOf"]) == 1:
        (only,) = kept.pop("anyOf")
        kept = {**only, **kept}
    return kept
