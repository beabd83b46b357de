/* gst-cca: what polygons and texts cover, as masks that stay on the GPU
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "masks.h"

#include "paths.h"

#include <string.h>

enum
{
  CELL = GST_CCA_MASK_CELL,
  CELL_SIZE = CELL * CELL,
  CELLS_OF_TILE = GST_CCA_TILE / CELL, /* in a row */
  FIRST_OFFSET = CELL_SIZE,            /* so that none looks like GST_CCA_CELL_FULL */
};

/* The bytes that decide a mask come first, for the look-up. */
typedef struct
{
  const guint8 *key;
  gsize key_size;
  GstCcaMask mask;
} Entry;

/* One byte a pixel. */
typedef struct
{
  cairo_t *cr;
  guint8 *data;
  gint stride;
} Picture;

struct _GstCcaMasks
{
  gint width, height;
  GHashTable *table; /* of Entry, as a set */
  gsize known;
  GByteArray *fresh;

  GByteArray *key; /* of the mask that is asked for */
  Picture view;    /* for paths; all 0 between them */
  guint8 *pixels;  /* of the view's surface with a margin of a cell, so that cells may begin anywhere in it */
};

static guint
entry_hash (gconstpointer data)
{
  const Entry *entry = data;
  guint hash = 5381;

  for (gsize i = 0; i < entry->key_size; i++)
    hash = hash * 33 + entry->key[i];
  return hash;
}

static gboolean
entry_equal (gconstpointer a, gconstpointer b)
{
  const Entry *one = a, *other = b;

  return one->key_size == other->key_size && memcmp (one->key, other->key, one->key_size) == 0;
}

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_free (entry->mask.tiles);
  g_free ((guint8 *) entry->key);
  g_free (entry);
}

static Picture
begin_picture (guint8 *data, gint width, gint height, gint stride)
{
  cairo_surface_t *surface = cairo_image_surface_create_for_data (data, CAIRO_FORMAT_A8, width, height, stride);
  const Picture picture = { cairo_create (surface), data, stride };

  cairo_surface_destroy (surface);
  cairo_set_source_rgb (picture.cr, 1, 1, 1);
  return picture;
}

/* The surface is as large as that of the painter in system memory: at its edges cairo cuts polygons, and that changes
 * what they cover by up to 13 steps of 255. */
static void
open_view (GstCcaMasks *masks)
{
  const gint stride = (masks->width + 2 * CELL + 3) & ~3;

  masks->pixels = g_malloc0 ((gsize) stride * (masks->height + 2 * CELL));
  masks->view = begin_picture (masks->pixels + CELL * stride + CELL, masks->width, masks->height, stride);
}

GstCcaMasks *
gst_cca_masks_new (guint width, guint height)
{
  GstCcaMasks *masks = g_new0 (GstCcaMasks, 1);

  masks->width = (gint) width;
  masks->height = (gint) height;
  masks->table = g_hash_table_new_full (entry_hash, entry_equal, entry_free, NULL);
  masks->known = FIRST_OFFSET;
  masks->fresh = g_byte_array_new ();
  masks->key = g_byte_array_new ();
  open_view (masks);
  return masks;
}

void
gst_cca_masks_free (GstCcaMasks *masks)
{
  g_hash_table_unref (masks->table);
  g_byte_array_unref (masks->fresh);
  g_byte_array_unref (masks->key);
  cairo_destroy (masks->view.cr);
  g_free (masks->pixels);
  g_free (masks);
}

void
gst_cca_masks_clear (GstCcaMasks *masks)
{
  g_hash_table_remove_all (masks->table);
  g_byte_array_set_size (masks->fresh, 0);
  masks->known = FIRST_OFFSET;
}

gsize
gst_cca_masks_known (const GstCcaMasks *masks)
{
  return masks->known;
}

const GByteArray *
gst_cca_masks_fresh (const GstCcaMasks *masks)
{
  return masks->fresh;
}

void
gst_cca_masks_set_uploaded (GstCcaMasks *masks)
{
  masks->known += masks->fresh->len;
  g_byte_array_set_size (masks->fresh, 0);
}

/* --- Keys -------------------------------------------------------------------------------------------- */

static void
add_to_key (GstCcaMasks *masks, gconstpointer data, gsize size)
{
  g_byte_array_append (masks->key, data, (guint) size);
}

/* Returns the entry of the key, or NULL. */
static Entry *
look_up (GstCcaMasks *masks)
{
  const Entry key_only = { .key = masks->key->data, .key_size = masks->key->len };

  return g_hash_table_lookup (masks->table, &key_only);
}

static Entry *
add_entry (GstCcaMasks *masks)
{
  Entry *entry = g_new0 (Entry, 1);

  entry->key = g_memdup2 (masks->key->data, masks->key->len);
  entry->key_size = masks->key->len;
  g_hash_table_add (masks->table, entry);
  return entry;
}

/* --- Drawing ----------------------------------------------------------------------------------------- */

static guint64
row_of_cell (const guint8 *cell, gint stride, gint y)
{
  guint64 row;

  memcpy (&row, cell + (gssize) y * stride, sizeof row);
  return row;
}

/* Returns a cell's entry in the table, and stores its bytes if it has any. */
static guint32
store_cell (GstCcaMasks *masks, const guint8 *cell, gint stride)
{
  guint64 any = 0, all = G_MAXUINT64;
  guint32 offset;

  for (gint y = 0; y < CELL; y++) {
    any |= row_of_cell (cell, stride, y);
    all &= row_of_cell (cell, stride, y);
  }
  if (any == 0)
    return GST_CCA_CELL_EMPTY;
  if (all == G_MAXUINT64)
    return GST_CCA_CELL_FULL;
  offset = (guint32) (masks->known + masks->fresh->len);
  for (gint y = 0; y < CELL; y++)
    g_byte_array_append (masks->fresh, cell + (gssize) y * stride, CELL);
  return offset;
}

