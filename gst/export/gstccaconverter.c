/* gst-cca: base of elements that make a text of each video frame, and the metas that they write
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaconverter.h"

#include <gst/video/video.h>

#include "gstccacameraevent.h"
#include "gstccapost.h"
#include "gstccaproperties.h"
#include "gstccatemplates.h"
#include "gstccatimes.h"

GST_CCA_DEFINE_BASE (GstCcaConverter, gst_cca_converter, GST_CCA_CONVERTER_NAME)

static GstStructure *
make_stats (gpointer object)
{
  GstCcaConverter *self = object;

  return gst_structure_new (class_of (self)->stats_name, "frames", G_TYPE_UINT64, self->n_frames,
                            class_of (self)->texts_name, G_TYPE_UINT64, self->n_texts, "bytes", G_TYPE_UINT64,
                            self->n_bytes, NULL);
}

#define AT(field) G_STRUCT_OFFSET (GstCcaConverterSettings, field)

static const GstCcaProperty list[] = {
  { "camera", AT (camera), G_TYPE_STRING, .is_name = TRUE, .text = "camera",
    .blurb = "Name of the camera in each line; token of the video source in ONVIF events" },
  { "id", AT (id), G_TYPE_STRING, .is_name = TRUE,
    .blurb = "Write the metas of the analysis with this id (NULL = the first with tracks, or the first)" },
  { "interval", AT (interval), G_TYPE_UINT64, 0, G_MAXUINT64, 0,
    .blurb = "Minimum running time between two lines or documents, ns; frames with events or a scene change are always "
             "written" },
  { "start-utc", AT (start_utc_text), G_TYPE_STRING, .is_utc = TRUE, .changed = AT (start_utc_changed),
    .blurb = "UTC of stream time 0, for recordings: ISO 8601 with a zone, such as 2026-11-23T09:00:00Z" },
  { "stats", .type = G_TYPE_BOXED, .make = make_stats,
    .blurb = "Since the start: frames, lines or documents, and their bytes" },
};
static const GstCcaProperties properties = { 1, G_N_ELEMENTS (list), list, GST_CCA_PROPERTY_PLAYING };

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("video/x-raw(ANY)"));

/* --- Frames ------------------------------------------------------------------------------------------ */

/* Returns a copy, to be cleared, that is valid without the object lock. */
static GstCcaConverterSettings
borrow_settings (GstCcaConverter *self)
{
  GstCcaConverterSettings *current = &self->settings, settings;

  GST_OBJECT_LOCK (self);
  if (current->start_utc_changed)
    current->start_utc = gst_cca_utc_from_string (current->start_utc_text);
  current->start_utc_changed = FALSE;
  settings = *current;
  gst_cca_properties_copy_strings (&properties, &settings);
  GST_OBJECT_UNLOCK (self);
  return settings;
}

/* Tells downstream that nothing comes for a frame: a sink that waits for its first buffer would hold up all others. */
static void
push_gap (GstBaseTransform *base, GstBuffer *frame)
{
  if (GST_BUFFER_PTS_IS_VALID (frame))
    gst_pad_push_event (GST_BASE_TRANSFORM_SRC_PAD (base),
                        gst_event_new_gap (GST_BUFFER_PTS (frame), GST_BUFFER_DURATION (frame)));
}

static gboolean
convert (GstCcaConverter *self, GstBuffer *frame, GstBuffer **text)
{
  const GstCcaMessageTimes times = gst_cca_message_times (&GST_BASE_TRANSFORM (self)->segment, frame);
  GstCcaConverterSettings settings = borrow_settings (self);
  const gboolean converted = class_of (self)->convert (self, frame, &times, &settings, text);

  GST_OBJECT_LOCK (self);
  self->n_frames++;
  if (*text) {
    GST_BUFFER_PTS (*text) = GST_BUFFER_PTS (frame);
    GST_BUFFER_DURATION (*text) = GST_BUFFER_DURATION (frame);
    self->n_texts++;
    self->n_bytes += gst_buffer_get_size (*text);
  }
  GST_OBJECT_UNLOCK (self);
  gst_cca_properties_clear (&properties, &settings);
  return converted;
}

static GstFlowReturn
gst_cca_converter_generate_output (GstBaseTransform *base, GstBuffer **text)
{
  GstCcaConverter *self = GST_CCA_CONVERTER (base);
  g_autoptr (GstBuffer) frame = g_steal_pointer (&base->queued_buf);

  *text = NULL;
  if (!frame)
    return GST_FLOW_OK;
  if (!GST_BUFFER_FLAG_IS_SET (frame, GST_BUFFER_FLAG_GAP) && !convert (self, frame, text)) {
    gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT, "%s",
                  class_of (self)->no_memory);
    return GST_FLOW_ERROR;
  }
  if (!*text)
    push_gap (base, frame);
  return GST_FLOW_OK;
}

/* --- Streams ----------------------------------------------------------------------------------------- */

/* Whatever one pad takes, the other one may have all of its template. */
static GstCaps *
gst_cca_converter_transform_caps (GstBaseTransform *base, GstPadDirection direction, GstCaps *caps, GstCaps *filter)
{
  GstPad *other = direction == GST_PAD_SINK ? GST_BASE_TRANSFORM_SRC_PAD (base) : GST_BASE_TRANSFORM_SINK_PAD (base);

  return gst_cca_filter_caps (gst_pad_get_pad_template_caps (other), filter);
}

