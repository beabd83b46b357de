/* gst-cca: ccaindex, writes the metas of a video to an index
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <errno.h>
#include <gst/base/gstbasetransform.h>
#include <gst/video/video.h>

#include "file.h"
#include "foreground.h"
#include "gstccaindexframe.h"
#include "gstccapost.h"
#include "gstccaproperties.h"
#include "gstccatemplates.h"
#include "gstccatimes.h"

#define HOUR (3600 * GST_SECOND)
#define FOREGROUND_INTERVAL GST_SECOND
/* Times of a stream jump a little: a frame this far before the file's hour still belongs to it. */
#define BACK (60 * GST_SECOND)
/* The error of a time by this machine's clock, which is read for each frame. */
#define CLOCK_JITTER (5 * GST_MSECOND)
#define MOST_NAMES 10000

typedef enum
{
  WARNED_NO_META = 1 << 0,
} Warned;

#define GST_TYPE_CCA_INDEX (gst_cca_index_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaIndex, gst_cca_index, GST, CCA_INDEX, GstBaseTransform)

struct _GstCcaIndex
{
  GstBaseTransform parent;

  /* Under the object lock. */
  gchar *location;
  GRefString *camera, *id, *start_utc;
  guint64 n_frames, n_files, n_bytes;

  /* Since the start. */
  GstClockTime start;
  gchar *caps;
  GstCcaIndexWriter *writer;
  GstClockTime hour; /* of the file: when it begins */
  guint64 session;
  guint32 number; /* of the next file */
  GstClockTime last_pts, last_utc;
  GstCcaIndexLists lists;
  GstCcaIndexForeground foreground;
  GstClockTime foreground_since;
  guint warned;
};

G_DEFINE_TYPE (GstCcaIndex, gst_cca_index, GST_TYPE_BASE_TRANSFORM)
GST_ELEMENT_REGISTER_DECLARE (ccaindex);
GST_ELEMENT_REGISTER_DEFINE (ccaindex, "ccaindex", GST_RANK_NONE, GST_TYPE_CCA_INDEX)

static GstStructure *
make_stats (gpointer object)
{
  const GstCcaIndex *self = object;

  return gst_structure_new ("cca-index-stats", "frames", G_TYPE_UINT64, self->n_frames, "files", G_TYPE_UINT64,
                            self->n_files, "bytes", G_TYPE_UINT64, self->n_bytes, NULL);
}

#define AT(field) G_STRUCT_OFFSET (GstCcaIndex, field)
#define READY ((GParamFlags) (G_PARAM_READWRITE | GST_PARAM_MUTABLE_READY))

static const GstCcaProperty list[] = {
  { "location", AT (location), G_TYPE_STRING, .flags = READY,
    .blurb = "Name of the files, with the UTC of their hour as strftime() has it, such as gate-%Y%m%dT%H.ccaindex" },
  { "camera", AT (camera), G_TYPE_STRING, .text = "camera", .is_name = TRUE,
    .blurb = "Name of the camera in the files" },
  { "id", AT (id), G_TYPE_STRING, .is_name = TRUE,
    .blurb = "Index the analysis with this id (NULL = the first with tracks in a frame, or the first)" },
  { "start-utc", AT (start_utc), G_TYPE_STRING, .is_utc = TRUE, .flags = READY,
    .blurb = "UTC of stream time 0, for recordings: ISO 8601 with a zone, such as 2026-11-23T09:00:00Z" },
  { "stats", .type = G_TYPE_BOXED, .make = make_stats, .blurb = "Since the start: frames, files, and bytes" },
};
static const GstCcaProperties properties = { 1, G_N_ELEMENTS (list), list, GST_CCA_PROPERTY_PLAYING };

/* --- Files -------------------------------------------------------------------------------------------- */

/* Returns the file's n-th name, from 1. */
static gchar *
nth_name (const gchar *path, guint n)
{
  const gchar *base = strrchr (path, '/'), *dot = strrchr (base ? base : path, '.');
  const gsize stem = dot ? (gsize) (dot - path) : strlen (path);

  return n == 1 ? g_strdup (path) : g_strdup_printf ("%.*s-%u%s", (int) stem, path, n, path + stem);
}

