/* gst-cca: ccazones, watches zones and lines
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-ccazones
 * @title: ccazones
 * @short_description: counts objects in zones and over lines, and reports events there
 *
 * Applies rules from a JSON file to the tracks of a #GstCcaTrackMeta: zones that tracks enter and leave, where they
 * dwell, stop or are removed from, and lines that they cross. The element adds a #GstCcaEventMeta to each buffer that
 * carries tracks, with the rules, their counters and the events of the frame. It posts an element message named
 * `cca-event` for each event, and `cca-counts` with all counters every `counts-interval` and at the end of the stream.
 * Buffers pass unchanged, in any memory.
 *
 * To change the rules while the pipeline plays, set `config` or `rules`, or emit `reload`. Rules that keep their name
 * and their points keep their counters.
 *
 * |[
 * gst-launch-1.0 -m v4l2src ! cca foreground=motion ! ccatrack ! ccazones config=street.rules.json !
 * fakesink
 * ]|
 *
 * Since: 0.1
 */
#include <gst/base/gstbasetransform.h>
#include <gst/cca/gstccameta.h>
#include <gst/cca/gstccatrackmeta.h>
#include <gst/video/video.h>

#include "array.h"
#include "gstccaforeign.h"
#include "gstccapost.h"
#include "gstccatext.h"
#include "gstccatimes.h"
#include "gstccazonesconfig.h"
#include "gstccazonesengine.h"
#include "gstccazonesreport.h"

GST_DEBUG_CATEGORY_STATIC (cca_zones_debug);
#define GST_CAT_DEFAULT cca_zones_debug

/* Fallback when buffer and caps give no duration. */
#define USUAL_DURATION (GST_SECOND / 30)

typedef enum
{
  PROP_CONFIG = 1,
  PROP_RULES,
  PROP_ID,
  PROP_POST_MESSAGES,
  PROP_COUNTS_INTERVAL,
  PROP_COUNTS,
} Property;

enum
{
  SIGNAL_RELOAD,
  SIGNAL_RESET_COUNTS,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

/* What can be wrong with a stream; each is told once. */
typedef enum
{
  WARNED_ID = 1 << 0,
  WARNED_STALE = 1 << 1,
  WARNED_NO_TRACKS = 1 << 2,
  WARNED_TIME = 1 << 3,
} Warned;

#define GST_TYPE_CCA_ZONES (gst_cca_zones_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaZones, gst_cca_zones, GST, CCA_ZONES, GstBaseTransform)

struct _GstCcaZones
{
  GstBaseTransform parent;

  /* Under the object lock. */
  gchar *config, *text; /* the properties config and rules */
  GRefString *id;       /* NULL: the first meta's */
  gboolean post_messages;
  guint64 counts_interval;

  GMutex reload_lock; /* held from reading rules to using them */
  GstCcaZonesEngine engine;

  GstCcaZonesReport report;
  gchar *judged_id; /* of the metas so far; NULL: none */
  guint width, height;
  GstCcaClock clock;             /* of running time */
  GstClockTime frame_duration;   /* as the caps say; or GST_CLOCK_TIME_NONE */
  GstClockTime last_counts;      /* running time of the last message, or GST_CLOCK_TIME_NONE */
  GstCcaMessageTimes last_times; /* of the last frame */
  guint warned;                  /* Warned */

  GstCcaForeign foreign;
  guint frame_width, frame_height; /* as the caps say */

  GstCcaRulesTrack *tracks; /* a frame's */
  gsize tracks_room;
};

G_DEFINE_TYPE (GstCcaZones, gst_cca_zones, GST_TYPE_BASE_TRANSFORM)
GST_ELEMENT_REGISTER_DECLARE (ccazones);
GST_ELEMENT_REGISTER_DEFINE (ccazones, "ccazones", GST_RANK_NONE, GST_TYPE_CCA_ZONES)

#define ZONES_CAPS "video/x-raw(ANY)"

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS (ZONES_CAPS));
static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (ZONES_CAPS));

/* --- Failures ---------------------------------------------------------------------------------------- */

static GstFlowReturn
fail_for_memory (GstCcaZones *self, guint n)
{
  gst_cca_post (
      self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
      "No memory for the rules of a frame with %u tracks; raise min-area of the element that finds components", n);
  return GST_FLOW_ERROR;
}

