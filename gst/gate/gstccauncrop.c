/* gst-cca: ccauncrop, puts a detector's results in crops onto the whole frames
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/video/video.h>
#ifdef HAVE_GST_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

#include "gstccaforeign.h"
#include "gstccapost.h"
#include "gstccaproperties.h"
#include "gstccatemplates.h"
#include "gstccaunderway.h"

/* --- Results ------------------------------------------------------------------------------------------ */

typedef struct
{
  gboolean is_region; /* else an object detection */
  GQuark type;
  gint id, parent_id; /* of a region; -1: none */
  GList *params;      /* of a region: GstStructure */
  gfloat confidence;  /* of a detection */
} Result;

/* The results in the tiles of a frame; all zero at first. */
typedef struct
{
  guint64 frame;   /* its number */
  GArray *list;    /* of Result; NULL: nothing so far */
  GArray *boxes;   /* GstCcaFound, in the same order */
  guint n_repeats; /* results of the last frame that were left out as the same objects in two tiles */
} Results;

static void
clear_result (gpointer data)
{
  Result *result = data;

  g_list_free_full (result->params, (GDestroyNotify) gst_structure_free);
}

static void
clear_results (Results *self)
{
  g_clear_pointer (&self->list, g_array_unref);
  g_clear_pointer (&self->boxes, g_array_unref);
}

static void
reserve (Results *self)
{
  if (self->list)
    return;
  self->list = g_array_new (FALSE, FALSE, sizeof (Result));
  g_array_set_clear_func (self->list, clear_result);
  self->boxes = g_array_new (FALSE, FALSE, sizeof (GstCcaFound));
}

static GstCcaBox
box_of (gdouble x, gdouble y, gdouble width, gdouble height)
{
  return (GstCcaBox) { { x, y }, { x + width, y + height } };
}

/* Returns a box with its sides on pixels, without area if no pixel is nearest. */
static GstCcaBox
on_pixels (const GstCcaBox *box)
{
  GstCcaBox rounded;

  for (guint i = 0; i < 2; i++) {
    rounded.min[i] = floor (box->min[i] + 0.5);
    rounded.max[i] = floor (box->max[i] + 0.5);
  }
  return rounded;
}

/* Adds a result (taken) that lies in a box of the tile; drops it if the box has no part in the crop. */
static void
add (Results *self, const GstCcaTileOrigin *origin, const GstCcaBox *in_tile, Result result)
{
  const GstCcaBox back = gst_cca_letterbox_back (&origin->box, in_tile);
  /* Of the two kinds of metas for one object, none repeats the other. */
  GstCcaFound found = { on_pixels (&back), origin->box.crop, .tile = origin->tile,
                        .kind = result.type << 1 | result.is_region };

  if (gst_cca_box_area (&found.box) > 0.0) {
    g_array_append_val (self->boxes, found);
    g_array_append_val (self->list, result);
  } else {
    clear_result (&result);
  }
}

/* Returns an id that no other region of the frame has: that of the tile's region, and the tile's number. */
static gint
id_in_frame (gint id, guint tile)
{
  return id < 0 || id > G_MAXUINT16 ? -1 : (gint) ((tile + 1) << 16) + id;
}

/* Copies the parameters of a region. A detector's own box, in parts of the tile, would be wrong in the frame. */
static GList *
copy_params (const GstVideoRegionOfInterestMeta *region)
{
  GList *copies = NULL;

  for (const GList *at = region->params; at; at = at->next) {
    GstStructure *copy = gst_structure_copy (at->data);

    gst_structure_remove_fields (copy, "x_min", "y_min", "x_max", "y_max", NULL);
    copies = g_list_prepend (copies, copy);
  }
  return g_list_reverse (copies);
}

