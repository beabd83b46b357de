/* gst-cca: ccaprivacy, hides what moves in a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaprivacy.h"

#include <gst/cca/gstccameta.h>
#include <gst/cca/gstccatrackmeta.h>

#include "gstccaframe.h"
#include "gstccapost.h"
#include "gstccaproperties.h"
#include "gstccatemplates.h"

G_DEFINE_TYPE (GstCcaPrivacy, gst_cca_privacy, GST_TYPE_BASE_TRANSFORM)
GST_ELEMENT_REGISTER_DECLARE (ccaprivacy);
GST_ELEMENT_REGISTER_DEFINE (ccaprivacy, "ccaprivacy", GST_RANK_NONE, GST_TYPE_CCA_PRIVACY)

/* Formats whose values are bytes. */
#define PRIVACY_CAPS                                                                                                   \
  "video/x-raw, "                                                                                                      \
  "format = (string) { NV12, NV21, I420, YV12, Y42B, Y444, Y41B, NV16, NV61, NV24, GRAY8, YUY2, YVYU, UYVY, VYUY, "    \
  "RGBx, xRGB, BGRx, xBGR, RGBA, ARGB, BGRA, ABGR, RGB, BGR }, " GST_CCA_PRIVACY_SHAPE

#define GST_TYPE_CCA_PRIVACY_MODE (gst_cca_privacy_mode_get_type ())
static GType gst_cca_privacy_mode_get_type (void);
G_DEFINE_ENUM_TYPE (GstCcaPrivacyMode, gst_cca_privacy_mode,
                    { GST_CCA_VEIL_BLUR, "Colors that run smoothly from cell to cell", "blur" },
                    { GST_CCA_VEIL_PIXELATE, "Cells of one color each", "pixelate" },
                    { GST_CCA_VEIL_FILL, "One color, that of the property 'fill-color': only outlines are left",
                      "fill" })

#define GST_TYPE_CCA_PRIVACY_HIDE (gst_cca_privacy_hide_get_type ())
static GType gst_cca_privacy_hide_get_type (void);
G_DEFINE_FLAGS_TYPE (GstCcaPrivacyHide, gst_cca_privacy_hide,
                     { GST_CCA_PRIVACY_HIDE_FOREGROUND, "The foreground, by the coverage of GstCcaMeta", "foreground" },
                     { GST_CCA_PRIVACY_HIDE_TRACKS, "The boxes of tracks, by GstCcaTrackMeta", "tracks" })

static GstStructure *
make_stats (gpointer object)
{
  const GstCcaPrivacy *self = object;

  return gst_structure_new ("cca-privacy-stats", "frames", G_TYPE_UINT64, self->n_frames, "whole", G_TYPE_UINT64,
                            self->n_whole, NULL);
}

#define AT(field) G_STRUCT_OFFSET (GstCcaPrivacy, field)

static const GstCcaProperty list[] = {
  { "mode", AT (mode), G_TYPE_ENUM, .value = GST_CCA_VEIL_PIXELATE, .get_type = gst_cca_privacy_mode_get_type,
    .blurb = "What is painted over hidden parts" },
  { "hide", AT (hide), G_TYPE_FLAGS, .value = GST_CCA_PRIVACY_HIDE_FOREGROUND,
    .get_type = gst_cca_privacy_hide_get_type, .blurb = "What is hidden, besides the region" },
  { "id", AT (id), G_TYPE_STRING, .is_name = TRUE,
    .blurb = "Hide what the element with this id found (NULL = the first components and the first tracks of a frame)" },
  { "region", AT (region_value), G_TYPE_STRING, .changed = AT (region_changed),
    .blurb = "A part of every frame that is hidden whatever it shows: a PNG or PGM file, white inside; a JSON file "
             "with polygons in the member region, as for ccazones; or such JSON itself. NULL = none" },
  { "dilation", AT (dilation), G_TYPE_UINT, 0, 1024, 16,
    .blurb = "Hide so many pixels around the foreground and around tracks, too; rounded up to blocks of 8" },
  { "cells", AT (n_cells), G_TYPE_UINT, 1, 8, 4,
    .blurb = "mode=blur and pixelate: most cells along an object's longer side; fewer hide more" },
  { "fill-color", AT (fill_color), G_TYPE_UINT, 0, G_MAXUINT, 0xff808080,
    .blurb = "mode=fill: the color, as 0xAARRGGBB; AA is not used" },
  { "stats", .type = G_TYPE_BOXED, .make = make_stats,
    .blurb = "Since the start: frames, and those hidden as a whole (whole)" },
};
static const GstCcaProperties properties = { 1, G_N_ELEMENTS (list), list, GST_CCA_PROPERTY_PLAYING };

