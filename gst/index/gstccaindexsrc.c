/* gst-cca: ccaindexsrc, reads the metas of a video from an index
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/base/gstpushsrc.h>

#include "gstccaindexframe.h"
#include "gstccaindexwalk.h"
#include "gstccapost.h"
#include "gstccaproperties.h"
#include "gstccatimes.h"

#define FEATURE "memory:CcaIndex"

#define GST_TYPE_CCA_INDEX_SRC (gst_cca_index_src_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaIndexSrc, gst_cca_index_src, GST, CCA_INDEX_SRC, GstPushSrc)

struct _GstCcaIndexSrc
{
  GstPushSrc parent;

  /* Under the object lock. */
  gchar *location;
  GRefString *from, *to;

  GstCcaIndexWalk walk;
  gchar *caps;                /* of the last frame, as the index has them */
  GstCcaIndexContext context; /* of the last frame; its strings are not valid */
  gboolean started;
  guint64 session;
  GstClockTime base; /* running time of the sessions so far */
  GstClockTime end;  /* running time at the end of the last frame */
};

G_DEFINE_TYPE (GstCcaIndexSrc, gst_cca_index_src, GST_TYPE_PUSH_SRC)
GST_ELEMENT_REGISTER_DECLARE (ccaindexsrc);
GST_ELEMENT_REGISTER_DEFINE (ccaindexsrc, "ccaindexsrc", GST_RANK_NONE, GST_TYPE_CCA_INDEX_SRC)

static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("video/x-raw(" FEATURE ")"));

#define AT(field) G_STRUCT_OFFSET (GstCcaIndexSrc, field)

static const GstCcaProperty list[] = {
  { "location", AT (location), G_TYPE_STRING,
    .blurb = "A file of ccaindex, a folder of such files, or a pattern with * and ? in its last part" },
  { "from", AT (from), G_TYPE_STRING, .is_utc = TRUE,
    .blurb = "Leave out frames before this UTC: ISO 8601 with a zone, such as 2026-11-23T09:00:00Z" },
  { "to", AT (to), G_TYPE_STRING, .is_utc = TRUE, .blurb = "Leave out frames at or after this UTC, written like from" },
};
static const GstCcaProperties properties = { 1, G_N_ELEMENTS (list), list,
                                             (GParamFlags) (G_PARAM_READWRITE | GST_PARAM_MUTABLE_READY) };

/* --- Frames ------------------------------------------------------------------------------------------- */

static gboolean
follow_caps (GstCcaIndexSrc *self, const gchar *text)
{
  g_autoptr (GstCaps) caps = NULL;

  if (g_strcmp0 (self->caps, text) == 0)
    return TRUE;
  caps = gst_caps_from_string (text);
  if (!caps || gst_caps_get_size (caps) != 1 || !gst_caps_is_fixed (caps)
      || !gst_structure_has_name (gst_caps_get_structure (caps, 0), "video/x-raw")) {
    gst_cca_post_detail (self, GST_MESSAGE_ERROR, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, g_strdup (text),
                         "The index is damaged: it names no format of video");
    return FALSE;
  }
  gst_caps_set_features (caps, 0, gst_caps_features_new (FEATURE, NULL));
  g_free (self->caps);
  self->caps = g_strdup (text);
  return gst_base_src_set_caps (GST_BASE_SRC (self), caps);
}

/* Gives downstream the segment of a frame, if it is not that of the last one. Sessions follow one another in running
 * time. */
static gboolean
follow_segment (GstCcaIndexSrc *self, const GstCcaIndexContext *context)
{
  const GstCcaIndexContext *last = &self->context;
  const gboolean new_session = self->started && self->session != self->walk.session;
  GstSegment segment;

  if (self->started && !new_session && context->rate == last->rate && context->applied_rate == last->applied_rate
      && context->base == last->base && context->offset == last->offset && context->start == last->start
      && context->time == last->time)
    return TRUE;
  if (new_session)
    self->base = self->end;
  self->context = *context;
  self->session = self->walk.session;
  self->started = TRUE;
  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.rate = context->rate;
  segment.applied_rate = context->applied_rate;
  segment.base = context->base + self->base;
  segment.offset = context->offset;
  segment.start = segment.position = context->start;
  segment.time = context->time;
  return gst_base_src_new_segment (GST_BASE_SRC (self), &segment);
}

/* Notes how long the stream has been. */
static void
note_end (GstCcaIndexSrc *self, const GstCcaIndexFrame *frame)
{
  const GstClockTime running_time =
      gst_segment_to_running_time (&GST_BASE_SRC (self)->segment, GST_FORMAT_TIME, frame->pts);

  if (GST_CLOCK_TIME_IS_VALID (running_time))
    self->end = MAX (self->end, running_time + (GST_CLOCK_TIME_IS_VALID (frame->duration) ? frame->duration : 0));
}

