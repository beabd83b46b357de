/* gst-cca: ccazones, watches zones and lines
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/cca/gstccameta.h>
#include <gst/cca/gstccatrackmeta.h>
#include <gst/video/video.h>

#include "array.h"
#include "gstccafilter.h"
#include "gstccaforeign.h"
#include "gstccapost.h"
#include "gstccaproperties.h"
#include "gstccazonesconfig.h"
#include "gstccazonesengine.h"
#include "gstccazonesreport.h"

#define MOST_HELD 1024 /* frames: no doubt lasts so long */

enum
{
  PROP_COUNTS = GST_CCA_FILTER_LAST_PROP + 1,
  PROP_OTHERS,
};

enum
{
  SIGNAL_RELOAD,
  SIGNAL_RESET_COUNTS,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

/* Problems with a stream; each is reported once. */
typedef enum
{
  WARNED_NO_TRACKS = 1 << 0,
  WARNED_TIME = 1 << 1,
} Warned;

/* A frame whose tracks the rules do not judge yet. */
typedef struct
{
  GstCcaRulesFrame frame;
  GstCcaObject *tracks; /* the frame's */
  GstCcaMessageTimes times;
} Held;

#define GST_TYPE_CCA_ZONES (gst_cca_zones_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaZones, gst_cca_zones, GST, CCA_ZONES, GstCcaFilter)

struct _GstCcaZones
{
  GstCcaFilter parent;

  /* Under the object lock. */
  gchar *config, *text; /* the properties config and rules */
  guint64 counts_interval;

  GMutex reload_lock; /* held from reading rules to using them */
  GstCcaZonesEngine engine;

  GstCcaZonesReport report;
  GArray *held;        /* of Held, while the camera is in doubt */
  const gchar *paused; /* the camera's trouble in the last frame; NULL: it was well */

  GstCcaForeign foreign;
  guint frame_width, frame_height; /* as the caps say */

  GstCcaObject *tracks; /* a frame's */
  gsize tracks_room;
};

G_DEFINE_TYPE (GstCcaZones, gst_cca_zones, GST_TYPE_CCA_FILTER)
GST_ELEMENT_REGISTER_DECLARE (ccazones);
GST_ELEMENT_REGISTER_DEFINE (ccazones, "ccazones", GST_RANK_NONE, GST_TYPE_CCA_ZONES)

#define AT(field) G_STRUCT_OFFSET (GstCcaZones, field)

static const GstCcaProperty list[] = {
  { "config", AT (config), G_TYPE_STRING, .blurb = "JSON file with the rules" },
  { "rules", AT (text), G_TYPE_STRING, .blurb = "The rules themselves, as JSON; used instead of config" },
  { "counts-interval", AT (counts_interval), G_TYPE_UINT64, 0, G_MAXUINT64, 0,
    .blurb = "Running time between two messages with the counters, ns; 0 = only at the end of the stream" },
};
static const GstCcaProperties properties = { PROP_OTHERS, G_N_ELEMENTS (list), list, GST_CCA_PROPERTY_PLAYING };

/* --- Failures ---------------------------------------------------------------------------------------- */

static void
gst_cca_zones_miss (GstCcaFilter *self, GstBuffer *buffer)
{
  const gboolean detections = GST_CCA_ZONES (self)->foreign.n > 0;

  if ((detections || gst_buffer_get_cca_meta (buffer)) && gst_cca_is_first (&self->warned, WARNED_NO_TRACKS))
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                  "Frames carry %s, but no tracks: put ccatrack before ccazones",
                  detections ? "detections" : "components");
}

static void
warn_time (GstCcaZones *self)
{
  const GstCcaClock *clock = &self->parent.clock;
  const gboolean returned = self->parent.step == GST_CCA_CLOCK_WAS_AHEAD;
  const GstCcaClockFrame *from = returned ? &clock->doubted : &clock->believed;
  const GstCcaClockFrame *to = returned ? &clock->believed : &clock->doubted;

  if (gst_cca_is_first (&self->parent.warned, WARNED_TIME))
    gst_cca_post_detail (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                         g_strdup ("rules count a single such frame as one of usual duration, and follow several"),
                         "Time stamps are irregular: running time jumped from %" GST_TIME_FORMAT
                         " to %" GST_TIME_FORMAT,
                         GST_TIME_ARGS (from->stamp), GST_TIME_ARGS (to->stamp));
}