static void
read_regions (Results *self, GstBuffer *tile, const GstCcaTileOrigin *origin)
{
  gpointer state = NULL;
  GstMeta *at;

  while ((at = gst_buffer_iterate_meta_filtered (tile, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE))) {
    const GstVideoRegionOfInterestMeta *region = (GstVideoRegionOfInterestMeta *) at;
    const GstCcaBox box = box_of (region->x, region->y, region->w, region->h);

    add (self, origin, &box,
         (Result) {
             .is_region = TRUE,
             .type = region->roi_type,
             .id = id_in_frame (region->id, origin->tile),
             .parent_id = id_in_frame (region->parent_id, origin->tile),
             .params = copy_params (region),
         });
  }
}

static void
read_detections (Results *self, GstBuffer *tile, const GstCcaTileOrigin *origin)
{
#ifdef HAVE_GST_ANALYTICS
  gpointer meta_state = NULL;
  GstMeta *at;

  while ((at = gst_buffer_iterate_meta_filtered (tile, &meta_state, GST_ANALYTICS_RELATION_META_API_TYPE))) {
    GstAnalyticsODMtd detection;
    gpointer state = NULL;

    while (gst_analytics_relation_meta_iterate ((GstAnalyticsRelationMeta *) at, &state,
                                                gst_analytics_od_mtd_get_mtd_type (), &detection)) {
      gint x, y, width, height;
      gfloat confidence;

      if (gst_analytics_od_mtd_get_location (&detection, &x, &y, &width, &height, &confidence)) {
        const GstCcaBox box = box_of (x, y, width, height);

        add (self, origin, &box,
             (Result) { .type = gst_analytics_od_mtd_get_obj_type (&detection), .confidence = confidence });
      }
    }
  }
#endif
}

/* Reads the regions of interest and object detections of a tile of this size, which may have been scaled since it was
 * cut. Those of tiles of an earlier frame are forgotten. */
static void
read_tile (Results *self, GstBuffer *tile, const GstCcaTileOrigin *origin, guint width, guint height)
{
  const gdouble scale[2] = { (gdouble) width / origin->width, (gdouble) height / origin->height };
  GstCcaTileOrigin scaled = *origin;

  for (guint i = 0; i < 2; i++) {
    scaled.box.place.min[i] *= scale[i];
    scaled.box.place.max[i] *= scale[i];
  }
  if (origin->frame != self->frame)
    clear_results (self);
  self->frame = origin->frame;
  reserve (self);
  read_regions (self, tile, &scaled);
  read_detections (self, tile, &scaled);
}

static void
add_region (GstBuffer *frame, const GstCcaBox *box, Result *result)
{
  GstVideoRegionOfInterestMeta *region = gst_buffer_add_video_region_of_interest_meta_id (
      frame, result->type, (guint) box->min[0], (guint) box->min[1], (guint) (box->max[0] - box->min[0]),
      (guint) (box->max[1] - box->min[1]));

  region->id = result->id;
  region->parent_id = result->parent_id;
  region->params = g_steal_pointer (&result->params);
}

static void
add_detection (GstBuffer *frame, const GstCcaBox *box, const Result *result)
{
#ifdef HAVE_GST_ANALYTICS
  GstAnalyticsRelationMeta *meta = gst_buffer_get_analytics_relation_meta (frame);
  GstAnalyticsODMtd detection;

  if (!meta)
    meta = gst_buffer_add_analytics_relation_meta (frame);
  gst_analytics_relation_meta_add_od_mtd (meta, result->type, (gint) box->min[0], (gint) box->min[1],
                                          (gint) (box->max[0] - box->min[0]), (gint) (box->max[1] - box->min[1]),
                                          result->confidence, &detection);
#endif
}

/* Adds the results in the tiles of a frame to it, in the frame's coordinates, objects at seams once. Returns the frame
 * (taken), writable if anything was added, and forgets the results. */
