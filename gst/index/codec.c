/* gst-cca: frames of an index as bytes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * zstd alone, on rows or columns of the same fields, makes files more than twice as large: a centroid is a quotient,
 * whose random bits no compressor shortens, while its dividend is a small whole number (docs/decisions.md).
 */
#include "codec.h"

#include "array.h"

#include <math.h>

/* A frame's first byte. */
#define HAS_CONTEXT 1
#define HAS_TIMES 2 /* they differ from the prediction by the last frames */
#define HAS_COMPONENTS 4
#define HAS_TRACKS 8
#define SCENE_CHANGE 16
#define LEARNING 32
#define HAS_CELLS 64
#define HAS_MORE 128 /* another byte of flags follows */
/* The second one, 0 if it is missing. */
#define COMPONENTS_STALE 1
#define TRACKS_STALE 2
#define HAS_COVARIANCE 4
#define TRUNCATED 8
#define LAST_MORE 15

/* A track's first byte; the lowest two bits are its state. */
#define STATE_MASK 3
#define AS_COMPONENT 4 /* box, area and centroid are those of the component that it is in */
#define HAS_AGE 8      /* it is not a frame older */
#define HAS_KIND 16
#define LAST_TRACK_FLAGS 31

/* Estimates of ccatrack are multiples of 1 / SCALE, in pixels. Other numbers are written at full length. */
#define SCALE 256
#define AS_IT_IS 2
/* Sums of this many pixels have no rounding. */
#define MOST_PIXELS (1 << 26)

#define MOST_SEARCHED 256 /* components, for a track's label; files may have any number of both */

/* The least bytes of an item. */
#define LEAST_COMPONENT 8
#define LEAST_TRACK 5

/* State that the next frame is compared with. */
struct GstCcaIndexCodec
{
  GstCcaIndexContext context;
  char *caps, *id;
  uint64_t pts, step, duration, utc;
  GstCcaIndexComponent *components, *last_components;
  size_t n_components, n_last_components, room_components, room_last_components;
  GstCcaIndexTrack *tracks, *last_tracks;
  size_t n_tracks, n_last_tracks, room_tracks, room_last_tracks;
  char **kinds; /* those so far */
  size_t n_kinds, room_kinds;
  GstCcaIndexCells cells;
  uint8_t *bitmap; /* of cells */
  size_t room_bitmap;
};

/* A number is a whole number of these parts of 1, near a prediction. */
typedef struct
{
  double scale;
  int64_t prediction;
} Parts;

typedef struct
{
  Parts parts[2];
} Choice;

GstCcaIndexCodec *
gst_cca_index_codec_new (void)
{
  return calloc (1, sizeof (GstCcaIndexCodec));
}

void
gst_cca_index_codec_reset (GstCcaIndexCodec *codec)
{
  for (size_t i = 0; i < codec->n_kinds; i++)
    free (codec->kinds[i]);
  free (codec->caps);
  free (codec->id);
  codec->caps = codec->id = NULL;
  codec->context = (GstCcaIndexContext) { 0 };
  codec->pts = codec->step = codec->duration = codec->utc = 0;
  codec->n_components = codec->n_last_components = codec->n_tracks = codec->n_last_tracks = codec->n_kinds = 0;
  codec->cells = (GstCcaIndexCells) { 0 };
}

void
gst_cca_index_codec_free (GstCcaIndexCodec *codec)
{
  if (codec == NULL)
    return;
  gst_cca_index_codec_reset (codec);
  free (codec->components);
  free (codec->last_components);
  free (codec->tracks);
  free (codec->last_tracks);
  free (codec->kinds);
  free (codec->bitmap);
  free (codec);
}

/* --- Predictions, for both directions ----------------------------------------------------------------- */

