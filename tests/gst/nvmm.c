/* gst-cca: frames of DeepStream and Jetson, in memory:NVMM
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The plugin's file for NvBufSurface runs on our own declarations of it (nvmm/), and on a libnvbufsurface that makes no
 * images but those of this program, which only the fake driver knows. Neither a Jetson nor DeepStream is needed, nor
 * tested.
 */
#define EGL_NO_X11
#include "cuda-test.h"
#include "nvmm/fake-nvbufsurface.h"
#include "tests/lib/fake-cuda/fake-cuda.h"

#include <cudaEGL.h>
#include <dlfcn.h>
#include <string.h>

#define NVMM_MEMORY "video/x-raw(memory:NVMM)"

static const FakeCuda *fake;

/* --- Frames ------------------------------------------------------------------------------------------ */

enum
{
  MAX_BATCH = 4,
  POISON = 0xee, /* of pixels that must not be read */
};

/* Where the planes of a frame are. */
typedef enum
{
  ADDRESSES,
  PITCH_IMAGE,
  ARRAY_IMAGE,
} Layout;

/* A batch of one frame, in memory of the primary context; poisoned while it is not mapped. */
typedef struct
{
  GstMemory parent;
  GstCudaContext *context;
  NvBufSurface surface;
  NvBufSurfaceParams params[MAX_BATCH];
  CUdeviceptr pixels;
  guint8 *true_pixels; /* of the host */
  gsize size;
  gint n_maps; /* under way */
  FakeCudaArray arrays[3];
  CUeglFrame frame;
  FakeCudaImage image;
} Frame;

typedef GstAllocator FrameAllocator;
typedef GstAllocatorClass FrameAllocatorClass;
GType frame_allocator_get_type (void);
G_DEFINE_TYPE (FrameAllocator, frame_allocator, GST_TYPE_ALLOCATOR)

static GstCudaContext *
primary_context (guint device)
{
  static GstCudaContext *contexts[2];

  if (!contexts[device]) {
    void *library = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    CUresult (*retain) (CUcontext *, CUdevice) = dlsym (library, "cuDevicePrimaryCtxRetain");
    CUcontext handle;

    g_assert_cmpint (retain (&handle, (CUdevice) device), ==, CUDA_SUCCESS);
    contexts[device] = gst_cuda_context_new_wrapped (handle, (CUdevice) device);
  }
  return contexts[device];
}

static void
put_pixels (Frame *frame, gboolean poisoned)
{
  g_autofree guint8 *poison = g_malloc (frame->size);
  const CUDA_MEMCPY2D copy = {
    .srcMemoryType = CU_MEMORYTYPE_HOST,
    .srcHost = poisoned ? poison : frame->true_pixels,
    .dstMemoryType = CU_MEMORYTYPE_DEVICE,
    .dstDevice = frame->pixels,
    .WidthInBytes = frame->size,
    .Height = 1,
  };

  memset (poison, POISON, frame->size);
  g_assert_true (gst_cuda_context_push (frame->context));
  g_assert_cmpint (CuMemcpy2D (&copy), ==, CUDA_SUCCESS);
  g_assert_true (gst_cuda_context_pop (NULL));
}

/* Whether mapping leaves pixels alone: the driver fails, or several map a frame at once. */
static gboolean keeps_pixels;

static gpointer
map_frame (GstMemory *memory, gsize size, GstMapFlags flags)
{
  Frame *frame = (Frame *) memory;

  g_assert_cmpuint (flags & GST_MAP_WRITE, ==, 0);
  if (g_atomic_int_add (&frame->n_maps, 1) == 0 && !keeps_pixels)
    put_pixels (frame, FALSE);
  return &frame->surface;
}

static void
unmap_frame (GstMemory *memory)
{
  Frame *frame = (Frame *) memory;

  if (g_atomic_int_dec_and_test (&frame->n_maps) && !keeps_pixels)
    put_pixels (frame, TRUE);
}

static void
free_frame (GstAllocator *allocator, GstMemory *memory)
{
  Frame *frame = (Frame *) memory;

  g_assert_cmpint (frame->n_maps, ==, 0);
  gst_cuda_context_push (frame->context);
  CuMemFree (frame->pixels);
  gst_cuda_context_pop (NULL);
  g_free (frame->true_pixels);
  g_free (frame);
}

static GstMemory *
share_no_frame (GstMemory *memory, gssize offset, gssize size)
{
  return NULL;
}

static void
frame_allocator_class_init (FrameAllocatorClass *klass)
{
  klass->free = free_frame;
}

