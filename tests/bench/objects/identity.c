/* gst-cca: how well tracks keep identities: IDF1
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "identity.h"

#include <math.h>
#include <stdlib.h>

#include "gst/track/assignment.h"

struct Identity
{
  GstCcaPair *matches; /* a true identity, a track, cost -1: a frame in which they agree */
  size_t n_matches, room;
  size_t n_truth, n_tracks; /* boxes */
  uint32_t last_truth, last_track;
};

Identity *
identity_new (void)
{
  Identity *identity = calloc (1, sizeof *identity);

  if (identity == NULL)
    abort ();
  return identity;
}

void
identity_free (Identity *identity)
{
  free (identity->matches);
  free (identity);
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
      if (intersection_over_union (&truth[i], &tracks[k]) < 0.5)
        continue;
      if (identity->n_matches == identity->room) {
        identity->room = identity->room > 0 ? 2 * identity->room : 1024;
        identity->matches = realloc (identity->matches, identity->room * sizeof *identity->matches);
        if (identity->matches == NULL)
          abort ();
      }
      identity->matches[identity->n_matches++] = (GstCcaPair) { truth[i].id, tracks[k].id, -1.0 };
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
  GstCcaPair *pairs = calloc (identity->n_matches + 1, sizeof *pairs);
  double *alone = calloc (n_rows, sizeof *alone);
  uint32_t *columns = calloc (n_rows, sizeof *columns);
  double agreed = 0.0;
  size_t n = 0;

  if (assignment == NULL || pairs == NULL || alone == NULL || columns == NULL)
    abort ();
  if (identity->n_matches > 0)
    qsort (identity->matches, identity->n_matches, sizeof *identity->matches, by_pair);
  for (size_t i = 0; i < identity->n_matches; i++)
    if (n > 0 && by_pair (&pairs[n - 1], &identity->matches[i]) == 0)
      pairs[n - 1].cost -= 1.0;
    else
      pairs[n++] = identity->matches[i];
  if (!gst_cca_assignment_run (assignment, n_rows, n_columns, pairs, n, alone, columns))
    abort ();
  for (size_t i = 0; i < n; i++)
    if (columns[pairs[i].row] == pairs[i].column)
      agreed -= pairs[i].cost;
  gst_cca_assignment_free (assignment);
  free (pairs);
  free (alone);
  free (columns);
  return identity->n_truth + identity->n_tracks > 0 ? 2.0 * agreed / (identity->n_truth + identity->n_tracks) : 1.0;
}