/* Lists of this frame become those of the last one. Returns whether there is room for the new ones. */
static bool
turn_lists (GstCcaIndexCodec *codec, size_t n_components, size_t n_tracks)
{
  GstCcaIndexComponent *components = codec->components;
  GstCcaIndexTrack *tracks = codec->tracks;
  size_t room = codec->room_components;

  codec->components = codec->last_components, codec->last_components = components;
  codec->room_components = codec->room_last_components, codec->room_last_components = room;
  codec->n_last_components = codec->n_components;
  room = codec->room_tracks;
  codec->tracks = codec->last_tracks, codec->last_tracks = tracks;
  codec->room_tracks = codec->room_last_tracks, codec->room_last_tracks = room;
  codec->n_last_tracks = codec->n_tracks;
  codec->n_components = n_components;
  codec->n_tracks = n_tracks;
  return GST_CCA_RESERVE (codec->components, codec->room_components, n_components)
         && GST_CCA_RESERVE (codec->tracks, codec->room_tracks, n_tracks);
}

static GstCcaIndexComponent
last_component (const GstCcaIndexCodec *codec, size_t index)
{
  return index < codec->n_last_components ? codec->last_components[index] : (GstCcaIndexComponent) { 0 };
}

/* Returns the track of the last frame, from *at on, with an id; one of zeros if there is none. */
static GstCcaIndexTrack
last_track (const GstCcaIndexCodec *codec, uint64_t id, size_t *at)
{
  while (*at < codec->n_last_tracks && codec->last_tracks[*at].id < id)
    ++*at;
  return *at < codec->n_last_tracks && codec->last_tracks[*at].id == id ? codec->last_tracks[*at]
                                                                        : (GstCcaIndexTrack) { 0 };
}

/* Returns the component of this frame with a label, or NULL if it is not at its label's place or among the first. */
static const GstCcaIndexComponent *
find_component (const GstCcaIndexCodec *codec, uint32_t label)
{
  if (label > 0 && label <= codec->n_components && codec->components[label - 1].label == label)
    return &codec->components[label - 1];
  for (size_t i = 0; label > 0 && i < codec->n_components && i < MOST_SEARCHED; i++)
    if (codec->components[i].label == label)
      return &codec->components[i];
  return NULL;
}

/* A centroid is a sum of whole pixels over the area, or what ccatrack makes of it: near the middle of the box. */
static Choice
centroid_parts (uint64_t area, uint32_t begin, uint32_t length)
{
  const uint64_t divisor = area > 0 && area < MOST_PIXELS ? area : 1;
  const uint64_t twice = (2 * (uint64_t) begin + length - 1) & UINT32_MAX;

  return (
      Choice) { { { (double) divisor, (int64_t) (divisor * twice / 2) }, { SCALE, (int64_t) (SCALE * twice / 2) } } };
}

static Choice
velocity_parts (double before)
{
  const Parts parts = { SCALE, fabs (before) < 0x1p40 ? (int64_t) llround (before * SCALE) : 0 };

  return (Choice) { { parts, parts } };
}

/* Keeps a context with copies of its strings. */
static bool
keep_context (GstCcaIndexCodec *codec, const GstCcaIndexContext *context, char *caps, char *id)
{
  free (codec->caps);
  free (codec->id);
  codec->caps = caps;
  codec->id = id;
  codec->context = *context;
  codec->context.caps = caps;
  codec->context.id = id;
  return caps != NULL && id != NULL;
}

static size_t
n_cells (const GstCcaIndexCells *cells)
{
  return (size_t) cells->columns * cells->rows;
}

/* Makes room for cells, and clears them if they are not those of the last time. */
static bool
keep_cells (GstCcaIndexCodec *codec, uint32_t side, uint32_t columns, uint32_t rows)
{
  GstCcaIndexCells *cells = &codec->cells;
  const bool same = cells->side == side && cells->columns == columns && cells->rows == rows;

  *cells = (GstCcaIndexCells) { side, columns, rows, NULL };
  if (!GST_CCA_RESERVE (codec->bitmap, codec->room_bitmap, n_cells (cells))) {
    *cells = (GstCcaIndexCells) { 0 };
    return false;
  }
  if (!same && n_cells (cells) > 0)
    memset (codec->bitmap, 0, n_cells (cells));
  cells->cells = codec->bitmap;
  return true;
}

