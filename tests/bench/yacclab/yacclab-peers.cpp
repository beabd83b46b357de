/* gst-cca: the library of YACCLAB's GPU algorithms
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "yacclab-peers.h"

#include <cstring>
#include <exception>
#include <map>
#include <string>
#include <unordered_map>

#include "labeling_algorithms.h"

#undef cudaMalloc
#undef cudaMallocPitch
#undef cudaFree

/* They are never freed: the pool might have ended before them. */
static std::map<std::string, Labeling *> &
algorithms ()
{
  static auto *all = new std::map<std::string, Labeling *>;
  return *all;
}

void
yacclab_add (const char *name, Labeling *labeling)
{
  algorithms ().emplace (name, labeling);
}

static Labeling *
find (const char *name)
{
  const auto found = algorithms ().find (name);
  return found == algorithms ().end () ? nullptr : found->second;
}

/* --- The pool ---------------------------------------------------------------------------------------- */

static std::unordered_map<void *, size_t> sizes;
static std::multimap<size_t, void *> unused;

cudaError_t
yacclab_pool_alloc (void **memory, size_t size)
{
  const auto found = unused.find (size);
  cudaError_t status = cudaSuccess;

  if (found != unused.end ()) {
    *memory = found->second;
    unused.erase (found);
  } else {
    status = cudaMalloc (memory, size);
  }
  if (status == cudaSuccess)
    sizes[*memory] = size;
  return status;
}

/* Rows as long as cudaMallocPitch() would make them. */
cudaError_t
yacclab_pool_alloc_pitch (void **memory, size_t *pitch, size_t width, size_t height)
{
  *pitch = (width + 511) / 512 * 512;
  return yacclab_pool_alloc (memory, *pitch * height);
}

cudaError_t
yacclab_pool_free (void *memory)
{
  const auto found = sizes.find (memory);

  if (found != sizes.end ()) {
    unused.emplace (found->second, memory);
    sizes.erase (found);
  }
  return cudaSuccess;
}

/* --- For cca-bench ----------------------------------------------------------------------------------- */

int
yacclab_connectivity (const char *name)
{
  const Labeling *labeling = find (name);
  return labeling ? labeling->connectivity : 0;
}

const char *
yacclab_label (const char *name, const unsigned char *pixels, unsigned int *labels, int width, int height)
{
  Labeling *labeling = find (name);
  cudaError_t status;

  if (!labeling)
    return "the library has no such algorithm";
  labeling->d_img_.view (height, width, CV_8UC1, const_cast<unsigned char *> (pixels));
  labeling->d_img_labels_.view (height, width, CV_32SC1, labels);
  /* It does not write the background. */
  if (std::strcmp (name, "KE4") == 0)
    cudaMemsetAsync (labels, 0, sizeof *labels * width * height);
  try {
    labeling->PerformLabeling ();
  } catch (const std::exception &problem) {
    static std::string text;
    text = problem.what ();
    return text.c_str ();
  }
  if (labeling->d_img_labels_.data != (unsigned char *) labels)
    return "the labels are somewhere else";
  status = cudaDeviceSynchronize ();
  return status == cudaSuccess ? nullptr : cudaGetErrorString (status);
}
