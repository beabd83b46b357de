/* gst-cca: the elements allocate nothing per frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * This program replaces malloc and looks at the callers: an allocation counts where a plugin or libcca is among
 * the callers. GStreamer's own for a meta's list item does not: nobody can attach a meta without it; nor do the lists
 * of tracks and events, which the metas own, nor those that the CUDA driver makes inside of a call.
 */
#define _GNU_SOURCE /* dladdr() */
#ifdef HAVE_GST_CUDA
#include "cuda-test.h"
#else
#include "element-test.h"
#endif
#include "owned-malloc.h"

#include <string.h>

static gint counting, n_allocations;

#if OWNED_MALLOC
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>

static gboolean
is_in (const Dl_info *info, const gchar *library)
{
  const gchar *name = info->dli_fname ? strrchr (info->dli_fname, '/') : NULL;

  return name && g_str_has_prefix (name + 1, library);
}

/* Whether a function makes a meta. */
static gboolean
makes_meta (const Dl_info *info)
{
  static const gchar *const names[] = { "gst_buffer_add_meta", "gst_buffer_add_cca_track_meta",
                                        "gst_buffer_add_cca_event_meta", NULL };

  return info->dli_sname && g_strv_contains (names, info->dli_sname);
}

static void
see_allocation (void)
{
  static __thread gboolean looking;
  void *callers[64];
  gint n;

  if (!g_atomic_int_get (&counting) || looking)
    return;
  looking = TRUE;
  n = backtrace (callers, G_N_ELEMENTS (callers));
  for (gint i = 0; i < n; i++) {
    Dl_info info;

    if (!dladdr (callers[i], &info))
      continue;
    if (makes_meta (&info) || is_in (&info, "libcuda.so"))
      break;
    if (is_in (&info, "libgstcca.so") || is_in (&info, "libgstccazones.so") || is_in (&info, "libcca.so")) {
      g_atomic_int_inc (&n_allocations);
      break;
    }
  }
  looking = FALSE;
}

INTERPOSED void *
malloc (size_t size)
{
  see_allocation ();
  return __libc_malloc (size);
}

INTERPOSED void *
calloc (size_t n, size_t size)
{
  see_allocation ();
  return __libc_calloc (n, size);
}

INTERPOSED void *
realloc (void *block, size_t size)
{
  see_allocation ();
  return __libc_realloc (block, size);
}

INTERPOSED void *
aligned_alloc (size_t alignment, size_t size)
{
  see_allocation ();
  return __libc_memalign (alignment, size);
}

INTERPOSED int
posix_memalign (void **block, size_t alignment, size_t size)
{
  see_allocation ();
  *block = __libc_memalign (alignment, size);
  return *block ? 0 : ENOMEM;
}
#endif

enum
{
  WIDTH = 320,
  HEIGHT = 200,
  N_FRAMES = 8,
  N_ROUNDS_BEFORE = 3, /* with the last of which memory gets pinned for a GPU */
  N_ROUNDS = 4,
};

/* Allocations of ours while the frames go through an element again that has seen them all. */
static gint
count_in_rounds (GstHarness *harness, GstBuffer **frames)
{
  for (guint round = 0; round < N_ROUNDS_BEFORE + N_ROUNDS; round++) {
    if (round == N_ROUNDS_BEFORE) {
      g_atomic_int_set (&n_allocations, 0);
      g_atomic_int_set (&counting, TRUE);
    }
    for (guint i = 0; i < N_FRAMES; i++)
      gst_buffer_unref (gst_harness_push_and_pull (harness, gst_buffer_ref (frames[i])));
  }
  g_atomic_int_set (&counting, FALSE);
  for (guint i = 0; i < N_FRAMES; i++)
    gst_buffer_unref (frames[i]);
  test_harness_free (harness);
  return g_atomic_int_get (&n_allocations);
}

static gint
count_allocations (const gchar *launch, const gchar *downstream)
{
  const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);
  GstHarness *harness = test_harness (launch, NULL);
  GstBuffer *frames[N_FRAMES];

  if (downstream)
    gst_harness_set_sink_caps_str (harness, downstream);
  gst_harness_set_src_caps (harness, test_caps ("I420", WIDTH, HEIGHT, NULL));
  for (guint i = 0; i < N_FRAMES; i++)
    frames[i] = test_frame (&info, i);
  return count_in_rounds (harness, frames);
}

static gboolean
can_count (void)
{
  const gchar *preload = g_getenv ("LD_PRELOAD");

  if (!OWNED_MALLOC)
    g_test_skip ("AddressSanitizer has its own malloc");
  else if (preload && strstr (preload, "vgpreload"))
    g_test_skip ("valgrind has its own malloc");
  else
    return TRUE;
  return FALSE;
}

typedef struct
{
  const gchar *name, *launch, *downstream;
} Case;

