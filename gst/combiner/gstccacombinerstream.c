/* gst-cca: ccacombiner's full-size video
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The thread of `sink` queues buffers, events and queries; the thread of `src` sends them, each frame once its analysed
 * frame is known.
 */
#include "gstccacombinerstream.h"

#define GST_CAT_DEFAULT gst_cca_combiner_debug

/* Half of a frame of unknown duration. */
#define FALLBACK_TOLERANCE (20 * GST_MSECOND)
/* After the analysed branch went back in time, frames that are farther ahead of it do not wait. */
#define OTHER_TIMELINE (10 * GST_SECOND)
/* Longest wait for the frames in front of a query, outside live pipelines. */
#define QUERY_PATIENCE G_TIME_SPAN_SECOND

/* Frames, events and queries of `sink`, in their order. */
typedef struct
{
  GstMiniObject *object;     /* a buffer, a serialized event or a serialized query, which its sender owns */
  gint64 time;               /* of a buffer: running time */
  gboolean doubted;          /* the time may be wrong */
  GstClockTimeDiff duration; /* of a buffer, in running time; 0: unknown */
} Item;

/* --- Times -------------------------------------------------------------------------------------------- */

gint64
gst_cca_combiner_running_time (const GstSegment *segment, GstClockTime time)
{
  guint64 running = 0;

  if (!GST_CLOCK_TIME_IS_VALID (time) || segment->format != GST_FORMAT_TIME)
    return GST_CCA_COMBINER_NO_TIME;
  switch (gst_segment_to_running_time_full (segment, GST_FORMAT_TIME, time, &running)) {
    case 1: return (gint64) MIN (running, G_MAXINT64 / 2);
    case -1: return -(gint64) MIN (running, G_MAXINT64 / 2);
    default: return GST_CCA_COMBINER_NO_TIME;
  }
}

gboolean
gst_cca_combiner_believe (GstCcaClock *clock, gint64 time, gboolean *went_back)
{
  const GstClockTime before = clock->believed.stamp;

  *went_back = FALSE;
  if (time < 0)
    return TRUE;
  gst_cca_clock_advance (clock, (GstClockTime) time, 0);
  *went_back = clock->believed.stamp < before;
  return !clock->doubts;
}

GstClockTimeDiff
gst_cca_combiner_running_duration (const GstSegment *segment, const GstBuffer *buffer)
{
  const gdouble rate = ABS (segment->rate);

  return GST_BUFFER_DURATION_IS_VALID (buffer) ? (GstClockTimeDiff) (GST_BUFFER_DURATION (buffer) / rate) : 0;
}

GstClockTimeDiff
gst_cca_combiner_nominal_duration (const GstVideoInfo *info)
{
  return info->fps_n > 0 && info->fps_d > 0
             ? (GstClockTimeDiff) gst_util_uint64_scale_int (GST_SECOND, info->fps_d, info->fps_n)
             : 0;
}

static gint64
tolerance_of (const GstCcaCombiner *self, const Item *frame)
{
  const GstClockTimeDiff duration =
      frame->duration > 0 ? frame->duration : gst_cca_combiner_nominal_duration (&self->out_info);

  if (self->tolerance >= 0)
    return self->tolerance;
  return duration > 0 ? duration / 2 : (gint64) FALLBACK_TOLERANCE;
}

/* --- Waiting ------------------------------------------------------------------------------------------ */

void
gst_cca_combiner_wake (GstCcaCombiner *self)
{
  g_cond_broadcast (&self->changed);
  if (self->timer != NULL)
    gst_clock_id_unschedule (self->timer);
}

/* Waits for a change or until the clock reaches a running time. Needs the lock. Returns FALSE if it was reached. */
static gboolean
wait_on_clock (GstCcaCombiner *self, GstClock *clock, GstClockTime until)
{
  GstClockID timer = gst_clock_new_single_shot_id (clock, until);
  GstClockReturn reached;

  self->timer = timer;
  g_mutex_unlock (&self->lock);
  reached = gst_clock_id_wait (timer, NULL);
  g_mutex_lock (&self->lock);
  self->timer = NULL;
  gst_clock_id_unref (timer);
  return reached == GST_CLOCK_UNSCHEDULED;
}

