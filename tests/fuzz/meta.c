/* gst-cca: bytes to a meta, as another process may have sent them, and the meta to other frame sizes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gst/meta/serialize.h"
#include "fuzz.h"

#include <string.h>

/* The format, read apart from the product. Version 0 ends its head before the flags. */
enum
{
  HEAD_0 = 16,
  HEAD_1 = 24,
  COMPONENT = 68,
  STALE = 1 /* of the flags */
};

static void
fail (const gchar *what)
{
  g_error ("%s", what);
}

static gdouble
read_double (Reader *reader)
{
  const guint64 low = read_u32 (reader), bits = low | (guint64) read_u32 (reader) << 32;
  gdouble value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

static GstCcaComponent
read_component (Reader *reader)
{
  GstCcaComponent component;
  gdouble *const doubles[] = { &component.centroid_x, &component.centroid_y, &component.cov_xx, &component.cov_xy,
                               &component.cov_yy };
  guint64 low;

  memset (&component, 0, sizeof component);
  component.label = read_u32 (reader);
  component.x = read_u32 (reader);
  component.y = read_u32 (reader);
  component.width = read_u32 (reader);
  component.height = read_u32 (reader);
  low = read_u32 (reader);
  component.area = low | (guint64) read_u32 (reader) << 32;
  for (gsize i = 0; i < G_N_ELEMENTS (doubles); i++)
    *doubles[i] = read_double (reader);
  return component;
}

static gboolean
same_component (const GstCcaComponent *a, const GstCcaComponent *b)
{
  return a->label == b->label && a->x == b->x && a->y == b->y && a->width == b->width && a->height == b->height
         && a->area == b->area && memcmp (&a->centroid_x, &b->centroid_x, 5 * sizeof a->centroid_x) == 0;
}

/* Checks that meta is what the bytes say; NULL where they say nothing. */
static void
check_meta (const GstCcaMeta *meta, const guint8 *bytes, gsize size, guint8 version)
{
  const gsize head = version == 0 ? HEAD_0 : HEAD_1;
  Reader reader = { bytes, size, 0 };
  const guint width = read_u32 (&reader), height = read_u32 (&reader);
  const guint n_components = read_u32 (&reader), n_stored = read_u32 (&reader);
  const guint flags = version == 0 ? 0 : read_u32 (&reader), id_size = version == 0 ? 0 : read_u32 (&reader);
  const gboolean possible = version <= 1 && size >= head && n_stored <= n_components
                            && size == head + (guint64) id_size + (guint64) n_stored * COMPONENT
                            && g_utf8_validate ((const gchar *) bytes + head, id_size, NULL);

  if ((meta != NULL) != possible)
    fail (possible ? "a meta was refused" : "bytes that are no meta were taken");
  if (meta == NULL)
    return;
  if (meta->width != width || meta->height != height || meta->n_components != n_components || meta->n_stored != n_stored
      || meta->truncated != (n_stored < n_components) || meta->stale != ((flags & STALE) != 0)
      || strlen (meta->id) != id_size || memcmp (meta->id, bytes + head, id_size) != 0)
    fail ("the meta's head differs");
  read_part (&reader, id_size);
  for (guint i = 0; i < n_stored; i++) {
    const GstCcaComponent expected = read_component (&reader);

    if (!same_component (gst_cca_meta_get_component (meta, i), &expected))
      fail ("a component differs");
  }
}

#if GST_CHECK_VERSION(1, 24, 0)
static void
check_round_trip (GstCcaMeta *meta, const guint8 *bytes, gsize size)
{
  GByteArray *written;

  if (bytes[HEAD_0] > STALE || bytes[HEAD_0 + 1] || bytes[HEAD_0 + 2] || bytes[HEAD_0 + 3])
    return; /* flags of a later version are lost */
  written = g_byte_array_new ();
  /* GStreamer's own head is before ours. */
  if (!gst_meta_serialize_simple (&meta->meta, written) || written->len < size
      || memcmp (written->data + written->len - size, bytes, size) != 0)
    fail ("the meta's bytes are others");
  g_byte_array_unref (written);
}
#endif

/* Checks that a frame of any size gets boxes that lie in it; those of a stale meta stay where they are. */
static void
check_scale (GstBuffer *from, GstCcaMeta *meta, guint width, guint height)
{
  GstBuffer *to = gst_buffer_new ();
  GstVideoInfo in, out;
  GstVideoMetaTransform scale = { &in, &out };
  GstCcaMeta *scaled;
  gboolean done;

  gst_video_info_set_format (&in, GST_VIDEO_FORMAT_GRAY8, 64, 48);
  gst_video_info_set_format (&out, GST_VIDEO_FORMAT_GRAY8, width, height);
  done =
      meta->meta.info->transform_func (to, &meta->meta, from, g_quark_from_static_string ("gst-video-scale"), &scale);
  scaled = gst_buffer_get_cca_meta (to);
  if (done != (scaled != NULL) || done != (meta->stale || (meta->width > 0 && meta->height > 0)))
    fail ("the meta was not scaled, or from nothing");
  if (meta->stale) {
    if (!scaled->stale || scaled->width != meta->width || scaled->height != meta->height)
      fail ("a stale meta was scaled");
    gst_buffer_unref (to);
    return;
  }
  if (scaled && (scaled->width != width || scaled->height != height || scaled->n_stored > scaled->n_components))
    fail ("the scaled meta is for another frame");
  for (guint i = 0; scaled && i < scaled->n_stored; i++) {
    const GstCcaComponent *c = gst_cca_meta_get_component (scaled, i);

    if (c->x >= width || c->y >= height || c->width == 0 || c->height == 0 || c->width > width - c->x
        || c->height > height - c->y)
      fail ("a scaled box is not in its frame");
  }
  gst_buffer_unref (to);
}

static void
initialise (void)
{
  static gsize done;

  if (g_once_init_enter (&done)) {
    g_setenv ("GST_REGISTRY_DISABLE", "yes", TRUE); /* no plugin is needed */
    gst_init (NULL, NULL);
    g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);
    g_once_init_leave (&done, 1);
  }
}

