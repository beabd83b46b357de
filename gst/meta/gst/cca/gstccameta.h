/* gst-cca: the components of a video frame, as a GstMeta
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_META_H
#define GST_CCA_META_H

#include <gst/gst.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

#ifndef GST_CCA_API
#define GST_CCA_API __attribute__ ((visibility ("default")))
#endif

/**
 * SECTION:gstccameta
 * @title: GstCcaMeta
 * @short_description: the connected components of a video frame
 *
 * `#include <gst/cca/gstccameta.h>`, pkg-config `gstreamer-cca-1.0`, introspection `GstCca-1.0`.
 *
 * A buffer has one meta for each analysis, identified by the @id of #GstCcaMeta. An element replaces only a meta with
 * its own id.
 *
 * The meta carries no tags, because elements that move frames to and from a GPU drop tagged metas. A second, private
 * meta accompanies it, tagged as GStreamer's metas with coordinates are, and records how elements change the frame:
 *
 * - An element that scales the frame converts the meta to the new frame's coordinates. From GStreamer 1.28 on, elements
 *   that crop, add borders or turn by quarters do, too.
 * - An element that makes new frames and does not report how leaves the meta @stale: its coordinates are still those
 *   of the measured frame, @width x @height, and cannot be mapped to the new frame.
 * - An element that crops with a #GstVideoCropMeta does not change the meta: the coordinates refer to the uncropped
 *   frame of the #GstVideoMeta.
 *
 * Elements that draw call gst_cca_meta_map_to_frame(), which handles all these cases. docs/messages-and-meta.md lists
 * what GStreamer's elements do.
 *
 * If your own element scales frames and copies their metas itself, call the meta's transform function with
 * "gst-video-scale" (the old frame fills the new one) or, from GStreamer 1.28 on, with "gst-video-matrix". The function
 * transforms the components as follows:
 *
 * - A box becomes the smallest box that covers the transformed one, clipped to the new frame. The function drops
 *   components that lie wholly outside and subtracts them from @n_components, which still counts found components that
 *   were not stored.
 * - Areas, centroids, moments and perimeters are those of the whole transformed component, even if its box was clipped.
 *   If the two axes are scaled differently, nothing is known of how much of an outline runs along which: its length
 *   scales by the square root of the area's factor, which is off by the square root of the axes' ratio at most.
 * - Labels and Euler numbers do not change, and neither do overlaps and intensities: they are of the measured frame.
 * - The coverage becomes that of cells of the new frame, without colours: the foreground of a cell counts as spread
 *   evenly over it. No foreground is lost, since counts are rounded up.
 * - The function refuses matrices that do not keep boxes upright (shear, perspective, rotation by other than quarter
 *   turns).
 *
 * Threads: as with every #GstMeta, functions that add a meta need a writable buffer; the others take any valid buffer.
 * Attached components never change; any thread that holds the buffer may read them.
 */

/**
 * GstCcaComponent:
 * @label: number in the frame, from 1, in raster order of the components' first pixels
 * @x: left of the bounding box, pixels
 * @y: top of the bounding box, pixels
 * @width: width of the bounding box, pixels
 * @height: height of the bounding box, pixels
 * @area: pixels of the component
 * @centroid_x: centroid, pixels, pixel centres at integers
 * @centroid_y: centroid, pixels, pixel centres at integers
 * @cov_xx: second central moment in x over the area, pixels², or 0 if it was not requested
 * @cov_xy: mixed second central moment over the area, pixels², or 0 if it was not requested
 * @cov_yy: second central moment in y over the area, pixels², or 0 if it was not requested
 *
 * One connected component.
 *
 * Since: 0.1
 */
typedef struct _GstCcaComponent GstCcaComponent;
struct _GstCcaComponent
{
  guint label;
  guint x, y, width, height;
  guint64 area;
  gdouble centroid_x, centroid_y;
  gdouble cov_xx, cov_xy, cov_yy;
};

