/* gst-cca: a drawing as pieces in tiles, for the GPU
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "pieces.h"

#include "masks.h"
#include "paths.h"

#include <math.h>
#include <string.h>

/* Masks are forgotten when they have so many bytes: most are of texts that are not shown any more. */
#define MAX_MASKS ((gsize) 16 << 20)

enum
{
  TILE = GST_CCA_TILE,
};

/* A piece in a tile. */
typedef struct
{
  guint32 tile; /* counted row by row */
  guint32 piece;
} Use;

struct _GstCcaPieces
{
  gint width, height;
  guint columns, rows; /* of tiles */
  GstCcaMasks *masks;

  GArray *pieces;     /* of GstCcaPiece */
  GByteArray *extras; /* images and the segments of lines */
  GArray *uses;       /* of Use, in the order of painting */
  GArray *tiles;      /* of GstCcaTile */
  GArray *entries;    /* of guint32 */
  guint32 *counts;    /* for each tile of the frame */
  guint32 *last;      /* the number of the last line there, from 1 */
  GArray *segments;   /* of GstCcaSegment */

  /* Of the list that is made. */
  const GstCcaDrawing *drawing;
  GstCcaFont *font;
  gint x, y;
};

GstCcaPieces *
gst_cca_pieces_new (guint width, guint height)
{
  GstCcaPieces *pieces = g_new0 (GstCcaPieces, 1);

  pieces->width = (gint) width;
  pieces->height = (gint) height;
  pieces->columns = (width + TILE - 1) / TILE;
  pieces->rows = (height + TILE - 1) / TILE;
  pieces->masks = gst_cca_masks_new (width, height);
  pieces->pieces = g_array_new (FALSE, FALSE, sizeof (GstCcaPiece));
  pieces->extras = g_byte_array_new ();
  pieces->uses = g_array_new (FALSE, FALSE, sizeof (Use));
  pieces->tiles = g_array_new (FALSE, FALSE, sizeof (GstCcaTile));
  pieces->entries = g_array_new (FALSE, FALSE, sizeof (guint32));
  pieces->last = g_new (guint32, (gsize) pieces->columns * pieces->rows);
  pieces->segments = g_array_new (FALSE, FALSE, sizeof (GstCcaSegment));
  pieces->counts = g_new (guint32, (gsize) pieces->columns * pieces->rows);
  return pieces;
}

void
gst_cca_pieces_free (GstCcaPieces *pieces)
{
  gst_cca_masks_free (pieces->masks);
  g_array_unref (pieces->pieces);
  g_byte_array_unref (pieces->extras);
  g_array_unref (pieces->uses);
  g_array_unref (pieces->tiles);
  g_array_unref (pieces->entries);
  g_array_unref (pieces->segments);
  g_free (pieces->counts);
  g_free (pieces->last);
  g_free (pieces);
}

void
gst_cca_pieces_forget (GstCcaPieces *pieces)
{
  gst_cca_masks_clear (pieces->masks);
}

void
gst_cca_pieces_set_uploaded (GstCcaPieces *pieces)
{
  gst_cca_masks_set_uploaded (pieces->masks);
}

/* --- Pieces ------------------------------------------------------------------------------------------ */

/* Returns a color multiplied by its alpha, rounded as cairo does. */
static guint32
premultiply (guint32 color)
{
  const gdouble alpha = (color >> 24) / 255.0;
  guint32 result = color & 0xff000000;

  for (guint shift = 0; shift < 24; shift += 8)
    result |= ((guint32) ((color >> shift & 0xff) / 255.0 * alpha * 65535.0 + 0.5) >> 8) << shift;
  return result;
}

/* Returns the part of a rectangle of the view that is in the frame. */
static GstCcaBox
clip (const GstCcaPieces *pieces, const GstCcaRect *rect)
{
  const gint left = MAX (rect->x, 0) + pieces->x, top = MAX (rect->y, 0) + pieces->y;
  const gint right = MIN (rect->x + rect->w + pieces->x, pieces->width);
  const gint bottom = MIN (rect->y + rect->h + pieces->y, pieces->height);

  if (left >= right || top >= bottom)
    return (GstCcaBox) { 0, 0, 0, 0 };
  return (GstCcaBox) { (gint16) left, (gint16) top, (gint16) right, (gint16) bottom };
}

static gboolean
is_empty (const GstCcaBox *box)
{
  return box->left >= box->right;
}