static GstBuffer *
add_results (Results *self, guint64 number, GstBuffer *frame, guint width, guint height)
{
  const GstCcaSheet sheet = { width, height, { 1, 1 } };
  const guint n = self->list && self->frame == number ? self->list->len : 0;
  g_autofree const GstCcaFound **order = g_new (const GstCcaFound *, n);
  GstCcaFound *boxes;

  self->n_repeats = 0;
  if (n > 0) {
    boxes = (GstCcaFound *) (gpointer) self->boxes->data;
    gst_cca_seams_mark (boxes, order, n, &sheet);
    frame = gst_buffer_make_writable (frame);
    for (guint i = 0; i < n; i++) {
      Result *result = &g_array_index (self->list, Result, i);

      self->n_repeats += boxes[i].repeats;
      if (boxes[i].repeats)
        continue;
      if (result->is_region)
        add_region (frame, &boxes[i].box, result);
      else
        add_detection (frame, &boxes[i].box, result);
    }
  }
  clear_results (self);
  return frame;
}

/* --- Element ------------------------------------------------------------------------------------------ */

/* Faults of a stream, each of which is one warning. */
typedef enum
{
  WARNED_NO_CROP = 1 << 0,
  WARNED_NO_META = 1 << 1,
} Warned;

#define GST_TYPE_CCA_UNCROP (gst_cca_uncrop_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaUncrop, gst_cca_uncrop, GST, CCA_UNCROP, GstElement)

struct _GstCcaUncrop
{
  GstElement parent;
  GstPad *sink, *src;

  /* Under the object lock. */
  guint64 n_frames, n_tiles, n_repeats;

  gboolean cropped;    /* tiles come from a ccacrop */
  guint width, height; /* of the whole frames */
  guint tile_width, tile_height;
  Results results;
  guint warned;
};

G_DEFINE_TYPE (GstCcaUncrop, gst_cca_uncrop, GST_TYPE_ELEMENT)
GST_ELEMENT_REGISTER_DECLARE (ccauncrop);
GST_ELEMENT_REGISTER_DEFINE (ccauncrop, "ccauncrop", GST_RANK_NONE, GST_TYPE_CCA_UNCROP)

static GstStructure *
make_stats (gpointer object)
{
  const GstCcaUncrop *self = object;

  return gst_structure_new ("ccauncrop-stats", "frames", G_TYPE_UINT64, self->n_frames, "tiles", G_TYPE_UINT64,
                            self->n_tiles, "repeats", G_TYPE_UINT64, self->n_repeats, NULL);
}

static const GstCcaProperty list[] = {
  { "stats", .type = G_TYPE_BOXED, .make = make_stats,
    .blurb = "Since the start: frames, tiles, and repeats: what was left out because it was found in two tiles" },
};
static const GstCcaProperties properties = { 1, G_N_ELEMENTS (list), list };

/* --- Frames ------------------------------------------------------------------------------------------- */

static void
push_frame (GstCcaUncrop *self, GstCcaUnderwayFrame *frame, guint64 number)
{
  GstBuffer *buffer =
      add_results (&self->results, number, gst_cca_underway_frame_steal (frame), self->width, self->height);

  GST_OBJECT_LOCK (self);
  self->n_frames++;
  self->n_repeats += self->results.n_repeats;
  GST_OBJECT_UNLOCK (self);
  gst_cca_underway_frame_end (frame, gst_pad_push (self->src, buffer));
}

/* Takes a buffer that is no tile: that of a stream without ccacrop passes. */
static GstFlowReturn
take_other (GstCcaUncrop *self, GstBuffer *buffer)
{
  if (!self->cropped) {
    if (gst_cca_is_first (&self->warned, WARNED_NO_CROP))
      gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                    "No ccacrop is upstream: frames pass as they are; put ccacrop before the detector");
    return gst_pad_push (self->src, buffer);
  }
  if (gst_cca_is_first (&self->warned, WARNED_NO_META))
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                  "A tile has lost its GstCcaTileMeta, so its results are lost, too; leave out the element between "
                  "ccacrop and ccauncrop that does not copy metas");
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static GstFlowReturn
gst_cca_uncrop_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  GstCcaUncrop *self = GST_CCA_UNCROP (parent);
  const GstCcaTileOrigin *origin = gst_buffer_get_cca_tile_origin (buffer);

  if (!origin)
    return take_other (self, buffer);
  read_tile (&self->results, buffer, origin, self->tile_width, self->tile_height);
  gst_buffer_unref (buffer);
  GST_OBJECT_LOCK (self);
  self->n_tiles++;
  GST_OBJECT_UNLOCK (self);
  return GST_FLOW_OK;
}

