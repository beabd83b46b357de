/* gst-cca: elements and metas where memory is short: an error, and the process lives
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * This program is in the way of malloc and gives no more than a budget. GLib and GStreamer end the process where they
 * find no memory for a small block, so a little is kept aside for small blocks alone.
 */
#define _GNU_SOURCE
#include "meta-test.h"
#include "owned-malloc.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum
{
  SIDE = 300, /* of a frame; half of its pixels are components */
  N_COMPONENTS = SIDE * SIDE / 2,
  SMALL_BLOCK = 4096,
  KEPT_FOR_SMALL_BLOCKS = 8 << 20,
};

/* --- Budget ------------------------------------------------------------------------------------------ */

static gint limited;
static gint64 budget, held; /* bytes */

#if OWNED_MALLOC
static gboolean
is_refused (size_t size)
{
  const gint64 limit = budget + (size < SMALL_BLOCK ? KEPT_FOR_SMALL_BLOCKS : 0);

  return g_atomic_int_get (&limited) && __atomic_load_n (&held, __ATOMIC_RELAXED) + (gint64) size > limit;
}

static void *
counted (void *block)
{
  if (block)
    __atomic_add_fetch (&held, (gint64) malloc_usable_size (block), __ATOMIC_RELAXED);
  else
    errno = ENOMEM;
  return block;
}

static void
uncount (void *block)
{
  if (block)
    __atomic_sub_fetch (&held, (gint64) malloc_usable_size (block), __ATOMIC_RELAXED);
}

INTERPOSED void *
malloc (size_t size)
{
  return counted (is_refused (size) ? NULL : __libc_malloc (size));
}

INTERPOSED void *
calloc (size_t n, size_t size)
{
  return counted (is_refused (n * size) ? NULL : __libc_calloc (n, size));
}

INTERPOSED void *
realloc (void *block, size_t size)
{
  if (is_refused (size))
    return counted (NULL);
  uncount (block);
  return counted (__libc_realloc (block, size));
}

INTERPOSED void *
aligned_alloc (size_t alignment, size_t size)
{
  return counted (is_refused (size) ? NULL : __libc_memalign (alignment, size));
}

INTERPOSED int
posix_memalign (void **block, size_t alignment, size_t size)
{
  *block = counted (is_refused (size) ? NULL : __libc_memalign (alignment, size));
  return *block ? 0 : ENOMEM;
}

INTERPOSED void
free (void *block)
{
  uncount (block);
  __libc_free (block);
}
#endif

static void
limit_memory (gint64 bytes)
{
  __atomic_store_n (&held, 0, __ATOMIC_RELAXED);
  budget = bytes;
  g_atomic_int_set (&limited, TRUE);
}

static void
unlimit_memory (void)
{
  g_atomic_int_set (&limited, FALSE);
}

/* --- Threads ----------------------------------------------------------------------------------------- */

static gint refused_threads;

#if OWNED_MALLOC
INTERPOSED int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes, void *(*run) (void *), void *data)
{
  static int (*create) (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *);

  if (!create)
    create =
        (int (*) (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *)) dlsym (RTLD_NEXT, "pthread_create");
  return g_atomic_int_get (&refused_threads) ? EAGAIN : create (thread, attributes, run, data);
}
#endif

/* --- Elements ---------------------------------------------------------------------------------------- */

/* Single pixels that do not connect. */
static GstBuffer *
checkerboard (void)
{
  GstBuffer *buffer = gst_buffer_new_and_alloc (SIDE * SIDE);
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (guint i = 0; i < SIDE * SIDE; i++)
    map.data[i] = (i % SIDE + i / SIDE) % 2 ? 255 : 0;
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

/* Pushes a frame, from its caps on; its message is popped before it would be copied or kept. */
static GstFlowReturn
push_checkerboard (GstHarness *harness, GstBuffer *buffer, GstCaps *caps)
{
  gst_harness_set_src_caps (harness, caps);
  return gst_harness_push (harness, buffer);
}

static void
assert_no_space_left (GstHarness *harness, gint64 bytes)
{
  GstMessage *message = test_pop_message (harness, GST_MESSAGE_ERROR);
  GError *error = NULL;

  g_assert_nonnull (message);
  gst_message_parse_error (message, &error, NULL);
  g_test_message ("%" G_GINT64_FORMAT " MiB: %s", bytes >> 20, error->message);
  g_assert_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT);
  g_assert_nonnull (strstr (error->message, "memory"));
  g_error_free (error);
  gst_message_unref (message);
  test_assert_no_message (harness, GST_MESSAGE_ERROR);
}

