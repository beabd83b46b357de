/* gst-cca: ccagate, passes video while something moves
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/base/gstbasetransform.h>
#include <gst/cca/gstccatrackmeta.h>
#include <gst/video/video.h>

#include "gate.h"
#include "gstccacrops.h"
#include "gstccagateview.h"
#include "gstccapost.h"
#include "gstccaproperties.h"
#include "gstccatemplates.h"
#include "gstccatimes.h"

/* A track moves when its centre has left its place by this part of its longer side. */
#define STEP 0.15

/* Not more frames are kept for the pre-roll, however their time stamps lie. */
#define MOST_KEPT 600

typedef enum
{
  GST_CCA_GATE_MODE_FRAMES,
  GST_CCA_GATE_MODE_CROPS,
} GstCcaGateMode;

enum
{
  PROP_CROP_MARGIN = 1,
  PROP_CROP_ASPECT,
  PROP_OTHERS,
};

/* Faults of a stream, each of which is one warning. */
typedef enum
{
  WARNED_NO_META = 1 << 0,
} Warned;

/* The properties during a frame. */
typedef struct
{
  GRefString *id; /* NULL: the first meta's */
  GstCcaGateMode mode;
  guint64 pre_roll;
  GstCcaGateParams params;
  GstCcaTilesParams tiles;
  gint aspect_n, aspect_d;
  gboolean post_messages;
} Settings;

/* A frame that waits for the gate to open. */
typedef struct
{
  GstBuffer *buffer;
  GstClockTime time; /* by the clock */
} Kept;

#define GST_TYPE_CCA_GATE (gst_cca_gate_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaGate, gst_cca_gate, GST, CCA_GATE, GstBaseTransform)

struct _GstCcaGate
{
  GstBaseTransform parent;

  /* Under the object lock. */
  Settings settings;
  guint64 n_frames, n_passed, n_openings;

  GstCcaMotionGate *gate;
  GstCcaGateView view;
  GstCcaClock clock; /* of running time */
  GstClockTime frame_duration;
  gint width, height;      /* of the frames */
  gboolean open, was_told; /* a message has told so */
  gboolean discont;        /* frames are missing before the next one */
  guint warned;
  GQueue kept, passing; /* Kept that may pass, the oldest first; buffers on their way */
};

G_DEFINE_TYPE (GstCcaGate, gst_cca_gate, GST_TYPE_BASE_TRANSFORM)
GST_ELEMENT_REGISTER_DECLARE (ccagate);
GST_ELEMENT_REGISTER_DEFINE (ccagate, "ccagate", GST_RANK_NONE, GST_TYPE_CCA_GATE)

#define GST_TYPE_CCA_GATE_MODE (gst_cca_gate_mode_get_type ())
static GType gst_cca_gate_mode_get_type (void);
G_DEFINE_ENUM_TYPE (GstCcaGateMode, gst_cca_gate_mode, { GST_CCA_GATE_MODE_FRAMES, "Frames as they are", "frames" },
                    { GST_CCA_GATE_MODE_CROPS,
                      "Frames with a GstVideoRegionOfInterestMeta for each part that has to be looked at", "crops" })

static GstStructure *
make_stats (gpointer object)
{
  const GstCcaGate *self = object;

  return gst_structure_new ("cca-gate-stats", "frames", G_TYPE_UINT64, self->n_frames, "passed", G_TYPE_UINT64,
                            self->n_passed, "openings", G_TYPE_UINT64, self->n_openings, NULL);
}

#define AT(field) G_STRUCT_OFFSET (Settings, field)

