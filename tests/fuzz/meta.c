/* gst-cca: bytes to metas, as another process may have sent them, and the metas to other frame sizes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gst/meta/framemeta.h"
#include "fuzz.h"

#include <gst/cca/gstccaeventmeta.h>
#include <gst/cca/gstccatrackmeta.h>

#include <math.h>
#include <string.h>

/* --- The formats, read apart from the product --------------------------------------------------------- */

/* A way through the bytes, twice: to see whether they are a meta, and then to compare them with the meta. */
typedef struct
{
  Reader reader;
  gboolean comparing;
  gboolean valid;
  gboolean forgot; /* the meta has fewer classes than the bytes say */
} Walk;

static gboolean
has_left (Walk *walk, gsize size)
{
  walk->valid = walk->valid && reader_left (&walk->reader) >= size;
  return walk->valid;
}

static guint64
take (Walk *walk, gsize size)
{
  const guint64 low = has_left (walk, size) ? read_u32 (&walk->reader) : 0;

  return walk->valid && size == 8 ? low | (guint64) read_u32 (&walk->reader) << 32 : low;
}

static void
expect (Walk *walk, gsize size, const void *value)
{
  const guint64 number = take (walk, size);
  const guint32 small = (guint32) number;

  if (walk->comparing && memcmp (value, size == 8 ? (const void *) &number : (const void *) &small, size) != 0)
    fuzz_fail ("a member differs");
}

/* The value is that of a member of 4 or 8 bytes. */
#define EXPECT(walk, member) expect (walk, sizeof (member), &(member))

/* A number that the bytes say, at most `last`. */
static guint
take_up_to (Walk *walk, guint64 last)
{
  const guint64 number = take (walk, 4);

  walk->valid = walk->valid && number <= last;
  return walk->valid ? (guint) number : 0;
}

static void
expect_up_to (Walk *walk, guint64 last, guint64 value)
{
  if (take_up_to (walk, last) != value && walk->comparing)
    fuzz_fail ("a member differs");
}

static void
expect_string (Walk *walk, const gchar *string)
{
  const gsize size = take (walk, 4);
  const gchar *bytes;

  if (!walk->valid || !has_left (walk, size))
    return;
  bytes = (const gchar *) read_part (&walk->reader, size).data;
  walk->valid = g_utf8_validate (bytes, (gssize) size, NULL);
  if (walk->comparing && (strlen (string) != size || memcmp (string, bytes, size) != 0))
    fuzz_fail ("a string differs");
}

/* The process takes no more classes than it has to, and forgets others. */
static void
expect_type (Walk *walk, const gchar *type)
{
  Walk ahead = *walk;
  const gsize size = take (&ahead, 4);
  g_autofree gchar *text = NULL;

  if (walk->comparing && *type == '\0' && size > 0) {
    text = g_strndup ((const gchar *) read_part (&ahead.reader, size).data, size);
    if (g_quark_try_string (text) == 0) {
      walk->forgot = TRUE;
      type = text;
    }
  }
  expect_string (walk, type);
}

static const gchar *
name_of (GQuark type)
{
  return type != 0 ? g_quark_to_string (type) : "";
}

enum
{
  STALE = 1,    /* of the flags */
  OVERLAPS = 2, /* of those of components */
  SHAPES = 16,
  INTENSITIES = 32,
};

static void
expect_flags (Walk *walk, guint flags, gboolean stale)
{
  if (walk->comparing && stale != ((flags & STALE) != 0))
    fuzz_fail ("the meta is stale, or is not");
}

static void
walk_component (Walk *walk, const GstCcaComponent *component)
{
  EXPECT (walk, component->label);
  EXPECT (walk, component->x);
  EXPECT (walk, component->y);
  EXPECT (walk, component->width);
  EXPECT (walk, component->height);
  EXPECT (walk, component->area);
  EXPECT (walk, component->centroid_x);
  EXPECT (walk, component->centroid_y);
  EXPECT (walk, component->cov_xx);
  EXPECT (walk, component->cov_xy);
  EXPECT (walk, component->cov_yy);
}

static void
walk_overlap (Walk *walk, const GstCcaOverlap *overlap)
{
  EXPECT (walk, overlap->before);
  EXPECT (walk, overlap->now);
  EXPECT (walk, overlap->pixels);
}

static void
walk_shape (Walk *walk, const GstCcaShape *shape)
{
  EXPECT (walk, shape->perimeter);
  EXPECT (walk, shape->perimeter_crofton);
  EXPECT (walk, shape->euler_number);
}

