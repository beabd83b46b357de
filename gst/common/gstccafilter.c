/* gst-cca: base of elements that read a meta of each video frame and add one
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccafilter.h"

#include "gst/meta/framemeta.h"
#include "gstccacameraevent.h"
#include "gstccapost.h"
#include "gstccaproperties.h"
#include "gstccatemplates.h"

/* Problems with a stream; each is reported once. */
typedef enum
{
  TOLD_ID = 1 << 0,
  TOLD_STALE = 1 << 1,
  TOLD_TIME = 1 << 2,
} Told;

#define AT(field) G_STRUCT_OFFSET (GstCcaFilter, field)

static const GstCcaProperty fields[] = {
  { "id", AT (id), G_TYPE_STRING, .is_name = TRUE,
    .blurb = "Read the metas of the analysis with this id (NULL = the first in a frame)" },
  { "post-messages", AT (post_messages), G_TYPE_BOOLEAN, .value = TRUE, .blurb = "Post element messages" },
};
static const GstCcaProperties properties = { 1, G_N_ELEMENTS (fields), fields, GST_CCA_PROPERTY_PLAYING };

GST_CCA_DEFINE_BASE (GstCcaFilter, gst_cca_filter, GST_CCA_FILTER_NAME)

/* --- Choice of the meta ------------------------------------------------------------------------------ */

static void
warn_without_id (GstCcaFilter *self, GstBuffer *buffer, const gchar *id)
{
  g_autoptr (GString) list = NULL;
  const GstCcaFrameMeta *meta;
  gpointer state = NULL;

  if (!gst_cca_is_first (&self->told, TOLD_ID))
    return;
  list = g_string_new (NULL);
  while ((meta = (GstCcaFrameMeta *) gst_buffer_iterate_meta_filtered (buffer, &state, class_of (self)->get_api ())))
    g_string_append_printf (list, "%s'%s'", list->len > 0 ? ", " : "", meta->id);
  gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                "%s: id is '%s', but the frame has the %s of %s", class_of (self)->idle, id, class_of (self)->reads,
                list->str);
}

static void
warn_stale (GstCcaFilter *self, const GstCcaFrameMeta *meta)
{
  const gchar *name = GST_OBJECT_NAME (gst_element_get_factory (GST_ELEMENT (self)));

  if (gst_cca_is_first (&self->told, TOLD_STALE))
    gst_cca_post_detail (
        self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
        g_strdup_printf ("its %s are for a frame of %ux%u pixels", class_of (self)->reads, meta->width, meta->height),
        "%s: an element reshaped the frame of '%s'; put %s before it", class_of (self)->idle, meta->id, name);
}

static gboolean
gst_cca_filter_find (GstCcaFilter *self, GstBuffer *buffer, const gchar *id, gconstpointer *found)
{
  const GType api = class_of (self)->get_api ();
  const GstCcaFrameMeta *meta;
  gboolean has_any = FALSE;
  gpointer state = NULL;

  while ((meta = (GstCcaFrameMeta *) gst_buffer_iterate_meta_filtered (buffer, &state, api))) {
    has_any = TRUE;
    if (!id || g_str_equal (meta->id, id))
      break;
  }
  if (!meta && has_any)
    warn_without_id (self, buffer, id);
  else if (!meta && class_of (self)->miss)
    class_of (self)->miss (self, buffer);
  *found = meta;
  if (meta && G_STRUCT_MEMBER (gboolean, meta, class_of (self)->stale)) {
    warn_stale (self, meta);
    *found = NULL;
  }
  return TRUE;
}

/* --- Timeline ---------------------------------------------------------------------------------------- */

static void
forget (GstCcaFilter *self)
{
  self->clock = (GstCcaClock) { 0 };
  class_of (self)->forget (self);
}

/* Forgets the frames so far if this meta does not continue theirs. */
static void
follow_meta (GstCcaFilter *self, const GstCcaFrameMeta *meta)
{
  const gboolean same_id = g_strcmp0 (self->source, meta->id) == 0;

  self->resized = meta->width != self->width || meta->height != self->height;
  if (!same_id || (self->resized && class_of (self)->forgets_size))
    forget (self);
  if (!same_id) {
    g_clear_pointer (&self->source, g_ref_string_release);
    self->source = g_ref_string_new (meta->id);
  }
  self->width = meta->width;
  self->height = meta->height;
}

static GstClockTime
duration_of (GstCcaFilter *self, GstBuffer *buffer)
{
  const gboolean known = GST_BUFFER_DURATION_IS_VALID (buffer) || GST_CLOCK_TIME_IS_VALID (self->frame_duration);

  if (!known && gst_cca_is_first (&self->told, TOLD_TIME))
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                  "Frames have no time stamps and the caps no frame rate: they count as 30 a second; set a frame rate "
                  "in the caps");
  return gst_cca_buffer_duration (buffer, self->frame_duration);
}

