/* gst-cca: ccatrack, follows components from frame to frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-ccatrack
 * @title: ccatrack
 * @short_description: gives objects identities over time
 *
 * Follows the components of a #GstCcaMeta, or the boxes of a detector, from frame to frame. The element adds a
 * #GstCcaTrackMeta to each buffer that carries such, and posts an element message named `cca-tracks`. Buffers pass
 * unchanged, in any memory.
 *
 * Prediction follows time stamps: missing frames and gaps do not matter. A flush, a segment on another timeline (a
 * seek, a loop), a new frame size and time stamps that go back by more than a second end all tracks; ids continue. A
 * single stamp far ahead is ignored.
 *
 * |[
 * gst-launch-1.0 -m v4l2src ! cca foreground=motion ! ccatrack ! fakesink
 * ]|
 *
 * Since: 0.1
 */
#include <gst/cca/gstccameta.h>
#include <gst/video/video.h>
#include <math.h>

#include "array.h"
#include "gstccafilter.h"
#include "gstccaforeign.h"
#include "gstccahold.h"
#include "gstccapost.h"
#include "gstccaproperties.h"
#include "gstccarulesfile.h"
#include "gstccatext.h"
#include "gstccatrackreport.h"
#include "gstccatracksizes.h"
#include "tracker.h"

GST_DEBUG_CATEGORY_STATIC (cca_track_debug);
#define GST_CAT_DEFAULT cca_track_debug

#define OBJECT_TYPE "cca-track"

/* An analysis that cannot hold objects is asked again after so long. */
#define ASK_AGAIN (10 * GST_SECOND)

typedef enum
{
  GST_CCA_TRACK_EMIT_CCA = 1 << 0,       /* GstCcaTrackMeta */
  GST_CCA_TRACK_EMIT_ANALYTICS = 1 << 2, /* GstAnalyticsRelationMeta; the value that other elements have */
} GstCcaTrackEmit;

/* What can be wrong with a stream; each is told once. */
typedef enum
{
  WARNED_TRUNCATED = 1 << 0,
  WARNED_ANALYTICS = 1 << 1,
} Warned;

/* The type's name gives elements theirs, ccatrack0; GstCcaTrack is a track in a frame. */
#define GST_TYPE_CCA_TRACK_ELEMENT (gst_cca_track_element_get_type ())
G_DECLARE_FINAL_TYPE (GstCCATrack, gst_cca_track_element, GST, CCA_TRACK_ELEMENT, GstCcaFilter)

struct _GstCCATrack
{
  GstCcaFilter parent;

  /* Under the object lock. */
  GstCcaTrackerParams params;
  guint64 message_interval;
  GstCcaTrackEmit emit;
  gchar *sizes_location, *ground;
  gboolean people;
  GstCcaDetections detections;
  guint detection_interval;
  guint64 n_frames, n_confirmed;
  guint n_alive;
  gboolean knows_heights;
  gdouble metres; /* 0: not known */
  GstCcaTrackerHeight heights[2];

  GstCcaTracker *tracker;
  GstCcaTrackSizes sizes;
  GstCcaTrackAnalytics analytics;
  GstCcaForeign foreign;
  guint frame_width, frame_height; /* as the caps say */
  GstCcaListPool *message_pool;
  gboolean holds;       /* the last event for the analysis had boxes */
  GstClockTime refused; /* when the analysis refused one, by the clock; or GST_CLOCK_TIME_NONE */

  /* A frame's; rooms in elements. */
  GstCcaTrackerComponent *components;
  gsize components_room;
  GstCcaTrack *tracks;
  gsize tracks_room;
  GstCcaSighting *sightings; /* of the tracks */
  gsize sightings_room;
};

G_DEFINE_TYPE (GstCCATrack, gst_cca_track_element, GST_TYPE_CCA_FILTER)
GST_ELEMENT_REGISTER_DECLARE (ccatrack);
GST_ELEMENT_REGISTER_DEFINE (ccatrack, "ccatrack", GST_RANK_NONE, GST_TYPE_CCA_TRACK_ELEMENT)