/* Asks both branches for their latencies. Without the lock. */
static gboolean
query_latency (GstCcaCombiner *self, GstQuery *query)
{
  GstQuery *other = gst_query_new_latency ();
  GstClockTime min, max, meta_min, meta_max, own;
  gboolean live, meta_live;

  if (!gst_pad_peer_query (self->sink, query)) {
    gst_query_unref (other);
    return FALSE;
  }
  gst_query_parse_latency (query, &live, &min, &max);
  if (gst_pad_peer_query (self->meta, other)) {
    gst_query_parse_latency (other, &meta_live, &meta_min, &meta_max);
    if (meta_live) {
      const GstClockTime both = live ? MAX (min, meta_min) : meta_min;

      /* The branch that is earlier can wait here for the other one. */
      if (live && GST_CLOCK_TIME_IS_VALID (max))
        max += both - min;
      if (GST_CLOCK_TIME_IS_VALID (meta_max))
        meta_max += both - meta_min;
      max = live ? MIN (max, meta_max) : meta_max; /* the largest number is no limit */
      min = both;
      live = TRUE;
    }
  }
  gst_query_unref (other);

  g_mutex_lock (&self->lock);
  self->latency_known = TRUE;
  self->live = live;
  self->latency = min;
  own = self->max_wait;
  gst_cca_combiner_wake (self);
  g_mutex_unlock (&self->lock);

  if (live) {
    min += own;
    if (GST_CLOCK_TIME_IS_VALID (max))
      max += own;
  }
  gst_query_set_latency (query, live, min, max);
  return TRUE;
}

/* Needs the lock, and leaves it meanwhile. */
static void
learn_latency (GstCcaCombiner *self)
{
  g_autoptr (GstQuery) query = gst_query_new_latency ();

  g_mutex_unlock (&self->lock);
  if (!query_latency (self, query))
    GST_DEBUG_OBJECT (self, "upstream does not know its latency yet");
  g_mutex_lock (&self->lock);
}

/* Returns whether so much video is held that its analysed branch must be starving or have fallen silent. The clock
 * decides that for live ones. */
static gboolean
is_full (GstCcaCombiner *self)
{
  const Item *first;

  if (self->live || self->max_size_time == 0 || self->n_held < GST_CCA_COMBINER_MIN_HELD)
    return FALSE;
  first = gst_queue_array_peek_head_struct (self->items);
  return first->time != GST_CCA_COMBINER_NO_TIME && self->newest - first->time >= (gint64) self->max_size_time;
}

/* Returns whether a frame is of the time from which the analysed branch went back. */
static gboolean
is_left_behind (const GstCcaCombiner *self, const Item *frame)
{
  const gint64 position = gst_cca_matcher_position (self->matcher);

  return self->went_back && position != G_MININT64 && frame->time - (gint64) OTHER_TIMELINE > position;
}

/* Waits until the analysed frame of the first frame held is found, or cannot or need not come any more. Needs the lock.
 * Returns FALSE if the frame is dropped. */
static gboolean
wait_for_match (GstCcaCombiner *self, const Item *frame, GstCcaMatch *match)
{
  gboolean expired = FALSE, asked_latency = FALSE;

  for (;;) {
    if (self->flow != GST_FLOW_OK)
      return FALSE;
    *match = gst_cca_matcher_find (self->matcher, frame->time, tolerance_of (self, frame));
    if (match->certain || expired || frame->doubted || self->silent || !self->linked || is_left_behind (self, frame))
      return TRUE;
    if (!self->latency_known && !asked_latency) {
      asked_latency = TRUE;
      learn_latency (self);
      continue;
    }

    self->waiting = TRUE;
    g_cond_broadcast (&self->changed);
    if (self->live && self->playing) {
      GstClock *clock = gst_element_get_clock (GST_ELEMENT (self));
      const GstClockTime until = gst_element_get_base_time (GST_ELEMENT (self)) + (guint64) MAX (frame->time, 0)
                                 + self->latency + self->max_wait;

      if (clock != NULL) {
        expired = !wait_on_clock (self, clock, until);
        gst_object_unref (clock);
      } else {
        g_cond_wait (&self->changed, &self->lock);
      }
    } else if (is_full (self)) {
      GST_WARNING_OBJECT (self,
                          "no analysed frame for %" GST_TIME_FORMAT ": frames go on without waiting until one comes",
                          GST_TIME_ARGS (self->max_size_time));
      self->silent = TRUE;
    } else if (self->asked != NULL) {
      expired = !g_cond_wait_until (&self->changed, &self->lock, self->answer_by);
    } else {
      g_cond_wait (&self->changed, &self->lock);
    }
    self->waiting = FALSE;
  }
}

