/* gst-cca: frames find their analysed frames by time
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "../add-tests.h"
#include "gst/combiner/matching.h"

#include <glib.h>

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaMatcher, gst_cca_matcher_free)

static int n_freed;

static void
free_data (void *data)
{
  n_freed++;
}

/* Data that tells its time, in a table. */
static int64_t times[64];

static void
add (GstCcaMatcher *matcher, int64_t time, int64_t duration)
{
  static unsigned next;
  int64_t *data = &times[next++ % G_N_ELEMENTS (times)];

  *data = time;
  g_assert_true (gst_cca_matcher_add (matcher, time, duration, data));
}

enum
{
  NONE = -1000
};

static void
assert_match (const GstCcaMatcher *matcher, int64_t time, int64_t tolerance, int64_t own, int64_t last, bool certain)
{
  const GstCcaMatch match = gst_cca_matcher_find (matcher, time, tolerance);

  g_assert_cmpint (match.own != NULL ? match.own->time : NONE, ==, own);
  g_assert_cmpint (match.last != NULL ? match.last->time : NONE, ==, last);
  if (match.own != NULL)
    g_assert_cmpint (*(const int64_t *) match.own->data, ==, own);
  g_assert_cmpint (match.certain, ==, certain);
}

static void
test_empty (void)
{
  g_autoptr (GstCcaMatcher) matcher = gst_cca_matcher_new (free_data);

  assert_match (matcher, 0, 5, NONE, NONE, false);
  gst_cca_matcher_pass (matcher, 5);
  assert_match (matcher, 0, 5, NONE, NONE, false); /* one at 5 is near enough */
  assert_match (matcher, -1, 5, NONE, NONE, true);
  gst_cca_matcher_end (matcher);
  assert_match (matcher, INT64_MAX, 5, NONE, NONE, true);
  assert_match (matcher, -5, 5, NONE, NONE, true);
  gst_cca_matcher_begin (matcher);
  assert_match (matcher, 0, 5, NONE, NONE, false);
  gst_cca_matcher_free (NULL);
}

/* The nearest within the tolerance, of two as near the earlier. */
static void
test_nearest (void)
{
  g_autoptr (GstCcaMatcher) matcher = gst_cca_matcher_new (free_data);

  add (matcher, 100, 0);
  add (matcher, 140, 0);
  assert_match (matcher, 100, 0, 100, 100, true);
  assert_match (matcher, 94, 5, NONE, NONE, true);
  assert_match (matcher, 95, 5, 100, NONE, true);
  assert_match (matcher, 105, 5, 100, 100, true);
  assert_match (matcher, 106, 5, NONE, 100, true);
  assert_match (matcher, 119, 30, 100, 100, true);
  assert_match (matcher, 120, 30, 100, 100, true);
  assert_match (matcher, 121, 30, 140, 100, true);
}

/* A match is certain if no analysed frame to come can be nearer. */
static void
test_certain (void)
{
  g_autoptr (GstCcaMatcher) matcher = gst_cca_matcher_new (free_data);

  add (matcher, 100, 0);
  assert_match (matcher, 100, 20, 100, 100, true);
  assert_match (matcher, 101, 20, 100, 100, false); /* one at 101 may come */
  assert_match (matcher, 99, 20, 100, NONE, true);
  assert_match (matcher, 140, 20, NONE, 100, false);
  gst_cca_matcher_reset (matcher);

  /* Frames of 40, the analysed ones a little early: none waits for the next. */
  add (matcher, 99, 40);
  assert_match (matcher, 100, 20, 99, 99, true);
  assert_match (matcher, 119, 20, 99, 99, true);
  assert_match (matcher, 120, 20, NONE, 99, false); /* one at 139 may come */
  gst_cca_matcher_reset (matcher);

  /* One in three is analysed: those in between do not wait. */
  add (matcher, 0, 120);
  assert_match (matcher, 0, 20, 0, 0, true);
  assert_match (matcher, 40, 20, NONE, 0, true);
  assert_match (matcher, 80, 20, NONE, 0, true);
  assert_match (matcher, 120, 20, NONE, 0, false);
  gst_cca_matcher_pass (matcher, 60); /* nothing new */
  assert_match (matcher, 80, 20, NONE, 0, true);
  gst_cca_matcher_pass (matcher, 141);
  assert_match (matcher, 120, 20, NONE, 0, true);
}

static void
test_forget (void)
{
  GstCcaMatcher *matcher;

  n_freed = 0;
  matcher = gst_cca_matcher_new (free_data);
  for (int i = 0; i < 40; i++)
    add (matcher, i * 10, 10);
  g_assert_cmpuint (gst_cca_matcher_count (matcher), ==, 40);
  g_assert_cmpint (gst_cca_matcher_span (matcher), ==, 390);
  gst_cca_matcher_forget (matcher, -1);
  g_assert_cmpint (n_freed, ==, 0);
  gst_cca_matcher_forget (matcher, 105);
  g_assert_cmpint (n_freed, ==, 10);
  assert_match (matcher, 105, 4, NONE, 100, true);
  gst_cca_matcher_forget (matcher, 1000);
  g_assert_cmpint (n_freed, ==, 39);
  assert_match (matcher, 1000, 4, NONE, 390, false);
  gst_cca_matcher_reset (matcher);
  g_assert_cmpint (n_freed, ==, 40);
  g_assert_cmpint (gst_cca_matcher_span (matcher), ==, 0);
  assert_match (matcher, 1000, 4, NONE, NONE, false);
  add (matcher, 1, 0);
  gst_cca_matcher_free (matcher);
  g_assert_cmpint (n_freed, ==, 41);
}

/* Out of order, as broken streams are. */
static void
test_order (void)
{
  g_autoptr (GstCcaMatcher) matcher = gst_cca_matcher_new (free_data);

  add (matcher, 30, 10);
  add (matcher, 10, 10);
  add (matcher, 20, 10);
  add (matcher, 20, 10);
  assert_match (matcher, 10, 4, 10, 10, true);
  assert_match (matcher, 20, 4, 20, 20, true);
  assert_match (matcher, 30, 4, 30, 30, true);
  assert_match (matcher, 35, 4, NONE, 30, true);
}

TESTS_MAIN ("/matching", test_empty, test_nearest, test_certain, test_forget, test_order)
