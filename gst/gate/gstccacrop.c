/* gst-cca: ccacrop, cuts the crops of a frame for a detector
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccacrop.h"

#include "gstccacrops.h"
#include "gstccapost.h"
#include "gstccaproperties.h"
#include "gstccatemplates.h"

#define DEFAULT_SIDE 640

/* Faults of a stream, each of which is one warning. */
typedef enum
{
  WARNED_NO_CROPS = 1 << 0,
} Warned;

G_DEFINE_TYPE (GstCcaCrop, gst_cca_crop, GST_TYPE_ELEMENT)
GST_ELEMENT_REGISTER_DECLARE (ccacrop);
GST_ELEMENT_REGISTER_DEFINE (ccacrop, "ccacrop", GST_RANK_NONE, GST_TYPE_CCA_CROP)

/* Not all formats: of some, GStreamer's converter cannot read a part. */
#define CROP_CAPS                                                                                                      \
  GST_VIDEO_CAPS_MAKE ("{ NV12, NV21, I420, YV12, Y42B, Y444, YUY2, UYVY, GRAY8, RGB, BGR, RGBx, BGRx, xRGB, xBGR, "   \
                       "RGBA, BGRA, ARGB, ABGR, RGBP, BGRP }")

static GstStructure *
make_stats (gpointer object)
{
  const GstCcaCrop *self = object;

  return gst_structure_new ("ccacrop-stats", "frames", G_TYPE_UINT64, self->n_frames, "tiles", G_TYPE_UINT64,
                            self->n_tiles, "pixels", G_TYPE_UINT64, self->n_pixels, NULL);
}

static const GstCcaProperty fields[] = {
  { "max-frames", G_STRUCT_OFFSET (GstCcaCrop, max_frames), G_TYPE_UINT, 1, G_MAXUINT, 8,
    .blurb = "Frames on their way to ccauncrop, at most; the next one waits" },
  { "stats", .type = G_TYPE_BOXED, .make = make_stats,
    .blurb = "Since the start: frames, tiles, and pixels of the crops in the frames" },
};
static const GstCcaProperties properties = { 1, G_N_ELEMENTS (fields), fields, GST_CCA_PROPERTY_PLAYING };

/* --- Caps --------------------------------------------------------------------------------------------- */

/* Returns the element's name in pipelines, for messages. */
static const gchar *
kind_of (GstCcaCrop *self)
{
  return GST_OBJECT_NAME (gst_element_get_factory (GST_ELEMENT (self)));
}

/* Returns the features of the element's caps: its memory. */
static GstCapsFeatures *
features_of (const GstCcaCrop *self)
{
  g_autoptr (GstCaps) caps = gst_pad_get_pad_template_caps (self->src);

  return gst_caps_features_copy (gst_caps_get_features (caps, 0));
}

/* Makes caps of tiles of what downstream takes (taken): the frames' format, if it is among them. */
static GstCaps *
fixate (GstCcaCrop *self, GstCaps *caps)
{
  const GstVideoInfo *frame = &self->frame_info;
  const gchar *format = gst_video_format_to_string (GST_VIDEO_INFO_FORMAT (frame));
  g_autoptr (GstCaps) own = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING, format, NULL);
  g_autoptr (GstCaps) same = NULL;
  GstStructure *structure;

  gst_caps_set_features (own, 0, features_of (self));
  same = gst_caps_intersect (caps, own);
  if (!gst_caps_is_empty (same))
    gst_caps_replace (&caps, same);
  caps = gst_caps_make_writable (gst_caps_truncate (caps));
  structure = gst_caps_get_structure (caps, 0);
  gst_structure_fixate_field_nearest_int (structure, "width", DEFAULT_SIDE);
  gst_structure_fixate_field_nearest_int (structure, "height", DEFAULT_SIDE);
  if (gst_structure_has_field (structure, "pixel-aspect-ratio"))
    gst_structure_fixate_field_nearest_fraction (structure, "pixel-aspect-ratio", frame->par_n, frame->par_d);
  else
    gst_structure_set (structure, "pixel-aspect-ratio", GST_TYPE_FRACTION, frame->par_n, frame->par_d, NULL);
  return gst_caps_fixate (caps);
}

