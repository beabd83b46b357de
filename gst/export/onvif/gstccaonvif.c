/* gst-cca: ccaonvif, writes objects and events as ONVIF metadata
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-ccaonvif
 * @title: ccaonvif
 * @short_description: writes objects and events as ONVIF metadata
 *
 * Makes an XML document `tt:MetadataStream` of each video frame that carries a #GstCcaMeta, #GstCcaTrackMeta or
 * #GstCcaEventMeta: a `Frame` at the UTC at which the video frame was taken, with the objects in it, and the
 * notifications of rules. ONVIF video recorders and viewers receive the documents over RTP
 * (`ccaonvifpay`).
 *
 * |[
 * gst-launch-1.0 v4l2src ! cca foreground=motion ! ccatrack ! ccaonvif ! fdsink
 * ]|
 *
 * Since: 0.1
 */
#include "gstccaonvif.h"

#include <gst/video/video.h>

#include "gstccaconverter.h"
#include "gstccaonvifevents.h"
#include "gstccaonvifscene.h"
#include "gstccapost.h"
#include "gstccaroom.h"
#include "gstccastrings.h"
#include "gstccatimes.h"
#include "gstccautc.h"

GST_DEBUG_CATEGORY_STATIC (cca_onvif_debug);
#define GST_CAT_DEFAULT cca_onvif_debug

#define DEFAULT_CAMERA "camera"

/* More than the element remembers of a track or a rule. The document is libxml2's, which says if it finds no memory. */
#define BYTES_TO_REMEMBER 256

typedef enum
{
  PROP_CAMERA = 1,
  PROP_ID,
  PROP_INTERVAL,
  PROP_START_UTC,
  PROP_STATS,
} Property;

/* What can be wrong with a stream; each is told once. */
typedef enum
{
  WARNED_ID = 1 << 0,
  WARNED_STALE = 1 << 1,
  WARNED_NO_META = 1 << 2,
} Warned;

/* The properties. */
typedef struct
{
  GRefString *camera;
  GRefString *id; /* NULL: the first analysis of a frame */
  guint64 interval;
  GstCcaStartUtc start;
} Settings;

struct _GstCcaOnvif
{
  GstBaseTransform parent;

  /* Under the object lock. */
  Settings settings;
  guint64 n_frames, n_documents, n_bytes;

  gint synchronise; /* atomic: a receiver wants to be told all states */

  gchar *written_id; /* of the documents so far; NULL: none */
  GstCcaOnvifObjects objects;
  GstCcaOnvifStates states;
  GstClockTime last; /* running time of the last document that interval allowed, or GST_CLOCK_TIME_NONE */
  guint warned;      /* Warned */
};

G_DEFINE_TYPE (GstCcaOnvif, gst_cca_onvif, GST_TYPE_BASE_TRANSFORM)
GST_ELEMENT_REGISTER_DEFINE (ccaonvif, "ccaonvif", GST_RANK_NONE, GST_TYPE_CCA_ONVIF)

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("video/x-raw(ANY)"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE (
    "src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-onvif-metadata, parsed = (boolean) true"));

/* --- Failures ---------------------------------------------------------------------------------------- */

static GstFlowReturn
fail_for_memory (GstCcaOnvif *self)
{
  gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
                "No memory to write the objects of a frame; raise min-area of the element that finds components");
  return GST_FLOW_ERROR;
}

static void
warn_without_metas (GstCcaOnvif *self, GstBuffer *frame, const gchar *id)
{
  g_autofree gchar *ids = gst_cca_scene_list_ids (frame);

  if (!ids && gst_cca_is_first (&self->warned, WARNED_NO_META))
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                  "A frame carries no metas to write: put cca before ccaonvif");
  else if (ids && gst_cca_is_first (&self->warned, WARNED_ID))
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                  "Nothing is written: id is '%s', but the frame has the analyses %s", id, ids);
}

static void
warn_stale (GstCcaOnvif *self, const GstCcaScene *scene)
{
  guint width, height;

  gst_cca_scene_get_size (scene, &width, &height);
  if (gst_cca_is_first (&self->warned, WARNED_STALE))
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                  "Nothing is written: the metas of '%s' are for a frame of %ux%u pixels, and an element changed it in "
                  "a way that they cannot follow; put ccaonvif before that element",
                  scene->id, width, height);
}

/* --- Documents --------------------------------------------------------------------------------------- */

/* Forgets what documents told so far. */
static void
forget (GstCcaOnvif *self)
{
  gst_cca_onvif_objects_forget (&self->objects);
  gst_cca_onvif_states_forget (&self->states);
}