/* How many components a document of ccaonvif lists. */
static guint
count_in_text (GstBuffer *buffer)
{
  static const gchar object[] = "<tt:Object>";
  GstMapInfo map;
  guint n = 0;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READ));
  for (const guint8 *at = map.data; (at = memmem (at, map.size - (gsize) (at - map.data), object, strlen (object)));
       at++)
    n++;
  gst_buffer_unmap (buffer, &map);
  return n;
}

static void
assert_complete (GstHarness *harness)
{
  GstBuffer *buffer = gst_harness_pull (harness);
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);

  g_assert_cmpuint (meta ? meta->n_stored : count_in_text (buffer), ==, N_COMPONENTS);
  gst_buffer_unref (buffer);
  test_assert_no_message (harness, GST_MESSAGE_ERROR);
}

/* Whether the frame got through with that much memory. */
static gboolean
try_with (const gchar *launch, gint64 bytes)
{
  g_autoptr (GstHarness) harness = test_harness (launch, NULL);
  GstCaps *caps = test_caps ("GRAY8", SIDE, SIDE, NULL);
  GstBuffer *buffer = checkerboard ();
  GstFlowReturn flow;

  limit_memory (bytes);
  flow = push_checkerboard (harness, buffer, caps);
  unlimit_memory ();
  if (flow == GST_FLOW_OK) {
    assert_complete (harness);
  } else {
    assert_no_space_left (harness, bytes);
    /* Nothing is spoilt for a new start. */
    gst_element_set_state (harness->element, GST_STATE_READY);
    gst_element_set_state (harness->element, GST_STATE_PLAYING);
    g_assert_true (gst_harness_push_event (harness, gst_event_new_stream_start ("again")));
    g_assert_cmpint (push_checkerboard (harness, checkerboard (), test_caps ("GRAY8", SIDE, SIDE, NULL)), ==,
                     GST_FLOW_OK);
    assert_complete (harness);
  }
  return flow == GST_FLOW_OK;
}

/* Skips the test where memory cannot be limited. */
static gboolean
can_limit_memory (void)
{
  const gchar *preload = g_getenv ("LD_PRELOAD");

  if (OWNED_MALLOC && !(preload && strstr (preload, "vgpreload")))
    return TRUE;
  g_test_skip ("AddressSanitizer and valgrind have a malloc of their own");
  return FALSE;
}

/* Tries with none, then with more and more, from least bytes on. */
static void
try_with_more (const gchar *launch, gint64 least, gint64 divisor)
{
  gint64 bytes = least;

  if (!can_limit_memory ())
    return;
  g_assert_false (try_with (launch, 0));
  for (; !try_with (launch, bytes); bytes += bytes / divisor)
    g_assert_cmpint (bytes, <, G_GINT64_CONSTANT (4) << 30);
  g_test_message ("enough: %" G_GINT64_FORMAT " MiB", bytes >> 20);
  /* Twice the memory is enough, too. */
  g_assert_true (try_with (launch, 2 * bytes));
}

static void
test_short (gconstpointer launch)
{
  try_with_more (launch, 1 << 20, 4);
}

/* Elements behind cca, for which 9 MiB are enough. */
static void
test_behind (gconstpointer launch)
{
  static const gchar *const others[] = { "ccazones", "ccaonvif" }; /* in plugins that may not have been built */

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (strstr (launch, others[i]) && test_skip_without_element (others[i]))
      return;
  try_with_more (launch, 9 << 20, 3);
}

