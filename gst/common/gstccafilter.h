/* gst-cca: base of elements that read a meta of each video frame and add one
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Frames pass in place, in any memory. The base has the properties id and post-messages. It chooses the meta, warns
 * once of each problem with it, and keeps the time. It is compiled into each plugin, which names its type by
 * GST_CCA_FILTER_NAME.
 */
#pragma once

#include <gst/base/gstbasetransform.h>

#include "gstccatimes.h"

#define GST_TYPE_CCA_FILTER (gst_cca_filter_get_type ())
#define GST_CCA_FILTER(object) ((GstCcaFilter *) (object))
#define GST_CCA_FILTER_CLASS(klass) ((GstCcaFilterClass *) (klass))

/* Ids above this one are free for a subclass's own properties. */
#define GST_CCA_FILTER_LAST_PROP 16

typedef struct
{
  GstBaseTransform parent;

  /* The properties, under the object lock. */
  GRefString *id; /* NULL: the first meta's */
  gboolean post_messages;

  /* Of the streaming thread, set before filter(). */
  GRefString *source;        /* the id of the metas that are read; NULL before the first */
  guint width, height;       /* of the frame that the meta's coordinates refer to, pixels; 0 before the first */
  gboolean resized;          /* these differ from the last frame's */
  GstCcaMessageTimes times;  /* of the frame */
  GstCcaClock clock;         /* of running time */
  GstCcaClockStep step;      /* how the frame's time follows the last one's */
  const gchar *trouble;      /* of the camera, as ccacamera told it; NULL: it is well */
  gboolean doubt;            /* the camera's state is well, but ccacamera doubts it */
  GstClockTime last_message; /* for gst_cca_message_is_due(); GST_CLOCK_TIME_NONE on another timeline */
  guint warned;              /* the subclass's bits: problems already reported; 0 after a start */

  /*< private >*/
  GstClockTime frame_duration; /* as the caps say; or GST_CLOCK_TIME_NONE */
  guint told;
} GstCcaFilter;

/* A subclass calls the base's start() before its own. */
typedef struct
{
  GstBaseTransformClass parent_class;

  GType (*get_api) (void); /* of the meta */
  gsize stale;             /* the offset of the meta's member */
  const gchar *reads;      /* the items of the meta, such as "components" */
  const gchar *idle;       /* the consequence of a missing meta, such as "Nothing is tracked" */
  gboolean forgets_size;   /* frames of another size are another stream */

  /* Sets *meta to the buffer's input for filter(), or to NULL if it has none: by default the meta with this id, or the
   * first for NULL. It is valid as long as id and buffer are. Returns FALSE after an error, which it posted. From the
   * streaming thread. */
  gboolean (*find) (GstCcaFilter *self, GstBuffer *buffer, const gchar *id, gconstpointer *meta);
  /* Reads the meta and adds another to the writable buffer. From the streaming thread. */
  GstFlowReturn (*filter) (GstCcaFilter *self, GstBuffer *buffer, gconstpointer meta);
  /* Forgets the frames so far: another timeline or analysis begins. From the streaming thread. */
  void (*forget) (GstCcaFilter *self);
  /* A buffer has no such meta; NULL: ignores it. From the streaming thread. */
  void (*miss) (GstCcaFilter *self, GstBuffer *buffer);
} GstCcaFilterClass;

GType gst_cca_filter_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaFilter, gst_object_unref)

/* Posts the error that memory is exhausted for the `what` of a frame with n items. Returns GST_FLOW_ERROR. */
GstFlowReturn gst_cca_filter_no_memory (GstCcaFilter *self, const gchar *what, guint n);
