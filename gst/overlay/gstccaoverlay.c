/* gst-cca: ccaoverlay, draws the components that a video carries
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-ccaoverlay
 * @title: ccaoverlay
 * @short_description: draws connected components onto video
 *
 * Draws what a #GstCcaMeta says about its frame: bounding boxes, centroids, labels, areas and the number of components.
 * All components have one colour, because labels count the components of a frame and do not follow an object from frame
 * to frame; `color-by=label` gives each label the colour that `ccl` paints it with. Frames without the meta pass
 * untouched. Where a frame carries several metas, all are drawn or the one that `source` names.
 *
 * Where an element behind the analysis changed the frame's geometry in a way that cannot be followed (before GStreamer
 * 1.28: cropping, turning, borders), nothing is drawn, and a warning says so once.
 *
 * Where downstream composes overlays itself (it takes `meta:GstVideoOverlayComposition` in caps and allocation query,
 * as most GPU sinks do), the drawing is attached to the frame, whatever memory that is in. Elsewhere it is blended into
 * the frame, which must be in system memory.
 *
 * |[
 * gst-launch-1.0 -m v4l2src ! videoconvert ! cca foreground=motion min-area=80 ! ccaoverlay ! autovideosink
 * ]|
 *
 * Since: 0.1
 */
#include "gstccaoverlay.h"

#include "canvas.h"
#include "painter.h"
#include "scene.h"

GST_DEBUG_CATEGORY_STATIC (cca_overlay_debug);
#define GST_CAT_DEFAULT cca_overlay_debug

#define DEFAULT_COLOR 0xffffc400u

#define COMPOSITION GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION

#define OVERLAY_CAPS                                                                                                   \
  GST_VIDEO_CAPS_MAKE (GST_VIDEO_OVERLAY_COMPOSITION_BLEND_FORMATS)                                                    \
  ";" GST_VIDEO_CAPS_MAKE_WITH_FEATURES ("ANY", GST_VIDEO_FORMATS_ALL)

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS (OVERLAY_CAPS));
static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (OVERLAY_CAPS));

typedef enum
{
  PROP_SHOW_BOXES = 1,
  PROP_SHOW_CENTROIDS,
  PROP_SHOW_LABELS,
  PROP_SHOW_AREA,
  PROP_SHOW_COUNT,
  PROP_SOURCE,
  PROP_COLOR_BY,
  PROP_COLOR,
  PROP_LINE_WIDTH,
  PROP_FONT_DESC,
  PROP_MAX_DRAWN,
} Property;

struct _GstCcaOverlay
{
  GstBaseTransform parent;

  /* Properties, under the object lock. */
  GstCcaStyle style;
  gchar *source;
  gchar *font;
  gboolean font_changed;

  GstVideoInfo info;
  GstCcaView view;
  GstCcaScene *scene;
  GstCcaPainter *painter;
  GArray *layers;         /* of GstCcaLayer: what is drawn of the frame */
  gboolean warned_source; /* that no frame has what is to be drawn */
  gboolean warned_place;  /* that a frame's components cannot be placed */
  gboolean caps_attach;   /* the caps allow attaching */
  gboolean caps_blend;    /* the caps allow blending */
  gboolean attach;        /* what is done */
  gint undecided;         /* downstream must be asked; atomic */
};

G_DEFINE_TYPE (GstCcaOverlay, gst_cca_overlay, GST_TYPE_BASE_TRANSFORM)
GST_ELEMENT_REGISTER_DEFINE (ccaoverlay, "ccaoverlay", GST_RANK_NONE, GST_TYPE_CCA_OVERLAY)

#define GST_TYPE_CCA_OVERLAY_COLOR_BY (gst_cca_overlay_color_by_get_type ())

static GType
gst_cca_overlay_color_by_get_type (void)
{
  static const GEnumValue values[] = {
    { GST_CCA_COLOR_BY_NONE, "All components have the color of the property 'color'", "none" },
    { GST_CCA_COLOR_BY_LABEL, "Each label has its own color, the one that ccl paints it with", "label" },
    { 0, NULL, NULL },
  };
  static GType type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstCcaOverlayColorBy", values));
  return type;
}

/* --- Negotiation ------------------------------------------------------------------------------------- */

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

