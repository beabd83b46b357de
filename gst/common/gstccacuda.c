/* gst-cca: GStreamer's CUDA contexts, memory and streams
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GStreamer 1.22 knows no streams: an element has finished writing CUDA memory when it pushes the buffer. From 1.24 on
 * a memory may have a stream, on which work is still under way when it arrives. Both make streams that wait for the
 * context's default stream, on which copies between memories run.
 */
#include "gstccacuda.h"

#include "gstccadriver.h"
#include "gstccanvmm.h"
#include "gstccapost.h"

#include <gst/cuda/gstcudabufferpool.h>
#include <gst/cuda/gstcudacontext.h>
#include <gst/cuda/gstcudaloader.h>
#include <gst/cuda/gstcudamemory.h>
#include <gst/cuda/gstcudautils.h>

/* --- Streams, by version ----------------------------------------------------------------------------- */

#if GST_CHECK_VERSION(1, 24, 0)
#include <gst/cuda/gstcudastream.h>

static gpointer
make_stream (GstCudaContext *context)
{
  return gst_cuda_stream_new (context);
}

static void
drop_stream (GstCcaCuda *cuda)
{
  if (cuda->stream)
    gst_cuda_stream_unref (cuda->stream);
  cuda->stream = NULL;
}

static gpointer
order_streams (const GstCcaCuda *cuda, GstCudaMemory *input, GstCudaMemory *output)
{
  GstCudaStream *before = input ? gst_cuda_memory_get_stream (input) : NULL,
                *after = output ? gst_cuda_memory_get_stream (output) : NULL;
  GstCudaStream *stream = after ? after : before ? before : cuda->stream;

  if (before && before != stream)
    gst_cuda_memory_sync (input);
  return gst_cuda_stream_get_handle (stream);
}

static void
configure_stream (const GstCcaCuda *cuda, GstStructure *config)
{
  if (cuda->stream)
    gst_buffer_pool_config_set_cuda_stream (config, cuda->stream);
}
#else
static gpointer
make_stream (GstCudaContext *context)
{
  CUstream stream = NULL;

  if (gst_cuda_context_push (context)) {
    if (CuStreamCreate (&stream, CU_STREAM_DEFAULT) != CUDA_SUCCESS)
      stream = NULL;
    gst_cuda_context_pop (NULL);
  }
  return stream;
}

static void
drop_stream (GstCcaCuda *cuda)
{
  if (cuda->stream && gst_cuda_context_push (cuda->context)) {
    CuStreamDestroy (cuda->stream);
    gst_cuda_context_pop (NULL);
  }
  cuda->stream = NULL;
}

static gpointer
order_streams (const GstCcaCuda *cuda, GstCudaMemory *input, GstCudaMemory *output)
{
  return cuda->stream;
}

static void
configure_stream (const GstCcaCuda *cuda, GstStructure *config)
{
}
#endif

/* Functions of the driver that libgstcuda does not offer, or in some versions only; NULL where there are none. */
typedef struct
{
  __typeof__ (cuMemsetD2D8Async) *fill;
  __typeof__ (cuMemHostRegister) *pin;
  __typeof__ (cuMemHostUnregister) *unpin;
  __typeof__ (cuDevicePrimaryCtxRetain) *retain_primary;
  __typeof__ (cuDevicePrimaryCtxRelease) *release_primary;
} Driver;

static const Driver *
driver (void)
{
  static gsize opened;
  static Driver functions;

  if (g_once_init_enter (&opened)) {
    functions.fill = gst_cca_cuda_function ("cuMemsetD2D8Async");
    functions.pin = gst_cca_cuda_function ("cuMemHostRegister_v2");
    functions.unpin = gst_cca_cuda_function ("cuMemHostUnregister");
    functions.retain_primary = gst_cca_cuda_function ("cuDevicePrimaryCtxRetain");
    functions.release_primary = gst_cca_cuda_function ("cuDevicePrimaryCtxRelease_v2");
    g_once_init_leave (&opened, 1);
  }
  return &functions;
}

/* --- Kernels ----------------------------------------------------------------------------------------- */

