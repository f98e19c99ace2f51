"""The part of the schema of SARIF 2.1.0 that our logs can use, reduced by hand from the OASIS standard."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

SCHEMA: Mapping[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
_TYPES = {"object": dict, "array": list, "string": str, "integer": int}


def faults(value: Any, schema: Mapping[str, Any] = SCHEMA, at: str = "$") -> Iterator[str]:
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
