# gst-cca: what the scenes of tests are made of
# SPDX-License-Identifier: LGPL-2.1-or-later

import pathlib
import subprocess

FETCH = pathlib.Path(__file__).resolve().parents[3] / "examples" / "fetch-media.sh"
CLIP_FRAMES = 400


def find_material():
    """Material of scenes, or the reason why there is none."""
    try:
        import scenes
    except ImportError as error:
        return f"{error}: install python3-opencv"
    done = subprocess.run([FETCH, scenes.CLIP], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        return f"the clip cannot be fetched: {done.stderr.strip().splitlines()[-1]}"
    return scenes.Material(pathlib.Path(done.stdout.strip()).parent, CLIP_FRAMES)