/* A frame may gain the right to carry overlays, and should where it can; it never loses it. */
static GstCaps *
gst_cca_overlay_transform_caps (GstBaseTransform *base, GstPadDirection direction, GstCaps *caps, GstCaps *filter)
{
  GstCaps *result, *filtered;

  if (direction == GST_PAD_SINK)
    result = gst_caps_merge (caps_with_composition (caps, TRUE), gst_caps_ref (caps));
  else
    result = gst_caps_merge (gst_caps_ref (caps), caps_with_composition (caps, FALSE));
  if (filter == NULL)
    return result;
  filtered = gst_caps_intersect_full (filter, result, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref (result);
  return filtered;
}

/* Whole frames in memory that the processor can write. */
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

/* A view of whole frames. The two fields of an interlaced frame have chroma lines of their own. */
static GstCcaView
view_of_frames (const GstVideoInfo *info)
{
  GstCcaView view = { .width = info->width, .height = info->height };
  guint shift_x = 0, shift_y = 0;

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info); i++) {
    shift_x = MAX (shift_x, GST_VIDEO_FORMAT_INFO_W_SUB (info->finfo, i));
    shift_y = MAX (shift_y, GST_VIDEO_FORMAT_INFO_H_SUB (info->finfo, i));
  }
  if (shift_y > 0 && GST_VIDEO_INFO_IS_INTERLACED (info))
    shift_y++;
  view.sample_w = 1 << shift_x;
  view.sample_h = 1 << shift_y;
  return view;
}

