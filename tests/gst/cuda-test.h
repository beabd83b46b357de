/* gst-cca: what the tests on a GPU share
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

/* Adds cases that need a GPU; without one they are one case, which is skipped. */
void cuda_test_add (const gchar *folder, void (*add_cases) (void));
/* The main function of a program that has only such cases. */
int cuda_test_main (int argc, char **argv, const gchar *folder, void (*add_cases) (void));

/* Whether the case was skipped, as there is no GPU; or no such element of nvcodec either. */
gboolean cuda_test_skip_without_gpu (void);
gboolean cuda_test_skip_without (const gchar *element);

/* Frames in CUDA memory, those of test_frame(). */
typedef struct
{
  GstCudaContext *context;
  GstBufferPool *pool;
  GstVideoInfo info;
  GstCaps *caps;
} CudaSource;

/* In a context, or NULL for one that all these share, as making one takes long. */
CudaSource cuda_source_open (GstCudaContext *context, const gchar *format, guint width, guint height);
GstBuffer *cuda_source_frame (CudaSource *source, guint seed);
void cuda_source_close (CudaSource *source);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CudaSource, cuda_source_close)

/* A harness with the source's caps before an element in its context, and caps or NULL behind it. */
GstHarness *cuda_source_harness (const CudaSource *source, const gchar *launch, const gchar *downstream);

/* The context of a buffer, which must be in CUDA memory; without a reference. */
GstCudaContext *cuda_test_memory_context (GstBuffer *buffer);

/* The context that an element tells its neighbours, without a reference; or NULL. */
GstCudaContext *cuda_test_element_context (GstElement *element);

/* Whether libgstcuda can hold such frames: its NV21 of odd height is a row short from GStreamer 1.24 on. */
gboolean cuda_test_is_possible (const gchar *format, guint height);

/* Whether it also copies all chroma of such frames to and from system memory. Where planes of chroma have half the
 * height, 1.22 loses half a row of odd heights, and 1.24 before 1.24.4 the ends of all rows of the last plane. */
gboolean cuda_test_keeps_chroma (const gchar *format, guint height);

/* Skips the case and returns TRUE if it never does. */
gboolean cuda_test_skip_lost_chroma (const gchar *format);

/* The first byte of a component's value. */
guint8 cuda_test_sample (const GstVideoFrame *frame, guint component, gint x, gint y);

/* Of two buffers in any memory; without the padding of rows, which nobody owns. */
void cuda_test_assert_same_pixels (GstBuffer *is, GstBuffer *should, const GstVideoInfo *info);

gboolean cuda_test_is_cuda (const GstCaps *caps);

/* What foreground=threshold finds. */
TestReference *cuda_test_reference (guint width, guint height, CcaOutput output);