/* Chooses no pool: a text is allocated when its length is known. */
static gboolean
gst_cca_converter_decide_allocation (GstBaseTransform *base, GstQuery *query)
{
  return TRUE;
}

/* Pixels are not read: frames may have any layout. */
static gboolean
gst_cca_converter_propose_allocation (GstBaseTransform *base, GstQuery *decide_query, GstQuery *query)
{
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return TRUE;
}

static void
forget (GstCcaConverter *self, gboolean starts)
{
  self->last_text = GST_CLOCK_TIME_NONE;
  class_of (self)->forget (self, starts);
}

static gboolean
gst_cca_converter_sink_event (GstBaseTransform *base, GstEvent *event)
{
  if (gst_cca_begins_timeline (event, &base->segment))
    forget (GST_CCA_CONVERTER (base), FALSE);
  if (gst_cca_camera_event_follow (event, &GST_CCA_CONVERTER (base)->trouble))
    GST_CCA_CONVERTER (base)->watched = TRUE;
  return parent_class->sink_event (base, event);
}

static gboolean
gst_cca_converter_start (GstBaseTransform *base)
{
  GstCcaConverter *self = GST_CCA_CONVERTER (base);

  GST_OBJECT_LOCK (self);
  self->n_frames = self->n_texts = self->n_bytes = 0;
  GST_OBJECT_UNLOCK (self);
  if (!gst_cca_properties_check (&properties, &self->settings, self))
    return FALSE;
  self->warned = 0;
  self->watched = FALSE;
  self->trouble = NULL;
  forget (self, TRUE);
  return TRUE;
}

/* --- Class ------------------------------------------------------------------------------------------- */

static void
gst_cca_converter_finalize (GObject *object)
{
  GstCcaConverter *self = GST_CCA_CONVERTER (object);

  gst_cca_properties_clear (&properties, &self->settings);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_cca_converter_init (GTypeInstance *instance, gpointer klass)
{
  GstCcaConverter *self = GST_CCA_CONVERTER (instance);

  gst_cca_properties_init (&properties, &self->settings);
  self->settings.start_utc_changed = TRUE;
  self->last_text = GST_CLOCK_TIME_NONE;
  /* Never skip frames. */
  gst_base_transform_set_qos_enabled (GST_BASE_TRANSFORM (self), FALSE);
}

static void
gst_cca_converter_class_init (gpointer klass, gpointer data)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstBaseTransformClass *base_class = GST_BASE_TRANSFORM_CLASS (klass);

  parent_class = g_type_class_peek_parent (klass);
  object_class->finalize = gst_cca_converter_finalize;
  base_class->start = gst_cca_converter_start;
  base_class->sink_event = gst_cca_converter_sink_event;
  base_class->transform_caps = gst_cca_converter_transform_caps;
  base_class->propose_allocation = gst_cca_converter_propose_allocation;
  base_class->decide_allocation = gst_cca_converter_decide_allocation;
  base_class->generate_output = gst_cca_converter_generate_output;
  gst_cca_properties_install (&properties, object_class, G_STRUCT_OFFSET (GstCcaConverter, settings));
  gst_element_class_add_static_pad_template (GST_ELEMENT_CLASS (klass), &sink_template);
  gst_type_mark_as_plugin_api (GST_TYPE_CCA_CONVERTER, 0);
}

/* --- The metas of a frame ---------------------------------------------------------------------------- */

static const gchar *
first_id (GstBuffer *buffer)
{
  const GstCcaTrackMeta *tracks = gst_buffer_get_cca_track_meta (buffer);
  const GstCcaMeta *components = gst_buffer_get_cca_meta (buffer);
  const GstCcaEventMeta *events = gst_buffer_get_cca_event_meta (buffer);

  return tracks ? tracks->id : components ? components->id : events ? events->id : NULL;
}

gboolean
gst_cca_metas_find (GstCcaMetas *scene, GstBuffer *buffer, const gchar *id)
{
  *scene = (GstCcaMetas) { .buffer = buffer, .id = id ? id : first_id (buffer) };
  if (!scene->id)
    return FALSE;
  scene->components = gst_buffer_get_cca_meta_by_id (buffer, scene->id);
  scene->tracks = gst_buffer_get_cca_track_meta_by_id (buffer, scene->id);
  scene->events = gst_buffer_get_cca_event_meta_by_id (buffer, scene->id);
  return scene->components || scene->tracks || scene->events;
}

const GstCcaEventMeta *
gst_cca_metas_iterate_events (const GstCcaMetas *scene, gpointer *state)
{
  const GstCcaEventMeta *meta;

  while ((meta = gst_buffer_iterate_cca_event_meta (scene->buffer, state)))
    if (g_str_equal (meta->id, scene->id))
      return meta;
  return NULL;
}

gboolean
gst_cca_metas_is_stale (const GstCcaMetas *scene)
{
  return (scene->components && scene->components->stale) || (scene->tracks && scene->tracks->stale)
         || (scene->events && scene->events->stale);
}

void
gst_cca_metas_get_size (const GstCcaMetas *scene, guint *width, guint *height)
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
gst_cca_metas_is_change (const GstCcaMetas *scene)
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
gst_cca_metas_list_ids (GstBuffer *buffer)
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