static void
warn_without_id (GstCcaZones *self, GstBuffer *buffer, const gchar *id)
{
  g_autoptr (GString) list = NULL;
  const GstCcaTrackMeta *meta;
  gpointer state = NULL;

  if (!gst_cca_is_first (&self->warned, WARNED_ID))
    return;
  list = g_string_new (NULL);
  while ((meta = gst_buffer_iterate_cca_track_meta (buffer, &state)))
    g_string_append_printf (list, "%s'%s'", list->len > 0 ? ", " : "", meta->id);
  gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                "No rules apply: id is '%s', but the frame has the tracks of %s", id, list->str);
}

static void
warn_stale (GstCcaZones *self, const GstCcaTrackMeta *meta)
{
  if (gst_cca_is_first (&self->warned, WARNED_STALE))
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                  "No rules apply: the tracks of '%s' are for a frame of %ux%u pixels, and an element changed it in a "
                  "way that they cannot follow; put ccazones before that element",
                  meta->id, meta->width, meta->height);
}

static void
warn_without_tracks (GstCcaZones *self, GstBuffer *buffer)
{
  const gboolean detections = self->foreign.n > 0;

  if ((detections || gst_buffer_get_cca_meta (buffer)) && gst_cca_is_first (&self->warned, WARNED_NO_TRACKS))
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                  "Frames carry %s, but no tracks: put ccatrack before ccazones",
                  detections ? "detections" : "components");
}

static void
warn_time (GstCcaZones *self, GstClockTime believed, GstClockTime wrong)
{
  if (gst_cca_is_first (&self->warned, WARNED_TIME))
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                  "Time stamps are irregular: running time jumped from %" GST_TIME_FORMAT " to %" GST_TIME_FORMAT
                  "; rules take a single such frame for one of usual duration, and go on from where further ones are",
                  GST_TIME_ARGS (believed), GST_TIME_ARGS (wrong));
}

/* --- Rules ------------------------------------------------------------------------------------------- */

/* Makes an engine of what the properties ask for. */
static GstCcaRules *
load_rules (GstCcaZones *self, GError **error)
{
  g_autofree gchar *path = NULL, *text = NULL;
  GstCcaZonesConfig *config;
  GstCcaRules *rules;

  GST_OBJECT_LOCK (self);
  path = g_strdup (self->config);
  text = g_strdup (self->text);
  GST_OBJECT_UNLOCK (self);
  if (text)
    config = gst_cca_zones_config_parse (text, -1, "rules", error);
  else if (path)
    config = gst_cca_zones_config_load (path, error);
  else {
    g_set_error (error, GST_CCA_ZONES_CONFIG_ERROR, 0,
                 "No rules: set config to a file of rules, or rules to the text of one");
    return NULL;
  }
  if (!config)
    return NULL;
  rules = gst_cca_rules_new (&config->params);
  if (!rules)
    g_set_error (error, GST_CCA_ZONES_CONFIG_ERROR, 0, "No memory for %" G_GSIZE_FORMAT " rules",
                 config->params.n_rules);
  gst_cca_zones_config_free (config);
  return rules;
}

static gboolean
gst_cca_zones_reload (GstCcaZones *self)
{
  g_autoptr (GError) error = NULL;
  gboolean running;

  g_mutex_lock (&self->reload_lock);
  running = gst_cca_zones_engine_is_running (&self->engine);
  if (running) {
    GstCcaRules *rules = load_rules (self, &error);

    if (rules && !gst_cca_zones_engine_exchange (&self->engine, rules))
      g_set_error (&error, GST_CCA_ZONES_CONFIG_ERROR, 0, "No memory for rules");
  }
  g_mutex_unlock (&self->reload_lock);
  if (error)
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                  "%s; keeping the previous rules", error->message);
  return running && !error;
}

static void
gst_cca_zones_reset_counts (GstCcaZones *self)
{
  gst_cca_zones_engine_reset_counts (&self->engine);
}

/* --- Timeline ---------------------------------------------------------------------------------------- */

static void
forget_tracks (GstCcaZones *self)
{
  gst_cca_zones_engine_forget (&self->engine);
  self->clock = (GstCcaClock) { 0 };
}

