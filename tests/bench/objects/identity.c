/* gst-cca: how well tracks keep identities: IDF1
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "identity.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

#include "gst/track/assignment.h"

struct Identity
{
  GArray *matches;          /* GstCcaPair of a true identity and a track, cost -1: a frame in which they agree */
  size_t n_truth, n_tracks; /* boxes */
  uint32_t last_truth, last_track;
};

Identity *
identity_new (void)
{
  Identity *identity = g_new0 (Identity, 1);

  identity->matches = g_array_new (FALSE, FALSE, sizeof (GstCcaPair));
  return identity;
}

void
identity_free (Identity *identity)
{
  g_array_unref (identity->matches);
  g_free (identity);
}

static double
intersection_over_union (const SceneBox *a, const SceneBox *b)
{
  const double width = fmin (a->x + a->width, b->x + b->width) - fmax (a->x, b->x);
  const double height = fmin (a->y + a->height, b->y + b->height) - fmax (a->y, b->y);
  const double both = width > 0.0 && height > 0.0 ? width * height : 0.0;

  return both / (a->width * a->height + b->width * b->height - both);
}

void
identity_add (Identity *identity, const SceneBox *truth, size_t n_truth, const SceneBox *tracks, size_t n_tracks)
{
  for (size_t i = 0; i < n_truth; i++)
    identity->last_truth = truth[i].id > identity->last_truth ? truth[i].id : identity->last_truth;
  for (size_t k = 0; k < n_tracks; k++)
    identity->last_track = tracks[k].id > identity->last_track ? tracks[k].id : identity->last_track;
  for (size_t i = 0; i < n_truth; i++)
    for (size_t k = 0; k < n_tracks; k++) {
      const GstCcaPair match = { truth[i].id, tracks[k].id, -1.0 };

      if (intersection_over_union (&truth[i], &tracks[k]) >= 0.5)
        g_array_append_val (identity->matches, match);
    }
  identity->n_truth += n_truth;
  identity->n_tracks += n_tracks;
}

static int
by_pair (const void *a, const void *b)
{
  const GstCcaPair *one = a, *other = b;

  if (one->row != other->row)
    return one->row < other->row ? -1 : 1;
  return one->column < other->column ? -1 : one->column > other->column;
}

double
identity_f1 (const Identity *identity)
{
  const size_t n_rows = (size_t) identity->last_truth + 1, n_columns = (size_t) identity->last_track + 1;
  GstCcaAssignment *assignment = gst_cca_assignment_new ();
  g_autofree GstCcaPair *pairs = g_new (GstCcaPair, identity->matches->len);
  g_autofree double *alone = g_new0 (double, n_rows);
  g_autofree uint32_t *columns = g_new (uint32_t, n_rows);
  double agreed = 0.0;
  size_t n = 0;

  g_array_sort (identity->matches, by_pair);
  for (guint i = 0; i < identity->matches->len; i++) {
    const GstCcaPair *match = &g_array_index (identity->matches, GstCcaPair, i);

    if (n > 0 && by_pair (&pairs[n - 1], match) == 0)
      pairs[n - 1].cost -= 1.0;
    else
      pairs[n++] = *match;
  }
  if (assignment == NULL || !gst_cca_assignment_run (assignment, n_rows, n_columns, pairs, n, alone, columns))
    abort ();
  for (size_t i = 0; i < n; i++)
    if (columns[pairs[i].row] == pairs[i].column)
      agreed -= pairs[i].cost;
  gst_cca_assignment_free (assignment);
  return identity->n_truth + identity->n_tracks > 0 ? 2.0 * agreed / (identity->n_truth + identity->n_tracks) : 1.0;
}
