/* gst-cca: which parts of a frame its metas hide
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cover.h"

#include <gst/gst.h>

typedef enum
{
  GST_CCA_PRIVACY_HIDE_FOREGROUND = 1 << 0,
  GST_CCA_PRIVACY_HIDE_TRACKS = 1 << 1,
} GstCcaPrivacyHide;

typedef struct
{
  GstCcaPrivacyHide hide;
  const gchar *id; /* of the metas; NULL: the first of each kind */
  guint dilation;  /* pixels */
  guint n_cells;   /* the most along an object */
} GstCcaPrivacyRequest;

/* Why a frame must be hidden as a whole. */
typedef enum
{
  GST_CCA_PRIVACY_KNOWN,      /* it need not be */
  GST_CCA_PRIVACY_LEARNING,   /* the background model does not know the scene */
  GST_CCA_PRIVACY_NO_META,    /* there are no components, or none of that id */
  GST_CCA_PRIVACY_NO_TRACKS,  /* the same of tracks */
  GST_CCA_PRIVACY_OTHER_SIZE, /* the coordinates do not fit the frame */
  GST_CCA_PRIVACY_TRUNCATED,
  GST_CCA_PRIVACY_NO_COVERAGE,
} GstCcaPrivacyReason;

/* The boxes of a frame's components; all 0 is empty. */
typedef struct
{
  GstCcaCoverBox *boxes;
  gsize room;
} GstCcaPrivacyBoxes;

/* Hides the objects of a buffer's metas in a cover of the frame's size. Returns the reason if this is not possible; the
 * cover is then incomplete. Ends the process if memory is exhausted. */
GstCcaPrivacyReason gst_cca_privacy_cover (GstCcaCover *cover, GstCcaPrivacyBoxes *boxes, GstBuffer *buffer,
                                           const GstCcaPrivacyRequest *request);

/* Returns a warning about a reason, to be freed; NULL if it is normal. */
gchar *gst_cca_privacy_reason_text (GstCcaPrivacyReason reason, GstBuffer *buffer, const GstCcaPrivacyRequest *request);