/* Stores cells of a picture from (x, y) on as a mask's bytes. */
static void
store_mask (GstCcaMasks *masks, const Picture *picture, gint x, gint y, guint rows, GstCcaMask *mask)
{
  const guint columns = mask->columns;
  const gsize table = masks->fresh->len;
  const gsize table_size = (columns * rows * sizeof (guint32) + CELL_SIZE - 1) / CELL_SIZE * CELL_SIZE;

  cairo_surface_flush (cairo_get_target (picture->cr));
  mask->offset = (guint32) (masks->known + table);
  g_byte_array_set_size (masks->fresh, (guint) (table + table_size));
  memset (masks->fresh->data + table, 0, table_size);
  for (guint row = 0; row < rows; row++)
    for (guint column = 0; column < columns; column++) {
      const guint8 *cell = picture->data + ((gssize) y + row * CELL) * picture->stride + x + (gssize) column * CELL;
      const guint32 offset = store_cell (masks, cell, picture->stride);

      ((guint32 *) (masks->fresh->data + table))[row * columns + column] = offset;
    }
}

/* --- Texts ------------------------------------------------------------------------------------------- */

static guint
cells_for (gint n_pixels)
{
  return ((guint) n_pixels + CELL - 1) / CELL;
}

const GstCcaMask *
gst_cca_masks_find_text (GstCcaMasks *masks, GstCcaFont *font, const gchar *text, gint width, gint height)
{
  const gint facts[] = { -1, (gint) gst_cca_font_serial (font), width, height };
  const GstCcaRect plate = { 0, 0, width, height };
  const guint columns = cells_for (width), rows = cells_for (height);
  g_autofree guint8 *data = NULL;
  Picture picture;
  Entry *entry;

  g_byte_array_set_size (masks->key, 0);
  add_to_key (masks, facts, sizeof facts);
  add_to_key (masks, text, strlen (text));
  entry = look_up (masks);
  if (entry != NULL)
    return &entry->mask;
  entry = add_entry (masks);
  entry->mask.columns = columns;
  data = g_malloc0 ((gsize) columns * rows * CELL_SIZE);
  picture = begin_picture (data, (gint) columns * CELL, (gint) rows * CELL, (gint) columns * CELL);
  gst_cca_font_show (font, picture.cr, &plate, text);
  store_mask (masks, &picture, 0, 0, rows, &entry->mask);
  cairo_destroy (picture.cr);
  return &entry->mask;
}

/* --- Polygons ---------------------------------------------------------------------------------------- */

/* Lists the tiles that have a cell that is not empty. */
static void
list_tiles (GstCcaMasks *masks, GstCcaMask *mask, guint rows)
{
  const guint left = (guint) mask->x / CELL, top = (guint) mask->y / CELL; /* in cells */
  const guint32 *table = (const guint32 *) (masks->fresh->data + (mask->offset - masks->known));
  GArray *tiles = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint tile_y = top / CELLS_OF_TILE; tile_y * CELLS_OF_TILE < top + rows; tile_y++)
    for (guint tile_x = left / CELLS_OF_TILE; tile_x * CELLS_OF_TILE < left + mask->columns; tile_x++) {
      const guint32 tile = tile_y << 16 | tile_x;
      guint32 any = 0;

      for (guint y = MAX (tile_y * CELLS_OF_TILE, top); y < MIN ((tile_y + 1) * CELLS_OF_TILE, top + rows); y++)
        for (guint x = MAX (tile_x * CELLS_OF_TILE, left); x < MIN ((tile_x + 1) * CELLS_OF_TILE, left + mask->columns);
             x++)
          any |= table[(y - top) * mask->columns + x - left];
      if (any != GST_CCA_CELL_EMPTY)
        g_array_append_val (tiles, tile);
    }
  mask->n_tiles = tiles->len;
  mask->tiles = (guint32 *) g_array_free (tiles, FALSE);
}

const GstCcaMask *
gst_cca_masks_find_polygon (GstCcaMasks *masks, const GstCcaDrawing *drawing, const GstCcaDrawnShape *shape, gint x,
                            gint y)
{
  const GstCcaRect area = gst_cca_path_area (drawing, shape);
  const gint left = MAX (area.x, 0) + x, right = MIN (area.x + area.w + x, masks->width);
  const gint top = MAX (area.y, 0) + y, bottom = MIN (area.y + area.h + y, masks->height);
  const gint facts[] = { x, y };
  GstCcaMask *mask;
  Entry *entry;
  guint rows;

  if (left >= right || top >= bottom)
    return NULL;
  g_byte_array_set_size (masks->key, 0);
  add_to_key (masks, facts, sizeof facts);
  add_to_key (masks, gst_cca_drawing_vertices (drawing, shape), shape->path.n * sizeof (GstCcaVertex));
  entry = look_up (masks);
  if (entry != NULL)
    return &entry->mask;
  entry = add_entry (masks);
  mask = &entry->mask;
  mask->x = left / CELL * CELL; /* a cell lies in one tile */
  mask->y = top / CELL * CELL;
  mask->columns = cells_for (right - mask->x);
  rows = cells_for (bottom - mask->y);
  gst_cca_path_fill (masks->view.cr, drawing, shape);
  store_mask (masks, &masks->view, mask->x - x, mask->y - y, rows, mask);
  for (gint row = top - y; row < bottom - y; row++)
    memset (masks->view.data + (gssize) row * masks->view.stride + (left - x), 0, (gsize) (right - left));
  cairo_surface_mark_dirty (cairo_get_target (masks->view.cr));
  list_tiles (masks, mask, rows);
  return mask;
}
