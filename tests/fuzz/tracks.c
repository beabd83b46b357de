/* gst-cca: any components in frames of any size, at any times, followed as tracks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The input is a byte with the frame's size and the cells' side, and frames: a byte with the number of components (its
 * lower 3 bits), whether there is a coverage, and what the time does; and their numbers.
 */
#include <glib.h>
#include <math.h>

#include "fuzz.h"
#include "gst/track/tracker.h"

enum
{
  MAX_FRAMES = 24,
  COVERAGE = 8, /* of a frame's first byte */
  LEAP = 16,
  RESET = 32,
  STRANGE = 64 /* numbers of 32 bits */
};

static guint32
read_number (Reader *reader, gboolean strange)
{
  return strange ? read_u32 (reader) : read_byte (reader);
}

/* A side of a box in the frame. */
static void
read_side (Reader *reader, gboolean strange, guint32 length, guint32 *position, guint32 *size)
{
  *position = read_number (reader, strange) % length;
  *size = 1 + read_number (reader, strange) % (length - *position);
}

static void
read_component (Reader *reader, gboolean strange, guint32 label, const GstCcaTrackerFrame *frame,
                GstCcaTrackerComponent *component)
{
  *component = (GstCcaTrackerComponent) { .label = label };
  read_side (reader, strange, frame->width, &component->x, &component->width);
  read_side (reader, strange, frame->height, &component->y, &component->height);
  component->area = (guint64) component->width * component->height;
  component->area -= strange ? component->area * read_byte (reader) / 255 : 0;
  component->centroid_x = component->x + component->width / 2.0;
  component->centroid_y = component->y + component->height / 2.0;
}

/* Returns whether ccatrack would publish a track. */
static gboolean
is_in_view (const GstCcaObject *track, const GstCcaTrackerFrame *frame)
{
  return track->state != GST_CCA_OBJECT_TENTATIVE && track->box.max[0] > 0.0 && track->box.max[1] > 0.0
         && track->box.min[0] < frame->width && track->box.min[1] < frame->height;
}

static void
check_tracks (const GstCcaObject *tracks, gsize n, guint n_components, const GstCcaTrackerFrame *frame)
{
  for (gsize i = 0; i < n; i++) {
    const GstCcaObject *track = &tracks[i];
    const GstCcaBox *box = &track->box;

    if (track->id == 0 || (i > 0 && track->id <= tracks[i - 1].id))
      fuzz_fail ("ids do not ascend");
    if (!isfinite (box->min[0]) || !isfinite (box->min[1]) || !isfinite (box->max[0]) || !isfinite (box->max[1]))
      fuzz_fail ("a track is nowhere");
    if (is_in_view (track, frame) && (!(box->max[0] > box->min[0]) || !(box->max[1] > box->min[1])))
      fuzz_fail ("a track has no size");
    if (track->label > n_components || (track->n_labels == 0) != (track->label == 0))
      fuzz_fail ("a track has another frame's components");
    for (gsize j = 0; j < track->n_labels; j++)
      if (track->labels[j] == 0 || track->labels[j] > n_components)
        fuzz_fail ("a track has another frame's components");
  }
}

static void
run_frame (GstCcaTracker *tracker, Reader *reader, GstCcaTrackerFrame *frame)
{
  const guint8 byte = read_byte (reader);
  const gsize n_cells = (gsize) frame->columns * frame->rows;
  GstCcaTrackerComponent components[7];
  const GstCcaObject *tracks;
  guint8 *coverage = NULL;
  gsize n;

  if (byte & RESET)
    gst_cca_tracker_reset (tracker);
  frame->components = components;
  frame->n_components = byte & 7;
  for (guint i = 0; i < frame->n_components; i++)
    read_component (reader, (byte & STRANGE) != 0, i + 1, frame, &components[i]);
  if (byte & COVERAGE) {
    Reader part = read_part (reader, 16);

    coverage = g_malloc (n_cells);
    for (gsize i = 0; i < n_cells; i++)
      coverage[i] = read_in_circles (&part);
  }
  frame->coverage = coverage;
  if (!gst_cca_tracker_run (tracker, frame, &tracks, &n))
    fuzz_fail ("no memory");
  check_tracks (tracks, n, byte & 7, frame);
  g_free (coverage);
  frame->time += byte & LEAP ? G_GUINT64_CONSTANT (1) << (read_byte (reader) % 64) : 40000000;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const guint32 sizes[] = { 1, 17, 160, 320, 1920, 32767, 0x7fffffff, 0xffffffff };
  Reader reader = { data, size, 0 };
  const guint8 byte = read_byte (&reader);
  GstCcaTrackerFrame frame = { .width = sizes[byte & 7], .height = sizes[byte >> 3 & 7] };
  GstCcaTracker *tracker = gst_cca_tracker_new (NULL);

  frame.cell = frame.width <= 1920 && frame.height <= 1920 ? 4u << (byte >> 6) : 1u << 28;
  frame.columns = (frame.width - 1) / frame.cell + 1;
  frame.rows = (frame.height - 1) / frame.cell + 1;
  for (guint i = 0; i < MAX_FRAMES && reader_left (&reader) > 0; i++)
    run_frame (tracker, &reader, &frame);
  gst_cca_tracker_free (tracker);
  return 0;
}