#define GST_TYPE_CCA_TRACK_EMIT (gst_cca_track_emit_get_type ())
static GType gst_cca_track_emit_get_type (void);
G_DEFINE_FLAGS_TYPE (GstCcaTrackEmit, gst_cca_track_emit,
                     { GST_CCA_TRACK_EMIT_CCA, "GstCcaTrackMeta with all tracks", "cca" },
                     { GST_CCA_TRACK_EMIT_ANALYTICS,
                       "GstAnalyticsRelationMeta with a tracking entry per track and an object detection per track "
                       "that was seen (GStreamer >= 1.24)",
                       "analytics" })

#define GST_TYPE_CCA_TRACK_DETECTIONS (gst_cca_track_detections_get_type ())
static GType gst_cca_track_detections_get_type (void);
G_DEFINE_ENUM_TYPE (GstCcaTrackDetections, gst_cca_track_detections,
                    { GST_CCA_DETECTIONS_AUTO, "The first of the others that the stream has", "auto" },
                    { GST_CCA_DETECTIONS_COMPONENTS, "Components of a GstCcaMeta", "components" },
                    { GST_CCA_DETECTIONS_ROI, "Objects of a detector: GstVideoRegionOfInterestMeta", "roi" },
                    { GST_CCA_DETECTIONS_ANALYTICS,
                      "Objects of a detector: object detections in GstAnalyticsRelationMeta (GStreamer >= 1.24)",
                      "analytics" })

static GstStructure *
make_stats (gpointer object)
{
  const GstCCATrack *self = object;
  GstStructure *stats = gst_structure_new ("cca-track-stats", "frames", G_TYPE_UINT64, self->n_frames, "tracks",
                                           G_TYPE_UINT64, self->n_confirmed, "alive", G_TYPE_UINT, self->n_alive, NULL);

  if (self->knows_heights)
    gst_structure_set (stats, "upper-row", G_TYPE_DOUBLE, self->heights[0].row, "upper-height", G_TYPE_DOUBLE,
                       self->heights[0].height, "lower-row", G_TYPE_DOUBLE, self->heights[1].row, "lower-height",
                       G_TYPE_DOUBLE, self->heights[1].height, NULL);
  if (self->metres > 0.0)
    gst_structure_set (stats, "metres", G_TYPE_DOUBLE, self->metres, NULL);
  return stats;
}

#define AT(field) G_STRUCT_OFFSET (GstCCATrack, field)