/* Adds a piece that is in view, and returns its number. */
static guint32
add_piece (GstCcaPieces *pieces, const GstCcaPiece *piece)
{
  g_array_append_vals (pieces->pieces, piece, 1);
  return pieces->pieces->len - 1;
}

static void
use_tiles (GstCcaPieces *pieces, guint32 piece, guint row, guint first, guint end)
{
  for (guint column = first; column < end; column++) {
    const Use use = { row * pieces->columns + column, piece };

    g_array_append_val (pieces->uses, use);
  }
}

/* Uses a piece in all tiles of a box but those that lie in another, which may be empty. */
static void
use_between (GstCcaPieces *pieces, guint32 piece, const GstCcaBox *outer, const GstCcaBox *inner)
{
  const guint left = (guint) outer->left / TILE, right = (guint) (outer->right + TILE - 1) / TILE;
  const guint bottom = (guint) (outer->bottom + TILE - 1) / TILE;
  guint hole_left = (guint) (inner->left + TILE - 1) / TILE, hole_right = (guint) inner->right / TILE;

  for (guint row = (guint) outer->top / TILE; row < bottom; row++)
    if (hole_left < hole_right && (gint) row * TILE >= inner->top && ((gint) row + 1) * TILE <= inner->bottom) {
      use_tiles (pieces, piece, row, left, hole_left);
      use_tiles (pieces, piece, row, hole_right, right);
    } else {
      use_tiles (pieces, piece, row, left, right);
    }
}

static void
list_ring (GstCcaPieces *pieces, const GstCcaRing *ring, guint32 color)
{
  const GstCcaPiece piece = { .outer = clip (pieces, &ring->outer),
                              .inner = clip (pieces, &ring->inner),
                              .type = GST_CCA_PIECE_RING,
                              .color = premultiply (color) };

  if (!is_empty (&piece.outer))
    use_between (pieces, add_piece (pieces, &piece), &piece.outer, &piece.inner);
}

static void
list_polygon (GstCcaPieces *pieces, const GstCcaDrawnShape *shape)
{
  const GstCcaRect area = gst_cca_path_area (pieces->drawing, shape);
  const GstCcaMask *mask = gst_cca_masks_find_polygon (pieces->masks, pieces->drawing, shape, pieces->x, pieces->y);
  GstCcaPiece piece;
  guint32 number;

  if (mask == NULL)
    return;
  piece = (GstCcaPiece) { .outer = clip (pieces, &area),
                          .origin = { mask->x, mask->y },
                          .type = shape->color >> 24 == 255 ? GST_CCA_PIECE_FILL : GST_CCA_PIECE_MASK,
                          .color = premultiply (shape->color),
                          .offset = mask->offset,
                          .columns = mask->columns };
  number = add_piece (pieces, &piece);
  for (guint i = 0; i < mask->n_tiles; i++) {
    const guint column = mask->tiles[i] & 0xffff;

    use_tiles (pieces, number, mask->tiles[i] >> 16, column, column + 1);
  }
}

/* Lists the tiles that a segment may touch and that no earlier one of the line has. */
static void
use_along (GstCcaPieces *pieces, guint32 piece, const GstCcaSegment *segment, gdouble line)
{
  const gdouble reach = line / 2 + 1;
  const gint top = (gint) fmax (fminf (segment->y[0], segment->y[1]) - reach, 0) + pieces->y;
  const gint bottom = (gint) fmin (ceil (fmaxf (segment->y[0], segment->y[1]) + reach) + pieces->y, pieces->height);

  for (gint row = top / TILE; row * TILE < bottom; row++) {
    const gint first = MAX (row * TILE, top) - pieces->y, end = MIN ((row + 1) * TILE, bottom) - pieces->y;
    gint left, right;

    gst_cca_stroke_columns (segment, line, first, end, pieces->width - pieces->x, &left, &right);
    if (left >= right)
      continue;
    for (gint column = (left + pieces->x) / TILE; column * TILE < right + pieces->x; column++) {
      const guint tile = (guint) row * pieces->columns + (guint) column;

      if (pieces->last[tile] != piece + 1) {
        pieces->last[tile] = piece + 1;
        use_tiles (pieces, piece, (guint) row, (guint) column, (guint) column + 1);
      }
    }
  }
}

