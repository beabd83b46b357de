/* gst-cca: ccajson, writes metas of frames as lines of JSON
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/video/video.h>
#include <string.h>

#include "gstccaconverter.h"
#include "gstccajsonline.h"
#include "gstccajsonmark.h"
#include "gstccapost.h"
#include "gstccaproperties.h"

#define DEFAULT_PARTS (GST_CCA_JSON_COMPONENTS | GST_CCA_JSON_TRACKS | GST_CCA_JSON_EVENTS | GST_CCA_JSON_COUNTS)

/* Problems with a stream; each is reported once. */
typedef enum
{
  WARNED_ID = 1 << 0,
  WARNED_SIZE = 1 << 1,
} Warned;

/* The element's own properties. */
typedef struct
{
  guint parts; /* GstCcaJsonParts */
  gboolean on_change, only_events;
} Filter;

#define GST_TYPE_CCA_JSON (gst_cca_json_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaJson, gst_cca_json, GST, CCA_JSON, GstCcaConverter)

struct _GstCcaJson
{
  GstCcaConverter parent;

  Filter filter; /* under the object lock */

  guint width, height; /* of the video */
  GPtrArray *rules;    /* of const GstCcaEventMeta: a frame's */
  GString *line;
  GstCcaJsonChanges changes;
  const gchar *told; /* the camera's trouble in the last line; or NULL */
};

GST_ELEMENT_REGISTER_DECLARE (ccajson);
G_DEFINE_TYPE (GstCcaJson, gst_cca_json, GST_TYPE_CCA_CONVERTER)
GST_ELEMENT_REGISTER_DEFINE (ccajson, "ccajson", GST_RANK_NONE, GST_TYPE_CCA_JSON)

static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-ndjson"));

#define AT(field) G_STRUCT_OFFSET (Filter, field)

static const GstCcaProperty list[] = {
  { "parts", AT (parts), G_TYPE_FLAGS, .value = DEFAULT_PARTS, .get_type = gst_cca_json_parts_get_type,
    .blurb = "Parts of the metas to write" },
  { "on-change", AT (on_change), G_TYPE_BOOLEAN,
    .blurb = "Write frames only where tracks, their states or counters changed since the last line, or the number of "
             "components where there are no tracks; and those with events, a scene change, or another state of the "
             "camera" },
  { "only-events", AT (only_events), G_TYPE_BOOLEAN,
    .blurb = "Write only frames with events, a scene change, or another state of the camera" },
};
static const GstCcaProperties properties = { GST_CCA_CONVERTER_LAST_PROP + 1, G_N_ELEMENTS (list), list,
                                             GST_CCA_PROPERTY_PLAYING };

/* --- The mark ---------------------------------------------------------------------------------------- */

static gboolean
init_mark (GstMeta *meta, gpointer params, GstBuffer *buffer)
{
  return TRUE;
}

static gboolean
transform_mark (GstBuffer *to, GstMeta *meta, GstBuffer *buffer, GQuark type, gpointer data)
{
  const GstMetaTransformCopy *copy = data;

  if (!GST_META_TRANSFORM_IS_COPY (type) || copy->region)
    return FALSE;
  ((GstCcaJsonMark *) gst_buffer_add_meta (to, meta->info, NULL))->members = ((GstCcaJsonMark *) meta)->members;
  return TRUE;
}

static const GstMetaInfo *
mark_info (void)
{
  static const gchar *tags[] = { GST_META_TAG_MEMORY_STR, NULL };
  static gsize info;

  if (g_once_init_enter (&info)) {
    const GType api = gst_meta_api_type_register (GST_CCA_JSON_MARK_NAME "API", tags);

    g_once_init_leave (&info, (gsize) gst_meta_register (api, GST_CCA_JSON_MARK_NAME, sizeof (GstCcaJsonMark),
                                                         init_mark, NULL, transform_mark));
  }
  return (const GstMetaInfo *) info;
}

