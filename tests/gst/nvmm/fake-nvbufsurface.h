/* gst-cca: a libnvbufsurface for tests
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A frame's bufferDesc points to its EGLImage.
 */
#pragma once

#include <nvbufsurface.h>

typedef struct
{
  int n_images; /* that exist */
  int n_made;   /* made so far */
  bool refuses; /* fail to make one */
} FakeNvBufSurface;

extern FakeNvBufSurface fake_nvbufsurface;
