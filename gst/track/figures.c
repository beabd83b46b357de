/* gst-cca: what tracks are made from: components, or the figures in them
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "figures.h"

#include "array.h"

/* Figures are looked for if objects stand upright, if hardly any is wider than this, as vehicles are, and if gaps show
 * where one ends and the next begins. */
#define UPRIGHT 0.75
#define WIDE 1.0
#define SOLID 0.7

/* What moves by more of an object's heights a second is nobody on foot. */
#define FASTEST 2.5

/* The limits of a component that is a single object, in sizes of one. */
#define WIDEST 1.3
#define LOWEST 0.75
#define HIGHEST 1.2

/* Components form a cluster if they are no farther apart than this part of an object's height. With more components
 * than this, the tracker looks for no figures. */
#define GAP 0.2
#define MOST_COMPONENTS 200

/* A component is a figure's own if its box, grown by a part of the height, has this part of the component's pixels, and
 * the boxes of all figures together have no more than this many times its pixels. */
#define OWN 0.9
#define GROWN 0.12
#define OWN_SUM 1.15

/* A figure takes the box of its own components if the pixels that it shares are less than this part of its own. */
#define SHARED 0.2

/* A component stands apart if figures have less than this part of it. Figures are accepted if they have this part of
 * their cluster. */
#define APART 0.3
#define EXPLAINED 0.6

/* Figures leave gaps: of the pixels that one that is alone leaves free in its box, they leave at least this part. */
#define GAPS 0.15

/* A figure's share of its cluster. */
typedef struct
{
  GstCcaBox box, joined; /* as the figure has it; around its own components */
  double own, shared;    /* pixels */
  double most;           /* pixels of its largest component */
  uint32_t largest;
} Share;

void
gst_cca_figures_clear (GstCcaFigures *figures)
{
  free (figures->detections);
  free (figures->clusters);
  free (figures->owners);
  free (figures->places);
  free (figures->unexplained);
}

static GstCcaBox
box_of (const GstCcaTrackerComponent *c)
{
  return (GstCcaBox) { { c->x, c->y }, { (double) c->x + c->width, (double) c->y + c->height } };
}

static double
area_of (const GstCcaTrackerComponent *c)
{
  return c->area > 0 ? (double) c->area : (double) c->width * c->height;
}

static void
add_component (GstCcaFigures *figures, const GstCcaTrackerFrame *frame, uint32_t component, bool single)
{
  const GstCcaTrackerComponent *c = &frame->components[component];

  figures->detections[figures->n++] =
      (GstCcaDetection) { box_of (c), area_of (c), component, single, false, component, GST_CCA_NO_FIGURE };
}

/* --- Clusters ---------------------------------------------------------------------------------------- */

/* Finds which components are near each other. */
static void
cluster (GstCcaFigures *figures, const GstCcaTrackerFrame *frame, const GstCcaSizes *sizes)
{
  for (uint32_t i = 0; i < frame->n_components; i++) {
    const GstCcaBox box = box_of (&frame->components[i]);
    const GstCcaBox near = gst_cca_box_grow (&box, GAP * gst_cca_sizes_height_of_box (sizes, &box));

    figures->clusters[i] = i;
    for (uint32_t k = 0; k < i; k++) {
      const GstCcaBox other = box_of (&frame->components[k]);
      const uint32_t a = figures->clusters[i], b = figures->clusters[k];

      if (a == b || !gst_cca_box_touches (&near, &other))
        continue;
      for (uint32_t j = 0; j <= i; j++)
        if (figures->clusters[j] == (a > b ? a : b))
          figures->clusters[j] = a > b ? b : a;
    }
  }
}

/* Returns how many components a cluster has, and their box. */
static size_t
measure_cluster (const GstCcaFigures *figures, const GstCcaTrackerFrame *frame, uint32_t cluster, GstCcaBox *box)
{
  size_t n = 0;

  for (uint32_t i = cluster; i < frame->n_components; i++)
    if (figures->clusters[i] == cluster) {
      const GstCcaBox part = box_of (&frame->components[i]);

      *box = n++ > 0 ? gst_cca_box_join (box, &part) : part;
    }
  return n;
}

static bool
is_narrow (const GstCcaSizes *sizes, const GstCcaBox *box)
{
  const double height = gst_cca_sizes_height_of_box (sizes, box);

  return box->max[0] - box->min[0] <= WIDEST * sizes->width * height && box->max[1] - box->min[1] <= HIGHEST * height;
}

