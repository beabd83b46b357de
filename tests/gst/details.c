/* gst-cca: shapes and intensities in metas and messages, against the oracle and against frames drawn larger
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "element-test.h"
#include "oracle.h"

#include <math.h>

enum
{
  WIDTH = 157,
  HEIGHT = 83,
  SIDE = 96,
};

/* --- Against the oracle ------------------------------------------------------------------------------ */

typedef struct
{
  const gchar *name, *launch;
  gboolean diagonal, shape, intensity;
  OracleMode mode;
} Case;

static const Case cases[] = {
  { "shape", "cca foreground=threshold shape=true", TRUE, TRUE, FALSE, ORACLE_THRESHOLD },
  { "shape-4", "cca foreground=threshold connectivity=4 shape=true", FALSE, TRUE, FALSE, ORACLE_THRESHOLD },
  { "intensity", "cca foreground=threshold intensity=true", TRUE, FALSE, TRUE, ORACLE_THRESHOLD },
  { "both", "cca foreground=nonzero algorithm=two-pass shape=true intensity=true", TRUE, TRUE, TRUE, ORACLE_NONZERO },
  { "values", "cca foreground=values shape=true intensity=true", TRUE, TRUE, TRUE, ORACLE_VALUES },
  { "pictures", "ccl foreground=threshold shape=true intensity=true", TRUE, TRUE, TRUE, ORACLE_THRESHOLD },
  { "neither", "cca foreground=threshold covariance=true", TRUE, FALSE, FALSE, ORACLE_THRESHOLD },
};

static gint
get_int (const GstStructure *structure, const gchar *field)
{
  gint value;

  g_assert_true (gst_structure_get_int (structure, field, &value));
  return value;
}

static void
check_meta (GstBuffer *buffer, const Case *c, const OracleFrame *expected)
{
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);

  g_assert_cmpuint (meta->n_stored, ==, expected->n_stored);
  g_assert_cmpint (meta->shapes != NULL, ==, c->shape);
  g_assert_cmpint (meta->intensities != NULL, ==, c->intensity);
  for (guint i = 0; i < meta->n_stored; i++) {
    const OracleComponent *should = &expected->components[i];

    g_assert_cmpuint (meta->components[i].label, ==, should->label);
    if (c->shape) {
      g_assert_cmpfloat_with_epsilon (meta->shapes[i].perimeter, should->perimeter, 1e-9);
      g_assert_cmpfloat_with_epsilon (meta->shapes[i].perimeter_crofton, should->perimeter_crofton, 1e-9);
      g_assert_cmpint (meta->shapes[i].euler_number, ==, should->euler_number);
    }
    if (c->intensity) {
      g_assert_cmpfloat (meta->intensities[i].mean, ==, should->value_mean);
      g_assert_cmpuint (meta->intensities[i].min, ==, should->value_min);
      g_assert_cmpuint (meta->intensities[i].max, ==, should->value_max);
    }
  }
}

static void
check_message (GstHarness *harness, const Case *c, const OracleFrame *expected)
{
  g_autoptr (GstMessage) message = NULL;
  const GValue *list = gst_structure_get_value (test_pop_structure (harness, "cca", &message), "components");
  const gint n_fields = 8 + 3 * (c->shape + c->intensity + (strstr (c->launch, "covariance") != NULL));

  g_assert_cmpuint (gst_value_list_get_size (list), ==, expected->n_stored);
  for (guint i = 0; i < expected->n_stored; i++) {
    const GstStructure *component = gst_value_get_structure (gst_value_list_get_value (list, i));
    const OracleComponent *should = &expected->components[i];

    g_assert_cmpint (gst_structure_n_fields (component), ==, n_fields);
    g_assert_cmpuint (test_get_uint (component, "label"), ==, should->label);
    if (c->shape) {
      g_assert_cmpfloat_with_epsilon (test_get_double (component, "perimeter"), should->perimeter, 1e-9);
      g_assert_cmpfloat_with_epsilon (test_get_double (component, "perimeter-crofton"), should->perimeter_crofton,
                                      1e-9);
      g_assert_cmpint (get_int (component, "euler-number"), ==, should->euler_number);
    }
    if (c->intensity) {
      g_assert_cmpfloat (test_get_double (component, "intensity-mean"), ==, should->value_mean);
      g_assert_cmpuint (test_get_uint (component, "intensity-min"), ==, should->value_min);
      g_assert_cmpuint (test_get_uint (component, "intensity-max"), ==, should->value_max);
    }
  }
}