static const GstCcaProperty list[] = {
  { "id", AT (id), G_TYPE_STRING, .is_name = TRUE,
    .blurb = "Decide by the tracks or components with this id (NULL = the first in a frame)" },
  { "mode", AT (mode), G_TYPE_ENUM, .value = GST_CCA_GATE_MODE_FRAMES, .get_type = gst_cca_gate_mode_get_type,
    .blurb = "What passes" },
  { "pre-roll", AT (pre_roll), G_TYPE_UINT64, 0, 60 * GST_SECOND, 500 * GST_MSECOND,
    .blurb = "Frames of this time before the motion pass, too, ns; the latency grows by it" },
  { "hold", AT (params.hold), G_TYPE_UINT64, 0, G_MAXINT64, 2 * GST_SECOND,
    .blurb = "Time for which frames pass after the last motion, ns" },
  { "keep-alive", AT (params.keep_alive), G_TYPE_UINT64, 0, G_MAXINT64, 10 * GST_SECOND,
    .blurb = "While objects stand still, a frame passes every so often, ns; 0 = none" },
  { "max-crops", AT (tiles.most), G_TYPE_UINT, 1, GST_CCA_TILES_MOST, 4,
    .blurb = "Most crops of a frame, with mode=crops" },
  { "crop-width", AT (tiles.min_width), G_TYPE_UINT, 0, G_MAXINT, 0, .blurb = "Least width of a crop, pixels" },
  { "crop-height", AT (tiles.min_height), G_TYPE_UINT, 0, G_MAXINT, 0, .blurb = "Least height of a crop, pixels" },
  { "crop-multiple", AT (tiles.multiple), G_TYPE_UINT, 1, 4096, 2,
    .blurb = "Sides of crops are multiples of it, pixels" },
  { "post-messages", AT (post_messages), G_TYPE_BOOLEAN, .value = TRUE,
    .blurb = "Post element messages \"cca-gate\" when the gate opens and closes" },
  { "stats", .type = G_TYPE_BOXED, .make = make_stats,
    .blurb = "Since the start: frames, those that passed, and how often the gate opened (openings)" },
};
static const GstCcaProperties properties = { PROP_OTHERS, G_N_ELEMENTS (list), list, GST_CCA_PROPERTY_PLAYING };

/* --- Settings ---------------------------------------------------------------------------------------- */

static Settings
borrow_settings (GstCcaGate *self)
{
  Settings settings;

  GST_OBJECT_LOCK (self);
  settings = self->settings;
  gst_cca_properties_copy_strings (&properties, &settings);
  GST_OBJECT_UNLOCK (self);
  settings.tiles.width = (uint32_t) MAX (self->width, 1);
  settings.tiles.height = (uint32_t) MAX (self->height, 1);
  settings.tiles.aspect = (gdouble) settings.aspect_n / settings.aspect_d;
  return settings;
}

static GstFlowReturn
fail_for_memory (GstCcaGate *self)
{
  gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
                "No memory for the objects of a frame; raise min-area of the element that finds them");
  return GST_FLOW_ERROR;
}

static void
warn_without_meta (GstCcaGate *self, const gchar *id)
{
  if (!gst_cca_is_first (&self->warned, WARNED_NO_META))
    return;
  if (id)
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                  "A frame has neither tracks nor components of '%s': such frames pass; set id to that of an analysis "
                  "before ccagate",
                  id);
  else
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                  "A frame has neither tracks nor components: such frames pass; put cca and ccatrack before ccagate");
}

/* Decides about a frame, and makes its crops. Returns FALSE if memory is exhausted. */
static gboolean
judge (GstCcaGate *self, GstBuffer *buffer, const Settings *settings, GstCcaGateDecision *decision,
       GstCcaTile tiles[GST_CCA_TILES_MOST], gsize *n)
{
  GstCcaGateFrame frame;

  if (!gst_cca_gate_view_read (&self->view, buffer, settings->id, self->clock.time, &frame))
    return FALSE;
  if (!gst_cca_gate_view_has_metas (&self->view))
    warn_without_meta (self, settings->id);
  if (!gst_cca_motion_gate_run (self->gate, &settings->params, &frame, decision))
    return FALSE;
  if (*decision == GST_CCA_GATE_DROP || settings->mode != GST_CCA_GATE_MODE_CROPS)
    return TRUE;
  return gst_cca_gate_view_crop (&self->view, self->gate, *decision == GST_CCA_GATE_KEEP_ALIVE, &settings->tiles, tiles,
                                 n);
}

