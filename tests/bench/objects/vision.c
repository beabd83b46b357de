/* gst-cca: libcca analyses scenes: components, and the coverage of cells
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "vision.h"

#include <glib.h>

#include "cca/cca.h"

#define MIN_AREA 3
#define CELL 4

struct Vision
{
  uint32_t width, height;
  CcaContext *context;
  CcaPlan *plan;
  CcaResult *result;
  GstCcaTrackerComponent *components;
};

static void
check (CcaStatus status)
{
  if (status != CCA_OK)
    g_error ("%s: %s", cca_status_text (status), cca_last_error ());
}

Vision *
vision_new (uint32_t width, uint32_t height)
{
  Vision *vision = g_new (Vision, 1);
  CcaParams params;

  vision->width = width;
  vision->height = height;
  cca_params_init (&params);
  params.min_area = MIN_AREA;
  params.coverage_cell = CELL;
  check (cca_context_new (NULL, &vision->context));
  check (cca_plan_new (vision->context, width, height, &params, CCA_OUTPUT_NONE, &vision->plan));
  check (cca_result_new (vision->plan, &vision->result));
  vision->components = g_new (GstCcaTrackerComponent, params.max_components);
  return vision;
}

void
vision_free (Vision *vision)
{
  cca_result_free (vision->result);
  cca_plan_free (vision->plan);
  cca_context_free (vision->context);
  g_free (vision->components);
  g_free (vision);
}

void
vision_look (Vision *vision, uint8_t *mask, uint64_t time_ns, GstCcaTrackerFrame *frame)
{
  const CcaImage input = { mask, vision->width, vision->width, vision->height, CCA_MEMORY_HOST };
  CcaMeasurement measurement;

  check (cca_plan_run (vision->plan, &input, NULL, NULL, vision->result));
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
    .coverage = measurement.coverage,
    .cell = CELL,
    .columns = measurement.coverage_columns,
    .rows = measurement.coverage_rows,
  };
}

void
vision_evaluate (Identity *identity, const SceneBox *truth, size_t n_truth, const GstCcaObject *tracks, size_t n_tracks,
                 bool seen)
{
  g_autofree SceneBox *boxes = g_new (SceneBox, n_tracks + 1);
  size_t n = 0;

  for (size_t i = 0; i < n_tracks; i++)
    if (tracks[i].state != GST_CCA_OBJECT_TENTATIVE && !(seen && tracks[i].state == GST_CCA_OBJECT_COASTING))
      boxes[n++] = vision_box (&tracks[i]);
  identity_add (identity, truth, n_truth, boxes, n);
}
