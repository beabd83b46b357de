/* gst-cca: the pixels that tracks share with components, compared with a sum over all overlaps
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>

#include "gst/objects/evidence.h"

#define MAX_COMPONENTS 12
#define MAX_TRACKS 8
#define MAX_LABELS 4 /* of a track */

static void
shuffle (GRand *random, guint32 *array, gsize n)
{
  for (gsize i = n; i > 1; i--) {
    const gsize k = g_rand_int_range (random, 0, (gint) i);
    const guint32 other = array[k];

    array[k] = array[i - 1];
    array[i - 1] = other;
  }
}

/* Some labels of 1…2 * n, in the order of a frame or in any. */
static void
choose_labels (GRand *random, guint32 *labels, gsize n, gboolean dense, gboolean ordered)
{
  for (gsize i = 0; i < n; i++)
    labels[i] = dense ? i + 1 : 2 * i + 1 + g_rand_boolean (random);
  if (!ordered)
    shuffle (random, labels, n);
}

static guint64
sum_pixels (const GstCcaTrackerFrame *frame, const guint32 *labels, gsize n_labels, guint32 now)
{
  guint64 pixels = 0;

  for (gsize i = 0; i < n_labels; i++)
    for (gsize k = 0; k < frame->n_overlaps; k++)
      if (frame->overlaps[k].before == labels[i] && frame->overlaps[k].now == now)
        pixels += frame->overlaps[k].pixels;
  return pixels;
}

static void
check_random (GRand *random, GstCcaEvidence *evidence)
{
  const gsize n = g_rand_int_range (random, 0, MAX_COMPONENTS + 1), n_tracks = g_rand_int_range (random, 0, MAX_TRACKS);
  GstCcaTrackerOverlap overlaps[4 * MAX_COMPONENTS * MAX_COMPONENTS];
  GstCcaTrackerComponent components[MAX_COMPONENTS];
  guint32 now[MAX_COMPONENTS], labels[MAX_TRACKS][MAX_LABELS];
  gsize n_labels[MAX_TRACKS];
  GstCcaTrackerFrame frame = { .components = components, .n_components = n, .overlaps = overlaps };

  choose_labels (random, now, n, g_rand_boolean (random), g_rand_boolean (random));
  for (gsize i = 0; i < n; i++)
    components[i] = (GstCcaTrackerComponent) { .label = now[i] };
  /* Also of labels that no track had, and that no component of this frame has. */
  for (guint32 a = 1; a <= 2 * MAX_COMPONENTS; a++)
    for (guint32 b = 1; b <= 2 * MAX_COMPONENTS; b++)
      if (g_rand_int_range (random, 0, 4) == 0)
        overlaps[frame.n_overlaps++] = (GstCcaTrackerOverlap) { a, b, g_rand_int_range (random, 1, 100) };
  g_assert_true (gst_cca_evidence_begin (evidence, &frame, n_tracks));
  for (gsize i = 0; i < n_tracks; i++) {
    n_labels[i] = g_rand_int_range (random, 0, MAX_LABELS + 1);
    choose_labels (random, labels[i], n_labels[i], FALSE, FALSE);
    g_assert_true (gst_cca_evidence_add (evidence, labels[i], n_labels[i]));
  }
  for (gsize i = 0; i < n_tracks; i++)
    for (gsize k = 0; k < n; k++)
      g_assert_cmpuint (gst_cca_evidence_pixels (evidence, i, k), ==,
                        sum_pixels (&frame, labels[i], n_labels[i], now[k]));
}

static void
test_random (void)
{
  GstCcaEvidence *evidence = gst_cca_evidence_new ();
  GRand *random = g_rand_new_with_seed (1);

  for (guint i = 0; i < 2000; i++)
    check_random (random, evidence);
  g_rand_free (random);
  gst_cca_evidence_free (evidence);
}

/* What a frame before knew is forgotten. */
static void
test_unknown (void)
{
  const GstCcaTrackerComponent component = { .label = 1 };
  const GstCcaTrackerOverlap overlap = { 1, 1, 10 };
  GstCcaTrackerFrame frame = { .components = &component, .n_components = 1, .overlaps = &overlap, .n_overlaps = 1 };
  GstCcaEvidence *evidence = gst_cca_evidence_new ();
  const guint32 label = 1;

  g_assert_true (gst_cca_evidence_begin (evidence, &frame, 1));
  g_assert_true (gst_cca_evidence_add (evidence, &label, 1));
  g_assert_cmpuint (gst_cca_evidence_pixels (evidence, 0, 0), ==, 10);
  frame.overlaps = NULL;
  g_assert_true (gst_cca_evidence_begin (evidence, &frame, 1));
  g_assert_true (gst_cca_evidence_add (evidence, &label, 1));
  g_assert_cmpuint (gst_cca_evidence_pixels (evidence, 0, 0), ==, 0);
  gst_cca_evidence_free (evidence);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/evidence/random", test_random);
  g_test_add_func ("/evidence/unknown", test_unknown);
  return g_test_run ();
}