static void
list_line (GstCcaPieces *pieces, const GstCcaDrawnShape *shape)
{
  const GstCcaRect area = gst_cca_path_area (pieces->drawing, shape);
  GstCcaPieceLine line = { .width = (gfloat) shape->path.width };
  const GstCcaPiece piece = { .outer = clip (pieces, &area),
                              .origin = { pieces->x, pieces->y },
                              .type = GST_CCA_PIECE_LINE,
                              .color = premultiply (shape->color),
                              .offset = pieces->extras->len };
  guint32 number;

  if (is_empty (&piece.outer))
    return;
  g_array_set_size (pieces->segments, 0);
  gst_cca_stroke_list (pieces->drawing, shape, pieces->width, pieces->height, pieces->segments);
  line.n_segments = pieces->segments->len;
  if (line.n_segments == 0)
    return;
  g_byte_array_append (pieces->extras, (const guint8 *) &line, sizeof line);
  g_byte_array_append (pieces->extras, (const guint8 *) pieces->segments->data,
                       line.n_segments * (guint) sizeof (GstCcaSegment));
  number = add_piece (pieces, &piece);
  for (guint i = 0; i < line.n_segments; i++)
    use_along (pieces, number, &g_array_index (pieces->segments, GstCcaSegment, i), shape->path.width);
}

static void
list_text (GstCcaPieces *pieces, const GstCcaDrawnShape *shape)
{
  const GstCcaRect *plate = &shape->text.plate;
  const GstCcaMask *mask;
  GstCcaPiece piece = { .outer = clip (pieces, plate) };

  if (is_empty (&piece.outer))
    return;
  list_ring (pieces, &(GstCcaRing) { .outer = *plate }, shape->color);
  mask = gst_cca_masks_find_text (pieces->masks, pieces->font, gst_cca_drawing_text (pieces->drawing, shape), plate->w,
                                  plate->h);
  piece.origin.x = plate->x + pieces->x;
  piece.origin.y = plate->y + pieces->y;
  piece.type = GST_CCA_PIECE_MASK;
  piece.color = gst_cca_text_color (shape->color);
  piece.offset = mask->offset;
  piece.columns = mask->columns;
  use_between (pieces, add_piece (pieces, &piece), &piece.outer, &(GstCcaBox) { 0, 0, 0, 0 });
}

/* Sets how an axis of an image of n_image pixels fills n_place pixels of the frame. Cairo rounds the step, too, and is
 * exact in the middle. */
static void
fit_image (gint n_image, gint n_place, gint32 *step, gint32 *first)
{
  *step = (gint32) floor ((gdouble) n_image / n_place * 65536 + 0.5);
  *first = (gint32) floor ((n_image * 65536.0 - (gdouble) *step * n_place) / 2 + 0.5) + (*step + 1) / 2 - 32768;
}

static void
list_image (GstCcaPieces *pieces, const GstCcaDrawnShape *shape)
{
  const GstCcaRect *place = &shape->image.place;
  GstCcaPieceImage image = { .width = shape->image.width, .height = shape->image.height };
  const GstCcaPiece piece = { .outer = clip (pieces, place),
                              .origin = { place->x + pieces->x, place->y + pieces->y },
                              .type = GST_CCA_PIECE_IMAGE,
                              .offset = pieces->extras->len };

  if (is_empty (&piece.outer))
    return;
  fit_image (image.width, place->w, &image.step_x, &image.first_x);
  fit_image (image.height, place->h, &image.step_y, &image.first_y);
  g_byte_array_append (pieces->extras, (const guint8 *) &image, sizeof image);
  for (gint y = 0; y < image.height; y++)
    g_byte_array_append (pieces->extras, (const guint8 *) (shape->image.pixels + (gsize) y * shape->image.stride),
                         (guint) image.width * sizeof (guint32));
  use_between (pieces, add_piece (pieces, &piece), &piece.outer, &(GstCcaBox) { 0, 0, 0, 0 });
}

static void
list_shape (GstCcaPieces *pieces, const GstCcaDrawnShape *shape)
{
  switch (shape->type) {
    case GST_CCA_SHAPE_RING: list_ring (pieces, &shape->ring, shape->color); break;
    case GST_CCA_SHAPE_LINE: list_line (pieces, shape); break;
    case GST_CCA_SHAPE_POLYGON: list_polygon (pieces, shape); break;
    case GST_CCA_SHAPE_TEXT: list_text (pieces, shape); break;
    case GST_CCA_SHAPE_IMAGE: list_image (pieces, shape); break;
  }
}