static bool
is_single (const GstCcaSizes *sizes, const GstCcaBox *box)
{
  return is_narrow (sizes, box) && box->max[1] - box->min[1] >= LOWEST * gst_cca_sizes_height_of_box (sizes, box);
}

/* --- Whose components are ---------------------------------------------------------------------------- */

/* Returns the foreground pixels that two boxes share. */
static double
pixels_in (const GstCcaCoverage *coverage, const GstCcaBox *a, const GstCcaBox *b)
{
  const GstCcaBox both = gst_cca_box_clip (a, b);

  return gst_cca_coverage_count (coverage, &both);
}

/* Gives a component to its figures, and notes whose own it is. Returns how many of its pixels they have. */
static double
share (GstCcaFigures *figures, const GstCcaOccupancy *occupancy, Share *shares, uint32_t component)
{
  const GstCcaTrackerComponent *c = &occupancy->frame->components[component];
  const GstCcaBox box = box_of (c);
  const double area = area_of (c);
  double pixels[GST_CCA_MOST_FIGURES], sum = 0.0, best = 0.0;
  uint32_t owner = 0;

  for (uint32_t i = 0; i < occupancy->n; i++) {
    const GstCcaBox grown = gst_cca_box_grow (&shares[i].box, GROWN * occupancy->figures[i].height);
    const double inside = pixels_in (occupancy->coverage, &box, &grown);

    pixels[i] = pixels_in (occupancy->coverage, &box, &shares[i].box);
    sum += pixels[i];
    if (pixels[i] > shares[i].most) {
      shares[i].most = pixels[i];
      shares[i].largest = component;
    }
    if (inside > best) {
      best = inside;
      owner = i;
    }
  }
  figures->owners[component] = GST_CCA_NO_FIGURE;
  if (best >= OWN * area && sum < OWN_SUM * area) {
    figures->owners[component] = owner;
    shares[owner].joined = shares[owner].own > 0.0 ? gst_cca_box_join (&shares[owner].joined, &box) : box;
    shares[owner].own += area;
  } else if (sum >= APART * area) {
    for (size_t i = 0; i < occupancy->n; i++)
      shares[i].shared += pixels[i];
  }
  return gst_cca_min (sum, area);
}

/* Returns whether boxes with so many of a cluster's pixels have as few gaps as no figures leave: it is a vehicle, say.
 */
static bool
is_solid (const GstCcaSizes *sizes, const GstCcaBox *cluster, const Share *shares, size_t n, double pixels)
{
  GstCcaBox boxes[GST_CCA_MOST_FIGURES];
  double area = 0.0, largest = 0.0;

  for (size_t i = 0; i < n; i++) {
    boxes[i] = gst_cca_box_clip (&shares[i].box, cluster);
    area += gst_cca_box_area (&boxes[i]);
    largest = gst_cca_max (largest, gst_cca_box_area (&boxes[i]));
    for (size_t k = 0; k < i; k++)
      area -= gst_cca_box_shared (&boxes[i], &boxes[k]);
  }
  return pixels > (1.0 - GAPS * (1.0 - sizes->filled)) * gst_cca_max (area, largest);
}

/* Adds the figures and what is none of theirs. Returns FALSE and adds nothing if they are too
 * little of the cluster, or too much of what is in their boxes. */
static bool
add_figures (GstCcaFigures *figures, const GstCcaOccupancy *occupancy, uint32_t cluster, const GstCcaBox *box)
{
  const GstCcaTrackerFrame *frame = occupancy->frame;
  const size_t n = figures->n;
  Share shares[GST_CCA_MOST_FIGURES];
  double total = 0.0, explained = 0.0;

  for (size_t i = 0; i < occupancy->n; i++)
    shares[i] = (Share) { .box = gst_cca_occupancy_box (occupancy, &occupancy->figures[i]), .largest = cluster };
  for (uint32_t i = cluster; i < frame->n_components; i++)
    if (figures->clusters[i] == cluster) {
      const double area = area_of (&frame->components[i]), pixels = share (figures, occupancy, shares, i);

      total += area;
      explained += pixels;
      if (figures->owners[i] == GST_CCA_NO_FIGURE && pixels < APART * area)
        add_component (figures, frame, i, false);
    }
  if (explained < EXPLAINED * total || is_solid (occupancy->sizes, box, shares, occupancy->n, explained)) {
    figures->n = n;
    return false;
  }
  for (size_t i = 0; i < occupancy->n; i++) {
    const Share *s = &shares[i];
    const bool is_whole = s->own > 0.0 && s->shared < SHARED * s->own && is_single (occupancy->sizes, &s->joined);

    figures->detections[figures->n++] = (GstCcaDetection) { is_whole ? s->joined : s->box,
                                                            s->own + (is_whole ? 0.0 : s->shared),
                                                            s->largest,
                                                            true,
                                                            !is_whole,
                                                            cluster,
                                                            (uint32_t) i };
  }
  return true;
}