/* --- Frames that pass -------------------------------------------------------------------------------- */

static void
push_gap (GstCcaGate *self, GstBuffer *buffer)
{
  self->discont = TRUE;
  if (GST_BUFFER_PTS_IS_VALID (buffer))
    gst_pad_push_event (GST_BASE_TRANSFORM_SRC_PAD (self),
                        gst_event_new_gap (GST_BUFFER_PTS (buffer), GST_BUFFER_DURATION (buffer)));
}

static void
drop_oldest (GstCcaGate *self)
{
  Kept *kept = g_queue_pop_head (&self->kept);

  g_return_if_fail (kept != NULL);
  push_gap (self, kept->buffer);
  gst_buffer_unref (kept->buffer);
  g_free (kept);
}

/* Drops waiting frames: nothing will open the gate for them. */
static void
drop_kept (GstCcaGate *self)
{
  while (!g_queue_is_empty (&self->kept))
    drop_oldest (self);
}

static void
forget_kept (GstCcaGate *self)
{
  Kept *kept;

  while ((kept = g_queue_pop_head (&self->kept))) {
    gst_buffer_unref (kept->buffer);
    g_free (kept);
  }
  g_queue_clear_full (&self->passing, (GDestroyNotify) gst_buffer_unref);
}

/* Lets a frame (taken) pass, with the crops. */
static void
pass (GstCcaGate *self, GstBuffer *buffer, const GstCcaTile *tiles, gsize n)
{
  if (n > 0 || self->discont)
    buffer = gst_buffer_make_writable (buffer);
  if (self->discont)
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
  self->discont = FALSE;
  for (gsize i = 0; i < n; i++) {
    const GstCcaTile *t = &tiles[i];
    GstVideoRegionOfInterestMeta *roi =
        gst_buffer_add_video_region_of_interest_meta (buffer, GST_CCA_CROP_TYPE, t->x, t->y, t->width, t->height);

    roi->id = (gint) i + 1;
  }
  g_queue_push_tail (&self->passing, buffer);
  GST_OBJECT_LOCK (self);
  self->n_passed++;
  GST_OBJECT_UNLOCK (self);
}

/* Keeps a frame (taken) for the case that the gate opens soon. */
static void
keep (GstCcaGate *self, GstBuffer *buffer, guint64 pre_roll)
{
  Kept *kept = g_new (Kept, 1);
  const Kept *oldest;

  *kept = (Kept) { buffer, self->clock.time };
  g_queue_push_tail (&self->kept, kept);
  while ((oldest = g_queue_peek_head (&self->kept))
         && (self->clock.time - oldest->time >= pre_roll || self->kept.length > MOST_KEPT))
    drop_oldest (self);
}

static void
tell (GstCcaGate *self, const Settings *settings, const GstCcaMessageTimes *times, gboolean open)
{
  GstStructure *structure;

  GST_OBJECT_LOCK (self);
  self->n_openings += open;
  structure =
      gst_structure_new ("cca-gate", "id", G_TYPE_STRING, settings->id ? settings->id : "", "open", G_TYPE_BOOLEAN,
                         open, "frames", G_TYPE_UINT64, self->n_frames, "passed", G_TYPE_UINT64, self->n_passed, NULL);
  GST_OBJECT_UNLOCK (self);
  gst_cca_message_times_set (times, structure);
  if (settings->post_messages)
    gst_element_post_message (GST_ELEMENT (self), gst_message_new_element (GST_OBJECT (self), structure));
  else
    gst_structure_free (structure);
}

