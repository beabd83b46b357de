/* gst-cca: the declarations of NvBufSurface that gst/common/gstccanvmm.c uses, for its test
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Written for gst-cca from NVIDIA's published API reference of DeepStream and Jetson Linux, which names the members and
 * their order; it is no copy of NVIDIA's header, and has only what is used, and what lies before it. Builds for
 * DeepStream and Jetson use NVIDIA's.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define STRUCTURE_PADDING 4
#define NVBUF_MAX_PLANES 4

typedef enum
{
  NVBUF_COLOR_FORMAT_INVALID,
} NvBufSurfaceColorFormat;

typedef enum
{
  NVBUF_LAYOUT_PITCH,
  NVBUF_LAYOUT_BLOCK_LINEAR,
} NvBufSurfaceLayout;

typedef enum
{
  NVBUF_MEM_DEFAULT,
  NVBUF_MEM_CUDA_PINNED,
  NVBUF_MEM_CUDA_DEVICE,
  NVBUF_MEM_CUDA_UNIFIED,
  NVBUF_MEM_SURFACE_ARRAY,
  NVBUF_MEM_HANDLE,
  NVBUF_MEM_SYSTEM,
} NvBufSurfaceMemType;

typedef struct
{
  uint32_t num_planes;
  uint32_t width[NVBUF_MAX_PLANES], height[NVBUF_MAX_PLANES];
  uint32_t pitch[NVBUF_MAX_PLANES], offset[NVBUF_MAX_PLANES], psize[NVBUF_MAX_PLANES]; /* bytes */
  uint32_t bytesPerPix[NVBUF_MAX_PLANES];
  void *_reserved[STRUCTURE_PADDING * NVBUF_MAX_PLANES];
} NvBufSurfacePlaneParams;

typedef struct
{
  void *addr[NVBUF_MAX_PLANES];
  void *eglImage;
  void *_reserved[STRUCTURE_PADDING];
} NvBufSurfaceMappedAddr;

typedef struct
{
  uint32_t width, height, pitch;
  NvBufSurfaceColorFormat colorFormat;
  NvBufSurfaceLayout layout;
  uint64_t bufferDesc;
  uint32_t dataSize;
  void *dataPtr;
  NvBufSurfacePlaneParams planeParams;
  NvBufSurfaceMappedAddr mappedAddr;
  void *_reserved[STRUCTURE_PADDING];
} NvBufSurfaceParams;

typedef struct
{
  uint32_t gpuId, batchSize, numFilled;
  bool isContiguous;
  NvBufSurfaceMemType memType;
  NvBufSurfaceParams *surfaceList;
  void *_reserved[STRUCTURE_PADDING];
} NvBufSurface;

/* Make and destroy the EGLImage of a frame of the batch, mappedAddr.eglImage; 0: done. */
int NvBufSurfaceMapEglImage (NvBufSurface *surface, int index);
int NvBufSurfaceUnMapEglImage (NvBufSurface *surface, int index);
