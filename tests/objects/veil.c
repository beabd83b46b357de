/* gst-cca: the pixels of hidden blocks, compared with the mean of every cell, and interpolation, in doubles
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "../add-tests.h"
#include "gst/privacy/veil.h"

#include "failing-malloc.h"

#include <math.h>
#include <string.h>

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GstCcaCover, gst_cca_cover_free)

/* A layout of pixels: components interleaved by step, or in planes, with subsampled chroma. */
typedef struct
{
  const gchar *name;
  guint n, step, shift_x, shift_y; /* components, and of the second and third their shifts */
} Layout;

static const Layout layouts[] = {
  { "grey", 1, 1, 0, 0 },    { "yuv-420", 3, 1, 1, 1 }, { "yuv-422", 3, 1, 1, 0 },
  { "yuv-444", 3, 1, 0, 0 }, { "yuv-411", 3, 1, 2, 0 }, { "rgbx", 3, 4, 0, 0 },
};

/* Three planes with room around each value. */
typedef struct
{
  GstCcaVeilFrame frame;
  guint8 *bytes;
  gsize size;
} Picture;

static guint
length_of (guint pixels, guint shift)
{
  return (pixels + (1u << shift) - 1) >> shift;
}

static Picture
picture_new (const Layout *layout, guint width, guint height, guint32 seed)
{
  const gsize pitch = (gsize) width * layout->step + 5, plane = pitch * height + 3;
  Picture picture = { .frame = { width, height, layout->n, { { 0 } }, { 50, 51, 52 } }, .size = 3 * plane };
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);

  picture.bytes = g_malloc (picture.size);
  for (gsize i = 0; i < picture.size; i++)
    picture.bytes[i] = (guint8) g_rand_int_range (random, 0, 256);
  for (guint i = 0; i < layout->n; i++)
    picture.frame.components[i] = (GstCcaValues) {
      .data = picture.bytes + (layout->step > 1 ? i : i * plane),
      .pitch = (ptrdiff_t) pitch,
      .step = layout->step,
      .shift_x = i ? layout->shift_x : 0,
      .shift_y = i ? layout->shift_y : 0,
    };
  return picture;
}

static guint8 *
value_at (const Picture *picture, guint component, guint x, guint y)
{
  const GstCcaValues *c = &picture->frame.components[component];

  return c->data + (ptrdiff_t) y * c->pitch + (gsize) x * c->step;
}

/* Random blocks at random levels. */
static void
fill_cover (GstCcaCover *cover, guint width, guint height, GRand *random)
{
  g_assert_true (gst_cca_cover_begin (cover, width, height));
  for (guint i = 0; i < cover->columns * cover->rows; i++) {
    const gint level = g_rand_int_range (random, -3, 5);

    cover->blocks[i] = (guint8) MAX (level, 0);
  }
}

/* --- Oracle --------------------------------------------------------------------------------------------- */

/* The mean of a block's values of a component. */
static gdouble
block_mean (const Picture *picture, guint component, guint column, guint row)
{
  const GstCcaValues *c = &picture->frame.components[component];
  gdouble sum = 0;
  guint n = 0;

  for (guint y = 0; y < length_of (picture->frame.height, c->shift_y); y++)
    for (guint x = 0; x < length_of (picture->frame.width, c->shift_x); x++)
      if ((x << c->shift_x) / 8 == column && (y << c->shift_y) / 8 == row) {
        sum += *value_at (picture, component, x, y);
        n++;
      }
  return sum / n;
}

/* The means of a component's blocks. */
static gdouble *
block_means (const Picture *picture, const GstCcaCover *cover, guint component)
{
  gdouble *means = g_new (gdouble, cover->columns * cover->rows);

  for (guint row = 0; row < cover->rows; row++)
    for (guint column = 0; column < cover->columns; column++)
      means[row * cover->columns + column] = block_mean (picture, component, column, row);
  return means;
}

/* The mean of a cell's hidden blocks; NAN if there are none, or the cell is not in the frame. */
static gdouble
cell_mean (const GstCcaCover *cover, const gdouble *means, guint level, gint x, gint y)
{
  gdouble sum = 0;
  guint n = 0;

  for (guint row = 0; row < cover->rows; row++)
    for (guint column = 0; column < cover->columns; column++)
      if ((gint) (column >> level) == x && (gint) (row >> level) == y && cover->blocks[row * cover->columns + column]) {
        sum += means[row * cover->columns + column];
        n++;
      }
  return n ? sum / n : NAN;
}

/* Between the centres of four cells, at a place in pixels; cells without a mean do not count. */
static gdouble
between_cells (const GstCcaCover *cover, const gdouble *means, guint level, gdouble x, gdouble y)
{
  const gdouble side = 8 << level, u = x / side - 0.5, v = y / side - 0.5;
  gdouble sum = 0, weights = 0;

  for (gint j = 0; j < 2; j++)
    for (gint i = 0; i < 2; i++) {
      const gdouble mean = cell_mean (cover, means, level, (gint) floor (u) + i, (gint) floor (v) + j);
      const gdouble weight = (1 - fabs (u - floor (u) - i)) * (1 - fabs (v - floor (v) - j));

      if (!isnan (mean)) {
        sum += weight * mean;
        weights += weight;
      }
    }
  return sum / weights;
}