static void
frame_allocator_init (FrameAllocator *allocator)
{
  allocator->mem_type = "TestNvmm";
  allocator->mem_map = map_frame;
  allocator->mem_unmap = unmap_frame;
  allocator->mem_share = share_no_frame;
  GST_OBJECT_FLAG_SET (allocator, GST_ALLOCATOR_FLAG_CUSTOM_ALLOC);
}

/* Copies a frame's planes to odd places, apart from each other. */
static void
set_planes (Frame *frame, const GstVideoInfo *info, GstBuffer *buffer)
{
  NvBufSurfacePlaneParams *planes = &frame->params[0].planeParams;
  GstVideoFrame mapped;

  g_assert_true (gst_video_frame_map (&mapped, info, buffer, GST_MAP_READ));
  planes->num_planes = GST_VIDEO_INFO_N_PLANES (info);
  frame->size = 7;
  for (guint i = 0; i < planes->num_planes; i++) {
    const guint8 *data = GST_VIDEO_FRAME_PLANE_DATA (&mapped, i);
    const guint stride = (guint) GST_VIDEO_FRAME_PLANE_STRIDE (&mapped, i);
    gint components[GST_VIDEO_MAX_COMPONENTS];
    guint row;

    gst_video_format_info_component (info->finfo, i, components);
    planes->width[i] = (guint) GST_VIDEO_INFO_COMP_WIDTH (info, components[0]);
    planes->height[i] = (guint) GST_VIDEO_INFO_COMP_HEIGHT (info, components[0]);
    row = planes->width[i] * (guint) GST_VIDEO_INFO_COMP_PSTRIDE (info, components[0]);
    planes->pitch[i] = row + 13; /* the same of both planes of chroma */
    planes->offset[i] = (guint) frame->size;
    planes->psize[i] = planes->pitch[i] * planes->height[i];
    frame->size += planes->psize[i] + 5;
    frame->true_pixels = g_realloc (frame->true_pixels, frame->size);
    for (guint y = 0; y < planes->height[i]; y++)
      memcpy (frame->true_pixels + planes->offset[i] + y * planes->pitch[i], data + y * stride, row);
  }
  gst_video_frame_unmap (&mapped);
}

/* Its surface then has no address. The array's rows differ from those in the surface's description. */
static void
set_image (Frame *frame, Layout layout)
{
  NvBufSurfacePlaneParams *planes = &frame->params[0].planeParams;

  frame->frame.frameType = layout == ARRAY_IMAGE ? CU_EGL_FRAME_TYPE_ARRAY : CU_EGL_FRAME_TYPE_PITCH;
  frame->frame.planeCount = planes->num_planes;
  for (guint i = 0; i < planes->num_planes; i++) {
    const guintptr address = (guintptr) (frame->pixels + planes->offset[i]);

    if (layout == ARRAY_IMAGE) {
      frame->arrays[i] = (FakeCudaArray) { (const void *) address, planes->pitch[i] };
      frame->frame.frame.pArray[i] = (CUarray) &frame->arrays[i];
      planes->pitch[i] += 51;
    } else {
      frame->frame.frame.pPitch[i] = (void *) address;
    }
  }
  frame->image = (FakeCudaImage) { &frame->frame, sizeof frame->frame };
  frame->surface.memType = NVBUF_MEM_SURFACE_ARRAY;
  frame->params[0].bufferDesc = (guintptr) &frame->image;
  frame->params[0].dataPtr = NULL;
}

static Frame *
frame_of (GstBuffer *buffer)
{
  return (Frame *) gst_buffer_peek_memory (buffer, 0);
}

/* The same frame as one in system memory (taken), on a device. */
static GstBuffer *
upload (guint device, const GstVideoInfo *info, Layout layout, GstBuffer *system)
{
  static GstAllocator *allocator;
  GstBuffer *buffer = gst_buffer_new ();
  Frame *frame = g_new0 (Frame, 1);

  if (!allocator)
    allocator = gst_object_ref_sink (g_object_new (frame_allocator_get_type (), NULL));
  gst_memory_init (&frame->parent, 0, allocator, NULL, sizeof (NvBufSurface), 0, 0, sizeof (NvBufSurface));
  frame->context = primary_context (device);
  frame->surface = (NvBufSurface) {
    .gpuId = device,
    .batchSize = 1,
    .numFilled = 1,
    .memType = NVBUF_MEM_CUDA_DEVICE,
    .surfaceList = frame->params,
  };
  set_planes (frame, info, system);
  gst_buffer_unref (system);
  g_assert_true (gst_cuda_context_push (frame->context));
  g_assert_cmpint (CuMemAlloc (&frame->pixels, frame->size), ==, CUDA_SUCCESS);
  gst_cuda_context_pop (NULL);
  frame->params[0].dataPtr = (void *) (guintptr) frame->pixels;
  frame->params[0].pitch = frame->params[0].planeParams.pitch[0];
  if (layout != ADDRESSES)
    set_image (frame, layout);
  put_pixels (frame, TRUE);
  gst_buffer_append_memory (buffer, &frame->parent);
  return buffer;
}

