/* gst-cca: objects that came to a spot of the picture, and that went away from it
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "spot.h"

#include <math.h>

#include "array.h"

#define COASTING 2 /* as a state of GstCcaTrackMeta */
#define LEAST_PART 0.5
/* An occupation ends when the spot has not been occupied for this many samples of the foreground. */
#define END_SAMPLES 2
#define LEAST_SAMPLES 2 /* of an occupation after which the spot looks different */

typedef struct
{
  uint64_t id;
  bool began_here;
  GstCcaBox box;             /* where it was last seen */
  GstCcaIndexMoment touched; /* the spot, last */
} Track;

struct GstCcaIndexSpot
{
  GstCcaBox box;
  uint64_t least;
  bool has_foreground;
  Track *tracks, *last_tracks;
  size_t n_tracks, room_tracks, room_last_tracks;

  /* The track that covered it most since the last sample of the foreground; id 0: none. */
  Track cover;
  double shared;

  bool occupied;
  unsigned n_samples, n_free; /* samples in which it was occupied, and those since */
  GstCcaIndexMoment begin, end;
  Track comer, leaver; /* the track that covered it first, and last; id 0: none */
  Track remainder;     /* the track of its size that began at the spot; id 0: none */
};

GstCcaIndexSpot *
gst_cca_index_spot_new (const GstCcaBox *box, uint64_t least)
{
  GstCcaIndexSpot *spot = calloc (1, sizeof *spot);

  if (spot != NULL) {
    spot->box = *box;
    spot->least = least;
  }
  return spot;
}

void
gst_cca_index_spot_free (GstCcaIndexSpot *spot)
{
  if (spot == NULL)
    return;
  free (spot->tracks);
  free (spot->last_tracks);
  free (spot);
}

/* Whether the spot and a box share half of the smaller one. */
static bool
touches (const GstCcaIndexSpot *spot, const GstCcaBox *box)
{
  return gst_cca_box_shared (&spot->box, box)
         >= LEAST_PART * gst_cca_min (gst_cca_box_area (&spot->box), gst_cca_box_area (box));
}

/* Whether they share half of the larger one. */
static bool
matches (const GstCcaIndexSpot *spot, const GstCcaBox *box)
{
  return gst_cca_box_shared (&spot->box, box)
         >= LEAST_PART * gst_cca_max (gst_cca_box_area (&spot->box), gst_cca_box_area (box));
}

static GstCcaBox
box_of (const GstCcaIndexTrack *track)
{
  const GstCcaIndexPlace *place = &track->place;
  const double x = place->x, y = place->y;

  return (GstCcaBox) { { x, y }, { x + place->width, y + place->height } };
}

/* Follows the tracks that cover the spot, or did. */
static void
note_cover (GstCcaIndexSpot *spot, const Track *track)
{
  const double shared = touches (spot, &track->box) ? gst_cca_box_shared (&spot->box, &track->box) : 0.0;

  if (track->id == spot->leaver.id)
    spot->leaver = *track;
  if (track->id == spot->remainder.id || (track->began_here && matches (spot, &track->box)))
    spot->remainder = *track;
  if (shared > spot->shared || track->id == spot->cover.id)
    spot->cover = *track;
  spot->shared = gst_cca_max (spot->shared, shared);
}

static bool
follow_tracks (GstCcaIndexSpot *spot, const GstCcaIndexFrame *frame, GstCcaIndexMoment now)
{
  Track *last = spot->tracks;
  size_t n_last = spot->n_tracks, room = spot->room_tracks, old = 0;

  if (!GST_CCA_RESERVE (spot->last_tracks, spot->room_last_tracks, frame->n_tracks))
    return false;
  spot->tracks = spot->last_tracks, spot->last_tracks = last;
  spot->room_tracks = spot->room_last_tracks, spot->room_last_tracks = room;
  spot->n_tracks = frame->n_tracks;
  for (size_t i = 0; i < frame->n_tracks; i++) {
    const GstCcaIndexTrack *seen = &frame->tracks[i];
    const GstCcaBox box = box_of (seen);
    Track *track = &spot->tracks[i];

    while (old < n_last && last[old].id < seen->id)
      old++;
    if (old < n_last && last[old].id == seen->id)
      *track = last[old];
    else
      *track = (Track) { .id = seen->id, .began_here = touches (spot, &box) };
    if (seen->state != COASTING) {
      track->box = box;
      if (touches (spot, &box))
        track->touched = now;
    }
    note_cover (spot, track);
  }
  return true;
}