static gboolean
gst_cca_overlay_set_caps (GstBaseTransform *base, GstCaps *sink_caps, GstCaps *src_caps)
{
  GstCcaOverlay *overlay = GST_CCA_OVERLAY (base);
  const GstCapsFeatures *features = gst_caps_get_features (src_caps, 0);
  GstVideoInfo info;

  if (!gst_video_info_from_caps (&info, sink_caps)) {
    GST_ELEMENT_ERROR (overlay, STREAM, FORMAT, ("The video's caps cannot be understood."),
                       ("caps %" GST_PTR_FORMAT, sink_caps));
    return FALSE;
  }
  if (info.width > GST_CCA_CANVAS_MAX_SIZE || info.height > GST_CCA_CANVAS_MAX_SIZE) {
    GST_ELEMENT_ERROR (overlay, STREAM, FORMAT,
                       ("Frames of %dx%d pixels are too large to draw on: at most %dx%d; scale the video down before.",
                        info.width, info.height, GST_CCA_CANVAS_MAX_SIZE, GST_CCA_CANVAS_MAX_SIZE),
                       (NULL));
    return FALSE;
  }

  overlay->caps_attach = gst_caps_features_contains (features, COMPOSITION);
  overlay->caps_blend = is_plain (features);
  if (!overlay->caps_attach && !overlay->caps_blend) {
    gchar *text = gst_caps_features_to_string (features);

    GST_ELEMENT_ERROR (overlay, STREAM, FORMAT,
                       ("Cannot draw on video of (%s): what follows does not compose overlays (" COMPOSITION
                        "); download the video to system memory before.",
                        text),
                       (NULL));
    g_free (text);
    return FALSE;
  }

  overlay->info = info;
  overlay->view = view_of_frames (&info);
  g_clear_pointer (&overlay->painter, gst_cca_painter_free);
  overlay->painter = gst_cca_painter_new (info.width, info.height);
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

/* Caps alone do not tell who composes: a tee or fakesink takes any. The allocation query does, and can only be asked
 * once downstream has the caps. */
static void
decide_attach (GstCcaOverlay *overlay)
{
  GstPad *pad = GST_BASE_TRANSFORM_SRC_PAD (overlay);

  overlay->attach = overlay->caps_attach;
  if (overlay->caps_attach && overlay->caps_blend) {
    GstCaps *caps = gst_pad_get_current_caps (pad);
    GstQuery *query = gst_query_new_allocation (caps, FALSE);

    overlay->attach = gst_pad_peer_query (pad, query)
                      && gst_query_find_allocation_meta (query, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, NULL);
    /* Nobody answers during a flush. */
    if (GST_PAD_IS_FLUSHING (pad))
      g_atomic_int_set (&overlay->undecided, TRUE);
    gst_query_unref (query);
    gst_clear_caps (&caps);
  }
  GST_DEBUG_OBJECT (overlay, "drawings will be %s", overlay->attach ? "attached" : "blended");
}

/* --- Drawing ----------------------------------------------------------------------------------------- */

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

static GstFlowReturn
blend (GstCcaOverlay *overlay, GstBuffer *buffer, GstVideoOverlayComposition *drawing)
{
  GstVideoFrame frame;
  gboolean blended;

  if (!gst_video_frame_map (&frame, &overlay->info, buffer, GST_MAP_READWRITE)) {
    GST_ELEMENT_ERROR (overlay, STREAM, FORMAT,
                       ("A buffer of %" G_GSIZE_FORMAT " bytes cannot be mapped as the frame of %dx%d pixels %s "
                        "(%" G_GSIZE_FORMAT " bytes) that its caps say.",
                        gst_buffer_get_size (buffer), overlay->info.width, overlay->info.height,
                        gst_video_format_to_string (GST_VIDEO_INFO_FORMAT (&overlay->info)),
                        GST_VIDEO_INFO_SIZE (&overlay->info)),
                       (NULL));
    return GST_FLOW_ERROR;
  }
  blended = gst_video_overlay_composition_blend (drawing, &frame);
  gst_video_frame_unmap (&frame);
  if (!blended) {
    GST_ELEMENT_ERROR (overlay, STREAM, FORMAT,
                       ("Cannot draw on video in format %s; convert it before.",
                        gst_video_format_to_string (GST_VIDEO_INFO_FORMAT (&overlay->info))),
                       (NULL));
    return GST_FLOW_ERROR;
  }
  return GST_FLOW_OK;
}

static void
warn_without_font (GstCcaOverlay *overlay)
{
  GST_ELEMENT_WARNING (
      overlay, RESOURCE, NOT_FOUND,
      ("There is no font: components are drawn without text. Install one (on Debian, fonts-dejavu-core)."),
      ("fontconfig finds no font at all for font-desc"));
}

static void
warn_without_source (GstCcaOverlay *overlay, GstBuffer *buffer, const gchar *source)
{
  gchar **ids, *list;

  if (overlay->warned_source)
    return;
  overlay->warned_source = TRUE;
  ids = gst_buffer_get_cca_meta_ids (buffer);
  list = g_strjoinv ("', '", ids);
  GST_ELEMENT_WARNING (overlay, STREAM, FAILED,
                       ("No components are drawn: source is '%s', but the frame has those of '%s'.", source, list),
                       ("source is compared with the property id of the elements that analyse"));
  g_free (list);
  g_strfreev (ids);
}

static void
warn_without_place (GstCcaOverlay *overlay, const GstCcaMeta *meta)
{
  GST_DEBUG_OBJECT (overlay, "no place for the components of '%s': measured in %ux%u, frame of %dx%d", meta->id,
                    meta->width, meta->height, overlay->info.width, overlay->info.height);
  if (overlay->warned_place)
    return;
  overlay->warned_place = TRUE;
  GST_ELEMENT_WARNING (overlay, STREAM, FAILED,
                       ("The components of '%s' are not drawn: they were measured in a frame of %ux%u pixels, and an "
                        "element changed it to %dx%d in a way that cannot be followed, such as cropping, turning or "
                        "adding borders; draw before that element, or analyse behind it.",
                        meta->id, meta->width, meta->height, overlay->info.width, overlay->info.height),
                       (NULL));
}

/* Lists what is drawn of a frame. */
static void
collect_layers (GstCcaOverlay *overlay, GstBuffer *buffer, const gchar *source)
{
  const GstCcaMeta *meta;
  gpointer state = NULL;
  guint n = 0, n_chosen = 0;

  g_array_set_size (overlay->layers, 0);
  while ((meta = gst_buffer_iterate_cca_meta (buffer, &state)) != NULL) {
    GstCcaLayer layer = { .meta = meta };

    n++;
    if (source != NULL && !g_str_equal (meta->id, source))
      continue;
    n_chosen++;
    if (gst_cca_meta_map_to_frame (meta, buffer, overlay->info.width, overlay->info.height, &layer.content)
        == GST_CCA_PLACE_UNKNOWN)
      warn_without_place (overlay, meta);
    else
      g_array_append_val (overlay->layers, layer);
  }
  if (n > 0 && n_chosen == 0)
    warn_without_source (overlay, buffer, source);
}

static GstFlowReturn
gst_cca_overlay_transform_ip (GstBaseTransform *base, GstBuffer *buffer)
{
  GstCcaOverlay *overlay = GST_CCA_OVERLAY (base);
  const GstVideoCropMeta *crop = gst_buffer_get_video_crop_meta (buffer);
  GstCcaView view = overlay->view;
  GstVideoOverlayComposition *drawing;
  GstFlowReturn flow = GST_FLOW_OK;
  g_autofree gchar *source = NULL;
  GstCcaStyle style;
  gboolean has_font = TRUE;
  gint x = 0, y = 0;

  GST_OBJECT_LOCK (overlay);
  source = g_strdup (overlay->source);
  style = overlay->style;
  if (overlay->font_changed)
    has_font = gst_cca_painter_set_font (overlay->painter, overlay->font);
  overlay->font_changed = FALSE;
  GST_OBJECT_UNLOCK (overlay);
  if (!has_font && (style.labels || style.area || style.count))
    warn_without_font (overlay);

  collect_layers (overlay, buffer, source);
  if (overlay->layers->len == 0)
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

  if (!gst_cca_painter_begin (overlay->painter))
    return GST_FLOW_OK;
  gst_cca_scene_paint (overlay->scene, overlay->painter, &style, &view, (GstCcaLayer *) overlay->layers->data,
                       overlay->layers->len);
  drawing = gst_cca_painter_end (overlay->painter, x, y);
  if (drawing == NULL)
    return GST_FLOW_OK;
  if (overlay->attach)
    attach (buffer, drawing);
  else
    flow = blend (overlay, buffer, drawing);
  gst_video_overlay_composition_unref (drawing);
  return flow;
}

static gboolean
gst_cca_overlay_start (GstBaseTransform *base)
{
  GstCcaOverlay *overlay = GST_CCA_OVERLAY (base);

  overlay->warned_source = overlay->warned_place = FALSE;
  return TRUE;
}

static gboolean
gst_cca_overlay_stop (GstBaseTransform *base)
{
  g_clear_pointer (&GST_CCA_OVERLAY (base)->painter, gst_cca_painter_free);
  return TRUE;
}

/* --- The object -------------------------------------------------------------------------------------- */

static void
gst_cca_overlay_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  GstCcaOverlay *overlay = GST_CCA_OVERLAY (object);

  GST_OBJECT_LOCK (overlay);
  switch ((Property) id) {
    case PROP_SHOW_BOXES: overlay->style.boxes = g_value_get_boolean (value); break;
    case PROP_SHOW_CENTROIDS: overlay->style.centroids = g_value_get_boolean (value); break;
    case PROP_SHOW_LABELS: overlay->style.labels = g_value_get_boolean (value); break;
    case PROP_SHOW_AREA: overlay->style.area = g_value_get_boolean (value); break;
    case PROP_SHOW_COUNT: overlay->style.count = g_value_get_boolean (value); break;
    case PROP_SOURCE:
      g_free (overlay->source);
      overlay->source = g_value_dup_string (value);
      break;
    case PROP_COLOR_BY: overlay->style.color_by = g_value_get_enum (value); break;
    case PROP_COLOR: overlay->style.color = g_value_get_uint (value); break;
    case PROP_LINE_WIDTH: overlay->style.line_width = g_value_get_uint (value); break;
    case PROP_FONT_DESC:
      g_free (overlay->font);
      overlay->font = g_value_dup_string (value);
      overlay->font_changed = TRUE;
      break;
    case PROP_MAX_DRAWN: overlay->style.max_drawn = g_value_get_uint (value); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
  }
  GST_OBJECT_UNLOCK (overlay);
}

