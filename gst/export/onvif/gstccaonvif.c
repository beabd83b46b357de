/* gst-cca: ccaonvif, writes objects and events as ONVIF metadata
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/video/video.h>
#include <libxml/parser.h>

#include "gstccaconverter.h"
#include "gstccaonvifdocument.h"
#include "gstccapost.h"
#include "gstccatimes.h"

/* Problems with a stream; each is reported once. */
typedef enum
{
  WARNED_ID = 1 << 0,
  WARNED_STALE = 1 << 1,
  WARNED_NO_META = 1 << 2,
} Warned;

#define GST_TYPE_CCA_ONVIF (gst_cca_onvif_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaOnvif, gst_cca_onvif, GST, CCA_ONVIF, GstCcaConverter)

struct _GstCcaOnvif
{
  GstCcaConverter parent;

  gint synchronise; /* atomic: a receiver wants all states */

  gchar *written_id; /* of the documents so far; NULL: none */
  GstCcaOnvifObjects objects;
  GstCcaOnvifStates states;
};

GST_ELEMENT_REGISTER_DECLARE (ccaonvif);
GST_ELEMENT_REGISTER_DECLARE (ccaonvifpay);
G_DEFINE_TYPE (GstCcaOnvif, gst_cca_onvif, GST_TYPE_CCA_CONVERTER)
GST_ELEMENT_REGISTER_DEFINE (ccaonvif, "ccaonvif", GST_RANK_NONE, GST_TYPE_CCA_ONVIF)

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE (
    "src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-onvif-metadata, parsed = (boolean) true"));

/* --- Warnings ---------------------------------------------------------------------------------------- */

static void
warn_without_metas (GstCcaOnvif *self, GstBuffer *frame, const gchar *id)
{
  g_autofree gchar *ids = gst_cca_metas_list_ids (frame);

  if (!ids && gst_cca_is_first (&self->parent.warned, WARNED_NO_META))
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                  "A frame carries no metas to write: put cca before ccaonvif");
  else if (ids && gst_cca_is_first (&self->parent.warned, WARNED_ID))
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                  "Nothing is written: id is '%s', but the frame has the analyses %s", id, ids);
}

static void
warn_stale (GstCcaOnvif *self, const GstCcaMetas *scene)
{
  guint width, height;

  gst_cca_metas_get_size (scene, &width, &height);
  if (gst_cca_is_first (&self->parent.warned, WARNED_STALE))
    gst_cca_post_detail (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                         g_strdup_printf ("its metas are for a frame of %ux%u pixels", width, height),
                         "Nothing is written: an element reshaped the frame of '%s'; put ccaonvif before it",
                         scene->id);
}

/* --- Documents --------------------------------------------------------------------------------------- */

/* Forgets the objects and states that receivers know. */
static void
forget_documents (GstCcaOnvif *self)
{
  gst_cca_onvif_objects_forget (&self->objects);
  gst_cca_onvif_states_forget (&self->states);
}

