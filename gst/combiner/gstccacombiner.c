/* gst-cca: ccacombiner, puts the metas of a small analysed branch onto the full-size video
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccacombinerstream.h"
#include "gstccaproperties.h"

GST_DEBUG_CATEGORY (gst_cca_combiner_debug);
#define GST_CAT_DEFAULT gst_cca_combiner_debug

/* Durations above this one are not trusted: the next analysed frame may come earlier. */
#define LARGEST_DURATION (10 * (GstClockTimeDiff) GST_SECOND)
/* Longest wait of an analysed frame that is far ahead of the video. */
#define META_PATIENCE G_TIME_SPAN_SECOND

#define ANY_VIDEO "video/x-raw(ANY)"

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS (ANY_VIDEO));
static GstStaticPadTemplate meta_template =
    GST_STATIC_PAD_TEMPLATE ("meta", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS (ANY_VIDEO));
static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (ANY_VIDEO));

G_DEFINE_TYPE (GstCcaCombiner, gst_cca_combiner, GST_TYPE_ELEMENT)
GST_ELEMENT_REGISTER_DECLARE (ccacombiner);
GST_ELEMENT_REGISTER_DEFINE (ccacombiner, "ccacombiner", GST_RANK_NONE, GST_TYPE_CCA_COMBINER)

#define GST_TYPE_CCA_COMBINER_MISSING (gst_cca_combiner_missing_get_type ())
static GType gst_cca_combiner_missing_get_type (void);
G_DEFINE_ENUM_TYPE (GstCcaCombinerMissing, gst_cca_combiner_missing,
                    { GST_CCA_COMBINER_MISSING_NONE, "It goes on without metas", "none" },
                    { GST_CCA_COMBINER_MISSING_LAST, "It gets those of the last analysed frame, unless that is too old",
                      "last" })

static GstStructure *
make_stats (gpointer object)
{
  const GstCcaCombiner *self = object;

  return gst_structure_new ("ccacombiner-stats", "frames", G_TYPE_UINT64, self->n_frames, "matched", G_TYPE_UINT64,
                            self->n_matched, "repeated", G_TYPE_UINT64, self->n_repeated, "without", G_TYPE_UINT64,
                            self->n_without, "analysed", G_TYPE_UINT64, self->n_analysed, "late", G_TYPE_UINT64,
                            self->n_late, NULL);
}

#define AT(field) G_STRUCT_OFFSET (GstCcaCombiner, field)

static const GstCcaProperty list[] = {
  { "missing", AT (missing), G_TYPE_ENUM, .value = GST_CCA_COMBINER_MISSING_LAST,
    .get_type = gst_cca_combiner_missing_get_type,
    .blurb = "The metas for a frame without an analysed frame of its own" },
  { "max-age", AT (max_age), G_TYPE_UINT64, 0, G_MAXUINT64, 500 * GST_MSECOND,
    .blurb = "With missing=last: how much older the analysed frame may be than the frame, ns" },
  { "tolerance", AT (tolerance), G_TYPE_INT64, (guint64) -1, G_MAXINT64, (guint64) -1,
    .blurb = "How far the running times of a frame and its analysed frame may differ, ns (-1 = half of the frame's "
             "duration)" },
  { "max-wait", AT (max_wait), G_TYPE_UINT64, 0, G_MAXINT64, 100 * GST_MSECOND,
    .blurb = "Live pipelines: how long the analysis of a frame may take, ns; adds to the latency" },
  { "max-size-time", AT (max_size_time), G_TYPE_UINT64, 0, G_MAXINT64, 2 * GST_SECOND,
    .blurb = "Other pipelines: how far one branch may be ahead of the other, ns (0 = no limit)" },
  { "stats", .type = G_TYPE_BOXED, .make = make_stats,
    .blurb = "Frames: all, matched with their own analysed frame, with the last one's metas repeated, without metas; "
             "analysed frames: all, too late for their frame" },
};
static const GstCcaProperties properties = { 1, G_N_ELEMENTS (list), list, GST_CCA_PROPERTY_PLAYING };

