/* gst-cca: what colour objects have, by which they are told apart when they meet
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "look.h"

#include <math.h>

#include "coverage.h"

#define BANDS GST_CCA_LOOK_BANDS

/* The bands lie in a box without these parts of its height and width at either side, where little is the object's. */
#define END 0.05
#define SIDE 0.15

/* Cells with less foreground count as background; bands of which less is seen are left out. */
#define LEAST_FOREGROUND 0.5f
#define LEAST_SEEN 0.3f

/* The part of a frame's difference that a track takes over. */
#define GAIN 0.08f

/* The standard deviations of an object's Y, and of its U and V; and the weight of a squared deviation against those of
 * place and size. */
#define LUMA_NOISE 20.0f
#define CHROMA_NOISE 8.0f
#define WEIGHT 2.0

/* Returns the cells between two coordinates, at least one; none outside of the frame. */
static GstCcaCells
cells_between (double from, double to, uint32_t cell, uint32_t n)
{
  return gst_cca_cells_between (from, gst_cca_max (to, from + cell), cell, n);
}

/* Returns whether another object that stands in front of this one covers a point. */
static bool
is_covered (const GstCcaBox *boxes, size_t n, size_t self, double x, double y)
{
  for (size_t i = 0; i < n; i++)
    if (boxes[i].max[1] > boxes[self].max[1] && x >= boxes[i].min[0] && x < boxes[i].max[0] && y >= boxes[i].min[1]
        && y < boxes[i].max[1])
      return true;
  return false;
}

GstCcaLook
gst_cca_look_measure (const GstCcaTrackerFrame *frame, const GstCcaBox *boxes, size_t n, size_t self)
{
  const GstCcaBox *box = &boxes[self];
  const double width = box->max[0] - box->min[0], height = box->max[1] - box->min[1], cell = frame->cell;
  const float least = LEAST_FOREGROUND * (float) (cell * cell);
  const size_t plane = (size_t) frame->columns * frame->rows;
  GstCcaLook look = { 0 };
  GstCcaCells columns;

  if (frame->coverage == NULL || frame->colours == NULL)
    return look;
  columns = cells_between (box->min[0] + SIDE * width, box->max[0] - SIDE * width, frame->cell, frame->columns);
  for (int band = 0; band < BANDS; band++) {
    const double top = box->min[1] + (END + (1.0 - 2.0 * END) * band / BANDS) * height;
    const GstCcaCells rows = cells_between (top, top + (1.0 - 2.0 * END) * height / BANDS, frame->cell, frame->rows);
    float sums[3] = { 0.0f }, seen = 0.0f;

    for (int j = rows.first; j < rows.end; j++)
      for (int i = columns.first; i < columns.end; i++) {
        const size_t place = (size_t) j * frame->columns + (size_t) i;
        const float count = frame->coverage[place];

        if (count < least || is_covered (boxes, n, self, (i + 0.5) * cell, (j + 0.5) * cell))
          continue;
        for (int k = 0; k < 3; k++)
          sums[k] += count * frame->colours[k * plane + place];
        seen += count;
      }
    if (seen <= 0.0f)
      continue;
    for (int k = 0; k < 3; k++)
      look.mean[band][k] = sums[k] / seen;
    look.known[band] = seen / (float) ((rows.end - rows.first) * (columns.end - columns.first) * cell * cell);
  }
  return look;
}

void
gst_cca_look_learn (GstCcaLook *look, const GstCcaLook *seen)
{
  for (int band = 0; band < BANDS; band++) {
    float gain = GAIN * seen->known[band];

    if (seen->known[band] < LEAST_SEEN)
      continue;
    /* The mean of the first ones, until that would take over less. */
    gain = fmaxf (gain, 1.0f / (1.0f + look->known[band] / GAIN));
    for (int k = 0; k < 3; k++)
      look->mean[band][k] += gain * (seen->mean[band][k] - look->mean[band][k]);
    look->known[band] = fminf (1.0f, look->known[band] + GAIN);
  }
}

double
gst_cca_look_cost (const GstCcaLook *look, const GstCcaLook *seen)
{
  static const float noise[3] = { LUMA_NOISE, CHROMA_NOISE, CHROMA_NOISE };
  double sum = 0.0, n = 0.0;

  for (int band = 0; band < BANDS; band++) {
    if (look->known[band] <= 0.0f || seen->known[band] < LEAST_SEEN)
      continue;
    for (int k = 0; k < 3; k++) {
      const double deviation = (look->mean[band][k] - seen->mean[band][k]) / noise[k];

      sum += deviation * deviation;
    }
    n += 1.0;
  }
  return n > 0.0 ? WEIGHT * sum / n : 0.0;
}