static void
keep_times (GstCcaIndexCodec *codec, const GstCcaIndexFrame *frame)
{
  codec->step = frame->pts - codec->pts;
  codec->pts = frame->pts;
  codec->duration = frame->duration;
  codec->utc = frame->utc;
}

/* --- Writing ------------------------------------------------------------------------------------------ */

static bool
same_double (double a, double b)
{
  return memcmp (&a, &b, sizeof a) == 0;
}

/* Writes a value as its difference from a prediction in parts, if it is a whole number of them; or as it is. */
static void
put_in_parts (GstCcaIndexBytes *bytes, double value, const Parts parts[2])
{
  for (unsigned i = 0; i < 2; i++) {
    const double scaled = value * parts[i].scale;
    const int64_t whole = fabs (scaled) < 0x1p52 ? (int64_t) llround (scaled) : 0;

    if (same_double ((double) whole / parts[i].scale, value)) {
      const uint64_t difference = (uint64_t) whole - (uint64_t) parts[i].prediction, sign = difference >> 63;

      gst_cca_index_put (bytes, (((difference << 1) ^ (0 - sign)) << 2) | i);
      return;
    }
  }
  gst_cca_index_put (bytes, AS_IT_IS);
  gst_cca_index_put_double (bytes, value);
}

static void
put_place (GstCcaIndexBytes *bytes, const GstCcaIndexPlace *now, const GstCcaIndexPlace *before)
{
  gst_cca_index_put_difference (bytes, (uint64_t) now->x - before->x);
  gst_cca_index_put_difference (bytes, (uint64_t) now->y - before->y);
  gst_cca_index_put_difference (bytes, (uint64_t) now->width - before->width);
  gst_cca_index_put_difference (bytes, (uint64_t) now->height - before->height);
  gst_cca_index_put_difference (bytes, now->area - before->area);
  put_in_parts (bytes, now->centroid[0], centroid_parts (now->area, now->x, now->width).parts);
  put_in_parts (bytes, now->centroid[1], centroid_parts (now->area, now->y, now->height).parts);
}

static void
put_component (GstCcaIndexCodec *codec, GstCcaIndexBytes *bytes, size_t index, bool covariance)
{
  const GstCcaIndexComponent *now = &codec->components[index], before = last_component (codec, index);

  gst_cca_index_put_difference (bytes, (uint64_t) now->label - (index + 1));
  put_place (bytes, &now->place, &before.place);
  for (int i = 0; covariance && i < 3; i++)
    gst_cca_index_put_double (bytes, now->covariance[i]);
}

/* Writes a kind's number, from 1; a new one with its text; 0 for none. */
static void
put_kind (GstCcaIndexCodec *codec, GstCcaIndexBytes *bytes, const char *kind)
{
  size_t i = 0;
  char *copy;

  if (kind == NULL) {
    gst_cca_index_put (bytes, 0);
    return;
  }
  while (i < codec->n_kinds && strcmp (codec->kinds[i], kind) != 0)
    i++;
  gst_cca_index_put (bytes, i + 1);
  if (i < codec->n_kinds)
    return;
  gst_cca_index_put_string (bytes, kind);
  copy = strdup (kind);
  if (copy == NULL || !GST_CCA_RESERVE (codec->kinds, codec->room_kinds, codec->n_kinds + 1)) {
    free (copy);
    bytes->failed = true;
    return;
  }
  codec->kinds[codec->n_kinds++] = copy;
}

static bool
same_kind (const char *a, const char *b)
{
  return a == b || (a != NULL && b != NULL && strcmp (a, b) == 0);
}

