/* gst-cca: algorithm "patches", ours
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/params.h"
#include "cuda/algorithm.h"
#include "cuda/algorithms/patches/kernels.h"
#include "cuda/module.h"

CCA_CUDA_MODULE (patches, CCA_EARLY_ALWAYS);
CCA_CUDA_MODULE (groups, CCA_EARLY_ALWAYS);
CCA_CUDA_MODULE (seams, CCA_EARLY_ALWAYS);
CCA_CUDA_MODULE (numbers, CCA_EARLY_ALWAYS);

_Static_assert (sizeof (CcaPatchesParams) <= CCA_CUDA_WORKSPACE_MAX, "a plan has room for it");

typedef CcaStatus PatchesLaunch (const CcaCudaQueue *queue, CcaDim grid, CcaDim block, CcaPatchesParams params);
typedef CcaStatus SolveLaunch (const CcaCudaQueue *queue, CcaDim grid, CcaDim block, CcaPatchesSolveParams params);

/* Records that a patch takes from the pool on average, as we expect. The host runs a frame with more again. */
#define EXPECTED_RECORDS 7

/* Returns the limit of components in a patch: one for every other pixel, or every fourth; for each pixel among regions
 * of equal value. */
static uint32_t
max_components (const CcaParams *params)
{
  const uint32_t pixels = CCA_PATCH * CCA_PATCH;

  return params->foreground == CCA_FOREGROUND_VALUES ? pixels : params->connectivity == 8 ? pixels / 4 : pixels / 2;
}

static uint32_t
n_counters (uint32_t height)
{
  return CCA_ROW_FIRSTS + height;
}

static CcaDim
group_grid (const CcaPatchesParams *p)
{
  return (CcaDim) { cca_divide_up (p->columns, CCA_GROUP), cca_divide_up (p->rows, CCA_GROUP), 1 };
}

static void
divide (CcaLayout *layout, const CcaCudaSpec *spec, void *workspace)
{
  const CcaParams *params = spec->params;
  const bool values = params->foreground == CCA_FOREGROUND_VALUES;
  CcaPatchesParams *p = workspace;
  size_t n_patches, n_records;
  CcaDim groups;

  p->columns = cca_divide_up (spec->width, CCA_PATCH);
  p->rows = cca_divide_up (spec->height, CCA_PATCH);
  n_patches = (size_t) p->columns * p->rows;
  p->pool_size = (uint32_t) n_patches * EXPECTED_RECORDS;
  p->pool_size = p->pool_size > spec->capacity ? p->pool_size : spec->capacity;
  if (p->pool_size > n_patches * max_components (params))
    p->pool_size = (uint32_t) n_patches * max_components (params);
  n_records = n_patches * CCA_PATCH_RECORDS + p->pool_size;
  p->has_filter = cca_params_filter (params);
  p->direct = *(const bool *) spec->algorithm->variant;

  p->patches = cca_layout_take (layout, n_patches * sizeof *p->patches);
  p->borders = cca_layout_take (layout, n_patches * CCA_PATCH * sizeof *p->borders);
  p->firsts = cca_layout_take (layout, n_patches * CCA_PATCH * sizeof *p->firsts);
  p->counters = cca_layout_take (layout, n_counters (spec->height) * sizeof *p->counters);
  p->parents = cca_layout_take (layout, n_records * sizeof *p->parents);
  groups = group_grid (p);
  if (!p->direct) {
    p->n_outer = cca_layout_take (layout, groups.x * groups.y * sizeof *p->n_outer);
    p->outer_capacity = values ? CCA_OUTER_OF_VALUES_MAX : CCA_OUTER_MAX;
    p->outer = cca_layout_take (layout, (size_t) groups.x * groups.y * p->outer_capacity * sizeof *p->outer);
  }
  if (cca_params_measure (params))
    p->features = cca_cuda_take_tallies (layout, spec, n_records);
  if (spec->output == CCA_OUTPUT_NONE && !cca_params_labels (params))
    return;
  p->bits = cca_layout_take (layout, n_patches * CCA_PATCH * sizeof *p->bits);
  p->before = cca_layout_take (layout, n_patches * CCA_PATCH * sizeof *p->before);
  p->run_components = cca_layout_take (layout, n_patches * (values ? CCA_PATCH_RUNS_OF_VALUES_MAX : CCA_PATCH_RUNS_MAX)
                                                   * sizeof *p->run_components);
}

