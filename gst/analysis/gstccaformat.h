/* gst-cca: the video formats of the elements
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/cca.h"

#include <gst/gst.h>
#include <gst/video/video.h>

/* Content of an output frame, and its memory. */
typedef struct
{
  CcaOutput output;
  CcaMemory memory;
} GstCcaPicture;

/* The caps that a backend can analyse. */
GstCaps *gst_cca_format_input_caps (CcaBackend backend);

/* The caps of all that a backend can make, the preferred first. */
GstCaps *gst_cca_format_output_caps (CcaBackend backend);

/* Where frames of the caps' structure lie; and whether that is NVMM memory, in which no picture is made. */
CcaMemory gst_cca_format_memory (const GstCaps *caps, guint index);
gboolean gst_cca_format_is_nvmm (const GstCaps *caps, guint index);

/* Picture number i of a backend in order of preference, for frames that come from a memory; FALSE behind the last. */
gboolean gst_cca_format_nth_picture (CcaBackend backend, CcaMemory from, guint i, GstCcaPicture *picture);

/* Appends the caps of a frame as such a picture: keeps all fields but the pixels' (size, rate, aspect ratio, …). */
void gst_cca_format_append_picture (GstCaps *caps, const GstStructure *frame, GstCcaPicture picture);

/* The frames, of any pixels, whose pictures are like frame. */
GstStructure *gst_cca_format_from_picture (const GstStructure *frame);

/* Whether such frames, fixed or not, can be that picture. */
gboolean gst_cca_format_is_picture (const GstCaps *caps, guint index, GstCcaPicture picture);

/* How plane 0 of such frames is read. */
CcaFormat gst_cca_format_plane (const GstVideoInfo *info);

/* Whether such frames have 8-bit chroma in planes of their own. */
gboolean gst_cca_format_has_chroma (const GstVideoInfo *info);

/* Sets format, matrix and black from the frames' caps. */
void gst_cca_format_set_params (const GstVideoInfo *info, CcaParams *params);