static void
put_track (GstCcaIndexCodec *codec, GstCcaIndexBytes *bytes, size_t index, size_t *at)
{
  const GstCcaIndexTrack *now = &codec->tracks[index];
  const GstCcaIndexTrack before = last_track (codec, now->id, at);
  const GstCcaIndexComponent *component = find_component (codec, now->label);
  const bool as_component = component != NULL && memcmp (&now->place, &component->place, sizeof now->place) == 0;
  const bool ages = now->age != before.age + 1, changes = !same_kind (now->kind, before.kind);

  gst_cca_index_put_difference (bytes, now->id - (index > 0 ? codec->tracks[index - 1].id : 0));
  gst_cca_index_put_byte (bytes, (uint8_t) ((now->state & STATE_MASK) | (as_component ? AS_COMPONENT : 0)
                                            | (ages ? HAS_AGE : 0) | (changes ? HAS_KIND : 0)));
  gst_cca_index_put_difference (bytes, (uint64_t) now->label - before.label);
  if (!as_component)
    put_place (bytes, &now->place, &before.place);
  for (int i = 0; i < 2; i++)
    put_in_parts (bytes, now->velocity[i], velocity_parts (before.velocity[i]).parts);
  if (ages)
    gst_cca_index_put_difference (bytes, (uint64_t) now->age - before.age);
  if (changes)
    put_kind (codec, bytes, now->kind);
}

static bool
same_context (const GstCcaIndexContext *a, const GstCcaIndexContext *b)
{
  return strcmp (a->caps, b->caps) == 0 && strcmp (a->id, b->id) == 0 && same_double (a->rate, b->rate)
         && same_double (a->applied_rate, b->applied_rate) && a->base == b->base && a->offset == b->offset
         && a->start == b->start && a->time == b->time && a->utc_source == b->utc_source
         && memcmp (a->components_size, b->components_size, sizeof a->components_size) == 0
         && memcmp (a->tracks_size, b->tracks_size, sizeof a->tracks_size) == 0;
}

static bool
put_context (GstCcaIndexCodec *codec, GstCcaIndexBytes *bytes, const GstCcaIndexContext *context)
{
  gst_cca_index_put_string (bytes, context->caps);
  gst_cca_index_put_string (bytes, context->id);
  gst_cca_index_put_double (bytes, context->rate);
  gst_cca_index_put_double (bytes, context->applied_rate);
  gst_cca_index_put_difference (bytes, context->base);
  gst_cca_index_put_difference (bytes, context->offset);
  gst_cca_index_put_difference (bytes, context->start);
  gst_cca_index_put_difference (bytes, context->time);
  gst_cca_index_put_byte (bytes, (uint8_t) context->utc_source);
  for (int i = 0; i < 2; i++) {
    gst_cca_index_put (bytes, context->components_size[i]);
    gst_cca_index_put (bytes, context->tracks_size[i]);
  }
  return keep_context (codec, context, strdup (context->caps), strdup (context->id));
}

/* Writes the runs of cells that change. */
static bool
put_cells (GstCcaIndexCodec *codec, GstCcaIndexBytes *bytes, const GstCcaIndexCells *cells)
{
  const size_t n = n_cells (cells);
  size_t from = 0;

  gst_cca_index_put (bytes, cells->side);
  gst_cca_index_put (bytes, cells->columns);
  gst_cca_index_put (bytes, cells->rows);
  if (!keep_cells (codec, cells->side, cells->columns, cells->rows))
    return false;
  for (size_t i = 0; i < n;) {
    size_t end;

    if (codec->bitmap[i] == cells->cells[i]) {
      i++;
      continue;
    }
    for (end = i; end < n && codec->bitmap[end] != cells->cells[end]; end++)
      codec->bitmap[end] = cells->cells[end];
    gst_cca_index_put (bytes, end - i);
    gst_cca_index_put (bytes, i - from);
    from = i = end;
  }
  gst_cca_index_put (bytes, 0);
  return true;
}

static bool
has_covariance (const GstCcaIndexFrame *frame)
{
  for (size_t i = 0; i < frame->n_components; i++)
    for (int k = 0; k < 3; k++)
      if (!same_double (frame->components[i].covariance[k], 0.0))
        return true;
  return false;
}

