/* gst-cca: ccaoverlay, draws the metas of a video
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaoverlay.h"

#include "gstccacameraevent.h"
#include "gstccaproperties.h"
#include "gstccatemplates.h"

GST_DEBUG_CATEGORY_STATIC (cca_overlay_debug);
#define GST_CAT_DEFAULT cca_overlay_debug

#define OVERLAY_CAPS                                                                                                   \
  GST_VIDEO_CAPS_MAKE (GST_VIDEO_OVERLAY_COMPOSITION_BLEND_FORMATS)                                                    \
  ";" GST_VIDEO_CAPS_MAKE_WITH_FEATURES ("ANY", GST_VIDEO_FORMATS_ALL)

G_DEFINE_TYPE (GstCcaOverlay, gst_cca_overlay, GST_TYPE_BASE_TRANSFORM)
GST_ELEMENT_REGISTER_DECLARE (ccaoverlay);
GST_ELEMENT_REGISTER_DEFINE (ccaoverlay, "ccaoverlay", GST_RANK_NONE, GST_TYPE_CCA_OVERLAY)

GType gst_cca_overlay_color_by_get_type (void);
G_DEFINE_ENUM_TYPE (GstCcaOverlayColorBy, gst_cca_overlay_color_by,
                    { GST_CCA_COLOR_BY_NONE, "All components have the color of the property 'color'", "none" },
                    { GST_CCA_COLOR_BY_LABEL, "Each label has its own color, the one that ccl paints it with",
                      "label" })

/* --- Negotiation ------------------------------------------------------------------------------------- */

/* The feature of caps whose frames may carry overlays. */
#define COMPOSITION GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION

static gboolean
set_composition_feature (GstCapsFeatures *features, GstStructure *structure, gpointer present)
{
  if (gst_caps_features_is_any (features))
    return TRUE;
  if (!present)
    gst_caps_features_remove (features, COMPOSITION);
  else if (!gst_caps_features_contains (features, COMPOSITION))
    gst_caps_features_add (features, COMPOSITION);
  return TRUE;
}

static GstCaps *
caps_with_composition (GstCaps *caps, gboolean present)
{
  GstCaps *changed = gst_caps_copy (caps);

  gst_caps_map_in_place (changed, set_composition_feature, GINT_TO_POINTER (present));
  return changed;
}

/* Returns whether frames with these features are in memory that the processor can write. */
static gboolean
is_plain (const GstCapsFeatures *features)
{
  for (guint i = 0; i < gst_caps_features_get_size (features); i++) {
    const gchar *feature = gst_caps_features_get_nth (features, i);

    if (!g_str_equal (feature, GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY) && !g_str_equal (feature, COMPOSITION))
      return FALSE;
  }
  return TRUE;
}

/* The caps at the other pad, the preferred first. A frame may gain the right to carry overlays, and should where it
 * can; it never loses it. */
static GstCaps *
gst_cca_overlay_transform_caps (GstBaseTransform *base, GstPadDirection direction, GstCaps *caps, GstCaps *filter)
{
  GstCaps *all = direction == GST_PAD_SINK ? gst_caps_merge (caps_with_composition (caps, TRUE), gst_caps_ref (caps))
                                           : gst_caps_merge (gst_caps_ref (caps), caps_with_composition (caps, FALSE));

  return gst_cca_filter_caps (all, filter);
}

static void
clear (GstCcaOverlay *overlay)
{
  g_clear_pointer (&overlay->painter, gst_cca_painter_free);
}

static void
clear_painting (GstCcaOverlay *overlay)
{
  GST_CCA_OVERLAY_GET_CLASS (overlay)->clear (overlay);
  g_clear_pointer (&overlay->font, gst_cca_font_free);
}

/* Returns why frames with such caps cannot be drawn on, to be freed, or NULL if they can. */
static gchar *
find_fault (GstCcaOverlay *overlay, const GstVideoInfo *info, const GstCapsFeatures *features)
{
  g_autofree gchar *text = NULL;

  if (info->width > GST_CCA_PAINTER_MAX_SIZE || info->height > GST_CCA_PAINTER_MAX_SIZE)
    return g_strdup_printf (
        "Frames of %dx%d pixels are too large to draw on: at most %dx%d; scale the video down first", info->width,
        info->height, GST_CCA_PAINTER_MAX_SIZE, GST_CCA_PAINTER_MAX_SIZE);
  if (gst_caps_features_contains (features, COMPOSITION) || GST_CCA_OVERLAY_GET_CLASS (overlay)->can_blend (features))
    return NULL;
  text = gst_caps_features_to_string (features);
  return g_strdup_printf (
      "Cannot draw on video of (%s): the element downstream does not compose overlays (" COMPOSITION
      "); download the video to system memory before ccaoverlay, or draw on CUDA memory with cudaccaoverlay",
      text);
}

