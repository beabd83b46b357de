#!/usr/bin/env bash
# gst-cca: the container's command: live, quickstart, health, or any other
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

examples=/usr/share/gst-cca/examples
token=/tmp/live-token # for the health check, which is a process of its own

case ${1-live} in
  live)
    shift || true
    export CCA_LIVE_TOKEN=${CCA_LIVE_TOKEN:-$(od -An -N 16 -tx1 /dev/urandom | tr -d ' ')}
    (umask 077 && printf %s "$CCA_LIVE_TOKEN" >"$token")
    exec "$examples/live.sh" --no-setup --listen 0.0.0.0 "$@" --token
    ;;
  quickstart)
    shift
    exec "$examples/quickstart.sh" --no-setup "$@"
    ;;
  health)
    exec python3 - "$token" <<'PYTHON'
import sys
import urllib.request

try:
    with open(sys.argv[1]) as file:
        headers = {"Authorization": f"Bearer {file.read()}"}
    request = urllib.request.Request("http://127.0.0.1:8090/api/v1/health", headers=headers)
    with urllib.request.urlopen(request, timeout=10) as answer:  # any status but 200 is an error
        print(answer.read().decode())
except OSError as error:
    sys.exit(f"health: the live page does not answer: {error}")
PYTHON
    ;;
  *) exec "$@" ;;
esac