/* Returns the expected value of a pixel in a hidden block. */
static gdouble
expected_value (const Picture *before, const GstCcaCover *cover, const gdouble *means, GstCcaVeilMode mode,
                guint component, guint x, guint y)
{
  const GstCcaValues *c = &before->frame.components[component];
  const guint column = (x << c->shift_x) / 8, row = (y << c->shift_y) / 8;
  const guint level = cover->blocks[row * cover->columns + column];
  gdouble across, down, corners[4];

  if (mode == GST_CCA_VEIL_FILL)
    return before->frame.fill[component];
  if (mode == GST_CCA_VEIL_PIXELATE)
    return cell_mean (cover, means, level, (gint) (column >> level), (gint) (row >> level));
  across = (x + 0.5) * (1 << c->shift_x) / 8 - column;
  down = (y + 0.5) * (1 << c->shift_y) / 8 - row;
  for (guint i = 0; i < 4; i++)
    corners[i] = between_cells (cover, means, level, 8.0 * (column + i % 2), 8.0 * (row + i / 2));
  return (corners[0] * (1 - across) + corners[1] * across) * (1 - down)
         + (corners[2] * (1 - across) + corners[3] * across) * down;
}

/* --- Tests ---------------------------------------------------------------------------------------------- */

static void
assert_painted (const Picture *before, const Picture *after, const GstCcaCover *cover, GstCcaVeilMode mode)
{
  g_autofree guint8 *untouched = g_memdup2 (after->bytes, after->size);

  for (guint i = 0; i < before->frame.n_components; i++) {
    const GstCcaValues *c = &before->frame.components[i];
    g_autofree gdouble *means = block_means (before, cover, i);

    for (guint y = 0; y < length_of (before->frame.height, c->shift_y); y++)
      for (guint x = 0; x < length_of (before->frame.width, c->shift_x); x++)
        if (cover->blocks[(y << c->shift_y) / 8 * cover->columns + (x << c->shift_x) / 8]) {
          const gsize at = (gsize) (value_at (after, i, x, y) - after->bytes);

          g_assert_cmpfloat_with_epsilon (*value_at (after, i, x, y),
                                          expected_value (before, cover, means, mode, i, x, y), 0.55);
          untouched[at] = before->bytes[at];
        }
  }
  g_assert_cmpmem (untouched, after->size, before->bytes, before->size);
}

/* Every layout, odd sizes; all else, the bytes between rows included, stays. */
static void
test_paint (gconstpointer data)
{
  static const guint sizes[][2] = { { 64, 48 }, { 65, 49 }, { 1, 1 }, { 79, 9 }, { 10, 71 } };
  const GstCcaVeilMode mode = (GstCcaVeilMode) GPOINTER_TO_INT (data);
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  g_auto (GstCcaCover) cover = { 0 };
  GstCcaVeil veil = { 0 };

  for (guint l = 0; l < G_N_ELEMENTS (layouts); l++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
      const Picture before = picture_new (&layouts[l], sizes[s][0], sizes[s][1], s);
      const Picture after = picture_new (&layouts[l], sizes[s][0], sizes[s][1], s);

      g_test_message ("%s, %ux%u", layouts[l].name, sizes[s][0], sizes[s][1]);
      fill_cover (&cover, sizes[s][0], sizes[s][1], random);
      g_assert_true (gst_cca_veil_begin (&veil, &cover));
      gst_cca_veil_paint (&veil, &cover, &after.frame, mode);
      assert_painted (&before, &after, &cover, mode);
      g_free (before.bytes);
      g_free (after.bytes);
    }
  gst_cca_veil_free (&veil);
}

/* Swaps two blocks of grey pixels. */
static void
swap_blocks (const Picture *picture, guint ax, guint ay, guint bx, guint by)
{
  for (guint y = 0; y < 8; y++)
    for (guint x = 0; x < 8; x++) {
      guint8 *a = value_at (picture, 0, 8 * ax + x, 8 * ay + y), *b = value_at (picture, 0, 8 * bx + x, 8 * by + y);
      const guint8 old = *a;

      *a = *b;
      *b = old;
    }
}

/* Moves the pixels of every block within it. */
static void
turn_blocks (const Picture *picture, const GstCcaCover *cover)
{
  for (guint by = 0; by < cover->rows; by++)
    for (guint bx = 0; bx < cover->columns; bx++)
      for (guint i = 0; i < 32; i++) {
        guint8 *a = value_at (picture, 0, 8 * bx + i % 8, 8 * by + i / 8);
        guint8 *b = value_at (picture, 0, 8 * bx + 7 - i % 8, 8 * by + 7 - i / 8);
        const guint8 old = *a;

        *a = *b;
        *b = old;
      }
}

