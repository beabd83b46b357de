/* gst-cca: which blocks are hidden, compared with a check of every pixel
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "../add-tests.h"
#include "gst/privacy/cover.h"

#include <glib.h>
#include <string.h>

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GstCcaCover, gst_cca_cover_free)

typedef struct
{
  guint width, height, cell;
} Size;

static const Size sizes[] = {
  { 64, 48, 8 }, { 97, 61, 4 }, { 1, 1, 2 }, { 7, 130, 2 }, { 130, 7, 16 }, { 33, 33, 10 }, { 200, 120, 16 },
};

static guint
n_cells (guint length, guint cell)
{
  return (length + cell - 1) / cell;
}

/* Counts of a random frame, few of them not 0. */
static guint8 *
random_counts (GRand *random, const Size *size)
{
  const guint n = n_cells (size->width, size->cell) * n_cells (size->height, size->cell);
  guint8 *counts = g_malloc0 (n);

  for (guint i = 0; i < n; i++)
    if (g_rand_int_range (random, 0, 12) == 0)
      counts[i] = (guint8) g_rand_int_range (random, 1, 256);
  return counts;
}

/* Whether a pixel is foreground, as far as counts tell. */
static gboolean
is_foreground (const guint8 *counts, const Size *size, guint x, guint y)
{
  return counts[y / size->cell * n_cells (size->width, size->cell) + x / size->cell] > 0;
}

/* Whether a block touches a foreground pixel, or a block that does lies within `radius` blocks. */
static gboolean
is_near_foreground (const guint8 *counts, const Size *size, guint column, guint row, gint radius)
{
  for (guint y = 0; y < size->height; y++)
    for (guint x = 0; x < size->width; x++)
      if (is_foreground (counts, size, x, y) && ABS ((gint) (x / 8) - (gint) column) <= radius
          && ABS ((gint) (y / 8) - (gint) row) <= radius)
        return TRUE;
  return FALSE;
}

/* Whether a block has a pixel within `grow` pixels of a box. */
static gboolean
touches (const GstCcaCover *cover, guint column, guint row, const GstCcaCoverBox *box, gint64 grow)
{
  for (gint64 y = 8 * row; y < MIN (8 * row + 8, cover->height); y++)
    for (gint64 x = 8 * column; x < MIN (8 * column + 8, cover->width); x++)
      if (x >= box->x - grow && x < (gint64) box->x + box->width + grow && y >= box->y - grow
          && y < (gint64) box->y + box->height + grow && box->width > 0 && box->height > 0)
        return TRUE;
  return FALSE;
}

static guint8
level_of (guint side, guint n)
{
  guint8 level = 1;

  for (guint64 cell = 16; cell * n < side; cell *= 2)
    level++;
  return level;
}

static void
mark (GstCcaCover *cover, const guint8 *counts, const Size *size)
{
  gst_cca_cover_mark_cells (cover, counts, size->cell, n_cells (size->width, size->cell),
                            n_cells (size->height, size->cell));
}

/* --- Levels --------------------------------------------------------------------------------------------- */

