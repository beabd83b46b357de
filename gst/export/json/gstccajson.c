/* gst-cca: ccajson, writes what is known of frames as lines of JSON
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-ccajson
 * @title: ccajson
 * @short_description: writes what is known of frames as lines of JSON
 *
 * Takes video that carries metas of components, tracks and events, and gives one line of JSON for each frame: its
 * camera, its times, its UTC and where that comes from, its size, and what was found. A buffer is a line with its line
 * break. `interval`, `on-change` and `only-events` leave lines out, but never an event.
 *
 * The file `ccajson.schema.json`, installed in share/gst-cca, is the JSON Schema of a line.
 *
 * |[
 * gst-launch-1.0 v4l2src ! cca foreground=motion ! ccatrack ! ccazones
 * config=street.rules.json ! ccajson camera=gate on-change=true ! filesink location=gate.ndjson
 * ]|
 *
 * Since: 0.1
 */
#include "gstccajson.h"

#include <gst/video/video.h>
#include <string.h>

#include "gstccaconverter.h"
#include "gstccajsonchanges.h"
#include "gstccajsonline.h"
#include "gstccajsonmark.h"
#include "gstccapost.h"
#include "gstccastrings.h"
#include "gstccatimes.h"
#include "gstccautc.h"

GST_DEBUG_CATEGORY_STATIC (cca_json_debug);
#define GST_CAT_DEFAULT cca_json_debug

#define DEFAULT_CAMERA "camera"
#define DEFAULT_PARTS (GST_CCA_JSON_COMPONENTS | GST_CCA_JSON_TRACKS | GST_CCA_JSON_EVENTS | GST_CCA_JSON_COUNTS)

typedef enum
{
  PROP_CAMERA = 1,
  PROP_ID,
  PROP_PARTS,
  PROP_INTERVAL,
  PROP_ON_CHANGE,
  PROP_ONLY_EVENTS,
  PROP_START_UTC,
  PROP_STATS,
} Property;

/* What can be wrong with a stream; each is told once. */
typedef enum
{
  WARNED_ID = 1 << 0,
  WARNED_SIZE = 1 << 1,
} Warned;

/* The properties. */
typedef struct
{
  GRefString *camera;
  GRefString *id; /* NULL: the first analysis */
  guint parts;    /* GstCcaJsonParts */
  guint64 interval;
  gboolean on_change, only_events;
  GstCcaStartUtc start;
} Settings;

struct _GstCcaJson
{
  GstBaseTransform parent;

  /* Under the object lock. */
  Settings settings;
  guint64 n_frames, n_lines, n_bytes; /* since the start */

  guint width, height; /* of the video */
  GPtrArray *rules;    /* of const GstCcaEventMeta: a frame's */
  GString *line;
  GstClockTime last_line; /* running time, or GST_CLOCK_TIME_NONE */
  GstCcaJsonChanges changes;
  guint warned; /* Warned */
};

G_DEFINE_TYPE (GstCcaJson, gst_cca_json, GST_TYPE_BASE_TRANSFORM)
GST_ELEMENT_REGISTER_DEFINE (ccajson, "ccajson", GST_RANK_NONE, GST_TYPE_CCA_JSON)

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("video/x-raw(ANY)"));
static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-ndjson"));

/* --- Failures ---------------------------------------------------------------------------------------- */

static GstFlowReturn
fail_for_memory (GstCcaJson *self)
{
  gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
                "No memory to write all that is known of a frame; raise min-area of the element that finds components, "
                "or write fewer parts");
  return GST_FLOW_ERROR;
}

static void
warn_without_id (GstCcaJson *self, GstBuffer *buffer, const gchar *id)
{
  g_autofree gchar *ids = gst_cca_scene_list_ids (buffer);

  if (ids && gst_cca_is_first (&self->warned, WARNED_ID))
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                  "Nothing of the analysis is written: id is '%s', but the frame has metas of %s", id, ids);
}

static void
warn_of_size (GstCcaJson *self, const GstCcaJsonFrame *frame)
{
  if (gst_cca_is_first (&self->warned, WARNED_SIZE))
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                  "The metas of '%s' are for frames of several sizes; those for %ux%u pixels are written", frame->id,
                  frame->width, frame->height);
}

