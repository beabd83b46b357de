/* gst-cca: what one analysis says of a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_SCENE_H
#define GST_CCA_SCENE_H

#include <gst/cca/gstccaeventmeta.h>
#include <gst/cca/gstccameta.h>
#include <gst/cca/gstccatrackmeta.h>

G_BEGIN_DECLS

/* The metas of an analysis on a buffer; each is NULL if the buffer has none. Valid as long as the metas. */
typedef struct
{
  GstBuffer *buffer;
  const gchar *id;
  const GstCcaMeta *components;
  const GstCcaTrackMeta *tracks;
  const GstCcaEventMeta *events; /* the first: gst_cca_scene_iterate_events() has all */
} GstCcaScene;

/* Finds the metas of the analysis named id or, if that is NULL, of the first one that has tracks or, if none has, of
 * the first. Returns FALSE if the buffer has no meta of it. */
gboolean gst_cca_scene_find (GstCcaScene *scene, GstBuffer *buffer, const gchar *id);

/* Returns the next of the metas of rules, of which each ccazones adds one, or NULL; *state is NULL before the first. */
const GstCcaEventMeta *gst_cca_scene_iterate_events (const GstCcaScene *scene, gpointer *state);

/* Returns whether an element changed the frame in a way that cannot be followed: coordinates do not fit it. */
gboolean gst_cca_scene_is_stale (const GstCcaScene *scene);

/* The size of the frame that the coordinates refer to, pixels. */
void gst_cca_scene_get_size (const GstCcaScene *scene, guint *width, guint *height);

/* Returns whether the analysis took the frame for another scene. */
gboolean gst_cca_scene_is_change (const GstCcaScene *scene);

/* Returns the ids of the analyses on a buffer for a message, such as "'cca0', 'cca1'"; NULL if there is none. Free it
 * with g_free(). */
gchar *gst_cca_scene_list_ids (GstBuffer *buffer);

G_END_DECLS

#endif
