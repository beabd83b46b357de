/* gst-cca: few tiles that cover many boxes: what a detector has to look at
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "tiles.h"

typedef struct
{
  GstCcaBox needed; /* what it has to cover, in the frame */
  GstCcaTile tile;
} Region;

/* Returns the side of a tile that covers so much, at least `least`, in a frame that has `most`. */
static uint32_t
side_of (double needed, uint32_t least, uint32_t multiple, uint32_t most)
{
  const double side = gst_cca_max (needed, least);
  const double rounded = ceil (side / multiple) * multiple;

  return (uint32_t) gst_cca_min (gst_cca_max (rounded, 1.0), most);
}

/* Returns where a tile of a side lies that covers min…max about in its middle. */
static uint32_t
place_of (double min, double max, uint32_t side, uint32_t frame)
{
  const double middle = floor ((min + max - side) / 2.0);
  const double first = gst_cca_min (gst_cca_max (middle, ceil (max) - side), floor (min));

  return (uint32_t) gst_cca_min (gst_cca_max (first, 0.0), (double) frame - side);
}

static GstCcaTile
tile_of (const GstCcaTilesParams *params, const GstCcaBox *box)
{
  const double from[2] = { floor (box->min[0]), floor (box->min[1]) };
  double size[2] = { ceil (box->max[0]) - from[0], ceil (box->max[1]) - from[1] };
  GstCcaTile tile;

  size[0] = gst_cca_max (size[0], params->min_width);
  size[1] = gst_cca_max (size[1], params->min_height);
  if (params->aspect > 0.0) {
    size[0] = gst_cca_max (size[0], size[1] * params->aspect);
    size[1] = gst_cca_max (size[1], size[0] / params->aspect);
  }
  tile.width = side_of (size[0], params->min_width, params->multiple, params->width);
  tile.height = side_of (size[1], params->min_height, params->multiple, params->height);
  tile.x = place_of (box->min[0], box->max[0], tile.width, params->width);
  tile.y = place_of (box->min[1], box->max[1], tile.height, params->height);
  return tile;
}

static double
area_of (const GstCcaTile *tile)
{
  return (double) tile->width * tile->height;
}

static Region
region_of (const GstCcaTilesParams *params, const GstCcaBox *needed)
{
  return (Region) { *needed, tile_of (params, needed) };
}

static Region
join (const GstCcaTilesParams *params, const Region *a, const Region *b)
{
  const GstCcaBox both = gst_cca_box_join (&a->needed, &b->needed);

  return region_of (params, &both);
}

/* Makes one of the two regions whose union wastes the fewest pixels; or, unless it must, of none if any would waste
 * some. Returns whether it did. */
static bool
merge (const GstCcaTilesParams *params, Region *regions, size_t *n, bool must)
{
  size_t best[2] = { 0, 0 };
  double least = must ? INFINITY : 1e-9;
  Region merged;

  for (size_t i = 0; i < *n; i++)
    for (size_t k = 0; k < i; k++) {
      const Region both = join (params, &regions[k], &regions[i]);
      const double waste = area_of (&both.tile) - area_of (&regions[k].tile) - area_of (&regions[i].tile);

      if (waste < least) {
        least = waste;
        best[0] = k;
        best[1] = i;
      }
    }
  if (best[1] == 0)
    return false;
  merged = join (params, &regions[best[0]], &regions[best[1]]);
  regions[best[0]] = merged;
  regions[best[1]] = regions[--*n];
  return true;
}

size_t
gst_cca_tiles_cover (const GstCcaTilesParams *params, const GstCcaBox *boxes, size_t n,
                     GstCcaTile tiles[GST_CCA_TILES_MOST])
{
  const GstCcaBox frame = { { 0.0, 0.0 }, { params->width, params->height } };
  Region regions[GST_CCA_TILES_MOST + 1];
  size_t n_regions = 0;

  for (size_t i = 0; i < n; i++) {
    const GstCcaBox *box = &boxes[i];
    const double side = gst_cca_max (box->max[0] - box->min[0], box->max[1] - box->min[1]);
    const GstCcaBox grown = gst_cca_box_grow (box, params->margin * side);
    const GstCcaBox needed = gst_cca_box_clip (&grown, &frame);

    if (!gst_cca_box_touches (box, &frame))
      continue;
    regions[n_regions++] = region_of (params, &needed);
    if (n_regions > GST_CCA_TILES_MOST)
      merge (params, regions, &n_regions, true);
  }
  while (n_regions > 1 && merge (params, regions, &n_regions, n_regions > params->most))
    continue;
  for (size_t i = 0; i < n_regions; i++)
    tiles[i] = regions[i].tile;
  return n_regions;
}
