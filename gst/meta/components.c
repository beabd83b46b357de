/* gst-cca: the lists of a GstCcaMeta
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "components.h"

#include <string.h>

GST_CCA_ASSERT_FRAME_META (GstCcaMeta);

/* The lists behind the components are aligned. */
G_STATIC_ASSERT (sizeof (GstCcaComponent) % sizeof (guint64) == 0);
G_STATIC_ASSERT (sizeof (GstCcaOverlap) % sizeof (guint64) == 0);
G_STATIC_ASSERT (sizeof (GstCcaShape) % sizeof (guint64) == 0);
G_STATIC_ASSERT (sizeof (GstCcaIntensity) % sizeof (guint64) == 0);

/* Lists that are known to be empty, without a storage. */
static const GstCcaOverlap no_overlaps[1];
static const GstCcaShape no_shapes[1];
static const GstCcaIntensity no_intensities[1];

gsize
gst_cca_components_n_cells (const GstCcaMeta *meta)
{
  return (gsize) meta->coverage_columns * meta->coverage_rows;
}

gsize
gst_cca_components_size (const GstCcaMeta *lists)
{
  const gsize shape = lists->shapes != NULL ? sizeof (GstCcaShape) : 0;
  const gsize intensity = lists->intensities != NULL ? sizeof (GstCcaIntensity) : 0;

  return (gsize) lists->n_stored * (sizeof (GstCcaComponent) + shape + intensity)
         + (gsize) lists->n_stored_overlaps * sizeof (GstCcaOverlap)
         + gst_cca_components_n_cells (lists) * (lists->cell_colours != NULL ? 4 : 1);
}

/* Takes `size` bytes at *at. Returns where they are, NULL for none. */
static gpointer
take (guint8 **at, gsize size)
{
  gpointer taken = *at;

  if (size == 0)
    return NULL;
  *at += size;
  return taken;
}

/* Makes `lists` refer to lists of the same sizes in a new storage, which are not set yet. Returns FALSE if memory is
 * exhausted. */
static gboolean
allocate (GstBuffer **storage, GstCcaMeta *lists)
{
  const gsize n = lists->n_stored, n_cells = gst_cca_components_n_cells (lists);
  const gsize size = gst_cca_components_size (lists);
  guint8 *at = gst_cca_frame_meta_allocate (storage, size);

  if (at == NULL && size > 0)
    return FALSE;
  lists->components = take (&at, n * sizeof (GstCcaComponent));
  if (lists->n_stored_overlaps > 0)
    lists->overlaps = take (&at, (gsize) lists->n_stored_overlaps * sizeof (GstCcaOverlap));
  if (lists->shapes != NULL)
    gst_cca_components_set_shapes (lists, take (&at, n * sizeof (GstCcaShape)));
  if (lists->intensities != NULL)
    gst_cca_components_set_intensities (lists, take (&at, n * sizeof (GstCcaIntensity)));
  if (lists->coverage != NULL)
    lists->coverage = take (&at, n_cells);
  if (lists->cell_colours != NULL)
    lists->cell_colours = take (&at, 3 * n_cells);
  return TRUE;
}

static void
copy (gconstpointer to, gconstpointer from, gsize size)
{
  if (to != NULL && size > 0)
    memcpy ((gpointer) to, from, size);
}

gboolean
gst_cca_components_store (GstBuffer **storage, GstCcaMeta *lists)
{
  const gsize n = lists->n_stored, n_cells = gst_cca_components_n_cells (lists);
  const GstCcaMeta from = *lists;

  if (!allocate (storage, lists))
    return FALSE;
  copy (lists->components, from.components, n * sizeof (GstCcaComponent));
  copy (lists->overlaps, from.overlaps, (gsize) lists->n_stored_overlaps * sizeof (GstCcaOverlap));
  copy (lists->shapes, from.shapes, n * sizeof (GstCcaShape));
  copy (lists->intensities, from.intensities, n * sizeof (GstCcaIntensity));
  copy (lists->coverage, from.coverage, n_cells);
  copy (lists->cell_colours, from.cell_colours, 3 * n_cells);
  return TRUE;
}

gboolean
gst_cca_components_replace (GstCcaMeta *meta, GstCcaMeta *lists)
{
  GstBuffer *storage;

  if (!gst_cca_components_store (&storage, lists))
    return FALSE;
  *meta = *lists;
  gst_cca_frame_meta_set_storage ((GstCcaFrameMeta *) meta, storage);
  return TRUE;
}