/* Agrees with downstream on the tiles. */
static gboolean
negotiate (GstCcaCrop *self)
{
  const GstVideoInfo *frame = &self->frame_info;
  g_autoptr (GstCaps) filter = gst_pad_get_pad_template_caps (self->src);
  g_autoptr (GstCaps) caps = NULL;

  filter = gst_caps_make_writable (filter);
  gst_caps_set_simple (filter, "framerate", GST_TYPE_FRACTION, frame->fps_n, frame->fps_d, NULL);
  caps = gst_pad_peer_query_caps (self->src, filter);
  caps = gst_caps_is_empty (caps) ? g_steal_pointer (&caps) : fixate (self, g_steal_pointer (&caps));
  if (gst_caps_is_empty (caps) || !gst_video_info_from_caps (&self->tile_info, caps)) {
    gst_cca_post (self, GST_MESSAGE_ERROR, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION,
                  "The element after %s takes no raw video in %s at %d/%d frames per second, in a format of %s; put %s "
                  "or an element that does between them",
                  kind_of (self), GST_CCA_CROP_GET_CLASS (self)->memory, frame->fps_n, frame->fps_d, kind_of (self),
                  GST_CCA_CROP_GET_CLASS (self)->converter);
    return FALSE;
  }
  if (GST_VIDEO_INFO_FORMAT (&self->tile_info) == GST_VIDEO_INFO_FORMAT (frame)) {
    /* As the frames, not as frames of the tiles' size usually are. */
    self->tile_info.colorimetry = frame->colorimetry;
    self->tile_info.chroma_site = frame->chroma_site;
    gst_caps_replace (&caps, NULL);
    caps = gst_video_info_to_caps (&self->tile_info);
    gst_caps_set_features (caps, 0, features_of (self));
  }
  gst_cca_crop_drop_pool (self);
  return gst_pad_push_event (self->src, gst_event_new_caps (caps));
}

static gboolean
set_caps (GstCcaCrop *self, GstCaps *caps)
{
  if (!gst_video_info_from_caps (&self->frame_info, caps)) {
    gst_cca_post (self, GST_MESSAGE_ERROR, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION,
                  "%s cannot read these caps of raw video: %" GST_PTR_FORMAT, kind_of (self), (gpointer) caps);
    return FALSE;
  }
  gst_pad_check_reconfigure (self->src);
  return gst_pad_push_event (self->src, gst_cca_underway_caps_event (caps)) && negotiate (self);
}

/* --- Tiles -------------------------------------------------------------------------------------------- */

static GstCcaSheet
sheet_of (const GstVideoInfo *info)
{
  GstCcaSheet sheet = { (uint32_t) info->width, (uint32_t) info->height, { 1, 1 } };

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info); i++) {
    sheet.step[0] = MAX (sheet.step[0], 1u << GST_VIDEO_FORMAT_INFO_W_SUB (info->finfo, i));
    sheet.step[1] = MAX (sheet.step[1], 1u << GST_VIDEO_FORMAT_INFO_H_SUB (info->finfo, i));
  }
  return sheet;
}

static GstVideoConverter *
new_converter (const GstCcaCrop *self, const GstCcaLetterbox *box)
{
  const GstCcaBox *crop = &box->crop, *place = &box->place;
  GstStructure *options = gst_structure_new (
      "options", GST_VIDEO_CONVERTER_OPT_SRC_X, G_TYPE_INT, (gint) crop->min[0], GST_VIDEO_CONVERTER_OPT_SRC_Y,
      G_TYPE_INT, (gint) crop->min[1], GST_VIDEO_CONVERTER_OPT_SRC_WIDTH, G_TYPE_INT,
      (gint) (crop->max[0] - crop->min[0]), GST_VIDEO_CONVERTER_OPT_SRC_HEIGHT, G_TYPE_INT,
      (gint) (crop->max[1] - crop->min[1]), GST_VIDEO_CONVERTER_OPT_DEST_X, G_TYPE_INT, (gint) place->min[0],
      GST_VIDEO_CONVERTER_OPT_DEST_Y, G_TYPE_INT, (gint) place->min[1], GST_VIDEO_CONVERTER_OPT_DEST_WIDTH, G_TYPE_INT,
      (gint) (place->max[0] - place->min[0]), GST_VIDEO_CONVERTER_OPT_DEST_HEIGHT, G_TYPE_INT,
      (gint) (place->max[1] - place->min[1]), GST_VIDEO_CONVERTER_OPT_RESAMPLER_METHOD, GST_TYPE_VIDEO_RESAMPLER_METHOD,
      GST_VIDEO_RESAMPLER_METHOD_LINEAR, NULL);

  return gst_video_converter_new (&self->frame_info, &self->tile_info, options);
}