static void
advance_time (GstCcaZones *self, GstBuffer *buffer, GstClockTime running_time)
{
  const GstClockTime of_caps = GST_CLOCK_TIME_IS_VALID (self->frame_duration) ? self->frame_duration : USUAL_DURATION;
  const GstClockTime duration = GST_BUFFER_DURATION_IS_VALID (buffer) ? GST_BUFFER_DURATION (buffer) : of_caps;
  const GstCcaClockFrame last = self->clock.believed;

  if (gst_cca_clock_advance (&self->clock, running_time, duration) != GST_CCA_CLOCK_GOES_ON)
    warn_time (self, last.stamp, self->clock.doubted.stamp);
}

static void
post_counts (GstCcaZones *self)
{
  GstStructure *structure = gst_cca_zones_engine_counts (&self->engine);

  gst_cca_message_times_set (&self->last_times, structure);
  gst_element_post_message (GST_ELEMENT (self), gst_message_new_element (GST_OBJECT (self), structure));
}

static gboolean
posts_messages (GstCcaZones *self)
{
  gboolean posts;

  GST_OBJECT_LOCK (self);
  posts = self->post_messages;
  GST_OBJECT_UNLOCK (self);
  return posts;
}

static gboolean
gst_cca_zones_sink_event (GstBaseTransform *base, GstEvent *event)
{
  GstCcaZones *self = GST_CCA_ZONES (base);

  if (gst_cca_begins_timeline (event, &base->segment)) {
    forget_tracks (self);
    self->last_counts = GST_CLOCK_TIME_NONE;
  } else if (GST_EVENT_TYPE (event) == GST_EVENT_EOS && posts_messages (self)) {
    post_counts (self);
  }
  return GST_BASE_TRANSFORM_CLASS (gst_cca_zones_parent_class)->sink_event (base, event);
}

static gboolean
gst_cca_zones_set_caps (GstBaseTransform *base, GstCaps *caps, GstCaps *source_caps)
{
  GstCcaZones *self = GST_CCA_ZONES (base);

  self->frame_duration = gst_cca_frame_duration (caps);
  gst_cca_foreign_frame_size (caps, &self->frame_width, &self->frame_height);
  return TRUE;
}

/* --- What comes in ----------------------------------------------------------------------------------- */

/* Returns the meta whose tracks are judged, or NULL. */
static const GstCcaTrackMeta *
find_meta (GstCcaZones *self, GstBuffer *buffer, const gchar *id)
{
  const GstCcaTrackMeta *first = gst_buffer_get_cca_track_meta (buffer), *meta = first;

  if (id)
    meta = gst_buffer_get_cca_track_meta_by_id (buffer, id);
  if (!first)
    warn_without_tracks (self, buffer);
  else if (!meta)
    warn_without_id (self, buffer, id);
  else if (meta->stale)
    warn_stale (self, meta);
  return meta && !meta->stale ? meta : NULL;
}

/* Forgets all tracks if this meta is another analysis's than those before. */
static void
follow_meta (GstCcaZones *self, const GstCcaTrackMeta *meta)
{
  if (g_strcmp0 (self->judged_id, meta->id) == 0)
    return;
  if (self->judged_id)
    forget_tracks (self);
  g_free (self->judged_id);
  self->judged_id = g_strdup (meta->id);
}

/* Returns the part of the frame that components of the same analysis cover, or -1 if that is not known. */
static gdouble
coverage_of (GstBuffer *buffer, const gchar *id)
{
  const GstCcaMeta *meta = gst_buffer_get_cca_meta_by_id (buffer, id);
  gdouble area = 0.0;

  if (!meta || meta->stale || meta->width == 0 || meta->height == 0)
    return -1.0;
  for (guint i = 0; i < meta->n_stored; i++)
    area += meta->components[i].area;
  return area / ((gdouble) meta->width * meta->height);
}

/* Whether the analysis that the tracks come from took the frame for another scene. */
static gboolean
is_scene_change (GstBuffer *buffer, const gchar *id)
{
  const GstCcaMeta *meta = gst_buffer_get_cca_meta_by_id (buffer, id);

  return meta && meta->scene_change;
}