void
gst_cca_components_set_overlaps (GstCcaMeta *meta, guint n_overlaps, guint n_stored, const GstCcaOverlap *overlaps)
{
  meta->n_overlaps = n_overlaps;
  meta->n_stored_overlaps = n_stored;
  meta->overlaps = n_stored > 0 ? overlaps : no_overlaps;
}

void
gst_cca_components_set_shapes (GstCcaMeta *meta, const GstCcaShape *shapes)
{
  meta->shapes = meta->n_stored > 0 ? shapes : no_shapes;
}

void
gst_cca_components_set_intensities (GstCcaMeta *meta, const GstCcaIntensity *intensities)
{
  meta->intensities = meta->n_stored > 0 ? intensities : no_intensities;
}

/* Returns the cells that cover a length. */
static guint
n_cells (guint length, guint cell)
{
  return length / cell + (length % cell != 0);
}

void
gst_cca_components_set_cells (GstCcaMeta *meta, guint cell, const guint8 *coverage, const guint8 *colours)
{
  meta->coverage_cell = cell;
  meta->coverage_columns = cell > 0 ? n_cells (meta->width, cell) : 0;
  meta->coverage_rows = cell > 0 ? n_cells (meta->height, cell) : 0;
  meta->coverage = coverage;
  meta->cell_colours = colours;
}

/* --- In another frame --------------------------------------------------------------------------------- */

static void
map_shape (const GstCcaMapping *mapping, GstCcaShape *shape)
{
  const gdouble factor = gst_cca_mapping_length_factor (mapping);

  shape->perimeter *= factor;
  shape->perimeter_crofton *= factor;
}

static gboolean
map_component (const GstCcaMapping *mapping, GstCcaComponent *component)
{
  if (!gst_cca_mapping_box (mapping, &component->x, &component->y, &component->width, &component->height))
    return FALSE;
  component->area = gst_cca_mapping_area (mapping, component->area);
  gst_cca_mapping_centre (mapping, &component->centroid_x, &component->centroid_y);
  gst_cca_mapping_covariance (mapping, &component->cov_xx, &component->cov_xy, &component->cov_yy);
  return TRUE;
}

/* The largest side of a cell whose pixels, up to one, a byte can count. */
#define MOST_CELL 16

/* Returns the side of cells in the new frame that cover as much of the scene as the old frame's cells, or less. */
static guint
map_cell (const GstCcaMapping *mapping, guint cell)
{
  const GstCcaAxis *x = &mapping->x, *y = &mapping->y;

  return (guint) CLAMP (cell * MIN (ABS (x->num) / x->den, ABS (y->num) / y->den), 1, MOST_CELL);
}

/* Adds the foreground of a box of pixels, n_pixels of the old frame of which `count` are foreground, to the cells of
 * the new frame. Rounds up, so that no foreground is lost. */
static void
spread (GstCcaMeta *to, guint8 *counts, guint x, guint y, guint width, guint height, guint count, gsize n_pixels)
{
  const guint cell = to->coverage_cell;

  for (guint row = y / cell; row <= (y + height - 1) / cell; row++)
    for (guint column = x / cell; column <= (x + width - 1) / cell; column++) {
      const guint across = MIN (x + width, (column + 1) * cell) - MAX (x, column * cell);
      const guint down = MIN (y + height, (row + 1) * cell) - MAX (y, row * cell);
      guint8 *to_count = &counts[(gsize) row * to->coverage_columns + column];

      *to_count = (guint8) MIN (255, *to_count + ((gsize) count * across * down + n_pixels - 1) / n_pixels);
    }
}

/* Spreads the foreground of each cell evenly over its place in the new frame. Sets the coverage of `to`, a copy, to a
 * block that the caller frees, without colours; returns FALSE if memory is exhausted. */
static gboolean
map_coverage (const GstCcaMapping *mapping, const GstCcaMeta *from, GstCcaMeta *to)
{
  const guint cell = from->coverage_cell;
  guint8 *counts;

  gst_cca_components_set_cells (to, 0, NULL, NULL);
  if (from->coverage == NULL)
    return TRUE;
  to->width = mapping->width;
  to->height = mapping->height;
  gst_cca_components_set_cells (to, map_cell (mapping, cell), NULL, NULL);
  counts = g_try_malloc0 (gst_cca_components_n_cells (to));
  if (counts == NULL)
    return FALSE;
  for (guint row = 0; row < from->coverage_rows; row++)
    for (guint column = 0; column < from->coverage_columns; column++) {
      const guint count = from->coverage[(gsize) row * from->coverage_columns + column];
      guint x = column * cell, y = row * cell, width = MIN (cell, from->width - x),
            height = MIN (cell, from->height - y);
      const gsize n_pixels = (gsize) width * height;

      if (count > 0 && gst_cca_mapping_box (mapping, &x, &y, &width, &height))
        spread (to, counts, x, y, width, height, count, n_pixels);
    }
  to->coverage = counts;
  return TRUE;
}

