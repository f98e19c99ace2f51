"""The part of the schema of SARIF 2.1.0 that our logs can use, reduced by hand from the OASIS standard."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

_TEXT = {"type": "object", "required": ["text"], "closed": {"text": {"type": "string"}}}
_REGION = {
    "type": "object",
    "closed": {k: {"type": "integer", "minimum": 1} for k in ("startLine", "startColumn")},
}
_URI = {"type": "string", "pattern": r"([A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-F]{2})*"}
_PHYSICAL = {
    "type": "object",
    "closed": {
        "artifactLocation": {"type": "object", "required": ["uri"], "closed": {"uri": _URI}},
        "region": _REGION,
    },
}
_RESULT = {
    "type": "object",
    "required": ["message"],
    "closed": {
        "ruleId": {"type": "string"},
        "ruleIndex": {"type": "integer", "minimum": 0},
        "level": {"enum": ["none", "note", "warning", "error"]},
        "message": _TEXT,
        "locations": {
            "type": "array",
            "items": {"type": "object", "closed": {"physicalLocation": _PHYSICAL}},
        },
        "partialFingerprints": {"type": "object", "values": {"type": "string"}},
        "properties": {"type": "object"},
    },
}
_RULE = {
    "type": "object",
    "required": ["id"],
    "closed": {"id": {"type": "string"}, "shortDescription": _TEXT},
}
_DRIVER = {
    "type": "object",
    "required": ["name"],
    "closed": {
        "name": {"type": "string"},
        "version": {"type": "string"},
        "rules": {"type": "array", "items": _RULE},
    },
}
_RUN = {
    "type": "object",
    "required": ["tool"],
    "closed": {
        "tool": {"type": "object", "required": ["driver"], "closed": {"driver": _DRIVER}},
        "results": {"type": "array", "items": _RESULT},
    },
}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "required": ["version", "runs"],
    "closed": {
        "$schema": {"type": "string"},
        "version": {"enum": ["2.1.0"]},
        "runs": {"type": "array", "items": _RUN},
    },
}
_TYPES = {"object": dict, "array": list, "string": str, "integer": int}


def faults(value: Any, schema: Mapping[str, Any] = SCHEMA, at: str = "$") -> Iterator[str]:
    """The places where a log breaks the schema."""
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: {value!r} is none of {schema['enum']}"
    wanted = schema.get("type")
    if wanted and (not isinstance(value, _TYPES[wanted]) or isinstance(value, bool)):
        yield f"{at}: {value!r} is no {wanted}"
        return
    if value is not None and "minimum" in schema and value < schema["minimum"]:
        yield f"{at}: {value} is too small"
    if "pattern" in schema and not re.fullmatch(schema["pattern"], value):
        yield f"{at}: {value!r} is not as it should be written"
    for key in schema.get("required", ()):
        if key not in value:
            yield f"{at}: {key} is missing"
    for key, inner in value.items() if "closed" in schema else ():
        if key not in schema["closed"]:
            yield f"{at}: {key} is unknown"
        else:
            yield from faults(inner, schema["closed"][key], f"{at}.{key}")
    for key, inner in value.items() if "values" in schema else ():
        yield from faults(inner, schema["values"], f"{at}.{key}")
    for number, inner in enumerate(value if "items" in schema else ()):
        yield from faults(inner, schema["items"], f"{at}[{number}]")
