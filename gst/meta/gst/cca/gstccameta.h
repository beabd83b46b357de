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
 * A buffer has one meta for each analysis: @id of #GstCcaMeta says which. An element replaces only a meta of its own
 * id.
 *
 * The meta carries no tags, because elements that move frames to and from a GPU drop tagged metas. A second, private
 * meta goes with it, tagged as GStreamer's metas with coordinates are, and tells it how elements change the frame:
 *
 * - Behind an element that scales the frame, the meta is in the new frame's coordinates. From GStreamer 1.28 on this is
 *   so for cropping, borders and quarter turns, too.
 * - Behind an element that makes new frames and does not say how, the meta is @stale: its coordinates are still those
 * of the measured frame, @width x @height, and cannot be mapped to the new one.
 * - A crop expressed as a #GstVideoCropMeta leaves the meta alone: the coordinates refer to the uncropped frame of the
 *   #GstVideoMeta.
 *
 * gst_cca_meta_map_to_frame() puts all this together for those who draw. docs/messages-and-meta.md lists what elements
 * do.
 *
 * An element of your own that scales frames and knows the metas it carries may call the meta's transform function with
 * "gst-video-scale" (which here means that the frame fills the new one) or, from GStreamer 1.28 on, "gst-video-matrix".
 * Components are carried to a new frame like this:
 *
 * - Boxes are the smallest that cover the transformed ones, clipped to the new frame. Components that are wholly
 *   outside are dropped; they no longer count in @n_components, while found components that were not stored still do.
 * - Areas, centroids and moments are those of the whole component, transformed, even where its box was clipped.
 * - Labels stay.
 * - Matrices that do not keep boxes upright (shear, rotation by other than quarter turns, perspective) are refused.
 *
 * Threads: as with every #GstMeta, the functions that add need a writable buffer, the others any valid one; components
 * never change once attached and may be read from any thread that holds the buffer.
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
 * @cov_xx: second central moment in x over the area, pixels², or 0 where it was not asked for
 * @cov_xy: mixed second central moment over the area, pixels², or 0 where it was not asked for
 * @cov_yy: second central moment in y over the area, pixels², or 0 where it was not asked for
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
 * GstCcaMeta:
 * @meta: parent
 * @id: names the analysis that the components come from, such as the element's property `id`; a buffer may carry
 *   several metas. Never %NULL, empty where nothing was said
 * @width: width of the frame that the coordinates refer to, pixels
 * @height: height of the frame that the coordinates refer to, pixels
 * @n_components: components found, all that passed the filter
 * @n_stored: components stored
 * @truncated: whether fewer are stored than were found
 * @stale: whether an element between the analysis and this buffer made another frame in a way that cannot be followed;
 *   the coordinates then are those of the measured frame, and say nothing about this one
 * @components: the @n_stored components; read-only, shared between copies of the meta, valid as long as the
 *   meta
 *
 * The connected components of a frame. Bindings read the components with gst_cca_meta_get_components(), which returns
 * copies; the meta itself lives as long as its buffer.
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
#ifndef __GI_SCANNER__ /* bindings would take it for one component; they have get_components() */
  const GstCcaComponent *components;
#endif
};

/**
 * GstCcaPlace:
 * @GST_CCA_PLACE_SAME: coordinates are those of the frame
 * @GST_CCA_PLACE_MAPPED: coordinates are those of a frame that is scaled or, by a #GstVideoCropMeta, cropped
 * @GST_CCA_PLACE_UNKNOWN: coordinates cannot be mapped to the frame: draw nothing
 *
 * Where the components of a meta are in the frame that carries it.
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
#define GST_CCA_META_API_TYPE (gst_cca_meta_api_get_type ())
#define GST_CCA_META_INFO (gst_cca_meta_get_info ())

GST_CCA_API
GType gst_cca_component_get_type (void);

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
GstCcaPlace gst_cca_meta_map_to_frame (const GstCcaMeta *meta, GstBuffer *buffer, guint width, guint height,
                                       GstVideoRectangle *place);

GST_CCA_API
const GstCcaComponent *gst_cca_meta_get_component (const GstCcaMeta *meta, guint index);

GST_CCA_API
GList *gst_cca_meta_get_components (const GstCcaMeta *meta);

GST_CCA_API
GstCcaComponent *gst_cca_component_copy (const GstCcaComponent *component);

GST_CCA_API
void gst_cca_component_free (GstCcaComponent *component);

G_END_DECLS

#endif
