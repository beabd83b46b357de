# gst-cca: JSON Schema in tests
# SPDX-License-Identifier: LGPL-2.1-or-later

import tap


def validator(schema):
    """Returns a validator of a schema, which is checked itself; skips the case where the library is missing."""
    try:
        import jsonschema
    except ImportError:
        raise tap.Skip("python3-jsonschema is not installed") from None
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)