/* Returns a grid with a warp for each patch. */
static CcaDim
patch_grid (const CcaPatchesParams *p, uint32_t threads)
{
  return (CcaDim) { cca_divide_up (p->columns, threads / 32), p->rows, 1 };
}

/* Returns the parameters of a frame's kernels. */
static CcaPatchesParams
patches_params (const CcaCudaTask *task)
{
  CcaPatchesParams p = *(const CcaPatchesParams *) task->workspace;

  p.planes = task->planes;
  p.sizes = task->sizes;
  return p;
}

/* Clears the counters, and the memory that kernels may read before they know whether this frame has written it. */
static CcaStatus
clear (const CcaCudaQueue *queue, const CcaPatchesParams *p)
{
  const size_t n_patches = (size_t) p->columns * p->rows, n_rows = n_patches * CCA_PATCH,
               n_records = n_patches * CCA_PATCH_RECORDS;
  const struct
  {
    void *memory;
    size_t bytes;
  } cleared[] = {
    { p->counters, n_counters (p->planes.height) * sizeof *p->counters },
    { p->patches, n_patches * sizeof *p->patches },
    { p->borders, n_rows * sizeof *p->borders },
    { p->firsts, n_rows * sizeof *p->firsts },
    { p->bits, n_rows * sizeof *p->bits }, /* these two may be NULL */
    { p->before, n_rows * sizeof *p->before },
    { p->parents, n_records * sizeof *p->parents },
  };
  CcaStatus status = CCA_OK;

  for (size_t i = 0; i < sizeof cleared / sizeof *cleared && status == CCA_OK; i++)
    if (cleared[i].memory)
      status = cca_cuda_clear (queue, cleared[i].memory, cleared[i].bytes);
  return status;
}

/* Enqueues the unions over the seams of all patches, without groups, and what follows from them. */
static CcaStatus
unite_directly (const CcaCudaQueue *queue, const CcaPatchesParams *p)
{
  const CcaDim patches = patch_grid (p, CCA_BLOCK), block = { CCA_BLOCK, 1, 1 };
  CcaStatus status = cca_launch_unite_direct (queue, patches, block, *p);

  if (status == CCA_OK)
    status = (p->features.moments ? cca_launch_accumulate_direct_moments
                                  : cca_launch_accumulate_direct) (queue, patches, block, *p);
  return status == CCA_OK && p->has_filter ? cca_launch_filter_direct (queue, patches, block, *p) : status;
}

/* Enqueues the unions within groups, then over the seams of groups, and what follows from them. */
static CcaStatus
unite_by_groups (const CcaCudaQueue *queue, const CcaPatchesParams *p)
{
  const CcaDim groups = group_grid (p), list = { groups.x * groups.y, 1, 1 };
  const CcaDim group_block = { CCA_GROUP_BLOCK, 1, 1 }, values_block = { CCA_GROUP_BLOCK_OF_VALUES, 1, 1 };
  const CcaDim block = { CCA_BLOCK, 1, 1 };
  static PatchesLaunch *const unite[2][2] = { { cca_launch_unite_patches, cca_launch_unite_patches_moments },
                                              { cca_launch_unite_patches_of_values,
                                                cca_launch_unite_patches_of_values_moments } };
  const bool values = p->planes.joins != NULL;
  CcaStatus status = unite[values][p->features.moments != NULL](queue, groups, values ? values_block : group_block, *p);

  /* a single group has no seams */
  if (status != CCA_OK || groups.x * groups.y == 1)
    return status;
  status = cca_launch_unite_groups (queue, groups, block, *p);
  if (status == CCA_OK)
    status = (p->features.moments ? cca_launch_accumulate_outer_moments : cca_launch_accumulate_outer) (queue, list,
                                                                                                        block, *p);
  return status == CCA_OK && p->has_filter ? cca_launch_filter_outer (queue, list, block, *p) : status;
}