bool
gst_cca_index_encode (GstCcaIndexCodec *codec, const GstCcaIndexFrame *frame, GstCcaIndexBytes *bytes)
{
  const bool context = codec->caps == NULL || !same_context (&codec->context, &frame->context);
  const uint64_t late = frame->pts - (codec->pts + codec->step), longer = frame->duration - codec->duration;
  const uint64_t drift = frame->utc - codec->utc - (frame->pts - codec->pts);
  const bool times = late != 0 || longer != 0 || drift != 0, covariance = has_covariance (frame);
  const bool truncated = frame->n_found != frame->n_components;
  const int more = (frame->components_stale ? COMPONENTS_STALE : 0) | (frame->tracks_stale ? TRACKS_STALE : 0)
                   | (covariance ? HAS_COVARIANCE : 0) | (truncated ? TRUNCATED : 0);
  size_t at = 0;

  if (!turn_lists (codec, frame->n_components, frame->n_tracks))
    return false;
  if (frame->n_components > 0)
    memcpy (codec->components, frame->components, frame->n_components * sizeof *frame->components);
  if (frame->n_tracks > 0)
    memcpy (codec->tracks, frame->tracks, frame->n_tracks * sizeof *frame->tracks);

  gst_cca_index_put_byte (
      bytes,
      (uint8_t) ((context ? HAS_CONTEXT : 0) | (times ? HAS_TIMES : 0) | (frame->has_components ? HAS_COMPONENTS : 0)
                 | (frame->has_tracks ? HAS_TRACKS : 0) | (frame->scene_change ? SCENE_CHANGE : 0)
                 | (frame->learning ? LEARNING : 0) | (frame->has_cells ? HAS_CELLS : 0) | (more != 0 ? HAS_MORE : 0)));
  if (more != 0)
    gst_cca_index_put_byte (bytes, (uint8_t) more);
  if (context && !put_context (codec, bytes, &frame->context))
    return false;
  if (times) {
    gst_cca_index_put_difference (bytes, late);
    gst_cca_index_put_difference (bytes, longer);
    gst_cca_index_put_difference (bytes, drift);
  }
  keep_times (codec, frame);
  if (truncated)
    gst_cca_index_put (bytes, frame->n_found);
  if (frame->has_components)
    gst_cca_index_put (bytes, frame->n_components);
  for (size_t i = 0; i < frame->n_components; i++)
    put_component (codec, bytes, i, covariance);
  if (frame->has_tracks)
    gst_cca_index_put (bytes, frame->n_tracks);
  for (size_t i = 0; i < frame->n_tracks; i++)
    put_track (codec, bytes, i, &at);
  /* The caller's texts may be gone by the next frame. */
  for (size_t i = 0; i < frame->n_tracks && !bytes->failed; i++)
    for (size_t k = 0; codec->tracks[i].kind != NULL && k < codec->n_kinds; k++)
      if (strcmp (codec->kinds[k], codec->tracks[i].kind) == 0) {
        codec->tracks[i].kind = codec->kinds[k];
        break;
      }
  if (frame->has_cells && !put_cells (codec, bytes, &frame->cells))
    return false;
  return !bytes->failed;
}

/* --- Reading ------------------------------------------------------------------------------------------ */

static double
get_in_parts (GstCcaIndexCursor *cursor, const Parts parts[2])
{
  const uint64_t coded = gst_cca_index_get (cursor), difference = coded >> 2;
  const unsigned i = coded & 3;

  if (i == AS_IT_IS)
    return gst_cca_index_get_double (cursor);
  cursor->failed |= i > AS_IT_IS;
  if (cursor->failed)
    return 0.0;
  return (double) (int64_t) ((uint64_t) parts[i].prediction + ((difference >> 1) ^ (0 - (difference & 1))))
         / parts[i].scale;
}

static uint32_t
get_near (GstCcaIndexCursor *cursor, uint64_t before)
{
  const uint64_t value = before + gst_cca_index_get_difference (cursor);

  cursor->failed |= value > UINT32_MAX;
  return cursor->failed ? 0 : (uint32_t) value;
}

