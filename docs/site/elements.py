# gst-cca: what GStreamer's registry knows of an element, in Markdown
# SPDX-License-Identifier: LGPL-2.1-or-later

import re

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GObject, Gst  # noqa: E402

Gst.init(None)

# The last state in which a property may change. Other properties count from the next start.
MUTABLE = {Gst.PARAM_MUTABLE_PLAYING: "playing", Gst.PARAM_MUTABLE_PAUSED: "paused"}
DIRECTIONS = {Gst.PadDirection.SINK: "sink", Gst.PadDirection.SRC: "source"}
# The largest numbers of types; as a limit, they say that there is none.
LARGEST = {2**bits - 1 for bits in (31, 32, 63, 64)}


def lineage(gtype):
    """A type and those that it derives from."""
    return [gtype, *lineage(gtype.parent)] if gtype != GObject.TYPE_INVALID else []


def is_ours(gtype):
    """Whether a type is an element or a base of gst-cca."""
    return re.search("cca|ccl", gtype.name, re.IGNORECASE)


def table(head, rows):
    """A table; cells may hold vertical bars."""
    lines = (" | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) for row in rows)
    return "\n".join(f"| {line} |" for line in (" | ".join(head), " | ".join(["---"] * len(head)), *lines))


def caps_text(caps):
    """Caps with a line per field."""
    lines = []
    for index in range(caps.get_size()):
        features = caps.get_features(index).to_string()
        name, *fields = re.split(r", (?=[\w-]+=)", caps.get_structure(index).to_string().rstrip(";"))
        lines.append(name if features == "memory:SystemMemory" else f"{name}({features})")
        lines += [f"  {field}" for field in fields]
    return "\n".join(lines) or caps.to_string()


def values_of(element, pspec):
    """The values of an enumeration or of flags, by number; of other types none."""
    for kind, values in (GObject.TYPE_ENUM, "__enum_values__"), (GObject.TYPE_FLAGS, "__flags_values__"):
        if pspec.value_type.is_a(kind):
            return dict(sorted(getattr(type(element.get_property(pspec.name)), values).items()))
    return {}


def nicks(value):
    return "+".join([value.value_nick] if hasattr(value, "value_nick") else value.value_nicks)


def name_of(value):
    return value.value_name if hasattr(value, "value_name") else ", ".join(value.value_names)


def range_of(pspec, values):
    if values:
        return ", ".join(f"`{nicks(value)}`" for value in values.values())
    if not hasattr(pspec, "minimum"):
        return ""
    return f"{pspec.minimum} or more" if pspec.maximum in LARGEST else f"{pspec.minimum} to {pspec.maximum}"


def default_of(pspec, values):
    value = getattr(pspec, "default_value", None)
    if values:
        is_enum = pspec.value_type.is_a(GObject.TYPE_ENUM)
        return "+".join(nicks(v) for n, v in values.items() if (n == int(value) if is_enum else n & int(value)))
    return str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)


def changes(pspec):
    if not pspec.flags & GObject.ParamFlags.WRITABLE:
        return "read-only"
    return next((state for flag, state in MUTABLE.items() if pspec.flags & flag), "ready")


def properties(element):
    own = [pspec for pspec in element.list_properties() if is_ours(pspec.owner_type)]
    if not own:
        return
    yield "### Types of the properties"
    yield "A property may change up to the state in the last column."
    rows, kinds = [], {}
    for pspec in sorted(own, key=lambda pspec: pspec.name):
        values, kind = values_of(element, pspec), pspec.value_type.name
        default = default_of(pspec, values)
        rows.append([f"`{pspec.name}`", kind, range_of(pspec, values), default and f"`{default}`", changes(pspec)])
        kinds[kind] = values
    yield table(["property", "type", "range", "default", "changes"], rows)
    for kind, values in sorted(kinds.items()):
        if values:
            yield f"#### {kind}"
            yield table(["value", "meaning"], [[f"`{nicks(value)}`", name_of(value)] for value in values.values()])


def signals(element):
    queries = [
        GObject.signal_query(signal)
        for gtype in lineage(element.__gtype__)
        if is_ours(gtype)
        for signal in GObject.signal_list_ids(gtype)
    ]
    if not queries:
        return
    yield "### Signals"
    rows = []
    for query in queries:
        types = ", ".join(gtype.name for gtype in query.param_types)
        kind = "action" if query.signal_flags & GObject.SignalFlags.ACTION else "signal"
        rows.append([f"`{query.signal_name}`", kind, f"`{query.return_type.name} ({types or 'void'})`"])
    yield table(["signal", "kind", "returns and takes"], rows)


def pads(factory):
    yield "### Pads"
    for template in factory.get_static_pad_templates():
        presence = template.presence.value_nick
        yield f"`{template.name_template}`: {DIRECTIONS[template.direction]}, {presence}"
        yield f"```none\n{caps_text(template.get_caps())}\n```"


def reference(name):
    """Returns the section of an element that is in the registry."""
    factory = Gst.ElementFactory.find(name)
    if factory is None:
        raise LookupError(f"GStreamer knows no element {name}: does GST_PLUGIN_PATH name the build's folder gst?")
    element = factory.create()
    facts = [
        ["class", factory.get_metadata(Gst.ELEMENT_METADATA_KLASS)],
        ["plugin", f"`{factory.get_plugin_name()}`"],
        ["rank", str(factory.get_rank())],
        ["type", " → ".join(f"`{gtype.name}`" for gtype in reversed(lineage(element.__gtype__)))],
    ]
    parts = [
        "## Reference",
        f"{factory.get_metadata(Gst.ELEMENT_METADATA_DESCRIPTION)}.",
        table(["", "in the registry"], facts),
        *pads(factory),
        *properties(element),
        *signals(element),
    ]
    return "\n\n".join(parts) + "\n"
