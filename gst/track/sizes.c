/* gst-cca: how large objects are from place to place, learned from those that are seen alone
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "sizes.h"

#include <math.h>
#include <stdlib.h>

#include "box.h"

/* Samples from one fit of the line to the next. */
#define FIT_INTERVAL 4

/* The samples and objects that make sizes known. On known ground, where they are one number, fewer samples do. */
#define LEAST_SAMPLES 12
#define LEAST_SAMPLES_ON_GROUND 6
#define LEAST_OBJECTS 2

/* The objects that make a typical area known: that of the largest, and from so many on, the median. */
#define LEAST_AREAS 3
#define MANY_AREAS 8

/* Objects are of one kind if more than this part of the heights lies so near to the line, by their logarithms. */
#define ALIKE 0.7
#define LARGEST_SPREAD 0.35

#define ITERATIONS 8

/* The quantile of the aspects that is typical of a single object: stretched arms and groups make others wide; and the
 * one that only a kind of wide objects raises, as vehicles among people do. */
#define SLENDER 0.2
#define WIDE 0.8

/* The least height that tells an object from clutter on known ground, pixels; and the least pixels of a metre, next to
 * the horizon. */
#define LEAST_HEIGHT 16.0
#define LEAST_SCALE 0.01

/* A person; in heights: half of the widths of the head, of the trunk and of the legs, and where they begin; how far
 * their edges differ from person to person, and how often the inside is foreground. */
#define PERSON_METRES 1.7
#define PERSON_HEAD 0.07
#define PERSON_TRUNK 0.14
#define PERSON_LEGS 0.1
#define PERSON_NECK 0.84
#define PERSON_HIP 0.45
#define PERSON_EDGE 0.025
#define PERSON_FOREGROUND 0.85
#define PERSON_ASPECT 0.4
#define PERSON_FILLED 0.6

/* A component of at most this many slender widths is one object. */
#define SINGLE 1.6

static int
by_value (const void *a, const void *b)
{
  const double one = *(const double *) a, other = *(const double *) b;

  return (one > other) - (one < other);
}

/* Sorts the values. */
static double
median (double *values, size_t n)
{
  qsort (values, n, sizeof *values, by_value);
  return values[n / 2];
}

double
gst_cca_sizes_height (const GstCcaSizes *sizes, double x, double foot)
{
  if (sizes->grounded)
    return gst_cca_max (sizes->metres * gst_cca_ground_scale_at (&sizes->scale, x, foot), 0.0);
  return gst_cca_min (gst_cca_max (sizes->offset + sizes->slope * foot, sizes->least), sizes->most);
}

static double
height_of (const GstCcaSizes *sizes, const GstCcaSizeSample *s)
{
  return gst_cca_sizes_height (sizes, s->x, s->foot);
}

static size_t
least_samples (const GstCcaSizes *sizes)
{
  return sizes->grounded ? LEAST_SAMPLES_ON_GROUND : LEAST_SAMPLES;
}

/* On known ground, one number says how high objects are everywhere: the median. */
static void
fit_metres (GstCcaSizes *sizes)
{
  double metres[GST_CCA_SIZES_SAMPLES];

  for (size_t i = 0; i < sizes->n; i++) {
    const GstCcaSizeSample *s = &sizes->samples[i];

    metres[i] = s->height / gst_cca_max (gst_cca_ground_scale_at (&sizes->scale, s->x, s->foot), LEAST_SCALE);
  }
  sizes->metres = median (metres, sizes->n);
}

/* Least absolute deviations by least squares with weights. */
static void
fit_line (GstCcaSizes *sizes)
{
  double scale = 0.0;

  for (size_t i = 0; i < sizes->n; i++)
    scale += sizes->samples[i].height / sizes->n;
  sizes->least = 0.0;
  sizes->most = INFINITY;
  for (int pass = 0; pass < ITERATIONS; pass++) {
    double w = 0.0, wx = 0.0, wy = 0.0, wxx = 0.0, wxy = 0.0, spread;

    for (size_t i = 0; i < sizes->n; i++) {
      const GstCcaSizeSample *s = &sizes->samples[i];
      const double error = fabs (s->height - height_of (sizes, s));
      const double weight = pass == 0 ? 1.0 : 1.0 / gst_cca_max (error, 0.02 * scale);

      w += weight;
      wx += weight * s->foot;
      wy += weight * s->height;
      wxx += weight * s->foot * s->foot;
      wxy += weight * s->foot * s->height;
    }
    spread = wxx - wx * wx / w;
    /* Objects on one row do not tell the slope. */
    sizes->slope = (wxy - wx * wy / w) / (spread + w * scale * scale * 0.01);
    sizes->offset = (wy - sizes->slope * wx) / w;
  }
}

/* Finds the aspects of slender and of wide objects. Each object counts once, however often it was seen: a pair that
 * walks through the whole picture is one of many. */