static void
walk_intensity (Walk *walk, const GstCcaIntensity *intensity)
{
  EXPECT (walk, intensity->mean);
  EXPECT (walk, intensity->min);
  EXPECT (walk, intensity->max);
}

/* A meta of zeros stands for none in these. */
static void
walk_components (Walk *walk, const GstMeta *base, guint version)
{
  static const GstCcaComponent any_component;
  static const GstCcaOverlap any_overlap;
  static const GstCcaShape any_shape;
  static const GstCcaIntensity any_intensity;
  const GstCcaMeta *meta = (const GstCcaMeta *) base;
  guint n_components, n_stored, flags = 0, n_overlaps = 0, n_stored_overlaps = 0;

  EXPECT (walk, meta->width);
  EXPECT (walk, meta->height);
  n_components = (guint) take (walk, 4);
  n_stored = take_up_to (walk, n_components);
  if (version > 0) {
    flags = (guint) take (walk, 4);
    expect_string (walk, meta->id);
  }
  if (version > 1 && (flags & OVERLAPS)) {
    n_overlaps = (guint) take (walk, 4);
    n_stored_overlaps = take_up_to (walk, n_overlaps);
  }
  expect_flags (walk, flags, meta->stale);
  if (version < 3)
    flags &= ~(guint) (SHAPES | INTENSITIES);
  if (walk->comparing
      && ((meta->shapes != NULL) != ((flags & SHAPES) != 0)
          || (meta->intensities != NULL) != ((flags & INTENSITIES) != 0)))
    fuzz_fail ("shapes or intensities are known, or are not");
  if (walk->comparing
      && (meta->n_components != n_components || meta->n_stored != n_stored || meta->n_overlaps != n_overlaps
          || meta->n_stored_overlaps != n_stored_overlaps || meta->truncated != (n_stored < n_components)
          || (version == 0 && *meta->id) || (meta->overlaps != NULL) != (version > 1 && (flags & OVERLAPS))))
    fuzz_fail ("the meta's head differs");
  for (guint i = 0; i < n_stored && walk->valid; i++)
    walk_component (walk, walk->comparing ? &meta->components[i] : &any_component);
  for (guint i = 0; i < n_stored_overlaps && walk->valid; i++)
    walk_overlap (walk, walk->comparing ? &meta->overlaps[i] : &any_overlap);
  for (guint i = 0; (flags & SHAPES) && i < n_stored && walk->valid; i++)
    walk_shape (walk, walk->comparing ? &meta->shapes[i] : &any_shape);
  for (guint i = 0; (flags & INTENSITIES) && i < n_stored && walk->valid; i++)
    walk_intensity (walk, walk->comparing ? &meta->intensities[i] : &any_intensity);
}

/* All are 0, or numbers that say how high objects are from a row to one that is not above it. */
static void
walk_heights (Walk *walk, const GstCcaTrackMeta *meta)
{
  const gdouble expected[] = { meta->upper_row, meta->upper_height, meta->lower_row, meta->lower_height };
  gboolean known = TRUE, zero = TRUE;
  gdouble values[4];

  for (guint i = 0; i < 4; i++) {
    const guint64 bits = take (walk, 8);

    memcpy (&values[i], &bits, sizeof bits);
    if (walk->comparing && memcmp (&values[i], &expected[i], sizeof bits) != 0)
      fuzz_fail ("a row or a height differs");
    known = known && isfinite (values[i]) && (i % 2 == 0 || values[i] > 0);
    zero = zero && values[i] == 0;
  }
  walk->valid = walk->valid && ((known && values[0] <= values[2]) || zero);
}

static void
walk_tracks (Walk *walk, const GstMeta *base, guint version)
{
  static const GstCcaTrack any;
  const GstCcaTrackMeta *meta = (const GstCcaTrackMeta *) base;
  guint flags, n;

  EXPECT (walk, meta->width);
  EXPECT (walk, meta->height);
  flags = (guint) take (walk, 4);
  expect_flags (walk, flags, meta->stale);
  expect_string (walk, meta->id);
  n = (guint) take (walk, 4);
  if (walk->comparing && n != meta->n_tracks)
    fuzz_fail ("the number of tracks differs");
  for (guint i = 0; i < n && walk->valid; i++) {
    const GstCcaTrack *track = walk->comparing ? &meta->tracks[i] : &any;

    EXPECT (walk, track->track_id);
    expect_up_to (walk, 2, track->state);
    EXPECT (walk, track->label);
    EXPECT (walk, track->x);
    EXPECT (walk, track->y);
    EXPECT (walk, track->width);
    EXPECT (walk, track->height);
    EXPECT (walk, track->area);
    EXPECT (walk, track->centroid_x);
    EXPECT (walk, track->centroid_y);
    EXPECT (walk, track->velocity_x);
    EXPECT (walk, track->velocity_y);
    EXPECT (walk, track->age);
  }
  if (version > 0)
    walk_heights (walk, meta);
  for (guint i = 0; version > 1 && i < n && walk->valid; i++)
    expect_type (walk, name_of (walk->comparing ? meta->tracks[i].object_type : 0));
}

