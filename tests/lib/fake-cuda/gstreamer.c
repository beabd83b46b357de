/* gst-cca: symbols that libgstcuda needs beyond the fake driver's own functions
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Without cuda.h, which has other prototypes for functions that no test calls, and renames old functions.
 */

#define NOT_SUPPORTED 801 /* CUDA_ERROR_NOT_SUPPORTED */

#define UNSERVED(name)                                                                                                 \
  int name (void);                                                                                                     \
  int name (void)                                                                                                      \
  {                                                                                                                    \
    return NOT_SUPPORTED;                                                                                              \
  }

UNSERVED (cuCtxDisablePeerAccess)
UNSERVED (cuCtxEnablePeerAccess)
UNSERVED (cuCtxGetLimit)
UNSERVED (cuCtxSetLimit)
UNSERVED (cuDeviceCanAccessPeer)
UNSERVED (cuDeviceGetUuid)
UNSERVED (cuGLGetDevices_v2)
UNSERVED (cuGraphicsGLRegisterBuffer)
UNSERVED (cuGraphicsGLRegisterImage)
UNSERVED (cuGraphicsMapResources)
UNSERVED (cuGraphicsResourceGetMappedPointer_v2)
UNSERVED (cuGraphicsResourceSetMapFlags_v2)
UNSERVED (cuGraphicsSubResourceGetMappedArray)
UNSERVED (cuGraphicsUnmapResources)
UNSERVED (cuIpcCloseMemHandle)
UNSERVED (cuIpcGetEventHandle)
UNSERVED (cuIpcGetMemHandle)
UNSERVED (cuIpcOpenEventHandle)
UNSERVED (cuIpcOpenMemHandle)
UNSERVED (cuMemcpyDtoD_v2)
UNSERVED (cuMemcpyDtoDAsync_v2)
UNSERVED (cuMemcpyHtoDAsync_v2)
UNSERVED (cuMemsetD2D16_v2)
UNSERVED (cuMemsetD2D16Async)
UNSERVED (cuMemsetD2D32_v2)
UNSERVED (cuMemsetD2D32Async)
UNSERVED (cuMemsetD2D8_v2)
UNSERVED (cuTexObjectCreate)
UNSERVED (cuTexObjectDestroy)

int cuStreamDestroy_v2 (void *stream);
int cuStreamDestroy (void *stream);

int
cuStreamDestroy (void *stream)
{
  return cuStreamDestroy_v2 (stream);
}