/* Returns whether at least half of the spot's cells are foreground; of a spot between the cells' middles, that of its
 * own middle. */
static bool
is_occupied (const GstCcaIndexSpot *spot, const GstCcaIndexCells *cells)
{
  const double middle[2] = { (spot->box.min[0] + spot->box.max[0]) / 2, (spot->box.min[1] + spot->box.max[1]) / 2 };
  size_t n = 0, n_foreground = 0;

  for (uint32_t row = 0; row < cells->rows; row++)
    for (uint32_t column = 0; column < cells->columns; column++) {
      const double x = (column + 0.5) * cells->side, y = (row + 0.5) * cells->side, half = cells->side / 2.0;
      const bool inside =
          x >= spot->box.min[0] && x < spot->box.max[0] && y >= spot->box.min[1] && y < spot->box.max[1];

      if (inside || (fabs (x - middle[0]) <= half && fabs (y - middle[1]) <= half)) {
        n++;
        n_foreground += cells->cells[(size_t) row * cells->columns + column];
      }
    }
  return n > 0 && n_foreground >= LEAST_PART * n;
}

/* Makes an event of the occupation that is over, if it is one. */
static bool
conclude (GstCcaIndexSpot *spot, GstCcaIndexSpotEvent *event)
{
  const bool came = spot->comer.id != 0 && !spot->comer.began_here, stays = spot->n_free == 0;
  const bool left = !stays && spot->leaver.id != 0 && !touches (spot, &spot->leaver.box);
  GstCcaIndexSpotKind kind = GST_CCA_INDEX_CHANGED;

  if (left && spot->leaver.began_here)
    kind = GST_CCA_INDEX_VANISHED;
  else if (spot->remainder.id != 0 && touches (spot, &spot->remainder.box))
    kind = GST_CCA_INDEX_CHANGED;
  else if (left && came)
    kind = GST_CCA_INDEX_VISITED;
  else if (came && spot->leaver.id == spot->comer.id)
    kind = GST_CCA_INDEX_STAYED;
  spot->occupied = false;
  *event = (GstCcaIndexSpotEvent) {
    .kind = kind,
    .at = kind == GST_CCA_INDEX_VANISHED ? spot->leaver.touched : spot->begin,
    .begin = spot->begin,
    .end = spot->end,
    .track = kind == GST_CCA_INDEX_VANISHED ? spot->leaver.id
             : came                         ? spot->comer.id
                                            : 0,
  };
  if (stays)
    event->end = (GstCcaIndexMoment) { GST_CCA_INDEX_NEVER, GST_CCA_INDEX_NEVER };
  if (kind == GST_CCA_INDEX_VISITED)
    return spot->end.pts - spot->begin.pts >= spot->least;
  return kind == GST_CCA_INDEX_VANISHED || spot->remainder.id != 0 || spot->n_samples >= LEAST_SAMPLES;
}

static void
occupy (GstCcaIndexSpot *spot, GstCcaIndexMoment now)
{
  if (!spot->occupied) {
    spot->occupied = true;
    spot->n_samples = 0;
    spot->begin = now;
    spot->comer = spot->leaver = spot->cover;
  }
  spot->n_samples++;
  spot->n_free = 0;
  spot->end = now;
  if (spot->cover.id != 0)
    spot->leaver = spot->cover;
}

bool
gst_cca_index_spot_add (GstCcaIndexSpot *spot, const GstCcaIndexFrame *frame, GstCcaIndexSpotEvent *event, bool *failed)
{
  const GstCcaIndexMoment now = { frame->pts, frame->utc };
  bool over = false;

  if (frame->has_tracks && !follow_tracks (spot, frame, now)) {
    *failed = true;
    return false;
  }
  if (!frame->has_cells || frame->cells.columns == 0)
    return false;
  spot->has_foreground = true;
  if (is_occupied (spot, &frame->cells))
    occupy (spot, now);
  else
    over = spot->occupied && ++spot->n_free >= END_SAMPLES && conclude (spot, event);
  if (!spot->occupied)
    spot->remainder = (Track) { 0 };
  spot->cover = (Track) { 0 };
  spot->shared = 0.0;
  return over;
}

bool
gst_cca_index_spot_finish (GstCcaIndexSpot *spot, GstCcaIndexSpotEvent *event)
{
  return spot->occupied && conclude (spot, event);
}

bool
gst_cca_index_spot_has_foreground (const GstCcaIndexSpot *spot)
{
  return spot->has_foreground;
}
