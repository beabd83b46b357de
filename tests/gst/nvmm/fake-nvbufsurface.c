/* gst-cca: a libnvbufsurface for tests
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "fake-nvbufsurface.h"

#include <stdlib.h>

FakeNvBufSurface fake_nvbufsurface;

int
NvBufSurfaceMapEglImage (NvBufSurface *surface, int index)
{
  NvBufSurfaceParams *params = &surface->surfaceList[index];

  if (fake_nvbufsurface.refuses)
    return -1;
  if (params->mappedAddr.eglImage)
    abort ();
  params->mappedAddr.eglImage = (void *) (uintptr_t) params->bufferDesc;
  __atomic_add_fetch (&fake_nvbufsurface.n_images, 1, __ATOMIC_RELAXED);
  __atomic_add_fetch (&fake_nvbufsurface.n_made, 1, __ATOMIC_RELAXED);
  return 0;
}

int
NvBufSurfaceUnMapEglImage (NvBufSurface *surface, int index)
{
  NvBufSurfaceParams *params = &surface->surfaceList[index];

  if (!params->mappedAddr.eglImage)
    abort ();
  params->mappedAddr.eglImage = NULL;
  __atomic_sub_fetch (&fake_nvbufsurface.n_images, 1, __ATOMIC_RELAXED);
  return 0;
}