static gboolean
fill_frame (GstCcaZones *self, GstBuffer *buffer, const GstCcaTrackMeta *meta, GstCcaRulesFrame *frame)
{
  guint64 last = 0;
  gsize n = 0;

  if (!GST_CCA_RESERVE (self->tracks, self->tracks_room, meta->n_tracks + 1))
    return FALSE;
  for (guint i = 0; i < meta->n_tracks; i++) {
    const GstCcaTrack *track = &meta->tracks[i];
    const gdouble x = track->x, y = track->y;

    if (track->track_id <= last || track->width == 0 || track->height == 0)
      continue; /* skip malformed third-party tracks */
    last = track->track_id;
    self->tracks[n++] = (GstCcaRulesTrack) {
      .id = track->track_id,
      .seen = track->state != GST_CCA_TRACK_STATE_COASTING,
      .box = { { x, y }, { x + track->width, y + track->height } },
      .area = track->area,
      .velocity = { track->velocity_x, track->velocity_y },
      .kind = track->object_type,
    };
  }
  *frame = (GstCcaRulesFrame) {
    .time = self->clock.time,
    .width = MAX (meta->width, 1),
    .height = MAX (meta->height, 1),
    .coverage = coverage_of (buffer, meta->id),
    .scene_changed = is_scene_change (buffer, meta->id),
    .tracks = self->tracks,
    .n_tracks = n,
  };
  return TRUE;
}

/* --- Frames ------------------------------------------------------------------------------------------ */

static gboolean
add_meta (GstCcaZones *self, GstBuffer *buffer, const GstCcaTrackMeta *meta)
{
  const GstCcaZonesReport *report = &self->report;

  return gst_buffer_add_cca_event_meta (buffer, meta->id, meta->width, meta->height,
                                        (const GstCcaRule *) report->rules->data, report->rules->len,
                                        (const GstCcaEvent *) report->events->data, report->events->len)
         != NULL;
}

/* Runs borrowed rules and makes the meta and, if wanted, messages. */
static gboolean
run_rules (GstCcaZones *self, GstCcaRules *rules, GstBuffer *buffer, const GstCcaTrackMeta *meta,
           const GstCcaRulesFrame *frame, const GstCcaMessageTimes *times, GQueue *messages)
{
  const GstCcaRulesEvent *events;
  gsize n_events;

  if (!gst_cca_rules_run (rules, frame, &events, &n_events))
    return FALSE;
  gst_cca_zones_report_fill (&self->report, rules, events, n_events);
  for (guint i = 0; messages && i < self->report.events->len; i++)
    g_queue_push_tail (messages, gst_cca_zones_report_message (GST_OBJECT (self), meta->id, times,
                                                               &g_array_index (self->report.events, GstCcaEvent, i)));
  return add_meta (self, buffer, meta);
}

static void
warn_outside (GstCcaZones *self, const gchar *name)
{
  gst_cca_post (self, GST_MESSAGE_WARNING, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                "The rule \"%s\" lies outside of frames of %ux%u pixels; give the size that it was drawn for as width "
                "and height of the rules",
                name, self->width, self->height);
}

static void
post_messages (GstCcaZones *self, GQueue *messages, guint64 interval, GstClockTime running_time)
{
  GstMessage *message;

  while ((message = g_queue_pop_head (messages)))
    gst_element_post_message (GST_ELEMENT (self), message);
  if (interval == 0 || !GST_CLOCK_TIME_IS_VALID (running_time))
    return;
  if (!GST_CLOCK_TIME_IS_VALID (self->last_counts))
    self->last_counts = running_time;
  else if (gst_cca_message_is_due (&self->last_counts, interval, running_time))
    post_counts (self);
}

static GstFlowReturn
judge_frame (GstCcaZones *self, GstBuffer *buffer, const GstCcaTrackMeta *meta)
{
  const GstCcaMessageTimes times = gst_cca_message_times (&GST_BASE_TRANSFORM (self)->segment, buffer);
  g_autofree gchar *outside = NULL;
  GQueue messages = G_QUEUE_INIT;
  GstCcaRulesFrame frame;
  GstCcaRules *rules;
  gboolean posts, done;
  guint64 interval;

  GST_OBJECT_LOCK (self);
  posts = self->post_messages;
  interval = self->counts_interval;
  GST_OBJECT_UNLOCK (self);

  follow_meta (self, meta);
  advance_time (self, buffer, times.running_time);
  self->last_times = times;
  if (!fill_frame (self, buffer, meta, &frame))
    return fail_for_memory (self, meta->n_tracks);

  rules = gst_cca_zones_engine_borrow (&self->engine);
  done = run_rules (self, rules, buffer, meta, &frame, &times, posts ? &messages : NULL);
  if (done)
    outside = g_strdup (gst_cca_zones_engine_find_outside (&self->engine, meta->width, meta->height,
                                                           self->width != meta->width || self->height != meta->height));
  gst_cca_zones_engine_give_back (&self->engine);

  self->width = meta->width;
  self->height = meta->height;
  if (outside)
    warn_outside (self, outside);
  /* Applications may answer a message with a call of this element. */
  if (posts)
    post_messages (self, &messages, interval, times.running_time);
  return done ? GST_FLOW_OK : fail_for_memory (self, meta->n_tracks);
}

