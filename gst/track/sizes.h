/* gst-cca: how large objects are from place to place, learned from those that are seen alone
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Over flat ground, the height of objects of one kind grows linearly with the row on which they stand: Hoiem, Efros &
 * Hebert, "Putting Objects in Perspective", IJCV 80, 2008, section 3. The line is the one of least absolute deviations
 * through the last samples, so that groups among them do not matter.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "box.h"
#include "homography.h"

#define GST_CCA_SIZES_SAMPLES 192
#define GST_CCA_SIZES_OBJECTS 32

/* The silhouette's points (figures.h). */
#define GST_CCA_SILHOUETTE_COLUMNS 16
#define GST_CCA_SILHOUETTE_ROWS 18
#define GST_CCA_SILHOUETTE_POINTS (GST_CCA_SILHOUETTE_COLUMNS * GST_CCA_SILHOUETTE_ROWS)

/* Its field, in heights of the object: to either side of the middle, above and below the foot. */
#define GST_CCA_SILHOUETTE_SIDE 0.4
#define GST_CCA_SILHOUETTE_ABOVE 1.1
#define GST_CCA_SILHOUETTE_BELOW 0.1

typedef struct
{
  double x, foot;       /* the middle of the lower side, pixels */
  double width, height; /* pixels */
  double filled;        /* the part of its box that is foreground */
  uint64_t id;          /* of the object */
  bool has_silhouette;
  uint8_t silhouette[GST_CCA_SILHOUETTE_POINTS]; /* foreground around it: 255 is all */
} GstCcaSizeSample;

/* An object that moves, and the mean of the areas of its boxes, pixels. */
typedef struct
{
  uint64_t id;
  double area;
  size_t n;
} GstCcaObjectArea;

/* All zero at first. */
typedef struct
{
  GstCcaObjectArea areas[GST_CCA_SIZES_OBJECTS]; /* a ring of the last ones */
  size_t n_areas, next_area;
  GstCcaSizeSample samples[GST_CCA_SIZES_SAMPLES]; /* a ring */
  size_t n, next, n_new;
  bool grounded; /* the ground is known: height = metres * scale at the foot, pixels; … */
  GstCcaGroundScale scale;
  double metres;        /* … 0: not known */
  bool people;          /* objects are people: they are known before some have been seen */
  double offset, slope; /* without a ground: height = offset + slope * foot, pixels */
  double least, most;   /* heights are not extrapolated beyond these */
  double first, last;   /* rows between which objects stood */
  double aspect;        /* width / height of a slender one, … */
  double wide;          /* … and of a wide one */
  double filled;        /* the part of a box that is foreground: low where the shape tells objects apart */
  double width;         /* width / height of a typical single one */
  float silhouette[GST_CCA_SILHOUETTE_POINTS]; /* how often each point is foreground, 0…1 */
  bool has_silhouette;
  bool known; /* some have been seen, and most are of one kind */
} GstCcaSizes;

/* Says where the ground is, and whether objects are people. The samples are kept. */
void gst_cca_sizes_set_ground (GstCcaSizes *sizes, const GstCcaGroundScale *scale, bool people);

/* Adds an object that was seen alone and whole. */
void gst_cca_sizes_add (GstCcaSizes *sizes, const GstCcaSizeSample *sample);

/* Adds the area of a moving object's box, pixels. */
void gst_cca_sizes_add_area (GstCcaSizes *sizes, uint64_t id, double area);

/* Returns the area of a typical moving object's box, pixels, or of the largest of a few; 0: not known. */
double gst_cca_sizes_typical_area (const GstCcaSizes *sizes);

/* Forgets all objects, and the ground, and adds n of them, GST_CCA_SIZES_SAMPLES at most, oldest first. */
void gst_cca_sizes_set (GstCcaSizes *sizes, const GstCcaSizeSample *samples, size_t n);

/* Lists the objects, oldest first, and returns how many there are. */
size_t gst_cca_sizes_get (const GstCcaSizes *sizes, GstCcaSizeSample samples[GST_CCA_SIZES_SAMPLES]);

/* Returns whether it is known how high an object is that stands at a place. */
bool gst_cca_sizes_know (const GstCcaSizes *sizes, double x, double foot);

/* Returns the height of an object that stands at a place, in pixels; sizes->known. */
double gst_cca_sizes_height (const GstCcaSizes *sizes, double x, double foot);

/* On known ground: returns the first row in a column from which on it is known, at most the last one. */
double gst_cca_sizes_first_row (const GstCcaSizes *sizes, double x, double last);

/* The same for the object of a box. */
static inline bool
gst_cca_sizes_know_box (const GstCcaSizes *sizes, const GstCcaBox *box)
{
  return gst_cca_sizes_know (sizes, (box->min[0] + box->max[0]) / 2.0, box->max[1]);
}

static inline double
gst_cca_sizes_height_of_box (const GstCcaSizes *sizes, const GstCcaBox *box)
{
  return gst_cca_sizes_height (sizes, (box->min[0] + box->max[0]) / 2.0, box->max[1]);
}