/**
 * GstCcaOverlap:
 * @before: label of a component of the last frame
 * @now: label of a component of this frame
 * @pixels: pixels that belong to both, at least 1
 *
 * Pixels that a component shares with one of the last frame.
 *
 * Since: 0.1
 */
typedef struct _GstCcaOverlap GstCcaOverlap;
struct _GstCcaOverlap
{
  guint before, now;
  guint64 pixels;
};

/**
 * GstCcaShape:
 * @perimeter: length of the line through the centres of the border pixels, pixels; 0 for a single pixel
 * @perimeter_crofton: length of the outline by Crofton's formula in four directions, pixels
 * @euler_number: 1 less the number of holes
 *
 * The shape of a component. It depends on the component's own pixels alone: outside the frame, and where another
 * component is, there are none. The measures are those of scikit-image's regionprops; holes are 4-connected if
 * components are 8-connected, and the other way round.
 *
 * Since: 0.2
 */
typedef struct _GstCcaShape GstCcaShape;
struct _GstCcaShape
{
  gdouble perimeter, perimeter_crofton;
  gint euler_number;
};

/**
 * GstCcaIntensity:
 * @mean: mean value of the component's pixels
 * @min: least value
 * @max: largest value
 *
 * The values of a component's pixels in the analysed plane: luma, of 255 or, with 16-bit formats, 65535.
 *
 * Since: 0.2
 */
typedef struct _GstCcaIntensity GstCcaIntensity;
struct _GstCcaIntensity
{
  gdouble mean;
  guint min, max;
};

/**
 * GstCcaMeta:
 * @meta: parent
 * @id: names the analysis that the components come from, such as the element's property `id`; a buffer may carry
 *   several metas. Never %NULL; empty if the analysis has no name
 * @width: width of the frame that the coordinates refer to, pixels
 * @height: height of the frame that the coordinates refer to, pixels
 * @n_components: components found that passed the filter
 * @n_stored: components stored
 * @truncated: whether fewer are stored than were found
 * @stale: whether an element between the analysis and this buffer changed the frame in a way that the meta cannot
 * follow; the coordinates are then those of the measured frame and do not fit this one
 * @components: the @n_stored components; read-only, shared between copies of the meta, valid as long as the
 *   meta
 * @n_overlaps: overlaps with components of the last frame; 0 if they are not known
 * @n_stored_overlaps: overlaps stored; fewer than @n_overlaps means that the list is truncated
 * @overlaps: (nullable): the @n_stored_overlaps overlaps, sorted by @before, then @now; read-only, shared, and valid as
 *   @components are. %NULL if they are not known: the analysis was not asked for them, or this is its first frame. They
 *   cover all components that passed the filter in both frames, stored or not
 * @scene_change: whether the background model reports a scene change, for example because the camera moved: the frame
 *   has no foreground, and the model goes back to a scene or learns anew. The thread that adds a meta may set it
 * @coverage_cell: side of the cells of @coverage, pixels; 0 if the coverage is not known
 * @coverage_columns: cells in a row: @width over @coverage_cell, rounded up
 * @coverage_rows: rows of cells, likewise
 * @coverage: (nullable): how many pixels of each cell are foreground, row by row, at most 255; read-only, shared, and
 *   valid as @components are. It counts all foreground, also of components that the size filter dropped. %NULL if it is
 *   not known: the analysis was not asked for it, or the meta was serialised, which leaves out the coverage
 * @cell_colours: (nullable): the colour of the cells: a plane of Y, one of U and one of V, each like @coverage, one
 *   behind the other, of the pixel in the middle of each cell; all 0 where the cell has no foreground. U and V are 128
 *   where the analysis does not read chroma. Read-only, shared, and valid as @components are. %NULL if they are not
 *   known, the meta was converted to another frame, and always without @coverage
 * @learning: whether the background model still learns the scene: the frame has no foreground, whatever it shows. The
 *   thread that adds a meta may set it
 * @shapes: (nullable): the shapes of @components, in their order; read-only, shared, and valid as @components are.
 * %NULL if they are not known, because the analysis was not asked for them. Since: 0.2
 * @intensities: (nullable): the values of the pixels of @components, likewise. Since: 0.2
 *
 * The connected components of a frame. Bindings read them with gst_cca_meta_get_components(),
 * gst_cca_meta_get_shapes(), gst_cca_meta_get_intensities(), gst_cca_meta_get_overlaps(), gst_cca_meta_get_coverage()
 * and gst_cca_meta_get_cell_colours(), which return copies; the meta itself lives as long as its buffer.
 *
 * Since: 0.1
 */