/* --- The full-size video ------------------------------------------------------------------------------- */

void
gst_cca_combiner_warn_without_time (GstCcaCombiner *self)
{
  if (!g_atomic_int_compare_and_exchange (&self->warned_time, FALSE, TRUE))
    return;
  GST_ELEMENT_WARNING (self, STREAM, FAILED,
                       ("Frames without time stamps get no metas: they cannot be matched with the analysed ones"),
                       ("with appsrc, set do-timestamp=true or give each buffer a PTS in a segment of time"));
}

static void
warn_without_shape (GstCcaCombiner *self, const GstVideoInfo *in)
{
  const GstVideoInfo *out = &self->out_info;

  if (self->warned_shape)
    return;
  self->warned_shape = TRUE;
  GST_ELEMENT_WARNING (self, STREAM, FORMAT,
                       ("Frames get no metas: the analysed ones have another shape; let videoscale choose their height "
                        "(video/x-raw,width=%d)",
                        in->width),
                       ("analysed %dx%d pixels of shape %d:%d, full size %dx%d pixels of shape %d:%d", in->width,
                        in->height, in->par_n, in->par_d, out->width, out->height, out->par_n, out->par_d));
}

/* Decides which analysed frame's metas a frame gets, and counts. Needs the lock. Returns a reference, or NULL. */
static GstCcaCarrier *
choose (GstCcaCombiner *self, const Item *frame, const GstCcaMatch *match)
{
  const GstCcaAnalysed *chosen = match->own;
  GstCcaCarrier *carrier;

  if (chosen == NULL && self->missing == GST_CCA_COMBINER_MISSING_LAST && match->last != NULL
      && frame->time - match->last->time <= (gint64) MIN (self->max_age, G_MAXINT64))
    chosen = match->last;
  carrier = chosen != NULL ? chosen->data : NULL;
  if (carrier != NULL && (self->out_info.width == 0 || !gst_cca_carrier_has_metas (carrier)))
    carrier = NULL;

  self->n_frames++;
  if (carrier == NULL || !gst_cca_carrier_fits (carrier, &self->out_info))
    self->n_without++;
  else if (chosen == match->own)
    self->n_matched++;
  else
    self->n_repeated++;
  return carrier != NULL ? gst_cca_carrier_ref (carrier) : NULL;
}

/* Sends a frame with its metas. */
static GstFlowReturn
push_frame (GstCcaCombiner *self, GstBuffer *buffer, GstCcaCarrier *carrier)
{
  if (carrier != NULL) {
    if (gst_cca_carrier_fits (carrier, &self->out_info)) {
      buffer = gst_buffer_make_writable (buffer);
      gst_cca_carrier_deliver (carrier, buffer, &self->out_info);
    } else {
      warn_without_shape (self, gst_cca_carrier_get_info (carrier));
    }
    gst_cca_carrier_unref (carrier);
  }
  return gst_pad_push (self->src, buffer);
}

/* Takes over the caps that downstream gets. */
static void
set_out_caps (GstCcaCombiner *self, GstEvent *event)
{
  GstCaps *caps;

  gst_event_parse_caps (event, &caps);
  self->warned_shape = FALSE;
  if (!gst_cca_carrier_parse_caps (&self->out_info, caps))
    self->out_info.width = 0;
}

static void
pop_item (GstCcaCombiner *self)
{
  const Item *item = gst_queue_array_pop_head_struct (self->items);

  if (GST_IS_BUFFER (item->object))
    self->n_held--;
  gst_cca_combiner_wake (self);
}

/* Drops the frames that downstream does not want any more. Needs the lock. */
static void
refuse_frames (GstCcaCombiner *self)
{
  self->refused = TRUE;
  for (guint i = gst_queue_array_get_length (self->items); i > 0; i--) {
    const Item *item = gst_queue_array_peek_nth_struct (self->items, i - 1);

    if (GST_IS_BUFFER (item->object)) {
      gst_mini_object_unref (item->object);
      gst_queue_array_drop_struct (self->items, i - 1, NULL);
    }
  }
  self->n_held = 0;
}