/* --- Rules ------------------------------------------------------------------------------------------- */

/* Makes an engine of the properties' rules. Sets *message to the message to post then, or NULL. */
static GstCcaRules *
load_rules (GstCcaZones *self, GstMessage **message, GError **error)
{
  g_autofree gchar *path = NULL, *text = NULL;
  g_autoptr (GstCcaZonesConfig) config = NULL;
  GstCcaRules *rules;
  gboolean posts;

  *message = NULL;
  GST_OBJECT_LOCK (self);
  posts = self->parent.post_messages;
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
  else if (posts)
    *message = gst_cca_zones_ground_message (GST_OBJECT (self), config);
  return rules;
}

static gboolean
gst_cca_zones_reload (GstCcaZones *self)
{
  g_autoptr (GError) error = NULL;
  GstMessage *message = NULL;
  gboolean running;

  g_mutex_lock (&self->reload_lock);
  running = gst_cca_zones_engine_is_running (&self->engine);
  if (running) {
    GstCcaRules *rules = load_rules (self, &message, &error);

    if (rules && !gst_cca_zones_engine_exchange (&self->engine, rules))
      g_set_error (&error, GST_CCA_ZONES_CONFIG_ERROR, 0, "No memory for rules");
  }
  g_mutex_unlock (&self->reload_lock);
  if (error)
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                  "%s; keeping the previous rules", error->message);
  if (message)
    gst_element_post_message (GST_ELEMENT (self), message);
  return running && !error;
}

static void
gst_cca_zones_reset_counts (GstCcaZones *self)
{
  gst_cca_zones_engine_reset_counts (&self->engine);
}

/* --- Timeline ---------------------------------------------------------------------------------------- */

static void
gst_cca_zones_forget (GstCcaFilter *filter)
{
  g_array_set_size (GST_CCA_ZONES (filter)->held, 0);
  gst_cca_zones_engine_forget (&GST_CCA_ZONES (filter)->engine);
}

static void
post_counts (GstCcaZones *self)
{
  GstStructure *structure = gst_cca_zones_engine_counts (&self->engine);

  gst_cca_message_times_set (&self->parent.times, structure);
  gst_element_post_message (GST_ELEMENT (self), gst_message_new_element (GST_OBJECT (self), structure));
}

static gboolean
gst_cca_zones_set_caps (GstBaseTransform *base, GstCaps *caps, GstCaps *source_caps)
{
  GstCcaZones *self = GST_CCA_ZONES (base);

  gst_cca_foreign_frame_size (caps, &self->frame_width, &self->frame_height);
  return GST_BASE_TRANSFORM_CLASS (gst_cca_zones_parent_class)->set_caps (base, caps, source_caps);
}

/* --- Input ------------------------------------------------------------------------------------------ */

/* Detections with ids of another tracker become tracks first. */
static gboolean
gst_cca_zones_find (GstCcaFilter *filter, GstBuffer *buffer, const gchar *id, gconstpointer *meta)
{
  GstCcaZones *self = GST_CCA_ZONES (filter);

  if (!gst_cca_foreign_add_tracks (&self->foreign, buffer, id, self->frame_width, self->frame_height)) {
    gst_cca_filter_no_memory (filter, "rules", self->foreign.n);
    return FALSE;
  }
  return GST_CCA_FILTER_CLASS (gst_cca_zones_parent_class)->find (filter, buffer, id, meta);
}

/* Returns the part of the frame that components cover, or -1 if that is not known. */
static gdouble
coverage_of (const GstCcaMeta *meta)
{
  gdouble area = 0.0;

  if (!meta || meta->stale || meta->width == 0 || meta->height == 0)
    return -1.0;
  for (guint i = 0; i < meta->n_stored; i++)
    area += meta->components[i].area;
  return area / ((gdouble) meta->width * meta->height);
}