/* Begins anew if this is another analysis than that of the documents before, whose objects have other identities. */
static void
follow_analysis (GstCcaOnvif *self, const gchar *id)
{
  if (g_strcmp0 (self->written_id, id) == 0)
    return;
  forget (self);
  g_free (self->written_id);
  self->written_id = g_strdup (id);
}

static Settings
borrow_settings (GstCcaOnvif *self)
{
  Settings settings;

  GST_OBJECT_LOCK (self);
  settings = self->settings;
  settings.start.text = NULL;
  g_ref_string_acquire (settings.camera);
  if (settings.id)
    g_ref_string_acquire (settings.id);
  GST_OBJECT_UNLOCK (self);
  return settings;
}

static void
clear_settings (Settings *settings)
{
  g_clear_pointer (&settings->camera, g_ref_string_release);
  g_clear_pointer (&settings->id, g_ref_string_release);
  gst_cca_start_utc_clear (&settings->start);
}

/* ONVIF wants the UTC of every frame. One that comes before the pipeline plays is shown, at the earliest, when its
 * running time from now is over. */
static GstClockTime
utc_of_frame (GstCcaOnvif *self, GstBuffer *frame, const GstCcaMessageTimes *times, GstClockTime start_utc)
{
  const GstClockTime utc = gst_cca_utc_of_frame (GST_ELEMENT (self), frame, times, start_utc).utc;

  if (GST_CLOCK_TIME_IS_VALID (utc))
    return utc;
  return (GstClockTime) g_get_real_time () * GST_USECOND
         + (GST_CLOCK_TIME_IS_VALID (times->running_time) ? times->running_time : 0);
}

static gboolean
has_room (const GstCcaScene *scene)
{
  gsize n = scene->tracks ? scene->tracks->n_tracks : 0;
  const GstCcaEventMeta *meta;
  gpointer state = NULL;

  while ((meta = gst_cca_scene_iterate_events (scene, &state)))
    n += meta->n_rules;
  return gst_cca_has_room (n * BYTES_TO_REMEMBER);
}

/* Returns the document on a scene, or NULL if there is no memory. */
static GstBuffer *
write_document (GstCcaOnvif *self, const GstCcaScene *scene, const Settings *settings, GstClockTime utc)
{
  g_autofree gchar *utc_text = gst_cca_utc_to_string (utc);
  GstCcaOnvifXml xml;

  if (!has_room (scene))
    return NULL;
  gst_cca_onvif_xml_begin (&xml);
  gst_cca_onvif_xml_open (&xml, "tt:MetadataStream");
  gst_cca_onvif_xml_text (&xml, "xmlns:tt", "http://www.onvif.org/ver10/schema");
  gst_cca_onvif_xml_text (&xml, "xmlns:tns1", "http://www.onvif.org/ver10/topics");
  gst_cca_onvif_xml_text (&xml, "xmlns:wsnt", "http://docs.oasis-open.org/wsn/b-2");
  gst_cca_onvif_xml_text (&xml, "xmlns:cca", "urn:gst-cca:onvif");
  gst_cca_onvif_write_scene (&xml, &self->objects, scene, utc_text);
  gst_cca_onvif_write_events (&xml, &self->states, scene, settings->camera, utc);
  gst_cca_onvif_xml_close (&xml);
  return gst_cca_onvif_xml_end (&xml);
}

/* Gives a document the frame's times and, as parsed documents have it, its UTC. The frame's number stays behind:
 * payloaders would take it for a time. */
static void
set_times (GstBuffer *document, GstBuffer *frame, GstClockTime utc)
{
  static GstStaticCaps unix_time = GST_STATIC_CAPS ("timestamp/x-unix");
  GstCaps *reference = gst_static_caps_get (&unix_time);

  GST_BUFFER_PTS (document) = GST_BUFFER_PTS (frame);
  GST_BUFFER_DURATION (document) = GST_BUFFER_DURATION (frame);
  gst_buffer_add_reference_timestamp_meta (document, reference, utc, GST_CLOCK_TIME_NONE);
  gst_caps_unref (reference);
}

