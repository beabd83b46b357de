/* gst-cca: shared by the tests of ccaoverlay
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "element-test.h"

/* The size of most frames, which have the two components. */
enum
{
  WIDTH = 160,
  HEIGHT = 120,
};
extern const GstCcaComponent box, other;

/* Launch lines, to be continued. */
#define ONLY_BOXES "ccaoverlay show-centroids=false show-labels=false show-count=false "
#define ONLY_CENTROIDS "ccaoverlay show-boxes=false show-labels=false show-count=false "
#define ONLY_COUNT "ccaoverlay show-boxes=false show-centroids=false show-labels=false "
#define ONLY_TEXT "ccaoverlay show-boxes=false show-centroids=false show-count=false show-labels="
#define NO_COUNT "ccaoverlay show-count=false "
#define NOTHING "ccaoverlay show-boxes=false show-centroids=false show-count=false show-labels=false "

/* Formats with 8-bit samples, of all kinds. */
extern const gchar *const overlay_formats[];

/* Adds a test for each format: PATH/FORMAT. */
void add_format_tests (const gchar *path, GTestDataFunc function);

/* Returns the buffer (taken) with components of a frame of that size. */
GstBuffer *add_components (GstBuffer *buffer, guint width, guint height, const GstCcaComponent *components, guint n);

/* Returns a frame with components; it depends on the arguments only. */
GstBuffer *frame_with (const gchar *format, guint width, guint height, const GstCcaComponent *components, guint n);

/* Returns an RGBA frame of one opaque grey. */
GstBuffer *grey_frame (guint width, guint height);

/* Returns the colour of an RGBA frame at a pixel, 0xBBGGRR. */
guint32 rgb_at (GstBuffer *frame, guint width, guint height, gint x, gint y);

/* Returns one buffer (taken) as a new element draws on it. */
GstBuffer *draw (const gchar *launch, const gchar *format, guint width, guint height, GstBuffer *buffer);

gboolean same_bytes (GstBuffer *a, GstBuffer *b);

/* Two frames side by side. */
typedef struct
{
  GstVideoFrame a, b;
} Pair;

void pair_map (Pair *pair, const gchar *format, guint width, guint height, GstBuffer *a, GstBuffer *b);
void pair_unmap (Pair *pair);

/* Returns a frame's sample of a component of its format at a pixel. */
guint sample (const GstVideoFrame *frame, guint component, gint x, gint y);

/* Returns whether the two frames differ at a pixel. */
gboolean differs (const Pair *pair, gint x, gint y);

/* Returns the smallest rectangle with all differences. */
GstVideoRectangle difference_of (const gchar *format, guint width, guint height, GstBuffer *a, GstBuffer *b);