static GstBuffer *
nvmm_frame (const GstVideoInfo *info, Layout layout, guint seed)
{
  return upload (0, info, layout, test_frame (info, seed));
}

static GstCaps *
nvmm_caps (const gchar *format, guint width, guint height)
{
  GstCaps *caps = test_caps (format, width, height, NULL);

  gst_caps_set_features_simple (caps, gst_caps_features_from_string ("memory:NVMM"));
  return caps;
}

/* --- Caps -------------------------------------------------------------------------------------------- */

typedef struct
{
  const gchar *element, *sink, *downstream;
  gboolean possible;
} Negotiation;

/* At the sink of both elements; behind cudacca frames are the same, behind cudaccl never in such memory. */
static void
test_negotiation (void)
{
  static const Negotiation cases[] = {
    { "cudacca", NVMM_MEMORY ",format=NV12", NVMM_MEMORY ",format=NV12", TRUE },
    { "cudacca", NVMM_MEMORY ",format=NV12", "video/x-raw,format=NV12", FALSE },
    { "cudacca", NVMM_MEMORY ",format=NV12", CUDA_MEMORY ",format=NV12", FALSE },
    { "cudaccl", NVMM_MEMORY ",format=NV12", "video/x-raw,format=RGBA", TRUE },
    { "cudaccl", NVMM_MEMORY ",format=NV12", CUDA_MEMORY ",format=NV12", TRUE },
    { "cudaccl", NVMM_MEMORY ",format=NV12", NVMM_MEMORY ",format=NV12", FALSE },
    { "cudaccl", NVMM_MEMORY ",format=NV12", NVMM_MEMORY ",format=RGBA", FALSE },
    { "cca", NVMM_MEMORY ",format=NV12", NVMM_MEMORY ",format=NV12", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GstHarness) harness = test_harness (cases[i].element, NULL);
    g_autoptr (GstCaps) wanted = gst_caps_from_string (cases[i].sink);
    g_autoptr (GstCaps) possible = NULL;

    gst_harness_set_sink_caps_str (harness, cases[i].downstream);
    possible = gst_pad_peer_query_caps (harness->srcpad, NULL);
    g_assert_cmpint (gst_caps_can_intersect (possible, wanted), ==, cases[i].possible);
  }
}

/* --- Components -------------------------------------------------------------------------------------- */

typedef struct
{
  const gchar *name, *format;
  Layout layout;
  NvBufSurfaceMemType type; /* of addresses */
} Kind;

static const Kind kinds[] = {
  { "device/NV12", "NV12", ADDRESSES, NVBUF_MEM_CUDA_DEVICE },
  { "device/I420", "I420", ADDRESSES, NVBUF_MEM_CUDA_DEVICE },
  { "device/RGBA", "RGBA", ADDRESSES, NVBUF_MEM_CUDA_DEVICE },
  { "device/P010", "P010_10LE", ADDRESSES, NVBUF_MEM_CUDA_DEVICE },
  { "unified/NV12", "NV12", ADDRESSES, NVBUF_MEM_CUDA_UNIFIED },
  { "pinned/NV12", "NV12", ADDRESSES, NVBUF_MEM_CUDA_PINNED },
  { "pitch-image/NV12", "NV12", PITCH_IMAGE },
  { "pitch-image/I420", "I420", PITCH_IMAGE },
  { "array-image/NV12", "NV12", ARRAY_IMAGE },
  { "array-image/I420", "I420", ARRAY_IMAGE },
  { "array-image/RGBA", "RGBA", ARRAY_IMAGE },
};

static GstBuffer *
upload_as (const Kind *kind, const GstVideoInfo *info, GstBuffer *system)
{
  GstBuffer *buffer = upload (0, info, kind->layout, system);

  if (kind->layout == ADDRESSES)
    frame_of (buffer)->surface.memType = kind->type;
  return buffer;
}

/* Images need the fake driver. */
static gboolean
skip_kind (const Kind *kind)
{
  if (kind->layout == ADDRESSES || fake)
    return FALSE;
  g_test_skip ("this driver knows no images of the test");
  return TRUE;
}

