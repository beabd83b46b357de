#!/usr/bin/env bash
# gst-cca: from a bare machine to the tracks and counts of a real clip
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail
export LC_ALL=C.UTF-8 # numbers with points

usage () {
  cat <<'USAGE'
usage: examples/quickstart.sh [INPUT] [--rules FILE] [--elements cpu|cuda|auto] [--frames N] [--output DIR]
                              [--cuda | --no-cuda]

Installs missing packages, builds, and analyses a video: finds the moving objects of every frame by a background model
and connected components, follows them from frame to frame, and counts them over a line. INPUT is a video file or a
camera, v4l2:/dev/video0; default: the surveillance clip vtest.avi of Debian's package opencv-doc. Writes to DIR,
default out in the repository:

  video.webm      the video with boxes in the colours of identities, trails, the line and its counts
  frame.png       one frame of it
  components.txt  a line per frame: number, time, number of components; label, box, area and centroid of each
  events.txt      a line per crossing: time, line, track, direction, and the counts
  events.ndjson   the same for programs: a line of JSON, with the frame's times, per change of the counts

  --rules     zones and lines, a JSON file; default: a line across the path of vtest.avi, and down the middle of others
  --elements  cca (cpu) or cudacca (cuda); default auto: cudacca if a GPU works
  --cuda      build the CUDA backend even without a driver; --no-cuda: never
  --frames N  stop after N frames; default: the whole file, 300 frames of a camera
  --output    another folder
  --build     another build folder than build
  --no-setup  install and build nothing
USAGE
}

say () { echo "quickstart: $*"; }
fail () { echo "quickstart: $1" >&2; exit "${2:-1}"; }
misuse () {
  echo "quickstart: $1" >&2
  usage | head -n 1 >&2
  exit 2
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
examples=$root/examples
input='' rules='' elements=auto frames='' output=$root/out build=$root/build setup=true cuda=--here

while (($#)); do
  case $1 in
    --rules | --elements | --frames | --output | --build)
      (($# > 1)) || misuse "$1 needs a value"
      declare "${1#--}=$2"
      shift
      ;;
    --cuda | --no-cuda) cuda=$1 ;;
    --no-setup) setup=false ;;
    -h | --help) usage; exit 0 ;;
    -*) misuse "unknown option: $1" ;;
    *)
      [[ -z $input ]] || misuse "more than one input: $input and $1"
      input=$1
      ;;
  esac
  shift
done

[[ $elements =~ ^(cpu|cuda|auto)$ ]] || misuse "--elements is $elements; it can be cpu, cuda or auto"
[[ -z $frames || $frames =~ ^[1-9][0-9]{0,8}$ ]] || misuse "--frames is $frames; it must be a whole number from 1"
[[ -n $output && (! -e $output || -d $output) ]] || misuse "--output is no folder: $output"
[[ -z $rules || -r $rules ]] || misuse "not readable: $rules"
if [[ -z $rules ]]; then
  rules=$examples/$([[ -z $input ]] && echo vtest || echo line).rules.json