static gboolean
check (CUresult result, const gchar *what, GError **error)
{
  return gst_cca_cuda_check (result, GST_RESOURCE_ERROR_FAILED, "CUDA", what, error);
}

static gboolean
enter (const GstCcaCuda *cuda, GError **error)
{
  if (cuda->context && gst_cuda_context_push (cuda->context))
    return TRUE;
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED, "CUDA: the context cannot be used");
  return FALSE;
}

static void
release_memory (GstCcaCudaKernels *kernels)
{
  if (kernels->host)
    CuMemFreeHost (kernels->host);
  if (kernels->device)
    CuMemFree ((CUdeviceptr) GPOINTER_TO_SIZE (kernels->device));
  kernels->host = kernels->device = NULL;
  kernels->host_size = kernels->device_size = 0;
}

/* A file of kernels in a context. Elements share it while they have it, which keeps the context. */
typedef struct
{
  GstCudaContext *context;
  gconstpointer fatbin;
  CUmodule handle;
  guint n_users;
} Module;

static GMutex modules_mutex;
static GPtrArray *modules; /* all of the process, with the mutex held */

static Module *
find_module (GstCudaContext *context, gconstpointer fatbin)
{
  if (!modules)
    modules = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < modules->len; i++) {
    Module *module = g_ptr_array_index (modules, i);

    if (module->context == context && module->fatbin == fatbin)
      return module;
  }
  return NULL;
}

static Module *
take_module (GstCudaContext *context, gconstpointer fatbin, GError **error)
{
  Module *module;
  CUmodule handle = NULL;

  g_mutex_lock (&modules_mutex);
  module = find_module (context, fatbin);
  if (!module && check (CuModuleLoadData (&handle, fatbin), "the kernels cannot be loaded", error)) {
    module = g_new (Module, 1);
    *module = (Module) { context, fatbin, handle, 0 };
    g_ptr_array_add (modules, module);
  }
  if (module)
    module->n_users++;
  g_mutex_unlock (&modules_mutex);
  return module;
}

static void
drop_module (Module *module, gboolean lost)
{
  g_mutex_lock (&modules_mutex);
  if (--module->n_users == 0) {
    if (!lost)
      CuModuleUnload (module->handle);
    g_ptr_array_remove_fast (modules, module);
  }
  g_mutex_unlock (&modules_mutex);
}

static gboolean
load (GstCcaCuda *cuda, gconstpointer fatbin, const gchar *const *names, guint n, GError **error)
{
  Module *module = take_module (cuda->context, fatbin, error);
  CUfunction *functions = (CUfunction *) cuda->kernels.functions;

  cuda->kernels.module = module;
  for (guint i = 0; module && i < n; i++)
    if (!check (CuModuleGetFunction (&functions[i], module->handle, names[i]), names[i], error))
      return FALSE;
  return module != NULL;
}

/* While the context is still open. */
static void
unload (GstCcaCuda *cuda)
{
  gboolean entered;

  if (!cuda->kernels.module)
    return;
  entered = enter (cuda, NULL);
  if (entered)
    release_memory (&cuda->kernels);
  drop_module (cuda->kernels.module, !entered);
  if (entered)
    gst_cuda_context_pop (NULL);
  cuda->kernels = (GstCcaCudaKernels) { 0 };
}

gboolean
gst_cca_cuda_load (GstCcaCuda *cuda, gconstpointer fatbin, const gchar *const *names, guint n, GError **error)
{
  gboolean loaded;

  if (cuda->kernels.module)
    return TRUE;
  if (!enter (cuda, error))
    return FALSE;
  loaded = load (cuda, fatbin, names, n, error);
  gst_cuda_context_pop (NULL);
  if (!loaded)
    unload (cuda);
  return loaded;
}

/* --- Contexts ---------------------------------------------------------------------------------------- */

gboolean
gst_cca_cuda_is_built (void)
{
  return TRUE;
}

void
gst_cca_cuda_init (GstCcaCuda *cuda, GstElement *element)
{
  *cuda = (GstCcaCuda) { .element = element };
}

