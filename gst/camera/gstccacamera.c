/* gst-cca: ccacamera, reports when a camera no longer shows its view well
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/base/gstbasetransform.h>
#include <gst/video/video.h>

#include "gstccacameraevent.h"
#include "gstccapost.h"
#include "gstccaproperties.h"
#include "gstccatemplates.h"
#include "gstccatimes.h"
#include "health.h"

GST_DEBUG_CATEGORY_STATIC (cca_camera_debug);
#define GST_CAT_DEFAULT cca_camera_debug

#define TIMER_INTERVAL (GST_SECOND / 4)

#define GST_TYPE_CCA_CAMERA (gst_cca_camera_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaCamera, gst_cca_camera, GST, CCA_CAMERA, GstBaseTransform)

struct _GstCcaCamera
{
  GstBaseTransform parent;

  /* Under the object lock. */
  CcaHealthState state;
  gboolean post_messages;
  CcaHealthParams params;
  guint64 lost_time;
  GstClockTime arrival; /* of the last frame, by the element's clock; GST_CLOCK_TIME_NONE: none is awaited */
  GstClockID timer;

  /* Under the stream lock of the sink pad. */
  CcaHealth *health; /* NULL before caps */
  GstVideoInfo info;
  GstCcaClock clock;             /* of running time */
  GstClockTime offset;           /* from that to a time that goes on over all timelines */
  GstClockTime time;             /* that, of the last frame */
  GstClockTime frame_duration;   /* as the caps say; or GST_CLOCK_TIME_NONE */
  GstCcaMessageTimes last_times; /* of the last frame */
  GstEvent *event;               /* goes before the next frame; or NULL */
  gboolean told;                 /* an event went */
  gboolean doubt;                /* as the last event of doubt said */
  gboolean warned;
};

G_DEFINE_TYPE (GstCcaCamera, gst_cca_camera, GST_TYPE_BASE_TRANSFORM)
GST_ELEMENT_REGISTER_DECLARE (ccacamera);
GST_ELEMENT_REGISTER_DEFINE (ccacamera, "ccacamera", GST_RANK_NONE, GST_TYPE_CCA_CAMERA)

#define CAMERA_CAPS GST_VIDEO_CAPS_MAKE ("{ GRAY8, NV12, NV21, I420, YV12, Y42B, Y444 }")

static const GEnumValue states[] = {
  { CCA_HEALTH_WELL, "The camera sees what it learned", "well" },
  { CCA_HEALTH_COVERED, "Something hides most of the view", "covered" },
  { CCA_HEALTH_BLINDED, "Much of the picture is white", "blinded" },
  { CCA_HEALTH_DEFOCUSED, "The view is there, but blurred", "defocused" },
  { CCA_HEALTH_MOVED, "The camera sees another view, or the view elsewhere", "moved" },
  { CCA_HEALTH_FROZEN, "The picture stands still to the last bit", "frozen" },
  { CCA_HEALTH_DARK, "It is too dark to see", "dark" },
  { CCA_HEALTH_LOST, "There are no frames, or blank ones", "lost" },
  { 0, NULL, NULL },
};

static GType
gst_cca_camera_state_get_type (void)
{
  static gsize type;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstCcaCameraState", states));
  return type;
}

#define AT(field) G_STRUCT_OFFSET (GstCcaCamera, field)

static const GstCcaProperty list[] = {
  { "post-messages", AT (post_messages), G_TYPE_BOOLEAN, .value = TRUE,
    .blurb = "Post an element message \"cca-camera\" when the state changes" },
  { "on-time", AT (params.on_time), G_TYPE_UINT64, 0, G_MAXINT64, GST_SECOND,
    .blurb = "How long trouble must last before the state changes, ns" },
  { "off-time", AT (params.off_time), G_TYPE_UINT64, 0, G_MAXINT64, 2 * GST_SECOND,
    .blurb = "How long all must be well before the state is, ns" },
  { "frozen-time", AT (params.frozen_time), G_TYPE_UINT64, 0, G_MAXINT64, 1300 * GST_MSECOND,
    .blurb = "How long frames must be identical before the camera is frozen, ns; 0 = never" },
  { "lost-time", AT (lost_time), G_TYPE_UINT64, 0, G_MAXINT64, 2 * GST_SECOND,
    .blurb = "How long no frame must come, while playing, before the state is lost, ns; 0 = never" },
  { "accept-time", AT (params.accept_time), G_TYPE_UINT64, 0, G_MAXINT64, 300 * GST_SECOND,
    .blurb = "How long a camera must have been moved before its new view is learned, ns; 0 = never" },
  { "state", AT (state), G_TYPE_ENUM, .value = CCA_HEALTH_WELL, .get_type = gst_cca_camera_state_get_type,
    .flags = G_PARAM_READABLE, .blurb = "The camera's state now" },
};
static const GstCcaProperties properties = { 1, G_N_ELEMENTS (list), list, GST_CCA_PROPERTY_PLAYING };