/* --- Region ------------------------------------------------------------------------------------------- */

static void
replace_region (GstCcaPrivacy *self, GstCcaRegion *region)
{
  gst_cca_region_free (self->region);
  self->region = region;
  gst_cca_cover_free (&self->region_cover);
}

/* Loads a region that has been set since the last time. Returns FALSE with the previous one and an error if it cannot
 * be read. */
static gboolean
load_region (GstCcaPrivacy *self, GError **error)
{
  g_autofree gchar *value = NULL;
  GstCcaRegion *region = NULL;
  gboolean changed;

  GST_OBJECT_LOCK (self);
  changed = self->region_changed;
  self->region_changed = FALSE;
  value = g_strdup (self->region_value);
  GST_OBJECT_UNLOCK (self);
  if (!changed)
    return TRUE;
  if (value && *value && !(region = gst_cca_region_load (value, GST_CCA_REGION_ANY, error)))
    return FALSE;
  replace_region (self, region);
  return TRUE;
}

/* Draws the region once for frames of the cover's size. */
static gboolean
draw_region (GstCcaPrivacy *self, guint n_cells)
{
  const guint width = self->cover.width, height = self->cover.height;
  g_autofree guint8 *mask = NULL;
  g_autoptr (GError) error = NULL;

  if (self->region_cover.width == width && self->region_cover.height == height)
    return TRUE;
  mask = gst_cca_region_draw (self->region, width, height, &error);
  if (mask && gst_cca_cover_begin (&self->region_cover, width, height)) {
    for (gsize i = 0; i < (gsize) width * height; i++)
      mask[i] = mask[i] >= 128;
    gst_cca_cover_hide_mask (&self->region_cover, mask, n_cells);
    return TRUE;
  }
  gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                "region: for frames of %ux%u pixels: %s", width, height, error ? error->message : "there is no memory");
  return FALSE;
}

/* --- Color -------------------------------------------------------------------------------------------- */

/* Converts a color of ARGB to the values of a format, in the order of its components. */
static void
convert_color (const GstVideoInfo *info, guint argb, guint8 values[GST_CCA_VEIL_MAX_COMPONENTS])
{
  const gdouble rgb[] = { ((argb >> 16) & 255) / 255.0, ((argb >> 8) & 255) / 255.0, (argb & 255) / 255.0 };
  gdouble color[GST_CCA_VEIL_MAX_COMPONENTS];

  gst_cca_frame_color (info, rgb, color);
  for (guint i = 0; i < GST_CCA_VEIL_MAX_COMPONENTS; i++)
    values[i] = (guint8) CLAMP (color[i] + 0.5, 0, 255);
}

/* --- What is hidden ----------------------------------------------------------------------------------- */

/* The properties for a frame. */
typedef struct
{
  GstCcaVeilMode mode;
  GstCcaPrivacyHide hide;
  const gchar *id;
  guint dilation, n_cells, fill_color;
} Settings;

/* Why a frame must be hidden as a whole. */
typedef enum
{
  KNOWN,      /* it need not be */
  LEARNING,   /* the background model does not know the scene */
  NO_META,    /* there are no components, or none of that id */
  NO_TRACKS,  /* the same of tracks */
  OTHER_SIZE, /* the coordinates do not fit the frame */
  TRUNCATED,
  NO_COVERAGE,
} Reason;

static gboolean
fits (const GstCcaPrivacy *self, guint width, guint height, gboolean stale)
{
  return !stale && width == self->cover.width && height == self->cover.height;
}

static Reason
judge_components (const GstCcaPrivacy *self, const GstCcaMeta *meta)
{
  if (meta == NULL)
    return NO_META;
  if (!fits (self, meta->width, meta->height, meta->stale))
    return OTHER_SIZE;
  if (meta->scene_change || meta->learning)
    return LEARNING;
  return meta->truncated ? TRUNCATED : KNOWN;
}