/* Makes the document on a scene, or none where interval thins them out. */
static GstFlowReturn
tell_scene (GstCcaOnvif *self, GstBuffer *frame, const GstCcaScene *scene, const Settings *settings,
            GstBuffer **document)
{
  const GstCcaMessageTimes times = gst_cca_message_times (&GST_BASE_TRANSFORM (self)->segment, frame);
  const gboolean due = gst_cca_message_is_due (&self->last, settings->interval, times.running_time);
  const gboolean synchronise = g_atomic_int_compare_and_exchange (&self->synchronise, TRUE, FALSE);
  GstClockTime utc;

  follow_analysis (self, scene->id);
  if (synchronise)
    gst_cca_onvif_states_forget (&self->states);
  if (!due && !synchronise && !gst_cca_onvif_has_events (&self->states, scene))
    return GST_FLOW_OK;
  utc = utc_of_frame (self, frame, &times, settings->start.utc);
  *document = write_document (self, scene, settings, utc);
  if (!*document)
    return fail_for_memory (self);
  set_times (*document, frame, utc);
  return GST_FLOW_OK;
}

/* Makes the document on a frame, if it gets one. */
static GstFlowReturn
tell_frame (GstBaseTransform *base, GstBuffer *frame, GstBuffer **document)
{
  GstCcaOnvif *self = GST_CCA_ONVIF (base);
  Settings settings = borrow_settings (self);
  GstFlowReturn flow = GST_FLOW_OK;
  GstCcaScene scene;

  if (!gst_cca_scene_find (&scene, frame, settings.id))
    warn_without_metas (self, frame, settings.id);
  else if (gst_cca_scene_is_stale (&scene))
    warn_stale (self, &scene);
  else
    flow = tell_scene (self, frame, &scene, &settings, document);
  GST_OBJECT_LOCK (self);
  self->n_frames++;
  if (*document) {
    self->n_documents++;
    self->n_bytes += gst_buffer_get_size (*document);
  }
  GST_OBJECT_UNLOCK (self);
  clear_settings (&settings);
  return flow;
}

static GstFlowReturn
gst_cca_onvif_generate_output (GstBaseTransform *base, GstBuffer **document)
{
  return gst_cca_converter_generate_output (base, document, tell_frame);
}

/* --- Streams ----------------------------------------------------------------------------------------- */

static gboolean
gst_cca_onvif_sink_event (GstBaseTransform *base, GstEvent *event)
{
  GstCcaOnvif *self = GST_CCA_ONVIF (base);

  if (gst_cca_begins_timeline (event, &base->segment)) {
    self->last = GST_CLOCK_TIME_NONE;
    g_atomic_int_set (&self->synchronise, TRUE);
  }
  return GST_BASE_TRANSFORM_CLASS (gst_cca_onvif_parent_class)->sink_event (base, event);
}

/* A receiver that joins or has lost something asks for a key unit; ONVIF calls it a synchronization point. */
static gboolean
gst_cca_onvif_src_event (GstBaseTransform *base, GstEvent *event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_UPSTREAM && gst_video_event_is_force_key_unit (event)) {
    g_atomic_int_set (&GST_CCA_ONVIF (base)->synchronise, TRUE);
    gst_event_unref (event);
    return TRUE;
  }
  return GST_BASE_TRANSFORM_CLASS (gst_cca_onvif_parent_class)->src_event (base, event);
}

/* Frames are not read, so that any layout will do. */
static gboolean
gst_cca_onvif_propose_allocation (GstBaseTransform *base, GstQuery *decide_query, GstQuery *query)
{
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  gst_query_add_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE, NULL);
  return TRUE;
}

static gboolean
gst_cca_onvif_start (GstBaseTransform *base)
{
  GstCcaOnvif *self = GST_CCA_ONVIF (base);

  GST_OBJECT_LOCK (self);
  self->n_frames = self->n_documents = self->n_bytes = 0;
  GST_OBJECT_UNLOCK (self);
  if (!gst_cca_check_name (self, "camera") || !gst_cca_check_name (self, "id"))
    return FALSE;
  if (!gst_cca_start_utc_start (&self->settings.start, GST_ELEMENT (self)))
    return FALSE;
  forget (self);
  self->states.scene_changed = FALSE;
  g_clear_pointer (&self->written_id, g_free);
  self->last = GST_CLOCK_TIME_NONE;
  self->warned = 0;
  return TRUE;
}

static gboolean
gst_cca_onvif_stop (GstBaseTransform *base)
{
  gst_cca_start_utc_stop (&GST_CCA_ONVIF (base)->settings.start, GST_ELEMENT (base));
  return TRUE;
}

/* --- Object ------------------------------------------------------------------------------------------ */

