/* gst-cca: is a camera well? Judges its frames against a view that is learned while it is
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "health.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SECOND UINT64_C (1000000000)
#define INTERVAL (SECOND / 5)
#define SLACK (SECOND / 100) /* frames may come a little early */
#define FIRST_LOOKS 10       /* that make the view before its blocks are watched */
#define KNOWN_LOOKS 50       /* before anything is judged by it: until then people may be part of it */
#define RELIABLE 0.7         /* how often a block must have shown its structure */
#define LONGEST_MEMORY 300   /* looks */
#define VOTE_KEPT 0.7        /* of the votes of the looks before */

#define DARK_PART 0.97
#define BRIGHT_PART 0.3
#define BRIGHT_MORE 0.25          /* than the view */
#define UNIFORM CCA_PICTURE_SPAN  /* samples: a grey level */
#define BLANK 3.0                 /* grey levels: the deviation of a picture that shows nothing */
#define BLANK_TIME (10 * SECOND)  /* for which a stream may begin with nothing */
#define LEAST_BLOCKS 8            /* with structure, for a view to be known again */
#define SUSPECT 0.4               /* part of the structure that is gone: worth a search for it */
#define GONE 0.6                  /* part of the structure that is gone: it is no passing object */
#define GONE_BEHIND 0.75          /* the same where an object of strong structure may pass */
#define GONE_FROM_ALIKE 0.6       /* the same where the strongest structure is still there */
#define STRONG 1.6                /* structure, by the view's */
#define ALIKE 0.6                 /* the correlation of a view that is still the same */
#define FOUND 0.4                 /* correlation of the view that has moved */
#define FOUND_MORE 0.15           /* than where it was */
#define LEAST_SHIFT 0.02          /* of the frame's size */
#define SWAY 0.25                 /* samples: the least shift */
#define SOMETHING_ELSE 0.45       /* how much a picture is like another scene */
#define BLURRED 0.72              /* of the view's sharpness */
#define FEW_TEXTURED 0.15         /* of the view's short rows with contrast */
#define FROZEN_KNOWN (3 * SECOND) /* of a view before it can freeze */
#define FROZEN_LONGER 3           /* than the frames that were the same while well */

typedef struct
{
  uint32_t n_looks;
  float mean[CCA_PICTURE_MOST];
  int16_t samples[CCA_PICTURE_MOST];   /* the mean, rounded */
  float weights[CCA_STRUCTURE_BLOCKS]; /* how often a block shows its structure */
  double bright, textured, sharpness;
  uint64_t begin, longest_same; /* ns */
} View;

struct CcaHealth
{
  CcaPictureGrid grid;
  View view;
  CcaPicture pictures[2]; /* the last one and this one, in turn */
  unsigned turn;
  bool looked; /* there is a last picture */
  bool begun;
  uint64_t begin, last, same_since; /* of looks, ns */

  double votes[CCA_HEALTH_STATES];
  CcaHealthFinding findings[CCA_HEALTH_STATES]; /* the last of each state */
  CcaHealthState state, pending;
  uint64_t state_since, pending_since;
};

/* --- Life ---------------------------------------------------------------------------------------------- */

CcaHealth *
cca_health_new (uint32_t width, uint32_t height)
{
  CcaHealth *health = calloc (1, sizeof *health);

  if (!health)
    return NULL;
  cca_picture_grid_init (&health->grid, width, height);
  for (unsigned i = 0; i < CCA_HEALTH_STATES; i++)
    health->findings[i].state = (CcaHealthState) i;
  return health;
}

void
cca_health_free (CcaHealth *health)
{
  free (health);
}

static void
forget_view (CcaHealth *health)
{
  health->view = (View) { 0 };
}

void
cca_health_interrupt (CcaHealth *health)
{
  health->looked = false;
}

void
cca_health_set_finding (CcaHealth *health, const CcaHealthFinding *finding)
{
  health->findings[finding->state] = *finding;
  health->state = health->pending = finding->state;
  health->state_since = health->pending_since = health->last;
  memset (health->votes, 0, sizeof health->votes);
  health->votes[finding->state] = 1;
}

const CcaHealthFinding *
cca_health_finding (const CcaHealth *health)
{
  return &health->findings[health->state];
}

bool
cca_health_is_due (const CcaHealth *health, uint64_t time)
{
  return !health->looked || time < health->last || time - health->last >= INTERVAL - SLACK;
}

/* --- The view ------------------------------------------------------------------------------------------ */

static void
learn (View *view, const CcaPictureGrid *grid, const CcaPicture *picture, const CcaStructure *structure, bool is_like,
       uint64_t time)
{
  double part;

  if (view->n_looks == 0) {
    view->begin = time;
    for (unsigned i = 0; i < CCA_STRUCTURE_BLOCKS; i++)
      view->weights[i] = 1;
  }
  if (view->n_looks < LONGEST_MEMORY)
    view->n_looks++;
  part = 1.0 / (is_like ? view->n_looks : LONGEST_MEMORY);
  for (uint32_t i = 0; i < grid->columns * grid->rows; i++) {
    view->mean[i] += (float) part * ((float) picture->samples[i] - view->mean[i]);
    view->samples[i] = (int16_t) (view->mean[i] + 0.5F);
  }
  view->bright += part * (picture->bright - view->bright);
  view->textured += part * (picture->textured - view->textured);
  view->sharpness += part * (picture->sharpness - view->sharpness);
  if (view->n_looks <= FIRST_LOOKS)
    return;
  for (unsigned i = 0; i < CCA_STRUCTURE_BLOCKS; i++)
    if (structure->textured[i])
      view->weights[i] += (float) part * ((float) structure->kept[i] - view->weights[i]);
}