static gboolean
gst_cca_overlay_set_caps (GstBaseTransform *base, GstCaps *sink_caps, GstCaps *src_caps)
{
  GstCcaOverlay *overlay = GST_CCA_OVERLAY (base);
  const GstCapsFeatures *features = gst_caps_get_features (src_caps, 0);
  g_autofree gchar *fault = NULL;
  GstVideoInfo info;

  if (gst_video_info_from_caps (&info, sink_caps))
    fault = find_fault (overlay, &info, features);
  else
    fault = g_strdup ("The video has invalid caps");
  /* Caps may be tried again and again; one error is enough. */
  if (fault && !overlay->refused)
    GST_ELEMENT_ERROR (overlay, STREAM, FORMAT, ("%s", fault), ("caps %" GST_PTR_FORMAT, sink_caps));
  overlay->refused = fault != NULL;
  if (fault)
    return FALSE;

  overlay->caps_attach = gst_caps_features_contains (features, COMPOSITION);
  overlay->caps_blend = GST_CCA_OVERLAY_GET_CLASS (overlay)->can_blend (features);
  overlay->info = info;
  overlay->view = gst_cca_view_of_frames (&info);
  clear_painting (overlay);
  overlay->font = gst_cca_font_new (info.height);
  GST_OBJECT_LOCK (overlay);
  overlay->font_changed = TRUE;
  GST_OBJECT_UNLOCK (overlay);
  g_atomic_int_set (&overlay->undecided, TRUE);
  return TRUE;
}

static gboolean
gst_cca_overlay_src_event (GstBaseTransform *base, GstEvent *event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_RECONFIGURE)
    g_atomic_int_set (&GST_CCA_OVERLAY (base)->undecided, TRUE);
  return GST_BASE_TRANSFORM_CLASS (gst_cca_overlay_parent_class)->src_event (base, event);
}

/* Asks downstream by the allocation query whether it composes overlays. Caps are not enough: a tee or fakesink accepts
 * any. Downstream must have the caps already. */
static void
decide_attach (GstCcaOverlay *overlay)
{
  GstPad *pad = GST_BASE_TRANSFORM_SRC_PAD (overlay);

  overlay->attach = overlay->caps_attach;
  if (overlay->caps_attach && overlay->caps_blend) {
    GstCaps *caps = gst_pad_get_current_caps (pad);
    g_autoptr (GstQuery) query = gst_query_new_allocation (caps, FALSE);

    overlay->attach = gst_pad_peer_query (pad, query)
                      && gst_query_find_allocation_meta (query, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, NULL);
    /* A flush fails the query: ask again later. */
    if (GST_PAD_IS_FLUSHING (pad))
      g_atomic_int_set (&overlay->undecided, TRUE);
    gst_clear_caps (&caps);
  }
  GST_DEBUG_OBJECT (overlay, "drawings will be %s", overlay->attach ? "attached" : "blended");
}

/* --- Drawing ----------------------------------------------------------------------------------------- */

/* Adds a drawing to the overlays of a buffer, on top. */
static void
attach (GstBuffer *buffer, GstVideoOverlayComposition *drawing)
{
  GstVideoOverlayCompositionMeta *meta = gst_buffer_get_video_overlay_composition_meta (buffer);

  if (meta == NULL) {
    gst_buffer_add_video_overlay_composition_meta (buffer, drawing);
    return;
  }
  meta->overlay = gst_video_overlay_composition_make_writable (meta->overlay);
  for (guint i = 0; i < gst_video_overlay_composition_n_rectangles (drawing); i++)
    gst_video_overlay_composition_add_rectangle (meta->overlay,
                                                 gst_video_overlay_composition_get_rectangle (drawing, i));
}

GstFlowReturn
gst_cca_overlay_fail_to_map (GstCcaOverlay *self, GstBuffer *buffer)
{
  GST_ELEMENT_ERROR (self, STREAM, FORMAT,
                     ("Cannot map a buffer as a frame of %dx%d pixels; correct the caps before %s", self->info.width,
                      self->info.height, GST_OBJECT_NAME (gst_element_get_factory (GST_ELEMENT (self)))),
                     ("buffer of %" G_GSIZE_FORMAT " bytes, frame of %" G_GSIZE_FORMAT " bytes, format %s",
                      gst_buffer_get_size (buffer), GST_VIDEO_INFO_SIZE (&self->info),
                      gst_video_format_to_string (GST_VIDEO_INFO_FORMAT (&self->info))));
  return GST_FLOW_ERROR;
}