/* --- The analysed video -------------------------------------------------------------------------------- */

/* Returns whether enough analysed frames are held for frames to come. */
static gboolean
is_ahead (GstCcaCombiner *self)
{
  const gboolean flows = self->flow == GST_FLOW_OK || self->flow == GST_FLOW_FLUSHING;

  return flows && !self->meta_flushing && !self->ended && !self->refused && !self->live && self->max_size_time > 0
         && gst_cca_matcher_count (self->matcher) >= GST_CCA_COMBINER_MIN_HELD
         && gst_cca_matcher_span (self->matcher) >= (gint64) self->max_size_time;
}

static GstFlowReturn
gst_cca_combiner_meta_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  GstCcaCombiner *self = GST_CCA_COMBINER (parent);
  const gint64 time = gst_cca_combiner_running_time (&self->meta_segment, GST_BUFFER_PTS (buffer));
  const gint64 patience = g_get_monotonic_time () + META_PATIENCE;
  GstClockTimeDiff duration = gst_cca_combiner_running_duration (&self->meta_segment, buffer);
  gboolean believed, went_back;
  GstCcaCarrier *carrier;
  GstFlowReturn flow;

  if (self->meta_info.width == 0) {
    gst_buffer_unref (buffer);
    return GST_FLOW_NOT_NEGOTIATED;
  }
  if (duration == 0)
    duration = (GstClockTimeDiff) ((gdouble) gst_cca_combiner_nominal_duration (&self->meta_info)
                                   / ABS (self->meta_segment.rate));
  carrier = gst_cca_carrier_new (buffer, &self->meta_info);
  gst_buffer_unref (buffer);
  if (time == GST_CCA_COMBINER_NO_TIME) {
    gst_cca_carrier_unref (carrier);
    gst_cca_combiner_warn_without_time (self);
    return GST_FLOW_OK;
  }

  believed = gst_cca_combiner_believe (&self->meta_clock, time, &went_back);
  duration = MIN (duration, LARGEST_DURATION);
  g_mutex_lock (&self->lock);
  if (went_back) {
    gst_cca_matcher_reset (self->matcher);
    self->went_back = TRUE;
  }
  /* An element before `sink` may need this branch to continue before it delivers a frame. */
  while (is_ahead (self) && g_cond_wait_until (&self->changed, &self->lock, patience))
    ;
  self->n_analysed++;
  if (time <= self->sent)
    self->n_late++;
  if (self->meta_flushing)
    flow = GST_FLOW_FLUSHING;
  else
    flow = self->flow == GST_FLOW_FLUSHING ? GST_FLOW_OK : self->flow;
  if (flow == GST_FLOW_OK && self->refused)
    flow = GST_FLOW_EOS;
  if (flow != GST_FLOW_OK || self->ended || !believed)
    gst_cca_carrier_unref (carrier);
  else if (!gst_cca_matcher_add (self->matcher, time, duration, carrier))
    GST_WARNING_OBJECT (self, "no memory for an analysed frame");
  self->silent = FALSE;
  gst_cca_combiner_wake (self);
  g_mutex_unlock (&self->lock);
  return flow;
}

static void
pass_gap (GstCcaCombiner *self, GstEvent *event)
{
  GstCcaClock clock = self->meta_clock;
  GstClockTime start, duration;
  gboolean went_back;
  gint64 time;

  gst_event_parse_gap (event, &start, &duration);
  time = gst_cca_combiner_running_time (&self->meta_segment, start);
  if (time == GST_CCA_COMBINER_NO_TIME || !gst_cca_combiner_believe (&clock, time, &went_back))
    return;
  if (GST_CLOCK_TIME_IS_VALID (duration))
    time += (gint64) (duration / ABS (self->meta_segment.rate));
  g_mutex_lock (&self->lock);
  gst_cca_matcher_pass (self->matcher, time);
  self->silent = FALSE;
  gst_cca_combiner_wake (self);
  g_mutex_unlock (&self->lock);
}

