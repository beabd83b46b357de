/* gst-cca: contexts
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/backend.h"
#include "cca/memory.h"
#include "cca/status.h"

#include <stdlib.h>
#include <string.h>

static void *
default_alloc (void *user, size_t bytes)
{
  return malloc (bytes);
}

static void
default_free (void *user, void *block)
{
  free (block);
}

void
cca_context_options_init (CcaContextOptions *options)
{
  if (options == NULL) {
    cca_fail_null ("options");
    return;
  }
  *options = (CcaContextOptions) { .backend = CCA_BACKEND_CPU, .device = -1, .isa = CCA_ISA_AUTO };
}

CcaStatus
cca_context_new (const CcaContextOptions *options, CcaContext **context)
{
  CcaContextOptions defaults;
  CcaAllocator allocator = { default_alloc, default_free, NULL };
  const CcaBackendOps *ops;
  CcaContext *made;
  CcaStatus status;

  if (context == NULL)
    return cca_fail_null ("context");
  if (options == NULL) {
    cca_context_options_init (&defaults);
    options = &defaults;
  }
  ops = cca_backend_ops (options->backend);
  if (ops == NULL)
    return cca_fail (CCA_ERROR_INVALID, "backend %d does not exist; use CCA_BACKEND_CPU or CCA_BACKEND_CUDA",
                     (int) options->backend);
  if (options->device < -1)
    return cca_fail (CCA_ERROR_INVALID, "device %d is impossible; use -1 for any or an ordinal from 0",
                     options->device);
  if (cca_isa_name (options->isa) == NULL)
    return cca_fail (CCA_ERROR_INVALID, "instruction set %d does not exist", (int) options->isa);
  if (!options->allocator.alloc != !options->allocator.free)
    return cca_fail (CCA_ERROR_INVALID, "the allocator needs both alloc and free, or neither");
  if (options->allocator.alloc)
    allocator = options->allocator;

  made = cca_alloc (&allocator, NULL, sizeof *made);
  if (made == NULL)
    return CCA_ERROR_MEMORY;
  memset (made, 0, sizeof *made);
  made->backend = options->backend;
  made->ops = ops;
  made->allocator = allocator;
  status = ops->context_open (made, options);
  if (status != CCA_OK) {
    cca_free (&allocator, NULL, made);
    return status;
  }
  *context = made;
  return CCA_OK;
}

void
cca_context_free (CcaContext *context)
{
  CcaAllocator allocator;

  if (context == NULL)
    return;
  context->ops->context_close (context);
  allocator = context->allocator;
  cca_free (&allocator, NULL, context);
}

CcaBackend
cca_context_backend (const CcaContext *context)
{
  if (context == NULL) {
    cca_fail_null ("context");
    return CCA_BACKEND_CPU;
  }
  return context->backend;
}

const char *
cca_context_description (const CcaContext *context)
{
  if (context == NULL) {
    cca_fail_null ("context");
    return NULL;
  }
  return context->description;
}