/* Copies the metas to a frame of twice the size, as videoscale does: it tells only those with tags that it scaled. */
static GstBuffer *
scale_as_element (GstBuffer *from)
{
  GstVideoInfo in = test_video_info ("GRAY8", WIDTH, HEIGHT), out = test_video_info ("GRAY8", 2 * WIDTH, 2 * HEIGHT);
  GstVideoMetaTransform scale = { &in, &out };
  GstMetaTransformCopy copy = { FALSE, 0, (gsize) -1 };
  GstBuffer *to = gst_buffer_new ();
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta (from, &state))) {
    const gboolean tagged = gst_meta_api_type_get_tags (meta->info->api) != NULL;

    meta->info->transform_func (to, meta, from,
                                tagged ? g_quark_from_string ("gst-video-scale") : _gst_meta_transform_copy,
                                tagged ? (gpointer) &scale : (gpointer) &copy);
  }
  return to;
}

/* A meta without memory for its list is not added, and a meta that cannot be mapped is stale. */
static void
test_metas (void)
{
  GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  GstVideoMetaTransform scale = { &info, &info };
  GstCcaComponent *components;
  GstCcaOverlap *overlaps;
  GstCcaShape *shapes;
  GstCcaIntensity *intensities;
  GstCcaTrack *tracks;
  GstCcaEvent *events;
  g_autoptr (GstBuffer) buffer = NULL, none = NULL;
  GstBuffer *scaled;

  if (!can_limit_memory ())
    return;
  components = g_new0 (GstCcaComponent, N_COMPONENTS);
  overlaps = g_new0 (GstCcaOverlap, N_COMPONENTS);
  shapes = g_new0 (GstCcaShape, N_COMPONENTS);
  intensities = g_new0 (GstCcaIntensity, N_COMPONENTS);
  tracks = g_new0 (GstCcaTrack, N_COMPONENTS);
  events = g_new0 (GstCcaEvent, N_COMPONENTS);
  buffer = gst_buffer_new ();
  none = gst_buffer_new ();
  for (guint i = 0; i < N_COMPONENTS; i++) {
    components[i].width = components[i].height = tracks[i].width = tracks[i].height = 1;
    events[i].rule = "rule";
  }
  limit_memory (0);
  g_assert_null (gst_buffer_add_cca_meta (buffer, ID, WIDTH, HEIGHT, N_COMPONENTS, components, N_COMPONENTS));
  g_assert_null (gst_buffer_add_cca_track_meta (buffer, ID, WIDTH, HEIGHT, tracks, N_COMPONENTS));
  g_assert_null (gst_buffer_add_cca_event_meta (buffer, ID, WIDTH, HEIGHT, NULL, 0, events, N_COMPONENTS));
  unlimit_memory ();
  g_assert_null (gst_buffer_get_cca_meta (buffer));
  g_assert_null (gst_buffer_get_cca_track_meta (buffer));
  g_assert_null (gst_buffer_get_cca_event_meta (buffer));

  gst_buffer_add_cca_meta (buffer, ID, WIDTH, HEIGHT, N_COMPONENTS, components, N_COMPONENTS);
  gst_buffer_add_cca_track_meta (buffer, ID, WIDTH, HEIGHT, tracks, N_COMPONENTS);
  gst_buffer_add_cca_event_meta (buffer, ID, WIDTH, HEIGHT, NULL, 0, events, N_COMPONENTS);
  limit_memory (0);
  g_assert_false (gst_cca_meta_set_overlaps (gst_buffer_get_cca_meta (buffer), N_COMPONENTS, overlaps, N_COMPONENTS));
  g_assert_null (gst_buffer_get_cca_meta (buffer)->overlaps);
  g_assert_false (gst_cca_meta_set_shapes (gst_buffer_get_cca_meta (buffer), shapes, N_COMPONENTS));
  g_assert_null (gst_buffer_get_cca_meta (buffer)->shapes);
  g_assert_false (gst_cca_meta_set_intensities (gst_buffer_get_cca_meta (buffer), intensities, N_COMPONENTS));
  g_assert_null (gst_buffer_get_cca_meta (buffer)->intensities);
  g_assert_false (test_transform_metas (buffer, none, "gst-video-scale", &scale));
  scaled = scale_as_element (buffer);
  unlimit_memory ();
  g_assert_null (gst_buffer_get_cca_meta (none));
  g_assert_null (gst_buffer_get_cca_track_meta (none));
  g_assert_null (gst_buffer_get_cca_event_meta (none));
  g_assert_true (gst_buffer_get_cca_meta (scaled)->stale && gst_buffer_get_cca_meta (scaled)->width == WIDTH);
  g_assert_true (gst_buffer_get_cca_track_meta (scaled)->stale);
  g_assert_true (gst_buffer_get_cca_event_meta (scaled)->stale);
  gst_buffer_unref (scaled);

  scaled = scale_as_element (buffer);
  g_assert_false (gst_buffer_get_cca_meta (scaled)->stale);
  g_assert_cmpuint (gst_buffer_get_cca_meta (scaled)->components[1].width, ==, 2);
  g_assert_cmpuint (gst_buffer_get_cca_track_meta (scaled)->tracks[1].width, ==, 2);
  g_assert_false (gst_buffer_get_cca_event_meta (scaled)->stale);
  gst_buffer_unref (scaled);
  g_free (components);
  g_free (overlaps);
  g_free (shapes);
  g_free (intensities);
  g_free (tracks);
  g_free (events);
}