/* Planes at odd offsets with odd pitches. The element pushes the same buffer, and maps its pixels while it reads
 * them. */
static void
test_components (gconstpointer data)
{
  static const guint sizes[][2] = { { 1, 1 }, { 31, 7 }, { 157, 83 } };
  const Kind *kind = data;

  if (skip_kind (kind))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const GstVideoInfo info = test_video_info (kind->format, sizes[i][0], sizes[i][1]);
    g_autoptr (TestReference) reference = cuda_test_reference (sizes[i][0], sizes[i][1], CCA_OUTPUT_NONE);
    g_autoptr (GstHarness) harness =
        test_harness ("cudacca foreground=threshold", nvmm_caps (kind->format, sizes[i][0], sizes[i][1]));

    for (guint j = 0; j < 3; j++) {
      GstBuffer *in = upload_as (kind, &info, test_frame (&info, j));
      GstMemory *memory = gst_buffer_peek_memory (in, 0);
      g_autoptr (GstBuffer) out = test_pass (harness, in);

      test_reference_run (reference, j);
      test_assert_meta (out, reference);
      g_assert_true (out == in && gst_buffer_peek_memory (out, 0) == memory);
      g_assert_cmpint (frame_of (out)->n_maps, ==, 0);
    }
    test_assert_no_message (harness, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
  }
  g_assert_cmpint (fake_nvbufsurface.n_images, ==, 0);
  g_assert_cmpuint (fake ? fake->n_held (FAKE_CUDA_RESOURCE) : 0, ==, 0);
}

/* Something moves that only its colour tells from the rest. */
static GstBuffer *
colored_frame (const GstVideoInfo *info, gint i)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (info), NULL);
  GstVideoFrame frame;

  gst_buffer_memset (buffer, 0, 100, GST_VIDEO_INFO_SIZE (info));
  g_assert_true (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (guint component = 1; component < 3 && i >= 0; component++) {
    guint8 *data = GST_VIDEO_FRAME_COMP_DATA (&frame, component);
    const gint stride = GST_VIDEO_FRAME_COMP_STRIDE (&frame, component);

    for (gint y = 4; y < 14; y++)
      for (gint x = 2 * i; x < 2 * i + 8; x++)
        data[y * stride + x * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, component)] = component == 1 ? 30 : 220;
  }
  gst_video_frame_unmap (&frame);
  return buffer;
}

/* The model of samples reads chroma, too: the same as cca on the same frames in system memory. */
static void
test_chroma (gconstpointer data)
{
  const Kind *kind = data;
  const gchar *const properties = "foreground=motion motion-model=samples motion-learning=1";
  const GstVideoInfo info = test_video_info (kind->format, 62, 38);
  g_autofree gchar *on_gpu = g_strconcat ("cudacca ", properties, NULL);
  g_autofree gchar *on_cpu = g_strconcat ("cca ", properties, NULL);
  g_autoptr (GstHarness) gpu = NULL, cpu = NULL;
  guint n_components = 0;

  if (skip_kind (kind))
    return;
  gpu = test_harness (on_gpu, nvmm_caps (kind->format, 62, 38));
  cpu = test_harness (on_cpu, test_caps (kind->format, 62, 38, NULL));
  for (gint i = -8; i < 8; i++) {
    g_autoptr (GstBuffer) is = test_pass (gpu, upload_as (kind, &info, colored_frame (&info, i)));
    g_autoptr (GstBuffer) should = test_pass (cpu, colored_frame (&info, i));
    GstCcaMeta *a = gst_buffer_get_cca_meta (is), *b = gst_buffer_get_cca_meta (should);

    n_components += b->n_components;
    g_assert_cmpuint (a->n_components, ==, b->n_components);
    for (guint j = 0; j < a->n_stored; j++)
      g_assert_cmpmem (gst_cca_meta_get_component (a, j), 5 * sizeof (guint), gst_cca_meta_get_component (b, j),
                       5 * sizeof (guint));
  }
  g_assert_cmpuint (n_components, >, 0);
}

/* cudaccl paints them in CUDA memory and in system memory. */
static void
test_pictures (gconstpointer downstream)
{
  const GstVideoInfo info = test_video_info ("NV12", 157, 82);
  g_autoptr (TestReference) reference = cuda_test_reference (157, 82, CCA_OUTPUT_COLORS);
  g_autoptr (GstHarness) harness = test_harness ("cudaccl foreground=threshold", NULL);

  gst_harness_set_sink_caps_str (harness, downstream);
  gst_harness_set_src_caps (harness, nvmm_caps ("NV12", 157, 82));
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstBuffer) out = test_pass (harness, nvmm_frame (&info, ADDRESSES, i));
    g_autoptr (GstCaps) caps = gst_pad_get_current_caps (harness->sinkpad);

    test_reference_run (reference, i);
    test_assert_pixels (out, caps, reference);
    test_assert_meta (out, reference);
  }
}

