/* gst-cca: shared by the tests of the metas
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
  N = 2, /* number of stored components, tracks, events and overlaps */
};

/* Each with every field set. Tracks are at the components, with the way from the first to the second as velocity;
 * events, and the first point of each rule, are in the middle of the components. */
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

/* Adds N tracks to a buffer, and the heights of objects on the rows of the test tracks. */
void test_add_tracks (GstBuffer *buffer, const GstCcaTrack *tracks);

/* Sets the shapes and intensities of N components. */
void test_set_details (GstCcaMeta *meta);

/* Adds the three metas to a buffer, and returns it: two components and two overlaps stored of three, with shapes and
 * intensities, the tracks, and the rules with the events. */
GstBuffer *test_buffer_with_metas (GstBuffer *buffer);

void test_assert_component (const GstCcaComponent *a, const GstCcaComponent *b);

/* Asserts that tracks, rules and events of a buffer still match its components, that none was dropped, and that
 * everything else in them is unchanged. */
void test_assert_together (GstBuffer *buffer);

/* Asserts that a buffer has the components that test_buffer_with_metas() adds. */
const GstCcaMeta *test_assert_same_components (GstBuffer *buffer);

/* Asserts that a buffer has everything that test_buffer_with_metas() added. */
const GstCcaMeta *test_assert_same_metas (GstBuffer *buffer);

/* Transforms the metas of a buffer to another. Returns FALSE if they refuse; all or none do. */
gboolean test_transform_metas (GstBuffer *from, GstBuffer *to, const gchar *type, gpointer data);

/* Returns a buffer with the metas of a frame of WIDTH x HEIGHT scaled to another; drops the old one. */
GstBuffer *test_scale_metas (GstBuffer *from, guint width, guint height);

/* Copies the metas without tags, as cudaupload does, and drops the old frame. */
GstBuffer *test_pass_untagged (GstBuffer *from, GstBuffer *to);
