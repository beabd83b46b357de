/* gst-cca: the drawing on a frame, as a list of shapes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The list has the shapes in the order of painting; a painter for each kind of memory draws them. Coordinates are
 * pixels of the view, measured from pixel edges; colours are 0xAARRGGBB.
 */
#pragma once

#include <cca/label-color.h>
#include <glib.h>

#include "layout.h"

/* --- Colours ----------------------------------------------------------------------------------------- */

#define GST_CCA_EDGE_COLOR 0x80000000u  /* beside lines, so that they stand out from any picture */
#define GST_CCA_COUNT_COLOR 0xff000000u /* no label has it */
#define GST_CCA_RULE_COLOR 0xffffffffu  /* nor this one */
#define GST_CCA_ZONE_COLOR 0x28ffffffu
#define GST_CCA_TROUBLE_COLOR 0xffd00000u /* of a camera that is not well */

/* Returns the colour of a label, or of a track's identity from 1, as 0xAARRGGBB with that alpha (0…255). */
static inline guint32
gst_cca_palette_color (guint64 id, guint32 alpha)
{
  const guint32 color = cca_label_color ((guint32) id);

  return alpha << 24 | (color & 0xff) << 16 | (color & 0xff00) | (color >> 16 & 0xff);
}

/* Returns the colour of a text on a plate of that colour. */
static inline guint32
gst_cca_text_color (guint32 plate)
{
  const guint luma = 299 * (plate >> 16 & 0xff) + 587 * (plate >> 8 & 0xff) + 114 * (plate & 0xff);

  return luma < 110 * 1000 ? 0xffffffff : 0xff000000;
}

/* --- Shapes ------------------------------------------------------------------------------------------ */

typedef enum
{
  GST_CCA_SHAPE_RING,    /* the area between two rectangles, of which the inner may be empty */
  GST_CCA_SHAPE_LINE,    /* a line through vertices, with round joins */
  GST_CCA_SHAPE_POLYGON, /* the area within a closed line through vertices, by the even-odd rule */
  GST_CCA_SHAPE_TEXT,    /* a filled rectangle with a text in its middle, in black or white */
  GST_CCA_SHAPE_IMAGE,   /* an image, scaled smoothly */
} GstCcaShapeType;

typedef struct
{
  GstCcaShapeType type;
  guint32 color; /* not of an image */
  union
  {
    GstCcaRing ring;
    struct
    {
      guint first, n; /* of the drawing's vertices */
      gdouble width;  /* of a line */
    } path;
    struct
    {
      GstCcaRect plate;
      gsize offset; /* in the drawing's texts */
    } text;
    struct
    {
      GstCcaRect place;
      const guint32 *pixels; /* colours, multiplied by their alpha */
      gint width, height, stride;
    } image;
  };
} GstCcaDrawnShape;

/* One thread at a time. */
typedef struct
{
  GArray *shapes;   /* of GstCcaDrawnShape */
  GArray *vertices; /* of GstCcaVertex */
  GString *texts;   /* each ends in '\0' */
} GstCcaDrawing;

GstCcaDrawing *gst_cca_drawing_new (void);
void gst_cca_drawing_free (GstCcaDrawing *drawing);

/* Removes all shapes; keeps the memory. */
void gst_cca_drawing_clear (GstCcaDrawing *drawing);

/* Adds a ring, unless its outer rectangle is empty. */
void gst_cca_drawing_add_ring (GstCcaDrawing *drawing, const GstCcaRing *ring, guint32 color);
void gst_cca_drawing_add_rect (GstCcaDrawing *drawing, const GstCcaRect *rect, guint32 color);

/* Add a line of 2 or more vertices, or a polygon of 3 or more. Add nothing if there are fewer, or if one of them is not
 * finite. */
void gst_cca_drawing_add_line (GstCcaDrawing *drawing, const GstCcaVertex *vertices, guint n, gdouble width,
                               guint32 color);
void gst_cca_drawing_add_polygon (GstCcaDrawing *drawing, const GstCcaVertex *vertices, guint n, guint32 color);

void gst_cca_drawing_add_text (GstCcaDrawing *drawing, const GstCcaRect *plate, const gchar *text, guint32 color);

/* Adds an image; a row has `stride` pixels. The drawing refers to the pixels: keep them until it is painted. */
void gst_cca_drawing_add_image (GstCcaDrawing *drawing, const GstCcaRect *place, const guint32 *pixels, gint width,
                                gint height, gint stride);

/* Return what a shape of the drawing refers to, valid until the next change. */
const GstCcaVertex *gst_cca_drawing_vertices (const GstCcaDrawing *drawing, const GstCcaDrawnShape *shape);
const gchar *gst_cca_drawing_text (const GstCcaDrawing *drawing, const GstCcaDrawnShape *shape);
