# gst-cca: a process that feeds a sink, as tests in Python use it
# SPDX-License-Identifier: LGPL-2.1-or-later

import json
import os
import subprocess
import threading
import time


class Feed:
    """Runs `feed`: pushes lines to an element, and collects what it tells."""

    def __init__(self, program, element, caps=None, env=None):
        arguments = [program, element] + ([caps] if caps else [])
        self.process = subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=dict(os.environ, **(env or {})),
        )
        self.told, self.stderr = [], ""
        self.changed = threading.Condition()
        self.threads = [threading.Thread(target=read, daemon=True) for read in (self._read, self._read_errors)]
        for thread in self.threads:
            thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self._join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                pipe.close()
            except BrokenPipeError:
                pass

    def _read(self):
        for line in self.process.stdout:
            with self.changed:
                self.told.append(json.loads(line))
                self.changed.notify_all()

    def _read_errors(self):
        for line in self.process.stderr:
            self.stderr += line

    def _join(self):
        for thread in self.threads:
            thread.join()

    def wait_told(self, kind, n=1, timeout=30):
        """Returns the n-th thing of a kind that it told, counted from 1."""
        with self.changed:
            arrived = self.changed.wait_for(lambda: len(self.all_told(kind)) >= n, timeout)
            assert arrived, f"no {kind} number {n} in {timeout} s; told: {self.told[-5:]} {self.stderr[-500:]}"
            return self.all_told(kind)[n - 1]

    def all_told(self, kind):
        return [told for told in self.told if kind in told]

    def warnings(self):
        return [told["warning"] for told in self.all_told("warning")]

    def push(self, lines):
        """Pushes lines without their newlines: strings, or what becomes JSON."""
        texts = [line if isinstance(line, str) else json.dumps(line, separators=(",", ":")) for line in lines]
        self.process.stdin.write("".join(f"{text}\n" for text in texts))
        self.process.stdin.flush()

    def _ask(self, command, kind):
        n = len(self.all_told(kind))
        self.push([command])
        return self.wait_told(kind, n + 1)

    def stats(self):
        return self._ask("!stats", "stats")["stats"]

    def get(self, name):
        return self._ask(f"!get {name}", "property")["property"]

    def wait_stats(self, condition, timeout=60):
        """Returns the first stats that fulfil a condition. The longest delay between two tries to connect is 36 s."""
        end = time.monotonic() + timeout
        while not condition(stats := self.stats()):
            assert time.monotonic() < end, f"not in {timeout} s: {stats}"
            time.sleep(0.02)
        return stats

    def finish(self, timeout=90):
        """Ends the stream and returns the last stats."""
        self.process.stdin.close()
        self.process.wait(timeout)
        self._join()
        assert not self.all_told("error") and self.process.returncode == 0, f"{self.told[-3:]} {self.stderr[-500:]}"
        return self.all_told("stats")[-1]["stats"]

    def kill(self):
        """As kill -9."""
        self.process.kill()
        self.process.wait()