static gboolean
is_segment (const GstCcaIndexContext *context)
{
  return context->rate != 0.0 && context->applied_rate != 0.0 && context->rate == context->rate
         && context->applied_rate == context->applied_rate && GST_CLOCK_TIME_IS_VALID (context->start);
}

static GstFlowReturn
gst_cca_index_src_create (GstPushSrc *base, GstBuffer **buffer)
{
  GstCcaIndexSrc *self = GST_CCA_INDEX_SRC (base);
  GstCcaIndexFrame frame;
  GstCcaIndexStep step;
  gchar *text;

  while ((step = gst_cca_index_walk_next (&self->walk, &frame, &text)) == GST_CCA_INDEX_WALK_WARNING) {
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ, "%s", text);
    g_free (text);
  }
  if (step == GST_CCA_INDEX_WALK_END)
    return GST_FLOW_EOS;
  if (!is_segment (&frame.context)) {
    gst_cca_post (self, GST_MESSAGE_ERROR, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
                  "The index is damaged: a frame has no times");
    return GST_FLOW_ERROR;
  }
  if (!follow_caps (self, frame.context.caps) || !follow_segment (self, &frame.context))
    return GST_FLOW_NOT_NEGOTIATED;
  note_end (self, &frame);
  *buffer = gst_buffer_new ();
  if (gst_cca_index_frame_attach (&frame, *buffer))
    return GST_FLOW_OK;
  gst_clear_buffer (buffer);
  gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
                "No memory for the %" G_GSIZE_FORMAT " components of a frame", frame.n_components);
  return GST_FLOW_ERROR;
}

/* --- Stream ------------------------------------------------------------------------------------------- */

/* Each frame names its caps. */
static gboolean
gst_cca_index_src_negotiate (GstBaseSrc *base)
{
  return TRUE;
}

static gboolean
gst_cca_index_src_is_seekable (GstBaseSrc *base)
{
  return FALSE;
}

static gboolean
gst_cca_index_src_start (GstBaseSrc *base)
{
  GstCcaIndexSrc *self = GST_CCA_INDEX_SRC (base);
  g_autoptr (GError) error = NULL;
  g_autofree gchar *location = NULL;
  GPtrArray *files;
  guint64 from, to;

  g_object_get (self, "location", &location, NULL);
  if (!location || !*location) {
    gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
                  "No index: set location to files of ccaindex, or to their folder");
    return FALSE;
  }
  if (!gst_cca_properties_check (&properties, self, self))
    return FALSE;
  GST_OBJECT_LOCK (self);
  from = self->from ? gst_cca_utc_from_string (self->from) : 0;
  to = gst_cca_utc_from_string (self->to);
  GST_OBJECT_UNLOCK (self);
  files = gst_cca_index_files_find (location, &error);
  if (!files) {
    gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ, "%s", error->message);
    return FALSE;
  }
  gst_cca_index_walk_begin (&self->walk, files, from, to);
  self->started = FALSE;
  self->base = self->end = 0;
  return TRUE;
}

static gboolean
gst_cca_index_src_stop (GstBaseSrc *base)
{
  GstCcaIndexSrc *self = GST_CCA_INDEX_SRC (base);

  gst_cca_index_walk_end (&self->walk);
  g_clear_pointer (&self->caps, g_free);
  return TRUE;
}

/* --- Object ------------------------------------------------------------------------------------------- */

static void
gst_cca_index_src_finalize (GObject *object)
{
  gst_cca_properties_clear (&properties, object);
  G_OBJECT_CLASS (gst_cca_index_src_parent_class)->finalize (object);
}

static void
gst_cca_index_src_init (GstCcaIndexSrc *self)
{
  gst_base_src_set_format (GST_BASE_SRC (self), GST_FORMAT_TIME);
}

static void
gst_cca_index_src_class_init (GstCcaIndexSrcClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseSrcClass *base_class = GST_BASE_SRC_CLASS (klass);

  gst_cca_properties_install (&properties, object_class, 0);
  object_class->finalize = gst_cca_index_src_finalize;
  base_class->start = gst_cca_index_src_start;
  base_class->stop = gst_cca_index_src_stop;
  base_class->negotiate = gst_cca_index_src_negotiate;
  base_class->is_seekable = gst_cca_index_src_is_seekable;
  GST_PUSH_SRC_CLASS (klass)->create = gst_cca_index_src_create;

  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Index of connected components", "Source/Video",
                                         "Gives the metas of an index without its pictures", "gst-cca developers");
}