static void
walk_rule (Walk *walk, const GstCcaRule *rule, guint version)
{
  static const GstCcaPoint any;
  guint n;

  expect_string (walk, rule->name);
  expect_up_to (walk, 1, rule->type);
  EXPECT (walk, rule->n_in);
  EXPECT (walk, rule->n_out);
  EXPECT (walk, rule->occupancy);
  n = (guint) take (walk, 4);
  if (walk->comparing && n != rule->n_points)
    fuzz_fail ("the number of points differs");
  for (guint i = 0; i < n && walk->valid; i++) {
    const GstCcaPoint *point = walk->comparing ? &rule->points[i] : &any;

    EXPECT (walk, point->x);
    EXPECT (walk, point->y);
  }
  if (version == 0)
    return;
  EXPECT (walk, rule->measured);
  EXPECT (walk, rule->speed);
  EXPECT (walk, rule->flow);
  EXPECT (walk, rule->occupied);
  EXPECT (walk, rule->congestion);
  EXPECT (walk, rule->queue);
  EXPECT (walk, rule->queue_length);
}

static void
walk_ground_track (Walk *walk, const GstCcaGroundTrack *track, guint version)
{
  EXPECT (walk, track->track_id);
  EXPECT (walk, track->measured);
  EXPECT (walk, track->x);
  EXPECT (walk, track->y);
  EXPECT (walk, track->speed);
  EXPECT (walk, track->heading);
  EXPECT (walk, track->area);
  if (version > 1)
    expect_type (walk, name_of (track->size_class));
}

static void
walk_event (Walk *walk, const GstCcaEvent *event, guint version)
{
  expect_up_to (walk, version > 0 ? 12 : 7, event->type);
  expect_string (walk, event->rule);
  EXPECT (walk, event->track_id);
  expect_up_to (walk, 2, event->direction);
  EXPECT (walk, event->x);
  EXPECT (walk, event->y);
  EXPECT (walk, event->dwell);
  EXPECT (walk, event->n_in);
  EXPECT (walk, event->n_out);
  EXPECT (walk, event->occupancy);
  if (version == 0)
    return;
  EXPECT (walk, event->measured);
  EXPECT (walk, event->speed);
  EXPECT (walk, event->headway);
  EXPECT (walk, event->gap);
  if (version > 1)
    expect_type (walk, name_of (event->size_class));
}

static void
walk_events (Walk *walk, const GstMeta *base, guint version)
{
  static const GstCcaRule any_rule;
  static const GstCcaEvent any_event;
  static const GstCcaGroundTrack any_track;
  const GstCcaEventMeta *meta = (const GstCcaEventMeta *) base;
  guint flags, n;

  EXPECT (walk, meta->width);
  EXPECT (walk, meta->height);
  flags = (guint) take (walk, 4);
  expect_flags (walk, flags, meta->stale);
  expect_string (walk, meta->id);
  n = (guint) take (walk, 4);
  if (walk->comparing && n != meta->n_rules)
    fuzz_fail ("the number of rules differs");
  for (guint i = 0; i < n && walk->valid; i++)
    walk_rule (walk, walk->comparing ? &meta->rules[i] : &any_rule, version);
  n = (guint) take (walk, 4);
  if (walk->comparing && n != meta->n_events)
    fuzz_fail ("the number of events differs");
  for (guint i = 0; i < n && walk->valid; i++)
    walk_event (walk, walk->comparing ? &meta->events[i] : &any_event, version);
  if (version == 0)
    return;
  n = (guint) take (walk, 4);
  if (walk->comparing && n != meta->n_ground_tracks)
    fuzz_fail ("the number of tracks on the ground differs");
  for (guint i = 0; i < n && walk->valid; i++)
    walk_ground_track (walk, walk->comparing ? &meta->ground_tracks[i] : &any_track, version);
}

/* --- Kinds of metas ----------------------------------------------------------------------------------- */