/* Opens the first file of a name that is not there yet. Sets errno if that fails. */
static GstCcaIndexWriter *
open_new (const gchar *path, const GstCcaIndexHead *head)
{
  g_autofree gchar *folder = g_path_get_dirname (path);
  GstCcaIndexWriter *writer = NULL;

  if (g_mkdir_with_parents (folder, 0755) != 0)
    return NULL;
  for (guint n = 1; n <= MOST_NAMES && !writer; n++) {
    g_autofree gchar *name = nth_name (path, n);

    writer = gst_cca_index_writer_new (name, head);
    if (!writer && errno != EEXIST)
      break;
  }
  return writer;
}

/* Posts that the index cannot be written, for the reason in errno. */
static void
post_failure (GstCcaIndex *self)
{
  const int error = errno;
  g_autofree gchar *location = NULL;

  g_object_get (self, "location", &location, NULL);
  gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_WRITE, "Cannot write the index %s: %s",
                location,
                error == EFBIG ? "a frame has too many components; lower max-components" : g_strerror (error));
}

static gboolean
close_file (GstCcaIndex *self)
{
  GstCcaIndexWriter *writer = g_steal_pointer (&self->writer);
  guint64 before, after;

  if (!writer)
    return TRUE;
  before = gst_cca_index_writer_size (writer);
  if (!gst_cca_index_writer_close (writer, &after)) {
    post_failure (self);
    return FALSE;
  }
  GST_OBJECT_LOCK (self);
  self->n_bytes += after - before;
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}

static gboolean
open_file (GstCcaIndex *self, GstClockTime utc)
{
  const GstClockTime when = GST_CLOCK_TIME_IS_VALID (utc) ? utc : (GstClockTime) g_get_real_time () * GST_USECOND;
  g_autoptr (GDateTime) hour = g_date_time_new_from_unix_utc ((gint64) (when / HOUR * (HOUR / GST_SECOND)));
  g_autofree gchar *path = NULL;
  GstCcaIndexHead head = { .session = self->session, .number = self->number };
  GRefString *camera;

  GST_OBJECT_LOCK (self);
  path = g_date_time_format (hour, self->location);
  camera = g_ref_string_acquire (self->camera);
  GST_OBJECT_UNLOCK (self);
  head.camera = camera;
  errno = EINVAL;
  self->writer = path ? open_new (path, &head) : NULL;
  g_ref_string_release (camera);
  if (!self->writer) {
    post_failure (self);
    return FALSE;
  }
  GST_OBJECT_LOCK (self);
  self->n_files++;
  GST_OBJECT_UNLOCK (self);
  self->number++;
  self->hour = GST_CLOCK_TIME_NONE;
  return TRUE;
}

/* Opens the file of a frame's hour. */
static gboolean
choose_file (GstCcaIndex *self, GstClockTime utc)
{
  if (self->writer && GST_CLOCK_TIME_IS_VALID (utc) && GST_CLOCK_TIME_IS_VALID (self->hour)
      && (utc >= self->hour + HOUR || utc + BACK < self->hour) && !close_file (self))
    return FALSE;
  if (!self->writer && !open_file (self, utc))
    return FALSE;
  if (!GST_CLOCK_TIME_IS_VALID (self->hour) && GST_CLOCK_TIME_IS_VALID (utc))
    self->hour = utc / HOUR * HOUR;
  return TRUE;
}

/* The next frames belong to another stream. */
static void
begin_session (GstCcaIndex *self)
{
  close_file (self);
  self->session = ((guint64) g_random_int () << 32) | g_random_int ();
  self->number = 0;
  self->last_pts = self->last_utc = self->foreground_since = GST_CLOCK_TIME_NONE;
  gst_cca_index_foreground_clear (&self->foreground);
}

/* --- Frames ------------------------------------------------------------------------------------------- */

static void
find_metas (GstCcaIndex *self, GstBuffer *buffer, const GstCcaMeta **components, const GstCcaTrackMeta **tracks)
{
  GRefString *id;

  GST_OBJECT_LOCK (self);
  id = self->id ? g_ref_string_acquire (self->id) : NULL;
  GST_OBJECT_UNLOCK (self);
  *tracks = id ? gst_buffer_get_cca_track_meta_by_id (buffer, id) : gst_buffer_get_cca_track_meta (buffer);
  if (id || *tracks)
    *components = gst_buffer_get_cca_meta_by_id (buffer, id ? id : (*tracks)->id);
  else
    *components = gst_buffer_get_cca_meta (buffer);
  g_clear_pointer (&id, g_ref_string_release);
}

