/* gst-cca: which parts of a frame its metas hide
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaprivacysource.h"

#include <gst/cca/gstccameta.h>
#include <gst/cca/gstccatrackmeta.h>

/* --- Cover -------------------------------------------------------------------------------------------- */

static gboolean
fits (const GstCcaCover *cover, guint width, guint height, gboolean stale)
{
  return !stale && width == cover->width && height == cover->height;
}

static GstCcaPrivacyReason
judge_components (const GstCcaCover *cover, const GstCcaMeta *meta)
{
  if (meta == NULL)
    return GST_CCA_PRIVACY_NO_META;
  if (!fits (cover, meta->width, meta->height, meta->stale))
    return GST_CCA_PRIVACY_OTHER_SIZE;
  if (meta->scene_change || meta->learning)
    return GST_CCA_PRIVACY_LEARNING;
  return meta->truncated ? GST_CCA_PRIVACY_TRUNCATED : GST_CCA_PRIVACY_KNOWN;
}

static const GstCcaCoverBox *
boxes_of (GstCcaPrivacyBoxes *boxes, const GstCcaMeta *meta)
{
  if (meta->n_stored > boxes->room) {
    boxes->boxes = g_renew (GstCcaCoverBox, boxes->boxes, meta->n_stored);
    boxes->room = meta->n_stored;
  }
  for (guint i = 0; i < meta->n_stored; i++) {
    const GstCcaComponent *component = &meta->components[i];

    boxes->boxes[i] = (GstCcaCoverBox) { component->x, component->y, component->width, component->height };
  }
  return boxes->boxes;
}

static GstCcaPrivacyReason
cover_foreground (GstCcaCover *cover, GstCcaPrivacyBoxes *boxes, const GstCcaMeta *meta,
                  const GstCcaPrivacyRequest *request)
{
  if (meta->coverage == NULL)
    return GST_CCA_PRIVACY_NO_COVERAGE;
  gst_cca_cover_mark_cells (cover, meta->coverage, meta->coverage_cell, meta->coverage_columns, meta->coverage_rows);
  gst_cca_cover_grow_marks (cover, request->dilation);
  gst_cca_cover_hide_marks (cover, boxes_of (boxes, meta), meta->n_stored, request->dilation, request->n_cells);
  return GST_CCA_PRIVACY_KNOWN;
}

static GstCcaPrivacyReason
cover_tracks (GstCcaCover *cover, GstBuffer *buffer, const GstCcaPrivacyRequest *request)
{
  const GstCcaTrackMeta *meta = gst_buffer_get_cca_track_meta_by_id (buffer, request->id);

  if (meta == NULL)
    return GST_CCA_PRIVACY_NO_TRACKS;
  if (!fits (cover, meta->width, meta->height, meta->stale))
    return GST_CCA_PRIVACY_OTHER_SIZE;
  for (guint i = 0; i < meta->n_tracks; i++) {
    const GstCcaTrack *track = &meta->tracks[i];
    const GstCcaCoverBox box = { track->x, track->y, track->width, track->height };

    gst_cca_cover_hide_box (cover, &box, request->dilation, request->n_cells);
  }
  return GST_CCA_PRIVACY_KNOWN;
}

GstCcaPrivacyReason
gst_cca_privacy_cover (GstCcaCover *cover, GstCcaPrivacyBoxes *boxes, GstBuffer *buffer,
                       const GstCcaPrivacyRequest *request)
{
  const GstCcaMeta *meta = gst_buffer_get_cca_meta_by_id (buffer, request->id);
  GstCcaPrivacyReason reason = GST_CCA_PRIVACY_KNOWN;

  if (request->hide == 0)
    return reason;
  /* Tracks are no better than the components they come from, which need not be there any more. */
  if (meta != NULL || (request->hide & GST_CCA_PRIVACY_HIDE_FOREGROUND))
    reason = judge_components (cover, meta);
  if (reason == GST_CCA_PRIVACY_KNOWN && (request->hide & GST_CCA_PRIVACY_HIDE_FOREGROUND))
    reason = cover_foreground (cover, boxes, meta, request);
  if (reason == GST_CCA_PRIVACY_KNOWN && (request->hide & GST_CCA_PRIVACY_HIDE_TRACKS))
    reason = cover_tracks (cover, buffer, request);
  return reason;
}

/* --- Texts -------------------------------------------------------------------------------------------- */

static gchar *
text_without_meta (GstBuffer *buffer, const gchar *id)
{
  g_auto (GStrv) ids = gst_buffer_get_cca_meta_ids (buffer);
  g_autofree gchar *list = g_strjoinv ("', '", ids);

  if (ids[0] == NULL)
    return g_strdup ("a frame has no components; put an element that finds them before this one, such as cca");
  return g_strdup_printf ("id is '%s', but the frame has the components of '%s'", id, list);
}

gchar *
gst_cca_privacy_reason_text (GstCcaPrivacyReason reason, GstBuffer *buffer, const GstCcaPrivacyRequest *request)
{
  switch (reason) {
    case GST_CCA_PRIVACY_NO_META: return text_without_meta (buffer, request->id);
    case GST_CCA_PRIVACY_NO_TRACKS:
      return g_strdup_printf ("hide includes tracks, but a frame has none%s%s%s; put ccatrack before this element",
                              request->id ? " of '" : "", request->id ? request->id : "", request->id ? "'" : "");
    case GST_CCA_PRIVACY_OTHER_SIZE:
      return g_strdup ("an element reshaped the frame since its analysis; hide before it, or analyse behind it");
    case GST_CCA_PRIVACY_TRUNCATED:
      return g_strdup ("a frame has more components than the analysis stores; raise its min-area or max-components");
    case GST_CCA_PRIVACY_NO_COVERAGE:
      return g_strdup ("the components come without the foreground itself; set coverage=true of the element that finds "
                       "them");
    case GST_CCA_PRIVACY_KNOWN:
    case GST_CCA_PRIVACY_LEARNING: break;
  }
  return NULL;
}
