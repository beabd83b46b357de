/* gst-cca: the state of ccacombiner, and its full-size video
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstccacarrier.h"
#include "gstccatimes.h"
#include "matching.h"

#include <gst/base/gstqueuearray.h>

/* Frames held whatever their time: queues hold a few frames even of slow streams. */
#define GST_CCA_COMBINER_MIN_HELD 8
/* The running time of a frame without a time stamp. */
#define GST_CCA_COMBINER_NO_TIME G_MININT64

typedef enum
{
  GST_CCA_COMBINER_MISSING_NONE,
  GST_CCA_COMBINER_MISSING_LAST,
} GstCcaCombinerMissing;

#define GST_TYPE_CCA_COMBINER (gst_cca_combiner_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaCombiner, gst_cca_combiner, GST, CCA_COMBINER, GstElement)

struct _GstCcaCombiner
{
  GstElement parent;

  GstPad *sink, *meta, *src;

  GMutex lock;   /* of all below, unless another owner is named; never held during a call to another element */
  GCond changed; /* a change of any field below */

  /* Properties. */
  GstCcaCombinerMissing missing;
  gint64 tolerance;
  GstClockTime max_age, max_wait, max_size_time;

  /* The full-size video. */
  GstQueueArray *items;  /* frames, events and queries of `sink`, in their order */
  guint n_held;          /* buffers among the items */
  gint64 newest;         /* running time of the newest buffer */
  GstFlowReturn flow;    /* of downstream; FLUSHING also while the source pad is not active */
  gboolean refused;      /* downstream wants no more frames of this segment, only the next segment */
  gboolean waiting;      /* the first item waits for its analysed frame: others may come */
  gboolean ended;        /* downstream got EOS */
  gboolean eos_queued;   /* EOS is among the items, or downstream got it */
  const GstQuery *asked; /* a query that is among the items */
  const GstQuery *answering;
  gboolean answer;
  gint64 answer_by;        /* monotonic time */
  GstSegment sink_segment; /* owner: the thread of `sink` */
  GstCcaClock sink_clock;  /* owner: the same */
  GstVideoInfo out_info;   /* owner: the thread of `src`; width 0: unknown */
  gboolean warned_shape;   /* owner: the same */
  gint warned_time;        /* atomic */

  /* The analysed video. */
  GstCcaMatcher *matcher; /* of GstCcaCarrier */
  gboolean linked, meta_flushing;
  gboolean silent;         /* it has been missing for too long: frames no longer wait for it */
  gboolean went_back;      /* its time went far back, and the video's has not yet */
  GstSegment meta_segment; /* owner: the thread of `meta`, as of the next two */
  GstCcaClock meta_clock;
  GstVideoInfo meta_info;

  /* Live pipelines. */
  gboolean playing;
  gboolean latency_known, live;
  GstClockTime latency; /* of upstream */
  GstClockID timer;     /* of the thread that waits, or NULL */

  gint64 sent; /* running time of the last frame that was sent */
  guint64 n_frames, n_matched, n_repeated, n_without, n_analysed, n_late;
};

extern GstDebugCategory *gst_cca_combiner_debug;

/* Returns a running time in nanoseconds, also before the segment's start, or GST_CCA_COMBINER_NO_TIME. */
gint64 gst_cca_combiner_running_time (const GstSegment *segment, GstClockTime time);
/* Takes the running time of a stream's next frame. Returns whether it may be right, and sets *went_back if it, and the
 * one before, lie far before the others. */
gboolean gst_cca_combiner_believe (GstCcaClock *clock, gint64 time, gboolean *went_back);
/* Returns the duration of a buffer in running time, 0 if it is unknown. */
GstClockTimeDiff gst_cca_combiner_running_duration (const GstSegment *segment, const GstBuffer *buffer);
/* Returns the duration that the caps tell, 0 if they do not. */
GstClockTimeDiff gst_cca_combiner_nominal_duration (const GstVideoInfo *info);

/* Wakes all threads that wait for a change. Needs the lock. */
void gst_cca_combiner_wake (GstCcaCombiner *self);

/* Warns once of frames without time stamps. Without the lock. */
void gst_cca_combiner_warn_without_time (GstCcaCombiner *self);

/* Gives the pads `sink` and `src` their functions; frees the stream's members. */
void gst_cca_combiner_init_stream (GstCcaCombiner *self);
void gst_cca_combiner_clear_stream (GstCcaCombiner *self);

/* Forgets all, for a new start. Needs the lock, and pads that are not active. */
void gst_cca_combiner_reset_stream (GstCcaCombiner *self);
