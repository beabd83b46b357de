/* gst-cca: frames whose tracks the rules do not judge yet
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccazonesheld.h"

#include "array.h"

void
gst_cca_zones_held_clear (GstCcaZonesHeld *held)
{
  free (held->frames);
  free (held->tracks);
  *held = (GstCcaZonesHeld) { 0 };
}

gboolean
gst_cca_zones_held_add (GstCcaZonesHeld *held, const GstCcaRulesFrame *frame, const GstCcaMessageTimes *times)
{
  if (!GST_CCA_RESERVE (held->frames, held->frames_room, held->n_frames + 1)
      || !GST_CCA_RESERVE (held->tracks, held->tracks_room, held->n_tracks + frame->n_tracks))
    return FALSE;
  held->frames[held->n_frames++] = (GstCcaZonesHeldFrame) { *frame, *times };
  if (frame->n_tracks > 0)
    memcpy (held->tracks + held->n_tracks, frame->tracks, frame->n_tracks * sizeof *frame->tracks);
  held->n_tracks += frame->n_tracks;
  return TRUE;
}

const GstCcaZonesHeldFrame *
gst_cca_zones_held_frames (GstCcaZonesHeld *held)
{
  gsize first = 0;

  /* The tracks may have moved since a frame was added. */
  for (gsize i = 0; i < held->n_frames; i++) {
    held->frames[i].frame.tracks = held->tracks + first;
    first += held->frames[i].frame.n_tracks;
  }
  return held->frames;
}

void
gst_cca_zones_held_drop (GstCcaZonesHeld *held)
{
  held->n_frames = held->n_tracks = 0;
}