/* --- Reports ----------------------------------------------------------------------------------------- */

static GstStructure *
report_new (const CcaHealthFinding *finding, const GstCcaMessageTimes *times)
{
  GstStructure *structure =
      gst_structure_new (GST_CCA_CAMERA_EVENT, "state", G_TYPE_STRING, states[finding->state].value_nick, "evidence",
                         G_TYPE_DOUBLE, finding->evidence, NULL);

  if (finding->is_found)
    gst_structure_set (structure, "shift-x", G_TYPE_DOUBLE, finding->shift_x, "shift-y", G_TYPE_DOUBLE,
                       finding->shift_y, "angle", G_TYPE_DOUBLE, finding->angle, "scale", G_TYPE_DOUBLE, finding->scale,
                       NULL);
  gst_cca_message_times_set (times, structure);
  return structure;
}

/* Keeps an event for elements downstream. */
static void
keep_event (GstCcaCamera *self, const GstStructure *structure)
{
  gst_clear_event (&self->event);
  self->event = gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM_STICKY, gst_structure_copy (structure));
}

/* Tells users and elements downstream of a change. */
static void
report (GstCcaCamera *self)
{
  const CcaHealthFinding *finding = cca_health_finding (self->health);
  GstStructure *structure = report_new (finding, &self->last_times);
  gboolean posts;

  GST_OBJECT_LOCK (self);
  self->state = finding->state;
  posts = self->post_messages;
  GST_OBJECT_UNLOCK (self);
  GST_INFO_OBJECT (self, "%" GST_PTR_FORMAT, structure);
  keep_event (self, structure);
  if (posts)
    gst_element_post_message (GST_ELEMENT (self), gst_message_new_element (GST_OBJECT (self), structure));
  else
    gst_structure_free (structure);
  g_object_notify (G_OBJECT (self), "state");
}

/* Tells elements downstream of the state that the camera begins with: sinks know it, and that a state will come. */
static void
report_begin (GstCcaCamera *self)
{
  g_autoptr (GstStructure) structure = report_new (cca_health_finding (self->health), &self->last_times);

  keep_event (self, structure);
}

/* Tells elements downstream whether the frames from this one on leave it in doubt that the camera is well. */
static void
tell_doubt (GstCcaCamera *self)
{
  const gboolean doubt = cca_health_is_doubtful (self->health);
  GstStructure *structure;

  if (doubt == self->doubt)
    return;
  self->doubt = doubt;
  structure = gst_structure_new (GST_CCA_CAMERA_DOUBT_EVENT, "doubt", G_TYPE_BOOLEAN, doubt, NULL);
  GST_DEBUG_OBJECT (self, "%" GST_PTR_FORMAT, structure);
  gst_pad_push_event (GST_BASE_TRANSFORM_SRC_PAD (self),
                      gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM_STICKY, structure));
}

/* --- No frames --------------------------------------------------------------------------------------- */

/* Returns for how long no frame has come, or 0 if that is not too long. */
static GstClockTime
silence (GstCcaCamera *self, GstClockTime now)
{
  GstClockTime passed = 0;

  GST_OBJECT_LOCK (self);
  if (self->lost_time > 0 && GST_CLOCK_TIME_IS_VALID (self->arrival) && now > self->arrival
      && now - self->arrival >= self->lost_time && self->state != CCA_HEALTH_LOST)
    passed = now - self->arrival;
  GST_OBJECT_UNLOCK (self);
  return passed;
}

/* If the streaming thread holds its lock, it waits downstream: frames are there. */
static gboolean
on_timer (GstClock *clock, GstClockTime time, GstClockID timer, gpointer data)
{
  GstCcaCamera *self = data;
  GstPad *pad = GST_BASE_TRANSFORM_SINK_PAD (self);
  GstClockTime passed;

  if (!GST_CLOCK_TIME_IS_VALID (time) || !GST_PAD_STREAM_TRYLOCK (pad))
    return TRUE;
  passed = self->health ? silence (self, time) : 0;
  if (passed > 0) {
    const CcaHealthFinding lost = { .state = CCA_HEALTH_LOST, .evidence = (gdouble) passed / GST_SECOND };

    cca_health_set_finding (self->health, &lost);
    cca_health_interrupt (self->health);
    report (self);
  }
  GST_PAD_STREAM_UNLOCK (pad);
  return TRUE;
}

