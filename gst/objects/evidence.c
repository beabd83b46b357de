/* gst-cca: which components share pixels with those that tracks had in the last frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "evidence.h"

#include <stdlib.h>

#include "array.h"

typedef struct
{
  uint32_t component;
  uint64_t pixels;
} Shared;

typedef struct
{
  uint32_t label, component;
} Labelled;

struct GstCcaEvidence
{
  const GstCcaTrackerFrame *frame;
  Labelled *labels; /* of the frame's components, ascending */
  size_t labels_room;
  Shared *shared; /* track by track, by component */
  size_t shared_room;
  size_t *first; /* of each track's shared, and the end of the last one's */
  size_t first_room, n_tracks;
};

GstCcaEvidence *
gst_cca_evidence_new (void)
{
  return calloc (1, sizeof (GstCcaEvidence));
}

void
gst_cca_evidence_free (GstCcaEvidence *evidence)
{
  if (evidence == NULL)
    return;
  free (evidence->labels);
  free (evidence->shared);
  free (evidence->first);
  free (evidence);
}

static bool
has_overlaps (const GstCcaEvidence *evidence)
{
  return evidence->frame->overlaps != NULL && evidence->frame->n_overlaps > 0;
}

static int
by_label (const void *a, const void *b)
{
  const Labelled *one = a, *other = b;

  return one->label < other->label ? -1 : one->label > other->label;
}

static int
by_component (const void *a, const void *b)
{
  const Shared *one = a, *other = b;

  return one->component < other->component ? -1 : one->component > other->component;
}

bool
gst_cca_evidence_begin (GstCcaEvidence *evidence, const GstCcaTrackerFrame *frame, size_t n_tracks)
{
  const size_t n = frame->n_components;
  bool ascending = true;

  evidence->frame = frame;
  evidence->n_tracks = 0;
  if (!has_overlaps (evidence))
    return true;
  if (!GST_CCA_RESERVE (evidence->first, evidence->first_room, n_tracks + 1)
      || !GST_CCA_RESERVE (evidence->labels, evidence->labels_room, n + 1))
    return false;
  evidence->first[0] = 0;
  for (size_t i = 0; i < n; i++) {
    evidence->labels[i] = (Labelled) { frame->components[i].label, (uint32_t) i };
    ascending = ascending && (i == 0 || evidence->labels[i - 1].label < evidence->labels[i].label);
  }
  if (!ascending)
    qsort (evidence->labels, n, sizeof *evidence->labels, by_label);
  return true;
}

/* Returns the component with a label, or NULL. */
static const Labelled *
find_component (const GstCcaEvidence *evidence, uint32_t label)
{
  const Labelled *labels = evidence->labels;
  size_t low = 0, high = evidence->frame->n_components;

  /* Mostly labels are 1, 2, 3… */
  if (label - 1 < high && labels[label - 1].label == label)
    return &labels[label - 1];
  while (low < high) {
    const size_t middle = low + (high - low) / 2;

    if (labels[middle].label < label)
      low = middle + 1;
    else
      high = middle;
  }
  return low < evidence->frame->n_components && labels[low].label == label ? &labels[low] : NULL;
}

/* Returns the first overlap of a label of the last frame, or of one above it. */
static size_t
find_overlap (const GstCcaTrackerFrame *frame, uint32_t before)
{
  size_t low = 0, high = frame->n_overlaps;

  while (low < high) {
    const size_t middle = low + (high - low) / 2;

    if (frame->overlaps[middle].before < before)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Appends what one label shares to n others. Returns how many there are now, or SIZE_MAX if memory is exhausted. */
static size_t
append (GstCcaEvidence *evidence, size_t n, uint32_t before)
{
  const GstCcaTrackerFrame *frame = evidence->frame;

  for (size_t i = find_overlap (frame, before); i < frame->n_overlaps && frame->overlaps[i].before == before; i++) {
    const Labelled *now = find_component (evidence, frame->overlaps[i].now);

    if (now == NULL)
      continue;
    if (!GST_CCA_RESERVE (evidence->shared, evidence->shared_room, n + 1))
      return SIZE_MAX;
    evidence->shared[n++] = (Shared) { now->component, frame->overlaps[i].pixels };
  }
  return n;
}

/* Sorts shared ones, and makes one of those with the same component. Returns how many are left. */
static size_t
merge (Shared *shared, size_t n)
{
  bool ascending = true;
  size_t n_merged = 0;

  for (size_t i = 1; i < n; i++)
    ascending = ascending && shared[i - 1].component < shared[i].component;
  if (ascending)
    return n;
  qsort (shared, n, sizeof *shared, by_component);
  for (size_t i = 0; i < n; i++)
    if (n_merged > 0 && shared[n_merged - 1].component == shared[i].component)
      shared[n_merged - 1].pixels += shared[i].pixels;
    else
      shared[n_merged++] = shared[i];
  return n_merged;
}

bool
gst_cca_evidence_add (GstCcaEvidence *evidence, const uint32_t *labels, size_t n_labels)
{
  size_t first, end;

  if (!has_overlaps (evidence))
    return true;
  first = end = evidence->first[evidence->n_tracks];
  for (size_t i = 0; i < n_labels; i++)
    if ((end = append (evidence, end, labels[i])) == SIZE_MAX)
      return false;
  if (end > first)
    end = first + merge (evidence->shared + first, end - first);
  evidence->first[++evidence->n_tracks] = end;
  return true;
}

uint64_t
gst_cca_evidence_pixels (const GstCcaEvidence *evidence, uint32_t track, uint32_t component)
{
  size_t low, high;

  if (track >= evidence->n_tracks)
    return 0;
  low = evidence->first[track];
  high = evidence->first[track + 1];
  while (low < high) {
    const size_t middle = low + (high - low) / 2;

    if (evidence->shared[middle].component == component)
      return evidence->shared[middle].pixels;
    if (evidence->shared[middle].component < component)
      low = middle + 1;
    else
      high = middle;
  }
  return 0;
}
