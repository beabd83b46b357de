/* gst-cca: from the metas of a frame to the gate's input and crops
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccagateview.h"

#include "array.h"

#define BLIND GST_SECOND

void
gst_cca_gate_view_clear (GstCcaGateView *self)
{
  free (self->list);
  free (self->boxes);
  *self = (GstCcaGateView) { 0 };
}

void
gst_cca_gate_view_reset (GstCcaGateView *self)
{
  self->saw = FALSE;
}

gboolean
gst_cca_gate_view_has_metas (const GstCcaGateView *self)
{
  return self->tracks || self->components;
}

static GstCcaBox
box_of (guint x, guint y, guint width, guint height)
{
  return (GstCcaBox) { { x, y }, { (gdouble) x + width, (gdouble) y + height } };
}

/* --- Reading ----------------------------------------------------------------------------------------- */

static gboolean
read_tracks (GstCcaGateView *self)
{
  const GstCcaTrackMeta *meta = self->tracks;
  guint64 last = 0;

  self->n = 0;
  if (!GST_CCA_RESERVE (self->list, self->list_room, meta->n_tracks))
    return FALSE;
  for (guint i = 0; i < meta->n_tracks; i++) {
    const GstCcaTrack *track = &meta->tracks[i];

    if (track->track_id <= last)
      continue; /* skip malformed third-party tracks */
    last = track->track_id;
    self->list[self->n++] =
        (GstCcaGateTrack) { track->track_id, box_of (track->x, track->y, track->width, track->height),
                            track->state != GST_CCA_TRACK_STATE_COASTING };
  }
  return TRUE;
}

gboolean
gst_cca_gate_view_read (GstCcaGateView *self, GstBuffer *buffer, const gchar *id, GstClockTime time,
                        GstCcaGateFrame *frame)
{
  gboolean stale, changed;

  self->time = time;
  self->tracks = gst_buffer_get_cca_track_meta_by_id (buffer, id);
  self->components = gst_buffer_get_cca_meta_by_id (buffer, self->tracks ? self->tracks->id : id);
  stale = (self->tracks && self->tracks->stale) || (self->components && self->components->stale);
  changed = self->components && self->components->scene_change;
  *frame = (GstCcaGateFrame) { .time = time, .moves = stale || changed || !gst_cca_gate_view_has_metas (self) };
  if (!self->saw || frame->moves)
    self->blind = time;
  self->saw = TRUE;
  if (stale)
    return TRUE;
  if (!self->tracks) {
    frame->stands = self->components && self->components->n_components > 0;
    frame->moves |= frame->stands;
    return TRUE;
  }
  if (!read_tracks (self))
    return FALSE;
  frame->tracks = self->list;
  frame->n_tracks = self->n;
  return TRUE;
}

/* --- Crops ------------------------------------------------------------------------------------------- */

/* Adds a box in a frame of a size, for one of the crops' size. */
static gboolean
add_box (GstCcaGateView *self, const GstCcaTilesParams *params, const GstCcaBox *box, guint width, guint height)
{
  const gdouble x = (gdouble) params->width / MAX (width, 1), y = (gdouble) params->height / MAX (height, 1);

  if (!GST_CCA_RESERVE (self->boxes, self->boxes_room, self->n_boxes + 1))
    return FALSE;
  self->boxes[self->n_boxes++] =
      (GstCcaBox) { { box->min[0] * x, box->min[1] * y }, { box->max[0] * x, box->max[1] * y } };
  return TRUE;
}

static gboolean
add_tracks (GstCcaGateView *self, const GstCcaMotionGate *gate, gboolean all, const GstCcaTilesParams *params)
{
  for (gsize i = 0; i < self->n; i++)
    if ((all || gst_cca_motion_gate_track_moves (gate, i))
        && !add_box (self, params, &self->list[i].box, self->tracks->width, self->tracks->height))
      return FALSE;
  return TRUE;
}

static gboolean
add_components (GstCcaGateView *self, const GstCcaTilesParams *params)
{
  const GstCcaMeta *meta = self->components;

  for (guint i = 0; i < meta->n_stored; i++) {
    const GstCcaComponent *c = &meta->components[i];
    const GstCcaBox box = box_of (c->x, c->y, c->width, c->height);

    if (!add_box (self, params, &box, meta->width, meta->height))
      return FALSE;
  }
  return TRUE;
}

static gboolean
add_boxes (GstCcaGateView *self, const GstCcaMotionGate *gate, gboolean all, const GstCcaTilesParams *params)
{
  const GstCcaBox frame = box_of (0, 0, params->width, params->height);

  if (self->time - self->blind < BLIND)
    return add_box (self, params, &frame, params->width, params->height);
  return self->tracks ? add_tracks (self, gate, all, params) : add_components (self, params);
}

gboolean
gst_cca_gate_view_crop (GstCcaGateView *self, const GstCcaMotionGate *gate, gboolean all,
                        const GstCcaTilesParams *params, GstCcaTile tiles[GST_CCA_TILES_MOST], gsize *n)
{
  self->n_boxes = 0;
  if (!add_boxes (self, gate, all, params))
    return FALSE;
  *n = gst_cca_tiles_cover (params, self->boxes, self->n_boxes, tiles);
  return TRUE;
}