static void
advance_time (GstCcaFilter *self, GstBuffer *buffer)
{
  GstClockTime running_time, duration = GST_CLOCK_TIME_NONE;

  self->times = gst_cca_message_times (&GST_BASE_TRANSFORM (self)->segment, buffer);
  running_time = self->times.running_time;
  if (!GST_CLOCK_TIME_IS_VALID (running_time))
    duration = duration_of (self, buffer);
  self->step = gst_cca_clock_advance (&self->clock, running_time, duration);
}

static gboolean
gst_cca_filter_sink_event (GstBaseTransform *base, GstEvent *event)
{
  GstCcaFilter *self = GST_CCA_FILTER (base);

  if (gst_cca_begins_timeline (event, &base->segment)) {
    forget (self);
    self->last_message = GST_CLOCK_TIME_NONE;
  }
  gst_cca_camera_event_follow (event, &self->trouble);
  gst_cca_camera_event_follow_doubt (event, &self->doubt);
  return parent_class->sink_event (base, event);
}

/* --- Frames ------------------------------------------------------------------------------------------ */

static GstFlowReturn
gst_cca_filter_transform_ip (GstBaseTransform *base, GstBuffer *buffer)
{
  GstCcaFilter *self = GST_CCA_FILTER (base);
  GstFlowReturn flow = GST_FLOW_OK;
  gconstpointer meta = NULL;
  GRefString *id;

  if (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP))
    return GST_FLOW_OK;
  GST_OBJECT_LOCK (self);
  id = self->id ? g_ref_string_acquire (self->id) : NULL;
  GST_OBJECT_UNLOCK (self);
  if (!class_of (self)->find (self, buffer, id, &meta))
    flow = GST_FLOW_ERROR;
  else if (meta) {
    follow_meta (self, meta);
    advance_time (self, buffer);
    flow = class_of (self)->filter (self, buffer, meta);
  }
  g_clear_pointer (&id, g_ref_string_release);
  return flow;
}

GstFlowReturn
gst_cca_filter_no_memory (GstCcaFilter *self, const gchar *what, guint n)
{
  gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
                "No memory for the %s of a frame with %u %s; raise min-area of the element that finds components", what,
                n, class_of (self)->reads);
  return GST_FLOW_ERROR;
}

static gboolean
gst_cca_filter_set_caps (GstBaseTransform *base, GstCaps *caps, GstCaps *source_caps)
{
  GST_CCA_FILTER (base)->frame_duration = gst_cca_frame_duration (caps);
  return TRUE;
}

/* In place: forwards the allocation query. */
static gboolean
gst_cca_filter_propose_allocation (GstBaseTransform *base, GstQuery *decide_query, GstQuery *query)
{
  return gst_pad_peer_query (GST_BASE_TRANSFORM_SRC_PAD (base), query);
}

static gboolean
gst_cca_filter_start (GstBaseTransform *base)
{
  GstCcaFilter *self = GST_CCA_FILTER (base);
  const GstClockTime none = GST_CLOCK_TIME_NONE;

  if (!gst_cca_properties_check (&properties, self, self))
    return FALSE;
  g_clear_pointer (&self->source, g_ref_string_release);
  self->width = self->height = 0;
  self->trouble = NULL;
  self->doubt = FALSE;
  self->times = (GstCcaMessageTimes) { none, none, none, none };
  self->clock = (GstCcaClock) { 0 };
  self->frame_duration = self->last_message = none;
  self->warned = self->told = 0;
  return TRUE;
}

/* --- Object ------------------------------------------------------------------------------------------ */

static void
gst_cca_filter_finalize (GObject *object)
{
  GstCcaFilter *self = GST_CCA_FILTER (object);

  gst_cca_properties_clear (&properties, self);
  g_clear_pointer (&self->source, g_ref_string_release);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_cca_filter_init (GTypeInstance *instance, gpointer klass)
{
  gst_cca_properties_init (&properties, instance);
  /* Never skip frames. */
  gst_base_transform_set_qos_enabled (GST_BASE_TRANSFORM (instance), FALSE);
}

static void
gst_cca_filter_class_init (gpointer klass, gpointer data)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstBaseTransformClass *base_class = GST_BASE_TRANSFORM_CLASS (klass);

  parent_class = g_type_class_peek_parent (klass);
  object_class->finalize = gst_cca_filter_finalize;
  gst_cca_properties_install (&properties, object_class, 0);
  base_class->set_caps = gst_cca_filter_set_caps;
  base_class->start = gst_cca_filter_start;
  base_class->sink_event = gst_cca_filter_sink_event;
  base_class->transform_ip = gst_cca_filter_transform_ip;
  base_class->propose_allocation = gst_cca_filter_propose_allocation;
  base_class->passthrough_on_same_caps = FALSE;
  GST_CCA_FILTER_CLASS (klass)->find = gst_cca_filter_find;

  gst_cca_class_add_templates (klass, "video/x-raw(ANY)");
  gst_type_mark_as_plugin_api (GST_TYPE_CCA_FILTER, 0);
}