static void
test_oracle (gconstpointer data)
{
  const Case *c = data;
  const OracleParams params = { .diagonal = c->diagonal,
                                .mode = c->mode,
                                .threshold = 127,
                                .max_components = 4096,
                                .shape = c->shape,
                                .intensity = c->intensity };
  g_autoptr (GstHarness) harness = test_harness (c->launch, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  guint n_holes = 0, n_spread = 0;

  for (guint i = 0; i < 3; i++) {
    g_autofree guint8 *luma = test_luma (WIDTH, HEIGHT, i);
    g_autoptr (GstBuffer) buffer = test_pass_frame (harness, i);
    OracleFrame *expected = oracle_run (&params, NULL, luma, WIDTH, HEIGHT);

    g_assert_cmpuint (expected->n_stored, >, 3);
    check_meta (buffer, c, expected);
    check_message (harness, c, expected);
    for (guint k = 0; k < expected->n_stored; k++) {
      n_holes += expected->components[k].euler_number < 1;
      n_spread += expected->components[k].value_min < expected->components[k].value_max;
    }
    oracle_frame_free (expected);
  }
  /* Frames without a hole or of one value would prove little. */
  g_assert_true (!c->shape || n_holes > 0);
  g_assert_true (!c->intensity || c->mode == ORACLE_VALUES || n_spread > 0);
}

/* The properties change while the element plays, and messages and metas with them. */
static void
test_changes (void)
{
  g_autoptr (GstHarness) harness = test_harness ("cca foreground=threshold", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  g_autofree guint8 *luma = test_luma (WIDTH, HEIGHT, 1);

  for (guint i = 0; i < 12; i++) {
    const Case c = { .launch = "", .shape = i % 3 == 1, .intensity = i % 4 >= 2 };
    const OracleParams params = { .diagonal = TRUE,
                                  .mode = ORACLE_THRESHOLD,
                                  .threshold = 127,
                                  .max_components = 4096,
                                  .shape = c.shape,
                                  .intensity = c.intensity };
    OracleFrame *expected = oracle_run (&params, NULL, luma, WIDTH, HEIGHT);
    g_autoptr (GstBuffer) buffer = NULL;

    g_object_set (harness->element, "shape", c.shape, "intensity", c.intensity, NULL);
    buffer = test_pass_frame (harness, 1);
    check_meta (buffer, &c, expected);
    check_message (harness, &c, expected);
    oracle_frame_free (expected);
  }
}

/* A frame without components says that shapes are known. */
static void
test_nothing (void)
{
  g_autoptr (GstHarness) harness = test_harness ("cca foreground=threshold min-area=100000 shape=true intensity=true",
                                                 test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  g_autoptr (GstBuffer) buffer = test_pass_frame (harness, 1);
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);

  g_assert_cmpuint (meta->n_stored, ==, 0);
  g_assert_true (meta->shapes != NULL && meta->intensities != NULL);
  g_assert_null (gst_cca_meta_get_shapes (meta));
  g_assert_null (gst_cca_meta_get_intensities (meta));
}

/* Values of 16 bits are not cut. */
static void
test_16_bits (void)
{
  g_autoptr (GstHarness) harness =
      test_harness ("cca foreground=threshold threshold=1000 intensity=true", test_caps ("GRAY16_LE", 3, 1, NULL));
  g_autoptr (GstBuffer) buffer = gst_buffer_new_allocate (NULL, 8, NULL);
  const guint16 values[4] = { 1001, 60000, 40001 };
  const GstCcaMeta *meta;

  gst_buffer_fill (buffer, 0, values, sizeof values);
  buffer = gst_harness_push_and_pull (harness, buffer);
  meta = gst_buffer_get_cca_meta (buffer);
  g_assert_cmpuint (meta->n_stored, ==, 1);
  g_assert_cmpuint (meta->intensities[0].min, ==, 1001);
  g_assert_cmpuint (meta->intensities[0].max, ==, 60000);
  g_assert_cmpfloat (meta->intensities[0].mean, ==, (1001 + 60000 + 40001) / 3.);
}

/* --- Scaled ------------------------------------------------------------------------------------------ */

/* A ring, drawn in a frame of any size. */
static GstBuffer *
ring (guint width, guint height)
{
  const gsize pitch = GST_ROUND_UP_4 (width);
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, pitch * height, NULL);
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (guint y = 0; y < height; y++)
    for (guint x = 0; x < width; x++) {
      const gdouble radius = hypot ((x + 0.5) / width - 0.5, (y + 0.5) / height - 0.5);

      map.data[y * pitch + x] = radius > 0.2 && radius < 0.4 ? 200 : 0;
    }
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

static void
check_length (gdouble scaled, gdouble drawn, gdouble part)
{
  g_test_message ("%.1f scaled, %.1f drawn", scaled, drawn);
  g_assert_cmpfloat (fabs (scaled - drawn), <, part * drawn);
}

/* Lengths measured in a small frame and scaled are about those measured in a large one, whose ring has more pixels. */
static void
check_scaled (guint width, guint height, gdouble part)
{
  g_autofree gchar *launch = g_strdup_printf ("cca foreground=threshold shape=true intensity=true ! videoscale ! "
                                              "capsfilter caps=video/x-raw,width=%u,height=%u",
                                              width, height);
  g_autoptr (GstHarness) small = gst_harness_new_parse (launch);
  g_autoptr (GstHarness) large =
      test_harness ("cca foreground=threshold shape=true intensity=true", test_caps ("GRAY8", width, height, NULL));
  g_autoptr (GstBuffer) scaled = NULL, drawn = NULL;
  const GstCcaMeta *is, *should;

  gst_harness_set_src_caps (small, test_caps ("GRAY8", SIDE, SIDE, NULL));
  scaled = gst_harness_push_and_pull (small, ring (SIDE, SIDE));
  drawn = gst_harness_push_and_pull (large, ring (width, height));
  is = gst_buffer_get_cca_meta (scaled);
  should = gst_buffer_get_cca_meta (drawn);
  g_assert_false (is->stale);
  g_assert_true (is->width == width && is->height == height);
  g_assert_true (is->n_stored == 1 && should->n_stored == 1);
  check_length (is->shapes[0].perimeter, should->shapes[0].perimeter, part);
  check_length (is->shapes[0].perimeter_crofton, should->shapes[0].perimeter_crofton, part);
  g_assert_cmpint (is->shapes[0].euler_number, ==, 0);
  g_assert_cmpint (should->shapes[0].euler_number, ==, 0);
  g_assert_cmpfloat (is->intensities[0].mean, ==, 200);
  g_assert_true (is->intensities[0].min == 200 && is->intensities[0].max == 200);
}

/* If both axes scale alike, only the pixels are smaller. */
static void
test_scaled (void)
{
  check_scaled (4 * SIDE, 4 * SIDE, 0.02);
  check_scaled (SIDE / 2, SIDE / 2, 0.02);
}

/* The direction of an outline is unknown, so the factor is the root of the area's. For a ring that becomes twice as
 * long as wide it is 8 % too small; for a line along an axis it would be off by the root of 2. */
static void
test_stretched (void)
{
  check_scaled (4 * SIDE, 2 * SIDE, 0.1);
  check_scaled (2 * SIDE, 4 * SIDE, 0.1);
}

GST_CASES_MAIN ()
{
  ADD_ROWS ("/details/oracle", cases, test_oracle);
  ADD_TESTS ("/details", test_changes, test_nothing, test_16_bits, test_scaled, test_stretched);
}