/* --- Refused frames ---------------------------------------------------------------------------------- */

/* Frames that are refused: the change that makes them invalid, and the error. */
#define REFUSALS(R)                                                                                                    \
  R (batch, "NVMM memory: the buffer is a batch of 3 frames*before nvstreammux, or behind nvstreamdemux",              \
     frame->surface.batchSize = MAX_BATCH, frame->surface.numFilled = 3)                                               \
  R (empty_batch, "NVMM memory: the buffer is a batch of 0 frames*", frame->surface.batchSize = MAX_BATCH,             \
     frame->surface.numFilled = 0)                                                                                     \
  R (handle, "NVMM memory: frames are in memory of type 5 (NvBufSurfaceMemType)*nvbuf-memory-type=0*",                 \
     frame->surface.memType = NVBUF_MEM_HANDLE)                                                                        \
  R (system, "NVMM memory: frames are in memory of type 6 (NvBufSurfaceMemType)*",                                     \
     frame->surface.memType = NVBUF_MEM_SYSTEM)                                                                        \
  R (pitch, "NVMM memory: plane 0 of the surface has 30 rows of 39 bytes, and 30 of 40 are needed",                    \
     frame->params[0].planeParams.pitch[0] = 39)                                                                       \
  R (rows, "NVMM memory: plane 0 of the surface has 29 rows of 53 bytes, and 30 of 40 are needed",                     \
     frame->params[0].planeParams.height[0] = 29)                                                                      \
  R (planes, "NVMM memory: plane 0 of the surface has 0 rows of 0 bytes, and 30 of 40 are needed",                     \
     frame->params[0].planeParams.num_planes = 0)                                                                      \
  R (small, "NVMM memory: the buffer has no NvBufSurface, although its caps say memory:NVMM",                          \
     gst_buffer_replace_all_memory (buffer, gst_allocator_alloc (NULL, sizeof (NvBufSurface) - 1, NULL)))              \
  R (memories, "NVMM memory: the buffer has no NvBufSurface*",                                                         \
     gst_buffer_append_memory (buffer, gst_allocator_alloc (NULL, 64, NULL)))                                          \
  R (device, "Frames are in NVMM memory of CUDA device 77, on which the element does not work*",                       \
     frame->surface.gpuId = 77)                                                                                        \
  R (image, "NVMM memory: a frame gives no EGLImage (NvBufSurfaceMapEglImage)", set_image (frame, PITCH_IMAGE),        \
     fake_nvbufsurface.refuses = TRUE)

#define DEFINE(name, error, ...)                                                                                       \
  static void spoil_##name (GstBuffer *buffer, Frame *frame)                                                           \
  {                                                                                                                    \
    __VA_ARGS__;                                                                                                       \
  }
REFUSALS (DEFINE)

typedef struct
{
  const gchar *name, *error;
  void (*spoil) (GstBuffer *buffer, Frame *frame);
} Refusal;

#define ROW(name, error, ...) { #name, error, spoil_##name },
static const Refusal refusals[] = { REFUSALS (ROW) };

/* One error that names the reason; nothing stays mapped. */
static void
test_refusal (gconstpointer data)
{
  const Refusal *refusal = data;
  const GstVideoInfo info = test_video_info ("NV12", 40, 30);
  g_autoptr (GstBuffer) buffer = NULL;
  g_autoptr (GstHarness) harness = test_harness ("cudacca", nvmm_caps ("NV12", 40, 30));

  gst_buffer_unref (test_pass (harness, nvmm_frame (&info, ADDRESSES, 0)));
  buffer = nvmm_frame (&info, ADDRESSES, 1);
  refusal->spoil (buffer, frame_of (buffer));
  g_assert_cmpint (gst_harness_push (harness, gst_buffer_ref (buffer)), ==, GST_FLOW_ERROR);
  test_assert_error (harness, refusal->error);
  fake_nvbufsurface.refuses = FALSE;
  g_assert_cmpint (fake_nvbufsurface.n_images, ==, 0);
}

