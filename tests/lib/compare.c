/* gst-cca: the product's results against the oracle's
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "compare.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "cca/label-color.h"

OracleParams
compare_oracle_params (const CcaParams *params)
{
  static const OracleFormat formats[] = {
    [CCA_FORMAT_GRAY8] = ORACLE_GRAY8,         [CCA_FORMAT_YUY2] = ORACLE_YUY2,
    [CCA_FORMAT_UYVY] = ORACLE_UYVY,           [CCA_FORMAT_P010] = ORACLE_P010,
    [CCA_FORMAT_RGBX] = ORACLE_RGBX,           [CCA_FORMAT_BGRX] = ORACLE_BGRX,
    [CCA_FORMAT_GRAY16_LE] = ORACLE_GRAY16_LE, [CCA_FORMAT_GRAY16_BE] = ORACLE_GRAY16_BE,
  };
  /* ITU-R BT.601, BT.709, BT.2020. */
  static const double shares[][2] = { [CCA_MATRIX_BT601] = { 0.299, 0.587 },
                                      [CCA_MATRIX_BT709] = { 0.2126, 0.7152 },
                                      [CCA_MATRIX_BT2020] = { 0.2627, 0.678 } };
  OracleParams oracle = { .diagonal = params->connectivity == 8,
                          .format = formats[params->format],
                          .red = shares[params->matrix][0],
                          .green = shares[params->matrix][1],
                          .black = params->black,
                          .threshold = params->threshold,
                          .low = params->low,
                          .high = params->high,
                          .invert = params->invert,
                          .background = params->motion.model == CCA_MODEL_SAMPLES ? ORACLE_SAMPLES : ORACLE_SIGMA_DELTA,
                          .learning = params->motion.learning,
                          .period = params->motion.period,
                          .amplification = params->motion.amplification,
                          .v_min = params->motion.v_min,
                          .v_max = params->motion.v_max,
                          .tolerance = params->motion.tolerance,
                          .keep_shadows = params->motion.keep_shadows,
                          .denoise = params->denoise,
                          .close_radius = params->close_radius,
                          .min_area = params->min_area,
                          .max_area = params->max_area,
                          .min_width = params->min_width,
                          .max_width = params->max_width,
                          .min_height = params->min_height,
                          .max_height = params->max_height,
                          .max_components = params->max_components,
                          .by_area = params->order == CCA_ORDER_AREA,
                          .covariance = params->covariance,
                          .shape = params->shape,
                          .intensity = params->intensity };

  switch (params->foreground) {
    case CCA_FOREGROUND_NONZERO: oracle.mode = ORACLE_NONZERO; break;
    case CCA_FOREGROUND_THRESHOLD: oracle.mode = ORACLE_THRESHOLD; break;
    case CCA_FOREGROUND_RANGE: oracle.mode = ORACLE_RANGE; break;
    case CCA_FOREGROUND_VALUES: oracle.mode = ORACLE_VALUES; break;
    case CCA_FOREGROUND_MOTION: oracle.mode = ORACLE_MOTION; break;
  }
  return oracle;
}

/* The members of CcaComponent in their order, each with the oracle's value. */
#define MEMBERS(M)                                                                                                     \
  M (label, e->label)                                                                                                  \
  M (x, e->x_min)                                                                                                      \
  M (y, e->y_min)                                                                                                      \
  M (width, e->x_max - e->x_min + 1)                                                                                   \
  M (height, e->y_max - e->y_min + 1)                                                                                  \
  M (area, e->area)                                                                                                    \
  M (centroid_x, e->centroid_x)                                                                                        \
  M (centroid_y, e->centroid_y)                                                                                        \
  M (cov_xx, e->cov_xx)                                                                                                \
  M (cov_xy, e->cov_xy)                                                                                                \
  M (cov_yy, e->cov_yy)