static const GstCcaCoverBox *
boxes_of (GstCcaPrivacy *self, const GstCcaMeta *meta)
{
  if (meta->n_stored > self->boxes_room) {
    self->boxes = g_renew (GstCcaCoverBox, self->boxes, meta->n_stored);
    self->boxes_room = meta->n_stored;
  }
  for (guint i = 0; i < meta->n_stored; i++) {
    const GstCcaComponent *component = &meta->components[i];

    self->boxes[i] = (GstCcaCoverBox) { component->x, component->y, component->width, component->height };
  }
  return self->boxes;
}

static Reason
cover_foreground (GstCcaPrivacy *self, const GstCcaMeta *meta, const Settings *settings)
{
  GstCcaCover *cover = &self->cover;

  if (meta->coverage == NULL)
    return NO_COVERAGE;
  gst_cca_cover_mark_cells (cover, meta->coverage, meta->coverage_cell, meta->coverage_columns, meta->coverage_rows);
  gst_cca_cover_grow_marks (cover, settings->dilation);
  gst_cca_cover_hide_marks (cover, boxes_of (self, meta), meta->n_stored, settings->dilation, settings->n_cells);
  return KNOWN;
}

static Reason
cover_tracks (GstCcaPrivacy *self, GstBuffer *buffer, const Settings *settings)
{
  const GstCcaTrackMeta *meta = gst_buffer_get_cca_track_meta_by_id (buffer, settings->id);

  if (meta == NULL)
    return NO_TRACKS;
  if (!fits (self, meta->width, meta->height, meta->stale))
    return OTHER_SIZE;
  for (guint i = 0; i < meta->n_tracks; i++) {
    const GstCcaTrack *track = &meta->tracks[i];
    const GstCcaCoverBox box = { track->x, track->y, track->width, track->height };

    gst_cca_cover_hide_box (&self->cover, &box, settings->dilation, settings->n_cells);
  }
  return KNOWN;
}

/* Hides the objects of a buffer's metas. Returns the reason if that is not possible; the cover is then incomplete. */
static Reason
cover_objects (GstCcaPrivacy *self, GstBuffer *buffer, const Settings *settings)
{
  const GstCcaMeta *meta = gst_buffer_get_cca_meta_by_id (buffer, settings->id);
  Reason reason = KNOWN;

  if (settings->hide == 0)
    return reason;
  /* Tracks are no better than the components they come from, which need not be there any more. */
  if (meta != NULL || (settings->hide & GST_CCA_PRIVACY_HIDE_FOREGROUND))
    reason = judge_components (self, meta);
  if (reason == KNOWN && (settings->hide & GST_CCA_PRIVACY_HIDE_FOREGROUND))
    reason = cover_foreground (self, meta, settings);
  if (reason == KNOWN && (settings->hide & GST_CCA_PRIVACY_HIDE_TRACKS))
    reason = cover_tracks (self, buffer, settings);
  return reason;
}

static gchar *
text_without_meta (GstBuffer *buffer, const gchar *id)
{
  g_auto (GStrv) ids = gst_buffer_get_cca_meta_ids (buffer);
  g_autofree gchar *names = g_strjoinv ("', '", ids);

  if (ids[0] == NULL)
    return g_strdup ("a frame has no components; put an element that finds them before this one, such as cca");
  return g_strdup_printf ("id is '%s', but the frame has the components of '%s'", id, names);
}

/* Returns a warning about a reason; NULL if it is normal. */
static gchar *
text_of (Reason reason, GstBuffer *buffer, const gchar *id)
{
  switch (reason) {
    case NO_META: return text_without_meta (buffer, id);
    case NO_TRACKS:
      return g_strdup_printf ("hide includes tracks, but a frame has none%s%s%s; put ccatrack before this element",
                              id ? " of '" : "", id ? id : "", id ? "'" : "");
    case OTHER_SIZE:
      return g_strdup ("an element reshaped the frame since its analysis; hide before it, or analyse behind it");
    case TRUNCATED:
      return g_strdup ("a frame has more components than the analysis stores; raise its min-area or max-components");
    case NO_COVERAGE:
      return g_strdup ("the components come without the foreground itself; set coverage=true of the element that finds "
                       "them");
    case KNOWN:
    case LEARNING: break;
  }
  return NULL;
}