/* --- What comes in ----------------------------------------------------------------------------------- */

/* Whether a meta is for frames of the line's size. */
static gboolean
fits_frame (GstCcaJson *self, const GstCcaJsonFrame *frame, guint width, guint height)
{
  if (frame->width == width && frame->height == height)
    return TRUE;
  warn_of_size (self, frame);
  return FALSE;
}

/* Sets the frame to what an analysis says of it, the first one if id is NULL. Valid as long as buffer and id. */
static void
find_metas (GstCcaJson *self, GstBuffer *buffer, const gchar *id, GstCcaJsonFrame *frame)
{
  const GstCcaEventMeta *rules;
  gpointer state = NULL;
  GstCcaScene scene;

  g_ptr_array_set_size (self->rules, 0);
  *frame = (GstCcaJsonFrame) { .id = id, .width = self->width, .height = self->height, .rules = self->rules };
  if (!gst_cca_scene_find (&scene, buffer, id)) {
    warn_without_id (self, buffer, id);
    return;
  }
  frame->id = scene.id;
  frame->stale = gst_cca_scene_is_stale (&scene);
  frame->scene_change = gst_cca_scene_is_change (&scene);
  gst_cca_scene_get_size (&scene, &frame->width, &frame->height);
  if (scene.components && fits_frame (self, frame, scene.components->width, scene.components->height))
    frame->components = scene.components;
  if (scene.tracks && fits_frame (self, frame, scene.tracks->width, scene.tracks->height))
    frame->tracks = scene.tracks;
  while ((rules = gst_cca_scene_iterate_events (&scene, &state)))
    if (fits_frame (self, frame, rules->width, rules->height))
      g_ptr_array_add (self->rules, (gpointer) rules);
}

/* --- Lines ------------------------------------------------------------------------------------------- */

static Settings
borrow_settings (GstCcaJson *self)
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

static gboolean
is_wanted (GstCcaJson *self, const Settings *settings, const GstCcaJsonFrame *frame, GstClockTime running_time)
{
  if (gst_cca_json_frame_is_eventful (frame))
    return TRUE;
  if (settings->only_events)
    return FALSE;
  if (settings->on_change && !gst_cca_json_changes_has_news (&self->changes, frame, settings->parts))
    return FALSE;
  return gst_cca_message_is_due (&self->last_line, settings->interval, running_time);
}

/* Returns a buffer with the text of the line, or NULL if memory is exhausted. */
static GstBuffer *
copy_line (const GString *line, GstBuffer *frame)
{
  gpointer copy = g_try_malloc (line->len);
  GstBuffer *buffer;

  if (!copy)
    return NULL;
  memcpy (copy, line->str, line->len);
  buffer = gst_buffer_new_wrapped (copy, line->len);
  gst_cca_json_mark_add (buffer);
  GST_BUFFER_PTS (buffer) = GST_BUFFER_PTS (frame);
  GST_BUFFER_DURATION (buffer) = GST_BUFFER_DURATION (frame);
  return buffer;
}

static GstBuffer *
make_line (GstCcaJson *self, GstBuffer *buffer, const Settings *settings, const GstCcaJsonFrame *frame,
           const GstCcaMessageTimes *times)
{
  const GstCcaUtc utc = gst_cca_utc_of_frame (GST_ELEMENT (self), buffer, times, settings->start.utc);

  if (!gst_cca_json_line_reserve (self->line, settings->camera, frame, settings->parts))
    return NULL;
  gst_cca_json_line_write (self->line, settings->camera, times, &utc, frame, settings->parts);
  self->last_line = times->running_time;
  if (!settings->on_change)
    gst_cca_json_changes_forget (&self->changes);
  else if (!gst_cca_json_changes_remember (&self->changes, frame))
    return NULL;
  return copy_line (self->line, buffer);
}

static void
count_frame (GstCcaJson *self, GstBuffer *line)
{
  GST_OBJECT_LOCK (self);
  self->n_frames++;
  if (line) {
    self->n_lines++;
    self->n_bytes += gst_buffer_get_size (line);
  }
  GST_OBJECT_UNLOCK (self);
}

