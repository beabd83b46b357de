/* gst-cca: what one analysis says of a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccascene.h"

static const gchar *
first_id (GstBuffer *buffer)
{
  const GstCcaTrackMeta *tracks = gst_buffer_get_cca_track_meta (buffer);
  const GstCcaMeta *components = gst_buffer_get_cca_meta (buffer);
  const GstCcaEventMeta *events = gst_buffer_get_cca_event_meta (buffer);

  return tracks ? tracks->id : components ? components->id : events ? events->id : NULL;
}

gboolean
gst_cca_scene_find (GstCcaScene *scene, GstBuffer *buffer, const gchar *id)
{
  *scene = (GstCcaScene) { .buffer = buffer, .id = id ? id : first_id (buffer) };
  if (!scene->id)
    return FALSE;
  scene->components = gst_buffer_get_cca_meta_by_id (buffer, scene->id);
  scene->tracks = gst_buffer_get_cca_track_meta_by_id (buffer, scene->id);
  scene->events = gst_buffer_get_cca_event_meta_by_id (buffer, scene->id);
  return scene->components || scene->tracks || scene->events;
}

const GstCcaEventMeta *
gst_cca_scene_iterate_events (const GstCcaScene *scene, gpointer *state)
{
  const GstCcaEventMeta *meta;

  while ((meta = gst_buffer_iterate_cca_event_meta (scene->buffer, state)))
    if (g_str_equal (meta->id, scene->id))
      return meta;
  return NULL;
}

gboolean
gst_cca_scene_is_stale (const GstCcaScene *scene)
{
  return (scene->components && scene->components->stale) || (scene->tracks && scene->tracks->stale)
         || (scene->events && scene->events->stale);
}

void
gst_cca_scene_get_size (const GstCcaScene *scene, guint *width, guint *height)
{
  if (scene->tracks) {
    *width = scene->tracks->width;
    *height = scene->tracks->height;
  } else if (scene->components) {
    *width = scene->components->width;
    *height = scene->components->height;
  } else {
    *width = scene->events->width;
    *height = scene->events->height;
  }
}

gboolean
gst_cca_scene_is_change (const GstCcaScene *scene)
{
  return scene->components && scene->components->scene_change;
}

static void
list_id (GPtrArray *ids, const gchar *id)
{
  g_autofree gchar *quoted = g_strdup_printf ("'%s'", id);

  if (!g_ptr_array_find_with_equal_func (ids, quoted, g_str_equal, NULL))
    g_ptr_array_add (ids, g_steal_pointer (&quoted));
}

gchar *
gst_cca_scene_list_ids (GstBuffer *buffer)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  gpointer state = NULL;
  const GstCcaMeta *components;
  const GstCcaTrackMeta *tracks;
  const GstCcaEventMeta *events;

  while ((components = gst_buffer_iterate_cca_meta (buffer, &state)))
    list_id (ids, components->id);
  state = NULL;
  while ((tracks = gst_buffer_iterate_cca_track_meta (buffer, &state)))
    list_id (ids, tracks->id);
  state = NULL;
  while ((events = gst_buffer_iterate_cca_event_meta (buffer, &state)))
    list_id (ids, events->id);
  if (ids->len == 0)
    return NULL;
  g_ptr_array_add (ids, NULL);
  return g_strjoinv (", ", (gchar **) ids->pdata);
}