static gint
ordinal (GstCudaContext *context)
{
  guint device;

  g_object_get (context, "cuda-device-id", &device, NULL);
  return (gint) device;
}

/* Takes the reference. */
static void
put_context (GstCcaCuda *cuda, GstCudaContext *context)
{
  GstCudaContext *old;

  GST_OBJECT_LOCK (cuda->element);
  old = cuda->context;
  cuda->context = context;
  GST_OBJECT_UNLOCK (cuda->element);
  g_clear_object (&old);
}

#define LOST "cca-lost"

void
gst_cca_cuda_lose (GstCcaCuda *cuda)
{
  if (cuda->context)
    g_object_set_data (G_OBJECT (cuda->context), LOST, GINT_TO_POINTER (TRUE));
}

static gboolean
is_lost (GstCudaContext *context)
{
  return g_object_get_data (G_OBJECT (context), LOST) != NULL;
}

/* Offers the element its peer's context; returns TRUE, to try the next pad, while it has none. */
static gboolean
ask_peer (GstElement *element, GstPad *pad, gpointer cuda)
{
  g_autoptr (GstQuery) query = gst_query_new_context (GST_CUDA_CONTEXT_TYPE);
  GstContext *context = NULL;

  if (gst_pad_peer_query (pad, query))
    gst_query_parse_context (query, &context);
  if (context)
    gst_element_set_context (element, context);
  return !((GstCcaCuda *) cuda)->context;
}

/* Asks neighbours, and then bins and the application, whose answers call the element's set_context: hence no lock. */
static void
ask_for_context (GstCcaCuda *cuda)
{
  GstElement *element = cuda->element;

  if (!cuda->context)
    gst_element_foreach_src_pad (element, ask_peer, cuda);
  if (!cuda->context)
    gst_element_foreach_sink_pad (element, ask_peer, cuda);
  if (!cuda->context)
    gst_element_post_message (element, gst_message_new_need_context (GST_OBJECT (element), GST_CUDA_CONTEXT_TYPE));
}

#define MAX_DEVICES 64

/* The device comes plus one, as NULL is no data. */
static void
release_primary (gpointer device)
{
  driver ()->release_primary (GPOINTER_TO_INT (device) - 1);
}

static GstCudaContext *
new_primary_context (guint number)
{
  const Driver *functions = driver ();
  GstCudaContext *context;
  CUcontext handle;
  CUdevice device;

  if (!functions->retain_primary || !functions->release_primary || CuDeviceGet (&device, (int) number) != CUDA_SUCCESS
      || functions->retain_primary (&handle, device) != CUDA_SUCCESS)
    return NULL;
  context = gst_cuda_context_new_wrapped (handle, device);
  if (context)
    g_object_set_data_full (G_OBJECT (context), "cca-primary", GINT_TO_POINTER (device + 1), release_primary);
  else
    functions->release_primary (device);
  return context;
}

/* Returns the context on a device that elements of the process share, or NULL: a GPU serves several contexts in turns,
 * and each takes memory and time to make. Those of others are not shared, as they may be gone earlier. The primary one
 * is for memory that CUDA's runtime allocated. */
static GstCudaContext *
take_shared_context (guint device, gboolean primary)
{
  static GMutex mutex;
  static GWeakRef contexts[2][MAX_DEVICES];
  GWeakRef *shared = &contexts[primary ? 1 : 0][device % MAX_DEVICES];
  GstCudaContext *context;

  if (device >= MAX_DEVICES)
    return NULL;
  g_mutex_lock (&mutex);
  context = g_weak_ref_get (shared);
  if (context && is_lost (context))
    g_clear_object (&context);
  if (!context) {
    context = primary ? new_primary_context (device) : gst_cuda_context_new (device);
    g_weak_ref_set (shared, context);
  }
  g_mutex_unlock (&mutex);
  return context;
}

/* Tells bins and the application of the context. */
static void
offer_context (GstCcaCuda *cuda)
{
  GstContext *context = gst_context_new_cuda_context (cuda->context);

  gst_element_post_message (cuda->element, gst_message_new_have_context (GST_OBJECT (cuda->element), context));
}