static const Case cases[] = {
  { "cca", "cca post-messages=false", NULL },
  { "cca-threshold", "cca post-messages=false foreground=threshold min-area=3 order=area", NULL },
  { "cca-motion", "cca post-messages=false foreground=motion motion-model=sigma-delta motion-learning=1 close-radius=3",
    NULL },
  { "cca-samples", "cca post-messages=false foreground=motion motion-model=samples motion-learning=1 max-components=4",
    NULL },
  { "cca-values", "cca post-messages=false foreground=values covariance=true", NULL },
  { "cca-details", "cca post-messages=false shape=true intensity=true overlaps=true", NULL },
  { "cca-truncated", "cca post-messages=false max-components=5", NULL },
  { "cca-two-pass", "cca post-messages=false algorithm=two-pass", NULL },
  { "cca-threads", "cca post-messages=false n-threads=3", NULL },
  { "ccl-colors", "ccl post-messages=false", NULL },
  { "ccl-u16", "ccl post-messages=false output=labels", NULL },
  { "ccl-u32", "ccl post-messages=false", "video/x-raw,format=RGBA,label-format=u32" },
  { "ccl-mask", "ccl post-messages=false output=mask", NULL },
  { "ccatrack", "cca post-messages=false ! ccatrack post-messages=false", NULL },
};

static const Case zones_case = { "ccazones",
                                 "cca post-messages=false ! ccatrack post-messages=false ! "
                                 "ccazones post-messages=false rules={\"zones\":[{\"name\":\"all\"}]}",
                                 NULL };

static void
test_none (gconstpointer data)
{
  const Case *c = data;

  if (can_count ())
    g_assert_cmpint (count_allocations (c->launch, c->downstream), ==, 0);
}

static void
test_zones (gconstpointer data)
{
  if (!test_skip_without_element ("ccazones"))
    test_none (data);
}

#ifdef HAVE_GST_CUDA
static const Case cuda_cases[] = {
  { "cudacca", "cudacca post-messages=false", NULL },
  { "cudacca-threshold", "cudacca post-messages=false foreground=threshold min-area=3 order=area", NULL },
  { "cudacca-motion",
    "cudacca post-messages=false foreground=motion motion-model=sigma-delta motion-learning=1 close-radius=3", NULL },
  { "cudacca-values", "cudacca post-messages=false foreground=values covariance=true", NULL },
  { "cudacca-details", "cudacca post-messages=false shape=true intensity=true overlaps=true", NULL },
  { "cudacca-truncated", "cudacca post-messages=false max-components=5", NULL },
  { "cudacca-unwanted", "cudacca post-messages=false emit=0", NULL },
  { "cudaccl-colors", "cudaccl post-messages=false", CUDA_MEMORY ",format=RGBA" },
  { "cudaccl-colors-download", "cudaccl post-messages=false", "video/x-raw,format=RGBA" },
  { "cudaccl-u16", "cudaccl post-messages=false output=labels", "video/x-raw,format=GRAY16_LE" },
  { "cudaccl-u32", "cudaccl post-messages=false", CUDA_MEMORY ",format=RGBA,label-format=u32" },
  { "cudaccl-mask", "cudaccl post-messages=false output=mask", CUDA_MEMORY ",format=I420" },
};

/* Frames in system memory. */
static void
test_none_uploading (gconstpointer data)
{
  const Case *c = data;

  if (!cuda_test_skip_without_gpu () && can_count ())
    g_assert_cmpint (count_allocations (c->launch, c->downstream), ==, 0);
}

static void
test_none_on_device (gconstpointer data)
{
  const Case *c = data;
  GstBuffer *frames[N_FRAMES];
  GstHarness *harness;
  CudaSource source;

  if (cuda_test_skip_without_gpu () || !can_count ())
    return;
  source = cuda_source_open (NULL, "I420", WIDTH, HEIGHT);
  harness = cuda_source_harness (&source, c->launch, c->downstream);
  for (guint i = 0; i < N_FRAMES; i++)
    frames[i] = cuda_source_frame (&source, i);
  g_assert_cmpint (count_in_rounds (harness, frames), ==, 0);
  cuda_source_close (&source);
}
#endif

/* The counter works: messages, and metas with structures, need allocations. */
static void
test_some (void)
{
  if (!can_count ())
    return;
  g_assert_cmpint (count_allocations ("cca", NULL), >=, N_ROUNDS * N_FRAMES);
  g_assert_cmpint (count_allocations ("cca post-messages=false emit=roi", NULL), >=, N_ROUNDS * N_FRAMES);
  g_assert_cmpint (count_allocations ("cca post-messages=false ! ccatrack", NULL), >=, N_ROUNDS * N_FRAMES);
}

int
main (int argc, char **argv)
{
#if OWNED_MALLOC
  void *caller;

  /* The first call loads what it needs. */
  backtrace (&caller, 1);
#endif
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  gst_init (&argc, &argv);
  ADD_ROWS ("/allocations/none", cases, test_none);
  add_case ("/allocations/none", zones_case.name, &zones_case, test_zones);
#ifdef HAVE_GST_CUDA
  ADD_ROWS ("/allocations/none/cuda/upload", cuda_cases, test_none_uploading);
  ADD_ROWS ("/allocations/none/cuda/device", cuda_cases, test_none_on_device);
#endif
  g_test_add_func ("/allocations/some", test_some);
  return g_test_run ();
}