/* --- Frames ------------------------------------------------------------------------------------------- */

static gboolean
fail_for_memory (GstCcaPrivacy *self, guint width, guint height)
{
  gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
                "No memory to hide anything in frames of %ux%u pixels", width, height);
  return FALSE;
}

static void
warn_about_reason (GstCcaPrivacy *self, Reason reason, GstBuffer *buffer, const gchar *id)
{
  g_autofree gchar *text = NULL;

  if (!gst_cca_is_first (&self->warned, 1u << reason))
    return;
  text = text_of (reason, buffer, id);
  if (text)
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED, "Whole frames are hidden: %s",
                  text);
}

/* Fills the cover for a frame of its size. */
static gboolean
cover_frame (GstCcaPrivacy *self, GstBuffer *buffer, const Settings *settings)
{
  const Reason reason = cover_objects (self, buffer, settings);

  GST_OBJECT_LOCK (self);
  self->n_frames++;
  self->n_whole += reason != KNOWN;
  GST_OBJECT_UNLOCK (self);
  if (reason != KNOWN) {
    warn_about_reason (self, reason, buffer, settings->id);
    gst_cca_cover_hide_all (&self->cover, settings->n_cells);
    return TRUE;
  }
  if (!self->region)
    return TRUE;
  if (!draw_region (self, settings->n_cells))
    return FALSE;
  gst_cca_cover_hide_blocks (&self->cover, &self->region_cover, settings->n_cells);
  return TRUE;
}

static GstCcaVeilFrame
view_frame (const GstVideoFrame *frame, guint fill_color)
{
  GstCcaVeilFrame view = { .width = (guint) GST_VIDEO_FRAME_WIDTH (frame),
                           .height = (guint) GST_VIDEO_FRAME_HEIGHT (frame),
                           .n_components = MIN (GST_VIDEO_FRAME_N_COMPONENTS (frame), GST_CCA_VEIL_MAX_COMPONENTS) };

  convert_color (&frame->info, fill_color, view.fill);
  for (guint i = 0; i < view.n_components; i++)
    view.components[i] = gst_cca_frame_values (frame, i);
  return view;
}

static GstMapFlags
map_flag (GstCcaPrivacy *self, GstBuffer *buffer)
{
  return (GstMapFlags) 0;
}

static gboolean
paint (GstCcaPrivacy *self, GstBuffer *buffer, const GstCcaVeilFrame *frame, GstCcaVeilMode mode)
{
  if (!gst_cca_veil_begin (&self->veil, &self->cover))
    return fail_for_memory (self, frame->width, frame->height);
  gst_cca_veil_paint (&self->veil, &self->cover, frame, mode);
  return TRUE;
}

static gboolean
hide (GstCcaPrivacy *self, GstBuffer *buffer, GstVideoFrame *frame, const Settings *settings)
{
  const GstCcaVeilFrame view = view_frame (frame, settings->fill_color);

  if (!gst_cca_cover_begin (&self->cover, view.width, view.height))
    return fail_for_memory (self, view.width, view.height);
  return cover_frame (self, buffer, settings)
         && GST_CCA_PRIVACY_GET_CLASS (self)->paint (self, buffer, &view, settings->mode);
}

