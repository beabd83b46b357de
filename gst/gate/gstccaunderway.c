/* gst-cca: whole frames and their tiles on their way from ccacrop past the detector to ccauncrop
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaunderway.h"

#include <gst/video/video.h>

#define CAPS_NAME "cca-frame-caps"
#define FRAME_NAME "cca-frame"

struct GstCcaUnderway
{
  gint references;
  GMutex lock;
  GCond changed;
  guint n;
  gboolean flushing;
  GstFlowReturn flow;
};

struct GstCcaUnderwayFrame
{
  gint references;
  GstCcaUnderway *underway;
  GstBuffer *buffer;
};

GstCcaUnderway *
gst_cca_underway_new (void)
{
  GstCcaUnderway *self = g_new0 (GstCcaUnderway, 1);

  self->references = 1;
  self->flushing = TRUE;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  return self;
}

void
gst_cca_underway_unref (GstCcaUnderway *self)
{
  if (!g_atomic_int_dec_and_test (&self->references))
    return;
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->lock);
  g_free (self);
}

void
gst_cca_underway_set_flushing (GstCcaUnderway *self, gboolean flushing)
{
  g_mutex_lock (&self->lock);
  self->flushing = flushing;
  self->flow = GST_FLOW_OK;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

GstFlowReturn
gst_cca_underway_wait (GstCcaUnderway *self, guint most)
{
  GstFlowReturn flow;

  g_mutex_lock (&self->lock);
  while (self->n >= most && !self->flushing && self->flow == GST_FLOW_OK)
    g_cond_wait (&self->changed, &self->lock);
  flow = self->flushing ? GST_FLOW_FLUSHING : self->flow;
  g_mutex_unlock (&self->lock);
  return flow;
}

GstFlowReturn
gst_cca_underway_flow (GstCcaUnderway *self)
{
  return gst_cca_underway_wait (self, G_MAXUINT);
}

/* --- Frames ------------------------------------------------------------------------------------------- */

static GstCcaUnderwayFrame *
ref_frame (GstCcaUnderwayFrame *frame)
{
  g_atomic_int_inc (&frame->references);
  return frame;
}

static void
unref_frame (GstCcaUnderwayFrame *frame)
{
  GstCcaUnderway *underway = frame->underway;

  if (!g_atomic_int_dec_and_test (&frame->references))
    return;
  gst_clear_buffer (&frame->buffer);
  g_free (frame);
  g_mutex_lock (&underway->lock);
  underway->n--;
  g_cond_broadcast (&underway->changed);
  g_mutex_unlock (&underway->lock);
  gst_cca_underway_unref (underway);
}

#define TYPE_FRAME (gst_cca_underway_frame_get_type ())
static GType gst_cca_underway_frame_get_type (void);
G_DEFINE_BOXED_TYPE (GstCcaUnderwayFrame, gst_cca_underway_frame, ref_frame, unref_frame)

GstBuffer *
gst_cca_underway_frame_steal (GstCcaUnderwayFrame *frame)
{
  if (g_atomic_int_get (&frame->references) == 1)
    return g_steal_pointer (&frame->buffer);
  return gst_buffer_ref (frame->buffer);
}

void
gst_cca_underway_frame_end (GstCcaUnderwayFrame *frame, GstFlowReturn flow)
{
  GstCcaUnderway *underway = frame->underway;

  g_mutex_lock (&underway->lock);
  if (!underway->flushing)
    underway->flow = flow;
  g_cond_broadcast (&underway->changed);
  g_mutex_unlock (&underway->lock);
  unref_frame (frame);
}

/* --- Events ------------------------------------------------------------------------------------------- */

static const GstStructure *
structure_of (GstEvent *event, const gchar *name)
{
  return gst_event_has_name (event, name) ? gst_event_get_structure (event) : NULL;
}

GstEvent *
gst_cca_underway_caps_event (GstCaps *caps)
{
  return gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
                               gst_structure_new (CAPS_NAME, "caps", GST_TYPE_CAPS, caps, NULL));
}

GstCaps *
gst_cca_underway_parse_caps (GstEvent *event)
{
  const GstStructure *structure = structure_of (event, CAPS_NAME);
  GstCaps *caps = NULL;

  if (structure)
    gst_structure_get (structure, "caps", GST_TYPE_CAPS, &caps, NULL);
  return caps;
}

GstEvent *
gst_cca_underway_frame_event (GstCcaUnderway *self, guint64 number, GstBuffer *buffer)
{
  GstCcaUnderwayFrame *frame = g_new (GstCcaUnderwayFrame, 1);
  GstStructure *structure;

  *frame = (GstCcaUnderwayFrame) { 1, self, buffer };
  g_atomic_int_inc (&self->references);
  g_mutex_lock (&self->lock);
  self->n++;
  g_mutex_unlock (&self->lock);
  structure = gst_structure_new (FRAME_NAME, "number", G_TYPE_UINT64, number, "frame", TYPE_FRAME, frame, NULL);
  unref_frame (frame);
  return gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM, structure);
}

GstCcaUnderwayFrame *
gst_cca_underway_take_frame (GstEvent *event, guint64 *number)
{
  const GstStructure *structure = structure_of (event, FRAME_NAME);
  GstCcaUnderwayFrame *frame;

  if (!structure || !gst_structure_get (structure, "number", G_TYPE_UINT64, number, "frame", TYPE_FRAME, &frame, NULL))
    return NULL;
  gst_event_unref (event);
  return frame;
}

/* --- Tiles -------------------------------------------------------------------------------------------- */

typedef struct
{
  GstMeta meta;
  GstCcaTileOrigin origin;
} GstCcaTileMeta;

static GType
api_type (void)
{
  static const gchar *tags[] = { NULL };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, gst_meta_api_type_register ("GstCcaTileMetaAPI", tags));
  return type;
}

static gboolean
init_meta (GstMeta *meta, gpointer params, GstBuffer *buffer)
{
  ((GstCcaTileMeta *) meta)->origin = (GstCcaTileOrigin) { 0 };
  return TRUE;
}

/* Elements that scale may call it as for a copy. So the reader of the meta compares the sizes. */
static gboolean
transform_meta (GstBuffer *copy, GstMeta *meta, GstBuffer *buffer, GQuark type, gpointer data)
{
  if (!GST_META_TRANSFORM_IS_COPY (type) && !GST_VIDEO_META_TRANSFORM_IS_SCALE (type))
    return FALSE;
  gst_buffer_add_cca_tile_meta (copy, &((GstCcaTileMeta *) meta)->origin);
  return TRUE;
}

static const GstMetaInfo *
meta_info (void)
{
  static gsize info = 0;

  if (g_once_init_enter (&info))
    g_once_init_leave (&info, (gsize) gst_meta_register (api_type (), "GstCcaTileMeta", sizeof (GstCcaTileMeta),
                                                         init_meta, NULL, transform_meta));
  return (const GstMetaInfo *) info;
}

void
gst_buffer_add_cca_tile_meta (GstBuffer *buffer, const GstCcaTileOrigin *origin)
{
  ((GstCcaTileMeta *) gst_buffer_add_meta (buffer, meta_info (), NULL))->origin = *origin;
}

const GstCcaTileOrigin *
gst_buffer_get_cca_tile_origin (GstBuffer *buffer)
{
  const GstCcaTileMeta *meta = (const GstCcaTileMeta *) gst_buffer_get_meta (buffer, api_type ());

  return meta ? &meta->origin : NULL;
}