static void
start_timer (GstCcaCamera *self)
{
  g_autoptr (GstClock) clock = gst_element_get_clock (GST_ELEMENT (self));
  GstClockTime now;

  if (!clock)
    return;
  now = gst_clock_get_time (clock);
  GST_OBJECT_LOCK (self);
  if (GST_CLOCK_TIME_IS_VALID (self->arrival))
    self->arrival = now;
  self->timer = gst_clock_new_periodic_id (clock, now + TIMER_INTERVAL, TIMER_INTERVAL);
  GST_OBJECT_UNLOCK (self);
  gst_clock_id_wait_async (self->timer, on_timer, gst_object_ref (self), gst_object_unref);
}

static void
stop_timer (GstCcaCamera *self)
{
  if (!self->timer)
    return;
  gst_clock_id_unschedule (self->timer);
  gst_clock_id_unref (self->timer);
  self->timer = NULL;
}

static void
set_arrival (GstCcaCamera *self, GstClockTime arrival)
{
  GST_OBJECT_LOCK (self);
  self->arrival = arrival;
  GST_OBJECT_UNLOCK (self);
}

static void
note_arrival (GstCcaCamera *self)
{
  g_autoptr (GstClock) clock = gst_element_get_clock (GST_ELEMENT (self));

  set_arrival (self, clock ? gst_clock_get_time (clock) : 0);
}

static GstStateChangeReturn
gst_cca_camera_change_state (GstElement *element, GstStateChange transition)
{
  GstCcaCamera *self = GST_CCA_CAMERA (element);
  GstStateChangeReturn result;

  if (transition == GST_STATE_CHANGE_PLAYING_TO_PAUSED)
    stop_timer (self);
  result = GST_ELEMENT_CLASS (gst_cca_camera_parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_PLAYING && result != GST_STATE_CHANGE_FAILURE)
    start_timer (self);
  return result;
}

/* --- Frames ------------------------------------------------------------------------------------------ */

static void
advance_time (GstCcaCamera *self, GstBuffer *buffer, GstClockTime running_time)
{
  const GstClockTime duration = gst_cca_buffer_duration (buffer, self->frame_duration);
  const gboolean begins = !self->clock.started;

  gst_cca_clock_advance (&self->clock, running_time, duration);
  if (begins)
    self->offset = self->time + duration - self->clock.time;
  self->time = self->offset + self->clock.time;
}

static void
warn_unreadable (GstCcaCamera *self, GstBuffer *buffer)
{
  if (self->warned)
    return;
  self->warned = TRUE;
  gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
                "Cannot read a buffer of %" G_GSIZE_FORMAT
                " bytes as a %s frame of %dx%d pixels, which needs %" G_GSIZE_FORMAT
                "; such frames pass unseen: check the element upstream",
                gst_buffer_get_size (buffer), GST_VIDEO_INFO_NAME (&self->info), GST_VIDEO_INFO_WIDTH (&self->info),
                GST_VIDEO_INFO_HEIGHT (&self->info), GST_VIDEO_INFO_SIZE (&self->info));
}

/* Looks at a frame that is due, and glances at another. */
static void
look (GstCcaCamera *self, GstBuffer *buffer)
{
  CcaHealthParams params;
  GstVideoFrame frame;
  const guint8 *luma;
  gint stride;
  gboolean changed = FALSE;

  if (!gst_video_frame_map (&frame, &self->info, buffer, GST_MAP_READ | GST_VIDEO_FRAME_MAP_FLAG_NO_REF)) {
    warn_unreadable (self, buffer);
    return;
  }
  GST_OBJECT_LOCK (self);
  params = self->params;
  GST_OBJECT_UNLOCK (self);
  luma = GST_VIDEO_FRAME_COMP_DATA (&frame, 0);
  stride = GST_VIDEO_FRAME_COMP_STRIDE (&frame, 0);
  if (cca_health_is_due (self->health, self->time))
    changed = cca_health_look (self->health, &params, luma, stride, self->time);
  else
    cca_health_glance (self->health, &params, luma, stride, self->time);
  gst_video_frame_unmap (&frame);
  if (changed)
    report (self);
}