fi
case $input in
  '') ;;
  v4l2:*)
    [[ -c ${input#v4l2:} ]] || misuse "no such camera: ${input#v4l2:}"
    frames=${frames:-300}
    ;;
  *)
    [[ -f $input ]] || misuse "no such file: $input"
    [[ -r $input ]] || misuse "not readable: $input"
    input=$(realpath "$input")
    [[ $input != "$(realpath -m "$output")/video.webm" ]] ||
      misuse "the input is what would be written: $input; choose another --output"
    ;;
esac

if $setup; then
  "$examples/setup.sh" --build "$build" "$cuda"
fi
[[ -f $build/gst/libgstcca.so ]] || gst-inspect-1.0 --exists cca ||
  fail "no plugin in $build, and none is installed: run without --no-setup"
if [[ -z $input ]]; then
  input=$("$examples/fetch-media.sh" vtest.avi)
fi
mkdir -p "$output"
output=$(realpath "$output")
build=$(realpath "$build")
video=$output/video.webm picture=$output/frame.png
text=$output/components.txt events=$output/events.txt lines=$output/events.ndjson
export GST_PLUGIN_PATH=$build/gst${GST_PLUGIN_PATH:+:$GST_PLUGIN_PATH}

# Prints the GPU's name, or why cudacca does not work here.
element=cca
if [[ $elements != cpu ]]; then
  if device=$(timeout 90 "$examples/show_backend.py" cudacca 2>&1); then
    element=cudacca
    device=${device#cuda, }
  else
    reason=$(tail -n 1 <<<"${device:-no answer within 90 s}")
    reason=${reason#show_backend: }
    [[ $elements != cuda ]] || fail "cudacca does not work here: $reason"
    say "no GPU: $reason"
  fi
fi
if [[ $element == cca ]]; then
  device="the CPU ($("$examples/show_backend.py" cca | sed 's/^cpu, //'))" || fail "cca does not work here"
fi
say "using $element on $device"

# Prints a file name, quoted for a pipeline description.
value () {
  if [[ $1 =~ ^[A-Za-z0-9_./:+,@%-]+$ ]]; then
    echo "$1"
  else
    local escaped=${1//\\/\\\\}
    echo "\"${escaped//\"/\\\"}\""
  fi
}

case $input in
  v4l2:*) pipeline=(v4l2src "device=$(value "${input#v4l2:}")" "num-buffers=$frames" ! decodebin) ;;
  *)
    pipeline=(filesrc "location=$(value "$input")" ! decodebin)
    if [[ -n $frames ]]; then
      # identity rejects a buffer to end the stream, but not the ones that the decoder then drains: the second one does.
      pipeline+=(! identity "eos-after=$((frames + 1))" ! identity "eos-after=$((frames + 1))")
    fi
    ;;
esac
zones=()
if gst-inspect-1.0 ccazones >/dev/null 2>&1; then
  zones=(! ccazones "config=$(value "$(realpath "$rules")")")
else
  say "no counts: gst-cca was built without ccazones"
fi
tee=() json=()
if ((${#zones[@]} > 0)) && gst-inspect-1.0 ccajson >/dev/null 2>&1; then
  tee=(! tee name=lines ! queue)
  json=(lines. ! queue ! ccajson parts=events+counts on-change=true)
  # A recording has no clock; use the file's date instead.
  [[ ! -f $input ]] || json+=("start-utc=$(date -u -r "$input" +%FT%TZ)")
  json+=(! filesink "location=$(value "$lines")")
else
  say "no JSON: gst-cca was built without ccazones or ccajson"
fi
threads=$(($(nproc) < 8 ? $(nproc) : 8)) # vp8enc takes at most 64, and has no use for so many
pipeline+=(
  ! videoconvert
  ! "$element" foreground=motion
  ! ccatrack post-messages=false
  "${zones[@]}"
  "${tee[@]}"
  ! ccaoverlay
  ! videoconvert
  ! queue
  ! vp8enc deadline=1 cpu-used=4 "threads=$threads" target-bitrate=1500000
  ! webmmux
  ! filesink "location=$(value "$video")"
  "${json[@]}"
)

# Prints the pipeline as a user would type it, an element per line.
quoted () {
  local word line='gst-launch-1.0 -m'
  for word in "$@"; do
    if [[ $word == '!' ]]; then
      printf '  %s \\\n' "$line"
      line='  !'
    elif [[ $word =~ ^[A-Za-z0-9_./:=+,@%-]+$ ]]; then
      line+=" $word"
    else
      line+=" $(printf %q "$word")"
    fi
  done
  printf '  %s\n' "$line"
}

say "the pipeline, to paste:"
echo
printf '  GST_PLUGIN_PATH=%q \\\n' "$build/gst"
quoted "${pipeline[@]}"
echo

# print_messages.py runs the same description as gst-launch-1.0 would, and writes the messages in a readable form.
start=$EPOCHREALTIME
printf '# event\tseconds\trule\twhat\ttrack\tdirection\tin or forward\tout or backward\n' >"$events"
if ! "$examples/print_messages.py" "${pipeline[@]}" | awk -v text="$text" -v events="$events" '
  BEGIN { printf "" > text }
  /^event/ { print >> events; next }
  { print > text }
  /^[0-9]/ && ++n % 100 == 0 { printf "quickstart: %d frames\n", n; fflush() }'; then
  rm -f "$video"
  fail "the pipeline failed on $input"
fi
end=$EPOCHREALTIME

# The frame to show: that of the last crossing, or the one with the most components.
read -r n_frames n_components seconds most <<<"$(awk -F '\t' '
  /^[0-9]/ { n++; sum += $3; if ($3 > most) { most = $3; seconds = $2 } }
  END { print n + 0, sum + 0, seconds + 0, most + 0 }' "$text")"
((n_frames)) || fail "$input has no video frames"
last=$(awk -F '\t' '/^event/ { seconds = $2 } END { print seconds }' "$events")
[[ -z $last || $last == - ]] || seconds=$last
"$examples/save_frame.py" "$video" "$seconds" "$picture"

awk -v name="$element on $device" -v frames="$n_frames" -v components="$n_components" -v most="$most" \
  -v start="$start" -v end="$end" '
  BEGIN {
    printf "quickstart: %s: %d frames, %d components (%.1f a frame, at most %d)\n",
           name, frames, components, components / frames, most
    printf "quickstart: %.1f frames per second with decoding and encoding\n", frames / (end - start)
  }'
awk -F '\t' '
  /^event/ && $4 == "cross" { counts[$3] = sprintf ("%d forward, %d backward", $7, $8) }
  END { for (line in counts) printf "quickstart: over the line %s: %s\n", line, counts[line] }' "$events"
say "the video:       $video"
say "one frame:       $picture (at $seconds s)"
say "every component: $text"
say "every crossing:  $events"
((${#json[@]} == 0)) || say "the same as JSON: $lines"