static const GstCcaProperty list[] = {
  { "confirm-frames", AT (params.confirm_frames), G_TYPE_UINT, 1, G_MAXUINT, GST_CCA_TRACKER_CONFIRM_FRAMES,
    .blurb = "Frames in which an object must be seen before its track is published" },
  { "max-age", AT (params.max_age), G_TYPE_UINT, 0, G_MAXUINT, GST_CCA_TRACKER_MAX_AGE,
    .blurb = "Most frames for which a track is published after its object was last seen" },
  { "max-age-time", AT (params.max_age_time), G_TYPE_UINT64, 0, G_MAXUINT64, GST_CCA_TRACKER_MAX_AGE_TIME,
    .blurb = "Longest time for which a track is published after its object was last seen, ns; three times as long "
             "while other objects hide it" },
  { "message-interval", AT (message_interval), G_TYPE_UINT64, 0, G_MAXUINT64, 0,
    .blurb = "Least running time between two messages, ns; 0 = a message for every frame" },
  { "emit", AT (emit), G_TYPE_FLAGS, .value = GST_CCA_TRACK_EMIT_CCA, .get_type = gst_cca_track_emit_get_type,
    .blurb = "Metas that buffers get" },
  /**
   * ccatrack:sizes-location:
   *
   * A file for the sizes that the element learns. It is read when the element starts, if it is there, and replaced when
   * the element stops. Each camera and each frame size needs a file of its own.
   *
   * Since: 0.1
   */
  { "sizes-location", AT (sizes_location), G_TYPE_STRING,
    .blurb = "File that keeps the learned sizes of objects: read at the start if it is there, replaced at the stop "
             "(NULL = forget them)",
    .flags = (GParamFlags) (G_PARAM_READWRITE | GST_PARAM_MUTABLE_READY) },
  /**
   * ccatrack:ground:
   *
   * Where the ground is: rules with the member `ground`, as #ccazones reads them. The element then knows how large
   * objects are as a height in metres, in the whole picture, and learns it from fewer objects.
   *
   * Since: 0.1
   */
  { "ground", AT (ground), G_TYPE_STRING,
    .blurb = "Rules in JSON with the member ground, as ccazones reads them: a file or, if the value begins with {, the "
             "text (NULL = the ground is not known)",
    .flags = (GParamFlags) (G_PARAM_READWRITE | GST_PARAM_MUTABLE_READY) },
  /**
   * ccatrack:people:
   *
   * The objects are people: with #ccatrack:ground, the element knows about how large they are from the first frame on.
   *
   * Since: 0.1
   */
  { "people", AT (people), G_TYPE_BOOLEAN,
    .blurb = "The objects are people: with ground, they are taken to be 1.7 m high until their sizes are learned",
    .flags = (GParamFlags) (G_PARAM_READWRITE | GST_PARAM_MUTABLE_READY) },
  /**
   * ccatrack:detections:
   *
   * What is tracked: components, or the objects of a detector. Tracks of such objects have its classes, and the id
   * `roi` or `analytics` if the property id names no other. Metas of our own elements are no detections.
   *
   * Since: 0.1
   */
  { "detections", AT (detections), G_TYPE_ENUM, .value = GST_CCA_DETECTIONS_AUTO,
    .get_type = gst_cca_track_detections_get_type,
    .blurb = "What is tracked; auto = components, or without any, objects of a detector" },
  /**
   * ccatrack:detection-interval:
   *
   * With a value of n, the detector looks at every n-th frame. A frame without objects then counts as empty only if it
   * is the n-th since the last one that counted.
   *
   * Since: 0.1
   */
  { "detection-interval", AT (detection_interval), G_TYPE_UINT, 1, G_MAXUINT, 1,
    .blurb = "Frames from one that a detector looks at to the next" },
  { "stats", .type = G_TYPE_BOXED, .make = make_stats,
    .blurb = "Since the start: frames, tracks confirmed so far (tracks), tracks in the last frame (alive); where it is "
             "known, how high objects are that stand on two rows (upper-row, upper-height, lower-row, lower-height), "
             "pixels, and with a ground, in metres (metres)" },
};
static const GstCcaProperties properties = { GST_CCA_FILTER_LAST_PROP + 1, G_N_ELEMENTS (list), list,
                                             GST_CCA_PROPERTY_PLAYING };

/* --- What comes in ----------------------------------------------------------------------------------- */

static gboolean
gst_cca_track_element_set_caps (GstBaseTransform *base, GstCaps *caps, GstCaps *source_caps)
{
  GstCCATrack *self = GST_CCA_TRACK_ELEMENT (base);

  gst_cca_foreign_frame_size (caps, &self->frame_width, &self->frame_height);
  return GST_BASE_TRANSFORM_CLASS (gst_cca_track_element_parent_class)->set_caps (base, caps, source_caps);
}

static void
warn_analytics (GstCCATrack *self, const gchar *property)
{
  if (gst_cca_is_first (&self->parent.warned, WARNED_ANALYTICS))
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
                  "%s=analytics has no effect: this build lacks GstAnalytics; build with gstreamer-analytics-1.0, "
                  "1.24 or later",
                  property);
}

static gboolean
is_foreign (const GstCCATrack *self, const GstCcaMeta *meta)
{
  return meta == &self->foreign.meta;
}