static gboolean
take_frame (GstCcaGate *self, GstBuffer *buffer, const Settings *settings)
{
  const GstCcaMessageTimes times = gst_cca_message_times (&GST_BASE_TRANSFORM (self)->segment, buffer);
  GstCcaGateDecision decision = self->open ? GST_CCA_GATE_PASS : GST_CCA_GATE_DROP;
  GstCcaTile tiles[GST_CCA_TILES_MOST];
  gboolean judged = TRUE;
  gsize n = 0;
  Kept *kept;

  gst_cca_clock_advance (&self->clock, times.running_time, gst_cca_buffer_duration (buffer, self->frame_duration));
  GST_OBJECT_LOCK (self);
  self->n_frames++;
  GST_OBJECT_UNLOCK (self);
  if (!GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP))
    judged = judge (self, buffer, settings, &decision, tiles, &n);
  if (!judged) {
    gst_buffer_unref (buffer);
    return FALSE;
  }
  if (self->open != (decision == GST_CCA_GATE_PASS) || !self->was_told) {
    self->open = decision == GST_CCA_GATE_PASS;
    self->was_told = TRUE;
    tell (self, settings, &times, self->open);
  }
  if (decision == GST_CCA_GATE_DROP) {
    keep (self, buffer, settings->pre_roll);
    return TRUE;
  }
  while (decision == GST_CCA_GATE_PASS && (kept = g_queue_pop_head (&self->kept))) {
    pass (self, kept->buffer, tiles, n);
    g_free (kept);
  }
  drop_kept (self);
  pass (self, buffer, tiles, n);
  return TRUE;
}

/* --- Streams ----------------------------------------------------------------------------------------- */

static GstFlowReturn
gst_cca_gate_generate_output (GstBaseTransform *base, GstBuffer **output)
{
  GstCcaGate *self = GST_CCA_GATE (base);
  GstBuffer *buffer = g_steal_pointer (&base->queued_buf);

  if (buffer) {
    Settings settings = borrow_settings (self);
    const gboolean taken = take_frame (self, buffer, &settings);

    gst_cca_properties_clear (&properties, &settings);
    if (!taken)
      return fail_for_memory (self);
  }
  *output = g_queue_pop_head (&self->passing);
  return GST_FLOW_OK;
}

static void
begin_timeline (GstCcaGate *self)
{
  gst_cca_motion_gate_reset (self->gate);
  gst_cca_gate_view_reset (&self->view);
  self->clock = (GstCcaClock) { 0 };
  self->open = TRUE;
  self->was_told = FALSE;
}

static gboolean
gst_cca_gate_sink_event (GstBaseTransform *base, GstEvent *event)
{
  GstCcaGate *self = GST_CCA_GATE (base);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_FLUSH_STOP: forget_kept (self); break;
    case GST_EVENT_STREAM_START:
    case GST_EVENT_CAPS:
    case GST_EVENT_SEGMENT:
    case GST_EVENT_EOS: drop_kept (self); break;
    default: break;
  }
  if (gst_cca_begins_timeline (event, &base->segment))
    begin_timeline (self);
  return GST_BASE_TRANSFORM_CLASS (gst_cca_gate_parent_class)->sink_event (base, event);
}

