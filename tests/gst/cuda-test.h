/* gst-cca: shared by the tests on a GPU
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "element-test.h"

#include <gst/cuda/gstcudabufferpool.h>
#include <gst/cuda/gstcudacontext.h>
#include <gst/cuda/gstcudaloader.h>
#include <gst/cuda/gstcudamemory.h>
#include <gst/cuda/gstcudautils.h>

#define CUDA_MEMORY "video/x-raw(memory:CUDAMemory)"

/* Adds cases that need a GPU; without one, adds a single skipped case. */
void cuda_test_add (const gchar *folder, void (*add_cases) (void));
/* Is the main function of a program with only such cases. */
int cuda_test_main (int argc, char **argv, const gchar *folder, void (*add_cases) (void));

/* Skip the case and return TRUE if there is no GPU, or no such element of nvcodec. */
gboolean cuda_test_skip_without_gpu (void);
gboolean cuda_test_skip_without (const gchar *element);

/* A source of the frames of test_frame() in CUDA memory. */
typedef struct
{
  GstCudaContext *context;
  GstBufferPool *pool;
  GstVideoInfo info;
  GstCaps *caps;
} CudaSource;

/* Opens a source in a context; NULL: one shared by all sources, because making one takes long. */
CudaSource cuda_source_open (GstCudaContext *context, const gchar *format, guint width, guint height);
GstBuffer *cuda_source_frame (CudaSource *source, guint seed);
void cuda_source_close (CudaSource *source);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CudaSource, cuda_source_close)

/* Returns a harness around an element in the source's context, with the source's caps before it, and caps or NULL after
 * it. */
GstHarness *cuda_source_harness (const CudaSource *source, const gchar *launch, const gchar *downstream);

/* Returns the context of a buffer, which must be in CUDA memory, without a reference. */
GstCudaContext *cuda_test_memory_context (GstBuffer *buffer);

/* Returns the context that an element shares with its neighbours, without a reference; or NULL. */
GstCudaContext *cuda_test_element_context (GstElement *element);

/* Returns whether libgstcuda can hold such frames: its NV21 of odd height lacks a row from GStreamer 1.24 on. */
gboolean cuda_test_is_possible (const gchar *format, guint height);

/* Returns whether libgstcuda also copies all chroma of such frames to and from system memory. If planes of chroma have
 * half the height, 1.22 loses half a row of odd heights, and 1.24 before 1.24.4 the ends of all rows of the last
 * plane. */
gboolean cuda_test_keeps_chroma (const gchar *format, guint height);

/* Skips the case and returns TRUE if libgstcuda loses chroma even of frames of even height. */
gboolean cuda_test_skip_lost_chroma (const gchar *format);

/* Returns the first byte of a component's value. */
guint8 cuda_test_sample (const GstVideoFrame *frame, guint component, gint x, gint y);

/* Asserts that two buffers in any memory have the same pixels; ignores padding. */
void cuda_test_assert_same_pixels (GstBuffer *is, GstBuffer *should, const GstVideoInfo *info);

gboolean cuda_test_is_cuda (const GstCaps *caps);

/* Returns the reference for foreground=threshold. */
TestReference *cuda_test_reference (guint width, guint height, CcaOutput output);