static GstFlowReturn
gst_cca_camera_transform_ip (GstBaseTransform *base, GstBuffer *buffer)
{
  GstCcaCamera *self = GST_CCA_CAMERA (base);

  if (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP))
    return GST_FLOW_OK;
  self->last_times = gst_cca_message_times (&base->segment, buffer);
  advance_time (self, buffer, self->last_times.running_time);
  note_arrival (self);
  look (self, buffer);
  if (!self->told && !self->event)
    report_begin (self);
  self->told = TRUE;
  if (self->event)
    gst_pad_push_event (GST_BASE_TRANSFORM_SRC_PAD (base), g_steal_pointer (&self->event));
  tell_doubt (self);
  return GST_FLOW_OK;
}

static gboolean
gst_cca_camera_sink_event (GstBaseTransform *base, GstEvent *event)
{
  GstCcaCamera *self = GST_CCA_CAMERA (base);

  if (gst_cca_begins_timeline (event, &base->segment)) {
    self->clock = (GstCcaClock) { 0 };
    if (self->health)
      cca_health_interrupt (self->health);
  } else if (GST_EVENT_TYPE (event) == GST_EVENT_EOS) {
    set_arrival (self, GST_CLOCK_TIME_NONE);
  }
  return GST_BASE_TRANSFORM_CLASS (gst_cca_camera_parent_class)->sink_event (base, event);
}

/* Frames of another size are another view. The camera's state stays until that view is judged. */
static gboolean
gst_cca_camera_set_caps (GstBaseTransform *base, GstCaps *caps, GstCaps *source_caps)
{
  GstCcaCamera *self = GST_CCA_CAMERA (base);
  GstVideoInfo info;
  CcaHealth *health;

  if (!gst_video_info_from_caps (&info, caps))
    return FALSE;
  self->frame_duration = gst_cca_frame_duration (caps);
  if (!self->health || info.width != self->info.width || info.height != self->info.height) {
    health = cca_health_new ((guint32) info.width, (guint32) info.height);
    if (!health) {
      gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
                    "No memory for the view of a camera");
      return FALSE;
    }
    if (self->health)
      cca_health_set_finding (health, cca_health_finding (self->health));
    cca_health_free (self->health);
    self->health = health;
  }
  self->info = info;
  return TRUE;
}

static gboolean
gst_cca_camera_start (GstBaseTransform *base)
{
  GstCcaCamera *self = GST_CCA_CAMERA (base);

  self->clock = (GstCcaClock) { 0 };
  self->offset = self->time = 0;
  self->frame_duration = GST_CLOCK_TIME_NONE;
  self->last_times =
      (GstCcaMessageTimes) { GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE };
  self->told = self->doubt = self->warned = FALSE;
  GST_OBJECT_LOCK (self);
  self->state = CCA_HEALTH_WELL;
  self->arrival = GST_CLOCK_TIME_NONE;
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}

static gboolean
gst_cca_camera_stop (GstBaseTransform *base)
{
  GstCcaCamera *self = GST_CCA_CAMERA (base);

  g_clear_pointer (&self->health, cca_health_free);
  gst_clear_event (&self->event);
  return TRUE;
}

/* --- Object ------------------------------------------------------------------------------------------ */

static void
gst_cca_camera_init (GstCcaCamera *self)
{
  gst_cca_properties_init (&properties, self);
  self->arrival = GST_CLOCK_TIME_NONE;
  gst_base_transform_set_passthrough (GST_BASE_TRANSFORM (self), TRUE);
  /* Every frame counts. */
  gst_base_transform_set_qos_enabled (GST_BASE_TRANSFORM (self), FALSE);
}

static void
gst_cca_camera_class_init (GstCcaCameraClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *base_class = GST_BASE_TRANSFORM_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (cca_camera_debug, "ccacamera", 0, "A camera's health");

  gst_cca_properties_install (&properties, G_OBJECT_CLASS (klass), 0);
  element_class->change_state = gst_cca_camera_change_state;
  base_class->set_caps = gst_cca_camera_set_caps;
  base_class->start = gst_cca_camera_start;
  base_class->stop = gst_cca_camera_stop;
  base_class->sink_event = gst_cca_camera_sink_event;
  base_class->transform_ip = gst_cca_camera_transform_ip;
  base_class->passthrough_on_same_caps = TRUE;

  gst_type_mark_as_plugin_api (gst_cca_camera_state_get_type (), (GstPluginAPIFlags) 0);

  gst_cca_class_add_templates (klass, CAMERA_CAPS);
  gst_element_class_set_static_metadata (
      element_class, "Camera health", "Filter/Analyzer/Video",
      "Tells when a camera is covered, blinded, out of focus, moved, frozen, dark or lost", "gst-cca developers");
}