static gboolean
fill_frame (GstCcaZones *self, GstBuffer *buffer, const GstCcaTrackMeta *meta, GstCcaRulesFrame *frame)
{
  const GstCcaMeta *components = gst_buffer_get_cca_meta_by_id (buffer, meta->id); /* of the same analysis */
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
    self->tracks[n++] = (GstCcaObject) {
      .id = track->track_id,
      .state = track->state == GST_CCA_TRACK_STATE_COASTING ? GST_CCA_OBJECT_COASTING : GST_CCA_OBJECT_CONFIRMED,
      .box = { { x, y }, { x + track->width, y + track->height } },
      .area = track->area,
      .velocity = { track->velocity_x, track->velocity_y },
      .kind = track->object_type,
    };
  }
  *frame = (GstCcaRulesFrame) {
    .time = self->parent.clock.time,
    .width = MAX (meta->width, 1),
    .height = MAX (meta->height, 1),
    .coverage = coverage_of (components),
    .scene_changed = components && components->scene_change,
    .tracks = self->tracks,
    .n_tracks = n,
    .paused = self->parent.trouble != NULL,
  };
  return TRUE;
}

/* --- Frames ------------------------------------------------------------------------------------------ */

static gboolean
add_meta (GstCcaZones *self, GstBuffer *buffer, const GstCcaTrackMeta *meta)
{
  const GstCcaZonesReport *report = &self->report;
  GstCcaEventMeta *added = gst_buffer_add_cca_event_meta (buffer, meta->id, meta->width, meta->height,
                                                          (const GstCcaRule *) report->rules->data, report->rules->len,
                                                          report->events, report->n_events);

  return added
         && (report->n_ground_tracks == 0
             || gst_cca_event_meta_set_ground_tracks (added, report->ground_tracks, report->n_ground_tracks));
}

/* Runs borrowed rules on a frame. Adds its events to the report and, if wanted, to messages. */
static gboolean
run_rules (GstCcaZones *self, GstCcaRules *rules, const GstCcaRulesFrame *frame, const GstCcaMessageTimes *times,
           GQueue *messages)
{
  const GstCcaZonesReport *report = &self->report;
  const gsize first = report->n_events;
  const GstCcaRulesEvent *events;
  gsize n_events;

  if (!gst_cca_rules_run (rules, frame, &events, &n_events)
      || !gst_cca_zones_report_add (&self->report, rules, events, n_events))
    return FALSE;
  for (gsize i = first; messages && i < report->n_events; i++)
    g_queue_push_tail (
        messages, gst_cca_zones_report_message (GST_OBJECT (self), self->parent.source, times, &report->events[i]));
  return TRUE;
}

static void
hold (GstCcaZones *self, const GstCcaRulesFrame *frame, const GstCcaMessageTimes *times)
{
  Held held = { *frame, g_memdup2 (frame->tracks, frame->n_tracks * sizeof *frame->tracks), *times };

  held.frame.tracks = held.tracks;
  g_array_append_val (self->held, held);
}

static void
clear_held (gpointer held)
{
  g_free (((Held *) held)->tracks);
}

/* Runs borrowed rules on the frames that were held. */
static gboolean
run_held (GstCcaZones *self, GstCcaRules *rules, GQueue *messages)
{
  gboolean done = TRUE;

  for (guint i = 0; done && i < self->held->len; i++) {
    const Held *held = &g_array_index (self->held, Held, i);

    done = run_rules (self, rules, &held->frame, &held->times, messages);
  }
  g_array_set_size (self->held, 0);
  return done;
}

/* Whether a frame waits until it is known that the camera was well. Rules must know the size of frames. */
static gboolean
must_wait (GstCcaZones *self, const GstCcaRulesFrame *frame)
{
  return self->parent.doubt && !frame->paused && !self->parent.resized && self->held->len < MOST_HELD;
}

/* Judges a frame and those that were held, or holds it, and adds the meta. */
static gboolean
judge_frame (GstCcaZones *self, GstCcaRules *rules, GstBuffer *buffer, const GstCcaTrackMeta *meta, GQueue *messages)
{
  const GstCcaMessageTimes *times = &self->parent.times;
  GstCcaRulesFrame frame;
  gboolean waits;

  if (!fill_frame (self, buffer, meta, &frame))
    return FALSE;
  waits = must_wait (self, &frame);
  if (frame.paused)
    g_array_set_size (self->held, 0);
  gst_cca_zones_report_begin (&self->report);
  if (waits)
    hold (self, &frame, times);
  else if (!run_held (self, rules, messages) || !run_rules (self, rules, &frame, times, messages))
    return FALSE;
  if (!gst_cca_zones_report_fill (&self->report, rules))
    return FALSE;
  if (waits)
    self->report.n_ground_tracks = 0; /* those are of an earlier frame */
  return add_meta (self, buffer, meta);
}