/* Finds the frame's components, or the objects of a detector as such. */
static gboolean
gst_cca_track_element_find (GstCcaFilter *filter, GstBuffer *buffer, const gchar *id, gconstpointer *meta)
{
  GstCCATrack *self = GST_CCA_TRACK_ELEMENT (filter);
  GstCcaDetections wanted, source;
  const GstCcaMeta *found;
  guint interval;

  GST_OBJECT_LOCK (self);
  wanted = self->detections;
  interval = self->detection_interval;
  GST_OBJECT_UNLOCK (self);

  if (wanted == GST_CCA_DETECTIONS_ANALYTICS && !gst_cca_has_analytics ())
    warn_analytics (self, "detections");
  source = gst_cca_foreign_choose (&self->foreign, wanted, buffer);
  if (source != GST_CCA_DETECTIONS_ROI && source != GST_CCA_DETECTIONS_ANALYTICS)
    return GST_CCA_FILTER_CLASS (gst_cca_track_element_parent_class)->find (filter, buffer, id, meta);
  if (!gst_cca_foreign_read (&self->foreign, buffer, source, id, self->frame_width, self->frame_height, interval,
                             &found)) {
    gst_cca_filter_no_memory (filter, "objects", self->foreign.n);
    return FALSE;
  }
  *meta = found;
  return TRUE;
}

static void
gst_cca_track_element_forget (GstCcaFilter *filter)
{
  GstCCATrack *self = GST_CCA_TRACK_ELEMENT (filter);

  if (self->tracker)
    gst_cca_tracker_reset (self->tracker);
  self->refused = GST_CLOCK_TIME_NONE;
}

static gboolean
is_in_frame (const GstCcaComponent *component, const GstCcaMeta *meta)
{
  return component->width > 0 && component->height > 0 && (guint64) component->x + component->width <= meta->width
         && (guint64) component->y + component->height <= meta->height && isfinite (component->centroid_x)
         && isfinite (component->centroid_y);
}

static gboolean
fill_frame (GstCCATrack *self, const GstCcaMeta *meta, GstCcaTrackerFrame *frame)
{
  gsize n = 0;

  if (!GST_CCA_RESERVE (self->components, self->components_room, meta->n_stored))
    return FALSE;
  for (guint i = 0; i < meta->n_stored; i++) {
    const GstCcaComponent *c = &meta->components[i];

    if (!is_in_frame (c, meta))
      continue; /* skip malformed third-party components */
    self->components[n++] = (GstCcaTrackerComponent) {
      .label = c->label,
      .x = c->x,
      .y = c->y,
      .width = c->width,
      .height = c->height,
      .area = MIN (c->area, (guint64) c->width * c->height),
      .centroid_x = c->centroid_x,
      .centroid_y = c->centroid_y,
      .kind = is_foreign (self, meta) ? self->foreign.types[i] : 0,
    };
  }
  *frame = (GstCcaTrackerFrame) {
    .time = self->parent.clock.time,
    .width = MAX (meta->width, 1),
    .height = MAX (meta->height, 1),
    .components = self->components,
    .n_components = n,
    .coverage = meta->coverage,
    .colours = meta->cell_colours,
    .cell = meta->coverage_cell,
    .columns = meta->coverage_columns,
    .rows = meta->coverage_rows,
    .whole = is_foreign (self, meta),
  };
  return TRUE;
}

/* --- What goes out ----------------------------------------------------------------------------------- */

static gboolean
publish_tracks (GstCCATrack *self, const GstCcaTrackerFrame *frame, const GstCcaObject *tracks, gsize n,
                guint *n_published)
{
  *n_published = 0;
  if (!GST_CCA_RESERVE (self->tracks, self->tracks_room, n)
      || !GST_CCA_RESERVE (self->sightings, self->sightings_room, n))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (gst_cca_track_publish (&tracks[i], frame->width, frame->height, &self->tracks[*n_published]))
      self->sightings[(*n_published)++] = (GstCcaSighting) { tracks[i].id, tracks[i].first_seen, tracks[i].last_seen };
  return TRUE;
}

