/* gst-cca: the features of a component are the oracle's, field by field of their list
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Kernels and the CPU's algorithms show their features only as members of CcaComponent. A field is compared there, too,
 * as each one reaches a member, and compare.c has all members.
 */
#include "../add-tests.h"
#include "cca/features.h"

#include <glib.h>

#include "compare.h"
#include "patterns.h"

#define FIELDS(F) CCA_SUM_FIELDS (F) CCA_MOMENT_FIELDS (F) CCA_BOX_FIELDS (F)

/* The runs of a component, divided into two sets that are measured apart. */
typedef struct
{
  CcaFeatures sets[2];
  uint32_t n_runs;
} Parts;

static void
add_run (Parts *parts, Random *random, uint32_t start, uint32_t end, uint32_t y)
{
  const uint32_t set = parts->n_runs < 2 ? parts->n_runs : random_below (random, 2);

  if (parts->n_runs < 2)
    parts->sets[set] = cca_features_empty (start, y);
  cca_features_add_run (&parts->sets[set], start, end, y, y + 1);
  cca_features_add_run_moments (&parts->sets[set], start, end, y, y + 1);
  parts->n_runs++;
}

/* The runs of all components in raster order. The first set has a component's first run. */
static Parts *
measure (const OracleFrame *frame, Random *random)
{
  Parts *parts = g_new0 (Parts, frame->n_components);

  for (uint32_t y = 0; y < frame->height; y++) {
    const uint32_t *row = frame->labels + (size_t) y * frame->width;

    for (uint32_t x = 0, end; x < frame->width; x = end) {
      for (end = x + 1; end < frame->width && row[end] == row[x];)
        end++;
      if (row[x])
        add_run (&parts[row[x] - 1], random, x, end, y);
    }
  }
  return parts;
}

static void
check_features (const CcaFeatures *features, const OracleComponent *e, const OracleFrame *frame)
{
  const size_t first = (size_t) (features->first >> 16) * frame->width + (features->first & 0xffff);
  const CcaComponent component = cca_component_from_features (features, e->label, true);
  const CcaComponent expected = compare_expected_component (e);

  /* A field that the oracle does not measure does not compile. */
#define CHECK(field, operation) g_assert_cmpuint (features->field, ==, e->field);
  FIELDS (CHECK)
  g_assert_cmpuint (features->first >> 16, ==, e->y_min);
  g_assert_cmpuint (frame->labels[first], ==, e->label);
  g_assert_cmpstr (compare_components (&component, &expected), ==, NULL);
}

static OracleFrame *
random_frame (Random *random, uint32_t width, uint32_t height)
{
  const OracleParams params = { .diagonal = random_below (random, 2),
                                .max_components = UINT32_MAX,
                                .covariance = true };
  g_autofree uint8_t *mask = g_malloc ((size_t) width * height);

  pattern_random (random, 30 + random_below (random, 50), 1 + random_below (random, 4), mask, width, height);
  return oracle_run (&params, NULL, mask, width, height);
}

static void
test_join (void)
{
  static const uint32_t sizes[][2] = { { 1, 1 }, { 17, 9 }, { 40, 30 }, { 65535, 5 }, { 5, 65535 }, { 1500, 700 } };
  Random random;

  random_init (&random, 1);
  for (size_t round = 0; round < 10 * G_N_ELEMENTS (sizes); round++) {
    const uint32_t *size = sizes[round % G_N_ELEMENTS (sizes)];
    OracleFrame *frame = random_frame (&random, size[0], size[1]);
    g_autofree Parts *parts = measure (frame, &random);

    for (uint32_t i = 0; i < frame->n_components; i++) {
      if (parts[i].n_runs > 1)
        cca_features_merge (&parts[i].sets[0], &parts[i].sets[1]);
      check_features (&parts[i].sets[0], &frame->components[i], frame);
    }
    oracle_frame_free (frame);
  }
}

/* A component shows when any of its fields is wrong. */
static void
test_members (void)
{
  CcaFeatures features = cca_features_empty (3, 2);
  CcaComponent component;

  cca_features_add_run (&features, 3, 9, 2, 4);
  cca_features_add_run_moments (&features, 3, 9, 2, 4);
  component = cca_component_from_features (&features, 1, true);
#define CHECK_REACHES_MEMBER(field, operation)                                                                         \
  {                                                                                                                    \
    CcaFeatures wrong = features;                                                                                      \
    CcaComponent other;                                                                                                \
    g_autofree char *difference = NULL;                                                                                \
                                                                                                                       \
    wrong.field++;                                                                                                     \
    other = cca_component_from_features (&wrong, 1, true);                                                             \
    difference = compare_components (&other, &component);                                                              \
    g_test_message ("%s: %s", #field, difference ? difference : "reaches no member of CcaComponent");                  \
    g_assert_nonnull (difference);                                                                                     \
  }
  FIELDS (CHECK_REACHES_MEMBER)
}

TESTS_MAIN ("/fields", test_join, test_members)