static GstFlowReturn
gst_cca_privacy_transform_ip (GstBaseTransform *base, GstBuffer *buffer)
{
  GstCcaPrivacy *self = GST_CCA_PRIVACY (base);
  g_autoptr (GError) error = NULL;
  GRefString *id;
  Settings settings;
  GstMapFlags flags;
  GstVideoFrame frame;
  gboolean hidden = FALSE;

  if (!load_region (self, &error))
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                  "region: %s; keeping the previous region", error->message);
  GST_OBJECT_LOCK (self);
  id = self->id ? g_ref_string_acquire (self->id) : NULL;
  settings = (Settings) { self->mode, self->hide, id, self->dilation, self->n_cells, self->fill_color };
  GST_OBJECT_UNLOCK (self);

  /* A frame that cannot be changed must not pass. */
  flags = GST_MAP_READWRITE | GST_CCA_PRIVACY_GET_CLASS (self)->map_flag (self, buffer);
  if (gst_video_frame_map (&frame, &self->info, buffer, flags)) {
    hidden = hide (self, buffer, &frame, &settings);
    gst_video_frame_unmap (&frame);
  } else {
    gst_cca_post_detail (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_WRITE,
                         g_strdup_printf ("a buffer of %" G_GSIZE_FORMAT " bytes", gst_buffer_get_size (buffer)),
                         "A buffer cannot be mapped as the frame of %dx%d pixels %s that its caps say",
                         GST_VIDEO_INFO_WIDTH (&self->info), GST_VIDEO_INFO_HEIGHT (&self->info),
                         GST_VIDEO_INFO_NAME (&self->info));
  }
  g_clear_pointer (&id, g_ref_string_release);
  return hidden ? GST_FLOW_OK : GST_FLOW_ERROR;
}

static gboolean
gst_cca_privacy_set_caps (GstBaseTransform *base, GstCaps *caps, GstCaps *source_caps)
{
  return gst_video_info_from_caps (&GST_CCA_PRIVACY (base)->info, caps);
}

/* In place: forwards the allocation query. */
static gboolean
gst_cca_privacy_propose_allocation (GstBaseTransform *base, GstQuery *decide_query, GstQuery *query)
{
  return gst_pad_peer_query (GST_BASE_TRANSFORM_SRC_PAD (base), query);
}

static gboolean
gst_cca_privacy_start (GstBaseTransform *base)
{
  GstCcaPrivacy *self = GST_CCA_PRIVACY (base);
  g_autoptr (GError) error = NULL;

  if (!gst_cca_properties_check (&properties, self, self))
    return FALSE;
  GST_OBJECT_LOCK (self);
  self->region_changed = TRUE;
  self->n_frames = self->n_whole = 0;
  GST_OBJECT_UNLOCK (self);
  self->warned = 0;
  if (load_region (self, &error))
    return TRUE;
  gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "region: %s", error->message);
  return FALSE;
}

static gboolean
gst_cca_privacy_stop (GstBaseTransform *base)
{
  GstCcaPrivacy *self = GST_CCA_PRIVACY (base);

  gst_cca_cover_free (&self->cover);
  gst_cca_veil_free (&self->veil);
  g_clear_pointer (&self->boxes, g_free);
  self->boxes_room = 0;
  replace_region (self, NULL);
  return TRUE;
}

/* --- Object ------------------------------------------------------------------------------------------- */

static void
gst_cca_privacy_finalize (GObject *object)
{
  gst_cca_properties_clear (&properties, object);
  G_OBJECT_CLASS (gst_cca_privacy_parent_class)->finalize (object);
}

static void
gst_cca_privacy_init (GstCcaPrivacy *self)
{
  gst_cca_properties_init (&properties, self);
  gst_base_transform_set_in_place (GST_BASE_TRANSFORM (self), TRUE);
  gst_base_transform_set_qos_enabled (GST_BASE_TRANSFORM (self), FALSE);
}

static void
gst_cca_privacy_class_init (GstCcaPrivacyClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *base_class = GST_BASE_TRANSFORM_CLASS (klass);

  gst_cca_properties_install (&properties, object_class, 0);
  object_class->finalize = gst_cca_privacy_finalize;
  base_class->set_caps = gst_cca_privacy_set_caps;
  base_class->start = gst_cca_privacy_start;
  base_class->stop = gst_cca_privacy_stop;
  base_class->transform_ip = gst_cca_privacy_transform_ip;
  base_class->propose_allocation = gst_cca_privacy_propose_allocation;
  base_class->passthrough_on_same_caps = FALSE;
  klass->map_flag = map_flag;
  klass->paint = paint;

  gst_cca_class_add_templates (klass, PRIVACY_CAPS);
  gst_element_class_set_static_metadata (element_class, "Privacy filter", "Filter/Effect/Video",
                                         "Blurs, pixelates or fills what moves, by the metas of connected components",
                                         "gst-cca developers");
  gst_type_mark_as_plugin_api (GST_TYPE_CCA_PRIVACY_MODE, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_CCA_PRIVACY_HIDE, 0);
}