/* A batch in which there is one frame is that frame. */
static void
test_batch_of_one (void)
{
  const GstVideoInfo info = test_video_info ("NV12", 40, 30);
  g_autoptr (GstBuffer) buffer = NULL;
  g_autoptr (TestReference) reference = cuda_test_reference (40, 30, CCA_OUTPUT_NONE);
  g_autoptr (GstHarness) harness = test_harness ("cudacca foreground=threshold", nvmm_caps ("NV12", 40, 30));
  GstBuffer *in = nvmm_frame (&info, ADDRESSES, 5);

  frame_of (in)->surface.batchSize = MAX_BATCH;
  buffer = test_pass (harness, in);
  test_reference_run (reference, 5);
  test_assert_meta (buffer, reference);
}

/* --- Devices, images, pools -------------------------------------------------------------------------- */

/* Not behind a warning. */
static void
assert_only_error (GstHarness *harness, const gchar *pattern)
{
  GstMessage *message = test_pop_message (harness, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
  g_autofree gchar *text = NULL;

  g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_ERROR);
  text = test_message_text (message);
  g_assert_true (g_pattern_match_simple (pattern, text));
  test_assert_no_message (harness, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
}

/* The element moves to the frames' device, or tells that it may not. */
static void
test_device (void)
{
  const GstVideoInfo info = test_video_info ("NV12", 40, 30);

  if (!fake) {
    g_test_skip ("there may be no second GPU");
    return;
  }
  for (gint fixed = -1; fixed <= 1; fixed++) {
    g_autofree gchar *launch = g_strdup_printf ("cudacca foreground=threshold cuda-device-id=%d", fixed);
    g_autoptr (GstHarness) harness = test_harness (launch, nvmm_caps ("NV12", 40, 30));
    g_autoptr (TestReference) reference = cuda_test_reference (40, 30, CCA_OUTPUT_NONE);
    g_autoptr (GstBuffer) in = upload (1, &info, ADDRESSES, test_frame (&info, 4));
    g_autoptr (GstBuffer) out = NULL;
    guint device;

    if (fixed == 0) {
      g_assert_cmpint (gst_harness_push (harness, gst_buffer_ref (in)), ==, GST_FLOW_ERROR);
      assert_only_error (harness, "Frames are in NVMM memory of CUDA device 1,*set cuda-device-id to 1, or to -1");
      continue;
    }
    out = test_pass (harness, gst_buffer_ref (in));
    test_reference_run (reference, 4);
    test_assert_meta (out, reference);
    g_object_get (cuda_test_element_context (harness->element), "cuda-device-id", &device, NULL);
    g_assert_cmpuint (device, ==, 1);
  }
}

static CUcontext
handle_in (GstHarness *harness)
{
  return gst_cuda_context_get_handle (cuda_test_element_context (harness->element));
}

/* All elements read in the primary context, and share GStreamer's object for it. */
static void
test_shared_context (void)
{
  const GstVideoInfo info = test_video_info ("NV12", 40, 30);
  g_autoptr (GstHarness) one = test_harness ("cudacca", nvmm_caps ("NV12", 40, 30));
  g_autoptr (GstHarness) other = test_harness ("cudaccl", nvmm_caps ("NV12", 40, 30));

  gst_buffer_unref (test_pass (one, nvmm_frame (&info, ADDRESSES, 0)));
  gst_buffer_unref (test_pass (other, nvmm_frame (&info, ADDRESSES, 0)));
  g_assert_true (handle_in (one) == gst_cuda_context_get_handle (primary_context (0)));
  g_assert_true (cuda_test_element_context (one->element) == cuda_test_element_context (other->element));
}

/* An image that somebody else made stays. */
static void
test_image_of_others (void)
{
  const Kind kind = { "", "NV12", ARRAY_IMAGE };
  const GstVideoInfo info = test_video_info ("NV12", 40, 30);
  const gint n_made = fake_nvbufsurface.n_made;
  g_autoptr (GstHarness) harness = NULL;
  g_autoptr (GstBuffer) buffer = NULL;
  gpointer image;

  if (skip_kind (&kind))
    return;
  harness = test_harness ("cudacca", nvmm_caps ("NV12", 40, 30));
  buffer = nvmm_frame (&info, ARRAY_IMAGE, 0);
  image = frame_of (buffer)->params[0].mappedAddr.eglImage = &frame_of (buffer)->image;
  gst_buffer_unref (test_pass (harness, gst_buffer_ref (buffer)));
  g_assert_true (frame_of (buffer)->params[0].mappedAddr.eglImage == image);
  g_assert_cmpint (fake_nvbufsurface.n_made, ==, n_made);
}

static gpointer
push_often (gpointer harness)
{
  GstHarness *h = harness;
  GstBuffer *buffer = g_object_get_data (G_OBJECT (h->element), "buffer");

  for (guint i = 0; i < 200; i++)
    gst_buffer_unref (test_pass (h, gst_buffer_copy (buffer)));
  return NULL;
}

/* Several elements read one surface at once, as behind a tee: it has one image until the last has done. */
static void
test_image_of_several (void)
{
  const Kind kind = { "", "NV12", PITCH_IMAGE };
  const GstVideoInfo info = test_video_info ("NV12", 16, 16);
  g_autoptr (GstBuffer) buffer = NULL;
  GstHarness *harnesses[3];
  GThread *threads[3];

  if (skip_kind (&kind))
    return;
  buffer = nvmm_frame (&info, PITCH_IMAGE, 0);
  for (guint i = 0; i < 3; i++) {
    harnesses[i] = test_harness ("cudacca post-messages=false", nvmm_caps ("NV12", 16, 16));
    g_object_set_data (G_OBJECT (harnesses[i]->element), "buffer", buffer);
  }
  keeps_pixels = TRUE;
  for (guint i = 0; i < 3; i++)
    threads[i] = g_thread_new ("reader", push_often, harnesses[i]);
  for (guint i = 0; i < 3; i++)
    g_thread_join (threads[i]);
  keeps_pixels = FALSE;
  g_assert_cmpint (fake_nvbufsurface.n_images, ==, 0);
  for (guint i = 0; i < 3; i++)
    test_harness_free (harnesses[i]);
}

/* Upstream makes such memory, and cannot take a pool of another. */
static void
test_no_pool (void)
{
  const gchar *const names[] = { "cudacca", "cudaccl" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GstHarness) harness = test_harness (names[i], nvmm_caps ("NV12", 40, 30));
    g_autoptr (GstCaps) caps = nvmm_caps ("NV12", 40, 30);
    g_autoptr (GstQuery) query = gst_query_new_allocation (caps, TRUE);

    gst_pad_peer_query (harness->srcpad, query);
    g_assert_cmpuint (gst_query_get_n_allocation_pools (query), ==, 0);
  }
}