static void
warn_without_meta (GstCcaIndex *self)
{
  g_autofree gchar *id = NULL;

  if (!gst_cca_is_first (&self->warned, WARNED_NO_META))
    return;
  g_object_get (self, "id", &id, NULL);
  gst_cca_post (self, GST_MESSAGE_WARNING, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
                "Nothing is indexed: a frame has neither tracks nor components%s%s%s; put cca and ccatrack before "
                "ccaindex",
                id ? " of '" : "", id ? id : "", id ? "'" : "");
}

static void
set_context (GstCcaIndex *self, GstCcaIndexContext *context, const gchar *id)
{
  const GstSegment *segment = &GST_BASE_TRANSFORM (self)->segment;

  context->caps = self->caps;
  context->id = id;
  context->rate = segment->rate;
  context->applied_rate = segment->applied_rate;
  context->base = segment->base;
  context->offset = segment->offset;
  context->start = segment->start;
  context->time = segment->time;
}

/* This machine's clock is read for each frame: removes the jitter of the readings. */
static GstClockTime
steady_utc (GstCcaIndex *self, const GstCcaUtc *utc, GstClockTime pts)
{
  GstClockTime expected = self->last_utc + (pts - self->last_pts);

  if (g_strcmp0 (utc->source, "clock") != 0 || !GST_CLOCK_TIME_IS_VALID (self->last_utc)
      || ABS (GST_CLOCK_DIFF (expected, utc->utc)) > (GstClockTimeDiff) CLOCK_JITTER)
    expected = utc->utc;
  return expected;
}

/* Gives a frame the foreground of the second before it, when that is over; also where times go back. */
static void
set_foreground (GstCcaIndex *self, GstCcaIndexFrame *frame, const GstCcaMeta *covered)
{
  GstCcaIndexForeground *foreground = &self->foreground;

  if (!GST_CLOCK_TIME_IS_VALID (self->foreground_since))
    self->foreground_since = frame->pts;
  frame->has_cells = frame->pts - self->foreground_since >= FOREGROUND_INTERVAL
                     || (covered
                         && !gst_cca_index_foreground_fits (foreground, covered->coverage_cell,
                                                            covered->coverage_columns, covered->coverage_rows));
  if (!frame->has_cells)
    return;
  frame->cells = gst_cca_index_foreground_take (foreground);
  self->foreground_since = frame->pts;
}

static gboolean
write_frame (GstCcaIndex *self, GstCcaIndexFrame *frame, const GstCcaMeta *components, const GstCcaTrackMeta *tracks)
{
  const gboolean knows =
      components && components->coverage && !components->stale && !components->learning && !components->scene_change;
  const GstCcaMeta *covered = knows ? components : NULL;
  const guint64 before = gst_cca_index_writer_size (self->writer);

  if (!gst_cca_index_frame_read (frame, &self->lists, components, tracks)) {
    errno = ENOMEM;
    return FALSE;
  }
  set_foreground (self, frame, covered);
  if (!gst_cca_index_writer_add (self->writer, frame))
    return FALSE;
  GST_OBJECT_LOCK (self);
  self->n_frames++;
  self->n_bytes += gst_cca_index_writer_size (self->writer) - before;
  GST_OBJECT_UNLOCK (self);
  errno = ENOMEM;
  return !covered
         || gst_cca_index_foreground_add (&self->foreground, covered->coverage_cell, covered->coverage_columns,
                                          covered->coverage_rows, covered->coverage);
}

static gboolean
add_frame (GstCcaIndex *self, GstBuffer *buffer, const GstCcaMeta *components, const GstCcaTrackMeta *tracks)
{
  const GstCcaMessageTimes times = gst_cca_message_times (&GST_BASE_TRANSFORM (self)->segment, buffer);
  const GstCcaUtc utc = gst_cca_utc_of_frame (GST_ELEMENT (self), buffer, &times, self->start);
  GstCcaIndexFrame frame = { .pts = times.timestamp, .duration = times.duration };

  frame.utc = steady_utc (self, &utc, frame.pts);
  if (!choose_file (self, frame.utc))
    return FALSE;
  set_context (self, &frame.context, tracks ? tracks->id : components->id);
  frame.context.utc_source = gst_cca_index_utc_source_by_name (utc.source);
  self->last_pts = frame.pts;
  self->last_utc = frame.utc;
  if (write_frame (self, &frame, components, tracks))
    return TRUE;
  post_failure (self);
  return FALSE;
}