static gboolean
add_track_meta (GstCCATrack *self, GstBuffer *buffer, const GstCcaMeta *meta, guint n)
{
  GstCcaTrackMeta *old, *added;
  GstCcaTrackerHeight h[2];

  while ((old = (GstCcaTrackMeta *) gst_buffer_get_cca_track_meta_by_id (buffer, meta->id)))
    gst_buffer_remove_meta (buffer, &old->meta);
  added = gst_buffer_add_cca_track_meta (buffer, meta->id, meta->width, meta->height, self->tracks, n);
  if (added && gst_cca_tracker_heights (self->tracker, h))
    gst_cca_track_meta_set_heights (added, h[0].row, h[0].height, h[1].row, h[1].height);
  return added != NULL;
}

/* The type tells analyses apart in metadata without an id. */
static GQuark
object_type (const gchar *id)
{
  g_autofree gchar *type = id ? g_strconcat (OBJECT_TYPE "/", id, NULL) : g_strdup (OBJECT_TYPE);

  return g_quark_from_string (type);
}

static gboolean
add_metas (GstCCATrack *self, GstBuffer *buffer, const GstCcaMeta *meta, GstCcaTrackEmit emit, GQuark type, guint n)
{
  if (!(emit & GST_CCA_TRACK_EMIT_ANALYTICS))
    gst_cca_track_analytics_clear (&self->analytics);
  else if (!gst_cca_has_analytics ())
    warn_analytics (self, "emit");
  else if (!gst_cca_track_analytics_add (&self->analytics, buffer, type, self->tracks, self->sightings, n))
    return FALSE;
  return !(emit & GST_CCA_TRACK_EMIT_CCA) || add_track_meta (self, buffer, meta, n);
}

/* --- To the analysis ---------------------------------------------------------------------------------- */

/* Returns the boxes of objects that came from elsewhere and are seen: what began where it is may be a change of the
 * light, which the background model has to learn. */
static guint
fill_boxes (const GstCCATrack *self, const GstCcaObject *tracks, gsize n, GstCcaHoldBox boxes[GST_CCA_HOLD_MOST])
{
  const GstCcaFilter *filter = &self->parent;
  guint n_boxes = 0;

  for (gsize i = 0; i < n && n_boxes < GST_CCA_HOLD_MOST; i++) {
    const gboolean is_seen = tracks[i].state == GST_CCA_OBJECT_CONFIRMED || tracks[i].state == GST_CCA_OBJECT_MERGED;
    GstCcaTrack published;

    if (!is_seen || !tracks[i].has_come
        || !gst_cca_track_publish (&tracks[i], filter->width, filter->height, &published))
      continue;
    boxes[n_boxes++] = (GstCcaHoldBox) { published.x, published.y, published.width, published.height,
                                         filter->clock.time - tracks[i].still_since };
  }
  return n_boxes;
}

/* Asks the analysis not to learn the objects, and says how large they are. */
static void
hold_objects (GstCCATrack *self, const GstCcaObject *tracks, gsize n)
{
  const GstCcaFilter *filter = &self->parent;
  GstCcaHoldBox boxes[GST_CCA_HOLD_MOST];
  guint32 width, height;
  const GstCcaSizes *sizes = gst_cca_tracker_sizes (self->tracker, &width, &height);
  guint n_boxes;

  if (GST_CLOCK_TIME_IS_VALID (self->refused) && filter->clock.time - self->refused < ASK_AGAIN)
    return;
  n_boxes = fill_boxes (self, tracks, n, boxes);
  self->refused = GST_CLOCK_TIME_NONE;
  if ((n_boxes > 0 || self->holds)
      && !gst_pad_push_event (GST_BASE_TRANSFORM_SINK_PAD (self),
                              gst_cca_hold_event_new (filter->source, filter->width, filter->height,
                                                      filter->times.running_time, gst_cca_sizes_typical_area (sizes),
                                                      boxes, n_boxes)))
    self->refused = filter->clock.time;
  self->holds = n_boxes > 0;
}

/* --- Frames ------------------------------------------------------------------------------------------ */