static bool
is_reliable (const View *view, const CcaStructure *structure, unsigned block)
{
  return structure->textured[block] && view->weights[block] >= RELIABLE;
}

/* Whether enough of the view's structure is there at most times. */
static bool
can_be_known (const View *view, const CcaStructure *structure)
{
  unsigned n = 0;

  for (unsigned i = 0; i < CCA_STRUCTURE_BLOCKS; i++)
    n += is_reliable (view, structure, i);
  return view->n_looks >= KNOWN_LOOKS && n >= LEAST_BLOCKS;
}

/* The part of the view's reliable structure that a picture does not show. */
static double
missing_part (const View *view, const CcaStructure *structure)
{
  double all = 0, kept = 0;

  for (unsigned i = 0; i < CCA_STRUCTURE_BLOCKS; i++)
    if (is_reliable (view, structure, i)) {
      all += view->weights[i];
      kept += structure->kept[i] ? view->weights[i] : 0;
    }
  return all > 0 ? 1 - kept / all : 0;
}

/* --- A look -------------------------------------------------------------------------------------------- */

static CcaHealthFinding
found (CcaHealthState state, double evidence)
{
  return (CcaHealthFinding) { .state = state, .evidence = evidence };
}

/* What a picture shows by itself. */
static CcaHealthFinding
judge_light (const CcaHealth *health, const CcaPicture *picture)
{
  const View *view = &health->view;

  if (picture->highest - picture->lowest <= UNIFORM)
    return found (CCA_HEALTH_LOST, picture->deviation);
  if (picture->dark >= DARK_PART)
    return found (CCA_HEALTH_DARK, picture->dark);
  if (view->n_looks >= KNOWN_LOOKS && picture->bright >= BRIGHT_PART && picture->bright - view->bright >= BRIGHT_MORE)
    return found (CCA_HEALTH_BLINDED, picture->bright);
  if (view->n_looks == 0 && picture->deviation < BLANK)
    return found (CCA_HEALTH_COVERED, 1);
  return found (CCA_HEALTH_WELL, 1);
}

static double
at_most_one (double value)
{
  return value < 1 ? value : 1;
}

/* Whether a picture without the view's structure has structure of its own everywhere, no more than the view, in as much
 * detail and as sharp. What is on the lens is neither in focus nor full of detail. */
static bool
shows_something_else (const View *view, const CcaPicture *picture, const CcaStructure *structure)
{
  return view->textured > 0 && view->sharpness > 0
         && structure->replaced * at_most_one (1 / structure->strength)
                    * at_most_one (picture->textured / view->textured)
                    * at_most_one (picture->sharpness / view->sharpness)
                >= SOMETHING_ELSE;
}

/* The part of the structure that must be gone before the view is. */
static double
least_missing (const CcaHealth *health, const CcaPicture *picture, const CcaStructure *structure)
{
  if (health->state == CCA_HEALTH_COVERED || health->state == CCA_HEALTH_MOVED)
    return SUSPECT;
  if (structure->correlation >= ALIKE)
    return GONE_FROM_ALIKE;
  return structure->strength >= STRONG && picture->textured >= STRONG * health->view.textured ? GONE_BEHIND : GONE;
}

/* What is gone of the view, and whether it is elsewhere. */
static CcaHealthFinding
judge_structure (const CcaHealth *health, const CcaPicture *picture, const CcaStructure *structure)
{
  const double missing = missing_part (&health->view, structure);
  const CcaPictureGrid *grid = &health->grid;
  CcaShift shift;
  bool is_far, sways;

  if (missing < SUSPECT)
    return found (CCA_HEALTH_WELL, 1 - missing);
  shift = cca_structure_find_shift (grid, health->view.samples, picture->samples);
  is_far = fabs (shift.x) >= LEAST_SHIFT * grid->width || fabs (shift.y) >= LEAST_SHIFT * grid->height;
  sways = fabs (shift.x) >= SWAY * grid->width / grid->columns || fabs (shift.y) >= SWAY * grid->height / grid->rows;
  if (shift.correlation >= FOUND && !is_far && sways)
    return found (CCA_HEALTH_WELL, 1 - missing); /* it sways */
  if (shift.correlation >= FOUND && shift.correlation >= structure->correlation + FOUND_MORE)
    return (CcaHealthFinding) {
      .state = CCA_HEALTH_MOVED, .evidence = missing, .has_shift = true, .shift_x = shift.x, .shift_y = shift.y
    };
  if (missing < least_missing (health, picture, structure))
    return found (CCA_HEALTH_WELL, 1 - missing);
  return found (shows_something_else (&health->view, picture, structure) ? CCA_HEALTH_MOVED : CCA_HEALTH_COVERED,
                missing);
}