/* Kernels with groups and direct ones, each without moments and with them. */
#define SOLVE(source)                                                                                                  \
  {                                                                                                                    \
    { cca_launch_solve_patches_##source, cca_launch_solve_patches_##source##_moments },                                \
    { cca_launch_solve_patches_##source##_direct, cca_launch_solve_patches_##source##_moments_direct },                \
  }

static CcaStatus
label (const CcaCudaTask *task)
{
  static SolveLaunch *const solve[3][2][2] = { SOLVE (of_bits), SOLVE (of_values), SOLVE (of_range) };
  const CcaPatchesSolveParams p = { patches_params (task), task->range };
  const uint32_t source = p.range.pixels ? 2 : p.patches.planes.joins ? 1 : 0;
  const CcaDim grid = patch_grid (&p.patches, CCA_PATCH_BLOCK), block = { CCA_PATCH_BLOCK, 1, 1 };
  const CcaCudaQueue *queue = &task->queue;
  CcaStatus status = task->follows ? CCA_OK : clear (queue, &p.patches);

  if (status == CCA_OK)
    status = solve[source][p.patches.direct][p.patches.features.moments != NULL](queue, grid, block, p);
  if (status != CCA_OK)
    return status;
  return p.patches.direct ? unite_directly (queue, &p.patches) : unite_by_groups (queue, &p.patches);
}

static CcaStatus
number (const CcaCudaTask *task)
{
  const CcaPatchesNumberParams p = { patches_params (task), task->wanted };
  const bool stores = p.wanted.n_selected > 0;
  const uint32_t patches = stores ? CCA_NUMBERED_PATCHES : CCA_RANKED_PATCHES;
  const CcaDim grid = { cca_divide_up (p.patches.columns, patches), p.patches.rows, 1 },
               block = { CCA_NUMBER_BLOCK, 1, 1 };

  return (stores ? cca_launch_number_patches : cca_launch_rank_patches) (&task->queue, grid, block, p);
}

static CcaStatus
paint (const CcaCudaTask *task, CcaCanvas canvas)
{
  const CcaPatchesPaintParams p = { patches_params (task), canvas };
  const CcaDim block = { CCA_PATCH_BLOCK, 1, 1 };

  return (p.patches.planes.joins ? cca_launch_paint_patches_of_values : cca_launch_paint_patches) (
      &task->queue, patch_grid (&p.patches, CCA_PATCH_BLOCK), block, p);
}

static CcaStatus
overlap (const CcaCudaTask *task, CcaOverlapsParams overlaps)
{
  const CcaPatchesOverlapParams p = { patches_params (task), overlaps };
  const CcaDim block = { CCA_PATCH_BLOCK, 1, 1 };

  return (p.patches.planes.joins ? cca_launch_overlap_patches_of_values : cca_launch_overlap_patches) (
      &task->queue, patch_grid (&p.patches, CCA_PATCH_BLOCK), block, p);
}

/* Defines an algorithm: two differ in how they unite components over seams, directly or by groups first. */
#define PATCHES(its_name, its_description, directly)                                                                   \
  {                                                                                                                    \
    .entry = CCA_CUDA_ENTRY (its_name, its_description, "gst-cca, docs/algorithms/patches.md"),                        \
    .modules =                                                                                                         \
        (const CcaCudaModule *const[]) { &cca_cuda_module_patches, &cca_cuda_module_seams, &cca_cuda_module_numbers,   \
                                         (directly) ? NULL : &cca_cuda_module_groups, NULL },                          \
    .variant = (const bool[]) { directly },                                                                            \
    .reads_range = true,                                                                                               \
    .grows = true,                                                                                                     \
    .divide = divide,                                                                                                  \
    .label = label,                                                                                                    \
    .select = number,                                                                                                  \
    .paint = paint,                                                                                                    \
    .overlap = overlap,                                                                                                \
  }

const CcaCudaAlgorithm cca_cuda_patches =
    PATCHES ("patches", "a warp solves each patch of 32x32 pixels, groups unite patches over their seams: ours", false);
const CcaCudaAlgorithm cca_cuda_patches_direct =
    PATCHES ("patches-direct", "patches without groups, in fewer steps: for small frames", true);