static void
gst_cca_overlay_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  GstCcaOverlay *overlay = GST_CCA_OVERLAY (object);

  GST_OBJECT_LOCK (overlay);
  switch ((Property) id) {
    case PROP_SHOW_BOXES: g_value_set_boolean (value, overlay->style.boxes); break;
    case PROP_SHOW_CENTROIDS: g_value_set_boolean (value, overlay->style.centroids); break;
    case PROP_SHOW_LABELS: g_value_set_boolean (value, overlay->style.labels); break;
    case PROP_SHOW_AREA: g_value_set_boolean (value, overlay->style.area); break;
    case PROP_SHOW_COUNT: g_value_set_boolean (value, overlay->style.count); break;
    case PROP_SOURCE: g_value_set_string (value, overlay->source); break;
    case PROP_COLOR_BY: g_value_set_enum (value, overlay->style.color_by); break;
    case PROP_COLOR: g_value_set_uint (value, overlay->style.color); break;
    case PROP_LINE_WIDTH: g_value_set_uint (value, overlay->style.line_width); break;
    case PROP_FONT_DESC: g_value_set_string (value, overlay->font); break;
    case PROP_MAX_DRAWN: g_value_set_uint (value, overlay->style.max_drawn); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
  }
  GST_OBJECT_UNLOCK (overlay);
}

