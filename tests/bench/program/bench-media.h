/* gst-cca: frames of image and video files for the benchmarks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/video/video.h>

/* Receives a frame in GRAY8, valid during the call. Return FALSE to stop: with error set for a failure, without for
 * success. */
typedef gboolean (*BenchFrameFunc) (const GstVideoFrame *frame, guint number, gpointer user, GError **error);

/* Calls func for each frame of a file (a path or a URI) that GStreamer can decode, in order, numbered from 0. */
gboolean bench_media_read (const char *location, BenchFrameFunc func, gpointer user, GError **error);
