/* gst-cca: what is new in a frame since the last line
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccajsonchanges.h"

#include "gstccaroom.h"

typedef struct
{
  guint64 id;
  GstCcaTrackState state;
} Track;

typedef struct
{
  guint64 n_in, n_out;
  guint occupancy;
} Counters;

void
gst_cca_json_changes_init (GstCcaJsonChanges *changes)
{
  changes->tracks = g_array_new (FALSE, FALSE, sizeof (Track));
  changes->counters = g_array_new (FALSE, FALSE, sizeof (Counters));
}

void
gst_cca_json_changes_clear (GstCcaJsonChanges *changes)
{
  g_array_unref (changes->tracks);
  g_array_unref (changes->counters);
  g_free (changes->id);
}

void
gst_cca_json_changes_forget (GstCcaJsonChanges *changes)
{
  changes->any = FALSE;
}

static guint
n_tracks (const GstCcaJsonFrame *frame)
{
  return frame->tracks ? frame->tracks->n_tracks : 0;
}

static guint
n_rules (const GstCcaJsonFrame *frame)
{
  guint n = 0;

  for (guint i = 0; i < frame->rules->len; i++)
    n += ((const GstCcaEventMeta *) g_ptr_array_index (frame->rules, i))->n_rules;
  return n;
}

static guint
n_components (const GstCcaJsonFrame *frame)
{
  return frame->components ? frame->components->n_components : 0;
}

static gboolean
has_other_tracks (const GstCcaJsonChanges *changes, const GstCcaJsonFrame *frame)
{
  if (changes->tracks->len != n_tracks (frame))
    return TRUE;
  for (guint i = 0; i < n_tracks (frame); i++) {
    const Track *last = &g_array_index (changes->tracks, Track, i);
    const GstCcaTrack *track = &frame->tracks->tracks[i];

    if (last->id != track->track_id || last->state != track->state)
      return TRUE;
  }
  return FALSE;
}

static gboolean
has_other_counters (const GstCcaJsonChanges *changes, const GstCcaJsonFrame *frame)
{
  guint n = 0;

  if (changes->counters->len != n_rules (frame))
    return TRUE;
  for (guint i = 0; i < frame->rules->len; i++) {
    const GstCcaEventMeta *meta = g_ptr_array_index (frame->rules, i);

    for (guint k = 0; k < meta->n_rules; k++) {
      const Counters *last = &g_array_index (changes->counters, Counters, n++);
      const GstCcaRule *rule = &meta->rules[k];

      if (last->n_in != rule->n_in || last->n_out != rule->n_out || last->occupancy != rule->occupancy)
        return TRUE;
    }
  }
  return FALSE;
}

gboolean
gst_cca_json_changes_has_news (const GstCcaJsonChanges *changes, const GstCcaJsonFrame *frame, guint parts)
{
  if (!changes->any || g_strcmp0 (changes->id, frame->id) != 0 || changes->width != frame->width
      || changes->height != frame->height)
    return TRUE;
  if ((parts & GST_CCA_JSON_COUNTS) && has_other_counters (changes, frame))
    return TRUE;
  if ((parts & GST_CCA_JSON_TRACKS) && (frame->tracks || changes->tracks->len > 0))
    return has_other_tracks (changes, frame);
  return (parts & GST_CCA_JSON_COMPONENTS) && changes->n_components != n_components (frame);
}

static void
remember_tracks (GArray *tracks, const GstCcaTrackMeta *meta)
{
  g_array_set_size (tracks, 0);
  for (guint i = 0; meta && i < meta->n_tracks; i++) {
    const Track track = { meta->tracks[i].track_id, meta->tracks[i].state };

    g_array_append_val (tracks, track);
  }
}

static void
remember_counters (GArray *counters, const GPtrArray *rules)
{
  g_array_set_size (counters, 0);
  for (guint i = 0; i < rules->len; i++) {
    const GstCcaEventMeta *meta = g_ptr_array_index (rules, i);

    for (guint k = 0; k < meta->n_rules; k++) {
      const Counters last = { meta->rules[k].n_in, meta->rules[k].n_out, meta->rules[k].occupancy };

      g_array_append_val (counters, last);
    }
  }
}

gboolean
gst_cca_json_changes_remember (GstCcaJsonChanges *changes, const GstCcaJsonFrame *frame)
{
  /* Arrays grow by doubling. */
  if (!gst_cca_has_room (3 * (n_tracks (frame) * sizeof (Track) + n_rules (frame) * sizeof (Counters))))
    return FALSE;
  changes->any = TRUE;
  if (g_strcmp0 (changes->id, frame->id) != 0) {
    g_free (changes->id);
    changes->id = g_strdup (frame->id);
  }
  changes->width = frame->width;
  changes->height = frame->height;
  changes->n_components = n_components (frame);
  remember_tracks (changes->tracks, frame->tracks);
  remember_counters (changes->counters, frame->rules);
  return TRUE;
}
