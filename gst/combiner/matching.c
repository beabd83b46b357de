/* gst-cca: which analysed frame belongs to which frame of another stream
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "matching.h"

#include "array.h"

struct GstCcaMatcher
{
  void (*free_data) (void *data);
  GstCcaAnalysed *known;
  size_t n, room;
  int64_t position; /* no analysed frame before it will come */
};

GstCcaMatcher *
gst_cca_matcher_new (void (*free_data) (void *data))
{
  GstCcaMatcher *matcher = calloc (1, sizeof *matcher);

  if (matcher == NULL)
    return NULL;
  matcher->free_data = free_data;
  matcher->position = INT64_MIN;
  return matcher;
}

/* Forgets the first n. */
static void
forget_first (GstCcaMatcher *matcher, size_t n)
{
  for (size_t i = 0; i < n; i++)
    matcher->free_data (matcher->known[i].data);
  matcher->n -= n;
  if (n > 0 && matcher->n > 0)
    memmove (matcher->known, matcher->known + n, matcher->n * sizeof *matcher->known);
}

void
gst_cca_matcher_free (GstCcaMatcher *matcher)
{
  if (matcher == NULL)
    return;
  forget_first (matcher, matcher->n);
  free (matcher->known);
  free (matcher);
}

bool
gst_cca_matcher_add (GstCcaMatcher *matcher, int64_t time, int64_t duration, void *data)
{
  size_t at = matcher->n;

  if (!GST_CCA_RESERVE (matcher->known, matcher->room, matcher->n + 1)) {
    matcher->free_data (data);
    return false;
  }
  while (at > 0 && matcher->known[at - 1].time > time)
    at--;
  if (at < matcher->n)
    memmove (matcher->known + at + 1, matcher->known + at, (matcher->n - at) * sizeof *matcher->known);
  matcher->known[at] = (GstCcaAnalysed) { .time = time, .data = data };
  matcher->n++;
  gst_cca_matcher_pass (matcher, time + (duration > 0 ? duration : 0));
  return true;
}

void
gst_cca_matcher_pass (GstCcaMatcher *matcher, int64_t time)
{
  if (time > matcher->position)
    matcher->position = time;
}

int64_t
gst_cca_matcher_position (const GstCcaMatcher *matcher)
{
  return matcher->position;
}

void
gst_cca_matcher_end (GstCcaMatcher *matcher)
{
  matcher->position = INT64_MAX;
}

void
gst_cca_matcher_begin (GstCcaMatcher *matcher)
{
  matcher->position = INT64_MIN;
}

void
gst_cca_matcher_reset (GstCcaMatcher *matcher)
{
  forget_first (matcher, matcher->n);
  gst_cca_matcher_begin (matcher);
}

/* Returns how many are not after a time. */
static size_t
count_until (const GstCcaMatcher *matcher, int64_t time)
{
  size_t n = matcher->n;

  while (n > 0 && matcher->known[n - 1].time > time)
    n--;
  return n;
}

/* Saturates. later >= earlier. */
static int64_t
distance_between (int64_t later, int64_t earlier)
{
  return earlier < 0 && later > INT64_MAX + earlier ? INT64_MAX : later - earlier;
}

GstCcaMatch
gst_cca_matcher_find (const GstCcaMatcher *matcher, int64_t time, int64_t tolerance)
{
  const size_t n = count_until (matcher, time);
  const GstCcaAnalysed *before = n > 0 ? &matcher->known[n - 1] : NULL;
  const GstCcaAnalysed *after = n < matcher->n ? &matcher->known[n] : NULL;
  /* How far from the frame the nearest one to come may be, and how far the nearest one known is. */
  const int64_t nearest = matcher->position > time ? distance_between (matcher->position, time) : 0;
  int64_t distance = INT64_MAX;
  GstCcaMatch match = { .last = before };

  if (before != NULL && time - before->time <= tolerance) {
    match.own = before;
    distance = time - before->time;
  }
  if (after != NULL && after->time - time <= tolerance && after->time - time < distance) {
    match.own = after;
    distance = after->time - time;
  }
  match.certain = matcher->position == INT64_MAX || (match.own != NULL ? distance <= nearest : nearest > tolerance);
  return match;
}

void
gst_cca_matcher_forget (GstCcaMatcher *matcher, int64_t time)
{
  const size_t n = count_until (matcher, time);

  if (n > 1)
    forget_first (matcher, n - 1);
}

size_t
gst_cca_matcher_count (const GstCcaMatcher *matcher)
{
  return matcher->n;
}

int64_t
gst_cca_matcher_span (const GstCcaMatcher *matcher)
{
  return matcher->n > 0 ? matcher->known[matcher->n - 1].time - matcher->known[0].time : 0;
}