/* Caps change between memories, while the element plays. */
static void
test_changes (void)
{
  const GstVideoInfo info = test_video_info ("NV12", 40, 30);
  g_autoptr (TestReference) reference = cuda_test_reference (40, 30, CCA_OUTPUT_NONE);
  g_autoptr (GstHarness) harness = test_harness ("cudacca foreground=threshold", nvmm_caps ("NV12", 40, 30));

  for (guint i = 0; i < 6; i++) {
    g_autoptr (GstBuffer) buffer = NULL;

    gst_harness_set_src_caps (harness, i % 2 ? test_caps ("NV12", 40, 30, NULL) : nvmm_caps ("NV12", 40, 30));
    buffer = test_pass (harness, i % 2 ? test_frame (&info, i) : nvmm_frame (&info, ADDRESSES, i));
    test_reference_run (reference, i);
    test_assert_meta (buffer, reference);
  }
}

/* The copy of arrays grows with the frames, and goes with the element. */
static void
test_growth (void)
{
  const Kind kind = { "", "NV12", ARRAY_IMAGE };
  GstHarness *harness;
  guint64 held;

  if (skip_kind (&kind))
    return;
  held = fake->n_held (FAKE_CUDA_MEMORY);
  harness = test_harness ("cudacca foreground=threshold", NULL);
  for (guint i = 1; i <= 4; i++) {
    const GstVideoInfo info = test_video_info ("NV12", 20 * i, 10 * i);
    g_autoptr (TestReference) reference = cuda_test_reference (20 * i, 10 * i, CCA_OUTPUT_NONE);
    g_autoptr (GstBuffer) buffer = NULL;

    gst_harness_set_src_caps (harness, nvmm_caps ("NV12", 20 * i, 10 * i));
    buffer = test_pass (harness, upload_as (&kind, &info, test_frame (&info, i)));
    test_reference_run (reference, i);
    test_assert_meta (buffer, reference);
  }
  test_harness_free (harness);
  g_assert_cmpuint (fake->n_held (FAKE_CUDA_MEMORY), ==, held);
}

/* --- Driver ------------------------------------------------------------------------------------------ */