/* A member that the list lacks does not compile. */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wmissing-field-initializers"
CcaComponent
compare_expected_component (const OracleComponent *e)
{
#define VALUE(member, value) value,
  return (CcaComponent) { MEMBERS (VALUE) };
}
#pragma GCC diagnostic pop

char *
compare_components (const CcaComponent *actual, const CcaComponent *expected)
{
#define COMPARE(member, value)                                                                                         \
  if (memcmp (&actual->member, &expected->member, sizeof actual->member) != 0)                                         \
    return g_strdup_printf ("%s is %.17g, not %.17g", #member, (double) actual->member, (double) expected->member);
  MEMBERS (COMPARE)
  return NULL;
}

/* Returns the first difference in the cells of the coverage. */
static char *
compare_cells (const CcaMeasurement *measurement, const uint8_t *expected, uint32_t columns, uint32_t rows)
{
  if (!measurement->coverage)
    return g_strdup ("coverage is not known");
  if (measurement->coverage_columns != columns || measurement->coverage_rows != rows)
    return g_strdup_printf ("%ux%u cells, not %ux%u", measurement->coverage_columns, measurement->coverage_rows,
                            columns, rows);
  for (uint32_t i = 0; i < columns * rows; i++)
    if (measurement->coverage[i] != expected[i])
      return g_strdup_printf ("cell %u, %u has %u pixels, not %u", i % columns, i / columns, measurement->coverage[i],
                              expected[i]);
  return NULL;
}

char *
compare_coverage (const CcaMeasurement *measurement, const OracleParams *params, const OracleChroma *chroma,
                  const uint8_t *pixels, const OracleFrame *expected, uint32_t cell)
{
  uint32_t columns, rows;
  uint8_t *cells, *colours;
  char *difference;

  if (measurement->coverage_cell != cell)
    return g_strdup_printf ("coverage_cell is %u, not %u", measurement->coverage_cell, cell);
  if (cell == 0) {
    if (measurement->coverage || measurement->colours || measurement->coverage_columns || measurement->coverage_rows)
      return g_strdup ("coverage is known");
    return NULL;
  }
  cells = oracle_coverage (expected, cell, &columns, &rows);
  difference = compare_cells (measurement, cells, columns, rows);
  colours = oracle_colours (params, chroma, pixels, expected, cell);
  for (uint32_t i = 0; difference == NULL && i < 3 * columns * rows; i++)
    if (measurement->colours[i] != colours[i])
      difference = g_strdup_printf ("colour %u of cell %u, %u is %u, not %u", i / (columns * rows), i % columns,
                                    i / columns % rows, measurement->colours[i], colours[i]);
  free (colours);
  free (cells);
  return difference;
}

/* The members of CcaShape and of CcaIntensity. */
#define SHAPE_MEMBERS(M)                                                                                               \
  M (perimeter, e->perimeter)                                                                                          \
  M (perimeter_crofton, e->perimeter_crofton)                                                                          \
  M (euler_number, (int32_t) e->euler_number)
#define INTENSITY_MEMBERS(M) M (mean, e->value_mean) M (min, e->value_min) M (max, e->value_max)

#define COMPARE_DETAIL(member, value)                                                                                  \
  if (memcmp (&actual->member, &expected.member, sizeof actual->member) != 0)                                          \
    return g_strdup_printf ("%s is %.17g, not %.17g", #member, (double) actual->member, (double) expected.member);

static char *
compare_shape (const CcaShape *actual, const OracleComponent *e)
{
  const CcaShape expected = { SHAPE_MEMBERS (VALUE) };

  SHAPE_MEMBERS (COMPARE_DETAIL)
  return NULL;
}

static char *
compare_intensity (const CcaIntensity *actual, const OracleComponent *e)
{
  const CcaIntensity expected = { INTENSITY_MEMBERS (VALUE) };

  INTENSITY_MEMBERS (COMPARE_DETAIL)
  return NULL;
}

char *
compare_measurement (const CcaMeasurement *measurement, const OracleFrame *expected)
{
  if (measurement->scene_change != expected->scene_change)
    return g_strdup_printf ("scene_change is %d, not %d", measurement->scene_change, expected->scene_change);
  if (measurement->n_components != expected->n_components)
    return g_strdup_printf ("n_components is %u, not %u", measurement->n_components, expected->n_components);
  if (measurement->n_stored != expected->n_stored)
    return g_strdup_printf ("n_stored is %u, not %u", measurement->n_stored, expected->n_stored);
  if (measurement->truncated != expected->truncated)
    return g_strdup_printf ("truncated is %d, not %d", measurement->truncated, expected->truncated);
  for (uint32_t i = 0; i < expected->n_stored; i++) {
    const CcaComponent component = compare_expected_component (&expected->components[i]);
    g_autofree char *difference = compare_components (&measurement->components[i], &component);

    if (difference)
      return g_strdup_printf ("components[%u].%s", i, difference);
  }
  if ((measurement->shapes != NULL) != expected->shape || (measurement->intensities != NULL) != expected->intensity)
    return g_strdup_printf ("shapes are %p, intensities %p", (const void *) measurement->shapes,
                            (const void *) measurement->intensities);
  for (uint32_t i = 0; i < expected->n_stored; i++) {
    const OracleComponent *e = &expected->components[i];
    g_autofree char *shape = expected->shape ? compare_shape (&measurement->shapes[i], e) : NULL;
    g_autofree char *intensity = expected->intensity ? compare_intensity (&measurement->intensities[i], e) : NULL;

    if (shape || intensity)
      return g_strdup_printf ("component %u at %u, %u: %s", e->label, e->x_min, e->y_min, shape ? shape : intensity);
  }
  return NULL;
}

/* Returns the first difference of the known overlaps from the n expected ones. */
static char *
compare_known_overlaps (const CcaMeasurement *measurement, const OracleOverlap *expected, size_t n,
                        uint32_t max_components)
{
  if (!measurement->overlaps)
    return g_strdup ("overlaps are not known");
  if (measurement->n_overlaps != n)
    return g_strdup_printf ("n_overlaps is %u, not %zu", measurement->n_overlaps, n);
  if (measurement->n_stored_overlaps != MIN (n, max_components))
    return g_strdup_printf ("n_stored_overlaps is %u; there are %zu and may be %u", measurement->n_stored_overlaps, n,
                            max_components);
  for (uint32_t i = 0; i < measurement->n_stored_overlaps; i++) {
    const CcaOverlap *o = &measurement->overlaps[i];

    if (o->before != expected[i].before || o->now != expected[i].now || o->pixels != expected[i].pixels)
      return g_strdup_printf ("overlaps[%u] is %u, %u, %" G_GUINT64_FORMAT ", not %u, %u, %" G_GUINT64_FORMAT, i,
                              o->before, o->now, o->pixels, expected[i].before, expected[i].now, expected[i].pixels);
  }
  return NULL;
}

char *
compare_overlaps (const CcaMeasurement *measurement, const OracleFrame *before, const OracleFrame *now,
                  uint32_t max_components)
{
  OracleOverlap *expected;
  char *difference;
  size_t n;

  if (!before) {
    if (measurement->overlaps || measurement->n_overlaps || measurement->n_stored_overlaps)
      return g_strdup_printf ("overlaps are known: %u", measurement->n_overlaps);
    return NULL;
  }
  expected = oracle_overlaps (before, now, &n);
  difference = compare_known_overlaps (measurement, expected, n, max_components);
  free (expected);
  return difference;
}

/* Writes the bytes that a row with these labels must have. */
static void
expected_row (uint8_t *row, CcaOutput output, const uint32_t *labels, uint32_t width)
{
  for (uint32_t x = 0; x < width; x++) {
    const uint32_t value = GUINT32_TO_LE (output == CCA_OUTPUT_COLORS ? cca_label_color (labels[x]) : labels[x]);
    const uint16_t narrow = GUINT16_TO_LE ((uint16_t) MIN (labels[x], 65535));

    switch (output) {
      case CCA_OUTPUT_LABELS_U16: memcpy (row + 2 * (size_t) x, &narrow, 2); break;
      case CCA_OUTPUT_MASK: row[x] = labels[x] ? 255 : 0; break;
      default: memcpy (row + 4 * (size_t) x, &value, 4); break;
    }
  }
}

char *
compare_output (const Guarded *image, CcaOutput output, const OracleFrame *expected)
{
  const uint32_t size = cca_output_pixel_size (output);
  g_autofree uint8_t *wanted = g_malloc (image->row_bytes);
  char *difference = NULL;

  for (uint32_t y = 0; y < expected->height && !difference; y++) {
    const uint8_t *row = guarded_row (image, y);
    const uint32_t *labels = expected->labels + (size_t) y * expected->width;
    size_t i = 0;

    expected_row (wanted, output, labels, expected->width);
    if (memcmp (row, wanted, image->row_bytes) == 0)
      continue;
    while (row[i] == wanted[i])
      i++;
    difference = g_strdup_printf ("output %d differs at (%zu, %u), byte %zu, where the label is %u: %u, not %u", output,
                                  i / size, y, i % size, labels[i / size], row[i], wanted[i]);
  }
  return difference;
}

void
compare_frame_init (CompareFrame *frame, uint32_t width, uint32_t height, CcaOutput output, Layout layout,
                    const uint8_t *pixels)
{
  *frame = (CompareFrame) { .output = output, .pixels = pixels };
  guarded_init (&frame->in, width, height, cca_format_pixel_size (layout.format), layout);
  guarded_fill (&frame->in, pixels);
  guarded_upload (&frame->in);
  if (output == CCA_OUTPUT_NONE)
    return;
  guarded_init (&frame->out, width, height, cca_output_pixel_size (output), layout);
  guarded_upload (&frame->out);
}

/* The plane of pairs of step 2: the one of u and v that is first. */
static const uint8_t *
chroma_base (const OracleChroma *chroma)
{
  return chroma->u < chroma->v ? chroma->u : chroma->v;
}

void
compare_frame_set_chroma (CompareFrame *frame, const OracleChroma *chroma, Layout layout)
{
  const uint32_t width = (frame->in.image.width + chroma->shift_x) >> chroma->shift_x;
  const uint32_t height = (frame->in.image.height + chroma->shift_y) >> chroma->shift_y;
  const uint8_t *planes[] = { chroma->u, chroma->v };
  CcaChroma *target = &frame->in.image.chroma;

  frame->colors = chroma;
  frame->n_chroma = chroma->step == 2 ? 1 : 2;
  if (chroma->step == 2)
    planes[0] = chroma_base (chroma);
  for (uint32_t i = 0; i < frame->n_chroma; i++) {
    guarded_init (&frame->chroma[i], width, height, chroma->step, layout);
    guarded_fill (&frame->chroma[i], planes[i]);
    guarded_upload (&frame->chroma[i]);
  }
  *target = (CcaChroma) { .u = frame->chroma[0].image.data,
                          .v = frame->chroma[frame->n_chroma - 1].image.data,
                          .pitch = frame->chroma[0].image.pitch,
                          .step = chroma->step,
                          .shift_x = chroma->shift_x,
                          .shift_y = chroma->shift_y };
  if (chroma->step == 2) {
    target->u = (const uint8_t *) target->u + (chroma->u - planes[0]);
    target->v = (const uint8_t *) target->v + (chroma->v - planes[0]);
  }
}

void
compare_frame_clear (CompareFrame *frame)
{
  for (uint32_t i = 0; i < frame->n_chroma; i++)
    guarded_clear (&frame->chroma[i]);
  guarded_clear (&frame->in);
  if (frame->output != CCA_OUTPUT_NONE)
    guarded_clear (&frame->out);
}

CcaStatus
compare_frame_start (CompareFrame *frame, CcaPlan *plan, void *stream, CcaResult *result)
{
  frame->result = result;
  return cca_plan_run (plan, &frame->in.image, frame->output ? &frame->out.image : NULL, stream, result);
}

static char *
compare_input (Guarded *in, const uint8_t *pixels, const char *name)
{
  if (!guarded_is_intact (in))
    return g_strdup_printf ("bytes outside of the rows of the input's %s were written", name);
  for (uint32_t y = 0; y < in->image.height; y++)
    if (memcmp (guarded_row (in, y), pixels + y * in->row_bytes, in->row_bytes) != 0)
      return g_strdup_printf ("row %u of the input's %s was written", y, name);
  return NULL;
}

/* Returns a difference if the input or bytes outside the results were written. */
static char *
compare_surroundings (CompareFrame *frame)
{
  char *difference;

  if (frame->output && !guarded_is_intact (&frame->out))
    return g_strdup ("bytes outside of the output's rows were written");
  difference = compare_input (&frame->in, frame->pixels, "pixels");
  if (!difference && frame->n_chroma == 1)
    difference = compare_input (&frame->chroma[0], chroma_base (frame->colors), "chroma");
  if (!difference && frame->n_chroma == 2)
    difference = compare_input (&frame->chroma[0], frame->colors->u, "u");
  if (!difference && frame->n_chroma == 2)
    difference = compare_input (&frame->chroma[1], frame->colors->v, "v");
  return difference;
}

char *
compare_frame_finish (CompareFrame *frame, const OracleFrame *expected)
{
  CcaMeasurement measurement;
  char *difference;

  if (cca_result_wait (frame->result, &measurement) != CCA_OK)
    return g_strdup (cca_last_error ());
  guarded_download (&frame->in);
  for (uint32_t i = 0; i < frame->n_chroma; i++)
    guarded_download (&frame->chroma[i]);
  if (frame->output)
    guarded_download (&frame->out);
  difference = compare_measurement (&measurement, expected);
  if (!difference && frame->output)
    difference = compare_output (&frame->out, frame->output, expected);
  return difference ? difference : compare_surroundings (frame);
}

char *
compare_run (CcaPlan *plan, CcaResult *result, CcaOutput output, Layout layout, const uint8_t *pixels,
             const OracleFrame *expected)
{
  return compare_run_colored (plan, result, output, layout, pixels, NULL, expected);
}

char *
compare_run_colored (CcaPlan *plan, CcaResult *result, CcaOutput output, Layout layout, const uint8_t *pixels,
                     const OracleChroma *chroma, const OracleFrame *expected)
{
  CompareFrame frame;
  CcaStatus status;
  char *difference;

  compare_frame_init (&frame, expected->width, expected->height, output, layout, pixels);
  if (chroma)
    compare_frame_set_chroma (&frame, chroma, layout);
  status = compare_frame_start (&frame, plan, NULL, result);
  if (status == CCA_OK)
    difference = compare_frame_finish (&frame, expected);
  else
    difference = g_strdup_printf ("%s: %s", cca_status_text (status), cca_last_error ());
  compare_frame_clear (&frame);
  return difference;
}

bool
compare_can (const CcaAlgorithm *algorithm, const CcaParams *params, CcaOutput output)
{
  uint32_t needed = params->connectivity == 4 ? CCA_CAN_4 : CCA_CAN_8;

  needed |= output == CCA_OUTPUT_NONE ? CCA_CAN_ANALYSE : CCA_CAN_LABEL;
  if (params->foreground == CCA_FOREGROUND_VALUES)
    needed |= CCA_CAN_VALUES;
  if (params->overlaps || params->shape || params->intensity)
    needed |= CCA_CAN_OVERLAPS;
  return (algorithm->capabilities & needed) == needed;
}