/* Frames of the pre-roll come late by its time. */
static gboolean
gst_cca_gate_query (GstBaseTransform *base, GstPadDirection direction, GstQuery *query)
{
  GstCcaGate *self = GST_CCA_GATE (base);
  GstClockTime least, most;
  guint64 pre_roll;
  gboolean live;

  if (!GST_BASE_TRANSFORM_CLASS (gst_cca_gate_parent_class)->query (base, direction, query))
    return FALSE;
  if (direction != GST_PAD_SRC || GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return TRUE;
  GST_OBJECT_LOCK (self);
  pre_roll = self->settings.pre_roll;
  GST_OBJECT_UNLOCK (self);
  gst_query_parse_latency (query, &live, &least, &most);
  gst_query_set_latency (query, live, least + pre_roll, GST_CLOCK_TIME_IS_VALID (most) ? most + pre_roll : most);
  return TRUE;
}

/* Returns how many frames of the pre-roll wait at most. */
static guint
count_waiting (GstCcaGate *self, const GstCaps *caps)
{
  const GstClockTime duration = gst_cca_frame_duration (caps);
  guint64 pre_roll;

  GST_OBJECT_LOCK (self);
  pre_roll = self->settings.pre_roll;
  GST_OBJECT_UNLOCK (self);
  return (guint) MIN (
      gst_util_uint64_scale_ceil (pre_roll, 1, GST_CLOCK_TIME_IS_VALID (duration) ? duration : GST_SECOND / 30),
      MOST_KEPT);
}

/* Asks upstream for the buffers that wait here: a decoder with few surfaces in device memory would wait for them, and
 * the gate for the decoder's next frame. In system memory, an element with too few buffers copies them or allocates
 * more. */
static gboolean
gst_cca_gate_propose_allocation (GstBaseTransform *base, GstQuery *decide_query, GstQuery *query)
{
  const gboolean answered = gst_pad_peer_query (GST_BASE_TRANSFORM_SRC_PAD (base), query);
  const GstCapsFeatures *features;
  guint n_waiting, n_pools;
  GstVideoInfo info;
  GstCaps *caps;

  gst_query_parse_allocation (query, &caps, NULL);
  features = caps ? gst_caps_get_features (caps, 0) : NULL;
  if (!features || gst_caps_features_is_equal (features, GST_CAPS_FEATURES_MEMORY_SYSTEM_MEMORY)
      || !gst_video_info_from_caps (&info, caps) || (n_waiting = count_waiting (GST_CCA_GATE (base), caps)) == 0)
    return answered;
  n_pools = gst_query_get_n_allocation_pools (query);
  if (n_pools == 0)
    gst_query_add_allocation_pool (query, NULL, (guint) GST_VIDEO_INFO_SIZE (&info), n_waiting, 0);
  for (guint i = 0; i < n_pools; i++) {
    g_autoptr (GstBufferPool) pool = NULL;
    guint size, least, most;

    gst_query_parse_nth_allocation_pool (query, i, &pool, &size, &least, &most);
    gst_query_set_nth_allocation_pool (query, i, pool, size, least + n_waiting, most > 0 ? most + n_waiting : 0);
  }
  return TRUE;
}

static gboolean
gst_cca_gate_set_caps (GstBaseTransform *base, GstCaps *caps, GstCaps *source_caps)
{
  GstCcaGate *self = GST_CCA_GATE (base);
  const GstStructure *structure = gst_caps_get_structure (caps, 0);

  self->frame_duration = gst_cca_frame_duration (caps);
  self->width = self->height = 0;
  gst_structure_get (structure, "width", G_TYPE_INT, &self->width, "height", G_TYPE_INT, &self->height, NULL);
  return TRUE;
}

static gboolean
gst_cca_gate_start (GstBaseTransform *base)
{
  GstCcaGate *self = GST_CCA_GATE (base);

  if (!gst_cca_properties_check (&properties, &self->settings, self))
    return FALSE;
  self->gate = gst_cca_motion_gate_new ();
  if (!self->gate) {
    fail_for_memory (self);
    return FALSE;
  }
  self->warned = 0;
  self->discont = FALSE;
  self->frame_duration = GST_CLOCK_TIME_NONE;
  GST_OBJECT_LOCK (self);
  self->n_frames = self->n_passed = self->n_openings = 0;
  GST_OBJECT_UNLOCK (self);
  begin_timeline (self);
  return TRUE;
}

static gboolean
gst_cca_gate_stop (GstBaseTransform *base)
{
  GstCcaGate *self = GST_CCA_GATE (base);

  forget_kept (self);
  g_clear_pointer (&self->gate, gst_cca_motion_gate_free);
  gst_cca_gate_view_clear (&self->view);
  return TRUE;
}

/* --- Object ------------------------------------------------------------------------------------------ */

static void
gst_cca_gate_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  Settings *settings = &GST_CCA_GATE (object)->settings;

  if (id >= PROP_OTHERS) {
    gst_cca_property_set (object, id, value, spec);
    if (g_str_equal (spec->name, "pre-roll"))
      gst_element_post_message (GST_ELEMENT (object), gst_message_new_latency (GST_OBJECT (object)));
    return;
  }
  GST_OBJECT_LOCK (object);
  if (id == PROP_CROP_MARGIN)
    settings->tiles.margin = g_value_get_double (value);
  else {
    settings->aspect_n = gst_value_get_fraction_numerator (value);
    settings->aspect_d = gst_value_get_fraction_denominator (value);
  }
  GST_OBJECT_UNLOCK (object);
}