/* Makes the line on a frame, if it gets one. */
static GstFlowReturn
tell_frame (GstBaseTransform *base, GstBuffer *buffer, GstBuffer **line)
{
  GstCcaJson *self = GST_CCA_JSON (base);
  const GstCcaMessageTimes times = gst_cca_message_times (&base->segment, buffer);
  Settings settings = borrow_settings (self);
  GstCcaJsonFrame frame;
  gboolean wanted;

  find_metas (self, buffer, settings.id, &frame);
  wanted = is_wanted (self, &settings, &frame, times.running_time);
  if (wanted)
    *line = make_line (self, buffer, &settings, &frame, &times);
  count_frame (self, *line);
  clear_settings (&settings);
  return wanted && !*line ? fail_for_memory (self) : GST_FLOW_OK;
}

static GstFlowReturn
gst_cca_json_generate_output (GstBaseTransform *base, GstBuffer **line)
{
  return gst_cca_converter_generate_output (base, line, tell_frame);
}

/* --- Stream ------------------------------------------------------------------------------------------ */

static void
forget_lines (GstCcaJson *self)
{
  gst_cca_json_changes_forget (&self->changes);
  self->last_line = GST_CLOCK_TIME_NONE;
}

static gboolean
gst_cca_json_sink_event (GstBaseTransform *base, GstEvent *event)
{
  if (gst_cca_begins_timeline (event, &base->segment))
    forget_lines (GST_CCA_JSON (base));
  return GST_BASE_TRANSFORM_CLASS (gst_cca_json_parent_class)->sink_event (base, event);
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

/* No pixel is read: frames may lie in memory as they like. */
static gboolean
gst_cca_json_propose_allocation (GstBaseTransform *base, GstQuery *decide_query, GstQuery *query)
{
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return TRUE;
}

static gboolean
gst_cca_json_start (GstBaseTransform *base)
{
  GstCcaJson *self = GST_CCA_JSON (base);

  GST_OBJECT_LOCK (self);
  self->n_frames = self->n_lines = self->n_bytes = 0;
  GST_OBJECT_UNLOCK (self);
  if (!gst_cca_check_name (self, "camera") || !gst_cca_check_name (self, "id"))
    return FALSE;
  if (!gst_cca_start_utc_start (&self->settings.start, GST_ELEMENT (self)))
    return FALSE;
  forget_lines (self);
  self->warned = 0;
  return TRUE;
}

static gboolean
gst_cca_json_stop (GstBaseTransform *base)
{
  GstCcaJson *self = GST_CCA_JSON (base);

  gst_cca_start_utc_stop (&self->settings.start, GST_ELEMENT (self));
  return TRUE;
}

/* --- Object ------------------------------------------------------------------------------------------ */

static void
gst_cca_json_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  GstCcaJson *self = GST_CCA_JSON (object);
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
    case PROP_PARTS: settings->parts = g_value_get_flags (value); break;
    case PROP_INTERVAL: settings->interval = g_value_get_uint64 (value); break;
    case PROP_ON_CHANGE: settings->on_change = g_value_get_boolean (value); break;
    case PROP_ONLY_EVENTS: settings->only_events = g_value_get_boolean (value); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
  }
  GST_OBJECT_UNLOCK (self);
}

/* With the object lock held. */
static GstStructure *
make_stats (const GstCcaJson *self)
{
  return gst_structure_new ("cca-json-stats", "frames", G_TYPE_UINT64, self->n_frames, "lines", G_TYPE_UINT64,
                            self->n_lines, "bytes", G_TYPE_UINT64, self->n_bytes, NULL);
}