/* Adds the meta that the bytes say, as gst_meta_deserialize() of GStreamer 1.24 does. */
static GstCcaMeta *
add_meta (GstBuffer *buffer, const guint8 *bytes, gsize size, guint8 version)
{
  GstCcaSerialized read;
  GstCcaMeta *meta = NULL;

  if (gst_cca_serialized_read (&read, bytes, size, version)) {
    meta = gst_buffer_add_cca_meta (buffer, read.id, read.width, read.height, read.n_components, read.components,
                                    read.n_stored);
    meta->stale = read.stale;
  }
  gst_cca_serialized_clear (&read);
  return meta;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  Reader reader = { data, size, 0 };
  guint8 version, *bytes;
  guint width, height;
  GstBuffer *buffer, *copy;
  GstCcaMeta *meta;

  initialise ();
  version = read_byte (&reader) % 3;
  width = 1 + read_u16 (&reader) % 32767;
  height = 1 + read_u16 (&reader) % 32767;
  size = reader_left (&reader);
  bytes = g_memdup2 (reader.data + reader.next, size); /* so that a read beyond them is seen */
  buffer = gst_buffer_new ();
  meta = add_meta (buffer, bytes, size, version);
  check_meta (meta, bytes, size, version);
  if (gst_buffer_get_cca_meta (buffer) != meta)
    fail ("the buffer has another meta");
  if (meta) {
#if GST_CHECK_VERSION(1, 24, 0)
    if (version == 1)
      check_round_trip (meta, bytes, size);
#endif
    check_scale (buffer, meta, width, height);
  }
  copy = gst_buffer_copy (buffer);
  gst_buffer_unref (buffer);
  check_meta (gst_buffer_get_cca_meta (copy), bytes, size, version);
  gst_buffer_unref (copy);
  g_free (bytes);
  return 0;
}