static CcaHealthFinding
judge_sharpness (const View *view, const CcaPicture *picture, CcaHealthFinding finding)
{
  const double sharpness = view->sharpness > 0 ? picture->sharpness / view->sharpness : 1;

  if (picture->textured < FEW_TEXTURED * view->textured || sharpness < BLURRED)
    return found (CCA_HEALTH_DEFOCUSED, sharpness);
  return finding;
}

/* Keeps the time of equal pictures. */
static CcaHealthFinding
judge_change (CcaHealth *health, const CcaHealthParams *params, bool same, uint64_t time, CcaHealthFinding finding)
{
  View *view = &health->view;
  uint64_t passed, least;

  if (!same) {
    if (health->state == CCA_HEALTH_WELL && health->looked && health->last - health->same_since > view->longest_same)
      view->longest_same = health->last - health->same_since;
    health->same_since = time;
    return finding;
  }
  passed = time - health->same_since;
  least = FROZEN_LONGER * view->longest_same;
  least = least > params->frozen_time ? least : params->frozen_time;
  if (params->frozen_time == 0 || finding.state != CCA_HEALTH_WELL || view->n_looks < KNOWN_LOOKS
      || health->same_since - view->begin < FROZEN_KNOWN || passed < least)
    return finding;
  return found (CCA_HEALTH_FROZEN, (double) passed / SECOND);
}

static CcaHealthFinding
judge (CcaHealth *health, const CcaHealthParams *params, const CcaPicture *picture, bool same, uint64_t time)
{
  View *view = &health->view;
  CcaStructure structure = { 0 };
  CcaHealthFinding finding = judge_light (health, picture);

  if (health->grid.columns > 1 && health->grid.rows > 1)
    cca_structure_compare (&structure, &health->grid, view->samples, picture->samples);
  if (can_be_known (view, &structure) && finding.state == CCA_HEALTH_WELL) {
    finding = judge_structure (health, picture, &structure);
    if (finding.state == CCA_HEALTH_WELL)
      finding = judge_sharpness (view, picture, finding);
  }
  finding = judge_change (health, params, same, time, finding);
  if (finding.state == CCA_HEALTH_WELL)
    learn (view, &health->grid, picture, &structure,
           view->n_looks < KNOWN_LOOKS || missing_part (view, &structure) < SUSPECT, time);
  return finding;
}

/* --- The state ----------------------------------------------------------------------------------------- */

static CcaHealthState
most_voted (const CcaHealth *health)
{
  unsigned best = 0;

  for (unsigned i = 1; i < CCA_HEALTH_STATES; i++)
    if (health->votes[i] > health->votes[best])
      best = i;
  return (CcaHealthState) best;
}

static bool
decide (CcaHealth *health, const CcaHealthParams *params, const CcaHealthFinding *finding, uint64_t time)
{
  CcaHealthState best;
  uint64_t least;

  health->findings[finding->state] = *finding;
  for (unsigned i = 0; i < CCA_HEALTH_STATES; i++)
    health->votes[i] = VOTE_KEPT * health->votes[i] + (i == finding->state);
  best = most_voted (health);
  /* What is seen may go from one trouble to the next; the time counts from when it was no longer as before. */
  if (best == health->state || health->pending == health->state
      || (best == CCA_HEALTH_WELL) != (health->pending == CCA_HEALTH_WELL))
    health->pending_since = time;
  health->pending = best;
  least = best == CCA_HEALTH_WELL ? params->off_time : best == CCA_HEALTH_FROZEN ? 0 : params->on_time;
  if (best == health->state || time - health->pending_since < least)
    return false;
  health->state = best;
  health->state_since = time;
  return true;
}

/* Whether a stream has not shown a picture so far, and may still begin to. */
static bool
begins_with_nothing (const CcaHealth *health, const CcaHealthFinding *finding, uint64_t time)
{
  return health->view.n_looks == 0 && finding->state == CCA_HEALTH_COVERED && time - health->begin < BLANK_TIME;
}

bool
cca_health_look (CcaHealth *health, const CcaHealthParams *params, const uint8_t *luma, ptrdiff_t stride, uint64_t time)
{
  CcaPicture *picture = &health->pictures[health->turn], *last = &health->pictures[!health->turn];
  CcaHealthFinding finding;
  bool same;

  cca_picture_read (picture, &health->grid, luma, stride);
  same = health->looked && cca_picture_equals (picture, last, &health->grid);
  if (!health->looked)
    health->same_since = time;
  if (health->state == CCA_HEALTH_MOVED && params->accept_time > 0 && time - health->state_since >= params->accept_time)
    forget_view (health);
  if (!health->begun)
    health->begin = time;
  health->begun = true;
  finding = judge (health, params, picture, same, time);
  health->turn = !health->turn;
  health->looked = true;
  health->last = time;
  if (begins_with_nothing (health, &finding, time))
    return false;
  return decide (health, params, &finding, time);
}