static void
warn_outside (GstCcaZones *self, const gchar *name)
{
  gst_cca_post (self, GST_MESSAGE_WARNING, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                "The rule \"%s\" lies outside of frames of %ux%u pixels; set the rules' width and height", name,
                self->parent.width, self->parent.height);
}

static void
post_messages (GstCcaZones *self, GQueue *messages)
{
  GstMessage *message;

  while ((message = g_queue_pop_head (messages)))
    gst_element_post_message (GST_ELEMENT (self), message);
}

/* Posts the counters if it is time. */
static void
post_due_counts (GstCcaZones *self, guint64 interval)
{
  const GstClockTime running_time = self->parent.times.running_time;
  GstClockTime *last = &self->parent.last_message;

  if (interval == 0 || !GST_CLOCK_TIME_IS_VALID (running_time))
    return;
  if (!GST_CLOCK_TIME_IS_VALID (*last))
    *last = running_time;
  else if (gst_cca_message_is_due (last, interval, running_time))
    post_counts (self);
}

/* Stores the camera's trouble, which pauses the rules. Returns the message if it changed, or NULL. */
static GstMessage *
follow_pause (GstCcaZones *self)
{
  const gchar *trouble = self->parent.trouble;
  const gboolean changed = trouble != self->paused;

  self->paused = trouble;
  return changed ? gst_cca_zones_pause_message (GST_OBJECT (self), &self->parent.times, trouble) : NULL;
}

static GstFlowReturn
gst_cca_zones_filter (GstCcaFilter *filter, GstBuffer *buffer, gconstpointer data)
{
  GstCcaZones *self = GST_CCA_ZONES (filter);
  const GstCcaTrackMeta *meta = data;
  g_autofree gchar *outside = NULL;
  GQueue messages = G_QUEUE_INIT;
  GstMessage *pause;
  GstCcaRules *rules;
  gboolean posts, done;
  guint64 interval;

  GST_OBJECT_LOCK (self);
  posts = filter->post_messages;
  interval = self->counts_interval;
  GST_OBJECT_UNLOCK (self);

  if (filter->step != GST_CCA_CLOCK_GOES_ON)
    warn_time (self);
  pause = follow_pause (self);
  if (pause && posts)
    g_queue_push_tail (&messages, pause);
  else
    gst_clear_message (&pause);

  rules = gst_cca_zones_engine_borrow (&self->engine);
  done = judge_frame (self, rules, buffer, meta, posts ? &messages : NULL);
  if (done)
    outside = g_strdup (gst_cca_zones_engine_find_outside (&self->engine, meta->width, meta->height, filter->resized));
  gst_cca_zones_engine_give_back (&self->engine);

  if (outside)
    warn_outside (self, outside);
  /* Applications may answer a message with a call of this element. */
  if (posts) {
    post_messages (self, &messages);
    post_due_counts (self, interval);
  }
  return done ? GST_FLOW_OK : gst_cca_filter_no_memory (filter, "rules", meta->n_tracks);
}

/* Judges the frames that are still held at the end: the camera was well, as far as is known. */
static void
judge_held (GstCcaZones *self, gboolean posts)
{
  GQueue messages = G_QUEUE_INIT;
  GstCcaRules *rules = gst_cca_zones_engine_borrow (&self->engine);
  gboolean done;

  gst_cca_zones_report_begin (&self->report);
  done = run_held (self, rules, posts ? &messages : NULL);
  gst_cca_zones_engine_give_back (&self->engine);
  post_messages (self, &messages);
  if (!done)
    gst_cca_filter_no_memory (&self->parent, "rules", 0);
}

static gboolean
gst_cca_zones_sink_event (GstBaseTransform *base, GstEvent *event)
{
  GstCcaZones *self = GST_CCA_ZONES (base);
  gboolean posts;

  GST_OBJECT_LOCK (self);
  posts = self->parent.post_messages;
  GST_OBJECT_UNLOCK (self);
  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS) {
    judge_held (self, posts);
    if (posts)
      post_counts (self);
  }
  return GST_BASE_TRANSFORM_CLASS (gst_cca_zones_parent_class)->sink_event (base, event);
}