static gboolean
map_components (GstCcaFrameMeta *base, const GstCcaMapping *mapping)
{
  GstCcaMeta *meta = (GstCcaMeta *) base, lists = *meta;
  GstCcaComponent *components;
  GstCcaShape *shapes;
  GstCcaIntensity *intensities;
  gboolean replaced;
  gpointer counts;
  guint n = 0;

  if (!map_coverage (mapping, meta, &lists))
    return FALSE;
  counts = (gpointer) lists.coverage;
  replaced = gst_cca_components_replace (meta, &lists);
  g_free (counts);
  if (!replaced)
    return FALSE;
  components = (GstCcaComponent *) meta->components;
  shapes = (GstCcaShape *) meta->shapes;
  intensities = (GstCcaIntensity *) meta->intensities;
  for (guint i = 0; i < meta->n_stored; i++) {
    components[n] = components[i];
    if (!map_component (mapping, &components[n]))
      continue;
    if (shapes != NULL) {
      shapes[n] = shapes[i];
      map_shape (mapping, &shapes[n]);
    }
    if (intensities != NULL)
      intensities[n] = intensities[i];
    n++;
  }
  meta->n_components -= meta->n_stored - n;
  meta->n_stored = n;
  return TRUE;
}

/* --- As bytes ----------------------------------------------------------------------------------------- */

/* Version 0 had neither flags nor an id, version 1 no overlaps, version 2 neither shapes nor intensities. */
#define VERSION 3
#define FLAG_STALE 1
#define FLAG_OVERLAPS 2
#define FLAG_SCENE_CHANGE 4 /* unknown flags are ignored, hence no new version */
#define FLAG_LEARNING 8
#define FLAG_SHAPES 16
#define FLAG_INTENSITIES 32
#define COMPONENT_SIZE (5 * 4 + 8 + 5 * 8)
#define OVERLAP_SIZE (2 * 4 + 8)
#define SHAPE_SIZE (2 * 8 + 4)
#define INTENSITY_SIZE (8 + 2 * 4)

/* Returns the flags of the lists that are known. */
static guint
exchange_head (GstCcaMeta *meta, GstCcaBytes *bytes, guint version)
{
  guint flags = (meta->stale ? FLAG_STALE : 0) | (meta->overlaps != NULL ? FLAG_OVERLAPS : 0)
                | (meta->scene_change ? FLAG_SCENE_CHANGE : 0) | (meta->learning ? FLAG_LEARNING : 0)
                | (meta->shapes != NULL ? FLAG_SHAPES : 0) | (meta->intensities != NULL ? FLAG_INTENSITIES : 0);

  gst_cca_bytes_u32 (bytes, &meta->width);
  gst_cca_bytes_u32 (bytes, &meta->height);
  gst_cca_bytes_u32 (bytes, &meta->n_components);
  gst_cca_bytes_u32 (bytes, &meta->n_stored);
  if (version == 0) {
    meta->id = g_ref_string_new ("");
    return 0;
  }
  gst_cca_bytes_u32 (bytes, &flags);
  gst_cca_bytes_string (bytes, &meta->id);
  meta->stale = (flags & FLAG_STALE) != 0;
  meta->scene_change = (flags & FLAG_SCENE_CHANGE) != 0;
  meta->learning = (flags & FLAG_LEARNING) != 0;
  if (version == 1)
    return 0;
  if (flags & FLAG_OVERLAPS) {
    gst_cca_bytes_u32 (bytes, &meta->n_overlaps);
    gst_cca_bytes_u32 (bytes, &meta->n_stored_overlaps);
  }
  return flags & (version == 2 ? FLAG_OVERLAPS : FLAG_OVERLAPS | FLAG_SHAPES | FLAG_INTENSITIES);
}

static void
exchange_component (GstCcaComponent *component, GstCcaBytes *bytes)
{
  gst_cca_bytes_u32 (bytes, &component->label);
  gst_cca_bytes_u32 (bytes, &component->x);
  gst_cca_bytes_u32 (bytes, &component->y);
  gst_cca_bytes_u32 (bytes, &component->width);
  gst_cca_bytes_u32 (bytes, &component->height);
  gst_cca_bytes_u64 (bytes, &component->area);
  gst_cca_bytes_double (bytes, &component->centroid_x);
  gst_cca_bytes_double (bytes, &component->centroid_y);
  gst_cca_bytes_double (bytes, &component->cov_xx);
  gst_cca_bytes_double (bytes, &component->cov_xy);
  gst_cca_bytes_double (bytes, &component->cov_yy);
}