static GstCcaIndexPlace
get_place (GstCcaIndexCursor *cursor, const GstCcaIndexPlace *before)
{
  GstCcaIndexPlace now;

  now.x = get_near (cursor, before->x);
  now.y = get_near (cursor, before->y);
  now.width = get_near (cursor, before->width);
  now.height = get_near (cursor, before->height);
  now.area = before->area + gst_cca_index_get_difference (cursor);
  now.centroid[0] = get_in_parts (cursor, centroid_parts (now.area, now.x, now.width).parts);
  now.centroid[1] = get_in_parts (cursor, centroid_parts (now.area, now.y, now.height).parts);
  return now;
}

static void
get_component (GstCcaIndexCodec *codec, GstCcaIndexCursor *cursor, size_t index, bool covariance)
{
  GstCcaIndexComponent *now = &codec->components[index];
  const GstCcaIndexComponent before = last_component (codec, index);

  *now = (GstCcaIndexComponent) { .label = get_near (cursor, index + 1) };
  now->place = get_place (cursor, &before.place);
  for (int i = 0; covariance && i < 3; i++)
    now->covariance[i] = gst_cca_index_get_double (cursor);
}

static const char *
get_kind (GstCcaIndexCodec *codec, GstCcaIndexCursor *cursor)
{
  const uint64_t number = gst_cca_index_get (cursor);
  char *kind;

  if (number == 0)
    return NULL;
  if (number <= codec->n_kinds)
    return codec->kinds[number - 1];
  kind = number == codec->n_kinds + 1 ? gst_cca_index_get_string (cursor) : NULL;
  if (kind == NULL || !GST_CCA_RESERVE (codec->kinds, codec->room_kinds, codec->n_kinds + 1)) {
    free (kind);
    cursor->failed = true;
    return NULL;
  }
  return codec->kinds[codec->n_kinds++] = kind;
}

static void
get_track (GstCcaIndexCodec *codec, GstCcaIndexCursor *cursor, size_t index, size_t *at)
{
  GstCcaIndexTrack *now = &codec->tracks[index];
  const uint64_t id = (index > 0 ? codec->tracks[index - 1].id : 0) + gst_cca_index_get_difference (cursor);
  const GstCcaIndexTrack before = last_track (codec, id, at);
  const uint8_t flags = gst_cca_index_get_byte (cursor);

  cursor->failed |= flags > LAST_TRACK_FLAGS || (flags & STATE_MASK) > GST_CCA_INDEX_LAST_STATE
                    || (index > 0 && id <= codec->tracks[index - 1].id);
  *now = before;
  now->id = id;
  now->state = flags & STATE_MASK;
  now->label = get_near (cursor, before.label);
  if (flags & AS_COMPONENT) {
    const GstCcaIndexComponent *component = find_component (codec, now->label);

    cursor->failed |= component == NULL;
    if (component != NULL)
      now->place = component->place;
  } else {
    now->place = get_place (cursor, &before.place);
  }
  for (int i = 0; i < 2; i++)
    now->velocity[i] = get_in_parts (cursor, velocity_parts (before.velocity[i]).parts);
  now->age = flags & HAS_AGE ? get_near (cursor, before.age) : before.age + 1;
  if (flags & HAS_KIND)
    now->kind = get_kind (codec, cursor);
}

static bool
get_context (GstCcaIndexCodec *codec, GstCcaIndexCursor *cursor)
{
  char *caps = gst_cca_index_get_string (cursor), *id = gst_cca_index_get_string (cursor);
  GstCcaIndexContext context = { 0 };

  context.rate = gst_cca_index_get_double (cursor);
  context.applied_rate = gst_cca_index_get_double (cursor);
  context.base = gst_cca_index_get_difference (cursor);
  context.offset = gst_cca_index_get_difference (cursor);
  context.start = gst_cca_index_get_difference (cursor);
  context.time = gst_cca_index_get_difference (cursor);
  context.utc_source = gst_cca_index_get_byte (cursor);
  for (int i = 0; i < 2; i++) {
    context.components_size[i] = gst_cca_index_get_u32 (cursor);
    context.tracks_size[i] = gst_cca_index_get_u32 (cursor);
  }
  cursor->failed |= context.utc_source > GST_CCA_INDEX_LAST_UTC_SOURCE;
  return keep_context (codec, &context, caps, id) && !cursor->failed;
}