static void
test_threads (void)
{
  g_autoptr (GstHarness) harness = test_harness ("cca n-threads=3", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GstMessage) message = NULL;

  if (!OWNED_MALLOC) {
    g_test_skip ("AddressSanitizer makes threads itself");
    return;
  }
  g_atomic_int_set (&refused_threads, TRUE);
  g_assert_cmpint (push_checkerboard (harness, checkerboard (), test_caps ("GRAY8", SIDE, SIDE, NULL)), ==,
                   GST_FLOW_NOT_NEGOTIATED);
  g_atomic_int_set (&refused_threads, FALSE);
  message = test_pop_message (harness, GST_MESSAGE_ERROR);
  gst_message_parse_error (message, &error, NULL);
  g_assert_nonnull (strstr (error->message, "n-threads"));
  g_assert_null (strchr (error->message, '_'));
}

/* Tracks, and events of all of them, in the first frame. */
#define TRACK "! ccatrack confirm-frames=1 "
#define ZONES "! ccazones rules={\"zones\":[{\"name\":\"all\"}]} "
#define ALL "connectivity=4 max-components=16777216 "

GST_CASES_MAIN ()
{
#if OWNED_MALLOC
  /* Meson sets it, and then each realloc fills all the free memory behind its block. */
  mallopt (M_PERTURB, 0);
#endif
  g_test_add_data_func ("/memory/meta", "cca " ALL "post-messages=false", test_short);
  g_test_add_data_func ("/memory/message-by-default", "cca " ALL, test_short);
  g_test_add_data_func ("/memory/by-area", "cca " ALL "order=area post-messages=false", test_short);
  g_test_add_data_func ("/memory/two-pass", "cca " ALL "algorithm=two-pass post-messages=false", test_short);
  g_test_add_data_func ("/memory/tracks", "cca " ALL "post-messages=false " TRACK "post-messages=false", test_behind);
  g_test_add_data_func ("/memory/tracks-overlaps",
                        "cca " ALL "overlaps=true post-messages=false " TRACK "post-messages=false", test_behind);
  g_test_add_data_func ("/memory/details", "cca " ALL "shape=true intensity=true post-messages=false", test_short);
  g_test_add_data_func ("/memory/zones",
                        "cca " ALL "post-messages=false " TRACK "post-messages=false " ZONES "post-messages=false",
                        test_behind);
  g_test_add_data_func ("/memory/onvif", "cca " ALL "post-messages=false ! ccaonvif", test_behind);
  g_test_add_func ("/memory/metas", test_metas);
  g_test_add_func ("/memory/threads", test_threads);
}
