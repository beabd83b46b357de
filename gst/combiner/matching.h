/* gst-cca: which analysed frame belongs to which frame of another stream
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Two streams show the same scene: every frame of one looks for its analysed frame in the other, by time. Times are
 * running times in nanoseconds.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The analysed frames that are known, in the order of their times, and from when on others may come. */
typedef struct GstCcaMatcher GstCcaMatcher;

typedef struct
{
  int64_t time; /* of its start */
  void *data;   /* as passed to add() */
} GstCcaAnalysed;

typedef struct
{
  const GstCcaAnalysed *own;  /* the nearest within the tolerance, of two as near the earlier; NULL: none */
  const GstCcaAnalysed *last; /* the last one that is not after the frame; NULL: none */
  bool certain;               /* no analysed frame to come can be nearer than own */
} GstCcaMatch;

/* free_data is called once for all data that add() took. Returns NULL if memory is exhausted. One thread at a time. */
GstCcaMatcher *gst_cca_matcher_new (void (*free_data) (void *data));
void gst_cca_matcher_free (GstCcaMatcher *matcher); /* NULL is allowed */

/* Adds an analysed frame and takes its data. With a duration > 0 the next one begins at its end at the earliest.
 * Returns FALSE if memory is exhausted: then data is freed. */
bool gst_cca_matcher_add (GstCcaMatcher *matcher, int64_t time, int64_t duration, void *data);

/* No analysed frame before that time will come. */
void gst_cca_matcher_pass (GstCcaMatcher *matcher, int64_t time);

/* Returns the time before which no analysed frame will come. */
int64_t gst_cca_matcher_position (const GstCcaMatcher *matcher);

/* No analysed frame will come. */
void gst_cca_matcher_end (GstCcaMatcher *matcher);

/* Any may come, as in the beginning. Keeps the known ones. */
void gst_cca_matcher_begin (GstCcaMatcher *matcher);

/* Forgets all, and begins. */
void gst_cca_matcher_reset (GstCcaMatcher *matcher);

/* Finds the analysed frame of a frame that starts at a time. tolerance >= 0: how far apart the two may start. What the
 * match points to is valid until the matcher changes. */
GstCcaMatch gst_cca_matcher_find (const GstCcaMatcher *matcher, int64_t time, int64_t tolerance);

/* Forgets the analysed frames that no frame from that time on can match: all before the last one that is not after
 * it. */
void gst_cca_matcher_forget (GstCcaMatcher *matcher, int64_t time);

/* How many are known, and the time from the first to the last of them. */
size_t gst_cca_matcher_count (const GstCcaMatcher *matcher);
int64_t gst_cca_matcher_span (const GstCcaMatcher *matcher);