/* Consumes the events of `meta`: none goes downstream. */
static gboolean
gst_cca_combiner_meta_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  GstCcaCombiner *self = GST_CCA_COMBINER (parent);
  gboolean taken = TRUE;
  GstCaps *caps;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_STREAM_START:
      g_mutex_lock (&self->lock);
      gst_cca_matcher_begin (self->matcher);
      self->latency_known = FALSE;
      g_mutex_unlock (&self->lock);
      break;
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      taken = gst_cca_carrier_parse_caps (&self->meta_info, caps);
      break;
    case GST_EVENT_SEGMENT: gst_event_copy_segment (event, &self->meta_segment); break;
    case GST_EVENT_GAP: pass_gap (self, event); break;
    case GST_EVENT_EOS:
      g_mutex_lock (&self->lock);
      gst_cca_matcher_end (self->matcher);
      gst_cca_combiner_wake (self);
      g_mutex_unlock (&self->lock);
      break;
    case GST_EVENT_FLUSH_START:
    case GST_EVENT_FLUSH_STOP:
      g_mutex_lock (&self->lock);
      self->meta_flushing = GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_START;
      gst_cca_matcher_reset (self->matcher);
      self->silent = FALSE;
      gst_cca_combiner_wake (self);
      g_mutex_unlock (&self->lock);
      if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP) {
        gst_segment_init (&self->meta_segment, GST_FORMAT_UNDEFINED);
        self->meta_clock = (GstCcaClock) { 0 };
      }
      break;
    default: break;
  }
  gst_event_unref (event);
  return taken;
}

static gboolean
gst_cca_combiner_meta_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return gst_pad_query_default (pad, parent, query);
  /* Pixels are not looked at. */
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return TRUE;
}

static gboolean
gst_cca_combiner_meta_activate_mode (GstPad *pad, GstObject *parent, GstPadMode mode, gboolean active)
{
  GstCcaCombiner *self = GST_CCA_COMBINER (parent);

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  g_mutex_lock (&self->lock);
  self->meta_flushing = !active;
  gst_cca_combiner_wake (self);
  g_mutex_unlock (&self->lock);
  return TRUE;
}

/* Records whether `meta` is linked: frames must not wait for an absent branch. */
static void
set_linked (GstPad *pad, GstPad *peer, gpointer data)
{
  GstCcaCombiner *self = GST_CCA_COMBINER (data);

  g_mutex_lock (&self->lock);
  self->linked = gst_pad_is_linked (pad);
  gst_cca_combiner_wake (self);
  g_mutex_unlock (&self->lock);
}

/* --- The element --------------------------------------------------------------------------------------- */

/* Links `sink` and `src`; `meta` ends here. */
static GstIterator *
gst_cca_combiner_internal_links (GstPad *pad, GstObject *parent)
{
  GstCcaCombiner *self = GST_CCA_COMBINER (parent);
  GValue value = G_VALUE_INIT;
  GstIterator *links;

  if (pad == self->meta)
    return NULL;
  g_value_init (&value, GST_TYPE_PAD);
  g_value_set_object (&value, pad == self->sink ? self->src : self->sink);
  links = gst_iterator_new_single (GST_TYPE_PAD, &value);
  g_value_unset (&value);
  return links;
}

static void
set_playing (GstCcaCombiner *self, gboolean playing)
{
  g_mutex_lock (&self->lock);
  self->playing = playing;
  gst_cca_combiner_wake (self);
  g_mutex_unlock (&self->lock);
}

/* For pads that are not active. */
static void
reset (GstCcaCombiner *self)
{
  g_mutex_lock (&self->lock);
  gst_cca_combiner_reset_stream (self);
  gst_cca_matcher_reset (self->matcher);
  self->silent = FALSE;
  gst_segment_init (&self->meta_segment, GST_FORMAT_UNDEFINED);
  self->meta_clock = (GstCcaClock) { 0 };
  gst_video_info_init (&self->meta_info);
  g_mutex_unlock (&self->lock);
}