/* Sends the first item. Needs the lock, and leaves it meanwhile. */
static void
send_item (GstCcaCombiner *self, const Item *item)
{
  GstFlowReturn flow = GST_FLOW_OK;

  if (GST_IS_BUFFER (item->object)) {
    GstCcaMatch match = { NULL };
    GstCcaCarrier *carrier;

    if (item->time == GST_CCA_COMBINER_NO_TIME)
      GST_LOG_OBJECT (self, "a frame without time stamp");
    else if (!wait_for_match (self, item, &match))
      return;
    carrier = choose (self, item, &match);
    if (item->time != GST_CCA_COMBINER_NO_TIME && !item->doubted) {
      self->sent = item->time;
      gst_cca_matcher_forget (self->matcher, item->time);
    }
    pop_item (self);
    g_mutex_unlock (&self->lock);
    if (item->time == GST_CCA_COMBINER_NO_TIME)
      gst_cca_combiner_warn_without_time (self);
    flow = push_frame (self, GST_BUFFER (item->object), carrier);
    g_mutex_lock (&self->lock);
  } else if (GST_IS_EVENT (item->object)) {
    GstEvent *event = GST_EVENT (item->object);
    const GstEventType type = GST_EVENT_TYPE (event);

    if (type == GST_EVENT_CAPS)
      set_out_caps (self, event);
    pop_item (self);
    g_mutex_unlock (&self->lock);
    gst_pad_push_event (self->src, event);
    g_mutex_lock (&self->lock);
    if (type == GST_EVENT_EOS || type == GST_EVENT_STREAM_START)
      self->ended = type == GST_EVENT_EOS;
  } else {
    GstQuery *query = GST_QUERY (item->object);
    gboolean answer;

    pop_item (self);
    self->answering = query;
    g_mutex_unlock (&self->lock);
    answer = gst_pad_peer_query (self->src, query);
    g_mutex_lock (&self->lock);
    self->answer = answer;
    self->answering = self->asked = NULL;
  }
  /* A flush, or the end of the pad's life, may have come in between. */
  if (self->flow == GST_FLOW_OK && flow == GST_FLOW_EOS)
    refuse_frames (self);
  else if (self->flow == GST_FLOW_OK)
    self->flow = flow;
  gst_cca_combiner_wake (self);
}

static void
gst_cca_combiner_loop (gpointer data)
{
  GstCcaCombiner *self = data;
  GstFlowReturn flow;
  gboolean eos_queued;

  g_mutex_lock (&self->lock);
  while (self->flow == GST_FLOW_OK && gst_queue_array_is_empty (self->items))
    g_cond_wait (&self->changed, &self->lock);
  if (self->flow == GST_FLOW_OK) {
    const Item item = *(const Item *) gst_queue_array_peek_head_struct (self->items);

    send_item (self, &item);
  }
  flow = self->flow;
  eos_queued = self->eos_queued;
  g_mutex_unlock (&self->lock);

  if (flow != GST_FLOW_OK) {
    GST_DEBUG_OBJECT (self, "pausing: %s", gst_flow_get_name (flow));
    gst_pad_pause_task (self->src);
    /* Upstream has ended and will not see it. */
    if (eos_queued && (flow == GST_FLOW_NOT_LINKED || flow < GST_FLOW_EOS)) {
      GST_ELEMENT_FLOW_ERROR (self, flow);
      gst_pad_push_event (self->src, gst_event_new_eos ());
    }
  }
}

/* Drops waiting items; sticky events still reach downstream, with the next buffer. Needs the lock, and the thread of
 * the source pad stopped. */
static void
drop_items (GstCcaCombiner *self, gboolean keep_sticky)
{
  while (!gst_queue_array_is_empty (self->items)) {
    const Item *item = gst_queue_array_pop_head_struct (self->items);

    if (GST_IS_QUERY (item->object))
      continue;
    if (keep_sticky && GST_IS_EVENT (item->object)) {
      GstEvent *event = GST_EVENT (item->object);

      if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS)
        set_out_caps (self, event);
      if (GST_EVENT_IS_STICKY (event) && GST_EVENT_TYPE (event) != GST_EVENT_SEGMENT
          && GST_EVENT_TYPE (event) != GST_EVENT_EOS)
        gst_pad_store_sticky_event (self->src, event);
    }
    gst_mini_object_unref (item->object);
  }
  self->n_held = 0;
  self->newest = GST_CCA_COMBINER_NO_TIME;
  self->went_back = FALSE;
  self->asked = NULL;
  self->sent = GST_CCA_COMBINER_NO_TIME;
  self->eos_queued = self->ended = self->refused = FALSE;
}

