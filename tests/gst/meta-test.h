/* gst-cca: what the tests of the metas share
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "element-test.h"

#include <gst/cca/gstccaeventmeta.h>
#include <gst/cca/gstccatrackmeta.h>

#define ID "people"

enum
{
  WIDTH = 64,
  HEIGHT = 48,
  N = 2, /* components that are stored, and tracks, events and overlaps */
};

/* Each with every field set. Tracks are where the components are, with the way from the first to the second as
 * velocity; events are in the middle of the components, and so are the first points of each rule. */
extern const GstCcaComponent test_components[N];
extern const GstCcaOverlap test_overlaps[N];
extern const GstCcaShape test_shapes[N];
extern const GstCcaIntensity test_intensities[N];
extern const GstCcaTrack test_tracks[N];
extern const GstCcaRule test_rules[2];
extern const GstCcaEvent test_events[N];
extern const GstCcaGroundTrack test_ground_tracks[1];

/* Adds the test rules, events and tracks on the ground to a buffer. */
void test_add_events (GstBuffer *buffer);

/* Adds N tracks to a buffer, and how high objects are on the rows of the test tracks. */
void test_add_tracks (GstBuffer *buffer, const GstCcaTrack *tracks);

/* Sets the shapes and intensities of N components. */
void test_set_details (GstCcaMeta *meta);

/* Adds the three metas to a buffer, and returns it: two components and two overlaps stored of three, with shapes and
 * intensities, the tracks, and the rules with the events. */
GstBuffer *test_buffer_with_metas (GstBuffer *buffer);

void test_assert_component (const GstCcaComponent *a, const GstCcaComponent *b);

/* Asserts that tracks, rules and events of a buffer are still where the components are, none of which was dropped, and
 * that all else in them is as it was. */
void test_assert_together (GstBuffer *buffer);

/* Asserts that a buffer has the components that test_buffer_with_metas() adds. */
const GstCcaMeta *test_assert_same_components (GstBuffer *buffer);

/* Asserts that a buffer has all that test_buffer_with_metas() added. */
const GstCcaMeta *test_assert_same_metas (GstBuffer *buffer);

/* Transforms the metas of a buffer to another; returns FALSE where they refuse, which they do all or none. */
gboolean test_transform_metas (GstBuffer *from, GstBuffer *to, const gchar *type, gpointer data);

/* Returns a buffer with the metas of a frame of WIDTH x HEIGHT scaled to another; drops the old one. */
GstBuffer *test_scale_metas (GstBuffer *from, guint width, guint height);

/* Copies the metas without tags, as cudaupload does, and drops the old frame. */
GstBuffer *test_pass_untagged (GstBuffer *from, GstBuffer *to);