/* Takes the caps of the frames, which come before those of the tiles. */
static gboolean
set_caps (GstCcaUncrop *self, GstCaps *caps)
{
  self->cropped = TRUE;
  gst_cca_foreign_frame_size (caps, &self->width, &self->height);
  return gst_pad_push_event (self->src, gst_event_new_caps (caps));
}

static gboolean
gst_cca_uncrop_sink_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  GstCcaUncrop *self = GST_CCA_UNCROP (parent);
  GstCcaUnderwayFrame *frame;
  g_autoptr (GstCaps) caps = NULL;
  GstCaps *tile_caps;
  guint64 number;
  gboolean taken;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CUSTOM_DOWNSTREAM:
      if ((frame = gst_cca_underway_take_frame (event, &number))) {
        push_frame (self, frame, number);
        return TRUE;
      }
      if ((caps = gst_cca_underway_parse_caps (event))) {
        taken = set_caps (self, caps);
        gst_event_unref (event);
        return taken;
      }
      break;
    case GST_EVENT_CAPS:
      if (!self->cropped)
        return gst_pad_push_event (self->src, event);
      gst_event_parse_caps (event, &tile_caps);
      gst_cca_foreign_frame_size (tile_caps, &self->tile_width, &self->tile_height);
      gst_event_unref (event);
      return TRUE;
    default: break;
  }
  return gst_pad_event_default (pad, parent, event);
}

static gboolean
gst_cca_uncrop_sink_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  /* Tiles end here. */
  if (GST_QUERY_TYPE (query) == GST_QUERY_ALLOCATION)
    return FALSE;
  return gst_pad_query_default (pad, parent, query);
}

static GstStateChangeReturn
gst_cca_uncrop_change_state (GstElement *element, GstStateChange transition)
{
  GstCcaUncrop *self = GST_CCA_UNCROP (element);
  GstStateChangeReturn changed;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    GST_OBJECT_LOCK (self);
    self->n_frames = self->n_tiles = self->n_repeats = 0;
    GST_OBJECT_UNLOCK (self);
    self->cropped = FALSE;
    self->warned = 0;
  }
  changed = GST_ELEMENT_CLASS (gst_cca_uncrop_parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    clear_results (&self->results);
  return changed;
}

/* --- Object ------------------------------------------------------------------------------------------- */

static void
gst_cca_uncrop_init (GstCcaUncrop *self)
{
  self->sink = gst_cca_add_pad (self, "sink");
  gst_pad_set_chain_function (self->sink, gst_cca_uncrop_chain);
  gst_pad_set_event_function (self->sink, gst_cca_uncrop_sink_event);
  gst_pad_set_query_function (self->sink, gst_cca_uncrop_sink_query);
  self->src = gst_cca_add_pad (self, "src");
}

static void
gst_cca_uncrop_class_init (GstCcaUncropClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  gst_cca_properties_install (&properties, G_OBJECT_CLASS (klass), 0);
  element_class->change_state = gst_cca_uncrop_change_state;

  gst_cca_class_add_templates (klass, "video/x-raw(ANY)");
  gst_element_class_set_static_metadata (element_class, "Results of crops on whole frames", "Filter/Video",
                                         "Puts what a detector found in the tiles of ccacrop onto the whole frames",
                                         "gst-cca developers");
}
