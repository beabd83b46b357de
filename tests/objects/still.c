/* gst-cca: the components that are exactly where one was, compared with all components
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <string.h>

#include "gst/objects/still.h"

#define MAX_COMPONENTS 300

/* A box at one of a few places, so that many components have the same. */
static GstCcaBox
random_box (GRand *random)
{
  GstCcaBox box;

  for (gint i = 0; i < 2; i++) {
    box.min[i] = g_rand_int_range (random, 0, 8);
    box.max[i] = box.min[i] + g_rand_int_range (random, 1, 3);
  }
  return box;
}

/* Takes a component, which must be one that is there and was not taken before; none must be left if there is none. */
static void
check_take (GstCcaStill *still, const GstCcaTrackerFrame *frame, const GstCcaBox *boxes, gboolean *taken,
            const GstCcaBox *box, guint64 area)
{
  const guint32 component = gst_cca_still_take (still, box, area);

  if (component != GST_CCA_UNASSIGNED) {
    g_assert_cmpuint (component, <, frame->n_components);
    g_assert_cmpmem (&boxes[component], sizeof *box, box, sizeof *box);
    g_assert_cmpuint (frame->components[component].area, ==, area);
    g_assert_false (taken[component]);
    taken[component] = TRUE;
    return;
  }
  for (gsize i = 0; i < frame->n_components; i++)
    g_assert_false (!taken[i] && frame->components[i].area == area && memcmp (&boxes[i], box, sizeof *box) == 0);
}

static void
test_brute_force (void)
{
  static const gsize counts[] = { 0, 1, 8, 9, 100, MAX_COMPONENTS, 3 };
  static GstCcaTrackerComponent components[MAX_COMPONENTS];
  GstCcaStill *still = gst_cca_still_new ();
  GRand *random = g_rand_new_with_seed (1);
  GstCcaBox boxes[MAX_COMPONENTS];
  guint n_taken = 0;

  for (guint round = 0; round < 20; round++)
    for (guint k = 0; k < G_N_ELEMENTS (counts); k++) {
      const GstCcaTrackerFrame frame = { .components = components, .n_components = counts[k] };
      gboolean taken[MAX_COMPONENTS] = { FALSE };

      for (gsize i = 0; i < counts[k]; i++) {
        boxes[i] = random_box (random);
        components[i].area = (guint64) g_rand_int_range (random, 1, 3);
      }
      g_assert_true (gst_cca_still_fill (still, &frame, boxes));
      for (guint search = 0; search < 2 * MAX_COMPONENTS; search++) {
        const GstCcaBox box = random_box (random);

        check_take (still, &frame, boxes, taken, &box, (guint64) g_rand_int_range (random, 1, 4));
      }
      for (gsize i = 0; i < counts[k]; i++)
        n_taken += taken[i];
    }
  g_assert_cmpuint (n_taken, >, 1000);
  g_rand_free (random);
  gst_cca_still_free (still);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/still/brute-force", test_brute_force);
  return g_test_run ();
}