static void
gst_cca_overlay_finalize (GObject *object)
{
  GstCcaOverlay *overlay = GST_CCA_OVERLAY (object);

  g_clear_pointer (&overlay->painter, gst_cca_painter_free);
  gst_cca_scene_free (overlay->scene);
  g_array_unref (overlay->layers);
  g_free (overlay->source);
  g_free (overlay->font);
  G_OBJECT_CLASS (gst_cca_overlay_parent_class)->finalize (object);
}

static void
gst_cca_overlay_class_init (GstCcaOverlayClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *base_class = GST_BASE_TRANSFORM_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (cca_overlay_debug, "ccaoverlay", 0, "Overlay of connected components");

  object_class->set_property = gst_cca_overlay_set_property;
  object_class->get_property = gst_cca_overlay_get_property;
  object_class->finalize = gst_cca_overlay_finalize;
  base_class->transform_caps = gst_cca_overlay_transform_caps;
  base_class->set_caps = gst_cca_overlay_set_caps;
  base_class->src_event = gst_cca_overlay_src_event;
  base_class->transform_ip = gst_cca_overlay_transform_ip;
  base_class->start = gst_cca_overlay_start;
  base_class->stop = gst_cca_overlay_stop;

  g_object_class_install_property (
      object_class, PROP_SHOW_BOXES,
      g_param_spec_boolean ("show-boxes", "Show boxes", "Draw each component's bounding box", TRUE, flags));
  g_object_class_install_property (
      object_class, PROP_SHOW_CENTROIDS,
      g_param_spec_boolean ("show-centroids", "Show centroids", "Mark each component's centroid", TRUE, flags));
  g_object_class_install_property (object_class, PROP_SHOW_LABELS,
                                   g_param_spec_boolean ("show-labels", "Show labels",
                                                         "Write each component's label if there is room", TRUE, flags));
  g_object_class_install_property (object_class, PROP_SHOW_AREA,
                                   g_param_spec_boolean ("show-area", "Show area",
                                                         "Write each component's area in pixels if there is room",
                                                         FALSE, flags));
  g_object_class_install_property (object_class, PROP_SHOW_COUNT,
                                   g_param_spec_boolean ("show-count", "Show count",
                                                         "Write the number of components into the upper left corner",
                                                         TRUE, flags));
  /**
   * ccaoverlay:source:
   *
   * Which analysis is drawn where a frame has been through several: the `id` of its element, such as `cca0`.
   *
   * Since: 0.1
   */
  g_object_class_install_property (
      object_class, PROP_SOURCE,
      g_param_spec_string ("source", "Source", "Draw only the components of the element with this id (NULL = of all)",
                           NULL, flags));
  /**
   * ccaoverlay:color-by:
   *
   * What decides the colour of a component.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_COLOR_BY,
                                   g_param_spec_enum ("color-by", "Color by", "What decides the color of a component",
                                                      GST_TYPE_CCA_OVERLAY_COLOR_BY, GST_CCA_COLOR_BY_NONE, flags));
  /**
   * ccaoverlay:color:
   *
   * The colour of all components, as 0xAARRGGBB. With another `color-by` only its alpha is used.
   *
   * Since: 0.1
   */
  g_object_class_install_property (
      object_class, PROP_COLOR,
      g_param_spec_uint ("color", "Color",
                         "Color of the components (0xAARRGGBB); its alpha also applies to color-by=label", 0,
                         G_MAXUINT32, DEFAULT_COLOR, flags));
  g_object_class_install_property (
      object_class, PROP_LINE_WIDTH,
      g_param_spec_uint (
          "line-width", "Line width",
          "Width of lines in pixels, rounded up to whole chroma samples (0 = follows the frame's height)", 0, 64, 0,
          flags));
  g_object_class_install_property (
      object_class, PROP_FONT_DESC,
      g_param_spec_string ("font-desc", "Font description",
                           "Pango description of the font; without a size it follows the frame's height", "Sans Bold",
                           flags));
  g_object_class_install_property (
      object_class, PROP_MAX_DRAWN,
      g_param_spec_uint ("max-drawn", "Maximum drawn",
                         "Draw only that many components, the first in the order of the analysis (0 = all)", 0,
                         G_MAXUINT, 0, flags));

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Connected components overlay", "Filter/Editor/Video",
                                         "Draws boxes, centroids, labels and the count of connected components",
                                         "gst-cca developers");
}

static void
gst_cca_overlay_init (GstCcaOverlay *overlay)
{
  overlay->scene = gst_cca_scene_new ();
  overlay->layers = g_array_new (FALSE, FALSE, sizeof (GstCcaLayer));
}
