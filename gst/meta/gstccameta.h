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
 * @width: width of the frame that the coordinates refer to, pixels
 * @height: height of the frame that the coordinates refer to, pixels
 * @n_components: components found, all that passed the filter
 * @n_stored: components stored
 * @truncated: whether fewer are stored than were found
 * @components: (array length=n_stored): the components; read-only, shared between copies of the meta
 *
 * The connected components of a frame. @width and @height are the measured frame's own, so that a consumer behind a
 * scaler that did not scale the meta can.
 *
 * Since: 0.1
 */
typedef struct _GstCcaMeta GstCcaMeta;
struct _GstCcaMeta
{
  GstMeta meta;

  guint width, height;
  guint n_components;
  guint n_stored;
  gboolean truncated;
  const GstCcaComponent *components;

  /*< private >*/
  GstBuffer *storage; /* holds @components; a reference of this meta's own */
};

GST_CCA_API
GType gst_cca_component_get_type (void);
#define GST_TYPE_CCA_COMPONENT (gst_cca_component_get_type ())

GST_CCA_API
GType gst_cca_meta_api_get_type (void);
#define GST_CCA_META_API_TYPE (gst_cca_meta_api_get_type ())

GST_CCA_API
const GstMetaInfo *gst_cca_meta_get_info (void);
#define GST_CCA_META_INFO (gst_cca_meta_get_info ())

GST_CCA_API
GstCcaMeta *gst_buffer_get_cca_meta (GstBuffer *buffer);

GST_CCA_API
GstCcaMeta *gst_buffer_add_cca_meta (GstBuffer *buffer, guint width, guint height, guint n_components,
                                     const GstCcaComponent *components, guint n_stored);

GST_CCA_API
GstCcaMeta *gst_buffer_add_cca_meta_take (GstBuffer *buffer, guint width, guint height, guint n_components,
                                          GstBuffer *storage, guint n_stored);

GST_CCA_API
const GstCcaComponent *gst_cca_meta_get_component (const GstCcaMeta *meta, guint index);

GST_CCA_API
GstCcaComponent *gst_cca_component_copy (const GstCcaComponent *component);

GST_CCA_API
void gst_cca_component_free (GstCcaComponent *component);

G_END_DECLS

#endif