static void
find_aspects (GstCcaSizes *sizes)
{
  double aspects[GST_CCA_SIZES_SAMPLES][2], total = 0.0, sum = 0.0;
  size_t i = 0;

  for (size_t k = 0; k < sizes->n; k++) {
    const GstCcaSizeSample *s = &sizes->samples[k];
    double n_same = 0.0;

    for (size_t j = 0; j < sizes->n; j++)
      n_same += sizes->samples[j].id == s->id;
    aspects[k][0] = s->width / s->height;
    aspects[k][1] = 1.0 / n_same;
    total += 1.0 / n_same;
  }
  qsort (aspects, sizes->n, sizeof aspects[0], by_value);
  while (i + 1 < sizes->n && sum + aspects[i][1] < SLENDER * total)
    sum += aspects[i++][1];
  sizes->aspect = aspects[i][0];
  while (i + 1 < sizes->n && sum + aspects[i][1] < WIDE * total)
    sum += aspects[i++][1];
  sizes->wide = aspects[i][0];
}

/* Averages what slender objects of the expected height look like; both ways round, since they walk both ways. */
static void
average_silhouettes (GstCcaSizes *sizes)
{
  double widths[GST_CCA_SIZES_SAMPLES];
  float sums[GST_CCA_SILHOUETTE_POINTS] = { 0 };
  size_t n = 0;

  for (size_t i = 0; i < sizes->n; i++) {
    const GstCcaSizeSample *s = &sizes->samples[i];

    if (!s->has_silhouette || s->width > SINGLE * sizes->aspect * s->height
        || fabs (s->height / height_of (sizes, s) - 1.0) > 0.2)
      continue;
    widths[n++] = s->width / s->height;
    for (size_t k = 0; k < GST_CCA_SILHOUETTE_POINTS; k++)
      sums[k] += s->silhouette[k] / 255.0f;
  }
  sizes->has_silhouette = n >= least_samples (sizes);
  if (n == 0)
    return;
  sizes->width = median (widths, n);
  for (size_t row = 0; row < GST_CCA_SILHOUETTE_ROWS; row++)
    for (size_t column = 0; column < GST_CCA_SILHOUETTE_COLUMNS; column++) {
      const float *points = sums + row * GST_CCA_SILHOUETTE_COLUMNS;

      sizes->silhouette[row * GST_CCA_SILHOUETTE_COLUMNS + column] =
          (points[column] + points[GST_CCA_SILHOUETTE_COLUMNS - 1 - column]) / (2.0f * n);
    }
}

static void
fit_samples (GstCcaSizes *sizes)
{
  double values[GST_CCA_SIZES_SAMPLES];
  uint64_t ids[LEAST_OBJECTS];
  size_t n_ids = 0, n_alike = 0;

  for (size_t i = 0; i < sizes->n; i++) {
    size_t k = 0;

    while (k < n_ids && ids[k] != sizes->samples[i].id)
      k++;
    if (k == n_ids && n_ids < LEAST_OBJECTS)
      ids[n_ids++] = sizes->samples[i].id;
  }
  sizes->known = false;
  if (sizes->n < least_samples (sizes) || n_ids < LEAST_OBJECTS)
    return;
  if (sizes->grounded)
    fit_metres (sizes);
  else
    fit_line (sizes);
  for (size_t i = 0; i < sizes->n; i++)
    values[i] = sizes->samples[i].height;
  qsort (values, sizes->n, sizeof *values, by_value);
  sizes->least = 0.7 * values[sizes->n / 10];
  sizes->most = 1.4 * values[sizes->n - 1 - sizes->n / 10];
  for (size_t i = 0; i < sizes->n; i++)
    values[i] = sizes->samples[i].foot;
  qsort (values, sizes->n, sizeof *values, by_value);
  sizes->first = values[sizes->n / 20];
  sizes->last = values[sizes->n - 1 - sizes->n / 20];
  for (size_t i = 0; i < sizes->n; i++) {
    const GstCcaSizeSample *s = &sizes->samples[i];

    n_alike += fabs (log (s->height / gst_cca_max (height_of (sizes, s), 1.0))) <= LARGEST_SPREAD;
  }
  sizes->known = n_alike > ALIKE * sizes->n;
  find_aspects (sizes);
  average_silhouettes (sizes);
  for (size_t i = 0; i < sizes->n; i++)
    values[i] = sizes->samples[i].filled;
  sizes->filled = median (values, sizes->n);
}