static GstStateChangeReturn
gst_cca_combiner_change_state (GstElement *element, GstStateChange transition)
{
  GstCcaCombiner *self = GST_CCA_COMBINER (element);
  GstStateChangeReturn changed;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    reset (self);
    self->n_frames = self->n_matched = self->n_repeated = self->n_without = self->n_analysed = self->n_late = 0;
  } else if (transition == GST_STATE_CHANGE_PAUSED_TO_PLAYING || transition == GST_STATE_CHANGE_PLAYING_TO_PAUSED) {
    set_playing (self, transition == GST_STATE_CHANGE_PAUSED_TO_PLAYING);
  }
  changed = GST_ELEMENT_CLASS (gst_cca_combiner_parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    reset (self);
  return changed;
}

static void
gst_cca_combiner_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  GstCcaCombiner *self = GST_CCA_COMBINER (object);
  GstClockTime max_wait;
  gboolean latency_changed;

  g_mutex_lock (&self->lock);
  max_wait = self->max_wait;
  gst_cca_property_set (object, id, value, spec);
  latency_changed = self->live && self->max_wait != max_wait;
  gst_cca_combiner_wake (self);
  g_mutex_unlock (&self->lock);
  if (latency_changed)
    gst_element_post_message (GST_ELEMENT (self), gst_message_new_latency (GST_OBJECT (self)));
}

static void
gst_cca_combiner_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  GstCcaCombiner *self = GST_CCA_COMBINER (object);

  g_mutex_lock (&self->lock);
  gst_cca_property_get (object, id, value, spec);
  g_mutex_unlock (&self->lock);
}

static void
gst_cca_combiner_finalize (GObject *object)
{
  GstCcaCombiner *self = GST_CCA_COMBINER (object);

  gst_cca_matcher_free (self->matcher);
  gst_cca_combiner_clear_stream (self);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (gst_cca_combiner_parent_class)->finalize (object);
}

static void
gst_cca_combiner_class_init (GstCcaCombinerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (gst_cca_combiner_debug, "ccacombiner", 0, "Metas of a small branch on the full-size video");

  gst_cca_properties_install (&properties, object_class, 0);
  object_class->set_property = gst_cca_combiner_set_property;
  object_class->get_property = gst_cca_combiner_get_property;
  object_class->finalize = gst_cca_combiner_finalize;
  element_class->change_state = gst_cca_combiner_change_state;

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &meta_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (
      element_class, "Connected components combiner", "Filter/Video",
      "Puts the components found in a small branch onto the frames of the full-size video, scaled",
      "gst-cca developers");
  gst_type_mark_as_plugin_api (GST_TYPE_CCA_COMBINER_MISSING, 0);
}

static GstPad *
add_pad (GstCcaCombiner *self, GstStaticPadTemplate *template)
{
  GstPad *pad = gst_pad_new_from_static_template (template, template->name_template);

  gst_pad_set_iterate_internal_links_function (pad, gst_cca_combiner_internal_links);
  gst_element_add_pad (GST_ELEMENT (self), pad);
  return pad;
}

static void
gst_cca_combiner_init (GstCcaCombiner *self)
{
  gst_cca_properties_init (&properties, self);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->matcher = gst_cca_matcher_new (gst_cca_carrier_unref);
  g_assert (self->matcher != NULL); /* like GLib */

  self->sink = add_pad (self, &sink_template);
  self->src = add_pad (self, &src_template);
  gst_cca_combiner_init_stream (self);

  self->meta = add_pad (self, &meta_template);
  gst_pad_set_chain_function (self->meta, gst_cca_combiner_meta_chain);
  gst_pad_set_event_function (self->meta, gst_cca_combiner_meta_event);
  gst_pad_set_query_function (self->meta, gst_cca_combiner_meta_query);
  gst_pad_set_activatemode_function (self->meta, gst_cca_combiner_meta_activate_mode);
  g_signal_connect (self->meta, "linked", G_CALLBACK (set_linked), self);
  g_signal_connect (self->meta, "unlinked", G_CALLBACK (set_linked), self);
}
