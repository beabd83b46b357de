/* gst-cca: GStreamer's CUDA contexts, memory and streams, in a build without libgstcuda
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccacuda.h"

void
gst_cca_cuda_init (GstCcaCuda *cuda, GstElement *element)
{
  *cuda = (GstCcaCuda) { .element = element };
}

/* Nothing is in CUDA memory, so a function has one answer, whatever its arguments. */
#define ANSWER(type, function, parameters, value)                                                                      \
  type gst_cca_cuda_##function parameters                                                                              \
  {                                                                                                                    \
    return value;                                                                                                      \
  }

ANSWER (gboolean, is_built, (void), FALSE)
ANSWER (void, open, (GstCcaCuda * cuda, gint device), )
ANSWER (void, close, (GstCcaCuda * cuda), )
ANSWER (void, lose, (GstCcaCuda * cuda), )
ANSWER (gpointer, native, (const GstCcaCuda *cuda), NULL)
ANSWER (void, set_context, (GstCcaCuda * cuda, GstContext *context, gint device), )
ANSWER (gboolean, answer_query, (GstCcaCuda * cuda, GstQuery *query), FALSE)
ANSWER (gboolean, is_foreign, (const GstCcaCuda *cuda, GstBuffer *buffer), FALSE)
ANSWER (gint, device_of, (const GstCcaCuda *cuda, GstBuffer *buffer), -1)
ANSWER (void, follow, (GstCcaCuda * cuda, GstBuffer *buffer), )
ANSWER (GstMapFlags, map_flag, (const GstCcaCuda *cuda, GstBuffer *buffer), (GstMapFlags) 0)
ANSWER (const GstVideoInfo *, layout, (GstBuffer * buffer), NULL)
ANSWER (gpointer, stream, (const GstCcaCuda *cuda, GstBuffer *input, GstBuffer *output), NULL)
ANSWER (gboolean, fill,
        (const GstCcaCuda *cuda, gpointer stream, gpointer data, gsize pitch, gsize row_bytes, gsize n_rows,
         guint8 value),
        FALSE)
ANSWER (void, see, (const GstCcaCuda *cuda, const GstMapInfo *map), )
ANSWER (GstBufferPool *, pool_new, (const GstCcaCuda *cuda, GstCaps *caps, guint *size), NULL)
ANSWER (gboolean, has_pool, (const GstCcaCuda *cuda, GstBufferPool *pool), FALSE)