static GstFlowReturn
gst_cca_zones_transform_ip (GstBaseTransform *base, GstBuffer *buffer)
{
  GstCcaZones *self = GST_CCA_ZONES (base);
  GstFlowReturn flow = GST_FLOW_OK;
  const GstCcaTrackMeta *meta;
  GRefString *id;

  if (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP))
    return GST_FLOW_OK;
  GST_OBJECT_LOCK (self);
  id = self->id ? g_ref_string_acquire (self->id) : NULL;
  GST_OBJECT_UNLOCK (self);
  if (!gst_cca_foreign_add_tracks (&self->foreign, buffer, id, self->frame_width, self->frame_height))
    flow = fail_for_memory (self, self->foreign.n);
  else if ((meta = find_meta (self, buffer, id)))
    flow = judge_frame (self, buffer, meta);
  g_clear_pointer (&id, g_ref_string_release);
  return flow;
}

/* In place: forwards the allocation query. */
static gboolean
gst_cca_zones_propose_allocation (GstBaseTransform *base, GstQuery *decide_query, GstQuery *query)
{
  return gst_pad_peer_query (GST_BASE_TRANSFORM_SRC_PAD (base), query);
}

static gboolean
gst_cca_zones_start (GstBaseTransform *base)
{
  GstCcaZones *self = GST_CCA_ZONES (base);
  g_autoptr (GError) error = NULL;
  GstCcaRules *rules;

  if (!gst_cca_check_name (self, "id"))
    return FALSE;
  g_mutex_lock (&self->reload_lock);
  rules = load_rules (self, &error);
  if (rules)
    gst_cca_zones_engine_start (&self->engine, rules);
  g_mutex_unlock (&self->reload_lock);
  if (!rules) {
    gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "%s", error->message);
    return FALSE;
  }
  self->clock = (GstCcaClock) { 0 };
  self->frame_duration = self->last_counts = GST_CLOCK_TIME_NONE;
  self->last_times =
      (GstCcaMessageTimes) { GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE };
  self->width = self->height = 0;
  self->warned = 0;
  g_clear_pointer (&self->judged_id, g_free);
  return TRUE;
}

static gboolean
gst_cca_zones_stop (GstBaseTransform *base)
{
  GstCcaZones *self = GST_CCA_ZONES (base);

  gst_cca_foreign_clear (&self->foreign);
  gst_cca_zones_engine_stop (&self->engine);
  return TRUE;
}

/* --- Object ------------------------------------------------------------------------------------------ */

static void
gst_cca_zones_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  GstCcaZones *self = GST_CCA_ZONES (object);

  if (id == PROP_ID && !gst_cca_accepts_name (self, spec->name, g_value_get_string (value)))
    return;
  GST_OBJECT_LOCK (self);
  switch ((Property) id) {
    case PROP_CONFIG: gst_cca_set_string (&self->config, value); break;
    case PROP_RULES: gst_cca_set_string (&self->text, value); break;
    case PROP_ID: gst_cca_set_shared_string (&self->id, g_value_get_string (value)); break;
    case PROP_POST_MESSAGES: self->post_messages = g_value_get_boolean (value); break;
    case PROP_COUNTS_INTERVAL: self->counts_interval = g_value_get_uint64 (value); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
  }
  GST_OBJECT_UNLOCK (self);
  if (id == PROP_CONFIG || id == PROP_RULES)
    gst_cca_zones_reload (self);
}

