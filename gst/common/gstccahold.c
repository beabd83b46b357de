/* gst-cca: the event by which a tracker names boxes that an analysis upstream must not learn
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccahold.h"

/* A box grows by this part of its size on every side: the object may move until the next frame. */
#define MARGIN 16

static void
append_box (GValue *boxes, const GstCcaHoldBox *box)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, GST_TYPE_STRUCTURE);
  g_value_take_boxed (&value, gst_structure_new ("box", "x", G_TYPE_UINT, box->x, "y", G_TYPE_UINT, box->y, "width",
                                                 G_TYPE_UINT, box->width, "height", G_TYPE_UINT, box->height, "still",
                                                 G_TYPE_UINT64, box->still, NULL));
  gst_value_array_append_and_take_value (boxes, &value);
}

GstEvent *
gst_cca_hold_event_new (const gchar *id, guint width, guint height, GstClockTime running_time, gdouble object_area,
                        const GstCcaHoldBox *boxes, guint n)
{
  GstStructure *structure = gst_structure_new (GST_CCA_HOLD_EVENT, "id", G_TYPE_STRING, id, "width", G_TYPE_UINT, width,
                                               "height", G_TYPE_UINT, height, "running-time", G_TYPE_UINT64,
                                               running_time, "object-area", G_TYPE_DOUBLE, object_area, NULL);
  GValue list = G_VALUE_INIT;

  gst_value_array_init (&list, n);
  for (guint i = 0; i < n; i++)
    append_box (&list, &boxes[i]);
  gst_structure_take_value (structure, "boxes", &list);
  return gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM, structure);
}

static gboolean
read_box (const GValue *value, const GstCcaHold *hold, GstCcaHoldBox *box)
{
  const GstStructure *structure = GST_VALUE_HOLDS_STRUCTURE (value) ? gst_value_get_structure (value) : NULL;

  return structure
         && gst_structure_get (structure, "x", G_TYPE_UINT, &box->x, "y", G_TYPE_UINT, &box->y, "width", G_TYPE_UINT,
                               &box->width, "height", G_TYPE_UINT, &box->height, "still", G_TYPE_UINT64, &box->still,
                               NULL)
         && box->width > 0 && box->height > 0 && box->x < hold->width && box->width <= hold->width - box->x
         && box->y < hold->height && box->height <= hold->height - box->y;
}

gboolean
gst_cca_hold_read (GstCcaHold *self, GstEvent *event, const gchar *id)
{
  const GstStructure *structure = gst_event_get_structure (event);
  const GValue *boxes;
  gdouble area;
  GstCcaHold hold = { 0 };

  if (GST_EVENT_TYPE (event) != GST_EVENT_CUSTOM_UPSTREAM || !gst_structure_has_name (structure, GST_CCA_HOLD_EVENT)
      || g_strcmp0 (gst_structure_get_string (structure, "id"), id) != 0
      || !gst_structure_get (structure, "width", G_TYPE_UINT, &hold.width, "height", G_TYPE_UINT, &hold.height,
                             "running-time", G_TYPE_UINT64, &hold.running_time, NULL))
    return FALSE;
  if (gst_structure_get_double (structure, "object-area", &area))
    hold.object_part = area / ((gdouble) hold.width * hold.height);
  if (!(hold.object_part > 0.0 && hold.object_part <= 1.0))
    hold.object_part = 0.0;
  boxes = gst_structure_get_value (structure, "boxes");
  for (guint i = 0; boxes && GST_VALUE_HOLDS_ARRAY (boxes) && i < gst_value_array_get_size (boxes); i++)
    if (hold.n < GST_CCA_HOLD_MOST && read_box (gst_value_array_get_value (boxes, i), &hold, &hold.boxes[hold.n]))
      hold.n++;
  *self = hold;
  return TRUE;
}

static gboolean
is_fresh (const GstCcaHold *self, GstClockTime running_time)
{
  return !GST_CLOCK_TIME_IS_VALID (running_time) || !GST_CLOCK_TIME_IS_VALID (self->running_time)
         || running_time <= self->running_time || running_time - self->running_time <= GST_CCA_HOLD_LONGEST;
}

/* Widens an extent within 0…length - 1. */
static void
widen (guint *position, guint *size, guint length)
{
  const guint margin = *size / MARGIN + 1, first = *position > margin ? *position - margin : 0;

  *size = MIN (*position + *size + margin, length) - first;
  *position = first;
}

guint
gst_cca_hold_boxes (const GstCcaHold *self, guint width, guint height, GstClockTime running_time, guint64 absorb_time,
                    GstCcaHoldBox boxes[GST_CCA_HOLD_MOST])
{
  guint n = 0;

  if (self->n == 0 || self->width != width || self->height != height || !is_fresh (self, running_time))
    return 0;
  for (guint i = 0; i < self->n; i++) {
    if (self->boxes[i].still >= absorb_time)
      continue;
    boxes[n] = self->boxes[i];
    widen (&boxes[n].x, &boxes[n].width, width);
    widen (&boxes[n].y, &boxes[n].height, height);
    n++;
  }
  return n;
}