static void
gst_cca_gate_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  GstCcaGate *self = GST_CCA_GATE (object);

  if (id >= PROP_OTHERS) {
    gst_cca_property_get (object, id, value, spec);
    return;
  }
  GST_OBJECT_LOCK (self);
  if (id == PROP_CROP_MARGIN)
    g_value_set_double (value, self->settings.tiles.margin);
  else
    gst_value_set_fraction (value, self->settings.aspect_n, self->settings.aspect_d);
  GST_OBJECT_UNLOCK (self);
}

static void
gst_cca_gate_finalize (GObject *object)
{
  GstCcaGate *self = GST_CCA_GATE (object);

  gst_cca_properties_clear (&properties, &self->settings);
  G_OBJECT_CLASS (gst_cca_gate_parent_class)->finalize (object);
}

static void
gst_cca_gate_init (GstCcaGate *self)
{
  self->settings = (Settings) { .params.step = STEP, .tiles.margin = 0.2, .aspect_d = 1 };
  gst_cca_properties_init (&properties, &self->settings);
  gst_base_transform_set_passthrough (GST_BASE_TRANSFORM (self), TRUE);
  gst_base_transform_set_qos_enabled (GST_BASE_TRANSFORM (self), FALSE);
}

static void
gst_cca_gate_class_init (GstCcaGateClass *klass)
{
  const GParamFlags flags = GST_CCA_PROPERTY_PLAYING | G_PARAM_STATIC_STRINGS;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *base_class = GST_BASE_TRANSFORM_CLASS (klass);

  gst_cca_properties_install (&properties, object_class, G_STRUCT_OFFSET (GstCcaGate, settings));
  object_class->set_property = gst_cca_gate_set_property;
  object_class->get_property = gst_cca_gate_get_property;
  object_class->finalize = gst_cca_gate_finalize;
  base_class->set_caps = gst_cca_gate_set_caps;
  base_class->start = gst_cca_gate_start;
  base_class->stop = gst_cca_gate_stop;
  base_class->sink_event = gst_cca_gate_sink_event;
  base_class->query = gst_cca_gate_query;
  base_class->propose_allocation = gst_cca_gate_propose_allocation;
  base_class->generate_output = gst_cca_gate_generate_output;

  g_object_class_install_property (object_class, PROP_CROP_MARGIN,
                                   g_param_spec_double ("crop-margin", "crop-margin",
                                                        "Margin round an object, as a part of its longer side", 0, 10,
                                                        0.2, flags));
  g_object_class_install_property (object_class, PROP_CROP_ASPECT,
                                   gst_param_spec_fraction ("crop-aspect", "crop-aspect",
                                                            "Width of a crop over its height; 0/1 = any", 0, 1, 1000, 1,
                                                            0, 1, flags));

  gst_cca_class_add_templates (klass, "video/x-raw(ANY)");
  gst_element_class_set_static_metadata (element_class, "Gate for moving objects", "Filter/Video",
                                         "Passes frames, or marks crops of them, while something moves",
                                         "gst-cca developers");
  gst_type_mark_as_plugin_api (GST_TYPE_CCA_GATE_MODE, 0);
}