/* Tells the pieces where the extras are, as no mask is added any more. */
static void
place_extras (GstCcaPieces *pieces)
{
  const guint32 extras = (guint32) gst_cca_pieces_lay_out (pieces).extras;

  for (guint i = 0; i < pieces->pieces->len; i++) {
    GstCcaPiece *piece = &g_array_index (pieces->pieces, GstCcaPiece, i);

    if (piece->type == GST_CCA_PIECE_IMAGE || piece->type == GST_CCA_PIECE_LINE)
      piece->offset += extras;
  }
}

/* --- Tiles ------------------------------------------------------------------------------------------- */

/* Sorts the uses by tile, and keeps the order of pieces. */
static void
list_tiles (GstCcaPieces *pieces)
{
  const gsize n_tiles = (gsize) pieces->columns * pieces->rows;
  const Use *uses = (const Use *) pieces->uses->data;
  guint32 *entries, n = 0;

  memset (pieces->counts, 0, n_tiles * sizeof *pieces->counts);
  for (guint i = 0; i < pieces->uses->len; i++)
    pieces->counts[uses[i].tile]++;
  g_array_set_size (pieces->tiles, 0);
  for (gsize i = 0; i < n_tiles; i++) {
    const GstCcaTile tile = { (guint16) (i % pieces->columns), (guint16) (i / pieces->columns), n, pieces->counts[i] };

    if (tile.n > 0)
      g_array_append_val (pieces->tiles, tile);
    pieces->counts[i] = n; /* from now on where the tile's next entry goes */
    n += tile.n;
  }
  g_array_set_size (pieces->entries, n);
  entries = (guint32 *) pieces->entries->data;
  for (guint i = 0; i < pieces->uses->len; i++)
    entries[pieces->counts[uses[i].tile]++] = uses[i].piece;
}

guint
gst_cca_pieces_list (GstCcaPieces *pieces, const GstCcaDrawing *drawing, GstCcaFont *font, gint x, gint y)
{
  if (gst_cca_masks_known (pieces->masks) > MAX_MASKS)
    gst_cca_masks_clear (pieces->masks);
  pieces->drawing = drawing;
  pieces->font = font;
  pieces->x = x;
  pieces->y = y;
  g_array_set_size (pieces->pieces, 0);
  g_byte_array_set_size (pieces->extras, 0);
  g_array_set_size (pieces->uses, 0);
  memset (pieces->last, 0, (gsize) pieces->columns * pieces->rows * sizeof *pieces->last);
  for (guint i = 0; i < drawing->shapes->len; i++)
    list_shape (pieces, &g_array_index (drawing->shapes, GstCcaDrawnShape, i));
  place_extras (pieces);
  list_tiles (pieces);
  return pieces->tiles->len;
}

/* --- Upload ------------------------------------------------------------------------------------------ */

static gsize
size_of (const GArray *array)
{
  return (gsize) array->len * g_array_get_element_size ((GArray *) array);
}

static gsize
align (gsize size)
{
  return (size + 15) & ~(gsize) 15;
}

GstCcaPiecesLayout
gst_cca_pieces_lay_out (const GstCcaPieces *pieces)
{
  GstCcaPiecesLayout layout;

  layout.begin = gst_cca_masks_known (pieces->masks);
  layout.extras = align (layout.begin + gst_cca_masks_fresh (pieces->masks)->len);
  layout.pieces = align (layout.extras + pieces->extras->len);
  layout.tiles = align (layout.pieces + size_of (pieces->pieces));
  layout.entries = align (layout.tiles + size_of (pieces->tiles));
  layout.end = align (layout.entries + size_of (pieces->entries));
  return layout;
}

static void
copy_part (guint8 *to, gconstpointer from, gsize size)
{
  if (size > 0)
    memcpy (to, from, size);
}

void
gst_cca_pieces_copy (const GstCcaPieces *pieces, const GstCcaPiecesLayout *layout, guint8 *to)
{
  const GByteArray *fresh = gst_cca_masks_fresh (pieces->masks);

  copy_part (to, fresh->data, fresh->len);
  copy_part (to + (layout->extras - layout->begin), pieces->extras->data, pieces->extras->len);
  copy_part (to + (layout->pieces - layout->begin), pieces->pieces->data, size_of (pieces->pieces));
  copy_part (to + (layout->tiles - layout->begin), pieces->tiles->data, size_of (pieces->tiles));
  copy_part (to + (layout->entries - layout->begin), pieces->entries->data, size_of (pieces->entries));
}
