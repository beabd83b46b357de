/* gst-cca: reads frames of an index
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "array.h"
#include "state.h"

static double
get_in_parts (GstCcaIndexCursor *cursor, const GstCcaIndexParts parts[2])
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
  now.centroid[0] = get_in_parts (cursor, gst_cca_index_centroid_parts (now.area, now.x, now.width).parts);
  now.centroid[1] = get_in_parts (cursor, gst_cca_index_centroid_parts (now.area, now.y, now.height).parts);
  return now;
}

static void
get_component (GstCcaIndexCodec *codec, GstCcaIndexCursor *cursor, size_t index, bool covariance)
{
  GstCcaIndexComponent *now = &codec->components[index];
  const GstCcaIndexComponent before = gst_cca_index_last_component (codec, index);

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
  const GstCcaIndexTrack before = gst_cca_index_last_track (codec, id, at);
  const uint8_t flags = gst_cca_index_get_byte (cursor);

  cursor->failed |= flags > LAST_TRACK_FLAGS || (flags & STATE_MASK) > GST_CCA_INDEX_LAST_STATE
                    || (index > 0 && id <= codec->tracks[index - 1].id);
  *now = before;
  now->id = id;
  now->state = flags & STATE_MASK;
  now->label = get_near (cursor, before.label);
  if (flags & AS_COMPONENT) {
    const GstCcaIndexComponent *component = gst_cca_index_find_component (codec, now->label);

    cursor->failed |= component == NULL;
    if (component != NULL)
      now->place = component->place;
  } else {
    now->place = get_place (cursor, &before.place);
  }
  for (int i = 0; i < 2; i++)
    now->velocity[i] = get_in_parts (cursor, gst_cca_index_velocity_parts (before.velocity[i]).parts);
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
  return gst_cca_index_keep_context (codec, &context, caps, id) && !cursor->failed;
}

#define MOST_CELLS (1 << 20)

static bool
get_cells (GstCcaIndexCodec *codec, GstCcaIndexCursor *cursor)
{
  const uint32_t side = gst_cca_index_get_u32 (cursor), columns = gst_cca_index_get_u32 (cursor);
  const uint32_t rows = gst_cca_index_get_u32 (cursor);
  size_t at = 0, n, length;

  cursor->failed |= (uint64_t) columns * rows > MOST_CELLS || (columns > 0 && side == 0);
  if (cursor->failed || !gst_cca_index_keep_cells (codec, side, columns, rows))
    return false;
  n = gst_cca_index_n_cells (&codec->cells);
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
  gst_cca_index_keep_times (codec, frame);
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
  if (cursor->failed || !gst_cca_index_turn_lists (codec, n_components, 0))
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
