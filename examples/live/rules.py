# gst-cca: changes the file of zones and lines that ccazones reads
# SPDX-License-Identifier: LGPL-2.1-or-later

import hashlib
import json
import math
import os
import tempfile
from pathlib import Path

from gi.repository import Gst

LISTS = {"line": "lines", "zone": "zones"}
MIN_POINTS = {"line": 2, "zone": 3}
MAX_POINTS = 1024
MAX_NAME = 64
MAX_RULES = 256
MAX_DIGITS = 16  # of integers, so that they are exact


class Refused(Exception):
    """Rules that cannot be used, or a change that cannot be made; the text says why."""


def check(path):
    """Raises Refused with ccazones' error if it cannot start with the rules of a file."""
    zones, bus = Gst.ElementFactory.make("ccazones"), Gst.Bus.new()
    zones.set_bus(bus)
    zones.set_property("config", str(path))
    started = zones.set_state(Gst.State.PAUSED) != Gst.StateChangeReturn.FAILURE
    zones.set_state(Gst.State.NULL)
    if not started:
        message = bus.pop_filtered(Gst.MessageType.ERROR)
        raise Refused(message.parse_error()[0].message if message else "ccazones does not start")


def number(text):
    """Reads an integer of JSON; one of many digits becomes an inexact or infinite one."""
    return int(text) if len(text) <= MAX_DIGITS else float(text)


def check_values(message):
    """Raises Refused for JSON with a text that is not Unicode or a number that is not finite."""
    try:
        json.dumps(message, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        raise Refused("a text contains half a character") from None
    except (ValueError, RecursionError):
        raise Refused("a number is too large, or lists are nested too deep") from None


def name_of(value):
    if not isinstance(value, str) or not value.strip():
        raise Refused("a rule needs a name")
    if len(value) > MAX_NAME:
        raise Refused(f"a name has at most {MAX_NAME} characters")
    if not value.isprintable():
        raise Refused("a name has only characters that can be shown")
    return value.strip()


def points_of(value, kind):
    """Checks points relative to the frame, each [x, y] from 0 to 1, and returns them."""
    try:
        points = [(float(x), float(y)) for x, y in value]
    except (TypeError, ValueError, OverflowError):
        raise Refused("points are a list of [x, y]") from None
    if not MIN_POINTS[kind] <= len(points) <= MAX_POINTS:
        raise Refused(f"a {kind} has {MIN_POINTS[kind]} to {MAX_POINTS} points, not {len(points)}")
    if not all(math.isfinite(c) for point in points for c in point):
        raise Refused("points are numbers")
    return [tuple(min(max(c, 0.0), 1.0) for c in point) for point in points]


class Changed(Exception):
    """The rules have changed since a change was prepared."""


class RulesFile:
    """A file of rules. Each change reads it, so that an editor may change it too, lets ccazones check the new rules,
    and replaces the file as a whole: a crash leaves the old rules or the new ones. Members that the page does not know
    stay as they are. Changes raise Refused and then leave the file alone."""

    def __init__(self, path):
        self.path = Path(path)

    def create(self, text):
        """Writes initial rules if there is no file."""
        if not self.path.exists():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._replace(json.loads(text))

    def read(self):
        """Returns the rules, and a tag that changes with them; raises Refused for an invalid file."""
        document = self._read()
        text = json.dumps(document, sort_keys=True, ensure_ascii=False)
        return document, hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:32]

    def replace(self, document, tag=None):
        """Replaces all rules; with a tag only those that have it, otherwise raises Changed."""
        if tag is not None and self.read()[1] != tag:
            raise Changed
        if not isinstance(document, dict):
            raise Refused("rules are an object with zones and lines")
        self._replace(document)

    def add(self, kind, name, points, size, members):
        """Adds a line or a zone from points, from members that remove() returned, or both. size is the video's."""
        if kind not in LISTS:
            raise Refused("a rule is a line or a zone")
        if not isinstance(members, (dict, type(None))) or (members is None and points is None):
            raise Refused("a rule has points or members")
        document = self._read()
        name = name_of(name)
        if self._find(document, name):
            raise Refused(f"there is a rule named {name} already")
        if sum(len(document.get(member, [])) for member in LISTS.values()) >= MAX_RULES:
            raise Refused(f"there are {MAX_RULES} rules already")
        rule = dict(members or {}, name=name)
        if points is not None:
            rule["points"] = self._in_units(document, points_of(points, kind), size)
        document.setdefault(LISTS[kind], []).append(rule)
        self._replace(document)

    def remove(self, name):
        """Removes a rule and returns its kind and its members."""
        document = self._read()
        kind, rule = self._get(document, name)
        document[LISTS[kind]].remove(rule)
        self._replace(document)
        return kind, rule

    def move(self, name, points, size):
        document = self._read()
        kind, rule = self._get(document, name)
        rule["points"] = self._in_units(document, points_of(points, kind), size)
        self._replace(document)

    def rename(self, name, new_name):
        document = self._read()
        new_name = name_of(new_name)
        if new_name != name and self._find(document, new_name):
            raise Refused(f"there is a rule named {new_name} already")
        self._get(document, name)[1]["name"] = new_name
        self._replace(document)

    def _read(self):
        try:
            document = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise Refused(f"{self.path.name}: {error}") from None
        if not isinstance(document, dict):
            raise Refused(f"{self.path.name}: must be an object")
        for member in LISTS.values():
            list_ = document.get(member, [])
            if not isinstance(list_, list) or not all(isinstance(rule, dict) for rule in list_):
                raise Refused(f"{self.path.name}: {member} must be a list of objects")
        return document

    @staticmethod
    def _find(document, name):
        for kind, member in LISTS.items():
            for rule in document.get(member, []):
                if rule.get("name") == name:
                    return kind, rule
        return None

    def _get(self, document, name):
        found = self._find(document, name)
        if not found:
            raise Refused(f"there is no rule named {name}")
        return found

    @staticmethod
    def _in_units(document, points, size):
        if document.get("units", "pixels") == "relative":
            return [[round(x, 5), round(y, 5)] for x, y in points]
        width, height = document.get("width", size[0]), document.get("height", size[1])
        if not width or not height:
            raise Refused("the rules are in pixels, and there is no video yet to know how many it has")
        return [[round(x * width, 2), round(y * height, 2)] for x, y in points]

    def _replace(self, document):
        descriptor, name = tempfile.mkstemp(prefix=f".{self.path.name}.", dir=self.path.parent)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(document, file, indent=2, ensure_ascii=False)
                file.write("\n")
                file.flush()
                os.fsync(file.fileno())
            try:
                check(name)
            except Refused as refused:
                raise Refused(str(refused).replace(name, self.path.name)) from None
            if self.path.exists():
                os.chmod(name, self.path.stat().st_mode & 0o777)
            else:
                os.chmod(name, 0o644)
            os.replace(name, self.path)
        except OSError as error:
            raise Refused(f"{self.path}: {error.strerror}") from None
        finally:
            Path(name).unlink(missing_ok=True)