/* --- Failures ---------------------------------------------------------------------------------------- */

static void
warn_without_id (GstCcaJson *self, GstBuffer *buffer, const gchar *id)
{
  g_autofree gchar *ids = gst_cca_metas_list_ids (buffer);

  if (ids && gst_cca_is_first (&self->parent.warned, WARNED_ID))
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                  "Nothing of the analysis is written: id is '%s', but the frame has metas of %s", id, ids);
}

static void
warn_of_size (GstCcaJson *self, const GstCcaJsonFrame *frame)
{
  if (gst_cca_is_first (&self->parent.warned, WARNED_SIZE))
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                  "The metas of '%s' are for frames of several sizes; those for %ux%u pixels are written", frame->id,
                  frame->width, frame->height);
}

/* --- Metas ------------------------------------------------------------------------------------------- */

/* Whether a meta is for frames of the line's size. */
static gboolean
fits_frame (GstCcaJson *self, const GstCcaJsonFrame *frame, guint width, guint height)
{
  if (frame->width == width && frame->height == height)
    return TRUE;
  warn_of_size (self, frame);
  return FALSE;
}

/* Sets the frame to the metas of an analysis, the first one if id is NULL. Valid as long as buffer and id. */
static void
find_metas (GstCcaJson *self, GstBuffer *buffer, const gchar *id, GstCcaJsonFrame *frame)
{
  const GstCcaEventMeta *rules;
  gpointer state = NULL;
  GstCcaMetas scene;

  g_ptr_array_set_size (self->rules, 0);
  *frame = (GstCcaJsonFrame) { .id = id, .width = self->width, .height = self->height, .rules = self->rules };
  if (!gst_cca_metas_find (&scene, buffer, id)) {
    warn_without_id (self, buffer, id);
    return;
  }
  frame->id = scene.id;
  frame->stale = gst_cca_metas_is_stale (&scene);
  frame->scene_change = gst_cca_metas_is_change (&scene);
  gst_cca_metas_get_size (&scene, &frame->width, &frame->height);
  if (scene.components && fits_frame (self, frame, scene.components->width, scene.components->height))
    frame->components = scene.components;
  if (scene.tracks && fits_frame (self, frame, scene.tracks->width, scene.tracks->height))
    frame->tracks = scene.tracks;
  while ((rules = gst_cca_metas_iterate_events (&scene, &state)))
    if (fits_frame (self, frame, rules->width, rules->height))
      g_ptr_array_add (self->rules, (gpointer) rules);
}

/* --- Lines ------------------------------------------------------------------------------------------- */

static gboolean
has_to_write (GstCcaJson *self, const Filter *filter, guint64 interval, const GstCcaJsonFrame *frame,
              GstClockTime running_time)
{
  if (gst_cca_json_frame_is_eventful (frame))
    return TRUE;
  if (filter->only_events)
    return FALSE;
  if (filter->on_change && !gst_cca_json_changes_has_news (&self->changes, frame, filter->parts))
    return FALSE;
  return gst_cca_message_is_due (&self->parent.last_text, interval, running_time);
}

/* Returns a buffer with the text of the line, or NULL if memory is exhausted. */
static GstBuffer *
copy_line (const GString *line, const GstCcaJsonMembers *members)
{
  gpointer copy = g_try_malloc (line->len);
  GstBuffer *buffer;

  if (!copy)
    return NULL;
  memcpy (copy, line->str, line->len);
  buffer = gst_buffer_new_wrapped (copy, line->len);
  ((GstCcaJsonMark *) gst_buffer_add_meta (buffer, mark_info (), NULL))->members = *members;
  return buffer;
}

