/* gst-cca: the metas of an analysed frame, carried to frames of another size
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccacarrier.h"

#include <gst/cca/gstccaeventmeta.h>
#include <gst/cca/gstccameta.h>
#include <gst/cca/gstccatrackmeta.h>
#include <math.h>

struct GstCcaCarrier
{
  GstVideoInfo info;
  GstBuffer *metas; /* nothing but metas, for frames of info's size */
};

typedef struct
{
  GType (*get_api) (void);
  const gchar *(*get_id) (const GstMeta *meta);
} Kind;

static const gchar *
components_id (const GstMeta *meta)
{
  return ((const GstCcaMeta *) meta)->id;
}

static const gchar *
tracks_id (const GstMeta *meta)
{
  return ((const GstCcaTrackMeta *) meta)->id;
}

static const gchar *
events_id (const GstMeta *meta)
{
  return ((const GstCcaEventMeta *) meta)->id;
}

static const Kind kinds[] = {
  { gst_cca_meta_api_get_type, components_id },
  { gst_cca_track_meta_api_get_type, tracks_id },
  { gst_cca_event_meta_api_get_type, events_id },
};

static const Kind *
kind_of (const GstMeta *meta)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (meta->info->api == kinds[i].get_api ())
      return &kinds[i];
  return NULL;
}

static void
remove_metas (GstBuffer *buffer, const Kind *kind, const gchar *id)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state, kind->get_api ())) != NULL)
    if (g_str_equal (kind->get_id (meta), id)) {
      gst_buffer_remove_meta (buffer, meta);
      state = NULL;
    }
}

/* Adds the metas of a frame to another one, which shows the same picture. */
static void
carry (GstBuffer *from, GstVideoInfo *in, GstBuffer *to, GstVideoInfo *out)
{
  GstVideoMetaTransform scale = { .in_info = in, .out_info = out };
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta (from, &state)) != NULL) {
    const Kind *kind = kind_of (meta);

    if (kind == NULL)
      continue;
    remove_metas (to, kind, kind->get_id (meta));
    meta->info->transform_func (to, meta, from, gst_video_meta_transform_scale_get_quark (), &scale);
  }
}

gboolean
gst_cca_carrier_parse_caps (GstVideoInfo *info, GstCaps *caps)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);

  gst_video_info_init (info);
  if (!gst_structure_get_int (structure, "width", &info->width)
      || !gst_structure_get_int (structure, "height", &info->height) || info->width < 1 || info->height < 1)
    return FALSE;
  gst_structure_get_fraction (structure, "pixel-aspect-ratio", &info->par_n, &info->par_d);
  gst_structure_get_fraction (structure, "framerate", &info->fps_n, &info->fps_d);
  return TRUE;
}

GstCcaCarrier *
gst_cca_carrier_new (GstBuffer *buffer, const GstVideoInfo *info)
{
  GstCcaCarrier *carrier = g_atomic_rc_box_new0 (GstCcaCarrier);

  carrier->info = *info;
  carrier->metas = gst_buffer_new ();
  carry (buffer, &carrier->info, carrier->metas, &carrier->info);
  return carrier;
}

GstCcaCarrier *
gst_cca_carrier_ref (GstCcaCarrier *carrier)
{
  return g_atomic_rc_box_acquire (carrier);
}

static void
clear (gpointer carrier)
{
  gst_buffer_unref (((GstCcaCarrier *) carrier)->metas);
}

void
gst_cca_carrier_unref (gpointer carrier)
{
  g_atomic_rc_box_release_full (carrier, clear);
}

gboolean
gst_cca_carrier_has_metas (const GstCcaCarrier *carrier)
{
  gpointer state = NULL;

  return gst_buffer_iterate_meta (carrier->metas, &state) != NULL;
}

const GstVideoInfo *
gst_cca_carrier_get_info (const GstCcaCarrier *carrier)
{
  return &carrier->info;
}

gboolean
gst_cca_carrier_fits (const GstCcaCarrier *carrier, const GstVideoInfo *info)
{
  /* The smaller frame's sides were rounded to whole pixels. */
  const gboolean shrunk = carrier->info.width < info->width;
  const GstVideoInfo *small = shrunk ? &carrier->info : info, *large = shrunk ? info : &carrier->info;
  const gdouble ratio =
      (gdouble) large->width * large->par_n * small->par_d / ((gdouble) large->height * large->par_d * small->par_n);

  return fabs (small->width - small->height * ratio) <= 1 || fabs (small->height - small->width / ratio) <= 1;
}

/* Returns an event meta that has events, or NULL. */
static GstCcaEventMeta *
find_events (GstBuffer *buffer)
{
  gpointer state = NULL;
  GstCcaEventMeta *meta;

  while ((meta = gst_buffer_iterate_cca_event_meta (buffer, &state)) != NULL)
    if (meta->n_events > 0)
      return meta;
  return NULL;
}

/* Leaves the rules as they stand. */
static void
forget_events (GstBuffer *buffer)
{
  GstCcaEventMeta *meta, *rules;

  while ((meta = find_events (buffer)) != NULL) {
    rules = gst_buffer_add_cca_event_meta (buffer, meta->id, meta->width, meta->height, meta->rules, meta->n_rules,
                                           NULL, 0);
    if (rules != NULL)
      rules->stale = meta->stale;
    gst_buffer_remove_meta (buffer, &meta->meta);
  }
}

void
gst_cca_carrier_deliver (GstCcaCarrier *carrier, GstBuffer *frame, const GstVideoInfo *info)
{
  GstVideoInfo out = *info;

  carry (carrier->metas, &carrier->info, frame, &out);
  forget_events (carrier->metas);
}