static void
gst_cca_zones_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  GstCcaZones *self = GST_CCA_ZONES (object);

  if (id == PROP_COUNTS) {
    g_value_take_boxed (value, gst_cca_zones_engine_counts (&self->engine));
    return;
  }
  GST_OBJECT_LOCK (self);
  switch ((Property) id) {
    case PROP_CONFIG: g_value_set_string (value, self->config); break;
    case PROP_RULES: g_value_set_string (value, self->text); break;
    case PROP_ID: g_value_set_string (value, self->id); break;
    case PROP_POST_MESSAGES: g_value_set_boolean (value, self->post_messages); break;
    case PROP_COUNTS_INTERVAL: g_value_set_uint64 (value, self->counts_interval); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_cca_zones_finalize (GObject *object)
{
  GstCcaZones *self = GST_CCA_ZONES (object);

  gst_cca_zones_engine_clear (&self->engine);
  gst_cca_zones_report_clear (&self->report);
  g_clear_pointer (&self->id, g_ref_string_release);
  g_free (self->config);
  g_free (self->text);
  g_free (self->judged_id);
  free (self->tracks);
  g_mutex_clear (&self->reload_lock);
  G_OBJECT_CLASS (gst_cca_zones_parent_class)->finalize (object);
}

static void
gst_cca_zones_init (GstCcaZones *self)
{
  g_mutex_init (&self->reload_lock);
  gst_cca_zones_engine_init (&self->engine);
  gst_cca_zones_report_init (&self->report);
  self->post_messages = TRUE;
  /* Every frame counts. */
  gst_base_transform_set_qos_enabled (GST_BASE_TRANSFORM (self), FALSE);
}

static void
install_signals (GType type)
{
  /**
   * GstCcaZones::reload:
   * @self: the element
   *
   * Reads the rules anew, as from a file that has changed. If they are wrong, a warning says why and the rules from
   * before stay.
   *
   * Returns: whether the rules were read; %FALSE in a state below PAUSED, too, where there are none so far
   *
   * Since: 0.1
   */
  signals[SIGNAL_RELOAD] =
      g_signal_new_class_handler ("reload", type, G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
                                  G_CALLBACK (gst_cca_zones_reload), NULL, NULL, NULL, G_TYPE_BOOLEAN, 0);
  /**
   * GstCcaZones::reset-counts:
   * @self: the element
   *
   * Sets all counters to 0. What is inside zones stays inside.
   *
   * Since: 0.1
   */
  signals[SIGNAL_RESET_COUNTS] =
      g_signal_new_class_handler ("reset-counts", type, G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
                                  G_CALLBACK (gst_cca_zones_reset_counts), NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
gst_cca_zones_class_init (GstCcaZonesClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *base_class = GST_BASE_TRANSFORM_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (cca_zones_debug, "ccazones", 0, "Zones and lines");

  object_class->set_property = gst_cca_zones_set_property;
  object_class->get_property = gst_cca_zones_get_property;
  object_class->finalize = gst_cca_zones_finalize;
  base_class->set_caps = gst_cca_zones_set_caps;
  base_class->start = gst_cca_zones_start;
  base_class->stop = gst_cca_zones_stop;
  base_class->sink_event = gst_cca_zones_sink_event;
  base_class->transform_ip = gst_cca_zones_transform_ip;
  base_class->propose_allocation = gst_cca_zones_propose_allocation;
  base_class->passthrough_on_same_caps = FALSE;

  g_object_class_install_property (object_class, PROP_CONFIG,
                                   g_param_spec_string ("config", "config", "JSON file with the rules", NULL, flags));
  g_object_class_install_property (
      object_class, PROP_RULES,
      g_param_spec_string ("rules", "rules", "The rules themselves, as JSON; used instead of config", NULL, flags));
  g_object_class_install_property (
      object_class, PROP_ID,
      g_param_spec_string ("id", "id", "Use the tracks of the analysis with this id (NULL = the first in a frame)",
                           NULL, flags));
  g_object_class_install_property (
      object_class, PROP_POST_MESSAGES,
      g_param_spec_boolean ("post-messages", "post-messages",
                            "Post element messages: \"cca-event\" for each event, \"cca-counts\" with the counters",
                            TRUE, flags));
  g_object_class_install_property (
      object_class, PROP_COUNTS_INTERVAL,
      g_param_spec_uint64 ("counts-interval", "counts-interval",
                           "Running time between two messages with the counters, ns; 0 = only at the end of the stream",
                           0, G_MAXUINT64, 0, flags));
  g_object_class_install_property (
      object_class, PROP_COUNTS,
      g_param_spec_boxed ("counts", "counts", "The counters now: lists \"rules\" and \"flows\", as in the message",
                          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  install_signals (G_TYPE_FROM_CLASS (klass));

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Connected components zones", "Filter/Analyzer/Video",
                                         "Counts tracked objects in zones and over lines, and reports events there",
                                         "gst-cca developers");
}