typedef struct _GstCcaMeta GstCcaMeta;
struct _GstCcaMeta
{
  GstMeta meta;

  const gchar *id;
  guint width, height;
  guint n_components;
  guint n_stored;
  gboolean truncated;
  gboolean stale;
#ifdef __GI_SCANNER__ /* bindings would treat it as one component; they use get_components() */
  gconstpointer _components;
#else
  const GstCcaComponent *components;
#endif
  guint n_overlaps;
  guint n_stored_overlaps;
#ifndef __GI_SCANNER__ /* as above; get_overlaps() */
  const GstCcaOverlap *overlaps;
#else
  gconstpointer _overlaps;
#endif
  gboolean scene_change;
  guint coverage_cell;
  guint coverage_columns;
  guint coverage_rows;
#ifndef __GI_SCANNER__ /* as above; get_coverage() */
  const guint8 *coverage;
  const guint8 *cell_colours;
#else
  gconstpointer _coverage;
  gconstpointer _cell_colours;
#endif
  gboolean learning;
#ifndef __GI_SCANNER__ /* as above; get_shapes(), get_intensities() */
  const GstCcaShape *shapes;
  const GstCcaIntensity *intensities;
#else
  gconstpointer _shapes;
  gconstpointer _intensities;
#endif
};

/**
 * GstCcaPlace:
 * @GST_CCA_PLACE_SAME: the coordinates are those of the frame
 * @GST_CCA_PLACE_MAPPED: the coordinates are those of a frame that was scaled or, by a #GstVideoCropMeta, cropped
 * @GST_CCA_PLACE_UNKNOWN: the coordinates cannot be mapped to the frame: draw nothing
 *
 * How the coordinates of a meta relate to the frame that carries it.
 *
 * Since: 0.1
 */
typedef enum
{
  GST_CCA_PLACE_SAME,
  GST_CCA_PLACE_MAPPED,
  GST_CCA_PLACE_UNKNOWN,
} GstCcaPlace;

#define GST_TYPE_CCA_COMPONENT (gst_cca_component_get_type ())
#define GST_TYPE_CCA_OVERLAP (gst_cca_overlap_get_type ())
#define GST_TYPE_CCA_SHAPE (gst_cca_shape_get_type ())
#define GST_TYPE_CCA_INTENSITY (gst_cca_intensity_get_type ())
#define GST_CCA_META_API_TYPE (gst_cca_meta_api_get_type ())
#define GST_CCA_META_INFO (gst_cca_meta_get_info ())

GST_CCA_API
GType gst_cca_component_get_type (void);

GST_CCA_API
GType gst_cca_overlap_get_type (void);

GST_CCA_API
GType gst_cca_shape_get_type (void);

GST_CCA_API
GType gst_cca_intensity_get_type (void);

GST_CCA_API
GType gst_cca_meta_api_get_type (void);

GST_CCA_API
const GstMetaInfo *gst_cca_meta_get_info (void);

GST_CCA_API
GstCcaMeta *gst_buffer_get_cca_meta (GstBuffer *buffer);

GST_CCA_API
const GstCcaMeta *gst_buffer_get_cca_meta_by_id (GstBuffer *buffer, const gchar *id);

GST_CCA_API
GstCcaMeta *gst_buffer_iterate_cca_meta (GstBuffer *buffer, gpointer *state);

