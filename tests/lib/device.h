/* gst-cca: a GPU as the callers of libcca have it, with contexts, streams and memory of their own
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The driver is opened at run time and needs no header, so that tests build without CUDA. Contexts are CUcontexts,
 * streams CUstreams. A context of NULL is the primary one of the first GPU, in which libcca works where it is given
 * none. Whatever fails here ends the program.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Returns the number of GPUs; 0 without a driver. */
int device_count (void);

/* Returns the compute capability of a GPU, 10 * major + minor. */
int device_generation (int ordinal);

/* Keeps the primary context of the first GPU, if there is one, until the program ends: making it anew takes longer than
 * a test. */
void device_keep (void);

void *device_context_new (int ordinal);
void device_context_free (void *context);
/* Returns the calling thread's current context, or NULL. */
void *device_context_current (void);

void *device_alloc (void *context, size_t bytes);
void device_free (void *context, void *memory); /* NULL is allowed */
/* Pin bytes of host memory, and unpin them before they are freed. */
void device_pin (void *context, void *memory, size_t bytes);
void device_unpin (void *context, void *memory);
void device_upload (void *context, void *memory, const void *bytes, size_t n);
void device_download (void *context, void *bytes, const void *memory, size_t n);

/* Makes a stream, which does not wait for the default stream. */
void *device_stream_new (void *context);
void device_stream_free (void *context, void *stream);
/* Enqueues a call, which must not use the driver. */
void device_stream_call (void *context, void *stream, void (*f) (void *data), void *data);
/* Enqueues work: n bytes of zeros. */
void device_stream_clear (void *context, void *stream, void *memory, size_t n);
void device_stream_wait (void *context, void *stream);