static GstFlowReturn
blend (GstCcaOverlay *overlay, GstBuffer *buffer, GstVideoOverlayComposition *drawing)
{
  GstVideoFrame frame;
  gboolean blended;

  if (!gst_video_frame_map (&frame, &overlay->info, buffer, GST_MAP_READWRITE))
    return gst_cca_overlay_fail_to_map (overlay, buffer);
  blended = gst_video_overlay_composition_blend (drawing, &frame);
  gst_video_frame_unmap (&frame);
  if (!blended) {
    GST_ELEMENT_ERROR (overlay, STREAM, FORMAT,
                       ("Cannot draw on video in format %s; put videoconvert before ccaoverlay",
                        gst_video_format_to_string (GST_VIDEO_INFO_FORMAT (&overlay->info))),
                       (NULL));
    return GST_FLOW_ERROR;
  }
  return GST_FLOW_OK;
}

static void
warn_without_font (GstCcaOverlay *overlay)
{
  GST_ELEMENT_WARNING (overlay, RESOURCE, NOT_FOUND,
                       ("Text is not drawn: no font found; install one (on Debian, fonts-dejavu-core)"),
                       ("fontconfig finds no font at all for font-desc"));
}

static void
warn_without_source (GstCcaOverlay *overlay, GstBuffer *buffer, const gchar *source)
{
  gchar **ids;
  g_autofree gchar *list = NULL;

  if (overlay->warned_source)
    return;
  overlay->warned_source = TRUE;
  ids = gst_buffer_get_cca_meta_ids (buffer);
  list = g_strjoinv ("', '", ids);
  GST_ELEMENT_WARNING (overlay, STREAM, FAILED,
                       ("No components are drawn: source is '%s', but the frame has those of '%s'", source, list),
                       ("source must be the property id of an element that analyses"));
  g_strfreev (ids);
}

static void
warn_without_place (GstCcaOverlay *overlay)
{
  const GstCcaLayers *layers = &overlay->layers;

  GST_DEBUG_OBJECT (overlay, "no place for the objects of '%s': measured in %ux%u, frame of %dx%d", layers->unplaced.id,
                    layers->unplaced.width, layers->unplaced.height, overlay->info.width, overlay->info.height);
  if (overlay->warned_place)
    return;
  overlay->warned_place = TRUE;
  GST_ELEMENT_WARNING (overlay, STREAM, FAILED,
                       ("Components of '%s' are not drawn: an element reshaped the frame; draw before it, or analyse "
                        "behind it",
                        layers->unplaced.id),
                       ("metas of %ux%u pixels cannot be mapped to %dx%d after cropping, turning or adding borders",
                        layers->unplaced.width, layers->unplaced.height, overlay->info.width, overlay->info.height));
}

/* The time of a frame; of one without a time stamp, a frame's duration after the last. */
static GstClockTime
time_of (GstCcaOverlay *overlay, GstBuffer *buffer)
{
  const GstVideoInfo *info = &overlay->info;

  if (GST_BUFFER_PTS_IS_VALID (buffer))
    overlay->time = GST_BUFFER_PTS (buffer);
  else if (GST_BUFFER_DURATION_IS_VALID (buffer))
    overlay->time += GST_BUFFER_DURATION (buffer);
  else
    overlay->time += info->fps_n > 0 ? gst_util_uint64_scale (GST_SECOND, info->fps_d, info->fps_n) : GST_SECOND / 25;
  return overlay->time;
}

static GstFlowReturn
paint (GstCcaOverlay *overlay, GstBuffer *buffer, gint x, gint y)
{
  GstVideoOverlayComposition *painted;
  GstFlowReturn flow = GST_FLOW_OK;

  if (overlay->painter == NULL)
    overlay->painter = gst_cca_painter_new (overlay->info.width, overlay->info.height);
  painted = gst_cca_painter_paint (overlay->painter, overlay->drawing, overlay->font, x, y);
  if (painted == NULL)
    return GST_FLOW_OK;
  if (overlay->attach)
    attach (buffer, painted);
  else
    flow = blend (overlay, buffer, painted);
  gst_video_overlay_composition_unref (painted);
  return flow;
}

