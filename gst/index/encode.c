/* gst-cca: writes frames of an index
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <math.h>

#include "array.h"
#include "state.h"

static bool
same_double (double a, double b)
{
  return memcmp (&a, &b, sizeof a) == 0;
}

/* Writes a value as its difference from a prediction in parts, if it is a whole number of them; or as it is. */
static void
put_in_parts (GstCcaIndexBytes *bytes, double value, const GstCcaIndexParts parts[2])
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
  put_in_parts (bytes, now->centroid[0], gst_cca_index_centroid_parts (now->area, now->x, now->width).parts);
  put_in_parts (bytes, now->centroid[1], gst_cca_index_centroid_parts (now->area, now->y, now->height).parts);
}

static void
put_component (GstCcaIndexCodec *codec, GstCcaIndexBytes *bytes, size_t index, bool covariance)
{
  const GstCcaIndexComponent *now = &codec->components[index], before = gst_cca_index_last_component (codec, index);

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
  const GstCcaIndexTrack before = gst_cca_index_last_track (codec, now->id, at);
  const GstCcaIndexComponent *component = gst_cca_index_find_component (codec, now->label);
  const bool as_component = component != NULL && memcmp (&now->place, &component->place, sizeof now->place) == 0;
  const bool ages = now->age != before.age + 1, changes = !same_kind (now->kind, before.kind);

  gst_cca_index_put_difference (bytes, now->id - (index > 0 ? codec->tracks[index - 1].id : 0));
  gst_cca_index_put_byte (bytes, (uint8_t) ((now->state & STATE_MASK) | (as_component ? AS_COMPONENT : 0)
                                            | (ages ? HAS_AGE : 0) | (changes ? HAS_KIND : 0)));
  gst_cca_index_put_difference (bytes, (uint64_t) now->label - before.label);
  if (!as_component)
    put_place (bytes, &now->place, &before.place);
  for (int i = 0; i < 2; i++)
    put_in_parts (bytes, now->velocity[i], gst_cca_index_velocity_parts (before.velocity[i]).parts);
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
  return gst_cca_index_keep_context (codec, context, strdup (context->caps), strdup (context->id));
}

/* Writes the runs of cells that change. */
static bool
put_cells (GstCcaIndexCodec *codec, GstCcaIndexBytes *bytes, const GstCcaIndexCells *cells)
{
  const size_t n = gst_cca_index_n_cells (cells);
  size_t from = 0;

  gst_cca_index_put (bytes, cells->side);
  gst_cca_index_put (bytes, cells->columns);
  gst_cca_index_put (bytes, cells->rows);
  if (!gst_cca_index_keep_cells (codec, cells->side, cells->columns, cells->rows))
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

  if (!gst_cca_index_turn_lists (codec, frame->n_components, frame->n_tracks))
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
  gst_cca_index_keep_times (codec, frame);
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