static void
stop_sending (GstCcaCombiner *self)
{
  g_mutex_lock (&self->lock);
  self->flow = GST_FLOW_FLUSHING;
  gst_cca_combiner_wake (self);
  g_mutex_unlock (&self->lock);
}

static void
start_sending (GstCcaCombiner *self)
{
  g_mutex_lock (&self->lock);
  self->flow = GST_FLOW_OK;
  g_mutex_unlock (&self->lock);
  gst_pad_start_task (self->src, gst_cca_combiner_loop, self, NULL);
}

static GstFlowReturn
gst_cca_combiner_sink_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  GstCcaCombiner *self = (GstCcaCombiner *) parent;
  Item item = {
    .object = GST_MINI_OBJECT (buffer),
    .time = gst_cca_combiner_running_time (&self->sink_segment, GST_BUFFER_PTS (buffer)),
    .duration = gst_cca_combiner_running_duration (&self->sink_segment, buffer),
  };
  gboolean went_back = FALSE;
  GstFlowReturn flow;

  if (item.time != GST_CCA_COMBINER_NO_TIME)
    item.doubted = !gst_cca_combiner_believe (&self->sink_clock, item.time, &went_back);
  g_mutex_lock (&self->lock);
  /* Not like a queue: one frame, unless it waits for the other branch, which may need frames behind it to come. */
  while (self->flow == GST_FLOW_OK && self->n_held > 0 && !(self->waiting && !is_full (self)))
    g_cond_wait (&self->changed, &self->lock);
  flow = self->flow == GST_FLOW_OK && self->refused ? GST_FLOW_EOS : self->flow;
  if (flow == GST_FLOW_OK) {
    gst_queue_array_push_tail_struct (self->items, &item);
    self->n_held++;
    if (went_back) {
      self->newest = item.time;
      self->went_back = FALSE;
    } else if (!item.doubted) {
      self->newest = MAX (self->newest, item.time);
    }
    gst_cca_combiner_wake (self);
  }
  g_mutex_unlock (&self->lock);
  if (flow != GST_FLOW_OK)
    gst_buffer_unref (buffer);
  return flow;
}

/* Queues an event that must keep its place among the frames. Returns FALSE if the stream has ended or is flushing. */
static gboolean
queue_event (GstCcaCombiner *self, GstEvent *event)
{
  const gboolean eos = GST_EVENT_TYPE (event) == GST_EVENT_EOS;
  Item item = { .object = GST_MINI_OBJECT (event), .time = GST_CCA_COMBINER_NO_TIME };
  GstFlowReturn flow;

  g_mutex_lock (&self->lock);
  flow = self->flow;
  if (flow == GST_FLOW_OK) {
    gst_queue_array_push_tail_struct (self->items, &item);
    self->eos_queued |= eos;
    if (GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START)
      self->latency_known = self->eos_queued = FALSE;
    if (GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START || GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT)
      self->refused = FALSE;
    gst_cca_combiner_wake (self);
  }
  g_mutex_unlock (&self->lock);

  if (flow != GST_FLOW_OK) {
    if (eos && (flow == GST_FLOW_NOT_LINKED || flow < GST_FLOW_EOS))
      GST_ELEMENT_FLOW_ERROR (self, flow);
    gst_event_unref (event);
  }
  return flow == GST_FLOW_OK;
}