static GstFlowReturn
gst_cca_overlay_transform_ip (GstBaseTransform *base, GstBuffer *buffer)
{
  GstCcaOverlay *overlay = GST_CCA_OVERLAY (base);
  const GstVideoCropMeta *crop = gst_buffer_get_video_crop_meta (buffer);
  const GstClockTime time = time_of (overlay, buffer);
  GstCcaView view = overlay->view;
  g_autofree gchar *source = NULL;
  GstCcaStyle style;
  gboolean has_font = TRUE, any;
  gint x = 0, y = 0;

  GST_OBJECT_LOCK (overlay);
  source = g_strdup (overlay->source);
  style = overlay->style;
  if (overlay->font_changed)
    has_font = gst_cca_font_set (overlay->font, overlay->font_desc);
  overlay->font_changed = FALSE;
  GST_OBJECT_UNLOCK (overlay);
  if (!has_font && (style.labels || style.area || style.count || style.heights || (style.camera && overlay->trouble)))
    warn_without_font (overlay);

  any = gst_cca_layers_collect (&overlay->layers, buffer, overlay->info.width, overlay->info.height, source);
  overlay->layers.trouble = overlay->trouble;
  if (overlay->layers.without_source)
    warn_without_source (overlay, buffer, source);
  if (overlay->layers.unplaced.id != NULL)
    warn_without_place (overlay);
  if (!any && !(style.camera && overlay->trouble))
    return GST_FLOW_OK;
  if (g_atomic_int_compare_and_exchange (&overlay->undecided, TRUE, FALSE))
    decide_attach (overlay);

  /* Of a cropped frame a part is shown. Overlays are placed in that part when they are attached, in the whole frame
   * when they are blended. */
  if (crop != NULL && gst_buffer_get_video_meta (buffer) != NULL) {
    view.left = crop->x, view.top = crop->y;
    if (!overlay->attach)
      x = crop->x, y = crop->y;
  }

  gst_cca_drawing_clear (overlay->drawing);
  gst_cca_scene_draw (overlay->scene, overlay->drawing, overlay->font, &style, &view, &overlay->layers, time);
  return GST_CCA_OVERLAY_GET_CLASS (overlay)->paint (overlay, buffer, x, y);
}

/* Discontinuity: reset history. */
static gboolean
gst_cca_overlay_sink_event (GstBaseTransform *base, GstEvent *event)
{
  GstCcaOverlay *overlay = GST_CCA_OVERLAY (base);

  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP || GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START) {
    gst_cca_scene_break (overlay->scene);
    overlay->time = 0;
  }
  gst_cca_camera_event_follow (event, &overlay->trouble);
  return GST_BASE_TRANSFORM_CLASS (gst_cca_overlay_parent_class)->sink_event (base, event);
}

static gboolean
gst_cca_overlay_start (GstBaseTransform *base)
{
  GstCcaOverlay *overlay = GST_CCA_OVERLAY (base);

  overlay->warned_source = overlay->warned_place = overlay->refused = FALSE;
  gst_cca_scene_forget (overlay->scene);
  overlay->time = 0;
  overlay->trouble = NULL;
  return TRUE;
}

static gboolean
gst_cca_overlay_stop (GstBaseTransform *base)
{
  clear_painting (GST_CCA_OVERLAY (base));
  return TRUE;
}

/* --- Switches ---------------------------------------------------------------------------------------- */

/* Boolean properties, each a member of the style. */
#define AT(field) G_STRUCT_OFFSET (GstCcaOverlay, field)