static void
count_frame (GstCCATrack *self, guint n_alive)
{
  GST_OBJECT_LOCK (self);
  self->n_frames++;
  self->n_confirmed = gst_cca_tracker_n_confirmed (self->tracker);
  self->n_alive = n_alive;
  self->knows_heights = gst_cca_tracker_heights (self->tracker, self->heights);
  self->metres = gst_cca_tracker_metres (self->tracker);
  GST_OBJECT_UNLOCK (self);
}

static GstFlowReturn
gst_cca_track_element_filter (GstCcaFilter *filter, GstBuffer *buffer, gconstpointer data)
{
  GstCCATrack *self = GST_CCA_TRACK_ELEMENT (filter);
  const GstCcaObject *tracks;
  const GstCcaMeta *meta = data;
  GstCcaTrackerParams params;
  GstCcaTrackerFrame frame;
  gboolean post_messages;
  GstCcaTrackEmit emit;
  guint n_published;
  guint64 interval;
  gsize n_tracks;
  GQuark type = 0;

  GST_OBJECT_LOCK (self);
  params = self->params;
  post_messages = filter->post_messages;
  interval = self->message_interval;
  emit = self->emit;
  if (emit & GST_CCA_TRACK_EMIT_ANALYTICS)
    type = object_type (filter->id);
  GST_OBJECT_UNLOCK (self);

  if (meta->truncated && gst_cca_is_first (&filter->warned, WARNED_TRUNCATED))
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                  "A frame has %u components, of which '%s' stores %u: only these are tracked; raise its min-area or "
                  "max-components",
                  meta->n_components, meta->id, meta->n_stored);
  if (filter->step == GST_CCA_CLOCK_WENT_BACK) {
    GST_INFO_OBJECT (self, "time stamps went back to %" GST_TIME_FORMAT, GST_TIME_ARGS (filter->times.running_time));
    gst_cca_tracker_reset (self->tracker);
  }
  gst_cca_track_sizes_see_frame (&self->sizes, GST_ELEMENT (self), MAX (meta->width, 1), MAX (meta->height, 1));
  gst_cca_tracker_set_params (self->tracker, &params);
  if (!fill_frame (self, meta, &frame) || !gst_cca_tracker_run (self->tracker, &frame, &tracks, &n_tracks)
      || !publish_tracks (self, &frame, tracks, n_tracks, &n_published))
    return gst_cca_filter_no_memory (filter, "tracks", meta->n_stored);
  count_frame (self, n_published);
  if (!is_foreign (self, meta))
    hold_objects (self, tracks, n_tracks);
  GST_LOG_OBJECT (self, "%u tracks of %u components", n_published, meta->n_stored);

  if (!add_metas (self, buffer, meta, emit, type, n_published))
    return gst_cca_filter_no_memory (filter, "metas", meta->n_stored);
  if (post_messages && gst_cca_message_is_due (&filter->last_message, interval, filter->times.running_time))
    gst_element_post_message (GST_ELEMENT (self),
                              gst_cca_track_message_new (self->message_pool, GST_OBJECT (self), meta->id,
                                                         &filter->times, meta->width, meta->height, filter->trouble,
                                                         self->tracks, n_published));
  return GST_FLOW_OK;
}

static void
drop_tracker (GstCCATrack *self)
{
  g_clear_pointer (&self->tracker, gst_cca_tracker_free);
  gst_cca_track_sizes_clear (&self->sizes);
  gst_cca_track_analytics_clear (&self->analytics);
  gst_cca_foreign_clear (&self->foreign);
  g_clear_pointer (&self->message_pool, gst_cca_list_pool_unref);
}