static gboolean
gst_cca_combiner_sink_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  GstCcaCombiner *self = (GstCcaCombiner *) parent;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_FLUSH_START: {
      const gboolean sent = gst_pad_push_event (self->src, event);

      stop_sending (self);
      gst_pad_pause_task (self->src);
      return sent;
    }
    case GST_EVENT_FLUSH_STOP: {
      gboolean sent;

      stop_sending (self);
      gst_pad_pause_task (self->src);
      sent = gst_pad_push_event (self->src, event);
      g_mutex_lock (&self->lock);
      drop_items (self, TRUE);
      g_mutex_unlock (&self->lock);
      gst_segment_init (&self->sink_segment, GST_FORMAT_UNDEFINED);
      self->sink_clock = (GstCcaClock) { 0 };
      if (GST_PAD_IS_ACTIVE (self->src))
        start_sending (self);
      return sent;
    }
    case GST_EVENT_SEGMENT: gst_event_copy_segment (event, &self->sink_segment); break;
    default: break;
  }
  return GST_EVENT_IS_SERIALIZED (event) ? queue_event (self, event) : gst_pad_event_default (pad, parent, event);
}

/* Has a query answered in its place among the frames. */
static gboolean
queue_query (GstCcaCombiner *self, GstQuery *query)
{
  Item item = { .object = GST_MINI_OBJECT (query), .time = GST_CCA_COMBINER_NO_TIME };
  gboolean answer = FALSE;

  g_mutex_lock (&self->lock);
  if (self->flow == GST_FLOW_OK) {
    gst_queue_array_push_tail_struct (self->items, &item);
    self->asked = query;
    self->answer = FALSE;
    self->answer_by = g_get_monotonic_time () + QUERY_PATIENCE;
    gst_cca_combiner_wake (self);
    while ((self->flow == GST_FLOW_OK && self->asked == query) || self->answering == query)
      g_cond_wait (&self->changed, &self->lock);
    answer = self->asked == NULL && self->answer;
    /* The flow broke: the query is the last item, if it is still there. */
    if (self->asked == query)
      gst_queue_array_pop_tail_struct (self->items);
    self->asked = NULL;
  }
  g_mutex_unlock (&self->lock);
  return answer;
}

static gboolean
gst_cca_combiner_sink_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  guint index;

  if (!GST_QUERY_IS_SERIALIZED (query))
    return gst_pad_query_default (pad, parent, query);
  if (!queue_query ((GstCcaCombiner *) parent, query))
    return FALSE;
  /* Forwards downstream's answer on how to allocate frames. Only cropping by meta would change the picture that was
   * analysed. */
  if (GST_QUERY_TYPE (query) == GST_QUERY_ALLOCATION)
    while (gst_query_find_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE, &index))
      gst_query_remove_nth_allocation_meta (query, index);
  return TRUE;
}

static gboolean
gst_cca_combiner_src_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  if (GST_QUERY_TYPE (query) == GST_QUERY_LATENCY)
    return query_latency ((GstCcaCombiner *) parent, query);
  return gst_pad_query_default (pad, parent, query);
}

static gboolean
gst_cca_combiner_src_activate_mode (GstPad *pad, GstObject *parent, GstPadMode mode, gboolean active)
{
  GstCcaCombiner *self = (GstCcaCombiner *) parent;

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  if (active) {
    start_sending (self);
    return TRUE;
  }
  stop_sending (self);
  return gst_pad_stop_task (pad);
}

void
gst_cca_combiner_init_stream (GstCcaCombiner *self)
{
  self->items = gst_queue_array_new_for_struct (sizeof (Item), 16);
  self->flow = GST_FLOW_FLUSHING;
  gst_pad_set_chain_function (self->sink, gst_cca_combiner_sink_chain);
  gst_pad_set_event_function (self->sink, gst_cca_combiner_sink_event);
  gst_pad_set_query_function (self->sink, gst_cca_combiner_sink_query);
  GST_PAD_SET_PROXY_CAPS (self->sink);
  gst_pad_set_activatemode_function (self->src, gst_cca_combiner_src_activate_mode);
  gst_pad_set_query_function (self->src, gst_cca_combiner_src_query);
  GST_PAD_SET_PROXY_CAPS (self->src);
}

void
gst_cca_combiner_clear_stream (GstCcaCombiner *self)
{
  drop_items (self, FALSE);
  gst_queue_array_free (self->items);
}

void
gst_cca_combiner_reset_stream (GstCcaCombiner *self)
{
  drop_items (self, FALSE);
  self->latency_known = self->live = self->warned_shape = FALSE;
  g_atomic_int_set (&self->warned_time, FALSE);
  gst_segment_init (&self->sink_segment, GST_FORMAT_UNDEFINED);
  self->sink_clock = (GstCcaClock) { 0 };
  gst_video_info_init (&self->out_info);
}