static void
check_box (guint x, guint y, guint box_width, guint box_height, guint width, guint height)
{
  if (x >= width || y >= height || box_width == 0 || box_height == 0 || box_width > width - x
      || box_height > height - y)
    fuzz_fail ("a scaled box is not in its frame");
}

static void
check_scaled_components (const GstMeta *from, const GstMeta *to)
{
  const GstCcaMeta *before = (const GstCcaMeta *) from, *meta = (const GstCcaMeta *) to;

  if (meta->n_stored > meta->n_components || meta->n_stored > before->n_stored)
    fuzz_fail ("there are more components than there were");
  for (guint i = 0; i < meta->n_stored; i++) {
    const GstCcaComponent *c = &meta->components[i];

    check_box (c->x, c->y, c->width, c->height, meta->width, meta->height);
  }
  if (meta->n_overlaps != before->n_overlaps || meta->n_stored_overlaps != before->n_stored_overlaps
      || (meta->overlaps != NULL) != (before->overlaps != NULL))
    fuzz_fail ("the number of overlaps changed");
  if ((meta->shapes != NULL) != (before->shapes != NULL)
      || (meta->intensities != NULL) != (before->intensities != NULL))
    fuzz_fail ("shapes or intensities came or went");
  /* Nothing but lengths changes, in components that are not dropped. */
  for (guint i = 0; meta->n_stored == before->n_stored && i < meta->n_stored; i++) {
    if (meta->shapes && meta->shapes[i].euler_number != before->shapes[i].euler_number)
      fuzz_fail ("an Euler number changed");
    if (meta->intensities && memcmp (&meta->intensities[i], &before->intensities[i], sizeof *meta->intensities) != 0)
      fuzz_fail ("an intensity changed");
  }
  for (guint i = 0; i < meta->n_stored_overlaps; i++)
    if (memcmp (&meta->overlaps[i], &before->overlaps[i], sizeof *meta->overlaps) != 0)
      fuzz_fail ("an overlap changed");
}

static void
check_scaled_tracks (const GstMeta *from, const GstMeta *to)
{
  const GstCcaTrackMeta *before = (const GstCcaTrackMeta *) from, *meta = (const GstCcaTrackMeta *) to;

  if (meta->n_tracks > before->n_tracks)
    fuzz_fail ("there are more tracks than there were");
  if (meta->upper_height > 0 ? meta->lower_height <= 0 || !(meta->upper_row <= meta->lower_row)
                             : meta->upper_row != 0 || meta->lower_row != 0 || meta->lower_height != 0)
    fuzz_fail ("heights are neither known nor unknown");
  for (guint i = 0; i < meta->n_tracks; i++) {
    const GstCcaTrack *track = &meta->tracks[i];

    check_box (track->x, track->y, track->width, track->height, meta->width, meta->height);
  }
}

static void
check_scaled_events (const GstMeta *from, const GstMeta *to)
{
  const GstCcaEventMeta *before = (const GstCcaEventMeta *) from, *meta = (const GstCcaEventMeta *) to;

  if (meta->n_rules != before->n_rules || meta->n_events != before->n_events)
    fuzz_fail ("the number of rules or events changed");
  for (guint i = 0; i < meta->n_rules; i++)
    if (!g_str_equal (meta->rules[i].name, before->rules[i].name)
        || meta->rules[i].n_points != before->rules[i].n_points)
      fuzz_fail ("a rule changed");
}

static const struct
{
  const GstMetaInfo *(*info) (void);
  void (*walk) (Walk *walk, const GstMeta *meta, guint version);
  void (*check_scaled) (const GstMeta *from, const GstMeta *to);
  gsize stale; /* where the member is */
  guint newest_version;
  guint flags_at, known_flags; /* in the bytes of the newest version */
} kinds[] = {
  { gst_cca_meta_get_info, walk_components, check_scaled_components, offsetof (GstCcaMeta, stale), 3, 16,
    STALE | OVERLAPS | SHAPES | INTENSITIES },
  { gst_cca_track_meta_get_info, walk_tracks, check_scaled_tracks, offsetof (GstCcaTrackMeta, stale), 2, 8, STALE },
  { gst_cca_event_meta_get_info, walk_events, check_scaled_events, offsetof (GstCcaEventMeta, stale), 2, 8, STALE },
};

