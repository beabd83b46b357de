/* gst-cca: ccauncrop, puts what a detector found in crops onto the whole frames
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-ccauncrop
 * @title: ccauncrop
 * @short_description: puts what a detector found in crops onto the whole frames
 *
 * Takes the tiles that #ccacrop cut, with a detector's #GstVideoRegionOfInterestMeta and object detections of
 * GstAnalytics, and passes on the whole frames with all of them, in the frame's coordinates. What was found in two
 * tiles counts once.
 *
 * |[
 * gst-launch-1.0 v4l2src ! videoconvert ! cca foreground=motion ! ccatrack ! ccagate mode=crops ! ccacrop !
 * video/x-raw,format=RGB,width=640,height=640 ! identity ! ccauncrop ! ccaoverlay ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 0.1
 */
#include <gst/video/video.h>

#include "gstccaforeign.h"
#include "gstccapost.h"
#include "gstccaproperties.h"
#include "gstccaresults.h"
#include "gstccaunderway.h"

GST_DEBUG_CATEGORY_STATIC (cca_uncrop_debug);
#define GST_CAT_DEFAULT cca_uncrop_debug

/* What can be wrong with a stream; each is told once. */
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
  GstCcaResults results;
  guint warned;
};

G_DEFINE_TYPE (GstCcaUncrop, gst_cca_uncrop, GST_TYPE_ELEMENT)
GST_ELEMENT_REGISTER_DECLARE (ccauncrop);
GST_ELEMENT_REGISTER_DEFINE (ccauncrop, "ccauncrop", GST_RANK_NONE, GST_TYPE_CCA_UNCROP)

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("video/x-raw(ANY)"));
static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("video/x-raw(ANY)"));

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
      gst_cca_results_add (&self->results, number, gst_cca_underway_frame_steal (frame), self->width, self->height);

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
  gst_cca_results_read (&self->results, buffer, origin, self->tile_width, self->tile_height);
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
    gst_cca_results_clear (&self->results);
  return changed;
}

/* --- Object ------------------------------------------------------------------------------------------- */

static void
gst_cca_uncrop_init (GstCcaUncrop *self)
{
  self->sink = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sink, gst_cca_uncrop_chain);
  gst_pad_set_event_function (self->sink, gst_cca_uncrop_sink_event);
  gst_pad_set_query_function (self->sink, gst_cca_uncrop_sink_query);
  gst_element_add_pad (GST_ELEMENT (self), self->sink);
  self->src = gst_pad_new_from_static_template (&src_template, "src");
  gst_element_add_pad (GST_ELEMENT (self), self->src);
}

static void
gst_cca_uncrop_class_init (GstCcaUncropClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (cca_uncrop_debug, "ccauncrop", 0, "Results in crops onto whole frames");

  gst_cca_properties_install (&properties, G_OBJECT_CLASS (klass), 0);
  element_class->change_state = gst_cca_uncrop_change_state;

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Results of crops on whole frames", "Filter/Video",
                                         "Puts what a detector found in the tiles of ccacrop onto the whole frames",
                                         "gst-cca developers");
}
