/* gst-cca: ccacrop, cuts the crops of a frame for a detector
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-ccacrop
 * @title: ccacrop
 * @short_description: cuts the crops of a frame into tiles of a fixed size
 *
 * Cuts each region of interest `cca-crop` of a frame, as #ccagate marks them with `mode=crops`, into a buffer of the
 * size and format that the detector downstream takes, scaled with the aspect kept, black around it. The frame itself
 * goes past the detector to #ccauncrop, which gives it the results.
 *
 * |[
 * gst-launch-1.0 v4l2src ! videoconvert ! cca foreground=motion ! ccatrack ! ccagate mode=crops ! ccacrop !
 * video/x-raw,format=RGB,width=640,height=640 ! identity ! ccauncrop ! ccaoverlay ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 0.1
 */
#include <gst/video/video.h>

#include "gstccapost.h"
#include "gstccaproperties.h"
#include "gstccaunderway.h"

GST_DEBUG_CATEGORY_STATIC (cca_crop_debug);
#define GST_CAT_DEFAULT cca_crop_debug

#define DEFAULT_SIDE 640

/* What can be wrong with a stream; each is told once. */
typedef enum
{
  WARNED_NO_CROPS = 1 << 0,
} Warned;

#define GST_TYPE_CCA_CROP (gst_cca_crop_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaCrop, gst_cca_crop, GST, CCA_CROP, GstElement)

struct _GstCcaCrop
{
  GstElement parent;
  GstPad *sink, *src;

  /* Under the object lock. */
  guint max_frames;
  guint64 n_frames, n_tiles, n_pixels;

  GstCcaUnderway *underway;
  GstVideoInfo frame_info, tile_info; /* format UNKNOWN: no caps so far */
  GstBufferPool *pool;                /* of tiles */
  guint64 number;                     /* of the next frame */
  guint warned;
};

G_DEFINE_TYPE (GstCcaCrop, gst_cca_crop, GST_TYPE_ELEMENT)
GST_ELEMENT_REGISTER_DECLARE (ccacrop);
GST_ELEMENT_REGISTER_DEFINE (ccacrop, "ccacrop", GST_RANK_NONE, GST_TYPE_CCA_CROP)

/* Not all formats: of some, GStreamer's converter cannot read a part. */
#define CAPS                                                                                                           \
  GST_VIDEO_CAPS_MAKE ("{ NV12, NV21, I420, YV12, Y42B, Y444, YUY2, UYVY, GRAY8, RGB, BGR, RGBx, BGRx, xRGB, xBGR, "   \
                       "RGBA, BGRA, ARGB, ABGR }")

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS (CAPS));
static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (CAPS));

static GstStructure *
make_stats (gpointer object)
{
  const GstCcaCrop *self = object;

  return gst_structure_new ("ccacrop-stats", "frames", G_TYPE_UINT64, self->n_frames, "tiles", G_TYPE_UINT64,
                            self->n_tiles, "pixels", G_TYPE_UINT64, self->n_pixels, NULL);
}

static const GstCcaProperty fields[] = {
  /**
   * ccacrop:max-frames:
   *
   * How many frames may be on their way to ccauncrop before the element waits, where a queue lies in between.
   *
   * Since: 0.1
   */
  { "max-frames", G_STRUCT_OFFSET (GstCcaCrop, max_frames), G_TYPE_UINT, 1, G_MAXUINT, 8,
    .blurb = "Frames on their way to ccauncrop, at most; the next one waits" },
  { "stats", .type = G_TYPE_BOXED, .make = make_stats,
    .blurb = "Since the start: frames, tiles, and pixels of the crops in the frames" },
};
static const GstCcaProperties properties = { 1, G_N_ELEMENTS (fields), fields, GST_CCA_PROPERTY_PLAYING };

/* --- Caps --------------------------------------------------------------------------------------------- */

/* Makes caps of tiles of what downstream takes (taken): the frames' format, if it is among them. */
static GstCaps *
fixate (GstCcaCrop *self, GstCaps *caps)
{
  const GstVideoInfo *frame = &self->frame_info;
  const gchar *format = gst_video_format_to_string (GST_VIDEO_INFO_FORMAT (frame));
  g_autoptr (GstCaps) wanted = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING, format, NULL);
  g_autoptr (GstCaps) same = gst_caps_intersect (caps, wanted);
  GstStructure *structure;

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

static gboolean
set_pool (GstCcaCrop *self, GstCaps *caps)
{
  GstStructure *config;

  if (self->pool)
    gst_buffer_pool_set_active (self->pool, FALSE);
  gst_clear_object (&self->pool);
  self->pool = gst_video_buffer_pool_new ();
  config = gst_buffer_pool_get_config (self->pool);
  gst_buffer_pool_config_set_params (config, caps, (guint) GST_VIDEO_INFO_SIZE (&self->tile_info), 0, 0);
  return gst_buffer_pool_set_config (self->pool, config) && gst_buffer_pool_set_active (self->pool, TRUE);
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
    gst_cca_post (
        self, GST_MESSAGE_ERROR, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION,
        "The element after ccacrop takes no raw video in system memory at %d/%d frames per second, in a format "
        "of ccacrop; put videoconvert or an element that does between them",
        frame->fps_n, frame->fps_d);
    return FALSE;
  }
  if (GST_VIDEO_INFO_FORMAT (&self->tile_info) == GST_VIDEO_INFO_FORMAT (frame)) {
    /* As the frames, not as frames of the tiles' size usually are. */
    self->tile_info.colorimetry = frame->colorimetry;
    self->tile_info.chroma_site = frame->chroma_site;
    gst_caps_replace (&caps, NULL);
    caps = gst_video_info_to_caps (&self->tile_info);
  }
  return set_pool (self, caps) && gst_pad_push_event (self->src, gst_event_new_caps (caps));
}