GST_CCA_API
gchar **gst_buffer_get_cca_meta_ids (GstBuffer *buffer);

GST_CCA_API
GstCcaMeta *gst_buffer_add_cca_meta (GstBuffer *buffer, const gchar *id, guint width, guint height, guint n_components,
                                     const GstCcaComponent *components, guint n_stored);

GST_CCA_API
gboolean gst_pad_probe_info_add_cca_meta (GstPadProbeInfo *info, const gchar *id, guint width, guint height,
                                          guint n_components, const GstCcaComponent *components, guint n_stored);

GST_CCA_API
GstCcaMeta *gst_buffer_add_cca_meta_take (GstBuffer *buffer, GRefString *id, guint width, guint height,
                                          guint n_components, GstBuffer *storage, guint n_stored);

GST_CCA_API
gboolean gst_cca_meta_set_overlaps (GstCcaMeta *meta, guint n_overlaps, const GstCcaOverlap *overlaps, guint n_stored);

GST_CCA_API
gboolean gst_cca_meta_set_stored_overlaps (GstCcaMeta *meta, guint n_overlaps, guint n_stored);

GST_CCA_API
gboolean gst_cca_meta_set_shapes (GstCcaMeta *meta, const GstCcaShape *shapes, guint n_shapes);

GST_CCA_API
gboolean gst_cca_meta_set_stored_shapes (GstCcaMeta *meta);

GST_CCA_API
gboolean gst_cca_meta_set_intensities (GstCcaMeta *meta, const GstCcaIntensity *intensities, guint n_intensities);

GST_CCA_API
gboolean gst_cca_meta_set_stored_intensities (GstCcaMeta *meta);

GST_CCA_API
gboolean gst_cca_meta_set_coverage (GstCcaMeta *meta, guint cell, GBytes *counts);

GST_CCA_API
gboolean gst_cca_meta_set_stored_coverage (GstCcaMeta *meta, guint cell);

GST_CCA_API
gboolean gst_cca_meta_set_stored_cell_colours (GstCcaMeta *meta);

GST_CCA_API
GstCcaPlace gst_cca_meta_map_to_frame (const GstCcaMeta *meta, GstBuffer *buffer, guint width, guint height,
                                       GstVideoRectangle *place);

GST_CCA_API
const GstCcaComponent *gst_cca_meta_get_component (const GstCcaMeta *meta, guint index);

GST_CCA_API
GList *gst_cca_meta_get_components (const GstCcaMeta *meta);

GST_CCA_API
gboolean gst_cca_meta_has_overlaps (const GstCcaMeta *meta);

GST_CCA_API
GList *gst_cca_meta_get_overlaps (const GstCcaMeta *meta);

GST_CCA_API
GList *gst_cca_meta_get_shapes (const GstCcaMeta *meta);

GST_CCA_API
GList *gst_cca_meta_get_intensities (const GstCcaMeta *meta);

GST_CCA_API
GBytes *gst_cca_meta_get_coverage (const GstCcaMeta *meta);

GST_CCA_API
GBytes *gst_cca_meta_get_cell_colours (const GstCcaMeta *meta);

GST_CCA_API
GstCcaComponent *gst_cca_component_copy (const GstCcaComponent *component);

GST_CCA_API
void gst_cca_component_free (GstCcaComponent *component);

GST_CCA_API
GstCcaOverlap *gst_cca_overlap_copy (const GstCcaOverlap *overlap);

GST_CCA_API
void gst_cca_overlap_free (GstCcaOverlap *overlap);

GST_CCA_API
GstCcaShape *gst_cca_shape_copy (const GstCcaShape *shape);

GST_CCA_API
void gst_cca_shape_free (GstCcaShape *shape);

GST_CCA_API
GstCcaIntensity *gst_cca_intensity_copy (const GstCcaIntensity *intensity);

GST_CCA_API
void gst_cca_intensity_free (GstCcaIntensity *intensity);

G_END_DECLS

#endif
