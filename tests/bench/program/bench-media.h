/* gst-cca: frames of image and video files for the benchmarks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/video/video.h>

/* A frame in GRAY8; valid during the call. Returning FALSE ends the reading: with error set as a failure, without as
 * enough. */
typedef gboolean (*BenchFrameFunc) (const GstVideoFrame *frame, guint number, gpointer user, GError **error);

/* Calls func for each frame of a file (a path or a URI), in order, numbered from 0. Whatever GStreamer can decode. */
gboolean bench_media_read (const char *location, BenchFrameFunc func, gpointer user, GError **error);