/* Tells the tracker where the ground is, if a property says it. Posts an error and returns FALSE if that fails. */
static gboolean
use_ground (GstCCATrack *self, const gchar *value, gboolean people)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstCcaRulesFile) rules = NULL;
  GstCcaGroundPicture picture;

  if (!value || !*value) {
    if (people)
      gst_cca_post (self, GST_MESSAGE_WARNING, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
                    "people has no effect without ground, which says how large people are at each place; set ground "
                    "to rules with the member ground");
    return TRUE;
  }
  rules = gst_cca_rules_file_load (value, GST_CCA_RULES_FILE_GROUND, &error);
  if (!rules) {
    gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "Cannot use the ground: %s",
                  error->message);
    return FALSE;
  }
  rules->reader->ground (rules->rules, &picture);
  gst_cca_tracker_set_ground (self->tracker, &picture, people);
  return TRUE;
}

static gboolean
gst_cca_track_element_start (GstBaseTransform *base)
{
  GstCCATrack *self = GST_CCA_TRACK_ELEMENT (base);
  g_autofree gchar *location = NULL, *ground = NULL;
  gboolean people;

  if (!GST_BASE_TRANSFORM_CLASS (gst_cca_track_element_parent_class)->start (base))
    return FALSE;
  drop_tracker (self);
  self->tracker = gst_cca_tracker_new (NULL);
  if (!self->tracker) {
    gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
                  "No memory for a tracker");
    return FALSE;
  }
  GST_OBJECT_LOCK (self);
  location = g_strdup (self->sizes_location);
  ground = g_strdup (self->ground);
  people = self->people;
  GST_OBJECT_UNLOCK (self);
  if (!use_ground (self, ground, people)
      || !gst_cca_track_sizes_start (&self->sizes, GST_ELEMENT (self), location, self->tracker))
    return FALSE;
  self->message_pool = gst_cca_track_message_pool_new ();
  self->refused = GST_CLOCK_TIME_NONE;
  GST_OBJECT_LOCK (self);
  self->n_frames = self->n_confirmed = self->n_alive = 0;
  self->knows_heights = FALSE;
  self->metres = 0.0;
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}

static gboolean
gst_cca_track_element_stop (GstBaseTransform *base)
{
  GstCCATrack *self = GST_CCA_TRACK_ELEMENT (base);

  gst_cca_track_sizes_stop (&self->sizes, GST_ELEMENT (self), self->tracker);
  drop_tracker (self);
  return TRUE;
}

/* --- Object ------------------------------------------------------------------------------------------ */

static void
gst_cca_track_element_finalize (GObject *object)
{
  GstCCATrack *self = GST_CCA_TRACK_ELEMENT (object);

  drop_tracker (self);
  gst_cca_properties_clear (&properties, self);
  free (self->components);
  free (self->tracks);
  free (self->sightings);
  G_OBJECT_CLASS (gst_cca_track_element_parent_class)->finalize (object);
}

static void
gst_cca_track_element_init (GstCCATrack *self)
{
  gst_cca_properties_init (&properties, self);
}

static void
gst_cca_track_element_class_init (GstCCATrackClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *base_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstCcaFilterClass *filter_class = GST_CCA_FILTER_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (cca_track_debug, "ccatrack", 0, "Tracks of connected components");

  gst_cca_properties_install (&properties, object_class, 0);
  object_class->finalize = gst_cca_track_element_finalize;
  base_class->set_caps = gst_cca_track_element_set_caps;
  base_class->start = gst_cca_track_element_start;
  base_class->stop = gst_cca_track_element_stop;
  filter_class->get_api = gst_cca_meta_api_get_type;
  filter_class->stale = G_STRUCT_OFFSET (GstCcaMeta, stale);
  filter_class->reads = "components";
  filter_class->idle = "Nothing is tracked";
  filter_class->forgets_size = TRUE;
  filter_class->find = gst_cca_track_element_find;
  filter_class->filter = gst_cca_track_element_filter;
  filter_class->forget = gst_cca_track_element_forget;

  gst_element_class_set_static_metadata (element_class, "Connected components tracker", "Filter/Analyzer/Video",
                                         "Follows connected components as objects with identities over time",
                                         "gst-cca developers");
  gst_type_mark_as_plugin_api (GST_TYPE_CCA_TRACK_EMIT, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_CCA_TRACK_DETECTIONS, 0);
}