/* Draws a person who walks: head, trunk and arms, legs. */
static void
draw_person (float *silhouette)
{
  for (size_t i = 0; i < GST_CCA_SILHOUETTE_POINTS; i++) {
    const double column = i % GST_CCA_SILHOUETTE_COLUMNS + 0.5, row = i / GST_CCA_SILHOUETTE_COLUMNS + 0.5;
    const double x = GST_CCA_SILHOUETTE_SIDE * fabs (2.0 * column / GST_CCA_SILHOUETTE_COLUMNS - 1.0);
    const double up = GST_CCA_SILHOUETTE_ABOVE
                      - (GST_CCA_SILHOUETTE_ABOVE + GST_CCA_SILHOUETTE_BELOW) * row / GST_CCA_SILHOUETTE_ROWS;
    const double half = up < 0.0 || up > 1.0 ? 0.0
                        : up > PERSON_NECK   ? PERSON_HEAD
                        : up > PERSON_HIP    ? PERSON_TRUNK
                                             : PERSON_LEGS;

    silhouette[i] = (float) (PERSON_FOREGROUND / (1.0 + exp ((x - half) / PERSON_EDGE)));
  }
}

static void
fit (GstCcaSizes *sizes)
{
  fit_samples (sizes);
  if (!sizes->people)
    return;
  if (!sizes->known) {
    sizes->metres = PERSON_METRES;
    sizes->aspect = sizes->wide = sizes->width = PERSON_ASPECT;
    sizes->filled = PERSON_FILLED;
    sizes->known = true;
    sizes->has_silhouette = false;
  }
  if (!sizes->has_silhouette)
    draw_person (sizes->silhouette);
  sizes->has_silhouette = true;
}

void
gst_cca_sizes_set_ground (GstCcaSizes *sizes, const GstCcaGroundScale *scale, bool people)
{
  sizes->grounded = true;
  sizes->scale = *scale;
  sizes->people = people;
  fit (sizes);
}

void
gst_cca_sizes_add (GstCcaSizes *sizes, const GstCcaSizeSample *sample)
{
  sizes->samples[sizes->next] = *sample;
  sizes->next = (sizes->next + 1) % GST_CCA_SIZES_SAMPLES;
  sizes->n += sizes->n < GST_CCA_SIZES_SAMPLES;
  if (++sizes->n_new >= FIT_INTERVAL) {
    sizes->n_new = 0;
    fit (sizes);
  }
}

void
gst_cca_sizes_add_area (GstCcaSizes *sizes, uint64_t id, double area)
{
  GstCcaObjectArea *object = NULL;

  for (size_t i = 0; i < sizes->n_areas && object == NULL; i++)
    if (sizes->areas[i].id == id)
      object = &sizes->areas[i];
  if (object == NULL) {
    object = &sizes->areas[sizes->next_area];
    *object = (GstCcaObjectArea) { .id = id };
    sizes->next_area = (sizes->next_area + 1) % GST_CCA_SIZES_OBJECTS;
    sizes->n_areas += sizes->n_areas < GST_CCA_SIZES_OBJECTS;
  }
  object->n++;
  object->area += (area - object->area) / object->n;
}

double
gst_cca_sizes_typical_area (const GstCcaSizes *sizes)
{
  double areas[GST_CCA_SIZES_OBJECTS], largest = 0.0;

  if (sizes->n_areas < LEAST_AREAS)
    return 0.0;
  for (size_t i = 0; i < sizes->n_areas; i++) {
    areas[i] = sizes->areas[i].area;
    largest = gst_cca_max (largest, areas[i]);
  }
  return sizes->n_areas < MANY_AREAS ? largest : median (areas, sizes->n_areas);
}

void
gst_cca_sizes_set (GstCcaSizes *sizes, const GstCcaSizeSample *samples, size_t n)
{
  *sizes = (GstCcaSizes) { .n = n, .next = n % GST_CCA_SIZES_SAMPLES };
  for (size_t i = 0; i < n; i++)
    sizes->samples[i] = samples[i];
  fit (sizes);
}

size_t
gst_cca_sizes_get (const GstCcaSizes *sizes, GstCcaSizeSample samples[GST_CCA_SIZES_SAMPLES])
{
  const size_t oldest = sizes->n < GST_CCA_SIZES_SAMPLES ? 0 : sizes->next;

  for (size_t i = 0; i < sizes->n; i++)
    samples[i] = sizes->samples[(oldest + i) % GST_CCA_SIZES_SAMPLES];
  return sizes->n;
}

bool
gst_cca_sizes_know (const GstCcaSizes *sizes, double x, double foot)
{
  const double margin = sizes->known ? 0.5 * gst_cca_sizes_height (sizes, x, foot) : 0.0;

  if (sizes->grounded)
    return sizes->known && gst_cca_sizes_height (sizes, x, foot) >= LEAST_HEIGHT;
  return sizes->known && foot >= sizes->first - margin && foot <= sizes->last + margin;
}

double
gst_cca_sizes_first_row (const GstCcaSizes *sizes, double x, double last)
{
  const double least = LEAST_HEIGHT / gst_cca_max (sizes->metres, 0.01);
  const double row = (least - sizes->scale.x * x - sizes->scale.offset) / sizes->scale.y;

  return sizes->scale.y > 0.0 ? gst_cca_min (gst_cca_max (row, 0.0), last) : 0.0;
}