static const GstCcaProperty list[] = {
  { "show-boxes", AT (style.boxes), G_TYPE_BOOLEAN, .value = TRUE, .blurb = "Draw each object's bounding box" },
  { "show-centroids", AT (style.centroids), G_TYPE_BOOLEAN, .value = TRUE, .blurb = "Mark each object's centroid" },
  { "show-labels", AT (style.labels), G_TYPE_BOOLEAN, .value = TRUE,
    .blurb = "Write each component's label or track's identity if there is room" },
  { "show-area", AT (style.area), G_TYPE_BOOLEAN, .blurb = "Write each object's area in pixels if there is room" },
  { "show-count", AT (style.count), G_TYPE_BOOLEAN, .value = TRUE,
    .blurb = "Write the number of components or tracks into a corner" },
  { "tracks", AT (style.tracks), G_TYPE_BOOLEAN, .value = TRUE,
    .blurb = "If a frame has tracks, draw them instead of their components" },
  { "trails", AT (style.trails), G_TYPE_BOOLEAN, .value = TRUE, .blurb = "Draw the recent path of each track's feet" },
  { "rules", AT (style.rules), G_TYPE_BOOLEAN, .value = TRUE,
    .blurb = "Draw zones and lines with their names and counters" },
  { "camera", AT (style.camera), G_TYPE_BOOLEAN, .value = TRUE,
    .blurb = "Write the state of a camera that is not well, as ccacamera tells it" },
  { "events", AT (style.events), G_TYPE_BOOLEAN, .value = TRUE,
    .blurb = "Show each event for a second at the place where it fired" },
  { "crops", AT (style.crops), G_TYPE_BOOLEAN, .blurb = "Draw the crops that ccagate marks for a detector" },
  { "heatmap", AT (style.heatmap), G_TYPE_BOOLEAN, .blurb = "Draw how much time objects have spent at each place" },
  { "heights", AT (style.heights), G_TYPE_BOOLEAN,
    .blurb = "Draw how high objects are on several rows, as ccatrack has learned it" },
  { "speed", AT (style.speed), G_TYPE_BOOLEAN, .value = TRUE,
    .blurb = "Write each track's speed in km/h beside its identity where ccazones knows the ground" },
  { "trail-duration", AT (style.trail_duration), G_TYPE_UINT64, 0, 3600 * GST_SECOND, 3 * GST_SECOND,
    .blurb = "How far back trails go, nanoseconds" },
  { "source", AT (source), G_TYPE_STRING, .blurb = "Draw only the metas of the element with this id (NULL = of all)" },
  { "color-by", AT (style.color_by), G_TYPE_ENUM, .value = GST_CCA_COLOR_BY_NONE,
    .get_type = gst_cca_overlay_color_by_get_type, .blurb = "How a component gets its color" },
  { "color", AT (style.color), G_TYPE_UINT, 0, G_MAXUINT32, 0xffffc400,
    .blurb = "Color of the components (0xAARRGGBB); its alpha also applies to tracks and color-by=label" },
  { "line-width", AT (style.line_width), G_TYPE_UINT, 0, 64, 0,
    .blurb = "Width of lines in pixels, rounded up to whole chroma samples (0 = follows the frame's height)" },
  { "font-desc", AT (font_desc), G_TYPE_STRING, .text = "Sans Bold", .changed = AT (font_changed),
    .blurb = "Pango description of the font; without a size it follows the frame's height" },
  { "max-drawn", AT (style.max_drawn), G_TYPE_UINT, 0, G_MAXUINT, 0,
    .blurb = "Draw only that many components or tracks, the first in the order of the analysis (0 = all)" },
};
static const GstCcaProperties properties = { 1, G_N_ELEMENTS (list), list, GST_CCA_PROPERTY_PLAYING };

/* --- The object -------------------------------------------------------------------------------------- */

static void
gst_cca_overlay_finalize (GObject *object)
{
  GstCcaOverlay *overlay = GST_CCA_OVERLAY (object);

  clear_painting (overlay);
  gst_cca_scene_free (overlay->scene);
  gst_cca_drawing_free (overlay->drawing);
  gst_cca_layers_clear (&overlay->layers);
  gst_cca_properties_clear (&properties, overlay);
  G_OBJECT_CLASS (gst_cca_overlay_parent_class)->finalize (object);
}

static void
gst_cca_overlay_class_init (GstCcaOverlayClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *base_class = GST_BASE_TRANSFORM_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (cca_overlay_debug, "ccaoverlay", 0, "Overlay of connected components");

  gst_cca_properties_install (&properties, object_class, 0);
  object_class->finalize = gst_cca_overlay_finalize;
  base_class->transform_caps = gst_cca_overlay_transform_caps;
  base_class->set_caps = gst_cca_overlay_set_caps;
  base_class->sink_event = gst_cca_overlay_sink_event;
  base_class->src_event = gst_cca_overlay_src_event;
  base_class->transform_ip = gst_cca_overlay_transform_ip;
  base_class->start = gst_cca_overlay_start;
  base_class->stop = gst_cca_overlay_stop;
  klass->can_blend = is_plain;
  klass->paint = paint;
  klass->clear = clear;

  gst_cca_class_add_templates (klass, OVERLAY_CAPS);
  gst_element_class_set_static_metadata (element_class, "Connected components overlay", "Filter/Editor/Video",
                                         "Draws connected components, tracks, trails, zones, counts and a heatmap",
                                         "gst-cca developers");
}

static void
gst_cca_overlay_init (GstCcaOverlay *overlay)
{
  overlay->scene = gst_cca_scene_new ();
  overlay->drawing = gst_cca_drawing_new ();
  gst_cca_layers_init (&overlay->layers);
  gst_cca_properties_init (&properties, overlay);
  overlay->font_changed = TRUE;
}
