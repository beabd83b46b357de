/* gst-cca: shared by the tests of the elements
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "../add-tests.h"
#include "cca/cca.h"

#include <gst/cca/gstccameta.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

/* CASES_MAIN and TESTS_MAIN with GStreamer. */
#define GST_CASES_MAIN() CASES_MAIN_AFTER (gst_init (&argc, &argv))
#define GST_TESTS_MAIN(folder, ...)                                                                                    \
  GST_CASES_MAIN ()                                                                                                    \
  {                                                                                                                    \
    ADD_TESTS (folder, __VA_ARGS__);                                                                                   \
  }

/* The formats that the elements take. */
extern const gchar *const test_formats[];
extern const guint test_n_formats;

/* Returns fixed raw video caps at 25 frames a second, with more fields or NULL. */
GstCaps *test_caps (const gchar *format, guint width, guint height, const gchar *more);
GstVideoInfo test_video_info (const gchar *format, guint width, guint height);

/* Returns a frame of shapes of many values, laid out as info says; it depends on the arguments only. */
GstBuffer *test_frame (const GstVideoInfo *info, guint seed);

/* Returns the same frame with a GstVideoMeta of odd offsets and strides. */
GstBuffer *test_padded_frame (const GstVideoInfo *info, guint seed);

/* Fills a buffer of any memory with that frame. */
void test_fill_frame (GstBuffer *buffer, const GstVideoInfo *info, guint seed);

/* Returns the luma of that frame in rows of width bytes. */
guint8 *test_luma (guint width, guint height, guint seed);

/* Skips the test and returns TRUE if an element's plugin was not built. */
gboolean test_skip_without_element (const gchar *name);

/* Returns the elements of this build, by the list in gst/meson.build; for g_strfreev(). */
gchar **test_elements (void);

/* Returns a launch line of an element with the properties that it needs to run; for g_free(). */
gchar *test_element_launch (const gchar *name);

/* Whether an element takes frames with metas and gives something out, at one pad each. */
gboolean test_element_reads_metas (const gchar *name);

/* Returns a harness around the element or the chain of elements of a launch line, with source caps (taken) or NULL and
 * a bus of its own. */
GstHarness *test_harness (const gchar *launch, GstCaps *caps);
/* Does the same with a context, set before the element starts, or NULL. */
GstHarness *test_harness_in_context (const gchar *launch, GstContext *context, GstCaps *caps);
void test_harness_free (GstHarness *harness);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstHarness, test_harness_free)

/* Pushes a buffer, which must be accepted, and returns the result. */
GstBuffer *test_pass (GstHarness *harness, GstBuffer *buffer);
/* Does the same with the frame of test_frame() for the harness's source caps. */
GstBuffer *test_pass_frame (GstHarness *harness, guint seed);

/* Returns the next message of a type of the harness's element, or NULL; drops the ones before it. */
GstMessage *test_pop_message (GstHarness *harness, GstMessageType type);

/* Pops the element's next element message, which must have this name. Returns its structure. */
const GstStructure *test_pop_structure (GstHarness *harness, const gchar *name, GstMessage **message);

/* Asserts that no message of the type is left. */
void test_assert_no_message (GstHarness *harness, GstMessageType type);

/* Returns the text of an error or warning (taken); for g_free(). */
gchar *test_message_text (GstMessage *message);

/* Asserts that the element posted one error, whose text matches a pattern with wildcards. */
void test_assert_error (GstHarness *harness, const gchar *pattern);
/* Does the same for a warning. */
void test_assert_warning (GstHarness *harness, const gchar *pattern);

/* Pushes a segment of time without an end. */
void test_push_segment (GstHarness *harness, GstClockTime start, GstClockTime time, GstClockTime base);
/* Flushes the element, and starts a segment at 0. */
void test_push_flush (GstHarness *harness);
/* Pushes a camera's state to the element, as ccacamera does. */
void test_push_camera_state (GstHarness *harness, const gchar *state);
/* Pushes the camera's doubt to the element, as ccacamera does. */
void test_push_camera_doubt (GstHarness *harness, gboolean doubt);

/* Starts an element with a string property. Returns the text of the one error with which it fails, for g_free(), or
 * NULL if it starts. */
gchar *test_start_error (const gchar *element, const gchar *property, const gchar *value);

/* A pipeline, for g_auto pointers. */
typedef GstElement TestPipeline;
TestPipeline *test_pipeline_new (const gchar *launch);
/* Stops and frees it. */
void test_pipeline_free (TestPipeline *pipeline);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestPipeline, test_pipeline_free)
/* Plays a pipeline to its end; no error or warning may come. */
void test_play_to_end (GstElement *pipeline);

/* Return the fields of a structure, which must exist. */
guint test_get_uint (const GstStructure *structure, const gchar *field);
guint64 test_get_uint64 (const GstStructure *structure, const gchar *field);
gdouble test_get_double (const GstStructure *structure, const gchar *field);

/* Returns a number in the `stats` of an element or, unless name is NULL, of the element of that name in a bin. */
guint64 test_stat (GstElement *element, const gchar *name, const gchar *field);

/* Asserts the times of a message. */
void test_assert_times (const GstStructure *structure, GstClockTime timestamp, GstClockTime stream_time,
                        GstClockTime running_time, GstClockTime duration);

/* Adds the time of a clock, named by caps, to a buffer. */
void test_add_reference (GstBuffer *buffer, const gchar *caps, GstClockTime time);

/* libcca called without GStreamer, to compare with. */
typedef struct
{
  guint width, height;
  CcaOutput output;
  CcaContext *context;
  CcaPlan *plan;
  CcaResult *result;
  CcaMeasurement measurement; /* of the last frame */
  guint8 *pixels;             /* of the last frame, without padding */
} TestReference;

/* Returns the defaults with foreground=threshold. */
CcaParams test_threshold_params (void);

TestReference *test_reference_new (guint width, guint height, const CcaParams *params, CcaOutput output);
/* Returns the reference of a test_frame(), without output. */
TestReference *test_reference_of_frame (guint width, guint height, const CcaParams *params, guint seed);
void test_reference_free (TestReference *reference);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestReference, test_reference_free)
void test_reference_run (TestReference *reference, guint seed);

/* Asserts that a buffer has one GstCcaMeta that equals the reference's last measurement bit for bit. */
void test_assert_meta (GstBuffer *buffer, const TestReference *reference);

/* Asserts that the two rules of two frames have the same counters. Returns how often their lines were crossed. */
guint64 test_assert_same_counts (GstBuffer *one, GstBuffer *other);

/* Asserts that a frame's pixels equal the reference's last output bit for bit. */
void test_assert_pixels (GstBuffer *buffer, GstCaps *caps, const TestReference *reference);
