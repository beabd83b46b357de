/* gst-cca: a GPU as the callers of libcca have it, with contexts, streams and memory of their own
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "device.h"

#include <dlfcn.h>
#include <stdint.h>

#include <glib.h>

/* The driver's functions, by the names of its library; all return a CUresult. */
#define FUNCTIONS(F)                                                                                                   \
  F (cuInit, (unsigned flags))                                                                                         \
  F (cuDeviceGetCount, (int *count))                                                                                   \
  F (cuDeviceGet, (int *device, int ordinal))                                                                          \
  F (cuDeviceGetAttribute, (int *value, int attribute, int device))                                                    \
  F (cuDevicePrimaryCtxRetain, (void **context, int device))                                                           \
  F (cuCtxCreate_v2, (void **context, unsigned flags, int device))                                                     \
  F (cuCtxDestroy_v2, (void *context))                                                                                 \
  F (cuCtxPushCurrent_v2, (void *context))                                                                             \
  F (cuCtxPopCurrent_v2, (void **context))                                                                             \
  F (cuCtxGetCurrent, (void **context))                                                                                \
  F (cuMemAlloc_v2, (uint64_t *memory, size_t bytes))                                                                  \
  F (cuMemFree_v2, (uint64_t memory))                                                                                  \
  F (cuMemHostRegister_v2, (void *memory, size_t bytes, unsigned flags))                                               \
  F (cuMemHostUnregister, (void *memory))                                                                              \
  F (cuMemcpyHtoD_v2, (uint64_t to, const void *from, size_t bytes))                                                   \
  F (cuMemcpyDtoH_v2, (void *to, uint64_t from, size_t bytes))                                                         \
  F (cuMemsetD8Async, (uint64_t memory, unsigned char value, size_t bytes, void *stream))                              \
  F (cuStreamCreate, (void **stream, unsigned flags))                                                                  \
  F (cuStreamDestroy_v2, (void *stream))                                                                               \
  F (cuStreamSynchronize, (void *stream))                                                                              \
  F (cuLaunchHostFunc, (void *stream, void (*f) (void *data), void *data))

#define STREAM_NON_BLOCKING 1
#define REGISTER_PORTABLE 1
#define COMPUTE_CAPABILITY_MAJOR 75
#define COMPUTE_CAPABILITY_MINOR 76

typedef struct
{
#define MEMBER(name, parameters) int (*name) parameters;
  FUNCTIONS (MEMBER)
#undef MEMBER
  int n_devices;
  void *primary; /* of the first device, from device_keep() on */
} Driver;

/* Calls a function of the driver. */
#define CALL(name, ...) check (driver ()->name (__VA_ARGS__), #name)

static void
check (int result, const char *what)
{
  if (result != 0)
    g_error ("the test's own %s failed with %d", what, result);
}

static gpointer
open_driver (gpointer unused)
{
  static Driver opened;
  void *library = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

  if (library == NULL)
    return &opened;
#define LOAD(name, parameters)                                                                                         \
  *(void **) &opened.name = dlsym (library, #name);                                                                    \
  if (opened.name == NULL)                                                                                             \
    g_error ("libcuda.so.1 lacks %s", #name);
  FUNCTIONS (LOAD)
#undef LOAD
  if (opened.cuInit (0) != 0 || opened.cuDeviceGetCount (&opened.n_devices) != 0)
    opened.n_devices = 0;
  return &opened;
}

static Driver *
driver (void)
{
  static GOnce once = G_ONCE_INIT;

  return g_once (&once, open_driver, NULL);
}

int
device_count (void)
{
  return driver ()->n_devices;
}

int
device_generation (int ordinal)
{
  int device, major, minor;

  CALL (cuDeviceGet, &device, ordinal);
  CALL (cuDeviceGetAttribute, &major, COMPUTE_CAPABILITY_MAJOR, device);
  CALL (cuDeviceGetAttribute, &minor, COMPUTE_CAPABILITY_MINOR, device);
  return 10 * major + minor;
}

static gpointer
keep_primary (gpointer unused)
{
  int device;

  CALL (cuDeviceGet, &device, 0);
  CALL (cuDevicePrimaryCtxRetain, &driver ()->primary, device);
  return NULL;
}

void
device_keep (void)
{
  static GOnce once = G_ONCE_INIT;

  if (device_count () > 0)
    g_once (&once, keep_primary, NULL);
}

static void
enter (void *context)
{
  if (context == NULL)
    device_keep ();
  CALL (cuCtxPushCurrent_v2, context ? context : driver ()->primary);
}

static void
leave (void)
{
  void *context;

  CALL (cuCtxPopCurrent_v2, &context);
}

void *
device_context_new (int ordinal)
{
  void *context;
  int device;

  CALL (cuDeviceGet, &device, ordinal);
  CALL (cuCtxCreate_v2, &context, 0, device);
  leave (); /* a new context is current */
  return context;
}

void
device_context_free (void *context)
{
  CALL (cuCtxDestroy_v2, context);
}

void *
device_context_current (void)
{
  void *context;

  CALL (cuCtxGetCurrent, &context);
  return context;
}

void *
device_alloc (void *context, size_t bytes)
{
  uint64_t memory;

  enter (context);
  CALL (cuMemAlloc_v2, &memory, bytes);
  leave ();
  return (void *) (uintptr_t) memory;
}

void
device_free (void *context, void *memory)
{
  if (memory == NULL)
    return;
  enter (context);
  CALL (cuMemFree_v2, (uintptr_t) memory);
  leave ();
}

void
device_pin (void *context, void *memory, size_t bytes)
{
  enter (context);
  CALL (cuMemHostRegister_v2, memory, bytes, REGISTER_PORTABLE);
  leave ();
}

void
device_unpin (void *context, void *memory)
{
  enter (context);
  CALL (cuMemHostUnregister, memory);
  leave ();
}

void
device_upload (void *context, void *memory, const void *bytes, size_t n)
{
  enter (context);
  CALL (cuMemcpyHtoD_v2, (uintptr_t) memory, bytes, n);
  CALL (cuStreamSynchronize, NULL); /* small copies may still be on their way */
  leave ();
}

void
device_download (void *context, void *bytes, const void *memory, size_t n)
{
  enter (context);
  CALL (cuMemcpyDtoH_v2, bytes, (uintptr_t) memory, n);
  leave ();
}

void *
device_stream_new (void *context)
{
  void *stream;

  enter (context);
  CALL (cuStreamCreate, &stream, STREAM_NON_BLOCKING);
  leave ();
  return stream;
}

void
device_stream_free (void *context, void *stream)
{
  enter (context);
  CALL (cuStreamDestroy_v2, stream);
  leave ();
}

void
device_stream_call (void *context, void *stream, void (*f) (void *data), void *data)
{
  enter (context);
  CALL (cuLaunchHostFunc, stream, f, data);
  leave ();
}

void
device_stream_clear (void *context, void *stream, void *memory, size_t n)
{
  enter (context);
  CALL (cuMemsetD8Async, (uintptr_t) memory, 0, n, stream);
  leave ();
}

void
device_stream_wait (void *context, void *stream)
{
  enter (context);
  CALL (cuStreamSynchronize, stream);
  leave ();
}
