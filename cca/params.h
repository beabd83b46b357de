/* gst-cca: parameters
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/cca.h"
#include "cca/format.h"

/* Checks all parameters but `algorithm`. CCA_ERROR_INVALID, _UNSUPPORTED, with a text that names the parameter, its
 * value and the limit. */
CcaStatus cca_params_check (const CcaParams *params);

/* What parameters imply; every backend uses these functions. */

/* Returns whether the foreground is a range of pixel values. */
static inline bool
cca_params_range (const CcaParams *params)
{
  return params->foreground != CCA_FOREGROUND_MOTION && params->foreground != CCA_FOREGROUND_VALUES;
}

/* Returns whether the background model SAMPLES finds the foreground. */
static inline bool
cca_params_samples (const CcaParams *params)
{
  return params->foreground == CCA_FOREGROUND_MOTION && params->motion.model == CCA_MODEL_SAMPLES;
}

/* Returns whether a background model survives a change of parameters. */
static inline bool
cca_params_keep_model (const CcaParams *before, const CcaParams *after)
{
  return before->foreground == CCA_FOREGROUND_MOTION && after->foreground == CCA_FOREGROUND_MOTION
         && before->motion.model == after->motion.model
         && cca_format_is_wide (before->format) == cca_format_is_wide (after->format);
}

/* Returns whether the mask is cleaned up. */
static inline bool
cca_params_clean (const CcaParams *params)
{
  return params->foreground != CCA_FOREGROUND_VALUES && (params->denoise || params->close_radius > 0);
}

/* Returns whether the whole mask is computed before the labeling. */
static inline bool
cca_params_stores_mask (const CcaParams *params)
{
  return cca_params_clean (params) || params->coverage_cell > 0;
}

/* Returns the number of coverage cells in `length` pixels. */
static inline uint32_t
cca_params_cells (const CcaParams *params, uint32_t length)
{
  return (length + params->coverage_cell - 1) / params->coverage_cell;
}

/* Returns the coordinate of the middle of a cell, along an axis of `length` pixels. */
static inline uint32_t
cca_params_cell_middle (const CcaParams *params, uint32_t cell, uint32_t length)
{
  const uint32_t middle = cell * params->coverage_cell + params->coverage_cell / 2;

  return middle < length ? middle : length - 1;
}

/* Returns whether the frame's foreground needs the image's chroma. */
static inline bool
cca_params_read_chroma (const CcaParams *params, const CcaImage *image)
{
  return cca_params_samples (params) && params->format == CCA_FORMAT_GRAY8 && image->chroma.u != NULL;
}

/* Returns whether the size filter can drop a component. */
static inline bool
cca_params_filter (const CcaParams *params)
{
  return params->min_area > 1 || params->max_area > 0 || params->min_width > 1 || params->max_width > 0
         || params->min_height > 1 || params->max_height > 0;
}

/* Returns whether shapes or intensities of stored components are measured. */
static inline bool
cca_params_details (const CcaParams *params)
{
  return (params->shape || params->intensity) && params->max_components > 0;
}

/* Returns whether all pixels must be labelled even without an output image. */
static inline bool
cca_params_labels (const CcaParams *params)
{
  return params->overlaps || cca_params_details (params);
}

/* Returns whether components are measured, to store them or to filter them by size. */
static inline bool
cca_params_measure (const CcaParams *params)
{
  return params->max_components > 0 || cca_params_filter (params);
}
