/* gst-cca: where objects are that share a component
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "fit.h"

/* The search: rounds over all boxes; steps to either side of the expected place; how far they reach in all, deviations.
 */
#define ROUNDS 2
#define STEPS 3
#define REACH 2.0

/* The penalty of a squared deviation, as a part of the box: for a box apart, and for one that others cover, whose
 * pixels do not tell whose they are. */
#define PRIOR 0.04
#define PRIOR_COVERED 0.4

double
gst_cca_blob_count (const GstCcaBlob *blob, const GstCcaBox *box)
{
  const GstCcaBox inside = gst_cca_box_clip (box, &blob->box);

  if (blob->coverage == NULL)
    return blob->density * gst_cca_box_area (&inside);
  return inside.max[0] > inside.min[0] && inside.max[1] > inside.min[1]
             ? gst_cca_coverage_count (blob->coverage, &inside)
             : 0.0;
}

double
gst_cca_blob_count_own (const GstCcaBlob *blob, const GstCcaBox *box, const GstCcaTemplate *others, size_t n,
                        size_t self)
{
  double count = gst_cca_blob_count (blob, box);

  for (size_t i = 0; i < n; i++)
    if (i != self) {
      const GstCcaBox other = gst_cca_template_box (&others[i]);

      if (gst_cca_box_touches (box, &other)) {
        const GstCcaBox both = gst_cca_box_clip (box, &other);

        count -= gst_cca_blob_count (blob, &both);
      }
    }
  return gst_cca_max (count, 0.0);
}

/* Returns which part of a template another covers, at most. */
static double
covered (const GstCcaTemplate *templates, size_t n, size_t index)
{
  const GstCcaBox box = gst_cca_template_box (&templates[index]);
  double most = 0.0;

  for (size_t i = 0; i < n; i++)
    if (i != index) {
      const GstCcaBox other = gst_cca_template_box (&templates[i]);

      most = gst_cca_max (most, gst_cca_box_shared (&box, &other));
    }
  return most / gst_cca_max (gst_cca_box_area (&box), 1.0);
}

/* Moves one template; expected is where it was before the fit. */
static void
move (const GstCcaBlob *blob, GstCcaTemplate *templates, size_t n, size_t index, const double expected[2])
{
  GstCcaTemplate *t = &templates[index], best = *t;
  const double area = t->size[0] * t->size[1];
  const double weight = PRIOR + PRIOR_COVERED * covered (templates, n, index);
  double most = -INFINITY;

  for (int fine = 0; fine < 2; fine++) {
    const double part = fine ? 0.4 / STEPS : 1.0 / STEPS;
    const int steps = fine ? 1 : STEPS;
    const GstCcaTemplate from = best;

    for (int y = -steps; y <= steps; y++)
      for (int x = -steps; x <= steps; x++) {
        const int step[2] = { x, y };
        double prior = 0.0, score;
        GstCcaTemplate tried = *t;
        GstCcaBox box;

        for (int i = 0; i < 2; i++) {
          const double base = fine ? from.centre[i] : expected[i];

          tried.centre[i] = base + step[i] * part * REACH * t->deviation[i];
          prior +=
              (tried.centre[i] - expected[i]) * (tried.centre[i] - expected[i]) / (t->deviation[i] * t->deviation[i]);
        }
        box = gst_cca_template_box (&tried);
        score = gst_cca_blob_count_own (blob, &box, templates, n, index) / area - weight * prior;
        if (score > most) {
          most = score;
          best = tried;
        }
      }
  }
  *t = best;
}

void
gst_cca_fit (const GstCcaBlob *blob, GstCcaTemplate *templates, size_t n)
{
  /* Of more than can be told apart, the first move. */
  double expected[16][2];
  const size_t n_moved = n < 16 ? n : 16;

  for (size_t i = 0; i < n_moved; i++)
    for (int k = 0; k < 2; k++)
      expected[i][k] = templates[i].centre[k];
  for (int round = 0; round < ROUNDS; round++)
    for (size_t i = 0; i < n_moved; i++)
      move (blob, templates, n, i, expected[i]);
  for (size_t i = 0; i < n; i++) {
    const GstCcaBox box = gst_cca_template_box (&templates[i]);
    const double count = gst_cca_blob_count (blob, &box);

    templates[i].filled = count / gst_cca_max (gst_cca_box_area (&box), 1.0);
    templates[i].own = gst_cca_blob_count_own (blob, &box, templates, n, i) / gst_cca_max (count, 1.0);
  }
}