static gboolean
set_caps (GstCcaCrop *self, GstCaps *caps)
{
  if (!gst_video_info_from_caps (&self->frame_info, caps)) {
    gst_cca_post (self, GST_MESSAGE_ERROR, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION,
                  "ccacrop cannot read these caps of raw video: %" GST_PTR_FORMAT, (gpointer) caps);
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
fill (GstCcaCrop *self, const GstVideoFrame *from, GstBuffer *tile, const GstCcaLetterbox *box)
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

static GstFlowReturn
fail (GstCcaCrop *self, const gchar *problem)
{
  gst_cca_post (self, GST_MESSAGE_ERROR, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                "%s: %s in a frame of %s, %d x %d pixels", GST_OBJECT_NAME (self), problem,
                gst_video_format_to_string (GST_VIDEO_INFO_FORMAT (&self->frame_info)), self->frame_info.width,
                self->frame_info.height);
  return GST_FLOW_ERROR;
}

/* Cuts a crop of a frame and sends it to the detector. */
static GstFlowReturn
push_tile (GstCcaCrop *self, GstBuffer *frame, const GstVideoFrame *mapped, const GstCcaLetterbox *box, guint n)
{
  GstBuffer *tile = NULL;
  GstFlowReturn flow = gst_buffer_pool_acquire_buffer (self->pool, &tile, NULL);

  if (flow == GST_FLOW_FLUSHING)
    return flow;
  if (flow != GST_FLOW_OK)
    return fail (self, "no memory for a tile");
  if (!fill (self, mapped, tile, box)) {
    gst_buffer_unref (tile);
    return fail (self, "cannot scale a crop to the caps downstream; put videoconvert before it");
  }
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
  const GQuark type = g_quark_from_static_string (GST_CCA_CROP_TYPE);
  gpointer state = NULL;
  GstMeta *meta;
  guint n = 0;

  while (n < GST_CCA_TILES_MOST
         && (meta = gst_buffer_iterate_meta_filtered (buffer, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE))) {
    const GstVideoRegionOfInterestMeta *roi = (GstVideoRegionOfInterestMeta *) meta;
    const GstCcaTile crop = { roi->x, roi->y, roi->w, roi->h };

    if (roi->roi_type == type && gst_cca_letterbox_fit (&frame, &tile, &crop, &list[n]))
      n++;
  }
  return n;
}

static GstFlowReturn
push_tiles (GstCcaCrop *self, GstBuffer *buffer)
{
  GstCcaLetterbox crops[GST_CCA_TILES_MOST];
  const guint n = list_crops (self, buffer, crops);
  GstFlowReturn flow = GST_FLOW_OK;
  GstVideoFrame frame;

  if (n == 0) {
    if (self->number == 0 && !GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP)
        && gst_cca_is_first (&self->warned, WARNED_NO_CROPS))
      gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                    "The first frame has no regions of interest '%s': the detector does not see such frames; put "
                    "ccagate mode=crops before ccacrop",
                    GST_CCA_CROP_TYPE);
    return GST_FLOW_OK;
  }
  if (!gst_video_frame_map (&frame, &self->frame_info, buffer, GST_MAP_READ))
    return fail (self, "cannot read the pixels");
  for (guint i = 0; i < n && flow == GST_FLOW_OK; i++)
    flow = push_tile (self, buffer, &frame, &crops[i], i);
  gst_video_frame_unmap (&frame);
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
  if (self->pool)
    gst_buffer_pool_set_active (self->pool, FALSE);
  gst_clear_object (&self->pool);
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

static void
gst_cca_crop_init (GstCcaCrop *self)
{
  self->underway = gst_cca_underway_new ();
  gst_cca_properties_init (&properties, self);
  reset (self);

  self->sink = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sink, gst_cca_crop_chain);
  gst_pad_set_event_function (self->sink, gst_cca_crop_sink_event);
  gst_pad_set_query_function (self->sink, gst_cca_crop_sink_query);
  gst_element_add_pad (GST_ELEMENT (self), self->sink);
  self->src = gst_pad_new_from_static_template (&src_template, "src");
  gst_element_add_pad (GST_ELEMENT (self), self->src);
}

static void
gst_cca_crop_class_init (GstCcaCropClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (cca_crop_debug, "ccacrop", 0, "Crops for a detector");

  gst_cca_properties_install (&properties, object_class, 0);
  object_class->finalize = gst_cca_crop_finalize;
  element_class->change_state = gst_cca_crop_change_state;

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Crops for a detector", "Filter/Video/Scaler",
                                         "Cuts the regions of interest cca-crop of a frame into tiles of a fixed size",
                                         "gst-cca developers");
}