/* Fills a tile with the crop. */
static gboolean
fill_tile (GstCcaCrop *self, const GstVideoFrame *from, GstBuffer *tile, const GstCcaLetterbox *box)
{
  GstVideoConverter *converter = new_converter (self, box);
  GstVideoFrame to;

  if (!converter)
    return FALSE;
  if (!gst_video_frame_map (&to, &self->tile_info, tile, GST_MAP_WRITE)) {
    gst_video_converter_free (converter);
    return FALSE;
  }
  gst_video_converter_frame (converter, from, &to);
  gst_video_frame_unmap (&to);
  gst_video_converter_free (converter);
  return TRUE;
}

gboolean
gst_cca_crop_fail (GstCcaCrop *self, const gchar *problem)
{
  gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED,
                "%s: %s in a frame of %s, %d x %d pixels", GST_OBJECT_NAME (self), problem,
                gst_video_format_to_string (GST_VIDEO_INFO_FORMAT (&self->frame_info)), self->frame_info.width,
                self->frame_info.height);
  return FALSE;
}

static gboolean
fill (GstCcaCrop *self, GstBuffer *buffer, GstBuffer *const *tiles, const GstCcaLetterbox *boxes, guint n)
{
  gboolean filled = TRUE;
  GstVideoFrame frame;

  if (!gst_video_frame_map (&frame, &self->frame_info, buffer, GST_MAP_READ))
    return gst_cca_crop_fail (self, "cannot read the pixels");
  for (guint i = 0; i < n && filled; i++)
    filled = fill_tile (self, &frame, tiles[i], &boxes[i]);
  gst_video_frame_unmap (&frame);
  return filled || gst_cca_crop_fail (self, "cannot scale a crop to the caps downstream; put videoconvert before it");
}

static void
prepare (GstCcaCrop *self, GstBuffer *buffer)
{
}

static GstBufferPool *
new_pool (GstCcaCrop *self, GstCaps *caps)
{
  GstBufferPool *pool = gst_video_buffer_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_params (config, caps, (guint) GST_VIDEO_INFO_SIZE (&self->tile_info), 0, 0);
  if (!gst_buffer_pool_set_config (pool, config))
    gst_clear_object (&pool);
  return pool;
}

void
gst_cca_crop_drop_pool (GstCcaCrop *self)
{
  if (self->pool)
    gst_buffer_pool_set_active (self->pool, FALSE);
  gst_clear_object (&self->pool);
}

/* Takes n tiles from the pool. Returns none if that fails. */
static GstFlowReturn
acquire (GstCcaCrop *self, GstBuffer **tiles, guint n)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (self->src);
  GstFlowReturn flow = GST_FLOW_OK;
  guint i = 0;

  if (!self->pool && (self->pool = GST_CCA_CROP_GET_CLASS (self)->new_pool (self, caps))
      && !gst_buffer_pool_set_active (self->pool, TRUE))
    gst_cca_crop_drop_pool (self);
  if (!self->pool)
    flow = GST_FLOW_ERROR;
  for (; i < n && flow == GST_FLOW_OK; i++)
    flow = gst_buffer_pool_acquire_buffer (self->pool, &tiles[i], NULL);
  if (flow == GST_FLOW_OK)
    return flow;
  while (i-- > 0)
    gst_clear_buffer (&tiles[i]);
  if (flow != GST_FLOW_FLUSHING)
    gst_cca_crop_fail (self, "no memory for a tile");
  return flow;
}

