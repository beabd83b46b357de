/* gst-cca: what a detector found in the tiles of a frame, put onto the frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaresults.h"

#include <gst/video/video.h>
#ifdef HAVE_GST_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

typedef struct
{
  gboolean is_region; /* else an object detection */
  GQuark type;
  gint id, parent_id; /* of a region; -1: none */
  GList *params;      /* of a region: GstStructure */
  gfloat confidence;  /* of a detection */
} Result;

static void
clear_result (gpointer data)
{
  Result *result = data;

  g_list_free_full (result->params, (GDestroyNotify) gst_structure_free);
}

void
gst_cca_results_clear (GstCcaResults *self)
{
  g_clear_pointer (&self->list, g_array_unref);
  g_clear_pointer (&self->boxes, g_array_unref);
}

static void
reserve (GstCcaResults *self)
{
  if (self->list)
    return;
  self->list = g_array_new (FALSE, FALSE, sizeof (Result));
  g_array_set_clear_func (self->list, clear_result);
  self->boxes = g_array_new (FALSE, FALSE, sizeof (GstCcaFound));
}

/* --- Tiles -------------------------------------------------------------------------------------------- */

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

/* Adds a result (taken) that lies in a box of the tile; what shows nothing of the crop is left out. */
static void
add (GstCcaResults *self, const GstCcaTileOrigin *origin, const GstCcaBox *in_tile, Result result)
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
read_regions (GstCcaResults *self, GstBuffer *tile, const GstCcaTileOrigin *origin)
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
read_detections (GstCcaResults *self, GstBuffer *tile, const GstCcaTileOrigin *origin)
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

void
gst_cca_results_read (GstCcaResults *self, GstBuffer *tile, const GstCcaTileOrigin *origin, guint width, guint height)
{
  const gdouble scale[2] = { (gdouble) width / origin->width, (gdouble) height / origin->height };
  GstCcaTileOrigin scaled = *origin;

  for (guint i = 0; i < 2; i++) {
    scaled.box.place.min[i] *= scale[i];
    scaled.box.place.max[i] *= scale[i];
  }
  if (origin->frame != self->frame)
    gst_cca_results_clear (self);
  self->frame = origin->frame;
  reserve (self);
  read_regions (self, tile, &scaled);
  read_detections (self, tile, &scaled);
}

/* --- Frames ------------------------------------------------------------------------------------------- */

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

GstBuffer *
gst_cca_results_add (GstCcaResults *self, guint64 number, GstBuffer *frame, guint width, guint height)
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
  gst_cca_results_clear (self);
  return frame;
}