void
gst_cca_cuda_open (GstCcaCuda *cuda, gint device)
{
  /* The property may have changed since a context was set. */
  if (cuda->context && device >= 0 && ordinal (cuda->context) != device)
    put_context (cuda, NULL);
  if (!gst_cuda_load_library ())
    return;
  ask_for_context (cuda);
  if (!cuda->context) {
    put_context (cuda, take_shared_context ((guint) MAX (device, 0), FALSE));
    if (!cuda->context)
      return;
    offer_context (cuda);
  }
  gst_cuda_memory_init_once ();
  cuda->stream = make_stream (cuda->context);
}

void
gst_cca_cuda_close (GstCcaCuda *cuda)
{
  unload (cuda);
  gst_cca_nvmm_forget (cuda);
  drop_stream (cuda);
  put_context (cuda, NULL);
}

gpointer
gst_cca_cuda_native (const GstCcaCuda *cuda)
{
  return cuda->context ? gst_cuda_context_get_handle (cuda->context) : NULL;
}

void
gst_cca_cuda_set_context (GstCcaCuda *cuda, GstContext *context, gint device)
{
  GstCudaContext *offered = NULL;

  if (!gst_cuda_handle_set_context (cuda->element, context, device, &offered))
    return;
  if (!offered)
    return;
  /* One in use stays. Bins remember contexts, lost ones too. */
  GST_OBJECT_LOCK (cuda->element);
  if (!cuda->context && !is_lost (offered))
    cuda->context = g_steal_pointer (&offered);
  GST_OBJECT_UNLOCK (cuda->element);
  g_clear_object (&offered);
}

gboolean
gst_cca_cuda_answer_query (GstCcaCuda *cuda, GstQuery *query)
{
  GstCudaContext *context;
  gboolean answered;

  GST_OBJECT_LOCK (cuda->element);
  context = cuda->context ? gst_object_ref (cuda->context) : NULL;
  GST_OBJECT_UNLOCK (cuda->element);
  answered = gst_cuda_handle_context_query (cuda->element, query, context);
  g_clear_object (&context);
  return answered;
}

/* --- Memory ------------------------------------------------------------------------------------------ */

/* A buffer's, or NULL where it lies elsewhere. */
static GstCudaMemory *
cuda_memory (GstBuffer *buffer)
{
  GstMemory *memory = buffer && gst_buffer_n_memory (buffer) == 1 ? gst_buffer_peek_memory (buffer, 0) : NULL;

  return gst_is_cuda_memory (memory) ? (GstCudaMemory *) memory : NULL;
}

static GstCudaMemory *
own_memory (const GstCcaCuda *cuda, GstBuffer *buffer)
{
  GstCudaMemory *memory = cuda_memory (buffer);

  return memory && memory->context == cuda->context ? memory : NULL;
}

/* Of a buffer in CUDA memory. */
static GstCudaContext *
context_of (GstBuffer *buffer)
{
  return ((GstCudaMemory *) gst_buffer_peek_memory (buffer, 0))->context;
}

/* The same of one in NVMM memory, too, with a reference; NULL where there is none. */
static GstCudaContext *
take_context_of (const GstCcaCuda *cuda, GstBuffer *buffer)
{
  return cuda->nvmm ? take_shared_context ((guint) gst_cca_nvmm_device_of (buffer), TRUE)
                    : gst_object_ref (context_of (buffer));
}

gboolean
gst_cca_cuda_is_foreign (const GstCcaCuda *cuda, GstBuffer *buffer)
{
  GstCudaContext *context;
  gboolean foreign;

  if (cuda->nvmm ? gst_cca_nvmm_device_of (buffer) < 0 : !cuda_memory (buffer))
    return FALSE;
  context = take_context_of (cuda, buffer);
  foreign = !context || context != cuda->context;
  g_clear_object (&context);
  return foreign;
}

gint
gst_cca_cuda_device_of (const GstCcaCuda *cuda, GstBuffer *buffer)
{
  return cuda->nvmm ? gst_cca_nvmm_device_of (buffer) : ordinal (context_of (buffer));
}