static void
test_level (void)
{
  static const guint levels[][3] = {
    { 1, 4, 1 },   { 64, 4, 1 },  { 65, 4, 2 },     { 128, 4, 2 },      { 129, 4, 3 },
    { 600, 4, 5 }, { 600, 8, 4 }, { 65535, 1, 13 }, { 4000000, 1, 15 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (levels); i++)
    g_assert_cmpuint (gst_cca_cover_level (levels[i][0], levels[i][1]), ==, levels[i][2]);
}

/* --- Foreground ----------------------------------------------------------------------------------------- */

/* Random foreground, boxes and dilations. */
static void
test_foreground (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_auto (GstCcaCover) cover = { 0 };

  for (guint i = 0; i < 60; i++) {
    const Size *size = &sizes[i % G_N_ELEMENTS (sizes)];
    const guint grow = (guint) g_rand_int_range (random, 0, 30), most = (guint) g_rand_int_range (random, 1, 9);
    const gint radius = (gint) (grow + 7) / 8;
    g_autofree guint8 *counts = random_counts (random, size);
    GstCcaCoverBox boxes[3];

    for (guint k = 0; k < G_N_ELEMENTS (boxes); k++)
      boxes[k] =
          (GstCcaCoverBox) { (guint) g_rand_int_range (random, 0, (gint) size->width),
                             (guint) g_rand_int_range (random, 0, (gint) size->height),
                             (guint) g_rand_int_range (random, 0, 90), (guint) g_rand_int_range (random, 0, 90) };
    g_assert_true (gst_cca_cover_begin (&cover, size->width, size->height));
    g_assert_cmpuint (gst_cca_cover_highest (&cover), ==, 0);
    mark (&cover, counts, size);
    gst_cca_cover_grow_marks (&cover, grow);
    gst_cca_cover_hide_marks (&cover, boxes, G_N_ELEMENTS (boxes), grow, most);
    for (guint row = 0; row < cover.rows; row++)
      for (guint column = 0; column < cover.columns; column++) {
        guint8 expected = 0;

        if (is_near_foreground (counts, size, column, row, radius)) {
          for (guint k = 0; k < G_N_ELEMENTS (boxes); k++)
            if (touches (&cover, column, row, &boxes[k], grow))
              expected = MAX (expected, level_of (MAX (boxes[k].width, boxes[k].height), most));
          if (expected == 0)
            expected = level_of (MAX (size->width, size->height), most);
        }
        g_assert_cmpuint (cover.blocks[row * cover.columns + column], ==, expected);
        g_assert_cmpuint (cover.marks[row * cover.columns + column], ==, 0);
      }
  }
}

/* Boxes that together are many times larger than the frame are not looked at one by one: they get its level. */
static void
test_many_boxes (void)
{
  enum
  {
    N = 1000
  };
  const Size size = { 200, 120, 16 };
  guint8 counts[13 * 8];
  GstCcaCoverBox boxes[N];
  GstCcaCover cover = { 0 };

  memset (counts, 1, sizeof counts);
  for (guint i = 0; i < N; i++)
    boxes[i] = (GstCcaCoverBox) { 0, 0, 64, 64 };
  for (guint n = 10; n <= N; n += N - 10) {
    g_assert_true (gst_cca_cover_begin (&cover, size.width, size.height));
    mark (&cover, counts, &size);
    gst_cca_cover_hide_marks (&cover, boxes, n, 0, 4);
    g_assert_cmpuint (cover.blocks[0], ==, n == N ? level_of (200, 4) : level_of (64, 4));
    g_assert_cmpuint (cover.blocks[cover.columns - 1], ==, level_of (200, 4));
  }
  gst_cca_cover_free (&cover);
}

/* --- Boxes, masks, all ---------------------------------------------------------------------------------- */

static void
test_boxes (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (2);
  g_auto (GstCcaCover) cover = { 0 };

  for (guint i = 0; i < 200; i++) {
    const Size *size = &sizes[i % G_N_ELEMENTS (sizes)];
    const GstCcaCoverBox box = { (guint) g_rand_int_range (random, 0, 250), (guint) g_rand_int_range (random, 0, 250),
                                 (guint) g_rand_int_range (random, 0, 60), (guint) g_rand_int_range (random, 0, 60) };
    const guint grow = (guint) g_rand_int_range (random, 0, 20);

    g_assert_true (gst_cca_cover_begin (&cover, size->width, size->height));
    gst_cca_cover_hide_box (&cover, &box, grow, 4);
    for (guint row = 0; row < cover.rows; row++)
      for (guint column = 0; column < cover.columns; column++)
        g_assert_cmpuint (cover.blocks[row * cover.columns + column], ==,
                          touches (&cover, column, row, &box, grow) ? level_of (MAX (box.width, box.height), 4) : 0);
  }
}

/* Boxes that are nonsense, as a meta from outside can have, stay within the frame. */
static void
test_wild_boxes (void)
{
  static const GstCcaCoverBox boxes[] = {
    { G_MAXUINT, G_MAXUINT, G_MAXUINT, G_MAXUINT }, { 0, 0, G_MAXUINT, 1 }, { 63, 47, G_MAXUINT, G_MAXUINT }, { 0 }
  };
  g_auto (GstCcaCover) cover = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (boxes); i++) {
    g_assert_true (gst_cca_cover_begin (&cover, 64, 48));
    gst_cca_cover_hide_box (&cover, &boxes[i], i, 4);
    g_assert_cmpuint (cover.blocks[0] > 0, ==, i == 1);
    g_assert_cmpuint (cover.blocks[47] > 0, ==, i == 2);
  }
}

static void
test_mask (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  g_auto (GstCcaCover) cover = { 0 }, like = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const Size *size = &sizes[i];
    g_autofree guint8 *mask = g_malloc0 ((gsize) size->width * size->height);

    for (guint k = 0; k < size->width * size->height; k++)
      mask[k] = g_rand_int_range (random, 0, 70) == 0;
    g_assert_true (gst_cca_cover_begin (&cover, size->width, size->height));
    gst_cca_cover_hide_mask (&cover, mask, 4);
    g_assert_true (gst_cca_cover_begin (&like, size->width, size->height));
    gst_cca_cover_hide_blocks (&like, &cover, 1);
    for (guint row = 0; row < cover.rows; row++)
      for (guint column = 0; column < cover.columns; column++) {
        gboolean any = FALSE;

        for (guint y = 8 * row; y < MIN (8 * row + 8, size->height); y++)
          for (guint x = 8 * column; x < MIN (8 * column + 8, size->width); x++)
            any = any || mask[y * size->width + x];
        g_assert_cmpuint (cover.blocks[row * cover.columns + column], ==,
                          any ? level_of (MAX (size->width, size->height), 4) : 0);
        g_assert_cmpuint (like.blocks[row * cover.columns + column], ==,
                          any ? level_of (MAX (size->width, size->height), 1) : 0);
      }
  }
}

static void
test_all (void)
{
  g_auto (GstCcaCover) cover = { 0 };

  g_assert_true (gst_cca_cover_begin (&cover, 97, 61));
  gst_cca_cover_hide_all (&cover, 4);
  for (guint i = 0; i < 13 * 8; i++)
    g_assert_cmpuint (cover.blocks[i], ==, level_of (97, 4));
  g_assert_cmpuint (gst_cca_cover_highest (&cover), ==, level_of (97, 4));
}

TESTS_MAIN ("/cover", test_level, test_foreground, test_many_boxes, test_boxes, test_wild_boxes, test_mask, test_all)