/* Frames whose cells have the same means become the same frame, so that nothing else of them can be computed back. */
static void
test_forgets (void)
{
  g_auto (GstCcaCover) cover = { 0 };
  GstCcaVeil veil = { 0 };

  for (GstCcaVeilMode mode = GST_CCA_VEIL_BLUR; mode <= GST_CCA_VEIL_FILL; mode++) {
    const Picture a = picture_new (&layouts[0], 128, 64, 3), b = picture_new (&layouts[0], 128, 64, 3);

    g_assert_true (gst_cca_cover_begin (&cover, 128, 64) && gst_cca_veil_begin (&veil, &cover));
    memset (cover.blocks, 2, (gsize) cover.columns * cover.rows); /* cells of four blocks a side */
    turn_blocks (&b, &cover);
    for (guint y = 0; y < 8; y += 4)
      for (guint x = 0; x < 16; x += 4) {
        swap_blocks (&b, x, y, x + 3, y + 3);
        swap_blocks (&b, x + 1, y + 2, x + 2, y);
      }
    g_assert_cmpint (memcmp (a.bytes, b.bytes, a.size), !=, 0);
    gst_cca_veil_paint (&veil, &cover, &a.frame, mode);
    gst_cca_veil_paint (&veil, &cover, &b.frame, mode);
    /* The mean of cells is rounded once for each step up, so it may differ by a 256th. */
    for (guint y = 0; y < 64; y++)
      for (guint x = 0; x < 128; x++)
        g_assert_cmpint (ABS (*value_at (&a, 0, x, y) - *value_at (&b, 0, x, y)), <=, 1);
    g_free (a.bytes);
    g_free (b.bytes);
  }
  gst_cca_veil_free (&veil);
}

/* An object of the level that its size asks for shows few colours: at most a cell more than asked, in each
 * direction. */
static void
test_few_colors (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_auto (GstCcaCover) cover = { 0 };
  GstCcaVeil veil = { 0 };

  for (guint i = 0; i < 40; i++) {
    const guint n = (guint) g_rand_int_range (random, 1, 9), side = (guint) g_rand_int_range (random, 17, 400);
    const GstCcaCoverBox box = { (guint) g_rand_int_range (random, 0, 200), (guint) g_rand_int_range (random, 0, 100),
                                 side, side };
    const Picture picture = picture_new (&layouts[0], 640, 512, i);
    gboolean seen[256] = { 0 };
    guint n_seen = 0;

    g_assert_true (gst_cca_cover_begin (&cover, 640, 512) && gst_cca_veil_begin (&veil, &cover));
    gst_cca_cover_hide_box (&cover, &box, 0, n);
    gst_cca_veil_paint (&veil, &cover, &picture.frame, GST_CCA_VEIL_PIXELATE);
    for (guint y = box.y; y < MIN (box.y + side, 512); y++)
      for (guint x = box.x; x < MIN (box.x + side, 640); x++) {
        n_seen += !seen[*value_at (&picture, 0, x, y)];
        seen[*value_at (&picture, 0, x, y)] = TRUE;
      }
    g_assert_cmpuint (n_seen, <=, (n + 1) * (n + 1));
    g_free (picture.bytes);
  }
  gst_cca_veil_free (&veil);
}

/* The first frame of a size allocates, later ones do not; without memory both say so and can be used again. */
static void
test_memory (void)
{
  const Picture picture = picture_new (&layouts[1], 320, 240, 1);
  GstCcaCover cover = { 0 };
  GstCcaVeil veil = { 0 };
  guint before;

  n_allocations = 0;
  fail_at = 1;
  g_assert_false (gst_cca_cover_begin (&cover, 320, 240));
  g_assert_true (gst_cca_cover_begin (&cover, 320, 240));
  fail_at = n_allocations + 1;
  g_assert_false (gst_cca_veil_begin (&veil, &cover));
  g_assert_true (gst_cca_veil_begin (&veil, &cover));
  before = n_allocations;
  for (guint i = 0; i < 9; i++) {
    g_assert_true (gst_cca_cover_begin (&cover, 320, 240) && gst_cca_veil_begin (&veil, &cover));
    gst_cca_cover_hide_all (&cover, 4);
    gst_cca_veil_paint (&veil, &cover, &picture.frame, (GstCcaVeilMode) (i % 3));
  }
  g_assert_cmpuint (n_allocations, ==, before);
  gst_cca_veil_free (&veil);
  gst_cca_cover_free (&cover);
  g_free (picture.bytes);
}

CASES_MAIN ()
{
  g_test_add_data_func ("/veil/blur", GINT_TO_POINTER (GST_CCA_VEIL_BLUR), test_paint);
  g_test_add_data_func ("/veil/pixelate", GINT_TO_POINTER (GST_CCA_VEIL_PIXELATE), test_paint);
  g_test_add_data_func ("/veil/fill", GINT_TO_POINTER (GST_CCA_VEIL_FILL), test_paint);
  ADD_TESTS ("/veil", test_forgets, test_few_colors, test_memory);
}