/* Frames like those before make nothing but the registration of their image. */
static void
test_steady (gconstpointer data)
{
  const Kind *kind = data;
  const GstVideoInfo info = test_video_info (kind->format, 40, 30);
  g_autoptr (GstHarness) harness = NULL;
  g_autoptr (GstBuffer) buffer = NULL;
  guint64 before[FAKE_CUDA_N_KINDS] = { 0 };

  if (skip_kind (kind))
    return;
  if (!fake) {
    g_test_skip ("this driver does not count");
    return;
  }
  harness = test_harness ("cudacca", nvmm_caps (kind->format, 40, 30));
  buffer = upload_as (kind, &info, test_frame (&info, 1));
  for (guint i = 0; i < 20; i++) {
    gst_buffer_unref (test_pass (harness, gst_buffer_ref (buffer)));
    for (FakeCudaKind j = 0; j < FAKE_CUDA_N_KINDS; j++) {
      if (i >= 6 && j != FAKE_CUDA_CURRENT && j != FAKE_CUDA_RESOURCE && fake->n_made (j) != before[j])
        g_test_fail_printf ("frame %u makes %s", i, fake->kind_name (j));
      before[j] = fake->n_made (j);
    }
  }
}

/* Fails the nth call of the second frame. Returns FALSE if the frame has fewer calls. */
static gboolean
fail_call (const Kind *kind, guint64 nth)
{
  const GstVideoInfo info = test_video_info (kind->format, 40, 30);
  g_autoptr (GstHarness) harness = test_harness ("cudacca", nvmm_caps (kind->format, 40, 30));
  g_autoptr (GstBuffer) buffer = upload_as (kind, &info, test_frame (&info, 1));
  GstFlowReturn flow;
  gboolean reached;

  gst_buffer_unref (test_pass (harness, gst_buffer_ref (buffer)));
  put_pixels (frame_of (buffer), FALSE);
  keeps_pixels = TRUE;
  fake->fail (nth, FAKE_CUDA_ONCE, FAKE_CUDA_UNCORRECTABLE);
  flow = gst_harness_push (harness, gst_buffer_ref (buffer));
  reached = fake->failed () != NULL;
  if (flow != GST_FLOW_OK)
    test_assert_error (harness, "*");
  else if (reached
           && (g_str_equal (fake->failed (), "cuGraphicsEGLRegisterImage")
               || g_str_equal (fake->failed (), "cuGraphicsResourceGetMappedEglFrame")
               || g_str_equal (fake->failed (), "cuMemcpy2D")))
    g_test_fail_printf ("the frame passes although %s fails", fake->failed ());
  fake->fail (0, FAKE_CUDA_ONCE, 0);
  keeps_pixels = FALSE;
  return reached;
}

/* Any call of a frame may fail: one error at the most, and nothing stays mapped or held. */
static void
test_failures (gconstpointer data)
{
  const Kind *kind = data;
  gboolean reached = TRUE;

  if (skip_kind (kind))
    return;
  if (!fake) {
    g_test_skip ("this driver does not fail");
    return;
  }
  primary_context (0);
  for (guint64 n = 1; reached && !g_test_failed (); n++) {
    guint64 held[FAKE_CUDA_N_KINDS];

    for (FakeCudaKind i = 0; i < FAKE_CUDA_N_KINDS; i++)
      held[i] = fake->n_held (i);
    reached = fail_call (kind, n);
    for (FakeCudaKind i = 0; i < FAKE_CUDA_N_KINDS; i++)
      if (fake->n_held (i) != held[i])
        g_test_fail_printf ("call %" G_GUINT64_FORMAT ": of kind %s something leaks", n, fake->kind_name (i));
    g_assert_cmpint (fake_nvbufsurface.n_images, ==, 0);
    g_assert_true (n > 10 || reached);
  }
}

static void
add_cases (void)
{
  ADD_ROWS ("/nvmm/components", kinds, test_components);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    if (g_str_has_suffix (kinds[i].name, "NV12") || g_str_has_suffix (kinds[i].name, "I420"))
      add_case ("/nvmm/chroma", kinds[i].name, &kinds[i], test_chroma);
    if (g_str_has_suffix (kinds[i].name, "NV12")) {
      add_case ("/nvmm/steady", kinds[i].name, &kinds[i], test_steady);
      add_case ("/nvmm/failures", kinds[i].name, &kinds[i], test_failures);
    }
  }
  add_case ("/nvmm/pictures", "cuda", CUDA_MEMORY ",format=RGBA", test_pictures);
  add_case ("/nvmm/pictures", "system", "video/x-raw,format=RGBA", test_pictures);
  ADD_ROWS ("/nvmm/refused", refusals, test_refusal);
  ADD_TESTS ("/nvmm", test_negotiation, test_batch_of_one, test_device, test_shared_context, test_image_of_others,
             test_image_of_several, test_no_pool, test_changes, test_growth);
}

int
main (int argc, char **argv)
{
  void *library = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

  fake = library ? dlsym (library, "fake_cuda") : NULL;
  return cuda_test_main (argc, argv, "/nvmm", add_cases);
}