void
gst_cca_cuda_follow (GstCcaCuda *cuda, GstBuffer *buffer)
{
  unload (cuda);
  gst_cca_nvmm_forget (cuda);
  drop_stream (cuda);
  put_context (cuda, take_context_of (cuda, buffer));
  cuda->stream = cuda->context ? make_stream (cuda->context) : NULL;
}

GstMapFlags
gst_cca_cuda_map_flag (const GstCcaCuda *cuda, GstBuffer *buffer)
{
  return own_memory (cuda, buffer) ? (GstMapFlags) GST_MAP_CUDA : (GstMapFlags) 0;
}

const GstVideoInfo *
gst_cca_cuda_layout (GstBuffer *buffer)
{
  GstCudaMemory *memory = cuda_memory (buffer);

  return memory ? &memory->info : NULL;
}

gpointer
gst_cca_cuda_stream (const GstCcaCuda *cuda, GstBuffer *input, GstBuffer *output)
{
  return order_streams (cuda, own_memory (cuda, input), own_memory (cuda, output));
}

gboolean
gst_cca_cuda_fill (const GstCcaCuda *cuda, gpointer stream, gpointer data, gsize pitch, gsize row_bytes, gsize n_rows,
                   guint8 value)
{
  const Driver *functions = driver ();
  gboolean filled;

  if (!functions->fill || !gst_cuda_context_push (cuda->context))
    return FALSE;
  filled =
      functions->fill ((CUdeviceptr) GPOINTER_TO_SIZE (data), pitch, value, row_bytes, n_rows, stream) == CUDA_SUCCESS;
  gst_cuda_context_pop (NULL);
  return filled;
}

/* --- System memory ----------------------------------------------------------------------------------- */

/* Pinning takes longer than copying a frame, and pays for memory that comes again and again, as that of pools does. */
#define SIGHTS_BEFORE_PIN 3

/* The data of a pinned block. */
typedef struct
{
  GstCudaContext *context;
  gpointer data;
} Pin;

/* The block is about to be freed. */
static void
drop_pin (gpointer data)
{
  Pin *pin = data;

  if (gst_cuda_context_push (pin->context)) {
    driver ()->unpin (pin->data);
    gst_cuda_context_pop (NULL);
  }
  gst_object_unref (pin->context);
  g_free (pin);
}

static void
pin_block (GstMiniObject *block, GstCudaContext *context, gpointer data)
{
  Pin *pin;

  if (!driver ()->pin || !driver ()->unpin || !gst_cuda_context_push (context))
    return;
  if (driver ()->pin (data, ((GstMemory *) block)->maxsize, CU_MEMHOSTREGISTER_PORTABLE) == CUDA_SUCCESS) {
    pin = g_new (Pin, 1);
    *pin = (Pin) { gst_object_ref (context), data };
    gst_mini_object_set_qdata (block, g_quark_from_static_string ("cca-pin"), pin, drop_pin);
  }
  gst_cuda_context_pop (NULL);
}

void
gst_cca_cuda_see (const GstCcaCuda *cuda, const GstMapInfo *map)
{
  static GMutex mutex; /* several elements may see a block at once */
  static GQuark sights;
  GstMiniObject *block;
  guint n;

  if (!cuda->context || !gst_memory_is_type (map->memory, GST_ALLOCATOR_SYSMEM))
    return;
  block = GST_MINI_OBJECT_CAST (map->memory->parent ? map->memory->parent : map->memory);
  g_mutex_lock (&mutex);
  if (!sights)
    sights = g_quark_from_static_string ("cca-sights");
  n = GPOINTER_TO_UINT (gst_mini_object_get_qdata (block, sights)) + 1;
  if (n <= SIGHTS_BEFORE_PIN)
    gst_mini_object_set_qdata (block, sights, GUINT_TO_POINTER (n), NULL);
  if (n == SIGHTS_BEFORE_PIN)
    pin_block (block, cuda->context, map->data - map->memory->offset);
  g_mutex_unlock (&mutex);
}