static void
gst_cca_onvif_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  GstCcaOnvif *self = GST_CCA_ONVIF (object);
  Settings *settings = &self->settings;

  if (id == PROP_START_UTC) {
    gst_cca_start_utc_set (&settings->start, GST_ELEMENT (self), g_value_get_string (value));
    return;
  }
  if ((id == PROP_CAMERA || id == PROP_ID) && !gst_cca_accepts_name (self, spec->name, g_value_get_string (value)))
    return;
  GST_OBJECT_LOCK (self);
  switch ((Property) id) {
    case PROP_CAMERA:
      gst_cca_set_shared_string (&settings->camera,
                                 g_value_get_string (value) ? g_value_get_string (value) : DEFAULT_CAMERA);
      break;
    case PROP_ID: gst_cca_set_shared_string (&settings->id, g_value_get_string (value)); break;
    case PROP_INTERVAL: settings->interval = g_value_get_uint64 (value); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
  }
  GST_OBJECT_UNLOCK (self);
}

/* With the object lock held. */
static GstStructure *
make_stats (const GstCcaOnvif *self)
{
  return gst_structure_new ("cca-onvif-stats", "frames", G_TYPE_UINT64, self->n_frames, "documents", G_TYPE_UINT64,
                            self->n_documents, "bytes", G_TYPE_UINT64, self->n_bytes, NULL);
}

static void
gst_cca_onvif_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  GstCcaOnvif *self = GST_CCA_ONVIF (object);
  const Settings *settings = &self->settings;

  GST_OBJECT_LOCK (self);
  switch ((Property) id) {
    case PROP_CAMERA: g_value_set_string (value, settings->camera); break;
    case PROP_ID: g_value_set_string (value, settings->id); break;
    case PROP_INTERVAL: g_value_set_uint64 (value, settings->interval); break;
    case PROP_START_UTC: g_value_set_string (value, settings->start.text); break;
    case PROP_STATS: g_value_take_boxed (value, make_stats (self)); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_cca_onvif_finalize (GObject *object)
{
  GstCcaOnvif *self = GST_CCA_ONVIF (object);

  clear_settings (&self->settings);
  g_free (self->written_id);
  gst_cca_onvif_objects_clear (&self->objects);
  gst_cca_onvif_states_clear (&self->states);
  G_OBJECT_CLASS (gst_cca_onvif_parent_class)->finalize (object);
}

static void
gst_cca_onvif_init (GstCcaOnvif *self)
{
  self->settings = (Settings) { .camera = g_ref_string_new (DEFAULT_CAMERA), .start = GST_CCA_START_UTC_INIT };
  gst_cca_onvif_objects_init (&self->objects);
  gst_cca_onvif_states_init (&self->states);
  /* Every frame counts. */
  gst_base_transform_set_qos_enabled (GST_BASE_TRANSFORM (self), FALSE);
}

static void
gst_cca_onvif_class_init (GstCcaOnvifClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *base_class = GST_BASE_TRANSFORM_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (cca_onvif_debug, "ccaonvif", 0, "ONVIF metadata");

  object_class->set_property = gst_cca_onvif_set_property;
  object_class->get_property = gst_cca_onvif_get_property;
  object_class->finalize = gst_cca_onvif_finalize;
  base_class->start = gst_cca_onvif_start;
  base_class->stop = gst_cca_onvif_stop;
  base_class->sink_event = gst_cca_onvif_sink_event;
  base_class->src_event = gst_cca_onvif_src_event;
  base_class->transform_caps = gst_cca_converter_transform_caps;
  base_class->propose_allocation = gst_cca_onvif_propose_allocation;
  base_class->decide_allocation = gst_cca_converter_decide_allocation;
  base_class->generate_output = gst_cca_onvif_generate_output;

  g_object_class_install_property (
      object_class, PROP_CAMERA,
      g_param_spec_string ("camera", "camera", "Token of the video source in events", DEFAULT_CAMERA, flags));
  g_object_class_install_property (
      object_class, PROP_ID,
      g_param_spec_string ("id", "id",
                           "Write the metas of the analysis with this id (NULL = the first with tracks, or the first)",
                           NULL, flags));
  g_object_class_install_property (
      object_class, PROP_INTERVAL,
      g_param_spec_uint64 (
          "interval", "interval",
          "Minimum running time between two documents, ns; frames with events or a scene change are always written", 0,
          G_MAXUINT64, 0, flags));
  gst_cca_start_utc_install (object_class, PROP_START_UTC);
  g_object_class_install_property (object_class, PROP_STATS,
                                   g_param_spec_boxed ("stats", "stats",
                                                       "Since the start: frames, documents and their bytes",
                                                       GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (
      element_class, "Connected components to ONVIF metadata", "Converter/Metadata/Video",
      "Writes objects and events as ONVIF metadata, an XML document for each frame", "gst-cca developers");
}