static void
exchange_overlap (GstCcaOverlap *overlap, GstCcaBytes *bytes)
{
  gst_cca_bytes_u32 (bytes, &overlap->before);
  gst_cca_bytes_u32 (bytes, &overlap->now);
  gst_cca_bytes_u64 (bytes, &overlap->pixels);
}

static void
exchange_shape (GstCcaShape *shape, GstCcaBytes *bytes)
{
  guint euler_number = (guint) shape->euler_number;

  gst_cca_bytes_double (bytes, &shape->perimeter);
  gst_cca_bytes_double (bytes, &shape->perimeter_crofton);
  gst_cca_bytes_u32 (bytes, &euler_number);
  shape->euler_number = (gint) euler_number;
}

static void
exchange_intensity (GstCcaIntensity *intensity, GstCcaBytes *bytes)
{
  gst_cca_bytes_double (bytes, &intensity->mean);
  gst_cca_bytes_u32 (bytes, &intensity->min);
  gst_cca_bytes_u32 (bytes, &intensity->max);
}

static void
write_components (const GstCcaFrameMeta *base, GstCcaBytes *bytes)
{
  GstCcaMeta meta = *(const GstCcaMeta *) base;

  exchange_head (&meta, bytes, VERSION);
  for (guint i = 0; i < meta.n_stored; i++) {
    GstCcaComponent component = meta.components[i];

    exchange_component (&component, bytes);
  }
  for (guint i = 0; i < meta.n_stored_overlaps; i++) {
    GstCcaOverlap overlap = meta.overlaps[i];

    exchange_overlap (&overlap, bytes);
  }
  for (guint i = 0; meta.shapes != NULL && i < meta.n_stored; i++) {
    GstCcaShape shape = meta.shapes[i];

    exchange_shape (&shape, bytes);
  }
  for (guint i = 0; meta.intensities != NULL && i < meta.n_stored; i++) {
    GstCcaIntensity intensity = meta.intensities[i];

    exchange_intensity (&intensity, bytes);
  }
}

static gboolean
read_components (GstCcaFrameMeta *base, GstCcaBytes *bytes, guint version)
{
  GstCcaMeta *meta = (GstCcaMeta *) base;
  const guint known = exchange_head (meta, bytes, version);
  const guint64 bytes_each =
      COMPONENT_SIZE + (known & FLAG_SHAPES ? SHAPE_SIZE : 0) + (known & FLAG_INTENSITIES ? INTENSITY_SIZE : 0);
  GstCcaMeta lists = { .n_stored = meta->n_stored, .n_stored_overlaps = meta->n_stored_overlaps };
  GstBuffer *storage;

  if (bytes->failed || meta->n_stored > meta->n_components || meta->n_stored_overlaps > meta->n_overlaps
      || bytes->size != meta->n_stored * bytes_each + (guint64) meta->n_stored_overlaps * OVERLAP_SIZE)
    return FALSE;
  lists.shapes = known & FLAG_SHAPES ? no_shapes : NULL;
  lists.intensities = known & FLAG_INTENSITIES ? no_intensities : NULL;
  if (!allocate (&storage, &lists))
    return FALSE;
  gst_cca_frame_meta_set_storage (base, storage);
  meta->truncated = meta->n_stored < meta->n_components;
  meta->components = lists.components;
  meta->shapes = lists.shapes;
  meta->intensities = lists.intensities;
  for (guint i = 0; i < meta->n_stored; i++)
    exchange_component ((GstCcaComponent *) &meta->components[i], bytes);
  for (guint i = 0; i < meta->n_stored_overlaps; i++)
    exchange_overlap ((GstCcaOverlap *) &lists.overlaps[i], bytes);
  for (guint i = 0; meta->shapes != NULL && i < meta->n_stored; i++)
    exchange_shape ((GstCcaShape *) &meta->shapes[i], bytes);
  for (guint i = 0; meta->intensities != NULL && i < meta->n_stored; i++)
    exchange_intensity ((GstCcaIntensity *) &meta->intensities[i], bytes);
  if (known & FLAG_OVERLAPS)
    gst_cca_components_set_overlaps (meta, meta->n_overlaps, meta->n_stored_overlaps, lists.overlaps);
  return TRUE;
}

GstCcaFrameMetaKind gst_cca_components = {
  .name = "GstCcaMeta",
  .api_name = "GstCcaMetaAPI",
  .size = sizeof (GstCcaMeta),
  .stale = offsetof (GstCcaMeta, stale),
  .map = map_components,
  .write = write_components,
  .read = read_components,
  .version = VERSION,
};
