/* gst-cca: what libcca sees of a scene: components, and the pixels that they share with the last frame's
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "vision.h"

#include <stdlib.h>
#include <string.h>

#include "cca/cca.h"

#define MIN_AREA 3

struct Vision
{
  uint32_t width, height;
  CcaContext *context;
  CcaPlan *plan;
  CcaResult *result;
  uint32_t *labels, *last_labels; /* a label for each pixel; last_labels are the last frame's */
  bool started;
  GstCcaTrackerComponent *components;
  GstCcaTrackerOverlap *overlaps;
  uint64_t *keys; /* of the pixels in both frames: label before, label now */
};

static void *
need (void *memory)
{
  if (memory == NULL)
    abort ();
  return memory;
}

static void
check (CcaStatus status)
{
  if (status != CCA_OK)
    abort ();
}

Vision *
vision_new (uint32_t width, uint32_t height)
{
  Vision *vision = need (calloc (1, sizeof *vision));
  const size_t n = (size_t) width * height;
  CcaParams params;

  vision->width = width;
  vision->height = height;
  cca_params_init (&params);
  params.min_area = MIN_AREA;
  check (cca_context_new (NULL, &vision->context));
  check (cca_plan_new (vision->context, width, height, &params, CCA_OUTPUT_LABELS_U32, &vision->plan));
  check (cca_result_new (vision->plan, &vision->result));
  vision->labels = need (malloc (n * sizeof *vision->labels));
  vision->last_labels = need (malloc (n * sizeof *vision->last_labels));
  vision->components = need (malloc (params.max_components * sizeof *vision->components));
  vision->overlaps = need (malloc (n * sizeof *vision->overlaps));
  vision->keys = need (malloc (n * sizeof *vision->keys));
  return vision;
}

void
vision_free (Vision *vision)
{
  cca_result_free (vision->result);
  cca_plan_free (vision->plan);
  cca_context_free (vision->context);
  free (vision->labels);
  free (vision->last_labels);
  free (vision->components);
  free (vision->overlaps);
  free (vision->keys);
  free (vision);
}

static int
by_key (const void *a, const void *b)
{
  const uint64_t one = *(const uint64_t *) a, other = *(const uint64_t *) b;

  return one < other ? -1 : one > other;
}

static size_t
find_overlaps (Vision *vision)
{
  size_t n_keys = 0, n = 0;

  for (size_t i = 0; i < (size_t) vision->width * vision->height; i++)
    if (vision->labels[i] != 0 && vision->last_labels[i] != 0)
      vision->keys[n_keys++] = (uint64_t) vision->last_labels[i] << 32 | vision->labels[i];
  qsort (vision->keys, n_keys, sizeof *vision->keys, by_key);
  for (size_t i = 0; i < n_keys; i++) {
    if (i == 0 || vision->keys[i] != vision->keys[i - 1])
      vision->overlaps[n++] =
          (GstCcaTrackerOverlap) { (uint32_t) (vision->keys[i] >> 32), (uint32_t) vision->keys[i], 0 };
    vision->overlaps[n - 1].pixels++;
  }
  return n;
}

void
vision_look (Vision *vision, uint8_t *mask, uint64_t time_ns, GstCcaTrackerFrame *frame)
{
  const CcaImage input = { mask, vision->width, vision->width, vision->height, CCA_MEMORY_HOST };
  uint32_t *labels = vision->last_labels;
  CcaMeasurement measurement;
  CcaImage output;

  vision->last_labels = vision->labels;
  vision->labels = labels;
  output = (CcaImage) { labels, (ptrdiff_t) vision->width * 4, vision->width, vision->height, CCA_MEMORY_HOST };
  check (cca_plan_run (vision->plan, &input, &output, NULL, vision->result));
  check (cca_result_wait (vision->result, &measurement));
  for (uint32_t i = 0; i < measurement.n_stored; i++) {
    const CcaComponent *c = &measurement.components[i];

    vision->components[i] =
        (GstCcaTrackerComponent) { c->label, c->x, c->y, c->width, c->height, c->area, c->centroid_x, c->centroid_y };
  }
  *frame = (GstCcaTrackerFrame) {
    .time = time_ns,
    .width = vision->width,
    .height = vision->height,
    .components = vision->components,
    .n_components = measurement.n_stored,
    .overlaps = vision->started ? vision->overlaps : NULL,
    .n_overlaps = vision->started ? find_overlaps (vision) : 0,
  };
  vision->started = true;
}