/* Makes the line on a frame, if it gets one. */
static gboolean
gst_cca_json_convert (GstCcaConverter *base, GstBuffer *buffer, const GstCcaMessageTimes *times,
                      const GstCcaConverterSettings *settings, GstBuffer **line)
{
  GstCcaJson *self = GST_CCA_JSON (base);
  GstCcaJsonMembers members;
  GstCcaJsonFrame frame;
  GstCcaUtc utc;
  Filter filter;

  GST_OBJECT_LOCK (self);
  filter = self->filter;
  GST_OBJECT_UNLOCK (self);
  find_metas (self, buffer, settings->id, &frame);
  frame.camera_changed = base->trouble != self->told;
  frame.camera_state = base->trouble ? base->trouble : frame.camera_changed ? "well" : NULL;
  if (!has_to_write (self, &filter, settings->interval, &frame, times->running_time))
    return TRUE;
  utc = gst_cca_utc_of_frame (GST_ELEMENT (self), buffer, times, settings->start_utc);
  gst_cca_json_line_write (self->line, &members, settings->camera, times, &utc, &frame, filter.parts);
  base->last_text = times->running_time;
  self->told = base->trouble;
  if (filter.on_change)
    gst_cca_json_changes_remember (&self->changes, &frame);
  else
    gst_cca_json_changes_forget (&self->changes);
  *line = copy_line (self->line, &members);
  return *line != NULL;
}

static void
gst_cca_json_forget (GstCcaConverter *base, gboolean starts)
{
  gst_cca_json_changes_forget (&GST_CCA_JSON (base)->changes);
  if (starts)
    GST_CCA_JSON (base)->told = NULL;
}

static gboolean
gst_cca_json_set_caps (GstBaseTransform *base, GstCaps *caps, GstCaps *source_caps)
{
  GstCcaJson *self = GST_CCA_JSON (base);
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  gint width = 0, height = 0;

  if (!gst_structure_get_int (structure, "width", &width) || !gst_structure_get_int (structure, "height", &height))
    return FALSE;
  self->width = (guint) width;
  self->height = (guint) height;
  return TRUE;
}

/* --- Object ------------------------------------------------------------------------------------------ */

static void
gst_cca_json_finalize (GObject *object)
{
  GstCcaJson *self = GST_CCA_JSON (object);

  gst_cca_json_changes_clear (&self->changes);
  g_ptr_array_unref (self->rules);
  g_string_free (self->line, TRUE);
  G_OBJECT_CLASS (gst_cca_json_parent_class)->finalize (object);
}

static void
gst_cca_json_init (GstCcaJson *self)
{
  gst_cca_json_changes_init (&self->changes);
  self->rules = g_ptr_array_new ();
  self->line = g_string_new (NULL);
  gst_cca_properties_init (&properties, &self->filter);
}

static void
gst_cca_json_class_init (GstCcaJsonClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstCcaConverterClass *converter_class = GST_CCA_CONVERTER_CLASS (klass);

  gst_cca_properties_install (&properties, object_class, G_STRUCT_OFFSET (GstCcaJson, filter));
  object_class->finalize = gst_cca_json_finalize;
  GST_BASE_TRANSFORM_CLASS (klass)->set_caps = gst_cca_json_set_caps;
  converter_class->stats_name = "cca-json-stats";
  converter_class->texts_name = "lines";
  converter_class->no_memory = "Out of memory while writing a frame's JSON; raise min-area of the element that finds "
                               "components, or write fewer parts";
  converter_class->convert = gst_cca_json_convert;
  converter_class->forget = gst_cca_json_forget;

  gst_type_mark_as_plugin_api (GST_TYPE_CCA_JSON_PARTS, 0);

  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Connected components to JSON", "Converter/Metadata/Video",
                                         "Writes components, tracks, events and counts of frames as lines of JSON",
                                         "gst-cca developers");
}

/* --- Plugin ------------------------------------------------------------------------------------------ */

static gboolean
plugin_init (GstPlugin *plugin)
{
  return GST_ELEMENT_REGISTER (ccajson, plugin);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, ccajson, "Results of video analysis as JSON", plugin_init,
                   VERSION, "LGPL", GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