/* Sends a filled tile to the detector. */
static GstFlowReturn
push_tile (GstCcaCrop *self, GstBuffer *frame, GstBuffer *tile, const GstCcaLetterbox *box, guint n)
{
  gst_buffer_copy_into (tile, frame, GST_BUFFER_COPY_TIMESTAMPS, 0, (gsize) -1);
  if (n == 0 && GST_BUFFER_FLAG_IS_SET (frame, GST_BUFFER_FLAG_DISCONT))
    GST_BUFFER_FLAG_SET (tile, GST_BUFFER_FLAG_DISCONT);
  gst_buffer_add_cca_tile_meta (tile, &(GstCcaTileOrigin) { self->number, n, (guint) self->tile_info.width,
                                                            (guint) self->tile_info.height, *box });
  GST_OBJECT_LOCK (self);
  self->n_tiles++;
  self->n_pixels += (guint64) gst_cca_box_area (&box->crop);
  GST_OBJECT_UNLOCK (self);
  return gst_pad_push (self->src, tile);
}

/* Lists the crops of a frame as far as they lie in it. */
static guint
list_crops (const GstCcaCrop *self, GstBuffer *buffer, GstCcaLetterbox list[GST_CCA_TILES_MOST])
{
  const GstCcaSheet frame = sheet_of (&self->frame_info), tile = sheet_of (&self->tile_info);
  const GstVideoRegionOfInterestMeta *region;
  gpointer state = NULL;
  guint n = 0;

  while (n < GST_CCA_TILES_MOST && (region = gst_cca_crops_next (buffer, &state))) {
    const GstCcaTile crop = { region->x, region->y, region->w, region->h };

    if (gst_cca_letterbox_fit (&frame, &tile, &crop, &list[n]))
      n++;
  }
  return n;
}

static GstFlowReturn
push_tiles (GstCcaCrop *self, GstBuffer *buffer)
{
  GstBuffer *tiles[GST_CCA_TILES_MOST] = { NULL };
  GstCcaLetterbox crops[GST_CCA_TILES_MOST];
  const guint n = list_crops (self, buffer, crops);
  GstFlowReturn flow;

  if (n == 0) {
    if (self->number == 0 && !GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP)
        && gst_cca_is_first (&self->warned, WARNED_NO_CROPS))
      gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                    "The first frame has no regions of interest '%s': the detector does not see such frames; put "
                    "ccagate mode=crops before %s",
                    GST_CCA_CROP_TYPE, kind_of (self));
    return GST_FLOW_OK;
  }
  GST_CCA_CROP_GET_CLASS (self)->prepare (self, buffer);
  flow = acquire (self, tiles, n);
  if (flow == GST_FLOW_OK && !GST_CCA_CROP_GET_CLASS (self)->fill (self, buffer, tiles, crops, n))
    flow = GST_FLOW_ERROR;
  for (guint i = 0; i < n && flow == GST_FLOW_OK; i++)
    flow = push_tile (self, buffer, g_steal_pointer (&tiles[i]), &crops[i], i);
  for (guint i = 0; i < n; i++)
    gst_clear_buffer (&tiles[i]);
  return flow;
}

/* --- Streams ------------------------------------------------------------------------------------------ */

static GstFlowReturn
gst_cca_crop_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  GstCcaCrop *self = GST_CCA_CROP (parent);
  GstFlowReturn flow;
  guint most;

  if (GST_VIDEO_INFO_FORMAT (&self->frame_info) == GST_VIDEO_FORMAT_UNKNOWN
      || (gst_pad_check_reconfigure (self->src) && !negotiate (self))) {
    gst_buffer_unref (buffer);
    return GST_FLOW_NOT_NEGOTIATED;
  }
  GST_OBJECT_LOCK (self);
  most = self->max_frames;
  self->n_frames++;
  GST_OBJECT_UNLOCK (self);
  flow = gst_cca_underway_wait (self->underway, most);
  if (flow == GST_FLOW_OK)
    flow = push_tiles (self, buffer);
  if (flow != GST_FLOW_OK) {
    gst_buffer_unref (buffer);
    return flow;
  }
  gst_pad_push_event (self->src, gst_cca_underway_frame_event (self->underway, self->number++, buffer));
  return gst_cca_underway_flow (self->underway);
}