/* Starts anew if the analysis is not that of the last document: its objects have other identities. */
static void
follow_analysis (GstCcaOnvif *self, const gchar *id)
{
  if (g_strcmp0 (self->written_id, id) == 0)
    return;
  forget_documents (self);
  g_free (self->written_id);
  self->written_id = g_strdup (id);
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

/* Returns the state of the camera, or NULL if no ccacamera tells it. */
static const gchar *
health (GstCcaOnvif *self)
{
  if (!self->parent.watched)
    return NULL;
  return self->parent.trouble ? self->parent.trouble : "well";
}

/* Returns the document on a scene, or NULL if memory is exhausted. */
static GstBuffer *
write_document (GstCcaOnvif *self, const GstCcaMetas *scene, const gchar *camera, GstClockTime utc)
{
  g_autofree gchar *utc_text = gst_cca_utc_to_string (utc);
  GstCcaOnvifXml xml;

  gst_cca_onvif_xml_begin (&xml);
  gst_cca_onvif_xml_open (&xml, "tt:MetadataStream");
  gst_cca_onvif_xml_text (&xml, "xmlns:tt", "http://www.onvif.org/ver10/schema");
  gst_cca_onvif_xml_text (&xml, "xmlns:tns1", "http://www.onvif.org/ver10/topics");
  gst_cca_onvif_xml_text (&xml, "xmlns:wsnt", "http://docs.oasis-open.org/wsn/b-2");
  gst_cca_onvif_xml_text (&xml, "xmlns:cca", "urn:gst-cca:onvif");
  gst_cca_onvif_write_scene (&xml, &self->objects, scene, utc_text);
  gst_cca_onvif_write_events (&xml, &self->states, scene, health (self), camera, utc);
  gst_cca_onvif_xml_close (&xml);
  return gst_cca_onvif_xml_end (&xml);
}

/* Adds the frame's UTC to a document, as parsed documents have it. The frame's number stays behind: payloaders would
 * take it for a time. */
static void
add_utc (GstBuffer *document, GstClockTime utc)
{
  static GstStaticCaps unix_time = GST_STATIC_CAPS ("timestamp/x-unix");
  g_autoptr (GstCaps) reference = gst_static_caps_get (&unix_time);

  gst_buffer_add_reference_timestamp_meta (document, reference, utc, GST_CLOCK_TIME_NONE);
}

/* Makes the document on a scene, or none where interval thins them out. */
static gboolean
convert_scene (GstCcaOnvif *self, GstBuffer *frame, const GstCcaMetas *scene, const GstCcaMessageTimes *times,
               const GstCcaConverterSettings *settings, GstBuffer **document)
{
  const gboolean due = gst_cca_message_is_due (&self->parent.last_text, settings->interval, times->running_time);
  const gboolean synchronise = g_atomic_int_compare_and_exchange (&self->synchronise, TRUE, FALSE);
  GstClockTime utc;

  follow_analysis (self, scene->id);
  if (synchronise)
    gst_cca_onvif_states_forget (&self->states);
  if (!due && !synchronise && !gst_cca_onvif_has_events (&self->states, scene, health (self)))
    return TRUE;
  utc = utc_of_frame (self, frame, times, settings->start_utc);
  *document = write_document (self, scene, settings->camera, utc);
  if (*document)
    add_utc (*document, utc);
  return *document != NULL;
}

static gboolean
gst_cca_onvif_convert (GstCcaConverter *base, GstBuffer *frame, const GstCcaMessageTimes *times,
                       const GstCcaConverterSettings *settings, GstBuffer **document)
{
  GstCcaOnvif *self = GST_CCA_ONVIF (base);
  GstCcaMetas scene;

  if (!gst_cca_metas_find (&scene, frame, settings->id))
    warn_without_metas (self, frame, settings->id);
  else if (gst_cca_metas_is_stale (&scene))
    warn_stale (self, &scene);
  else
    return convert_scene (self, frame, &scene, times, settings, document);
  return TRUE;
}

/* --- Streams ----------------------------------------------------------------------------------------- */

static void
gst_cca_onvif_forget (GstCcaConverter *base, gboolean starts)
{
  GstCcaOnvif *self = GST_CCA_ONVIF (base);

  if (!starts) {
    g_atomic_int_set (&self->synchronise, TRUE);
    return;
  }
  forget_documents (self);
  self->states.scene_changed = FALSE;
  g_clear_pointer (&self->written_id, g_free);
}

/* A receiver that joins or has lost packets asks for a key unit; ONVIF calls it a synchronization point. */
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

static gboolean
gst_cca_onvif_propose_allocation (GstBaseTransform *base, GstQuery *decide_query, GstQuery *query)
{
  gst_query_add_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE, NULL);
  return GST_BASE_TRANSFORM_CLASS (gst_cca_onvif_parent_class)->propose_allocation (base, decide_query, query);
}

/* --- Object ------------------------------------------------------------------------------------------ */

static void
gst_cca_onvif_finalize (GObject *object)
{
  GstCcaOnvif *self = GST_CCA_ONVIF (object);

  g_free (self->written_id);
  gst_cca_onvif_objects_clear (&self->objects);
  gst_cca_onvif_states_clear (&self->states);
  G_OBJECT_CLASS (gst_cca_onvif_parent_class)->finalize (object);
}

static void
gst_cca_onvif_init (GstCcaOnvif *self)
{
  gst_cca_onvif_objects_init (&self->objects);
  gst_cca_onvif_states_init (&self->states);
}

static void
gst_cca_onvif_class_init (GstCcaOnvifClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *base_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstCcaConverterClass *converter_class = GST_CCA_CONVERTER_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gst_cca_onvif_finalize;
  base_class->src_event = gst_cca_onvif_src_event;
  base_class->propose_allocation = gst_cca_onvif_propose_allocation;
  converter_class->stats_name = "cca-onvif-stats";
  converter_class->texts_name = "documents";
  converter_class->no_memory =
      "Out of memory while writing the objects of a frame; raise min-area of the element that finds components";
  converter_class->convert = gst_cca_onvif_convert;
  converter_class->forget = gst_cca_onvif_forget;

  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (
      element_class, "Connected components to ONVIF metadata", "Converter/Metadata/Video",
      "Writes objects and events as ONVIF metadata, an XML document for each frame", "gst-cca developers");
}

/* --- Plugin ------------------------------------------------------------------------------------------ */

static gboolean
plugin_init (GstPlugin *plugin)
{
  /* Before any thread writes. */
  xmlInitParser ();
  return GST_ELEMENT_REGISTER (ccaonvif, plugin) && GST_ELEMENT_REGISTER (ccaonvifpay, plugin);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, ccaonvif, "Results of video analysis as ONVIF metadata",
                   plugin_init, VERSION, "LGPL", GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