/* Returns whether a track in a cluster is too fast for a figure. */
static bool
has_fast (const GstCcaOccupancy *occupancy, const GstCcaBox *box)
{
  const GstCcaSizes *sizes = occupancy->sizes;
  const GstCcaBox near = gst_cca_box_grow (box, GAP * gst_cca_sizes_height_of_box (sizes, box));

  for (size_t i = 0; i < occupancy->n_hints; i++) {
    const GstCcaHint *hint = &occupancy->hints[i];
    const GstCcaBox foot = { { hint->x, hint->foot }, { hint->x, hint->foot } };

    if (hint->speed > FASTEST * gst_cca_sizes_height_of_box (sizes, &foot) && gst_cca_box_touches (&near, &foot))
      return true;
  }
  return false;
}

static void
detect (GstCcaFigures *figures, GstCcaOccupancy *occupancy, uint32_t cluster)
{
  const GstCcaSizes *sizes = occupancy->sizes;
  GstCcaBox box;
  const size_t n = measure_cluster (figures, occupancy->frame, cluster, &box);
  const bool single = n == 1 && is_single (sizes, &box);

  if (n == 0)
    return;
  occupancy->n = 0;
  if (gst_cca_sizes_know_box (sizes, &box) && (n > 1 || !is_narrow (sizes, &box)) && !has_fast (occupancy, &box))
    gst_cca_occupancy_find (occupancy, &box);
  if (occupancy->n > 0 && add_figures (figures, occupancy, cluster, &box))
    return;
  for (uint32_t i = cluster; i < occupancy->frame->n_components; i++)
    if (figures->clusters[i] == cluster)
      add_component (figures, occupancy->frame, i, single);
}

/* Finds how much of their boxes estimated figures share with other detections. */
static void
compare (GstCcaFigures *figures)
{
  for (size_t i = 0; i < figures->n; i++) {
    GstCcaDetection *d = &figures->detections[i];

    for (size_t k = 0; k < figures->n && d->estimated; k++)
      if (k != i)
        d->shared = gst_cca_max (d->shared, gst_cca_box_shared (&d->box, &figures->detections[k].box));
    d->shared /= gst_cca_box_area (&d->box);
  }
}

bool
gst_cca_figures_find (GstCcaFigures *figures, const GstCcaTrackerFrame *frame, const GstCcaCoverage *coverage,
                      const GstCcaSizes *sizes, GstCcaHint *hints, size_t n_hints)
{
  const uint32_t n = (uint32_t) frame->n_components;
  const bool upright = sizes->known && sizes->has_silhouette && sizes->aspect <= UPRIGHT && sizes->wide <= WIDE
                       && sizes->filled <= SOLID && frame->coverage != NULL && !frame->whole && n <= MOST_COMPONENTS;
  const size_t n_cells = (size_t) frame->columns * frame->rows;
  GstCcaOccupancy occupancy;

  figures->n = 0;
  figures->upright = upright;
  if (!GST_CCA_RESERVE (figures->detections, figures->room, (size_t) n * (upright ? GST_CCA_MOST_FIGURES + 1 : 1))
      || !GST_CCA_RESERVE (figures->clusters, figures->clusters_room, n)
      || !GST_CCA_RESERVE (figures->owners, figures->owners_room, n)
      || (upright
          && (!GST_CCA_RESERVE (figures->places, figures->places_room, GST_CCA_MOST_PLACES)
              || !GST_CCA_RESERVE (figures->unexplained, figures->unexplained_room, n_cells))))
    return false;
  if (!upright) {
    for (uint32_t i = 0; i < n; i++)
      add_component (figures, frame, i, frame->whole);
    return true;
  }
  if (figures->n_unexplained != n_cells)
    gst_cca_unexplained_clear (figures->unexplained, n_cells);
  figures->n_unexplained = n_cells;
  cluster (figures, frame, sizes);
  gst_cca_occupancy_init (&occupancy, frame, coverage, sizes, hints, n_hints, figures->places, figures->unexplained);
  for (uint32_t i = 0; i < n; i++)
    detect (figures, &occupancy, i);
  compare (figures);
  return true;
}