static GstFlowReturn
gst_cca_index_transform_ip (GstBaseTransform *base, GstBuffer *buffer)
{
  GstCcaIndex *self = GST_CCA_INDEX (base);
  const GstCcaMeta *components;
  const GstCcaTrackMeta *tracks;

  if (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP))
    return GST_FLOW_OK;
  find_metas (self, buffer, &components, &tracks);
  if (!components && !tracks) {
    warn_without_meta (self);
    return GST_FLOW_OK;
  }
  return add_frame (self, buffer, components, tracks) ? GST_FLOW_OK : GST_FLOW_ERROR;
}

static gboolean
gst_cca_index_sink_event (GstBaseTransform *base, GstEvent *event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP || GST_EVENT_TYPE (event) == GST_EVENT_EOS)
    begin_session (GST_CCA_INDEX (base));
  return GST_BASE_TRANSFORM_CLASS (gst_cca_index_parent_class)->sink_event (base, event);
}

static gboolean
gst_cca_index_set_caps (GstBaseTransform *base, GstCaps *caps, GstCaps *source_caps)
{
  GstCcaIndex *self = GST_CCA_INDEX (base);

  g_free (self->caps);
  self->caps = gst_caps_to_string (caps);
  return TRUE;
}

static gboolean
gst_cca_index_start (GstBaseTransform *base)
{
  GstCcaIndex *self = GST_CCA_INDEX (base);
  g_autofree gchar *location = NULL;
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  if (!gst_cca_properties_check (&properties, self, self))
    return FALSE;
  GST_OBJECT_LOCK (self);
  location = self->location ? g_date_time_format (now, self->location) : NULL;
  self->start = gst_cca_utc_from_string (self->start_utc);
  self->n_frames = self->n_files = self->n_bytes = 0;
  GST_OBJECT_UNLOCK (self);
  if (!location || !*location) {
    gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                  "No files for the index: set location to their name, such as gate-%%Y%%m%%dT%%H.ccaindex");
    return FALSE;
  }
  self->warned = 0;
  begin_session (self);
  return TRUE;
}

static gboolean
gst_cca_index_stop (GstBaseTransform *base)
{
  GstCcaIndex *self = GST_CCA_INDEX (base);

  begin_session (self);
  gst_cca_index_lists_clear (&self->lists);
  g_clear_pointer (&self->caps, g_free);
  return TRUE;
}

/* --- Object ------------------------------------------------------------------------------------------- */

static void
gst_cca_index_finalize (GObject *object)
{
  gst_cca_properties_clear (&properties, object);
  G_OBJECT_CLASS (gst_cca_index_parent_class)->finalize (object);
}

static void
gst_cca_index_init (GstCcaIndex *self)
{
  gst_cca_properties_init (&properties, self);
  gst_base_transform_set_passthrough (GST_BASE_TRANSFORM (self), TRUE);
  gst_base_transform_set_qos_enabled (GST_BASE_TRANSFORM (self), FALSE);
}

static void
gst_cca_index_class_init (GstCcaIndexClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *base_class = GST_BASE_TRANSFORM_CLASS (klass);

  gst_cca_properties_install (&properties, object_class, 0);
  object_class->finalize = gst_cca_index_finalize;
  base_class->set_caps = gst_cca_index_set_caps;
  base_class->start = gst_cca_index_start;
  base_class->stop = gst_cca_index_stop;
  base_class->sink_event = gst_cca_index_sink_event;
  base_class->transform_ip = gst_cca_index_transform_ip;

  gst_cca_class_add_templates (klass, "video/x-raw(ANY)");
  gst_element_class_set_static_metadata (element_class, "Index of connected components", "Filter/Analyzer/Video",
                                         "Writes what was found in each frame to an index, a file per hour",
                                         "gst-cca developers");
}

/* --- Plugin ------------------------------------------------------------------------------------------- */

GST_ELEMENT_REGISTER_DECLARE (ccaindexsrc);

static gboolean
plugin_init (GstPlugin *plugin)
{
  return GST_ELEMENT_REGISTER (ccaindex, plugin) && GST_ELEMENT_REGISTER (ccaindexsrc, plugin);
}

/* Apart from the others because it needs zstd. */
GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, ccaindex, "An index of what was found in video", plugin_init,
                   VERSION, "LGPL", GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