#define MOST_CELLS (1 << 20)

static bool
get_cells (GstCcaIndexCodec *codec, GstCcaIndexCursor *cursor)
{
  const uint32_t side = gst_cca_index_get_u32 (cursor), columns = gst_cca_index_get_u32 (cursor);
  const uint32_t rows = gst_cca_index_get_u32 (cursor);
  size_t at = 0, n, length;

  cursor->failed |= (uint64_t) columns * rows > MOST_CELLS || (columns > 0 && side == 0);
  if (cursor->failed || !keep_cells (codec, side, columns, rows))
    return false;
  n = n_cells (&codec->cells);
  while ((length = (size_t) gst_cca_index_get (cursor)) > 0) {
    const uint64_t gap = gst_cca_index_get (cursor);

    cursor->failed |= gap > n - at || length > n - at - gap;
    if (cursor->failed)
      return false;
    for (at += gap; length > 0; length--, at++)
      codec->bitmap[at] ^= 1;
  }
  return !cursor->failed;
}

static void
get_times (GstCcaIndexCodec *codec, GstCcaIndexCursor *cursor, bool differ, GstCcaIndexFrame *frame)
{
  const uint64_t late = differ ? gst_cca_index_get_difference (cursor) : 0;
  const uint64_t longer = differ ? gst_cca_index_get_difference (cursor) : 0;
  const uint64_t drift = differ ? gst_cca_index_get_difference (cursor) : 0;

  frame->pts = codec->pts + codec->step + late;
  frame->duration = codec->duration + longer;
  frame->utc = codec->utc + (frame->pts - codec->pts) + drift;
  keep_times (codec, frame);
}

bool
gst_cca_index_decode (GstCcaIndexCodec *codec, GstCcaIndexCursor *cursor, GstCcaIndexFrame *frame)
{
  const uint8_t flags = gst_cca_index_get_byte (cursor);
  const uint8_t more = flags & HAS_MORE ? gst_cca_index_get_byte (cursor) : 0;
  size_t at = 0, n_components = 0, n_tracks = 0;

  cursor->failed |= more > LAST_MORE || (codec->caps == NULL && !(flags & HAS_CONTEXT));
  if (cursor->failed || ((flags & HAS_CONTEXT) && !get_context (codec, cursor)))
    return false;
  *frame = (GstCcaIndexFrame) {
    .context = codec->context,
    .has_components = flags & HAS_COMPONENTS,
    .components_stale = more & COMPONENTS_STALE,
    .scene_change = flags & SCENE_CHANGE,
    .learning = flags & LEARNING,
    .has_tracks = flags & HAS_TRACKS,
    .tracks_stale = more & TRACKS_STALE,
    .has_cells = flags & HAS_CELLS,
  };
  get_times (codec, cursor, flags & HAS_TIMES, frame);
  if (more & TRUNCATED)
    frame->n_found = gst_cca_index_get_u32 (cursor);
  if (frame->has_components)
    n_components = gst_cca_index_get_length (cursor, LEAST_COMPONENT);
  if (cursor->failed || !turn_lists (codec, n_components, 0))
    return false;
  for (size_t i = 0; i < n_components; i++)
    get_component (codec, cursor, i, more & HAS_COVARIANCE);
  if (frame->has_tracks)
    n_tracks = gst_cca_index_get_length (cursor, LEAST_TRACK);
  if (cursor->failed || !GST_CCA_RESERVE (codec->tracks, codec->room_tracks, n_tracks))
    return false;
  codec->n_tracks = n_tracks;
  for (size_t i = 0; i < n_tracks; i++)
    get_track (codec, cursor, i, &at);
  if (!(more & TRUNCATED))
    frame->n_found = (uint32_t) n_components;
  cursor->failed |= frame->n_found < n_components;
  if (cursor->failed || (frame->has_cells && !get_cells (codec, cursor)))
    return false;
  frame->components = codec->components;
  frame->n_components = n_components;
  frame->tracks = codec->tracks;
  frame->n_tracks = n_tracks;
  frame->cells = codec->cells;
  return true;
}