/* Checks a meta against the bytes that it was made of; NULL if they are invalid. Returns whether it has all of them. */
static gboolean
check_meta (guint kind, const GstMeta *meta, const guint8 *bytes, gsize size, guint version)
{
  static const gsize zeros[32];
  Walk walk = { { bytes, size, 0 }, FALSE, version <= kinds[kind].newest_version, FALSE };
  gboolean valid;

  kinds[kind].walk (&walk, (const GstMeta *) zeros, version);
  valid = walk.valid && reader_left (&walk.reader) == 0;
  if ((meta != NULL) != valid)
    fuzz_fail (valid ? "a meta was refused" : "bytes that are no meta were taken");
  if (meta == NULL)
    return FALSE;
  walk = (Walk) { { bytes, size, 0 }, TRUE, TRUE, FALSE };
  kinds[kind].walk (&walk, meta, version);
  return !walk.forgot;
}

/* Flags of a later version are lost. */
static void
check_round_trip (guint kind, const GstMeta *meta, const guint8 *bytes, gsize size)
{
  Reader flags = { bytes, size, kinds[kind].flags_at };
  g_autofree guint8 *written = NULL;

  if (read_u32 (&flags) & ~kinds[kind].known_flags)
    return;
  if (gst_cca_frame_meta_write (meta, NULL) != size)
    fuzz_fail ("the meta takes another number of bytes");
  written = g_malloc (size);
  if (gst_cca_frame_meta_write (meta, written) != size || memcmp (written, bytes, size) != 0)
    fuzz_fail ("the meta's bytes are others");
}

/* Checks that the meta can be scaled to a frame of any size; a stale one stays as it is. */
static void
check_scale (guint kind, GstBuffer *from, GstMeta *meta, guint width, guint height)
{
  const GstCcaFrameMeta *before = (const GstCcaFrameMeta *) meta, *scaled;
  const gboolean stale = G_STRUCT_MEMBER (gboolean, meta, kinds[kind].stale);
  g_autoptr (GstBuffer) to = gst_buffer_new ();
  GstVideoInfo in, out;
  GstVideoMetaTransform scale = { &in, &out };
  gboolean done;

  gst_video_info_set_format (&in, GST_VIDEO_FORMAT_GRAY8, 64, 48);
  gst_video_info_set_format (&out, GST_VIDEO_FORMAT_GRAY8, width, height);
  done = meta->info->transform_func (to, meta, from, g_quark_from_static_string ("gst-video-scale"), &scale);
  scaled = (const GstCcaFrameMeta *) gst_buffer_get_meta (to, meta->info->api);
  if (done != (scaled != NULL) || done != (stale || (before->width > 0 && before->height > 0)))
    fuzz_fail ("the meta was not scaled, or from nothing");
  if (scaled
      && (scaled->width != (stale ? before->width : width) || !g_str_equal (scaled->id, before->id)
          || scaled->height != (stale ? before->height : height)
          || G_STRUCT_MEMBER (gboolean, scaled, kinds[kind].stale) != stale))
    fuzz_fail ("the scaled meta is for another frame");
  if (scaled && !stale)
    kinds[kind].check_scaled (meta, &scaled->meta);
}

static void
initialise (void)
{
  static gsize done;

  if (g_once_init_enter (&done)) {
    g_setenv ("GST_REGISTRY_DISABLE", "yes", TRUE); /* no plugin is needed */
    gst_init (NULL, NULL);
    g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);
    g_once_init_leave (&done, 1);
  }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  Reader reader = { data, size, 0 };
  guint8 choice, version, *bytes;
  guint kind, width, height;
  GstBuffer *buffer, *copy;
  gboolean whole;
  GstMeta *meta;

  initialise ();
  choice = read_byte (&reader);
  version = choice % 4;
  kind = choice / 4 % G_N_ELEMENTS (kinds);
  width = 1 + read_u16 (&reader) % 32767;
  height = 1 + read_u16 (&reader) % 32767;
  size = reader_left (&reader);
  bytes = g_memdup2 (reader.data + reader.next, size); /* so that a read beyond them is seen */
  buffer = gst_buffer_new ();
  meta = gst_cca_frame_meta_read (kinds[kind].info (), buffer, bytes, size, version);
  whole = check_meta (kind, meta, bytes, size, version);
  if (gst_buffer_get_meta (buffer, kinds[kind].info ()->api) != meta)
    fuzz_fail ("the buffer has another meta");
  if (meta) {
    if (whole && version == kinds[kind].newest_version)
      check_round_trip (kind, meta, bytes, size);
    check_scale (kind, buffer, meta, width, height);
  }
  copy = gst_buffer_copy (buffer);
  gst_buffer_unref (buffer);
  check_meta (kind, gst_buffer_get_meta (copy, kinds[kind].info ()->api), bytes, size, version);
  gst_buffer_unref (copy);
  g_free (bytes);
  return 0;
}