static gboolean
gst_cca_crop_sink_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  GstCcaCrop *self = GST_CCA_CROP (parent);
  GstCaps *caps;
  gboolean taken;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      taken = set_caps (self, caps);
      gst_event_unref (event);
      return taken;
    case GST_EVENT_FLUSH_START: gst_cca_underway_set_flushing (self->underway, TRUE); break;
    case GST_EVENT_FLUSH_STOP: gst_cca_underway_set_flushing (self->underway, FALSE); break;
    default: break;
  }
  return gst_pad_event_default (pad, parent, event);
}

static gboolean
gst_cca_crop_sink_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  /* Downstream allocates tiles, not frames; and where the frames go is not known here. */
  if (GST_QUERY_TYPE (query) == GST_QUERY_ALLOCATION)
    return FALSE;
  return gst_pad_query_default (pad, parent, query);
}

static void
reset (GstCcaCrop *self)
{
  gst_cca_crop_drop_pool (self);
  gst_video_info_init (&self->frame_info);
  gst_video_info_init (&self->tile_info);
  self->number = 0;
  self->warned = 0;
}

static GstStateChangeReturn
gst_cca_crop_change_state (GstElement *element, GstStateChange transition)
{
  GstCcaCrop *self = GST_CCA_CROP (element);
  GstStateChangeReturn changed;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    GST_OBJECT_LOCK (self);
    self->n_frames = self->n_tiles = self->n_pixels = 0;
    GST_OBJECT_UNLOCK (self);
    gst_cca_underway_set_flushing (self->underway, FALSE);
  } else if (transition == GST_STATE_CHANGE_PAUSED_TO_READY) {
    gst_cca_underway_set_flushing (self->underway, TRUE);
  }
  changed = GST_ELEMENT_CLASS (gst_cca_crop_parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    reset (self);
  return changed;
}

/* --- Object ------------------------------------------------------------------------------------------- */

static void
gst_cca_crop_finalize (GObject *object)
{
  gst_cca_underway_unref (GST_CCA_CROP (object)->underway);
  G_OBJECT_CLASS (gst_cca_crop_parent_class)->finalize (object);
}

/* Here its class is known, of which the pads' templates are. */
static void
gst_cca_crop_constructed (GObject *object)
{
  GstCcaCrop *self = GST_CCA_CROP (object);

  G_OBJECT_CLASS (gst_cca_crop_parent_class)->constructed (object);
  self->sink = gst_cca_add_pad (self, "sink");
  gst_pad_set_chain_function (self->sink, gst_cca_crop_chain);
  gst_pad_set_event_function (self->sink, gst_cca_crop_sink_event);
  gst_pad_set_query_function (self->sink, gst_cca_crop_sink_query);
  self->src = gst_cca_add_pad (self, "src");
}

static void
gst_cca_crop_init (GstCcaCrop *self)
{
  self->underway = gst_cca_underway_new ();
  gst_cca_properties_init (&properties, self);
  reset (self);
}

static void
gst_cca_crop_class_init (GstCcaCropClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  gst_cca_properties_install (&properties, object_class, 0);
  object_class->constructed = gst_cca_crop_constructed;
  object_class->finalize = gst_cca_crop_finalize;
  element_class->change_state = gst_cca_crop_change_state;
  klass->memory = "system memory";
  klass->converter = "videoconvert";
  klass->prepare = prepare;
  klass->new_pool = new_pool;
  klass->fill = fill;

  gst_cca_class_add_templates (klass, CROP_CAPS);
  gst_element_class_set_static_metadata (element_class, "Crops for a detector", "Filter/Video/Scaler",
                                         "Cuts the regions of interest cca-crop of a frame into tiles of a fixed size",
                                         "gst-cca developers");
}