static void
gst_cca_json_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  GstCcaJson *self = GST_CCA_JSON (object);
  const Settings *settings = &self->settings;

  GST_OBJECT_LOCK (self);
  switch ((Property) id) {
    case PROP_CAMERA: g_value_set_string (value, settings->camera); break;
    case PROP_ID: g_value_set_string (value, settings->id); break;
    case PROP_PARTS: g_value_set_flags (value, settings->parts); break;
    case PROP_INTERVAL: g_value_set_uint64 (value, settings->interval); break;
    case PROP_ON_CHANGE: g_value_set_boolean (value, settings->on_change); break;
    case PROP_ONLY_EVENTS: g_value_set_boolean (value, settings->only_events); break;
    case PROP_START_UTC: g_value_set_string (value, settings->start.text); break;
    case PROP_STATS: g_value_take_boxed (value, make_stats (self)); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_cca_json_finalize (GObject *object)
{
  GstCcaJson *self = GST_CCA_JSON (object);

  gst_cca_json_changes_clear (&self->changes);
  g_ptr_array_unref (self->rules);
  g_string_free (self->line, TRUE);
  clear_settings (&self->settings);
  G_OBJECT_CLASS (gst_cca_json_parent_class)->finalize (object);
}

static void
gst_cca_json_init (GstCcaJson *self)
{
  gst_cca_json_changes_init (&self->changes);
  self->rules = g_ptr_array_new ();
  self->line = g_string_new (NULL);
  self->last_line = GST_CLOCK_TIME_NONE;
  self->settings = (Settings) {
    .camera = g_ref_string_new (DEFAULT_CAMERA),
    .parts = DEFAULT_PARTS,
    .start = GST_CCA_START_UTC_INIT,
  };
  /* Every frame counts. */
  gst_base_transform_set_qos_enabled (GST_BASE_TRANSFORM (self), FALSE);
}

static void
install_properties (GObjectClass *object_class)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING;

  g_object_class_install_property (
      object_class, PROP_CAMERA,
      g_param_spec_string ("camera", "camera", "Names the camera in each line", DEFAULT_CAMERA, flags));
  g_object_class_install_property (
      object_class, PROP_ID,
      g_param_spec_string ("id", "id",
                           "Write the metas of the analysis with this id (NULL = the first with tracks, or the first)",
                           NULL, flags));
  g_object_class_install_property (object_class, PROP_PARTS,
                                   g_param_spec_flags ("parts", "parts", "What of the metas is written",
                                                       GST_TYPE_CCA_JSON_PARTS, DEFAULT_PARTS, flags));
  g_object_class_install_property (
      object_class, PROP_INTERVAL,
      g_param_spec_uint64 ("interval", "interval",
                           "Least running time between two lines, ns; frames with events or a scene change are always "
                           "written",
                           0, G_MAXUINT64, 0, flags));
  g_object_class_install_property (
      object_class, PROP_ON_CHANGE,
      g_param_spec_boolean ("on-change", "on-change",
                            "Write frames only where tracks, their states or counters changed since the last line, or "
                            "the number of components where there are no tracks; and those with events or a scene "
                            "change",
                            FALSE, flags));
  g_object_class_install_property (object_class, PROP_ONLY_EVENTS,
                                   g_param_spec_boolean ("only-events", "only-events",
                                                         "Write only frames with events or a scene change", FALSE,
                                                         flags));
  gst_cca_start_utc_install (object_class, PROP_START_UTC);
  g_object_class_install_property (object_class, PROP_STATS,
                                   g_param_spec_boxed ("stats", "stats",
                                                       "Since the start: frames, lines and their bytes",
                                                       GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

static void
gst_cca_json_class_init (GstCcaJsonClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *base_class = GST_BASE_TRANSFORM_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (cca_json_debug, "ccajson", 0, "Lines of JSON");

  object_class->set_property = gst_cca_json_set_property;
  object_class->get_property = gst_cca_json_get_property;
  object_class->finalize = gst_cca_json_finalize;
  base_class->transform_caps = gst_cca_converter_transform_caps;
  base_class->set_caps = gst_cca_json_set_caps;
  base_class->start = gst_cca_json_start;
  base_class->stop = gst_cca_json_stop;
  base_class->sink_event = gst_cca_json_sink_event;
  base_class->generate_output = gst_cca_json_generate_output;
  base_class->propose_allocation = gst_cca_json_propose_allocation;
  base_class->decide_allocation = gst_cca_converter_decide_allocation;

  install_properties (object_class);
  gst_type_mark_as_plugin_api (GST_TYPE_CCA_JSON_PARTS, 0);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Connected components to JSON", "Converter/Metadata/Video",
                                         "Writes components, tracks, events and counts of frames as lines of JSON",
                                         "gst-cca developers");
}