static gboolean
gst_cca_zones_start (GstBaseTransform *base)
{
  GstCcaZones *self = GST_CCA_ZONES (base);
  g_autoptr (GError) error = NULL;
  GstMessage *message = NULL;
  GstCcaRules *rules;

  if (!GST_BASE_TRANSFORM_CLASS (gst_cca_zones_parent_class)->start (base))
    return FALSE;
  self->paused = NULL;
  g_mutex_lock (&self->reload_lock);
  rules = load_rules (self, &message, &error);
  if (rules)
    gst_cca_zones_engine_start (&self->engine, rules);
  g_mutex_unlock (&self->reload_lock);
  if (!rules) {
    gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "%s", error->message);
    return FALSE;
  }
  if (message)
    gst_element_post_message (GST_ELEMENT (self), message);
  return TRUE;
}

static gboolean
gst_cca_zones_stop (GstBaseTransform *base)
{
  GstCcaZones *self = GST_CCA_ZONES (base);

  gst_cca_foreign_clear (&self->foreign);
  g_array_set_size (self->held, 0);
  gst_cca_zones_engine_stop (&self->engine);
  return TRUE;
}

/* --- Object ------------------------------------------------------------------------------------------ */

static void
gst_cca_zones_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  gst_cca_property_set (object, id, value, spec);
  if (G_IS_PARAM_SPEC_STRING (spec))
    gst_cca_zones_reload (GST_CCA_ZONES (object));
}

static void
gst_cca_zones_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  if (id == PROP_COUNTS)
    g_value_take_boxed (value, gst_cca_zones_engine_counts (&GST_CCA_ZONES (object)->engine));
  else
    gst_cca_property_get (object, id, value, spec);
}

static void
gst_cca_zones_finalize (GObject *object)
{
  GstCcaZones *self = GST_CCA_ZONES (object);

  gst_cca_zones_engine_clear (&self->engine);
  gst_cca_zones_report_clear (&self->report);
  gst_cca_properties_clear (&properties, self);
  g_array_unref (self->held);
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
  self->held = g_array_new (FALSE, FALSE, sizeof (Held));
  g_array_set_clear_func (self->held, clear_held);
}

static void
install_signals (GType type)
{
  signals[SIGNAL_RELOAD] =
      g_signal_new_class_handler ("reload", type, G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
                                  G_CALLBACK (gst_cca_zones_reload), NULL, NULL, NULL, G_TYPE_BOOLEAN, 0);
  signals[SIGNAL_RESET_COUNTS] =
      g_signal_new_class_handler ("reset-counts", type, G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
                                  G_CALLBACK (gst_cca_zones_reset_counts), NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
gst_cca_zones_class_init (GstCcaZonesClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *base_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstCcaFilterClass *filter_class = GST_CCA_FILTER_CLASS (klass);

  gst_cca_properties_install (&properties, object_class, 0);
  object_class->set_property = gst_cca_zones_set_property;
  object_class->get_property = gst_cca_zones_get_property;
  object_class->finalize = gst_cca_zones_finalize;
  base_class->set_caps = gst_cca_zones_set_caps;
  base_class->start = gst_cca_zones_start;
  base_class->stop = gst_cca_zones_stop;
  base_class->sink_event = gst_cca_zones_sink_event;
  filter_class->get_api = gst_cca_track_meta_api_get_type;
  filter_class->stale = G_STRUCT_OFFSET (GstCcaTrackMeta, stale);
  filter_class->reads = "tracks";
  filter_class->idle = "No rules apply";
  filter_class->find = gst_cca_zones_find;
  filter_class->filter = gst_cca_zones_filter;
  filter_class->forget = gst_cca_zones_forget;
  filter_class->miss = gst_cca_zones_miss;

  g_object_class_install_property (
      object_class, PROP_COUNTS,
      g_param_spec_boxed ("counts", "counts", "The counters now: lists \"rules\" and \"flows\", as in the message",
                          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  install_signals (G_TYPE_FROM_CLASS (klass));

  gst_element_class_set_static_metadata (element_class, "Connected components zones", "Filter/Analyzer/Video",
                                         "Counts tracked objects in zones and over lines, and reports events there",
                                         "gst-cca developers");
}