/* --- Work on the device ------------------------------------------------------------------------------ */

gboolean
gst_cca_cuda_reserve (GstCcaCuda *cuda, gsize host_size, gsize device_size, GError **error)
{
  GstCcaCudaKernels *kernels = &cuda->kernels;
  CUdeviceptr device = 0;
  gboolean done;

  if (host_size <= kernels->host_size && device_size <= kernels->device_size)
    return TRUE;
  if (!enter (cuda, error))
    return FALSE;
  release_memory (kernels);
  done = check (CuMemAllocHost (&kernels->host, host_size), "no memory of the host", error)
         && check (CuMemAlloc (&device, device_size), "no memory of the device", error);
  kernels->device = GSIZE_TO_POINTER (device);
  kernels->host_size = host_size;
  kernels->device_size = device_size;
  if (!done)
    release_memory (kernels);
  gst_cuda_context_pop (NULL);
  return done;
}

static gboolean
enqueue (CUstream stream, const GstCcaCudaKernels *kernels, gsize offset, gsize n_bytes,
         const GstCcaCudaLaunch *launches, guint n, GError **error)
{
  const CUDA_MEMCPY2D upload = {
    .srcMemoryType = CU_MEMORYTYPE_HOST,
    .srcHost = kernels->host,
    .dstMemoryType = CU_MEMORYTYPE_DEVICE,
    .dstDevice = (CUdeviceptr) GPOINTER_TO_SIZE (kernels->device) + offset,
    .WidthInBytes = n_bytes,
    .Height = 1,
  };

  if (n_bytes > 0 && !check (CuMemcpy2DAsync (&upload, stream), "a frame's arguments cannot be copied", error))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    gpointer params[] = { launches[i].params };

    if (!check (CuLaunchKernel (kernels->functions[launches[i].kernel], launches[i].columns, launches[i].rows, 1,
                                launches[i].n_threads, 1, 1, 0, stream, params, NULL),
                "a kernel cannot run", error))
      return FALSE;
  }
  return TRUE;
}

/* Waits in any case: the enqueued work uses the host's memory. */
gboolean
gst_cca_cuda_run (const GstCcaCuda *cuda, gpointer stream, gsize offset, gsize n_bytes,
                  const GstCcaCudaLaunch *launches, guint n, GError **error)
{
  gboolean done;

  if (!enter (cuda, error))
    return FALSE;
  done = enqueue (stream, &cuda->kernels, offset, n_bytes, launches, n, error);
  done = check (CuStreamSynchronize (stream), "a frame failed", done ? error : NULL) && done;
  gst_cuda_context_pop (NULL);
  return done;
}

void
gst_cca_cuda_fail (GstCcaCuda *cuda, const GError *error)
{
  gst_cca_cuda_lose (cuda);
  gst_cca_post (cuda->element, GST_MESSAGE_ERROR, error->domain, error->code, "%s", error->message);
}

/* --- Pools ------------------------------------------------------------------------------------------- */

GstBufferPool *
gst_cca_cuda_pool_new (const GstCcaCuda *cuda, GstCaps *caps, guint *size)
{
  GstBufferPool *pool;
  GstStructure *config;
  GstVideoInfo info;

  if (!cuda->context || !gst_video_info_from_caps (&info, caps))
    return NULL;
  pool = gst_cuda_buffer_pool_new (cuda->context);
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, (guint) GST_VIDEO_INFO_SIZE (&info), 0, 0);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  configure_stream (cuda, config);
  if (!gst_buffer_pool_set_config (pool, config)) {
    gst_object_unref (pool);
    return NULL;
  }
  /* The pool knows the pitch. */
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_get_params (config, NULL, size, NULL, NULL);
  gst_structure_free (config);
  return pool;
}

gboolean
gst_cca_cuda_has_pool (const GstCcaCuda *cuda, GstBufferPool *pool)
{
  return GST_IS_CUDA_BUFFER_POOL (pool) && GST_CUDA_BUFFER_POOL_CAST (pool)->context == cuda->context;
}
