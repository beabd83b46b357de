#!/usr/bin/env bash
# gst-cca: counts of many cameras per zone and minute, from Kafka to Parquet, on this machine
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: examples/streaming/run.sh [--workers N] [--kills N] [--cameras N] [--minutes M] [--speed X] [--output DIR]
       examples/streaming/run.sh --bootstrap-servers HOST:PORT,… [--workers N] [--output DIR] [-- WORKER OPTIONS]

Without --bootstrap-servers: starts a Kafka cluster of librdkafka's mock brokers on loopback, workers, and simulated
cameras; at the end prints the table and compares it with the simulated crossings. With them: counts the lines that
cameras send there, until Ctrl-C. Restarts workers that die.

  --workers N  processes that count; default: 2
  --kills N    kill workers with SIGKILL N times; default: 1
  --cameras N  simulated cameras, default 20; with 0, count the lines that pipelines send, until Ctrl-C
  --minutes M  the time that they film, until now; default: 10
  --speed X    seconds that they film per second; default: 20
  --happened FILE  write the simulated crossings, the true counts, as JSON
  --output DIR the table, a Parquet data set; default: out/streaming in the repository, which begins empty without
               --bootstrap-servers
  --venv DIR   folder of Python packages, installed the first time (300 MB); default: build-streaming in the repository;
               --install only installs them

Options after -- go to worker.py: its topic, its group, passwords and more; worker.py --help lists them.
USAGE
}

say () { echo "streaming: $*"; }
fail () { echo "streaming: $1" >&2; exit "${2:-1}"; }

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
here=$root/examples/streaming
bootstrap_servers='' workers=2 kills=1 cameras=20 minutes=10 speed=20 happened='' output=$root/out/streaming
venv=$root/build-streaming install_only=false options=()

while (($#)); do
  case $1 in
    --bootstrap-servers | --workers | --kills | --cameras | --minutes | --speed | --happened | --output | --venv)
      (($# > 1)) || fail "$1 needs a value" 2
      name=${1#--}
      declare "${name//-/_}=$2"
      shift
      ;;
    --install) install_only=true ;;
    --) shift; options=("$@"); break ;;
    -h | --help) usage; exit 0 ;;
    *) echo "streaming: unknown option: $1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done
[[ $workers =~ ^[1-9][0-9]?$ ]] || fail "--workers is $workers; it must be a number from 1 to 99" 2
[[ $cameras =~ ^[0-9]{1,4}$ ]] || fail "--cameras is $cameras; it must be a number from 0 to 9999" 2
[[ $kills =~ ^[0-9]{1,2}$ ]] || fail "--kills is $kills; it must be a number from 0 to 99" 2

"$root/examples/install-packages.sh" "$here/requirements.txt" "$venv"
! $install_only || exit 0
python=$venv/bin/python
export PYTHONWARNINGS=ignore # of packages among themselves

work=$(mktemp -d)
started=()
# shellcheck disable=SC2317 # the trap calls it
clean_up () {
  trap '' INT TERM
  exec 3>&-
  ((${#started[@]} == 0)) || kill "${started[@]}" 2>/dev/null || true
  wait
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Keeps a worker running; a file has its process id, for the kills.
keep_worker () {
  local process status
  trap 'kill "$process" 2>/dev/null; wait "$process"; exit' TERM
  while true; do
    "$python" "$here/worker.py" --bootstrap-servers "$bootstrap_servers" --output "$output" \
      --state "$state/worker-$1" "${worker_options[@]}" >>"$work/worker-$1.log" 2>&1 &
    process=$!
    echo "$process" >"$work/worker-$1.pid"
    status=0
    wait "$process" 2>/dev/null || status=$?
    say "worker $1 ended with status $status" >&2
    tail -n 1 "$work/worker-$1.log" >&2
    sleep 1
  done
}

worker_options=("${options[@]}")
mkdir -p "$output"
given=true
if [[ -n $bootstrap_servers ]]; then
  state=$output/.state-$HOSTNAME
else
  given=false
  [[ -z $(ls -A "$output") ]] || fail "$output is not empty: remove it, or choose another --output"
  state=$work/state
  worker_options+=(--mock --session-timeout 6)
  mkfifo "$work/mock"
  # The cluster ends when the last process closes the pipe, at the latest with this shell.
  "$python" "$here/mock_kafka.py" <"$work/mock" >"$work/servers" 2>"$work/mock.log" &
  exec 3>"$work/mock"
  for ((i = 0; i < 100; i++)); do
    [[ ! -s $work/servers ]] || break
    sleep 0.1
  done
  bootstrap_servers=$(cat "$work/servers")
  [[ -n $bootstrap_servers ]] || fail "the mock cluster did not start: $(tail -n 1 "$work/mock.log")"
  say "Kafka at $bootstrap_servers"
fi
mkdir -p "$state"

for ((i = 1; i <= workers; i++)); do
  keep_worker "$i" 3>&- &
  started+=($!)
done
if $given || ((cameras == 0)); then
  say "counting what cameras send to $bootstrap_servers into $output, until Ctrl-C"
  wait
  exit
fi

group=cca-zone-minutes
happened=${happened:-$work/happened.json}
"$python" "$here/cameras.py" --bootstrap-servers "$bootstrap_servers" --cameras "$cameras" --minutes "$minutes" \
  --speed "$speed" >"$happened" 3>&- &
sender=$!
for ((i = 0; i < kills; i++)); do
  # Only after a first count, at any stage of a worker's life.
  until compgen -G "$output/day=*/*.parquet" >/dev/null; do sleep 0.1; done
  sleep $((2 + RANDOM % 5)).$((RANDOM % 10))
  victim=$((RANDOM % workers + 1))
  say "killing worker $victim"
  kill -KILL "$(cat "$work/worker-$victim.pid")" || say "it was dead already"
done
wait "$sender"
"$python" "$here/wait_for_group.py" "$bootstrap_servers" "$group" 120 cca "repartition__$group--cca--zone"
"$python" "$here/print_counts.py" "$output" "$happened"
say "the table: $output"
